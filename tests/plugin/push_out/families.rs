//! Bodies with several colliders, which are pushed as one.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_nudge::{
    kernel::{Outline, Shape, contact, contact_with_bounds},
    prelude::*,
};

use crate::common::{app, at, place, take, tick, wall};

/// A collider, its body, and its offset from the body.
struct Part {
    entity: Entity,
    body: Entity,
    offset: Vec2,
    outline: Outline,
    kind: Body,
}

impl Part {
    fn is_dynamic(&self) -> bool {
        self.kind == Body::Dynamic
    }

    /// How deep two of them overlap.
    fn depth_in(&self, other: &Self, app: &App) -> Option<f32> {
        let [from, to] = [self, other].map(|part| place(app, part.body) + part.offset);
        let contact = match (self.outline, other.outline) {
            (Outline::Shape(a), Outline::Shape(b)) => contact(a, b, to - from),
            (Outline::Bounds(room), Outline::Shape(shape)) => {
                contact_with_bounds(room, shape, to - from)
            }
            (Outline::Shape(shape), Outline::Bounds(room)) => {
                contact_with_bounds(room, shape, from - to)
            }
            (Outline::Bounds(_), Outline::Bounds(_)) => None,
        };
        contact.map(|contact| contact.depth)
    }
}

/// Spawns up to fifteen bodies of up to three circles and boxes, close together; three of ten are static. In a mixed crowd one more of ten is kinematic, and a room is around all of them.
fn crowd(app: &mut App, random: &mut fastrand::Rng, is_mixed: bool) -> Vec<Part> {
    let (count, room) = (random.usize(4..16), random.f32() * 40.0 + 10.0);
    let mut parts = Vec::new();
    for _ in 0..count {
        let mut coordinate = |room: f32| (random.f32() - 0.5) * room;
        let from = at(coordinate(room), coordinate(room));
        let kind = match random.f32() {
            ..0.3 => Body::Static,
            ..0.4 if is_mixed => Body::Kinematic,
            _ => Body::Dynamic,
        };
        let body = app.world_mut().spawn((kind, from)).id();
        let children = if random.bool() { 0 } else { random.usize(1..3) };
        for number in 0..=children {
            let mut coordinate = |room: f32| (random.f32() - 0.5) * room;
            let (entity, offset) = if number == 0 {
                (body, Vec2::ZERO)
            } else {
                let offset = Vec2::new(coordinate(12.0), coordinate(12.0));
                let child = (at(offset.x, offset.y), ChildOf(body));
                (app.world_mut().spawn(child).id(), offset)
            };
            let [width, height] = [0, 1].map(|_| 1.0 + random.f32() * 6.0);
            let mut entity = app.world_mut().entity_mut(entity);
            let shape = if random.bool() {
                entity.insert(CircleCollider::new(width * 0.5));
                Shape::circle(width * 0.5)
            } else {
                entity.insert(BoxCollider::new(width, height));
                Shape::rectangle(Vec2::new(width, height) * 0.5)
            };
            parts.push(Part {
                entity: entity.id(),
                body,
                offset,
                outline: Outline::Shape(shape.expect("valid")),
                kind,
            });
        }
    }
    if is_mixed {
        let entity = app
            .world_mut()
            .spawn(BoundsCollider::new(room + 10.0, room + 10.0))
            .id();
        parts.push(Part {
            entity,
            body: entity,
            offset: Vec2::ZERO,
            outline: Outline::Bounds(Vec2::splat(room * 0.5 + 5.0)),
            kind: Body::Static,
        });
    }
    parts
}

