//! `Mover`: moving at once, for a game's own controller.

use bevy::{
    ecs::{entity_disabling::Disabled, system::RunSystemOnce},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_nudge::{
    prelude::*,
    query::{Moved, Surface},
};

use crate::common::{app, at, place, take, wall};

mod layers;
mod pushes;

/// Spawns a box of 16 with its middle at a place, and runs a tick.
fn body(app: &mut App, x: f32, y: f32) -> Entity {
    let body = app
        .world_mut()
        .spawn((BoxCollider::square(16.0), Body::Kinematic, at(x, y)))
        .id();
    app.update();
    body
}

fn walk(app: &mut App, body: Entity, motion: (f32, f32), options: MoveOptions) -> Moved {
    let motion = Vec2::from(motion);
    app.world_mut()
        .run_system_once(
            move |mover: Mover, mut transforms: Query<&mut Transform>| -> Option<Moved> {
                let mut transform = transforms.get_mut(body).ok()?;
                let from = transform.translation.truncate();
                let project = mover.project(body, from, motion, &options);
                let moved = mover.move_and_slide(body, &mut transform, motion, &options);
                assert_eq!(project, moved, "both give the same");
                moved
            },
        )
        .expect("it runs")
        .expect("it is a body")
}

#[test]
fn slides_and_tells_what_it_hit() {
    let mut app = app();
    let floor = wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
    let right = wall(&mut app, (50.0, 0.0), (60.0, 100.0));
    let roof = wall(&mut app, (-100.0, 100.0), (100.0, 110.0));
    let body = body(&mut app, 0.0, 20.0);

    let free = walk(&mut app, body, (5.0, 5.0), MoveOptions::default());
    assert_eq!(
        (free.position, free.motion),
        (Vec2::new(5.0, 25.0), Vec2::splat(5.0))
    );
    assert_eq!(
        (free.hits.len(), free.floor, free.floor_entity),
        (0, None, None)
    );
    assert_eq!(place(&app, body), Vec2::new(5.0, 25.0));

    let lands = walk(&mut app, body, (20.0, -40.0), MoveOptions::default());
    assert_eq!(lands.position, Vec2::new(25.0, 8.0));
    assert_eq!(lands.motion, Vec2::new(20.0, 0.0));
    assert_eq!(
        (lands.floor, lands.floor_entity),
        (Some(Vec2::Y), Some(floor))
    );
    let [hit] = lands.hits[..] else {
        panic!("{lands:?}");
    };
    assert_eq!(
        (hit.entity, hit.normal, hit.surface),
        (floor, Vec2::Y, Surface::Floor)
    );
    assert!((hit.position - Vec2::new(13.5, 8.0)).abs().max_element() < 1.0e-4);
    assert!((hit.point - Vec2::new(13.5, 0.0)).abs().max_element() < 1.0e-4);

    let against = walk(&mut app, body, (40.0, -1.0), MoveOptions::default());
    assert_eq!(against.position, Vec2::new(42.0, 8.0));
    assert_eq!(against.motion, Vec2::ZERO);
    assert!(against.is_on_floor() && against.is_on_wall() && !against.is_on_ceiling());
    assert!(against.hits.iter().any(|hit| hit.entity == right));

    let up = walk(&mut app, body, (-10.0, 200.0), MoveOptions::default());
    assert_eq!(up.position, Vec2::new(32.0, 92.0));
    assert_eq!(up.motion, Vec2::new(-10.0, 0.0));
    assert!(up.is_on_ceiling() && !up.is_on_floor());
    assert_eq!(up.hits[0].entity, roof);
}

/// A body that ends three thousandths above a floor is put onto it, so that the reports of the tick agree that it stands.
#[test]
fn who_stands_touches_what_it_stands_on() {
    let round = CircleCollider::new(8.0);
    let square = BoxCollider::square(16.0);
    for is_round in [false, true] {
        for is_boulder in [false, true] {
            let mut app = app();
            let mut ground = app.world_mut().spawn(Body::Static);
            if is_boulder {
                ground.insert((CircleCollider::new(10.0), at(0.0, 0.0)));
            } else {
                ground.insert((BoxCollider::new(100.0, 20.0), at(0.0, 0.0)));
            }
            let ground = ground.id();
            let mut body = app.world_mut().spawn((Body::Kinematic, at(0.0, 18.503)));
            if is_round {
                body.insert(round);
            } else {
                body.insert(square);
            }
            let body = body.id();
            app.update();
            app.update();
            let what = format!("round {is_round}, on a boulder {is_boulder}");
            let moved = walk(&mut app, body, (0.0, -0.5), MoveOptions::default());
            assert_eq!(moved.floor_entity, Some(ground), "{what}");
            let is_on_floor = move |collisions: Collisions| collisions.is_on_floor(body);
            app.update();
            let stands = app
                .world_mut()
                .run_system_once(is_on_floor)
                .expect("it runs");
            assert!(stands, "{what}");
            let there = place(&app, body);
            assert!(
                (there - Vec2::new(0.0, 18.0)).length() < 1.0e-5,
                "{what}: {there}"
            );
            for _ in 0..100 {
                let moved = walk(&mut app, body, (0.0, -0.5), MoveOptions::default());
                app.update();
                let stands = app
                    .world_mut()
                    .run_system_once(is_on_floor)
                    .expect("it runs");
                assert!(stands && moved.is_on_floor(), "{what}");
            }
            assert_eq!(place(&app, body), there, "{what}: it rests to the bit");
        }
    }
}

/// Motion and results are in world space, the `Transform` is in the space of the parent.
#[test]
fn a_body_under_the_root_of_a_level_is_where_it_is() {
    let quarter = std::f32::consts::FRAC_PI_2;
    // Some are flat in z, which plays no part.
    for (scale, z, turn) in [
        (1.0, 1.0, 0.0),
        (2.0, 2.0, 0.0),
        (1.0, 1.0, quarter),
        (2.0, 0.0, 0.0),
        (2.0, 0.0, quarter),
    ] {
        let mut app = app();
        let place = at(100.0, 30.0)
            .with_scale(Vec3::new(scale, scale, z))
            .with_rotation(Quat::from_rotation_z(turn));
        let level = app.world_mut().spawn(place).id();
        // The wall is from 115 on in the world.
        wall(&mut app, (115.0, -100.0), (130.0, 100.0));
        let hero = (BoxCollider::square(10.0 / scale), Body::Kinematic);
        let hero = app.world_mut().spawn((hero, at(0.0, 0.0), ChildOf(level)));
        let hero = hero.id();
        app.update();
        app.update();
        let walk = move |mover: Mover, mut all: Query<&mut Transform>| {
            let mut transform = all.get_mut(hero).ok()?;
            mover.move_and_slide(
                hero,
                &mut transform,
                Vec2::new(30.0, 0.0),
                &MoveOptions::default(),
            )
        };
        for _ in 0..2 {
            let moved = app.world_mut().run_system_once(walk).expect("it runs");
            let moved = moved.expect("it is a body");
            let case = format!("{scale}, {turn}: {}", moved.position);
            assert!(moved.is_on_wall(), "{case}");
            assert!(
                moved.position.abs_diff_eq(Vec2::new(110.0, 30.0), 1.0e-4),
                "{case}"
            );
            app.update();
            let there = app
                .world()
                .get::<GlobalTransform>(hero)
                .expect("it has one");
            let there = there.translation().truncate();
            assert!(
                there.abs_diff_eq(Vec2::new(110.0, 30.0), 1.0e-4),
                "{case}, {there}"
            );
        }
    }
}

#[test]
fn tells_where_it_touched() {
    let mut app = app();
    app.world_mut()
        .spawn((CircleCollider::new(10.0), Body::Static, at(40.0, 0.0)));
    app.world_mut()
        .spawn((BoundsCollider::new(200.0, 200.0), Body::Static));
    // The body reaches from -8 to 8; the wall is beside its part below 4.
    wall(&mut app, (-60.0, -20.0), (-50.0, 4.0));
    let body = body(&mut app, 0.0, 0.0);
    let cases = [
        ("a circle", (50.0, 0.0), Vec2::new(30.0, 0.0)),
        ("half of a side", (-90.0, 0.0), Vec2::new(-50.0, -2.0)),
        ("a room", (0.0, 200.0), Vec2::new(0.0, 100.0)),
    ];
    for (what, way, expected) in cases {
        let project = move |mover: Mover| {
            mover.project(body, Vec2::ZERO, way.into(), &MoveOptions::default())
        };
        let moved = app.world_mut().run_system_once(project).expect("it runs");
        let point = moved.expect("it is a body").hits[0].point;
        assert!((point - expected).length() < 1.0e-4, "{what}: {point}");
    }
}

#[test]
fn tiles_are_one_surface() {
    let mut app = app();
    for tile in 0..60 {
        let x = tile as f32 * 16.0;
        wall(&mut app, (x, -16.0), (x + 16.0, 0.0));
    }
    let body = body(&mut app, 8.0, 8.0);
    for tick in 1..=200 {
        let moved = walk(&mut app, body, (4.0, -3.0), MoveOptions::default());
        assert_eq!(moved.position, Vec2::new(8.0 + 4.0 * tick as f32, 8.0));
        assert_eq!(moved.floor, Some(Vec2::Y));
        assert!(
            moved.hits.iter().all(|hit| hit.normal == Vec2::Y),
            "{moved:?}"
        );
    }
}

#[test]
fn snaps_to_a_floor_that_steps_down_and_not_when_it_jumps() {
    let snapping = MoveOptions {
        floor_snap_length: 6.0,
        ..default()
    };
    for (options, motion, end) in [
        (snapping, (20.0, 0.0), Vec2::new(20.0, 3.0)),
        (MoveOptions::default(), (20.0, 0.0), Vec2::new(20.0, 8.0)),
        (snapping, (20.0, 2.0), Vec2::new(20.0, 10.0)),
    ] {
        let mut app = app();
        wall(&mut app, (-100.0, -10.0), (10.0, 0.0));
        wall(&mut app, (10.0, -10.0), (100.0, -5.0));
        let body = body(&mut app, 0.0, 8.0);
        let moved = walk(&mut app, body, motion, options);
        assert_eq!(moved.position, end, "{motion:?}");
        assert_eq!(moved.is_on_floor(), end.y == 3.0);
    }
}

/// It is 3 above the floor, and would snap to a floor that is 5 below its feet, if it had stood.
#[test]
fn who_is_in_the_air_does_not_snap_to_a_floor() {
    let mut app = app();
    wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
    let body = body(&mut app, 0.0, 11.0);
    let options = MoveOptions {
        floor_snap_length: 5.0,
        ..default()
    };
    let moved = walk(&mut app, body, (10.0, -1.0), options);
    assert_eq!(moved.position, Vec2::new(10.0, 10.0));
    assert!(!moved.is_on_floor());
}

#[test]
fn corners_of_ceilings_are_gone_around() {
    for (correction, x, end) in [
        (4.0, 0.0, Vec2::new(-3.0, 60.0)),
        (2.0, 0.0, Vec2::new(0.0, 32.0)),
        (4.0, 30.0, Vec2::new(30.0, 32.0)),
    ] {
        let mut app = app();
        wall(&mut app, (5.0, 40.0), (60.0, 50.0));
        let body = body(&mut app, x, 10.0);
        let options = MoveOptions {
            corner_correction: correction,
            ..default()
        };
        let moved = walk(&mut app, body, (0.0, 50.0), options);
        assert!(moved.position.distance(end) < 1.0e-3, "{moved:?}");
        assert_eq!(moved.is_on_ceiling(), end.y == 32.0);
    }
    // Not where there is no room aside.
    let mut app = app();
    wall(&mut app, (5.0, 40.0), (60.0, 50.0));
    wall(&mut app, (-20.0, 0.0), (-9.0, 100.0));
    let body = body(&mut app, 0.0, 10.0);
    let options = MoveOptions {
        corner_correction: 4.0,
        ..default()
    };
    let moved = walk(&mut app, body, (0.0, 50.0), options);
    assert_eq!(moved.position, Vec2::new(0.0, 32.0));
}

/// A wall aside, 11 from the middle of where the body gets by: there it is in the wall by next to nothing, just touches it, or does not.
#[test]
fn a_corner_is_gone_around_where_there_is_just_enough_room() {
    for gap in [-0.004, 0.0, 0.5] {
        for shift in [0.0, 0.3] {
            let mut app = app();
            wall(&mut app, (5.0, 40.0), (60.0, 50.0));
            // Of two tiles, the upper one of which the body reaches only afterwards.
            for (from, to) in [(0.0, 45.0), (45.0, 100.0)] {
                wall(&mut app, (-20.0 - gap, from), (-11.0 - gap, to));
            }
            let body = body(&mut app, shift, 10.0);
            let options = MoveOptions {
                corner_correction: 4.0,
                ..default()
            };
            let moved = walk(&mut app, body, (0.0, 50.0), options);
            let off = moved.position.distance(Vec2::new(-3.0, 60.0));
            assert!(off < 0.01, "{gap}, {shift}: {moved:?}");
            assert!(moved.hits.is_empty(), "{gap}, {shift}: {moved:?}");
            assert_eq!(moved.motion, Vec2::new(0.0, 50.0), "{gap}, {shift}");
        }
    }
}

/// The body could be led around each of these corners alone, but behind it is the other one.
#[test]
fn corners_of_ceilings_are_gone_around_only_where_that_helps() {
    for (left, right, x, up) in [
        // Flush tiles, one of which the body overlaps only a little.
        (0.0, 0.0, -6.0, 50.0),
        (0.0, 0.0, 6.0, 50.0),
        // A gap that is too narrow: the body would be led to and fro in it, and keep its speed.
        (-7.0, 7.0, 0.0, 50.0),
        // The same with a motion that ends just there: there are 22 below the ceiling.
        (0.0, 0.0, -6.0, 22.0),
        (0.0, 0.0, 6.0, 22.0),
        (-7.0, 7.0, 0.0, 22.0),
    ] {
        let mut app = app();
        wall(&mut app, (-50.0, 40.0), (left, 50.0));
        wall(&mut app, (right, 40.0), (50.0, 50.0));
        let body = body(&mut app, x, 10.0);
        let options = MoveOptions {
            corner_correction: 4.0,
            ..default()
        };
        let moved = walk(&mut app, body, (0.0, up), options);
        let ends = (moved.position, moved.motion);
        assert_eq!(ends, (Vec2::new(x, 32.0), Vec2::ZERO), "{left}, {x}, {up}");
        assert!(moved.is_on_ceiling());
    }
}

/// The end of the ceiling is a piece of 2, and the body is below both that piece and the next; also mirrored.
#[test]
fn corners_of_ceilings_of_several_pieces_are_gone_around() {
    for (correction, side, is_free) in [
        (4.0, 1.0, true),
        (4.0, -1.0, true),
        (2.5, 1.0, false),
        (2.5, -1.0, false),
    ] {
        let mut app = app();
        for (from, to) in [(5.0, 7.0), (7.0, 60.0)] {
            let (low, high): (f32, f32) = (side * from, side * to);
            wall(&mut app, (low.min(high), 40.0), (low.max(high), 50.0));
        }
        let body = body(&mut app, 0.0, 10.0);
        let options = MoveOptions {
            corner_correction: correction,
            ..default()
        };
        let moved = walk(&mut app, body, (0.0, 50.0), options);
        let end = if is_free {
            Vec2::new(-3.0 * side, 60.0)
        } else {
            Vec2::new(0.0, 32.0)
        };
        assert!(moved.position.distance(end) < 1.0e-3, "{moved:?}");
        assert_eq!(moved.is_on_ceiling(), !is_free);
    }
}

/// Up a round hill that is 0.75 steep and gets flatter, with the loop of a game: the walker keeps the rest of its fall, and walks at a constant speed.
#[test]
fn who_walks_uphill_is_on_the_floor() {
    let mut app = app();
    let hill = (CircleCollider::new(100.0), Body::Static, at(0.0, -100.0));
    app.world_mut().spawn(hill);
    let walker = (CircleCollider::new(8.0), Body::Kinematic, at(-64.8, -13.6));
    let walker = app.world_mut().spawn(walker).id();
    app.update();
    let options = MoveOptions {
        floor_snap_length: 4.0,
        ..default()
    };
    let (mut fall, mut x) = (0.0, -64.8);
    for number in 0..20 {
        fall -= 0.25;
        let moved = walk(&mut app, walker, (2.5, fall), options);
        assert!(moved.is_on_floor(), "{number}: {moved:?}");
        assert_eq!(moved.motion.y, 0.0, "{number}");
        fall = moved.motion.y;
        // It moves on, and stays on the hill.
        assert!(moved.position.x > x + 1.0, "{number}: {moved:?}");
        x = moved.position.x;
        let far = moved.position.distance(Vec2::new(0.0, -100.0));
        assert!((far - 108.0).abs() < 0.1, "{number}: {far}");
    }
}

/// The mirror image: down the same hill, each motion leads off the surface, and the walker is put down onto it without a hit.
#[test]
fn who_is_put_down_onto_a_floor_keeps_nothing_of_its_fall() {
    let mut app = app();
    let hill = (CircleCollider::new(100.0), Body::Static, at(0.0, -100.0));
    app.world_mut().spawn(hill);
    // 30 degrees from the top.
    let walker = (CircleCollider::new(8.0), Body::Kinematic, at(54.0, -6.4693));
    let walker = app.world_mut().spawn(walker).id();
    app.update();
    let options = MoveOptions {
        floor_snap_length: 4.0,
        ..default()
    };
    let mut fall = 0.0;
    for number in 0..6 {
        fall -= 0.25;
        let moved = walk(&mut app, walker, (2.5, fall), options);
        assert!(moved.is_on_floor(), "{number}: {moved:?}");
        assert_eq!(moved.motion, Vec2::new(2.5, 0.0), "{number}");
        fall = moved.motion.y;
    }
}

/// In f32, -7.7 + 10 is not 2.3, nor is 0.1 + 0.2 - 0.1 what it was.
#[test]
fn below_a_parent_it_changes_only_what_has_moved() {
    for (case, level, from, motion) in [
        ("z", (0.0, 0.0, -10.0), (5.0, 5.0, 2.3), (1.0, 0.0)),
        ("stands", (0.1, 0.1, 0.1), (0.2, 0.2, 0.2), (0.0, 0.0)),
    ] {
        let mut app = app();
        let level = Transform::from_translation(level.into());
        let level = app.world_mut().spawn(level).id();
        let from = Vec3::from(from);
        let walker = (CircleCollider::new(4.0), Transform::from_translation(from));
        let walker = app.world_mut().spawn((walker, ChildOf(level))).id();
        app.update();
        let walk = move |mover: Mover, mut places: Query<&mut Transform>| {
            let mut place = places.get_mut(walker).unwrap();
            let options = MoveOptions::default();
            let moved = mover.move_and_slide(walker, &mut place, motion.into(), &options);
            moved.is_some()
        };
        assert!(app.world_mut().run_system_once(walk).unwrap());
        let to = app.world().get::<Transform>(walker).unwrap().translation;
        assert_eq!(to, from + Vec2::from(motion).extend(0.0), "{case}");
    }
}

#[test]
fn layers_sensors_one_way_and_moved_things_count() {
    let mut app = app();
    let ghost = wall(&mut app, (20.0, -50.0), (30.0, 50.0));
    app.world_mut()
        .entity_mut(ghost)
        .insert(CollisionLayers::new(2, 2));
    let sensor = wall(&mut app, (20.0, -50.0), (30.0, 50.0));
    app.world_mut().entity_mut(sensor).insert(Sensor);
    let ledge = wall(&mut app, (-50.0, 30.0), (50.0, 34.0));
    app.world_mut().entity_mut(ledge).insert(OneWay::default());
    // A body that was pushed in the tick is met in its new place: 10 to the right.
    app.world_mut()
        .spawn((BoxCollider::square(20.0), at(300.0, 0.0)));
    wall(&mut app, (270.0, -100.0), (300.0, 100.0));
    let body = body(&mut app, 0.0, 0.0);
    // A kinematic body pushes dynamic ones aside in the tick, but not by its mover.
    app.world_mut().entity_mut(body).insert(Body::Dynamic);
    app.update();

    let moved = walk(&mut app, body, (10.0, 60.0), MoveOptions::default());
    assert_eq!(
        moved.position,
        Vec2::new(10.0, 60.0),
        "through sensor, ghost and ledge"
    );
    let moved = walk(&mut app, body, (0.0, -40.0), MoveOptions::default());
    assert_eq!(moved.position, Vec2::new(10.0, 42.0), "and onto the ledge");
    assert_eq!(moved.hits[0].entity, ledge);

    app.world_mut().entity_mut(body).insert(at(500.0, 0.0));
    let moved = walk(&mut app, body, (-400.0, 0.0), MoveOptions::default());
    assert_eq!(moved.position, Vec2::new(328.0, 0.0));
}

#[test]
fn who_is_no_body_does_not_move() {
    let mut app = app();
    let nobody = app.world_mut().spawn(at(0.0, 0.0)).id();
    let body = body(&mut app, 0.0, 0.0);
    let ask = move |mover: Mover| {
        let options = MoveOptions::default();
        [
            mover.project(nobody, Vec2::ZERO, Vec2::X, &options),
            mover.project(body, Vec2::NAN, Vec2::X, &options),
            mover.project(body, Vec2::ZERO, Vec2::INFINITY, &options),
        ]
    };
    let answers = app.world_mut().run_system_once(ask).expect("it runs");
    assert_eq!(answers, [None, None, None]);
}

#[test]
fn round_things_are_floors_up_to_their_slope() {
    // A dot lands on a still one: it stands if the normal is up to 45 degrees from up.
    for (aside, slope, surface) in [
        (0.0, 1.0, Surface::Floor),
        (13.0, 1.0, Surface::Floor),
        (15.0, 1.0, Surface::Wall),
        (15.0, 2.0, Surface::Floor),
        (13.0, 0.5, Surface::Wall),
    ] {
        let mut app = app();
        app.world_mut()
            .spawn((CircleCollider::new(10.0), Body::Static, at(0.0, 0.0)));
        let dot = app
            .world_mut()
            .spawn((CircleCollider::new(10.0), Body::Kinematic, at(aside, 40.0)))
            .id();
        app.update();
        let options = MoveOptions {
            floor_max_slope: slope,
            max_slides: 1,
            ..default()
        };
        let moved = walk(&mut app, dot, (0.0, -39.0), options);
        assert_eq!(
            moved.hits[0].surface, surface,
            "{aside} aside, slope {slope}"
        );
    }
}

/// Both boulders, of the same size as the body, are 6 aside of its way: it gets between them until its middle is 8 before theirs, as in a triangle of 6, 8 and 10. Along the first one it would go by 0.36 of its way, and 0.48 aside; along the second one back from there.
#[test]
fn who_would_be_led_back_by_two_boulders_stays_between_them() {
    let mut app = app();
    for y in [-6.0, 6.0] {
        let boulder = (CircleCollider::new(5.0), Body::Static, at(0.0, y));
        app.world_mut().spawn(boulder);
    }
    let body = (CircleCollider::new(5.0), Body::Kinematic, at(-20.0, 0.0));
    let body = app.world_mut().spawn(body).id();
    app.update();
    let options = MoveOptions {
        up: Some(Vec2::ZERO),
        ..default()
    };
    let moved = walk(&mut app, body, (40.0, 0.0), options);
    assert_eq!(moved.hits.len(), 2, "{moved:?}");
    assert_eq!(moved.motion, Vec2::ZERO);
    let there = Vec2::new(-8.0, 0.0);
    assert!(moved.position.distance(there) < 0.02, "{moved:?}");
}

/// It stands a little too deep, which the tick leaves as it is.
#[test]
fn who_does_not_get_anywhere_keeps_its_place_to_the_bit() {
    let mut app = app();
    wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
    let body = body(&mut app, 0.0, 7.998);
    let moved = walk(&mut app, body, (0.0, -3.0), MoveOptions::default());
    assert_eq!(moved.hits.len(), 1);
    assert_eq!(moved.position, Vec2::new(0.0, 7.998));
}

/// A body that meets a corner from below slides on if either of them is round.
#[test]
fn a_round_body_slides_along_a_corner_of_the_ceiling() {
    for corner_correction in [-1.0, 0.0, 3.0] {
        let mut app = app();
        let tile = wall(&mut app, (3.0, 12.0), (19.0, 28.0));
        let dot = (CircleCollider::new(5.0), Body::Kinematic);
        let dot = app.world_mut().spawn((dot, at(0.0, 0.0))).id();
        app.update();
        let options = MoveOptions {
            corner_correction,
            ..default()
        };
        let moved = walk(&mut app, dot, (0.0, 20.0), options);
        // It touches the corner after 8, when the corner is 3 to the right and 4 above; of the 12 that are left, 0.8 * 0.6 and 0.6 * 0.6 lead along.
        let [hit] = moved.hits[..] else {
            panic!("{moved:?}");
        };
        assert_eq!(hit.entity, tile);
        assert!(hit.normal.distance(Vec2::new(-0.6, -0.8)) < 1.0e-5);
        let expected = Vec2::new(-5.76, 12.32);
        assert!(moved.position.distance(expected) < 1.0e-3, "{moved:?}");
    }
}

/// Each of two tiles would let the body pass along its side, but both together are a floor; also for a body of two boxes, one over each tile.
#[test]
fn who_is_sunk_in_a_seam_does_not_move_through_it() {
    for is_split in [false, true] {
        let mut app = app();
        wall(&mut app, (-16.0, -16.0), (0.0, 0.0));
        wall(&mut app, (0.0, -16.0), (16.0, 0.0));
        let mut body = app.world_mut().spawn((Body::Kinematic, at(0.25, 1.5)));
        if is_split {
            for x in [-1.0, 1.0] {
                body.with_child((BoxCollider::new(2.0, 8.0), at(x, 0.0)));
            }
        } else {
            body.insert(BoxCollider::new(4.0, 8.0));
        }
        let body = body.id();
        app.update();
        for (motion, expected) in [
            ((0.0, -20.0), (0.25, 1.5)),
            ((3.0, -20.0), (3.25, 1.5)),
            ((3.0, 2.0), (6.25, 3.5)),
        ] {
            let moved = walk(&mut app, body, motion, MoveOptions::default());
            assert_eq!(
                moved.position,
                Vec2::from(expected),
                "{motion:?}, split: {is_split}"
            );
        }
    }
}

/// Nothing pushes out a `Kinematic` body that is put a little into the floor, or grows there. It still walks on over the next tile, as it would by a `Velocity`, also along walls and below ceilings; a step that juts out of the floor stops it.
#[test]
fn who_is_sunk_in_a_floor_of_tiles_walks_on() {
    for (case, turn) in [
        ("floor", Vec2::X),
        ("left wall", Vec2::Y),
        ("ceiling", Vec2::NEG_X),
        ("right wall", Vec2::NEG_Y),
    ] {
        let turned = |(x, y): (f32, f32)| turn.rotate(Vec2::new(x, y));
        for (depth, is_stopped) in [(0.1, false), (3.9, false), (0.1, true)] {
            let mut app = app();
            let mut tile = |x: f32, y: f32| {
                let place = turned((x, y));
                let tile = (
                    BoxCollider::square(32.0),
                    Body::Static,
                    at(place.x, place.y),
                );
                app.world_mut().spawn(tile);
            };
            tile(-16.0, -16.0);
            // The next tile, or a step that is a bit higher.
            tile(16.0, if is_stopped { -15.0 } else { -16.0 });
            tile(48.0, -16.0);
            let start = turned((-20.0, 8.0 - depth));
            let body = body(&mut app, start.x, start.y);
            let up = turned((0.0, 1.0));
            let options = MoveOptions {
                up: Some(up),
                ..default()
            };
            let case = format!("{case}, {depth}, {is_stopped}");
            let way = turned((24.0, -1.0));
            let moved = walk(&mut app, body, (way.x, way.y), options);
            let end = turned((if is_stopped { -8.0 } else { 4.0 }, 8.0 - depth));
            assert!(
                moved.position.abs_diff_eq(end, 1.0e-5),
                "{case}: {}",
                moved.position
            );
            assert_eq!(moved.is_on_wall(), is_stopped, "{case}");
            assert!(moved.is_on_floor(), "{case}");
        }
    }
}

/// It is sunk in the floor by 1, and by as much below the top of a gate, which is solid from this side.
#[test]
fn who_is_sunk_in_a_floor_does_not_walk_on_into_a_gate() {
    let mut app = app();
    wall(&mut app, (-100.0, -10.0), (0.0, 0.0));
    let gate = wall(&mut app, (0.0, -10.0), (100.0, 0.0));
    app.world_mut().entity_mut(gate).insert(OneWay(Vec2::NEG_X));
    let body = body(&mut app, -20.0, 7.0);
    let moved = walk(&mut app, body, (40.0, 0.0), MoveOptions::default());
    assert_eq!(moved.position, Vec2::new(-8.0, 7.0));
}

/// In a game seen from above, the mover goes around corners in all directions, too; and it pushes crates as usual.
#[test]
fn seen_from_above_corners_are_gone_around_and_crates_pushed() {
    for way in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y] {
        let mut app = app();
        app.insert_resource(CollisionSettings {
            up: Vec2::ZERO,
            ..default()
        });
        let options = MoveOptions {
            corner_correction: 4.0,
            push_layers: 2,
            ..default()
        };
        // One pillar is in the way by 3, and one by 5.
        for (along, aside) in [(20.0, 13.0), (20.0, 111.0)] {
            let place = way * along + way.perp() * aside;
            let pillar = (
                BoxCollider::square(16.0),
                Body::Static,
                at(place.x, place.y),
            );
            app.world_mut().spawn(pillar);
        }
        let crates = CollisionLayers::on(2);
        let pushed = way * 20.0 + way.perp() * 200.0;
        let pushed = (BoxCollider::square(16.0), crates, at(pushed.x, pushed.y));
        let pushed = app.world_mut().spawn(pushed).id();
        let walks = |app: &mut App, aside: f32| {
            let place = way.perp() * aside;
            let body = body(app, place.x, place.y);
            walk(app, body, (way.x * 10.0, way.y * 10.0), options)
        };
        // It goes aside by 3, and on.
        let moved = walks(&mut app, 0.0);
        assert!(
            moved.hits.is_empty() && moved.motion == way * 10.0,
            "{moved:?}"
        );
        let end = way * 10.0 - way.perp() * 3.0;
        assert!(
            moved.position.abs_diff_eq(end, 1.0e-5),
            "{}",
            moved.position
        );
        // The one in the way by 5 is a wall.
        let moved = walks(&mut app, 100.0);
        assert!(
            moved.is_on_wall() && moved.motion == Vec2::ZERO,
            "{moved:?}"
        );
        let moved = walks(&mut app, 200.0);
        assert_eq!(moved.position, way * 10.0 + way.perp() * 200.0);
        assert_eq!(moved.pushed, [(pushed, way * 6.0)]);
    }
}

