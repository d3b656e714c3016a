//! A steady game allocates nothing: once all buffers have grown, ticks run without a single call of the allocator. A changing game frees what it has allocated.
#![allow(
    clippy::disallowed_methods,
    reason = "tests may turn things by any angle"
)]

#[path = "../common/mod.rs"]
mod common;

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicI64, AtomicU64, Ordering},
};

use bevy::{
    ecs::{
        schedule::{ScheduleLabel, SingleThreadedExecutor},
        system::RunSystemOnce,
    },
    prelude::*,
};
use bevy_nudge::{memory::CollisionMemory, prelude::*, recorder::Recording};

/// The system's allocator, with counters.
struct Counting;

static CALLS: AtomicU64 = AtomicU64::new(0);
/// Bytes that are allocated and not freed.
static LIVE: AtomicI64 = AtomicI64::new(0);
/// The largest number of live bytes so far.
static MOST: AtomicI64 = AtomicI64::new(0);

/// Counts bytes that are allocated in addition.
fn note(size: i64) {
    let live = LIVE.fetch_add(size, Ordering::Relaxed) + size;
    MOST.fetch_max(live, Ordering::Relaxed);
}

#[expect(unsafe_code, reason = "the only way to see what is allocated")]
// SAFETY: every call is forwarded unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        note(layout.size() as i64);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        note(size as i64 - layout.size() as i64);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Tick;

/// What a game does before the tick.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Game;

/// The circle on which a collider moves.
#[derive(Component)]
struct Orbit {
    center: Vec2,
    radius: f32,
}

/// An app that ticks only when its schedule is run, on one thread.
fn ticking_app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, CollisionPlugin::new(Tick)))
        .edit_schedule(Tick, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        });
    app.finish();
    app.cleanup();
    app
}

/// Clears the messages, as Bevy does in each frame.
fn forget_messages(app: &mut App) {
    let world = app.world_mut();
    world.resource_mut::<Messages<Collision>>().clear();
    world.resource_mut::<Messages<CollisionStarted>>().clear();
    world.resource_mut::<Messages<CollisionEnded>>().clear();
}

/// Returns how many calls of the allocator the plugin makes in 64 ticks, after it has run the same ticks twice.
fn calls(body: Body) -> u64 {
    let mut app = ticking_app();
    let mut random = fastrand::Rng::with_seed(3);
    for number in 0..1500 {
        let mut place = || random.f32() * 300.0;
        let center = Vec2::new(place(), place());
        let body = if number % 3 == 0 { Body::Static } else { body };
        let mut entity = app
            .world_mut()
            .spawn((body, Transform::from_translation(center.extend(0.0))));
        if number % 2 == 0 {
            entity.insert(CircleCollider::new(2.0));
        } else {
            entity.insert(BoxCollider::square(4.0));
        }
        if body != Body::Static {
            let radius = 4.0 * (number % 7) as f32 / 7.0;
            entity.insert(Orbit { center, radius });
        }
    }
    let mut orbits = app.world_mut().query::<(Entity, &Orbit, &mut Transform)>();
    // One entity has `CollidingWith`.
    let (asks, ..) = orbits.iter(app.world()).next().expect("some move");
    app.world_mut()
        .entity_mut(asks)
        .insert(CollidingWith::default());
    let mut counted = 0;
    for tick in 0..3 * 64 {
        let turn = Vec2::from_angle((tick % 64) as f32 / 64.0 * std::f32::consts::TAU);
        for (_, orbit, mut transform) in orbits.iter_mut(app.world_mut()) {
            transform.translation = (orbit.center + turn * orbit.radius).extend(0.0);
        }
        let before = CALLS.load(Ordering::Relaxed);
        app.world_mut().run_schedule(Tick);
        if tick >= 2 * 64 {
            counted += CALLS.load(Ordering::Relaxed) - before;
        }
        let found = app.world().resource::<Messages<Collision>>().len();
        assert!(found > 100, "a tick without collisions tests nothing");
        forget_messages(&mut app);
    }
    counted
}

