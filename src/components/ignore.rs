//! Exceptions for single colliders: which others they ignore, and which take no part at all.

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    ecs::{
        entity::Entity,
        prelude::{Component, ReflectComponent},
    },
    reflect::{Reflect, std_traits::ReflectDefault},
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

use super::removals::{note_change, note_return};

/// Colliders that this one does not collide with: a bullet and its shooter, the parts of one machine.
///
/// It is enough if one of the two ignores the other. Goes on the collider's own entity, also on a child. A despawned entity may stay in the list: it has no effect.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// # let world = app.world_mut();
/// let owner = world.spawn(CircleCollider::new(10.0)).id();
/// let bullet = world.spawn((CircleCollider::new(2.0), IgnoreCollisions::with(owner))).id();
///
/// // Two bodies under one parent without a body, which are not to collide with each other.
/// let machine = world.spawn(Transform::default()).id();
/// let wheel = world.spawn((CircleCollider::new(4.0), ChildOf(machine), IgnoreCollisions::family())).id();
/// let piston = world.spawn((CircleCollider::new(4.0), ChildOf(machine))).id();
///
/// world.run_schedule(FixedPostUpdate);
/// assert_eq!(explain(world, owner, bullet), Explanation::Ignored);
/// assert_eq!(explain(world, wheel, piston), Explanation::Ignored);
/// assert!(explain(world, owner, wheel).collide());
/// ```
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    serde(default),
    reflect(Serialize, Deserialize)
)]
#[doc(alias = "exclude")]
#[component(on_remove = note_change)]
pub struct IgnoreCollisions {
    /// The ignored colliders, or bodies: for a body, all its colliders are ignored, those of its children too.
    #[entities]
    pub entities: Vec<Entity>,
    /// Whether all colliders under the same topmost ancestor are ignored. The colliders of one body never collide with each other anyway.
    pub family: bool,
}

impl IgnoreCollisions {
    /// Ignores one collider, or all colliders of one body.
    pub fn with(entity: Entity) -> Self {
        Self {
            entities: vec![entity],
            family: false,
        }
    }

    /// Ignores several colliders or bodies: the parts of a machine, or all that a piercing bullet has hit. Naming one twice changes nothing.
    ///
    /// ```
    /// # use bevy::prelude::*; use bevy_nudge::prelude::*;
    /// # let mut world = World::new();
    /// let wheels = [-8.0, 8.0].map(|x| world.spawn((CircleCollider::new(4.0), Transform::from_xyz(x, 0.0, 0.0))).id());
    /// let chassis = world.spawn((BoxCollider::new(30.0, 6.0), IgnoreCollisions::with_all(wheels))).id();
    /// assert_eq!(world.get::<IgnoreCollisions>(chassis).unwrap().entities, wheels);
    /// ```
    pub fn with_all(entities: impl IntoIterator<Item = Entity>) -> Self {
        Self {
            entities: entities.into_iter().collect(),
            family: false,
        }
    }

    /// Ignores all colliders under the same topmost ancestor.
    pub fn family() -> Self {
        Self {
            entities: Vec::new(),
            family: true,
        }
    }
}

/// Switches a collider off: as long as it has this component, it is not found, not met, and not reported. Goes on the collider's own entity; the colliders of its children are not affected.
///
/// The collider's collisions end, with [`EndReason::Disabled`](crate::messages::EndReason::Disabled), and start anew when this component is removed. If it is inserted and removed again between two ticks, collisions go on as if nothing had happened.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// let player = app.world_mut().spawn(CircleCollider::new(10.0)).id();
/// let door = app.world_mut().spawn((BoxCollider::square(20.0), Body::Static, ColliderDisabled)).id();
/// app.world_mut().run_schedule(FixedPostUpdate);
/// assert_eq!(explain(app.world(), player, door), Explanation::ColliderDisabled(door));
/// app.world_mut().entity_mut(door).remove::<ColliderDisabled>();
/// app.world_mut().run_schedule(FixedPostUpdate);
/// assert!(explain(app.world(), player, door).collide());
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Component, Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
#[component(on_add = note_change, on_remove = note_return)]
pub struct ColliderDisabled;
