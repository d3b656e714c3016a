//! Scale, rotation, and parents are applied within the tick, and a pushed child moves its body.

use std::f32::consts::FRAC_PI_2;

use bevy::{
    ecs::{entity::EntityHashSet, entity_disabling::Disabled, system::RunSystemOnce},
    prelude::*,
};
use bevy_nudge::prelude::*;

use crate::common::{app, at, place, tick, wall};

/// Spawns a kinematic point, and returns whether it collides.
fn probe(app: &mut App, x: f32, y: f32) -> bool {
    let probe = app
        .world_mut()
        .spawn((CircleCollider::new(0.0), Body::Kinematic, at(x, y)))
        .id();
    let hit = tick(app).iter().any(|collision| collision.involves(probe));
    app.world_mut().despawn(probe);
    hit
}

#[test]
fn a_collider_follows_scale_and_offset_but_does_not_rotate() {
    let quarter = Quat::from_rotation_z(FRAC_PI_2);
    let scale = Vec3::new(-2.0, 3.0, 1.0);
    for (case, transform, inside, outside) in [
        // A box with half size (10, 5) whose center is 20 to the right of the entity.
        (
            "as it is",
            Transform::default(),
            [(10.5, 0.0), (29.5, 4.5)],
            [(9.5, 0.0), (20.0, 5.5)],
        ),
        (
            "scaled and mirrored: half size (20, 15), centre 40 to the left",
            Transform::from_scale(scale),
            [(-20.5, 0.0), (-59.5, 14.5)],
            [(-19.5, 0.0), (-40.0, 15.5)],
        ),
        (
            "turned by 90 degrees: the centre is 20 up, the box lies as before",
            Transform::from_rotation(quarter),
            [(-9.5, 20.0), (9.5, 24.5)],
            [(0.0, 14.5), (10.5, 20.0)],
        ),
        (
            "flat: a segment of half length 10",
            Transform::from_scale(Vec3::new(1.0, 0.0, 1.0)),
            [(11.0, 0.0), (29.0, 0.0)],
            [(20.0, 0.1), (31.0, 0.0)],
        ),
    ] {
        let mut app = app();
        let collider = BoxCollider::new(20.0, 10.0).with_offset(Vec2::new(20.0, 0.0));
        app.world_mut().spawn((collider, Body::Static, transform));
        for (x, y) in inside {
            assert!(probe(&mut app, x, y), "{case}: ({x}, {y}) should be inside");
        }
        for (x, y) in outside {
            assert!(
                !probe(&mut app, x, y),
                "{case}: ({x}, {y}) should be outside"
            );
        }
    }
}

#[test]
fn a_circle_under_uneven_scale_uses_the_larger_axis() {
    let mut app = app();
    let transform = Transform::from_scale(Vec3::new(2.0, -3.0, 1.0));
    app.world_mut()
        .spawn((CircleCollider::new(10.0), Body::Static, transform));
    assert!(probe(&mut app, 29.5, 0.0) && probe(&mut app, 0.0, 29.5));
    assert!(!probe(&mut app, 30.5, 0.0) && !probe(&mut app, 0.0, 30.5));
}

/// The parent moves and turns right before the tick; the `GlobalTransform` of the last frame would be out of date.
#[test]
fn a_child_is_where_its_parents_are_now() {
    let mut app = app();
    let root = app.world_mut().spawn(at(0.0, 0.0)).id();
    let arm = app.world_mut().spawn((at(10.0, 0.0), ChildOf(root))).id();
    app.world_mut().spawn((
        CircleCollider::new(1.0),
        Body::Static,
        at(10.0, 0.0),
        ChildOf(arm),
    ));
    assert!(probe(&mut app, 20.0, 0.0), "10 and 10 to the right");

    let mut transform = app.world_mut().get_mut::<Transform>(root).unwrap();
    *transform = at(100.0, 0.0)
        .with_rotation(Quat::from_rotation_z(FRAC_PI_2))
        .with_scale(Vec3::splat(2.0));
    assert!(probe(&mut app, 100.0, 40.0), "turned up, twice as far");
    assert!(probe(&mut app, 101.5, 40.0), "and twice as large");
    assert!(!probe(&mut app, 20.0, 0.0), "not where it was");
}

/// The level itself has no collider: all that hangs on it goes along.
#[test]
fn all_tiles_of_a_level_that_is_put_elsewhere_are_there() {
    let mut app = app();
    let level = app.world_mut().spawn((Body::Static, at(0.0, 0.0))).id();
    for number in 0..200 {
        let place = at(20.0 * number as f32, 0.0);
        let tile = (BoxCollider::square(10.0), place, ChildOf(level));
        app.world_mut().spawn(tile);
    }
    let some = [0.0, 20.0, 1000.0, 3980.0];
    for x in some {
        assert!(probe(&mut app, x, 0.0), "{x}");
    }
    app.world_mut().entity_mut(level).insert(at(0.0, 300.0));
    for x in some {
        assert!(probe(&mut app, x, 300.0), "{x}");
        assert!(!probe(&mut app, x, 0.0), "{x}");
    }
}

/// A box on an arm of a body: the push moves the body, and the arm keeps its place on the body.
#[test]
fn a_pushed_child_moves_its_body() {
    let mut app = app();
    let body = app.world_mut().spawn((Body::Dynamic, at(0.0, 0.0))).id();
    let arm = app
        .world_mut()
        .spawn((CircleCollider::new(10.0), at(30.0, 0.0), ChildOf(body)))
        .id();
    let shield = app
        .world_mut()
        .spawn((BoxCollider::square(20.0), at(35.0, 0.0), ChildOf(body)))
        .id();
    let wall = app
        .world_mut()
        .spawn((BoxCollider::new(40.0, 400.0), Body::Static, at(62.0, 0.0)))
        .id();
    let pairs: Vec<_> = tick(&mut app).iter().map(|one| (one.a, one.b)).collect();
    // The wall begins at 42; the shield reaches to 45, the arm to 40. Arm and shield belong to one body and do not collide.
    assert_eq!(pairs, [(shield, wall)]);
    assert_eq!(place(&app, body), Vec2::new(-3.0, 0.0));
    assert_eq!(place(&app, arm), Vec2::new(30.0, 0.0));
    assert_eq!(place(&app, shield), Vec2::new(35.0, 0.0));
}

