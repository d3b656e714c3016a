//! Two shapes at rest: do they meet, how far apart, which way out. The rule for ties lives here.
//!
//! Everything starts from one vector. Seen from `a`, put the sum of both shapes around its center; then `b` is a point:
//!
//! ```text
//!          ________________           q = |offset| - (half_size_a + half_size_b)
//!        /                  \
//!       |    ____________    |        q.x > 0 and q.y > 0   beyond a corner: the gap is |q| - radius
//!       |   |            |   |        one of them > 0       beyond a face:   the gap is that one - radius
//!       |   |     a      |   |   . b  none > 0              inside:          the larger one is the shorter way out
//!       |   |____________|   |
//!       |      q = 0 here    |        The last two are one case: the larger of q.x and q.y, on its own axis.
//!        \__________________/
//! ```
//!
//! The distance to a box in this form is Inigo Quilez' ("2D distance functions"); that it serves a *pair* of rounded boxes is
//! the Minkowski sum.

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    math::Vec2,
    reflect::{Reflect, std_traits::ReflectDefault},
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

use super::shape::Shape;

/// How two shapes meet, seen from `a`; returned by [`contact`]. [`flipped`](Self::flipped) has an example.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct Contact {
    /// Unit vector from `a` to `b`: moving `b` by `normal * depth` is the shortest way to free it.
    pub normal: Vec2,
    /// How far they overlap along the normal, in world units, `>= 0`; 0 where they only touch.
    pub depth: f32,
    /// Halfway between the two surfaces that meet, relative to the center of `a`.
    ///
    /// Where two faces meet, the middle of the stretch that they share.
    pub point: Vec2,
}

impl Contact {
    /// Returns the same contact seen from `b`, whose center is at `offset` from the center of `a`.
    ///
    /// ```
    /// # use bevy_nudge::kernel::{Contact, Shape, contact}; use bevy::math::Vec2;
    /// let (small, large, offset) = (Shape::circle(3.0)?, Shape::circle(7.0)?, Vec2::new(8.0, 0.0));
    /// let hit: Contact = contact(small, large, offset).expect("8 is less than 3 + 7");
    /// assert_eq!((hit.normal, hit.depth, hit.point), (Vec2::X, 2.0, Vec2::new(2.0, 0.0)));
    /// let seen = hit.flipped(offset);
    /// assert_eq!((seen.normal, seen.depth, seen.point), (Vec2::NEG_X, 2.0, Vec2::new(-6.0, 0.0)));
    /// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
    /// ```
    #[must_use]
    pub fn flipped(self, offset: Vec2) -> Self {
        Self {
            // Adding 0 turns -0.0 into 0.0.
            normal: -self.normal + Vec2::ZERO,
            depth: self.depth,
            point: self.point - offset,
        }
    }
}

/// Whether two shapes whose edges just meet count as colliding. [`meets`](Self::meets) has an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
pub enum Touching {
    /// Edges count: [`touches`], a gap of 0 collides. So do Bevy's bounding volumes.
    #[default]
    Counts,
    /// Only a real overlap counts: [`overlaps`], a gap of 0 does not collide.
    Ignored,
}

impl Touching {
    /// Calls [`touches`] or [`overlaps`].
    ///
    /// ```
    /// # use bevy_nudge::kernel::{Shape, Touching}; use bevy::math::Vec2;
    /// let (dot, beside) = (Shape::circle(5.0)?, Vec2::new(10.0, 0.0));
    /// assert!(Touching::Counts.meets(dot, dot, beside));
    /// assert!(!Touching::Ignored.meets(dot, dot, beside));
    /// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
    /// ```
    #[inline]
    pub fn meets(self, a: Shape, b: Shape, offset: Vec2) -> bool {
        match self {
            Self::Counts => touches(a, b, offset),
            Self::Ignored => overlaps(a, b, offset),
        }
    }
}

