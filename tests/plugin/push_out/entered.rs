//! A body that is pushed into a collider that does not push is reported with it in the same tick.

use bevy::prelude::*;
use bevy_nudge::prelude::*;
use fastrand::Rng;

use crate::common::{app, at, place, take, tick, wall};

/// Neither the plates nor the bumper push, as they are sensors: the block does, 2 deep.
#[test]
fn who_is_pushed_into_what_pushes_nobody_is_told_of_in_the_same_tick() {
    let plate = |app: &mut App, x: f32| {
        let plate = (BoxCollider::square(1.0), Sensor, Body::Static, at(x, 0.0));
        app.world_mut().spawn(plate).id()
    };
    // The crate reaches to 6 before it is pushed, and from 5 to 8 afterwards. One of the plates is met before, two are met then, and one is not met; with few plates and with many, as many are looked up in the index, and few are tested one by one.
    for more in [0, 10] {
        let mut app = app();
        let block = (BoxCollider::square(10.0), Body::Static);
        let block = app.world_mut().spawn(block).id();
        let plates = [5.75, 6.75, 8.25, 9.0].map(|x| plate(&mut app, x));
        for i in 0..more {
            plate(&mut app, 50.0 + i as f32 * 2.0);
        }
        let pushed = app
            .world_mut()
            .spawn((BoxCollider::square(3.0), at(4.5, 0.0)))
            .id();
        let bumper = (
            BoxCollider::new(2.0, 1.0),
            Sensor,
            at(3.0, 10.0),
            ChildOf(pushed),
        );
        let bumper = app.world_mut().spawn(bumper).id();
        // The crate ends at 6.5, and its bumper from 8.5 to 10.5, in the post, which does not give way.
        let post = wall(&mut app, (10.0, 0.0), (11.0, 20.0));
        let met: Vec<_> = tick(&mut app)
            .iter()
            .map(|met| (met.a, met.b, met.normal, met.depth, met.time))
            .collect();
        let expected = [
            (block, pushed, Vec2::X, 2.0, 1.0),
            (plates[0], pushed, Vec2::NEG_X, 0.75, 1.0),
            (plates[1], pushed, Vec2::NEG_X, 1.75, 1.0),
            (plates[2], pushed, Vec2::NEG_X, 0.25, 1.0),
            (bumper, post, Vec2::X, 0.5, 1.0),
        ];
        assert_eq!(place(&app, pushed), Vec2::new(6.5, 0.0));
        assert_eq!(met, expected);
        assert_eq!(take::<CollisionStarted>(&mut app).len(), 5);
        tick(&mut app);
        assert!(take::<CollisionStarted>(&mut app).is_empty());
    }
}

/// As above, but by filters: they let a body pass through a collider that is not a sensor.
#[test]
fn who_is_pushed_into_what_a_filter_lets_him_pass_is_told_of_in_the_same_tick() {
    for verdict in [Verdict::Respond(Response::Pass), Verdict::Ignore] {
        let mut app = app();
        let block = (BoxCollider::square(10.0), Body::Static);
        app.world_mut().spawn(block);
        let mist = (
            BoxCollider::square(1.0),
            CollisionTag(7),
            Body::Static,
            at(6.75, 0.0),
        );
        let mist = app.world_mut().spawn(mist).id();
        app.add_collision_filter(move |In(pair): In<Pair>, tags: Query<&CollisionTag>| {
            if tags.contains(pair.a) || tags.contains(pair.b) {
                verdict
            } else {
                Verdict::Collide
            }
        });
        let pushed = app
            .world_mut()
            .spawn((BoxCollider::square(3.0), at(4.5, 0.0)))
            .id();
        let met = tick(&mut app)
            .iter()
            .filter(|met| met.involves(mist))
            .count();
        assert_eq!(place(&app, pushed), Vec2::new(6.5, 0.0));
        assert_eq!(met, usize::from(verdict != Verdict::Ignore), "{verdict:?}");
    }
}

/// Moves an entity as a game does, by its transform.
fn move_by(app: &mut App, entity: Entity, way: Vec2) {
    let mut transform = app
        .world_mut()
        .get_mut::<Transform>(entity)
        .expect("it is somewhere");
    transform.translation += way.extend(0.0);
}

