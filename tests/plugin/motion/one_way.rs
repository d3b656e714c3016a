//! `OneWay` and round shapes: a corner or a ball counts as outside until it is inside by more than rounding.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_nudge::{prelude::*, tiles::TileColliders};

use super::{a_tick, moving_app};
use crate::common::{app, at, place, take, tick, wall};

/// Returns where a ball ends that is accelerated along an axis in each tick, against a box from one corner to another, which is solid or one-way.
fn ends(
    app: &mut App,
    (from, to): (Vec2, Vec2),
    one_way: Option<Vec2>,
    ball: (f32, Transform),
    speed_up: Vec2,
) -> Vec2 {
    let ledge = (BoxCollider::from_corners(from, to), Body::Static);
    let ledge = app.world_mut().spawn(ledge).id();
    if let Some(direction) = one_way {
        app.world_mut().entity_mut(ledge).insert(OneWay(direction));
    }
    let (radius, start) = ball;
    let ball = (CircleCollider::new(radius), Velocity(Vec2::ZERO), start);
    let ball = app.world_mut().spawn(ball).id();
    for _ in 0..64 {
        let mut ball = app.world_mut().entity_mut(ball);
        ball.get_mut::<Velocity>().expect("it moves").0 += speed_up;
        app.update();
    }
    place(app, ball)
}

#[test]
fn a_ball_lies_on_the_corner_of_a_ledge() {
    // Between a wall and a corner 6 away from it, the ball touches the corner when its middle is higher by the root of 16 - 4.
    for one_way in [None, Some(Vec2::Y)] {
        let mut app = app();
        wall(&mut app, (-10.0, -100.0), (0.0, 100.0));
        let ledge = (Vec2::new(6.0, -6.0), Vec2::new(46.0, 0.0));
        let ball = (4.0, at(4.0, 10.0));
        let end = ends(&mut app, ledge, one_way, ball, Vec2::new(0.0, -16.0));
        let expected = Vec2::new(4.0, 12.0_f32.sqrt());
        assert!(end.distance(expected) < 0.01, "{one_way:?}: {end}");
    }
}

#[test]
fn a_ball_is_stopped_by_the_lower_corner_of_a_gate() {
    // The gate ends 2.6 above the floor, so a ball of radius 2 meets it at the root of 4 - 0.36.
    for one_way in [None, Some(Vec2::X)] {
        let mut app = app();
        wall(&mut app, (-300.0, -10.0), (100.0, 0.0));
        let gate = (Vec2::new(-4.0, 2.6), Vec2::new(0.0, 10.0));
        let ball = (2.0, at(13.3, 2.0));
        let end = ends(&mut app, gate, one_way, ball, Vec2::new(-100.0, 0.0));
        let expected = Vec2::new(3.64_f32.sqrt(), 2.0);
        assert!(end.distance(expected) < 0.01, "{one_way:?}: {end}");
    }
}

/// Returns where a body would be after a motion up or down from a place.
fn height_by_a_mover(app: &mut App, body: Entity, from: (f32, f32), motion: f32) -> f32 {
    let project = move |mover: Mover| {
        let moved = mover.project(body, from.into(), Vec2::Y * motion, &default());
        moved.expect("it is a body").position.y
    };
    app.world_mut().run_system_once(project).expect("it runs")
}

