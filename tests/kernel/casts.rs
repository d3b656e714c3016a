//! Rays and moving shapes: where they hit, and what only seems to be a hit.

use bevy::math::{Vec2, Vec2Swizzles};
use bevy_nudge::kernel::{Shape, cast_ray, cast_shape, overlaps};

use crate::{
    assert_close,
    shapes::{circle, rectangle, rounded},
    v,
};

#[test]
fn rays_hit_where_they_enter() {
    let unit = rectangle(1.0, 1.0);
    for (name, shape, from, to, expected) in [
        (
            "straight at a box",
            unit,
            v(-3.0, 0.0),
            v(3.0, 0.0),
            Some((1.0 / 3.0, v(-1.0, 0.0))),
        ),
        ("past a box", unit, v(-3.0, 1.5), v(3.0, 1.5), None),
        (
            "along the edge of a box",
            unit,
            v(-3.0, 1.0),
            v(3.0, 1.0),
            None,
        ),
        ("no length", unit, v(-3.0, 0.0), v(-3.0, 0.0), None),
        (
            "through the corner",
            unit,
            v(-2.0, -2.0),
            v(2.0, 2.0),
            Some((0.25, v(-1.0, 0.0))),
        ),
        ("too short", unit, v(-3.0, 0.0), v(-1.5, 0.0), None),
        (
            "just long enough",
            unit,
            v(-3.0, 0.0),
            v(-1.0, 0.0),
            Some((1.0, v(-1.0, 0.0))),
        ),
        ("away from it", unit, v(-3.0, 0.0), v(-9.0, 0.0), None),
        (
            "from above",
            unit,
            v(0.5, 5.0),
            v(0.5, -5.0),
            Some((0.4, v(0.0, 1.0))),
        ),
        (
            "at a circle",
            circle(1.0),
            v(-5.0, 0.0),
            v(3.0, 0.0),
            Some((0.5, v(-1.0, 0.0))),
        ),
        (
            "grazing a circle",
            circle(1.0),
            v(-5.0, 1.0),
            v(5.0, 1.0),
            None,
        ),
        // Half a chord of 0.8 at a height of 0.6.
        (
            "at a circle off its middle",
            circle(1.0),
            v(-10.8, 0.6),
            v(9.2, 0.6),
            Some((0.5, v(-0.8, 0.6))),
        ),
        // The corner's circle has a radius of 5 around (8, 8): the ray meets it at (11, 12).
        (
            "at a rounded corner",
            rounded(13.0, 13.0, 5.0),
            v(11.0, 22.0),
            v(11.0, 2.0),
            Some((0.5, v(0.6, 0.8))),
        ),
        // The ray enters the outer box, but not its rounded corner.
        (
            "past a rounded corner",
            rounded(13.0, 13.0, 5.0),
            v(10.0, 15.0),
            v(15.0, 10.0),
            None,
        ),
        (
            "at a point",
            Shape::POINT,
            v(-2.0, 0.0),
            v(2.0, 0.0),
            Some((0.5, v(-1.0, 0.0))),
        ),
        (
            "past a point",
            Shape::POINT,
            v(-2.0, 0.1),
            v(2.0, 0.1),
            None,
        ),
        (
            "across a segment",
            rectangle(0.0, 4.0),
            v(-2.0, 1.0),
            v(2.0, 1.0),
            Some((0.5, v(-1.0, 0.0))),
        ),
        (
            "past the end of a segment",
            rectangle(0.0, 4.0),
            v(-2.0, 4.5),
            v(2.0, 4.5),
            None,
        ),
    ] {
        let found = cast_ray(shape, from, to - from);
        assert_eq!(found.is_some(), expected.is_some(), "{name}: {found:?}");
        if let (Some(found), Some((fraction, normal))) = (found, expected) {
            assert_close(found.fraction, fraction, 1.0e-6, name);
            assert_close(found.normal.distance(normal), 0.0, 1.0e-5, name);
            assert!(!found.started_inside, "{name}");
        }
    }
}

