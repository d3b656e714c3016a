//! How far a velocity leads in a tick, if it is valid.

use bevy::{
    ecs::{
        entity::{Entity, EntityHashSet},
        prelude::With,
    },
    math::Vec2,
};
use tracing::warn;

use crate::{allow_disabled::AllowDisabled, components::Velocity, kernel::is_in_world};

/// Query filter: all entities with a velocity, disabled ones too.
pub(super) type AnyVelocity = (With<Velocity>, AllowDisabled);

/// Turns velocities into ways.
#[derive(Debug, Default)]
pub(crate) struct Ways {
    /// Entities with a velocity that is invalid, and that a warning was given for.
    refused: EntityHashSet,
}

impl Ways {
    /// Forgets entities that are not there any more, as [`AnyVelocity`] tells: who is only disabled is not warned about again.
    pub(super) fn begin(&mut self, is_there: impl Fn(Entity) -> bool) {
        if !self.refused.is_empty() {
            self.refused.retain(|entity| is_there(*entity));
        }
    }

    /// Returns the way in world units; `None`, and a warning the first time, for a velocity that is not finite or leads out of the world.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_gone_is_forgotten() {
        let mut ways = Ways::default();
        let [gone, there] = [7, 8].map(Entity::from_raw_u32);
        let [Some(gone), Some(there)] = [gone, there] else {
            panic!("the indices are not valid");
        };
        for entity in [gone, there] {
            assert_eq!(ways.of(entity, Vec2::NAN, 1.0), None);
        }
        ways.begin(|entity| entity == there);
        assert_eq!(ways.refused, EntityHashSet::from_iter([there]));
        assert_eq!(ways.of(there, Vec2::X, 2.0), Some(Vec2::new(2.0, 0.0)));
        assert!(ways.refused.is_empty());
    }
}
