//! What a body takes along from a moving platform.

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    ecs::{
        entity::{ComponentCloneCtx, SourceComponent},
        prelude::{Component, ReflectComponent},
    },
    math::Vec2,
    reflect::{Reflect, std_traits::ReflectDefault},
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

use super::velocity::Velocity;

/// Tells a body the velocity of the moving platform that it stands on, and may let the body take that velocity along when it leaves.
///
/// Every `Dynamic` body that stands on a [`Kinematic`](super::Body::Kinematic) body with a [`Velocity`] or a [`Swept`](super::Swept), or on a [`SurfaceVelocity`](super::SurfaceVelocity), is carried, with or without this component, also in the tick in which it is put there. That motion is not part of its own `Velocity`.
///
/// So a body jumps with its velocity in the world, and not one relative to the platform: from a lift that rises at 500, a jump of 400 never leaves. Where that matters, add the `y` of [`platform_velocity`](Self::platform_velocity) to the jump. Or let the rider take the platform's velocity along:
///
/// - When it leaves, the velocity by which it was last carried is added to its own, once, as [`on_leave`](Self::on_leave) says. It leaves in the tick in which it goes up by itself and gets away, or stands on nothing any more, because it has walked off or the platform is gone. Stepping onto another collider, moving or not, adds nothing.
/// - When a rider that takes the velocity along lands on a platform, the platform's sideways velocity is subtracted again, as far as the rider's own contains it. So a rider that jumps straight up from a platform, flies along with it and lands on it again, stands still there.
///
/// It is for bodies that move by a `Velocity`, and keep it in the air. A game that sets the velocity anew in each tick overwrites what was added. In such a game, and with a [`Mover`](crate::query::Mover):
///
/// - Let the rider add it all the same, by [`AddUpwardVelocity`](PlatformOnLeave::AddUpwardVelocity), which counts in that tick. While [`platform_velocity`](Self::platform_velocity) is not zero, keep it, and from the next tick on add what was kept, until the body lands: the [page on players](crate::guide::player) shows it.
/// - Beside a `Mover`, set the `Velocity`, which a rider brings along, to zero in each step, since what pushes the body, and leaving, leave some velocity there.
///
/// Goes on the entity with the `Velocity`, which must be [`Dynamic`](super::Body::Dynamic). In a stack, each body's own rider counts. [`CollisionSettings::up`](crate::settings::CollisionSettings::up)
/// says which way is up. A clone of an entity starts on no platform.
///
/// ```
/// # use bevy::{prelude::*, time::TimeUpdateStrategy}; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default())).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// app.world_mut().spawn((BoxCollider::new(100.0, 10.0), Body::Kinematic, Velocity(Vec2::new(64.0, 0.0)), Transform::from_xyz(0.0, -5.0, 0.0)));
/// let rider = Rider::new(PlatformOnLeave::AddVelocity);
/// let player = app.world_mut().spawn((BoxCollider::square(16.0), rider, Transform::from_xyz(0.0, 8.0, 0.0))).id();
/// # app.finish(); app.cleanup();
/// # app.update(); // passes no time
/// app.update(); // it is carried
/// assert_eq!(app.world().get::<Rider>(player).unwrap().platform_velocity, Vec2::new(64.0, 0.0));
/// assert_eq!(app.world().get::<Velocity>(player), Some(&Velocity(Vec2::ZERO)));
///
/// app.world_mut().get_mut::<Velocity>(player).unwrap().0.y = 300.0; // jumps
/// app.update();
/// assert_eq!(app.world().get::<Velocity>(player), Some(&Velocity(Vec2::new(64.0, 300.0))));
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    serde(default),
    reflect(Serialize, Deserialize)
)]
#[require(Velocity)]
#[component(clone_behavior = Custom(step_off))]
pub struct Rider {
    /// What becomes of the platform's velocity when the rider leaves it.
    pub on_leave: PlatformOnLeave,
    /// The velocity by which the body is carried, in world units a second; zero if it stands on nothing that moves.
    ///
    /// Each tick writes it, and this value is what leaving adds. A game that moves the body elsewhere, and wants the ride to be forgotten, sets it to zero.
    pub platform_velocity: Vec2,
}

/// A clone starts on no platform.
fn step_off(original: &SourceComponent, clone: &mut ComponentCloneCtx) {
    if let Some(rider) = original.read::<Rider>() {
        clone.write_target_component(Rider::new(rider.on_leave));
    }
}

impl Rider {
    /// Makes a rider that is on no platform yet.
    pub const fn new(on_leave: PlatformOnLeave) -> Self {
        Self {
            on_leave,
            platform_velocity: Vec2::ZERO,
        }
    }
}

/// How much of the platform's velocity a [`Rider`] takes along when it leaves, in the terms of Godot's `CharacterBody2D`.
///
/// ```
/// # use bevy::{prelude::*, time::TimeUpdateStrategy}; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default())).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// # app.finish(); app.cleanup();
/// # app.update(); // passes no time
/// // A lift that sinks and goes to the right, and three that jump off it.
/// let lift = (BoxCollider::new(200.0, 10.0), Body::Kinematic, Velocity::default(), Transform::from_xyz(0.0, -5.0, 0.0));
/// let lift = app.world_mut().spawn(lift).id();
/// let riders = [PlatformOnLeave::DoNothing, PlatformOnLeave::AddVelocity, PlatformOnLeave::AddUpwardVelocity];
/// let riders = [0, 1, 2].map(|number| {
///     let place = Transform::from_xyz(number as f32 * 40.0 - 40.0, 8.0, 0.0);
///     app.world_mut().spawn((BoxCollider::square(16.0), Rider::new(riders[number]), place)).id()
/// });
/// app.update(); // they stand on it
/// app.world_mut().entity_mut(lift).insert(Velocity(Vec2::new(64.0, -32.0)));
/// app.update();
/// for rider in riders {
///     app.world_mut().get_mut::<Velocity>(rider).unwrap().0.y = 300.0;
/// }
/// app.update();
/// let left = |rider| app.world().get::<Velocity>(rider).unwrap().0;
/// assert_eq!(riders.map(left), [(0.0, 300.0), (64.0, 268.0), (64.0, 300.0)].map(Vec2::from));
/// ```
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
#[non_exhaustive]
pub enum PlatformOnLeave {
    /// None of it. The body jumps with its own velocity in the world, whatever the platform does, and nothing is subtracted when it lands.
    #[default]
    DoNothing,
    /// All of it.
    AddVelocity,
    /// All but the downward part: a jump from a platform that sinks is as high as any other.
    AddUpwardVelocity,
}
