//! Bumpers: bodies that are not dynamic and have a `Response::Bounce` throw back what hits them.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{a_tick, moving_app};
use crate::common::{at, place, wall};

fn velocity_a_tick(app: &App, entity: Entity) -> Vec2 {
    let velocity = app.world().get::<Velocity>(entity);
    velocity.expect("it has one").0 / super::TICKS_PER_SECOND
}

const fn bounce(restitution: f32) -> Response {
    Response::Bounce { restitution }
}

#[test]
fn a_bumper_throws_back_who_slides_and_who_bounces_less() {
    for (case, bumper, own, expected) in [
        ("no bumper", None, Response::Slide, (0.0, 4.0)),
        ("slides", Some(0.5), Response::Slide, (-10.0, 4.0)),
        (
            "slides, all of it",
            Some(1.0),
            Response::Slide,
            (-20.0, 4.0),
        ),
        ("more than all", Some(1.5), Response::Slide, (-30.0, 4.0)),
        ("bounces less", Some(1.5), bounce(0.5), (-30.0, 4.0)),
        ("bounces more", Some(0.25), bounce(0.5), (-10.0, 4.0)),
        ("a bumper of none", Some(0.0), Response::Slide, (0.0, 4.0)),
        ("of less than none", Some(-2.0), Response::Slide, (0.0, 4.0)),
        ("of no number", Some(f32::NAN), Response::Slide, (0.0, 4.0)),
        ("stops", Some(1.0), Response::Stop, (0.0, 0.0)),
        ("passes", Some(1.0), Response::Pass, (20.0, 4.0)),
    ] {
        for kind in [Body::Static, Body::Kinematic] {
            let mut app = moving_app();
            let wall = wall(&mut app, (15.0, -50.0), (25.0, 50.0));
            app.world_mut().entity_mut(wall).insert(kind);
            if let Some(restitution) = bumper {
                app.world_mut().entity_mut(wall).insert(bounce(restitution));
            }
            let ball = (CircleCollider::new(5.0), own, a_tick(20.0, 4.0));
            let ball = app.world_mut().spawn(ball).id();
            // It touches the wall after 10 of 20.
            app.update();
            let case = format!("{case}, {kind:?}");
            assert_eq!(velocity_a_tick(&app, ball), expected.into(), "{case}");
            if own == Response::Stop {
                assert_eq!(place(&app, ball), Vec2::new(10.0, 2.0), "{case}");
            } else {
                let x = if own == Response::Pass {
                    20.0
                } else {
                    10.0 + expected.0 * 0.5
                };
                assert_eq!(place(&app, ball), Vec2::new(x, 4.0), "{case}");
            }
        }
    }
}

/// A moving paddle hits a ball at rest, which flies off ahead of it.
#[test]
fn a_bumper_that_moves_throws_from_itself() {
    let mut app = moving_app();
    let paddle = (BoxCollider::new(10.0, 40.0), Body::Kinematic, bounce(1.0));
    app.world_mut().spawn((paddle, a_tick(16.0, 0.0)));
    let ball = (CircleCollider::new(5.0), Velocity::default(), at(18.0, 0.0));
    let ball = app.world_mut().spawn(ball).id();
    // The paddle meets the ball after 8 of 16, and the ball moves on twice as fast.
    app.update();
    assert_eq!(velocity_a_tick(&app, ball), Vec2::new(32.0, 0.0));
    assert_eq!(place(&app, ball), Vec2::new(34.0, 0.0));
}

