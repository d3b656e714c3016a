//! Large crowds at rest in which few bodies overlap.

use bevy::math::Vec2;

use super::{Scene, crowds::horde_at_rest, square, units};
use crate::placed::Rank;

/// This many bodies are a large crowd, and ...
const COUNT: usize = 400;
/// ... this many of them are moved a little aside.
const SHAKEN: usize = 5;

/// What is beside the crowd.
#[derive(Clone, Copy, Debug)]
enum Beside {
    Nothing,
    /// Walls that the crowd touches.
    Walls,
    /// Walls that the crowd touches only once a body is pushed.
    WallsNearBy,
}

/// Returns a crowd at rest, except for a few bodies.
fn shaken(beside: Beside, seed: u64) -> Scene {
    let mut scene = horde_at_rest(COUNT, seed);
    let edge = |scene: &Scene, slot: usize| {
        let half = scene.placed[slot]
            .outline
            .shape()
            .map(|shape| shape.half_extents());
        scene.body_states[slot].position.x.abs() + half.unwrap_or_default().x
    };
    let slots = 0..scene.body_states.len();
    let widest = slots.map(|slot| edge(&scene, slot)).fold(0.0, f32::max);
    let mut unit = units(seed);
    for _ in 0..SHAKEN {
        let slot = (unit() * COUNT as f32) as usize;
        scene.body_states[slot].position += Vec2::from_angle(unit() * 6.3) * 0.3;
    }
    let away = match beside {
        Beside::Nothing => return scene,
        Beside::Walls => widest,
        Beside::WallsNearBy => widest + 0.35,
    };
    for x in [-away - 100.0, away + 100.0] {
        scene.add(square(200.0), Rank::Static, x, 0.0);
    }
    scene
}

#[test]
fn a_few_in_a_large_crowd_are_freed() {
    for beside in [Beside::Nothing, Beside::Walls, Beside::WallsNearBy] {
        for seed in 0..6 {
            let scene = shaken(beside, seed);
            assert!(scene.deep().len() >= SHAKEN / 2, "{beside:?} {seed}");
            let after = scene.pushed();
            assert_eq!(after.deep(), [], "{beside:?} {seed}");
            // Each moved body affects a few others, and not the whole crowd.
            let ways = scene.body_states.iter().zip(&after.body_states);
            let ways = ways.map(|(from, to)| from.position.distance(to.position));
            let far = ways.clone().fold(0.0, f32::max);
            assert!(far < 1.0, "one went {far} units, {beside:?} {seed}");
            let moved = ways.filter(|way| *way > 0.1).count();
            assert!(moved < 60, "{moved} went far, {beside:?} {seed}");
        }
    }
}

#[test]
fn it_does_not_matter_who_was_there_first() {
    for beside in [Beside::Nothing, Beside::Walls, Beside::WallsNearBy] {
        for seed in 6..12 {
            let scene = shaken(beside, seed);
            let order: Vec<usize> = (0..scene.body_states.len()).rev().collect();
            let after = scene.pushed();
            after.assert_same(&scene.in_order(&order).pushed(), &order);
        }
    }
}
