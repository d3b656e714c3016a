//! Which pairs count as touching without overlapping.

use bevy::math::Vec2;

use crate::{
    kernel::{Outline, Touching},
    placed::{ROUNDING, meet, rounding},
    state::colliders::Colliders,
};

/// Detection looks at least so far, in world units, however small the margin is: a collider that is placed exactly on another one may be apart from it by rounding.
pub(crate) const FLUSH: f32 = 1.0e-3;

/// Decides which pairs with a small gap count as contacts.
pub(crate) struct Resting<'a> {
    pub(crate) colliders: &'a Colliders,
    pub(crate) touching: Touching,
    pub(crate) margin: f32,
}

impl Resting<'_> {
    /// Returns the gap beyond which no pair counts, near the origin, in world units.
    pub(crate) fn reach(&self) -> f32 {
        self.margin.max(FLUSH)
    }

    /// Returns the same for colliders with these centers; `reach` is the value near the origin. Farther out it is at least the rounding error there, because gaps below that count as flush.
    #[inline(always)]
    pub(crate) fn reach_of(touching: Touching, reach: f32, one: Vec2, other: Vec2) -> f32 {
        match touching {
            Touching::Counts => reach.max(rounding(one, other)),
            Touching::Ignored => reach,
        }
    }

    /// Returns the coordinate within which [`reach_of`](Self::reach_of) is the same as near the origin.
    pub(crate) fn far(touching: Touching, reach: f32) -> f32 {
        match touching {
            // A little less, because this is rounded too.
            Touching::Counts => reach / ROUNDING * 0.999,
            Touching::Ignored => f32::INFINITY,
        }
    }

    /// Whether two colliders with a small gap collide: they are flush, or have met before and are within the margin.
    pub(crate) fn counts(&self, slots: (u32, u32), have_met: bool) -> bool {
        let is_flush = || self.touching == Touching::Counts && self.is_flush(slots);
        have_met && self.margin > 0.0 && self.is_within(slots, self.margin) || is_flush()
    }

    /// Whether the gap of two colliders along their normal is no larger than the rounding error at their places: far out on one axis, positions on the other axis are as exact as anywhere. Side by
    /// side at 3.2 and 16.2, two colliders that are 13 apart touch, although the difference is one bit more.
    fn is_flush(&self, slots: (u32, u32)) -> bool {
        let at_most = self.colliders.rounding(slots);
        self.nearest_within(slots, at_most).is_some_and(|normal| {
            let reach = self.colliders.rounding_along(slots, normal);
            reach == at_most || self.is_within(slots, reach)
        })
    }

    fn is_within(&self, slots: (u32, u32), reach: f32) -> bool {
        self.nearest_within(slots, reach).is_some()
    }

    /// Returns the normal between two colliders with a gap of no more than `reach`.
    fn nearest_within(&self, slots: (u32, u32), reach: f32) -> Option<Vec2> {
        let Colliders { placed, movers, .. } = self.colliders;
        let within = |a: Outline, b, offset| a.contact_within(b, offset, reach);
        Some(meet(placed, movers, slots, within)?.normal)
    }
}
