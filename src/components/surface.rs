//! What moves whatever stands on it.

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
/// It carries as a moving platform does: every `Dynamic` body that stands on it, by [`CollisionSettings::up`](crate::settings::CollisionSettings::up), whatever that moves by, with a stack on it. What is carried keeps a
/// [`Velocity`](super::Velocity) of its own, stops at walls, and may be a [`Rider`](super::Rider), which knows the belt's velocity and takes it along when it jumps. Only what leads along the surface counts: a belt lifts nobody, and presses nobody down.
///
/// On a body that moves by itself it comes on top of that. What stands on several that move is carried by the one that takes it farthest; of two that go against each other as fast, by the one that goes to the right. Where the belt ends, so does the carrying, and
/// what it carried has only its own velocity left. Sides and ceilings take nothing along. Where nothing is up, as in a game that is seen from above, nobody stands on it: there a belt is a [`Sensor`](super::Sensor), and its game moves what is in it.
///
/// Goes beside the collider, on a child too, or beside [`TileColliders`](crate::tiles::TileColliders), for all of their cells. One that is not finite, or beyond 1e18, takes the collider out of the world until it is mended, with a warning. As soon as there is one, each tick looks at the contacts of the last one and at whatever was put elsewhere since; and whoever is carried is swept.
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
