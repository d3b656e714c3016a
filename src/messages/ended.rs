//! The report of a pair that does not meet any more.

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    ecs::{
        entity::Entity,
        event::EntityEvent,
        message::Message,
        reflect::{ReflectEvent, ReflectMessage},
    },
    math::Vec2,
    reflect::Reflect,
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

use super::collision::Collision;
use crate::components::Leaver;

/// Two colliders met in the last tick and do not meet any more, or not as parts of the same bodies. One or both of the entities may be gone; then [`leaver`](Self::leaver) tells what is remembered of it.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// let alarm = app.world_mut().spawn((CircleCollider::new(50.0), Sensor)).id();
/// let thief = app.world_mut().spawn((CircleCollider::new(10.0), Name::new("the thief"))).id();
/// app.world_mut().run_schedule(FixedPostUpdate);
/// app.world_mut().despawn(thief);
/// app.world_mut().run_schedule(FixedPostUpdate);
///
/// let mut ended = app.world_mut().resource_mut::<Messages<CollisionEnded>>();
/// let ended = ended.drain().next().expect("what has begun, ends");
/// assert_eq!((ended.other(alarm), ended.reason), (Some(thief), EndReason::Despawned));
/// let leaver = ended.leaver(thief).expect("it is gone");
/// assert_eq!(leaver.name, Some(Name::new("the thief")));
/// assert_eq!(ended.leaver(alarm), None); // that one is still there
/// ```
#[derive(Message, EntityEvent, Reflect, Clone, Debug, PartialEq)]
#[entity_event(propagate)]
#[reflect(Message, Event, Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct CollisionEnded {
    /// As a message: the collider that sorts first. As an event: the observed entity.
    #[event_target]
    pub a: Entity,
    /// The other collider.
    pub b: Entity,
    /// The body that `a` belonged to when the two last met: `a` itself, or its ancestor at that time.
    pub body_a: Entity,
    /// The body that `b` belonged to when the two last met.
    pub body_b: Entity,
    /// Unit vector from `a` to `b` when the two last met.
    pub normal: Vec2,
    /// How far the two overlapped when they last met, in world units.
    pub depth: f32,
    /// Halfway between the two surfaces when the two last met, in world coordinates.
    pub point: Vec2,
    /// When the two last met, as a part of that tick: [`Collision::time`] of the last report.
    pub time: f32,
    /// Why the collision is over.
    pub reason: EndReason,
    /// What is remembered of `a`, if it despawned or lost its collider.
    pub leaver_a: Option<Leaver>,
    /// What is remembered of `b`, if it despawned or lost its collider.
    pub leaver_b: Option<Leaver>,
}

/// Why a collision is over. Where several reasons hold, the first in this list is reported.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// app.world_mut().spawn((CircleCollider::new(10.0), Body::Kinematic));
/// let ghost = app.world_mut().spawn((CircleCollider::new(4.0), Body::Kinematic)).id();
/// let mut reason_of = |change: fn(EntityWorldMut)| {
///     app.world_mut().run_schedule(FixedPostUpdate);
///     change(app.world_mut().entity_mut(ghost));
///     app.world_mut().run_schedule(FixedPostUpdate);
///     let ended = app.world_mut().resource_mut::<Messages<CollisionEnded>>().drain().next();
///     ended.map(|ended| ended.reason)
/// };
/// assert_eq!(reason_of(|mut ghost| _ = ghost.insert(ColliderDisabled)), Some(EndReason::Disabled));
/// assert_eq!(reason_of(|mut ghost| _ = ghost.remove::<ColliderDisabled>()), None); // it begins again
/// assert_eq!(reason_of(|mut ghost| _ = ghost.insert(CollisionLayers::NONE)), Some(EndReason::Filtered));
/// ```
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[reflect(Clone, Debug, PartialEq, Hash)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
#[non_exhaustive]
pub enum EndReason {
    /// One of the entities, or both, despawned.
    Despawned,
    /// One of the entities, or both, has no collider any more.
    Removed,
    /// One of the entities has got a [`ColliderDisabled`](crate::components::ColliderDisabled), or is [disabled](bevy::ecs::entity_disabling::Disabled) as a whole, by Bevy's component or one of the game's own.
    Disabled,
    /// One of the entities has a size, place, scale, mass, direction or surface velocity that is not valid, a second kind of collider, or no `Transform`; a warning has told which.
    Invalid,
    /// The two are not to collide any more: by their layers, by what they [ignore](crate::components::IgnoreCollisions), by a [filter](crate::filters) of the game, because both bodies have become
    /// static, or because they belong to the same body now.
    Filtered,
    /// The two moved apart, or shrank, or the settings changed.
    Separated,
    /// The two still meet, but one of them is part of another [body](crate::components::Body) now: the collision of the old body is over, and a [`CollisionStarted`](super::CollisionStarted) of the same tick
    /// tells of the new one.
    Reparented,
}

impl CollisionEnded {
    /// Makes the end of a pair that last met as `last` tells, while both entities are still there. For tests of a game's own readers.
    ///
    /// ```
    /// # use bevy::prelude::*; use bevy_nudge::prelude::*;
    /// # let [player, coin] = [1, 2].map(|number| Entity::from_raw_u32(number).unwrap());
    /// let last = Collision {
    ///     a: player, b: coin, body_a: player, body_b: coin, normal: Vec2::X, depth: 1.0, point: Vec2::ZERO, time: 1.0,
    /// };
    /// let ended = CollisionEnded::new(last, EndReason::Separated);
    /// assert_eq!((ended.other(player), ended.depth, ended.leaver(coin)), (Some(coin), 1.0, None));
    /// assert_eq!(CollisionStarted::from(last).swapped().a, coin);
    /// ```
    pub fn new(last: Collision, reason: EndReason) -> Self {
        Self {
            a: last.a,
            b: last.b,
            body_a: last.body_a,
            body_b: last.body_b,
            normal: last.normal,
            depth: last.depth,
            point: last.point,
            time: last.time,
            reason,
            leaver_a: None,
            leaver_b: None,
        }
    }

    /// What is remembered of `entity` if it despawned or lost its collider; `None` if it did neither, or is not one of the two.
    pub fn leaver(&self, entity: Entity) -> Option<&Leaver> {
        if entity == self.a {
            self.leaver_a.as_ref()
        } else if entity == self.b {
            self.leaver_b.as_ref()
        } else {
            None
        }
    }
}