/// Whether two shapes meet, edges included.
///
/// `offset` is the center of `b` minus the center of `a`; it must be finite (asserted in debug builds). Compares squared
/// lengths, no square root, so that next to the border it can differ from the sign of [`separation`] by the last bit.
///
/// ```
/// # use bevy_nudge::kernel::{Shape, touches}; use bevy::math::Vec2;
/// let (small, large) = (Shape::circle(3.0)?, Shape::circle(4.0)?);
/// assert!(touches(small, large, Vec2::new(7.0, 0.0)));
/// assert!(!touches(small, large, Vec2::new(7.1, 0.0)));
/// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
/// ```
#[inline]
pub fn touches(a: Shape, b: Shape, offset: Vec2) -> bool {
    let sum = a.sum(b);
    beyond(sum, offset).max(Vec2::ZERO).length_squared() <= sum.radius() * sum.radius()
}

/// Whether two shapes share more than their edges.
///
/// `offset` is the center of `b` minus the center of `a`; it must be finite (asserted in debug builds). No square root. A point
/// or a segment has no inside, but it overlaps anything else that it is inside of; two points never overlap.
///
/// ```
/// # use bevy_nudge::kernel::{Shape, overlaps}; use bevy::math::Vec2;
/// let (small, large) = (Shape::circle(3.0)?, Shape::circle(4.0)?);
/// assert!(overlaps(small, large, Vec2::new(6.0, 0.0)));
/// assert!(!overlaps(small, large, Vec2::new(7.0, 0.0)));
/// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
/// ```
#[inline]
pub fn overlaps(a: Shape, b: Shape, offset: Vec2) -> bool {
    let sum = a.sum(b);
    let q = beyond(sum, offset);
    // Sharp corners have radius 0, and nothing is less than 0 squared: for them the sign of q decides.
    q.max_element() < 0.0 || q.max(Vec2::ZERO).length_squared() < sum.radius() * sum.radius()
}

/// Returns the gap between the surfaces of two shapes in world units: negative where they overlap, 0 where they touch.
///
/// `offset` is the center of `b` minus the center of `a`; it must be finite (asserted in debug builds). Exact for every mix
/// of points, circles, boxes and rounded boxes. At most one square root; to know only whether they meet, [`overlaps`] needs
/// none.
///
/// ```
/// # use bevy_nudge::kernel::{Shape, separation}; use bevy::math::Vec2;
/// let dot = Shape::circle(10.0)?;
/// assert_eq!(separation(dot, dot, Vec2::new(19.0, 0.0)), -1.0);
/// assert_eq!(separation(dot, Shape::POINT, Vec2::new(30.0, 40.0)), 40.0);
/// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
/// ```
#[inline]
pub fn separation(a: Shape, b: Shape, offset: Vec2) -> f32 {
    let sum = a.sum(b);
    let q = beyond(sum, offset);
    let gap = if is_corner(q) {
        length(q)
    } else {
        q.max_element()
    };
    gap - sum.radius()
}

/// Returns the gap between two shapes, 0 where they touch or overlap. Never negative: see [`separation`] for how deep.
///
/// `offset` is the center of `b` minus the center of `a`; it must be finite (asserted in debug builds).
///
/// ```
/// # use bevy_nudge::kernel::{Shape, distance}; use bevy::math::Vec2;
/// let tile = Shape::rectangle(Vec2::splat(8.0))?;
/// assert_eq!(distance(tile, tile, Vec2::new(20.0, 5.0)), 4.0);
/// assert_eq!(distance(tile, tile, Vec2::new(5.0, 5.0)), 0.0);
/// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
/// ```
#[inline]
pub fn distance(a: Shape, b: Shape, offset: Vec2) -> f32 {
    separation(a, b, offset).max(0.0)
}

/// Returns how two shapes meet, or `None` where they do not touch.
///
/// `offset` is the center of `b` minus the center of `a`; it must be finite (asserted in debug builds). Swapping the shapes and
/// negating the offset mirrors the normal, bit for bit.
///
/// **Ties.** Where two directions are equally short the x axis wins. Where the centers agree on that axis, the sign of the other axis
/// decides; where they agree on both, the smaller shape (by the half width, then the half height of its [inner box](Shape::half_size), then its radius: a circle is smaller than any box) is seen as lying on the
/// left; and two equal shapes in one place can't be told apart, so there the normal is `+x` from whichever is given as `a`.
///
/// ```
/// # use bevy_nudge::kernel::{Shape, contact}; use bevy::math::Vec2;
/// let (tile, dot) = (Shape::rectangle(Vec2::splat(5.0))?, Shape::circle(2.0)?);
/// let hit = contact(tile, dot, Vec2::new(4.0, 0.0)).expect("the dot's centre is inside the tile");
/// assert_eq!((hit.normal, hit.depth, hit.point), (Vec2::X, 3.0, Vec2::new(3.5, 0.0)));
/// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
/// ```
#[inline]
pub fn contact(a: Shape, b: Shape, offset: Vec2) -> Option<Contact> {
    touches(a, b, offset).then(|| nearest(a, b, offset).0)
}

