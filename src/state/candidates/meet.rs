//! Which of the pairs that the broad phase finds collide, and how.

use bevy::math::Vec2;

use super::candidate::Candidate;
use crate::{
    broad_phase::Meet,
    kernel::{FourContacts, FourShapes, Touching, contact_or_rest},
    map_four::map_four,
    placed::{Closeness, Meeting, Sighting, in_order_of_places, rounding_along, see_at},
    state::{
        colliders::Colliders,
        resting::Resting,
        rules::{may_collide_by_flags, may_push_by_flags},
    },
};

/// Decides on pairs of the broad phase by the rules and the kernel.
pub(super) struct MeetCandidates<'a> {
    pub(super) colliders: &'a Colliders,
    pub(super) is_settled: &'a [bool],
    pub(super) touching: Touching,
    pub(super) reach: f32,
    /// Beyond this coordinate positions are less exact than the reach; infinite if that does not matter.
    pub(super) far: f32,
    /// Whether to list pairs, too, that do not meet but may come to push each other.
    pub(super) are_near_wanted: bool,
}

impl MeetCandidates<'_> {
    /// Whether a contact that the kernel finds for the pair counts.
    #[inline(always)]
    fn counts(&self, one: &Candidate, other: &Candidate) -> bool {
        let [a, b] = [one, other].map(|side| (side.slot as usize, side.flags));
        !self.is_gone(other) && may_collide_by_flags(self.colliders, a, b)
    }

    /// Whether positions there are less exact than the reach.
    #[inline(always)]
    fn is_far_out(&self, one: &Candidate, other: &Candidate) -> bool {
        let farthest = one.center.abs().max(other.center.abs());
        farthest.cmpgt(Vec2::splat(self.far)).any()
    }

    /// Whether a settled collider is gone, has moved or has changed since the broad phase got it.
    #[inline(always)]
    fn is_gone(&self, other: &Candidate) -> bool {
        other.is_settled && !self.is_settled[other.slot as usize]
    }

    /// Adds what `meet` finds of a pair at places less exact than the reach.
    #[cold]
    #[inline(never)]
    fn meet_far_out(&self, one: &Candidate, other: &Candidate, found: &mut Vec<Sighting>) {
        found.extend(self.meet(one, other));
    }

    /// Returns a sighting of two colliders that are near each other and do not meet, if these are wanted.
    #[inline]
    fn near(&self, one: &Candidate, other: &Candidate) -> Option<Sighting> {
        (self.are_near_wanted && !self.is_gone(other) && self.may_push(one, other))
            .then(|| Sighting::near((one.slot, other.slot)))
    }

    #[inline]
    fn may_push(&self, one: &Candidate, other: &Candidate) -> bool {
        let a = (one.slot as usize, one.flags);
        let b = (other.slot as usize, other.flags);
        may_push_by_flags(self.colliders, a, b)
    }

    /// Adds to a sighting what the push-out needs to know.
    #[inline]
    fn with_push(&self, seen: Sighting, one: &Candidate, other: &Candidate) -> Sighting {
        if !self.are_near_wanted {
            return seen;
        }
        let may_push = self.may_push(one, other);
        let Meeting { depth, normal, .. } = seen.meeting;
        let is_over = depth > 0.0 && depth > rounding_along(one.center, other.center, normal);
        Sighting {
            may_push,
            pushes: may_push && is_over,
            ..seen
        }
    }
}

impl Meet<Candidate, Sighting> for MeetCandidates<'_> {
    #[inline(always)]
    fn meet(&self, one: &Candidate, other: &Candidate) -> Option<Sighting> {
        let reach = Resting::reach_of(self.touching, self.reach, one.center, other.center);
        let find = |a: &Candidate, b: &Candidate, offset| {
            contact_or_rest(a.shape, b.shape, offset, self.touching, reach)
        };
        let seen = || see_at([one, other], find);
        let seen = self.counts(one, other).then(seen).flatten();
        let seen = seen.map(|seen| self.with_push(seen, one, other));
        seen.or_else(|| self.near(one, other))
    }

    #[inline(always)]
    fn meet_four(&self, pairs: [[&Candidate; 2]; 4], found: &mut Vec<Sighting>) {
        let in_order = map_four(pairs, in_order_of_places);
        let [first, second] = [0, 1].map(|side: usize| {
            let placed = |pair: [&Candidate; 2]| (pair[side].shape, pair[side].center);
            FourShapes::new(map_four(in_order, placed))
        });
        let contacts = FourContacts::of(&first, &second, self.touching, self.reach);
        for (lane, ([one, other], [a, b])) in pairs.into_iter().zip(in_order).enumerate() {
            let is = |bits: u32| bits & 1 << lane != 0;
            if is(contacts.is_tie) {
                found.extend(self.meet(one, other));
            } else if is(contacts.meets | contacts.rests) {
                if self.counts(one, other) {
                    let closeness = if is(contacts.meets) {
                        Closeness::Meets
                    } else {
                        Closeness::Rests
                    };
                    let seen = Sighting {
                        meeting: Meeting::new((a.slot, b.slot), contacts.get(lane)),
                        closeness,
                        may_push: false,
                        pushes: false,
                    };
                    found.push(self.with_push(seen, one, other));
                }
            } else if self.is_far_out(one, other) {
                self.meet_far_out(one, other, found);
            } else {
                found.extend(self.near(one, other));
            }
        }
    }
}
