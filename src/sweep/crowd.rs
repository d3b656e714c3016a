//! A crowd whose bodies press each other: all that are near each other are stopped at once, and not hit by hit.
//!
//! ```text
//! a few times, there and back: two that come together share what they have
//! next comes a member all of whose neighbors in front have settled:                                                  (settle)
//!     of all velocities that lead into none of these, it takes the nearest to its own, if it gains enough by that,   (limit)
//!     or if others press it to make way
//! where two come together all the same, since one has found no such velocity, those in front first:                  (stand)
//!     the member takes the nearest velocity that leads into none in front of it, and into none that stands
//!     if there is none, or the member gains too little by it, it stands
//! ```
//!
//! With hits alone, each takes back a part of what the last one did, without end. By sharing, each body gets its part in where the crowd goes as a whole; one pass from the front to the back then leaves little that leads into
//! anything. In front is the body on the side to which two of them press together: the floor of a heap, the player in the middle of many enemies.

use std::{cmp::Reverse, collections::BinaryHeap};

use bevy::math::Vec2;

use super::limit::Limit;
use crate::lists::Lists;

mod settle;
mod stand;

/// The number of times that velocities are shared through all pairs, there and back.
const SHARES: usize = 4;

/// A member that progresses by less than this part of its wish would only be led around in the crowd, and stands instead.
const LEAST_GAIN: f32 = 0.02;

/// A body in a crowd.
#[derive(Clone, Copy, Debug)]
pub(super) struct CrowdMember {
    /// In world units a tick.
    pub(super) velocity: Vec2,
    /// The velocity with which it began.
    wish: Vec2,
    inverse_mass: f32,
    /// Whether the crowd's bodies want to go to one place, or past each other: then it makes way for those that progress. Otherwise it lies in a heap, in which all fall alike, and which would never come to rest that way.
    is_driven: bool,
    state: State,
    /// The number of members in front of it that have not settled.
    in_front: u32,
    /// The number of members that had settled before it did.
    settled_after: u32,
    /// How often it has changed its velocity since.
    changes: u32,
    /// It is to check its velocity again.
    is_called: bool,
    /// The number of the last walk to the front that has met it.
    walk: u32,
    /// As far as is known, nothing near is in the way of its velocity.
    pub(super) is_free: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// Other members come first.
    Waits,
    IsReady,
    IsSettled,
    /// It goes nowhere, and all others have to mind it.
    Stands,
}

/// Two bodies that are near each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    /// The second one is [`NONE`](super::agent::NONE) if it gives no way.
    pub(super) members: [u32; 2],
    /// From the first to the second.
    pub(super) normal: Vec2,
    /// How far they may approach each other in the tick.
    pub(super) gap: f32,
    /// The velocity of the second one, if that gives no way.
    pub(super) velocity: Vec2,
    /// Whether one has stopped the other.
    pub(super) is_met: bool,
}

/// All crowds of a tick, with their buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Crowd {
    members: Vec<CrowdMember>,
    near: Vec<Near>,
    /// For each member, the numbers of those in `near` that it is in.
    links: Lists<u32>,
    ready: Vec<u32>,
    /// Members that are to check their velocities again; the one that settled first is on top.
    called: BinaryHeap<Reverse<(u32, u32)>>,
    limits: Vec<Limit>,
}

impl CrowdMember {
    pub(super) fn new(velocity: Vec2, inverse_mass: f32, is_driven: bool) -> Self {
        Self {
            velocity,
            wish: velocity,
            inverse_mass,
            is_driven,
            state: State::Waits,
            in_front: 0,
            settled_after: 0,
            changes: 0,
            is_called: false,
            walk: 0,
            is_free: true,
        }
    }

    /// Whether it progresses enough with this velocity. One without a wish does so with any.
    fn gains(&self, velocity: Vec2) -> bool {
        velocity.dot(self.wish) >= self.wish.length_squared() * LEAST_GAIN
    }

    /// Whether its velocity is not the one with which it began.
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

    /// Adds a member. Its number is the count of members before.
    pub(super) fn add(&mut self, member: CrowdMember) {
        self.members.push(member);
    }

    pub(super) fn add_near(&mut self, near: Near) {
        self.near.push(near);
    }

    /// Notes that something is near a member that the crowd does not know of. Does nothing if `member` is none.
    pub(super) fn watch(&mut self, member: u32) {
        if let Some(member) = self.members.get_mut(member as usize) {
            member.is_free = false;
        }
    }

    /// Yields the members in the order in which they were added.
    pub(super) fn members(&self) -> impl Iterator<Item = &CrowdMember> {
        self.members.iter()
    }