/// A player between a post and a plate. It touches both, but for one bit: 16.2 - 3.2 is a bit more than 13. In every other tick its game moves it into the post, which pushes it back.
#[test]
fn who_is_pushed_back_to_a_plate_that_it_is_flush_with_has_not_left_it() {
    for more in [0, 10] {
        let mut app = app();
        let post = (BoxCollider::square(10.0), Body::Static, at(-4.8, 0.0));
        app.world_mut().spawn(post);
        let plate = (BoxCollider::square(20.0), Sensor, Body::Static);
        let plate = app.world_mut().spawn((plate, at(16.2, 0.0))).id();
        // With many plates those around are looked up in the index.
        for i in 0..more {
            let far = (CircleCollider::new(1.0), Sensor, Body::Static);
            app.world_mut().spawn((far, at(0.0, 50.0 + i as f32)));
        }
        let player = (BoxCollider::square(6.0), at(2.2, 0.0));
        let player = app.world_mut().spawn(player).id();
        app.update();
        let there = place(&app, player);
        assert!((there.x - 3.2).abs() < 1.0e-5, "{there}");
        assert!(16.2 - there.x > 13.0, "it is flush, and does not touch");
        for number in 0..6 {
            take::<CollisionEnded>(&mut app);
            if number % 2 == 0 {
                move_by(&mut app, player, Vec2::NEG_X);
            }
            let case = format!("{more} more, tick {number}");
            let met = tick(&mut app);
            assert_eq!(place(&app, player), there, "{case}");
            assert!(met.iter().any(|one| one.involves(plate)), "{case}");
            assert_eq!(take::<CollisionEnded>(&mut app), [], "{case}");
        }
    }
}

/// As above, with a gap that is within the margin, and with one that is not.
#[test]
fn who_is_pushed_back_to_within_the_margin_of_a_plate_has_not_left_it() {
    for (margin, gap, rests) in [
        (0.01, 0.005, true),
        (0.01, 0.02, false),
        (0.5, 0.4, true),
        (0.5, 0.6, false),
    ] {
        for more in [0, 10] {
            let mut app = app();
            app.insert_resource(CollisionSettings {
                margin,
                ..default()
            });
            wall(&mut app, (-20.0, -10.0), (0.0, 10.0));
            let plate = (BoxCollider::square(10.0), Sensor, Body::Static);
            let plate = app.world_mut().spawn((plate, at(11.0, 0.0))).id();
            for i in 0..more {
                let far = (CircleCollider::new(1.0), Sensor, Body::Static);
                app.world_mut().spawn((far, at(0.0, 50.0 + i as f32)));
            }
            let player = (BoxCollider::square(6.0), at(3.0, 0.0));
            let player = app.world_mut().spawn(player).id();
            let case = format!("margin {margin}, gap {gap}, {more} more");
            assert_eq!(tick(&mut app).len(), 2, "{case}");
            move_by(&mut app, plate, Vec2::X * gap);
            move_by(&mut app, player, Vec2::NEG_X);
            let met = tick(&mut app);
            assert_eq!(place(&app, player), Vec2::new(3.0, 0.0), "{case}");
            let is_met = met.iter().any(|one| one.involves(plate));
            assert_eq!(is_met, rests, "{case}");
            // It has never met what it is near now.
            let new = (BoxCollider::square(10.0), Sensor, Body::Static);
            let new = app.world_mut().spawn((new, at(11.0 + gap, 0.0))).id();
            move_by(&mut app, player, Vec2::NEG_X);
            let met = tick(&mut app);
            assert!(!met.iter().any(|one| one.involves(new)), "{case}");
        }
    }
}

