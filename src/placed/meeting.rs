//! How two colliders meet, with the same bits in whichever order they are asked about.

use std::hint::select_unpredictable;

use bevy::math::Vec2;
#[cfg(feature = "recorder")]
use serde::{Deserialize, Serialize};

use super::{
    body::{BodyState, Placed},
    order::{compare_outlines, compare_places},
};
use crate::kernel::{Contact, Outline, pick};

/// Two slots; in a contact or a hit, the lower one first.
pub(crate) type SlotPair = (u32, u32);

/// How a pair of slots meets, in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "recorder", derive(Serialize, Deserialize))]
pub(crate) struct Meeting {
    /// The lower slot first.
    pub(crate) slots: SlotPair,
    /// Unit vector from the first to the second.
    pub(crate) normal: Vec2,
    pub(crate) depth: f32,
    pub(crate) point: Vec2,
    /// The time of the meeting within the tick, from 0 to 1.
    pub(crate) time: f32,
}

/// A pair that detection has seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sighting {
    pub(crate) meeting: Meeting,
    pub(crate) closeness: Closeness,
    /// The two push each other if they overlap, by the rules. Set only if the push-out needs it, else false.
    pub(crate) may_push: bool,
    /// They push each other now, because they overlap by more than rounding.
    pub(crate) pushes: bool,
}

/// How close the colliders of a pair are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closeness {
    /// They collide.
    Meets,
    /// The gap between them is so small that it would count if they had met before.
    Rests,
    /// They may come to push each other in this tick. Their contact was not computed.
    Near,
}

impl Sighting {
    /// Makes a sighting of two slots, in either order, that may push each other; nothing else is known of them.
    #[inline]
    pub(crate) fn near(slots: SlotPair) -> Self {
        let contact = Contact {
            normal: Vec2::ZERO,
            depth: 0.0,
            point: Vec2::ZERO,
        };
        Self {
            meeting: Meeting::new(slots, contact),
            closeness: Closeness::Near,
            may_push: true,
            pushes: false,
        }
    }
}

impl Meeting {
    /// Makes a meeting of two slots, in either order; the contact is seen from the first one, with its point in world space.
    #[inline(always)]
    pub(crate) fn new((a, b): SlotPair, contact: Contact) -> Self {
        // Adding 0 turns -0.0 into 0.0.
        let turned = -contact.normal + Vec2::ZERO;
        let pick = |turned: f32, as_it_is: f32| pick(a > b, turned, as_it_is);
        Self {
            slots: pair_of(a, b),
            normal: Vec2::new(
                pick(turned.x, contact.normal.x),
                pick(turned.y, contact.normal.y),
            ),
            depth: contact.depth,
            point: contact.point,
            time: 1.0,
        }
    }
}

/// Returns how two slots meet, by a function of the kernel such as `Outline::contact_or_rest`, which gets `a`, `b` and the offset between them, and also returns whether they meet,
/// or are only near.
#[inline]
pub(crate) fn see(
    placed: &[Placed],
    body_states: &[BodyState],
    slots: SlotPair,
    find_contact: impl FnOnce(Outline, Outline, Vec2) -> Option<(Contact, bool)>,
) -> Option<Sighting> {
    let [a, b] = sides_of(placed, body_states, slots);
    see_at([&a, &b], |a, b, offset| {
        find_contact(a.outline, b.outline, offset)
    })
}

#[inline]
fn sides_of(placed: &[Placed], body_states: &[BodyState], slots: SlotPair) -> [Side; 2] {
    [slots.0, slots.1].map(|slot| {
        let placed = &placed[slot as usize];
        Side {
            slot,
            outline: placed.outline,
            center: placed.center(body_states),
        }
    })
}

/// How two slots meet, by a question to the kernel that tells all that it finds.
pub(crate) fn meet(
    placed: &[Placed],
    body_states: &[BodyState],
    slots: SlotPair,
    find_contact: impl FnOnce(Outline, Outline, Vec2) -> Option<Contact>,
) -> Option<Meeting> {
    meet_at(sides_of(placed, body_states, slots), find_contact)
}

/// The same for two sides that are at hand, in either order.
#[inline]
pub(crate) fn meet_at(
    [a, b]: [Side; 2],
    find_contact: impl FnOnce(Outline, Outline, Vec2) -> Option<Contact>,
) -> Option<Meeting> {
    let find = |a: &Side, b: &Side, offset| {
        let contact = find_contact(a.outline, b.outline, offset)?;
        Some((contact, true))
    };
    Some(see_at([&a, &b], find)?.meeting)
}

/// The same as [`see`] for two sides of any kind that are at hand, in either order.
///
/// Passes them to the kernel in the order of [`in_order_of_places`], so that a report has the same bits whichever of them has the lower slot.
#[inline(always)]
pub(crate) fn see_at<T: Located>(
    sides: [&T; 2],
    find_contact: impl FnOnce(&T, &T, Vec2) -> Option<(Contact, bool)>,
) -> Option<Sighting> {
    let [a, b] = in_order_of_places(sides);
    let (contact, meets) = find_contact(a, b, b.center() - a.center())?;
    let contact = Contact {
        point: a.center() + contact.point,
        ..contact
    };
    let closeness = if meets {
        Closeness::Meets
    } else {
        Closeness::Rests
    };
    Some(Sighting {
        meeting: Meeting::new((a.slot(), b.slot()), contact),
        closeness,
        may_push: false,
        pushes: false,
    })
}

/// A collider at a place, in the form that a caller has.
pub(crate) trait Located {
    fn slot(&self) -> u32;
    fn center(&self) -> Vec2;
    fn outline(&self) -> Outline;
}

/// The simplest form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    pub(crate) slot: u32,
    pub(crate) outline: Outline,
    pub(crate) center: Vec2,
}

impl Located for Side {
    #[inline(always)]
    fn slot(&self) -> u32 {
        self.slot
    }

    #[inline(always)]
    fn center(&self) -> Vec2 {
        self.center
    }

    #[inline(always)]
    fn outline(&self) -> Outline {
        self.outline
    }
}

/// Returns the one with the lesser place first. At the same place the lesser outline comes first, for the kernel's last rule for ties; slots decide only between equal outlines.
///
/// Either order is as likely, so branches would be mispredicted: there is none, except for two at the same place, which is rare.
#[inline(always)]
pub(crate) fn in_order_of_places<T: Located>([one, other]: [&T; 2]) -> [&T; 2] {
    let places = compare_places(one.center(), other.center());
    let is_in_order = if places.is_eq() {
        let outlines = compare_outlines(one.outline(), other.outline());
        outlines.then(one.slot().cmp(&other.slot())).is_le()
    } else {
        places.is_lt()
    };
    [
        select_unpredictable(is_in_order, one, other),
        select_unpredictable(is_in_order, other, one),
    ]
}

/// Returns two slots as a pair, the lower one first.
#[inline(always)]
pub(crate) fn pair_of(a: u32, b: u32) -> SlotPair {
    (a.min(b), a.max(b))
}
