//! Outlines, solid sides, boxes, and those who take no part.

use bevy::{
    color::{Alpha, Color},
    ecs::{
        entity::Entity,
        prelude::{Query, Res, Without},
        system::SystemParam,
    },
    math::Vec2,
    transform::components::GlobalTransform,
};

use super::{
    layers::{CollisionColors, CollisionGizmos, layer_color},
    pen::Pen,
};
use crate::{
    allow_disabled::AllowDisabled,
    components::{Body, ColliderDisabled, IsCollider},
    kernel::Outline,
    query::ColliderView,
    state::{colliders::Colliders, pose::Poses},
    tick::gather::{ColliderData, gather_collider},
};

/// Draws one that takes part. `is_touched` says whether somebody collides with it.
pub(super) fn draw_collider(
    pen: &mut Pen,
    collider: &ColliderView,
    layers: &CollisionGizmos,
    is_touched: bool,
) {
    let half = collider.outline.half_extents();
    // With room for what sticks out.
    if !pen.view.sees(collider.center, half + pen.pixels(32.0)) {
        return;
    }
    if layers.bounding_boxes {
        pen.rectangle(collider.center, half, layers.colors.bounding_box);
    }
    if layers.shapes {
        let color = color(collider, layers, is_touched);
        pen.outline(collider.outline, collider.center, color);
    }
    if let Some(side) = collider.one_way.filter(|_| layers.one_way) {
        draw_one_way(pen, collider, side, layers.colors.one_way);
    }
    if layers.surface_velocities && collider.surface_velocity != Vec2::ZERO {
        let way = collider.surface_velocity * 0.25;
        let from = collider.center - way * 0.5;
        pen.arrow(from, from + way, 8.0, layers.colors.surface_velocity);
    }
}

fn color(collider: &ColliderView, layers: &CollisionGizmos, is_touched: bool) -> Color {
    let CollisionColors {
        dynamic,
        kinematic,
        fixed,
        untouched,
        sensor,
        room,
        ..
    } = layers.colors;
    let memberships = collider.layers.memberships;
    let color = match collider.kind {
        _ if layers.color_by_layer && memberships != 0 => layer_color(memberships.trailing_zeros()),
        _ if collider.is_sensor => sensor,
        _ if matches!(collider.outline, Outline::Bounds(_)) => room,
        Body::Dynamic => dynamic,
        Body::Kinematic => kinematic,
        Body::Static => fixed,
    };
    if collider.kind == Body::Static && !is_touched {
        color.with_alpha(color.alpha() * untouched.clamp(0.0, 1.0))
    } else {
        color
    }
}

/// An arrow out of the solid side, and a line along it.
fn draw_one_way(pen: &mut Pen, collider: &ColliderView, side: Vec2, color: Color) {
    let half = collider.outline.half_extents();
    let along = side.perp();
    let reach = match collider.outline {
        Outline::Shape(_) => (side * half).length(),
        // Of a room, what faces up is the floor.
        Outline::Bounds(_) => -(side * half).length(),
    };
    let surface = collider.center + side * reach;
    let width = (along * half).length();
    pen.line(surface - along * width, surface + along * width, color);
    let tip = surface + side * pen.pixels(14.0);
    pen.arrow(surface, tip, 6.0, color);
}

/// Those who take no part.
#[derive(SystemParam)]
pub(super) struct Inactive<'w, 's> {
    all: Query<'w, 's, ColliderData, (IsCollider, AllowDisabled)>,
    /// Who is not switched off, neither as a collider nor as a whole.
    on: Query<'w, 's, (), Without<ColliderDisabled>>,
    poses: Poses<'w, 's>,
    colliders: Res<'w, Colliders>,
    places: Query<'w, 's, &'static GlobalTransform>,
}

impl Inactive<'_, '_> {
    /// Draws the outlines of those who are off, where they would be, and a cross for bad input, where its entity is.
    pub(super) fn draw(&self, pen: &mut Pen, colors: &CollisionColors) {
        for row in self
            .all
            .iter()
            .filter(|row| !self.on.contains(row.entity()))
        {
            if let Ok(off) = gather_collider(&row.parts(), &self.poses) {
                let center = off.mover.position + off.offset;
                pen.outline(off.outline, center, colors.disabled);
            }
        }
        for &entity in self.colliders.refused.keys() {
            if let Some(place) = self.place(entity) {
                pen.cross(place, 16.0, colors.invalid);
            }
        }
    }

    fn place(&self, entity: Entity) -> Option<Vec2> {
        let place = self.places.get(entity).ok()?.translation().truncate();
        place.is_finite().then_some(place)
    }
}
