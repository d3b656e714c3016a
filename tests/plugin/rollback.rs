//! Going back in a game in which things come, go and change all the time, as with peers over a network: what is gone is spawned anew, as another entity, and what came since is despawned.

use std::{collections::BTreeMap, fmt::Debug};

use bevy::{
    ecs::{
        component::Mutable,
        entity::{EntityHashMap, MapEntities},
        entity_disabling::Disabled,
        system::RunSystemOnce,
    },
    prelude::*,
};
use bevy_nudge::{
    components::Leaver,
    memory::CollisionMemory,
    messages::EndReason,
    prelude::*,
    tiles::{MergedFrom, MergedTiles},
};
use fastrand::Rng;

use crate::common::{app, at, take};

/// What the game knows a thing by, whatever entity it is.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Id(u32);

/// The next [`Id`], a part of the state of the game.
#[derive(Resource, Clone, Copy)]
struct NextId(u32);

/// Stays, whatever comes and goes.
#[derive(Component, Clone)]
struct Stays;

/// Walks by a `Mover`, and pushes what is in its way.
#[derive(Component, Clone)]
struct Walks;

/// Falls.
#[derive(Component, Clone)]
struct Falls;

/// Turns.
#[derive(Component, Clone)]
struct Turns;

/// Those whose numbers are alike modulo 5 pass each other.
fn pass_by_tags(pair: In<Pair>, tags: Query<&CollisionTag>) -> Verdict {
    match tags.get_many([pair.a, pair.b]) {
        Ok([a, b]) if a.0 % 5 == b.0 % 5 => Verdict::Respond(Response::Pass),
        _ => Verdict::Collide,
    }
}

/// A collider of the game, or a box of some cells of a grid.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    Thing(Id),
    Cells { grid: Id, cells: [i32; 4] },
}

/// Both sides of a pair; then the normal, the depth, the point and the time, to the bit.
type Met = ([Who; 2], [u32; 6]);

/// What a tick has led to, to the bit.
#[derive(Debug, PartialEq)]
struct Told {
    places: Vec<(Who, [u32; 4])>,
    partners: Vec<(Who, Vec<Who>)>,
    /// With the approach speed.
    started: Vec<(Met, u32)>,
    ongoing: Vec<Met>,
    /// With what each had that is gone.
    ended: Vec<(Met, EndReason, [Option<Leaver>; 2])>,
    crushed: Vec<(Who, Who, Option<Who>, u32)>,
}

/// All the entities that there ever were.
#[derive(Resource, Default)]
struct Names(EntityHashMap<Who>);

impl Names {
    fn of(&self, entity: Entity) -> Who {
        self.0[&entity].clone()
    }

    fn all_of(&self, entities: impl IntoIterator<Item = Entity>) -> Vec<Who> {
        let mut all: Vec<Who> = entities.into_iter().map(|one| self.of(one)).collect();
        all.sort();
        all
    }
}

fn learn_names(world: &mut World) {
    world.init_resource::<Names>();
    world.resource_scope(|world, mut names: Mut<Names>| {
        let mut things = world.query::<(Entity, &Id)>();
        for (entity, id) in things.iter(world) {
            names.0.insert(entity, Who::Thing(*id));
        }
        for (who, entity, _) in boxes(world) {
            names.0.insert(entity, who);
        }
    });
}

/// Returns the boxes of all grids, in an order that does not depend on entities, and whether each is disabled.
fn boxes(world: &mut World) -> Vec<(Who, Entity, bool)> {
    let mut boxes = world.query::<(Entity, &MergedTiles, &ChildOf, Has<Disabled>)>();
    let boxes = boxes.iter(world).map(|(entity, tiles, grid, is_disabled)| {
        let MergedTiles { min, size } = *tiles;
        let grid = *world.get::<Id>(grid.parent()).expect("grids have one");
        let cells = [min.x, min.y, size.x, size.y];
        (Who::Cells { grid, cells }, entity, is_disabled)
    });
    let mut boxes: Vec<_> = boxes.collect();
    boxes.sort();
    boxes
}

/// Turns a message, if need be, so that its pair is in the order of the names.
macro_rules! in_order {
    ($names:ident, $hit:expr) => {
        if $names.of($hit.a) > $names.of($hit.b) {
            $hit.swapped()
        } else {
            $hit
        }
    };
}

/// Returns what all messages tell of a pair.
macro_rules! met {
    ($names:ident, $hit:ident) => {{
        let [normal, point] = [$hit.normal, $hit.point];
        let numbers = [normal.x, normal.y, $hit.depth, point.x, point.y, $hit.time];
        (
            [$hit.a, $hit.b].map(|one| $names.of(one)),
            numbers.map(f32::to_bits),
        )
    }};
}

