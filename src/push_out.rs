//! Pushes apart what overlaps. Pure: bodies and colliders in, new positions out.
//!
//! ```text
//! collect the pairs near enough to matter
//! round:  re-test them all; stop when none overlaps
//!         find out who is held: leaning on something fixed, directly or through others     (supports)
//!         for each pair in touch, fixed things first, then outwards from them, the deepest first:
//!             re-test it: an earlier push may have freed it, or made it overlap
//!             move who is free to move; two who are equally free share by mass
//! first, last and now and then:
//!         whatever is in a static leaves it; by the shortest way around several if they push it back and forth  (escape)
//! ```
//!
//! **Held bodies** make rows work. A crate that leans on a wall can't be pushed into it, so it takes part as if it were the wall; so does
//! the next crate that leans on this one. The overlap at the end of a row is thereby solved in one round, where sharing it pair by pair would
//! take rounds by the square of the row's length. What a static holds outranks what a kinematic holds, which outranks the free.
//!
//! **Order.** Nothing here depends on the order of the arrays: overlaps are sorted by what they are (rank, depth, place), not by who they are. Only where two
//! equal shapes lie in one place does the lower slot count as the one on the left.
//!
//! **Exact rest.** A push along an axis against something that stays puts the body at the very coordinate where the two
//! touch, rather than adding a depth to where it was: pressed against a wall in every tick, it is at the same bits in every tick.

mod world;
mod heap;
mod supports;
mod escape;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use bevy::math::Vec2;

use self::{
    escape::nearest_free_center,
    heap::spread_heaps,
    supports::{Supports, Touch},
    world::World,
};
use crate::{
    broad_phase::{BroadPhase, Extent},
    placed::{Meeting, Mover, Placed, Rank, compare_places},
};

/// After the first round overlaps up to this are let be, in world units. Ten times finer than what the crate promises.
const TOLERANCE: f32 = 1.0e-3;
/// Gap up to which one thing leans on another.
const LEANING: f32 = 1.0e-3;
/// Every so many rounds, what is still in a static leaves it, so that the others are pushed from where it will end.
const ROUNDS_BETWEEN_STATICS: u32 = 4;
/// A jam, which no pushing can free, is given up when so many rounds ...
const PATIENCE: u32 = 32;
/// ... have not brought the sum of all depths below this part of the least one so far.
const PROGRESS: f32 = 0.95;

/// Buffers of the push-out; nothing in them outlives a call of [`run`](Self::run).
#[derive(Clone, Debug, Default)]
pub(crate) struct PushOut {
    broad_phase: BroadPhase,
    extents: Vec<Extent>,
    /// Pairs near enough to matter, lower slot first.
    near: Vec<(u32, u32)>,
    /// Where all bodies were when `near` was collected.
    near_from: Vec<Vec2>,
    touches: Vec<Touch>,
    /// Pairs that overlap or touch, in the order in which they are pushed.
    queue: Vec<Queued>,
    /// Overlaps of dynamics and statics.
    in_statics: Vec<Queued>,
    /// Where all bodies were before they were pushed out of statics.
    before_statics: Vec<Vec2>,
    supports: Supports,
    met: Vec<Meeting>,
}

/// How far a body may be put to be free, in half sizes: twice its size.
const NEAR_BY: f32 = 4.0;
/// So many bodies of a jam, the deepest first, look for a free place near by; each look costs as much as there are colliders.
const MAX_UNJAMMED: usize = 64;

/// A pair to be pushed, with what it is sorted by.
#[derive(Clone, Copy, Debug)]
struct Queued {
    pair: (u32, u32),
    /// 0 against a static, 1 against a kinematic, then by how far the pair is from what it is held by.
    stage: u32,
    depth: f32,
    /// Both centres, the lesser first.
    places: [Vec2; 2],
}

