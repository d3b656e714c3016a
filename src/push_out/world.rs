//! Bodies and colliders as the push-out knows them, and the ways to move them.

use bevy::math::Vec2;

use crate::{
    broad_phase::Extent,
    kernel::{Contact, Outline},
};

/// Who has to give way: the lower one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    Dynamic,
    Kinematic,
    Static,
}

/// A body: what moves as one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mover {
    /// Of the body's own origin, in the world.
    pub(crate) position: Vec2,
    pub(crate) inverse_mass: f32,
    pub(crate) rank: Rank,
}

/// A collider on its body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placed {
    pub(crate) outline: Outline,
    /// Centre minus the position of the body.
    pub(crate) offset: Vec2,
    pub(crate) body: u32,
}

impl Placed {
    pub(crate) fn center(&self, movers: &[Mover]) -> Vec2 {
        movers[self.body as usize].position + self.offset
    }

    /// The box around the collider and `reach` beyond, rounded outwards. Empty for a room, which is not a box with an inside.
    ///
    /// Rounded, so that a pair that touches by the kernel, which rounds the difference of the centres, is never lost by its boxes, which
    /// round each edge.
    pub(crate) fn extent(&self, movers: &[Mover], reach: f32) -> Extent {
        let mover = &movers[self.body as usize];
        let moves = mover.rank != Rank::Static;
        let Outline::Shape(shape) = self.outline else {
            return Extent::empty();
        };
        let center = self.center(movers);
        let half = shape.half_extents() + reach;
        let half = half + (center.abs() + half) * (2.0 * f32::EPSILON);
        Extent {
            min: (center - half).to_array(),
            max: (center + half).to_array(),
            moves,
        }
    }
}

/// Everything that the push-out looks at.
pub(super) struct World<'a> {
    pub(super) movers: &'a mut [Mover],
    pub(super) placed: &'a [Placed],
}

impl World<'_> {
    pub(super) fn positions(&self) -> impl Iterator<Item = Vec2> {
        self.movers.iter().map(|mover| mover.position)
    }

    /// Slots of all rooms.
    pub(super) fn bounds(&self) -> impl Iterator<Item = usize> {
        let placed = self.placed;
        (0..placed.len()).filter(|&slot| matches!(placed[slot].outline, Outline::Bounds(_)))
    }

    pub(super) fn center(&self, slot: usize) -> Vec2 {
        self.placed[slot].center(self.movers)
    }

    pub(super) fn mover(&self, slot: usize) -> Mover {
        self.movers[self.placed[slot].body as usize]
    }

    pub(super) fn contact_within(&self, a: usize, b: usize, margin: f32) -> Option<Contact> {
        let offset = self.center(b) - self.center(a);
        let other = self.placed[b].outline;
        self.placed[a].outline.contact_within(other, offset, margin)
    }

    /// How far apart neighbouring `f32` are where these two lie, times a few: less can't be pushed.
    pub(super) fn rounding(&self, a: usize, b: usize) -> f32 {
        let largest = self.center(a).abs().max(self.center(b).abs());
        largest.max_element() * (4.0 * f32::EPSILON)
    }

    pub(super) fn shift(&mut self, slot: usize, by: Vec2) {
        self.movers[self.placed[slot].body as usize].position += by;
    }

    /// Moves the body of a collider so that the collider's centre is there.
    pub(super) fn place(&mut self, slot: usize, center: Vec2) {
        let placed = &self.placed[slot];
        let position = &mut self.movers[placed.body as usize].position;
        // Untouched axes keep their bits.
        let now = *position + placed.offset;
        let moves = center.cmpne(now);
        *position = Vec2::select(moves, center - placed.offset, *position);
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
                let Some(contact) = other.contact_within(own, center - anchor, 0.0) else {
                    return;
                };
                let along = contact.normal.cmpne(Vec2::ZERO);
                let pushed = center + contact.normal * contact.depth;
                match (own, other) {
                    // Along an axis: the very coordinate at which the two touch, wherever it came from.
                    (Outline::Shape(own), Outline::Shape(other)) if !along.all() => {
                        let reach = own.sum(other).half_extents();
                        Vec2::select(along, anchor + contact.normal * reach, center)
                    }
                    _ => pushed,
                }
            }
        };
        self.place(moving, freed);
    }
}
