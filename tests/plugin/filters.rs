//! How a game decides what collides: filters, ignore lists, and `CollidingWith`.

use std::sync::atomic::{AtomicU32, Ordering};

use bevy::{
    ecs::{entity_disabling::Disabled, system::RunSystemOnce},
    prelude::*,
};
use bevy_nudge::prelude::*;

use crate::common::{app, at, place, take, tick, wall};

#[derive(Component, Clone, Copy, PartialEq)]
struct Team(u8);

fn friends(In(pair): In<Pair>, teams: Query<&Team>) -> Verdict {
    match teams.get_many([pair.a, pair.b]) {
        Ok([a, b]) if a == b => Verdict::Ignore,
        _ => Verdict::Collide,
    }
}

#[derive(Resource)]
struct IsPeace(bool);

fn peace(_: In<Pair>, peace: Res<IsPeace>) -> Verdict {
    if peace.0 {
        Verdict::Ignore
    } else {
        Verdict::Collide
    }
}

fn dot(app: &mut App, x: f32, more: impl Bundle) -> Entity {
    let dot = (CircleCollider::new(10.0), at(x, 0.0), more);
    app.world_mut().spawn(dot).id()
}

#[test]
fn a_filter_decides_by_the_games_own_components() {
    let mut app = app();
    app.add_collision_filter(friends);
    let [red, other_red, blue] = [(0.0, 1), (15.0, 1), (30.0, 2)]
        .map(|(x, team)| dot(&mut app, x, (Team(team), Body::Kinematic)));
    let pairs: Vec<_> = tick(&mut app).iter().map(|hit| (hit.a, hit.b)).collect();
    assert_eq!(pairs, [(other_red, blue)]);
    assert_eq!(place(&app, red), Vec2::ZERO);

    // A change of sides ends one collision and starts another.
    app.world_mut().entity_mut(other_red).insert(Team(2));
    take::<CollisionStarted>(&mut app);
    app.update();
    let ended = take::<CollisionEnded>(&mut app);
    assert_eq!((ended[0].a, ended[0].b), (other_red, blue));
    assert_eq!(ended[0].reason, EndReason::Filtered);
    let started = take::<CollisionStarted>(&mut app);
    assert_eq!((started[0].a, started[0].b), (red, other_red));
    assert_eq!((ended.len(), started.len()), (1, 1));
}

#[derive(Component)]
struct Door;

/// Lets pairs with doors pass, and reports them.
fn open_doors(In(pair): In<Pair>, doors: Query<(), With<Door>>) -> Verdict {
    if doors.contains(pair.a) || doors.contains(pair.b) {
        Verdict::Respond(Response::Pass)
    } else {
        Verdict::Collide
    }
}

/// A collider that a filter lets pass is neither a floor nor a wall, and does not change the floor under a body.
#[test]
fn what_a_filter_lets_pass_is_no_surface() {
    for (case, is_open, solid, is_on_wall) in [("closed", false, 2, true), ("open", true, 1, false)]
    {
        let mut app = app();
        if is_open {
            app.add_collision_filter(open_doors);
        }
        wall(&mut app, (0.0, -16.0), (16.0, 0.0));
        let door = wall(&mut app, (0.0, 0.0), (8.0, 40.0));
        app.world_mut().entity_mut(door).insert(Door);
        // The player overlaps the ledge by 3, and is 3 deep in the door.
        let x = if is_open { -2.0 } else { -5.0 };
        let player = (BoxCollider::new(10.0, 16.0), at(x, 8.0));
        let player = app.world_mut().spawn(player).id();
        app.update();
        let seen = app
            .world_mut()
            .run_system_once(move |collisions: Collisions| {
                assert_eq!(collisions.solid_of(player).count(), solid, "{case}");
                (
                    collisions.is_on_floor(player),
                    collisions.is_on_wall(player),
                )
            });
        let is_on_floor = is_open;
        assert_eq!(seen.unwrap(), (is_on_floor, is_on_wall), "{case}");
        assert_eq!(place(&app, player).x, x, "{case}: it is not pushed");
    }
}

