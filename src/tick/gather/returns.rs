//! Watches which entities are disabled and enabled again. A collider that is enabled again has no changed component: it was only left out for a while.

use bevy::ecs::{
    component::ComponentId,
    entity::{Entities, Entity},
    entity_disabling::DefaultQueryFilters,
    lifecycle::{HookContext, Insert, Remove},
    observer::{Observer, On},
    prelude::{Commands, Component, Res, ResMut, Resource, World},
    system::SystemParam,
    world::DeferredWorld,
};

use crate::{
    components::{Removals, note_collider},
    state::newcomers::Newcomers,
};

/// On an observer: restores it if the game despawns it, as a game does that despawns all entities.
#[derive(Component)]
#[component(on_remove = come_back)]
pub(crate) struct ComesBack(pub(crate) fn(&mut World));

fn come_back(mut world: DeferredWorld, context: HookContext) {
    if let Some(&ComesBack(observe)) = world.get(context.entity) {
        world.commands().queue(observe);
    }
}

/// The observers of entities that are disabled or enabled, for the tick and for queries between two ticks. Disabled ones are reported so that they need not be searched for; without that, a tick finds them all the same.
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
        if let Some(mut newcomers) = world.get_resource_mut::<Newcomers>() {
            // So far, nothing may have watched.
            newcomers.note_disabled();
        }
        // Without a disabling component, nothing is disabled.
        let filters = world.get_resource::<DefaultQueryFilters>();
        let disabling = filters.iter().flat_map(|filters| filters.disabling_ids());
        let disabling: Vec<ComponentId> = disabling.collect();
        if disabling.is_empty() {
            return;
        }
        let observers = [Observer::new(note_enabled), Observer::new(note_disabled)];
        let observers = observers.map(|observer| {
            let observer = observer.with_components(disabling.iter().copied());
            world.spawn((observer, ComesBack(Self::restore))).id()
        });
        world.insert_resource(Self {
            observers,
            disabling,
        });
    }

    /// Begins to watch in a world that may have no [`CollisionPlugin`](crate::plugin::CollisionPlugin).
    pub(crate) fn begin_if_there_is_none(world: &mut World) {
        if !world.contains_resource::<Self>() {
            Self::begin(world);
        }
    }

    /// Begins to watch again after an observer was despawned, unless that was because another watch begins.
    fn restore(world: &mut World) {
        let watch = world.get_resource::<Self>();
        if watch.is_some_and(|watch| !watch.is_there(world.entities())) {
            Self::begin(world);
        }
    }

    fn is_there(&self, entities: &Entities) -> bool {
        let mut observers = self.observers.iter();
        observers.all(|&observer| entities.contains_spawned(observer))
    }
}

fn note_enabled(
    enabled: On<Remove>,
    removals: Option<ResMut<Removals>>,
    newcomers: Option<Res<Newcomers>>,
    mut commands: Commands,
) {
    if let Some(mut removals) = removals {
        removals.note_return(enabled.entity);
    }
    if let Some(note) = newcomers.and_then(|newcomers| newcomers.note_enabled) {
        note(&mut commands, enabled.entity);
    }
}

fn note_disabled(disabled: On<Insert>, mut world: DeferredWorld) {
    note_collider(&mut world, disabled.entity);
    if let Some(mut newcomers) = world.get_resource_mut::<Newcomers>() {
        newcomers.note_disabled();
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
                watch.is_there(self.entities) && disabling.eq(watch.disabling.iter().copied())
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
