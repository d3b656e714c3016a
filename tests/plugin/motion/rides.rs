//! Who is carried how far: on long rides, and by several carriers at once.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{a_tick, moving_app, velocity};
use crate::common::{at, place, take};

/// Floats are coarser where the load is than where the lift is, so that the same way is rounded otherwise for each of them, in every tick to the same side.
#[test]
fn a_load_stays_on_its_lift_however_long_it_rides() {
    let deck = |y: f32| BoxCollider::new(100.0, 20.0).with_offset(Vec2::new(0.0, y));
    for (case, deck, from, way) in [
        ("a deck far above its body", deck(2000.0), 0.0, -2.0 / 3.0),
        ("and slower", deck(1000.0), 0.0, -1.0 / 3.0),
        ("the same upwards", deck(1000.0), 0.0, 1.0 / 3.0),
        ("over a power of two", deck(0.0), 4094.0, -1.0 / 6.0),
        ("and another one", deck(0.0), 2048.0, -1.0 / 12.0),
    ] {
        for shape in [BoxCollider::square(20.0), BoxCollider::capsule(20.0, 30.0)] {
            let mut app = moving_app();
            let lift = (deck, Body::Kinematic, a_tick(0.0, way), at(0.0, from));
            let lift = app.world_mut().spawn(lift).id();
            let above = deck.offset.y + 10.0 + shape.half_size.y;
            let mut spawn = |x: f32, y: f32| {
                let load = (shape, at(x, from + y));
                app.world_mut().spawn(load).id()
            };
            let (load, upper) = (
                spawn(3.0, above),
                spawn(3.0, above + 2.0 * shape.half_size.y),
            );
            app.update();
            take::<CollisionEnded>(&mut app);
            for number in 1..=700 {
                app.update();
                let [lift, load, upper] = [lift, load, upper].map(|one| place(&app, one));
                let (apart, more) = (load - lift, upper - load);
                let slip = (apart.y - above).abs();
                let more = (more.y - 2.0 * shape.half_size.y).abs();
                assert!(
                    slip < 1.0e-3 && more < 1.0e-3 && apart.x == 3.0,
                    "{case}, {shape:?}, tick {number}: {slip}, {more}"
                );
            }
            assert_eq!(take::<CollisionEnded>(&mut app), [], "{case}, {shape:?}");
        }
    }
}

/// In a corner, the pair of the two has the normal of a wall.
#[test]
fn a_load_stays_on_the_floor_of_its_cabin_in_the_corner_too() {
    for x in [3.0, -40.0, 40.0] {
        let mut app = moving_app();
        // Its floor is at 1970.
        let cabin = BoundsCollider::new(100.0, 60.0).with_offset(Vec2::new(0.0, 2000.0));
        let cabin = (cabin, Body::Kinematic, a_tick(0.0, -2.0 / 3.0));
        let cabin = app.world_mut().spawn(cabin).id();
        let load = (BoxCollider::square(20.0), at(x, 1980.0));
        let load = app.world_mut().spawn(load).id();
        app.update();
        take::<CollisionEnded>(&mut app);
        for tick in 1..=700 {
            app.update();
            let apart = place(&app, load) - place(&app, cabin);
            let slip = (apart.y - 1980.0).abs();
            assert!(
                slip < 1.0e-3 && apart.x == x,
                "{x}, tick {tick}: {slip}, {apart}"
            );
        }
        assert_eq!(take::<CollisionEnded>(&mut app), [], "{x}");
    }
}

/// A level that scrolls with all that is in it: a lift that goes within the level, or does not, and its load.
#[test]
fn what_goes_along_with_the_parent_of_its_lift_is_carried_within_that() {
    for way in [0.0, 0.5] {
        for scroll in [a_tick(1.0, 0.0), a_tick(1.0, 0.25)] {
            let mut app = moving_app();
            let root = app.world_mut().spawn((at(0.0, 0.0), scroll)).id();
            let lift = (
                BoxCollider::new(100.0, 10.0),
                Body::Kinematic,
                at(0.0, -5.0),
            );
            let lift = (lift, a_tick(way, 0.0), ChildOf(root));
            let load = (BoxCollider::square(10.0), at(0.0, 5.0), ChildOf(root));
            let lift = app.world_mut().spawn(lift).id();
            let load = app.world_mut().spawn(load).id();
            let outside = (BoxCollider::square(10.0), at(-30.0, 5.0));
            let outside = app.world_mut().spawn(outside).id();
            for number in 1..=60_u8 {
                app.update();
                let x = way * f32::from(number);
                // What does not hang on the parent goes as the lift does within it.
                if scroll.0.y == 0.0 && number < 10 {
                    assert_eq!(place(&app, outside), Vec2::new(x - 30.0, 5.0));
                }
                let told = [lift, load].map(|one| place(&app, one));
                let expected = [Vec2::new(x, -5.0), Vec2::new(x, 5.0)];
                assert_eq!(told, expected, "{way}, {scroll:?}, tick {number}");
            }
        }
    }
}

/// Spawns a dock, and flush beside it a lift that stands still, both with their tops at 0. Returns the lift.
fn dock_and_lift(app: &mut App) -> Entity {
    let dock = (BoxCollider::new(40.0, 10.0), Body::Static, at(-20.0, -5.0));
    app.world_mut().spawn(dock);
    let lift = (
        BoxCollider::new(40.0, 10.0),
        Body::Kinematic,
        at(20.0, -5.0),
    );
    app.world_mut().spawn((lift, Velocity::default())).id()
}

