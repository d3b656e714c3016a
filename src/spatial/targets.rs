//! Whom a question may find.

use std::{cmp::Ordering, ops::ControlFlow};

use bevy::math::Vec2;

use crate::{
    broad_phase::{Extent, Way},
    kernel::Outline,
    placed::compare_places,
};

/// Somebody in a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<W> {
    pub(crate) who: W,
    pub(crate) outline: Outline,
    pub(crate) center: Vec2,
}

/// An index, and who in it is asked for. Each walk gives everybody who is near enough, once, and may give others.
pub(crate) trait Targets {
    /// How they are told apart.
    type Who: Copy;

    /// An order of all of them, for those that are in one place.
    fn compare(&self, a: Self::Who, b: Self::Who) -> Ordering;

    /// Whether somebody who was met counts. Asked after the geometry, of the few that are left.
    fn admits(&self, who: Self::Who) -> bool;

    /// Everybody whose box meets this one, until it is broken off.
    fn around(
        &self,
        extent: &Extent,
        found: impl FnMut(Target<Self::Who>) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// Everybody whose box is met on a way before the limit, a fraction of it, which the answer lowers; a negative one ends the walk.
    fn along(&self, way: &WayOf, limit: f32, found: impl FnMut(Target<Self::Who>) -> f32);

    /// Everybody whose box is within reach of a point, which the answer lowers; a negative one ends the walk.
    fn near(&self, point: Vec2, reach: f32, found: impl FnMut(Target<Self::Who>) -> f32);

    /// By place, then by who they are: an order that does not depend on who came first.
    fn in_order(&self, a: &Target<Self::Who>, b: &Target<Self::Who>) -> Ordering {
        compare_places(a.center, b.center).then_with(|| self.compare(a.who, b.who))
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
    pub(crate) fn way(&self, drift: f32) -> Way {
        Way::new(self.origin, self.motion, self.half, drift)
    }
}

/// The box of a point.
pub(crate) fn extent_of_point(point: Vec2) -> Extent {
    let place = point.to_array();
    Extent {
        min: place,
        max: place,
    }
}