/// A controller as in a game: gravity, and a step by the mover in each tick.
#[derive(Component)]
struct Walker {
    velocity: Vec2,
    was_on_floor: bool,
}

fn walk_all(mover: Mover, time: Res<Time>, mut all: Query<(Entity, &mut Walker, &mut Transform)>) {
    let seconds = time.delta_secs();
    for (entity, mut walker, mut transform) in &mut all {
        walker.velocity.y -= 1000.0 * seconds;
        let way = walker.velocity * seconds;
        let options = MoveOptions::default();
        // `None` in the tick in which the walker is spawned.
        if let Some(moved) = mover.move_and_slide(entity, &mut transform, way, &options) {
            walker.velocity = moved.motion / seconds;
            walker.was_on_floor = moved.is_on_floor();
        }
    }
}

#[test]
fn a_dynamic_body_with_a_mover_stands_on_any_lift() {
    let mut random = fastrand::Rng::with_seed(5);
    for is_ledge in [false, true] {
        let mut app = app();
        app.add_systems(FixedUpdate, walk_all);
        let lift = (
            BoxCollider::new(2000.0, 8.0),
            Body::Kinematic,
            at(0.0, -4.0),
        );
        let lift = app.world_mut().spawn((lift, Velocity::default())).id();
        if is_ledge {
            app.world_mut().entity_mut(lift).insert(OneWay::default());
        }
        app.update();
        let walker = Walker {
            velocity: Vec2::ZERO,
            was_on_floor: false,
        };
        let walker = (BoxCollider::new(10.0, 20.0), walker, at(0.0, 11.0));
        let walker = app.world_mut().spawn(walker).id();
        for _ in 0..10 {
            app.update();
        }
        let offset = place(&app, walker) - place(&app, lift);
        assert!((offset.y - 14.0).abs() < 0.01, "it has landed: {offset}");
        for number in 0..100 {
            // In any direction, up to a thousand units a second.
            let part = |random: &mut fastrand::Rng| (random.f32() - 0.5) * 2000.0;
            let velocity = Vec2::new(part(&mut random), part(&mut random));
            app.world_mut().entity_mut(lift).insert(Velocity(velocity));
            app.update();
            let case = format!("ledge: {is_ledge}, tick {number}");
            let moved = place(&app, walker) - place(&app, lift) - offset;
            assert!(moved.length() < 0.02, "{case}: {moved} aside");
            let known = app.world().get::<Walker>(walker).expect("it is one");
            assert!(known.was_on_floor, "{case}");
        }
    }
}

