//! Conversions from and to Bevy's own shapes and bounding volumes.

use bevy::math::{
    Vec2,
    bounding::{Aabb2d, BoundingCircle, BoundingVolume},
    primitives::{Capsule2d, Circle, Rectangle},
};
use thiserror::Error;

use super::shape::{InvalidShape, Shape};

/// The shape is valid, but not of the wanted kind: a box is not a circle.
///
/// ```
/// # use bevy::math::{Vec2, bounding::Aabb2d, primitives::{Capsule2d, Circle, Rectangle}}; use bevy_nudge::kernel::{NotThisShape, Shape};
/// let dot = Shape::try_from(Circle::new(5.0))?;
/// assert_eq!(Circle::try_from(dot).map(|circle| circle.radius), Ok(5.0));
/// let refused: NotThisShape = Rectangle::try_from(dot).unwrap_err();
/// assert_eq!((refused.shape, refused.wanted), (dot, "rectangle"));
/// assert_eq!(refused.to_string(), "a shape of half size [0, 0] and radius 5 is not a rectangle");
///
/// // To a shape there are more ways.
/// assert_eq!(Shape::try_from(Rectangle::new(4.0, 6.0))?, Shape::rectangle(Vec2::new(2.0, 3.0))?);
/// assert_eq!(Shape::try_from(Aabb2d::new(Vec2::ONE, Vec2::new(2.0, 3.0)))?, Shape::rectangle(Vec2::new(2.0, 3.0))?);
/// assert_eq!(Shape::try_from(Capsule2d::new(2.0, 6.0))?, Shape::rounded_rectangle(Vec2::new(2.0, 5.0), 2.0)?);
/// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
/// ```
#[derive(Error, Clone, Copy, Debug, PartialEq)]
#[error("a shape of half size {} and radius {} is not a {wanted}", shape.half_size(), shape.radius())]
pub struct NotThisShape {
    /// What could not be converted.
    pub shape: Shape,
    /// Name of the wanted kind.
    pub wanted: &'static str,
}

impl TryFrom<Circle> for Shape {
    type Error = InvalidShape;

    fn try_from(circle: Circle) -> Result<Self, InvalidShape> {
        Self::circle(circle.radius)
    }
}

impl TryFrom<Rectangle> for Shape {
    type Error = InvalidShape;

    fn try_from(rectangle: Rectangle) -> Result<Self, InvalidShape> {
        Self::rectangle(rectangle.half_size)
    }
}

/// Upright, as Bevy's capsule is.
impl TryFrom<Capsule2d> for Shape {
    type Error = InvalidShape;

    fn try_from(capsule: Capsule2d) -> Result<Self, InvalidShape> {
        let half_size = Vec2::new(capsule.radius, capsule.half_length + capsule.radius);
        Self::rounded_rectangle(half_size, capsule.radius)
    }
}

/// Only the size; [`BoundingVolume::center`] has the place.
impl TryFrom<Aabb2d> for Shape {
    type Error = InvalidShape;

    fn try_from(aabb: Aabb2d) -> Result<Self, InvalidShape> {
        Self::rectangle(aabb.half_size())
    }
}

/// Only the size; [`BoundingVolume::center`] has the place.
impl TryFrom<BoundingCircle> for Shape {
    type Error = InvalidShape;

    fn try_from(circle: BoundingCircle) -> Result<Self, InvalidShape> {
        Self::circle(circle.radius())
    }
}

/// For shapes without an inner box.
impl TryFrom<Shape> for Circle {
    type Error = NotThisShape;

    fn try_from(shape: Shape) -> Result<Self, NotThisShape> {
        if shape.half_size() == Vec2::ZERO {
            Ok(Self::new(shape.radius()))
        } else {
            Err(NotThisShape {
                shape,
                wanted: "circle",
            })
        }
    }
}

/// For shapes with sharp corners.
impl TryFrom<Shape> for Rectangle {
    type Error = NotThisShape;

    fn try_from(shape: Shape) -> Result<Self, NotThisShape> {
        if shape.radius() == 0.0 {
            Ok(Self {
                half_size: shape.half_size(),
            })
        } else {
            Err(NotThisShape {
                shape,
                wanted: "rectangle",
            })
        }
    }
}

impl Shape {
    /// The smallest circle around the shape when its center is at `center`.
    ///
    /// ```
    /// # use bevy::math::Vec2; use bevy_nudge::kernel::Shape;
    /// let around = Shape::rectangle(Vec2::new(3.0, 4.0))?.bounding_circle(Vec2::ZERO);
    /// assert_eq!(around.radius(), 5.0);
    /// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
    /// ```
    pub fn bounding_circle(self, center: Vec2) -> BoundingCircle {
        BoundingCircle::new(center, self.half_size().length() + self.radius())
    }
}
