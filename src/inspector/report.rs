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
    /// The names of the pair, and of bodies that are entities of their own, for those that may be gone.
    pub(super) names: [Option<Name>; 4],
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
            names: [const { None }; 4],
            depth: contact.depth,
        }
    }

    /// The pair and its bodies, in the order of their names. Where a collider is its own body, that has no name of its own here.
    pub(super) fn named(&self) -> [Option<Entity>; 4] {
        let [body_a, body_b] = [0, 1].map(|side| {
            let body = self.bodies[side];
            (body != self.pair[side]).then_some(body)
        });
        [Some(self.pair[0]), Some(self.pair[1]), body_a, body_b]
    }

    /// Returns the name that an entity had, if it is one of these.
    pub(super) fn name_of(&self, entity: Entity) -> Option<&Name> {
        let at = self.named().iter().position(|one| *one == Some(entity))?;
        self.names[at].as_ref()
    }

    /// Stores the names, for when the entities are gone.
    pub(super) fn keep_names(&mut self, world: &World) {
        let named = self.named();
        for (name, entity) in self.names.iter_mut().zip(named) {
            if name.is_none() {
                *name = entity.and_then(|entity| world.get::<Name>(entity)).cloned();
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
