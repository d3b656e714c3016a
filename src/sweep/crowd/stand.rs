//! Where somebody has found no velocity that leads into nobody, those around him give way, and who finds none after that stands.
//!
//! Once all stand, nobody goes into anybody: so this has an end, and with that end no two of a crowd come together in the tick.

use std::cmp::Reverse;

use bevy::math::Vec2;

use super::{Crowd, Near, State};

/// So often somebody goes another way, in a heap and where somebody wants to go somewhere, and then he stands: else one would give way to the other for good.
const MOST_CHANGES: [u32; 2] = [2, 4];
/// Two come together if they do so by more than this part of what they have: what is less is rounding.
const ROUNDING: f32 = 4.0e-6;

impl Crowd {
    /// Gives all whose velocity leads into another one a velocity that does not, those in front first.
    pub(super) fn stand(&mut self) {
        for number in 0..self.near.len() {
            let near = self.near[number];
            if self.comes_together(&near) {
                near.members.into_iter().for_each(|one| self.call(one));
            }
        }
        while let Some(Reverse((_, member))) = self.called.pop() {
            self.members[member as usize].is_called = false;
            let is_any = |at: usize| self.comes_together(&self.near[self.links[at] as usize]);
            if !self.links_of(member).any(is_any) {
                continue;
            }
            self.go_another_way(member);
            for at in self.links_of(member) {
                let near = self.near[self.links[at] as usize];
                if self.comes_together(&near) {
                    let (_, other) = self.seen_by(member, &near);
                    self.call(other);
                }
            }
        }
    }

    /// Lets a member go where it leads into nobody in front of it, and into nobody who stands; if it cannot, or has done so before, it stands.
    fn go_another_way(&mut self, member: u32) {
        let own = &mut self.members[member as usize];
        own.changes += 1;
        let nearest = if own.changes <= MOST_CHANGES[usize::from(own.is_driven)] {
            self.nearest(member, |crowd, near, other| {
                let order = crowd.in_order(near);
                let is_behind = order.is_some_and(|[front, _]| front == member);
                !is_behind || other.state == State::Stands
            })
        } else {
            None
        };
        let own = &mut self.members[member as usize];
        match nearest.filter(|nearest| own.gains(*nearest)) {
            Some(nearest) => own.velocity = nearest,
            None => (own.velocity, own.state) = (Vec2::ZERO, State::Stands),
        }
    }

    /// Has a member look again where it goes, if it can still go elsewhere.
    fn call(&mut self, member: u32) {
        if let Some(own) = self.members.get_mut(member as usize)
            && own.state != State::Stands
            && !std::mem::replace(&mut own.is_called, true)
        {
            self.called.push(Reverse((own.settled_after, member)));
        }
    }

    /// Whether two come together by more than the gap between them.
    pub(super) fn comes_together(&self, near: &Near) -> bool {
        let [one, other] = [0, 1].map(|side| self.velocity(near, side));
        let closing = (one - other).dot(near.normal) - near.gap;
        closing > (one.length() + other.length() + near.gap) * ROUNDING
    }
}
