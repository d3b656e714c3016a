//! Bodies that move by their velocity. One tick is a 64th of a second, which floats represent exactly.

use bevy::{
    ecs::{entity_disabling::Disabled, system::RunSystemOnce},
    prelude::*,
};
use bevy_nudge::{
    kernel::{Shape, separation},
    prelude::*,
};

use crate::common::{app, at, place, take, tick, wall};

mod abreast;
mod apart;
mod as_one;
mod approach;
mod belts;
mod boarding;
mod bumpers;
mod crowds;
mod far_out;
mod formation;
mod flush;
mod leaning;
mod midway;
mod newcomers;
mod one_way;
mod platforms;
mod pressed;
mod rides;
mod rows;
mod shots;
mod stacks;
mod throngs;

const TICKS_PER_SECOND: f32 = 64.0;

/// Returns the velocity for so many units a tick.
fn a_tick(x: f32, y: f32) -> Velocity {
    Velocity(Vec2::new(x, y) * TICKS_PER_SECOND)
}

fn moving_app() -> App {
    let mut app = app();
    app.insert_resource(Time::<Fixed>::from_hz(f64::from(TICKS_PER_SECOND)));
    app
}

/// An app for many ticks, without the rest of a frame, which would take ten times as long.
fn ticking_app() -> App {
    let mut app = moving_app();
    let tick = std::time::Duration::from_secs(1) / TICKS_PER_SECOND as u32;
    app.world_mut().resource_mut::<Time>().advance_by(tick);
    app
}

/// Runs one tick of such an app, and returns how many collisions began in it.
fn tick_alone(app: &mut App) -> usize {
    app.world_mut().run_schedule(FixedPostUpdate);
    app.world_mut().clear_trackers();
    take::<Collision>(app);
    take::<CollisionEnded>(app);
    take::<CollisionStarted>(app).len()
}

/// Spawns a box of this size with its lower left corner at a place.
fn mover(app: &mut App, size: f32, corner: (f32, f32), velocity: Velocity) -> Entity {
    let half = size * 0.5;
    let start = at(corner.0 + half, corner.1 + half);
    let collider = BoxCollider::square(size);
    app.world_mut().spawn((collider, velocity, start)).id()
}

fn velocity(app: &App, entity: Entity) -> Vec2 {
    app.world().get::<Velocity>(entity).expect("it moves").0 / TICKS_PER_SECOND
}

#[test]
fn without_anything_in_the_way_it_just_moves() {
    let mut app = moving_app();
    let dot = app
        .world_mut()
        .spawn((CircleCollider::new(5.0), a_tick(3.0, -4.0)))
        .id();
    let ghost = app
        .world_mut()
        .spawn((Transform::default(), a_tick(1.0, 2.0)));
    let ghost = ghost.id();
    app.update();
    app.update();
    assert_eq!(place(&app, dot), Vec2::new(6.0, -8.0));
    assert_eq!(place(&app, ghost), Vec2::new(2.0, 4.0));
    assert_eq!(velocity(&app, dot), Vec2::new(3.0, -4.0));
}

#[test]
fn a_square_stops_at_the_wall_from_anywhere_and_at_any_speed() {
    // The tutorial's y points down, here it points up: the wall's edge is at -40, and a square 20 high at y = 21 reaches from -41 to -21.
    for speed in [10.0, 60.0, 70.0, 3000.0] {
        for start in [0.0, 7.0, 250.0, 280.0] {
            for (y, stops) in [(100.0, true), (21.0, true), (20.0, false)] {
                let mut app = moving_app();
                wall(&mut app, (300.0, -440.0), (340.0, -40.0));
                let square = mover(&mut app, 20.0, (start, -y - 20.0), a_tick(speed, 0.0));
                for _ in 0..40 {
                    app.update();
                }
                let x = place(&app, square).x - 10.0;
                let case = format!("from {start} at {speed}, y = {y}");
                if stops {
                    assert_eq!(x, 280.0, "{case}");
                    assert_eq!(velocity(&app, square), Vec2::ZERO, "{case}");
                } else {
                    assert_eq!(x, start + 40.0 * speed, "{case}");
                }
            }
        }
    }
}

#[test]
fn slides_along_what_it_meets_and_keeps_the_rest_of_its_way() {
    for (case, size, from, way, walls, end, hits) in [
        (
            "down onto a floor",
            32.0,
            (0.0, -100.0),
            (0.0, 164.0),
            vec![((0.0, 0.0), (64.0, 256.0))],
            (0.0, -32.0),
            1,
        ),
        (
            "between two boxes",
            1.0,
            (0.0, 0.0),
            (5.0, 5.0),
            vec![((0.0, 2.0), (1.0, 4.0)), ((2.0, 1.0), (3.0, 2.0))],
            (1.0, 5.0),
            1,
        ),
        (
            "into a corner",
            10.0,
            (0.0, 0.0),
            (40.0, 70.0),
            vec![
                ((30.0, -100.0), (40.0, 100.0)),
                ((-100.0, 50.0), (30.0, 60.0)),
            ],
            (20.0, 40.0),
            2,
        ),
    ] {
        let mut app = moving_app();
        for (from, to) in walls {
            wall(&mut app, from, to);
        }
        let body = mover(&mut app, size, from, a_tick(way.0, way.1));
        let told = tick(&mut app);
        let corner = place(&app, body) - size * 0.5;
        assert_eq!(corner, Vec2::from(end), "{case}");
        assert_eq!(told.len(), hits, "{case}: {told:?}");
    }
}

#[test]
fn bounces_as_much_as_it_should() {
    // The wall is met half a tick before the end of the tick.
    for (restitution, after, end) in [
        (1.0, -8.0, 16.0),
        (0.5, -4.0, 18.0),
        (0.0, 0.0, 20.0),
        (2.0, -16.0, 12.0),
        (-1.0, 0.0, 20.0), // not below 0
        (f32::NAN, 0.0, 20.0),
    ] {
        let mut app = moving_app();
        wall(&mut app, (30.0, -50.0), (40.0, 50.0));
        let ball = app.world_mut().spawn((
            CircleCollider::new(10.0),
            a_tick(8.0, 3.0),
            Response::bounce(restitution),
            at(16.0, 0.0),
        ));
        let ball = ball.id();
        app.update();
        assert_eq!(place(&app, ball), Vec2::new(end, 3.0), "{restitution}");
        let left = velocity(&app, ball);
        assert_eq!(left, Vec2::new(after, 3.0), "{restitution}");
    }
}

#[test]
fn stops_and_passes() {
    let mut app = moving_app();
    let level = wall(&mut app, (30.0, -50.0), (40.0, 50.0));
    let spawn = |app: &mut App, response: Response| {
        let parts = (
            CircleCollider::new(10.0),
            a_tick(8.0, 3.0),
            response,
            at(16.0, 0.0),
        );
        app.world_mut().spawn(parts).id()
    };
    let stops = spawn(&mut app, Response::Stop);
    app.update();
    assert_eq!(place(&app, stops), Vec2::new(20.0, 1.5));
    assert_eq!(velocity(&app, stops), Vec2::ZERO);
    app.world_mut().despawn(stops);

    let passes = spawn(&mut app, Response::Pass);
    let mut heard = Vec::new();
    for _ in 0..12 {
        heard.extend(tick(&mut app));
    }
    assert_eq!(place(&app, passes), Vec2::new(112.0, 36.0));
    assert!(heard.iter().all(|hit| hit.involves(level)));
    assert_eq!(heard.len(), 4, "at 24, 32, 40 and 48");
}

