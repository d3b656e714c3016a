//! Who moves when two things meet.

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    ecs::prelude::{Component, ReflectComponent},
    reflect::{Reflect, std_traits::ReflectDefault},
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

use super::removals::note_change;

/// What a collision does to an entity.
///
/// | | is pushed out | pushes a `Dynamic` | reported with |
/// |---|---|---|---|
/// | `Dynamic` | yes | yes, both share by [`Mass`] | everything |
/// | `Kinematic` | never | yes | everything |
/// | `Static` | never | yes, and against everybody else's push | all but `Static` |
///
/// Every collider brings a `Body`, and no other switch turns reports on or off. A collider on a child of an entity with a `Body` belongs to the topmost
/// such ancestor: that one's `Body` and [`Mass`] count, that one is moved, and its colliders do not collide with each other.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut world = World::new();
/// let wall = world.spawn((BoxCollider::new(40.0, 400.0), Body::Static)).id();
/// let player = world.spawn(CircleCollider::new(10.0)).id();
/// assert_eq!(world.get::<Body>(player), Some(&Body::Dynamic));
/// # assert_eq!(world.get::<Body>(wall), Some(&Body::Static));
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Component, Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
#[component(on_remove = note_change)]
pub enum Body {
    /// Moved by the game, and pushed out of what is solid: players, enemies, crates.
    #[default]
    Dynamic,
    /// Moved by the game and never pushed, but pushes: lifts, doors.
    Kinematic,
    /// Level geometry. It may be moved, but two of them never report each other.
    Static,
}

/// How hard a [`Body::Dynamic`] is to push, relative to another one: the lighter moves more. Default 1; entities without this component have 1 too.
///
/// Finite and greater than 0; anything else takes the collider out of the world until it is mended, with a warning. Two bodies that overlap by
/// `depth` move by `depth * other / (own + other)` each.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
#[component(on_remove = note_change)]
pub struct Mass(pub f32);

impl Default for Mass {
    fn default() -> Self {
        Self(1.0)
    }
}

/// Makes a collider report without pushing or being pushed: coins, doorways, sight.
///
/// Goes beside the collider itself, also on a child.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Component, Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
#[doc(alias = "trigger")]
#[component(on_remove = note_change)]
pub struct Sensor;
