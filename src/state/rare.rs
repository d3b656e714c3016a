//! What few colliders have, by slot: maps, so that all others pay nothing for it.

use bevy::{
    ecs::entity::{Entity, EntityMapper},
    math::Vec2,
    platform::collections::HashMap,
};

use crate::components::IgnoreCollisions;

#[derive(Clone, Debug, Default)]
pub(crate) struct Rare {
    /// Whom they ignore.
    ignoring: HashMap<u32, IgnoreCollisions>,
    /// Of those whose surface moves: its velocity.
    surface_velocities: HashMap<u32, Vec2>,
    /// Of children: their topmost ancestors.
    roots: HashMap<u32, Entity>,
}

impl Rare {
    /// Takes up whom a collider ignores. Whether that is new.
    pub(crate) fn set_ignored(&mut self, slot: usize, ignored: Option<&IgnoreCollisions>) -> bool {
        let slot = slot as u32;
        if ignored == self.ignoring.get(&slot) {
            return false;
        }
        match ignored {
            Some(ignored) => _ = self.ignoring.insert(slot, ignored.clone()),
            None => _ = self.ignoring.remove(&slot),
        }
        true
    }

    /// Takes up the topmost ancestor of a child's collider, and of any other one that it has none. Whether that is new.
    pub(crate) fn set_root(&mut self, slot: usize, root: Option<Entity>) -> bool {
        let slot = slot as u32;
        match root {
            Some(root) => self.roots.insert(slot, root) != Some(root),
            None => !self.roots.is_empty() && self.roots.remove(&slot).is_some(),
        }
    }

    /// Takes up the velocity of a collider's surface, beside that of the collider.
    pub(crate) fn set_surface_velocity(&mut self, slot: usize, velocity: Vec2) {
        if velocity != Vec2::ZERO {
            self.surface_velocities.insert(slot as u32, velocity);
        } else if self.has_moving_surfaces() {
            self.surface_velocities.remove(&(slot as u32));
        }
    }

    /// Whom a collider ignores.
    pub(crate) fn ignored(&self, slot: usize) -> Option<&IgnoreCollisions> {
        self.ignoring.get(&(slot as u32))
    }

    /// The topmost ancestor of a child's collider.
    pub(crate) fn root(&self, slot: usize) -> Option<Entity> {
        self.roots.get(&(slot as u32)).copied()
    }

    /// Whether there is any collider whose surface moves.
    pub(crate) fn has_moving_surfaces(&self) -> bool {
        !self.surface_velocities.is_empty()
    }

    /// Those, in no order that means anything.
    pub(crate) fn moving_surfaces(&self) -> impl Iterator<Item = u32> {
        self.surface_velocities.keys().copied()
    }

    /// The velocity of a collider's surface, beside that of the collider.
    pub(crate) fn surface_velocity(&self, slot: usize) -> Vec2 {
        let velocity = self.surface_velocities.get(&(slot as u32));
        velocity.copied().unwrap_or_default()
    }

    /// There is no collider in a slot any more.
    pub(crate) fn remove(&mut self, slot: usize) {
        self.set_ignored(slot, None);
        self.set_root(slot, None);
        self.set_surface_velocity(slot, Vec2::ZERO);
    }

    /// Others have taken the places of those that are known.
    pub(crate) fn map_entities(&mut self, mapper: &mut impl EntityMapper) {
        let roots = self.roots.values_mut();
        let ignored = self.ignoring.values_mut();
        let ignored = ignored.flat_map(|ignored| ignored.entities.iter_mut());
        for entity in roots.chain(ignored) {
            if *entity != Entity::PLACEHOLDER {
                *entity = mapper.get_mapped(*entity);
            }
        }
    }
}
