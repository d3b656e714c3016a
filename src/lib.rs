//! 2D collisions for Bevy games: circles and boxes, found fast, reported fully, pushed apart exactly.
//!
//! Add the [plugin](plugin::CollisionPlugin), put [colliders](components) on your entities, and move their
//! `Transform`s as you like. Once per fixed tick the plugin
//!
//! 1. **gathers** where every collider is now, through its parents, scale and offset,
//! 2. **detects** which of them meet,
//! 3. **resolves** the overlaps: pushes each [`Body::Dynamic`](components::Body::Dynamic) out by the shortest way,
//! 4. **reports** in [messages] what began, what goes on and what is over.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_nudge::prelude::*;
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
//! let player = app.world_mut().spawn((CircleCollider::new(10.0), Transform::from_xyz(12.0, 0.0, 0.0))).id();
//! let coin = app.world_mut().spawn((CircleCollider::new(4.0), Sensor)).id();
//!
//! app.world_mut().run_schedule(FixedPostUpdate); // what Bevy does in each fixed tick
//!
//! let mut started = app.world_mut().resource_mut::<Messages<CollisionStarted>>();
//! let hit = started.drain().next().expect("12 is less than 10 + 4");
//! assert_eq!((hit.other(player), hit.depth), (Some(coin), 2.0));
//! ```
//!
//! # Where to go from here
//!
//! - [`components`]: the shapes, who is pushed, who sees whom.
//! - [`messages`] and [`Collisions`](query::Collisions): two ways to hear of collisions, by tick and by question.
//! - [`plugin`]: the schedule, and the sets to order systems against.
//! - [`settings`]: what the whole world agrees on.
//! - [`kernel`] and [`broad_phase`]: the geometry itself, for use without an ECS.
//! - [`guide::speed`]: how a tick works, and what it costs.
//!
//! # Which schedule
//!
//! Move bodies in `FixedUpdate`; the plugin runs in `FixedPostUpdate`. Messages can be read anywhere: in `FixedUpdate` they are those of the last
//! tick, in `Update` those of all ticks since the last frame. A system that must run after the push-out in the same tick goes into `FixedPostUpdate`,
//! after [`CollisionSystems::Report`](plugin::CollisionSystems::Report). A game without fixed ticks takes `CollisionPlugin::new(Update)`.
//!
//! # Testing a game
//!
//! Nothing here needs a window. `MinimalPlugins` with `TimeUpdateStrategy::FixedTimesteps(1)` run one tick in each `app.update()` but the
//! first, which passes no time; then look at `Transform`s and messages.

#![warn(missing_docs, unreachable_pub, clippy::unwrap_used)]

pub mod kernel;
mod parallel;
pub mod broad_phase;
mod placed;
mod push_out;
mod sweep;
pub mod components;
pub mod messages;
pub mod settings;
mod state;
mod tick;
pub mod plugin;
pub mod query;
pub mod guide;

/// What most games need, for `use bevy_nudge::prelude::*`.
pub mod prelude {
    pub use crate::{
        components::{
            Body, BoundsCollider, BoxCollider, CircleCollider, CollisionLayers, DropThrough, Mass,
            OneWay, Response, Sensor, Velocity,
        },
        kernel::Touching,
        messages::{Collision, CollisionEnded, CollisionStarted, EndReason},
        plugin::{CollisionPlugin, CollisionSystems},
        query::Collisions,
        settings::CollisionSettings,
    };
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
