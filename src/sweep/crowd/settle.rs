//! From the front to the back, each member takes a velocity that leads into none that has settled before it.

use bevy::math::Vec2;

use super::{Crowd, CrowdMember, Near, State};
use crate::sweep::{
    agent::NONE,
    limit::{Limit, nearest_within},
};

/// A member that is pushed back or aside by less than this part of its own speed stands: the first number is for a heap, the second for a driven crowd.
const SHAKEN: [f32; 2] = [0.25, 0.1];
/// In a driven crowd, a member that makes way goes at most this many times as fast as any around it was.
const ASIDE: f32 = 2.0;

impl Crowd {
    /// Lists the neighbors of each member, and counts those in front of it.
    pub(super) fn link(&mut self) {
        let both = |near: &Near| near.members.into_iter().filter(|&member| member != NONE);
        self.links.begin(self.members.len());
        for member in self.near.iter().flat_map(both) {
            self.links.announce(member, 1);
        }
        // Each member meets those first that were added last.
        let near = self.near.iter().enumerate().rev();
        self.links.fill(
            near.flat_map(|(number, near)| both(near).map(move |member| (member, number as u32))),
        );
        for near in &self.near {
            if let Some([_, back]) = self.in_order(near) {
                self.members[back as usize].in_front += 1;
            }
        }
    }

    /// Returns which of two is in front, then the other one; `None` if they press to neither side.
    pub(super) fn in_order(&self, near: &Near) -> Option<[u32; 2]> {
        let [one, other] = near.members;
        let [a, b] = [one, other].map(|member| self.members.get(member as usize));
        let (a, b) = (a?, b?);
        // By their masses, as the two would move together.
        let pressing = a.wish * b.inverse_mass + b.wish * a.inverse_mass;
        let along = pressing.dot(near.normal);
        if along > 0.0 {
            Some([other, one])
        } else if along < 0.0 {
            Some([one, other])
        } else {
            None
        }
    }

    /// Lets all members settle: each is stopped by those that have settled before it.
    pub(super) fn settle(&mut self) {
        self.ready.clear();
        for (number, member) in (0..).zip(&mut self.members) {
            if member.in_front == 0 {
                member.state = State::IsReady;
                self.ready.push(number);
            }
        }
        let (mut first, mut walk) = (0, 0);
        for settled_after in 0.. {
            let ready = self.ready.pop();
            let next = ready.or_else(|| self.out_of_a_ring((&mut first, &mut walk)));
            let Some(member) = next else { break };
            self.settle_one(member);
            let settled = &mut self.members[member as usize];
            (settled.state, settled.settled_after) = (State::IsSettled, settled_after);
            for at in self.links.range(member) {
                let near = &self.near[self.links.items()[at] as usize];
                let Some([_, back]) = self.in_order(near).filter(|[front, _]| *front == member)
                else {
                    continue;
                };
                let behind = &mut self.members[back as usize];
                behind.in_front -= 1;
                if behind.in_front == 0 && behind.state == State::Waits {
                    behind.state = State::IsReady;
                    self.ready.push(back);
                }
            }
        }
    }

    /// Returns a member of a ring in which each is in front of the next, if all that are left are in rings or behind them. No member before `first` is left.
    fn out_of_a_ring(&mut self, (first, walk): (&mut usize, &mut u32)) -> Option<u32> {
        let waits = |member: &CrowdMember| member.state == State::Waits;
        *first += self.members[*first..].iter().position(waits)?;
        *walk += 1;
        let mut member = *first as u32;
        // A member that is met twice on the way to the front is in a ring.
        while std::mem::replace(&mut self.members[member as usize].walk, *walk) != *walk {
            let fronts = self.links.range(member).filter_map(|at| {
                let near = &self.near[self.links.items()[at] as usize];
                let [front, back] = self.in_order(near)?;
                (back == member && waits(&self.members[front as usize])).then_some(front)
            });
            let Some(front) = fronts.min() else { break };
            member = front;
        }
        self.members[member as usize].state = State::IsReady;
        Some(member)
    }

    fn settle_one(&mut self, member: u32) {
        let is_settled = |other: &CrowdMember| other.state == State::IsSettled;
        let own = self.members[member as usize];
        let wish = own.wish;
        let is_pushed_back = self.links.range(member).any(|at| {
            let near = &self.near[self.links.items()[at] as usize];
            let (direction, other) = self.seen_by(member, near);
            let other = self.members.get(other as usize);
            other.is_some_and(|other| {
                !is_settled(other)
                    && direction.dot(wish) > 0.0
                    && direction.dot(other.velocity) < -near.gap
            })
        });
        if let Some(nearest) = self.nearest(member, |_, _, other| is_settled(other)) {
            // A slide does not lead back. But a member that others push back goes back, or aside, if by more than the usual shaking of a crowd: otherwise members would lean on each other like the stones of an arch.
            let shaken = SHAKEN[usize::from(own.is_driven)];
            let goes_back = (own.is_driven || nearest.dot(wish) < 0.0)
                && is_pushed_back
                && nearest.length_squared() >= wish.length_squared() * (shaken * shaken);
            let stops = !own.gains(nearest) && !goes_back;
            let may_stop = stops && self.limits.iter().all(|limit| limit.holds(Vec2::ZERO));
            self.members[member as usize].velocity = if may_stop { Vec2::ZERO } else { nearest };
        }
    }

    /// Returns the direction in which a member has the other one of a pair before it, and the number of that.
    pub(super) fn seen_by(&self, member: u32, near: &Near) -> (Vec2, u32) {
        let [one, other] = near.members;
        if one == member {
            (near.normal, other)
        } else {
            (-near.normal, one)
        }
    }

    /// Returns the velocity nearest to that of a member that leads into nothing that gives no way, and into no other member for which `counts` is true; `None` if there is none. Marks the pairs that stop it as met.
    pub(super) fn nearest(
        &mut self,
        member: u32,
        counts: impl Fn(&Self, &Near, &CrowdMember) -> bool,
    ) -> Option<Vec2> {
        let mut limits = std::mem::take(&mut self.limits);
        limits.clear();
        let CrowdMember {
            velocity,
            wish,
            is_driven,
            ..
        } = self.members[member as usize];
        // No member is shot out of a closing gap faster than any around it was.
        let mut fastest = velocity.length_squared().max(wish.length_squared());
        for at in self.links.range(member) {
            let number = self.links.items()[at] as usize;
            let near = &self.near[number];
            let (direction, other) = self.seen_by(member, near);
            let other = self.members.get(other as usize);
            if other.is_some_and(|other| !counts(self, near, other)) {
                continue;
            }
            let others = other.map_or(near.velocity, |other| other.velocity);
            fastest = fastest.max(others.length_squared());
            let limit = Limit::at(direction, others).beyond(near.gap);
            self.near[number].is_met |= limit.excess(velocity) > 0.0;
            limits.push(limit);
        }
        self.limits = limits;
        if is_driven {
            fastest *= ASIDE * ASIDE;
        }
        nearest_within(velocity, fastest, &self.limits)
    }
}
