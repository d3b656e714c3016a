//! Going back to an earlier tick, as games with rollback do: the following ticks are the same, to the bit.

use bevy::{
    ecs::{
        entity::{EntityHashMap, MapEntities},
        entity_disabling::Disabled,
        system::RunSystemOnce,
    },
    prelude::*,
};
use bevy_nudge::{
    kernel::Outline,
    memory::CollisionMemory,
    prelude::*,
    tiles::{MergedFrom, MergedTiles},
};
use fastrand::Rng;

use crate::common::{app, at, log::Log, place, take, wall};

/// The components of an entity that the game itself keeps.
type Kept = (
    Transform,
    Option<Velocity>,
    Option<Swept>,
    Option<Rider>,
    Option<CircleCollider>,
);

/// Everything that can differ between two ticks: the bits of all places and velocities, the messages, and the partners.
#[derive(Debug, PartialEq)]
struct Told {
    places: Vec<(Entity, [u32; 4])>,
    started: Vec<CollisionStarted>,
    ended: Vec<CollisionEnded>,
    ongoing: Vec<Collision>,
    partners: Vec<(Entity, Vec<Entity>)>,
    nearest: Vec<Near>,
    midway: Vec<Near>,
    standing: Vec<Standing>,
}

/// How many solid colliders a body touches, and whether it stands.
type Standing = (Entity, usize, bool);

/// The collider nearest to some place, and the bits of its distance.
type Near = Option<(Entity, u32)>;

/// The results of queries between `Gather` and `Detect`.
#[derive(Resource, Default)]
struct Midway(Vec<Near>);

fn ask(space: SpatialQuery) -> Vec<Near> {
    let places = (0..20).map(|x| Vec2::new(20.0 * x as f32 - 200.0, 7.0 * x as f32 - 70.0));
    let nearest = places.map(|place| {
        let near = space.nearest(place, 30.0, &QueryFilter::SOLID)?;
        Some((near.entity, near.distance.to_bits()))
    });
    nearest.collect()
}

fn ask_for_floors(collisions: Collisions, bodies: Query<Entity, With<Velocity>>) -> Vec<Standing> {
    let bodies = bodies.iter().map(|body| {
        let solid = collisions.solid_of(body).count();
        (body, solid, collisions.is_on_floor(body))
    });
    let mut bodies: Vec<Standing> = bodies.collect();
    bodies.sort_unstable();
    bodies
}

fn ask_midway(space: SpatialQuery, mut midway: ResMut<Midway>) {
    midway.0.extend(ask(space));
}

/// Falls, and goes down through ledges in some ticks.
#[derive(Component)]
struct Dropper;

/// Walks by a `Mover`, and pushes what is in its way.
#[derive(Component)]
struct Pusher;

/// Those with tags 1 and 2 pass each other.
fn pass_by_tags(pair: In<Pair>, tags: Query<&CollisionTag>) -> Verdict {
    match tags.get_many([pair.a, pair.b]) {
        Ok([a, b]) if a != b => Verdict::Respond(Response::Pass),
        _ => Verdict::Collide,
    }
}

/// Contains everything that one tick takes over from another: lifts with riders and stacks, a belt, ledges that some drop through, sensors, heaps, bodies of several parts, swept bodies, some bullets, pairs that a filter lets pass, and a walker that pushes.
fn lively_world(random: &mut Rng) -> App {
    let mut app = app();
    app.insert_resource(Time::<Fixed>::from_hz(64.0));
    let midway = (
        ask_midway
            .after(CollisionSystems::Gather)
            .before(CollisionSystems::Sweep),
        ask_midway
            .after(CollisionSystems::Sweep)
            .before(CollisionSystems::Detect),
    );
    app.init_resource::<Midway>()
        .add_systems(FixedPostUpdate, midway)
        .add_collision_filter(pass_by_tags);
    let world = app.world_mut();
    world.spawn(BoundsCollider::new(400.0, 300.0));
    for number in 0..3 {
        let lift = (BoxCollider::new(60.0, 8.0), Body::Kinematic);
        let way = Velocity(Vec2::new(20.0 - 15.0 * number as f32, 10.0));
        let place = at(-120.0 + 110.0 * number as f32, -60.0);
        world.spawn((lift, way, place, CollisionTag(1)));
    }
    for (x, y) in [(-100.0, 30.0), (0.0, 60.0), (100.0, 90.0)] {
        let ledge = (BoxCollider::new(80.0, 4.0), Body::Static);
        world.spawn((ledge, OneWay::default(), at(x, y)));
        for number in 0..3 {
            let dropper = (BoxCollider::square(8.0), Velocity::default(), Dropper);
            world.spawn((dropper, at(x + 20.0 * number as f32 - 30.0, y + 30.0)));
        }
    }
    let belt = (BoxCollider::new(120.0, 8.0), Body::Static, at(60.0, -100.0));
    world.spawn((belt, SurfaceVelocity(Vec2::new(-40.0, 0.0))));
    let pusher = (BoxCollider::new(8.0, 16.0), Pusher, at(-180.0, -110.0));
    world.spawn(pusher);
    let floor = BoxCollider::new(200.0, 8.0);
    world.spawn((floor, Body::Static, at(-100.0, -122.0)));
    for number in 0..3 {
        let load = (BoxCollider::square(12.0), Body::Dynamic);
        world.spawn((load, at(-150.0 + 40.0 * number as f32, -112.0)));
    }
    let bounce = Response::Bounce { restitution: 0.9 };
    for number in 0..60 {
        let mut spot = || random.f32() - 0.5;
        let place = at(spot() * 360.0, spot() * 260.0);
        let way = Velocity(Vec2::new(spot(), spot()) * 300.0);
        let body = (place, CollidingWith::default());
        let mut body = world.spawn(body);
        match number % 6 {
            0 => {
                let tag = CollisionTag(1 + number / 6 % 2);
                body.insert((BoxCollider::square(10.0), Rider::default(), way, tag))
            }
            1 => body.insert((CircleCollider::new(6.0), bounce, way)),
            2 => body.insert((CircleCollider::new(9.0), Sensor, Response::Pass, way)),
            3 => body.insert((BoxCollider::new(12.0, 7.0), Swept::default())),
            4 => body.insert((
                (Body::Dynamic, way),
                children![
                    (CircleCollider::new(4.0), at(-5.0, 0.0)),
                    (BoxCollider::square(6.0), at(5.0, 2.0)),
                ],
            )),
            _ => body.insert(CircleCollider::new(7.0)),
        };
    }
    app
}

/// Makes the game's changes before a tick, which depend only on the number of the tick.
fn play(app: &mut App, tick: u32) {
    let mut random = Rng::with_seed(u64::from(tick));
    let world = app.world_mut();
    let mut bodies = world.query_filtered::<(&mut Transform, Has<Swept>), Without<Velocity>>();
    for (mut place, is_swept) in bodies.iter_mut(world) {
        if is_swept && random.bool() {
            place.translation.x += random.f32() * 40.0 - 20.0;
        }
    }
    let mut falling = world.query_filtered::<&mut Velocity, Or<(With<Rider>, With<Dropper>)>>();
    for mut velocity in falling.iter_mut(world) {
        velocity.0.y -= 10.0;
    }
    let mut droppers = world.query_filtered::<Entity, With<Dropper>>();
    let mut droppers: Vec<Entity> = droppers.iter(world).collect();
    droppers.sort_unstable();
    for (number, dropper) in (0..).zip(droppers) {
        let mut dropper = world.entity_mut(dropper);
        if (tick + 4 * number) % 16 < 3 {
            dropper.insert(DropThrough);
        } else {
            dropper.remove::<DropThrough>();
        }
    }
    let walk = move |mover: Mover, mut walker: Single<(Entity, &mut Transform), With<Pusher>>| {
        let (body, place) = &mut *walker;
        let way = if tick % 40 < 30 { 4.0 } else { -9.0 };
        let options = MoveOptions {
            push_layers: u32::MAX,
            ..default()
        };
        let moved = mover.move_and_slide(*body, place, Vec2::new(way, -1.0), &options);
        assert!(tick == 0 || moved.is_some(), "it is a body");
    };
    world.run_system_once(walk).expect("there is a walker");
    let mut circles = world.query::<&mut CircleCollider>();
    if tick % 7 == 3
        && let Some(mut circle) = circles.iter_mut(world).next()
    {
        circle.radius = 3.0 + random.f32() * 9.0;
    }
}

