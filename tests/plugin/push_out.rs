//! Overlapping bodies are pushed apart by the minimum translation.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use crate::common::{app, at, place, take, tick, wall};

mod aslant;
mod closed;
mod entered;
mod families;
mod rooms;
mod rows;

#[test]
fn a_static_body_wins_and_equals_share() {
    for (case, body, a_ends, b_ends) in [
        ("a is static", Body::Static, (0.0, 0.0), (20.0, 0.0)),
        ("a is kinematic", Body::Kinematic, (0.0, 0.0), (20.0, 0.0)),
        ("both share", Body::Dynamic, (-2.5, 0.0), (17.5, 0.0)),
    ] {
        let mut app = app();
        let a = app
            .world_mut()
            .spawn((CircleCollider::new(10.0), body, at(0.0, 0.0)))
            .id();
        let b = app
            .world_mut()
            .spawn((CircleCollider::new(10.0), at(15.0, 0.0)))
            .id();
        let collisions = tick(&mut app);
        assert_eq!(collisions.len(), 1, "{case}");
        assert_eq!((collisions[0].a, collisions[0].b), (a, b), "{case}");
        assert_eq!(
            (collisions[0].normal, collisions[0].depth),
            (Vec2::X, 5.0),
            "{case}"
        );
        assert_eq!(place(&app, a), Vec2::from(a_ends), "{case}");
        assert_eq!(place(&app, b), Vec2::from(b_ends), "{case}");
    }
}

/// A row of flush crates up to a wall; the first is pushed 1 unit into the second.
#[test]
fn a_row_of_crates_against_a_wall_stays_out_of_it() {
    for count in [1, 3, 10, 50] {
        let mut app = app();
        let wall_left = 20.0 * count as f32;
        app.world_mut().spawn((
            BoxCollider::new(10.0, 400.0),
            Body::Static,
            at(wall_left + 5.0, 0.0),
        ));
        let crates: Vec<Entity> = (0..count)
            .map(|i| {
                let x = 10.0 + 20.0 * i as f32;
                app.world_mut()
                    .spawn((BoxCollider::square(20.0), at(x, 0.0)))
                    .id()
            })
            .collect();
        let pusher = app
            .world_mut()
            .spawn((BoxCollider::square(20.0), at(-9.0, 0.0)))
            .id();
        tick(&mut app);
        for (i, one) in crates.iter().enumerate() {
            assert_eq!(
                place(&app, *one).x,
                10.0 + 20.0 * i as f32,
                "{count} crates, crate {i}"
            );
        }
        assert_eq!(place(&app, pusher).x, -10.0, "{count} crates");
    }
}

#[test]
fn two_dynamics_share_by_mass() {
    for (case, masses, a_ends, b_ends) in [
        ("equal", (2.0, 2.0), -2.5, 17.5),
        // 5 deep: the lighter one moves by three quarters of it.
        ("one to three", (1.0, 3.0), -3.75, 16.25),
        ("three to one", (3.0, 1.0), -1.25, 18.75),
        // The largest and smallest floats, and masses that count as infinite.
        ("heaviest", (f32::MAX, f32::MAX), -2.5, 17.5),
        ("heavy", (2.0e38, 1.0e20), -2.5, 17.5),
        ("lightest", (1.0e-45, 1.0e-45), -2.5, 17.5),
        ("light", (1.0e-40, 1.0e-20), -2.5, 17.5),
        ("immovable", (1.0, f32::MAX), -5.0, 15.0),
        ("a feather", (1.0e-45, 1.0), -5.0, 15.0),
        ("a feather and a rock", (1.0e-45, f32::MAX), -5.0, 15.0),
    ] {
        let mut app = app();
        let mut spawn = |x: f32, mass: f32| {
            let dot = (CircleCollider::new(10.0), Mass(mass), at(x, 0.0));
            app.world_mut().spawn(dot).id()
        };
        let (a, b) = (spawn(0.0, masses.0), spawn(15.0, masses.1));
        tick(&mut app);
        assert_eq!(place(&app, a), Vec2::new(a_ends, 0.0), "{case}");
        assert_eq!(place(&app, b), Vec2::new(b_ends, 0.0), "{case}");
    }
}

/// Equal shapes in one place, which come in one tick: the one with the lower index goes to the left.
#[test]
fn coincident_bodies_separate_along_x() {
    let mut app = app();
    let mut spawn = || {
        let dot = (CircleCollider::new(10.0), at(3.0, 4.0));
        app.world_mut().spawn(dot).id()
    };
    let (a, b) = (spawn(), spawn());
    let collisions = tick(&mut app);
    assert_eq!((collisions[0].normal, collisions[0].depth), (Vec2::X, 20.0));
    assert_eq!(place(&app, a), Vec2::new(-7.0, 4.0));
    assert_eq!(place(&app, b), Vec2::new(13.0, 4.0));
}