/// A robot has jumped up through a ledge, and falls again while its neck is in it; below is a floor. Its head, above the ledge, does not hang on it.
#[test]
fn no_part_of_a_body_stands_on_a_ledge_that_another_part_is_in() {
    let robot = |app: &mut App, ledge: Entity, y: f32| {
        app.world_mut().entity_mut(ledge).insert((
            OneWay::default(),
            BoxCollider::new(100.0, 6.0),
            at(0.0, 40.0),
        ));
        wall(app, (-100.0, -10.0), (100.0, 0.0));
        let robot = (Body::Dynamic, at(0.0, y));
        let robot = app.world_mut().spawn(robot).id();
        for part in [
            app.world_mut()
                .spawn((BoxCollider::new(10.0, 20.0), at(0.0, 10.0)))
                .id(),
            app.world_mut()
                .spawn((CircleCollider::new(8.0), at(0.0, 28.0)))
                .id(),
        ] {
            app.world_mut().entity_mut(part).insert(ChildOf(robot));
        }
        robot
    };
    for kind in [Body::Static, Body::Kinematic] {
        for (case, speed) in [("slow", 2.0), ("down to the floor", 200.0)] {
            let mut app = moving_app();
            let ledge = app.world_mut().spawn((kind, Velocity::default())).id();
            let robot = robot(&mut app, ledge, 24.0);
            app.world_mut()
                .entity_mut(robot)
                .insert(a_tick(0.0, -speed));
            app.update();
            let case = format!("{kind:?}, {case}");
            let expected = (24.0 - speed).max(0.0);
            assert_eq!(place(&app, robot).y, expected, "{case}");
        }
        let mut app = moving_app();
        let ledge = app.world_mut().spawn(kind).id();
        let robot = robot(&mut app, ledge, 24.0);
        app.update();
        let y = height_by_a_mover(&mut app, robot, (0.0, 24.0), -2.0);
        assert_eq!(y, 22.0, "{kind:?}, by a mover");
    }
}

/// Around the robot is a sensor.
#[test]
fn a_sensor_of_a_body_that_is_in_a_ledge_does_not_let_it_through() {
    for kind in [Body::Static, Body::Kinematic] {
        let mut app = moving_app();
        let ledge = (BoxCollider::new(100.0, 6.0), OneWay::default(), kind);
        app.world_mut().spawn((ledge, Velocity::default()));
        let robot = (BoxCollider::square(10.0), at(0.0, 10.0), a_tick(0.0, -4.0));
        let robot = app.world_mut().spawn(robot).id();
        let sight = (CircleCollider::new(50.0), Sensor, ChildOf(robot));
        app.world_mut().spawn(sight);
        app.update();
        assert_eq!(place(&app, robot).y, 8.0, "{kind:?}");
        let y = height_by_a_mover(&mut app, robot, (0.0, 10.0), -4.0);
        assert_eq!(y, 8.0, "{kind:?}, by a mover");
    }
}

/// The trunk of a robot is in a ledge, and its head touches the ledge from above. The sweep lets the robot sink, and the push-out does not lead it back, by however little it sinks. If only the head is there, it stands on the ledge.
#[test]
fn a_body_of_which_a_part_is_in_a_ledge_sinks_however_slowly() {
    for (kind, trunk_height, sinks) in [
        (Body::Static, 20.0, true),
        (Body::Kinematic, 20.0, true),
        // It ends below the ledge.
        (Body::Static, 13.0, false),
    ] {
        let mut app = moving_app();
        // From 37 to 43.
        let ledge = (BoxCollider::new(100.0, 6.0), OneWay::default());
        app.world_mut().spawn((ledge, kind, at(0.0, 40.0)));
        let robot = (Body::Dynamic, at(0.0, 23.0), a_tick(0.0, -0.004));
        let robot = app.world_mut().spawn(robot).id();
        // From 23 up, and from 43 to 59.
        let trunk = (
            BoxCollider::new(10.0, trunk_height),
            at(0.0, 0.5 * trunk_height),
        );
        app.world_mut().spawn((trunk, ChildOf(robot)));
        let head = (CircleCollider::new(8.0), at(0.0, 28.0));
        app.world_mut().spawn((head, ChildOf(robot)));
        for number in 1..=5 {
            app.update();
            let y = place(&app, robot).y;
            let way = if sinks { 0.004 * number as f32 } else { 0.0 };
            let case = format!("{kind:?}, {trunk_height} high, tick {number}: {y}");
            assert!((y - (23.0 - way)).abs() < 1.0e-4, "{case}");
        }
    }
}

