//! Every pair that collides is reported once in each tick in which it does, with its normal, depth, and point.

use std::collections::BTreeSet;

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_nudge::prelude::*;

use crate::common::{app, app_with, at, forbid_open_orders, take, tick, wall};

/// ```text
///   (dot r10 at 295)| wall from 300 |
/// ```
#[test]
fn a_collision_tells_who_where_and_how_deep() {
    let mut app = app();
    let dot = app
        .world_mut()
        .spawn((CircleCollider::new(10.0), at(295.0, 7.0)))
        .id();
    let wall = app
        .world_mut()
        .spawn((BoxCollider::new(40.0, 400.0), Body::Static, at(320.0, 0.0)))
        .id();
    let collisions = tick(&mut app);
    // The dot reaches to 305, 5 into the wall; the point is halfway between 300 and 305, level with the dot.
    let expected = Collision {
        a: dot,
        b: wall,
        normal: Vec2::X,
        depth: 5.0,
        body_a: dot,
        body_b: wall,
        point: Vec2::new(302.5, 7.0),
        time: 1.0,
    };
    assert_eq!(collisions, [expected]);
    assert_eq!(expected.other(dot), Some(wall));
    assert_eq!(expected.other(wall), Some(dot));
    assert_eq!(expected.other(Entity::PLACEHOLDER), None);
    assert_eq!(expected.normal_for(wall), Some(Vec2::NEG_X));
    assert!(expected.involves(dot) && !expected.involves(Entity::PLACEHOLDER));
}

#[test]
fn what_is_spawned_before_the_tick_collides_in_it_and_starts_once() {
    let mut app = app();
    app.world_mut()
        .spawn((CircleCollider::new(10.0), Body::Kinematic, at(0.0, 0.0)));
    app.world_mut()
        .spawn((CircleCollider::new(10.0), Body::Kinematic, at(15.0, 0.0)));
    for (started, ongoing) in [(1, 1), (0, 1), (0, 1)] {
        app.update();
        assert_eq!(take::<CollisionStarted>(&mut app).len(), started);
        assert_eq!(take::<Collision>(&mut app).len(), ongoing);
        assert!(take::<CollisionEnded>(&mut app).is_empty());
    }
}

#[test]
fn pairs_are_sorted_by_who_was_spawned_first() {
    let mut app = app();
    let spawn = |app: &mut App, x: f32| {
        let body = (CircleCollider::new(1.0), Sensor, at(x, 0.0));
        app.world_mut().spawn(body).id()
    };
    let first = spawn(&mut app, 1.0);
    let second = spawn(&mut app, 0.0);
    let third = spawn(&mut app, 0.5);
    let pairs: Vec<_> = tick(&mut app).iter().map(|one| (one.a, one.b)).collect();
    assert_eq!(pairs, [(first, second), (first, third), (second, third)]);
}

/// Which pairs are reported, and which are pushed.
#[test]
fn every_pair_with_someone_who_can_move_is_reported() {
    use Body::{Dynamic, Kinematic, Static};
    for (a, b, reported, pushed) in [
        (Dynamic, Dynamic, true, true),
        (Dynamic, Kinematic, true, true),
        (Dynamic, Static, true, true),
        (Kinematic, Kinematic, true, false),
        (Kinematic, Static, true, false),
        (Static, Static, false, false),
    ] {
        for is_sensor in [false, true] {
            let mut app = app();
            let [one, other] = [(a, 0.0), (b, 15.0)].map(|(body, x)| {
                let collider = (CircleCollider::new(10.0), body, at(x, 0.0));
                app.world_mut().spawn(collider).id()
            });
            if is_sensor {
                app.world_mut().entity_mut(other).insert(Sensor);
            }
            let case = format!("{a:?} and {b:?}, sensor: {is_sensor}");
            assert_eq!(tick(&mut app).len(), usize::from(reported), "{case}");
            let moved = [(one, 0.0), (other, 15.0)]
                .iter()
                .any(|&(entity, x)| crate::common::place(&app, entity) != Vec2::new(x, 0.0));
            assert_eq!(moved, pushed && !is_sensor, "{case}");
        }
    }
}

