//! Compares the broad phase with testing every box against every other one: it must find the same pairs, each once, wherever the boxes are.

#[path = "../common/shapes.rs"]
mod shapes;

use std::collections::BTreeSet;

use bevy_nudge::broad_phase::{BroadPhase, Extent, Found};
use proptest::prelude::*;

type Pairs = BTreeSet<(u32, u32)>;

/// A box that moves or stands still.
#[derive(Clone, Copy, Debug)]
struct Body {
    extent: Extent,
    moves: bool,
}

fn extent(x: f32, y: f32, half_width: f32, half_height: f32) -> Body {
    Body {
        extent: Extent {
            min: [x - half_width, y - half_height],
            max: [x + half_width, y + half_height],
        },
        moves: true,
    }
}

fn still(body: Body) -> Body {
    Body {
        moves: false,
        ..body
    }
}

const EMPTY: Body = Body {
    extent: Extent::EMPTY,
    moves: true,
};

fn all_pairs(boxes: &[Body]) -> Pairs {
    let meet = |a: &Body, b: &Body| {
        let (a, b) = (a.extent, b.extent);
        (0..2).all(|axis| a.min[axis] <= b.max[axis] && b.min[axis] <= a.max[axis])
    };
    let mut pairs = Pairs::new();
    for (i, a) in boxes.iter().enumerate() {
        for (j, b) in boxes.iter().enumerate().skip(i + 1) {
            if meet(a, b) && (a.moves || b.moves) {
                pairs.insert((i as u32, j as u32));
            }
        }
    }
    pairs
}

/// Returns the found pairs as a set; panics if a pair is found twice.
fn found(broad_phase: &mut BroadPhase<(Extent, u32)>, boxes: &[Body]) -> Pairs {
    let numbered = |moves: bool| -> Vec<(Extent, u32)> {
        let own = (0..).zip(boxes).filter(|(_, body)| body.moves == moves);
        own.map(|(number, body)| (body.extent, number)).collect()
    };
    let mut pairs = Found::default();
    broad_phase.set_still(&numbered(false));
    broad_phase.find(
        &numbered(true),
        |(_, a), (_, b)| Some((*a.min(b), *a.max(b))),
        &mut pairs,
    );
    let set: Pairs = pairs.iter().copied().collect();
    assert_eq!(set.len(), pairs.iter().count(), "a pair is told twice");
    assert!(set.iter().all(|(i, j)| i < j));
    set
}

/// Checks the boxes as they are, and with two thirds of them standing still.
fn check(case: &str, boxes: &[Body]) {
    check_as_given(case, boxes);
    let some_still = boxes
        .iter()
        .enumerate()
        .map(|(number, body)| match number % 3 {
            0 => *body,
            _ => still(*body),
        });
    check_as_given(
        &format!("{case}, most stand still"),
        &some_still.collect::<Vec<_>>(),
    );
}

fn check_as_given(case: &str, boxes: &[Body]) {
    let mut broad_phase = BroadPhase::default();
    let expected = all_pairs(boxes);
    assert_eq!(found(&mut broad_phase, boxes), expected, "{case}");
    assert_eq!(
        found(&mut broad_phase, boxes),
        expected,
        "{case}, asked again"
    );
}

fn scattered(
    count: usize,
    seed: u64,
    mut one: impl FnMut(&mut fastrand::Rng) -> Body,
) -> Vec<Body> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..count).map(|_| one(&mut random)).collect()
}

fn between(random: &mut fastrand::Rng, low: f32, high: f32) -> f32 {
    low + (high - low) * random.f32()
}

/// Returns a random number from `least` over so many powers of ten, each of which is equally likely.
fn magnitude(random: &mut fastrand::Rng, least: f32, powers: usize) -> f32 {
    let power = (0..random.usize(0..powers)).fold(1.0, |power, _| power * 10.0);
    least * power * between(random, 1.0, 10.0)
}

