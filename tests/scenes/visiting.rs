//! The gallery, room by room. In a tick the dot walks 3 units, it has a radius of 10, and places are measured from the middle of the room.

use bevy::prelude::*;
use bevy_nudge::{
    kernel::{Shape, separation},
    prelude::*,
    tiles::{MergedTiles, TileColliders},
};

use crate::gallery::{
    self, ROOMS, bouncing,
    building::{PATH, Room, Sign, room_at},
    dot::Dot,
    filters, layers, left_out, masses, one_way, parts, press, push_out, pushers, questions,
    sensors, tiles,
};
use crate::type_key;

struct Visit {
    app: App,
    room: &'static Room,
}

impl Visit {
    /// Starts with the dot at a place in a room, before the first tick.
    fn at(room: &'static Room, x: f32, y: f32) -> Self {
        let app = common::rehearsal(&gallery::STAGE, gallery::scene);
        let mut visit = Self { app, room };
        visit.put(x, y);
        visit
    }

    fn put(&mut self, x: f32, y: f32) {
        let place = self.room.middle() + Vec2::new(x, y);
        let world = self.app.world_mut();
        let mut dots = world.query_filtered::<&mut Transform, With<Dot>>();
        dots.single_mut(world).expect("one dot").translation = place.extend(1.0);
    }

    fn hold(&mut self, ticks: u32, keys: &'static [KeyCode]) -> &mut Self {
        common::hold(&mut self.app, &common::Step::keys(ticks, keys));
        self
    }

    fn walk(&mut self, ticks: u32) -> &mut Self {
        self.hold(ticks, &[KeyCode::ArrowRight])
    }

    /// Returns the places of all entities with a component.
    fn places<T: Component>(&mut self) -> Vec<Vec2> {
        let world = self.app.world_mut();
        let mut all = world.query_filtered::<&Transform, With<T>>();
        let places = all.iter(world).map(|place| place.translation.truncate());
        places.map(|place| place - self.room.middle()).collect()
    }

    fn dot(&mut self) -> Vec2 {
        self.places::<Dot>()[0]
    }

    /// Returns the place of the entity with this name.
    fn named(&mut self, name: &str) -> Vec2 {
        let world = self.app.world_mut();
        let mut all = world.query::<(&Name, &Transform)>();
        let mut all = all.iter(world).filter(|(other, _)| other.as_str() == name);
        let (_, transform) = all.next().expect("it is there");
        transform.translation.truncate() - self.room.middle()
    }

    fn has_sign(&mut self, part: &str) -> bool {
        let world = self.app.world_mut();
        let mut signs = world.query::<&Sign>();
        signs.iter(world).any(|sign| sign.0.contains(part))
    }

    /// Returns the sum of the squares of their speeds.
    fn energy_of_balls(&mut self) -> f64 {
        let world = self.app.world_mut();
        let mut balls = world.query_filtered::<&Velocity, With<bouncing::Ball>>();
        let squares = balls
            .iter(world)
            .map(|ball| f64::from(ball.0.length_squared()));
        squares.sum()
    }

    fn shapes<F: bevy::ecs::query::QueryFilter>(&mut self) -> Vec<(Shape, Vec2)> {
        type Parts = (
            Option<&'static CircleCollider>,
            Option<&'static BoxCollider>,
            &'static GlobalTransform,
        );
        let world = self.app.world_mut();
        let mut all = world.query_filtered::<Parts, F>();
        let all = all
            .iter(world)
            .filter_map(|(circle, rectangle, transform)| {
                let shape = match (circle, rectangle) {
                    (Some(circle), _) => circle.shape(),
                    (_, Some(rectangle)) => rectangle.shape(),
                    _ => return None,
                };
                let place = transform.translation().truncate();
                Some((shape.expect("valid"), place - self.room.middle()))
            });
        all.collect()
    }
}

fn assert_near(place: Vec2, expected: (f32, f32), case: impl std::fmt::Display) {
    let off = place.distance(expected.into());
    assert!(off < 0.01, "{case}: {place} is not {expected:?}");
}

