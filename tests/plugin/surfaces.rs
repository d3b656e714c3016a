//! Floors, walls, and ceilings, as `Collisions` reports them.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_nudge::{
    prelude::*,
    query::{Surface, SurfaceHit},
};

use crate::common::{app, at, tick, wall};

fn surfaces(app: &mut App, body: Entity) -> Vec<SurfaceHit> {
    let ask = move |collisions: Collisions| collisions.surfaces_of(body).collect::<Vec<_>>();
    app.world_mut().run_system_once(ask).unwrap()
}

/// Returns whether a body is on a floor, a wall, and a ceiling.
fn is_on(app: &mut App, body: Entity) -> [bool; 3] {
    let ask = move |collisions: Collisions| {
        [
            collisions.is_on_floor(body),
            collisions.is_on_wall(body),
            collisions.is_on_ceiling(body),
        ]
    };
    app.world_mut().run_system_once(ask).unwrap()
}

#[test]
fn a_body_is_on_what_touches_it_from_below_from_a_side_and_from_above() {
    for (x, y, expected) in [
        (0.0, 5.0, [true, false, false]),
        (0.0, 50.0, [false, false, false]),
        (-45.0, 50.0, [false, true, false]),
        (45.0, 50.0, [false, true, false]),
        (0.0, 95.0, [false, false, true]),
        (-45.0, 5.0, [true, true, false]),
        (45.0, 95.0, [false, true, true]),
    ] {
        for dynamic in [true, false] {
            let mut app = app();
            wall(&mut app, (-90.0, -10.0), (90.0, 0.0));
            wall(&mut app, (-90.0, 100.0), (90.0, 110.0));
            wall(&mut app, (-90.0, 0.0), (-50.0, 100.0));
            wall(&mut app, (50.0, 0.0), (90.0, 100.0));
            let body = (BoxCollider::square(10.0), at(x, y));
            let body = app.world_mut().spawn(body).id();
            if !dynamic {
                app.world_mut().entity_mut(body).insert(Body::Kinematic);
            }
            tick(&mut app);
            assert_eq!(is_on(&mut app, body), expected, "{x}, {y}, {dynamic}");
        }
    }
}

/// Its head touches the underside of a ledge, which is solid only on top, whichever of the two came first.
#[test]
fn the_open_side_of_a_ledge_is_no_ceiling() {
    for is_ledge_first in [true, false] {
        let mut app = app();
        let ledge = (BoxCollider::new(100.0, 10.0), Body::Static);
        let ledge = (ledge, OneWay(Vec2::Y), at(0.0, 0.0));
        let body = (BoxCollider::square(10.0), Body::Kinematic, at(0.0, -10.0));
        let body = if is_ledge_first {
            app.world_mut().spawn(ledge);
            app.world_mut().spawn(body).id()
        } else {
            let body = app.world_mut().spawn(body).id();
            app.world_mut().spawn(ledge);
            body
        };
        assert_eq!(tick(&mut app).len(), 1, "they touch");
        assert_eq!(is_on(&mut app, body), [false; 3], "{is_ledge_first}");
        let ask = move |collisions: Collisions| collisions.solid_of(body).count();
        let solid = app.world_mut().run_system_once(ask).unwrap();
        assert_eq!(solid, 0, "{is_ledge_first}");
    }
}

/// Beyond a corner of a room, whose only solid wall is the floor: what is there may come in.
#[test]
fn beyond_a_corner_of_a_one_way_room_nobody_stands_on_its_floor() {
    for (is_one_way, is_touched) in [(false, true), (true, false)] {
        let mut app = app();
        let room = (BoundsCollider::new(100.0, 100.0), Body::Static);
        let room = app.world_mut().spawn(room).id();
        if is_one_way {
            app.world_mut().entity_mut(room).insert(OneWay(Vec2::Y));
        }
        // 15 below the floor, and 25 to the left of the left wall.
        let body = (BoxCollider::square(10.0), Body::Kinematic, at(-70.0, -60.0));
        let body = app.world_mut().spawn(body).id();
        tick(&mut app);
        let expected = [is_touched, is_touched, false];
        assert_eq!(is_on(&mut app, body), expected, "{is_one_way}");
    }
}

