//! The messages of a tick.

use bevy::ecs::{
    message::MessageWriter,
    prelude::{Res, ResMut},
    system::{Local, SystemParam},
};
use tracing::debug_span;

use super::{compare::Changes, ended::Ends};
use crate::{
    messages::{Collision, CollisionEnded, CollisionStarted, Crushed, EndReason},
    push_out::Stuck,
    settings::CollisionSettings,
    state::{
        colliders::{Colliders, entity_key},
        contacts::Contacts,
        report_counts::ReportCounts,
    },
};

/// Writers of all messages.
#[derive(SystemParam)]
pub(crate) struct Writers<'w> {
    ongoing: MessageWriter<'w, Collision>,
    started: MessageWriter<'w, CollisionStarted>,
    ended: MessageWriter<'w, CollisionEnded>,
    crushed: MessageWriter<'w, Crushed>,
}

/// Writes the messages of the tick.
pub(crate) fn report_contacts(
    mut contacts: ResMut<Contacts>,
    mut changes: Local<Changes>,
    mut colliders: ResMut<Colliders>,
    mut counts: ResMut<ReportCounts>,
    ends: Ends,
    settings: Res<CollisionSettings>,
    mut told: Writers,
) {
    let _span = debug_span!("report").entered();
    contacts.advance(&colliders, settings.upwards());
    changes.compare(&contacts, &colliders);
    let over = changes.ended.iter().copied();
    // Mostly there is only one reason: the two have moved apart.
    if ends.may_have_reasons(&colliders, &contacts) {
        let over = over.map(|last| ends.end(last, &colliders, &contacts));
        told.ended.write_batch(over);
    } else {
        let over = over.map(|last| CollisionEnded::new(last, EndReason::Separated));
        told.ended.write_batch(over);
    }
    told.started.write_batch(changes.started.iter().copied());
    told.ongoing.write_batch(contacts.in_order(&colliders));
    told.crushed
        .write_batch(crushes(&mut contacts.stuck, &colliders));
    *counts = ReportCounts {
        ticks: counts.ticks + 1,
        ended: changes.ended.len(),
        started: changes.started.len(),
        crushed: contacts.stuck.len(),
        pushed: std::mem::take(&mut contacts.pushed),
    };
    contacts.end_report();
    colliders.end_report();
}

/// Yields the colliders that could not be freed, in the order of their entities.
fn crushes(stuck: &mut [Stuck], colliders: &Colliders) -> impl Iterator<Item = Crushed> {
    let entity = |slot: u32| colliders.entities[slot as usize];
    stuck.sort_unstable_by_key(|stuck| entity_key(entity(stuck.slot)));
    stuck.iter().map(move |stuck| Crushed {
        entity: entity(stuck.slot),
        body: entity(colliders.placed[stuck.slot as usize].body),
        by: entity(stuck.by),
        against: stuck.against.map(entity),
        depth: stuck.depth,
    })
}