/// 16.2 - 3.2 is slightly more than 13 in `f32`, and with the next lower number the two would overlap.
#[test]
fn who_stands_by_a_mover_is_reported_and_carried_wherever_that_is() {
    for below in [Body::Static, Body::Kinematic] {
        for y in [0.0, 3.2, 3.3, 3.7, 1003.8] {
            let mut app = app();
            app.insert_resource(Time::<Fixed>::from_hz(64.0));
            let floor = (BoxCollider::new(100.0, 10.0), below, Velocity::default());
            let floor = app.world_mut().spawn((floor, at(0.0, y))).id();
            let body = (BoxCollider::square(16.0), at(0.0, y + 20.0));
            let body = app.world_mut().spawn(body).id();
            app.update();
            let mut started = 0;
            for tick in 0..20 {
                let fall = move |mover: Mover, mut places: Query<&mut Transform>| {
                    let mut place = places.get_mut(body).expect("it is there");
                    let options = MoveOptions::default();
                    let moved = mover.move_and_slide(body, &mut place, Vec2::NEG_Y, &options);
                    moved.expect("it is a body").is_on_floor()
                };
                let stands = app.world_mut().run_system_once(fall).expect("it runs");
                assert_eq!(stands, tick >= 6, "at {y}, in tick {tick}");
                if tick == 15 && below == Body::Kinematic {
                    app.world_mut()
                        .entity_mut(floor)
                        .insert(Velocity(Vec2::new(64.0, 0.0)));
                }
                app.update();
                started += take::<CollisionStarted>(&mut app).len();
            }
            assert_eq!(started, 1, "on {below:?} at {y}");
            let way = if below == Body::Kinematic { 5.0 } else { 0.0 };
            assert_eq!(place(&app, body).x, way, "on {below:?} at {y}");
        }
    }
}

