//! The rounds: find what overlaps, push it, until nothing does.

use std::cmp::Ordering;

use bevy::math::Vec2;

use super::{
    heaps::Heaps,
    island::Island,
    jams::Jams,
    near::Near,
    overlaps::Overlaps,
    pairs::Pair,
    progress::Progress,
    queue::Queue,
    statics::{
        Statics, come_back, is_against_static, leave_all, moving_and_fixed, slide_along_statics,
    },
    stuck::{Stuck, find_stuck},
    supports::Supports,
    world::{FREE, LEANING, Members, Push, Surroundings, TOLERANCE, World},
};
use crate::{
    kernel::Outline,
    placed::{Meeting, Rank},
};

/// Every so many rounds, what is still in a static leaves it, so that the others are pushed from where it will end.
const ROUNDS_BETWEEN_STATICS: u32 = 4;
/// Depths are summed in such parts of a unit: integers, for the sum of floats depends on their order.
const PARTS_OF_DEPTH: f64 = 1.0e6;
/// So often the pairs of an island are gone through in a round, until none of them overlaps. What they run into is for the next round.
const SWEEPS: u32 = 4;
/// The typical size is that of so many overlapping colliders.
const SAMPLE: usize = 64;

/// In so many rounds two who are equally free share a push. What is not apart then is a crowd: pressed from its middle outwards, where sharing would take rounds by the square of its width.
const SHARED_ROUNDS: u32 = 3;

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
    heaps: Heaps,
    island: Island,
    supports: Supports,
    /// Pairs of an island that overlap or touch, in the order in which they are pushed.
    queue: Queue,
    statics: Statics,
    jams: Jams,
    colliders: Vec<u32>,
    /// Where everybody was before a round.
    before: Vec<Vec2>,
    /// And before the first one in which chains did not hold.
    at_stall: Vec<Vec2>,
    moved: Vec<(u32, Vec2)>,
    stuck: Vec<Stuck>,
    /// What met on the way, with a number in order of time: the first of each pair is what counts.
    met: Vec<(u32, Meeting)>,
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
        self.met
            .sort_unstable_by_key(|(order, meeting)| (meeting.slots, *order));
        self.met.dedup_by_key(|(_, meeting)| meeting.slots);
        Pushed {
            met: &self.met,
            moved: &self.moved,
            stuck: &self.stuck,
        }
    }

    fn start(&mut self, world: &mut World) {
        let sample = self.overlapping.iter().take(SAMPLE);
        let sizes = sample.map(|&(slot, _)| match world.outside.placed(slot).outline {
            Outline::Shape(shape) => shape.half_extents().max_element(),
            Outline::Bounds(_) => 0.0,
        });
        let (sum, count) = sizes.fold((0.0, 0.0), |(sum, count), size| (sum + size, count + 1.0));
        self.near
            .start((sum / f32::max(count, 1.0)).max(2.0 * LEANING));
        self.overlaps.start();
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
        let mut progress = Progress::default();
        let mut is_settled = false;
        let mut met_at_stall = 0;
        for round in 0..rounds {
            // In the first round every overlap counts, later those that are worth it.
            let tolerance = if round == 0 { 0.0 } else { TOLERANCE };
            let total = self.tell_overlaps(world, tolerance);
            if total == 0 || !progress.goes_on(round, total) {
                break;
            }
            let begins_to_stall = progress.begins_to_stall();
            if begins_to_stall {
                world.positions().clone_into(&mut self.at_stall);
                met_at_stall = self.met.len();
            }
            let is_whole = begins_to_stall || round.is_multiple_of(ROUNDS_BETWEEN_STATICS);
            if is_whole {
                world.positions().clone_into(&mut self.before);
                self.statics
                    .leave(world, &mut self.near, &mut self.overlaps);
            }
            self.push_islands(world, round + 1, tolerance, progress.longest_chain());
            self.overlaps.update(world, &mut self.near);
            // Where a whole round moves nobody, no other one like it will: who is stuck costs two, in each tick.
            is_settled = is_whole && world.positions() == self.before && progress.stall();
            if is_settled {
                break;
            }
        }

        if let Some(total) = progress.at_stall()
            && self.tell_overlaps(world, TOLERANCE) > total
        {
            // It did harm, and has not been.
            world.go_back(&self.at_stall);
            self.forget_met(world, met_at_stall);
            self.overlaps.update(world, &mut self.near);
        }
        if !is_settled {
            self.statics
                .leave(world, &mut self.near, &mut self.overlaps);
        }
        if self.tell_overlaps(world, TOLERANCE) > 0 {
            let pairs = &self.near.pairs;
            let over = self.overlaps.over.iter().copied();
            let jammed = over.filter(|&number| pairs.get(number).push.depth > FREE);
            self.queue.fill_by_depth(world, pairs, jammed);
            self.jams.free(world, &mut self.near, &self.queue);
            self.overlaps.update(world, &mut self.near);
        }
        find_stuck(world, &self.near.pairs, &self.overlaps, &mut self.stuck);
    }

    /// Notes those that overlap by more than the tolerance, and sums their depths; 0 if there are none.
    fn tell_overlaps(&mut self, world: &World, tolerance: f32) -> u64 {
        let mut total = 0;
        for &number in &self.overlaps.over {
            let pair = self.near.pairs.get_mut(number);
            let depth = pair.push.depth;
            if depth > tolerance {
                // Of sizes that no game has, a few are all that a sum holds.
                let parts = (f64::from(depth) * PARTS_OF_DEPTH) as u64;
                total = u64::saturating_add(total, parts.saturating_add(1));
                tell(world, pair, &mut self.met);
            }
        }
        total
    }

    /// Takes back what has been noted from there on.
    fn forget_met(&mut self, world: &mut World, first: usize) {
        for (_, meeting) in self.met.drain(first..) {
            let (a, b) = (world.enter(meeting.slots.0), world.enter(meeting.slots.1));
            let pairs = &mut self.near.pairs;
            let numbers = world.in_order(a, b);
            let is_it = |&number: &u32| pairs.get(number).numbers() == numbers;
            let found = pairs.of(world.body(a)).find(is_it);
            if let Some(number) = found {
                pairs.get_mut(number).is_told = false;
            }
        }
    }

    /// Pushes whoever is around pairs that overlap by more than the tolerance.
    ///
    /// Island by island, and all as they were when the round began: so it is the same in whatever order they come.
    fn push_islands(&mut self, world: &mut World, round: u32, tolerance: f32, chain: u32) {
        let Self {
            near,
            overlaps,
            island,
            supports,
            queue,
            met,
            colliders,
            ..
        } = self;
        for &seed in &overlaps.over {
            let is_worth_it = near.pairs.get(seed).push.depth > tolerance;
            if !is_worth_it || !island.collect(world, &mut near.pairs, seed, round) {
                continue;
            }
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
                            tell(world, pair, met);
                        });
                    } else {
                        tell(world, pair, met);
                        push_pair(world, near, &holds, &push, (met, colliders));
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

/// Notes how a pair meets, if it is not known that it did.
#[inline]
fn tell(world: &World, pair: &mut Pair, met: &mut Vec<(u32, Meeting)>) {
    if !std::mem::replace(&mut pair.is_told, true) {
        let meeting = world.meeting(pair.numbers());
        met.extend(meeting.map(|meeting| (met.len() as u32, meeting)));
    }
}

/// Below 1: straight outwards, the inner one of two counts 19 times as heavy as the outer one.
const FIRMNESS: f32 = 0.9;
const EQUALLY_FIRM: [f32; 2] = [1.0; 2];

/// How firmly bodies are held in this round.
struct Holds<'a> {
    island: &'a Island,
    supports: &'a Supports,
    /// Of a crowd.
    middle: Option<Vec2>,
    /// What is held through more steps gives way to others that are pushed.
    chain: u32,
}

