//! A mover's collisions with what it passes within a tick are reported, even if it is elsewhere when the tick detects.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_nudge::{memory::CollisionMemory, prelude::*, query::Moved, tiles::TileColliders};

use crate::common::{app, at, place, take, tick, wall};

/// Spawns a box of 16.
fn hero(app: &mut App, x: f32, y: f32) -> Entity {
    let hero = (BoxCollider::square(16.0), Body::Kinematic, at(x, y));
    app.world_mut().spawn(hero).id()
}

/// Spawns a circle with a diameter of 4.
fn coin(app: &mut App, x: f32, y: f32) -> Entity {
    let coin = (CircleCollider::new(2.0), Sensor, at(x, y));
    app.world_mut().spawn(coin).id()
}

fn dash_with(app: &mut App, hero: Entity, motion: (f32, f32), options: MoveOptions) -> Moved {
    let dash = move |mover: Mover, mut transforms: Query<&mut Transform>| {
        let mut transform = transforms.get_mut(hero).ok()?;
        mover.move_and_slide(hero, &mut transform, motion.into(), &options)
    };
    let moved = app.world_mut().run_system_once(dash).expect("it runs");
    moved.expect("it is a body")
}

fn dash(app: &mut App, hero: Entity, motion: (f32, f32)) -> Moved {
    dash_with(app, hero, motion, MoveOptions::default())
}

/// Runs a tick, and returns the second collider of each pair that starts, and of each that ends.
fn tell(app: &mut App) -> (Vec<Entity>, Vec<Entity>) {
    app.update();
    let started = take::<CollisionStarted>(app)
        .iter()
        .map(|one| one.b)
        .collect();
    let ended = take::<CollisionEnded>(app)
        .iter()
        .map(|one| one.b)
        .collect();
    (started, ended)
}

#[test]
fn a_dash_over_a_coin_is_told_where_it_met_it() {
    for body in [Body::Dynamic, Body::Static] {
        let mut app = app();
        let hero = hero(&mut app, 0.0, 0.0);
        let coin = coin(&mut app, 30.0, 0.0);
        app.world_mut().entity_mut(coin).insert(body);
        assert_eq!(tell(&mut app), (vec![], vec![]));

        // The sides meet when the hero is at 20 of 80.
        dash(&mut app, hero, (80.0, 0.0));
        app.update();
        let [met] = take::<CollisionStarted>(&mut app)[..] else {
            panic!("told once");
        };
        assert_eq!((met.a, met.b), (hero, coin));
        assert_eq!((met.normal, met.time), (Vec2::X, 0.25));
        assert_eq!((met.point, met.depth), (Vec2::new(28.0, 0.0), 0.0));
        assert_eq!(place(&app, hero), Vec2::new(80.0, 0.0));
        assert_eq!(tell(&mut app), (vec![], vec![coin]));
        assert_eq!(tell(&mut app), (vec![], vec![]));
    }
}

#[test]
fn what_is_aside_or_behind_a_wall_is_not_told() {
    let mut app = app();
    let hero = hero(&mut app, 0.0, 8.0);
    wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
    let right = wall(&mut app, (50.0, 0.0), (60.0, 100.0));
    coin(&mut app, 30.0, 20.0); // 2 above the hero's head
    coin(&mut app, 70.0, 8.0); // behind the wall
    coin(&mut app, -20.0, 8.0);
    tell(&mut app);
    dash(&mut app, hero, (90.0, 0.0));
    assert_eq!(tell(&mut app), (vec![right], vec![]));
    assert_eq!(place(&app, hero), Vec2::new(42.0, 8.0));
}

#[test]
fn the_way_that_it_went_counts_and_not_the_straight_one() {
    // 12 down and 12 across, then 48 along the floor: the straight line to the end would pass the first coin, and not the second.
    let mut app = app();
    let hero = hero(&mut app, 0.0, 20.0);
    let floor = wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
    let above = coin(&mut app, 30.0, 20.0);
    let below = coin(&mut app, 26.0, 3.0);
    tell(&mut app);
    let moved = dash(&mut app, hero, (60.0, -60.0));
    assert_eq!(moved.position, Vec2::new(60.0, 8.0));
    let (started, _) = tell(&mut app);
    assert!(!started.contains(&above), "the hero passed below it");
    assert_eq!(
        started,
        [below, floor],
        "sorted by time, the floor at the end"
    );

    // Up a step and over it: there is a coin over the step, and one in the air in front of it.
    let step = wall(&mut app, (80.0, 0.0), (100.0, 5.0));
    let before = coin(&mut app, 75.0, 19.0); // above the hero's head until it has stepped up
    let over = coin(&mut app, 84.0, 15.0);
    tell(&mut app);
    let stepping = MoveOptions {
        step_height: 6.0,
        ..default()
    };
    let moved = dash_with(&mut app, hero, (40.0, 0.0), stepping);
    assert_eq!(moved.position, Vec2::new(100.0, 13.0));
    let (started, _) = tell(&mut app);
    assert_eq!(started, [before, over, step]);
}

