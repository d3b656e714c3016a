//! The broad phase over the colliders: what may collide where, kept from tick to tick.

use bevy::{ecs::prelude::Resource, math::Vec2};

use super::{colliders::Colliders, rules::Party, slots::SlotSet};
use crate::{
    broad_phase::{BroadPhase, Extent},
    kernel::{Outline, Shape, Touching, contact},
    placed::{Meeting, meet_at},
    push_out::StillColliders,
};

/// The broad phase is told anew of what stands still when more of it has changed than this ...
const LOOSE: usize = 32;
/// ... and than one in so many. Until then, what has changed goes with what moves.
const LOOSE_PART: usize = 8;

/// Buffers that are kept from tick to tick, and what the broad phase knows of the still colliders. All of it follows from the colliders; it
/// changes how long an answer takes, and not the answer.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Candidates {
    broad_phase: BroadPhase<Candidate>,
    /// By slot: whether the broad phase has it among the still ones, as it is now.
    is_settled: Vec<bool>,
    /// Still colliders that are not settled.
    loose: SlotSet,
    settled: usize,
    /// How many of those that the broad phase has are not as they were.
    stale: usize,
}

/// What the broad phase carries with each box.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    shape: Shape,
    center: Vec2,
    slot: u32,
    party: Party,
    /// It stands still, and is among the boxes that the broad phase keeps.
    is_settled: bool,
}

impl Candidates {
    /// Follows the changes among the still colliders.
    pub(crate) fn settle(&mut self, colliders: &mut Colliders) {
        self.is_settled.resize(colliders.placed.len(), false);
        for slot in colliders.still_changed.drain(..) {
            let slot = slot as usize;
            self.stale += usize::from(std::mem::take(&mut self.is_settled[slot]));
            self.loose.set(slot, colliders.still.contains(slot));
        }
        let changed = self.loose.members().len() + self.stale;
        if changed > LOOSE + self.settled / LOOSE_PART {
            let still = colliders.still.members();
            let boxes = still.iter().map(|&slot| candidate(colliders, slot, true));
            self.broad_phase.set_still(boxes);
            still
                .iter()
                .for_each(|&slot| self.is_settled[slot as usize] = true);
            self.loose.clear();
            self.stale = 0;
            self.settled = still.len();
        }
    }

    pub(crate) fn find(
        &mut self,
        colliders: &Colliders,
        touching: Touching,
        found: &mut Vec<Meeting>,
    ) {
        let Self {
            broad_phase,
            is_settled,
            loose,
            ..
        } = self;
        let moving = colliders.moving.members().iter().chain(loose.members());
        let moving = moving.map(|&slot| candidate(colliders, slot, false));
        let meet = |one: &Candidate, other: &Candidate| {
            let is_gone = other.is_settled && !is_settled[other.slot as usize];
            if is_gone
                || !one.party.may_collide(&other.party)
                || !touching.meets(one.shape, other.shape, other.center - one.center)
            {
                return None;
            }
            let (a, b) = if one.slot < other.slot {
                (one, other)
            } else {
                (other, one)
            };
            let slots = (a.slot, b.slot);
            meet_at(slots, (a.shape, a.center), (b.shape, b.center), contact)
        };
        broad_phase.find(moving, meet, found);
    }
}

#[inline]
fn candidate(colliders: &Colliders, slot: u32, is_settled: bool) -> (Extent, Candidate) {
    let placed = &colliders.placed[slot as usize];
    let shape = match placed.outline {
        Outline::Shape(shape) => shape,
        // Rooms are kept apart.
        Outline::Bounds(_) => Shape::POINT,
    };
    let candidate = Candidate {
        shape,
        center: placed.center(&colliders.movers),
        slot,
        party: Party::new(colliders, slot as usize),
        is_settled,
    };
    (placed.extent(&colliders.movers, 0.0), candidate)
}

/// A look at the still colliders as the last detection left them.
pub(crate) struct Still<'a> {
    pub(crate) candidates: &'a Candidates,
    pub(crate) colliders: &'a Colliders,
}

impl StillColliders for Still<'_> {
    fn find_near(&self, extent: &Extent, found: &mut dyn FnMut(u32)) {
        let Candidates {
            broad_phase,
            is_settled,
            loose,
            ..
        } = self.candidates;
        broad_phase.query_still(extent, |candidate| {
            if is_settled[candidate.slot as usize] {
                found(candidate.slot);
            }
        });
        let (placed, movers) = (&self.colliders.placed, &self.colliders.movers);
        for &slot in loose.members() {
            if placed[slot as usize].extent(movers, 0.0).meets(extent) {
                found(slot);
            }
        }
    }
}
