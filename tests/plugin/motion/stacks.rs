//! A body that rests on something that rests is as firm as the floor, all the way up.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{a_tick, mover, moving_app, velocity};
use crate::common::{at, place, take, wall};

/// What is added to the velocity in each tick, in units a second: a quarter of a unit a tick.
const GRAVITY: f32 = 16.0;

fn fall(mut bodies: Query<&mut Velocity>) {
    for mut velocity in &mut bodies {
        velocity.0.y -= GRAVITY;
    }
}

#[test]
fn a_tower_stands_as_it_was_built() {
    let mut app = moving_app();
    app.add_systems(FixedUpdate, fall);
    wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
    let still = Velocity::default();
    // Spawned in random order.
    let floors = [3, 0, 7, 1, 9, 4, 2, 8, 6, 5];
    let tower = floors.map(|floor| mover(&mut app, 16.0, (0.0, 16.0 * floor as f32), still));
    for number in 0..100 {
        app.update();
        for (floor, body) in floors.into_iter().zip(tower) {
            let expected = Vec2::new(8.0, 16.0 * floor as f32 + 8.0);
            assert_eq!(place(&app, body), expected, "floor {floor}, tick {number}");
            assert_eq!(
                velocity(&app, body),
                Vec2::ZERO,
                "floor {floor}, tick {number}"
            );
        }
    }
}

/// If the crate were free to give way, a ball of the same mass would give it all of its speed.
#[test]
fn a_ball_bounces_off_a_crate_as_off_the_floor() {
    for stands_on_crate in [false, true] {
        let mut app = moving_app();
        app.add_systems(FixedUpdate, fall);
        wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
        let top = if stands_on_crate {
            mover(&mut app, 16.0, (-8.0, 0.0), Velocity::default());
            16.0
        } else {
            0.0
        };
        let ball = app.world_mut().spawn((
            CircleCollider::new(4.0),
            Response::Bounce { restitution: 1.0 },
            a_tick(0.0, 0.0),
            at(0.0, top + 14.0),
        ));
        let ball = ball.id();
        // It falls 10: 0.25 + 0.5 + ... + 2 are 9, and in the ninth tick it moves 2.25.
        for _ in 0..8 {
            app.update();
        }
        assert_eq!(place(&app, ball), Vec2::new(0.0, top + 5.0));
        assert_eq!(velocity(&app, ball), Vec2::new(0.0, -2.0));
        app.update();
        assert_eq!(
            velocity(&app, ball),
            Vec2::new(0.0, 2.25),
            "{stands_on_crate}"
        );
        // 1 down and the other 1.25 up.
        assert_eq!(
            place(&app, ball),
            Vec2::new(0.0, top + 5.25),
            "{stands_on_crate}"
        );
    }
}

#[test]
fn a_row_against_a_wall_is_a_wall() {
    let mut app = moving_app();
    wall(&mut app, (80.0, -100.0), (90.0, 100.0));
    let still = Velocity::default();
    let row =
        [0, 1, 2, 3, 4].map(|number| mover(&mut app, 16.0, (16.0 * number as f32, 0.0), still));
    let pusher = mover(&mut app, 16.0, (-20.0, 3.0), a_tick(3.0, 0.0));
    for _ in 0..10 {
        app.world_mut().entity_mut(pusher).insert(a_tick(3.0, 0.0));
        app.update();
    }
    assert_eq!(place(&app, pusher).x, -8.0);
    for (number, body) in row.into_iter().enumerate() {
        assert_eq!(
            place(&app, body),
            Vec2::new(16.0 * number as f32 + 8.0, 8.0)
        );
        assert_eq!(velocity(&app, body), Vec2::ZERO);
    }
}

