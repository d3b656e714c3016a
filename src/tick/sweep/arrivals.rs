//! Finds bodies that were put on a platform since the last tick, without having met it.
//!
//! A game that moves its bodies itself, for example by a [`Mover`](crate::query::Mover), may put them on a platform. If that goes away from under them, such as a lift that sinks, they would never meet it.

use crate::{
    broad_phase::Extent,
    kernel::Outline,
    placed::{children_of, rounding},
    state::colliders::Colliders,
};

/// A body that others may have been put on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lower {
    pub(super) body: u32,
    /// Whether this body itself was put there.
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
    /// Returns pairs of a collider of one of these bodies and a collider that may be pushed, if they are no farther apart than the margin, and one of the two has come, changed, or been moved by something else than the sweep since the last tick.
    ///
    /// Costs a look at all colliders that have done so, or at all that may be pushed if one of the bodies has; and a sort of those that are near. Each of the bodies is compared with the colliders beside, above and below it.
    pub(super) fn find(
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
        pairs.clear();
        lowers.clear();
        lowers.extend(bodies.iter().flat_map(|lower| {
            let parts = solid_parts(colliders, lower.body);
            parts.map(|slot| Boxed::new(colliders, slot, lower.is_new, margin))
        }));
        if lowers.is_empty() {
            return pairs;
        }

        let around_all = around(lowers.iter());
        let around_new = around(lowers.iter().filter(|lower| lower.is_new));
        let near = |slot: u32, is_new: bool| {
            // A room is around others, and stands on nothing.
            let is_room = colliders.rooms.contains(slot as usize);
            let upper = (!is_room).then(|| Boxed::new(colliders, slot, is_new, margin));
            let around = if is_new { &around_all } else { &around_new };
            upper.filter(|upper| upper.extent.meets(around))
        };
        let fresh = colliders.fresh.members();
        let fresh = fresh.filter(|_| bodies.iter().all(|lower| !lower.is_new));
        uppers.clear();
        match fresh {
            Some(fresh) => {
                let fresh = fresh.iter().flat_map(|&slot| solid_parts(colliders, slot));
                let fresh = fresh.filter(|slot| colliders.pushable.contains(*slot as usize));
                uppers.extend(fresh.filter_map(|slot| near(slot, true)));
            }
            None => {
                let all = colliders.pushable.members().iter();
                let is_new = |slot: u32| colliders.is_fresh(slot as usize);
                uppers.extend(all.filter_map(|&slot| near(slot, is_new(slot))));
            }
        }

        // Platforms are often wide, and the bodies on them are not.
        let left = |one: &Boxed| one.extent.min[0];
        uppers.sort_unstable_by(|one, other| left(one).total_cmp(&left(other)));
        let widths = uppers.iter().map(|one| one.extent.max[0] - left(one));
        let widest = widths.fold(0.0, f32::max);
        for lower in &*lowers {
            let first = uppers.partition_point(|upper| left(upper) < left(lower) - widest);
            let near = uppers[first..].iter();
            let near = near.take_while(|upper| left(upper) <= lower.extent.max[0]);
            let near = near.filter(|upper| {
                (lower.is_new || upper.is_new)
                    && lower.slot != upper.slot
                    && lower.extent.meets(&upper.extent)
            });
            let slots = near.map(|upper| (lower.slot.min(upper.slot), lower.slot.max(upper.slot)));
            pairs.extend(slots);
        }
        pairs
    }
}

/// Returns the box around all of these.
fn around<'a>(all: impl Iterator<Item = &'a Boxed>) -> Extent {
    let extents = all.map(|one| one.extent);
    extents.fold(Extent::EMPTY, |one, other| one.union(&other))
}

impl Boxed {
    /// Makes the box around a collider and the margin, or the rounding error there if that is larger. A room is around everything.
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

/// Yields the collider in a slot, and those of its parts if it is a body, without sensors.
pub(super) fn solid_parts(colliders: &Colliders, slot: u32) -> impl Iterator<Item = u32> {
    let is_solid = !colliders.parties[slot as usize].is_sensor();
    let own = (is_solid && colliders.takes_part(slot as usize)).then_some(slot);
    let parts = children_of(colliders.solid_parts(), slot).iter();
    own.into_iter().chain(parts.map(|(_, part)| *part))
}