/// Of the two walls that meet in the corner, only the floor is solid. The body is beyond the left one by 0.004, and beyond the floor by 0.003: so little that it stands there, and the normal leads more to the right than up.
#[test]
fn in_the_corner_of_a_one_way_room_it_meets_the_floor() {
    let mut app = app();
    let room = (BoundsCollider::new(100.0, 100.0), Body::Static);
    app.world_mut().spawn((room, OneWay(Vec2::Y)));
    let body = (BoxCollider::square(10.0), Body::Kinematic);
    let body = (body, at(-45.004, -45.003));
    let body = app.world_mut().spawn(body).id();
    assert_eq!(tick(&mut app).len(), 1);
    let ask = move |collisions: Collisions| collisions.solid_of(body).count();
    let solid = app.world_mut().run_system_once(ask).unwrap();
    assert_eq!(solid, 1);
    assert_eq!(is_on(&mut app, body), [true, false, false]);
}

/// A pair has one normal, but in the corner of a room there are two walls.
#[test]
fn in_the_corner_of_a_room_it_is_on_both_walls() {
    let mut app = app();
    let room = BoundsCollider::new(100.0, 100.0);
    app.world_mut().spawn((room, at(0.0, 0.0)));
    let corners = [(-45.0, -45.0), (45.0, -45.0), (45.0, 45.0), (0.0, -45.0)];
    let bodies = corners.map(|(x, y)| {
        // Into the corner, from which the push-out leads out again.
        let body = (BoxCollider::square(10.0), at(x * 1.02, y * 1.02));
        app.world_mut().spawn(body).id()
    });
    for _ in 0..3 {
        tick(&mut app);
        let found = bodies.map(|body| is_on(&mut app, body));
        assert_eq!(
            found,
            [
                [true, true, false],
                [true, true, false],
                [false, true, true],
                [true, false, false]
            ]
        );
    }
}

#[test]
fn a_body_has_the_surfaces_of_its_children_and_a_child_its_own() {
    let mut app = app();
    let floor = wall(&mut app, (-90.0, -10.0), (90.0, 0.0));
    let side = wall(&mut app, (20.0, 20.0), (30.0, 40.0));
    let body = app.world_mut().spawn((Body::Dynamic, at(0.0, 10.0))).id();
    let feet = (BoxCollider::square(10.0), ChildOf(body), at(0.0, -5.0));
    let feet = app.world_mut().spawn(feet).id();
    let lance = (BoxCollider::new(40.0, 2.0), ChildOf(body), at(0.0, 15.0));
    let lance = app.world_mut().spawn(lance).id();
    tick(&mut app);
    let on_floor = SurfaceHit {
        own: feet,
        other: floor,
        other_body: floor,
        normal: Vec2::Y,
        point: Vec2::new(0.0, 0.0),
        surface: Surface::Floor,
    };
    let on_side = SurfaceHit {
        own: lance,
        other: side,
        other_body: side,
        normal: Vec2::NEG_X,
        point: Vec2::new(20.0, 25.0),
        surface: Surface::Wall,
    };
    assert_eq!(surfaces(&mut app, body), [on_floor, on_side]);
    assert_eq!(surfaces(&mut app, feet), [on_floor]);
    assert_eq!(surfaces(&mut app, lance), [on_side]);
    // An entity without a collider touches nothing, nor does a despawned one.
    let nobody = app.world_mut().spawn_empty().id();
    assert_eq!(surfaces(&mut app, nobody), []);
    app.world_mut().despawn(body);
    assert_eq!(surfaces(&mut app, body), []);
}

