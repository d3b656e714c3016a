//! Every start has exactly one end, which tells its reason.

use bevy::{ecs::entity_disabling::Disabled, prelude::*, time::TimeUpdateStrategy};
use bevy_nudge::{prelude::*, tiles::TileColliders};

use crate::common::{app, at, take, tick};

/// Spawns a sensor and a kinematic dot on it; their start has been reported.
fn pair() -> (App, Entity, Entity) {
    let mut app = app();
    let sensor = app
        .world_mut()
        .spawn((BoxCollider::square(40.0), Sensor, at(0.0, 0.0)))
        .id();
    let dot = app
        .world_mut()
        .spawn((CircleCollider::new(5.0), Body::Kinematic, at(22.0, 0.0)))
        .id();
    app.update();
    assert_eq!(take::<CollisionStarted>(&mut app).len(), 1);
    (app, sensor, dot)
}

/// The first of three entities got its collider last. It goes, and another one comes, so that the order of all that are left is that of their entities: the ends are in that order, too.
#[test]
fn ends_are_in_the_order_of_the_entities_with_those_that_are_gone() {
    let mut app = app();
    let all = [(); 3].map(|()| app.world_mut().spawn_empty().id());
    for one in [all[1], all[2], all[0]] {
        let dot = (CircleCollider::new(5.0), Sensor);
        app.world_mut().entity_mut(one).insert(dot);
        app.update();
    }
    app.world_mut().despawn(all[0]);
    app.world_mut().entity_mut(all[1]).insert(at(100.0, 0.0));
    app.world_mut()
        .spawn((CircleCollider::new(1.0), at(500.0, 0.0)));
    take::<CollisionEnded>(&mut app);
    app.update();
    let ended = take::<CollisionEnded>(&mut app);
    let pairs: Vec<_> = ended.iter().map(|one| [one.a, one.b]).collect();
    let expected = [[all[0], all[1]], [all[0], all[2]], [all[1], all[2]]];
    assert_eq!(pairs, expected);
}

/// In the tick in which the two part, the game takes the dot's collider and gives it another one: that is not why they have parted.
#[test]
fn whoever_gets_another_collider_in_the_middle_of_a_tick_has_not_lost_it() {
    let (mut app, _, dot) = pair();
    let change = move |mut commands: Commands| {
        commands
            .entity(dot)
            .remove::<CircleCollider>()
            .insert(CircleCollider::new(5.0));
    };
    let between = change
        .after(CollisionSystems::Gather)
        .before(CollisionSystems::Sweep);
    app.add_systems(FixedPostUpdate, between);
    app.world_mut().entity_mut(dot).insert(at(100.0, 0.0));
    app.update();
    let [ended] = &take::<CollisionEnded>(&mut app)[..] else {
        panic!("they have parted once");
    };
    assert_eq!(ended.reason, EndReason::Separated);
    assert_eq!((&ended.leaver_a, &ended.leaver_b), (&None, &None));
}

/// Runs one tick, and returns the reason of the one end that it must report.
fn reason_after_tick(app: &mut App, case: &str) -> EndReason {
    app.update();
    let ended = take::<CollisionEnded>(app);
    assert_eq!(ended.len(), 1, "{case}");
    // The dot reached 3 into the sensor, whose edge is at 20: from 17 to 20, so the point is at 18.5.
    assert_eq!((ended[0].normal, ended[0].depth), (Vec2::X, 3.0), "{case}");
    assert_eq!(ended[0].point, Vec2::new(18.5, 0.0), "{case}");
    app.update();
    assert!(take::<CollisionEnded>(app).is_empty(), "{case}: told twice");
    ended[0].reason
}

