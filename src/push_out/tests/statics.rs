//! Statics that let no body through.

use bevy::math::Vec2;

use super::scene::{Scene, circle, square};
use crate::{kernel::Shape, placed::Rank};

impl Scene {
    fn add_static(&mut self, min: (f32, f32), max: (f32, f32)) {
        let (min, max) = (Vec2::from(min), Vec2::from(max));
        let shape = Shape::rectangle((max - min) * 0.5).expect("a test's own size");
        let (x, y) = min.midpoint(max).into();
        self.add(shape, Rank::Static, x, y);
    }
}

/// The middle of the body is in the floor, and its way back into the corner of floor and wall leads past the edge of the wall. A way out below the floor would be no longer than three times that.
#[test]
fn nobody_leaves_a_floor_by_its_underside_because_a_wall_stands_on_it() {
    for (size, thick, way) in [
        (8.0, 12.0, (5.0, -4.5)),
        (8.0, 12.0, (4.5, -5.0)),
        (8.0, 16.0, (5.2, -5.2)),
        (4.0, 12.0, (3.2, -3.2)),
    ] {
        for (is_split, side) in [(false, 1.0), (false, -1.0), (true, 1.0), (true, -1.0)] {
            let mut scene = Scene::default();
            let mut add = |(left, low): (f32, f32), (right, high): (f32, f32)| {
                let (left, right) = (left * side, right * side);
                scene.add_static((left.min(right), low), (left.max(right), high));
            };
            if is_split {
                add((-96.0, -thick), (0.0, 0.0));
                add((0.0, -thick), (96.0, 0.0));
            } else {
                add((-96.0, -thick), (96.0, 0.0));
            }
            add((0.0, 0.0), (96.0, 48.0));
            let half = size * 0.5;
            let (x, y) = ((way.0 - half) * side, way.1 + half);
            let body = scene.add(square(size), Rank::Dynamic, x, y);
            let after = scene.pushed().body_states[body].position;
            let corner = Vec2::new(-half * side, half);
            assert!(
                after.distance(corner) < 1.0e-3,
                "{size} by {way:?}, split: {is_split}, side {side}: {after}"
            );
        }
    }
}

/// The body is deeper in a row of tiles than half of its height, and wider than a tile: it leaves the row as it would leave one long box.
#[test]
fn who_is_deep_in_a_row_of_tiles_leaves_it_upwards() {
    for tile in [2.0, 4.0, 5.0, 200.0] {
        for (x, y) in [(3.125, -0.25), (0.0, -0.5), (1.0, -1.5)] {
            let mut scene = Scene::default();
            for number in -10_i8..10 {
                let left = f32::from(number) * tile;
                scene.add_static((left, -8.0), (left + tile, 0.0));
            }
            let shape = Shape::rectangle(Vec2::new(5.0, 2.0)).expect("a test's own size");
            let body = scene.add(shape, Rank::Dynamic, x, y);
            let after = scene.pushed().body_states[body].position;
            assert!(
                after.distance(Vec2::new(x, 2.0)) < 1.0e-3,
                "tiles of {tile}: from {x}, {y} to {after}"
            );
        }
    }
}

/// The middle of the body is in a gate, and nearer to the side at which a wall of tiles stands, which the body touches: it must not leave along the seam of two of these tiles, nor through a slit.
#[test]
fn nobody_leaves_a_gate_by_the_seam_of_two_tiles_beside_it() {
    for gap in [0.0, 1.0] {
        let mut scene = Scene::default();
        scene.add_static((-11.0, -100.0), (-1.0, 100.0));
        for number in -4_i8..4 {
            let low = f32::from(number) * (10.0 + 2.0 * gap) + gap;
            scene.add_static((0.0, low), (4.0, low + 10.0));
        }
        let body = scene.add(square(8.0), Rank::Dynamic, -3.0, 0.0);
        let after = scene.pushed().body_states[body].position;
        assert!(after.x <= -15.0, "a gap of {gap} to each side: {after}");
    }
}

/// Between two corners the ball lies where it touches both, at (0, 4) by a triangle of 3, 4 and 5, and stays there, however it is pressed.
#[test]
fn a_ball_that_is_pressed_into_a_notch_does_not_tremble() {
    for (left, right, has_hat) in [
        (-13.0, 13.0, false),
        (13.0, -13.0, false),
        (-13.0, 13.0, true),
    ] {
        for (x, press) in [(0.0, 1.0), (0.0, 0.1), (0.3, 0.5), (-0.3, 2.0)] {
            let mut scene = Scene::default();
            for x in [left, right] {
                scene.add(square(20.0), Rank::Static, x, -10.0);
            }
            let ball = scene.add(circle(5.0), Rank::Dynamic, x, 4.0);
            if has_hat {
                scene.add_child(ball, square(4.0), 0.0, 6.0);
            }
            let mut places = Vec::new();
            for _ in 0..12 {
                scene.body_states[ball].position.y -= press;
                scene = scene.pushed();
                places.push(scene.body_states[ball].position);
            }
            let at = places[11];
            assert!(at.distance(Vec2::new(0.0, 4.0)) < 1.0e-3, "{places:?}");
            assert_eq!(at, places[10], "{places:?}");
        }
    }
}

/// The way out is 28.3 long: longer than twice the deepest push, and nine tiles have to be known.
#[test]
fn who_is_in_the_middle_of_three_by_three_tiles_gets_out() {
    for (across, along) in [(3, 3), (3, 21)] {
        let mut scene = Scene::default();
        for (x, y) in (0..along).flat_map(|x| (0..across).map(move |y| (x, y))) {
            let (x, y) = (f32::from(x as u8) * 16.0, f32::from(y as u8) * 16.0);
            scene.add(square(16.0), Rank::Static, x, y);
        }
        let x = f32::from(along as u8 / 2) * 16.0 + 0.3;
        let body = scene.add(square(10.0), Rank::Dynamic, x, 16.7);
        let after = scene.pushed();
        assert_eq!(after.at(body), (x, 45.0), "{across} by {along}");
    }
}