/// The deck of a ship, which is its child, and a rock close above the deck.
#[test]
fn what_is_touched_tells_with_whom_it_moves() {
    let mut app = app();
    let ship = app
        .world_mut()
        .spawn((Body::Kinematic, at(0.0, -50.0)))
        .id();
    let deck = (BoxCollider::new(100.0, 10.0), ChildOf(ship), at(0.0, 45.0));
    let deck = app.world_mut().spawn(deck).id();
    let rock = wall(&mut app, (5.0, 1.0), (15.0, 11.0));
    let body = (BoxCollider::square(10.0), at(0.0, 5.0));
    let body = app.world_mut().spawn(body).id();
    tick(&mut app);
    let found = surfaces(&mut app, body);
    let mut found: Vec<_> = found
        .iter()
        .map(|hit| (hit.other, hit.other_body, hit.surface))
        .collect();
    found.sort_by_key(|(other, ..)| other.index_u32());
    let expected = [(deck, ship, Surface::Floor), (rock, rock, Surface::Wall)];
    assert_eq!(found, expected);
    // The ship sees the contact from the other side.
    let found = surfaces(&mut app, ship);
    let [hit] = found[..] else {
        panic!("{found:?}")
    };
    assert_eq!((hit.own, hit.other, hit.other_body), (deck, body, body));
}

#[test]
fn up_is_where_the_settings_say() {
    for (up, expected) in [
        (Vec2::Y, [true, false, false]),
        (Vec2::new(0.0, 7.0), [true, false, false]),
        (Vec2::NEG_Y, [false, false, true]),
        (Vec2::X, [false, true, false]),
        (Vec2::ZERO, [false, true, false]),
        (Vec2::new(1.0, 1.01), [true, false, false]),
        (Vec2::new(1.01, 1.0), [false, true, false]),
    ] {
        let mut app = app();
        app.insert_resource(CollisionSettings { up, ..default() });
        wall(&mut app, (-90.0, -10.0), (90.0, 0.0));
        let body = (BoxCollider::square(10.0), at(0.0, 5.0));
        let body = app.world_mut().spawn(body).id();
        tick(&mut app);
        assert_eq!(is_on(&mut app, body), expected, "{up}");
    }
}

/// It jumps at 30 a tick, from the floor through a ledge that is 4 thick and 20 above it, and falls back onto the ledge.
#[test]
fn a_ledge_is_a_floor_for_who_lands_on_it_and_nothing_on_the_way_up() {
    let mut app = app();
    wall(&mut app, (-90.0, -10.0), (90.0, 0.0));
    let ledge = wall(&mut app, (-90.0, 20.0), (90.0, 24.0));
    app.world_mut().entity_mut(ledge).insert(OneWay::default());
    let body = (BoxCollider::square(10.0), Velocity::default(), at(0.0, 5.0));
    let body = app.world_mut().spawn(body).id();
    let go = |app: &mut App, y: f32| {
        let speed = y * 64.0;
        app.world_mut().get_mut::<Velocity>(body).unwrap().0.y = speed;
        tick(app);
        is_on(app, body)
    };
    assert_eq!(go(&mut app, 0.0), [true, false, false]);
    // In one tick from below the ledge to above it.
    assert_eq!(go(&mut app, 30.0), [false; 3]);
    assert_eq!(go(&mut app, -30.0), [true, false, false]);
    assert_eq!(go(&mut app, 3.0), [false; 3]);
    // And slowly, from within it.
    app.world_mut()
        .get_mut::<Transform>(body)
        .unwrap()
        .translation
        .y = 12.0;
    for _ in 0..6 {
        assert_eq!(go(&mut app, 3.0), [false; 3]);
    }
    assert_eq!(go(&mut app, -9.0), [true, false, false]);
    // It drops through the ledge.
    app.world_mut().entity_mut(body).insert(DropThrough);
    assert_eq!(go(&mut app, -1.0), [false; 3]);
}

/// In the tick in which it has left the ledge, as on any floor.
#[test]
fn who_walks_off_a_ledge_has_stood_on_it() {
    for one_way in [false, true] {
        let mut app = app();
        let ledge = wall(&mut app, (-90.0, -4.0), (90.0, 0.0));
        if one_way {
            app.world_mut().entity_mut(ledge).insert(OneWay::default());
        }
        let velocity = Velocity(Vec2::new(4.0, -0.5) * 64.0);
        let body = (BoxCollider::square(10.0), velocity, at(93.0, 5.0));
        let body = app.world_mut().spawn(body).id();
        tick(&mut app);
        assert_eq!(is_on(&mut app, body), [true, false, false], "{one_way}");
        tick(&mut app);
        assert_eq!(is_on(&mut app, body), [false; 3], "{one_way}");
    }
}