#[test]
fn several_motions_are_one_way_and_trials_are_none() {
    let mut app = app();
    let hero = hero(&mut app, 0.0, 0.0);
    let [first, second, _] = [20.0, 60.0, 95.0].map(|x| coin(&mut app, x, 0.0));
    tell(&mut app);
    // It meets the first after 10 of 40, and the second after 50 of 80; and the first one again, on the second way.
    dash(&mut app, hero, (40.0, 0.0));
    dash(&mut app, hero, (40.0, 0.0));
    app.update();
    let told = take::<CollisionStarted>(&mut app);
    let told: Vec<_> = told.iter().map(|met| (met.b, met.time)).collect();
    assert_eq!(told, [(first, 0.125), (second, 0.625)]);
    assert_eq!(tell(&mut app), (vec![], vec![first, second]));

    // Only a copy of the hero's `Transform` was moved over the third coin.
    let trial = move |mover: Mover, transforms: Query<&Transform>| {
        let mut copy = *transforms.get(hero).expect("it is there");
        let moved = mover.move_and_slide(
            hero,
            &mut copy,
            Vec2::new(40.0, 0.0),
            &MoveOptions::default(),
        );
        moved.map(|moved| moved.position)
    };
    let tried = app.world_mut().run_system_once(trial).expect("it runs");
    assert_eq!(tried, Some(Vec2::new(120.0, 0.0)));
    dash(&mut app, hero, (0.0, 40.0));
    assert_eq!(tell(&mut app), (vec![], vec![]));
    app.world_mut().run_system_once(trial).expect("it runs");
    assert_eq!(tell(&mut app), (vec![], vec![]), "only the copy has moved");
    // A move also does not count if the game then puts the body elsewhere.
    dash(&mut app, hero, (0.0, -40.0));
    dash(&mut app, hero, (40.0, 0.0));
    app.world_mut().entity_mut(hero).insert(at(-50.0, 0.0));
    assert_eq!(tell(&mut app), (vec![], vec![]));
}

#[test]
fn what_may_not_collide_is_not_told_and_parts_tell_too() {
    let mut app = app();
    let hero = app
        .world_mut()
        .spawn((Body::Kinematic, BoxCollider::square(16.0), at(0.0, 0.0)))
        .with_child((CircleCollider::new(1.0), Sensor, at(0.0, 20.0)))
        .id();
    let hand = app.world().get::<Children>(hero).expect("it has one")[0];
    let ignored = coin(&mut app, 30.0, 0.0);
    app.world_mut()
        .entity_mut(hero)
        .insert(IgnoreCollisions::with(ignored));
    let elsewhere = coin(&mut app, 40.0, 0.0);
    app.world_mut()
        .entity_mut(elsewhere)
        .insert(CollisionLayers::new(2, 2));
    let refused = coin(&mut app, 50.0, 0.0);
    app.add_collision_filter(move |In(pair): In<Pair>| {
        if [pair.a, pair.b].contains(&refused) {
            Verdict::Ignore
        } else {
            Verdict::Collide
        }
    });
    let above = coin(&mut app, 30.0, 20.0);
    // The hand, which only reports, passes the wall; the hero does not touch it.
    let bar = wall(&mut app, (60.0, 15.0), (62.0, 25.0));
    let gone = coin(&mut app, 20.0, 0.0);
    tell(&mut app);
    dash(&mut app, hero, (100.0, 0.0));
    app.world_mut().despawn(gone);
    app.update();
    // Sorted by time.
    let told = take::<CollisionStarted>(&mut app);
    let told: Vec<_> = told.iter().map(|met| (met.a, met.b)).collect();
    assert_eq!(told, [(hand, above), (hand, bar)]);
}

