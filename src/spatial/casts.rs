//! What a ray or a moving shape hits.

use std::{cmp::Ordering, ops::ControlFlow};

use bevy::math::Vec2;

use super::targets::{Targets, WayOf};
use crate::{
    kernel::{
        Contact, Entry, Impact, Motion, Outline, Shape, cast_through_bounds, contact_within,
        is_in_world, within_walls,
    },
    parallel::answer_many,
    placed::{rounding_along, rounding_on_axes, side_met},
};

/// A ray, or a shape that moves in a straight line.
///
/// A cast whose numbers are not finite, or beyond [`MAX_COORDINATE`](crate::kernel::MAX_COORDINATE), hits nothing. It is as exact as `f32` allows for numbers as large as its length: make it only as long as
/// the game needs.
///
/// ```
/// use bevy::math::Vec2;
/// use bevy_nudge::{kernel::Shape, spatial::{Cast, ShapeIndex}};
///
/// let wall = Shape::rectangle(Vec2::new(10.0, 50.0))?;
/// let index = ShapeIndex::new([("here", wall, Vec2::ZERO), ("there", wall, Vec2::new(60.0, 0.0))]);
/// let first = |cast: Cast| index.cast(&cast, |_| true).map(|hit| (hit.key, hit.distance));
/// let (origin, motion) = (Vec2::new(5.0, 0.0), Vec2::new(100.0, 0.0));
/// assert_eq!(first(Cast::ray(origin, motion)), Some(("here", 0.0))); // it starts in it
/// assert_eq!(first(Cast::ray(origin, motion).from_outside()), Some(("there", 45.0)));
/// assert_eq!(first(Cast::shape(Shape::circle(5.0)?, origin, motion).from_outside()), Some(("there", 40.0)));
/// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cast {
    /// The shape that moves; [`Shape::POINT`] for a ray.
    pub shape: Shape,
    /// Where the center of the shape starts.
    pub origin: Vec2,
    /// The way from the start to the end.
    pub motion: Vec2,
    /// Whether the cast hits what it starts inside of, with fraction 0 (the default), or passes it by. With false, a cast that comes into a room from outside hits the wall by which it would leave the room again.
    pub hit_from_inside: bool,
    /// What is in the way by no more than a rounding error is not: so colliders lie that were put side by side by numbers that are rounded, and so floors are made of tiles.
    allows_rounding: bool,
}

impl Cast {
    /// A ray from `origin` to `origin + motion`.
    #[doc(alias = "raycast")]
    pub const fn ray(origin: Vec2, motion: Vec2) -> Self {
        Self::shape(Shape::POINT, origin, motion)
    }

    /// A shape whose center moves from `origin` to `origin + motion`.
    #[doc(alias = "shapecast")]
    #[doc(alias = "sweep")]
    pub const fn shape(shape: Shape, origin: Vec2, motion: Vec2) -> Self {
        Self {
            shape,
            origin,
            motion,
            hit_from_inside: true,
            allows_rounding: false,
        }
    }

    /// Returns the cast of a collider from where a tick has left it.
    pub(crate) const fn collider(shape: Shape, origin: Vec2, motion: Vec2) -> Self {
        let mut cast = Self::shape(shape, origin, motion);
        cast.allows_rounding = true;
        cast
    }

    /// Returns the same cast, but passing by what it starts inside of.
    #[must_use]
    pub const fn from_outside(mut self) -> Self {
        self.hit_from_inside = false;
        self
    }

    /// Returns its way and motion; `None` if the cast is invalid.
    #[inline]
    fn way(&self) -> Option<(WayOf, Motion)> {
        let is_valid = is_in_world(self.origin) && is_in_world(self.motion);
        is_valid.then(|| {
            let way = WayOf {
                origin: self.origin,
                motion: self.motion,
                half: self.shape.half_extents(),
            };
            (way, Motion::new(self.motion))
        })
    }

