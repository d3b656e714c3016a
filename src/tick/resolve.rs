//! Contacts into corrections, and those into `Transform`s.

use bevy::ecs::{
    prelude::{Res, ResMut},
    system::Local,
};

use crate::{
    placed::{Mover, Rank},
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
    mut pushed: Local<Vec<Mover>>,
) {
    contacts.stuck.clear();
    colliders.drift = 0.0;
    if colliders.pushable.members().is_empty() {
        return;
    }
    let overlapping = contacts.found.iter().any(|found| {
        let (a, b) = found.slots;
        found.depth > 0.0 && may_push(&colliders, a as usize, b as usize)
    });
    if !overlapping {
        return;
    }

    pushed.clone_from(&colliders.movers);
    let still = Still {
        candidates: &candidates,
        colliders: &colliders,
    };
    let outcome = push_out.run(
        &mut pushed,
        &colliders.placed,
        &still,
        |a, b| may_push(&colliders, a, b),
        settings.push_out_rounds,
    );
    contacts.add_found(outcome.met());
    contacts.stuck.extend_from_slice(outcome.stuck);

    for &slot in outcome.moved {
        let slot = slot as usize;
        let mover = &pushed[slot];
        let from = colliders.movers[slot].position;
        if mover.rank != Rank::Dynamic || mover.position == from {
            continue;
        }
        colliders.movers[slot] = *mover;
        let way = (mover.position - from).abs().max_element();
        colliders.drift = colliders.drift.max(way);
        let body = colliders.entities[slot];
        places.move_to(body, from, mover.position);
    }
}
