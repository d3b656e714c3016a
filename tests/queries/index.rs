//! Compares `ShapeIndex` with asking the kernel about every shape: the same answers, to the bit, in the same order.

use std::{cmp::Ordering, ops::ControlFlow};

use bevy::math::Vec2;
use bevy_nudge::{
    kernel::{Outline, Shape, Touching, cast_shape, distance},
    spatial::{Cast, ShapeCastHit, ShapeIndex},
};
use fastrand::Rng;

use crate::{
    shapes::{circle, rectangle},
    worlds::{KINDS, Kind, Placed, World, compare_outlines, is_on_a_corner, world},
};

/// The bits of how far along or how far away a shape is, and its key.
type Answer = (u32, u32);

/// How far along or how far away a shape is, and whether it is hit only on a corner.
type Measure = (f32, bool);

fn by_measure(a: &(Measure, Placed), b: &(Measure, Placed)) -> Ordering {
    let place = |placed: &(Measure, Placed)| placed.1.2;
    let outline = |placed: &(Measure, Placed)| Outline::Shape(placed.1.1);
    (a.0.0.total_cmp(&b.0.0))
        .then(a.0.1.cmp(&b.0.1))
        .then(place(a).x.total_cmp(&place(b).x))
        .then(place(a).y.total_cmp(&place(b).y))
        .then(compare_outlines(outline(a), outline(b)))
        .then(a.1.0.cmp(&b.1.0))
}

fn sorted(mut found: Vec<(Measure, Placed)>) -> Vec<Answer> {
    found.sort_by(by_measure);
    let told = |((measure, _), placed): &(Measure, Placed)| (measure.to_bits(), placed.0);
    found.iter().map(told).collect()
}

fn all_on_the_way(shapes: &[Placed], cast: &Cast, counts: impl Fn(u32) -> bool) -> Vec<Answer> {
    let hits = shapes.iter().filter_map(|placed| {
        let offset = placed.2 - cast.origin;
        let hit = cast_shape(cast.shape, placed.1, offset, cast.motion)?;
        let is_wanted = counts(placed.0) && (cast.hit_from_inside || !hit.started_inside);
        let is_on_a_corner = is_on_a_corner(cast, (placed.1, placed.2), &hit);
        is_wanted.then_some(((hit.fraction, is_on_a_corner), *placed))
    });
    sorted(hits.collect())
}

fn all_by_distance(
    shapes: &[Placed],
    point: Vec2,
    counts: impl Fn(&Placed) -> bool,
) -> Vec<Answer> {
    let some = shapes.iter().filter(|placed| counts(placed));
    let distance = |placed: &Placed| distance(placed.1, Shape::POINT, point - placed.2);
    let near = some.map(|placed| ((distance(placed), false), *placed));
    sorted(near.collect())
}