/// What is between them has no place, so the body above has none for the collider either.
#[test]
fn a_child_of_what_is_nowhere_is_a_body_of_its_own() {
    let mut app = app();
    let ship = app.world_mut().spawn((Body::Kinematic, at(7.0, 0.0))).id();
    let hold = app.world_mut().spawn(ChildOf(ship)).id();
    let dot = (CircleCollider::new(3.0), Sensor, ChildOf(hold));
    let dot = app.world_mut().spawn(dot).id();
    let other = (CircleCollider::new(3.0), Body::Kinematic, at(1.0, 0.0));
    app.world_mut().spawn(other);
    let met = tick(&mut app);
    assert_eq!(met.len(), 1);
    assert_eq!((met[0].a, met[0].body_a), (dot, dot));
}

/// It comes from far away, so that the way there is rounded: below a parent in the origin it stops at the same place as without.
#[test]
fn a_parent_in_the_origin_changes_no_bit() {
    let stops = [false, true].map(|is_child| {
        let mut app = app();
        app.insert_resource(Time::<Fixed>::from_hz(64.0));
        wall(&mut app, (8.1, -10.0), (20.0, 10.0));
        let flies = Velocity(Vec2::new(128.0e3, 0.0));
        let square = (BoxCollider::square(16.0), flies, at(-1000.03, 0.0));
        let square = app.world_mut().spawn(square).id();
        if is_child {
            let parent = app.world_mut().spawn(Transform::default()).id();
            app.world_mut().entity_mut(square).insert(ChildOf(parent));
        }
        for _ in 0..3 {
            app.update();
        }
        place(&app, square).x
    });
    assert_eq!(stops[0], stops[1]);
    // Its right side touches the wall.
    assert!((stops[0] - 0.1).abs() < 1.0e-4, "{stops:?}");
}

/// A parent whose scale is 0 in z, as in a `Transform` made for two dimensions, works like any other one.
#[test]
fn a_parent_that_is_flat_in_z_is_no_obstacle() {
    let mut app = app();
    let flat = Vec3::new(2.0, 0.5, 0.0);
    let parent = Transform::from_scale(flat).with_rotation(Quat::from_rotation_z(FRAC_PI_2));
    let parent = app.world_mut().spawn(parent).id();
    // Below the parent, 1 to the right is 2 up in the world, and 1 up is half a unit to the left.
    let crates = (BoxCollider::new(10.0, 40.0), at(0.0, 0.0));
    let crates = app.world_mut().spawn((crates, ChildOf(parent))).id();
    wall(&mut app, (8.0, -50.0), (30.0, 50.0));
    let bullet = (CircleCollider::new(1.0), at(100.0, 0.0), Swept::default());
    let bullet = app.world_mut().spawn((bullet, ChildOf(parent))).id();
    wall(&mut app, (-50.0, 210.0), (50.0, 210.5));
    tick(&mut app);
    // The crate is 20 wide in the world and 2 deep in the wall; 2 to the left in the world are 4 up below the parent.
    let pushed = place(&app, crates);
    assert!(pushed.distance(Vec2::new(0.0, 4.0)) < 1.0e-5, "{pushed}");
    let seen = app.world_mut().run_system_once(move |space: SpatialQuery| {
        let seen = space.iter().find(|seen| seen.entity == crates);
        seen.map(|seen| seen.center)
    });
    assert_eq!(seen.unwrap(), Some(Vec2::new(-2.0, 0.0)));
    // The bullet moves from 200 up to 300: its radius is 2, and the wall begins at 210.
    let mut moved = app.world_mut().get_mut::<Transform>(bullet).unwrap();
    moved.translation.x = 150.0;
    tick(&mut app);
    let stopped = place(&app, bullet);
    assert!(
        stopped.distance(Vec2::new(104.0, 0.0)) < 1.0e-4,
        "{stopped}"
    );
}

/// A body that cannot be moved keeps a finite place, and is pushed from there as soon as it can be.
#[test]
fn a_parent_that_is_flat_across_keeps_what_it_has() {
    let mut app = app();
    let flat = Transform::from_scale(Vec3::new(0.0, 1.0, 1.0));
    let parent = app.world_mut().spawn(flat).id();
    let child = (BoxCollider::square(10.0), ChildOf(parent));
    let child = app.world_mut().spawn(child).id();
    wall(&mut app, (-2.0, -50.0), (30.0, 50.0));
    tick(&mut app);
    assert_eq!(place(&app, child), Vec2::ZERO);
    let mut round = app.world_mut().get_mut::<Transform>(parent).unwrap();
    round.scale.x = 1.0;
    tick(&mut app);
    // 5 to the left of the wall, which begins at -2; until now it was at 0.
    assert_eq!(place(&app, child), Vec2::new(-7.0, 0.0));
}

/// A response counts only on the body.
#[test]
fn a_response_on_a_child_means_nothing() {
    for response in [Response::Pass, Response::Stop] {
        let mut app = app();
        let hero = app
            .world_mut()
            .spawn((CircleCollider::new(1.0), at(0.0, 0.0)));
        let hero = hero.id();
        let shield = (CircleCollider::new(5.0), response, ChildOf(hero));
        app.world_mut().spawn(shield);
        wall(&mut app, (3.0, -50.0), (30.0, 50.0));
        tick(&mut app);
        assert_eq!(place(&app, hero), Vec2::new(-2.0, 0.0), "{response:?}");
    }
}

