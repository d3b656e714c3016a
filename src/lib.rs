//! 2D collisions for Bevy games.

#![warn(unreachable_pub, clippy::unwrap_used)]

pub mod kernel;
pub mod broad_phase;
mod placed;
mod push_out;
pub mod components;
pub mod messages;
pub mod settings;
mod state;
mod tick;
pub mod plugin;
pub mod query;

/// What most games need, for `use bevy_nudge::prelude::*`.
pub mod prelude {
    pub use crate::{
        components::{
            Body, BoundsCollider, BoxCollider, CircleCollider, CollisionLayers, Mass, Sensor,
        },
        kernel::Touching,
        messages::{Collision, CollisionEnded, CollisionStarted, EndReason},
        plugin::{CollisionPlugin, CollisionSystems},
        query::Collisions,
        settings::CollisionSettings,
    };
}