#[test]
fn a_ball_comes_to_rest_below_the_threshold() {
    for restitution in [0.0, 0.3, 0.5, 0.8] {
        let mut app = moving_app();
        app.add_systems(FixedUpdate, fall)
            .insert_resource(CollisionSettings {
                bounce_threshold: 6.0 * GRAVITY,
                ..default()
            });
        wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
        let ball = ball(&mut app, restitution, 40.0, Vec2::ZERO);
        let mut starts = 0;
        for _ in 0..400 {
            app.update();
            starts += take::<CollisionStarted>(&mut app).len();
        }
        assert_eq!(starts, hits(restitution), "{restitution}");
        take::<CollisionEnded>(&mut app);
        for _ in 0..100 {
            app.update();
            assert_eq!(place(&app, ball), Vec2::new(0.0, 8.0), "{restitution}");
            assert_eq!(velocity(&app, ball), Vec2::ZERO, "{restitution}");
        }
        assert!(take::<CollisionStarted>(&mut app).is_empty());
        assert!(take::<CollisionEnded>(&mut app).is_empty());
    }
}

/// Computes how often a ball meets the floor until it rests, from 32 above it.
fn hits(restitution: f32) -> usize {
    let (restitution, gravity) = (f64::from(restitution), 0.25);
    let (mut height, mut velocity, mut hits) = (32.0_f64, 0.0, 0);
    loop {
        velocity -= gravity;
        let way = height + velocity;
        if way > 0.0 {
            height = way;
            continue;
        }
        hits += 1;
        if -velocity < 6.0 * gravity {
            return hits;
        }
        // It moves up for the rest of the tick.
        let left = -way / -velocity;
        velocity *= -restitution;
        if velocity == 0.0 {
            return hits;
        }
        height = velocity * left;
    }
}

#[test]
fn what_loses_nothing_or_is_fast_enough_bounces() {
    for (threshold, restitution, speed, expected) in [
        // The threshold is in units a second, while the speeds here are in units a tick.
        (128.0, 0.5, 1.5, 0.0),
        (128.0, 0.5, 2.0, 1.0),
        (128.0, 0.5, 2.5, 1.25),
        (128.0, 1.0, 0.5, 0.5),
        (128.0, 1.5, 0.5, 0.75),
        (0.0, 0.5, 0.5, 0.25),
        (-1.0, 0.5, 0.5, 0.25),
        (f32::NAN, 0.5, 0.5, 0.25),
    ] {
        let mut app = moving_app();
        app.insert_resource(CollisionSettings {
            bounce_threshold: threshold,
            ..default()
        });
        wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
        let way = Vec2::new(0.25, -speed);
        let ball = ball(&mut app, restitution, 8.125, way);
        app.update();
        assert_eq!(
            velocity(&app, ball),
            Vec2::new(0.25, expected),
            "threshold {threshold}, restitution {restitution}, speed {speed}"
        );
    }
}

/// Spawns a ball of radius 8.
fn ball(app: &mut App, restitution: f32, height: f32, way: Vec2) -> Entity {
    let ball = app.world_mut().spawn((
        CircleCollider::new(8.0),
        Response::Bounce { restitution },
        a_tick(way.x, way.y),
        at(0.0, height),
    ));
    ball.id()
}

/// Nothing presses the blocks to what they lean on, as in a game seen from above: a ball still bounces off them as off the wall, also if there are several. A block that leans on nothing gives way.
#[test]
fn a_ball_bounces_off_what_leans_on_something_firm() {
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Wall {
        None,
        Static,
        Kinematic,
        Room,
    }
    for wall in [Wall::None, Wall::Static, Wall::Kinematic, Wall::Room] {
        for (count, has_velocity) in [(1, false), (1, true), (4, false), (4, true)] {
            for along in [Vec2::NEG_Y, Vec2::X] {
                let mut app = moving_app();
                let spot = |far: f32| {
                    let place = along * far;
                    at(place.x, place.y)
                };
                match wall {
                    Wall::None => {}
                    Wall::Room => {
                        let room = BoundsCollider::new(200.0, 200.0);
                        app.world_mut().spawn((room, spot(-100.0)));
                    }
                    Wall::Static | Wall::Kinematic => {
                        let body = if wall == Wall::Static {
                            Body::Static
                        } else {
                            Body::Kinematic
                        };
                        let block = BoxCollider::square(50.0);
                        app.world_mut().spawn((block, body, spot(25.0)));
                    }
                }
                for number in 0..count {
                    let place = spot(-8.0 - 16.0 * number as f32);
                    let mut block = app.world_mut().spawn((BoxCollider::square(16.0), place));
                    if has_velocity {
                        block.insert(Velocity::default());
                    }
                }
                let way = along * 10.0;
                let ball = (
                    CircleCollider::new(4.0),
                    Response::Bounce { restitution: 1.0 },
                    a_tick(way.x, way.y),
                );
                let from = spot(-9.0 - 16.0 * count as f32);
                let ball = app.world_mut().spawn((ball, from)).id();
                app.update();
                let case = format!("{wall:?}, {count}, {has_velocity}, {along}");
                // Half of the tick to the block, and half of it back; a block that is equally heavy takes all of the velocity.
                let back = if wall == Wall::None { Vec2::ZERO } else { -way };
                assert_eq!(velocity(&app, ball), back, "{case}");
            }
        }
    }
}

