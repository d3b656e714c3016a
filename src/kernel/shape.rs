//! The rounded box that stands for every collider, and what makes one valid.

use std::f32::consts::PI;

use bevy::{
    math::{Vec2, bounding::Aabb2d},
    reflect::Reflect,
};
use thiserror::Error;

/// The largest size and the largest coordinate, in world units, that the crate accepts: 1e18.
///
/// Squares of sums of such numbers still fit an `f32`, which is why nothing here overflows to infinity or NaN.
///
/// ```
/// # use bevy_nudge::kernel::{MAX_COORDINATE, Shape};
/// assert!(Shape::circle(MAX_COORDINATE).is_ok() && Shape::circle(MAX_COORDINATE * 1.1).is_err());
/// ```
pub const MAX_COORDINATE: f32 = 1.0e18;

/// A box with half extents `half_size`, blown up by `radius` on all sides: a point, circle, box, rounded box or capsule.
///
/// Sizes are in world units. A `Shape` has no position and never rotates: functions take the offset between two centers.
/// Every value of this type is valid (both parts finite, `>= 0` and at most [`MAX_COORDINATE`] together); the constructors refuse invalid
/// ones. Only a [`sum`](Self::sum) of two may be twice as large.
///
/// ```
/// use bevy::math::Vec2;
/// use bevy_nudge::kernel::Shape;
///
/// let crate_with_soft_edges = Shape::rounded_rectangle(Vec2::new(8.0, 6.0), 2.0)?;
/// assert_eq!(crate_with_soft_edges.half_size(), Vec2::new(6.0, 4.0));
/// assert_eq!(crate_with_soft_edges.radius(), 2.0);
/// assert_eq!(crate_with_soft_edges.half_extents(), Vec2::new(8.0, 6.0));
///
/// assert_eq!(Shape::circle(5.0)?.half_size(), Vec2::ZERO); // all of it is radius
/// assert_eq!(Shape::rectangle(Vec2::new(8.0, 6.0))?.radius(), 0.0); // and here, none
/// assert_eq!(Shape::circle(0.0)?, Shape::POINT);
/// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(opaque, Clone, Debug, PartialEq)]
pub struct Shape {
    half_size: Vec2,
    radius: f32,
}

/// Why a [`Shape`] was refused. The sentence names the field and its value.
///
/// ```
/// # use bevy::math::Vec2; use bevy_nudge::kernel::{InvalidShape, Shape};
/// let refused = Shape::circle(-3.0).unwrap_err();
/// assert_eq!(refused, InvalidShape::Radius(-3.0));
/// assert_eq!(refused.to_string(), "radius must be finite, >= 0 and at most 1e18, got -3");
/// assert!(matches!(Shape::rounded_rectangle(Vec2::splat(2.0), 3.0), Err(InvalidShape::CornerRadius { .. })));
/// ```
#[derive(Error, Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum InvalidShape {
    /// A radius is negative, not finite, or larger than [`MAX_COORDINATE`].
    #[error("radius must be finite, >= 0 and at most 1e18, got {0}")]
    Radius(f32),
    /// A half size is negative, not finite, or larger than [`MAX_COORDINATE`].
    #[error("half_size must be finite, >= 0 and at most 1e18 on both axes, got {0}")]
    HalfSize(Vec2),
    /// A corner radius is negative, not finite, or larger than the smaller half size.
    #[error(
        "corner_radius must be finite, >= 0 and at most the smaller half size ({}), got {corner_radius}",
        half_size.min_element()
    )]
    CornerRadius {
        /// The refused value.
        corner_radius: f32,
        /// The half size that it has to fit.
        half_size: Vec2,
    },
    /// A scale is not finite, or makes the shape larger than [`MAX_COORDINATE`].
    #[error("scale must be finite and leave the size at most 1e18, got {0}")]
    Scale(Vec2),
}

impl Shape {
    /// A shape without any size: such as a mouse pointer or a bullet.
    pub const POINT: Self = Self {
        half_size: Vec2::ZERO,
        radius: 0.0,
    };

    /// A circle. A radius of 0 makes a point.
    ///
    /// # Errors
    /// [`InvalidShape::Radius`] for a negative, non-finite or too large radius.
    #[inline]
    pub fn circle(radius: f32) -> Result<Self, InvalidShape> {
        if !is_size(radius) {
            return Err(InvalidShape::Radius(radius));
        }
        Ok(Self {
            half_size: Vec2::ZERO,
            radius,
        })
    }

    /// An axis-aligned box with sharp corners, `2 * half_size` wide and high. A half size of 0 on one axis makes a segment.
    ///
    /// # Errors
    /// [`InvalidShape::HalfSize`] for a negative, non-finite or too large half size.
    #[doc(alias = "box")]
    #[inline]
    pub fn rectangle(half_size: Vec2) -> Result<Self, InvalidShape> {
        Self::rounded_rectangle(half_size, 0.0)
    }

