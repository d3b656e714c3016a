//! What the push-out looks at, and the ways in which it moves things.

use bevy::math::Vec2;

use crate::{
    broad_phase::Extent,
    kernel::{Outline, Touching},
    placed::{Meeting, Mover, Placed, Rank, meet},
};

/// After the first round overlaps up to this are let be, in world units. Ten times finer than what the crate promises.
pub(super) const TOLERANCE: f32 = 1.0e-3;
/// Gap up to which one thing leans on another.
pub(super) const LEANING: f32 = 1.0e-3;
/// How far a body may be put to be free, in half sizes: twice its size.
pub(super) const NEAR_BY: f32 = 4.0;
/// No number.
pub(super) const NONE: u32 = u32::MAX;

/// Finds colliders of static bodies. Whoever detects has them sorted already, and of a large level few matter.
pub(crate) trait StillColliders {
    /// Calls `found` with the slot of each whose box meets this one, and perhaps with some others; not with rooms.
    fn find_near(&self, extent: &Extent, found: &mut dyn FnMut(u32));
}

/// Everything around, where detection saw it. It stays as it is while the push-out runs.
pub(crate) trait Surroundings: StillColliders {
    /// How many slots there are.
    fn slots(&self) -> u32;
    /// The collider in a slot.
    fn placed(&self, slot: u32) -> &Placed;
    /// The body in a slot.
    fn mover(&self, slot: u32) -> &Mover;
    /// Whether two colliders push each other.
    fn may_push(&self, a: u32, b: u32) -> bool;
    /// [`StillColliders::find_near`] for the bodies that are not static.
    fn find_moving(&self, extent: &Extent, found: &mut dyn FnMut(u32));
    /// Colliders that are solid outside.
    fn rooms(&self) -> &[u32];
    /// Colliders of children.
    fn children(&self) -> &[u32];
}

/// Whoever takes part, numbered in the order in which they came in: so those who are close to each other are close in memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Members {
    /// By number; that of a body is the number of its own slot, as with the slots.
    movers: Vec<Mover>,
    placed: Vec<Placed>,
    slots: Vec<u32>,
    /// By number of a body: the time of its last move, or 0.
    moved_at: Vec<u32>,
    /// By slot.
    number_of: Vec<u32>,
    /// Body and slot of the colliders of children, sorted.
    children: Vec<(u32, u32)>,
    /// Bodies that have been moved since the overlaps were brought up to date.
    unasked: Vec<u32>,
    /// Bodies that have ever been moved.
    moved: Vec<u32>,
    /// Passes whenever the overlaps are brought up to date.
    time: u32,
}

/// The members, and everybody else.
pub(super) struct World<'a> {
    members: &'a mut Members,
    pub(super) outside: &'a dyn Surroundings,
}

impl<'a> World<'a> {
    /// Without members.
    pub(super) fn new(members: &'a mut Members, outside: &'a dyn Surroundings) -> Self {
        members.movers.clear();
        members.placed.clear();
        members.moved_at.clear();
        for slot in members.slots.drain(..) {
            members.number_of[slot as usize] = NONE;
        }
        members.number_of.resize(outside.slots() as usize, NONE);
        members.children.clear();
        let children = outside.children().iter();
        members
            .children
            .extend(children.map(|&slot| (outside.placed(slot).body, slot)));
        members.children.sort_unstable();
        members.unasked.clear();
        members.moved.clear();
        members.time = 1;
        Self { members, outside }
    }

    /// Makes the collider in a slot a member, if it is not, and its body; tells its number.
    #[inline]
    pub(super) fn enter(&mut self, slot: u32) -> u32 {
        match self.members.number_of[slot as usize] {
            NONE => self.enter_new(slot),
            known => known,
        }
    }

    fn enter_new(&mut self, slot: u32) -> u32 {
        let placed = self.outside.placed(slot);
        let its_own = placed.body == slot;
        let body = if its_own {
            NONE
        } else {
            self.enter(placed.body)
        };
        let number = self.members.slots.len() as u32;
        let body = if its_own { number } else { body };
        self.members.number_of[slot as usize] = number;
        self.members.slots.push(slot);
        self.members.placed.push(Placed { body, ..*placed });
        self.members.movers.push(*self.outside.mover(slot));
        self.members.moved_at.push(0);
        number
    }

