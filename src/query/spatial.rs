//! Asking where things are: rays, areas, the nearest.

mod filter;
mod hits;
mod notes;
mod newcomers;
mod asked;
mod view;
mod questions;
mod param;

pub use filter::{QueryFilter, QueryLayers};
pub use hits::{CastHit, NearHit};
pub(crate) use newcomers::note_newcomers_anew;
pub use notes::QueryNote;
#[cfg(feature = "debug")]
pub(crate) use notes::QueryNotes;
pub use param::SpatialQuery;
pub use questions::{CastQuestion, OverlapQuestion};
pub use view::ColliderView;
