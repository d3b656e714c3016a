//! This tick's contacts against the last one's: what began, what goes on, what is over.

use std::cmp::Ordering;

use bevy::ecs::{
    entity::Entities,
    message::MessageWriter,
    prelude::{Res, ResMut},
};

use crate::{
    messages::{Collision, CollisionEnded, CollisionStarted, EndReason},
    state::{colliders::Colliders, contacts::Contacts, rules::may_collide},
};

/// Writes the messages, in one merge of two sorted lists.
pub(crate) fn report_contacts(
    mut contacts: ResMut<Contacts>,
    colliders: Res<Colliders>,
    entities: &Entities,
    mut ongoing: MessageWriter<Collision>,
    mut started: MessageWriter<CollisionStarted>,
    mut ended: MessageWriter<CollisionEnded>,
) {
    contacts.advance(&colliders);
    let mut previous = contacts.previous.iter().peekable();
    let mut current = contacts.current.iter().peekable();
    loop {
        let order = match (previous.peek(), current.peek()) {
            (Some(old), Some(new)) => old.slots.cmp(&new.slots),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => break,
        };
        if order.is_le()
            && let Some(old) = previous.next()
            && order.is_lt()
        {
            ended.write(CollisionEnded::new(
                old.collision,
                end_reason(&old.collision, &colliders, entities),
            ));
        }
        if order.is_ge()
            && let Some(new) = current.next()
            && order.is_gt()
        {
            started.write(CollisionStarted::from(new.collision));
        }
    }
    ongoing.write_batch(contacts.current.iter().map(|known| known.collision));
}

fn end_reason(last: &Collision, colliders: &Colliders, entities: &Entities) -> EndReason {
    let both = [last.a, last.b];
    if let [Some(a), Some(b)] = both.map(|entity| colliders.slot(entity)) {
        return if may_collide(colliders, a, b) {
            EndReason::Separated
        } else {
            EndReason::Filtered
        };
    }
    if !both.iter().all(|entity| entities.contains_spawned(*entity)) {
        EndReason::Despawned
    } else if both.iter().any(|entity| colliders.refused.contains(entity)) {
        EndReason::Invalid
    } else {
        EndReason::Removed
    }
}
