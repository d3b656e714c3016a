//! A line of the list of reports.

use bevy::{
    ecs::{entity::Entity, name::Name, prelude::World},
    math::Vec2,
};

use crate::messages::{Collision, EndReason};

/// What is told of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Started,
    Ongoing,
    Ended(EndReason),
    /// The other one is what it is crushed by; it is pushed against this.
    Crushed(Option<Entity>),
}

/// A line of the list.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Report {
    pub(super) tick: u64,
    pub(super) kind: Kind,
    pub(super) pair: [Entity; 2],
    pub(super) bodies: [Entity; 2],
    /// How they were called, of those that may be gone.
    pub(super) names: [Option<Name>; 2],
    pub(super) normal: Vec2,
    pub(super) depth: f32,
}

impl Report {
    /// A pair that collides.
    pub(super) fn ongoing(tick: u64, contact: &Collision) -> Self {
        Self {
            tick,
            kind: Kind::Ongoing,
            pair: [contact.a, contact.b],
            bodies: [contact.body_a, contact.body_b],
            names: [None, None],
            normal: contact.normal,
            depth: contact.depth,
        }
    }

    /// For when they are gone.
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
