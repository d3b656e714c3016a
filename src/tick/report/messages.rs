//! The messages of a tick.

use bevy::ecs::{
    message::MessageWriter,
    prelude::ResMut,
    system::{Local, SystemParam},
};

use super::{compare::Changes, ended::Ends};
use crate::{
    messages::{Collision, CollisionEnded, CollisionStarted, Crushed, EndReason},
    push_out::Stuck,
    state::{
        colliders::{Colliders, entity_key},
        contacts::Contacts,
        news::News,
    },
};

/// Everything that is told.
#[derive(SystemParam)]
pub(crate) struct Writers<'w> {
    ongoing: MessageWriter<'w, Collision>,
    started: MessageWriter<'w, CollisionStarted>,
    ended: MessageWriter<'w, CollisionEnded>,
    crushed: MessageWriter<'w, Crushed>,
}

/// Writes the messages.
pub(crate) fn report_contacts(
    mut contacts: ResMut<Contacts>,
    mut changes: Local<Changes>,
    mut colliders: ResMut<Colliders>,
    mut news: ResMut<News>,
    ends: Ends,
    mut told: Writers,
) {
    contacts.advance(&colliders);
    changes.compare(&contacts, &colliders);
    let News {
        ended,
        started,
        crushed,
    } = &mut *news;

    ended.clear();
    let over = changes.ended.iter().copied();
    // Mostly there is but one reason: something has moved.
    if colliders.rules_changed || !contacts.refused.is_empty() {
        ended.extend(over.map(|last| ends.end(last, &colliders, &contacts)));
    } else {
        ended.extend(over.map(|last| CollisionEnded::new(last, EndReason::Separated)));
    }
    colliders.rules_changed = false;
    started.clear();
    started.extend(changes.started.iter().copied().map(CollisionStarted::from));
    crushed.clear();
    crushed.extend(crushes(&mut contacts.stuck, &colliders));

    told.ended.write_batch(ended.iter().cloned());
    told.started.write_batch(started.iter().copied());
    told.ongoing.write_batch(contacts.in_order(&colliders));
    told.crushed.write_batch(crushed.iter().copied());
}

/// Who could not be freed, in the order of their entities.
fn crushes(stuck: &mut [Stuck], colliders: &Colliders) -> impl Iterator<Item = Crushed> {
    let entity = |slot: u32| colliders.entities[slot as usize];
    stuck.sort_unstable_by_key(|stuck| entity_key(entity(stuck.slot)));
    stuck.iter().map(move |stuck| Crushed {
        entity: entity(stuck.slot),
        by: entity(stuck.by),
        against: stuck.against.map(entity),
        depth: stuck.depth,
    })
}
