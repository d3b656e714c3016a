//! Colliders that were added since the last tick, for queries that cannot wait for the next one.

use bevy::ecs::{
    entity::{Entity, EntityIndexMap, EntityMapper},
    prelude::{Commands, Resource},
};

use super::{
    colliders::{Colliders, Gathered},
    slots::SlotSet,
};

/// Colliders whose component was inserted since the last detection, as they were at insertion. Empty unless queries ask for them.
///
/// After gather, a collider has a slot, but no search finds it before detect has run; until then it remains a newcomer. A collider added between the two stages remains one until it has been through both.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Newcomers {
    /// Notes a collider that is about to be enabled again. Only there if queries ask for newcomers; otherwise, none are noted.
    pub(crate) note_enabled: Option<fn(&mut Commands, Entity)>,
    /// Colliders may have been disabled since; the ECS shows that only by leaving them out of queries.
    may_lack_disabled: bool,
    /// The index may contain colliders that were found to be gone.
    may_be_gone: bool,
    all: EntityIndexMap<Newcomer>,
    /// Colliders that are not wholly where the newest tick has gathered them.
    placed_anew: EntityIndexMap<Place>,
    /// Slots that newcomers already had: the data there is out of date.
    replaced: SlotSet,
    /// The same for newcomers that gather has read since, and the slots that they got.
    replaced_before: SlotSet,
}

#[derive(Clone, Debug)]
struct Newcomer {
    gathered: Gathered<'static>,
    /// The newest tick has gathered the collider, too.
    has_slot: bool,
}

/// What of a collider's place is still as the newest tick has gathered it, whatever the `Transform`s say meanwhile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// All of it.
    #[default]
    Same,
    /// The position of its body: the collider has got or lost a shape, which lies on the body as at that moment.
    OfBody,
    /// Nothing: it has got or lost a parent, so the same `Transform` means another place.
    New,
}

impl Newcomers {
    /// Whether queries ask for newcomers, so that they are noted.
    pub(crate) fn are_noted(&self) -> bool {
        self.note_enabled.is_some()
    }

    /// Notes that colliders may have been disabled.
    pub(crate) fn note_disabled(&mut self) {
        self.may_lack_disabled |= self.are_noted();
    }

    /// Notes a new collider, and its slot if it has one already.
    pub(crate) fn note(&mut self, slot: Option<usize>, gathered: Gathered<'static>) {
        self.replace(slot);
        let newcomer = Newcomer {
            gathered,
            has_slot: false,
        };
        self.all.insert(gathered.entity, newcomer);
    }

    /// Notes that a collider takes no part any more.
    pub(crate) fn leave_out(&mut self, entity: Entity, slot: Option<usize>) {
        self.replace(slot);
        self.all.swap_remove(&entity);
    }

    fn replace(&mut self, slot: Option<usize>) {
        if let Some(slot) = slot {
            self.replaced.insert(slot);
        }
    }

    /// Notes what of a collider's place stays as the newest tick has gathered it, besides what was noted before. Returns what stays after all.
    pub(crate) fn place(&mut self, entity: Entity, place: Place) -> Place {
        let noted = self.placed_anew.get(&entity).copied();
        let place = place.max(noted.unwrap_or_default());
        if place != Place::Same {
            self.placed_anew.insert(entity, place);
        }
        place
    }

    /// Removes a collider that is gone.
    pub(crate) fn forget(&mut self, entity: Entity) {
        self.all.swap_remove(&entity);
        self.placed_anew.swap_remove(&entity);
    }

    /// Restores the newcomers of an earlier tick. Colliders that this tick knows may be gone or disabled by now.
    pub(crate) fn go_back(&mut self, then: &Self) {
        let note_enabled = self.note_enabled;
        self.clone_from(then);
        self.note_enabled = note_enabled;
        self.may_lack_disabled = self.are_noted();
        self.may_be_gone = self.are_noted();
    }

    /// Keeps those for which `is_there` holds.
    pub(crate) fn retain(&mut self, is_there: impl Fn(Entity) -> bool) {
        self.all.retain(|&entity, _| is_there(entity));
    }

    /// Replaces each known entity by the one that `mapper` has for it.
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
        let placed_anew = std::mem::take(&mut self.placed_anew).into_iter();
        self.placed_anew = placed_anew
            .map(|(entity, place)| (mapper.get_mapped(entity), place))
            .collect();
    }

    /// Returns the number of newcomers.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// Returns a newcomer by its number, which must be less than the count.
    pub(crate) fn get(&self, number: usize) -> &Gathered<'static> {
        let newcomer = self.all.get_index(number);
        let (_, newcomer) = newcomer.expect("a number less than the count");
        &newcomer.gathered
    }

    /// Returns the number of a collider, if it is a newcomer.
    pub(crate) fn number_of(&self, entity: Entity) -> Option<usize> {
        self.all.get_index_of(&entity)
    }

    pub(crate) fn of(&self, entity: Entity) -> Option<&Gathered<'static>> {
        self.all.get(&entity).map(|newcomer| &newcomer.gathered)
    }

    /// Whether the data in a slot is out of date.
    #[inline]
    pub(crate) fn replaces(&self, slot: usize) -> bool {
        self.replaced.contains(slot) || self.replaced_before.contains(slot)
    }

    /// Whether all colliders that the tick knows are certainly still there.
    pub(crate) fn are_others_there(&self) -> bool {
        !self.may_lack_disabled && !self.may_be_gone
    }

    /// Whether there are no newcomers, and no slot is out of date.
    pub(crate) fn is_empty(&self) -> bool {
        let replaced = [&self.replaced, &self.replaced_before];
        self.all.is_empty() && replaced.iter().all(|slots| slots.members().is_empty())
    }

    /// Call this when a tick has gathered all colliders; `are_some_gone` tells whether it found that some are gone.
    pub(crate) fn end_gathering(&mut self, colliders: &Colliders, are_some_gone: bool) {
        self.may_be_gone |= are_some_gone || self.may_lack_disabled;
        self.may_lack_disabled = false;
        for &slot in self.replaced.members() {
            self.replaced_before.insert(slot as usize);
        }
        self.replaced.clear();
        self.placed_anew.clear();
        for (entity, newcomer) in &mut self.all {
            newcomer.has_slot = true;
            if let Some(slot) = colliders.slot(*entity) {
                self.replaced_before.insert(slot);
            }
        }
    }

    /// Call this after detection: all gathered colliders are in the index now.
    pub(crate) fn end_detection(&mut self) {
        self.may_be_gone = false;
        self.all.retain(|_, newcomer| !newcomer.has_slot);
        self.replaced_before.clear();
    }
}
