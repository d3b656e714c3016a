//! Every pair of boxes that meet, once. Plain arrays in, pairs out: no ECS, no shapes, no rules.
//!
//! ```text
//! BroadPhase    what moves, given anew in each call, and what stands still, given once
//!   Levels      by size: boxes of like size share a level, each 8 times as large as the one below
//!     Rows      a level's horizontal strips, each sorted by left edge
//! ```
//!
//! Moving boxes meet each other and the still ones; still ones never meet each other and cost nothing while nothing moves near them.
//!
//! ```
//! use bevy_nudge::broad_phase::{BroadPhase, Extent};
//!
//! let dot = Extent { min: [0.0, 0.0], max: [20.0, 20.0] };
//! let wall = Extent { min: [20.0, -40.0], max: [60.0, 400.0] };
//! let far_wall = Extent { min: [600.0, -40.0], max: [640.0, 400.0] };
//!
//! let mut broad_phase = BroadPhase::default();
//! broad_phase.set_still([(wall, "wall"), (far_wall, "far wall")]);
//! let mut met = Vec::new();
//! broad_phase.find([(dot, "dot")], |one, other| Some((*one, *other)), &mut met);
//! assert_eq!(met, [("dot", "wall")]); // sharing an edge is enough
//! ```

mod extent;
mod rows;
mod levels;
mod pairs;

pub use extent::Extent;
pub use pairs::BroadPhase;