/// Like [`contact`], but also for shapes that are apart by at most `margin` world units; depth is 0 for those.
///
/// A negative or NaN margin finds only what overlaps by more than that, or nothing.
///
/// ```
/// # use bevy_nudge::kernel::{Shape, contact_within}; use bevy::math::Vec2;
/// let dot = Shape::circle(10.0)?;
/// let near = contact_within(dot, dot, Vec2::new(0.0, 20.005), 0.01).expect("0.005 apart");
/// assert_eq!((near.normal, near.depth), (Vec2::Y, 0.0));
/// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
/// ```
// Always inlined, so that callers that need only a part of the result do not pay for the rest.
#[inline(always)]
pub fn contact_within(a: Shape, b: Shape, offset: Vec2, margin: f32) -> Option<Contact> {
    let sum = a.sum(b);
    // Most shapes that are checked are farther apart on one axis alone.
    if beyond(sum, offset).max_element() > sum.radius() + margin {
        return None;
    }
    let (contact, separation) = nearest(a, b, offset);
    (separation <= margin).then_some(contact)
}

/// Returns how two shapes meet, or how they would meet, if the gap between them is at most `margin`, which may be 0; and whether they do meet.
#[inline(always)]
pub(crate) fn contact_or_rest(
    a: Shape,
    b: Shape,
    offset: Vec2,
    touching: Touching,
    margin: f32,
) -> Option<(Contact, bool)> {
    let meets = touching.meets(a, b, offset);
    if !meets {
        let sum = a.sum(b);
        if margin <= 0.0 || beyond(sum, offset).max_element() > sum.radius() + margin {
            return None;
        }
    }
    let (contact, separation) = nearest(a, b, offset);
    (meets || separation <= margin).then_some((contact, meets))
}

/// Returns the point of the shape that is nearest to `point`; both are relative to the shape's center. A point inside is its own nearest.
///
/// ```
/// # use bevy_nudge::kernel::{Shape, closest_point}; use bevy::math::Vec2;
/// let tile = Shape::rectangle(Vec2::splat(5.0))?;
/// assert_eq!(closest_point(tile, Vec2::new(8.0, 2.0)), Vec2::new(5.0, 2.0));
/// assert_eq!(closest_point(Shape::circle(5.0)?, Vec2::new(6.0, 8.0)), Vec2::new(3.0, 4.0));
/// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
/// ```
#[inline]
pub fn closest_point(shape: Shape, point: Vec2) -> Vec2 {
    let core = shape.core_point(point);
    let out = point - core;
    let far = length(out);
    if far <= shape.radius() {
        point
    } else {
        core + out * (shape.radius() / far)
    }
}

/// Whether `point`, relative to the shape's center, is in the shape or on its edge.
///
/// ```
/// # use bevy_nudge::kernel::{Shape, contains_point}; use bevy::math::Vec2;
/// let dot = Shape::circle(5.0)?;
/// assert!(contains_point(dot, Vec2::new(3.0, 4.0)));
/// assert!(!contains_point(dot, Vec2::new(3.1, 4.0)));
/// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
/// ```
#[inline]
pub fn contains_point(shape: Shape, point: Vec2) -> bool {
    touches(shape, Shape::POINT, point)
}

/// Returns the distance of a point from the surface of a shape, negative inside, and the direction of the shortest way out of it, or away from it, by the rules of [`contact`].
#[inline(always)]
pub(crate) fn gap_to_point(shape: Shape, offset: Vec2) -> (f32, Vec2) {
    let (contact, separation) = nearest(shape, Shape::POINT, offset);
    (separation, contact.normal)
}