#[test]
fn layers_must_agree_on_both_sides() {
    for (case, a, b, collides) in [
        ("no layers at all", None, None, true),
        ("default", Some((1, u32::MAX)), None, true),
        ("each other", Some((1, 2)), Some((2, 1)), true),
        ("one side only", Some((1, 2)), Some((2, 4)), false),
        ("on no layer", Some((0, u32::MAX)), None, false),
        ("against a default one", Some((4, 1)), None, true),
        ("not for a default one", Some((4, 2)), None, false),
    ] {
        let mut app = app();
        for (layers, x) in [(a, 0.0), (b, 1.0)] {
            let mut one = app
                .world_mut()
                .spawn((CircleCollider::new(10.0), at(x, 0.0)));
            if let Some((memberships, filters)) = layers {
                one.insert(CollisionLayers::new(memberships, filters));
            }
        }
        assert_eq!(tick(&mut app).len(), usize::from(collides), "{case}");
    }
}

#[derive(Resource, Default)]
struct Heard(Vec<(usize, usize)>);

/// Notes how many contacts there are, and how many of the sensors.
fn listen(collisions: Collisions, sensors: Query<Entity, With<Sensor>>, mut heard: ResMut<Heard>) {
    let of_sensors = sensors
        .iter()
        .map(|sensor| collisions.of(sensor).count())
        .sum();
    assert_eq!(collisions.len(), collisions.iter().count());
    assert_eq!(collisions.is_empty(), collisions.iter().next().is_none());
    heard.0.push((collisions.len(), of_sensors));
}

#[test]
fn collisions_answers_for_this_tick_after_report() {
    let mut app = app();
    app.init_resource::<Heard>()
        .add_systems(FixedPostUpdate, listen.after(CollisionSystems::Report));
    let sensor = app
        .world_mut()
        .spawn((BoxCollider::new(100.0, 10.0), Sensor, at(0.0, 0.0)))
        .id();
    let walkers = [-30.0, 0.0, 30.0, 200.0].map(|x| {
        let walker = (CircleCollider::new(5.0), Body::Kinematic, at(x, 0.0));
        app.world_mut().spawn(walker).id()
    });
    app.update();
    app.world_mut().despawn(walkers[0]);
    app.update();
    app.world_mut().despawn(sensor);
    app.update();
    assert_eq!(app.world().resource::<Heard>().0, [(3, 3), (2, 2), (0, 0)]);
}

#[test]
fn collisions_finds_a_pair_in_either_order() {
    fn ask(pair: In<(Entity, Entity)>, collisions: Collisions) -> Option<Vec2> {
        let hit = collisions.between(pair.0.0, pair.0.1)?;
        assert_eq!((hit.a, hit.b), *pair);
        Some(hit.normal)
    }
    let mut app = app();
    let dots = [0.0, 15.0, 90.0].map(|x| {
        let dot = (CircleCollider::new(10.0), Body::Kinematic, at(x, 0.0));
        app.world_mut().spawn(dot).id()
    });
    app.update();
    for (a, b, normal) in [
        (0, 1, Some(Vec2::X)),
        (1, 0, Some(Vec2::NEG_X)),
        (0, 2, None),
        (2, 1, None),
        (1, 1, None),
    ] {
        let found = app
            .world_mut()
            .run_system_cached_with(ask, (dots[a], dots[b]));
        assert_eq!(found.unwrap(), normal, "{a} and {b}");
    }
}

#[test]
fn who_is_asked_for_is_the_first_of_each_pair() {
    let mut app = app();
    let body = (Body::Kinematic, at(15.0, 0.0));
    let [first, body, last] = [
        app.world_mut()
            .spawn((CircleCollider::new(10.0), Body::Kinematic, at(0.0, 0.0)))
            .id(),
        app.world_mut().spawn(body).id(),
        app.world_mut()
            .spawn((CircleCollider::new(10.0), Body::Kinematic, at(30.0, 0.0)))
            .id(),
    ];
    let part = app
        .world_mut()
        .spawn((CircleCollider::new(10.0), ChildOf(body)))
        .id();
    app.update();
    let ask = move |collisions: Collisions| {
        let to_first = (part, body, first, Vec2::NEG_X);
        let to_last = (part, body, last, Vec2::X);
        let sorted = |hits: &mut dyn Iterator<Item = Collision>| {
            let told = hits.map(|hit| (hit.a, hit.body_a, hit.b, hit.normal));
            let mut told: Vec<_> = told.collect();
            told.sort_by(|a, b| a.3.x.total_cmp(&b.3.x));
            told
        };
        assert_eq!(sorted(&mut collisions.of(part)), [to_first, to_last]);
        assert_eq!(sorted(&mut collisions.solid_of(part)), [to_first, to_last]);
        assert_eq!(sorted(&mut collisions.of_body(body)), [to_first, to_last]);
        assert_eq!(sorted(&mut collisions.of_body(part)), [to_first, to_last]);
        assert_eq!(sorted(&mut collisions.of(body)), []);
        assert_eq!(
            sorted(&mut collisions.of(last)),
            [(last, last, part, Vec2::NEG_X)]
        );
    };
    app.world_mut().run_system_once(ask).unwrap();
}