/// A collider that is still in another one after the tick was reported with it, and as crushed if the other one does not give way. And there are hardly any: a body is not put where one of its colliders has room and another one is in something.
#[test]
fn what_is_left_in_something_is_told_of_and_is_little() {
    let (mut left, mut crushed_in_all, mut untold) = ([0; 2], [0; 2], Vec::new());
    for seed in 0..500 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut app = app();
        let is_mixed = seed >= 400;
        let parts = crowd(&mut app, &mut random, is_mixed);
        for number in 0..3 {
            let case = format!("seed {seed}, tick {number}");
            let hits = tick(&mut app);
            let told: BTreeSet<_> = hits.iter().map(|hit| in_order(hit.a, hit.b)).collect();
            let crushed = take::<Crushed>(&mut app);
            for (at, a) in parts.iter().enumerate() {
                for b in &parts[..at] {
                    if a.body == b.body || !(a.is_dynamic() || b.is_dynamic()) {
                        continue;
                    }
                    if a.depth_in(b, &app).is_none_or(|depth| depth <= 0.02) {
                        continue;
                    }
                    left[usize::from(is_mixed)] += 1;
                    if !told.contains(&in_order(a.entity, b.entity)) {
                        untold.push((seed, number));
                    }
                    for (own, other) in [(a, b), (b, a)] {
                        let is_crushed = crushed.iter().any(|one| one.entity == own.entity);
                        let must_be = own.is_dynamic() && !other.is_dynamic();
                        assert!(is_crushed || !must_be, "{case}: {}", own.entity);
                    }
                }
            }
            crushed_in_all[usize::from(is_mixed)] += crushed.len();
            for one in crushed {
                let part = |entity| parts.iter().find(|part| part.entity == entity);
                let (own, by) = (part(one.entity), part(one.by));
                let (own, by) = (own.expect("it is there"), by.expect("it is there"));
                assert_eq!(own.body, one.body, "{case}");
                assert!(own.is_dynamic() && !by.is_dynamic(), "{case}");
                let depth = own.depth_in(by, &app).unwrap_or(-1.0);
                let is_right = depth > 0.009 && (depth - one.depth).abs() < 0.01;
                assert!(is_right, "{case}: {depth}, {one:?}");
            }
        }
    }
    assert_eq!(untold, []);
    assert!(left[0] < 60, "{left:?}");
    let are_some = crushed_in_all.iter().all(|&count| count > 10);
    assert!(are_some, "{crushed_in_all:?}");
}

/// The center of a child is in a wall, and there is no room between the walls for both colliders: the body must not be led through a wall.
#[test]
fn a_child_in_a_wall_takes_nobody_through_it() {
    let mut app = app();
    for x in [-6.0, 6.0] {
        let wall = (BoxCollider::new(2.0, 200.0), Body::Static, at(x, 0.0));
        app.world_mut().spawn(wall);
    }
    let body = app.world_mut().spawn(BoxCollider::square(8.0));
    let body = body.id();
    let child = (CircleCollider::new(1.0), at(6.0, 0.0), ChildOf(body));
    app.world_mut().spawn(child);
    for _ in 0..10 {
        tick(&mut app);
        let place = place(&app, body);
        assert!(place.x.abs() < 5.0, "{place}");
    }
}

/// The body is so large, and so deep in tiles, that not all obstacles are checked. It still gets out, upwards.
#[test]
fn a_large_body_in_tiles_gets_out() {
    let mut app = app();
    for number in 0..144_u8 {
        let [x, y] = [number % 12, number / 12].map(|at| f32::from(at) * 16.0 - 88.0);
        let tile = (BoxCollider::square(16.0), Body::Static, at(x, y));
        app.world_mut().spawn(tile);
    }
    let ship = app.world_mut().spawn(at(4.0, 60.0)).id();
    for number in 0..25_u8 {
        let [x, y] = [number % 5, number / 5].map(|at| f32::from(at) * 16.0 - 32.0);
        let deck = (BoxCollider::square(16.0), at(x, y), ChildOf(ship));
        app.world_mut().spawn(deck);
    }
    app.world_mut().entity_mut(ship).insert(Body::Dynamic);
    for _ in 0..60 {
        tick(&mut app);
    }
    // The body is 80 wide, and the tiles reach up to 96.
    assert_eq!(place(&app, ship), Vec2::new(4.0, 136.0));
}

fn in_order(a: Entity, b: Entity) -> (Entity, Entity) {
    (a.min(b), a.max(b))
}

