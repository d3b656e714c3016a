//! Many in one place.

use bevy::math::Vec2;

use super::{Scene, circle, units};
use crate::{
    kernel::{Outline, Shape},
    placed::Rank,
};

#[test]
fn a_spawners_heap_spreads_in_all_directions() {
    let mut scene = Scene::default();
    for _ in 0..30 {
        scene.add(circle(5.0), Rank::Dynamic, 100.0, 100.0);
    }
    let after = scene.pushed();
    after.assert_apart();
    // 30 circles of radius 5 fill a disc of about radius 33; a row of them would reach 145 to each side.
    for mover in &after.movers {
        assert!(
            mover.position.distance(Vec2::splat(100.0)) < 50.0,
            "{mover:?}"
        );
    }
}

/// 200 circles of radius 5 in a disc of radius 3.
fn throng(seed: u64) -> Scene {
    let mut unit = units(seed);
    let mut scene = Scene::default();
    while scene.movers.len() < 200 {
        let [x, y] = [(); 2].map(|()| unit() * 6.0 - 3.0);
        if Vec2::new(x, y).length() <= 3.0 {
            scene.add(circle(5.0), Rank::Dynamic, x, y);
        }
    }
    scene
}

#[test]
fn a_throng_makes_room_around_its_middle() {
    let scene = throng(7);
    let after = scene.pushed();
    after.assert_apart();
    // Packed as tightly as circles go they fill a disc of radius 74; one that only scatters them, so that three fifths of it are covered, has a radius of 91.
    for (before, now) in scene.movers.iter().zip(&after.movers) {
        assert!(now.position.length() < 110.0, "{now:?}");
        if before.position.length() > 1.5 {
            let turned = before.position.angle_to(now.position).abs();
            assert!(turned < 0.5, "{before:?} went to {now:?}");
        }
    }
}

#[test]
fn a_throng_beside_a_wall_stays_on_its_side() {
    let mut scene = throng(8);
    let wall = Shape::rectangle(Vec2::new(0.25, 200.0)).expect("a test's own size");
    scene.add(wall, Rank::Static, 9.0, 0.0);
    let after = scene.pushed();
    after.assert_apart();
    // Half of a disc of which they cover three quarters has a radius of 115.
    for mover in &after.movers[..200] {
        assert!(mover.position.x <= 9.0 - 5.25 + 0.01, "{mover:?}");
        assert!(mover.position.length() < 150.0, "{mover:?}");
    }
}

/// Two hundred of which three quarters would be on the other side of the walls.
fn throng_in_a_corner(seed: u64, is_room: bool) -> Scene {
    let mut scene = throng(seed);
    for mover in &mut scene.movers {
        mover.position += Vec2::splat(-192.0);
    }
    if is_room {
        scene.add_outline(Outline::Bounds(Vec2::splat(200.0)), Rank::Static, 0.0, 0.0);
    } else {
        for (x, y, wide, high) in [
            (-205.0, 0.0, 5.0, 210.0),
            (205.0, 0.0, 5.0, 210.0),
            (0.0, -205.0, 210.0, 5.0),
            (0.0, 205.0, 210.0, 5.0),
        ] {
            let wall = Shape::rectangle(Vec2::new(wide, high)).expect("a test's own size");
            scene.add(wall, Rank::Static, x, y);
        }
    }
    scene
}

/// After one tick two thirds of them still have somebody in somebody, and after five hardly any.
#[test]
fn a_throng_in_a_corner_stays_in_its_room_and_comes_apart() {
    let mut jammed = 0;
    for (seed, is_room) in (0..8).flat_map(|seed| [(seed, true), (seed, false)]) {
        let mut scene = throng_in_a_corner(seed, is_room);
        for _ in 0..5 {
            scene = scene.pushed();
            for mover in &scene.movers[..200] {
                let far = mover.position.abs().max_element();
                assert!(far <= 195.01, "{mover:?}, seed {seed}");
            }
        }
        let pairs = scene.overlapping().into_iter();
        let deep = pairs.filter(|&(a, b)| {
            let seen = scene.overlap(a as usize, b as usize);
            seen.is_some_and(|seen| seen.depth > 0.01)
        });
        let deep = deep.count();
        assert!(deep <= 5, "{deep} pairs are deep, seed {seed}");
        jammed += usize::from(deep > 0);
    }
    assert!(jammed <= 2, "{jammed} of 16 are jammed");
}

/// The same bits, but for the sign.
#[test]
fn a_throng_seen_in_a_mirror_is_the_same() {
    for seed in 9..14 {
        let scene = throng(seed);
        let mut mirrored = scene.clone();
        for mover in &mut mirrored.movers {
            mover.position.x = -mover.position.x;
        }
        let (after, mirrored) = (scene.pushed(), mirrored.pushed());
        for (one, other) in after.movers.iter().zip(&mirrored.movers) {
            let (x, y) = other.position.into();
            assert_eq!(one.position, Vec2::new(-x, y));
        }
    }
}
