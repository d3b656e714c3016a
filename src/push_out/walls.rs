//! Walls on the sides of many bodies, and where the bodies have room to go.

use bevy::math::{BVec2, Vec2};

/// A throw back along an axis by at least this cosine counts as a wall across that axis.
const STEEP: f32 = 0.5;

/// On which sides of a group of bodies there are walls.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Walls {
    low: BVec2,
    high: BVec2,
}

impl Walls {
    /// Notes that a body was thrown back in this direction, a unit vector.
    pub(super) fn note(&mut self, back: Vec2) {
        self.note_where(back, BVec2::TRUE, BVec2::TRUE);
    }

    /// Does the same, but only on axes where `is_low` or `is_high` is true for that side.
    pub(super) fn note_where(&mut self, back: Vec2, is_low: BVec2, is_high: BVec2) {
        self.low |= back.cmpgt(Vec2::splat(STEEP)) & is_low;
        self.high |= back.cmplt(Vec2::splat(-STEEP)) & is_high;
    }

    /// Returns the axes with walls on both sides.
    pub(super) fn closed(&self) -> BVec2 {
        self.low & self.high
    }

    /// Returns by how much to stretch each axis, so that the area is stretched by `times`.
    pub(super) fn share(&self, times: f32) -> Vec2 {
        let closed = self.closed();
        match (closed.x, closed.y) {
            (false, false) => Vec2::splat(times.sqrt()),
            (false, true) => Vec2::new(times, 1.0),
            (true, false) => Vec2::new(1.0, times),
            (true, true) => Vec2::ONE,
        }
    }

    /// Returns what stays where it is when a box is stretched: its middle, or, on axes with one wall, the side at that wall.
    pub(super) fn from(&self, (low, high): (Vec2, Vec2), middle: Vec2) -> Vec2 {
        let from_low = Vec2::select(self.low & !self.high, low, middle);
        Vec2::select(self.high & !self.low, high, from_low)
    }
}
