//! The reports of pairs that meet.

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    ecs::{
        entity::Entity,
        event::EntityEvent,
        message::Message,
        reflect::{ReflectEvent, ReflectMessage},
    },
    math::Vec2,
    reflect::Reflect,
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

/// Two colliders meet in this tick: one message for each pair in each tick, sorted by the pair's entities, with the depth found *before* the push-out.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// let enemy = app.world_mut().spawn((CircleCollider::new(10.0), Transform::from_xyz(0.0, 15.0, 0.0))).id();
/// let player = app.world_mut().spawn(CircleCollider::new(10.0)).id();
/// app.world_mut().run_schedule(FixedPostUpdate);
///
/// let hit = app.world_mut().resource_mut::<Messages<Collision>>().drain().next().unwrap();
/// assert_eq!((hit.a, hit.b), (enemy, player)); // the smaller index first
/// assert_eq!((hit.normal, hit.depth, hit.point), (Vec2::NEG_Y, 5.0, Vec2::new(0.0, 7.5)));
///
/// // As the player sees it:
/// assert!(hit.involves(player));
/// assert_eq!((hit.other(player), hit.normal_for(player)), (Some(enemy), Some(Vec2::Y)));
/// assert!(hit.involves_body(player)); // which is its own body
/// assert_eq!(hit.seen_from(player).map(|hit| (hit.a, hit.b, hit.normal)), Some((player, enemy, Vec2::Y)));
/// let turned = hit.swapped();
/// assert_eq!((turned.a, turned.b, turned.normal), (player, enemy, Vec2::Y));
/// ```
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[entity_event(propagate)]
#[reflect(Message, Event, Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct Collision {
    /// As a message: the collider that sorts first. As an event: the observed entity.
    #[event_target]
    pub a: Entity,
    /// The other collider.
    pub b: Entity,
    /// The body that `a` belongs to: `a` itself, or an ancestor.
    pub body_a: Entity,
    /// The body that `b` belongs to.
    pub body_b: Entity,
    /// Unit vector from `a` to `b`: the direction in which `b` has to move to get free.
    pub normal: Vec2,
    /// How far the two overlapped along the normal in world units, `>= 0`.
    pub depth: f32,
    /// Halfway between the two surfaces, in world coordinates.
    pub point: Vec2,
    /// When in the tick the two met, from 0 at its start to 1 at its end.
    ///
    /// - Of a body that moves by [`Velocity`](crate::components::Velocity) or [`Swept`](crate::components::Swept): the moment of impact; 0 if the two touched or overlapped before, and it goes in deeper. (A body that starts in a sensor and only leaves it does not meet it again in that tick, if the pair was already reported before.)
    /// - Of a body that a [`Mover`](crate::query::Mover) moves: the share of its way at which it passes the other one.
    /// - Of all else 1: two that only slide along each other, are at rest, or were moved by their `Transform` or by a push.
    ///
    /// The normal, the depth and the point are those of that moment if the two have parted again in the tick, or if one went into the other, as into a sensor, and was not in it before; else they are those of the end of the tick.
    pub time: f32,
}