    /// An axis-aligned box whose corners are quarter circles. `half_size` is the outer one, corners included.
    ///
    /// With a `corner_radius` as large as the smaller half size this is a capsule, or a circle if the box is square.
    ///
    /// # Errors
    /// [`InvalidShape::HalfSize`] or [`InvalidShape::CornerRadius`] for a value that is negative, not finite or too large.
    #[inline]
    pub fn rounded_rectangle(half_size: Vec2, corner_radius: f32) -> Result<Self, InvalidShape> {
        if !(is_size(half_size.x) && is_size(half_size.y)) {
            return Err(InvalidShape::HalfSize(half_size));
        }
        if !(is_size(corner_radius) && corner_radius <= half_size.min_element()) {
            return Err(InvalidShape::CornerRadius {
                corner_radius,
                half_size,
            });
        }
        Ok(Self {
            half_size: half_size - corner_radius,
            radius: corner_radius,
        })
    }

    /// Makes a shape of its parts, such as recorded ones.
    #[cfg(feature = "recorder")]
    pub(crate) fn from_parts(half_size: Vec2, radius: f32) -> Result<Self, InvalidShape> {
        if !is_size(radius) {
            return Err(InvalidShape::Radius(radius));
        }
        let outer = half_size + radius;
        if !(half_size.min_element() >= 0.0 && is_size(outer.x) && is_size(outer.y)) {
            return Err(InvalidShape::HalfSize(half_size));
        }
        Ok(Self { half_size, radius })
    }

    /// Half extents of the inner box, without the radius: zero for a circle.
    #[inline]
    pub const fn half_size(self) -> Vec2 {
        self.half_size
    }

    /// How far the shape reaches beyond its inner box: zero for a box with sharp corners.
    #[inline]
    pub const fn radius(self) -> f32 {
        self.radius
    }

    /// Returns the point of the inner box that is nearest to a point.
    #[inline]
    pub(super) fn core_point(self, point: Vec2) -> Vec2 {
        point.clamp(-self.half_size, self.half_size)
    }

    /// Half of the width and height of the whole shape.
    #[inline]
    pub fn half_extents(self) -> Vec2 {
        self.half_size + self.radius
    }

    /// Returns the shape, narrower by so much on each side: a sharp box stays sharp, and a shape that is not wide enough becomes a point or a line.
    pub(crate) fn shrunk(self, by: f32) -> Self {
        let inner = (by - self.radius).max(0.0);
        Self {
            half_size: (self.half_size - inner).max(Vec2::ZERO),
            radius: (self.radius - by).max(0.0),
        }
    }

    /// Returns the area that the shape covers.
    pub(crate) fn area(self) -> f32 {
        let Vec2 { x, y } = self.half_extents();
        4.0 * x * y - (4.0 - PI) * self.radius * self.radius
    }

    /// Returns the smallest axis-aligned box around the shape when its center is at `center`.
    ///
    /// ```
    /// # use bevy::math::{Vec2, bounding::BoundingVolume}; use bevy_nudge::kernel::Shape;
    /// let aabb = Shape::circle(10.0)?.aabb(Vec2::new(160.0, 120.0));
    /// assert_eq!((aabb.min, aabb.max), (Vec2::new(150.0, 110.0), Vec2::new(170.0, 130.0)));
    /// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
    /// ```
    pub fn aabb(self, center: Vec2) -> Aabb2d {
        Aabb2d::new(center, self.half_extents())
    }

    /// Returns the shape of an entity with this scale. Signs do not matter: a mirrored shape is the same shape.
    ///
    /// A box scales per axis, its corners by the smaller axis, so that they stay round. A circle cannot become an ellipse and uses the
    /// larger axis, and so does a box that is as round as one: they are the same shape. (A [`BoxCollider`](crate::components::BoxCollider) stays a box all the same.) Scale 0 makes a point or a segment.
    ///
    /// ```
    /// # use bevy::math::Vec2; use bevy_nudge::kernel::Shape;
    /// let circle = Shape::circle(10.0)?.scaled(Vec2::new(-2.0, 3.0))?;
    /// assert_eq!(circle, Shape::circle(30.0)?);
    /// let tile = Shape::rectangle(Vec2::splat(8.0))?.scaled(Vec2::new(2.0, -1.0))?;
    /// assert_eq!(tile.half_size(), Vec2::new(16.0, 8.0));
    /// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidShape::Scale`] for a scale that is not finite, or that makes the shape too large.
    pub fn scaled(self, scale: Vec2) -> Result<Self, InvalidShape> {
        if self.half_size == Vec2::ZERO {
            let radius = self.radius * scale.abs().max_element();
            let half_size = Vec2::ZERO;
            Self { half_size, radius }.if_valid(scale)
        } else {
            self.scaled_as_box(scale)
        }
    }

    /// The same, but a box that is as round as a circle is still scaled as a box, whose sides follow the axes.
    pub(crate) fn scaled_as_box(self, scale: Vec2) -> Result<Self, InvalidShape> {
        let factor = scale.abs();
        let radius = self.radius * factor.min_element();
        let half_size = (self.half_extents() * factor - radius).max(Vec2::ZERO);
        Self { half_size, radius }.if_valid(scale)
    }

