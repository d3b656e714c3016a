//! Where an entity is *now*: through its parents, from their `Transform`s of this tick, not from last frame's `GlobalTransform`.

use bevy::{
    ecs::{
        entity::Entity,
        hierarchy::ChildOf,
        prelude::{Has, Query},
        system::SystemParam,
    },
    math::Affine3A,
    transform::components::{GlobalTransform, Transform},
};

use crate::allow_disabled::AllowDisabled;
use crate::components::{Body, Mass, Response};

/// The components that are read of a body.
type BodyData = (
    Option<&'static Body>,
    Option<&'static Mass>,
    Option<&'static Response>,
);

/// Reads poses and bodies up the hierarchy.
#[derive(SystemParam)]
pub(crate) struct Poses<'w, 's> {
    // Disabled entities included: they keep their place, and the poses of their children depend on it.
    pub(super) parents: Query<'w, 's, &'static ChildOf, AllowDisabled>,
    pub(super) transforms: Query<'w, 's, &'static Transform, AllowDisabled>,
    has_body: Query<'w, 's, Has<Body>, AllowDisabled>,
    bodies: Query<'w, 's, BodyData, AllowDisabled>,
}

impl Poses<'_, '_> {
    /// Returns the pose of an entity in world space, or `None` if it has no `Transform`. An ancestor without one ends the chain, as if it were at the origin.
    pub(crate) fn global(&self, entity: Entity) -> Option<GlobalTransform> {
        let own = *self.transforms.get(entity).ok()?;
        Some(
            self.parents
                .iter_ancestors(entity)
                .map_while(|ancestor| self.transforms.get(ancestor).ok())
                .fold(GlobalTransform::from(own), |global, parent| {
                    *parent * global
                }),
        )
    }

    /// Returns the pose of an entity relative to one of its ancestors.
    pub(crate) fn within(&self, entity: Entity, ancestor: Entity) -> GlobalTransform {
        let below = self.parents.iter_ancestors(entity);
        let below = below.take_while(|&one| one != ancestor);
        let mut pose = GlobalTransform::IDENTITY;
        for one in std::iter::once(entity).chain(below) {
            let transform = self.transforms.get(one).copied().unwrap_or_default();
            pose = transform * pose;
        }
        pose
    }

    /// Returns the pose of the space in which an entity's `Transform` is given.
    pub(crate) fn parent_affine(&self, entity: Entity) -> Affine3A {
        let parent = self.parent(entity);
        parent.map_or(Affine3A::IDENTITY, |parent| self.affine(parent))
    }

    pub(crate) fn parent(&self, entity: Entity) -> Option<Entity> {
        self.parents.get(entity).ok().map(ChildOf::parent)
    }

    /// Returns the pose of an entity, which is the space of its children; the identity if it has no `Transform`.
    pub(crate) fn affine(&self, entity: Entity) -> Affine3A {
        let global = self.global(entity);
        global.map_or(Affine3A::IDENTITY, |global| global.affine())
    }

    /// Returns the topmost ancestor with a `Body` and a `Transform`, or the entity itself.
    pub(crate) fn body_of(&self, entity: Entity) -> Entity {
        self.parents
            .iter_ancestors(entity)
            .take_while(|&ancestor| self.transforms.contains(ancestor))
            .filter(|&ancestor| self.has_body.get(ancestor).unwrap_or(false))
            .last()
            .unwrap_or(entity)
    }

    /// Returns the topmost ancestor, or the entity itself.
    pub(crate) fn root_of(&self, entity: Entity) -> Entity {
        self.parents.root_ancestor(entity)
    }

    /// Returns the kind of a body, its mass, and its response to collisions; defaults for missing components.
    pub(crate) fn body(&self, body: Entity) -> (Body, Mass, Response) {
        let (kind, mass, response) = self.bodies.get(body).unwrap_or_default();
        (
            kind.copied().unwrap_or_default(),
            mass.copied().unwrap_or_default(),
            response.copied().unwrap_or_default(),
        )
    }
}
