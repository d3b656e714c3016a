//! How far a velocity leads in a tick, if it leads anywhere.

use bevy::{
    ecs::entity::{Entity, EntityHashSet},
    math::Vec2,
};
use tracing::warn;

use crate::kernel::is_in_world;

/// Velocities into ways.
#[derive(Debug, Default)]
pub(crate) struct Ways {
    /// Whose velocity is not finite, and has been warned of.
    refused: EntityHashSet,
}

impl Ways {
    /// None, and a warning the first time, for a velocity that leads nowhere in the world.
    #[inline(always)]
    pub(super) fn of(&mut self, entity: Entity, velocity: Vec2, seconds: f32) -> Option<Vec2> {
        let way = velocity * seconds;
        if !is_in_world(way) {
            self.refuse(entity, velocity);
            return None;
        }
        if !self.refused.is_empty() {
            self.refused.remove(&entity);
        }
        Some(way)
    }

    #[cold]
    fn refuse(&mut self, entity: Entity, velocity: Vec2) {
        if self.refused.insert(entity) {
            warn!(
                "{entity} does not move until its Velocity is finite and leads at most 1e18 units a tick, got {velocity}"
            );
        }
    }
}
