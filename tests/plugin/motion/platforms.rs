//! Moving platforms: which bodies are carried, and what velocity they keep afterwards.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_nudge::{kernel::Touching, prelude::*, tiles::TileColliders};

use super::{a_tick, fall, mover, moving_app, velocity};
use crate::common::{at, place, wall};

#[test]
fn a_platform_carries_who_stands_on_it() {
    // Sideways, up and down, and downwards faster than a body falls at first.
    for (case, way) in [
        ("right", Vec2::new(2.0, 0.0)),
        ("up", Vec2::new(0.0, 1.5)),
        ("down", Vec2::new(0.0, -4.0)),
        ("aslant", Vec2::new(-1.0, -2.0)),
    ] {
        let mut app = moving_app();
        let platform = app.world_mut().spawn((
            BoxCollider::new(100.0, 10.0),
            Body::Kinematic,
            Velocity::default(),
            at(0.0, -5.0),
        ));
        let platform = platform.id();
        let rider = mover(&mut app, 16.0, (-8.0, 0.0), a_tick(0.0, 0.0));
        let crates = app
            .world_mut()
            .spawn((BoxCollider::square(10.0), at(30.0, 5.0)))
            .id();
        fall(&mut app, rider);
        app.world_mut()
            .entity_mut(platform)
            .insert(a_tick(way.x, way.y));
        for number in 1..=40 {
            fall(&mut app, rider);
            let moved = way * number as f32;
            let apart = |place: Vec2| (place - moved).to_array().map(|part| part.abs());
            let [x, y] = apart(place(&app, rider) - Vec2::new(0.0, 8.0));
            assert!(x < 0.01 && y < 0.01, "{case}, tick {number}: {x} {y}");
            let [x, y] = apart(place(&app, crates) - Vec2::new(30.0, 5.0));
            assert!(
                x < 0.01 && y < 0.01,
                "{case}, tick {number}, the crate: {x} {y}"
            );
            assert_eq!(velocity(&app, rider), Vec2::ZERO, "{case}, tick {number}");
        }
    }
}

#[test]
fn a_platform_that_its_game_moves_carries_if_it_is_swept() {
    let mut app = moving_app();
    let lift = (BoxCollider::new(100.0, 10.0), Body::Kinematic);
    let lift = app
        .world_mut()
        .spawn((lift, Swept::default(), at(0.0, -5.0)));
    let lift = lift.id();
    let rider = mover(&mut app, 16.0, (-8.0, 0.0), a_tick(0.0, 0.0));
    fall(&mut app, rider);
    for number in 0..60 {
        // Up, and down again, and to the right all the time.
        let way = Vec2::new(2.0, if number < 30 { 1.0 } else { -3.0 });
        app.world_mut()
            .get_mut::<Transform>(lift)
            .expect("it has one")
            .translation += way.extend(0.0);
        fall(&mut app, rider);
        let apart = place(&app, rider) - place(&app, lift);
        assert!(
            (apart - Vec2::new(0.0, 13.0)).length() < 0.01,
            "tick {number}: {apart}"
        );
    }
}

/// In the tick in which its game lifts it off, it goes along by 1, beside the 30 that it is lifted.
#[test]
fn who_is_lifted_off_by_its_game_takes_the_way_of_its_platform_along() {
    let mut app = moving_app();
    let platform = (BoxCollider::new(100.0, 10.0), Body::Kinematic);
    app.world_mut()
        .spawn((platform, a_tick(1.0, 0.0), at(0.0, -5.0)));
    let rider = (
        BoxCollider::square(16.0),
        Rider::new(PlatformOnLeave::AddVelocity),
        Swept::default(),
        Velocity::default(),
    );
    let rider = app.world_mut().spawn((rider, at(0.0, 8.0))).id();
    for _ in 0..4 {
        app.update();
    }
    let before = place(&app, rider);
    assert_eq!(before.y, 8.0);
    let lifted = at(before.x, 38.0);
    app.world_mut().entity_mut(rider).insert(lifted);
    app.update();
    assert_eq!(place(&app, rider), Vec2::new(before.x + 1.0, 38.0));
    assert_eq!(velocity(&app, rider), Vec2::X);
}

/// What it knows of a platform is from another world, and there is none below it in this one.
#[test]
fn a_rider_that_has_just_come_leaves_no_platform() {
    let mut app = moving_app();
    let rider = Rider {
        platform_velocity: a_tick(2.0, 0.0).0,
        ..Rider::new(PlatformOnLeave::AddVelocity)
    };
    let rider = (BoxCollider::square(16.0), rider, a_tick(1.0, 0.0));
    let rider = app.world_mut().spawn(rider).id();
    app.update();
    assert_eq!(place(&app, rider), Vec2::X);
    assert_eq!(velocity(&app, rider), Vec2::X);
    let platform = app.world().get::<Rider>(rider).unwrap().platform_velocity;
    assert_eq!(platform, Vec2::ZERO);
}

#[test]
fn a_platform_carries_a_stack() {
    let mut app = moving_app();
    let platform = app.world_mut().spawn((
        BoxCollider::new(100.0, 10.0),
        Body::Kinematic,
        Velocity::default(),
        at(0.0, -5.0),
    ));
    let platform = platform.id();
    let stack: Vec<Entity> = (0..40)
        .map(|number| {
            let y = 5.0 + 10.0 * number as f32;
            app.world_mut()
                .spawn((BoxCollider::square(10.0), at(3.0, y)))
                .id()
        })
        .collect();
    // A crate beside the platform, which touches only its side.
    let beside = app
        .world_mut()
        .spawn((BoxCollider::square(10.0), at(55.0, -5.0)))
        .id();
    app.update();
    app.world_mut()
        .entity_mut(platform)
        .insert(a_tick(-2.0, 1.0));
    for _ in 0..30 {
        app.update();
    }
    for (number, entity) in stack.into_iter().enumerate() {
        let [x, y] = place(&app, entity).to_array();
        assert!((x - 3.0 + 60.0).abs() < 0.02, "{number}: {x}");
        assert!(
            (y - 35.0 - 10.0 * number as f32).abs() < 0.02,
            "{number}: {y}"
        );
    }
    assert_eq!(place(&app, beside), Vec2::new(55.0, -5.0));
}

#[test]
fn who_is_carried_walks_and_jumps_and_stops_at_walls() {
    let mut app = moving_app();
    app.world_mut().spawn((
        BoxCollider::new(1000.0, 10.0),
        Body::Kinematic,
        a_tick(2.0, 0.0),
        at(0.0, -5.0),
    ));
    wall(&mut app, (60.0, 1.0), (80.0, 100.0));
    let rider = mover(&mut app, 16.0, (0.0, 0.0), a_tick(0.0, 0.0));
    fall(&mut app, rider);
    fall(&mut app, rider);
    assert_eq!(place(&app, rider).x - 8.0, 4.0);
    app.world_mut().entity_mut(rider).insert(a_tick(3.0, 0.0));
    fall(&mut app, rider);
    assert_eq!(place(&app, rider).x - 8.0, 9.0);
    assert_eq!(velocity(&app, rider).x, 3.0);
    for _ in 0..20 {
        app.world_mut().entity_mut(rider).insert(a_tick(0.0, 0.0));
        fall(&mut app, rider);
    }
    assert_eq!(place(&app, rider).x, 52.0, "at the wall");
    assert_eq!(velocity(&app, rider), Vec2::ZERO);
    app.world_mut().entity_mut(rider).insert(a_tick(-3.0, 9.0));
    fall(&mut app, rider);
    assert!(
        (place(&app, rider).x - 49.0).abs() < 1.0e-3,
        "it has jumped off"
    );
}

/// Spawns a platform whose surface is at y = 0 and 100 wide.
fn platform(app: &mut App, x: f32, velocity: Velocity) -> Entity {
    let collider = BoxCollider::new(100.0, 10.0);
    let parts = (collider, Body::Kinematic, velocity, at(x, -5.0));
    app.world_mut().spawn(parts).id()
}

/// A body that falls onto a platform that rises at an angle moves along with it, and not only up.
#[test]
fn who_lands_on_a_rising_platform_is_carried() {
    for response in [Response::Slide, Response::Stop] {
        let mut app = moving_app();
        platform(&mut app, 0.0, a_tick(1.0, 2.0));
        let rider = mover(&mut app, 16.0, (-8.0, 40.0), a_tick(0.0, 0.0));
        app.world_mut().entity_mut(rider).insert(response);
        // It falls a quarter of a unit more in each tick, and is on the platform after 15 ticks, when the platform is at 30.
        for _ in 0..20 {
            fall(&mut app, rider);
        }
        let boarded = place(&app, rider).x;
        for number in 21..=60 {
            fall(&mut app, rider);
            let [x, y] = place(&app, rider).to_array();
            let expected = Vec2::new(boarded + (number - 20) as f32, 2.0 * number as f32 + 8.0);
            let apart = Vec2::new(x, y) - expected;
            assert!(
                apart.abs().max_element() < 0.01,
                "{response:?}, tick {number}: {apart}"
            );
            assert_eq!(
                velocity(&app, rider),
                Vec2::ZERO,
                "{response:?}, tick {number}"
            );
        }
    }
}

/// Spawns a rider of this size with its lower left corner at a place.
fn spawn_rider(app: &mut App, size: f32, corner: (f32, f32), on_leave: PlatformOnLeave) -> Entity {
    let rider = mover(app, size, corner, Velocity::default());
    app.world_mut()
        .entity_mut(rider)
        .insert(Rider::new(on_leave));
    rider
}

/// Returns a body 16 wide on a platform 100 wide, which has carried it once by this much.
fn riding(way: Vec2, on_leave: PlatformOnLeave) -> (App, Entity, Entity) {
    let mut app = moving_app();
    let platform = platform(&mut app, 0.0, Velocity::default());
    let rider = spawn_rider(&mut app, 16.0, (-8.0, 0.0), on_leave);
    app.update();
    app.world_mut()
        .entity_mut(platform)
        .insert(a_tick(way.x, way.y));
    app.update();
    assert_eq!(place(&app, rider), way + Vec2::new(0.0, 8.0));
    assert_eq!(velocity(&app, rider), Vec2::ZERO);
    assert_eq!(platform_velocity(&app, rider), way);
    (app, platform, rider)
}

