//! Belts: bodies with a surface velocity, which stand still and carry what stands on them.

use bevy::{
    ecs::{entity_disabling::Disabled, system::RunSystemOnce},
    prelude::*,
};
use bevy_nudge::{prelude::*, tiles::TileColliders};

use super::{TICKS_PER_SECOND, a_tick, fall, mover, moving_app, velocity};
use crate::common::{at, place, wall};

/// Returns the surface velocity for so many units a tick.
fn runs(x: f32, y: f32) -> SurfaceVelocity {
    SurfaceVelocity(Vec2::new(x, y) * TICKS_PER_SECOND)
}

/// Spawns a belt from -500 to 500, with its top at 0.
fn belt(app: &mut App, surface: SurfaceVelocity) -> Entity {
    let belt = wall(app, (-500.0, -10.0), (500.0, 0.0));
    app.world_mut().entity_mut(belt).insert(surface);
    belt
}

/// Spawns a square of 10 that is moved only by what it stands on.
fn parcel(app: &mut App, x: f32, y: f32) -> Entity {
    let parcel = (BoxCollider::square(10.0), at(x, y));
    app.world_mut().spawn(parcel).id()
}

#[test]
fn a_belt_takes_along_what_stands_on_it() {
    for kind in [Body::Static, Body::Kinematic] {
        let mut app = moving_app();
        let belt = belt(&mut app, runs(2.0, 0.0));
        app.world_mut().entity_mut(belt).insert(kind);
        let lies = parcel(&mut app, -40.0, 5.0);
        let on_top = parcel(&mut app, -38.0, 15.0);
        let round = (CircleCollider::new(5.0), a_tick(0.0, 0.0), at(-70.0, 5.0));
        let round = app.world_mut().spawn(round).id();
        let walker = mover(&mut app, 10.0, (0.0, 0.0), a_tick(0.0, 0.0));
        let beside = parcel(&mut app, 505.0, -5.0);
        let below = parcel(&mut app, 0.0, -15.0);
        for tick in 1..=20 {
            app.world_mut().get_mut::<Velocity>(walker).unwrap().0.x = 3.0 * TICKS_PER_SECOND;
            fall(&mut app, walker);
            let way = 2.0 * tick as f32;
            let case = format!("{kind:?}, tick {tick}");
            assert_eq!(place(&app, lies), Vec2::new(-40.0 + way, 5.0), "{case}");
            assert_eq!(place(&app, on_top), Vec2::new(-38.0 + way, 15.0), "{case}");
            assert_eq!(place(&app, round), Vec2::new(-70.0 + way, 5.0), "{case}");
            let walked = Vec2::new(5.0 + way * 2.5, 5.0);
            assert_eq!(place(&app, walker), walked, "{case}");
            assert_eq!(velocity(&app, walker), Vec2::new(3.0, 0.0), "{case}");
            assert_eq!(velocity(&app, round), Vec2::ZERO, "{case}");
        }
        assert_eq!(place(&app, beside), Vec2::new(505.0, -5.0));
        assert_eq!(place(&app, below), Vec2::new(0.0, -15.0));
        assert_eq!(place(&app, belt), Vec2::new(0.0, -5.0));
    }
}