fn spawn(world: &mut World, thing: impl Bundle) -> Entity {
    let mut next = world.resource_mut::<NextId>();
    let id = Id(next.0);
    next.0 += 1;
    let tag = CollisionTag(u64::from(id.0));
    world.spawn((id, tag, CollidingWith::default(), thing)).id()
}

fn new_game(random: &mut Rng) -> App {
    let mut app = app();
    app.insert_resource(Time::<Fixed>::from_hz(64.0))
        .insert_resource(NextId(0))
        .add_collision_filter(pass_by_tags);
    let world = app.world_mut();
    spawn(world, (BoundsCollider::new(500.0, 300.0), Stays));
    let ground = (0..20).map(|x| IVec2::new(x - 10, -8));
    let walls = (0..6).flat_map(|y| [IVec2::new(-6, y - 6), IVec2::new(4, y - 7)]);
    let ground = TileColliders::from_cells(Vec2::splat(16.0), ground.chain(walls));
    spawn(world, (ground, Transform::default(), Stays));
    let raft = (0..6).map(|x| IVec2::new(x, 0));
    let raft = TileColliders::from_cells(Vec2::new(10.0, 8.0), raft);
    let raft = (raft, Body::Kinematic, Velocity(Vec2::new(20.0, 4.0)));
    spawn(world, (raft, at(-40.0, -30.0), Stays));
    let ledge = (BoxCollider::new(90.0, 6.0), Body::Static, OneWay::default());
    spawn(world, (ledge, at(100.0, 20.0), Stays));
    let belt = (BoxCollider::new(90.0, 6.0), Body::Static);
    let belt = (belt, SurfaceVelocity(Vec2::new(-50.0, 0.0)));
    spawn(world, (belt, at(-120.0, 20.0), Stays));
    let walker = (BoxCollider::new(8.0, 16.0), Walks, Stays);
    spawn(world, (walker, at(-150.0, -104.0)));
    for _ in 0..40 {
        come(world, random);
    }
    app
}

/// Spawns something.
fn come(world: &mut World, random: &mut Rng) {
    let mut spot = || random.f32() - 0.5;
    let place = at(spot() * 460.0, spot() * 260.0);
    let way = Velocity(Vec2::new(spot(), spot()) * 400.0);
    let layers = CollisionLayers::on(1 << random.u32(0..3));
    match random.u32(0..12) {
        0 => {
            let stone = (BoxCollider::square(10.0), Rider::default(), way, Falls);
            spawn(world, (stone, place, Mass(1.0 + random.f32())))
        }
        1 => {
            let ball = (CircleCollider::new(6.0), Response::bounce(0.9), way);
            spawn(world, (ball, place))
        }
        2 => {
            let ghost = (CircleCollider::new(9.0), Sensor, Response::Pass, way);
            spawn(world, (ghost, place))
        }
        3 => spawn(
            world,
            (BoxCollider::new(12.0, 7.0), Swept::default(), place),
        ),
        4 => {
            let ship = spawn(world, (Body::Dynamic, way, place));
            let left = (CircleCollider::new(4.0), at(-5.0, 0.0), ChildOf(ship));
            spawn(world, left);
            let right = (BoxCollider::square(6.0), at(5.0, 2.0), ChildOf(ship));
            spawn(world, (right, IgnoreCollisions::family()))
        }
        5 => {
            let bullet = (CircleCollider::new(1.0), Velocity(way.0 * 8.0));
            let bullet = (bullet, Response::Stop, layers.without(layers.memberships));
            spawn(world, (bullet, place))
        }
        6 => spawn(world, (BoxCollider::new(14.0, 9.0), Body::Static, place)),
        7 => {
            let lift = (BoxCollider::new(40.0, 6.0), Body::Kinematic);
            spawn(world, (lift, Velocity(way.0 * 0.2), place))
        }
        8 => {
            let cells = (0..4).map(|x| IVec2::new(x, x / 2));
            let raft = TileColliders::from_cells(Vec2::new(8.0, 6.0), cells);
            let kind = [Body::Static, Body::Kinematic, Body::Dynamic][random.usize(0..3)];
            spawn(world, (raft, kind, Velocity(way.0 * 0.3), place))
        }
        9 => {
            let mill = (BoxCollider::new(30.0, 4.0), Body::Kinematic, Turns);
            spawn(world, (mill, place))
        }
        10 => {
            let room = (BoundsCollider::new(90.0, 70.0), Body::Kinematic);
            spawn(world, (room, Velocity(way.0 * 0.2), place))
        }
        _ => spawn(world, (CircleCollider::new(7.0), layers, Falls, place)),
    };
}

