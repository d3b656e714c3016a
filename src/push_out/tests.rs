//! Tests of the push-out on bodies and colliders alone.
#![allow(
    clippy::disallowed_methods,
    reason = "tests may turn things by any angle"
)]

use bevy::math::Vec2;
use proptest::prelude::*;

use self::scene::{Scene, circle, crowd, square, units};
use super::problems::PushOut;
use crate::{
    kernel::{Outline, Shape},
    placed::Rank,
};

mod costs;
mod crowds;
mod detours;
mod districts;
mod groups;
mod heaps;
mod scene;
mod shaken;
mod statics;

#[test]
fn a_crowd_ends_free_of_all_and_fixed_things_have_not_moved() {
    // Without kinematics, which may pin a body against a static permanently.
    for (count, covered) in [(500, 0.25), (2000, 0.25), (500, 0.5)] {
        let mut scene = crowd(count, covered, 1);
        for body in scene
            .body_states
            .iter_mut()
            .filter(|one| one.rank == Rank::Kinematic)
        {
            body.rank = Rank::Dynamic;
        }
        let after = scene.pushed();
        let (depth, pair) = after.deepest();
        assert!(
            depth <= 0.01,
            "{count} at {covered}: {pair:?} overlap by {depth}\n{}",
            after.around(pair)
        );
        for (before, now) in scene.body_states.iter().zip(&after.body_states) {
            if before.rank == Rank::Static {
                assert_eq!(before, now);
            }
        }
    }
}

/// A body with an arm: a wall pushes the body far to the right, and so its arm into a body that was nowhere near anything.
#[test]
fn a_body_that_goes_far_takes_all_its_colliders_along() {
    let mut scene = Scene::default();
    let body = scene.add(square(10.0), Rank::Dynamic, 0.0, 0.0);
    let arm = scene.add(square(10.0), Rank::Dynamic, 0.0, 0.0);
    scene.placed[arm].body = body as u32;
    scene.placed[arm].offset = Vec2::new(60.0, 0.0);
    scene.parts.push((body as u32, arm as u32));
    // From -100 to 20: the body leaves it by 25.
    scene.add(square(120.0), Rank::Static, -40.0, 0.0);
    let other = scene.add(square(10.0), Rank::Dynamic, 90.0, 0.0);
    // Enough other bodies that one does not count as many.
    for number in 0..30 {
        scene.add(
            square(1.0),
            Rank::Dynamic,
            1000.0 + 10.0 * number as f32,
            0.0,
        );
    }
    let after = scene.pushed();
    assert_eq!(after.at(body), (25.0, 0.0));
    let (deepest, pair) = after.deepest();
    assert!(deepest <= 0.01, "{pair:?} are {deepest} deep");
    assert_eq!(after.at(other), (95.0, 0.0), "the arm ends at 25 + 60 + 5");
}

#[test]
fn no_dynamic_ends_in_a_static_that_is_not_forced_to() {
    let mut after = crowd(1000, 0.3, 2).pushed();
    for (slot, body) in after.body_states.iter_mut().enumerate() {
        if body.rank == Rank::Kinematic {
            // Keep kinematics out of the measurement.
            body.position = Vec2::new(1.0e6 + 100.0 * slot as f32, 0.0);
        }
    }
    let statics: Vec<usize> = (0..1000)
        .filter(|&slot| after.body_states[slot].rank == Rank::Static)
        .collect();
    for a in 0..1000 {
        for &b in statics.iter().filter(|&&b| b != a) {
            let overlap = after.overlap(a, b);
            if after.rank(a) == Rank::Dynamic {
                assert!(
                    overlap.is_none_or(|one| one.depth <= 0.01),
                    "{a} in {b}: {overlap:?}"
                );
            }
        }
    }
}

/// Slots in any order: every body ends at the same bits.
#[test]
fn the_order_of_slots_does_not_matter() {
    let scene = crowd(600, 0.4, 3);
    let after = scene.pushed();
    for step in [7, 11, 601] {
        // A permutation, since 600 and the steps have no common factor.
        let order: Vec<usize> = (0..600).map(|i| (i * step + 13) % 600).collect();
        after.assert_same(&scene.in_order(&order).pushed(), &order);
    }
}

/// Which pairs come first must matter neither for how far around a body others are searched for, nor for the result.
#[test]
fn the_order_of_pairs_does_not_matter() {
    let scene = crowd(600, 0.4, 5);
    let mut pairs = scene.overlapping();
    // The pairs of the smallest bodies come first, then (reversed) those of the largest.
    pairs.sort_by_key(|(slot, _)| {
        let Outline::Shape(shape) = scene.placed[*slot as usize].outline else {
            return 0;
        };
        shape.half_extents().max_element().to_bits()
    });
    assert!(pairs.len() > 200, "{} pairs", pairs.len());
    let told = |pairs: &[(u32, u32)]| {
        let mut push_out = PushOut::default();
        let outcome = push_out.run(&scene, pairs.iter().copied(), 256);
        let moved = outcome.moved.iter();
        let moved: Vec<_> = moved
            .map(|(slot, to)| (*slot, to.to_array().map(f32::to_bits)))
            .collect();
        let met: Vec<_> = outcome.met().collect();
        (moved, met, outcome.stuck.to_vec())
    };
    let by_size = told(&pairs);
    pairs.reverse();
    assert_eq!(told(&pairs), by_size);
}

