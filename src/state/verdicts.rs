//! What the game's filters decide about two slots.

use bevy::ecs::prelude::World;

use super::{
    colliders::{Colliders, entity_key},
    rules::may_stop,
};
use crate::{
    components::Response,
    filters::{CollisionFilters, Pair, Verdict},
};

/// The game's filters, ready to be called.
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

    /// Whether the game has no filters.
    pub(crate) fn is_empty(&self) -> bool {
        self.filters.is_none()
    }

    /// Returns the verdict about two slots that would collide, unless it is `Collide`, and the name of the filter that gave it.
    pub(crate) fn named_verdict(
        &self,
        colliders: &Colliders,
        a: usize,
        b: usize,
    ) -> Option<(Verdict, &'static str)> {
        let filters = self.filters?;
        filters.verdict(pair(colliders, a, b), self.world)
    }

    /// Returns the verdict about two slots that would collide.
    pub(crate) fn verdict(&self, colliders: &Colliders, a: usize, b: usize) -> Verdict {
        let named = self.named_verdict(colliders, a, b);
        named.map_or(Verdict::Collide, |(verdict, _)| verdict)
    }

    /// Whether the filters let two slots collide that would otherwise collide.
    pub(crate) fn allow(&self, colliders: &Colliders, a: usize, b: usize) -> bool {
        self.verdict(colliders, a, b) != Verdict::Ignore
    }

    /// Returns the response of two slots that stop each other, if a filter overrides their components.
    pub(crate) fn response(&self, colliders: &Colliders, a: usize, b: usize) -> Option<Response> {
        match self.verdict(colliders, a, b) {
            Verdict::Respond(response) => Some(response),
            _ => None,
        }
    }

    /// Whether the filters let two slots stop or push each other that otherwise would.
    pub(crate) fn allow_stop(&self, colliders: &Colliders, a: usize, b: usize) -> bool {
        let verdict = self.verdict(colliders, a, b);
        !matches!(verdict, Verdict::Ignore | Verdict::Respond(Response::Pass))
    }

    /// Whether two slots that meet on the way stop each other by [`may_stop`] and by the filters, provided that they meet on solid sides.
    pub(crate) fn may_stop(&self, colliders: &Colliders, a: usize, b: usize) -> bool {
        may_stop(colliders, a, b) && self.allow_stop(colliders, a, b)
    }
}

/// Returns two slots in the form that a filter gets, in the order of their entities.
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