    /// Adds all colliders of a body, which become members.
    pub(super) fn enter_colliders_of(&mut self, body: u32, colliders: &mut Vec<u32>) {
        colliders.push(body);
        if self.members.children.is_empty() {
            return;
        }
        let slot = self.slot(body);
        let children = &self.members.children;
        let mut next = children.partition_point(|child| child.0 < slot);
        while let Some(&(_, child)) = self
            .members
            .children
            .get(next)
            .filter(|child| child.0 == slot)
        {
            colliders.push(self.enter(child));
            next += 1;
        }
    }

    pub(super) fn count(&self) -> usize {
        self.members.slots.len()
    }

    #[inline]
    pub(super) fn slot(&self, number: u32) -> u32 {
        self.members.slots[number as usize]
    }

    /// Two numbers in the order of their slots, in which pairs are asked about.
    #[inline]
    pub(super) fn in_order(&self, a: u32, b: u32) -> (u32, u32) {
        if self.slot(a) <= self.slot(b) {
            (a, b)
        } else {
            (b, a)
        }
    }

    #[inline]
    pub(super) fn may_push(&self, a: u32, b: u32) -> bool {
        self.outside.may_push(self.slot(a), self.slot(b))
    }

    #[inline]
    pub(super) fn outline(&self, number: u32) -> Outline {
        self.members.placed[number as usize].outline
    }

    #[inline]
    pub(super) fn is_room(&self, number: u32) -> bool {
        self.members.placed[number as usize].is_bounds()
    }

    /// Of a collider, from its body.
    #[inline]
    pub(super) fn offset(&self, number: u32) -> Vec2 {
        self.members.placed[number as usize].offset
    }

    #[inline]
    pub(super) fn body(&self, number: u32) -> u32 {
        self.members.placed[number as usize].body
    }

    /// The body of a collider.
    #[inline]
    pub(super) fn mover(&self, number: u32) -> &Mover {
        &self.members.movers[self.body(number) as usize]
    }

    #[inline]
    pub(super) fn rank(&self, number: u32) -> Rank {
        self.mover(number).rank
    }

    #[inline]
    pub(super) fn center(&self, number: u32) -> Vec2 {
        self.members.placed[number as usize].center(&self.members.movers)
    }

    /// How the pair meets, if it is apart by at most `margin`.
    #[inline]
    pub(super) fn meeting_within(&self, pair: (u32, u32), margin: f32) -> Option<Meeting> {
        if self.are_apart(pair, margin) {
            return None;
        }
        let Members { placed, movers, .. } = &*self.members;
        meet(placed, movers, pair, |a, b, offset| {
            a.contact_within(b, offset, margin)
        })
    }

    /// How the pair overlaps now, if it does.
    #[inline]
    pub(super) fn overlap(&self, pair: (u32, u32)) -> Option<Meeting> {
        if self.are_apart(pair, 0.0) {
            return None;
        }
        let Members { placed, movers, .. } = &*self.members;
        meet(placed, movers, pair, |a, b, offset| {
            a.contact(b, offset, Touching::Ignored)
                .filter(|contact| contact.depth > 0.0)
        })
    }

    /// Whether two shapes are more than `margin` apart on one axis alone, as most are that are asked about.
    #[inline(always)]
    pub(super) fn are_apart(&self, (a, b): (u32, u32), margin: f32) -> bool {
        let (Outline::Shape(one), Outline::Shape(other)) = (self.outline(a), self.outline(b))
        else {
            return false;
        };
        let sum = one.sum(other);
        let beyond = (self.center(b) - self.center(a)).abs() - sum.half_size();
        beyond.max_element() > sum.radius() + margin
    }

    /// How far apart neighbouring `f32` are where these two lie, times a few: less can't be pushed.
    #[inline]
    pub(super) fn rounding(&self, (a, b): (u32, u32)) -> f32 {
        let largest = self.center(a).abs().max(self.center(b).abs());
        largest.max_element() * (4.0 * f32::EPSILON)
    }

