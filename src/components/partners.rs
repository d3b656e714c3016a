//! A list of partners that the plugin writes where the game asks for it, and a number that is remembered of a collider that is gone.

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    ecs::{
        entity::{ComponentCloneCtx, Entity, SourceComponent},
        prelude::{Component, ReflectComponent},
    },
    reflect::{Reflect, std_traits::ReflectDefault},
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

/// The colliders that collide with this entity now. Insert it where such a list is wanted; the plugin updates it in each tick in which it changes.
///
/// - On a collider, it lists those that collide with it; on a body, those that collide with any of its colliders.
/// - It is sorted by the index of the entity; indices are reused, so the order says nothing of age.
/// - An entity that despawns, or loses its collider, is taken out of the list right then, and not in the next tick; one that is disabled, in the next tick.
/// - In every tick it costs a check of all descendants of the entity, and of all their contacts. Without this component there is no cost. [`Collisions::of`](crate::query::Collisions::of) tells the same of one collider, with normal and depth.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// let plate = app.world_mut().spawn((BoxCollider::new(20.0, 2.0), Sensor, CollidingWith::default())).id();
/// let stone = app.world_mut().spawn(CircleCollider::new(3.0)).id();
/// app.world_mut().run_schedule(FixedPostUpdate);
/// let partners = app.world().get::<CollidingWith>(plate).unwrap();
/// assert!(partners.contains(stone));
/// assert_eq!(**partners, [stone]); // a slice
/// app.world_mut().despawn(stone);
/// assert!(app.world().get::<CollidingWith>(plate).unwrap().is_empty());
/// ```
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
#[component(clone_behavior = Custom(begin_alone))]
#[doc(alias = "CollidingEntities")]
pub struct CollidingWith(#[entities] Vec<Entity>);

/// A clone has not met any collider yet.
fn begin_alone(_: &SourceComponent, clone: &mut ComponentCloneCtx) {
    clone.write_target_component(CollidingWith::default());
}

impl CollidingWith {
    /// Whether the entity collides with this one.
    pub fn contains(&self, entity: Entity) -> bool {
        self.0.contains(&entity)
    }

    pub(crate) fn set(&mut self, partners: &[Entity]) {
        self.0.clear();
        self.0.extend_from_slice(partners);
    }

    pub(crate) fn remove(&mut self, entity: Entity) {
        self.0.retain(|partner| *partner != entity);
    }
}

impl std::ops::Deref for CollidingWith {
    type Target = [Entity];

    fn deref(&self) -> &[Entity] {
        &self.0
    }
}

/// A number of the game's own that [`CollisionEnded`](crate::messages::CollisionEnded) still has when the collider is gone: what kind of thing it was, its owner, how much it is worth.
///
/// If each collider has a number of its own, those on children too, it decides what else the indices of entities would: of two alike colliders that come in the same tick and are put in the very same place, which one is pushed to which side. (Of two that come in different ticks, all that has come and gone before decides.) So peers whose entities differ, or who have [gone back](crate::guide::network) and spawned some anew, come to the same bits.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// let player = app.world_mut().spawn(CircleCollider::new(10.0)).id();
/// let coin = app.world_mut().spawn((CircleCollider::new(4.0), Sensor, CollisionTag(50))).id();
/// app.world_mut().run_schedule(FixedPostUpdate);
/// app.world_mut().despawn(coin);
/// app.world_mut().run_schedule(FixedPostUpdate);
///
/// let ended = app.world_mut().resource_mut::<Messages<CollisionEnded>>().drain().next().unwrap();
/// assert_eq!(ended.leaver(coin).and_then(|leaver| leaver.tag), Some(CollisionTag(50)));
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Component, Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct CollisionTag(pub u64);
