//! What is recorded of entities: all that the plugin reads of them, and what it writes.

use bevy::{
    ecs::{entity::Entity, name::Name},
    transform::components::Transform,
};
use serde::{Deserialize, Serialize};

use crate::components::{
    Body, BoundsCollider, BoxCollider, CircleCollider, CollisionLayers, CollisionTag,
    IgnoreCollisions, Mass, OneWay, Response, Rider, SurfaceVelocity, Swept, Velocity,
};

/// No place.
const NONE: u32 = u32::MAX;

/// What seldom changes.
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
    /// Its collider is.
    pub(super) is_disabled: bool,
    /// The entity as a whole is, by whichever component.
    pub(super) is_off: bool,
    pub(super) tag: Option<CollisionTag>,
    pub(super) name: Option<Name>,
}

/// An entity as it is known. The default has no components.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) entity: Entity,
    pub(super) transform: Option<Transform>,
    /// Index of the entity that it is a child of.
    pub(super) parent: Option<u32>,
    pub(super) velocity: Option<Velocity>,
    pub(super) swept: Option<Swept>,
    pub(super) rider: Option<Rider>,
    /// [`Attributes`] as they are kept: so they are equal if their bits are.
    pub(super) attributes: Box<[u8]>,
    /// The slot of its collider, or of the body that it is.
    pub(super) slot: Option<u32>,
    /// Which components it had when they were last looked at; for whoever looks.
    pub(super) presence: u32,
    /// When it was last met; for whoever looks.
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
            presence: 0,
            seen: 0,
        }
    }

    pub(super) fn attributes(&self) -> Option<Attributes> {
        read_attributes(&self.attributes)
    }
}

/// As they are kept. An entity of which nothing was kept has none.
pub(super) fn read_attributes(bytes: &[u8]) -> Option<Attributes> {
    if bytes.is_empty() {
        return Some(Attributes::default());
    }
    postcard::from_bytes(bytes).ok()
}

/// Entities by their index: of living ones no two have the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Register {
    members: Vec<Known>,
    /// Where each is among the members.
    at: Vec<u32>,
}

impl Register {
    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    /// In no order that means anything.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Known> {
        self.members.iter()
    }

    #[inline]
    fn at(&self, index: u32) -> Option<usize> {
        let at = *self.at.get(index as usize)?;
        (at != NONE).then_some(at as usize)
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

    /// Whether it is this one, and not another one with its index, that is known.
    pub(super) fn knows(&self, entity: Entity) -> bool {
        let known = self.get(entity.index_u32());
        known.is_some_and(|known| known.entity == entity)
    }

    /// False if its index is taken.
    pub(super) fn insert(&mut self, entity: Entity) -> bool {
        let index = entity.index_u32() as usize;
        if self.at.len() <= index {
            self.at.resize(index + 1, NONE);
        }
        let is_free = self.at[index] == NONE;
        if is_free {
            self.at[index] = self.members.len() as u32;
            self.members.push(Known::new(entity));
        }
        is_free
    }

    pub(super) fn remove(&mut self, index: u32) -> Option<Known> {
        let at = self.at(index)?;
        self.at[index as usize] = NONE;
        let gone = self.members.swap_remove(at);
        if let Some(moved) = self.members.get(at) {
            self.at[moved.entity.index_u32() as usize] = at as u32;
        }
        Some(gone)
    }
}