/// A child without a body above it is a body of its own, and is pushed within the turned and scaled space of its parent.
#[test]
fn a_child_without_a_body_above_is_pushed_itself() {
    let mut app = app();
    let root = app
        .world_mut()
        .spawn(
            at(100.0, 0.0)
                .with_rotation(Quat::from_rotation_z(FRAC_PI_2))
                .with_scale(Vec3::splat(2.0)),
        )
        .id();
    // In the world: radius 10, at (100, 40).
    let child = app
        .world_mut()
        .spawn((CircleCollider::new(5.0), at(20.0, 0.0), ChildOf(root)))
        .id();
    // The underside of the box is at 44: the child is 6 deep.
    app.world_mut()
        .spawn((BoxCollider::new(100.0, 20.0), Body::Static, at(100.0, 54.0)));
    let depth = tick(&mut app)[0].depth;
    // Not exact to the last bit: a quarter turn is a quaternion of two square roots of a half.
    assert!((depth - 6.0).abs() < 1.0e-4, "{depth}");
    // 6 down in the world are 3 back along the child's own x axis.
    let end = place(&app, child);
    assert!(end.distance(Vec2::new(17.0, 0.0)) < 1.0e-4, "{end}");
    assert_eq!(place(&app, root), Vec2::new(100.0, 0.0));
}

/// A moving formation is not a body, but each ship in it is one.
#[test]
fn who_hangs_on_what_moves_is_where_that_takes_it_within_the_tick() {
    let mut app = app();
    app.insert_resource(Time::<Fixed>::from_hz(64.0));
    let fleet = (Transform::default(), Velocity(Vec2::new(64.0 * 20.0, 0.0)));
    let fleet = app.world_mut().spawn(fleet).id();
    let squad = (
        at(0.0, 10.0),
        Velocity(Vec2::new(0.0, 64.0 * 5.0)),
        ChildOf(fleet),
    );
    let squad = app.world_mut().spawn(squad).id();
    let ship = (CircleCollider::new(3.0), at(1.0, 2.0), ChildOf(squad));
    let ship = app.world_mut().spawn(ship).id();
    // The ship is at (21, 17) after one tick, and at (41, 22) after two.
    let gate = app
        .world_mut()
        .spawn((
            BoxCollider::square(2.0),
            Sensor,
            Body::Static,
            at(21.0, 17.0),
        ))
        .id();
    let wall = app
        .world_mut()
        .spawn((BoxCollider::new(10.0, 100.0), Body::Static, at(48.0, 0.0)))
        .id();
    let mut met = || -> Vec<_> {
        let met = tick(&mut app).into_iter();
        met.map(|met| (met.a, met.b, met.depth)).collect()
    };
    assert_eq!(met(), [(ship, gate, 4.0)]);
    assert_eq!(met(), [(ship, wall, 1.0)]);
    // The wall begins at 43: the ship was pushed back by 1 within its squad; its center is at 40, and its right edge at the wall.
    assert_eq!(place(&app, ship), Vec2::new(0.0, 2.0));
    assert_eq!(place(&app, fleet), Vec2::new(40.0, 0.0));
    let seen = app.world().get::<GlobalTransform>(ship).unwrap();
    assert_eq!(seen.translation().truncate(), Vec2::new(40.0, 22.0));
}

/// The same with a parent that is not a body of its own: a part of another body without a collider, or an entity whose collider is disabled.
#[test]
fn who_hangs_on_what_is_no_body_of_its_own_is_where_that_takes_it_within_the_tick() {
    for is_part in [true, false] {
        let mut app = app();
        app.insert_resource(Time::<Fixed>::from_hz(64.0));
        let carrier = (Transform::default(), Velocity(Vec2::new(64.0 * 20.0, 0.0)));
        let carrier = app.world_mut().spawn(carrier).id();
        if is_part {
            let body = (CircleCollider::new(1.0), Body::Kinematic, at(0.0, 50.0));
            let body = app.world_mut().spawn(body).id();
            let part = (Body::Kinematic, ChildOf(body), at(0.0, -50.0));
            app.world_mut().entity_mut(carrier).insert(part);
        } else {
            let collider = (CircleCollider::new(1.0), ColliderDisabled);
            let mut carrier = app.world_mut().entity_mut(carrier);
            carrier.insert(collider).remove::<Body>();
        }
        let ship = (CircleCollider::new(3.0), ChildOf(carrier));
        let ship = app.world_mut().spawn(ship).id();
        let gate = wall(&mut app, (22.0, -9.0), (32.0, 9.0));
        let met: Vec<_> = tick(&mut app)
            .iter()
            .map(|met| (met.a, met.b, met.normal, met.depth))
            .collect();
        assert_eq!(met, [(ship, gate, Vec2::X, 1.0)], "part: {is_part}");
        let y = if is_part { -50.0 } else { 0.0 };
        assert_eq!(place(&app, carrier), Vec2::new(20.0, y), "part: {is_part}");
    }
}

