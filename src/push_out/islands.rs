//! Whoever touches an overlapping pair, directly or through other dynamic bodies. The rest of the world has nothing to do.

use bevy::math::Vec2;

use super::{near::Near, overlaps::Overlaps, world::World};
use crate::placed::Rank;

const NONE: u32 = u32::MAX;

/// Bodies that are looked at in a round, numbered anew, and the pairs among them that touch.
#[derive(Clone, Debug, Default)]
pub(super) struct Islands {
    /// By their new numbers.
    bodies: Vec<u32>,
    pub(super) ranks: Vec<Rank>,
    /// The new number of each body.
    number_of: Vec<u32>,
    /// Numbers of near pairs, each once.
    pub(super) pairs: Vec<u32>,
    is_in: Vec<bool>,
}

/// Two bodies that touch or overlap, by their numbers among the [`Islands`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) bodies: [u32; 2],
    /// From the first to the second.
    pub(super) normal: Vec2,
}

impl Islands {
    /// Collects everyone around these pairs.
    pub(super) fn collect(
        &mut self,
        world: &World,
        near: &Near,
        overlaps: &Overlaps,
        seeds: impl Iterator<Item = u32>,
    ) {
        self.clear();
        self.number_of.resize(world.movers.len(), NONE);
        self.is_in.resize(near.pairs.len(), false);
        for pair in seeds {
            self.enter(world, near, pair);
        }
        let mut next = 0;
        while let Some(&body) = self.bodies.get(next) {
            if self.ranks[next] == Rank::Dynamic {
                for pair in near.of(body) {
                    if overlaps.meeting(pair).is_some() {
                        self.enter(world, near, pair);
                    }
                }
            }
            next += 1;
        }
    }

    /// The number of a body that is in a pair.
    #[inline]
    pub(super) fn number(&self, body: u32) -> u32 {
        self.number_of[body as usize]
    }

    /// The pairs as touches of bodies.
    pub(super) fn touches<'a>(
        &'a self,
        world: &'a World,
        overlaps: &'a Overlaps,
    ) -> impl Iterator<Item = Touch> + 'a {
        let meetings = self.pairs.iter().filter_map(|&pair| overlaps.meeting(pair));
        meetings.map(|meeting| {
            let (a, b) = meeting.slots;
            let number = |slot: u32| self.number(world.placed[slot as usize].body);
            let bodies = [number(a), number(b)];
            let normal = meeting.normal;
            Touch { bodies, normal }
        })
    }

    #[inline]
    fn enter(&mut self, world: &World, near: &Near, pair: u32) {
        if std::mem::replace(&mut self.is_in[pair as usize], true) {
            return;
        }
        self.pairs.push(pair);
        let (a, b) = near.pairs[pair as usize];
        for slot in [a, b] {
            let body = world.placed[slot as usize].body;
            let number = &mut self.number_of[body as usize];
            if *number == NONE {
                *number = self.bodies.len() as u32;
                self.bodies.push(body);
                self.ranks.push(world.movers[body as usize].rank);
            }
        }
    }

    fn clear(&mut self) {
        for body in self.bodies.drain(..) {
            self.number_of[body as usize] = NONE;
        }
        self.ranks.clear();
        for pair in self.pairs.drain(..) {
            self.is_in[pair as usize] = false;
        }
    }
}