#[test]
fn another_schedule_serves_as_well() {
    let mut app = app_with(CollisionPlugin::new(Update));
    app.world_mut()
        .spawn((CircleCollider::new(10.0), at(0.0, 0.0)));
    app.world_mut()
        .spawn((CircleCollider::new(10.0), Body::Static, at(15.0, 0.0)));
    app.update();
    assert_eq!(take::<CollisionStarted>(&mut app).len(), 1);
}

#[derive(Component)]
struct Walker;

/// Moves walkers by 1 to the right in each fixed tick.
fn walk(mut walkers: Query<&mut Transform, With<Walker>>) {
    for mut walker in &mut walkers {
        walker.translation.x += 1.0;
    }
}

/// From 289 in steps of 1: the dot touches the wall at 300 in the first tick, is in it by 1 in the second, and is pushed back.
#[test]
fn two_fixed_ticks_in_one_update_are_both_reported() {
    use bevy::time::TimeUpdateStrategy;
    let mut app = app();
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(2))
        .add_systems(FixedUpdate, walk);
    let dot = app
        .world_mut()
        .spawn((CircleCollider::new(10.0), Walker, at(289.0, 0.0)))
        .id();
    app.world_mut()
        .spawn((BoxCollider::new(40.0, 400.0), Body::Static, at(320.0, 0.0)));
    app.update();
    let depths: Vec<f32> = take::<Collision>(&mut app)
        .iter()
        .map(|one| one.depth)
        .collect();
    assert_eq!(depths, [0.0, 1.0]);
    assert_eq!(take::<CollisionStarted>(&mut app).len(), 1);
    assert_eq!(crate::common::place(&app, dot), Vec2::new(290.0, 0.0));
}

#[test]
fn systems_of_the_plugin_leave_no_order_open() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()));
    forbid_open_orders(&mut app, FixedPostUpdate);
    app.finish();
    app.world_mut().run_schedule(FixedPostUpdate);
}

#[test]
fn everything_public_is_known_to_reflection() {
    // As with Bevy's default features off: with its feature `reflect_auto_register`, an app knows all types before any plugin comes.
    let all = App::new();
    let mut app = App::new();
    app.insert_resource(AppTypeRegistry::default());
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        CollisionPlugin::default(),
        CollisionDebugPlugin,
    ));
    let registered = |app: &App| -> BTreeSet<&'static str> {
        let registry = app.world().resource::<AppTypeRegistry>().read();
        let paths = registry.iter().map(|one| one.type_info().type_path());
        let ours = paths.filter(|path| path.starts_with("bevy_nudge::"));
        // The inspector's are private.
        ours.filter(|path| !path.starts_with("bevy_nudge::inspector"))
            .collect()
    };
    let (all, known) = (registered(&all), registered(&app));
    let unknown: Vec<_> = all.difference(&known).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    // Also if that feature is off here.
    for path in [
        "components::collider::CircleCollider",
        "components::collider::BoxCollider",
        "components::collider::BoundsCollider",
        "components::body::Body",
        "components::body::Mass",
        "components::body::Sensor",
        "components::velocity::Velocity",
        "components::velocity::Swept",
        "components::velocity::Response",
        "components::one_way::OneWay",
        "components::one_way::DropThrough",
        "components::surface::SurfaceVelocity",
        "components::rider::Rider",
        "components::rider::PlatformOnLeave",
        "components::layers::CollisionLayers",
        "components::layers::LayerNames",
        "components::ignore::ColliderDisabled",
        "components::ignore::IgnoreCollisions",
        "components::partners::CollidingWith",
        "components::partners::CollisionTag",
        "components::leavers::Leaver",
        "filters::Pair",
        "filters::Verdict",
        "messages::collision::Collision",
        "messages::collision::CollisionStarted",
        "messages::crushed::Crushed",
        "messages::ended::CollisionEnded",
        "messages::ended::EndReason",
        "settings::CollisionSettings",
        "kernel::pair::Touching",
        "kernel::pair::Contact",
        "kernel::cast::Impact",
        "kernel::shape::Shape",
        "query::spatial::hits::CastHit",
        "query::spatial::hits::NearHit",
        "query::surface::Surface",
        "query::surface::SurfaceHit",
        "query::mover::MoveOptions",
        "query::mover::MoveHit",
        "query::mover::Moved",
        "query::explain::Explanation",
        "query::explain::Contactless",
        "tiles::grid::TileColliders",
        "tiles::grid::MergedTiles",
        "tiles::follow::MergedFrom",
        "tiles::merge::CellRect",
        "debug::layers::CollisionGizmos",
        "debug::layers::CollisionColors",
    ] {
        let path = format!("bevy_nudge::{path}");
        assert!(known.contains(&*path), "{path}");
    }
}