/// With y up. The numbers of the tutorials' shapes, at the origin and 1e5 away from it, where neighboring `f32` are 1/128 apart.
#[test]
fn the_way_out_is_the_shortest_here_and_far_away() {
    let far = Vec2::new(1.0e5, -1.0e5);
    let small = BoxCollider::square(10.0);
    let wide = BoxCollider::square(100.0);
    let dot = CircleCollider::new;
    /// A dynamic collider at a place, a static one at another place, and where the first one ends.
    type Case<C> = (
        &'static str,
        C,
        (f32, f32),
        BoxCollider,
        (f32, f32),
        (f32, f32),
    );
    let circles: [Case<CircleCollider>; 4] = [
        (
            "beside the right face",
            dot(3.0),
            (12.0, 5.0),
            small,
            (5.0, 5.0),
            (13.0, 5.0),
        ),
        (
            "touching the corner",
            dot(5.0),
            (13.0, 14.0),
            small,
            (5.0, 5.0),
            (13.0, 14.0),
        ),
        (
            "inside, near the right",
            dot(2.0),
            (9.0, 5.0),
            small,
            (5.0, 5.0),
            (12.0, 5.0),
        ),
        (
            "inside, near the top",
            dot(1.0),
            (5.0, 9.0),
            small,
            (5.0, 5.0),
            (5.0, 11.0),
        ),
    ];
    let boxes: [Case<BoxCollider>; 3] = [
        (
            "overlapping by 2 and 7",
            small,
            (13.0, 8.0),
            small,
            (5.0, 5.0),
            (15.0, 8.0),
        ),
        (
            "held inside",
            small,
            (45.0, 50.0),
            wide,
            (50.0, 50.0),
            (-5.0, 50.0),
        ),
        (
            "one unit too low to pass",
            BoxCollider::square(20.0),
            (300.0, 209.0),
            BoxCollider::new(40.0, 400.0),
            (320.0, 0.0),
            (300.0, 210.0),
        ),
    ];
    fn check(
        case: &str,
        collider: impl Bundle,
        from: Vec2,
        wall: BoxCollider,
        at_wall: Vec2,
        end: Vec2,
    ) {
        let mut app = app();
        let body = app.world_mut().spawn((collider, at(from.x, from.y))).id();
        app.world_mut()
            .spawn((wall, Body::Static, at(at_wall.x, at_wall.y)));
        tick(&mut app);
        let spacing = if from.length() > 1.0e4 {
            1.0 / 128.0
        } else {
            0.0
        };
        let off = (place(&app, body) - end).abs().max_element();
        assert!(
            off <= spacing,
            "{case}: ends at {}, not at {end}",
            place(&app, body)
        );
    }
    for origin in [Vec2::ZERO, far] {
        let shifted = |place: (f32, f32)| origin + Vec2::from(place);
        for (case, collider, from, wall, at_wall, end) in circles {
            check(
                case,
                collider,
                shifted(from),
                wall,
                shifted(at_wall),
                shifted(end),
            );
        }
        for (case, collider, from, wall, at_wall, end) in boxes {
            check(
                case,
                collider,
                shifted(from),
                wall,
                shifted(at_wall),
                shifted(end),
            );
        }
    }
}

/// A box of 16 on the seam of two tiles, 2 deep, and only a little over the right one: it is pushed up by 2 and not aside.
///
/// ```text
///     [  player ]
///  [ tile ][ tile ]
/// ```
#[test]
fn two_tiles_under_one_player_push_once() {
    for x in [0.5, 1.0, 4.0, 8.0, 12.0, 15.0, 15.5] {
        let mut app = app();
        for tile_x in [0.0, 16.0] {
            app.world_mut()
                .spawn((BoxCollider::square(16.0), Body::Static, at(tile_x, 0.0)));
        }
        let player = app
            .world_mut()
            .spawn((BoxCollider::square(16.0), at(x, 14.0)))
            .id();
        tick(&mut app);
        assert_eq!(place(&app, player), Vec2::new(x, 16.0));
    }
}

#[test]
fn a_body_in_a_corner_leaves_both_walls() {
    let mut app = app();
    app.world_mut()
        .spawn((BoxCollider::new(200.0, 20.0), Body::Static, at(0.0, -10.0)));
    app.world_mut()
        .spawn((BoxCollider::new(20.0, 200.0), Body::Static, at(-10.0, 0.0)));
    let ball = app
        .world_mut()
        .spawn((CircleCollider::new(5.0), at(3.0, 4.5)))
        .id();
    let boxed = app
        .world_mut()
        .spawn((BoxCollider::square(10.0), at(4.0, 80.0)))
        .id();
    tick(&mut app);
    assert_eq!(place(&app, ball), Vec2::new(5.0, 5.0));
    assert_eq!(place(&app, boxed), Vec2::new(5.0, 80.0));
}

