//! Finds every pair of boxes that meet, once. Plain arrays in, pairs out: no ECS, no shapes, no rules.
//!
//! ```text
//! BroadPhase    moving boxes, given anew in each call, and still boxes, given once
//!   Levels      by size: boxes of similar size share a level, each 16 times as large as the one below
//!     Chunks    stretches of the boxes, each with room for every strip: as much as the last call has shown to be needed
//!       Chunk   its boxes, in the strips that they touch
//!     Rows      a level's horizontal strips
//!       Part    a few neighboring ones: each sorted by left edge, then swept, eight boxes at a time
//! ```
//!
//! Moving boxes meet each other and the still ones; still ones never meet each other and cost nothing while nothing moves near them.
//! Chunks are independent of each other, and so are parts, so that threads can share them. How many there are depends on the boxes, not on the threads: the
//! result is the same, in the same order, whichever threads find it.
//!
//! ```
//! use bevy_nudge::broad_phase::{BroadPhase, Extent, Found};
//!
//! let dot = Extent { min: [0.0, 0.0], max: [20.0, 20.0] };
//! let wall = Extent { min: [20.0, -40.0], max: [60.0, 400.0] };
//! let far_wall = Extent { min: [600.0, -40.0], max: [640.0, 400.0] };
//!
//! let mut broad_phase = BroadPhase::default();
//! broad_phase.set_still(&[(wall, "wall"), (far_wall, "far wall")]);
//! let mut found = Found::default();
//! broad_phase.find(&[(dot, "dot")], |one, other| Some((one.1, other.1)), &mut found);
//! assert!(found.iter().eq(&[("dot", "wall")])); // sharing an edge is enough
//! ```

mod rounding;
mod extent;
mod vectors;
mod grid;
mod lanes;
mod chunk;
mod chunks;
mod part;
mod rows;
mod walks;
mod levels;
mod pairs;

pub(crate) use extent::Boxes;
pub use extent::{Extent, HasExtent};
#[cfg(feature = "debug")]
pub(crate) use grid::Strips;
pub(crate) use lanes::Region;
pub(crate) use levels::Levels;
pub(crate) use pairs::Meet;
pub use pairs::{BroadPhase, Found};
pub(crate) use walks::Way;
