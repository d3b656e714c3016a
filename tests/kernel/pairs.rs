//! Two shapes, their places, and the expected results; worked out by hand, with y down as in the tutorials.

use bevy::math::Vec2;
use bevy_nudge::kernel::{
    Shape, closest_point, contact, contact_with_bounds, contact_within, contains_point, distance,
    overlaps, separation, touches,
};

use crate::{
    assert_close,
    shapes::{circle, rectangle, rounded},
    v,
};

/// A shape and its place.
type Placed = (Shape, Vec2);

fn round(x: f32, y: f32, radius: f32) -> Placed {
    (circle(radius), v(x, y))
}

/// Returns a box from corner to corner.
fn square(x0: f32, y0: f32, x1: f32, y1: f32) -> Placed {
    let (low, high) = (v(x0, y0), v(x1, y1));
    let half = (high - low) * 0.5;
    (rectangle(half.x, half.y), (low + high) * 0.5)
}

struct Case {
    name: &'static str,
    a: Placed,
    b: Placed,
    /// Negative if they are apart.
    depth: f32,
    normal: Vec2,
}

#[rustfmt::skip]
fn cases() -> Vec<Case> {
    let case = |name, a, b, depth, (x, y): (f32, f32)| Case { name, a, b, depth, normal: v(x, y) };
    let tile = square(0.0, 0.0, 10.0, 10.0);
    let wall = square(300.0, 40.0, 340.0, 440.0);
    vec![
        case("dots that touch", round(0.0, 0.0, 10.0), round(20.0, 0.0, 10.0), 0.0, (1.0, 0.0)),
        case("dots one deep", round(0.0, 0.0, 10.0), round(19.0, 0.0, 10.0), 1.0, (1.0, 0.0)),
        case("dots five deep", round(0.0, 0.0, 10.0), round(15.0, 0.0, 10.0), 5.0, (1.0, 0.0)),
        case("dots apart along 3-4-5", round(0.0, 0.0, 10.0), round(15.0, 20.0, 10.0), -5.0, (0.6, 0.8)),
        case("radii 3 and 4 at 6", round(0.0, 0.0, 3.0), round(6.0, 0.0, 4.0), 1.0, (1.0, 0.0)),
        case("radii 3 and 4 at 7", round(0.0, 0.0, 3.0), round(7.0, 0.0, 4.0), 0.0, (1.0, 0.0)),
        case("radii 3 and 4 at 8", round(0.0, 0.0, 3.0), round(8.0, 0.0, 4.0), -1.0, (1.0, 0.0)),
        case("box and circle beside it", tile, round(12.0, 5.0, 3.0), 1.0, (1.0, 0.0)),
        case("box and circle at its corner", tile, round(13.0, 14.0, 5.0), 0.0, (0.6, 0.8)),
        case("box and circle inside, right face nearest", tile, round(9.0, 5.0, 2.0), 3.0, (1.0, 0.0)),
        case("box and circle inside, far face nearest", tile, round(5.0, 9.0, 1.0), 2.0, (0.0, 1.0)),
        case("box and circle in its middle", tile, round(5.0, 5.0, 2.0), 7.0, (-1.0, 0.0)),
        case("box and box", tile, square(8.0, 3.0, 18.0, 13.0), 2.0, (1.0, 0.0)),
        case("box deep inside a box", square(0.0, 0.0, 100.0, 100.0), square(40.0, 45.0, 50.0, 55.0), 50.0, (-1.0, 0.0)),
        case("boxes of width 1 side by side", square(0.0, 0.0, 1.0, 1.0), square(1.0, 0.0, 2.0, 1.0), 0.0, (1.0, 0.0)),
        case("boxes whose corners meet, the x axis wins", tile, square(10.0, 10.0, 20.0, 20.0), 0.0, (1.0, 0.0)),
        case("boxes apart across a corner", tile, square(13.0, 14.0, 20.0, 20.0), -5.0, (0.6, 0.8)),
        case("dot before the wall", wall, round(290.0, 240.0, 10.0), 0.0, (-1.0, 0.0)),
        case("dot behind the wall", wall, round(350.0, 240.0, 10.0), 0.0, (1.0, 0.0)),
        case("dot above the wall", wall, round(320.0, 30.0, 10.0), 0.0, (0.0, -1.0)),
        case("dot at the wall's corner, 6-8-10", wall, round(294.0, 32.0, 10.0), 0.0, (-0.6, -0.8)),
        case("dot at the wall's corner, 8-6-10", wall, round(292.0, 34.0, 10.0), 0.0, (-0.8, -0.6)),
        case("point in a box", tile, round(8.0, 5.0, 0.0), 2.0, (1.0, 0.0)),
        case("point on a box's edge", tile, round(10.0, 5.0, 0.0), 0.0, (1.0, 0.0)),
        case("point on a box's corner", tile, round(10.0, 10.0, 0.0), 0.0, (1.0, 0.0)),
        case("point in a circle", round(0.0, 0.0, 5.0), round(3.0, 0.0, 0.0), 2.0, (1.0, 0.0)),
        case("points apart", round(0.0, 0.0, 0.0), round(3.0, 4.0, 0.0), -5.0, (0.6, 0.8)),
        // Capsules with caps at (0, -10) and (0, 10); the caps of the other one are 6 to the side and 8 farther.
        case("capsules end to end", (rounded(5.0, 15.0, 5.0), v(0.0, 0.0)), (rounded(5.0, 15.0, 5.0), v(6.0, 28.0)), 0.0, (0.6, 0.8)),
        case("capsules side by side", (rounded(5.0, 15.0, 5.0), v(0.0, 0.0)), (rounded(5.0, 15.0, 5.0), v(8.0, 3.0)), 2.0, (1.0, 0.0)),
        case("capsule lying on a box", tile, (rounded(15.0, 5.0, 5.0), v(5.0, 14.0)), 1.0, (0.0, 1.0)),
        // The inner box has a half size of 8, so its corner is at (8, 8), and the radius is 5.
        case("rounded box and point at its corner", (rounded(13.0, 13.0, 5.0), v(0.0, 0.0)), round(11.0, 12.0, 0.0), 0.0, (0.6, 0.8)),
        case("rounded box, point near the cut corner", (rounded(13.0, 13.0, 5.0), v(0.0, 0.0)), round(14.0, 16.0, 0.0), -5.0, (0.6, 0.8)),
        case("segment across a box", tile, (rectangle(20.0, 0.0), v(5.0, 9.0)), 1.0, (0.0, 1.0)),
        case("crossing segments", (rectangle(5.0, 0.0), v(0.0, 0.0)), (rectangle(0.0, 5.0), v(4.0, 0.0)), 1.0, (1.0, 0.0)),
    ]
}

