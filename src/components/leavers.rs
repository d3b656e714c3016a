//! Remembers which entities lost their collider, and what components they had then.

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    ecs::{
        archetype::ArchetypeId,
        entity::{Entity, EntityHashMap, EntityHashSet},
        name::Name,
        prelude::{Resource, World},
        world::DeferredWorld,
    },
    reflect::{Reflect, std_traits::ReflectDefault},
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

use super::{layers::CollisionLayers, partners::CollisionTag, removals::note_collider};

/// Colliders that the tick knows and that are gone.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Leavers {
    /// Those that are gone since the newest tick began.
    left: Left,
    /// Those that were gone when this tick began, and that it is about to report.
    leaving: Left,
    /// Called with the entity as soon as its collider is gone, and no other one is in its place.
    pub(crate) listener: Option<Listener>,
}

type Listener = fn(&mut World, Entity);

/// Entities that lost their collider, and what each had then, if that is known.
pub(crate) type Left = EntityHashMap<Option<Had>>;

/// What an entity had when it lost its collider.
#[derive(Clone, Debug)]
pub(crate) struct Had {
    leaver: Leaver,
    /// The archetype it was in, which gives all components that it had.
    archetype: ArchetypeId,
}

impl Leavers {
    /// Returns the colliders that are gone since the newest tick.
    pub(crate) fn left(&self) -> &Left {
        &self.left
    }

    /// Those that are leaving too.
    pub(crate) fn all(&self) -> Left {
        let all = self.leaving.iter().chain(&self.left);
        all.map(|(&one, had)| (one, had.clone())).collect()
    }

    /// Goes back to an earlier tick: adds the colliders that had gone since that tick when it was remembered (`left`), with what they had; and the colliders known then that are missing now, without any data.
    pub(crate) fn go_back(&mut self, left: &Left, missing: impl Iterator<Item = Entity>) {
        self.left
            .extend(left.iter().map(|(&one, had)| (one, had.clone())));
        for one in missing {
            self.left.entry(one).or_default();
        }
    }

    /// Begins a tick, which looks for colliders that are gone. Those of the last tick are forgotten, except for colliders whose contacts were not reported since. A collider that goes from here on is found by the next tick.
    ///
    /// `has_collider` tells whether an entity has one now: then another one has taken the place of what is gone.
    pub(crate) fn begin_tick(
        &mut self,
        unreported: Option<&EntityHashSet>,
        has_collider: impl Fn(Entity) -> bool,
    ) {
        let is_unreported = |entity: &Entity| unreported.is_some_and(|all| all.contains(entity));
        self.leaving.retain(|entity, _| is_unreported(entity));
        let left = self.left.drain();
        self.leaving
            .extend(left.filter(|(entity, _)| !has_collider(*entity)));
    }

    /// Whether an entity lost its collider since this tick began.
    pub(crate) fn has_left(&self, entity: Entity) -> bool {
        self.left.contains_key(&entity)
    }

    /// Whether an entity had lost its collider, and had no other one, when this tick began.
    pub(crate) fn is_leaving(&self, entity: Entity) -> bool {
        self.leaving.contains_key(&entity)
    }

    /// Whether any entity lost its collider since this tick began.
    pub(crate) fn have_some_left(&self) -> bool {
        !self.left.is_empty()
    }

    /// Returns what an entity had when it lost its collider.
    pub(crate) fn leaver(&self, entity: Entity) -> Option<&Leaver> {
        self.had(entity).map(|had| &had.leaver)
    }

    /// Returns the archetype of an entity when it lost its collider.
    pub(crate) fn archetype(&self, entity: Entity) -> Option<ArchetypeId> {
        self.had(entity).map(|had| had.archetype)
    }

    fn had(&self, entity: Entity) -> Option<&Had> {
        let left = self.left.get(&entity);
        left.or_else(|| self.leaving.get(&entity))?.as_ref()
    }
}

/// What is remembered of a collider that is gone: what its entity had when the collider went. [`CollisionEnded`](crate::messages::CollisionEnded) contains it.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::{components::Leaver, prelude::*};
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// let player = app.world_mut().spawn(CircleCollider::new(10.0)).id();
/// let ghost = app.world_mut().spawn((CircleCollider::new(4.0), CollisionLayers::new(4, 1), Name::new("ghost"))).id();
/// app.world_mut().run_schedule(FixedPostUpdate);
/// app.world_mut().entity_mut(ghost).remove::<CircleCollider>();
/// app.world_mut().run_schedule(FixedPostUpdate);
///
/// let ended = app.world_mut().resource_mut::<Messages<CollisionEnded>>().drain().next().unwrap();
/// let ghost_was = Leaver { layers: CollisionLayers::new(4, 1), name: Some(Name::new("ghost")), tag: None };
/// assert_eq!((ended.leaver(ghost), ended.leaver(player)), (Some(&ghost_was), None));
/// ```
#[derive(Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    serde(default),
    reflect(Serialize, Deserialize)
)]
pub struct Leaver {
    /// Its layers; the default if it had none.
    pub layers: CollisionLayers,
    /// Its name, if it had one.
    pub name: Option<Name>,
    /// Its tag, if it had one.
    pub tag: Option<CollisionTag>,
}

/// Notes that a collider is removed, also when its entity despawns; all other components of the entity are still there. Returns whom to tell of it, if the tick knows the collider.
pub(super) fn note_leaving(world: &mut DeferredWorld, entity: Entity) -> Option<Listener> {
    if !note_collider(world, entity) {
        return None;
    }
    let leaver = Leaver {
        layers: world.get(entity).copied().unwrap_or_default(),
        name: world.get(entity).cloned(),
        tag: world.get(entity).copied(),
    };
    let archetype = world.entity(entity).archetype().id();
    let mut leavers = world.resource_mut::<Leavers>();
    leavers.left.insert(entity, Some(Had { leaver, archetype }));
    leavers.listener
}
