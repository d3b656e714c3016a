//! Finds bodies that were put on a platform since the last tick, without having met it.
//!
//! A game that moves its bodies itself, for example by a [`Mover`](crate::query::Mover), may put them on a platform. If that goes away from under them, such as a lift that sinks, they would never meet it.

use crate::{
    broad_phase::Extent,
    kernel::Outline,
    placed::{SlotPair, pair_of, rounding},
    state::colliders::Colliders,
};

/// What others may have been put on: a body with its parts, or one collider whose surface moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carrier {
    pub(super) slot: u32,
    /// Whether it was itself put there.
    pub(super) is_new: bool,
}

impl Carrier {
    /// Makes the carrier that a platform is; `None` if all its colliders are sensors, which carry nothing. `may_be_new` tells whether the body may have been put where it is.
    pub(super) fn if_solid(colliders: &Colliders, body: u32, may_be_new: bool) -> Option<Self> {
        let is_fresh = |slot: u32| colliders.fresh.contains(slot as usize);
        let mut parts = colliders.solid_colliders_of(body).peekable();
        parts.peek()?;
        let mut others = parts.filter(|part| *part != body);
        let is_new = may_be_new && is_fresh(body) || others.any(is_fresh);
        Some(Self { slot: body, is_new })
    }
}

/// A collider, and the box around it.
#[derive(Clone, Copy, Debug)]
struct Boxed {
    extent: Extent,
    slot: u32,
    is_new: bool,
}

/// Buffers for a tick.
#[derive(Debug, Default)]
pub(super) struct Arrivals {
    uppers: Vec<Boxed>,
    lowers: Vec<Boxed>,
    pairs: Vec<SlotPair>,
}

impl Arrivals {
    /// Returns pairs of a collider of a carrier and a collider that may be pushed, if they are no farther apart than the reach, and one of the two has come, changed, or been moved by something else than the sweep since the last tick.
    ///
    /// Costs a look at all colliders that have done so, or at all that may be pushed if a carrier has; and a sort of those that are near. A carrier that has not is compared only with colliders that have, beside, above and below it.
    pub(super) fn find(
        &mut self,
        colliders: &Colliders,
        carriers: &[Carrier],
        reach: f32,
    ) -> &[SlotPair] {
        let boxed = |slot: u32, is_new: bool| Boxed::new(colliders, slot, is_new, reach);
        self.pairs.clear();
        self.lowers.clear();
        self.lowers.extend(carriers.iter().flat_map(|carrier| {
            let parts = colliders.solid_colliders_of(carrier.slot);
            parts.map(|slot| boxed(slot, carrier.is_new))
        }));
        if self.lowers.is_empty() {
            return &self.pairs;
        }
        // Not rooms, whose boxes are everywhere: one that hangs on something by its ceiling is carried from the next tick on, by the contact of this one.
        let is_no_room = |slot: &u32| !colliders.rooms.contains(*slot as usize);
        let pushable = colliders.pushable.members().iter().copied();
        let pushable = pushable.filter(is_no_room);
        if let Some(fresh) = colliders.fresh.members() {
            let fresh = fresh
                .iter()
                .flat_map(|&slot| colliders.solid_colliders_of(slot));
            let fresh = fresh.filter(|slot| colliders.pushable.contains(*slot as usize));
            let fresh = fresh.filter(is_no_room);
            self.meet(fresh.map(|slot| boxed(slot, true)), |_| true);
            if carriers.iter().any(|carrier| carrier.is_new) {
                let old = pushable.filter(|&slot| !colliders.is_fresh(slot as usize));
                self.meet(old.map(|slot| boxed(slot, false)), |lower| lower.is_new);
            }
        } else {
            self.meet(pushable.map(|slot| boxed(slot, true)), |_| true);
        }
        &self.pairs
    }

    /// Adds the pairs of one of these, and a lower collider that counts.
    fn meet(&mut self, all: impl Iterator<Item = Boxed>, counts: impl Fn(&Boxed) -> bool) {
        let Self {
            uppers,
            lowers,
            pairs,
        } = self;
        let lowers = lowers.iter().filter(|lower| counts(lower));
        let around = around(lowers.clone());
        uppers.clear();
        uppers.extend(all.filter(|upper| upper.extent.meets(&around)));
        // Platforms are often wide, and the bodies on them are not.
        let left = |one: &Boxed| one.extent.min[0];
        uppers.sort_unstable_by(|one, other| left(one).total_cmp(&left(other)));
        let widths = uppers.iter().map(|one| one.extent.max[0] - left(one));
        let widest = widths.fold(0.0, f32::max);
        for lower in lowers {
            let first = uppers.partition_point(|upper| left(upper) < left(lower) - widest);
            let near = uppers[first..].iter();
            let near = near.take_while(|upper| left(upper) <= lower.extent.max[0]);
            let near =
                near.filter(|upper| lower.slot != upper.slot && lower.extent.meets(&upper.extent));
            pairs.extend(near.map(|upper| pair_of(lower.slot, upper.slot)));
        }
    }
}

/// Returns the box around all of these.
fn around<'a>(all: impl Iterator<Item = &'a Boxed>) -> Extent {
    let extents = all.map(|one| one.extent);
    extents.fold(Extent::EMPTY, |one, other| one.union(&other))
}

impl Boxed {
    /// Makes the box around a collider and the reach, or the rounding error there if that is larger. A room is around everything.
    fn new(colliders: &Colliders, slot: u32, is_new: bool, reach: f32) -> Self {
        let placed = &colliders.placed[slot as usize];
        let extent = match placed.outline {
            Outline::Shape(_) => {
                let center = placed.center(&colliders.body_states);
                placed.extent(&colliders.body_states, reach.max(rounding(center, center)))
            }
            Outline::Bounds(_) => Extent::EVERYWHERE,
        };
        Self {
            extent,
            slot,
            is_new,
        }
    }
}