/// Returns the contact of a pair, as if it touched, and its separation.
///
/// Which case applies is unpredictable, and a misprediction takes more time than all of this: so all cases are computed, and one is picked.
#[inline(always)]
pub(super) fn nearest(a: Shape, b: Shape, offset: Vec2) -> (Contact, f32) {
    let sum = a.sum(b);
    let q = beyond(sum, offset);
    let side = sides(a, b, offset);
    let is_corner = is_corner(q);
    let is_x = !is_corner & (q.x >= q.y);
    let is_y = !is_corner & !is_x;

    // Where the inner boxes share a stretch of an axis, the middle of that stretch; where they don't, the middle of the gap.
    let low = (-a.half_size()).max(offset - b.half_size());
    let high = a.half_size().min(offset + b.half_size());
    let middle = (low + high) * 0.5;
    // One box may contain the other, whose center is then not between the two faces that meet.
    let faces = (offset + side * (a.half_size() - b.half_size())) * 0.5;
    let middle = Vec2::new(pick(is_x, faces.x, middle.x), pick(is_y, faces.y, middle.y));

    let (length, direction) = length_and_direction(q);
    let gap = pick(is_corner, length, pick(is_x, q.x, q.y));
    let corner = side * direction;
    let normal = Vec2::new(
        pick(is_corner, corner.x, pick(is_x, side.x, 0.0)),
        pick(is_corner, corner.y, pick(is_y, side.y, 0.0)),
    );
    let separation = gap - sum.radius();
    let contact = Contact {
        normal,
        depth: if separation < 0.0 { -separation } else { 0.0 },
        point: middle + normal * ((a.radius() - b.radius()) * 0.5),
    };
    (contact, separation)
}

/// Returns the first number if the condition holds, else the second, without a branch.
#[inline(always)]
pub(crate) fn pick(condition: bool, first: f32, second: f32) -> f32 {
    let mask = u32::from(condition).wrapping_neg();
    f32::from_bits((first.to_bits() & mask) | (second.to_bits() & !mask))
}

/// Returns how far the offset reaches beyond the inner box of the sum, per axis; negative inside.
#[inline]
fn beyond(sum: Shape, offset: Vec2) -> Vec2 {
    debug_assert!(offset.is_finite(), "offset must be finite, got {offset}");
    offset.abs() - sum.half_size()
}

#[inline]
fn is_corner(q: Vec2) -> bool {
    q.x > 0.0 && q.y > 0.0
}

/// Returns on which side of `a` the shape `b` is, per axis: +1 or -1, never 0. Mirrored when the two are swapped; see [`contact`] for ties.
#[inline]
fn sides(a: Shape, b: Shape, offset: Vec2) -> Vec2 {
    let sign = |value: f32| 1.0_f32.copysign(value);
    let axis = |own: f32, other: f32| {
        if own != 0.0 {
            sign(own)
        } else if other != 0.0 {
            sign(other)
        } else {
            sign_of_size(a, b)
        }
    };
    Vec2::new(axis(offset.x, offset.y), axis(offset.y, offset.x))
}

#[inline]
fn sign_of_size(a: Shape, b: Shape) -> f32 {
    let size = |shape: Shape| (shape.half_size().x, shape.half_size().y, shape.radius());
    if size(a) > size(b) { -1.0 } else { 1.0 }
}

/// Returns the length of a vector, also where its square would underflow.
#[inline]
pub(super) fn length(v: Vec2) -> f32 {
    length_and_direction(v).0
}

/// Vectors whose parts are all no longer than this lose bits when they are squared.
pub(super) const TINY: f32 = 1.0e-18;

/// Returns the length and unit direction of a vector, also where its square would underflow; zeros for a zero vector.
///
/// A plain square root is the common case, and exact for right triangles with whole sides; below [`TINY`] squares lose bits and then
/// underflow, so there the vector is measured in units of its longer part.
#[inline]
pub(super) fn length_and_direction(v: Vec2) -> (f32, Vec2) {
    let longest = v.abs().max_element();
    if longest > TINY {
        let length = v.length();
        (length, v / length)
    } else if longest > 0.0 {
        let in_units = v / longest;
        let length = in_units.length();
        (longest * length, in_units / length)
    } else {
        (0.0, Vec2::ZERO)
    }
}
