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

use crate::components::{Body, Mass};

/// Reads poses and bodies up the hierarchy.
#[derive(SystemParam)]
pub(crate) struct Poses<'w, 's> {
    parents: Query<'w, 's, &'static ChildOf>,
    transforms: Query<'w, 's, &'static Transform>,
    has_body: Query<'w, 's, Has<Body>>,
    bodies: Query<'w, 's, (Option<&'static Body>, Option<&'static Mass>)>,
}

impl Poses<'_, '_> {
    /// The pose of an entity in the world, or `None` if it has no `Transform`. An ancestor without one ends the chain, as the origin.
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

    /// The pose of the space in which an entity's `Transform` is given.
    pub(crate) fn parent_affine(&self, entity: Entity) -> Affine3A {
        self.parents
            .get(entity)
            .ok()
            .and_then(|child_of| self.global(child_of.parent()))
            .map_or(Affine3A::IDENTITY, |global| global.affine())
    }

    /// The topmost ancestor with a `Body` and a `Transform`, or the entity itself.
    pub(crate) fn body_of(&self, entity: Entity) -> Entity {
        self.parents
            .iter_ancestors(entity)
            .take_while(|&ancestor| self.transforms.contains(ancestor))
            .filter(|&ancestor| self.has_body.get(ancestor).unwrap_or(false))
            .last()
            .unwrap_or(entity)
    }

    /// What a collision does to a body, and its mass. What it lacks is the default.
    pub(crate) fn body(&self, body: Entity) -> (Body, Mass) {
        let (kind, mass) = self.bodies.get(body).unwrap_or((None, None));
        (
            kind.copied().unwrap_or_default(),
            mass.copied().unwrap_or_default(),
        )
    }
}
