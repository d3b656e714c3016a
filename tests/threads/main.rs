//! The same bits from one thread and from several. This is a program of its own, because Bevy's thread pool stays for good once it exists.

use bevy::{
    ecs::{
        message::Messages,
        schedule::{ScheduleLabel, SingleThreadedExecutor},
        system::RunSystemOnce,
    },
    prelude::*,
    tasks::{ComputeTaskPool, TaskPoolBuilder},
};
use bevy_nudge::{
    broad_phase::{BroadPhase, Extent, Found},
    kernel::Shape,
    prelude::*,
    spatial::{Cast, ShapeIndex},
};

/// So many that several threads are used.
const MANY: usize = 40_000;

#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Tick;

fn random_boxes() -> Vec<(Extent, u32)> {
    let mut random = fastrand::Rng::with_seed(17);
    (0..MANY as u32)
        .map(|number| {
            let half = match number % 100 {
                0 => 60.0,
                _ => random.f32() * 4.0,
            };
            let [x, y] = [0; 2].map(|_| random.f32() * 2500.0);
            let extent = Extent {
                min: [x - half, y - half],
                max: [x + half, y + half],
            };
            (extent, number)
        })
        .collect()
}

/// Returns the pairs in the order in which they are found.
fn pairs() -> Vec<(u32, u32)> {
    let boxes = random_boxes();
    let (still, moving) = boxes.split_at(MANY / 4);
    let mut broad_phase = BroadPhase::default();
    broad_phase.set_still(still);
    let mut found = Found::default();
    broad_phase.find(moving, |one, other| Some((one.1, other.1)), &mut found);
    found.iter().copied().collect()
}

/// Returns what many rays hit, and what is in many areas, by the index alone and in a game.
fn answers() -> Vec<String> {
    let mut random = fastrand::Rng::with_seed(19);
    let mut place = || Vec2::new(random.f32(), random.f32()) * 2500.0;
    let shape = Shape::circle(3.0).expect("valid");
    let shapes: Vec<_> = (0..MANY as u32).map(|key| (key, shape, place())).collect();
    let casts: Vec<_> = (0..5000)
        .map(|_| Cast::ray(place(), place() - place()))
        .collect();
    let index = ShapeIndex::new(shapes.iter().copied());
    let mut told: Vec<String> = Vec::new();
    let hits = index.cast_many(&casts, |_| true);
    told.extend(hits.iter().map(|hit| format!("{hit:?}")));

    let mut app = App::new();
    app.add_plugins(CollisionPlugin::new(Tick));
    app.edit_schedule(Tick, |schedule| {
        schedule.set_executor(SingleThreadedExecutor::new());
    });
    for (_, _, place) in shapes {
        let place = Transform::from_translation(place.extend(0.0));
        app.world_mut()
            .spawn((CircleCollider::new(3.0), Body::Kinematic, place));
    }
    app.world_mut().run_schedule(Tick);
    let ask = move |space: SpatialQuery| {
        let hits = space.cast_many(&casts, &QueryFilter::ALL);
        let areas: Vec<_> = casts.iter().map(|cast| (shape, cast.origin)).collect();
        let there = space.overlap_many(&areas, &QueryFilter::ALL);
        let hits = hits.iter().map(|hit| format!("{hit:?}"));
        hits.chain(there.iter().map(|hits| format!("{hits:?}")))
            .collect::<Vec<_>>()
    };
    told.extend(app.world_mut().run_system_once(ask).expect("it runs"));
    told
}

/// Returns everything that is reported in some ticks, and all places after them, to the bit. Of five colliders, `dynamics` are dynamic, one is static, and the others are kinematic.
fn story(dynamics: usize) -> (Vec<String>, Vec<(Entity, [u32; 2])>) {
    let mut app = App::new();
    app.add_plugins(CollisionPlugin::new(Tick));
    app.edit_schedule(Tick, |schedule| {
        schedule.set_executor(SingleThreadedExecutor::new());
    });
    let mut random = fastrand::Rng::with_seed(18);
    for number in 0..MANY {
        let place = Transform::from_xyz(random.f32() * 2000.0, random.f32() * 2000.0, 0.0);
        let body = match number % 5 {
            0 => Body::Static,
            one if one <= dynamics => Body::Dynamic,
            _ => Body::Kinematic,
        };
        let mut entity = app.world_mut().spawn((place, body));
        if number % 2 == 0 {
            entity.insert(CircleCollider::new(1.0 + random.f32() * 3.0));
        } else {
            entity.insert(BoxCollider::square(2.0 + random.f32() * 6.0));
        }
    }
    let mut told = Vec::new();
    let mut all = app.world_mut().query::<(Entity, &Body, &mut Transform)>();
    for tick in 0..3 {
        for (entity, body, mut transform) in all.iter_mut(app.world_mut()) {
            if *body != Body::Static {
                let turn = f64::from(entity.index_u32()) + f64::from(tick);
                transform.translation.x += turn.sin() as f32;
            }
        }
        app.world_mut().run_schedule(Tick);
        let collisions = app.world().resource::<Messages<Collision>>();
        let mut cursor = collisions.get_cursor();
        told.extend(cursor.read(collisions).map(|hit| format!("{hit:?}")));
        let ended = app.world().resource::<Messages<CollisionEnded>>();
        let mut cursor = ended.get_cursor();
        told.extend(cursor.read(ended).map(|hit| format!("{hit:?}")));
        app.world_mut()
            .resource_mut::<Messages<Collision>>()
            .clear();
        app.world_mut()
            .resource_mut::<Messages<CollisionEnded>>()
            .clear();
    }
    let places = all.iter(app.world()).map(|(entity, _, transform)| {
        let place = transform.translation.truncate().to_array();
        (entity, place.map(f32::to_bits))
    });
    (told, places.collect())
}

#[test]
fn threads_change_nothing() {
    assert!(
        ComputeTaskPool::try_get().is_none(),
        "there must be no threads yet"
    );
    let (pairs_alone, story_alone, answers_alone) = (pairs(), story(1), answers());
    // Where many colliders push each other, the push-out is split among the threads from the second tick on.
    let throng_alone = story(4);
    let found = answers_alone
        .iter()
        .filter(|answer| answer.contains("point"));
    assert!(found.count() > 5000);
    assert!(pairs_alone.len() > MANY && story_alone.0.len() > MANY);

    let pool = ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(4).build());
    assert_eq!(pool.thread_num(), 4);
    assert_eq!(pairs(), pairs_alone);
    assert_eq!(story(1), story_alone);
    assert!(story(4) == throng_alone, "the throng ends in other places");
    assert!(answers() == answers_alone);
}
