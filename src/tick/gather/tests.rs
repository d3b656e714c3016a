//! How few colliders are looked at and read, and that none is forgotten.
#![allow(
    clippy::disallowed_methods,
    reason = "tests may turn things by any angle"
)]

use bevy::{
    MinimalPlugins,
    app::App,
    ecs::{
        entity::Entity,
        entity_disabling::Disabled,
        hierarchy::ChildOf,
        prelude::{Component, Res, ResMut, Resource},
        schedule::IntoScheduleConfigs,
        world::EntityWorldMut,
    },
    math::{Quat, Vec2},
    time::TimeUpdateStrategy,
    transform::components::Transform,
};

use crate::{
    components::{
        Body, BoxCollider, CircleCollider, ColliderDisabled, Mass, Response, Sensor, Velocity,
    },
    memory::CollisionMemory,
    plugin::{CollisionPlugin, CollisionSystems},
    state::colliders::Colliders,
};

#[derive(Component)]
struct Shelved;

/// A collider that is back makes nobody search all others.
#[test]
fn nobody_is_looked_at_because_another_one_is_back() {
    type Change = fn(EntityWorldMut);
    let changes: [(&str, [Change; 2]); 3] = [
        (
            "disabled",
            [
                |mut one| _ = one.insert(Disabled),
                |mut one| _ = one.remove::<Disabled>(),
            ],
        ),
        (
            "disabled in the game's own way",
            [
                |mut one| _ = one.insert(Shelved),
                |mut one| _ = one.remove::<Shelved>(),
            ],
        ),
        (
            "its collider",
            [
                |mut one| _ = one.insert(ColliderDisabled),
                |mut one| _ = one.remove::<ColliderDisabled>(),
            ],
        ),
    ];
    for is_child in [false, true] {
        for (case, [go, come]) in changes {
            let mut app = App::new();
            app.add_plugins((MinimalPlugins, CollisionPlugin::new(bevy::app::Update)));
            let world = app.world_mut();
            world.register_disabling_component::<Shelved>();
            for _ in 0..1000 {
                world.spawn((BoxCollider::square(10.0), Body::Static));
            }
            let one = world.spawn(CircleCollider::new(5.0)).id();
            if is_child {
                let parent = world.spawn(Body::Dynamic).id();
                world.entity_mut(one).insert(ChildOf(parent));
            }
            let colliders = |app: &App| {
                let colliders = app.world().resource::<Colliders>();
                (colliders.count(), colliders.looks, colliders.reads)
            };
            for _ in 0..3 {
                app.update();
            }
            for _ in 0..3 {
                go(app.world_mut().entity_mut(one));
                app.update();
                assert_eq!(colliders(&app).0, 1000, "{case}, {is_child}");
                let (_, looks, reads) = colliders(&app);
                come(app.world_mut().entity_mut(one));
                app.update();
                let (count, looks_then, reads_then) = colliders(&app);
                assert_eq!(count, 1001, "{case}, {is_child}");
                let (looks, reads) = (looks_then - looks, reads_then - reads);
                assert!(
                    looks <= 128 && reads <= 2,
                    "{case}, {is_child}: {looks}, {reads}"
                );
            }
        }
    }
}