/// Change detection does not report `Transform`s of colliders that stand still.
#[test]
fn what_stands_still_is_not_written() {
    #[derive(Resource, Default)]
    struct Written(EntityHashSet, EntityHashSet);
    fn note(
        placed: Query<Entity, Changed<Transform>>,
        placed_in_the_world: Query<Entity, Changed<GlobalTransform>>,
        mut written: ResMut<Written>,
    ) {
        written.0 = placed.iter().collect();
        written.1 = placed_in_the_world.iter().collect();
    }
    let mut app = app();
    app.init_resource::<Written>().add_systems(Last, note);
    let group = (Transform::default(), Velocity(Vec2::X));
    let group = app.world_mut().spawn(group).id();
    let body = (CircleCollider::new(3.0), ChildOf(group));
    let body = app.world_mut().spawn(body).id();
    app.update();
    app.update();
    let written = app.world().resource::<Written>();
    assert_eq!(written.0, [group].into_iter().collect());
    assert_eq!(written.1, [group, body].into_iter().collect());
    app.world_mut().get_mut::<Velocity>(group).unwrap().0 = Vec2::ZERO;
    app.update();
    let written = app.world().resource::<Written>();
    assert!(written.0.is_empty() && written.1.is_empty());
}

/// Below a parent that is far away, such a small push is lost to rounding, so the ball stays a bit inside.
#[test]
fn who_cannot_be_pushed_by_so_little_is_not_written() {
    #[derive(Resource, Default)]
    struct Written(usize);
    fn note(
        placed: Query<(), Changed<Transform>>,
        placed_in_the_world: Query<(), Changed<GlobalTransform>>,
        mut written: ResMut<Written>,
    ) {
        written.0 = placed.iter().count() + placed_in_the_world.iter().count();
    }
    for (parent, wall) in [
        (-1000.3, -4.9),
        (-2000.7, -4.3),
        (-500.1, -4.7),
        (0.0, -4.9),
    ] {
        let mut app = app();
        app.init_resource::<Written>().add_systems(Last, note);
        let square = (BoxCollider::square(10.0), Body::Static, at(wall, 0.0));
        app.world_mut().spawn(square);
        let group = app.world_mut().spawn(at(parent, 0.0)).id();
        let ball = (CircleCollider::new(5.0), ChildOf(group));
        let ball = (ball, at(wall + 9.0 - parent, 0.0));
        let ball = app.world_mut().spawn(ball).id();
        for _ in 0..5 {
            app.update();
        }
        assert_eq!(app.world().resource::<Written>().0, 0, "{parent}, {wall}");
        // It was 1 deep, and has been pushed to where it touches, as exactly as numbers there are.
        let pushed = parent + place(&app, ball).x - wall;
        assert!((pushed - 10.0).abs() < 2.0e-4, "{parent}, {wall}: {pushed}");
        assert_eq!(tick(&mut app).len(), 1, "{parent}, {wall}");
    }
}

#[test]
fn a_static_part_of_a_ship_does_not_move_by_itself() {
    let mut app = app();
    let ship = (CircleCollider::new(1.0), Body::Kinematic);
    let ship = app.world_mut().spawn(ship).id();
    let part = (Body::Static, Velocity(Vec2::X * 64.0), ChildOf(ship));
    let part = app.world_mut().spawn(part).id();
    for _ in 0..3 {
        tick(&mut app);
    }
    assert_eq!(app.world().get::<Transform>(part), Some(&at(0.0, 0.0)));
}

/// Neither body has a collider of its own, so in the next tick one of them gets the slot of the other.
#[test]
fn who_goes_to_a_body_that_is_ignored_is_filtered() {
    for is_in_family in [true, false] {
        let mut app = app();
        let root = app.world_mut().spawn(Transform::default()).id();
        let [one, other] = [(); 2].map(|()| {
            let body = (Body::Kinematic, Transform::default());
            let body = app.world_mut().spawn(body).id();
            if is_in_family {
                app.world_mut().entity_mut(body).insert(ChildOf(root));
            }
            body
        });
        let part = (CircleCollider::new(5.0), Sensor, ChildOf(one));
        let part = app.world_mut().spawn(part).id();
        let dot = (
            CircleCollider::new(5.0),
            Body::Kinematic,
            IgnoreCollisions::with(other),
        );
        app.world_mut().spawn((dot, at(4.0, 0.0)));
        assert_eq!(tick(&mut app).len(), 1);
        app.world_mut().entity_mut(part).insert(ChildOf(other));
        assert_eq!(tick(&mut app).len(), 0);
        let ended = crate::common::take::<CollisionEnded>(&mut app);
        let reasons: Vec<_> = ended.iter().map(|ended| ended.reason).collect();
        assert_eq!(reasons, [EndReason::Filtered], "{is_in_family}");
    }
}

#[test]
fn who_hangs_on_what_moves_and_is_swept_passes_through_nothing() {
    let mut app = app();
    app.insert_resource(Time::<Fixed>::from_hz(64.0));
    let fleet = (Transform::default(), Velocity(Vec2::new(64.0 * 20.0, 0.0)));
    let fleet = app.world_mut().spawn(fleet).id();
    let ship = (CircleCollider::new(3.0), Swept::default(), ChildOf(fleet));
    let ship = app.world_mut().spawn(ship).id();
    app.world_mut()
        .spawn((BoxCollider::new(1.0, 100.0), Body::Static, at(30.5, 0.0)));
    let mut ends = || {
        let met = tick(&mut app);
        (met.len(), place(&app, ship).x, place(&app, fleet).x)
    };
    // In the first tick the ship is swept from where it is, at 20. In the next one the wall at 30 stops it 13 short of its place in the fleet.
    assert_eq!(ends(), (0, 0.0, 20.0));
    assert_eq!(ends(), (1, -13.0, 40.0));
    assert_eq!(ends(), (1, -33.0, 60.0));
}

