//! Remembers which entities lost components. Change detection tells what was added and changed, but nothing of what was removed.

use bevy::ecs::{
    entity::{Entity, EntityHashSet},
    lifecycle::HookContext,
    prelude::{Resource, World},
    world::DeferredWorld,
};

/// At most this many entities that may have returned are listed one by one.
const MOST_RETURNED: usize = 4096;

/// Colliders that lost one of this crate's components since the last tick. A game may run many frames between two ticks, and Bevy's own lists
/// of removed components do not last that long.
///
/// The components do not know the tick, so the tick says by the function `is_known` which entities it wants to hear of. However long no tick runs, `entities` holds no more than the colliders that the tick knows,
/// and `returned` no more than [`MOST_RETURNED`].
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Removals {
    /// Whether the tick knows a collider. Other colliders need no note: a new collider is read completely anyway.
    pub(crate) is_known: Option<fn(&World, Entity) -> bool>,
    pub(crate) entities: EntityHashSet,
    /// Entities that may take part again. Nothing else tells of these, since none of their components has changed.
    pub(crate) returned: EntityHashSet,
    /// Whether more entities have returned than are listed.
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

/// Hook for the removal (or addition) of a component that says something of a collider.
pub(super) fn note_change(mut world: DeferredWorld, context: HookContext) {
    note_collider(&mut world, context.entity);
}

/// Hook for the removal of a component that kept a collider out of the world.
pub(super) fn note_return(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut removals) = world.get_resource_mut::<Removals>() {
        removals.note_return(context.entity);
    }
}

/// Notes a collider, if the tick knows it; returns whether it does.
pub(crate) fn note_collider(world: &mut DeferredWorld, entity: Entity) -> bool {
    let removals = world.get_resource::<Removals>();
    let is_known = removals.and_then(|removals| removals.is_known);
    let is_known = is_known.is_some_and(|is_known| is_known(world, entity));
    if is_known {
        let mut removals = world.resource_mut::<Removals>();
        removals.entities.insert(entity);
    }
    is_known
}