/// A body that is pushed into a door that a filter lets pass is reported with it, and is at no wall there.
#[test]
fn who_is_pushed_into_what_a_filter_lets_pass_is_at_no_wall() {
    let mut app = app();
    app.add_collision_filter(open_doors);
    // The player is pushed out to the left by 4, into the door.
    wall(&mut app, (6.0, -20.0), (40.0, 20.0));
    let door = wall(&mut app, (-20.0, -20.0), (-12.0, 20.0));
    app.world_mut().entity_mut(door).insert(Door);
    let player = app
        .world_mut()
        .spawn((BoxCollider::square(20.0), at(0.0, 0.0)))
        .id();
    let told = tick(&mut app);
    assert_eq!(place(&app, player).x, -4.0);
    assert!(told.iter().any(|hit| hit.involves(door)));
    let walls = app
        .world_mut()
        .run_system_once(move |collisions: Collisions| {
            let walls = collisions.surfaces_of(player).map(|hit| hit.normal);
            walls.collect::<Vec<_>>()
        });
    assert_eq!(walls.unwrap(), [Vec2::NEG_X]);
}

/// A body that is pushed beside a ledge that a filter lets pass does not stand on it, not even in the tick of the push.
#[test]
fn who_is_pushed_beside_a_ledge_that_a_filter_lets_pass_stands_on_nothing() {
    for is_open in [false, true] {
        let mut app = app();
        if is_open {
            app.add_collision_filter(open_doors);
        }
        // The player is pushed out to the left by 4, over 2 of the ledge, whose top is at the height of the player's feet.
        wall(&mut app, (6.0, -20.0), (40.0, 20.0));
        let ledge = wall(&mut app, (-30.0, -14.0), (-12.0, -10.0));
        let one_way = (Door, OneWay::default());
        app.world_mut().entity_mut(ledge).insert(one_way);
        let player = app
            .world_mut()
            .spawn((BoxCollider::square(20.0), at(0.0, 0.0)));
        let player = player.id();
        let told = tick(&mut app);
        assert_eq!(place(&app, player), Vec2::new(-4.0, 0.0));
        assert!(told.iter().any(|hit| hit.involves(ledge)));
        let stands = app
            .world_mut()
            .run_system_once(move |collisions: Collisions| collisions.is_on_floor(player));
        assert_eq!(stands.unwrap(), !is_open);
    }
}

#[derive(Resource, Default)]
struct Asked(AtomicU32);

/// A moving room does not ask the filter about colliders that are deep inside of it.
#[test]
fn a_room_that_travels_asks_about_nobody_inside() {
    let mut app = app();
    app.init_resource::<Asked>();
    app.add_collision_filter(|_: In<Pair>, asked: Res<Asked>| {
        asked.0.fetch_add(1, Ordering::Relaxed);
        Verdict::Collide
    });
    let frame = (BoundsCollider::new(1000.0, 1000.0), Body::Kinematic);
    let frame = (frame, Velocity(Vec2::new(64.0, 0.0)));
    app.world_mut().spawn(frame);
    for number in 0..200 {
        let place = at(
            -95.0 + 10.0 * (number % 20) as f32,
            (number / 20) as f32 * 10.0,
        );
        let pillar = (CircleCollider::new(1.0), Body::Static, place);
        app.world_mut().spawn(pillar);
    }
    for _ in 0..3 {
        app.update();
    }
    let asked = |app: &App| app.world().resource::<Asked>().0.load(Ordering::Relaxed);
    assert_eq!(asked(&app), 0);
    // About one in its wall it asks.
    let pillar = (CircleCollider::new(1.0), Body::Static, at(0.0, 500.0));
    app.world_mut().spawn(pillar);
    app.update();
    assert_ne!(asked(&app), 0);
}

/// A collision that is over for several reasons is reported with the first of them, and filters are not asked about despawned entities.
#[test]
fn who_parts_and_is_refused_in_one_tick_was_refused() {
    for (case, is_peace, is_gone, reason) in [
        ("parts", false, false, EndReason::Separated),
        ("parts and is refused", true, false, EndReason::Filtered),
        ("goes and is refused", true, true, EndReason::Despawned),
    ] {
        let mut app = app();
        app.insert_resource(IsPeace(false));
        app.add_collision_filter(|In(pair): In<Pair>, there: Query<()>| {
            assert!(there.contains(pair.a) && there.contains(pair.b));
            Verdict::Collide
        });
        app.add_collision_filter(peace);
        // The other pairs go on, or are refused where they are, so that the lists have several entries.
        let [first, second, third] = [-100.0, 0.0, 100.0].map(|x| {
            let two = [x, x + 15.0].map(|x| dot(&mut app, x, Body::Kinematic));
            (two[0], two[1])
        });
        app.update();
        assert_eq!(take::<CollisionStarted>(&mut app).len(), 3, "{case}");

        app.insert_resource(IsPeace(is_peace));
        if is_gone {
            app.world_mut().despawn(second.0);
        } else {
            app.world_mut().entity_mut(second.0).insert(at(0.0, 300.0));
        }
        app.update();
        let ended = take::<CollisionEnded>(&mut app);
        let told: Vec<_> = ended
            .iter()
            .map(|over| ((over.a, over.b), over.reason))
            .collect();
        let refused = |pair| (pair, EndReason::Filtered);
        let expected = if is_peace {
            vec![refused(first), (second, reason), refused(third)]
        } else {
            vec![(second, reason)]
        };
        assert_eq!(told, expected, "{case}");
    }
}

