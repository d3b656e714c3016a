//! A collider that was left out for a while, and has no changed component, is seen in the tick in which it is back.

use std::collections::BTreeSet;

use bevy::{
    ecs::{change_detection::Tick, entity_disabling::Disabled, system::RunSystemOnce},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_nudge::prelude::*;

use crate::common::{app as plain_app, at, take, tick};

/// A component by which a game leaves entities out, kept in tables like their other components.
#[derive(Component)]
struct Shelved;

/// More colliders than are read in one part, so that no other one of them causes a look at the one that is back.
const STILL: usize = 500;

type Start = fn(&mut World);
type Change = fn(&mut World, Entity);

/// Returns an app with still colliders far apart: on the middle one is a moving one; returns the middle one and another one.
fn app(begin: Start) -> (App, [Entity; 2]) {
    let mut app = App::new();
    begin(app.world_mut());
    app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    let still = (0..STILL).map(|number| {
        let place = at(number as f32 * 100.0, 0.0);
        let still = (BoxCollider::square(10.0), Body::Static, place);
        app.world_mut().spawn(still).id()
    });
    let still: Vec<_> = still.collect();
    let middle = still[STILL / 2];
    let place = *app.world().get::<Transform>(middle).unwrap();
    app.world_mut()
        .spawn((CircleCollider::new(5.0), Body::Kinematic, place));
    app.update();
    (app, [middle, still[STILL / 4]])
}

#[test]
fn who_is_back_is_seen_at_once() {
    let cases: [(&str, Start, Change, Change); 4] = [
        (
            "its collider was off",
            |_| {},
            |world, one| _ = world.entity_mut(one).insert(ColliderDisabled),
            |world, one| _ = world.entity_mut(one).remove::<ColliderDisabled>(),
        ),
        (
            "it was disabled",
            |_| {},
            |world, one| _ = world.entity_mut(one).insert(Disabled),
            |world, one| _ = world.entity_mut(one).remove::<Disabled>(),
        ),
        (
            "its game left it out",
            |world| world.register_disabling_component::<Shelved>(),
            |world, one| _ = world.entity_mut(one).insert(Shelved),
            |world, one| _ = world.entity_mut(one).remove::<Shelved>(),
        ),
        (
            "it had no fit size",
            |_| {},
            |world, one| _ = world.entity_mut(one).insert(BoxCollider::square(f32::NAN)),
            |world, one| _ = world.entity_mut(one).insert(BoxCollider::square(10.0)),
        ),
    ];
    for (case, begin, leave, come_back) in cases {
        for does_another_leave in [false, true] {
            let (mut app, [one, another]) = app(begin);
            assert_eq!(tick(&mut app).len(), 1, "{case}");
            leave(app.world_mut(), one);
            for _ in 0..3 {
                assert_eq!(tick(&mut app).len(), 0, "{case}");
            }
            come_back(app.world_mut(), one);
            // So there are as many entities as before; for a disabled one there is no notice.
            if does_another_leave {
                app.world_mut().entity_mut(another).insert(Disabled);
            }
            assert_eq!(tick(&mut app).len(), 1, "{case}: {does_another_leave}");
            assert_eq!(tick(&mut app).len(), 1, "{case}: {does_another_leave}");
        }
    }
}

/// A game that starts anew may despawn all entities, and with them the plugin's observers of enabled ones.
#[test]
fn who_is_back_is_seen_in_a_world_without_observers() {
    let (mut app, [one, another]) = app(|_| {});
    let observers: Vec<_> = app
        .world_mut()
        .query_filtered::<Entity, With<Observer>>()
        .iter(app.world())
        .collect();
    for observer in observers {
        app.world_mut().despawn(observer);
    }
    app.world_mut().entity_mut(one).insert(Disabled);
    assert_eq!(tick(&mut app).len(), 0);
    app.world_mut().entity_mut(one).remove::<Disabled>();
    app.world_mut().entity_mut(another).insert(Disabled);
    assert_eq!(tick(&mut app).len(), 1);
}

#[test]
fn who_comes_with_components_that_say_they_are_old_is_seen() {
    let (mut app, [one, _]) = app(|_| {});
    assert_eq!(tick(&mut app).len(), 1);
    let place = *app.world().get::<Transform>(one).unwrap();
    let newcomer = (BoxCollider::square(10.0), Body::Static, place);
    let mut newcomer = app.world_mut().spawn(newcomer);
    let long_ago = Tick::new(1);
    newcomer
        .get_mut::<BoxCollider>()
        .unwrap()
        .set_last_changed(long_ago);
    newcomer
        .get_mut::<Transform>()
        .unwrap()
        .set_last_changed(long_ago);
    newcomer
        .get_mut::<Body>()
        .unwrap()
        .set_last_changed(long_ago);
    assert_eq!(tick(&mut app).len(), 2);
}

/// Returns an app without colliders, to which `Shelved` is known.
fn shelving_app() -> App {
    let mut app = App::new();
    app.world_mut().register_disabling_component::<Shelved>();
    app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.update();
    app
}

#[test]
fn whoever_is_left_out_is_a_parent_all_the_same() {
    for is_shelved in [false, true] {
        let mut app = shelving_app();
        let room = app.world_mut().spawn((Body::Static, at(100.0, 0.0))).id();
        if is_shelved {
            app.world_mut().entity_mut(room).insert(Shelved);
        }
        // Its right edge is at 105, and the left edge of the probe at 103.
        app.world_mut()
            .spawn((BoxCollider::square(10.0), ChildOf(room)));
        let probe = (CircleCollider::new(1.0), Body::Kinematic, at(104.0, 0.0));
        app.world_mut().spawn(probe);
        let hits = tick(&mut app);
        let depths: Vec<f32> = hits.iter().map(|hit| hit.depth).collect();
        assert_eq!(depths, [2.0], "{is_shelved}");
        assert!(
            hits[0].body_a == room || hits[0].body_b == room,
            "{is_shelved}"
        );

        // The room moves, and its child moves in the same tick.
        app.world_mut()
            .get_mut::<Transform>(room)
            .unwrap()
            .translation
            .x = 99.0;
        assert_eq!(tick(&mut app)[0].depth, 1.0, "{is_shelved}");
    }
}

#[test]
fn what_was_left_out_is_swept_from_where_it_comes_back() {
    let mut app = shelving_app();
    let bullet = (CircleCollider::new(1.0), Swept::default(), at(0.0, 0.0));
    let bullet = app.world_mut().spawn(bullet).id();
    let wall = (BoxCollider::new(2.0, 100.0), Body::Static, at(50.0, 0.0));
    app.world_mut().spawn(wall);
    let go_to = |app: &mut App, x: f32| {
        let mut place = app.world_mut().get_mut::<Transform>(bullet).unwrap();
        place.translation.x = x;
    };
    let x = |app: &App| app.world().get::<Transform>(bullet).unwrap().translation.x;
    tick(&mut app);
    app.world_mut().entity_mut(bullet).insert(Shelved);
    tick(&mut app);
    go_to(&mut app, 100.0);
    app.world_mut().entity_mut(bullet).remove::<Shelved>();
    tick(&mut app);
    assert_eq!(x(&app), 100.0);
    go_to(&mut app, 0.0);
    tick(&mut app);
    assert_eq!(x(&app), 52.0, "and it is swept again");
}

#[test]
fn whoever_is_left_out_collides_with_nobody() {
    let mut app = shelving_app();
    let plate = (CircleCollider::new(5.0), Sensor, CollidingWith::default());
    let plate = app.world_mut().spawn(plate).id();
    let stone = (CircleCollider::new(5.0), Body::Kinematic, at(5.0, 0.0));
    let stone = app.world_mut().spawn(stone).id();
    let partners = |app: &App| app.world().get::<CollidingWith>(plate).unwrap().to_vec();
    tick(&mut app);
    assert_eq!(partners(&app), [stone]);
    app.world_mut().entity_mut(plate).insert(Shelved);
    tick(&mut app);
    assert_eq!(partners(&app), []);
    app.world_mut().despawn(stone);
    app.world_mut().entity_mut(plate).remove::<Shelved>();
    assert_eq!(partners(&app), []);
    tick(&mut app);
    assert_eq!(partners(&app), []);
}

/// The changes to make in the middle of the next tick.
#[derive(Resource, Default)]
struct Midway(Vec<(Entity, u32)>);

/// Leaves an entity out or takes it back, in one of several ways; or moves it.
fn change(world: &mut World, one: Entity, kind: u32) {
    let Ok(mut one) = world.get_entity_mut(one) else {
        return;
    };
    match kind {
        0 => _ = one.insert(Shelved),
        1 | 2 => _ = one.remove::<Shelved>(),
        3 | 10 => _ = one.insert(Disabled),
        11 => _ = one.remove::<Disabled>(),
        4 => _ = one.insert(ColliderDisabled),
        5 => _ = one.remove::<ColliderDisabled>(),
        6 => _ = one.remove::<CircleCollider>(),
        7 => _ = one.insert(CircleCollider::new(4.0)),
        8 => _ = one.remove::<ChildOf>(),
        _ => {
            if let Some(mut place) = one.get_mut::<Transform>() {
                place.translation.x += 3.0;
            }
        }
    }
}

/// Compares every second tick with a test of all pairs: before, colliders come and go between ticks and within them, among others that stand still.
#[test]
fn whoever_is_there_is_seen_and_nobody_else() {
    let mut pairs = 0;
    for seed in 0..30 {
        let mut random = fastrand::Rng::with_seed(seed);
        // The plugin gets no notice of shelved entities, so it has to look for them.
        let are_all_told = seed % 2 == 0;
        let mut app = if are_all_told {
            plain_app()
        } else {
            shelving_app()
        };
        let kinds = if are_all_told { 4..12 } else { 0..12 };
        app.init_resource::<Midway>();
        let midway = |world: &mut World| {
            for (one, kind) in std::mem::take(&mut world.resource_mut::<Midway>().0) {
                change(world, one, kind);
            }
        };
        let between = midway
            .after(CollisionSystems::Gather)
            .before(CollisionSystems::Sweep);
        app.add_systems(FixedPostUpdate, between);
        let parents = [Body::Static, Body::Kinematic]
            .map(|body| app.world_mut().spawn((body, at(0.0, 0.0))).id());
        let all: Vec<Entity> = (0..40)
            .map(|number| {
                let place = at(random.f32() * 100.0, random.f32() * 20.0);
                let one = (CircleCollider::new(3.0), Sensor, place);
                let mut one = app.world_mut().spawn(one);
                match number % 4 {
                    0 => _ = one.insert(ChildOf(parents[0])),
                    1 => _ = one.insert(ChildOf(parents[1])),
                    2 => _ = one.insert(Body::Static),
                    _ => {}
                }
                one.id()
            })
            .collect();
        for _ in 0..40 {
            for _ in 0..random.usize(0..4) {
                change(
                    app.world_mut(),
                    all[random.usize(0..40)],
                    random.u32(kinds.clone()),
                );
            }
            let later = (0..random.usize(0..4))
                .map(|_| (all[random.usize(0..40)], random.u32(kinds.clone())));
            app.world_mut().resource_mut::<Midway>().0.extend(later);
            app.update();
            take::<Collision>(&mut app);
            app.update();
            let told: BTreeSet<_> = take::<Collision>(&mut app)
                .iter()
                .map(|hit| (hit.a.min(hit.b), hit.a.max(hit.b)))
                .collect();
            let there: Vec<(Entity, Vec2, f32, Body, Entity)> = all
                .iter()
                .filter_map(|&one| {
                    let entity = app.world().get_entity(one).ok()?;
                    let is_off = entity.contains::<Disabled>()
                        || entity.contains::<Shelved>()
                        || entity.contains::<ColliderDisabled>();
                    let radius = entity.get::<CircleCollider>()?.radius;
                    let place = entity.get::<Transform>()?.translation.truncate();
                    let body = entity.get::<ChildOf>().map_or(one, ChildOf::parent);
                    let kind = *app.world().get::<Body>(body)?;
                    (!is_off).then_some((one, place, radius, kind, body))
                })
                .collect();
            let mut expected = BTreeSet::new();
            for (number, a) in there.iter().enumerate() {
                for b in &there[..number] {
                    let are_still = a.3 == Body::Static && b.3 == Body::Static;
                    if !are_still && a.4 != b.4 && a.1.distance(b.1) < a.2 + b.2 {
                        expected.insert((a.0.min(b.0), a.0.max(b.0)));
                    }
                }
            }
            pairs += expected.len();
            assert_eq!(told, expected, "seed {seed}");
        }
    }
    assert!(pairs > 10_000, "{pairs}");
}

/// `SpatialQuery` hears of a component that disables entities even if the game registers it later than its first system that asks.
#[test]
fn who_is_back_from_a_shelf_that_was_built_late_is_found_at_once() {
    #[derive(Event)]
    struct Ask;
    for is_despawned in [false, true] {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, CollisionPlugin::new(Update)));
        app.add_observer(|_: On<Ask>, _: SpatialQuery| {});
        let world = app.world_mut();
        world.register_disabling_component::<Shelved>();
        let shelved = (BoxCollider::square(10.0), Body::Static, Shelved);
        let shelved = world.spawn(shelved).id();
        for _ in 0..2 {
            app.update();
        }
        let world = app.world_mut();
        if is_despawned {
            // A game that starts anew may despawn everything that it does not know.
            let mut observers = world.query_filtered::<Entity, With<Observer>>();
            for observer in observers.iter(world).collect::<Vec<_>>() {
                world.despawn(observer);
            }
            world.flush();
        }
        let is_there = |world: &mut World| {
            let ask =
                |space: SpatialQuery| space.overlap_point(Vec2::ZERO, &QueryFilter::ALL).any();
            world.run_system_once(ask).unwrap()
        };
        assert!(!is_there(world));
        world.entity_mut(shelved).remove::<Shelved>();
        world.flush();
        assert!(is_there(world), "despawned: {is_despawned}");
        world.entity_mut(shelved).insert(Shelved);
        assert!(!is_there(world));
    }
}
