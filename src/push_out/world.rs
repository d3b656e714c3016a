//! What the push-out works on: the members, which are the colliders that take part, numbered anew.

mod sizes;
mod meets;

use bevy::math::Vec2;

pub(super) use self::sizes::{Size, bounds_of};
use super::{
    districts::Districts,
    surroundings::{NONE, Surroundings},
};
use crate::{
    broad_phase::Extent,
    kernel::{Outline, Shape},
    placed::{FLUSH, Rank, STANDING_DEPTH, compare_outlines, compare_places, extent_at, parts_of},
    prefetch::prefetch,
};

/// After the first round overlaps up to this depth are left alone, in world units. Ten times finer than what the crate promises.
pub(super) const TOLERANCE: f32 = 1.0e-3;
/// An overlap of less than this is as good as free, in world units: what the crate promises.
pub(super) const FREE: f32 = STANDING_DEPTH;
/// Gap up to which one collider leans on another, in world units; far away, up to the rounding there. Searches need no more room for that, since the boxes of both are rounded outwards by about as much.
pub(super) const LEANING: f32 = FLUSH;
/// How far a body may be put to be free, in half sizes: twice its size.
pub(super) const NEAR_BY: f32 = 4.0;
/// While the members of a pair are entered, the memory for the pair this many places ahead is prefetched.
const AHEAD: usize = 4;
/// The time before any body has moved.
pub(super) const FIRST_TIME: u32 = 1;

/// A collider that takes part: the data that is read most often, in half a cache line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    center: Vec2,
    /// A point for a room.
    shape: Shape,
    /// The number of its body: that of the member in the body's own slot.
    body: u32,
    /// Of its body, like the rank.
    pub(super) inverse_mass: f32,
    rank: Rank,
    is_room: bool,
}

impl Member {
    /// A point for a room.
    #[inline]
    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    /// 0 for a room.
    pub(super) fn half_extents(&self) -> Vec2 {
        self.shape.half_extents()
    }
}

/// How two members are to be parted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Push {
    /// The numbers of both, first the one that came from the lesser place.
    pub(super) pair: (u32, u32),
    /// Unit vector from the first to the second.
    pub(super) normal: Vec2,
    pub(super) depth: f32,
}

impl Push {
    /// Returns the other member of the pair, and the direction to it.
    pub(super) fn seen_from(&self, member: u32) -> (u32, Vec2) {
        if self.pair.0 == member {
            (self.pair.1, self.normal)
        } else {
            (self.pair.0, -self.normal)
        }
    }
}

/// A box in which a body may have met others, and the slot of the body.
pub(super) type Look = (Extent, u32);

/// The members, numbered in the order in which they came in: so those that are close to each other are close in memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Members {
    /// By number, like the next five.
    all: Vec<Member>,
    slots: Vec<u32>,
    /// Of bodies only.
    positions: Vec<Vec2>,
    /// From the position of a body to the center of its collider.
    offsets: Vec<Vec2>,
    /// The centers before any body was moved.
    origins: Vec<Vec2>,
    /// The time of a body's last move, or 0 if it has not moved.
    moved_at: Vec<u32>,
    /// By slot: the number of its member, or [`NONE`].
    number_of: Vec<u32>,
    /// Bodies that have been moved since the overlaps were last updated.
    unasked: Vec<u32>,
    /// Bodies that have ever been moved, and their first positions.
    moved: Vec<(u32, Vec2)>,
    /// Slots of dynamic bodies to which a body of another district has come.
    hosts: Vec<u32>,
    /// Of bodies: the number of its look, or [`NONE`].
    look_of: Vec<u32>,
    /// Where colliders were searched for away from home, and the slot of the body that may meet them; one box for each body.
    looks: Vec<Look>,
    /// Increases whenever the overlaps are updated.
    time: u32,
}

impl Members {
    /// Starts without members, in a world with this many slots.
    fn start(&mut self, slots: u32) {
        self.all.clear();
        self.positions.clear();
        self.offsets.clear();
        self.origins.clear();
        self.moved_at.clear();
        self.look_of.clear();
        for slot in self.slots.drain(..) {
            self.number_of[slot as usize] = NONE;
        }
        self.number_of.resize(slots as usize, NONE);
        self.unasked.clear();
        self.moved.clear();
        self.hosts.clear();
        self.looks.clear();
        self.time = FIRST_TIME;
    }
}