fn tick(app: &mut App, number: u32) -> Told {
    // The queries are made before the tick, as by a game that decides where a body goes.
    let nearest = app.world_mut().run_system_cached(ask).unwrap();
    let standing = app.world_mut().run_system_cached(ask_for_floors).unwrap();
    play(app, number);
    app.update();
    let world = app.world_mut();
    let midway = world.get_resource_mut::<Midway>();
    let midway = midway.map_or(Vec::new(), |mut midway| std::mem::take(&mut midway.0));
    let mut bodies = world.query::<(Entity, &Transform, Option<&Velocity>)>();
    let places = bodies.iter(world).map(|(entity, place, velocity)| {
        let way = velocity.map_or(Vec2::ZERO, |velocity| velocity.0);
        let place = place.translation;
        (entity, [place.x, place.y, way.x, way.y].map(f32::to_bits))
    });
    let mut places: Vec<_> = places.collect();
    places.sort_unstable_by_key(|(entity, _)| *entity);
    let mut lists = world.query::<(Entity, &CollidingWith)>();
    let partners = lists.iter(world).map(|(one, list)| (one, list.to_vec()));
    let mut partners: Vec<_> = partners.collect();
    partners.sort_unstable();
    Told {
        places,
        started: take(app),
        ended: take(app),
        ongoing: take(app),
        partners,
        nearest,
        midway,
        standing,
    }
}

fn keep(app: &mut App) -> Vec<(Entity, Kept)> {
    type All = (
        Entity,
        &'static Transform,
        Option<&'static Velocity>,
        Option<&'static Swept>,
        Option<&'static Rider>,
        Option<&'static CircleCollider>,
    );
    let world = app.world_mut();
    let mut all = world.query::<All>();
    let all = all
        .iter(world)
        .map(|(entity, place, velocity, swept, rider, circle)| {
            let motion = (velocity.copied(), swept.copied(), rider.copied());
            (
                entity,
                (*place, motion.0, motion.1, motion.2, circle.copied()),
            )
        });
    all.collect()
}

fn put_back(app: &mut App, kept: &[(Entity, Kept)]) {
    for (entity, (place, velocity, swept, rider, circle)) in kept {
        let mut entity = app.world_mut().entity_mut(*entity);
        entity.insert(*place);
        let motion = (velocity, swept, rider, circle);
        motion.0.map(|one| _ = entity.insert(one));
        motion.1.map(|one| _ = entity.insert(one));
        motion.2.map(|one| _ = entity.insert(one));
        motion.3.map(|one| _ = entity.insert(one));
    }
}

#[test]
fn ticks_that_are_gone_through_again_are_the_same() {
    for seed in 0..6 {
        let mut app = lively_world(&mut Rng::with_seed(seed));
        let mut met = 0;
        let mut states = Vec::new();
        let mut told = Vec::new();
        for number in 0..60 {
            states.push((keep(&mut app), CollisionMemory::of(app.world())));
            told.push(tick(&mut app, number));
            met += told.last().map_or(0, |told| told.started.len());
        }
        assert!(met > 50, "{met}");
        let mut random = Rng::with_seed(seed);
        for _ in 0..8 {
            let back = random.usize(1..60);
            let (kept, memory) = &states[back];
            put_back(&mut app, kept);
            memory.restore(app.world_mut());
            for (number, expected) in (back..60).zip(&told[back..]).take(12) {
                let again = tick(&mut app, number as u32);
                assert_eq!(&again, expected, "seed {seed}, from {back}, tick {number}");
            }
        }
    }
}

#[test]
fn who_is_back_as_somebody_else_has_met_all_the_same() {
    let mut app = app();
    let spikes = (BoxCollider::new(20.0, 4.0), Body::Static, Sensor);
    let spikes = app.world_mut().spawn(spikes).id();
    let spawn = |app: &mut App| {
        let hero = (CircleCollider::new(3.0), CollidingWith::default());
        app.world_mut().spawn((hero, at(0.0, 4.0))).id()
    };
    let hero = spawn(&mut app);
    app.update();
    assert_eq!(take::<CollisionStarted>(&mut app).len(), 1);
    let mut memory = CollisionMemory::of(app.world());
    app.world_mut().despawn(hero);
    app.update();
    assert_eq!(take::<CollisionEnded>(&mut app).len(), 1);

    let again = spawn(&mut app);
    let mut map = EntityHashMap::from([(hero, again), (spikes, spikes)]);
    memory.map_entities(&mut map);
    memory.restore(app.world_mut());
    let partners = |app: &App| app.world().get::<CollidingWith>(again).unwrap().to_vec();
    assert_eq!(partners(&app), [spikes]);
    app.update();
    assert_eq!(take::<CollisionStarted>(&mut app).len(), 0);
    assert_eq!(take::<CollisionEnded>(&mut app).len(), 0);
    assert_eq!(partners(&app), [spikes]);
    assert_eq!(place(&app, again), Vec2::new(0.0, 4.0));
}

#[test]
fn who_was_not_there_then_begins_and_who_is_not_there_now_ends() {
    let mut app = app();
    let spawn = |app: &mut App, x: f32| {
        let dot = (CircleCollider::new(3.0), Body::Kinematic, at(x, 0.0));
        app.world_mut().spawn(dot).id()
    };
    let pair = [spawn(&mut app, 0.0), spawn(&mut app, 5.0)];
    app.update();
    take::<CollisionStarted>(&mut app);
    let memory = CollisionMemory::of(app.world());
    let newcomer = spawn(&mut app, 2.0);
    app.world_mut().despawn(pair[1]);
    memory.restore(app.world_mut());
    let ask = |space: SpatialQuery| {
        let filter = QueryFilter::default();
        let all = space.overlap_point(Vec2::new(2.5, 0.0), &filter).all();
        let found = all.into_iter().map(|hit| hit.entity);
        found.collect::<Vec<_>>()
    };
    let mut found = app.world_mut().run_system_cached(ask).unwrap();
    found.sort_unstable();
    let mut expected = vec![pair[0], newcomer];
    expected.sort_unstable();
    assert_eq!(found, expected);
    app.update();
    let started = take::<CollisionStarted>(&mut app);
    assert!(started.iter().all(|one| one.involves(newcomer)) && started.len() == 1);
    let ended = take::<CollisionEnded>(&mut app);
    assert!(ended.len() == 1 && ended[0].involves(pair[1]), "{ended:?}");
}

/// A coin is despawned between two ticks, and the next tick reports its end with the properties that it had.
#[test]
fn what_is_known_of_who_was_gone_then_is_told_again() {
    let mut app = app();
    let hero = (CircleCollider::new(5.0), CollidingWith::default());
    let hero = app.world_mut().spawn(hero).id();
    let coin = (
        CircleCollider::new(5.0),
        Sensor,
        Body::Static,
        CollisionTag(50),
        at(3.0, 0.0),
    );
    let coin = app.world_mut().spawn(coin).id();
    let partners = |app: &App| app.world().get::<CollidingWith>(hero).unwrap().to_vec();
    app.update();
    let met = CollisionMemory::of(app.world());
    app.world_mut().despawn(coin);
    let taken = CollisionMemory::of(app.world());
    assert_eq!(partners(&app), []);
    app.update();
    let first = take::<CollisionEnded>(&mut app);
    assert_eq!(first.len(), 1);
    assert_eq!(first[0].leaver(coin).unwrap().tag, Some(CollisionTag(50)));
    app.update();
    taken.restore(app.world_mut());
    assert_eq!(partners(&app), []);
    app.update();
    assert_eq!(take::<CollisionEnded>(&mut app), first);
    // Back to when the coin was there: no list contains the despawned coin, and its properties are not known any more.
    app.update();
    met.restore(app.world_mut());
    assert_eq!(partners(&app), []);
    app.update();
    let ended = take::<CollisionEnded>(&mut app);
    assert_eq!(ended.len(), 1);
    assert_eq!(
        (ended[0].reason, ended[0].leaver(coin)),
        (EndReason::Despawned, None)
    );
}

