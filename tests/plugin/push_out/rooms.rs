//! The walls of a room hold bodies as walls made of boxes do, also in its corners; of a one-way room only those that are solid.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use crate::common::{app, at, place, take, wall};

/// Spawns a room of 400 by 200, made of one collider or of four.
fn room(app: &mut App, is_one: bool) {
    if is_one {
        app.world_mut().spawn(BoundsCollider::new(400.0, 200.0));
        return;
    }
    for side in [-1.0, 1.0] {
        let (x, y) = (220.0 * side, 120.0 * side);
        wall(app, (x - 20.0, -140.0), (x + 20.0, 140.0));
        wall(app, (-240.0, y - 20.0), (240.0, y + 20.0));
    }
}

/// Returns where a body ends that is pressed for some ticks, and whether it was crushed in any of them.
fn press(is_one: bool, is_round: bool, [presser, pressed]: [Vec2; 2]) -> (Vec2, bool) {
    let mut app = app();
    room(&mut app, is_one);
    let spot = |place: Vec2| at(place.x, place.y);
    let mut by = app.world_mut().spawn((Body::Kinematic, spot(presser)));
    if is_round {
        by.insert(CircleCollider::new(12.0));
    } else {
        by.insert(BoxCollider::square(24.0));
    }
    let mut one = app.world_mut().spawn(spot(pressed));
    if is_round {
        one.insert(CircleCollider::new(8.0));
    } else {
        one.insert(BoxCollider::square(16.0));
    }
    let one = one.id();
    for _ in 0..3 {
        app.update();
    }
    let is_crushed = !take::<Crushed>(&mut app).is_empty();
    (place(&app, one), is_crushed)
}

