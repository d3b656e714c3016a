//! What is in an area, and what is near a point.

use std::{cmp::Ordering, ops::ControlFlow};

use bevy::math::Vec2;

use super::{area::Area, targets::Targets};
use crate::{
    kernel::{Approach, MAX_COORDINATE, Outline, is_in_world},
    parallel,
};

/// So many may be kept in order while they are found.
const FEW: usize = 16;
/// An area is long whose one side is so many times the other one: of those around its middle, most are beside it.
const LONG: f32 = 2.0;
/// So many are asked whether they are in a long area, the nearest first, until it is gone through from one end to the other.
const PATIENCE: usize = 64;
/// So many areas are looked into by one thread at a time.
const STRETCH: usize = 64;

/// Somebody who is there, and how far he is from the point that was asked for, or from the middle of the area.
#[derive(Clone, Copy, Debug)]
struct Near<W> {
    who: W,
    distance: f32,
}

impl<W: Copy> Near<W> {
    #[inline(always)]
    fn new(targets: &impl Targets<Who = W>, who: W, point: Vec2) -> Self {
        let distance = targets.ask(who, |outline, center| outline.distance_to(point - center));
        Self { who, distance }
    }
}

/// How somebody in a place lies to a point, and the nearest of him in the world.
#[inline]
pub(crate) fn approach((outline, center): (Outline, Vec2), point: Vec2) -> (Approach, Vec2) {
    let approach = outline.approach(point - center);
    let nearest = if approach.is_inside {
        point
    } else {
        center + approach.point
    };
    (approach, nearest)
}

/// Everybody in the area, in no order that means anything, until it is broken off.
#[inline(always)]
pub(crate) fn overlap_each<T: Targets>(
    targets: &T,
    area: &Area,
    mut each: impl FnMut(T::Who) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if !area.is_valid() {
        return ControlFlow::Continue(());
    }
    targets.within(area, |who, is_in| {
        let is_met = || targets.ask(who, |outline, center| area.meets(outline, center));
        debug_assert!(!is_in || is_met(), "sure and yet not in it");
        if (is_in || is_met()) && targets.admits(who) {
            each(who)
        } else {
            ControlFlow::Continue(())
        }
    })
}

/// Everybody in the area, the nearest to its middle first.
pub(crate) fn overlap_all<T: Targets>(targets: &T, area: &Area) -> Vec<T::Who> {
    let mut found = Vec::new();
    let _ = overlap_each(targets, area, |who| {
        found.push(Near::new(targets, who, area.center));
        ControlFlow::Continue(())
    });
    found.sort_unstable_by(|a, b| compare(targets, a, b));
    found.into_iter().map(|near| near.who).collect()
}

/// Everybody in each of many areas, in their order; by several threads if they are many.
pub(crate) fn overlap_many<T: Targets + Sync, Q: Sync, A: Send>(
    targets: &T,
    questions: &[Q],
    area: impl Fn(&Q) -> Area + Sync,
    answer: impl Fn(&Area, T::Who) -> A + Sync,
) -> Vec<Vec<A>> {
    let mut answers: Vec<Vec<A>> = Vec::new();
    answers.resize_with(questions.len(), Vec::new);
    let stretches = answers.chunks_mut(STRETCH).zip(questions.chunks(STRETCH));
    let is_worth_it = questions.len() >= 2 * STRETCH;
    parallel::for_each(stretches, is_worth_it, |(answers, questions)| {
        for (place, question) in answers.iter_mut().zip(questions) {
            let area = area(question);
            let all = overlap_all(targets, &area);
            place.extend(all.iter().map(|found| answer(&area, *found)));
        }
    });
    answers
}

/// Who is nearest to the middle of the area, of those in it.
pub(crate) fn overlap_first<T: Targets>(targets: &T, area: &Area) -> Option<T::Who> {
    let half = area.shape.half_extents();
    // Nobody in the area is farther from its middle than its own corners, which may be rounded.
    let reach = half.length() * 1.001;
    // Around what is long and narrow there are far more than in it.
    let is_long = half.max_element() > LONG * half.min_element();
    let mut patience = if is_long { PATIENCE } else { usize::MAX };
    // Beside something large, who is in it may be farther by rounding than that.
    let found = first(targets, area.center, reach, |near| {
        patience = patience.saturating_sub(1);
        (patience > 0).then(|| targets.ask(near.who, |outline, center| area.meets(outline, center)))
    });
    if patience > 0 {
        return found;
    }
    let mut best: Option<Near<T::Who>> = None;
    let _ = overlap_each(targets, area, |who| {
        let near = Near::new(targets, who, area.center);
        if is_better(targets, &near, best.as_ref()) {
            best = Some(near);
        }
        ControlFlow::Continue(())
    });
    best.map(|near| near.who)
}

/// Who is nearest to a point, and no farther than `reach`.
pub(crate) fn nearest<T: Targets>(targets: &T, point: Vec2, reach: f32) -> Option<T::Who> {
    first(targets, point, reach, |near| Some(near.distance <= reach))
}