#[test]
fn a_room_keeps_in_what_is_inside_and_brings_back_what_is_not() {
    for (case, from, ends, depth) in [
        ("inside", (0.0, 0.0), (0.0, 0.0), None),
        (
            "touching the right wall",
            (310.0, 0.0),
            (310.0, 0.0),
            Some(0.0),
        ),
        ("out on the right", (317.0, 5.0), (310.0, 5.0), Some(7.0)),
        (
            "in the corner, 3 and 4 out",
            (-313.0, -234.0),
            (-310.0, -230.0),
            Some(5.0),
        ),
        ("far away", (1000.0, 0.0), (310.0, 0.0), Some(690.0)),
    ] {
        let mut app = app();
        app.world_mut().spawn(BoundsCollider::new(640.0, 480.0));
        let dot = app
            .world_mut()
            .spawn((CircleCollider::new(10.0), at(from.0, from.1)))
            .id();
        let depths: Vec<f32> = tick(&mut app).iter().map(|one| one.depth).collect();
        assert_eq!(depths, Vec::from_iter(depth), "{case}");
        assert_eq!(place(&app, dot), Vec2::from(ends), "{case}");
    }
}

/// The row is flush afterwards, and each contact is reported; the contact of the pusher is reported as it was before the push.
#[test]
fn contacts_that_the_push_out_brings_about_are_reported_in_the_same_tick() {
    let mut app = app();
    app.insert_resource(CollisionSettings {
        touching: Touching::Ignored,
        ..default()
    });
    let pusher = (BoxCollider::square(10.0), Body::Kinematic, at(-6.0, 0.0));
    let pusher = app.world_mut().spawn(pusher).id();
    let mut spawn = |x: f32| {
        let one = (BoxCollider::square(10.0), at(x, 0.0));
        app.world_mut().spawn(one).id()
    };
    // The pusher is 4 deep in the first, which then is 1 deep in the second.
    let (first, second) = (spawn(0.0), spawn(13.0));
    let collisions = tick(&mut app);
    let told: Vec<_> = collisions
        .iter()
        .map(|one| (one.a, one.b, one.depth))
        .collect();
    assert_eq!(told, [(pusher, first, 4.0), (first, second, 1.0)]);
    assert_eq!(place(&app, first), Vec2::new(4.0, 0.0));
    assert_eq!(place(&app, second), Vec2::new(14.0, 0.0));
}

/// ```text
///    ######  ceiling: 0.5 deep in the crate, once that is out of the wall
/// ###[  ]    wall: 2 deep in the crate
/// ```
#[test]
fn what_a_body_leaves_on_its_way_out_of_a_static_is_reported_in_the_same_tick() {
    let mut app = app();
    app.insert_resource(CollisionSettings {
        touching: Touching::Ignored,
        ..default()
    });
    let mut spawn = |x: f32, y: f32| {
        let block = (BoxCollider::square(100.0), Body::Static, at(x, y));
        app.world_mut().spawn(block).id()
    };
    // The wall ends at x = 0. The ceiling begins at x = 9, where the crate ends at 10 then, and at y = 4.5.
    let (wall, ceiling) = (spawn(-50.0, 0.0), spawn(59.0, 54.5));
    let body = (BoxCollider::square(10.0), at(3.0, 0.0));
    let body = app.world_mut().spawn(body).id();
    let collisions = tick(&mut app);
    let told: Vec<_> = collisions
        .iter()
        .map(|one| (one.a, one.b, one.normal_for(body), one.depth))
        .collect();
    assert_eq!(
        told,
        [
            (wall, body, Some(Vec2::NEG_X), 2.0),
            (ceiling, body, Some(Vec2::Y), 0.5)
        ]
    );
    assert_eq!(place(&app, body), Vec2::new(5.0, -0.5));
}

/// ```text
/// ##gate##[ ]#wall#    the nearest way out of the gate leads into the wall, and out of that to its far side
/// ```
#[test]
fn what_is_met_on_a_way_that_is_not_taken_is_not_reported() {
    let mut app = app();
    let mut spawn = |left: f32, right: f32| {
        let block = BoxCollider::from_corners(Vec2::new(left, -100.0), Vec2::new(right, 100.0));
        app.world_mut().spawn((block, Body::Static)).id()
    };
    let (gate, _) = (spawn(-11.0, -1.0), spawn(0.0, 4.0));
    // It ends at -0.5, between the two.
    let body = (BoxCollider::square(8.0), at(-4.5, 0.0));
    let body = app.world_mut().spawn(body).id();
    let collisions = tick(&mut app);
    assert_eq!(place(&app, body), Vec2::new(-15.0, 0.0));
    let told: Vec<_> = collisions.iter().map(|one| one.other(body)).collect();
    assert_eq!(told, [Some(gate)]);
}

