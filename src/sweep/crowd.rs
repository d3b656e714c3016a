//! A crowd whose bodies press each other: all that are near each other are stopped at once, and not hit by hit.
//!
//! ```text
//! a few times, there and back: two that come together share what they have                   (share)
//! whoever has nobody in front of him who is not settled comes next:                          (settle)
//!     of all velocities that lead into none of those, he takes the nearest to his own        (nearest_within)
//! ```
//!
//! By hits alone each takes back a part of what the last one did, and there is no end to that. By sharing, each gets its part in where the crowd goes as a whole; one pass from the front to the back then leaves nothing that leads into
//! anything. In front is who is on the side to which two of them press together: the floor of a heap, the player in the middle of his enemies.

use bevy::math::Vec2;

use super::agent::NONE;

/// So often what each has is handed on, there and back.
const SHARES: usize = 4;
/// What leads into another one by no more than this part of a velocity does so by rounding.
const ROUNDING: f32 = 1.0e-6;

/// One in a crowd.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// In world units a tick.
    pub(super) velocity: Vec2,
    /// With which velocity it began.
    wish: Vec2,
    inverse_mass: f32,
    /// So many are in front of it and have not settled.
    in_front: u32,
    state: State,
    /// The last walk to the front on which it was met.
    walk: u32,
    /// Nothing that is known to be near is in the way of its velocity.
    pub(super) is_free: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// Others come first.
    Waits,
    IsReady,
    IsSettled,
}

/// Two that are near each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    /// The second one is [`NONE`] if it gives no way.
    pub(super) members: [u32; 2],
    /// From the first to the second.
    pub(super) normal: Vec2,
    /// How far they may come together in the tick.
    pub(super) gap: f32,
    /// Of a second one that gives no way.
    pub(super) velocity: Vec2,
    /// One has stopped the other.
    pub(super) is_met: bool,
}

/// All crowds of a tick, with their buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Crowd {
    members: Vec<Member>,
    near: Vec<Near>,
    /// Which of `near` a member is in: `links[starts[member]..starts[member + 1]]`.
    links: Vec<u32>,
    starts: Vec<u32>,
    ready: Vec<u32>,
    limits: Vec<Limit>,
}

/// How fast one may go in a direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    direction: Vec2,
    most: f32,
}

impl Limit {
    /// Not faster than something in front.
    pub(super) fn at(direction: Vec2, velocity: Vec2) -> Self {
        Self {
            direction,
            most: velocity.dot(direction),
        }
    }

    fn excess(&self, velocity: Vec2) -> f32 {
        velocity.dot(self.direction) - self.most
    }

    fn holds(&self, velocity: Vec2) -> bool {
        let size = velocity.length() + self.most.abs();
        self.excess(velocity) <= size * ROUNDING
    }
}

impl Member {
    pub(super) fn new(velocity: Vec2, inverse_mass: f32) -> Self {
        Self {
            velocity,
            wish: velocity,
            inverse_mass,
            in_front: 0,
            state: State::Waits,
            walk: 0,
            is_free: true,
        }
    }

    /// Whether it has another velocity than at first.
    pub(super) fn is_turned(&self) -> bool {
        self.velocity != self.wish
    }
}

impl Crowd {
    pub(super) fn clear(&mut self) {
        self.members.clear();
        self.near.clear();
    }

    pub(super) fn count(&self) -> usize {
        self.members.len()
    }

    /// Adds a member, whose number is how many there have been.
    pub(super) fn add(&mut self, member: Member) {
        self.members.push(member);
    }

    pub(super) fn add_near(&mut self, near: Near) {
        self.near.push(near);
    }

    /// There is something near that is not known here, if it is a member at all.
    pub(super) fn watch(&mut self, member: u32) {
        if let Some(member) = self.members.get_mut(member as usize) {
            member.is_free = false;
        }
    }

    /// As they were added.
    pub(super) fn members(&self) -> impl Iterator<Item = &Member> {
        self.members.iter()
    }

    /// The same of those that are near each other.
    pub(super) fn near(&self) -> impl Iterator<Item = &Near> {
        self.near.iter()
    }

    /// Gives all members velocities that lead into nothing that is near them, as far as there are any.
    pub(super) fn press(&mut self) {
        for _ in 0..SHARES {
            (0..self.near.len()).for_each(|near| self.share(near));
            (0..self.near.len()).rev().for_each(|near| self.share(near));
        }
        self.link();
        self.settle();
    }

    /// The velocity of one of two.
    fn velocity(&self, near: &Near, side: usize) -> Vec2 {
        let member = self.members.get(near.members[side] as usize);
        member.map_or(near.velocity, |member| member.velocity)
    }

    fn share(&mut self, near: usize) {
        let near = &mut self.near[near];
        let [one, other] = near.members.map(|member| member as usize);
        let own = self.members[one];
        let (others, others_inverse_mass) = match self.members.get(other) {
            Some(member) => (member.velocity, member.inverse_mass),
            None => (near.velocity, 0.0),
        };
        let closing = (own.velocity - others).dot(near.normal) - near.gap;
        let masses = own.inverse_mass + others_inverse_mass;
        if closing <= 0.0 || masses == 0.0 {
            return;
        }
        near.is_met = true;
        self.members[one].velocity -= near.normal * (closing * own.inverse_mass / masses);
        if let Some(member) = self.members.get_mut(other) {
            member.velocity += near.normal * (closing * others_inverse_mass / masses);
        }
    }

