//! Do these two collide? Asked in one place, so that every stage gives the same answer.

use crate::{components::CollisionLayers, placed::Rank, state::colliders::Colliders};

/// What of a collider decides whether it collides with another, wherever they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Party {
    layers: CollisionLayers,
    body: u32,
    is_static: bool,
}

impl Party {
    #[inline]
    pub(crate) fn new(colliders: &Colliders, slot: usize) -> Self {
        let body = colliders.placed[slot].body;
        Self {
            layers: colliders.traits[slot].layers,
            body,
            is_static: colliders.movers[body as usize].rank == Rank::Static,
        }
    }

    /// Whether the two may collide at all.
    #[inline]
    pub(crate) fn may_collide(&self, other: &Self) -> bool {
        self.layers.interacts_with(other.layers)
            && self.body != other.body
            && !(self.is_static && other.is_static)
    }
}

/// Whether two slots may collide at all.
#[inline]
pub(crate) fn may_collide(colliders: &Colliders, a: usize, b: usize) -> bool {
    Party::new(colliders, a).may_collide(&Party::new(colliders, b))
}

/// Whether two slots that collide push each other: nothing is a sensor, and something can move.
#[inline]
pub(crate) fn may_push(colliders: &Colliders, a: usize, b: usize) -> bool {
    let rank = |slot: usize| colliders.movers[colliders.placed[slot].body as usize].rank;
    !colliders.traits[a].sensor
        && !colliders.traits[b].sensor
        && (rank(a) == Rank::Dynamic || rank(b) == Rank::Dynamic)
        && may_collide(colliders, a, b)
}
