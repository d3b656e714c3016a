//! The rounds: find what overlaps, push it, until nothing does.

use std::cmp::Ordering;

use bevy::math::Vec2;

use super::{
    escape::Search,
    heap::spread_heaps,
    islands::{Islands, Touch},
    jams::unjam,
    moved::Moved,
    near::Near,
    overlaps::{Overlaps, look_around},
    queue::{Queue, Queued, stage},
    statics::Statics,
    stuck::{Stuck, find_stuck},
    supports::Supports,
    world::{StillColliders, TOLERANCE, World},
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
    overlaps: Overlaps,
    islands: Islands,
    touches: Vec<Touch>,
    supports: Supports,
    /// Pairs that overlap or touch, in the order in which they are pushed.
    queue: Queue,
    statics: Statics,
    search: Search,
    moved: Moved,
    stuck: Vec<Stuck>,
    seen: Seen,
}

/// Every meeting that was pushed, with a number in order of time: the first of each pair is what counts.
#[derive(Clone, Debug, Default)]
struct Seen {
    meetings: Vec<(u32, Meeting)>,
    /// By the number of a near pair, while the numbers are good. So a pair may still be listed more than once.
    is_seen: Vec<bool>,
    collected: u32,
}

impl Seen {
    fn start(&mut self) {
        self.meetings.clear();
        self.is_seen.clear();
    }

    /// Takes a pair by the number that it had when pairs had been collected so many times.
    fn add(&mut self, (number, collected): (u32, u32), meeting: &Meeting) {
        let number = number as usize;
        if collected != self.collected {
            self.is_seen.clear();
            self.collected = collected;
        }
        if self.is_seen.len() <= number {
            self.is_seen.resize(number + 1, false);
        }
        if !std::mem::replace(&mut self.is_seen[number], true) {
            self.meetings.push((self.meetings.len() as u32, *meeting));
        }
    }
}

/// What a push-out did.
pub(crate) struct Pushed<'a> {
    met: &'a [(u32, Meeting)],
    /// Every body that was moved, though perhaps back to where it was; each once.
    pub(crate) moved: &'a [u32],
    /// Who could not be freed.
    pub(crate) stuck: &'a [Stuck],
}

impl Pushed<'_> {
    /// Every pair that overlapped on the way, sorted by slots, each as it was when it first did.
    pub(crate) fn met(&self) -> impl Iterator<Item = Meeting> {
        self.met.iter().map(|(_, meeting)| *meeting)
    }
}

