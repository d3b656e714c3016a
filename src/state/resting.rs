//! Which pairs count as touching without overlapping.

use bevy::math::Vec2;

use super::{
    colliders::Colliders,
    rules::{meeting_within, resting_meeting},
};
use crate::{
    kernel::{Outline, Touching},
    placed::{Closeness, FLUSH, POSITION_ROUNDING, Sighting, SlotPair, rounding, see},
};

/// Returns the gap, near the origin, up to which two colliders may rest against each other, in world units: at least what counts as flush, however small the margin is.
pub(crate) fn reach_of_margin(margin: f32) -> f32 {
    margin.max(FLUSH)
}

/// Decides which pairs with a small gap count as contacts.
pub(crate) struct Resting<'a> {
    pub(crate) colliders: &'a Colliders,
    pub(crate) touching: Touching,
    pub(crate) margin: f32,
}

impl Resting<'_> {
    /// Returns the gap beyond which no pair counts, near the origin, in world units.
    pub(crate) fn reach(&self) -> f32 {
        reach_of_margin(self.margin)
    }

    /// Returns the same for colliders with these centers; `reach` is the value near the origin. Farther out it is at least the rounding error there, because gaps below that count as flush.
    #[inline(always)]
    pub(crate) fn reach_of(touching: Touching, reach: f32, one: Vec2, other: Vec2) -> f32 {
        match touching {
            Touching::Counts => reach.max(rounding(one, other)),
            Touching::Ignored => reach,
        }
    }

    /// Returns the coordinate within which [`reach_of`](Self::reach_of) is the same as near the origin.
    pub(crate) fn far(touching: Touching, reach: f32) -> f32 {
        match touching {
            // A little less, because this is rounded too.
            Touching::Counts => reach / POSITION_ROUNDING * 0.999,
            Touching::Ignored => f32::INFINITY,
        }
    }

    /// Returns how two colliders collide where they are now, or would if a gap as small as theirs [counts](Self::counts).
    #[inline]
    pub(crate) fn see(&self, slots: SlotPair) -> Option<Sighting> {
        let [one, other] = self.colliders.centers(slots);
        let reach = Self::reach_of(self.touching, self.reach(), one, other);
        let find = |a: Outline, b, offset| a.contact_or_rest(b, offset, self.touching, reach);
        see(
            &self.colliders.placed,
            &self.colliders.body_states,
            slots,
            find,
        )
    }

    /// Whether a pair that was seen collides: also with a small gap, if the two are flush, or have met before and are within the margin.
    #[inline]
    pub(crate) fn counts(&self, seen: &Sighting, have_met: impl FnOnce() -> bool) -> bool {
        match seen.closeness {
            Closeness::Meets => true,
            Closeness::Rests => self.rests(seen.meeting.slots, have_met()),
            Closeness::Near => false,
        }
    }

    fn rests(&self, slots: SlotPair, have_met: bool) -> bool {
        let is_near = || meeting_within(self.colliders, slots, self.margin).is_some();
        let is_flush = || resting_meeting(self.colliders, slots, 0.0).is_some();
        have_met && self.margin > 0.0 && is_near()
            || self.touching == Touching::Counts && is_flush()
    }
}