#[test]
fn what_is_crossed_in_one_tick_is_told_in_order() {
    let mut app = moving_app();
    let sensors: Vec<Entity> = [300.0, 100.0, 200.0]
        .into_iter()
        .map(|x| {
            let parts = (
                BoxCollider::new(1.0, 50.0),
                Body::Static,
                Sensor,
                at(x, 0.0),
            );
            app.world_mut().spawn(parts).id()
        })
        .collect();
    let parts = (CircleCollider::new(0.5), a_tick(400.0, 0.0));
    let bullet = app.world_mut().spawn(parts).id();
    app.update();

    let started = take::<CollisionStarted>(&mut app);
    let met: Vec<Option<Entity>> = started.iter().map(|hit| hit.other(bullet)).collect();
    assert_eq!(met, [1, 2, 0].map(|number| Some(sensors[number])));
    let times: Vec<f32> = started.iter().map(|hit| hit.time).collect();
    assert_eq!(times, [99.0, 199.0, 299.0].map(|way| way / 400.0));
    for hit in &started {
        assert_eq!(hit.normal_for(bullet), Some(Vec2::X));
    }
    assert_eq!(take::<CollisionEnded>(&mut app), []);

    app.update();
    let ended = take::<CollisionEnded>(&mut app);
    assert_eq!(ended.len(), 3);
    assert!(ended.iter().all(|end| end.reason == EndReason::Separated));
    assert_eq!(place(&app, bullet).x, 800.0);
}

#[test]
fn two_that_fly_at_each_other_do_not_pass() {
    let mut app = moving_app();
    let bounce = Response::Bounce { restitution: 1.0 };
    let [one, other] = [(-500.0, 600.0), (500.0, -400.0)].map(|(x, speed)| {
        let parts = (
            CircleCollider::new(5.0),
            a_tick(speed, 0.0),
            bounce,
            at(x, 0.0),
        );
        app.world_mut().spawn(parts).id()
    });
    let told = tick(&mut app);
    // They are 990 apart, at 1000 a tick.
    assert_eq!(told.len(), 1);
    assert!((told[0].time - 0.99).abs() < 1.0e-6);
    assert_eq!(velocity(&app, one), Vec2::new(-400.0, 0.0));
    assert_eq!(velocity(&app, other), Vec2::new(600.0, 0.0));
    assert!((place(&app, one).x - 90.0).abs() < 1.0e-3);
    assert!((place(&app, other).x - 110.0).abs() < 1.0e-3);
}

#[test]
fn a_door_shoves_who_stands_in_its_way_and_nothing_stops_it() {
    let mut app = moving_app();
    wall(&mut app, (300.0, -50.0), (310.0, 50.0));
    let door = app.world_mut().spawn((
        BoxCollider::new(4.0, 40.0),
        Body::Kinematic,
        a_tick(150.0, 0.0),
    ));
    let door = door.id();
    let parts = (CircleCollider::new(5.0), at(50.0, 0.0));
    let stands = app.world_mut().spawn(parts).id();
    app.update();
    assert_eq!(place(&app, door).x, 150.0);
    assert_eq!(place(&app, stands), Vec2::new(157.0, 0.0));
}

/// A body between a door and a wall that cannot give way is hit by one and the other without end.
#[test]
fn a_door_is_not_stopped_by_whom_it_crushes() {
    for (case, moves_by_itself) in [("without a velocity", false), ("with a velocity", true)] {
        let mut app = moving_app();
        let wall = wall(&mut app, (160.0, -50.0), (200.0, 50.0));
        let parts = (
            BoxCollider::new(4.0, 40.0),
            Body::Kinematic,
            a_tick(1.0, 0.0),
            at(140.0, 0.0),
        );
        let door = app.world_mut().spawn(parts).id();
        let parts = (CircleCollider::new(5.0), at(152.0, 0.0));
        let body = app.world_mut().spawn(parts).id();
        if moves_by_itself {
            app.world_mut().entity_mut(body).insert(Velocity::default());
        }
        // The gap is 160 - (142 + n) after n ticks: 10, as wide as the circle, after 8 ticks.
        for tick in 1..=12_u8 {
            app.update();
            let tick = f32::from(tick);
            assert_eq!(place(&app, door).x, 140.0 + tick, "{case}, tick {tick}");
            let told = take::<Crushed>(&mut app);
            if tick <= 8.0 {
                assert_eq!(told, [], "{case}, tick {tick}");
                continue;
            }
            let [crushed] = told[..] else {
                panic!("{case}, tick {tick}: {told:?}");
            };
            assert_eq!((crushed.entity, crushed.by), (body, door), "{case}");
            assert_eq!(crushed.against, Some(wall), "{case}");
            assert!(
                (crushed.depth - (tick - 8.0)).abs() < 0.01,
                "{case}: {crushed:?}"
            );
        }
        // When the door opens again, the body is free.
        app.world_mut().entity_mut(door).insert(a_tick(-5.0, 0.0));
        app.update();
        assert_eq!(place(&app, door).x, 147.0, "{case}");
        assert_eq!(take::<Crushed>(&mut app), [], "{case}");
        let x = place(&app, body).x;
        assert!((153.99..=155.01).contains(&x), "{case}: {x}");
    }
}

fn velocity_of(app: &App, entity: Entity) -> Vec2 {
    app.world().get::<Velocity>(entity).expect("it moves").0
}

#[test]
fn pressed_into_a_corner_it_does_not_stir() {
    for is_round in [false, true] {
        let mut app = ticking_app();
        wall(&mut app, (100.0, -500.0), (150.0, 500.0));
        wall(&mut app, (-500.0, -100.0), (100.0, -50.0));
        let mut body = app.world_mut().spawn(at(80.3, -31.7));
        if is_round {
            body.insert(CircleCollider::new(7.7));
        } else {
            body.insert(BoxCollider::square(15.4));
        }
        let body = body.id();
        let press = |app: &mut App| {
            app.world_mut()
                .entity_mut(body)
                .insert(Velocity(Vec2::new(333.3, -777.7)));
            tick_alone(app);
            place(app, body).to_array().map(f32::to_bits)
        };
        press(&mut app);
        press(&mut app);
        let rests = press(&mut app);
        for _ in 0..10_000 {
            assert_eq!(press(&mut app), rests, "round: {is_round}");
        }
    }
}

#[test]
fn a_ball_in_a_room_keeps_its_speed() {
    let mut app = ticking_app();
    app.world_mut()
        .spawn((BoundsCollider::new(200.0, 150.0), Body::Static));
    let boxes = [
        (-50.0, -20.0, 20.0),
        (40.0, 30.0, 30.0),
        (30.0, -45.0, 12.0),
    ];
    for (x, y, size) in boxes {
        let parts = (BoxCollider::square(size), Body::Static, at(x, y));
        app.world_mut().spawn(parts);
    }
    let speed = Vec2::new(731.0, 412.0);
    let parts = (
        CircleCollider::new(4.0),
        Velocity(speed),
        Response::Bounce { restitution: 1.0 },
    );
    let ball = app.world_mut().spawn(parts).id();
    let mut hits = 0;
    for _ in 0..100_000 {
        hits += tick_alone(&mut app);
        let center = place(&app, ball);
        assert!(
            center.x.abs() <= 96.001 && center.y.abs() <= 71.001,
            "{center}"
        );
        for (x, y, size) in boxes {
            let tile = Shape::rectangle(Vec2::splat(size * 0.5)).expect("valid");
            let dot = Shape::circle(4.0).expect("valid");
            let gap = separation(tile, dot, center - Vec2::new(x, y));
            assert!(gap > -1.0e-3, "{gap} at {center}");
        }
    }
    let ratio = velocity_of(&app, ball).length() / speed.length();
    assert!((ratio - 1.0).abs() < 1.0e-4, "{ratio}");
    // It moves 13 units a tick, and there are about 100 units from one obstacle to the next.
    assert!(hits > 10_000, "{hits}");
}

