//! The spaces in which the bodies below parents move.

use bevy::{
    ecs::entity::{Entity, EntityHashMap},
    math::Affine3A,
};

/// Poses of parents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spaces(EntityHashMap<Affine3A>);

impl Spaces {
    /// Notes the poses of these parents, and forgets all others.
    pub(super) fn note(
        &mut self,
        parents: impl Iterator<Item = Entity>,
        pose: impl Fn(Entity) -> Affine3A,
    ) {
        self.0.clear();
        // Mostly the next body has the same parent.
        let mut last = None;
        for parent in parents {
            if last != Some(parent) {
                self.0.entry(parent).or_insert_with(|| pose(parent));
                last = Some(parent);
            }
        }
    }

    /// Returns the pose that a parent of a body had at the end of the newest tick; `None` if the entity was not the parent of any.
    pub(crate) fn of(&self, parent: Entity) -> Option<Affine3A> {
        self.0.get(&parent).copied()
    }

    /// Replaces each parent by the entity that `map` makes of it.
    pub(super) fn map_entities(&mut self, mut map: impl FnMut(&mut Entity)) {
        let spaces = std::mem::take(&mut self.0).into_iter();
        let spaces = spaces.map(|(mut parent, pose)| {
            map(&mut parent);
            (parent, pose)
        });
        self.0 = spaces.collect();
    }
}
