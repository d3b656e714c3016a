//! The pairs near enough to matter, kept while nobody has moved far.

use bevy::math::Vec2;

use super::world::{LEANING, World};
use crate::{broad_phase::BroadPhase, placed::Rank};

/// Pairs that overlap or may come to, with a gap of at most [`reach`](Self::reach) when they were collected.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    /// Lower slot first.
    pub(super) pairs: Vec<(u32, u32)>,
    reach: f32,
    /// Where all bodies were then.
    from: Vec<Vec2>,
    broad_phase: BroadPhase<u32>,
}

impl Near {
    /// Collects the pairs that `may_push`. The reach is a typical half size, so that few rounds need a new list.
    pub(super) fn collect(&mut self, world: &World, may_push: impl Fn(usize, usize) -> bool) {
        let slots = 0..world.placed.len();
        let sizes = slots.clone().map(|slot| world.half_extents(slot).1);
        self.reach = (sizes.sum::<f32>() / slots.len().max(1) as f32).max(LEANING);

        let boxes = |is_still: bool| {
            let world = &world;
            let reach = self.reach * 0.5;
            slots
                .clone()
                .filter(move |&slot| (world.mover(slot).rank == Rank::Static) == is_still)
                .map(move |slot| (world.placed[slot].extent(world.movers, reach), slot as u32))
        };
        self.broad_phase.set_still(boxes(true));
        self.pairs.clear();
        let pair = |a: &u32, b: &u32| Some((*a.min(b), *a.max(b)));
        self.broad_phase.find(boxes(false), pair, &mut self.pairs);
        for bounds in slots.clone().filter(|&slot| world.placed[slot].is_bounds()) {
            let pairs = slots
                .clone()
                .map(|other| (bounds.min(other) as u32, bounds.max(other) as u32));
            self.pairs
                .extend(pairs.filter(|&pair| world.meeting_within(pair, self.reach).is_some()));
        }
        self.pairs
            .retain(|&(a, b)| may_push(a as usize, b as usize));
        self.from.clear();
        self.from.extend(world.positions());
    }

    /// Whether a body is so far from where it was that two may have met which are not listed.
    pub(super) fn is_stale(&self, world: &World) -> bool {
        let limit = self.reach * 0.5;
        world
            .positions()
            .zip(&self.from)
            .any(|(now, then)| now.distance_squared(*then) > limit * limit)
    }
}