#[test]
fn bad_velocities_move_nothing_else() {
    let mut app = moving_app();
    let bad = app
        .world_mut()
        .spawn((CircleCollider::new(1.0), Velocity(Vec2::new(f32::NAN, 1.0))))
        .id();
    let good = app
        .world_mut()
        .spawn((CircleCollider::new(1.0), a_tick(2.0, 0.0), at(50.0, 0.0)))
        .id();
    app.update();
    assert_eq!(place(&app, bad), Vec2::ZERO);
    assert_eq!(place(&app, good), Vec2::new(52.0, 0.0));
    app.world_mut().entity_mut(bad).insert(a_tick(1.0, 0.0));
    app.update();
    assert_eq!(place(&app, bad), Vec2::X);
}

#[test]
fn children_go_along_and_are_in_the_way() {
    let mut app = moving_app();
    wall(&mut app, (60.0, -50.0), (70.0, 50.0));
    let body = app
        .world_mut()
        .spawn((Body::Dynamic, at(0.0, 0.0), a_tick(100.0, 0.0)));
    let body = body.id();
    app.world_mut()
        .spawn((CircleCollider::new(5.0), at(20.0, 0.0), ChildOf(body)));
    app.update();
    assert_eq!(place(&app, body), Vec2::new(35.0, 0.0));
}

/// Runs a tick with gravity.
fn fall(app: &mut App, body: Entity) {
    let mut velocity = app
        .world_mut()
        .get_mut::<Velocity>(body)
        .expect("it has one");
    velocity.0.y -= 980.0 / TICKS_PER_SECOND;
    app.update();
}

#[test]
fn one_way_platforms_are_passed_from_below_and_stood_on() {
    for is_round in [false, true] {
        let mut app = moving_app();
        let ledge = app.world_mut().spawn((
            BoxCollider::new(100.0, 6.0),
            Body::Static,
            OneWay::default(),
            at(0.0, 40.0),
        ));
        let ledge = ledge.id();
        wall(&mut app, (-200.0, -10.0), (200.0, 0.0));
        let mut body = app.world_mut().spawn((Velocity::default(), at(0.0, 8.0)));
        if is_round {
            body.insert(CircleCollider::new(8.0));
        } else {
            body.insert(BoxCollider::square(16.0));
        }
        let body = body.id();
        let jump = |app: &mut App, speed: f32| {
            app.world_mut()
                .entity_mut(body)
                .insert(Velocity(Vec2::new(0.0, speed)));
        };
        // A jump that ends with the body halfway through the ledge: it falls back, and is not lifted.
        jump(&mut app, 270.0);
        let mut highest = 0.0_f32;
        for _ in 0..60 {
            fall(&mut app, body);
            highest = highest.max(place(&app, body).y);
        }
        assert!((40.0..50.0).contains(&highest), "{highest}");
        assert_eq!(place(&app, body).y, 8.0, "round: {is_round}");
        // A jump that leads through the ledge: the body lands on it.
        jump(&mut app, 400.0);
        for _ in 0..80 {
            fall(&mut app, body);
        }
        assert_eq!(place(&app, body).y, 51.0, "round: {is_round}");
        assert!(tick(&mut app).iter().any(|hit| hit.involves(ledge)));
        // With `DropThrough` it drops.
        app.world_mut().entity_mut(body).insert(DropThrough);
        fall(&mut app, body);
        app.world_mut().entity_mut(body).remove::<DropThrough>();
        for _ in 0..60 {
            fall(&mut app, body);
        }
        assert_eq!(place(&app, body).y, 8.0, "round: {is_round}");
    }
}

#[test]
fn the_ends_of_a_one_way_platform_catch_nobody() {
    let mut app = moving_app();
    app.world_mut().spawn((
        BoxCollider::new(100.0, 6.0),
        Body::Static,
        OneWay::default(),
        at(0.0, 40.0),
    ));
    let body = mover(&mut app, 16.0, (-100.0, 30.0), a_tick(7.0, 0.0));
    for _ in 0..30 {
        app.update();
    }
    assert_eq!(place(&app, body), Vec2::new(118.0, 38.0));
}

#[test]
fn bad_one_way_directions_are_refused() {
    let mut app = moving_app();
    let parts = (BoxCollider::square(10.0), Body::Static, OneWay(Vec2::ZERO));
    app.world_mut().spawn(parts);
    let body = mover(&mut app, 4.0, (-2.0, 20.0), a_tick(0.0, -40.0));
    app.update();
    assert_eq!(place(&app, body).y, -18.0);
}

fn set(app: &mut App, body: Entity, x: f32, y: f32) {
    let mut transform = app
        .world_mut()
        .get_mut::<Transform>(body)
        .expect("it has one");
    transform.translation = Vec3::new(x, y, 0.0);
}

#[test]
fn what_is_swept_passes_nothing_however_its_game_moves_it() {
    let mut app = moving_app();
    wall(&mut app, (50.0, -100.0), (51.0, 100.0));
    let body = app
        .world_mut()
        .spawn((CircleCollider::new(10.0), Swept::default(), at(0.3, 0.7)))
        .id();
    app.update();
    // In free space it stays where the game puts it, to the bit.
    for (x, y) in [(0.1, 0.2), (-17.7, 33.3), (3.0e-5, 20.1)] {
        set(&mut app, body, x, y);
        app.update();
        assert_eq!(place(&app, body), Vec2::new(x, y));
    }
    set(&mut app, body, 0.0, 0.0);
    app.update();
    set(&mut app, body, 200.0, 40.0);
    app.update();
    assert_eq!(
        place(&app, body),
        Vec2::new(40.0, 40.0),
        "it slides along the wall"
    );
    // There is a way around the end of the wall, but no straight one.
    set(&mut app, body, 100.0, 40.0);
    app.update();
    assert_eq!(place(&app, body), Vec2::new(40.0, 40.0));

    set(&mut app, body, 100.0, 40.0);
    let mut swept = app.world_mut().get_mut::<Swept>(body).expect("it is swept");
    swept.teleport();
    app.update();
    assert_eq!(
        place(&app, body),
        Vec2::new(100.0, 40.0),
        "it is teleported"
    );
    set(&mut app, body, 0.0, 40.0);
    app.update();
    assert_eq!(
        place(&app, body),
        Vec2::new(61.0, 40.0),
        "and not swept back"
    );
}

/// As a part of another body it is not swept, and has no last place.
#[test]
fn what_leaves_its_body_is_swept_from_where_it_is_then() {
    let mut app = app();
    let body = app
        .world_mut()
        .spawn((CircleCollider::new(1.0), at(60.0, 0.0)))
        .id();
    let part = (
        CircleCollider::new(1.0),
        Swept::default(),
        at(5.0, 0.0),
        ChildOf(body),
    );
    let part = app.world_mut().spawn(part).id();
    wall(&mut app, (30.0, -50.0), (32.0, 50.0));
    app.update();
    app.update();
    app.world_mut()
        .entity_mut(part)
        .remove::<ChildOf>()
        .insert(at(65.0, 0.0));
    app.update();
    assert_eq!(place(&app, part), Vec2::new(65.0, 0.0));
    // From here on it is swept: on its way back it meets the wall.
    app.world_mut()
        .get_mut::<Transform>(part)
        .unwrap()
        .translation
        .x = 0.0;
    app.world_mut().despawn(body);
    app.update();
    assert_eq!(place(&app, part), Vec2::new(33.0, 0.0));
}