#[test]
fn few_or_odd_boxes() {
    let tile = extent(0.0, 0.0, 1.0, 1.0);
    let point = extent(1.0, 1.0, 0.0, 0.0);
    check("none", &[]);
    check("one", &[tile]);
    check(
        "two that touch at a corner",
        &[tile, extent(2.0, 2.0, 1.0, 1.0)],
    );
    check("two in one place", &[tile, tile]);
    check(
        "points",
        &[point, point, tile, extent(-1.0, -1.0, 0.0, 0.0)],
    );
    check("empty ones", &[EMPTY, tile, EMPTY, tile]);
    check("all empty", &[EMPTY; 5]);
    let all = extent(0.0, 0.0, 1.0e18, 1.0e18);
    check(
        "as wide as the world",
        &[tile, all, point, all, extent(1.0e18, -1.0e18, 0.0, 0.0)],
    );
    check(
        "a line from end to end",
        &[
            extent(0.0, 0.0, 1.0e18, 0.0),
            tile,
            extent(0.0, 0.0, 0.0, 1.0e18),
        ],
    );
}

#[test]
fn statics_are_quiet() {
    let still = still(extent(0.0, 0.0, 1.0, 1.0));
    let moving = extent(1.0, 0.0, 1.0, 1.0);
    let pairs = found(&mut BroadPhase::default(), &[still, still, moving]);
    assert_eq!(pairs, Pairs::from([(0, 2), (1, 2)]));
}

#[test]
fn crowds_of_every_kind() {
    let uneven = scattered(1500, 1, |random| {
        // From 0.1 to 1000, with each magnitude equally likely.
        let mut half = || magnitude(random, 0.1, 4);
        let (half_width, half_height) = (half(), half());
        let mut place = || between(random, -1000.0, 1000.0);
        extent(place(), place(), half_width, half_height)
    });
    check("uneven sizes", &uneven);

    let heavy_tail = scattered(2000, 2, |random| {
        let half = if random.u32(0..100) == 0 { 300.0 } else { 2.0 };
        extent(
            between(random, -500.0, 500.0),
            between(random, -500.0, 500.0),
            half,
            half,
        )
    });
    check("a few are much larger", &heavy_tail);

    check("all in one place", &[extent(5.0, 5.0, 2.0, 2.0); 300]);

    let in_line = |vertical: bool| {
        scattered(1000, 3, |random| {
            let along = between(random, -2000.0, 2000.0);
            let (x, y) = if vertical { (0.0, along) } else { (along, 0.0) };
            extent(x, y, 3.0, 3.0)
        })
    };
    check("in a row", &in_line(false));
    check("in a column", &in_line(true));

    let grid: Vec<Body> = (0..40 * 40)
        .map(|tile| {
            extent(
                (tile % 40) as f32 * 16.0,
                (tile / 40) as f32 * 16.0,
                8.0,
                8.0,
            )
        })
        .collect();
    check("flush tiles, each of which touches eight", &grid);

    let far = scattered(800, 4, |random| {
        let mut place = || 1.0e17 + between(random, -1.0e12, 1.0e12);
        extent(place(), place(), 2.0e10, 2.0e10)
    });
    check("far from the origin", &far);

    let strewn = scattered(800, 5, |random| {
        let mut place = || {
            let distance = magnitude(random, 0.001, 20);
            if random.bool() { distance } else { -distance }
        };
        extent(place(), place(), 50.0, 50.0)
    });
    check("from near to as far as may be", &strewn);
}

/// So many that they are read in several stretches, and by several threads where there are any.
#[test]
fn large_crowds() {
    let crowd = scattered(18_000, 6, |random| {
        let half = if random.u32(0..1000) == 0 { 200.0 } else { 3.0 };
        extent(
            between(random, -1500.0, 1500.0),
            between(random, -1500.0, 1500.0),
            half,
            half,
        )
    });
    check_as_given("large", &crowd);
    let some_still = crowd
        .iter()
        .enumerate()
        .map(|(number, body)| match number % 20 {
            0 => still(*body),
            _ => *body,
        });
    let some_still: Vec<Body> = some_still.collect();
    check_as_given("large, with some that stand still", &some_still);
}

