//! Hits to come, in the order in which they come.

use std::cmp::Ordering;

use bevy::math::Vec2;

use crate::placed::{Rank, compare_places};

/// A hit to come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) time: f32,
    /// Of what is met: what cannot be moved comes first.
    pub(super) rank: Rank,
    /// How fast they come together, in world units a tick: of two hits at once the harder one comes first.
    pub(super) closing: f32,
    pub(super) places: [Vec2; 2],
    pub(super) own: u32,
    pub(super) other: u32,
    pub(super) normal: Vec2,
    /// The numbers of both agents, when this was foreseen; the other one may have been none.
    pub(super) agents: [u32; 2],
    /// Of both courses, of which this is the hit.
    pub(super) versions: [u32; 2],
}

impl Ord for Event {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time
            .total_cmp(&other.time)
            .then(other.rank.cmp(&self.rank))
            .then(other.closing.total_cmp(&self.closing))
            .then(compare_places(self.places[0], other.places[0]))
            .then(compare_places(self.places[1], other.places[1]))
            .then((self.own, self.other).cmp(&(other.own, other.other)))
    }
}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Event {}