impl PushOut {
    /// Moves dynamic bodies until no two colliders that `may_push` overlap, or `rounds` are used up, or no round helps any more.
    ///
    /// Answers every pair that overlapped on the way, sorted, each as it was when it first did.
    pub(crate) fn run(
        &mut self,
        movers: &mut [Mover],
        placed: &[Placed],
        may_push: impl Fn(usize, usize) -> bool,
        rounds: u32,
    ) -> &[Meeting] {
        self.met.clear();
        let mut world = World { movers, placed };
        let mut reach = self.collect_near(&world, &may_push);
        let (mut least, mut least_round) = (f32::INFINITY, 0);
        for round in 0..rounds {
            if round == 0 {
                spread_heaps(&mut world, &self.near);
            } else if self.has_left(&world, reach) {
                reach = self.collect_near(&world, &may_push);
            }
            if !self.find_overlaps(&world, round == 0) {
                break;
            }
            let total = self.queue.iter().map(|queued| queued.depth).sum();
            if total < least * PROGRESS {
                (least, least_round) = (total, round);
            } else if round - least_round >= PATIENCE {
                break;
            }
            if round.is_multiple_of(ROUNDS_BETWEEN_STATICS) {
                self.leave_statics(&mut world, &may_push);
            }
            self.push_overlaps(&mut world);
        }
        if rounds > 0 {
            self.leave_statics(&mut world, &may_push);
            self.unjam(&mut world, reach, &may_push);
        }
        &self.met
    }

    /// Lists the pairs with a gap of at most `reach`, which it chooses: a typical half size, so that few rounds need a new list.
    fn collect_near(&mut self, world: &World, may_push: impl Fn(usize, usize) -> bool) -> f32 {
        let sizes = (0..world.placed.len()).map(|slot| world.half_extents(slot).1);
        let count = world.placed.len().max(1) as f32;
        let reach = (sizes.sum::<f32>() / count).max(LEANING);

        self.extents.clear();
        self.extents.extend(
            world
                .placed
                .iter()
                .map(|placed| placed.extent(world.movers, reach * 0.5)),
        );
        self.broad_phase.find_pairs(&self.extents, &mut self.near);
        for bounds in (0..world.placed.len()).filter(|&slot| world.placed[slot].is_bounds()) {
            let pairs = (0..world.placed.len())
                .map(|other| (bounds.min(other) as u32, bounds.max(other) as u32));
            self.near
                .extend(pairs.filter(|&pair| world.meeting_within(pair, reach).is_some()));
        }
        self.near.retain(|&(a, b)| may_push(a as usize, b as usize));
        self.near_from.clear();
        self.near_from.extend(world.positions());
        reach
    }

    /// Whether a body is so far from where it was that two may have met which are not listed.
    fn has_left(&self, world: &World, reach: f32) -> bool {
        let limit = reach * 0.5;
        world
            .positions()
            .zip(&self.near_from)
            .any(|(now, then)| now.distance_squared(*then) > limit * limit)
    }

    /// Fills the queue, sorted; false if there is no overlap that counts. In the first round all do, later those beyond the tolerance.
    ///
    /// What only touches waits in the queue too: what is pushed first may push it on in the same round.
    fn find_overlaps(&mut self, world: &World, is_first: bool) -> bool {
        self.touches.clear();
        self.queue.clear();
        let mut counts = false;
        for &pair in &self.near {
            let Some(meeting) = world.meeting_within(pair, LEANING) else {
                continue;
            };
            self.touches.push(Touch {
                bodies: [pair.0, pair.1].map(|slot| world.placed[slot as usize].body),
                normal: meeting.normal,
            });
            self.queue.push(Queued::new(world, &meeting));
            let tolerance = if is_first {
                0.0
            } else {
                TOLERANCE.max(world.rounding(pair))
            };
            if meeting.depth > tolerance {
                counts = true;
                self.met.push(meeting);
            }
        }
        if !counts {
            return false;
        }
        self.supports.find(world.movers, &self.touches);
        for queued in &mut self.queue {
            queued.stage = stage(world, &self.supports, queued.pair);
        }
        self.queue.sort_unstable_by(Queued::order);
        true
    }

    fn push_overlaps(&mut self, world: &mut World) {
        for queued in &self.queue {
            if let Some(meeting) = world.overlap(queued.pair) {
                self.push_pair(world, &meeting);
                self.met.push(meeting);
            }
        }
        // Stable: of each pair the first meeting stays.
        self.met.sort_by_key(|meeting| meeting.slots);
        self.met.dedup_by_key(|meeting| meeting.slots);
    }

