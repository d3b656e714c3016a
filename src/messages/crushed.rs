//! The report of a body that cannot be freed.

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    ecs::{
        entity::Entity,
        event::EntityEvent,
        message::Message,
        reflect::{ReflectEvent, ReflectMessage},
    },
    reflect::Reflect,
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

/// A [`Dynamic`](crate::components::Body::Dynamic) body cannot be freed: a collider that does not give way overlaps it by more than 0.01 world units, and no way out is found near by. How far a body is led, [the guide](crate::guide::bodies) tells. Reported in every tick in which that is so.
///
/// The game decides what happens then: the body may be hurt, or the door may open again.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// // A door and a wall leave 6 to a ball that is 10 wide.
/// let door = app.world_mut().spawn((BoxCollider::new(20.0, 400.0), Body::Kinematic, Transform::from_xyz(-10.0, 0.0, 0.0))).id();
/// let wall = app.world_mut().spawn((BoxCollider::new(20.0, 400.0), Body::Static, Transform::from_xyz(16.0, 0.0, 0.0))).id();
/// let ball = app.world_mut().spawn((CircleCollider::new(5.0), Transform::from_xyz(3.0, 0.0, 0.0))).id();
/// app.world_mut().run_schedule(FixedPostUpdate);
///
/// let crushed = app.world_mut().resource_mut::<Messages<Crushed>>().drain().next().unwrap();
/// assert_eq!((crushed.entity, crushed.by, crushed.against), (ball, door, Some(wall)));
/// assert!((crushed.depth - 4.0).abs() < 0.01); // the wall does not move, so all of the overlap is with the door
/// ```
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[entity_event(propagate)]
#[reflect(Message, Event, Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct Crushed {
    /// The collider that is crushed.
    pub entity: Entity,
    /// The body that the collider is a part of; the collider itself if it has no other.
    pub body: Entity,
    /// The collider in which it is deepest: part of a `Kinematic` or `Static` body.
    pub by: Entity,
    /// The collider that it is pushed against on the other side, if that is a single one.
    pub against: Option<Entity>,
    /// How deep it overlaps with `by`, in world units.
    pub depth: f32,
}