/// Its game moves it by 10 on the platform, which takes it along by 1 meanwhile.
#[test]
fn who_is_moved_by_its_game_on_a_platform_goes_along_as_well() {
    let mut app = moving_app();
    platform(&mut app, 0.0, a_tick(1.0, 0.0));
    let load = (BoxCollider::square(16.0), Swept::default(), at(0.0, 8.0));
    let load = app.world_mut().spawn(load).id();
    for _ in 0..3 {
        app.update();
    }
    let before = place(&app, load);
    let moved = at(before.x + 10.0, before.y);
    app.world_mut().entity_mut(load).insert(moved);
    app.update();
    assert_eq!(place(&app, load), before + Vec2::new(11.0, 0.0));
}

/// The rider hops too little to get away, and a wall stops it: the 1 that it took along is not taken off its own velocity, of which nothing is left.
#[test]
fn who_hops_against_a_wall_and_stays_on_its_platform_is_not_led_back() {
    let (mut app, _, rider) = riding(Vec2::new(1.0, 0.0), PlatformOnLeave::AddVelocity);
    // Its right side is at 9.
    wall(&mut app, (9.0, 1.0), (20.0, 50.0));
    let hop = 0.001953125;
    app.world_mut().entity_mut(rider).insert(a_tick(3.0, hop));
    app.update();
    assert_eq!(place(&app, rider), Vec2::new(1.0, 8.0 + hop));
    assert_eq!(velocity(&app, rider), Vec2::new(0.0, hop));
    assert_eq!(platform_velocity(&app, rider), Vec2::X);
}

/// The roof is as far above the rider as its lift rises in the tick: the lift meets it there. What it has taken along is taken back once, and its own 3 are left.
#[test]
fn who_hops_against_a_roof_and_lands_on_its_lift_keeps_its_pace() {
    let (mut app, _, rider) = riding(Vec2::new(2.0, 1.0), PlatformOnLeave::AddVelocity);
    // Its head is at 17.
    wall(&mut app, (-50.0, 18.0), (50.0, 30.0));
    app.world_mut().entity_mut(rider).insert(a_tick(3.0, 5.0));
    app.update();
    let there = Vec2::new(7.0, 10.0);
    assert!(place(&app, rider).distance(there) < 1.0e-4);
    let pace = velocity(&app, rider);
    assert!(pace.distance(Vec2::new(3.0, 0.0)) < 1.0e-4, "{pace}");
    assert_eq!(platform_velocity(&app, rider), Vec2::new(2.0, 1.0));
}

/// The lower one of two riders hops too little to get away, so the upper one, which loses what carries it, has not left the platform either.
#[test]
fn who_stands_on_a_rider_that_does_not_get_away_takes_nothing_along() {
    let (mut app, _, below) = riding(Vec2::X, PlatformOnLeave::AddVelocity);
    let above = spawn_rider(&mut app, 16.0, (-7.0, 16.0), PlatformOnLeave::AddVelocity);
    app.update();
    app.update();
    let before = [below, above].map(|one| place(&app, one).x);
    let hop = a_tick(0.0, 0.001953125);
    app.world_mut().entity_mut(below).insert(hop);
    for tick in [1.0, 2.0] {
        if tick == 1.0 {
            app.update();
        } else {
            fall(&mut app, below);
        }
        for (one, before) in [below, above].into_iter().zip(before) {
            assert_eq!(velocity(&app, one).x, 0.0, "tick {tick}");
            assert_eq!(platform_velocity(&app, one), Vec2::X, "tick {tick}");
            assert_eq!(place(&app, one).x, before + tick, "tick {tick}");
        }
    }
}

/// Of the two that it is on, the one that goes farther counts, whichever came first.
#[test]
fn who_does_not_get_away_from_two_platforms_is_on_the_faster_one() {
    for is_faster_first in [true, false] {
        let mut app = moving_app();
        let (slower, faster) = ((-50.0, a_tick(1.0, 0.0)), (50.0, a_tick(2.0, 0.0)));
        let both = if is_faster_first {
            [faster, slower]
        } else {
            [slower, faster]
        };
        for (x, way) in both {
            platform(&mut app, x, way);
        }
        let rider = spawn_rider(&mut app, 16.0, (-8.0, 0.0), PlatformOnLeave::AddVelocity);
        app.update();
        app.update();
        let case = format!("the faster one came first: {is_faster_first}");
        let fast = Vec2::new(2.0, 0.0);
        assert_eq!(platform_velocity(&app, rider), fast, "{case}");
        let hop = a_tick(0.0, 0.001953125);
        app.world_mut().entity_mut(rider).insert(hop);
        app.update();
        assert_eq!(platform_velocity(&app, rider), fast, "{case}");
    }
}

/// On the x axis, places out there are known to 0.5; the load is 0.25 above the platform, which counts as anywhere else.
#[test]
fn who_is_put_above_a_platform_far_out_does_not_stand_on_it() {
    let mut app = moving_app();
    let far = 1.0e6;
    let deck = (BoxCollider::new(100.0, 10.0), Body::Kinematic);
    app.world_mut()
        .spawn((deck, a_tick(8.0, 0.0), at(far, -5.0)));
    app.update();
    let load = (BoxCollider::square(16.0), at(far, 8.25));
    let load = app.world_mut().spawn(load).id();
    app.update();
    assert_eq!(place(&app, load), Vec2::new(far, 8.25));
}

/// The rider goes down with a lift, along its own way of 0.5, and lands on a platform that goes sideways by 1. Nothing of what it has is from that platform.
#[test]
fn who_lands_with_its_lift_keeps_its_own_velocity() {
    let mut app = moving_app();
    let deck = (BoxCollider::new(10.0, 10.0), Body::Kinematic);
    app.world_mut()
        .spawn((deck, a_tick(0.0, -2.0), at(-5.0, -5.0)));
    let next = (BoxCollider::new(100.0, 10.0), Body::Kinematic);
    app.world_mut()
        .spawn((next, a_tick(1.0, 0.0), at(51.0, -8.0)));
    let rider = mover(&mut app, 16.0, (-8.0, 0.0), Velocity::default());
    app.world_mut()
        .entity_mut(rider)
        .insert((Rider::new(PlatformOnLeave::AddVelocity), a_tick(0.5, -0.5)));
    app.update();
    app.world_mut().entity_mut(rider).insert(a_tick(0.5, -0.5));
    app.update();
    assert_eq!(place(&app, rider).y, 5.0, "it has landed");
    assert_eq!(velocity(&app, rider), Vec2::new(0.5, 0.0));
}

/// Touching does not count, so nothing that is put on the lift is on it before it has met it; but what has stood on one of its cells stands on the cell in its place.
#[test]
fn who_stood_on_a_cell_of_a_lift_goes_along_when_it_is_merged_anew() {
    let mut app = moving_app();
    app.world_mut().resource_mut::<CollisionSettings>().touching = Touching::Ignored;
    let cells = (0..4).map(|x| IVec2::new(x, 0));
    let lift = TileColliders::from_cells(Vec2::splat(16.0), cells);
    let lift = (lift, Body::Kinematic, a_tick(1.0, 0.0), at(0.0, -16.0));
    let lift = app.world_mut().spawn(lift).id();
    let rider = mover(&mut app, 8.0, (4.0, 0.0), Velocity::default());
    for _ in 0..3 {
        fall(&mut app, rider);
    }
    let before = place(&app, rider);
    let mut tiles = app.world_mut().get_mut::<TileColliders>(lift).unwrap();
    tiles.set(IVec2::new(3, 0), false);
    fall(&mut app, rider);
    let gone = place(&app, rider) - before;
    assert!(gone.distance(Vec2::X) < 0.01, "{gone}");
}

fn platform_velocity(app: &App, rider: Entity) -> Vec2 {
    let rider = app.world().get::<Rider>(rider).expect("it is a rider");
    rider.platform_velocity / super::TICKS_PER_SECOND
}

/// A roof is in the way, or the hop is tiny: the rider does not get away, and takes no velocity along, however often it tries.
#[test]
fn who_does_not_get_away_from_its_platform_takes_nothing_along() {
    for on_leave in [
        PlatformOnLeave::AddVelocity,
        PlatformOnLeave::AddUpwardVelocity,
    ] {
        for (case, way, hop, has_roof) in [
            ("a roof", Vec2::new(2.0, 0.0), 5.0, true),
            ("no hop", Vec2::new(2.0, 0.0), 0.004, false),
            (
                "no hop, on a lift that rises",
                Vec2::new(1.0, 3.0),
                0.004,
                false,
            ),
        ] {
            let (mut app, _, rider) = riding(way, on_leave);
            if has_roof {
                wall(&mut app, (-200.0, 16.0), (200.0, 26.0));
            }
            for tick in 0..6 {
                let hops = tick % 2 == 0;
                if hops {
                    let hop = a_tick(velocity(&app, rider).x, hop);
                    app.world_mut().entity_mut(rider).insert(hop);
                    app.update();
                } else {
                    fall(&mut app, rider);
                }
                let case = format!("{case}, {on_leave:?}, {tick}");
                assert_eq!(velocity(&app, rider).x, 0.0, "{case}");
                assert_eq!(platform_velocity(&app, rider), way, "{case}");
                let there = way * (tick as f32 + 2.0) + Vec2::new(0.0, 8.0);
                let apart = (place(&app, rider) - there).abs().max_element();
                assert!(apart < 0.005, "{case}: {apart}");
            }
        }
    }
}

