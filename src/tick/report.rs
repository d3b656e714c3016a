//! This tick's contacts against the last one's: what began, what goes on, what is over.

use bevy::ecs::{
    entity::Entities,
    message::MessageWriter,
    prelude::{Res, ResMut},
    system::Local,
};

use crate::{
    messages::{Collision, CollisionEnded, CollisionStarted, EndReason},
    state::{
        colliders::Colliders,
        contacts::{Contacts, Known, pair_key},
        rules::may_collide,
    },
};

/// Messages of a tick, until they are in order.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    started: Vec<Collision>,
    ended: Vec<Collision>,
}

/// Writes the messages, by one merge of two sorted lists.
pub(crate) fn report_contacts(
    mut contacts: ResMut<Contacts>,
    mut changes: Local<Changes>,
    colliders: Res<Colliders>,
    entities: &Entities,
    mut ongoing: MessageWriter<Collision>,
    mut started: MessageWriter<CollisionStarted>,
    mut ended: MessageWriter<CollisionEnded>,
) {
    contacts.advance(&colliders);
    changes.compare(&contacts.previous, &contacts.current);
    let reason = |last: &Collision| end_reason(last, &colliders, entities);
    ended.write_batch((changes.ended.iter()).map(|last| CollisionEnded::new(*last, reason(last))));
    started.write_batch(changes.started.iter().copied().map(CollisionStarted::from));
    ongoing.write_batch(contacts.in_order().copied());
}

impl Changes {
    /// Both lists are sorted by slots, which no other pair has had in between.
    fn compare(&mut self, previous: &[Known], current: &[Known]) {
        self.started.clear();
        self.ended.clear();
        let mut previous = previous.iter().peekable();
        for new in current {
            while let Some(gone) = previous.next_if(|old| old.slots < new.slots) {
                self.ended.push(gone.collision);
            }
            if previous.next_if(|old| old.slots == new.slots).is_none() {
                self.started.push(new.collision);
            }
        }
        self.ended.extend(previous.map(|gone| gone.collision));
        self.started.sort_unstable_by_key(pair_key);
        self.ended.sort_unstable_by_key(pair_key);
    }
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
