//! Where a replay differs from the recording.

use std::fmt;

use bevy::ecs::entity::Entity;
use thiserror::Error;

/// The first result of a [replay](fn@super::replay) that is not as recorded.
///
/// Its `Display` text says all of it: `tick 12: the place of the body 7v0 was Vec2(1.0, 2.0) and is Vec2(1.0, 2.5)`.
#[derive(Error, Clone, Debug, PartialEq)]
#[error("tick {tick}: {part} {entity} was {recorded} and is {replayed}")]
#[non_exhaustive]
pub struct Difference {
    /// The tick in which the difference shows.
    pub tick: u64,
    /// What differs.
    pub part: DifferentPart,
    /// The entity that it is about, with the number that it had in the game.
    pub entity: Entity,
    /// The recorded value, in its `Debug` form, which shows all its bits; `nothing` if there was none.
    pub recorded: String,
    /// The value in the replay, in the same form.
    pub replayed: String,
}

/// Which part of an entity differs in a [`Difference`]. The parts are compared in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DifferentPart {
    /// Its collider's shape and properties, or whether the collider takes part.
    Collider,
    /// The place of its body.
    Place,
    /// Its contact with another collider.
    Contact {
        /// The other collider.
        with: Entity,
    },
    /// Its `Transform`.
    Transform,
    /// Its [`Velocity`](crate::components::Velocity).
    Velocity,
    /// The place that its [`Swept`](crate::components::Swept) remembers.
    Swept,
    /// What its [`Rider`](crate::components::Rider) knows of its platform.
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
