//! The same crowd in rooms whose walls are of one box each, and of tiles: the results are the same.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use crate::common::{app, at, place, take, tick};

/// The number of boxes in each wall: one, and two kinds of tiles.
const PARTS: [usize; 3] = [1, 8, 16];
/// The number of crowds that each test compares.
const ROOMS: usize = 150;
/// The same body in each of the rooms.
type Twins = [Entity; PARTS.len()];

/// Spawns the four walls of a room from (0, 0) to (128, 128).
fn build_walls(app: &mut App, parts: usize) {
    let width = 128.0 / parts as f32;
    for number in 0..parts {
        let middle = width * (number as f32 + 0.5);
        for (place, size) in [
            ((middle, -8.0), (width, 16.0)),
            ((middle, 136.0), (width, 16.0)),
            ((-8.0, middle), (16.0, width)),
            ((136.0, middle), (16.0, width)),
        ] {
            let tile = BoxCollider::new(size.0, size.1);
            app.world_mut()
                .spawn((tile, Body::Static, at(place.0, place.1)));
        }
    }
}

/// Spawns boxes and circles on the floor, often with their edges over those of tiles.
fn crowd(random: &mut fastrand::Rng, apps: &mut [App], kinematic_part: f32) -> Vec<Twins> {
    let count = random.usize(1..5);
    let mut bodies = Vec::new();
    for _ in 0..count {
        let size = [8.0, 16.0, 16.0, 16.0, 12.0, 21.0][random.usize(0..6)];
        let is_round = random.u32(0..4) == 0;
        let is_kinematic = random.f32() < kinematic_part;
        let from = random.u32(1..15) as f32 * 8.0 + [0.0, 0.0, 1.5][random.usize(0..3)];
        let x = from.clamp(size * 0.5, 128.0 - size * 0.5);
        let mut twin = |world: usize| {
            let body = if is_kinematic {
                Body::Kinematic
            } else {
                Body::Dynamic
            };
            let mut entity = apps[world].world_mut().spawn((body, at(x, size * 0.5)));
            if is_round {
                entity.insert(CircleCollider::new(size * 0.5));
            } else {
                entity.insert(BoxCollider::square(size));
            }
            entity.id()
        };
        bodies.push([twin(0), twin(1), twin(2)]);
    }
    bodies
}

/// Returns a step along the floor, mostly one that keeps edges aligned, and into the floor.
fn step(random: &mut fastrand::Rng) -> Vec2 {
    let along = match random.u32(0..4) {
        0 => 0.0,
        1 => random.f32() * 4.0 - 2.0,
        _ => random.u32(0..9) as f32 * 0.5 - 2.0,
    };
    Vec2::new(along, [0.0, -0.25, -0.25, -1.0][random.usize(0..4)])
}

fn is_dynamic(app: &App, body: Entity) -> bool {
    app.world().get::<Body>(body) == Some(&Body::Dynamic)
}

fn put(app: &mut App, body: Entity, to: Vec2) {
    let mut entity = app.world_mut().entity_mut(body);
    let mut transform = entity.get_mut::<Transform>().expect("it has one");
    transform.translation = to.extend(0.0);
}

/// Returns the normals of the surfaces of each pushed body, in thousandths: those of walls, and not of other bodies.
fn surfaces(app: &App, bodies: &[Entity], hits: &[Collision]) -> Vec<Vec<[i32; 2]>> {
    let of = |body: Entity| {
        let is_wall = |other: Entity| !bodies.contains(&other);
        let hits = hits
            .iter()
            .filter(|hit| is_dynamic(app, body) && hit.other(body).is_some_and(is_wall));
        let normals = hits.filter_map(|hit| hit.normal_for(body));
        let rounded = normals.map(|normal| (normal * 1000.0).round().as_ivec2().to_array());
        let mut directions: Vec<_> = rounded.collect();
        directions.sort_unstable();
        directions.dedup();
        directions
    };
    bodies.iter().map(|&body| of(body)).collect()
}