/// The game throws the body at a wall 40 to the right, or past it along a floor, and in the same tick it moves by its own velocity.
#[test]
fn what_is_swept_loses_only_what_was_in_the_way_of_its_own_velocity() {
    let bounce = Response::Bounce { restitution: 1.0 };
    for (case, response, own, thrown, end, left) in [
        (
            "away from the wall",
            Response::Slide,
            (-2.0, 3.0),
            (162.0, 0.0),
            (40.0, 3.0),
            (-2.0, 3.0),
        ),
        (
            "into the wall",
            Response::Slide,
            (2.0, 3.0),
            (158.0, 0.0),
            (40.0, 3.0),
            (0.0, 3.0),
        ),
        (
            "back from the wall",
            Response::Slide,
            (2.0, 3.0),
            (-20.0, 0.0),
            (-18.0, 3.0),
            (2.0, 3.0),
        ),
        (
            "bounced by itself",
            bounce,
            (80.0, 0.0),
            (0.0, 0.0),
            (0.0, 0.0),
            (-80.0, 0.0),
        ),
        (
            "bounced with the throw",
            bounce,
            (20.0, 0.0),
            (60.0, 0.0),
            (0.0, 0.0),
            (-20.0, 0.0),
        ),
        (
            "bounced on its way back",
            bounce,
            (-2.0, 0.0),
            (82.0, 0.0),
            (0.0, 0.0),
            (-2.0, 0.0),
        ),
        (
            "stopped for good",
            Response::Stop,
            (-2.0, 0.0),
            (82.0, 0.0),
            (40.0, 0.0),
            (0.0, 0.0),
        ),
        (
            "along a floor, against the throw",
            Response::Slide,
            (2.0, -40.0),
            (-10.0, 0.0),
            (-8.0, -20.0),
            (2.0, 0.0),
        ),
    ] {
        let mut app = moving_app();
        wall(&mut app, (50.0, -100.0), (51.0, 100.0));
        wall(&mut app, (-100.0, -40.0), (50.0, -30.0));
        let ball = (CircleCollider::new(10.0), Swept::default(), at(0.0, 0.0));
        let ball = app.world_mut().spawn((ball, response, Velocity::default()));
        let ball = ball.id();
        app.update();
        let (own, thrown) = (a_tick(own.0, own.1), Vec2::from(thrown));
        app.world_mut().entity_mut(ball).insert(own);
        set(&mut app, ball, thrown.x, thrown.y);
        app.update();
        assert_eq!(place(&app, ball), Vec2::from(end), "{case}");
        assert_eq!(velocity(&app, ball), Vec2::from(left), "{case}");
    }
}

/// Among many still colliders, the few that moved in the last tick are updated one by one: a gate that moved in the last tick and stands still in this one is met where it is.
#[test]
fn who_went_before_and_waits_now_is_in_the_way() {
    let mut app = moving_app();
    for number in 0..100 {
        let x = 1000.0 + 100.0 * number as f32;
        wall(&mut app, (x, 0.0), (x + 10.0, 10.0));
    }
    let gate = (BoxCollider::square(10.0), Body::Kinematic, at(20.0, -1.0));
    let gate = app.world_mut().spawn((gate, a_tick(0.0, 1.0))).id();
    let ball = (BoxCollider::square(10.0), at(0.0, 0.0));
    let ball = app.world_mut().spawn((ball, Velocity::default())).id();
    app.update();
    assert_eq!(place(&app, gate), Vec2::new(20.0, 0.0));
    app.world_mut().entity_mut(gate).remove::<Velocity>();
    app.world_mut().entity_mut(ball).insert(a_tick(40.0, 0.0));
    app.update();
    assert_eq!(place(&app, ball), Vec2::new(10.0, 0.0));
    assert_eq!(velocity(&app, ball), Vec2::ZERO);
}

#[test]
fn what_is_swept_stops_or_slides_as_a_filter_says() {
    for (own, of_pair, left) in [
        (Response::Slide, Response::Stop, 0.0),
        (Response::Stop, Response::Slide, -2.0),
    ] {
        let mut app = moving_app();
        app.add_collision_filter(move |_: In<Pair>| Verdict::Respond(of_pair));
        wall(&mut app, (50.0, -100.0), (51.0, 100.0));
        let ball = (CircleCollider::new(10.0), Swept::default(), at(0.0, 0.0));
        let ball = app.world_mut().spawn((ball, own, Velocity::default()));
        let ball = ball.id();
        app.update();
        app.world_mut().entity_mut(ball).insert(a_tick(-2.0, 0.0));
        set(&mut app, ball, 82.0, 0.0);
        app.update();
        assert_eq!(place(&app, ball), Vec2::new(40.0, 0.0), "{of_pair:?}");
        assert_eq!(velocity(&app, ball), Vec2::new(left, 0.0), "{of_pair:?}");
    }
}

/// A ram of 20 by 20 moves to the left by 64 a tick and meets the ball, 32 to the left of it, after half a tick. The ball stays nearly where it is: the game takes back all but a 64th of a unit of what its velocity does. The ram
/// approaches by 64 and 1/64 a tick, and the ball flies off at the same speed.
#[test]
fn what_is_swept_is_hit_no_harder_than_by_what_hits_it() {
    let bounce = Response::Bounce { restitution: 1.0 };
    let fly_off = |is_swept: bool, own: f32, thrown: f32| {
        let mut app = moving_app();
        let ball = (CircleCollider::new(10.0), bounce, Velocity::default());
        let ball = app.world_mut().spawn((ball, at(0.0, 0.0))).id();
        if is_swept {
            app.world_mut().entity_mut(ball).insert(Swept::default());
        }
        app.update();
        let ram = (BoxCollider::square(20.0), Body::Kinematic, at(52.0, 0.0));
        app.world_mut().spawn((ram, a_tick(-64.0, 0.0)));
        app.world_mut().entity_mut(ball).insert(a_tick(own, 0.0));
        set(&mut app, ball, thrown, 0.0);
        app.update();
        velocity(&app, ball).x
    };
    // -64 - (64 + 1/64).
    let off = -128.0 - 1.0 / 64.0;
    assert_eq!(fly_off(false, 1.0 / 64.0, 0.0), off, "not swept");
    assert_eq!(fly_off(true, 1.0 / 64.0, 0.0), off, "not thrown");
    assert_eq!(fly_off(true, 2.0, 1.0 / 64.0 - 2.0), off, "thrown");
}

#[test]
fn what_is_swept_stands_on_ledges_and_goes_along_with_a_velocity() {
    let mut app = moving_app();
    app.world_mut().spawn((
        BoxCollider::new(100.0, 2.0),
        Body::Static,
        OneWay::default(),
        at(0.0, -1.0),
    ));
    let body = mover(&mut app, 10.0, (-5.0, 40.0), a_tick(2.0, 0.0));
    app.world_mut().entity_mut(body).insert(Swept::default());
    app.update();
    for number in 2..=10 {
        let before = place(&app, body);
        set(&mut app, body, before.x, before.y - 30.0);
        app.update();
        let expected = Vec2::new(
            2.0 * number as f32,
            (45.0 - 30.0 * (number - 1) as f32).max(5.0),
        );
        assert_eq!(place(&app, body), expected);
        assert_eq!(velocity(&app, body), Vec2::new(2.0, 0.0));
    }
}

