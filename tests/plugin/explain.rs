//! Explains why two entities do or don't collide.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_nudge::{prelude::*, query::Contactless};

use crate::common::{app, at};

/// Spawns two dots that overlap by 5, changes them, runs a tick, and returns the explanation.
fn why(change: impl FnOnce(&mut App, Entity, Entity)) -> (Explanation, Entity, Entity) {
    let mut app = app();
    let [a, b] = [0.0, 15.0].map(|x| {
        let dot = (CircleCollider::new(10.0), Body::Kinematic, at(x, 0.0));
        app.world_mut().spawn(dot).id()
    });
    change(&mut app, a, b);
    app.update();
    let why = explain(app.world(), a, b);
    let other_way = explain(app.world(), b, a);
    let alike = std::mem::discriminant(&why) == std::mem::discriminant(&other_way);
    assert!(alike, "{why:?} and {other_way:?}");
    (why, a, b)
}

fn nobody(In(_): In<Pair>) -> Verdict {
    Verdict::Ignore
}

#[test]
fn every_reason_has_its_sentence() {
    type Change = fn(&mut App, Entity, Entity);
    fn set<B: Bundle>(app: &mut App, entity: Entity, bundle: B) {
        app.world_mut().entity_mut(entity).insert(bundle);
    }
    let cases: [(Change, &str); 22] = [
        (
            |app, a, _| set(app, a, Body::Dynamic),
            "They collide, 5 deep along [1, 0], and are pushed apart.",
        ),
        (
            |_, _, _| {},
            "They collide, 5 deep along [1, 0], and pass: neither is Dynamic.",
        ),
        (
            |app, a, _| set(app, a, Sensor),
            "They collide, 5 deep along [1, 0], and pass: {a} is a Sensor.",
        ),
        (
            |app, a, _| set(app, a, (Body::Dynamic, Response::Pass)),
            "They collide, 5 deep along [1, 0], and pass: the Response of {a} is Pass.",
        ),
        (
            |app, a, _| set(app, a, (Response::Pass, Sensor)),
            "They collide, 5 deep along [1, 0], and pass: {a} is a Sensor.",
        ),
        (
            |app, a, b| {
                set(app, a, Body::Dynamic);
                set(app, b, OneWay(Vec2::Y));
            },
            "They collide, 5 deep along [1, 0], and pass: {b} is OneWay, and open from this side.",
        ),
        (
            |app, a, b| {
                set(app, a, Body::Dynamic);
                set(app, b, OneWay(Vec2::NEG_X));
            },
            "They collide, 5 deep along [1, 0], and pass: {b} is OneWay, and the other one is in it.",
        ),
        (
            // It is on top of the ledge, 0 deep.
            |app, a, b| {
                set(app, a, (Body::Dynamic, DropThrough, at(15.0, 20.0)));
                set(app, b, OneWay(Vec2::Y));
            },
            "They collide, 0 deep along [0, -1], and pass: {a} has a DropThrough.",
        ),
        (
            |app, a, _| {
                set(app, a, Body::Dynamic);
                app.add_collision_filter(|_: In<Pair>| Verdict::Respond(Response::Pass));
            },
            "They collide, 5 deep along [1, 0], and pass: the filter {closure} says so.",
        ),
        (
            |app, a, _| _ = app.world_mut().despawn(a),
            "There is no entity {a}.",
        ),
        (
            |app, a, _| _ = app.world_mut().entity_mut(a).remove::<CircleCollider>(),
            "{a} has no collider.",
        ),
        (
            |app, _, b| set(app, b, ColliderDisabled),
            "{b} has a ColliderDisabled.",
        ),
        (
            |app, _, b| set(app, b, Disabled),
            "{b} is disabled as a whole.",
        ),
        (
            |app, _, b| set(app, b, CircleCollider::new(-1.0)),
            "{b} takes no part: radius must be finite, >= 0 and at most 1e18, got -1.",
        ),
        (
            |app, a, b| set(app, b, ChildOf(a)),
            "Both belong to the body {a}.",
        ),
        (
            |app, a, b| {
                set(app, a, Body::Static);
                set(app, b, Body::Static);
            },
            "Both are Static.",
        ),
        (
            |app, a, b| {
                app.insert_resource(LayerNames::new(["walls", "players", "ghosts"]));
                set(app, a, CollisionLayers::new(0b010, 0b001));
                set(app, b, CollisionLayers::new(0b100, 0b001));
            },
            "Their layers do not agree: the first collides with walls, and the second is on ghosts; \
             the second collides with walls, and the first is on players.",
        ),
        (
            |app, a, _| set(app, a, CollisionLayers::new(1 << 7, u32::MAX)),
            "They collide, 5 deep along [1, 0], and pass: neither is Dynamic.",
        ),
        (
            |app, a, b| set(app, a, IgnoreCollisions::with(b)),
            "One ignores the other, by IgnoreCollisions.",
        ),
        (
            |app, _, _| _ = app.add_collision_filter(nobody),
            "The filter plugin::explain::nobody says that they do not.",
        ),
        (
            |app, _, b| set(app, b, at(23.0, 0.0)),
            "They are 3 apart: by 3 along x, not along y.",
        ),
        (
            // The centers are 40 apart; the boxes around the shapes are 24 - 20 and 32 - 20 apart.
            |app, _, b| set(app, b, at(24.0, 32.0)),
            "They are 20 apart: by 4 along x, by 12 along y.",
        ),
    ];
    for (change, expected) in cases {
        let (why, a, b) = why(change);
        let sentence = why.to_string();
        let expected = expected
            .replace("{a}", &a.to_string())
            .replace("{b}", &b.to_string());
        let closure = "plugin::explain::every_reason_has_its_sentence::{{closure}}::{{closure}}";
        let expected = expected.replace("{closure}", closure);
        assert_eq!(sentence, expected);
    }
}

