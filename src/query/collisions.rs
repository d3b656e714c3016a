//! The contacts of the newest tick.

use bevy::ecs::{entity::Entity, prelude::Res, system::SystemParam};

use crate::{
    messages::Collision,
    state::{
        colliders::Colliders,
        contacts::{Contacts, told},
    },
};

/// What collided in the newest finished tick. Unlike the messages it is never late and never seen twice.
///
/// Systems after [`CollisionSystems::Report`](crate::plugin::CollisionSystems::Report) see the contacts of this tick, those before it the last one's.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// #[derive(Component)]
/// struct Player;
///
/// fn is_on_the_floor(player: Single<Entity, With<Player>>, collisions: Collisions) -> bool {
///     collisions.of(*player).any(|collision| collision.normal_for(*player).is_some_and(|down| down.y < -0.7))
/// }
/// # bevy::ecs::system::assert_is_system(is_on_the_floor);
/// ```
#[derive(SystemParam)]
pub struct Collisions<'w> {
    contacts: Res<'w, Contacts>,
    colliders: Res<'w, Colliders>,
}

impl Collisions<'_> {
    /// All of them, each pair once, sorted by the pair.
    pub fn iter(&self) -> impl Iterator<Item = Collision> {
        self.contacts.in_order(&self.colliders)
    }

    /// How many pairs collide.
    pub fn len(&self) -> usize {
        self.contacts.current.len()
    }

    /// Whether nothing collides.
    pub fn is_empty(&self) -> bool {
        self.contacts.current.is_empty()
    }

    /// How `a` and `b` collide, given in either order, or `None` if they don't. Ask [`Collision::normal_for`] for the normal as one of them sees it.
    ///
    /// Costs a binary search.
    pub fn between(&self, a: Entity, b: Entity) -> Option<Collision> {
        let slots = (self.colliders.slot(a)?, self.colliders.slot(b)?);
        let meeting = self.contacts.between(slots.0, slots.1)?;
        Some(told(meeting, &self.colliders))
    }

    /// Everything that collides with a collider; a body's colliders on children are asked one by one, or by [`CollidingWith`](crate::components::CollidingWith). Costs two binary searches.
    pub fn of(&self, entity: Entity) -> impl Iterator<Item = Collision> {
        let slot = self.colliders.slot(entity);
        slot.into_iter()
            .flat_map(|slot| self.contacts.of(slot))
            .map(|meeting| told(meeting, &self.colliders))
    }
}
