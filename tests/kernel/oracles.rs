//! Compares the kernel with parry2d, and with a brute force in f64 that uses no formula.

use bevy::math::{DVec2, Vec2};
use bevy_nudge::kernel::{Shape, cast_shape, contact, distance, separation, touches};
use parry2d::{
    math::{Pose, Vector},
    query::{self, ShapeCastOptions, ShapeCastStatus},
    shape::{Ball, Cuboid, Shape as ParryShape},
};
use proptest::prelude::*;

use crate::shapes::{cases, offset, rectangle, shape};

/// Returns the shape without its rounding for parry2d, and the radius of the rounding. Rounded boxes of parry's own are off by hundredths.
fn to_parry(shape: Shape) -> (Box<dyn ParryShape>, f32) {
    if shape.half_size() == Vec2::ZERO {
        (Box::new(Ball::new(shape.radius())), 0.0)
    } else {
        let half = Vector::new(shape.half_size().x, shape.half_size().y);
        (Box::new(Cuboid::new(half)), shape.radius())
    }
}

/// Shapes that are not too flat for parry2d.
fn solid_shape() -> impl Strategy<Value = Shape> {
    shape().prop_filter("flat", |shape| {
        let is_round = shape.half_size() == Vec2::ZERO && shape.radius() > 0.5;
        is_round || shape.half_size().min_element() > 0.5
    })
}

/// Circles and sharp boxes, for which parry2d is exact.
fn plain_shape() -> impl Strategy<Value = Shape> {
    solid_shape().prop_filter("rounded", |shape| {
        shape.half_size() == Vec2::ZERO || shape.radius() == 0.0
    })
}

fn pose(at: Vec2) -> Pose {
    Pose::translation(at.x, at.y)
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn parry_agrees_on_how_far_apart(a in solid_shape(), b in solid_shape(), offset in offset()) {
        let ((one, rounding_a), (other, rounding_b)) = (to_parry(a), to_parry(b));
        let parry = query::distance(&pose(Vec2::ZERO), &*one, &pose(offset), &*other)
            .expect("supported").distance;
        let parry = (parry - rounding_a - rounding_b).max(0.0);
        let ours = distance(a, b, offset);
        // The distances of parry2d are iterated.
        prop_assert!((parry - ours).abs() <= 0.01, "parry {parry}, ours {ours}");
    }

    #[test]
    fn parry_agrees_on_depth_and_normal(a in plain_shape(), b in plain_shape(), offset in offset()) {
        let Some(ours) = contact(a, b, offset) else { return Ok(()) };
        let ((one, _), (other, _)) = (to_parry(a), to_parry(b));
        let parry = query::contact(&pose(Vec2::ZERO), &*one, &pose(offset), &*other, 0.01)
            .expect("supported");
        let Some(parry) = parry else {
            prop_assert!(ours.depth < 1.0e-3, "parry finds none, ours is {ours:?}");
            return Ok(());
        };
        prop_assert!((parry.dist + ours.depth).abs() <= 1.0e-3, "parry {}, ours {ours:?}", parry.dist);
        // In a tie each library may choose a direction; either choice then frees the two shapes.
        // There is no check where a circle's center lies on a face, because parry2d has no direction for it.
        let [inner_a, inner_b] = [a, b].map(|shape| rectangle(shape.half_size().x, shape.half_size().y));
        if separation(inner_a, inner_b, offset).abs() < 1.0e-3 {
            return Ok(());
        }
        let by_parry = offset + Vec2::new(parry.normal1.x, parry.normal1.y) * ours.depth;
        prop_assert!(separation(a, b, by_parry).abs() <= 2.0e-3, "parry {:?}, ours {ours:?}", parry.normal1);
    }

    #[test]
    fn parry_agrees_on_the_time_of_impact(
        a in plain_shape(), b in plain_shape(), offset in offset(), motion in offset(),
    ) {
        // A start in contact is a matter of convention, and has a table of its own.
        prop_assume!(separation(a, b, offset) > 0.05 && motion.length() > 0.5);
        let ((one, _), (other, _)) = (to_parry(a), to_parry(b));
        let velocity = Vector::new(motion.x, motion.y);
        let parry = query::cast_shapes(
            &pose(Vec2::ZERO), velocity, &*one, &pose(offset), Vector::ZERO, &*other,
            ShapeCastOptions::with_max_time_of_impact(1.0),
        ).expect("supported");
        let ours = cast_shape(a, b, offset, motion);
        match (parry, ours) {
            (Some(parry), Some(ours)) if parry.status == ShapeCastStatus::Converged => {
                let apart = (parry.time_of_impact - ours.fraction).abs() * motion.length();
                // Where the path is nearly along the surface, the time is ill defined, but the gap is not.
                let gap = separation(a, b, offset - motion * parry.time_of_impact).abs();
                prop_assert!(apart <= 0.01 || gap <= 0.01, "parry {parry:?}, ours {ours:?}");
            }
            (Some(_), Some(_)) | (None, None) => {}
            (Some(parry), None) => {
                let deepest = deepest_on_the_way(a, b, offset, motion);
                prop_assert!(deepest > -0.01, "ours misses what parry hits at {}", parry.time_of_impact);
            }
            (None, Some(ours)) => {
                let gap = separation(a, b, offset - motion * ours.fraction);
                prop_assert!(gap.abs() < 0.01, "parry misses what ours hits at {}", ours.fraction);
            }
        }
    }

    /// Walks along the outline of the sum of two rounded boxes in small steps: the nearest step is the depth, or the distance.
    #[test]
    fn a_walk_along_the_outline_agrees(a in shape(), b in shape(), offset in offset()) {
        let ours = f64::from(separation(a, b, offset));
        let brute = walk_outline(a, b, offset);
        prop_assert!((brute.abs() - ours.abs()).abs() <= 2.0e-3, "brute force {brute}, ours {ours}");
        prop_assert!(brute.signum() == ours.signum() || ours.abs() <= 2.0e-3, "brute force {brute}, ours {ours}");
        prop_assert!(touches(a, b, offset) == (brute <= 0.0) || ours.abs() <= 2.0e-3);
    }
}