/// A level of so many tiles that they are sorted once and kept. One of them is removed while the dot is on it, and another one is put in its way.
#[test]
fn a_dot_walks_over_a_floor_of_hundreds_of_tiles() {
    let mut app = app();
    let tiles: Vec<Entity> = (0..300)
        .map(|tile| {
            let place = at(tile as f32 * 16.0, 0.0);
            let body = (BoxCollider::square(16.0), Body::Static, place);
            app.world_mut().spawn(body).id()
        })
        .collect();
    let the_dot = app
        .world_mut()
        .spawn((CircleCollider::new(5.0), at(40.0, 13.0)))
        .id();
    let step = |app: &mut App, x: f32, y: f32| {
        let mut dot = app
            .world_mut()
            .get_mut::<Transform>(the_dot)
            .expect("it has one");
        dot.translation += Vec3::new(x, y, 0.0);
        app.update();
        place(app, the_dot)
    };
    for tick in 1..=100 {
        let now = step(&mut app, 2.0, -1.0);
        assert_eq!(
            now,
            Vec2::new(40.0 + 2.0 * tick as f32, 13.0),
            "tick {tick}"
        );
    }
    // The dot is at x = 240, in the middle of tile 15.
    app.world_mut().despawn(tiles[15]);
    assert_eq!(
        step(&mut app, 0.0, -4.0),
        Vec2::new(240.0, 9.0),
        "into the hole"
    );
    assert_eq!(
        step(&mut app, 0.0, 4.0),
        Vec2::new(240.0, 13.0),
        "and out of it"
    );
    // The left side of the block is at 257 - 8 = 249, which leaves room up to 244.
    let block = (BoxCollider::square(16.0), Body::Static, at(257.0, 16.0));
    app.world_mut().spawn(block);
    assert_eq!(
        step(&mut app, 6.0, 0.0),
        Vec2::new(244.0, 13.0),
        "up to the block"
    );
}

/// Dots deep in a box beside a thin wall: the shortest way out of the box leads through the wall, and must not be taken.
#[test]
fn nobody_is_pushed_through_a_wall() {
    for (body, barrier) in [
        (Body::Kinematic, Body::Static),
        (Body::Dynamic, Body::Static),
        (Body::Kinematic, Body::Kinematic),
        (Body::Dynamic, Body::Kinematic),
    ] {
        for parts in [1, 9] {
            let mut app = app();
            for part in 0..parts {
                let height = 90.0 / parts as f32;
                let low = -45.0 + height * part as f32;
                let part = wall(&mut app, (20.0, low), (20.5, low + height));
                app.world_mut().entity_mut(part).insert(barrier);
            }
            let block = (BoxCollider::square(40.0), body, Mass(1.0e6), at(0.0, 0.0));
            let block = app.world_mut().spawn(block).id();
            let dots = [0.0, -1.5, 3.5].map(|y| {
                let dot = (CircleCollider::new(2.0), at(15.0, y));
                app.world_mut().spawn(dot).id()
            });
            for number in 0..5 {
                tick(&mut app);
                for dot in dots {
                    let x = place(&app, dot).x;
                    assert!(
                        x <= 18.001,
                        "{body:?}, {barrier:?}, {parts}, tick {number}: {x}"
                    );
                }
            }
            assert!(
                place(&app, block).x < 0.001,
                "{body:?}, {barrier:?}, {parts}"
            );
        }
    }
}

/// Two pushers, each 1.9 deep in a dot of radius 2, from below and from above, push it to the right in turn, together by more than half of it; a thin wall is 0.1 beside it.
#[test]
fn nobody_is_pushed_through_a_wall_in_several_steps() {
    let mut app = app();
    wall(&mut app, (2.1, -20.0), (2.3, 20.0));
    let dot = (CircleCollider::new(2.0), at(0.0, 0.0));
    let dot = app.world_mut().spawn(dot).id();
    let away = (10.0 + 2.0 - 1.9) * std::f32::consts::FRAC_1_SQRT_2;
    for y in [-away, away] {
        let pusher = (CircleCollider::new(10.0), Body::Kinematic, at(-away, y));
        app.world_mut().spawn(pusher);
    }
    for number in 0..5 {
        tick(&mut app);
        let x = place(&app, dot).x;
        assert!(x <= 0.101, "tick {number}: {x}");
    }
}

