//! A ray, or a moving shape, against a shape: where along the way, and on which side.
//!
//! A moving shape against a shape is a moving *point* against the sum of both, so there is one routine. The sum is a box with
//! rounded corners:
//!
//! ```text
//! 1. slabs:  when does the point enter and leave the outer box (half size + radius)?   no overlap of times: a miss
//! 2. where it enters, is it level with a face?    that is the hit, its normal the face's
//! 3. else it is in a corner's square: meet the corner's circle. A path that misses the circle leaves the outer box again,
//!    for the borders between that square and its neighbours lie wholly inside the circle.
//! ```

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{math::Vec2, reflect::Reflect};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

use super::{
    pair::{contact, length_and_direction, overlaps},
    shape::Shape,
};

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
    /// How much of the motion lies before the impact, `0.0..=1.0`.
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
/// `origin` is relative to the shape's centre; the ray ends at `origin + motion`. Both must be finite (asserted in debug builds).
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
    if overlaps(shape, Shape::POINT, origin) {
        return contact(shape, Shape::POINT, origin).map(|start| Impact {
            fraction: 0.0,
            normal: start.normal,
            started_inside: true,
        });
    }

    let (entry, face) = enter_box(shape.half_extents(), origin, motion)?;
    let at_box = origin + motion * entry;
    let corner = at_box.clamp(-shape.half_size(), shape.half_size());
    let in_corner = at_box.abs().cmpgt(shape.half_size()).all() && shape.radius() > 0.0;
    let (fraction, normal) = if in_corner {
        let from_corner = at_box - corner;
        let rest = enter_circle(shape.radius(), from_corner, motion)?;
        (
            entry + rest,
            (from_corner + motion * rest).normalize_or(face),
        )
    } else {
        (entry, face)
    };
    (fraction <= 1.0).then_some(Impact {
        fraction,
        normal,
        started_inside: false,
    })
}

/// Where `moving`, going by `motion`, meets `target`, which stands still; `None` where it does not.
///
/// `offset` is the centre of `target` minus the centre of `moving` at the start. Where both move, pass the difference of their motions.
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

/// When a point enters a box around the origin, as a fraction `>= 0` of its motion, and the normal of the side.
fn enter_box(half: Vec2, origin: Vec2, motion: Vec2) -> Option<(f32, Vec2)> {
    // A box without an inside cannot be entered: there meeting it is enough.
    let is_thin = half.min_element() == 0.0;
    let is_before = |one: f32, other: f32| one < other || (is_thin && one == other);
    let (enter_x, leave_x) = enter_slab(half.x, origin.x, motion.x, is_thin)?;
    let (enter_y, leave_y) = enter_slab(half.y, origin.y, motion.y, is_thin)?;
    // Only across the axes: along its own a fast point leaves a thin slab at the same fraction, as far as a float can tell.
    if !(is_before(enter_x, leave_y) && is_before(enter_y, leave_x)) {
        return None;
    }
    let (entry, normal) = if enter_x >= enter_y {
        (enter_x, Vec2::new(-motion.x.signum(), 0.0))
    } else {
        (enter_y, Vec2::new(0.0, -motion.y.signum()))
    };
    // Standing still has no entry at all; -infinity is sent away here.
    let is_ahead = leave_x.min(leave_y) > 0.0 && entry <= 1.0 && entry.is_finite();
    is_ahead.then_some((entry.max(0.0), normal))
}

/// When a point enters and leaves what lies between `-half` and `half` on one axis: all the time, or never, if it does not move along it.
fn enter_slab(half: f32, origin: f32, motion: f32, is_thin: bool) -> Option<(f32, f32)> {
    if motion == 0.0 {
        let is_between = origin.abs() < half || (is_thin && origin.abs() == half);
        return is_between.then_some((f32::NEG_INFINITY, f32::INFINITY));
    }
    let side = half.copysign(motion);
    Some(((-side - origin) / motion, (side - origin) / motion))
}

/// When a point enters a circle around the origin, as a fraction `>= 0` of its motion.
///
/// By the point of closest approach rather than by the quadratic formula, whose discriminant loses its bits to cancellation.
fn enter_circle(radius: f32, from_center: Vec2, motion: Vec2) -> Option<f32> {
    // In units of the motion's length, so that neither a tiny nor a huge motion vanishes or overflows when squared.
    let (far, direction) = length_and_direction(motion);
    let closest = -from_center.dot(direction);
    let miss = (from_center + direction * closest).length_squared();
    let chord = radius * radius - miss;
    (closest > 0.0 && chord > 0.0).then(|| ((closest - chord.sqrt()) / far).max(0.0))
}
