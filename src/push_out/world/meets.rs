//! How two members meet: what parts them, what they lean on, and how exactly that is known.

use bevy::math::Vec2;

use super::{LEANING, Push, World};
use crate::{
    kernel::{Outline, contact_within, room_for},
    placed::{
        Meeting, SIDES, Side, is_by_a_corner, meet_at, rounding, rounding_along, within_reach,
    },
};

impl World<'_> {
    /// Returns how to part the pair, if it is apart by at most `margin`; with depth 0 if it is apart.
    ///
    /// Has the same bits as a report, which also has a point, whichever of the two has the lower slot: negating an offset changes only the sign bits.
    #[inline(always)]
    pub(in crate::push_out) fn push_within(&self, pair: (u32, u32), margin: f32) -> Option<Push> {
        let (a, b) = (self.member(pair.0), self.member(pair.1));
        let offset = b.center - a.center;
        let contact = if a.is_room | b.is_room {
            let (a, b) = (
                self.outline_for(pair.1, pair.0),
                self.outline_for(pair.0, pair.1),
            );
            a.contact_within(b, offset, margin)
        } else {
            contact_within(a.shape, b.shape, offset, margin)
        };
        contact.map(|contact| Push {
            pair,
            normal: contact.normal,
            depth: contact.depth,
        })
    }

    /// Returns the walls of a room that the other member of a pair leans on, or is beyond, each as its direction from the first member to the second.
    pub(in crate::push_out) fn walls_of_room(&self, (a, b): (u32, u32)) -> [Option<Vec2>; 4] {
        let (room, who, turn) = if self.is_room(a) {
            (a, b, -1.0)
        } else {
            (b, a, 1.0)
        };
        let (Outline::Bounds(half_size), false) = (self.outline_for(who, room), self.is_room(who))
        else {
            return [None; 4];
        };
        let gaps = room_for(half_size, self.member(who).shape());
        let offset = self.center(who) - self.center(room);
        SIDES.map(|side| {
            let gap = gaps.dot(side.abs()) - offset.dot(side);
            (gap <= self.leaning_along((a, b), side)).then_some(side * turn)
        })
    }

    /// Whether two sharp boxes touch with next to nothing of their sides level: such a corner does not hold the other box, wherever that is pushed, or a crate that lies
    /// flush with the tiles below it could not be pushed along.
    pub(in crate::push_out) fn is_by_a_corner(&self, (a, b): (u32, u32)) -> bool {
        let (a, b) = (self.member(a), self.member(b));
        !(a.is_room | b.is_room) && is_by_a_corner([a.shape, b.shape], [a.center, b.center])
    }

    /// Returns how to part the pair, if one of the two leans on the other, or is in it.
    #[inline]
    pub(in crate::push_out) fn lean(&self, pair: (u32, u32)) -> Option<Push> {
        let centers = [self.center(pair.0), self.center(pair.1)];
        let find = |margin| self.push_within(pair, margin);
        within_reach(LEANING, centers, find, |push| (push.normal, push.depth))
    }

    /// Returns the gap along a normal up to which the pair leans: a body that was pushed out of another one is apart from that by up to the distance of neighboring floats.
    #[inline]
    fn leaning_along(&self, pair: (u32, u32), normal: Vec2) -> f32 {
        LEANING.max(self.rounding_along(pair, normal))
    }

    /// Returns how the pair overlaps now, if it does.
    #[inline]
    pub(in crate::push_out) fn overlap(&self, pair: (u32, u32)) -> Option<Push> {
        let push = self.push_within(pair, 0.0)?;
        (push.depth > 0.0).then_some(push)
    }

    /// Does the same, but only if the overlap is deeper than rounding.
    #[inline]
    pub(in crate::push_out) fn deep_overlap(&self, pair: (u32, u32)) -> Option<Push> {
        let push = self.overlap(pair)?;
        (push.depth > self.rounding_along(pair, push.normal)).then_some(push)
    }

    /// Whether the pair overlapped before any body was moved, as detection saw it.
    pub(in crate::push_out) fn has_overlapped_at_first(&self, (a, b): (u32, u32)) -> bool {
        let [origin, others] = [a, b].map(|number| self.members.origins[number as usize]);
        let contact = self
            .outline(a)
            .contact_within(self.outline(b), others - origin, 0.0);
        contact.is_some_and(|contact| contact.depth > 0.0)
    }

    /// Returns how the pair meets now, by its slots, for a report.
    pub(in crate::push_out) fn meeting(&self, (a, b): (u32, u32)) -> Option<Meeting> {
        let side = |number: u32| Side {
            slot: self.slot(number),
            outline: self.outline(number),
            center: self.center(number),
        };
        let find = |a: Outline, b, offset| a.contact_within(b, offset, 0.0);
        meet_at([side(a), side(b)], find)
    }

    /// Returns the rounding of a pair: an overlap of less can't be pushed apart.
    #[inline]
    pub(in crate::push_out) fn rounding(&self, (a, b): (u32, u32)) -> f32 {
        rounding(self.center(a), self.center(b))
    }

    /// Returns the rounding of a pair along a normal.
    #[inline]
    pub(in crate::push_out) fn rounding_along(&self, (a, b): (u32, u32), normal: Vec2) -> f32 {
        rounding_along(self.center(a), self.center(b), normal)
    }
}
