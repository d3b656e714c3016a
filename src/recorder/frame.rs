//! The state after a tick, and how a [`Record`] leads from one tick to the next.
//!
//! Recording and reading work the same way: a record is the difference to a frame, and the recorder brings its own frame up to date by applying that very record.

use bevy::{ecs::entity::Entity, math::Vec2, transform::components::Transform};

use super::{
    entities::{Known, Register},
    error::Senseless,
    records::{Changes, Outcome, Record, SlotRecord},
    table::Table,
};
use crate::{
    components::Swept,
    kernel::is_in_world,
    messages::Collision,
    placed::Meeting,
    query::ColliderView,
    settings::CollisionSettings,
    snapshot::Snapshot,
    state::{colliders::entity_key, paths::PathLeg, told::collision_of},
    sweep::Hit,
};

/// Entities in a file must have indices below this, so that a corrupt file does not use up all memory. An index just below it takes [little](Table).
const MOST: u32 = 1 << 24;
/// The same limit for slots, which take more memory each.
const MOST_SLOTS: u32 = 1 << 21;

/// The state after a tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    pub(super) tick: u64,
    pub(super) nanoseconds: u64,
    pub(super) settings: CollisionSettings,
    pub(super) entities: Register,
    pub(super) slots: Table<Option<SlotRecord>>,
    /// Places of bodies, by their slots.
    pub(super) places: Table<Vec2>,
    /// Sorted by slots.
    pub(super) contacts: Vec<Meeting>,
    /// By slot.
    pub(super) legs: Vec<(u32, [Vec2; 2])>,
    pub(super) is_swept: bool,
}

impl Frame {
    /// Returns what is known of a slot.
    #[inline]
    pub(super) fn slot(&self, slot: u32) -> Option<&SlotRecord> {
        self.slots.peek(slot)?.as_ref()
    }

    /// Returns the entity in a slot.
    pub(super) fn entity_in(&self, slot: u32) -> Option<Entity> {
        let known = self.entities.get(self.slot(slot)?.entity)?;
        Some(known.entity)
    }

    /// Returns where the body in a slot was when the tick was over; `None` if there is no body in it.
    pub(super) fn body_place(&self, slot: u32) -> Option<Vec2> {
        let is_body = |record: &&SlotRecord| record.body == slot;
        let record = self.slot(slot).filter(is_body);
        record.map(|_| self.places.get(slot))
    }

    /// Returns the slot and the place of a root entity: a root is where the body in its slot is.
    fn place_of_root(&self, index: u32) -> Option<(u32, Vec2)> {
        let known = self.entities.get(index)?;
        let transform = known.transform.filter(|_| known.parent.is_none())?;
        Some((known.slot?, transform.translation.truncate()))
    }

    /// Goes on to the next tick.
    pub(super) fn apply(&mut self, record: &Record) -> Result<(), Senseless> {
        self.apply_inputs(record)?;
        self.apply_slots(&record.outcome)?;
        self.apply_outcome(&record.outcome)
    }

    /// Goes on to the beginning of the next tick: applies what the game did before it.
    pub(super) fn apply_inputs(&mut self, record: &Record) -> Result<(), Senseless> {
        self.tick = record.tick;
        self.nanoseconds = record.nanoseconds;
        if let Some(settings) = record.settings {
            self.settings = settings;
        }
        let inputs = &record.inputs;
        self.apply_changes(inputs)?;
        let moved = inputs.places.iter().map(|(index, _)| *index);
        for index in moved.chain(inputs.transforms.iter().map(|(index, _)| *index)) {
            if let Some((slot, place)) = self.place_of_root(index) {
                *self.places.at_mut(slot) = place;
            }
        }
        Ok(())
    }