/// Returns the same for bodies that seek one point by their velocities and press each other around it, after they have come to rest there.
fn calls_in_a_throng() -> u64 {
    let mut app = ticking_app();
    let tick = std::time::Duration::from_secs(1) / 64;
    app.world_mut().resource_mut::<Time>().advance_by(tick);
    let mut random = fastrand::Rng::with_seed(4);
    for _ in 0..150 {
        let [x, y] = [(); 2].map(|()| random.f32() * 240.0 - 120.0);
        let place = Transform::from_xyz(x, y, 0.0);
        app.world_mut()
            .spawn((BoxCollider::square(12.0), Velocity::default(), place));
    }
    let mut seekers = app.world_mut().query::<(&mut Velocity, &Transform)>();
    let mut counted = 0;
    for tick in 0..600 {
        for (mut velocity, transform) in seekers.iter_mut(app.world_mut()) {
            let way = -transform.translation.truncate();
            velocity.0 = way.clamp_length_max(1.5) * 64.0;
        }
        let before = CALLS.load(Ordering::Relaxed);
        app.world_mut().run_schedule(Tick);
        if tick >= 500 {
            counted += CALLS.load(Ordering::Relaxed) - before;
            let found = app.world().resource::<Messages<Collision>>().len();
            assert!(found > 250, "{found} press each other: no throng");
        }
        forget_messages(&mut app);
    }
    counted
}

/// How often an observer was called, a walker was moved, and a cast hit something.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
struct Counts {
    observed: u32,
    walked: u32,
    hit: u32,
}

#[derive(Component)]
struct Walker;

/// Moves the walkers along their orbits by a `Mover`, where nothing is in the way.
fn walk(
    mover: Mover,
    mut walkers: Query<(Entity, &Orbit, &mut Transform), With<Walker>>,
    mut tick: Local<u32>,
    mut counts: ResMut<Counts>,
) {
    let way = turn(*tick + 1) - turn(*tick);
    *tick += 1;
    for (walker, orbit, mut place) in &mut walkers {
        let way = way * orbit.radius;
        let moved = mover.move_and_slide(walker, &mut place, way, &MoveOptions::default());
        counts.walked += u32::from(moved.is_some_and(|moved| moved.motion == way));
    }
}

/// Casts twenty rays, and keeps what they hit.
fn look(space: SpatialQuery, mut seen: Local<Vec<Entity>>, mut counts: ResMut<Counts>) {
    seen.clear();
    for number in 0..20_u8 {
        let from = Vec2::new(-50.0, 95.0 * f32::from(number));
        let cast = space.cast_ray(from, Vec2::new(1900.0, 0.0), &QueryFilter::ALL);
        let _ = cast.each(|hit| {
            seen.push(hit.entity);
            std::ops::ControlFlow::Continue(())
        });
    }
    counts.hit += seen.len() as u32;
}

/// Returns the direction in a tick; 64 ticks are a full turn.
fn turn(tick: u32) -> Vec2 {
    Vec2::from_angle((tick % 64) as f32 / 64.0 * std::f32::consts::TAU)
}