/// ```text
/// [ o        ]#   a room from -50 to 50 with a ball at -30; a wall from 55 to 65 is not inside, so the room goes 15 to the right
/// ```
#[test]
fn a_room_that_is_pushed_takes_along_who_is_in_it() {
    let mut scene = Scene::default();
    let room = scene.add_outline(Outline::Bounds(Vec2::splat(50.0)), Rank::Dynamic, 0.0, 0.0);
    let ball = scene.add(circle(10.0), Rank::Dynamic, -30.0, 0.0);
    scene.add(square(10.0), Rank::Static, 60.0, 0.0);
    let after = scene.pushed();
    assert_eq!(after.at(room), (15.0, 0.0));
    assert_eq!(after.at(ball), (-25.0, 0.0), "the left wall is at -35 then");
}

/// ```text
/// #|ooooo <- pushed from the right by a lift that moved 3 units
/// ```
#[test]
fn a_lift_can_not_push_a_row_into_a_wall() {
    let mut scene = Scene::default();
    let wall = scene.add(square(10.0), Rank::Static, -5.0, 0.0);
    let crates: Vec<usize> = (0..5)
        .map(|i| scene.add(square(10.0), Rank::Dynamic, 5.0 + 10.0 * i as f32, 0.0))
        .collect();
    let lift = scene.add(square(10.0), Rank::Kinematic, 52.0, 0.0);
    let after = scene.pushed();
    assert_eq!(after.at(wall), (-5.0, 0.0));
    assert_eq!(after.at(lift), (52.0, 0.0));
    for (i, &one) in crates.iter().enumerate() {
        assert_eq!(after.at(one), (5.0 + 10.0 * i as f32, 0.0), "crate {i}");
    }
}

#[test]
fn a_lift_pushes_a_free_row_all_the_way() {
    let mut scene = Scene::default();
    let crates: Vec<usize> = (0..50)
        .map(|i| scene.add(square(10.0), Rank::Dynamic, 10.0 * i as f32, 0.0))
        .collect();
    scene.add(square(10.0), Rank::Kinematic, -7.0, 0.0);
    let after = scene.pushed();
    for (i, &one) in crates.iter().enumerate() {
        assert_eq!(after.at(one), (10.0 * i as f32 + 3.0, 0.0), "crate {i}");
    }
}

#[test]
fn a_row_of_free_crates_takes_a_push_up() {
    let mut scene = Scene::default();
    for i in 0..50 {
        scene.add(square(10.0), Rank::Dynamic, 10.0 * i as f32, 0.0);
    }
    scene.add(square(10.0), Rank::Dynamic, -9.0, 0.0);
    let after = scene.pushed();
    after.assert_apart();
}

/// ```text
///  ####
///  #oo#   two bodies in a block of 4 x 4 tiles of 16
///  ####
/// ```
#[test]
fn what_is_buried_in_tiles_leaves_by_the_shortest_way() {
    let mut scene = Scene::default();
    for i in 0..16 {
        let (x, y) = ((i % 4 * 16) as f32, (i / 4 * 16) as f32);
        scene.add(square(16.0), Rank::Static, x, y);
    }
    // The block reaches from -8 to 56 on both axes.
    let near_left = scene.add(square(10.0), Rank::Dynamic, 10.0, 26.0);
    let near_top = scene.add(circle(5.0), Rank::Dynamic, 26.0, 40.0);
    let after = scene.pushed();
    assert_eq!(after.at(near_left), (-13.0, 26.0));
    assert_eq!(after.at(near_top), (26.0, 61.0));
}

/// Two boxes side by side between posts that leave room for 19 of their 20 units: one box gives way upwards.
///
/// ```text
///  #[a][b]#
/// ```
#[test]
fn two_that_are_squeezed_against_each_other_slip_past() {
    let mut scene = Scene::default();
    let post = Shape::rectangle(Vec2::new(5.0, 3.0)).expect("positive");
    scene.add(post, Rank::Static, -14.5, 0.0);
    scene.add(post, Rank::Static, 14.5, 0.0);
    scene.add(square(10.0), Rank::Dynamic, -4.5, 0.0);
    scene.add(square(10.0), Rank::Dynamic, 4.5, 1.0);
    let after = scene.pushed();
    after.assert_apart();
}

