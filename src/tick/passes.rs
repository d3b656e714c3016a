//! What bodies moved by a `Mover` have passed since the last tick, for this one to report.

use bevy::ecs::prelude::World;
use tracing::debug_span;

use crate::state::{candidates::Still, stage::Stage, walks::Walks};

/// Begins the list of what is met on the way in this tick, with what movers have passed. Before the sweep, which moves bodies on from where their movers left them, and not in it, because a game may let it rest.
pub(crate) fn note_walks(world: &mut World) {
    let _span = debug_span!("gather").entered();
    Stage::run(world, |world, stage| {
        let Stage {
            colliders,
            candidates,
            contacts,
            ..
        } = stage;
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