/// If a game's own disabling component is not stored in tables, there are no tables to go through. Colliders with nothing new are still not read, and those with something new are.
#[test]
fn nobody_is_read_because_some_may_be_disabled_outside_of_the_tables() {
    #[derive(Component)]
    #[component(storage = "SparseSet")]
    struct Hidden;
    for are_children in [false, true] {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, CollisionPlugin::new(bevy::app::Update)));
        let world = app.world_mut();
        world.register_disabling_component::<Hidden>();
        let level = world.spawn((Body::Static, Transform::default())).id();
        let tiles: Vec<_> = (0..1000)
            .map(|_| {
                let mut tile = world.spawn(BoxCollider::square(10.0));
                if are_children {
                    tile.insert(ChildOf(level));
                } else {
                    tile.insert(Body::Static);
                }
                tile.id()
            })
            .collect();
        let update = |app: &mut App| {
            let before = app.world().resource::<Colliders>().reads;
            app.update();
            let colliders = app.world().resource::<Colliders>();
            let slot = colliders.slot(tiles[7]);
            let center = slot.map(|slot| {
                let placed = &colliders.placed[slot];
                placed.center(&colliders.body_states)
            });
            (colliders.reads - before, center)
        };
        for _ in 0..3 {
            update(&mut app);
        }
        let case = format!("children: {are_children}");
        assert_eq!(update(&mut app), (0, Some(Vec2::ZERO)), "{case}");

        let place = Transform::from_xyz(5.0, 0.0, 0.0);
        app.world_mut().entity_mut(tiles[7]).insert(place);
        let (reads, center) = update(&mut app);
        assert!(reads <= 1, "{case}: {reads}");
        assert_eq!(center, Some(Vec2::new(5.0, 0.0)), "{case}");
        app.world_mut().entity_mut(level).insert(place);
        let moved = usize::from(are_children);
        let center = Some(Vec2::new(5.0 + 5.0 * moved as f32, 0.0));
        assert_eq!(update(&mut app), (1000 * moved, center), "{case}");
        app.world_mut().entity_mut(tiles[7]).insert(Hidden);
        assert_eq!(update(&mut app), (0, None), "{case}");
        app.world_mut().entity_mut(tiles[7]).remove::<Hidden>();
        assert_eq!(update(&mut app), (1, center), "{case}");
        assert_eq!(update(&mut app), (0, center), "{case}");
        app.world_mut()
            .entity_mut(tiles[7])
            .remove::<(ChildOf, Transform)>();
        assert_eq!(update(&mut app).1, None, "{case}: nowhere");
    }
}

/// Neither does one that takes no part. A collider that is mended takes part again, even if it was its parent that was wrong.
#[test]
fn nobody_is_looked_at_because_another_one_is_refused() {
    for is_child in [false, true] {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, CollisionPlugin::new(bevy::app::Update)));
        let world = app.world_mut();
        for _ in 0..1000 {
            world.spawn((BoxCollider::square(10.0), Body::Static));
        }
        let lost = Transform::from_xyz(f32::NAN, 0.0, 0.0);
        let one = world.spawn((CircleCollider::new(5.0), lost)).id();
        let mut wrong = one;
        if is_child {
            wrong = world.spawn((Body::Dynamic, lost)).id();
            let child = (ChildOf(wrong), Transform::default());
            world.entity_mut(one).insert(child);
        }
        let update = |app: &mut App| {
            let before = app.world().resource::<Colliders>().looks;
            app.update();
            let colliders = app.world().resource::<Colliders>();
            let has_slot = colliders.slot(one).is_some();
            assert_eq!(colliders.refused.contains_key(&one), !has_slot);
            assert_eq!(colliders.count(), 1000 + usize::from(has_slot));
            (colliders.looks - before, has_slot)
        };
        for _ in 0..3 {
            update(&mut app);
        }
        let (looks, is_seen) = update(&mut app);
        assert!(looks <= 128 && !is_seen, "{is_child}: {looks}");
        // It goes, comes back, and is still wrong.
        for _ in 0..2 {
            app.world_mut().entity_mut(one).insert(Disabled);
            app.update();
            app.world_mut().entity_mut(one).remove::<Disabled>();
            assert!(!update(&mut app).1);
        }
        app.world_mut()
            .entity_mut(wrong)
            .insert(Transform::default());
        assert!(update(&mut app).1, "{is_child}");
        let (looks, is_seen) = update(&mut app);
        assert!(looks <= 128 && is_seen, "{is_child}: {looks}");
    }
}

