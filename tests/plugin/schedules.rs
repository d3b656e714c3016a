//! A tick as a whole: what stops it, and what goes before and after it.

use bevy::prelude::*;
use bevy_nudge::{prelude::*, tiles::TileColliders};

use crate::common::{app, app_with, at, place, take, tick};

#[derive(Resource, Default)]
struct GoesOn(bool);

fn goes_on(goes_on: Res<GoesOn>) -> bool {
    goes_on.0
}

/// Each stage has something to do: a grid, a velocity, a pair, an overlap, and somebody who is told.
#[test]
fn a_condition_on_all_of_it_stops_every_stage() {
    let mut app = app();
    app.init_resource::<GoesOn>()
        .configure_sets(FixedPostUpdate, CollisionSystems::All.run_if(goes_on));
    let world = app.world_mut();
    let cells = [IVec2::new(100, 0), IVec2::new(101, 0)];
    let grid = TileColliders::from_cells(Vec2::splat(16.0), cells);
    let grid = world.spawn(grid).id();
    let velocity = Velocity(Vec2::new(64.0, 0.0)); // 1 in each tick
    let dot = world.spawn((CircleCollider::new(1.0), velocity, at(0.0, 0.0)));
    let dot = dot.id();
    // Its edge is at 8, and the wall's at 7.
    let told = CollidingWith::default();
    let sunk = (BoxCollider::square(4.0), told, at(6.0, 50.0));
    let sunk = world.spawn(sunk).id();
    let wall = (BoxCollider::square(10.0), Body::Static, at(12.0, 50.0));
    let wall = world.spawn(wall).id();
    #[derive(Resource, Default)]
    struct Heard(u32);
    world.init_resource::<Heard>();
    world
        .entity_mut(sunk)
        .observe(|_: On<CollisionStarted>, mut heard: ResMut<Heard>| heard.0 += 1);

    let state = |app: &mut App| {
        let world = app.world();
        let tiles = world.get::<Children>(grid).map_or(0, |tiles| tiles.len());
        let partners = world.get::<CollidingWith>(sunk).unwrap().to_vec();
        let heard = world.resource::<Heard>().0;
        let places = [dot, sunk].map(|body| place(app, body).x);
        let started = take::<CollisionStarted>(app).len();
        (tiles, places, partners, heard, started)
    };
    for _ in 0..3 {
        app.update();
        assert_eq!(state(&mut app), (0, [0.0, 6.0], vec![], 0, 0));
    }
    app.insert_resource(GoesOn(true));
    app.update();
    assert_eq!(state(&mut app), (1, [1.0, 5.0], vec![wall], 1, 1));
    app.insert_resource(GoesOn(false));
    app.update();
    assert_eq!(state(&mut app), (1, [1.0, 5.0], vec![wall], 1, 0));
    // Nothing is made up for: it goes on by one tick.
    app.insert_resource(GoesOn(true));
    app.update();
    assert_eq!(state(&mut app).1, [2.0, 5.0]);
}

#[derive(Component)]
struct Dot;