#[test]
fn nobody_is_pushed_or_stopped_by_whom_a_filter_ignores() {
    let mut app = app();
    app.add_collision_filter(friends);
    let [one, two] = [-3.0, 3.0].map(|x| dot(&mut app, x, Team(1)));
    let runner = dot(
        &mut app,
        -100.0,
        (Team(1), Velocity(Vec2::new(64.0 * 200.0, 0.0))),
    );
    app.update();
    assert_eq!(place(&app, one), Vec2::new(-3.0, 0.0));
    assert_eq!(place(&app, two), Vec2::new(3.0, 0.0));
    assert_eq!(
        place(&app, runner),
        Vec2::new(100.0, 0.0),
        "ran through both"
    );
    assert!(take::<Collision>(&mut app).is_empty());
}

/// A ball moves 20 units in this tick, and meets a wall after 10.
#[test]
fn a_filter_says_what_both_do_where_they_meet() {
    let ways = Vec2::new(20.0 * 64.0, 0.0);
    let bounce = Response::Bounce { restitution: 1.0 };
    for (case, own, of_pair, x, velocity) in [
        ("as its own response says", Response::Slide, None, 0.0, 0.0),
        ("bounces", Response::Slide, Some(bounce), -10.0, -1.0),
        ("stops", bounce, Some(Response::Stop), 0.0, 0.0),
        ("passes", bounce, Some(Response::Pass), 10.0, 1.0),
    ] {
        let mut app = app();
        app.add_collision_filter(move |_: In<Pair>| {
            of_pair.map_or(Verdict::Collide, Verdict::Respond)
        });
        let ball = dot(&mut app, -10.0, (Velocity(ways), own));
        wall(&mut app, (10.0, -50.0), (40.0, 50.0));
        app.update();
        assert_eq!(place(&app, ball), Vec2::new(x, 0.0), "{case}");
        let after = app.world().get::<Velocity>(ball).unwrap();
        assert_eq!(after.0, ways * velocity, "{case}");
        assert_eq!(take::<CollisionStarted>(&mut app).len(), 1, "{case}: told");
    }
}

#[test]
fn what_passes_is_told_and_not_pushed_out() {
    let mut app = app();
    app.add_collision_filter(|_: In<Pair>| Verdict::Respond(Response::Pass));
    let one = dot(&mut app, 0.0, ());
    dot(&mut app, 5.0, ());
    assert_eq!(tick(&mut app).len(), 1);
    assert_eq!(place(&app, one), Vec2::ZERO);
}

#[test]
fn the_first_filter_that_says_something_decides() {
    for (is_peace, pairs) in [(true, 0), (false, 1)] {
        let mut app = app();
        app.insert_resource(IsPeace(is_peace))
            .add_collision_filter(peace)
            .add_collision_filter(|_: In<Pair>| Verdict::Respond(Response::Pass))
            .add_collision_filter(|_: In<Pair>| Verdict::Ignore);
        let one = dot(&mut app, 0.0, ());
        dot(&mut app, 5.0, ());
        assert_eq!(tick(&mut app).len(), pairs);
        assert_eq!(place(&app, one), Vec2::ZERO);
    }
}

#[test]
fn a_filter_that_cannot_be_asked_is_left_out() {
    let mut app = app();
    app.add_collision_filter(peace);
    dot(&mut app, 0.0, Sensor);
    dot(&mut app, 5.0, Sensor);
    assert_eq!(tick(&mut app).len(), 1, "there is no IsPeace");
    app.insert_resource(IsPeace(true));
    assert_eq!(tick(&mut app).len(), 0);
}

