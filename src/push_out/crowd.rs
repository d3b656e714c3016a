//! A crowd that presses itself finds its places from its middle outwards, one body after the other.
//!
//! ```text
//! who is nearest to the middle, of all that have no place yet, comes next; the heavy ones before the light ones
//!     it leaves everybody who has a place, and whatever does not give way: each time the one that it is in the deepest
//!     who is between two, and gets out of neither, goes straight outwards
//!     is somebody else nearer to the middle by now, it waits for its turn there; else that is its place
//! ```
//!
//! Two that share a push hand it on, and each of it comes back from the next: so it takes rounds by the square of the crowd's width until the pressure is gone. Here nobody who has a place is moved any more, and
//! one pass frees all that can be freed outwards. A crowd that was at rest, and steps inwards in every tick, finds its places in the order in which it found them before: each on those on which it has lain.

use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
};

use bevy::math::Vec2;

use super::{
    groups::Groups,
    island::Island,
    met::Met,
    near::Near,
    pairs::Pairs,
    queue::compare_depths,
    statics::{come_back, gives_no_way, out_of_a_seam, slide_along_statics},
    world::{Push, World},
};
use crate::{
    cells::Cells,
    kernel::{Outline, cast_ray},
    placed::{Rank, compare_outlines, compare_places},
};

/// Fewer than so many bodies are no crowd: they share what they push.
const MANY: usize = 48;
/// So often who looks for a place is pushed by those that have one, before it goes outwards.
const MOST_PUSHES: u32 = 8;
/// So often it waits for its turn again.
const MOST_TURNS: u8 = 8;
/// It goes outwards by no more than so many of its half sizes at once, ...
const FAR: f32 = 8.0;
/// ... and so often.
const MOST_STEPS: u32 = 16;

/// Finds places, with its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Crowd {
    /// Counts the crowds of a push-out.
    number: u32,
    /// By body: the last crowd in which it has found its place.
    placed_in: Vec<u32>,
    /// Colliders that have a place, and whose body has gone far to it: of all others those know who are near that they were near.
    far: Cells,
    /// Whose turn is when; and behind them, those that were taken in on the way.
    order: Vec<(u64, u32)>,
    /// So many are no newcomers, ...
    count: usize,
    /// ... of whom so many have had their turn.
    next: usize,
    /// When it is the turn of those that wait again, and their places in that order.
    again: BinaryHeap<Reverse<(u64, u32)>>,
    /// By that place: how often it has waited.
    turns: Vec<u8>,
    /// By body: the last round in which it was taken in.
    taken_in: Vec<u32>,
    own: Vec<u32>,
    fresh: Vec<u32>,
}

/// Whether so many press each other that sharing would not free them: each overlaps more than one other, by and large.
pub(super) fn is_crowd(island: &Island, pairs: &Pairs) -> bool {
    let over = island.pairs.iter();
    let over = over.filter(|&&number| pairs.get(number).overlaps).count();
    over >= MANY && over >= island.dynamic_bodies().count()
}

/// The world around a crowd.
pub(super) struct Around<'a, 'w> {
    pub(super) world: &'a mut World<'w>,
    pub(super) near: &'a mut Near,
    pub(super) groups: &'a mut Groups,
    pub(super) met: &'a mut Met,
    pub(super) colliders: &'a mut Vec<u32>,
}

impl Crowd {
    /// Nobody has a place, and nobody has been taken in.
    pub(super) fn start(&mut self) {
        self.number = 0;
        self.placed_in.clear();
        self.taken_in.clear();
    }

    /// Frees an island, as far as those can be freed who have to stay on the side of the middle on which they are. Who is in somebody's way, and in no crowd of this round, is taken in.
    pub(super) fn press(&mut self, around: Around, island: &Island, middle: Vec2, round: u32) {
        let Around {
            world,
            near,
            groups,
            met,
            colliders,
        } = around;
        self.begin(world, island, middle);
        while let Some(number) = self.take_next() {
            let body = self.order[number as usize].1;
            self.find_place(world, near, (body, middle), colliders, met);
            let turn = turn_of(world, body, middle);
            let is_late = self.next_turn().is_some_and(|next| next < turn);
            let turns = &mut self.turns[number as usize];
            if is_late && *turns < MOST_TURNS {
                *turns += 1;
                self.again.push(Reverse((turn, number)));
                continue;
            }
            self.settle(world, near, body);
            self.find_fresh(world, &near.pairs, body, round, |other| {
                !island.contains(other) && !groups.has_given_up(other)
            });
            for at in 0..self.fresh.len() {
                let fresh = self.fresh[at];
                near.open(world, fresh);
                groups.take_in(world, fresh, body);
                self.taken_in.resize(world.count(), 0);
                self.taken_in[fresh as usize] = round;
                let turn = (turn_of(world, fresh, middle), self.order.len() as u32);
                self.order.push((turn.0, fresh));
                self.turns.push(0);
                self.again.push(Reverse(turn));
            }
        }
    }