fn check(from_origin: Vec2, tolerance: f32) {
    for Case {
        name,
        a: (a, at_a),
        b: (b, at_b),
        depth,
        normal,
    } in cases()
    {
        let offset = (at_b + from_origin) - (at_a + from_origin);
        let name = &format!("{name}, {from_origin} from the origin");
        assert_eq!(touches(a, b, offset), depth >= 0.0, "{name}: touches");
        assert_eq!(overlaps(a, b, offset), depth > 0.0, "{name}: overlaps");
        assert_close(separation(a, b, offset), -depth, tolerance, name);
        assert_close(distance(a, b, offset), (-depth).max(0.0), tolerance, name);

        let found = contact_within(a, b, offset, 1.0e6).expect("well within the margin");
        assert_close(found.normal.x, normal.x, tolerance, name);
        assert_close(found.normal.y, normal.y, tolerance, name);
        assert_close(found.depth, depth.max(0.0), tolerance, name);
        assert_eq!(
            contact(a, b, offset).is_some(),
            depth >= 0.0,
            "{name}: contact"
        );
        assert_eq!(
            contact(a, b, offset),
            touches(a, b, offset).then_some(found),
            "{name}"
        );
    }
}

#[test]
fn depth_and_normal_are_those_worked_out_by_hand() {
    check(Vec2::ZERO, 1.0e-6);
}

/// Whole numbers are exact there, and so are their differences: the results must not change.
#[test]
fn far_from_the_origin_everything_is_as_at_the_origin() {
    check(v(1.0e5, -1.0e5), 1.0e-6);
    check(v(-1.0e5, 3.0e5), 1.0e-6);
}

