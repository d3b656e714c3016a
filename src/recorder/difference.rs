//! What a replay did otherwise.

use std::fmt;

use bevy::ecs::entity::Entity;
use thiserror::Error;

/// The first thing that a [replay](fn@super::replay) did otherwise than what was recorded.
///
/// Its sentence says all of it: `tick 12: the place of the body 7v0 was Vec2(1.0, 2.0) and is Vec2(1.0, 2.5)`.
#[derive(Error, Clone, Debug, PartialEq)]
#[error("tick {tick}: {part} {entity} was {recorded} and is {replayed}")]
#[non_exhaustive]
pub struct Difference {
    /// The tick in which it shows.
    pub tick: u64,
    /// What is not the same.
    pub part: DifferentPart,
    /// Of whom, as it was called in the game.
    pub entity: Entity,
    /// What was recorded, as `Debug` writes it, which has all its bits; `nothing` if it was not there.
    pub recorded: String,
    /// What the replay came to.
    pub replayed: String,
}

/// What of an entity is not the same in a [`Difference`]. They are compared in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DifferentPart {
    /// What its collider looks like, or whether it takes part.
    Collider,
    /// Where its body is.
    Place,
    /// Its contact with another collider.
    Contact {
        /// The other one.
        with: Entity,
    },
    /// Its `Transform`.
    Transform,
    /// Its [`Velocity`](crate::components::Velocity).
    Velocity,
    /// What its [`Swept`](crate::components::Swept) remembers.
    Swept,
    /// What its [`Rider`](crate::components::Rider) knows of what carries it.
    Rider,
}

impl fmt::Display for DifferentPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Collider => "the collider of",
            Self::Place => "the place of the body",
            Self::Contact { with } => return write!(f, "the contact with {with} of"),
            Self::Transform => "the Transform of",
            Self::Velocity => "the Velocity of",
            Self::Swept => "the Swept of",
            Self::Rider => "the Rider of",
        })
    }
}
