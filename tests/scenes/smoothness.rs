//! Two balls, one of which is drawn between the ticks.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_nudge::prelude::*;

use crate::{
    smooth::{self, Ball, SPEED},
    tap_key,
};

/// Returns where both balls are drawn, the upper one first.
fn seen(app: &mut App) -> [f32; 2] {
    let mut balls = app.world_mut().query_filtered::<&Transform, With<Ball>>();
    let mut places: Vec<Vec3> = balls
        .iter(app.world())
        .map(|ball| ball.translation)
        .collect();
    places.sort_by(|a, b| b.y.total_cmp(&a.y));
    [places[0].x, places[1].x]
}

#[test]
fn one_ball_jumps_and_the_other_one_glides() {
    let mut app = common::rehearsal(&smooth::STAGE, smooth::scene);
    // There are five frames in a tick.
    let frame = Duration::from_millis(20);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    let (mut before, mut jumps, mut glides) = (seen(&mut app), 0, 0);
    for number in 0..200 {
        app.update();
        let now = seen(&mut app);
        let steps = [0, 1].map(|ball| (now[ball] - before[ball]).abs());
        let a_frame = SPEED * frame.as_secs_f32();
        // The upper ball moves by the distance of five frames at once, less if it meets a wall, or not at all.
        jumps += u32::from(steps[0] > 2.0 * a_frame);
        if number > 10 {
            assert!(steps[1] <= a_frame * 1.001, "frame {number}: {}", steps[1]);
            glides += u32::from(steps[1] > a_frame * 0.999);
        }
        assert!(
            now.iter().all(|x| x.abs() <= 280.0 - 24.0),
            "{now:?} is in the wall"
        );
        before = now;
    }
    assert!(jumps >= 30, "{jumps}");
    // Except for the ticks in which the ball meets a wall: the way to the wall and back is drawn as less than a full step.
    assert!(glides >= 170, "{glides}");
}

#[test]
fn a_pause_stops_both_and_a_restart_is_no_way() {
    let mut app = common::rehearsal(&smooth::STAGE, smooth::scene);
    common::hold(&mut app, &common::Step::keys(12, &[]));
    common::hold(&mut app, &common::Step::keys(1, &[KeyCode::KeyP]));
    let stopped = seen(&mut app);
    common::hold(&mut app, &common::Step::keys(10, &[]));
    assert_eq!(seen(&mut app), stopped);
    common::hold(&mut app, &common::Step::keys(1, &[KeyCode::KeyP]));
    common::hold(&mut app, &common::Step::keys(4, &[]));
    assert_ne!(seen(&mut app), stopped);
    common::hold(&mut app, &common::Step::keys(1, &[KeyCode::KeyR]));
    let [upper, lower] = seen(&mut app);
    // Both are drawn where they are after the tick of the restart, and not on a way there.
    assert_eq!([upper, lower], [-256.0 + SPEED / 10.0; 2]);
}

#[test]
fn a_tap_in_a_pause_pushes_nothing_and_a_restart_ends_it() {
    let mut app = common::rehearsal(&smooth::STAGE, smooth::scene);
    common::hold(&mut app, &common::Step::keys(5, &[]));
    let pause = common::Step::keys(1, &[KeyCode::KeyP]);
    common::hold(&mut app, &pause);
    tap_key(&mut app, KeyCode::ArrowLeft, "", 1);
    common::hold(&mut app, &common::Step::keys(2, &[]));
    common::hold(&mut app, &pause);
    common::hold(&mut app, &common::Step::keys(2, &[]));
    let world = app.world_mut();
    for velocity in world.query_filtered::<&Velocity, With<Ball>>().iter(world) {
        assert_eq!(velocity.0, Vec2::new(SPEED, 0.0));
    }

    common::hold(&mut app, &pause);
    common::hold(&mut app, &common::Step::keys(3, &[]));
    common::hold(&mut app, &common::Step::keys(1, &[KeyCode::KeyR]));
    common::hold(&mut app, &common::Step::keys(1, &[]));
    // The frame in which the key was pressed still passes no time, because of the pause.
    assert_eq!(seen(&mut app), [-256.0 + SPEED / 10.0; 2]);
}
