//! Bodies that begin in a seam of colliders that give no way, and meet the surface that these make.

use bevy::math::Vec2;

use super::{
    super::seam::{Across, each_over_a_seam},
    ahead::ImpactAhead,
};
use crate::{kernel::Shape, placed::Rank};

/// What agents begin sunk in, with buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Seams {
    /// Colliders that give no way, stop an agent, and have it sunk in them at the start; and the way across each.
    sunk: Vec<(Across, ImpactAhead)>,
    /// How many of these are not static: they come before the others of an agent.
    lifts: usize,
    /// The impacts on surfaces.
    surface: Vec<ImpactAhead>,
}

impl Seams {
    pub(super) fn clear(&mut self) {
        self.sunk.clear();
        self.lifts = 0;
        self.surface.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.sunk.len()
    }

    /// Whether an agent may be sunk in something. `known` is the count before its static colliders were added.
    pub(super) fn may_have_sunk(&self, known: usize) -> bool {
        self.len() > known || self.lifts > 0
    }

    /// Forgets all but the first ones, of those that are static.
    pub(super) fn truncate(&mut self, len: usize) {
        self.sunk.truncate(len);
    }

    pub(super) fn add(&mut self, across: Across, ahead: ImpactAhead) {
        self.lifts += usize::from(ahead.end().rank != Rank::Static);
        self.sunk.push((across, ahead));
    }

    /// Puts surfaces in place of the colliders in whose seams an agent begins, and leaves out where such a surface goes on. `look` returns the shapes of a pair that may be gone over, and the offsets of the second one when they set out and where they meet.
    pub(super) fn turn(
        &mut self,
        ahead: &mut Vec<ImpactAhead>,
        look: impl Fn(&ImpactAhead) -> Option<([Shape; 2], [Vec2; 2])>,
    ) {
        let Self { sunk, surface, .. } = self;
        // Mostly nothing is sunk.
        if sunk.is_empty() {
            return;
        }
        sunk.sort_unstable_by_key(|(_, one)| one.agent);
        ahead.retain(|one| {
            let first = sunk.partition_point(|(_, sunk)| sunk.agent < one.agent);
            let mut own = sunk[first..]
                .iter()
                .take_while(|(_, sunk)| sunk.agent == one.agent)
                .filter(|(_, sunk)| sunk.own == one.own && sunk.pair() != one.pair());
            let is_beside = own.clone().next().is_some() && one.is_beside();
            let pair = is_beside.then(|| look(one)).flatten();
            pair.is_none_or(|([shape, other], offsets)| {
                !own.any(|(across, _)| across.goes_on_over((shape, other), offsets, &one.impact))
            })
        });
        for sunk in sunk.chunk_by_mut(|(_, a), (_, b)| a.agent == b.agent) {
            let across = |(across, one): &(Across, ImpactAhead)| (one.pair().1, *across);
            each_over_a_seam(sunk, across, |(_, one)| surface.push(*one));
        }
        if !surface.is_empty() {
            surface.sort_unstable_by_key(ImpactAhead::pair);
            let is_in_it = |pair| {
                surface
                    .binary_search_by_key(&pair, ImpactAhead::pair)
                    .is_ok()
            };
            ahead.retain(|one| !is_in_it(one.pair()));
            ahead.append(surface);
        }
    }
}
