//! In which order the bodies of a crowd find their places.
//!
//! ```text
//! the middle of the crowd lies on the side of one of two near bodies: that body is in the other's way, and comes first
//! of the bodies in whose way no body is any more, the nearest to the middle comes next
//! if the bodies block each other in a cycle, the nearest to the middle comes first
//! ```
//!
//! With the distance alone, a small body beside a large one would come first, and would have to make room for the large one afterwards. Heavy bodies come before light ones: the light ones give way.

use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
};

use bevy::math::Vec2;

use super::{pairs::Pairs, surroundings::NONE, world::World};
use crate::{
    kernel::{Outline, gap_to_point},
    lists::Lists,
    placed::{compare_outlines, compare_places, in_order},
};

/// Two bodies are near each other if their gap is no more than this part of the smaller one's half size: about as far as their steps move them towards each other or apart.
const NEAR: f32 = 0.125;

/// The order of turns, with its buffers. The number of a body is its place in `order`.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    middle: Vec2,
    /// Sorted by weight and distance; bodies that join later are behind these.
    order: Vec<Turn>,
    /// By body: its number, or [`NONE`].
    number_of: Vec<u32>,
    /// By number: how many bodies in its way have not had their turns.
    blockers: Vec<u32>,
    /// By number: the bodies in whose way it is.
    behind: Lists<u32>,
    /// Pairs of numbers: the first is in the way of the second.
    ways: Vec<(u32, u32)>,
    /// Bodies with free ways, the next one on top.
    ready: BinaryHeap<Reverse<(Key, u32)>>,
    /// By number: whether it is ready, or has had its turn.
    is_called: Vec<bool>,
    /// The first number that may not have been called.
    next: usize,
}

#[derive(Clone, Copy, Debug)]
struct Turn {
    key: Key,
    body: u32,
}

/// When it is a body's turn: by its class of weight (a factor of four each), the heaviest first, and then by its distance from the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    lightness: u32,
    distance: u32,
}

impl Key {
    fn of(world: &World, body: u32, middle: Vec2) -> Self {
        // Measured to the border of a box, but to the center of a round shape: so a body that is in the way is usually nearer.
        let distance = match world.outline(body) {
            Outline::Shape(shape) => {
                gap_to_point(shape, middle - world.center(body)).0 + shape.radius()
            }
            Outline::Bounds(_) => 0.0,
        };
        Self {
            lightness: lightness(world, body),
            distance: in_order(distance),
        }
    }
}

/// Returns the class of a body's weight; heavier classes have lower numbers.
pub(super) fn lightness(world: &World, body: u32) -> u32 {
    let exponent = (world.member(body).inverse_mass * 2.0).to_bits() >> (f32::MANTISSA_DIGITS - 1);
    exponent.div_ceil(2)
}

impl Turns {
    /// Begins with the bodies of a crowd.
    pub(super) fn begin(
        &mut self,
        world: &World,
        pairs: &Pairs,
        bodies: impl Iterator<Item = u32>,
        middle: Vec2,
    ) {
        self.middle = middle;
        self.order.clear();
        self.order.extend(bodies.map(|body| Turn {
            key: Key::of(world, body, middle),
            body,
        }));
        self.order.sort_unstable_by(|a, b| {
            let by_key = a.key.cmp(&b.key);
            by_key.then_with(|| compare_bodies_alike(world, a.body, b.body))
        });
        self.number_of.clear();
        self.number_of.resize(world.count(), NONE);
        for (number, turn) in (0..).zip(&self.order) {
            self.number_of[turn.body as usize] = number;
        }
        self.find_ways(world, pairs);
        self.next = 0;
        self.is_called.clear();
        self.is_called.resize(self.order.len(), false);
        self.ready.clear();
        for number in 0..self.order.len() {
            if self.blockers[number] == 0 {
                self.call(number as u32);
            }
        }
    }

    /// Returns the bodies in sorted order, then those that have joined.
    pub(super) fn bodies(&self) -> impl Iterator<Item = u32> {
        self.order.iter().map(|turn| turn.body)
    }

