//! This tick's contacts against the last one's: what began, what goes on, what is over.

use bevy::ecs::{
    entity::Entities,
    message::MessageWriter,
    prelude::ResMut,
    system::{Local, SystemParam},
};

use crate::{
    messages::{Collision, CollisionEnded, CollisionStarted, Crushed, EndReason},
    push_out::Stuck,
    state::{
        colliders::{Colliders, entity_key},
        contacts::{Contacts, told},
        rules::may_collide,
    },
};

/// Messages of a tick, until they are in order.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    started: Vec<Collision>,
    ended: Vec<Collision>,
}

/// Everything that is told.
#[derive(SystemParam)]
pub(crate) struct Writers<'w> {
    ongoing: MessageWriter<'w, Collision>,
    started: MessageWriter<'w, CollisionStarted>,
    ended: MessageWriter<'w, CollisionEnded>,
    crushed: MessageWriter<'w, Crushed>,
}

/// Writes the messages, by one merge of two sorted lists.
pub(crate) fn report_contacts(
    mut contacts: ResMut<Contacts>,
    mut changes: Local<Changes>,
    mut colliders: ResMut<Colliders>,
    entities: &Entities,
    mut told: Writers,
) {
    contacts.advance(&colliders);
    changes.compare(&contacts, &colliders);
    // Mostly there is but one reason: something has moved.
    let reason: &dyn Fn(&Collision) -> EndReason = if colliders.rules_changed {
        &|last| end_reason(last, &colliders, entities)
    } else {
        &|_| EndReason::Separated
    };
    told.ended
        .write_batch((changes.ended.iter()).map(|last| CollisionEnded::new(*last, reason(last))));
    told.started
        .write_batch(changes.started.iter().copied().map(CollisionStarted::from));
    told.ongoing.write_batch(contacts.in_order(&colliders));
    told.crushed
        .write_batch(crushes(&mut contacts.stuck, &colliders));
    colliders.rules_changed = false;
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

impl Changes {
    /// Both lists are sorted by slots, which no other pair has had in between.
    fn compare(&mut self, contacts: &Contacts, colliders: &Colliders) {
        self.started.clear();
        self.ended.clear();
        let mut previous = contacts.previous.iter().peekable();
        for new in &contacts.current {
            while let Some(gone) = previous.next_if(|old| old.slots < new.slots) {
                self.ended.push(told(gone, colliders));
            }
            if previous.next_if(|old| old.slots == new.slots).is_none() {
                self.started.push(told(new, colliders));
            }
        }
        self.ended
            .extend(previous.map(|gone| told(gone, colliders)));
        let in_order = colliders.in_entity_order && !colliders.rules_changed;
        // Along the way of a bullet the first comes first.
        let all_in_the_end = self.started.iter().all(|new| new.time == 1.0);
        if !in_order || !all_in_the_end {
            let key = |new: &Collision| (new.time.to_bits(), pair_key(new));
            self.started.sort_unstable_by_key(key);
        }
        if !in_order {
            self.ended.sort_unstable_by_key(pair_key);
        }
    }
}

/// The order of pairs: by the first entity, then the second.
fn pair_key(collision: &Collision) -> ((u32, u32), (u32, u32)) {
    (entity_key(collision.a), entity_key(collision.b))
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
