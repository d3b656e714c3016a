//! Asking where things are: rays, areas, the nearest.

mod filter;
mod hits;
mod notes;
mod newcomers;
mod filtered;
mod view;
mod questions;
mod param;

pub use filter::{QueryFilter, QueryLayers};
pub use hits::{CastHit, NearHit};
pub(crate) use newcomers::note_newcomers_anew;

#[cfg(feature = "debug")]
pub(crate) use notes::{QueryNote, QueryNotes};
pub use param::SpatialQuery;
pub use questions::{CastQuestion, OverlapQuestion};
pub use view::ColliderView;
