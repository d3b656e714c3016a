//! What the push-out looks at, and the ways in which it moves things.

use bevy::math::Vec2;

use super::moved::Moved;
use crate::{
    broad_phase::Extent,
    kernel::{Outline, Touching},
    placed::{Meeting, Mover, Placed, meet},
};

/// After the first round overlaps up to this are let be, in world units. Ten times finer than what the crate promises.
pub(super) const TOLERANCE: f32 = 1.0e-3;
/// Gap up to which one thing leans on another.
pub(super) const LEANING: f32 = 1.0e-3;
/// How far a body may be put to be free, in half sizes: twice its size.
pub(super) const NEAR_BY: f32 = 4.0;

/// All bodies and colliders.
pub(super) struct World<'a> {
    pub(super) movers: &'a mut [Mover],
    pub(super) placed: &'a [Placed],
    /// Who has been moved.
    pub(super) moved: &'a mut Moved,
    /// The colliders of static bodies, which stay where they are.
    pub(super) still: &'a dyn StillColliders,
}

/// Finds colliders of static bodies. Whoever detects has them sorted already, and of a large level few matter.
pub(crate) trait StillColliders {
    /// Calls `found` with the slot of each whose box meets this one, and perhaps with some others; not with rooms.
    fn find_near(&self, extent: &Extent, found: &mut dyn FnMut(u32));
}

impl World<'_> {
    pub(super) fn positions(&self) -> impl Iterator<Item = Vec2> {
        self.movers.iter().map(|mover| mover.position)
    }

    #[inline]
    pub(super) fn center(&self, slot: usize) -> Vec2 {
        self.placed[slot].center(self.movers)
    }

    #[inline]
    pub(super) fn mover(&self, slot: usize) -> Mover {
        self.movers[self.placed[slot].body as usize]
    }

    /// How the pair meets, if it is apart by at most `margin`.
    #[inline]
    pub(super) fn meeting_within(&self, pair: (u32, u32), margin: f32) -> Option<Meeting> {
        if self.is_apart(pair, margin) {
            return None;
        }
        meet(self.placed, self.movers, pair, |a, b, offset| {
            a.contact_within(b, offset, margin)
        })
    }

    /// How the pair overlaps now, if it does.
    #[inline]
    pub(super) fn overlap(&self, pair: (u32, u32)) -> Option<Meeting> {
        if self.is_apart(pair, 0.0) {
            return None;
        }
        meet(self.placed, self.movers, pair, |a, b, offset| {
            a.contact(b, offset, Touching::Ignored)
                .filter(|contact| contact.depth > 0.0)
        })
    }

    /// Whether two shapes are more than `margin` apart on one axis alone, as most are that are asked about.
    #[inline(always)]
    fn is_apart(&self, (a, b): (u32, u32), margin: f32) -> bool {
        let [a, b] = [a, b].map(|slot| &self.placed[slot as usize]);
        let (Outline::Shape(one), Outline::Shape(other)) = (a.outline, b.outline) else {
            return false;
        };
        let sum = one.sum(other);
        let beyond = (b.center(self.movers) - a.center(self.movers)).abs() - sum.half_size();
        beyond.max_element() > sum.radius() + margin
    }

    /// How far apart neighbouring `f32` are where these two lie, times a few: less can't be pushed.
    #[inline]
    pub(super) fn rounding(&self, (a, b): (u32, u32)) -> f32 {
        let largest = self
            .center(a as usize)
            .abs()
            .max(self.center(b as usize).abs());
        largest.max_element() * (4.0 * f32::EPSILON)
    }

    /// The smaller and the larger half extent of a collider; 0 for a room.
    pub(super) fn half_extents(&self, slot: usize) -> (f32, f32) {
        match self.placed[slot].outline {
            Outline::Shape(shape) => {
                let half = shape.half_extents();
                (half.min_element(), half.max_element())
            }
            Outline::Bounds(_) => (0.0, 0.0),
        }
    }

    #[inline]
    pub(super) fn shift(&mut self, slot: usize, by: Vec2) {
        let body = self.placed[slot].body;
        self.movers[body as usize].position += by;
        self.moved.add(body);
    }

    /// Parts two bodies by `distance` along `direction`, the second one's way, each by its share of the masses.
    pub(super) fn share(&mut self, (a, b): (u32, u32), direction: Vec2, distance: f32) {
        let (a, b) = (a as usize, b as usize);
        let (light_a, light_b) = (self.mover(a).inverse_mass, self.mover(b).inverse_mass);
        let push = direction * (distance / (light_a + light_b));
        self.shift(a, -push * light_a);
        self.shift(b, push * light_b);
    }

    /// The axis across the normal of a pair, turned from the first to the second, and how far apart they have to go on it to be free.
    pub(super) fn way_past(&self, meeting: &Meeting) -> (Vec2, f32) {
        let (a, b) = (meeting.slots.0 as usize, meeting.slots.1 as usize);
        let offset = self.center(b) - self.center(a);
        let axis = if meeting.normal.x.abs() >= meeting.normal.y.abs() {
            Vec2::Y
        } else {
            Vec2::X
        };
        let along = offset.dot(axis);
        let direction = if along < 0.0 { -axis } else { axis };
        // To where their outer boxes part. Round corners would part a little earlier.
        let distance = match (self.placed[a].outline, self.placed[b].outline) {
            (Outline::Shape(one), Outline::Shape(other)) => {
                one.sum(other).half_extents().dot(axis) - along.abs()
            }
            _ => 0.0,
        };
        (direction, distance)
    }

    /// Moves the body of a collider so that the collider's centre is there.
    pub(super) fn place(&mut self, slot: usize, center: Vec2) {
        let placed = &self.placed[slot];
        self.moved.add(placed.body);
        let position = &mut self.movers[placed.body as usize].position;
        // Untouched axes keep their bits.
        let moves = center.cmpne(*position + placed.offset);
        *position = Vec2::select(moves, center - placed.offset, *position);
    }

    /// The same to a place that may be far away.
    pub(super) fn jump(&mut self, slot: usize, center: Vec2) {
        self.place(slot, center);
        self.moved.jumped.push(self.placed[slot].body);
    }

    /// Moves one collider out of another, which stays.
    pub(super) fn free(&mut self, moving: usize, fixed: usize) {
        let (center, anchor) = (self.center(moving), self.center(fixed));
        let freed = match (self.placed[moving].outline, self.placed[fixed].outline) {
            (Outline::Shape(shape), Outline::Bounds(half_size)) => {
                let room = (half_size - shape.half_extents()).max(Vec2::ZERO);
                center.clamp(anchor - room, anchor + room)
            }
            (own, other) => {
                let pair = (moving.min(fixed) as u32, moving.max(fixed) as u32);
                let Some(overlap) = self.overlap(pair) else {
                    return;
                };
                let out = if moving > fixed {
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