/// A filter lets two pass each other, although both are solid: also before the next tick, in which it is asked again.
#[test]
fn who_was_let_pass_then_is_no_floor_after_going_back() {
    let mut app = app();
    app.add_collision_filter(|_: In<Pair>| Verdict::Respond(Response::Pass));
    let floor = (BoxCollider::new(100.0, 10.0), Body::Static, at(0.0, -5.0));
    app.world_mut().spawn(floor);
    let hero = (BoxCollider::square(10.0), Body::Kinematic, at(0.0, 5.0));
    let hero = app.world_mut().spawn(hero).id();
    let ask = move |collisions: Collisions| {
        let solid = collisions.solid_of(hero).count();
        (
            collisions.of(hero).count(),
            solid,
            collisions.is_on_floor(hero),
        )
    };
    let ask = |app: &mut App| app.world_mut().run_system_once(ask).unwrap();
    app.update();
    assert_eq!(ask(&mut app), (1, 0, false));
    let memory = CollisionMemory::of(app.world());
    app.update();
    memory.restore(app.world_mut());
    assert_eq!(ask(&mut app), (1, 0, false));
}

/// The first of three entities got its collider last, so the slots are in another order than the entities.
#[test]
fn contacts_are_in_the_order_of_the_entities_after_going_back() {
    let mut app = app();
    let dot = (CircleCollider::new(5.0), Sensor);
    let all = [(); 3].map(|()| app.world_mut().spawn_empty().id());
    for one in [all[1], all[2], all[0]] {
        app.world_mut().entity_mut(one).insert(dot);
        app.update();
    }
    let ask = |collisions: Collisions| {
        let pairs = collisions.iter().map(|one| [one.a, one.b]);
        pairs.collect::<Vec<_>>()
    };
    let ask = |app: &mut App| app.world_mut().run_system_once(ask).unwrap();
    let expected = [[all[0], all[1]], [all[0], all[2]], [all[1], all[2]]];
    assert_eq!(ask(&mut app), expected);
    let memory = CollisionMemory::of(app.world());
    app.update();
    memory.restore(app.world_mut());
    assert_eq!(ask(&mut app), expected, "before the next tick");
}

/// It came, and was gathered, in a tick that is undone: queries that ran before find it all the same, before the next tick as well.
#[test]
fn who_was_not_there_then_is_found_before_the_next_tick() {
    let mut app = app();
    let ask = |space: SpatialQuery| {
        let under = space.overlap_point(Vec2::ZERO, &QueryFilter::ALL);
        under.all().iter().map(|hit| hit.entity).collect::<Vec<_>>()
    };
    let known = |app: &mut App| app.world_mut().run_system_cached(ask).unwrap();
    assert_eq!(known(&mut app), []);
    app.update();
    let memory = CollisionMemory::of(app.world());
    let newcomer = app.world_mut().spawn(CircleCollider::new(3.0)).id();
    app.update();
    assert_eq!(known(&mut app), [newcomer]);
    memory.restore(app.world_mut());
    assert_eq!(known(&mut app), [newcomer]);
}

/// The warning was given in a tick that is not undone; since then the entity has another id.
#[test]
fn who_was_warned_about_is_not_warned_about_again_as_somebody_else() {
    let mut app = app();
    let bad = CircleCollider::new(-1.0);
    let one = app.world_mut().spawn(bad).id();
    let lines = Log::lines_of(|| app.update());
    assert_eq!(lines.len(), 1, "{lines:?}");
    let mut memory = CollisionMemory::of(app.world());
    app.world_mut().despawn(one);
    app.update();
    let again = app.world_mut().spawn(bad).id();
    memory.map_entities(&mut EntityHashMap::from_iter([(one, again)]));
    memory.restore(app.world_mut());
    let lines = Log::lines_of(|| app.update());
    assert_eq!(lines, [""; 0]);
}

/// A raft has moved by 10 since the tick that was kept, and is another entity: the body on it still goes by where that tick has seen it, 3 in front of a wall, and not by where the raft is, behind the wall.
#[test]
fn where_a_raft_was_is_known_of_the_one_in_its_place() {
    let mut app = app();
    wall(&mut app, (8.0, -10.0), (9.0, 10.0));
    let square = BoxCollider::square(4.0);
    let spawn = |app: &mut App, raft: Transform| {
        let pose = GlobalTransform::from(raft);
        let raft = app.world_mut().spawn((raft, pose)).id();
        let body = (square, Body::Kinematic, at(3.0, 0.0), ChildOf(raft));
        [raft, app.world_mut().spawn(body).id()]
    };
    let before = spawn(&mut app, at(0.0, 0.0));
    app.update();
    let mut memory = CollisionMemory::of(app.world());
    app.world_mut().despawn(before[0]);
    app.update();
    let again = spawn(&mut app, at(10.0, 0.0));
    let map = before.into_iter().zip(again);
    memory.map_entities(&mut EntityHashMap::from_iter(map));
    memory.restore(app.world_mut());
    let body = again[1];
    let go = move |mover: Mover, transforms: Query<&Transform>| {
        let mut copy = *transforms.get(body).expect("it is there");
        let way = Vec2::new(5.0, 0.0);
        let moved = mover.move_and_slide(body, &mut copy, way, &MoveOptions::default());
        moved.map(|moved| (moved.position, moved.hits.len()))
    };
    let moved = app.world_mut().run_system_once(go).expect("it runs");
    assert_eq!(moved, Some((Vec2::new(6.0, 0.0), 1)));
}

/// A comes back with the index that B had, and B does not come back: by then 128 entities are despawned, and Bevy reuses their indices, the last one first.
#[test]
fn who_is_back_with_the_index_of_one_that_is_gone_is_not_taken_for_it() {
    for is_a_first in [false, true] {
        let mut app = app();
        let mut others: Vec<Entity> = (0..127)
            .map(|_| app.world_mut().spawn_empty().id())
            .collect();
        let mut spawn = |x: f32| {
            let one = (CircleCollider::new(3.0), Body::Kinematic, at(x, 0.0));
            app.world_mut().spawn(one).id()
        };
        let (a, b) = if is_a_first {
            let a = spawn(0.0);
            (a, spawn(4.0))
        } else {
            let b = spawn(4.0);
            (spawn(0.0), b)
        };
        app.update();
        assert_eq!(take::<CollisionStarted>(&mut app).len(), 1);
        let mut memory = CollisionMemory::of(app.world());
        let last = others.pop().unwrap();
        for one in others.into_iter().chain([a, b, last]) {
            app.world_mut().despawn(one);
        }
        let back = (CircleCollider::new(3.0), Body::Kinematic, at(0.0, 0.0));
        let back = app.world_mut().spawn(back).id();
        assert_eq!(back.index(), b.index());
        memory.map_entities(&mut EntityHashMap::from_iter([(a, back)]));
        memory.restore(app.world_mut());
        take::<CollisionEnded>(&mut app);
        take::<Collision>(&mut app);
        app.update();
        assert_eq!(take::<Collision>(&mut app), [], "{is_a_first}");
        let ended = take::<CollisionEnded>(&mut app);
        assert_eq!(ended.len(), 1, "{is_a_first}: {ended:?}");
        assert!(ended[0].involves(back) && ended[0].involves(b));
        app.update();
        assert_eq!(take::<CollisionEnded>(&mut app), [], "{is_a_first}");
    }
}

/// The same with a plate below A, which goes on touching it, whoever A is: nothing begins.
#[test]
fn who_is_back_with_the_index_of_one_that_is_gone_goes_on_colliding() {
    let mut app = app();
    let mut others: Vec<Entity> = (0..127)
        .map(|_| app.world_mut().spawn_empty().id())
        .collect();
    let plate = (BoxCollider::square(4.0), Sensor, at(0.0, 0.0));
    let plate = app.world_mut().spawn(plate).id();
    let dot = |x: f32| (CircleCollider::new(3.0), Body::Kinematic, at(x, 0.0));
    let [a, b] = [0.0, 50.0].map(|x| app.world_mut().spawn(dot(x)).id());
    app.update();
    assert_eq!(take::<CollisionStarted>(&mut app).len(), 1);
    let mut memory = CollisionMemory::of(app.world());
    let last = others.pop().unwrap();
    for one in others.into_iter().chain([a, b, last]) {
        app.world_mut().despawn(one);
    }
    let back = app.world_mut().spawn(dot(0.0)).id();
    assert_eq!(back.index(), b.index());
    let map = [(a, back), (plate, plate)];
    memory.map_entities(&mut EntityHashMap::from_iter(map));
    memory.restore(app.world_mut());
    app.update();
    assert_eq!(take::<CollisionStarted>(&mut app), []);
    assert_eq!(take::<CollisionEnded>(&mut app), []);
}

