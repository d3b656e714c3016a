//! Compares `SpatialQuery` with asking the kernel about every collider of the game: the same answers in the same order, with all filters, tick by tick.

use std::cmp::Ordering;

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_nudge::{
    kernel::{
        Impact, Outline, Shape, Touching, cast_in_bounds, cast_shape, contact_with_bounds,
        contact_within, distance, separation,
    },
    prelude::*,
    spatial::Cast,
};
use fastrand::Rng;

use crate::{
    common::app,
    worlds::{Kind, World as Shapes, between, compare_outlines, is_on_a_corner, world},
};

/// What the game knows of a collider.
#[derive(Clone, Copy, Debug)]
struct Collider {
    entity: Entity,
    family: Entity,
    outline: Outline,
    center: Vec2,
    body: Body,
    is_sensor: bool,
    layers: CollisionLayers,
}

impl Collider {
    fn cast(&self, cast: &Cast) -> Option<Impact> {
        let offset = cast.origin - self.center;
        let (hit, past) = match self.outline {
            Outline::Shape(shape) => {
                let hit = cast_shape(cast.shape, shape, -offset, cast.motion)?;
                (hit, None)
            }
            Outline::Bounds(room) => {
                let hit = cast_in_bounds(room, cast.shape, offset, cast.motion);
                let past = leave(room - cast.shape.half_extents(), offset, cast.motion);
                (hit?, past)
            }
        };
        if cast.hit_from_inside || !hit.started_inside {
            Some(hit)
        } else {
            past
        }
    }

    fn meets(&self, (shape, center): (Shape, Vec2), touching: Touching) -> bool {
        match self.outline {
            Outline::Shape(own) => touching.meets(own, shape, center - self.center),
            Outline::Bounds(room) => {
                let fits = shape.half_extents().cmple(room).all();
                let contact = contact_with_bounds(room, shape, center - self.center);
                contact.is_some_and(|contact| {
                    touching == Touching::Counts || contact.depth > 0.0 || !fits
                })
            }
        }
    }

    /// Returns where a cast hits: at the point itself, or halfway between the surfaces; of a room, on the wall that it meets on the way.
    fn point_of(&self, cast: &Cast, impact: &Impact) -> Vec2 {
        let offset = cast.origin + cast.motion * impact.fraction - self.center;
        if cast.shape == Shape::POINT {
            return self.center + offset;
        }
        let point = match self.outline {
            Outline::Shape(shape) => {
                let contact = contact_within(shape, cast.shape, offset, f32::MAX);
                contact.expect("within any margin").point
            }
            Outline::Bounds(room) if impact.started_inside => {
                let contact = contact_with_bounds(room, cast.shape, offset);
                contact.map_or(offset, |contact| contact.point)
            }
            Outline::Bounds(room) => {
                let is_across = impact.normal.cmpne(Vec2::ZERO);
                Vec2::select(is_across, -impact.normal * room, offset)
            }
        };
        self.center + point
    }

    fn gap_to_surface(&self, point: Vec2) -> f32 {
        let offset = point - self.center;
        let gap = match self.outline {
            Outline::Shape(own) => separation(own, Shape::POINT, offset),
            Outline::Bounds(room) => (room - offset.abs()).min_element(),
        };
        gap.abs()
    }

    fn distance_to(&self, point: Vec2) -> f32 {
        let offset = point - self.center;
        match self.outline {
            Outline::Shape(own) => distance(own, Shape::POINT, offset),
            Outline::Bounds(room) => (room - offset.abs()).min_element().max(0.0),
        }
    }
}

