//! Contacts and ways.

use bevy::math::Vec2;

use super::{layers::CollisionColors, pen::Pen};
use crate::{messages::Collision, snapshot::PathLeg};

/// A contact that is not deep has an arrow of so many pixels.
const NORMAL: f32 = 18.0;

/// A small cross halfway between the surfaces, and the normal from there; the overlap is the line across, its depth true.
pub(super) fn draw_contact(pen: &mut Pen, contact: &Collision, colors: &CollisionColors) {
    let Collision {
        point,
        normal,
        depth,
        ..
    } = *contact;
    pen.cross(point, 6.0, colors.contact);
    let half = normal * (depth * 0.5);
    pen.line(point - half, point + half, colors.contact);
    let length = (depth * 0.5).max(pen.pixels(NORMAL));
    pen.arrow(point, point + normal * length, 6.0, colors.contact);
}

pub(super) fn draw_leg(pen: &mut Pen, leg: &PathLeg, colors: &CollisionColors) {
    pen.arrow(leg.from, leg.to, 5.0, colors.path);
}

/// A small square where something was hit on the way.
pub(super) fn draw_hit(pen: &mut Pen, at: Vec2, colors: &CollisionColors) {
    let half = Vec2::splat(pen.pixels(5.0));
    pen.rectangle(at, half, colors.path);
}
