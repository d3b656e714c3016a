//! Throngs: many bodies that press each other permanently, as enemies around the player do.

use bevy::prelude::*;
use bevy_nudge::{
    kernel::{Shape, separation},
    prelude::*,
};

use super::{TICKS_PER_SECOND, ticking_app};
use crate::common::{at, place, take, wall};

/// How far each body moves in a tick.
const STEP: f32 = 1.5;

#[derive(Clone, Copy, Debug)]
enum Kind {
    Square,
    Round,
    Mixed,
}

/// Bodies that seek a point.
struct Throng {
    app: App,
    bodies: Vec<(Entity, Shape)>,
    point: Vec2,
}

impl Throng {
    /// Spawns the bodies one after the other in this order, all around the point.
    fn new(kind: Kind, order: &[usize], point: Vec2) -> Self {
        let mut random = fastrand::Rng::with_seed(order.len() as u64);
        let width = 20.0 * (order.len() as f32).sqrt();
        let mut any = |from: f32, to: f32| from + (to - from) * random.f32();
        let specs: Vec<(Vec2, f32, bool)> = (0..order.len())
            .map(|number| {
                let start = Vec2::new(any(-0.5, 0.5), any(-0.5, 0.5)) * width;
                let (size, is_round) = match kind {
                    Kind::Square => (12.0, false),
                    Kind::Round => (12.0, true),
                    Kind::Mixed => (any(4.0, 12.0), number % 2 == 0),
                };
                (start, size, is_round)
            })
            .collect();
        let mut throng = Self {
            app: ticking_app(),
            bodies: Vec::new(),
            point,
        };
        for &number in order {
            let (start, size, is_round) = specs[number];
            throng
                .spawn(start, size, is_round)
                .insert(Velocity::default());
        }
        throng
    }

    fn spawn(&mut self, start: Vec2, size: f32, is_round: bool) -> EntityWorldMut<'_> {
        let mut body = self.app.world_mut().spawn(at(start.x, start.y));
        let shape = if is_round {
            body.insert(CircleCollider::new(size * 0.5));
            Shape::circle(size * 0.5)
        } else {
            body.insert(BoxCollider::square(size));
            Shape::rectangle(Vec2::splat(size * 0.5))
        };
        self.bodies.push((body.id(), shape.expect("it is a size")));
        body
    }

    fn places(&self) -> Vec<Vec2> {
        let bodies = self.bodies.iter();
        bodies.map(|(body, _)| place(&self.app, *body)).collect()
    }

    /// Runs a tick, and returns the collisions.
    fn tick(&mut self) -> Vec<Collision> {
        let point = self.point;
        self.tick_along(|here| (point - here).clamp_length_max(STEP))
    }

    /// Runs a tick in which each body wants to move this way from where it is.
    fn tick_along(&mut self, way: impl Fn(Vec2) -> Vec2) -> Vec<Collision> {
        for (body, _) in &self.bodies {
            let here = place(&self.app, *body);
            if let Some(mut velocity) = self.app.world_mut().get_mut::<Velocity>(*body) {
                velocity.0 = way(here) * TICKS_PER_SECOND;
            }
        }
        self.app.world_mut().run_schedule(FixedPostUpdate);
        self.app.world_mut().clear_trackers();
        take(&mut self.app)
    }

    /// Returns the gap of each pair whose gap is at most `near`.
    fn gaps(&self, near: f32) -> Vec<(Entity, Entity, f32)> {
        let places = self.places();
        let all: Vec<(&(Entity, Shape), Vec2)> = self.bodies.iter().zip(places).collect();
        let mut gaps = Vec::new();
        for (number, ((one, shape), from)) in all.iter().enumerate() {
            for ((other, others), to) in &all[number + 1..] {
                let gap = separation(*shape, *others, *to - *from);
                if gap <= near {
                    gaps.push((*one, *other, gap));
                }
            }
        }
        gaps
    }
}

fn in_order(count: usize) -> Vec<usize> {
    (0..count).collect()
}

#[test]
fn a_throng_comes_to_rest_and_nobody_ends_in_another_one() {
    // How far they still move in a tick, on average. Hit by hit, squares moved 0.054 units, and if no body stood still before it was led around others, 0.008.
    // A single body may move twice as far, or not at all.
    for (kind, throngs, most) in [
        (Kind::Square, 1_u8, 0.0),
        (Kind::Round, 6, 0.005),
        (Kind::Mixed, 3, 0.005),
    ] {
        let mut gone = 0.0;
        for number in 0..throngs {
            let aside = Vec2::splat(f32::from(number) * 7.3);
            let mut throng = Throng::new(kind, &in_order(200), aside);
            for tick in 0..400 {
                let before = throng.places();
                throng.tick();
                let gaps = throng.gaps(-0.01);
                assert!(gaps.is_empty(), "{kind:?} {gaps:?} in tick {tick}");
                if tick >= 300 {
                    let ways = before.iter().zip(throng.places());
                    gone += ways.map(|(from, to)| from.distance(to)).sum::<f32>();
                }
            }
        }
        let mean = gone / (f32::from(throngs) * 100.0 * 200.0);
        assert!(mean <= most, "{mean} units in a tick, {kind:?}");
    }
}

