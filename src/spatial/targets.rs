//! What a query searches.

use std::{cmp::Ordering, ops::ControlFlow};

use bevy::math::Vec2;

use super::area::Area;
use crate::{
    broad_phase::Way,
    kernel::Outline,
    placed::{compare_outlines, compare_places},
};

/// An index, and which of its members count. Each walk passes on every member that is near enough, once, and possibly others.
pub(crate) trait Targets {
    /// Identifies a member; small, because it is passed on again and again.
    type Who: Copy;

    /// Returns the outline and center of a member.
    fn place(&self, who: Self::Who) -> (Outline, Vec2);

    /// Calls `question` with the outline and center of a member.
    // Mostly these are at hand, and of a known kind: an implementation that makes use of that keeps them out of memory.
    #[inline(always)]
    fn ask<R>(&self, who: Self::Who, question: impl FnOnce(Outline, Vec2) -> R) -> R {
        let (outline, center) = self.place(who);
        question(outline, center)
    }

    /// A total order, for members that are alike and at the same place.
    fn compare(&self, a: Self::Who, b: Self::Who) -> Ordering;

    /// Whether a member counts. Called after the geometry, for the few that are left.
    fn admits(&self, who: Self::Who) -> bool;

    /// Calls `found` with every member whose box meets an area, and with whether it is certainly in the area, until it breaks off.
    fn within(
        &self,
        area: &Area,
        found: impl FnMut(Self::Who, bool) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// Calls `found` with every member whose box is met on a way before the limit, a fraction of it; `found` returns the new limit, which may be lower, and a negative one ends the walk.
    /// `TO_THE_END` is for when the limit is not expected to get lower.
    fn along<const TO_THE_END: bool>(
        &self,
        way: &WayOf,
        limit: f32,
        found: impl FnMut(Self::Who) -> f32,
    );

    /// Calls `found` with every member whose box is within reach of a point; `found` returns the new reach, which may be lower, and a negative one ends the walk.
    fn near(&self, point: Vec2, reach: f32, found: impl FnMut(Self::Who) -> f32);

    /// Compares by place, then by outline, as contacts do, then by identity: this order does not depend on which one was added first, unless both are alike.
    // Rarely needed. Not inlined, so that all other comparisons can be.
    #[cold]
    #[inline(never)]
    fn in_order(&self, a: Self::Who, b: Self::Who) -> Ordering {
        let [(outline_a, center_a), (outline_b, center_b)] = [a, b].map(|who| self.place(who));
        let places = compare_places(center_a, center_b);
        let outlines = places.then_with(|| compare_outlines(outline_a, outline_b));
        outlines.then_with(|| self.compare(a, b))
    }
}

/// The way of a box, for an index that knows how far it is out of date.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WayOf {
    pub(crate) origin: Vec2,
    pub(crate) motion: Vec2,
    pub(crate) half: Vec2,
}

impl WayOf {
    /// Returns the way for an index that has boxes up to `drift` away from their places.
    #[inline(always)]
    pub(crate) fn way(&self, drift: f32) -> Way {
        Way::new(self.origin, self.motion, self.half, drift)
    }
}
