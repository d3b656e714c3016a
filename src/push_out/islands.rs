//! One round: pushes the bodies around overlapping pairs, island by island.
//!
//! Where many pairs overlap, or something firm is touched, an island is whole: a row of crates is solved from its wall, however long the row is. Where few pairs of many bodies overlap and all of these are afloat, as in a crowd at rest, the island is only
//! those few pairs and the bodies that touch them: what they hand on is left to the next round.

use bevy::math::Vec2;

use super::{
    crowd::{Crowd, is_crowd, middle_of},
    island::Island,
    overlaps::Overlaps,
    parting::{Holds, push_pair},
    queue::Queue,
    round::Round,
    statics::leave_all,
    supports::Supports,
    world::TOLERANCE,
};
use crate::placed::compare_places;

/// Depths are summed in steps, this many to a unit, as integers, since the sum of floats depends on their order.
const DEPTH_STEPS: f64 = 1.0e6;
/// How often the pairs of an island are gone through in a round, until none of them overlaps. What they run into is left to the next round.
const SWEEPS: u32 = 4;

/// In this many rounds two equally free bodies share a push. An island that is not apart then counts as a crowd: it is pressed from its middle outwards, since sharing would take rounds by the square of its width.
const SHARED_ROUNDS: u32 = 3;

/// In this many rounds whole crowds find new places. If that has not helped, there is no room for all of them.
const CROWD_ROUNDS: u32 = 3;

/// Buffers of a round.
#[derive(Clone, Debug, Default)]
pub(super) struct Islands {
    island: Island,
    /// Pairs around which islands are collected.
    seeds: Vec<u32>,
    /// Seeds of groups in which few pairs overlap, each after the number of its group.
    sparse: Vec<(u32, u32)>,
    supports: Supports,
    /// Pairs of an island that overlap or touch, in the order in which they are pushed.
    queue: Queue,
    crowd: Crowd,
    /// The crowds of a round, or what may be some: the sum of the depths in each, its middle, and the number of one of its pairs.
    crowds: Vec<(u64, Vec2, u32)>,
}

impl Islands {
    /// Starts before the first round.
    pub(super) fn start(&mut self) {
        self.crowd.start();
    }

    /// Pushes the bodies around pairs that overlap.
    ///
    /// The order of the islands makes no difference: each is collected as it was when the round began.
    pub(super) fn push(&mut self, mut round: Round, overlaps: &Overlaps) {
        self.seeds.clear();
        let over = overlaps.over.iter().copied();
        self.seeds.extend(over.filter(|&seed| round.is_seed(seed)));
        // All groups are made before any body is pushed: a body may be in several islands, and the last of them may join its group with others.
        // Each pair has the number of the last visit that has collected it, and a visit collects only pairs with a lower number. That of the crowds is higher than that of `push_all`, which so skips the pairs of crowds.
        let [
            first_visit,
            whole_visit,
            choice_visit,
            second_visit,
            crowds_visit,
            last_visit,
        ] = [0, 1, 2, 3, 4, 5].map(|visit| 6 * round.number + visit);
        self.unite(&mut round, [first_visit, whole_visit]);
        self.choose_crowds(&mut round, [choice_visit, crowds_visit]);
        self.press_crowds(&mut round, [crowds_visit, last_visit]);
        self.push_all(&mut round, second_visit);
    }

    /// Unites bodies that affect each other in one group, and lists what may be crowds.
    fn unite(&mut self, round: &mut Round, [visit, whole_visit]: [u32; 2]) {
        self.crowds.clear();
        let mut seeds = std::mem::take(&mut self.seeds);
        // Whole islands first: pairs that the others have entered already would be missing in them.
        let mut first_near = 0;
        for at in 0..seeds.len() {
            if !round.groups.is_sparse(round.body(seeds[at])) {
                seeds.swap(first_near, at);
                first_near += 1;
            }
        }
        let (whole, near) = seeds.split_at_mut(first_near);
        for &seed in &*whole {
            self.unite_whole(round, seed, visit);
        }
        let mut first_grounded = near.len();
        for at in (0..near.len()).rev() {
            if !self.unite_near(round, near[at], visit) {
                first_grounded -= 1;
                near.swap(first_grounded, at);
            }
        }
        for &seed in &near[first_grounded..] {
            self.unite_whole(round, seed, whole_visit);
        }
        self.seeds = seeds;
    }

    fn unite_whole(&mut self, round: &mut Round, seed: u32, visit: u32) {
        let pairs = &mut round.near.pairs;
        let island = &mut self.island;
        if !island.collect(round.world, pairs, seed, visit) {
            return;
        }
        round.groups.unite(round.world, island);
        let over = island.pairs.iter().map(|&number| pairs.get(number));
        let over = over.filter(|pair| pair.is_over(round.tolerance));
        round.groups.note(island, over.count() as u32);
        if round.number <= CROWD_ROUNDS && is_crowd(island, pairs) {
            let depths = island.pairs.iter().map(|&number| pairs.get(number));
            let depths = depths.filter(|pair| pair.overlaps);
            let steps = depths.map(|pair| depth_in_steps(pair.push.depth));
            let depth = steps.fold(0, u64::saturating_add);
            let middle = middle_of(round.world, island);
            self.crowds.push((depth, middle, seed));
        }
    }