#[test]
fn a_filter_sees_colliders_and_bodies_in_the_order_of_reports() {
    #[derive(Resource, Default)]
    struct Asked(std::sync::Mutex<Vec<Pair>>);
    let mut app = app();
    app.init_resource::<Asked>();
    app.add_collision_filter(|In(pair): In<Pair>, asked: Res<Asked>| {
        asked.0.lock().unwrap().push(pair);
        Verdict::Collide
    });
    let body = app.world_mut().spawn((Body::Dynamic, at(0.0, 0.0))).id();
    let hand = dot(&mut app, 0.0, (ChildOf(body), Sensor));
    let coin = dot(&mut app, 5.0, Sensor);
    app.update();
    let asked = app.world().resource::<Asked>().0.lock().unwrap();
    let expected = Pair {
        a: hand,
        b: coin,
        body_a: body,
        body_b: coin,
    };
    assert!(!asked.is_empty() && asked.iter().all(|pair| *pair == expected));
}

/// The last call counts, and a call that sets what a collider meets does not change which layers it is on.
#[test]
fn layers_are_said_step_by_step() {
    const SHIP: CollisionLayers = CollisionLayers::on(2).with(4 | 8);
    for (case, layers, memberships, filters) in [
        ("on some", CollisionLayers::on(2), 2, u32::MAX),
        ("on several", CollisionLayers::on(2 | 4), 6, u32::MAX),
        ("with some", SHIP, 2, 12),
        ("with others", SHIP.with(1), 2, 1),
        ("with none", SHIP.with(0), 2, 0),
        ("without one of them", SHIP.without(8), 2, 4),
        ("without one more", SHIP.without(8).without(4), 2, 0),
        ("without another one", SHIP.without(1), 2, 12),
        ("and with it again", SHIP.without(8).with(8), 2, 8),
        ("with all but one", CollisionLayers::on(2).without(2), 2, !2),
        ("by default", CollisionLayers::DEFAULT.without(2), 1, !2),
    ] {
        let expected = CollisionLayers::new(memberships, filters);
        assert_eq!(layers, expected, "{case}");
    }
}

#[test]
fn bullets_meet_all_but_each_other() {
    const BULLETS: u32 = 1 << 3;
    let mut app = app();
    let layers = CollisionLayers::on(BULLETS).without(BULLETS);
    let bullets = [0.0, 5.0].map(|x| dot(&mut app, x, (Body::Kinematic, layers)));
    let target = dot(&mut app, 10.0, Body::Kinematic);
    let pairs: Vec<_> = tick(&mut app).iter().map(|hit| (hit.a, hit.b)).collect();
    assert_eq!(pairs, bullets.map(|bullet| (bullet, target)));
}

#[test]
fn one_who_ignores_is_enough() {
    for (case, by_first) in [("the first", true), ("the second", false)] {
        let mut app = app();
        let [one, two] = [0.0, 5.0].map(|x| dot(&mut app, x, Body::Kinematic));
        let (who, whom) = if by_first { (one, two) } else { (two, one) };
        let ignores = IgnoreCollisions::with(whom);
        app.world_mut().entity_mut(who).insert(ignores);
        assert_eq!(tick(&mut app).len(), 0, "{case}");
        app.world_mut().entity_mut(who).remove::<IgnoreCollisions>();
        assert_eq!(tick(&mut app).len(), 1, "{case}: no longer");
        let mut ignores = IgnoreCollisions::default();
        ignores.entities.push(whom);
        app.world_mut().entity_mut(who).insert(ignores);
        assert_eq!(tick(&mut app).len(), 0, "{case}: again");
    }
}

#[test]
fn several_are_ignored_and_nobody_else() {
    let mut app = app();
    let kinematic = Body::Kinematic;
    let others = [5.0, 10.0, 15.0].map(|x| dot(&mut app, x, kinematic));
    let twice = [others[0], others[2], others[0]];
    let ignores = IgnoreCollisions::with_all(twice);
    assert!(!ignores.family);
    let one = dot(&mut app, 0.0, (kinematic, ignores));
    let met = |app: &mut App| -> Vec<Entity> {
        let hits = tick(app);
        hits.iter().filter_map(|hit| hit.other(one)).collect()
    };
    assert_eq!(met(&mut app), [others[1]]);
    // From a list that was found, and from an empty one.
    let found = IgnoreCollisions::with_all(others.into_iter().skip(1));
    app.world_mut().entity_mut(one).insert(found);
    assert_eq!(met(&mut app), [others[0]]);
    let nobody = IgnoreCollisions::with_all([]);
    assert_eq!(nobody, IgnoreCollisions::default());
    app.world_mut().entity_mut(one).insert(nobody);
    assert_eq!(met(&mut app).len(), 3);
}

