//! The rounds: find what overlaps, push it, until nothing does.

use bevy::math::Vec2;

use super::{
    crowd::{Crowd, Outside, is_crowd, middle_of},
    groups::Groups,
    heaps::Heaps,
    island::Island,
    jams::Jams,
    met::Met,
    near::Near,
    overlaps::Overlaps,
    parting::{Holds, push_pair},
    queue::Queue,
    statics::{Statics, is_against_static, leave_all, moving_and_fixed},
    stuck::{Stuck, find_stuck},
    supports::Supports,
    world::{FREE, LEANING, Members, Push, Surroundings, TOLERANCE, World},
};
use crate::{
    kernel::Outline,
    placed::{Meeting, compare_places},
};

/// Depths are summed in such parts of a unit: integers, for the sum of floats depends on their order.
const PARTS_OF_DEPTH: f64 = 1.0e6;
/// So often the pairs of an island are gone through in a round, until none of them overlaps. What they run into is for the next round.
const SWEEPS: u32 = 4;

/// In so many rounds two who are equally free share a push. What is not apart then is a crowd: pressed from its middle outwards, where sharing would take rounds by the square of its width.
const SHARED_ROUNDS: u32 = 3;

/// In so many rounds whole crowds find new places. Where that has not helped, there is no room for all of them.
const CROWD_ROUNDS: u32 = 2;

/// So many pairs lie between one whose members are entered and one about whose memory is asked.
const AHEAD: usize = 4;

/// Buffers of the push-out; nothing in them outlives a call of [`run`](Self::run).
#[derive(Clone, Debug, Default)]
pub(crate) struct PushOut {
    members: Members,
    /// Slots of the pairs that overlap at first.
    overlapping: Vec<(u32, u32)>,
    near: Near,
    overlaps: Overlaps,
    groups: Groups,
    heaps: Heaps,
    island: Island,
    /// Pairs around which islands are collected in a round.
    seeds: Vec<u32>,
    supports: Supports,
    /// Pairs of an island that overlap or touch, in the order in which they are pushed.
    queue: Queue,
    statics: Statics,
    jams: Jams,
    crowd: Crowd,
    /// The crowds of a round: the sum of the depths in each, its middle, and a pair of it.
    crowds: Vec<(u64, Vec2, u32)>,
    colliders: Vec<u32>,
    moved: Vec<(u32, Vec2)>,
    stuck: Vec<Stuck>,
    met: Met,
}

/// What a push-out did.
pub(crate) struct Pushed<'a> {
    met: &'a [(u32, Meeting)],
    /// Slots of the bodies that are not where they were, and where they are, sorted by slot.
    pub(crate) moved: &'a [(u32, Vec2)],
    /// Who could not be freed.
    pub(crate) stuck: &'a [Stuck],
}

