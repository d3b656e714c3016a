//! Who may be in something that nobody has been told of.

use super::slots::SlotSet;

/// Slots that something else than the sweep has moved, or changed, since it last ran. What all others are in was told when that tick ended.
///
/// While nothing is swept nobody counts: all of them may be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fresh {
    noted: Option<SlotSet>,
}

impl Fresh {
    #[inline]
    pub(crate) fn note(&mut self, slot: usize) {
        if let Some(noted) = &mut self.noted {
            noted.insert(slot);
        }
    }

    /// Whether anybody counts.
    #[inline]
    pub(crate) fn are_noted(&self) -> bool {
        self.noted.is_some()
    }

    /// Who was noted, in no order that means anything. None if all may be.
    pub(crate) fn members(&self) -> Option<&[u32]> {
        self.noted.as_ref().map(SlotSet::members)
    }

    /// Whether a slot was noted, or may be.
    pub(crate) fn contains(&self, slot: usize) -> bool {
        self.noted.as_ref().is_none_or(|noted| noted.contains(slot))
    }

    /// Whether nobody was noted, or may be.
    #[inline]
    pub(crate) fn is_nobody(&self) -> bool {
        (self.noted.as_ref()).is_some_and(|noted| noted.members().is_empty())
    }

    /// Nobody is fresh any more, and who is from now on is noted.
    pub(crate) fn begin(&mut self) {
        self.noted.get_or_insert_default().clear();
    }

    /// Nobody is noted any more: there is nobody to ask.
    pub(crate) fn stop(&mut self) {
        self.noted = None;
    }
}
