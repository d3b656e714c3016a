//! Orders that depend on no slot: of places, of outlines, of floats.

use std::cmp::Ordering;

use bevy::math::Vec2;

use crate::kernel::Outline;

/// Returns an integer that sorts like the float.
#[inline]
pub(crate) fn in_order(float: f32) -> u32 {
    let bits = float.to_bits();
    let is_negative = bits >> 31;
    bits ^ (is_negative.wrapping_neg() | 1 << 31)
}

/// An order of places that does not depend on what is there: by x, then y.
#[inline(always)]
pub(crate) fn compare_places(a: Vec2, b: Vec2) -> Ordering {
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
}

/// A total order of outlines, in which only identical ones are equal.
#[cold]
pub(crate) fn compare_outlines(a: Outline, b: Outline) -> Ordering {
    let numbers = |outline: Outline| match outline {
        Outline::Shape(shape) => [
            0.0,
            shape.radius(),
            shape.half_size().x,
            shape.half_size().y,
        ],
        Outline::Bounds(room) => [1.0, 0.0, room.x, room.y],
    };
    let pairs = numbers(a).into_iter().zip(numbers(b));
    pairs.fold(Ordering::Equal, |order, (a, b)| order.then(a.total_cmp(&b)))
}
