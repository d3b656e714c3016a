//! The components that a game puts on its entities: shapes, bodies, layers. They are only data and constructors; what they *do* is in the tick.

mod removals;
mod layers;
mod partners;
mod leavers;
mod body;
mod ignore;
mod collider;
mod convert;
mod velocity;
mod one_way;
mod surface;
mod rider;

pub use body::{Body, Mass, Sensor};
pub(crate) use collider::{AnyCollider, EnabledCollider, IsCollider, count_colliders};
pub use collider::{BoundsCollider, BoxCollider, CircleCollider};
pub use ignore::{ColliderDisabled, IgnoreCollisions};
pub use layers::{CollisionLayers, LayerNames};
pub use leavers::Leaver;
pub(crate) use leavers::{Leavers, Left};
pub use one_way::{DropThrough, OneWay};
pub use partners::{CollidingWith, CollisionTag};
pub(crate) use removals::{Removals, note_collider};
pub use rider::{PlatformOnLeave, Rider};
pub use surface::SurfaceVelocity;
pub use velocity::{Response, Swept, Velocity};