/// Two colliders meet that did not meet in the last tick. The messages of one tick are sorted by their [`time`](Collision::time), those of the same time by the pair's entities.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// app.world_mut().spawn((CircleCollider::new(4.0), Sensor)).observe(|hit: On<CollisionStarted>, mut commands: Commands| {
///     println!("{} has taken the coin", hit.b);
///     commands.entity(hit.a).despawn();
/// });
/// # app.world_mut().spawn(CircleCollider::new(4.0));
/// # app.world_mut().run_schedule(FixedPostUpdate);
/// # assert_eq!(app.world_mut().query::<&CircleCollider>().iter(app.world()).count(), 1);
/// ```
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[entity_event(propagate)]
#[reflect(Message, Event, Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct CollisionStarted {
    /// As a message: the collider that sorts first. As an event: the observed entity.
    #[event_target]
    pub a: Entity,
    /// The other collider.
    pub b: Entity,
    /// The body that `a` belongs to: `a` itself, or an ancestor.
    pub body_a: Entity,
    /// The body that `b` belongs to.
    pub body_b: Entity,
    /// Unit vector from `a` to `b`: the direction in which `b` has to move to get free.
    pub normal: Vec2,
    /// How far the two overlapped along the normal in world units, `>= 0`.
    pub depth: f32,
    /// Halfway between the two surfaces, in world coordinates.
    pub point: Vec2,
    /// When in the tick the two met, from 0 to 1: see [`Collision::time`].
    pub time: f32,
    /// How fast the two came together along the normal when they met, in world units a second, `>= 0`: before the hit changed their velocities. For the damage of a fall, the loudness of a bounce, and things that break if they are hit hard.
    ///
    /// - It counts the motion of both by [`Velocity`](crate::components::Velocity) and [`Swept`](crate::components::Swept), and the motion of what carries them; so on a lift it is the speed of the landing, whatever the lift does.
    /// - It is 0 for a pair that is found where the tick ends, since the colliders were moved by their `Transform`, by a [`Mover`](crate::query::Mover), or by a push; and in a tick that passes no time.
    /// - What is only passed has one as well, such as a sensor, or a ledge on the way up through it: [`Collisions::is_solid`](crate::query::Collisions::is_solid) tells whether a pair is solid.
    /// - Each pair has its own: a body that comes down on two tiles at once is in two pairs, so take the greatest of a tick for the damage of a fall.
    /// - Of a pair that meets several times in a tick it is the speed of the first time. For a pair that goes on meeting, [`Collisions::approach_speed`](crate::query::Collisions::approach_speed) tells the current one.
    ///
    /// ```
    /// # use bevy::{prelude::*, time::TimeUpdateStrategy}; use bevy_nudge::prelude::*;
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default())).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    /// # app.finish(); app.cleanup();
    /// # app.update(); // passes no time
    /// let breaks = |hit: On<CollisionStarted>, mut commands: Commands| {
    ///     if hit.approach_speed > 300.0 {
    ///         commands.entity(hit.a).try_despawn();
    ///     }
    /// };
    /// app.world_mut().spawn((BoxCollider::new(100.0, 10.0), Body::Static));
    /// let vases = [250.0, 350.0].map(|speed| {
    ///     let vase = (CircleCollider::new(5.0), Velocity(Vec2::new(0.0, -speed)), Transform::from_xyz(speed - 300.0, 12.0, 0.0));
    ///     app.world_mut().spawn(vase).observe(breaks).id()
    /// });
    /// app.update();
    /// assert_eq!(app.world().get::<Velocity>(vases[0]).unwrap().0, Vec2::ZERO); // the velocity after the hit says nothing of the fall any more
    /// assert!(app.world().get_entity(vases[1]).is_err());
    /// ```
    #[doc(alias = "relative velocity")]
    #[doc(alias = "impulse")]
    pub approach_speed: f32,
}

/// Makes the ongoing collision out of its start: for functions that take a [`Collision`], such as [`TileCells::met_by`](crate::tiles::TileCells::met_by).
impl From<&CollisionStarted> for Collision {
    fn from(started: &CollisionStarted) -> Self {
        Self {
            a: started.a,
            b: started.b,
            body_a: started.body_a,
            body_b: started.body_b,
            normal: started.normal,
            depth: started.depth,
            point: started.point,
            time: started.time,
        }
    }
}

impl From<CollisionStarted> for Collision {
    fn from(started: CollisionStarted) -> Self {
        Self::from(&started)
    }
}

/// Makes the start of a collision at rest: the `approach_speed` is 0.
impl From<Collision> for CollisionStarted {
    fn from(first: Collision) -> Self {
        Self {
            a: first.a,
            b: first.b,
            body_a: first.body_a,
            body_b: first.body_b,
            normal: first.normal,
            depth: first.depth,
            point: first.point,
            time: first.time,
            approach_speed: 0.0,
        }
    }
}