/// The body has the `Response`, and not the child.
#[test]
fn who_has_colliders_on_children_is_told_to_ask_about_these() {
    let mut app = app();
    let other = app
        .world_mut()
        .spawn((CircleCollider::new(5.0), at(0.0, 0.0)))
        .id();
    let body = app.world_mut().spawn((Body::Kinematic, at(8.0, 0.0))).id();
    let group = app.world_mut().spawn((ChildOf(body), at(0.0, 0.0))).id();
    let part = (CircleCollider::new(5.0), ChildOf(group), at(0.0, 0.0));
    let part = app.world_mut().spawn(part).id();
    app.update();
    let why = explain(app.world(), body, other);
    let entity = body;
    assert_eq!(
        why,
        Explanation::OnChild {
            entity,
            child: part
        }
    );
    let sentence =
        format!("{body} has no collider of its own. Its child {part} has one: ask about that.");
    assert_eq!(why.to_string(), sentence);
    assert!(explain(app.world(), part, other).collide());
    app.world_mut().despawn(part);
    let why = explain(app.world(), body, other);
    assert_eq!(why, Explanation::NoCollider(body));
}

#[test]
fn a_part_of_a_body_that_passes_is_no_sensor() {
    let mut app = app();
    let ghost = (Body::Dynamic, Response::Pass, at(3.0, 0.0));
    let ghost = app.world_mut().spawn(ghost).id();
    let hand = (CircleCollider::new(5.0), ChildOf(ghost));
    let hand = app.world_mut().spawn(hand).id();
    let wall = app
        .world_mut()
        .spawn((BoxCollider::square(10.0), Body::Static));
    let wall = wall.id();
    app.update();
    let why = explain(app.world(), wall, hand);
    assert!(matches!(why, Explanation::Report(_, Contactless::Passes(body)) if body == ghost));
}