/// A block that gravity pulls onto a floor in each tick still leans on a wall, but not on one that moves away.
#[test]
fn a_ball_bounces_off_what_stands_and_leans_on_a_wall() {
    let mut app = moving_app();
    wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
    wall(&mut app, (0.0, 0.0), (50.0, 100.0));
    let block = (BoxCollider::square(16.0), a_tick(0.0, -1.0), at(-8.0, 8.0));
    app.world_mut().spawn(block);
    let bounce = Response::Bounce { restitution: 1.0 };
    let ball = (CircleCollider::new(4.0), bounce, a_tick(10.0, 0.0));
    let ball = app.world_mut().spawn((ball, at(-25.0, 8.0))).id();
    app.update();
    assert_eq!(velocity(&app, ball), Vec2::new(-10.0, 0.0));

    for is_room in [true, false] {
        let mut app = moving_app();
        let goes = (Body::Kinematic, a_tick(-1.0, 0.0));
        if is_room {
            let room = (BoundsCollider::new(200.0, 200.0), at(0.0, 0.0));
            app.world_mut().spawn((room, goes));
        } else {
            let wall = (BoxCollider::square(50.0), at(-125.0, 0.0));
            app.world_mut().spawn((wall, goes));
        }
        let block = (BoxCollider::square(16.0), at(-92.0, 0.0));
        app.world_mut().spawn(block);
        let ball = (CircleCollider::new(4.0), bounce, a_tick(-10.0, 0.0));
        let ball = app.world_mut().spawn((ball, at(-75.0, 0.0))).id();
        app.update();
        assert_eq!(velocity(&app, ball), Vec2::ZERO, "room: {is_room}");
    }
}

