//! The push-out as a whole: one problem, or, where many pairs overlap, one for each batch of districts, each solved by any free thread.
//!
//! ```text
//! each batch of districts is a problem, and is solved as if there were no others                                                      (districts, solver)
//! if a body is pushed so far that it may have met a body of another district, the districts of both are solved once more, as one problem   (joins)
//! ```
//!
//! So the result is that of one problem for all, to the bit, whichever thread solved what: no two bodies that affect each other are in different problems. And the memory of a small problem stays in the caches from its first round to its last.

use std::sync::atomic::{AtomicUsize, Ordering};

use bevy::math::Vec2;

use super::{
    districts::Districts,
    joins::Joins,
    solver::{Outcome, Solver, Start},
    stuck::Stuck,
    surroundings::Surroundings,
    world::LEANING,
};
use crate::{
    kernel::Outline,
    parallel,
    placed::{Meeting, extent_at},
};

/// With fewer overlapping pairs than this, all of them are one problem.
pub(crate) const PAIRS_TO_DIVIDE: usize = 512;
/// A batch of districts has this many near pairs, or a few more: its data fits into the nearest caches.
const PAIRS_IN_BATCH: usize = 512;
/// Of two overlapping colliders, the size of the larger one counts as at most this many times that of the smaller one.
const MOST_UNEQUAL: f32 = 4.0;
/// If no more than this many pairs overlap, the bodies around the large colliders are measured too.
const FEW_OVERLAPS: usize = 64;
/// The size of such a body counts this many times.
const LYING: f32 = 2.0;
/// With at least this many near pairs in districts, other threads are worth waking.
const WORTH_IT: usize = 2048;

/// The push-out, with its buffers; nothing in them outlives a call of [`run`](Self::run).
#[derive(Clone, Debug, Default)]
pub(crate) struct PushOut {
    /// Slots of the pairs that overlap at first.
    overlapping: Vec<(u32, u32)>,
    /// Slots of the large colliders of these pairs.
    large: Vec<u32>,
    reach: f32,
    districts: Districts,
    joins: Joins,
    /// Numbers of the problems that are still to be solved.
    open: Vec<u32>,
    workers: Vec<Worker>,
    outcome: Outcome,
}

/// What a push-out did.
pub(crate) struct Pushed<'a> {
    met: &'a [Meeting],
    /// Slots of the bodies that have moved, and their new positions, sorted by slot.
    pub(crate) moved: &'a [(u32, Vec2)],
    /// Colliders that could not be freed, sorted by slot.
    pub(crate) stuck: &'a [Stuck],
    /// How many pairs overlapped at first.
    pub(crate) overlapping: usize,
    /// If no body moves farther than this, all pairs that can touch are known from the start, or have been searched for.
    pub(crate) reach: f32,
}

/// Solves problems, one after the other.
#[derive(Clone, Debug, Default)]
struct Worker {
    solver: Solver,
    outcome: Outcome,
    answers: Vec<Answer>,
    /// Pairs of a problem that is not a batch.
    pairs: Vec<(u32, u32)>,
}

/// A problem, and where its part in the outcome of its worker ends: the length of each list after it.
#[derive(Clone, Copy, Debug, Default)]
struct Answer {
    problem: u32,
    met: usize,
    moved: usize,
    stuck: usize,
    hosts: usize,
    looks: usize,
}

impl Pushed<'_> {
    /// Returns every pair that overlapped on the way and did not before, sorted by slots, each as it was when it first overlapped.
    pub(crate) fn met(&self) -> impl Iterator<Item = Meeting> {
        self.met.iter().copied()
    }

    /// Whether the pair with these slots is one of `met`.
    pub(crate) fn has_met(&self, slots: (u32, u32)) -> bool {
        let known = self
            .met
            .binary_search_by_key(&slots, |meeting| meeting.slots);
        known.is_ok()
    }
}

