//! Draws colliders: outlines, solid sides and bounding boxes.

use bevy::{
    color::{Alpha, Color},
    math::Vec2,
};

use super::{
    layers::{CollisionColors, CollisionGizmos, layer_color},
    pen::Pen,
};
use crate::{
    components::Body, kernel::Outline, placed::SIDES, query::ColliderView, state::rules::faces,
};

/// Draws a collider that takes part. `is_touched` says whether anything collides with it.
pub(super) fn draw_collider(
    pen: &mut Pen,
    collider: &ColliderView,
    layers: &CollisionGizmos,
    is_touched: bool,
) {
    // It may be far longer than the collider, and the pen leaves out lines that are not seen.
    if layers.surface_velocities && collider.surface_velocity != Vec2::ZERO {
        let way = collider.surface_velocity * 0.25;
        let from = collider.center - way * 0.5;
        pen.arrow(from, from + way, 8.0, layers.colors.surface_velocity);
    }
    let half = collider.outline.half_extents();
    // With some room for the arrows of its sides.
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

/// Draws an arrow out of each solid side, and a line along it.
fn draw_one_way(pen: &mut Pen, collider: &ColliderView, direction: Vec2, color: Color) {
    let half = collider.outline.half_extents();
    let outwards = match collider.outline {
        Outline::Shape(_) => 1.0,
        // The solid surface of a room that faces up is its floor.
        Outline::Bounds(_) => -1.0,
    };
    let mut draw = |side: Vec2| {
        let surface = collider.center + side * half * outwards;
        let along = side.perp() * half;
        pen.line(surface - along, surface + along, color);
        let tip = surface + side * pen.pixels(14.0);
        pen.arrow(surface, tip, 6.0, color);
    };
    let is_circle =
        matches!(collider.outline, Outline::Shape(shape) if shape.half_size() == Vec2::ZERO);
    if is_circle {
        draw(direction);
    } else {
        let solid = SIDES.into_iter().filter(|&side| faces(direction, side));
        solid.for_each(draw);
    }
}
