//! Who counts as touching without overlapping.

use bevy::math::Vec2;

use crate::{
    kernel::{Outline, Touching},
    placed::{ROUNDING, meet, rounding},
    state::colliders::Colliders,
};

/// Detection looks so far, in world units, however small the margin is: what is put on something else is apart from it by rounding.
pub(crate) const FLUSH: f32 = 1.0e-3;

/// Tells of pairs that are apart whether they count all the same.
pub(crate) struct Resting<'a> {
    pub(crate) colliders: &'a Colliders,
    pub(crate) touching: Touching,
    pub(crate) margin: f32,
}

impl Resting<'_> {
    /// Who is farther apart than this counts in no case, near the origin.
    pub(crate) fn reach(&self) -> f32 {
        self.margin.max(FLUSH)
    }

    /// The same of two with such centres, with what it is near the origin: flush is what `f32` cannot tell from it where they are.
    #[inline(always)]
    pub(crate) fn reach_of(touching: Touching, reach: f32, one: Vec2, other: Vec2) -> f32 {
        match touching {
            Touching::Counts => reach.max(rounding(one, other)),
            Touching::Ignored => reach,
        }
    }

    /// Nobody within these coordinates has another [`reach_of`](Self::reach_of) than near the origin.
    pub(crate) fn far(touching: Touching, reach: f32) -> f32 {
        match touching {
            // A little less, for what is rounded here.
            Touching::Counts => reach / ROUNDING * 0.999,
            Touching::Ignored => f32::INFINITY,
        }
    }

    /// Whether two that are apart by no more than that collide: they are flush, or have met before and are within the margin.
    pub(crate) fn counts(&self, slots: (u32, u32), have_met: bool) -> bool {
        let is_flush = || self.touching == Touching::Counts && self.is_flush(slots);
        have_met && self.margin > 0.0 && self.is_within(slots, self.margin) || is_flush()
    }

    /// Whether two are apart by no more than what `f32` cannot tell where they are, along the way that is between them: far out on one axis, places on the other one are as exact as anywhere. Side by
    /// side at 3.2 and 16.2, two that are 13 apart touch, although the difference is one bit more.
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

    /// The normal between two that are apart by no more than that.
    fn nearest_within(&self, slots: (u32, u32), reach: f32) -> Option<Vec2> {
        let Colliders { placed, movers, .. } = self.colliders;
        let within = |a: Outline, b, offset| a.contact_within(b, offset, reach);
        Some(meet(placed, movers, slots, within)?.normal)
    }
}
