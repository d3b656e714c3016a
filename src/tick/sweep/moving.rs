//! Which entities the sweep moves, and what it reads and writes of them.

use bevy::ecs::{
    entity::Entity,
    prelude::{Or, With},
    query::QueryData,
};

use crate::components::{Body, EnabledCollider, Response, Rider, Swept, Velocity};

/// A body that the sweep moves, and the components that say how.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Moving {
    pub(super) entity: Entity,
    pub(super) velocity: Option<&'static mut Velocity>,
    pub(super) swept: Option<&'static Swept>,
    pub(super) response: Option<&'static Response>,
    pub(super) rider: Option<&'static mut Rider>,
}

/// Bodies that the sweep moves, and that other colliders may stop. All other entities with a velocity are [groups](crate::tick::groups), and so are parts of another body that have no collider.
pub(super) type IsMoved = (
    Or<(With<Velocity>, With<Swept>)>,
    Or<(With<Body>, EnabledCollider)>,
);