/// Hit by hit, some body moved to and fro by up to 0.8 units a tick, permanently, in 52 of these 60.
#[test]
fn a_few_around_who_stands_come_to_rest() {
    let mut restless = 0;
    for mass in [1.0, f32::MAX] {
        for count in [6, 8, 12, 20, 40] {
            for seed in 0..6 {
                let mut throng = Throng {
                    app: ticking_app(),
                    bodies: Vec::new(),
                    point: Vec2::ZERO,
                };
                let stands = (CircleCollider::new(10.0), Mass(mass), Velocity::default());
                throng.app.world_mut().spawn(stands);
                let mut random = fastrand::Rng::with_seed(seed);
                let mut any = || (random.f32() - 0.5) * 200.0;
                for _ in 0..count {
                    let start = Vec2::new(any(), any());
                    throng.spawn(start, 20.0, true).insert(Velocity::default());
                }
                for _ in 0..800 {
                    throng.tick();
                }
                let mut most: f32 = 0.0;
                for _ in 0..50 {
                    let before = throng.places();
                    throng.tick();
                    let ways = before.iter().zip(throng.places());
                    let ways = ways.map(|(from, to)| from.distance(to));
                    most = ways.fold(most, f32::max);
                }
                restless += u32::from(most > 0.01);
            }
        }
    }
    // In some cases a few still do.
    assert!(restless <= 6, "{restless} of 60 are not at rest");
}

#[test]
fn it_tells_of_all_who_touch() {
    let mut throng = Throng::new(Kind::Square, &in_order(150), Vec2::ZERO);
    let mut before = Vec::new();
    let mut touching_twice = 0;
    for tick in 0..300 {
        let told = throng.tick();
        let is_told = |one: Entity, other: Entity| {
            let mut told = told.iter();
            told.any(|told| told.involves(one) && told.involves(other))
        };
        let gaps = throng.gaps(0.0).into_iter();
        let touching: Vec<(Entity, Entity)> = gaps.map(|(one, other, _)| (one, other)).collect();
        for pair in &touching {
            // A body that is pushed to a flush place is reported in the next tick, if it is still flush.
            if before.contains(pair) {
                touching_twice += 1;
                assert!(is_told(pair.0, pair.1), "{pair:?} touch in tick {tick}");
            }
        }
        before = touching;
    }
    assert!(touching_twice > 10_000, "{touching_twice}");
}

#[test]
fn it_does_not_matter_who_was_there_first() {
    // Around a point, or at a wall.
    let points = [Vec2::ZERO, Vec2::new(-400.0, 0.0)];
    let cases = [Kind::Square, Kind::Mixed].map(|kind| points.map(|point| (kind, point)));
    for &(kind, point) in cases.as_flattened() {
        let mut order = in_order(150);
        fastrand::Rng::with_seed(3).shuffle(&mut order);
        let [mut throng, mut shuffled] = [&in_order(150), &order].map(|order| {
            let mut throng = Throng::new(kind, order, point);
            wall(&mut throng.app, (-201.0, -400.0), (-200.0, 400.0));
            throng
        });
        for tick in 0..200 {
            throng.tick();
            shuffled.tick();
            let (places, others) = (throng.places(), shuffled.places());
            for (at, &number) in order.iter().enumerate() {
                assert_eq!(others[at], places[number], "{kind:?}, tick {tick}");
            }
        }
    }
}

#[test]
fn nobody_is_pressed_through_a_wall() {
    for kind in [Kind::Square, Kind::Round, Kind::Mixed] {
        let mut throng = Throng::new(kind, &in_order(150), Vec2::new(-400.0, 0.0));
        wall(&mut throng.app, (-201.0, -400.0), (-200.0, 400.0));
        for tick in 0..300 {
            throng.tick();
            for ((_, shape), place) in throng.bodies.iter().zip(throng.places()) {
                let edge = place.x - shape.half_extents().x;
                assert!(edge > -200.01, "{edge}, {kind:?}, tick {tick}");
            }
        }
    }
}