    /// Frees one pair, as far as both are free to move.
    fn push_pair(&self, world: &mut World, meeting: &Meeting) {
        let (a, b) = (meeting.slots.0 as usize, meeting.slots.1 as usize);
        let (one, other) = (world.mover(a), world.mover(b));
        let holds_a = self.supports.hold(world.placed[a].body, -meeting.normal);
        let holds_b = self.supports.hold(world.placed[b].body, meeting.normal);
        match (one.rank, other.rank) {
            (Rank::Dynamic, Rank::Dynamic) => match holds_a.cmp(&holds_b) {
                Ordering::Less => world.free(a, b),
                Ordering::Greater => world.free(b, a),
                Ordering::Equal if holds_a > Rank::Dynamic => self.slip_past(world, meeting),
                Ordering::Equal => world.share(meeting.slots, meeting.normal, meeting.depth),
            },
            // A lift does not push what leans on a wall into it.
            (Rank::Dynamic, fixed) if holds_a <= fixed => world.free(a, b),
            (fixed, Rank::Dynamic) if holds_b <= fixed => world.free(b, a),
            _ => {}
        }
    }

    /// Two that can't go apart, for both are held, go past each other: along the other axis, by whoever is not held there too.
    fn slip_past(&self, world: &mut World, meeting: &Meeting) {
        let (a, b) = meeting.slots;
        let (direction, distance) = world.way_past(meeting);
        let bodies = [a, b].map(|slot| world.placed[slot as usize].body);
        let holds_a = self.supports.hold(bodies[0], -direction);
        let holds_b = self.supports.hold(bodies[1], direction);
        match (holds_a, holds_b) {
            (Rank::Dynamic, Rank::Dynamic) => world.share((a, b), direction, distance),
            (Rank::Dynamic, _) => world.shift(a as usize, -direction * distance),
            (_, Rank::Dynamic) => world.shift(b as usize, direction * distance),
            // Held all around. Pushing on moves what holds them, if anything does.
            _ => world.share((a, b), meeting.normal, meeting.depth),
        }
    }

    /// Whatever is in a static leaves it, whoever else it then overlaps: a static always wins.
    fn leave_statics(&mut self, world: &mut World, may_push: impl Fn(usize, usize) -> bool) {
        self.before_statics.clear();
        self.before_statics.extend(world.positions());
        for _ in 0..ROUNDS_BETWEEN_STATICS {
            if !self.find_in_statics(world) {
                return;
            }
            for queued in &self.in_statics {
                if world.overlap(queued.pair).is_some() {
                    let (moving, fixed) = moving_and_fixed(world, queued.pair);
                    world.free(moving, fixed);
                }
            }
        }
        // Pushed from one into the other and back: the way out is around all of them together.
        self.find_in_statics(world);
        for queued in &self.in_statics {
            if let Some(meeting) = world.overlap(queued.pair)
                && meeting.depth > TOLERANCE
            {
                self.escape(world, &meeting, &may_push);
            }
        }
    }

    /// Where pushing leads nowhere, one body of each pair goes to the nearest free place, if that is not farther than twice its
    /// size. What is crushed between a kinematic and a wall stays there: that is for the game to decide.
    fn unjam(&mut self, world: &mut World, reach: f32, may_push: impl Fn(usize, usize) -> bool) {
        if self.has_left(world, reach) {
            self.collect_near(world, &may_push);
        }
        if !self.find_overlaps(world, false) {
            return;
        }
        self.queue.retain(|queued| {
            let slots = [queued.pair.0, queued.pair.1];
            let mut ranks = slots.iter().map(|&slot| world.mover(slot as usize).rank);
            queued.depth > TOLERANCE.max(world.rounding(queued.pair))
                && ranks.all(|rank| rank != Rank::Kinematic)
        });
        self.queue.sort_unstable_by(Queued::order_by_depth);
        for queued in self.queue.iter().take(MAX_UNJAMMED) {
            if world.overlap(queued.pair).is_none() {
                continue;
            }
            let nearest = [queued.pair.0, queued.pair.1]
                .map(|slot| slot as usize)
                .into_iter()
                .filter(|&slot| world.mover(slot).rank == Rank::Dynamic)
                .filter_map(|slot| {
                    let from = world.center(slot);
                    let free =
                        nearest_free_center(world, slot, from, |other| may_push(slot, other))?;
                    let distance = free.distance(from);
                    let limit = world.half_extents(slot).1 * NEAR_BY;
                    (distance <= limit).then_some((distance, slot, free))
                })
                .min_by(|(a, _, place_a), (b, _, place_b)| {
                    a.total_cmp(b).then(compare_places(*place_a, *place_b))
                });
            if let Some((_, slot, free)) = nearest {
                world.place(slot, free);
            }
        }
    }

