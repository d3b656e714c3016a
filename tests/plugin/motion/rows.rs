//! Rows of bodies that push each other: what is pushed pushes on, and all share what the first one had.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{a_tick, mover, moving_app, velocity};
use crate::common::{at, place};

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
                // The longest row has gaps of 5 all in all, and goes 0.1 a tick by then.
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

/// One of size 10 that pushes a tall one, and a third one that comes from somewhere.
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
    // It leaves the other one's side after a quarter of the tick, and is hit from behind after half of it.
    let (app, pusher, pushed, third) = three(
        a_tick(2.0, 20.0),
        (Vec2::new(10.0, 10.0), Vec2::new(10.0, -5.0)),
        (Vec2::new(-20.0, 0.0), a_tick(21.0, 20.0)),
    );
    assert_eq!(velocity(&app, pusher), Vec2::new(11.0, 20.0));
    assert_eq!(velocity(&app, third), Vec2::new(11.0, 20.0));
    assert_eq!(velocity(&app, pushed), Vec2::new(1.0, 0.0));
}