#[test]
fn who_is_crushed_is_told_and_by_what() {
    // The door leaves a gap of 12, then 10, then 6 for a ball of 10.
    for (gap, depth) in [(12.0, None), (10.0, None), (6.0, Some(4.0))] {
        let mut app = app();
        let wall = app
            .world_mut()
            .spawn((BoxCollider::new(20.0, 400.0), Body::Static, at(110.0, 0.0)))
            .id();
        let door = app
            .world_mut()
            .spawn((BoxCollider::new(20.0, 400.0), Body::Kinematic, at(0.0, 0.0)))
            .id();
        let ball = app
            .world_mut()
            .spawn((CircleCollider::new(5.0), at(95.0, 0.0)))
            .id();
        app.update();
        assert_eq!(take::<Crushed>(&mut app), []);
        app.world_mut().entity_mut(door).insert(at(90.0 - gap, 0.0));
        for _ in 0..3 {
            app.update();
            let told = take::<Crushed>(&mut app);
            match depth {
                None => assert_eq!(told, [], "a gap of {gap}"),
                Some(depth) => {
                    let [crushed] = told[..] else {
                        panic!("a gap of {gap}: {told:?}");
                    };
                    assert_eq!((crushed.entity, crushed.by), (ball, door));
                    assert_eq!(crushed.against, Some(wall));
                    assert!((crushed.depth - depth).abs() < 0.01, "{crushed:?}");
                }
            }
        }
        app.world_mut().entity_mut(door).insert(at(0.0, 0.0));
        app.update();
        assert_eq!(take::<Crushed>(&mut app), [], "the door is open again");
    }
}

/// A hero gets up to a height of 16 in a tunnel that is 10 high, and is 6 deep in its roof: that is not deep enough to be led hundreds of units aside, however narrow the hero is. At the end of the roof there is room.
#[test]
fn who_is_squeezed_stays_however_narrow_he_is() {
    let sights = [(16.0, 80.0), (10.0, 80.0), (4.0, 80.0)];
    let widths = [16.0, 12.0, 10.0, 4.0].map(|width| (width, 0.0));
    for (width, sight) in widths.into_iter().chain(sights) {
        for (roof, aside) in [
            (1000.0, None),
            (110.0, None),
            (20.0, Some(10.0 + width * 0.5)),
        ] {
            let mut app = app();
            wall(&mut app, (-500.0, -10.0), (500.0, 0.0));
            wall(&mut app, (-roof * 0.5, 10.0), (roof * 0.5, 20.0));
            let hero = (BoxCollider::new(width, 16.0), at(1.0, 8.0));
            let hero = app.world_mut().spawn(hero).id();
            if sight > 0.0 {
                // The range of its sight, a sensor, makes it no wider.
                let sight = (CircleCollider::new(sight), Sensor, ChildOf(hero));
                app.world_mut().spawn(sight);
            }
            app.update();
            let crushed = take::<Crushed>(&mut app);
            let crushed = crushed.iter().filter(|one| one.entity == hero).count();
            let case = format!("{width} under {roof}, and sees {sight} far");
            match aside {
                None => {
                    let stays = place(&app, hero).distance(Vec2::new(1.0, 8.0)) <= 6.0;
                    assert!(stays, "{case}: {}", place(&app, hero));
                    assert!(crushed > 0, "{case}");
                }
                Some(aside) => {
                    assert_eq!(place(&app, hero), Vec2::new(aside, 8.0), "{case}");
                    assert_eq!(crushed, 0, "{case}");
                }
            }
        }
    }
}

/// A box of 10 is squeezed in a slot of 8, and on each side is a door, beyond which there is room.
#[test]
fn who_is_squeezed_is_not_led_through_a_closed_door() {
    for door in [Body::Static, Body::Kinematic] {
        let mut app = app();
        wall(&mut app, (-14.0, 4.0), (14.0, 30.0));
        wall(&mut app, (-14.0, -30.0), (14.0, -4.0));
        let doors = [-12.0, 12.0].map(|x| {
            let door = (BoxCollider::new(4.0, 8.0), door, at(x, 0.0));
            app.world_mut().spawn(door).id()
        });
        let hero = (BoxCollider::square(10.0), at(1.0, 0.0));
        let hero = app.world_mut().spawn(hero).id();
        app.update();
        let x = place(&app, hero).x;
        assert!((-10.0..=10.0).contains(&x), "{door:?}: {x}");
        assert!(!take::<Crushed>(&mut app).is_empty(), "{door:?}");
        // Once a door is open there is a way out.
        app.world_mut().despawn(doors[1]);
        app.update();
        assert_eq!(place(&app, hero).x, 19.0, "{door:?}");
        assert!(take::<Crushed>(&mut app).is_empty(), "{door:?}");
    }
}

