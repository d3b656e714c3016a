//! Bullets: no collider is passed without a hit, and each hit is at the right place and time.

use bevy::{math::DVec2, prelude::*};
use bevy_nudge::{
    kernel::{Shape, cast_shape, separation},
    prelude::*,
};

use super::{TICKS_PER_SECOND, a_tick, moving_app};
use crate::common::{at, place, take, tick, wall};

/// Units a second.
const SPEED: f32 = 1.0e6;
/// The half size of the wall: it is 0.01 thick, and so short that its ends are hit, too.
const WALL: DVec2 = DVec2::new(0.005, 20.0);
/// The radius of the shots.
const RADIUS: f64 = 1.0;
/// A wall may be in the way by this much at its rounded ends without a hit, and far out by the rounding of places: that is how corners of flush tiles are passed.
const HAIR: f64 = 0.005;

/// What a shot should do, computed in f64. A moving circle against a wall is a moving point against the wall with a skin of the circle's radius: four sides and four corners, of which the first one that is entered counts.
struct Reference {
    /// The distance along the way, in units, and the normal out of the wall.
    hit: Option<(f64, DVec2)>,
    /// How far the way would have to be moved aside to miss the wall; negative if it already misses it.
    in_the_way: f64,
}

fn reference(from: DVec2, direction: DVec2, half: DVec2) -> Reference {
    let mut hits: Vec<(f64, DVec2)> = Vec::new();
    for normal in [DVec2::X, DVec2::NEG_X, DVec2::Y, DVec2::NEG_Y] {
        let speed = direction.dot(normal);
        let gap = from.dot(normal) - half.dot(normal.abs()) - RADIUS;
        let along = normal.perp().abs();
        let way = gap / -speed;
        let is_level = (from + direction * way).dot(along).abs() <= half.dot(along);
        if speed < 0.0 && way >= 0.0 && is_level {
            hits.push((way, normal));
        }
    }
    for corner in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        let from = from - half * DVec2::from(corner);
        // |from + direction * way| = radius, and the direction has length 1.
        let (b, c) = (from.dot(direction), from.length_squared() - RADIUS * RADIUS);
        let way = -b - (b * b - c).sqrt();
        if way >= 0.0 {
            hits.push((way, (from + direction * way) / RADIUS));
        }
    }
    let aside = direction.perp();
    Reference {
        hit: hits.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)),
        in_the_way: half.dot(aside.abs()) + RADIUS - from.dot(aside).abs(),
    }
}

/// Returns the gap between the shot and the wall.
fn gap(at: DVec2, half: DVec2) -> f64 {
    (at.abs() - half).max(DVec2::ZERO).length() - RADIUS
}

