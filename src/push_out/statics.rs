//! A static always wins: whatever is in one leaves it, whoever else it then overlaps.

use bevy::math::Vec2;

use super::{
    escape::Search,
    near::Near,
    overlaps::Overlaps,
    queue::Queue,
    world::{NEAR_BY, Push, TOLERANCE, World},
};
use crate::placed::Rank;

/// Passes over all overlaps with statics before a body looks for a way around several.
const PASSES: u32 = 4;

/// Buffers of [`leave`](Self::leave).
#[derive(Clone, Debug, Default)]
pub(super) struct Statics {
    overlaps: Queue,
    /// Bodies that have been pushed, and where they were then, in order of time.
    before: Vec<(u32, u32, Vec2)>,
    search: Search,
}

impl Statics {
    /// Pushes every dynamic out of the statics that it is in, the deepest first. The overlaps are up to date then.
    pub(super) fn leave(&mut self, world: &mut World, near: &mut Near, overlaps: &mut Overlaps) {
        self.before.clear();
        for _ in 0..PASSES {
            if !self.find(world, near, overlaps) {
                return;
            }
            for number in self.overlaps.iter() {
                let pair = near.pairs.get(number).numbers();
                if let Some(overlap) = world.overlap(pair) {
                    let (moving, fixed) = moving_and_fixed(world, pair);
                    let (body, order) = (world.body(moving), self.before.len() as u32);
                    let position = world.position(moving);
                    self.before.push((body, order, position));
                    world.free(moving, fixed, &overlap);
                }
            }
            overlaps.update(world, near);
        }
        // Pushed from one into the other and back: the way out is around all of them together.
        if !self.find(world, near, overlaps) {
            return;
        }
        self.before
            .sort_unstable_by_key(|&(body, order, _)| (body, order));
        for number in self.overlaps.iter() {
            if let Some(overlap) = world.overlap(near.pairs.get(number).numbers())
                && overlap.depth > TOLERANCE
            {
                let (moving, _) = moving_and_fixed(world, overlap.pair);
                let body = world.body(moving);
                // Being pushed back and forth may have led it away from where it was at first.
                let first = self.before.partition_point(|(other, ..)| *other < body);
                let known = self.before.get(first).filter(|(other, ..)| *other == body);
                let position = world.position(moving);
                let from = known.map_or(position, |(_, _, position)| *position);
                escape(&mut self.search, world, near, from, &overlap);
            }
        }
        overlaps.update(world, near);
    }

    /// Lists the overlaps of dynamics and statics, the deepest first; false if there are none.
    fn find(&mut self, world: &World, near: &Near, overlaps: &Overlaps) -> bool {
        let is_against_static = |number: &u32| {
            let (a, b) = near.pairs.get(*number).numbers();
            world.rank(a).max(world.rank(b)) == Rank::Static
        };
        let against_static = overlaps.over.iter().copied().filter(is_against_static);
        self.overlaps
            .fill_by_depth(world, &near.pairs, against_static);
        !self.overlaps.is_empty()
    }
}

/// Moves a body, which was at `from`, out of all statics around it, if there is a free place near enough.
fn escape(search: &mut Search, world: &mut World, near: &mut Near, from: Vec2, overlap: &Push) {
    let (moving, _) = moving_and_fixed(world, overlap.pair);
    // What is buried leaves however far it is. What is only squeezed, by a door or in a gap, goes no farther than twice
    // its size, else it stays: far away is no place for it.
    let (narrow, wide) = world.half_extents(moving);
    let limit = if overlap.depth > narrow {
        f32::INFINITY
    } else {
        wide * NEAR_BY
    };
    let from = from + world.offset(moving);
    let mut find = |rank: Rank| {
        search
            .nearest_free_center(world, near, moving, from, rank)
            .filter(|center| center.distance(from) <= limit)
    };
    // Free of all if possible, else at least free of statics.
    let free = find(Rank::Dynamic).or_else(|| find(Rank::Static));
    if let Some(center) = free {
        world.place(moving, center);
    }
}

/// Of a dynamic and something that isn't: the one that can be moved, and the one that can't.
fn moving_and_fixed(world: &World, (a, b): (u32, u32)) -> (u32, u32) {
    if world.rank(a) == Rank::Dynamic {
        (a, b)
    } else {
        (b, a)
    }
}
