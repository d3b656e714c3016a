//! Whom a question may find.

use std::{cmp::Ordering, ops::ControlFlow};

use bevy::math::Vec2;

use super::area::Area;
use crate::{broad_phase::Way, kernel::Outline, placed::compare_places};

/// An index, and who in it is asked for. Each walk gives everybody who is near enough, once, and may give others.
pub(crate) trait Targets {
    /// How they are told apart: by little, which is handed on again and again.
    type Who: Copy;

    /// Outline and centre of somebody.
    fn place(&self, who: Self::Who) -> (Outline, Vec2);

    /// Asks something of somebody's outline and centre.
    // Mostly these are at hand, and of a known kind: whoever sees to that here spares all that is asked a way through memory.
    #[inline(always)]
    fn ask<R>(&self, who: Self::Who, question: impl FnOnce(Outline, Vec2) -> R) -> R {
        let (outline, center) = self.place(who);
        question(outline, center)
    }

    /// An order of all of them, for those that are in one place.
    fn compare(&self, a: Self::Who, b: Self::Who) -> Ordering;

    /// Whether somebody who was met counts. Asked after the geometry, of the few that are left.
    fn admits(&self, who: Self::Who) -> bool;

    /// Everybody whose box meets an area, until it is broken off, and whether he is known to be in it for sure.
    fn within(
        &self,
        area: &Area,
        found: impl FnMut(Self::Who, bool) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// Everybody whose box is met on a way before the limit, a fraction of it, which the answer lowers; a negative one ends the walk.
    /// `TO_THE_END` if it is not expected to lower it.
    fn along<const TO_THE_END: bool>(
        &self,
        way: &WayOf,
        limit: f32,
        found: impl FnMut(Self::Who) -> f32,
    );

    /// Everybody whose box is within reach of a point, which the answer lowers; a negative one ends the walk.
    fn near(&self, point: Vec2, reach: f32, found: impl FnMut(Self::Who) -> f32);

    /// By place, then by who they are: an order that does not depend on who came first.
    // Few are equally near. By a call, so that what is asked of all the others can be done in place.
    #[cold]
    #[inline(never)]
    fn in_order(&self, a: Self::Who, b: Self::Who) -> Ordering {
        let places = compare_places(self.place(a).1, self.place(b).1);
        places.then_with(|| self.compare(a, b))
    }
}

/// A box on its way, for an index that knows by how much it is out of date.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WayOf {
    pub(crate) origin: Vec2,
    pub(crate) motion: Vec2,
    pub(crate) half: Vec2,
}

impl WayOf {
    /// Where somebody may be met who is up to `drift` from where the index has it.
    #[inline(always)]
    pub(crate) fn way(&self, drift: f32) -> Way {
        Way::new(self.origin, self.motion, self.half, drift)
    }
}