/// It touches the room at its floor; it is 1.5 away from the wall.
#[test]
fn a_wall_of_a_room_that_is_only_near_is_not_touched() {
    let mut app = app();
    app.insert_resource(CollisionSettings {
        margin: 2.0,
        ..default()
    });
    app.world_mut().spawn(BoundsCollider::new(100.0, 100.0));
    let body = (BoxCollider::square(10.0), at(43.5, -45.0));
    let body = app.world_mut().spawn(body).id();
    for _ in 0..2 {
        tick(&mut app);
        assert_eq!(is_on(&mut app, body), [true, false, false]);
    }
}

#[test]
fn what_only_reports_is_no_surface() {
    for other in [0, 1, 2] {
        let mut app = app();
        let floor = wall(&mut app, (-90.0, -10.0), (90.0, 0.0));
        let body = (BoxCollider::square(10.0), Velocity::default(), at(0.0, 5.0));
        let body = app.world_mut().spawn(body).id();
        match other {
            0 => app.world_mut().entity_mut(floor).insert(Sensor),
            1 => app.world_mut().entity_mut(body).insert(Sensor),
            _ => app.world_mut().entity_mut(body).insert(Response::Pass),
        };
        assert_eq!(tick(&mut app).len(), 1);
        assert_eq!(is_on(&mut app, body), [false; 3], "{other}");
    }
}

/// With most of these steps the corners of the body and of tiles line up exactly in some ticks; no tile sticks out.
#[test]
fn who_runs_along_tiles_is_on_the_floor_alone_in_each_tick() {
    for step in [1.0, 4.0, 16.0, 7.3] {
        let mut app = app();
        for number in 0..60_u8 {
            let x = f32::from(number) * 16.0;
            wall(&mut app, (x, -16.0), (x + 16.0, 0.0));
        }
        let body = (
            BoxCollider::square(16.0),
            Velocity::default(),
            at(24.0, 8.0),
        );
        let body = app.world_mut().spawn(body).id();
        for number in 0..50 {
            app.world_mut().get_mut::<Velocity>(body).unwrap().0 = Vec2::new(step, -0.5) * 64.0;
            tick(&mut app);
            assert_eq!(
                is_on(&mut app, body),
                [true, false, false],
                "{step}, {number}"
            );
        }
    }
}

/// The contact with the room has one normal, which is that of neither wall.
#[test]
fn in_the_corner_of_a_room_there_are_two_walls_and_no_third() {
    for (x, y) in [(-45.0, -45.0), (45.0, -45.0), (45.0, 45.0), (-45.0, 45.0)] {
        let mut app = app();
        app.world_mut().spawn(BoundsCollider::new(100.0, 100.0));
        let body = (BoxCollider::square(10.0), at(x, y));
        let body = app.world_mut().spawn(body).id();
        tick(&mut app);
        let normals: Vec<Vec2> = surfaces(&mut app, body)
            .into_iter()
            .map(|hit| hit.normal)
            .collect();
        assert_eq!(normals.len(), 2, "{normals:?}");
        for normal in [Vec2::X * -x.signum(), Vec2::Y * -y.signum()] {
            assert!(normals.contains(&normal), "{normal}: {normals:?}");
        }
    }
}

/// To the bit, in either spawn order: there is only a positive zero.
#[test]
fn the_normal_of_a_floor_has_no_negative_zero() {
    for is_player_first in [false, true] {
        let mut app = app();
        let mut player = None;
        for is_player in [is_player_first, !is_player_first] {
            if is_player {
                let body = (BoxCollider::square(10.0), at(0.0, 10.0));
                player = Some(app.world_mut().spawn(body).id());
            } else {
                wall(&mut app, (-50.0, -5.0), (50.0, 5.0));
            }
        }
        tick(&mut app);
        let told = surfaces(&mut app, player.unwrap());
        let bits: Vec<[u32; 2]> = told
            .iter()
            .map(|hit| hit.normal.to_array().map(f32::to_bits))
            .collect();
        assert_eq!(bits, [[0, 1.0_f32.to_bits()]], "first: {is_player_first}");
    }
}

