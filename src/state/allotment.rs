//! Assigns slots to entities, and keeps the list of free ones. Nothing here knows what is in a slot.

#[cfg(feature = "recorder")]
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::entity::{Entity, EntityHashSet};

use super::slots::{SlotOf, SlotSet};

/// The slots, and the entity that has each. A slot is not given to another entity within a tick, because contacts of the last tick still refer to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Allotment {
    slot_of: SlotOf,
    /// Number of slots that exist.
    count: u32,
    free: Vec<u32>,
    /// Slots that were given back in this tick, and wait until its end.
    given_back: Vec<u32>,
    /// During a tick, the slots of bodies without a collider that were not asked for yet: a body that asks gets the slot that it had.
    bare: Vec<u32>,
    /// The bodies that had the slots in `bare`; filled once a body asked that had none of them.
    had_bare: Option<EntityHashSet>,
    /// The slot that an entity gets in the coming tick, if it needs one.
    #[cfg(feature = "recorder")]
    reserved: EntityHashMap<u32>,
}

impl Allotment {
    #[inline]
    pub(crate) fn slot(&self, entity: Entity) -> Option<usize> {
        self.slot_of.get(entity)
    }

    /// The indices of all entities that have a slot, or had one, are below this.
    pub(crate) fn indices(&self) -> usize {
        self.slot_of.indices()
    }

    /// Returns the slot of an earlier entity with the same index, which must have been despawned.
    pub(crate) fn predecessor(&self, entity: Entity) -> Option<usize> {
        self.slot_of.predecessor(entity)
    }

    /// Gives a slot to an entity that has none; adds a slot if none is free.
    pub(crate) fn take(&mut self, entity: Entity) -> usize {
        let slot = self.take_free(entity).unwrap_or_else(|| self.add());
        self.slot_of.insert(entity, slot as usize);
        slot as usize
    }

    /// Gives a body without a collider the slot that it had in the last tick; otherwise, the colliders of its children would have to be read anew. A body whose own collider was removed in this tick gets that slot again, as if
    /// its children had asked before the removal. `had_by` holds, by slot, the entity that had it last.
    pub(crate) fn take_back(&mut self, body: Entity, had_by: &[Entity]) {
        let Self {
            bare,
            had_bare,
            given_back,
            slot_of,
            ..
        } = self;
        let had_one = had_bare.as_ref().is_none_or(|all| all.contains(&body));
        let bare = had_one.then_some(bare);
        for list in bare.into_iter().chain([given_back]) {
            // Bodies ask in the order of the last tick, and the first one's slot comes last in the list: search from the end.
            let mut slots = list.iter();
            if let Some(at) = slots.rposition(|slot| had_by[*slot as usize] == body) {
                slot_of.insert(body, list.remove(at) as usize);
                return;
            }
        }
        // New bodies may ask as well: a set of the old ones spares each of them a search through the list.
        if had_bare.is_none() {
            let had = self.bare.iter().map(|slot| had_by[*slot as usize]);
            self.had_bare = Some(had.collect());
        }
    }

    /// Takes the slot from the entity that has it.
    pub(crate) fn give_back(&mut self, entity: Entity, slot: usize) {
        self.slot_of.remove(entity);
        self.given_back.push(slot as u32);
    }

    /// Whether any were given back in this tick.
    pub(crate) fn are_some_given_back(&self) -> bool {
        !self.given_back.is_empty()
    }

    /// Leaves an entity the slot that it gave back; the slot must be among those [kept](Self::keep_all).
    pub(crate) fn keep(&mut self, entity: Entity, slot: usize) {
        self.slot_of.insert(entity, slot);
    }

    /// Takes these slots out of the list of those given back.
    pub(crate) fn keep_all(&mut self, kept: &SlotSet) {
        self.given_back
            .retain(|&slot| !kept.contains(slot as usize));
    }

    /// Begins a tick. All slots given back before are those of bodies without a collider, to which no contact refers.
    pub(crate) fn begin_tick(&mut self) {
        let waiting = if self.are_some_reserved() {
            &mut self.free
        } else {
            &mut self.bare
        };
        waiting.append(&mut self.given_back);
        self.had_bare = None;
    }

    /// Makes slots that were given back free again.
    pub(crate) fn end_tick(&mut self) {
        self.free.append(&mut self.given_back);
        self.free.append(&mut self.bare);
    }

    /// Replaces all assignments of slots by these.
    pub(crate) fn replace_all(&mut self, holders: impl Iterator<Item = (Entity, usize)>) {
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
    fn are_some_reserved(&self) -> bool {
        false
    }

    fn take_free(&mut self, _: Entity) -> Option<u32> {
        self.free.pop()
    }
}

#[cfg(feature = "recorder")]
impl Allotment {
    /// Reserves slots for the coming tick, for entities that have none or are about to ask again: used by a replay. Slots break ties between what is the same in every other respect, and
    /// the assignment of slots depends on the order in which earlier entities came and went.
    pub(crate) fn reserve(&mut self, slots: EntityHashMap<u32>) {
        self.reserved = slots;
    }

    fn are_some_reserved(&self) -> bool {
        !self.reserved.is_empty()
    }

    fn take_free(&mut self, entity: Entity) -> Option<u32> {
        if self.reserved.is_empty() {
            return self.free.pop();
        }
        let Some(slot) = self.reserved.remove(&entity) else {
            let is_reserved = |slot: &u32| self.reserved.values().any(|other| other == slot);
            let at = self.free.iter().rposition(|slot| !is_reserved(slot))?;
            return Some(self.free.remove(at));
        };
        while self.count <= slot {
            let new = self.add();
            self.free.push(new);
        }
        let at = self.free.iter().rposition(|free| *free == slot)?;
        Some(self.free.remove(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each entity gets its old slot again, in any order, and with others between that had none.
    #[test]
    fn bodies_get_their_slots_again() {
        let entity = |number: u32| Entity::from_raw_u32(number).expect("small enough");
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..50 {
            let mut allotment = Allotment::default();
            let mut had_by = Vec::new();
            let old: Vec<Entity> = (0..random.u32(0..20)).map(entity).collect();
            for &one in &old {
                let slot = allotment.take(one);
                assert_eq!(slot, had_by.len());
                had_by.push(one);
            }
            for (slot, &one) in old.iter().enumerate() {
                allotment.give_back(one, slot);
            }
            allotment.begin_tick();
            let mut all: Vec<Entity> = (0..40).map(entity).collect();
            random.shuffle(&mut all);
            for one in all {
                allotment.take_back(one, &had_by);
                let slot = had_by.iter().position(|had| *had == one);
                assert_eq!(allotment.slot(one), slot);
            }
            assert!(allotment.bare.is_empty());
            allotment.end_tick();
        }
    }
}
