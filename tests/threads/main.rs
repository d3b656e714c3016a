//! The same bits from one thread and from several. This is a program of its own, because Bevy's thread pool stays for good once it exists.
#![allow(
    clippy::disallowed_methods,
    reason = "tests may turn things by any angle"
)]

use std::{
    sync::{Condvar, Mutex},
    thread::{ThreadId, current},
    time::Duration,
};

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

/// Counts the threads on which it is asked.
struct Witness {
    seen: Mutex<Vec<ThreadId>>,
    has_come: Condvar,
    expected: usize,
}

impl Witness {
    fn new(expected: usize) -> Self {
        Self {
            seen: Mutex::default(),
            has_come: Condvar::new(),
            expected,
        }
    }

    /// Notes the current thread, and lets it wait for the others that are expected: else, on a machine with few cores, one thread may have done all the work before another one has woken up.
    fn note(&self) {
        let mut seen = self.seen.lock().expect("no thread panics");
        if seen.contains(&current().id()) {
            return;
        }
        seen.push(current().id());
        self.has_come.notify_all();
        let is_missing = |seen: &mut Vec<ThreadId>| seen.len() < self.expected;
        // The time limit is only for a failure.
        let waited = (self.has_come).wait_timeout_while(seen, Duration::from_secs(20), is_missing);
        drop(waited.expect("no thread panics"));
    }

    fn assert_all_came(self, what: &str) {
        let seen = self.seen.into_inner().expect("no thread panics").len();
        if self.expected == 1 {
            assert_eq!(seen, 1, "{what}");
        } else {
            assert!(seen >= self.expected, "{what}: {seen}");
        }
    }
}

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

/// Returns the pairs in the order in which they are found, by this number of threads or more.
fn pairs(threads: usize) -> Vec<(u32, u32)> {
    let boxes = random_boxes();
    let (still, moving) = boxes.split_at(MANY / 4);
    let mut broad_phase = BroadPhase::default();
    broad_phase.set_still(still);
    let mut found = Found::default();
    let witness = Witness::new(threads);
    let both = |one: &(Extent, u32), other: &(Extent, u32)| {
        witness.note();
        Some((one.1, other.1))
    };
    broad_phase.find(moving, both, &mut found);
    witness.assert_all_came("pairs");
    found.iter().copied().collect()
}

