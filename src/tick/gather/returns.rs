//! Who is disabled, or enabled again. Whether somebody may take part again who has nothing new about him: no component of his has changed, he was only left out for a while.

use bevy::ecs::{
    component::Components,
    entity::{Entities, Entity},
    entity_disabling::{DefaultQueryFilters, Disabled},
    lifecycle::{Insert, Remove},
    observer::On,
    prelude::{Res, ResMut, Resource, World},
    system::SystemParam,
    world::DeferredWorld,
};

use crate::components::{Removals, note_collider};

/// Who tells of entities that are enabled again. Those that are disabled are told of as well, so that nobody has to look for them; without that, a tick finds them all the same.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Watch {
    observer: Entity,
}

impl Watch {
    pub(crate) fn begin(world: &mut World) {
        let note = |enabled: On<Remove, Disabled>, mut removals: ResMut<Removals>| {
            removals.note_return(enabled.entity);
        };
        let observer = world.add_observer(note).id();
        world.add_observer(|disabled: On<Insert, Disabled>, mut world: DeferredWorld| {
            note_collider(&mut world, disabled.entity);
        });
        world.insert_resource(Self { observer });
    }
}

/// What has a word in who is seen.
#[derive(SystemParam)]
pub(crate) struct Returns<'w> {
    watch: Option<Res<'w, Watch>>,
    filters: Option<Res<'w, DefaultQueryFilters>>,
    components: &'w Components,
    entities: &'w Entities,
}

impl Returns<'_> {
    /// Whether each of them is told of. A game may have despawned whoever does, and its own ways to disable entities are watched by nobody.
    pub(super) fn are_noted(&self) -> bool {
        let mut watch = self.watch.iter();
        let disabled = self.components.component_id::<Disabled>();
        watch.any(|watch| self.entities.contains_spawned(watch.observer))
            && self.filters.iter().all(|filters| {
                let mut disabling = filters.disabling_ids();
                disabling.all(|component| Some(component) == disabled)
            })
    }
}