#[test]
fn an_end_tells_its_reason_and_the_last_contact() {
    type Change = fn(&mut World, Entity, Entity);
    let cases: [(&str, Change, EndReason); 13] = [
        (
            "moved away",
            |world, _, dot| world.get_mut::<Transform>(dot).unwrap().translation.x = 100.0,
            EndReason::Separated,
        ),
        (
            "shrunk",
            |world, _, dot| world.get_mut::<CircleCollider>(dot).unwrap().radius = 1.0,
            EndReason::Separated,
        ),
        (
            "scaled down",
            |world, _, dot| world.get_mut::<Transform>(dot).unwrap().scale = Vec3::splat(0.1),
            EndReason::Separated,
        ),
        (
            "one despawned",
            |world, _, dot| _ = world.despawn(dot),
            EndReason::Despawned,
        ),
        (
            "both despawned",
            |world, sensor, dot| {
                world.despawn(sensor);
                world.despawn(dot);
            },
            EndReason::Despawned,
        ),
        (
            "collider removed",
            |world, sensor, _| _ = world.entity_mut(sensor).remove::<BoxCollider>(),
            EndReason::Removed,
        ),
        (
            "entity disabled",
            |world, sensor, _| _ = world.entity_mut(sensor).insert(Disabled),
            EndReason::Disabled,
        ),
        (
            "collider disabled",
            |world, sensor, _| _ = world.entity_mut(sensor).insert(ColliderDisabled),
            EndReason::Disabled,
        ),
        (
            "one ignores the other",
            |world, sensor, dot| {
                let ignores = IgnoreCollisions::with(dot);
                world.entity_mut(sensor).insert(ignores);
            },
            EndReason::Filtered,
        ),
        (
            "layer changed",
            |world, _, dot| _ = world.entity_mut(dot).insert(CollisionLayers::NONE),
            EndReason::Filtered,
        ),
        (
            "both static now",
            |world, sensor, dot| {
                world.entity_mut(sensor).insert(Body::Static);
                world.entity_mut(dot).insert(Body::Static);
            },
            EndReason::Filtered,
        ),
        (
            "child of the other now",
            |world, sensor, dot| {
                world.entity_mut(dot).insert(ChildOf(sensor));
            },
            EndReason::Filtered,
        ),
        (
            "size not valid any more",
            |world, _, dot| world.get_mut::<CircleCollider>(dot).unwrap().radius = -1.0,
            EndReason::Invalid,
        ),
    ];
    for (case, change, reason) in cases {
        let (mut app, sensor, dot) = pair();
        change(app.world_mut(), sensor, dot);
        assert_eq!(reason_after_tick(&mut app, case), reason, "{case}");
    }
}

#[test]
fn what_comes_back_starts_again() {
    let (mut app, sensor, dot) = pair();
    for round in 0..3 {
        app.world_mut().entity_mut(dot).remove::<CircleCollider>();
        app.update();
        assert_eq!(take::<CollisionEnded>(&mut app).len(), 1, "round {round}");
        app.world_mut()
            .entity_mut(dot)
            .insert(CircleCollider::new(5.0));
        app.update();
        let started = take::<CollisionStarted>(&mut app);
        assert_eq!(started.len(), 1, "round {round}");
        assert_eq!((started[0].a, started[0].b), (sensor, dot), "round {round}");
    }
}

/// The dot is despawned and another one spawned in the same place between two ticks: one end and one start, with different entities.
#[test]
fn a_successor_in_the_same_place_is_another_collision() {
    let (mut app, _, dot) = pair();
    app.world_mut().despawn(dot);
    let successor = app
        .world_mut()
        .spawn((CircleCollider::new(5.0), Body::Kinematic, at(22.0, 0.0)))
        .id();
    app.update();
    let (ended, started) = (
        take::<CollisionEnded>(&mut app),
        take::<CollisionStarted>(&mut app),
    );
    assert_eq!((ended.len(), started.len()), (1, 1));
    assert!(ended[0].involves(dot) && !ended[0].involves(successor));
    assert!(started[0].involves(successor));
}

#[test]
fn a_resting_contact_ends_only_beyond_the_margin() {
    let (mut app, _, dot) = pair();
    // The edges meet if the dot is at 25.
    for (x, ended) in [
        (24.0, 0),
        (25.0, 0),
        (25.009, 0),
        (24.999, 0),
        (25.02, 1),
        (25.005, 0),
    ] {
        app.world_mut()
            .get_mut::<Transform>(dot)
            .unwrap()
            .translation
            .x = x;
        app.update();
        assert_eq!(take::<CollisionEnded>(&mut app).len(), ended, "at {x}");
        assert!(take::<CollisionStarted>(&mut app).is_empty(), "at {x}");
    }
}

/// A body that falls by 1 a tick and is pushed out of the floor each time: one start, no end, and a collision in each tick.
#[test]
fn standing_on_the_floor_does_not_flicker() {
    let mut app = app();
    app.add_systems(FixedUpdate, |mut bodies: Query<(&Body, &mut Transform)>| {
        for (_, mut transform) in bodies
            .iter_mut()
            .filter(|(body, _)| **body == Body::Dynamic)
        {
            transform.translation.y -= 1.0;
        }
    });
    app.world_mut()
        .spawn((BoxCollider::new(100.0, 10.3), Body::Static, at(0.0, 0.7)));
    app.world_mut()
        .spawn((CircleCollider::new(3.3), at(0.0, 8.1)));
    let mut counts = (0, 0, 0);
    for _ in 0..100 {
        app.update();
        counts.0 += take::<CollisionStarted>(&mut app).len();
        counts.1 += take::<Collision>(&mut app).len();
        counts.2 += take::<CollisionEnded>(&mut app).len();
    }
    assert_eq!(counts, (1, 100, 0));
}