#[test]
fn a_body_without_a_collider_of_its_own_decides_for_its_children() {
    let mut app = app();
    let level = app.world_mut().spawn((Body::Static, at(0.0, 0.0))).id();
    for x in [0.0, 16.0] {
        app.world_mut()
            .spawn((BoxCollider::square(16.0), at(x, 0.0), ChildOf(level)));
    }
    let player = app
        .world_mut()
        .spawn((BoxCollider::square(16.0), at(8.0, 15.0)))
        .id();
    assert_eq!(tick(&mut app).len(), 2);
    assert_eq!(place(&app, player), Vec2::new(8.0, 16.0));
    assert_eq!(place(&app, level), Vec2::ZERO);
}

/// Among so many still colliders that they are sorted once and kept: a static parent takes its child's collider along, and back again.
#[test]
fn a_child_of_a_static_parent_follows_it_among_many_others() {
    let mut app = app();
    for tile in 0..100 {
        let place = at(1000.0 + 20.0 * tile as f32, 1000.0);
        app.world_mut()
            .spawn((BoxCollider::square(16.0), Body::Static, place));
    }
    let parent = app.world_mut().spawn((Body::Static, at(0.0, 0.0))).id();
    let arm = (BoxCollider::square(10.0), at(50.0, 0.0), ChildOf(parent));
    let arm = app.world_mut().spawn(arm).id();
    let here = (CircleCollider::new(1.0), Sensor, at(50.0, 0.0));
    let here = app.world_mut().spawn(here).id();
    let there = (CircleCollider::new(1.0), Sensor, at(550.0, 0.0));
    let there = app.world_mut().spawn(there).id();
    for (x, met) in [(0.0, here), (500.0, there), (0.0, here), (500.0, there)] {
        app.world_mut().entity_mut(parent).insert(at(x, 0.0));
        let hits = tick(&mut app);
        assert_eq!(hits.len(), 1, "with the parent at {x}");
        assert_eq!(hits[0].other(met), Some(arm), "with the parent at {x}");
    }
}

/// After `Report` no system sees a pose from before the push, neither of the body nor of its children.
#[test]
fn global_transforms_are_those_of_after_the_push() {
    #[derive(Resource, Default)]
    struct Seen(Vec<Vec2>);
    let mut app = app();
    app.init_resource::<Seen>();
    let parent = app.world_mut().spawn(at(0.0, 100.0)).id();
    let turned = Transform::from_rotation(Quat::from_rotation_z(FRAC_PI_2));
    let pushed = CircleCollider::new(10.0);
    let body = app.world_mut().spawn((pushed, at(95.0, 0.0))).id();
    let arm = app.world_mut().spawn((turned, ChildOf(body))).id();
    let hand = app.world_mut().spawn((at(3.0, 0.0), ChildOf(arm))).id();
    let lodger = (pushed, at(95.0, -100.0 + 30.0), ChildOf(parent));
    let lodger = app.world_mut().spawn(lodger).id();
    let runner = (pushed, at(0.0, -40.0), Velocity(Vec2::new(64.0, 0.0)));
    let runner = app.world_mut().spawn(runner).id();
    wall(&mut app, (100.0, -20.0), (140.0, 60.0));
    let look = move |globals: Query<&GlobalTransform>, mut seen: ResMut<Seen>| {
        let place = |entity| globals.get(entity).unwrap().translation().truncate();
        seen.0 = [body, arm, hand, lodger, runner].map(place).to_vec();
    };
    app.add_systems(FixedPostUpdate, look.after(CollisionSystems::Report));
    app.update();
    let seen = &app.world().resource::<Seen>().0;
    let expected = [
        (90.0, 0.0),
        (90.0, 0.0),
        (90.0, 3.0),
        (90.0, 30.0),
        (1.0, -40.0),
    ];
    for (seen, expected) in seen.iter().zip(expected) {
        assert!(
            seen.distance(Vec2::from(expected)) < 1.0e-5,
            "{seen} is not {expected:?}"
        );
    }
    // Bevy's own propagation gives the same.
    for entity in [body, arm, hand, lodger, runner] {
        let global = app.world().get::<GlobalTransform>(entity).unwrap();
        assert!(seen.contains(&global.translation().truncate()));
    }
}

/// A body that loses its own collider is still the body of its children in the same tick.
#[test]
fn a_body_without_its_own_collider_any_more_keeps_its_children() {
    type Change = fn(EntityWorldMut);
    let cases: [(&str, Change); 3] = [
        ("removed", |mut body| _ = body.remove::<CircleCollider>()),
        ("disabled", |mut body| _ = body.insert(ColliderDisabled)),
        ("not valid", |mut body| {
            _ = body.insert(CircleCollider::new(-1.0))
        }),
    ];
    for (case, change) in cases {
        let mut app = app();
        let body = (CircleCollider::new(5.0), CollidingWith::default());
        let body = app.world_mut().spawn((body, at(0.0, 0.0))).id();
        for y in [0.0, 2.0] {
            let arm = (BoxCollider::square(10.0), at(0.0, y), ChildOf(body));
            app.world_mut().spawn(arm);
        }
        let wall = wall(&mut app, (50.0, -50.0), (60.0, 50.0));
        app.update();
        // It moves 100 units in this tick.
        let velocity = Velocity(Vec2::new(6400.0, 0.0));
        app.world_mut().entity_mut(body).insert(velocity);
        change(app.world_mut().entity_mut(body));
        for tick in 0..2 {
            app.update();
            assert_eq!(place(&app, body), Vec2::new(45.0, 0.0), "{case}, {tick}");
            let partners = app.world().get::<CollidingWith>(body).unwrap();
            assert_eq!(**partners, [wall], "{case}, {tick}");
        }
    }
}

