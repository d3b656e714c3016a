//! Asking the world: what collides, and what would happen.

mod collisions;
mod mover;
mod spatial;

pub use collisions::Collisions;
pub use mover::{MoveHit, MoveOptions, Moved, Mover, Surface};
pub use spatial::{
    CastHit, CastQuestion, NearHit, OverlapQuestion, QueryFilter, QueryLayers, SpatialQuery,
};