#[test]
fn a_bullet_ignores_all_of_its_owner() {
    let mut app = app();
    let owner = dot(&mut app, 0.0, ());
    dot(&mut app, 15.0, ChildOf(owner));
    let ignores = IgnoreCollisions::with(owner);
    let bullet = dot(&mut app, 10.0, (ignores, Velocity(Vec2::new(640.0, 0.0))));
    assert_eq!(tick(&mut app).len(), 0);
    assert_eq!(place(&app, bullet), Vec2::new(20.0, 0.0));
}

#[test]
fn a_family_shares_its_topmost_ancestor_and_not_a_body() {
    let mut app = app();
    let family = [(); 2].map(|()| app.world_mut().spawn(at(0.0, 0.0)).id());
    let ignores = IgnoreCollisions::family();
    let [one, brother, cousin] = [
        dot(
            &mut app,
            0.0,
            (Body::Kinematic, ChildOf(family[0]), ignores),
        ),
        dot(&mut app, 5.0, (Body::Kinematic, ChildOf(family[0]))),
        dot(&mut app, 10.0, (Body::Kinematic, ChildOf(family[1]))),
    ];
    let pairs: Vec<_> = tick(&mut app).iter().map(|hit| (hit.a, hit.b)).collect();
    assert_eq!(pairs, [(one, cousin), (brother, cousin)]);
    // The cousin gets another parent.
    app.world_mut()
        .entity_mut(cousin)
        .insert(ChildOf(family[0]));
    let pairs: Vec<_> = tick(&mut app).iter().map(|hit| (hit.a, hit.b)).collect();
    assert_eq!(pairs, [(brother, cousin)]);
}

/// A tile of a level that stands still, and whose level is put below another entity without going anywhere: from then on, all below that entity are its family.
#[test]
fn a_tile_gets_the_family_that_its_level_gets() {
    let mut app = app();
    let house = app.world_mut().spawn(Transform::default()).id();
    let level = (Body::Static, Transform::default());
    let level = app.world_mut().spawn(level).id();
    let tile = (BoxCollider::square(10.0), ChildOf(level));
    app.world_mut().spawn(tile);
    let dot = (CircleCollider::new(3.0), Sensor, ChildOf(house));
    app.world_mut().spawn((dot, IgnoreCollisions::family()));
    for _ in 0..3 {
        assert_eq!(tick(&mut app).len(), 1);
    }
    app.world_mut().entity_mut(level).insert(ChildOf(house));
    assert_eq!(tick(&mut app).len(), 0);
    app.world_mut().entity_mut(level).remove::<ChildOf>();
    assert_eq!(tick(&mut app).len(), 1);
}

/// The first entity gets its collider last, which changes nothing for the filter.
#[test]
fn a_filter_is_asked_about_a_pair_in_the_order_of_the_entities() {
    #[derive(Component)]
    struct First;
    let is_in_order = |In(pair): In<Pair>, first: Query<(), With<First>>| {
        assert!(first.contains(pair.a) && !first.contains(pair.b));
        assert_eq!([pair.body_a, pair.body_b], [pair.a, pair.b]);
        Verdict::Collide
    };
    let mut app = app();
    app.add_collision_filter(is_in_order);
    let first = app.world_mut().spawn(First).id();
    app.world_mut().spawn((CircleCollider::new(5.0), Sensor));
    app.update();
    app.world_mut()
        .entity_mut(first)
        .insert((CircleCollider::new(5.0), Sensor));
    assert_eq!(tick(&mut app).len(), 1);
}

