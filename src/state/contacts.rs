//! The contacts of this tick and of the last one, sorted by pair.

use bevy::ecs::{entity::Entity, prelude::Resource};

use crate::{
    messages::Collision,
    placed::Meeting,
    state::colliders::{Colliders, entity_key},
};

/// What collides. `found` is filled by detect and resolve, `current` and `previous` by report.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Contacts {
    /// This tick's contacts by slots; sorted, each pair once, when report reads it.
    pub(crate) found: Vec<Meeting>,
    /// The newest finished tick's contacts, sorted by [`pair_key`].
    pub(crate) current: Vec<Collision>,
    /// Those of the tick before, in the same order.
    pub(crate) previous: Vec<Collision>,
    /// Indices into `current`, sorted by the second entity.
    by_second: Vec<u32>,
}

/// The order of pairs: by the first entity, then the second.
pub(crate) fn pair_key(collision: &Collision) -> ((u32, u32), (u32, u32)) {
    (entity_key(collision.a), entity_key(collision.b))
}

impl Contacts {
    /// Sorts `found` and keeps the first of each pair.
    pub(crate) fn sort_found(&mut self) {
        // Stable: what detect saw stays before what resolve saw of the same pair.
        self.found.sort_by_key(|found| found.slots);
        self.found.dedup_by_key(|found| found.slots);
    }

    /// Makes `found` the current contacts, and the current ones the previous.
    pub(crate) fn advance(&mut self, colliders: &Colliders) {
        std::mem::swap(&mut self.current, &mut self.previous);
        self.current.clear();
        self.current.extend(self.found.iter().map(|found| {
            let (a, b) = found.slots;
            Collision {
                a: colliders.traits[a as usize].entity,
                b: colliders.traits[b as usize].entity,
                normal: found.normal,
                depth: found.depth,
                point: found.point,
            }
        }));
        self.by_second.clear();
        self.by_second.extend((0..).take(self.current.len()));
        self.by_second
            .sort_unstable_by_key(|&index| (entity_key(self.current[index as usize].b), index));
    }

    /// The contact of a pair, in either order of the two.
    pub(crate) fn between(&self, one: Entity, other: Entity) -> Option<&Collision> {
        let (first, second) = (entity_key(one), entity_key(other));
        let key = (first.min(second), first.max(second));
        let at = self.current.binary_search_by_key(&key, pair_key).ok()?;
        Some(&self.current[at])
    }

    /// All contacts of an entity: where it is the second one, then where it is the first.
    pub(crate) fn of(&self, entity: Entity) -> impl Iterator<Item = &Collision> {
        let key = entity_key(entity);
        let second = |index: &u32| entity_key(self.current[*index as usize].b);
        let start = self.by_second.partition_point(|index| second(index) < key);
        let end = self.by_second.partition_point(|index| second(index) <= key);
        let as_second = self.by_second[start..end]
            .iter()
            .map(|&index| &self.current[index as usize]);

        let start = self.current.partition_point(|one| entity_key(one.a) < key);
        let end = self.current.partition_point(|one| entity_key(one.a) <= key);
        as_second.chain(&self.current[start..end])
    }
}
