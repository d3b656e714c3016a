//! An island: everything that touches an overlapping pair, directly or through other dynamic bodies. The rest of the world has nothing to do with it.

use bevy::math::{I64Vec2, Vec2};

use super::{
    pairs::Pairs,
    surroundings::NONE,
    walls::Walls,
    world::{World, bounds_of},
};
use crate::placed::Rank;

/// Places and ways are summed in this many parts of a unit, as integers, since the sum of floats depends on their order.
pub(super) const PARTS: f64 = 65536.0;

/// Bodies that are looked at together, numbered anew, and the pairs among them that touch.
#[derive(Clone, Debug, Default)]
pub(super) struct Island {
    /// The bodies, by their new numbers.
    pub(super) bodies: Vec<u32>,
    pub(super) ranks: Vec<Rank>,
    /// The new number of each body.
    number_of: Vec<u32>,
    /// Numbers of its pairs, each once.
    pub(super) pairs: Vec<u32>,
    /// The same pairs, as touches.
    pub(super) touches: Vec<Touch>,
    /// Further touches: a body at one wall of a room may be at another wall as well, in a corner.
    pub(super) corners: Vec<Touch>,
    /// By new number: on which sides of a firm body there are others.
    around: Vec<Walls>,
    /// Bodies of overlapping pairs, some of them more than once, if only bodies around these are collected.
    overlapping: Vec<u32>,
}

/// Two bodies that touch or overlap, by their numbers in the [`Island`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) bodies: [u32; 2],
    /// From the first to the second.
    pub(super) normal: Vec2,
}

impl Island {
    /// Collects everything around a pair. Returns false if the pair has been in an island of this visit. `visit` is its number: there are several visits in each round.
    pub(super) fn collect(
        &mut self,
        world: &World,
        pairs: &mut Pairs,
        seed: u32,
        visit: u32,
    ) -> bool {
        self.clear();
        self.number_of.resize(world.count(), NONE);
        if !self.enter(world, pairs, seed, visit) {
            return false;
        }
        let mut next = 0;
        while let Some(&body) = self.bodies.get(next) {
            for mut link in pairs.first_of(body) {
                while let Some((pair, next_link)) = pairs.link_at(link) {
                    if pairs.get(pair).touches {
                        self.enter(world, pairs, pair, visit);
                    }
                    link = next_link;
                }
            }
            next += 1;
        }
        true
    }

    /// Collects only bodies that touch one of a pair that overlaps by more than the tolerance, around these pairs and all that they lead to. Returns false if all of the pairs have been in an island of this visit.
    pub(super) fn collect_near(
        &mut self,
        world: &World,
        pairs: &mut Pairs,
        seeds: impl Iterator<Item = u32>,
        (visit, tolerance): (u32, f32),
    ) -> bool {
        self.clear();
        self.number_of.resize(world.count(), NONE);
        let mut next = 0;
        for seed in seeds {
            self.enter_over(world, pairs, seed, visit);
        }
        while let Some(&body) = self.overlapping.get(next) {
            for mut link in pairs.first_of(body) {
                while let Some((number, next_link)) = pairs.link_at(link) {
                    let pair = pairs.get(number);
                    if pair.is_over(tolerance) {
                        self.enter_over(world, pairs, number, visit);
                    } else if pair.touches {
                        // A body that is in another island of this visit is in this one too: both islands are of one group then.
                        let (a, b) = pair.numbers();
                        for member in [a, b] {
                            self.enter_body(world, member);
                        }
                        self.enter(world, pairs, number, visit);
                    }
                    link = next_link;
                }
            }
            next += 1;
        }
        !self.pairs.is_empty()
    }

    /// Enters an overlapping pair, and notes that what is around both bodies is to follow.
    fn enter_over(&mut self, world: &World, pairs: &mut Pairs, number: u32, visit: u32) {
        if self.enter(world, pairs, number, visit) {
            let (a, b) = pairs.get(number).numbers();
            let bodies = [a, b].map(|member| world.body(member));
            self.overlapping.extend(bodies);
        }
    }

    /// Returns where the pressure on the overlapping bodies comes from, see [`source`](Self::source). Uses the least and the largest coordinates, since a sum would depend on the order of the bodies.
    pub(super) fn middle(&mut self, world: &World, pairs: &Pairs) -> Vec2 {
        let over = self.pairs.iter().map(|&number| pairs.get(number));
        let places = over.filter(|pair| pair.overlaps).flat_map(|pair| {
            let (a, b) = pair.numbers();
            [a, b].map(|member| (world.rank(member), world.middle(member)))
        });
        let moving = places.filter(|(rank, _)| *rank == Rank::Dynamic);
        let bounds = bounds_of(moving.map(|(_, place)| place));
        let middle = bounds.0.midpoint(bounds.1);
        self.source(world, bounds, middle)
    }