/// Where a way that begins outside of a room leaves it, after all: after it has come in on both axes, and before it leaves by either of them.
fn leave(room: Vec2, offset: Vec2, motion: Vec2) -> Option<Impact> {
    let (mut enter, mut leave) = (0.0_f32, (f32::INFINITY, Vec2::ZERO));
    for axis in [Vec2::X, Vec2::Y] {
        let [room, from, way] = [room, offset, motion].map(|vector| vector.dot(axis));
        if way == 0.0 {
            if from.abs() > room {
                return None;
            }
            continue;
        }
        let walls = [(-room - from) / way, (room - from) / way];
        let [first, last] = if way > 0.0 {
            walls
        } else {
            [walls[1], walls[0]]
        };
        enter = first.max(enter);
        if last < leave.0 {
            leave = (last, -axis * way.signum());
        }
    }
    (enter < leave.0 && leave.0 <= 1.0).then_some(Impact {
        fraction: leave.0,
        normal: leave.1,
        started_inside: false,
    })
}

/// A filter, and the colliders that it should let through.
struct Case {
    name: &'static str,
    filter: QueryFilter<'static>,
    counts: Box<dyn Fn(&Collider) -> bool + Send + Sync>,
}

const ODD: u32 = 2;

fn cases(some: Entity) -> Vec<Case> {
    let is_third = |entity: Entity| entity.index_u32().is_multiple_of(3);
    let predicate: &'static (dyn Fn(Entity) -> bool + Sync) = Box::leak(Box::new(is_third));
    let mine = CollisionLayers::new(4, ODD);
    let all = QueryFilter::ALL;
    fn case(
        name: &'static str,
        filter: QueryFilter<'static>,
        counts: impl Fn(&Collider) -> bool + Send + Sync + 'static,
    ) -> Case {
        Case {
            name,
            filter,
            counts: Box::new(counts),
        }
    }
    vec![
        case("all", all, |_| true),
        case(
            "from outside",
            QueryFilter {
                hit_from_inside: false,
                ..all
            },
            |_| true,
        ),
        case(
            "no sensors",
            QueryFilter {
                sensors: false,
                ..all
            },
            |one| !one.is_sensor,
        ),
        case(
            "sensors",
            QueryFilter {
                solids: false,
                ..all
            },
            |one| one.is_sensor,
        ),
        case(
            "no statics",
            QueryFilter {
                statics: false,
                ..all
            },
            |one| one.body != Body::Static,
        ),
        case(
            "statics",
            QueryFilter {
                dynamics: false,
                kinematics: false,
                ..all
            },
            |one| one.body == Body::Static,
        ),
        case("a layer", QueryFilter::on_layers(ODD), |one| {
            one.layers.memberships & ODD != 0
        }),
        case("layers", QueryFilter::as_layers(mine), move |one| {
            mine.interacts_with(one.layers)
        }),
        case(
            "a third",
            QueryFilter {
                predicate: Some(predicate),
                ..all
            },
            move |one| is_third(one.entity),
        ),
        case(
            "but a family",
            QueryFilter::excluding(Vec::leak(vec![some])),
            move |one| one.family != some,
        ),
        case(
            "strictly",
            QueryFilter {
                touching: Some(Touching::Ignored),
                ..all
            },
            |_| true,
        ),
    ]
}

fn colliders(app: &mut App) -> Vec<Collider> {
    let world = app.world_mut();
    type IsCollider = Or<(
        With<CircleCollider>,
        With<BoxCollider>,
        With<BoundsCollider>,
    )>;
    type Parts = (
        Entity,
        Option<&'static CircleCollider>,
        Option<&'static BoxCollider>,
        Option<&'static BoundsCollider>,
        Option<&'static Body>,
        Has<Sensor>,
        Option<&'static CollisionLayers>,
        &'static Transform,
        Option<&'static ChildOf>,
    );
    let mut all = world.query_filtered::<Parts, IsCollider>();
    let mut found = Vec::new();
    for (entity, circle, rectangle, room, body, is_sensor, layers, transform, child_of) in
        all.iter(world)
    {
        let solid = |shape: Result<Shape, _>| Outline::Shape(shape.expect("valid"));
        let (outline, offset) = match (circle, rectangle, room) {
            (Some(circle), ..) => (solid(circle.shape()), circle.offset),
            (_, Some(rectangle), _) => (solid(rectangle.shape()), rectangle.offset),
            (.., Some(room)) => (Outline::Bounds(room.half_size), room.offset),
            _ => unreachable!("it has one of them"),
        };
        let family = child_of.map_or(entity, |child_of| child_of.parent());
        let parent = world
            .get::<Transform>(family)
            .expect("has one")
            .translation
            .truncate();
        let own = transform.translation.truncate();
        found.push(Collider {
            entity,
            family,
            outline,
            center: offset + if family == entity { own } else { parent + own },
            body: if family == entity {
                body.copied()
            } else {
                world.get::<Body>(family).copied()
            }
            .expect("has one"),
            is_sensor,
            layers: layers.copied().unwrap_or_default(),
        });
    }
    found
}

