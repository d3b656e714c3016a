//! What holds for all bodies in a tick.

use bevy::{ecs::prelude::World, math::Vec2, time::Time};

use crate::{kernel::Touching, settings::CollisionSettings, state::resting::reach_of_margin};

/// The settings and the time of a tick, as far as the sweep needs them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    pub(super) up: Vec2,
    /// How far apart two colliders may be and still rest against each other, as detection has it.
    pub(super) reach: f32,
    /// The length of the tick.
    pub(super) seconds: f32,
    pub(super) does_touching_count: bool,
    /// What meets something more slowly than this, in world units a tick, does not bounce.
    pub(super) bounce_threshold: f32,
}

impl Terms {
    pub(super) fn of(world: &World) -> Self {
        let settings = world.resource::<CollisionSettings>();
        let time = world.get_resource::<Time>();
        let seconds = time.map_or(0.0, Time::delta_secs);
        Self {
            up: settings.upwards(),
            reach: reach_of_margin(settings.margin()),
            seconds,
            does_touching_count: settings.touching == Touching::Counts,
            bounce_threshold: settings.bounce_threshold * seconds,
        }
    }
}