/// A rider that jumps against a roof in each tick moves as its platform does now, and not as it once did; and its own velocity stays its own.
#[test]
fn who_jumps_under_a_roof_goes_as_its_platform_does_now() {
    for (case, next, own) in [
        ("goes on", (2.0, 0.0), 0.0),
        ("stands", (0.0, 0.0), 0.0),
        ("turns", (-2.0, 0.0), 0.0),
        ("goes on, against it", (2.0, 0.0), -3.0),
        ("goes on, slowly against it", (2.0, 0.0), -1.0),
        ("goes on, along it", (2.0, 0.0), 0.1),
    ] {
        let (mut app, platform, rider) = riding(Vec2::new(2.0, 0.0), PlatformOnLeave::AddVelocity);
        wall(&mut app, (-200.0, 16.0), (200.0, 26.0));
        let goes = a_tick(next.0, next.1);
        app.world_mut().entity_mut(platform).insert(goes);
        let jump = a_tick(own, 5.0).0;
        app.world_mut().entity_mut(rider).insert(Velocity(jump));
        for tick in 1_u8..=6 {
            app.world_mut().get_mut::<Velocity>(rider).unwrap().0.y = jump.y;
            app.update();
            if case == "stands" {
                // The platform has stopped: the rider keeps the velocity with which it was carried, once.
                assert_eq!(platform_velocity(&app, rider), Vec2::ZERO, "{case}, {tick}");
                continue;
            }
            assert_eq!(
                platform_velocity(&app, rider),
                Vec2::from(next),
                "{case}, {tick}"
            );
            let left = app.world().get::<Velocity>(rider).unwrap().0;
            assert_eq!(left, Vec2::new(jump.x, 0.0), "{case}, {tick}");
            // In the first tick it moves by the velocity with which it was carried before.
            let gone = 2.0 + next.0 * (f32::from(tick) - 1.0) + own * f32::from(tick);
            let apart = (place(&app, rider).x - 2.0 - gone).abs();
            assert!(apart < 0.001, "{case}, {tick}: {apart}");
        }
    }
}

/// However high the tower is, a rider that steps onto it from a lift stands on the ground, in either spawn order.
#[test]
fn who_steps_onto_a_high_tower_takes_nothing_along() {
    for is_top_first in [false, true] {
        let mut app = moving_app();
        let crates = |app: &mut App| {
            for number in 0..70 {
                let number = if is_top_first { 69 - number } else { number };
                let one = (
                    BoxCollider::square(10.0),
                    at(0.0, 5.0 + 10.0 * number as f32),
                );
                app.world_mut().spawn(one);
            }
        };
        if is_top_first {
            crates(&mut app);
        }
        wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
        if !is_top_first {
            crates(&mut app);
        }
        // Both have their top at 700, and the rider stands on both.
        let lift = (
            BoxCollider::new(100.0, 10.0),
            Body::Kinematic,
            at(55.0, 695.0),
        );
        let lift = app.world_mut().spawn((lift, a_tick(1.0, 0.0))).id();
        let rider = mover(&mut app, 16.0, (-3.0, 700.0), Velocity::default());
        let with_it = Rider::new(PlatformOnLeave::AddVelocity);
        app.world_mut().entity_mut(rider).insert(with_it);
        app.update();
        app.update();
        assert_eq!(platform_velocity(&app, rider), Vec2::X, "{is_top_first}");
        app.world_mut().despawn(lift);
        app.update();
        assert_eq!(velocity(&app, rider), Vec2::ZERO, "{is_top_first}");
    }
}

/// The velocity with which it was carried long ago does not count when it is back.
#[test]
fn who_takes_no_part_is_on_no_platform() {
    type Change = fn(EntityWorldMut);
    let off: Change = |mut rider| _ = rider.insert(ColliderDisabled);
    let on: Change = |mut rider| _ = rider.remove::<ColliderDisabled>();
    let hide: Change = |mut rider| _ = rider.insert(Disabled);
    let show: Change = |mut rider| _ = rider.remove::<Disabled>();
    let cases: [(&str, Change, Change); 5] = [
        ("without a collider", off, on),
        ("disabled, with a child that is not", hide, show),
        (
            "kinematic",
            |mut rider| _ = rider.insert(Body::Kinematic),
            |mut rider| _ = rider.insert(Body::Dynamic),
        ),
        ("disabled", hide, show),
        (
            "static",
            |mut rider| _ = rider.insert(Body::Static),
            |mut rider| _ = rider.insert(Body::Dynamic),
        ),
    ];
    for (case, off, on) in cases {
        let (mut app, platform, rider) = riding(Vec2::new(2.0, 0.0), PlatformOnLeave::AddVelocity);
        if case.contains("child") {
            let sight = (CircleCollider::new(40.0), Sensor, ChildOf(rider));
            app.world_mut().spawn(sight);
            app.update();
        }
        off(app.world_mut().entity_mut(rider));
        app.update();
        assert_eq!(platform_velocity(&app, rider), Vec2::ZERO, "{case}");
        app.world_mut().despawn(platform);
        app.update();
        on(app.world_mut().entity_mut(rider));
        let before = place(&app, rider);
        app.update();
        assert_eq!(velocity(&app, rider), Vec2::ZERO, "{case}");
        assert_eq!(place(&app, rider), before, "{case}");
    }
}

#[test]
fn who_jumps_off_takes_along_what_it_has_chosen() {
    use PlatformOnLeave::{AddUpwardVelocity, AddVelocity, DoNothing};
    for (on_leave, way, after) in [
        (DoNothing, (2.0, 1.5), (1.0, 9.0)),
        (DoNothing, (2.0, -4.0), (1.0, 9.0)),
        (AddVelocity, (2.0, 1.5), (3.0, 10.5)),
        (AddVelocity, (2.0, -4.0), (3.0, 5.0)),
        (AddUpwardVelocity, (2.0, 1.5), (3.0, 10.5)),
        (AddUpwardVelocity, (2.0, -4.0), (3.0, 9.0)),
    ] {
        let case = format!("{on_leave:?} of {way:?}");
        let (way, after) = (Vec2::from(way), Vec2::from(after));
        let (mut app, _, rider) = riding(way, on_leave);
        app.world_mut().entity_mut(rider).insert(a_tick(1.0, 9.0));
        let start = place(&app, rider);
        for number in 1..5 {
            app.update();
            assert_eq!(velocity(&app, rider), after, "{case}");
            assert_eq!(place(&app, rider), start + after * number as f32, "{case}");
            assert_eq!(platform_velocity(&app, rider), Vec2::ZERO, "{case}");
        }
    }
}

#[test]
fn who_is_no_rider_takes_nothing_along() {
    let (mut app, _, rider) = riding(Vec2::new(2.0, 0.0), PlatformOnLeave::AddVelocity);
    app.world_mut()
        .entity_mut(rider)
        .remove::<Rider>()
        .insert(a_tick(1.0, 9.0));
    app.update();
    assert_eq!(velocity(&app, rider), Vec2::new(1.0, 9.0));
}

#[test]
fn who_walks_off_goes_on_with_the_platform() {
    let (mut app, _, rider) = riding(Vec2::new(2.0, 0.0), PlatformOnLeave::AddVelocity);
    app.world_mut().entity_mut(rider).insert(a_tick(10.0, 0.0));
    // Its left side is 42 from the left end of the platform. After 6 ticks on it, it is at 102, beyond the right end.
    for number in 1..=6 {
        app.update();
        assert_eq!(velocity(&app, rider), Vec2::new(10.0, 0.0), "tick {number}");
        assert_eq!(place(&app, rider).x, 2.0 + 12.0 * number as f32);
    }
    for number in 7..=9 {
        app.update();
        assert_eq!(velocity(&app, rider), Vec2::new(12.0, 0.0), "tick {number}");
        assert_eq!(place(&app, rider).x, 2.0 + 12.0 * number as f32);
    }
}

#[test]
fn the_platforms_velocity_is_the_one_that_it_last_carried_with() {
    let jump = a_tick(1.0, 9.0);
    // The platform turns back in the very tick of the jump.
    let (mut app, platform, rider) = riding(Vec2::new(2.0, 0.0), PlatformOnLeave::AddVelocity);
    app.world_mut()
        .entity_mut(platform)
        .insert(a_tick(-2.0, 0.0));
    app.world_mut().entity_mut(rider).insert(jump);
    app.update();
    assert_eq!(velocity(&app, rider), Vec2::new(3.0, 9.0));

    // It turned back a tick before.
    let (mut app, platform, rider) = riding(Vec2::new(2.0, 0.0), PlatformOnLeave::AddVelocity);
    app.world_mut()
        .entity_mut(platform)
        .insert(a_tick(-2.0, 0.0));
    app.update();
    assert_eq!(place(&app, rider).x, 0.0);
    app.world_mut().entity_mut(rider).insert(jump);
    app.update();
    assert_eq!(velocity(&app, rider), Vec2::new(-1.0, 9.0));

    // It stopped a tick before.
    let (mut app, platform, rider) = riding(Vec2::new(2.0, 0.0), PlatformOnLeave::AddVelocity);
    app.world_mut()
        .entity_mut(platform)
        .insert(Velocity::default());
    app.update();
    app.world_mut().entity_mut(rider).insert(jump);
    app.update();
    assert_eq!(velocity(&app, rider), Vec2::new(1.0, 9.0));

    // It is despawned.
    let (mut app, platform, rider) = riding(Vec2::new(2.0, 0.0), PlatformOnLeave::AddVelocity);
    app.world_mut().despawn(platform);
    app.update();
    app.update();
    assert_eq!(velocity(&app, rider), Vec2::new(2.0, 0.0));
    assert_eq!(place(&app, rider).x, 6.0);
}

#[test]
fn a_stack_leaves_with_what_carried_it() {
    let (mut app, _, below) = riding(Vec2::new(2.0, 0.0), PlatformOnLeave::AddVelocity);
    let above = spawn_rider(&mut app, 16.0, (-6.0, 16.0), PlatformOnLeave::AddVelocity);
    app.update();
    app.update();
    assert_eq!(platform_velocity(&app, above), Vec2::new(2.0, 0.0));
    // The upper one jumps, and the lower one is carried on.
    app.world_mut().entity_mut(above).insert(a_tick(0.0, 7.0));
    app.update();
    assert_eq!(velocity(&app, above), Vec2::new(2.0, 7.0));
    assert_eq!(velocity(&app, below), Vec2::ZERO);

    // Both lose the platform at the same time: neither stands on anything that stands still.
    let (mut app, platform, below) = riding(Vec2::new(2.0, 0.0), PlatformOnLeave::AddVelocity);
    let above = spawn_rider(&mut app, 16.0, (-6.0, 16.0), PlatformOnLeave::AddVelocity);
    app.update();
    app.update();
    app.world_mut().despawn(platform);
    for _ in 0..3 {
        app.update();
        assert_eq!(velocity(&app, below), Vec2::new(2.0, 0.0));
        assert_eq!(velocity(&app, above), Vec2::new(2.0, 0.0));
    }
}