/// A body that is half over the end of a belt is still carried. Then it stands, or falls with its own velocity.
#[test]
fn at_the_end_of_a_belt_so_ends_the_carrying() {
    let mut app = moving_app();
    let belt = wall(&mut app, (0.0, -10.0), (100.0, 0.0));
    app.world_mut().entity_mut(belt).insert(runs(4.0, 0.0));
    wall(&mut app, (100.0, -10.0), (200.0, 0.0));
    let stands = mover(&mut app, 10.0, (88.0, 0.0), a_tick(0.0, 0.0));
    for _ in 0..10 {
        fall(&mut app, stands);
    }
    // Its left side is at 88, 92, 96 and 100, where the belt ends; there it still touches the belt.
    let left = place(&app, stands).x - 5.0;
    assert!((100.0..=104.0).contains(&left), "{left}");
    assert_eq!(velocity(&app, stands), Vec2::ZERO);

    let mut app = moving_app();
    let belt = wall(&mut app, (0.0, -10.0), (100.0, 0.0));
    app.world_mut().entity_mut(belt).insert(runs(4.0, 0.0));
    let falls = mover(&mut app, 10.0, (88.0, 0.0), a_tick(0.0, 0.0));
    for _ in 0..30 {
        fall(&mut app, falls);
    }
    let at = place(&app, falls);
    assert!((105.0..=109.0).contains(&at.x) && at.y < -20.0, "{at}");
}

/// The wall may be another body, a part of the belt's body, or a tile of the same grid: none of them moves as the belt does.
#[test]
fn what_a_belt_takes_along_stops_at_walls() {
    for case in ["another body", "a part of it", "a tile of it"] {
        let mut app = moving_app();
        match case {
            "a tile of it" => {
                let mut cells: Vec<IVec2> = (0..20).map(|x| IVec2::new(x, 0)).collect();
                cells.extend((1..5).map(|y| IVec2::new(9, y)));
                let tiles = TileColliders::from_cells(Vec2::splat(10.0), cells);
                app.world_mut()
                    .spawn((tiles, runs(4.0, 0.0), at(0.0, -10.0)));
            }
            _ => {
                let belt = wall(&mut app, (0.0, -10.0), (200.0, 0.0));
                app.world_mut().entity_mut(belt).insert(runs(4.0, 0.0));
                let stop = wall(&mut app, (90.0, 0.0), (100.0, 50.0));
                if case == "a part of it" {
                    let mut stop = app.world_mut().entity_mut(stop);
                    stop.remove::<Body>();
                    stop.insert((ChildOf(belt), at(-5.0, 30.0)));
                }
            }
        }
        app.update();
        let first = mover(&mut app, 10.0, (55.0, 0.0), a_tick(0.0, 0.0));
        let on_top = parcel(&mut app, 62.0, 15.0);
        let second = parcel(&mut app, 35.0, 5.0);
        let walker = mover(&mut app, 10.0, (5.0, 0.0), a_tick(0.0, 0.0));
        for tick in 0..60 {
            app.world_mut().get_mut::<Velocity>(walker).unwrap().0.x = TICKS_PER_SECOND;
            for body in [first, walker] {
                let mut velocity = app.world_mut().get_mut::<Velocity>(body).unwrap();
                velocity.0.y -= 20.0;
            }
            app.update();
            let right = place(&app, first).x + 5.0;
            assert!(right <= 90.0, "{case}, tick {tick}: {right}");
        }
        assert_eq!(place(&app, first), Vec2::new(85.0, 5.0), "{case}");
        assert_eq!(place(&app, on_top), Vec2::new(85.0, 15.0), "{case}");
        assert_eq!(velocity(&app, first), Vec2::ZERO, "{case}");
        let [x, y] = place(&app, second).to_array();
        assert!((x - 75.0).abs() < 1.0e-3 && y == 5.0, "{case}: {x} {y}");
        let [x, y] = place(&app, walker).to_array();
        assert!((x - 65.0).abs() < 1.0e-3 && y == 5.0, "{case}: {x} {y}");
    }
}

#[test]
fn however_fast_a_belt_is_nobody_is_carried_through_a_wall() {
    let mut app = moving_app();
    belt(&mut app, runs(90.0, 0.0));
    wall(&mut app, (101.0, 0.0), (102.0, 20.0));
    let parcel = parcel(&mut app, 0.0, 5.0);
    for _ in 0..10 {
        app.update();
    }
    assert_eq!(place(&app, parcel), Vec2::new(96.0, 5.0));
}

