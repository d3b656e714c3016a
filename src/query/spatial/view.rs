//! Colliders one by one, for those who look at all of them.

use bevy::{ecs::entity::Entity, math::Vec2};

use super::asked::{Known, Who};
use crate::{
    components::{Body, CollisionLayers},
    kernel::Outline,
    placed::Rank,
    state::traits::Traits,
};

/// A collider as queries see it: where it is in the world, scaled and with its offset, and what it does to others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColliderView {
    /// The entity with the collider.
    pub entity: Entity,
    /// The entity that it moves with: an ancestor with a [`Body`], or itself.
    pub body: Entity,
    /// What a collision does to that body.
    pub kind: Body,
    /// Its middle, in the world.
    pub center: Vec2,
    /// What of it is solid.
    pub outline: Outline,
    /// It reports and never pushes: a [`Sensor`](crate::components::Sensor), or one whose response is to pass.
    pub is_sensor: bool,
    /// The unit vector of its one solid side, if it is [`OneWay`](crate::components::OneWay).
    pub one_way: Option<Vec2>,
    /// How fast its surface takes along what stands on it, in world units a second, if it has a [`SurfaceVelocity`](crate::components::SurfaceVelocity).
    pub surface_velocity: Vec2,
    /// Its layers.
    pub layers: CollisionLayers,
}

impl<'a> Known<'a> {
    /// Every collider that takes part: those that the tick knows and that are still there, then those that have come since.
    pub(super) fn all(self) -> impl Iterator<Item = ColliderView> + use<'a> {
        let is_there = move |entity| self.are_all_alive || self.alive.contains(entity);
        let slots = self.colliders.slots().filter(move |&slot| {
            !self.newcomers.replaces(slot) && is_there(self.colliders.entities[slot])
        });
        let slots = slots.map(move |slot| self.view(Who::Slot(slot)));
        let views = self.newcomers().map(move |who| self.view(who));
        // Of newcomers that have gone nobody has taken note.
        slots.chain(views.filter(move |view| self.alive.contains(view.entity)))
    }

    /// One of them.
    pub(super) fn view(self, who: Who) -> ColliderView {
        let (outline, center) = self.place(who);
        let (entity, body) = self.names(who);
        let Traits {
            sensor,
            one_way,
            layers,
            ..
        } = *self.traits(who);
        ColliderView {
            entity,
            body,
            kind: match self.rank(who) {
                Rank::Dynamic => Body::Dynamic,
                Rank::Kinematic => Body::Kinematic,
                Rank::Static => Body::Static,
            },
            center,
            outline,
            is_sensor: sensor,
            one_way: (one_way != Vec2::ZERO).then_some(one_way),
            surface_velocity: self.surface_velocity(who),
            layers,
        }
    }
}
