//! Lifts that go as one: their ways may be rounded, and one of them may be a belt.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{TICKS_PER_SECOND, a_tick, moving_app, velocity};
use crate::common::{at, place, take};

/// Gravity of a quarter of a unit a tick, and the tick.
fn fall(app: &mut App, body: Entity) {
    let mut velocity = app.world_mut().get_mut::<Velocity>(body).unwrap();
    velocity.0.y -= 0.25 * TICKS_PER_SECOND;
    app.update();
}

/// Returns the velocity by which a rider is carried, in world units a tick.
fn carried(app: &App, rider: Entity) -> Vec2 {
    app.world().get::<Rider>(rider).unwrap().platform_velocity / TICKS_PER_SECOND
}

fn rider(app: &mut App, size: f32, place: (f32, f32)) -> Entity {
    let rider = Rider::new(PlatformOnLeave::AddVelocity);
    let rider = (BoxCollider::square(size), rider, at(place.0, place.1));
    app.world_mut().spawn(rider).id()
}

/// Two pieces that their game moves, with these sizes and places.
fn swept(app: &mut App, pieces: [((f32, f32), (f32, f32)); 2]) -> [Entity; 2] {
    pieces.map(|((width, height), (x, y))| {
        let piece = (BoxCollider::new(width, height), Body::Kinematic, at(x, y));
        app.world_mut().spawn((piece, Swept::default())).id()
    })
}

/// Two lifts whose tops meet at the origin. A way of 0.1 is 0.0999999 by the places of the left one and 0.1000004 by those of the right one.
fn two_lifts(app: &mut App) -> [Entity; 2] {
    swept(
        app,
        [((8.0, 10.0), (-4.0, -5.0)), ((40.0, 10.0), (20.0, -5.0))],
    )
}

fn move_all(app: &mut App, all: [Entity; 2], way: Vec2) {
    for one in all {
        let mut transform = app.world_mut().get_mut::<Transform>(one).unwrap();
        transform.translation += way.extend(0.0);
    }
}

fn assert_near(one: Vec2, other: Vec2, case: &str) {
    assert!(one.abs_diff_eq(other, 0.001), "{case}: {one} for {other}");
}

#[test]
fn who_stands_on_two_lifts_of_which_one_is_a_belt_has_no_velocity_of_its_own() {
    for belt in [0.0, 0.125] {
        let mut app = moving_app();
        let lifts = [-20.0, 20.0].map(|x| {
            let lift = (BoxCollider::new(40.0, 10.0), Body::Kinematic, at(x, -5.0));
            app.world_mut().spawn((lift, Velocity::default())).id()
        });
        let runs = SurfaceVelocity(a_tick(belt, 0.0).0);
        app.world_mut().entity_mut(lifts[1]).insert(runs);
        let rider = rider(&mut app, 16.0, (-6.0, 8.0));
        fall(&mut app, rider);
        for lift in lifts {
            app.world_mut().entity_mut(lift).insert(a_tick(0.0, -1.0));
        }
        for tick in 1_u8..=12 {
            fall(&mut app, rider);
            let case = format!("belt {belt}, tick {tick}");
            assert_eq!(place(&app, rider).y, 8.0 - f32::from(tick), "{case}");
            assert_eq!(velocity(&app, rider), Vec2::ZERO, "{case}");
            assert_eq!(carried(&app, rider), Vec2::new(belt, -1.0), "{case}");
        }
    }
}

#[test]
fn who_stands_on_two_swept_lifts_has_no_velocity_of_its_own() {
    let mut app = moving_app();
    let lifts = two_lifts(&mut app);
    let rider = rider(&mut app, 8.0, (0.0, 4.0));
    fall(&mut app, rider);
    let way = Vec2::new(0.1, -0.5);
    for tick in 1_u8..=12 {
        move_all(&mut app, lifts, way);
        fall(&mut app, rider);
        let case = format!("tick {tick}");
        let there = way * f32::from(tick) + Vec2::new(0.0, 4.0);
        assert_near(place(&app, rider), there, &case);
        assert_near(velocity(&app, rider), Vec2::ZERO, &case);
        assert_near(carried(&app, rider), way, &case);
    }
}

