//! What the broad phase stores of a collider.

use bevy::math::Vec2;

use crate::{
    broad_phase::{Boxes, Extent, HasExtent},
    kernel::{Outline, Shape},
    placed::{Located, Rank, extent_at},
    state::{colliders::Colliders, traits::ColliderFlags},
};

/// What the broad phase stores of a collider: mostly all that is needed to know whether two of them collide.
// Aligned, so that none lies across two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Candidate {
    pub(super) shape: Shape,
    pub(super) center: Vec2,
    /// How far from the surface other colliders still matter, in world units.
    reach: f32,
    pub(super) slot: u32,
    pub(super) flags: ColliderFlags,
    /// Its body is static, and the candidate is among the boxes that the broad phase keeps.
    pub(super) is_settled: bool,
}

const _: () = assert!(size_of::<Candidate>() == 32);

impl Candidate {
    /// Returns the shape and the center of the collider as of the last tick; `None` if the collider may have been pushed since the broad phase got it.
    #[inline(always)]
    pub(crate) fn place(&self, colliders: &Colliders) -> Option<(Shape, Vec2)> {
        (self.is_settled || colliders.drift.most() == 0.0).then_some((self.shape, self.center))
    }
}

impl Located for Candidate {
    #[inline(always)]
    fn slot(&self) -> u32 {
        self.slot
    }

    #[inline(always)]
    fn center(&self) -> Vec2 {
        self.center
    }

    #[inline(always)]
    fn outline(&self) -> Outline {
        Outline::Shape(self.shape)
    }
}

impl HasExtent for Candidate {
    #[inline(always)]
    fn extent(&self) -> Extent {
        extent_at(self.shape, self.center, self.reach)
    }
}

/// The candidates of some slots, made when they are read.
pub(super) struct ManyCandidates<'a> {
    pub(super) colliders: &'a Colliders,
    pub(super) slots: [&'a [u32]; 2],
    /// `None` for settled ones.
    pub(super) reach: Option<Reach>,
}

/// How far from the surface of a collider other colliders still matter, in world units.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    pub(super) of_others: f32,
    pub(super) of_pushable: f32,
}

impl Reach {
    #[inline(always)]
    fn of(&self, flags: ColliderFlags) -> f32 {
        let is_pushable = flags.rank() == Rank::Dynamic && !flags.is_sensor();
        if is_pushable {
            self.of_pushable
        } else {
            self.of_others
        }
    }
}

impl Boxes<Candidate> for ManyCandidates<'_> {
    fn count(&self) -> usize {
        self.slots.iter().map(|slots| slots.len()).sum()
    }

    #[inline(always)]
    fn at(&self, number: usize) -> Candidate {
        let [first, second] = self.slots;
        let slot = match first.get(number) {
            Some(slot) => *slot,
            None => second[number - first.len()],
        };
        read_candidate(self.colliders, slot, self.reach)
    }
}

#[inline(always)]
fn read_candidate(colliders: &Colliders, slot: u32, reach: Option<Reach>) -> Candidate {
    let placed = &colliders.placed[slot as usize];
    let shape = match placed.outline {
        Outline::Shape(shape) => shape,
        // Rooms are not in the broad phase.
        Outline::Bounds(_) => Shape::POINT,
    };
    let flags = colliders.flags[slot as usize];
    Candidate {
        shape,
        center: placed.center(&colliders.body_states),
        reach: reach.map_or(0.0, |reach| reach.of(flags)),
        slot,
        flags,
        is_settled: reach.is_none(),
    }
}
