//! Where two colliders meet if both go straight on, and what does not count as meeting.
//!
//! Flush tiles must feel like one surface. So a corner that is in the way by less than a hair is not in the way: moving along it is a miss, and
//! moving into it counts as meeting the other side of the corner, which is the surface that the motion comes from.
//!
//! ```text
//!      ____
//!     | -> |____________     The box rests on the left tile; by a rounding error the right one is higher, or the box lower.
//!     |____|____________     It hits the right tile's side, but only by that much: a miss.
//!     ___________|_______
//! ```

use std::cmp::Ordering;

use bevy::math::Vec2;

use super::respond::side_of;
use crate::{
    kernel::{Outline, Shape, cast_ray, contact_with_bounds, room_within, separation, wall_ahead},
    placed::{
        CORNER, Placed, Rank, STANDING_DEPTH, beyond, position_for, rounding_along,
        rounding_on_axes, side_met, within,
    },
};

/// A corner may be in the way by up to this, in world units, without counting; far from the origin by [`slack_on_axes`].
const HAIR: f32 = CORNER;
/// But by no more than this part of a side of both shapes together. [`side_met`] has the rule, and a further limit.
const HAIR_PART: f32 = 0.125;
/// A body that is in something by more than this many hairs is inside of it; by less, it stands on it.
const HAIRS_DEEP: f32 = STANDING_DEPTH / CORNER;
/// A collider that touches another one is at least this far from its center, in world units.
const LEAST_REACH: f32 = 1.0e-6;

/// Hits count as one if the moving body goes no farther than this between them, in world units.
pub(crate) const AT_ONCE: f32 = 0.005;
/// Sides that are level by more than this, in world units, are flat: twice what a corner may stick out, plus the distance between two hits at once.
pub(super) const FLAT: f32 = 2.0 * (HAIR + AT_ONCE);

/// Where a collider meets another one on its way. Unlike the kernel's `Impact`, it knows of seams and corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SweepImpact {
    /// As a fraction of the motion.
    pub(crate) fraction: f32,
    /// Pointing out of what is met.
    pub(crate) normal: Vec2,
    /// How much of both sides is level where they meet; 0 for a corner.
    pub(crate) level: f32,
    /// How far the motion would lead into it, if it did not end there. 0 or less if the collider begins inside and parts from it.
    pub(crate) closing: f32,
    /// Whether it begins inside of what is met, by more than a hair; for round corners, inside of the box around them.
    pub(crate) is_inside: bool,
    /// The same, deeper than one that stands on it may be, and measured at the round corners themselves: a collider that only touches a round corner is in the box around it.
    pub(crate) is_deep: bool,
}

impl SweepImpact {
    /// Returns the impact of the other collider on this one; exact to the bit, unless both are in the same place.
    #[inline(always)]
    pub(super) fn mirrored(self) -> Self {
        Self {
            // Adding 0 turns -0.0 into 0.0.
            normal: -self.normal + Vec2::ZERO,
            ..self
        }
    }

    /// Whether both were in each other, and only part: that stops neither.
    #[inline(always)]
    pub(crate) fn is_parting(&self) -> bool {
        self.closing <= 0.0
    }

    /// Whether two with these motions come together aslant, by no more than their velocities are rounded: a hit would not change these, and happen again and again. At a side, a hit makes them equal to the bit.
    #[inline(always)]
    pub(super) fn is_rounding(&self, motions: [Vec2; 2]) -> bool {
        let longest = motions[0].abs() + motions[1].abs();
        self.closing <= longest.max_element() * f32::EPSILON && side_of(self.normal).is_none()
    }
}

/// Returns the impact of a collider on another one, at these places, by their relative motion; `None` if they don't meet. One that parts has met the other one only if it begins inside of it, by more than a hair; one that parts from a room is [beyond](beyond_room) it.
pub(crate) fn impact(
    own: &Placed,
    other: &Placed,
    places: [Vec2; 2],
    motion: Vec2,
) -> Option<SweepImpact> {
    match (own.outline, other.outline) {
        (Outline::Shape(own), Outline::Shape(other)) => impact_on_shape(own, other, places, motion),
        (Outline::Shape(own), Outline::Bounds(room)) => impact_on_room(own, room, places, motion),
        (Outline::Bounds(_), _) => None,
    }
}

