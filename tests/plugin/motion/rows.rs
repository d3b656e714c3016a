//! Rows of bodies that push each other: a pushed body pushes the next one, and all share the velocity of the first.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{TICKS_PER_SECOND, a_tick, mover, moving_app, velocity, velocity_of};
use crate::common::{at, place, wall};

#[test]
fn a_row_is_pushed_as_one() {
    for axis in [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y] {
        for count in [1, 2, 3, 4, 6, 10, 16] {
            for (mass, gap) in [(1.0, 0.0), (1.0, 0.25), (10.0, 0.25), (0.5, 0.0)] {
                let mut app = moving_app();
                let from = |along: f32| {
                    let place = axis * along;
                    at(place.x, place.y)
                };
                for number in 0..count {
                    let place = from(20.0 + (10.0 + gap) * number as f32);
                    app.world_mut().spawn((BoxCollider::square(10.0), place));
                }
                let way = axis * 2.0;
                let pusher = (BoxCollider::square(10.0), a_tick(0.0, 0.0));
                let pusher = app.world_mut().spawn((pusher, Mass(mass), from(0.0))).id();
                let mut push = |ticks: usize| {
                    for _ in 0..ticks {
                        app.world_mut()
                            .entity_mut(pusher)
                            .insert(a_tick(way.x, way.y));
                        app.update();
                    }
                    place(&app, pusher).dot(axis)
                };
                // The gaps, at most 10 before the first one and 3.75 in the row, have closed by then.
                let (start, end) = (push(100), push(32));
                let expected = 2.0 * mass / (mass + count as f32);
                let case = format!("{count} of mass 1, pushed by {mass} along {axis}");
                let speed = (end - start) / 32.0;
                assert!(
                    (speed - expected).abs() < 1.0e-4,
                    "{case}: {speed} or {expected}"
                );
            }
        }
    }
}

/// Spawns a square of 10 that pushes a tall body, and a third body that hits them, and runs a tick.
fn three(
    pusher: Velocity,
    tall: (Vec2, Vec2),
    third: (Vec2, Velocity),
) -> (App, Entity, Entity, Entity) {
    let mut app = moving_app();
    let pusher = mover(&mut app, 10.0, (-5.0, -5.0), pusher);
    let (size, center) = tall;
    let pushed = (BoxCollider::new(size.x, size.y), Velocity::default());
    let pushed = app.world_mut().spawn((pushed, at(center.x, center.y))).id();
    let (center, way) = third;
    let third = mover(&mut app, 10.0, (center.x - 5.0, center.y - 5.0), way);
    app.update();
    (app, pusher, pushed, third)
}

#[test]
fn who_is_pushed_ahead_leaves_behind_what_pushed_it() {
    // The third one passes above the pusher.
    let (app, pusher, pushed, third) = three(
        a_tick(2.0, 0.0),
        (Vec2::new(10.0, 50.0), Vec2::new(10.0, 0.0)),
        (Vec2::new(-10.0, 15.0), a_tick(20.0, 0.0)),
    );
    assert_eq!(velocity(&app, pusher), Vec2::new(1.0, 0.0));
    assert_eq!(velocity(&app, pushed), Vec2::new(10.5, 0.0));
    assert_eq!(velocity(&app, third), Vec2::new(10.5, 0.0));
}

#[test]
fn who_is_pushed_back_takes_along_what_pushed_it() {
    let (app, pusher, pushed, third) = three(
        a_tick(2.0, 0.0),
        (Vec2::new(10.0, 10.0), Vec2::new(10.0, 0.0)),
        (Vec2::new(25.0, 0.0), a_tick(-10.0, 0.0)),
    );
    // 1 + 1 - 10, shared by three.
    for body in [pusher, pushed, third] {
        let speed = velocity(&app, body).x;
        assert!((speed + 8.0 / 3.0).abs() < 1.0e-6, "{speed}");
    }
    let apart = |one, other| place(&app, other).x - place(&app, one).x;
    assert_eq!(apart(pusher, pushed), 10.0);
    assert_eq!(apart(pushed, third), 10.0);
}

