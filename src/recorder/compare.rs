//! Compares a replay with what was recorded, bit by bit.

use std::fmt::{self, Debug};

use bevy::{
    ecs::{
        entity::Entity,
        prelude::{Component, World},
    },
    transform::components::Transform,
};

use super::{
    bits::SameBits,
    difference::{Difference, DifferentPart},
    entities::Known,
    records::SlotRecord,
    twins::Replay,
};
use crate::{
    components::{Rider, Swept, Velocity},
    placed::Meeting,
    query::ColliderView,
    state::{colliders::Colliders, contacts::Contacts},
};

impl Replay {
    /// Finds the first difference between the world and the recorded state.
    pub(super) fn compare(&self, world: &World) -> Result<(), Difference> {
        let colliders = world.resource::<Colliders>();
        let slots = colliders.entities.len().max(self.frame.slots.end());
        (0..slots as u32).try_for_each(|slot| self.compare_slot(colliders, slot))?;
        (0..slots as u32).try_for_each(|slot| self.compare_place(colliders, slot))?;
        self.compare_contacts(&world.resource::<Contacts>().newest)?;
        let entities = self.frame.entities.iter();
        let mut entities: Vec<&Known> = entities.collect();
        entities.sort_unstable_by_key(|known| known.entity.index_u32());
        entities
            .into_iter()
            .try_for_each(|known| self.compare_entity(world, known))
    }

    fn difference<T: Debug>(
        &self,
        part: DifferentPart,
        entity: Entity,
        both: [Option<T>; 2],
    ) -> Difference {
        let [recorded, replayed] = both.map(|value| match value {
            Some(value) => format!("{value:?}"),
            None => "nothing".to_owned(),
        });
        Difference {
            tick: self.frame.tick,
            part,
            entity,
            recorded,
            replayed,
        }
    }

    /// Returns the recorded entity whose twin an entity of the replay is.
    fn original(&self, twin: Entity) -> Option<&Known> {
        self.frame.entities.get(self.twins.original(twin)?)
    }

    fn compare_slot(&self, colliders: &Colliders, slot: u32) -> Result<(), Difference> {
        let recorded = self.frame.slot(slot).copied();
        let at = slot as usize;
        let twin = colliders.holder(at);
        let known = twin.and_then(|twin| self.original(twin));
        let replayed = known.map(|known| {
            let mut record = SlotRecord::new(colliders, at);
            record.entity = known.entity.index_u32();
            record
        });
        if recorded == replayed {
            return Ok(());
        }
        let entity = recorded.and_then(|_| self.frame.entity_in(slot));
        let entity = entity.or(known.map(|known| known.entity));
        let recorded = recorded.map(|_| InSlot(self.frame.collider(slot)));
        let replayed = replayed.zip(known).map(|(replayed, known)| {
            let body = replayed.body as usize;
            let entity = self.original(colliders.entities[body]);
            let place = colliders.body_states[body].position;
            InSlot(entity.and_then(|body| replayed.view(known.entity, body.entity, place)))
        });
        Err(self.difference(
            DifferentPart::Collider,
            entity.unwrap_or(Entity::PLACEHOLDER),
            [recorded, replayed],
        ))
    }

    fn compare_place(&self, colliders: &Colliders, slot: u32) -> Result<(), Difference> {
        let Some(recorded) = self.frame.body_place(slot) else {
            return Ok(());
        };
        let replayed = colliders.body_states[slot as usize].position;
        if recorded.same_bits(&replayed) {
            return Ok(());
        }
        let entity = self.frame.entity_in(slot).unwrap_or(Entity::PLACEHOLDER);
        Err(self.difference(
            DifferentPart::Place,
            entity,
            [Some(recorded), Some(replayed)],
        ))
    }

    /// Compares the contacts; both lists are sorted by slots, which are the same in the game and in the replay.
    fn compare_contacts(&self, replayed: &[Meeting]) -> Result<(), Difference> {
        let recorded = &self.frame.contacts;
        let pairs = recorded.iter().zip(replayed);
        let is_same = |(recorded, replayed): &(&Meeting, &Meeting)| recorded.same_bits(replayed);
        let same = pairs.take_while(is_same).count();
        let (recorded, replayed) = (recorded.get(same), replayed.get(same));
        let first = [recorded, replayed].into_iter().flatten();
        let Some(slots) = first.map(|contact| contact.slots).min() else {
            return Ok(());
        };
        let told = |contact: Option<&Meeting>| {
            let contact = contact.filter(|contact| contact.slots == slots)?;
            self.frame.contact(contact)
        };
        let both = [told(recorded), told(replayed)];
        let Some(any) = both.into_iter().flatten().next() else {
            return Ok(());
        };
        let part = DifferentPart::Contact { with: any.b };
        Err(self.difference(part, any.a, both))
    }

    fn compare_entity(&self, world: &World, known: &Known) -> Result<(), Difference> {
        self.compare_part::<Transform>(world, known, DifferentPart::Transform, known.transform)?;
        self.compare_part::<Velocity>(world, known, DifferentPart::Velocity, known.velocity)?;
        self.compare_part::<Swept>(world, known, DifferentPart::Swept, known.swept)?;
        self.compare_part::<Rider>(world, known, DifferentPart::Rider, known.rider)
    }

    fn compare_part<C: Component + Copy + Debug + SameBits>(
        &self,
        world: &World,
        known: &Known,
        part: DifferentPart,
        recorded: Option<C>,
    ) -> Result<(), Difference> {
        let twin = self.twins.get(known.entity.index_u32());
        let replayed = twin.and_then(|twin| world.get::<C>(twin).copied());
        if recorded.same_bits(&replayed) {
            return Ok(());
        }
        Err(self.difference(part, known.entity, [recorded, replayed]))
    }
}

/// A collider, or a body that has none of its own, for a text.
struct InSlot(Option<ColliderView>);

impl Debug for InSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(collider) => collider.fmt(f),
            None => f.write_str("a body without a collider of its own"),
        }
    }
}
