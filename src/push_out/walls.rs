//! What shuts many bodies in, and where they have room to go.

use bevy::math::{BVec2, Vec2};

/// Who is thrown back at least so far along an axis, as a cosine, meets a wall across it.
const STEEP: f32 = 0.5;

/// On which sides of many bodies there are walls.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Walls {
    low: BVec2,
    high: BVec2,
}

impl Walls {
    /// Notes that somebody was thrown back this way, a unit vector.
    pub(super) fn note(&mut self, back: Vec2) {
        self.note_where(back, BVec2::TRUE, BVec2::TRUE);
    }

    /// The same, on those axes only on which it is so.
    pub(super) fn note_where(&mut self, back: Vec2, is_low: BVec2, is_high: BVec2) {
        self.low |= back.cmpgt(Vec2::splat(STEEP)) & is_low;
        self.high |= back.cmplt(Vec2::splat(-STEEP)) & is_high;
    }

    /// On which axes there are walls on either side.
    pub(super) fn closed(&self) -> BVec2 {
        self.low & self.high
    }

    /// By how much each axis is to be stretched, so that the area is stretched by this.
    pub(super) fn share(&self, times: f32) -> Vec2 {
        let closed = self.closed();
        match (closed.x, closed.y) {
            (false, false) => Vec2::splat(times.sqrt()),
            (false, true) => Vec2::new(times, 1.0),
            (true, false) => Vec2::new(1.0, times),
            (true, true) => Vec2::ONE,
        }
    }

    /// What stays where it is when a box is stretched: its middle, or its side where there is a wall.
    pub(super) fn from(&self, (low, high): (Vec2, Vec2), middle: Vec2) -> Vec2 {
        let from_low = Vec2::select(self.low & !self.high, low, middle);
        Vec2::select(self.high & !self.low, high, from_low)
    }
}