/// What is at the feet of a player, a box 10 wide and high, and whether that is solid for the player.
#[test]
fn what_is_solid_underfoot_is_told_from_what_is_only_there() {
    fn slab(y: f32) -> (BoxCollider, Transform) {
        (BoxCollider::new(50.0, 4.0), at(0.0, y))
    }
    fn dot() -> (CircleCollider, Transform) {
        (CircleCollider::new(2.0), at(0.0, -6.0))
    }
    fn ledge(world: &mut World, y: f32, way: Vec2) -> Entity {
        world.spawn((slab(y), Body::Static, OneWay(way))).id()
    }
    type Spawn = fn(&mut World) -> Entity;
    let cases: [(&str, bool, Spawn); 8] = [
        ("a floor", true, |world| {
            world.spawn((slab(-7.0), Body::Static)).id()
        }),
        ("a lift", true, |world| {
            world.spawn((slab(-7.0), Body::Kinematic)).id()
        }),
        ("a ledge", true, |world| ledge(world, -7.0, Vec2::Y)),
        ("a ledge that it is in", false, |world| {
            ledge(world, -5.0, Vec2::Y)
        }),
        ("a ledge upside down", false, |world| {
            ledge(world, -7.0, Vec2::NEG_Y)
        }),
        ("a ledge on its side", false, |world| {
            ledge(world, -7.0, Vec2::X)
        }),
        ("a coin", false, |world| world.spawn((dot(), Sensor)).id()),
        ("a ghost", false, |world| {
            world.spawn((dot(), Response::Pass)).id()
        }),
    ];
    for (case, holds, spawn) in cases {
        let mut app = app();
        let feet = spawn(app.world_mut());
        let player = (BoxCollider::square(10.0), Velocity::default());
        let player = app.world_mut().spawn(player).id();
        let collisions = |app: &mut App| -> [Vec<Collision>; 2] {
            app.update();
            let ask = move |collisions: Collisions| {
                let (all, solid) = (collisions.of(player), collisions.solid_of(player));
                [all.collect(), solid.collect()]
            };
            app.world_mut().run_system_once(ask).expect("it runs")
        };
        let [all, solid] = collisions(&mut app);
        assert!(all.len() == 1 && all[0].involves(feet), "{case}: {all:?}");
        assert_eq!(solid.len(), usize::from(holds), "{case}");
        app.world_mut().entity_mut(player).insert(Sensor);
        let [all, solid] = collisions(&mut app);
        assert_eq!((all.len(), solid.len()), (1, 0), "a sensor, {case}");
    }
}

/// Code that expects a collision may be given its start.
#[test]
fn a_start_is_the_collision_of_its_tick() {
    let mut app = app();
    app.world_mut().spawn((CircleCollider::new(5.0), Sensor));
    app.world_mut()
        .spawn((CircleCollider::new(5.0), at(8.0, 0.0)));
    let collisions = tick(&mut app);
    let started = take::<CollisionStarted>(&mut app);
    assert_eq!(started.len(), 1);
    assert_eq!(Collision::from(started[0]), collisions[0]);
    assert_eq!(CollisionStarted::from(collisions[0]), started[0]);
}

