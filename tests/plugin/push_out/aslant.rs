//! A body that is pushed into a wall at an angle slides along it, as far as there is room.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use crate::common::{app, at, place, take, wall};

#[test]
fn a_ball_in_the_corner_of_a_lift_goes_along_its_wall() {
    // The ball touches the wall and is 0.17 deep in the corner of a box; it is free 0.2 higher.
    for body in [Body::Static, Body::Kinematic] {
        let mut app = app();
        wall(&mut app, (-10.0, -100.0), (0.0, 100.0));
        let lift = BoxCollider::from_corners(Vec2::new(6.0, -6.0), Vec2::new(46.0, 0.0));
        app.world_mut().spawn((lift, body));
        let free = Vec2::new(4.0, 12.0_f32.sqrt());
        let ball = (CircleCollider::new(4.0), at(free.x, free.y - 0.2));
        let ball = app.world_mut().spawn(ball).id();
        app.update();
        let off = place(&app, ball).distance(free);
        assert!(off < 0.01, "{body:?}: {off}");
        assert_eq!(take::<Crushed>(&mut app), [], "{body:?}");
    }
}

#[test]
fn what_is_pushed_straight_into_a_wall_is_crushed() {
    for (case, y, shape) in [
        ("a square", 0.0, BoxCollider::square(8.0)),
        (
            "a square by more than its edge",
            5.0,
            BoxCollider::square(8.0),
        ),
        (
            "a ball",
            0.0,
            BoxCollider::square(8.0).with_corner_radius(4.0),
        ),
    ] {
        let mut app = app();
        wall(&mut app, (-10.0, -100.0), (0.0, 100.0));
        let door = (BoxCollider::square(8.0), Body::Kinematic, at(11.0, 0.0));
        app.world_mut().spawn(door);
        let body = app.world_mut().spawn((shape, at(4.0, y))).id();
        for _ in 0..3 {
            app.update();
            assert_eq!(place(&app, body), Vec2::new(4.0, y), "{case}");
            let crushed = take::<Crushed>(&mut app);
            assert!(crushed.iter().all(|one| one.body == body), "{case}");
            assert_eq!(crushed.len(), 1, "{case}");
        }
    }
}

#[test]
fn a_guard_walks_past_who_stands_at_a_wall() {
    let mut app = app();
    wall(&mut app, (-10.0, -400.0), (0.0, 400.0));
    // 12 to the right and 16 below: they touch.
    let round = CircleCollider::new(10.0);
    let walks = (Body::Kinematic, Velocity(Vec2::new(0.0, 64.0)));
    let guard = app.world_mut().spawn((round, walks, at(22.0, -16.0))).id();
    let stands = (round, Velocity(Vec2::ZERO), at(10.0, 0.0));
    let player = app.world_mut().spawn(stands).id();
    for tick in 1..=40 {
        app.update();
        let (guard, player) = (place(&app, guard), place(&app, player));
        let deep = 20.0 - guard.distance(player);
        assert!(deep < 0.01, "tick {tick}: {deep}");
        assert!((player.x - 10.0).abs() < 0.01, "tick {tick}: {player}");
        assert_eq!(take::<Crushed>(&mut app), [], "tick {tick}");
    }
}

#[test]
fn a_lift_takes_along_a_ball_at_a_wall() {
    let mut app = app();
    wall(&mut app, (-10.0, -100.0), (0.0, 800.0));
    let rises = (Body::Kinematic, Velocity(Vec2::new(0.0, 64.0)));
    let lift = (BoxCollider::new(40.0, 6.0), rises, at(26.0, -3.0));
    let lift = app.world_mut().spawn(lift).id();
    let ball = (CircleCollider::new(4.0), Velocity(Vec2::ZERO), at(4.0, 4.0));
    let ball = app.world_mut().spawn(ball).id();
    for tick in 1..=64 {
        app.update();
        // From flat on the lift down onto the corner of the lift, which is 2 to the right of the ball.
        let above = place(&app, ball).y - (place(&app, lift).y + 3.0);
        let corner = 12.0_f32.sqrt();
        let most = if tick < 8 { 4.001 } else { corner + 0.01 };
        assert!(
            (corner - 0.01..=most).contains(&above),
            "tick {tick}: {above}"
        );
    }
}

/// The left wall of a moving room, as of a scrolling screen, presses a ship that touches a rock at an angle; and so does a box in place of the room.
#[test]
fn a_room_that_is_moved_pushes_along_a_rock() {
    for is_room in [true, false] {
        let mut app = app();
        let rock = (CircleCollider::new(10.0), Body::Static, at(0.0, 0.0));
        app.world_mut().spawn(rock);
        // The wall overlaps the left end of the ship by one; the ship touches the rock at (-9, 4.36).
        if is_room {
            let room = BoundsCollider::new(200.0, 200.0);
            app.world_mut()
                .spawn((room, Body::Kinematic, at(73.0, 0.0)));
        } else {
            let wall = BoxCollider::new(20.0, 200.0);
            app.world_mut()
                .spawn((wall, Body::Kinematic, at(-37.0, 0.0)));
        }
        let ship = (CircleCollider::new(10.0), at(-18.0, 8.717_798));
        let ship = app.world_mut().spawn(ship).id();
        app.update();
        // To (-17, sqrt(400 - 289)), or a little farther, as it moves along the tangent.
        let there = place(&app, ship);
        assert!(there.x >= -17.01 && there.length() >= 19.99, "{there}");
        assert!(there.distance(Vec2::new(-17.0, 10.536)) < 0.5, "{there}");
        assert_eq!(take::<Crushed>(&mut app), [], "room: {is_room}");
    }
}

/// A moving wall presses a ball on a floor that touches, at an angle of 40 degrees, a ball at another wall: that one is pushed up its wall.
#[test]
fn what_leans_on_a_ball_at_a_wall_is_pushed_under_it() {
    let mut app = app();
    // The face of the wall is at 0, that of the floor at -22.856, and that of the press at -35.32.
    let wall = (BoxCollider::new(20.0, 400.0), Body::Static, at(10.0, 0.0));
    let floor = (
        BoxCollider::new(400.0, 20.0),
        Body::Static,
        at(-100.0, -32.856),
    );
    let press = (
        BoxCollider::new(20.0, 20.0),
        Body::Kinematic,
        at(-45.32, -12.856),
    );
    app.world_mut().spawn(wall);
    app.world_mut().spawn(floor);
    let press = app.world_mut().spawn(press).id();
    let upper = (CircleCollider::new(10.0), at(-10.0, 0.0));
    let lower = (CircleCollider::new(10.0), at(-25.32, -12.856));
    let upper = app.world_mut().spawn(upper).id();
    let lower = app.world_mut().spawn(lower).id();
    app.update();
    take::<Crushed>(&mut app);
    for tick in 1..=10 {
        app.world_mut()
            .get_mut::<Transform>(press)
            .unwrap()
            .translation
            .x += 1.0;
        app.update();
        // Both balls still touch the wall, the floor, and the press, and each other.
        let across = 15.32 - tick as f32;
        let up = (400.0 - across * across).sqrt() - 12.856;
        let [upper, lower] = [upper, lower].map(|ball| place(&app, ball));
        assert!(
            upper.distance(Vec2::new(-10.0, up)) < 0.02,
            "{tick}: {upper}, not {up}"
        );
        let there = Vec2::new(-25.32 + tick as f32, -12.856);
        assert!(lower.distance(there) < 0.02, "{tick}: {lower}");
        assert_eq!(take::<Crushed>(&mut app), [], "tick {tick}");
    }
}
