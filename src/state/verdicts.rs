//! What the game's filters say of two slots.

use bevy::ecs::prelude::World;

use super::colliders::{Colliders, entity_key};
use crate::{
    components::Response,
    filters::{CollisionFilters, Pair, Verdict},
};

/// The game's filters, ready to be asked.
pub(crate) struct Filters<'a> {
    world: &'a World,
    filters: Option<&'a CollisionFilters>,
}

impl<'a> Filters<'a> {
    pub(crate) fn new(world: &'a World) -> Self {
        Self {
            world,
            filters: world.get_resource(),
        }
    }

    /// Whether there is anybody to ask.
    pub(crate) fn are_any(&self) -> bool {
        self.filters.is_some()
    }

    /// What they say of two slots that would collide, and who says so.
    pub(crate) fn verdict(
        &self,
        colliders: &Colliders,
        a: usize,
        b: usize,
    ) -> Option<(Verdict, &'static str)> {
        let filters = self.filters?;
        filters.verdict(pair(colliders, a, b), self.world)
    }

    /// Whether two slots that would collide are to, after all.
    pub(crate) fn allow(&self, colliders: &Colliders, a: usize, b: usize) -> bool {
        let verdict = self.verdict(colliders, a, b);
        !verdict.is_some_and(|(verdict, _)| verdict == Verdict::Ignore)
    }

    /// What two slots that stop each other do, if it is not as their components say.
    pub(crate) fn response(&self, colliders: &Colliders, a: usize, b: usize) -> Option<Response> {
        match self.verdict(colliders, a, b) {
            Some((Verdict::Respond(response), _)) => Some(response),
            _ => None,
        }
    }

    /// Whether two slots that would stop or push each other are to, after all.
    pub(crate) fn allow_stop(&self, colliders: &Colliders, a: usize, b: usize) -> bool {
        let verdict = self.verdict(colliders, a, b);
        let passes =
            |verdict| matches!(verdict, Verdict::Ignore | Verdict::Respond(Response::Pass));
        !verdict.is_some_and(|(verdict, _)| passes(verdict))
    }
}

/// Two slots as a filter sees them: in the order of their entities.
fn pair(colliders: &Colliders, a: usize, b: usize) -> Pair {
    let key = |slot: usize| entity_key(colliders.entities[slot]);
    let (a, b) = if key(a) < key(b) { (a, b) } else { (b, a) };
    Pair {
        a: colliders.entities[a],
        b: colliders.entities[b],
        body_a: colliders.body_entities[a],
        body_b: colliders.body_entities[b],
    }
}
