//! How far bodies were pushed since detection. The broad phase has them where they were then, so searches look that much farther around.

use super::slots::SlotSet;
use crate::placed::Placed;

/// Up to so many of the bodies pushed the farthest are excluded, if that helps, and checked one by one: otherwise, a single body that is pushed out of a large wall would extend every search as far.
const MOST_STRAYS: usize = 16;
/// It helps if all others were pushed by less than this part of the longest push.
const HELPS: f32 = 0.25;
/// At most so many colliders are checked one by one.
const MOST_STRAY_COLLIDERS: usize = 64;

/// An upper bound of all pushes along either axis, except for a few strays.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drift {
    most: f32,
    /// Slots of the colliders of those few bodies.
    strays: Vec<u32>,
    ways: Vec<(f32, u32)>,
}

impl Drift {
    /// Use this if no body was pushed, or if positions may have changed in other ways too.
    pub(crate) fn clear(&mut self) {
        self.most = 0.0;
        self.strays.clear();
    }

    /// Returns the longest push of all bodies that are no strays, in world units.
    #[inline(always)]
    pub(crate) fn most(&self) -> f32 {
        self.most
    }

    /// Returns the slots of colliders that were pushed farther than `most`.
    #[inline]
    pub(crate) fn strays(&self) -> &[u32] {
        &self.strays
    }

    #[inline(always)]
    pub(crate) fn is_stray(&self, slot: u32) -> bool {
        !self.strays.is_empty() && self.strays.contains(&slot)
    }

    /// Notes how far bodies were pushed, by slot. Pushes no longer than `harmless` hardly make searches more expensive.
    pub(crate) fn set(
        &mut self,
        ways: impl Iterator<Item = (u32, f32)> + Clone,
        harmless: f32,
        (placed, moving, parts): (&[Placed], &SlotSet, &SlotSet),
    ) {
        self.strays.clear();
        let most = ways.clone().fold(0.0, |most, (_, way)| way.max(most));
        self.most = most;
        if most <= harmless {
            return;
        }
        self.ways.clear();
        self.ways.extend(ways.map(|(slot, way)| (way, slot)));
        let by_length = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0);
        let rest = if self.ways.len() > MOST_STRAYS {
            self.ways.select_nth_unstable_by(MOST_STRAYS, by_length).1.0
        } else {
            0.0
        };
        if rest > most * HELPS {
            self.ways.clear();
            return;
        }
        let far = &mut self.ways;
        far.retain(|(way, _)| *way > rest);
        let bodies = far.iter().map(|(_, body)| *body);
        let own = bodies.filter(|&body| moving.contains(body as usize));
        self.strays.extend(own);
        let parts = parts.members().iter().filter(|&&part| {
            let body = placed[part as usize].body;
            // Rooms are not searched for by place.
            moving.contains(part as usize) && far.iter().any(|(_, stray)| *stray == body)
        });
        self.strays.extend(parts);
        // The buffer need not be kept in copies of a tick's state.
        far.clear();
        if self.strays.len() > MOST_STRAY_COLLIDERS {
            self.strays.clear();
        } else {
            self.most = rest;
        }
    }
}
