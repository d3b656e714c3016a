//! Bad input takes its collider out of the game until it is corrected, causes one warning with the entity's name, and disturbs nothing else.

use bevy::{
    ecs::{entity_disabling::Disabled, system::RunSystemOnce},
    prelude::*,
};
use bevy_nudge::prelude::*;

use crate::common::{app, at, log::Log, place, take, tick};

type Spoil = fn(&mut EntityWorldMut);

/// Returns what can be wrong, and what the warning must say.
fn bad_inputs() -> [(&'static str, Spoil, &'static str); 15] {
    [
        (
            "negative radius",
            |one| _ = one.insert(CircleCollider::new(-3.0)),
            "radius must be finite, >= 0 and at most 1e18, got -3",
        ),
        (
            "radius that is no number",
            |one| _ = one.insert(CircleCollider::new(f32::NAN)),
            "got NaN",
        ),
        (
            "negative box",
            |one| {
                _ = one
                    .remove::<CircleCollider>()
                    .insert(BoxCollider::new(-4.0, 2.0))
            },
            "half_size must be finite, >= 0 and at most 1e18 on both axes, got [-2, 1]",
        ),
        (
            "corner too round",
            |one| {
                let soft = BoxCollider::new(4.0, 2.0).with_corner_radius(1.5);
                one.remove::<CircleCollider>().insert(soft);
            },
            "corner_radius must be finite, >= 0 and at most the smaller half size (1), got 1.5",
        ),
        (
            "infinite room",
            |one| {
                let room = BoundsCollider::new(f32::INFINITY, 1.0);
                one.remove::<CircleCollider>().insert((room, Body::Dynamic));
            },
            "half_size must be finite",
        ),
        (
            "position that is no number",
            |one| one.get_mut::<Transform>().unwrap().translation.y = f32::NAN,
            "position and offset must be finite",
        ),
        (
            "too far away",
            |one| one.get_mut::<Transform>().unwrap().translation.x = 2.0e18,
            "position and offset must be finite and at most 1e18",
        ),
        (
            "infinite offset",
            |one| one.get_mut::<CircleCollider>().unwrap().offset.x = f32::INFINITY,
            "position and offset must be finite",
        ),
        (
            "infinite scale",
            |one| one.get_mut::<Transform>().unwrap().scale.x = f32::INFINITY,
            "scale must be finite",
        ),
        (
            "no mass",
            |one| _ = one.insert(Mass(0.0)),
            "mass must be > 0, got 0",
        ),
        (
            "a mass that is no number",
            |one| _ = one.insert(Mass(f32::NAN)),
            "got NaN",
        ),
        (
            "a belt of no speed",
            |one| _ = one.insert(SurfaceVelocity(Vec2::new(f32::NAN, 1.0))),
            "SurfaceVelocity must be finite and at most 1e18, got [NaN, 1]",
        ),
        (
            "a belt of any speed",
            |one| _ = one.insert(SurfaceVelocity(Vec2::new(0.0, f32::NEG_INFINITY))),
            "SurfaceVelocity must be finite and at most 1e18, got [0, -inf]",
        ),
        (
            "two colliders",
            |one| _ = one.insert(BoxCollider::square(1.0)),
            "more than one collider component",
        ),
        (
            "no transform",
            |one| _ = one.remove::<Transform>(),
            "it has no Transform",
        ),
    ]
}

