//! Motion that the plugin takes care of.

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    ecs::{
        entity::{ComponentCloneCtx, SourceComponent},
        prelude::{Component, ReflectComponent},
    },
    math::Vec2,
    prelude::{Deref, DerefMut},
    reflect::{Reflect, std_traits::ReflectDefault},
    transform::components::Transform,
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

use super::removals::note_change;

/// Moves the entity by so many world units a second, in the tick, and never through anything solid: that is met on the way, at any speed.
///
/// The time of a tick is that of the schedule that the plugin runs in. [`Response`] says what happens where the body meets something; the velocity afterwards is what is left of it.
///
/// - It goes on the body, which is the topmost entity with a [`Body`](super::Body), and moves all colliders of that, those on children too. On a child of a body, if that child has a collider, even a disabled one, it means nothing.
/// - A `Kinematic` body is stopped by nothing. It pushes whatever `Dynamic` is in its way, and carries what stands on it, whose own velocity does not show that (a [`Rider`](super::Rider) has a choice when it leaves). A `Static` body does not move.
/// - An entity without a collider, also below a body, simply moves, and so does one whose collider takes no part and that is no part of a body, if it is not `Static`. Bodies that hang on it are put there along with it before anything meets anything, and meet what is on the way if they are [`Swept`].
/// - A velocity that is not finite, or leads farther than 1e18 in a tick, moves nothing, and a warning names the entity once.
///
/// What a game does to the `Transform` counts as a new place to start from.
///
/// ```
/// # use std::time::Duration;
/// # use bevy::{prelude::*, time::TimeUpdateStrategy}; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default())).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// # app.insert_resource(Time::<Fixed>::from_hz(60.0));
/// // 16,000 units a second, and a wall 0.01 thick.
/// let bullet = app.world_mut().spawn((CircleCollider::new(1.0), Velocity(Vec2::new(16_000.0, 0.0)))).id();
/// app.world_mut().spawn((BoxCollider::new(0.01, 200.0), Body::Static, Transform::from_xyz(50.0, 0.0, 0.0)));
/// # app.finish(); app.cleanup();
/// # app.update(); // passes no time
/// app.update(); // runs one tick
/// assert_eq!(app.world().get::<Transform>(bullet).unwrap().translation.x, 48.995);
/// assert_eq!(app.world().get::<Velocity>(bullet), Some(&Velocity(Vec2::ZERO)));
/// ```
#[derive(Component, Reflect, Deref, DerefMut, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
#[doc(alias = "LinearVelocity")]
#[require(Transform)]
pub struct Velocity(pub Vec2);

/// What meeting something solid does to a motion by [`Velocity`]. Entities without this component slide.
///
/// Two bodies that move and meet share what they have along the normal by [`Mass`](super::Mass): what is left is their common velocity, and each bounces off that as its own response says.
/// Of those that slide, a row that pushes each other along an axis counts as one body there.
///
/// A body that gives no way, `Static` or `Kinematic`, and has a `Bounce` is a bumper or a trampoline: what slides or bounces comes back from it by the greater one of both restitutions, with all that is said of bounces; what has `Stop` stops there. It is for motions by `Velocity` and `Swept`; a [`Mover`](crate::query::Mover) slides along it.
///
/// ```
/// # use bevy::{prelude::*, time::TimeUpdateStrategy}; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default())).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// # app.finish(); app.cleanup();
/// # app.update(); // passes no time
/// app.world_mut().spawn((BoxCollider::new(100.0, 10.0), Body::Static, Response::Bounce { restitution: 1.0 }));
/// let player = (CircleCollider::new(5.0), Velocity(Vec2::new(0.0, -640.0)), Transform::from_xyz(0.0, 15.0, 0.0));
/// let player = app.world_mut().spawn(player).id(); // it slides elsewhere
/// app.update();
/// assert_eq!(app.world().get::<Velocity>(player), Some(&Velocity(Vec2::new(0.0, 640.0))));
/// ```
///
/// A body hits up to 16 times in a tick, and one that slides in a crowd up to 8 times; after that it stays where it is until the next tick. What bounces keeps its velocity then; but a body without room to bounce, between something `Kinematic` that comes and what is behind it, takes the velocity of what presses it, or each of these hits would make it faster.
///
/// ```
/// # use bevy::{prelude::*, time::TimeUpdateStrategy}; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default())).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// # app.finish(); app.cleanup();
/// # app.update(); // passes no time
/// app.world_mut().spawn((BoxCollider::new(10.0, 1000.0), Body::Static, Transform::from_xyz(15.0, 0.0, 0.0)));
/// // Each goes 10 in a tick, aslant, and meets the wall after half of it.
/// let ways = [Response::Slide, Response::bounce(1.0), Response::Stop, Response::Pass];
/// let dots = [0.0, 100.0, 200.0, 300.0].map(|y| {
///     let place = Transform::from_xyz(6.0, y, 0.0);
///     app.world_mut().spawn((CircleCollider::new(1.0), ways[y as usize / 100], Velocity(Vec2::new(384.0, 512.0)), place)).id()
/// });
/// app.update();
/// let end = |dot| app.world().get::<Transform>(dot).unwrap().translation.truncate();
/// assert_eq!(dots.map(end), [(9.0, 8.0), (6.0, 108.0), (9.0, 204.0), (12.0, 308.0)].map(Vec2::from));
/// let left = |dot| app.world().get::<Velocity>(dot).unwrap().0;
/// assert_eq!(dots.map(left), [(0.0, 512.0), (-384.0, 512.0), (0.0, 0.0), (384.0, 512.0)].map(Vec2::from));
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
#[component(on_remove = note_change)]
#[non_exhaustive]
pub enum Response {
    /// Goes on along the surface; what led into it is lost. A slide never leads back against the way that the tick began with: there it stops, if nothing that comes pushes it back.
    #[default]
    Slide,
    /// Is reflected.
    Bounce {
        /// How much of the speed into the surface comes back: 1 for all, 0 for none of it. What is less counts as 0, and NaN too; more than 1 is allowed. What that makes faster than 1e18 in a tick stops, as with any such velocity.
        ///
        /// A ball that gravity pulls down comes to rest by [`CollisionSettings::bounce_threshold`](crate::settings::CollisionSettings::bounce_threshold).
        restitution: f32,
    },
    /// Stays where it is, with no velocity; what comes against it pushes it, and a platform carries it.
    Stop,
    /// Goes through everything, and pushes nothing, as a [`Sensor`](super::Sensor) does, with all colliders of the body; it is all reported.
    Pass,
}

