//! Draws colliders that take no part.

use bevy::{
    ecs::{
        entity::Entity,
        prelude::{Query, Res, Without},
        query::ROQueryItem,
        system::SystemParam,
    },
    math::Vec2,
};

use super::{layers::CollisionColors, pen::Pen};
use crate::{
    allow_disabled::AllowDisabled,
    components::{ColliderDisabled, IsCollider},
    kernel::Outline,
    state::{colliders::Colliders, pose::Poses},
    tick::gather::{ColliderData, gather_collider},
};

/// All colliders that take no part: disabled, or refused.
#[derive(SystemParam)]
pub(super) struct Inactive<'w, 's> {
    all: Query<'w, 's, ColliderData, (IsCollider, AllowDisabled)>,
    /// Entities that are not disabled, neither their collider nor as a whole.
    on: Query<'w, 's, (), Without<ColliderDisabled>>,
    poses: Poses<'w, 's>,
    colliders: Res<'w, Colliders>,
}

impl Inactive<'_, '_> {
    /// Draws the outlines of disabled colliders where they would be, and crosses for refused colliders where their entities are.
    pub(super) fn draw(&self, pen: &mut Pen, colors: &CollisionColors) {
        let off = self.all.iter();
        let off = off.filter(|row| !self.on.contains(row.entity()));
        for (outline, center) in off.filter_map(|row| would_be(&row, &self.poses)) {
            pen.outline(outline, center, colors.disabled);
        }
        let refused = self.colliders.refused.keys();
        for place in refused.filter_map(|&entity| place_of(&self.poses, entity)) {
            pen.cross(place, 16.0, colors.invalid);
        }
    }
}

/// Returns the outline that a collider that takes no part would have, and its center; `None` if it would be refused.
pub(crate) fn would_be(row: &ROQueryItem<ColliderData>, poses: &Poses) -> Option<(Outline, Vec2)> {
    let off = gather_collider(&row.components(), poses).ok()?;
    Some((off.outline, off.body_state.position + off.offset))
}

/// Returns where an entity is, with a collider or without; `None` if it has no finite place.
pub(crate) fn place_of(poses: &Poses, entity: Entity) -> Option<Vec2> {
    let place = poses.global(entity)?.translation().truncate();
    place.is_finite().then_some(place)
}