/// Also before the next tick.
#[test]
fn how_fast_two_have_met_is_known_after_going_back() {
    let mut app = app();
    app.insert_resource(Time::<Fixed>::from_hz(64.0));
    let floor = wall(&mut app, (-10.0, -10.0), (10.0, 0.0));
    let falls = Velocity(Vec2::new(0.0, -320.0));
    let ball = (CircleCollider::new(5.0), falls, at(0.0, 8.0));
    let ball = app.world_mut().spawn(ball).id();
    let speed = move |collisions: Collisions| collisions.approach_speed(ball, floor);
    let speed = |app: &mut App| app.world_mut().run_system_once(speed).unwrap();
    app.update();
    assert_eq!(speed(&mut app), 320.0);
    let memory = CollisionMemory::of(app.world());
    app.update();
    assert_eq!(speed(&mut app), 0.0);
    memory.restore(app.world_mut());
    assert_eq!(speed(&mut app), 320.0);
}

#[test]
fn a_world_without_collisions_has_nothing_to_remember() {
    let mut world = World::new();
    CollisionMemory::of(&world).restore(&mut world);
    assert!(!world.contains_resource::<CollisionSettings>());
}

/// A rider that has just walked off a lift takes the lift's velocity along, also if the rider is another entity after going back.
#[test]
fn who_has_left_its_lift_takes_its_velocity_along_after_going_back() {
    let mut app = app();
    app.insert_resource(Time::<Fixed>::from_hz(64.0));
    let x = |speed: f32| Velocity(Vec2::new(speed, 0.0));
    let lift = (BoxCollider::new(100.0, 10.0), Body::Kinematic, x(64.0));
    let lift = app.world_mut().spawn((lift, at(0.0, -5.0))).id();
    let square = BoxCollider::square(16.0);
    let rider = Rider::new(PlatformOnLeave::AddVelocity);
    let player = (square, rider, x(64.0), at(56.5, 8.0));
    let player = app.world_mut().spawn(player).id();
    app.update();
    app.update();
    // The lift carries the player by 1 in each tick, and it moves by another 1 itself: its left edge at 52.5 is 0.5 beyond the end of the lift.
    assert_eq!(place(&app, player), Vec2::new(60.5, 8.0));
    let mut memory = CollisionMemory::of(app.world());
    let there = *app.world().get::<Transform>(player).unwrap();
    let rider = *app.world().get::<Rider>(player).unwrap();
    assert_eq!(rider.platform_velocity, Vec2::new(64.0, 0.0));
    let lift_was = *app.world().get::<Transform>(lift).unwrap();
    app.update();
    let speed = |app: &App, one: Entity| app.world().get::<Velocity>(one).unwrap().0.x;
    assert_eq!(speed(&app, player), 128.0);

    app.world_mut().despawn(player);
    let again = (square, rider, x(64.0), there);
    let again = app.world_mut().spawn(again).id();
    *app.world_mut().get_mut(lift).unwrap() = lift_was;
    memory.map_entities(&mut EntityHashMap::from([(player, again)]));
    memory.restore(app.world_mut());
    app.update();
    assert_eq!(speed(&app, again), 128.0);
    assert_eq!(place(&app, again), Vec2::new(62.5, 8.0));
}

/// What it knows of a lift is from a saved world, and means nothing here, as in a game that has not gone back.
#[test]
fn a_rider_that_comes_after_going_back_is_new() {
    let mut app = app();
    app.insert_resource(Time::<Fixed>::from_hz(64.0));
    app.update();
    let memory = CollisionMemory::of(app.world());
    app.update();
    memory.restore(app.world_mut());
    let rider = Rider {
        platform_velocity: Vec2::new(64.0, 0.0),
        ..Rider::new(PlatformOnLeave::AddVelocity)
    };
    let rider = (CircleCollider::new(5.0), Velocity::default(), rider);
    let rider = app.world_mut().spawn((rider, at(0.0, 0.0))).id();
    app.update();
    let velocity = app.world().get::<Velocity>(rider);
    assert_eq!(velocity, Some(&Velocity::default()));
}

/// A reader that counts starts and ends counts right after going back, whatever it has read of the undone ticks: an undone end is read once more, and an undone start is not counted.
#[test]
fn readers_are_told_again_after_going_back() {
    #[derive(Component)]
    struct Plate;
    #[derive(Component)]
    struct Stone;
    #[derive(Resource, Default)]
    struct Heard([usize; 2]);
    fn tally(mut hits: CollisionReader<With<Plate>, With<Stone>>, mut heard: ResMut<Heard>) {
        heard.0[0] += hits.started().count();
        heard.0[1] += hits.ended().count();
    }
    for is_cleared in [false, true] {
        let mut app = app();
        app.init_resource::<Heard>()
            .add_systems(FixedPostUpdate, tally.after(CollisionSystems::Report));
        let plate = (BoxCollider::square(20.0), Sensor, Body::Static, Plate);
        app.world_mut().spawn(plate);
        let stone = (CircleCollider::new(3.0), Stone, at(100.0, 0.0));
        let stone = app.world_mut().spawn(stone).id();
        let go = |app: &mut App, x: f32| {
            *app.world_mut().get_mut(stone).unwrap() = at(x, 0.0);
            app.update();
            std::mem::take(&mut app.world_mut().resource_mut::<Heard>().0)
        };
        let back = |app: &mut App, memory: &CollisionMemory, x: f32| {
            *app.world_mut().get_mut(stone).unwrap() = at(x, 0.0);
            memory.restore(app.world_mut());
            if is_cleared {
                take::<CollisionStarted>(app);
                take::<CollisionEnded>(app);
            }
        };
        assert_eq!(go(&mut app, 100.0), [0, 0]);
        let apart = CollisionMemory::of(app.world());
        assert_eq!(go(&mut app, 0.0), [1, 0]);
        let together = CollisionMemory::of(app.world());
        for _ in 0..3 {
            assert_eq!(go(&mut app, 100.0), [0, 1], "cleared: {is_cleared}");
            back(&mut app, &together, 0.0);
        }
        for _ in 0..3 {
            back(&mut app, &apart, 100.0);
            assert_eq!(go(&mut app, 0.0), [1, 0]);
        }
        assert_eq!(go(&mut app, 100.0), [0, 1]);
        // The collision begins while the stone has no marker, so its end is not read either.
        app.world_mut().entity_mut(stone).remove::<Stone>();
        assert_eq!(go(&mut app, 0.0), [0, 0]);
        app.world_mut().entity_mut(stone).insert(Stone);
        assert_eq!(go(&mut app, 100.0), [0, 0]);
        // A collision that began before, with a stone that is despawned in the first tick after going back.
        assert_eq!(go(&mut app, 0.0), [1, 0]);
        let together = CollisionMemory::of(app.world());
        assert_eq!(go(&mut app, 1.0), [0, 0]);
        back(&mut app, &together, 0.0);
        app.world_mut().despawn(stone);
        app.update();
        let heard = app.world().resource::<Heard>().0;
        assert_eq!(heard, [0, 1], "cleared: {is_cleared}");
    }
}