    /// Applies changes of entities and components, and nothing that follows from these.
    pub(super) fn apply_changes(&mut self, changes: &Changes) -> Result<(), Senseless> {
        let Changes {
            gone,
            came,
            places,
            transforms,
            parents,
            velocities,
            swept,
            riders,
            attributes,
        } = changes;
        for &index in gone {
            let gone = self
                .entities
                .remove(index)
                .ok_or("an entity is removed that the frame does not have")?;
            if let Some(slot) = gone.slot {
                *self.slots.at_mut(slot) = None;
                *self.places.at_mut(slot) = Vec2::ZERO;
            }
        }
        for &entity in came {
            if entity.index_u32() >= MOST || !self.entities.insert(entity) {
                return Err("an entity is added whose index is taken or too large");
            }
        }
        for &(index, place) in places {
            let transform = self.known(index)?.transform.as_mut();
            let transform = transform.ok_or("an entity is moved that has no `Transform`")?;
            transform.translation = place.extend(transform.translation.z);
        }
        for &(index, transform) in transforms {
            self.known(index)?.transform = transform;
        }
        for &(index, parent) in parents {
            self.known(index)?.parent = parent;
        }
        for &(index, velocity) in velocities {
            self.known(index)?.velocity = velocity;
        }
        for &(index, swept) in swept {
            let last = swept.as_ref().and_then(Swept::last);
            if !last.is_none_or(is_in_world) {
                return Err("the last place of a `Swept` is outside of the world");
            }
            self.known(index)?.swept = swept;
        }
        for &(index, rider) in riders {
            self.known(index)?.rider = rider;
        }
        for (index, attributes) in attributes {
            self.known(*index)?.attributes.clone_from(attributes);
        }
        if !(parents.is_empty() && gone.is_empty()) {
            self.entities.check_parents()?;
        }
        Ok(())
    }

    fn known(&mut self, index: u32) -> Result<&mut Known, Senseless> {
        let known = self.entities.get_mut(index);
        known.ok_or("a record names an entity that the frame does not have")
    }

    pub(super) fn apply_slots(&mut self, outcome: &Outcome) -> Result<(), Senseless> {
        let slots = &outcome.slots;
        for &(slot, record) in slots {
            if slot >= MOST_SLOTS {
                return Err("the number of a slot is too large");
            }
            // Places are kept for bodies only.
            if record.is_none_or(|record| record.body != slot) {
                *self.places.at_mut(slot) = Vec2::ZERO;
            }
            let before = std::mem::replace(self.slots.at_mut(slot), record);
            let before = before.and_then(|before| self.entities.get_mut(before.entity));
            if let Some(before) = before {
                before.slot = before.slot.filter(|of| *of != slot);
            }
        }
        for &(slot, record) in slots {
            let Some(record) = record else {
                continue;
            };
            record.outline()?;
            self.slot(record.body).ok_or("a body has no slot")?;
            self.known(record.entity)?.slot = Some(slot);
        }
        Ok(())
    }

    pub(super) fn apply_outcome(&mut self, outcome: &Outcome) -> Result<(), Senseless> {
        let mut legs = Vec::with_capacity(outcome.legs.len());
        for &(slot, leg) in &outcome.legs {
            self.slot(slot)
                .ok_or("a leg of a path is for an empty slot")?;
            let from = self.places.get(slot);
            legs.push((slot, leg.unwrap_or([from, from])));
        }
        self.apply_places(outcome)?;
        for ((slot, [_, to]), (_, leg)) in legs.iter_mut().zip(&outcome.legs) {
            if leg.is_none() {
                *to = self.places.get(*slot);
            }
        }
        self.legs = legs;
        self.is_swept = outcome.is_swept;
        self.contacts = outcome.merge_contacts(&self.contacts)?;
        let of_nobody = |contact: &Meeting| {
            let (a, b) = contact.slots;
            a >= b || self.slot(a).is_none() || self.slot(b).is_none()
        };
        if self.contacts.iter().any(of_nobody) {
            return Err("the slots of a contact are empty or not in order");
        }
        let is_of_somebody = |hit: &Hit| {
            let (a, b) = hit.slots;
            hit.is_valid() && self.slot(a).is_some() && self.slot(b).is_some()
        };
        if !outcome.passed.iter().all(is_of_somebody) {
            return Err("a passed hit is not valid, or one of its slots is empty");
        }
        self.apply_changes(&outcome.written)
    }

    /// Applies the places of bodies, and writes those of roots to their `Transform`s.
    pub(super) fn apply_places(&mut self, outcome: &Outcome) -> Result<(), Senseless> {
        for &(slot, place) in &outcome.places {
            let index = self
                .slot(slot)
                .ok_or("a place is for an empty slot")?
                .entity;
            *self.places.at_mut(slot) = place;
            let known = self.known(index)?;
            let is_root = known.parent.is_none();
            // As the tick does it: what is equal, as 0 and -0 are, is not written.
            let moved = |transform: &&mut Transform| transform.translation.truncate() != place;
            if let Some(transform) = known.transform.as_mut().filter(|_| is_root).filter(moved) {
                transform.translation = place.extend(transform.translation.z);
            }
        }
        Ok(())
    }