/// Returns all that may go or change, in an order that does not depend on entities.
fn things(world: &mut World) -> Vec<(Id, Entity)> {
    let mut things = world.query_filtered::<(&Id, Entity), Without<Stays>>();
    let mut things: Vec<_> = things.iter(world).map(|(id, one)| (*id, one)).collect();
    things.sort();
    things
}

fn one_of(things: &[(Id, Entity)], random: &mut Rng) -> Entity {
    things[random.usize(0..things.len())].1
}

/// Changes a component if it is there.
fn change<C: Component<Mutability = Mutable>>(
    world: &mut World,
    entity: Entity,
    change: impl FnOnce(&mut C),
) {
    if let Some(mut component) = world.get_mut::<C>(entity) {
        change(&mut component);
    }
}

fn toggle<C: Component + Default>(world: &mut World, entity: Entity) {
    let mut entity = world.entity_mut(entity);
    if entity.contains::<C>() {
        entity.remove::<C>();
    } else {
        entity.insert(C::default());
    }
}

/// Makes the game's changes before a tick, which depend only on its number and on the state of the game.
fn play(app: &mut App, tick: u32) {
    let mut random = Rng::with_seed(u64::from(tick));
    let world = app.world_mut();
    for _ in 0..random.u32(0..3) {
        come(world, &mut random);
    }
    for _ in 0..random.u32(0..3) {
        let things = things(world);
        if things.len() > 20 {
            world.entity_mut(one_of(&things, &mut random)).despawn();
        }
    }
    let things = things(world);
    let one = one_of(&things, &mut random);
    match random.u32(0..12) {
        0 => toggle::<ColliderDisabled>(world, one),
        1 => toggle::<Sensor>(world, one),
        2 => toggle::<OneWay>(world, one),
        3 => {
            _ = world
                .entity_mut(one)
                .insert(CollisionLayers::on(1 << random.u32(0..3)))
        }
        4 => _ = world.entity_mut(one).insert(Body::Static),
        5 => _ = world.entity_mut(one).insert(Body::Kinematic),
        6 => _ = world.entity_mut(one).insert(Body::Dynamic),
        7 => change(world, one, |circle: &mut CircleCollider| {
            circle.radius += 1.5
        }),
        8 => change(world, one, |place: &mut Transform| place.scale.x *= 1.25),
        9 => change(world, one, |place: &mut Transform| {
            place.translation = Vec3::ZERO
        }),
        10 => _ = world.entity_mut(one).remove::<ChildOf>(),
        _ => {
            let other = one_of(&things, &mut random);
            if world.get::<ChildOf>(other).is_none() && other != one {
                world.entity_mut(one).insert(ChildOf(other));
            }
        }
    }
    // A door opens or shuts; before the first tick there are none.
    let doors = boxes(world);
    if !doors.is_empty() {
        let (_, door, _) = doors[random.usize(0..doors.len())];
        toggle::<Disabled>(world, door);
    }
    let mut grids = world.query::<(&Id, &mut TileColliders)>();
    let mut grids: Vec<_> = grids.iter_mut(world).collect();
    grids.sort_unstable_by_key(|(id, _)| **id);
    for (_, mut grid) in grids {
        if random.u32(0..4) == 0 {
            let cell = IVec2::new(random.i32(-6..6), random.i32(-8..1));
            let is_filled = grid.is_filled(cell);
            grid.set(cell, !is_filled);
            grid.set_alone(cell, random.bool());
        }
    }
    let mut falling = world.query_filtered::<&mut Velocity, With<Falls>>();
    for mut velocity in falling.iter_mut(world) {
        velocity.0.y -= 10.0;
    }
    let mut turning = world.query_filtered::<&mut Transform, With<Turns>>();
    for mut place in turning.iter_mut(world) {
        place.rotate_z(0.05);
    }
    for (id, one) in self::things(world) {
        if (id.0 + tick) % 16 < 3 && id.0 % 3 == 0 {
            world.entity_mut(one).insert(DropThrough);
        } else {
            world.entity_mut(one).remove::<DropThrough>();
        }
    }
    let mut swept = world.query::<(&Id, &mut Transform, &mut Swept)>();
    let mut swept: Vec<_> = swept.iter_mut(world).collect();
    swept.sort_unstable_by_key(|(id, ..)| **id);
    for (_, mut place, mut swept) in swept {
        if random.bool() {
            place.translation.x += random.f32() * 40.0 - 20.0;
        } else if random.u8(0..16) == 0 {
            place.translation.y = random.f32() * 100.0;
            swept.teleport();
        }
    }
    let walk = move |mover: Mover, mut walker: Single<(Entity, &mut Transform), With<Walks>>| {
        let (body, place) = &mut *walker;
        let way = if tick % 40 < 30 { 5.0 } else { -11.0 };
        let options = MoveOptions {
            push_layers: u32::MAX,
            ..default()
        };
        mover.move_and_slide(*body, place, Vec2::new(way, -1.0), &options);
    };
    world.run_system_once(walk).expect("there is a walker");
}

