//! Who is in a crowd.
//!
//! ```text
//! crowds  those whose ways meet, each more than one other's, by and large
//! heaps   round ones that lie on something that gives no way, if many touch each other there: all fall alike, so their ways do not meet, and
//!         yet each presses whatever is below it
//! ```
//!
//! All who touch these, directly or through others, are in them as well. What has corners is stopped from the ground up, each by one hit, and is no heap by itself.

use std::mem::take;

use super::{
    super::{Rules, Sweep, predict::Ahead},
    Press, reach,
};
use crate::{
    components::Response,
    kernel::Shape,
    placed::{Rank, compare_places},
    sweep::{agent::NONE, course::Scene, impact::AT_ONCE},
};

/// Fewer pairs than so many that press each other are no crowd: they hit each other one by one. Half a dozen around somebody who stands would do that for good.
const MANY: u32 = 6;
/// Fewer pairs that touch are no heap: each of those few stops by a few hits.
const LEAST_HEAP: u32 = 16;

impl Press {
    /// Enters all that press more than one other, by and large, directly or through others.
    fn find_crowds(&mut self) {
        let pressing = take(&mut self.pressing);
        for body in pressing.as_flattened() {
            self.enter(*body);
        }
        self.sets.start(self.bodies.len());
        self.counts.clear();
        self.counts.resize(self.bodies.len(), [0; 2]);
        let number_of = |body: u32| self.number_of[body as usize];
        for bodies in &pressing {
            let [one, other] = bodies.map(number_of);
            self.sets.join(one, other);
        }
        for number in 0..self.bodies.len() as u32 {
            self.counts[self.sets.of(number) as usize][0] += 1;
        }
        for [body, _] in &pressing {
            self.counts[self.sets.of(number_of(*body)) as usize][1] += 1;
        }
        let mut all = take(&mut self.all);
        all.append(&mut self.bodies);
        for &body in &all {
            let number = std::mem::replace(&mut self.number_of[body as usize], NONE);
            let [bodies, pairs] = self.counts[self.sets.of(number) as usize];
            if pairs >= MANY && pairs >= bodies {
                self.enter(body);
            }
        }
        all.clear();
        self.all = all;
        self.pressing = pressing;
    }

    /// Whether those from a number on are many that touch each other, as in a heap, and not a row: each touches more than one, by and large, or most lie on others and not on what gives no way.
    fn is_heap(&self, first: usize, lying: &[u32]) -> bool {
        let count = self.bodies.len() - first;
        let pairs = self.touching / 2;
        let lies = |body: &&u32| lying.binary_search(body).is_ok();
        pairs >= LEAST_HEAP
            && (pairs as usize >= count
                || self.bodies[first..].iter().filter(lies).count() * 2 <= count)
    }
}

impl Sweep {
    /// Enters all that are in crowds.
    pub(super) fn find_members(
        &self,
        scene: &Scene,
        rules: &Rules,
        ahead: &[Ahead],
        press: &mut Press,
    ) {
        let pressing = ahead.iter().filter_map(|one| self.pressing(scene, one));
        press.pressing.extend(pressing);
        if press.pressing.len() >= MANY as usize {
            press.find_crowds();
        }
        self.flood(scene, rules, 0, press);
        self.find_heaps(scene, rules, ahead, press);
    }

    /// Enters all who touch those in crowds from a number on, directly or through others.
    fn flood(&self, scene: &Scene, rules: &Rules, mut next: usize, press: &mut Press) {
        while let Some(&body) = press.bodies.get(next) {
            for own in self.course.colliders_of(body) {
                self.look_near(scene, rules, own, press);
            }
            next += 1;
        }
    }

    /// Enters heaps: round ones that lie on something that gives no way, and all who touch them, directly or through others.
    fn find_heaps(&self, scene: &Scene, rules: &Rules, ahead: &[Ahead], press: &mut Press) {
        let mut lying = take(&mut press.lying);
        lying.clear();
        lying.extend(ahead.iter().filter_map(|one| self.lies_on(scene, one)));
        lying.sort_unstable();
        lying.dedup();
        let mut no_heap = take(&mut press.all);
        for &body in &lying {
            if press.contains(body) {
                continue;
            }
            let first = press.bodies.len();
            let before = [press.beside.len(), press.near.len(), press.watchful.len()];
            press.touching = 0;
            press.enter(body);
            self.flood(scene, rules, first, press);
            if !press.is_heap(first, &lying) {
                no_heap.extend(press.bodies.drain(first..));
                let [beside, near, watchful] = before;
                press.beside.truncate(beside);
                press.near.truncate(near);
                press.watchful.truncate(watchful);
            }
        }
        for body in no_heap.drain(..) {
            press.number_of[body as usize] = NONE;
        }
        press.all = no_heap;
        press.lying = lying;
    }

    /// A round body that lies on something that gives no way.
    fn lies_on(&self, scene: &Scene, one: &Ahead) -> Option<u32> {
        let (own, _) = one.pair();
        let placed = &scene.placed[own as usize];
        let is_round = |shape: Shape| shape.radius() > 0.0;
        let gap = one.impact.fraction * one.impact.closing;
        let lies = one.is_firm()
            && gap <= AT_ONCE
            && placed.outline.shape().is_some_and(is_round)
            && self.yields(scene, placed.body);
        lies.then_some(placed.body)
    }

    /// Two bodies that press each other; of both, the one on the left tells of it.
    fn pressing(&self, scene: &Scene, one: &Ahead) -> Option<[u32; 2]> {
        let end = one.end();
        let slides = self.agents[one.agent as usize].own.response == Response::Slide;
        if !slides || end.rank != Rank::Dynamic || one.impact.is_inside || !one.stops() {
            return None;
        }
        let (own, other) = one.pair();
        let (place, velocity) = self.course_of(scene, own, 0.0);
        let gap = one.impact.fraction * (velocity - end.motion).length();
        let is_left = end.agent == NONE || compare_places(place, end.center).is_lt();
        let bodies = [own, other].map(|slot| scene.placed[slot as usize].body);
        let is_near = is_left && gap <= reach(scene, own);
        let is_pressing = is_near && bodies.into_iter().all(|body| self.yields(scene, body));
        is_pressing.then_some(bodies)
    }

    /// Whether a body can be in a crowd: it gives way, and slides.
    pub(super) fn yields(&self, scene: &Scene, body: u32) -> bool {
        let slides = self.agent(body).is_none_or(|agent| {
            let own = &agent.own;
            own.response == Response::Slide && own.carried.is_none() && agent.gives_way()
        });
        slides && scene.movers[body as usize].rank == Rank::Dynamic
    }
}
