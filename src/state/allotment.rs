//! Assigns slots to entities, and keeps the list of free ones. Nothing here knows what is in a slot.

use bevy::ecs::entity::{Entity, EntityHashMap};

use super::{free_slots::FreeSlots, slots::SlotOf};

/// The slots, and the entity that has each. A slot is not given to another entity before a report has told of the contacts that refer to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Allotment {
    slot_of: SlotOf,
    /// Number of slots that exist.
    count: u32,
    /// The lowest one is taken first: which one that is depends only on which are free, and not on the order in which they were given back.
    free: FreeSlots,
    /// Slots that were given back, and to which contacts may still refer, by the entity that had each. If it comes back meanwhile, it has the same slot again, so the contacts are its own.
    given_back: EntityHashMap<u32>,
    /// The slot that an entity gets in the coming tick, if it needs one.
    #[cfg(feature = "recorder")]
    reserved: EntityHashMap<u32>,
}

impl Allotment {
    #[inline]
    pub(crate) fn slot(&self, entity: Entity) -> Option<usize> {
        self.slot_of.get(entity)
    }

    /// The indices of all entities that have a slot are below this.
    pub(crate) fn indices(&self) -> usize {
        self.slot_of.indices()
    }

    /// Returns the slot of an earlier entity with the same index, which must have been despawned.
    pub(crate) fn predecessor(&self, entity: Entity) -> Option<usize> {
        self.slot_of.predecessor(entity)
    }

    /// Gives a slot to an entity that has none: the one that it has just given back, or a free one; adds a slot if there is neither.
    pub(crate) fn take(&mut self, entity: Entity) -> usize {
        let own = self.given_back.remove(&entity);
        let slot = own.or_else(|| self.take_free(entity));
        let slot = slot.unwrap_or_else(|| self.add());
        self.slot_of.insert(entity, slot as usize);
        slot as usize
    }

    /// Takes the slot from the entity that has it.
    pub(crate) fn give_back(&mut self, entity: Entity, slot: usize) {
        self.slot_of.remove(entity);
        self.given_back.insert(entity, slot as u32);
    }

    /// Whether contacts may still refer to the slot that an entity has given back.
    pub(crate) fn has_given_back(&self, entity: Entity) -> bool {
        self.given_back.contains_key(&entity)
    }

    /// Makes those of the slots that were given back free again to which no contact refers any more.
    pub(crate) fn release(&mut self, is_over: impl Fn(Entity) -> bool) {
        let over = self.given_back.extract_if(|entity, _| is_over(*entity));
        over.for_each(|(_, slot)| self.free.insert(slot));
    }

    /// Replaces all assignments of slots by these. `entities` has for each slot the entity that has it, or had it last.
    pub(crate) fn replace_all(
        &mut self,
        holders: impl Iterator<Item = (Entity, usize)>,
        entities: &[Entity],
    ) {
        let given_back = self.given_back.values();
        let given_back = given_back.map(|&slot| (entities[slot as usize], slot));
        self.given_back = given_back.collect();
        self.slot_of = SlotOf::default();
        for (entity, slot) in holders {
            self.slot_of.insert(entity, slot);
        }
    }

    fn add(&mut self) -> u32 {
        let slot = self.count;
        self.count = slot.checked_add(1).expect("fewer than 2^32 colliders");
        slot
    }
}

#[cfg(not(feature = "recorder"))]
impl Allotment {
    fn take_free(&mut self, _: Entity) -> Option<u32> {
        self.free.take_lowest()
    }
}

#[cfg(feature = "recorder")]
impl Allotment {
    /// Reserves slots for the coming tick, for entities that have none: used by a replay. Slots break ties between what is the same in every other respect, and
    /// the assignment of slots depends on the order in which earlier entities came and went.
    pub(crate) fn reserve(&mut self, slots: EntityHashMap<u32>) {
        self.reserved = slots;
    }

    fn take_free(&mut self, entity: Entity) -> Option<u32> {
        if self.reserved.is_empty() {
            return self.free.take_lowest();
        }
        let Some(slot) = self.reserved.remove(&entity) else {
            let is_reserved = |slot: &u32| self.reserved.values().any(|other| other == slot);
            let slot = self.free.iter().find(|slot| !is_reserved(slot))?;
            self.free.remove(slot);
            return Some(slot);
        };
        while self.count <= slot {
            let new = self.add();
            self.free.insert(new);
        }
        self.free.remove(slot).then_some(slot)
    }
}
