//! Bodies and their colliders: which gives way, where they are, the boxes around them, the walls of rooms.

use bevy::math::{Vec2, Vec2Swizzles, Vec4};

use super::rounding::rounding_along;
use crate::{
    broad_phase::Extent,
    kernel::{Outline, Shape, room_for},
};

/// Which body gives way: the one with the lower rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    Dynamic,
    Kinematic,
    Static,
}

impl Rank {
    /// How many there are.
    pub(crate) const COUNT: usize = Self::Static as usize + 1;
}

/// The state of a body, which is all that moves as one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyState {
    /// Position of the body's own origin, in world space.
    pub(crate) position: Vec2,
    pub(crate) inverse_mass: f32,
    pub(crate) rank: Rank,
}

/// A collider on its body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placed {
    pub(crate) outline: Outline,
    /// Center minus the position of the body.
    pub(crate) offset: Vec2,
    /// Slot of its body.
    pub(crate) body: u32,
}

impl Placed {
    /// A body without a collider of its own: a point at its position.
    pub(crate) const fn bare_body(slot: u32) -> Self {
        Self {
            outline: Outline::Shape(Shape::POINT),
            offset: Vec2::ZERO,
            body: slot,
        }
    }

    #[inline]
    pub(crate) fn center(&self, body_states: &[BodyState]) -> Vec2 {
        body_states[self.body as usize].position + self.offset
    }

    /// Returns the box around the collider, extended by `reach`. Empty for a room, which is not a box with an inside.
    #[inline]
    pub(crate) fn extent(&self, body_states: &[BodyState], reach: f32) -> Extent {
        match self.outline {
            Outline::Shape(shape) => extent_at(shape, self.center(body_states), reach),
            Outline::Bounds(_) => Extent::EMPTY,
        }
    }
}

/// Returns the box around a shape, extended by `reach` and rounded outwards.
///
/// Rounded, so that a pair that touches by the kernel, which rounds the difference of the centers, is never lost by its boxes, which
/// round each edge.
#[inline(always)]
pub(crate) fn extent_at(shape: Shape, center: Vec2, reach: f32) -> Extent {
    let [left, low, right, high] = edges_at(shape, center, reach).to_array();
    Extent {
        min: [left, low],
        max: [right, high],
    }
}

/// Returns [`extent_at`] as left, low, right and high edge.
#[inline(always)]
pub(crate) fn edges_at(shape: Shape, center: Vec2, reach: f32) -> Vec4 {
    let half = shape.half_extents() + reach;
    let (half, center) = (half.xyxy(), center.xyxy());
    let half = half + (center.abs() + half) * (2.0 * f32::EPSILON);
    center + half * Vec4::new(-1.0, -1.0, 1.0, 1.0)
}

/// The directions from the walls of a room to its inside.
pub(crate) const SIDES: [Vec2; 4] = [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y];

/// Returns the distance of a collider from the wall of a room that faces one of the [`SIDES`], negative beyond the wall, and the rounding error there. `None` if `room` is not a room, or `who` is one.
pub(crate) fn gap_to_wall_of_room(
    (room, who): (&Placed, &Placed),
    body_states: &[BodyState],
    side: Vec2,
) -> Option<(f32, f32)> {
    let (Outline::Bounds(half_size), Outline::Shape(shape)) = (room.outline, who.outline) else {
        return None;
    };
    let [room, who] = [room, who].map(|placed| placed.center(body_states));
    let gap = (who - room).dot(side) + room_for(half_size, shape).dot(side.abs());
    Some((gap, rounding_along(room, who, side)))
}

/// Returns the entries of a body in a list of bodies, each with one of its colliders, that is sorted by body.
pub(crate) fn parts_of(parts: &[(u32, u32)], body: u32) -> &[(u32, u32)] {
    let start = parts.partition_point(|part| part.0 < body);
    let end = parts.partition_point(|part| part.0 <= body);
    &parts[start..end]
}