/// The members, and the world around them.
pub(super) struct World<'a> {
    members: &'a mut Members,
    pub(super) outside: &'a dyn Surroundings,
    /// Slots of bodies, each with the slot of a collider that is not in its body's slot; sorted.
    parts: &'a [(u32, u32)],
    /// `None` if the whole world is one problem.
    districts: Option<&'a Districts>,
}

impl<'a> World<'a> {
    /// Starts without members.
    pub(super) fn new(
        members: &'a mut Members,
        outside: &'a dyn Surroundings,
        districts: Option<&'a Districts>,
    ) -> Self {
        members.start(outside.slots());
        Self {
            members,
            outside,
            parts: outside.parts(),
            districts,
        }
    }

    /// Returns the slots of dynamic bodies to which a body of another district has come.
    pub(super) fn hosts(&self) -> &[u32] {
        &self.members.hosts
    }

    /// Returns where colliders were searched for away from home.
    pub(super) fn looks(&self) -> &[Look] {
        &self.members.looks
    }

    /// Notes that the colliders that are in a box, or may come there, were searched for, since `member` may meet them; and which bodies of other districts are among those found.
    pub(super) fn note_look(&mut self, member: u32, extent: &Extent, found: &[u32]) {
        let Some(districts) = self.districts else {
            return;
        };
        let number = self.body(member);
        let body = self.slot(number);
        let Members { look_of, looks, .. } = &mut *self.members;
        match looks.get_mut(look_of[number as usize] as usize) {
            Some((all, _)) => *all = all.union(extent),
            None => {
                look_of[number as usize] = looks.len() as u32;
                looks.push((*extent, body));
            }
        }
        let own = districts.district(body);
        let bodies = found
            .iter()
            .filter_map(|&slot| self.outside.dynamic_body(slot));
        let hosts = bodies.filter(|&other| districts.district(other) != own);
        self.members.hosts.extend(hosts);
    }

    /// Makes the collider in a slot a member, and its body too, unless they are members already; returns the number of the collider.
    #[inline]
    pub(super) fn enter(&mut self, slot: u32) -> u32 {
        match self.members.number_of[slot as usize] {
            NONE => self.enter_new(slot),
            known => known,
        }
    }

    /// Prefetches the memory for a slot that will soon be made a member.
    #[inline]
    pub(super) fn prefetch(&self, slot: u32) {
        prefetch(&self.members.number_of, slot as usize);
        self.outside.prefetch(slot);
    }

    /// Prefetches the memory for the pair of slots that comes a few places after this one.
    #[inline]
    pub(super) fn prefetch_ahead(&self, pairs: &[(u32, u32)], at: usize) {
        if let Some(&(a, b)) = pairs.get(at + AHEAD) {
            self.prefetch(a);
            self.prefetch(b);
        }
    }

    fn enter_new(&mut self, slot: u32) -> u32 {
        let mut placed = *self.outside.placed(slot);
        let body_state = *self.outside.body_state(placed.body);
        let its_own = placed.body == slot;
        if its_own
            && body_state.rank == Rank::Dynamic
            && let Some((shape, middle)) = self.around_parts(slot)
        {
            placed.outline = Outline::Shape(shape);
            placed.offset = middle;
        }
        let body = if its_own {
            NONE
        } else {
            self.enter(placed.body)
        };
        let members = &mut *self.members;
        let number = members.slots.len() as u32;
        let body = if its_own { number } else { body };
        let position = if its_own {
            body_state.position
        } else {
            members.positions[body as usize]
        };
        let (shape, is_room) = match placed.outline {
            Outline::Shape(shape) => (shape, false),
            Outline::Bounds(_) => (Shape::POINT, true),
        };
        members.number_of[slot as usize] = number;
        members.slots.push(slot);
        members.positions.push(body_state.position);
        members.offsets.push(placed.offset);
        members.origins.push(body_state.position + placed.offset);
        members.moved_at.push(0);
        members.look_of.push(NONE);
        members.all.push(Member {
            center: position + placed.offset,
            shape,
            body,
            inverse_mass: body_state.inverse_mass,
            rank: body_state.rank,
            is_room,
        });
        number
    }

