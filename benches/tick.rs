//! A whole tick of the plugin, from changed `Transform`s to messages, without the rest of the app.

use std::{
    collections::VecDeque,
    hint::black_box,
    time::{Duration, Instant},
};

use bevy::{
    ecs::schedule::{ScheduleLabel, SingleThreadedExecutor},
    prelude::*,
};
use bevy_nudge::prelude::*;
use bevy_nudge_benches::workloads::{
    NAMES, ONE_SWEPT, STRAYED, Spec, TICKS_PER_SECOND, TURN, Workload, is_run_with, workload,
};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Tick;

/// Units a tick, for bodies that the bench moves through their `Transform`s.
#[derive(Component)]
struct Drift(Vec2);

/// Returns the app, and its colliders in the order of the workload's.
fn app(workload: &Workload) -> (App, Vec<Entity>) {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, CollisionPlugin::new(Tick)));
    app.edit_schedule(Tick, |schedule| {
        schedule.set_executor(SingleThreadedExecutor::new());
    });
    app.finish();
    app.cleanup();
    let time = Duration::from_secs(1) / TICKS_PER_SECOND;
    app.world_mut().resource_mut::<Time>().advance_by(time);
    let specs = workload.specs.iter();
    let entities: Vec<Entity> = specs
        .map(|spec| spawn(app.world_mut(), spec, workload))
        .collect();
    if workload.name == ONE_SWEPT {
        let velocity = Velocity(workload.specs[0].way() * TICKS_PER_SECOND as f32);
        let mut first = app.world_mut().entity_mut(entities[0]);
        first.remove::<Drift>().insert((velocity, Response::Pass));
    }
    (app, entities)
}

fn spawn(world: &mut World, spec: &Spec, workload: &Workload) -> Entity {
    let mut entity = world.spawn(Transform::from_xyz(spec.x, spec.y, 0.0));
    workload.insert_nudge(&mut entity, spec);
    if workload.by_velocity && !spec.is_static {
        entity.insert(Velocity(spec.way() * TICKS_PER_SECOND as f32));
    } else if !spec.is_static {
        entity.insert(Drift(spec.way()));
    }
    entity.id()
}

/// Clears change trackers and messages, as Bevy does in each frame.
fn clear(world: &mut World) {
    world.clear_trackers();
    world.resource_mut::<Messages<Collision>>().clear();
    world.resource_mut::<Messages<CollisionStarted>>().clear();
    world.resource_mut::<Messages<CollisionEnded>>().clear();
    world.resource_mut::<Messages<Crushed>>().clear();
}

/// Moves the bodies that the game moves, and turns those that their velocities move.
fn drift(world: &mut World, workload: &Workload, is_turn: bool) {
    let motion = workload.motion;
    let mut drifting = world.query::<(&mut Drift, &mut Transform)>();
    for (mut drift, mut transform) in drifting.iter_mut(world) {
        drift.0 = motion.next_way(drift.0, transform.translation.truncate(), is_turn);
        transform.translation += drift.0.extend(0.0);
    }
    let mut flying = world.query::<(&mut Velocity, &Transform)>();
    for (mut velocity, transform) in flying.iter_mut(world) {
        let place = transform.translation.truncate();
        if let Some(next) = motion.next_velocity(velocity.0, place, is_turn) {
            velocity.0 = next;
        }
    }
}

/// Moves all bodies, and returns the time of the tick alone.
fn clocked(app: &mut App, workload: &Workload, is_turn: bool) -> Duration {
    drift(app.world_mut(), workload, is_turn);
    timed(app)
}

/// Runs a tick, and returns its time.
fn timed(app: &mut App) -> Duration {
    let start = Instant::now();
    app.world_mut().run_schedule(Tick);
    let spent = start.elapsed();
    clear(app.world_mut());
    spent
}

fn warmed_up(name: &str, count: usize) -> (App, Workload) {
    let workload = workload(name, count);
    let (mut app, _) = app(&workload);
    for _ in 0..workload.warm_up() {
        clocked(&mut app, &workload, false);
    }
    (app, workload)
}

fn tick(criterion: &mut Criterion) {
    for name in NAMES.into_iter().chain([STRAYED, ONE_SWEPT]) {
        let mut group = criterion.benchmark_group(format!("tick/{name}"));
        group.sample_size(20);
        let counts = [50, 1_000, 10_000, 100_000].into_iter();
        for count in counts.filter(|count| is_run_with(name, *count)) {
            // Set up only if this benchmark is selected.
            let mut world = None;
            let mut tick = 0_u32;
            group.throughput(Throughput::Elements(count as u64));
            group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
                let (app, workload) = world.get_or_insert_with(|| warmed_up(name, count));
                bencher.iter_custom(|ticks| {
                    let mut spent = Duration::ZERO;
                    for _ in 0..ticks {
                        tick += 1;
                        let is_turn = tick.is_multiple_of(TURN);
                        spent += clocked(app, workload, is_turn);
                    }
                    spent
                });
            });
        }
        group.finish();
    }
}

