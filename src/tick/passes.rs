//! What bodies moved by a `Mover` have passed since the last tick, for this one to report.

use bevy::ecs::prelude::World;
use tracing::debug_span;

use crate::state::{candidates::Still, tick_state::TickState, walks::Walks};

/// Begins the list of what is met on the way in this tick, with what bodies that a `Mover` moved have passed. This is before the sweep, since the sweep moves these bodies on, and not in it, since a game may let the sweep rest.
pub(crate) fn note_walks(world: &mut World) {
    let _span = debug_span!("gather").entered();
    TickState::lend(world, |world, state| {
        let TickState {
            colliders,
            candidates,
            contacts,
            ..
        } = state;
        contacts.begin_ways();
        candidates.settle(colliders, 0);
        let still = Still {
            candidates,
            colliders,
        };
        let mut walks = std::mem::take(&mut *world.resource_mut::<Walks>());
        let mut hits = Vec::new();
        walks.take(world, (&still, contacts), &mut hits);
        contacts.note_on_the_way(hits.into_iter());
        *world.resource_mut::<Walks>() = walks;
    });
}