/// A component by which a game hides entities, which is not stored in tables.
#[derive(Component)]
#[component(storage = "SparseSet")]
struct Hidden;

#[test]
fn a_game_may_disable_entities_in_its_own_way() {
    let mut app = App::new();
    app.world_mut().register_disabling_component::<Hidden>();
    app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.update();
    let still = (CircleCollider::new(10.0), Body::Static);
    app.world_mut().spawn(still);
    let moving = app
        .world_mut()
        .spawn((CircleCollider::new(10.0), Sensor, at(100.0, 0.0)))
        .id();
    assert_eq!(tick(&mut app).len(), 0);
    app.world_mut().entity_mut(moving).insert(at(15.0, 0.0));
    assert_eq!(tick(&mut app).len(), 1);
    app.world_mut().entity_mut(moving).insert(Hidden);
    assert_eq!(tick(&mut app).len(), 0);
    let ended = take::<CollisionEnded>(&mut app);
    assert_eq!(ended.len(), 1);
    assert_eq!(ended[0].reason, EndReason::Disabled);
    app.world_mut().entity_mut(moving).remove::<Hidden>();
    assert_eq!(tick(&mut app).len(), 1);
}

/// An entity that leaves during a tick is reported in the next one, with its name.
#[test]
fn who_leaves_in_the_middle_of_a_tick_is_remembered_in_the_next() {
    type Change = fn(&mut World, Entity);
    let cases: [(&str, Change, EndReason); 2] = [
        (
            "removed",
            |world, dot| _ = world.entity_mut(dot).remove::<CircleCollider>(),
            EndReason::Removed,
        ),
        (
            "despawned",
            |world, dot| _ = world.despawn(dot),
            EndReason::Despawned,
        ),
    ];
    for (case, change, reason) in cases {
        let (mut app, _, dot) = pair();
        app.world_mut().entity_mut(dot).insert(Name::new("dot"));
        let leave = move |world: &mut World, mut is_over: Local<bool>| {
            if !std::mem::replace(&mut *is_over, true) {
                change(world, dot);
            }
        };
        let leave = leave
            .after(CollisionSystems::Gather)
            .before(CollisionSystems::Sweep);
        app.add_systems(FixedPostUpdate, leave);
        app.update();
        assert_eq!(take::<CollisionEnded>(&mut app), [], "{case}: not seen yet");
        app.update();
        let ended = take::<CollisionEnded>(&mut app);
        assert_eq!(ended.len(), 1, "{case}");
        assert_eq!(ended[0].reason, reason, "{case}");
        let leaver = ended[0].leaver(dot).expect(case);
        assert_eq!(leaver.name, Some(Name::new("dot")), "{case}");
    }
}

#[test]
fn whoever_is_hidden_with_another_collider_has_not_lost_it() {
    let mut app = App::new();
    app.world_mut().register_disabling_component::<Hidden>();
    app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()));
    let hidden = (CircleCollider::new(5.0), Body::Kinematic);
    let hidden = app.world_mut().spawn(hidden).id();
    let lost = (CircleCollider::new(5.0), Body::Kinematic, at(8.0, 0.0));
    let lost = app.world_mut().spawn(lost).id();
    app.world_mut()
        .spawn((CircleCollider::new(5.0), Body::Kinematic, at(4.0, 0.0)));
    app.world_mut().run_schedule(FixedPostUpdate);
    let mut entity = app.world_mut().entity_mut(hidden);
    entity.remove::<CircleCollider>();
    entity.insert((BoxCollider::square(10.0), Hidden));
    let mut entity = app.world_mut().entity_mut(lost);
    entity.remove::<CircleCollider>();
    entity.insert(Hidden);
    app.world_mut().run_schedule(FixedPostUpdate);
    let all = take::<CollisionEnded>(&mut app);
    assert_eq!(all.len(), 3);
    for ended in all {
        let (reason, leaver) = if ended.involves(lost) {
            (EndReason::Removed, true)
        } else {
            (EndReason::Disabled, false)
        };
        assert_eq!(ended.reason, reason, "{ended:?}");
        assert_eq!(ended.leaver(lost).is_some(), leaver, "{ended:?}");
        assert_eq!(ended.leaver(hidden), None, "{ended:?}");
    }
}

