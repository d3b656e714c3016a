//! `SpatialQuery` in a game: what it knows, and when, and which colliders count.

use std::ops::ControlFlow;

use bevy::{
    ecs::{
        entity_disabling::{DefaultQueryFilters, Disabled},
        system::RunSystemOnce,
    },
    prelude::*,
};
use bevy_nudge::{
    filters::{Pair, Verdict},
    kernel::{Outline, Shape},
    prelude::*,
    query::{CastHit, NearHit},
    spatial::Cast,
};

use crate::common::{app, at, forbid_open_orders, wall};

/// Asks one question.
fn ask<T: 'static>(
    app: &mut App,
    question: impl Fn(SpatialQuery) -> T + Send + Sync + 'static,
) -> T {
    app.world_mut()
        .run_system_once(move |space: SpatialQuery| question(space))
        .expect("it runs")
}

fn ray(app: &mut App, from: (f32, f32), to: (f32, f32)) -> Option<CastHit> {
    let (from, to) = (Vec2::from(from), Vec2::from(to));
    ask(app, move |space| {
        space.cast_ray(from, to - from, &QueryFilter::ALL).first()
    })
}

fn everybody(app: &mut App, filter: QueryFilter<'static>) -> Vec<Entity> {
    let mut all = ask(app, move |space| {
        let hits = space.overlap_circle(1.0e6, Vec2::ZERO, &filter).all();
        hits.iter().map(|hit| hit.entity).collect::<Vec<_>>()
    });
    all.sort_unstable_by_key(|entity| entity.index_u32());
    all
}

fn dot(app: &mut App, x: f32, y: f32) -> Entity {
    app.world_mut()
        .spawn((CircleCollider::new(1.0), at(x, y)))
        .id()
}

#[test]
fn a_ray_hits_a_box_from_every_side() {
    // The box is (-1,-1)-(1,1); the rays start 3 away from its middle and are 6 long.
    let mut app = app();
    let tile = wall(&mut app, (-1.0, -1.0), (1.0, 1.0));
    app.update();
    for (case, from, to, expected) in [
        (
            "from the left",
            (-3.0, 0.0),
            (3.0, 0.0),
            Some((1.0 / 3.0, Vec2::NEG_X)),
        ),
        (
            "from the right",
            (3.0, 0.0),
            (-3.0, 0.0),
            Some((1.0 / 3.0, Vec2::X)),
        ),
        (
            "from below",
            (0.0, -3.0),
            (0.0, 3.0),
            Some((1.0 / 3.0, Vec2::NEG_Y)),
        ),
        (
            "from above",
            (0.0, 3.0),
            (0.0, -3.0),
            Some((1.0 / 3.0, Vec2::Y)),
        ),
        ("past it", (-3.0, 1.5), (3.0, 1.5), None),
        // This ray enters nothing.
        ("along its edge", (-3.0, 1.0), (3.0, 1.0), None),
        ("of no length, outside", (-3.0, 0.0), (-3.0, 0.0), None),
        // It enters both sides at once: the x axis wins.
        (
            "through the corner",
            (-2.0, -2.0),
            (2.0, 2.0),
            Some((0.25, Vec2::NEG_X)),
        ),
        ("too short", (-3.0, 0.0), (-1.5, 0.0), None),
        (
            "just long enough",
            (-3.0, 0.0),
            (-1.0, 0.0),
            Some((1.0, Vec2::NEG_X)),
        ),
    ] {
        let hit = ray(&mut app, from, to);
        assert_eq!(
            hit.map(|hit| (hit.fraction, hit.normal)),
            expected,
            "{case}"
        );
        assert!(
            hit.is_none_or(|hit| (hit.entity, hit.body) == (tile, tile)),
            "{case}"
        );
    }
}

#[test]
fn a_ray_hits_a_circle() {
    let mut app = app();
    app.world_mut()
        .spawn((CircleCollider::new(1.0), at(1.0, 0.0)));
    app.update();
    let hit = ray(&mut app, (-4.0, 0.0), (4.0, 0.0)).expect("straight at it");
    assert_eq!((hit.fraction, hit.distance), (0.5, 4.0));
    assert_eq!((hit.point, hit.normal), (Vec2::ZERO, Vec2::NEG_X));
}

#[test]
fn what_is_there_before_the_first_tick_is_found() {
    let mut app = App::new();
    // Spawned before the plugin is added.
    let early = app
        .world_mut()
        .spawn((CircleCollider::new(1.0), at(5.0, 0.0)))
        .id();
    app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    let late = app
        .world_mut()
        .spawn((BoxCollider::square(2.0), at(10.0, 0.0)))
        .id();
    let hits = |app: &mut App| {
        ask(app, |space| {
            let all = space
                .cast_ray(Vec2::ZERO, Vec2::X * 20.0, &QueryFilter::ALL)
                .all();
            all.iter()
                .map(|hit| (hit.entity, hit.distance))
                .collect::<Vec<_>>()
        })
    };
    assert_eq!(hits(&mut app), [(early, 4.0), (late, 9.0)]);
    // Colliders that a tick knows are not found twice.
    app.world_mut().run_schedule(FixedPostUpdate);
    assert_eq!(hits(&mut app), [(early, 4.0), (late, 9.0)]);
}

#[test]
fn who_comes_between_two_ticks_is_found_at_once() {
    let mut app = app();
    let old = dot(&mut app, 0.0, 0.0);
    app.update();
    assert_eq!(everybody(&mut app, QueryFilter::ALL), [old]);
    // A child with an offset, and with layers of its own.
    let parent = app
        .world_mut()
        .spawn((Body::Kinematic, at(100.0, 0.0)))
        .id();
    let child = app
        .world_mut()
        .spawn((
            CircleCollider::new(2.0).with_offset(Vec2::new(0.0, 1.0)),
            CollisionLayers::new(4, 4),
            at(10.0, 20.0),
            ChildOf(parent),
        ))
        .id();
    let hit = ray(&mut app, (110.0, 0.0), (110.0, 40.0)).expect("it is there");
    assert_eq!((hit.entity, hit.body, hit.distance), (child, parent, 19.0));
    assert_eq!(everybody(&mut app, QueryFilter::on_layers(4)), [child]);
    let kinematic = QueryFilter {
        dynamics: false,
        statics: false,
        ..QueryFilter::ALL
    };
    assert_eq!(everybody(&mut app, kinematic), [child]);
    assert_eq!(
        ask(&mut app, move |space| space.distance(old, child)),
        Some((110.0_f32 * 110.0 + 21.0 * 21.0).sqrt() - 3.0)
    );

    // A collider that is replaced counts as it is now.
    app.world_mut()
        .entity_mut(old)
        .insert(CircleCollider::new(5.0));
    let hit = ray(&mut app, (-20.0, 0.0), (0.0, 0.0)).expect("it is larger");
    assert_eq!((hit.entity, hit.distance), (old, 15.0));
    assert_eq!(everybody(&mut app, QueryFilter::ALL), [old, child]);
    // With an invalid radius it takes no part.
    app.world_mut()
        .entity_mut(old)
        .insert(CircleCollider::new(-5.0));
    assert_eq!(everybody(&mut app, QueryFilter::ALL), [child]);
    app.world_mut()
        .entity_mut(old)
        .insert(CircleCollider::new(1.0));
    app.update();
    assert_eq!(everybody(&mut app, QueryFilter::ALL), [old, child]);
}

#[test]
fn who_has_gone_is_never_found() {
    let mut app = app();
    let [stays, despawned, removed, disabled, came_and_went] =
        [0.0, 5.0, 10.0, 15.0, 20.0].map(|x| dot(&mut app, x, 0.0));
    app.update();
    let world = app.world_mut();
    world.despawn(despawned);
    world.entity_mut(removed).remove::<CircleCollider>();
    world.entity_mut(disabled).insert(Disabled);
    world.entity_mut(came_and_went).remove::<CircleCollider>();
    world
        .entity_mut(came_and_went)
        .insert(CircleCollider::new(2.0));
    world.despawn(came_and_went);
    // A new collider in the slot of a despawned one.
    let new = dot(&mut app, 25.0, 0.0);
    assert_eq!(everybody(&mut app, QueryFilter::ALL), [stays, new]);
    let all = ask(&mut app, |space| {
        space.nearest_n(Vec2::ZERO, 10, 1.0e6, &QueryFilter::ALL)
    });
    assert_eq!(
        all.iter().map(|hit| hit.entity).collect::<Vec<_>>(),
        [stays, new]
    );
    for gone in [despawned, removed, disabled, came_and_went] {
        assert_eq!(
            ask(&mut app, move |space| space.closest_point(gone, Vec2::ZERO)),
            None
        );
        assert_eq!(
            ask(&mut app, move |space| space.distance(gone, stays)),
            None
        );
    }
    app.update();
    assert_eq!(everybody(&mut app, QueryFilter::ALL), [stays, new]);
}

#[test]
fn places_are_those_of_the_newest_tick() {
    let mut app = app();
    let mover = dot(&mut app, 0.0, 0.0);
    app.update();
    let there = |app: &mut App, x: f32| {
        ask(app, move |space| {
            space
                .overlap_point(Vec2::new(x, 0.0), &QueryFilter::ALL)
                .first()
        })
        .map(|hit| hit.entity)
    };
    app.world_mut()
        .get_mut::<Transform>(mover)
        .expect("has one")
        .translation
        .x = 50.0;
    assert_eq!(
        (there(&mut app, 0.0), there(&mut app, 50.0)),
        (Some(mover), None)
    );
    app.update();
    assert_eq!(
        (there(&mut app, 0.0), there(&mut app, 50.0)),
        (None, Some(mover))
    );
}