/// Many boxes in one spot, which are sorted by comparison, and one that begins exactly where the widest of them ends.
#[test]
fn edges_that_just_meet_in_a_crowd() {
    let mut random = fastrand::Rng::with_seed(18);
    for case in 0..3000 {
        let origin = [0.0, 1000.0, -7000.0][case % 3];
        let from_to = |left: f32, right: f32| Body {
            extent: Extent {
                min: [origin + left, 0.0],
                max: [origin + right, 1.0],
            },
            moves: false,
        };
        let mut boxes: Vec<Body> = (0..18)
            .map(|_| {
                let left = random.f32();
                from_to(left, left + 1.0)
            })
            .collect();
        boxes.push(from_to(1000.0, 1001.0));
        let widest = from_to(random.f32(), 2.0 + random.f32());
        boxes.push(widest);
        let width = 1.0 + random.f32();
        let Extent { max, .. } = widest.extent;
        let behind = Extent {
            min: [max[0], 0.0],
            max: [max[0] + width, 1.0],
        };
        boxes.push(Body {
            extent: behind,
            moves: true,
        });
        assert!(all_pairs(&boxes).contains(&(19, 20)), "they share an edge");
        check_as_given(&format!("case {case}"), &boxes);
    }
}

/// One crowd after another, with the same buffers: nothing is left over.
#[test]
fn what_was_asked_before_leaves_no_trace() {
    let mut broad_phase = BroadPhase::default();
    for seed in 0..20 {
        let mut random = fastrand::Rng::with_seed(seed);
        let count = random.usize(0..400);
        let boxes = scattered(count, seed, |random| {
            extent(
                between(random, 0.0, 200.0),
                between(random, 0.0, 200.0),
                between(random, 0.0, 20.0),
                5.0,
            )
        });
        assert_eq!(
            found(&mut broad_phase, &boxes),
            all_pairs(&boxes),
            "crowd {seed}"
        );
    }
}

/// A world from tick to tick: most boxes move by a little, and sometimes there is a change for which the space of the last tick is too small.
#[test]
fn from_tick_to_tick() {
    let mut broad_phase = BroadPhase::default();
    let mut random = fastrand::Rng::with_seed(7);
    let place = |random: &mut fastrand::Rng| between(random, 0.0, 400.0);
    let body = |random: &mut fastrand::Rng| {
        let half = between(random, 1.0, 4.0);
        extent(place(random), place(random), half, half)
    };
    let mut boxes: Vec<Body> = (0..300).map(|_| body(&mut random)).collect();
    let mut events = [0; 8];
    for tick in 0..600 {
        let event = if tick % 3 == 0 { random.usize(0..8) } else { 0 };
        events[event] += 1;
        let [x, y] = [(); 2].map(|()| between(&mut random, -3000.0, 3000.0));
        let is_chosen = |number: usize| number % 4 == tick % 4;
        for (number, one) in boxes.iter_mut().enumerate() {
            let by = |random: &mut fastrand::Rng, x: f32, y: f32, body: &mut Body| {
                let [x, y] = [x, y].map(|by| by + between(random, -1.0, 1.0));
                body.extent.min = [body.extent.min[0] + x, body.extent.min[1] + y];
                body.extent.max = [body.extent.max[0] + x, body.extent.max[1] + y];
            };
            match event {
                // All move by the same step; a part of them moves up or down; a part goes to one spot; all get new places in the world.
                1 => by(&mut random, x, y, one),
                2 if is_chosen(number) => by(&mut random, 0.0, y, one),
                3 if is_chosen(number) => *one = extent(200.0, 200.0, 3.0, 3.0),
                4 => *one = body(&mut random),
                _ => by(&mut random, 0.0, 0.0, one),
            }
        }
        match event {
            // Some are added, some removed, some get another size for good.
            5 => boxes.extend((0..random.usize(0..300)).map(|_| body(&mut random))),
            6 => boxes.truncate(random.usize(20..400)),
            7 => {
                let half = magnitude(&mut random, 0.01, 5);
                for one in boxes.iter_mut().step_by(random.usize(1..50)) {
                    let [x, y] = one.extent.min;
                    *one = extent(x, y, half, half);
                }
            }
            _ => {}
        }
        if tick % 50 == 0 {
            boxes[0] = EMPTY;
            boxes[1].extent.min[1] = f32::NAN;
        } else if tick % 50 == 10 {
            boxes[..2].fill_with(|| body(&mut random));
        }
        let pairs = found(&mut broad_phase, &boxes);
        assert_eq!(pairs, all_pairs(&boxes), "tick {tick}, event {event}");
    }
    assert!(events.iter().all(|times| *times > 10), "{events:?}");
}

