//! Why a contact has ended, and which collider has left.

use bevy::ecs::{
    entity::{Entities, Entity},
    prelude::{Query, Res},
    system::SystemParam,
};

use crate::{
    components::{AnyCollider, Leaver, Leavers},
    messages::{Collision, CollisionEnded, EndReason},
    state::{colliders::Colliders, contacts::Contacts, rules::may_collide},
};

/// What is needed to find out why a collision has ended.
#[derive(SystemParam)]
pub(crate) struct Ends<'w, 's> {
    entities: &'w Entities,
    all: Query<'w, 's, (), AnyCollider>,
    leavers: Res<'w, Leavers>,
}

impl Ends<'_, '_> {
    /// Returns the end of a contact whose last state was `last`.
    pub(super) fn end(
        &self,
        last: Collision,
        colliders: &Colliders,
        contacts: &Contacts,
    ) -> CollisionEnded {
        let [slot_a, slot_b] = [last.a, last.b].map(|entity| {
            // It may have gone since the tick has gathered it.
            let has_just_left = self.leavers.has_left(entity) && !self.all.contains(entity);
            colliders.slot(entity).filter(|_| !has_just_left)
        });
        let mut ended = CollisionEnded::new(last, EndReason::Separated);
        if let (Some(a), Some(b)) = (slot_a, slot_b) {
            let is_refused = contacts.is_refused(a, b);
            if is_refused || !may_collide(colliders, a, b) {
                ended.reason = EndReason::Filtered;
            } else if contacts.between(a, b).is_some() {
                ended.reason = EndReason::Reparented;
            }
            return ended;
        }
        let reasons = [(last.a, slot_a), (last.b, slot_b)]
            .into_iter()
            .filter(|(_, slot)| slot.is_none())
            .map(|(entity, _)| self.reason(entity, colliders));
        ended.reason = reasons.min().unwrap_or(EndReason::Separated);
        ended.leaver_a = self.leaver(last.a, slot_a);
        ended.leaver_b = self.leaver(last.b, slot_b);
        ended
    }

    /// Whether contacts may have ended for another reason than that something has moved.
    pub(super) fn may_have_reasons(&self, colliders: &Colliders, contacts: &Contacts) -> bool {
        colliders.rules_changed || !contacts.refused.is_empty() || self.leavers.have_some_left()
    }

    /// Returns why a collider takes no part any more.
    fn reason(&self, entity: Entity, colliders: &Colliders) -> EndReason {
        if !self.entities.contains_spawned(entity) {
            EndReason::Despawned
        } else if self.has_lost_it(entity) {
            EndReason::Removed
        } else if colliders.refused.contains_key(&entity) {
            EndReason::Invalid
        } else {
            // It exists and has a collider, but queries do not see it, because of some disabling component.
            EndReason::Disabled
        }
    }

    /// Whether an entity that takes no part in this tick has lost its collider, or does not exist. It may have got another one since the tick began.
    fn has_lost_it(&self, entity: Entity) -> bool {
        self.leavers.is_leaving(entity) || !self.all.contains(entity)
    }

    /// Returns what is remembered of a collider that is gone. `None` for one that is disabled or invalid: the game can still read its components.
    fn leaver(&self, entity: Entity, slot: Option<usize>) -> Option<Leaver> {
        let is_gone = slot.is_none() && self.has_lost_it(entity);
        self.leavers.leaver(entity).filter(|_| is_gone).cloned()
    }
}
