//! Which colliders may have overlaps that were not reported yet.

use super::slots::SlotSet;

/// Slots that something other than the sweep has moved or changed since the sweep last ran. All other overlaps were reported at the end of that tick.
///
/// While nothing is swept, nothing is noted, and any slot may be fresh.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fresh {
    noted: SlotSet,
    /// The buffers stay while nothing is noted: whether anything is swept may change in each tick.
    are_noted: bool,
}

impl Fresh {
    #[inline]
    pub(crate) fn note(&mut self, slot: usize) {
        if self.are_noted {
            self.noted.insert(slot);
        }
    }

    /// Whether fresh slots are being noted.
    #[inline]
    pub(crate) fn are_noted(&self) -> bool {
        self.are_noted
    }

    /// Returns the noted slots, in no meaningful order; `None` if any slot may be fresh.
    pub(crate) fn members(&self) -> Option<&[u32]> {
        self.are_noted.then(|| self.noted.members())
    }

    /// Whether a slot is or may be fresh.
    pub(crate) fn contains(&self, slot: usize) -> bool {
        !self.are_noted || self.noted.contains(slot)
    }

    /// Whether certainly no slot is fresh.
    #[inline]
    pub(crate) fn is_certainly_empty(&self) -> bool {
        self.are_noted && self.noted.members().is_empty()
    }

    /// Clears the noted slots, and notes fresh ones from now on.
    pub(crate) fn begin(&mut self) {
        self.noted.clear();
        self.are_noted = true;
    }

    /// Stops noting: nothing asks for fresh slots.
    pub(crate) fn stop(&mut self) {
        self.are_noted = false;
    }
}
