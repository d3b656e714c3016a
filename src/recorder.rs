//! The last seconds of the world of colliders: to look back at, to save to a file, and to replay to the same bits.
//!
//! A bug that is seen once in an hour is in the ring when it is seen. Its file goes with the report, and a test replays it: [`replay`] sets up the world of the first tick in an app of its own, does what the
//! game did, tick by tick, and compares what the plugin makes of it with what it made then, bit by bit.

mod error;
mod bits;
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