    /// A body has found its place.
    fn settle(&mut self, world: &World, near: &Near, body: u32) {
        self.placed_in.resize(world.count(), 0);
        self.placed_in[body as usize] = self.number;
        if near.has_gone_far(world, body) {
            self.far.grow(world.count());
            for &own in &self.own {
                if let Some(extent) = world.extent_at(own, world.position(own), 0.0) {
                    self.far.set(own, extent);
                }
            }
        }
    }

    /// Nobody has a place; who comes when.
    fn begin(&mut self, world: &World, island: &Island, middle: Vec2) {
        let bodies = island.dynamic_bodies();
        self.order.clear();
        self.order
            .extend(bodies.map(|body| (turn_of(world, body, middle), body)));
        self.order.sort_unstable_by(|(turn_a, a), (turn_b, b)| {
            let by_turn = turn_a.cmp(turn_b);
            by_turn.then_with(|| compare_alike(world, *a, *b))
        });
        self.count = self.order.len();
        self.next = 0;
        self.turns.clear();
        self.turns.resize(self.count, 0);
        self.again.clear();
        self.number += 1;
        // A sum of floats depends on their order, which is that of their places here; it only decides how long a look takes.
        let sizes = self
            .order
            .iter()
            .map(|(_, body)| world.half_extents(*body).1);
        let size = 2.0 * sizes.sum::<f32>() / self.count.max(1) as f32;
        self.far.clear(world.count(), self.count, size);
    }

    /// Whose turn it is: a place in the order.
    fn take_next(&mut self) -> Option<u32> {
        let first = self.order[..self.count].get(self.next);
        let first = first.map(|&(turn, _)| (turn, self.next as u32));
        match self.again.peek() {
            Some(Reverse(again)) if first.is_none_or(|first| *again < first) => {
                self.again.pop().map(|Reverse((_, number))| number)
            }
            _ => {
                let (_, number) = first?;
                self.next += 1;
                Some(number)
            }
        }
    }

    /// When the next one has its turn.
    fn next_turn(&self) -> Option<u64> {
        let first = self.order[..self.count].get(self.next);
        let first = first.map(|(turn, _)| *turn);
        let again = self.again.peek().map(|Reverse((turn, _))| *turn);
        first.into_iter().chain(again).min()
    }

    /// Lists bodies that overlap one that has found its place, and are in no crowd of this round.
    fn find_fresh(
        &mut self,
        world: &World,
        pairs: &Pairs,
        body: u32,
        round: u32,
        is_wanted: impl Fn(u32) -> bool,
    ) {
        self.fresh.clear();
        for number in pairs.of(body) {
            let pair = pairs.get(number).numbers();
            let (_, other) = own_first(world, body, pair);
            let other = world.body(other);
            let is_in_crowd = || {
                let mut numbers = pairs.of(other);
                self.taken_in.get(other as usize) == Some(&round)
                    || numbers.any(|number| pairs.get(number).in_round >= round)
            };
            if world.rank(other) == Rank::Dynamic
                && is_wanted(other)
                && deep_overlap(world, pair).is_some()
                && !is_in_crowd()
                && !self.fresh.contains(&other)
            {
                self.fresh.push(other);
            }
        }
        self.fresh
            .sort_unstable_by(|a, b| compare_alike(world, *a, *b));
    }

    /// Puts a body where it overlaps nobody who has a place, nor what does not give way.
    fn find_place(
        &mut self,
        world: &mut World,
        near: &mut Near,
        (body, middle): (u32, Vec2),
        colliders: &mut Vec<u32>,
        met: &mut Met,
    ) {
        self.own.clear();
        world.enter_colliders_of(body, &mut self.own);
        let from = world.position(body);
        let mut looked_from = near.look_from(body);
        for pushes in 0..=MOST_PUSHES {
            near.look_again(world, body, &mut looked_from);
            let Some(push) = self.deepest(world, &near.pairs, body) else {
                break;
            };
            met.tell(world, near.pair_mut(world, push.pair));
            if pushes == MOST_PUSHES {
                self.go_outwards(world, near, (body, middle), &mut looked_from);
                break;
            }
            let gives_no_way = gives_no_way(world, push.pair);
            let across = gives_no_way.then(|| out_of_a_seam(world, &near.pairs, &push));
            let push = across.flatten().unwrap_or(push);
            let (own, other) = own_first(world, body, push.pair);
            world.free(own, other, &push);
        }
        if world.position(body) != from {
            slide_along_statics(world, near, (body, from), colliders);
            come_back(world, near, body, |world, pair| met.tell(world, pair));
            near.look_again(world, body, &mut looked_from);
        }
    }