#[test]
fn nothing_is_added_where_it_goes_on_standing() {
    for (case, next, carried) in [
        ("another platform", Body::Kinematic, Vec2::new(2.0, 0.0)),
        ("a platform that stands", Body::Kinematic, Vec2::ZERO),
        ("the ground", Body::Static, Vec2::ZERO),
    ] {
        let (mut app, _, rider) = riding(Vec2::new(1.0, 0.0), PlatformOnLeave::AddVelocity);
        let collider = BoxCollider::new(1000.0, 10.0);
        // Beside the platform, which is at 1: from 51 on.
        let parts = (collider, next, at(551.0, -5.0));
        let next = app.world_mut().spawn(parts).id();
        if carried != Vec2::ZERO {
            app.world_mut()
                .entity_mut(next)
                .insert(a_tick(carried.x, carried.y));
        }
        app.world_mut().entity_mut(rider).insert(a_tick(5.0, 0.0));
        for number in 0..30 {
            app.update();
            assert_eq!(
                velocity(&app, rider),
                Vec2::new(5.0, 0.0),
                "{case}, tick {number}"
            );
        }
        assert_eq!(platform_velocity(&app, rider), carried, "{case}");
        assert_eq!(place(&app, rider).y, 8.0, "{case}");
    }
}

/// A raft that gives way when it is pushed stands by itself in a game without gravity: it is as good as the ground. So is a crate that has lost the platform too, and stops there; one that takes the velocity along leaves with what stands on it.
#[test]
fn nothing_is_added_where_it_stands_on_what_could_give_way() {
    let (mut app, _, rider) = riding(Vec2::new(-1.0, 0.0), PlatformOnLeave::AddVelocity);
    // The platform, which is at -1, ends at 49.
    let raft = (BoxCollider::new(400.0, 10.0), at(250.0, -5.0));
    app.world_mut().spawn(raft);
    app.world_mut().entity_mut(rider).insert(a_tick(8.0, 0.0));
    for tick in 0..20 {
        app.update();
        assert_eq!(velocity(&app, rider), Vec2::new(8.0, 0.0), "tick {tick}");
    }
    assert_eq!(platform_velocity(&app, rider), Vec2::ZERO);
    assert!(place(&app, rider).x > 100.0 && place(&app, rider).y == 8.0);

    for is_rider in [true, false] {
        let (mut app, platform, crate_below) =
            riding(Vec2::new(2.0, 0.0), PlatformOnLeave::AddVelocity);
        if !is_rider {
            app.world_mut().entity_mut(crate_below).remove::<Rider>();
        }
        let above = spawn_rider(&mut app, 16.0, (-6.0, 16.0), PlatformOnLeave::AddVelocity);
        app.update();
        app.update();
        app.world_mut().despawn(platform);
        app.update();
        let both = if is_rider {
            Vec2::new(2.0, 0.0)
        } else {
            Vec2::ZERO
        };
        assert_eq!(velocity(&app, crate_below), both, "{is_rider}");
        assert_eq!(velocity(&app, above), both, "{is_rider}");
    }
}

/// The rider leaves so slowly that it counts as touching for some ticks: until it is away it is aboard, and the sum of both velocities stays the same.
#[test]
fn what_is_added_is_added_once() {
    let (mut app, _, rider) = riding(Vec2::new(2.0, 1.0), PlatformOnLeave::AddVelocity);
    let slowly = Vec2::new(0.0, 0.001953125);
    app.world_mut()
        .entity_mut(rider)
        .insert(a_tick(slowly.x, slowly.y));
    for number in 1_u8..=20 {
        app.update();
        let is_aboard = number <= 5;
        let carried = platform_velocity(&app, rider);
        assert_eq!(carried != Vec2::ZERO, is_aboard, "tick {number}");
        let all = Vec2::new(2.0, 1.0) + slowly;
        assert_eq!(velocity(&app, rider) + carried, all, "tick {number}");
        let gone = place(&app, rider) - Vec2::new(2.0, 9.0);
        assert_eq!(gone, all * f32::from(number), "tick {number}");
    }
}

/// It jumps in the tick after it has landed, before the platform has carried it.
#[test]
fn who_jumps_where_it_lands_takes_it_along_too() {
    for way in [
        Vec2::new(2.0, 1.0),
        Vec2::new(2.0, -1.0),
        Vec2::new(-3.0, 0.0),
    ] {
        let mut app = moving_app();
        platform(&mut app, 0.0, a_tick(way.x, way.y));
        let rider = mover(&mut app, 16.0, (-8.0, 4.0), a_tick(0.0, -8.0));
        app.world_mut()
            .entity_mut(rider)
            .insert(Rider::new(PlatformOnLeave::AddVelocity));
        app.update();
        assert_eq!(place(&app, rider).y, 8.0 + way.y, "it has landed");
        app.world_mut().entity_mut(rider).insert(a_tick(1.0, 9.0));
        app.update();
        assert_eq!(velocity(&app, rider), way + Vec2::new(1.0, 9.0), "{way}");
    }
}

/// The platform velocity that it has taken along is not its own any more when it lands there again.
#[test]
fn who_lands_where_it_has_jumped_off_stands_there() {
    use PlatformOnLeave::{AddUpwardVelocity, AddVelocity, DoNothing};
    for (on_leave, way, own, after) in [
        (AddVelocity, (2.0, 0.0), 0.0, 0.0),
        (AddUpwardVelocity, (2.0, 0.0), 0.0, 0.0),
        (AddVelocity, (-2.0, 0.5), 0.0, 0.0),
        (AddVelocity, (-2.0, -0.5), 0.0, 0.0),
        // It is faster than the platform by this much, or slower, or comes from the other side.
        (AddVelocity, (2.0, 0.0), 0.5, 0.5),
        (AddVelocity, (2.0, 0.0), -0.5, 0.0),
        (AddVelocity, (2.0, 0.0), -3.0, -1.0),
        // A rider that jumps as if the platform stood still lands in the same way.
        (DoNothing, (2.0, 0.0), 1.5, 1.5),
    ] {
        let case = format!("{on_leave:?} of {way:?}, at {own}");
        let (mut app, _, rider) = riding(Vec2::from(way), on_leave);
        app.world_mut().entity_mut(rider).insert(a_tick(own, 1.0));
        // It falls by a quarter of a unit more in each tick.
        for _ in 0..12 {
            fall(&mut app, rider);
        }
        assert_eq!(velocity(&app, rider), Vec2::new(after, 0.0), "{case}");
        assert_eq!(platform_velocity(&app, rider), Vec2::from(way), "{case}");
        let place_before = place(&app, rider);
        fall(&mut app, rider);
        let went = place(&app, rider) - place_before;
        let expected = Vec2::from(way) + Vec2::new(after, 0.0);
        assert!(
            (went - expected).abs().max_element() < 1.0e-3,
            "{case}: {went}"
        );
    }
}

#[test]
fn who_jumps_up_through_a_one_way_platform_takes_nothing_along() {
    let mut app = moving_app();
    let ledge = platform(&mut app, 0.0, a_tick(2.0, 0.0));
    app.world_mut().entity_mut(ledge).insert(OneWay::default());
    // Its feet are at the surface after three ticks.
    let rider = mover(&mut app, 16.0, (-8.0, -24.0), a_tick(0.0, 8.0));
    app.world_mut()
        .entity_mut(rider)
        .insert(Rider::new(PlatformOnLeave::AddVelocity));
    for _ in 0..6 {
        app.update();
        assert_eq!(velocity(&app, rider), Vec2::new(0.0, 8.0));
    }
}

#[test]
fn in_a_pause_nobody_leaves() {
    let (mut app, _, rider) = riding(Vec2::new(2.0, 0.0), PlatformOnLeave::AddVelocity);
    app.world_mut()
        .resource_mut::<Time>()
        .advance_by(std::time::Duration::ZERO);
    app.world_mut().run_schedule(FixedPostUpdate);
    assert_eq!(platform_velocity(&app, rider), Vec2::new(2.0, 0.0));
    app.world_mut().entity_mut(rider).insert(a_tick(1.0, 9.0));
    app.world_mut().run_schedule(FixedPostUpdate);
    assert_eq!(velocity(&app, rider), Vec2::new(1.0, 9.0));
    app.update();
    assert_eq!(velocity(&app, rider), Vec2::new(3.0, 9.0));
}

/// With gravity, and far out, where floats are coarse: a ride must never be taken for ended.
#[test]
fn a_long_ride_is_one_ride() {
    for (origin, way) in [
        (0.0, Vec2::new(1.7, 0.9)),
        (0.0, Vec2::new(-0.3, -1.1)),
        (1.0e5, Vec2::new(1.7, 0.9)),
        (1.0e5, Vec2::new(-0.3, -1.1)),
    ] {
        let mut app = moving_app();
        let collider = BoxCollider::new(100.0, 10.0);
        let parts = (
            collider,
            Body::Kinematic,
            Velocity::default(),
            at(origin, origin - 5.0),
        );
        let platform = app.world_mut().spawn(parts).id();
        let rider = spawn_rider(
            &mut app,
            16.0,
            (origin - 8.0, origin),
            PlatformOnLeave::AddVelocity,
        );
        fall(&mut app, rider);
        for number in 0..400 {
            // There and back.
            let way = if number % 100 < 50 { way } else { -way };
            app.world_mut()
                .entity_mut(platform)
                .insert(a_tick(way.x, way.y));
            fall(&mut app, rider);
            let own = velocity(&app, rider);
            assert!(
                own.length() < 0.02,
                "{own} in tick {number}, {way} at {origin}"
            );
        }
    }
}