#[test]
fn going_around_a_corner_is_no_hit() {
    let mut app = app();
    wall(&mut app, (4.0, 20.0), (50.0, 30.0));
    let player = (BoxCollider::square(10.0), Body::Kinematic);
    let player = app.world_mut().spawn(player).id();
    app.update();
    let options = MoveOptions {
        max_slides: 1,
        corner_correction: 2.0,
        ..default()
    };
    let moved = walk(&mut app, player, (0.0, 40.0), options);
    assert_eq!(
        (moved.position, moved.hits.len()),
        (Vec2::new(-1.0, 40.0), 0)
    );
}

#[test]
fn a_floor_may_be_as_far_below_as_can_be() {
    let mut app = app();
    wall(&mut app, (-90.0, -10.0), (10.0, 0.0));
    wall(&mut app, (10.0, -30.0), (90.0, -20.0));
    let body = body(&mut app, 0.0, 8.0);
    let options = MoveOptions {
        floor_snap_length: f32::INFINITY,
        ..default()
    };
    let moved = walk(&mut app, body, (30.0, 0.0), options);
    assert_eq!(moved.position, Vec2::new(30.0, -12.0));
}

#[test]
fn a_slope_that_is_no_number_is_none() {
    for floor_max_slope in [0.0, -1.0, f32::NAN] {
        let mut app = app();
        wall(&mut app, (-90.0, -10.0), (90.0, 0.0));
        let body = body(&mut app, 0.0, 8.0);
        let options = MoveOptions {
            floor_max_slope,
            ..default()
        };
        let moved = walk(&mut app, body, (3.0, -3.0), options);
        assert!(moved.is_on_floor(), "{floor_max_slope}");
    }
}

/// Builds ten steps, each 4 high and 20 wide, from x = 20 on; then a floor, and a wall that is 4.01 high.
fn stairs(app: &mut App) {
    wall(app, (-200.0, -10.0), (600.0, 0.0));
    for step in 0..10_u8 {
        let (from, height) = (20.0 + 20.0 * f32::from(step), 4.0 * f32::from(step + 1));
        wall(app, (from, 0.0), (from + 20.0, height));
    }
    wall(app, (220.0, 0.0), (300.0, 40.0));
    wall(app, (300.0, 0.0), (310.0, 44.01));
}

#[test]
fn stairs_are_walked_up_at_full_speed() {
    // The fastest one climbs five steps in one motion.
    for speed in [0.5, 3.0, 7.0, 100.0] {
        let mut app = app();
        stairs(&mut app);
        let body = body(&mut app, 0.0, 8.0);
        let options = MoveOptions {
            step_height: 4.0,
            ..default()
        };
        let mut x = 0.0;
        while x + speed <= 284.0 {
            x += speed;
            let moved = walk(&mut app, body, (speed, -1.0), options);
            // Its front is over one of the steps, or a floor.
            let step = ((x + 8.0 - 20.0) / 20.0).ceil().clamp(0.0, 10.0);
            let expected = Vec2::new(x, 8.0 + 4.0 * step);
            assert_eq!(moved.position, expected, "{speed}: {moved:?}");
            assert_eq!(moved.motion, Vec2::new(speed, 0.0), "{speed}, at {x}");
            assert!(
                moved.is_on_floor() && !moved.is_on_wall(),
                "{speed}, at {x}"
            );
        }
        // What is higher than a step is a wall.
        for _ in 0..20 {
            walk(&mut app, body, (speed, -1.0), options);
        }
        let end = walk(&mut app, body, (speed, -1.0), options);
        assert!(end.is_on_wall() && end.is_on_floor(), "{speed}: {end:?}");
        assert_eq!(end.position, Vec2::new(292.0, 48.0), "{speed}");
    }
}

#[test]
fn a_step_is_gone_up_only_by_who_stands_and_has_room() {
    let step = |step_height: f32| MoveOptions {
        step_height,
        ..default()
    };
    let up = Vec2::new(5.0, 12.0);
    let stays = Vec2::new(2.0, 8.0);
    for (case, from, motion, options, roof, expected) in [
        ("it stands", 8.0, (5.0, 0.0), step(4.0), None, up),
        ("and falls", 8.0, (5.0, -3.0), step(4.0), None, up),
        ("by hardly enough", 8.0, (5.0, 0.0), step(4.0001), None, up),
        ("not by less", 8.0, (5.0, 0.0), step(3.9), None, stays),
        ("not by nothing", 8.0, (5.0, 0.0), step(0.0), None, stays),
        (
            "nor by less than that",
            8.0,
            (5.0, 0.0),
            step(-4.0),
            None,
            stays,
        ),
        (
            "nor by no number",
            8.0,
            (5.0, 0.0),
            step(f32::NAN),
            None,
            stays,
        ),
        (
            "however high it may",
            8.0,
            (5.0, 0.0),
            step(f32::INFINITY),
            None,
            up,
        ),
        (
            "not in the air",
            9.0,
            (5.0, 0.0),
            step(4.0),
            None,
            Vec2::new(2.0, 9.0),
        ),
        (
            "not when it jumps",
            8.0,
            (5.0, 1.0),
            step(4.0),
            None,
            Vec2::new(2.0, 9.0),
        ),
        ("below a roof", 8.0, (5.0, 0.0), step(4.0), Some(20.0), up),
        (
            "not below a lower one",
            8.0,
            (5.0, 0.0),
            step(4.0),
            Some(19.9),
            stays,
        ),
    ] {
        for side in [1.0, -1.0] {
            let mut app = app();
            wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
            // The side of the step is at x = 10.
            let step = (
                BoxCollider::new(50.0, 4.0),
                Body::Static,
                at(35.0 * side, 2.0),
            );
            app.world_mut().spawn(step);
            if let Some(height) = roof {
                wall(&mut app, (-100.0, height), (100.0, height + 10.0));
            }
            let body = body(&mut app, 0.0, from);
            let motion = (motion.0 * side, motion.1);
            let moved = walk(&mut app, body, motion, options);
            let expected = expected * Vec2::new(side, 1.0);
            assert!(
                moved.position.distance(expected) < 1.0e-4,
                "{case}: {moved:?}"
            );
            assert_eq!(moved.is_on_wall(), expected.x.abs() == 2.0, "{case}");
        }
    }
}

/// There must be enough room on the step to stand there, before the wall above it.
#[test]
fn nobody_steps_over_a_corner_by_nothing() {
    let mut app = app();
    wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
    wall(&mut app, (10.0, 0.0), (60.0, 4.0));
    wall(&mut app, (10.005, 4.0), (60.0, 90.0));
    let body = body(&mut app, 0.0, 8.0);
    let options = MoveOptions {
        step_height: 4.0,
        ..default()
    };
    let moved = walk(&mut app, body, (5.0, 0.0), options);
    assert_eq!(moved.position, Vec2::new(2.0, 8.0));
    assert!(moved.is_on_wall() && moved.is_on_floor());
}

#[test]
fn who_is_slow_gets_up_a_step_too() {
    let mut app = app();
    wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
    wall(&mut app, (10.0, 0.0), (60.0, 4.0));
    let body = body(&mut app, 1.0, 8.0);
    let options = MoveOptions {
        step_height: 4.0,
        ..default()
    };
    for _ in 0..400 {
        let moved = walk(&mut app, body, (0.015, 0.0), options);
        assert!(!moved.is_on_wall() && moved.is_on_floor(), "{moved:?}");
    }
    let end = place(&app, body);
    assert!(end.y == 12.0 && (6.9..7.1).contains(&end.x), "{end}");
}

/// A sill of 4, with a lintel 18 above it: a box of 16 has room at the height of the sill and hardly any above.
#[test]
fn a_step_is_gone_up_no_higher_than_it_is() {
    for (case, sills) in [
        ("one box", &[(0.0, 4.0)][..]),
        ("flush boxes", &[(0.0, 1.0), (1.0, 2.5), (2.5, 4.0)]),
    ] {
        for step_height in [4.0, 10.0, f32::INFINITY] {
            let mut app = app();
            wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
            for &(low, high) in sills {
                wall(&mut app, (10.0, low), (60.0, high));
            }
            wall(&mut app, (10.0, 22.0), (60.0, 90.0));
            let body = body(&mut app, 0.0, 8.0);
            let options = MoveOptions {
                // 41 times its own inverse is not 1 in `f32`.
                up: Some(Vec2::new(0.0, 41.0)),
                step_height,
                ..default()
            };
            let moved = walk(&mut app, body, (5.0, 0.0), options);
            let case = format!("{case}, by {step_height}: {moved:?}");
            assert_eq!(moved.position, Vec2::new(5.0, 12.0), "{case}");
            assert!(moved.is_on_floor() && !moved.is_on_wall(), "{case}");
        }
    }
}