fn spawn(app: &mut App, shape: Shape, center: Vec2, random: &mut Rng, is_calm: bool) -> Entity {
    let body = match random.u32(0..4) {
        0 if !is_calm => Body::Dynamic,
        1 => Body::Kinematic,
        _ => Body::Static,
    };
    let layers = CollisionLayers::new(1 << random.u32(0..3), [u32::MAX, 4, 3][random.usize(0..3)]);
    let half = shape.half_extents();
    let place = Transform::from_translation(center.extend(0.0));
    let offset = if random.bool() {
        Vec2::new(random.i32(-4..4) as f32, random.i32(-4..4) as f32)
    } else {
        Vec2::ZERO
    };
    let mut entity = app.world_mut().spawn((body, layers, place));
    if shape.half_size() == Vec2::ZERO {
        entity.insert(CircleCollider::new(shape.radius()).with_offset(offset));
    } else {
        let mut rectangle = BoxCollider::new(half.x * 2.0, half.y * 2.0);
        rectangle.corner_radius = shape.radius();
        rectangle.offset = offset;
        entity.insert(rectangle);
    }
    if random.u32(0..5) == 0 {
        entity.insert(Sensor);
    }
    let id = entity.id();
    // Children of bodies that nothing pushes, at whole distances from whole places, are exactly at the sum.
    if body == Body::Kinematic && center == center.round() && random.bool() {
        let way = Vec2::new(random.i32(-9..9) as f32, random.i32(-9..9) as f32);
        let child = (
            CircleCollider::new(2.0),
            Transform::from_translation(way.extend(0.0)),
            ChildOf(id),
        );
        app.world_mut().spawn(child);
    }
    id
}

/// A room that only reports, so that it pushes nothing.
fn spawn_room(app: &mut App, shapes: &Shapes, random: &mut Rng) {
    let center = shapes.place(random);
    let half = shapes.size * between(random, 3.0, 60.0);
    let room = BoundsCollider::new(half * 2.0, half).with_offset(Vec2::new(3.0, -2.0));
    let place = Transform::from_translation(center.extend(0.0));
    app.world_mut().spawn((room, Sensor, Body::Static, place));
}

/// Asserts that two lists are equal, and tells where they first differ.
fn assert_same(told: &[(Entity, u32)], expected: &[(Entity, u32)], case: &dyn Fn() -> String) {
    let at = told.iter().zip(expected).position(|(a, b)| a != b);
    let at = at.unwrap_or(told.len().min(expected.len()));
    let here = (told.get(at), expected.get(at));
    assert!(here == (None, None), "{}: number {at} is {here:?}", case());
}

