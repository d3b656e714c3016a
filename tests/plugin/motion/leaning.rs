//! Round bodies that push each other aslant, while each of them rests on something firm: the walls of a corridor, or a lift.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{a_tick, moving_app, velocity};
use crate::common::{at, place, take, wall};

fn ball(app: &mut App, radius: f32, mass: f32, x: f32, y: f32) -> Entity {
    let ball = (
        CircleCollider::new(radius),
        Mass(mass),
        Velocity::default(),
        at(x, y),
    );
    app.world_mut().spawn(ball).id()
}

/// Two walkers in a corridor in which one cannot pass the other: each touches another wall, and they meet aslant. The faster one catches up, and from then on both go at the velocity that they have together.
#[test]
fn who_catches_up_in_a_corridor_goes_on_with_the_one_in_front() {
    for height in [5.0, 6.0, 7.0, 7.9] {
        for (speed, mass) in [(80.0, 1.0), (128.0, 1.0), (80.0, 10.0), (128.0, 10.0)] {
            let case = format!("{height} high, {speed}, mass {mass}");
            let mut app = moving_app();
            app.insert_resource(CollisionSettings {
                up: Vec2::ZERO,
                ..default()
            });
            let half = height / 2.0;
            wall(&mut app, (-2000.0, half), (2000.0, half + 10.0));
            wall(&mut app, (-2000.0, -half - 10.0), (2000.0, -half));
            let front = ball(&mut app, 2.0, 1.0, 0.0, 2.0 - half);
            let behind = ball(&mut app, 2.0, mass, -6.0, half - 2.0);
            let step = |app: &mut App, ticks: u32| {
                for _ in 0..ticks {
                    for (walker, speed) in [(front, 64.0), (behind, speed)] {
                        app.world_mut()
                            .entity_mut(walker)
                            .insert(Velocity(Vec2::new(speed, 0.0)));
                    }
                    app.update();
                }
                [front, behind].map(|walker| place(app, walker))
            };
            let before = step(&mut app, 30);
            let after = step(&mut app, 64);
            // What both have together, for a second.
            let common = (64.0 + mass * speed) / (1.0 + mass);
            for (before, after) in before.into_iter().zip(after) {
                let way = after - before;
                assert!(
                    (way.x - common).abs() < 0.5,
                    "{case}: {} of {common}",
                    way.x
                );
                assert!(way.y.abs() < 0.01, "{case}: {}", way.y);
            }
            for walker in [front, behind] {
                let left = velocity(&app, walker) * 64.0;
                assert!((left.x - common).abs() < 1.0, "{case}: {left}");
            }
        }
    }
}

/// The same down a shaft, by velocities that the game sets once.
#[test]
fn who_falls_onto_another_one_in_a_shaft_falls_on() {
    let mut app = moving_app();
    wall(&mut app, (-20.0, -2000.0), (-3.0, 2000.0));
    wall(&mut app, (3.0, -2000.0), (20.0, 2000.0));
    let lower = ball(&mut app, 2.0, 1.0, -1.0, 0.0);
    let upper = ball(&mut app, 2.0, 1.0, 1.0, 4.0);
    for (one, speed) in [(lower, -1.0), (upper, -1.25)] {
        app.world_mut().entity_mut(one).insert(a_tick(0.0, speed));
    }
    for _ in 0..64 {
        app.update();
    }
    for one in [lower, upper] {
        let left = velocity(&app, one) * 64.0;
        assert!((left.y + 72.0).abs() < 0.5, "{left}");
    }
    assert!(place(&app, lower).y < -64.0, "{}", place(&app, lower));
    assert_eq!(take::<Crushed>(&mut app), []);
}