    /// Returns the whole state, as the difference to an empty frame.
    pub(super) fn to_record(&self) -> Record {
        let slots = || self.slots.iter();
        let bodies = slots().filter(|(slot, record)| record.is_some_and(|one| one.body == *slot));
        // In the order in which they are applied: first the entities, then their slots, and then all the rest.
        let mut written = self.to_changes();
        let came = std::mem::take(&mut written.came);
        Record {
            tick: self.tick,
            nanoseconds: self.nanoseconds,
            settings: Some(self.settings),
            inputs: Changes {
                came,
                ..Changes::default()
            },
            outcome: Outcome {
                slots: slots()
                    .filter(|(_, record)| record.is_some())
                    .map(|(slot, record)| (slot, *record))
                    .collect(),
                places: bodies
                    .map(|(slot, _)| (slot, self.places.get(slot)))
                    .collect(),
                passed: Vec::new(),
                met: self.contacts.clone(),
                parted: Vec::new(),
                legs: (self.legs.iter())
                    .map(|&(slot, leg)| (slot, Some(leg)))
                    .collect(),
                is_swept: self.is_swept,
                written,
            },
        }
    }

    /// Returns all entities, as changes to a world without any.
    pub(super) fn to_changes(&self) -> Changes {
        let mut changes = Changes::default();
        for known in self.entities.iter() {
            changes.came.push(known.entity);
            changes.list(known);
        }
        changes
    }

    /// Returns the collider in a slot, at its place.
    pub(super) fn collider(&self, slot: u32) -> Option<ColliderView> {
        let record = self.slot(slot)?;
        let [entity, body] = [slot, record.body].map(|slot| self.entity_in(slot));
        record.view(entity?, body?, self.places.get(record.body))
    }

    /// Returns a contact as it is reported.
    pub(super) fn contact(&self, meeting: &Meeting) -> Option<Collision> {
        let (a, b) = meeting.slots;
        let bodies = [self.slot(a)?.body, self.slot(b)?.body];
        let entities = |[a, b]: [u32; 2]| Some([self.entity_in(a)?, self.entity_in(b)?]);
        Some(collision_of(meeting, entities([a, b])?, entities(bodies)?))
    }

    /// Returns the part of the state that tools and drawings see.
    pub(super) fn snapshot(&self) -> Snapshot {
        let slots = self.slots.iter().map(|(slot, _)| slot);
        let mut contacts: Vec<Collision> = (self.contacts.iter())
            .filter_map(|contact| self.contact(contact))
            .collect();
        contacts.sort_unstable_by_key(|told| (entity_key(told.a), entity_key(told.b)));
        let legs = self.legs.iter().filter_map(|&(slot, [from, to])| {
            let body = self.entity_in(slot)?;
            Some(PathLeg { body, from, to })
        });
        Snapshot {
            colliders: slots.filter_map(|slot| self.collider(slot)).collect(),
            contacts,
            paths: legs.collect(),
        }
    }
}

impl Changes {
    /// Lists all components of an entity.
    fn list(&mut self, known: &Known) {
        let index = known.entity.index_u32();
        let transform: Option<Transform> = known.transform;
        self.transforms
            .extend(transform.map(|one| (index, Some(one))));
        self.parents
            .extend(known.parent.map(|one| (index, Some(one))));
        self.velocities
            .extend(known.velocity.map(|one| (index, Some(one))));
        self.swept.extend(known.swept.map(|one| (index, Some(one))));
        self.riders
            .extend(known.rider.map(|one| (index, Some(one))));
        if !known.attributes.is_empty() {
            self.attributes.push((index, known.attributes.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each entity is a child of the one before it, in a line longer than that of any game. If the ancestors of each were followed to the first one, this would take minutes.
    #[test]
    fn a_long_line_of_parents_is_gone_along_once() {
        let length = 1_000_000;
        let came = (0..length).map(|index| Entity::from_raw_u32(index).expect("small enough"));
        let parents = (1..length).map(|index| (index, Some(index - 1)));
        let mut line = Changes {
            came: came.collect(),
            parents: parents.collect(),
            ..Changes::default()
        };
        assert_eq!(Frame::default().apply_changes(&line), Ok(()));
        line.parents.push((0, Some(length - 1)));
        let result = Frame::default().apply_changes(&line);
        assert_eq!(result, Err("an entity is its own ancestor"));
        line.parents.push((0, Some(length)));
        let result = Frame::default().apply_changes(&line);
        assert_eq!(
            result,
            Err("a parent is an entity that the frame does not have")
        );
    }
}
