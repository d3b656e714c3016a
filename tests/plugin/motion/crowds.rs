//! Crowds that are pushed, each of which pushes several others.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{a_tick, moving_app};
use crate::common::{at, tick};

/// Round ones, or round and square ones by turns, are pushed through free space. Answers how deep they were in each other: in the worst case, and all in all.
fn push(seed: u64, are_round: bool) -> (f32, f32) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut app = moving_app();
    for number in 0_u8..9 {
        let [column, row] = [number % 3, number / 3].map(|cell| f32::from(cell) * 11.0);
        let [x, y] = [30.0 + column, row - 11.0].map(|at| at + random.f32() - 0.5);
        let mass = Mass(0.5 + random.f32());
        let mut body = app.world_mut().spawn((mass, a_tick(0.0, 0.0), at(x, y)));
        if are_round || number % 2 == 1 {
            body.insert(CircleCollider::new(5.0));
        } else {
            body.insert(BoxCollider::square(10.0));
        }
    }
    let (way, start) = (a_tick(3.125, 0.15625), at(0.0, 0.0));
    let pusher = app.world_mut().spawn((CircleCollider::new(6.0), start));
    let pusher = pusher.id();
    let (mut worst, mut sum) = (0.0_f32, 0.0);
    for _ in 0..30 {
        app.world_mut().entity_mut(pusher).insert(way);
        for collision in tick(&mut app) {
            worst = worst.max(collision.depth);
            sum += collision.depth;
        }
    }
    (worst, sum)
}

#[test]
fn who_are_pushed_do_not_end_in_each_other() {
    for are_round in [true, false] {
        let all: Vec<(f32, f32)> = (0..40).map(|seed| push(seed, are_round)).collect();
        let worst = all.iter().map(|one| one.0).fold(0.0, f32::max);
        let mean = all.iter().map(|one| one.1).sum::<f32>() / 40.0;
        // A tick leads 3.1 units ahead. Were those who have hit too often just stopped, round ones would be 1.6 deep in the worst case, and 0.8 in all ticks.
        assert!(
            worst < 0.5,
            "{worst} deep in each other, all round: {are_round}"
        );
        assert!(mean < 0.2, "{mean} in all ticks, all round: {are_round}");
    }
}