#[test]
fn rooms_are_numbered_in_their_order_and_their_text_fits_the_wall() {
    for (number, room) in ROOMS.into_iter().enumerate() {
        assert_eq!(room.number, number, "{}", room.title);
        for line in room.wall {
            // Letters with a height of 13 pixels are 7.8 wide, and the wall is 608 wide.
            assert!(line.len() <= 76, "{line}");
        }
    }
}

#[test]
fn one_goes_from_room_to_room_on_foot_or_by_key() {
    let mut visit = Visit::at(&push_out::ROOM, -292.0, PATH);
    let room = |visit: &mut Visit| room_at(visit.dot().x + visit.room.middle().x);
    for (number, next) in ROOMS.iter().enumerate().skip(1) {
        visit.hold(1, &[KeyCode::KeyN]).hold(1, &[]);
        assert_eq!(room(&mut visit), number);
        let entrance = next.entrance();
        assert_near(visit.dot(), (entrance.x, entrance.y), number);
    }
    // There is no further room.
    visit.hold(1, &[KeyCode::KeyN]).hold(1, &[]);
    assert_eq!(room(&mut visit), 12);
    for number in (0..12).rev() {
        visit.hold(1, &[KeyCode::KeyB]).hold(1, &[]);
        assert_eq!(room(&mut visit), number);
    }
    visit.hold(1, &[KeyCode::KeyB]).hold(1, &[]);
    assert_eq!(room(&mut visit), 0);

    // Nothing is in the way in the third room: 220 ticks lead from -292 to 368, which is -272 in the next room.
    let mut visit = Visit::at(&sensors::ROOM, -292.0, PATH);
    visit.walk(220);
    assert_near(visit.dot(), (368.0, PATH), "on foot");
    assert_eq!(room(&mut visit), 3);
    // Then back to the first room: only the round pillar is in the way, and the crates of the second room are elsewhere. The outer wall is at -312.
    visit.hold(800, &[KeyCode::ArrowLeft]);
    visit.room = &push_out::ROOM;
    assert!((visit.dot().x + 302.0).abs() < 0.01, "{}", visit.dot());
}

#[test]
fn the_dot_slides_round_the_pillar_and_is_never_in_one() {
    let mut visit = Visit::at(&push_out::ROOM, -292.0, PATH);
    let dot = Shape::circle(10.0).expect("valid");
    let mut highest = f32::MIN;
    for tick in 0..110 {
        visit.walk(1);
        let place = visit.dot();
        for (shape, center) in visit.shapes::<Without<Dot>>() {
            let gap = separation(shape, dot, place - center);
            assert!(gap > -0.01, "{gap} at tick {tick}");
        }
        highest = highest.max(place.y);
    }
    // The pillar's middle is at -60, and its radius is 30. Above it a step of 3 leads away from its surface by no more than 40 - sqrt(40^2 - 3^2) = 0.11.
    assert!((-20.0..-19.0).contains(&highest), "{highest}");
    assert!(visit.dot().x > 0.0, "it walks on");
}

#[test]
fn the_pebble_is_pushed_off_its_line_by_the_shortest_way() {
    let mut visit = Visit::at(&push_out::ROOM, -292.0, PATH);
    let pebble = Shape::circle(8.0).expect("valid");
    for tick in 1..=600 {
        visit.hold(1, &[]);
        let place = visit.places::<push_out::Pebble>()[0];
        for (shape, center) in visit.shapes::<(With<Body>, Without<push_out::Pebble>)>() {
            let gap = separation(shape, pebble, place - center);
            assert!(gap > -0.01, "{gap} at tick {tick}");
        }
        match tick {
            // From -260 in steps of 2: the pebble is before the square, whose side is at -190, and does not touch it yet.
            30 => assert_near(place, (-200.0, 66.0), "on its line"),
            // At -188 on the line; the side of the square is nearer than its top.
            36 => assert_near(place, (-198.0, 66.0), "at the side"),
            // In the middle of the line, 6 above the middle of a pillar with a radius of 40.
            130 => assert_near(place, (0.0, 108.0), "on top of the round one"),
            _ => {}
        }
    }
}