/// Within one tick a bullet flies through a wall that a filter lets it pass: the two have met, but not as solids.
#[test]
fn who_flew_through_what_a_filter_lets_it_pass_has_met_nothing_solid() {
    let mut app = app();
    app.insert_resource(Time::<Fixed>::from_hz(64.0));
    app.add_collision_filter(|_: In<Pair>| Verdict::Respond(Response::Pass));
    wall(&mut app, (20.0, -10.0), (30.0, 10.0));
    let flies = Velocity(Vec2::new(64.0 * 60.0, 0.0));
    let bullet = (CircleCollider::new(2.0), flies);
    let bullet = app.world_mut().spawn(bullet).id();
    assert_eq!(tick(&mut app).len(), 1);
    assert_eq!(place(&app, bullet).x, 60.0);
    let ask = move |collisions: Collisions| {
        let solid = collisions.solid_of(bullet).count();
        (solid, collisions.is_on_wall(bullet))
    };
    let found = app.world_mut().run_system_once(ask).expect("it runs");
    assert_eq!(found, (0, false));
}

/// Layers, ignore lists and everything else that decides are checked anew for still colliders, too.
#[test]
fn a_static_that_changes_its_mind_is_believed() {
    let mut app = app();
    let walls: Vec<Entity> = (0..100)
        .map(|x| {
            wall(
                &mut app,
                (x as f32 * 20.0, 0.0),
                (x as f32 * 20.0 + 20.0, 10.0),
            )
        })
        .collect();
    let probe = app.world_mut();
    let probe = probe.spawn((CircleCollider::new(1.0), Body::Kinematic, at(70.0, 5.0)));
    let probe = probe.id();
    let tile = walls[3];
    assert_eq!(tick(&mut app).len(), 1);
    app.world_mut()
        .entity_mut(tile)
        .insert(CollisionLayers::NONE);
    assert_eq!(tick(&mut app).len(), 0, "other layers");
    app.world_mut().entity_mut(tile).remove::<CollisionLayers>();
    assert_eq!(tick(&mut app).len(), 1, "the old layers");
    let ignores = IgnoreCollisions::with(probe);
    app.world_mut().entity_mut(tile).insert(ignores);
    assert_eq!(tick(&mut app).len(), 0, "ignores");
    app.world_mut()
        .entity_mut(tile)
        .remove::<IgnoreCollisions>();
    assert_eq!(tick(&mut app).len(), 1, "no longer");
    app.world_mut().entity_mut(tile).insert(ColliderDisabled);
    assert_eq!(tick(&mut app).len(), 0, "disabled");
    app.world_mut()
        .entity_mut(tile)
        .remove::<ColliderDisabled>();
    assert_eq!(tick(&mut app).len(), 1, "enabled");
}

fn partners(app: &App, entity: Entity) -> Vec<Entity> {
    app.world().get::<CollidingWith>(entity).unwrap().to_vec()
}

#[test]
fn colliding_with_lists_the_partners_of_now() {
    let mut app = app();
    let plate = dot(&mut app, 0.0, (Sensor, CollidingWith::default()));
    let [one, two] = [5.0, 8.0].map(|x| dot(&mut app, x, Body::Kinematic));
    assert_eq!(partners(&app, plate), []);
    app.update();
    assert_eq!(partners(&app, plate), [one, two]);
    // Right after the despawn, and not only in the next tick.
    app.world_mut().despawn(one);
    assert_eq!(partners(&app, plate), [two]);
    app.world_mut().entity_mut(two).remove::<CircleCollider>();
    assert_eq!(partners(&app, plate), []);
    let three = dot(&mut app, -5.0, Body::Kinematic);
    app.update();
    assert_eq!(partners(&app, plate), [three]);
    app.world_mut().entity_mut(plate).insert(ColliderDisabled);
    app.update();
    assert_eq!(partners(&app, plate), []);
}

/// One kind of collider replaces another: the partner's list does not lose the collider in between.
#[test]
fn who_gets_another_kind_of_collider_stays_a_partner() {
    let mut app = app();
    let plate = dot(&mut app, 0.0, (Sensor, CollidingWith::default()));
    let stone = dot(&mut app, 5.0, Body::Kinematic);
    app.update();
    assert_eq!(partners(&app, plate), [stone]);
    let mut stone_is = app.world_mut().entity_mut(stone);
    stone_is.insert(BoxCollider::square(8.0));
    stone_is.remove::<CircleCollider>();
    assert_eq!(partners(&app, plate), [stone]);
    app.update();
    assert_eq!(partners(&app, plate), [stone]);
    app.world_mut().entity_mut(stone).remove::<BoxCollider>();
    assert_eq!(partners(&app, plate), []);
}