/// A kerb that is 2 wide, with nothing behind it.
#[test]
fn who_is_fast_gets_up_a_short_step_too() {
    for is_round in [false, true] {
        for (way, stands) in [(10.0, true), (20.0, false)] {
            let mut app = app();
            wall(&mut app, (-100.0, -10.0), (12.0, 0.0));
            wall(&mut app, (10.0, 0.0), (12.0, 4.0));
            let mut body = app.world_mut().spawn((Body::Kinematic, at(0.0, 4.0)));
            if is_round {
                body.insert(CircleCollider::new(4.0));
            } else {
                body.insert(BoxCollider::square(8.0));
            }
            let body = body.id();
            app.update();
            let options = MoveOptions {
                step_height: 5.0,
                ..default()
            };
            let moved = walk(&mut app, body, (way, 0.0), options);
            let case = format!("{way}, round: {is_round}: {moved:?}");
            assert_eq!(moved.position, Vec2::new(way, 8.0), "{case}");
            assert_eq!(moved.motion, Vec2::new(way, 0.0), "{case}");
            assert_eq!(
                (moved.is_on_floor(), moved.is_on_wall()),
                (stands, false),
                "{case}"
            );
        }
    }
}

/// It is pressed against a wall on its right, and slides along it to a pilaster that sticks out by 2 and begins 12 ahead; the last motion ends just there.
#[test]
fn who_slides_along_a_wall_seen_from_above_goes_around_what_sticks_out_of_it() {
    for motion in [(16.0, 32.0), (32.0, 16.0), (24.0, 12.0)] {
        let mut app = app();
        wall(&mut app, (8.0, -200.0), (20.0, 200.0));
        wall(&mut app, (6.0, 20.0), (20.0, 60.0));
        let body = body(&mut app, 0.0, 0.0);
        let options = MoveOptions {
            up: Some(Vec2::ZERO),
            corner_correction: 4.0,
            ..default()
        };
        let moved = walk(&mut app, body, motion, options);
        let end = Vec2::new(-2.0, motion.1);
        assert!(moved.position.distance(end) < 1.0e-3, "{moved:?}");
        assert_eq!(moved.motion, Vec2::new(0.0, motion.1));
        assert_eq!(moved.hits.len(), 1, "{moved:?}");
    }
}

/// The body reaches the block at (-1, 32), overlaps it by 2 aside, and has (4, 16) left.
#[test]
fn a_corner_is_gone_around_by_who_also_moves_towards_it() {
    for side in [1.0, -1.0] {
        let mut app = app();
        let block = (
            BoxCollider::new(55.0, 10.0),
            Body::Static,
            at(32.5 * side, 45.0),
        );
        app.world_mut().spawn(block);
        let body = body(&mut app, -5.0 * side, 16.0);
        let options = MoveOptions {
            corner_correction: 4.0,
            ..default()
        };
        let moved = walk(&mut app, body, (8.0 * side, 32.0), options);
        let end = Vec2::new(-3.0 * side, 48.0);
        assert!(moved.position.distance(end) < 1.0e-3, "{moved:?}");
        assert_eq!(moved.motion, Vec2::new(8.0 * side, 32.0));
        assert!(moved.hits.is_empty(), "{moved:?}");
        // It needs 6 more to be above the block, whose side is in the way until then.
        let beside = walk(&mut app, body, (8.0 * side, 32.0), options);
        let end = Vec2::new(-3.0 * side, 80.0);
        assert!(beside.position.distance(end) < 1.0e-3, "{beside:?}");
        assert_eq!(beside.motion, Vec2::new(0.0, 32.0));
        assert!(beside.is_on_wall() && !beside.is_on_ceiling());
    }
}

/// At this distance, neighboring floats are 1/16 apart.
const FAR: f32 = 1.0e6;

#[test]
fn who_is_far_out_stands_too() {
    // The half sizes of floor and body, rounded up to the next float.
    for (size, height) in [(14.6, 12.3125), (14.54, 12.3125), (16.0, 13.0)] {
        for is_ledge in [false, true] {
            let mut app = app();
            let floor = wall(&mut app, (-50.0, FAR - 5.0), (50.0, FAR + 5.0));
            if is_ledge {
                app.world_mut().entity_mut(floor).insert(OneWay::default());
            }
            let body = (BoxCollider::square(size), Body::Kinematic);
            let body = app.world_mut().spawn((body, at(0.0, FAR + 20.0))).id();
            app.update();
            for tick in 0..5 {
                let options = MoveOptions::default();
                let moved = walk(&mut app, body, (0.0, -10.0), options);
                let case = format!("{size}, ledge: {is_ledge}, tick {tick}: {moved:?}");
                assert_eq!(moved.position.y, FAR + height, "{case}");
                assert!(moved.is_on_floor(), "{case}");
                app.update();
            }
        }
    }
}

/// Places are less exact only along the axis on which the body is far out.
#[test]
fn who_is_far_to_the_side_stands_as_exactly_as_anywhere() {
    for (gap, stands) in [(0.0, true), (0.004, true), (0.01, false)] {
        let mut app = app();
        wall(&mut app, (FAR - 50.0, -10.0), (FAR + 50.0, 0.0));
        let body = body(&mut app, FAR, 8.0 + gap);
        let moved = walk(&mut app, body, (1.0, 0.0), MoveOptions::default());
        assert_eq!(moved.is_on_floor(), stands, "{gap} above");
    }
}

/// The middle of the ground is so far below that its top is only exact to 1/2.
#[test]
fn who_stands_on_a_very_deep_ground_stands() {
    let mut app = app();
    wall(&mut app, (-5.0e6, -1.0e7), (5.0e6, 0.0));
    let body = (BoxCollider::square(14.6), Body::Kinematic);
    let body = app.world_mut().spawn((body, at(0.0, 20.3))).id();
    app.update();
    for tick in 0..5 {
        let moved = walk(&mut app, body, (0.0, -7.0), MoveOptions::default());
        let lies = if tick == 0 { 13.3 } else { 7.5 };
        assert!(
            (moved.position.y - lies).abs() < 1.0e-5,
            "{tick}: {moved:?}"
        );
        assert_eq!(moved.is_on_floor(), tick > 0, "{tick}: {moved:?}");
    }
}

/// With one float more, it would be on the step by less than the tolerance.
#[test]
fn who_is_far_out_and_slow_gets_up_a_step_too() {
    let mut app = app();
    wall(&mut app, (FAR - 100.0, FAR - 10.0), (FAR + 100.0, FAR));
    wall(&mut app, (FAR + 10.0, FAR), (FAR + 30.0, FAR + 4.0));
    let body = (BoxCollider::square(14.501), Body::Kinematic);
    let body = (body, at(FAR + 2.0, FAR + 7.3125));
    let body = app.world_mut().spawn(body).id();
    app.update();
    let options = MoveOptions {
        step_height: 5.0,
        ..default()
    };
    for tick in 0..20 {
        let moved = walk(&mut app, body, (0.0625, 0.0), options);
        assert!(
            moved.is_on_floor() && !moved.is_on_wall(),
            "{tick}: {moved:?}"
        );
    }
    assert_eq!(place(&app, body).y, FAR + 11.3125);
}

/// There is no float at which the body would just touch the side of the block.
#[test]
fn who_is_far_out_goes_around_a_corner_too() {
    let mut app = app();
    wall(&mut app, (FAR + 5.0, 40.0), (FAR + 60.0, 50.0));
    let body = (BoxCollider::square(14.54), Body::Kinematic);
    let body = app.world_mut().spawn((body, at(FAR - 1.0, 10.0))).id();
    app.update();
    let options = MoveOptions {
        corner_correction: 4.0,
        ..default()
    };
    let moved = walk(&mut app, body, (0.0, 50.0), options);
    // 5 - 7.27 is -2.27, which is nearer to -2.25 than to -2.3125.
    assert_eq!(moved.position.x, FAR - 2.3125, "{moved:?}");
    assert!((moved.position.y - 60.0).abs() < 1.0e-3, "{moved:?}");
    assert!(moved.hits.is_empty(), "{moved:?}");
}

#[test]
fn who_is_far_out_gets_up_a_step_and_down_again() {
    let mut app = app();
    wall(&mut app, (FAR - 100.0, FAR - 10.0), (FAR + 100.0, FAR));
    wall(&mut app, (FAR + 10.0, FAR), (FAR + 30.0, FAR + 4.0));
    let body = (BoxCollider::square(14.6), Body::Kinematic);
    let body = (body, at(FAR - 20.0, FAR + 7.3125));
    let body = app.world_mut().spawn(body).id();
    app.update();
    let options = MoveOptions {
        step_height: 5.0,
        floor_snap_length: 5.0,
        ..default()
    };
    for tick in 1..=40 {
        let moved = walk(&mut app, body, (2.0, 0.0), options);
        let x = -20.0 + 2.0 * tick as f32;
        let is_on_step = x + 7.3 > 10.0 && x - 7.3 < 30.0;
        let y = if is_on_step { 11.3125 } else { 7.3125 };
        let expected = Vec2::new(x, y) + FAR;
        assert_eq!(moved.position, expected, "tick {tick}: {moved:?}");
        assert!(moved.is_on_floor() && !moved.is_on_wall(), "tick {tick}");
    }
}

/// Every collider below a body is part of it, at any depth and whatever is in between; colliders below other bodies are not.
#[test]
fn a_body_moves_with_all_colliders_below_it() {
    for (case, far, stops_at) in [
        ("its child", [true, false, false], 30.0),
        ("its grandchild", [true, true, false], 20.0),
        ("and that of a body on it", [true, true, true], 10.0),
    ] {
        let mut app = app();
        wall(&mut app, (50.0, -50.0), (60.0, 50.0));
        // A part of another body, farther to the right.
        let other = app.world_mut().spawn((Body::Kinematic, at(5.0, 40.0))).id();
        let part = (BoxCollider::square(20.0), at(20.0, 0.0), ChildOf(other));
        app.world_mut().spawn(part);
        let body = app.world_mut().spawn((Body::Kinematic, at(0.0, 0.0))).id();
        // Each arm is 10 farther to the right than the last, and some of them have no collider.
        let mut parent = body;
        for (number, is_there) in far.into_iter().enumerate() {
            let arm = (at(10.0, 0.0), ChildOf(parent));
            let arm = app.world_mut().spawn(arm).id();
            if number == 1 {
                app.world_mut().entity_mut(arm).insert(Disabled);
            }
            if is_there {
                let hand = (BoxCollider::square(20.0), ChildOf(arm));
                let mut hand = app.world_mut().spawn(hand);
                if number == 2 {
                    hand.insert(Body::Static);
                }
            }
            parent = arm;
        }
        app.update();
        let moved = walk(&mut app, body, (100.0, 0.0), MoveOptions::default());
        assert_eq!(moved.position, Vec2::new(stops_at, 0.0), "{case}");
    }
}