/// The result does not depend on which of them was spawned first.
#[test]
fn riders_leave_alike_in_any_order() {
    let run = |order: [usize; 4]| {
        let mut app = moving_app();
        let mut all = [Entity::PLACEHOLDER; 4];
        for number in order {
            all[number] = match number {
                0 => platform(&mut app, 0.0, a_tick(1.3, 0.0)),
                1 => platform(&mut app, 100.0, a_tick(0.7, 0.0)),
                number => {
                    let x = if number == 2 { 37.0 } else { 30.0 };
                    let y = 16.0 * (number - 2) as f32;
                    let rider = mover(&mut app, 16.0, (x, y), a_tick(2.1, 0.0));
                    app.world_mut()
                        .entity_mut(rider)
                        .insert(Rider::new(PlatformOnLeave::AddVelocity));
                    rider
                }
            };
        }
        for number in 0..90 {
            if number == 50 {
                for rider in [all[2], all[3]] {
                    app.world_mut().entity_mut(rider).insert(a_tick(0.3, 5.0));
                }
            }
            app.update();
        }
        [all[2], all[3]].map(|rider| (place(&app, rider), velocity(&app, rider)))
    };
    let first = run([0, 1, 2, 3]);
    for order in [[3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]] {
        assert_eq!(run(order), first, "{order:?}");
    }
}

/// Runs two platforms side by side that sink together, and returns the place and velocity of a rider in each tick.
fn ride_down(platforms: [(Vec2, Vec2); 2], left: f32) -> Vec<(Vec2, Vec2)> {
    let mut app = moving_app();
    let platforms = platforms.map(|(place, offset)| {
        let part = BoxCollider::new(20.0, 10.0).with_offset(offset);
        let parts = (part, Body::Kinematic, Velocity::default());
        app.world_mut().spawn((parts, at(place.x, place.y))).id()
    });
    let rider = mover(&mut app, 16.0, (left, 0.0), a_tick(0.0, 0.0));
    fall(&mut app, rider);
    for platform in platforms {
        app.world_mut()
            .entity_mut(platform)
            .insert(a_tick(0.0, -4.0));
    }
    let ticks = (0..14).map(|_| {
        fall(&mut app, rider);
        (place(&app, rider), velocity(&app, rider))
    });
    ticks.collect()
}

/// Whichever of the two counts as its platform, and whichever it meets.
#[test]
fn on_two_platforms_that_go_down_together_nobody_falls_faster_and_faster() {
    let (low_left, low_right) = (Vec2::new(-10.0, -5.0), Vec2::new(10.0, -5.0));
    let (plain_left, plain_right) = ((low_left, Vec2::ZERO), (low_right, Vec2::ZERO));
    // Flush with the seam from either side, or nearly, it touches one of them only by its corner.
    for left in [-16.0, -15.99, -0.03, -0.01, -0.001, 0.0, 0.01] {
        let ticks = ride_down([plain_left, plain_right], left);
        assert_eq!(ticks[13].1, Vec2::ZERO, "from {left}");
    }
    // Both bodies are in one place, or each is on the other side of its collider.
    let both = [(Vec2::ZERO, low_left), (Vec2::ZERO, low_right)];
    let crossed = [
        (Vec2::new(30.0, 0.0), Vec2::new(-40.0, -5.0)),
        (Vec2::new(0.0, 0.0), Vec2::new(10.0, -5.0)),
    ];
    for pair in [both, crossed] {
        let ticks = ride_down(pair, -8.0);
        assert_eq!(ticks[13].1, Vec2::ZERO);
        assert_eq!(ticks, ride_down([pair[1], pair[0]], -8.0));
    }
}

/// Three bodies that press each other, the lowest of which stands on a one-way ledge.
#[test]
fn who_stands_on_a_ledge_is_not_pushed_through_it() {
    let mut app = moving_app();
    let ledge = (BoxCollider::new(300.0, 16.0), Body::Static);
    app.world_mut()
        .spawn((ledge, OneWay::default(), at(0.0, -8.0)));
    let sizes_and_ways = [
        ((12.0, 10.0), (0.0, 0.0), (0.0, 5.0)),
        ((16.0, 6.0), (1.0, 0.0), (8.0, 13.0)),
        ((10.0, 10.0), (0.0, -1.875), (-8.0, 17.25)),
    ];
    let bodies = sizes_and_ways.map(|((wide, high), (vx, vy), (x, y))| {
        let body = (BoxCollider::new(wide, high), a_tick(vx, vy), at(x, y));
        app.world_mut().spawn(body).id()
    });
    for tick in 0..20 {
        for body in bodies {
            let mut velocity = app.world_mut().get_mut::<Velocity>(body).unwrap();
            velocity.0 += a_tick(0.0, -0.625).0;
        }
        app.update();
        for body in bodies {
            let y = place(&app, body).y;
            assert!(y > 2.99, "at {y} in tick {tick}");
        }
        assert_eq!(place(&app, bodies[0]).y, 5.0, "tick {tick}");
    }
}

/// A body inside of a ledge does not stand on it: it moves on its own until it is out, whichever way the ledge moves.
#[test]
fn a_ledge_carries_nobody_who_is_in_it() {
    for (case, ledge_way, way, start) in [
        ("7 deep, at rest", (1.0, 0.0), (0.0, 0.0), 5.0),
        ("sinks with it", (0.0, -1.0), (0.0, -0.25), 5.0),
        ("falls through it", (1.0, 0.0), (0.0, -2.0), 11.0),
        ("only just in it", (1.0, 0.0), (0.0, 0.0), 11.875),
    ] {
        for is_swept in [false, true] {
            let mut app = moving_app();
            let ledge = (BoxCollider::new(400.0, 4.0), Body::Kinematic);
            let ledge = app
                .world_mut()
                .spawn((ledge, OneWay::default(), at(0.0, 0.0)));
            let ledge = ledge.id();
            let ledge_way = Vec2::from(ledge_way);
            let parts = if is_swept {
                (Swept::default(), Velocity::default())
            } else {
                (Swept::default(), a_tick(ledge_way.x, ledge_way.y))
            };
            app.world_mut().entity_mut(ledge).insert(parts);
            let way = Vec2::from(way);
            let rider = (
                BoxCollider::new(10.0, 20.0),
                Rider::new(PlatformOnLeave::AddVelocity),
            );
            let rider = (rider, a_tick(way.x, way.y), at(0.0, start));
            let rider = app.world_mut().spawn(rider).id();
            for number in 1..=12 {
                if is_swept {
                    let mut place = app.world_mut().get_mut::<Transform>(ledge).unwrap();
                    place.translation += ledge_way.extend(0.0);
                }
                app.update();
                let expected = Vec2::new(0.0, start) + way * number as f32;
                assert_eq!(place(&app, rider), expected, "{case}, swept: {is_swept}");
                assert_eq!(velocity(&app, rider), way, "{case}, swept: {is_swept}");
                assert_eq!(platform_velocity(&app, rider), Vec2::ZERO, "{case}");
            }
        }
    }
}

#[test]
fn who_drops_through_a_moving_ledge_takes_its_velocity_along_once() {
    let (mut app, ledge, rider) = riding(Vec2::X, PlatformOnLeave::AddVelocity);
    app.world_mut().entity_mut(ledge).insert(OneWay::default());
    let start = place(&app, rider);
    app.world_mut()
        .entity_mut(rider)
        .insert((DropThrough, a_tick(0.0, -2.0)));
    // It is out of the ledge after 13 ticks: the ledge is 10 thick, and the rider 16 high.
    for number in 1..=16 {
        app.update();
        app.world_mut().entity_mut(rider).remove::<DropThrough>();
        assert_eq!(velocity(&app, rider), Vec2::new(1.0, -2.0), "tick {number}");
        let expected = start + Vec2::new(1.0, -2.0) * number as f32;
        assert_eq!(place(&app, rider), expected, "tick {number}");
    }
}

/// A ledge that goes through its middle is not a floor for it.
#[test]
fn who_walks_off_inside_of_a_ledge_goes_on_with_the_platform() {
    let (mut app, _, rider) = riding(Vec2::new(2.0, 0.0), PlatformOnLeave::AddVelocity);
    let ledge = (BoxCollider::new(800.0, 2.0), Body::Static);
    app.world_mut()
        .spawn((ledge, OneWay::default(), at(0.0, 6.0)));
    app.world_mut().entity_mut(rider).insert(a_tick(10.0, 0.0));
    for _ in 1..=9 {
        app.update();
    }
    assert_eq!(velocity(&app, rider), Vec2::new(12.0, 0.0));
}

/// A lift that it touched in the last tick, but not at its end, does not hold it in the next one.
#[test]
fn who_has_walked_off_a_lift_is_carried_no_farther() {
    // Its left side gets beyond the right end of the lift in the first tick: by little, and by much. Before that, it falls onto the lift in each tick.
    for (case, lift_way, speed) in [
        ("rising", (0.0, 5.0), 5.0),
        ("aslant", (-4.0, 1.0), 5.0),
        ("fast", (0.0, -1.0), 100.0),
    ] {
        let (mut app, lift, rider) = riding(Vec2::new(1.0, 0.0), PlatformOnLeave::DoNothing);
        let (lift_way, way) = (Vec2::from(lift_way), Vec2::new(speed, -0.25));
        let start = Vec2::new(1.0 + 58.0 - speed * 0.5, 8.0);
        let parts = (at(start.x, start.y), a_tick(0.0, -0.25));
        app.world_mut().entity_mut(rider).insert(parts);
        app.world_mut().entity_mut(lift).insert(Velocity::default());
        app.update();
        assert_eq!(place(&app, rider), start, "{case}: it stands there");
        let falling = a_tick(way.x, way.y);
        app.world_mut().entity_mut(rider).insert(falling);
        let lift_velocity = a_tick(lift_way.x, lift_way.y);
        app.world_mut().entity_mut(lift).insert(lift_velocity);
        app.update();
        let left = place(&app, rider);
        let expected = start + Vec2::new(speed, 0.0) + lift_way;
        assert!(
            left.distance(expected) < 0.3,
            "{case}: carried off its end, to {left}"
        );
        app.world_mut().entity_mut(rider).insert(falling);
        app.update();
        assert_eq!(place(&app, rider), left + way, "{case}: by itself");
    }
}

