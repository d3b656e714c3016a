//! How many colliders the push-out reads.

use std::sync::atomic::Ordering;

use bevy::math::Vec2;

use super::{
    super::problems::PushOut,
    scene::{Scene, square},
};
use crate::{kernel::Shape, placed::Rank};

/// A collider that overlaps nothing, touches no overlapping one and is not pushed on is not read, however many such colliders there are.
#[test]
fn a_lone_overlap_asks_for_few() {
    let mut scene = Scene::default();
    for number in 0..1000 {
        let (column, row) = ((number % 40) as f32, (number / 40) as f32);
        scene.add(square(10.0), Rank::Dynamic, 20.0 * column, 20.0 * row);
    }
    // From 401 to 409 on both axes, over a corner of number 820, which is from 395 to 405.
    scene.add(square(8.0), Rank::Dynamic, 405.0, 405.0);
    let mut push_out = PushOut::default();
    let outcome = push_out.run(&scene, scene.overlapping().into_iter(), 256);
    // The overlap is 4 deep on both axes; the x axis wins, and each body goes half the way.
    let expected = [
        (820, Vec2::new(398.0, 400.0)),
        (1000, Vec2::new(407.0, 405.0)),
    ];
    assert_eq!(outcome.moved, expected);
    let asked = scene.asked.load(Ordering::Relaxed);
    assert!(asked < 100, "{asked} places were read");
}

/// Neither the size of the ground nor that of a giant decides how far bodies are searched for.
#[test]
fn a_ground_without_end_does_not_make_everybody_near() {
    for (size, rank, depth) in [
        ((5.0e5, 5.0), Rank::Static, 1.0),
        ((5.0e5, 5.0), Rank::Kinematic, 1.0),
        ((5.0e5, 5.0), Rank::Dynamic, 0.5),
    ] {
        let mut scene = Scene::default();
        for number in 0..1000 {
            let (column, row) = ((number % 40) as f32, (number / 40) as f32);
            scene.add(square(10.0), Rank::Dynamic, 20.0 * column, 20.0 * row);
        }
        let giant = Shape::rectangle(Vec2::from(size)).expect("it is valid");
        scene.add(giant, rank, 390.0, -100.0);
        // It is 1 deep in the giant.
        scene.add(square(10.0), Rank::Dynamic, 390.0, -91.0);
        let mut push_out = PushOut::default();
        let outcome = push_out.run(&scene, scene.overlapping().into_iter(), 256);
        let moved = outcome.moved.iter().find(|(slot, _)| *slot == 1001);
        let expected = (1001, Vec2::new(390.0, -91.0 + depth));
        assert_eq!(moved, Some(&expected), "{rank:?}");
        let asked = scene.asked.load(Ordering::Relaxed);
        assert!(asked < 100, "{rank:?}: {asked} places were read");
    }
}

/// The giant is pressed to a firm ground, and overlaps none of the small bodies on it that would show how large these are.
#[test]
fn a_giant_at_a_wall_does_not_make_those_on_it_near_each_other() {
    let mut scene = Scene::default();
    scene.add(square(1000.0), Rank::Dynamic, 0.0, 0.0);
    let ground = Shape::rectangle(Vec2::new(1000.0, 5.0)).expect("it is valid");
    scene.add(ground, Rank::Static, 0.0, -504.5);
    for number in 0..2000 {
        let (column, row) = ((number % 250) as f32, (number / 250) as f32);
        let (x, y) = (4.0 * column - 498.0, 4.0 * row + 502.0);
        scene.add(square(4.0), Rank::Dynamic, x, y);
    }
    let mut push_out = PushOut::default();
    push_out.run(&scene, [(0, 1)].into_iter(), 1);
    // Each body has 24 others within twice its size.
    let paired = scene.paired.load(Ordering::Relaxed);
    assert!(paired < 80_000, "{paired} pairs were looked at");
}

/// Bodies that no place is found for do not look at each other, however far away they are.
#[test]
fn who_is_stuck_elsewhere_costs_nobody_anything() {
    let paired = |count: u16| {
        let mut scene = Scene::default();
        for left in (0..count).map(|at| 1000.0 * f32::from(at)) {
            wedge(&mut scene, left);
        }
        scene.pushed();
        scene.paired.load(Ordering::Relaxed)
    };
    let (few, many) = (paired(50), paired(200));
    assert!(many < 6 * few, "{few}, {many}");
}

/// Adds a body between two walls that leave no room for it.
fn wedge(scene: &mut Scene, x: f32) {
    let wall = Shape::rectangle(Vec2::new(10.0, 200.0)).expect("it is valid");
    for side in [-14.0, 14.0] {
        scene.add(wall, Rank::Static, x + side, 0.0);
    }
    scene.add(square(20.0), Rank::Dynamic, x + 0.2, 0.0);
}

/// It is not pushed to and fro between the walls again for each who presses it.
#[test]
fn who_is_wedged_in_tries_to_leave_once() {
    let searched = |pressing: u8| {
        let mut scene = Scene::default();
        wedge(&mut scene, 0.0);
        for at in 0..pressing {
            scene.add(square(2.0), Rank::Dynamic, 0.0, 10.5 + 1.5 * f32::from(at));
        }
        scene.pushed();
        scene.searched.load(Ordering::Relaxed)
    };
    let (alone, pressed) = (searched(0), searched(20));
    assert!(alone < 100 && pressed < 1200, "{alone}, {pressed}");
}