    /// Returns where it hits an outline at a place, with the motion at hand.
    #[inline(always)]
    fn meet(&self, (outline, center): (Outline, Vec2), motion: &Motion) -> Option<Entry> {
        let offset = self.origin - center;
        let entry = outline.cast(self.shape, offset, motion)?;
        if self.allows_rounding || entry.started_inside && !self.hit_from_inside {
            self.reconsider(entry, (outline, center), motion)
        } else {
            Some(entry)
        }
    }

    /// Returns what is left of a hit if what rounding errors put in the way counts as nothing, or if the cast passes by what it starts inside of. A solid shape is then left for good, and a room has other walls.
    #[cold]
    fn reconsider(
        &self,
        entry: Entry,
        (outline, center): (Outline, Vec2),
        motion: &Motion,
    ) -> Option<Entry> {
        match outline {
            Outline::Shape(shape) if self.allows_rounding => {
                self.meet_but_for_rounding(entry.impact(), shape, center)
            }
            Outline::Shape(_) => None,
            Outline::Bounds(room) => {
                // What was put at a wall, or has ended there, may be outside of it by rounding, and goes on in the room.
                let rounding = rounding_on_axes(self.origin, center);
                let offset = within_walls(room, self.shape, self.origin - center, rounding);
                let entry = outline.cast(self.shape, offset, motion)?;
                if entry.started_inside && !self.hit_from_inside {
                    cast_through_bounds(room, self.shape, offset, self.motion).map(Entry::from)
                } else {
                    Some(entry)
                }
            }
        }
    }

    /// Returns what is left of a hit on a solid shape if what rounding errors put in the way counts as nothing.
    fn meet_but_for_rounding(&self, hit: Impact, shape: Shape, center: Vec2) -> Option<Entry> {
        let offset = self.origin - center;
        let normal = if hit.started_inside {
            self.touch(shape, center)
        } else {
            Some(hit.normal)
        };
        let Some(normal) = normal else {
            return self.hit_from_inside.then(|| Entry::from(hit));
        };
        let hit = Impact { normal, ..hit };
        let at = offset + self.motion * hit.fraction;
        let nothing = |axis: Vec2| rounding_along(self.origin, center, axis);
        let (normal, _) = side_met([self.shape, shape], &hit, (at, self.motion), nothing)?;
        (self.motion.dot(normal) < 0.0).then(|| {
            Entry::from(Impact {
                fraction: hit.fraction,
                // Adding 0 turns -0.0 into 0.0.
                normal: normal + Vec2::ZERO,
                started_inside: false,
            })
        })
    }

    /// Returns the normal of what a cast starts inside of, if that is by no more than a rounding error.
    #[cold]
    fn touch(&self, shape: Shape, center: Vec2) -> Option<Vec2> {
        let contact = contact_within(shape, self.shape, self.origin - center, 0.0)?;
        let Contact { normal, depth, .. } = contact;
        (depth <= rounding_along(self.origin, center, normal)).then_some(normal)
    }
}

/// A target that is hit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CastFound<W> {
    pub(crate) who: W,
    pub(crate) impact: Impact,
}

impl<W> CastFound<W> {
    /// Returns the point, in world space, where its outline, which is at this place, is hit.
    #[inline]
    pub(crate) fn point(&self, cast: &Cast, (outline, center): (Outline, Vec2)) -> Vec2 {
        let at = cast.origin + cast.motion * self.impact.fraction;
        if cast.shape == Shape::POINT {
            return at;
        }
        let wall = (!self.impact.started_inside).then_some(self.impact.normal);
        center + outline.touching_point(cast.shape, at - center, wall)
    }

    /// Returns how far the cast moves until the hit.
    #[inline]
    pub(crate) fn distance(&self, cast: &Cast) -> f32 {
        cast.motion.length() * self.impact.fraction
    }
}

