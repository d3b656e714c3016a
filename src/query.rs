//! Asking the world about its collisions.

mod collisions;

pub use collisions::Collisions;
