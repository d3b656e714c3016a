//! Runs systems that must not be known to Bevy before they are needed.

use bevy::ecs::{system::IntoSystem, world::World};

/// Returns a system that runs another one, and initializes it only then. Bevy initializes the systems of a schedule whatever their run conditions say, and once a system with a [`SpatialQuery`](crate::query::SpatialQuery) is initialized, every spawn of a collider costs more.
pub(crate) fn run_lazily<M: 'static, S>(system: S) -> impl Fn(&mut World) + Clone
where
    S: IntoSystem<(), (), M> + Clone + 'static,
{
    move |world| {
        world
            .run_system_cached(system.clone())
            .expect("a system without conditions, all resources of which are there");
    }
}
