//! Conversions from Bevy's own shapes, so that one value gives the mesh and the collider.
//!
//! Invalid values, such as a negative radius, are taken over as they are: the tick leaves such a collider out, and warns.

use bevy::math::{
    Vec2,
    primitives::{Capsule2d, Circle, Rectangle},
};

use super::collider::{BoxCollider, CircleCollider};

/// A circle around the entity, as Bevy's circle is.
impl From<Circle> for CircleCollider {
    fn from(circle: Circle) -> Self {
        Self::new(circle.radius)
    }
}

/// A box around the entity, with sharp corners.
impl From<Rectangle> for BoxCollider {
    fn from(rectangle: Rectangle) -> Self {
        Self::from_half_size(rectangle.half_size)
    }
}

/// An upright capsule, as Bevy's capsule is; the straight parts of both have the same length.
impl From<Capsule2d> for BoxCollider {
    fn from(capsule: Capsule2d) -> Self {
        let half_size = Vec2::new(capsule.radius, capsule.half_length + capsule.radius);
        Self::from_half_size(half_size).with_corner_radius(capsule.radius)
    }
}
