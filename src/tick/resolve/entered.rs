//! What bodies were pushed into that pushes nobody: sensors, above all. What is solid the push-out has met itself.

use std::ops::ControlFlow;

use crate::{
    components::Response,
    filters::Verdict,
    kernel::{Outline, Touching},
    placed::{Meeting, meet},
    state::{
        candidates::Candidates,
        colliders::Colliders,
        rules::{are_solid, may_collide},
        slots::SlotSet,
        stage::Stage,
        verdicts::Filters,
    },
};

/// What may be entered is asked one by one, and not looked for, if it is no more than so many.
const FEW: usize = 8;
/// Boxes that are apart by no more than this may be of two that touch, but for rounding.
const MARGIN: f32 = 1.0e-2;

/// Buffers for a tick.
#[derive(Debug, Default)]
pub(crate) struct Entered {
    pushed: SlotSet,
    /// Colliders of pushed bodies, each once.
    colliders: Vec<u32>,
    met: Vec<Meeting>,
    /// Those of them that a filter lets pass each other, and nothing else.
    let_pass: Vec<(u32, u32)>,
}

impl Entered {
    /// Adds the contacts of pushed bodies with what they may be in. `bodies` are the slots of those that were pushed, and are where they were pushed.
    pub(super) fn tell(
        &mut self,
        stage: &mut Stage,
        filters: &Filters,
        touching: Touching,
        bodies: impl Iterator<Item = u32>,
    ) {
        let Stage {
            colliders,
            candidates,
            contacts,
            ..
        } = stage;
        let passable = &colliders.passable;
        if passable.members().is_empty() && !filters.are_any() {
            return;
        }
        self.list_pushed(colliders, bodies);
        self.met.clear();
        for &own in &self.colliders {
            // Whom nothing pushes meets whatever is there; and a filter may let anybody pass.
            let meets_all = passable.contains(own as usize) || filters.are_any();
            look_around(colliders, candidates, own, meets_all, |other| {
                let is_passable = [own, other]
                    .iter()
                    .any(|&slot| passable.contains(slot as usize));
                if other == own || !(is_passable || filters.are_any()) {
                    return;
                }
                let (a, b) = (own.min(other), own.max(other));
                let (slot_a, slot_b) = (a as usize, b as usize);
                if !may_collide(colliders, slot_a, slot_b) {
                    return;
                }
                let find = |a: Outline, b, offset| a.contact(b, offset, touching);
                let Some(meeting) = meet(&colliders.placed, &colliders.movers, (a, b), find) else {
                    return;
                };
                // Filters are asked about who meets, and about nobody else.
                let passes = match filters.verdict(colliders, slot_a, slot_b) {
                    Some((Verdict::Ignore, _)) => return,
                    Some((Verdict::Respond(Response::Pass), _)) => true,
                    _ => false,
                };
                if passes && are_solid(colliders, slot_a, slot_b) {
                    self.let_pass.push((a, b));
                }
                if passes || is_passable {
                    self.met.push(meeting);
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

/// Calls `found` with the slot of whoever may meet a collider where it is now: of all, or at least of all that may be entered.
fn look_around(
    colliders: &Colliders,
    candidates: &Candidates,
    own: u32,
    meets_all: bool,
    mut found: impl FnMut(u32),
) {
    let placed = &colliders.placed[own as usize];
    let is_room = matches!(placed.outline, Outline::Bounds(_));
    let passable = colliders.passable.members();
    if !meets_all && (is_room || passable.len() <= FEW) {
        passable.iter().copied().for_each(found);
    } else if is_room {
        // A room is a candidate for everything.
        let others = [&colliders.moving, &colliders.still].into_iter();
        others
            .flat_map(|list| list.members().iter().copied())
            .for_each(found);
    } else {
        let here = placed.extent(&colliders.movers, MARGIN);
        let _ = candidates.around(colliders, &here, |seen| {
            let other = &colliders.placed[seen.slot()];
            // Where it is now: some look far around for those who were pushed.
            let is_room = matches!(other.outline, Outline::Bounds(_));
            if is_room || other.extent(&colliders.movers, 0.0).meets(&here) {
                found(seen.slot() as u32);
            }
            ControlFlow::Continue(())
        });
    }
}
