//! Who was left out for a while, and has nothing new about him, is seen in the tick in which he is back.

use bevy::{
    ecs::{change_detection::Tick, entity_disabling::Disabled},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_nudge::prelude::*;

use crate::common::{at, tick};

/// A game's own way to leave entities out, kept in tables like their other components.
#[derive(Component)]
struct Shelved;

/// More than are looked at at once: nobody else of these brings a look at who is back.
const STILL: usize = 500;

type Start = fn(&mut World);
type Change = fn(&mut World, Entity);

/// Still ones far apart, of which the one in the middle has one that moves on it; and another one.
fn app(begin: Start) -> (App, [Entity; 2]) {
    let mut app = App::new();
    begin(app.world_mut());
    app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    let still = (0..STILL).map(|number| {
        let place = at(number as f32 * 100.0, 0.0);
        let still = (BoxCollider::square(10.0), Body::Static, place);
        app.world_mut().spawn(still).id()
    });
    let still: Vec<_> = still.collect();
    let middle = still[STILL / 2];
    let place = *app.world().get::<Transform>(middle).unwrap();
    app.world_mut()
        .spawn((CircleCollider::new(5.0), Body::Kinematic, place));
    app.update();
    (app, [middle, still[STILL / 4]])
}

#[test]
fn who_is_back_is_seen_at_once() {
    let cases: [(&str, Start, Change, Change); 4] = [
        (
            "its collider was off",
            |_| {},
            |world, one| _ = world.entity_mut(one).insert(ColliderDisabled),
            |world, one| _ = world.entity_mut(one).remove::<ColliderDisabled>(),
        ),
        (
            "it was disabled",
            |_| {},
            |world, one| _ = world.entity_mut(one).insert(Disabled),
            |world, one| _ = world.entity_mut(one).remove::<Disabled>(),
        ),
        (
            "its game left it out",
            |world| world.register_disabling_component::<Shelved>(),
            |world, one| _ = world.entity_mut(one).insert(Shelved),
            |world, one| _ = world.entity_mut(one).remove::<Shelved>(),
        ),
        (
            "it had no fit size",
            |_| {},
            |world, one| _ = world.entity_mut(one).insert(BoxCollider::square(f32::NAN)),
            |world, one| _ = world.entity_mut(one).insert(BoxCollider::square(10.0)),
        ),
    ];
    for (case, begin, leave, come_back) in cases {
        for does_another_leave in [false, true] {
            let (mut app, [one, another]) = app(begin);
            assert_eq!(tick(&mut app).len(), 1, "{case}");
            leave(app.world_mut(), one);
            for _ in 0..3 {
                assert_eq!(tick(&mut app).len(), 0, "{case}");
            }
            come_back(app.world_mut(), one);
            // So there are as many as before, and of who is disabled nobody tells.
            if does_another_leave {
                app.world_mut().entity_mut(another).insert(Disabled);
            }
            assert_eq!(tick(&mut app).len(), 1, "{case}: {does_another_leave}");
            assert_eq!(tick(&mut app).len(), 1, "{case}: {does_another_leave}");
        }
    }
}

/// A game that starts anew may despawn all that there is, and with it those who tell of somebody who is enabled.
#[test]
fn who_is_back_is_seen_in_a_world_without_observers() {
    let (mut app, [one, another]) = app(|_| {});
    let observers: Vec<_> = app
        .world_mut()
        .query_filtered::<Entity, With<Observer>>()
        .iter(app.world())
        .collect();
    for observer in observers {
        app.world_mut().despawn(observer);
    }
    app.world_mut().entity_mut(one).insert(Disabled);
    assert_eq!(tick(&mut app).len(), 0);
    app.world_mut().entity_mut(one).remove::<Disabled>();
    app.world_mut().entity_mut(another).insert(Disabled);
    assert_eq!(tick(&mut app).len(), 1);
}

#[test]
fn who_comes_with_components_that_say_they_are_old_is_seen() {
    let (mut app, [one, _]) = app(|_| {});
    assert_eq!(tick(&mut app).len(), 1);
    let place = *app.world().get::<Transform>(one).unwrap();
    let newcomer = (BoxCollider::square(10.0), Body::Static, place);
    let mut newcomer = app.world_mut().spawn(newcomer);
    let long_ago = Tick::new(1);
    newcomer
        .get_mut::<BoxCollider>()
        .unwrap()
        .set_last_changed(long_ago);
    newcomer
        .get_mut::<Transform>()
        .unwrap()
        .set_last_changed(long_ago);
    newcomer
        .get_mut::<Body>()
        .unwrap()
        .set_last_changed(long_ago);
    assert_eq!(tick(&mut app).len(), 2);
}
