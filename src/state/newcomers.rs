//! Colliders that came since the last tick, for those who cannot wait for the next one.

use bevy::ecs::{
    entity::{Entity, EntityIndexMap},
    prelude::Resource,
};

use super::{colliders::Gathered, slots::SlotSet};

/// Colliders whose component was inserted since the last tick gathered, as they were then. Empty after each gathering, and as long as nobody asks for them.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Newcomers {
    /// Whether somebody asks for them, so that they are noted.
    pub(crate) are_noted: bool,
    /// Somebody may have been disabled since, of which the ECS tells by leaving him out.
    pub(crate) may_lack_disabled: bool,
    gathered: EntityIndexMap<Gathered<'static>>,
    /// Slots of those that had one: what is known there is out of date.
    replaced: SlotSet,
}

impl Newcomers {
    /// Takes note of one that has this slot, or none; and of one that takes no part, which was not gathered.
    pub(crate) fn note(
        &mut self,
        entity: Entity,
        slot: Option<usize>,
        gathered: Option<Gathered<'static>>,
    ) {
        if let Some(slot) = slot {
            self.replaced.insert(slot);
        }
        match gathered {
            Some(gathered) => self.gathered.insert(entity, gathered),
            None => self.gathered.swap_remove(&entity),
        };
    }

    /// How many they are.
    pub(crate) fn count(&self) -> usize {
        self.gathered.len()
    }

    /// One by its number, which is less than their count.
    pub(crate) fn get(&self, number: usize) -> &Gathered<'static> {
        let newcomer = self.gathered.get_index(number);
        newcomer.expect("a number less than the count").1
    }

    /// The number of one, if he is among them.
    pub(crate) fn number_of(&self, entity: Entity) -> Option<usize> {
        self.gathered.get_index_of(&entity)
    }

    pub(crate) fn of(&self, entity: Entity) -> Option<&Gathered<'static>> {
        self.gathered.get(&entity)
    }

    /// Whether what a slot holds is out of date.
    #[inline]
    pub(crate) fn replaces(&self, slot: usize) -> bool {
        self.replaced.contains(slot)
    }

    /// Whether nobody has come, and nothing that is known is out of date.
    pub(crate) fn is_empty(&self) -> bool {
        self.gathered.is_empty() && self.replaced.members().is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.may_lack_disabled = false;
        self.gathered.clear();
        self.replaced.clear();
    }
}
