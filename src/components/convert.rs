//! From Bevy's own shapes, so that one value gives the mesh and the collider.
//!
//! What is not valid, such as a negative radius, is taken over as it is: the tick leaves it out, and warns.

use bevy::math::{
    Vec2,
    primitives::{Capsule2d, Circle, Rectangle},
};

use super::collider::{BoxCollider, CircleCollider};

/// Around the entity, as Bevy's circle is.
impl From<Circle> for CircleCollider {
    fn from(circle: Circle) -> Self {
        Self::new(circle.radius)
    }
}

/// Around the entity, with sharp corners.
impl From<Rectangle> for BoxCollider {
    fn from(rectangle: Rectangle) -> Self {
        Self::from_half_size(rectangle.half_size)
    }
}

/// Upright, as Bevy's capsule is; the straight part of both is as long.
impl From<Capsule2d> for BoxCollider {
    fn from(capsule: Capsule2d) -> Self {
        let half_size = Vec2::new(capsule.radius, capsule.half_length + capsule.radius);
        Self::from_half_size(half_size).with_corner_radius(capsule.radius)
    }
}