/// Rays as long as `f32` allows, for games that cast as far as possible.
#[test]
fn rays_may_be_of_any_length() {
    let circle = Shape::circle(5.0).expect("valid");
    let origin = Vec2::new(-20.0, 1.0);
    for length in [1.0e3, 1.8e19, 2.0e19, 1.0e30, f32::MAX] {
        for motion in [Vec2::new(length, 0.0), Vec2::new(length, length * 1.0e-20)] {
            let hit = cast_ray(circle, origin, motion);
            let hit = hit.unwrap_or_else(|| panic!("nothing along {motion}"));
            // At a height of 1 the surface of the circle with a radius of 5 is sqrt(24) to the left of its middle.
            let normal = Vec2::new(-0.979_796, 0.2);
            let way = hit.normal - normal;
            assert!(way.length() < 1.0e-5, "{motion}: {}", hit.normal);
            let place = hit.fraction * length;
            assert!((place - 15.101_02).abs() < 1.0e-3, "{motion}: {place}");
        }
        let behind = cast_ray(circle, origin, Vec2::new(-length, 0.0));
        assert_eq!(behind, None, "{length}");
        let beside = cast_ray(circle, Vec2::new(-20.0, 5.5), Vec2::new(length, 0.0));
        assert_eq!(beside, None, "{length}");
    }
    let diagonal = cast_ray(circle, Vec2::splat(-20.0), Vec2::splat(f32::MAX));
    let normal = diagonal.expect("it is in the way").normal;
    assert!((normal + Vec2::splat(0.5f32.sqrt())).length() < 1.0e-5);
}

#[test]
fn a_ray_is_relative_to_the_shape() {
    let center = v(1.0, 0.0);
    let found = cast_ray(circle(1.0), v(-4.0, 0.0) - center, v(8.0, 0.0)).expect("a hit");
    assert_eq!((found.fraction, found.normal), (0.5, Vec2::NEG_X));
}

#[test]
fn what_starts_inside_is_told_and_what_starts_touching_has_to_go_in() {
    let unit = rectangle(1.0, 1.0);
    let inside = cast_ray(unit, v(0.5, 0.0), v(5.0, 0.0)).expect("inside");
    assert_eq!(
        (inside.fraction, inside.normal, inside.started_inside),
        (0.0, Vec2::X, true)
    );
    let at_rest = cast_ray(unit, v(0.5, 0.0), Vec2::ZERO).expect("inside, and not moving");
    assert!(at_rest.started_inside);

    let inwards = cast_ray(unit, v(-1.0, 0.0), v(1.0, 0.0)).expect("goes in from the edge");
    assert_eq!(
        (inwards.fraction, inwards.normal, inwards.started_inside),
        (0.0, Vec2::NEG_X, false)
    );
    assert_eq!(
        cast_ray(unit, v(-1.0, 0.0), v(-1.0, 0.0)),
        None,
        "away from the edge"
    );
    assert_eq!(
        cast_ray(unit, v(-1.0, 0.0), v(0.0, 1.0)),
        None,
        "along the edge"
    );
    assert_eq!(
        cast_ray(unit, v(-1.0, 0.0), Vec2::ZERO),
        None,
        "standing at the edge"
    );
}

#[test]
fn a_moving_shape_stops_at_the_surface() {
    for (name, moving, target, offset, motion, fraction, normal) in [
        (
            "dot at the wall",
            circle(10.0),
            rectangle(20.0, 200.0),
            v(310.0, 0.0),
            v(560.0, 0.0),
            0.5,
            v(-1.0, 0.0),
        ),
        (
            "box at a box",
            rectangle(5.0, 5.0),
            rectangle(5.0, 5.0),
            v(0.0, 30.0),
            v(0.0, 40.0),
            0.5,
            v(0.0, -1.0),
        ),
        (
            "dot at a dot",
            circle(3.0),
            circle(4.0),
            v(27.0, 0.0),
            v(40.0, 0.0),
            0.5,
            v(-1.0, 0.0),
        ),
        // The dot's center meets the circle of radius 10 around the corner, 8 before and 6 above the corner.
        (
            "dot at a corner",
            circle(10.0),
            rectangle(20.0, 200.0),
            v(48.0, -206.0),
            v(40.0, 0.0),
            0.5,
            v(-0.8, 0.6),
        ),
    ] {
        let hit = cast_shape(moving, target, offset, motion).expect(name);
        assert_close(hit.fraction, fraction, 1.0e-6, name);
        assert_close(hit.normal.distance(normal), 0.0, 1.0e-5, name);
    }
}

