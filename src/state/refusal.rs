//! Why a collider is refused.

use bevy::math::Vec2;
use thiserror::Error;

use crate::kernel::InvalidShape;

/// Why a collider takes no part.
#[derive(Error, Clone, Copy, Debug, PartialEq)]
pub(crate) enum Refusal {
    #[error(transparent)]
    Shape(#[from] InvalidShape),
    #[error("position and offset must be finite and at most 1e18, got {0}")]
    Position(Vec2),
    #[error("mass must be > 0, got {0}")]
    Mass(f32),
    #[error("the direction of OneWay must be finite and not zero, got {0}")]
    OneWay(Vec2),
    #[error("SurfaceVelocity must be finite and at most 1e18, got {0}")]
    SurfaceVelocity(Vec2),
    #[error("it has more than one collider component; give the others to children")]
    Several,
    #[error("it has no Transform")]
    NoTransform,
}
