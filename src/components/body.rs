//! Which bodies move when two collide.

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    ecs::prelude::{Component, ReflectComponent},
    reflect::{Reflect, std_traits::ReflectDefault},
    transform::components::Transform,
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

use super::removals::note_change;

/// How a body takes part in collisions: what moves it, and what it pushes.
///
/// | | is pushed out | pushes a `Dynamic` | reported with |
/// |---|---|---|---|
/// | `Dynamic` | yes | yes, both share by [`Mass`] | everything |
/// | `Kinematic` | never | yes | everything |
/// | `Static` | never | yes, and wins over every other push | all but `Static` |
///
/// Every collider brings a `Body`, and nothing else is needed for it to be reported. A collider on a child of an entity with a `Body` belongs to the topmost such ancestor:
/// that ancestor's `Body` and [`Mass`] count, the ancestor is moved, and its colliders do not collide with each other.
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
#[require(Transform)]
#[component(on_remove = note_change)]
pub enum Body {
    /// Moved by the game, and pushed out of what is solid: players, enemies, crates.
    #[default]
    Dynamic,
    /// Moved by the game and never pushed, but pushes: lifts, doors.
    Kinematic,
    /// Level geometry. The game may move it, but two `Static` colliders never report each other.
    Static,
}

/// How hard a [`Body::Dynamic`] is to push, relative to another one: the lighter body moves more. Default 1; a body without this component has mass 1 too.
///
/// Must be greater than 0; any other value, and NaN, takes the collider out of the world until it is corrected, with a warning, also that of a `Static` or `Kinematic` body. Less than 1e-18 counts as 1e-18, and more than 1e18 as 1e18.
/// So only walls, `Kinematic` bodies and bodies as heavy move one with `Mass(f32::INFINITY)`. Of two bodies that overlap by `depth`, each moves by `depth * other / (own + other)`.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// // 4 deep: the one of mass 3 moves by 4 * 1 / (3 + 1).
/// let light = app.world_mut().spawn((CircleCollider::new(10.0), Transform::from_xyz(0.0, 0.0, 0.0))).id();
/// let heavy = app.world_mut().spawn((CircleCollider::new(10.0), Mass(3.0), Transform::from_xyz(16.0, 0.0, 0.0))).id();
/// app.world_mut().run_schedule(FixedPostUpdate);
/// assert_eq!(app.world().get::<Transform>(light).unwrap().translation.x, -3.0);
/// assert_eq!(app.world().get::<Transform>(heavy).unwrap().translation.x, 17.0);
/// ```
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
/// Goes on the collider's own entity, also on a child. Adding or removing it neither starts nor ends a collision: a pair that collides goes on colliding. Where a new start is to be reported, such as for a ship that can be hurt again,
/// change its layers instead.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// let coin = app.world_mut().spawn((CircleCollider::new(4.0), Sensor)).id();
/// let player = app.world_mut().spawn(CircleCollider::new(10.0)).id();
/// app.world_mut().run_schedule(FixedPostUpdate);
/// assert!(explain(app.world(), coin, player).collide());
/// assert_eq!(app.world().get::<Transform>(player).unwrap().translation, Vec3::ZERO); // nothing is pushed
/// ```
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
