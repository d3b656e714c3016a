//! Observers and systems that change the world in the middle of a tick: whatever they do, every start has exactly one end, and both sides hear of both.

use std::collections::{BTreeMap, BTreeSet};

use bevy::{
    ecs::{entity_disabling::Disabled, query::Allow},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_nudge::prelude::*;

use crate::common::{at, take};

/// The source of random changes, and how many there were.
#[derive(Resource)]
struct Chance {
    random: fastrand::Rng,
    changes: u32,
}

/// How often each pair was reported to observers, from either side: starts and ends.
#[derive(Resource, Default)]
struct Heard(BTreeMap<(Entity, Entity), [i32; 2]>);

/// A component by which a game hides entities.
#[derive(Component)]
struct Hidden;

/// All bodies, hidden or not.
type Everybody = (With<Body>, Allow<Disabled>, Allow<Hidden>);

fn in_order(a: Entity, b: Entity) -> (Entity, Entity) {
    if a.index_u32() < b.index_u32() {
        (a, b)
    } else {
        (b, a)
    }
}

/// Changes a random entity, or the one that was just reported.
fn meddle(world: &mut World, with: Option<Entity>) {
    let mut all = world.query_filtered::<Entity, Everybody>();
    let mut all: Vec<Entity> = all.iter(world).collect();
    all.sort_unstable();
    let mut chance = world.resource_mut::<Chance>();
    chance.changes += 1;
    let random = &mut chance.random;
    let (kind, x, y) = (random.u32(0..18), random.f32() * 40.0, random.f32() * 10.0);
    let mut any = || all.get(random.usize(0..all.len().max(1))).copied();
    let (Some(other), Some(parent)) = (any(), any()) else {
        return;
    };
    let one = with.filter(|_| x < 20.0).unwrap_or(other);
    let Ok(mut one) = world.get_entity_mut(one) else {
        return;
    };
    match kind {
        0 => one.despawn(),
        1 => _ = one.remove::<CircleCollider>(),
        2 => _ = one.insert(CircleCollider::new(4.0)),
        3 => _ = one.insert(CircleCollider::new(-1.0)),
        4 => _ = one.insert(ColliderDisabled),
        5 => _ = one.remove::<ColliderDisabled>(),
        6 => _ = one.insert(Disabled),
        7 => _ = one.remove::<Disabled>(),
        8 => _ = one.insert(Hidden),
        9 => _ = one.remove::<Hidden>(),
        10 => _ = one.insert(Body::Static),
        11 => _ = one.insert(Body::Dynamic),
        12 => _ = one.insert(Velocity(Vec2::new(x - 20.0, y) * 64.0)),
        13 => _ = one.remove::<(Velocity, ChildOf)>(),
        14 if !one.contains::<Children>() && parent != one.id() => {
            _ = one.insert(ChildOf(parent));
        }
        15 => {
            let margin = if x < 20.0 { 0.0 } else { 1.0 };
            world.insert_resource(CollisionSettings {
                margin,
                ..default()
            });
        }
        _ => _ = one.insert(at(x, y)),
    }
}

/// Makes a random change between two stages, now and then.
fn meddle_in_between(world: &mut World) {
    if world.resource_mut::<Chance>().random.u32(0..3) == 0 {
        meddle(world, None);
    }
}

fn meddling_app(seed: u64) -> App {
    let mut app = App::new();
    app.world_mut().register_disabling_component::<Hidden>();
    app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .init_resource::<Heard>()
        .insert_resource(Chance {
            random: fastrand::Rng::with_seed(seed),
            changes: 0,
        });
    let lists: [(CollisionSystems, CollisionSystems); 4] = [
        (CollisionSystems::Gather, CollisionSystems::Sweep),
        (CollisionSystems::Sweep, CollisionSystems::Detect),
        (CollisionSystems::Detect, CollisionSystems::Resolve),
        (CollisionSystems::Resolve, CollisionSystems::Report),
    ];
    for (before, after) in lists {
        app.add_systems(
            FixedPostUpdate,
            meddle_in_between.after(before).before(after),
        );
    }
    app.add_systems(FixedUpdate, meddle_in_between);
    app.add_observer(
        |on: On<CollisionStarted>, mut heard: ResMut<Heard>, mut commands: Commands| {
            heard.0.entry(in_order(on.a, on.b)).or_default()[0] += 1;
            let me = on.a;
            commands.queue(move |world: &mut World| meddle(world, Some(me)));
        },
    );
    app.add_observer(
        |on: On<CollisionEnded>, mut heard: ResMut<Heard>, mut commands: Commands| {
            heard.0.entry(in_order(on.a, on.b)).or_default()[1] += 1;
            let other = on.b;
            commands.queue(move |world: &mut World| meddle(world, Some(other)));
        },
    );
    app
}

/// Compares the messages of a tick with the open pairs and with what observers have heard.
fn balance(app: &mut App, open: &mut BTreeSet<(Entity, Entity)>) -> usize {
    let ended = take::<CollisionEnded>(app);
    let started = take::<CollisionStarted>(app);
    let mut heard = std::mem::take(&mut app.world_mut().resource_mut::<Heard>().0);
    for end in &ended {
        let pair = (end.a, end.b);
        assert!(open.remove(&pair), "{pair:?} ended without a start");
        heard.entry(pair).or_default()[1] -= 2;
    }
    for start in &started {
        let pair = (start.a, start.b);
        assert!(open.insert(pair), "{pair:?} started twice");
        heard.entry(pair).or_default()[0] -= 2;
    }
    let all_heard = heard.values().all(|left| *left == [0, 0]);
    assert!(all_heard, "not once by each side: {heard:?}");
    let going_on: BTreeSet<_> = take::<Collision>(app)
        .iter()
        .map(|hit| (hit.a, hit.b))
        .collect();
    assert_eq!(going_on, *open, "what started and did not end is ongoing");
    started.len()
}

#[test]
fn the_books_balance_whoever_meddles() {
    let (mut started, mut changes) = (0, 0);
    for seed in 0..20 {
        let mut app = meddling_app(seed);
        let mut open = BTreeSet::new();
        for _ in 0..100 {
            let chance = &mut app.world_mut().resource_mut::<Chance>().random;
            let place = at(chance.f32() * 40.0, chance.f32() * 10.0);
            let sensor = chance.bool();
            let world = app.world_mut();
            if world.entities().count_spawned() < 60 {
                let mut one =
                    world.spawn((CircleCollider::new(3.0), place, CollidingWith::default()));
                if sensor {
                    one.insert(Sensor);
                }
            }
            app.update();
            started += balance(&mut app, &mut open);
        }
        changes += app.world().resource::<Chance>().changes;
        // Then all entities are despawned.
        let world = app.world_mut();
        let mut all = world.query_filtered::<Entity, Everybody>();
        let all: Vec<Entity> = all.iter(world).collect();
        for entity in all {
            if let Ok(entity) = world.get_entity_mut(entity) {
                entity.despawn();
            }
        }
        app.update();
        balance(&mut app, &mut open);
        assert_eq!(open, BTreeSet::new());
    }
    assert!(started > 750 && changes > 5_000, "{started}, {changes}");
}
