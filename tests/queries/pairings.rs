//! Casts boxes and circles at each other in all four pairings, a million times, and compares the results with a reference in f64 that uses another formula, and with parry2d.

use bevy::math::{DVec2, Vec2};
use bevy_nudge::kernel::{Shape, cast_shape};
use fastrand::Rng;
use parry2d::{
    math::{Pose, Vector},
    query::{self, ShapeCastOptions, ShapeCastStatus},
    shape::{Ball, Cuboid, Shape as ParryShape},
};

use crate::{
    shapes::{circle, rectangle},
    worlds::between,
};

/// The allowed error in world units, as `f32` rounds places of some hundreds.
const CLOSE: f64 = 2.0e-3;

const CASES: usize = 300_000;

/// Returns when a point enters the region within `radius` of a box: the earliest entry into two boxes and four circles. `None` for a point that starts inside, or never enters.
fn entry(half: DVec2, radius: f64, from: DVec2, motion: DVec2) -> Option<f64> {
    let boxes = [DVec2::new(radius, 0.0), DVec2::new(0.0, radius)];
    let entries = boxes
        .iter()
        .filter_map(|more| entry_of_box(half + *more, from, motion));
    let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
    let circles = corners
        .iter()
        .filter_map(|(x, y)| entry_of_circle(radius, from - half * DVec2::new(*x, *y), motion));
    entries.chain(circles).min_by(f64::total_cmp)
}

fn entry_of_box(half: DVec2, from: DVec2, motion: DVec2) -> Option<f64> {
    let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
    for axis in [0, 1] {
        if motion[axis] == 0.0 {
            if from[axis].abs() >= half[axis] {
                return None;
            }
            continue;
        }
        let ends = [-1.0, 1.0].map(|side| (side * half[axis] - from[axis]) / motion[axis]);
        enter = enter.max(ends[0].min(ends[1]));
        leave = leave.min(ends[0].max(ends[1]));
    }
    (enter < leave && (0.0..=1.0).contains(&enter)).then_some(enter)
}

/// Solves it by the quadratic formula.
fn entry_of_circle(radius: f64, from: DVec2, motion: DVec2) -> Option<f64> {
    let (a, half_b, c) = (
        motion.length_squared(),
        from.dot(motion),
        from.length_squared() - radius * radius,
    );
    let discriminant = half_b * half_b - a * c;
    if discriminant <= 0.0 {
        return None;
    }
    let enter = (-half_b - discriminant.sqrt()) / a;
    (0.0..=1.0).contains(&enter).then_some(enter)
}

/// Returns how far a point is from the region within `radius` of a box; negative inside.
fn gap(half: DVec2, radius: f64, at: DVec2) -> f64 {
    let out = at.abs() - half;
    out.max(DVec2::ZERO).length() + out.max_element().min(0.0) - radius
}

struct Case {
    moving: Shape,
    target: Shape,
    offset: Vec2,
    motion: Vec2,
}

fn case(random: &mut Rng, moves_round: bool, is_round: bool) -> Case {
    let mut shape = |round: bool| {
        if round {
            circle(between(random, 0.5, 40.0))
        } else {
            rectangle(between(random, 0.5, 40.0), between(random, 0.5, 40.0))
        }
    };
    let (moving, target) = (shape(moves_round), shape(is_round));
    let place = |random: &mut Rng, far: f32| {
        Vec2::new(between(random, -far, far), between(random, -far, far))
    };
    let offset = place(random, 150.0);
    let motion = if random.bool() {
        // Roughly towards it.
        offset * between(random, 0.5, 2.0) + place(random, 40.0)
    } else {
        place(random, 300.0)
    };
    Case {
        moving,
        target,
        offset,
        motion,
    }
}

/// Calls `check` with a pairing's name, a case that starts apart, and the reference's answer. Returns hits and misses.
fn for_each_case(
    seed: u64,
    count: usize,
    mut check: impl FnMut(&str, &Case, Option<f64>),
) -> [[usize; 2]; 4] {
    let mut random = Rng::with_seed(seed);
    let pairings = [(true, true), (true, false), (false, true), (false, false)];
    let mut counts = [[0; 2]; 4];
    for number in 0..count {
        let which = number % 4;
        let (moves_round, is_round) = pairings[which];
        let case = case(&mut random, moves_round, is_round);
        let sum = case.moving.sum(case.target);
        let (half, radius) = (sum.half_size().as_dvec2(), f64::from(sum.radius()));
        let (from, motion) = (-case.offset.as_dvec2(), case.motion.as_dvec2());
        if gap(half, radius, from) < CLOSE {
            continue;
        }
        let expected = entry(half, radius, from, motion);
        counts[which][usize::from(expected.is_none())] += 1;
        let name = format!("round {moves_round} at round {is_round}, case {number}");
        check(&name, &case, expected);
    }
    counts
}