/// A body lies exactly in a corner, and a `Kinematic` one comes onto it from all sides.
#[test]
fn who_lies_in_a_corner_stays_in_the_room() {
    for corner in [(1.0, -1.0), (-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(Vec2::from) {
        let pressed = Vec2::new(192.0, 92.0) * corner;
        for is_round in [false, true] {
            let reach = if is_round { 5 } else { 6 };
            for x in 0..reach {
                for y in 0..reach {
                    let offset = Vec2::new(x as f32, y as f32) * 3.25 - Vec2::new(0.5, 0.25);
                    let presser = pressed - offset * corner;
                    let places = [presser, pressed];
                    let case = format!("{corner}, {is_round}, {offset}");
                    let (to, is_crushed) = press(true, is_round, places);
                    let (by_boxes, crushed_by_boxes) = press(false, is_round, places);
                    let out = (to.abs() - Vec2::new(192.0, 92.0)).max_element();
                    assert!(out <= 0.01, "{case}: at {to}");
                    assert_eq!(is_crushed, crushed_by_boxes, "{case}: {to}, {by_boxes}");
                    assert!(to.distance(by_boxes) < 0.01, "{case}: {to}, not {by_boxes}");
                }
            }
        }
    }
}

/// A body lies exactly in a corner, and a lift or a door comes 4 deep into it, straight towards one of the two walls.
#[test]
fn what_is_crushed_in_a_corner_is_crushed_against_the_room() {
    for corner in [(1.0, -1.0), (-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(Vec2::from) {
        for (case, size, presser) in [
            // Its upper side is at 88, and the lower side of the body at 84.
            ("a lift", Vec2::new(40.0, 24.0), Vec2::new(180.0, 76.0)),
            // Its right side is at 188, and the left side of the body at 184.
            ("a door", Vec2::new(24.0, 40.0), Vec2::new(176.0, 80.0)),
        ] {
            let mut app = app();
            let room = app.world_mut().spawn(BoundsCollider::new(400.0, 200.0));
            let room = room.id();
            let [there, from] = [Vec2::new(192.0, 92.0), presser].map(|place| place * corner);
            let body = (BoxCollider::square(16.0), at(there.x, there.y));
            let body = app.world_mut().spawn(body).id();
            let collider = BoxCollider::new(size.x, size.y);
            let presser = (collider, Body::Kinematic, at(from.x, from.y));
            let presser = app.world_mut().spawn(presser).id();
            app.update();
            let expected = Crushed {
                entity: body,
                body,
                by: presser,
                against: Some(room),
                depth: 4.0,
            };
            assert_eq!(take::<Crushed>(&mut app), [expected], "{case}, {corner}");
            assert_eq!(place(&app, body), there, "{case}, {corner}");
        }
    }
}

/// Spawns a room from -100 to 100 on both axes, which is solid for what comes against this direction.
fn one_way_room(app: &mut App, direction: Vec2) {
    let room = (BoundsCollider::new(200.0, 200.0), OneWay(direction));
    app.world_mut().spawn(room);
}

/// Spawns crates of 10 at these places, runs a tick, and returns where they are.
fn push_crates<const N: usize>(app: &mut App, places: [Vec2; N]) -> [Vec2; N] {
    let crates = places.map(|place| {
        let one = (BoxCollider::square(10.0), at(place.x, place.y));
        app.world_mut().spawn(one).id()
    });
    app.update();
    crates.map(|one| place(app, one))
}

/// Only the floor is solid. A door that overlaps a crate on it by 4 pushes the crate through the open wall.
#[test]
fn who_is_pushed_on_the_floor_of_a_room_goes_out_by_its_open_wall() {
    for x in [0.0, 90.0, 94.0, 95.0, 99.0] {
        let mut app = app();
        one_way_room(&mut app, Vec2::Y);
        let door = (BoxCollider::new(10.0, 100.0), Body::Kinematic);
        app.world_mut().spawn((door, at(x - 6.0, -50.0)));
        let places = push_crates(&mut app, [Vec2::new(x, -95.0)]);
        assert_eq!(places, [Vec2::new(x + 4.0, -95.0)], "{x}");
        assert_eq!(take::<Crushed>(&mut app), [], "{x}");
    }
}

/// Two crates on the floor overlap by 4, which they share.
#[test]
fn crates_share_a_push_before_the_open_wall_of_a_room() {
    for x in [0.0, 88.0, 92.0, 95.0] {
        let mut app = app();
        one_way_room(&mut app, Vec2::Y);
        let places = [x, x + 6.0].map(|x| Vec2::new(x, -95.0));
        let places = push_crates(&mut app, places);
        let expected = [x - 2.0, x + 8.0].map(|x| Vec2::new(x, -95.0));
        assert_eq!(places, expected, "{x}");
    }
}

/// The upper crate overlaps the lower one by 2. Where the wall on the right is solid as well, a crate that is beyond it is left alone by it, but not by the floor.
#[test]
fn who_stands_on_the_floor_of_a_room_in_an_open_wall_is_not_pressed_through() {
    for direction in [Vec2::Y, Vec2::new(-1.0, 1.0)] {
        for x in [0.0, 90.0, 95.0, 98.0, 103.0] {
            let mut app = app();
            one_way_room(&mut app, direction);
            let places = [-95.0, -87.0].map(|y| Vec2::new(x, y));
            let places = push_crates(&mut app, places);
            let expected = [-95.0, -85.0].map(|y| Vec2::new(x, y));
            assert_eq!(places, expected, "{direction}, {x}");
        }
    }
}

/// The floor and the wall on the right are solid: so is the corner between them, as for a crate that is pressed into it from both sides.
#[test]
fn the_corner_between_two_solid_walls_of_a_one_way_room_is_solid() {
    let mut app = app();
    one_way_room(&mut app, Vec2::new(-1.0, 1.0));
    let places = [(95.0, -95.0), (95.0, -87.0), (87.0, -95.0)].map(Vec2::from);
    let places = push_crates(&mut app, places);
    let expected = [(95.0, -95.0), (95.0, -85.0), (85.0, -95.0)].map(Vec2::from);
    assert_eq!(places, expected);
}

/// Sixteen crates lie in one heap on the floor, far beyond an open wall: the floor holds them, and they do not come back into the room.
#[test]
fn a_heap_beyond_the_open_wall_of_a_room_spreads_there() {
    let mut app = app();
    one_way_room(&mut app, Vec2::Y);
    let places: [Vec2; 16] = std::array::from_fn(|at| {
        Vec2::new(194.0 + (at % 4) as f32 * 4.0, -95.0 + (at / 4) as f32 * 4.0)
    });
    let places = push_crates(&mut app, places);
    for place in places {
        assert!(place.x > 105.0, "{place}");
        assert!(place.y >= -95.01, "{place}");
    }
}