/// 100,000 shots from all around, at a vertical and a horizontal wall, near the origin and far from it.
///
/// How exact can it be? All coordinates relative to the wall are below 128, where floats have half a unit in the last place of 3.8e-6. From the places of both to the point of impact there are about eight
/// roundings (the difference of the centers, the gap, the division by the speed, the way to the box, its product and sum, and the same again at a corner), so the shot may be aside by `aside` = 8 * 3.8e-6. A
/// hit at a slant is early or late by that over the cosine; a hit at a round end by no more than the root of twice that, where the wall ends. The normal there turns by as much, as the radius is 1; and it is reported for where the shot is put, which far out depends
/// on the rounding of its coordinates in the world.
#[test]
fn no_shot_passes_a_thin_wall() {
    let aside = 8.0 * f64::from(f32::EPSILON) / 2.0 * 64.0;
    let mut random = fastrand::Rng::with_seed(9);
    let (mut hits, mut misses, mut corners) = (0, 0, 0);
    for (half, center) in [
        (WALL, Vec2::ZERO),
        (WALL.yx(), Vec2::ZERO),
        (WALL, Vec2::new(3000.0, -7000.0)),
        (WALL.yx(), Vec2::new(-1.0e5, 1.0e5)),
    ] {
        let mut app = moving_app();
        let size = half.as_vec2() * 2.0;
        let parts = (
            BoxCollider::new(size.x, size.y),
            Body::Static,
            at(center.x, center.y),
        );
        app.world_mut().spawn(parts);
        let half = (size * 0.5).as_dvec2();
        let shots: Vec<Entity> = (0..100)
            .map(|_| {
                let parts = (
                    CircleCollider::new(RADIUS as f32),
                    CollisionLayers::new(2, 1),
                    Velocity::default(),
                    Response::Stop,
                    at(center.x, center.y),
                );
                app.world_mut().spawn(parts).id()
            })
            .collect();
        for _ in 0..250 {
            let mut flights = Vec::new();
            for &shot in &shots {
                let (from, velocity) = loop {
                    let towards = half.as_vec2()
                        * 1.1
                        * Vec2::new(random.f32() - 0.5, random.f32() - 0.5)
                        * 2.0;
                    let direction = Vec2::from_angle(random.f32() * std::f32::consts::TAU);
                    let from = center + towards - direction * (2.0 + 98.0 * random.f32());
                    if gap((from - center).as_dvec2(), half) > 0.05 {
                        break (from, direction * SPEED);
                    }
                };
                let mut shot = app.world_mut().entity_mut(shot);
                shot.insert((at(from.x, from.y), Velocity(velocity)));
                flights.push((from, velocity));
            }
            let told = tick(&mut app);
            for (&shot, (from, velocity)) in shots.iter().zip(flights) {
                let way = velocity.as_dvec2() / f64::from(TICKS_PER_SECOND);
                let (direction, length) = (way.normalize(), way.length());
                let start = from.as_dvec2() - center.as_dvec2();
                let expected = reference(start, direction, half);
                let case = format!("from {start} by {way} against {half}");
                let hit = told.iter().find(|hit| hit.involves(shot));
                let end = place(&app, shot);
                let farthest = from.abs().max(center.abs()).max_element();
                let hair = HAIR.max(f64::from(4.0 * f32::EPSILON * farthest));
                // The spacing of floats at the shot's place.
                let coarse = f64::from(end.abs().max_element() * f32::EPSILON);
                let Some(hit) = hit else {
                    assert!(
                        expected.in_the_way < hair + aside,
                        "{case}: {} passed",
                        expected.in_the_way
                    );
                    let there = start + way - (end.as_dvec2() - center.as_dvec2());
                    assert!(
                        there.length() < 2.0 * coarse + 1.0e-3,
                        "{case}: {there} from where it flies"
                    );
                    misses += 1;
                    continue;
                };
                let (reach, normal) = expected.hit.expect("it is in the way");
                let cosine = -direction.dot(normal);
                let is_side = normal.x == 0.0 || normal.y == 0.0;
                assert!(
                    is_side || expected.in_the_way > hair - aside,
                    "{case}: there is nothing"
                );
                let late = if is_side {
                    aside / cosine
                } else {
                    (aside / cosine).min((2.0 * aside).sqrt()) + aside
                };
                let flown = f64::from(hit.time) * length;
                // The time is itself a float, of 15,625 units.
                let late = late + flown * f64::from(f32::EPSILON);
                assert!(
                    (flown - reach).abs() <= late,
                    "{case}: after {flown}, not {reach}, by {late}"
                );
                let touching = gap(start + direction * flown, half);
                assert!(
                    touching.abs() <= 2.0 * aside,
                    "{case}: {touching} from touching"
                );

                let told = -hit.normal_for(shot).expect("it is involved").as_dvec2();
                let turned = (told - normal).length();
                assert!(
                    turned <= late + aside + 2.0 * coarse,
                    "{case}: {told}, not {normal}, by {late}"
                );
                // It ends there, on its side of the wall.
                let end = end.as_dvec2() - center.as_dvec2();
                let there = (start + direction * reach - end).length();
                assert!(
                    there <= late + aside + 2.0 * coarse,
                    "{case}: ends at {end}"
                );
                assert!(
                    gap(end, half) > -2.0 * aside - coarse,
                    "{case}: ends at {end}"
                );
                hits += 1;
                corners += usize::from(!is_side);
            }
        }
    }
    assert_eq!(hits + misses, 100_000);
    assert!(
        hits > 90_000 && misses > 100 && corners > 5_000,
        "{hits} {misses} {corners}"
    );
}

