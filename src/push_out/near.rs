//! The pairs near enough to matter, kept while nobody has moved far.

use bevy::math::Vec2;

use super::world::{LEANING, World};
use crate::{
    broad_phase::{BroadPhase, Extent},
    placed::Rank,
};

/// Pairs that overlap or may come to, with a gap of at most [`reach`](Self::reach) when they were collected.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    /// Lower slot first.
    pub(super) pairs: Vec<(u32, u32)>,
    /// Numbers of the pairs of each dynamic body: `of_body[starts[body]..starts[body + 1]]`.
    of_body: Vec<u32>,
    starts: Vec<u32>,
    reach: f32,
    /// Where all bodies were then.
    from: Vec<Vec2>,
    broad_phase: BroadPhase<u32>,
    rooms: Vec<u32>,
}

impl Near {
    /// Collects the pairs that `may_push`. The reach is a typical half size, so that few rounds need a new list.
    pub(super) fn collect(&mut self, world: &World, may_push: impl Fn(usize, usize) -> bool) {
        let slots = 0..world.placed.len();
        let sizes = slots.clone().map(|slot| world.half_extents(slot).1);
        self.reach = (sizes.sum::<f32>() / slots.len().max(1) as f32).max(LEANING);

        let boxes = |is_still: bool| {
            let reach = self.reach * 0.5;
            slots
                .clone()
                .filter(move |&slot| (world.mover(slot).rank == Rank::Static) == is_still)
                .map(move |slot| (world.placed[slot].extent(world.movers, reach), slot as u32))
        };
        self.broad_phase.set_still(boxes(true));
        self.pairs.clear();
        let pair = |a: &u32, b: &u32| {
            let (a, b) = (*a.min(b), *a.max(b));
            may_push(a as usize, b as usize).then_some((a, b))
        };
        self.broad_phase.find(boxes(false), pair, &mut self.pairs);
        self.collect_rooms(world, may_push);
        self.from.clear();
        self.from.extend(world.positions());
        self.index(world);
    }

    fn collect_rooms(&mut self, world: &World, may_push: impl Fn(usize, usize) -> bool) {
        self.rooms.clear();
        let slots = 0..world.placed.len() as u32;
        let is_room = |slot: &u32| world.placed[*slot as usize].is_bounds();
        self.rooms.extend(slots.clone().filter(is_room));
        for &room in &self.rooms {
            for other in slots.clone() {
                let pair = (room.min(other), room.max(other));
                if may_push(room as usize, other as usize)
                    && world.meeting_within(pair, self.reach).is_some()
                {
                    self.pairs.push(pair);
                }
            }
        }
    }

    fn index(&mut self, world: &World) {
        let bodies = |&(a, b): &(u32, u32)| {
            let bodies = [a, b].map(|slot| world.placed[slot as usize].body as usize);
            bodies
                .into_iter()
                .filter(|&body| world.movers[body].rank == Rank::Dynamic)
        };
        self.starts.clear();
        self.starts.resize(world.movers.len() + 1, 0);
        for body in self.pairs.iter().flat_map(bodies) {
            self.starts[body] += 1;
        }
        // Counts become ends; filling backwards turns ends into starts.
        let mut end = 0;
        for count in &mut self.starts {
            end += *count;
            *count = end;
        }
        self.of_body.clear();
        self.of_body.resize(end as usize, 0);
        for (number, pair) in self.pairs.iter().enumerate().rev() {
            for body in bodies(pair) {
                self.starts[body] -= 1;
                self.of_body[self.starts[body] as usize] = number as u32;
            }
        }
    }

    /// Numbers of the pairs of a dynamic body.
    pub(super) fn of(&self, body: u32) -> &[u32] {
        let body = body as usize;
        &self.of_body[self.starts[body] as usize..self.starts[body + 1] as usize]
    }

    /// Whether a body is so far from where it was that two may have met which are not listed.
    pub(super) fn is_stale(&self, world: &World) -> bool {
        let limit = self.reach * 0.5;
        world.moved.ever.iter().any(|&body| {
            let (now, then) = (
                world.movers[body as usize].position,
                self.from[body as usize],
            );
            now.distance_squared(then) > limit * limit
        })
    }

    /// Every collider that may be between two corners, and perhaps some that are not.
    pub(super) fn around(&self, world: &World, min: Vec2, max: Vec2) -> Vec<usize> {
        let extent = Extent {
            min: min.to_array(),
            max: max.to_array(),
        };
        let mut slots: Vec<usize> = self.rooms.iter().map(|&room| room as usize).collect();
        // The boxes reach as far as anybody may go before they are collected anew, ...
        self.broad_phase
            .query(&extent, |&slot| slots.push(slot as usize));
        // ... but for those who were just moved, perhaps by more. A collider's slot is that of its body.
        slots.extend(world.moved.lately.iter().map(|&body| body as usize));
        slots
    }
}
