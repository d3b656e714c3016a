//! Contacts into corrections, and those into `Transform`s.

use bevy::{
    ecs::{
        prelude::World,
        system::{Local, SystemState},
    },
    math::Vec2,
};
use tracing::debug_span;

use crate::{
    push_out::PushOut,
    settings::CollisionSettings,
    state::{
        candidates::{Around, Still},
        colliders::Colliders,
        pose::Places,
        rules::may_push,
        stage::{Filters, Stage},
    },
};

/// Pushes apart what overlaps, adds the contacts that pushing brought about, and writes what has moved.
pub(crate) fn resolve_contacts(
    world: &mut World,
    places: &mut SystemState<Places>,
    mut push_out: Local<PushOut>,
) {
    let _span = debug_span!("resolve").entered();
    Stage::run(world, |world, stage| {
        stage.contacts.stuck.clear();
        stage.contacts.pushed = 0;
        stage.colliders.drift = 0.0;
        let Some(moved) = part(world, stage, &mut push_out) else {
            return;
        };
        stage.contacts.pushed = moved.len();
        if let Ok(mut places) = places.get_mut(world) {
            write_places(&mut stage.colliders, moved, &mut places);
        }
    });
}

/// Finds out where everybody is when all are apart, and tells the slots of those who have to move for that; `None` if nobody is in anybody's way. Changes nothing in the world.
fn part<'a>(
    world: &World,
    stage: &mut Stage,
    push_out: &'a mut PushOut,
) -> Option<&'a [(u32, Vec2)]> {
    let Stage {
        colliders,
        candidates,
        contacts,
    } = stage;
    if colliders.pushable.members().is_empty() {
        return None;
    }
    let filters = Filters::new(world);
    let may_push = |a, b| may_push(colliders, a, b) && filters.allow_stop(colliders, a, b);
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
        .filter(|&(a, b)| may_push(a as usize, b as usize));
    overlapping.clone().next()?;
    let around = Around {
        still: Still {
            candidates,
            colliders,
        },
        may_push: &may_push,
    };
    let rounds = world.resource::<CollisionSettings>().push_out_rounds;
    let outcome = push_out.run(&around, overlapping, rounds);
    contacts.add_found(outcome.met());
    contacts.stuck.extend_from_slice(outcome.stuck);
    Some(outcome.moved)
}

/// Writes where the pushed bodies are now.
fn write_places(colliders: &mut Colliders, moved: &[(u32, Vec2)], places: &mut Places) {
    for &(slot, to) in moved {
        let slot = slot as usize;
        let from = std::mem::replace(&mut colliders.movers[slot].position, to);
        let way = (to - from).abs().max_element();
        colliders.drift = colliders.drift.max(way);
        places.move_to(colliders.entities[slot], from, to);
    }
}