#[test]
fn a_room_keeps_in_what_moves_with_each_response() {
    for (response, end, left) in [
        (Response::Slide, Vec2::new(90.0, 20.0), Vec2::new(0.0, 20.0)),
        (Response::Stop, Vec2::new(90.0, 10.0), Vec2::ZERO),
        (
            Response::Bounce { restitution: 1.0 },
            Vec2::new(80.0, 20.0),
            Vec2::new(-20.0, 20.0),
        ),
        (
            Response::Pass,
            Vec2::new(100.0, 20.0),
            Vec2::new(20.0, 20.0),
        ),
    ] {
        let mut app = moving_app();
        app.world_mut().spawn(BoundsCollider::new(200.0, 200.0));
        let parts = (
            CircleCollider::new(10.0),
            a_tick(20.0, 20.0),
            response,
            at(80.0, 0.0),
        );
        let dot = app.world_mut().spawn(parts).id();
        let told = tick(&mut app);
        assert_eq!(place(&app, dot), end, "{response:?}");
        assert_eq!(velocity(&app, dot), left, "{response:?}");
        assert_eq!(told.len(), 1, "{response:?}");
        assert_eq!(told[0].normal_for(dot), Some(Vec2::X), "{response:?}");
    }
}

/// Returns how far a point is from the surface of a collider without an offset; negative inside.
fn gap_to(app: &App, collider: Entity, point: Vec2) -> f32 {
    let entity = app.world().entity(collider);
    let offset = point - place(app, collider);
    let shape = if let Some(circle) = entity.get::<CircleCollider>() {
        Shape::circle(circle.radius)
    } else if let Some(square) = entity.get::<BoxCollider>() {
        Shape::rectangle(square.half_size)
    } else {
        let room = entity.get::<BoundsCollider>().expect("a collider");
        return (room.half_size - offset.abs()).min_element();
    };
    separation(shape.expect("valid"), Shape::POINT, offset)
}

/// Everything that moves, carries, lets pass, and is removed, combined at random: nothing panics, every place is finite, and starts and ends are balanced.
#[test]
fn a_wild_world_keeps_its_books() {
    let mut random = fastrand::Rng::with_seed(33);
    let mut app = moving_app();
    app.world_mut().spawn(BoundsCollider::new(400.0, 400.0));
    let mut all: Vec<Entity> = Vec::new();
    let mut open = std::collections::BTreeSet::new();
    let mut halfway = 0;
    for number in 0..1500 {
        for _ in 0..3 {
            let [x, y, vx, vy] =
                [380.0, 380.0, 3000.0, 3000.0].map(|wide| (random.f32() - 0.5) * wide);
            match random.u32(0..10) {
                0..4 if all.len() < 60 => {
                    let mut one = app.world_mut().spawn(at(x, y));
                    if random.bool() {
                        one.insert(CircleCollider::new(random.f32() * 12.0));
                    } else {
                        one.insert(BoxCollider::new(
                            1.0 + random.f32() * 30.0,
                            1.0 + random.f32() * 10.0,
                        ));
                    }
                    one.insert(match random.u32(0..4) {
                        0 => Body::Static,
                        1 => Body::Kinematic,
                        _ => Body::Dynamic,
                    });
                    if random.bool() {
                        one.insert(Velocity(Vec2::new(vx, vy)));
                    }
                    one.insert(match random.u32(0..5) {
                        0 => Response::Bounce {
                            restitution: random.f32(),
                        },
                        1 => Response::Stop,
                        2 => Response::Pass,
                        _ => Response::Slide,
                    });
                    if random.u32(0..4) == 0 {
                        one.insert(Swept::default());
                    }
                    if random.u32(0..6) == 0 {
                        one.insert(OneWay(Vec2::from_angle(random.f32() * 6.3)));
                    }
                    all.push(one.id());
                }
                4 if !all.is_empty() => {
                    let gone = all.swap_remove(random.usize(0..all.len()));
                    app.world_mut().despawn(gone);
                }
                5..8 if !all.is_empty() => {
                    let one = all[random.usize(0..all.len())];
                    app.world_mut()
                        .entity_mut(one)
                        .insert(Velocity(Vec2::new(vx, vy)));
                }
                8 if !all.is_empty() => set(&mut app, all[random.usize(0..all.len())], x, y),
                9 if !all.is_empty() => {
                    let one = all[random.usize(0..all.len())];
                    app.world_mut()
                        .entity_mut(one)
                        .insert(Sensor)
                        .remove::<OneWay>();
                }
                _ => {}
            }
        }
        let hits = tick(&mut app);
        for hit in &hits {
            let case = format!("tick {number}: {hit:?}");
            assert!(hit.normal.is_normalized() && hit.depth >= 0.0, "{case}");
            assert!((0.0..=1.0).contains(&hit.time), "{case}");
            assert!(hit.point.is_finite(), "{case}");
            let is_fixed = |one| app.world().get::<Body>(one) != Some(&Body::Dynamic);
            if hit.time < 1.0 || ![hit.a, hit.b].into_iter().all(is_fixed) {
                continue;
            }
            // Neither was pushed: the point is halfway between their surfaces.
            for one in [hit.a, hit.b] {
                let gap = gap_to(&app, one, hit.point);
                assert!(gap.abs() <= hit.depth * 0.5 + 0.01, "{case}: {gap}");
                halfway += 1;
            }
        }
        let now: std::collections::BTreeSet<_> = hits
            .iter()
            .map(|hit| [hit.a, hit.b].map(|entity| entity.to_bits()))
            .collect();
        for started in take::<CollisionStarted>(&mut app) {
            assert!((0.0..=1.0).contains(&started.time) && started.normal.is_normalized());
            let pair = [started.a, started.b].map(|entity| entity.to_bits());
            assert!(open.insert(pair), "tick {number}: started twice");
        }
        for ended in take::<CollisionEnded>(&mut app) {
            let pair = [ended.a, ended.b].map(|entity| entity.to_bits());
            assert!(open.remove(&pair), "tick {number}: ended twice");
        }
        assert_eq!(open, now, "tick {number}");
        for &one in &all {
            let place = place(&app, one);
            assert!(
                place.is_finite() && place.abs().max_element() < 1.0e5,
                "{place}"
            );
        }
    }
    assert!(halfway > 1000, "{halfway}");
}

/// A body that has bounced was never on the other side of what it hit, where its new path extended backwards would be.
#[test]
fn nobody_meets_a_way_that_was_never_gone() {
    let mut app = moving_app();
    let dot = CircleCollider::new(5.0);
    let runs = app
        .world_mut()
        .spawn((dot, a_tick(160.0, 0.0), at(0.0, 0.0)))
        .id();
    // It comes down to y = 20 at 0.4 of the tick. Extended backwards from there, its way up would be at (48, 0) at 0.3, where the runner is then.
    app.world_mut().spawn((
        dot,
        a_tick(0.0, -200.0),
        Response::Bounce { restitution: 1.0 },
        at(48.0, 100.0),
    ));
    wall(&mut app, (38.0, 10.0), (58.0, 15.0));
    // A gate, at which the sweep checks the rest of the runner's path once more.
    app.world_mut().spawn((
        BoxCollider::new(1.0, 4.0),
        Body::Static,
        Sensor,
        at(110.0, 0.0),
    ));
    let told = tick(&mut app);
    assert_eq!(told.len(), 2, "the bounce and the gate: {told:?}");
    assert_eq!(place(&app, runs), Vec2::new(160.0, 0.0));
    assert_eq!(velocity(&app, runs), Vec2::new(160.0, 0.0));
}

