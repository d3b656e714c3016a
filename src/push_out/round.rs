//! What a round works on.

use super::{groups::Groups, met::NewOverlaps, near::Near, world::World};

/// All that islands are made of. Pairs that overlap by more than the tolerance count.
pub(super) struct Round<'a, 'w> {
    pub(super) world: &'a mut World<'w>,
    pub(super) near: &'a mut Near,
    pub(super) groups: &'a mut Groups,
    pub(super) met: &'a mut NewOverlaps,
    /// The first one has the number 1.
    pub(super) number: u32,
    pub(super) tolerance: f32,
}

impl Round<'_, '_> {
    /// Returns the body of a pair whose group decides on it.
    pub(super) fn body(&self, number: u32) -> u32 {
        let pair = self.near.pairs.get(number).numbers();
        self.groups.deciding_body(self.world, pair)
    }

    /// Whether a pair is to be pushed apart in this round.
    pub(super) fn is_seed(&self, number: u32) -> bool {
        let is_over = self.near.pairs.get(number).push.depth > self.tolerance;
        is_over && !self.groups.has_given_up(self.body(number))
    }
}
