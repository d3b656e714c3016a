//! Where a member has found no velocity that leads into none of the others, those around it give way; a member that finds none after that stands.
//!
//! Once all stand, none goes into another one: so this comes to an end, and then no two of a crowd come together in the tick.

use std::cmp::Reverse;

use bevy::math::Vec2;

use super::{Crowd, Near, State};

/// How often a member changes its velocity before it stands, in a heap and in a driven crowd: otherwise two would give way to each other forever.
const MOST_CHANGES: [u32; 2] = [2, 4];
/// Two come together if they do so by more than this part of their speeds: anything less is rounding.
const SPEED_ROUNDING: f32 = 4.0e-6;

impl Crowd {
    /// Gives each member whose velocity leads into another one a velocity that does not, those in front first.
    pub(super) fn stand(&mut self) {
        for number in 0..self.near.len() {
            let near = self.near[number];
            if self.comes_together(&near) {
                near.members.into_iter().for_each(|one| self.call(one));
            }
        }
        while let Some(Reverse((_, member))) = self.called.pop() {
            self.members[member as usize].is_called = false;
            let is_any =
                |at: usize| self.comes_together(&self.near[self.links.items()[at] as usize]);
            if !self.links.range(member).any(is_any) {
                continue;
            }
            self.go_another_way(member);
            for at in self.links.range(member) {
                let near = self.near[self.links.items()[at] as usize];
                if self.comes_together(&near) {
                    let (_, other) = self.seen_by(member, &near);
                    self.call(other);
                }
            }
        }
    }

    /// Gives a member a velocity that leads into none in front of it, and into none that stands. If there is none, or it has changed too often before, it stands.
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

    /// Has a member check its velocity again, if it can still change.
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
        closing > (one.length() + other.length() + near.gap) * SPEED_ROUNDING
    }
}
