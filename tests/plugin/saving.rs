//! A world that is saved and loaded collides as before: by Bevy's own world files, and by serde.

use std::any::TypeId;

use bevy::{
    asset::{AssetPath, LoadFromPath, UntypedHandle},
    ecs::entity::EntityHashMap,
    prelude::*,
    reflect::structs::DynamicStruct,
    time::TimeUpdateStrategy,
    world_serialization::{DynamicWorldBuilder, serde::WorldDeserializer},
};
use bevy_nudge::{
    prelude::*,
    tiles::{MergedTiles, TileColliders},
};
use serde::{
    Serialize,
    de::{DeserializeOwned, DeserializeSeed},
};

use crate::common::{at, take};

/// Returns an app that knows of Bevy's own types only those that worlds here contain, and of ours only what the plugin registers: as with Bevy's default features off, and not all that its feature `reflect_auto_register` brings.
fn app() -> App {
    let mut app = App::new();
    app.insert_resource(AppTypeRegistry::default())
        .register_type::<(Transform, GlobalTransform, TransformTreeChanged)>()
        .register_type::<(ChildOf, Children, Name)>()
        .add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    // Bevy's first update passes no time and runs no fixed tick.
    app.update();
    app
}

/// For worlds without assets.
struct NoAssets;

impl LoadFromPath for NoAssets {
    fn load_from_path_erased(&mut self, _: TypeId, path: AssetPath<'static>) -> UntypedHandle {
        unreachable!("{path} is not in this world")
    }
}

/// Returns a world that contains a bit of everything, after half a second.
fn lively_world() -> App {
    let mut app = app();
    let world = app.world_mut();
    world.spawn((BoundsCollider::new(200.0, 200.0), Name::new("room")));
    let bounce = Response::Bounce { restitution: 1.0 };
    for number in 0..12 {
        let speed = Vec2::new(30.0 + number as f32, 17.0 * (number % 5) as f32);
        world.spawn((
            CircleCollider::new(3.0 + number as f32 / 4.0),
            at(-80.0 + 13.0 * number as f32, 40.0),
            Velocity(speed),
            bounce,
            CollisionTag(number),
        ));
    }
    let turret = (
        BoxCollider::square(10.0).with_corner_radius(2.0),
        Body::Kinematic,
        Mass(3.0),
    );
    let turret = world.spawn((turret, Velocity(Vec2::new(-8.0, 0.0)))).id();
    let layers = CollisionLayers::new(2, 5);
    let barrel = (
        BoxCollider::new(4.0, 20.0),
        layers,
        at(0.0, 12.0),
        ChildOf(turret),
    );
    world.spawn(barrel);
    let shell = (
        CircleCollider::new(2.0),
        Swept::default(),
        IgnoreCollisions::with(turret),
    );
    world.spawn((shell, at(0.0, 10.0), CollidingWith::default()));
    world.spawn((
        BoxCollider::new(60.0, 4.0),
        Body::Static,
        OneWay::default(),
        SurfaceVelocity(Vec2::new(-30.0, 0.0)),
        at(0.0, -30.0),
    ));
    world.spawn((
        CircleCollider::new(2.0),
        DropThrough,
        Velocity(Vec2::NEG_Y * 40.0),
    ));
    world.spawn((CircleCollider::new(30.0), Sensor, ColliderDisabled));
    let cells = (0..9).map(|x| IVec2::new(x, x % 3));
    let tiles = TileColliders::from_cells(Vec2::splat(8.0), cells);
    world.spawn((tiles, at(-80.0, -90.0)));
    app.insert_resource(CollisionSettings {
        margin: 0.0,
        ..default()
    });
    for _ in 0..30 {
        app.update();
    }
    app
}

/// Describes what is in the world, by the tags and kinds that survive saving: places and velocities to the bit.
fn state(app: &mut App) -> Vec<String> {
    type All<'a> = (
        &'a GlobalTransform,
        Option<&'a CollisionTag>,
        Option<&'a Velocity>,
        Has<BoxCollider>,
        Has<Sensor>,
        Option<&'a MergedTiles>,
    );
    let mut query = app.world_mut().query_filtered::<All, With<Body>>();
    let all = query.iter(app.world());
    let mut all: Vec<String> = all
        .map(|(place, tag, velocity, is_box, is_sensor, tiles)| {
            let place = place.translation();
            format!("{tag:?} {velocity:?} {is_box} {is_sensor} {tiles:?} at {place:?}")
        })
        .collect();
    all.sort_unstable();
    all
}