/// A mover has pushed a crate since the last tick: the next tick moves the crate, also after going back, and also if the crate is another entity then.
#[test]
fn what_was_pushed_since_the_tick_that_was_kept_is_pushed_again() {
    let mut app = app();
    let square = BoxCollider::square(16.0);
    let mover = (square, Body::Kinematic, at(0.0, 0.0));
    let mover = app.world_mut().spawn(mover).id();
    let crate_ = app.world_mut().spawn((square, at(20.0, 0.0))).id();
    app.update();
    let push = move |movers: Mover, mut transforms: Query<&mut Transform>| {
        let mut transform = transforms.get_mut(mover).unwrap();
        let options = MoveOptions {
            push_layers: u32::MAX,
            ..default()
        };
        let way = Vec2::new(10.0, 0.0);
        movers
            .move_and_slide(mover, &mut transform, way, &options)
            .map(|moved| moved.pushed.len())
    };
    let pushed = app.world_mut().run_system_once(push).unwrap();
    assert_eq!(pushed, Some(1));
    let mut memory = CollisionMemory::of(app.world());
    app.update();
    assert_eq!(place(&app, crate_), Vec2::new(26.0, 0.0));

    app.world_mut().despawn(crate_);
    app.update();
    let again = app.world_mut().spawn((square, at(20.0, 0.0))).id();
    memory.map_entities(&mut EntityHashMap::from([(crate_, again)]));
    memory.restore(app.world_mut());
    app.update();
    let places = [mover, again].map(|one| place(&app, one).x);
    assert_eq!(places, [10.0, 26.0]);
    app.update();
    assert_eq!(place(&app, again).x, 26.0, "and once only");
}

/// Entities have changed between the tick and the moment of the memory. Queries before the next tick know the changes then, and again after going back.
#[test]
fn what_has_changed_since_the_tick_that_was_kept_is_known_again() {
    let mut app = app();
    let wall = (BoxCollider::square(10.0), Body::Static);
    let wall = app.world_mut().spawn(wall).id();
    let ask = |space: SpatialQuery| {
        let all = space.iter().map(|one| {
            let half_extents = match one.outline {
                Outline::Shape(shape) => shape.half_extents(),
                Outline::Bounds(half_size) => half_size,
            };
            (one.entity, one.center.x, half_extents.x)
        });
        let mut all: Vec<_> = all.collect();
        all.sort_unstable_by_key(|one| one.0);
        all
    };
    let known = |app: &mut App| app.world_mut().run_system_cached(ask).unwrap();
    app.update();
    assert_eq!(known(&mut app), [(wall, 0.0, 5.0)]);
    app.world_mut()
        .entity_mut(wall)
        .insert(BoxCollider::square(40.0));
    // The newcomer is found where it was spawned, and not where it was moved since.
    let newcomer = (BoxCollider::square(2.0), Body::Static, at(100.0, 0.0));
    let newcomer = app.world_mut().spawn(newcomer).id();
    let passing = app.world_mut().spawn(CircleCollider::new(1.0)).id();
    app.world_mut().entity_mut(newcomer).insert(at(200.0, 0.0));
    let memory = CollisionMemory::of(app.world());
    let before = known(&mut app);
    let mut expected = vec![
        (wall, 0.0, 20.0),
        (newcomer, 100.0, 1.0),
        (passing, 0.0, 1.0),
    ];
    expected.sort_unstable_by_key(|one| one.0);
    assert_eq!(before, expected);

    app.update();
    app.world_mut().despawn(passing);
    app.update();
    expected.retain(|one| one.0 != passing);
    memory.restore(app.world_mut());
    assert_eq!(known(&mut app), expected);

    // The same with a new entity in place of the newcomer.
    let mut memory = memory;
    app.world_mut().despawn(newcomer);
    app.update();
    let again = (BoxCollider::square(2.0), Body::Static, at(200.0, 0.0));
    let again = app.world_mut().spawn(again).id();
    memory.map_entities(&mut EntityHashMap::from_iter([(newcomer, again)]));
    memory.restore(app.world_mut());
    let mut expected = vec![(wall, 0.0, 20.0), (again, 100.0, 1.0)];
    expected.sort_unstable_by_key(|one| one.0);
    assert_eq!(known(&mut app), expected);
}

#[derive(Component, Default)]
struct Walker {
    velocity: Vec2,
    stands: bool,
}

fn fall(time: Res<Time>, mover: Mover, mut walkers: Query<(Entity, &mut Walker, &mut Transform)>) {
    let seconds = time.delta_secs();
    for (entity, mut walker, mut transform) in &mut walkers {
        let velocity = walker.velocity - Vec2::new(0.0, 1000.0 * seconds);
        let options = MoveOptions::default();
        if let Some(moved) =
            mover.move_and_slide(entity, &mut transform, velocity * seconds, &options)
        {
            walker.velocity = moved.velocity_after(velocity, seconds);
            walker.stands = moved.is_on_floor();
        }
    }
}

/// A cell breaks below a body, and that tick is undone: the body has stood all the time, and nothing is reported.
#[test]
fn who_stands_on_cells_that_are_back_stands_on_them() {
    for kind in [Body::Kinematic, Body::Dynamic] {
        for is_grid_new in [false, true] {
            let mut app = app();
            app.insert_resource(Time::<Fixed>::from_hz(64.0))
                .add_systems(FixedUpdate, fall);
            let cells = (0..5).map(|x| IVec2::new(x, 0));
            let grid = TileColliders::from_cells(Vec2::splat(16.0), cells);
            let level = app.world_mut().spawn((grid.clone(), at(0.0, -16.0))).id();
            let body = (BoxCollider::new(12.0, 16.0), kind, Walker::default());
            let body = app.world_mut().spawn((body, at(40.0, 8.0))).id();
            for _ in 0..3 {
                app.update();
            }
            assert!(app.world().get::<Walker>(body).unwrap().stands);
            let mut memory = CollisionMemory::of(app.world());
            let place_then = *app.world().get::<Transform>(body).unwrap();

            let mut tiles = app.world_mut().get_mut::<TileColliders>(level).unwrap();
            tiles.set(IVec2::new(2, 0), false);
            app.update();
            app.update();
            assert!(place(&app, body).y < 7.9);

            let walker = Walker::default();
            app.world_mut()
                .entity_mut(body)
                .insert((place_then, walker));
            if is_grid_new {
                app.world_mut().despawn(level);
                let new = app.world_mut().spawn((grid.clone(), at(0.0, -16.0))).id();
                memory.map_entities(&mut EntityHashMap::from([(level, new)]));
            } else {
                app.world_mut().entity_mut(level).insert(grid);
            }
            memory.restore(app.world_mut());
            take::<CollisionStarted>(&mut app);
            take::<CollisionEnded>(&mut app);
            let ask = |space: SpatialQuery| {
                let filter = QueryFilter::SOLID;
                space.overlap_point(Vec2::new(40.0, -8.0), &filter).any()
            };
            let is_there = app.world_mut().run_system_once(ask).expect("it runs");
            assert!(is_there, "{kind:?}, {is_grid_new}: before the next tick");
            for _ in 0..2 {
                app.update();
                let walker = app.world().get::<Walker>(body).unwrap();
                let now = (place(&app, body), walker.velocity, walker.stands);
                let then = (Vec2::new(40.0, 8.0), Vec2::ZERO, true);
                assert_eq!(now, then, "{kind:?}, {is_grid_new}");
            }
            assert_eq!(take::<CollisionStarted>(&mut app), []);
            assert_eq!(take::<CollisionEnded>(&mut app), []);
        }
    }
}

/// The game changes a grid after the report, and keeps the tick: until the next one has merged the grid, all is as it was before.
#[test]
fn who_stands_on_cells_that_are_about_to_change_stands_on_them_after_going_back() {
    for kind in [Body::Kinematic, Body::Dynamic] {
        let mut app = app();
        app.insert_resource(Time::<Fixed>::from_hz(64.0))
            .add_systems(FixedUpdate, fall);
        let cells = (0..5).map(|x| IVec2::new(x, 0));
        let grid = TileColliders::from_cells(Vec2::splat(16.0), cells);
        let level = app.world_mut().spawn((grid, at(0.0, -16.0))).id();
        let body = (BoxCollider::new(12.0, 16.0), kind, Walker::default());
        let body = app.world_mut().spawn((body, at(40.0, 8.0))).id();
        for _ in 0..3 {
            app.update();
        }
        let mut tiles = app.world_mut().get_mut::<TileColliders>(level).unwrap();
        tiles.set(IVec2::new(4, 0), false);
        let tiles = tiles.clone();
        let place_then = *app.world().get::<Transform>(body).unwrap();
        let memory = CollisionMemory::of(app.world());
        let look = |app: &App| {
            let walker = app.world().get::<Walker>(body).unwrap();
            (place(app, body), walker.velocity, walker.stands)
        };
        let stands = (Vec2::new(40.0, 8.0), Vec2::ZERO, true);
        app.update();
        assert_eq!(look(&app), stands, "{kind:?}, at first");

        let walker = Walker::default();
        app.world_mut()
            .entity_mut(body)
            .insert((place_then, walker));
        app.world_mut().entity_mut(level).insert(tiles);
        memory.restore(app.world_mut());
        app.update();
        assert_eq!(look(&app), stands, "{kind:?}, again");
    }
}

