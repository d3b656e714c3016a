//! Reads components into slots. Invalid input is judged here and nowhere else.
//!
//! ```text
//! what is seen                                        what is read
//!
//! for each table of entities with a collider, in memory order
//!     a block of rows in which nothing has changed    nothing, for all of them at once
//!     a root whose components are all as they were    nothing
//!     a root that has only moved                      its position
//!     any other root                                  everything
//!     a child that stands still                       nothing, if its parent is as it was, which is asked once for each parent
//!     any other child                                 everything, through its parents, in every tick
//! a collider without a slot                           gets one, in the order of the tags, then of the entities
//! a collider that is gone, but has a slot             gives it back, unless a child of it collides
//! ```

mod judge;
mod table;
mod returns;
mod families;
mod follow;
#[cfg(test)]
mod tests;

pub(crate) use follow::gather_colliders;
pub(crate) use judge::gather_collider;
pub(crate) use returns::{ComesBack, Watch};
pub(crate) use table::ColliderData;
