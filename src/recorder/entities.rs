//! What is recorded of entities: all that the plugin reads of them, and all that it writes.

use bevy::{
    ecs::{archetype::ArchetypeId, entity::Entity, name::Name},
    transform::components::Transform,
};
use serde::{Deserialize, Serialize};

use super::{error::Senseless, table::Table};
use crate::components::{
    Body, BoundsCollider, BoxCollider, CircleCollider, CollisionLayers, CollisionTag,
    IgnoreCollisions, Mass, OneWay, Response, Rider, SurfaceVelocity, Swept, Velocity,
};

/// Components that seldom change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Attributes {
    pub(super) circle: Option<CircleCollider>,
    pub(super) rectangle: Option<BoxCollider>,
    pub(super) bounds: Option<BoundsCollider>,
    pub(super) body: Option<Body>,
    pub(super) mass: Option<Mass>,
    pub(super) layers: Option<CollisionLayers>,
    pub(super) is_sensor: bool,
    pub(super) response: Option<Response>,
    pub(super) one_way: Option<OneWay>,
    pub(super) drops_through: bool,
    pub(super) surface_velocity: Option<SurfaceVelocity>,
    pub(super) ignores: Option<IgnoreCollisions>,
    /// It has a [`ColliderDisabled`](crate::components::ColliderDisabled).
    pub(super) is_disabled: bool,
    /// The entity as a whole is disabled, by Bevy's component or one of the game's own.
    pub(super) is_off: bool,
    pub(super) tag: Option<CollisionTag>,
    pub(super) name: Option<Name>,
}

/// What is known of an entity.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) entity: Entity,
    pub(super) transform: Option<Transform>,
    /// Index of the entity that it is a child of.
    pub(super) parent: Option<u32>,
    pub(super) velocity: Option<Velocity>,
    pub(super) swept: Option<Swept>,
    pub(super) rider: Option<Rider>,
    /// The serialized [`Attributes`], so that two are equal if their bits are.
    pub(super) attributes: Box<[u8]>,
    /// The slot of its collider, or of the body if it has no collider of its own.
    pub(super) slot: Option<u32>,
    /// At the last look, if it was there: its archetype, and whether it was disabled; written by the watch only.
    pub(super) kind: Option<(ArchetypeId, bool)>,
    /// The tick before which it was last met; written by the watch only.
    pub(super) seen: u64,
}

impl Known {
    pub(super) fn new(entity: Entity) -> Self {
        Self {
            entity,
            transform: None,
            parent: None,
            velocity: None,
            swept: None,
            rider: None,
            attributes: Box::default(),
            slot: None,
            kind: None,
            seen: 0,
        }
    }

    pub(super) fn attributes(&self) -> Option<Attributes> {
        read_attributes(&self.attributes)
    }
}

/// Deserializes attributes. Empty bytes stand for none.
pub(super) fn read_attributes(bytes: &[u8]) -> Option<Attributes> {
    if bytes.is_empty() {
        return Some(Attributes::default());
    }
    postcard::from_bytes(bytes).ok()
}

/// The known entities, by their index: no two living ones have the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Register {
    members: Vec<Known>,
    /// The position of each in `members`, counted from 1; 0 stands for none.
    at: Table<u32>,
}

impl Register {
    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns all members, in no particular order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Known> {
        self.members.iter()
    }

    #[inline]
    fn at(&self, index: u32) -> Option<usize> {
        let at = self.at.get(index).checked_sub(1)?;
        Some(at as usize)
    }

    #[inline]
    pub(super) fn get(&self, index: u32) -> Option<&Known> {
        Some(&self.members[self.at(index)?])
    }

    #[inline]
    pub(super) fn get_mut(&mut self, index: u32) -> Option<&mut Known> {
        let at = self.at(index)?;
        Some(&mut self.members[at])
    }

    /// Whether exactly this entity is known, and not another generation of its index.
    pub(super) fn knows(&self, entity: Entity) -> bool {
        let known = self.get(entity.index_u32());
        known.is_some_and(|known| known.entity == entity)
    }

    /// Adds an entity without components. Returns false, and adds nothing, if its index is taken.
    pub(super) fn insert(&mut self, entity: Entity) -> bool {
        let at = self.at.at_mut(entity.index_u32());
        let is_free = *at == 0;
        if is_free {
            self.members.push(Known::new(entity));
            *at = self.members.len() as u32;
        }
        is_free
    }

    pub(super) fn remove(&mut self, index: u32) -> Option<Known> {
        let at = self.at(index)?;
        *self.at.at_mut(index) = 0;
        let gone = self.members.swap_remove(at);
        if let Some(moved) = self.members.get(at) {
            *self.at.at_mut(moved.entity.index_u32()) = at as u32 + 1;
        }
        Some(gone)
    }

    /// Checks that every parent is known, and that no entity is its own ancestor.
    pub(super) fn check_parents(&self) -> Result<(), Senseless> {
        // The number of the walk on which each member was met. The ancestors of a member of an earlier walk have already been checked.
        let mut met = vec![0; self.members.len()];
        for (walk, mut at) in (1_u32..).zip(0..self.members.len()) {
            while let Some(parent) = self.members[at].parent {
                match std::mem::replace(&mut met[at], walk) {
                    0 => {}
                    before if before == walk => return Err("an entity is its own ancestor"),
                    _ => break,
                }
                at = self
                    .at(parent)
                    .ok_or("a parent is an entity that the frame does not have")?;
            }
        }
        Ok(())
    }
}
