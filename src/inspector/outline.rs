//! Outlines the picked entities in the world.

use bevy::{
    color::Color,
    ecs::{
        entity::Entity,
        prelude::{Local, Query, Res, ResMut},
        system::SystemParam,
    },
    gizmos::{
        config::{GizmoConfigGroup, GizmoConfigStore},
        gizmos::Gizmos,
    },
    math::Vec2,
    reflect::{Reflect, std_traits::ReflectDefault},
};

use super::state::CollisionInspector;
use crate::{
    allow_disabled::AllowDisabled,
    components::IsCollider,
    debug::{
        CollisionGizmos, DrawnSnapshot,
        inactive::{place_of, would_be},
        pen::{Circles, Pen},
        view::Cameras,
    },
    kernel::Outline,
    query::SpatialQuery,
    state::pose::Poses,
    tick::gather::ColliderData,
};

/// Gizmos of their own, which the switches of the drawing do not turn off.
#[derive(Reflect, GizmoConfigGroup, Clone, Copy, Debug, Default)]
#[reflect(Default)]
pub(super) struct PickedGizmos;

pub(super) const FIRST: Color = Color::srgb(1.0, 0.85, 0.0);
pub(super) const SECOND: Color = Color::srgb(0.0, 0.85, 1.0);

/// Whether there is anything to outline.
pub(super) fn is_any_picked(inspector: Res<CollisionInspector>) -> bool {
    inspector.is_open && (inspector.first.is_some() || inspector.second.is_some())
}

/// The size in pixels of the cross that marks a point, and below it the radius of the circle that marks a refused collider.
const CROSS: f32 = 10.0;
const CIRCLE: f32 = 10.0;

/// The colliders that take no part, with their places.
#[derive(SystemParam)]
pub(super) struct Absent<'w, 's> {
    colliders: Query<'w, 's, ColliderData, (IsCollider, AllowDisabled)>,
    poses: Poses<'w, 's>,
}

/// Shows the outlines to the same cameras as the drawing.
pub(super) fn follow_layers(mut store: ResMut<GizmoConfigStore>) {
    let drawing = store.config::<CollisionGizmos>().0;
    let layers = drawing.render_layers.clone();
    store.config_mut::<PickedGizmos>().0.render_layers = layers;
}

pub(super) fn outline_picked(
    mut gizmos: Gizmos<PickedGizmos>,
    inspector: Res<CollisionInspector>,
    past: Res<DrawnSnapshot>,
    space: SpatialQuery,
    absent: Absent,
    cameras: Cameras,
    circles: Local<Circles>,
) {
    let view = cameras.view(&gizmos.config.render_layers);
    let mut pen = Pen {
        gizmos: &mut gizmos,
        circles: &circles,
        view,
    };
    let picked = [(inspector.first, FIRST), (inspector.second, SECOND)];
    for (entity, color) in picked {
        let Some(entity) = entity else {
            continue;
        };
        let view = match &past.0 {
            Some(past) => past.collider(entity).copied(),
            None => space.get(entity),
        };
        match view {
            Some(view) => outline(&mut pen, (view.outline, view.center), color),
            None if past.0.is_none() => absent.outline(&mut pen, entity, color),
            None => {}
        }
    }
}

/// Outlines a collider as the drawing does, except that a point is marked by a larger cross, which is seen around that of the drawing.
fn outline(pen: &mut Pen<PickedGizmos>, (outline, center): (Outline, Vec2), color: Color) {
    if outline.half_extents() == Vec2::ZERO {
        pen.cross(center, CROSS, color);
    } else {
        pen.outline(outline, center, color);
    }
}

impl Absent<'_, '_> {
    /// Outlines a collider that takes no part where it would be. A refused one, or an entity without a collider, is marked where the entity is.
    fn outline(&self, pen: &mut Pen<PickedGizmos>, entity: Entity, color: Color) {
        let row = self.colliders.get(entity).ok();
        if let Some(seen) = row.and_then(|row| would_be(&row, &self.poses)) {
            outline(pen, seen, color);
        } else if let Some(place) = place_of(&self.poses, entity) {
            pen.circle(place, pen.pixels(CIRCLE), color);
        }
    }
}