/// The ledges of one grid, or of one ship, are independent of each other: a body that has entered the next one from its side still stands on this one.
#[test]
fn who_is_in_one_ledge_of_a_grid_stands_on_another_one() {
    for (kind, way) in [
        (Body::Static, 0.0),
        (Body::Kinematic, 0.0),
        (Body::Kinematic, 0.5),
        (Body::Dynamic, 0.0),
    ] {
        let mut app = moving_app();
        let cells = [IVec2::ZERO, IVec2::ONE];
        let grid = TileColliders::from_cells(Vec2::splat(16.0), cells);
        let grid = (grid, OneWay::default(), kind, Mass(f32::MAX));
        let grid = app.world_mut().spawn(grid).id();
        let player = (
            BoxCollider::square(8.0),
            Velocity::default(),
            at(13.0, 20.0),
        );
        let player = app.world_mut().spawn(player).id();
        app.update();
        if way != 0.0 {
            app.world_mut().entity_mut(grid).insert(a_tick(0.0, way));
        }
        app.world_mut().entity_mut(player).insert(a_tick(0.0, -1.0));
        app.update();
        assert_eq!(place(&app, player).y, 20.0 + way, "{kind:?}, {way}");
        let y = height_by_a_mover(&mut app, player, (13.0, 20.0 + way), -1.0);
        assert_eq!(y, 20.0 + way, "{kind:?}, {way}, by a mover");
    }
}

/// The rows of a grid are ledges of their own, whatever other cells there are: who drops through the upper one, or whose feet get past it alone, stands on the lower one.
#[test]
fn where_one_stands_in_a_grid_of_ledges_does_not_depend_on_cells_elsewhere() {
    for more in [vec![], vec![IVec2::new(2, 0)]] {
        let new = || {
            let mut app = moving_app();
            wall(&mut app, (-100.0, -20.0), (100.0, -10.0));
            // Two rows, whose upper sides are at 16 and 32.
            let cells = [IVec2::ZERO, IVec2::X, IVec2::Y, IVec2::ONE];
            let cells = cells.into_iter().chain(more.clone());
            let grid = TileColliders::from_cells(Vec2::splat(16.0), cells);
            app.world_mut().spawn((grid, OneWay::default()));
            app.update();
            app
        };
        let player = |app: &mut App, y: f32, up: f32| {
            let player = (BoxCollider::new(10.0, 14.0), a_tick(0.0, up), at(16.0, y));
            app.world_mut().spawn(player).id()
        };
        let fall = |app: &mut App, player: Entity| {
            for _ in 0..60 {
                app.world_mut().entity_mut(player).insert(a_tick(0.0, -1.0));
                app.update();
            }
            place(app, player).y
        };
        let mut app = new();
        let drops = player(&mut app, 39.0, -1.0);
        app.world_mut().entity_mut(drops).insert(DropThrough);
        app.update();
        app.world_mut().entity_mut(drops).remove::<DropThrough>();
        assert_eq!(fall(&mut app, drops), 23.0, "{more:?}, dropped");

        let mut app = new();
        // Its feet reach 24.
        let jumps = player(&mut app, -3.0, 34.0);
        app.update();
        assert_eq!(place(&app, jumps).y, 31.0, "{more:?}");
        assert_eq!(fall(&mut app, jumps), 23.0, "{more:?}, jumped");
    }
}