#[test]
fn a_platform_carries_whatever_the_margin() {
    for margin in [0.01, 1.0e-5, 0.0] {
        let mut app = moving_app();
        app.insert_resource(CollisionSettings {
            margin,
            ..default()
        });
        let lift = platform(&mut app, 0.0, Velocity::default());
        let top = place(&app, lift) + Vec2::new(0.0, 13.0);
        let crates = [-10.0, 10.0].map(|x| {
            let body = (BoxCollider::square(16.0), at(top.x + x, top.y));
            app.world_mut().spawn(body).id()
        });
        app.world_mut()
            .entity_mut(crates[1])
            .insert(Velocity::default());
        let apart = |app: &App| crates.map(|body| place(app, body) - place(app, lift));
        app.update();
        let before = apart(&app);
        app.world_mut().entity_mut(lift).insert(a_tick(1.5, -0.7));
        for _ in 0..30 {
            app.update();
            for (now, before) in apart(&app).into_iter().zip(before) {
                let slipped = now.distance(before);
                assert!(slipped < 1.0e-3, "{slipped}, {margin}");
            }
        }
    }
}

/// When the far end is removed, the rectangle that the rider stands on is another one.
#[test]
fn a_ship_that_loses_a_tile_goes_on_carrying() {
    for (tile, stays) in [(7, true), (0, true), (2, false)] {
        let mut app = moving_app();
        let cells = (0..8).map(|x| IVec2::new(x, 0));
        let tiles = TileColliders::from_cells(Vec2::splat(16.0), cells);
        let ship = (tiles, Body::Kinematic, a_tick(1.0, 0.0));
        let ship = app.world_mut().spawn(ship).id();
        // The rider is entirely on cell 2, and nothing else moves it.
        let rider = Rider::new(PlatformOnLeave::AddVelocity);
        let rider = (
            BoxCollider::square(12.0),
            rider,
            Velocity::default(),
            at(40.0, 22.0),
        );
        let rider = app.world_mut().spawn(rider).id();
        for tick in 0..10 {
            if tick == 5 {
                let mut tiles = app.world_mut().get_mut::<TileColliders>(ship);
                let tiles = tiles.as_mut().expect("it is a grid");
                tiles.set(IVec2::new(tile, 0), false);
            }
            app.update();
        }
        let left = velocity(&app, rider);
        let expected = if stays { Vec2::ZERO } else { Vec2::X };
        assert_eq!(left, expected, "without cell {tile}");
        let apart = place(&app, rider) - place(&app, ship);
        assert_eq!(apart, Vec2::new(40.0, 22.0), "without cell {tile}");
    }
}

/// The wall is another part of the same grid, and holds up nothing.
#[test]
fn who_stood_on_a_tile_that_is_gone_is_not_held_up_by_a_wall_beside_it() {
    let mut app = moving_app();
    let wall = IVec2::new(1, 1);
    let cells = (0..8).map(|x| IVec2::new(x, 0)).chain([wall]);
    let tiles = TileColliders::from_cells(Vec2::splat(16.0), cells);
    let ship = (tiles, Body::Kinematic, a_tick(-1.0, 0.0));
    let ship = app.world_mut().spawn(ship).id();
    // On cell 2, and at the wall from the end of the first tick on, in which it is not carried yet.
    let rider = (
        BoxCollider::square(12.0),
        Rider::new(PlatformOnLeave::AddVelocity),
        Velocity::default(),
        at(37.0, 22.0),
    );
    let rider = app.world_mut().spawn(rider).id();
    for _ in 0..5 {
        app.update();
        assert_eq!(velocity(&app, rider), Vec2::ZERO);
    }
    assert_eq!(
        place(&app, rider) - place(&app, ship),
        Vec2::new(38.0, 22.0)
    );
    let mut tiles = app.world_mut().get_mut::<TileColliders>(ship);
    let tiles = tiles.as_mut().expect("it is a grid");
    tiles.set(IVec2::new(2, 0), false);
    app.update();
    assert_eq!(velocity(&app, rider), Vec2::NEG_X);
}

/// A rider that moves upwards along what it stands on does not leave it.
#[test]
fn a_round_platform_carries_who_walks_up_on_it_and_down_again() {
    // From the left, over the top, and so slowly that the hill does not fall away by more than the margin in a tick.
    let walk = |way: Vec2| {
        let mut app = moving_app();
        let hill = (
            CircleCollider::new(92.0),
            Body::Kinematic,
            Velocity::default(),
        );
        let hill = app.world_mut().spawn((hill, at(0.0, 0.0))).id();
        let rider = (CircleCollider::new(8.0), a_tick(0.0, -1.0), at(-60.0, 80.0));
        let rider = app.world_mut().spawn(rider).id();
        app.update();
        app.world_mut()
            .entity_mut(hill)
            .insert(a_tick(way.x, way.y));
        let places = (0..100).map(|_| {
            let fall = velocity(&app, rider).y - 0.1;
            app.world_mut().entity_mut(rider).insert(a_tick(1.0, fall));
            app.update();
            place(&app, rider) - place(&app, hill)
        });
        places.collect::<Vec<_>>()
    };
    let at_rest = walk(Vec2::ZERO);
    assert!(at_rest[99].x > 20.0, "{}", at_rest[99]);
    for way in [(2.0, 0.0), (-2.0, 0.0), (0.0, 1.5), (0.5, -1.5)].map(Vec2::from) {
        for (number, (place, still)) in walk(way).into_iter().zip(&at_rest).enumerate() {
            let apart = place.distance(*still);
            assert!(apart < 0.01, "{way}, tick {number}: {place}, {still}");
        }
    }
}

/// Whichever way the lift moves, and whichever of the two is on the left.
#[test]
fn two_that_meet_on_a_lift_share_what_they_have_as_on_the_ground() {
    for way in [2.0, -2.0, 0.0, 5.0] {
        for (case, masses, speeds, expected) in [
            ("head on", [1.0, 1.0], [3.0, -3.0], 0.0),
            ("from behind", [1.0, 1.0], [3.0, 0.0], 1.5),
            ("from the right", [1.0, 1.0], [0.0, -3.0], -1.5),
            ("a hard one", [1.0, 1.0], [6.0, 0.0], 3.0),
            ("back by a heavy one", [1.0, 3.0], [4.0, -2.0], -0.5),
            ("back from the other side", [3.0, 1.0], [2.0, -4.0], 0.5),
        ] {
            let mut app = moving_app();
            let lift = (
                BoxCollider::new(100.0, 10.0),
                Body::Kinematic,
                Velocity::default(),
                at(0.0, -5.0),
            );
            let lift = app.world_mut().spawn(lift).id();
            let two = [-10.0, 0.0].map(|x| mover(&mut app, 10.0, (x, 0.0), Velocity::default()));
            app.update();
            app.world_mut().entity_mut(lift).insert(a_tick(way, 0.0));
            for (number, body) in two.into_iter().enumerate() {
                let parts = (a_tick(speeds[number], 0.0), Mass(masses[number]));
                app.world_mut().entity_mut(body).insert(parts);
            }
            app.update();
            for (body, start) in two.into_iter().zip([-5.0, 5.0]) {
                let case = format!("{case}, lift {way}");
                let apart = velocity(&app, body).distance(Vec2::new(expected, 0.0));
                assert!(apart < 1.0e-6, "{case}: {}", velocity(&app, body));
                let apart = (place(&app, body).x - (start + way + expected)).abs();
                assert!(apart < 1.0e-4, "{case}: {}", place(&app, body));
            }
        }
    }
}

/// A cabin is a room, with four walls, but a pair of colliders has only one normal.
#[test]
fn who_stands_in_the_corner_of_a_cabin_is_carried_as_all_others_in_it() {
    for way in [
        Vec2::new(0.0, -1.0),
        Vec2::new(0.0, 1.0),
        Vec2::new(-1.0, 0.0),
        Vec2::new(1.0, -2.0),
    ] {
        let mut app = moving_app();
        let cabin = (
            BoundsCollider::new(100.0, 60.0),
            Body::Kinematic,
            Velocity::default(),
            at(0.0, 30.0),
        );
        let cabin = app.world_mut().spawn(cabin).id();
        let starts = [-45.0, 0.0, 45.0, -45.001, 45.001];
        // They do not collide with each other.
        let passenger = (BoxCollider::square(10.0), CollisionLayers::new(2, 1));
        let passengers = starts.map(|x| app.world_mut().spawn((passenger, at(x, 5.0))).id());
        app.update();
        app.world_mut()
            .entity_mut(cabin)
            .insert(a_tick(way.x, way.y));
        for tick in 1..=5_u8 {
            app.update();
            for (passenger, start) in passengers.into_iter().zip(starts) {
                let expected = Vec2::new(start, 5.0) + way * f32::from(tick);
                let apart = place(&app, passenger).distance(expected);
                assert!(apart < 0.01, "{way}, tick {tick}, {start}: {apart}");
            }
        }
    }
}