#[test]
fn what_was_pushed_is_where_it_was_pushed() {
    let mut app = app();
    // 38 deep in a wall that ends at 0: it is pushed out by 40 to the left.
    wall(&mut app, (0.0, -400.0), (1000.0, 400.0));
    let body = app
        .world_mut()
        .spawn((
            CircleCollider::new(2.0),
            at(38.0, 0.0),
            CollisionLayers::new(2, u32::MAX),
        ))
        .id();
    let child = app
        .world_mut()
        .spawn((
            CircleCollider::new(1.0),
            Sensor,
            at(0.0, 10.0),
            ChildOf(body),
            CollisionLayers::new(2, u32::MAX),
        ))
        .id();
    app.update();
    let mine = QueryFilter::on_layers(2);
    let hits = ask(&mut app, move |space| {
        space
            .cast_box(
                Vec2::new(0.5, 50.0),
                Vec2::new(-20.0, 0.0),
                Vec2::new(40.0, 0.0),
                &mine,
            )
            .all()
    });
    // The box's right side starts at -19.5; the circle is at -2, and its child right above it.
    let told: Vec<_> = hits
        .iter()
        .map(|hit| (hit.entity, hit.body, hit.distance))
        .collect();
    assert_eq!(told, [(body, body, 15.5), (child, body, 16.5)]);
    let nearest = ask(&mut app, move |space| {
        space.nearest(Vec2::new(-8.0, 0.0), 100.0, &mine)
    })
    .expect("near");
    assert_eq!(
        (nearest.entity, nearest.distance, nearest.point),
        (body, 4.0, Vec2::new(-4.0, 0.0))
    );
    assert!(ask(&mut app, move |space| !space
        .overlap_point(Vec2::new(38.0, 0.0), &mine)
        .any()));
}

/// Between `Gather` and `Detect`, all queries find everything where the previous tick found it.
#[test]
fn in_the_middle_of_a_tick_answers_are_of_the_tick_before() {
    #[derive(Resource, Default)]
    struct Told(Vec<(Entity, f32)>);

    fn note(space: SpatialQuery, mut told: ResMut<Told>) {
        told.0.clear();
        let _ = space
            .overlap_circle(40.0, Vec2::ZERO, &QueryFilter::ALL)
            .each(|hit| {
                told.0.push((hit.entity, hit.distance));
                ControlFlow::Continue(())
            });
    }

    let mut app = app();
    app.init_resource::<Told>().add_systems(
        FixedPostUpdate,
        note.after(CollisionSystems::Sweep)
            .before(CollisionSystems::Detect),
    );
    // The first two push each other apart by 0.05 each.
    let pushed = [99.0, 100.9].map(|x| dot(&mut app, x, 0.0));
    let fast = app
        .world_mut()
        .spawn((CircleCollider::new(1.0), at(5.0, 0.0)))
        .id();
    app.update();
    let place = app.world().entity(pushed[0]).get::<Transform>();
    assert!(place.is_some_and(|place| place.translation.x < 98.96));
    // It moves 45 units in the next tick, out of the area.
    let per_second = 1.0 / app.world().resource::<Time<Fixed>>().delta_secs();
    let velocity = Velocity(Vec2::new(0.0, 45.0 * per_second));
    app.world_mut().entity_mut(fast).insert(velocity);
    app.update();
    assert_eq!(app.world().resource::<Told>().0, [(fast, 4.0)]);
    app.update();
    assert_eq!(app.world().resource::<Told>().0, []);
}

#[test]
fn statics_that_change_are_followed() {
    let mut app = app();
    let tiles: Vec<Entity> = (0..200)
        .map(|x| {
            wall(
                &mut app,
                (x as f32 * 10.0, 0.0),
                (x as f32 * 10.0 + 5.0, 5.0),
            )
        })
        .collect();
    app.update();
    let rows = |app: &mut App| {
        let all = ask(app, |space| {
            space
                .cast_ray(Vec2::new(-5.0, 2.0), Vec2::X * 3000.0, &QueryFilter::ALL)
                .all()
        });
        all.iter().map(|hit| hit.entity).collect::<Vec<_>>()
    };
    assert_eq!(rows(&mut app), tiles);
    // Moves a few tiles, then many, then one again.
    for (from, to) in [(3, 5), (5, 190), (190, 191)] {
        for tile in &tiles[from..to] {
            app.world_mut()
                .get_mut::<Transform>(*tile)
                .expect("has one")
                .translation
                .y += 100.0;
        }
        app.update();
        let left: Vec<Entity> = tiles[..3].iter().chain(&tiles[to..]).copied().collect();
        assert_eq!(rows(&mut app), left);
        let above = ask(&mut app, |space| {
            space
                .cast_ray(Vec2::new(-5.0, 102.0), Vec2::X * 3000.0, &QueryFilter::ALL)
                .all()
        });
        assert_eq!(
            above.iter().map(|hit| hit.entity).collect::<Vec<_>>(),
            tiles[3..to]
        );
    }
}

#[test]
fn a_filter_says_who_counts() {
    const WALLS: u32 = 2;
    const PLAYERS: u32 = 4;
    let mut app = app();
    let layers = |on, sees| CollisionLayers::new(on, sees);
    let world = app.world_mut();
    let bodies = [Body::Dynamic, Body::Kinematic, Body::Static].map(|body| {
        world
            .spawn((
                CircleCollider::new(1.0),
                body,
                at(body as u8 as f32 * 10.0, 0.0),
            ))
            .id()
    });
    let [dynamic, kinematic, fixed] = bodies;
    let sensor = world
        .spawn((CircleCollider::new(1.0), Sensor, at(50.0, 0.0)))
        .id();
    let passing = world
        .spawn((CircleCollider::new(1.0), Response::Pass, at(60.0, 0.0)))
        .id();
    let wall = world
        .spawn((
            BoxCollider::square(2.0),
            layers(WALLS, PLAYERS),
            at(70.0, 0.0),
        ))
        .id();
    let deaf = world
        .spawn((BoxCollider::square(2.0), layers(WALLS, 0), at(80.0, 0.0)))
        .id();
    let child = world
        .spawn((BoxCollider::square(2.0), at(0.0, 20.0), ChildOf(dynamic)))
        .id();
    let all = [
        dynamic, kinematic, fixed, sensor, passing, wall, deaf, child,
    ];
    app.update();

    let none = QueryFilter {
        dynamics: false,
        kinematics: false,
        statics: false,
        ..QueryFilter::ALL
    };
    let is_right = |entity: Entity| entity.index_u32().is_multiple_of(2);
    let excluded: &'static [Entity] = Vec::leak(vec![child, wall]);
    let by_parent: &'static [Entity] = Vec::leak(vec![dynamic]);
    // A list so long that it is sorted.
    let others = (0..20).map(|_| app.world_mut().spawn_empty().id());
    let in_a_crowd = others.chain([child, wall, child]).collect::<Vec<_>>();
    let in_a_crowd: &'static [Entity] = Vec::leak(in_a_crowd);
    let predicate: &'static (dyn Fn(Entity) -> bool + Sync) = Box::leak(Box::new(is_right));
    for (case, filter, expected) in [
        ("all", QueryFilter::ALL, all.to_vec()),
        (
            "no sensors",
            QueryFilter {
                sensors: false,
                ..QueryFilter::ALL
            },
            vec![dynamic, kinematic, fixed, wall, deaf, child],
        ),
        (
            "only sensors",
            QueryFilter {
                solids: false,
                ..QueryFilter::ALL
            },
            vec![sensor, passing],
        ),
        (
            "what is solid",
            QueryFilter::SOLID,
            vec![dynamic, kinematic, fixed, wall, deaf, child],
        ),
        (
            "what is solid, but a child's family",
            QueryFilter::SOLID.without(excluded),
            vec![kinematic, fixed, deaf],
        ),
        (
            "but those named last",
            QueryFilter::excluding(excluded).without(by_parent),
            vec![kinematic, fixed, sensor, passing, wall, deaf],
        ),
        (
            "on a layer, without one",
            QueryFilter::on_layers(1)
                .without_sensors()
                .without(by_parent),
            vec![kinematic, fixed],
        ),
        (
            "all, but fields of their own",
            QueryFilter {
                dynamics: false,
                ..QueryFilter::SOLID.without(by_parent)
            },
            vec![kinematic, fixed],
        ),
        (
            "a predicate beside the rest",
            QueryFilter::SOLID
                .without(excluded)
                .with_predicate(predicate),
            [kinematic, fixed, deaf]
                .into_iter()
                .filter(|one| is_right(*one))
                .collect(),
        ),
        (
            "dynamic",
            QueryFilter {
                dynamics: true,
                ..none
            },
            vec![dynamic, sensor, passing, wall, deaf, child],
        ),
        (
            "kinematic",
            QueryFilter {
                kinematics: true,
                ..none
            },
            vec![kinematic],
        ),
        (
            "static",
            QueryFilter {
                statics: true,
                ..none
            },
            vec![fixed],
        ),
        ("nothing", none, vec![]),
        (
            "on a layer",
            QueryFilter::on_layers(WALLS),
            vec![wall, deaf],
        ),
        (
            "with players in its filter",
            QueryFilter::as_layers(layers(PLAYERS, WALLS)),
            vec![wall],
        ),
        (
            "on layers of a player",
            QueryFilter::as_layers(layers(PLAYERS, 1)),
            vec![dynamic, kinematic, fixed, sensor, passing, child],
        ),
        (
            "but a child's family",
            QueryFilter::excluding(excluded),
            vec![kinematic, fixed, sensor, passing, deaf],
        ),
        (
            "but a parent's family",
            QueryFilter::excluding(by_parent),
            vec![kinematic, fixed, sensor, passing, wall, deaf],
        ),
        (
            "but a child's family, among many",
            QueryFilter::excluding(in_a_crowd),
            vec![kinematic, fixed, sensor, passing, deaf],
        ),
        (
            "but the body of a child",
            QueryFilter::ALL.without_body(child),
            vec![kinematic, fixed, sensor, passing, wall, deaf],
        ),
        (
            "but a body and those listed",
            QueryFilter::excluding(excluded).without_body(fixed),
            vec![kinematic, sensor, passing, deaf],
        ),
        (
            "but the body named last",
            QueryFilter::SOLID
                .without_body(child)
                .without_body(kinematic),
            vec![dynamic, fixed, wall, deaf, child],
        ),
        (
            "a predicate",
            QueryFilter {
                predicate: Some(predicate),
                ..QueryFilter::ALL
            },
            all.into_iter().filter(|one| is_right(*one)).collect(),
        ),
    ] {
        let mut expected = expected;
        expected.sort_unstable_by_key(|entity| entity.index_u32());
        assert_eq!(everybody(&mut app, filter), expected, "{case}");
        // All other kinds of queries find the same.
        let near = ask(&mut app, move |space| {
            space.nearest_n(Vec2::ZERO, 100, f32::INFINITY, &filter)
        });
        let mut near: Vec<Entity> = near.iter().map(|hit| hit.entity).collect();
        near.sort_unstable_by_key(|entity| entity.index_u32());
        assert_eq!(near, expected, "{case}");
        let cast = ask(&mut app, move |space| {
            let cast = space.cast_box(
                Vec2::new(1.0, 100.0),
                Vec2::new(-20.0, 0.0),
                Vec2::X * 200.0,
                &filter,
            );
            assert_eq!(cast.any(), cast.first().is_some());
            assert_eq!(cast.first(), cast.all().first().copied());
            cast.all()
        });
        let mut cast: Vec<Entity> = cast.iter().map(|hit| hit.entity).collect();
        cast.sort_unstable_by_key(|entity| entity.index_u32());
        assert_eq!(cast, expected, "{case}");
    }
}

