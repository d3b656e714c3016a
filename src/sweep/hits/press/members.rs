//! Finds the bodies that are in a crowd.
//!
//! ```text
//! crowds  bodies whose ways meet, each with more than one other's, by and large
//! heaps   round bodies that lie on something that gives no way, if many touch each other there: all fall alike, so their ways do not meet, and
//!         yet each presses what is below it
//! ```
//!
//! All that touch these bodies, directly or through others, are in the crowd as well. Bodies with corners are stopped from the ground up, each by one hit, and make no heap by themselves.

use std::mem::take;

use super::{
    super::{super::rules::Rules, Sweep, ahead::ImpactAhead},
    Press, reach,
};
use crate::{
    components::Response,
    kernel::Shape,
    placed::{Rank, compare_places},
    sweep::{agent::NONE, course::Scene, impact::slack},
};

/// This many pairs that press each other are a crowd, whatever is around them.
const CROWD_PAIRS: u32 = 48;
/// This many pairs are a crowd if they are isolated: hit by hit, half a dozen around a body that stands would go to and fro forever. Fewer hit each other one by one.
const LITTLE_CROWD_PAIRS: u32 = 6;
/// Fewer pairs that touch are no heap: so few bodies stop after a few hits.
const HEAP_PAIRS: usize = 16;

/// The lengths of the lists at some time.
struct Mark {
    bodies: usize,
    beside: usize,
    near: usize,
    watchful: usize,
}

impl Press {
    fn mark(&self) -> Mark {
        Mark {
            bodies: self.bodies.len(),
            beside: self.beside.len(),
            near: self.near.len(),
            watchful: self.watchful.len(),
        }
    }

    /// Forgets everything that was entered since.
    fn go_back(&mut self, mark: &Mark) {
        for body in self.bodies.drain(mark.bodies..) {
            self.number_of[body as usize] = NONE;
        }
        self.beside.truncate(mark.beside);
        self.near.truncate(mark.near);
        self.watchful.truncate(mark.watchful);
    }

    /// Enters all bodies that press more than one other, by and large, directly or through others.
    fn find_crowds(&mut self) {
        let mut pressing = take(&mut self.pressing);
        for body in pressing.as_flattened() {
            self.enter(*body);
        }
        if self.has_parts {
            keep_bodies_once(&mut pressing);
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
            if pairs >= CROWD_PAIRS && pairs >= bodies {
                self.enter(body);
            } else if pairs >= LITTLE_CROWD_PAIRS && pairs >= bodies {
                self.few.push((self.sets.of(number), body));
            }
        }
        self.few.sort_unstable();
        all.clear();
        self.all = all;
        self.pressing = pressing;
    }

    /// Whether the bodies from index `first` on are many that touch each other, as in a heap, and not a row: each touches more than one, by and large, or most lie on others and not on what gives no way.
    fn is_heap(&mut self, first: usize, lying: &[u32]) -> bool {
        let count = self.bodies.len() - first;
        let pairs = if self.has_parts {
            keep_bodies_once(&mut self.touching);
            self.touching.len()
        } else {
            self.touching.len() / 2
        };
        let lies = |body: &&u32| lying.binary_search(body).is_ok();
        pairs >= HEAP_PAIRS
            && (pairs >= count || self.bodies[first..].iter().filter(lies).count() * 2 <= count)
    }
}

/// Keeps each pair once, of bodies that meet with several of their colliders, or are listed from both sides.
fn keep_bodies_once(pairs: &mut Vec<[u32; 2]>) {
    for bodies in &mut *pairs {
        bodies.sort_unstable();
    }
    pairs.sort_unstable();
    pairs.dedup();
}

impl Sweep {
    /// Enters all bodies that are in crowds.
    pub(super) fn find_members(
        &self,
        scene: &Scene,
        rules: &Rules,
        ahead: &[ImpactAhead],
        press: &mut Press,
    ) {
        let pressing = ahead.iter().filter_map(|one| self.pressing(scene, one));
        press.pressing.extend(pressing);
        if press.pressing.len() >= LITTLE_CROWD_PAIRS as usize {
            press.find_crowds();
        }
        self.flood(scene, rules, 0, press);
        let first = press.bodies.len();
        self.find_little_crowds(scene, rules, press);
        self.flood(scene, rules, first, press);
        let first = press.bodies.len();
        self.find_heaps(scene, rules, ahead, press);
        press.heaped.clear();
        press.heaped.extend_from_slice(&press.bodies[first..]);
        press.heaped.sort_unstable();
    }