impl PushOut {
    /// Moves dynamic bodies until no two colliders that `may_push` overlap, or `rounds` are used up, or no round helps any more.
    pub(crate) fn run(
        &mut self,
        movers: &mut [Mover],
        placed: &[Placed],
        still: &dyn StillColliders,
        may_push: impl Fn(usize, usize) -> bool + Sync,
        rounds: u32,
    ) -> Pushed<'_> {
        self.seen.start();
        self.stuck.clear();
        let mut moved = std::mem::take(&mut self.moved);
        moved.start(movers.len());
        if rounds > 0 {
            let mut world = World {
                movers,
                placed,
                moved: &mut moved,
                still,
            };
            self.free_all(&mut world, may_push, rounds);
        }
        self.moved = moved;
        let met = &mut self.seen.meetings;
        met.sort_unstable_by_key(|(order, meeting)| (meeting.slots, *order));
        met.dedup_by_key(|(_, meeting)| meeting.slots);
        Pushed {
            met,
            moved: &self.moved.ever.bodies,
            stuck: &self.stuck,
        }
    }

    fn free_all(
        &mut self,
        world: &mut World,
        may_push: impl Fn(usize, usize) -> bool + Sync,
        rounds: u32,
    ) {
        self.near.collect(world, &may_push);
        spread_heaps(world, &self.near.pairs);
        self.overlaps.start(world, &self.near);

        let (mut least, mut least_round) = (f32::INFINITY, 0);
        for round in 0..rounds {
            // In the first round every overlap counts, later those that are worth it.
            let tolerance = if round == 0 { 0.0 } else { TOLERANCE };
            if !self.fill_queue(world, tolerance) {
                break;
            }
            let total = self.queue.pairs.iter().map(|queued| queued.depth).sum();
            if total < least * PROGRESS {
                (least, least_round) = (total, round);
            } else if round - least_round >= PATIENCE {
                break;
            }
            if round.is_multiple_of(ROUNDS_BETWEEN_STATICS) {
                self.statics
                    .leave(world, &mut self.near, &mut self.overlaps, &may_push);
            }
            self.push_queue(world);
            look_around(world, &mut self.near, &mut self.overlaps, &may_push);
        }

        self.statics
            .leave(world, &mut self.near, &mut self.overlaps, &may_push);
        look_around(world, &mut self.near, &mut self.overlaps, &may_push);
        if self.fill_queue(world, TOLERANCE) {
            let overlaps = &mut self.queue.pairs;
            overlaps.retain(|queued| queued.depth > TOLERANCE);
            unjam(world, &self.near, &mut self.search, overlaps, &may_push);
            look_around(world, &mut self.near, &mut self.overlaps, &may_push);
        }
        find_stuck(world, &self.near, &self.overlaps, &mut self.stuck);
    }

    /// Fills the queue, sorted, with whoever is around pairs that overlap by more than the tolerance; false if there are none.
    ///
    /// What only touches waits in the queue too: what is pushed first may push it on in the same round.
    fn fill_queue(&mut self, world: &World, tolerance: f32) -> bool {
        let Self {
            near,
            overlaps,
            islands,
            touches,
            supports,
            queue,
            seen,
            ..
        } = self;
        let over = overlaps
            .iter()
            .filter(|(_, meeting)| meeting.depth > tolerance);
        for (number, meeting) in over.clone() {
            seen.add((number, near.collected), meeting);
        }
        islands.collect(world, near, overlaps, over.map(|(number, _)| number));
        touches.clear();
        touches.extend(islands.touches(world, overlaps));
        supports.find(&islands.ranks, touches);
        queue.pairs.clear();
        queue.collected = near.collected;
        let meetings = islands.pairs.iter();
        queue.pairs.extend(meetings.filter_map(|&number| {
            let mut queued = Queued::new(world, number, overlaps.meeting(number)?);
            queued.stage = stage(world, islands, supports, queued.pair);
            Some(queued)
        }));
        queue.sort();
        !queue.pairs.is_empty()
    }

    fn push_queue(&mut self, world: &mut World) {
        let holds = Holds {
            islands: &self.islands,
            supports: &self.supports,
        };
        for queued in self.queue.in_order() {
            if let Some(meeting) = world.overlap(queued.pair) {
                push_pair(world, &holds, &meeting);
                self.seen
                    .add((queued.number, self.queue.collected), &meeting);
            }
        }
    }
}

/// How firmly bodies are held in this round.
struct Holds<'a> {
    islands: &'a Islands,
    supports: &'a Supports,
}

impl Holds<'_> {
    /// By the rank of what holds a body against a push in a direction; `Dynamic` if nothing does.
    fn hold(&self, body: u32, push: Vec2) -> Rank {
        self.supports.hold(self.islands.number(body), push)
    }
}

/// Frees one pair, as far as both are free to move.
fn push_pair(world: &mut World, holds: &Holds, meeting: &Meeting) {
    let (a, b) = (meeting.slots.0 as usize, meeting.slots.1 as usize);
    let holds_a = holds.hold(world.placed[a].body, -meeting.normal);
    let holds_b = holds.hold(world.placed[b].body, meeting.normal);
    match (world.mover(a).rank, world.mover(b).rank) {
        (Rank::Dynamic, Rank::Dynamic) => match holds_a.cmp(&holds_b) {
            Ordering::Less => world.free(a, b),
            Ordering::Greater => world.free(b, a),
            Ordering::Equal if holds_a > Rank::Dynamic => slip_past(world, holds, meeting),
            Ordering::Equal => world.share(meeting.slots, meeting.normal, meeting.depth),
        },
        // A lift does not push what leans on a wall into it.
        (Rank::Dynamic, fixed) if holds_a <= fixed => world.free(a, b),
        (fixed, Rank::Dynamic) if holds_b <= fixed => world.free(b, a),
        _ => {}
    }
}

/// Two that can't go apart, for both are held, go past each other: along the other axis, by whoever is not held there too.
fn slip_past(world: &mut World, holds: &Holds, meeting: &Meeting) {
    let (a, b) = meeting.slots;
    let (direction, distance) = world.way_past(meeting);
    let bodies = [a, b].map(|slot| world.placed[slot as usize].body);
    let holds_a = holds.hold(bodies[0], -direction);
    let holds_b = holds.hold(bodies[1], direction);
    match (holds_a, holds_b) {
        (Rank::Dynamic, Rank::Dynamic) => world.share((a, b), direction, distance),
        (Rank::Dynamic, _) => world.shift(a as usize, -direction * distance),
        (_, Rank::Dynamic) => world.shift(b as usize, direction * distance),
        // Held all around. Pushing on moves what holds them, if anything does.
        _ => world.share((a, b), meeting.normal, meeting.depth),
    }
}