/// A plank between two blocks, flush with them: a player that jumps up through it along a block is beside the block, and not on it.
#[test]
fn a_ledge_that_is_passed_makes_no_floor_of_the_wall_beside_it() {
    for is_one_grid in [true, false] {
        let mut app = app();
        let row = |from: i32, to: i32| {
            let cells = (from..to).map(|x| IVec2::new(x, 0));
            TileColliders::from_cells(Vec2::splat(16.0), cells)
        };
        // One reaches from 0 to 48, the other from 48 to 112; both from 0 to 16 in y.
        if is_one_grid {
            app.world_mut().spawn((row(0, 3), OneWay::default()));
            app.world_mut().spawn(row(3, 7));
        } else {
            let plank = (BoxCollider::new(48.0, 16.0), Body::Static, at(24.0, 8.0));
            app.world_mut().spawn((plank, OneWay::default()));
            wall(&mut app, (48.0, 0.0), (112.0, 16.0));
        }
        // The player's feet are at 11, its right side at 48.
        let player = (
            BoxCollider::new(12.0, 24.0),
            Velocity::default(),
            at(42.0, 23.0),
        );
        let player = app.world_mut().spawn(player).id();
        let hits = tick(&mut app);
        let told: Vec<_> = (hits.iter())
            .filter(|hit| hit.involves(player))
            .map(|hit| (hit.normal_for(player), hit.depth))
            .collect();
        assert_eq!(told.len(), 2);
        assert!(told.contains(&(Some(Vec2::X), 0.0)), "{told:?}");
        assert_eq!(is_on(&mut app, player), [false, true, false]);
    }
}

/// Only the floor of the room is solid: a body stands on it in the corner, too, and is at no wall.
#[test]
fn of_a_room_that_is_solid_on_one_side_only_that_side_is_a_surface() {
    for (place, expected) in [
        ((90.0, -95.0), [true, false, false]),
        ((95.0, -95.0), [true, false, false]),
        ((94.9995, -95.0), [true, false, false]),
        ((95.0, -94.9995), [true, false, false]),
        ((99.0, -95.0), [true, false, false]),
        ((95.0, 0.0), [false, false, false]),
        ((95.0, 95.0), [false, false, false]),
        ((95.0, -105.0), [false, false, false]),
    ] {
        let mut app = app();
        let room = (BoundsCollider::new(200.0, 200.0), OneWay::default());
        let room = app.world_mut().spawn(room).id();
        let body = (BoxCollider::square(10.0), at(place.0, place.1));
        let body = app.world_mut().spawn(body).id();
        tick(&mut app);
        assert_eq!(is_on(&mut app, body), expected, "{place:?}");
        // A body that touches the floor collides, wherever it is.
        if expected[0] && place.1 <= -95.0 {
            let why = explain(app.world(), body, room);
            assert!(matches!(why, Explanation::Collide(_)), "{place:?}: {why}");
        }
    }
}

/// What a body stands on is solid to it, half way through an open wall, too.
#[test]
fn the_floor_of_a_one_way_room_is_solid_to_all_who_stand_on_it() {
    for x in [0.0, 90.0, 95.0, 99.0] {
        let mut app = app();
        let room = (BoundsCollider::new(200.0, 200.0), OneWay::default());
        let room = app.world_mut().spawn(room).id();
        let body = (BoxCollider::square(10.0), at(x, -95.0));
        let body = app.world_mut().spawn(body).id();
        tick(&mut app);
        let ask = move |collisions: Collisions| {
            let solid: Vec<_> = collisions
                .solid_of(body)
                .map(|met| met.other(body))
                .collect();
            let is_solid = collisions.is_solid(room, body);
            (collisions.is_on_floor(body), is_solid, solid)
        };
        let told = app.world_mut().run_system_once(ask).unwrap();
        assert_eq!(told, (true, true, vec![Some(room)]), "{x}");
    }
}