/// With gravity a player hops lower each time, and comes to rest because of the threshold.
#[test]
fn a_trampoline_lets_rest_who_is_slower_than_the_threshold() {
    let mut app = moving_app();
    app.world_mut()
        .resource_mut::<CollisionSettings>()
        .bounce_threshold = 3.0 * super::TICKS_PER_SECOND;
    let trampoline = wall(&mut app, (-50.0, -10.0), (50.0, 0.0));
    app.world_mut().entity_mut(trampoline).insert(bounce(0.5));
    let mut drop = |speed: f32| {
        let player = (BoxCollider::square(10.0), a_tick(0.0, -speed), at(0.0, 6.0));
        let player = app.world_mut().spawn(player).id();
        app.update();
        let velocity = velocity_a_tick(&app, player);
        app.world_mut().despawn(player);
        velocity.y
    };
    assert_eq!(drop(8.0), 4.0);
    assert_eq!(drop(2.0), 0.0);
}

/// The response of the body counts for all of its colliders; and a bounce on a dynamic body is not that of a bumper.
#[test]
fn parts_throw_as_their_body_says_and_what_gives_way_does_not() {
    let mut app = moving_app();
    let table = app
        .world_mut()
        .spawn((Body::Static, bounce(1.0), Transform::default()))
        .id();
    let pin = (CircleCollider::new(5.0), at(20.0, 0.0), ChildOf(table));
    app.world_mut().spawn(pin);
    let crate_with_bounce = (
        BoxCollider::square(10.0),
        bounce(1.0),
        Mass(3.0),
        at(20.0, 100.0),
    );
    app.world_mut().spawn(crate_with_bounce);
    let balls = [0.0, 100.0].map(|y| {
        let ball = (CircleCollider::new(5.0), a_tick(20.0, 0.0), at(0.0, y));
        app.world_mut().spawn(ball).id()
    });
    app.update();
    assert_eq!(velocity_a_tick(&app, balls[0]), Vec2::new(-20.0, 0.0));
    // It shares its velocity with the crate: it keeps a quarter.
    assert_eq!(velocity_a_tick(&app, balls[1]), Vec2::new(5.0, 0.0));

    // Without the response, the table is a wall.
    app.world_mut().entity_mut(table).remove::<Response>();
    let ball = (CircleCollider::new(5.0), a_tick(20.0, 0.0), at(0.0, 0.0));
    let ball = app.world_mut().spawn(ball).id();
    app.update();
    assert_eq!(velocity_a_tick(&app, ball), Vec2::ZERO);
}

/// Bodies that press each other are stopped as a whole, but not by a bumper.
#[test]
fn a_crowd_before_a_bumper_bounces() {
    let mut app = moving_app();
    let bumper = wall(&mut app, (0.0, -100.0), (10.0, 100.0));
    app.world_mut().entity_mut(bumper).insert(bounce(1.0));
    let rows = (0..4_u8).flat_map(|x| (0..6_u8).map(move |y| (f32::from(x), f32::from(y))));
    let crowd: Vec<Entity> = rows
        .map(|(x, y)| {
            let place = at(-5.0 - 10.0 * x, -25.0 + 10.0 * y);
            let one = (BoxCollider::square(10.0), a_tick(4.0, 0.0), place);
            app.world_mut().spawn(one).id()
        })
        .collect();
    app.update();
    // Those at the bumper come back to those behind, which give way as much as they are hit.
    let sum: f32 = crowd.iter().map(|&one| velocity_a_tick(&app, one).x).sum();
    assert!(sum < 0.0, "{sum}");
    for one in crowd {
        assert!(place(&app, one).x <= -4.99);
    }
}

/// A trampoline flush beside a tile throws a player that lands on both, whichever is on the left.
#[test]
fn a_trampoline_throws_who_stands_half_on_a_tile() {
    for trampoline_is_left in [false, true] {
        let mut app = moving_app();
        let left = wall(&mut app, (-20.0, -10.0), (0.0, 0.0));
        let right = wall(&mut app, (0.0, -10.0), (20.0, 0.0));
        let trampoline = if trampoline_is_left { left } else { right };
        app.world_mut().entity_mut(trampoline).insert(bounce(1.0));
        let player = (BoxCollider::square(10.0), a_tick(0.0, -8.0), at(0.0, 9.0));
        let player = app.world_mut().spawn(player).id();
        app.update();
        let velocity = velocity_a_tick(&app, player);
        assert_eq!(velocity, Vec2::new(0.0, 8.0), "{trampoline_is_left}");
    }
}

