//! Crowds that are pushed, each of which pushes several others.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{a_tick, mover, moving_app};
use crate::common::{at, place, tick};

/// Round ones, or round and square ones by turns, are pushed through free space, while all drift this fast besides. Answers how deep they were in each other: in the worst case, and all in all.
fn push(seed: u64, are_round: bool, drift: f32) -> (f32, f32) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut app = moving_app();
    for number in 0_u8..9 {
        let [column, row] = [number % 3, number / 3].map(|cell| f32::from(cell) * 11.0);
        let [x, y] = [30.0 + column, row - 11.0].map(|at| at + random.f32() - 0.5);
        let mass = Mass(0.5 + random.f32());
        let mut body = app.world_mut().spawn((mass, a_tick(0.0, drift), at(x, y)));
        if are_round || number % 2 == 1 {
            body.insert(CircleCollider::new(5.0));
        } else {
            body.insert(BoxCollider::square(10.0));
        }
    }
    let (way, start) = (a_tick(3.125, 0.15625 + drift), at(0.0, 0.0));
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
    let cases = [0.0, 8.0, 64.0].map(|drift| [true, false].map(|are_round| (are_round, drift)));
    for &(are_round, drift) in cases.as_flattened() {
        let worlds = (0..40).map(|seed| push(seed, are_round, drift));
        let all: Vec<(f32, f32)> = worlds.collect();
        let worst = all.iter().map(|one| one.0).fold(0.0, f32::max);
        let mean = all.iter().map(|one| one.1).sum::<f32>() / 40.0;
        // A tick leads 3.1 units ahead. Were those who have hit too often just stopped, round ones would be 1.6 deep in the worst case, and 0.8 in all ticks.
        let case = format!("all round: {are_round}, drift {drift}");
        assert!(worst < 0.5, "{worst} deep in each other, {case}");
        assert!(mean < 0.2, "{mean} in all ticks, {case}");
    }
}

/// However often it has hit: what is left to the push-out has to be so little that it is freed on the side from which it came.
#[test]
fn a_ball_stays_between_heavy_crates() {
    let mut app = moving_app();
    for x in [-15.0, 15.0] {
        let block = (BoxCollider::new(10.0, 100.0), Mass(1.0e9));
        app.world_mut().spawn((block, a_tick(0.0, 0.0), at(x, 0.0)));
    }
    let bounce = Response::Bounce { restitution: 1.0 };
    let ball = (CircleCollider::new(5.0), bounce, a_tick(300.0, 0.0));
    let ball = app.world_mut().spawn((ball, at(0.0, 0.0))).id();
    for _ in 0..4 {
        app.update();
        assert!(place(&app, ball).x.abs() <= 5.01, "{}", place(&app, ball));
    }
}

/// So many small ones that each of them is one hit, side by side across this way.
fn pellets(app: &mut App, count: u8, way: Vec2, first: impl Fn(f32) -> Vec2) {
    for number in 0..count {
        let aside = (f32::from(number) - (f32::from(count) - 1.0) * 0.5) * 0.4;
        let pellet = (CircleCollider::new(0.1), Mass(0.001), Response::Stop);
        let place = first(aside);
        let way = a_tick(way.x, way.y);
        app.world_mut().spawn((pellet, way, at(place.x, place.y)));
    }
}

#[test]
fn who_is_hit_by_many_goes_through_no_door() {
    for count in 0..20 {
        let mut app = moving_app();
        let boss = (CircleCollider::new(5.0), Mass(100.0), a_tick(20.0, 0.0));
        let boss = app.world_mut().spawn((boss, at(0.0, 0.0))).id();
        pellets(&mut app, count, Vec2::new(60.0, 0.0), |y| {
            Vec2::new(-8.0, y)
        });
        let door = (BoxCollider::new(1.0, 100.0), Mass(1.0e5));
        let door = app.world_mut().spawn((door, at(15.0, 0.0))).id();
        app.update();
        let [boss, door] = [boss, door].map(|one| place(&app, one).x);
        assert!(boss < door, "{boss} and {door} after {count} hits");
    }
}

/// The push-out leaves alone who is in a one-way platform, so nobody may be let into it.
#[test]
fn who_is_hit_by_many_falls_through_no_ledge() {
    for count in [0, 13, 14, 15, 16, 17] {
        let mut app = moving_app();
        let ledge = (BoxCollider::new(100.0, 6.0), OneWay::default(), Mass(1.0e6));
        app.world_mut().spawn((ledge, at(0.0, -8.0)));
        let boss = mover(&mut app, 10.0, (-5.0, -4.5), a_tick(0.0, -1.0));
        app.world_mut().entity_mut(boss).insert(Mass(1000.0));
        pellets(&mut app, count, Vec2::new(0.0, -20.0), |x| {
            Vec2::new(x, 6.6)
        });
        for _ in 0..20 {
            app.update();
        }
        let y = place(&app, boss).y;
        assert!(y > -0.1, "{y} after {count} hits");
    }
}
