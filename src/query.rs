//! Asking the world: what collides, and what would happen.

mod collisions;
mod mover;

pub use collisions::Collisions;
pub use mover::{MoveHit, MoveOptions, Moved, Mover, Surface};