/// Only the floor of the room is solid: a body that leaves through an open wall, or touches it, falls no farther than to the floor.
#[test]
fn the_floor_of_a_room_holds_who_goes_through_its_open_wall_too() {
    for (x, way, end) in [
        (0.0, (0.0, -20.0), (0.0, -95.0)),
        (95.0, (0.0, -20.0), (95.0, -95.0)),
        (95.0, (-0.01, -20.0), (94.99, -95.0)),
        (95.0, (0.01, -20.0), (95.01, -95.0)),
        (90.0, (10.0, -20.0), (100.0, -95.0)),
        (-90.0, (-10.0, -20.0), (-100.0, -95.0)),
        // It is past that wall.
        (100.0, (10.0, -20.0), (110.0, -95.0)),
        (-101.0, (-10.0, -20.0), (-111.0, -95.0)),
        (95.0, (0.01, 20.0), (95.01, -65.0)),
    ] {
        let mut app = moving_app();
        app.update();
        app.world_mut()
            .spawn((BoundsCollider::new(200.0, 200.0), OneWay::default()));
        let square = BoxCollider::square(10.0);
        let falls = (square, a_tick(way.0, way.1), at(x, -85.0));
        let falls = app.world_mut().spawn(falls).id();
        let alone = IgnoreCollisions::with(falls);
        let moves = (square, Body::Kinematic, alone, at(x, -85.0));
        let moves = app.world_mut().spawn(moves).id();
        app.update();
        let case = format!("{x}, {way:?}");
        assert!(
            place(&app, falls).abs_diff_eq(end.into(), 1.0e-4),
            "{case}: {}",
            place(&app, falls)
        );
        let project = move |mover: Mover| {
            mover.project(
                moves,
                Vec2::new(x, -85.0),
                way.into(),
                &MoveOptions::default(),
            )
        };
        let moved = app.world_mut().run_system_once(project).expect("it runs");
        let moved = moved.expect("it is a body");
        let is_there = moved.position.abs_diff_eq(end.into(), 1.0e-4);
        assert!(is_there, "{case}: {}", moved.position);
        assert_eq!(moved.is_on_floor(), end.1 == -95.0, "{case}");
        app.update();
        assert!(place(&app, falls).y >= -95.0, "{case}, a tick later");
    }
}

/// A sweep goes on behind a collider that another part of the body lets through: there may be something else behind it.
#[test]
fn a_ledge_that_moves_is_stopped_behind_what_it_passes() {
    let mut app = moving_app();
    let square = BoxCollider::square(10.0);
    let level = app.world_mut().spawn((Body::Static, at(0.0, 0.0))).id();
    for x in [-4.0, 30.0] {
        app.world_mut().spawn((square, ChildOf(level), at(x, 0.0)));
    }
    app.world_mut().spawn((square, Body::Static, at(70.0, 0.0)));
    // So many that they are sorted, and so near that the first ones are tested together.
    let beside = (0..16).map(|i| (40.0 + i as f32, 25.0));
    for (x, y) in beside.chain((0..20).map(|i| (-100.0 - 20.0 * i as f32, 0.0))) {
        app.world_mut().spawn((square, Body::Static, at(x, y)));
    }
    app.update();
    let ledge = (square, OneWay(Vec2::X), a_tick(100.0, 0.0), at(0.0, 0.0));
    let ledge = app.world_mut().spawn(ledge).id();
    app.update();
    assert_eq!(place(&app, ledge).x, 60.0);
}

/// If the solid direction points between two sides of a box, these two are solid, and the other two are not.
#[test]
fn a_box_aslant_to_its_solid_direction_has_two_solid_sides() {
    for direction in [Vec2::ONE, Vec2::new(1.0, 1.0001), Vec2::new(0.5, 0.5)] {
        for (from, way, end) in [
            ((0.0, 20.0), (0.0, -20.0), (0.0, 7.0)),
            ((20.0, 0.0), (-20.0, 0.0), (7.0, 0.0)),
            ((0.0, -20.0), (0.0, 40.0), (0.0, 20.0)),
            ((-20.0, 0.0), (40.0, 0.0), (20.0, 0.0)),
        ] {
            let mut app = app();
            let ledge = (BoxCollider::square(10.0), Body::Static, OneWay(direction));
            app.world_mut().spawn(ledge);
            let velocity = Velocity(Vec2::from(way) * 64.0);
            let ball = (CircleCollider::new(2.0), velocity, at(from.0, from.1));
            let ball = app.world_mut().spawn(ball).id();
            tick(&mut app);
            let off = place(&app, ball).distance(Vec2::from(end));
            assert!(off < 0.01, "{direction}, from {from:?}: off by {off}");
        }
    }
}