/// The same with all that the next tick can have to do for a grid, and with all that a game can see of it.
#[test]
fn ticks_after_a_grid_was_changed_are_the_same_again() {
    type Change = fn(&mut EntityWorldMut);
    let changes: [(&str, Change); 8] = [
        ("a cell comes", |level| {
            let mut tiles = level.get_mut::<TileColliders>().unwrap();
            tiles.set(IVec2::new(5, 0), true);
        }),
        ("the cell below goes", |level| {
            let mut tiles = level.get_mut::<TileColliders>().unwrap();
            tiles.set(IVec2::new(2, 0), false);
        }),
        ("the cell below stays alone", |level| {
            let mut tiles = level.get_mut::<TileColliders>().unwrap();
            tiles.set_alone(IVec2::new(2, 0), true);
        }),
        ("a ledge to stand below", |level| {
            level.insert(OneWay(Vec2::NEG_Y));
        }),
        ("a ledge from the side", |level| {
            level.insert(OneWay(Vec2::X));
        }),
        ("off", |level| _ = level.insert(ColliderDisabled)),
        ("gone", |level| _ = level.remove::<TileColliders>()),
        ("new", |level| {
            let cells = (0..5).map(|x| IVec2::new(x, 0));
            level.insert(TileColliders::from_cells(Vec2::splat(16.0), cells));
        }),
    ];
    for (case, change) in changes {
        for is_merged_from_restored in [true, false] {
            let mut app = app();
            app.insert_resource(Time::<Fixed>::from_hz(64.0))
                .add_systems(FixedUpdate, fall);
            let level = app.world_mut().spawn(at(0.0, -16.0)).id();
            if case != "new" {
                let cells = (0..5).map(|x| IVec2::new(x, 0));
                let tiles = TileColliders::from_cells(Vec2::splat(16.0), cells);
                app.world_mut().entity_mut(level).insert(tiles);
            }
            let body = (BoxCollider::new(12.0, 16.0), Walker::default());
            let body = app.world_mut().spawn((body, at(40.0, 8.0))).id();
            app.update();
            if case == "new" {
                // It has fallen since.
                app.world_mut().entity_mut(body).insert(at(40.0, 8.0));
            }
            take::<CollisionStarted>(&mut app);
            change(&mut app.world_mut().entity_mut(level));
            let memory = CollisionMemory::of(app.world());
            let then = app.world().entity(body);
            let walker = then.get::<Walker>().unwrap();
            let walker = (walker.velocity, walker.stands);
            let place_then = *then.get::<Transform>().unwrap();
            let then = app.world().entity(level);
            let tiles = then.get::<TileColliders>().cloned();
            let merged_from = then.get::<MergedFrom>().cloned();
            let go_on = |app: &mut App| {
                let ticks = (0..3).map(|_| {
                    app.update();
                    let walker = app.world().get::<Walker>(body).unwrap();
                    let walker = (place(app, body), walker.velocity, walker.stands);
                    let started = take::<CollisionStarted>(app).len();
                    let ended = take::<CollisionEnded>(app).into_iter().map(|end| {
                        let leavers = [end.leaver_a.is_some(), end.leaver_b.is_some()];
                        (end.reason, leavers)
                    });
                    (walker, started, ended.collect::<Vec<_>>())
                });
                ticks.collect::<Vec<_>>()
            };
            let first = go_on(&mut app);
            for time in 0..2 {
                let (velocity, stands) = walker;
                let walker = Walker { velocity, stands };
                app.world_mut()
                    .entity_mut(body)
                    .insert((place_then, walker));
                let mut grid = app.world_mut().entity_mut(level);
                if let Some(tiles) = &tiles {
                    grid.insert(tiles.clone());
                }
                if is_merged_from_restored {
                    grid.remove::<MergedFrom>();
                    if let Some(merged_from) = &merged_from {
                        grid.insert(merged_from.clone());
                    }
                }
                memory.restore(app.world_mut());
                let case = format!("{case}, {is_merged_from_restored}, {time}");
                assert_eq!(go_on(&mut app), first, "{case}");
            }
        }
    }
}

/// A cell was added beside all others, and that tick is undone: the cell is gone even before the next tick.
#[test]
fn cells_that_came_since_are_gone_before_the_next_tick() {
    let mut app = app();
    let grid = TileColliders::from_cells(Vec2::splat(10.0), [IVec2::ZERO]);
    let grid = app.world_mut().spawn(grid).id();
    let set = |app: &mut App, is_filled: bool| {
        let mut tiles = app.world_mut().get_mut::<TileColliders>(grid).unwrap();
        tiles.set(IVec2::new(5, 0), is_filled);
    };
    let cells = |app: &mut App| {
        let ask = |space: SpatialQuery, cells: Query<&MergedTiles>| {
            let found = [5.0, 55.0].map(|x| {
                let point = Vec2::new(x, 5.0);
                space.overlap_point(point, &QueryFilter::ALL).any()
            });
            (found, cells.iter().count())
        };
        app.world_mut().run_system_once(ask).expect("it runs")
    };
    app.update();
    let memory = CollisionMemory::of(app.world());
    assert_eq!(cells(&mut app), ([true, false], 1));
    set(&mut app, true);
    app.update();
    assert_eq!(cells(&mut app), ([true, true], 2));

    set(&mut app, false);
    memory.restore(app.world_mut());
    assert_eq!(cells(&mut app), ([true, false], 1), "before the next tick");
    app.update();
    assert_eq!(cells(&mut app), ([true, false], 1));
}

/// A grid as a game saves it, with the memory of the same tick.
struct KeptGrid {
    grid: Entity,
    tiles: TileColliders,
    merged_from: MergedFrom,
    layers: Option<CollisionLayers>,
    memory: CollisionMemory,
}

impl KeptGrid {
    fn of(app: &App, grid: Entity) -> Self {
        let world = app.world();
        Self {
            grid,
            tiles: world.get::<TileColliders>(grid).unwrap().clone(),
            merged_from: world.get::<MergedFrom>(grid).unwrap().clone(),
            layers: world.get::<CollisionLayers>(grid).copied(),
            memory: CollisionMemory::of(world),
        }
    }

    fn put_back(&self, app: &mut App) {
        let mut grid = app.world_mut().entity_mut(self.grid);
        grid.insert((self.tiles.clone(), self.merged_from.clone()));
        if let Some(layers) = self.layers {
            grid.insert(layers);
        }
        self.memory.restore(app.world_mut());
    }
}

/// Returns the boxes of all grids.
fn boxes(app: &mut App) -> Vec<Entity> {
    let mut boxes = app
        .world_mut()
        .query_filtered::<Entity, With<MergedTiles>>();
    boxes.iter(app.world()).collect()
}

/// The game keeps what is there before the first tick, when a grid has no boxes yet.
#[test]
fn a_new_grid_has_no_boxes_after_going_back_to_before_the_first_tick() {
    let mut app = app();
    let tiles = TileColliders::from_cells(Vec2::splat(16.0), [IVec2::ZERO]);
    app.world_mut().spawn(tiles);
    let memory = CollisionMemory::of(app.world());
    for time in 0..2 {
        app.update();
        assert_eq!(boxes(&mut app).len(), 1, "{time}");
        memory.restore(app.world_mut());
        assert_eq!(boxes(&mut app), [], "{time}");
    }
}

/// The undone tick had boxes of the same cells, and of twice the size.
#[test]
fn cells_of_another_size_are_gone_after_going_back() {
    let mut app = app();
    let small = TileColliders::from_cells(Vec2::splat(16.0), [IVec2::ZERO]);
    let grid = app.world_mut().spawn(small).id();
    app.update();
    let kept = KeptGrid::of(&app, grid);
    let large = TileColliders::from_cells(Vec2::splat(32.0), [IVec2::ZERO]);
    app.world_mut().entity_mut(grid).insert(large);
    app.update();
    let half_sizes = |app: &mut App| {
        let boxes = boxes(app).into_iter();
        let boxes = boxes.map(|one| app.world().get::<BoxCollider>(one).unwrap().half_size);
        boxes.collect::<Vec<_>>()
    };
    assert_eq!(half_sizes(&mut app), [Vec2::splat(16.0)]);

    kept.put_back(&mut app);
    assert_eq!(half_sizes(&mut app), [Vec2::splat(8.0)]);
    // 10 to the right of the small box.
    let ball = app
        .world_mut()
        .spawn((CircleCollider::new(2.0), at(26.0, 12.0)));
    let ball = ball.id();
    app.update();
    assert_eq!(half_sizes(&mut app), [Vec2::splat(8.0)]);
    assert_eq!(place(&app, ball), Vec2::new(26.0, 12.0));
}

