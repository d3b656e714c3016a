//! What is told of a body that cannot be freed.

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

/// A [`Dynamic`](crate::components::Body::Dynamic) body cannot be freed: something that does not give way is in it by more than 0.01, and there is no way out. Told in every tick in which it is so.
///
/// What becomes of it, a game decides: it may be hurt, or the door may open again.
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
    /// What it is in the deepest: a `Kinematic` or a `Static`.
    pub by: Entity,
    /// What it is pushed against on the other side, if that is one collider.
    pub against: Option<Entity>,
    /// How deep it is in it, in world units.
    pub depth: f32,
}
