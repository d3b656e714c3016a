//! Districts solved separately, compared with the whole world as one problem.

use super::{super::world::FREE, *};
use crate::push_out::stuck::Stuck;

/// All that a push-out reports, to the bit.
#[derive(Debug, PartialEq)]
struct Told {
    moved: Vec<(u32, [u32; 2])>,
    met: Vec<((u32, u32), [u32; 5])>,
    stuck: Vec<Stuck>,
}

/// Returns what a push-out reports, divided into problems of about this many pairs, or undivided; and how many problems were made by joining others.
fn told(scene: &Scene, problems_of: Option<usize>) -> (Told, usize) {
    let mut push_out = PushOut::default();
    let overlapping = scene.overlapping().into_iter();
    let divided = problems_of.map_or((usize::MAX, 0), |pairs| (1, pairs));
    let pushed = push_out.run_divided(scene, overlapping, 256, divided);
    let bits = |place: Vec2| place.to_array().map(f32::to_bits);
    let met = pushed.met().map(|met| {
        let [[x, y], [left, up]] = [met.normal, met.point].map(bits);
        (met.slots, [x, y, left, up, met.depth.to_bits()])
    });
    let told = Told {
        met: met.collect(),
        moved: pushed
            .moved
            .iter()
            .map(|&(slot, to)| (slot, bits(to)))
            .collect(),
        stuck: pushed.stuck.to_vec(),
    };
    (told, push_out.joined())
}

/// Returns the same crowd with some colliders on the bodies of their neighbors, with different masses, and in a room.
fn varied(mut scene: Scene, seed: u64) -> Scene {
    let mut unit = units(seed);
    for slot in 0..scene.placed.len() {
        scene.body_states[slot].inverse_mass = 0.1 + unit();
        let is_arm = slot > 0 && slot % 7 == 3 && scene.placed[slot - 1].body == slot as u32 - 1;
        if is_arm {
            scene.placed[slot].body = slot as u32 - 1;
            scene.placed[slot].offset = Vec2::new(9.0 * unit(), 9.0 * unit());
            scene.parts.push((slot as u32 - 1, slot as u32));
        }
    }
    let side = scene
        .body_states
        .iter()
        .map(|body| body.position.x)
        .fold(0.0, f32::max);
    let room = Vec2::splat(side * 0.48);
    scene.add_outline(Outline::Bounds(room), Rank::Static, side * 0.5, side * 0.5);
    scene
}

#[test]
fn districts_by_themselves_end_as_all_of_the_world_in_one_to_the_bit() {
    let (mut moved, mut joined) = (0, 0);
    for seed in 0..24 {
        for covered in [0.1, 0.2, 0.3, 0.5] {
            let plain = crowd(160, covered, 100 + seed);
            let varied = varied(plain.clone(), seed);
            for (scene, case) in [(plain, "plain"), (varied, "varied")] {
                let (whole, _) = told(&scene, None);
                moved += whole.moved.len();
                for pairs in [1, 20] {
                    let (divided, joined_here) = told(&scene, Some(pairs));
                    joined += joined_here;
                    assert!(
                        divided == whole,
                        "{case}, {covered} covered, seed {seed}, {pairs} pairs: {divided:?} {whole:?}"
                    );
                }
            }
        }
    }
    assert!(moved > 5000 && joined > 50, "{moved} {joined}");
}

/// A wall throws a body 25 to the right, between two overlapping bodies that had nothing to do with it before.
#[test]
fn who_is_led_to_others_is_solved_with_them() {
    let mut scene = Scene::default();
    let thrown = scene.add(square(10.0), Rank::Dynamic, 0.0, 0.0);
    scene.add(square(120.0), Rank::Static, -40.0, 0.0);
    let others = [34.0, 40.0].map(|x| scene.add(square(10.0), Rank::Dynamic, x, 0.0));
    let (divided, joined) = told(&scene, Some(1));
    assert_eq!(joined, 1);
    assert_eq!(divided, told(&scene, None).0);
    // The thrown body ends at 25; the others have to be 10 and 20 farther on.
    let at = |slot: usize| {
        let moved = divided
            .moved
            .iter()
            .find(|(moved, _)| *moved as usize == slot);
        moved.map(|(_, place)| place.map(f32::from_bits))
    };
    assert_eq!(at(thrown), Some([25.0, 0.0]));
    for (slot, x) in others.into_iter().zip([35.0, 45.0]) {
        let place = at(slot).expect("it was pushed");
        assert!((place[0] - x).abs() < FREE && place[1] == 0.0, "{place:?}");
    }
}

/// Two bodies come, from two sides, to a body in the middle that overlaps nothing at first.
#[test]
fn who_belongs_nowhere_makes_one_of_those_that_come_to_him() {
    let mut scene = Scene::default();
    for side in [-1.0, 1.0] {
        scene.add(square(10.0), Rank::Dynamic, side * 60.0, 0.0);
        scene.add(square(40.0), Rank::Static, side * 62.0, 0.0);
    }
    // The walls end at 42, so the two come to rest from 32 to 42, where there is nearly enough room.
    let long = Shape::rectangle(Vec2::new(32.25, 5.0)).expect("a test's own size");
    scene.add(long, Rank::Dynamic, 0.0, 0.0);
    let (divided, joined) = told(&scene, Some(1));
    assert_eq!(joined, 1);
    assert_eq!(divided, told(&scene, None).0);
}