    /// Lists who is near each, and counts who is in front.
    fn link(&mut self) {
        let both = |near: &Near| near.members.into_iter().filter(|&member| member != NONE);
        self.starts.clear();
        self.starts.resize(self.members.len() + 1, 0);
        for member in self.near.iter().flat_map(both) {
            self.starts[member as usize] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        self.links.clear();
        self.links.resize(end as usize, 0);
        for (number, near) in (0..).zip(&self.near) {
            for member in both(near) {
                let start = &mut self.starts[member as usize];
                *start -= 1;
                self.links[*start as usize] = number;
            }
        }
        for near in &self.near {
            if let Some([_, back]) = self.in_order(near) {
                self.members[back as usize].in_front += 1;
            }
        }
    }

    fn links_of(&self, member: u32) -> std::ops::Range<usize> {
        let [start, end] = [member, member + 1].map(|at| self.starts[at as usize] as usize);
        start..end
    }

    /// Who of two is in front, and who is not; none of them is if they press to neither side.
    fn in_order(&self, near: &Near) -> Option<[u32; 2]> {
        let [one, other] = near.members;
        let [a, b] = [one, other].map(|member| self.members.get(member as usize));
        let (a, b) = (a?, b?);
        // By their masses, as they would go together.
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

    /// Stops each at who has settled before.
    fn settle(&mut self) {
        self.ready.clear();
        for (number, member) in (0..).zip(&mut self.members) {
            if member.in_front == 0 {
                member.state = State::IsReady;
                self.ready.push(number);
            }
        }
        let (mut first, mut walk) = (0, 0);
        loop {
            let ready = self.ready.pop();
            let next = ready.or_else(|| self.out_of_a_ring((&mut first, &mut walk)));
            let Some(member) = next else { break };
            self.settle_one(member);
            self.members[member as usize].state = State::IsSettled;
            for at in self.links_of(member) {
                let near = &self.near[self.links[at] as usize];
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

    /// One of a ring of which each is in front of the next, if all that are left are in rings, or behind them; those before `first` are not left.
    fn out_of_a_ring(&mut self, (first, walk): (&mut usize, &mut u32)) -> Option<u32> {
        let waits = |member: &Member| member.state == State::Waits;
        *first += self.members[*first..].iter().position(waits)?;
        *walk += 1;
        let mut member = *first as u32;
        // Whom it meets twice on the way to the front is in a ring.
        while std::mem::replace(&mut self.members[member as usize].walk, *walk) != *walk {
            let fronts = self.links_of(member).filter_map(|at| {
                let near = &self.near[self.links[at] as usize];
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
        let mut limits = std::mem::take(&mut self.limits);
        limits.clear();
        let Member { velocity, wish, .. } = self.members[member as usize];
        // Nobody is shot out of a gap that closes, faster than anybody was.
        let mut fastest = velocity.length_squared().max(wish.length_squared());
        for at in self.links_of(member) {
            let number = self.links[at] as usize;
            let near = &self.near[number];
            let side = usize::from(near.members[1] == member);
            let other = self.members.get(near.members[1 - side] as usize);
            if other.is_some_and(|other| other.state != State::IsSettled) {
                continue;
            }
            let direction = [near.normal, -near.normal][side];
            let others = self.velocity(near, 1 - side);
            fastest = fastest.max(others.length_squared());
            let limit = Limit {
                direction,
                most: others.dot(direction) + near.gap,
            };
            self.near[number].is_met |= limit.excess(velocity) > 0.0;
            limits.push(limit);
        }
        let nearest = nearest_within(velocity, fastest, &limits);
        let found = &mut self.members[member as usize];
        found.is_free &= nearest.is_some();
        if let Some(velocity) = nearest {
            let turns_back = velocity.dot(wish) < 0.0 && wish != Vec2::ZERO;
            let is_pushed = velocity.length_squared() > wish.length_squared();
            // A slide does not lead back.
            let stops = turns_back && !is_pushed && limits.iter().all(|it| it.holds(Vec2::ZERO));
            found.velocity = if stops { Vec2::ZERO } else { velocity };
        }
        self.limits = limits;
    }
}

/// The nearest velocity that is within all limits and whose square is no more than this, if there is one: this one, or the foot of it on one of the limits, or where two of them meet.
pub(super) fn nearest_within(velocity: Vec2, fastest: f32, limits: &[Limit]) -> Option<Vec2> {
    if limits.iter().all(|limit| limit.excess(velocity) <= 0.0) {
        return Some(velocity);
    }
    let mut best: Option<(f32, Vec2)> = None;
    let mut offer = |candidate: Vec2| {
        let distance = candidate.distance_squared(velocity);
        if best.is_none_or(|(least, _)| distance < least)
            && candidate.length_squared() <= fastest
            && limits.iter().all(|limit| limit.holds(candidate))
        {
            best = Some((distance, candidate));
        }
    };
    for (number, one) in limits.iter().enumerate() {
        let excess = one.excess(velocity);
        if excess > 0.0 {
            offer(velocity - one.direction * excess);
        }
        for other in &limits[number + 1..] {
            let cross = one.direction.perp_dot(other.direction);
            if cross.abs() > ROUNDING {
                let along = other.direction * one.most - one.direction * other.most;
                offer(-along.perp() / cross);
            }
        }
    }
    best.map(|(_, velocity)| velocity)
}