/// The children are in archetypes before and after that of their parent, which is found to be invalid in between.
#[test]
fn children_of_an_invalid_parent_are_one_body_still() {
    let mut app = app();
    let world = app.world_mut();
    let arm = || (CircleCollider::new(5.0), Body::Kinematic);
    // Creates the first archetype.
    let root = world.spawn(at(500.0, 0.0)).id();
    world.spawn((arm(), ChildOf(root)));
    let parent = (BoxCollider::square(5.0), Body::Kinematic);
    let parent = world.spawn(parent).id();
    let arms = [
        world.spawn((arm(), ChildOf(parent))).id(),
        world.spawn((arm(), Sensor, ChildOf(parent))).id(),
    ];
    // It reaches from 4 to 8: into both arms, which end at 5, and not into the box, which ends at 2.5.
    let outside = (CircleCollider::new(2.0), Sensor, at(6.0, 0.0));
    let outside = world.spawn(outside).id();
    let assert_met = |app: &mut App| {
        let hits = tick(app);
        assert_eq!(hits.len(), 2, "{hits:?}");
        for arm in arms {
            let met = hits.iter().find_map(|hit| hit.seen_from(arm)).unwrap();
            assert_eq!((met.body_a, met.b), (parent, outside));
        }
    };
    assert_met(&mut app);
    app.world_mut()
        .get_mut::<BoxCollider>(parent)
        .unwrap()
        .half_size
        .x = f32::NAN;
    for _ in 0..2 {
        assert_met(&mut app);
    }
}

/// A disabled body still has its place, and moves when its children are pushed.
#[test]
fn a_disabled_body_is_pushed_by_its_children() {
    let mut app = app();
    let body = (Body::Dynamic, Disabled, at(0.0, 0.0));
    let body = app.world_mut().spawn(body).id();
    let arm = (CircleCollider::new(10.0), at(95.0, 0.0), ChildOf(body));
    let arm = app.world_mut().spawn(arm).id();
    wall(&mut app, (100.0, -20.0), (140.0, 60.0));
    app.update();
    assert_eq!(place(&app, body), Vec2::new(-5.0, 0.0));
    let global = app.world().get::<GlobalTransform>(arm).unwrap();
    assert_eq!(global.translation().truncate(), Vec2::new(90.0, 0.0));
}

/// The results are the same to the bit, whichever of the two is moved first, which depends on the order of their archetypes. The child goes past 1024, where the steps of floats get larger.
#[test]
fn a_mover_on_a_mover_goes_both_ways_in_any_order() {
    let ends = [0, 1, 2, 3, 4, 5, 6, 7].map(|others| {
        let mut app = app();
        let world = app.world_mut();
        // So many other archetypes come before theirs.
        for number in 0..others {
            let mut other = world.spawn((Mass(1.0), Velocity::default()));
            if number & 1 != 0 {
                other.insert(Sensor);
            }
            if number & 2 != 0 {
                other.insert(DropThrough);
            }
            if number & 4 != 0 {
                other.insert(Response::Stop);
            }
        }
        let turned = at(994.3, -700.1).with_rotation(Quat::from_rotation_z(0.3));
        let body = (turned, Velocity(Vec2::new(51.3, 17.9)));
        let body = world.spawn(body).id();
        let child = (at(33.1, 7.7), Velocity(Vec2::new(0.37, 0.91)));
        let child = world.spawn((child, ChildOf(body))).id();
        for _ in 0..20 {
            app.update();
        }
        place(&app, child).to_array().map(f32::to_bits)
    });
    assert_eq!(ends, [ends[0]; 8]);
}

/// The box is three levels deep, under a parent that is turned and unevenly scaled, and moved before the tick.
///
/// The child's center is (1, 2) + (1, 0) in its parent's space, so (12, 7) in the grandparent's; scaled by (2, 3) that is (24, 21), turned by 90 degrees (-21, 24). The box stays aligned
/// with the axes, its half size (2, 1) scaled to (4, 3).
#[test]
fn a_child_at_any_depth_follows_uneven_scale_and_rotation() {
    let mut app = app();
    let turned = Transform::from_xyz(0.0, 0.0, 0.0)
        .with_rotation(Quat::from_rotation_z(FRAC_PI_2))
        .with_scale(Vec3::new(2.0, 3.0, 1.0));
    let world = app.world_mut();
    let grandparent = world.spawn((turned, Body::Static)).id();
    let parent = world.spawn((at(10.0, 5.0), ChildOf(grandparent))).id();
    let collider = BoxCollider::new(4.0, 2.0).with_offset(Vec2::new(1.0, 0.0));
    world.spawn((collider, at(1.0, 2.0), ChildOf(parent)));
    for x in [0.0, 100.0] {
        let mut transform = app.world_mut().get_mut::<Transform>(grandparent).unwrap();
        transform.translation.x = x;
        for (px, py) in [(-24.5, 24.0), (-17.5, 26.5), (-21.0, 21.5)] {
            assert!(probe(&mut app, x + px, py), "({px}, {py}) is inside");
        }
        for (px, py) in [(-25.5, 24.0), (-16.5, 24.0), (-21.0, 27.5)] {
            assert!(!probe(&mut app, x + px, py), "({px}, {py}) is outside");
        }
    }
}