/// Returns the fraction of a way of this length within which hits count as one.
pub(super) fn at_once(length: f32) -> f32 {
    (AT_ONCE / length.max(AT_ONCE)).min(1.0)
}

/// Returns the distance along a direction that counts as nothing for these two places: far from the origin, places are less exact.
pub(crate) fn slack(one: Vec2, other: Vec2, along: Vec2) -> f32 {
    AT_ONCE.max(rounding_along(one, other, along))
}

/// Returns the first of several impacts on a way of this length, or on one as long as the fastest of them closes in; and the fraction of the way at which the body is to stop: where it meets the earliest of those that give no way,
/// if it would be in that one farther on, by more than its place is rounded. What gives way does not count for this, nor does rounding: a heap in which each body stopped short of one for the sake of another would not come to rest.
///
/// Of impacts that are as good as at once, it is the one on what gives way the least; then the one with the most level sides, if one of them is not flat: a floor comes before a corner that sticks out of it by nothing; then the one that is met
/// the fastest; then by `tie`.
pub(crate) fn first_impact<T>(
    impacts: impl Iterator<Item = T> + Clone,
    impact: impl Fn(&T) -> &SweepImpact,
    rank: impl Fn(&T) -> Rank,
    (length, rounding): (f32, f32),
    tie: impl Fn(&T, &T) -> Ordering,
) -> Option<(T, f32)> {
    let none = (f32::INFINITY, length);
    let (earliest, length) = impacts.clone().fold(none, |(earliest, length), one| {
        let one = impact(&one);
        (earliest.min(one.fraction), length.max(one.closing))
    });
    let latest = earliest + at_once(length);
    let all = impacts.clone();
    let first = all
        .filter(|one| impact(one).fraction <= latest)
        .min_by(|a, b| {
            let firmer = rank(b).cmp(&rank(a));
            let level = |one: &T| impact(one).level.min(FLAT);
            let more_level = level(b).total_cmp(&level(a));
            let faster = impact(b).closing.total_cmp(&impact(a).closing);
            firmer.then(more_level).then(faster).then_with(|| tie(a, b))
        })?;
    let firm = impacts.filter(|one| rank(one) != Rank::Dynamic);
    let firm = firm.map(|one| impact(&one).fraction);
    let (fraction, firm) = (impact(&first).fraction, firm.fold(f32::INFINITY, f32::min));
    let would_be_in_it = (fraction - firm) * length > rounding;
    Some((first, if would_be_in_it { firm } else { fraction }))
}

/// The same along each axis.
#[inline(always)]
pub(super) fn slack_on_axes([one, other]: [Vec2; 2]) -> Vec2 {
    rounding_on_axes(one, other).max(Vec2::splat(AT_ONCE))
}

/// Returns how far a corner may be in the way of two shapes whose sum has these half extents, at places with this [slack](slack_on_axes).
#[inline(always)]
pub(super) fn hair(half: Vec2, slack: Vec2) -> Vec2 {
    (half * HAIR_PART).min(slack)
}

/// Returns how deep one of two such shapes may be in the other one, on any side, without counting as inside; the same everywhere, as for what is in a one-way platform.
#[inline(always)]
fn shallow(half: Vec2) -> f32 {
    (half.min_element() * HAIR_PART).min(HAIR)
}

/// Whether two shapes overlap so far that one is inside of the other.
pub(super) fn is_deep(own: Shape, other: Shape, offset: Vec2) -> bool {
    let shallow = shallow(own.sum(other).half_extents());
    separation(own, other, offset) < -shallow * HAIRS_DEEP
}

