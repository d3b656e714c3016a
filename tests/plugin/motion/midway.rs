//! Changes that a game makes between two stages of a tick.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{a_tick, moving_app};
use crate::common::{at, place, take, wall};

/// A bullet that is spawned or enabled after `Gather` waits for the next tick: it does not move without being swept.
#[test]
fn who_comes_after_gathering_is_moved_by_the_next_tick() {
    for is_there_before in [false, true] {
        let mut app = moving_app();
        wall(&mut app, (49.5, -50.0), (50.5, 50.0));
        let bullet = (CircleCollider::new(1.0), a_tick(100.0, 0.0));
        let hidden = is_there_before.then(|| {
            let bullet = (bullet, ColliderDisabled, Transform::default());
            app.world_mut().spawn(bullet).id()
        });
        let appear = move |mut commands: Commands, mut is_done: Local<bool>| {
            if !std::mem::replace(&mut *is_done, true) {
                if let Some(hidden) = hidden {
                    commands.entity(hidden).remove::<ColliderDisabled>();
                } else {
                    commands.spawn(bullet);
                }
            }
        };
        let between = appear
            .after(CollisionSystems::Gather)
            .before(CollisionSystems::Sweep);
        app.add_systems(FixedPostUpdate, between);
        app.update();
        let mut bullets = app
            .world_mut()
            .query_filtered::<Entity, With<CircleCollider>>();
        let bullet = bullets.single(app.world()).unwrap();
        assert_eq!(place(&app, bullet), Vec2::ZERO, "{is_there_before}");
        app.update();
        let there = place(&app, bullet);
        assert!(
            (there.x - 48.5).abs() < 1.0e-4,
            "{is_there_before}: {there}"
        );
        assert_eq!(take::<CollisionStarted>(&mut app).len(), 1);
    }
}

/// A collider that is refused for bad input moves without obstacles, as always.
#[test]
fn who_is_refused_goes_on() {
    let mut app = moving_app();
    let bullet = (CircleCollider::new(-1.0), a_tick(100.0, 0.0), at(0.0, 0.0));
    let bullet = app.world_mut().spawn(bullet).id();
    for tick in 1..=3 {
        app.update();
        assert_eq!(place(&app, bullet).x, 100.0 * tick as f32);
    }
}

/// The next tick starts from the place of the teleport, at whichever stage that was.
#[test]
fn who_is_teleported_in_the_middle_of_a_tick_is_not_swept_back() {
    for is_child in [false, true] {
        let mut app = moving_app();
        wall(&mut app, (49.0, -2000.0), (51.0, 2000.0));
        let body = (CircleCollider::new(10.0), Body::Dynamic, Swept::default());
        let body = app.world_mut().spawn((body, at(0.0, 0.0))).id();
        if is_child {
            // With a parent that is scaled by 3 and turned, its place is subject to rounding.
            let parent = Transform::from_xyz(0.1, 0.0, 0.0)
                .with_scale(Vec3::splat(3.0))
                .with_rotation(Quat::from_rotation_z(0.7));
            let parent = app.world_mut().spawn(parent).id();
            app.world_mut()
                .entity_mut(body)
                .insert((CircleCollider::new(10.0 / 3.0), ChildOf(parent)));
        }
        let teleport = move |mut bodies: Query<(&mut Transform, &mut Swept)>,
                             mut ticks: Local<u32>| {
            *ticks += 1;
            if *ticks == 2 {
                let (mut transform, mut swept) = bodies.get_mut(body).unwrap();
                transform.translation.x = 200.0;
                swept.teleport();
            }
        };
        let between = teleport
            .after(CollisionSystems::Sweep)
            .before(CollisionSystems::Resolve);
        app.add_systems(FixedPostUpdate, between);
        for _ in 0..4 {
            app.update();
        }
        let x = app.world().get::<Transform>(body).unwrap().translation.x;
        assert_eq!(x, 200.0, "child: {is_child}");
        // Afterwards it is swept as before.
        let mut transform = app.world_mut().get_mut::<Transform>(body).unwrap();
        transform.translation.x = -400.0;
        app.update();
        let global = app.world().get::<GlobalTransform>(body).unwrap();
        let there = global.translation().truncate();
        // Its radius before the wall; it slides on along it, to 3 * -400 * sin(0.7) for the child.
        let y = if is_child { -773.0612 } else { 0.0 };
        assert!(
            there.distance(Vec2::new(61.0, y)) < 0.02,
            "child: {is_child}: {there}"
        );
    }
}

/// Right after the tick the `GlobalTransform` is up to date, whether the body was stopped on its way or not; so is that of its child at 3.
#[test]
fn where_what_is_swept_is_seen_is_up_to_date() {
    #[derive(Resource, Default)]
    struct Seen(Vec<[f32; 2]>);
    for (wall_at, there) in [(None, 5.0), (Some(9.0), 4.0)] {
        for is_child in [false, true] {
            let mut app = moving_app();
            if let Some(x) = wall_at {
                wall(&mut app, (x, -50.0), (x + 10.0, 50.0));
            }
            let body = (CircleCollider::new(5.0), Body::Dynamic, Swept::default());
            let body = app.world_mut().spawn((body, at(0.0, 0.0))).id();
            if is_child {
                let parent = app.world_mut().spawn(at(0.0, 0.0)).id();
                app.world_mut().entity_mut(body).insert(ChildOf(parent));
            }
            let child = (ChildOf(body), at(3.0, 0.0));
            let child = app.world_mut().spawn(child).id();
            let look = move |mut seen: ResMut<Seen>, places: Query<&GlobalTransform>| {
                let place = |entity: Entity| places.get(entity).unwrap().translation().x;
                seen.0.push([place(body), place(child)]);
            };
            app.init_resource::<Seen>()
                .add_systems(FixedPostUpdate, look.after(CollisionSystems::Report));
            for _ in 0..2 {
                app.update();
            }
            app.world_mut()
                .get_mut::<Transform>(body)
                .unwrap()
                .translation
                .x = 5.0;
            app.update();
            let seen = app.world().resource::<Seen>().0.last().copied();
            let case = format!("wall: {wall_at:?}, child: {is_child}");
            assert_eq!(seen, Some([there, there + 3.0]), "{case}");
        }
    }
}

/// The same below a parent that is somewhere else.
#[test]
fn where_a_child_that_is_swept_is_seen_is_up_to_date() {
    #[derive(Resource, Default)]
    struct Seen(f32);
    let mut app = moving_app();
    let parent = app.world_mut().spawn(at(10.0, 0.0)).id();
    let body = (CircleCollider::new(5.0), Body::Dynamic, Swept::default());
    let body = app
        .world_mut()
        .spawn((body, at(0.0, 0.0), ChildOf(parent)))
        .id();
    let look = move |mut seen: ResMut<Seen>, places: Query<&GlobalTransform>| {
        seen.0 = places.get(body).unwrap().translation().x;
    };
    app.init_resource::<Seen>()
        .add_systems(FixedPostUpdate, look.after(CollisionSystems::Report));
    app.update();
    app.update();
    app.world_mut().entity_mut(body).insert(at(5.0, 0.0));
    app.update();
    assert_eq!(app.world().resource::<Seen>().0, 15.0);
}
