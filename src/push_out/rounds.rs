//! The rounds: find what overlaps, push it, until nothing does.

use std::cmp::Ordering;

use super::{
    heap::spread_heaps,
    jams::unjam,
    near::Near,
    queue::{Queued, stage},
    statics::Statics,
    supports::{Supports, Touch},
    world::{LEANING, TOLERANCE, World},
};
use crate::placed::{Meeting, Mover, Placed, Rank};

/// Every so many rounds, what is still in a static leaves it, so that the others are pushed from where it will end.
const ROUNDS_BETWEEN_STATICS: u32 = 4;
/// A jam, which no pushing can free, is given up when so many rounds ...
const PATIENCE: u32 = 32;
/// ... have not brought the sum of all depths below this part of the least one so far.
const PROGRESS: f32 = 0.95;

/// Buffers of the push-out; nothing in them outlives a call of [`run`](Self::run).
#[derive(Clone, Debug, Default)]
pub(crate) struct PushOut {
    near: Near,
    touches: Vec<Touch>,
    supports: Supports,
    /// Pairs that overlap or touch, in the order in which they are pushed.
    queue: Vec<Queued>,
    statics: Statics,
    met: Vec<Meeting>,
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
        if rounds == 0 {
            return &self.met;
        }
        let mut world = World { movers, placed };
        self.near.collect(&world, &may_push);
        spread_heaps(&mut world, &self.near.pairs);

        let (mut least, mut least_round) = (f32::INFINITY, 0);
        for round in 0..rounds {
            // In the first round every overlap counts, later those that are worth it.
            let tolerance = if round == 0 { 0.0 } else { TOLERANCE };
            if !self.find_overlaps(&world, tolerance) {
                break;
            }
            let total = self.queue.iter().map(|queued| queued.depth).sum();
            if total < least * PROGRESS {
                (least, least_round) = (total, round);
            } else if round - least_round >= PATIENCE {
                break;
            }
            if round.is_multiple_of(ROUNDS_BETWEEN_STATICS) {
                self.statics.leave(&mut world, &self.near.pairs, &may_push);
            }
            self.push_queue(&mut world);
            if self.near.is_stale(&world) {
                self.near.collect(&world, &may_push);
            }
        }

        self.statics.leave(&mut world, &self.near.pairs, &may_push);
        if self.near.is_stale(&world) {
            self.near.collect(&world, &may_push);
        }
        if self.find_overlaps(&world, TOLERANCE) {
            self.queue.retain(|queued| queued.depth > TOLERANCE);
            unjam(&mut world, &mut self.queue, &may_push);
        }
        &self.met
    }

    /// Fills the queue, sorted; false if nothing overlaps by more than the tolerance.
    ///
    /// What only touches waits in the queue too: what is pushed first may push it on in the same round.
    fn find_overlaps(&mut self, world: &World, tolerance: f32) -> bool {
        self.touches.clear();
        self.queue.clear();
        let mut any = false;
        for &pair in &self.near.pairs {
            let Some(meeting) = world.meeting_within(pair, LEANING) else {
                continue;
            };
            self.touches.push(Touch {
                bodies: [pair.0, pair.1].map(|slot| world.placed[slot as usize].body),
                normal: meeting.normal,
            });
            self.queue.push(Queued::new(world, &meeting));
            if meeting.depth > tolerance
                && (tolerance == 0.0 || meeting.depth > world.rounding(pair))
            {
                any = true;
                self.met.push(meeting);
            }
        }
        if any {
            self.supports.find(world.movers, &self.touches);
            for queued in &mut self.queue {
                queued.stage = stage(world, &self.supports, queued.pair);
            }
            self.queue.sort_unstable_by(Queued::by_stage);
        }
        any
    }

    fn push_queue(&mut self, world: &mut World) {
        for queued in &self.queue {
            if let Some(meeting) = world.overlap(queued.pair) {
                push_pair(world, &self.supports, &meeting);
                self.met.push(meeting);
            }
        }
        // Stable: of each pair the first meeting stays.
        self.met.sort_by_key(|meeting| meeting.slots);
        self.met.dedup_by_key(|meeting| meeting.slots);
    }
}

/// Frees one pair, as far as both are free to move.
fn push_pair(world: &mut World, supports: &Supports, meeting: &Meeting) {
    let (a, b) = (meeting.slots.0 as usize, meeting.slots.1 as usize);
    let holds_a = supports.hold(world.placed[a].body, -meeting.normal);
    let holds_b = supports.hold(world.placed[b].body, meeting.normal);
    match (world.mover(a).rank, world.mover(b).rank) {
        (Rank::Dynamic, Rank::Dynamic) => match holds_a.cmp(&holds_b) {
            Ordering::Less => world.free(a, b),
            Ordering::Greater => world.free(b, a),
            Ordering::Equal if holds_a > Rank::Dynamic => slip_past(world, supports, meeting),
            Ordering::Equal => world.share(meeting.slots, meeting.normal, meeting.depth),
        },
        // A lift does not push what leans on a wall into it.
        (Rank::Dynamic, fixed) if holds_a <= fixed => world.free(a, b),
        (fixed, Rank::Dynamic) if holds_b <= fixed => world.free(b, a),
        _ => {}
    }
}

/// Two that can't go apart, for both are held, go past each other: along the other axis, by whoever is not held there too.
fn slip_past(world: &mut World, supports: &Supports, meeting: &Meeting) {
    let (a, b) = meeting.slots;
    let (direction, distance) = world.way_past(meeting);
    let bodies = [a, b].map(|slot| world.placed[slot as usize].body);
    let holds_a = supports.hold(bodies[0], -direction);
    let holds_b = supports.hold(bodies[1], direction);
    match (holds_a, holds_b) {
        (Rank::Dynamic, Rank::Dynamic) => world.share((a, b), direction, distance),
        (Rank::Dynamic, _) => world.shift(a as usize, -direction * distance),
        (_, Rank::Dynamic) => world.shift(b as usize, direction * distance),
        // Held all around. Pushing on moves what holds them, if anything does.
        _ => world.share((a, b), meeting.normal, meeting.depth),
    }
}
