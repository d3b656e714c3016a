//! Entities with a velocity that are neither colliders nor bodies. They move before colliders are gathered, so that what hangs on them is at its new place in this tick already.

use bevy::{
    ecs::{
        entity::Entity,
        prelude::{Has, Or, Query, Res, With, Without},
        system::Local,
    },
    math::Vec2,
    time::Time,
};

use super::ways::{AnyVelocity, Ways};
use crate::{
    components::{Body, BoundsCollider, BoxCollider, CircleCollider, ColliderDisabled, Velocity},
    state::places::Places,
};

/// What is read of an entity.
type Group = (Entity, &'static Velocity, Has<Body>, Has<ColliderDisabled>);

/// Entities without a collider that takes part.
type HasNoCollider = Or<(
    With<ColliderDisabled>,
    (
        Without<CircleCollider>,
        Without<BoxCollider>,
        Without<BoundsCollider>,
    ),
)>;

/// Moves the groups. Nothing can be in their way.
pub(crate) fn move_groups(
    groups: Query<Group, HasNoCollider>,
    mut places: Places,
    time: Option<Res<Time>>,
    (mut ways, all): (Local<Ways>, Query<(), AnyVelocity>),
) {
    let seconds = time.map_or(0.0, |time| time.delta_secs());
    ways.begin(|entity| all.contains(entity));
    for (entity, velocity, has_body, is_disabled) in &groups {
        // A body moves by itself, along with the colliders of its children. A part of a body does not move by itself, even if its collider takes no part.
        let is_own = (has_body || is_disabled) && places.is_own_body(entity);
        if has_body && (is_own || places.is_static(entity)) || is_disabled && !is_own {
            continue;
        }
        let way = ways.of(entity, velocity.0, seconds);
        // An entity that stands still is not written, nor are its children.
        if let Some(way) = way.filter(|way| *way != Vec2::ZERO) {
            places.move_by(entity, way);
        }
    }
}