/// Returns the [`impact`] of two shapes.
pub(crate) fn impact_on_shape(
    own: Shape,
    other: Shape,
    places: [Vec2; 2],
    motion: Vec2,
) -> Option<SweepImpact> {
    if motion == Vec2::ZERO {
        return None;
    }
    let offset = places[1] - places[0];
    let sum = own.sum(other);
    let half = sum.half_extents();
    // Half of the pairs that the broad phase finds are nowhere near each other. Leaves out only those that are apart by more than rounding: the kernel decides on all others.
    let reach = (half + motion.abs()) * (1.0 + 8.0 * f32::EPSILON);
    if offset.abs().cmpgt(reach).any() {
        return None;
    }
    let hit = cast_ray(sum, -offset, motion)?;
    // From the center of the other one.
    let at = motion * hit.fraction - offset;
    let level = (half - at.abs()).max(Vec2::ZERO);
    let (hair, shallow) = (hair(half, slack_on_axes(places)), shallow(half));
    let is_inside = hit.started_inside && level.min_element() > shallow;
    let outside = at.abs() - sum.half_size();
    let deep = shallow * HAIRS_DEEP;
    let is_deep = is_inside
        && level.min_element() > deep
        && (outside.min_element() <= 0.0 || sum.radius() - outside.length() > deep);
    let in_the_way = |axis: Vec2| hair.dot(axis.abs()).min(hair.max_element());
    let (normal, level) = side_met([own, other], &hit, (at, motion), in_the_way)?;
    let closing = -motion.dot(normal);
    (closing > 0.0 || is_inside).then_some(SweepImpact {
        fraction: hit.fraction,
        // Adding 0 turns -0.0 into 0.0.
        normal: normal + Vec2::ZERO,
        level,
        closing,
        is_inside,
        is_deep,
    })
}

/// Returns the impact on a room, which is met from inside. A collider that is outside of it is stopped at once if it goes farther out.
fn impact_on_room(
    own: Shape,
    room: Vec2,
    [place, center]: [Vec2; 2],
    motion: Vec2,
) -> Option<SweepImpact> {
    let wall = wall_ahead(room_within(room, own), place - center, motion)?;
    Some(SweepImpact {
        fraction: wall.fraction.max(0.0),
        normal: wall.normal,
        level: f32::INFINITY,
        closing: motion.dot(wall.normal).abs(),
        is_inside: false,
        is_deep: wall.gap < -HAIR * HAIRS_DEEP,
    })
}

/// Returns the parts of a motion that are to be tried one by one, to find all that it meets of a collider. In a room that is solid on one side only, the wall that is met first may be open, with the other one behind it.
pub(crate) fn axes_to_cast(other: &Placed, is_one_way: bool) -> &'static [Vec2] {
    match other.outline {
        Outline::Bounds(_) if is_one_way => &[Vec2::X, Vec2::Y],
        _ => &[Vec2::ONE],
    }
}

/// Returns an impact, to be reported, if a collider begins outside of a room by more than a hair, and moves in relation to it. What stops the collider, if it goes farther out or comes to another side, is an [`impact`] of its own.
pub(super) fn beyond_room(
    own: &Placed,
    room: &Placed,
    [place, center]: [Vec2; 2],
    motion: Vec2,
) -> Option<SweepImpact> {
    let (Outline::Shape(own), Outline::Bounds(room)) = (own.outline, room.outline) else {
        return None;
    };
    let back = contact_with_bounds(room, own, place - center)?;
    let is_beyond = back.depth > slack(place, center, back.normal);
    (is_beyond && motion != Vec2::ZERO).then_some(SweepImpact {
        fraction: 0.0,
        normal: back.normal,
        level: 0.0,
        closing: 0.0,
        // Only the collider itself looks out for this impact: rooms look out for nothing.
        is_inside: false,
        is_deep: false,
    })
}

/// Returns the center that a collider must have on the axis of `normal` to touch the other one without overlapping it, as `f32` has it.
fn touching_coordinate(own: &Placed, other: &Placed, anchor: Vec2, normal: Vec2) -> Option<f32> {
    let (Outline::Shape(shape), axis) = (own.outline, normal.abs()) else {
        return None;
    };
    let (sign, anchor) = (normal.dot(axis), anchor.dot(axis));
    let (side, reach) = match other.outline {
        Outline::Shape(other) => (sign, shape.sum(other).half_extents().dot(axis)),
        Outline::Bounds(room) => {
            let room = room_within(room, shape);
            return Some(within(anchor, -sign, room.dot(axis)));
        }
    };
    // A point exactly on a line would be on neither side, and through it with the next motion.
    Some(beyond(anchor, side, reach.max(LEAST_REACH)))
}

