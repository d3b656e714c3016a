//! Traits that only few colliders have: in maps, so that all other colliders cost nothing.

use bevy::{
    ecs::entity::{Entity, EntityMapper},
    math::Vec2,
    platform::collections::HashMap,
};

use crate::components::IgnoreCollisions;

/// Traits that only few colliders have, by slot.
#[derive(Clone, Debug, Default)]
pub(crate) struct RareTraits {
    /// What colliders ignore.
    ignoring: HashMap<u32, IgnoreCollisions>,
    /// Velocities of moving surfaces.
    surface_velocities: HashMap<u32, Vec2>,
    /// Topmost ancestors of the colliders of children.
    roots: HashMap<u32, Entity>,
}

impl RareTraits {
    /// Sets what a collider ignores. Returns whether that has changed.
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

    /// Sets the topmost ancestor of a child's collider, or `None` for a root. Returns whether that has changed.
    pub(crate) fn set_root(&mut self, slot: usize, root: Option<Entity>) -> bool {
        let slot = slot as u32;
        match root {
            Some(root) => self.roots.insert(slot, root) != Some(root),
            None => !self.roots.is_empty() && self.roots.remove(&slot).is_some(),
        }
    }

    /// Sets the velocity of a collider's surface relative to the collider.
    pub(crate) fn set_surface_velocity(&mut self, slot: usize, velocity: Vec2) {
        if velocity != Vec2::ZERO {
            self.surface_velocities.insert(slot as u32, velocity);
        } else if self.has_moving_surfaces() {
            self.surface_velocities.remove(&(slot as u32));
        }
    }

    /// Returns what a collider ignores.
    pub(crate) fn ignored(&self, slot: usize) -> Option<&IgnoreCollisions> {
        self.ignoring.get(&(slot as u32))
    }

    /// Returns the topmost ancestor of a child's collider; `None` for a root.
    pub(crate) fn root(&self, slot: usize) -> Option<Entity> {
        self.roots.get(&(slot as u32)).copied()
    }

    /// Whether any collider has a moving surface.
    pub(crate) fn has_moving_surfaces(&self) -> bool {
        !self.surface_velocities.is_empty()
    }

    /// Returns the slots of colliders with moving surfaces, in no meaningful order.
    pub(crate) fn moving_surfaces(&self) -> impl Iterator<Item = u32> {
        self.surface_velocities.keys().copied()
    }

    /// Returns the velocity of a collider's surface relative to the collider.
    pub(crate) fn surface_velocity(&self, slot: usize) -> Vec2 {
        let velocity = self.surface_velocities.get(&(slot as u32));
        velocity.copied().unwrap_or_default()
    }

    /// Removes all properties of a slot that has no collider any more.
    pub(crate) fn remove(&mut self, slot: usize) {
        self.set_ignored(slot, None);
        self.set_root(slot, None);
        self.set_surface_velocity(slot, Vec2::ZERO);
    }

    /// Replaces each known entity by the one that `mapper` has for it.
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