/// A collider that a body had once must have no influence on where the push-out leads.
#[test]
fn a_collider_that_is_gone_leaves_nothing_behind() {
    let places = |seed: u64, has_had_one: bool| {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut anywhere = |reach: f32| {
            let mut axis = || reach * (2.0 * random.f32() - 1.0);
            at(axis(), axis())
        };
        let mut app = app();
        // Far away from all others, at first.
        let bodies = [0; 6].map(|_| {
            let body = app.world_mut().spawn((Body::Dynamic, at(1000.0, 0.0))).id();
            for _ in 0..2 {
                let part = (BoxCollider::square(4.0), anywhere(4.0), ChildOf(body));
                app.world_mut().spawn(part);
            }
            body
        });
        let others: Vec<Entity> = (0..30)
            .map(|number| {
                let rank = if number % 6 == 0 {
                    Body::Static
                } else {
                    Body::Dynamic
                };
                let other = (CircleCollider::new(2.0), rank, anywhere(12.0));
                app.world_mut().spawn(other).id()
            })
            .collect();
        for (number, body) in bodies.into_iter().enumerate().filter(|_| has_had_one) {
            let mut body = app.world_mut().entity_mut(body);
            match number % 3 {
                0 => body.insert(CircleCollider::new(20.0)),
                1 => body.insert(BoxCollider::new(10.0, 50.0)),
                _ => body.insert(BoundsCollider::new(400.0, 400.0)),
            };
        }
        tick(&mut app);
        for body in bodies {
            app.world_mut()
                .entity_mut(body)
                .remove::<(CircleCollider, BoxCollider, BoundsCollider)>()
                .insert(anywhere(12.0));
        }
        for &other in &others {
            app.world_mut().entity_mut(other).insert(anywhere(12.0));
        }
        tick(&mut app);
        let all = others.iter().chain(&bodies);
        all.map(|&one| place(&app, one)).collect::<Vec<_>>()
    };
    for seed in 0..40 {
        assert_eq!(places(seed, false), places(seed, true), "seed {seed}");
    }
}

/// So many overlaps that they are solved in parts, some of them twice: a crate was led out of its wall and to two others, which it touches from then on.
#[test]
fn who_has_its_colliders_on_children_is_where_the_last_answer_puts_it() {
    for on_children in [false, true] {
        let mut app = app();
        let trios: Vec<(f32, [Entity; 3])> = (0..600_u16)
            .map(|number| {
                let x = 400.0 * f32::from(number);
                let wall = (BoxCollider::square(120.0), Body::Static, at(x - 40.0, 0.0));
                app.world_mut().spawn(wall);
                let trio = [0.0, 35.0, 41.0].map(|dx| {
                    let crate_ = BoxCollider::square(10.0);
                    let mut body = app.world_mut().spawn((Body::Dynamic, at(x + dx, 0.0)));
                    if on_children {
                        body.with_child((crate_, Transform::default()));
                    } else {
                        body.insert(crate_);
                    }
                    body.id()
                });
                (x, trio)
            })
            .collect();
        // From the second tick on, neighbors are known from the tick before.
        for number in 0..2 {
            for &(x, trio) in &trios {
                for (body, dx) in trio.into_iter().zip([0.0, 35.0, 41.0]) {
                    app.world_mut().entity_mut(body).insert(at(x + dx, 0.0));
                }
            }
            tick(&mut app);
            for &(x, trio) in &trios {
                let places = trio.map(|body| place(&app, body).x - x);
                let case = format!("{on_children}, tick {number}, from {x}");
                assert_eq!(places, [25.0, 35.0, 45.0], "{case}");
            }
        }
    }
}

/// The knight's head is in a gate, and a thin wall is beside the body.
#[test]
fn nobody_leaves_a_gate_by_taking_another_part_of_himself_through_a_wall() {
    let mut app = app();
    let knight = (CircleCollider::new(8.0), at(0.0, 0.0));
    let knight = app.world_mut().spawn(knight).id();
    let head = (BoxCollider::new(16.0, 4.0), at(0.0, 20.0), ChildOf(knight));
    app.world_mut().spawn(head);
    for (low, high) in [((-1.5, 12.0), (98.5, 60.0)), ((-9.0, -8.0), (-8.2, 8.0))] {
        wall(&mut app, low, high);
    }
    tick(&mut app);
    // The shortest way that leads through no wall.
    assert_eq!(place(&app, knight), Vec2::new(0.0, -10.0));
}

/// A shield is pushed by a door, and the body behind it touches a wall.
#[test]
fn what_another_part_of_it_leans_on_is_what_it_is_crushed_against() {
    let mut app = app();
    let knight = app
        .world_mut()
        .spawn((CircleCollider::new(5.0), at(0.0, 0.0)));
    let knight = knight.id();
    let shield = (BoxCollider::new(4.0, 16.0), at(10.0, 0.0), ChildOf(knight));
    let shield = app.world_mut().spawn(shield).id();
    let wall = wall(&mut app, (-20.0, -100.0), (-5.0, 100.0));
    let door = (BoxCollider::new(20.0, 40.0), Body::Kinematic, at(21.0, 0.0));
    let door = app.world_mut().spawn(door).id();
    tick(&mut app);
    let crushed = take::<Crushed>(&mut app);
    let expected = Crushed {
        entity: shield,
        body: knight,
        by: door,
        against: Some(wall),
        depth: 1.0,
    };
    assert_eq!(crushed, [expected]);
}