#[test]
fn a_collider_asks_for_others_than_its_family() {
    let mut app = app();
    let body = app
        .world_mut()
        .spawn((CircleCollider::new(2.0), Body::Kinematic, at(0.0, 0.0)))
        .id();
    let child = app
        .world_mut()
        .spawn((CircleCollider::new(3.0), at(1.0, 0.0), ChildOf(body)))
        .id();
    let other = app
        .world_mut()
        .spawn((BoxCollider::square(2.0), Body::Static, at(10.0, 0.0)))
        .id();
    let room = app
        .world_mut()
        .spawn(BoundsCollider::new(100.0, 100.0))
        .id();
    app.update();
    for (asks, distance) in [(body, 7.0), (child, 5.0)] {
        let hit = ask(&mut app, move |space| {
            space
                .cast_collider(asks, Vec2::X * 20.0, &QueryFilter::ALL)
                .first()
        });
        assert_eq!(
            hit.map(|hit| (hit.entity, hit.distance)),
            Some((other, distance))
        );
        assert!(!ask(&mut app, move |space| space
            .overlap_collider(asks, &QueryFilter::ALL)
            .any()));
        // One more may be named.
        let others = QueryFilter::ALL.without_body(other);
        let way = Vec2::X * 20.0;
        assert!(!ask(&mut app, move |space| {
            space.cast_collider(asks, way, &others).any()
        }));
        assert_eq!(
            ask(&mut app, move |space| space.distance(asks, other)),
            Some(distance)
        );
    }
    app.world_mut()
        .get_mut::<Transform>(body)
        .expect("has one")
        .translation
        .x = 5.0;
    app.update();
    let overlaps = ask(&mut app, move |space| {
        space.overlap_collider(child, &QueryFilter::ALL).all()
    });
    assert_eq!(
        overlaps.iter().map(|hit| hit.entity).collect::<Vec<_>>(),
        [other]
    );
    assert!(!ask(&mut app, move |space| space
        .overlap_collider(room, &QueryFilter::ALL)
        .any()));
    let nobody = app.world_mut().spawn_empty().id();
    assert!(!ask(&mut app, move |space| space
        .cast_collider(nobody, Vec2::X, &QueryFilter::ALL)
        .any()));
}

#[test]
fn touching_is_as_the_settings_say_unless_the_filter_says() {
    let mut app = app();
    dot(&mut app, 0.0, 0.0);
    app.update();
    let touches = |app: &mut App, touching| {
        let filter = QueryFilter {
            touching,
            ..QueryFilter::ALL
        };
        ask(app, move |space| {
            space
                .overlap_circle(2.0, Vec2::new(3.0, 0.0), &filter)
                .any()
        })
    };
    assert!(touches(&mut app, None));
    assert!(!touches(&mut app, Some(Touching::Ignored)));
    app.world_mut().resource_mut::<CollisionSettings>().touching = Touching::Ignored;
    assert!(!touches(&mut app, None));
    assert!(touches(&mut app, Some(Touching::Counts)));
}

/// A wall from 4 to 6, an eye at 0, and another collider at 10.
#[test]
fn one_sees_another_if_nothing_that_counts_is_between() {
    let mut app = app();
    let (eye, other) = (dot(&mut app, 0.0, 0.0), dot(&mut app, 10.0, 0.0));
    wall(&mut app, (4.0, -2.0), (6.0, 2.0));
    let glass = (BoxCollider::square(2.0), Sensor, at(5.0, 3.0));
    app.world_mut().spawn(glass);
    app.update();
    for (case, from, to, excluded, sees) in [
        ("the wall", (0.0, 0.0), (10.0, 0.0), vec![eye, other], false),
        ("back", (10.0, 0.0), (0.0, 0.0), vec![eye, other], false),
        ("before the wall", (0.0, 0.0), (3.9, 0.0), vec![eye], true),
        ("up to the wall", (0.0, 0.0), (4.0, 0.0), vec![eye], false),
        ("along it", (0.0, 2.0), (10.0, 2.0), vec![], true),
        ("a sensor is glass", (0.0, 3.0), (10.0, 3.0), vec![], true),
        ("out of oneself", (0.0, 0.0), (0.0, 5.0), vec![], false),
        ("but for oneself", (0.0, 0.0), (0.0, 5.0), vec![eye], true),
        ("into the other", (10.0, 5.0), (10.0, 0.0), vec![], false),
        (
            "but for the other",
            (10.0, 5.0),
            (10.0, 0.0),
            vec![other],
            true,
        ),
        ("here", (0.0, 8.0), (0.0, 8.0), vec![], true),
        ("here, inside of it", (5.0, 0.0), (5.0, 0.0), vec![], false),
        ("from nowhere", (f32::NAN, 0.0), (0.0, 8.0), vec![], false),
        (
            "to nowhere",
            (0.0, 8.0),
            (0.0, f32::INFINITY),
            vec![],
            false,
        ),
        ("too far", (-9.0e17, 8.0), (9.0e17, 8.0), vec![], false),
    ] {
        let (from, to) = (Vec2::from(from), Vec2::from(to));
        let found = ask(&mut app, move |space| {
            let filter = QueryFilter::SOLID.without(&excluded);
            space.has_line_of_sight(from, to, &filter)
        });
        assert_eq!(found, sees, "{case}");
    }
}

#[test]
fn what_a_cast_starts_inside_of_counts_or_not() {
    let mut app = app();
    let own = dot(&mut app, 0.0, 0.0);
    let other = dot(&mut app, 10.0, 0.0);
    app.update();
    let told = |hits: Vec<CastHit>| {
        hits.iter()
            .map(|hit| (hit.entity, hit.distance, hit.started_inside))
            .collect::<Vec<_>>()
    };
    let cast = |app: &mut App, hit_from_inside| {
        let filter = QueryFilter {
            hit_from_inside,
            ..QueryFilter::ALL
        };
        told(ask(app, move |space| {
            space
                .cast_ray(Vec2::new(0.5, 0.0), Vec2::X * 20.0, &filter)
                .all()
        }))
    };
    assert_eq!(
        cast(&mut app, true),
        [(own, 0.0, true), (other, 8.5, false)]
    );
    assert_eq!(cast(&mut app, false), [(other, 8.5, false)]);
}

#[test]
fn a_room_is_solid_outside() {
    let mut app = app();
    let room = app.world_mut().spawn(BoundsCollider::new(20.0, 10.0)).id();
    app.update();
    for (case, from, to, expected) in [
        (
            "right wall",
            (0.0, 0.0),
            (20.0, 0.0),
            Some((0.5, Vec2::NEG_X)),
        ),
        ("left wall", (0.0, 3.0), (-20.0, 3.0), Some((0.5, Vec2::X))),
        ("roof", (1.0, 0.0), (1.0, 20.0), Some((0.25, Vec2::NEG_Y))),
        (
            "floor first",
            (0.0, 0.0),
            (10.0, -10.0),
            Some((0.5, Vec2::Y)),
        ),
        ("corner", (0.0, 0.0), (20.0, 10.0), Some((0.5, Vec2::NEG_X))),
        ("not so far", (0.0, 0.0), (9.0, 0.0), None),
        ("along a wall", (0.0, 5.0), (9.0, 5.0), None),
        (
            "from outside",
            (12.0, 0.0),
            (20.0, 0.0),
            Some((0.0, Vec2::NEG_X)),
        ),
    ] {
        let hit = ray(&mut app, from, to);
        assert_eq!(
            hit.map(|hit| (hit.fraction, hit.normal)),
            expected,
            "{case}"
        );
        let was_outside = case == "from outside";
        assert!(
            hit.is_none_or(|hit| hit.entity == room && hit.started_inside == was_outside),
            "{case}"
        );
    }
    // The edge of a circle with a radius of 2 meets the wall after 8 of 20, at (10, 0).
    let ball = ask(&mut app, |space| {
        space
            .cast_circle(2.0, Vec2::ZERO, Vec2::X * 20.0, &QueryFilter::ALL)
            .first()
    })
    .expect("a wall");
    assert_eq!(
        (ball.distance, ball.point, ball.normal),
        (8.0, Vec2::new(10.0, 0.0), Vec2::NEG_X)
    );

    let at_point = |app: &mut App, x| {
        ask(app, move |space| {
            space
                .overlap_point(Vec2::new(x, 0.0), &QueryFilter::ALL)
                .any()
        })
    };
    assert_eq!(
        [9.9, 10.0, 11.0].map(|x| at_point(&mut app, x)),
        [false, true, true]
    );
    let near: NearHit = ask(&mut app, |space| {
        space.nearest(Vec2::new(7.0, 1.0), 100.0, &QueryFilter::ALL)
    })
    .expect("a wall");
    assert_eq!(
        (near.distance, near.point, near.normal),
        (3.0, Vec2::new(10.0, 1.0), Vec2::NEG_X)
    );
    let ball = dot(&mut app, 4.0, 0.0);
    app.update();
    assert_eq!(
        ask(&mut app, move |space| space.distance(ball, room)),
        Some(4.0)
    ); // to the roof
}