    /// Enters the sets of a few that press each other and hardly touch any other body. A few that press within a large crowd that stands are better off hit by hit.
    fn find_little_crowds(&self, scene: &Scene, rules: &Rules, press: &mut Press) {
        let few = take(&mut press.few);
        let mut all = take(&mut press.all);
        all.clear();
        for bodies in few.chunk_by(|(a, _), (b, _)| a == b) {
            let mark = press.mark();
            for (_, body) in bodies {
                press.enter(*body);
            }
            let end = press.bodies.len();
            for at in mark.bodies..end {
                for own in self.course.colliders_of(press.bodies[at]) {
                    self.look_near(scene, rules, own, press);
                }
            }
            let others = press.bodies.len() - end;
            let are_by_themselves = others * 2 <= end - mark.bodies;
            press.go_back(&mark);
            if are_by_themselves {
                all.extend(bodies.iter().map(|(_, body)| *body));
            }
        }
        for body in all.drain(..) {
            press.enter(body);
        }
        press.all = all;
        press.few = few;
    }

    /// Enters all bodies that touch those in crowds from index `next` on, directly or through others.
    fn flood(&self, scene: &Scene, rules: &Rules, mut next: usize, press: &mut Press) {
        while let Some(&body) = press.bodies.get(next) {
            for own in self.course.colliders_of(body) {
                self.look_near(scene, rules, own, press);
            }
            next += 1;
        }
    }

    /// Enters heaps: round bodies that lie on something that gives no way, and all that touch them, directly or through others.
    fn find_heaps(&self, scene: &Scene, rules: &Rules, ahead: &[ImpactAhead], press: &mut Press) {
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
            let mark = press.mark();
            press.touching.clear();
            press.enter(body);
            self.flood(scene, rules, mark.bodies, press);
            if !press.is_heap(mark.bodies, &lying) {
                let known = no_heap.len();
                no_heap.extend(&press.bodies[mark.bodies..]);
                press.go_back(&mark);
                // These need no second look.
                for &body in &no_heap[known..] {
                    press.number_of[body as usize] = 0;
                }
            }
        }
        for body in no_heap.drain(..) {
            press.number_of[body as usize] = NONE;
        }
        press.all = no_heap;
        press.lying = lying;
    }

    /// Returns a round body that lies on something that gives no way.
    fn lies_on(&self, scene: &Scene, one: &ImpactAhead) -> Option<u32> {
        let (own, _) = one.pair();
        let placed = &scene.placed[own as usize];
        let is_round = |shape: Shape| shape.radius() > 0.0;
        let is_flush = || {
            let (place, _) = self.course_of(scene, own, 0.0);
            let gap = one.impact.fraction * one.impact.closing;
            gap <= slack(place, one.end().center, one.impact.normal)
        };
        let lies = one.is_firm()
            && is_flush()
            && placed.outline.shape().is_some_and(is_round)
            && self.yields(scene, placed.body);
        lies.then_some(placed.body)
    }

    /// Returns two bodies that press each other. Of two that travel, only the impact of the left one counts, so that the pair comes once.
    fn pressing(&self, scene: &Scene, one: &ImpactAhead) -> Option<[u32; 2]> {
        let end = one.end();
        let slides = self.agents[one.agent as usize].own.response == Response::Slide;
        if !slides || end.rank != Rank::Dynamic || one.impact.is_inside || !one.stops() {
            return None;
        }
        let (own, other) = one.pair();
        let (place, velocity) = self.course_of(scene, own, 0.0);
        let gap = one.impact.fraction * (velocity - end.velocity).length();
        let is_left = end.agent == NONE || compare_places(place, end.center).is_lt();
        let bodies = [own, other].map(|slot| scene.placed[slot as usize].body);
        let is_near = is_left && gap <= reach(scene, own);
        let is_pressing = is_near && bodies.into_iter().all(|body| self.yields(scene, body));
        is_pressing.then_some(bodies)
    }

    /// Whether a body can be in a crowd: it gives way, slides, and is not carried.
    pub(super) fn yields(&self, scene: &Scene, body: u32) -> bool {
        let slides = self.agent(body).is_none_or(|agent| {
            let own = &agent.own;
            own.response == Response::Slide && own.carried.is_none() && agent.gives_way()
        });
        slides && scene.body_states[body as usize].rank == Rank::Dynamic
    }
}
