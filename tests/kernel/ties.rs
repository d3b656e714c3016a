//! Where several directions are equally short: always the same one is chosen, and the mirrored one when the two shapes are swapped.

use bevy::math::Vec2;
use bevy_nudge::kernel::{Shape, contact};

use crate::{
    shapes::{circle, rectangle, rounded},
    v,
};

#[test]
fn ties_go_by_the_documented_rule() {
    let (small, large) = (rectangle(2.0, 2.0), rectangle(5.0, 5.0));
    for (name, a, b, offset, normal) in [
        (
            "equal dots in one place",
            circle(10.0),
            circle(10.0),
            v(0.0, 0.0),
            v(1.0, 0.0),
        ),
        (
            "equal points in one place",
            Shape::POINT,
            Shape::POINT,
            v(0.0, 0.0),
            v(1.0, 0.0),
        ),
        (
            "the smaller one goes left, seen from it",
            small,
            large,
            v(0.0, 0.0),
            v(1.0, 0.0),
        ),
        (
            "the smaller one goes left, seen from the larger",
            large,
            small,
            v(0.0, 0.0),
            v(-1.0, 0.0),
        ),
        (
            "circle in the middle of a box",
            large,
            circle(2.0),
            v(0.0, 0.0),
            v(-1.0, 0.0),
        ),
        (
            "on a diagonal, the x axis",
            large,
            small,
            v(1.0, 1.0),
            v(1.0, 0.0),
        ),
        (
            "on the other diagonal, the x axis",
            large,
            small,
            v(-1.0, 1.0),
            v(-1.0, 0.0),
        ),
        (
            "corner on corner, the x axis",
            large,
            large,
            v(10.0, -10.0),
            v(1.0, 0.0),
        ),
        // The way along x is shorter, but the centers have the same x: the sign of y decides.
        (
            "no way told on x, y is up",
            rectangle(1.0, 9.0),
            rectangle(1.0, 9.0),
            v(0.0, 3.0),
            v(1.0, 0.0),
        ),
        (
            "no way told on x, y is down",
            rectangle(1.0, 9.0),
            rectangle(1.0, 9.0),
            v(0.0, -3.0),
            v(-1.0, 0.0),
        ),
        (
            "no way told on y, x is left",
            rectangle(9.0, 1.0),
            rectangle(9.0, 1.0),
            v(-3.0, 0.0),
            v(0.0, -1.0),
        ),
        (
            "a negative zero is a zero",
            large,
            small,
            v(-0.0, -0.0),
            v(-1.0, 0.0),
        ),
    ] {
        let found = contact(a, b, offset).expect("they meet");
        assert_eq!(found.normal, normal, "{name}");
    }
}

/// With the two shapes swapped, the contact is mirrored to the bit. Equal shapes in one place are the documented exception.
#[test]
fn ties_are_mirrored_when_the_two_are_swapped() {
    let shapes = [
        Shape::POINT,
        circle(2.0),
        circle(5.0),
        rectangle(2.0, 2.0),
        rectangle(5.0, 2.0),
        rectangle(0.0, 3.0),
        rounded(5.0, 5.0, 2.0),
    ];
    let steps = [-5.0, -2.0, -0.0, 0.0, 1.0, 3.0];
    for (a, b) in shapes
        .iter()
        .flat_map(|a| shapes.iter().map(move |b| (*a, *b)))
    {
        for (x, y) in steps
            .iter()
            .flat_map(|x| steps.iter().map(move |y| (*x, *y)))
        {
            let offset = v(x, y);
            let (Some(seen_from_a), Some(seen_from_b)) =
                (contact(a, b, offset), contact(b, a, -offset))
            else {
                assert_eq!(contact(a, b, offset), contact(b, a, -offset));
                continue;
            };
            if a == b && offset == Vec2::ZERO {
                assert_eq!(seen_from_a.normal, seen_from_b.normal);
            } else {
                assert_eq!(
                    seen_from_a.normal, -seen_from_b.normal,
                    "{a:?} {b:?} {offset}"
                );
            }
            assert_eq!(seen_from_a.depth, seen_from_b.depth, "{a:?} {b:?} {offset}");
            assert!(seen_from_a.normal.is_normalized(), "{a:?} {b:?} {offset}");
        }
    }
}
