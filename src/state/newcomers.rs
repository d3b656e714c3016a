//! Colliders that came since the last tick, for those who cannot wait for the next one.

use bevy::ecs::{
    entity::{Entity, EntityIndexMap, EntityMapper},
    prelude::Resource,
};

use super::{
    colliders::{Colliders, Gathered},
    slots::SlotSet,
};

/// Colliders whose component was inserted since the last detection, as they were then. Empty as long as nobody asks for them.
///
/// Whoever was gathered has a slot, but is in no index before he has been detected; so between the two he is still one of these. Who comes between the two is one until he has been through both.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Newcomers {
    /// Whether somebody asks for them, so that they are noted.
    pub(crate) are_noted: bool,
    /// Somebody may have been disabled since, of which the ECS tells by leaving him out.
    pub(crate) may_lack_disabled: bool,
    /// The index may have some that were found to be gone.
    may_be_gone: bool,
    all: EntityIndexMap<Newcomer>,
    /// Slots of those that had one: what is known there is out of date.
    replaced: SlotSet,
    /// The same of those that have been gathered, and of the slots that they got.
    replaced_before: SlotSet,
}

#[derive(Clone, Debug)]
struct Newcomer {
    gathered: Gathered<'static>,
    /// The newest tick has gathered him, too.
    has_slot: bool,
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
            Some(gathered) => {
                let newcomer = Newcomer {
                    gathered,
                    has_slot: false,
                };
                self.all.insert(entity, newcomer)
            }
            None => self.all.swap_remove(&entity),
        };
    }

    /// One is gone.
    pub(crate) fn forget(&mut self, entity: Entity) {
        self.all.swap_remove(&entity);
    }

    /// The tick is an earlier one, since which these came. Some that it knows may be gone by now, or have been disabled.
    pub(crate) fn go_back(&mut self, then: &Self) {
        let are_noted = self.are_noted;
        self.clone_from(then);
        self.are_noted = are_noted;
        self.may_lack_disabled = are_noted;
        self.may_be_gone = are_noted;
    }

    /// Keeps those for whom that holds.
    pub(crate) fn retain(&mut self, is_there: impl Fn(Entity) -> bool) {
        self.all.retain(|&entity, _| is_there(entity));
    }

    /// Who was one entity is another one now.
    pub(crate) fn map_entities(&mut self, mapper: &mut impl EntityMapper) {
        let all = std::mem::take(&mut self.all).into_iter();
        let all = all.map(|(entity, mut newcomer)| {
            let Gathered {
                entity: own,
                body,
                root,
                ..
            } = &mut newcomer.gathered;
            for one in [own, body, root] {
                *one = mapper.get_mapped(*one);
            }
            (mapper.get_mapped(entity), newcomer)
        });
        self.all = all.collect();
    }

    /// How many they are.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// One by its number, which is less than their count.
    pub(crate) fn get(&self, number: usize) -> &Gathered<'static> {
        let newcomer = self.all.get_index(number);
        let (_, newcomer) = newcomer.expect("a number less than the count");
        &newcomer.gathered
    }

    /// The number of one, if he is among them.
    pub(crate) fn number_of(&self, entity: Entity) -> Option<usize> {
        self.all.get_index_of(&entity)
    }

    pub(crate) fn of(&self, entity: Entity) -> Option<&Gathered<'static>> {
        self.all.get(&entity).map(|newcomer| &newcomer.gathered)
    }

    /// Whether what a slot holds is out of date.
    #[inline]
    pub(crate) fn replaces(&self, slot: usize) -> bool {
        self.replaced.contains(slot) || self.replaced_before.contains(slot)
    }

    /// Whether each that the tick knows is still there.
    pub(crate) fn are_others_there(&self) -> bool {
        !self.may_lack_disabled && !self.may_be_gone
    }

    /// Whether nobody has come, and nothing that is known is out of date.
    pub(crate) fn is_empty(&self) -> bool {
        let replaced = [&self.replaced, &self.replaced_before];
        self.all.is_empty() && replaced.iter().all(|slots| slots.members().is_empty())
    }

    /// A tick has gathered all that there are, and found out whether some are gone.
    pub(crate) fn end_gathering(&mut self, colliders: &Colliders, are_some_gone: bool) {
        self.may_be_gone |= are_some_gone || self.may_lack_disabled;
        self.may_lack_disabled = false;
        for &slot in self.replaced.members() {
            self.replaced_before.insert(slot as usize);
        }
        self.replaced.clear();
        for (entity, newcomer) in &mut self.all {
            newcomer.has_slot = true;
            if let Some(slot) = colliders.slot(*entity) {
                self.replaced_before.insert(slot);
            }
        }
    }

    /// All that were gathered are in the index now.
    pub(crate) fn end_detection(&mut self) {
        self.may_be_gone = false;
        self.all.retain(|_, newcomer| !newcomer.has_slot);
        self.replaced_before.clear();
    }
}