/// Far out on one axis, places on the other axis are as exact as anywhere.
#[test]
fn walls_of_a_room_that_is_far_out_are_touched_as_closely_as_anywhere() {
    for (room, place, expected) in [
        ((0.0, 0.0), (95.0, -94.97), [false, true, false]),
        ((1.0e5, 0.0), (100095.0, -94.97), [false, true, false]),
        ((0.0, 1.0e5), (94.97, 99905.0), [true, false, false]),
        ((0.0, 1.0e5), (95.0, 99905.0), [true, true, false]),
    ] {
        let mut app = app();
        app.world_mut()
            .spawn((BoundsCollider::new(200.0, 200.0), at(room.0, room.1)));
        let body = (BoxCollider::square(10.0), at(place.0, place.1));
        let body = app.world_mut().spawn(body).id();
        tick(&mut app);
        assert_eq!(is_on(&mut app, body), expected, "{room:?}, {place:?}");
    }
}

/// A collider that is inside of the room by no more than rounding touches both walls.
#[test]
fn a_corner_of_a_room_that_is_far_out_has_one_normal_too() {
    for (x, dot_x) in [(0.0, 90.3), (1.0e5, 100_090.3)] {
        let mut app = app();
        let room = (BoundsCollider::new(200.6, 100.6), at(x, 0.0));
        let room = app.world_mut().spawn(room).id();
        let dot = (CircleCollider::new(10.0), at(dot_x, 40.3));
        let dot = app.world_mut().spawn(dot).id();
        let [hit] = tick(&mut app)[..] else {
            panic!("one hit, {x}");
        };
        let normal = hit.normal_for(room).expect("it is about the room");
        let expected = Vec2::splat(-std::f32::consts::FRAC_1_SQRT_2);
        assert!(normal.abs_diff_eq(expected, 1.0e-6), "{x}: {normal}, {dot}");
    }
}

/// Bodies beside it or below it do not count, nor do those that touch it as a sensor, pass it, or stand on another one; each counts with any of its colliders.
#[test]
fn who_stands_on_something_is_known_to_it() {
    let mut app = app();
    let world = app.world_mut();
    let part = |x: f32, y: f32| (BoxCollider::square(10.0), at(x, y));
    // Two parts, from -20 to 0 and from 0 to 20, with their tops at 5.
    let stone = world.spawn((Body::Static, at(0.0, 0.0))).id();
    let halves = [-10.0, 10.0].map(|x| {
        let half = (BoxCollider::new(20.0, 10.0), at(x, 0.0), ChildOf(stone));
        world.spawn(half).id()
    });
    let on_both = world.spawn(part(0.0, 10.0)).id();
    let robot = world.spawn((Body::Dynamic, at(14.0, 10.0))).id();
    for x in [-2.5, 2.5] {
        let foot = (BoxCollider::new(4.0, 10.0), at(x, 0.0), ChildOf(robot));
        world.spawn(foot);
    }
    world.spawn((part(-14.0, 10.0), Sensor));
    world.spawn(part(0.0, 20.0));
    world.spawn(part(25.0, 0.0));
    let below = world.spawn(part(0.0, -10.0)).id();
    tick(&mut app);
    let standing = |app: &mut App, on: Entity| {
        let ask = move |collisions: Collisions| collisions.standing_on(on).collect::<Vec<_>>();
        app.world_mut().run_system_once(ask).expect("it runs")
    };
    assert_eq!(standing(&mut app, stone), [on_both, robot]);
    assert_eq!(standing(&mut app, halves[0]), [on_both]);
    assert_eq!(standing(&mut app, halves[1]), [on_both, robot]);
    assert_eq!(standing(&mut app, robot), []);
    // With up reversed, they hang on it.
    app.insert_resource(CollisionSettings {
        up: Vec2::NEG_Y,
        ..default()
    });
    tick(&mut app);
    assert_eq!(standing(&mut app, stone), [below]);
}

