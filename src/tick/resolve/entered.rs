//! Contacts that a push caused with colliders that push nothing back: sensors above all. Those with solid colliders were found by the push-out itself.

use std::ops::ControlFlow;

use crate::{
    components::Response,
    filters::Verdict,
    kernel::Outline,
    placed::{Meeting, SlotPair, pair_of},
    settings::CollisionSettings,
    state::{
        candidates::Candidates,
        colliders::Colliders,
        resting::Resting,
        rules::{are_solid, may_collide},
        slots::SlotSet,
        tick_state::TickState,
        verdicts::Filters,
    },
};

/// If no more than this many colliders can be entered, each of them is tested, and the broad phase is not asked.
const FEW_PASSABLE: usize = 8;

/// Buffers for a tick.
#[derive(Debug, Default)]
pub(crate) struct Entered {
    pushed: SlotSet,
    /// Colliders of the pushed bodies, each once.
    colliders: Vec<u32>,
    met: Vec<Meeting>,
    /// Solid pairs of these that pass each other only because of a filter.
    let_pass: Vec<SlotPair>,
}

impl Entered {
    /// Adds the contacts of pushed bodies with colliders that they may be in. `bodies` are the slots of the pushed bodies, which are at their new positions already.
    pub(super) fn tell(
        &mut self,
        state: &mut TickState,
        filters: &Filters,
        settings: &CollisionSettings,
        bodies: impl Iterator<Item = u32>,
    ) {
        let TickState {
            colliders,
            candidates,
            contacts,
            ..
        } = state;
        let colliders = &*colliders;
        let resting = Resting {
            colliders,
            touching: settings.touching,
            margin: settings.margin(),
        };
        let passable = &colliders.passable;
        if passable.members().is_empty() && filters.is_empty() {
            return;
        }
        self.list_pushed(colliders, bodies);
        self.met.clear();
        for &own in &self.colliders {
            // A collider that nothing pushes meets whatever is there; and a filter may let any pair pass.
            let meets_all = passable.contains(own as usize) || !filters.is_empty();
            look_around(&resting, candidates, own, meets_all, |other| {
                let is_passable = [own, other]
                    .iter()
                    .any(|&slot| passable.contains(slot as usize));
                if other == own || !is_passable && filters.is_empty() {
                    return;
                }
                let (a, b) = pair_of(own, other);
                let (slot_a, slot_b) = (a as usize, b as usize);
                if !may_collide(colliders, slot_a, slot_b) {
                    return;
                }
                // As in detection: a push that leads back to where a contact rests does not end it.
                let have_met = || contacts.between(slot_a, slot_b).is_some();
                let seen = resting.see((a, b));
                let Some(seen) = seen.filter(|seen| resting.counts(seen, have_met)) else {
                    return;
                };
                // Filters are asked only about pairs that meet.
                let passes = match filters.verdict(colliders, slot_a, slot_b) {
                    Verdict::Ignore => return,
                    Verdict::Respond(Response::Pass) => true,
                    Verdict::Collide | Verdict::Respond(_) => false,
                };
                if passes && are_solid(colliders, slot_a, slot_b) {
                    self.let_pass.push((a, b));
                }
                if passes || is_passable {
                    self.met.push(seen.meeting);
                }
            });
        }
        self.met.sort_unstable_by_key(|met| met.slots);
        self.met.dedup_by_key(|met| met.slots);
        contacts.add_found(self.met.iter().copied());
        contacts.add_let_pass(self.let_pass.drain(..));
    }

    fn list_pushed(&mut self, colliders: &Colliders, bodies: impl Iterator<Item = u32>) {
        self.pushed.clear();
        self.colliders.clear();
        for body in bodies {
            self.pushed.insert(body as usize);
            let lists = [&colliders.moving, &colliders.rooms];
            if lists.iter().any(|list| list.contains(body as usize)) {
                self.colliders.push(body);
            }
        }
        let parts = colliders.parts.members().iter();
        let is_part_of_pushed = |slot: &&u32| {
            let body = colliders.placed[**slot as usize].body;
            self.pushed.contains(body as usize)
        };
        self.colliders.extend(parts.filter(is_part_of_pushed));
    }
}

/// Calls `found` with the slots of the colliders that `own` may meet at its position now: all of them, or at least all that can be entered.
fn look_around(
    resting: &Resting,
    candidates: &Candidates,
    own: u32,
    meets_all: bool,
    mut found: impl FnMut(u32),
) {
    let colliders = resting.colliders;
    let placed = &colliders.placed[own as usize];
    let is_room = matches!(placed.outline, Outline::Bounds(_));
    let passable = colliders.passable.members();
    if !meets_all && (is_room || passable.len() <= FEW_PASSABLE) {
        passable.iter().copied().for_each(found);
    } else if is_room {
        // A room may meet everything.
        let others = [&colliders.moving, &colliders.still].into_iter();
        others
            .flat_map(|list| list.members().iter().copied())
            .for_each(found);
    } else {
        let here = placed.extent(&colliders.body_states, resting.reach());
        let _ = candidates.around(colliders, &here, |seen| {
            let other = &colliders.placed[seen.slot()];
            // Test where the other one is now: the broad phase looks farther around for colliders that were pushed.
            let is_room = matches!(other.outline, Outline::Bounds(_));
            if is_room || other.extent(&colliders.body_states, 0.0).meets(&here) {
                found(seen.slot() as u32);
            }
            ControlFlow::Continue(())
        });
    }
}