/// A gate of 40 by 20 closes on a box of 10 between walls that are 2 thick: the way out through a wall would be 17 long, and along the walls 20 + 5 - 1. In the ground below, the way up through the row above is 15, and the way to the ends hundreds of units.
#[test]
fn who_is_in_a_gate_is_not_led_through_the_wall_beside_it() {
    for kind in [Body::Static, Body::Kinematic] {
        let mut app = app();
        wall(&mut app, (-500.0, 10.0), (500.0, 12.0));
        wall(&mut app, (-500.0, -12.0), (500.0, -10.0));
        let gate = (BoxCollider::new(40.0, 20.0), kind, ColliderDisabled);
        let gate = app.world_mut().spawn(gate).id();
        let hero = (BoxCollider::square(10.0), at(1.0, 0.0));
        let hero = app.world_mut().spawn(hero).id();
        app.update();
        assert_eq!(place(&app, hero), Vec2::new(1.0, 0.0));
        app.world_mut()
            .entity_mut(gate)
            .remove::<ColliderDisabled>();
        app.update();
        let crushed = take::<Crushed>(&mut app).len();
        if kind == Body::Static {
            assert_eq!(place(&app, hero), Vec2::new(25.0, 0.0));
            assert_eq!(crushed, 0);
        } else {
            // A kinematic gate is not a level that bodies must get out of: the hero is crushed, and stays between the walls.
            assert!(place(&app, hero).y.abs() <= 5.0, "{}", place(&app, hero));
            assert!(crushed > 0);
        }
    }
    let mut app = app();
    for row in 0..4 {
        let high = -10.0 * row as f32;
        wall(&mut app, (-500.0, high - 10.0), (500.0, high));
    }
    let hero = (BoxCollider::square(10.0), at(1.0, -12.0));
    let hero = app.world_mut().spawn(hero).id();
    app.update();
    assert_eq!(place(&app, hero), Vec2::new(1.0, 5.0));
}

/// Enemies walk to the player from all sides, and press each other then: all are apart after each tick, in far fewer rounds than there are enemies.
#[test]
fn a_crowd_that_presses_in_is_apart_after_each_tick() {
    const RADIUS: f32 = 6.0;
    let mut app = app();
    app.world_mut()
        .resource_mut::<CollisionSettings>()
        .push_out_rounds = 24;
    let mut random = fastrand::Rng::with_seed(1);
    let mut enemy = || {
        let place = Vec2::new(random.f32(), random.f32()) * 500.0 - 250.0;
        (CircleCollider::new(RADIUS), at(place.x, place.y))
    };
    let enemies: Vec<Entity> = (0..400)
        .map(|_| app.world_mut().spawn(enemy()).id())
        .collect();
    let mut pressed = 0;
    for tick_number in 0..160 {
        for &enemy in &enemies {
            let step = -place(&app, enemy).clamp_length(0.0, 1.5);
            let mut entity = app.world_mut().entity_mut(enemy);
            let mut transform = entity.get_mut::<Transform>().expect("it has one");
            transform.translation += step.extend(0.0);
        }
        pressed += tick(&mut app).len();
        let places: Vec<Vec2> = enemies.iter().map(|&enemy| place(&app, enemy)).collect();
        for (number, one) in places.iter().enumerate() {
            for other in &places[..number] {
                let depth = 2.0 * RADIUS - one.distance(*other);
                assert!(depth < 0.01, "tick {tick_number}: {depth} at {one}");
            }
        }
    }
    assert!(pressed > 50_000, "{pressed}");
    // They are nearly as dense as possible: none was thrown out. The radius of a full disk is one and a half times the mean distance from its middle.
    let places = enemies.iter().map(|&enemy| place(&app, enemy).length());
    let wide = places.sum::<f32>() / enemies.len() as f32 * 1.5;
    let least = RADIUS * (enemies.len() as f32 / 0.9069).sqrt();
    assert!(wide < least * 1.2, "{wide} of at least {least}");
}

/// A body that is deeper in a floor of tiles than it is over either of two: each tile would push it sideways, but the floor pushes it up.
#[test]
fn who_is_sunk_into_a_seam_comes_up_where_it_is() {
    for (wide, deep) in [(4.0, 1.0), (4.0, 2.5), (4.0, 3.5), (8.0, 4.5), (8.0, 6.0)] {
        for aside in [0.0, 0.25, 0.5] {
            let mut app = app();
            for column in -3..3_i8 {
                let x = f32::from(column) * 16.0 + 8.0;
                let tile = (BoxCollider::square(16.0), Body::Static);
                app.world_mut().spawn((tile, at(x, -8.0)));
            }
            let body = BoxCollider::new(wide, 16.0);
            let body = app.world_mut().spawn((body, at(aside, 8.0 - deep))).id();
            tick(&mut app);
            let place = place(&app, body);
            assert_eq!(place, Vec2::new(aside, 8.0), "{wide} wide, {deep} deep");
        }
    }
}