/// On a lift or a cart the belt's velocity is added to that of its body. A wall on the cart moves only with the cart.
#[test]
fn a_belt_on_what_moves_comes_on_top_of_that() {
    let mut app = moving_app();
    let cart = belt(&mut app, runs(2.0, 0.0));
    app.world_mut()
        .entity_mut(cart)
        .insert((Body::Kinematic, Velocity::default()));
    let side = (BoxCollider::new(10.0, 20.0), at(45.0, 15.0), ChildOf(cart));
    app.world_mut().spawn(side);
    let carried = parcel(&mut app, 0.0, 5.0);
    let on_top = parcel(&mut app, 1.0, 15.0);
    app.update();
    app.world_mut().entity_mut(cart).insert(a_tick(1.0, 0.5));
    for tick in 1..=40 {
        app.update();
        let tick = tick as f32;
        // The side is at 40, so both end at 35; until then they move by 2 a tick relative to the cart, as in the tick before.
        for (body, from, height) in [(carried, 2.0, 5.0), (on_top, 3.0, 15.0)] {
            let beside = (from + 2.0 * tick).min(35.0);
            let expected = Vec2::new(tick + beside, height + 0.5 * tick);
            let apart = place(&app, body) - expected;
            assert!(apart.length() < 0.02, "tick {tick}, from {from}: {apart}");
        }
    }
}

/// A body walks against the side of a cart, while the cart and its belt carry it there: it loses all of its own velocity, and goes along with the cart.
#[test]
fn who_walks_on_a_belt_stops_at_the_side_of_its_cart() {
    let mut app = moving_app();
    let cart = belt(&mut app, runs(1.0, 0.0));
    app.world_mut()
        .entity_mut(cart)
        .insert((Body::Kinematic, Velocity::default()));
    let side = (BoxCollider::new(10.0, 20.0), at(45.0, 15.0), ChildOf(cart));
    app.world_mut().spawn(side);
    let walker = mover(&mut app, 10.0, (29.0, 0.0), a_tick(0.0, 0.0));
    fall(&mut app, walker);
    app.world_mut().entity_mut(cart).insert(a_tick(2.0, 0.0));
    app.world_mut().entity_mut(walker).insert(a_tick(3.0, 0.0));
    // The side is 1 away, and the walker approaches it by 4 a tick, 3 of which are its own.
    fall(&mut app, walker);
    assert_eq!(place(&app, walker), Vec2::new(37.0, 5.0));
    assert_eq!(velocity(&app, walker), Vec2::ZERO);
    fall(&mut app, walker);
    assert_eq!(place(&app, walker), Vec2::new(39.0, 5.0));
}

#[test]
fn on_two_belts_it_is_carried_by_the_faster_one_and_else_to_the_right() {
    for (case, left, right, expected) in [
        ("one stands", (2.0, 0.0), (0.0, 0.0), 2.0),
        ("one is faster", (1.0, 0.0), (3.0, 0.0), 3.0),
        ("the faster one is the other", (-3.0, 0.0), (1.0, 0.0), -3.0),
        ("together", (1.0, 0.0), (-1.0, 0.0), 1.0),
        ("apart", (-1.0, 0.0), (1.0, 0.0), 1.0),
    ] {
        for is_left_first in [true, false] {
            let mut app = moving_app();
            let mut belts = [((-100.0, 0.0), left), ((0.0, 100.0), right)];
            if !is_left_first {
                belts.reverse();
            }
            for ((from, to), (x, y)) in belts {
                let belt = wall(&mut app, (from, -10.0), (to, 0.0));
                app.world_mut().entity_mut(belt).insert(runs(x, y));
            }
            let parcel = parcel(&mut app, 0.0, 5.0);
            app.update();
            let at = place(&app, parcel);
            assert_eq!(at, Vec2::new(expected, 5.0), "{case}, {is_left_first}");
        }
    }
}

