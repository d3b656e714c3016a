//! The last seconds of the world of colliders: to look back at, to save to a file, and to replay to the same bits.
//!
//! A bug that is seen once in an hour is in the ring when it is seen. Its file goes with the report, and a test replays it: [`replay`](fn@replay) sets up the world of the first tick in an app of its own, does what the
//! game did, tick by tick, and compares what the plugin makes of it with what it made then, bit by bit.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_nudge::{prelude::*, recorder::{CollisionRecorder, CollisionRecorderPlugin, Recording, replay}};
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, CollisionPlugin::default(), CollisionRecorderPlugin::default()));
//! app.world_mut().spawn(CircleCollider::new(10.0));
//! app.world_mut().spawn((CircleCollider::new(10.0), Transform::from_xyz(12.0, 0.0, 0.0)));
//! for _ in 0..5 {
//!     app.world_mut().run_schedule(FixedPostUpdate);
//! }
//!
//! let recorder = app.world().resource::<CollisionRecorder>();
//! let first = recorder.snapshot(1).unwrap();
//! assert_eq!((first.colliders.len(), first.contacts[0].depth), (2, 8.0));
//!
//! let path = std::env::temp_dir().join("two_circles.nudgerec");
//! recorder.recording().save(&path)?;
//! # let again = path.clone();
//! replay(&Recording::load(path)?)?;
//! # std::fs::remove_file(again)?;
//! # Ok::<(), BevyError>(())
//! ```
//!
//! # What is recorded
//!
//! Of every entity with a collider, and of all its ancestors: the `Transform`, whose child it is, whether it is disabled, its `Name`, and the components of this crate, but for the lists of
//! [`CollidingWith`](crate::components::CollidingWith) and what the boxes of grids know of their cells. One that is disabled by a component of the game's own is recorded as `Disabled`, which is how the plugin sees it. Of grids of tiles, the colliders that they have. Then the
//! [`CollisionSettings`](crate::settings::CollisionSettings), the time of the tick, and what the plugin made of it all: places, contacts, velocities, the ways of bodies, and what a [`Mover`](crate::query::Mover) has passed.
//!
//! What the plugin keeps from one tick to the next is recorded too: what collided, which decides whether what lets go by a hair still counts, and which place each collider has in its lists, which
//! decides between those that are the same in every other respect. So a replay may begin anywhere.
//!
//! Not recorded are [filters](crate::filters), which are code: see [`replay_with`]. A filter that is to be replayed goes by what is recorded: for the boxes of a grid by their layers or a [`CollisionTag`](crate::components::CollisionTag), not by [`MergedTiles`](crate::tiles::MergedTiles).

mod error;
mod bits;
mod table;
mod entities;
mod records;
mod frame;
mod recording;
mod ring;
mod watch;
mod plugin;
mod difference;
mod stage;
mod replay;

pub use difference::{Difference, DifferentPart};
pub use error::RecordingError;
pub use plugin::CollisionRecorderPlugin;
pub use recording::Recording;
pub use replay::{replay, replay_with};
pub use ring::CollisionRecorder;
