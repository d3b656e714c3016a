//! Predicted hits, the next one first.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::hit::PredictedHit;

/// Most hits are predicted when all set out, and sorted once; a heap holds those that are predicted later.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    /// In the order in which they were added.
    coming: Vec<PredictedHit>,
    /// The times and numbers of these, sorted.
    order: Vec<(f32, u32)>,
    /// The same hits, sorted; the first `taken` of them have been taken.
    first: Vec<PredictedHit>,
    taken: usize,
    later: BinaryHeap<Reverse<PredictedHit>>,
}

impl Queue {
    pub(super) fn clear(&mut self) {
        self.coming.clear();
        self.first.clear();
        self.taken = 0;
        self.later.clear();
    }

    /// Adds a hit that is predicted before any hit has happened.
    pub(super) fn add_first(&mut self, hit: PredictedHit) {
        self.coming.push(hit);
    }

    /// Sorts the hits that were added so far.
    pub(super) fn sort(&mut self) {
        let (coming, order) = (&self.coming, &mut self.order);
        let hit = |number: u32| &coming[number as usize];
        order.clear();
        order.extend((0..).zip(coming).map(|(number, one)| (one.time, number)));
        order.sort_unstable_by(|a, b| {
            let times = a.0.total_cmp(&b.0);
            times.then_with(|| hit(a.1).cmp(hit(b.1)))
        });
        self.first
            .extend(order.iter().map(|&(_, number)| *hit(number)));
    }

    /// Adds a hit that is predicted while others happen.
    pub(super) fn add(&mut self, hit: PredictedHit) {
        self.later.push(Reverse(hit));
    }

    /// Takes the next hit.
    pub(super) fn pop(&mut self) -> Option<PredictedHit> {
        if self.is_later_next() {
            self.later.pop().map(|Reverse(later)| later)
        } else {
            let first = self.first.get(self.taken).copied();
            self.taken += usize::from(first.is_some());
            first
        }
    }

    /// Returns the next hit, as predicted by now.
    pub(super) fn peek(&self) -> Option<&PredictedHit> {
        if self.is_later_next() {
            self.later.peek().map(|Reverse(later)| later)
        } else {
            self.first.get(self.taken)
        }
    }

    /// Whether the next hit is one of those that were predicted later.
    fn is_later_next(&self) -> bool {
        let first = self.first.get(self.taken);
        let later = self.later.peek();
        later.is_some_and(|Reverse(later)| first.is_none_or(|first| later < first))
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::Vec2;

    use super::*;
    use crate::placed::Rank;

    #[test]
    fn the_next_hit_is_the_earliest_of_all() {
        let mut random = fastrand::Rng::with_seed(5);
        // Few different times, so that many hits are at once.
        let mut random_hit = move |from: u8| PredictedHit {
            time: f32::from(random.u8(from..=16)) / 16.0,
            rank: Rank::Static,
            closing: f32::from(random.u8(..3)),
            places: [Vec2::splat(f32::from(random.u8(..3))); 2],
            outlines: 0,
            own: random.u32(..1000),
            other: random.u32(..1000),
            normal: Vec2::X,
            agents: [0, 1],
            versions: [0; 2],
        };
        let mut queue = Queue::default();
        for round in 0..100 {
            queue.clear();
            let mut all: Vec<PredictedHit> = (0..round).map(|_| random_hit(0)).collect();
            all.iter().for_each(|hit| queue.add_first(*hit));
            queue.sort();
            for number in 0.. {
                all.sort();
                assert_eq!(queue.peek(), all.first());
                let next = queue.pop();
                assert_eq!(next, all.first().copied(), "round {round}, hit {number}");
                let Some(next) = next else { break };
                all.remove(0);
                // Some hits cause others, which come later or at once.
                if number % 3 != 2 && number < 100 {
                    let later = random_hit((next.time * 16.0) as u8);
                    queue.add(later);
                    all.push(later);
                }
            }
        }
    }
}