/// Where positions are not whole numbers, they are rounded to 1/128 at 1e5.
#[test]
fn far_from_the_origin_fractions_are_within_the_spacing_of_floats() {
    let far = 1.0e5_f32;
    let spacing = 1.0 / 128.0;
    for x in [0.1, 3.3, 7.77, 19.4] {
        let offset = v(far + x, 0.0) - v(far, 0.0);
        let dots = separation(circle(10.0), circle(10.0), offset);
        assert_close(dots, x - 20.0, spacing, "two dots");
    }
}

#[test]
fn corners_of_the_wall_as_the_tutorial_has_them() {
    // The corner is (300, 40): 7² + 7² = 98 < 100, and 8² + 7² = 113 > 100.
    let (wall, at_wall) = square(300.0, 40.0, 340.0, 440.0);
    for (x, y, hits) in [(293.0, 33.0, true), (292.0, 33.0, false)] {
        assert_eq!(
            overlaps(wall, circle(10.0), v(x, y) - at_wall),
            hits,
            "({x}, {y})"
        );
        assert_eq!(
            touches(wall, circle(10.0), v(x, y) - at_wall),
            hits,
            "({x}, {y})"
        );
    }
}

#[test]
fn a_contact_lies_halfway_between_the_surfaces_that_meet() {
    for (name, a, b, point) in [
        (
            "touching dots",
            round(0.0, 0.0, 10.0),
            round(20.0, 0.0, 10.0),
            v(10.0, 0.0),
        ),
        (
            "dots two deep",
            round(0.0, 0.0, 10.0),
            round(18.0, 0.0, 10.0),
            v(9.0, 0.0),
        ),
        (
            "uneven dots, 3-4-5",
            round(0.0, 0.0, 15.0),
            round(15.0, 20.0, 10.0),
            v(9.0, 12.0),
        ),
        // They share x from 8 to 10, and y from 3 to 10.
        (
            "boxes",
            square(0.0, 0.0, 10.0, 10.0),
            square(8.0, 3.0, 18.0, 13.0),
            v(9.0, 6.5),
        ),
        (
            "dot on a box",
            square(0.0, 0.0, 10.0, 10.0),
            round(12.0, 5.0, 3.0),
            v(9.5, 5.0),
        ),
        (
            "dot at a corner",
            square(0.0, 0.0, 10.0, 10.0),
            round(13.0, 14.0, 5.0),
            v(10.0, 10.0),
        ),
        // The shortest way out is to the left: from the small box's right face at 50 to the large one's left face at 0.
        (
            "box inside a box",
            square(0.0, 0.0, 100.0, 100.0),
            square(40.0, 45.0, 50.0, 55.0),
            v(25.0, 50.0),
        ),
    ] {
        let offset = b.1 - a.1;
        let seen_from_a = contact(a.0, b.0, offset).expect(name);
        assert_close((a.1 + seen_from_a.point).distance(point), 0.0, 1.0e-5, name);
        let seen_from_b = contact(b.0, a.0, -offset).expect(name);
        assert_close((b.1 + seen_from_b.point).distance(point), 0.0, 1.0e-5, name);
        assert_close(
            seen_from_a
                .flipped(offset)
                .point
                .distance(seen_from_b.point),
            0.0,
            1.0e-5,
            name,
        );
    }
}

#[test]
fn a_margin_finds_what_is_near() {
    let dot = circle(10.0);
    for (x, margin, found) in [
        (20.5, 0.4, false),
        (20.5, 0.5, true),
        (19.0, 0.0, true),
        (19.0, -2.0, false),
        (19.0, f32::NAN, false),
    ] {
        let near = contact_within(dot, dot, v(x, 0.0), margin);
        assert_eq!(near.is_some(), found, "{x} apart with a margin of {margin}");
    }
}