/// In the undone ticks the grid was on another layer, and a hole in it came and went.
#[test]
fn cells_have_their_layers_again_after_going_back() {
    let mut app = app();
    let cells = (0..3).map(|x| IVec2::new(x, 0));
    let tiles = TileColliders::from_cells(Vec2::splat(10.0), cells);
    let on = |memberships: u32| CollisionLayers::new(memberships, u32::MAX);
    let grid = app.world_mut().spawn((tiles, on(2))).id();
    app.update();
    let kept = KeptGrid::of(&app, grid);
    app.world_mut().entity_mut(grid).insert(on(8));
    for is_filled in [false, true] {
        let mut tiles = app.world_mut().get_mut::<TileColliders>(grid).unwrap();
        tiles.set(IVec2::new(1, 0), is_filled);
        app.update();
    }
    let layers = |app: &mut App| {
        let boxes = boxes(app).into_iter().map(|one| {
            let tiles = app.world().get::<MergedTiles>(one).unwrap();
            let layers = app.world().get::<CollisionLayers>(one).unwrap();
            (tiles.size.x, layers.memberships)
        });
        boxes.collect::<Vec<_>>()
    };
    assert_eq!(layers(&mut app), [(3, 8)]);

    kept.put_back(&mut app);
    assert_eq!(layers(&mut app), [(3, 2)]);
    app.update();
    assert_eq!(layers(&mut app), [(3, 2)]);
}

/// In the undone tick the grid was on another layer, and had the same cells; the game has restored what it was merged from, or not.
#[test]
fn cells_that_stayed_have_their_layers_again_after_going_back() {
    for is_merged_from_restored in [true, false] {
        let mut app = app();
        let tiles = TileColliders::from_cells(Vec2::splat(10.0), [IVec2::ZERO]);
        let on = |memberships: u32| CollisionLayers::new(memberships, u32::MAX);
        let grid = app.world_mut().spawn((tiles, on(2))).id();
        app.update();
        let kept = KeptGrid::of(&app, grid);
        let cell = boxes(&mut app)[0];
        let mut changed = app.world_mut().entity_mut(grid);
        changed.insert((on(8), Sensor, ColliderDisabled));
        app.update();
        let has = |app: &App| {
            let cell = app.world().entity(cell);
            let layers = cell.get::<CollisionLayers>().unwrap().memberships;
            let is = [
                cell.contains::<Sensor>(),
                cell.contains::<ColliderDisabled>(),
            ];
            (layers, is)
        };
        assert_eq!(has(&app), (8, [true; 2]));

        let mut back = app.world_mut().entity_mut(grid);
        back.remove::<(Sensor, ColliderDisabled)>();
        if is_merged_from_restored {
            kept.put_back(&mut app);
        } else {
            back.insert((kept.tiles.clone(), on(2)));
            kept.memory.restore(app.world_mut());
        }
        app.update();
        assert_eq!(has(&app), (2, [false; 2]), "{is_merged_from_restored}");
    }
}

/// The grid was disabled along with its cells, was on another layer in the undone tick, and is enabled again after going back.
#[test]
fn cells_of_a_grid_that_was_disabled_have_their_layers_again_after_going_back() {
    let mut app = app();
    let tiles = TileColliders::from_cells(Vec2::splat(10.0), [IVec2::ZERO]);
    let on = |memberships: u32| CollisionLayers::new(memberships, u32::MAX);
    let grid = app.world_mut().spawn((tiles, on(2))).id();
    app.update();
    let cell = boxes(&mut app)[0];
    let set = |app: &mut App, is_on: bool| {
        let mut grid = app.world_mut().entity_mut(grid);
        if is_on {
            grid.remove_recursive::<Children, Disabled>();
        } else {
            grid.insert_recursive::<Children>(Disabled);
        }
    };
    let has = |app: &App| {
        let cell = app.world().entity(cell);
        let layers = cell.get::<CollisionLayers>().unwrap().memberships;
        (layers, cell.contains::<Sensor>())
    };
    set(&mut app, false);
    app.update();
    let kept = KeptGrid::of(&app, grid);
    set(&mut app, true);
    app.world_mut().entity_mut(grid).insert((on(8), Sensor));
    app.update();
    assert_eq!(has(&app), (8, true));

    app.world_mut().entity_mut(grid).remove::<Sensor>();
    set(&mut app, false);
    kept.put_back(&mut app);
    app.update();
    set(&mut app, true);
    app.update();
    assert_eq!(has(&app), (2, false));
}

/// The game makes a sensor of each cell that stays alone; in the undone tick the cell was a part of the wall.
#[test]
fn a_door_is_a_door_again_after_going_back() {
    let mut app = app();
    app.add_observer(
        |add: On<Add, MergedTiles>,
         cells: Query<(&MergedTiles, &ChildOf)>,
         grids: Query<&TileColliders>,
         mut commands: Commands| {
            let (tiles, child_of) = cells.get(add.entity).unwrap();
            if grids.get(child_of.parent()).unwrap().is_alone(tiles.min) {
                commands.entity(add.entity).insert(Sensor);
            }
        },
    );
    let mut tiles = TileColliders::from_cells(Vec2::splat(10.0), [IVec2::ZERO]);
    tiles.set_alone(IVec2::ZERO, true);
    let grid = app.world_mut().spawn(tiles).id();
    app.update();
    let doors = |app: &mut App| {
        let boxes = boxes(app).into_iter();
        let boxes = boxes.map(|one| app.world().get::<Sensor>(one).is_some());
        boxes.collect::<Vec<_>>()
    };
    assert_eq!(doors(&mut app), [true]);
    let kept = KeptGrid::of(&app, grid);
    let mut tiles = app.world_mut().get_mut::<TileColliders>(grid).unwrap();
    tiles.set_alone(IVec2::ZERO, false);
    app.update();
    assert_eq!(doors(&mut app), [false]);

    kept.put_back(&mut app);
    assert_eq!(doors(&mut app), [true]);
    app.update();
    assert_eq!(doors(&mut app), [true]);
}

/// In the undone ticks the door was a part of the wall for one tick, and then another one, which the game opened.
#[test]
fn a_door_that_was_opened_since_is_shut_again_after_going_back() {
    type Open = fn(EntityWorldMut);
    let ways: [(&str, Open); 2] = [
        ("a sensor", |mut door| _ = door.insert(Sensor)),
        ("disabled", |mut door| _ = door.insert(Disabled)),
    ];
    for (case, open) in ways {
        let mut app = app();
        let grid = app.world_mut().spawn(one_door()).id();
        app.update();
        let kept = KeptGrid::of(&app, grid);
        for is_alone in [false, true] {
            let mut tiles = app.world_mut().get_mut::<TileColliders>(grid).unwrap();
            tiles.set_alone(IVec2::ZERO, is_alone);
            app.update();
        }
        let door = boxes(&mut app)[0];
        open(app.world_mut().entity_mut(door));
        app.update();

        kept.put_back(&mut app);
        for _ in 0..2 {
            let [door] = boxes(&mut app)[..] else {
                panic!("one box: {case}");
            };
            assert!(!app.world().entity(door).contains::<Sensor>(), "{case}");
            app.update();
        }
    }
}

/// Of a door that stood open, the game restores this itself after going back, so the door must be there by then.
#[test]
fn a_door_that_stood_open_is_there_after_going_back() {
    let mut app = app();
    let grid = app.world_mut().spawn(one_door()).id();
    app.update();
    let door = boxes(&mut app)[0];
    app.world_mut().entity_mut(door).insert(Disabled);
    app.update();
    let kept = KeptGrid::of(&app, grid);
    let mut tiles = app.world_mut().get_mut::<TileColliders>(grid).unwrap();
    tiles.set(IVec2::ZERO, false);
    app.update();

    kept.put_back(&mut app);
    let [door] = boxes(&mut app)[..] else {
        panic!("one box");
    };
    app.world_mut().entity_mut(door).insert(Disabled);
    app.update();
    assert_eq!(boxes(&mut app), []);
}

