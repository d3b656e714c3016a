//! Solid from one side.

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    ecs::prelude::{Component, ReflectComponent},
    math::Vec2,
    reflect::{Reflect, std_traits::ReflectDefault},
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

use super::removals::note_change;

/// Makes a collider solid from one side only, for bodies that move by [`Velocity`](super::Velocity) or a [`Mover`](crate::query::Mover), or that are [`Swept`](super::Swept): jump up through it, and stand on it.
///
/// The direction is the one in which its solid side faces, up by default. Who comes against it from there is stopped; who comes from elsewhere, or is inside already, passes
/// until it is out. So nobody is ever lifted onto it or caught at its ends. The push-out leaves such pairs alone: a body whose game only sets its `Transform` falls through. All of it is
/// reported, passing too.
///
/// A platform that moves does so by `Velocity` as well. A direction that is zero or not finite takes the collider out of the world until it is mended, with a warning.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut world = World::new();
/// world.spawn((BoxCollider::new(100.0, 8.0), Body::Static, OneWay::default()));
/// world.spawn((BoxCollider::new(8.0, 100.0), Body::Static, OneWay(Vec2::NEG_X))); // can be gone through to the left, not to the right
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
#[component(on_remove = note_change)]
pub struct OneWay(pub Vec2);

impl Default for OneWay {
    fn default() -> Self {
        Self(Vec2::Y)
    }
}

/// As long as a collider has this, no [`OneWay`] stops it: insert it to drop down from a platform, and remove it when the fall has begun.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Component, Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
#[component(on_remove = note_change)]
pub struct DropThrough;
