//! The contacts of the newest tick.

use bevy::ecs::{entity::Entity, prelude::Res, system::SystemParam};

use crate::{
    messages::Collision,
    placed::Meeting,
    state::{
        colliders::Colliders,
        contacts::{Contacts, told},
        rules::meet_as_solids,
    },
};

/// What collided in the newest finished tick. Unlike the messages it is never late and never seen twice.
///
/// Systems after [`CollisionSystems::Report`](crate::plugin::CollisionSystems::Report) see the contacts of this tick, those before it the last one's.
///
/// ```
/// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// let player = app.world_mut().spawn((BoxCollider::square(10.0), Transform::from_xyz(0.0, 10.0, 0.0))).id();
/// let floor = app.world_mut().spawn((BoxCollider::new(100.0, 10.0), Body::Static)).id();
/// let ghost = app.world_mut().spawn((CircleCollider::new(2.0), Transform::from_xyz(0.0, 80.0, 0.0))).id();
/// app.world_mut().run_schedule(FixedPostUpdate);
///
/// app.world_mut().run_system_once(move |collisions: Collisions| {
///     // Does the player stand? A normal points down, to something solid.
///     let mut normals = collisions.solid_of(player).filter_map(|hit| hit.normal_for(player));
///     assert!(normals.any(|normal| normal.y < -0.7));
///     // What meets what?
///     assert!(!collisions.is_empty() && collisions.len() == 1);
///     assert!(collisions.iter().all(|hit| hit.involves(floor)));
///     assert!(collisions.between(floor, player).is_some() && collisions.between(player, ghost).is_none());
/// })?;
/// # Ok::<(), bevy::ecs::system::RunSystemError>(())
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
        let meetings = self.meetings_of(entity);
        meetings.map(|meeting| told(meeting, &self.colliders))
    }

    /// The same without whatever is only reported: no sensors, nothing that passes, and no ledge that is [`OneWay`](crate::components::OneWay), unless it is stood upon. So a normal that points down is a floor.
    ///
    /// What a game's filter says of how two respond is not asked. Costs what [`of`](Self::of) does, and a look at the contact itself where one of the two is `OneWay`.
    ///
    /// ```
    /// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::prelude::*;
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// let player = app.world_mut().spawn((BoxCollider::square(10.0), Transform::from_xyz(0.0, 10.0, 0.0))).id();
    /// app.world_mut().spawn((CircleCollider::new(2.0), Sensor, Transform::from_xyz(0.0, 4.0, 0.0))); // a coin below
    /// app.world_mut().spawn((BoxCollider::new(100.0, 4.0), Body::Static, OneWay::default(), Transform::from_xyz(0.0, 12.0, 0.0))); // is being jumped up through
    /// app.world_mut().run_schedule(FixedPostUpdate);
    ///
    /// app.world_mut().run_system_once(move |collisions: Collisions| {
    ///     assert_eq!(collisions.of(player).count(), 2);
    ///     assert_eq!(collisions.solid_of(player).count(), 0); // it is in the air
    /// })?;
    /// # Ok::<(), bevy::ecs::system::RunSystemError>(())
    /// ```
    pub fn solid_of(&self, entity: Entity) -> impl Iterator<Item = Collision> {
        let meetings = self.meetings_of(entity).filter(|meeting| {
            let (a, b) = meeting.slots;
            meet_as_solids(&self.colliders, a as usize, b as usize)
        });
        meetings.map(|meeting| told(meeting, &self.colliders))
    }

    fn meetings_of(&self, entity: Entity) -> impl Iterator<Item = &Meeting> {
        let slot = self.colliders.slot(entity);
        slot.into_iter().flat_map(|slot| self.contacts.of(slot))
    }
}