/// Returns the position next to `from` of the body of a collider in which this touches the other one, whose center is `anchor`, at the side with this normal. `None` if the normal is not along an axis.
pub(crate) fn touching_position(
    own: &Placed,
    other: &Placed,
    anchor: Vec2,
    normal: Vec2,
    from: Vec2,
) -> Option<Vec2> {
    let axis = normal.abs();
    if axis != Vec2::X && axis != Vec2::Y {
        return None;
    }
    let place = touching_coordinate(own, other, anchor, normal)?;
    let there = position_for(place, own.offset.dot(axis), normal.dot(axis));
    Some(Vec2::select(
        axis.cmpgt(Vec2::ZERO),
        Vec2::splat(there),
        from,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(shape: Shape) -> Placed {
        Placed {
            outline: Outline::Shape(shape),
            offset: Vec2::ZERO,
            body: 0,
        }
    }

    #[test]
    fn a_corner_by_a_hair_is_not_in_the_way() {
        let tile = placed(Shape::rectangle(Vec2::splat(8.0)).expect("valid"));
        let dot = placed(Shape::circle(8.0).expect("valid"));
        let hit = |own: &Placed, offset: (f32, f32), motion: (f32, f32)| {
            impact(own, &tile, [Vec2::ZERO, offset.into()], motion.into())
                .map(|hit| (hit.fraction, hit.normal))
        };
        for (case, own, offset, motion, expected) in [
            ("along, flush", &tile, (20.0, -16.0), (8.0, 0.0), None),
            (
                "along, a little too low",
                &tile,
                (20.0, -15.999),
                (8.0, 0.0),
                None,
            ),
            (
                "along, clearly too low",
                &tile,
                (20.0, -15.9),
                (8.0, 0.0),
                Some((0.5, Vec2::NEG_X)),
            ),
            (
                "onto the very corner",
                &tile,
                (20.0, -20.0),
                (8.0, -8.0),
                Some((0.5, Vec2::Y)),
            ),
            (
                "onto the very corner from below",
                &tile,
                (20.0, 20.0),
                (8.0, 8.0),
                Some((0.5, Vec2::NEG_Y)),
            ),
            (
                "straight down beside it",
                &tile,
                (16.0, -20.0),
                (0.0, -8.0),
                None,
            ),
            (
                "straight down onto its edge by a hair",
                &tile,
                (15.999, -20.0),
                (0.0, -8.0),
                None,
            ),
            (
                "straight down onto it",
                &tile,
                (15.9, -20.0),
                (0.0, -8.0),
                Some((0.5, Vec2::Y)),
            ),
            ("a circle along", &dot, (40.0, -16.0), (80.0, 0.0), None),
            (
                "a circle along, a little too low",
                &dot,
                (40.0, -15.999),
                (80.0, 0.0),
                None,
            ),
            (
                "a circle down",
                &dot,
                (0.0, -20.0),
                (0.0, -8.0),
                Some((0.5, Vec2::Y)),
            ),
            (
                "resting, pressed down",
                &tile,
                (3.0, -16.0),
                (0.0, -1.0),
                Some((0.0, Vec2::Y)),
            ),
            ("resting, going up", &tile, (3.0, -16.0), (0.0, 1.0), None),
            (
                "inside by a hair, pressed down",
                &tile,
                (3.0, -15.9999),
                (1.0, -1.0),
                Some((0.0, Vec2::Y)),
            ),
        ] {
            let found = hit(own, offset, motion);
            assert_eq!(found, expected, "{case}");
            // Equal to the bit: a -0.0 would show which of the two was asked about the other.
            let bits = |hit: Option<(f32, Vec2)>| hit.map(|hit| hit.1.to_array().map(f32::to_bits));
            assert_eq!(
                bits(found),
                bits(expected.map(|(at, normal)| (at, normal + Vec2::ZERO))),
                "{case}"
            );
        }
    }

    #[test]
    fn rooms_are_met_from_inside() {
        let room = Placed {
            outline: Outline::Bounds(Vec2::new(100.0, 50.0)),
            offset: Vec2::ZERO,
            body: 1,
        };
        let dot = placed(Shape::circle(10.0).expect("valid"));
        let hit = |at: (f32, f32), motion: (f32, f32)| {
            impact(&dot, &room, [at.into(), Vec2::ZERO], motion.into())
                .map(|hit| (hit.fraction, hit.normal))
        };
        assert_eq!(hit((80.0, 0.0), (20.0, 0.0)), Some((0.5, Vec2::NEG_X)));
        assert_eq!(hit((80.0, 0.0), (5.0, 0.0)), None);
        assert_eq!(hit((0.0, -40.0), (0.0, -1.0)), Some((0.0, Vec2::Y)));
        assert_eq!(hit((0.0, -40.0), (0.0, 1.0)), None);
        assert_eq!(hit((0.0, 0.0), (180.0, 160.0)), Some((0.25, Vec2::NEG_Y)));
        // From outside: farther out, back, and back as far as the other side.
        assert_eq!(hit((95.0, 0.0), (1.0, 0.0)), Some((0.0, Vec2::NEG_X)));
        assert_eq!(hit((95.0, 0.0), (-9.0, 0.0)), None);
        let back = (-200.0, 0.0);
        assert_eq!(hit((95.0, 0.0), back), Some((0.925, Vec2::X)));
        let beyond = |at: (f32, f32), motion: (f32, f32)| {
            beyond_room(&dot, &room, [at.into(), Vec2::ZERO], motion.into()).map(|hit| hit.normal)
        };
        assert_eq!(beyond((95.0, 0.0), back), Some(Vec2::NEG_X));
        assert_eq!(beyond((95.0, 0.0), (0.0, 0.0)), None);
        assert_eq!(beyond((90.0, 0.0), back), None);
        let corner = beyond((93.0, -44.0), back).expect("3 and 4 beyond");
        assert!(corner.distance(Vec2::new(-0.6, 0.8)) < 1.0e-6, "{corner}");
    }

    #[test]
    fn touching_is_not_overlapping_at_any_distance() {
        let own = placed(Shape::rectangle(Vec2::new(8.0, 0.3)).expect("valid"));
        let other = placed(Shape::circle(0.7).expect("valid"));
        let mut random = fastrand::Rng::with_seed(4);
        for _ in 0..100_000 {
            let anchor = Vec2::splat((random.f32() - 0.5) * 3.0e5);
            for normal in [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y] {
                let place = touching_coordinate(&own, &other, anchor, normal).expect("shapes");
                let reach = if normal.x == 0.0 { 1.0 } else { 8.7 };
                let gap = (place - anchor.x).abs() - reach;
                assert!((0.0..0.05).contains(&gap), "{gap} at {anchor}");
            }
        }
    }

    #[test]
    fn each_of_two_meets_the_other_where_that_meets_it() {
        let mut random = fastrand::Rng::with_seed(15);
        let (mut met, mut inside) = (0, 0);
        for number in 0..200_000 {
            // Often whole numbers, so that edges are flush and corners meet.
            let mut length = |most: f32| {
                let length = random.f32() * most;
                if number % 2 == 0 {
                    length.round()
                } else {
                    length
                }
            };
            let mut shape = || {
                let (half, radius) = (Vec2::new(length(4.0), length(4.0)), length(3.0));
                match number % 3 {
                    0 => Shape::circle(radius),
                    1 => Shape::rectangle(half),
                    _ => Shape::rounded_rectangle(half + radius, radius),
                }
            };
            let [own, other] = [(); 2].map(|()| shape().expect("valid"));
            let mut vector = |most: f32| Vec2::new(length(2.0 * most), length(2.0 * most)) - most;
            let (offset, motion) = (vector(10.0), vector(12.0));
            if offset == Vec2::ZERO {
                continue;
            }
            let one = impact_on_shape(own, other, [Vec2::ZERO, offset], motion);
            let mirrored = one.map(SweepImpact::mirrored);
            let case = (own, other, offset, motion);
            assert_eq!(
                impact_on_shape(other, own, [offset, Vec2::ZERO], -motion),
                mirrored,
                "{case:?}"
            );
            met += usize::from(one.is_some());
            inside += usize::from(one.is_some_and(|one| one.is_inside));
        }
        assert!(met > 50_000 && inside > 10_000, "{met} {inside}");
    }
}
