//! Solves a problem in rounds: find overlapping pairs and push them apart, until none overlaps.

use bevy::math::Vec2;

use super::{
    districts::Districts,
    groups::Groups,
    heaps::Heaps,
    islands::{Islands, depth_in_steps},
    jams::Jams,
    met::NewOverlaps,
    near::Near,
    overlaps::Overlaps,
    queue::Queue,
    round::Round,
    statics::Statics,
    stuck::{Stuck, find_stuck},
    surroundings::Surroundings,
    world::{FREE, Look, Members, TOLERANCE, World},
};
use crate::placed::Meeting;

/// Solves one problem after the other; nothing in it outlives a call of [`solve`](Self::solve).
#[derive(Clone, Debug, Default)]
pub(super) struct Solver {
    members: Members,
    near: Near,
    overlaps: Overlaps,
    groups: Groups,
    heaps: Heaps,
    islands: Islands,
    statics: Statics,
    jams: Jams,
    /// Pairs that rounds have not freed.
    jammed: Queue,
    stuck: Vec<Stuck>,
    met: NewOverlaps,
}

/// What a problem begins with.
#[derive(Clone, Copy)]
pub(super) enum Start<'a> {
    /// Slots of overlapping pairs. What is near them has to be searched for.
    Overlapping(&'a [(u32, u32)]),
    /// Slots of all pairs that are near each other in some of these districts.
    Near(&'a [(u32, u32)], &'a Districts),
}

/// The outcome of some problems, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    /// Every pair that overlapped on the way and did not before, each as it was when it first did.
    pub(super) met: Vec<Meeting>,
    /// Slots of the bodies that have moved, and their new positions.
    pub(super) moved: Vec<(u32, Vec2)>,
    /// Colliders that could not be freed.
    pub(super) stuck: Vec<Stuck>,
    /// Slots of dynamic bodies to which a body of another district has come.
    pub(super) hosts: Vec<u32>,
    /// Boxes in which bodies may have met bodies of another problem that have come there too.
    pub(super) looks: Vec<Look>,
}

impl Outcome {
    pub(super) fn clear(&mut self) {
        self.met.clear();
        self.moved.clear();
        self.stuck.clear();
        self.hosts.clear();
        self.looks.clear();
    }

    /// Sorts everything by slots.
    pub(super) fn put_in_order(&mut self) {
        self.met.sort_unstable_by_key(|meeting| meeting.slots);
        self.moved.sort_unstable_by_key(|(slot, _)| *slot);
        self.stuck.sort_unstable_by_key(|stuck| stuck.slot);
    }
}

impl Solver {
    /// Moves dynamic bodies until no two colliders that push each other overlap, or `rounds` are used up, or no round helps any more. A body that has gone farther than `reach` is paired anew.
    pub(super) fn solve(
        &mut self,
        outside: &dyn Surroundings,
        start: Start,
        (reach, rounds): (f32, u32),
        outcome: &mut Outcome,
    ) {
        self.met.clear();
        self.stuck.clear();
        self.near.start(reach);
        self.overlaps.start();
        self.groups.start();
        self.islands.start();
        let mut members = std::mem::take(&mut self.members);
        let districts = match start {
            Start::Overlapping(_) => None,
            Start::Near(_, districts) => Some(districts),
        };
        let mut world = World::new(&mut members, outside, districts);
        match start {
            Start::Overlapping(overlapping) => {
                for (at, &pair) in overlapping.iter().enumerate() {
                    world.prefetch_ahead(overlapping, at);
                    self.overlaps.add(&mut world, &mut self.near, pair);
                }
            }
            Start::Near(pairs, _) => {
                self.near.open_all(&mut world, pairs);
                self.overlaps.ask_new(&mut world, &mut self.near);
            }
        }
        self.free_all(&mut world, rounds);
        world.write_moved(&mut outcome.moved);
        outcome.hosts.extend_from_slice(world.hosts());
        outcome.looks.extend_from_slice(world.looks());
        self.members = members;
        self.met.put_in_order();
        outcome.met.extend(self.met.all());
        outcome.stuck.extend_from_slice(&self.stuck);
    }

    fn free_all(&mut self, world: &mut World, rounds: u32) {
        self.heaps.spread(world, &self.near, &self.overlaps);
        self.overlaps.update(world, &mut self.near);
        for round in 0..=rounds {
            // In the first round every overlap counts, later only those worth a push.
            let tolerance = if round == 0 { 0.0 } else { TOLERANCE };
            self.tell_overlaps(world, tolerance);
            let goes_on = self.groups.judge(round, round == rounds, &self.met);
            let (pairs, met) = (&mut self.near.pairs, &mut self.met);
            if self.groups.go_back(world, pairs, met) {
                self.overlaps.update(world, &mut self.near);
            }
            if !goes_on {
                break;
            }
            let is_whole = self.groups.begin_round(world);
            if is_whole {
                self.leave_statics(world, Groups::leaves_statics);
            }
            let all = Round {
                world,
                near: &mut self.near,
                groups: &mut self.groups,
                met: &mut self.met,
                number: round + 1,
                tolerance,
            };
            self.islands.push(all, &self.overlaps);
            self.overlaps.update(world, &mut self.near);
            if is_whole {
                self.groups.settle(world);
            }
        }

        self.leave_statics(world, Groups::leaves_statics_at_last);
        self.tell_overlaps(world, TOLERANCE);
        let pairs = &self.near.pairs;
        let over = self.overlaps.over.iter().copied();
        let jammed = over.filter(|&number| pairs.get(number).push.depth > FREE);
        self.jammed.fill_by_depth(world, pairs, jammed);
        if !self.jammed.is_empty() {
            self.jams
                .free(world, &mut self.near, &self.jammed, &self.groups);
            self.overlaps.update(world, &mut self.near);
            self.tell_overlaps(world, TOLERANCE);
        }
        find_stuck(world, &self.near.pairs, &self.overlaps, &mut self.stuck);
    }

    fn leave_statics(&mut self, world: &mut World, is_wanted: impl Fn(&Groups, u32) -> bool) {
        self.statics.leave(
            world,
            &mut self.near,
            &mut self.overlaps,
            &mut self.met,
            |body| is_wanted(&self.groups, body),
        );
    }

    /// Records all pairs that overlap by more than the tolerance as met, and adds their depths to their groups.
    fn tell_overlaps(&mut self, world: &World, tolerance: f32) {
        for &number in &self.overlaps.over {
            let pair = self.near.pairs.get_mut(number);
            let depth = pair.push.depth;
            if depth > tolerance {
                let body = self.groups.deciding_body(world, pair.numbers());
                self.groups.add(body, depth_in_steps(depth));
                self.met.tell(world, pair);
            }
        }
    }
}