/// A grid of one cell, which stays alone.
fn one_door() -> TileColliders {
    let mut tiles = TileColliders::from_cells(Vec2::splat(10.0), [IVec2::ZERO]);
    tiles.set_alone(IVec2::ZERO, true);
    tiles
}

/// A game that keeps the changes of its level goes back several times without restoring it: the level stays whole, and a level that came since keeps its very boxes.
#[test]
fn a_level_that_does_not_go_back_stays_whole() {
    let mut app = app();
    let cells = (0..3).map(|x| IVec2::new(x, 0));
    let tiles = TileColliders::from_cells(Vec2::splat(10.0), cells);
    let grid = app.world_mut().spawn(tiles.clone()).id();
    app.update();
    let memory = CollisionMemory::of(app.world());
    let mut changed = app.world_mut().get_mut::<TileColliders>(grid).unwrap();
    changed.set(IVec2::new(1, 0), false);
    let later = app.world_mut().spawn((tiles, at(0.0, 100.0))).id();
    app.update();
    let new_boxes = app.world().get::<Children>(later).unwrap().to_vec();
    for time in 0..3 {
        memory.restore(app.world_mut());
        for moment in ["before the tick", "after it"] {
            let ask = |space: SpatialQuery| {
                let places = [(5.0, 5.0), (15.0, 5.0), (25.0, 5.0), (5.0, 105.0)];
                places.map(|place| {
                    let point = Vec2::from(place);
                    space.overlap_point(point, &QueryFilter::ALL).any()
                })
            };
            let found = app.world_mut().run_system_once(ask).expect("it runs");
            assert_eq!(found, [true, false, true, true], "{time}, {moment}");
            app.update();
        }
        let boxes = app.world().get::<Children>(later).unwrap().to_vec();
        assert_eq!(boxes, new_boxes, "{time}");
    }
}

/// An end in an undone tick comes once more, when the stone is despawned; it is read, as the stone matched when the collision began.
#[test]
fn readers_are_told_of_who_goes_in_the_first_tick_after_going_back() {
    #[derive(Component)]
    struct Plate;
    #[derive(Component)]
    struct Stone;
    #[derive(Resource, Default, Clone, Copy, Debug, PartialEq)]
    struct On(i32);
    fn count(mut hits: CollisionReader<With<Plate>, With<Stone>>, mut on: ResMut<On>) {
        on.0 += hits.started().count() as i32;
        on.0 -= hits.ended().count() as i32;
    }
    for is_new in [false, true] {
        let mut app = app();
        app.init_resource::<On>()
            .add_systems(FixedPostUpdate, count.after(CollisionSystems::Report));
        let plate = (Plate, Sensor, Body::Static, BoxCollider::square(20.0));
        app.world_mut().spawn(plate);
        // A collider of another kind is despawned, too, and is not counted.
        let spawn = |app: &mut App| {
            app.world_mut().spawn(CircleCollider::new(5.0));
            let stone = (Stone, CircleCollider::new(5.0), Body::Kinematic);
            app.world_mut().spawn(stone).id()
        };
        let stone = spawn(&mut app);
        app.update();
        app.update();
        let mut memory = CollisionMemory::of(app.world());
        assert_eq!(*app.world().resource::<On>(), On(1));
        *app.world_mut().get_mut::<Transform>(stone).unwrap() = at(99.0, 0.0);
        app.update();
        assert_eq!(*app.world().resource::<On>(), On(0));

        let mut now = stone;
        if is_new {
            app.world_mut().despawn(stone);
            now = spawn(&mut app);
            memory.map_entities(&mut EntityHashMap::from([(stone, now)]));
        } else {
            *app.world_mut().get_mut::<Transform>(stone).unwrap() = at(0.0, 0.0);
        }
        app.insert_resource(On(1));
        memory.restore(app.world_mut());
        app.world_mut().despawn(now);
        app.update();
        assert_eq!(
            *app.world().resource::<On>(),
            On(0),
            "spawned anew: {is_new}"
        );
    }
}

/// Two come to one spot, one after the other, once bullets are gone that were spawned anew on the way back: which of the two gives way to which side does not depend on which entities the bullets were.
#[test]
fn who_comes_to_one_spot_after_going_back_parts_the_same_way() {
    for count in 1..=11 {
        let mut app = app();
        let bullet = |number: usize| {
            let place = at(1000.0 + 10.0 * number as f32, 0.0);
            (CircleCollider::new(1.0), Sensor, place)
        };
        let spawn = |app: &mut App| -> Vec<Entity> {
            let bullets = (0..count).map(|number| app.world_mut().spawn(bullet(number)).id());
            bullets.collect()
        };
        let bullets = spawn(&mut app);
        app.update();
        let memory = CollisionMemory::of(app.world());
        let run = |app: &mut App, bullets: &[Entity]| {
            for one in bullets {
                app.world_mut().despawn(*one);
            }
            app.update();
            let two = [0, 1].map(|_| {
                let one = (CircleCollider::new(5.0), at(0.0, 0.0));
                let one = app.world_mut().spawn(one).id();
                app.update();
                one
            });
            let ends = two.map(|one| place(app, one));
            for one in two {
                app.world_mut().despawn(one);
            }
            ends
        };
        let before = run(&mut app, &bullets);
        assert_ne!(before[0], before[1], "{count}");
        let again = spawn(&mut app);
        let mut back = memory.clone();
        let pairs = bullets.iter().copied().zip(again.iter().copied());
        back.map_entities(&mut pairs.collect::<EntityHashMap<Entity>>());
        back.restore(app.world_mut());
        assert_eq!(run(&mut app, &again), before, "{count}");
    }
}

/// What the game has despawned before the tick that was kept does not come back with it, unless its own grid is merged anew; and neither does it when a second level, which has changed since, goes back.
#[test]
fn a_cell_that_was_gone_then_stays_gone() {
    let mut app = app();
    let tiles = || TileColliders::from_cells(Vec2::splat(16.0), [IVec2::ZERO]);
    app.world_mut().spawn(tiles());
    app.update();
    let broken = boxes(&mut app)[0];
    app.world_mut().despawn(broken);
    let other = app.world_mut().spawn((tiles(), at(0.0, 100.0))).id();
    app.update();
    let memory = CollisionMemory::of(app.world());
    for time in 0..3 {
        let mut tiles = app.world_mut().get_mut::<TileColliders>(other).unwrap();
        tiles.set(IVec2::new(4, 0), true);
        app.update();
        assert_eq!(boxes(&mut app).len(), 2, "changed, time {time}");
        let mut tiles = app.world_mut().get_mut::<TileColliders>(other).unwrap();
        tiles.set(IVec2::new(4, 0), false);
        memory.restore(app.world_mut());
        assert_eq!(boxes(&mut app).len(), 1, "restored, time {time}");
    }
}

/// A cell that the game has despawned comes back with the memory, whenever it is restored: peers that go back a different number of times stay alike.
#[test]
fn a_cell_that_was_despawned_is_back_each_time() {
    let mut app = app();
    let cells = [IVec2::ZERO, IVec2::new(4, 0)];
    let mut tiles = TileColliders::from_cells(Vec2::splat(16.0), cells);
    tiles.set_alone(cells[1], true);
    app.world_mut().spawn(tiles);
    app.update();
    let memory = CollisionMemory::of(app.world());
    for time in 0..3 {
        let broken = boxes(&mut app).into_iter().find(|&one| {
            let tiles = app.world().get::<MergedTiles>(one);
            tiles.is_some_and(|tiles| tiles.min == cells[1])
        });
        let broken = broken.expect("it is there at first, and comes back");
        app.world_mut().despawn(broken);
        app.update();
        assert_eq!(boxes(&mut app).len(), 1, "despawned, time {time}");
        memory.restore(app.world_mut());
        assert_eq!(boxes(&mut app).len(), 2, "restored, time {time}");
    }
}