/// A crate is pushed down into the way of a square, where it was not when that set out: the square does not get as far as the coin, which would have been in its way in the last twelfth of the tick.
#[test]
fn who_is_stopped_by_what_comes_in_between_meets_nobody_behind_it() {
    let mut app = moving_app();
    let square = BoxCollider::square(10.0);
    app.world_mut().spawn((square, a_tick(60.0, 0.0)));
    app.world_mut().spawn((square, at(35.0, 12.0)));
    let press = (square, Body::Kinematic, a_tick(0.0, -20.0), at(35.0, 26.0));
    app.world_mut().spawn(press);
    let coin = (CircleCollider::new(2.0), Sensor, at(62.0, 0.0));
    let coin = app.world_mut().spawn(coin).id();
    app.update();
    let started = take::<CollisionStarted>(&mut app);
    assert!(started.len() >= 2, "{started:?}");
    assert!(!started.iter().any(|met| met.involves(coin)), "{started:?}");
}

#[test]
fn a_body_of_children_moves_in_a_slot_that_was_a_childs() {
    let mut app = moving_app();
    let parts = (CircleCollider::new(5.0), Body::Dynamic, at(500.0, 0.0));
    let parent = app.world_mut().spawn(parts).id();
    let family = |app: &mut App, parent: Entity| {
        let parts = (CircleCollider::new(5.0), at(20.0, 0.0), ChildOf(parent));
        app.world_mut().spawn(parts).id()
    };
    // Two children, because the next child will get one of their slots, and its body the other.
    let before = [(); 2].map(|()| family(&mut app, parent));
    app.update();
    for child in before {
        app.world_mut().despawn(child);
    }
    app.update();
    let body = app
        .world_mut()
        .spawn((Body::Dynamic, a_tick(7.0, 0.0), Transform::default()));
    let body = body.id();
    family(&mut app, body);
    app.update();
    assert_eq!(place(&app, body), Vec2::new(7.0, 0.0));
}

#[test]
fn in_no_time_nobody_gets_a_velocity() {
    let mut app = moving_app();
    let pushes = app
        .world_mut()
        .spawn((CircleCollider::new(5.0), Body::Kinematic, Swept::default()))
        .id();
    let parts = (CircleCollider::new(5.0), Velocity::default(), at(50.0, 0.0));
    let stands = app.world_mut().spawn(parts).id();
    app.update();
    set(&mut app, pushes, 60.0, 0.0);
    // A tick that passes no time, as in a paused game.
    app.world_mut()
        .resource_mut::<Time>()
        .advance_by(std::time::Duration::ZERO);
    app.world_mut().run_schedule(FixedPostUpdate);
    assert_eq!(place(&app, stands), Vec2::new(70.0, 0.0));
    assert_eq!(velocity(&app, stands), Vec2::ZERO);
    let started = take::<CollisionStarted>(&mut app);
    let speeds: Vec<f32> = started.iter().map(|hit| hit.approach_speed).collect();
    assert_eq!(speeds, [0.0]);
}

/// The response of a body also counts for its children's colliders: they are neither stopped on the way nor pushed out.
#[test]
fn a_body_that_passes_takes_its_children_through() {
    let mut app = app();
    let body = (Velocity(Vec2::new(64.0 * 10.0, 0.0)), Response::Pass);
    let body = (Body::Dynamic, body, at(0.0, 0.0));
    let body = app.world_mut().spawn(body).id();
    app.world_mut()
        .spawn((CircleCollider::new(5.0), ChildOf(body)));
    wall(&mut app, (12.0, -50.0), (60.0, 50.0));
    let mut started = 0;
    for tick in 1..=4 {
        app.update();
        started += take::<CollisionStarted>(&mut app).len();
        let expected = Vec2::new(tick as f32 * 10.0, 0.0);
        assert_eq!(place(&app, body), expected, "tick {tick}");
    }
    assert_eq!(started, 1, "it is reported");
}

#[test]
fn the_only_one_that_stands_among_many_that_move_is_met() {
    for way in [20.0, -20.0] {
        let mut app = moving_app();
        let stands = (BoxCollider::square(10.0), at(way * 1.125, 0.0));
        let stands = app.world_mut().spawn(stands).id();
        let pushes = mover(&mut app, 10.0, (-5.0, -5.0), a_tick(way, 0.0));
        for number in 1..20 {
            let far = 1000.0 * number as f32;
            mover(&mut app, 10.0, (0.0, far), a_tick(3.0, 0.0));
        }
        app.update();
        // From 22.5 to 10 it is 12.5, which leaves 0.375 of the tick; then both share the velocity.
        assert_eq!(place(&app, pushes), Vec2::new(way * 0.8125, 0.0), "{way}");
        assert_eq!(place(&app, stands), Vec2::new(way * 1.3125, 0.0), "{way}");
        assert_eq!(velocity(&app, pushes), Vec2::new(way * 0.5, 0.0), "{way}");
    }
}

/// A collider that takes no part can be moved through walls, and is not swept back behind them when it takes part again.
#[test]
fn what_is_swept_begins_anew_where_it_comes_back() {
    for how in ["ColliderDisabled", "Disabled", "no collider"] {
        let mut app = app();
        wall(&mut app, (49.0, -50.0), (51.0, 50.0));
        let dot = CircleCollider::new(5.0);
        let ghost = app.world_mut().spawn((dot, Swept::default(), at(0.0, 0.0)));
        let ghost = ghost.id();
        app.update();
        let mut entity = app.world_mut().entity_mut(ghost);
        match how {
            "ColliderDisabled" => entity.insert(ColliderDisabled),
            "Disabled" => entity.insert(Disabled),
            _ => entity.remove::<CircleCollider>(),
        };
        for step in 1..=10_u8 {
            let x = f32::from(step) * 10.0;
            app.world_mut().entity_mut(ghost).insert(at(x, 0.0));
            app.update();
        }
        let mut entity = app.world_mut().entity_mut(ghost);
        match how {
            "ColliderDisabled" => entity.remove::<ColliderDisabled>(),
            "Disabled" => entity.remove::<Disabled>(),
            _ => entity.insert(dot),
        };
        app.update();
        assert_eq!(place(&app, ghost), Vec2::new(100.0, 0.0), "{how}");
        // From then on it is swept as before.
        app.world_mut().entity_mut(ghost).insert(at(0.0, 0.0));
        app.update();
        assert_eq!(place(&app, ghost), Vec2::new(56.0, 0.0), "{how}");
    }
}

#[test]
fn what_is_static_stays_whatever_has_become_of_its_collider() {
    let mut app = app();
    let still = (Body::Static, Velocity(Vec2::new(64.0, 0.0)));
    let tile = BoxCollider::square(10.0);
    let world = app.world_mut();
    let all = [
        world.spawn((still, tile)).id(),
        world.spawn((still, tile, ColliderDisabled)).id(),
        world.spawn((still, Transform::default())).id(),
        world.spawn((still, BoxCollider::square(-10.0))).id(),
        world
            .spawn((still, Transform::default()))
            .with_child(tile)
            .id(),
    ];
    // Any other entity without a collider simply moves.
    let moves = Velocity(Vec2::new(64.0, 0.0));
    let ghost = world
        .spawn((moves, Body::Kinematic, Transform::default()))
        .id();
    app.update();
    for entity in all {
        assert_eq!(place(&app, entity), Vec2::ZERO, "{entity}");
    }
    assert_eq!(place(&app, ghost), Vec2::new(1.0, 0.0));
}