/// The tile below more of a body is its floor, and of two alike the left one, whichever was spawned first.
#[test]
fn of_several_surfaces_of_a_kind_one_is_chosen_by_where_it_is() {
    for is_left_first in [true, false] {
        for (x, is_left, point) in [(-3.0, true, -5.5), (3.0, false, 5.5), (0.0, true, -4.0)] {
            let mut app = app();
            let mut tile = |side: f32| {
                let (from, to) = (side.min(0.0), side.max(0.0));
                wall(&mut app, (from, -16.0), (to, 0.0))
            };
            let tiles = if is_left_first {
                [tile(-16.0), tile(16.0)]
            } else {
                let right = tile(16.0);
                [tile(-16.0), right]
            };
            let body = (BoxCollider::square(16.0), at(x, 8.0));
            let body = app.world_mut().spawn(body).id();
            tick(&mut app);
            let ask = move |collisions: Collisions| {
                [Surface::Floor, Surface::Wall].map(|kind| collisions.hit_on(body, kind))
            };
            let found = app.world_mut().run_system_once(ask).unwrap();
            let floor = tiles[usize::from(!is_left)];
            let expected = SurfaceHit {
                own: body,
                other: floor,
                other_body: floor,
                normal: Vec2::Y,
                point: Vec2::new(point, 0.0),
                surface: Surface::Floor,
            };
            assert_eq!(found, [Some(expected), None], "{x}, {is_left_first}");
        }
    }
}

#[test]
fn the_walls_of_a_room_are_touched_beside_the_middle_of_a_body() {
    let mut app = app();
    app.world_mut()
        .spawn((BoundsCollider::new(100.0, 60.0), at(7.0, 0.0)));
    let body = (CircleCollider::new(5.0), at(-38.0, -25.0));
    let body = app.world_mut().spawn(body).id();
    tick(&mut app);
    let mut points: Vec<_> = surfaces(&mut app, body)
        .iter()
        .map(|hit| (hit.surface, hit.normal, hit.point))
        .collect();
    points.sort_by_key(|(surface, ..)| *surface == Surface::Wall);
    let floor = (Surface::Floor, Vec2::Y, Vec2::new(-38.0, -30.0));
    let side = (Surface::Wall, Vec2::X, Vec2::new(-43.0, -25.0));
    assert_eq!(points, [floor, side]);
}

/// It jumps through a ledge, as in `a_ledge_is_a_floor_for_who_lands_on_it_and_nothing_on_the_way_up`, and through a coin.
#[test]
fn a_pair_is_solid_only_where_it_stops() {
    let mut app = app();
    let floor = wall(&mut app, (-90.0, -10.0), (90.0, 0.0));
    let ledge = wall(&mut app, (-90.0, 20.0), (90.0, 24.0));
    app.world_mut().entity_mut(ledge).insert(OneWay::default());
    let coin = (CircleCollider::new(2.0), Sensor, Body::Static);
    let coin = app.world_mut().spawn((coin, at(0.0, 16.0))).id();
    let body = (BoxCollider::square(10.0), Velocity::default(), at(0.0, 5.0));
    let body = app.world_mut().spawn(body).id();
    let mut go = |y: f32| {
        app.world_mut().get_mut::<Velocity>(body).unwrap().0.y = y * 64.0;
        let met = tick(&mut app);
        let met = [floor, ledge, coin].map(|one| met.iter().any(|hit| hit.involves(one)));
        let ask = move |collisions: Collisions| {
            [floor, ledge, coin].map(|one| {
                let is_solid = collisions.is_solid(one, body);
                assert_eq!(collisions.is_solid(body, one), is_solid);
                is_solid
            })
        };
        (met, app.world_mut().run_system_once(ask).unwrap())
    };
    assert_eq!(go(0.0), ([true, false, false], [true, false, false]));
    // All are met, the floor as the tick begins.
    let (met, solid) = go(30.0);
    assert_eq!((&met[1..], solid), (&[true, true][..], [false; 3]));
    assert_eq!(go(-30.0), ([false, true, false], [false, true, false]));
}