/// Who is nearest, of those who count; the search is over once it is not said of somebody whether he does.
fn first<T: Targets>(
    targets: &T,
    point: Vec2,
    reach: f32,
    mut counts: impl FnMut(&Near<T::Who>) -> Option<bool>,
) -> Option<T::Who> {
    let reach = reach_of(point, reach)?;
    let mut best: Option<Near<T::Who>> = None;
    targets.near(point, reach, |who| {
        let near = Near::new(targets, who, point);
        if is_better(targets, &near, best.as_ref()) {
            match counts(&near) {
                Some(true) if targets.admits(who) => best = Some(near),
                Some(_) => {}
                None => return -1.0,
            }
        }
        (best.as_ref()).map_or(reach, |best| reach.min(best.distance))
    });
    best.map(|near| near.who)
}

#[inline(always)]
fn is_better<T: Targets>(targets: &T, near: &Near<T::Who>, best: Option<&Near<T::Who>>) -> bool {
    best.is_none_or(|best| compare(targets, near, best).is_lt())
}

/// The `count` that are nearest to a point, and no farther than `reach`, the nearest one first.
pub(crate) fn nearest_n<T: Targets>(
    targets: &T,
    point: Vec2,
    count: usize,
    reach: f32,
) -> Vec<T::Who> {
    let (Some(reach), false) = (reach_of(point, reach), count == 0) else {
        return Vec::new();
    };
    let mut best = Best {
        targets,
        found: Vec::new(),
        count,
        reach,
    };
    targets.near(point, reach, |who| {
        let near = Near::new(targets, who, point);
        if near.distance <= best.reach {
            best.offer(near);
        }
        best.reach
    });
    best.sort();
    best.found.into_iter().map(|near| near.who).collect()
}

/// Everybody who is no farther from a point than `reach`, the nearest first, until it is broken off.
pub(crate) fn nearest_each<T: Targets>(
    targets: &T,
    point: Vec2,
    reach: f32,
    mut each: impl FnMut(T::Who) -> ControlFlow<()>,
) -> ControlFlow<()> {
    // Who has seen enough early pays for a few. Who goes on pays for a third more than all at once would cost.
    let mut count = FEW;
    let mut last: Option<Near<T::Who>> = None;
    // How many of those who are like the last one have been told: of an index of shapes, several may have one key in one place.
    let mut told = 0;
    loop {
        let found = nearest_n(targets, point, count, reach);
        let are_all = found.len() < count;
        // By who was the last, and not by their number: what has been told of one may be why another one does not count any more.
        let found = found.into_iter().map(|who| Near::new(targets, who, point));
        let (before, told_before) = (last, told);
        let mut alike = 0;
        for near in found {
            let is_new = match before.map(|before| compare(targets, &before, &near)) {
                None | Some(Ordering::Less) => true,
                Some(Ordering::Equal) => {
                    alike += 1;
                    alike > told_before
                }
                Some(Ordering::Greater) => false,
            };
            if is_new {
                each(near.who)?;
                let is_like_last = last.is_some_and(|last| compare(targets, &last, &near).is_eq());
                told = if is_like_last { told + 1 } else { 1 };
                last = Some(near);
            }
        }
        if are_all {
            return ControlFlow::Continue(());
        }
        count = count.saturating_mul(4);
    }
}

/// The nearest so far of those who were offered.
struct Best<'a, T: Targets> {
    targets: &'a T,
    /// Few are kept in order; of many there are up to twice as many as wanted, in none.
    found: Vec<Near<T::Who>>,
    /// How many are wanted, more than 0.
    count: usize,
    /// Who is farther away is not among them.
    reach: f32,
}

impl<T: Targets> Best<'_, T> {
    fn offer(&mut self, near: Near<T::Who>) {
        if self.count <= FEW {
            self.keep_in_order(near);
        } else if self.targets.admits(near.who) {
            self.found.push(near);
            if self.found.len() >= self.count.saturating_mul(2) {
                self.sort();
                self.reach = self.found.last().map_or(self.reach, |last| last.distance);
            }
        }
    }

    fn keep_in_order(&mut self, near: Near<T::Who>) {
        let is_full = self.found.len() == self.count;
        let is_better = match self.found.last() {
            Some(last) if is_full => compare(self.targets, &near, last).is_lt(),
            _ => true,
        };
        if is_better && self.targets.admits(near.who) {
            let before = |known: &Near<T::Who>| compare(self.targets, known, &near).is_lt();
            let at = self.found.partition_point(before);
            if is_full {
                self.found.pop();
            }
            self.found.insert(at, near);
            if self.found.len() == self.count {
                self.reach = self.found.last().map_or(self.reach, |last| last.distance);
            }
        }
    }

    /// Puts them in order, and drops who is too many.
    fn sort(&mut self) {
        self.found
            .sort_unstable_by(|a, b| compare(self.targets, a, b));
        self.found.truncate(self.count);
    }
}

/// A reach that the walk can take. None for a point or a reach that nobody can be within.
fn reach_of(point: Vec2, reach: f32) -> Option<f32> {
    // Everything is within 4 times the largest coordinate.
    (is_in_world(point) && reach >= 0.0).then(|| reach.min(4.0 * MAX_COORDINATE))
}

fn compare<T: Targets>(targets: &T, a: &Near<T::Who>, b: &Near<T::Who>) -> Ordering {
    let nearer = a.distance.total_cmp(&b.distance);
    nearer.then_with(|| targets.in_order(a.who, b.who))
}
