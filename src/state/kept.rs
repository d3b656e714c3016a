//! What is kept of the colliders to go back to.

use bevy::ecs::entity::EntityMapper;

use super::colliders::Colliders;

/// Colliders without the table of who has which slot: that has room for every entity of the game, and most of them may be no colliders.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptColliders {
    /// They know nobody's slot.
    colliders: Colliders,
    /// The slots in use. Of two whose entities have the same index, it is that of the later one.
    in_use: Vec<u32>,
}

impl KeptColliders {
    pub(crate) fn of(colliders: &Colliders) -> Self {
        Self {
            colliders: colliders.clone(),
            in_use: colliders.in_use().collect(),
        }
    }

    /// As they were.
    pub(crate) fn to_colliders(&self) -> Colliders {
        let mut colliders = self.colliders.clone();
        colliders.find_slots(&self.in_use);
        colliders
    }

    /// Others have taken the places of those that are known.
    pub(crate) fn map_entities(&mut self, mapper: &mut impl EntityMapper) {
        let before = self.colliders.entities.clone();
        self.colliders.map_entities(mapper);
        let now = &self.colliders.entities;
        // Who is new may have the index of one that is gone and has not been told of: the index is his.
        let is_new = |slot: &u32| now[*slot as usize] != before[*slot as usize];
        self.in_use.sort_by_key(is_new);
    }
}
