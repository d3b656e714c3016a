//! Which static colliders have changed since detect last looked at them.

use bevy::math::Vec2;

/// Slots of static colliders that were added, removed or changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct StillChanges {
    changed: Vec<u32>,
    /// By slot: the position of the body when its static collider was last noted. That in the state of the body can't be used: it may already have been updated through a sibling
    /// or the parent.
    noted_at: Vec<Vec2>,
}

impl StillChanges {
    pub(crate) fn note(&mut self, slot: usize) {
        self.changed.push(slot as u32);
    }

    pub(crate) fn note_at(&mut self, slot: usize, position: Vec2) {
        self.note(slot);
        if self.noted_at.len() <= slot {
            self.noted_at.resize(slot + 1, Vec2::NAN);
        }
        self.noted_at[slot] = position;
    }

    /// Whether a static collider was last noted with its body at this position.
    pub(crate) fn was_noted_at(&self, slot: usize, position: Vec2) -> bool {
        self.noted_at.get(slot) == Some(&position)
    }

    /// All static colliders may have changed, and these are all that there are.
    pub(crate) fn replace(&mut self, still: &[u32]) {
        self.changed.clear();
        self.changed.extend_from_slice(still);
    }

    /// Takes the noted slots, in the order in which they were noted; some several times.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = usize> {
        self.changed.drain(..).map(|slot| slot as usize)
    }
}
