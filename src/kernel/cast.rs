//! A ray, or a moving shape, against a shape: where along the way, and on which side.
//!
//! A moving shape against a shape is a moving *point* against the sum of both, so there is one routine. The sum is a box with
//! rounded corners:
//!
//! ```text
//! 1. slabs:  when does the point enter and leave the outer box (half size + radius)?   no overlap of times: a miss
//! 2. where it enters, is it level with a face?    that is the hit, with the normal of the face
//! 3. else it is in a corner's square: meet the corner's circle. A path that misses the circle leaves the outer box again,
//!    for the borders between that square and its neighbors lie wholly inside the circle: one that comes from the corner and
//!    leads inwards on both axes crosses such a border. If by a rounding error it misses the circle all the same, that
//!    crossing is the hit.
//! ```

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    math::{BVec4A, Vec2, Vec2Swizzles, Vec4, Vec4Swizzles},
    reflect::Reflect,
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

use super::{
    pair::{length_and_direction, nearest, overlaps},
    shape::Shape,
};

/// Beyond everything that can be met. Longer vectors may not be squared.
const FARTHEST: f32 = 1.0e19;

/// Where a ray or a moving shape meets a shape.
///
/// ```
/// # use bevy_nudge::kernel::{Impact, Shape, cast_ray}; use bevy::math::Vec2;
/// let dot = Shape::circle(5.0)?;
/// let ray = |from: f32| cast_ray(dot, Vec2::new(from, 0.0), Vec2::new(20.0, 0.0));
/// assert_eq!(ray(-20.0), Some(Impact { fraction: 0.75, normal: Vec2::NEG_X, started_inside: false }));
/// assert_eq!(ray(2.0), Some(Impact { fraction: 0.0, normal: Vec2::X, started_inside: true })); // out by the right
/// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct Impact {
    /// The fraction of the motion before the impact, `0.0..=1.0`.
    #[doc(alias = "time_of_impact")]
    pub fraction: f32,
    /// Unit normal of the surface that is hit, pointing out of it, back to where the motion came from.
    ///
    /// For a motion that starts inside: the shortest way out.
    pub normal: Vec2,
    /// Whether the motion started inside, overlapping already; the fraction is 0 then.
    pub started_inside: bool,
}

/// Where a ray from `origin` over `motion` enters `shape`, or `None` where it does not.
///
/// `origin` is relative to the shape's center; the ray ends at `origin + motion`. Both must be finite (asserted in debug builds).
/// The ray has to enter: running along an edge or grazing a corner or a circle is a miss, and so is leaving a surface that it touches at the start.
/// A point or a segment has nothing to enter; it is hit by what crosses or meets it.
/// A ray of no length hits only what it starts inside of.
///
/// ```
/// # use bevy_nudge::kernel::{Shape, cast_ray}; use bevy::math::Vec2;
/// let tile = Shape::rectangle(Vec2::ONE)?;
/// let hit = cast_ray(tile, Vec2::new(-3.0, 0.0), Vec2::new(6.0, 0.0)).expect("straight at it");
/// assert_eq!((hit.fraction, hit.normal), (1.0 / 3.0, Vec2::NEG_X));
/// assert_eq!(cast_ray(tile, Vec2::new(-3.0, 1.0), Vec2::new(6.0, 0.0)), None); // along the edge
/// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
/// ```
#[doc(alias = "raycast")]
pub fn cast_ray(shape: Shape, origin: Vec2, motion: Vec2) -> Option<Impact> {
    debug_assert!(
        origin.is_finite() && motion.is_finite(),
        "a ray must be finite, got {origin} and {motion}"
    );
    let longest = motion.abs().max_element();
    if longest > FARTHEST {
        let parts = longest / FARTHEST;
        let impact = cast_ray(shape, origin, motion / parts)?;
        return Some(Impact {
            fraction: impact.fraction / parts,
            ..impact
        });
    }
    enter(shape, origin, motion, || length_and_direction(motion)).map(|entry| entry.impact())
}

/// Returns where `moving`, moving by `motion`, meets `target`, which does not move; `None` where it does not meet it.
///
/// `offset` is the center of `target` minus the center of `moving` at the start. Where both move, pass the difference of their motions.
/// The same rules as for [`cast_ray`]: what starts in touch and moves along or away is not a hit.
///
/// ```
/// # use bevy_nudge::kernel::{Shape, cast_shape}; use bevy::math::Vec2;
/// let (bullet, wall) = (Shape::circle(1.0)?, Shape::rectangle(Vec2::new(0.005, 100.0))?);
/// let hit = cast_shape(bullet, wall, Vec2::new(50.0, 0.0), Vec2::new(16_000.0, 0.0)).expect("no tunnelling");
/// assert_eq!(hit.normal, Vec2::NEG_X);
/// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
/// ```
#[doc(alias = "sweep")]
pub fn cast_shape(moving: Shape, target: Shape, offset: Vec2, motion: Vec2) -> Option<Impact> {
    cast_ray(moving.sum(target), -offset, motion)
}