/// Only the part along the surface counts, and only for bodies that stand on it.
#[test]
fn a_belt_neither_lifts_nor_presses_nor_takes_along_what_is_beside_it() {
    for y in [5.0, -5.0] {
        let mut app = moving_app();
        belt(&mut app, runs(2.0, y));
        let stands = mover(&mut app, 10.0, (0.0, 0.0), a_tick(0.0, 0.0));
        let side = wall(&mut app, (-60.0, 0.0), (-50.0, 40.0));
        app.world_mut().entity_mut(side).insert(runs(0.0, y));
        let leans = parcel(&mut app, -45.0, 25.0);
        for _ in 0..5 {
            fall(&mut app, stands);
        }
        assert_eq!(place(&app, stands), Vec2::new(15.0, 5.0), "{y}");
        assert_eq!(place(&app, leans), Vec2::new(-45.0, 25.0), "{y}");
    }
}

#[test]
fn nobody_is_carried_where_nothing_stands_or_nothing_is_solid() {
    for case in [
        "no up",
        "a sensor",
        "disabled",
        "other layers",
        "in a ledge",
    ] {
        let mut app = moving_app();
        let belt = belt(&mut app, runs(2.0, 0.0));
        let mut height = 5.0;
        let mut belt = app.world_mut().entity_mut(belt);
        match case {
            "no up" => {
                app.insert_resource(CollisionSettings {
                    up: Vec2::ZERO,
                    ..default()
                });
            }
            "a sensor" => _ = belt.insert(Sensor),
            "disabled" => _ = belt.insert(Disabled),
            "other layers" => _ = belt.insert(CollisionLayers::new(2, 2)),
            _ => {
                height = 3.0;
                belt.insert(OneWay::default());
            }
        }
        let parcel = parcel(&mut app, 0.0, height);
        for _ in 0..5 {
            app.update();
        }
        assert_eq!(place(&app, parcel), Vec2::new(0.0, height), "{case}");
    }
}

#[test]
fn a_ledge_may_be_a_belt() {
    let mut app = moving_app();
    let ledge = belt(&mut app, runs(2.0, 0.0));
    app.world_mut().entity_mut(ledge).insert(OneWay::default());
    let parcel = parcel(&mut app, 0.0, 5.0);
    app.update();
    assert_eq!(place(&app, parcel), Vec2::new(2.0, 5.0));
}

/// A belt that is switched, turned, removed or despawned has its effect in the very next tick.
#[test]
fn a_belt_is_what_it_is_when_the_tick_begins() {
    let mut app = moving_app();
    let belt = belt(&mut app, runs(2.0, 0.0));
    let parcel = parcel(&mut app, 0.0, 5.0);
    let x = |app: &mut App| {
        app.update();
        place(app, parcel).x
    };
    assert_eq!(x(&mut app), 2.0);
    assert_eq!(x(&mut app), 4.0);
    app.world_mut().entity_mut(belt).insert(runs(-5.0, 0.0));
    assert_eq!(x(&mut app), -1.0);
    app.world_mut().entity_mut(belt).remove::<SurfaceVelocity>();
    assert_eq!(x(&mut app), -1.0);
    app.world_mut().entity_mut(belt).insert(runs(1.0, 0.0));
    assert_eq!(x(&mut app), 0.0);
    app.world_mut().entity_mut(belt).insert(runs(0.0, 0.0));
    assert_eq!(x(&mut app), 0.0);
    app.world_mut().entity_mut(belt).insert(runs(f32::NAN, 0.0));
    assert_eq!(x(&mut app), 0.0);
    app.world_mut().entity_mut(belt).insert(runs(3.0, 0.0));
    // The invalid belt took no part; now it is back below a parcel that has stayed in its place.
    assert_eq!(x(&mut app), 3.0);
    assert_eq!(x(&mut app), 6.0);
    // A wall that gets the slot of a despawned belt is no belt.
    app.world_mut().despawn(belt);
    assert_eq!(x(&mut app), 6.0);
    wall(&mut app, (-500.0, -10.0), (500.0, 0.0));
    for _ in 0..3 {
        assert_eq!(x(&mut app), 6.0);
    }
}