/// They push each other by their `Transform`s: in a room of tiles they end in the same places as in a room of four boxes, and touch the same surfaces.
#[test]
fn tiles_are_as_good_as_one_wall() {
    let mut random = fastrand::Rng::with_seed(14);
    let (mut compared, mut pushed, mut told) = (0, 0, 0);
    for room in 0..ROOMS {
        let mut apps = PARTS.map(|parts| {
            let mut app = app();
            build_walls(&mut app, parts);
            app
        });
        let bodies = crowd(&mut random, &mut apps, 0.25);
        for number in 0..12 {
            let case = format!("room {room}, tick {number}");
            let steps = bodies.iter().map(|twins| {
                let step = step(&mut random);
                // What is never pushed is not pushed out of the floor either.
                let down = if is_dynamic(&apps[0], twins[0]) {
                    step.y
                } else {
                    0.0
                };
                place(&apps[0], twins[0]) + Vec2::new(step.x, down)
            });
            let steps: Vec<Vec2> = steps.collect();
            let outcomes = [0, 1, 2].map(|world| {
                let app = &mut apps[world];
                let bodies: Vec<Entity> = bodies.iter().map(|twins| twins[world]).collect();
                for (body, to) in bodies.iter().zip(&steps) {
                    put(app, *body, *to);
                }
                let hits = tick(app);
                let places: Vec<Vec2> = bodies.iter().map(|body| place(app, *body)).collect();
                (places, surfaces(app, &bodies, &hits), take::<Crushed>(app))
            });
            let [(places, directions, crushed), others @ ..] = &outcomes;
            // A body between two that do not give way ends in one of them, and it does not matter in which; nor where those end that the first tick finds in one place.
            if crushed.is_empty() && number > 0 {
                for (others_places, others_directions, _) in others {
                    for (body, (a, b)) in places.iter().zip(others_places).enumerate() {
                        let to = steps[body];
                        assert!(a.distance(*b) < 0.005, "{case}: {body} at {to}: {a} or {b}");
                    }
                    assert_eq!(directions, others_directions, "{case}: {places:?}");
                }
                compared += 1;
                pushed += places.iter().zip(&steps).filter(|(a, b)| a != b).count();
                told += directions.iter().map(Vec::len).sum::<usize>();
            }
            // From here on the places are the same.
            for twins in bodies.iter().zip(places) {
                for (app, body) in apps.iter_mut().zip(twins.0) {
                    put(app, *body, *twins.1);
                }
            }
        }
    }
    assert!(
        compared > 1000 && pushed > 1500 && told > 1500,
        "{compared} {pushed} {told}"
    );
}

/// The same with velocities, all kinds of responses, and gravity.
#[test]
fn tiles_are_as_good_as_one_wall_for_who_has_a_velocity() {
    let mut random = fastrand::Rng::with_seed(41);
    let (mut compared, mut told) = (0, 0);
    for room in 0..ROOMS {
        let mut apps = PARTS.map(|parts| {
            let mut app = app();
            app.insert_resource(Time::<Fixed>::from_hz(60.0));
            build_walls(&mut app, parts);
            app
        });
        // Without kinematics: a body between a wall and what nothing stops is hit by both in turn, more often than the sweep follows.
        let bodies = crowd(&mut random, &mut apps, 0.0);
        for twins in &bodies {
            let response = match random.u32(0..6) {
                0 => Response::Bounce { restitution: 0.5 },
                1 => Response::Bounce { restitution: 1.0 },
                2 => Response::Stop,
                _ => Response::Slide,
            };
            for (app, body) in apps.iter_mut().zip(twins) {
                app.world_mut()
                    .entity_mut(*body)
                    .insert((Velocity(Vec2::ZERO), response));
            }
        }
        for number in 0..30 {
            let case = format!("room {room}, tick {number}");
            let before: Vec<(Vec2, Vec2)> = bodies
                .iter()
                .map(|twins| {
                    let body = twins[0];
                    let mut velocity = velocity(&apps[0], body);
                    if is_dynamic(&apps[0], body) {
                        velocity.y -= 15.7;
                    }
                    velocity += match random.u32(0..6) {
                        0 => Vec2::new(random.u32(0..9) as f32 * 30.0 - 120.0, 0.0),
                        1 => Vec2::new(random.f32() * 600.0 - 300.0, 0.0),
                        2 if is_dynamic(&apps[0], body) => Vec2::new(0.0, random.f32() * 200.0),
                        _ => Vec2::ZERO,
                    };
                    (place(&apps[0], body), velocity)
                })
                .collect();
            let outcomes = [0, 1, 2].map(|world| {
                let app = &mut apps[world];
                let bodies: Vec<Entity> = bodies.iter().map(|twins| twins[world]).collect();
                for (body, (place, velocity)) in bodies.iter().zip(&before) {
                    put(app, *body, *place);
                    app.world_mut()
                        .entity_mut(*body)
                        .insert(Velocity(*velocity));
                }
                let hits = tick(app);
                let after = bodies
                    .iter()
                    .map(|body| (place(app, *body), velocity(app, *body)));
                let after: Vec<(Vec2, Vec2)> = after.collect();
                (after, surfaces(app, &bodies, &hits), take::<Crushed>(app))
            });
            let [(after, directions, crushed), others @ ..] = &outcomes;
            if crushed.is_empty() && number > 0 {
                for (others_after, others_directions, _) in others {
                    for (body, (a, b)) in after.iter().zip(others_after).enumerate() {
                        let is_same = a.0.distance(b.0) < 0.01 && a.1.distance(b.1) < 0.1;
                        assert!(
                            is_same,
                            "{case}: {body} from {:?}: {a:?} or {b:?}",
                            before[body]
                        );
                    }
                    assert_eq!(
                        directions, others_directions,
                        "{case}: {before:?} {after:?}"
                    );
                }
                compared += 1;
                told += directions.iter().map(Vec::len).sum::<usize>();
            }
            for twins in bodies.iter().zip(after) {
                for (app, body) in apps.iter_mut().zip(twins.0) {
                    put(app, *body, twins.1.0);
                    app.world_mut()
                        .entity_mut(*body)
                        .insert(Velocity(twins.1.1));
                }
            }
        }
    }
    assert!(compared > 1000 && told > 1500, "{compared} {told}");
}

fn velocity(app: &App, body: Entity) -> Vec2 {
    app.world().get::<Velocity>(body).expect("it has one").0
}