#[derive(Component)]
struct Said(Response);

fn as_said(In(pair): In<Pair>, said: Query<&Said>) -> Verdict {
    let mut said = [pair.a, pair.b]
        .into_iter()
        .filter_map(|of| said.get(of).ok());
    said.next()
        .map_or(Verdict::Collide, |said| Verdict::Respond(said.0))
}

/// The same if a filter says what the tile does: a bounce counts before a stop, and a stop before a slide, on either side.
#[test]
fn of_two_tiles_the_stronger_word_of_a_filter_counts() {
    for (case, said, velocity) in [
        ("rubber", Response::bounce(1.0), Vec2::new(2.0, 8.0)),
        ("mud", Response::Stop, Vec2::ZERO),
        ("ice", Response::Slide, Vec2::new(2.0, 0.0)),
    ] {
        for is_left in [false, true] {
            let mut app = moving_app();
            app.add_collision_filter(as_said);
            let left = wall(&mut app, (-20.0, -10.0), (0.0, 0.0));
            let right = wall(&mut app, (0.0, -10.0), (20.0, 0.0));
            let tile = if is_left { left } else { right };
            app.world_mut().entity_mut(tile).insert(Said(said));
            let player = (BoxCollider::square(10.0), a_tick(2.0, -8.0), at(0.0, 9.0));
            let player = app.world_mut().spawn(player).id();
            app.update();
            let after = velocity_a_tick(&app, player);
            assert_eq!(after, velocity, "{case}, on the left: {is_left}");
        }
    }
}

/// A bounce below the threshold is none, and so does not count before others.
#[test]
fn of_two_tiles_a_bounce_that_is_too_slow_does_not_count() {
    for is_left in [false, true] {
        let mut app = moving_app();
        app.insert_resource(CollisionSettings {
            bounce_threshold: 64.0,
            ..default()
        });
        app.add_collision_filter(as_said);
        let left = wall(&mut app, (-20.0, -10.0), (0.0, 0.0));
        let right = wall(&mut app, (0.0, -10.0), (20.0, 0.0));
        let (rubber, mud) = if is_left {
            (left, right)
        } else {
            (right, left)
        };
        let world = app.world_mut();
        world.entity_mut(rubber).insert(Said(Response::bounce(0.5)));
        world.entity_mut(mud).insert(Said(Response::Stop));
        let player = (BoxCollider::square(10.0), a_tick(2.0, -0.5), at(0.0, 5.25));
        let player = app.world_mut().spawn(player).id();
        app.update();
        assert_eq!(velocity_a_tick(&app, player), Vec2::ZERO, "{is_left}");
    }
}

/// A ball between a wall and a paddle that comes closer has no room to bounce: it moves with the paddle, and does not get faster with each of its bounces, although there are as many in a tick as the limit allows. When the paddle goes back, the ball is not faster either.
#[test]
fn a_pinned_ball_is_not_charged() {
    for (is_round, is_swept, gap) in [
        (true, false, 0.0),
        (false, false, 0.0),
        (true, true, 0.0),
        (true, false, 0.05),
        (false, true, 2.5),
    ] {
        let mut app = moving_app();
        wall(&mut app, (-200.0, 100.0), (200.0, 120.0));
        let shape = |app: &mut App, size: f32, y: f32| {
            let mut one = app.world_mut().spawn(at(0.0, y));
            if is_round {
                one.insert(CircleCollider::new(size));
            } else {
                one.insert(BoxCollider::square(2.0 * size));
            }
            one.id()
        };
        let ball = shape(&mut app, 8.0, 92.0 - gap);
        let paddle = shape(&mut app, 12.0, 72.0 - gap);
        app.world_mut()
            .entity_mut(ball)
            .insert((Response::bounce(1.0), Velocity::default()));
        let mut paddle = app.world_mut().entity_mut(paddle);
        paddle.insert(Body::Kinematic);
        if is_swept {
            paddle.insert(Swept::default());
        } else {
            paddle.insert(a_tick(0.0, 1.0));
        }
        let paddle = paddle.id();
        let go = |app: &mut App, by: f32| {
            if is_swept {
                let mut there = app.world_mut().get_mut::<Transform>(paddle).unwrap();
                there.translation.y += by;
            } else {
                app.world_mut().entity_mut(paddle).insert(a_tick(0.0, by));
            }
            app.update();
            velocity_a_tick(app, ball).length()
        };
        app.update();
        let case = format!("{is_round}, {is_swept}, {gap}");
        for tick in 0..10 {
            let speed = go(&mut app, 1.0);
            // As long as there is room, the ball gets faster, in proportion to how the room shrinks.
            let most = if gap > 1.0 && tick < 4 { 12.0 } else { 1.001 };
            assert!(speed <= most, "{case}, {tick}: {speed}");
        }
        for tick in 0..10 {
            let speed = go(&mut app, -2.0);
            assert!(speed <= 2.001, "{case}, {tick}: {speed}");
        }
    }
}