#[test]
fn what_waits_in_it_is_pushed_along() {
    let mut throng = Throng::new(Kind::Round, &in_order(150), Vec2::ZERO);
    // These have no velocity of their own.
    for x in [80.0, -80.0] {
        throng.spawn(Vec2::new(x, 8.0), 12.0, false);
    }
    let start = throng.places();
    for _ in 0..250 {
        throng.tick();
        assert!(throng.gaps(-0.01).is_empty());
    }
    let ends = throng.places();
    for at in [150, 151] {
        let way = start[at].distance(ends[at]);
        assert!(way > 1.0, "{way} from {}", start[at]);
    }
}

/// A body that the others stop is not where its own velocity would have led it: a passing shot meets it where it is.
#[test]
fn what_flies_by_meets_who_is_stopped() {
    const WAY: f32 = 300.0;
    let (mut met, mut shots) = (0, 0);
    for kind in [Kind::Square, Kind::Round] {
        let mut throng = Throng::new(kind, &in_order(150), Vec2::ZERO);
        for tick in 0..300 {
            throng.tick();
            if tick < 200 || tick % 10 != 0 {
                continue;
            }
            // Up along the rightmost body, one unit within its edge, to be there when most of the tick is over.
            let places = throng.places().into_iter();
            let edge = places.max_by(|a, b| a.x.total_cmp(&b.x)).expect("150");
            let start = edge + Vec2::new(6.0 - 0.5, -0.95 * WAY);
            let ball = (CircleCollider::new(0.5), Response::Stop, Mass(1.0e-6));
            let ball = (ball, super::a_tick(0.0, WAY), at(start.x, start.y));
            let ball = throng.app.world_mut().spawn(ball).id();
            throng.tick();
            let end = place(&throng.app, ball);
            shots += 1;
            met += u32::from(end.y < edge.y);
            throng.app.world_mut().despawn(ball);
        }
    }
    assert_eq!(met, shots);
}

/// Spawns a hundred bodies in rows of ten, the first of them at the corner.
fn block(throng: &mut Throng, corner: Vec2, size: impl Fn(usize) -> f32, is_round: bool) {
    for number in 0..100 {
        let row = Vec2::new((number % 10) as f32, (number / 10) as f32);
        throng
            .spawn(corner + row * 9.0, size(number), is_round)
            .insert(Velocity::default());
    }
}

/// All want to get through a gate five times as wide as they are, and have ten seconds. They used to block each other before it permanently, like the stones of an arch, and half of them never came through.
#[test]
fn a_throng_gets_through_a_gate() {
    let alike = |_| 8.0;
    let unlike = |number: usize| 6.0 + (number * 7 % 5) as f32 * 0.6;
    for (case, size, is_round, is_for_the_middle) in [
        ("round", alike as fn(usize) -> f32, true, true),
        ("round, straight on", alike, true, false),
        ("of five sizes", unlike, true, true),
        ("square", alike, false, true),
    ] {
        let mut throng = Throng::new(Kind::Round, &[], Vec2::ZERO);
        wall(&mut throng.app, (-5.0, 20.0), (5.0, 220.0));
        wall(&mut throng.app, (-5.0, -220.0), (5.0, -20.0));
        block(&mut throng, Vec2::new(-101.0, -40.0), size, is_round);
        for tick in 0..640 {
            throng.tick_along(|here| {
                let goal = match is_for_the_middle {
                    _ if here.x >= 0.0 => Vec2::new(500.0, here.y),
                    true => Vec2::X,
                    false => Vec2::new(1.0, here.y.clamp(-15.0, 15.0)),
                };
                (goal - here).clamp_length_max(60.0 / 64.0)
            });
            if tick % 40 == 0 {
                let gaps = throng.gaps(-0.01);
                assert!(gaps.is_empty(), "{gaps:?}, {case}, tick {tick}");
            }
        }
        let left = throng.places().iter().filter(|at| at.x < 5.0).count();
        assert_eq!(left, 0, "{case}");
    }
}

/// They come from one side, in a block, and gather around the point: packed as closely as possible, they would be within about 42 of it, as each takes 8² √3/2. They used to stop at 81, in a column.
#[test]
fn who_comes_from_one_side_gathers_around_the_point() {
    let mut throng = Throng::new(Kind::Round, &[], Vec2::new(100.0, 0.0));
    block(&mut throng, Vec2::new(-150.0, -45.0), |_| 8.0, true);
    for _ in 0..500 {
        throng.tick();
    }
    let places = throng.places();
    let far = |at: &Vec2| at.distance(throng.point);
    // The radius of a full disc is one and a half times the mean distance from its middle.
    let wide = places.iter().map(far).sum::<f32>() / places.len() as f32 * 1.5;
    assert!(wide < 42.0 * 1.2, "{wide}");
    // And there they rest.
    let before = places.clone();
    throng.tick();
    let ways = throng.places().into_iter().zip(before);
    let way = ways.map(|(to, from)| to.distance(from)).fold(0.0, f32::max);
    assert!(way < 0.01, "{way}");
}