/// A pair as seen from a collider, or from a body of several; and the bodies that touch a plate.
#[test]
fn a_pair_is_seen_from_its_colliders_and_from_its_bodies() {
    let mut app = app();
    // The plate is spawned first, and the colliders of the cars after what they meet.
    let plate = (BoxCollider::new(100.0, 10.0), Sensor, Body::Static);
    let plate = app.world_mut().spawn(plate).id();
    let mut car = |x: f32| {
        let car = (Body::Kinematic, at(x, 0.0));
        let car = app.world_mut().spawn(car).id();
        let wheels = [-4.0, 4.0].map(|aside| {
            let wheel = (CircleCollider::new(3.0), at(aside, 0.0), ChildOf(car));
            app.world_mut().spawn(wheel).id()
        });
        (car, wheels)
    };
    let [(left, wheels), (right, _)] = [-30.0, 30.0].map(&mut car);
    let stranger = app.world_mut().spawn_empty().id();

    let hits = tick(&mut app);
    assert_eq!(hits.len(), 4);
    let of_left: Vec<&Collision> = hits.iter().filter(|hit| hit.involves_body(left)).collect();
    assert_eq!(of_left.len(), 2);
    for (hit, wheel) in of_left.into_iter().zip(wheels) {
        for asked in [left, wheel] {
            let seen = hit.seen_from(asked).unwrap();
            assert_eq!((seen.a, seen.body_a, seen.b), (wheel, left, plate));
            assert_eq!(seen.normal, hit.normal_for(wheel).unwrap());
        }
        assert_eq!(hit.seen_from(plate).unwrap().b, wheel);
        assert!(hit.seen_from(right).is_none() && hit.seen_from(stranger).is_none());
        assert!(!hit.involves_body(wheel) && hit.involves_body(plate));
    }
    let mut heads = move |body: Entity| {
        let ask = move |collisions: Collisions| {
            let others = collisions.bodies_colliding_with(body);
            others.collect::<Vec<_>>()
        };
        app.world_mut().run_system_once(ask).unwrap()
    };
    assert_eq!(heads(plate), [left, right]);
    assert_eq!(heads(left), [plate]);
    assert_eq!(heads(wheels[0]), [plate]);
    assert_eq!(heads(stranger), []);
}

#[test]
fn who_is_not_drawn_collides_all_the_same() {
    let mut app = app();
    let trap = (BoxCollider::square(10.0), Sensor, Visibility::Hidden);
    let trap = app.world_mut().spawn(trap).id();
    app.world_mut().spawn(CircleCollider::new(2.0));
    assert_eq!(tick(&mut app).len(), 1);
    app.world_mut().entity_mut(trap).insert(Visibility::Visible);
    assert_eq!(tick(&mut app).len(), 1);
    assert_eq!(take::<CollisionStarted>(&mut app).len(), 1);
    assert!(take::<CollisionEnded>(&mut app).is_empty());
}

/// A sensor that all bodies are in stops none of them, and does not change the surfaces of the others.
#[test]
fn a_sensor_turns_no_normal() {
    let told = |is_in_zone: bool| {
        let mut app = app();
        wall(&mut app, (-10.0, -50.0), (0.0, 50.0));
        let player = (BoxCollider::square(8.0), at(2.5, 4.0));
        let player = app.world_mut().spawn(player).id();
        let other = (BoxCollider::new(1.0, 8.0), at(-1.0, -4.0));
        let other = app.world_mut().spawn(other).id();
        if is_in_zone {
            let zone = (BoxCollider::square(40.0), Body::Static, Sensor);
            app.world_mut().spawn(zone);
        }
        app.update();
        let all = take::<Collision>(&mut app).into_iter();
        let mut all = all.filter_map(|met| met.seen_from(player));
        let met = all.find(|met| met.b == other).expect("they touch");
        (met.normal, met.depth, met.point)
    };
    assert_eq!(told(false).0, Vec2::NEG_Y);
    assert_eq!(told(true), told(false));
}