/// A motion for many casts: what they all need of it is computed once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion {
    way: Vec2,
    length_and_direction: (f32, Vec2),
}

impl Motion {
    #[inline]
    pub(crate) fn new(way: Vec2) -> Self {
        Self {
            way,
            length_and_direction: length_and_direction(way),
        }
    }

    pub(crate) fn way(&self) -> Vec2 {
        self.way
    }

    /// Like [`cast_ray`], without computing the normal.
    #[inline(always)]
    pub(crate) fn enter(&self, shape: Shape, origin: Vec2) -> Option<Entry> {
        enter(shape, origin, self.way, || self.length_and_direction)
    }
}

/// An [`Impact`] whose normal is not computed yet: of several, most are not the first one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) fraction: f32,
    pub(crate) started_inside: bool,
    /// Whether a round corner is met.
    in_corner: bool,
    /// The direction of the normal of a corner, of any length.
    out: Vec2,
    /// The normal if no corner is met, or if the normal of the corner has no meaningful direction.
    face: Vec2,
}

impl Entry {
    /// Later than all others.
    pub(crate) const NEVER: Self = Self {
        fraction: f32::INFINITY,
        started_inside: false,
        in_corner: false,
        out: Vec2::ZERO,
        face: Vec2::ZERO,
    };

    #[inline(always)]
    pub(crate) fn impact(&self) -> Impact {
        let normal = if self.in_corner {
            direction_or(self.out, self.face)
        } else {
            self.face
        };
        Impact {
            fraction: self.fraction,
            normal,
            started_inside: self.started_inside,
        }
    }
}

impl From<Impact> for Entry {
    #[inline]
    fn from(impact: Impact) -> Self {
        Self {
            fraction: impact.fraction,
            started_inside: impact.started_inside,
            face: impact.normal,
            ..Self::NEVER
        }
    }
}

/// Like [`cast_ray`], without computing the normal. Calls `length_and_direction`, of the motion, only where a round corner may be met.
#[inline(always)]
fn enter(
    shape: Shape,
    origin: Vec2,
    motion: Vec2,
    length_and_direction: impl FnOnce() -> (f32, Vec2),
) -> Option<Entry> {
    let (mut origin, mut crossing) = (origin, Crossing::new(shape.half_extents(), origin, motion));
    if !crossing.is_outside() {
        if overlaps(shape, Shape::POINT, origin) {
            return Some(Entry {
                fraction: 0.0,
                started_inside: true,
                face: way_out(shape, origin),
                ..Entry::NEVER
            });
        }
        if let Some(beside) = at_side(shape, origin) {
            origin = beside;
            crossing = Crossing::new(shape.half_extents(), origin, motion);
        }
    }

    let (entry, face) = crossing.entry(motion)?;
    let at_box = origin + motion * entry;
    let in_corner = shape.radius() > 0.0 && at_box.abs().cmpgt(shape.half_size()).all();
    let (fraction, out) = if in_corner {
        let from_corner = at_box - shape.core_point(at_box);
        match enter_circle(shape.radius(), from_corner, length_and_direction()) {
            Some(rest) => (entry + rest, from_corner + motion * rest),
            None if (at_box * motion).cmplt(Vec2::ZERO).all() => {
                return enter_beside_circle(shape, at_box, motion, entry);
            }
            None => return None,
        }
    } else {
        (entry, face)
    };
    (fraction <= 1.0).then_some(Entry {
        fraction,
        started_inside: false,
        in_corner,
        out,
        face,
    })
}

/// Returns where a point that leads inwards on both axes, and misses the circle of the corner in whose square it is, crosses the border to one of the faces: there it is inside.
#[cold]
fn enter_beside_circle(shape: Shape, at_box: Vec2, motion: Vec2, entry: f32) -> Option<Entry> {
    let to_borders = (at_box.abs() - shape.half_size()) / motion.abs();
    let (rest, axis) = if to_borders.x < to_borders.y {
        (to_borders.x, Vec2::Y)
    } else {
        (to_borders.y, Vec2::X)
    };
    let fraction = entry + rest;
    (fraction <= 1.0).then_some(Entry {
        fraction,
        // Adding 0 turns -0.0 into 0.0.
        face: Vec2::ONE.copysign(at_box) * axis + Vec2::ZERO,
        ..Entry::NEVER
    })
}

/// Returns the direction of the shortest way out for a point that is inside.
#[cold]
fn way_out(shape: Shape, origin: Vec2) -> Vec2 {
    nearest(shape, Shape::POINT, origin).0.normal
}

/// Returns the place on the side for a point that only touches a side of a rounded box, although it is within the box around it, because the sum of half size and radius was rounded up. `None` for other points.
#[cold]
fn at_side(shape: Shape, origin: Vec2) -> Option<Vec2> {
    let (place, half) = (origin.abs(), shape.half_extents());
    let is_within = place.cmplt(half).all();
    let is_beyond = place.cmpgt(shape.half_size());
    // Beyond both it is in the square around a corner.
    (is_within && is_beyond.any() && !is_beyond.all())
        .then(|| Vec2::select(is_beyond, half.copysign(origin), origin))
}

