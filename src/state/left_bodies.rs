//! Which colliders have changed their body since a report last told of them.

use bevy::ecs::entity::Entity;

/// Slots of colliders that belong to another body than in the last report, each with the body that it has left.
#[derive(Clone, Debug, Default)]
pub(crate) struct LeftBodies {
    /// Sorted, but for those that were noted since [`sort`](Self::sort).
    left: Vec<(u32, Entity)>,
}

impl LeftBodies {
    pub(crate) fn note(&mut self, slot: usize, body: Entity) {
        self.left.push((slot as u32, body));
    }

    /// Of a collider that has changed its body in several ticks that were not reported, the first one counts.
    pub(crate) fn sort(&mut self) {
        self.left.sort_by_key(|(slot, _)| *slot);
        self.left.dedup_by_key(|(slot, _)| *slot);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// The body that a collider was a part of in the last report, if it has left it.
    pub(crate) fn of(&self, slot: u32) -> Option<Entity> {
        let at = self.left.binary_search_by_key(&slot, |(slot, _)| *slot);
        at.ok().map(|at| self.left[at].1)
    }

    /// Forgets the colliders for which this returns false.
    pub(crate) fn retain(&mut self, mut is_kept: impl FnMut(u32) -> bool) {
        self.left.retain(|(slot, _)| is_kept(*slot));
    }

    pub(crate) fn clear(&mut self) {
        self.left.clear();
    }

    pub(crate) fn bodies_mut(&mut self) -> impl Iterator<Item = &mut Entity> {
        self.left.iter_mut().map(|(_, body)| body)
    }
}
