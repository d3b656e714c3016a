//! The state of the tick, taken out of the world while a stage works.

use bevy::ecs::prelude::World;

use super::{
    candidates::Candidates, colliders::Colliders, contacts::Contacts, newcomers::Newcomers,
};

/// What the stages work on.
#[derive(Default)]
pub(crate) struct TickState {
    pub(crate) colliders: Colliders,
    pub(crate) candidates: Candidates,
    pub(crate) contacts: Contacts,
    pub(crate) newcomers: Newcomers,
}

impl TickState {
    /// Runs `work` with the state taken out of the world, so that a game's filters may read all of the world meanwhile. Swaps only the structs, not the contents of their vectors.
    pub(crate) fn lend<R>(world: &mut World, work: impl FnOnce(&mut World, &mut Self) -> R) -> R {
        let mut state = Self::default();
        state.swap(world);
        let result = work(world, &mut state);
        state.swap(world);
        result
    }

    fn swap(&mut self, world: &mut World) {
        std::mem::swap(&mut self.colliders, &mut world.resource_mut());
        std::mem::swap(&mut self.candidates, &mut world.resource_mut());
        std::mem::swap(&mut self.contacts, &mut world.resource_mut());
        std::mem::swap(&mut self.newcomers, &mut world.resource_mut());
    }
}