/// Returns the first hit; of several at once, the one that [comes before](in_order).
#[inline]
pub(crate) fn cast_first<T: Targets>(targets: &T, cast: &Cast) -> Option<CastFound<T::Who>> {
    let (way, motion) = cast.way()?;
    let (mut best, mut first) = (None, Entry::NEVER);
    targets.along::<false>(&way, 1.0, |who| {
        let entry = targets.ask(who, |outline, center| cast.meet((outline, center), &motion));
        if let Some(entry) = entry {
            let is_before = |best| {
                let [one, other] = [(who, entry), (best, first)];
                let found = |(who, entry): (_, Entry)| CastFound {
                    who,
                    impact: entry.impact(),
                };
                in_order(targets, cast, &found(one), &found(other)).is_lt()
            };
            let is_better = entry.fraction < first.fraction
                || entry.fraction == first.fraction && best.is_some_and(is_before);
            if is_better && targets.admits(who) {
                (best, first) = (Some(who), entry);
            }
        }
        first.fraction.min(1.0)
    });
    best.map(|who| CastFound {
        who,
        impact: first.impact(),
    })
}

/// Returns all hits, the first one first.
pub(crate) fn cast_all<T: Targets>(targets: &T, cast: &Cast) -> Vec<CastFound<T::Who>> {
    let mut found = Vec::new();
    let _ = cast_each(targets, cast, |hit| {
        found.push(hit);
        ControlFlow::Continue(())
    });
    found.sort_unstable_by(|a, b| compare(targets, cast, a, b));
    found
}

/// Calls `each` with all hits, in no meaningful order, until it breaks off.
#[inline(always)]
pub(crate) fn cast_each<T: Targets>(
    targets: &T,
    cast: &Cast,
    mut each: impl FnMut(CastFound<T::Who>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some((way, motion)) = cast.way() else {
        return ControlFlow::Continue(());
    };
    let mut flow = ControlFlow::Continue(());
    targets.along::<true>(&way, 1.0, |who| {
        if let Some(entry) = cast.meet(targets.place(who), &motion)
            && flow.is_continue()
            && targets.admits(who)
        {
            let impact = entry.impact();
            flow = each(CastFound { who, impact });
        }
        if flow.is_continue() { 1.0 } else { -1.0 }
    });
    flow
}

/// Returns the first hit of each of many casts, in their order; uses several threads if there are many. Hits from inside count only if both the cast and `hit_from_inside` want them.
pub(crate) fn cast_many<T: Targets + Sync, A: Send>(
    targets: &T,
    casts: &[Cast],
    hit_from_inside: bool,
    answer: impl Fn(&Cast, CastFound<T::Who>) -> A + Sync,
) -> Vec<Option<A>> {
    answer_many(casts, |cast| {
        let cast = Cast {
            hit_from_inside: cast.hit_from_inside && hit_from_inside,
            ..*cast
        };
        cast_first(targets, &cast).map(|hit| answer(&cast, hit))
    })
}

fn compare<T: Targets>(
    targets: &T,
    cast: &Cast,
    a: &CastFound<T::Who>,
    b: &CastFound<T::Who>,
) -> Ordering {
    let earlier = a.impact.fraction.total_cmp(&b.impact.fraction);
    earlier.then_with(|| in_order(targets, cast, a, b))
}

/// Returns the order of two hits at once: a hit on a side comes before a hit on only a corner, and then the lesser place comes first. So a floor of boxes acts as a floor, from whichever side a cast comes.
// Rarely needed. Not inlined, so that the check of all other hits can be.
#[cold]
#[inline(never)]
fn in_order<T: Targets>(
    targets: &T,
    cast: &Cast,
    a: &CastFound<T::Who>,
    b: &CastFound<T::Who>,
) -> Ordering {
    let [one, other] =
        [a, b].map(|found| is_on_a_corner(cast, &found.impact, targets.place(found.who)));
    let sides_first = one.cmp(&other);
    sides_first.then_with(|| targets.in_order(a.who, b.who))
}

/// Whether a sharp corner is hit, where two sides meet.
fn is_on_a_corner(cast: &Cast, impact: &Impact, (outline, center): (Outline, Vec2)) -> bool {
    let shape = outline.shape().map(|shape| shape.sum(cast.shape));
    shape.is_some_and(|shape| {
        let at = cast.origin + cast.motion * impact.fraction;
        let along = impact.normal.perp().abs();
        let beyond = (at - center).abs() - shape.half_size();
        let rounding = rounding_along(at, center, along);
        shape.radius() == 0.0 && !impact.started_inside && beyond.dot(along) >= -rounding
    })
}
