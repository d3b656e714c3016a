//! Who begins over a seam, and deeper than it is over either side: each of two by itself would be left sideways, into the other one, but both together are one surface.
//!
//! ```text
//!         _____
//!        |     |
//!     ___|  |  |____      By its depth it is on the side of the left tile and of the right one, and going down it would slide along both.
//!        |__v__|          It is stopped as if it came from above.
//!     _____|________
//! ```
//!
//! Asked of all that gives no way, be it a floor or a lift that has been put there, and of all colliders of a body together; for who moves by a [`Mover`](crate::query::Mover) or in the sweep. The push-out has the same rule for those who overlap.

use bevy::math::Vec2;

use super::{
    impact::{Impact, hair},
    respond::side_of,
};
use crate::kernel::{Shape, contact};

/// Across, it is at most so many times as far out as sideways.
pub(crate) const MOST_ACROSS: f32 = 2.0;

/// Who is sunk in a surface by no more than this part of its smaller half size goes on over the next piece of it.
const GOES_OVER: f32 = 0.5;

/// How to leave across what somebody begins sunk in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Across {
    /// The shortest way to leave it, a unit vector along an axis; the number of that side, and whether across leads up its axis.
    out: Vec2,
    side: usize,
    is_positive: bool,
    /// How far that is, and how far across.
    depth: f32,
    depth_across: f32,
    /// As if it came from there.
    pub(crate) impact: Impact,
}

/// How deep a body is sunk in what it would leave on each side, by whether across leads up the axis.
#[derive(Clone, Copy, Debug, Default)]
struct Depths([[f32; 2]; 4]);

/// Whether a shape is inside of another one at this offset, by more than a hair.
#[inline(always)]
pub(crate) fn is_sunk(own: Shape, other: Shape, offset: Vec2) -> bool {
    let half = own.sum(other).half_extents();
    (half - offset.abs()).cmpgt(hair(half)).all()
}

/// Whether what somebody meets is so little in its way that it may be the next piece of what it is sunk in. What is round meets that by its corner.
#[inline(always)]
pub(super) fn may_go_over(own: Shape, other: Shape, impact: &Impact) -> bool {
    if is_by_corner(impact) {
        // Of what is round itself no surface goes on.
        other.radius() == 0.0
    } else {
        impact.level > 0.0 && impact.level <= most_gone_over(own)
    }
}

pub(super) fn is_by_corner(impact: &Impact) -> bool {
    impact.normal.x != 0.0 && impact.normal.y != 0.0
}

/// How deep who goes on over something may be sunk in it.
fn most_gone_over(own: Shape) -> f32 {
    own.half_extents().min_element() * GOES_OVER
}

impl Across {
    /// None for who is not sunk in there, or is by a corner.
    #[inline]
    pub(crate) fn new(own: Shape, other: Shape, offset: Vec2, motion: Vec2) -> Option<Self> {
        if !is_sunk(own, other, offset) {
            return None;
        }
        let contact = contact(own, other, offset)?;
        let (side, axis) = side_of(-contact.normal)?;
        let half = own.sum(other).half_extents();
        let (along, out) = (axis.abs(), axis.perp().abs());
        let (level, aside) = (half.dot(along) - offset.dot(along).abs(), offset.dot(out));
        // Level with each other, it came from where it does not go.
        let way = if aside == 0.0 { motion.dot(out) } else { aside };
        let normal = out * -way.signum();
        Some(Self {
            out: -contact.normal,
            side,
            is_positive: way < 0.0,
            depth: contact.depth,
            depth_across: half.dot(out) - aside.abs(),
            impact: Impact {
                fraction: 0.0,
                normal: normal + Vec2::ZERO,
                level,
                closing: -motion.dot(normal),
                is_inside: true,
                is_deep: true,
            },
        })
    }

    /// Whether another one is a part of the surface that it would be left by, and this impact on that is where it begins: it sticks out of the surface by no more than a hair, and does not come out of it until then. It is so far away when both set out, and where they meet.
    pub(super) fn goes_on_over(
        &self,
        (own, other): (Shape, Shape),
        [first, last]: [Vec2; 2],
        impact: &Impact,
    ) -> bool {
        let half = own.sum(other).half_extents();
        let deeper = |offset: Vec2| half.dot(self.out.abs()) + offset.dot(self.out) - self.depth;
        let hair = hair(half).dot(self.out.abs());
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

    /// On the side on which it would be left, or on the other one.
    fn get(&self, across: &Across, is_other: bool) -> f32 {
        self.0[across.side ^ usize::from(is_other)][usize::from(across.is_positive)]
    }
}

/// Of what the colliders of one body are sunk in, calls `found` with each that makes one surface with something else. `across` tells who it is, and the way across it.
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
        // Several colliders of a body are as deep in it as the deepest one.
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