    /// Yields the pairs that are near each other, in the order in which they were added.
    pub(super) fn near(&self) -> impl Iterator<Item = &Near> {
        self.near.iter()
    }

    /// Gives all members velocities that lead into nothing near them, as far as there are such velocities.
    pub(super) fn press(&mut self) {
        for _ in 0..SHARES {
            (0..self.near.len()).for_each(|near| self.share(near));
            (0..self.near.len()).rev().for_each(|near| self.share(near));
        }
        self.link();
        self.settle();
        self.stand();
        for number in 0..self.near.len() {
            let near = self.near[number];
            if self.comes_together(&near) {
                near.members.into_iter().for_each(|one| self.watch(one));
            }
        }
    }

    /// Returns the velocity of one of the two.
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
}

#[cfg(test)]
mod tests {
    use super::{super::agent::NONE, *};

    fn near(one: u32, other: u32, normal: Vec2) -> Near {
        Near {
            members: [one, other],
            normal,
            gap: 0.0,
            velocity: Vec2::ZERO,
            is_met: false,
        }
    }

    /// Returns the velocities of bodies, given by velocity and mass, after they have pressed each other; and which pairs met.
    fn pressed(members: &[(Vec2, f32)], near: &[Near]) -> (Vec<Vec2>, Vec<bool>) {
        let mut crowd = Crowd::default();
        for &(velocity, mass) in members {
            crowd.add(CrowdMember::new(velocity, mass.recip(), true));
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
        // Together they have a momentum of 3, of which each of the four ends up with about as much. It is shared a few times only, which loses 2 %.
        let sum: Vec2 = velocities.iter().sum();
        assert!((2.9..=3.0).contains(&sum.x), "{velocities:?}");
        for velocity in velocities {
            assert!((0.65..=0.75).contains(&velocity.x), "{velocity}");
            assert_eq!(velocity.y, 0.0);
        }
    }

    /// Each is behind the next one, around a ring: none is in front of all.
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

    /// Two walls close in from both sides: no velocity helps the member between them, and those that press it from above stop.
    #[test]
    fn who_is_squeezed_stands_and_looks_out() {
        let members = [(Vec2::ZERO, 1.0), (Vec2::NEG_Y, 1.0), (Vec2::NEG_Y, 1.0)];
        let wall = |normal: Vec2| Near {
            velocity: -normal,
            ..near(0, NONE, normal)
        };
        let all = [
            near(1, 0, Vec2::NEG_Y),
            near(2, 1, Vec2::NEG_Y),
            wall(Vec2::X),
            wall(Vec2::NEG_X),
        ];
        let mut crowd = Crowd::default();
        for (velocity, mass) in members {
            crowd.add(CrowdMember::new(velocity, mass, true));
        }
        all.into_iter().for_each(|near| crowd.add_near(near));
        crowd.press();
        let after = crowd.members().map(|one| (one.velocity, one.is_free));
        let expected = [false, true, true].map(|is_free| (Vec2::ZERO, is_free));
        assert_eq!(after.collect::<Vec<_>>(), expected);
        assert!(crowd.near().all(|near| near.is_met));
    }

    /// A lift pushes both to the left, against their wish.
    #[test]
    fn who_is_pushed_by_what_gives_no_way_goes_along() {
        let mut crowd = Crowd::default();
        for wish in [Vec2::X, Vec2::X] {
            crowd.add(CrowdMember::new(wish, 1.0, true));
        }
        crowd.add_near(Near {
            velocity: Vec2::new(-0.5, 0.0),
            ..near(0, NONE, Vec2::X)
        });
        crowd.add_near(near(1, 0, Vec2::X));
        crowd.press();
        for member in crowd.members() {
            assert_eq!(member.velocity, Vec2::new(-0.5, 0.0));
            assert!(member.is_free);
        }
    }

    #[test]
    fn nobody_is_led_into_anybody() {
        let mut random = fastrand::Rng::with_seed(9);
        let (mut met, mut standing) = (0, 0);
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
                crowd.add(CrowdMember::new(velocity, mass.recip(), true));
            }
            all.iter().for_each(|near| crowd.add_near(*near));
            crowd.press();
            for near in crowd.near() {
                let [one, other] = near.members.map(|number| crowd.members[number as usize]);
                let closing = (one.velocity - other.velocity).dot(near.normal);
                assert!(closing < 1.0e-4, "{closing} in case {case}");
                met += u32::from(near.is_met);
            }
            assert!(crowd.members().all(|member| member.is_free));
            let stands = |member: &&CrowdMember| member.state == State::Stands;
            standing += crowd.members().filter(stands).count();
        }
        assert!(met > 1000 && standing > 0, "{met} met, {standing} stand");
    }
}
