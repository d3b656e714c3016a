//! Watches which entities are disabled and enabled again. A collider that is enabled again has no changed component: it was only left out for a while.

use bevy::ecs::{
    component::ComponentId,
    entity::{Entities, Entity},
    entity_disabling::DefaultQueryFilters,
    lifecycle::{Insert, Remove},
    observer::{Observer, On},
    prelude::{Commands, Res, ResMut, Resource, World},
    system::SystemParam,
    world::DeferredWorld,
};

use crate::components::{Removals, note_collider};

/// The observers of entities that are disabled or enabled. Disabled ones are reported so that they need not be searched for; without that, a tick finds them all the same.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Watch {
    observers: [Entity; 2],
    /// The disabling components that are watched: Bevy's own, and those of the game.
    disabling: Vec<ComponentId>,
}

impl Watch {
    /// Begins to watch, in place of an earlier watch.
    pub(crate) fn begin(world: &mut World) {
        if let Some(before) = world.remove_resource::<Self>() {
            for observer in before.observers {
                // The game may have despawned it.
                world.try_despawn(observer).ok();
            }
        }
        // Without a disabling component, nothing is disabled.
        let filters = world.get_resource::<DefaultQueryFilters>();
        let disabling = filters.iter().flat_map(|filters| filters.disabling_ids());
        let disabling: Vec<ComponentId> = disabling.collect();
        if disabling.is_empty() {
            return;
        }
        let enabled = Observer::new(|enabled: On<Remove>, mut removals: ResMut<Removals>| {
            removals.note_return(enabled.entity);
        });
        let disabled = Observer::new(|disabled: On<Insert>, mut world: DeferredWorld| {
            note_collider(&mut world, disabled.entity);
        });
        let observers = [enabled, disabled].map(|observer| {
            let components = disabling.iter().copied();
            world.spawn(observer.with_components(components)).id()
        });
        world.insert_resource(Self {
            observers,
            disabling,
        });
    }
}

/// What decides which entities queries see.
#[derive(SystemParam)]
pub(crate) struct Returns<'w, 's> {
    watch: Option<Res<'w, Watch>>,
    filters: Option<Res<'w, DefaultQueryFilters>>,
    entities: &'w Entities,
    commands: Commands<'w, 's>,
}

impl Returns<'_, '_> {
    /// Whether all disabling and enabling is reported. If the game has despawned an observer, or has registered more disabling components since, it is not: then there is a new watch for the next tick.
    pub(super) fn are_noted(&mut self) -> bool {
        let disabling = self.filters.iter();
        let disabling = disabling.flat_map(|filters| filters.disabling_ids());
        let are_noted = match &self.watch {
            Some(watch) => {
                let mut observers = watch.observers.iter();
                observers.all(|&observer| self.entities.contains_spawned(observer))
                    && disabling.eq(watch.disabling.iter().copied())
            }
            // Without a disabling component, there is nothing to report.
            None => disabling.count() == 0,
        };
        if !are_noted {
            self.commands.queue(Watch::begin);
        }
        are_noted
    }
}