fn save(app: &App) -> String {
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let colliders = app
        .world()
        .iter_entities()
        .filter(|entity| entity.contains::<Transform>());
    let saved = DynamicWorldBuilder::from_world(app.world(), &registry)
        .deny_all_resources()
        .allow_resource::<CollisionSettings>()
        .extract_entities(colliders.map(|entity| entity.id()))
        .extract_resources()
        .build();
    saved
        .serialize(&registry)
        .expect("all of it is known to serde")
}

fn load(text: &str) -> App {
    let mut app = app();
    let loaded = {
        let registry = app.world().resource::<AppTypeRegistry>().read();
        let mut text = ron::de::Deserializer::from_str(text).expect("it is RON");
        let deserializer = WorldDeserializer {
            type_registry: &registry,
            load_from_path: &mut NoAssets,
        };
        deserializer.deserialize(&mut text).expect("it is a world")
    };
    let mut map = EntityHashMap::default();
    loaded
        .write_to_world(app.world_mut(), &mut map)
        .expect("all of it is registered");
    app
}

#[test]
fn a_world_that_is_loaded_goes_on_as_if_it_had_never_been_saved() {
    let mut app = lively_world();
    let text = save(&app);
    let mut loaded = load(&text);
    assert_eq!(loaded.world().resource::<CollisionSettings>().margin, 0.0);
    for app in [&mut app, &mut loaded] {
        take::<Collision>(app);
    }
    let mut collisions = 0;
    for tick in 0..120 {
        for app in [&mut app, &mut loaded] {
            app.update();
        }
        assert_eq!(state(&mut app), state(&mut loaded), "tick {tick}");
        let told = take::<Collision>(&mut app);
        let told_there = take::<Collision>(&mut loaded);
        let depths = |told: &[Collision]| {
            let mut depths: Vec<u32> = told.iter().map(|hit| hit.depth.to_bits()).collect();
            depths.sort_unstable();
            depths
        };
        assert_eq!(depths(&told), depths(&told_there), "tick {tick}");
        collisions += told.len();
    }
    assert!(collisions > 50, "{collisions}: something must happen");
}

/// It has not left its lift, and is still carried.
#[test]
fn who_rides_when_it_is_saved_is_not_thrown_off() {
    let mut app = app();
    let lift = (
        BoxCollider::new(400.0, 10.0),
        Body::Kinematic,
        Velocity(Vec2::new(64.0, 0.0)),
    );
    app.world_mut().spawn((lift, at(0.0, -5.0)));
    let rider = (
        BoxCollider::square(16.0),
        Rider::new(PlatformOnLeave::AddVelocity),
    );
    app.world_mut().spawn((rider, at(0.0, 8.0)));
    for _ in 0..2 {
        app.update();
    }
    let mut loaded = load(&save(&app));
    for tick in 0..4 {
        loaded.update();
        let world = loaded.world_mut();
        let (velocity, rider) = (world.query::<(&Velocity, &Rider)>())
            .single(world)
            .expect("one rider");
        assert_eq!(velocity.0, Vec2::ZERO, "tick {tick}");
        assert_eq!(rider.platform_velocity, Vec2::new(64.0, 0.0), "tick {tick}");
    }
}

/// References between entities refer to the new ones.
#[test]
fn who_ignores_whom_survives() {
    let mut app = app();
    let owner = app
        .world_mut()
        .spawn((CircleCollider::new(5.0), CollisionTag(1)))
        .id();
    let bullet = (
        CircleCollider::new(1.0),
        IgnoreCollisions::with(owner),
        CollisionTag(2),
    );
    app.world_mut().spawn(bullet);
    app.update();
    assert_eq!(take::<Collision>(&mut app), []);
    let mut loaded = load(&save(&app));
    loaded.update();
    assert_eq!(take::<Collision>(&mut loaded), []);
    let mut lists = loaded.world_mut().query::<&IgnoreCollisions>();
    let list = lists.single(loaded.world()).expect("one bullet").clone();
    let tag = loaded.world().get::<CollisionTag>(list.entities[0]);
    assert_eq!(tag, Some(&CollisionTag(1)));
}