#[test]
fn a_gap_counts_until_its_square_vanishes() {
    for (gap, is_seen) in [(1.0e-19, true), (3.0e-23, true), (2.0e-23, false)] {
        for offset in [v(gap, 0.0), v(0.0, -gap)] {
            let touches = touches(Shape::POINT, Shape::POINT, offset);
            assert_eq!(!touches, is_seen, "{offset}");
            assert_eq!(separation(Shape::POINT, Shape::POINT, offset), gap);
        }
    }
}

#[test]
fn closest_points_lie_on_the_surface_or_are_the_point_itself() {
    for (name, shape, point, closest) in [
        (
            "beside a box",
            rectangle(5.0, 5.0),
            v(8.0, 2.0),
            v(5.0, 2.0),
        ),
        (
            "off a corner",
            rectangle(5.0, 5.0),
            v(8.0, -9.0),
            v(5.0, -5.0),
        ),
        (
            "inside a box",
            rectangle(5.0, 5.0),
            v(1.0, 2.0),
            v(1.0, 2.0),
        ),
        ("off a circle", circle(5.0), v(6.0, 8.0), v(3.0, 4.0)),
        ("inside a circle", circle(5.0), v(1.0, 1.0), v(1.0, 1.0)),
        (
            "off a rounded corner",
            rounded(13.0, 13.0, 5.0),
            v(14.0, 16.0),
            v(11.0, 12.0),
        ),
        ("a point", Shape::POINT, v(3.0, 4.0), v(0.0, 0.0)),
        (
            "on a segment's line",
            rectangle(5.0, 0.0),
            v(9.0, 0.0),
            v(5.0, 0.0),
        ),
    ] {
        assert_close(
            closest_point(shape, point).distance(closest),
            0.0,
            1.0e-6,
            name,
        );
    }
}

#[test]
fn containing_a_point_includes_the_edge() {
    for (name, shape, point, holds) in [
        ("middle", rectangle(5.0, 3.0), v(0.0, 0.0), true),
        ("face", rectangle(5.0, 3.0), v(5.0, 1.0), true),
        ("corner", rectangle(5.0, 3.0), v(-5.0, 3.0), true),
        ("beyond a face", rectangle(5.0, 3.0), v(5.001, 1.0), false),
        ("rim", circle(5.0), v(3.0, 4.0), true),
        ("beyond the rim", circle(5.0), v(3.1, 4.0), false),
        (
            "cut off by the rounding",
            rounded(13.0, 13.0, 5.0),
            v(12.5, 12.5),
            false,
        ),
        ("a point holds itself", Shape::POINT, v(0.0, 0.0), true),
    ] {
        assert_eq!(contains_point(shape, point), holds, "{name}");
    }
}

/// A room of 640 x 480 around the origin, and a dot of radius 10.
#[test]
fn a_room_keeps_in_what_pokes_out() {
    let screen = v(320.0, 240.0);
    for (name, at, expected) in [
        ("in the middle", v(0.0, 0.0), None),
        ("just not touching", v(309.5, 0.0), None),
        (
            "touching the right wall",
            v(310.0, 0.0),
            Some((v(-1.0, 0.0), 0.0)),
        ),
        (
            "3 out to the right",
            v(313.0, 100.0),
            Some((v(-1.0, 0.0), 3.0)),
        ),
        (
            "4 out at the bottom",
            v(0.0, -234.0),
            Some((v(0.0, 1.0), 4.0)),
        ),
        (
            "in a corner, 3-4-5",
            v(313.0, 234.0),
            Some((v(-0.6, -0.8), 5.0)),
        ),
        ("far outside", v(1310.0, 0.0), Some((v(-1.0, 0.0), 1000.0))),
    ] {
        let found = contact_with_bounds(screen, circle(10.0), at);
        assert_eq!(found.is_some(), expected.is_some(), "{name}");
        if let (Some(found), Some((normal, depth))) = (found, expected) {
            assert_close(found.normal.distance(normal), 0.0, 1.0e-6, name);
            assert_close(found.depth, depth, 1.0e-4, name);
        }
    }
    let too_large = contact_with_bounds(screen, rectangle(400.0, 10.0), v(5.0, 0.0));
    let too_large = too_large.expect("wider than the room");
    assert_eq!(
        (too_large.normal, too_large.depth),
        (Vec2::NEG_X, 5.0),
        "to the middle"
    );
}