/// A dock holds up one half of the player, and a lift that sinks holds up the other one no longer.
#[test]
fn who_is_held_back_has_nothing_of_what_its_lift_does() {
    let mut app = moving_app();
    let lift = dock_and_lift(&mut app);
    let rider = Rider::new(PlatformOnLeave::AddVelocity);
    let player = (
        BoxCollider::square(10.0),
        rider,
        Velocity::default(),
        at(0.0, 5.0),
    );
    let player = app.world_mut().spawn(player).id();
    app.update();
    app.world_mut().entity_mut(lift).insert(a_tick(0.0, -2.0));
    app.update();
    assert_eq!(place(&app, player), Vec2::new(0.0, 5.0));
    let rider = app.world().get::<Rider>(player).expect("it has one");
    assert_eq!(rider.platform_velocity, Vec2::ZERO);
    app.world_mut().entity_mut(player).insert(a_tick(0.0, 4.0));
    app.update();
    assert_eq!(velocity(&app, player), Vec2::new(0.0, 4.0));
}

/// The lift has sunk by less than a gap counts for, and goes on to the side: what the dock holds up stays on that.
#[test]
fn who_is_held_up_by_a_dock_is_not_put_down_onto_the_lift() {
    let mut app = moving_app();
    let lift = dock_and_lift(&mut app);
    let load = (BoxCollider::square(10.0), at(0.0, 5.0));
    let load = app.world_mut().spawn(load).id();
    app.update();
    for (velocity, x) in [
        (a_tick(0.0, -0.003), 0.0),
        (a_tick(0.5, 0.0), 0.5),
        (a_tick(0.5, 0.0), 1.0),
    ] {
        app.world_mut().entity_mut(lift).insert(velocity);
        app.update();
        assert_eq!(place(&app, load), Vec2::new(x, 5.0));
        for one in take::<Collision>(&mut app) {
            assert!(one.depth < 1.0e-4, "{one:?}");
        }
    }
}

/// A rider flies along with a lift, comes down on a crate on it, and stands still on that from then on, as on the lift itself; also if it arrives just as the tick ends, so that no time is left in which the lift stops both.
#[test]
fn who_lands_on_a_load_stands_still_on_it() {
    for (gap, ticks) in [(1.0, 1), (2.0, 1), (2.25, 1), (2.5, 2)] {
        for mass in [0.1, 1.0, 100.0] {
            let mut app = moving_app();
            let lift = (BoxCollider::new(2000.0, 10.0), Body::Kinematic);
            app.world_mut()
                .spawn((lift, a_tick(1.0, 0.0), at(0.0, -5.0)));
            let load = (BoxCollider::square(30.0), Mass(mass), at(0.0, 15.0));
            let load = app.world_mut().spawn(load).id();
            for _ in 0..3 {
                app.update();
            }
            let rider = Rider::new(PlatformOnLeave::AddVelocity);
            let rider = (BoxCollider::square(10.0), rider, a_tick(1.0, -2.25));
            let rider = app.world_mut().spawn((rider, at(3.0, 35.0 + gap))).id();
            let case = format!("{gap}, {mass}");
            for tick in 1..=5 {
                app.update();
                let apart = place(&app, rider).x - place(&app, load).x;
                assert_eq!(apart, 0.0, "{case}, tick {tick}");
                if tick >= ticks {
                    assert_eq!(velocity(&app, rider), Vec2::ZERO, "{case}, tick {tick}");
                }
            }
            assert_eq!(place(&app, rider).y, 35.0, "{case}");
        }
    }
}

/// ```text
///    [player]
/// [lift  ][crate]     the lift goes 1 to the right in a tick, and what the crate stands on goes 3
///         [lift ]
/// ```
#[test]
fn of_carriers_at_different_heights_the_farthest_carries() {
    let mut app = moving_app();
    let mut lift = |x: f32, y: f32, way: f32| {
        let lift = (
            BoxCollider::new(40.0, 10.0),
            Body::Kinematic,
            a_tick(way, 0.0),
        );
        app.world_mut().spawn((lift, at(x, y)));
    };
    lift(-20.0, -5.0, 1.0);
    lift(20.0, -15.0, 3.0);
    let [crate_on_it, player] = [(5.0, -5.0), (0.0, 5.0)].map(|(x, y)| {
        app.world_mut()
            .spawn((BoxCollider::square(10.0), at(x, y)))
            .id()
    });
    app.update();
    assert_eq!(place(&app, crate_on_it), Vec2::new(8.0, -5.0));
    assert_eq!(place(&app, player), Vec2::new(3.0, 5.0));
}

#[test]
fn a_stack_of_any_height_is_carried() {
    let mut app = moving_app();
    let lift = (
        BoxCollider::new(100.0, 10.0),
        Body::Kinematic,
        a_tick(-2.0, 0.0),
    );
    app.world_mut().spawn((lift, at(0.0, -5.0)));
    let stack: Vec<Entity> = (0..100_u8)
        .map(|number| {
            let y = 5.0 + 10.0 * f32::from(number);
            app.world_mut()
                .spawn((BoxCollider::square(10.0), at(3.0, y)))
                .id()
        })
        .collect();
    for tick in 1..=3_u8 {
        app.update();
        for (number, one) in stack.iter().enumerate() {
            let x = 3.0 - 2.0 * f32::from(tick);
            assert_eq!(place(&app, *one).x, x, "number {number}, tick {tick}");
        }
    }
}
