//! Colliders have the requested size, whichever constructor is used.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use crate::common::{app, at, place, tick};

#[test]
fn a_size_as_one_is_width_and_height() {
    // In constants, as games define them.
    const CRATE: BoxCollider = BoxCollider::from_size(Vec2::new(6.0, 10.0));
    const ROOM: BoundsCollider = BoundsCollider::from_size(Vec2::new(640.0, 480.0));
    assert_eq!(CRATE, BoxCollider::new(6.0, 10.0));
    assert_eq!(CRATE.half_size, Vec2::new(3.0, 5.0));
    assert_eq!(ROOM, BoundsCollider::new(640.0, 480.0));
    assert_eq!(ROOM.half_size, Vec2::new(320.0, 240.0));
}

#[test]
fn the_size_of_a_box_is_its_outer_one() {
    for (case, collider, size) in [
        ("sharp", BoxCollider::new(6.0, 10.0), (6.0, 10.0)),
        (
            "round corners",
            BoxCollider::new(6.0, 10.0).with_corner_radius(2.0),
            (6.0, 10.0),
        ),
        ("a capsule", BoxCollider::capsule(3.0, 8.0), (6.0, 14.0)), // two caps of 3
        (
            "aside",
            BoxCollider::square(4.0).with_offset(Vec2::X),
            (4.0, 4.0),
        ),
    ] {
        assert_eq!(collider.size(), Vec2::from(size), "{case}");
    }
    let room = BoundsCollider::from_corners(Vec2::new(-2.0, 1.0), Vec2::new(8.0, 5.0));
    assert_eq!(room.size(), Vec2::new(10.0, 4.0));
}

#[test]
fn bevys_shapes_become_colliders() {
    assert_eq!(
        CircleCollider::from(Circle::new(3.0)),
        CircleCollider::new(3.0)
    );
    assert_eq!(
        BoxCollider::from(Rectangle::new(6.0, 8.0)),
        BoxCollider::new(6.0, 8.0)
    );
    let capsule = BoxCollider::from(Capsule2d::new(3.0, 8.0));
    assert_eq!(capsule, BoxCollider::capsule(3.0, 8.0));
    // The centers of its caps are 8 apart.
    assert_eq!(
        (capsule.half_size, capsule.corner_radius),
        (Vec2::new(3.0, 7.0), 3.0)
    );
    // The defaults agree, too.
    let (circle, rectangle) = (Circle::default(), Rectangle::default());
    assert_eq!(CircleCollider::from(circle), CircleCollider::default());
    assert_eq!(BoxCollider::from(rectangle), BoxCollider::default());
}

/// The capsule is 8 wide and 20 high, and not the other way around.
#[test]
fn a_capsule_of_bevys_stands_upright() {
    let mut app = app();
    let capsule = BoxCollider::from(Capsule2d::new(4.0, 12.0));
    app.world_mut().spawn((capsule, Body::Kinematic));
    // The top of the capsule is at 10, its side at 4.
    for (place, is_met) in [
        (at(0.0, 10.5), true),
        (at(0.0, 11.5), false),
        (at(4.5, 0.0), true),
        (at(5.5, 0.0), false),
    ] {
        let dot = (CircleCollider::new(1.0), Sensor, place);
        let dot = app.world_mut().spawn(dot).id();
        assert_eq!(
            tick(&mut app).len(),
            usize::from(is_met),
            "{:?}",
            place.translation
        );
        app.world_mut().despawn(dot);
    }
}

/// An invalid shape becomes an invalid collider; the conversion corrects nothing.
#[test]
fn bad_shapes_become_bad_colliders() {
    let circle = Circle { radius: -1.0 };
    assert!(CircleCollider::from(circle).shape().is_err());
    let half_size = Vec2::new(1.0, f32::NAN);
    assert!(BoxCollider::from(Rectangle { half_size }).shape().is_err());
    let capsule = Capsule2d::new(2.0, -2.0); // rounder than it is high
    assert!(BoxCollider::from(capsule).shape().is_err());
}

/// Bevy's `rotate_z` leaves a rotation whose length is slightly off 1 each time. A collider that spins for ten minutes must keep its size.
#[test]
fn what_spins_keeps_its_size() {
    let mut app = app();
    let wheel = (CircleCollider::new(50.0), Body::Kinematic);
    let wheel = app.world_mut().spawn(wheel).id();
    let dot = (BoxCollider::square(10.0), at(55.0, 0.0));
    let dot = app.world_mut().spawn(dot).id();
    let mut pose = app.world_mut().get_mut::<Transform>(wheel).unwrap();
    for _ in 0..10 * 60 * 64 {
        pose.rotate_z(0.1);
    }
    assert!((pose.rotation.length() - 1.0).abs() > 1.0e-4);
    tick(&mut app);
    assert_eq!(place(&app, dot), Vec2::new(55.0, 0.0));
}
