//! How far bodies were pushed since they were detected. The broad phase has them where they were, so whoever looks for them there looks that much farther around.

use super::slots::SlotSet;
use crate::placed::Placed;

/// So many of those that were pushed the farthest are left out, if that helps, and asked one by one: else one that comes out of a fortress would make everybody look as far.
const FEW: usize = 16;
/// It helps if all others were pushed by less than this part of what the farthest one was.
const HELPS: f32 = 0.25;
/// And no more colliders than this are asked one by one.
const MOST: usize = 64;

/// No more than something along either axis, but for a few.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drift {
    most: f32,
    /// Slots of the colliders of those few.
    strays: Vec<u32>,
    ways: Vec<(f32, u32)>,
}

impl Drift {
    /// Nobody was pushed, or places may have changed in other ways too.
    pub(crate) fn clear(&mut self) {
        self.most = 0.0;
        self.strays.clear();
    }

    /// By how much those were pushed at most that are no strays.
    #[inline(always)]
    pub(crate) fn most(&self) -> f32 {
        self.most
    }

    /// Those that were pushed farther: slots of colliders.
    #[inline]
    pub(crate) fn strays(&self) -> &[u32] {
        &self.strays
    }

    #[inline(always)]
    pub(crate) fn is_stray(&self, slot: u32) -> bool {
        !self.strays.is_empty() && self.strays.contains(&slot)
    }

    /// Notes how far bodies were pushed, by slot. Pushes that are not longer than `harmless` make nobody look at many more.
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
        let rest = if self.ways.len() > FEW {
            self.ways.select_nth_unstable_by(FEW, by_length).1.0
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
            // Rooms are everywhere.
            moving.contains(part as usize) && far.iter().any(|(_, stray)| *stray == body)
        });
        self.strays.extend(parts);
        // What is kept of a tick need not have them.
        far.clear();
        if self.strays.len() > MOST {
            self.strays.clear();
        } else {
            self.most = rest;
        }
    }
}