#[test]
fn what_a_game_writes_is_fit_for_scenes_and_editors() {
    // Bevy's `bsn!` requires this of all components that are written in it.
    fn begin<C: Component + FromTemplate + Default + PartialEq + std::fmt::Debug>(like: C) {
        assert_eq!(C::default(), like);
    }
    begin(CircleCollider::new(0.5));
    begin(BoxCollider::new(1.0, 1.0));
    begin(BoundsCollider::new(1.0, 1.0));
    fn is_template<C: FromTemplate>() {}
    is_template::<TileColliders>();
    assert_eq!(TileColliders::default().cell_size(), Vec2::ONE);
}

/// The clone is in another place, and has no collisions yet.
#[test]
fn a_clone_collides_with_nobody_at_first() {
    let mut app = app();
    let plate = (BoxCollider::square(10.0), Sensor, at(0.0, 0.0));
    let plate = app
        .world_mut()
        .spawn((plate, CollidingWith::default()))
        .id();
    let stone = (CircleCollider::new(3.0), at(0.0, 0.0));
    let stone = app.world_mut().spawn(stone).id();
    app.update();
    let partners =
        |app: &App, plate: Entity| app.world().get::<CollidingWith>(plate).unwrap().to_vec();
    assert_eq!(partners(&app, plate), [stone]);
    let clone = app.world_mut().entity_mut(plate).clone_and_spawn();
    app.world_mut().entity_mut(clone).insert(at(500.0, 0.0));
    assert_eq!(partners(&app, clone), []);
    app.update();
    assert_eq!(partners(&app, clone), []);
    assert_eq!(partners(&app, plate), [stone]);
}

/// When the tick looks for it, the dot has no collider; until the tick reports, it has got another one.
#[test]
fn whoever_has_another_collider_by_the_time_of_the_report_has_lost_the_first_one() {
    let (mut app, _, dot) = pair();
    let change = move |mut commands: Commands| {
        commands.entity(dot).insert(BoxCollider::square(10.0));
    };
    let between = change
        .after(CollisionSystems::Gather)
        .before(CollisionSystems::Sweep);
    app.add_systems(FixedPostUpdate, between);
    app.world_mut().entity_mut(dot).remove::<CircleCollider>();
    app.update();
    let [ended] = &take::<CollisionEnded>(&mut app)[..] else {
        panic!("it ends once");
    };
    assert_eq!(ended.reason, EndReason::Removed);
    assert!(ended.leaver(dot).is_some());
    // And begins anew.
    app.update();
    assert_eq!(take::<CollisionStarted>(&mut app).len(), 1);
}

/// The dot is 3 deep in the box; once that is no sensor it is pushed out, and goes on touching the dot.
#[test]
fn who_becomes_a_sensor_or_is_none_any_more_goes_on_colliding() {
    let (mut app, sensor, _) = pair();
    let depths = |app: &mut App| tick(app).iter().map(|hit| hit.depth).collect::<Vec<_>>();
    app.world_mut().entity_mut(sensor).remove::<Sensor>();
    assert_eq!(depths(&mut app), [3.0]);
    assert_eq!(crate::common::place(&app, sensor), Vec2::new(-3.0, 0.0));
    assert_eq!(depths(&mut app), [0.0]);
    app.world_mut().entity_mut(sensor).insert(Sensor);
    assert_eq!(depths(&mut app), [0.0]);
    assert_eq!(take::<CollisionStarted>(&mut app), []);
    assert_eq!(take::<CollisionEnded>(&mut app), []);
}

/// The parents are no bodies: rooms of a level, say.
#[test]
fn who_goes_from_one_group_to_another_goes_on_colliding() {
    let mut app = app();
    let rooms = [0.0, 100.0].map(|x| app.world_mut().spawn(at(x, 0.0)).id());
    let zone = (BoxCollider::square(20.0), Sensor, Body::Static);
    app.world_mut().spawn(zone);
    let hero = (CircleCollider::new(5.0), at(3.0, 0.0), ChildOf(rooms[0]));
    let hero = app.world_mut().spawn(hero).id();
    app.update();
    assert_eq!(take::<CollisionStarted>(&mut app).len(), 1);
    let mut there = app.world_mut().entity_mut(hero);
    there.insert((ChildOf(rooms[1]), at(-97.0, 0.0))); // the same place
    assert_eq!(tick(&mut app).len(), 1);
    let mut alone = app.world_mut().entity_mut(hero);
    alone.remove::<ChildOf>().insert(at(3.0, 0.0));
    assert_eq!(tick(&mut app).len(), 1);
    assert!(take::<CollisionStarted>(&mut app).is_empty());
    assert!(take::<CollisionEnded>(&mut app).is_empty());
}
