//! A body that begins over a seam, deeper than it is over either side: from each of two colliders by itself it would be led sideways, into the other one, but both together are one surface.
//!
//! ```text
//!         _____
//!        |     |
//!     ___|  |  |____      By its depth it is at the side of both the left tile and the right one; going down, it would slide along both.
//!        |__v__|          It is stopped as if it came from above.
//!     _____|________
//! ```
//!
//! Applies to all that gives no way, be it a floor or a lift that has been put there, and to all colliders of a body together; for a [`Mover`](crate::query::Mover) as for the sweep. The push-out has the same rule for bodies that overlap.

use bevy::math::Vec2;

use super::{
    impact::{SweepImpact, hair, slack_on_axes},
    respond::side_of,
};
use crate::kernel::{Shape, contact};

/// The way out across may be at most this many times as long as the way out sideways.
pub(crate) const MOST_ACROSS: f32 = 2.0;

/// A body that is sunk in a surface by no more than this part of its smaller half size goes on over the next piece of it.
const GOES_OVER: f32 = 0.5;

/// How to leave a collider that a body begins sunk in: across its shortest way out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Across {
    /// The shortest way out, a unit vector along an axis; the number of that side, and whether the way across leads up its axis.
    out: Vec2,
    side: usize,
    is_positive: bool,
    /// How far the surface of another collider may be from this one and still continue it.
    flush: f32,
    /// The length of the shortest way, and of the way across.
    depth: f32,
    depth_across: f32,
    /// The impact as if the body came from across.
    pub(crate) impact: SweepImpact,
}

/// How deep a body is sunk in what it would leave on each side; the second index tells whether the way across leads up its axis.
#[derive(Clone, Copy, Debug, Default)]
struct Depths([[f32; 2]; 4]);

/// Whether a shape is inside of another one at these places, by more than a hair.
#[inline(always)]
pub(crate) fn is_sunk(own: Shape, other: Shape, places: [Vec2; 2]) -> bool {
    let half = own.sum(other).half_extents();
    let level = half - (places[1] - places[0]).abs();
    // Most are not inside at all.
    level.cmpgt(Vec2::ZERO).all() && level.cmpgt(hair(half, slack_on_axes(places))).all()
}

/// Whether what a body meets is so little in its way that it may be the next piece of what the body is sunk in. A round body meets that by its corner.
#[inline(always)]
pub(super) fn may_go_over(own: Shape, other: Shape, impact: &SweepImpact) -> bool {
    if is_by_corner(impact) {
        // A collider that is round itself continues no surface.
        other.radius() == 0.0
    } else {
        impact.level > 0.0 && impact.level <= most_gone_over(own)
    }
}

pub(crate) fn is_by_corner(impact: &SweepImpact) -> bool {
    impact.normal.x != 0.0 && impact.normal.y != 0.0
}

/// Returns how deep a body may be sunk in something that it goes on over.
fn most_gone_over(own: Shape) -> f32 {
    own.half_extents().min_element() * GOES_OVER
}

impl Across {
    /// Returns `None` if the body is not sunk in the other one, or only by a corner.
    #[inline]
    pub(crate) fn new(own: Shape, other: Shape, places: [Vec2; 2], motion: Vec2) -> Option<Self> {
        if !is_sunk(own, other, places) {
            return None;
        }
        let offset = places[1] - places[0];
        let contact = contact(own, other, offset)?;
        let (side, axis) = side_of(-contact.normal)?;
        let half = own.sum(other).half_extents();
        let (along, out) = (axis.abs(), axis.perp().abs());
        let (level, aside) = (half.dot(along) - offset.dot(along).abs(), offset.dot(out));
        // If both are level, it came from the direction opposite to its motion.
        let way = if aside == 0.0 { motion.dot(out) } else { aside };
        let normal = out * -way.signum();
        Some(Self {
            out: -contact.normal,
            side,
            is_positive: way < 0.0,
            flush: slack_on_axes(places).dot(along),
            depth: contact.depth,
            depth_across: half.dot(out) - aside.abs(),
            impact: SweepImpact {
                fraction: 0.0,
                normal: normal + Vec2::ZERO,
                level,
                closing: -motion.dot(normal),
                is_inside: true,
                is_deep: true,
            },
        })
    }

    /// Whether `other` continues the surface that the body would leave, and this impact is at its beginning: it sticks out of the surface by no more than a hair, and does not come out of it until then. `first` and `last` are its offsets when both set out, and where they meet.
    pub(crate) fn goes_on_over(
        &self,
        (own, other): (Shape, Shape),
        [first, last]: [Vec2; 2],
        impact: &SweepImpact,
    ) -> bool {
        let half = own.sum(other).half_extents();
        let deeper = |offset: Vec2| half.dot(self.out.abs()) + offset.dot(self.out) - self.depth;
        let hair = hair(half, Vec2::splat(self.flush)).dot(self.out.abs());
        let is_along = impact.normal.dot(self.out) == 0.0;
        (is_along || is_by_corner(impact) && self.depth <= most_gone_over(own))
            && may_go_over(own, other, impact)
            && deeper(first).abs() <= hair
            && deeper(last) <= hair
    }
}

impl Depths {
    fn of(all: impl Iterator<Item = Across>) -> Self {
        let mut depths = Self::default();
        for across in all {
            let known = &mut depths.0[across.side][usize::from(across.is_positive)];
            *known = across.depth.max(*known);
        }
        depths
    }

    /// Returns the depth on the side on which it would be left, or on the opposite one.
    fn get(&self, across: &Across, is_other: bool) -> f32 {
        self.0[across.side ^ usize::from(is_other)][usize::from(across.is_positive)]
    }
}

/// Calls `found` with each of the colliders that one body's colliders are sunk in, if it makes one surface with another one. `across` returns the collider's slot, and the way across it.
pub(crate) fn each_over_a_seam<T>(
    sunk: &mut [T],
    across: impl Fn(&T) -> (u32, Across),
    mut found: impl FnMut(&T),
) {
    if sunk.len() < 2 {
        return;
    }
    let all = Depths::of(sunk.iter().map(|one| across(one).1));
    sunk.sort_unstable_by_key(|one| across(one).0);
    for same in sunk.chunk_by(|a, b| across(a).0 == across(b).0) {
        // Several colliders of a body count as deep in it as the deepest of them.
        let depths = Depths::of(same.iter().map(|one| across(one).1));
        for one in same {
            let (_, across) = across(one);
            let is_near = across.depth_across <= depths.get(&across, false) * MOST_ACROSS;
            if is_near && all.get(&across, true) > 0.0 {
                found(one);
            }
        }
    }
}