impl Holds<'_> {
    /// By the rank of what holds a body against a push by something fixed; `Dynamic` if nothing does.
    fn hold(&self, body: u32, push: Vec2) -> Rank {
        let number = self.island.number(body);
        self.supports.hold(number, push, u32::MAX)
    }

    /// The same against a push by another dynamic body.
    fn hold_by_chain(&self, body: u32, push: Vec2) -> Rank {
        let number = self.island.number(body);
        self.supports.hold(number, push, self.chain)
    }

    /// How many times as heavy as they are two count that share a push: in a crowd, the more it leads outwards, the less moves who is nearer to the middle.
    fn firmness(&self, world: &World, (a, b): (u32, u32)) -> [f32; 2] {
        let places = [a, b].map(|number| world.position(number));
        let apart = places[0].distance(places[1]);
        let Some(middle) = self.middle.filter(|_| apart > 0.0) else {
            return EQUALLY_FIRM;
        };
        let [from_a, from_b] = places.map(|place| place.distance(middle));
        // Of two in nearly the same place the distances are rounded by more than lies between them.
        let outwards = ((from_b - from_a) / apart).clamp(-1.0, 1.0) * FIRMNESS;
        [1.0 + outwards, 1.0 - outwards]
    }
}

/// Frees one pair, as far as both are free to move, and pushes neither through a static.
fn push_pair(
    world: &mut World,
    near: &mut Near,
    holds: &Holds,
    push: &Push,
    (met, colliders): (&mut Vec<(u32, Meeting)>, &mut Vec<u32>),
) {
    let bodies = [push.pair.0, push.pair.1].map(|member| world.body(member));
    let from = bodies.map(|body| world.position(body));
    part(world, holds, push);
    for (body, from) in bodies.into_iter().zip(from) {
        if world.position(body) != from {
            slide_along_statics(world, near, (body, from), colliders);
            come_back(world, near, body, |world, pair| tell(world, pair, met));
        }
    }
}