/// Whichever of the two is read first.
#[test]
fn a_static_body_with_children_takes_itself_along() {
    for child_comes_first in [false, true] {
        let mut app = app();
        let child = || (CircleCollider::new(0.5), Sensor, at(0.0, 0.0));
        if child_comes_first {
            // Archetypes are read in the order in which they were created.
            let hanger = app.world_mut().spawn(at(900.0, 900.0)).id();
            app.world_mut().spawn((child(), ChildOf(hanger)));
        }
        // So many that the broad phase keeps them.
        let walls: Vec<Entity> = (0..100)
            .map(|number| {
                let wall = (BoxCollider::square(8.0), Body::Static);
                app.world_mut()
                    .spawn((wall, at(20.0 * number as f32, 0.0)))
                    .id()
            })
            .collect();
        app.world_mut().spawn((child(), ChildOf(walls[50])));
        app.update();
        let ghost = (CircleCollider::new(1.0), Sensor);
        let [here, there] =
            [0.0, 500.0].map(|y| app.world_mut().spawn((ghost, at(1000.0, y))).id());
        app.world_mut()
            .get_mut::<Transform>(walls[50])
            .unwrap()
            .translation
            .y = 500.0;
        let met = |collisions: &[Collision], who| {
            let met = collisions
                .iter()
                .filter(|hit| hit.body_a == walls[50] || hit.body_b == walls[50]);
            met.filter(|hit| hit.involves(who)).count()
        };
        let collisions = tick(&mut app);
        assert_eq!(met(&collisions, here), 0, "child first {child_comes_first}");
        assert_eq!(
            met(&collisions, there),
            2,
            "child first {child_comes_first}"
        );
    }
}

/// Moves, turns, scales, and offsets a few random colliders, several at once or none, and checks after each tick that they are where a new app, which has seen no earlier state, has them.
#[test]
fn what_moves_turned_and_scaled_is_where_a_new_world_has_it() {
    fn some(random: &mut fastrand::Rng) -> f32 {
        [-1.5, 0.0, 0.25, 1.0, 1.0, 3.0][random.usize(0..6)]
    }
    fn views(app: &mut App) -> Vec<(Entity, bevy_nudge::kernel::Outline, Vec2)> {
        let all = |space: SpatialQuery| {
            let views = space.iter();
            let views = views.map(|view| (view.entity, view.outline, view.center));
            let mut views: Vec<_> = views.collect();
            views.sort_by_key(|(entity, ..)| *entity);
            views
        };
        app.world_mut().run_system_once(all).expect("it runs")
    }

    let mut random = fastrand::Rng::with_seed(31);
    let mut app = app();
    let bundle = |number: u32| (Body::Kinematic, at(40.0 * number as f32, 0.0));
    let entities: Vec<Entity> = (0..6)
        .map(|number| app.world_mut().spawn(bundle(number)).id())
        .collect();
    for (number, &entity) in entities.iter().enumerate() {
        let mut entity = app.world_mut().entity_mut(entity);
        match number % 2 {
            0 => entity.insert(BoxCollider::new(8.0, 4.0)),
            _ => entity.insert(CircleCollider::new(3.0)),
        };
    }
    let parent = app.world_mut().spawn(at(5.0, 5.0)).id();
    let (mut moved_only, mut read_anew) = (0, 0);
    for step in 0..300 {
        for &entity in &entities {
            if random.bool() {
                continue;
            }
            let mut entity = app.world_mut().entity_mut(entity);
            let mut transform = entity.get_mut::<Transform>().expect("all have one");
            transform.translation.x += random.f32() - 0.5;
            match random.u32(0..12) {
                0 => transform.scale = Vec3::new(some(&mut random), some(&mut random), 1.0),
                1 => transform.rotation = Quat::from_rotation_z(some(&mut random)),
                2 => {
                    (transform.scale, transform.rotation) = (Vec3::ONE, Quat::IDENTITY);
                }
                3 => {
                    let offset = Vec2::new(some(&mut random), 0.0);
                    if let Some(mut collider) = entity.get_mut::<BoxCollider>() {
                        collider.offset = offset;
                    } else if let Some(mut collider) = entity.get_mut::<CircleCollider>() {
                        collider.offset = offset;
                    }
                }
                4 if entity.contains::<ChildOf>() => _ = entity.remove::<ChildOf>(),
                4 => _ = entity.insert(ChildOf(parent)),
                _ => {
                    moved_only += 1;
                    continue;
                }
            }
            read_anew += 1;
        }
        app.update();

        let mut other = crate::common::app();
        let parent_there = other.world_mut().spawn(at(5.0, 5.0)).id();
        let mut expected = Vec::new();
        for &entity in &entities {
            let from = app.world().entity(entity);
            let transform = *from.get::<Transform>().expect("all have one");
            let mut there = other.world_mut().spawn((Body::Kinematic, transform));
            if let Some(collider) = from.get::<BoxCollider>() {
                there.insert(*collider);
            } else if let Some(collider) = from.get::<CircleCollider>() {
                there.insert(*collider);
            }
            if from.contains::<ChildOf>() {
                there.insert(ChildOf(parent_there));
            }
            expected.push((there.id(), entity));
        }
        other.update();
        let there = views(&mut other);
        for (entity, outline, center) in views(&mut app) {
            let twin = expected.iter().find(|(_, own)| *own == entity);
            let (twin, _) = twin.expect("it has a twin");
            let seen = there.iter().find(|(entity, ..)| entity == twin);
            let &(_, its, place) = seen.expect("it takes part there too");
            assert_eq!((outline, center), (its, place), "{entity} at step {step}");
        }
    }
    assert!(
        moved_only > 250 && read_anew > 150,
        "{moved_only}, {read_anew}"
    );
}

/// A parent without a `Body` is not a body, but it turns and scales.
#[test]
fn an_offset_follows_parents_that_are_no_bodies() {
    let turned = Transform::from_rotation(Quat::from_rotation_z(FRAC_PI_2));
    for (parent, expected) in [
        (at(100.0, 0.0), (110.0, 0.0)),
        (Transform::from_scale(Vec3::new(2.0, 2.0, 1.0)), (20.0, 0.0)),
        (
            Transform::from_scale(Vec3::new(-1.0, 1.0, 1.0)),
            (-10.0, 0.0),
        ),
        (turned, (0.0, 10.0)),
    ] {
        let mut app = app();
        let collider = CircleCollider::new(1.0).with_offset(Vec2::new(10.0, 0.0));
        let parent_of_it = app.world_mut().spawn(parent).id();
        app.world_mut()
            .spawn((collider, Body::Kinematic, ChildOf(parent_of_it)));
        let (x, y) = expected;
        assert!(probe(&mut app, x, y), "{parent:?}");
        assert!(!probe(&mut app, x + 2.1, y), "{parent:?}");
        assert!(!probe(&mut app, x - 2.1, y), "{parent:?}");
    }
}