#[test]
fn nothing_is_too_thin_or_too_fast() {
    let wall = rectangle(0.005, 100.0);
    for moving in [Shape::POINT, circle(1.0), rectangle(0.5, 0.5)] {
        for speed in [1.0, 1.0e3, 1.0e6] {
            let hit = cast_shape(moving, wall, v(speed * 0.5, 10.0), v(speed, 0.0));
            let hit = hit.expect("it goes right through the wall");
            let reach = moving.half_extents().x + 0.005;
            let case = format!("{moving:?} at {speed}");
            assert_eq!(hit.started_inside, speed * 0.5 < reach, "{case}");
            if !hit.started_inside {
                let expected = (speed * 0.5 - reach) / speed;
                assert_close(hit.fraction, expected, 1.0e-6, &case);
            }
            assert_eq!(hit.normal, Vec2::NEG_X);
        }
    }
}

/// The sum 4 + 0.7 is rounded down to where the motion starts; the circle overlaps the box by that rounding error.
#[test]
fn whether_it_starts_inside_does_not_hang_on_where_it_goes() {
    let (moving, target, offset) = (circle(0.7), rectangle(2.0, 4.0), v(-0.3, 4.7));
    assert!(overlaps(moving, target, offset), "or this tests nothing");
    for motion in [
        v(2.7, 0.0),
        v(2.7, -0.0),
        v(2.7, 1.0e-6),
        v(0.0, 1.0),
        v(0.0, -1.0),
        v(0.0, 0.0),
    ] {
        let hit = cast_shape(moving, target, offset, motion).expect("it is inside");
        assert_eq!((hit.fraction, hit.started_inside), (0.0, true), "{motion}");
    }
    // Where rounding loses nothing, the circle only touches, and is not inside.
    let (moving, offset) = (circle(0.5), v(-0.3, 4.5));
    assert!(!overlaps(moving, target, offset));
    assert_eq!(cast_shape(moving, target, offset, v(2.7, 0.0)), None);
    assert_eq!(cast_shape(moving, target, offset, v(0.0, 0.0)), None);
}

#[test]
fn what_is_entered_at_once_is_entered_at_zero() {
    for motion in [v(1.0, 0.0), v(1.0, -0.5), v(1.0e10, 1.0e-10)] {
        let hit = cast_ray(rectangle(1.0, 1.0), v(-1.0, 0.0), motion).expect("it goes in");
        // Not -0.0, which would be sorted before 0.0.
        assert_eq!(hit.fraction.to_bits(), 0, "{motion}");
    }
}

/// A segment has no inside to go into. Upright, mirrored, and for a segment on a segment, the same.
#[test]
fn running_along_a_segment_from_on_it_is_a_miss() {
    for (from, motion, fraction) in [
        (0.0, 1.0, None),
        (0.0, 100.0, None),
        (-2.0, 1.0, None),
        (3.0, -1.0, None),
        (5.0, 1.0, None),
        // Met end on.
        (-5.0, 1.0, Some(0.0)),
        (-10.0, 6.0, Some(5.0 / 6.0)),
        (-10.0, 4.0, None),
    ] {
        for turn in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y] {
            let [whole, short, long] = [5.0, 2.0, 3.0].map(|half| {
                let half = (turn * half).abs();
                rectangle(half.x, half.y)
            });
            let (from, motion) = (turn * from, turn * motion);
            let expected = fraction.map(|fraction| (fraction, -turn));
            let hits = [
                cast_ray(whole, from, motion),
                cast_shape(short, long, -from, motion),
            ];
            let found = hits.map(|hit| hit.map(|hit| (hit.fraction, hit.normal)));
            assert_eq!(found, [expected; 2], "{from} by {motion}");
            for aside in [1.0e-9, -1.0e-9] {
                let motion = motion + turn.perp() * aside;
                let hit = cast_ray(whole, from, motion);
                // Away from it at once, or past its end.
                assert_eq!(hit, None, "{from} by {motion}");
            }
        }
    }
    // What is round has an inside.
    let capsule = rounded(5.0, 1.0, 1.0);
    let hit = cast_ray(capsule, Vec2::ZERO, v(1.0, 0.0)).expect("it is inside");
    assert!(hit.started_inside);
    let along = cast_ray(capsule, v(0.0, 1.0), v(1.0, 0.0));
    assert_eq!(along, None, "on its side");
}

