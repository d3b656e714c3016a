//! A hit to come, and one that has come.

use std::cmp::Ordering;

use bevy::math::Vec2;

use super::impact::HAIR;
use crate::{
    kernel::Outline,
    placed::{Meeting, Placed, Rank, compare_places, see_at},
};

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

/// A pair that met on the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    /// The lower slot first.
    pub(crate) slots: (u32, u32),
    /// From the first to the second.
    pub(crate) normal: Vec2,
    /// Where they were.
    places: [Vec2; 2],
    /// When in the tick, from 0 to 1.
    pub(crate) time: f32,
}

impl Hit {
    pub(super) fn new(event: &Event) -> Self {
        let [own, other] = event.places;
        let (slots, normal, places) = if event.own < event.other {
            // Adding 0 turns -0.0 into 0.0.
            let normal = -event.normal + Vec2::ZERO;
            ((event.own, event.other), normal, [own, other])
        } else {
            ((event.other, event.own), event.normal, [other, own])
        };
        Self {
            slots,
            normal,
            places,
            time: event.time,
        }
    }

    /// The same as a contact. Asks the kernel, which is not worth it for those that still collide where they are now.
    pub(crate) fn meeting(&self, placed: &[Placed]) -> Option<Meeting> {
        let ((first, second), [here, there]) = (self.slots, self.places);
        let outline = |slot: u32| placed[slot as usize].outline;
        let find = |a: &(u32, Vec2), b: &(u32, Vec2), offset| {
            let contact = outline(a.0).contact_within(outline(b.0), offset, f32::MAX)?;
            Some((contact, true))
        };
        let seen = see_at([&(first, here), &(second, there)], |side| *side, find)?.meeting;
        // Beyond a corner of a room two sides stop, each by itself, but one way leads back.
        let is_room = |slot: u32| matches!(outline(slot), Outline::Bounds(_));
        let is_beyond = (is_room(first) || is_room(second)) && seen.depth > HAIR;
        Some(Meeting {
            normal: if is_beyond { seen.normal } else { self.normal },
            time: self.time,
            ..seen
        })
    }
}
