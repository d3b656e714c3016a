//! The world of a replay: does there what the game did.

use bevy::{
    ecs::{
        entity::{Entity, EntityHashMap, EntityIndex},
        entity_disabling::Disabled,
        hierarchy::ChildOf,
        prelude::{Component, World},
        world::EntityWorldMut,
    },
    platform::collections::{HashMap, HashSet},
    transform::components::Transform,
};

use super::{entities::Known, frame::Frame, records::Changes};
use crate::components::{ColliderDisabled, DropThrough, Sensor};

/// A replay under way: the recorded state up to now, and the entities that stand for the recorded ones.
pub(super) struct Replay {
    pub(super) frame: Frame,
    pub(super) twins: Twins,
}

/// Which entity of the replay stands for which entity of the game: its twin.
///
/// The plugin decides some ties by the order of entities' indices, so the twins have indices in the same order as the game's entities. They are not the same indices, since the replay's world has entities of its own, and their generations
/// differ.
#[derive(Default)]
pub(super) struct Twins {
    /// For each index in the game, the index of its twin.
    indices: HashMap<u32, EntityIndex>,
    twins: HashMap<u32, Entity>,
    /// The reverse: the index in the game, by twin.
    originals: EntityHashMap<u32>,
    /// For each game's entity that is in a list of ignored entities: the indices of those that ignore it. It may not be there yet.
    ignored: EntityHashMap<Vec<u32>>,
}

impl Twins {
    /// Reserves an index for each of these.
    pub(super) fn new(world: &World, mut indices: Vec<u32>) -> Self {
        indices.sort_unstable();
        indices.dedup();
        let mut free: Vec<EntityIndex> = world
            .entity_allocator()
            .alloc_many(indices.len() as u32)
            .map(Entity::index)
            .collect();
        free.sort_unstable();
        Self {
            indices: indices.into_iter().zip(free).collect(),
            ..Self::default()
        }
    }

    /// Returns the twin of the entity with this index in the game, if there is one now.
    pub(super) fn get(&self, index: u32) -> Option<Entity> {
        self.twins.get(&index).copied()
    }

    /// Returns the index in the game of the entity whose twin this one is.
    pub(super) fn original(&self, twin: Entity) -> Option<u32> {
        self.originals.get(&twin).copied()
    }

    /// Does what the game did. The frame already contains these changes.
    pub(super) fn apply(&mut self, world: &mut World, frame: &Frame, changes: &Changes) {
        let mut all: Vec<u32> = Vec::new();
        for &entity in &changes.came {
            // The former entity with this index is despawned only now.
            self.despawn(world, entity.index_u32());
            self.spawn(world, entity);
            all.extend(self.ignored.remove(&entity).into_iter().flatten());
        }
        if !changes.came.is_empty() {
            // Entities that were children of the former one, and are children of the new one.
            let came: HashSet<u32> = changes.came.iter().map(|one| one.index_u32()).collect();
            let children = frame.entities.iter();
            let children =
                children.filter(|known| known.parent.is_some_and(|parent| came.contains(&parent)));
            all.extend(children.map(|known| known.entity.index_u32()));
        }
        all.extend(changes.transforms.iter().map(|(index, _)| index));
        all.extend(changes.parents.iter().map(|(index, _)| index));
        all.extend(changes.velocities.iter().map(|(index, _)| index));
        all.extend(changes.swept.iter().map(|(index, _)| index));
        all.extend(changes.riders.iter().map(|(index, _)| index));
        all.extend(changes.attributes.iter().map(|(index, _)| index));
        all.sort_unstable();
        all.dedup();
        for index in all {
            if let Some(known) = frame.entities.get(index) {
                self.write_components(world, frame, known);
            }
        }
        for &(index, place) in &changes.places {
            let transform = self
                .get(index)
                .and_then(|one| world.get_mut::<Transform>(one));
            if let Some(mut transform) = transform {
                transform.translation = place.extend(transform.translation.z);
            }
        }
        for &index in &changes.gone {
            if frame.entities.get(index).is_none() {
                self.despawn(world, index);
            }
        }
    }

    fn spawn(&mut self, world: &mut World, entity: Entity) {
        let index = entity.index_u32();
        let Some(&free) = self.indices.get(&index) else {
            return;
        };
        let twin = world.entities().resolve_from_index(free);
        if world.spawn_empty_at(twin).is_ok() {
            self.twins.insert(index, twin);
            self.originals.insert(twin, index);
        }
    }

    fn despawn(&mut self, world: &mut World, index: u32) {
        let Some(twin) = self.twins.remove(&index) else {
            return;
        };
        self.originals.remove(&twin);
        if let Ok(mut entity) = world.get_entity_mut(twin) {
            // Children are not despawned along with their parent: the recording lists each entity by itself.
            entity.remove::<ChildOf>();
            entity.detach_all_children();
            // Not freed, for the index is needed for the next entity of the game with this index.
            world.despawn_no_free(twin);
        }
    }

    /// Gives the twin the components that are known, and removes all others.
    fn write_components(&mut self, world: &mut World, frame: &Frame, known: &Known) {
        let index = known.entity.index_u32();
        let Some(twin) = self.get(index) else {
            return;
        };
        let Ok(mut entity) = world.get_entity_mut(twin) else {
            return;
        };
        let attributes = known.attributes().unwrap_or_default();
        let mut ignores = attributes.ignores;
        if let Some(list) = &mut ignores {
            let mut ignored = std::mem::take(&mut list.entities);
            ignored.retain_mut(|one| {
                let listed = frame.entities.get(one.index_u32());
                let is_there = listed.is_some_and(|listed| listed.entity == *one);
                // The ignored entity may be despawned, and another one may come with its index.
                let listing = self.ignored.entry(*one).or_default();
                if !listing.contains(&index) {
                    listing.push(index);
                }
                if let Some(twin) = self.twins.get(&one.index_u32()).filter(|_| is_there) {
                    *one = *twin;
                }
                is_there
            });
            list.entities = ignored;
        }
        put(&mut entity, attributes.circle);
        put(&mut entity, attributes.rectangle);
        put(&mut entity, attributes.bounds);
        put(&mut entity, known.rider);
        // These may have been inserted along with the ones above, which require them.
        put(&mut entity, attributes.body);
        put(&mut entity, known.velocity);
        put(&mut entity, known.swept);
        put(&mut entity, known.transform);
        put(&mut entity, attributes.mass);
        put(&mut entity, attributes.layers);
        put(&mut entity, attributes.response);
        put(&mut entity, attributes.one_way);
        put(&mut entity, attributes.surface_velocity);
        put(&mut entity, ignores);
        put(&mut entity, attributes.tag);
        put(&mut entity, attributes.name);
        put(&mut entity, attributes.is_sensor.then_some(Sensor));
        put(&mut entity, attributes.drops_through.then_some(DropThrough));
        put(
            &mut entity,
            attributes.is_disabled.then_some(ColliderDisabled),
        );
        put(&mut entity, attributes.is_off.then_some(Disabled));
        let parent = known.parent.and_then(|parent| self.get(parent));
        if entity.get::<ChildOf>().map(ChildOf::parent) != parent {
            put(&mut entity, parent.map(ChildOf));
        }
    }
}

/// Inserts a component, or removes it.
fn put<C: Component>(entity: &mut EntityWorldMut, component: Option<C>) {
    match component {
        Some(component) => _ = entity.insert(component),
        None => _ = entity.remove::<C>(),
    }
}
