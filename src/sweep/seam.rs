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
//! Asked of statics, by a `Mover` of all that gives no way, and for each collider by itself: of a body with several, one has to be over the seam. Who begins in that of a lift, which has been put there, is up to the push-out.

use bevy::math::Vec2;

use super::{
    impact::{Impact, hair},
    respond::side_of,
};
use crate::kernel::{Shape, contact};

/// Across, it is at most so many times as far out as sideways.
pub(crate) const MOST_ACROSS: f32 = 2.0;

/// How to leave across what somebody begins sunk in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Across {
    /// The number of the side on which it would be left by the shortest way, and whether across leads up its axis.
    side: usize,
    is_positive: bool,
    is_near: bool,
    /// As if it came from there.
    pub(crate) impact: Impact,
}

/// On which sides of what somebody is sunk in, by whether across leads up the axis.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sunk([[bool; 2]; 4]);

/// Whether a shape is inside of another one at this offset, by more than a hair.
#[inline(always)]
pub(crate) fn is_sunk(own: Shape, other: Shape, offset: Vec2) -> bool {
    let half = own.sum(other).half_extents();
    (half - offset.abs()).cmpgt(hair(half)).all()
}

impl Across {
    /// None for who is not sunk in there, or is by a corner.
    pub(crate) fn new(own: Shape, other: Shape, offset: Vec2, motion: Vec2) -> Option<Self> {
        if !is_sunk(own, other, offset) {
            return None;
        }
        let contact = contact(own, other, offset)?;
        let (side, axis) = side_of(-contact.normal)?;
        let half = own.sum(other).half_extents();
        let (along, out) = (axis.abs(), axis.perp().abs());
        let (level, aside) = (half.dot(along) - offset.dot(along).abs(), offset.dot(out));
        let depth = half.dot(out) - aside.abs();
        // Level with each other, it came from where it does not go.
        let way = if aside == 0.0 { motion.dot(out) } else { aside };
        let normal = out * -way.signum();
        Some(Self {
            side,
            is_positive: way < 0.0,
            is_near: depth <= contact.depth * MOST_ACROSS,
            impact: Impact {
                fraction: 0.0,
                normal: normal + Vec2::ZERO,
                level,
                closing: -motion.dot(normal),
                is_inside: true,
            },
        })
    }
}

impl Sunk {
    pub(crate) fn add(&mut self, across: &Across) {
        self.0[across.side][usize::from(across.is_positive)] = true;
    }

    /// Whether something else, of those that were added, makes one surface with it.
    pub(crate) fn is_over_a_seam(&self, across: &Across) -> bool {
        across.is_near && self.0[across.side ^ 1][usize::from(across.is_positive)]
    }
}