/// Returns the colliders that have a measure, sorted by distance, then by whether they are hit only on a corner.
fn in_order(
    asked: impl Fn(&Collider) -> Option<(f32, bool)>,
    colliders: &[Collider],
) -> Vec<(Entity, u32)> {
    let mut found: Vec<((f32, bool), &Collider)> = colliders
        .iter()
        .filter_map(|one| Some((asked(one)?, one)))
        .collect();
    found.sort_by(|(a, one), (b, other)| -> Ordering {
        let key = |one: &Collider| (one.entity.index_u32(), one.entity.generation().to_bits());
        (a.0.total_cmp(&b.0))
            .then(a.1.cmp(&b.1))
            .then(one.center.x.total_cmp(&other.center.x))
            .then(one.center.y.total_cmp(&other.center.y))
            .then(compare_outlines(one.outline, other.outline))
            .then(key(one).cmp(&key(other)))
    });
    found
        .iter()
        .map(|((measure, _), one)| (one.entity, measure.to_bits()))
        .collect()
}

/// Asks every kind of question with every filter.
fn check(app: &mut App, shapes: &Shapes, random: &mut Rng, rounds: usize, moment: &str) {
    let known = colliders(app);
    let cases = cases(known[random.usize(0..known.len())].family);
    for round in 0..rounds {
        let (cast, area) = (shapes.cast(random), shapes.area(random));
        let (point, count) = (shapes.place(random), random.usize(1..40));
        for Case {
            name,
            filter,
            counts,
        } in &cases
        {
            let filter = *filter;
            let case = format!("{moment}, round {round}, {name}");
            let mut cast = cast;
            cast.hit_from_inside = filter.hit_from_inside;
            let touching = filter.touching.unwrap_or_default();
            let (on_the_way, first_on_the_way, each, inside, first_inside, entities, near, nearest) =
                app.world_mut()
                    .run_system_once(move |space: SpatialQuery| {
                        let way = space.cast_shape(cast.shape, cast.origin, cast.motion, &filter);
                        let there = space.overlap_shape(area.0, area.1, &filter);
                        let mut each = 0;
                        let _ = way.each(|_| {
                            each += 1;
                            std::ops::ControlFlow::Continue(())
                        });
                        let mut entities = Vec::new();
                        let _ = there.each_entity(|entity| {
                            entities.push(entity);
                            std::ops::ControlFlow::Continue(())
                        });
                        entities.sort_unstable();
                        (
                            way.all(),
                            way.first(),
                            each,
                            there.all(),
                            there.first(),
                            entities,
                            space.nearest_n(point, count, f32::INFINITY, &filter),
                            space.nearest(point, f32::INFINITY, &filter),
                        )
                    })
                    .expect("it runs");
            let expected = in_order(
                |one| {
                    let hit = one.cast(&cast).filter(|_| counts(one))?;
                    let is_on_a_corner = match one.outline {
                        Outline::Shape(shape) => is_on_a_corner(&cast, (shape, one.center), &hit),
                        Outline::Bounds(_) => false,
                    };
                    Some((hit.fraction, is_on_a_corner))
                },
                &known,
            );
            let told: Vec<_> = on_the_way
                .iter()
                .map(|hit| (hit.entity, hit.fraction.to_bits()))
                .collect();
            assert_same(&told, &expected, &|| format!("{case}: {cast:?}"));
            assert_eq!(
                first_on_the_way,
                on_the_way.first().copied(),
                "{case}: {cast:?}"
            );
            assert_eq!(each, expected.len(), "{case}: {cast:?}");
            for hit in &on_the_way {
                let one = known
                    .iter()
                    .find(|one| one.entity == hit.entity)
                    .expect("known");
                assert_eq!(hit.body, one.family, "{case}");
                let impact = one.cast(&cast).expect("it is hit");
                assert_eq!(hit.normal, impact.normal, "{case}: {cast:?}");
                assert_eq!(
                    hit.started_inside, impact.started_inside,
                    "{case}: {cast:?}"
                );
                // A few roundings of the largest coordinate.
                let largest = (cast.origin.abs() + cast.motion.abs()).max_element();
                let rounding = 1.0e-3 + largest * 4.0 * f32::EPSILON;
                let off = one.point_of(&cast, &impact).distance(hit.point);
                assert!(off < rounding, "{case}: {cast:?} {one:?} {hit:?}, {off}");
                let off = one.gap_to_surface(hit.point);
                let is_on_it = hit.started_inside || off < rounding;
                assert!(is_on_it, "{case}: {cast:?} {one:?} {hit:?}, {off}");
            }

            let to = |point: Vec2| move |one: &Collider| (one.distance_to(point), false);
            let expected = in_order(
                |one| {
                    let is_in = counts(one) && one.meets(area, touching);
                    is_in.then(|| to(area.1)(one))
                },
                &known,
            );
            let told: Vec<_> = inside
                .iter()
                .map(|hit| (hit.entity, hit.distance.to_bits()))
                .collect();
            assert_same(&told, &expected, &|| format!("{case}: {area:?}"));
            assert_eq!(first_inside, inside.first().copied(), "{case}: {area:?}");
            let mut expected: Vec<Entity> = expected.iter().map(|(entity, _)| *entity).collect();
            expected.sort_unstable();
            assert_eq!(entities, expected, "{case}: {area:?}");

            let mut expected = in_order(|one| counts(one).then(|| to(point)(one)), &known);
            expected.truncate(count);
            let told: Vec<_> = near
                .iter()
                .map(|hit| (hit.entity, hit.distance.to_bits()))
                .collect();
            assert_same(&told, &expected, &|| {
                format!("{case}: {count} nearest to {point}")
            });
            assert_eq!(nearest, near.first().copied(), "{case}: nearest to {point}");
        }
    }
}

