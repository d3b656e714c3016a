//! Colliders that are solid from one side only.

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
/// - **Direction:** the way its solid side faces, in the world, up by default; rotating the entity does not turn it. Every surface that faces that way within 45 degrees is solid: one side of a box, or two if the direction points between them.
/// - **What is stopped:** a body that comes against a solid surface from outside. A body that comes from elsewhere, or is inside already, passes until it is out. So no body is ever lifted onto the collider or caught at its ends.
/// - **Push-out:** a body that stands on it is kept outside, whatever presses from above: what leaves no room there crushes the body. If the collider itself rises, and there is no room between it and something firm, as below a roof, it lets the body in, and through, without [`Crushed`](crate::messages::Crushed). A body that is inside is left alone: if the game puts a `Transform` there, the body falls through.
/// - **Reports:** all of it is reported, passing too.
///
/// A platform that moves must move by `Velocity` or `Swept` as well. A direction that is zero or not finite takes the collider out of the world until it is corrected, with a warning.
///
/// ```
/// # use bevy::{prelude::*, time::TimeUpdateStrategy}; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default())).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// # app.finish(); app.cleanup();
/// # app.update(); // passes no time
/// assert_eq!(OneWay::default(), OneWay(Vec2::Y));
/// // Solid for what comes from the left, against its left side.
/// app.world_mut().spawn((BoxCollider::new(8.0, 100.0), Body::Static, OneWay(Vec2::NEG_X)));
/// let mut fly = |from: f32, speed: f32| {
///     let place = Transform::from_xyz(from, 0.0, 0.0);
///     let fly = app.world_mut().spawn((CircleCollider::new(1.0), Velocity(Vec2::new(speed, 0.0)), place)).id();
///     app.update();
///     let end = app.world().get::<Transform>(fly).unwrap().translation.x;
/// #   app.world_mut().despawn(fly);
///     end
/// };
/// assert_eq!(fly(-20.0, 2560.0), -5.0); // of 40, up to its left side at -4
/// assert_eq!(fly(20.0, -2560.0), -20.0); // all 40
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

/// Lets a collider pass through every [`OneWay`]: insert it to drop down from a platform, and remove it when the fall has begun.
///
/// A collider that is in a platform by no more than 0.01 world units still stands on it. So keep this until it is deeper: one tick is enough if gravity moves it farther than that in a tick; else until [`is_on_floor`](crate::query::Collisions::is_on_floor) is false and some ticks have passed.
///
/// Nor does a one-way platform carry it. A body that drops from a sinking lift falls with its own velocity from then on, and is through only once that is faster than the lift. So let it take the lift's velocity along: by a [`Rider`](super::Rider) with [`AddVelocity`](super::PlatformOnLeave::AddVelocity), or by adding it in the game.
///
/// ```
/// # use bevy::{prelude::*, time::TimeUpdateStrategy}; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default())).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// # app.finish(); app.cleanup();
/// # app.update(); // passes no time
/// app.world_mut().spawn((BoxCollider::new(100.0, 8.0), Body::Static, OneWay::default()));
/// let fall = Velocity(Vec2::new(0.0, -128.0)); // 2 in a tick
/// let player = app.world_mut().spawn((BoxCollider::square(8.0), fall, Transform::from_xyz(0.0, 8.0, 0.0))).id();
/// # let height = |app: &App| app.world().get::<Transform>(player).unwrap().translation.y;
/// app.update();
/// assert_eq!(height(&app), 8.0); // it stands
/// app.world_mut().entity_mut(player).insert((DropThrough, fall));
/// app.update();
/// assert_eq!(height(&app), 6.0); // and falls
/// app.world_mut().entity_mut(player).remove::<DropThrough>();
/// app.update();
/// assert_eq!(height(&app), 4.0); // on, for it is in it already
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Component, Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
#[component(on_remove = note_change)]
pub struct DropThrough;