/// A lift whose floor is a child, and a wall.
#[test]
fn what_is_hit_tells_with_whom_it_moves() {
    let mut app = app();
    let wall = wall(&mut app, (50.0, -50.0), (60.0, 50.0));
    let lift = app
        .world_mut()
        .spawn((Body::Kinematic, at(0.0, -20.0)))
        .id();
    let floor = (BoxCollider::new(100.0, 10.0), ChildOf(lift), at(0.0, 15.0));
    let floor = app.world_mut().spawn(floor).id();
    let body = body(&mut app, 0.0, 20.0);
    // It goes down by 12 to the floor, whose top is at 0, and on to the wall.
    let moved = walk(&mut app, body, (60.0, -30.0), MoveOptions::default());
    assert_eq!(moved.position, Vec2::new(42.0, 8.0));
    let hits: Vec<_> = moved
        .hits
        .iter()
        .map(|hit| (hit.entity, hit.body))
        .collect();
    assert_eq!(hits, [(floor, lift), (wall, wall)]);
}

#[test]
fn what_was_taken_off_a_body_does_not_move_with_it() {
    let mut app = app();
    wall(&mut app, (50.0, -50.0), (60.0, 50.0));
    let body = body(&mut app, 0.0, 0.0);
    let shield = (BoxCollider::square(16.0), at(10.0, 0.0), ChildOf(body));
    let shield = app.world_mut().spawn(shield).id();
    app.update();
    let ends = |app: &mut App| walk(app, body, (100.0, 0.0), MoveOptions::default()).position;
    assert_eq!(ends(&mut app), Vec2::new(32.0, 0.0));
    app.world_mut().entity_mut(shield).remove::<ChildOf>();
    assert_eq!(ends(&mut app), Vec2::new(42.0, 0.0));
}

/// Random steps of up to 4 up and 1 down: a larger step height than needed gives the same bits, and the body never ends in a step, or above it.
#[test]
fn a_step_height_is_as_good_as_any_above_it() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut risen = 0;
    for number in 0..50 {
        let mut app = app();
        let mut tops = Vec::new();
        let (mut x, mut top) = (-30.0, 0.0);
        while x < 200.0 {
            let next = x + 1.0 + random.f32() * 15.0;
            wall(&mut app, (x, -50.0), (next, top));
            tops.push((x, next, top));
            x = next;
            top += random.f32() * 5.0 - 1.0;
        }
        let size = 4.0 + random.f32() * 16.0;
        let body = (BoxCollider::square(size), Body::Kinematic, at(-10.0, 30.0));
        let body = app.world_mut().spawn(body).id();
        app.update();
        let options = |step_height| MoveOptions {
            step_height,
            floor_snap_length: 5.0,
            ..default()
        };
        walk(&mut app, body, (0.0, -100.0), options(4.0));
        while place(&app, body).x < 170.0 {
            let from = place(&app, body);
            let motion = (random.f32() * 6.0, -1.0);
            let by_more = walk(&mut app, body, motion, options(40.0));
            app.world_mut().entity_mut(body).insert(at(from.x, from.y));
            let moved = walk(&mut app, body, motion, options(4.0));
            let case = format!("{number}, from {from}: {moved:?}");
            assert_eq!(moved, by_more, "{case}");
            assert!(moved.is_on_floor() && !moved.is_on_wall(), "{case}");
            let at = moved.position;
            // A body that is over a step by less than the tolerance is not on it, and a difference in height below the tolerance is no step.
            let reach = size * 0.5 - 0.005;
            let is_below = |tile: &&(f32, f32, f32)| at.x + reach > tile.0 && at.x - reach < tile.1;
            let below = tops.iter().filter(is_below).map(|(.., top)| *top);
            let gap = at.y - size * 0.5 - below.fold(f32::NEG_INFINITY, f32::max);
            assert!(gap.abs() < 0.0051, "{case}, {gap} above");
            risen += u32::from(at.y > from.y);
        }
    }
    assert!(risen > 500, "{risen}");
}

/// It would end within the gate, on the floor that it came from.
#[test]
fn nobody_steps_through_a_gate_that_is_solid_from_this_side() {
    for (high, step_height) in [(6.0, 0.0), (6.0, 8.0), (100.0, f32::INFINITY)] {
        let mut app = app();
        wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
        let gate = wall(&mut app, (10.0, 0.0), (14.0, high));
        app.world_mut().entity_mut(gate).insert(OneWay(Vec2::NEG_X));
        let body = body(&mut app, 0.0, 8.0);
        let options = MoveOptions {
            step_height,
            ..default()
        };
        for _ in 0..2 {
            let moved = walk(&mut app, body, (8.0, 0.0), options);
            let hits: Vec<_> = moved
                .hits
                .iter()
                .map(|hit| (hit.entity, hit.normal))
                .collect();
            assert_eq!(moved.position, Vec2::new(2.0, 8.0), "{high}");
            assert_eq!(hits, [(gate, Vec2::NEG_X)], "{high}");
        }
    }
}

/// The hat, which juts out above, does not count as feet.
#[test]
fn a_step_is_as_high_as_it_is_above_the_feet() {
    for (step_height, steps) in [(5.0, false), (17.9, false), (18.1, true)] {
        let mut app = app();
        let floor = wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
        let block = wall(&mut app, (10.0, 10.0), (20.0, 18.0));
        let trunk = (BoxCollider::new(4.0, 20.0), Body::Kinematic, at(0.0, 10.0));
        let trunk = app.world_mut().spawn(trunk).id();
        let hat = (BoxCollider::new(12.0, 4.0), at(0.0, 8.0), ChildOf(trunk));
        app.world_mut().spawn(hat);
        app.update();
        let options = MoveOptions {
            step_height,
            ..default()
        };
        let moved = walk(&mut app, trunk, (8.0, 0.0), options);
        let (place, on) = if steps {
            (Vec2::new(8.0, 12.0), block)
        } else {
            (Vec2::new(4.0, 10.0), floor)
        };
        assert_eq!(
            (moved.position, moved.floor_entity),
            (place, Some(on)),
            "{step_height}"
        );
    }
}

/// Spawns a lift that ends at (5, 0), a boulder beside its end, and a player of 10 above it.
fn beside_a_boulder(lift: Body, boulder_y: f32, player_y: f32) -> (App, Entity, Entity) {
    let mut app = app();
    let plank = BoxCollider::from_corners(Vec2::new(-50.0, -10.0), Vec2::new(5.0, 0.0));
    let lift = app.world_mut().spawn((plank, lift)).id();
    let boulder = (CircleCollider::new(5.0), Body::Static, at(9.0, boulder_y));
    app.world_mut().spawn(boulder);
    let player = (
        BoxCollider::square(10.0),
        Body::Kinematic,
        at(0.0, player_y),
    );
    let player = app.world_mut().spawn(player).id();
    app.update();
    (app, lift, player)
}

/// The boulder is harder to move than the lift, but its normal is not that of a floor.
#[test]
fn who_touches_a_boulder_stands_on_what_is_flat() {
    for kind in [Body::Static, Body::Kinematic, Body::Dynamic] {
        let (mut app, lift, player) = beside_a_boulder(kind, -2.999, 5.0);
        let moved = walk(&mut app, player, (0.0, 0.0), default());
        let floor = (moved.floor, moved.floor_entity);
        assert_eq!(floor, (Some(Vec2::Y), Some(lift)), "{kind:?}");
    }
}

/// Of two that are met at once the player lands on the flat one, whichever of them moves, and does not slide aside on the other.
#[test]
fn who_comes_down_on_a_lift_and_a_boulder_lands_on_the_lift() {
    for kind in [Body::Static, Body::Kinematic, Body::Dynamic] {
        // The player's corner at (5, 0) meets the boulder when its bottom is at 0: (4, 3) from the middle of the boulder.
        let (mut app, lift, player) = beside_a_boulder(kind, -3.0, 9.0);
        let moved = walk(&mut app, player, (0.0, -10.0), default());
        let place = (moved.position, moved.motion);
        assert_eq!(place, (Vec2::new(0.0, 5.0), Vec2::ZERO), "{kind:?}");
        assert_eq!(moved.floor_entity, Some(lift), "{kind:?}");
    }
}

/// A corner of a ceiling stops a body that walks uphill: only a jump goes around it.
#[test]
fn who_walks_does_not_go_around_corners_of_ceilings() {
    // Up is slanted, and uphill is (4, 3) / 5: met along that way, the corner of the ceiling is flat below.
    let mut app = app();
    wall(&mut app, (5.0, 10.0), (60.0, 20.0));
    let body = body(&mut app, -4.0, 0.0);
    let options = MoveOptions {
        up: Some(Vec2::new(-0.6, 0.8)),
        corner_correction: 4.0,
        ..default()
    };
    let moved = walk(&mut app, body, (8.0, 5.75), options);
    assert_eq!((moved.hits.len(), moved.position.y), (1, 2.0), "{moved:?}");
    assert!(moved.position.x > -4.0, "{moved:?}");
}

/// With the loop of a game, a ball of 6 walks over steps that it meets where they are too steep to stand on: it goes over them, and is not thrown up, with or without a step height.
#[test]
fn who_is_round_walks_over_a_step_and_does_not_jump() {
    for (high, pace) in [(1.5, 2.5), (2.0, 2.5), (3.0, 4.0), (4.0, 2.5), (5.0, 4.0)] {
        for step_height in [0.0, 6.0] {
            let mut app = app();
            wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
            wall(&mut app, (20.0, 0.0), (900.0, high));
            let ball = (CircleCollider::new(6.0), Body::Kinematic, at(10.0, 6.0));
            let ball = app.world_mut().spawn(ball).id();
            app.update();
            let options = MoveOptions {
                floor_snap_length: 4.0,
                step_height,
                ..default()
            };
            let (mut fall, mut feet) = (0.0, 0.0_f32);
            for tick in 0..60 {
                fall -= 0.25;
                let moved = walk(&mut app, ball, (pace, fall), options);
                fall = moved.motion.y;
                feet = feet.max(moved.position.y - 6.0);
                let case = format!("{high}, {step_height}, tick {tick}");
                assert!(fall <= 0.0, "{case}: {fall}");
                app.update();
            }
            assert!(feet < high + 1.0, "{high}, {step_height}: {feet}");
            assert_eq!(place(&app, ball).y, high + 6.0, "{high}, {step_height}");
        }
    }
}

/// Around a planet, a level motion may lead up by a rounding error.
#[test]
fn who_walks_level_does_not_go_up_whichever_way_is_up() {
    let mut app = app();
    app.world_mut()
        .spawn((CircleCollider::new(100.0), Body::Static));
    let walker = (CircleCollider::new(8.0), Body::Kinematic, at(0.0, 108.0));
    let walker = app.world_mut().spawn(walker).id();
    app.update();
    for degrees in 0..360_u16 {
        for pace in [1.5, 2.5] {
            let up = Vec2::from_angle(f32::from(degrees).to_radians());
            let options = MoveOptions {
                up: Some(up),
                floor_snap_length: 2.0,
                ..default()
            };
            let moved = app.world_mut().run_system_once(move |mover: Mover| {
                mover.project(walker, up * 108.0, up.perp() * pace, &options)
            });
            let moved = moved.expect("it runs").expect("it is a body");
            assert!(moved.is_on_floor(), "{degrees}, {pace}");
            let off = (moved.position.length() - 108.0).abs();
            assert!(off < 0.005, "{degrees}, {pace}: {off}");
        }
    }
}