/// What the lower body lacks of its ride, the upper one is held back by.
#[test]
fn a_stack_on_two_swept_lifts_stays_together() {
    let mut app = moving_app();
    let lifts = two_lifts(&mut app);
    let lower = (BoxCollider::square(8.0), Velocity::default(), at(0.0, 4.0));
    let lower = app.world_mut().spawn(lower).id();
    let upper = (BoxCollider::square(6.0), at(0.0, 11.0));
    let upper = app.world_mut().spawn(upper).id();
    fall(&mut app, lower);
    for tick in 1_u8..=12 {
        move_all(&mut app, lifts, Vec2::new(0.1, -0.5));
        fall(&mut app, lower);
        let apart = place(&app, upper) - place(&app, lower);
        assert_near(apart, Vec2::new(0.0, 7.0), &format!("tick {tick}"));
    }
    assert_eq!(take::<CollisionEnded>(&mut app), []);
}

#[test]
fn who_walks_against_the_wall_of_a_swept_cabin_goes_along_with_it() {
    let mut app = moving_app();
    let floor = ((60.0, 10.0), (-4.0, -5.0));
    let pieces = swept(&mut app, [floor, ((10.0, 40.0), (20.0, 20.0))]);
    let rider = rider(&mut app, 8.0, (11.0, 4.0));
    app.update();
    let way = Vec2::new(0.1, 0.0);
    for tick in 1_u8..=12 {
        move_all(&mut app, pieces, way);
        app.world_mut().entity_mut(rider).insert(a_tick(1.0, -0.25));
        app.update();
        let case = format!("tick {tick}");
        let there = way * f32::from(tick) + Vec2::new(11.0, 4.0);
        assert_near(place(&app, rider), there, &case);
        assert_near(velocity(&app, rider), Vec2::ZERO, &case);
        assert_near(carried(&app, rider), way, &case);
    }
}

/// A door that comes slower than the lift goes takes off the difference, and what comes towards the rider takes its own velocity as well.
#[test]
fn what_is_met_on_a_lift_takes_off_what_it_does_not_share() {
    for (wall, ride, own) in [(1.0, 1.0, 0.0), (0.0, 0.0, 0.0), (-1.0, 0.0, -1.0)] {
        let mut app = moving_app();
        let floor = (BoxCollider::new(400.0, 10.0), Body::Kinematic);
        app.world_mut()
            .spawn((floor, a_tick(2.0, 0.0), at(0.0, -5.0)));
        // Above the floor by a little: they do not meet.
        let door = (BoxCollider::new(10.0, 40.0), Body::Kinematic);
        app.world_mut()
            .spawn((door, a_tick(wall, 0.0), at(9.0, 20.5)));
        let rider = rider(&mut app, 8.0, (0.0, 4.0));
        app.update();
        app.update();
        assert_eq!(carried(&app, rider), Vec2::new(ride, 0.0), "{wall}");
        assert_eq!(velocity(&app, rider), Vec2::new(own, 0.0), "{wall}");
        let there = Vec2::new(2.0 * wall, 4.0);
        assert_near(place(&app, rider), there, &format!("{wall}"));
    }
}

/// Each stands on a lift of its own, and hangs over its end. What one of them loses, the other one loses in the mirror.
#[test]
fn two_riders_that_meet_take_off_each_others_rides() {
    for (left, right) in [(2.0, -2.0), (2.0, 1.0), (-1.0, -2.0)] {
        let mut app = moving_app();
        let riders = [(-1.0, left), (1.0, right)].map(|(side, way)| {
            let lift = (BoxCollider::new(180.0, 10.0), Body::Kinematic);
            let lift = (lift, a_tick(way, 0.0), at(side * 110.0, -5.0));
            app.world_mut().spawn(lift);
            let rider = Rider::new(PlatformOnLeave::AddVelocity);
            let rider = (BoxCollider::new(40.0, 8.0), rider, at(side * 21.75, 4.0));
            app.world_mut().spawn(rider).id()
        });
        for _ in 0..4 {
            app.update();
        }
        let case = format!("{left}, {right}");
        // As much as one has in front, the one behind has too: half of both.
        let together = Vec2::new((left + right) * 0.5, 0.0);
        for one in riders {
            let total = velocity(&app, one) + carried(&app, one);
            assert_near(total, together, &case);
        }
        // Of the slower one, only the own velocity makes it faster than its lift.
        let owns = riders.map(|one| velocity(&app, one).x);
        let mirrored = [left, right].map(|way: f32| {
            let more = together.x - way;
            if more * way > 0.0 { more } else { 0.0 }
        });
        for (own, expected) in owns.into_iter().zip(mirrored) {
            assert!((own - expected).abs() < 0.001, "{case}: {owns:?}");
        }
    }
}

