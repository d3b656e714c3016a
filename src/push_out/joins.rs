//! Finds problems that affect each other after all, once each has been solved as if there were no others.
//!
//! ```text
//! a body that went far, or may go far, has noted where it looked around: its district is restless
//!     a district of which it found a body there may have changed: that district is restless as well
//!     if that district is part of another problem, both districts are solved once more, together
//!     a body of another problem that looked around in the same place may have met it: the same
//! all other districts are right: no body has left them, and none has come
//! ```
//!
//! Of two joined problems only these districts are solved once more, so a few bodies that go far cost no more than their districts.

use super::{districts::Districts, surroundings::NONE};
use crate::broad_phase::{BroadPhase, Extent, Found};

/// A box in which a body of a problem may have met others, its slot, and the problem.
pub(super) type LookOf = (Extent, (u32, u32));

/// Finds problems to join, with its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Joins {
    /// By problem: the problem that was made of it and others, or its own number.
    wholes: Vec<u32>,
    /// Problems with this number and higher ones have not been solved.
    first_open: u32,
    /// Slots of bodies, each with a problem in which a body of another district has come to it.
    pub(super) hosts: Vec<(u32, u32)>,
    pub(super) looks: Vec<LookOf>,
    /// Restless districts, and the problems of which they are parts.
    restless: Vec<(u32, u32)>,
    /// Districts that are not restless, and other problems from which a body has come to them.
    disturbed: Vec<(u32, u32)>,
    near: BroadPhase<LookOf>,
    /// Pairs of problems of which bodies looked around in one place.
    in_one_place: Found<(u32, u32)>,
}

impl Joins {
    /// Starts with this many problems, none of which is solved.
    pub(super) fn start(&mut self, problems: u32) {
        self.wholes.clear();
        self.wholes.extend(0..problems);
        self.first_open = 0;
    }

    /// Returns the numbers of problems that are still to be solved.
    pub(super) fn open(&self) -> impl Iterator<Item = u32> {
        let all = self.first_open..self.wholes.len() as u32;
        all.filter(|&problem| self.is_current(problem))
    }

    /// Whether a problem has not been joined into a new one.
    #[inline]
    pub(super) fn is_current(&self, problem: u32) -> bool {
        self.wholes[problem as usize] == problem
    }

    /// Whether what a problem reports of a dynamic body counts: the body is at home in that problem, or at home in none and the problem is current.
    #[inline]
    pub(super) fn counts(&self, districts: &Districts, (body, problem): (u32, u32)) -> bool {
        match districts.problem_of(body) {
            Some(home) => home == problem,
            None => self.is_current(problem),
        }
    }

    /// Forgets the hosts and looks of the last search.
    pub(super) fn clear(&mut self) {
        self.hosts.clear();
        self.looks.clear();
    }

    /// Joins problems that affect each other into new ones, by the hosts and looks of all current problems.
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
                // Nothing in its district overlapped, so no problem had it. Bodies of several problems may have come to it.
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

    /// Joins two problems into a new one. Both may be the same.
    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.renew(one), self.renew(other));
        self.wholes[other as usize] = one;
    }

    /// Returns the new problem that a problem is part of, which is made if there is none.
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

    /// Returns how many problems were made by joining others.
    #[cfg(test)]
    pub(super) fn joined(&self, batches: u32) -> usize {
        let new = batches..self.wholes.len() as u32;
        new.filter(|&problem| self.is_current(problem)).count()
    }
}