/// Wherever a shot ends, its way there led through nothing, and it ends at what a cast against everything hits first.
#[test]
fn shots_among_many_stop_at_the_first() {
    let mut random = fastrand::Rng::with_seed(21);
    let mut app = moving_app();
    let half_of = |shape: Shape| shape.half_size();
    let mut level: Vec<(Shape, Vec2)> = Vec::new();
    for _ in 0..300 {
        let [x, y] = [0; 2].map(|_| (random.f32() - 0.5) * 1000.0);
        let size = 2.0 + random.f32() * 30.0;
        let mut body = app.world_mut().spawn((Body::Static, at(x, y)));
        let shape = match random.u32(0..3) {
            0 => Shape::circle(size),
            1 => Shape::rectangle(Vec2::new(size, size * 0.3)),
            _ => Shape::rounded_rectangle(Vec2::splat(size), size * 0.4),
        };
        let shape = shape.expect("valid");
        match shape.radius() == size {
            true => body.insert(CircleCollider::new(size)),
            false => {
                let full = (half_of(shape) + shape.radius()) * 2.0;
                let collider = BoxCollider::new(full.x, full.y);
                body.insert(collider.with_corner_radius(shape.radius()))
            }
        };
        level.push((shape, Vec2::new(x, y)));
    }
    let (mut met, mut passed) = (0, 0);
    for _ in 0..60 {
        let shots: Vec<(Entity, Shape, Vec2, Vec2)> = (0..40)
            .map(|_| {
                let [x, y] = [0; 2].map(|_| (random.f32() - 0.5) * 1000.0);
                let way = Vec2::from_angle(random.f32() * 6.3) * random.f32() * 800.0;
                let size = random.f32() * 4.0;
                let mut shot = app.world_mut().spawn((
                    at(x, y),
                    a_tick(way.x, way.y),
                    Response::Stop,
                    CollisionLayers::new(2, 1),
                ));
                let shape = if random.bool() {
                    shot.insert(CircleCollider::new(size));
                    Shape::circle(size)
                } else {
                    shot.insert(BoxCollider::square(size * 2.0));
                    Shape::rectangle(Vec2::splat(size))
                };
                (shot.id(), shape.expect("valid"), Vec2::new(x, y), way)
            })
            .collect();
        app.update();
        for (shot, shape, from, way) in shots {
            let to = place(&app, shot);
            app.world_mut().despawn(shot);
            let gap = |(other, center): &(Shape, Vec2), place: Vec2| {
                separation(*other, shape, place - *center)
            };
            // A shot that begins inside of something is pushed out first.
            if level.iter().any(|other| gap(other, from) < 0.01) {
                continue;
            }
            // Between where it would enter something and leave it again, however thin that is.
            for other in &level {
                let fraction = |from: Vec2, to: Vec2| {
                    let hit = cast_shape(shape, other.0, other.1 - from, to - from);
                    hit.map(|hit| hit.fraction)
                };
                let Some(enters) = fraction(from, to) else {
                    continue;
                };
                let leaves = 1.0 - fraction(to, from).unwrap_or(0.0);
                for step in 0..=100 {
                    let part = enters + (leaves - enters) * step as f32 / 100.0;
                    let gap = gap(other, from.lerp(to, part));
                    assert!(gap > -0.011, "{from} by {way} to {to}: {gap}");
                }
            }
            let first = level
                .iter()
                .filter_map(|(other, center)| cast_shape(shape, *other, *center - from, way))
                .map(|hit| hit.fraction)
                .min_by(f32::total_cmp);
            let expected = from + way * first.unwrap_or(1.0);
            let is_there = to.distance(expected) < 0.02;
            // Or it has passed a corner by less than the tolerance, and went on.
            let is_beyond = to.distance(from) > expected.distance(from);
            assert!(is_there || is_beyond, "{to} in place of {expected}");
            met += usize::from(is_there && first.is_some());
            passed += usize::from(!is_there);
        }
    }
    assert!(met > 1000, "{met}");
    assert!(passed < 10, "{passed} have passed a corner");
}

/// A wire has no inside: along it is no way into it.
#[test]
fn a_bead_runs_along_the_wire_that_it_is_on() {
    for (way, size) in [(Vec2::X, (100.0, 0.0)), (Vec2::NEG_Y, (0.0, 100.0))] {
        let mut app = moving_app();
        let wire = BoxCollider::new(size.0, size.1);
        app.world_mut().spawn((wire, Body::Static, at(0.0, 0.0)));
        let velocity = a_tick(way.x, way.y);
        let bead = (CircleCollider::new(0.0), velocity, at(0.0, 0.0));
        let bead = app.world_mut().spawn(bead).id();
        for ticks in 1..=3 {
            app.update();
            assert_eq!(place(&app, bead), way * ticks as f32);
            assert_eq!(app.world().get(bead), Some(&velocity));
        }
    }
}

