//! Who was put on something since the last tick, and is not known to have met it.
//!
//! A game that moves its bodies itself, by a [`Mover`](crate::query::Mover) for one, puts them where something is. If that goes away from under them, as a lift that sinks, they would never meet it.

use crate::{broad_phase::Extent, kernel::Outline, placed::rounding, state::colliders::Colliders};

/// Somebody may have been put on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lower {
    pub(super) body: u32,
    /// It was put there itself.
    pub(super) is_new: bool,
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
    pairs: Vec<(u32, u32)>,
}

impl Arrivals {
    /// Lists what may be pushed, and has come, changed, or been moved by something else than the sweep since the last tick; or all, if any of these may have gone below them. Whether there is any.
    pub(super) fn gather(&mut self, colliders: &Colliders, lowers: &[Lower], margin: f32) -> bool {
        let is_pushable = |slot: &u32| colliders.pushable.contains(*slot as usize);
        let fresh = colliders.fresh.members();
        let fresh = fresh.filter(|_| lowers.iter().all(|lower| !lower.is_new));
        self.uppers.clear();
        match fresh {
            Some(fresh) => {
                let fresh = fresh.iter().flat_map(|&slot| parts(colliders, slot));
                let fresh = fresh.filter(is_pushable);
                let fresh = fresh.map(|slot| Boxed::new(colliders, slot, true, margin));
                self.uppers.extend(fresh);
            }
            None => {
                let all = colliders.pushable.members().iter().map(|&slot| {
                    let is_new = colliders.is_fresh(slot as usize);
                    Boxed::new(colliders, slot, is_new, margin)
                });
                self.uppers.extend(all);
            }
        }
        !self.uppers.is_empty()
    }

    /// Pairs of one of those and of what belongs to one of these bodies, if they are no farther from each other than the margin and one of the two was put there. Costs a look at each, and a sort of what of the bodies is near.
    pub(super) fn near(
        &mut self,
        colliders: &Colliders,
        bodies: &[Lower],
        margin: f32,
    ) -> &[(u32, u32)] {
        let Self {
            uppers,
            lowers,
            pairs,
        } = self;
        let around = uppers.iter().map(|one| one.extent);
        let around = around.fold(Extent::EMPTY, |one, other| one.union(&other));
        lowers.clear();
        let all = bodies.iter().flat_map(|lower| {
            let parts = parts(colliders, lower.body);
            parts.map(|slot| Boxed::new(colliders, slot, lower.is_new, margin))
        });
        lowers.extend(all.filter(|lower| lower.extent.meets(&around)));
        let left = |one: &Boxed| one.extent.min[0];
        lowers.sort_unstable_by(|one, other| left(one).total_cmp(&left(other)));
        let widths = lowers.iter().map(|one| one.extent.max[0] - left(one));
        let widest = widths.fold(0.0, f32::max);
        pairs.clear();
        for upper in &*uppers {
            let first = lowers.partition_point(|lower| left(lower) < left(upper) - widest);
            let near = lowers[first..].iter();
            let near = near.take_while(|lower| left(lower) <= upper.extent.max[0]);
            let near = near.filter(|lower| {
                (lower.is_new || upper.is_new)
                    && lower.slot != upper.slot
                    && lower.extent.meets(&upper.extent)
            });
            let slots = near.map(|lower| (lower.slot.min(upper.slot), lower.slot.max(upper.slot)));
            pairs.extend(slots);
        }
        pairs
    }
}

impl Boxed {
    /// Around a collider and the margin, or what rounding may make of it there. A room is around everything.
    fn new(colliders: &Colliders, slot: u32, is_new: bool, margin: f32) -> Self {
        let placed = &colliders.placed[slot as usize];
        let extent = match placed.outline {
            Outline::Shape(_) => {
                let center = placed.center(&colliders.movers);
                placed.extent(&colliders.movers, margin.max(rounding(center, center)))
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

/// The collider in a slot, and those that are parts of its body if it is one.
fn parts(colliders: &Colliders, slot: u32) -> impl Iterator<Item = u32> {
    let own = colliders.takes_part(slot as usize).then_some(slot);
    let all = colliders.solid_parts();
    let first = all.partition_point(|(body, _)| *body < slot);
    let parts = all[first..].iter();
    let parts = parts.take_while(move |(body, _)| *body == slot);
    own.into_iter().chain(parts.map(|(_, part)| *part))
}