/// The times at which a point crosses the sides of a box around the origin, as fractions of its motion.
// In vectors, with conditions as bits: which case applies is unpredictable, and a misprediction takes more time than computing all of them.
struct Crossing {
    /// When the point enters on the x and on the y axis, and when it leaves on each.
    times: Vec4,
    /// A box without an inside cannot be entered: meeting it is enough.
    is_thin: bool,
}

impl Crossing {
    #[inline(always)]
    fn new(half: Vec2, origin: Vec2, motion: Vec2) -> Self {
        let is_thin = half.x == 0.0 || half.y == 0.0;
        // The sides that are met, and those that are left: four divisions in the time of one.
        let side = half.copysign(motion);
        let sides = side.xyxy() * Vec4::new(-1.0, -1.0, 1.0, 1.0);
        let times = (sides - origin.xyxy()) / motion.xyxy();
        let times = if motion.x == 0.0 || motion.y == 0.0 {
            standing(times, (half, is_thin), origin, motion)
        } else {
            times
        };
        Self { times, is_thin }
    }

    /// Whether the point starts beyond a side: then it is not inside.
    #[inline(always)]
    fn is_outside(&self) -> bool {
        self.times.cmpgt(Vec4::ZERO).bitmask() & 0b0011 != 0
    }

    /// Returns when the point enters the box, as a fraction `>= 0`, and the normal of the side.
    #[inline(always)]
    fn entry(&self, motion: Vec2) -> Option<(f32, Vec2)> {
        let times = self.times;
        // The point must enter each axis before it leaves the other, and leave both after the start. Not compared on the same axis, where a fast point leaves a thin slab at the same fraction, as far as a float can tell.
        let (earlier, later) = (times.xy().extend(0.0).extend(0.0), times.wzzw());
        let mut are_in_order = earlier.cmplt(later);
        if self.is_thin {
            let across_axes = BVec4A::new(true, true, false, false);
            are_in_order |= earlier.cmpeq(later) & across_axes;
        }
        let are_in_time = times.xyxy().cmple(Vec4::ONE);
        if !(are_in_order & are_in_time).all() {
            return None;
        }
        let (x, y) = (times.xxxx(), times.yyyy());
        let entry = x.max(y).x;
        let side = Vec2::ONE.copysign(motion);
        let sides = [
            Vec4::new(-side.x, 0.0, 0.0, 0.0),
            Vec4::new(0.0, -side.y, 0.0, 0.0),
        ];
        let normal = Vec4::select(x.cmpge(y), sides[0], sides[1]).xy();
        Some((at_least_zero(entry), normal))
    }
}

/// Sets the times of the axes along which the point does not move: it is between their sides all the time, or never. Exactly at a side, the point may be inside of a rounded box, because sums round: so it does not count as outside.
#[cold]
#[inline(never)]
fn standing(mut times: Vec4, (half, is_thin): (Vec2, bool), origin: Vec2, motion: Vec2) -> Vec4 {
    for axis in (0..2).filter(|axis| motion[*axis] == 0.0) {
        let (half, origin) = (half[axis], origin[axis].abs());
        let is_between = origin < half || (is_thin && origin == half);
        (times[axis], times[axis + 2]) = if is_between {
            (f32::NEG_INFINITY, f32::INFINITY)
        } else if origin == half {
            (0.0, f32::NEG_INFINITY)
        } else {
            (f32::INFINITY, f32::NEG_INFINITY)
        };
    }
    let runs_along = is_thin && times.xy().cmplt(Vec2::ZERO).all();
    if motion == Vec2::ZERO || runs_along {
        // A point that does not move enters nothing, nor does one that has been on a segment before the start.
        times.z = f32::NEG_INFINITY;
    }
    times
}

/// Returns when a point enters a circle around the origin, as a fraction `>= 0` of its motion, whose length and direction are given: neither underflows or overflows when squared.
///
/// Uses the point of closest approach instead of the quadratic formula, whose discriminant loses bits by cancellation.
#[inline]
fn enter_circle(radius: f32, from_center: Vec2, (far, direction): (f32, Vec2)) -> Option<f32> {
    let closest = -from_center.dot(direction);
    let miss = (from_center + direction * closest).length_squared();
    let chord = radius * radius - miss;
    (closest > 0.0 && chord > 0.0).then(|| at_least_zero((closest - chord.sqrt()) / far))
}

/// Returns the number, or 0 if it is less. Never returns -0.0 or NaN.
#[inline(always)]
fn at_least_zero(number: f32) -> f32 {
    if number > 0.0 { number } else { 0.0 }
}

/// Returns the direction of a vector; `other` for a vector without a meaningful direction.
#[inline(always)]
fn direction_or(vector: Vec2, other: Vec2) -> Vec2 {
    let per_unit = vector.length().recip();
    if per_unit > 0.0 && per_unit < f32::INFINITY {
        vector * per_unit
    } else {
        other
    }
}
