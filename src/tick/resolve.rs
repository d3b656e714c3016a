//! Contacts into corrections, and those into `Transform`s.

use bevy::ecs::{
    prelude::{Res, ResMut},
    system::Local,
};

use crate::{
    push_out::PushOut,
    settings::CollisionSettings,
    state::{
        candidates::{Candidates, Still},
        colliders::Colliders,
        contacts::Contacts,
        pose::Places,
        rules::may_push,
    },
};

/// Pushes apart what overlaps, adds the contacts that pushing brought about, and writes what has moved.
pub(crate) fn resolve_contacts(
    mut colliders: ResMut<Colliders>,
    mut contacts: ResMut<Contacts>,
    candidates: Res<Candidates>,
    settings: Res<CollisionSettings>,
    mut places: Places,
    mut push_out: Local<PushOut>,
) {
    contacts.stuck.clear();
    colliders.moved.clear();
    if colliders.pushable.members().is_empty() {
        return;
    }
    let still = Still {
        candidates: &candidates,
        colliders: &colliders,
    };
    let found = contacts.found.iter();
    let in_rooms = found.filter(|_| !colliders.rooms.members().is_empty());
    let overlapping = candidates
        .sightings()
        .map(|seen| &seen.meeting)
        .chain(in_rooms.filter(|found| {
            let is_room = |slot: u32| colliders.rooms.contains(slot as usize);
            is_room(found.slots.0) || is_room(found.slots.1)
        }))
        .filter(|meeting| meeting.depth > 0.0)
        .map(|meeting| meeting.slots)
        .filter(|&(a, b)| may_push(&colliders, a as usize, b as usize));
    if overlapping.clone().next().is_none() {
        return;
    }
    let outcome = push_out.run(&still, overlapping, settings.push_out_rounds);
    contacts.add_found(outcome.met());
    contacts.stuck.extend_from_slice(outcome.stuck);

    for &(slot, to) in outcome.moved {
        let slot = slot as usize;
        let from = std::mem::replace(&mut colliders.movers[slot].position, to);
        colliders.moved.push(slot as u32);
        let body = colliders.entities[slot];
        places.move_to(body, from, to);
    }
    let Colliders {
        moved,
        children,
        placed,
        ..
    } = &mut *colliders;
    if !children.members().is_empty() {
        moved.sort_unstable();
        let bodies = moved.len();
        for &child in children.members() {
            let body = placed[child as usize].body;
            if moved[..bodies].binary_search(&body).is_ok() {
                moved.push(child);
            }
        }
    }
}