    /// Returns where the pressure on bodies with these bounds and this middle comes from, on each axis: from kinematics that have some of the bodies on both sides; else from the wall on whose side
    /// the bodies are; or else from their middle.
    pub(super) fn source(
        &mut self,
        world: &World,
        (low, high): (Vec2, Vec2),
        middle: Vec2,
    ) -> Vec2 {
        let mut walls = Walls::default();
        self.around.clear();
        self.around.resize(self.bodies.len(), Walls::default());
        for touch in &self.touches {
            let [a, b] = touch.bodies;
            let ((fixed, moving), back) = match [a, b].map(|body| self.ranks[body as usize]) {
                [Rank::Static | Rank::Kinematic, Rank::Dynamic] => ((a, b), touch.normal),
                [Rank::Dynamic, Rank::Static | Rank::Kinematic] => ((b, a), -touch.normal),
                _ => continue,
            };
            // All bodies are inside a room, whichever of its walls they touch.
            if !world.is_room(self.bodies[fixed as usize]) {
                self.around[fixed as usize].note(back);
            }
            // A firm body with some of the bodies beyond it is no wall.
            let body = self.bodies[moving as usize];
            let (place, half) = (world.middle(body), world.member(body).half_extents());
            walls.note_where(back, (place - half).cmple(low), (place + half).cmpge(high));
        }
        let (mut sum, mut count) = (I64Vec2::ZERO, I64Vec2::ZERO);
        for ((&body, rank), around) in self.bodies.iter().zip(&self.ranks).zip(&self.around) {
            if *rank == Rank::Kinematic {
                let closed = around.closed();
                let middle = world.position(body) + world.size_of(body).middle;
                let parts = (middle.as_dvec2() * PARTS).as_i64vec2();
                sum = sum.saturating_add(I64Vec2::select(closed, parts, I64Vec2::ZERO));
                count += I64Vec2::select(closed, I64Vec2::ONE, I64Vec2::ZERO);
            }
        }
        let within = (sum.as_dvec2() / (count.as_dvec2() * PARTS)).as_vec2();
        let from_walls = walls.from((low, high), middle);
        Vec2::select(count.cmpgt(I64Vec2::ZERO), within, from_walls)
    }

    /// Marks its pairs as if they had been in another island of this visit.
    pub(super) fn mark(&self, pairs: &mut Pairs, visit: u32) {
        for &number in &self.pairs {
            pairs.get_mut(number).visited_in = visit;
        }
    }

    /// Whether no body in it is firm.
    pub(super) fn is_afloat(&self) -> bool {
        self.ranks.iter().all(|rank| *rank == Rank::Dynamic)
    }

    /// Returns the bodies that can be moved.
    pub(super) fn dynamic_bodies(&self) -> impl Iterator<Item = u32> {
        let ranked = self.bodies.iter().zip(&self.ranks);
        ranked.filter_map(|(&body, rank)| (*rank == Rank::Dynamic).then_some(body))
    }

    /// Whether a body is in it.
    #[inline]
    pub(super) fn contains(&self, body: u32) -> bool {
        self.number_of
            .get(body as usize)
            .is_some_and(|number| *number != NONE)
    }

    /// Returns the new number of a body that is in the island.
    #[inline]
    pub(super) fn number(&self, body: u32) -> u32 {
        self.number_of[body as usize]
    }

    /// Enters a pair and its bodies. Returns false for a pair that has been in an island of this visit, or of a later one.
    #[inline]
    fn enter(&mut self, world: &World, pairs: &mut Pairs, number: u32, visit: u32) -> bool {
        let pair = pairs.get_mut(number);
        if pair.visited_in >= visit {
            return false;
        }
        pair.visited_in = visit;
        let (a, b) = pair.numbers();
        let normal = pair.push.normal;
        let bodies = [self.enter_body(world, a), self.enter_body(world, b)];
        self.pairs.push(number);
        self.touches.push(Touch { bodies, normal });
        if world.is_room(a) || world.is_room(b) {
            let other_walls = world.walls_of_room((a, b)).into_iter().flatten();
            let other_walls = other_walls.filter(|wall| *wall != normal);
            let touches = other_walls.map(|normal| Touch { bodies, normal });
            self.corners.extend(touches);
        }
        true
    }

    #[inline]
    fn enter_body(&mut self, world: &World, member: u32) -> u32 {
        let body = world.body(member);
        let number = &mut self.number_of[body as usize];
        if *number == NONE {
            *number = self.bodies.len() as u32;
            self.bodies.push(body);
            self.ranks.push(world.rank(body));
        }
        *number
    }

    fn clear(&mut self) {
        self.overlapping.clear();
        for body in self.bodies.drain(..) {
            self.number_of[body as usize] = NONE;
        }
        self.ranks.clear();
        self.pairs.clear();
        self.touches.clear();
        self.corners.clear();
    }
}