#[test]
fn casts_agree_with_a_reference_in_f64() {
    let counts = for_each_case(41, CASES, |name, case, expected| {
        let ours = cast_shape(case.moving, case.target, case.offset, case.motion);
        let sum = case.moving.sum(case.target);
        let (half, radius) = (sum.half_size().as_dvec2(), f64::from(sum.radius()));
        let (from, motion) = (-case.offset.as_dvec2(), case.motion.as_dvec2());
        match (ours, expected) {
            (None, None) => {}
            (Some(ours), Some(expected)) => {
                let apart = (f64::from(ours.fraction) - expected).abs() * motion.length();
                // Nearly along a surface the time is ill defined, but the place must be at the surface.
                let there = gap(half, radius, from + motion * f64::from(ours.fraction));
                assert!(
                    apart < CLOSE || there.abs() < 1.0e-4,
                    "{name}: {ours:?}, not {expected}"
                );
                assert!(
                    (ours.normal.length() - 1.0).abs() < 1.0e-5,
                    "{name}: {ours:?}"
                );
                assert!(ours.normal.dot(case.motion) < 0.0, "{name}: {ours:?}");
                assert!(!ours.started_inside);
            }
            // The cast hits by a hair only.
            (Some(ours), None) => {
                let more = entry(half + CLOSE, radius, from, motion * (1.0 + 1.0e-5));
                assert!(more.is_some(), "{name}: {ours:?} is none");
            }
            (None, Some(expected)) => {
                let smaller = if radius > 0.0 {
                    entry(half, radius - CLOSE, from, motion * (1.0 - 1.0e-5))
                } else {
                    entry(half - CLOSE, radius, from, motion * (1.0 - 1.0e-5))
                };
                assert!(smaller.is_none(), "{name}: none is {expected}");
            }
        }
    });
    for [hits, misses] in counts {
        assert!(hits > CASES / 20 && misses > CASES / 20, "{counts:?}");
    }
}

fn to_parry(shape: Shape) -> Box<dyn ParryShape> {
    if shape.half_size() == Vec2::ZERO {
        Box::new(Ball::new(shape.radius()))
    } else {
        let half = Vector::new(shape.half_size().x, shape.half_size().y);
        Box::new(Cuboid::new(half))
    }
}

#[test]
fn casts_agree_with_parry() {
    let pose = |at: Vec2| Pose::translation(at.x, at.y);
    let (mut compared, mut unsure) = (0, 0);
    for_each_case(42, CASES, |name, case, _| {
        let parry = query::cast_shapes(
            &pose(Vec2::ZERO),
            Vector::new(case.motion.x, case.motion.y),
            &*to_parry(case.moving),
            &pose(case.offset),
            Vector::ZERO,
            &*to_parry(case.target),
            ShapeCastOptions::with_max_time_of_impact(1.0),
        );
        let parry = parry.expect("supported");
        let ours = cast_shape(case.moving, case.target, case.offset, case.motion);
        let sum = case.moving.sum(case.target);
        let (half, radius) = (sum.half_size().as_dvec2(), f64::from(sum.radius()));
        let at =
            |fraction: f32| -case.offset.as_dvec2() + case.motion.as_dvec2() * f64::from(fraction);
        compared += 1;
        match (parry, ours) {
            (None, None) => {}
            (Some(parry), Some(ours)) if parry.status == ShapeCastStatus::Converged => {
                let apart = (parry.time_of_impact - ours.fraction).abs() * case.motion.length();
                let there = gap(half, radius, at(parry.time_of_impact)).abs();
                assert!(
                    apart < 0.01 || there < 0.01,
                    "{name}: parry {parry:?}, ours {ours:?}"
                );
            }
            // parry2d iterates, and reports when it has not converged.
            (Some(_), Some(_)) => unsure += 1,
            (Some(parry), None) => {
                let deepest = (0..=2000).map(|step| gap(half, radius, at(step as f32 / 2000.0)));
                let deepest = deepest.min_by(f64::total_cmp).expect("some");
                assert!(
                    deepest > -0.01,
                    "{name}: ours misses what parry hits: {parry:?}"
                );
            }
            (None, Some(ours)) => {
                let there = gap(half, radius, at(ours.fraction));
                assert!(
                    there.abs() < 0.01,
                    "{name}: parry misses what ours hits: {ours:?}"
                );
                unsure += 1;
            }
        }
    });
    assert!(
        unsure * 100 < compared,
        "parry is unsure of {unsure} in {compared}"
    );
}