/// Asks every kind of question, `rounds` times.
fn check(kind: Kind, world: &World, random: &mut Rng, rounds: usize) {
    let index = ShapeIndex::new(world.shapes.iter().copied());
    assert_eq!(index.len(), world.shapes.len());
    for round in 0..rounds {
        let case = format!("{kind:?}, {} shapes, round {round}", index.len());
        // All, half, or few of the shapes count.
        let part = [1, 2, 17][random.usize(0..3)];
        let counts = |key: u32| key.is_multiple_of(part);
        check_cast(&case, &index, world, &world.cast(random), counts);
        check_area(&case, &index, world, world.area(random), counts);

        let point = world.place(random);
        let count = [random.usize(0..12), random.usize(12..200), usize::MAX][random.usize(0..3)];
        let reach = [f32::INFINITY, world.size * 8.0, 0.0][random.usize(0..3)];
        let mut expected = all_by_distance(&world.shapes, point, |placed| counts(placed.0));
        expected.retain(|&(distance, _)| f32::from_bits(distance) <= reach);
        let first = index.nearest(point, reach, counts);
        let first = first.map(|near| (near.distance.to_bits(), near.key));
        assert_eq!(
            first,
            expected.first().copied(),
            "{case}: nearest to {point}"
        );
        let enough = random.usize(0..100);
        let mut each = Vec::new();
        let flow = index.nearest_each(point, reach, counts, |near| {
            each.push((near.distance.to_bits(), near.key));
            if each.len() > enough {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        assert_eq!(flow.is_break(), expected.len() > enough, "{case}");
        let until_enough = &expected[..expected.len().min(enough + 1)];
        assert_eq!(each, until_enough, "{case}: each near {point}");
        expected.truncate(count);
        let found = index.nearest_n(point, count, reach, counts);
        let told = found.iter().map(|near| (near.distance.to_bits(), near.key));
        assert!(
            told.eq(expected.iter().copied()),
            "{case}: {count} nearest to {point}"
        );
    }
}

fn check_cast(
    case: &str,
    index: &ShapeIndex<u32>,
    world: &World,
    cast: &Cast,
    counts: impl Fn(u32) -> bool + Copy,
) {
    let expected = all_on_the_way(&world.shapes, cast, counts);
    let told = |hit: &ShapeCastHit<u32>| (hit.fraction.to_bits(), hit.key);
    let first = index.cast(cast, counts).as_ref().map(told);
    assert_eq!(
        first,
        expected.first().copied(),
        "{case}: first of {cast:?}"
    );
    let all: Vec<Answer> = index.cast_all(cast, counts).iter().map(told).collect();
    assert_eq!(all, expected, "{case}: all of {cast:?}");

    let mut each: Vec<Answer> = Vec::new();
    let flow = index.cast_each(cast, counts, |hit| {
        each.push(told(&hit));
        ControlFlow::Continue(())
    });
    let by_key = |list: &[Answer]| {
        let mut keys: Vec<u32> = list.iter().map(|answer| answer.1).collect();
        keys.sort_unstable();
        keys
    };
    assert!(flow.is_continue());
    assert_eq!(by_key(&each), by_key(&expected), "{case}: each of {cast:?}");

    let mut visits = 0;
    let flow = index.cast_each(cast, counts, |_| {
        visits += 1;
        if visits == 2 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!(visits, expected.len().min(2), "{case}: two of {cast:?}");
    assert_eq!(flow.is_break(), expected.len() >= 2);
}

fn check_area(
    case: &str,
    index: &ShapeIndex<u32>,
    world: &World,
    (shape, center): (Shape, Vec2),
    counts: impl Fn(u32) -> bool + Copy,
) {
    for touching in [Touching::Counts, Touching::Ignored] {
        let case = format!("{case}: {touching:?} {shape:?} at {center}");
        let expected = all_by_distance(&world.shapes, center, |placed| {
            counts(placed.0) && touching.meets(placed.1, shape, center - placed.2)
        });
        let first = index.overlap(shape, center, touching, counts);
        let first = first.map(|near| (near.distance.to_bits(), near.key));
        assert_eq!(first, expected.first().copied(), "{case}");
        let all = index.overlap_all(shape, center, touching, counts);
        let told = all.iter().map(|near| (near.distance.to_bits(), near.key));
        assert!(told.eq(expected.iter().copied()), "{case}");
        let mut visits = 0;
        let _ = index.overlap_each(shape, center, touching, counts, |_| {
            visits += 1;
            if visits == 3 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        assert_eq!(
            visits,
            expected.len().min(3),
            "{case}: stopped at the third"
        );
        let mut keys = Vec::new();
        let _ = index.overlap_each_key(shape, center, touching, counts, |key| {
            keys.push(key);
            ControlFlow::Continue(())
        });
        let mut expected: Vec<u32> = expected.iter().map(|(_, key)| *key).collect();
        keys.sort_unstable();
        expected.sort_unstable();
        assert_eq!(keys, expected, "{case}: each key");
    }
}

#[test]
fn an_index_answers_as_asking_everybody_does() {
    let mut random = Rng::with_seed(6);
    for kind in KINDS {
        for (count, rounds) in [(1, 20), (7, 60), (100, 400), (1000, 150), (5000, 40)] {
            let world = world(kind, count, &mut random);
            check(kind, &world, &mut random, rounds);
        }
    }
}

#[test]
fn so_does_an_index_of_a_hundred_thousand() {
    let mut random = Rng::with_seed(7);
    for kind in [Kind::Even, Kind::Uneven, Kind::Clumped, Kind::Sparse] {
        let world = world(kind, 100_000, &mut random);
        check(kind, &world, &mut random, 12);
    }
}

#[test]
fn what_is_told_of_a_hit_fits() {
    let tile = rectangle(1.0, 1.0);
    let index = ShapeIndex::new([(1, tile, Vec2::new(10.0, 0.0))]);
    let hit = |cast: Cast| index.cast(&cast, |_| true).expect("straight at it");

    let ray = hit(Cast::ray(Vec2::new(0.0, 0.5), Vec2::new(18.0, 0.0)));
    assert_eq!((ray.fraction, ray.distance), (0.5, 9.0));
    assert_eq!((ray.point, ray.normal), (Vec2::new(9.0, 0.5), Vec2::NEG_X));
    // A circle with a radius of 2 touches with its rightmost point, where the tile's side is.
    let ball = hit(Cast::shape(
        circle(2.0),
        Vec2::new(0.0, 0.5),
        Vec2::new(14.0, 0.0),
    ));
    assert_eq!((ball.fraction, ball.distance), (0.5, 7.0));
    assert_eq!(
        (ball.point, ball.normal),
        (Vec2::new(9.0, 0.5), Vec2::NEG_X)
    );

    let inside = hit(Cast::ray(Vec2::new(10.5, 0.0), Vec2::new(5.0, 0.0)));
    assert!(inside.started_inside);
    assert_eq!((inside.fraction, inside.distance), (0.0, 0.0));
    assert_eq!(
        (inside.point, inside.normal),
        (Vec2::new(10.5, 0.0), Vec2::X)
    );
    let passing = Cast::ray(Vec2::new(10.5, 0.0), Vec2::new(5.0, 0.0)).from_outside();
    assert_eq!(index.cast(&passing, |_| true), None);

    let near = index
        .nearest(Vec2::new(14.0, 5.0), 100.0, |_| true)
        .expect("near");
    assert_eq!((near.distance, near.point), (5.0, Vec2::new(11.0, 1.0))); // 3-4-5
    assert_eq!((near.normal, near.is_inside), (Vec2::new(0.6, 0.8), false));
    let within = index
        .nearest(Vec2::new(10.0, 0.75), 100.0, |_| true)
        .expect("inside");
    assert_eq!(
        (within.distance, within.point),
        (0.0, Vec2::new(10.0, 0.75))
    );
    assert_eq!((within.normal, within.is_inside), (Vec2::Y, true));
}

/// A column of dots, hit by boxes of every height: a dot is reported once, wherever it lies in the index.
#[test]
fn who_lies_round_the_corner_is_told_of_once() {
    let dots = |count: u32, apart: f32| {
        let place = move |key: u32| Vec2::new(0.0, key as f32 * apart);
        ShapeIndex::new((0..count).map(move |key| (key, circle(1.0), place(key))))
    };
    let mut most = 0;
    for count in 4..40 {
        for apart in [3.0, 11.0, 12.0, 13.0, 15.0, 17.0] {
            let index = dots(count, apart);
            for height in 0..count {
                let half = height as f32 * apart * 0.5 + 1.0;
                let (shape, from) = (rectangle(1.0, half), Vec2::new(-50.0, half - 2.0));
                let cast = Cast::shape(shape, from, Vec2::new(100.0, 0.0));
                let hits = index.cast_all(&cast, |_| true);
                let mut keys: Vec<u32> = hits.iter().map(|hit| hit.key).collect();
                keys.sort_unstable();
                // The box reaches from -2 to its top: it touches centers up to 1 above that.
                let expected: Vec<u32> = (0..count)
                    .filter(|key| *key as f32 * apart < 2.0 * half - 2.0 + 1.0)
                    .collect();
                assert_eq!(keys, expected, "{count} dots, {apart} apart, {half}");
                most = most.max(keys.len());
            }
        }
    }
    assert_eq!(most, 39);
}

#[test]
fn questions_that_make_no_sense_find_nobody() {
    let index = ShapeIndex::new([
        (1, circle(5.0), Vec2::ZERO),
        (2, circle(5.0), Vec2::new(f32::NAN, 0.0)),
    ]);
    assert_eq!(index.len(), 1);
    for bad in [f32::NAN, f32::INFINITY, 2.0e18] {
        let bad = Vec2::new(bad, 0.0);
        for cast in [Cast::ray(bad, Vec2::X), Cast::ray(Vec2::ZERO, bad)] {
            assert_eq!(index.cast(&cast, |_| true), None, "{cast:?}");
            assert_eq!(index.cast_all(&cast, |_| true), [], "{cast:?}");
        }
        assert_eq!(index.nearest(bad, 1.0, |_| true), None, "{bad}");
        assert_eq!(
            index.overlap_all(circle(1.0e9), bad, Touching::Counts, |_| true),
            []
        );
    }
    for reach in [-1.0, f32::NAN] {
        assert_eq!(index.nearest(Vec2::ZERO, reach, |_| true), None, "{reach}");
    }
    let nobody = ShapeIndex::<u32>::default();
    assert!(nobody.is_empty());
    assert_eq!(nobody.nearest(Vec2::ZERO, f32::INFINITY, |_| true), None);
    assert_eq!(nobody.cast(&Cast::ray(Vec2::ZERO, Vec2::X), |_| true), None);
}

#[test]
fn many_casts_are_answered_in_their_order() {
    let mut random = Rng::with_seed(8);
    let world = world(Kind::Even, 2000, &mut random);
    let index = ShapeIndex::new(world.shapes.iter().copied());
    let casts: Vec<Cast> = (0..1000).map(|_| world.cast(&mut random)).collect();
    let one_by_one: Vec<_> = casts
        .iter()
        .map(|cast| index.cast(cast, |_| true))
        .collect();
    assert!(one_by_one.iter().filter(|hit| hit.is_some()).count() > 200);
    assert_eq!(index.cast_many(&casts, |_| true), one_by_one);
}

#[test]
fn casts_of_any_length_are_those_of_the_kernel() {
    let mut random = Rng::with_seed(9);
    let world = world(Kind::Even, 300, &mut random);
    let index = ShapeIndex::new(world.shapes.iter().copied());
    let lengths = [
        1.0e-42, 1.0e-38, 1.0e-30, 1.0e-20, 1.0e-15, 1.1e-15, 1.0e-6, 1.0, 1.0e6, 1.0e12, 1.0e17,
    ];
    let mut hits = [0; 11];
    for (length, hits) in lengths.into_iter().zip(&mut hits) {
        for round in 0..300 {
            // Also nearly along an axis, and exactly along it.
            let slope = [1.0, 1.0e-20, 0.0][round % 3];
            let way = Vec2::new(random.f32() - 0.5, (random.f32() - 0.5) * slope);
            let way = if round % 2 == 0 { way } else { way.perp() };
            let mut cast = world.cast(&mut random);
            cast.motion = way * length;
            check_cast("length", &index, &world, &cast, |_| true);
            *hits += usize::from(index.cast(&cast, |_| true).is_some());
        }
    }
    assert!(hits.iter().all(|hits| *hits > 10), "{hits:?}");
}

/// Lightning that goes from one shape to the next: a shape that has been struck does not count any more.
#[test]
fn what_each_is_told_may_be_why_others_do_not_count() {
    for count in [1_u32, 15, 16, 17, 20, 40, 100, 500] {
        let shapes = (0..count).map(|key| (key, circle(1.0), Vec2::new(10.0 * key as f32, 0.0)));
        let index = ShapeIndex::new(shapes);
        let struck = std::cell::RefCell::new(Vec::new());
        let _ = index.nearest_each(
            Vec2::ZERO,
            f32::INFINITY,
            |key| !struck.borrow().contains(&key),
            |near| {
                struck.borrow_mut().push(near.key);
                ControlFlow::Continue(())
            },
        );
        assert_eq!(struck.into_inner(), (0..count).collect::<Vec<_>>());
    }
}

/// A body of several shapes, all with the body's key.
#[test]
fn all_of_one_key_in_one_place_are_near() {
    for (others, alike) in [(0, 2), (15, 2), (15, 5), (14, 2), (3, 200)] {
        let alone = (0..others).map(|key| (key, circle(1.0), Vec2::new(2.0, 0.0)));
        let body = (0..alike).map(|_| (100, circle(1.0), Vec2::new(5.0, 0.0)));
        let index = ShapeIndex::new(alone.chain(body));
        let mut told = Vec::new();
        let _ = index.nearest_each(
            Vec2::ZERO,
            10.0,
            |_| true,
            |near| {
                told.push(near.key);
                ControlFlow::Continue(())
            },
        );
        let keys: Vec<u32> = (0..others).chain(std::iter::repeat_n(100, alike)).collect();
        assert_eq!(told, keys);
    }
}

/// The key type needs no `Default`, so that a resource with an index can derive it.
#[test]
fn an_empty_index_asks_nothing_of_its_keys() {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    struct Key(u32);
    let mut index = ShapeIndex::<Key>::default();
    assert!(index.is_empty());
    // Of two that are equally near the one with the lesser place is returned; x is equal, because 0.0 and -0.0 are the same place.
    let dot = Shape::circle(1.0).expect("it is valid");
    let [low, high] = [Vec2::new(0.0, -5.0), Vec2::new(-0.0, 5.0)];
    index.set([(Key(1), dot, low), (Key(0), dot, high)]);
    let nearest = index.nearest(Vec2::ZERO, f32::INFINITY, |_| true);
    assert_eq!(nearest.map(|near| near.key), Some(Key(1)));
}