#[test]
fn who_ends_in_it_has_met_it_on_the_way() {
    let mut app = app();
    let hero = hero(&mut app, 0.0, 0.0);
    let coin = coin(&mut app, 30.0, 0.0);
    tell(&mut app);
    dash(&mut app, hero, (40.0, 0.0));
    app.update();
    let [met] = take::<CollisionStarted>(&mut app)[..] else {
        panic!("told once");
    };
    assert_eq!((met.b, met.time, met.depth), (coin, 0.5, 0.0));
    // Further into the coin and out of it: the start was already reported.
    dash(&mut app, hero, (5.0, 0.0));
    dash(&mut app, hero, (40.0, 0.0));
    assert_eq!(tell(&mut app), (vec![], vec![coin]));
    // Back over the coin, and to it again.
    dash(&mut app, hero, (-85.0, 0.0));
    dash(&mut app, hero, (25.0, 0.0));
    assert_eq!(tell(&mut app), (vec![coin], vec![]));
}

#[test]
fn a_ledge_that_is_jumped_through_is_told() {
    let mut app = app();
    let hero = hero(&mut app, 0.0, 0.0);
    let ledge = wall(&mut app, (-20.0, 20.0), (20.0, 22.0));
    app.world_mut().entity_mut(ledge).insert(OneWay::default());
    tell(&mut app);
    dash(&mut app, hero, (0.0, 60.0));
    assert_eq!(tell(&mut app), (vec![ledge], vec![]));
    assert_eq!(tell(&mut app), (vec![], vec![ledge]));
}

#[test]
fn under_a_parent_and_while_no_tick_passes() {
    let mut app = app();
    let level = app
        .world_mut()
        .spawn((at(100.0, 0.0), Visibility::default()))
        .id();
    let hero = hero(&mut app, 0.0, 0.0);
    app.world_mut().entity_mut(level).add_child(hero);
    let coin = coin(&mut app, 130.0, 0.0);
    tell(&mut app);
    for _ in 0..1000 {
        dash(&mut app, hero, (80.0, 0.0));
        dash(&mut app, hero, (-80.0, 0.0));
    }
    // As by sorting sprites by y.
    let mut transform = app
        .world_mut()
        .get_mut::<Transform>(hero)
        .expect("it is there");
    transform.translation.z = 3.0;
    assert_eq!(tell(&mut app), (vec![coin], vec![]));
    assert_eq!(tell(&mut app), (vec![], vec![coin]));
}

/// Runs a tick, and counts the collisions that start, are ongoing, and end.
fn count(app: &mut App) -> (usize, usize, usize) {
    let going_on = tick(app).len();
    let started = take::<CollisionStarted>(app).len();
    let ended = take::<CollisionEnded>(app).len();
    (started, going_on, ended)
}

/// As with a `Velocity`: a hero that passes it again in the next tick has not left it.
#[test]
fn who_crosses_it_in_each_tick_meets_it_in_each() {
    let mut app = app();
    let hero = hero(&mut app, 0.0, 0.0);
    let line = (BoxCollider::new(1.0, 100.0), Sensor, at(50.0, 0.0));
    app.world_mut().spawn(line);
    tell(&mut app);
    let ways = [100.0, -100.0, 100.0, 0.0, 0.0];
    let told = ways.map(|way| {
        dash(&mut app, hero, (way, 0.0));
        count(&mut app)
    });
    let expected = [(1, 1, 0), (0, 1, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)];
    assert_eq!(told, expected);
}

/// If the hero begins in the coin and only leaves it, its collision ends; if it first goes deeper, or comes back, the collision is ongoing in this tick.
#[test]
fn who_begins_in_it_is_told_as_by_a_velocity() {
    for (from, ways, expected) in [
        (3.0, &[50.0][..], (0, 0, 1)),
        (-3.0, &[50.0], (0, 1, 0)),
        (3.0, &[50.0, -100.0], (0, 1, 0)),
        (-3.0, &[50.0, -100.0], (0, 1, 0)),
        (3.0, &[2.0, 3.0, 50.0], (0, 0, 1)),
    ] {
        let mut app = app();
        let hero = hero(&mut app, from, 0.0);
        coin(&mut app, 0.0, 0.0);
        assert_eq!(count(&mut app), (1, 1, 0));
        assert_eq!(count(&mut app), (0, 1, 0));
        for &way in ways {
            dash(&mut app, hero, (way, 0.0));
        }
        assert_eq!(count(&mut app), expected, "from {from}, by {ways:?}");

        if let [way] = *ways {
            let mut app = self::app();
            let hero = self::hero(&mut app, from, 0.0);
            coin(&mut app, 0.0, 0.0);
            app.update();
            app.update();
            let velocity = Velocity(Vec2::new(way * 64.0, 0.0));
            app.world_mut().entity_mut(hero).insert(velocity);
            assert_eq!(count(&mut app), expected, "from {from}, by a velocity");
        }
    }
    // It is put into the coin and gone again in the same tick: until then nothing was reported.
    let mut app = app();
    let hero = hero(&mut app, -80.0, 0.0);
    coin(&mut app, 0.0, 0.0);
    tell(&mut app);
    app.world_mut().entity_mut(hero).insert(at(3.0, 0.0));
    dash(&mut app, hero, (50.0, 0.0));
    assert_eq!(count(&mut app), (1, 1, 0));
    assert_eq!(count(&mut app), (0, 0, 1));
}

