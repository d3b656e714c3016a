//! Draws contacts and paths.

use bevy::math::Vec2;

use super::{layers::CollisionColors, pen::Pen};
use crate::{messages::Collision, snapshot::PathLeg};

/// The least length of a contact's arrow, in pixels.
const NORMAL: f32 = 18.0;

/// Draws a contact: a small cross halfway between the surfaces, the normal as an arrow from there, and a line across the overlap, as long as it is deep.
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

/// Draws a small square where something was hit on the way.
pub(super) fn draw_hit(pen: &mut Pen, at: Vec2, colors: &CollisionColors) {
    let half = Vec2::splat(pen.pixels(5.0));
    pen.rectangle(at, half, colors.path);
}
