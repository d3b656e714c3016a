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

use bevy::math::{DVec2, I64Vec2, Vec2};

use super::{
    groups::Groups,
    island::Island,
    met::Met,
    near::Near,
    pairs::Pairs,
    place::{Obstacle, Place},
    statics::{come_back, slide_along_statics},
    world::{NONE, Push, TOLERANCE, World},
};
use crate::{
    cells::Cells,
    kernel::{Outline, cast_ray, gap_to_point},
    placed::{Rank, compare_outlines, compare_places},
};

/// Of a unit, in which places are summed.
const PARTS: f64 = 1024.0;
/// Fewer than so many bodies are no crowd: they share what they push.
const MANY: usize = 48;
/// So often who looks for a place looks around, where it has gone far.
const MOST_LOOKS: u32 = 4;
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
    /// By that place: where it was at first.
    from: Vec<Vec2>,
    /// By that place: so many are in its way to the middle, and have no place yet.
    blockers: Vec<u32>,
    /// By that place: in whose way it is. `behind[starts[number]..starts[number + 1]]`.
    starts: Vec<u32>,
    behind: Vec<u32>,
    edges: Vec<(u32, u32)>,
    /// By that place: it has its turn, or has had it.
    is_let: Vec<bool>,
    /// By body: its place in the order.
    number_of: Vec<u32>,
    /// By body: the last round in which it was taken in.
    taken_in: Vec<u32>,
    own: Vec<u32>,
    fresh: Vec<u32>,
    place: Place,
}

/// Whether so many press each other that sharing would not free them: each overlaps more than one other, by and large.
pub(super) fn is_crowd(island: &Island, pairs: &Pairs) -> bool {
    let over = island.pairs.iter();
    let over = over.filter(|&&number| pairs.get(number).overlaps).count();
    over >= MANY && over >= island.dynamic_bodies().count()
}

