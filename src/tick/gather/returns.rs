//! Who is disabled, or enabled again. Whether somebody may take part again who has nothing new about him: no component of his has changed, he was only left out for a while.

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

/// Who tells of entities that are enabled again. Those that are disabled are told of as well, so that nobody has to look for them; without that, a tick finds them all the same.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Watch {
    observers: [Entity; 2],
    /// By what entities are disabled, as far as it is watched: by Bevy's component, and those of the game.
    disabling: Vec<ComponentId>,
}

impl Watch {
    /// From now on; in place of a watch that was there before.
    pub(crate) fn begin(world: &mut World) {
        if let Some(before) = world.remove_resource::<Self>() {
            for observer in before.observers {
                // A game may have despawned it.
                world.try_despawn(observer).ok();
            }
        }
        // Without any, nobody is disabled.
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

/// What has a word in who is seen.
#[derive(SystemParam)]
pub(crate) struct Returns<'w, 's> {
    watch: Option<Res<'w, Watch>>,
    filters: Option<Res<'w, DefaultQueryFilters>>,
    entities: &'w Entities,
    commands: Commands<'w, 's>,
}

impl Returns<'_, '_> {
    /// Whether each of them is told of. A game may have despawned whoever does, or have named more ways to disable entities since: then there is a watch for the next tick.
    pub(super) fn are_noted(&mut self) -> bool {
        let disabling = self.filters.iter();
        let disabling = disabling.flat_map(|filters| filters.disabling_ids());
        let are_noted = match &self.watch {
            Some(watch) => {
                let mut observers = watch.observers.iter();
                observers.all(|&observer| self.entities.contains_spawned(observer))
                    && disabling.eq(watch.disabling.iter().copied())
            }
            // Of nothing, there is nothing to be told.
            None => disabling.count() == 0,
        };
        if !are_noted {
            self.commands.queue(Watch::begin);
        }
        are_noted
    }
}
