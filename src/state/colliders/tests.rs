//! What the slots keep, in whole apps.

use bevy::prelude::*;

use super::Colliders;
use crate::prelude::*;

#[test]
fn parts_are_sorted_anew_only_when_they_change() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, CollisionPlugin::new(Update)));
    let world = app.world_mut();
    // A body without a collider of its own, which has a slot for its child.
    let level = world.spawn(Body::Static).id();
    world.spawn((BoxCollider::square(10.0), ChildOf(level)));
    let knight = world.spawn(CircleCollider::new(5.0)).id();
    let place = Transform::from_xyz(3.0, 0.0, 0.0);
    let sword = (BoxCollider::square(4.0), place, ChildOf(knight));
    let sword = world.spawn(sword).id();
    let parts = |app: &mut App| {
        let mut transform = app.world_mut().get_mut::<Transform>(knight).unwrap();
        transform.translation.x += 1.0;
        app.update();
        let colliders = app.world().resource::<Colliders>();
        let parts = colliders.solid_parts();
        (parts.as_ptr(), parts.len())
    };
    parts(&mut app);
    let (before, count) = parts(&mut app);
    assert_eq!(count, 1);
    assert_eq!(parts(&mut app), (before, 1), "the parts are not read again");
    app.world_mut().entity_mut(sword).insert(Sensor);
    assert_eq!(parts(&mut app).1, 0);
    app.world_mut().entity_mut(sword).remove::<Sensor>();
    assert_eq!(parts(&mut app).1, 1);
    app.world_mut().entity_mut(knight).insert(Body::Static);
    assert_eq!(parts(&mut app).1, 0);
}

/// They are also not sorted anew because another collider is added, removed or changed, even that of another body.
#[test]
fn parts_are_still_sorted_when_somebody_else_comes_or_goes() {
    #[derive(Resource, Default)]
    struct Sorted(Vec<usize>);
    let note = |colliders: Res<Colliders>, mut sorted: ResMut<Sorted>| {
        let parts = colliders.solid_parts.get();
        sorted.0 = parts.map_or(vec![], |parts| vec![parts.len()]);
    };
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, CollisionPlugin::new(Update)))
        .init_resource::<Sorted>()
        .add_systems(
            Update,
            note.after(CollisionSystems::Gather)
                .before(CollisionSystems::Sweep),
        );
    let place = |x: f32| Transform::from_xyz(x, 0.0, 0.0);
    let world = app.world_mut();
    let knight = world.spawn((CircleCollider::new(5.0), place(0.0))).id();
    let sword = (BoxCollider::square(4.0), place(3.0), ChildOf(knight));
    let sword = world.spawn(sword).id();
    let update = |app: &mut App| {
        app.update();
        let colliders = app.world().resource::<Colliders>();
        let body = colliders.body_slot_of(knight).unwrap() as u32;
        let part = colliders.slot(sword).unwrap() as u32;
        assert_eq!(colliders.solid_parts(), [(body, part)]);
        app.world().resource::<Sorted>().0.clone()
    };
    update(&mut app);
    let other = (CircleCollider::new(1.0), Sensor, place(500.0));
    let other = app.world_mut().spawn(other).id();
    assert_eq!(update(&mut app), [1], "one is added");
    app.world_mut().entity_mut(other).remove::<Sensor>();
    assert_eq!(update(&mut app), [1], "it changes");
    app.world_mut().entity_mut(other).insert(Body::Static);
    assert_eq!(update(&mut app), [1], "it is static");
    app.world_mut().despawn(other);
    assert_eq!(update(&mut app), [1], "it is removed");
    // The slot of the body is kept for the part, or the part refers to another one.
    app.world_mut()
        .entity_mut(knight)
        .insert((Body::Dynamic, ColliderDisabled));
    update(&mut app);
    assert_eq!(update(&mut app), [1]);
    app.world_mut()
        .entity_mut(knight)
        .remove::<ColliderDisabled>();
    update(&mut app);
    assert_eq!(update(&mut app), [1]);
}