fn tick(app: &mut App, number: u32) -> Told {
    learn_names(app.world_mut());
    play(app, number);
    learn_names(app.world_mut());
    app.update();
    learn_names(app.world_mut());
    let (started, ongoing) = (take::<CollisionStarted>(app), take::<Collision>(app));
    let (ended, crushed) = (take::<CollisionEnded>(app), take::<Crushed>(app));
    let world = app.world_mut();
    let mut all = world.query::<(
        Entity,
        &Transform,
        Option<&Velocity>,
        Option<&CollidingWith>,
    )>();
    let names = world.resource::<Names>();
    let things = all
        .iter(world)
        .filter(|(one, ..)| names.0.contains_key(one));
    let (mut places, mut partners) = (Vec::new(), Vec::new());
    for (one, place, velocity, with) in things {
        let (place, way) = (place.translation, velocity.copied().unwrap_or_default().0);
        let bits = [place.x, place.y, way.x, way.y].map(f32::to_bits);
        places.push((names.of(one), bits));
        if let Some(with) = with {
            partners.push((names.of(one), names.all_of(with.iter().copied())));
        }
    }
    places.sort();
    partners.sort();
    let started = started.into_iter().map(|hit| {
        let hit = in_order!(names, hit);
        (met!(names, hit), hit.approach_speed.to_bits())
    });
    let ongoing = ongoing.into_iter().map(|hit| {
        let hit = in_order!(names, hit);
        met!(names, hit)
    });
    let ended = ended.into_iter().map(|hit| {
        let hit = in_order!(names, hit);
        let met = met!(names, hit);
        (met, hit.reason, [hit.leaver_a, hit.leaver_b])
    });
    // In an order that does not depend on entities.
    let (mut started, mut ongoing) = (Vec::from_iter(started), Vec::from_iter(ongoing));
    let mut ended = Vec::from_iter(ended);
    started.sort();
    ongoing.sort();
    ended.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    let crushed = crushed.iter().map(|hit| {
        let against = hit.against.map(|one| names.of(one));
        (
            names.of(hit.entity),
            names.of(hit.by),
            against,
            hit.depth.to_bits(),
        )
    });
    let mut crushed: Vec<_> = crushed.collect();
    crushed.sort();
    Told {
        places,
        partners,
        started,
        ongoing,
        ended,
        crushed,
    }
}

/// Puts the components of one type back.
type PutBack = Box<dyn Fn(&mut World, &BTreeMap<Id, Entity>)>;

/// The state of the game after a tick.
struct Kept {
    next: NextId,
    entities: BTreeMap<Id, Entity>,
    parents: BTreeMap<Id, Id>,
    components: Vec<PutBack>,
    /// Boxes of grids that are disabled.
    open: Vec<Who>,
    memory: CollisionMemory,
}

fn known(world: &mut World) -> BTreeMap<Id, Entity> {
    let mut all = world.query::<(&Id, Entity)>();
    all.iter(world).map(|(id, one)| (*id, one)).collect()
}

fn keep_each<C: Component + Clone>(world: &mut World) -> PutBack {
    let mut all = world.query::<(&Id, &C)>();
    let all: BTreeMap<Id, C> = all
        .iter(world)
        .map(|(id, one)| (*id, one.clone()))
        .collect();
    Box::new(move |world, entities| {
        for (id, entity) in entities {
            let mut entity = world.entity_mut(*entity);
            match all.get(id) {
                Some(component) => _ = entity.insert(component.clone()),
                None => _ = entity.remove::<C>(),
            }
        }
    })
}