/// Plays a game of some ticks, in which colliders move, come, and go; queries are made between ticks, too.
fn play(kind: Kind, count: usize, rounds: usize) {
    let mut random = Rng::with_seed(61 + count as u64);
    let shapes = world(kind, count, &mut random);
    let mut app = app();
    let is_calm = count > 2000;
    for &(_, shape, center) in &shapes.shapes {
        spawn(&mut app, shape, center, &mut random, is_calm);
    }
    if !is_calm {
        (0..4).for_each(|_| spawn_room(&mut app, &shapes, &mut random));
        check(
            &mut app,
            &shapes,
            &mut random,
            1,
            &format!("{kind:?} before the first tick"),
        );
    }
    for tick in 0..3 {
        app.update();
        check(
            &mut app,
            &shapes,
            &mut random,
            rounds,
            &format!("{kind:?} {count} after tick {tick}"),
        );
        let known = colliders(&mut app);
        for one in known.iter().filter(|one| one.family == one.entity) {
            match random.u32(0..40) {
                0 => app.world_mut().entity_mut(one.entity).despawn(),
                1 => {
                    let center = shapes.place(&mut random);
                    match one.outline {
                        Outline::Shape(shape) => {
                            spawn(&mut app, shape, center, &mut random, is_calm);
                        }
                        Outline::Bounds(_) => spawn_room(&mut app, &shapes, &mut random),
                    }
                }
                _ => {}
            }
        }
        check(
            &mut app,
            &shapes,
            &mut random,
            1,
            &format!("{kind:?} {count} between ticks {tick}"),
        );
        let known = colliders(&mut app);
        for one in known.iter().filter(|one| one.family == one.entity) {
            if random.u32(0..3) > 0 {
                continue;
            }
            let way = Vec2::new(between(&mut random, -9.0, 9.0), 0.0).round();
            let mut transform = app
                .world_mut()
                .get_mut::<Transform>(one.entity)
                .expect("has one");
            transform.translation += way.extend(0.0);
        }
    }
}

#[test]
fn a_hundred_colliders() {
    for kind in [
        Kind::Even,
        Kind::Uneven,
        Kind::Grid,
        Kind::Clumped,
        Kind::FarOut,
    ] {
        play(kind, 100, 12);
    }
}

#[test]
fn two_thousand_colliders() {
    for kind in [Kind::Even, Kind::Grid] {
        play(kind, 2000, 3);
    }
}

#[test]
fn a_hundred_thousand_colliders() {
    play(Kind::Uneven, 100_000, 1);
}