/// Colliders that come and go take slots that others had, also in a game that never asks for reports.
#[test]
fn slots_are_used_again_where_nothing_is_reported() {
    for reported in [1000, 1, 0] {
        let mut app = App::new();
        let mut ticks = 0;
        let reports = move || {
            ticks += 1;
            ticks <= reported
        };
        app.add_plugins((MinimalPlugins, CollisionPlugin::new(Update)))
            .configure_sets(Update, CollisionSystems::Report.run_if(reports));
        // Two of which a contact may be told that waits for its end.
        for _ in 0..2 {
            app.world_mut().spawn((Sensor, BoxCollider::square(4.0)));
        }
        for _ in 0..20 {
            let one = (
                CircleCollider::new(5.0),
                Transform::from_xyz(90.0, 0.0, 0.0),
            );
            let one = app.world_mut().spawn(one).id();
            app.update();
            app.world_mut().despawn(one);
        }
        let slots = app.world().resource::<Colliders>().placed.len();
        assert!(slots <= 4, "{slots}, reported: {reported}");
    }
}

/// Bodies with and without a collider of their own come, go, and take over each other's children: each child is a part of its body, and whoever has no collider and no child has no slot.
#[test]
fn bodies_have_a_slot_as_long_as_anything_of_theirs_collides() {
    for seed in 0..20 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, CollisionPlugin::new(Update)));
        let mut bodies = Vec::new();
        let mut children: Vec<Entity> = Vec::new();
        for _ in 0..60 {
            let world = app.world_mut();
            let kind = [Body::Dynamic, Body::Kinematic, Body::Static];
            let kind = kind[random.usize(..3)];
            for _ in 0..random.u32(1..4) {
                bodies.retain(|body| world.get_entity(*body).is_ok());
                children.retain(|child| world.get_entity(*child).is_ok());
                let body = random.choice(bodies.iter().copied());
                let child = random.choice(children.iter().copied());
                let circle = CircleCollider::new(1.0);
                match (random.u32(..10), body, child) {
                    (0, ..) => bodies.push(world.spawn((kind, circle)).id()),
                    (1, ..) => bodies.push(world.spawn(kind).id()),
                    (2, Some(body), _) => {
                        children.push(world.spawn((circle, ChildOf(body))).id());
                    }
                    (3, Some(body), Some(child)) => {
                        world.entity_mut(child).insert(ChildOf(body));
                    }
                    (4, Some(body), _) => world.entity_mut(body).despawn(),
                    (5, Some(body), _) => {
                        world.entity_mut(body).remove::<CircleCollider>();
                    }
                    (6, Some(body), _) => _ = world.entity_mut(body).insert(circle),
                    (7, _, Some(child)) => _ = world.entity_mut(child).remove::<ChildOf>(),
                    (8, _, Some(child)) => {
                        // Invalid, so it takes no part.
                        world.entity_mut(child).insert(CircleCollider::new(-1.0));
                    }
                    (9, _, Some(child)) => _ = world.entity_mut(child).insert(circle),
                    _ => {}
                }
            }
            app.update();
            let world = app.world();
            let colliders = world.resource::<Colliders>();
            let mut used = Vec::new();
            for &one in bodies.iter().chain(&children) {
                let body = world.get::<ChildOf>(one).map_or(one, ChildOf::parent);
                let circle = world.get::<CircleCollider>(one);
                let takes_part = circle.is_some_and(|circle| circle.radius > 0.0);
                let slot = colliders.slot(one);
                assert_eq!(slot.is_some(), takes_part, "seed {seed}");
                if let Some(slot) = slot {
                    let body_slot = colliders.body_slot_of(body);
                    assert_eq!(body_slot, Some(colliders.placed[slot].body as usize));
                    assert_eq!(colliders.entities[slot], one);
                    used.extend([slot as u32, colliders.placed[slot].body]);
                }
            }
            used.sort_unstable();
            used.dedup();
            assert_eq!(colliders.in_use().collect::<Vec<_>>(), used, "seed {seed}");
            assert!(colliders.placed.len() < 3 * (bodies.len() + children.len()) + 20);
        }
    }
}
