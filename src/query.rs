//! Queries: what collides, why or why not, and what would happen.

mod surface;
mod collisions;
mod reader;
mod explain;
mod mover;
mod spatial;

pub use collisions::Collisions;
#[cfg(feature = "inspector")]
pub(crate) use explain::absence;
pub use explain::{Contactless, Explanation, explain};
pub use mover::{MoveHit, MoveOptions, Moved, Mover};
pub use reader::{BodyCollisionReader, CollisionReader, OfBodies, OfColliders, Side};
pub(crate) use spatial::note_newcomers_anew;
pub use spatial::{
    CastHit, CastQuestion, ColliderView, NearHit, OverlapQuestion, QueryFilter, QueryLayers,
    SpatialQuery,
};
#[cfg(feature = "debug")]
pub(crate) use spatial::{QueryNote, QueryNotes};
pub use surface::{Surface, SurfaceHit};
