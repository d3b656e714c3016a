//! Compares the kernel with parry2d, and with a brute force in f64 that uses no formula.

use bevy::math::{DVec2, Vec2, Vec2Swizzles};
use bevy_nudge::kernel::{Shape, cast_shape, contact, distance, separation, touches};
use parry2d::{
    math::{Pose, Vector},
    query::{self, ShapeCastOptions, ShapeCastStatus},
    shape::{Ball, Cuboid, Shape as ParryShape},
};
use proptest::prelude::*;

use crate::shapes::{cases, circle, offset, rectangle, shape};

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

    /// Where the corner is only just met, or missed, f64 tells how deep the way leads into the shape, and how far from it the hit is.
    #[test]
    fn a_way_that_touches_a_round_corner_is_judged_as_in_f64(
        half in (0.0f32..20.0, 0.0f32..500.0),
        radius in prop_oneof![Just(0.01f32), Just(0.1), 0.5f32..8.0],
        beside in 0.0f32..5.0, above in 0.1f32..400.0, beyond in 0.0f32..2.0,
        mirror in 0..4usize, is_swapped: bool,
    ) {
        let half = Vec2::from(half);
        let from = half + radius + Vec2::new(beside, above);
        // Along the tangent that passes the corner on the right, to below the corner.
        let to_corner = half.as_dvec2() - from.as_dvec2();
        let sine = f64::from(radius) / to_corner.length();
        let tangent = DVec2::new((1.0 - sine * sine).sqrt(), sine).rotate(to_corner);
        let motion = (tangent * f64::from(1.0 + beyond)).as_vec2();
        let mirror = [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)][mirror];
        let turned = |vector: Vec2| {
            let vector = vector * Vec2::from(mirror);
            if is_swapped { vector.yx() } else { vector }
        };
        let (half, from, motion) = (turned(half).abs(), turned(from), turned(motion));
        let hit = cast_shape(circle(radius), rectangle(half.x, half.y), -from, motion);
        let apart = |fraction: f64| {
            let at = from.as_dvec2() + motion.as_dvec2() * fraction;
            let out = at.abs() - half.as_dvec2();
            out.max(DVec2::ZERO).length() + out.max_element().min(0.0) - f64::from(radius)
        };
        let rounding = 2.0e-6 * f64::from(from.abs().max(motion.abs()).max_element());
        match hit {
            Some(hit) => {
                let gap = apart(f64::from(hit.fraction));
                prop_assert!(gap.abs() < rounding, "{hit:?} is {gap} away");
                prop_assert!(hit.normal.dot(motion) <= 0.0, "{hit:?} on a way out");
            }
            None => {
                // The distance along a straight way has one minimum.
                let (mut first, mut last) = (0.0, 1.0);
                for _ in 0..100 {
                    let third = (last - first) / 3.0;
                    if apart(first + third) < apart(last - third) {
                        last -= third;
                    } else {
                        first += third;
                    }
                }
                let depth = -apart(first);
                prop_assert!(depth < rounding, "a miss, {depth} deep");
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
