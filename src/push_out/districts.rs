//! Districts: bodies that are near each other, directly or through others. What overlaps in one has nothing to do with any other one, as long as nobody goes far.
//!
//! ```text
//! of each near pair, both bodies are in one district, if both can be moved
//! those in which nobody overlaps are left out
//! the others are put into batches of about so many pairs, neighbours together: small ones are not worth a start each
//! ```

use super::surroundings::{NONE, Surroundings};
use crate::sets::Sets;

/// Who is in which district, and the pairs of each batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Districts {
    /// Slots that are near each other, directly or through others.
    sets: Sets,
    /// By slot: who stands for its district.
    leaders: Vec<u32>,
    /// By slot of who stands for a district: how many pairs it has.
    counts: Vec<u32>,
    /// By slot of who stands for a district: the number of the problem of which it is a part, or [`NONE`].
    problems: Vec<u32>,
    /// By slot of who stands for a district: somebody in it has been somewhere else.
    are_restless: Vec<bool>,
    /// Those for which that holds.
    restless: Vec<u32>,
    /// As they come, and a body of each that can be moved.
    all: Vec<((u32, u32), u32)>,
    /// Batch after batch.
    pairs: Vec<(u32, u32)>,
    /// Where the pairs of each batch begin, and where the last one ends.
    starts: Vec<u32>,
    /// The pairs of problems that are no batches, after the numbers of these.
    regrouped: Vec<(u32, (u32, u32))>,
}

impl Districts {
    /// Finds them, and puts them into batches of so many pairs, each a problem of its own. False if it is not known who is within reach of each other.
    pub(super) fn find(
        &mut self,
        outside: &dyn Surroundings,
        overlapping: &[(u32, u32)],
        (reach, batch_size): (f32, usize),
    ) -> bool {
        let slots = outside.slots();
        self.sets.start(slots as usize);
        self.all.clear();
        let Self { sets, all, .. } = self;
        let is_known = outside.near_pairs(reach, &mut |[a, b], [one, other]| {
            if let (Some(one), Some(other)) = (one, other) {
                sets.join(one, other);
            }
            if let Some(body) = one.or(other) {
                all.push(((a, b), body));
            }
        });
        if !is_known {
            return false;
        }
        // Rooms are near everybody. Who is in the wall of one has a district all the same.
        let is_room = |slot: &u32| outside.rooms().contains(slot);
        if !outside.rooms().is_empty() {
            let in_rooms = overlapping.iter().filter(|(a, b)| is_room(a) || is_room(b));
            self.all.extend(in_rooms.filter_map(|&(a, b)| {
                let body = outside.dynamic_body(a).or_else(|| outside.dynamic_body(b));
                Some(((a, b), body?))
            }));
        }
        self.leaders.clear();
        self.leaders.extend_from_slice(self.sets.flatten());
        self.divide(outside, overlapping, batch_size);
        true
    }

    /// Puts districts into batches, in the order in which somebody overlaps in them.
    fn divide(
        &mut self,
        outside: &dyn Surroundings,
        overlapping: &[(u32, u32)],
        batch_size: usize,
    ) {
        let Self {
            sets: _,
            leaders,
            counts,
            problems,
            are_restless,
            restless,
            all,
            pairs,
            starts,
            regrouped: _,
        } = self;
        counts.clear();
        counts.resize(leaders.len(), 0);
        for (_, body) in &*all {
            counts[leaders[*body as usize] as usize] += 1;
        }
        problems.clear();
        problems.resize(leaders.len(), NONE);
        are_restless.clear();
        are_restless.resize(leaders.len(), false);
        restless.clear();
        starts.clear();
        starts.push(0);
        for &(a, b) in overlapping {
            let Some(body) = outside.dynamic_body(a).or_else(|| outside.dynamic_body(b)) else {
                continue;
            };
            let leader = leaders[body as usize] as usize;
            if problems[leader] != NONE {
                continue;
            }
            if starts
                .last()
                .is_some_and(|count| *count as usize >= batch_size)
            {
                starts.push(0);
            }
            problems[leader] = starts.len() as u32 - 1;
            if let Some(count) = starts.last_mut() {
                *count += counts[leader];
            }
        }
        // Counts become ends; filling backwards turns ends into starts.
        let mut end = 0;
        for count in &mut *starts {
            end += *count;
            *count = end;
        }
        pairs.clear();
        pairs.resize(end as usize, (0, 0));
        for (pair, body) in all.iter().rev() {
            let batch = problems[leaders[*body as usize] as usize];
            if batch != NONE {
                let start = &mut starts[batch as usize];
                *start -= 1;
                pairs[*start as usize] = *pair;
            }
        }
        starts.push(end);
    }

    pub(super) fn batch_count(&self) -> u32 {
        (self.starts.len() as u32).saturating_sub(1)
    }

    /// The pairs of a batch.
    pub(super) fn pairs(&self, batch: u32) -> &[(u32, u32)] {
        let (start, end) = (self.starts[batch as usize], self.starts[batch as usize + 1]);
        &self.pairs[start as usize..end as usize]
    }

    /// Of all batches.
    pub(super) fn pair_count(&self) -> usize {
        self.pairs.len()
    }

    /// Who stands for the district of the body in a slot.
    #[inline]
    pub(super) fn district(&self, slot: u32) -> u32 {
        self.leaders[slot as usize]
    }

    /// The problem of which the body in a slot is a part.
    #[inline]
    pub(super) fn problem_of(&self, slot: u32) -> Option<u32> {
        let problem = self.problems[self.district(slot) as usize];
        (problem != NONE).then_some(problem)
    }

    /// Makes a district a part of another problem.
    pub(super) fn set_problem(&mut self, district: u32, problem: u32) {
        self.problems[district as usize] = problem;
    }

    /// Whether somebody in a district has been somewhere else.
    pub(super) fn is_restless(&self, district: u32) -> bool {
        self.are_restless[district as usize]
    }

    /// Takes note of those in which somebody has been somewhere else, and of no others.
    pub(super) fn set_restless(&mut self, districts: impl Iterator<Item = u32>) {
        for district in self.restless.drain(..) {
            self.are_restless[district as usize] = false;
        }
        self.restless.extend(districts);
        for &district in &self.restless {
            self.are_restless[district as usize] = true;
        }
    }

    /// Collects the pairs of problems with this number and higher ones.
    pub(super) fn regroup(&mut self, first: u32) {
        let mut regrouped = std::mem::take(&mut self.regrouped);
        regrouped.clear();
        regrouped.extend(self.all.iter().filter_map(|&(pair, body)| {
            let problem = self.problem_of(body)?;
            (problem >= first).then_some((problem, pair))
        }));
        regrouped.sort_unstable();
        self.regrouped = regrouped;
    }

    /// Adds those of one that is no batch.
    pub(super) fn collect_pairs(&self, problem: u32, pairs: &mut Vec<(u32, u32)>) {
        let start = self
            .regrouped
            .partition_point(|(other, _)| *other < problem);
        let from_there = self.regrouped[start..].iter();
        let of_it = from_there.take_while(|(other, _)| *other == problem);
        pairs.extend(of_it.map(|(_, pair)| *pair));
    }
}