/// A part of a body stays where it is within the body, to the bit, wherever the body goes.
#[test]
fn a_part_is_not_new_because_its_body_moves() {
    #[derive(Resource, Default)]
    struct Noted(Vec<usize>);
    let note = |colliders: Res<Colliders>, mut noted: ResMut<Noted>| {
        noted
            .0
            .push(colliders.fresh.members().map_or(0, <[u32]>::len));
    };
    for x in [0.0, 100.1, -70_000.3] {
        let mut app = App::new();
        let tick = std::time::Duration::from_millis(16);
        app.add_plugins((MinimalPlugins, CollisionPlugin::new(bevy::app::Update)))
            .insert_resource(TimeUpdateStrategy::ManualDuration(tick))
            .init_resource::<Noted>()
            .add_systems(
                bevy::app::Update,
                note.after(CollisionSystems::Gather)
                    .before(CollisionSystems::Sweep),
            );
        let turned = Transform::from_xyz(x, 0.3, 0.0).with_rotation(Quat::from_rotation_z(0.4));
        let body = (Body::Kinematic, Velocity(Vec2::new(33.3, 5.1)), turned);
        let body = app.world_mut().spawn(body).id();
        let between = (Transform::from_xyz(3.3, 40.7, 0.0), ChildOf(body));
        let between = app.world_mut().spawn(between).id();
        for (number, parent) in [body, between].into_iter().enumerate() {
            let place = Transform::from_xyz(200.1, 7.0 * number as f32, 0.0);
            let part = (BoxCollider::square(10.0), place, ChildOf(parent));
            app.world_mut().spawn(part);
        }
        for _ in 0..300 {
            app.update();
        }
        let noted = &app.world().resource::<Noted>().0;
        assert_eq!(noted.iter().skip(3).sum::<usize>(), 0, "{x}");
        let moved = app.world().get::<Transform>(body);
        assert!(moved.is_some_and(|moved| moved.translation.x > x + 100.0));
    }
}

/// When the collider of a body is back, it is still the body of the same children: none of them is read anew.
#[test]
fn the_collider_of_a_body_comes_back_to_the_same_body() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, CollisionPlugin::new(bevy::app::Update)));
    let world = app.world_mut();
    let level = world.spawn((BoxCollider::square(10.0), Body::Static)).id();
    for _ in 0..1000 {
        world.spawn((BoxCollider::square(10.0), ChildOf(level)));
    }
    for _ in 0..3 {
        app.update();
    }
    app.world_mut().entity_mut(level).insert(ColliderDisabled);
    for _ in 0..2 {
        app.update();
    }
    let reads = |app: &App| app.world().resource::<Colliders>().reads;
    let before = reads(&app);
    app.world_mut()
        .entity_mut(level)
        .remove::<ColliderDisabled>();
    app.update();
    assert!(reads(&app) - before <= 2, "{}", reads(&app) - before);
}

/// After the world was restored to what a tick has left, all colliders are read once.
#[test]
fn what_has_gone_back_is_read_once() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, CollisionPlugin::new(bevy::app::Update)));
    let world = app.world_mut();
    let level = world.spawn(Body::Static).id();
    for _ in 0..1000 {
        world.spawn((BoxCollider::square(10.0), ChildOf(level)));
    }
    for _ in 0..3 {
        app.update();
    }
    CollisionMemory::of(app.world()).restore(app.world_mut());
    let mut reads = || {
        let before = app.world().resource::<Colliders>().reads;
        app.update();
        app.world().resource::<Colliders>().reads - before
    };
    // What was restored does not include what was read since.
    assert!(reads() >= 1000);
    assert_eq!([reads(), reads()], [0, 0]);
}

