//! Remembers whose components were taken away. Change detection tells what was added and changed; of what is gone it says nothing.

use bevy::ecs::{
    entity::{Entity, EntityHashSet},
    lifecycle::HookContext,
    prelude::{Resource, World},
    world::DeferredWorld,
};

/// More than so many that may have returned are not listed one by one.
const MOST_RETURNED: usize = 4096;

/// Colliders that lost one of this crate's components since the last tick. A game may have many frames between two ticks, which is more than Bevy's own lists
/// of removed components last.
///
/// Components know nothing of what is done with them, so the tick says by functions what it wants to hear of. However long it does not come, there are no more among these than it knows of, and
/// of those that are back no more than can be listed.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Removals {
    /// Whether the tick knows a collider. Nobody asks after others: whoever comes is read anew.
    pub(crate) is_known: Option<fn(&World, Entity) -> bool>,
    pub(crate) entities: EntityHashSet,
    /// Who may take part again, of whom nothing else tells, for all that he has is as it was.
    pub(crate) returned: EntityHashSet,
    /// They are too many to be listed.
    pub(crate) have_many_returned: bool,
}

impl Removals {
    pub(crate) fn note_return(&mut self, entity: Entity) {
        if self.returned.len() < MOST_RETURNED {
            self.returned.insert(entity);
        } else {
            self.have_many_returned = true;
        }
    }
}

/// Hook for a component that says something of a collider.
pub(super) fn note_change(mut world: DeferredWorld, context: HookContext) {
    note_collider(&mut world, context.entity);
}

/// Hook for the removal of a component that kept a collider out.
pub(super) fn note_return(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut removals) = world.get_resource_mut::<Removals>() {
        removals.note_return(context.entity);
    }
}

/// Notes a collider, if a tick knows it.
pub(crate) fn note_collider(world: &mut DeferredWorld, entity: Entity) -> Option<()> {
    let is_known = world.get_resource::<Removals>()?.is_known?;
    is_known(world, entity).then(|| {
        let mut removals = world.resource_mut::<Removals>();
        removals.entities.insert(entity);
    })
}
