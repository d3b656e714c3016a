//! What a game puts on its entities: shapes, bodies, layers. Fields and constructors only; what they *do* is in the tick.

mod removals;
mod body;
mod collider;
mod layers;
mod velocity;
mod one_way;
mod rider;

pub use body::{Body, Mass, Sensor};
pub use collider::{BoundsCollider, BoxCollider, CircleCollider};
pub use layers::CollisionLayers;
pub use one_way::{DropThrough, OneWay};
pub(crate) use removals::Removals;
pub use rider::{PlatformOnLeave, Rider};
pub use velocity::{Response, Swept, Velocity};