/// Returns the same for a world with some of everything: 200 places with a ball that bounces between two walls, a body with a child over a sensor, one that goes up and down through a ledge, a belt with a rider, tiles, pairs that a filter lets pass, and a walker; with casts, and with an observer.
fn calls_of_all() -> u64 {
    let mut app = ticking_app();
    let time = std::time::Duration::from_secs(1) / 64;
    app.world_mut().resource_mut::<Time>().advance_by(time);
    app.init_resource::<Counts>()
        .add_systems(Game, walk)
        .add_systems(Tick, look.before(CollisionSystems::All))
        .add_collision_filter(|pair: In<Pair>, tags: Query<&CollisionTag>| {
            match tags.get_many([pair.a, pair.b]) {
                Ok([a, b]) if a == b => Verdict::Respond(Response::Pass),
                _ => Verdict::Collide,
            }
        });
    for number in 0..200_u8 {
        let corner = Vec2::new(f32::from(number % 20), f32::from(number / 20)) * 100.0;
        let at =
            |x: f32, y: f32| Transform::from_translation((corner + Vec2::new(x, y)).extend(0.0));
        let orbit = |x: f32, y: f32| Orbit {
            center: corner + Vec2::new(x, y),
            radius: 6.0,
        };
        let world = app.world_mut();
        for x in [0.0, 40.0] {
            world.spawn((BoxCollider::new(4.0, 8.0), Body::Static, at(x, 0.0)));
        }
        // Bodies without a collider, which are pictures alone.
        for (way, y) in [(Vec2::X, 50.0), (Vec2::ZERO, 60.0)] {
            let picture = (Body::Kinematic, Velocity(way), at(0.0, y));
            world.spawn((picture, children![Transform::default()]));
        }
        // There and back in 32 ticks.
        let ball = (CircleCollider::new(2.0), Response::bounce(1.0));
        world.spawn((ball, Velocity(Vec2::X * 128.0), at(20.0, 0.0)));
        world.spawn((CircleCollider::new(4.0), Sensor, at(60.0, 0.0)));
        let arm = (CircleCollider::new(2.0), Transform::from_xyz(6.0, 0.0, 0.0));
        world.spawn((
            Body::Kinematic,
            at(60.0, 0.0),
            orbit(60.0, 0.0),
            children![arm],
        ));
        let ledge = (BoxCollider::new(20.0, 2.0), Body::Static, OneWay::default());
        world.spawn((ledge, at(0.0, 30.0)));
        world.spawn((CircleCollider::new(2.0), at(0.0, 30.0), orbit(0.0, 30.0)));
        let belt = (BoxCollider::new(40.0, 4.0), SurfaceVelocity::default());
        world.spawn((belt, Body::Static, at(40.0, 30.0)));
        let rider = (
            BoxCollider::square(4.0),
            Rider::default(),
            Velocity::default(),
        );
        let mut rider = world.spawn((rider, at(40.0, 34.0)));
        if number == 0 {
            rider.observe(|_: On<Collision>, mut counts: ResMut<Counts>| counts.observed += 1);
        }
        let cells = [IVec2::ZERO, IVec2::X, IVec2::Y].into_iter();
        world.spawn((
            TileColliders::from_cells(Vec2::splat(8.0), cells),
            at(70.0, 30.0),
        ));
        let ghost = (CircleCollider::new(4.0), CollisionTag(1), at(0.0, 60.0));
        world.spawn((ghost, Body::Static));
        let ghost = (CircleCollider::new(4.0), CollisionTag(1), at(0.0, 60.0));
        world.spawn((ghost, orbit(0.0, 60.0)));
        let walker = (BoxCollider::square(4.0), Walker, at(46.0, 60.0));
        world.spawn((walker, orbit(40.0, 60.0)));
    }
    type Orbits<'a> = (&'a Orbit, &'a mut Transform);
    let mut orbits = app.world_mut().query_filtered::<Orbits, Without<Walker>>();
    let mut belts = app.world_mut().query::<&mut SurfaceVelocity>();
    let (mut counted, mut before_all) = (0, Counts::default());
    for tick in 0..3 * 64 {
        let turn = turn(tick);
        for (orbit, mut transform) in orbits.iter_mut(app.world_mut()) {
            transform.translation = (orbit.center + turn * orbit.radius).extend(0.0);
        }
        for mut belt in belts.iter_mut(app.world_mut()) {
            belt.0.x = turn.x * 32.0;
        }
        if tick == 2 * 64 {
            before_all = *app.world().resource::<Counts>();
        }
        // A `Mover` returns lists, and so it allocates.
        app.world_mut().run_schedule(Game);
        let before = CALLS.load(Ordering::Relaxed);
        app.world_mut().run_schedule(Tick);
        if tick >= 2 * 64 {
            counted += CALLS.load(Ordering::Relaxed) - before;
        }
        forget_messages(&mut app);
    }
    let counts = *app.world().resource::<Counts>();
    assert_eq!(counts.observed - before_all.observed, 64);
    assert_eq!(counts.walked - before_all.walked, 64 * 200);
    assert!(counts.hit - before_all.hit > 64 * 100, "{counts:?}");
    counted
}