    /// The smaller and the larger half extent of a collider; 0 for a room.
    pub(super) fn half_extents(&self, number: u32) -> (f32, f32) {
        match self.outline(number) {
            Outline::Shape(shape) => {
                let half = shape.half_extents();
                (half.min_element(), half.max_element())
            }
            Outline::Bounds(_) => (0.0, 0.0),
        }
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

    /// Bodies that have been moved since time last passed; and time passes.
    pub(super) fn take_unasked(&mut self, bodies: &mut Vec<u32>) {
        bodies.clear();
        std::mem::swap(bodies, &mut self.members.unasked);
        self.members.time += 1;
    }

    /// The same, while it does not pass.
    pub(super) fn unasked(&self) -> &[u32] {
        &self.members.unasked
    }

    /// Slots of the bodies that are not where they were, and where they are, sorted by slot.
    pub(super) fn write_moved(&self, moved: &mut Vec<(u32, Vec2)>) {
        moved.clear();
        let bodies = self.members.moved.iter();
        moved.extend(
            bodies
                .map(|&body| (self.slot(body), self.members.movers[body as usize].position))
                .filter(|(slot, position)| self.outside.mover(*slot).position != *position),
        );
        moved.sort_unstable_by_key(|(slot, _)| *slot);
    }

    /// Where a body is, and now somewhere else.
    #[inline]
    fn position_mut(&mut self, body: u32) -> &mut Vec2 {
        let Members {
            moved_at,
            unasked,
            moved,
            time,
            ..
        } = self.members;
        let moved_at = &mut moved_at[body as usize];
        if *moved_at == 0 {
            moved.push(body);
        }
        if *moved_at != *time {
            *moved_at = *time;
            unasked.push(body);
        }
        &mut self.members.movers[body as usize].position
    }

    #[inline]
    pub(super) fn shift(&mut self, number: u32, by: Vec2) {
        *self.position_mut(self.body(number)) += by;
    }

    /// Parts two bodies by `distance` along `direction`, the second one's way, each by its share of the masses.
    pub(super) fn share(&mut self, (a, b): (u32, u32), direction: Vec2, distance: f32) {
        let (light_a, light_b) = (self.mover(a).inverse_mass, self.mover(b).inverse_mass);
        let push = direction * (distance / (light_a + light_b));
        self.shift(a, -push * light_a);
        self.shift(b, push * light_b);
    }

    /// The axis across the normal of a pair, turned from the first to the second, and how far apart they have to go on it to be free.
    pub(super) fn way_past(&self, meeting: &Meeting) -> (Vec2, f32) {
        let (a, b) = meeting.slots;
        let offset = self.center(b) - self.center(a);
        let axis = if meeting.normal.x.abs() >= meeting.normal.y.abs() {
            Vec2::Y
        } else {
            Vec2::X
        };
        let along = offset.dot(axis);
        let direction = if along < 0.0 { -axis } else { axis };
        // To where their outer boxes part. Round corners would part a little earlier.
        let distance = match (self.outline(a), self.outline(b)) {
            (Outline::Shape(one), Outline::Shape(other)) => {
                one.sum(other).half_extents().dot(axis) - along.abs()
            }
            _ => 0.0,
        };
        (direction, distance)
    }

    /// Moves the body of a collider so that the collider's centre is there.
    pub(super) fn place(&mut self, number: u32, center: Vec2) {
        let Placed { offset, body, .. } = self.members.placed[number as usize];
        let position = self.position_mut(body);
        // Untouched axes keep their bits.
        let moves = center.cmpne(*position + offset);
        *position = Vec2::select(moves, center - offset, *position);
    }

    /// Moves one collider, which overlaps another, out of that one, which stays.
    pub(super) fn free(&mut self, moving: u32, fixed: u32, overlap: &Meeting) {
        let (center, anchor) = (self.center(moving), self.center(fixed));
        let freed = match (self.outline(moving), self.outline(fixed)) {
            (Outline::Shape(shape), Outline::Bounds(half_size)) => {
                let room = (half_size - shape.half_extents()).max(Vec2::ZERO);
                center.clamp(anchor - room, anchor + room)
            }
            (own, other) => {
                let out = if moving == overlap.slots.1 {
                    overlap.normal
                } else {
                    -overlap.normal
                };
                let along = out.cmpne(Vec2::ZERO);
                match (own, other) {
                    // Along an axis: the very coordinate at which the two touch, wherever it came from.
                    (Outline::Shape(own), Outline::Shape(other)) if !along.all() => {
                        let reach = own.sum(other).half_extents();
                        Vec2::select(along, anchor + out * reach, center)
                    }
                    _ => center + out * overlap.depth,
                }
            }
        };
        self.place(moving, freed);
    }
}