impl PushOut {
    /// Moves dynamic bodies until no two colliders that push each other overlap, or `rounds` are used up, or no round helps any more.
    ///
    /// `overlapping` are the slots of all pairs that overlap now.
    pub(crate) fn run(
        &mut self,
        outside: &dyn Surroundings,
        overlapping: impl Iterator<Item = (u32, u32)>,
        rounds: u32,
    ) -> Pushed<'_> {
        self.run_divided(
            outside,
            overlapping,
            rounds,
            (PAIRS_TO_DIVIDE, PAIRS_IN_BATCH),
        )
    }

    /// Does the same, but divides the world if at least `many` pairs overlap, into batches of about `pairs` near pairs.
    pub(super) fn run_divided(
        &mut self,
        outside: &dyn Surroundings,
        overlapping: impl Iterator<Item = (u32, u32)>,
        rounds: u32,
        (many, pairs): (usize, usize),
    ) -> Pushed<'_> {
        self.overlapping.clear();
        self.outcome.clear();
        if rounds > 0 {
            self.overlapping.extend(overlapping);
            self.reach = self.find_reach(outside);
            let (overlapping, reach) = (&self.overlapping, self.reach + LEANING);
            let is_divided = overlapping.len() >= many
                && self.districts.find(outside, overlapping, (reach, pairs));
            if is_divided {
                self.solve_districts(outside, rounds);
            } else {
                self.solve_whole(outside, rounds);
            }
            self.outcome.put_in_order();
        }
        Pushed {
            met: &self.outcome.met,
            moved: &self.outcome.moved,
            stuck: &self.outcome.stuck,
            overlapping: self.overlapping.len(),
            reach: self.reach + LEANING,
        }
    }

    /// Returns how many problems of the last run were made by joining others.
    #[cfg(test)]
    pub(super) fn joined(&self) -> usize {
        self.joins.joined(self.districts.batch_count())
    }

    /// Returns half of a typical half size, so that few bodies go that far. What cannot be pushed does not count, and a collider far larger than the other of its pair, or than those around it, counts for little more than these: neither a ground
    /// without end nor a giant may put the whole world within reach of everything.
    fn find_reach(&mut self, outside: &dyn Surroundings) -> f32 {
        let size = |slot: u32| size_of(outside, slot);
        // Sums all sizes, in `f64`, so finely that the order does not matter: a sample would depend on the order.
        let (mut sum, mut count) = (0.0, 0);
        for &(a, b) in &self.overlapping {
            let sizes = [size(a), size(b)];
            let most = sizes.into_iter().flatten().fold(f32::INFINITY, f32::min) * MOST_UNEQUAL;
            for size in sizes.into_iter().flatten() {
                sum += f64::from(size.min(most));
                count += 1;
            }
        }
        let mut typical = (sum / f64::from(count.max(1))) as f32;
        // If few pairs overlap, their colliders may all be giants, with small ones lying on them.
        if self.overlapping.len() <= FEW_OVERLAPS {
            let all = self.overlapping.iter().flat_map(|&(a, b)| [a, b]);
            let large = all.filter(|&slot| size(slot).is_some_and(|size| size >= typical));
            self.large.clear();
            self.large.extend(large);
            self.large.sort_unstable();
            self.large.dedup();
            let large = self.large.iter();
            let least = large.map(|&slot| least_around(outside, slot));
            typical = typical.min(least.fold(f32::INFINITY, f32::min) * LYING);
        }
        typical.max(2.0 * LEANING) * 0.5
    }

    fn solve_whole(&mut self, outside: &dyn Surroundings, rounds: u32) {
        self.make_workers(1);
        let start = Start::Overlapping(&self.overlapping);
        let limits = (self.reach, rounds);
        let solver = &mut self.workers[0].solver;
        solver.solve(outside, start, limits, &mut self.outcome);
    }

    fn solve_districts(&mut self, outside: &dyn Surroundings, rounds: u32) {
        let is_worth_it = self.districts.pair_count() >= WORTH_IT;
        let threads = parallel::threads(is_worth_it);
        self.make_workers(threads);
        for worker in &mut self.workers {
            worker.outcome.clear();
            worker.answers.clear();
        }
        self.joins.start(self.districts.batch_count());
        let limits = (self.reach, rounds);
        loop {
            self.open.clear();
            self.open.extend(self.joins.open());
            if self.open.is_empty() {
                break;
            }
            let (districts, open) = (&self.districts, &self.open);
            // It makes no difference which worker solves which problem, so each takes the next one when it is free.
            let next = AtomicUsize::new(0);
            let workers = self.workers[..threads].iter_mut();
            parallel::for_each(workers, threads > 1, |worker| {
                while let Some(&problem) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                    worker.solve(outside, districts, problem, limits);
                }
            });
            self.join_problems();
        }
        let (districts, joins) = (&self.districts, &self.joins);
        for worker in &self.workers {
            worker.tell(outside, (districts, joins), &mut self.outcome);
        }
    }

    fn make_workers(&mut self, count: usize) {
        if self.workers.len() < count {
            self.workers.resize_with(count, Worker::default);
        }
    }

    /// Finds out which of the solved problems affect each other.
    fn join_problems(&mut self) {
        let Self {
            districts,
            joins,
            workers,
            ..
        } = self;
        joins.clear();
        for worker in &*workers {
            let outcome = &worker.outcome;
            for (answer, from) in worker.answers() {
                let problem = answer.problem;
                // Skip a problem that was joined into a new one: the districts left in it affected no others.
                if joins.is_current(problem) {
                    let hosts = &outcome.hosts[from.hosts..answer.hosts];
                    joins
                        .hosts
                        .extend(hosts.iter().map(|&slot| (slot, problem)));
                    let looks = outcome.looks[from.looks..answer.looks].iter();
                    let looks = looks.map(|&(extent, slot)| (extent, (slot, problem)));
                    joins.looks.extend(looks);
                }
            }
        }
        joins.find(districts);
    }
}

