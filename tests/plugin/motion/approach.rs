//! The approach speed: how fast two colliders came together.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_nudge::prelude::*;

use super::{TICKS_PER_SECOND, a_tick, moving_app};
use crate::common::{at, take, wall};

/// Runs a tick, and returns the approach speeds of what started, in world units a tick.
fn started(app: &mut App) -> Vec<f32> {
    app.update();
    let started = take::<CollisionStarted>(app);
    let speeds = started
        .iter()
        .map(|hit| hit.approach_speed / TICKS_PER_SECOND);
    speeds.collect()
}

/// Returns the approach speed of a pair, as `Collisions` reports it.
fn asked(app: &mut App, a: Entity, b: Entity) -> f32 {
    let ask = move |collisions: Collisions| collisions.approach_speed(a, b);
    app.world_mut().run_system_once(ask).unwrap() / TICKS_PER_SECOND
}

#[test]
fn a_hit_tells_how_hard_it_was_whatever_it_did() {
    for (case, own, more, expected) in [
        ("slides", (20.0, 4.0), Response::Slide, 20.0),
        (
            "bounces",
            (20.0, 4.0),
            Response::Bounce { restitution: 1.0 },
            20.0,
        ),
        ("stops", (20.0, 4.0), Response::Stop, 20.0),
        ("passes", (20.0, 4.0), Response::Pass, 20.0),
        ("hardly aslant", (12.0, 60.0), Response::Slide, 12.0),
    ] {
        let mut app = moving_app();
        let wall = wall(&mut app, (15.0, -100.0), (25.0, 100.0));
        let ball = (CircleCollider::new(5.0), more, a_tick(own.0, own.1));
        let ball = app.world_mut().spawn(ball).id();
        assert_eq!(started(&mut app), [expected], "{case}");
        assert_eq!(asked(&mut app, wall, ball), expected, "{case}");
        assert_eq!(asked(&mut app, ball, wall), expected, "{case}");
    }
}

#[test]
fn both_ways_count() {
    for (case, own, other, other_kind, expected) in [
        ("head on", 20.0, -12.0, Body::Dynamic, 32.0),
        ("from behind", 20.0, 4.0, Body::Dynamic, 16.0),
        ("into a door that comes", 20.0, -12.0, Body::Kinematic, 32.0),
        ("by a door", 0.0, -16.0, Body::Kinematic, 16.0),
    ] {
        let mut app = moving_app();
        let one = (CircleCollider::new(5.0), a_tick(own, 0.0));
        app.world_mut().spawn(one);
        let other = (
            CircleCollider::new(5.0),
            other_kind,
            a_tick(other, 0.0),
            at(14.0, 0.0),
        );
        app.world_mut().spawn(other);
        assert_eq!(started(&mut app), [expected], "{case}");
    }
}

/// A body that stands or lands on a lift meets it at the same speed as if the lift stood still.
#[test]
fn a_lift_takes_nothing_away_and_adds_nothing_to_who_rides_it() {
    let mut app = moving_app();
    let lift = (
        BoxCollider::new(100.0, 10.0),
        Body::Kinematic,
        a_tick(0.0, 2.0),
        at(0.0, -5.0),
    );
    let lift = app.world_mut().spawn(lift).id();
    let rider = (BoxCollider::square(10.0), a_tick(0.0, -1.0), at(0.0, 5.0));
    let rider = app.world_mut().spawn(rider).id();
    app.update();
    for _ in 0..3 {
        // As gravity does in each tick.
        app.world_mut().get_mut::<Velocity>(rider).unwrap().0.y = -TICKS_PER_SECOND;
        app.update();
        assert_eq!(asked(&mut app, lift, rider), 1.0);
    }
}

#[test]
fn what_is_not_swept_is_not_come_to() {
    let mut app = moving_app();
    let wall = wall(&mut app, (15.0, -100.0), (25.0, 100.0));
    let ball = app
        .world_mut()
        .spawn((CircleCollider::new(5.0), at(0.0, 0.0)))
        .id();
    assert_eq!(started(&mut app), [0.0; 0]);
    app.world_mut()
        .get_mut::<Transform>(ball)
        .unwrap()
        .translation
        .x = 12.0;
    assert_eq!(started(&mut app), [0.0]);
    assert_eq!(asked(&mut app, wall, ball), 0.0);

    // If it is swept, its own way counts.
    let mut ball = app.world_mut().entity_mut(ball);
    ball.insert(Swept::default());
    app.update();
    let set = |app: &mut App, x: f32| {
        let mut all = app
            .world_mut()
            .query_filtered::<&mut Transform, With<Swept>>();
        all.single_mut(app.world_mut()).unwrap().translation.x = x;
    };
    set(&mut app, 0.0);
    app.update();
    take::<CollisionStarted>(&mut app);
    set(&mut app, 30.0);
    assert_eq!(started(&mut app), [30.0]);
}

/// A ball that hops on the floor within each tick starts no new collision, but its hits can be read.
#[test]
fn each_tick_tells_of_its_own_hit() {
    let mut app = moving_app();
    let floor = wall(&mut app, (-50.0, -10.0), (50.0, 0.0));
    let bounce = Response::Bounce { restitution: 0.5 };
    let ball = (
        CircleCollider::new(5.0),
        bounce,
        a_tick(0.0, -8.0),
        at(0.0, 6.0),
    );
    let ball = app.world_mut().spawn(ball).id();
    assert_eq!(started(&mut app), [8.0]);
    app.world_mut().get_mut::<Velocity>(ball).unwrap().0.y = -16.0 * TICKS_PER_SECOND;
    app.update();
    assert_eq!(asked(&mut app, ball, floor), 16.0);
    // It flies off, and meets nothing.
    app.update();
    app.update();
    assert_eq!(asked(&mut app, ball, floor), 0.0);
    // A despawned entity has no approach speed.
    app.world_mut().despawn(ball);
    assert_eq!(asked(&mut app, ball, floor), 0.0);
}