/// The same for a crowd that several threads share, compared with a broad phase that knows nothing of the ticks before.
#[test]
fn from_tick_to_tick_in_a_large_crowd() {
    let mut random = fastrand::Rng::with_seed(8);
    let mut boxes = scattered(20_000, 9, |random| {
        let half = if random.u32(0..500) == 0 { 150.0 } else { 3.0 };
        let [x, y] = [(); 2].map(|()| between(random, -1500.0, 1500.0));
        extent(x, y, half, half)
    });
    let mut broad_phase = BroadPhase::default();
    for tick in 0..40 {
        let drop = if tick % 10 == 9 { 700.0 } else { 0.0 };
        for one in &mut boxes {
            let y = drop + between(&mut random, -2.0, 2.0);
            one.extent.min[1] += y;
            one.extent.max[1] += y;
        }
        let anew = found(&mut BroadPhase::default(), &boxes);
        assert!(found(&mut broad_phase, &boxes) == anew, "tick {tick}");
    }
}

fn any_extent() -> impl Strategy<Value = Body> {
    let place = || {
        prop_oneof![
            -100.0f32..100.0,
            (-20i8..20).prop_map(|cell| f32::from(cell) * 5.0)
        ]
    };
    (
        place(),
        place(),
        shapes::size(),
        shapes::size(),
        any::<bool>(),
    )
        .prop_map(|(x, y, half_width, half_height, moves)| Body {
            moves,
            ..extent(x, y, half_width, half_height)
        })
}

proptest! {
    #![proptest_config(shapes::cases(1000))]

    #[test]
    fn any_crowd_gives_what_all_pairs_give(boxes in prop::collection::vec(any_extent(), 0..60)) {
        prop_assert_eq!(found(&mut BroadPhase::default(), &boxes), all_pairs(&boxes));
    }

    #[test]
    fn another_order_gives_the_same_pairs(boxes in prop::collection::vec(any_extent(), 0..60), seed in any::<u64>()) {
        let mut order: Vec<usize> = (0..boxes.len()).collect();
        fastrand::Rng::with_seed(seed).shuffle(&mut order);
        let shuffled: Vec<Body> = order.iter().map(|&index| boxes[index]).collect();
        let back: Pairs = found(&mut BroadPhase::default(), &shuffled)
            .into_iter()
            .map(|(i, j)| (order[i as usize] as u32, order[j as usize] as u32))
            .map(|(i, j)| (i.min(j), i.max(j)))
            .collect();
        prop_assert_eq!(back, found(&mut BroadPhase::default(), &boxes));
    }
}

/// An area that is dragged open to the left is inverted: it is not a box, and finds nothing, not even a box across the gap.
#[test]
fn a_box_that_is_turned_inside_out_finds_nothing() {
    let wide = extent(5.0, 5.0, 5.0, 5.0).extent;
    let mut broad_phase = BroadPhase::default();
    broad_phase.set_still(&[(wide, ())]);
    let asked = |min: [f32; 2], max: [f32; 2]| {
        let mut count = 0;
        broad_phase.query(&Extent { min, max }, |_| count += 1);
        count
    };
    assert_eq!(asked([3.0, 0.0], [5.0, 10.0]), 1);
    assert_eq!(asked([5.0, 0.0], [3.0, 10.0]), 0);
    assert_eq!(asked([3.0, 10.0], [5.0, 0.0]), 0);
    assert_eq!(asked([3.0, f32::NAN], [5.0, 10.0]), 0);
}