/// It moves with the paddle that has thrown it, and not with anything else that moves by; with a collider of its own, or on a child.
#[test]
fn a_ball_is_pinned_by_what_has_thrown_it() {
    for case in ["by itself", "beside a sensor", "on a child"] {
        let mut app = moving_app();
        wall(&mut app, (-200.0, 100.0), (200.0, 120.0));
        let world = app.world_mut();
        let ball = (Response::bounce(1.0), Velocity::default(), at(0.0, 91.95));
        let ball = world.spawn((Body::Dynamic, ball)).id();
        if case == "on a child" {
            world.spawn((CircleCollider::new(8.0), ChildOf(ball)));
        } else {
            world.entity_mut(ball).insert(CircleCollider::new(8.0));
        }
        if case == "beside a sensor" {
            let sensor = (BoxCollider::square(10.0), Sensor, Body::Kinematic);
            world.spawn((sensor, a_tick(0.0, 50.0), at(0.0, 60.0)));
        }
        let paddle = (BoxCollider::square(24.0), Body::Kinematic, at(0.0, 71.95));
        world.spawn((paddle, a_tick(0.0, 1.0)));
        for tick in 0..10 {
            app.update();
            let speed = velocity_a_tick(&app, ball).length();
            assert!(speed <= 1.001, "{case}, {tick}: {speed}");
        }
    }
}

/// The wall of a room presses like a paddle.
#[test]
fn a_room_charges_nobody_whom_it_pins() {
    let mut app = moving_app();
    wall(&mut app, (-200.0, -100.0), (0.0, 100.0));
    let ball = (
        CircleCollider::new(5.0),
        Response::bounce(1.0),
        at(5.0, 0.0),
    );
    let ball = app.world_mut().spawn((ball, Velocity::default())).id();
    // The right wall of the room is at 10.
    let room = (BoundsCollider::new(100.0, 100.0), Body::Kinematic);
    let room = (room, Velocity::default(), at(-40.0, 0.0));
    let room = app.world_mut().spawn(room).id();
    app.update();
    for pace in [-1.0, 2.0] {
        app.world_mut().entity_mut(room).insert(a_tick(pace, 0.0));
        for tick in 0..10 {
            app.update();
            let speed = velocity_a_tick(&app, ball).length();
            assert!(speed <= 1.001, "{pace}, {tick}: {speed}");
        }
    }
}