/// A room is pushed as a whole: what is inside of its opposite side may be outside of it then.
#[test]
fn who_is_left_outside_of_a_room_that_is_pushed_is_told_of_in_the_same_tick() {
    for others in [0, 20] {
        let mut app = app();
        // Far away from everything else.
        for i in 0..others {
            let far = (BoxCollider::square(1.0), Sensor, at(i as f32, 30.0));
            app.world_mut().spawn(far);
        }
        // The room ends at 50 on the right, and the circle reaches to 52: so the room is pushed to 2, and ends at -48 on the left.
        let room = (BoundsCollider::new(100.0, 100.0), Body::Dynamic);
        let room = app.world_mut().spawn(room).id();
        let pusher = (CircleCollider::new(1.0), Body::Kinematic, at(51.0, 0.0));
        let pusher = app.world_mut().spawn(pusher).id();
        let plate = (
            BoxCollider::square(2.0),
            Sensor,
            Body::Static,
            at(-48.0, 0.0),
        );
        let plate = app.world_mut().spawn(plate).id();
        let mut met: Vec<_> = tick(&mut app)
            .iter()
            .filter(|met| met.involves(room))
            .map(|met| {
                let other = if met.a == room { met.b } else { met.a };
                (other, met.normal_for(room).unwrap(), met.depth)
            })
            .collect();
        met.sort_by_key(|met| met.2.to_bits());
        assert_eq!(place(&app, room), Vec2::new(2.0, 0.0), "{others} others");
        let expected = [(plate, Vec2::X, 1.0), (pusher, Vec2::NEG_X, 2.0)];
        assert_eq!(met, expected, "{others} others");
    }
}

/// The same with a room that is a child of a body, and only reports.
#[test]
fn who_is_left_outside_of_the_room_of_a_body_that_is_pushed_is_told_of_in_the_same_tick() {
    let mut app = app();
    wall(&mut app, (-5.0, -5.0), (0.0, 5.0));
    // The body is pushed from 1 to 3. Its room then ends at -7 on the left and leaves out half of the post; before, it ended at 11 on the right, and left out the pole.
    let body = (BoxCollider::square(6.0), at(1.0, 0.0));
    let body = app.world_mut().spawn(body).id();
    let room = (BoundsCollider::new(20.0, 40.0), Sensor, ChildOf(body));
    let room = app.world_mut().spawn(room).id();
    let post = wall(&mut app, (-8.0, 10.0), (-6.0, 12.0));
    let pole = (CircleCollider::new(1.0), Body::Kinematic, at(12.0, -9.0));
    app.world_mut().spawn(pole);
    let met: Vec<_> = tick(&mut app)
        .iter()
        .filter(|met| met.involves(room))
        .map(|met| (met.involves(post), met.normal_for(room).unwrap(), met.depth))
        .collect();
    assert_eq!(place(&app, body), Vec2::new(3.0, 0.0));
    let expected = [(true, Vec2::X, 1.0), (false, Vec2::NEG_X, 2.0)];
    assert_eq!(met, expected);
}

/// A filter that lets all pairs collide changes nothing in the reports.
#[test]
fn a_filter_that_only_says_collide_changes_nothing() {
    let mut random = Rng::with_seed(7);
    let mut told = 0;
    for world in 0..60 {
        let seed = random.u64(..);
        let run = |has_filter: bool| {
            let mut app = app();
            if has_filter {
                app.add_collision_filter(|_: In<Pair>| Verdict::Collide);
            }
            let mut random = Rng::with_seed(seed);
            let mut spread = |size: f32| (random.f32() - 0.5) * size;
            let mut all = Vec::new();
            for i in 0..30 {
                let place = at(spread(40.0), spread(40.0));
                let one = (CircleCollider::new(2.0 + spread(2.0)), place);
                let mut one = app.world_mut().spawn(one);
                all.push(one.id());
                match i % 6 {
                    0 => one.insert(Sensor),
                    1 => one.insert((BoxCollider::square(4.0), Body::Static)),
                    2 => one.insert((OneWay::default(), Body::Static)),
                    3 => one.insert(Body::Kinematic),
                    _ => &mut one,
                };
            }
            // A filter is an entity too, so the colliders are compared by their numbers.
            let told = |met: &Collision| {
                let number = |entity| all.iter().position(|one| *one == entity);
                let who = (number(met.a), number(met.b));
                (who, met.normal, met.depth, met.point, met.time)
            };
            let ticks = (0..4).map(|_| tick(&mut app).iter().map(told).collect());
            ticks.collect::<Vec<Vec<_>>>()
        };
        let (with, without) = (run(true), run(false));
        assert_eq!(with, without, "world {world}");
        told += with.iter().map(Vec::len).sum::<usize>();
    }
    assert!(told > 1000, "{told}");
}