#[test]
fn who_has_slid_off_pushes_no_more() {
    // It leaves the side of the other one after a quarter of the tick, and is hit from behind after half of it.
    let (app, pusher, pushed, third) = three(
        a_tick(2.0, 20.0),
        (Vec2::new(10.0, 10.0), Vec2::new(10.0, -5.0)),
        (Vec2::new(-20.0, 0.0), a_tick(21.0, 20.0)),
    );
    assert_eq!(velocity(&app, pusher), Vec2::new(11.0, 20.0));
    assert_eq!(velocity(&app, third), Vec2::new(11.0, 20.0));
    assert_eq!(velocity(&app, pushed), Vec2::new(1.0, 0.0));
}

#[test]
fn who_is_hit_too_often_stays_and_what_it_has_pushed_goes_on() {
    let mut app = moving_app();
    let heavy = Mass(1000.0);
    let tall = |x: f32, way: Velocity| (BoxCollider::new(10.0, 1000.0), heavy, way, at(x, 0.0));
    let pushes = app.world_mut().spawn(tall(0.0, a_tick(2.0, 0.0))).id();
    let pushed = app.world_mut().spawn(tall(10.0, a_tick(0.0, 0.0))).id();
    // Twenty light ones, one above the other, hit it from behind at different times.
    for number in 1..=20 {
        let (time, y) = (number as f32 / 22.0, -400.0 + 40.0 * number as f32);
        let way = 101.0;
        let x = -5.0 - 5.0 - (way - 1.0) * time;
        mover(&mut app, 10.0, (x - 5.0, y - 5.0), a_tick(way, 0.0));
    }
    app.update();
    // Both move at 1, and each of fifteen hits adds a twentieth; the next one is the seventeenth hit of the first body.
    assert!(velocity(&app, pushes).x > 1.0, "it keeps its velocity");
    let speed = velocity(&app, pushed).x;
    assert!((speed - 1.75).abs() < 0.05, "{speed}");
    assert!(place(&app, pushed).x > 10.9);
}

#[test]
fn who_bounces_is_in_no_row() {
    let mut app = moving_app();
    app.insert_resource(CollisionSettings {
        bounce_threshold: 4.0 * 64.0,
        ..default()
    });
    // A slow touch, at which nothing bounces; then a hard hit from behind, after half of the tick.
    let bounce = Response::Bounce { restitution: 0.5 };
    let first = mover(&mut app, 10.0, (-5.0, -5.0), a_tick(2.0, 0.0));
    let ball = (BoxCollider::square(10.0), bounce, Velocity::default());
    let ball = app.world_mut().spawn((ball, at(10.0, 0.0))).id();
    let last = mover(&mut app, 10.0, (-35.0, -5.0), a_tick(41.0, 0.0));
    app.update();
    // 1 each at first. Then 41 and 1 make 21, which meets the ball at 1: 11 for the one that slides, and half of 10 more for the ball, which bounces.
    assert_eq!(velocity(&app, ball), Vec2::new(16.0, 0.0));
    // The last one runs into the one before: they share 21 and 11.
    for body in [first, last] {
        assert_eq!(velocity(&app, body), Vec2::new(16.0, 0.0));
    }
}

#[test]
fn a_piston_keeps_what_it_pushes_before_it() {
    // If the velocity were shared by masses that floats cannot represent exactly, a crate would be slightly slower than the piston.
    for mass in [1.0, 0.3, 0.7, 3.0, 1.0e-3, 1.0e6] {
        let mut app = moving_app();
        app.insert_resource(CollisionSettings {
            up: Vec2::ZERO,
            ..default()
        });
        let way = 310.0 / 64.0;
        let piston = (BoxCollider::new(14.0, 9.0), Body::Kinematic);
        let piston = app.world_mut().spawn((piston, a_tick(way, 0.0))).id();
        // It touches the face of the piston, which is at 7.
        let crate_ = (BoxCollider::square(4.0), Mass(mass), a_tick(0.0, 0.0));
        let crate_ = app.world_mut().spawn((crate_, at(9.0, 2.0))).id();
        for tick in 1..=20 {
            app.update();
            let gone = place(&app, piston).x;
            assert_eq!(
                place(&app, crate_),
                Vec2::new(9.0 + gone, 2.0),
                "{mass}, {tick}"
            );
            assert_eq!(
                velocity(&app, crate_),
                velocity(&app, piston),
                "{mass}, {tick}"
            );
        }
    }
}