/// Circles give way no farther than it takes: 9 apart on one axis, circles of radius 5 are apart at `sqrt(100 - 81)` on the other.
#[test]
fn two_round_ones_slip_past_by_no_more_than_it_takes() {
    let mut scene = Scene::default();
    let post = Shape::rectangle(Vec2::new(5.0, 3.0)).expect("positive");
    scene.add(post, Rank::Static, -14.5, 0.0);
    scene.add(post, Rank::Static, 14.5, 0.0);
    let one = scene.add(circle(5.0), Rank::Dynamic, -4.5, 0.0);
    let other = scene.add(circle(5.0), Rank::Dynamic, 4.5, 1.0);
    let after = scene.pushed();
    after.assert_apart();
    let apart = after.at(other).1 - after.at(one).1;
    assert!((apart - 19.0_f32.sqrt()).abs() < 0.01, "{apart} apart");
}

/// A body of 20 is squeezed in a corridor of 19, and nothing more is tried for it, when the crates that a lift pushes down the corridor reach it. Whichever of two is farther left stands for both.
#[test]
fn who_comes_late_to_a_jam_is_freed_on_either_side_of_it() {
    let wall = Shape::rectangle(Vec2::new(10.0, 100.0)).expect("positive");
    for x in [-1.0, 1.0] {
        let mut scene = Scene::default();
        for side in [-19.5, 19.5] {
            scene.add(wall, Rank::Static, side, 0.0);
        }
        let stuck = scene.add(square(20.0), Rank::Dynamic, 0.2, 0.0);
        let row = [0, 1, 2, 3, 4, 5, 6, 7].map(|at: u8| {
            let y = 15.5 + 10.5 * f32::from(at);
            scene.add(square(10.0), Rank::Dynamic, x, y)
        });
        scene.add(square(10.0), Rank::Kinematic, x, 94.0);
        let after = scene.pushed();
        let overlap = after.overlap(stuck, row[0]);
        assert!(
            overlap.is_none_or(|one| one.depth <= 0.01),
            "{x}: {overlap:?}"
        );
    }
}

/// A gap of 19 between walls 200 high: a body of 20 can't be freed nearby, and is not thrown over the walls.
#[test]
fn what_is_squeezed_is_not_thrown_out() {
    let wall = Shape::rectangle(Vec2::new(10.0, 100.0)).expect("positive");
    let mut scene = Scene::default();
    scene.add(wall, Rank::Static, -19.5, 0.0);
    scene.add(wall, Rank::Static, 19.5, 0.0);
    let body = scene.add(square(20.0), Rank::Dynamic, 0.2, 3.0);
    let (x, y) = scene.pushed().at(body);
    assert!(x.abs() <= 0.5 && y == 3.0, "at ({x}, {y})");
}

#[test]
fn a_room_keeps_its_crowd_in() {
    let mut scene = Scene::default();
    let room = scene.add_outline(
        Outline::Bounds(Vec2::new(60.0, 40.0)),
        Rank::Static,
        10.0,
        0.0,
    );
    for i in 0..30 {
        scene.add(
            circle(5.0),
            Rank::Dynamic,
            60.0 + i as f32,
            (i * 7 % 30) as f32,
        );
    }
    let after = scene.pushed();
    assert_eq!(after.at(room), (10.0, 0.0));
    after.assert_apart();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A body pressed against something axis-aligned, from wherever, rests at the same bits in every tick, and touches it.
    #[test]
    fn pressed_against_a_wall_it_is_at_the_same_bits(
        side in 0..4_usize,
        wall in [-1.0e5_f32..1.0e5, -1.0e5_f32..1.0e5],
        half in 0.1_f32..100.0,
        along in -20.0_f32..20.0,
        pushes in prop::collection::vec(0.0_f32..5.0, 2..10),
    ) {
        let wall = Vec2::from(wall);
        let out = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y][side];
        let start = wall + out * (25.0 + half) + out.perp() * along;
        let mut scene = Scene::default();
        scene.add(square(50.0), Rank::Static, wall.x, wall.y);
        let body = scene.add(square(2.0 * half), Rank::Dynamic, start.x, start.y);
        let mut rests = None;
        for push in pushes {
            // At least an eighth of a unit deep, so that rounding at 1e5 does not matter.
            scene.body_states[body].position -= out * (0.125 + push.min(half));
            scene = scene.pushed();
            let position = scene.body_states[body].position;
            let bits = position.to_array().map(f32::to_bits);
            prop_assert_eq!(*rests.get_or_insert(bits), bits);
            let axis = side % 2;
            let (at, from) = (position[axis], wall[axis]);
            let gap = f64::from((at - from).abs()) - f64::from(25.0 + half);
            let rounding = f64::from(at.abs().max(from.abs())) * f64::from(f32::EPSILON);
            prop_assert!((0.0..=rounding).contains(&gap), "{} apart, {}", gap, rounding);
        }
    }
}