#[test]
fn crates_move_by_their_masses() {
    for (name, mass, lane) in masses::CRATES {
        // The left side of each crate is at -155, so the dot meets it at -165.
        let mut visit = Visit::at(&masses::ROOM, -190.0, lane);
        visit.walk(20);
        let before = visit.named(name);
        visit.walk(60);
        let after = visit.named(name);
        assert_near(visit.dot(), (after.x - 25.0, lane), name);
        // 3 units a tick, shared by mass.
        let expected = 60.0 * 3.0 / (1.0 + mass);
        assert!(
            (after.x - before.x - expected).abs() < 0.1,
            "{name}: {before} {after}"
        );
    }
}

#[test]
fn sensors_tell_of_a_beginning_and_of_an_end_with_its_reason() {
    let mut visit = Visit::at(&sensors::ROOM, -292.0, PATH);
    let tally = |visit: &Visit| {
        let tally = visit.app.world().resource::<sensors::Tally>();
        (tally.started, tally.separated, tally.despawned)
    };
    for (ticks, expected, case) in [
        // The carpet begins at -200: the dot touches it from -210 on, after 28 ticks.
        (27, (0, 0, 0), "before the carpet"),
        (1, (1, 0, 0), "on it"),
        // The carpet ends at -80: the dot leaves it beyond -70, after 75 ticks.
        (46, (1, 0, 0), "still on it"),
        (1, (1, 1, 0), "off it"),
        // The coins are taken at 132, 172 and 212: after 142, 155 and 168 ticks. Each end is reported a tick later.
        (67, (2, 1, 0), "the first coin"),
        (1, (2, 1, 1), "and it is gone"),
        (40, (4, 1, 3), "all coins"),
    ] {
        visit.walk(ticks);
        assert_eq!(tally(&visit), expected, "{case}, at {}", visit.dot());
    }
    assert_eq!(
        visit.dot(),
        Vec2::new(-292.0 + 183.0 * 3.0, PATH),
        "nothing has pushed it"
    );
    assert!(visit.has_sign("started 4   ended: 1 separated, 3 despawned"));

    // A restart despawns the carpet under the dot, and spawns all of them again. The tally goes on, since what has started ends even then.
    visit.put(-140.0, PATH);
    visit.hold(2, &[]).hold(1, &[KeyCode::KeyR]).hold(2, &[]);
    assert_eq!(tally(&visit), (5, 1, 4));
    assert_near(visit.dot(), (-292.0, PATH), "at the entrance");
    visit.walk(183);
    assert_eq!(tally(&visit), (9, 2, 7));
}

#[test]
fn a_gate_lets_its_own_colour_pass() {
    // A gate's left side is at 40 - 8, and the dot stops 10 before it.
    for (is_red, gate, expected) in [
        (false, layers::BLUE_GATE, 80.0),
        (false, layers::RED_GATE, 22.0),
        (true, layers::BLUE_GATE, 22.0),
        (true, layers::RED_GATE, 80.0),
    ] {
        let mut visit = Visit::at(&layers::ROOM, -220.0, -140.0);
        if is_red {
            // The dot is in the paint.
            visit.hold(2, &[]);
        }
        visit.put(-100.0, gate);
        visit.walk(60);
        assert_near(
            visit.dot(),
            (expected, gate),
            format!("red: {is_red}, at {gate}"),
        );
    }
}

#[test]
fn one_way_doors_open_in_their_direction() {
    // A door is 12 thick.
    let [(right, _), (left, _)] = one_way::DOORS;
    for (door, from, key, expected, case) in [
        (right, -60.0, KeyCode::ArrowRight, 60.0, "along the arrows"),
        (right, 60.0, KeyCode::ArrowLeft, 16.0, "against them"),
        (
            left,
            60.0,
            KeyCode::ArrowLeft,
            -60.0,
            "along the upper arrows",
        ),
        (
            left,
            -60.0,
            KeyCode::ArrowRight,
            -16.0,
            "against the upper ones",
        ),
    ] {
        let mut visit = Visit::at(&one_way::ROOM, from, door);
        visit.hold(
            40,
            if key == KeyCode::ArrowRight {
                &[KeyCode::ArrowRight]
            } else {
                &[KeyCode::ArrowLeft]
            },
        );
        assert_near(visit.dot(), (expected, door), case);
    }
}