#[test]
fn each_can_stop_and_many_are_asked_at_once() {
    let mut app = app();
    let dots: Vec<Entity> = (0..20)
        .map(|x| dot(&mut app, x as f32 * 5.0, 0.0))
        .collect();
    app.update();
    let seen = ask(&mut app, |space| {
        let mut seen = 0;
        let flow = space
            .overlap_circle(1000.0, Vec2::ZERO, &QueryFilter::ALL)
            .each(|_| {
                seen += 1;
                if seen == 5 {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
        assert!(flow.is_break());
        seen
    });
    assert_eq!(seen, 5);
    let hits = ask(&mut app, |space| {
        let casts: Vec<Cast> = (0..1000)
            .map(|n| Cast::ray(Vec2::new(n as f32 * 0.5, 10.0), Vec2::NEG_Y * 20.0))
            .collect();
        let many = space.cast_many(&casts, &QueryFilter::ALL);
        let one_by_one = casts.iter().map(|cast| {
            space
                .cast_ray(cast.origin, cast.motion, &QueryFilter::ALL)
                .first()
        });
        assert!(one_by_one.eq(many.iter().copied()));
        many
    });
    assert_eq!(hits[10].map(|hit| hit.entity), Some(dots[1]));
    assert_eq!(hits[5], None);
    let areas = ask(&mut app, |space| {
        let shape = Shape::POINT;
        let areas: Vec<_> = (0..1000)
            .map(|n| (shape, Vec2::new(n as f32 * 0.5, 0.0)))
            .collect();
        space.overlap_many(&areas, &QueryFilter::ALL)
    });
    assert_eq!(
        areas[10].iter().map(|hit| hit.entity).collect::<Vec<_>>(),
        [dots[1]]
    );
    assert!(areas[5].is_empty());
}

#[test]
fn asking_stands_beside_all_that_a_game_writes() {
    fn moves_and_asks(
        space: SpatialQuery,
        mut all: Query<(&mut Transform, &mut CircleCollider, &mut CollisionLayers)>,
    ) {
        for (mut transform, mut circle, _) in &mut all {
            let place = transform.translation.truncate();
            if space.overlap_point(place, &QueryFilter::ALL).any() {
                circle.radius = 3.0;
            }
            transform.translation.x += 1.0;
        }
    }
    fn only_asks(space: SpatialQuery, other: SpatialQuery) {
        assert_eq!(
            space.nearest(Vec2::ZERO, 1.0, &QueryFilter::ALL),
            other.nearest(Vec2::ZERO, 1.0, &QueryFilter::ALL)
        );
    }
    let mut app = app();
    let dot = app
        .world_mut()
        .spawn((CircleCollider::new(1.0), CollisionLayers::DEFAULT))
        .id();
    app.add_systems(Update, (moves_and_asks, only_asks));
    // Systems that only ask do not have to wait for one another, or for those that move things.
    forbid_open_orders(&mut app, Update);
    app.update();
    assert_eq!(
        app.world()
            .get::<CircleCollider>(dot)
            .expect("has one")
            .radius,
        3.0
    );
}

#[test]
fn who_came_and_went_between_two_ticks_is_not_found() {
    for is_despawned in [true, false] {
        let mut app = app();
        assert_eq!(everybody(&mut app, QueryFilter::ALL), []);
        app.update();
        let ghost = dot(&mut app, 0.0, 0.0);
        assert_eq!(everybody(&mut app, QueryFilter::ALL), [ghost]);
        if is_despawned {
            app.world_mut().despawn(ghost);
        } else {
            let mut ghost = app.world_mut().entity_mut(ghost);
            ghost.remove::<CircleCollider>();
        }
        assert_eq!(everybody(&mut app, QueryFilter::ALL), []);
        assert_eq!(ask(&mut app, |space| space.iter().count()), 0);
        app.update();
        assert_eq!(everybody(&mut app, QueryFilter::ALL), []);
    }
}

/// Even if nothing else of the collider has changed.
#[test]
fn a_solid_side_or_a_belt_that_was_got_or_lost_since_is_known() {
    let mut app = app();
    assert_eq!(everybody(&mut app, QueryFilter::ALL), []);
    let ledge = dot(&mut app, 0.0, 0.0);
    let side = |app: &mut App| ask(app, move |space| space.get(ledge).unwrap().one_way);
    let belt = |app: &mut App| ask(app, move |space| space.get(ledge).unwrap().surface_velocity);
    app.update();
    assert_eq!((side(&mut app), belt(&mut app)), (None, Vec2::ZERO));
    let ways = (OneWay::default(), SurfaceVelocity(Vec2::X));
    app.world_mut().entity_mut(ledge).insert(ways);
    assert_eq!((side(&mut app), belt(&mut app)), (Some(Vec2::Y), Vec2::X));
    app.update();
    assert_eq!((side(&mut app), belt(&mut app)), (Some(Vec2::Y), Vec2::X));
    app.world_mut()
        .entity_mut(ledge)
        .remove::<(OneWay, SurfaceVelocity)>();
    assert_eq!((side(&mut app), belt(&mut app)), (None, Vec2::ZERO));
}

#[test]
fn one_collider_is_as_it_is_among_all_of_them() {
    let mut app = app();
    let own = |app: &mut App, entity| ask(app, move |space| space.get(entity));
    // The first query makes the plugin note changes between ticks.
    assert_eq!(everybody(&mut app, QueryFilter::ALL), []);
    let [stays, goes, swaps, sleeps] = [0.0, 20.0, 40.0, 60.0].map(|x| dot(&mut app, x, 0.0));
    let empty = app.world_mut().spawn(Transform::IDENTITY).id();
    app.update();
    let comes = dot(&mut app, 80.0, 0.0);
    let world = app.world_mut();
    world.entity_mut(stays).insert(Sensor);
    world.despawn(goes);
    world.entity_mut(swaps).remove::<CircleCollider>();
    world.entity_mut(swaps).insert(BoxCollider::square(4.0));
    world.entity_mut(sleeps).insert(ColliderDisabled);
    for is_known in [false, true] {
        let all = ask(&mut app, |space| space.iter().collect::<Vec<_>>());
        assert_eq!(all.len(), 3, "known: {is_known}");
        for view in &all {
            assert_eq!(own(&mut app, view.entity), Some(*view));
        }
        let sensor = own(&mut app, stays).expect("it has one");
        assert!(sensor.is_sensor && sensor.entity == stays && sensor.body == stays);
        let square = own(&mut app, swaps).expect("it has one");
        let shape = Shape::rectangle(Vec2::splat(2.0)).expect("valid");
        let place = Vec2::new(40.0, 0.0);
        assert_eq!(
            (square.outline, square.center),
            (Outline::Shape(shape), place)
        );
        assert!(own(&mut app, comes).is_some());
        for none in [goes, sleeps, empty, Entity::PLACEHOLDER] {
            assert_eq!(own(&mut app, none), None);
        }
        app.update();
    }
}

#[test]
fn who_was_switched_off_and_on_between_two_ticks_is_found() {
    let mut app = app();
    let lamp = dot(&mut app, 0.0, 0.0);
    assert_eq!(everybody(&mut app, QueryFilter::ALL), [lamp]);
    app.update();
    for _ in 0..2 {
        app.world_mut().entity_mut(lamp).insert(ColliderDisabled);
        assert_eq!(everybody(&mut app, QueryFilter::ALL), []);
        app.world_mut()
            .entity_mut(lamp)
            .remove::<ColliderDisabled>();
        assert_eq!(everybody(&mut app, QueryFilter::ALL), [lamp]);
    }
    app.update();
    assert_eq!(everybody(&mut app, QueryFilter::ALL), [lamp]);
}

/// Removed components count between ticks, and not only inserted ones.
#[test]
fn what_a_collider_loses_between_two_ticks_is_known() {
    let mut app = app();
    let everything = |app: &mut App| everybody(app, QueryFilter::ALL);
    let solid = |app: &mut App| {
        let filter = QueryFilter {
            sensors: false,
            ..QueryFilter::ALL
        };
        everybody(app, filter)
    };
    let [swaps, off, hidden, coin] = [0.0, 5.0, 10.0, 15.0].map(|x| dot(&mut app, x, 0.0));
    app.world_mut().entity_mut(off).insert(ColliderDisabled);
    app.world_mut().entity_mut(hidden).insert(Disabled);
    app.world_mut().entity_mut(coin).insert(Sensor);
    assert_eq!(everything(&mut app), [swaps, coin]);
    app.update();
    assert_eq!(everything(&mut app), [swaps, coin]);
    assert_eq!(solid(&mut app), [swaps]);

    let world = app.world_mut();
    // An entity with two shapes at once has no valid collider.
    world.entity_mut(swaps).insert(BoxCollider::square(4.0));
    world.entity_mut(swaps).remove::<CircleCollider>();
    world.entity_mut(off).remove::<ColliderDisabled>();
    world.entity_mut(hidden).remove::<Disabled>();
    world.entity_mut(coin).remove::<Sensor>();
    let all = [swaps, off, hidden, coin];
    for _ in 0..2 {
        assert_eq!(everything(&mut app), all);
        assert_eq!(solid(&mut app), all);
        let corner = Vec2::new(-1.9, -1.9);
        let at_corner = ask(&mut app, move |space| {
            let found = space.overlap_point(corner, &QueryFilter::ALL).first();
            found.map(|hit| hit.entity)
        });
        assert_eq!(at_corner, Some(swaps), "it is a box now");
        app.update();
    }

    // An entity that loses all components of its collider is not found any more, nor is a despawned one.
    let world = app.world_mut();
    world.entity_mut(swaps).remove::<(BoxCollider, Body)>();
    world.despawn(off);
    assert_eq!(everything(&mut app), [hidden, coin]);
}

/// A world may have no components that disable entities.
#[test]
fn what_says_nothing_of_a_collider_makes_no_newcomer_of_it() {
    let mut app = app();
    app.insert_resource(DefaultQueryFilters::empty());
    assert_eq!(everybody(&mut app, QueryFilter::ALL), []);
    let walker = dot(&mut app, 0.0, 0.0);
    app.world_mut()
        .entity_mut(walker)
        .insert(Name::new("walker"));
    app.update();
    let mut moved = app.world_mut().entity_mut(walker);
    moved.insert(at(50.0, 0.0));
    moved.remove::<Name>();
    // It is found where the tick has left it.
    let near = ask(&mut app, |space| {
        space.nearest(Vec2::ZERO, 10.0, &QueryFilter::ALL)
    });
    assert_eq!(near.map(|near| near.entity), Some(walker));
}

/// What a system finds between two stages of a tick.
#[derive(Resource, Default)]
struct Heard(Vec<Entity>);

fn hear(space: SpatialQuery, mut heard: ResMut<Heard>) {
    let hits = space.overlap_point(Vec2::ZERO, &QueryFilter::ALL).all();
    heard.0 = hits.iter().map(|hit| hit.entity).collect();
}

/// From `Gather` on the tick knows which colliders have come and gone; the index knows it only from `Detect` on.
#[test]
fn in_the_middle_of_a_tick_who_is_gone_is_gone_and_who_has_come_is_there() {
    for stage in 0..3 {
        for kind in 0..3 {
            let mut app = app();
            app.init_resource::<Heard>();
            app.add_systems(
                FixedPostUpdate,
                match stage {
                    0 => hear
                        .after(CollisionSystems::Gather)
                        .before(CollisionSystems::Sweep),
                    1 => hear
                        .after(CollisionSystems::Sweep)
                        .before(CollisionSystems::Detect),
                    _ => hear
                        .after(CollisionSystems::Detect)
                        .before(CollisionSystems::Resolve),
                },
            );
            let spawn = |app: &mut App| {
                let world = app.world_mut();
                match kind {
                    0 => world.spawn((CircleCollider::new(1.0), Body::Kinematic)),
                    1 => world.spawn((BoxCollider::square(2.0), Body::Static)),
                    // A room covers everything but its inside.
                    _ => world.spawn((BoundsCollider::new(2.0, 2.0), Body::Static, at(9.0, 0.0))),
                }
                .id()
            };
            let case = format!("stage {stage}, kind {kind}");
            let heard = |app: &App| app.world().resource::<Heard>().0.clone();
            let ghost = spawn(&mut app);
            app.update();
            assert_eq!(heard(&app), [ghost], "{case}");
            app.update();
            assert_eq!(heard(&app), [ghost], "{case}");
            app.world_mut().despawn(ghost);
            app.update();
            assert_eq!(heard(&app), [], "{case}");
            app.update();
            assert_eq!(heard(&app), [], "{case}");
            let next = spawn(&mut app);
            assert_eq!(everybody(&mut app, QueryFilter::ALL), [next], "{case}");
            app.update();
            assert_eq!(heard(&app), [next], "{case}");
            app.world_mut().entity_mut(next).insert(Disabled);
            app.update();
            assert_eq!(heard(&app), [], "{case}");
        }
    }
}

/// The sweep needs the current place, but queries still find the previous one.
#[test]
fn in_the_middle_of_a_tick_a_static_is_where_it_was() {
    for stage in 0..2 {
        let mut app = app();
        app.init_resource::<Heard>();
        let hear = match stage {
            0 => hear
                .after(CollisionSystems::Gather)
                .before(CollisionSystems::Sweep),
            _ => hear
                .after(CollisionSystems::Sweep)
                .before(CollisionSystems::Detect),
        };
        app.add_systems(FixedPostUpdate, hear);
        for number in 0..50_u8 {
            let x = 1000.0 + 20.0 * f32::from(number);
            wall(&mut app, (x, 0.0), (x + 10.0, 10.0));
        }
        let door = wall(&mut app, (-10.0, -10.0), (10.0, 10.0));
        let dot = (CircleCollider::new(1.0), Velocity(Vec2::X), at(0.0, 500.0));
        app.world_mut().spawn(dot);
        let heard = |app: &App| app.world().resource::<Heard>().0.clone();
        app.update();
        app.update();
        assert_eq!(heard(&app), [door], "{stage}");
        let go_to = |app: &mut App, x: f32| {
            app.world_mut()
                .get_mut::<Transform>(door)
                .unwrap()
                .translation
                .x = x;
        };
        go_to(&mut app, 100.0);
        app.update();
        assert_eq!(
            heard(&app),
            [door],
            "{stage}: in the tick before it was there"
        );
        app.update();
        assert_eq!(heard(&app), [], "{stage}");
        go_to(&mut app, 1.0);
        app.update();
        assert_eq!(heard(&app), [], "{stage}");
        app.update();
        assert_eq!(heard(&app), [door], "{stage}");
    }
}

/// Floats cannot represent 3.3 and 16.3 exactly, and still a body that was pushed out only touches the floor.
#[test]
fn what_was_pushed_out_is_not_inside_of_anything() {
    for number in 0..400_u16 {
        let height = (f32::from(number) - 200.0) / 10.0;
        let mut app = app();
        let floor = (BoxCollider::new(100.0, 10.0), Body::Static, at(0.0, height));
        app.world_mut().spawn(floor);
        let body = (BoxCollider::square(16.0), at(0.0, height + 12.5));
        let body = app.world_mut().spawn(body).id();
        app.update();
        let hit = |app: &mut App, one: Entity, way: (f32, f32)| {
            ask(app, move |space| {
                let cast = space.cast_collider(one, way.into(), &QueryFilter::ALL);
                cast.first()
            })
        };
        for way in [(20.0, 0.0), (0.0, 20.0)] {
            assert_eq!(hit(&mut app, body, way), None, "{height}, {way:?}");
        }

        let mut app = self::app();
        let room = (BoundsCollider::new(200.0, 200.0), Body::Static);
        app.world_mut().spawn((room, at(height, 0.0)));
        let ball = (CircleCollider::new(10.0), at(height + 92.0, 0.0));
        let ball = app.world_mut().spawn(ball).id();
        app.update();
        assert_eq!(hit(&mut app, ball, (-50.0, 0.0)), None, "{height}");
    }
}

/// What lies on a floor by numbers that a game or a level editor has rounded is as little inside of it: of these heights, about one in ten are some bits too low.
#[test]
fn what_is_put_on_a_floor_in_tenths_is_not_inside_of_it() {
    let mut below = 0;
    for tenths in -300..=300_i16 {
        let height = f32::from(tenths) / 10.0;
        let mut app = app();
        let floor = (BoxCollider::new(100.0, 10.0), Body::Static, at(0.0, height));
        let floor = app.world_mut().spawn(floor).id();
        let place = f32::from(tenths + 110) / 10.0;
        below += u32::from(place - height < 11.0);
        let body = (BoxCollider::square(12.0), at(0.0, place));
        let body = app.world_mut().spawn(body).id();
        app.update();
        app.update();
        for (way, hit) in [
            ((20.0, 0.0), false),
            ((-20.0, 1.0), false),
            ((0.0, 20.0), false),
            ((20.0, -5.0), true),
        ] {
            let first = ask(&mut app, move |space| {
                let cast = space.cast_collider(body, way.into(), &QueryFilter::ALL);
                let hit = cast.first()?;
                Some((
                    hit.entity,
                    hit.distance < 1.0e-4,
                    hit.normal,
                    hit.started_inside,
                ))
            });
            let expected = hit.then_some((floor, true, Vec2::Y, false));
            assert_eq!(first, expected, "{height}, {way:?}");
        }
    }
    assert!(below > 40, "{below}");
}

/// What a cast of a collider hits first, and how far away that is.
fn first_of(app: &mut App, who: Entity, way: Vec2) -> Option<(Entity, f32, Vec2)> {
    ask(app, move |space| {
        let cast = space.cast_collider(who, way, &QueryFilter::ALL);
        let hit = cast.first()?;
        Some((hit.entity, hit.distance, hit.normal))
    })
}

/// Asserts that something is hit first, about so far away.
fn assert_hit(found: Option<(Entity, f32, Vec2)>, who: Entity, far: f32, normal: Vec2, case: &str) {
    let Some(found) = found else {
        panic!("{case}: nothing is hit");
    };
    assert_eq!(found.0, who, "{case}: {found:?}");
    assert!((found.1 - far).abs() < 1.0e-3, "{case}: {found:?}");
    assert!(found.2.distance(normal) < 1.0e-3, "{case}: {found:?}");
}

fn spawn_tile(app: &mut App, place: Vec2, size: Vec2) -> Entity {
    let tile = (BoxCollider::new(size.x, size.y), Body::Static);
    app.world_mut().spawn((tile, at(place.x, place.y))).id()
}

/// The floor is some bits too high, and all its tiles are: as over one wide floor, the cast meets none of their sides. The same for a wall of stacked boxes, and for a ceiling.
#[test]
fn a_floor_of_flush_tiles_is_one_floor_to_a_cast_collider() {
    for turn in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y] {
        // Over the first tile, and with the right edge of a box exactly at the seam.
        for (is_round, x) in [(false, 0.0), (false, 4.0), (true, 0.0), (true, 4.0)] {
            let case = format!("turned to {turn}, round: {is_round}, at {x}");
            let mut app = app();
            let turned = |x: f32, y: f32| Vec2::new(x, y).rotate(turn);
            let mut tile = |x: f32, y: f32, size: (f32, f32)| {
                spawn_tile(&mut app, turned(x, y), turned(size.0, size.1).abs())
            };
            let tiles = [0.0, 20.0, 40.0].map(|x| tile(x, 5.3, (20.0, 10.0)));
            let wall = tile(95.0, 5.3, (10.0, 100.0));
            let place = turned(x, 16.3);
            let above = place.distance(turned(x, 5.3));
            assert!(above < 11.0, "or this tests nothing");
            let mut body = app.world_mut().spawn(at(place.x, place.y));
            if is_round {
                body.insert(CircleCollider::new(6.0));
            } else {
                body.insert(BoxCollider::square(12.0));
            }
            let body = body.id();
            app.update();
            app.update();
            let mut first = |x: f32, y: f32| first_of(&mut app, body, turned(x, y));
            assert_eq!(first(30.0, 0.0), None, "{case}");
            assert_eq!(first(30.0, 1.0), None, "{case}: away from it");
            assert_eq!(first(-30.0, 0.0), None, "{case}: back");
            assert_eq!(first(0.0, 30.0), None, "{case}: straight off");
            // From x + 6 to the wall at 90.
            let normal = turned(-1.0, 0.0);
            assert_hit(first(100.0, 0.0), wall, 84.0 - x, normal, &case);
            let down = first(30.0, -5.0);
            assert_hit(down, tiles[0], 0.0, turned(0.0, 1.0), &case);
        }
    }
}

/// Tops of tiles of different heights are at the same height only but for rounding: the body is not inside of the tile that it is over, and some bits too low for the next.
#[test]
fn tiles_of_different_heights_are_one_floor_to_a_cast_collider() {
    for turn in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y] {
        for low in [0.0, 1.0] {
            let mut app = app();
            let turned = |x: f32, y: f32| Vec2::new(x, y).rotate(turn);
            let mut tile = |x: f32, y: f32, size: (f32, f32)| {
                spawn_tile(&mut app, turned(x, y), turned(size.0, size.1).abs())
            };
            tile(8.0, 40.1 - low, (16.0, 16.0));
            let high = tile(24.0, 24.1, (16.0, 48.0));
            let place = turned(8.0, 54.1 - low);
            let body = (BoxCollider::square(12.0), at(place.x, place.y));
            let body = app.world_mut().spawn(body).id();
            app.update();
            app.update();
            let found = first_of(&mut app, body, turned(10.0, 0.0));
            if low == 0.0 {
                assert_eq!(found, None, "turned to {turn}");
            } else {
                // A step: from 8 + 6 to 16.
                assert_hit(found, high, 2.0, turned(-1.0, 0.0), "a step");
            }
        }
    }
}

/// Two points, or two lines end to end: at a height other than 0, rounding is more than their thickness.
#[test]
fn a_collider_without_thickness_meets_another_one_at_any_height() {
    for y in [0.0, 7.0, -3.3] {
        for turn in [Vec2::X, Vec2::Y] {
            for half_length in [0.0, 4.0] {
                let case = format!("at {y}, turned to {turn}, {half_length} long");
                let mut app = app();
                let size = turn * (2.0 * half_length);
                let [one, other] = [-50.0, 0.0].map(|x| {
                    let place = turn * x + turn.yx() * y;
                    let line = BoxCollider::new(size.x, size.y);
                    let line = (line, Body::Kinematic, at(place.x, place.y));
                    app.world_mut().spawn(line).id()
                });
                app.update();
                let found = first_of(&mut app, one, turn * 100.0);
                assert_hit(found, other, 50.0 - 2.0 * half_length, -turn, &case);
            }
        }
    }
}

/// A `Mover` and a tick forgive more.
#[test]
fn a_cast_collider_forgives_rounding_errors_only() {
    for (depth, is_inside) in [(1.0e-6, false), (0.002, true)] {
        let mut app = app();
        let floor = spawn_tile(&mut app, Vec2::new(0.0, -5.0), Vec2::new(100.0, 10.0));
        let body = (BoxCollider::square(16.0), Body::Kinematic);
        let body = app.world_mut().spawn((body, at(0.0, 8.0 - depth))).id();
        app.update();
        let found = ask(&mut app, move |space| {
            let cast = space.cast_collider(body, Vec2::X * 20.0, &QueryFilter::ALL);
            cast.first().map(|hit| (hit.entity, hit.started_inside))
        });
        assert_eq!(found, is_inside.then_some((floor, true)), "{depth}");
        let moved = app.world_mut().run_system_once(move |mover: Mover| {
            let from = Vec2::new(0.0, 8.0 - depth);
            let options = MoveOptions::default();
            mover.project(body, from, Vec2::X * 20.0, &options)
        });
        let moved = moved.expect("it runs").expect("it is a body");
        assert!(moved.hits.is_empty(), "{depth}: {moved:?}");
    }
}

/// How a body comes to lie on a floor, at its height and 10 thick, by a box of 16 at an offset.
#[derive(Clone, Copy, Debug)]
enum Landing {
    /// It begins 0.5 deep.
    PushOut,
    /// It falls by 3 in a tick, of which 0.5 are too much, by a `Velocity` or a `Mover`.
    Velocity,
    Mover,
}

/// Floats have few of these sums: where a body is and where its collider is are rounded apart.
#[test]
fn what_lies_on_something_by_an_offset_is_not_inside_of_it() {
    for landing in [Landing::PushOut, Landing::Velocity, Landing::Mover] {
        for height in [-20.0, -7.3, -0.1, 0.0, 3.3, 8.0, 16.1, 100.7] {
            let mut app = app();
            let above = match landing {
                Landing::PushOut => 12.5,
                Landing::Velocity | Landing::Mover => 15.5,
            };
            let bodies: Vec<_> = (-80..=80_i16)
                .map(|tenths| {
                    let (x, offset) = (f32::from(tenths) * 60.0, f32::from(tenths) / 10.0);
                    let floor = (BoxCollider::new(55.0, 10.0), Body::Static, at(x, height));
                    app.world_mut().spawn(floor);
                    let collider = BoxCollider::square(16.0).with_offset(Vec2::new(0.0, offset));
                    let body = (collider, at(x - 10.0, height + above - offset));
                    (app.world_mut().spawn(body).id(), offset)
                })
                .collect();
            let seconds = app
                .world()
                .resource::<Time<Fixed>>()
                .timestep()
                .as_secs_f32();
            if let Landing::Velocity = landing {
                for &(body, _) in &bodies {
                    let velocity = Velocity(Vec2::NEG_Y * (3.0 / seconds));
                    app.world_mut().entity_mut(body).insert(velocity);
                }
            }
            app.update();
            if let Landing::Mover = landing {
                let bodies = bodies.clone();
                let go = move |mover: Mover, mut transforms: Query<&mut Transform>| {
                    for &(body, _) in &bodies {
                        let mut transform = transforms.get_mut(body).expect("it has one");
                        let (way, options) = (Vec2::NEG_Y * 3.0, MoveOptions::default());
                        mover.move_and_slide(body, &mut transform, way, &options);
                    }
                };
                app.world_mut().run_system_once(go).expect("it runs");
                app.update();
            }
            for (body, offset) in bodies {
                let place = app.world().get::<Transform>(body).expect("it has one");
                let center = place.translation.y + offset;
                let case = format!("{landing:?} on {height} by {offset}: {center}");
                assert!(
                    center - height >= 13.0 && center - height < 13.001,
                    "{case}"
                );
                let hit = ask(&mut app, move |space| {
                    let cast = space.cast_collider(body, Vec2::X * 20.0, &QueryFilter::ALL);
                    cast.first()
                });
                assert_eq!(hit, None, "{case}");
            }
        }
    }
}

/// A game that starts anew may despawn all entities, and with them the plugin's observers of new colliders.
#[test]
fn who_comes_to_a_world_without_observers_is_found() {
    let mut app = app();
    let old = dot(&mut app, 0.0, 0.0);
    assert_eq!(everybody(&mut app, QueryFilter::ALL), [old]);
    app.update();
    let world = app.world_mut();
    let mut observers = world.query_filtered::<Entity, With<Observer>>();
    let observers: Vec<Entity> = observers.iter(world).collect();
    assert!(!observers.is_empty());
    for observer in observers {
        world.despawn(observer);
    }
    let new = dot(&mut app, 5.0, 0.0);
    assert_eq!(everybody(&mut app, QueryFilter::ALL), [old, new]);
    app.world_mut().entity_mut(old).insert(Disabled);
    assert_eq!(everybody(&mut app, QueryFilter::ALL), [new]);
    app.world_mut().entity_mut(new).remove::<CircleCollider>();
    assert_eq!(everybody(&mut app, QueryFilter::ALL), []);
    app.world_mut().entity_mut(old).remove::<Disabled>();
    assert_eq!(everybody(&mut app, QueryFilter::ALL), [old]);
}

/// A circle that slides along one wall of a room already touches that wall, and hits the one in its way.
#[test]
fn a_shape_that_is_cast_in_a_room_meets_the_wall_that_it_meets() {
    let mut app = app();
    let room = (BoundsCollider::new(200.0, 100.0), at(3.0, 1.0));
    app.world_mut().spawn(room);
    app.update();
    for (from, way, normal, point) in [
        // It touches both walls at its end, but moves only towards one.
        ((90.0, 0.0), (0.0, -100.0), Vec2::Y, (90.0, -50.0)),
        ((90.0, 0.0), (0.0, 100.0), Vec2::NEG_Y, (90.0, 50.0)),
        ((0.0, 40.0), (200.0, 0.0), Vec2::NEG_X, (100.0, 40.0)),
        ((0.0, 40.0), (-200.0, 0.0), Vec2::X, (-100.0, 40.0)),
        ((0.0, 0.0), (-200.0, 0.0), Vec2::X, (-100.0, 0.0)),
    ] {
        let middle = Vec2::new(3.0, 1.0);
        let (from, way) = (Vec2::from(from) + middle, Vec2::from(way));
        let hit = ask(&mut app, move |space| {
            let cast = space.cast_circle(10.0, from, way, &QueryFilter::ALL);
            cast.first()
        });
        let told = hit.map(|hit| (hit.normal, hit.point - middle));
        assert_eq!(told, Some((normal, point.into())), "{from}, {way}");
    }
}

/// In the very middle of the room the shape pokes out equally on both sides, and is outside all the same.
#[test]
fn what_is_too_large_for_a_room_is_outside_of_it_wherever_it_is() {
    let mut app = app();
    let room = (BoundsCollider::new(40.0, 200.0), Body::Static);
    app.world_mut().spawn(room);
    app.update();
    for (half, x, expected) in [
        (30.0, 0.0, Some((0.0, true))),
        (30.0, 0.001, Some((0.0, true))),
        // Exactly as wide as the room.
        (20.0, 0.0, None),
    ] {
        for way in [Vec2::new(0.0, 50.0), Vec2::new(0.0, -50.0)] {
            let hit = ask(&mut app, move |space| {
                let half = Vec2::new(half, 5.0);
                let from = Vec2::new(x, 0.0);
                let cast = space.cast_box(half, from, way, &QueryFilter::ALL);
                let hit = cast.first().map(|hit| (hit.fraction, hit.started_inside));
                let outside = QueryFilter {
                    hit_from_inside: false,
                    ..QueryFilter::ALL
                };
                assert_eq!(space.cast_box(half, from, way, &outside).first(), None);
                hit
            });
            assert_eq!(hit, expected, "{half}, {x}, {way}");
        }
    }
}

/// By rounding a beam may end outside of the wall that it hit. It goes on from there, and meets the wall on the other side.
#[test]
fn a_beam_stays_in_its_room() {
    let mut app = app();
    let room = app.world_mut().spawn(BoundsCollider::new(200.0, 100.0));
    let room = room.id();
    app.update();
    let past = QueryFilter {
        hit_from_inside: false,
        ..QueryFilter::ALL
    };
    let first = ask(&mut app, |space| {
        let ray = space.cast_ray(
            Vec2::new(10.0, 20.0),
            Vec2::new(700.0, 50.0),
            &QueryFilter::ALL,
        );
        ray.first().expect("the right wall")
    });
    assert_eq!((first.fraction, first.normal), (90.0 / 700.0, Vec2::NEG_X));
    assert!(first.point.x > 100.0, "outside of it, by a bit");
    let next = ask(&mut app, move |space| {
        let ray = space.cast_ray(first.point, Vec2::new(-700.0, 50.0), &past);
        ray.first()
    });
    let next = next.map(|hit| (hit.entity, hit.normal, hit.started_inside));
    assert_eq!(next, Some((room, Vec2::X, false)));

    for (case, from, way, expected) in [
        (
            "in by the right, out by the left",
            (104.0, 0.0),
            (-408.0, 0.0),
            Some((0.5, Vec2::X)),
        ),
        (
            "in by the right, out by the roof",
            (104.0, 42.0),
            (-16.0, 16.0),
            Some((0.5, Vec2::NEG_Y)),
        ),
        (
            "in, and not as far as a wall",
            (104.0, 0.0),
            (-200.0, 0.0),
            None,
        ),
        (
            "as far as a wall",
            (104.0, 0.0),
            (-204.0, 0.0),
            Some((1.0, Vec2::X)),
        ),
        ("past a corner", (104.0, 42.0), (-16.0, 64.0), None),
        ("farther out", (104.0, 0.0), (10.0, 0.0), None),
        (
            "farther out, from a corner",
            (100.0, 51.0),
            (10.0, 10.0),
            None,
        ),
        ("beside it", (104.0, 0.0), (0.0, 200.0), None),
        (
            "along a wall, in from the end of it",
            (100.0, 52.0),
            (0.0, -204.0),
            Some((0.5, Vec2::Y)),
        ),
    ] {
        let hit = ask(&mut app, move |space| {
            let cast = space.cast_ray(from.into(), way.into(), &past);
            assert_eq!(cast.any(), cast.first().is_some());
            cast.first().map(|hit| (hit.fraction, hit.normal))
        });
        assert_eq!(hit, expected, "{case}");
    }
}

/// A corner is outside of both walls by rounding: the beam meets the other one of the two right there.
#[test]
fn a_beam_that_ends_in_a_corner_meets_the_other_wall_there() {
    let mut app = app();
    app.world_mut().spawn(BoundsCollider::new(200.0, 100.0));
    app.update();
    let hits = ask(&mut app, |space| {
        let way = Vec2::new(700.0, 350.0);
        let first = space.cast_ray(Vec2::ZERO, way, &QueryFilter::ALL).first();
        let first = first.expect("the corner");
        let next = |way: Vec2| {
            let past = QueryFilter {
                hit_from_inside: false,
                ..QueryFilter::ALL
            };
            let hit = space.cast_ray(first.point, way, &past).first();
            hit.map(|hit| (hit.fraction, hit.normal))
        };
        let back = way.reflect(first.normal);
        (first, next(back), next(back.reflect(Vec2::NEG_Y)))
    });
    let (first, next, last) = hits;
    assert_eq!(first.normal, Vec2::NEG_X);
    assert!(
        first.point.cmpgt(Vec2::new(100.0, 50.0)).all(),
        "outside of both, by a bit"
    );
    assert_eq!(next, Some((0.0, Vec2::NEG_Y)));
    // 200 of 700, and 100 of 350.
    let (fraction, normal) = last.expect("the opposite corner");
    assert!((fraction - 2.0 / 7.0).abs() < 1.0e-6, "{fraction}");
    assert_eq!(normal, Vec2::X);
}

/// By rounding the cast ends outside of the wall, and what goes on from there along that wall is still in the room. One that is clearly outside is not.
#[test]
fn what_slides_on_along_a_wall_of_a_room_meets_the_next_one() {
    let mut app = app();
    app.world_mut().spawn(BoundsCollider::new(40.0, 40.0));
    app.update();
    let hits = ask(&mut app, |space| {
        let past = QueryFilter {
            hit_from_inside: false,
            ..QueryFilter::ALL
        };
        let (from, down) = (Vec2::new(0.0, 0.9), Vec2::new(0.0, -40.0));
        let floor = space.cast_circle(0.7, from, down, &past).first();
        let end = from + down * floor.expect("the floor").fraction;
        let next = |from: Vec2| {
            let hit = space.cast_circle(0.7, from, Vec2::X * 30.0, &past).first();
            hit.map(|hit| (hit.distance, hit.normal))
        };
        (end.y, next(end), next(end - Vec2::Y * 0.001))
    });
    let (end, next, outside) = hits;
    assert!(end < 0.7 - 20.0, "{end} is outside, by a bit");
    let (distance, normal) = next.expect("the right wall");
    assert!((distance - 19.3).abs() < 1.0e-4, "{distance}");
    assert_eq!(normal, Vec2::NEG_X);
    assert_eq!(outside, None);
}

/// What lies at a wall of a room, or in a corner, by numbers that are rounded is in the room.
#[test]
fn a_collider_at_a_wall_of_a_room_is_in_the_room() {
    // Both rooms end at -22.8, and -22.1 + 2.8 is -19.300001.
    for (case, center, (x, y), way, expected) in [
        (
            "right, along the floor",
            0.0,
            (0.0, -22.1),
            (30.0, 0.0),
            Some((19.3, (-1.0, 0.0))),
        ),
        (
            "left, along the floor",
            0.0,
            (0.0, -22.1),
            (-30.0, 0.0),
            Some((19.3, (1.0, 0.0))),
        ),
        ("up", 0.0, (0.0, -22.1), (0.0, 30.0), None),
        (
            "down",
            0.0,
            (0.0, -22.1),
            (0.0, -1.0),
            Some((0.0, (0.0, 1.0))),
        ),
        (
            "out of the corner, too steep",
            -2.8,
            (-22.1, -22.1),
            (5.0, -1.0),
            Some((0.0, (0.0, 1.0))),
        ),
        (
            "into the corner",
            -2.8,
            (-22.1, -22.1),
            (-5.0, -5.0),
            Some((0.0, (1.0, 0.0))),
        ),
        (
            "against the wall of the corner",
            -2.8,
            (-22.1, -22.1),
            (-5.0, 0.0),
            Some((0.0, (1.0, 0.0))),
        ),
        ("out of the corner", -2.8, (-22.1, -22.1), (5.0, 0.0), None),
    ] {
        let mut app = app();
        let room = (BoundsCollider::new(40.0, 40.0), Body::Static);
        app.world_mut().spawn((room, at(center, -2.8)));
        let ball = (CircleCollider::new(0.7), Body::Kinematic, at(x, y));
        let ball = app.world_mut().spawn(ball).id();
        app.update();
        app.update();
        let hit = ask(&mut app, move |space| {
            let cast = space.cast_collider(ball, way.into(), &QueryFilter::ALL);
            cast.first()
        });
        assert_eq!(
            hit.map(|hit| (hit.normal, hit.started_inside)),
            expected.map(|(_, normal)| (normal.into(), false)),
            "{case}"
        );
        if let (Some(hit), Some((distance, _))) = (hit, expected) {
            let far = hit.distance - distance;
            assert!(far.abs() < 1.0e-4, "{case}: {}", hit.distance);
            // From the middle of the ball to the wall.
            let point = Vec2::new(x, y) + Vec2::from(way).normalize_or_zero() * distance;
            let point = point - hit.normal * 0.7;
            assert!(hit.point.distance(point) < 1.0e-3, "{case}: {}", hit.point);
        }
    }
}

/// Many legs, each from where the one before it ended.
#[test]
fn a_beam_bounces_for_ever() {
    for seed in 0..20 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut number = |most: f32| (random.f32() - 0.5) * 2.0 * most;
        let mut app = app();
        let middle = Vec2::new(number(300.0), number(300.0));
        let room = (BoundsCollider::new(200.0, 100.0), at(middle.x, middle.y));
        app.world_mut().spawn(room);
        app.update();
        let (start, way) = (middle + number(40.0), Vec2::new(number(900.0), 300.0));
        let legs = ask(&mut app, move |space| {
            let past = QueryFilter {
                hit_from_inside: false,
                ..QueryFilter::ALL
            };
            let (mut place, mut way) = (start, way);
            let legs = (0..200).take_while(|_| {
                let hit = space.cast_ray(place, way, &past).first();
                if let Some(hit) = hit {
                    (place, way) = (hit.point, way.reflect(hit.normal));
                }
                hit.is_some()
            });
            legs.count()
        });
        assert_eq!(legs, 200, "seed {seed}");
    }
}