    /// Whether any body has colliders besides its own.
    #[inline]
    pub(super) fn has_parts(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Returns the slots of all solid colliders of a body, which need not be members yet.
    pub(super) fn slots_of(&self, body: u32) -> impl Iterator<Item = u32> + Clone + use<'a> {
        let slot = self.slot(body);
        let parts = self.parts_of(slot);
        let own = (parts.is_empty() || !self.outside.is_sensor(slot)).then_some(slot);
        own.into_iter().chain(parts.iter().map(|(_, part)| *part))
    }

    /// Calls `found` with every firm collider of rank `lowest` or above between two corners, and perhaps with some that are not there; never with rooms.
    pub(super) fn find_firm(
        &mut self,
        lowest: Rank,
        (min, max): (Vec2, Vec2),
        mut found: impl FnMut(&mut Self, u32),
    ) {
        let extent = Extent {
            min: min.to_array(),
            max: max.to_array(),
        };
        let outside = self.outside;
        outside.find_firm(lowest, &extent, &mut |slot| {
            let member = self.enter(slot);
            found(self, member);
        });
    }

    /// Returns the colliders of a body in other slots than its own, each after the slot of the body.
    fn parts_of(&self, slot: u32) -> &'a [(u32, u32)] {
        match self.parts {
            [] => &[],
            parts => parts_of(parts, slot),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.members.slots.len()
    }

    #[inline]
    pub(super) fn slot(&self, number: u32) -> u32 {
        self.members.slots[number as usize]
    }

    /// Returns both, first the one that came from the lesser place: if they come to lie in one place, that one counts as the left one, whichever has the lower slot. If they began in one place, their outlines decide, and only between equal outlines do the slots.
    #[inline]
    pub(super) fn in_order(&self, a: u32, b: u32) -> (u32, u32) {
        let order = compare_places(self.origin(a), self.origin(b))
            .then_with(|| compare_outlines(self.outline(a), self.outline(b)))
            .then_with(|| self.slot(a).cmp(&self.slot(b)));
        if order.is_le() { (a, b) } else { (b, a) }
    }

    /// Returns both members of a pair, first the collider of the given body.
    #[inline]
    pub(super) fn own_first(&self, body: u32, (a, b): (u32, u32)) -> (u32, u32) {
        if self.body(a) == body { (a, b) } else { (b, a) }
    }

    /// Returns the dynamic member of a pair first, then the other one. Two dynamics stay in their order.
    #[inline]
    pub(super) fn moving_first(&self, (a, b): (u32, u32)) -> (u32, u32) {
        if self.rank(a) == Rank::Dynamic {
            (a, b)
        } else {
            (b, a)
        }
    }

    /// Whether one of two members is firm: not dynamic.
    #[inline]
    pub(super) fn is_against_firm(&self, (a, b): (u32, u32)) -> bool {
        self.rank(a).max(self.rank(b)) >= Rank::Kinematic
    }

    /// Whether one of two members is static.
    #[inline]
    pub(super) fn is_against_static(&self, (a, b): (u32, u32)) -> bool {
        self.rank(a).max(self.rank(b)) == Rank::Static
    }

    /// Returns the center of a collider before any body was moved.
    #[inline]
    pub(super) fn origin(&self, number: u32) -> Vec2 {
        self.members.origins[number as usize]
    }

    #[inline]
    pub(super) fn may_push(&self, a: u32, b: u32) -> bool {
        self.outside.may_push(self.slot(a), self.slot(b))
    }

    #[inline(always)]
    pub(super) fn member(&self, number: u32) -> &Member {
        &self.members.all[number as usize]
    }

    pub(super) fn outline(&self, number: u32) -> Outline {
        let member = self.member(number);
        if member.is_room {
            self.outside.placed(self.slot(number)).outline
        } else {
            Outline::Shape(member.shape)
        }
    }

