//! Boxes side by side, compared eight at a time, and the pairs that meet.
//!
//! ```text
//! columns    the edges, a list for each side; who meets a box
//! within     who is in an area, and who as a whole
//! along      who is on a way
//! around     who is near
//! hits       pairs
//! ```

mod columns;
mod within;
mod along;
mod around;
mod hits;

pub(super) use along::Line;
pub(super) use columns::{Columns, RowColumns, TOGETHER};
pub(super) use hits::Hits;
pub(super) use within::Inside;
pub(crate) use within::Region;