    /// Moves a body out of all statics around it, if there is a free place near enough.
    fn escape(
        &self,
        world: &mut World,
        meeting: &Meeting,
        may_push: impl Fn(usize, usize) -> bool,
    ) {
        let (moving, _) = moving_and_fixed(world, meeting.slots);
        // What is buried leaves however far it is. What is only squeezed, by a door or in a gap, goes no farther than twice
        // its size, else it stays: far away is no place for it.
        let (narrow, wide) = world.half_extents(moving);
        let limit = if meeting.depth > narrow {
            f32::INFINITY
        } else {
            wide * NEAR_BY
        };
        // From where it was at first: being pushed back and forth may have led it away.
        let placed = world.placed[moving];
        let from = self.before_statics[placed.body as usize] + placed.offset;
        let find = |rank: Rank| {
            let is_obstacle =
                |slot: usize| world.mover(slot).rank >= rank && may_push(moving, slot);
            nearest_free_center(world, moving, from, is_obstacle)
                .filter(|center| center.distance(from) <= limit)
        };
        // Free of all if possible, else at least free of statics.
        let free = find(Rank::Dynamic).or_else(|| find(Rank::Static));
        if let Some(center) = free {
            world.place(moving, center);
        }
    }

    /// Lists the overlaps of dynamics and statics, the deepest first; false if there are none that count.
    fn find_in_statics(&mut self, world: &World) -> bool {
        self.in_statics.clear();
        for &pair in &self.near {
            let against_static = [pair.0, pair.1]
                .iter()
                .any(|&slot| world.mover(slot as usize).rank == Rank::Static);
            if against_static
                && let Some(meeting) = world.overlap(pair)
                && meeting.depth > world.rounding(pair)
            {
                self.in_statics.push(Queued::new(world, &meeting));
            }
        }
        self.in_statics.sort_unstable_by(Queued::order);
        !self.in_statics.is_empty()
    }
}

impl Queued {
    fn new(world: &World, meeting: &Meeting) -> Self {
        let (a, b) = meeting.slots;
        let mut places = [a, b].map(|slot| world.center(slot as usize));
        places.sort_unstable_by(|a, b| compare_places(*a, *b));
        Self {
            pair: meeting.slots,
            stage: 0,
            depth: meeting.depth,
            places,
        }
    }

    /// What is pushed first. The pair itself decides only between overlaps that are the same in every other respect.
    fn order(&self, other: &Self) -> Ordering {
        self.stage
            .cmp(&other.stage)
            .then_with(|| self.order_by_depth(other))
    }

    fn order_by_depth(&self, other: &Self) -> Ordering {
        other
            .depth
            .total_cmp(&self.depth)
            .then(compare_places(self.places[0], other.places[0]))
            .then(compare_places(self.places[1], other.places[1]))
            .then(self.pair.cmp(&other.pair))
    }
}

/// Static first, then kinematic, then pairs of dynamics by their distance from what holds them.
fn stage(world: &World, supports: &Supports, pair: (u32, u32)) -> u32 {
    let slots = [pair.0 as usize, pair.1 as usize];
    match slots.map(|slot| world.mover(slot).rank).iter().max() {
        Some(Rank::Static) => 0,
        Some(Rank::Kinematic) => 1,
        _ => {
            let [a, b] = slots.map(|slot| supports.distance(world.placed[slot].body));
            a.min(b).saturating_add(2)
        }
    }
}

/// Of a dynamic and something that isn't: the one that can be moved, and the one that can't.
fn moving_and_fixed(world: &World, (a, b): (u32, u32)) -> (usize, usize) {
    let (a, b) = (a as usize, b as usize);
    if world.mover(a).rank == Rank::Dynamic {
        (a, b)
    } else {
        (b, a)
    }
}