#[test]
fn a_piston_shoves_the_dot_along_and_does_not_mind_it() {
    for walks in [false, true] {
        let mut visit = Visit::at(&pushers::ROOM, -80.0, -80.0);
        // The lower side of the piston is at 60 - 2n after n ticks. A dot that walks towards the piston meets it earlier.
        for tick in 1..=240_u16 {
            visit.hold(1, if walks { &[KeyCode::ArrowUp] } else { &[] });
            let way = 2.0 * f32::from(tick);
            let piston = if tick <= 120 {
                90.0 - way
            } else {
                -150.0 + way - 240.0
            };
            let places = visit.places::<pushers::Piston>();
            assert!(
                places
                    .iter()
                    .any(|place| place.distance(Vec2::new(-80.0, piston)) < 0.01),
                "{places:?}, {tick}"
            );
            let dot = visit.dot();
            if walks && tick >= 30 {
                // The dot is always at the lower side, because it is faster than the piston.
                assert_near(dot, (-80.0, piston - 40.0), tick);
            } else if !walks {
                // The dot's upper side is at -70, where the piston meets it after 65 ticks. The dot stays behind where the piston turns.
                let expected = if tick <= 120 {
                    (piston - 40.0).min(-80.0)
                } else {
                    -190.0
                };
                assert_near(dot, (-80.0, expected), tick);
            }
        }
    }
}

#[test]
fn pistons_never_stand_still() {
    let mut visit = Visit::at(&push_out::ROOM, -292.0, PATH);
    visit.hold(1, &[]);
    let heights = |visit: &mut Visit| {
        visit
            .places::<pushers::Piston>()
            .into_iter()
            .map(|place| place.y)
    };
    let mut before: Vec<f32> = heights(&mut visit).collect();
    for tick in 0..1000 {
        visit.hold(1, &[]);
        let now: Vec<f32> = heights(&mut visit).collect();
        for (before, now) in before.iter().zip(&now) {
            assert!(
                ((before - now).abs() - 2.0).abs() < 0.01,
                "tick {tick}: {before} {now}"
            );
        }
        before = now;
    }
}

/// Visitors come at any time and should see something: nothing comes to rest out of the reach of all pistons, or where a piston drives into it.
#[test]
fn pistons_shove_something_in_each_stroke_and_crush_nothing() {
    let mut visit = Visit::at(&push_out::ROOM, -292.0, PATH);
    visit.room = &pushers::ROOM;
    let loose = |visit: &mut Visit| {
        let world = visit.app.world_mut();
        let mut all = world.query_filtered::<(&Transform, &Body), Without<Dot>>();
        let loose = all.iter(world).filter(|(place, body)| {
            **body == Body::Dynamic && room_at(place.translation.x) == pushers::ROOM.number
        });
        loose
            .map(|(place, _)| place.translation.truncate())
            .collect::<Vec<Vec2>>()
    };
    assert!(!loose(&mut visit).is_empty());
    // 120 units and back, two in a tick.
    for stroke in 0..20 {
        let before = loose(&mut visit);
        for tick in 0..60 {
            visit.hold(1, &[]);
            let world = visit.app.world_mut();
            let crushed = world.resource_mut::<Messages<Crushed>>().drain().count();
            assert_eq!(crushed, 0, "stroke {stroke}, tick {tick}");
        }
        let now = loose(&mut visit);
        let ways = before.iter().zip(&now).map(|(a, b)| a.distance(*b));
        let way = ways.fold(0.0, f32::max);
        assert!(way > 20.0, "{way} in stroke {stroke}");
    }
}

#[test]
fn balls_stay_in_their_frame_with_all_their_speed_and_the_dot_does_not_mind_it() {
    let mut visit = Visit::at(&bouncing::ROOM, -292.0, PATH);
    let before = visit.energy_of_balls();
    for tick in 0..1200 {
        visit.hold(1, &[]);
        for (shape, place) in visit.shapes::<With<bouncing::Ball>>() {
            let room = bouncing::FRAME * 0.5 - shape.radius() + 0.01;
            let from_middle = (place - Vec2::new(0.0, PATH)).abs();
            assert!(from_middle.cmple(room).all(), "{place} at tick {tick}");
        }
    }
    // They have the same mass, so the energy that one loses another one gains.
    assert!((visit.energy_of_balls() / before - 1.0).abs() < 1.0e-3);

    // The frame's left side is at -220.
    visit.put(-250.0, -140.0);
    visit.walk(20);
    assert!(visit.dot().x > -200.0, "{}", visit.dot());
}