#[test]
fn the_tiles_of_a_grid_are_a_belt_and_follow_it() {
    let mut app = moving_app();
    let cells = (-10..10).map(|x| IVec2::new(x, 0));
    let tiles = TileColliders::from_cells(Vec2::splat(10.0), cells);
    let grid = (tiles, runs(2.0, 0.0), at(0.0, -10.0));
    let grid = app.world_mut().spawn(grid).id();
    app.update();
    let parcel = parcel(&mut app, 0.0, 5.0);
    let x = |app: &mut App| {
        app.update();
        place(app, parcel).x
    };
    assert_eq!(x(&mut app), 2.0);
    assert_eq!(x(&mut app), 4.0);
    // Now it stands on other tiles, whose contact is new.
    let mut tiles = app.world_mut().get_mut::<TileColliders>(grid).unwrap();
    tiles.set(IVec2::new(4, 0), false);
    assert_eq!(x(&mut app), 6.0);
    app.world_mut().entity_mut(grid).insert(runs(-1.0, 0.0));
    assert_eq!(x(&mut app), 5.0);
    app.world_mut().entity_mut(grid).remove::<SurfaceVelocity>();
    assert_eq!(x(&mut app), 5.0);
}

#[test]
fn a_rider_takes_the_belts_velocity_along() {
    use PlatformOnLeave::{AddUpwardVelocity, AddVelocity, DoNothing};
    for (on_leave, expected) in [
        (DoNothing, 0.0),
        (AddVelocity, 2.0),
        (AddUpwardVelocity, 2.0),
    ] {
        let mut app = moving_app();
        belt(&mut app, runs(2.0, 0.0));
        let rider = mover(&mut app, 10.0, (0.0, 0.0), a_tick(0.0, 0.0));
        app.world_mut()
            .entity_mut(rider)
            .insert(Rider::new(on_leave));
        fall(&mut app, rider);
        fall(&mut app, rider);
        let by = |app: &App| app.world().get::<Rider>(rider).unwrap().platform_velocity;
        assert_eq!(by(&app), Vec2::X * 2.0 * TICKS_PER_SECOND);
        app.world_mut().get_mut::<Velocity>(rider).unwrap().0.y = 10.0 * TICKS_PER_SECOND;
        fall(&mut app, rider);
        assert_eq!(velocity(&app, rider).x, expected, "{on_leave:?}");
        assert_eq!(by(&app), Vec2::ZERO);
        // It flies, and lands on the belt again, where it stands.
        let mut ticks = 0;
        while velocity(&app, rider).y != 0.0 {
            fall(&mut app, rider);
            ticks += 1;
            assert!(ticks < 1000, "it lands");
        }
        assert_eq!(velocity(&app, rider), Vec2::ZERO, "{on_leave:?}");
        assert_eq!(by(&app), Vec2::X * 2.0 * TICKS_PER_SECOND, "{on_leave:?}");
        let before = place(&app, rider).x;
        fall(&mut app, rider);
        assert_eq!(place(&app, rider).x - before, 2.0, "{on_leave:?}");
    }
}

/// A body without a `Rider` that lands on a belt keeps its own velocity.
#[test]
fn who_lands_on_a_belt_keeps_its_own_velocity() {
    let mut app = moving_app();
    belt(&mut app, runs(2.0, 0.0));
    let body = mover(&mut app, 10.0, (0.0, 3.0), a_tick(1.0, -6.0));
    app.update();
    // It touches the belt after half of the tick, and is carried from the next one on.
    assert_eq!(place(&app, body), Vec2::new(6.0, 5.0));
    assert_eq!(velocity(&app, body), Vec2::new(1.0, 0.0));
    app.update();
    assert_eq!(place(&app, body), Vec2::new(9.0, 5.0));
}

