//! What is picked is outlined in the world.

use bevy::{
    color::Color,
    ecs::{
        entity::Entity,
        prelude::{Query, Res},
    },
    gizmos::{config::GizmoConfigGroup, gizmos::Gizmos},
    math::{Isometry2d, Vec2},
    reflect::{Reflect, std_traits::ReflectDefault},
    transform::components::GlobalTransform,
};

use super::state::CollisionInspector;
use crate::{debug::DrawnSnapshot, kernel::Outline, query::SpatialQuery};

/// Lines of their own, which the switches of the drawing do not concern.
#[derive(Reflect, GizmoConfigGroup, Clone, Copy, Debug, Default)]
#[reflect(Default)]
pub(super) struct PickedGizmos;

pub(super) const FIRST: Color = Color::srgb(1.0, 0.85, 0.0);
pub(super) const SECOND: Color = Color::srgb(0.0, 0.85, 1.0);

/// Whether there is something to outline.
pub(super) fn is_any_picked(inspector: Res<CollisionInspector>) -> bool {
    inspector.is_open && (inspector.first.is_some() || inspector.second.is_some())
}

pub(super) fn outline_picked(
    mut gizmos: Gizmos<PickedGizmos>,
    inspector: Res<CollisionInspector>,
    past: Res<DrawnSnapshot>,
    space: SpatialQuery,
    places: Query<&GlobalTransform>,
) {
    let picked = [(inspector.first, FIRST), (inspector.second, SECOND)];
    for (entity, color) in picked {
        let Some(entity) = entity else {
            continue;
        };
        let view = match &past.0 {
            Some(past) => past
                .colliders
                .iter()
                .find(|view| view.entity == entity)
                .copied(),
            None => space.iter().find(|view| view.entity == entity),
        };
        match view {
            Some(view) => outline(&mut gizmos, view.outline, view.center, color),
            None if past.0.is_none() => mark(&mut gizmos, &places, entity, color),
            None => {}
        }
    }
}

fn outline(gizmos: &mut Gizmos<PickedGizmos>, outline: Outline, center: Vec2, color: Color) {
    let at = Isometry2d::from_translation(center);
    match outline {
        Outline::Shape(shape) if shape.half_size() == Vec2::ZERO => {
            gizmos.circle_2d(at, shape.radius(), color);
        }
        Outline::Shape(shape) => {
            let size = shape.half_extents() * 2.0;
            gizmos
                .rounded_rect_2d(at, size, color)
                .corner_radius(shape.radius());
        }
        Outline::Bounds(half) => {
            gizmos.rect_2d(at, half * 2.0, color);
        }
    }
}

/// Who takes no part is marked where its entity is.
fn mark(
    gizmos: &mut Gizmos<PickedGizmos>,
    places: &Query<&GlobalTransform>,
    entity: Entity,
    color: Color,
) {
    let place = places
        .get(entity)
        .map(|place| place.translation().truncate());
    if let Some(place) = place.ok().filter(|place| place.is_finite()) {
        gizmos.circle_2d(Isometry2d::from_translation(place), 10.0, color);
    }
}