#[test]
fn bad_input_is_told_once_by_name_and_takes_only_itself_out() {
    for (case, spoil, message) in bad_inputs() {
        let mut app = app();
        for x in [0.0, 15.0] {
            app.world_mut()
                .spawn((CircleCollider::new(10.0), Body::Kinematic, at(x, 0.0)));
        }
        let good = (CircleCollider::new(10.0), Body::Dynamic, at(7.0, 3.0));
        let bad = app.world_mut().spawn((good, Name::new("Crooked"))).id();
        spoil(&mut app.world_mut().entity_mut(bad));

        let mut collisions = Vec::new();
        let lines = Log::lines_of(|| {
            for _ in 0..3 {
                collisions = tick(&mut app);
            }
        });
        assert_eq!(lines.len(), 1, "{case}: {lines:?}");
        for part in [message, &bad.to_string(), "Crooked", "WARN"] {
            assert!(
                lines[0].contains(part),
                "{case}: no {part:?} in {:?}",
                lines[0]
            );
        }
        assert_eq!(
            collisions.len(),
            1,
            "{case}: the two good ones still collide"
        );
        assert!(!collisions[0].involves(bad), "{case}");

        // Once corrected, the collider takes part again in the same tick, and a new mistake causes a new warning.
        app.world_mut()
            .entity_mut(bad)
            .remove::<(BoxCollider, BoundsCollider, SurfaceVelocity)>()
            .insert((good, Mass::default()));
        take::<CollisionStarted>(&mut app);
        let lines = Log::lines_of(|| app.update());
        assert!(lines.is_empty(), "{case}: {lines:?}");
        assert_eq!(take::<CollisionStarted>(&mut app).len(), 2, "{case}");
        spoil(&mut app.world_mut().entity_mut(bad));
        let lines = Log::lines_of(|| app.update());
        assert_eq!(lines.len(), 1, "{case}: {lines:?}");
    }
}

/// As a bullet from a pool, which is off between two shots.
#[test]
fn who_was_off_meanwhile_is_not_told_of_again() {
    type Set = fn(&mut EntityWorldMut);
    let offs: [(&str, Set, Set); 2] = [
        (
            "disabled",
            |one| _ = one.insert(Disabled),
            |one| _ = one.remove::<Disabled>(),
        ),
        (
            "collider disabled",
            |one| _ = one.insert(ColliderDisabled),
            |one| _ = one.remove::<ColliderDisabled>(),
        ),
    ];
    let spoils: [(&str, Set); 3] = [
        ("collider", |one| {
            _ = one.insert(CircleCollider::new(f32::NAN))
        }),
        ("body", |one| {
            _ = one.insert((CircleCollider::new(1.0), Velocity(Vec2::NAN)))
        }),
        ("group", |one| _ = one.insert(Velocity(Vec2::NAN))),
    ];
    for (off, shut, open) in offs {
        for (bad, spoil) in spoils {
            let case = format!("{bad}, {off}");
            let mut app = app();
            let mut one = app.world_mut().spawn(Transform::default());
            spoil(&mut one);
            let one = one.id();
            let lines = Log::lines_of(|| {
                for _ in 0..2 {
                    app.update();
                    shut(&mut app.world_mut().entity_mut(one));
                    app.update();
                    open(&mut app.world_mut().entity_mut(one));
                }
                app.update();
            });
            assert_eq!(lines.len(), 1, "{case}: {lines:?}");
            // A new mistake is told of.
            let good = (CircleCollider::new(1.0), Velocity::default());
            app.world_mut().entity_mut(one).insert(good);
            let lines = Log::lines_of(|| app.update());
            assert_eq!(lines, [""; 0], "{case}");
            spoil(&mut app.world_mut().entity_mut(one));
            let lines = Log::lines_of(|| app.update());
            assert_eq!(lines.len(), 1, "{case}: {lines:?}");
        }
    }
}

/// Only the place of the body has changed, and that is in the world: the center of its collider, 6e17 to the right, is not.
#[test]
fn who_is_moved_until_its_offset_leads_out_of_the_world_takes_no_part() {
    let mut app = app();
    let far = CircleCollider::new(10.0).with_offset(Vec2::new(6.0e17, 0.0));
    let far = app.world_mut().spawn(far).id();
    let lines = Log::lines_of(|| app.update());
    assert_eq!(lines, [""; 0]);
    app.world_mut().entity_mut(far).insert(at(5.0e17, 0.0));
    let lines = Log::lines_of(|| app.update());
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("position and offset must be finite and at most 1e18"));
    app.world_mut().entity_mut(far).insert(at(3.0e17, 0.0));
    let ask = |space: SpatialQuery| space.iter().count();
    app.update();
    let found = app.world_mut().run_system_once(ask).expect("it runs");
    assert_eq!(found, 1, "it is back");
}