#[test]
fn balls_come_back_from_the_dot_that_stands_among_them() {
    // In the middle of the frame.
    let mut visit = Visit::at(&bouncing::ROOM, 0.0, PATH);
    let (place, before) = (visit.dot(), visit.energy_of_balls());
    let world = visit.app.world_mut();
    let mut dots = world.query_filtered::<Entity, With<Dot>>();
    let dot = dots.single(world).expect("one dot");
    let mut hits = 0;
    for _ in 0..1200 {
        visit.hold(1, &[]);
        let told = visit.app.world().resource::<Messages<CollisionStarted>>();
        let told = told.iter_current_update_messages();
        hits += told.filter(|hit| hit.involves(dot)).count();
        assert_near(visit.dot(), place.into(), "the dot stands");
    }
    assert!(hits > 3, "{hits}");
    let left = visit.energy_of_balls() / before;
    assert!((0.9..1.01).contains(&left), "{left}");
}

#[test]
fn the_corridor_is_whole_again_at_once_even_during_a_pause() {
    let mut visit = Visit::at(&tiles::ROOM, -190.0, PATH);
    visit.hold(2, &[]);
    let boxes = |visit: &mut Visit| {
        let world = visit.app.world_mut();
        world.query::<&MergedTiles>().iter(world).count()
    };
    let before = boxes(&mut visit);
    visit
        .app
        .world_mut()
        .resource_mut::<Time<Virtual>>()
        .pause();
    visit.hold(1, &[KeyCode::KeyR]).hold(1, &[]);
    assert_eq!(boxes(&mut visit), before);
}

#[test]
fn tiles_have_no_seams_and_amber_breaks() {
    let mut visit = Visit::at(&tiles::ROOM, -190.0, PATH);
    // The top of the corridor's floor is at -188 + 7 * 20 = -48. A diagonal tick leads 2.12 along each axis, so 6 down take 3 ticks; from -190 to the amber at 0 it is 180, or 84 ticks.
    visit.hold(3, &[KeyCode::ArrowRight, KeyCode::ArrowDown]);
    for tick in 4..=84_u16 {
        visit.hold(1, &[KeyCode::ArrowRight, KeyCode::ArrowDown]);
        // So far from the origin a float has steps of 0.0005, and a tick may be off by half a step.
        let expected = -190.0 + f32::from(tick) * 3.0 / std::f32::consts::SQRT_2;
        let [x, y] = visit.dot().to_array();
        assert!(
            y == -38.0 && (x - expected).abs() < 0.03,
            "({x}, {y}), tick {tick}"
        );
    }

    // On its path the dot meets the cell from -48 to -28, and then the corner of the cell above, which is 4 higher than the dot's middle. The other cells are 24 higher or more.
    let mut visit = Visit::at(&tiles::ROOM, -190.0, PATH);
    visit.hold(1, &[]);
    let world = visit.app.world_mut();
    let boxes = world.query::<&MergedTiles>().iter(world).count();
    let (solid, amber) = (tiles::cells('#').count(), tiles::cells('o').count());
    // Each amber cell has a box of its own. The solid cells are two bars of one row, a block of 6 by 2, and a tub of five pieces.
    assert_eq!((solid, amber, boxes), (78, 43, 43 + 8));
    visit.walk(120);
    let is_filled = |visit: &mut Visit, cell: IVec2| {
        let world = visit.app.world_mut();
        let mut grids = world.query::<&TileColliders>();
        grids.single(world).expect("one grid").is_filled(cell)
    };
    let broken: Vec<IVec2> = tiles::cells('o')
        .filter(|cell| !is_filled(&mut visit, *cell))
        .collect();
    assert_eq!(broken, [IVec2::new(14, 7), IVec2::new(14, 8)]);
    assert!(visit.dot().x > 100.0);
    assert!(visit.has_sign("119 cells, 49 boxes"));
    visit.hold(1, &[KeyCode::KeyR]).hold(1, &[]);
    assert!(visit.has_sign("121 cells, 51 boxes"));
}