/// Returns the half size of a collider, if its body can be pushed; `None` for a point.
fn size_of(outside: &dyn Surroundings, slot: u32) -> Option<f32> {
    match outside.placed(slot).outline {
        Outline::Shape(shape) if outside.dynamic_body(slot).is_some() => {
            // A point is no measure of size.
            let size = shape.half_extents().max_element();
            (size > 0.0).then_some(size)
        }
        _ => None,
    }
}

/// Returns the least half size of the pushable colliders that meet the box of a collider.
fn least_around(outside: &dyn Surroundings, slot: u32) -> f32 {
    let placed = outside.placed(slot);
    let center = outside.body_state(placed.body).position + placed.offset;
    let mut least = f32::INFINITY;
    let Outline::Shape(shape) = placed.outline else {
        return least;
    };
    let here = extent_at(shape, center, LEANING);
    outside.find_moving(&here, &mut |other| {
        if !outside.is_sensor(other) {
            least = least.min(size_of(outside, other).unwrap_or(f32::INFINITY));
        }
    });
    least
}

impl Worker {
    fn solve(
        &mut self,
        outside: &dyn Surroundings,
        districts: &Districts,
        problem: u32,
        limits: (f32, u32),
    ) {
        let Self {
            solver,
            outcome,
            answers,
            pairs,
        } = self;
        // At first each batch is the problem with the same number.
        let pairs = if problem < districts.batch_count() {
            districts.pairs(problem)
        } else {
            pairs.clear();
            districts.collect_pairs(problem, pairs);
            pairs
        };
        solver.solve(outside, Start::Near(pairs, districts), limits, outcome);
        answers.push(Answer {
            problem,
            met: outcome.met.len(),
            moved: outcome.moved.len(),
            stuck: outcome.stuck.len(),
            hosts: outcome.hosts.len(),
            looks: outcome.looks.len(),
        });
    }

    /// Returns each answer, and the one before it.
    fn answers(&self) -> impl Iterator<Item = (&Answer, Answer)> {
        let none = std::iter::once(Answer::default());
        let last = none.chain(self.answers.iter().copied());
        self.answers.iter().zip(last)
    }

    /// Adds what counts to the outcome of all: what a problem reports of bodies that are at home in it.
    fn tell(
        &self,
        outside: &dyn Surroundings,
        (districts, joins): (&Districts, &Joins),
        all: &mut Outcome,
    ) {
        let own = &self.outcome;
        for (answer, from) in self.answers() {
            let counts_body = |body: u32| joins.counts(districts, (body, answer.problem));
            let counts = |slot: u32| outside.dynamic_body(slot).is_none_or(counts_body);
            let met = own.met[from.met..answer.met].iter();
            let met = met.filter(|met| counts(met.slots.0) && counts(met.slots.1));
            all.met.extend(met);
            let moved = own.moved[from.moved..answer.moved].iter();
            all.moved
                .extend(moved.filter(|(body, _)| counts_body(*body)));
            let stuck = own.stuck[from.stuck..answer.stuck].iter();
            all.stuck.extend(stuck.filter(|stuck| counts(stuck.slot)));
        }
    }
}
