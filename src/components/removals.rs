//! Remembers whose components were taken away. Change detection tells what was added and changed; of what is gone it says nothing.

use bevy::ecs::{entity::Entity, lifecycle::HookContext, prelude::Resource, world::DeferredWorld};

/// Entities that lost one of this crate's components since the last tick. A game may have many frames between two ticks, which is more than Bevy's own lists
/// of removed components last.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Removals {
    pub(crate) entities: Vec<Entity>,
}

/// Hook for `on_remove`. Also runs when the entity despawns.
pub(super) fn note_removal(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut removals) = world.get_resource_mut::<Removals>() {
        removals.entities.push(context.entity);
    }
}
