//! Boxes in columns, compared eight at a time, and the pairs that meet.
//!
//! ```text
//! columns    the edges, a list for each side; which boxes meet a box
//! within     which boxes are in an area, and which as a whole
//! along      which boxes are on a way
//! around     which boxes are near
//! hits       pairs
//! ```

mod columns;
mod within;
mod along;
mod around;
mod hits;

pub(super) use along::Line;
pub(super) use columns::{Columns, TOGETHER};
pub(super) use hits::Hits;
pub(super) use within::Inside;
pub(crate) use within::Region;