#[test]
fn the_guard_sees_whom_no_wall_hides() {
    // The guard is at (0, 60) and sees 150 far. Below it is a wall from -40 to 40, whose top is at 22: on the path, 92 below the guard, the wall hides what is less than 40 * 92 / 38 = 96.8 aside. Up to
    // a distance of 160, which is 130.9 aside, the dot is within reach.
    for (x, y, near, sees) in [
        (-200.0, PATH, false, false),
        (-133.0, PATH, false, false),
        (-129.0, PATH, true, true),
        (-100.0, PATH, true, true),
        (-90.0, PATH, true, false),
        (0.0, PATH, true, false),
        (90.0, PATH, true, false),
        (100.0, PATH, true, true),
        (129.0, PATH, true, true),
        (133.0, PATH, false, false),
        // Behind the wall on the left, whose right side is at -102, and which reaches from 70 to 130.
        (-130.0, 110.0, true, false),
        // In front of it.
        (-60.0, 110.0, true, true),
    ] {
        let mut visit = Visit::at(&questions::ROOM, x, y);
        visit.hold(1, &[]);
        let world = visit.app.world_mut();
        let mut guards = world.query::<&questions::Guard>();
        let guard = guards.single(world).expect("one guard");
        assert_eq!(
            (guard.near.is_some(), guard.sees),
            (near, sees),
            "({x}, {y})"
        );
    }
}

#[test]
fn who_is_crushed_goes_back_to_the_entrance_and_the_press_opens() {
    // The anvil's top is at -46, and the lower side of the press at 60 - n after n ticks: the gap is less than 20 from the 87th tick on.
    let mut visit = Visit::at(&press::ROOM, 0.0, PATH);
    let accidents = |visit: &Visit| visit.app.world().resource::<press::Accidents>().0;
    visit.hold(86, &[]);
    assert_eq!(accidents(&visit), 0);
    // The press has pushed the dot down to 10 above the anvil.
    assert_near(visit.dot(), (0.0, -36.0), "before");
    visit.hold(1, &[]);
    assert_eq!(accidents(&visit), 1);
    assert_near(visit.dot(), (-292.0, PATH), "after");
    assert_near(
        visit.named("the press"),
        (0.0, 60.0 - 87.0 + 20.0),
        "the press",
    );
    visit.hold(10, &[]);
    assert_near(
        visit.named("the press"),
        (0.0, 60.0 - 77.0 + 20.0),
        "the press, opening",
    );
    assert_eq!(accidents(&visit), 1);
    assert!(visit.has_sign("accidents so far: 1"));
}

#[test]
fn the_curtain_is_for_the_crate_and_the_barrier_for_every_other_second() {
    // The curtain is at -100, 16 thick.
    let mut visit = Visit::at(&left_out::ROOM, -150.0, PATH);
    visit.walk(40);
    assert_near(visit.dot(), (-30.0, PATH), "through the curtain");
    let mut visit = Visit::at(&left_out::ROOM, -230.0, 14.0);
    visit.walk(60);
    let crates = visit.places::<left_out::Crate>();
    assert_near(crates[0], (-123.0, 14.0), "the crate, at the curtain");
    assert_near(visit.dot(), (-148.0, 14.0), "the dot, at the crate");

    // The barrier is at 120, and is disabled from the 60th tick to the 119th.
    let mut visit = Visit::at(&left_out::ROOM, 0.0, PATH);
    visit.walk(59);
    assert_near(visit.dot(), (102.0, PATH), "at the barrier");
    visit.walk(21);
    assert_near(visit.dot(), (165.0, PATH), "through it");
    assert!(visit.has_sign("the barrier has a ColliderDisabled"));
    visit.hold(45, &[]);
    // The barrier has been back for five ticks.
    visit.hold(40, &[KeyCode::ArrowLeft]);
    assert_near(visit.dot(), (138.0, PATH), "and back again");
}

