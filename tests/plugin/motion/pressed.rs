//! A game that moves a body with a velocity by its `Transform`, too, into the surface along which it moves: flush tiles must still be one surface.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{moving_app, wall};
use crate::common::{at, place};

/// Returns an app with a row of tiles or one box, from 20 to the left of the origin to 40 to the right of it, turned for each of the four directions in which a body may be pressed.
fn on_surface(tile: f32, turn: Vec2, kind: Body) -> App {
    let mut app = moving_app();
    app.insert_resource(CollisionSettings {
        up: Vec2::ZERO,
        ..default()
    });
    let count = (60.0 / tile) as i16;
    for number in 0..count {
        let middle = Vec2::new(-20.0 + (f32::from(number) + 0.5) * tile, -4.0);
        let size = turn.rotate(Vec2::new(tile, 8.0)).abs();
        let place = turn.rotate(middle).extend(0.0);
        let tile = (
            BoxCollider::new(size.x, size.y),
            kind,
            Transform::from_translation(place),
        );
        app.world_mut().spawn(tile);
    }
    app
}

/// A body that is pressed into tiles by its `Transform` is not stopped or turned back by the side of the next tile.
#[test]
fn who_is_pressed_into_tiles_goes_on_along_them() {
    for turn in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y] {
        for kind in [Body::Static, Body::Kinematic] {
            for (press, response) in [
                (0.004, Response::Slide),
                (0.008, Response::Slide),
                (0.02, Response::bounce(1.0)),
                (0.5, Response::Slide),
            ] {
                let mut app = on_surface(10.0, turn, kind);
                let velocity = Velocity(turn.rotate(Vec2::new(64.0, 0.0)));
                let at =
                    Transform::from_translation(turn.rotate(Vec2::new(-15.0, 2.0)).extend(0.0));
                let body = (BoxCollider::square(4.0), velocity, response, at);
                let body = app.world_mut().spawn(body).id();
                for _ in 0..40 {
                    let mut transform = app.world_mut().get_mut::<Transform>(body).unwrap();
                    transform.translation -= turn.rotate(Vec2::new(0.0, press)).extend(0.0);
                    app.update();
                }
                let now = Vec2::new(turn.x, -turn.y).rotate(place(&app, body));
                let case = (turn, kind, press);
                assert!(now.distance(Vec2::new(25.0, 2.0)) < 0.01, "{case:?}: {now}");
            }
        }
    }
}

/// A ball is deeper in the tile that it is on than in the corner of the next one, which it also meets: it rolls on, and is neither slowed down nor thrown up.
#[test]
fn who_is_round_and_pressed_into_tiles_goes_on_along_them() {
    for turn in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y] {
        for (press, radius) in [
            (0.004, 2.0),
            (0.02, 2.0),
            (0.1, 2.0),
            (0.5, 2.0),
            (0.1, 1.0),
        ] {
            for (kind, response) in [
                (Body::Static, Response::Slide),
                (Body::Static, Response::bounce(0.5)),
                (Body::Kinematic, Response::Slide),
            ] {
                let mut app = on_surface(10.0, turn, kind);
                let velocity = Velocity(turn.rotate(Vec2::new(64.0, 0.0)));
                let start = turn.rotate(Vec2::new(-15.0, 2.0));
                let round = BoxCollider::square(4.0).with_corner_radius(radius);
                let body = (round, velocity, response, at(start.x, start.y));
                let body = app.world_mut().spawn(body).id();
                for tick in 0..40 {
                    let mut transform = app.world_mut().get_mut::<Transform>(body).unwrap();
                    transform.translation -= turn.rotate(Vec2::new(0.0, press)).extend(0.0);
                    app.update();
                    let now = Vec2::new(turn.x, -turn.y).rotate(place(&app, body));
                    let case = (turn, kind, press, radius, tick);
                    let there = Vec2::new(tick as f32 - 14.0, 2.0);
                    assert!(now.distance(there) < 0.01, "{case:?}: {now}");
                    let left = app.world().get::<Velocity>(body).unwrap().0;
                    assert!(left.distance(velocity.0) < 0.01, "{case:?}: {left}");
                }
            }
        }
    }
}

/// The same with a crate that is pushed along the tiles.
#[test]
fn a_crate_that_is_pressed_into_tiles_is_pushed_on_along_them() {
    let ends = [10.0, 60.0].map(|tile| {
        let mut app = on_surface(tile, Vec2::X, Body::Static);
        let player = (
            BoxCollider::square(4.0),
            Velocity::default(),
            at(-17.0, 2.0),
        );
        let player = app.world_mut().spawn(player).id();
        let wooden = app
            .world_mut()
            .spawn((BoxCollider::square(8.0), at(-10.0, 4.0)));
        let wooden = wooden.id();
        for _ in 0..40 {
            app.world_mut().get_mut::<Velocity>(player).unwrap().0.x = 64.0;
            app.world_mut()
                .get_mut::<Transform>(wooden)
                .unwrap()
                .translation
                .y -= 0.02;
            app.update();
        }
        let (player, wooden) = (place(&app, player), place(&app, wooden));
        // The crate begins 1 from the player, who has it half as fast from the second tick on: -17 + 1 + 39 / 2.
        assert!((player.x - 3.5).abs() < 0.02, "{tile}: {player}");
        let apart = (wooden - player).distance(Vec2::new(6.0, 2.0));
        assert!(apart < 0.01, "{tile}: {player} and {wooden}");
        (player, wooden)
    });
    assert_eq!(ends[0], ends[1]);
}