/// Bodies with offset colliders, such as at their feet, end in the same places as those without an offset. All numbers are whole.
#[test]
fn a_crowd_with_offsets_is_pressed_as_one_without() {
    for has_floor in [true, false] {
        let places = [Vec2::ZERO, Vec2::new(0.0, -64.0), Vec2::new(32.0, 16.0)].map(|offset| {
            let mut app = app();
            if has_floor {
                // The floor touches the lowest bodies.
                wall(&mut app, (-500.0, -105.0), (500.0, -5.0));
            }
            let crowd: Vec<Entity> = (0..64_u8)
                .map(|number| {
                    let [x, y] = [number % 8, number / 8].map(|place| 8.0 * f32::from(place));
                    let collider = CircleCollider::new(5.0).with_offset(offset);
                    let one = (collider, at(x - offset.x, y - offset.y));
                    app.world_mut().spawn(one).id()
                })
                .collect();
            tick(&mut app);
            let places = crowd.iter().map(|&one| place(&app, one) + offset);
            places.collect::<Vec<_>>()
        });
        for other in &places[1..] {
            for (number, (one, other)) in places[0].iter().zip(other).enumerate() {
                assert!(
                    one.distance(*other) < 0.01,
                    "{number}, floor: {has_floor}: {one}, {other}"
                );
            }
        }
    }
}

/// As in a shape editor, or below a sprite.
#[test]
fn a_crowd_of_bodies_whose_colliders_are_children_is_pressed_as_one_of_bodies_with_their_own() {
    for (seed, is_walled) in [(1, false), (2, false), (3, true), (4, true), (5, true)] {
        let places = [false, true].map(|are_children| {
            let mut app = app();
            if is_walled {
                // A yard of 106 by 106, seven tenths of which the bodies cover.
                for (from, to) in [
                    ((-63.0, -63.0), (63.0, -53.0)),
                    ((-63.0, 53.0), (63.0, 63.0)),
                    ((-63.0, -53.0), (-53.0, 53.0)),
                    ((53.0, -53.0), (63.0, 53.0)),
                ] {
                    wall(&mut app, from, to);
                }
            }
            let mut random = fastrand::Rng::with_seed(seed);
            let crowd: Vec<Entity> = (0..100)
                .map(|_| {
                    let [x, y] = [(); 2].map(|()| random.f32() * 60.0 - 30.0);
                    let collider = CircleCollider::new(5.0);
                    if are_children {
                        let body = app.world_mut().spawn((Body::Dynamic, at(x, y)));
                        let body = body.id();
                        app.world_mut().spawn((collider, ChildOf(body)));
                        body
                    } else {
                        app.world_mut().spawn((collider, at(x, y))).id()
                    }
                })
                .collect();
            tick(&mut app);
            let places = crowd.iter().map(|&one| place(&app, one));
            places.collect::<Vec<_>>()
        });
        for places in &places {
            for (number, one) in places.iter().enumerate() {
                let is_inside = !is_walled || one.abs().max_element() < 48.01;
                assert!(is_inside, "{number}, seed {seed}: {one}");
                for other in &places[..number] {
                    let apart = one.distance(*other);
                    assert!(apart > 9.99, "{number}, seed {seed}: {apart}");
                }
            }
        }
        let both = places[0].iter().zip(&places[1]);
        let farthest = both.map(|(one, other)| one.distance(*other));
        let farthest = farthest.fold(0.0, f32::max);
        // Between walls the results may depend on how bodies in one place are told apart.
        assert!(is_walled || farthest < 0.01, "seed {seed}: {farthest}");
    }
}

/// A collider on a child that is pushed into a wall is reported, as one of the body itself is.
#[test]
fn a_body_with_its_collider_on_a_child_is_told_of_what_it_is_pushed_into() {
    for is_child in [false, true] {
        let mut app = app();
        let wall = wall(&mut app, (6.25, -32.0), (14.25, 32.0));
        let body = app.world_mut().spawn((Body::Dynamic, at(0.0, 0.0))).id();
        let square = BoxCollider::square(12.0);
        if is_child {
            app.world_mut().spawn((square, ChildOf(body)));
        } else {
            app.world_mut().entity_mut(body).insert(square);
        }
        let fist = (BoxCollider::square(4.0), Body::Kinematic, at(-8.0, 0.0));
        let fist = app.world_mut().spawn(fist).id();
        let put = |app: &mut App, one: Entity, x: f32| {
            let mut transform = app.world_mut().get_mut::<Transform>(one);
            transform.as_mut().expect("it has one").translation.x = x;
        };
        app.update();
        // The fist comes 1 closer, and the wall is 0.25 away.
        put(&mut app, fist, -7.0);
        app.update();
        assert_eq!(place(&app, body).x, 0.25, "{is_child}");
        put(&mut app, fist, -20.0);
        put(&mut app, body, -0.75);
        app.update();
        let started = take::<CollisionStarted>(&mut app);
        let told = started.iter().filter(|hit| hit.involves(wall)).count();
        assert_eq!(told, 1, "{is_child}");
    }
}

