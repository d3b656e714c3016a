//! Colliders one by one, for callers that check all of them.

use bevy::{ecs::entity::Entity, math::Vec2};

use super::filtered::{KnownColliders, Who};
use crate::{
    components::{Body, CollisionLayers},
    kernel::Outline,
    state::traits::Traits,
};

/// A collider as queries see it: its place in world space, scaled and with its offset, and what it does to others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColliderView {
    /// The entity with the collider.
    pub entity: Entity,
    /// The body of the collider: an ancestor with a [`Body`], or the entity itself.
    pub body: Entity,
    /// The kind of that body: how it reacts to collisions.
    pub kind: Body,
    /// The center of the collider, in world space.
    pub center: Vec2,
    /// The solid part of the collider.
    pub outline: Outline,
    /// Whether it only reports and never pushes: a [`Sensor`](crate::components::Sensor), or a collider whose response is to pass.
    pub is_sensor: bool,
    /// The unit vector of its one solid side, if it is [`OneWay`](crate::components::OneWay).
    pub one_way: Option<Vec2>,
    /// The velocity at which the surface carries what stands on it, in world units a second, if it has a [`SurfaceVelocity`](crate::components::SurfaceVelocity).
    pub surface_velocity: Vec2,
    /// Its layers.
    pub layers: CollisionLayers,
}

impl<'a> KnownColliders<'a> {
    /// Returns every collider that takes part: those that the tick knows and that still exist, then those that were added since.
    pub(super) fn all(self) -> impl Iterator<Item = ColliderView> + use<'a> {
        let slots = self.colliders.slots();
        let slots = slots.filter(move |&slot| !self.newcomers.replaces(slot));
        let all = slots.map(Who::Slot).chain(self.newcomers());
        let all = all.filter(move |&who| self.is_still_there(who));
        all.map(move |who| self.view(who))
    }

    /// Returns one of them.
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
            kind: self.rank(who).into(),
            center,
            outline,
            is_sensor: sensor,
            one_way: (one_way != Vec2::ZERO).then_some(one_way),
            surface_velocity: self.surface_velocity(who),
            layers,
        }
    }
}