/// A small world in which everything changes: entities come and go, with names and observers, and change what they ignore, whether they are disabled, and their parents.
struct Restless {
    app: App,
    all: Vec<Entity>,
    random: fastrand::Rng,
}

impl Restless {
    fn new() -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, CollisionPlugin::new(Tick)))
            .edit_schedule(Tick, |schedule| {
                schedule.set_executor(SingleThreadedExecutor::new());
            })
            .add_collision_filter(|In(pair): In<Pair>| {
                if pair.a.index_u32() % 5 == pair.b.index_u32() % 5 {
                    Verdict::Ignore
                } else {
                    Verdict::Collide
                }
            });
        app.finish();
        app.cleanup();
        Self {
            app,
            all: Vec::new(),
            random: fastrand::Rng::with_seed(5),
        }
    }

    fn tick(&mut self) {
        let Self { app, all, random } = self;
        let place = Vec2::new(random.f32(), random.f32()) * 30.0;
        let place = Transform::from_translation(place.extend(0.0));
        let index = random.usize(0..all.len().max(1));
        let Some(&one) = all.get(index) else {
            return self.spawn(place);
        };
        match random.u32(0..12) {
            0 => {
                // Its children are despawned with it.
                app.world_mut().despawn(one);
                all.retain(|one| app.world().get_entity(*one).is_ok());
            }
            1 | 2 if all.len() < 12 => self.spawn(place),
            3 => _ = app.world_mut().entity_mut(one).insert(ColliderDisabled),
            4 => _ = app.world_mut().entity_mut(one).remove::<ColliderDisabled>(),
            5 => {
                _ = app
                    .world_mut()
                    .entity_mut(one)
                    .insert(IgnoreCollisions::family())
            }
            6 => _ = app.world_mut().entity_mut(one).remove::<IgnoreCollisions>(),
            7 if index > 0 => _ = app.world_mut().entity_mut(one).insert(ChildOf(all[0])),
            8 => _ = app.world_mut().entity_mut(one).remove::<ChildOf>(),
            9 => {
                _ = app
                    .world_mut()
                    .entity_mut(one)
                    .insert(Velocity(Vec2::X * 9.0))
            }
            10 => {
                _ = app
                    .world_mut()
                    .entity_mut(one)
                    .insert(CircleCollider::new(-1.0))
            }
            11 => {
                _ = app
                    .world_mut()
                    .entity_mut(one)
                    .insert(CircleCollider::new(4.0))
            }
            _ => _ = app.world_mut().entity_mut(one).insert(place),
        }
        let world = self.app.world_mut();
        world.run_schedule(Tick);
        world.clear_trackers();
        world.resource_mut::<Messages<Collision>>().clear();
        world.resource_mut::<Messages<CollisionStarted>>().clear();
        world.resource_mut::<Messages<CollisionEnded>>().clear();
        world.resource_mut::<Messages<Crushed>>().clear();
    }

    fn spawn(&mut self, place: Transform) {
        let layers = CollisionLayers::new(1 << self.random.u32(0..2), u32::MAX);
        let mut one = self.app.world_mut().spawn((
            CircleCollider::new(4.0),
            place,
            layers,
            CollidingWith::default(),
            Name::new(format!("the {}th", self.random.u32(..))),
        ));
        one.observe(|ended: On<CollisionEnded>| assert!(ended.depth >= 0.0));
        self.all.push(one.id());
    }
}

/// Returns how many calls of the allocator the plugin makes in 64 ticks in which a hundred colliders come, or those of the tick before go.
fn calls_for_a_stream() -> u64 {
    let mut app = ticking_app();
    let mut counted = 0;
    for tick in 0..3 * 64 {
        if tick % 2 == 0 {
            for number in 0..100_u8 {
                let place = Transform::from_xyz(f32::from(number) * 50.0, 0.0, 0.0);
                app.world_mut().spawn((CircleCollider::new(1.0), place));
            }
        } else {
            let mut all = app.world_mut().query_filtered::<Entity, With<Body>>();
            let all: Vec<Entity> = all.iter(app.world()).collect();
            assert_eq!(all.len(), 100, "nothing comes and goes");
            for one in all {
                app.world_mut().despawn(one);
            }
        }
        let before = CALLS.load(Ordering::Relaxed);
        app.world_mut().run_schedule(Tick);
        if tick >= 2 * 64 {
            counted += CALLS.load(Ordering::Relaxed) - before;
        }
    }
    counted
}