#[test]
fn what_no_tick_has_seen_is_said_to_be_so() {
    let mut app = app();
    let [a, b] = [0.0, 5.0].map(|x| {
        let dot = (CircleCollider::new(10.0), at(x, 0.0));
        app.world_mut().spawn(dot).id()
    });
    assert_eq!(explain(app.world(), a, b), Explanation::NotSeen(a));
    assert_eq!(explain(app.world(), a, a), Explanation::Same);
    assert_eq!(explain(&World::new(), a, b), Explanation::NotSpawned(a));
}

#[test]
fn rooms_tell_the_way_to_their_walls() {
    let mut app = app();
    let room = app.world_mut().spawn(BoundsCollider::new(100.0, 60.0)).id();
    let other_room = app
        .world_mut()
        .spawn((BoundsCollider::new(10.0, 10.0), Body::Kinematic));
    let other_room = other_room.id();
    let dot = app
        .world_mut()
        .spawn((CircleCollider::new(5.0), Sensor, at(-40.0, 0.0)));
    let dot = dot.id();
    app.update();
    // 50 - 40 - 5 = 5 to the left wall; 30 - 5 = 25 to the upper and the lower wall.
    let expected = Explanation::Apart {
        gap: 5.0,
        axes: Vec2::new(5.0, 25.0),
    };
    assert_eq!(explain(app.world(), dot, room), expected);
    let rooms = explain(app.world(), room, other_room);
    assert_eq!(rooms, Explanation::BothBounds);
    app.world_mut()
        .get_mut::<Transform>(dot)
        .unwrap()
        .translation
        .x = -46.0;
    app.update();
    let why = explain(app.world(), dot, room);
    assert!(matches!(why, Explanation::Report(_, Contactless::Sensor(one)) if one == dot));
}

/// A tick asks no filter about two rooms, so no filter keeps them apart.
#[test]
fn two_rooms_are_not_kept_apart_by_a_filter() {
    let mut app = app();
    app.add_collision_filter(nobody);
    let small = (BoundsCollider::new(100.0, 100.0), Body::Kinematic);
    let small = app.world_mut().spawn(small).id();
    let large = app.world_mut().spawn(BoundsCollider::new(200.0, 200.0));
    let large = large.id();
    app.update();
    for (a, b) in [(small, large), (large, small)] {
        assert_eq!(explain(app.world(), a, b), Explanation::BothBounds);
    }
}

/// In random combinations, a pair is explained to collide exactly if it is reported.
#[test]
fn explanations_agree_with_reports() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut app = app();
    app.add_collision_filter(|In(pair): In<Pair>| {
        if pair.a.index_u32() % 7 == pair.b.index_u32() % 7 {
            Verdict::Ignore
        } else {
            Verdict::Collide
        }
    });
    let mut entities = Vec::new();
    for _ in 0..60 {
        let place = at(random.f32() * 60.0, random.f32() * 60.0);
        let layers = CollisionLayers::new(1 << random.u32(0..3), random.u32(0..8) | 1);
        let body = match random.u32(0..3) {
            0 => Body::Dynamic,
            1 => Body::Kinematic,
            _ => Body::Static,
        };
        let mut entity = app.world_mut().spawn((Sensor, place, layers, body));
        match random.u32(0..8) {
            0 => _ = entity.insert(BoundsCollider::new(50.0, 50.0)),
            1..4 => _ = entity.insert(BoxCollider::new(random.f32() * 20.0, 6.0)),
            _ => _ = entity.insert(CircleCollider::new(random.f32() * 8.0)),
        }
        if let Some(&whom) = entities.get(random.usize(0..40)) {
            entity.insert(IgnoreCollisions::with(whom));
        }
        if let Some(&parent) = entities.get(random.usize(0..200)) {
            entity.insert(ChildOf(parent));
        }
        entities.push(entity.id());
    }
    let collisions = crate::common::tick(&mut app);
    assert!(collisions.len() > 50);
    let mut pairs = 0;
    for (index, &a) in entities.iter().enumerate() {
        for &b in &entities[index + 1..] {
            let is_told = collisions
                .iter()
                .any(|hit| hit.involves(a) && hit.involves(b));
            let why = explain(app.world(), a, b);
            assert_eq!(why.collide(), is_told, "{why}");
            pairs += usize::from(is_told);
        }
    }
    assert_eq!(pairs, collisions.len());
}

