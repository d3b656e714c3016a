//! Random worlds in which a bit of everything happens, tick by tick.

use bevy::{
    ecs::{entity_disabling::Disabled, query::Allow},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_nudge::{
    prelude::*, query::Moved, recorder::CollisionRecorderPlugin, tiles::TileColliders,
};

use crate::common::{at, run_on_one_thread};

/// A component by which a game hides entities.
#[derive(Component)]
struct Hidden;

/// With fewer than `LEAST` entities another one is spawned in each tick, with fewer than `MOST + 20` in some ticks.
const MOST: usize = 60;
const LEAST: usize = 10;

/// A world of random changes.
pub struct Everything {
    pub app: App,
    /// How many dashes there were.
    pub dashes: usize,
    /// In how many of them something was pushed.
    pub pushes: usize,
    random: fastrand::Rng,
    everybody: QueryState<Entity, Everybody>,
}

type Everybody = (With<Transform>, Allow<Disabled>, Allow<Hidden>);

impl Everything {
    pub fn new(seed: u64) -> Self {
        let mut app = App::new();
        app.world_mut().register_disabling_component::<Hidden>();
        app.add_plugins((
            MinimalPlugins,
            TransformPlugin,
            CollisionPlugin::default(),
            CollisionRecorderPlugin,
        ))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        app.finish();
        app.cleanup();
        run_on_one_thread(&mut app);
        app.update();
        let mut random = fastrand::Rng::with_seed(seed);
        let world = app.world_mut();
        world.spawn(BoundsCollider::new(300.0, 200.0));
        // A floor of single tiles, and walls of merged ones.
        for x in -9..9 {
            let tile = at(16.0 * x as f32, -60.0);
            world.spawn((BoxCollider::square(16.0), Body::Static, tile));
        }
        let cells = (0..40).map(|_| IVec2::new(random.i32(-15..15), random.i32(-9..9)));
        let tiles = TileColliders::from_cells(Vec2::splat(8.0), cells);
        world.spawn((tiles, at(-3.0, 5.0)));
        let everybody = app.world_mut().query_filtered();
        let mut everything = Self {
            app,
            dashes: 0,
            pushes: 0,
            random,
            everybody,
        };
        for _ in 0..30 {
            everything.spawn();
        }
        everything
    }

    /// Returns a place on a grid, so that now and then several are in one place.
    fn place(&mut self) -> Transform {
        let mut axis = |reach: i32| self.random.i32(-reach..=reach) as f32 * 4.0;
        at(axis(30), axis(16))
    }

    fn speed(&mut self) -> Vec2 {
        let mut axis = || (self.random.f32() - 0.5) * 600.0;
        Vec2::new(axis(), axis())
    }

    pub fn everybody(&mut self) -> Vec<Entity> {
        let mut all: Vec<Entity> = self.everybody.iter(self.app.world()).collect();
        all.sort_unstable();
        all
    }

    fn any(&mut self) -> Entity {
        let all = self.everybody();
        all[self.random.usize(0..all.len())]
    }

    fn spawn(&mut self) {
        let (place, speed) = (self.place(), self.speed());
        let kind = self.random.u32(0..17);
        let size = 2.0 + self.random.u32(0..4) as f32;
        let parent = self.any();
        let dot = CircleCollider::new(size);
        let square = BoxCollider::square(2.0 * size);
        let world = self.app.world_mut();
        match kind {
            0 | 1 => _ = world.spawn((dot, place)),
            2 | 3 => _ = world.spawn((square, place, Mass(size))),
            4 | 5 => {
                _ = world.spawn((
                    dot,
                    place,
                    Velocity(speed),
                    Response::Bounce { restitution: 0.9 },
                ))
            }
            6 => {
                _ = world.spawn((
                    square,
                    place,
                    Velocity(speed),
                    Rider::new(PlatformOnLeave::AddVelocity),
                ))
            }
            7 => _ = world.spawn((dot, place, Velocity(speed), Response::Pass)),
            8 => _ = world.spawn((square, place, Swept::default(), CollidingWith::default())),
            9 => {
                let speed = Vec2::new(speed.x * 0.2, 0.0);
                _ = world.spawn((
                    BoxCollider::new(40.0, 6.0),
                    place,
                    Body::Kinematic,
                    Velocity(speed),
                ));
            }
            10 => {
                _ = world.spawn((
                    BoxCollider::new(40.0, 4.0),
                    place,
                    Body::Static,
                    OneWay::default(),
                ))
            }
            11 => {
                _ = world.spawn((
                    dot,
                    place,
                    Sensor,
                    CollisionTag(u64::from(kind)),
                    Name::new("a coin"),
                ))
            }
            12 => {
                _ = world.spawn((
                    BoxCollider::capsule(2.0, 6.0),
                    at(size, 0.0),
                    ChildOf(parent),
                ))
            }
            13 => {
                // A body with two colliders on children, and none of its own.
                let body = world.spawn((place, Body::Dynamic, Velocity(speed))).id();
                world.spawn((dot, at(-3.0, 0.0), ChildOf(body)));
                world.spawn((square, at(5.0, 1.0), ChildOf(body)));
            }
            14 => {
                // Two bodies below an entity that is scaled and turned, and is not a body.
                let hanger = place.with_scale(Vec3::new(1.5, 0.75, 1.0));
                let hanger = world
                    .spawn(hanger.with_rotation(Quat::from_rotation_z(0.3)))
                    .id();
                world.spawn((dot, IgnoreCollisions::family(), ChildOf(hanger)));
                world.spawn((square, at(7.0, 0.0), Velocity(speed), ChildOf(hanger)));
            }
            15 => {
                let belt = (BoxCollider::new(60.0, 6.0), Body::Static);
                _ = world.spawn((belt, place, SurfaceVelocity(speed)));
            }
            _ => {
                // Several in one place.
                for _ in 0..4 {
                    world.spawn((dot, place));
                }
            }
        }
    }

    fn is_under(&self, mut entity: Entity, ancestor: Entity) -> bool {
        while entity != ancestor {
            match self.app.world().get::<ChildOf>(entity) {
                Some(child_of) => entity = child_of.parent(),
                None => return false,
            }
        }
        true
    }

    /// Makes one random change.
    fn change(&mut self) {
        let (one, other) = (self.any(), self.any());
        let (place, speed) = (self.place(), self.speed());
        let kind = self.random.u32(0..60);
        let by_little = Vec3::new(self.random.f32() - 0.5, self.random.f32() - 0.5, 0.0) * 6.0;
        let size = 2.0 + self.random.u32(0..4) as f32;
        let would_turn = self.is_under(other, one);
        let Ok(mut one) = self.app.world_mut().get_entity_mut(one) else {
            return;
        };
        match kind {
            0 => one.despawn(),
            1 => _ = one.remove::<CircleCollider>(),
            2 => _ = one.insert(CircleCollider::new(size)),
            3 => _ = one.insert(CircleCollider::new(-1.0)),
            4 => _ = one.insert(ColliderDisabled),
            5 => _ = one.remove::<ColliderDisabled>(),
            6 => _ = one.insert(Disabled),
            7 => _ = one.remove::<Disabled>(),
            8 => _ = one.insert(Hidden),
            9 | 10 => _ = one.remove::<Hidden>(),
            11 => _ = one.insert(Body::Static),
            12 | 13 => _ = one.insert(Body::Dynamic),
            14 => _ = one.insert(Body::Kinematic),
            15 => _ = one.remove::<Body>(),
            16 | 17 => _ = one.insert(Velocity(speed)),
            18 => _ = one.remove::<Velocity>(),
            19 => _ = one.remove::<ChildOf>(),
            20 | 21 if !would_turn => _ = one.insert(ChildOf(other)),
            22 => _ = one.insert(CollisionLayers::new(1, 1)),
            23 => _ = one.remove::<CollisionLayers>(),
            24 => _ = one.insert(IgnoreCollisions::with(other)),
            25 => _ = one.insert((Response::Stop, DropThrough)),
            26 => _ = one.remove::<(Response, DropThrough, IgnoreCollisions)>(),
            27 => _ = one.insert(Sensor),
            28 => _ = one.remove::<(Sensor, OneWay, SurfaceVelocity)>(),
            29 => _ = one.insert(Mass(size)),
            30 => _ = one.insert(Swept::default()),
            31 => _ = one.remove::<Transform>(),
            32 | 33 => _ = one.insert(place),
            34 => _ = one.insert(place.with_scale(Vec3::splat(1.0 + by_little.x.abs() * 0.1))),
            35 => _ = one.insert(Velocity(Vec2::new(f32::NAN, -0.0))),
            36 => {
                let margin = if place.translation.x < 0.0 { 0.0 } else { 1.0 };
                let rounds = if place.translation.y < 0.0 { 2 } else { 256 };
                self.app.insert_resource(CollisionSettings {
                    margin,
                    push_out_rounds: rounds,
                    touching: if size > 4.0 {
                        Touching::Ignored
                    } else {
                        Touching::Counts
                    },
                    ..default()
                });
            }
            37 => {
                let hertz = 30.0 + f64::from(size) * 20.0;
                self.app.insert_resource(Time::<Fixed>::from_hz(hertz));
            }
            38 => {
                if let Some(mut tiles) = one.get_mut::<TileColliders>() {
                    let cell = (place.translation.truncate() / 8.0).as_ivec2();
                    tiles.set(cell, size > 3.0);
                }
            }
            // The changes from here on are such that no game makes, or that are refused.
            39 => _ = one.insert(BoundsCollider::new(20.0 * size, 100.0)),
            40 => _ = one.remove::<(BoxCollider, BoundsCollider)>(),
            41 => {
                let rounded = BoxCollider::new(size, 3.0 * size).with_corner_radius(0.5 * size);
                _ = one.insert(rounded);
            }
            42 => {
                let sides = [Vec2::X, Vec2::NEG_Y, Vec2::ZERO, Vec2::ONE];
                _ = one.insert(OneWay(sides[size as usize % 4]));
            }
            43 => {
                let scales = [0.0, -1.0, f32::NAN, 2.0];
                let scale = Vec3::new(scales[size as usize % 4], by_little.x, 1.0);
                _ = one.insert(place.with_scale(scale));
            }
            44 => _ = one.insert(Mass([0.0, f32::NAN, 1.0e20, 0.1][size as usize % 4])),
            45 => _ = one.insert(Velocity(Vec2::new(1.0e30, 3.0))),
            46 => {
                let restitution = [1.5, f32::NAN, 0.0, -1.0][size as usize % 4];
                _ = one.insert(Response::Bounce { restitution });
            }
            47 => {
                if let Some(mut swept) = one.get_mut::<Swept>() {
                    swept.teleport();
                }
            }
            48 => _ = one.insert(Rider::new(PlatformOnLeave::AddUpwardVelocity)),
            49 => _ = one.insert(IgnoreCollisions::family()),
            50 => {
                let cells = (0..5).map(|x| IVec2::new(x, x * 3 % 2));
                _ = one.insert(TileColliders::from_cells(Vec2::splat(size), cells));
            }
            51 => _ = one.remove::<TileColliders>(),
            52 => {
                let ups = [Vec2::X, Vec2::ZERO, Vec2::NEG_Y, Vec2::new(0.0, 7.0)];
                self.app.insert_resource(CollisionSettings {
                    up: ups[size as usize % 4],
                    bounce_threshold: 100.0,
                    ..default()
                });
            }
            53 => {
                // No, one, or two ticks in an update.
                let ticks = TimeUpdateStrategy::FixedTimesteps(size as u32 % 3);
                self.app.insert_resource(ticks);
            }
            54 | 55 => _ = one.insert(SurfaceVelocity(speed)),
            56 => _ = one.insert(SurfaceVelocity(Vec2::new(f32::NAN, 1.0))),
            _ => {
                if let Some(mut transform) = one.get_mut::<Transform>() {
                    transform.translation += by_little;
                }
            }
        }
    }

    /// Moves a body at once, through what only reports, and pushes what is in its way or stops there.
    fn dash(&mut self) {
        let (one, way) = (self.any(), self.speed() * 0.2);
        let options = MoveOptions {
            push_layers: if self.random.bool() { u32::MAX } else { 0 },
            layers: self.random.bool().then_some(CollisionLayers::ALL),
            ..default()
        };
        let world = self.app.world_mut();
        let moved = world.run_system_cached_with(dash, (one, way, options));
        let moved = moved.expect("it runs");
        self.dashes += usize::from(moved.is_some());
        self.pushes += usize::from(moved.is_some_and(|moved| !moved.pushed.is_empty()));
    }

    /// Runs a tick, with random changes before it.
    pub fn tick(&mut self) {
        let count = self.everybody().len();
        if count < LEAST || count < MOST + 20 && self.random.bool() {
            self.spawn();
        }
        for _ in 0..self.random.u32(0..12) {
            self.change();
        }
        for _ in 0..self.random.u32(0..4) {
            self.dash();
        }
        self.app.update();
    }
}

fn dash(
    In((one, way, options)): In<(Entity, Vec2, MoveOptions)>,
    mover: Mover,
    mut all: Query<&mut Transform, Everybody>,
) -> Option<Moved> {
    let mut transform = all.get_mut(one).ok()?;
    mover.move_and_slide(one, &mut transform, way, &options)
}