/// Returns how many more bytes a world that has already run long takes in the second half of so many ticks.
fn grown(ticks: u32) -> i64 {
    let mut restless = Restless::new();
    let largest = |restless: &mut Restless, ticks: u32| {
        let largest = (0..ticks).map(|_| {
            restless.tick();
            LIVE.load(Ordering::Relaxed)
        });
        largest.max().expect("some ticks")
    };
    let early = largest(&mut restless, ticks / 2);
    largest(&mut restless, ticks / 2) - early
}

/// Asserts that a changing world does not grow: a leak of a byte a tick would show. Some kilobytes are tables of the ECS that a rare mix of components creates late.
fn does_not_grow(ticks: u32) {
    let grown = grown(ticks);
    assert!(grown < 32_000, "{grown} bytes more");
}

/// Returns how many bytes are kept when entities come and go without a tick, as in a menu or an editor for an hour.
fn grown_without_ticks(changes: u32) -> i64 {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, CollisionPlugin::new(Tick)));
    app.finish();
    app.cleanup();
    let known = app.world_mut().spawn(CircleCollider::new(4.0)).id();
    app.world_mut().run_schedule(Tick);
    let mut change = || {
        let world = app.world_mut();
        let one = (CircleCollider::new(4.0), Sensor, Name::new("one"));
        let one = world.spawn(one).id();
        world.despawn(one);
        world.entity_mut(known).insert(Sensor).remove::<Sensor>();
        world.clear_trackers();
    };
    change();
    let before = LIVE.load(Ordering::Relaxed);
    (0..changes).for_each(|_| change());
    LIVE.load(Ordering::Relaxed) - before
}

/// Returns how many bytes are taken, and kept, for a broom that pushes so many crates without a `Velocity` at once.
fn taken_by_a_broom(crates: u16) -> i64 {
    let mut app = ticking_app();
    let tick = std::time::Duration::from_secs(1) / 64;
    app.world_mut().resource_mut::<Time>().advance_by(tick);
    let length = 8.0 * f32::from(crates);
    let broom = (BoxCollider::new(4.0, length + 80.0), Body::Kinematic);
    app.world_mut()
        .spawn((broom, Velocity(Vec2::new(64.0, 0.0))));
    for number in 0..crates {
        let place = Transform::from_xyz(5.5, 8.0 * f32::from(number) - length * 0.5, 0.0);
        app.world_mut().spawn((CircleCollider::new(3.0), place));
    }
    let before = LIVE.load(Ordering::Relaxed);
    for _ in 0..4 {
        app.world_mut().run_schedule(Tick);
        let met = app.world().resource::<Messages<Collision>>().len();
        assert_eq!(met, usize::from(crates), "it pushes all of them");
        forget_messages(&mut app);
    }
    LIVE.load(Ordering::Relaxed) - before
}

/// Returns how many bytes a `CollisionMemory` of so many colliders takes in a world with so many other entities.
fn taken_by_a_memory(colliders: u16, others: u32) -> i64 {
    let mut app = ticking_app();
    (0..others).for_each(|_| _ = app.world_mut().spawn_empty());
    for number in 0..colliders {
        let place = Transform::from_xyz(1.5 * f32::from(number), 0.0, 0.0);
        app.world_mut().spawn((CircleCollider::new(1.0), place));
    }
    app.world_mut().run_schedule(Tick);
    let before = LIVE.load(Ordering::Relaxed);
    let memory = CollisionMemory::of(app.world());
    let taken = LIVE.load(Ordering::Relaxed) - before;
    drop(memory);
    taken
}

