//! One merge of two sorted lists: who met in the last tick, and who meets in this one.

use bevy::ecs::entity::Entity;

use crate::{
    messages::{Collision, CollisionStarted},
    placed::Meeting,
    state::{
        colliders::{Colliders, entity_key},
        contacts::{Contacts, told, told_last},
    },
};

/// Pairs that meet now and did not, and the other way round; in the order in which they are told. Those of a collider that has left its body are in both.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub(super) started: Vec<CollisionStarted>,
    pub(super) ended: Vec<Collision>,
}

impl Changes {
    /// Both lists are sorted by slots, which no other pair has had in between.
    pub(super) fn compare(&mut self, contacts: &Contacts, colliders: &Colliders) {
        self.started.clear();
        self.ended.clear();
        let mut previous = contacts.previous.iter().peekable();
        for new in &contacts.current {
            while let Some(gone) = previous.next_if(|old| old.slots < new.slots) {
                self.ended.push(told_last(gone, colliders));
            }
            match previous.next_if(|old| old.slots == new.slots) {
                None => self.begin(new, contacts, colliders),
                Some(old) if colliders.has_left_body(new.slots) => {
                    // It is over for the body that one of them was a part of, and begins for the one that it is a part of now.
                    self.ended.push(told_last(old, colliders));
                    self.begin(new, contacts, colliders);
                }
                Some(_) => {}
            }
        }
        self.ended
            .extend(previous.map(|gone| told_last(gone, colliders)));
        let in_order = colliders.order.is_kept() && !colliders.rules_changed;
        // Along the way of a bullet the first comes first.
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

/// The order of pairs: by the first entity, then the second.
fn pair_key(a: Entity, b: Entity) -> ((u32, u32), (u32, u32)) {
    (entity_key(a), entity_key(b))
}
