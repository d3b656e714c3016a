//! The broad phase over the colliders: what may collide where, kept from tick to tick.

use bevy::ecs::prelude::Resource;

use self::{
    candidate::{ManyCandidates, Reach},
    meet::MeetCandidates,
};
use super::{colliders::Colliders, resting::Resting, slots::SlotSet};
#[cfg(feature = "debug")]
use crate::broad_phase::Strips;
use crate::{
    broad_phase::{BroadPhase, Found},
    kernel::Touching,
    placed::Sighting,
};

mod candidate;
mod meet;
mod looks;
mod around;

pub(crate) use around::{Around, Still};
pub(crate) use candidate::Candidate;
pub(crate) use looks::Seen;

/// The broad phase is told anew of what stands still when more of it has changed than this ...
const LOOSE: usize = 32;
/// ... and than one in so many. Until then, what has changed goes with what moves.
const LOOSE_PART: usize = 8;

/// Buffers that are kept from tick to tick, and what the broad phase knows of the still colliders. All of it follows from the colliders; it
/// changes how long an answer takes, and not the answer.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Candidates {
    broad_phase: BroadPhase<Candidate>,
    found: Found<Sighting>,
    /// By slot: whether the broad phase has it among the still ones, as it is now.
    is_settled: Vec<bool>,
    /// Still colliders that are not settled.
    loose: SlotSet,
    /// Those that were when the broad phase was last asked for pairs: to whoever asks before the next time, they are where they were then.
    lately: SlotSet,
    settled: usize,
    /// How many of those that the broad phase has are not as they were.
    stale: usize,
    /// It has been told of all that stands still since it was last asked for pairs: some of that it has among what moves, too.
    is_told_anew: bool,
    /// How far around what can be pushed detection looks for those who may come to push it, in world units; 0 if it does not.
    near_reach: f32,
}

impl Candidates {
    /// Follows the changes among the still colliders.
    pub(crate) fn settle(&mut self, colliders: &mut Colliders) {
        self.is_settled.resize(colliders.placed.len(), false);
        for slot in colliders.still_changed.drain(..) {
            let slot = slot as usize;
            if std::mem::take(&mut self.is_settled[slot]) {
                self.stale += 1;
                self.lately.insert(slot);
            }
            self.loose.set(slot, colliders.still.contains(slot));
        }
        let changed = self.loose.members().len() + self.stale;
        if changed > LOOSE + self.settled / LOOSE_PART {
            let still = colliders.still.members();
            self.broad_phase.set_still_of(&ManyCandidates {
                colliders,
                slots: [still, &[]],
                reach: None,
            });
            still
                .iter()
                .for_each(|&slot| self.is_settled[slot as usize] = true);
            self.loose.clear();
            self.stale = 0;
            self.settled = still.len();
            self.is_told_anew = true;
        }
    }

    /// From now on detection looks for who is near each other, too: for all pairs of which one can be pushed and that may touch if those that can go this far. 0 if nobody wants to know.
    pub(crate) fn look_around(&mut self, reach: f32) {
        self.near_reach = reach;
    }

    /// Whether it does.
    pub(crate) fn looks_around(&self) -> bool {
        self.near_reach > 0.0
    }

    /// All pairs that collide, those that are apart by no more than the margin, and those that are near each other if that is wanted, in no order that means anything; rooms are for others to ask.
    pub(crate) fn find(
        &mut self,
        colliders: &Colliders,
        touching: Touching,
        margin: f32,
    ) -> &Found<Sighting> {
        let Self {
            broad_phase,
            found,
            is_settled,
            loose,
            lately,
            near_reach,
            is_told_anew,
            ..
        } = self;
        lately.clear();
        *is_told_anew = false;
        let (moving, loose) = (colliders.moving.members(), loose.members());
        let candidates = ManyCandidates {
            colliders,
            slots: [moving, loose],
            reach: Some(Reach {
                margin,
                of_pushable: near_reach.max(margin),
            }),
        };
        let meet = MeetCandidates {
            colliders,
            is_settled,
            touching,
            margin,
            far: Resting::far(touching, margin),
            are_near_wanted: *near_reach > 0.0,
        };
        broad_phase.find_of(&candidates, meet, found);
        found
    }

    /// What the last detection found, near each other in the list if near in space; rooms are not among them.
    pub(crate) fn sightings(&self) -> impl Iterator<Item = &Sighting> + Clone {
        self.found.iter()
    }

    /// The strips of the broad phase: those of what moves, and those of what stands still.
    #[cfg(feature = "debug")]
    pub(crate) fn strips(&self) -> (impl Iterator<Item = Strips>, impl Iterator<Item = Strips>) {
        let Self { broad_phase, .. } = self;
        (broad_phase.moving().strips(), broad_phase.still().strips())
    }

    /// Whether one is what the broad phase was told of. What stood still may have changed since.
    #[inline(always)]
    fn is_known(&self, candidate: &Candidate) -> bool {
        self.stale == 0 || !candidate.is_settled || self.is_settled[candidate.slot as usize]
    }
}