/// Balls that lie on each other on a ledge that rises, or land there: none is pressed into it, and so through it.
#[test]
fn what_lies_on_a_rising_ledge_stays_above_it() {
    for lift_speed in [0.0, 8.0, 16.0, 32.0, 64.0, 128.0] {
        for gravity in [4.0, 8.0, 16.0, 24.0] {
            for is_swept in [false, true] {
                let mut app = moving_app();
                let lift = (
                    BoxCollider::new(100.0, 2.0),
                    OneWay::default(),
                    at(0.0, -1.0),
                );
                let lift = app.world_mut().spawn((Body::Kinematic, lift)).id();
                if is_swept {
                    app.world_mut().entity_mut(lift).insert(Swept::default());
                } else {
                    let velocity = Velocity(Vec2::new(0.0, lift_speed));
                    app.world_mut().entity_mut(lift).insert(velocity);
                }
                // A `Swept` lift is put in its place in its first tick.
                app.update();
                let floor = place(&app, lift).y + 1.0;
                let balls = [(0.0, 2.0), (0.1, 6.0), (-0.1, 12.0)];
                let balls = balls.map(|(x, y)| ball(&mut app, 2.0, 1.0, x, floor + y));
                for tick in 0..96 {
                    for ball in balls {
                        let mut velocity = app.world_mut().get_mut::<Velocity>(ball).unwrap();
                        velocity.y -= gravity;
                    }
                    if is_swept {
                        let mut lift = app.world_mut().get_mut::<Transform>(lift).unwrap();
                        lift.translation.y += lift_speed / 64.0;
                    }
                    app.update();
                    let top = place(&app, lift).y + 1.0;
                    for ball in balls {
                        let at = place(&app, ball);
                        let is_above = at.y - 2.0 > top - 0.01 || at.x.abs() > 50.0;
                        let case =
                            format!("lift {lift_speed}, gravity {gravity}, swept: {is_swept}");
                        assert!(is_above, "{case}, tick {tick}: {at} and {top}");
                    }
                }
            }
        }
    }
}

/// A ball that stands on a lift is squeezed out sideways by a heavy one that lands on it, however fast the lift is and however thin.
#[test]
fn a_fast_lift_does_not_pass_through_what_is_pressed_onto_it() {
    for thickness in [0.5, 1.0, 2.0] {
        for lift_speed in [64.0, 192.0, 256.0, 512.0] {
            for (aside, height) in [(0.5, 11.0), (0.3, 9.0), (1.5, 15.0), (-0.7, 12.0)] {
                let mut app = moving_app();
                let lift = (BoxCollider::new(400.0, thickness), Body::Kinematic);
                let rises = Velocity(Vec2::new(0.0, lift_speed));
                let lift = app
                    .world_mut()
                    .spawn((lift, rises, at(0.0, -thickness / 2.0)));
                let lift = lift.id();
                let stands = ball(&mut app, 2.0, 1.0, 0.0, 2.0);
                let lands = ball(&mut app, 3.0, 10.0, aside, height);
                for tick in 0..24 {
                    for ball in [stands, lands] {
                        let mut velocity = app.world_mut().get_mut::<Velocity>(ball).unwrap();
                        velocity.y -= 24.0;
                    }
                    app.update();
                    let top = place(&app, lift).y + thickness / 2.0;
                    let case = format!("{thickness} thick, {lift_speed}, from {aside}, {height}");
                    for (ball, radius) in [(stands, 2.0), (lands, 3.0)] {
                        let at = place(&app, ball);
                        // It may have been pushed off the end.
                        let is_above = at.y - radius > top - 0.01 || at.x.abs() > 200.0;
                        assert!(is_above, "{case}, tick {tick}: {at} and {top}");
                    }
                }
            }
        }
    }
}

/// Two balls in a shaft, of which one leans on the other, come to rest on a lift that sinks as on one that stands.
#[test]
fn who_leans_on_another_one_on_a_sinking_lift_comes_to_rest() {
    for lift_speed in [0.0, -4.0, -8.0, -16.0, -32.0, -48.0, 16.0] {
        let mut app = moving_app();
        wall(&mut app, (-13.0, -4000.0), (-3.0, 4000.0));
        wall(&mut app, (3.0, -4000.0), (13.0, 4000.0));
        let sinks = Velocity(Vec2::new(0.0, lift_speed));
        let lift = (
            BoxCollider::new(60.0, 20.0),
            Body::Kinematic,
            sinks,
            at(0.0, -10.0),
        );
        let lift = app.world_mut().spawn(lift).id();
        let lower = ball(&mut app, 2.0, 1.0, -1.0, 3.0);
        let upper = ball(&mut app, 2.0, 1.0, 1.0, 9.0);
        let step = |app: &mut App| {
            for ball in [lower, upper] {
                let mut velocity = app.world_mut().get_mut::<Velocity>(ball).unwrap();
                velocity.y -= 16.0;
                velocity.x *= 0.9;
            }
            app.update();
        };
        for _ in 0..160 {
            step(&mut app);
        }
        take::<CollisionEnded>(&mut app);
        for tick in 160..260 {
            step(&mut app);
            let height = place(&app, lower).y - place(&app, lift).y;
            assert!(
                (height - 12.0).abs() < 0.01,
                "{lift_speed}, tick {tick}: {height}"
            );
        }
        assert_eq!(take::<CollisionEnded>(&mut app).len(), 0, "{lift_speed}");
    }
}
