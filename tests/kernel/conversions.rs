//! Conversions to and from Bevy's shapes and bounding volumes, whose intersection tests give the same answers.

use bevy::math::{
    Vec2,
    bounding::{Aabb2d, BoundingCircle, BoundingVolume, IntersectsVolume},
    primitives::{Capsule2d, Circle, Rectangle},
};
use bevy_nudge::kernel::{InvalidShape, Shape, touches};
use proptest::prelude::*;

use crate::shapes::{cases, circle, offset, rectangle, rounded, size};

#[test]
fn bevys_shapes_become_ours() {
    assert_eq!(Shape::try_from(Circle::new(3.0)), Ok(circle(3.0)));
    assert_eq!(
        Shape::try_from(Rectangle::new(6.0, 8.0)),
        Ok(rectangle(3.0, 4.0))
    );
    // The centers of its caps are 8 apart.
    assert_eq!(
        Shape::try_from(Capsule2d::new(3.0, 8.0)),
        Ok(rounded(3.0, 7.0, 3.0))
    );
    let aabb = Aabb2d::new(Vec2::new(9.0, 9.0), Vec2::new(3.0, 4.0));
    assert_eq!(Shape::try_from(aabb), Ok(rectangle(3.0, 4.0)));
    assert_eq!(
        Shape::try_from(BoundingCircle::new(Vec2::ONE, 3.0)),
        Ok(circle(3.0))
    );
    assert_eq!(
        Shape::try_from(Circle { radius: -1.0 }),
        Err(InvalidShape::Radius(-1.0))
    );
}

#[test]
fn ours_become_bevys_where_they_are_of_that_kind() {
    assert_eq!(Circle::try_from(circle(3.0)), Ok(Circle::new(3.0)));
    assert_eq!(
        Rectangle::try_from(rectangle(3.0, 4.0)),
        Ok(Rectangle::new(6.0, 8.0))
    );
    let error = Circle::try_from(rectangle(3.0, 4.0)).expect_err("a box");
    assert_eq!(
        error.to_string(),
        "a shape of half size [3, 4] and radius 0 is not a circle"
    );
    assert!(Rectangle::try_from(circle(3.0)).is_err());
}

#[test]
fn bounding_volumes_are_around_the_shape() {
    let aabb = rounded(5.0, 3.0, 2.0).aabb(Vec2::new(100.0, 50.0));
    assert_eq!(
        (aabb.min, aabb.max),
        (Vec2::new(95.0, 47.0), Vec2::new(105.0, 53.0))
    );
    // Half the diagonal of an inner box of 3 x 4, and 2 more.
    let around = rounded(5.0, 6.0, 2.0).bounding_circle(Vec2::ONE);
    assert_eq!((around.center, around.radius()), (Vec2::ONE, 7.0));
}

proptest! {
    #![proptest_config(cases(1000))]

    /// Bevy squares and compares as we do, so even borderline cases agree.
    #[test]
    fn bevys_bounding_volumes_agree_on_meeting(a in size(), b in size(), c in size(), offset in offset()) {
        let (round, other) = (BoundingCircle::new(Vec2::ZERO, a), BoundingCircle::new(offset, b));
        prop_assert_eq!(round.intersects(&other), touches(circle(a), circle(b), offset));
        let (square, other) = (Aabb2d::new(Vec2::ZERO, Vec2::new(a, b)), Aabb2d::new(offset, Vec2::new(c, a)));
        let ours = touches(rectangle(a, b), rectangle(c, a), offset);
        // Bevy compares edges, which are rounded; we compare the offset with the sum.
        let border = (offset.abs() - square.half_size() - other.half_size()).max_element().abs();
        prop_assert!(square.intersects(&other) == ours || border < 1.0e-4);
    }
}
