//! Every pair of boxes that meet, once, in a fixed order. Plain arrays in, pairs out: no ECS, no shapes, no rules.
//!
//! The seam to the rest of the crate is [`BroadPhase::find_pairs`]; what is behind it may change without anybody noticing but the clock.
//!
//! ```
//! use bevy_nudge::broad_phase::{BroadPhase, Extent};
//!
//! let dot = Extent { min: [0.0, 0.0], max: [20.0, 20.0], moves: true };
//! let wall = Extent { min: [20.0, -40.0], max: [60.0, 400.0], moves: false };
//! let far_wall = Extent { min: [600.0, -40.0], max: [640.0, 400.0], moves: false };
//!
//! let mut pairs = Vec::new();
//! BroadPhase::default().find_pairs(&[dot, wall, far_wall], &mut pairs);
//! assert_eq!(pairs, [(0, 1)]); // sharing an edge is enough
//! ```

mod strips;

pub use strips::{BroadPhase, Extent};
