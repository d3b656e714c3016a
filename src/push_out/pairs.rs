//! Pairs of members that are near each other, and the pairs of each body.

use bevy::math::Vec2;

use super::{
    surroundings::NONE,
    world::{Push, World},
};
use crate::placed::Rank;

/// Two members, and what is known of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// The numbers of both, and how to part them as of the last test in which they touched.
    pub(super) push: Push,
    /// They overlap, touch, or lean on each other.
    pub(super) touches: bool,
    /// They overlap, by more than rounding.
    pub(super) overlaps: bool,
    /// It is in the list of overlapping pairs. A pair that does not overlap any more stays there until the end of an update.
    pub(super) is_listed: bool,
    /// Its meeting in this tick is recorded, or is known from detection.
    pub(super) is_told: bool,
    /// When it was last tested, by the time of the world; 0 if never.
    pub(super) asked_at: u32,
    /// The number of the last visit in which it was part of an island; there are several visits in each round.
    pub(super) visited_in: u32,
}

impl Pair {
    #[inline]
    pub(super) fn numbers(&self) -> (u32, u32) {
        self.push.pair
    }

    /// Whether the pair overlaps by more than rounding, and by more than the tolerance.
    #[inline]
    pub(super) fn is_over(&self, tolerance: f32) -> bool {
        self.overlaps && self.push.depth > tolerance
    }
}

/// The pairs by number, and for each dynamic body a chain through its pairs for each rank of the other member.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    pub(super) all: Vec<Pair>,
    /// By link: the number of a pair, and the next link of the chain.
    links: Vec<(u32, u32)>,
    /// By body: the first link of each of its chains.
    first: Vec<[u32; Rank::COUNT]>,
}

impl Pairs {
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.links.clear();
        self.first.clear();
    }

    #[inline]
    pub(super) fn get(&self, number: u32) -> &Pair {
        &self.all[number as usize]
    }

    #[inline]
    pub(super) fn get_mut(&mut self, number: u32) -> &mut Pair {
        &mut self.all[number as usize]
    }

    /// Adds a pair that is not in the list yet.
    #[inline]
    pub(super) fn add(&mut self, world: &World, a: u32, b: u32) {
        self.all.push(Pair {
            push: Push {
                pair: world.in_order(a, b),
                normal: Vec2::ZERO,
                depth: 0.0,
            },
            touches: false,
            overlaps: false,
            is_listed: false,
            is_told: false,
            asked_at: 0,
            visited_in: 0,
        });
        self.link(world, self.all.len() - 1);
    }

    /// Keeps the pairs that pass. Pairs behind a removed one get lower numbers.
    pub(super) fn retain(&mut self, world: &World, is_kept: impl FnMut(&Pair) -> bool) {
        self.all.retain(is_kept);
        self.links.clear();
        self.first.fill([NONE; Rank::COUNT]);
        for number in 0..self.all.len() {
            self.link(world, number);
        }
    }

    /// Returns the first links of a body's chains, for [`link_at`](Self::link_at).
    #[inline]
    pub(super) fn first_of(&self, body: u32) -> [u32; Rank::COUNT] {
        self.first
            .get(body as usize)
            .copied()
            .unwrap_or([NONE; Rank::COUNT])
    }

    /// Returns the number of a pair, and the next link; `None` at the end of the chain.
    #[inline]
    pub(super) fn link_at(&self, link: u32) -> Option<(u32, u32)> {
        self.links.get(link as usize).copied()
    }

    /// Returns the numbers of the pairs of a body; none if the body is not dynamic.
    #[inline]
    pub(super) fn of(&self, body: u32) -> impl Iterator<Item = u32> + '_ {
        let chains = self.first_of(body).into_iter();
        chains.flat_map(|first| self.along(first))
    }

    /// Returns the numbers of those of its pairs whose other member is of this rank.
    #[inline]
    pub(super) fn with(&self, body: u32, rank: Rank) -> impl Iterator<Item = u32> + '_ {
        self.along(self.first_of(body)[rank as usize])
    }

    #[inline]
    fn along(&self, first: u32) -> impl Iterator<Item = u32> + '_ {
        let links = std::iter::successors(self.link_at(first), |(_, next)| self.link_at(*next));
        links.map(|(number, _)| number)
    }

    #[inline]
    fn link(&mut self, world: &World, number: usize) {
        if self.first.len() < world.count() {
            self.first.resize(world.count(), [NONE; Rank::COUNT]);
        }
        let (a, b) = self.all[number].numbers();
        let chain = world.rank(a).max(world.rank(b)) as usize;
        for body in [world.body(a), world.body(b)] {
            if world.rank(body) == Rank::Dynamic {
                let first = &mut self.first[body as usize][chain];
                let next = std::mem::replace(first, self.links.len() as u32);
                self.links.push((number as u32, next));
            }
        }
    }
}
