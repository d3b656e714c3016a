//! Why a contact has ended, and which collider has left.

use bevy::ecs::{
    archetype::Archetypes,
    component::{Component, Components},
    entity::{Entities, Entity},
    prelude::Res,
    system::SystemParam,
};

use crate::{
    components::{BoundsCollider, BoxCollider, CircleCollider, Leaver, Leavers},
    messages::{Collision, CollisionEnded, EndReason},
    state::{colliders::Colliders, contacts::Contacts, rules::may_collide},
};

/// What is needed to find out why a collision has ended.
#[derive(SystemParam)]
pub(crate) struct Ends<'w> {
    entities: &'w Entities,
    archetypes: &'w Archetypes,
    components: &'w Components,
    leavers: Res<'w, Leavers>,
}

impl Ends<'_> {
    /// Returns the end of a contact whose last state was `last`.
    pub(super) fn end(
        &self,
        last: Collision,
        colliders: &Colliders,
        contacts: &Contacts,
    ) -> CollisionEnded {
        let [slot_a, slot_b] = [last.a, last.b].map(|entity| {
            // It may have gone since the tick has gathered it.
            let has_just_left = self.leavers.has_left(entity) && self.has_left(entity);
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
        } else if self.has_left(entity) {
            EndReason::Removed
        } else if colliders.refused.contains_key(&entity) {
            EndReason::Invalid
        } else {
            // It exists and has a collider, but queries do not see it, because of some disabling component.
            EndReason::Disabled
        }
    }

    /// Whether an entity has no collider any more, or does not exist.
    fn has_left(&self, entity: Entity) -> bool {
        !(self.has::<CircleCollider>(entity)
            || self.has::<BoxCollider>(entity)
            || self.has::<BoundsCollider>(entity))
    }

    /// Whether an entity has a component, even if a disabling component of the game hides it from queries.
    fn has<C: Component>(&self, entity: Entity) -> bool {
        let location = self.entities.get_spawned(entity).ok();
        let archetype = location.and_then(|location| self.archetypes.get(location.archetype_id));
        let component = self.components.component_id::<C>();
        archetype.is_some_and(|archetype| component.is_some_and(|one| archetype.contains(one)))
    }

    /// Returns what is remembered of a collider that is gone. `None` for one that is disabled or invalid: the game can still read its components.
    fn leaver(&self, entity: Entity, slot: Option<usize>) -> Option<Leaver> {
        let has_left = slot.is_none() && self.has_left(entity);
        self.leavers.leaver(entity).filter(|_| has_left).cloned()
    }
}
