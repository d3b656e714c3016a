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
/// Who is pushed back by less than this part of his own speed stands.
const SHAKEN: f32 = 0.25;
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
        let mut is_pushed_back = false;
        let mut fastest = velocity.length_squared().max(wish.length_squared());
        for at in self.links_of(member) {
            let number = self.links[at] as usize;
            let near = &self.near[number];
            let side = usize::from(near.members[1] == member);
            let direction = [near.normal, -near.normal][side];
            let others = self.velocity(near, 1 - side);
            let other = self.members.get(near.members[1 - side] as usize);
            if other.is_some_and(|other| other.state != State::IsSettled) {
                is_pushed_back |= direction.dot(wish) > 0.0 && others.dot(direction) < -near.gap;
                continue;
            }
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
        if let Some(nearest) = nearest {
            // A slide does not lead back. But who is pushed back by those behind him goes back, if it is by more than a crowd is shaken.
            let is_shaken = nearest.length_squared() < wish.length_squared() * (SHAKEN * SHAKEN);
            let turns_back = nearest.dot(wish) < 0.0 && (is_shaken || !is_pushed_back);
            let stops = turns_back && limits.iter().all(|limit| limit.holds(Vec2::ZERO));
            found.velocity = if stops { Vec2::ZERO } else { nearest };
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

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: u32, other: u32, normal: Vec2) -> Near {
        Near {
            members: [one, other],
            normal,
            gap: 0.0,
            velocity: Vec2::ZERO,
            is_met: false,
        }
    }

    /// What is left of velocities, of bodies with masses, after they have pressed each other.
    fn pressed(members: &[(Vec2, f32)], near: &[Near]) -> (Vec<Vec2>, Vec<bool>) {
        let mut crowd = Crowd::default();
        for &(velocity, mass) in members {
            crowd.add(Member::new(velocity, mass.recip()));
        }
        near.iter().for_each(|one| crowd.add_near(*one));
        crowd.press();
        let velocities = crowd.members().map(|member| member.velocity);
        (
            velocities.collect(),
            crowd.near().map(|near| near.is_met).collect(),
        )
    }

    #[test]
    fn the_nearest_velocity_is_on_a_limit_or_in_a_corner() {
        let limit = |x: f32, y: f32, most: f32| Limit {
            direction: Vec2::new(x, y),
            most,
        };
        let (right, up, left) = (
            limit(1.0, 0.0, 0.0),
            limit(0.0, 1.0, 0.0),
            limit(-1.0, 0.0, 0.0),
        );
        let slope = limit(0.8, 0.6, 0.0);
        for (case, velocity, limits, expected) in [
            ("none", (1.0, 2.0), vec![], Some((1.0, 2.0))),
            ("behind", (-1.0, 2.0), vec![right], Some((-1.0, 2.0))),
            ("a wall", (1.0, 2.0), vec![right], Some((0.0, 2.0))),
            ("a corner", (1.0, 2.0), vec![right, up], Some((0.0, 0.0))),
            (
                "one of two",
                (1.0, -2.0),
                vec![right, up],
                Some((0.0, -2.0)),
            ),
            // Down the slope, by 1 * 0.6 of what was to the right.
            ("a slope", (1.0, 0.0), vec![slope], Some((0.36, -0.48))),
            ("a gap", (1.0, 2.0), vec![right, left], Some((0.0, 2.0))),
            (
                "pushed",
                (0.0, 0.5),
                vec![limit(1.0, 0.0, -0.25)],
                Some((-0.25, 0.5)),
            ),
            (
                "squeezed",
                (0.0, 1.0),
                vec![limit(1.0, 0.0, -0.5), limit(-1.0, 0.0, -0.5)],
                None,
            ),
            ("too fast", (1.0, 0.0), vec![limit(1.0, 0.0, -2.0)], None),
        ] {
            let velocity = Vec2::from(velocity);
            let found = nearest_within(velocity, velocity.length_squared().max(0.5), &limits);
            let is_near = match (found, expected.map(Vec2::from)) {
                (Some(found), Some(expected)) => found.distance(expected) < 1.0e-6,
                (found, expected) => found == expected,
            };
            assert!(is_near, "{case}: {found:?} and not {expected:?}");
        }
    }

    #[test]
    fn both_share_what_they_have_by_their_masses() {
        for (masses, expected) in [([1.0, 1.0], 0.0), ([3.0, 1.0], 0.5), ([1.0, 3.0], -0.5)] {
            let members = [(Vec2::X, masses[0]), (Vec2::NEG_X, masses[1])];
            let (velocities, are_met) = pressed(&members, &[near(0, 1, Vec2::X)]);
            assert_eq!(velocities, [Vec2::new(expected, 0.0); 2], "{masses:?}");
            assert_eq!(are_met, [true]);
        }
    }

    #[test]
    fn what_gives_no_way_comes_first() {
        // 2 lies on the floor and below 1, and 1 below 0; 3 touches 2 from the side, and goes away.
        let members = [0.0, 0.0, 0.0, 1.0].map(|x| (Vec2::new(x, -1.0), 1.0));
        let down = Vec2::NEG_Y;
        let all = [
            near(0, 1, down),
            near(1, 2, down),
            near(2, NONE, down),
            near(2, 3, Vec2::X),
        ];
        let (velocities, are_met) = pressed(&members, &all);
        assert_eq!(
            velocities,
            [Vec2::ZERO, Vec2::ZERO, Vec2::ZERO, Vec2::new(1.0, -1.0)]
        );
        assert_eq!(are_met, [true, true, true, false]);
    }

    #[test]
    fn a_few_push_what_stands_in_front_of_them() {
        let members = [1.0, 1.0, 1.0, 0.0].map(|x| (Vec2::new(x, 0.0), 1.0));
        let row = [0, 1, 2].map(|one| near(one, one + 1, Vec2::X));
        let (velocities, _) = pressed(&members, &row);
        // All in all they have 3, of which in the end each of the four gets as much.
        for velocity in velocities {
            assert!((0.65..=0.75).contains(&velocity.x), "{velocity}");
            assert_eq!(velocity.y, 0.0);
        }
    }

    /// Each behind the next one, around a ring: none is in front of all.
    #[test]
    fn a_ring_has_an_end_as_well() {
        let corners = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)].map(Vec2::from);
        let members = corners.map(|way| (way, 1.0));
        let around = |one: u32| near(one, (one + 1) % 4, corners[one as usize]);
        let (velocities, are_met) = pressed(&members, &[0, 1, 2, 3].map(around));
        assert_eq!(are_met, [true; 4]);
        for one in 0..4 {
            let closing = (velocities[one] - velocities[(one + 1) % 4]).dot(corners[one]);
            assert!(closing <= 1.0e-5, "{velocities:?}");
        }
    }

    #[test]
    fn nobody_is_led_into_anybody() {
        let mut random = fastrand::Rng::with_seed(9);
        let (mut met, mut wedged) = (0, 0);
        for case in 0..200 {
            let side = random.f32() * 20.0 + 2.0;
            let mut any = |from: f32, to: f32| from + (to - from) * random.f32();
            let places: Vec<Vec2> = (0..60)
                .map(|_| Vec2::new(any(0.0, side), any(0.0, side)))
                .collect();
            let members: Vec<(Vec2, f32)> = places
                .iter()
                .map(|place| {
                    let way = Vec2::splat(side * 0.5) - *place;
                    (way.clamp_length_max(any(0.0, 2.0)), any(0.5, 2.0))
                })
                .collect();
            let mut all = Vec::new();
            for (one, from) in (0..).zip(&places) {
                for (other, to) in (0..).zip(&places).skip(one as usize + 1) {
                    if from.distance(*to) < 2.0 {
                        all.push(near(one, other, (to - from).normalize_or(Vec2::X)));
                    }
                }
            }
            let mut crowd = Crowd::default();
            for &(velocity, mass) in &members {
                crowd.add(Member::new(velocity, mass.recip()));
            }
            all.iter().for_each(|near| crowd.add_near(*near));
            crowd.press();
            for near in crowd.near() {
                let [one, other] = near.members.map(|number| crowd.members[number as usize]);
                let closing = (one.velocity - other.velocity).dot(near.normal);
                // Who is wedged looks out for himself.
                let are_free = one.is_free && other.is_free;
                assert!(closing < 1.0e-4 || !are_free, "{closing} in case {case}");
                met += u32::from(near.is_met);
            }
            wedged += crowd.members().filter(|member| !member.is_free).count();
        }
        assert!(met > 1000 && wedged > 0, "{met} met, {wedged} wedged");
    }
}