/// In a corner, and in a cabin as high as the rider, the pair of the two has the normal of another wall than the floor.
#[test]
fn a_rider_that_does_not_get_off_the_floor_of_its_cabin_takes_nothing_along() {
    for (case, height, x) in [
        ("amid", 60.0, 0.0),
        ("in a corner", 60.0, -45.0),
        ("in the other one", 60.0, 45.0),
        ("in a low cabin", 10.0, 0.0),
    ] {
        let mut app = moving_app();
        let cabin = (BoundsCollider::new(100.0, height), Body::Kinematic);
        let cabin = (cabin, Velocity::default(), at(0.0, height * 0.5));
        let cabin = app.world_mut().spawn(cabin).id();
        let rider = spawn_rider(&mut app, 10.0, (x - 5.0, 0.0), PlatformOnLeave::AddVelocity);
        app.update();
        app.world_mut().entity_mut(cabin).insert(a_tick(2.0, 0.0));
        app.update();
        assert_eq!(
            platform_velocity(&app, rider),
            Vec2::new(2.0, 0.0),
            "{case}"
        );
        // A hop that is too small to get away.
        app.world_mut().entity_mut(rider).insert(a_tick(0.0, 0.004));
        app.update();
        assert_eq!(velocity(&app, rider).x, 0.0, "{case}");
        assert_eq!(
            platform_velocity(&app, rider),
            Vec2::new(2.0, 0.0),
            "{case}"
        );
        assert_eq!(place(&app, rider).x, x + 4.0, "{case}");
    }
}

#[test]
fn a_rider_that_walks_into_the_corner_of_its_cabin_has_not_left_it() {
    let mut app = moving_app();
    let cabin = (
        BoundsCollider::new(100.0, 60.0),
        Body::Kinematic,
        a_tick(1.0, 0.0),
        at(0.0, 30.0),
    );
    app.world_mut().spawn(cabin);
    let rider = spawn_rider(&mut app, 10.0, (30.0, 0.0), PlatformOnLeave::AddVelocity);
    app.update();
    app.world_mut().entity_mut(rider).insert(a_tick(3.0, 0.0));
    for tick in 2..=12_u8 {
        app.update();
        let along = place(&app, rider).x - f32::from(tick);
        assert!(along <= 45.01, "tick {tick}: {along}");
        let known = app.world().get::<Rider>(rider).unwrap();
        assert_eq!(known.platform_velocity, Vec2::new(64.0, 0.0), "tick {tick}");
        assert!(velocity(&app, rider).x <= 3.0, "tick {tick}");
    }
}

/// A body with too many hits is not moved any more in this tick, and so is not carried either.
#[test]
fn who_has_hit_too_often_on_a_lift_kicks_nobody_back() {
    let mut app = moving_app();
    let lift = (BoxCollider::new(200.0, 10.0), Body::Kinematic);
    let lift = (lift, Velocity::default(), at(0.0, -5.0));
    let lift = app.world_mut().spawn(lift).id();
    let posts = [-10.0, 10.0].map(|x| {
        let post = (BoxCollider::new(10.0, 8.0), Body::Kinematic, at(x, 4.0));
        let layers = CollisionLayers::new(2, u32::MAX);
        app.world_mut()
            .spawn((post, layers, Velocity::default()))
            .id()
    });
    // It is 1 away from each of the posts.
    let ball = (
        BoxCollider::square(8.0),
        Response::Bounce { restitution: 1.0 },
    );
    let ball = (ball, Velocity::default(), at(0.0, 4.0));
    let ball = app.world_mut().spawn(ball).id();
    let other = (BoxCollider::square(8.0), CollisionLayers::new(1, 1));
    let other = (other, Velocity::default(), at(-9.1, 4.0));
    let other = app.world_mut().spawn(other).id();
    app.update();
    for one in [lift, posts[0], posts[1]] {
        app.world_mut().entity_mut(one).insert(a_tick(2.0, 0.0));
    }
    app.world_mut().entity_mut(ball).insert(a_tick(-40.0, 0.0));
    app.update();
    assert_eq!(velocity(&app, other), Vec2::ZERO);
}

/// A belt carries a crate to a wall, with a body on the crate, and another one on that.
#[test]
fn who_stands_on_a_crate_stops_with_it() {
    let mut app = moving_app();
    let belt = (BoxCollider::new(400.0, 10.0), Body::Kinematic);
    let belt = (belt, Velocity::default(), at(0.0, -5.0));
    let belt = app.world_mut().spawn(belt).id();
    // Half a tick away.
    wall(&mut app, (11.0, 0.0), (30.0, 20.0));
    let crate_ = (BoxCollider::square(20.0), at(0.0, 10.0));
    let crate_ = app.world_mut().spawn(crate_).id();
    let feet = (BoxCollider::square(4.0), at(-5.0, 22.0));
    let feet = app.world_mut().spawn(feet).id();
    let hat = (BoxCollider::square(2.0), at(-5.0, 25.0));
    let hat = app.world_mut().spawn(hat).id();
    app.update();
    app.world_mut().entity_mut(belt).insert(a_tick(2.0, 0.0));
    for _ in 0..4 {
        app.update();
        assert_eq!(place(&app, crate_), Vec2::new(1.0, 10.0));
        assert_eq!(place(&app, feet), Vec2::new(-4.0, 22.0));
        assert_eq!(place(&app, hat), Vec2::new(-4.0, 25.0));
    }
}

/// The first platform moves on below, and its velocity does not become the rider's own.
#[test]
fn who_is_lifted_off_by_another_platform_has_nothing_of_it() {
    let (mut app, _, rider) = riding(Vec2::new(2.0, 0.0), PlatformOnLeave::AddVelocity);
    // It reaches the rider's feet after half a tick.
    let lift = (BoxCollider::new(100.0, 10.0), Body::Kinematic);
    app.world_mut()
        .spawn((lift, a_tick(0.0, 1.0), at(0.0, -5.5)));
    for _ in 0..3 {
        app.update();
        assert_eq!(velocity(&app, rider), Vec2::ZERO);
    }
    // The first platform carried it aside until the second one lifted it off.
    assert_eq!(place(&app, rider), Vec2::new(2.0 + 2.0, 8.0 + 2.5));
}

#[test]
fn who_stops_at_what_goes_along_with_its_lift_goes_along_too() {
    let mut app = moving_app();
    let lift = (BoxCollider::new(400.0, 10.0), Body::Kinematic);
    let lift = (lift, Velocity::default(), at(0.0, -5.0));
    let post = (BoxCollider::new(10.0, 20.0), Body::Kinematic);
    let post = (post, Velocity::default(), at(12.0, 10.0));
    let both = [
        app.world_mut().spawn(lift).id(),
        app.world_mut().spawn(post).id(),
    ];
    let walker = (BoxCollider::square(10.0), Response::Stop);
    let walker = (walker, Velocity::default(), at(0.0, 5.0));
    let walker = app.world_mut().spawn(walker).id();
    app.update();
    for one in both {
        app.world_mut().entity_mut(one).insert(a_tick(2.0, 0.0));
    }
    app.world_mut().entity_mut(walker).insert(a_tick(5.0, 0.0));
    // 2 to the post, and 2 along with both.
    for x in [4.0, 6.0] {
        app.update();
        assert_eq!(velocity(&app, walker), Vec2::ZERO);
        assert_eq!(place(&app, walker), Vec2::new(x, 5.0));
    }
}

/// Floats are 1/128 apart there, and the lift moves by whole steps. Its rider walks into a wall, and so is rounded twice in the tick.
#[test]
fn a_lift_that_is_solid_from_above_does_not_lose_its_rider_far_out() {
    for (far, rise) in [(0.0, 0.833_333_3), (1.0e5, 0.833_333_3), (1.0e5, 0.414_1)] {
        let mut app = moving_app();
        let lift = (
            BoxCollider::new(100.0, 10.0),
            Body::Kinematic,
            OneWay::default(),
        );
        let lift = (lift, Velocity::default(), at(0.0, far - 5.0));
        let lift = app.world_mut().spawn(lift).id();
        let rider = (
            BoxCollider::square(16.0),
            a_tick(0.0, -0.25),
            at(0.0, far + 8.0),
        );
        let rider = app.world_mut().spawn(rider).id();
        wall(&mut app, (9.5, far - 100.0), (30.0, far + 300.0));
        app.update();
        app.world_mut().entity_mut(lift).insert(a_tick(0.0, rise));
        app.world_mut().entity_mut(rider).insert(a_tick(3.0, -0.25));
        for tick in 0..40 {
            app.update();
            let apart = place(&app, rider).y - place(&app, lift).y;
            assert!(
                (apart - 13.0).abs() < 0.02,
                "{far}, {rise}, tick {tick}: {apart}"
            );
            let y = velocity(&app, rider).y - 0.25;
            app.world_mut().entity_mut(rider).insert(a_tick(0.0, y));
        }
    }
}

/// A body that is put onto a platform, or has one put below it, is carried in the very same tick, with everything on it; whatever happens elsewhere, and whether or not anything else has moved before.
#[test]
fn what_is_put_on_a_platform_is_carried_at_once() {
    for does_another_move in [false, true] {
        for is_belt in [false, true] {
            for is_platform_first in [false, true] {
                let mut app = moving_app();
                if does_another_move {
                    mover(&mut app, 4.0, (0.0, 900.0), a_tick(1.0, 0.0));
                }
                let put_platform = |app: &mut App| {
                    let platform = (BoxCollider::new(200.0, 10.0), at(0.0, -5.0));
                    let mut platform = app.world_mut().spawn(platform);
                    if is_belt {
                        let surface = SurfaceVelocity(a_tick(2.0, 0.0).0);
                        platform.insert((Body::Static, surface));
                    } else {
                        platform.insert((Body::Kinematic, a_tick(2.0, -1.0)));
                    }
                };
                let put_stack = |app: &mut App| {
                    let place = |number: i32| at(number as f32, 5.0 + 10.0 * number as f32);
                    let square = BoxCollider::square(10.0);
                    // From the top down, so that none is spawned after what it stands on.
                    [2, 1, 0].map(|number| app.world_mut().spawn((square, place(number))).id())
                };
                let stack = if is_platform_first {
                    put_platform(&mut app);
                    put_stack(&mut app)
                } else {
                    let stack = put_stack(&mut app);
                    for _ in 0..3 {
                        app.update();
                    }
                    put_platform(&mut app);
                    stack
                };
                let way = if is_belt { (2.0, 0.0) } else { (2.0, -1.0) };
                let case = format!("{does_another_move}, {is_belt}, {is_platform_first}");
                for tick in 1..=10 {
                    app.update();
                    for (body, number) in stack.into_iter().zip([2.0, 1.0, 0.0]) {
                        let from = Vec2::new(number, 5.0 + 10.0 * number);
                        let expected = from + Vec2::from(way) * tick as f32;
                        assert_eq!(place(&app, body), expected, "{case}, tick {tick}");
                    }
                }
            }
        }
    }
}