/// A press from above is not another side of the floor: it pushes no body aside.
#[test]
fn who_is_pressed_into_tiles_comes_up_where_it_is() {
    let mut app = app();
    wall(&mut app, (-16.0, -16.0), (0.0, 0.0));
    wall(&mut app, (0.0, -16.0), (16.0, 0.0));
    let press = (BoxCollider::square(16.0), Body::Kinematic);
    app.world_mut().spawn((press, at(0.0, 14.0)));
    let body = BoxCollider::new(4.0, 8.0);
    let body = app.world_mut().spawn((body, at(0.0, 3.0))).id();
    tick(&mut app);
    assert_eq!(place(&app, body), Vec2::new(0.0, 4.0));
}

/// In a tick the lift rises by more than the player overlaps either half of it, whether the player falls meanwhile or not.
#[test]
fn a_lift_of_two_boxes_takes_along_who_stands_on_its_seam() {
    for (wide, climb) in [(4.0, 3.0), (4.0, 4.0), (8.0, 6.0)] {
        for (aside, falls) in [0.0, 0.25, 0.5]
            .into_iter()
            .flat_map(|aside| [(aside, false), (aside, true)])
        {
            let mut app = app();
            let mut spawn = |body: (BoxCollider, Body), x: f32, y: f32| {
                app.world_mut().spawn((body, at(x, y))).id()
            };
            let half = (BoxCollider::square(16.0), Body::Kinematic);
            let lift = [-8.0, 8.0].map(|x| spawn(half, x, -8.0));
            let player = (BoxCollider::new(wide, 16.0), Body::Dynamic);
            let player = spawn(player, aside, 8.0);
            for number in 1..=20_u8 {
                let up = f32::from(number) * climb;
                for half in lift {
                    let mut half = app.world_mut().entity_mut(half);
                    half.get_mut::<Transform>()
                        .expect("it has one")
                        .translation
                        .y = up - 8.0;
                }
                if falls {
                    let mut player = app.world_mut().entity_mut(player);
                    let fall = Velocity(Vec2::new(0.0, -600.0));
                    player
                        .entry::<Velocity>()
                        .and_modify(|mut velocity| velocity.0 += fall.0)
                        .or_insert(fall);
                }
                tick(&mut app);
                let expected = Vec2::new(aside, 8.0 + up);
                let case = format!("{wide} wide, {climb} a tick, tick {number}, falls: {falls}");
                assert_eq!(place(&app, player), expected, "{case}");
                let velocity = app.world().get::<Velocity>(player);
                assert!(
                    velocity.is_none_or(|velocity| velocity.0 == Vec2::ZERO),
                    "{case}"
                );
            }
        }
    }
}

/// There, floats are as exact along y as anywhere.
#[test]
fn far_away_along_one_axis_the_other_one_is_as_exact() {
    for x in [0.0, 1.0e5, 1.0e6, 1.0e7] {
        for (from, to) in [(14.97, 15.0), (12.0, 15.0), (-14.9, -15.0)] {
            let mut app = app();
            app.world_mut()
                .spawn((BoxCollider::new(100.0, 10.0), Body::Static, at(x, 0.0)));
            let ball = (CircleCollider::new(10.0), at(x, from));
            let ball = app.world_mut().spawn(ball).id();
            app.update();
            assert_eq!(place(&app, ball), Vec2::new(x, to), "{x}, {from}");
        }
    }
}

#[test]
fn a_point_leaves_two_walls_that_overlap() {
    for radius in [0.0, 0.01] {
        let mut app = app();
        wall(&mut app, (0.0, -50.0), (10.0, 50.0));
        wall(&mut app, (6.0, -50.0), (16.0, 50.0));
        let point = (CircleCollider::new(radius), at(8.0, 0.0));
        let point = app.world_mut().spawn(point).id();
        app.update();
        let x = place(&app, point).x;
        assert!(x <= -radius || x >= 16.0 + radius, "{radius}: {x}");
        assert_eq!(take::<Crushed>(&mut app), []);
    }
}

/// Of two tiles that stop it equally, the nearer one is reported.
#[test]
fn by_whom_one_is_crushed_does_not_depend_on_who_was_there_first() {
    for is_upper_first in [false, true] {
        let mut app = app();
        let mut tiles = [-8.0, 8.0];
        let mut doors = [-10.0, 10.0];
        if is_upper_first {
            tiles.reverse();
            doors.reverse();
        }
        for y in tiles {
            app.world_mut()
                .spawn((BoxCollider::square(16.0), Body::Static, at(16.0, y)));
        }
        for y in doors {
            app.world_mut()
                .spawn((BoxCollider::square(20.0), Body::Kinematic, at(-10.0, y)));
        }
        // 7 of it are in front of the upper tile, and 3 in front of the lower one; so with the doors, which are 2 deep in it.
        app.world_mut()
            .spawn((BoxCollider::square(10.0), at(3.0, 2.0)));
        app.update();
        let crushed = take::<Crushed>(&mut app);
        assert_eq!(crushed.len(), 1);
        let against = crushed[0].against.expect("a tile");
        let y = [crushed[0].by, against].map(|entity| place(&app, entity).y);
        assert_eq!(y, [10.0, 8.0], "{is_upper_first}");
    }
}