/// Two unlike colliders in one place come in the order that contacts have, and not in the order of their entities.
#[test]
fn of_two_unlike_colliders_in_one_place_the_same_one_comes_first_in_any_order_of_spawning() {
    let first = |is_circle_first: bool| {
        let mut app = app();
        for is_circle in [is_circle_first, !is_circle_first] {
            if is_circle {
                app.world_mut()
                    .spawn((CircleCollider::new(5.0), Sensor, Body::Static));
            } else {
                app.world_mut()
                    .spawn((BoxCollider::square(10.0), Body::Static));
            }
        }
        app.update();
        ask(&mut app, |space| {
            let filter = &QueryFilter::ALL;
            let hit = space
                .cast_ray(Vec2::new(-20.0, 0.0), Vec2::new(40.0, 0.0), filter)
                .first();
            let hit = hit.expect("both of them");
            assert_eq!((hit.fraction, hit.normal), (0.375, Vec2::NEG_X));
            let under = space.overlap_point(Vec2::ZERO, filter).first();
            let near = space.nearest(Vec2::new(-9.0, 0.0), 10.0, filter);
            let entities = [
                Some(hit.entity),
                under.map(|hit| hit.entity),
                near.map(|hit| hit.entity),
            ];
            entities.map(|entity| {
                space
                    .get(entity.expect("both"))
                    .expect("it is there")
                    .is_sensor
            })
        })
    };
    assert_eq!(first(true), first(false));
}