#[test]
fn messages_go_over_the_wire_and_back() {
    fn there_and_back<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: T) {
        let text = ron::to_string(&value).expect("it can be written");
        let back: T = ron::from_str(&text).expect("and read");
        assert_eq!(back, value);
    }
    let mut app = app();
    let [one, two] = [0.0, 5.0].map(|x| {
        let dot = (
            CircleCollider::new(4.0),
            Sensor,
            Name::new("dot"),
            at(x, 0.3),
        );
        app.world_mut().spawn(dot).id()
    });
    app.update();
    there_and_back(take::<Collision>(&mut app)[0]);
    there_and_back(take::<CollisionStarted>(&mut app)[0]);
    app.world_mut().despawn(one);
    app.update();
    let ended = take::<CollisionEnded>(&mut app).remove(0);
    assert_eq!(
        ended.leaver(one).and_then(|one| one.name.clone()),
        Some(Name::new("dot"))
    );
    there_and_back(ended);
    there_and_back(Crushed {
        entity: two,
        body: two,
        by: one,
        against: None,
        depth: 0.1,
    });
    there_and_back(CollisionSettings::default());
    there_and_back(LayerNames::new(["walls"]));
    there_and_back(Verdict::Respond(Response::Bounce { restitution: 0.5 }));
}

/// Fields with a sensible default may be left out: in handwritten files, and in files from before the field existed.
#[test]
fn optional_parts_may_be_left_out() {
    fn read<T: DeserializeOwned>(text: &str) -> T {
        ron::from_str(text).expect(text)
    }
    let circle: CircleCollider = read("(radius: 3.0)");
    assert_eq!(circle, CircleCollider::new(3.0));
    let square: BoxCollider = read("(half_size: (2.0, 2.0))");
    assert_eq!(square, BoxCollider::square(4.0));
    let room: BoundsCollider = read("(half_size: (2.0, 2.0))");
    assert_eq!(room, BoundsCollider::new(4.0, 4.0));
    let layers: CollisionLayers = read("(memberships: 4)");
    assert_eq!(layers, CollisionLayers::new(4, u32::MAX));
    let ignores: IgnoreCollisions = read("(family: true)");
    assert_eq!(ignores, IgnoreCollisions::family());
    assert_eq!(read::<Swept>("()"), Swept::default());
    assert_eq!(read::<Rider>("()"), Rider::default());
    let belt: SurfaceVelocity = read("((2.0, 0.5))");
    assert_eq!(belt, SurfaceVelocity(Vec2::new(2.0, 0.5)));
    let rider: Rider = read("(on_leave: AddVelocity)");
    assert_eq!(rider, Rider::new(PlatformOnLeave::AddVelocity));
    let settings: CollisionSettings = read("(margin: 0.5)");
    let expected = CollisionSettings {
        margin: 0.5,
        ..default()
    };
    assert_eq!(settings, expected);
    let tiles: TileColliders = read("(cell_size: (8.0, 8.0), filled: [(1, 2)])");
    assert!(tiles.is_filled(IVec2::new(1, 2)));
}

/// As a game without the feature `serialize` reads its saved values.
#[test]
fn optional_parts_may_be_left_out_of_reflected_values() {
    fn read<T: FromReflect>(field: &str, value: impl PartialReflect) -> T {
        let mut parts = DynamicStruct::default();
        parts.insert(field, value);
        T::from_reflect(&parts).expect("the rest has a default")
    }
    let circle: CircleCollider = read("radius", 3.0_f32);
    assert_eq!(circle, CircleCollider::new(3.0));
    let square: BoxCollider = read("half_size", Vec2::splat(2.0));
    assert_eq!(square, BoxCollider::square(4.0));
    let room: BoundsCollider = read("half_size", Vec2::splat(2.0));
    assert_eq!(room, BoundsCollider::new(4.0, 4.0));
    let layers: CollisionLayers = read("memberships", 4_u32);
    assert_eq!(layers, CollisionLayers::new(4, u32::MAX));
    let ignores: IgnoreCollisions = read("family", true);
    assert_eq!(ignores, IgnoreCollisions::family());
    let settings: CollisionSettings = read("bubble", true);
    assert!(settings.bubble && settings.margin == CollisionSettings::default().margin);
    let tiles: TileColliders = read("cell_size", Vec2::splat(8.0));
    assert!(!tiles.is_filled(IVec2::ZERO));
}

#[test]
fn optional_parts_may_be_left_out_of_worlds() {
    let mut loaded = load(
        r#"(resources: {}, entities: {
            4294967290: (components: {
                "bevy_nudge::components::collider::CircleCollider": (radius: 3.0),
                "bevy_nudge::components::ignore::IgnoreCollisions": (family: true),
                "bevy_nudge::components::layers::CollisionLayers": (memberships: 4),
            }),
            4294967291: (components: {
                "bevy_nudge::components::collider::BoxCollider": (half_size: (2.0, 2.0)),
            }),
        })"#,
    );
    let collisions = crate::common::tick(&mut loaded);
    assert_eq!(collisions.len(), 1);
}