/// The sum 4.2 / 2 + 8.1 is rounded up to a number beyond the distance at which both touch.
#[test]
fn what_only_touches_is_not_hit_by_leaving_it_or_going_along() {
    for (wide, radius, apart) in [
        (4.2, 8.1, 10.2),
        (2.1, 4.3, 5.35),
        (0.9, 1.2, 1.65),
        (4.2, 9.1, 11.2),
    ] {
        for turn in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y] {
            let half = (Vec2::new(wide * 0.5, 100.0)).rotate(turn).abs();
            let (ball, wall) = (circle(radius), rectangle(half.x, half.y));
            let offset = turn * -apart;
            assert!(!overlaps(ball, wall, offset), "{wide} {radius}");
            for motion in [
                Vec2::new(10.0, 0.0),
                Vec2::new(1.0, 0.0),
                Vec2::new(0.0, 10.0),
                Vec2::new(0.0, -10.0),
                Vec2::new(10.0, 10.0),
            ] {
                let motion = motion.rotate(turn);
                let hit = cast_shape(ball, wall, offset, motion);
                assert_eq!(hit, None, "{wide} {radius} {apart}: {motion}");
            }
            let hit = cast_shape(ball, wall, offset, -turn).unwrap();
            assert_eq!((hit.fraction, hit.normal), (0.0, turn));
        }
    }
}

/// A wall of 20 x 1000. Each circle comes down past its upper right corner and leads on into its right side; that it misses the round corner of the sum of both is a rounding error. Upside down, mirrored and with x and y swapped, the same.
#[test]
fn what_just_passes_a_round_corner_still_meets_the_side_behind_it() {
    for (radius, from, motion, fraction) in [
        // The side begins at y = 500: after 400 of 1200, 47.8 of 847.8, and 250 of 1050.
        (0.01, (11.17, 900.0), (-3.48, -1200.0), 0.333_333),
        (0.1, (10.21, 547.8), (-1.951, -847.8), 0.056_381),
        (5.0, (15.04, 750.0), (-0.168, -1050.0), 0.238_095),
    ] {
        for mirror in [v(1.0, 1.0), v(-1.0, 1.0), v(1.0, -1.0), v(-1.0, -1.0)] {
            for is_swapped in [false, true] {
                let turned = |vector: Vec2| {
                    let vector = vector * mirror;
                    if is_swapped { vector.yx() } else { vector }
                };
                let half = turned(v(10.0, 500.0)).abs();
                let wall = rectangle(half.x, half.y);
                let (from, motion) = (turned(from.into()), turned(motion.into()));
                let hit = cast_shape(circle(radius), wall, -from, motion);
                let hit = hit.unwrap_or_else(|| panic!("{radius} from {from}: a miss"));
                let case = format!("{radius} from {from}: {hit:?}");
                assert_close(hit.fraction, fraction, 1.0e-3, &case);
                assert_close(hit.normal.distance(turned(Vec2::X)), 0.0, 0.01, &case);
                assert!(hit.normal.dot(motion) < 0.0, "{case}");
                assert!(!hit.started_inside, "{case}");
            }
        }
    }
}
