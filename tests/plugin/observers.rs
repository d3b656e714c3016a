//! Observers receive every pair from their own entity's side, and entities that nothing observes cost nothing.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use crate::common::{app, at, take};

/// What observers have received: the observer's name, its own entity, the other one, and the normal.
#[derive(Resource, Default, Debug, PartialEq)]
struct Heard(Vec<(&'static str, Entity, Entity, Vec2)>);

fn listening_app() -> App {
    let mut app = app();
    app.init_resource::<Heard>();
    app
}

fn heard(app: &mut App) -> Vec<(&'static str, Entity, Entity, Vec2)> {
    std::mem::take(&mut app.world_mut().resource_mut::<Heard>().0)
}

fn sensor(app: &mut App, x: f32) -> Entity {
    let collider = (CircleCollider::new(5.0), Sensor, at(x, 0.0));
    app.world_mut().spawn(collider).id()
}

#[test]
fn who_observes_is_a_whichever_was_spawned_first() {
    let mut app = listening_app();
    let [left, right] = [0.0, 8.0].map(|x| sensor(&mut app, x));
    for entity in [left, right] {
        app.world_mut()
            .entity_mut(entity)
            .observe(|on: On<CollisionStarted>, mut heard: ResMut<Heard>| {
                heard.0.push(("started", on.a, on.b, on.normal));
            })
            .observe(|on: On<Collision>, mut heard: ResMut<Heard>| {
                heard.0.push(("collision", on.a, on.b, on.normal));
            })
            .observe(|on: On<CollisionEnded>, mut heard: ResMut<Heard>| {
                heard.0.push(("ended", on.a, on.b, on.normal));
            });
    }
    let both = |what| {
        [
            (what, left, right, Vec2::X),
            (what, right, left, Vec2::NEG_X),
        ]
    };
    app.update();
    assert_eq!(
        heard(&mut app),
        [both("started"), both("collision")].concat()
    );
    app.update();
    assert_eq!(heard(&mut app), both("collision"));
    *app.world_mut().get_mut::<Transform>(right).unwrap() = at(50.0, 0.0);
    app.update();
    assert_eq!(heard(&mut app), both("ended"));
    app.update();
    assert_eq!(heard(&mut app), []);
}

#[test]
fn an_observer_of_all_hears_each_pair_from_both_sides() {
    let mut app = listening_app();
    app.add_observer(|on: On<CollisionStarted>, mut heard: ResMut<Heard>| {
        heard.0.push(("any", on.a, on.b, on.normal));
    });
    let [left, right] = [0.0, 8.0].map(|x| sensor(&mut app, x));
    app.update();
    let expected = [
        ("any", left, right, Vec2::X),
        ("any", right, left, Vec2::NEG_X),
    ];
    assert_eq!(heard(&mut app), expected);
}

#[test]
fn who_is_left_hears_that_the_other_one_is_gone() {
    let mut app = listening_app();
    let [left, right] = [0.0, 8.0].map(|x| sensor(&mut app, x));
    app.world_mut()
        .entity_mut(left)
        .observe(|on: On<CollisionEnded>, mut heard: ResMut<Heard>| {
            assert_eq!(on.reason, EndReason::Despawned);
            heard.0.push(("left alone", on.a, on.b, on.normal));
        });
    app.update();
    app.world_mut().despawn(right);
    app.update();
    assert_eq!(heard(&mut app), [("left alone", left, right, Vec2::X)]);
    app.update();
    assert_eq!(heard(&mut app), []);
}

/// The body of a part goes along with it: nobody is told about an entity that is not there any more, but as one of the two that collided.
#[test]
fn the_end_of_a_part_that_goes_with_its_body_climbs_to_nobody() {
    let mut app = listening_app();
    app.world_mut().resource_mut::<CollisionSettings>().bubble = true;
    app.add_observer(|on: On<CollisionEnded>, mut heard: ResMut<Heard>| {
        heard.0.push(("any", on.a, on.b, on.normal));
    });
    let other = sensor(&mut app, 8.0);
    let body = app.world_mut().spawn((Body::Dynamic, at(0.0, 0.0))).id();
    let part = (CircleCollider::new(5.0), Sensor, ChildOf(body));
    let part = app.world_mut().spawn(part).id();
    app.update();
    app.world_mut().despawn(body);
    app.update();
    let expected = [
        ("any", other, part, Vec2::NEG_X),
        ("any", part, other, Vec2::X),
    ];
    assert_eq!(heard(&mut app), expected);
}

/// An observer may despawn an entity before the other observers run.
#[test]
fn observers_may_despawn_who_collides() {
    let mut app = listening_app();
    let coins: Vec<Entity> = (0..3).map(|x| sensor(&mut app, x as f32)).collect();
    for &coin in &coins {
        app.world_mut().entity_mut(coin).observe(
            |on: On<CollisionStarted>, mut commands: Commands, mut heard: ResMut<Heard>| {
                heard.0.push(("taken", on.a, on.b, Vec2::ZERO));
                commands.entity(on.b).despawn();
            },
        );
    }
    app.update();
    // (0,1): 0 is notified first and takes 1; (0,2): 0 takes 2. No other coin is left to be notified.
    let [first, second, third] = coins[..] else {
        unreachable!()
    };
    let taken = |other| ("taken", first, other, Vec2::ZERO);
    assert_eq!(heard(&mut app), [taken(second), taken(third)]);
    app.update();
    let ended = take::<CollisionEnded>(&mut app);
    assert_eq!(ended.len(), 3, "every started has its ended");
}

#[test]
fn events_go_up_to_the_body_by_choice() {
    for (bubble, expected) in [(false, 0), (true, 1)] {
        let mut app = listening_app();
        app.world_mut().resource_mut::<CollisionSettings>().bubble = bubble;
        let body = app
            .world_mut()
            .spawn((Body::Kinematic, at(0.0, 0.0)))
            .observe(|on: On<CollisionStarted>, mut heard: ResMut<Heard>| {
                let child = on.original_event_target();
                assert_eq!(on.body_a, on.a);
                heard.0.push(("body", on.a, child, on.normal));
            })
            .id();
        let hand = (CircleCollider::new(5.0), ChildOf(body), at(10.0, 0.0));
        let hand = app.world_mut().spawn(hand).id();
        sensor(&mut app, 18.0);
        app.update();
        let all = [("body", body, hand, Vec2::X)];
        assert_eq!(heard(&mut app), all[..expected], "bubble: {bubble}");
        // The messages are the same either way.
        let started = take::<CollisionStarted>(&mut app);
        assert_eq!((started[0].a, started[0].body_a), (hand, body));
    }
}

#[test]
fn an_event_goes_up_where_an_observer_of_the_collider_lets_it() {
    let mut app = listening_app();
    let body = app
        .world_mut()
        .spawn((Body::Kinematic, at(0.0, 0.0)))
        .observe(|on: On<CollisionStarted>, mut heard: ResMut<Heard>| {
            let child = on.original_event_target();
            heard.0.push(("body", on.a, child, on.normal));
        })
        .id();
    let hands = [10.0, -10.0].map(|x| {
        let hand = (CircleCollider::new(5.0), ChildOf(body), at(x, 0.0));
        app.world_mut().spawn(hand).id()
    });
    app.world_mut()
        .entity_mut(hands[0])
        .observe(|mut on: On<CollisionStarted>| on.propagate(true));
    sensor(&mut app, 18.0);
    sensor(&mut app, -18.0);
    app.update();
    assert_eq!(heard(&mut app), [("body", body, hands[0], Vec2::X)]);
}

#[test]
fn crushed_bodies_hear_of_it() {
    let mut app = listening_app();
    let walls = [-6.0, 6.0].map(|x| {
        let wall = (BoxCollider::new(4.0, 40.0), Body::Static, at(x, 0.0));
        app.world_mut().spawn(wall).id()
    });
    for y in [-20.0, 20.0] {
        let wall = (BoxCollider::new(40.0, 30.0), Body::Static, at(0.0, y));
        app.world_mut().spawn(wall);
    }
    let body = app
        .world_mut()
        .spawn(CircleCollider::new(6.0))
        .observe(|on: On<Crushed>, mut heard: ResMut<Heard>| {
            heard.0.push(("crushed", on.entity, on.by, Vec2::ZERO));
        })
        .id();
    app.update();
    let heard = heard(&mut app);
    assert_eq!(heard.len(), 1, "{heard:?}");
    assert_eq!(heard[0].1, body);
    // It is 6 - 4 deep in the walls beside it, and 6 - 5 in those above and below.
    assert!(walls.contains(&heard[0].2), "{heard:?}");
}

/// A collision that has started for a body ends for that body and no other one, whatever the part belongs to at its end.
#[test]
fn a_body_hears_the_end_of_a_part_that_has_left_it() {
    for (number, to_whom) in ["no body", "another body", "a group"].iter().enumerate() {
        let mut app = listening_app();
        app.world_mut().resource_mut::<CollisionSettings>().bubble = true;
        let mut hears = |x: f32, is_body: bool| {
            let mut one = app.world_mut().spawn(at(x, 0.0));
            if is_body {
                one.insert(Body::Kinematic);
            }
            let one = one.id();
            let started = |on: On<CollisionStarted>, mut heard: ResMut<Heard>| {
                heard.0.push(("started", on.a, on.body_a, on.normal));
            };
            let ended = |on: On<CollisionEnded>, mut heard: ResMut<Heard>| {
                heard.0.push(("ended", on.a, on.body_a, on.normal));
            };
            app.world_mut()
                .entity_mut(one)
                .observe(started)
                .observe(ended);
            one
        };
        let (knight, next, group) = (hears(0.0, true), hears(500.0, true), hears(900.0, false));
        let shield = (CircleCollider::new(5.0), ChildOf(knight), at(10.0, 0.0));
        let shield = app.world_mut().spawn(shield).id();
        sensor(&mut app, 18.0);
        app.update();
        assert_eq!(heard(&mut app), [("started", knight, knight, Vec2::X)]);
        let mut shield = app.world_mut().entity_mut(shield);
        match number {
            0 => shield.remove::<ChildOf>().insert(at(100.0, 0.0)),
            1 => shield.insert(ChildOf(next)),
            _ => shield.insert(ChildOf(group)),
        };
        app.update();
        let ended = ("ended", knight, knight, Vec2::X);
        assert_eq!(heard(&mut app), [ended], "it goes to {to_whom}");
        let ended = take::<CollisionEnded>(&mut app);
        assert_eq!((ended.len(), ended[0].body_a), (1, knight));
    }
}

/// A part that touches the same thing while it goes to another body: the collision ends for the old body and starts for the new one, and for no others.
#[test]
fn a_part_that_changes_its_body_in_contact_ends_and_starts() {
    let mut app = listening_app();
    app.world_mut().resource_mut::<CollisionSettings>().bubble = true;
    let mut hears = |x: f32| {
        let started = |on: On<CollisionStarted>, mut heard: ResMut<Heard>| {
            heard.0.push(("started", on.a, on.body_a, on.normal));
        };
        let ended = |on: On<CollisionEnded>, mut heard: ResMut<Heard>| {
            heard.0.push(("ended", on.a, on.body_a, on.normal));
        };
        let body = app.world_mut().spawn((at(x, 0.0), Body::Kinematic));
        let body = body.id();
        app.world_mut()
            .entity_mut(body)
            .observe(started)
            .observe(ended);
        body
    };
    let [knight, thief] = [0.0, 20.0].map(&mut hears);
    let sword = (CircleCollider::new(5.0), ChildOf(knight), at(10.0, 0.0));
    let sword = app.world_mut().spawn(sword).id();
    let coin = sensor(&mut app, 18.0);
    app.update();
    assert_eq!(heard(&mut app), [("started", knight, knight, Vec2::X)]);
    take::<CollisionEnded>(&mut app);
    take::<CollisionStarted>(&mut app);

    // In the same place in the world.
    let stolen = (ChildOf(thief), at(-10.0, 0.0));
    app.world_mut().entity_mut(sword).insert(stolen);
    app.update();
    let both = [
        ("ended", knight, knight, Vec2::X),
        ("started", thief, thief, Vec2::X),
    ];
    assert_eq!(heard(&mut app), both);
    let ended = take::<CollisionEnded>(&mut app);
    assert_eq!(ended.len(), 1);
    assert_eq!((ended[0].a, ended[0].b), (sword, coin));
    let why = (ended[0].body_a, ended[0].reason);
    assert_eq!(why, (knight, EndReason::Reparented));
    let started = take::<CollisionStarted>(&mut app);
    assert_eq!(started.len(), 1);
    let who = (started[0].other(coin), started[0].body_a);
    assert_eq!(who, (Some(sword), thief));

    // And the collision goes on.
    app.update();
    assert_eq!(heard(&mut app), []);
    *app.world_mut().get_mut::<Transform>(coin).unwrap() = at(100.0, 0.0);
    app.update();
    assert_eq!(heard(&mut app), [("ended", thief, thief, Vec2::X)]);
}

/// An entity that becomes a part of another one was a body before: its collisions end only for itself and for what it met.
#[test]
fn who_is_picked_up_ends_for_itself() {
    let mut app = listening_app();
    app.world_mut().resource_mut::<CollisionSettings>().bubble = true;
    let player = (CircleCollider::new(5.0), Body::Kinematic, at(0.0, 0.0));
    let player = app.world_mut().spawn(player).id();
    let item = sensor(&mut app, 8.0);
    let coin = sensor(&mut app, 16.0);
    for body in [player, item] {
        app.world_mut()
            .entity_mut(body)
            .observe(|on: On<CollisionStarted>, mut heard: ResMut<Heard>| {
                heard.0.push(("started", on.a, on.b, on.normal));
            })
            .observe(|on: On<CollisionEnded>, mut heard: ResMut<Heard>| {
                heard.0.push(("ended", on.a, on.b, on.normal));
            });
    }
    app.update();
    let mut all = heard(&mut app);
    all.sort_unstable_by_key(|one| (one.1, one.2));
    let mut expected = [
        ("started", player, item, Vec2::X),
        ("started", item, player, Vec2::NEG_X),
        ("started", item, coin, Vec2::X),
    ];
    expected.sort_unstable_by_key(|one| (one.1, one.2));
    assert_eq!(all, expected);

    app.world_mut()
        .entity_mut(item)
        .insert((ChildOf(player), at(8.0, 0.0)));
    app.update();
    let mut all = heard(&mut app);
    all.sort_unstable_by_key(|one| (one.0, one.1, one.2));
    let mut expected = [
        ("ended", player, item, Vec2::X),
        ("ended", item, player, Vec2::NEG_X),
        ("ended", item, coin, Vec2::X),
        // This one is reported to the item, and then to the body that the item is a part of.
        ("started", item, coin, Vec2::X),
        ("started", player, coin, Vec2::X),
    ];
    expected.sort_unstable_by_key(|one| (one.0, one.1, one.2));
    assert_eq!(all, expected);
}

/// A knight gets onto a horse: the hand was a part of the knight, and for the horse no collision has started.
#[test]
fn whose_body_becomes_a_part_ends_no_farther_up() {
    let mut app = listening_app();
    app.world_mut().resource_mut::<CollisionSettings>().bubble = true;
    let [knight, horse] = [0.0, 20.0].map(|x| {
        let body = app.world_mut().spawn((Body::Kinematic, at(x, 0.0))).id();
        app.world_mut().entity_mut(body).observe(
            |on: On<CollisionEnded>, mut heard: ResMut<Heard>| {
                heard.0.push(("ended", on.a, on.b, on.normal));
            },
        );
        body
    });
    let hand = (CircleCollider::new(5.0), ChildOf(knight), at(10.0, 0.0));
    app.world_mut().spawn(hand);
    let coin = sensor(&mut app, 18.0);
    app.update();
    app.world_mut()
        .entity_mut(knight)
        .insert((ChildOf(horse), at(80.0, 0.0)));
    app.update();
    assert_eq!(heard(&mut app), [("ended", knight, coin, Vec2::X)]);
}

/// The hand is despawned and cannot be observed any more, but its body can: the end is reported to the body.
#[test]
fn a_body_hears_the_end_of_a_child_that_is_gone() {
    let mut app = listening_app();
    app.world_mut().resource_mut::<CollisionSettings>().bubble = true;
    let body = (Body::Kinematic, at(0.0, 0.0));
    let body = app.world_mut().spawn(body);
    let body = body.id();
    app.world_mut()
        .entity_mut(body)
        .observe(|on: On<CollisionStarted>, mut heard: ResMut<Heard>| {
            heard.0.push(("started", on.a, on.b, on.normal));
        })
        .observe(|on: On<CollisionEnded>, mut heard: ResMut<Heard>| {
            assert_eq!(on.reason, EndReason::Despawned);
            heard.0.push(("ended", on.a, on.b, on.normal));
        });
    let hand = (CircleCollider::new(5.0), ChildOf(body), at(10.0, 0.0));
    let hand = app.world_mut().spawn(hand).id();
    let coin = sensor(&mut app, 18.0);
    app.update();
    assert_eq!(heard(&mut app), [("started", body, coin, Vec2::X)]);
    app.world_mut().despawn(hand);
    app.update();
    assert_eq!(heard(&mut app), [("ended", body, coin, Vec2::X)]);

    // The same if the hand is despawned before its start is reported.
    let hand = (CircleCollider::new(5.0), ChildOf(body), at(10.0, 0.0));
    let hand = app.world_mut().spawn(hand).id();
    app.world_mut().entity_mut(coin).observe(
        move |_: On<CollisionStarted>, mut commands: Commands| {
            commands.entity(hand).despawn();
        },
    );
    app.update();
    app.update();
    let both = [
        ("started", body, coin, Vec2::X),
        ("ended", body, coin, Vec2::X),
    ];
    assert_eq!(heard(&mut app), both);
    app.update();
    assert_eq!(heard(&mut app), []);
}