/// By mistake, or on the way from one kind to another.
#[test]
fn who_goes_with_two_colliders_is_no_partner_any_more() {
    type Go = fn(EntityWorldMut);
    let ways: [(&str, Go); 2] = [
        ("despawned", |one| one.despawn()),
        ("without both", |mut one| {
            _ = one.remove::<(CircleCollider, BoxCollider)>();
        }),
    ];
    for (case, go) in ways {
        let mut app = app();
        let plate = dot(&mut app, 0.0, (Sensor, CollidingWith::default()));
        let stone = dot(&mut app, 5.0, Body::Kinematic);
        app.update();
        assert_eq!(partners(&app, plate), [stone]);
        let mut stone_is = app.world_mut().entity_mut(stone);
        stone_is.insert(BoxCollider::square(8.0));
        go(stone_is);
        assert_eq!(partners(&app, plate), [], "{case}");
    }
}

/// A hidden collider has no partners, and its list must not keep any, as they may be gone when the collider is shown again.
#[test]
fn colliding_with_of_who_is_hidden_is_empty() {
    let mut app = app();
    let plate = dot(&mut app, 0.0, (Sensor, CollidingWith::default()));
    let stone = dot(&mut app, 5.0, Body::Kinematic);
    app.update();
    assert_eq!(partners(&app, plate), [stone]);
    app.world_mut().entity_mut(plate).insert(Disabled);
    app.update();
    assert_eq!(partners(&app, plate), []);
    app.world_mut().despawn(stone);
    app.world_mut().entity_mut(plate).remove::<Disabled>();
    assert_eq!(partners(&app, plate), []);
    app.update();
    assert_eq!(partners(&app, plate), []);
}

#[test]
fn colliding_with_of_a_body_lists_those_of_all_its_colliders() {
    let mut app = app();
    let body = (Body::Kinematic, at(0.0, 0.0), CollidingWith::default());
    let body = app.world_mut().spawn(body).id();
    for x in [-20.0, 20.0] {
        dot(&mut app, x, ChildOf(body));
    }
    let [left, right, both] = [-25.0, 25.0, 0.0].map(|x| dot(&mut app, x, Sensor));
    app.world_mut()
        .get_mut::<CircleCollider>(both)
        .unwrap()
        .radius = 15.0;
    app.update();
    assert_eq!(partners(&app, body), [left, right, both]);
    app.world_mut().despawn(left);
    assert_eq!(partners(&app, body), [right, both]);
}

/// A list that stays the same is not written, so that change detection reports only changes.
#[test]
fn colliding_with_changes_only_when_it_does() {
    #[derive(Resource, Default)]
    struct Changes(usize);
    let mut app = app();
    app.init_resource::<Changes>();
    let count = |lists: Query<(), Changed<CollidingWith>>, mut changes: ResMut<Changes>| {
        changes.0 += lists.iter().count();
    };
    app.add_systems(Update, count);
    dot(&mut app, 0.0, (Sensor, CollidingWith::default()));
    let other = dot(&mut app, 5.0, Sensor);
    for (x, changes) in [(5.0, 1), (5.0, 1), (6.0, 1), (50.0, 2), (50.0, 2)] {
        *app.world_mut().get_mut::<Transform>(other).unwrap() = at(x, 0.0);
        app.update();
        assert_eq!(app.world().resource::<Changes>().0, changes, "at {x}");
    }
}

#[test]
fn an_end_tells_who_left() {
    let mut app = app();
    let plate = dot(&mut app, 0.0, Sensor);
    let layers = CollisionLayers::new(2, u32::MAX);
    let more = (Sensor, layers, Name::new("gem"), CollisionTag(7));
    let gem = dot(&mut app, 5.0, more.clone());
    let plain = dot(&mut app, 5.0, (Sensor, CollisionLayers::new(2, 1)));
    app.update();
    app.world_mut().despawn(gem);
    app.world_mut().entity_mut(plain).remove::<CircleCollider>();
    app.update();
    let ended = take::<CollisionEnded>(&mut app);
    assert_eq!(ended.len(), 2);
    let leaver = ended[0].leaver(gem).expect("the gem is gone");
    assert_eq!(leaver.layers, layers);
    assert_eq!(leaver.name, Some(Name::new("gem")));
    assert_eq!(leaver.tag, Some(CollisionTag(7)));
    assert_eq!(ended[0].leaver(plate), None, "it is still there");
    let leaver = ended[1].leaver(plain).expect("its collider is gone");
    assert_eq!((leaver.layers.filters, &leaver.name), (1, &None));
    assert_eq!(ended[1].reason, EndReason::Removed);

    // A collider that is inserted again before the tick has not left, and a later end does not call it a leaver.
    let gem = dot(&mut app, 5.0, more);
    app.update();
    app.world_mut().entity_mut(gem).remove::<CircleCollider>();
    app.world_mut()
        .entity_mut(gem)
        .insert(CircleCollider::new(10.0));
    app.update();
    assert_eq!(take::<CollisionEnded>(&mut app), []);
    app.world_mut()
        .get_mut::<Transform>(gem)
        .unwrap()
        .translation
        .x = 100.0;
    app.update();
    let ended = take::<CollisionEnded>(&mut app);
    assert_eq!(
        (ended[0].reason, ended[0].leaver(gem)),
        (EndReason::Separated, None)
    );
}