/// Moves one of a pair, or both.
fn part(world: &mut World, holds: &Holds, push: &Push) {
    let (a, b) = push.pair;
    let bodies = (world.body(a), world.body(b));
    match (world.rank(a), world.rank(b)) {
        (Rank::Dynamic, Rank::Dynamic) => {
            let holds_a = holds.hold_by_chain(bodies.0, -push.normal);
            let holds_b = holds.hold_by_chain(bodies.1, push.normal);
            match holds_a.cmp(&holds_b) {
                Ordering::Less => world.free(a, b, push),
                Ordering::Greater => world.free(b, a, push),
                // Nobody goes out of a row for what is as good as free.
                Ordering::Equal if holds_a > Rank::Dynamic && push.depth > FREE => {
                    slip_past(world, holds, push);
                }
                Ordering::Equal => {
                    let firmness = holds.firmness(world, push.pair);
                    world.share(push.pair, push.normal, push.depth, firmness);
                }
            }
        }
        // A lift does not push what leans on a wall into it.
        (Rank::Dynamic, fixed) if holds.hold(bodies.0, -push.normal) <= fixed => {
            world.free(a, b, push);
        }
        (fixed, Rank::Dynamic) if holds.hold(bodies.1, push.normal) <= fixed => {
            world.free(b, a, push);
        }
        _ => {}
    }
}

/// Two that can't go apart, for both are held, go past each other: along the other axis, by whoever is not held there too.
fn slip_past(world: &mut World, holds: &Holds, push: &Push) {
    let (a, b) = push.pair;
    let (direction, distance) = world.way_past(push);
    let holds_a = holds.hold_by_chain(world.body(a), -direction);
    let holds_b = holds.hold_by_chain(world.body(b), direction);
    match (holds_a, holds_b) {
        (Rank::Dynamic, Rank::Dynamic) => world.share((a, b), direction, distance, EQUALLY_FIRM),
        (Rank::Dynamic, _) => world.shift(a, -direction * distance),
        (_, Rank::Dynamic) => world.shift(b, direction * distance),
        // Held all around. Pushing on moves what holds them, if anything does.
        _ => world.share((a, b), push.normal, push.depth, EQUALLY_FIRM),
    }
}
