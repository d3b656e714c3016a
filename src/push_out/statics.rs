//! A static always wins: whatever is in one leaves it, whoever else it then overlaps.

use bevy::math::Vec2;

use super::{
    escape::Search,
    near::Near,
    overlaps::{Overlaps, look_around},
    queue::Queued,
    world::{NEAR_BY, TOLERANCE, World},
};
use crate::placed::{Meeting, Rank};

/// Passes over all overlaps with statics before a body looks for a way around several.
const PASSES: u32 = 4;

/// Buffers of [`leave`](Self::leave).
#[derive(Clone, Debug, Default)]
pub(super) struct Statics {
    overlaps: Vec<Queued>,
    /// Where all bodies were at first.
    before: Vec<Vec2>,
    search: Search,
}

impl Statics {
    /// Pushes every dynamic out of the statics among the `near` pairs, the deepest first.
    pub(super) fn leave(
        &mut self,
        world: &mut World,
        near: &mut Near,
        overlaps: &mut Overlaps,
        may_push: impl Fn(usize, usize) -> bool + Sync,
    ) {
        for pass in 0..PASSES {
            overlaps.update(world, near);
            if !self.find(world, overlaps) {
                return;
            }
            if pass == 0 {
                self.before.clear();
                self.before.extend(world.positions());
            }
            for queued in &self.overlaps {
                if world.overlap(queued.pair).is_some() {
                    let (moving, fixed) = moving_and_fixed(world, queued.pair);
                    world.free(moving, fixed);
                }
            }
        }
        // Pushed from one into the other and back: the way out is around all of them together.
        look_around(world, near, overlaps, &may_push);
        self.find(world, overlaps);
        for queued in &self.overlaps {
            if let Some(meeting) = world.overlap(queued.pair)
                && meeting.depth > TOLERANCE
            {
                let from = &self.before;
                escape(&mut self.search, world, near, from, &meeting, &may_push);
            }
        }
    }

    /// Lists the overlaps of dynamics and statics, the deepest first; false if there are none that count.
    fn find(&mut self, world: &World, overlaps: &Overlaps) -> bool {
        let is_static = |slot: u32| world.mover(slot as usize).rank == Rank::Static;
        self.overlaps.clear();
        let against_static = overlaps
            .iter()
            .filter(|(_, meeting)| is_static(meeting.slots.0) || is_static(meeting.slots.1));
        let queued = against_static.map(|(number, meeting)| Queued::new(world, number, meeting));
        self.overlaps.extend(queued);
        self.overlaps.sort_unstable_by(Queued::by_depth);
        !self.overlaps.is_empty()
    }
}

/// Moves a body out of all statics around it, if there is a free place near enough.
fn escape(
    search: &mut Search,
    world: &mut World,
    near: &Near,
    before: &[Vec2],
    meeting: &Meeting,
    may_push: impl Fn(usize, usize) -> bool + Sync,
) {
    let (moving, _) = moving_and_fixed(world, meeting.slots);
    // What is buried leaves however far it is. What is only squeezed, by a door or in a gap, goes no farther than twice
    // its size, else it stays: far away is no place for it.
    let (narrow, wide) = world.half_extents(moving);
    let limit = if meeting.depth > narrow {
        f32::INFINITY
    } else {
        wide * NEAR_BY
    };
    // From where it was at first: being pushed back and forth may have led it away.
    let placed = world.placed[moving];
    let from = before[placed.body as usize] + placed.offset;
    let mut find = |rank: Rank| {
        let is_obstacle = |slot: usize| world.mover(slot).rank >= rank && may_push(moving, slot);
        search
            .nearest_free_center(world, near, moving, from, is_obstacle)
            .filter(|center| center.distance(from) <= limit)
    };
    // Free of all if possible, else at least free of statics.
    let free = find(Rank::Dynamic).or_else(|| find(Rank::Static));
    if let Some(center) = free {
        world.jump(moving, center);
    }
}

/// Of a dynamic and something that isn't: the one that can be moved, and the one that can't.
fn moving_and_fixed(world: &World, (a, b): (u32, u32)) -> (usize, usize) {
    let (a, b) = (a as usize, b as usize);
    if world.mover(a).rank == Rank::Dynamic {
        (a, b)
    } else {
        (b, a)
    }
}
