//! The pairs near enough to matter, kept while nobody has moved far.

use bevy::math::Vec2;

use super::world::{LEANING, World};
use crate::broad_phase::{BroadPhase, Extent};

/// Pairs that overlap or may come to, with a gap of at most [`reach`](Self::reach) when they were collected.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    /// Lower slot first.
    pub(super) pairs: Vec<(u32, u32)>,
    reach: f32,
    /// Where all bodies were then.
    from: Vec<Vec2>,
    broad_phase: BroadPhase,
    extents: Vec<Extent>,
}

impl Near {
    /// Collects the pairs that `may_push`. The reach is a typical half size, so that few rounds need a new list.
    pub(super) fn collect(&mut self, world: &World, may_push: impl Fn(usize, usize) -> bool) {
        let slots = 0..world.placed.len();
        let sizes = slots.clone().map(|slot| world.half_extents(slot).1);
        self.reach = (sizes.sum::<f32>() / slots.len().max(1) as f32).max(LEANING);

        self.extents.clear();
        self.extents.extend(
            world
                .placed
                .iter()
                .map(|placed| placed.extent(world.movers, self.reach * 0.5)),
        );
        self.broad_phase.find_pairs(&self.extents, &mut self.pairs);
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
