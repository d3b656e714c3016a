//! What the plugin tells the game.
//!
//! Three messages tell of pairs: [`CollisionStarted`] in the tick in which two colliders meet, [`Collision`] in every tick in which they do, that
//! one included, and [`CollisionEnded`] in the first tick in which they don't, whatever the reason. Every started has exactly one ended.
//!
//! What met on the way of a [`Velocity`](crate::components::Velocity) counts as meeting in that tick, also if it is far away in the end.
//!
//! [`Crushed`] tells of a body that cannot be freed.
//!
//! They are written in `CollisionSystems::Report`, sorted by the pair (what started, by time first), `a` being the collider whose entity was allocated first (the
//! smaller index). Buffered messages outlive frames without a fixed tick, and a reader in `Update` sees those of all ticks of a frame.

use bevy::{
    ecs::{entity::Entity, message::Message, reflect::ReflectMessage},
    math::Vec2,
    reflect::Reflect,
};

/// Two colliders meet in this tick. Written for every pair in every tick, with the depth found *before* the push-out.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// #[derive(Component)]
/// struct Player;
///
/// fn hurt(mut collisions: MessageReader<Collision>, players: Query<Entity, With<Player>>) {
///     for collision in collisions.read() {
///         for player in players.iter().filter(|player| collision.involves(*player)) {
///             let enemy = collision.other(player);
///             let from = collision.normal_for(player);
///             println!("{player} is hurt by {enemy:?} from {from:?}");
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(hurt);
/// ```
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Message, Clone, Debug, PartialEq)]
pub struct Collision {
    /// The collider that sorts first.
    pub a: Entity,
    /// The other collider.
    pub b: Entity,
    /// Unit vector from `a` to `b`: the way in which `b` has to go to be free.
    pub normal: Vec2,
    /// How far they overlapped along the normal in world units, `>= 0`.
    pub depth: f32,
    /// Halfway between the two surfaces, in world coordinates.
    pub point: Vec2,
    /// When in the tick, from 0 at its start to 1 at its end. What a [`Velocity`](crate::components::Velocity) leads to is met on the way; where a game puts things, is looked at
    /// in the end.
    pub time: f32,
}

/// Two colliders meet that did not meet in the last tick.
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Message, Clone, Debug, PartialEq)]
pub struct CollisionStarted {
    /// The collider that sorts first.
    pub a: Entity,
    /// The other collider.
    pub b: Entity,
    /// Unit vector from `a` to `b`: the way in which `b` has to go to be free.
    pub normal: Vec2,
    /// How far they overlapped along the normal in world units, `>= 0`.
    pub depth: f32,
    /// Halfway between the two surfaces, in world coordinates.
    pub point: Vec2,
    /// When in the tick, from 0 at its start to 1 at its end. What a [`Velocity`](crate::components::Velocity) leads to is met on the way; where a game puts things, is looked at
    /// in the end.
    pub time: f32,
}

/// Two colliders met in the last tick and do not any more. One or both of the entities may be gone.
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Message, Clone, Debug, PartialEq)]
pub struct CollisionEnded {
    /// The collider that sorts first.
    pub a: Entity,
    /// The other collider.
    pub b: Entity,
    /// Unit vector from `a` to `b` when they last met.
    pub normal: Vec2,
    /// How far they overlapped when they last met, in world units.
    pub depth: f32,
    /// Halfway between the two surfaces when they last met, in world coordinates.
    pub point: Vec2,
    /// When in the tick in which they last met.
    pub time: f32,
    /// Why it is over.
    pub reason: EndReason,
}

/// A [`Dynamic`](crate::components::Body::Dynamic) body cannot be freed: something that does not give way is in it by more than 0.01, and there is no way out. Written in every tick in which it is so.
///
/// What becomes of it, a game decides: it may be hurt, or the door may open again.
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Message, Clone, Debug, PartialEq)]
pub struct Crushed {
    /// The collider that is crushed.
    pub entity: Entity,
    /// What it is in the deepest: a `Kinematic` or a `Static`.
    pub by: Entity,
    /// What it is pushed against on the other side, if that is one collider.
    pub against: Option<Entity>,
    /// How deep it is in it, in world units.
    pub depth: f32,
}

/// Why a collision is over. Where several hold, the first in this list is told.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Clone, Debug, PartialEq, Hash)]
#[non_exhaustive]
pub enum EndReason {
    /// One of the entities, or both, despawned.
    Despawned,
    /// One of them has no collider any more, or is [disabled](bevy::ecs::entity_disabling::Disabled).
    Removed,
    /// One of them has a size, place, scale or mass that is not valid.
    Invalid,
    /// They do not collide any more by their layers, their bodies, or by belonging to the same body.
    Filtered,
    /// They moved apart, or shrank.
    Separated,
}

/// The same three questions for each message.
macro_rules! pair_questions {
    ($message:ty) => {
        impl $message {
            /// Whether `entity` is one of the two colliders.
            pub fn involves(&self, entity: Entity) -> bool {
                self.a == entity || self.b == entity
            }

            /// The collider that is not `entity`, or `None` if `entity` is neither.
            pub fn other(&self, entity: Entity) -> Option<Entity> {
                if entity == self.a {
                    Some(self.b)
                } else if entity == self.b {
                    Some(self.a)
                } else {
                    None
                }
            }

            /// The normal seen from `entity`, pointing to the other one; `None` if `entity` is neither.
            pub fn normal_for(&self, entity: Entity) -> Option<Vec2> {
                if entity == self.a {
                    Some(self.normal)
                } else if entity == self.b {
                    // Adding 0 turns -0.0 into 0.0.
                    Some(-self.normal + Vec2::ZERO)
                } else {
                    None
                }
            }
        }
    };
}
pair_questions!(Collision);
pair_questions!(CollisionStarted);
pair_questions!(CollisionEnded);

impl From<Collision> for CollisionStarted {
    fn from(first: Collision) -> Self {
        let Collision {
            a,
            b,
            normal,
            depth,
            point,
            time,
        } = first;
        Self {
            a,
            b,
            normal,
            depth,
            point,
            time,
        }
    }
}

impl CollisionEnded {
    /// The end of a pair that last met as `last` tells.
    pub fn new(last: Collision, reason: EndReason) -> Self {
        let Collision {
            a,
            b,
            normal,
            depth,
            point,
            time,
        } = last;
        Self {
            a,
            b,
            normal,
            depth,
            point,
            time,
            reason,
        }
    }
}
