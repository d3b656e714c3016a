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
//! # The guide
//!
//! The [guide] has pages in reading order, from a first app to questions that are often asked. Their examples run.
//!
//! # What is where
//!
//! - [`components`]: the shapes, what is pushed, and what collides with what.
//! - [`messages`]: what is reported of collisions, as messages and to observers.
//! - [`query`]: [`CollisionReader`](query::CollisionReader) for pairs of two kinds, [`BodyCollisionReader`](query::BodyCollisionReader) for those of two kinds of bodies, [`Collisions`](query::Collisions) for what collides now, [`SpatialQuery`](query::SpatialQuery) for rays and areas, [`Mover`](query::Mover) for controllers of your own.
//! - [`filters`]: a game's own word on who collides with whom.
//! - [`tiles`]: grids of tiles as few colliders.
//! - [`plugin`]: the schedule, and the sets to order systems against.
//! - [`settings`]: what the whole world agrees on.
//! - [`diagnostics`]: counts, and how long the stages of a tick take. [`snapshot`]: a tick as plain data, for drawings and tools. [`memory`]: what one tick takes over from another, for rollback.
//! - [`kernel`], [`broad_phase`] and [`spatial`]: the geometry itself, and questions to many shapes, for use without an ECS.
//!
//! # Features
//!
//! None is on by default.
//!
//! - `debug`: `CollisionDebugPlugin` draws the colliders with gizmos.
//! - `inspector`: a panel in the running game, with `bevy_egui`: what collides, why or why not, to be looked at tick by tick, and changed.
//! - `picking`: Bevy's own picking finds colliders under the mouse.
//! - `recorder`: the last seconds, to look back at, and to replay from a file to the same bits.
//! - `serialize`: serde for components, messages and settings.

#![warn(missing_docs, unreachable_pub, clippy::unwrap_used)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod allow_disabled;
mod map_four;
pub mod kernel;
mod parallel;
mod prefetch;
mod counting;
pub mod broad_phase;
mod cells;
mod sets;
mod lists;
mod placed;
pub mod spatial;
pub mod components;
mod sweep;
mod push_out;
pub mod messages;
pub mod settings;
pub mod filters;
mod state;
pub mod tiles;
mod tick;
pub mod query;
pub mod plugin;
pub mod snapshot;
pub mod memory;
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
            CollisionLayers, CollisionTag, DropThrough, IgnoreCollisions, LayerNames, Leaver, Mass,
            OneWay, PlatformOnLeave, Response, Rider, Sensor, SurfaceVelocity, Swept, Velocity,
        },
        diagnostics::CollisionDiagnosticsPlugin,
        filters::{AddCollisionFilter, Pair, Verdict},
        kernel::{Shape, Touching},
        messages::{Collision, CollisionEnded, CollisionStarted, Crushed, EndReason},
        plugin::{CollisionPlugin, CollisionSystems},
        query::{
            BodyCollisionReader, CastHit, CollisionReader, Collisions, Explanation, MoveHit,
            MoveOptions, Moved, Mover, NearHit, QueryFilter, QueryLayers, SpatialQuery, Surface,
            SurfaceHit, explain,
        },
        settings::CollisionSettings,
        tiles::{MergedTiles, TileCells, TileColliders},
    };

    #[cfg(feature = "debug")]
    pub use crate::debug::CollisionDebugPlugin;
    #[cfg(feature = "inspector")]
    pub use crate::inspector::CollisionInspectorPlugin;
    #[cfg(feature = "picking")]
    pub use crate::picking::CollisionPickingPlugin;
    #[cfg(feature = "recorder")]
    pub use crate::recorder::CollisionRecorderPlugin;
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