/// Neither a push nor a hit changes a velocity that is not finite, and neither panics.
#[test]
fn a_bad_velocity_stays_what_it_is_until_its_game_mends_it() {
    for is_swept in [false, true] {
        let mut app = app();
        let bad = Velocity(Vec2::new(f32::NAN, 0.0));
        let pushed = (BoxCollider::square(10.0), bad, at(10.0, 0.0));
        let pushed = app.world_mut().spawn(pushed).id();
        if is_swept {
            app.world_mut().entity_mut(pushed).insert(Swept::default());
        }
        // The door moves one unit a tick, and touches the pushed body from the start.
        let door = (BoxCollider::square(10.0), Body::Kinematic);
        app.world_mut().spawn((door, Velocity(Vec2::X * 64.0)));
        for _ in 0..4 {
            app.update();
        }
        let place = app.world().get::<Transform>(pushed).unwrap().translation;
        assert_eq!(place.x, 14.0, "it is pushed, swept {is_swept}");
        let velocity = app.world().get::<Velocity>(pushed).unwrap().0;
        assert!(
            velocity.x.is_nan() && velocity.y == 0.0,
            "{velocity}, swept {is_swept}"
        );
    }
}

/// A bounce that would make the velocity too large to move by leaves that velocity to the game, and the body where it was hit.
#[test]
fn who_bounces_beyond_all_measure_stops() {
    for restitution in [1.0e17, 1.0e30, f32::MAX, f32::INFINITY] {
        let mut app = app();
        for x in [-30.0, 30.0] {
            let wall = (BoxCollider::new(10.0, 200.0), Body::Static, at(x, 0.0));
            app.world_mut().spawn(wall);
        }
        let mut ball = |restitution, y| {
            let bounce = Response::Bounce { restitution };
            let velocity = Velocity(Vec2::new(64.0 * 10.0, 64.0));
            let ball = (CircleCollider::new(5.0), bounce, velocity, at(0.0, y));
            app.world_mut().spawn(ball).id()
        };
        let (fast, other) = (ball(restitution, 0.0), ball(1.0, 50.0));
        for _ in 0..5 {
            app.update();
        }
        let speed = app.world().get::<Velocity>(fast).unwrap().0.x.abs();
        assert!(speed / 64.0 > 1.0e18, "{speed} with {restitution}");
        let place = |ball| app.world().get::<Transform>(ball).unwrap().translation;
        let (fast, other) = (place(fast), place(other));
        assert_eq!(fast.x.abs(), 20.0, "{fast} with {restitution}");
        // 20 to the wall, and 30 back.
        assert_eq!((other.x, other.y), (-10.0, 55.0), "{restitution}");
    }
}

/// In debug builds, too, where an overflow would panic.
#[test]
fn the_largest_colliders_can_be_pushed_apart() {
    let mut app = app();
    let giants = (0..40_u8).map(|number| {
        let giant = BoxCollider::square(1.0e18);
        let place = at(f32::from(number) * 1.0e15, 0.0);
        app.world_mut().spawn((giant, place)).id()
    });
    let giants: Vec<Entity> = giants.collect();
    let small = (CircleCollider::new(1.0), at(-7.0e17, 0.0));
    let small = app.world_mut().spawn(small).id();
    app.update();
    let places: Vec<Vec2> = giants.iter().map(|one| place(&app, *one)).collect();
    for there in places.iter().chain(&[place(&app, small)]) {
        assert!(there.is_finite(), "{there}");
    }
    let gap = |one: &Vec2, other: &Vec2| (*one - *other).abs().max_element();
    let pairs = places
        .iter()
        .enumerate()
        .flat_map(|(number, one)| places[..number].iter().map(|other| gap(one, other)));
    let least = pairs.fold(f32::INFINITY, f32::min);
    // Neighbors began 1e15 apart; now they touch, but for rounding.
    assert!(least > 0.9999e18, "{least:e}");
}
