//! Which problems have to do with each other after all, once each has been solved as if there were no others.
//!
//! ```text
//! whoever left home has looked around where he came: his district is restless
//!     in whose district he found somebody, he may have changed what happened there: that is restless as well
//!     is it one of another problem, both are solved once more, together
//!     who else has looked around there may have met him: the same
//! all others were right: nobody has left them, and nobody has come
//! ```
//!
//! Of two problems only the restless districts are solved once more, so what a few do costs no more than these.

use super::{districts::Districts, surroundings::NONE};
use crate::broad_phase::{BroadPhase, Extent, Found};

/// A box in which a body of a problem may have met somebody, its slot, and the problem.
pub(super) type LookOf = (Extent, (u32, u32));

/// Finds them, with its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Joins {
    /// By number of a problem: the one that has been made of it and others, or its own number.
    wholes: Vec<u32>,
    /// Problems with this number and higher ones have not been solved.
    first_open: u32,
    /// Slots of bodies, and problems in which somebody of another district has come to them.
    pub(super) hosts: Vec<(u32, u32)>,
    pub(super) looks: Vec<LookOf>,
    /// Restless districts, and the problems of which they are parts.
    restless: Vec<(u32, u32)>,
    /// Districts that are not restless, and other problems from which somebody has come to them.
    disturbed: Vec<(u32, u32)>,
    near: BroadPhase<LookOf>,
    /// Problems that looked around in one place.
    in_one_place: Found<(u32, u32)>,
}

impl Joins {
    /// So many problems, none of which is solved.
    pub(super) fn start(&mut self, problems: u32) {
        self.wholes.clear();
        self.wholes.extend(0..problems);
        self.first_open = 0;
    }

    /// The numbers of problems that are to be solved.
    pub(super) fn open(&self) -> impl Iterator<Item = u32> {
        let all = self.first_open..self.wholes.len() as u32;
        all.filter(|&problem| self.is_current(problem))
    }

    /// Whether nothing else has been made of a problem.
    #[inline]
    pub(super) fn is_current(&self, problem: u32) -> bool {
        self.wholes[problem as usize] == problem
    }

    /// Whether what a problem tells of a body that can be moved counts: it is at home there, or is nowhere at home and the problem is current.
    #[inline]
    pub(super) fn counts(&self, districts: &Districts, (body, problem): (u32, u32)) -> bool {
        match districts.problem_of(body) {
            Some(home) => home == problem,
            None => self.is_current(problem),
        }
    }

    /// Forgets what was noted of an earlier search.
    pub(super) fn clear(&mut self) {
        self.hosts.clear();
        self.looks.clear();
    }

    /// Makes new problems of those that have to do with each other, by the hosts and looks of all current ones.
    pub(super) fn find(&mut self, districts: &mut Districts) {
        self.first_open = self.wholes.len() as u32;
        let left = self.looks.iter().map(|(_, body)| *body);
        let at_home = left.chain(self.hosts.iter().copied());
        let at_home =
            at_home.filter(|&(slot, problem)| districts.problem_of(slot) == Some(problem));
        let restless = at_home.map(|(slot, problem)| (districts.district(slot), problem));
        self.restless.clear();
        self.restless.extend(restless);
        districts.set_restless(self.restless.iter().map(|(district, _)| *district));

        self.join_by_hosts(districts);
        self.join_by_looks();
        if self.first_open == self.wholes.len() as u32 {
            return;
        }
        for &(district, problem) in self.restless.iter().chain(&self.disturbed) {
            districts.set_problem(district, self.whole_of(problem));
        }
        districts.regroup(self.first_open);
    }

    fn join_by_hosts(&mut self, districts: &Districts) {
        let mut hosts = std::mem::take(&mut self.hosts);
        let mut disturbed = std::mem::take(&mut self.disturbed);
        hosts.sort_unstable();
        hosts.dedup();
        disturbed.clear();
        let mut last = (NONE, NONE);
        for &(slot, problem) in &hosts {
            let district = districts.district(slot);
            match districts.problem_of(slot) {
                Some(own) if own == problem => {}
                Some(own) if districts.is_restless(district) => self.join(problem, own),
                Some(_) => disturbed.push((district, problem)),
                // Nobody of his district was asked for before. Several may have come to him.
                None if last.0 == slot => self.join(problem, last.1),
                None => {}
            }
            last = (slot, problem);
        }
        disturbed.sort_unstable();
        last = (NONE, NONE);
        for &(district, problem) in &disturbed {
            let other = if last.0 == district { last.1 } else { problem };
            self.join(problem, other);
            last = (district, problem);
        }
        (self.hosts, self.disturbed) = (hosts, disturbed);
    }

    fn join_by_looks(&mut self) {
        let mut problems = self.looks.iter().map(|(_, (_, problem))| problem);
        if problems
            .next()
            .is_none_or(|first| problems.all(|problem| problem == first))
        {
            return;
        }
        let mut found = std::mem::take(&mut self.in_one_place);
        let are_two = |(_, (_, one)): &LookOf, (_, (_, other)): &LookOf| {
            (one != other).then_some((*one, *other))
        };
        self.near.find(&self.looks, are_two, &mut found);
        for &(one, other) in found.iter() {
            self.join(one, other);
        }
        self.in_one_place = found;
    }

    /// Makes a new problem of two, or of one and the same.
    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.renew(one), self.renew(other));
        self.wholes[other as usize] = one;
    }

    /// The new problem of which one is a part.
    fn renew(&mut self, problem: u32) -> u32 {
        let whole = self.whole_of(problem);
        if whole >= self.first_open {
            return whole;
        }
        let new = self.wholes.len() as u32;
        self.wholes.push(new);
        self.wholes[whole as usize] = new;
        new
    }

    fn whole_of(&self, mut problem: u32) -> u32 {
        while !self.is_current(problem) {
            problem = self.wholes[problem as usize];
        }
        problem
    }

    /// So many problems were made of others.
    #[cfg(test)]
    pub(super) fn joined(&self, batches: u32) -> usize {
        let new = batches..self.wholes.len() as u32;
        new.filter(|&problem| self.is_current(problem)).count()
    }
}