    /// Keeps the crowds that are given new places.
    fn choose_crowds(&mut self, round: &mut Round, [visit, crowds_visit]: [u32; 2]) {
        let (island, crowd) = (&mut self.island, &mut self.crowd);
        self.crowds.retain(|&(depth, _, seed)| {
            let body = round.body(seed);
            if !round.groups.may_press(body, depth) {
                return false;
            }
            let pairs = &mut round.near.pairs;
            island.collect(round.world, pairs, seed, visit);
            let may_have_room = crowd.may_have_room(round.world, island);
            if may_have_room {
                island.mark(pairs, crowds_visit);
            } else {
                round.groups.fill(island.dynamic_bodies());
            }
            may_have_room
        });
    }

    /// Unites only the bodies that touch an overlapping pair. Returns false if they have come to something firm.
    fn unite_near(&mut self, round: &mut Round, seed: u32, visit: u32) -> bool {
        let pairs = &mut round.near.pairs;
        let island = &mut self.island;
        let seeds = std::iter::once(seed);
        let is_new = island.collect_near(round.world, pairs, seeds, (visit, round.tolerance));
        if is_new {
            round.groups.unite(round.world, island);
        }
        !is_new || island.is_afloat()
    }

    fn press_crowds(&mut self, round: &mut Round, [crowds_visit, last_visit]: [u32; 2]) {
        // Other bodies may join a crowd, so it matters which of the crowds is first.
        self.crowds
            .sort_unstable_by(|(depth_a, a, _), (depth_b, b, _)| {
                depth_b.cmp(depth_a).then_with(|| compare_places(*a, *b))
            });
        for &(_, middle, seed) in &self.crowds {
            let island = &mut self.island;
            island.collect(round.world, &mut round.near.pairs, seed, last_visit);
            self.crowd.press(round, island, middle, crowds_visit);
        }
    }

    /// Pushes all islands that are not crowds.
    fn push_all(&mut self, round: &mut Round, visit: u32) {
        let seeds = std::mem::take(&mut self.seeds);
        let mut sparse = std::mem::take(&mut self.sparse);
        sparse.clear();
        for &seed in &seeds {
            let body = round.body(seed);
            match round
                .groups
                .of(body)
                .filter(|_| round.groups.is_sparse(body))
            {
                Some(group) => sparse.push((group, seed)),
                None => {
                    let pairs = &mut round.near.pairs;
                    if self.island.collect(round.world, pairs, seed, visit) {
                        self.push_island(round);
                    }
                }
            }
        }
        // Several islands of a group may touch each other, so they are collected as one.
        sparse.sort_unstable();
        for group in sparse.chunk_by(|(one, _), (other, _)| one == other) {
            let pairs = &mut round.near.pairs;
            let seeds = group.iter().map(|(_, seed)| *seed);
            let limit = (visit, round.tolerance);
            if self.island.collect_near(round.world, pairs, seeds, limit) {
                self.push_island(round);
            }
        }
        self.sparse = sparse;
        self.seeds = seeds;
    }

    fn push_island(&mut self, round: &mut Round) {
        let Round {
            world,
            near,
            groups,
            met,
            ..
        } = round;
        let is_crowd = round.number > SHARED_ROUNDS;
        let middle = is_crowd.then(|| self.island.middle(world, &near.pairs));
        let (island, supports, queue) = (&self.island, &mut self.supports, &mut self.queue);
        let chain = groups.longest_chain(island);
        supports.find(&island.ranks, [&island.touches, &island.corners]);
        queue.fill(world, &near.pairs, island, supports, middle);
        let holds = Holds {
            island,
            supports,
            middle,
            chain,
        };
        for sweep in 0..SWEEPS {
            // The first sweep takes whatever overlaps; the others what is left, or was brought about by pushes.
            let tolerance = if sweep == 0 { 0.0 } else { TOLERANCE };
            let mut is_free = true;
            for number in queue.iter() {
                let pair = near.pairs.get_mut(number);
                let overlap = if world.has_moved_since(pair.asked_at, pair.numbers()) {
                    world.overlap(pair.numbers())
                } else {
                    pair.overlaps.then_some(pair.push)
                };
                let Some(push) = overlap.filter(|push| push.depth > tolerance) else {
                    continue;
                };
                if world.is_against_static(push.pair) {
                    let (moving, _) = world.moving_first(push.pair);
                    is_free &= !leave_all(world, near, moving, met);
                } else {
                    met.tell(world, pair);
                    push_pair(world, near, &holds, &push, met);
                    is_free = false;
                }
            }
            if is_free {
                break;
            }
        }
    }
}

/// Returns a depth in whole steps, plus one, so that no overlap counts as 0.
pub(super) fn depth_in_steps(depth: f32) -> u64 {
    // Only sizes that no game has could overflow a sum of depths.
    let steps = (f64::from(depth) * DEPTH_STEPS) as u64;
    steps.saturating_add(1)
}
