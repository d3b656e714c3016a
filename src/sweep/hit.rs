//! Predicted hits, and hits that have happened.

use std::cmp::Ordering;

use bevy::math::Vec2;

use super::impact::slack;
use crate::{
    kernel::Outline,
    placed::{Meeting, Placed, Rank, Side, SlotPair, compare_places, meet_at},
};

/// A predicted hit.
#[derive(Clone, Copy, Debug)]
pub(super) struct PredictedHit {
    pub(super) time: f32,
    /// Of the collider that is met: one that cannot be moved comes first.
    pub(super) rank: Rank,
    /// How fast the two approach each other, in world units a tick: of two hits at once the harder one comes first.
    pub(super) closing: f32,
    pub(super) places: [Vec2; 2],
    /// A [number](number_of) made of both outlines, to order hits in the same place.
    pub(super) outlines: u32,
    pub(super) own: u32,
    pub(super) other: u32,
    pub(super) normal: Vec2,
    /// The numbers of both agents when the hit was predicted; the second may have been no agent.
    pub(super) agents: [u32; 2],
    /// The versions of both courses for which the hit was predicted.
    pub(super) versions: [u32; 2],
}

impl Ord for PredictedHit {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time
            .total_cmp(&other.time)
            .then(other.rank.cmp(&self.rank))
            .then(other.closing.total_cmp(&self.closing))
            .then(compare_places(self.places[0], other.places[0]))
            .then(compare_places(self.places[1], other.places[1]))
            .then(self.outlines.cmp(&other.outlines))
            .then((self.own, self.other).cmp(&(other.own, other.other)))
    }
}

impl PartialOrd for PredictedHit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for PredictedHit {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for PredictedHit {}

/// Returns a number that differs for different outlines, almost always.
#[inline]
pub(super) fn number_of(outlines: [Outline; 2]) -> u32 {
    let numbers = outlines.map(|outline| match outline {
        Outline::Shape(shape) => [shape.radius(), shape.half_size().x, shape.half_size().y],
        Outline::Bounds(room) => [-1.0, room.x, room.y],
    });
    let mix =
        |sum: u32, number: &f32| sum.rotate_left(5).wrapping_mul(0x9E37_79B1) ^ number.to_bits();
    numbers.as_flattened().iter().fold(0, mix)
}

/// A pair that met on the way.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "recorder", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Hit {
    /// The lower slot first.
    pub(crate) slots: SlotPair,
    /// From the first to the second.
    pub(crate) normal: Vec2,
    /// The places of both at that time.
    places: [Vec2; 2],
    /// When in the tick, from 0 to 1.
    pub(crate) time: f32,
    /// How fast they approached each other along the normal, in world units a tick; 0 if that is not known.
    #[cfg_attr(feature = "recorder", serde(skip))]
    pub(crate) closing: f32,
}

impl Hit {
    pub(super) fn new(hit: &PredictedHit) -> Self {
        let slots = [hit.own, hit.other];
        Self {
            closing: hit.closing.max(0.0),
            ..Self::of(slots, hit.places, hit.normal, hit.time)
        }
    }

    /// Makes the hit of two slots that were in these places; the normal points from the second to the first.
    pub(crate) fn of([own, other]: [u32; 2], places: [Vec2; 2], normal: Vec2, time: f32) -> Self {
        let [place, others_place] = places;
        let (slots, normal, places) = if own < other {
            // Adding 0 turns -0.0 into 0.0.
            ((own, other), -normal + Vec2::ZERO, places)
        } else {
            ((other, own), normal, [others_place, place])
        };
        Self {
            slots,
            normal,
            places,
            time,
            closing: 0.0,
        }
    }

    /// Whether the values are possible at all, from whatever source.
    #[cfg(feature = "recorder")]
    pub(crate) fn is_valid(&self) -> bool {
        let are_somewhere = self.places.into_iter().all(crate::kernel::is_in_world);
        let is_in_tick = (0.0..=1.0).contains(&self.time);
        self.slots.0 < self.slots.1 && are_somewhere && is_in_tick && self.normal.is_normalized()
    }

    /// Returns the place of one of the two.
    pub(crate) fn place_of(&self, slot: u32) -> Vec2 {
        self.places[usize::from(slot != self.slots.0)]
    }

    /// Returns the same as a contact. Asks the kernel, which is not worth it for pairs that still collide where they are now.
    pub(crate) fn meeting(&self, placed: &[Placed]) -> Option<Meeting> {
        let ((first, second), [here, there]) = (self.slots, self.places);
        let outline = |slot: u32| placed[slot as usize].outline;
        let side = |slot: u32, center: Vec2| Side {
            slot,
            outline: outline(slot),
            center,
        };
        let find = |a: Outline, b, offset| a.contact_within(b, offset, f32::MAX);
        let seen = meet_at([side(first, here), side(second, there)], find)?;
        // Beyond a corner of a room two walls stop it, each by itself, but only one way leads back.
        let is_room = |slot: u32| matches!(outline(slot), Outline::Bounds(_));
        let is_beyond =
            (is_room(first) || is_room(second)) && seen.depth > slack(here, there, seen.normal);
        Some(Meeting {
            normal: if is_beyond { seen.normal } else { self.normal },
            time: self.time,
            ..seen
        })
    }
}