#[test]
fn the_gate_ignores_the_dot_once_all_lamps_are_lit() {
    let mut visit = Visit::at(&filters::ROOM, -292.0, PATH);
    // Two of the three are on the path. The gate's left side is at 112.
    visit.walk(200);
    assert!(visit.has_sign("lamps that are lit: 2   the gate is closed"));
    assert_near(visit.dot(), (102.0, PATH), "at the gate");
    visit.put(-100.0, 60.0);
    visit.hold(1, &[]);
    assert!(visit.has_sign("lamps that are lit: 3   the gate is open"));
    visit.put(102.0, PATH);
    visit.walk(20);
    assert_near(visit.dot(), (162.0, PATH), "through it");
    // After a restart it is closed again, and lets nothing back either.
    visit.hold(1, &[KeyCode::KeyR]);
    visit.put(162.0, PATH);
    visit.hold(20, &[KeyCode::ArrowLeft]);
    assert!(visit.has_sign("lamps that are lit: 0   the gate is closed"));
    assert_near(visit.dot(), (138.0, PATH), "at the gate from behind");
}

#[test]
fn the_raft_is_pushed_as_one_and_told_of_as_one() {
    let mut visit = Visit::at(&parts::ROOM, -292.0, PATH);
    visit.hold(1, &[]);
    assert!(visit.has_sign("meetings: 0   the raft touches nothing"));
    // The long log's left end is at -190, so the dot meets it at -200, after 92 units. Both have a mass of 1, so they go on at half the speed.
    visit.walk(31);
    assert!(visit.has_sign("meetings: 1   the raft touches the dot"));
    visit.walk(60);
    let raft = visit.named("the raft");
    assert_near(visit.dot(), (raft.x - 80.0, PATH), "behind the raft");
    assert!((raft.x + 29.0).abs() < 1.5, "{raft}");
    assert_eq!(raft.y, PATH);
    // It goes on to the rock, whose left side is at 120.
    visit.walk(120);
    let raft = visit.named("the raft");
    assert_near(raft, (50.0, PATH), "at the rock");
    assert!(visit.has_sign("the raft touches the dot, the rock"));
    // Away and back again, that is another meeting, at whichever log.
    visit.hold(10, &[KeyCode::ArrowLeft]);
    assert!(visit.has_sign("meetings: 1   the raft touches the rock"));
    visit.walk(20);
    assert!(visit.has_sign("meetings: 2"));
}

/// The dot meets the upper log, whose left end is at -170, and slides down to the long one, which is longer.
#[test]
fn who_slides_from_log_to_log_does_not_leave_the_raft() {
    let mut visit = Visit::at(&parts::ROOM, -200.0, PATH + parts::LOGS[2]);
    visit.walk(10);
    assert!(visit.has_sign("meetings: 1   the raft touches the dot"));
    visit.hold(30, &[KeyCode::ArrowRight, KeyCode::ArrowDown]);
    // On top of the long log, 2 below the corner of the upper one.
    let from_raft = visit.dot() - visit.named("the raft");
    assert_near(from_raft, (-59.798, 22.0), "at both logs");
    assert!(visit.has_sign("meetings: 1   the raft touches the dot"));
}

/// The dot goes to the next room in a pause too. In two seconds the camera comes nearer by a factor of e^16, and the room is 640 away.
#[test]
fn the_camera_follows_the_dot_in_a_pause() {
    let still = common::Stage {
        recording: &[],
        ..gallery::STAGE
    };
    let mut app = common::draw_unseen(&still, gallery::scene, gallery::drawing);
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    type_key(&mut app, KeyCode::KeyN, "n");
    for _ in 0..120 {
        app.update();
    }
    let world = app.world_mut();
    let mut cameras = world.query_filtered::<&Transform, With<Camera2d>>();
    let camera = cameras.single(world).expect("one camera").translation;
    assert_eq!(camera.x, masses::ROOM.middle().x);
}

#[test]
fn the_recording_shows_every_room() {
    let account = common::recorded(&gallery::STAGE, gallery::scene).join("\n");
    for (what, times) in [
        ("the dot meets the lower round pillar", 1),
        ("the dot meets the equal crate", 1),
        ("the dot takes a coin", 3),
        ("the dot is crushed by the press against the anvil", 1),
    ] {
        assert_eq!(account.matches(what).count(), times, "{what}:\n{account}");
    }
}