/// Returns what many rays hit, and what is in many areas, by the index alone and in a game.
fn answers(threads: usize) -> Vec<String> {
    let mut random = fastrand::Rng::with_seed(19);
    let mut place = || Vec2::new(random.f32(), random.f32()) * 2500.0;
    let shape = Shape::circle(3.0).expect("valid");
    let shapes: Vec<_> = (0..MANY as u32).map(|key| (key, shape, place())).collect();
    let casts: Vec<_> = (0..5000)
        .map(|_| Cast::ray(place(), place() - place()))
        .collect();
    let index = ShapeIndex::new(shapes.iter().copied());
    let mut told: Vec<String> = Vec::new();
    let witness = Witness::new(threads);
    let hits = index.cast_many(&casts, |_| {
        witness.note();
        true
    });
    witness.assert_all_came("casts");
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

/// What differs between stories.
#[derive(Clone, Copy)]
struct Plot {
    /// Of five colliders so many are dynamic, one is static, and the others are kinematic.
    dynamics: usize,
    has_filter: bool,
}

/// What is reported in some ticks, and all places and velocities after them, to the bit.
type Story = (Vec<String>, Vec<(Entity, [u32; 4])>);

fn story(plot: Plot) -> Story {
    let mut app = App::new();
    app.add_plugins(CollisionPlugin::new(Tick))
        .init_resource::<Time>();
    app.edit_schedule(Tick, |schedule| {
        schedule.set_executor(SingleThreadedExecutor::new());
    });
    if plot.has_filter {
        app.add_collision_filter(|pair: In<Pair>, tags: Query<&CollisionTag>| {
            match tags.get_many([pair.a, pair.b]) {
                Ok([a, b]) if a == b => Verdict::Ignore,
                Ok(_) => Verdict::Respond(Response::Pass),
                Err(_) => Verdict::Collide,
            }
        });
    }
    let mut random = fastrand::Rng::with_seed(18);
    for number in 0..MANY {
        let place = Transform::from_xyz(random.f32() * 2000.0, random.f32() * 2000.0, 0.0);
        let body = match number % 5 {
            0 => Body::Static,
            one if one <= plot.dynamics => Body::Dynamic,
            _ => Body::Kinematic,
        };
        let mut entity = app.world_mut().spawn((place, body));
        if number % 2 == 0 {
            entity.insert(CircleCollider::new(1.0 + random.f32() * 3.0));
        } else {
            entity.insert(BoxCollider::square(2.0 + random.f32() * 6.0));
        }
        match number % 7 {
            1 => _ = entity.insert(Velocity(Vec2::new(random.f32(), random.f32()) * 256.0)),
            2 => _ = entity.insert(Sensor),
            3 => {
                let child = (CircleCollider::new(1.5), Transform::from_xyz(3.0, 1.0, 0.0));
                entity.with_child(child);
            }
            4 => _ = entity.insert(CollisionTag(number as u64 % 3)),
            5 => _ = entity.insert(OneWay::default()),
            _ => {}
        }
    }
    for number in 0..50_u8 {
        let cells = (0..40).map(|cell| IVec2::new(cell % 8, cell / 8 + cell % 3));
        let tiles = TileColliders::from_cells(Vec2::splat(4.0), cells);
        let place = Transform::from_xyz(f32::from(number) * 40.0, random.f32() * 2000.0, 0.0);
        app.world_mut().spawn((tiles, place));
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
        app.world_mut()
            .resource_mut::<Time>()
            .advance_by(Duration::from_millis(16));
        app.world_mut().run_schedule(Tick);
        tell::<CollisionStarted>(&mut app, &mut told);
        tell::<Collision>(&mut app, &mut told);
        tell::<CollisionEnded>(&mut app, &mut told);
        tell::<Crushed>(&mut app, &mut told);
    }
    let mut all = (app.world_mut()).query::<(Entity, &Transform, Option<&Velocity>)>();
    let all = all.iter(app.world()).map(|(entity, transform, velocity)| {
        let [x, y, _] = transform.translation.to_array();
        let velocity = velocity.map_or(Vec2::ZERO, |velocity| velocity.0);
        (entity, [x, y, velocity.x, velocity.y].map(f32::to_bits))
    });
    let all = all.collect();
    (told, all)
}

/// Takes all messages of a kind.
fn tell<M: Message + std::fmt::Debug>(app: &mut App, told: &mut Vec<String>) {
    let mut messages = app.world_mut().resource_mut::<Messages<M>>();
    told.extend(messages.drain().map(|one| format!("{one:?}")));
}

#[test]
fn threads_change_nothing() {
    assert!(
        ComputeTaskPool::try_get().is_none(),
        "there must be no threads yet"
    );
    let (pairs_alone, answers_alone) = (pairs(1), answers(1));
    // Where many colliders push each other, the push-out is split among the threads from the second tick on.
    let plots = [(1, false), (1, true), (4, false)].map(|(dynamics, has_filter)| Plot {
        dynamics,
        has_filter,
    });
    let stories_alone = plots.map(story);
    let found = answers_alone
        .iter()
        .filter(|answer| answer.contains("point"));
    assert!(found.count() > 5000);
    assert!(pairs_alone.len() > MANY);
    for (told, _) in &stories_alone {
        for what in [
            "Collision {",
            "CollisionStarted {",
            "CollisionEnded {",
            "Crushed {",
        ] {
            let count = told.iter().filter(|one| one.starts_with(what)).count();
            assert!(count > 30, "{what} {count}");
        }
    }

    let pool = ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(4).build());
    assert_eq!(pool.thread_num(), 4);
    assert!(pairs(2) == pairs_alone, "other pairs");
    assert!(answers(2) == answers_alone, "other answers");
    for (plot, alone) in plots.into_iter().zip(&stories_alone) {
        let story = story(plot);
        let case = (plot.dynamics, plot.has_filter);
        assert!(story.0 == alone.0, "{case:?}: other reports");
        assert!(story.1 == alone.1, "{case:?}: other places");
    }
}