/// The velocity of a part of a body has no effect, also while its collider is disabled. An entity that is not a part of a body moves by its velocity.
#[test]
fn a_disabled_part_with_a_velocity_stays_on_its_body() {
    let mut app = app();
    let held = (
        BoxCollider::square(4.0),
        Velocity(Vec2::X * 64.0),
        at(10.0, 0.0),
    );
    let body = app.world_mut().spawn(CircleCollider::new(8.0)).id();
    let part = app.world_mut().spawn((held, ChildOf(body))).id();
    let cart = app.world_mut().spawn(at(0.0, 50.0)).id();
    let load = app.world_mut().spawn((held, ChildOf(cart))).id();
    // Bevy's tick is a 64th of a second.
    app.update();
    let before = [part, load].map(|one| place(&app, one).x);
    assert_eq!(before, [10.0, 11.0]);
    for one in [part, load] {
        app.world_mut().entity_mut(one).insert(ColliderDisabled);
    }
    app.update();
    assert_eq!([part, load].map(|one| place(&app, one).x), [10.0, 12.0]);
}

/// The scaled box is 20 wide and 10 high for any corner radius; the probed point is 1 above it.
#[test]
fn a_box_that_is_all_round_follows_each_axis() {
    for corner_radius in [0.0, 4.0, 5.0] {
        let mut app = app();
        let round = BoxCollider::square(10.0).with_corner_radius(corner_radius);
        let scale = Transform::from_scale(Vec3::new(2.0, 1.0, 1.0));
        app.world_mut().spawn((round, Body::Kinematic, scale));
        assert!(!probe(&mut app, 0.0, 6.0), "{corner_radius}");
        assert!(probe(&mut app, 0.0, 4.9), "{corner_radius}");
        assert!(probe(&mut app, 9.9, 0.0), "{corner_radius}");
        assert!(!probe(&mut app, 10.1, 0.0), "{corner_radius}");
    }
}

/// A still collider is not read again until a change is detected; every kind of change to its family must be.
#[test]
fn a_child_that_stands_still_follows_whatever_happens_to_its_family() {
    struct Family {
        world: Entity,
        body: Entity,
        child: Entity,
        brother: Entity,
    }
    fn family() -> (App, Family) {
        let mut app = app();
        let world = app.world_mut().spawn(at(100.0, 0.0)).id();
        let body = (Body::Static, at(10.0, 0.0), ChildOf(world));
        let body = app.world_mut().spawn(body).id();
        let mut child = |x: f32| {
            let child = (BoxCollider::square(4.0), at(x, 1.0), ChildOf(body));
            app.world_mut().spawn(child).id()
        };
        let family = Family {
            world,
            body,
            child: child(0.0),
            brother: child(20.0),
        };
        (app, family)
    }
    type Change = fn(&mut World, &Family);
    let changes: [(&str, Change); 12] = [
        ("nothing", |_, _| ()),
        ("the body moves", |world, family| {
            world
                .get_mut::<Transform>(family.body)
                .unwrap()
                .translation
                .x = 50.0;
        }),
        ("what it is in moves", |world, family| {
            world
                .get_mut::<Transform>(family.world)
                .unwrap()
                .translation
                .y = 7.0;
        }),
        ("the body grows", |world, family| {
            world.get_mut::<Transform>(family.body).unwrap().scale.x = 3.0;
        }),
        ("it moves itself", |world, family| {
            world
                .get_mut::<Transform>(family.child)
                .unwrap()
                .translation
                .y = -9.0;
        }),
        ("it is a child no more", |world, family| {
            world.entity_mut(family.child).remove::<ChildOf>();
        }),
        ("it has another parent", |world, family| {
            world.entity_mut(family.child).insert(ChildOf(family.world));
        }),
        ("it is nowhere", |world, family| {
            world.entity_mut(family.child).remove::<Transform>();
        }),
        ("the body is another one", |world, family| {
            world.entity_mut(family.body).insert(Body::Kinematic);
        }),
        ("the body is none", |world, family| {
            world.entity_mut(family.body).remove::<Body>();
        }),
        ("the body is nowhere", |world, family| {
            world.entity_mut(family.body).remove::<Transform>();
        }),
        ("it and its brother report", |world, family| {
            world.entity_mut(family.child).insert(Sensor);
            world.entity_mut(family.brother).insert(Sensor);
        }),
    ];
    let views = |app: &mut App, family: &Family| {
        app.update();
        let entities = [family.child, family.brother];
        let ask = move |space: SpatialQuery| entities.map(|entity| space.get(entity));
        app.world_mut().run_system_once(ask).unwrap()
    };
    for (case, change) in changes {
        let (mut app, known) = family();
        (0..4).for_each(|_| app.update());
        change(app.world_mut(), &known);
        let (mut new_app, new) = family();
        change(new_app.world_mut(), &new);
        let expected = views(&mut new_app, &new);
        for _ in 0..3 {
            assert_eq!(views(&mut app, &known), expected, "{case}");
        }
        // And the loss of a component is detected, too.
        app.world_mut().entity_mut(known.brother).remove::<Sensor>();
        new_app
            .world_mut()
            .entity_mut(new.brother)
            .remove::<Sensor>();
        assert_eq!(views(&mut app, &known), views(&mut new_app, &new), "{case}");
    }
}
