//! The paths of a tick, for drawings and tools that have asked for them.

use bevy::ecs::prelude::World;

use crate::{
    state::{
        paths::{PathLeg, Paths},
        tick_state::TickState,
    },
    sweep::Sweep,
};

/// Forgets the paths of the last tick. Returns whether those of this one are wanted.
pub(super) fn begin_paths(world: &mut World) -> bool {
    let mut paths = world.resource_mut::<Paths>();
    paths.legs.clear();
    paths.hits.clear();
    std::mem::take(&mut paths.are_wanted)
}

/// Notes where bodies went, and the points at which they met something on their way. A hit at the very end of the tick is not on the way.
pub(super) fn note_paths(world: &mut World, state: &TickState, sweep: &Sweep) {
    let colliders = &state.colliders;
    let legs = sweep.legs().iter().map(|leg| PathLeg {
        body: colliders.entities[leg.body as usize],
        from: leg.from,
        to: leg.to,
    });
    let hits = state.contacts.on_the_way.iter();
    let hits = hits.filter(|hit| hit.time < 1.0);
    let hits = hits.filter_map(|hit| hit.meeting(&colliders.placed));
    let mut paths = world.resource_mut::<Paths>();
    paths.legs.extend(legs);
    paths.hits.extend(hits.map(|hit| hit.point));
}