fn deepest_on_the_way(a: Shape, b: Shape, offset: Vec2, motion: Vec2) -> f32 {
    (0..=1000)
        .map(|step| separation(a, b, offset - motion * (step as f32 / 1000.0)))
        .fold(f32::INFINITY, f32::min)
}

/// Returns the distance from `offset` to the outline around a that b's center may not cross, negative inside, computed with a polygon in f64.
fn walk_outline(a: Shape, b: Shape, offset: Vec2) -> f64 {
    const STEPS_OF_AN_ARC: u32 = 256;
    let half = a.half_size().as_dvec2() + b.half_size().as_dvec2();
    let radius = f64::from(a.radius()) + f64::from(b.radius());
    // Counterclockwise: a quarter circle around each corner of the inner box; between them, the faces.
    let outline: Vec<DVec2> = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
        .into_iter()
        .zip(0u32..)
        .flat_map(|((x, y), quarter)| {
            let corner = half * DVec2::new(x, y);
            (0..=STEPS_OF_AN_ARC).map(move |step| {
                let turn = f64::from(quarter) + f64::from(step) / f64::from(STEPS_OF_AN_ARC);
                corner + DVec2::from_angle(turn * std::f64::consts::FRAC_PI_2) * radius
            })
        })
        .collect();
    let point = offset.as_dvec2();
    let mut nearest = f64::INFINITY;
    let mut is_inside = true;
    for (step, &from) in outline.iter().enumerate() {
        let to = outline[(step + 1) % outline.len()];
        let along = to - from;
        let fraction = if along == DVec2::ZERO {
            0.0
        } else {
            ((point - from).dot(along) / along.length_squared()).clamp(0.0, 1.0)
        };
        nearest = nearest.min((from + along * fraction).distance(point));
        is_inside &= along.perp_dot(point - from) >= 0.0;
    }
    // The outline of a point or a segment has no inside, but every point along it passes the test above.
    is_inside &= point.abs().cmple(half + radius).all();
    if is_inside { -nearest } else { nearest }
}