/// With both in one place, each of the two has its own choice of the normal, left or right: the hit is reported whichever way the shot moves.
#[test]
fn a_shot_from_the_very_middle_of_a_turret_is_told_of() {
    for way in [Vec2::X, Vec2::NEG_X] {
        for is_sensor in [false, true] {
            let mut app = moving_app();
            let turret = (BoxCollider::square(10.0), Body::Kinematic);
            let turret = app
                .world_mut()
                .spawn((turret, Velocity::default(), at(0.0, 0.0)));
            let turret = turret.id();
            let velocity = Velocity(way * 50.0 * TICKS_PER_SECOND);
            let shot = (BoxCollider::square(2.0), velocity, at(0.0, 0.0));
            let mut shot = app.world_mut().spawn(shot);
            if is_sensor {
                shot.insert(Sensor);
            }
            let shot = shot.id();
            let hits = tick(&mut app);
            let is_told = hits.iter().any(|hit| hit.other(shot) == Some(turret));
            assert!(is_told, "{way}, sensor: {is_sensor}");
        }
    }
}

/// Whatever is behind the surface: a bullet that is a sensor or passes is reported where it came in, even if it ends the tick inside. After that tick, it is reported where it is.
#[test]
fn what_goes_in_is_told_where_it_came_in() {
    for thick in [1.0, 10.0, 25.0, 40.0, 100.0] {
        for passes in ["a sensor", "by its response", "by a filter"] {
            let mut app = moving_app();
            wall(&mut app, (0.0, -100.0), (thick, 100.0));
            let bullet = (CircleCollider::new(2.0), a_tick(50.0, 0.0), at(-20.0, 0.0));
            let mut bullet = app.world_mut().spawn(bullet);
            match passes {
                "a sensor" => _ = bullet.insert(Sensor),
                "by its response" => _ = bullet.insert(Response::Pass),
                _ => {}
            }
            let bullet = bullet.id();
            if passes == "by a filter" {
                app.add_collision_filter(|_: In<Pair>| Verdict::Respond(Response::Pass));
            }
            // It moves to 30, and meets the wall after 18 of 50.
            app.update();
            let case = format!("{thick} thick, {passes}");
            let started = take::<CollisionStarted>(&mut app);
            let told = started
                .iter()
                .map(|hit| (hit.time, hit.normal_for(bullet), hit.point));
            let told: Vec<_> = told.collect();
            assert_eq!(told, [(0.36, Some(Vec2::X), Vec2::ZERO)], "{case}");
            let ongoing = take::<Collision>(&mut app);
            assert_eq!(
                (ongoing[0].point, ongoing[0].depth),
                (Vec2::ZERO, 0.0),
                "{case}"
            );
            if thick == 100.0 {
                // At 80: 18 and 2 before the other side.
                app.update();
                let hit = take::<Collision>(&mut app)[0];
                let normal = hit.normal_for(bullet);
                assert_eq!((normal, hit.depth), (Some(Vec2::NEG_X), 22.0), "{case}");
            }
        }
    }
}

/// The same from the very surface, which it touches without being in it. Who was in it before, or has touched it in the last tick, is told where it is: 14 before the other side.
#[test]
fn what_goes_in_from_the_very_surface_is_told_where_it_came_in() {
    for touching in [Touching::Counts, Touching::Ignored] {
        for (from, was_there) in [(-2.0, false), (-2.0, true), (8.0, false)] {
            let mut app = moving_app();
            app.insert_resource(CollisionSettings {
                touching,
                ..default()
            });
            wall(&mut app, (0.0, -100.0), (60.0, 100.0));
            let shot = (BoxCollider::square(4.0), Sensor, at(from, 0.0));
            let shot = app.world_mut().spawn((shot, Velocity::default())).id();
            if was_there {
                app.update();
            }
            let case = format!("{touching:?}, from {from}, was there: {was_there}");
            let has_met = !take::<Collision>(&mut app).is_empty();
            let expected = was_there && touching == Touching::Counts;
            assert_eq!(has_met, expected, "{case}");
            let shot_at = a_tick(48.0 - from, 0.0);
            app.world_mut().entity_mut(shot).insert(shot_at);
            let told: Vec<_> = tick(&mut app)
                .iter()
                .map(|hit| (hit.time, hit.normal_for(shot), hit.depth))
                .collect();
            assert_eq!(place(&app, shot), Vec2::new(48.0, 0.0), "{case}");
            let expected = if has_met || from > 0.0 {
                (0.0, Some(Vec2::NEG_X), 14.0)
            } else {
                (0.0, Some(Vec2::X), 0.0)
            };
            assert_eq!(told, [expected], "{case}");
        }
    }
}