/// The remaining motion is the next velocity: over a gentle hill the walker gets all the way, and is not slowed down in each tick.
#[test]
fn who_keeps_what_is_left_gets_over_a_hill() {
    let mut app = app();
    app.world_mut()
        .spawn((CircleCollider::new(100.0), Body::Static, at(0.0, -100.0)));
    // At (-48.3, 96.6) from the middle of the hill: 108 away.
    let walker = (CircleCollider::new(8.0), Body::Kinematic, at(-48.3, -3.4));
    let walker = app.world_mut().spawn(walker).id();
    app.update();
    let options = MoveOptions {
        floor_snap_length: 4.0,
        ..default()
    };
    let mut motion = (2.5, 0.0);
    for tick in 0..25 {
        let moved = walk(&mut app, walker, motion, options);
        assert!(moved.is_on_floor(), "{tick}");
        motion = moved.motion.into();
        assert!((motion.0 - 2.5).abs() < 1.0e-4, "{tick}: {motion:?}");
        assert!(motion.1.abs() < 1.0e-4, "{tick}: {motion:?}");
        app.update();
    }
    assert!(place(&app, walker).x > 0.0);
}

/// A ball that jumps beside a step and moves against it is led up by the corner no faster than it jumped.
#[test]
fn who_is_round_and_jumps_beside_a_step_is_not_thrown_up() {
    let mut app = app();
    wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
    wall(&mut app, (20.0, 0.0), (900.0, 12.0));
    let ball = (CircleCollider::new(6.0), Body::Kinematic, at(14.0, 6.0));
    let ball = app.world_mut().spawn(ball).id();
    app.update();
    let (mut rise, mut feet) = (2.4, 0.0_f32);
    for tick in 0..40 {
        let moved = walk(&mut app, ball, (2.5, rise), default());
        let after = moved.motion.y;
        assert!(after <= rise.max(0.0), "{tick}: {rise} and {after}");
        feet = feet.max(moved.position.y - 6.0);
        rise = after - 0.25;
        app.update();
    }
    // By the jump alone it would get to 10.35. It goes around the corner in an arc, up to 18.66, where it goes up by 0.9 a tick, and by 0.65, 0.4 and 0.15 after that.
    assert!((feet - 13.86).abs() < 0.1, "{feet}");
}

/// As in a ray cast of the same system.
#[test]
fn what_is_gone_or_disabled_stops_nobody() {
    type Go = fn(EntityWorldMut);
    #[derive(Component)]
    struct Shelved;
    let goes: [(&str, Go, bool); 7] = [
        (
            "hidden in the game's own way",
            |mut wall| {
                wall.insert(Shelved);
            },
            false,
        ),
        ("as it is", |_| (), true),
        ("despawned", |wall| wall.despawn(), false),
        (
            "disabled",
            |mut wall| {
                wall.insert(Disabled);
            },
            false,
        ),
        (
            "its collider disabled",
            |mut wall| {
                wall.insert(ColliderDisabled);
            },
            false,
        ),
        (
            "without its collider",
            |mut wall| {
                wall.remove::<BoxCollider>();
            },
            false,
        ),
        (
            "named",
            |mut wall| {
                wall.insert(Name::new("a wall"));
            },
            true,
        ),
    ];
    for (case, go, stops) in goes {
        let mut app = app();
        app.world_mut().register_disabling_component::<Shelved>();
        let wall = wall(&mut app, (20.0, -50.0), (30.0, 50.0));
        let body = body(&mut app, 0.0, 0.0);
        go(app.world_mut().entity_mut(wall));
        let moved = walk(&mut app, body, (60.0, 0.0), MoveOptions::default());
        let (x, hits) = if stops { (12.0, 1) } else { (60.0, 0) };
        let seen = (moved.position.x, moved.hits.len());
        assert_eq!(seen, (x, hits), "{case}");

        // The same with a shield that is a part of the body, 4 in front of it.
        let mut app = self::app();
        app.world_mut().register_disabling_component::<Shelved>();
        self::wall(&mut app, (20.0, -50.0), (30.0, 50.0));
        let body = self::body(&mut app, 0.0, 0.0);
        let shield = (BoxCollider::new(4.0, 16.0), at(10.0, 0.0), ChildOf(body));
        let shield = app.world_mut().spawn(shield).id();
        app.update();
        go(app.world_mut().entity_mut(shield));
        let moved = walk(&mut app, body, (60.0, 0.0), MoveOptions::default());
        let x = if stops { 8.0 } else { 12.0 };
        assert_eq!(moved.position.x, x, "a shield, {case}");
    }
}

/// A game that ticks in each frame, also while it is paused, would divide by a time of 0.
#[test]
fn a_velocity_outlives_a_tick_without_time() {
    for (case, before, motion, seconds, expected) in [
        ("no time", (30.0, -7.0), (0.0, 0.0), 0.0, (30.0, -7.0)),
        (
            "less than none",
            (30.0, -7.0),
            (0.0, 0.0),
            -1.0,
            (30.0, -7.0),
        ),
        (
            "lost one part",
            (30.0, -8.0),
            (3.75, 0.0),
            0.125,
            (30.0, 0.0),
        ),
        ("turned", (30.0, -8.0), (-3.75, 0.0), 0.125, (-30.0, 0.0)),
        (
            "a part of it",
            (30.0, -8.0),
            (1.0, -1.0),
            0.125,
            (8.0, -8.0),
        ),
    ] {
        let moved = Moved {
            motion: motion.into(),
            ..Moved::default()
        };
        assert_eq!(
            moved.velocity_after(before.into(), seconds),
            expected.into(),
            "{case}"
        );
    }
    // Dividing by the time seldom undoes the rounding of multiplying by it.
    let seconds = 1.0 / 60.0_f32;
    for number in 1..1000_u16 {
        let before = Vec2::splat(f32::from(number) * 0.7);
        let moved = Moved {
            motion: before * seconds,
            ..Moved::default()
        };
        assert_eq!(moved.velocity_after(before, seconds), before);
    }
}

/// In the tick in which the walker reaches the lift, the lift sinks away before a tick has found that they touch.
#[test]
fn who_comes_onto_a_sinking_lift_by_a_mover_is_carried() {
    for (speed, on_a_load) in [(8.0, false), (64.0, false), (128.0, false), (64.0, true)] {
        let mut app = app();
        app.insert_resource(Time::<Fixed>::from_hz(64.0));
        app.add_systems(FixedUpdate, walk_all);
        let lift = (BoxCollider::new(2000.0, 8.0), Body::Kinematic);
        let speed_of_lift = Velocity(Vec2::new(16.0, -speed));
        let lift = (lift, speed_of_lift, at(0.0, -4.0));
        let mut below = app.world_mut().spawn(lift).id();
        let mut offset = Vec2::new(0.0, 14.0);
        if on_a_load {
            let load = (BoxCollider::new(1000.0, 8.0), at(0.0, 4.0));
            below = app.world_mut().spawn(load).id();
        }
        app.update();
        app.update();
        let walker = Walker {
            velocity: Vec2::ZERO,
            was_on_floor: false,
        };
        let walker = (BoxCollider::new(10.0, 20.0), walker, at(0.0, 60.0));
        let walker = app.world_mut().spawn(walker).id();
        let case = format!("at {speed}, on a load: {on_a_load}");
        let mut stands_for = 0;
        let mut started = 0;
        for tick in 0..200 {
            app.update();
            started += take::<CollisionStarted>(&mut app)
                .iter()
                .filter(|one| one.involves(walker))
                .count();
            let was_on_floor = app.world().get::<Walker>(walker).unwrap().was_on_floor;
            if stands_for == 0 && !was_on_floor {
                continue;
            }
            assert!(was_on_floor, "{case}, tick {tick}");
            let now = place(&app, walker) - place(&app, below);
            if stands_for == 0 {
                offset.x = now.x;
            }
            stands_for += 1;
            let apart = now - offset;
            assert!(apart.length() < 0.02, "{case}, tick {tick}: {apart}");
        }
        assert!(stands_for > 100, "{case}: {stands_for}");
        assert_eq!(started, 1, "{case}");
    }
}

/// The game moves the parent of a walker, or the app does not update `GlobalTransform`s: the walls are where they were in the tick.
#[test]
fn below_a_parent_it_goes_by_where_the_tick_has_seen_it() {
    for (ticks, has_transforms, sinks) in [
        (1, true, 0.0),
        (2, true, 0.0),
        (2, true, 4.0),
        (1, false, 0.0),
        (3, false, 4.0),
    ] {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, CollisionPlugin::default()))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(ticks));
        if has_transforms {
            app.add_plugins(TransformPlugin);
        }
        app.finish();
        app.cleanup();
        app.update();
        let level = app.world_mut().spawn(at(100.0, 0.0)).id();
        let below = ChildOf(level);
        let floor = (BoxCollider::new(200.0, 20.0), Body::Static, at(0.0, -10.0));
        app.world_mut().spawn((floor, below.clone()));
        let wall = (BoxCollider::new(10.0, 100.0), Body::Static, at(45.0, 0.0));
        app.world_mut().spawn((wall, below.clone()));
        let hero = (BoxCollider::square(10.0), Body::Kinematic, at(0.0, 5.0));
        let hero = app.world_mut().spawn((hero, below)).id();
        let step = move |mover: Mover, mut places: Query<&mut Transform>| {
            places.get_mut(level).unwrap().translation.y -= sinks;
            let mut transform = places.get_mut(hero).unwrap();
            let options = MoveOptions::default();
            let moved = mover.move_and_slide(hero, &mut transform, Vec2::new(60.0, -1.0), &options);
            // In the first tick the plugin does not know the walker yet.
            assert!(moved.is_none_or(|moved| moved.is_on_floor()));
        };
        app.add_systems(FixedUpdate, step);
        for _ in 0..3 {
            app.update();
        }
        let case = (ticks, has_transforms, sinks);
        assert_eq!(place(&app, hero), Vec2::new(35.0, 5.0), "{case:?}");
    }
}

/// The walker and the sensor cross each other's paths: the reports of the two do not depend on their spawn order.
#[test]
fn what_is_told_of_two_that_move_does_not_depend_on_who_came_first() {
    let told = |is_hero_first: bool| {
        let mut app = app();
        app.insert_resource(Time::<Fixed>::from_hz(64.0));
        let hero = |app: &mut App| {
            let hero = (BoxCollider::square(8.0), at(0.0, 0.0));
            app.world_mut().spawn(hero).id()
        };
        let first = is_hero_first.then(|| hero(&mut app));
        let sensor = (BoxCollider::square(4.0), Sensor, at(6.0, 5.0));
        let fast = Velocity(Vec2::new(-512.0, -64.0));
        app.world_mut().spawn((sensor, fast));
        let hero = first.unwrap_or_else(|| hero(&mut app));
        let mut told = Vec::new();
        for _ in 0..4 {
            app.update();
            let all = take::<Collision>(&mut app).into_iter();
            let all = all.filter_map(|met| met.seen_from(hero));
            told.extend(all.map(|met| (met.normal, met.depth, met.point, met.time)));
            take::<Collision>(&mut app);
            walk(&mut app, hero, (-4.0, 0.0), MoveOptions::default());
        }
        assert!(!told.is_empty());
        told
    };
    assert_eq!(told(true), told(false));
}

