//! The world as the tick sees it: flat arrays, one slot per collider, sorted by entity.

use bevy::ecs::{
    entity::{Entity, EntityHashSet},
    prelude::Resource,
};

use crate::{
    broad_phase::Extent,
    components::{Body, CollisionLayers},
    placed::{Mover, Placed},
};

/// What is known of a collider beside its place and outline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traits {
    pub(crate) entity: Entity,
    pub(crate) layers: CollisionLayers,
    pub(crate) body: Body,
    pub(crate) sensor: bool,
}

/// All colliders of the tick. Slot `i` of `traits` and `placed` is one collider; `placed[i].body` is its body's slot in `movers` and `bodies`.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Colliders {
    pub(crate) traits: Vec<Traits>,
    pub(crate) placed: Vec<Placed>,
    pub(crate) movers: Vec<Mover>,
    /// Whose `Transform` a mover stands for.
    pub(crate) bodies: Vec<Entity>,
    /// Colliders that take no part because of bad input, and have been warned of.
    pub(crate) refused: EntityHashSet,
}

/// The order in which entities sort: by index, then generation. (`Entity: Ord` runs the other way round.)
pub(crate) fn entity_key(entity: Entity) -> (u32, u32) {
    (entity.index_u32(), entity.generation().to_bits())
}

impl Colliders {
    pub(crate) fn clear(&mut self) {
        self.traits.clear();
        self.placed.clear();
        self.movers.clear();
        self.bodies.clear();
    }

    /// The slot of a collider, by binary search.
    pub(crate) fn slot(&self, entity: Entity) -> Option<usize> {
        self.traits
            .binary_search_by_key(&entity_key(entity), |traits| entity_key(traits.entity))
            .ok()
    }

    /// The extents of all slots, in their order.
    pub(crate) fn extents(&self) -> impl Iterator<Item = Extent> {
        self.placed
            .iter()
            .map(|placed| placed.extent(&self.movers, 0.0))
    }
}