/// A room that moves over a ball at a wall crushes it in the same tick.
#[test]
fn who_is_met_by_the_wall_of_a_room_on_its_way_is_crushed_in_the_same_tick() {
    let mut app = moving_app();
    wall(&mut app, (-200.0, -100.0), (0.0, 100.0));
    let ball = (CircleCollider::new(5.0), Velocity::default(), at(5.0, 0.0));
    let ball = app.world_mut().spawn(ball).id();
    let room = (BoundsCollider::new(100.0, 100.0), Body::Kinematic);
    let room = (room, Velocity::default(), at(-30.0, 0.0));
    let room = app.world_mut().spawn(room).id();
    app.update();
    app.world_mut().entity_mut(room).insert(a_tick(-20.0, 0.0));
    take::<Crushed>(&mut app);
    app.update();
    let crushed = take::<Crushed>(&mut app);
    let told: Vec<_> = crushed.iter().map(|told| (told.entity, told.by)).collect();
    assert_eq!(told, [(ball, room)]);
}

/// A lift that moves into two tiles is reported with its final place.
#[test]
fn what_is_solid_and_goes_in_is_told_where_it_is() {
    let mut app = moving_app();
    let [_, right] = [10.0, 30.0].map(|x| {
        let tile = (BoxCollider::square(20.0), Body::Static, at(x, -10.0));
        app.world_mut().spawn(tile).id()
    });
    let lift = (BoxCollider::square(10.0), Body::Kinematic, at(8.0, 5.5));
    let lift = app.world_mut().spawn((lift, a_tick(10.0, -6.5))).id();
    app.update();
    let started = take::<CollisionStarted>(&mut app);
    let hit = started.iter().find(|hit| hit.involves(right)).unwrap();
    // At (18, -1): 3 beyond the left side, and 6 below the top.
    assert_eq!((hit.normal_for(lift), hit.depth), (Some(Vec2::X), 3.0));
}

/// The wall at the right is met a moment before the floor, and the floor is met harder.
#[test]
fn who_meets_two_walls_at_once_is_in_neither() {
    for rounds in [256, 0] {
        let mut app = moving_app();
        app.insert_resource(CollisionSettings {
            push_out_rounds: rounds,
            ..default()
        });
        wall(&mut app, (10.0, -50.0), (20.0, 50.0));
        wall(&mut app, (-50.0, -10.0), (50.0, 0.0));
        let body = (
            BoxCollider::square(2.0),
            Response::Stop,
            a_tick(16.0, -20.0),
            at(0.0, 12.253),
        );
        let body = app.world_mut().spawn(body).id();
        let met = tick(&mut app);
        let depths: Vec<f32> = met.iter().map(|met| met.depth).collect();
        let x = place(&app, body).x;
        assert!(x <= 9.0, "{rounds}: {x}");
        let deepest = depths.iter().copied().reduce(f32::max);
        let deepest = deepest.expect("it touches the wall");
        assert!(deepest < 1.0e-4, "{rounds}: {depths:?}");
    }
}

/// The wall is thinner than the way between two hits that count as one.
#[test]
fn no_shot_passes_a_thin_wall_where_that_stands_on_a_floor() {
    for response in [Response::Slide, Response::Stop, Response::bounce(1.0)] {
        let mut app = moving_app();
        wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
        let thin = (BoxCollider::new(0.001, 100.0), Body::Static, at(0.0, 40.0));
        app.world_mut().spawn(thin);
        let shot = (
            CircleCollider::new(0.0),
            response,
            a_tick(2.0, -2.2),
            at(-1.0, 1.10245),
        );
        let shot = app.world_mut().spawn(shot).id();
        app.update();
        let now = place(&app, shot);
        assert!(now.x <= -0.0005, "{response:?}: {now}");
    }
}

#[test]
fn a_light_shot_slows_who_comes_towards_it_and_a_sensor_does_not() {
    for (count, is_sensor, expected) in [
        (1, false, -63.0..0.0),
        (10, false, 0.0..3200.0),
        (10, true, -64.0..-63.9),
    ] {
        let mut app = moving_app();
        let walker = (CircleCollider::new(5.0), a_tick(-1.0, 0.0), at(20.0, 0.0));
        let walker = app.world_mut().spawn(walker).id();
        for number in 0..count {
            let shot = (CircleCollider::new(2.0), Mass(0.01), Response::Stop);
            let layers = CollisionLayers::on(1 << 3).without(1 << 3);
            let place = at(0.0, number as f32 * 0.1);
            let mut shot = app
                .world_mut()
                .spawn((shot, layers, a_tick(50.0, 0.0), place));
            if is_sensor {
                shot.insert(Sensor);
            }
        }
        app.update();
        let velocity = app.world().get::<Velocity>(walker).expect("it walks").0;
        assert!(
            expected.contains(&velocity.x),
            "{count}, {is_sensor}: {velocity}"
        );
    }
}