/// A platform under a body's feet is solid for that body, however little the feet overlap it.
#[test]
fn a_platform_that_is_stood_on_stops_who_stands_on_it() {
    for x in 0..40 {
        let mut app = app();
        let platform = (BoxCollider::new(100.0, 10.3), Body::Static);
        let place = at(0.37 * x as f32, 0.7 + 0.013 * x as f32);
        let platform = app.world_mut().spawn((platform, OneWay::default(), place));
        let platform = platform.id();
        let faller = (
            CircleCollider::new(3.3),
            Velocity(Vec2::new(0.0, -90.0)),
            at(1.1, 17.7),
        );
        let faller = app.world_mut().spawn(faller).id();
        for _ in 0..20 {
            app.update();
        }
        let why = explain(app.world(), faller, platform);
        assert!(matches!(why, Explanation::Collide(_)), "{x}: {why}");
    }
}

/// An entity that a component of the game hides is explained as disabled, not as unseen.
#[test]
fn a_games_own_way_to_disable_is_known() {
    #[derive(Component)]
    struct Hidden;
    let mut app = App::new();
    app.world_mut().register_disabling_component::<Hidden>();
    app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    let [a, b] = [(); 2].map(|()| app.world_mut().spawn(CircleCollider::new(1.0)).id());
    app.world_mut().run_schedule(FixedPostUpdate);
    app.world_mut().entity_mut(b).insert(Hidden);
    app.world_mut().run_schedule(FixedPostUpdate);
    let why = explain(app.world(), a, b);
    assert_eq!(why, Explanation::EntityDisabled(b));
}

#[test]
fn edges_that_meet_and_do_not_count_are_explained() {
    let mut app = app();
    app.insert_resource(CollisionSettings {
        touching: Touching::Ignored,
        ..default()
    });
    let [a, b] = [0.0, 20.0].map(|x| {
        let dot = (CircleCollider::new(10.0), at(x, 0.0));
        app.world_mut().spawn(dot).id()
    });
    app.update();
    let why = explain(app.world(), a, b);
    let expected = Explanation::Apart {
        gap: 0.0,
        axes: Vec2::new(0.0, -20.0),
    };
    assert_eq!(why, expected);
    assert_eq!(
        why.to_string(),
        "They are not apart, but nor did they collide when the tick looked: edges that just meet do not count \
         with Touching::Ignored, and what is pushed together in a tick is found in the next."
    );
}

#[test]
fn who_does_not_move_for_its_velocity_is_not_finite_is_told() {
    let mut app = app();
    let wall = app
        .world_mut()
        .spawn((BoxCollider::square(10.0), Body::Static, at(0.0, 0.0)))
        .id();
    // The body's collider is on a child: 20 - 5 - 5 = 10 from the wall.
    let bad = Vec2::new(f32::NAN, 0.0);
    let body = app
        .world_mut()
        .spawn((Body::Dynamic, Velocity(bad), at(15.0, 0.0)))
        .id();
    let part = (CircleCollider::new(5.0), at(5.0, 0.0), ChildOf(body));
    let part = app.world_mut().spawn(part).id();
    app.update();
    let expected = format!(
        "They are 10 apart, and {body} does not move: its Velocity must be finite, got [NaN, 0]."
    );
    for (one, other) in [(part, wall), (wall, part)] {
        let why = explain(app.world(), one, other);
        assert!(
            matches!(why, Explanation::InvalidVelocity { body: one, gap: 10.0, .. } if one == body)
        );
        assert_eq!(why.to_string(), expected);
        assert!(!why.collide());
    }

    // The velocity is corrected, then the wall gets an invalid one, which plays no part, then the body's is infinite.
    let set = |app: &mut App, entity: Entity, velocity: Vec2| {
        app.world_mut()
            .entity_mut(entity)
            .insert(Velocity(velocity));
        app.update();
        explain(app.world(), part, wall)
    };
    let apart = Explanation::Apart {
        gap: 10.0,
        axes: Vec2::new(10.0, -10.0),
    };
    assert_eq!(set(&mut app, body, Vec2::ZERO), apart);
    assert_eq!(set(&mut app, wall, bad), apart);
    let why = set(&mut app, body, Vec2::new(0.0, f32::INFINITY));
    assert!(matches!(why, Explanation::InvalidVelocity { body: one, .. } if one == body));
}

