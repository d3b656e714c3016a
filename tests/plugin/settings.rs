//! The settings do what their docs say, from one tick to the next.

use bevy::prelude::*;
use bevy_nudge::{prelude::*, query::Contactless};

use crate::common::{app, at, place, take, tick};

#[test]
fn touching_counts_or_not_by_the_setting() {
    for (touching, gap, collides) in [
        (Touching::Counts, -1.0, true),
        (Touching::Counts, 0.0, true),
        (Touching::Counts, 0.125, false),
        (Touching::Ignored, -1.0, true),
        (Touching::Ignored, 0.0, false),
        (Touching::Ignored, 0.125, false),
    ] {
        for shape in ["circles", "boxes", "bounds"] {
            let mut app = app();
            app.insert_resource(CollisionSettings {
                touching,
                ..default()
            });
            let mut body = |x: f32| app.world_mut().spawn((Body::Kinematic, at(x, 0.0))).id();
            let (a, b) = (body(0.0), body(7.0 + gap));
            let world = app.world_mut();
            match shape {
                "circles" => {
                    world.entity_mut(a).insert(CircleCollider::new(3.0));
                    world.entity_mut(b).insert(CircleCollider::new(4.0));
                }
                "boxes" => {
                    world.entity_mut(a).insert(BoxCollider::new(6.0, 2.0));
                    world.entity_mut(b).insert(BoxCollider::new(8.0, 5.0));
                }
                _ => {
                    // A dot of radius 4 at 0 in a room of half size 11: the wall is 7 from the center of the dot and leaves it
                    // as much room as the two shapes have above.
                    world.entity_mut(a).insert(CircleCollider::new(4.0));
                    world
                        .entity_mut(b)
                        .insert(BoundsCollider::new(2.0 * (4.0 + 7.0 + gap), 99.0));
                    let mut room = world.get_mut::<Transform>(b).unwrap();
                    room.translation.x = 7.0;
                }
            }
            let case = format!("{shape}, {touching:?}, gap {gap}");
            assert_eq!(tick(&mut app).len(), usize::from(collides), "{case}");
        }
    }
}

#[test]
fn no_margin_ends_a_contact_with_the_first_gap() {
    for margin in [0.0, -1.0, f32::NAN] {
        let mut app = app();
        app.insert_resource(CollisionSettings {
            margin,
            ..default()
        });
        let mut spawn = |x: f32| {
            let dot = (CircleCollider::new(10.0), Body::Kinematic, at(x, 0.0));
            app.world_mut().spawn(dot).id()
        };
        let (_, dot) = (spawn(0.0), spawn(20.0));
        assert_eq!(tick(&mut app).len(), 1);
        app.world_mut()
            .get_mut::<Transform>(dot)
            .unwrap()
            .translation
            .x = 20.001;
        assert!(tick(&mut app).is_empty(), "margin {margin}");
        assert_eq!(take::<CollisionEnded>(&mut app).len(), 1, "margin {margin}");
    }
}

#[test]
fn no_rounds_reports_and_does_not_push() {
    let mut app = app();
    app.insert_resource(CollisionSettings {
        push_out_rounds: 0,
        ..default()
    });
    let dot = app
        .world_mut()
        .spawn((CircleCollider::new(10.0), at(0.0, 0.0)))
        .id();
    let wall = (CircleCollider::new(10.0), Body::Static, at(15.0, 0.0));
    let wall = app.world_mut().spawn(wall).id();
    assert_eq!(tick(&mut app).len(), 1);
    assert_eq!(place(&app, dot), Vec2::ZERO);
    let why = explain(app.world(), dot, wall);
    let is_off = matches!(why, Explanation::Report(_, Contactless::PushingIsOff));
    assert!(is_off, "{why}");
    // A body that moves by its velocity is still stopped.
    app.world_mut()
        .entity_mut(dot)
        .insert(Velocity(Vec2::new(64.0, 0.0)));
    app.update();
    assert_eq!(place(&app, dot), Vec2::ZERO);
    let why = explain(app.world(), dot, wall);
    assert!(matches!(why, Explanation::Collide(_)), "{why}");
}

/// The despawned body is not queried.
#[test]
fn of_who_is_gone_it_is_told_all_the_same_that_nobody_is_pushed() {
    let mut app = app();
    app.insert_resource(CollisionSettings {
        push_out_rounds: 0,
        ..default()
    });
    let body = app.world_mut().spawn((Body::Dynamic, at(0.0, 0.0))).id();
    let part = (CircleCollider::new(5.0), ChildOf(body));
    let part = app.world_mut().spawn(part).id();
    let other = app
        .world_mut()
        .spawn((CircleCollider::new(5.0), at(8.0, 0.0)));
    let other = other.id();
    tick(&mut app);
    app.world_mut().entity_mut(part).remove::<ChildOf>();
    app.world_mut().despawn(body);
    let why = explain(app.world(), part, other);
    let is_off = matches!(why, Explanation::Report(_, Contactless::PushingIsOff));
    assert!(is_off, "{why}");
}

