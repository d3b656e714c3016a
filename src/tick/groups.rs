//! What has a velocity, and is neither a collider nor a body: it moves before anybody is gathered, so that those who hang on it are in this tick where it takes them.

use bevy::{
    ecs::{
        entity::Entity,
        prelude::{Has, Or, Query, Res, With, Without},
        system::Local,
    },
    math::Vec2,
    time::Time,
};

use super::ways::Ways;
use crate::{
    components::{Body, BoundsCollider, BoxCollider, CircleCollider, ColliderDisabled, Velocity},
    state::pose::Places,
};

/// What is asked of it.
type Group = (Entity, &'static Velocity, Has<Body>, Has<ColliderDisabled>);

/// What has no collider that takes part.
type HasNoCollider = Or<(
    With<ColliderDisabled>,
    (
        Without<CircleCollider>,
        Without<BoxCollider>,
        Without<BoundsCollider>,
    ),
)>;

/// Moves what is in nobody's way.
pub(crate) fn move_groups(
    groups: Query<Group, HasNoCollider>,
    mut places: Places,
    time: Option<Res<Time>>,
    mut ways: Local<Ways>,
) {
    let seconds = time.map_or(0.0, |time| time.delta_secs());
    ways.begin(|entity| groups.contains(entity));
    for (entity, velocity, has_body, is_disabled) in &groups {
        // A body moves by itself, along with the colliders of its children; and a part of it does not, although its collider takes no part.
        let is_own = (has_body || is_disabled) && places.is_own_body(entity);
        if has_body && (is_own || places.is_static(entity)) || is_disabled && !is_own {
            continue;
        }
        let way = ways.of(entity, velocity.0, seconds);
        // Who stands still is not written, nor are its children.
        if let Some(way) = way.filter(|way| *way != Vec2::ZERO) {
            places.move_by(entity, way);
        }
    }
}