#[test]
fn a_light_one_at_a_wall_gives_way_farther_than_a_heavy_one() {
    // Of the push along (-0.6, 0.8) the wall takes 0.36: a ball of mass 1 counts as one of mass 1 / 0.64, and goes only up. Both are left with the common velocity along the normal.
    for (mass, expected) in [(4.0, 0.138), (1.0, 0.390), (0.5, 0.561), (0.25, 0.719)] {
        for has_velocity in [false, true] {
            let mut app = moving_app();
            wall(&mut app, (-10.0, -100.0), (0.0, 100.0));
            // 12 to the right of the ball and 16 below it: they touch.
            let round = CircleCollider::new(10.0);
            app.world_mut()
                .spawn((round, a_tick(0.0, 1.0), at(22.0, -16.0)));
            let mut ball = app.world_mut().spawn((round, Mass(mass), at(10.0, 0.0)));
            if has_velocity {
                ball.insert(Velocity::default());
            }
            let ball = ball.id();
            app.update();
            let way = place(&app, ball).y;
            let is_it = (way - expected).abs() < 0.03;
            assert!(is_it, "{mass}, {has_velocity}: {way}");
        }
    }
}

#[test]
fn nobody_is_held_by_what_bounces_at_a_wall() {
    let bounce = |restitution| Response::Bounce { restitution };
    for (response, mass) in [
        (Response::Slide, 1.0),
        (Response::Stop, 1.0),
        (bounce(0.0), 1.0),
        (bounce(0.2), 0.5),
        (bounce(0.5), 1.0),
        (bounce(0.5), 0.25),
    ] {
        let mut app = moving_app();
        wall(&mut app, (-10.0, -100.0), (0.0, 100.0));
        let ball = (CircleCollider::new(5.0), response, Mass(mass));
        app.world_mut()
            .spawn((ball, a_tick(0.0, 0.0), at(5.0, 0.0)));
        let player = (BoxCollider::new(10.0, 60.0), at(15.0, 0.0));
        let player = app.world_mut().spawn(player).id();
        for _ in 0..10 {
            let mut player = app.world_mut().entity_mut(player);
            player.insert(a_tick(-1.0, 1.0));
            app.update();
        }
        let up = place(&app, player).y;
        assert!((up - 10.0).abs() < 0.01, "{response:?} of {mass}: {up}");
    }
}

#[test]
fn who_hits_too_often_bounces_with_no_more_than_there_was() {
    let mut app = moving_app();
    wall(&mut app, (-10.0, -100.0), (0.0, 100.0));
    let all = Response::Bounce { restitution: 1.0 };
    // The ball has 2 to move each way, and moves 100 in the tick.
    let block = (
        BoxCollider::square(20.0),
        all,
        Mass(1000.0),
        a_tick(0.0, 0.0),
    );
    let block = app.world_mut().spawn((block, at(14.0, 0.0))).id();
    let ball = (CircleCollider::new(1.0), all, a_tick(100.0, 0.0));
    let ball = app.world_mut().spawn((ball, at(2.0, 0.0))).id();
    let before = velocity(&app, ball).length_squared();
    app.update();
    let [ball, block] = [ball, block].map(|one| velocity(&app, one).length_squared());
    let part = (ball + 1000.0 * block) / before;
    assert!((part - 1.0).abs() < 1.0e-3, "{part}");
}

/// A boulder charges at a body that walks against it, and a small crate lies behind the walker. The walker is turned back once, when the boulder meets it, and not again when both meet the crate: all three share their momentum.
#[test]
fn a_row_that_was_turned_back_goes_on_when_it_meets_more() {
    for wish in [0.0, 1.0] {
        let mut app = moving_app();
        let mut spawn = |x: f32, mass: f32, velocity: Option<f32>| {
            let body = (BoxCollider::square(10.0), Mass(mass), at(x, 0.0));
            let mut body = app.world_mut().spawn(body);
            if let Some(velocity) = velocity {
                body.insert(a_tick(velocity, 0.0));
            }
            body.id()
        };
        let boulder = spawn(40.0, 1000.0, Some(-10.0));
        let walker = spawn(28.0, 1.0, Some(wish));
        let crate_ = spawn(14.0, 1.0, None);
        app.update();
        // By momentum: 10,000 less the walker's, over 1,002.
        let together = (-10_000.0 + wish) / 1002.0;
        for body in [boulder, walker] {
            let velocity = velocity_of(&app, body) / TICKS_PER_SECOND;
            let off = (velocity.x - together).abs();
            assert!(off < 1.0e-3, "{wish}: {velocity} and not {together}");
        }
        let [a, b, c] = [boulder, walker, crate_].map(|body| place(&app, body).x);
        assert!((a - b - 10.0).abs() < 0.01 && (b - c - 10.0).abs() < 0.01);
        assert!((a - 30.01).abs() < 0.05, "{wish}: {a}");
    }
}