/// A body beyond the solid wall of a room falls on, however it got there.
#[test]
fn who_is_beyond_the_floor_of_a_room_falls_on() {
    let room = || (BoundsCollider::new(200.0, 200.0), OneWay::default());
    // It drops through the floor.
    let mut app = moving_app();
    app.world_mut().spawn(room());
    let player = (BoxCollider::square(8.0), at(0.0, -96.0));
    let player = app.world_mut().spawn((player, a_tick(0.0, -2.0))).id();
    app.update();
    assert_eq!(place(&app, player).y, -96.0);
    let falls = (DropThrough, a_tick(0.0, -2.0));
    app.world_mut().entity_mut(player).insert(falls);
    app.update();
    assert_eq!(place(&app, player).y, -98.0);
    app.world_mut().entity_mut(player).remove::<DropThrough>();
    for y in [-100.0, -102.0] {
        app.update();
        assert_eq!(place(&app, player).y, y);
    }
    // It begins there; by a velocity, and by a `Mover`.
    for y in [-95.5, -110.0] {
        let mut app = moving_app();
        app.world_mut().spawn(room());
        let fish = (BoxCollider::square(10.0), a_tick(0.0, -2.0), at(0.0, y));
        let fish = app.world_mut().spawn(fish).id();
        let walker = (BoxCollider::square(10.0), Body::Kinematic, at(50.0, y));
        let walker = app.world_mut().spawn(walker).id();
        app.update();
        assert_eq!(place(&app, fish).y, y - 2.0);
        let project = move |mover: Mover| {
            let options = MoveOptions::default();
            mover.project(walker, Vec2::new(50.0, y), Vec2::new(0.0, -20.0), &options)
        };
        let moved = app.world_mut().run_system_once(project).expect("it runs");
        let moved = moved.expect("it is a body");
        assert_eq!(moved.position, Vec2::new(50.0, y - 20.0));
        assert!(!moved.is_on_floor());
    }
}

/// A body that goes through a ledge is reported as with a sensor: where it went in.
#[test]
fn who_goes_into_a_ledge_is_told_where_it_went_in() {
    for (case, from, way, drops) in [
        ("from below", -9.0, 3.0, false),
        ("from below, dropping", -9.0, 3.0, true),
        ("from above, dropping", 9.0, -3.0, true),
    ] {
        let told = [false, true].map(|is_sensor| {
            let mut app = moving_app();
            let ledge = app
                .world_mut()
                .spawn((BoxCollider::new(100.0, 8.0), Body::Static))
                .id();
            if is_sensor {
                app.world_mut().entity_mut(ledge).insert(Sensor);
            } else {
                app.world_mut().entity_mut(ledge).insert(OneWay::default());
            }
            let body = (BoxCollider::square(8.0), a_tick(0.0, way), at(0.0, from));
            let body = app.world_mut().spawn(body).id();
            if drops {
                app.world_mut().entity_mut(body).insert(DropThrough);
            }
            app.update();
            let started = take::<CollisionStarted>(&mut app);
            let hit = started[0].seen_from(body).expect("it is one of them");
            (hit.time, hit.depth, hit.point, hit.normal)
        });
        assert_eq!(told[0], told[1], "{case}");
        // Flush after 1 of 3.
        assert!(
            (told[0].0 - 1.0 / 3.0).abs() < 1.0e-6,
            "{case}: {}",
            told[0].0
        );
        assert_eq!(
            (told[0].1, told[0].2),
            (0.0, Vec2::new(0.0, 4.0 * from.signum()))
        );
    }
}