/// The hero meets the coin when it is at 20 of 80; and the coin, which flies after it by 60, meets the hero once more when it is at 40 of 60.
#[test]
fn who_is_met_on_both_ways_is_met_at_the_first_time() {
    let mut app = app();
    app.insert_resource(Time::<Fixed>::from_hz(64.0));
    let hero = hero(&mut app, 0.0, 0.0);
    let coin = coin(&mut app, 30.0, 0.0);
    tell(&mut app);
    let flies = Velocity(Vec2::new(60.0 * 64.0, 0.0));
    app.world_mut().entity_mut(coin).insert(flies);
    dash(&mut app, hero, (80.0, 0.0));
    app.update();
    let told = take::<CollisionStarted>(&mut app);
    let told: Vec<_> = told.iter().map(|met| (met.b, met.time)).collect();
    assert_eq!(told, [(coin, 0.25)]);
}

/// The hero, 16 wide, is in the coin when the tick before ends, and again when this one does: it has not gone in anew, and the way out to the left is 5 and the coin's 2 long.
#[test]
fn who_comes_back_into_it_is_as_deep_in_it_as_it_is() {
    let mut app = app();
    let hero = hero(&mut app, 0.0, 0.0);
    coin(&mut app, 3.0, 0.0);
    assert_eq!(tick(&mut app).len(), 1);
    dash(&mut app, hero, (-40.0, 0.0));
    dash(&mut app, hero, (40.0, 0.0));
    let met = tick(&mut app);
    assert_eq!(met.len(), 1);
    assert_eq!((met[0].normal, met[0].depth), (Vec2::X, 7.0));
}

/// The crate jumps through a coin, and is back on the floor when the hero pushes it: that changes nothing in what it has passed.
#[test]
fn who_is_pushed_after_its_own_way_has_gone_that_way() {
    let mut app = app();
    let hero = hero(&mut app, 0.0, 0.0);
    let crate_ = (BoxCollider::square(16.0), at(20.0, 0.0));
    let crate_ = app.world_mut().spawn(crate_).id();
    let coin = coin(&mut app, 20.0, 30.0);
    tell(&mut app);
    dash(&mut app, crate_, (0.0, 50.0));
    dash(&mut app, crate_, (0.0, -50.0));
    let pushing = MoveOptions {
        push_layers: u32::MAX,
        ..default()
    };
    let moved = dash_with(&mut app, hero, (10.0, 0.0), pushing);
    assert_eq!(moved.pushed, [(crate_, Vec2::new(6.0, 0.0))]);
    let (started, _) = tell(&mut app);
    assert_eq!(place(&app, crate_), Vec2::new(26.0, 0.0));
    assert!(started.contains(&coin), "{started:?}");
}

/// A hero that pushes knows where movers have gone since; but what it passes is told by the tick, which has seen the coin on the other one's back in the way.
#[test]
fn what_goes_along_with_a_mover_is_passed_where_the_tick_has_seen_it() {
    let mut app = app();
    let hero = hero(&mut app, 0.0, 0.0);
    let porter = (BoxCollider::square(4.0), Body::Kinematic, at(30.0, -40.0));
    let porter = app.world_mut().spawn(porter).id();
    let coin = (CircleCollider::new(2.0), Sensor, at(0.0, 40.0));
    let coin = app.world_mut().spawn((coin, ChildOf(porter))).id();
    tell(&mut app);
    dash(&mut app, porter, (0.0, -30.0));
    let pushing = MoveOptions {
        push_layers: u32::MAX,
        ..default()
    };
    dash_with(&mut app, hero, (80.0, 0.0), pushing);
    let (started, _) = tell(&mut app);
    assert_eq!(started, [coin]);
}

#[test]
fn what_was_passed_before_the_world_was_put_back_is_not_told() {
    let mut app = app();
    let hero = hero(&mut app, 0.0, 0.0);
    coin(&mut app, 30.0, 0.0);
    tell(&mut app);
    let memory = CollisionMemory::of(app.world());
    dash(&mut app, hero, (60.0, 0.0));
    app.world_mut().entity_mut(hero).insert(at(0.0, 0.0));
    memory.restore(app.world_mut());
    // By chance to where the undone way led.
    app.world_mut().entity_mut(hero).insert(at(60.0, 0.0));
    assert_eq!(tell(&mut app), (vec![], vec![]));
}

