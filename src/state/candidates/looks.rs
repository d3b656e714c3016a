//! Searches among all colliders that need not look at each of them. They see the state of the last detection; a collider that was pushed since is found where it was pushed to, until the next tick gathers.

use std::ops::ControlFlow;

use bevy::math::Vec2;

use super::{Candidates, candidate::Candidate};
use crate::{
    broad_phase::{Extent, Levels, Region, Way},
    kernel::Outline,
    state::colliders::Colliders,
};

/// A collider that a search found. Further data is read only on demand.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seen<'a> {
    /// As the broad phase has it.
    Candidate(&'a Candidate),
    /// By its slot.
    Slot(usize),
}

impl Seen<'_> {
    #[inline(always)]
    pub(crate) fn slot(self) -> usize {
        match self {
            Self::Candidate(candidate) => candidate.slot as usize,
            Self::Slot(slot) => slot,
        }
    }

    /// Whether the collider is known to be its own body; `false` if that is not known.
    #[inline(always)]
    pub(crate) fn is_plain(self) -> bool {
        matches!(self, Self::Candidate(candidate) if candidate.flags.is_plain())
    }

    /// Returns the outline and the center as of the last tick: a pushed collider is where it was pushed to; settled ones are never pushed.
    #[inline(always)]
    pub(crate) fn place(self, colliders: &Colliders) -> (Outline, Vec2) {
        let known = match self {
            Self::Candidate(candidate) => candidate.place(colliders),
            Self::Slot(_) => None,
        };
        match known {
            Some((shape, center)) => (Outline::Shape(shape), center),
            None => {
                let placed = &colliders.placed[self.slot()];
                (placed.outline, placed.center(&colliders.body_states))
            }
        }
    }
}

impl Candidates {
    /// Calls `found` with each collider whose box meets `extent`, until it breaks off. Includes all rooms.
    pub(crate) fn around(
        &self,
        colliders: &Colliders,
        extent: &Extent,
        mut found: impl FnMut(Seen) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let region = |drift| Region::around(&extent.grown(drift));
        rooms(colliders).try_for_each(&mut found)?;
        self.within(colliders, region, |seen, _| found(seen))
    }

    /// Calls `found` with each collider whose box meets a region, until it breaks off; and with whether the collider is in the region for certain. `region` gets how far a collider may be from the box that the broad phase has. Rooms are [separate](rooms).
    #[inline]
    pub(crate) fn within<'a>(
        &'a self,
        colliders: &'a Colliders,
        region: impl Fn(f32) -> Region,
        mut found: impl FnMut(Seen<'a>, bool) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut within = |(levels, drift): (&'a Levels<Candidate>, f32)| {
            levels.walk_within(&region(drift), |met| {
                for (candidate, is_in) in met {
                    if self.is_there(colliders, candidate) {
                        found(Seen::Candidate(candidate), is_in)?;
                    }
                }
                ControlFlow::Continue(())
            })
        };
        let [still, moving] = self.levels(colliders);
        still.map_or(ControlFlow::Continue(()), &mut within)?;
        moving.map_or(ControlFlow::Continue(()), within)?;
        strays(colliders).try_for_each(|seen| found(seen, false))
    }

    /// Calls `found` with each collider that may be met on a way before the limit; `found` returns the new limit, as for [`Levels::walk_along`](crate::broad_phase::Levels::walk_along). Rooms are [separate](rooms).
    #[inline]
    pub(crate) fn along<'a, const TO_THE_END: bool>(
        &'a self,
        colliders: &'a Colliders,
        way: impl Fn(f32) -> Way,
        limit: f32,
        mut found: impl FnMut(Seen<'a>) -> f32,
    ) {
        // Strays come first, for each may lower the limit.
        let mut limit = limit;
        for stray in strays(colliders) {
            limit = if limit < 0.0 { limit } else { found(stray) };
        }
        let mut along = |(levels, drift): (&'a Levels<Candidate>, f32), limit| {
            levels.walk_along::<TO_THE_END>(&way(drift), limit, |candidate, limit| {
                if self.is_there(colliders, candidate) {
                    found(Seen::Candidate(candidate))
                } else {
                    limit
                }
            })
        };
        let [still, moving] = self.levels(colliders);
        let limit = still.map_or(limit, |still| along(still, limit));
        if let Some(moving) = moving {
            along(moving, limit);
        }
    }

    /// Calls `found` with each collider that may be within reach of a place; `found` returns the new reach, as for [`Levels::walk_around`](crate::broad_phase::Levels::walk_around). Rooms are [separate](rooms).
    #[inline]
    pub(crate) fn near<'a>(
        &'a self,
        colliders: &'a Colliders,
        place: Vec2,
        reach: f32,
        mut found: impl FnMut(Seen<'a>) -> f32,
    ) {
        let mut reach = reach;
        for stray in strays(colliders) {
            reach = if reach < 0.0 { reach } else { found(stray) };
        }
        let mut near = |(levels, drift): (&'a Levels<Candidate>, f32), reach| {
            levels.walk_around(place, drift, reach, |candidate, reach| {
                if self.is_there(colliders, candidate) {
                    found(Seen::Candidate(candidate))
                } else {
                    reach
                }
            })
        };
        let [still, moving] = self.levels(colliders);
        let reach = still.map_or(reach, |still| near(still, reach));
        if let Some(moving) = moving {
            near(moving, reach);
        }
    }

    /// The levels of still and of moving colliders, unless they are empty, each with how far a collider may be from where the broad phase has it.
    #[inline(always)]
    fn levels(&self, colliders: &Colliders) -> [Option<(&Levels<Candidate>, f32)>; 2] {
        let moving = self.broad_phase.moving();
        let still = if self.is_rebuilt {
            &self.before
        } else {
            self.broad_phase.still()
        };
        [
            (!still.is_empty()).then_some((still, 0.0)),
            (!moving.is_empty()).then_some((moving, colliders.drift.most())),
        ]
    }

    /// Whether a candidate is up to date, and its collider not far from where the broad phase has it.
    #[inline(always)]
    fn is_there(&self, colliders: &Colliders, candidate: &Candidate) -> bool {
        let may_stray = !candidate.is_settled;
        self.was_known(candidate) && !(may_stray && colliders.drift.is_stray(candidate.slot))
    }

    /// Whether a candidate was up to date when the broad phase last searched for pairs.
    #[inline(always)]
    fn was_known(&self, candidate: &Candidate) -> bool {
        let slot = candidate.slot as usize;
        if self.is_rebuilt {
            !candidate.is_settled || self.was_settled[slot]
        } else {
            self.is_known(candidate) || self.lately.contains(slot)
        }
    }
}

/// The rooms. No walk finds these, for anything inside of one may be met by it.
fn rooms(colliders: &Colliders) -> impl Iterator<Item = Seen<'_>> {
    let rooms = colliders.rooms.members().iter();
    rooms.map(|&slot| Seen::Slot(slot as usize))
}

/// The colliders that were pushed too far to be found by where they were.
fn strays(colliders: &Colliders) -> impl Iterator<Item = Seen<'_>> {
    let strays = colliders.drift.strays().iter();
    strays.map(|&slot| Seen::Slot(slot as usize))
}