/// A tile that sticks out of the row by more than the tolerance is still in the way, and so is a wall.
#[test]
fn who_is_pressed_into_tiles_is_stopped_by_what_sticks_out() {
    for (higher, ends) in [(0.004, false), (0.02, true), (8.0, true)] {
        let mut app = on_surface(10.0, Vec2::X, Body::Static);
        wall(&mut app, (5.0, -8.0), (15.0, higher));
        let velocity = Velocity(Vec2::new(64.0, 0.0));
        let body = (BoxCollider::square(4.0), velocity, at(-15.0, 2.0));
        let body = app.world_mut().spawn(body).id();
        for _ in 0..20 {
            app.world_mut()
                .get_mut::<Transform>(body)
                .unwrap()
                .translation
                .y -= 0.02;
            app.update();
        }
        // 20 units to the right, or against what sticks out; on top of it, if it is passed.
        let expected = if ends {
            Vec2::new(3.0, 2.0)
        } else {
            Vec2::new(5.0, 2.0 + higher)
        };
        let there = place(&app, body);
        assert!(there.distance(expected) < 0.01, "{higher}: {there}");
    }
}

/// Beyond the tile that it passes over it is still stopped, in one tick, whether the body before the tiles is static, or a lift beside them.
#[test]
fn who_goes_over_a_tile_is_stopped_by_the_wall_behind_it() {
    for kind in [Body::Static, Body::Kinematic] {
        let mut app = moving_app();
        let floor = (BoxCollider::new(20.0, 8.0), kind);
        app.world_mut().spawn((floor, at(-10.0, -4.0)));
        // More tiles than are tested at once.
        for number in 0_u8..45 {
            let left = 2.0 * f32::from(number);
            wall(&mut app, (left, -8.0), (left + 2.0, 0.0));
        }
        wall(&mut app, (90.0, -8.0), (92.0, 8.0));
        // A hundred units in a tick.
        let velocity = Velocity(Vec2::new(6400.0, 0.0));
        let body = (BoxCollider::square(4.0), velocity, at(-4.0, 2.0 - 0.02));
        let body = app.world_mut().spawn(body).id();
        app.update();
        assert_eq!(place(&app, body), Vec2::new(88.0, 2.0), "{kind:?}");
    }
}

/// A lift that may move leaves it to the body to look out, which alone knows that it goes on over the seam.
#[test]
fn who_is_pressed_into_lifts_that_stand_goes_on_along_them() {
    for (press, radius) in [(0.02, 0.0), (0.5, 0.0), (0.1, 2.0)] {
        for is_ship in [false, true] {
            let mut app = on_surface(10.0, Vec2::X, Body::Kinematic);
            let mut tiles = app.world_mut().query_filtered::<Entity, With<Body>>();
            let tiles: Vec<Entity> = tiles.iter(app.world()).collect();
            if is_ship {
                let ship = (Body::Kinematic, Transform::default(), Velocity::default());
                app.world_mut().spawn(ship).add_children(&tiles);
            } else {
                for tile in tiles {
                    app.world_mut().entity_mut(tile).insert(Velocity::default());
                }
            }
            let shape = BoxCollider::square(4.0).with_corner_radius(radius);
            let body = (shape, super::a_tick(1.0, 0.0), at(-15.0, 2.0));
            let body = app.world_mut().spawn(body).id();
            for _ in 0..40 {
                let mut transform = app.world_mut().get_mut::<Transform>(body).unwrap();
                transform.translation.y -= press;
                app.update();
            }
            let now = place(&app, body);
            let case = (press, radius, is_ship);
            assert!(now.distance(Vec2::new(25.0, 2.0)) < 0.01, "{case:?}: {now}");
        }
    }
}

/// A ball is sunk in a lift that sinks, so a corner of the floor beside it comes out, and is in the ball's way.
#[test]
fn a_ball_on_a_lift_that_sinks_is_stopped_by_the_floor_beside_it() {
    // Flush with the lift, or slightly sunk in it.
    for y in [4.0, 3.9] {
        let mut app = moving_app();
        let lift = (BoxCollider::new(20.0, 10.0), Body::Kinematic);
        let sinks = super::a_tick(0.0, -8.0);
        app.world_mut().spawn((lift, sinks, at(-10.0, -5.0)));
        wall(&mut app, (0.0, -20.0), (20.0, 0.0));
        let ball = (
            CircleCollider::new(4.0),
            super::a_tick(20.0, -8.0),
            at(-6.0, y),
        );
        let ball = app.world_mut().spawn(ball).id();
        app.update();
        // The corner leads it upwards, from (-2.96, 2.69) on.
        let left = super::velocity(&app, ball);
        assert!(left.y > 4.0 && left.x < 15.0, "{y}: {left}");
    }
}

/// A ball that is pressed into a tile also stands on the ledge beside it.
#[test]
fn a_ball_that_is_pressed_into_a_tile_does_not_sink_through_the_ledge_beside_it() {
    let mut app = moving_app();
    wall(&mut app, (-20.0, -10.0), (0.0, 0.0));
    let ledge = wall(&mut app, (0.0, -10.0), (40.0, 0.0));
    app.world_mut().entity_mut(ledge).insert(OneWay::default());
    let ball = (
        CircleCollider::new(2.0),
        super::a_tick(10.0, 0.0),
        at(-3.0, 1.8),
    );
    let ball = app.world_mut().spawn(ball).id();
    app.update();
    for _ in 0..60 {
        let mut velocity = app.world_mut().get_mut::<Velocity>(ball).unwrap();
        velocity.0 = Vec2::new(0.0, velocity.0.y - 16.0);
        app.update();
    }
    assert!(
        (place(&app, ball).y - 2.0).abs() < 0.01,
        "{}",
        place(&app, ball)
    );
}
