//! The record of a tick: only what differs from the tick before.

use bevy::{ecs::entity::Entity, math::Vec2, transform::components::Transform};
use serde::{Deserialize, Serialize};

use super::{bits::SameBits, error::Senseless};
use crate::{
    components::{Body, CollisionLayers, Rider, Swept, Velocity},
    kernel::{Outline, Shape},
    placed::{Meeting, Placed, SlotPair},
    query::ColliderView,
    settings::CollisionSettings,
    state::colliders::Colliders,
    sweep::Hit,
};

/// A tick, as the difference to the one before it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) tick: u64,
    pub(super) nanoseconds: u64,
    pub(super) settings: Option<CollisionSettings>,
    /// What the game did before the tick.
    pub(super) inputs: Changes,
    pub(super) outcome: Outcome,
}

/// What has changed among the entities, by their indices; `None` for a component that was removed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Changes {
    pub(super) gone: Vec<u32>,
    pub(super) came: Vec<Entity>,
    /// New places of `Transform`s in which only x and y have changed.
    pub(super) places: Vec<(u32, Vec2)>,
    pub(super) transforms: Vec<(u32, Option<Transform>)>,
    pub(super) parents: Vec<(u32, Option<u32>)>,
    pub(super) velocities: Vec<(u32, Option<Velocity>)>,
    pub(super) swept: Vec<(u32, Option<Swept>)>,
    pub(super) riders: Vec<(u32, Option<Rider>)>,
    /// Serialized, as in [`Known`](super::entities::Known).
    pub(super) attributes: Vec<(u32, Box<[u8]>)>,
}

/// The results of a tick.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Outcome {
    pub(super) slots: Vec<(u32, Option<SlotRecord>)>,
    /// By slot, places of bodies that do not follow from what else is known.
    pub(super) places: Vec<(u32, Vec2)>,
    /// What movers had passed when the tick began.
    pub(super) passed: Vec<Hit>,
    /// New contacts, and those that have changed; sorted by slots.
    pub(super) met: Vec<Meeting>,
    /// Contacts that have ended; sorted by slots.
    pub(super) parted: Vec<SlotPair>,
    /// By slot of the body: a leg of its path with both ends; `None` for the straight one from where the body was to where it is now.
    pub(super) legs: Vec<(u32, Option<[Vec2; 2]>)>,
    /// Whether anything was swept. Then the next sweep takes it that all colliders have been told what they are in, except for those that something else has moved or changed since.
    pub(super) is_swept: bool,
    /// What the tick wrote to components, as far as it does not follow from the places.
    pub(super) written: Changes,
}

/// What is known of a slot: a collider, or a body without a collider of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SlotRecord {
    /// Index of the entity.
    pub(super) entity: u32,
    /// The slot of the body.
    pub(super) body: u32,
    kind: Body,
    /// Whether there is a collider; else it is a body for the colliders of its children.
    is_collider: bool,
    is_sensor: bool,
    is_room: bool,
    /// Half size and radius. This and the following fields are the bits of floats, so that they are equal if their bits are.
    outline: [u32; 3],
    offset: [u32; 2],
    one_way: [u32; 2],
    surface_velocity: [u32; 2],
    layers: CollisionLayers,
}

impl SlotRecord {
    /// Reads a slot that is in use.
    pub(super) fn new(colliders: &Colliders, slot: usize) -> Self {
        let entity = colliders.entities[slot];
        let Placed {
            outline,
            offset,
            body,
        } = colliders.placed[slot];
        let record = Self {
            entity: entity.index_u32(),
            body,
            kind: colliders.body_states[body as usize].rank.into(),
            ..Self::default()
        };
        if colliders.slot(entity) != Some(slot) {
            // All other fields are left over from the slot's former collider.
            return record;
        }
        let bits = |value: Vec2| value.to_array().map(f32::to_bits);
        let (is_room, [x, y], radius) = match outline {
            Outline::Shape(shape) => (false, bits(shape.half_size()), shape.radius()),
            Outline::Bounds(half_size) => (true, bits(half_size), 0.0),
        };
        let traits = &colliders.traits[slot];
        Self {
            is_collider: true,
            is_sensor: traits.sensor,
            is_room,
            outline: [x, y, radius.to_bits()],
            offset: bits(offset),
            one_way: bits(traits.one_way),
            surface_velocity: bits(colliders.rare.surface_velocity(slot)),
            layers: traits.layers,
            ..record
        }
    }

    /// Returns the collider with these entities of its own and its body's, at this place of the body; `None` if there is no collider.
    pub(super) fn view(&self, entity: Entity, body: Entity, place: Vec2) -> Option<ColliderView> {
        let vector = |bits: [u32; 2]| Vec2::from_array(bits.map(f32::from_bits));
        let one_way = vector(self.one_way);
        Some(ColliderView {
            entity,
            body,
            kind: self.kind,
            center: place + vector(self.offset),
            outline: self.outline().ok().filter(|_| self.is_collider)?,
            is_sensor: self.is_sensor,
            one_way: (one_way != Vec2::ZERO).then_some(one_way),
            surface_velocity: vector(self.surface_velocity),
            layers: self.layers,
        })
    }

    pub(super) fn outline(&self) -> Result<Outline, Senseless> {
        let [x, y, radius] = self.outline.map(f32::from_bits);
        let shape = Shape::from_parts(Vec2::new(x, y), radius);
        let shape = shape.map_err(|_| "a shape is not valid")?;
        Ok(if self.is_room {
            Outline::Bounds(shape.half_size())
        } else {
            Outline::Shape(shape)
        })
    }
}

impl Outcome {
    /// Lists the contacts that have come, changed or ended. Both inputs are sorted by slots.
    pub(super) fn compare_contacts<'a>(
        &mut self,
        before: &[Meeting],
        now: impl Iterator<Item = &'a Meeting>,
    ) {
        let mut before = before.iter().peekable();
        for new in now {
            while let Some(gone) = before.next_if(|old| old.slots < new.slots) {
                self.parted.push(gone.slots);
            }
            let known = before.next_if(|old| old.slots == new.slots);
            if !known.is_some_and(|old| old.same_bits(new)) {
                self.met.push(*new);
            }
        }
        self.parted.extend(before.map(|gone| gone.slots));
    }

    /// Returns the contacts after this tick.
    pub(super) fn merge_contacts(&self, before: &[Meeting]) -> Result<Vec<Meeting>, Senseless> {
        let is_gone = |slots: &SlotPair| self.parted.binary_search(slots).is_ok();
        let is_new = |slots| {
            self.met
                .binary_search_by_key(&slots, |new| new.slots)
                .is_ok()
        };
        let stay = |old: &&Meeting| !is_gone(&old.slots) && !is_new(old.slots);
        let mut contacts: Vec<Meeting> = before.iter().filter(stay).copied().collect();
        contacts.extend(&self.met);
        contacts.sort_by_key(|contact| contact.slots);
        let is_in_order = |pair: &[Meeting]| pair[0].slots < pair[1].slots;
        if !contacts.windows(2).all(is_in_order) {
            return Err("a pair has two contacts");
        }
        Ok(contacts)
    }
}

#[cfg(test)]
mod full;
