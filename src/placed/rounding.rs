//! How exactly places are known, and what counts as nothing.

use bevy::math::Vec2;

use crate::kernel::{Impact, Shape};

/// Boxes whose sides are level by no more than this, in world units, or by rounding, touch with their corners; and a surface may stick out of another by so much and still be flush. So much of a corner is not in the way of what moves, either.
pub(crate) const CORNER: f32 = 0.005;
/// A collider that overlaps another one by more than this, in world units, is in it, and does not stand on it; by less, it is as good as free, which is what the push-out promises.
pub(crate) const STANDING_DEPTH: f32 = 2.0 * CORNER;
/// A collider that is placed exactly on another one may be apart from it by rounding: up to this gap, in world units, it may rest on it or lean on it.
pub(crate) const FLUSH: f32 = 1.0e-3;

/// Whether two sharp shapes, with these centers, touch with their corners: hardly any of their sides is level, on either axis.
pub(crate) fn is_by_a_corner([a, b]: [Shape; 2], [one, other]: [Vec2; 2]) -> bool {
    let sum = a.sum(b);
    let level = sum.half_extents() - (other - one).abs();
    let rounding = rounding_on_axes(one, other);
    sum.radius() == 0.0 && level.abs().cmple(rounding.max(Vec2::splat(CORNER))).all()
}

/// The factor of [`rounding`], for the largest coordinate.
pub(crate) const POSITION_ROUNDING: f32 = 4.0 * f32::EPSILON;

/// Returns a few times the distance of neighboring `f32` numbers at the places of these two: a smaller overlap can't be pushed apart.
#[inline]
pub(crate) fn rounding(one: Vec2, other: Vec2) -> f32 {
    rounding_on_axes(one, other).max_element()
}

/// The same along a normal: far out on one axis, positions on the other axis are as exact as anywhere.
#[inline]
pub(crate) fn rounding_along(one: Vec2, other: Vec2, normal: Vec2) -> f32 {
    rounding_on_axes(one, other).dot(normal.abs())
}

/// The same along each axis.
#[inline]
pub(crate) fn rounding_on_axes(one: Vec2, other: Vec2) -> Vec2 {
    one.abs().max(other.abs()) * POSITION_ROUNDING
}

/// Returns what `find` finds of two with these centers if the gap along their normal is at most `reach`, or the rounding error there: side by side at 3.2 and 16.2, two colliders that are 13 apart touch, although the difference is one bit more. `find` gets the largest gap that counts, and `contact` returns the normal and the depth of what was found.
#[inline(always)]
pub(crate) fn within_reach<T>(
    reach: f32,
    [one, other]: [Vec2; 2],
    find: impl Fn(f32) -> Option<T>,
    contact: impl Fn(&T) -> (Vec2, f32),
) -> Option<T> {
    let widest = reach.max(rounding(one, other));
    let found = find(widest)?;
    let (normal, depth) = contact(&found);
    // Far out on one axis, positions on the other axis are as exact as anywhere.
    let here = reach.max(rounding_along(one, other, normal));
    if here < widest && depth == 0.0 {
        find(here)?;
    }
    Some(found)
}

/// A corner may be in the way by no more than this part of half of the thickness of either shape that has one: one that flies at the seam of two others is in the way of one by at least half of its thickness, and has to be stopped.
const THICKNESS_PART: f32 = 0.5;

/// Returns the normal of the side on which a motion meets a shape, and how much of both sides is level there, 0 for a round corner. `None` if only a corner is in the way, by so little that it counts as nothing, and the motion leads along it; one that leads into it meets its other side. So flush tiles are one surface, though their tops differ by rounding errors.
///
/// `hit` is what the kernel says of the two, `at` the place of the moving shape then, from the center of the other one, and `nothing` how far a corner may be in the way, measured along an axis.
#[inline(always)]
pub(crate) fn side_met(
    shapes: [Shape; 2],
    hit: &Impact,
    (at, motion): (Vec2, Vec2),
    nothing: impl Fn(Vec2) -> f32,
) -> Option<(Vec2, f32)> {
    let [own, other] = shapes;
    let sum = own.sum(other);
    let nothing = |axis: Vec2| {
        let [a, b] = shapes.map(|shape| shape.half_extents().dot(axis.abs()));
        // A shape without thickness may touch two flush ones as it may touch one.
        let thickness = if a.min(b) > 0.0 { a.min(b) } else { a.max(b) };
        nothing(axis).min(thickness * THICKNESS_PART)
    };
    if hit.normal.x != 0.0 && hit.normal.y != 0.0 {
        // Measure how far the whole shape is in the way, and not only this corner: a way that hardly enters the round corner may lead through all of the rest.
        let aside = motion.normalize_or_zero().perp();
        let in_the_way = sum.half_size().dot(aside.abs()) + sum.radius() - at.dot(aside).abs();
        return (in_the_way >= nothing(aside)).then_some((hit.normal, 0.0));
    }
    // The axis along the surface.
    let along = if hit.normal.x != 0.0 {
        Vec2::Y
    } else {
        Vec2::X
    };
    let level = (sum.half_extents() - at.abs()).max(Vec2::ZERO).dot(along);
    if level >= nothing(along) {
        return Some((hit.normal, level));
    }
    // It is in a corner by nothing on both axes, and moves along it or out.
    if hit.started_inside && motion.dot(hit.normal) >= 0.0 {
        return None;
    }
    Some((along * at.dot(along).signum(), level))
}

/// Returns a coordinate on one side of an anchor (1 or -1) that is at least `reach` away from it, as floats compute the distance.
#[inline]
pub(crate) fn beyond(anchor: f32, side: f32, reach: f32) -> f32 {
    let place = anchor + side * reach;
    // The sum may be rounded towards the anchor.
    if (place - anchor).abs() >= reach {
        place
    } else if side > 0.0 {
        place.next_up()
    } else {
        place.next_down()
    }
}

/// The same for a coordinate that is at most `reach` away.
#[inline]
pub(crate) fn within(anchor: f32, side: f32, reach: f32) -> f32 {
    let place = anchor + side * reach;
    if (place - anchor).abs() <= reach {
        place
    } else if side > 0.0 {
        place.next_down()
    } else {
        place.next_up()
    }
}

/// Returns the position of a body whose collider, at `offset` from it, has its center at `center`, or as little farther towards `side` as floats allow: the sum of position and offset may be rounded to the wrong side.
#[inline]
pub(crate) fn position_for(center: f32, offset: f32, side: f32) -> f32 {
    let mut position = center - offset;
    while side > 0.0 && position + offset < center {
        position = position.next_up();
    }
    while side < 0.0 && position + offset > center {
        position = position.next_down();
    }
    position
}