/// A ball that has room gets faster by twice the pace of the paddle at each bounce off it, also several times in a tick.
#[test]
fn a_ball_with_room_is_charged() {
    let mut app = moving_app();
    wall(&mut app, (-200.0, 100.0), (200.0, 120.0));
    let ball = (CircleCollider::new(2.0), Response::bounce(1.0));
    let ball = (ball, a_tick(0.0, 100.0), at(0.0, 90.0));
    let ball = app.world_mut().spawn(ball).id();
    let paddle = (BoxCollider::square(10.0), Body::Kinematic, at(0.0, 75.0));
    app.world_mut().spawn((paddle, a_tick(0.0, 0.5)));
    app.update();
    let speed = velocity_a_tick(&app, ball).length();
    // It is at the wall, at 98, after 0.08, 0.396 and 0.706 of the tick, and at the paddle after 0.239, 0.552 and 0.859.
    assert!((speed - 103.0).abs() < 0.01, "{speed}");
}

/// A ball in a corridor as wide as itself, or by nothing wider, would bounce off both walls without end; so it goes on along them.
#[test]
fn a_ball_that_bounces_gets_through_a_corridor_of_its_own_width() {
    for (wider, is_level) in [(0.0, true), (0.004, true), (0.0, false), (0.004, false)] {
        let turned = |x: f32, y: f32| if is_level { (x, y) } else { (y, x) };
        let mut app = moving_app();
        let far = 8.0 + wider;
        wall(&mut app, turned(-100.0, -50.0), turned(400.0, -8.0));
        wall(&mut app, turned(-100.0, far), turned(400.0, 50.0));
        let (x, y) = turned(4.0, 3.0);
        let ball = (
            CircleCollider::new(8.0),
            Response::bounce(1.0),
            a_tick(x, y),
        );
        let ball = app.world_mut().spawn((ball, at(0.0, 0.0))).id();
        for tick in 1..=30_u8 {
            app.update();
            let (along, across) = turned(place(&app, ball).x, place(&app, ball).y);
            assert!(
                (along - 4.0 * f32::from(tick)).abs() < 1.0e-3 && across.abs() < 0.005,
                "{wider}, {is_level}, tick {tick}: {along}, {across}"
            );
        }
    }
}

/// Where there is room between two walls, or in a corner, nothing of the speed is lost, however often it bounces in a tick.
#[test]
fn a_ball_that_bounces_where_there_is_room_keeps_its_speed() {
    let mut app = moving_app();
    for (min, max) in [
        ((-50.0, -50.0), (-20.0, 50.0)),
        ((20.0, -50.0), (50.0, 50.0)),
        ((-50.0, -50.0), (50.0, -20.0)),
        ((-50.0, 20.0), (50.0, 50.0)),
    ] {
        wall(&mut app, min, max);
    }
    // Into the corner at once, and from there through the middle again.
    let ball = (
        CircleCollider::new(8.0),
        Response::bounce(1.0),
        a_tick(90.0, 90.0),
    );
    let ball = app.world_mut().spawn((ball, at(0.0, 0.0))).id();
    for tick in 1..=50 {
        app.update();
        let speed = velocity_a_tick(&app, ball).abs();
        assert_eq!(speed, Vec2::splat(90.0), "tick {tick}");
    }
}

#[test]
fn a_ledge_that_throws_is_jumped_up_through() {
    let mut app = moving_app();
    let ledge = (
        (BoxCollider::new(100.0, 6.0), Body::Static),
        (OneWay::default(), Response::bounce(1.5)),
    );
    app.world_mut().spawn((ledge, at(0.0, 40.0))); // its top at 43
    let body = (BoxCollider::square(10.0), a_tick(0.0, 40.0), at(0.0, 20.0));
    let body = app.world_mut().spawn(body).id();
    app.update();
    let up = Vec2::new(0.0, 60.0);
    assert_eq!(place(&app, body), up);
    assert_eq!(velocity_a_tick(&app, body), Vec2::new(0.0, 40.0));

    app.world_mut().entity_mut(body).insert(a_tick(0.0, -10.0));
    app.update();
    // From 50 it goes down by 2, and then for 0.8 of the tick up, by 15 a tick.
    app.update();
    assert!(place(&app, body).distance(up) < 1.0e-3);
    assert_eq!(velocity_a_tick(&app, body), Vec2::new(0.0, 15.0));
}
