//! The same bits from one thread and from several. In a program of its own: Bevy's pool of threads is there for good once it is.

use bevy::{
    ecs::{
        message::Messages,
        schedule::{ScheduleLabel, SingleThreadedExecutor},
    },
    prelude::*,
    tasks::{ComputeTaskPool, TaskPoolBuilder},
};
use bevy_nudge::{
    broad_phase::{BroadPhase, Extent, Found},
    prelude::*,
};

/// More than are worth several threads.
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

/// Pairs in the order in which they are found.
fn pairs() -> Vec<(u32, u32)> {
    let boxes = random_boxes();
    let (still, moving) = boxes.split_at(MANY / 4);
    let mut broad_phase = BroadPhase::default();
    broad_phase.set_still(still);
    let mut found = Found::default();
    broad_phase.find(moving, |one, other| Some((one.1, other.1)), &mut found);
    found.iter().copied().collect()
}

/// All that is told in some ticks, and where everything is then, to the bit.
fn story() -> (Vec<String>, Vec<(Entity, [u32; 2])>) {
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
            1 => Body::Dynamic,
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
        "the first time is for one thread"
    );
    let (pairs_alone, story_alone) = (pairs(), story());
    assert!(pairs_alone.len() > MANY && story_alone.0.len() > MANY);

    let pool = ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(4).build());
    assert_eq!(pool.thread_num(), 4);
    assert_eq!(pairs(), pairs_alone);
    assert_eq!(story(), story_alone);
}
