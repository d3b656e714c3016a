//! Surfaces that move what stands on them.

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    ecs::prelude::{Component, ReflectComponent},
    math::Vec2,
    prelude::{Deref, DerefMut},
    reflect::{Reflect, std_traits::ReflectDefault},
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

use super::removals::note_change;

/// A conveyor belt: a collider that stays where it is, and takes along what stands on it, as if its surface moved by this velocity, in world units a second. Godot's `StaticBody2D` has it as its `constant_linear_velocity`.
///
/// - **What is carried:** every `Dynamic` body that stands on it, by [`CollisionSettings::up`](crate::settings::CollisionSettings::up), whatever that body moves by, with a stack on it, as on a moving platform. Sides and ceilings carry nothing.
/// - **What the carried body does:** it keeps a [`Velocity`](super::Velocity) of its own, stops at walls, and may be a [`Rider`](super::Rider), which knows the belt's velocity and takes it along when it jumps. Where the belt ends, the carrying ends too, and only the body's own velocity is left.
/// - **Direction:** only the part of the velocity along the surface counts: a belt never lifts a body or presses it down.
/// - **Several carriers:** on a body that moves by itself, the belt's velocity is added to that motion. A body that stands on several carriers is carried by the one that takes it farthest; of two that carry in opposite directions equally fast, by the one that carries to the right.
/// - **Seen from above:** where `up` is zero, nothing stands on a belt. There, make the belt a [`Sensor`](super::Sensor), and let the game move what is in it.
/// - **Where it goes:** on the collider's own entity, on a child too, or beside [`TileColliders`](crate::tiles::TileColliders), for all of their cells. A velocity that is not finite, or beyond 1e18, takes the collider out of the world until it is corrected, with a warning.
/// - **Cost:** as soon as there is one belt, each tick looks at the contacts of the last tick and at all colliders that were moved elsewhere since; and bodies that are carried are swept.
///
/// ```
/// # use bevy::{prelude::*, time::TimeUpdateStrategy}; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default())).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// # app.finish(); app.cleanup();
/// # app.update(); // passes no time
/// let belt = SurfaceVelocity(Vec2::new(64.0, 0.0)); // 1 in a tick
/// app.world_mut().spawn((BoxCollider::new(200.0, 10.0), Body::Static, belt, Transform::from_xyz(0.0, -5.0, 0.0)));
/// let parcel = app.world_mut().spawn((BoxCollider::square(8.0), Transform::from_xyz(0.0, 4.0, 0.0))).id();
/// let letter = app.world_mut().spawn((BoxCollider::square(2.0), Transform::from_xyz(0.0, 9.0, 0.0))).id();
/// # let x = |app: &App, entity| app.world().get::<Transform>(entity).unwrap().translation.x;
/// for _ in 0..10 {
///     app.update();
/// }
/// assert_eq!([x(&app, parcel), x(&app, letter)], [10.0; 2]);
/// ```
#[derive(Component, Reflect, Deref, DerefMut, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
#[component(on_remove = note_change)]
pub struct SurfaceVelocity(pub Vec2);
