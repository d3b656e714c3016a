//! What a `CollisionMemory` keeps of the colliders.

use bevy::ecs::entity::EntityMapper;

use super::colliders::Colliders;

/// Colliders without the table from entities to slots: that table has an entry for every entity of the game, most of which may not be colliders.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptColliders {
    /// Has no slots of entities.
    colliders: Colliders,
    /// The slots in use. Of two whose entities have the same index, the later one counts.
    in_use: Vec<u32>,
}

impl KeptColliders {
    pub(crate) fn of(colliders: &Colliders) -> Self {
        Self {
            colliders: colliders.clone(),
            in_use: colliders.in_use().collect(),
        }
    }

    /// Returns the colliders as they were.
    pub(crate) fn to_colliders(&self) -> Colliders {
        let mut colliders = self.colliders.clone();
        colliders.find_slots(&self.in_use);
        colliders
    }

    /// Replaces each known entity by the one that `mapper` has for it.
    pub(crate) fn map_entities(&mut self, mapper: &mut impl EntityMapper) {
        let before = self.colliders.entities.clone();
        self.colliders.map_entities(mapper);
        let now = &self.colliders.entities;
        // A new entity may have the index of one that is gone but not yet removed here: new ones come last, so that they get the index.
        let is_new = |slot: &u32| now[*slot as usize] != before[*slot as usize];
        self.in_use.sort_by_key(is_new);
    }
}
