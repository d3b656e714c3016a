//! What the whole world agrees on.

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    ecs::{prelude::Resource, reflect::ReflectResource},
    math::Vec2,
    reflect::{Reflect, std_traits::ReflectDefault},
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

use crate::kernel::{MAX_COORDINATE, Touching};

/// How the plugin detects and pushes. Read anew in every tick.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// // Edges that just meet do not collide, as in many tutorials.
/// app.insert_resource(CollisionSettings { touching: Touching::Ignored, ..default() });
///
/// let [a, b] = [0.0, 20.0].map(|x| app.world_mut().spawn((BoxCollider::square(20.0), Transform::from_xyz(x, 0.0, 0.0))).id());
/// app.world_mut().run_schedule(FixedPostUpdate);
/// assert!(!explain(app.world(), a, b).collide());
/// app.world_mut().resource_mut::<CollisionSettings>().touching = Touching::Counts;
/// app.world_mut().run_schedule(FixedPostUpdate);
/// assert!(explain(app.world(), a, b).collide());
/// ```
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    serde(default),
    reflect(Serialize, Deserialize)
)]
pub struct CollisionSettings {
    /// Whether edges that just meet collide. Default [`Touching::Counts`]; a gap of a few steps of an `f32` where the two are counts then as well: of up to `4.0 * f32::EPSILON` times the coordinate along the normal, which is 0.05 at 100,000.
    ///
    /// With [`Touching::Ignored`], what only touches a moving platform is not known to stand on it: it is carried if it presses down on it, by a [`Velocity`](crate::components::Velocity) and gravity, and not if its `Transform` or a [`Mover`](crate::query::Mover) just puts it there.
    pub touching: Touching,
    /// A collision that has started ends only when the gap is larger than this, in world units, so that what rests on the floor does not flicker
    /// with the last bit of its position. Default 0.01; 0 and less, or NaN, ends it as soon as they do not collide.
    ///
    /// Too large, and things seem to stick to each other in the reports.
    #[doc(alias = "linear slop")]
    pub margin: f32,
    /// Which way is up, for what stands on something: a [`Kinematic`](crate::components::Body::Kinematic) body that moves by `Velocity` or `Swept` carries along every `Dynamic` one that stands on it (and a [`Rider`](crate::components::Rider) may take its velocity along when it leaves).
    /// Default `Vec2::Y`; zero for a game seen from above, in which nothing stands on anything. It need not be of length 1.
    pub up: Vec2,
    /// A body that meets something more slowly than this, in world units a second, slides along it and does not bounce, if it would lose speed by that: if the restitution of its [`Bounce`](crate::components::Response::Bounce), or of what it meets if that is greater, is less than 1.
    /// Default 0, by which every one bounces; a negative number or NaN is the same.
    ///
    /// For balls under gravity. What gravity adds to a velocity in a tick is thrown back in each tick, so that a ball on the floor would hop by a part of a unit for ever: about six times of that is a good threshold.
    ///
    /// ```
    /// # use bevy::{prelude::*, time::TimeUpdateStrategy}; use bevy_nudge::prelude::*;
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default())).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    /// # app.finish(); app.cleanup();
    /// # app.update(); // passes no time
    /// app.insert_resource(CollisionSettings { bounce_threshold: 100.0, ..default() });
    /// app.world_mut().spawn((BoxCollider::new(100.0, 10.0), Body::Static));
    /// // Half a unit above the floor. A tick is a 64th of a second.
    /// let balls = [(-20.0, 64.0), (20.0, 128.0)].map(|(x, speed)| {
    ///     let bounce = Response::bounce(0.5);
    ///     let velocity = Velocity(Vec2::new(0.0, -speed));
    ///     app.world_mut().spawn((CircleCollider::new(5.0), bounce, velocity, Transform::from_xyz(x, 10.5, 0.0))).id()
    /// });
    /// app.update();
    /// let speed = |ball| app.world().get::<Velocity>(ball).unwrap().0.y;
    /// assert_eq!(balls.map(speed), [0.0, 64.0]);
    /// ```
    #[doc(alias = "restitution threshold")]
    pub bounce_threshold: f32,
    /// Whether the events of a collider go on to its ancestors, so that a body can observe the colliders of its children. Default false. An ancestor hears the event as its own: `a` is the ancestor then, and `hit.original_event_target()` the collider. Messages are not affected. Of a collider that is gone the end goes to the body that it had, and on from there; of a body that is gone itself, ancestors hear no end.
    #[doc(alias = "propagate")]
    pub bubble: bool,
    /// At most this many rounds over all overlapping pairs to push them apart; it stops as soon as all are free. Default 256.
    ///
    /// Loose crowds and rows against a wall need one to three, a crowd of a thousand that presses in from all sides about ten. What is not free
    /// after the last round is carried on with in the next tick. Where there is no room for all, it gives up earlier. 0 switches pushing off.
    #[doc(alias = "solver iterations")]
    pub push_out_rounds: u32,
}

impl CollisionSettings {
    /// The margin as it counts: from 0 to what a world is wide.
    pub(crate) fn margin(&self) -> f32 {
        // Of NaN and 0, `max` takes the 0.
        self.margin.clamp(0.0, MAX_COORDINATE).max(0.0)
    }

    /// The way up as it counts: of length 1, or 0 if there is none.
    pub(crate) fn upwards(&self) -> Vec2 {
        self.up.normalize_or_zero()
    }
}

impl Default for CollisionSettings {
    fn default() -> Self {
        Self {
            touching: Touching::default(),
            margin: 0.01,
            up: Vec2::Y,
            bounce_threshold: 0.0,
            bubble: false,
            push_out_rounds: 256,
        }
    }
}