/// A body hits, in its second tick, several that lie side by side on a floor. Returns the velocities of all of them along the floor afterwards, in units a tick.
fn hit(
    gravity: f32,
    (hitter, mass, radius): (Response, f32, f32),
    (row, count, are_round): (Response, usize, bool),
    threshold: f32,
) -> Vec<f32> {
    let mut app = moving_app();
    app.insert_resource(CollisionSettings {
        bounce_threshold: threshold,
        ..default()
    });
    app.add_systems(FixedUpdate, move |mut all: Query<&mut Velocity>| {
        for mut velocity in &mut all {
            velocity.0.y -= gravity;
        }
    });
    wall(&mut app, (-900.0, -20.0), (900.0, 0.0));
    let mut all: Vec<Entity> = (0..count)
        .map(|number| {
            let one = (row, Velocity::default(), at(12.0 * number as f32, 6.0));
            let mut one = app.world_mut().spawn(one);
            if are_round {
                one.insert(CircleCollider::new(6.0));
            } else {
                one.insert(BoxCollider::square(12.0));
            }
            one.id()
        })
        .collect();
    // 15 before the first one, at its height; it moves 10 a tick.
    let start = at(-21.0 - radius, radius);
    let hitter = (hitter, Mass(mass), CircleCollider::new(radius), start);
    all.insert(0, app.world_mut().spawn((hitter, a_tick(10.0, 0.0))).id());
    app.update();
    app.update();
    all.iter().map(|one| velocity(&app, *one).x).collect()
}

/// Whether a row lies on a floor or hangs in the air, it does not throw back what hits it as a wall would.
#[test]
fn a_row_on_a_floor_takes_a_hit_as_one_in_the_air() {
    let slow = Response::bounce(0.3);
    for (case, hitter, row, threshold) in [
        ("a bowling ball", (slow, 10.0, 6.0), (slow, 3, true), 60.0),
        (
            "and crates",
            (slow, 10.0, 6.0),
            (Response::Slide, 3, false),
            0.0,
        ),
        (
            "and balls that slide",
            (slow, 10.0, 6.0),
            (Response::Slide, 3, true),
            0.0,
        ),
        (
            "a walker",
            (Response::Slide, 1.0, 6.0),
            (slow, 3, true),
            60.0,
        ),
        ("a heavy one", (slow, 50.0, 6.0), (slow, 2, false), 0.0),
        (
            "as light as they are",
            (slow, 1.0, 6.0),
            (slow, 4, true),
            0.0,
        ),
    ] {
        let [air, floor] = [0.0, 10.0].map(|gravity| hit(gravity, hitter, row, threshold));
        let off = air.iter().zip(&floor).map(|(a, b)| (a - b).abs());
        let off = off.fold(0.0, f32::max);
        let mass = hitter.1;
        let momentum = air[0] * mass + air[1..].iter().sum::<f32>();
        // What slides is not led back, which keeps a little from the sum, or adds to it.
        let do_all_bounce = hitter.0 != Response::Slide && row.0 != Response::Slide;
        let is_kept = (momentum - 10.0 * mass).abs() < 0.05;
        assert!(is_kept || !do_all_bounce, "{case}: {momentum}, {air:?}");
        assert!(
            off < 0.6,
            "{case}: {floor:?} on the floor, {air:?} in the air"
        );
    }
}