    /// What does not give way to a body, and it is in the deepest.
    fn deepest(&self, world: &World, pairs: &Pairs, body: u32) -> Option<Push> {
        let mut deepest: Option<Push> = None;
        let mut take = |push: Push| {
            if deepest.is_none_or(|other| compare_depths(world, &push, &other).is_lt()) {
                deepest = Some(push);
            }
        };
        for number in pairs.of(body) {
            let pair = pairs.get(number).numbers();
            let (_, other) = own_first(world, body, pair);
            if self.is_firm(world, other)
                && let Some(push) = deep_overlap(world, pair)
            {
                take(push);
            }
        }
        for &own in &self.own {
            self.far_from(world, own, |other| {
                if let Some(push) = deep_overlap(world, world.in_order(own, other)) {
                    take(push);
                }
            });
        }
        deepest
    }

    /// Whether nothing moves a member any more.
    fn is_firm(&self, world: &World, member: u32) -> bool {
        let placed_in = || self.placed_in.get(world.body(member) as usize);
        world.rank(member) != Rank::Dynamic || placed_in() == Some(&self.number)
    }

    /// Calls `found` with those that have gone far to their places, and push a collider where it is, or may.
    fn far_from(&self, world: &World, own: u32, mut found: impl FnMut(u32)) {
        if let Some(extent) = world.extent_at(own, world.position(own), 0.0) {
            self.far.meeting(&extent, |other| {
                if world.may_push(own, other) {
                    found(other);
                }
            });
        }
    }

    /// Straight away from the middle, to behind all that have a place.
    fn go_outwards(
        &mut self,
        world: &mut World,
        near: &mut Near,
        (body, middle): (u32, Vec2),
        looked_from: &mut Vec2,
    ) {
        let out = (world.position(body) - middle).normalize_or(Vec2::X);
        let far = out * (world.half_extents(body).1 * FAR);
        for _ in 0..MOST_STEPS {
            near.look_again(world, body, looked_from);
            let mut exit = 0.0_f32;
            let mut leave = |pair: (u32, u32)| {
                let (own, other) = own_first(world, body, pair);
                if let (Outline::Shape(one), Outline::Shape(two)) =
                    (world.outline(own), world.outline(other))
                    && deep_overlap(world, pair).is_some()
                {
                    // From outside, a ray meets it where whoever goes outwards leaves it.
                    let start = world.center(own) + far - world.center(other);
                    let impact = cast_ray(one.sum(two), start, -far);
                    exit = exit.max(impact.map_or(0.0, |impact| 1.0 - impact.fraction));
                }
            };
            for number in near.pairs.of(body) {
                let pair = near.pairs.get(number).numbers();
                let (_, other) = own_first(world, body, pair);
                if world.rank(other) == Rank::Dynamic && self.is_firm(world, other) {
                    leave(pair);
                }
            }
            for &own in &self.own {
                self.far_from(world, own, |other| leave(world.in_order(own, other)));
            }
            if exit == 0.0 {
                return;
            }
            world.shift(body, far * exit);
        }
    }
}

/// How a pair overlaps, if it does by more than rounding.
#[inline]
fn deep_overlap(world: &World, pair: (u32, u32)) -> Option<Push> {
    let push = world.overlap(pair)?;
    (push.depth > world.rounding(pair)).then_some(push)
}

/// Of a pair with a collider of a body, that one, and the other.
fn own_first(world: &World, body: u32, (a, b): (u32, u32)) -> (u32, u32) {
    if world.body(a) == body {
        (a, b)
    } else {
        (b, a)
    }
}

/// The less, the earlier: by weight, of which a factor of four is a class, and then by how far away from the middle it is.
fn turn_of(world: &World, body: u32, middle: Vec2) -> u64 {
    let exponent = (world.member(body).inverse_mass * 2.0).to_bits() >> (f32::MANTISSA_DIGITS - 1);
    let lightness = exponent.div_ceil(2);
    let distance = world.position(body).distance_squared(middle);
    u64::from(lightness) << 32 | u64::from(distance.to_bits())
}

/// Of two at the same distance.
#[cold]
fn compare_alike(world: &World, a: u32, b: u32) -> Ordering {
    compare_places(world.position(a), world.position(b))
        .then_with(|| compare_places(world.origin(a), world.origin(b)))
        .then_with(|| compare_outlines(world.outline(a), world.outline(b)))
        .then_with(|| world.slot(a).cmp(&world.slot(b)))
}
