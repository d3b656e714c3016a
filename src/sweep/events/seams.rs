//! Who begins in a seam of what gives no way, and meets the surface that it makes.

use super::{
    super::seam::{Across, each_over_a_seam},
    ahead::Ahead,
};

/// Buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Seams {
    /// What gives no way and stops somebody, who begins sunk in it; and the way across it.
    sunk: Vec<(Across, Ahead)>,
    /// What is met as a surface.
    surface: Vec<Ahead>,
}

impl Seams {
    pub(super) fn clear(&mut self) {
        self.sunk.clear();
        self.surface.clear();
    }

    pub(super) fn add(&mut self, across: Across, ahead: Ahead) {
        self.sunk.push((across, ahead));
    }

    /// Puts surfaces in place of those in whose seams somebody begins.
    pub(super) fn turn(&mut self, ahead: &mut Vec<Ahead>) {
        let Self { sunk, surface } = self;
        // Mostly nobody is sunk in anything.
        if sunk.len() < 2 {
            return;
        }
        sunk.sort_unstable_by_key(|(_, one)| one.agent);
        for sunk in sunk.chunk_by_mut(|(_, a), (_, b)| a.agent == b.agent) {
            let across = |(across, one): &(Across, Ahead)| (one.pair().1, *across);
            each_over_a_seam(sunk, across, |(_, one)| surface.push(*one));
        }
        if !surface.is_empty() {
            surface.sort_unstable_by_key(Ahead::pair);
            let is_in_it = |pair| surface.binary_search_by_key(&pair, Ahead::pair).is_ok();
            ahead.retain(|one| !is_in_it(one.pair()));
            ahead.append(surface);
        }
    }
}
