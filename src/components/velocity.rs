//! Motion that the plugin carries out.

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

/// Moves the entity by this velocity, in world units a second, and never through anything solid: solid colliders in the way are met, at any speed.
///
/// The time of a tick is the `Time::delta` of the schedule that the plugin runs in. [`Response`] says what happens where the body meets something; the tick then writes the velocity that is left.
///
/// - It goes on the body, which is the topmost entity with a [`Body`](super::Body), and moves all colliders of that body, those on children too. On a child of a body, if that child has a collider, even a disabled one, it has no effect.
/// - A `Kinematic` body is stopped by nothing. It pushes every `Dynamic` body in its way, and carries what stands on it; the own velocity of a carried body does not show that (a [`Rider`](super::Rider) has a choice when it leaves). A `Static` body does not move.
/// - An entity without a collider, also below a body, simply moves. So does an entity whose collider takes no part and that is no part of a body, if it is not `Static`. Bodies that are its descendants are put there along with it before any collision is found, and meet what is on the way if they are [`Swept`].
/// - A velocity that is not finite, or that moves farther than 1e18 in a tick, moves nothing, and a warning names the entity once.
///
/// If the game changes the `Transform`, the motion starts from the new place.
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

/// What happens to a body that moves by [`Velocity`] when it meets something solid. Bodies without this component slide.
///
/// When two moving bodies meet, they share their velocities along the normal by [`Mass`](super::Mass): the result is their common velocity, and each bounces off that as its own response says.
/// Sliding bodies that push each other in a row along an axis count as one body for this.
///
/// A `Static` or `Kinematic` body with a `Bounce` is a bumper or a trampoline: a body that slides or bounces comes back from it by the greater of both restitutions, with all that is said of bounces; a body with `Stop` stops there. This holds for motions by `Velocity` and `Swept`; a [`Mover`](crate::query::Mover) slides along it.
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
/// In one tick a body follows up to 16 hits, 8 if it slides in a crowd. Then it stays where it is until the next tick:
///
/// - What runs into it there stays too, with the velocity that the hit leaves it by the masses of both. If one of them is carried, slides in a crowd, or has hit something static, directly or through others, it is stopped as by a wall.
/// - What does not give way goes through it, and pushes on one that only stays beside it.
/// - If it bounces, it keeps its velocity for the next tick. In a gap of its own width, or up to 0.005 wider, it slides along, for it would only bounce to and fro.
/// - If it bounces and is shut in between a `Kinematic` body that comes and what is behind it, it takes the velocity of what presses it. Else each hit would make it faster.
///
/// ```
/// # use bevy::{prelude::*, time::TimeUpdateStrategy}; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default())).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// # app.finish(); app.cleanup();
/// # app.update(); // passes no time
/// app.world_mut().spawn((BoxCollider::new(10.0, 1000.0), Body::Static, Transform::from_xyz(15.0, 0.0, 0.0)));
/// // Each goes 10 in a tick, at an angle, and meets the wall halfway.
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
    /// Goes on along the surface; the part of the velocity that led into it is lost. A slide never leads back against the motion that the body began the tick with: the body stops there, unless something that comes pushes it back.
    #[default]
    Slide,
    /// Is reflected by the surface.
    Bounce {
        /// How much of the speed into the surface comes back: 1 for all, 0 for none of it. Less than 0 counts as 0, and NaN too; more than 1 is allowed. A body that this makes faster than 1e18 in a tick stops, as with any such velocity.
        ///
        /// A ball under gravity comes to rest by [`CollisionSettings::bounce_threshold`](crate::settings::CollisionSettings::bounce_threshold).
        restitution: f32,
    },
    /// Stays where it is, with no velocity; a body that comes against it pushes it, and a platform carries it.
    Stop,
    /// Goes through everything, and pushes nothing, as a [`Sensor`](super::Sensor) does, with all colliders of the body; the contacts are reported.
    Pass,
}

impl Response {
    /// Makes a [`Bounce`](Self::Bounce) that gives back this part of the speed into the surface: 1 for all, 0 for none of it. Less than 0 counts as 0, and NaN too; more than 1 is allowed, as is said there.
    ///
    /// ```
    /// # use bevy_nudge::prelude::*;
    /// assert_eq!(Response::bounce(0.5), Response::Bounce { restitution: 0.5 });
    /// ```
    pub const fn bounce(restitution: f32) -> Self {
        Self::Bounce { restitution }
    }
}

/// Treats a change of the `Transform` by the game as a motion: from where the last tick left the body to where it is now, and never through anything solid, as with a [`Velocity`].
///
/// - Goes on the body, which is the topmost entity with a [`Body`](super::Body). A body that moves by a [`Mover`](crate::query::Mover) needs none. A `Static` body just is where it is put.
/// - Where the body meets something, [`Response`] says what becomes of the rest of the way; a bounce shows in this tick only, since there is no velocity to keep it.
/// - A `Velocity` beside it is added to the motion; where the two together hit something, the velocity loses only the part that leads there by itself.
/// - In its first tick, also that of a clone, and after [`teleport`](Self::teleport), the body is where its `Transform` says, without a sweep.
/// - What its parent does to its place counts too: a gondola of a wheel that turns carries what stands on it. But what hangs on that parent as well has got that part already, and gets it twice. So in a level that scrolls as a whole, move the lifts by a `Velocity`, by which they go within the level.
/// - Costs as much as a `Velocity`.
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

/// A clone starts anew: no tick has left it anywhere yet.
fn begin_anew(_: &SourceComponent, clone: &mut ComponentCloneCtx) {
    clone.write_target_component(Swept::default());
}

impl Swept {
    /// Forgets where the last tick left the body: the next tick does not sweep it, but takes it from where it is then.
    pub fn teleport(&mut self) {
        self.last = None;
    }

    /// Returns where the last tick left the body, if it is to be swept from there.
    pub(crate) fn last(&self) -> Option<Vec2> {
        self.last
    }

    pub(crate) fn leave_at(&mut self, place: Vec2) {
        self.last = Some(place);
    }
}
