//! Merges two sorted lists: the contacts of which the last report has told, and those of this tick.

use bevy::ecs::entity::Entity;

use crate::{
    messages::{Collision, CollisionStarted},
    placed::Meeting,
    state::{
        colliders::{Colliders, entity_key},
        contacts::Contacts,
        told::{last_collision_of, told},
    },
};

/// The pairs that have begun to meet, and those that have ceased to; in the order in which they are reported. The pairs of a collider that has left its body are in both lists.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub(super) started: Vec<CollisionStarted>,
    pub(super) ended: Vec<Collision>,
}

impl Changes {
    /// Fills both lists. The contacts are sorted by slots, and no slot has changed hands in between.
    pub(super) fn compare(&mut self, contacts: &Contacts, colliders: &Colliders) {
        self.started.clear();
        self.ended.clear();
        let mut last = contacts.last_told().iter().peekable();
        for new in &contacts.newest {
            while let Some(gone) = last.next_if(|old| old.slots < new.slots) {
                self.ended.push(last_collision_of(gone, colliders));
            }
            match last.next_if(|old| old.slots == new.slots) {
                None => self.begin(new, contacts, colliders),
                Some(old) if colliders.has_left_body(new.slots) => {
                    // The contact has ended for the body that the collider belonged to, and begins for the body that it belongs to now.
                    self.ended.push(last_collision_of(old, colliders));
                    self.begin(new, contacts, colliders);
                }
                Some(_) => {}
            }
        }
        self.ended
            .extend(last.map(|gone| last_collision_of(gone, colliders)));
        let in_order = colliders.order.is_kept() && !colliders.rules_changed;
        // Along the way of a bullet, the first hit comes first.
        let all_in_the_end = self.started.iter().all(|new| new.time == 1.0);
        if !in_order || !all_in_the_end {
            let key = |new: &CollisionStarted| (new.time.to_bits(), pair_key(new.a, new.b));
            self.started.sort_unstable_by_key(key);
        }
        if !in_order {
            self.ended
                .sort_unstable_by_key(|over| pair_key(over.a, over.b));
        }
    }

    fn begin(&mut self, new: &Meeting, contacts: &Contacts, colliders: &Colliders) {
        self.started.push(CollisionStarted {
            approach_speed: contacts.approach_speed(new.slots),
            ..told(new, colliders).into()
        });
    }
}

/// The sort key of a pair: by the first entity, then the second.
fn pair_key(a: Entity, b: Entity) -> ((u32, u32), (u32, u32)) {
    (entity_key(a), entity_key(b))
}