/// Before each tick, a tenth of 100,000 colliders is despawned, and as many are spawned; only the tick is measured, as above.
fn churn(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tick/churn");
    group.sample_size(20);
    for name in ["swarm", "mostly_static"] {
        let workload = workload(name, 100_000);
        let (mut app, entities) = app(&workload);
        let mut all: VecDeque<(Entity, Spec)> =
            entities.into_iter().zip(workload.specs.clone()).collect();
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|ticks| {
                let mut spent = Duration::ZERO;
                for _ in 0..ticks {
                    for _ in 0..10_000 {
                        let Some((gone, spec)) = all.pop_front() else {
                            continue;
                        };
                        app.world_mut().despawn(gone);
                        all.push_back((spawn(app.world_mut(), &spec, &workload), spec));
                    }
                    spent += clocked(&mut app, &workload, false);
                }
                spent
            });
        });
    }
    group.finish();
}

/// Twenty bodies that press each other by their velocities, in front of a level of tiles that they never touch. The level is made of single boxes, of a grid, and of a grid whose cells have been removed and put back. Every other cell is filled, so that none is merged.
fn tiles(criterion: &mut Criterion) {
    let nobody = Workload {
        specs: Vec::new(),
        ..workload("swarm", 50)
    };
    for count in [1_000, 10_000, 100_000] {
        let mut group = criterion.benchmark_group(format!("tick/tiles/{count}"));
        group.sample_size(20);
        let side = f64::from(2 * count).sqrt() as i32;
        let cells = (0..side * side).map(|number| IVec2::new(number % side, number / side));
        let cells: Vec<IVec2> = cells.filter(|cell| (cell.x + cell.y) % 2 == 0).collect();
        for name in ["boxes", "a grid", "a grid that has changed"] {
            let (mut app, _) = app(&nobody);
            for number in 0..20 {
                let place = Transform::from_xyz(5.0 * number as f32, -500.0, 0.0);
                let walker = (CircleCollider::new(4.0), Velocity::default(), place);
                app.world_mut().spawn(walker);
            }
            let tile = Vec2::splat(16.0);
            if name == "boxes" {
                let boxes = cells.iter().map(|cell| {
                    let place = (cell.as_vec2() * tile + tile * 0.5).extend(0.0);
                    let tile = BoxCollider::new(tile.x, tile.y);
                    (tile, Body::Static, Transform::from_translation(place))
                });
                app.world_mut().spawn_batch(boxes.collect::<Vec<_>>());
            } else {
                let grid = TileColliders::from_cells(tile, cells.iter().copied());
                let grid = app.world_mut().spawn(grid).id();
                let changes = if name == "a grid" { 0 } else { 2 };
                for change in 0..changes {
                    timed(&mut app);
                    let mut grid = app.world_mut().get_mut::<TileColliders>(grid);
                    let grid = grid.as_mut().expect("it was spawned");
                    let some = cells.iter().step_by(7);
                    some.for_each(|cell| grid.set(*cell, change == 1));
                }
            }
            let seek = |app: &mut App| {
                let mut walkers = app.world_mut().query::<(&mut Velocity, &Transform)>();
                for (mut velocity, transform) in walkers.iter_mut(app.world_mut()) {
                    let way = Vec2::new(50.0, -500.0) - transform.translation.truncate();
                    velocity.0 = way.clamp_length_max(1.0) * TICKS_PER_SECOND as f32;
                }
                timed(app)
            };
            for _ in 0..60 {
                seek(&mut app);
            }
            group.bench_function(name, |bencher| {
                bencher.iter_custom(|ticks| (0..ticks).map(|_| seek(&mut app)).sum());
            });
        }
        group.finish();
    }
}

/// The cost of reports to the game: by messages alone, to global observers and observers of each entity, in components; and the cost of a filter. With 10,000 colliders that all move.
fn telling(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tick/telling");
    let workload = workload("swarm", 10_000);
    type Listen = fn(&mut App, &[Entity]);
    let ways: [(&str, Listen); 6] = [
        ("messages alone", |_, _| {}),
        ("an observer of all that starts", |app, _| {
            app.add_observer(|hit: On<CollisionStarted>| _ = black_box(hit.normal));
        }),
        ("an observer of all collisions", |app, _| {
            app.add_observer(|hit: On<Collision>| _ = black_box(hit.normal));
        }),
        ("an observer of collisions on each", |app, all| {
            for &entity in all {
                let mut entity = app.world_mut().entity_mut(entity);
                entity.observe(|hit: On<Collision>| _ = black_box(hit.normal));
            }
        }),
        ("CollidingWith on each", |app, all| {
            for &entity in all {
                app.world_mut()
                    .entity_mut(entity)
                    .insert(CollidingWith::default());
            }
        }),
        ("a filter", |app, _| {
            app.add_collision_filter(|In(pair): In<Pair>| {
                black_box(pair);
                Verdict::Collide
            });
        }),
    ];
    for (name, listen) in ways {
        let (mut app, all) = app(&workload);
        listen(&mut app, &all);
        let mut tick = 0_u32;
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|ticks| {
                let mut spent = Duration::ZERO;
                for _ in 0..ticks {
                    tick += 1;
                    spent += clocked(&mut app, &workload, tick.is_multiple_of(TURN));
                }
                spent
            });
        });
    }
    group.finish();
}

criterion_group!(benches, tick, churn, tiles, telling);
criterion_main!(benches);
