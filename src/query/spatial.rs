//! Asking the world where things are: rays, areas, the nearest.

mod filter;
mod hits;
mod newcomers;
mod asked;
mod questions;
mod param;

pub use filter::{QueryFilter, QueryLayers};
pub use hits::{CastHit, NearHit};
pub use param::SpatialQuery;
pub use questions::{CastQuestion, OverlapQuestion};