/// With any response a body is carried, and leaves a wall with its own velocity.
#[test]
fn any_response_is_carried() {
    for response in [
        Response::Slide,
        Response::Stop,
        Response::Bounce { restitution: 0.5 },
    ] {
        let mut app = moving_app();
        belt(&mut app, runs(2.0, 0.0));
        let body = mover(&mut app, 10.0, (0.0, 0.0), a_tick(0.0, 0.0));
        app.world_mut().entity_mut(body).insert(response);
        app.insert_resource(CollisionSettings {
            bounce_threshold: 1000.0,
            ..default()
        });
        for _ in 0..10 {
            fall(&mut app, body);
        }
        assert_eq!(place(&app, body), Vec2::new(25.0, 5.0), "{response:?}");
        assert_eq!(velocity(&app, body), Vec2::ZERO, "{response:?}");
    }
}

/// A dynamic body may be a belt, such as a robot with a treadmill on a lift.
#[test]
fn a_belt_may_be_carried_itself() {
    let mut app = moving_app();
    let lift = wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
    app.world_mut()
        .entity_mut(lift)
        .insert((Body::Kinematic, Velocity::default()));
    let robot = (BoxCollider::new(40.0, 10.0), runs(-3.0, 0.0), at(0.0, 5.0));
    let robot = app.world_mut().spawn(robot).id();
    let load = parcel(&mut app, 0.0, 15.0);
    let hat = parcel(&mut app, 0.0, 25.0);
    // Before the lift starts, the belt has carried them once.
    app.update();
    app.world_mut().entity_mut(lift).insert(a_tick(1.0, 0.25));
    for tick in 1..=4 {
        app.update();
        let tick = tick as f32;
        for (body, from, way, height) in [
            (robot, 0.0, 1.0, 5.0),
            (load, -3.0, -2.0, 15.0),
            (hat, -3.0, -2.0, 25.0),
        ] {
            let expected = Vec2::new(from + way * tick, height + 0.25 * tick);
            let apart = place(&app, body) - expected;
            assert!(apart.length() < 0.01, "tick {tick}: {apart}");
        }
    }
}

/// On firm ground the lower one of two belts stays in place, carries the upper one, and the upper one in addition its load.
#[test]
fn a_belt_on_a_belt_goes_with_that() {
    let mut app = moving_app();
    wall(&mut app, (-500.0, -10.0), (500.0, 0.0));
    let lower = (BoxCollider::new(200.0, 10.0), runs(1.0, 0.0), at(0.0, 5.0));
    let lower = app.world_mut().spawn(lower).id();
    let upper = (BoxCollider::new(60.0, 10.0), runs(2.0, 0.0), at(0.0, 15.0));
    let upper = app.world_mut().spawn(upper).id();
    let load = parcel(&mut app, 0.0, 25.0);
    for tick in 1..=5 {
        app.update();
        let x = [lower, upper, load].map(|body| place(&app, body).x);
        assert_eq!(x, [0.0, 1.0, 3.0].map(|way| way * tick as f32));
    }
}

/// The gap is larger than touching allows, but within the margin of those that have met: no collision is reported.
#[test]
fn what_is_a_little_above_a_belt_does_not_stand_on_it() {
    for does_another_move in [false, true] {
        let mut app = moving_app();
        if does_another_move {
            mover(&mut app, 4.0, (0.0, 900.0), a_tick(1.0, 0.0));
        }
        belt(&mut app, runs(2.0, 0.0));
        let parcel = parcel(&mut app, 0.0, 5.005);
        for tick in 0..6 {
            app.update();
            assert_eq!(place(&app, parcel).x, 0.0, "{does_another_move}, {tick}");
        }
    }
}