impl Kept {
    fn of(app: &mut App) -> Self {
        let world = app.world_mut();
        let mut parents = world.query::<(&Id, &ChildOf)>();
        let parents = parents.iter(world).map(|(id, child)| {
            let parent = world.get::<Id>(child.parent()).expect("things have one");
            (*id, *parent)
        });
        let parents = parents.collect();
        let motion = [
            keep_each::<Transform>(world),
            keep_each::<Velocity>(world),
            keep_each::<Swept>(world),
            keep_each::<Rider>(world),
            keep_each::<Response>(world),
            keep_each::<Mass>(world),
            keep_each::<SurfaceVelocity>(world),
            keep_each::<OneWay>(world),
            keep_each::<Body>(world),
        ];
        let shapes = [
            keep_each::<CircleCollider>(world),
            keep_each::<BoxCollider>(world),
            keep_each::<TileColliders>(world),
            keep_each::<MergedFrom>(world),
            keep_each::<BoundsCollider>(world),
        ];
        let rules = [
            keep_each::<CollisionTag>(world),
            keep_each::<Sensor>(world),
            keep_each::<CollisionLayers>(world),
            keep_each::<ColliderDisabled>(world),
            keep_each::<IgnoreCollisions>(world),
            keep_each::<DropThrough>(world),
            keep_each::<Falls>(world),
            keep_each::<Turns>(world),
        ];
        Self {
            next: *world.resource::<NextId>(),
            entities: known(world),
            parents,
            components: motion.into_iter().chain(shapes).chain(rules).collect(),
            open: boxes(world)
                .into_iter()
                .filter_map(|(who, _, is_disabled)| is_disabled.then_some(who))
                .collect(),
            memory: CollisionMemory::of(world),
        }
    }

    /// Returns how many were spawned anew, and how many despawned.
    fn put_back(&self, app: &mut App) -> [usize; 2] {
        let world = app.world_mut();
        world.insert_resource(self.next);
        let now = known(world);
        let gone = now.iter().filter(|(id, _)| !self.entities.contains_key(id));
        let gone: Vec<Entity> = gone.map(|(_, one)| *one).collect();
        // A child that stays must not go with a parent that goes.
        for one in now.values() {
            world.entity_mut(*one).remove::<ChildOf>();
        }
        for one in &gone {
            world.entity_mut(*one).despawn();
        }
        let mut anew = 0;
        for id in self.entities.keys().filter(|id| !now.contains_key(id)) {
            world.spawn((*id, CollidingWith::default()));
            anew += 1;
        }
        let now = known(world);
        for (id, parent) in &self.parents {
            world.entity_mut(now[id]).insert(ChildOf(now[parent]));
        }
        for put_back in &self.components {
            put_back(world, &now);
        }
        let mut memory = self.memory.clone();
        let others = self.entities.iter().map(|(id, one)| (*one, now[id]));
        memory.map_entities(&mut others.collect::<EntityHashMap<Entity>>());
        memory.restore(world);
        for (who, one, is_disabled) in boxes(world) {
            if is_disabled != self.open.contains(&who) {
                toggle::<Disabled>(world, one);
            }
        }
        [anew, gone.len()]
    }
}

/// Fails at what differs first, and tells of nothing else.
fn assert_same<T: Debug + PartialEq>(what: &str, again: &[T], first: &[T]) {
    let differs = again
        .iter()
        .zip(first)
        .find(|(again, first)| again != first);
    assert!(differs.is_none(), "{what}: {differs:?}");
    assert_eq!(again.len(), first.len(), "{what}");
}

#[test]
fn a_game_with_comings_and_goings_is_the_same_again() {
    let mut changed = [0; 2];
    for seed in 0..6 {
        let mut random = Rng::with_seed(seed);
        let mut app = new_game(&mut random);
        let (mut kept, mut told) = (Vec::new(), Vec::new());
        let numbers = 100 * seed as u32..100 * seed as u32 + 60;
        for number in numbers.clone() {
            kept.push(Kept::of(&mut app));
            told.push(tick(&mut app, number));
        }
        assert!(told.iter().any(|told| !told.crushed.is_empty()));
        assert!(told.iter().any(|told| !told.ended.is_empty()));
        for _ in 0..8 {
            let back = random.usize(1..60);
            let [anew, gone] = kept[back].put_back(&mut app);
            changed = [changed[0] + anew, changed[1] + gone];
            for (number, first) in numbers.clone().zip(&told).skip(back).take(12) {
                let again = tick(&mut app, number);
                let what = |what: &str| format!("seed {seed}, from {back}, tick {number}, {what}");
                assert_same(&what("places"), &again.places, &first.places);
                assert_same(&what("started"), &again.started, &first.started);
                assert_same(&what("ongoing"), &again.ongoing, &first.ongoing);
                assert_same(&what("ended"), &again.ended, &first.ended);
                assert_same(&what("partners"), &again.partners, &first.partners);
                assert_same(&what("crushed"), &again.crushed, &first.crushed);
            }
        }
    }
    assert!(changed.iter().all(|&all| all > 200), "{changed:?}");
}
