//! Which slot an entity has, and sets of slots. Nothing here knows what is in a slot.

use bevy::ecs::entity::Entity;

/// No slot.
const NONE: u32 = u32::MAX;

/// Slots by entity: an array by the entity's index, which is much faster than a map, and stores the generation.
#[derive(Debug, Default)]
pub(crate) struct SlotOf {
    /// Generation and slot.
    by_index: Vec<(u32, u32)>,
}

impl Clone for SlotOf {
    /// The clone is empty: a `CollisionMemory` lists [the slots in use](super::kept::KeptColliders) instead, which takes less memory.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl SlotOf {
    #[inline]
    pub(crate) fn get(&self, entity: Entity) -> Option<usize> {
        let &(generation, slot) = self.by_index.get(entity.index_u32() as usize)?;
        (slot != NONE && generation == entity.generation().to_bits()).then_some(slot as usize)
    }

    /// The indices of all entities that have a slot, or had one, are below this.
    pub(crate) fn indices(&self) -> usize {
        self.by_index.len()
    }

    /// Returns the slot of an earlier entity with the same index, which must have been despawned.
    pub(crate) fn predecessor(&self, entity: Entity) -> Option<usize> {
        let &(generation, slot) = self.by_index.get(entity.index_u32() as usize)?;
        (slot != NONE && generation != entity.generation().to_bits()).then_some(slot as usize)
    }

    pub(crate) fn insert(&mut self, entity: Entity, slot: usize) {
        let index = entity.index_u32() as usize;
        if self.by_index.len() <= index {
            self.by_index.resize(index + 1, (0, NONE));
        }
        self.by_index[index] = (entity.generation().to_bits(), slot as u32);
    }

    /// Removes an entity, unless its index belongs to another one already.
    pub(crate) fn remove(&mut self, entity: Entity) {
        if self.get(entity).is_some() {
            self.by_index[entity.index_u32() as usize].1 = NONE;
        }
    }
}

/// A set of slots: `O(1)` to change, and its members are a slice.
#[derive(Clone, Debug, Default)]
pub(crate) struct SlotSet {
    members: Vec<u32>,
    /// The index of each slot among the members.
    at: Vec<u32>,
}

impl SlotSet {
    /// In no meaningful order.
    pub(crate) fn members(&self) -> &[u32] {
        &self.members
    }

    pub(crate) fn contains(&self, slot: usize) -> bool {
        self.at.get(slot).is_some_and(|&at| at != NONE)
    }

    pub(crate) fn insert(&mut self, slot: usize) {
        if self.at.len() <= slot {
            self.at.resize(slot + 1, NONE);
        }
        if self.at[slot] == NONE {
            self.at[slot] = self.members.len() as u32;
            self.members.push(slot as u32);
        }
    }

    pub(crate) fn remove(&mut self, slot: usize) {
        if !self.contains(slot) {
            return;
        }
        let at = self.at[slot];
        self.at[slot] = NONE;
        self.members.swap_remove(at as usize);
        if let Some(&moved) = self.members.get(at as usize) {
            self.at[moved as usize] = at;
        }
    }

    pub(crate) fn set(&mut self, slot: usize, is_in: bool) {
        if is_in {
            self.insert(slot);
        } else {
            self.remove(slot);
        }
    }

    pub(crate) fn clear(&mut self) {
        for &slot in &self.members {
            self.at[slot as usize] = NONE;
        }
        self.members.clear();
    }
}