/// A body that is too large for a room is in its walls wherever it is, also in the middle, where it is put.
#[test]
fn who_is_too_large_for_a_room_is_told_in_its_middle_too() {
    let room = BoundsCollider::new(20.0, 20.0);
    for touching in [Touching::Counts, Touching::Ignored] {
        for (width, is_told) in [
            (24.0, true),
            (20.0, touching == Touching::Counts), // it fits, and touches both walls
            (16.0, false),
        ] {
            let collider = BoxCollider::new(width, 4.0);
            for x in [0.0, 3.0] {
                let mut app = app();
                app.insert_resource(CollisionSettings {
                    touching,
                    ..default()
                });
                app.world_mut().spawn(room);
                let body = app.world_mut().spawn((collider, at(x, 0.0))).id();
                let mut told = Vec::new();
                for _ in 0..3 {
                    told.push(!tick(&mut app).is_empty());
                }
                let case = format!("{touching:?}, {width} wide, at {x}: {told:?}");
                // It is pushed into the middle, or as far as necessary to fit.
                let free = (20.0 - width).max(0.0) * 0.5;
                assert_eq!(place(&app, body).x, x.min(free), "{case}");
                let is_pushed = x > free;
                assert_eq!(told[0], is_told || is_pushed, "{case}");
                if width > 20.0 {
                    assert_eq!(told, [true; 3], "{case}");
                } else if x == 0.0 {
                    assert_eq!(told, [is_told; 3], "{case}");
                }
            }
        }
    }
}

/// Side by side, as near as `f32` allows there: 13.1016 and 13.125 from each other instead of 13.1. They touch as they do at the origin, whatever the margin.
#[test]
fn what_is_flush_far_out_touches() {
    for (left, right) in [(3.2, 16.3), (20_003.2, 20_016.3), (300_003.2, 300_016.3)] {
        for margin in [0.0, 0.01] {
            for is_round in [false, true] {
                let mut app = app();
                app.insert_resource(CollisionSettings {
                    margin,
                    ..default()
                });
                for (x, body) in [(left, Body::Kinematic), (right, Body::Static)] {
                    // Four of each, because pairs are tested four at a time.
                    for y in [0.0, 100.0, 200.0, 300.0] {
                        let mut one = app.world_mut().spawn((body, at(x, y)));
                        if is_round {
                            one.insert(CircleCollider::new(6.55));
                        } else {
                            one.insert(BoxCollider::square(13.1));
                        }
                    }
                }
                let case = format!("{left}, margin {margin}, round: {is_round}");
                assert_eq!(tick(&mut app).len(), 4, "{case}");
            }
        }
        // Larger gaps do not touch: the tolerance there is 4 * 2^-23 of the place, 0.143 at most.
        let mut app = app();
        for (x, body) in [(left, Body::Kinematic), (right + 0.3, Body::Static)] {
            let one = (BoxCollider::square(13.1), body, at(x, 0.0));
            app.world_mut().spawn(one);
        }
        assert_eq!(tick(&mut app).len(), 0, "{left}");
    }
}

/// Reports do not depend on the spawn order, to the bit: there is only a positive zero.
#[test]
fn the_normal_of_a_wall_of_a_room_has_no_negative_zero() {
    for (place, normal) in [((-313.0, 0.0), Vec2::NEG_X), ((0.0, -233.0), Vec2::NEG_Y)] {
        for room_first in [false, true] {
            let mut app = app();
            let mut dot = None;
            for is_room in [room_first, !room_first] {
                if is_room {
                    let room = (BoundsCollider::new(640.0, 480.0), at(0.0, 0.0));
                    app.world_mut().spawn(room);
                } else {
                    let collider = (CircleCollider::new(10.0), Sensor, at(place.0, place.1));
                    dot = Some(app.world_mut().spawn(collider).id());
                }
            }
            let told = tick(&mut app);
            assert_eq!(told.len(), 1, "{place:?}");
            let told = told[0].normal_for(dot.unwrap()).unwrap();
            let bits = told.to_array().map(f32::to_bits);
            let expected = normal.to_array().map(f32::to_bits);
            assert_eq!(bits, expected, "{place:?}, room first: {room_first}");
        }
    }
}

/// Far out along x, places along y are exact: a gap there is a gap, whatever else there is.
#[test]
fn what_is_apart_along_the_other_axis_is_apart() {
    for others in [0_u8, 40] {
        let mut app = app();
        for number in 0..others {
            let x = -5000.0 - 100.0 * f32::from(number);
            let other = (BoxCollider::square(10.0), Body::Static, at(x, 0.0));
            app.world_mut().spawn(other);
        }
        let floor = (
            BoxCollider::new(1000.0, 10.0),
            Body::Static,
            at(1.0e5, -5.0),
        );
        app.world_mut().spawn(floor);
        app.world_mut()
            .spawn((BoxCollider::square(10.0), at(1.0e5, 5.015)));
        assert_eq!(tick(&mut app).len(), 0, "{others}");
    }
    let mut app = app();
    app.world_mut()
        .spawn((BoundsCollider::new(200.0, 200.0), at(1.0e5, 0.0)));
    app.world_mut()
        .spawn((BoxCollider::square(10.0), at(1.0e5, -94.97)));
    assert_eq!(tick(&mut app).len(), 0);
}