/// The offset from the origin of a body, by its number, to its collider on a child; `None` for a collider on the body itself.
type Origin = fn(usize) -> Option<Vec2>;

/// The place of the collider counts, and not the origin of its body.
#[test]
fn a_crowd_goes_by_its_colliders_and_not_by_the_origins_of_its_bodies() {
    // Sixteenths, which floats represent exactly wherever the origins are.
    let places = (0..60_u8).map(|number| {
        let part = |step: u16, of: u16| {
            let part = u16::from(number) * step % of;
            f32::from(part * 256 / of) / 16.0 - 8.0
        };
        Vec2::new(part(37, 101), part(53, 97))
    });
    let places: Vec<Vec2> = places.collect();
    let ends = |origin: Origin| {
        let mut app = app();
        let bodies = places.iter().enumerate().map(|(number, place)| {
            let circle = CircleCollider::new(2.0);
            let away = origin(number);
            let from = *place - away.unwrap_or_default();
            let body = app
                .world_mut()
                .spawn((Body::Dynamic, at(from.x, from.y)))
                .id();
            match away {
                None => _ = app.world_mut().entity_mut(body).insert(circle),
                Some(away) => {
                    let child = (circle, at(away.x, away.y), ChildOf(body));
                    app.world_mut().spawn(child);
                }
            }
            body
        });
        let bodies: Vec<Entity> = bodies.collect();
        app.update();
        let now = bodies.iter().enumerate();
        let now = now.map(|(number, body)| place(&app, *body) + origin(number).unwrap_or_default());
        now.collect::<Vec<_>>()
    };
    let expected = ends(|_| None);
    let origins: [(&str, Origin); 4] = [
        ("at the collider", |_| Some(Vec2::ZERO)),
        ("below all", |_| Some(Vec2::new(0.0, 32.0))),
        ("below each second one", |number| {
            Some(Vec2::new(0.0, 32.0 * (number % 2) as f32))
        }),
        ("beside each second one", |number| {
            Some(Vec2::new(128.0 * (number % 2) as f32, 0.0))
        }),
    ];
    // With other rounding the bodies of a crowd move elsewhere, but on the whole neither farther nor less far; and all are freed.
    let far = |ends: &[Vec2]| {
        let ways = ends
            .iter()
            .zip(&places)
            .map(|(to, from)| to.distance(*from));
        ways.sum::<f32>()
    };
    for (case, origin) in origins {
        let ends = ends(origin);
        for (number, one) in ends.iter().enumerate() {
            for other in &ends[..number] {
                let apart = one.distance(*other);
                assert!(apart >= 3.99, "{case}, {number}: {apart}");
            }
        }
        let (far, expected) = (far(&ends), far(&expected));
        let ratio = far / expected;
        assert!(
            (0.85..1.15).contains(&ratio),
            "{case}: {far}, not {expected}"
        );
    }
}

/// As a ball with a collider of its own: it lies at (0, 4), by a triangle of 3, 4 and 5.
#[test]
fn a_ball_on_a_child_that_is_pressed_into_a_notch_does_not_tremble() {
    let mut app = app();
    for x in [-13.0, 13.0] {
        let tile = (BoxCollider::square(20.0), Body::Static, at(x, -10.0));
        app.world_mut().spawn(tile);
    }
    let ball = (Body::Dynamic, at(0.0, 4.0));
    let ball = (ball, children![CircleCollider::new(5.0)]);
    let ball = app.world_mut().spawn(ball).id();
    app.update();
    let rests = place(&app, ball);
    for number in 0..12 {
        let mut transform = app.world_mut().get_mut::<Transform>(ball);
        transform.as_mut().expect("it has one").translation.y -= 1.0;
        app.update();
        let now = place(&app, ball);
        assert!(now.distance(rests) < 1.0e-5, "{number}: {now}");
    }
}