/// It moves with its parent from then on, and is a part of that body.
#[test]
fn a_collider_that_is_given_a_parent_before_its_first_tick_is_a_part_of_it() {
    let mut app = app();
    let hero = (CircleCollider::new(5.0), Body::Kinematic, at(100.0, 0.0));
    let hero = app.world_mut().spawn(hero).id();
    app.update();
    let under = |app: &mut App, x: f32| {
        ask(app, move |space| {
            let hits = space
                .overlap_point(Vec2::new(x, 0.0), &QueryFilter::ALL)
                .all();
            hits.iter()
                .map(|hit| (hit.entity, hit.body))
                .collect::<Vec<_>>()
        })
    };
    assert_eq!(under(&mut app, 100.0), [(hero, hero)]);
    let sword = app
        .world_mut()
        .spawn((CircleCollider::new(2.0), at(10.0, 0.0)))
        .id();
    assert_eq!(under(&mut app, 10.0), [(sword, sword)]);
    app.world_mut().entity_mut(hero).add_child(sword);
    for moment in ["before its first tick", "after it"] {
        assert_eq!(under(&mut app, 110.0), [(sword, hero)], "{moment}");
        assert_eq!(under(&mut app, 10.0), [], "{moment}");
        let others = ask(&mut app, move |space| {
            let own = [hero];
            let circle = Vec2::new(100.0, 0.0);
            space
                .overlap_circle(50.0, circle, &QueryFilter::excluding(&own))
                .any()
        });
        assert!(!others, "{moment}");
        app.update();
    }
    // And the other way: it is thrown away, and lies where its own place says.
    app.world_mut().entity_mut(sword).remove::<ChildOf>();
    for moment in ["before the next tick", "after it"] {
        assert_eq!(under(&mut app, 10.0), [(sword, sword)], "{moment}");
        assert_eq!(under(&mut app, 110.0), [], "{moment}");
        app.update();
    }
}