/// What a system saw: where the dot was, and how many were told to begin.
#[derive(Resource, Default)]
struct Seen(Vec<(&'static str, f32, usize)>);

fn see(
    who: &'static str,
) -> impl Fn(Single<&Transform, With<Dot>>, MessageReader<CollisionStarted>, ResMut<Seen>) {
    move |dot, mut started, mut seen| {
        let count = started.read().count();
        seen.0.push((who, dot.translation.x, count));
    }
}

fn put(mut dot: Single<&mut Transform, With<Dot>>) {
    dot.translation.x = 6.0;
}

#[test]
fn what_is_before_all_of_it_is_seen_and_what_is_after_sees_it() {
    for schedule in ["fixed", "every frame"] {
        // Added in the wrong order.
        let systems = (
            see("after").after(CollisionSystems::All),
            (put, see("before")).chain().before(CollisionSystems::All),
        );
        let mut app = if schedule == "fixed" {
            let mut app = app();
            app.add_systems(FixedPostUpdate, systems);
            app
        } else {
            let mut app = app_with(CollisionPlugin::new(Update));
            app.add_systems(Update, systems);
            app
        };
        app.init_resource::<Seen>();
        let world = app.world_mut();
        world.spawn((Dot, BoxCollider::square(4.0), at(-50.0, 0.0)));
        // Its edge is at 7: who is put to 6 is pushed back to 5.
        world.spawn((BoxCollider::square(10.0), Body::Static, at(12.0, 0.0)));
        app.update();
        let expected = [("before", 6.0, 0), ("after", 5.0, 1)];
        assert_eq!(app.world().resource::<Seen>().0, expected, "{schedule}");
    }
}

/// A wall, a door that has come too near to it, and a ball between them.
fn crushed_ball() -> (impl Bundle, impl Bundle, impl Bundle) {
    let wall = (BoxCollider::new(10.0, 100.0), Body::Static, at(15.0, 0.0));
    let door = (
        BoxCollider::new(10.0, 100.0),
        Body::Kinematic,
        at(-9.0, 0.0),
    );
    (wall, door, (CircleCollider::new(8.0), at(2.0, 0.0)))
}

/// Who was crushed in the last tick that pushed is not crushed for ever in a game that pushes no more, and nobody else is in his place.
#[test]
fn who_was_crushed_is_not_told_again_while_nothing_is_pushed() {
    let mut app = app();
    app.insert_resource(GoesOn(true))
        .configure_sets(FixedPostUpdate, CollisionSystems::Resolve.run_if(goes_on));
    let world = app.world_mut();
    let (wall, door, ball) = crushed_ball();
    world.spawn(wall);
    let door = world.spawn(door).id();
    let ball = world.spawn(ball).id();
    app.update();
    let crushed: Vec<Entity> = take::<Crushed>(&mut app)
        .iter()
        .map(|one| one.entity)
        .collect();
    assert_eq!(crushed, [ball]);

    app.insert_resource(GoesOn(false));
    app.world_mut().despawn(door);
    app.update();
    assert_eq!(take::<Crushed>(&mut app), []);
    app.world_mut().despawn(ball);
    app.update();
    app.world_mut()
        .spawn((CircleCollider::new(2.0), at(500.0, 0.0)));
    app.update();
    assert_eq!(take::<Crushed>(&mut app), []);
}

/// What nobody looks for is not known: all that collided ends, once, whatever becomes of it, and begins when somebody looks again.
#[test]
fn collisions_end_once_while_nothing_is_detected() {
    let mut app = app();
    app.insert_resource(GoesOn(true))
        .configure_sets(FixedPostUpdate, CollisionSystems::Detect.run_if(goes_on));
    let sensor = (Sensor, BoxCollider::square(4.0), Body::Static);
    app.world_mut().spawn(sensor);
    app.world_mut()
        .spawn((CircleCollider::new(1.0), Body::Kinematic));
    let tell = |app: &mut App| {
        let going_on = tick(app).len();
        let started = take::<CollisionStarted>(app).len();
        (going_on, started, take::<CollisionEnded>(app).len())
    };
    assert_eq!(tell(&mut app), (1, 1, 0));
    assert_eq!(tell(&mut app), (1, 0, 0));
    let late = app.world_mut().spawn(sensor).id();
    assert_eq!(tell(&mut app), (2, 1, 0));
    app.insert_resource(GoesOn(false));
    assert_eq!(tell(&mut app), (0, 0, 2));
    for number in 0..6 {
        if number == 2 {
            app.world_mut().despawn(late);
        }
        assert_eq!(tell(&mut app), (0, 0, 0), "{number}");
    }
    app.insert_resource(GoesOn(true));
    assert_eq!(tell(&mut app), (1, 1, 0));
}

/// Nor is anybody pushed: where all are is not known.
#[test]
fn nobody_is_crushed_while_nothing_is_detected() {
    for resolves in [true, false] {
        let mut app = app();
        let (wall, door, ball) = crushed_ball();
        app.insert_resource(GoesOn(true))
            .configure_sets(FixedPostUpdate, CollisionSystems::Detect.run_if(goes_on));
        if !resolves {
            let set = CollisionSystems::Resolve.run_if(goes_on);
            app.configure_sets(FixedPostUpdate, set);
        }
        app.world_mut().spawn(wall);
        app.world_mut().spawn(door);
        let ball = app.world_mut().spawn(ball).id();
        app.update();
        assert_eq!(take::<Crushed>(&mut app).len(), 1);
        app.insert_resource(GoesOn(false));
        *app.world_mut().get_mut::<Transform>(ball).unwrap() = at(2.0, 0.0);
        for _ in 0..4 {
            app.update();
            assert_eq!(take::<Crushed>(&mut app), []);
            assert_eq!(place(&app, ball), Vec2::new(2.0, 0.0));
        }
    }
}
