//! A row of the list of reports.

use bevy::ecs::{entity::Entity, name::Name, prelude::World};

use crate::messages::{Collision, EndReason};

/// What is reported of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Started,
    Ongoing,
    Ended(EndReason),
    /// The second entity of the pair is the one that crushes it; this is what it is pushed against.
    Crushed(Option<Entity>),
}

/// A row of the list.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Report {
    pub(super) tick: u64,
    pub(super) kind: Kind,
    pub(super) pair: [Entity; 2],
    pub(super) bodies: [Entity; 2],
    /// The names of the pair, for entities that may be gone.
    pub(super) names: [Option<Name>; 2],
    pub(super) depth: f32,
}

impl Report {
    /// Makes the report of a pair that collides.
    pub(super) fn ongoing(tick: u64, contact: &Collision) -> Self {
        Self {
            tick,
            kind: Kind::Ongoing,
            pair: [contact.a, contact.b],
            bodies: [contact.body_a, contact.body_b],
            names: [None, None],
            depth: contact.depth,
        }
    }

    /// Stores the names of the pair, for when the entities are gone.
    pub(super) fn keep_names(&mut self, world: &World) {
        for (name, entity) in self.names.iter_mut().zip(self.pair) {
            if name.is_none() {
                *name = world.get::<Name>(entity).cloned();
            }
        }
    }

    pub(super) fn involves(&self, entity: Entity) -> bool {
        let against = match self.kind {
            Kind::Crushed(against) => against,
            _ => None,
        };
        self.pair.contains(&entity) || self.bodies.contains(&entity) || against == Some(entity)
    }
}
