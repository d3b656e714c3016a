//! 2D collisions for Bevy games: circles and boxes, found fast, reported fully, pushed apart exactly.
//!
//! Add the [plugin](plugin::CollisionPlugin), put [colliders](components) on your entities, and move their
//! `Transform`s as you like. Once per fixed tick the plugin
//!
//! 1. **gathers** where every collider is now, through its parents, scale and offset,
//! 2. **sweeps** what has a [`Velocity`](components::Velocity) along its way, and lets it slide or bounce where it meets something,
//! 3. **detects** which of them meet,
//! 4. **resolves** the overlaps: pushes each [`Body::Dynamic`](components::Body::Dynamic) out by the shortest way,
//! 5. **reports** in [messages] what began, what goes on and what is over.
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
//! - [`messages`]: what is told of collisions, as messages and to observers; [`CollisionReader`](query::CollisionReader) reads those between two kinds of things.
//! - [`Collisions`](query::Collisions): what collides now, by question; [`explain`](query::explain) says why, or why not.
//! - [`filters`]: a game's own word on who collides with whom.
//! - [`plugin`]: the schedule, and the sets to order systems against.
//! - [`SpatialQuery`](query::SpatialQuery): what a ray hits, who is in an area, who is the nearest.
//! - [`Mover`](query::Mover): move and slide at once, for controllers of your own.
//! - [`tiles`]: grids of tiles as few colliders.
//! - [`settings`]: what the whole world agrees on.
//! - [`kernel`], [`broad_phase`] and [`spatial`]: the geometry itself, and questions to many shapes, for use without an ECS.
//! - [`diagnostics`]: counts, and how long the stages of a tick take.
//! - [`guide::schedules`]: which schedule to do what in, smooth drawing, cameras, pauses.
//! - [`guide::speed`]: how a tick works, and what it costs.
//!
//! # Which schedule
//!
//! Move bodies in `FixedUpdate`; the plugin runs in `FixedPostUpdate`. Messages can be read anywhere: in `FixedUpdate` they are those of the last
//! tick, in `Update` those of all ticks since the last frame. A system that must run after the push-out in the same tick goes into `FixedPostUpdate`,
//! after [`CollisionSystems::Report`](plugin::CollisionSystems::Report). A game without fixed ticks takes `CollisionPlugin::new(Update)`. More of it in [`guide::schedules`].
//!
//! # Velocity or `Transform`
//!
//! Both, even for one body. A game that sets `Transform`s says where things are; what overlaps then is pushed out, and what was skipped was never met, unless the body is
//! [`Swept`](components::Swept). A game that sets
//! [`Velocity`](components::Velocity)s says where things go; they meet whatever is on the way, at any speed, and
//! [`Response`](components::Response) says what becomes of the way. For walkers, balls and bullets the latter is less work:
//!
//! ```
//! # use bevy::prelude::*; use bevy_nudge::prelude::*;
//! # #[derive(Component)] struct Player;
//! fn walk(keys: Res<ButtonInput<KeyCode>>, time: Res<Time>, mut player: Single<&mut Velocity, With<Player>>) {
//!     player.0.x = if keys.pressed(KeyCode::ArrowRight) { 160.0 } else { 0.0 };
//!     player.0.y -= 1000.0 * time.delta_secs(); // gravity; on the floor the slide takes it away again
//! }
//! # bevy::ecs::system::assert_is_system(walk);
//! ```
//!
//! # Features
//!
//! - `inspector`: a panel in the running game, with `bevy_egui`: what collides, why or why not, to be looked at tick by tick, and changed.
//! - `picking`: Bevy's own picking finds colliders under the mouse.
//! - `recorder`: the last seconds, to look back at, and to replay from a file to the same bits.
//! - `serialize`: serde for components, messages and settings.
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
pub mod spatial;
mod push_out;
mod sweep;
pub mod components;
pub mod messages;
pub mod settings;
pub mod filters;
mod state;
pub mod tiles;
mod tick;
pub mod plugin;
pub mod query;
pub mod snapshot;
pub mod diagnostics;
#[cfg(feature = "picking")]
pub mod picking;
#[cfg(feature = "recorder")]
pub mod recorder;
#[cfg(feature = "debug")]
pub mod debug;
#[cfg(feature = "inspector")]
pub mod inspector;
pub mod guide;

/// What most games need, for `use bevy_nudge::prelude::*`.
pub mod prelude {
    pub use crate::{
        components::{
            Body, BoundsCollider, BoxCollider, CircleCollider, ColliderDisabled, CollidingWith,
            CollisionLayers, CollisionTag, DropThrough, IgnoreCollisions, LayerNames, Mass, OneWay,
            PlatformOnLeave, Response, Rider, Sensor, Swept, Velocity,
        },
        filters::{AddCollisionFilter, Pair, Verdict},
        kernel::Touching,
        messages::{Collision, CollisionEnded, CollisionStarted, Crushed, EndReason},
        plugin::{CollisionPlugin, CollisionSystems},
        query::{
            CollisionReader, Collisions, Explanation, MoveOptions, Mover, QueryFilter, QueryLayers,
            SpatialQuery, explain,
        },
        settings::CollisionSettings,
    };
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
