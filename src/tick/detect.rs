//! Broad phase and kernel: which slots collide.

use bevy::{
    ecs::{
        prelude::{Res, ResMut},
        system::Local,
    },
    math::Vec2,
};

use crate::{
    broad_phase::{BroadPhase, Extent},
    kernel::{Outline, Shape, contact},
    placed::{Meeting, meet, meet_at},
    settings::CollisionSettings,
    state::{
        colliders::Colliders,
        contacts::Contacts,
        rules::{Party, may_collide},
        slots::SlotSet,
    },
};

/// The broad phase is told anew of what stands still when more of it has changed than this ...
const LOOSE: usize = 32;
/// ... and than one in so many. Until then, what has changed goes with what moves.
const LOOSE_PART: usize = 8;

/// Buffers that are kept from tick to tick, and what the broad phase knows of the still colliders. All of it follows from the colliders; it
/// changes how long an answer takes, and not the answer.
#[derive(Debug, Default)]
pub(crate) struct Detection {
    broad_phase: BroadPhase<Candidate>,
    /// By slot: whether the broad phase has it among the still ones, as it is now.
    is_settled: Vec<bool>,
    /// Still colliders that are not settled.
    loose: SlotSet,
    settled: usize,
    /// How many of those that the broad phase has are not as they were.
    stale: usize,
    resting: Vec<Meeting>,
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

/// Fills `Contacts::found` with every pair that collides where it is now, and with what has only just let go.
pub(crate) fn detect_contacts(
    mut colliders: ResMut<Colliders>,
    settings: Res<CollisionSettings>,
    mut contacts: ResMut<Contacts>,
    mut detection: Local<Detection>,
) {
    detection.settle(&mut colliders);
    contacts.found.clear();
    detection.find(&colliders, &settings, &mut contacts.found);
    find_in_rooms(&colliders, &settings, &mut contacts.found);
    contacts.sort_found(colliders.placed.len());
    keep_resting(&colliders, &settings, &mut contacts, &mut detection.resting);
}

impl Detection {
    /// Follows the changes among the still colliders.
    fn settle(&mut self, colliders: &mut Colliders) {
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

    fn find(
        &mut self,
        colliders: &Colliders,
        settings: &CollisionSettings,
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
        let touching = settings.touching;
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

/// A room is solid everywhere else, so it is a candidate for everything; two rooms never collide.
fn find_in_rooms(colliders: &Colliders, settings: &CollisionSettings, found: &mut Vec<Meeting>) {
    for &room in colliders.rooms.members() {
        let others = [&colliders.moving, &colliders.still];
        for &other in others.iter().flat_map(|list| list.members()) {
            let slots = (room.min(other), room.max(other));
            let met = meet(
                &colliders.placed,
                &colliders.movers,
                slots,
                |a, b, offset| a.contact(b, offset, settings.touching),
            );
            found.extend(met.filter(|_| may_collide(colliders, room as usize, other as usize)));
        }
    }
}

/// Adds the pairs of the last tick that are apart by no more than the margin, so that resting contacts do not flicker.
fn keep_resting(
    colliders: &Colliders,
    settings: &CollisionSettings,
    contacts: &mut Contacts,
    resting: &mut Vec<Meeting>,
) {
    // Of NaN and 0, `max` takes the 0.
    let margin = settings.margin.max(0.0);
    if margin == 0.0 {
        return;
    }
    resting.clear();
    let mut found = contacts.found.iter().map(|found| found.slots).peekable();
    // Until `report` makes the new contacts current, the current ones are those of the last tick.
    for last in &contacts.current {
        while found.next_if(|slots| *slots < last.slots).is_some() {}
        if found.next_if(|slots| *slots == last.slots).is_some() {
            continue;
        }
        let near = meet(
            &colliders.placed,
            &colliders.movers,
            last.slots,
            |a, b, offset| a.contact_within(b, offset, margin),
        );
        // Asked last, for most have gone apart. A slot that was given back is still where it was.
        resting.extend(near.filter(|_| {
            let (a, b) = (last.slots.0 as usize, last.slots.1 as usize);
            last.is_between(colliders.traits[a].entity, colliders.traits[b].entity)
                && may_collide(colliders, a, b)
        }));
    }
    contacts.add_found(resting, colliders.placed.len());
}