/// A floor of two boxes, which meet at x = 10: a box that reaches both of them at once, one of them only by its corner, hits the one that it reaches by a side, from either direction.
#[test]
fn of_two_that_are_hit_at_once_it_is_the_one_that_is_hit_on_a_side() {
    let mut app = app();
    let tile = (BoxCollider::square(10.0), Body::Static);
    let [left, right] = [5.0, 15.0].map(|x| app.world_mut().spawn((tile, at(x, -5.0))).id());
    let player = (BoxCollider::square(4.0), Body::Kinematic, at(12.0, 2.0));
    let player = app.world_mut().spawn(player).id();
    app.update();
    let tiles = QueryFilter {
        kinematics: false,
        ..QueryFilter::ALL
    };
    for (from, way, expected, fraction) in [
        ((12.0, 2.0), (-8.0, -8.0), right, 0.0),
        ((8.0, 2.0), (8.0, -8.0), left, 0.0),
        ((16.0, 6.0), (-8.0, -8.0), right, 0.5),
        ((4.0, 6.0), (8.0, -8.0), left, 0.5),
        // It reaches both by a side: the one with the lesser center is hit first.
        ((10.0, 6.0), (0.0, -8.0), left, 0.5),
    ] {
        let hits = ask(&mut app, move |space| {
            let cast = space.cast_box(Vec2::splat(2.0), from.into(), way.into(), &tiles);
            let first = cast.first();
            assert_eq!(first, cast.all().first().copied());
            first.map(|hit| (hit.entity, hit.normal, hit.fraction))
        });
        assert_eq!(hits, Some((expected, Vec2::Y, fraction)), "{from:?}");
    }
    let hit = ask(&mut app, move |space| {
        let cast = space.cast_collider(player, Vec2::splat(-8.0), &QueryFilter::ALL);
        cast.first().map(|hit| (hit.entity, hit.normal))
    });
    assert_eq!(hit, Some((right, Vec2::Y)));
}