/// A body runs into the first of a row that comes towards it, and drives that one back; then the rest of the row catches up, and throws both the other way. A flush row does so as one body of the same mass would, and nothing touches the body along the surface.
#[test]
fn a_flush_row_throws_back_as_one_body() {
    // The masses of the row, first to last, the speed of the body, and the speed that all share by momentum; the row comes at 640.
    for (masses, speed, expected) in [
        (&[4.0][..], -1280.0, 256.0),
        (&[2.0, 2.0], -1280.0, 256.0),
        (&[1.0, 3.0], -1280.0, 256.0),
        (&[1.0, 1.0], -1000.0, 280.0 / 3.0),
        (&[1.0, 2.0], -1280.0, 160.0),
        (&[1.0, 1.0, 2.0], -1280.0, 256.0),
        (&[1.0, 1.0, 1.0, 1.0], -1280.0, 256.0),
        // It gets away, slower than it came, and is not thrown back.
        (&[1.0, 1.0], -2000.0, -240.0),
    ] {
        for axis in [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y] {
            for (across, is_early, walked) in [
                (-64.0, true, 0),
                (-64.0, false, 0),
                (64.0, true, 3),
                (64.0, false, 3),
            ] {
                let case = format!("{masses:?} along {axis}, {speed}, {is_early}, {walked} ticks");
                let mut app = moving_app();
                app.world_mut().resource_mut::<CollisionSettings>().up = Vec2::ZERO;
                // Once the row has walked, it is as far from the body as one that has not.
                let back = -10.0 * walked as f32;
                let mut row: Vec<(f32, f32)> = (0..masses.len())
                    .map(|number| (masses[number], back - 10.0 * number as f32))
                    .collect();
                if !is_early {
                    row.reverse();
                }
                let spawn_one = |app: &mut App| {
                    let velocity = Velocity(axis * speed + axis.perp() * across);
                    let place = axis * 15.0;
                    let one = (BoxCollider::square(10.0), velocity, at(place.x, place.y));
                    app.world_mut().spawn(one).id()
                };
                // What is spawned after some ticks is the last in any case.
                let early = (is_early && walked == 0).then(|| spawn_one(&mut app));
                let row: Vec<(f32, Entity)> = row
                    .into_iter()
                    .map(|(mass, along)| {
                        let place = axis * along;
                        let one = (
                            BoxCollider::square(10.0),
                            Mass(mass),
                            Velocity(axis * 640.0),
                            at(place.x, place.y),
                        );
                        (mass, app.world_mut().spawn(one).id())
                    })
                    .collect();
                for _ in 0..walked {
                    app.update();
                }
                let one = early.unwrap_or_else(|| spawn_one(&mut app));
                app.update();
                let velocity = |entity: Entity| velocity_of(&app, entity);
                let total = masses.iter().sum::<f32>();
                let momentum = row
                    .iter()
                    .map(|&(mass, entity)| mass * velocity(entity).dot(axis))
                    .sum::<f32>()
                    + velocity(one).dot(axis);
                let kept = speed + 640.0 * total;
                assert!(
                    (momentum - kept).abs() < 0.01,
                    "{case}: {momentum}, not {kept}"
                );
                for (number, entity) in row.iter().map(|one| one.1).chain([one]).enumerate() {
                    let velocity = velocity(entity);
                    let off = (velocity.dot(axis) - expected).abs();
                    assert!(off < 0.01, "{case}: {number} goes at {velocity}");
                }
                assert_eq!(velocity(one).dot(axis.perp()), across, "{case}");
            }
        }
    }
}

/// A body is thrown back by a flush row, and lands on a floor in the same tick: the floor takes only what led into it.
#[test]
fn who_is_thrown_back_by_a_row_lands_at_that_speed() {
    for side in [1.0, -1.0] {
        let mut app = moving_app();
        app.world_mut().resource_mut::<CollisionSettings>().up = Vec2::ZERO;
        wall(&mut app, (-100.0, -20.0), (100.0, -9.0));
        let mut spawn = |mass: f32, x: f32, way: Velocity| {
            let one = (BoxCollider::square(10.0), Mass(mass), way);
            app.world_mut().spawn((one, at(side * x, 0.0))).id()
        };
        let row = [
            spawn(1.0, 0.0, a_tick(side * 10.0, 0.0)),
            spawn(3.0, -10.0, a_tick(side * 10.0, 0.0)),
        ];
        let one = spawn(1.0, 15.0, a_tick(side * -20.0, -8.0));
        app.update();
        // They meet after a sixth of the tick, and it lands after half of it: (10 + 3 * 10 - 20) / 5 for all.
        for body in [row[0], row[1], one] {
            let velocity = velocity(&app, body);
            let off = velocity.distance(Vec2::new(side * 4.0, 0.0));
            assert!(off < 1.0e-4, "{side}: {velocity}");
        }
        assert_eq!(place(&app, one).y, -4.0);
    }
}