impl Response {
    /// A [`Bounce`](Self::Bounce) that gives back so much of the speed into the surface: 1 for all, 0 for none of it. What is less counts as 0, and NaN too; more than 1 is allowed, as is said there.
    ///
    /// ```
    /// # use bevy_nudge::prelude::*;
    /// assert_eq!(Response::bounce(0.5), Response::Bounce { restitution: 0.5 });
    /// ```
    pub const fn bounce(restitution: f32) -> Self {
        Self::Bounce { restitution }
    }
}

/// Treats a change of the `Transform` by the game as a motion: from where the last tick left the body to where it is now, and never through anything solid, as by a [`Velocity`].
///
/// Goes on the body, which is the topmost entity with a [`Body`](super::Body). Where it meets something, [`Response`] says what becomes of the rest of the way; a bounce has only this tick to show, for
/// there is no velocity to keep it. What moves by a [`Mover`](crate::query::Mover) needs none. A `Velocity` beside it is added; where the two together hit something, it loses only what leads there by itself. A `Static` body is where it is put. Costs what a `Velocity` does. In its first tick, which a clone of an entity has as well, and after [`teleport`](Self::teleport), the body is where its `Transform` says.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// let player = app.world_mut().spawn((CircleCollider::new(10.0), Swept::default())).id();
/// app.world_mut().spawn((BoxCollider::new(2.0, 100.0), Body::Static, Transform::from_xyz(50.0, 0.0, 0.0)));
/// # app.world_mut().run_schedule(FixedPostUpdate);
/// app.world_mut().get_mut::<Transform>(player).unwrap().translation.x = 200.0; // beyond the wall
/// # app.world_mut().run_schedule(FixedPostUpdate);
/// assert_eq!(app.world().get::<Transform>(player).unwrap().translation.x, 39.0);
///
/// app.world_mut().get_mut::<Transform>(player).unwrap().translation.x = 200.0;
/// app.world_mut().get_mut::<Swept>(player).unwrap().teleport(); // not by that way
/// # app.world_mut().run_schedule(FixedPostUpdate);
/// assert_eq!(app.world().get::<Transform>(player).unwrap().translation.x, 200.0);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    serde(default),
    reflect(Serialize, Deserialize)
)]
#[doc(alias = "ccd")]
#[require(Transform)]
#[component(clone_behavior = Custom(begin_anew))]
pub struct Swept {
    /// Where the last tick left the body, in the world.
    last: Option<Vec2>,
}

/// A clone has not been anywhere yet.
fn begin_anew(_: &SourceComponent, clone: &mut ComponentCloneCtx) {
    clone.write_target_component(Swept::default());
}

impl Swept {
    /// Forgets where it was: the next tick takes it from where it is then.
    pub fn teleport(&mut self) {
        self.last = None;
    }

    /// Where the last tick left it, if it is to be swept from there.
    pub(crate) fn last(&self) -> Option<Vec2> {
        self.last
    }

    pub(crate) fn leave_at(&mut self, place: Vec2) {
        self.last = Some(place);
    }
}