    fn if_valid(self, scale: Vec2) -> Result<Self, InvalidShape> {
        // A scale of infinity times a size of 0 would be NaN, hence both are checked.
        if scale.is_finite() && self.half_extents().max_element() <= MAX_COORDINATE {
            Ok(self)
        } else {
            Err(InvalidShape::Scale(scale))
        }
    }

    /// The shape that stands for a pair: `self` and `other` meet exactly where this one contains the center of `other`.
    ///
    /// It is the sum of both half sizes and both radii (the Minkowski sum of the two).
    ///
    /// ```
    /// # use bevy::math::Vec2; use bevy_nudge::kernel::{Shape, contains_point, touches};
    /// let (tile, dot) = (Shape::rectangle(Vec2::splat(8.0))?, Shape::circle(2.0)?);
    /// let sum = tile.sum(dot);
    /// assert_eq!((sum.half_size(), sum.radius()), (Vec2::splat(8.0), 2.0));
    /// let place = Vec2::new(9.5, 3.0);
    /// assert!(touches(tile, dot, place) && contains_point(sum, place));
    /// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
    /// ```
    #[inline]
    #[doc(alias = "minkowski")]
    pub fn sum(self, other: Self) -> Self {
        Self {
            half_size: self.half_size + other.half_size,
            radius: self.radius + other.radius,
        }
    }
}

/// Whether a place or motion is finite and at most [`MAX_COORDINATE`] on both axes.
#[inline]
pub(crate) fn is_in_world(place: Vec2) -> bool {
    // False for NaN.
    place.abs().cmple(Vec2::splat(MAX_COORDINATE)).all()
}

#[inline]
fn is_size(value: f32) -> bool {
    (0.0..=MAX_COORDINATE).contains(&value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_size_is_refused_and_named() {
        for bad in [-1.0, -f32::MIN_POSITIVE, f32::NAN, f32::INFINITY, 1.1e18] {
            assert!(Shape::circle(bad).is_err(), "radius {bad}");
            assert!(
                Shape::rectangle(Vec2::new(bad, 1.0)).is_err(),
                "width {bad}"
            );
            assert!(
                Shape::rectangle(Vec2::new(1.0, bad)).is_err(),
                "height {bad}"
            );
            assert!(
                Shape::rounded_rectangle(Vec2::splat(1.0e18), bad).is_err(),
                "corner {bad}"
            );
        }
        assert_eq!(
            Shape::rounded_rectangle(Vec2::new(4.0, 3.0), 3.5)
                .unwrap_err()
                .to_string(),
            "corner_radius must be finite, >= 0 and at most the smaller half size (3), got 3.5"
        );
    }

    #[cfg(feature = "recorder")]
    #[test]
    fn recorded_parts_are_a_size_together() {
        let parts = |half_size: (f32, f32), radius| Shape::from_parts(half_size.into(), radius);
        let largest = Shape::rounded_rectangle(Vec2::splat(1.0e18), 5.0e17).expect("valid");
        assert_eq!(parts((5.0e17, 5.0e17), 5.0e17), Ok(largest));
        for (half_size, radius) in [
            ((1.0e18, 0.0), 1.0e18),
            ((0.0, 6.0e17), 6.0e17),
            ((-1.0, 0.0), 2.0),
            ((0.0, f32::NAN), 1.0),
            ((f32::NAN, 0.0), 1.0),
            ((1.0, 1.0), f32::NAN),
        ] {
            assert!(parts(half_size, radius).is_err(), "{half_size:?}, {radius}");
        }
    }

    #[test]
    fn zero_is_a_size() {
        assert_eq!(Shape::circle(0.0), Ok(Shape::POINT));
        assert_eq!(Shape::rectangle(Vec2::ZERO), Ok(Shape::POINT));
    }

    #[test]
    fn scaling_keeps_corners_round_and_sizes_non_negative() {
        let soft = Shape::rounded_rectangle(Vec2::new(8.0, 6.0), 2.0).expect("valid");
        for (case, scale, half_extents, radius) in [
            ("per axis", (2.0, 3.0), (16.0, 18.0), 4.0),
            ("mirrored", (-1.0, 1.0), (8.0, 6.0), 2.0),
            ("flattened to a segment", (1.0, 0.0), (8.0, 0.0), 0.0),
            ("nothing left", (0.0, 0.0), (0.0, 0.0), 0.0),
        ] {
            let scaled = soft.scaled(Vec2::from(scale)).expect(case);
            assert_eq!(scaled.half_extents(), Vec2::from(half_extents), "{case}");
            assert_eq!(scaled.radius(), radius, "{case}");
        }
        let circle = Shape::circle(1.0).expect("valid");
        for bad in [(f32::NAN, 1.0), (1.0, f32::INFINITY), (2.0e18, 1.0)] {
            assert!(circle.scaled(Vec2::from(bad)).is_err(), "{bad:?}");
            assert!(soft.scaled(Vec2::from(bad)).is_err(), "{bad:?}");
        }
        assert!(Shape::POINT.scaled(Vec2::splat(f32::INFINITY)).is_err());
    }
}