/// So heavy that nothing moves it, whatever is spawned into it.
#[test]
fn what_is_as_heavy_as_can_be_stays_in_any_heap() {
    let grid = (0..5_u8).flat_map(|x| (0..8_u8).map(move |y| [x, y].map(|at| f32::from(at) * 0.5)));
    let throng: Vec<[f32; 2]> = grid.collect();
    let heaps = [
        ("a throng", Vec2::new(-8.0, 1.75), throng),
        ("a few in one place", Vec2::ZERO, vec![[0.0, 0.0]; 2]),
        ("some in one place", Vec2::ZERO, vec![[0.0, 0.0]; 12]),
    ];
    for (case, start, enemies) in heaps {
        let mut app = app();
        let player = (
            CircleCollider::new(10.0),
            Mass(f32::INFINITY),
            at(start.x, start.y),
        );
        let player = app.world_mut().spawn(player).id();
        let enemies = enemies.iter().map(|&[x, y]| {
            app.world_mut()
                .spawn((CircleCollider::new(10.0), at(x, y)))
                .id()
        });
        let enemies: Vec<Entity> = enemies.collect();
        app.update();
        let moved = place(&app, player).distance(start);
        assert!(moved < 1.0e-6, "{case}: {moved}");
        for enemy in enemies {
            let apart = place(&app, enemy).distance(start);
            assert!(apart > 19.99, "{case}: {apart}");
        }
    }
}

/// Sixty bodies in one place in a room with a door, which has room for less than half of them. Whatever sensors they have, they are pushed by their solid colliders, to the bit.
#[test]
fn sensors_on_children_change_nothing_for_a_crowd() {
    let pushed = |sensor: Option<f32>| {
        let mut app = app();
        wall(&mut app, (-30.0, 20.0), (30.0, 30.0));
        wall(&mut app, (-30.0, -30.0), (30.0, -20.0));
        wall(&mut app, (-30.0, -20.0), (-20.0, 20.0));
        wall(&mut app, (20.0, -20.0), (30.0, -5.0));
        wall(&mut app, (20.0, 5.0), (30.0, 20.0));
        let bodies = [0; 60].map(|_| {
            let body = (CircleCollider::new(4.0), at(-3.0, 1.0));
            app.world_mut().spawn(body).id()
        });
        for body in bodies.into_iter().filter(|_| sensor.is_some()) {
            let sensor = CircleCollider::new(sensor.unwrap_or_default());
            let sensor = (sensor, Sensor, ChildOf(body), at(0.0, -4.0));
            app.world_mut().spawn(sensor);
        }
        for _ in 0..3 {
            app.update();
        }
        bodies.map(|body| place(&app, body).to_array().map(f32::to_bits))
    };
    let alone = pushed(None);
    for sensor in [0.5, 60.0] {
        let off = alone
            .iter()
            .zip(pushed(Some(sensor)))
            .filter(|(a, b)| **a != *b);
        assert_eq!(off.count(), 0, "of 60, by sensors of {sensor}");
    }
}

/// A queue in front of a wall, which is shoved on in each tick, and a newcomer that is put into it.
#[test]
fn a_queue_that_is_swept_keeps_its_order() {
    for newcomer in [166.0, 172.5, 178.0, 184.0, 190.0, 193.0] {
        let mut app = app();
        app.insert_resource(CollisionSettings {
            up: Vec2::ZERO,
            ..default()
        });
        wall(&mut app, (200.0, -20.0), (210.0, 20.0));
        let queue = [196.0, 188.0, 180.0, 172.0, 164.0].map(|x| {
            let one = (CircleCollider::new(4.0), Swept::default(), at(x, 0.0));
            app.world_mut().spawn(one).id()
        });
        let shove = |app: &mut App| {
            for one in queue {
                let mut place = app.world_mut().get_mut::<Transform>(one).unwrap();
                place.translation.x += 0.1;
            }
            app.update();
        };
        for _ in 0..3 {
            shove(&mut app);
        }
        let one = (
            CircleCollider::new(4.0),
            Swept::default(),
            at(newcomer, 0.0),
        );
        app.world_mut().spawn(one);
        for _ in 0..10 {
            shove(&mut app);
        }
        let places = queue.map(|one| place(&app, one).x);
        assert!(places.is_sorted_by(|a, b| a > b), "{newcomer}: {places:?}");
    }
}
