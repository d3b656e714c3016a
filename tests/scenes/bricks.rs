//! The wall of bricks, played by a test that keeps the paddle under the ball.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use crate::breakout::{self, Ball, Brick, Paddle, Score};

/// Runs one tick in which the paddle follows the ball, to hit it `aside` of the paddle's middle.
fn follow(app: &mut App, aside: f32) {
    let at = |app: &mut App, is_ball: bool| {
        let world = app.world_mut();
        let mut all =
            world.query_filtered::<(&Transform, Has<Ball>), Or<(With<Ball>, With<Paddle>)>>();
        let found = all.iter(world).find(|(_, ball)| *ball == is_ball);
        found
            .expect("there is one of each")
            .0
            .translation
            .truncate()
    };
    let way = at(app, true).x + aside - at(app, false).x;
    let keys: &[KeyCode] = match way {
        5.0.. => &[KeyCode::ArrowRight],
        ..=-5.0 => &[KeyCode::ArrowLeft],
        _ => &[],
    };
    common::hold(app, &common::Step::keys(1, keys));
    let ball = at(app, true);
    let room = common::SIZE * 0.5 - 7.0 + 0.01;
    assert!(ball.abs().cmple(room).all(), "the ball is out at {ball}");
}

fn bricks(app: &mut App) -> usize {
    let world = app.world_mut();
    world.query::<&Brick>().iter(world).count()
}

#[test]
fn every_brick_is_broken_once_and_the_ball_stays_in_the_frame() {
    for (is_fast, ticks, expected) in [(false, 4000, 30), (true, 1500, 20)] {
        let mut app = common::rehearsal(&breakout::STAGE, breakout::scene);
        if is_fast {
            common::hold(&mut app, &common::Step::keys(1, &[KeyCode::KeyF]));
        }
        assert_eq!(bricks(&mut app), 72);
        let mut random = fastrand::Rng::with_seed(1);
        let mut aside = 0.0;
        for tick in 0..ticks {
            // The ball is not always hit by the same spot of the paddle; otherwise it would take the same path for ever.
            if tick % 90 == 0 {
                aside = (random.f32() - 0.5) * 80.0;
            }
            follow(&mut app, aside);
            let broken = app.world().resource::<Score>().broken as usize;
            assert_eq!(broken + bricks(&mut app), 72);
        }
        let broken = app.world().resource::<Score>().broken;
        assert!(broken >= expected, "{broken} are broken, fast: {is_fast}");
    }
}

#[test]
fn the_paddle_stops_at_the_edges() {
    let mut app = common::rehearsal(&breakout::STAGE, breakout::scene);
    for (key, end) in [(KeyCode::KeyD, 272.0), (KeyCode::KeyA, -272.0)] {
        let keys: &'static [KeyCode] = Box::leak(Box::new([key]));
        common::hold(&mut app, &common::Step::keys(120, keys));
        let world = app.world_mut();
        let mut paddles = world.query_filtered::<(&Transform, &Velocity), With<Paddle>>();
        let (transform, _) = paddles.single(world).expect("one paddle");
        assert!(
            (transform.translation.x - end).abs() < 1.0e-3,
            "{transform:?}"
        );
        assert_eq!(transform.translation.y, -190.0);
    }
}

#[test]
fn a_new_wall_has_all_its_bricks() {
    let mut app = common::rehearsal(&breakout::STAGE, breakout::scene);
    common::hold(&mut app, &common::Step::keys(300, &[]));
    assert!(bricks(&mut app) < 72);
    common::hold(&mut app, &common::Step::keys(1, &[KeyCode::KeyR]));
    assert_eq!(bricks(&mut app), 72);
}

/// The ball is between the second row of bricks, whose lower edge is at 119, and the third, whose upper edge is at 115.
#[test]
fn a_new_wall_is_not_built_around_the_ball() {
    let mut app = common::rehearsal(&breakout::STAGE, breakout::scene);
    common::hold(&mut app, &common::Step::keys(1, &[]));
    let world = app.world_mut();
    let mut balls = world.query_filtered::<&mut Transform, With<Ball>>();
    let mut ball = balls.single_mut(world).expect("one ball");
    ball.translation = Vec3::new(0.0, 117.0, 0.0);
    let before = app.world().resource::<Score>().broken;
    common::hold(&mut app, &common::Step::keys(1, &[KeyCode::KeyR]));
    common::hold(&mut app, &common::Step::keys(10, &[]));
    assert_eq!(bricks(&mut app), 72);
    assert_eq!(app.world().resource::<Score>().broken, before);
}

#[test]
fn a_lost_ball_comes_back_above_the_paddle() {
    let mut app = common::rehearsal(&breakout::STAGE, breakout::scene);
    common::hold(&mut app, &common::Step::keys(30, &[KeyCode::ArrowRight]));
    let world = app.world_mut();
    let mut balls = world.query_filtered::<(&mut Transform, &mut Velocity), With<Ball>>();
    let (mut ball, mut velocity) = balls.single_mut(world).expect("one ball");
    ball.translation = Vec3::new(-200.0, -220.0, 0.0);
    velocity.0 = Vec2::NEG_Y * 320.0;
    common::hold(&mut app, &common::Step::keys(1, &[]));
    assert_eq!(app.world().resource::<Score>().lost, 1);
    let world = app.world_mut();
    let mut balls = world.query_filtered::<&Transform, With<Ball>>();
    let ball = balls.single(world).expect("one ball").translation;
    // The paddle has gone 30 ticks of 7 to the right.
    assert!(
        (ball - Vec3::new(210.0, -150.0, 0.0)).length() < 1.0e-3,
        "{ball}"
    );
}

#[test]
fn the_pace_stays_during_a_pause() {
    let mut app = common::rehearsal(&breakout::STAGE, breakout::scene);
    common::hold(&mut app, &common::Step::keys(1, &[]));
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    common::hold(&mut app, &common::Step::keys(1, &[KeyCode::KeyF]));
    assert_eq!(app.world().resource::<Score>().pace, 1.0);
}