    /// Returns the body whose turn it is.
    pub(super) fn next(&mut self) -> Option<u32> {
        let number = match self.ready.pop() {
            Some(Reverse((_, number))) => number as usize,
            None => {
                let mut called = self.is_called[self.next..].iter();
                let number = self.next + called.position(|is_called| !is_called)?;
                self.is_called[number] = true;
                self.next = number + 1;
                number
            }
        };
        Some(self.order[number].body)
    }

    /// Notes that a body has had its turn.
    pub(super) fn end(&mut self, body: u32) {
        let number = self.number_of[body as usize];
        // Bodies that joined are in no other body's way.
        if number as usize >= self.behind.count() {
            return;
        }
        let behind = std::mem::take(&mut self.behind);
        for &other in behind.of(number) {
            let blockers = &mut self.blockers[other as usize];
            *blockers -= 1;
            if *blockers == 0 {
                self.call(other);
            }
        }
        self.behind = behind;
    }

    /// Adds a body that has joined the crowd.
    pub(super) fn add(&mut self, world: &World, body: u32) {
        let number = self.order.len() as u32;
        let key = Key::of(world, body, self.middle);
        self.order.push(Turn { key, body });
        self.number_of.resize(world.count(), NONE);
        self.number_of[body as usize] = number;
        self.is_called.push(false);
        self.call(number);
    }

    fn call(&mut self, number: u32) {
        if !std::mem::replace(&mut self.is_called[number as usize], true) {
            let key = self.order[number as usize].key;
            self.ready.push(Reverse((key, number)));
        }
    }

    /// Finds which bodies are in whose way to the middle.
    fn find_ways(&mut self, world: &World, pairs: &Pairs) {
        let Self {
            middle,
            order,
            number_of,
            blockers,
            behind,
            ways,
            ..
        } = self;
        blockers.clear();
        blockers.resize(order.len(), 0);
        behind.begin(order.len());
        ways.clear();
        for (number, turn) in (0..).zip(&*order) {
            for pair in pairs.of(turn.body) {
                let (a, b) = pairs.get(pair).numbers();
                let [one, other] = [a, b].map(|member| number_of[world.body(member) as usize]);
                // Each pair is looked at once, by the body that is first in the order.
                if one.min(other) != number || one.max(other) == NONE {
                    continue;
                }
                let [narrow, others] = [a, b].map(|member| world.narrow(member));
                let Some(push) = world.push_within((a, b), narrow.min(others) * NEAR) else {
                    continue;
                };
                let lightness = [one, other].map(|number| order[number as usize].key.lightness);
                let between = world.center(a).midpoint(world.center(b)) - *middle;
                let is_in_order = match lightness[0].cmp(&lightness[1]) {
                    Ordering::Equal => push.normal.dot(between) >= 0.0,
                    unequal => unequal.is_lt(),
                };
                let (first, second) = if is_in_order {
                    (one, other)
                } else {
                    (other, one)
                };
                blockers[second as usize] += 1;
                behind.announce(first, 1);
                ways.push((first, second));
            }
        }
        behind.fill(ways.iter().copied());
    }
}

/// Compares two bodies outside a crowd by the order of their turns in it.
pub(super) fn compare_turns(world: &World, middle: Vec2, a: u32, b: u32) -> Ordering {
    let [key_a, key_b] = [a, b].map(|body| Key::of(world, body, middle));
    key_a
        .cmp(&key_b)
        .then_with(|| compare_bodies_alike(world, a, b))
}

/// Compares two bodies of equal keys.
#[cold]
pub(super) fn compare_bodies_alike(world: &World, a: u32, b: u32) -> Ordering {
    compare_places(world.position(a), world.position(b))
        .then_with(|| compare_places(world.origin(a), world.origin(b)))
        .then_with(|| compare_outlines(world.outline(a), world.outline(b)))
        .then_with(|| {
            // By all colliders of each.
            let [a, b] = [a, b].map(|body| world.size_of(body));
            let [half_a, half_b] = [a.half, b.half];
            (half_a.x.total_cmp(&half_b.x)).then(half_a.y.total_cmp(&half_b.y))
        })
        .then_with(|| world.slot(a).cmp(&world.slot(b)))
}