impl Pushed<'_> {
    /// Every pair that overlapped on the way and did not before, sorted by slots, each as it was when it first did.
    pub(crate) fn met(&self) -> impl Iterator<Item = Meeting> {
        self.met.iter().map(|(_, meeting)| *meeting)
    }

    /// Whether that is one of them.
    pub(crate) fn has_met(&self, slots: (u32, u32)) -> bool {
        let met = self.met;
        met.binary_search_by_key(&slots, |(_, meeting)| meeting.slots)
            .is_ok()
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
        self.met.clear();
        self.stuck.clear();
        self.moved.clear();
        if rounds > 0 {
            let mut members = std::mem::take(&mut self.members);
            let mut world = World::new(&mut members, outside);
            self.overlapping.clear();
            self.overlapping.extend(overlapping);
            self.start(&mut world);
            self.free_all(&mut world, rounds);
            world.write_moved(&mut self.moved);
            self.members = members;
        }
        self.met.put_in_order();
        Pushed {
            met: self.met.all(),
            moved: &self.moved,
            stuck: &self.stuck,
        }
    }

    fn start(&mut self, world: &mut World) {
        // Of all of them, and summed so finely that it does not matter in which order: a sample would depend on that.
        let (mut sum, mut count) = (0.0, 0);
        for slot in self.overlapping.iter().flat_map(|&(a, b)| [a, b]) {
            if let Outline::Shape(shape) = world.outside.placed(slot).outline {
                sum += f64::from(shape.half_extents().max_element());
                count += 1;
            }
        }
        let typical = (sum / f64::from(count.max(1))) as f32;
        self.near.start(typical.max(2.0 * LEANING));
        self.overlaps.start();
        self.groups.start();
        self.crowd.start();
        for (at, &pair) in self.overlapping.iter().enumerate() {
            if let Some(&(a, b)) = self.overlapping.get(at + AHEAD) {
                world.prefetch(a);
                world.prefetch(b);
            }
            self.overlaps.add(world, &mut self.near, pair);
        }
    }

    fn free_all(&mut self, world: &mut World, rounds: u32) {
        self.heaps.spread(world, &mut self.near, &self.overlaps);
        self.overlaps.update(world, &mut self.near);
        for round in 0..=rounds {
            // In the first round every overlap counts, later those that are worth it.
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
            self.push_islands(world, round + 1, tolerance);
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
        self.queue.fill_by_depth(world, pairs, jammed);
        if !self.queue.is_empty() {
            self.jams
                .free(world, &mut self.near, &self.queue, &self.groups);
            self.overlaps.update(world, &mut self.near);
            self.tell_overlaps(world, TOLERANCE);
        }
        find_stuck(world, &self.near.pairs, &self.overlaps, &mut self.stuck);
    }

    fn leave_statics(&mut self, world: &mut World, is_wanted: impl Fn(&Groups, u32) -> bool) {
        self.statics
            .leave(world, &mut self.near, &mut self.overlaps, |body| {
                is_wanted(&self.groups, body)
            });
    }

    /// Notes those that overlap by more than the tolerance, and for each group how deep they are.
    fn tell_overlaps(&mut self, world: &World, tolerance: f32) {
        for &number in &self.overlaps.over {
            let pair = self.near.pairs.get_mut(number);
            let depth = pair.push.depth;
            if depth > tolerance {
                let (moving, _) = moving_and_fixed(world, pair.numbers());
                self.groups.add(world.body(moving), parts_of(depth));
                self.met.tell(world, pair);
            }
        }
    }

    /// Pushes whoever is around pairs that overlap by more than the tolerance.
    ///
    /// Island by island, and all as they were when the round began: so it is the same in whatever order they come.
    fn push_islands(&mut self, world: &mut World, round: u32, tolerance: f32) {
        let Self {
            near,
            overlaps,
            groups,
            island,
            seeds,
            supports,
            queue,
            met,
            colliders,
            crowd,
            crowds,
            ..
        } = self;
        seeds.clear();
        seeds.extend(overlaps.over.iter().copied().filter(|&seed| {
            let Push { pair, depth, .. } = near.pairs.get(seed).push;
            let (moving, _) = moving_and_fixed(world, pair);
            depth > tolerance && !groups.has_given_up(world.body(moving))
        }));
        // All groups are made before anybody is pushed: one may be in several islands, and become one with others in the last of them.
        let [first_look, second_look, crowds_look, last_look] =
            [0, 1, 2, 3].map(|look| 4 * round + look);
        crowds.clear();
        for &seed in &*seeds {
            if island.collect(world, &mut near.pairs, seed, first_look) {
                groups.unite(world, island);
                if round <= CROWD_ROUNDS && is_crowd(island, &near.pairs) {
                    let depths = island.pairs.iter().map(|&number| near.pairs.get(number));
                    let depths = depths.filter(|pair| pair.overlaps);
                    let parts = depths.map(|pair| parts_of(pair.push.depth));
                    let depth = parts.fold(0, u64::saturating_add);
                    crowds.push((depth, middle_of(world, island), seed));
                    island.mark(&mut near.pairs, crowds_look);
                }
            }
        }
        // Others may become a part of them, so it matters which of them is first.
        crowds.sort_unstable_by(|(depth_a, a, _), (depth_b, b, _)| {
            depth_b.cmp(depth_a).then_with(|| compare_places(*a, *b))
        });
        for &(_, middle, seed) in &*crowds {
            island.collect(world, &mut near.pairs, seed, last_look);
            let outside = Outside {
                world,
                near,
                groups,
                met,
                colliders,
            };
            crowd.press(outside, island, middle, crowds_look);
        }
        for &seed in &*seeds {
            if !island.collect(world, &mut near.pairs, seed, second_look) {
                continue;
            }
            let chain = groups.longest_chain(island);
            supports.find(&island.ranks, &island.touches);
            let is_crowd = round > SHARED_ROUNDS;
            let middle = is_crowd.then(|| island.middle(world, &near.pairs));
            queue.fill(world, &near.pairs, island, supports, middle);
            let holds = Holds {
                island,
                supports,
                middle,
                chain,
            };
            for sweep in 0..SWEEPS {
                // The first one takes whatever overlaps; the others what is left, or was brought about.
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
                    if is_against_static(world, push.pair) {
                        let (moving, _) = moving_and_fixed(world, push.pair);
                        is_free &= !leave_all(world, near, moving, |world, pair| {
                            met.tell(world, pair);
                        });
                    } else {
                        met.tell(world, pair);
                        push_pair(world, near, &holds, &push, colliders, |world, pair| {
                            met.tell(world, pair);
                        });
                        is_free = false;
                    }
                }
                if is_free {
                    break;
                }
            }
        }
    }
}

/// A depth in whole parts, and one more, so that it is none of nothing.
fn parts_of(depth: f32) -> u64 {
    // Of sizes that no game has, a few are all that a sum holds.
    let parts = (f64::from(depth) * PARTS_OF_DEPTH) as u64;
    parts.saturating_add(1)
}
