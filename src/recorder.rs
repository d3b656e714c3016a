//! Records the last seconds of the collision world: to look back at, to save to a file, and to replay to the same bits.
//!
//! When a rare bug shows, the last seconds are already recorded. The file goes with the bug report, and a test replays it: [`replay`](fn@replay) sets up the world of the first tick in an app of its own, does what the
//! game did, tick by tick, and compares the plugin's results with the recorded ones, bit by bit.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_nudge::{prelude::*, recorder::{CollisionRecorder, CollisionRecorderPlugin, Recording, replay}};
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, CollisionPlugin::default(), CollisionRecorderPlugin));
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
//! - **Entities:** of every entity with a collider, and of all its ancestors: the `Transform`, the parent, whether it is disabled, the `Name`, and the components of this crate, except for the lists of [`CollidingWith`](crate::components::CollidingWith) and the cells of grids' boxes. An entity that is disabled by a component of the game's own is recorded as `Disabled`, which is how the plugin sees it. Of grids of tiles, only their colliders are recorded.
//! - **The tick:** the [`CollisionSettings`](crate::settings::CollisionSettings), the time of the tick, and its results: places, contacts, velocities, the paths of bodies, and what a [`Mover`](crate::query::Mover) has passed.
//! - **The plugin's memory from tick to tick:** the pairs that collided, which decide whether a pair with a tiny gap still counts, and the slot of each collider, which decides between colliders that are the same in every other respect. So a replay may begin at any tick.
//!
//! Not recorded are [filters](crate::filters), since they are code: see [`replay_with`]. A filter that is to be replayed must go by what is recorded: for the boxes of a grid by their layers or a [`CollisionTag`](crate::components::CollisionTag), not by [`MergedTiles`](crate::tiles::MergedTiles).

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
mod twins;
mod compare;
mod replay;

pub use difference::{Difference, DifferentPart};
pub use error::RecordingError;
pub use plugin::CollisionRecorderPlugin;
pub use recording::Recording;
pub use replay::{replay, replay_with};
pub use ring::CollisionRecorder;