#[test]
fn what_is_kinematic_is_not_held_back_by_next_to_nothing() {
    // 0.0039 a tick: less than rounding errors may come to.
    let way = 1.0 / 256.0;
    let mut app = moving_app();
    wall(&mut app, (10.0, -50.0), (20.0, 50.0));
    let door = (BoxCollider::new(4.0, 40.0), Body::Kinematic);
    let door = (door, a_tick(way, 0.0), at(4.0, 0.0));
    let door = app.world_mut().spawn(door).id();
    // The body reaches from the door to the wall.
    let body = (BoxCollider::square(4.0), at(8.0, 0.0));
    let body = app.world_mut().spawn(body).id();
    let mut crushed = Vec::new();
    for tick in 1..=8_u8 {
        app.update();
        assert_eq!(
            place(&app, door).x,
            4.0 + f32::from(tick) * way,
            "tick {tick}"
        );
        crushed.extend(take::<Crushed>(&mut app));
    }
    assert!(crushed.iter().all(|one| one.entity == body));
    assert!(!crushed.is_empty(), "it is 0.03 deep");
}

#[test]
fn a_door_takes_along_any_number_of_those_who_stand_in_its_way() {
    for moves_by_itself in [false, true] {
        let mut app = moving_app();
        let door = (BoxCollider::new(4.0, 400.0), Body::Kinematic);
        app.world_mut().spawn((door, a_tick(30.0, 0.0)));
        let balls: Vec<Entity> = (0..40_u8)
            .map(|number| {
                let place = at(10.0, -160.0 + 8.0 * f32::from(number));
                let ball = app
                    .world_mut()
                    .spawn((CircleCollider::new(3.0), place))
                    .id();
                if moves_by_itself {
                    app.world_mut().entity_mut(ball).insert(Velocity::default());
                }
                ball
            })
            .collect();
        app.update();
        // The door reaches to 32.
        for ball in balls {
            assert_eq!(place(&app, ball).x, 35.0);
        }
    }
}

#[test]
fn who_begins_sunk_in_a_seam_meets_what_is_ahead_however_many_tiles_there_are() {
    // With few tiles all of them are checked; with many only those along the path.
    for tiles in [2_i8, 20] {
        let mut app = moving_app();
        let mut tile = |x: f32, y: f32| {
            let tile = (BoxCollider::square(16.0), Body::Static, at(x, y));
            app.world_mut().spawn(tile);
        };
        for number in -tiles..=tiles {
            tile(16.0 * f32::from(number) - 8.0, -8.0);
        }
        for number in 0..16_u8 {
            tile(9.0 + 0.5 * f32::from(number), 38.0);
        }
        wall(&mut app, (9.0, 0.0), (11.0, 20.0));
        // 2 deep in each of the two tiles sideways, and 2.5 from above.
        let body = (BoxCollider::new(4.0, 8.0), a_tick(20.0, 0.0), at(0.0, 1.5));
        let body = app.world_mut().spawn(body).id();
        app.update();
        assert_eq!(place(&app, body), Vec2::new(7.0, 4.0), "{tiles}");
    }
}

#[test]
fn two_that_slide_and_meet_head_on_keep_what_they_have_together() {
    // Both end with their common velocity, weighted by mass: (4 - 3 * speed) / 4.
    for (speed, expected) in [(2.0, -0.5), (4.0, -2.0), (6.0, -3.5), (8.0, -5.0)] {
        for turned in [1.0, -1.0] {
            let mut app = moving_app();
            let player = mover(&mut app, 10.0, (-5.0, -5.0), a_tick(4.0 * turned, 0.0));
            let corner = (10.0 * turned - 5.0, -5.0);
            let boulder = mover(&mut app, 10.0, corner, a_tick(-speed * turned, 0.0));
            app.world_mut().entity_mut(boulder).insert(Mass(3.0));
            app.update();
            for body in [player, boulder] {
                let left = velocity(&app, body) * turned;
                let apart = left.distance(Vec2::new(expected, 0.0));
                assert!(apart < 1.0e-6, "{speed}, {turned}: {left}");
            }
        }
    }
}

#[test]
fn what_its_game_moves_is_swept_whatever_has_become_of_its_velocity() {
    let mut app = moving_app();
    wall(&mut app, (49.0, -50.0), (51.0, 50.0));
    let body = (CircleCollider::new(10.0), Swept::default());
    let body = app.world_mut().spawn(body).id();
    for (case, velocity) in [("NaN", f32::NAN), ("too fast", 1.0e30)] {
        let velocity = Velocity(Vec2::new(velocity, 0.0));
        app.world_mut()
            .entity_mut(body)
            .insert((at(0.0, 0.0), velocity));
        app.world_mut().get_mut::<Swept>(body).unwrap().teleport();
        app.update();
        set(&mut app, body, 200.0, 0.0);
        app.update();
        assert_eq!(place(&app, body), Vec2::new(39.0, 0.0), "{case}");
        let left = app.world().get::<Velocity>(body).unwrap();
        assert_eq!(left.0.x.to_bits(), velocity.0.x.to_bits(), "{case}");
    }
}

#[test]
fn in_the_corner_of_a_room_one_stands_on_its_floor() {
    for side in [1.0, -1.0] {
        let mut app = moving_app();
        app.world_mut()
            .spawn((BoundsCollider::new(200.0, 100.0), Body::Static));
        let player = (BoxCollider::new(12.0, 16.0), at(80.0 * side, -30.0));
        let player = app.world_mut().spawn(player).id();
        for _ in 0..10 {
            app.world_mut()
                .entity_mut(player)
                .insert(a_tick(5.0 * side, -5.0));
            app.update();
        }
        assert_eq!(place(&app, player), Vec2::new(94.0 * side, -42.0));
        let stands = app
            .world_mut()
            .run_system_once(move |collisions: Collisions| {
                let mut normals = collisions
                    .solid_of(player)
                    .filter_map(|hit| hit.normal_for(player));
                normals.any(|normal| normal.y < -0.7)
            });
        assert!(stands.unwrap());
    }
}

/// The corner of a step turns a ball upwards that is moved by its `Transform`. Its remaining velocity is gravity, and must not become a jump.
#[test]
fn who_walks_over_a_step_by_its_transform_has_no_velocity_of_that() {
    for gravity in [0.0, -0.001, -0.25] {
        let mut app = moving_app();
        wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
        wall(&mut app, (20.0, 0.0), (100.0, 2.0));
        let ball = (
            CircleCollider::new(8.0),
            Swept::default(),
            Velocity::default(),
        );
        let ball = app.world_mut().spawn((ball, at(13.0, 8.0))).id();
        app.update();
        app.world_mut()
            .entity_mut(ball)
            .insert(a_tick(0.0, gravity));
        set(&mut app, ball, 16.0, 8.0);
        app.update();
        assert_eq!(velocity(&app, ball), Vec2::ZERO, "{gravity}");
        assert!(place(&app, ball).y > 8.5, "it moves up onto the step");
    }
}

/// A ball that moves by its own velocity gets over the step as well.
#[test]
fn a_ball_with_gravity_is_pushed_over_a_round_step() {
    let mut app = moving_app();
    wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
    wall(&mut app, (20.0, 0.0), (200.0, 2.0));
    let ball = (CircleCollider::new(8.0), Velocity::default(), at(14.0, 8.0));
    let ball = app.world_mut().spawn(ball).id();
    let player = (BoxCollider::new(10.0, 16.0), at(1.0, 8.0));
    let player = app.world_mut().spawn(player).id();
    for _ in 0..60 {
        app.world_mut()
            .entity_mut(player)
            .insert(a_tick(2.0, -0.25));
        let down = velocity(&app, ball) - Vec2::Y * 0.25;
        app.world_mut()
            .entity_mut(ball)
            .insert(a_tick(down.x, down.y));
        app.update();
    }
    let ball = place(&app, ball);
    assert!(ball.x > 20.0 && ball.y > 9.9, "{ball}");
}

