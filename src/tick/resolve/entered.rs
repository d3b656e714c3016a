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
        if passable.members().is_empty() && !filters.are_any() {
            return;
        }
        self.list_pushed(colliders, bodies);
        let is_pushed = |slot: usize| {
            let body = colliders.placed[slot].body as usize;
            self.pushed.contains(body)
        };
        // A filter may let anybody pass.
        let is_open = |a: usize, b: usize| {
            passable.contains(a) || passable.contains(b) || !filters.allow_stop(colliders, a, b)
        };
        let are_pushed_fewer = self.colliders.len() <= passable.members().len();
        let lookers = if are_pushed_fewer || filters.are_any() {
            &self.colliders
        } else {
            passable.members()
        };
        self.met.clear();
        for &slot in lookers {
            look_around(colliders, candidates, slot, |other| {
                let pair = (slot as usize, other as usize);
                if !(is_pushed(pair.0) || is_pushed(pair.1))
                    || !may_collide(colliders, pair.0, pair.1)
                    || !is_open(pair.0, pair.1)
                {
                    return;
                }
                let find = |a: Outline, b, offset| {
                    let contact = a.contact(b, offset, touching)?;
                    Some((contact, true))
                };
                let slots = (slot.min(other), slot.max(other));
                let seen = see(&colliders.placed, &colliders.movers, slots, find);
                let seen = seen.filter(|_| filters.allow(colliders, pair.0, pair.1));
                self.met.extend(seen.map(|seen| seen.meeting));
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
    own: u32,
    mut found: impl FnMut(u32),
) {
    let placed = &colliders.placed[own as usize];
    let mut others = |other: u32| {
        if other != own {
            found(other);
        }
    };
    if let Outline::Bounds(_) = placed.outline {
        // A room is a candidate for everything.
        colliders.moving.members().iter().copied().for_each(others);
    } else {
        let here = placed.extent(&colliders.movers, 0.0);
        let _ = candidates.around(colliders, &here, |seen| {
            others(seen.slot() as u32);
            ControlFlow::Continue(())
        });
    }
}
