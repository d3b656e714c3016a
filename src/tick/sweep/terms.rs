//! What holds for all bodies in a tick.

use bevy::{ecs::prelude::World, math::Vec2, time::Time};

use crate::{kernel::Touching, settings::CollisionSettings, state::resting::FLUSH};

#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    pub(super) up: Vec2,
    /// The margin of resting contacts.
    pub(super) margin: f32,
    pub(super) seconds: f32,
    pub(super) does_touching_count: bool,
    /// The least way in a tick that a bounce gives back.
    pub(super) bounce_threshold: f32,
}

impl Terms {
    pub(super) fn of(world: &World) -> Self {
        let settings = world.resource::<CollisionSettings>();
        let time = world.get_resource::<Time>();
        let seconds = time.map_or(0.0, Time::delta_secs);
        Self {
            up: settings.upwards(),
            margin: settings.margin().max(FLUSH),
            seconds,
            does_touching_count: settings.touching == Touching::Counts,
            bounce_threshold: settings.bounce_threshold * seconds,
        }
    }
}