/// Both are on a floor, which each of them hits first in every tick.
#[test]
fn two_that_meet_under_gravity_keep_what_they_have_together() {
    for (masses, speeds, expected) in [
        ([1.0, 1.0], [4.0, -6.0], -1.0),
        ([1.0, 3.0], [4.0, -2.0], -0.5),
        ([3.0, 1.0], [4.0, -2.0], 2.5),
    ] {
        for lift in [None, Some(Vec2::ZERO), Some(Vec2::new(2.0, 0.0))] {
            let mut app = moving_app();
            let floor = (BoxCollider::new(200.0, 10.0), at(0.0, -5.0));
            let floor = app.world_mut().spawn(floor).id();
            let kind = if lift.is_some() {
                Body::Kinematic
            } else {
                Body::Static
            };
            app.world_mut().entity_mut(floor).insert(kind);
            let two = [-10.0, 0.0].map(|x| mover(&mut app, 10.0, (x, 0.0), Velocity::default()));
            app.update();
            if let Some(way) = lift {
                app.world_mut()
                    .entity_mut(floor)
                    .insert(a_tick(way.x, way.y));
            }
            for ((body, mass), speed) in two.into_iter().zip(masses).zip(speeds) {
                let parts = (Mass(mass), a_tick(speed, -1.0));
                app.world_mut().entity_mut(body).insert(parts);
            }
            app.update();
            for after in two.map(|body| velocity(&app, body)) {
                let is_it = (after.x - expected).abs() < 1.0e-6 && after.y == 0.0;
                assert!(is_it, "{masses:?}, {lift:?}: {after}");
            }
        }
    }
}

#[test]
fn a_door_ends_where_its_game_put_it_whatever_it_pushes() {
    for to in 1..100_u8 {
        let to = f32::from(to) * 0.1;
        let mut app = moving_app();
        let door = (BoxCollider::square(10.0), Body::Kinematic, Swept::default());
        let door = app.world_mut().spawn((door, at(0.0, 0.0))).id();
        let crate_ = (BoxCollider::square(10.0), at(12.0, 0.0));
        app.world_mut().spawn(crate_);
        app.update();
        set(&mut app, door, to, 0.0);
        app.update();
        assert_eq!(place(&app, door), Vec2::new(to, 0.0));
    }
}

/// Then the point is on the line, and its place does not say whether it is above or below.
#[test]
fn a_point_stays_on_a_line_that_it_has_landed_on() {
    for kind in [Body::Static, Body::Kinematic] {
        let mut app = moving_app();
        let line = (BoxCollider::new(100.0, 0.0), kind);
        app.world_mut().spawn(line);
        let point = (CircleCollider::new(0.0), at(0.0, 3.0));
        let point = app.world_mut().spawn(point).id();
        for tick in 0..4 {
            app.world_mut().entity_mut(point).insert(a_tick(0.5, -5.0));
            app.update();
            let y = place(&app, point).y;
            assert!(y.abs() < 1.0e-5, "{kind:?}, tick {tick}: {y}");
        }
    }
}

/// The body in the middle is shoved from the left, and then from the right by a faster one.
#[test]
fn who_is_shoved_from_both_sides_goes_along_with_the_stronger_one() {
    for is_on_floor in [false, true] {
        let mut app = moving_app();
        let down = if is_on_floor { -1.0 } else { 0.0 };
        if is_on_floor {
            wall(&mut app, (-200.0, -15.0), (200.0, -5.0));
        }
        let all = [-12.0, 0.0, 16.0].map(|x| {
            let body = (BoxCollider::square(10.0), Velocity::default(), at(x, 0.0));
            app.world_mut().spawn(body).id()
        });
        app.update();
        for (body, speed) in all.into_iter().zip([4.0, 0.0, -6.0]) {
            app.world_mut().entity_mut(body).insert(a_tick(speed, down));
        }
        app.update();
        let speeds = all.map(|body| velocity(&app, body).x);
        // If no momentum were lost, the common speed would be (4 - 6) / 3.
        let is_one = |x: &f32| (-0.70..=-0.44).contains(x);
        assert!(speeds.iter().all(is_one), "{is_on_floor}: {speeds:?}");
    }
}

/// The ball bounces off a wall and then meets the floor, too gently to bounce again: along the floor it keeps its velocity after the wall.
#[test]
fn who_has_bounced_slides_on_the_way_back() {
    let mut app = moving_app();
    app.insert_resource(CollisionSettings {
        bounce_threshold: 1.5 * TICKS_PER_SECOND,
        ..default()
    });
    wall(&mut app, (10.0, -100.0), (11.0, 100.0));
    wall(&mut app, (-100.0, -10.0), (10.0, 0.0));
    let bounce = Response::Bounce { restitution: 0.5 };
    let ball = (CircleCollider::new(1.0), bounce, a_tick(4.0, -1.0));
    let ball = app.world_mut().spawn((ball, at(7.0, 1.75))).id();
    app.update();
    // At 0.5 of the tick it meets the wall at 4 a tick, and goes back at 2; at 0.75 it meets the floor at 1.
    assert_eq!(place(&app, ball), Vec2::new(8.0, 1.0));
    let velocity = velocity_of(&app, ball) / TICKS_PER_SECOND;
    assert_eq!(velocity, Vec2::new(-2.0, 0.0));
}

/// A body that presses a crowd is stopped at the beginning of the tick, and others are not stopped by a path that it does not take.
#[test]
fn who_was_pressed_as_the_tick_began_is_not_met_on_his_old_way() {
    let mut app = moving_app();
    let round = CircleCollider::new(10.0);
    app.world_mut().spawn((round, Mass(1.0e6), at(0.0, 0.0)));
    for degrees in [30.0_f32, 90.0, 150.0] {
        let out = Vec2::from_angle(degrees.to_radians());
        let place = out * 20.5;
        let velocity = a_tick(-out.x, -out.y);
        app.world_mut()
            .spawn((round, velocity, at(place.x, place.y)));
    }
    let broad = (BoxCollider::new(60.0, 20.0), a_tick(0.0, 8.0));
    app.world_mut().spawn((broad, at(0.0, -20.5)));
    let runner = (CircleCollider::new(1.0), Response::Stop, a_tick(5.0, 0.0));
    let runner = app.world_mut().spawn((runner, at(-28.0, -7.0))).id();
    app.update();
    // The top of the broad body stays at -10, because the heavy one stops it; the runner's feet are at -8.
    assert_eq!(place(&app, runner), Vec2::new(-23.0, -7.0));
    assert_eq!(
        velocity_of(&app, runner) / TICKS_PER_SECOND,
        Vec2::new(5.0, 0.0)
    );
    let told = take::<Collision>(&mut app);
    assert!(!told.iter().any(|one| one.involves(runner)), "{told:?}");
}

/// A press meets two bodies that are stuck, and still pushes what lies beyond them.
#[test]
fn a_press_pushes_what_lies_behind_those_that_it_crushes() {
    let mut app = moving_app();
    let press = (
        BoxCollider::new(10.0, 200.0),
        Body::Kinematic,
        a_tick(100.0, 0.0),
    );
    app.world_mut().spawn((press, at(0.0, 0.0)));
    for y in [-50.0, 50.0] {
        app.world_mut()
            .spawn((BoxCollider::square(10.0), at(20.0, y)));
        wall(&mut app, (25.0, y - 10.0), (35.0, y + 10.0));
    }
    let crate_ = (BoxCollider::square(10.0), at(60.0, 0.0));
    let crate_ = app.world_mut().spawn(crate_).id();
    app.update();
    assert_eq!(place(&app, crate_).x, 110.0);
}
