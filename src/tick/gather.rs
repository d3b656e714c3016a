//! Components into slots. Bad input is judged here and nowhere else.
//!
//! ```text
//! for each table of entities with a collider, in the order in which they lie in memory
//!     some rows in which nothing has changed          nothing, for all of them at once
//!     a root whose components are all as they were    nothing
//!     a root that has only moved                      its position
//!     any other root                                  everything
//!     a child that stands still                       nothing, if its parents are as they were, which is asked once for each of these
//!     any other child                                 everything, through its parents, in every tick
//! whoever has no slot yet                             gets one, in the order of their entities
//! whoever had a slot and is gone                      gives it back
//! ```

mod judge;
mod table;
mod returns;
mod families;
mod follow;

pub(crate) use follow::gather_colliders;
pub(crate) use judge::gather_collider;
pub(crate) use returns::Watch;
pub(crate) use table::ColliderData;