/// A body that is inside of it or beside it, or touches it where touching does not count, does not stand on it.
#[test]
fn what_is_put_into_a_platform_is_not_on_it() {
    for (case, place_of, settings) in [
        ("in it", (0.0, 4.0), CollisionSettings::default()),
        ("below it", (0.0, -15.0), CollisionSettings::default()),
        ("at its corner", (105.0, 5.0), CollisionSettings::default()),
        (
            "touching does not count",
            (0.0, 5.0),
            CollisionSettings {
                touching: Touching::Ignored,
                ..default()
            },
        ),
    ] {
        let mut app = moving_app();
        app.insert_resource(settings);
        let platform = (BoxCollider::new(200.0, 10.0), Body::Kinematic);
        let platform = (platform, a_tick(2.0, 0.0), at(0.0, -5.0));
        app.world_mut().spawn(platform);
        app.update();
        let (x, y) = place_of;
        let body = (BoxCollider::square(10.0), at(2.0 + x, y));
        let body = app.world_mut().spawn(body).id();
        app.update();
        assert_eq!(place(&app, body).x, 2.0 + x, "{case}");
    }
}

/// A new part of an older platform, which is moved by its velocity or by the game.
#[test]
fn a_part_of_a_platform_that_is_put_below_carries_too() {
    for is_swept in [false, true] {
        let mut app = moving_app();
        let platform = (BoxCollider::new(100.0, 10.0), Body::Kinematic);
        let platform = app.world_mut().spawn((platform, at(0.0, -5.0))).id();
        let mut one = app.world_mut().entity_mut(platform);
        if is_swept {
            one.insert(Swept::default());
        } else {
            one.insert(a_tick(0.0, -1.0));
        }
        let step = |app: &mut App| {
            if is_swept {
                let mut place = app.world_mut().get_mut::<Transform>(platform).unwrap();
                place.translation.y -= 1.0;
            }
            app.update();
        };
        let parcel = (BoxCollider::square(8.0), at(80.0, 4.0));
        let parcel = app.world_mut().spawn(parcel).id();
        app.update();
        let lowest = if is_swept { -5.0 } else { -6.0 };
        for _ in 0..2 {
            step(&mut app);
        }
        assert_eq!(place(&app, parcel), Vec2::new(80.0, 4.0));
        assert_eq!(place(&app, platform).y, lowest - 2.0);
        // With its top at 0.
        let part = (BoxCollider::new(20.0, 10.0), at(80.0, -lowest - 3.0));
        app.world_mut().spawn((part, ChildOf(platform)));
        for tick in 1..=5 {
            step(&mut app);
            let expected = Vec2::new(80.0, 4.0 - tick as f32);
            assert_eq!(place(&app, parcel), expected, "{is_swept}, tick {tick}");
        }
    }
}

/// One crate of a stack on a lift is removed, and another one put in its place.
#[test]
fn what_lies_on_a_load_that_was_put_there_goes_with_it() {
    let mut app = moving_app();
    let platform = (BoxCollider::new(200.0, 10.0), Body::Kinematic);
    let platform = (platform, a_tick(0.0, -1.0), at(0.0, -5.0));
    app.world_mut().spawn(platform);
    let square = BoxCollider::square(10.0);
    let below = app.world_mut().spawn((square, at(0.0, 5.0))).id();
    let above = app.world_mut().spawn((square, at(0.0, 15.0))).id();
    for _ in 0..3 {
        app.update();
    }
    assert_eq!(place(&app, above), Vec2::new(0.0, 12.0));
    app.world_mut().despawn(below);
    app.world_mut().spawn((square, at(0.0, 2.0)));
    for tick in 1..=5 {
        app.update();
        let expected = Vec2::new(0.0, 12.0 - tick as f32);
        assert_eq!(place(&app, above), expected, "tick {tick}");
    }
}

/// The underside of a dynamic ledge is open: no lift carries it by that side, however it got there.
#[test]
fn a_ledge_is_not_carried_by_its_open_side() {
    for gap in [5.0, 5.5] {
        let mut app = moving_app();
        platform(&mut app, 0.0, a_tick(0.0, 1.0));
        let ledge = (BoxCollider::new(40.0, 4.0), OneWay::default());
        let ledge = app.world_mut().spawn((ledge, at(0.0, gap + 2.0))).id();
        for _ in 0..10 {
            app.update();
        }
        assert_eq!(place(&app, ledge), Vec2::new(0.0, gap + 2.0), "{gap}");
    }
    let mut app = moving_app();
    let belt = wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
    let runs = SurfaceVelocity(Vec2::new(64.0, 0.0));
    app.world_mut().entity_mut(belt).insert(runs);
    let ledge = (BoxCollider::new(20.0, 4.0), OneWay::default());
    let ledge = app.world_mut().spawn((ledge, at(0.0, 2.0))).id();
    for _ in 0..10 {
        app.update();
    }
    assert_eq!(place(&app, ledge), Vec2::new(0.0, 2.0));
}

/// What a body passes, a sensor or a ledge, is not a surface: it does not change what the body stands on.
#[test]
fn what_is_passed_makes_nobody_stand_elsewhere() {
    let places = [false, true].map(|are_sensors| {
        let mut app = moving_app();
        let passed = |app: &mut App, (width, height): (f32, f32), place: Transform| {
            let mut one = app
                .world_mut()
                .spawn((BoxCollider::new(width, height), place));
            one.insert(Body::Static);
            if are_sensors {
                one.insert(Sensor);
            } else {
                one.insert(OneWay::default());
            }
        };
        passed(&mut app, (64.0, 8.0), at(0.0, -20.0));
        let body = |app: &mut App, (width, height): (f32, f32), place: Transform| {
            let one = (BoxCollider::new(width, height), DropThrough, place);
            app.world_mut().spawn(one).id()
        };
        let first = body(&mut app, (4.0, 8.0), at(33.0, -21.0));
        let lift = (BoxCollider::square(4.0), Body::Kinematic, Swept::default());
        let lift = app.world_mut().spawn((lift, at(32.0, -26.0))).id();
        let second = body(&mut app, (12.0, 12.0), at(30.0, -14.0));
        let third = body(&mut app, (8.0, 12.0), at(32.0, -12.0));
        passed(&mut app, (4.0, 4.0), at(30.0, -16.0));
        [0; 4].map(|_| {
            let mut lift = app.world_mut().get_mut::<Transform>(lift).unwrap();
            lift.translation.x += 1.0;
            app.update();
            [first, second, third].map(|one| place(&app, one))
        })
    });
    assert_eq!(places[0], places[1]);
    // The first one is lifted onto the lift, up to -16, with its sides at 31 and 35. The others are pushed out of it and of each other, up to there, and stand on it by 1 each; so all of them go along.
    for ticks in places[0].windows(2) {
        let gone = [0, 1, 2].map(|number| ticks[1][number] - ticks[0][number]);
        assert_eq!(gone, [Vec2::X; 3], "{places:?}");
    }
}

/// The game lets it forget its ride, and puts it elsewhere.
#[test]
fn who_forgets_its_ride_takes_nothing_along() {
    for (forgets, expected) in [(true, 1.0), (false, 3.0)] {
        let (mut app, _, rider) = riding(Vec2::new(2.0, 0.0), PlatformOnLeave::AddVelocity);
        let mut one = app.world_mut().entity_mut(rider);
        if forgets {
            one.get_mut::<Rider>().unwrap().platform_velocity = Vec2::ZERO;
        }
        one.insert((at(500.0, 500.0), a_tick(1.0, 0.0)));
        app.update();
        let place = place(&app, rider);
        assert_eq!(place, Vec2::new(500.0 + expected, 500.0), "{forgets}");
        assert_eq!(velocity(&app, rider), Vec2::new(expected, 0.0), "{forgets}");
    }
}

/// A rider hops on a lift of tiles, and does not get away: a roof is in the way, or the hop is tiny. In the same tick, tiles are taken off the far end of the lift, so another box is under the rider.
#[test]
fn who_does_not_get_away_from_tiles_that_change_takes_nothing_along() {
    for (case, hop, has_roof) in [("a roof", 5.0, true), ("a tiny hop", 0.004, false)] {
        for changes in [false, true] {
            let case = format!("{case}, the lift changes: {changes}");
            let mut app = moving_app();
            let cells = (0..4).map(|x| IVec2::new(x, 0));
            let tiles = TileColliders::from_cells(Vec2::splat(16.0), cells);
            let lift = (tiles, Body::Kinematic, at(0.0, -16.0));
            let lift = app.world_mut().spawn(lift).id();
            let rider = Rider::new(PlatformOnLeave::AddVelocity);
            let rider = (BoxCollider::square(8.0), rider, at(8.0, 4.0));
            let rider = app.world_mut().spawn(rider).id();
            app.update();
            app.world_mut().entity_mut(lift).insert(a_tick(2.0, 0.0));
            app.update();
            assert_eq!(place(&app, rider), Vec2::new(10.0, 4.0), "{case}");
            if has_roof {
                wall(&mut app, (-200.0, 8.0), (200.0, 20.0));
            }
            if changes {
                let mut tiles = app.world_mut().get_mut::<TileColliders>(lift).unwrap();
                tiles.set(IVec2::new(3, 0), false);
            }
            app.world_mut().entity_mut(rider).insert(a_tick(0.0, hop));
            app.update();
            assert_eq!(velocity(&app, rider).x, 0.0, "{case}");
            assert_eq!(
                platform_velocity(&app, rider),
                Vec2::new(2.0, 0.0),
                "{case}"
            );
            fall(&mut app, rider);
            // 2 in each of three ticks, and not 4 in the last one.
            let there = Vec2::new(14.0, 4.0);
            assert!(place(&app, rider).distance(there) < 0.001, "{case}");
        }
    }
}