/// As for a mover that runs in `Update`, with the memory taken before the next tick.
#[test]
fn what_was_passed_when_the_world_was_remembered_is_told_again() {
    let mut app = app();
    let hero = hero(&mut app, 0.0, 0.0);
    let coin = coin(&mut app, 30.0, 0.0);
    tell(&mut app);
    dash(&mut app, hero, (60.0, 0.0));
    let memory = CollisionMemory::of(app.world());
    assert_eq!(tell(&mut app), (vec![coin], vec![]));
    assert_eq!(tell(&mut app), (vec![], vec![coin]));
    for _ in 0..2 {
        memory.restore(app.world_mut());
        assert_eq!(tell(&mut app), (vec![coin], vec![]));
        assert_eq!(tell(&mut app), (vec![], vec![coin]));
    }
}

/// A row of water, one cell of which dries up in the frame of a dive: the rest is another box.
#[test]
fn what_was_passed_is_told_though_it_has_been_merged_anew() {
    // The diver goes down at x = 5, through the first cell, or begins there.
    let cases = [
        ("another one dries up", 20.0, 2, true),
        ("the one that it met dries up", 20.0, 0, false),
        ("it begins in it", 5.0, 2, false),
    ];
    // On the ground, and on a raft.
    let kinds = [Body::Static, Body::Kinematic];
    let cases = kinds
        .into_iter()
        .flat_map(|kind| cases.map(|case| (kind, case)));
    for (kind, (case, from, dried, is_told)) in cases {
        let case = format!("{case}, {kind:?}");
        let mut app = app();
        let cells = (0..3).map(|x| IVec2::new(x, 0));
        let water = TileColliders::from_cells(Vec2::splat(10.0), cells);
        let water = app.world_mut().spawn((water, kind, Sensor)).id();
        let diver = (CircleCollider::new(1.0), Body::Kinematic, at(5.0, from));
        let diver = app.world_mut().spawn(diver).id();
        app.update();
        let began = take::<CollisionStarted>(&mut app).len();
        assert_eq!(began, usize::from(from == 5.0), "{case}");

        dash(&mut app, diver, (0.0, -10.0 - from));
        let mut tiles = app.world_mut().get_mut::<TileColliders>(water).unwrap();
        tiles.set(IVec2::new(dried, 0), false);
        app.update();
        let started = take::<CollisionStarted>(&mut app);
        assert_eq!(started.len(), usize::from(is_told), "{case}");
        for met in started {
            // The lower edge of the circle meets the water's surface after 9 of 30.
            let met = Collision::from(met).seen_from(diver).unwrap();
            assert_eq!(met.body_b, water, "{case}");
            assert_eq!((met.normal, met.depth), (Vec2::NEG_Y, 0.0), "{case}");
            assert_eq!((met.point, met.time), (Vec2::new(5.0, 10.0), 0.3), "{case}");
        }
        assert_eq!(take::<CollisionEnded>(&mut app).len(), began, "{case}");
        app.update();
        let told = take::<CollisionStarted>(&mut app).len();
        let ended = take::<CollisionEnded>(&mut app).len();
        assert_eq!((told, ended), (0, usize::from(is_told)), "{case}");
    }
}

/// The diver begins in the first of two cells, and goes on through the second one, which dries up: where it met that one, it was still in the first one, and has left that.
#[test]
fn who_passes_a_cell_that_is_gone_has_met_no_other_anew() {
    let mut app = app();
    let cells = (0..2).map(|x| IVec2::new(x, 0));
    let mut water = TileColliders::from_cells(Vec2::splat(10.0), cells);
    water.set_alone(IVec2::new(1, 0), true);
    let water = app.world_mut().spawn((water, Sensor)).id();
    let diver = (CircleCollider::new(1.0), Body::Kinematic, at(7.0, 5.0));
    let diver = app.world_mut().spawn(diver).id();
    app.update();
    assert_eq!(take::<CollisionStarted>(&mut app).len(), 1);
    dash(&mut app, diver, (30.0, 0.0));
    let mut tiles = app.world_mut().get_mut::<TileColliders>(water).unwrap();
    tiles.set(IVec2::new(1, 0), false);
    app.update();
    assert_eq!(take::<CollisionStarted>(&mut app), []);
    assert_eq!(take::<CollisionEnded>(&mut app).len(), 1);
}
