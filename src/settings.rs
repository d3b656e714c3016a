//! Settings that hold for the whole world.

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

/// How the plugin detects collisions and pushes bodies. Read anew in every tick.
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
    /// Whether edges that just touch collide. Default [`Touching::Counts`]; then a gap that may come from rounding counts as touching too: one of up to `4.0 * f32::EPSILON` times the coordinate along the normal, which is 0.05 at 100,000.
    ///
    /// With [`Touching::Ignored`], a body that only touches a moving platform is not known to stand on it: it is carried if it presses down on it, by a [`Velocity`](crate::components::Velocity) and gravity, and not if its `Transform` or a [`Mover`](crate::query::Mover) just puts it there.
    pub touching: Touching,
    /// A collision that has started ends only when the gap is larger than this, in world units, so that contacts of a body at rest on the floor do not flicker
    /// with the last bit of its position. Default 0.01; with 0 or less, or NaN, it ends as soon as the two do not collide.
    ///
    /// If it is too large, things seem to stick to each other in the reports.
    #[doc(alias = "linear slop")]
    pub margin: f32,
    /// Which way is up, for bodies that stand on something: a [`Kinematic`](crate::components::Body::Kinematic) body that moves by `Velocity` or `Swept` carries every `Dynamic` body that stands on it (and a [`Rider`](crate::components::Rider) may take its velocity along when it leaves).
    /// Default `Vec2::Y`; zero for a game seen from above, in which nothing stands on anything. The length does not matter.
    pub up: Vec2,
    /// A body that meets something more slowly than this, in world units a second, slides along it instead of bouncing. This applies only to bounces that lose speed: if the restitution of its [`Bounce`](crate::components::Response::Bounce), or of the other body if that is greater, is less than 1.
    /// Default 0, with which every bounce counts; a negative number or NaN is the same.
    ///
    /// For balls under gravity. Without a threshold, each bounce throws back what gravity adds to the velocity in a tick, so that a ball on the floor hops by a part of a unit forever. About six times that velocity is a good threshold.
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
    /// Whether the events of a collider bubble up to its ancestors, so that a body can observe the colliders of its children. Default false.
    ///
    /// An ancestor hears the event as its own: `a` is the ancestor then, and `hit.original_event_target()` the collider. Messages are not affected. Where a collider is gone, its end goes to the body that it had, and on from there; where that body is gone too, its ancestors hear no end.
    #[doc(alias = "propagate")]
    pub bubble: bool,
    /// At most this many rounds over all overlapping pairs to push them apart; the rounds stop as soon as all bodies are free. Default 256.
    ///
    /// Loose crowds and rows against a wall need one to three rounds, a crowd of a thousand that presses in from all sides about ten. Overlaps that are left
    /// after the last round are pushed on in the next tick. Where there is no room for all bodies, the rounds stop earlier. 0 switches pushing off.
    #[doc(alias = "solver iterations")]
    pub push_out_rounds: u32,
}

impl CollisionSettings {
    /// Returns the margin that counts: from 0 to the largest coordinate.
    pub(crate) fn margin(&self) -> f32 {
        // For NaN and 0, `max` returns the 0.
        self.margin.clamp(0.0, MAX_COORDINATE).max(0.0)
    }

    /// Returns the direction of up with length 1, or 0 if there is none.
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
