//! Remembers whose components were taken away. Change detection tells what was added and changed; of what is gone it says nothing.

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    ecs::{
        entity::{Entity, EntityHashMap},
        lifecycle::HookContext,
        name::Name,
        prelude::Resource,
        world::DeferredWorld,
    },
    reflect::{Reflect, std_traits::ReflectDefault},
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

use super::{layers::CollisionLayers, partners::CollisionTag};

/// Entities that lost one of this crate's components since the last tick. A game may have many frames between two ticks, which is more than Bevy's own lists
/// of removed components last.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Removals {
    pub(crate) entities: Vec<Entity>,
    /// Entities that lost their collider, until that is reported.
    pub(crate) left: Vec<Entity>,
    /// What those had then; without those who had nothing to tell of.
    pub(crate) leavers: EntityHashMap<Leaver>,
    /// Whom to tell at once of a collider that is gone. Components know nothing of what is done with them.
    pub(crate) listener: Option<fn(&mut DeferredWorld, Entity)>,
}

/// What is remembered of a collider that is gone: what it had when it went.
#[derive(Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct Leaver {
    /// Its layers.
    pub layers: CollisionLayers,
    /// Its name, if it had one.
    pub name: Option<Name>,
    /// Its tag, if it had one.
    pub tag: Option<CollisionTag>,
}

/// Hook for a component that says something of a collider.
pub(super) fn note_change(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut removals) = world.get_resource_mut::<Removals>() {
        removals.entities.push(context.entity);
    }
}

/// Hook for the removal of a collider. Also runs when the entity despawns, with all that it has still at hand.
pub(super) fn note_leaving(mut world: DeferredWorld, context: HookContext) {
    let entity = context.entity;
    let leaver = Leaver {
        layers: world.get(entity).copied().unwrap_or_default(),
        name: world.get(entity).cloned(),
        tag: world.get(entity).copied(),
    };
    let Some(mut removals) = world.get_resource_mut::<Removals>() else {
        return;
    };
    removals.entities.push(entity);
    removals.left.push(entity);
    if leaver != Leaver::default() {
        removals.leavers.insert(entity, leaver);
    }
    if let Some(tell) = removals.listener {
        tell(&mut world, entity);
    }
}