    /// Returns the outline of `other` as it is to `who`: of a one-way room, not all walls are solid.
    pub(super) fn outline_for(&self, who: u32, other: u32) -> Outline {
        if self.is_room(other) {
            self.outside.outline_for(self.slot(who), self.slot(other))
        } else {
            self.outline(other)
        }
    }

    #[inline]
    pub(super) fn is_room(&self, number: u32) -> bool {
        self.member(number).is_room
    }

    #[inline]
    pub(super) fn body(&self, number: u32) -> u32 {
        self.member(number).body
    }

    /// Returns the rank of its body.
    #[inline]
    pub(super) fn rank(&self, number: u32) -> Rank {
        self.member(number).rank
    }

    /// Returns the position of its body.
    #[inline]
    pub(super) fn position(&self, number: u32) -> Vec2 {
        self.members.positions[self.body(number) as usize]
    }

    /// Returns the center of its body's own collider. If the own slot pushes nothing: the center of the box around the body's colliders if the body is dynamic, else the position of the body.
    #[inline]
    pub(super) fn middle(&self, number: u32) -> Vec2 {
        self.center(self.body(number))
    }

    /// Returns the positions of all bodies; the entries of the other members mean nothing.
    pub(super) fn positions(&self) -> &[Vec2] {
        &self.members.positions
    }

    #[inline]
    pub(super) fn center(&self, number: u32) -> Vec2 {
        self.member(number).center
    }

    /// Returns the box around a collider, enlarged by `reach`, as if its body were at `position`; `None` for a room.
    pub(super) fn extent_at(&self, number: u32, position: Vec2, reach: f32) -> Option<Extent> {
        let member = self.member(number);
        let center = position + self.offset(number);
        (!member.is_room).then(|| extent_at(member.shape, center, reach))
    }

    /// Returns the offset of a collider's center from the position of its body.
    #[inline]
    pub(super) fn offset(&self, number: u32) -> Vec2 {
        self.members.offsets[number as usize]
    }

    #[inline]
    pub(super) fn time(&self) -> u32 {
        self.members.time
    }

    /// Whether one of the two has been moved since this time.
    #[inline]
    pub(super) fn has_moved_since(&self, time: u32, (a, b): (u32, u32)) -> bool {
        let moved_at = |number| self.members.moved_at[self.body(number) as usize];
        moved_at(a).max(moved_at(b)) >= time
    }

    /// Replaces `bodies` by those that have been moved since time last passed, and lets time pass.
    pub(super) fn take_unasked(&mut self, bodies: &mut Vec<u32>) {
        bodies.clear();
        std::mem::swap(bodies, &mut self.members.unasked);
        self.members.time += 1;
    }

    /// Returns the bodies that have been moved since time last passed.
    pub(super) fn unasked(&self) -> &[u32] {
        &self.members.unasked
    }

    /// Adds the slots of the bodies that have moved, and their new positions.
    pub(super) fn write_moved(&self, moved: &mut Vec<(u32, Vec2)>) {
        for &(body, from) in &self.members.moved {
            let position = self.position(body);
            if position != from {
                moved.push((self.slot(body), position));
            }
        }
    }

    /// Moves a body to a position, with all its colliders.
    #[inline]
    pub(super) fn move_to(&mut self, body: u32, position: Vec2) {
        let Members {
            all,
            slots,
            positions,
            offsets,
            origins: _,
            moved_at,
            number_of,
            unasked,
            moved,
            hosts: _,
            look_of: _,
            looks: _,
            time,
        } = self.members;
        let moved_at = &mut moved_at[body as usize];
        if *moved_at == 0 {
            moved.push((body, positions[body as usize]));
        }
        if *moved_at != *time {
            *moved_at = *time;
            unasked.push(body);
        }
        positions[body as usize] = position;
        all[body as usize].center = position + offsets[body as usize];
        if !self.parts.is_empty() {
            let slot = slots[body as usize];
            for &(_, part) in parts_of(self.parts, slot) {
                let number = number_of[part as usize];
                if number != NONE {
                    all[number as usize].center = position + offsets[number as usize];
                }
            }
        }
    }
}
