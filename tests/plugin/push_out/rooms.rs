//! The walls of a room hold bodies as walls made of boxes do, also in its corners.

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