/// Encodes a number as in a recording: 7 bits in each byte, and one bit that says whether more follow.
fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 1 << 7 {
        bytes.push(number as u8 | 1 << 7);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// Returns a file with one tick, in which an entity has the largest index and the largest slot that are allowed.
fn far_out() -> Vec<u8> {
    let (index, slot) = ((1 << 24) - 1, (1 << 21) - 1);
    let entity = Entity::from_raw_u32(index).expect("it is not reserved");
    let mut key = vec![0, 0, 0]; // tick, nanoseconds, settings
    key.extend([0, 1]); // one entity is added
    key.extend(varint(entity.to_bits()));
    key.extend([0; 7]); // no other changes
    key.extend([1]); // one slot
    key.extend(varint(slot));
    key.extend([1]);
    key.extend(varint(index.into()));
    key.extend(varint(slot)); // the slot of its body
    key.extend([0; 4 + 3 + 2 + 2 + 2 + 2]); // a body without a collider
    key.extend([0; 6 + 9]); // and nothing else in the outcome
    let mut body = vec![1]; // one segment
    body.extend(varint(key.len() as u64));
    body.extend(key);
    body.extend([0]); // without further ticks
    let mut file = b"nudgerec".to_vec();
    file.extend(6_u32.to_le_bytes());
    file.extend(crc32fast::hash(&body).to_le_bytes());
    file.extend(body);
    file
}

/// Returns how many bytes are taken at most while that file is read.
fn taken_by_who_is_far_out() -> i64 {
    let file = far_out();
    let before = LIVE.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let read = Recording::from_bytes(&file);
    assert_eq!(read.expect("the file is valid").len(), 1);
    MOST.load(Ordering::Relaxed) - before
}

/// Returns how many bytes are taken at most while a mover looks ahead for a body that carries a sensor, with so many pebbles in the sensor and out of the body's way.
fn taken_by_a_look_ahead(pebbles: u16) -> i64 {
    let mut app = ticking_app();
    let body = (CircleCollider::new(3.0), Body::Kinematic);
    let body = app.world_mut().spawn(body).id();
    let sight = (CircleCollider::new(400.0), Sensor, ChildOf(body));
    app.world_mut().spawn(sight);
    for number in 0..pebbles {
        let place = Transform::from_xyz(0.25 * f32::from(number) - 125.0, 200.0, 0.0);
        app.world_mut()
            .spawn((CircleCollider::new(1.0), Body::Static, place));
    }
    app.world_mut().run_schedule(Tick);
    let look = move |mover: Mover| {
        let before = LIVE.load(Ordering::Relaxed);
        MOST.store(before, Ordering::Relaxed);
        let way = Vec2::new(1.0, 0.0);
        let moved = mover.project(body, Vec2::ZERO, way, &MoveOptions::default());
        assert_eq!(moved.map(|moved| moved.position), Some(way));
        MOST.load(Ordering::Relaxed) - before
    };
    app.world_mut().run_system_once(look).expect("it runs")
}

/// This is one test, because the counts are those of the whole program.
#[test]
fn a_steady_tick_allocates_nothing_and_a_changing_world_does_not_grow() {
    assert_eq!(calls_in_a_throng(), 0, "a throng");
    assert_eq!(calls(Body::Kinematic), 0, "reports only");
    assert_eq!(calls(Body::Dynamic), 0, "pushed apart");
    assert_eq!(calls_of_all(), 0, "some of everything");
    assert_eq!(calls_for_a_stream(), 0, "many that come and go");
    does_not_grow(100_000);
    let grown = grown_without_ticks(100_000);
    assert!(grown < 32_000, "{grown} bytes more without a tick");
    let [some, many] = [250, 1000].map(taken_by_a_broom);
    assert!(many < 8 * some, "{some} bytes for 250, {many} for 1000");
    let memory = taken_by_a_memory(50, 200_000);
    // They overlap, so all of them are pushed.
    assert!(memory < (200 + 12) * 50, "{memory} bytes for 50 colliders");
    let [none, many] = [0, 1000].map(taken_by_a_look_ahead);
    assert_eq!(none, many, "bytes for none in the sensor, and for 1000");
    let read = taken_by_who_is_far_out();
    assert!(read < 2_000_000, "{read} bytes for one that is far out");
}

#[test]
#[ignore = "takes a minute: `.ci/run` asks for it"]
fn a_million_ticks_of_a_changing_world_do_not_grow() {
    does_not_grow(1_000_000);
}