/// A press comes down on who stands on a ledge, or the ledge rises to a roof; by 1 a tick, from where the body just fits in. Only the ledge that rises lets the body in.
#[test]
fn who_stands_on_a_one_way_is_crushed_from_above_and_let_in_from_below() {
    for rises in [false, true] {
        let mut app = moving_app();
        let ledge = (BoxCollider::new(100.0, 6.0), OneWay::default());
        let ledge = app.world_mut().spawn((ledge, at(0.0, -3.0))).id();
        let player = (BoxCollider::square(10.0), at(0.0, 5.0));
        let player = app.world_mut().spawn(player).id();
        let press = (BoxCollider::square(20.0), at(0.0, 20.0));
        let press = app.world_mut().spawn(press).id();
        let (comes, stays, way) = if rises {
            (ledge, press, 1.0)
        } else {
            (press, ledge, -1.0)
        };
        let moves = (Body::Kinematic, a_tick(0.0, way));
        app.world_mut().entity_mut(comes).insert(moves);
        app.world_mut().entity_mut(stays).insert(Body::Static);
        for tick in 1..=4_u8 {
            app.update();
            let crushed = take::<Crushed>(&mut app);
            assert_eq!(place(&app, player), Vec2::new(0.0, 5.0), "tick {tick}");
            if rises {
                assert_eq!(crushed, [], "tick {tick}");
                continue;
            }
            let [crushed] = crushed[..] else {
                panic!("tick {tick}: {crushed:?}");
            };
            assert_eq!((crushed.entity, crushed.by), (player, press));
            assert_eq!(crushed.against, Some(ledge));
            let depth = crushed.depth - f32::from(tick);
            assert!(depth.abs() < 0.01, "tick {tick}: {crushed:?}");
        }
    }
}

#[test]
fn rotating_a_ledge_does_not_turn_its_solid_side() {
    for quarters in 1..4_u8 {
        for (from, way, to) in [(20.0, -20.0, 7.0), (-20.0, 40.0, 20.0)] {
            let mut app = moving_app();
            let angle = f32::from(quarters) * std::f32::consts::FRAC_PI_2;
            let turned = Transform::from_rotation(Quat::from_rotation_z(angle));
            let ledge = (BoxCollider::square(10.0), Body::Static, OneWay::default());
            app.world_mut().spawn((ledge, turned));
            let ball = (CircleCollider::new(2.0), a_tick(0.0, way), at(0.0, from));
            let ball = app.world_mut().spawn(ball).id();
            app.update();
            let end = place(&app, ball);
            assert!(
                end.distance(Vec2::new(0.0, to)) < 1.0e-4,
                "{quarters}: {end}"
            );
        }
    }
}

/// Planks between two banks, as in most platformers: who walks over is not stopped at an edge, and sinks nowhere.
#[test]
fn a_bridge_of_ledges_is_flush_with_the_ground_at_its_ends() {
    let ways = [
        (-40.0, 2.5),
        (120.0, -2.5),
        (-40.0, 8.0),
        (-40.0, 24.0),
        (120.0, -24.0),
        (-39.7, 1.3),
    ];
    for (is_round, width) in [(false, 80.0), (false, 8.0), (true, 80.0), (true, 8.0)] {
        for (from, step) in ways {
            let case = format!("round: {is_round}, planks of {width}, {step} from {from}");
            let mut app = moving_app();
            wall(&mut app, (-200.0, -16.0), (0.0, 0.0));
            wall(&mut app, (80.0, -16.0), (300.0, 0.0));
            for number in 0..(80.0 / width) as u32 {
                let plank = (BoxCollider::new(width, 4.0), Body::Static);
                let place = at((number as f32 + 0.5) * width, -2.0);
                app.world_mut().spawn((plank, OneWay::default(), place));
            }
            let mut body = app.world_mut().spawn((a_tick(step, 0.0), at(from, 8.0)));
            if is_round {
                body.insert(CircleCollider::new(8.0));
            } else {
                body.insert(BoxCollider::square(16.0));
            }
            let body = body.id();
            for number in 1..=(160.0 / step.abs()) as u32 {
                let mut velocity = app.world_mut().get_mut::<Velocity>(body).unwrap();
                velocity.0.y -= 16.0;
                app.update();
                let here = place(&app, body);
                assert_eq!(here.y, 8.0, "{case}, {number}");
                let gone = here.x - from - step * number as f32;
                assert!(gone.abs() < 0.01, "{case}, {number}: {here}");
                let ask = move |all: Collisions| (all.is_on_floor(body), all.is_on_wall(body));
                let on = app.world_mut().run_system_once(ask).unwrap();
                assert_eq!(on, (true, false), "{case}, {number}");
            }
        }
    }
}
