//! What bodies were pushed into that pushes nobody: sensors, above all. What is solid the push-out has met itself.

use std::ops::ControlFlow;

use crate::{
    kernel::{Outline, Touching},
    placed::{Meeting, see},
    state::{
        candidates::Candidates,
        colliders::Colliders,
        rules::may_collide,
        slots::SlotSet,
        stage::{Filters, Stage},
    },
};

/// Buffers for a tick.
#[derive(Debug, Default)]
pub(crate) struct Entered {
    pushed: SlotSet,
    /// Colliders of pushed bodies.
    colliders: Vec<u32>,
    met: Vec<Meeting>,
}

impl Entered {
    /// Adds the contacts of pushed bodies with what they may be in. `bodies` are the slots of those that were pushed, and are where they were pushed.
    ///
    /// A look around each of the pushed, or around each that may be entered, whichever are fewer.
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
        } = stage;
        let passable = &colliders.passable;
        // A filter may let anybody pass.
        let is_any_passable = filters.are_any();
        if passable.members().is_empty() && !is_any_passable {
            return;
        }
        self.list_pushed(colliders, bodies);
        let is_pushed = |slot: usize| {
            let body = colliders.placed[slot].body as usize;
            self.pushed.contains(body)
        };
        let is_passable = |slot: usize| is_any_passable || passable.contains(slot);
        let are_pushed_fewer = self.colliders.len() <= passable.members().len();
        let lookers = if are_pushed_fewer || is_any_passable {
            &self.colliders
        } else {
            passable.members()
        };
        self.met.clear();
        for &slot in lookers {
            let own = slot as usize;
            look_around(colliders, candidates, own, |other| {
                let may_enter = (is_passable(own) || is_passable(other))
                    && (is_pushed(own) || is_pushed(other));
                if !may_enter || !may_collide(colliders, own, other) {
                    return;
                }
                let slots = (slot.min(other as u32), slot.max(other as u32));
                let find = |a: Outline, b, offset| {
                    let contact = a.contact(b, offset, touching)?;
                    Some((contact, true))
                };
                let seen = see(&colliders.placed, &colliders.movers, slots, find);
                self.met.extend(
                    seen.filter(|_| filters.allow(colliders, own, other))
                        .map(|seen| seen.meeting),
                );
            });
        }
        self.met.sort_unstable_by_key(|met| met.slots);
        self.met.dedup_by_key(|met| met.slots);
        contacts.add_found(self.met.iter().copied());
    }

    fn list_pushed(&mut self, colliders: &Colliders, bodies: impl Iterator<Item = u32>) {
        self.pushed.clear();
        self.colliders.clear();
        for body in bodies {
            self.pushed.insert(body as usize);
            if colliders.moving.contains(body as usize) {
                self.colliders.push(body);
            }
        }
        let children = colliders.children.members().iter();
        let is_pushed = |slot: &&u32| {
            let body = colliders.placed[**slot as usize].body as usize;
            self.pushed.contains(body)
        };
        self.colliders.extend(children.filter(is_pushed));
    }
}

/// Calls `found` with the slot of whoever may meet a collider where it is now.
fn look_around(
    colliders: &Colliders,
    candidates: &Candidates,
    own: usize,
    mut found: impl FnMut(usize),
) {
    let placed = &colliders.placed[own];
    let mut tell = |other: usize| {
        if other != own {
            found(other);
        }
    };
    if let Outline::Bounds(_) = placed.outline {
        // A room is a candidate for everything.
        colliders
            .moving
            .members()
            .iter()
            .for_each(|&other| tell(other as usize));
        return;
    }
    let here = placed.extent(&colliders.movers, 0.0);
    let _ = candidates.around(colliders, &here, |seen| {
        tell(seen.slot());
        ControlFlow::Continue(())
    });
}
