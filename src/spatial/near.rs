//! Searches for what is in an area, and what is near a point.

use std::{cmp::Ordering, ops::ControlFlow};

use bevy::math::Vec2;

use super::{area::Area, targets::Targets};
use crate::{
    kernel::{Approach, MAX_COORDINATE, Outline, is_in_world},
    parallel::answer_many,
};

/// Up to so many results are kept sorted while they are found.
const KEPT_SORTED: usize = 16;
/// An area is long if one side is so many times the other: of the shapes around its center, most are then beside it.
const LONG: f32 = 2.0;
/// For a long area, so many shapes are checked outwards from its center; after that, the whole area is searched instead.
const PATIENCE: usize = 64;

/// A target, and its distance from the given point, or from the center of the area.
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

/// Returns how an outline at a place lies relative to a point, and its nearest point in world space.
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

/// Calls `each` with all targets in the area, in no meaningful order, until it breaks off.
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

/// Returns all targets in the area, the nearest to its center first.
pub(crate) fn overlap_all<T: Targets>(targets: &T, area: &Area) -> Vec<T::Who> {
    let mut found = Vec::new();
    let _ = overlap_each(targets, area, |who| {
        found.push(Near::new(targets, who, area.center));
        ControlFlow::Continue(())
    });
    found.sort_unstable_by(|a, b| compare(targets, a, b));
    found.into_iter().map(|near| near.who).collect()
}

/// Returns all targets in each of many areas, in their order; uses several threads if there are many.
pub(crate) fn overlap_many<T: Targets + Sync, Q: Sync, A: Send>(
    targets: &T,
    questions: &[Q],
    area: impl Fn(&Q) -> Area + Sync,
    answer: impl Fn(&Area, T::Who) -> A + Sync,
) -> Vec<Vec<A>> {
    answer_many(questions, |question| {
        let area = area(question);
        let all = overlap_all(targets, &area);
        all.iter().map(|found| answer(&area, *found)).collect()
    })
}

/// Returns the target in the area that is nearest to its center.
pub(crate) fn overlap_first<T: Targets>(targets: &T, area: &Area) -> Option<T::Who> {
    let half = area.shape.half_extents();
    // No part of the area is farther from its center than its corners, which may be rounded.
    let reach = half.length() * 1.001;
    // Around a long and narrow area there are far more shapes than in it.
    let is_long = half.max_element() > LONG * half.min_element();
    let mut patience = if is_long { PATIENCE } else { usize::MAX };
    // Does not compare distances with `reach`: for large shapes, rounding may make one that is in the area seem farther.
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

/// Returns the target that is nearest to a point, and no farther than `reach`.
pub(crate) fn nearest<T: Targets>(targets: &T, point: Vec2, reach: f32) -> Option<T::Who> {
    first(targets, point, reach, |near| Some(near.distance <= reach))
}

/// Returns the nearest target for which `counts` is true; the search ends when `counts` returns `None`.
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

/// Returns the `count` targets that are nearest to a point, and no farther than `reach`, the nearest one first.
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

/// Calls `each` with all targets that are no farther from a point than `reach`, the nearest first, until it breaks off.
pub(crate) fn nearest_each<T: Targets>(
    targets: &T,
    point: Vec2,
    reach: f32,
    mut each: impl FnMut(T::Who) -> ControlFlow<()>,
) -> ControlFlow<()> {
    // A caller that breaks off early pays for only a few. One that goes on pays a third more than a single search would cost.
    let mut count = KEPT_SORTED;
    let mut last: Option<Near<T::Who>> = None;
    // How many targets that compare equal to the last one were passed on: in an index of shapes, several may have the same key at the same place.
    let mut told = 0;
    loop {
        let found = nearest_n(targets, point, count, reach);
        let are_all = found.len() < count;
        // Continue after the last one, and not by their number: what `each` does with one target may be why another one does not count any more.
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

/// The nearest of the targets that were offered so far.
struct Best<'a, T: Targets> {
    targets: &'a T,
    /// A few are kept sorted; if many are wanted, up to twice as many are kept, unsorted.
    found: Vec<Near<T::Who>>,
    /// How many are wanted; more than 0.
    count: usize,
    /// Targets farther away than this are not wanted.
    reach: f32,
}

impl<T: Targets> Best<'_, T> {
    fn offer(&mut self, near: Near<T::Who>) {
        if self.count <= KEPT_SORTED {
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

    /// Sorts the targets, and drops the surplus.
    fn sort(&mut self) {
        self.found
            .sort_unstable_by(|a, b| compare(self.targets, a, b));
        self.found.truncate(self.count);
    }
}

/// Returns a reach that the walk can handle. `None` for an invalid point or reach, which finds nothing.
fn reach_of(point: Vec2, reach: f32) -> Option<f32> {
    // Everything is within 4 times the largest coordinate.
    (is_in_world(point) && reach >= 0.0).then(|| reach.min(4.0 * MAX_COORDINATE))
}

fn compare<T: Targets>(targets: &T, a: &Near<T::Who>, b: &Near<T::Who>) -> Ordering {
    let nearer = a.distance.total_cmp(&b.distance);
    nearer.then_with(|| targets.in_order(a.who, b.who))
}