/// Beside a large box, distances as short as the reach of the area are rounded by more than its width.
#[test]
fn the_first_in_an_area_is_one_of_all_in_it() {
    // At 20,000, numbers are 1/512 apart, so half of the size and the reach are 20,000 + 1/512 together, which is the distance; and in the second case 5/512. At two millions they are an eighth apart: the reach adds nothing, and the distance is an eighth more.
    for (size, reach, y, expected) in [
        (40_000.0, 0.001, 20_000.002, 1),
        (40_000.0, 0.01, 20_000.01, 1),
        (4.0e6, 0.05, 2_000_000.1, 0),
    ] {
        let mut app = app();
        let large = (BoxCollider::new(size, size), Body::Static, at(0.0, 0.0));
        let large = app.world_mut().spawn(large).id();
        app.update();
        let (first, all, any) = ask(&mut app, move |space| {
            let area = space.overlap_box(Vec2::splat(reach), Vec2::new(0.0, y), &QueryFilter::ALL);
            let first = area.first().map(|near| near.entity);
            (first, area.all().len(), area.any())
        });
        assert_eq!(all, expected, "{size}, {reach}");
        let is_in_it = all == 1;
        assert_eq!(any, is_in_it, "{size}, {reach}");
        assert_eq!(first, is_in_it.then_some(large), "{size}, {reach}");
    }
}

#[test]
fn from_a_point_beyond_the_world_nothing_is_the_nearest() {
    let mut app = app();
    let dot = dot(&mut app, 0.0, 0.0);
    app.update();
    let nearest = |app: &mut App, x: f32| {
        ask(app, move |space| {
            space.closest_point(dot, Vec2::new(x, 0.0))
        })
    };
    assert!(nearest(&mut app, 1.0e18).is_some_and(|point| point.x > 0.0));
    for x in [1.1e18, 1.0e20, f32::INFINITY, f32::NAN] {
        assert_eq!(nearest(&mut app, x), None, "{x}");
    }
}

/// While a tick asks a filter it holds all that it knows: a query in the filter finds neither what has come since the last tick nor what that has left.
#[test]
fn a_filter_finds_nobody_in_any_part_of_a_tick() {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    #[derive(Resource, Default)]
    struct Asked(AtomicUsize, AtomicUsize);

    let mut app = app();
    app.init_resource::<Asked>();
    app.add_collision_filter(|_: In<Pair>, space: SpatialQuery, asked: Res<Asked>| {
        asked.0.fetch_add(1, Relaxed);
        asked.1.fetch_max(space.iter().count(), Relaxed);
        Verdict::default()
    });
    let wall = (BoxCollider::square(10.0), Body::Static, at(20.0, 0.0));
    app.world_mut().spawn(wall);
    let ball = (CircleCollider::new(5.0), Velocity(Vec2::X * 640.0));
    app.world_mut().spawn((ball, at(0.0, 0.0)));
    for tick in 0..4 {
        app.update();
        let asked = app.world().resource::<Asked>();
        assert!(asked.0.swap(0, Relaxed) > 0, "{tick}");
        assert_eq!(asked.1.load(Relaxed), 0, "{tick}");
    }
}

/// The level grows in the middle of the game: what was there before is found once.
#[test]
fn in_the_middle_of_a_tick_nobody_is_found_twice() {
    let mut app = app();
    app.init_resource::<Heard>();
    let hear = hear
        .after(CollisionSystems::Sweep)
        .before(CollisionSystems::Detect);
    app.add_systems(FixedPostUpdate, hear);
    let door = wall(&mut app, (-10.0, -10.0), (10.0, 10.0));
    let grow = |app: &mut App, from: f32, count: u8| {
        for number in 0..count {
            let x = from + 20.0 * f32::from(number);
            wall(app, (x, 0.0), (x + 10.0, 10.0));
        }
    };
    grow(&mut app, 1000.0, 29);
    let dot = (CircleCollider::new(1.0), Velocity(Vec2::X), at(0.0, 500.0));
    app.world_mut().spawn(dot);
    let heard = |app: &App| app.world().resource::<Heard>().0.clone();
    app.update();
    app.update();
    assert_eq!(heard(&app), [door]);
    grow(&mut app, 5000.0, 10);
    app.update();
    assert_eq!(heard(&app), [door]);
    app.update();
    assert_eq!(heard(&app), [door]);
}

/// A filter may be a constant of the game, and the excluded entities may live shorter than that.
#[test]
fn filters_are_made_step_by_step() {
    const WALLS: QueryFilter = QueryFilter::on_layers(2).without_sensors();
    let own = [Entity::PLACEHOLDER];
    let filter = WALLS.without(&own);
    assert_eq!(filter.layers, QueryLayers::On(2));
    assert!(!filter.sensors && filter.solids && filter.statics && filter.hit_from_inside);
    assert_eq!(filter.excluded, own);
    assert!(WALLS.excluded.is_empty() && filter.predicate.is_none());
    let nobody = |_| false;
    let filter = filter.with_predicate(&nobody);
    assert!(filter.predicate.is_some_and(|counts| !counts(own[0])));
    assert_eq!(filter.excluded, own);
}

/// A part of a body was moved in place, and then something else about it was inserted: it stays where the tick has left it within its body. A new shape is where it was inserted.
#[test]
fn a_part_that_gets_something_between_ticks_stays_where_the_tick_has_left_it() {
    let mut app = app();
    let body = app.world_mut().spawn((Body::Kinematic, at(0.0, 0.0))).id();
    let part = (CircleCollider::new(2.0), at(10.0, 0.0), ChildOf(body));
    let part = app.world_mut().spawn(part).id();
    let found = |app: &mut App| {
        ask(app, |space| {
            let at = |x: f32| {
                let hit = space
                    .overlap_point(Vec2::new(x, 0.0), &QueryFilter::ALL)
                    .first();
                hit.map(|hit| hit.entity)
            };
            [10.0, 13.0, 50.0].map(at)
        })
    };
    found(&mut app);
    app.update();
    let mut transform = app.world_mut().get_mut::<Transform>(part).unwrap();
    *transform = at(50.0, 0.0).with_scale(Vec3::splat(2.0));
    let [there, elsewhere] = [[Some(part), None, None], [None, None, Some(part)]];
    assert_eq!(found(&mut app), there, "changed in place");
    app.world_mut().entity_mut(part).insert(Sensor);
    assert_eq!(found(&mut app), there, "with a sensor");
    app.world_mut().entity_mut(part).remove::<Sensor>();
    assert_eq!(found(&mut app), there, "without it");
    let larger = CircleCollider::new(3.0);
    app.world_mut().entity_mut(part).insert(larger);
    assert_eq!(found(&mut app), elsewhere, "another shape");
    app.world_mut().entity_mut(part).insert(Sensor);
    assert_eq!(found(&mut app), elsewhere, "and a sensor");
    app.update();
    assert_eq!(found(&mut app), elsewhere, "after a tick");
}
