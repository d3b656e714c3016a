//! Districts: sets of bodies that are near each other, directly or through others. An overlap in one district does not affect any other one, as long as no body goes far.
//!
//! ```text
//! both bodies of each near pair are in one district, if both are dynamic
//! districts in which nothing overlaps are left out
//! the others are put into batches of about `batch_size` pairs, neighbors together: small districts are not worth a start each
//! ```

use super::surroundings::{NONE, Surroundings};
use crate::{lists::Lists, sets::Sets};

/// The district of each body, and the pairs of each batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Districts {
    /// The districts, by slot; the lowest slot of each is its leader.
    sets: Sets,
    /// By slot of a leader: how many pairs its district has.
    counts: Vec<u32>,
    /// By slot of a leader: the number of the problem that its district is part of, or [`NONE`].
    problems: Vec<u32>,
    /// By slot of a leader: whether its district is restless: a body of it has gone far, or has been met by one of another district of the same problem.
    are_restless: Vec<bool>,
    /// Leaders of the restless districts.
    restless: Vec<u32>,
    /// Near pairs in the order in which they were found, each with a dynamic body of it.
    all: Vec<((u32, u32), u32)>,
    /// The pairs of each batch.
    pairs: Lists<(u32, u32)>,
    /// Pairs of problems that are not batches, each after the number of its problem.
    regrouped: Vec<(u32, (u32, u32))>,
}

impl Districts {
    /// Finds the districts, and puts them into batches of about `batch_size` pairs, each a problem of its own. Returns false if the pairs within reach are not known.
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
        // Rooms are near everything, so they are not among the near pairs. A body that overlaps the wall of one needs a district all the same.
        let is_room = |slot: &u32| outside.rooms().contains(slot);
        if !outside.rooms().is_empty() {
            let in_rooms = overlapping.iter().filter(|(a, b)| is_room(a) || is_room(b));
            self.all.extend(in_rooms.filter_map(|&(a, b)| {
                let body = outside.dynamic_body(a).or_else(|| outside.dynamic_body(b));
                Some(((a, b), body?))
            }));
        }
        self.sets.flatten();
        self.divide(outside, overlapping, batch_size);
        true
    }

    /// Puts districts into batches, in the order of their first overlapping pairs.
    fn divide(
        &mut self,
        outside: &dyn Surroundings,
        overlapping: &[(u32, u32)],
        batch_size: usize,
    ) {
        let Self {
            sets,
            counts,
            problems,
            are_restless,
            restless,
            all,
            pairs,
            regrouped: _,
        } = self;
        let leaders = sets.leaders();
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
        pairs.begin(1);
        let (mut batch, mut size) = (0, 0);
        for &(a, b) in overlapping {
            let Some(body) = outside.dynamic_body(a).or_else(|| outside.dynamic_body(b)) else {
                continue;
            };
            let leader = leaders[body as usize] as usize;
            if problems[leader] != NONE {
                continue;
            }
            if size as usize >= batch_size {
                pairs.add_list();
                (batch, size) = (batch + 1, 0);
            }
            problems[leader] = batch;
            pairs.announce(batch, counts[leader]);
            size += counts[leader];
        }
        pairs.fill(all.iter().filter_map(|(pair, body)| {
            let batch = problems[leaders[*body as usize] as usize];
            (batch != NONE).then_some((batch, *pair))
        }));
    }

    pub(super) fn batch_count(&self) -> u32 {
        self.pairs.count() as u32
    }

    /// The pairs of a batch.
    pub(super) fn pairs(&self, batch: u32) -> &[(u32, u32)] {
        self.pairs.of(batch)
    }

    /// Returns how many pairs all batches have together.
    pub(super) fn pair_count(&self) -> usize {
        self.pairs.items().len()
    }

    /// Returns the leader of the district of the body in a slot.
    #[inline]
    pub(super) fn district(&self, slot: u32) -> u32 {
        self.sets.leaders()[slot as usize]
    }

    /// Returns the problem that the body in a slot is part of.
    #[inline]
    pub(super) fn problem_of(&self, slot: u32) -> Option<u32> {
        let problem = self.problems[self.district(slot) as usize];
        (problem != NONE).then_some(problem)
    }

    /// Moves a district to another problem.
    pub(super) fn set_problem(&mut self, district: u32, problem: u32) {
        self.problems[district as usize] = problem;
    }

    /// Whether a district is restless.
    pub(super) fn is_restless(&self, district: u32) -> bool {
        self.are_restless[district as usize]
    }

    /// Marks these districts as restless, and no others.
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

    /// Adds the pairs of a problem that is not a batch.
    pub(super) fn collect_pairs(&self, problem: u32, pairs: &mut Vec<(u32, u32)>) {
        let start = self
            .regrouped
            .partition_point(|(other, _)| *other < problem);
        let from_there = self.regrouped[start..].iter();
        let of_it = from_there.take_while(|(other, _)| *other == problem);
        pairs.extend(of_it.map(|(_, pair)| *pair));
    }
}