/// A wheel that turns: a ball on it is carried along its side, and not level. The places are by a triangle of 3, 4 and 5: of the way of (1, 0), the part along the side is (0.64, -0.48) on the right, and (0.64, 0.48) on the left.
#[test]
fn a_round_belt_carries_along_its_side() {
    for (from, to) in [
        ((63.0, -16.0), (63.64, -16.48)),
        ((-63.0, -16.0), (-62.36, -15.52)),
        ((0.0, 5.0), (1.0, 5.0)),
    ] {
        let mut app = moving_app();
        let wheel = (CircleCollider::new(100.0), Body::Static, runs(1.0, 0.0));
        app.world_mut().spawn((wheel, at(0.0, -100.0)));
        let ball = (CircleCollider::new(5.0), a_tick(0.0, 0.0));
        let ball = app.world_mut().spawn((ball, at(from.0, from.1))).id();
        app.update();
        let off = place(&app, ball).distance(to.into());
        assert!(off < 0.02, "from {from:?}: {}", place(&app, ball));
    }
}

/// A square that falls keeps touching the wheel by its corner, for 20 ticks of one unit along the side.
#[test]
fn a_round_belt_keeps_what_it_carries() {
    let mut app = moving_app();
    let wheel = (CircleCollider::new(100.0), Body::Static, runs(1.0, 0.0));
    app.world_mut().spawn((wheel, at(0.0, -100.0)));
    let body = mover(&mut app, 10.0, (-5.0, 0.0), a_tick(0.0, 0.0));
    fall(&mut app, body);
    for _ in 0..20 {
        fall(&mut app, body);
    }
    let at = place(&app, body);
    // Along an arc the way would be 20 or less.
    assert!((15.0..=25.0).contains(&at.x), "{at}");
    let corner = at - Vec2::splat(5.0) + Vec2::new(0.0, 100.0);
    let corner = corner.max(Vec2::ZERO).length();
    assert!((corner - 100.0).abs() < 1.0, "{at}: {corner}");
}

#[test]
fn a_body_that_its_game_moves_step_by_step_is_carried_too() {
    let mut app = moving_app();
    let belt = belt(&mut app, runs(2.0, 0.0));
    let body = parcel(&mut app, 0.0, 5.0);
    let step = move |mover: Mover, mut places: Query<&mut Transform>| {
        let mut place = places.get_mut(body).expect("it has one");
        let options = MoveOptions::default();
        let moved = mover.move_and_slide(body, &mut place, Vec2::new(1.0, -0.5), &options);
        assert_eq!(moved.expect("it is a body").floor_entity, Some(belt));
    };
    app.update();
    for tick in 1..=10 {
        app.world_mut().run_system_once(step).expect("it runs");
        app.update();
        assert_eq!(place(&app, body), Vec2::new(2.0 + 3.0 * tick as f32, 5.0));
    }
}

#[test]
fn in_a_pause_a_belt_stands() {
    let mut app = moving_app();
    belt(&mut app, runs(2.0, 0.0));
    let parcel = parcel(&mut app, 0.0, 5.0);
    app.update();
    app.world_mut().insert_resource(Time::<()>::default());
    app.world_mut().run_schedule(FixedPostUpdate);
    assert_eq!(place(&app, parcel).x, 2.0);
    app.update();
    assert_eq!(place(&app, parcel).x, 4.0);
}

#[test]
fn a_part_of_a_body_may_be_a_belt() {
    let mut app = moving_app();
    let body = (Body::Static, at(0.0, -50.0));
    let body = app.world_mut().spawn(body).id();
    let belt = (BoxCollider::new(200.0, 10.0), runs(2.0, 0.0), at(0.0, 45.0));
    app.world_mut().spawn((belt, ChildOf(body)));
    let parcel = parcel(&mut app, 0.0, 5.0);
    for x in [2.0, 4.0] {
        app.update();
        assert_eq!(place(&app, parcel), Vec2::new(x, 5.0));
    }
}