/// A player is grabbed, and so loses its `Velocity`; the lift is gone by the time at which it is let go.
#[test]
fn who_has_no_velocity_for_a_while_is_on_no_platform() {
    let mut app = moving_app();
    let lift = (BoxCollider::new(100.0, 10.0), Body::Kinematic);
    let lift = (lift, a_tick(2.0, 0.0), at(0.0, -5.0));
    let lift = app.world_mut().spawn(lift).id();
    let rider = rider(&mut app, 16.0, (0.0, 8.0));
    app.update();
    app.update();
    assert_eq!(carried(&app, rider), Vec2::new(2.0, 0.0));
    app.world_mut().entity_mut(rider).remove::<Velocity>();
    app.update();
    assert_eq!(carried(&app, rider), Vec2::ZERO);
    app.world_mut().despawn(lift);
    app.world_mut().entity_mut(rider).insert(a_tick(0.0, 0.0));
    let before = place(&app, rider);
    app.update();
    assert_eq!(velocity(&app, rider), Vec2::ZERO);
    assert_eq!(place(&app, rider), before);
}

/// The length of a tick changes while a rider is aboard.
#[test]
fn a_ride_goes_on_when_the_length_of_a_tick_changes() {
    let mut app = moving_app();
    let lift = (BoxCollider::new(400.0, 10.0), Body::Kinematic);
    let fast = Velocity(Vec2::new(128.0, 0.0));
    let lift = app.world_mut().spawn((lift, fast, at(0.0, -5.0))).id();
    let rider = rider(&mut app, 16.0, (0.0, 8.0));
    app.update();
    let mut x = 2.0;
    for rate in [64_u16, 32, 128, 256, 32] {
        let mut time = app.world_mut().resource_mut::<Time<Fixed>>();
        time.set_timestep_hz(f64::from(rate));
        app.update();
        x += 128.0 / f32::from(rate);
        assert_eq!(place(&app, lift).x, x, "{rate}");
        assert_eq!(place(&app, rider), Vec2::new(x, 8.0), "{rate}");
        let known = app.world().get::<Rider>(rider).unwrap().platform_velocity;
        assert_eq!(known, fast.0, "{rate}");
    }
}

/// A ball that is `Swept`, and that its game does not move, is hit by another one: each has half of both velocities then. Below a parent that is not at the origin, its place is rounded in each tick, which is no motion.
#[test]
fn what_is_swept_below_a_parent_is_hit_as_anywhere() {
    for root in [0.0, 33.3, 20.7, 30.3] {
        let mut app = moving_app();
        let level = app.world_mut().spawn(at(root, 0.0)).id();
        let ball = (CircleCollider::new(5.0), Swept::default(), a_tick(1.1, 0.0));
        let ball = (ball, at(100.0 - root, 0.0), ChildOf(level));
        let ball = app.world_mut().spawn(ball).id();
        let hitter = (CircleCollider::new(5.0), a_tick(3.3, 0.0), at(80.0, 0.0));
        let hitter = app.world_mut().spawn(hitter).id();
        for _ in 0..6 {
            app.update();
        }
        for who in [ball, hitter] {
            let speed = velocity(&app, who).x;
            assert!((speed - 2.2).abs() < 0.01, "{speed}, below {root}");
        }
    }
}