/// Two colliders of any kinds, alone in the world: they are explained to be pushed apart exactly if one of them is moved.
#[test]
fn explanations_agree_with_what_is_pushed() {
    let mut random = fastrand::Rng::with_seed(11);
    let mut app = app();
    let mut pushed = 0;
    for case in 0..2000 {
        let bodies = [0, 1].map(|side| {
            let world = app.world_mut();
            let place = at(side as f32 * 3.0, random.f32() * 3.0);
            let body = match random.u32(0..4) {
                0 => Body::Kinematic,
                1 => Body::Static,
                _ => Body::Dynamic,
            };
            // The collider may be on a child.
            let top = world.spawn((body, place)).id();
            let collider = if random.bool() {
                world.spawn((at(1.0, 0.0), ChildOf(top))).id()
            } else {
                top
            };
            match random.u32(0..6) {
                0 => {
                    _ = world
                        .entity_mut(collider)
                        .insert(BoundsCollider::new(8.0, 8.0))
                }
                1..4 => _ = world.entity_mut(collider).insert(BoxCollider::square(8.0)),
                _ => _ = world.entity_mut(collider).insert(CircleCollider::new(5.0)),
            }
            match random.u32(0..12) {
                0 => _ = world.entity_mut(collider).insert(Sensor),
                1 => _ = world.entity_mut(collider).insert(Response::Pass),
                2 => _ = world.entity_mut(top).insert(Response::Pass),
                3 => _ = world.entity_mut(collider).insert(OneWay::default()),
                4 => _ = world.entity_mut(collider).insert(DropThrough),
                5 => {
                    let layers = CollisionLayers::new(2, u32::MAX - 2);
                    _ = world.entity_mut(collider).insert(layers);
                }
                _ => {}
            }
            (top, collider)
        });
        let places = |app: &App| bodies.map(|(top, _)| crate::common::place(app, top));
        let before = places(&app);
        app.update();
        let why = explain(app.world(), bodies[0].1, bodies[1].1);
        let is_pushed = matches!(&why, Explanation::Collide(hit) if hit.depth > 0.0);
        let has_moved = places(&app) != before;
        assert_eq!(is_pushed, has_moved, "case {case}: {why}");
        pushed += usize::from(is_pushed);
        for (top, _) in bodies {
            app.world_mut().despawn(top);
        }
    }
    assert!(pushed > 500, "{pushed}");
}

/// The push-out takes a body for standing on the platform even if it is a bit deeper than rounding alone explains.
#[test]
fn who_is_pushed_onto_a_platform_is_said_to_be() {
    for (depth, is_solid) in [(0.008, true), (0.02, false)] {
        let mut app = app();
        let platform = (BoxCollider::new(100.0, 8.0), Body::Static);
        let platform = app.world_mut().spawn((platform, OneWay::default())).id();
        let player = (BoxCollider::square(8.0), at(0.0, 8.0 - depth));
        let player = app.world_mut().spawn(player).id();
        app.update();
        let why = explain(app.world(), player, platform);
        assert_eq!(matches!(why, Explanation::Collide(_)), is_solid, "{why}");
        assert_eq!(
            why.to_string().ends_with("and the other one is in it."),
            !is_solid,
            "{why}"
        );
    }
}