/// A collider that goes is searched for only where it was, whatever is around: a thousand parts of a level, or as many single bodies.
#[test]
fn nobody_is_read_anew_because_another_one_goes() {
    type Go = fn(EntityWorldMut);
    #[derive(bevy::ecs::component::Component)]
    struct Shelved;
    let goes: [(&str, Go, usize); 6] = [
        ("despawned", |one| one.despawn(), 0),
        (
            "without a collider",
            |mut one| {
                one.remove::<CircleCollider>();
            },
            0,
        ),
        (
            "disabled",
            |mut one| {
                one.insert(Disabled);
            },
            0,
        ),
        (
            "put on a shelf of the game's own",
            |mut one| {
                one.insert(Shelved);
            },
            0,
        ),
        (
            "a root put there",
            |mut one| {
                one.insert(Shelved);
            },
            0,
        ),
        (
            "without its parent",
            |mut one| {
                one.remove::<ChildOf>();
            },
            1,
        ),
    ];
    for are_children in [true, false] {
        for (case, go, left) in goes {
            let mut app = App::new();
            app.add_plugins((MinimalPlugins, CollisionPlugin::new(bevy::app::Update)));
            let world = app.world_mut();
            world.register_disabling_component::<Shelved>();
            let level = world.spawn(Body::Static).id();
            let other = world.spawn(Body::Dynamic).id();
            let one = world.spawn((CircleCollider::new(5.0), ChildOf(other))).id();
            if case.contains("root") {
                world.entity_mut(one).remove::<ChildOf>();
            }
            for _ in 0..1000 {
                let mut tile = world.spawn(BoxCollider::square(10.0));
                if are_children {
                    tile.insert(ChildOf(level));
                } else {
                    tile.insert(Body::Static);
                }
            }
            let colliders = |app: &App| {
                let colliders = app.world().resource::<Colliders>();
                (colliders.reads, colliders.looks)
            };
            for _ in 0..3 {
                app.update();
            }
            let (before, _) = colliders(&app);
            app.update();
            let (then, looks) = colliders(&app);
            let at_rest = then - before;
            go(app.world_mut().entity_mut(one));
            app.update();
            let (now, looks_now) = colliders(&app);
            let (read, looked_at) = (now - then, looks_now - looks);
            let most = at_rest + left;
            assert!(
                read <= most && looked_at <= 128,
                "{case}, children: {are_children}: {read}, {looked_at}"
            );
            let count = app.world().resource::<Colliders>().count();
            assert_eq!(count, 1000 + left, "{case}");
        }
    }
}

/// A level of prefabs, each a static body with its collider on a child: nothing is asked for again while it stands still, and all that changes is seen.
#[test]
fn nobody_is_asked_again_what_it_hands_down_while_it_stands_still() {
    type Change = fn(EntityWorldMut);
    // What happens to the parent of one body, what then stands where, and how many parents are asked.
    let changes: [(&str, Change, Option<f32>, usize); 9] = [
        ("nothing", |_| {}, Some(7.0), 0),
        ("moved", |mut top| _ = top.insert(at(3.0)), Some(10.0), 1),
        ("touched", |mut top| _ = top.insert(at(3.0)), Some(10.0), 1),
        (
            "without a place",
            |mut top| _ = top.remove::<Transform>(),
            Some(7.0),
            1,
        ),
        (
            "with a place",
            |mut top| _ = top.insert(at(-1.0)),
            Some(6.0),
            1,
        ),
        (
            "a body",
            |mut top| _ = top.insert((Body::Static, Mass(2.0))),
            Some(6.0),
            1,
        ),
        (
            "with another mass",
            |mut top| _ = top.remove::<Mass>(),
            Some(6.0),
            1,
        ),
        ("no body", |mut top| _ = top.remove::<Body>(), Some(6.0), 1),
        ("gone", |top| top.despawn(), None, 0),
    ];
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, CollisionPlugin::new(bevy::app::Update)));
    let world = app.world_mut();
    let bodies: Vec<_> = (0..1000)
        .map(|_| world.spawn((Body::Static, at(2.0))).id())
        .collect();
    let parts: Vec<_> = bodies
        .iter()
        .map(|&body| {
            let part = (BoxCollider::square(10.0), at(5.0), ChildOf(body));
            world.spawn(part).id()
        })
        .collect();
    let top = world.spawn(at(0.0)).id();
    world.entity_mut(bodies[500]).insert(ChildOf(top));
    let mut update = |change: Change| {
        if let Ok(top) = app.world_mut().get_entity_mut(top) {
            change(top);
        }
        let before = app.world().resource::<Colliders>().finds;
        app.update();
        let colliders = app.world().resource::<Colliders>();
        let slot = colliders.slot(parts[500]);
        let center = slot.map(|slot| colliders.placed[slot].center(&colliders.body_states).x);
        (center, colliders.finds - before)
    };
    for _ in 0..3 {
        update(|_| {});
    }
    for (case, change, center, finds) in changes {
        assert_eq!(update(change), (center, finds), "{case}");
        assert_eq!(update(|_| {}), (center, 0), "after: {case}");
    }
}

