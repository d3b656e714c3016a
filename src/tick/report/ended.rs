//! Why it is over, and who has left.

use bevy::ecs::{
    entity::{Entities, Entity},
    entity_disabling::Disabled,
    prelude::{Or, Query, Res, With},
    query::Allow,
    system::SystemParam,
};

use crate::{
    components::{BoundsCollider, BoxCollider, CircleCollider, Leaver, Removals},
    messages::{Collision, CollisionEnded, EndReason},
    state::{colliders::Colliders, contacts::Contacts, rules::may_collide},
};

/// Has a collider, whether it takes part or not.
type HasCollider = (
    Or<(
        With<CircleCollider>,
        With<BoxCollider>,
        With<BoundsCollider>,
    )>,
    Allow<Disabled>,
);

/// What it takes to know why a collision is over.
#[derive(SystemParam)]
pub(crate) struct Ends<'w, 's> {
    entities: &'w Entities,
    colliders: Query<'w, 's, (), HasCollider>,
    removals: Res<'w, Removals>,
}

impl Ends<'_, '_> {
    /// The end of what met last as `last` tells.
    pub(super) fn end(
        &self,
        last: Collision,
        colliders: &Colliders,
        contacts: &Contacts,
    ) -> CollisionEnded {
        let [slot_a, slot_b] = [last.a, last.b].map(|entity| colliders.slot(entity));
        let mut ended = CollisionEnded::new(last, EndReason::Separated);
        if let (Some(a), Some(b)) = (slot_a, slot_b) {
            let is_refused = contacts.is_refused(a, b);
            if is_refused || !may_collide(colliders, a, b) {
                ended.reason = EndReason::Filtered;
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

    /// Why a collider takes part no more.
    fn reason(&self, entity: Entity, colliders: &Colliders) -> EndReason {
        if !self.entities.contains_spawned(entity) {
            EndReason::Despawned
        } else if self.has_left(entity) {
            EndReason::Removed
        } else if colliders.refused.contains_key(&entity) {
            EndReason::Invalid
        } else {
            // It is there and has a collider, but is not seen, by whatever component.
            EndReason::Disabled
        }
    }

    /// Whether an entity has no collider any more, or is no more. Of what a game has hidden by a component of its own, the last removal tells.
    fn has_left(&self, entity: Entity) -> bool {
        !self.colliders.contains(entity) && self.removals.leaver(entity).is_some()
    }

    /// What is remembered of a collider that is gone; one that is disabled or invalid is still there to ask.
    fn leaver(&self, entity: Entity, slot: Option<usize>) -> Option<Leaver> {
        let has_left = slot.is_none() && self.has_left(entity);
        self.removals.leaver(entity).filter(|_| has_left).cloned()
    }
}