/// Two feet come down onto a floor at once: the one with the lesser place is told, whichever of them was spawned first.
#[test]
fn of_two_own_colliders_that_hit_at_once_the_same_one_is_told() {
    for order in [[-6.0, 6.0], [6.0, -6.0]] {
        let mut app = app();
        let floor = wall(&mut app, (-50.0, -10.0), (50.0, 0.0));
        let body = app.world_mut().spawn((Body::Kinematic, at(0.0, 20.0))).id();
        for x in order {
            let foot = (BoxCollider::new(8.0, 10.0), at(x, 0.0), ChildOf(body));
            app.world_mut().spawn(foot);
        }
        app.update();
        // The feet end 15 above the floor, at half of the way.
        let moved = walk(&mut app, body, (0.0, -30.0), MoveOptions::default());
        let hit = moved.hits[0];
        assert_eq!((hit.entity, hit.normal), (floor, Vec2::Y), "{order:?}");
        assert_eq!(hit.position, Vec2::new(0.0, 5.0), "{order:?}");
        assert_eq!(hit.point, Vec2::new(-6.0, 0.0), "{order:?}");
    }
}

/// It comes to the wall and the floor as good as at once, but a little earlier to the one that it meets more slowly; or it touches that from the start.
#[test]
fn who_comes_into_a_corner_is_in_neither_side() {
    for (from, motion) in [
        ((41.0, 9.2024), (10.0, -12.0)),
        ((40.7976, 9.0), (12.0, -10.0)),
        ((41.996, 8.0), (12.0, -10.0)),
        ((42.0, 8.004), (10.0, -12.0)),
    ] {
        for up in [Vec2::Y, Vec2::ZERO] {
            let mut app = app();
            wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
            wall(&mut app, (50.0, 0.0), (60.0, 100.0));
            let body = body(&mut app, from.0, from.1);
            let options = MoveOptions {
                up: Some(up),
                ..default()
            };
            let moved = walk(&mut app, body, motion, options);
            let case = format!("{from:?}, up {up}");
            assert_eq!(moved.position, Vec2::new(42.0, 8.0), "{case}");
            assert_eq!((moved.hits.len(), moved.motion), (2, Vec2::ZERO), "{case}");
        }
    }
}

/// A roof 4 above: the jump is stopped there, and so is one by just that much.
#[test]
fn a_motion_that_ends_just_where_it_touches_hits() {
    for rises in [4.0, 5.0] {
        let mut app = app();
        wall(&mut app, (-100.0, 12.0), (100.0, 20.0));
        let body = body(&mut app, 0.0, 0.0);
        let moved = walk(&mut app, body, (3.0, rises), MoveOptions::default());
        assert_eq!(moved.position, Vec2::new(3.0, 4.0), "{rises}");
        assert_eq!((moved.hits.len(), moved.motion), (1, Vec2::new(3.0, 0.0)));
        assert!(moved.is_on_ceiling());
    }
}

/// 4 deep in the left side of something: it gets out to the left, not farther in, and is not put out.
#[test]
fn who_begins_inside_is_led_out_or_not_at_all() {
    for kind in [Body::Static, Body::Kinematic] {
        let mut app = app();
        let tower = (BoxCollider::new(40.0, 200.0), kind, at(24.0, 0.0));
        app.world_mut().spawn(tower);
        let body = body(&mut app, 0.0, 0.0);
        let go =
            |app: &mut App, x: f32| walk(app, body, (x, 0.0), MoveOptions::default()).position.x;
        assert_eq!(go(&mut app, 0.0), 0.0, "{kind:?}");
        assert_eq!(go(&mut app, 2.0), 0.0, "{kind:?}");
        assert_eq!(go(&mut app, -1.0), -1.0, "{kind:?}");
        assert_eq!(go(&mut app, -5.0), -6.0, "{kind:?}");
        assert_eq!(go(&mut app, 5.0), -4.0, "{kind:?}");
    }
}

#[test]
fn filters_of_the_game_are_not_asked() {
    let mut app = app();
    app.add_collision_filter(|_: In<Pair>| Verdict::Ignore);
    wall(&mut app, (20.0, -50.0), (30.0, 50.0));
    let body = body(&mut app, 0.0, 0.0);
    let moved = walk(&mut app, body, (60.0, 0.0), MoveOptions::default());
    assert_eq!(
        (moved.position, moved.hits.len()),
        (Vec2::new(12.0, 0.0), 1)
    );
}

#[test]
fn who_may_not_slide_at_all_stays_and_a_static_one_goes_through_walls() {
    let mut app = app();
    wall(&mut app, (20.0, -50.0), (30.0, 50.0));
    let body = body(&mut app, 0.0, 0.0);
    let options = MoveOptions {
        max_slides: 0,
        ..default()
    };
    let moved = walk(&mut app, body, (5.0, 5.0), options);
    assert_eq!((moved.position, moved.hits.len()), (Vec2::ZERO, 0));
    app.world_mut().entity_mut(body).insert(Body::Static);
    app.update();
    let moved = walk(&mut app, body, (60.0, 0.0), MoveOptions::default());
    assert_eq!(
        (moved.position, moved.hits.len()),
        (Vec2::new(60.0, 0.0), 0)
    );
}

/// No place in such a parent's space leads anywhere; a motion in the world can be thought of all the same.
#[test]
fn a_parent_without_a_size_lets_nobody_move() {
    let mut app = app();
    let nothing = Transform::from_scale(Vec3::ZERO);
    let parent = app.world_mut().spawn(nothing).id();
    let child = (CircleCollider::new(4.0), Body::Kinematic, at(3.0, 0.0));
    let child = app.world_mut().spawn((child, ChildOf(parent))).id();
    app.update();
    let go = move |mover: Mover, mut transforms: Query<&mut Transform>| {
        let mut transform = transforms.get_mut(child).unwrap();
        let options = MoveOptions::default();
        mover.move_and_slide(child, &mut transform, Vec2::X, &options)
    };
    let moved = app.world_mut().run_system_once(go).unwrap();
    assert_eq!((moved, place(&app, child)), (None, Vec2::new(3.0, 0.0)));
    let think = move |mover: Mover| {
        let moved = mover.project(child, Vec2::ZERO, Vec2::X, &MoveOptions::default());
        moved.map(|moved| moved.position)
    };
    let end = app.world_mut().run_system_once(think).unwrap();
    assert_eq!(end, Some(Vec2::X));
}

/// In the last two cases its motion ends by a little above the floor.
#[test]
fn who_is_put_onto_a_floor_from_the_air_keeps_nothing_of_its_fall() {
    for gap in [4.0, 5.0, 5.000_01, 5.003] {
        let mut app = app();
        let floor = wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
        let body = body(&mut app, 0.0, 8.0 + gap);
        let moved = walk(&mut app, body, (3.0, -5.0), MoveOptions::default());
        let end = (moved.position, moved.is_on_floor());
        assert_eq!(end, (Vec2::new(3.0, 8.0), true), "{gap}");
        assert_eq!(moved.motion, Vec2::new(3.0, 0.0), "{gap}");
        let [hit] = moved.hits[..] else {
            panic!("{gap}: {:?}", moved.hits);
        };
        let told = (hit.entity, hit.surface, hit.normal);
        assert_eq!(told, (floor, Surface::Floor, Vec2::Y), "{gap}");
        assert_eq!((hit.point.y, hit.position.y), (0.0, 8.0), "{gap}");
    }
}

/// A hill begins at x = -43.6: its slope is 0.46 where a ball of 8 on the floor meets it, at x = -45.4. In the last cases the ball meets the hill first, and slides back to the floor.
#[test]
fn who_lands_at_the_foot_of_a_hill_keeps_its_speed() {
    for (from, motion, way) in [
        ((-52.0, 28.0), (10.0, -40.0), -44.0..-40.0),
        ((-52.0, 18.0), (10.0, -20.0), -44.0..-40.0),
        ((-46.0, 28.0), (3.0, -60.0), -46.0..-43.0),
        ((-44.0, 40.0), (2.5, -60.0), -46.0..-43.0),
        ((-44.0, 20.0), (2.5, -20.0), -46.0..-43.0),
    ] {
        let mut app = app();
        wall(&mut app, (-200.0, -10.0), (200.0, 0.0));
        let hill = (CircleCollider::new(100.0), Body::Static, at(0.0, -90.0));
        app.world_mut().spawn(hill);
        let ball = (
            CircleCollider::new(8.0),
            Body::Kinematic,
            at(from.0, from.1),
        );
        let ball = app.world_mut().spawn(ball).id();
        app.update();
        let moved = walk(&mut app, ball, motion, MoveOptions::default());
        assert_eq!(
            moved.motion,
            Vec2::new(motion.0, 0.0),
            "{from:?}: {moved:?}"
        );
        assert!(way.contains(&moved.position.x), "{from:?}: {moved:?}");
    }
}

/// It comes from the air along the floor, and by a little above it: it does not meet the floor.
#[test]
fn who_comes_level_to_a_floor_stands_on_it_and_has_hit_nothing() {
    let mut app = app();
    wall(&mut app, (0.0, -10.0), (100.0, 0.0));
    let body = body(&mut app, -20.0, 8.003);
    let moved = walk(&mut app, body, (30.0, 0.0), MoveOptions::default());
    assert_eq!(moved.position, Vec2::new(10.0, 8.0));
    assert!(moved.is_on_floor() && moved.hits.is_empty(), "{moved:?}");
    assert_eq!(moved.motion, Vec2::new(30.0, 0.0));
}

/// Each sees where the other one has gone, as if both pushed.
#[test]
fn who_stands_on_a_walker_can_be_taken_along_on_a_lift() {
    let mut app = app();
    let lift = (BoxCollider::new(200.0, 10.0), Body::Kinematic);
    let rising = Velocity(Vec2::new(0.0, 64.0)); // by 1 a tick
    app.world_mut().spawn((lift, rising, at(0.0, -5.0)));
    let [lower, upper] = [8.0, 24.0].map(|y| {
        let walker = (BoxCollider::square(16.0), at(0.0, y));
        app.world_mut().spawn(walker).id()
    });
    app.update();
    let options = MoveOptions {
        push_layers: 1 << 31,
        ..default()
    };
    for number in 1..=10 {
        let step = move |mover: Mover, collisions: Collisions, mut all: Query<&mut Transform>| {
            let above: Vec<Entity> = collisions.standing_on(lower).collect();
            for one in std::iter::once(lower).chain(above) {
                let mut transform = all.get_mut(one).unwrap();
                let way = Vec2::new(2.0, 0.0);
                let moved = mover.move_and_slide(one, &mut transform, way, &options);
                assert!(moved.is_some(), "it is a body");
            }
        };
        app.world_mut().run_system_once(step).unwrap();
        app.update();
        let (x, rise) = (2.0 * number as f32, 1.0 + number as f32);
        let expected = [Vec2::new(x, 8.0 + rise), Vec2::new(x, 24.0 + rise)];
        assert_eq!([lower, upper].map(|one| place(&app, one)), expected);
    }
}