/// From where the pressure comes: what moves and gives no way, or the wall on whose side they are, or the middle of all.
pub(super) fn middle(world: &World, island: &Island) -> Vec2 {
    let mean = |rank: Rank| {
        let bodies = island.bodies.iter().zip(&island.ranks);
        let bodies = bodies.filter(|(_, other)| **other == rank);
        // Summed in parts of a unit, which are whole numbers: a sum of floats would depend on the order of the bodies.
        let (sum, count) = bodies.fold((I64Vec2::ZERO, 0), |(sum, count), (&body, _)| {
            let parts = world.position(body).as_dvec2() * PARTS;
            (sum.saturating_add(parts.as_i64vec2()), count + 1)
        });
        (count > 0).then(|| (sum.as_dvec2() / (f64::from(count) * PARTS)).as_vec2())
    };
    mean(Rank::Kinematic)
        .or_else(|| mean(Rank::Dynamic))
        .unwrap_or_default()
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
        self.begin(world, near, island, middle);
        while let Some(number) = self.take_next() {
            let body = self.order[number as usize].1;
            let from = self.from[number as usize];
            self.find_place(world, near, (body, from, middle), colliders, met);
            self.settle(world, near, body);
            self.let_come(number);
            self.find_fresh(world, &near.pairs, body, round, |other| {
                !island.contains(other) && !groups.has_given_up(other)
            });
            for at in 0..self.fresh.len() {
                let fresh = self.fresh[at];
                near.open(world, fresh);
                groups.take_in(world, fresh, body);
                self.taken_in.resize(world.count(), 0);
                self.taken_in[fresh as usize] = round;
                let turn = turn_of(world, fresh, middle);
                let turn = (turn, self.order.len() as u32);
                self.order.push((turn.0, fresh));
                self.is_let.push(true);
                self.from.push(world.position(fresh));
                self.again.push(Reverse(turn));
            }
        }
        if island.ranks.iter().all(|rank| *rank == Rank::Dynamic) {
            self.keep_middle(world);
        }
    }

    /// Moves all of them by as much as makes up for how far the middle of their masses has gone: who push each other, and nothing else, go nowhere as a whole.
    fn keep_middle(&self, world: &mut World) {
        let (mut sum, mut mass) = (DVec2::ZERO, 0.0);
        for (&(_, body), &from) in self.order.iter().zip(&self.from) {
            let own = 1.0 / f64::from(world.member(body).inverse_mass);
            sum += (world.position(body) - from).as_dvec2() * own;
            mass += own;
        }
        let way = (sum / mass).as_vec2();
        for &(_, body) in &self.order {
            world.shift(body, -way);
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
    fn begin(&mut self, world: &World, near: &Near, island: &Island, middle: Vec2) {
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
        self.from.clear();
        let places = self.order.iter().map(|(_, body)| world.position(*body));
        self.from.extend(places);
        self.waits_for(world, near, middle);
        self.number += 1;
        // A sum of floats depends on their order, which is that of their places here; it only decides how long a look takes.
        let sizes = self
            .order
            .iter()
            .map(|(_, body)| world.half_extents(*body).1);
        let size = 2.0 * sizes.sum::<f32>() / self.count.max(1) as f32;
        self.far.clear(world.count(), self.count, size);
    }

    /// Finds out who is in whose way to the middle: of two that are near each other, the one on whose side of the border between them the middle lies.
    fn waits_for(&mut self, world: &World, near: &Near, middle: Vec2) {
        let Self {
            order,
            number_of,
            blockers,
            starts,
            behind,
            edges,
            is_let,
            again,
            ..
        } = self;
        number_of.clear();
        number_of.resize(world.count(), NONE);
        for (number, (_, body)) in (0..).zip(&*order) {
            number_of[*body as usize] = number;
        }
        blockers.clear();
        blockers.resize(order.len(), 0);
        starts.clear();
        starts.resize(order.len() + 1, 0);
        edges.clear();
        for (number, &(turn, body)) in (0_u32..).zip(&*order) {
            for pair in near.pairs.of(body) {
                let (a, b) = near.pairs.get(pair).numbers();
                let (_, other) = own_first(world, body, (a, b));
                let other = number_of[world.body(other) as usize];
                if other == NONE || other <= number {
                    continue;
                }
                let Some(push) = world.push_within((a, b), near.reach()) else {
                    continue;
                };
                let weight = |turn: u64| turn >> 32;
                let between = world.center(a).midpoint(world.center(b)) - middle;
                let is_a_first = push.normal.dot(between) >= 0.0;
                let is_own_first = if weight(turn) == weight(order[other as usize].0) {
                    is_a_first == (world.body(a) == body)
                } else {
                    true
                };
                let (first, second) = if is_own_first {
                    (number, other)
                } else {
                    (other, number)
                };
                blockers[second as usize] += 1;
                starts[first as usize] += 1;
                edges.push((first, second));
            }
        }
        // Counts become ends; filling backwards turns ends into starts.
        let mut end = 0;
        for count in &mut *starts {
            end += *count;
            *count = end;
        }
        behind.clear();
        behind.resize(edges.len(), 0);
        for &(first, second) in edges.iter().rev() {
            let start = &mut starts[first as usize];
            *start -= 1;
            behind[*start as usize] = second;
        }
        is_let.clear();
        is_let.resize(order.len(), false);
        again.clear();
        for (number, &(turn, _)) in (0_u32..).zip(&*order) {
            if blockers[number as usize] == 0 {
                is_let[number as usize] = true;
                again.push(Reverse((turn, number)));
            }
        }
    }

    /// Nobody has to wait any more for one that has found its place.
    fn let_come(&mut self, number: u32) {
        if number as usize >= self.count {
            return;
        }
        let range =
            self.starts[number as usize] as usize..self.starts[number as usize + 1] as usize;
        for &other in &self.behind[range] {
            let blockers = &mut self.blockers[other as usize];
            *blockers -= 1;
            if *blockers == 0 && !std::mem::replace(&mut self.is_let[other as usize], true) {
                self.again
                    .push(Reverse((self.order[other as usize].0, other)));
            }
        }
    }

    /// Whose turn it is: a place in the order. Where each waits for the next one, all around, the first of them comes.
    fn take_next(&mut self) -> Option<u32> {
        if let Some(Reverse((_, number))) = self.again.pop() {
            return Some(number);
        }
        while self.next < self.count {
            let number = self.next;
            self.next += 1;
            if !std::mem::replace(&mut self.is_let[number], true) {
                return Some(number as u32);
            }
        }
        None
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

    /// Puts a body where it overlaps nobody who has a place, nor what does not give way: as near as can be to where it was at first.
    fn find_place(
        &mut self,
        world: &mut World,
        near: &mut Near,
        (body, from, middle): (u32, Vec2, Vec2),
        colliders: &mut Vec<u32>,
        met: &mut Met,
    ) {
        self.own.clear();
        world.enter_colliders_of(body, &mut self.own);
        let (narrow, wide) = world.half_extents(body);
        world.move_to(body, from);
        let mut looked_from = near.look_from(body);
        self.place.clear();
        for look in 0..MOST_LOOKS {
            near.look_again(world, body, &mut looked_from);
            let at = world.position(body);
            self.look_around(world, &near.pairs, body, narrow);
            let rounding = world.rounding((body, body));
            let tolerance = (TOLERANCE * 0.25).max(rounding);
            let Some(place) = self.place.nearest_free(from, wide, tolerance) else {
                world.move_to(body, from);
                self.go_outwards(world, near, (body, middle), &mut looked_from);
                break;
            };
            if place == at {
                break;
            }
            world.move_to(body, place);
            let has_seen_all = (place - at).abs().max_element() <= narrow;
            if has_seen_all && !near.is_far(place, looked_from) || look + 1 == MOST_LOOKS {
                break;
            }
        }
        let to = world.position(body);
        world.move_to(body, from);
        for obstacle in self.place.taken() {
            let (own, other) = obstacle.pair;
            let pair = world.in_order(own, other);
            if world.overlap(pair).is_some() {
                met.tell(world, near.pair_mut(world, pair));
            }
        }
        world.move_to(body, to);
        if to != from {
            slide_along_statics(world, near, (body, from), colliders);
            come_back(world, near, body, |world, pair| met.tell(world, pair));
            near.look_again(world, body, &mut looked_from);
        }
    }

    /// Adds what is firm and near a body to what it has to be free of.
    fn look_around(&mut self, world: &World, pairs: &Pairs, body: u32, slack: f32) {
        let Self {
            place, own, far, ..
        } = self;
        for number in pairs.of(body) {
            let pair = pairs.get(number).numbers();
            let (own, other) = own_first(world, body, pair);
            if is_firm(world, &self.placed_in, self.number, other) {
                add(world, place, own, other);
            }
        }
        for &own in &*own {
            if let Some(extent) = world.extent_at(own, world.position(own), slack) {
                far.meeting(&extent, |other| {
                    if world.may_push(own, other) {
                        add(world, place, own, other);
                    }
                });
            }
        }
    }

    /// Whether nothing moves a member any more.
    fn is_firm(&self, world: &World, member: u32) -> bool {
        is_firm(world, &self.placed_in, self.number, member)
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

/// Whether nothing moves a member any more, in a crowd with this number.
#[inline]
fn is_firm(world: &World, placed_in: &[u32], crowd: u32, member: u32) -> bool {
    let placed_in = || placed_in.get(world.body(member) as usize);
    world.rank(member) != Rank::Dynamic || placed_in() == Some(&crowd)
}

/// Adds a collider to what is in the way of one of the body that looks for a place, if it is not known yet.
#[inline]
fn add(world: &World, place: &mut Place, own: u32, other: u32) {
    let pair = (own, other);
    if place.obstacles.iter().any(|known| known.pair == pair) {
        return;
    }
    let (Outline::Shape(shape), outline) = (world.outline(own), world.outline(other)) else {
        return;
    };
    place.obstacles.push(Obstacle {
        pair,
        center: world.center(other) - world.offset(own),
        outline: match outline {
            Outline::Shape(other) => Outline::Shape(other.sum(shape)),
            Outline::Bounds(room) => Outline::Bounds((room - shape.half_extents()).max(Vec2::ZERO)),
        },
    });
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

/// The less, the earlier: by weight, of which a factor of four is a class, and then by how far away from the middle it begins. So what is in somebody's way to the middle comes before him.
fn turn_of(world: &World, body: u32, middle: Vec2) -> u64 {
    let exponent = (world.member(body).inverse_mass * 2.0).to_bits() >> (f32::MANTISSA_DIGITS - 1);
    let lightness = exponent.div_ceil(2);
    let gap = match world.outline(body) {
        Outline::Shape(shape) => {
            gap_to_point(shape, middle - world.center(body)).0 + shape.radius()
        }
        Outline::Bounds(_) => 0.0,
    };
    u64::from(lightness) << 32 | u64::from(in_order(gap))
}

/// A number of which the less is that of the less.
fn in_order(float: f32) -> u32 {
    let bits = float.to_bits();
    let sign = bits >> 31;
    bits ^ (sign.wrapping_neg() | 1 << 31)
}

/// Of two at the same distance.
#[cold]
fn compare_alike(world: &World, a: u32, b: u32) -> Ordering {
    compare_places(world.position(a), world.position(b))
        .then_with(|| compare_places(world.origin(a), world.origin(b)))
        .then_with(|| compare_outlines(world.outline(a), world.outline(b)))
        .then_with(|| world.slot(a).cmp(&world.slot(b)))
}