/// A carried block stands firmly on what carries it: on a lift that moves sideways or up, on a belt, or in a cabin beside its wall.
#[test]
fn a_ball_bounces_off_what_is_carried() {
    let bounce = Response::bounce(1.0);
    for (pace, belt) in [
        (Vec2::ZERO, 0.0),
        (Vec2::new(2.0, 0.0), 0.0),
        (Vec2::new(-2.0, 0.5), 0.0),
        (Vec2::new(0.0, -0.5), 0.0),
        (Vec2::ZERO, 2.0),
    ] {
        let mut app = moving_app();
        let lift = (BoxCollider::new(100.0, 10.0), at(0.0, -5.0));
        let lift = app.world_mut().spawn((lift, Body::Kinematic)).id();
        let block = (BoxCollider::square(16.0), at(0.0, 8.0));
        let block = app.world_mut().spawn(block).id();
        app.update();
        app.world_mut()
            .entity_mut(lift)
            .insert((a_tick(pace.x, pace.y), SurfaceVelocity(a_tick(belt, 0.0).0)));
        let ball = (CircleCollider::new(4.0), bounce, at(0.0, 25.0));
        let ball = (ball, a_tick(0.0, -10.0));
        let ball = app.world_mut().spawn(ball).id();
        app.update();
        // It comes back as fast as it came, plus twice the velocity of the lift.
        let expected = Vec2::new(0.0, 10.0 + 2.0 * pace.y);
        let case = format!("{pace}, {belt}");
        assert_eq!(velocity(&app, ball), expected, "{case}");
        let to = Vec2::new(pace.x + belt, 8.0 + pace.y);
        assert!(place(&app, block).distance(to) < 1.0e-4, "{case}");
    }

    // In a cabin that moves to the right, against a block that leans on its right wall; and at a door that slides along the block.
    for (cabin, door) in [(3.0, 0.0), (0.0, 3.0)] {
        let mut app = moving_app();
        let floor = (BoxCollider::new(100.0, 10.0), at(0.0, -5.0));
        let right = (BoxCollider::new(10.0, 100.0), at(45.0, 50.0));
        let floor = app.world_mut().spawn((floor, Body::Kinematic)).id();
        let right = app.world_mut().spawn((right, Body::Kinematic)).id();
        app.world_mut()
            .spawn((BoxCollider::square(16.0), at(32.0, 8.0)));
        app.update();
        app.world_mut().entity_mut(floor).insert(a_tick(cabin, 0.0));
        app.world_mut()
            .entity_mut(right)
            .insert(a_tick(cabin, door));
        let ball = (CircleCollider::new(4.0), bounce, at(15.0, 8.0));
        let ball = app.world_mut().spawn((ball, a_tick(10.0, 0.0))).id();
        app.update();
        // 5 to go, at 10 less the pace of the block.
        let expected = Vec2::new(-10.0 + 2.0 * cabin, 0.0);
        let found = velocity(&app, ball);
        assert!(found.distance(expected) < 0.001, "{cabin}, {door}: {found}");
    }
}

/// The crate gives way to the part of the hit that leads along the floor, and passes the rest to the floor, which keeps it.
#[test]
fn a_ball_that_hits_the_edge_of_a_crate_loses_what_the_crate_takes() {
    let mut app = moving_app();
    wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
    let crate_below = mover(&mut app, 16.0, (-8.0, 0.0), a_tick(0.0, -1.0));
    let ball = (CircleCollider::new(4.0), Response::bounce(1.0));
    let ball = (ball, a_tick(0.0, -10.0), at(10.4, 24.2));
    let ball = app.world_mut().spawn(ball).id();
    // It meets the edge at (8, 16) from (10.4, 19.2), by the normal (0.6, 0.8): of 8 along that, both keep 4.
    app.update();
    let apart = velocity(&app, ball).distance(Vec2::new(4.8, -3.6));
    assert!(apart < 1.0e-4, "{}", velocity(&app, ball));
    let apart = velocity(&app, crate_below).distance(Vec2::new(-2.4, 0.0));
    assert!(apart < 1.0e-4, "{}", velocity(&app, crate_below));
}

/// Nothing turns a door, so it holds what it pushes against a ball, which comes at 10 and meets it at 2.
#[test]
fn a_ball_bounces_off_what_a_door_pushes() {
    for has_velocity in [true, false] {
        let mut app = moving_app();
        app.insert_resource(CollisionSettings {
            up: Vec2::ZERO,
            ..default()
        });
        let door = (
            BoxCollider::new(10.0, 40.0),
            Body::Kinematic,
            a_tick(2.0, 0.0),
        );
        app.world_mut().spawn(door);
        let block = (BoxCollider::square(16.0), at(13.0, 0.0));
        let block = app.world_mut().spawn(block).id();
        if has_velocity {
            let still = Velocity::default();
            app.world_mut().entity_mut(block).insert(still);
        }
        let ball = (
            CircleCollider::new(4.0),
            Response::bounce(1.0),
            a_tick(-10.0, 0.0),
            at(31.0, 0.0),
        );
        let ball = app.world_mut().spawn(ball).id();
        app.update();
        let left = velocity(&app, ball);
        assert_eq!(left, Vec2::new(14.0, 0.0), "{has_velocity}");
    }
}