/// A filter may run more than once a tick, and its commands would never be applied.
#[test]
#[should_panic(expected = "changes nothing")]
fn a_filter_gives_no_commands() {
    fn spawn(_: In<Pair>, mut commands: Commands) -> Verdict {
        commands.spawn_empty();
        Verdict::Collide
    }
    app().add_collision_filter(spawn);
}

#[test]
fn colliding_with_holds_nobody_who_goes_in_the_middle_of_a_tick() {
    #[derive(Resource)]
    struct Goes(Entity);

    for is_despawned in [true, false] {
        let mut app = app();
        let plate = dot(&mut app, 0.0, (Sensor, CollidingWith::default()));
        let stone = dot(&mut app, 5.0, (Body::Kinematic, CollidingWith::default()));
        let other = dot(&mut app, -5.0, Body::Kinematic);
        app.update();
        assert_eq!(partners(&app, plate), [stone, other]);
        let go = move |mut commands: Commands, goes: Option<Res<Goes>>| {
            let Some(stone) = goes else { return };
            let mut stone = commands.entity(stone.0);
            if is_despawned {
                stone.despawn();
            } else {
                stone.remove::<CircleCollider>();
            }
            commands.remove_resource::<Goes>();
        };
        app.add_systems(
            FixedPostUpdate,
            go.after(CollisionSystems::Detect)
                .before(CollisionSystems::Resolve),
        );
        app.insert_resource(Goes(stone));
        for _ in 0..2 {
            app.update();
            assert_eq!(partners(&app, plate), [other], "{is_despawned}");
            if !is_despawned {
                assert_eq!(partners(&app, stone), []);
            }
        }
    }
}

/// A filter that depends on the plugin's own explanation of the pair.
fn asks_why(In(pair): In<Pair>, world: &World) -> Verdict {
    if explain(world, pair.a, pair.b).collide() {
        Verdict::Ignore
    } else {
        Verdict::Collide
    }
}

#[test]
fn a_filter_that_asks_why_is_answered_without_filters() {
    let mut app = app();
    app.add_collision_filter(asks_why);
    let [a, b] = [0.0, 5.0].map(|x| dot(&mut app, x, Body::Kinematic));
    // Within the tick, the explanation knows neither of them yet.
    assert_eq!(tick(&mut app).len(), 1);
    // Afterwards the filter is told that they collide apart from filters; so it refuses them, each time.
    for _ in 0..2 {
        let why = explain(app.world(), a, b);
        assert!(
            matches!(why, Explanation::Filtered(name) if name.contains("asks_why")),
            "{why}"
        );
    }
}

/// What despawns is taken out at once, what is disabled in the next tick.
#[test]
fn who_is_disabled_stays_in_the_list_until_the_next_tick() {
    let mut app = app();
    let plate = (
        BoxCollider::new(20.0, 2.0),
        Sensor,
        CollidingWith::default(),
    );
    let plate = app.world_mut().spawn(plate).id();
    let [stone, ball] = [-4.0, 4.0].map(|x| {
        let one = (CircleCollider::new(3.0), at(x, 0.0));
        app.world_mut().spawn(one).id()
    });
    app.update();
    assert_eq!(partners(&app, plate), [stone, ball]);
    app.world_mut().despawn(stone);
    app.world_mut().entity_mut(ball).insert(ColliderDisabled);
    assert_eq!(partners(&app, plate), [ball]);
    app.update();
    assert_eq!(partners(&app, plate), []);
}