/// Whatever happens to the ancestors of still colliders, in whichever order: the slots hold what they would hold if all were read anew.
#[test]
fn all_that_changes_above_a_still_collider_is_seen() {
    for seed in 0..150 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, CollisionPlugin::new(bevy::app::Update)));
        let world = app.world_mut();
        // Three levels of ancestors; each entity may hang on one of a higher level.
        let ancestors: Vec<_> = (0..18)
            .map(|_| world.spawn(Transform::IDENTITY).id())
            .collect();
        let level = |number: usize| number / 6 * 6;
        let parts: Vec<_> = (0..20)
            .map(|number| {
                let parent = ChildOf(ancestors[random.usize(0..18)]);
                let place = at(number as f32);
                let part = (
                    BoxCollider::square(1.0),
                    Sensor,
                    Body::Static,
                    place,
                    parent,
                );
                world.spawn(part).id()
            })
            .collect();
        let look = |app: &App| {
            let colliders = app.world().resource::<Colliders>();
            let of = |part: &Entity| {
                let slot = colliders.slot(*part)?;
                let placed = &colliders.placed[slot];
                let body_state = colliders.body_states[placed.body as usize];
                let body = colliders.body_entities[slot];
                let traits = colliders.traits[slot];
                Some(format!("{placed:?} {body_state:?} {body} {traits:?}"))
            };
            parts.iter().map(of).collect::<Vec<_>>()
        };
        for step in 0..60 {
            // Some of the ticks are without any change.
            for _ in 0..random.usize(0..3) {
                let number = random.usize(0..18);
                let above = level(number);
                let parent = (above > 0).then(|| ancestors[random.usize(0..above)]);
                let mut one = app.world_mut().entity_mut(ancestors[number]);
                match random.u8(0..13) {
                    0 | 1 => _ = one.insert(at(random.u8(0..9).into())),
                    2 => {
                        let turned = Quat::from_rotation_z(random.f32());
                        one.insert(at(3.0).with_rotation(turned));
                    }
                    3 => _ = one.remove::<Transform>(),
                    4 => {
                        let kinds = [Body::Static, Body::Kinematic, Body::Dynamic];
                        one.insert(kinds[random.usize(0..3)]);
                    }
                    5 => _ = one.insert(Body::Static),
                    6 => _ = one.remove::<Body>(),
                    7 => _ = one.insert(Mass(random.u8(1..4).into())),
                    8 => _ = one.remove::<Mass>(),
                    9 => _ = one.insert([Response::Stop, Response::Pass][random.usize(0..2)]),
                    10 => _ = one.remove::<(Response, ChildOf)>(),
                    11 => _ = one.insert(Disabled),
                    _ => _ = one.remove::<Disabled>(),
                }
                if let Some(parent) = parent.filter(|_| random.bool()) {
                    app.world_mut()
                        .entity_mut(ancestors[number])
                        .insert(ChildOf(parent));
                }
            }
            app.update();
            if random.u8(0..4) == 0 {
                let seen = look(&app);
                app.world_mut().resource_mut::<Colliders>().doubt_all();
                app.update();
                assert_eq!(seen, look(&app), "seed {seed}, step {step}");
            }
        }
    }
}

fn at(x: f32) -> Transform {
    Transform::from_xyz(x, 0.0, 0.0)
}
