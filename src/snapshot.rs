//! What a tick has left, as plain data: for tools that draw, compare, or store it.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_nudge::{prelude::*, snapshot::{Snapshot, TickView}};
//!
//! fn look(view: TickView) -> Snapshot {
//!     view.snapshot()
//! }
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
//! app.world_mut().spawn((CircleCollider::new(1.0), Body::Kinematic));
//! app.world_mut().spawn((CircleCollider::new(2.0), Body::Kinematic, Transform::from_xyz(2.0, 0.0, 0.0)));
//! app.world_mut().run_schedule(FixedPostUpdate);
//!
//! let snapshot = app.world_mut().run_system_cached(look).unwrap();
//! assert_eq!((snapshot.colliders.len(), snapshot.contacts.len()), (2, 1));
//! assert_eq!(snapshot.contacts[0].depth, 1.0);
//! ```

use bevy::{
    ecs::{entity::Entity, prelude::Res, system::SystemParam},
    math::Vec2,
};

pub use crate::state::paths::PathLeg;
use crate::{
    messages::Collision,
    query::{ColliderView, Collisions, SpatialQuery},
    state::paths::Paths,
};

/// The world of colliders after a tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Every collider that takes part, in no meaningful order.
    pub colliders: Vec<ColliderView>,
    /// What collides, sorted by the pair.
    pub contacts: Vec<Collision>,
    /// The paths of swept bodies, if requested: a [`CollisionDebugPlugin`](crate#features) that draws them does that, and so does a recorder that is on. The legs of a body are in order.
    pub paths: Vec<PathLeg>,
}

impl Snapshot {
    /// Returns a collider by its entity; `None` if it took no part. Costs a look at each collider.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_nudge::{prelude::*, snapshot::TickView};
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// let dot = app.world_mut().spawn((CircleCollider::new(1.0), Transform::from_xyz(3.0, 4.0, 0.0))).id();
    /// # app.world_mut().run_schedule(FixedPostUpdate);
    /// let snapshot = app.world_mut().run_system_cached(|view: TickView| view.snapshot()).unwrap();
    /// assert_eq!(snapshot.collider(dot).unwrap().center, Vec2::new(3.0, 4.0));
    /// assert_eq!(snapshot.collider(Entity::PLACEHOLDER), None);
    /// ```
    pub fn collider(&self, entity: Entity) -> Option<&ColliderView> {
        self.colliders.iter().find(|view| view.entity == entity)
    }
}

/// The newest finished tick, without the colliders that are gone since, and with those added since.
#[derive(SystemParam)]
pub struct TickView<'w, 's> {
    space: SpatialQuery<'w, 's>,
    collisions: Collisions<'w, 's>,
    paths: Res<'w, Paths>,
}

impl TickView<'_, '_> {
    /// Returns every collider that takes part, including those added since the tick, and without those that are gone since.
    pub fn colliders(&self) -> impl Iterator<Item = ColliderView> {
        self.space.iter()
    }

    /// Returns what collided in the tick, sorted by the pair, without colliders that are gone since.
    pub fn contacts(&self) -> impl Iterator<Item = Collision> {
        let is_there = |entity| self.space.is_still_there(entity);
        let all = self.collisions.iter();
        all.filter(move |contact| is_there(contact.a) && is_there(contact.b))
    }

    /// Returns the paths of swept bodies, see [`Snapshot::paths`].
    pub fn paths(&self) -> impl Iterator<Item = PathLeg> {
        self.paths.legs.iter().copied()
    }

    /// Returns where something was hit on those paths: halfway between the two surfaces, when they met, in world space. Kept for the same ticks as the paths. If they still touch at the end of the tick, the point of their contact is another one.
    pub fn hits(&self) -> impl Iterator<Item = Vec2> {
        self.paths.hits.iter().copied()
    }

    /// Copies all of this into a [`Snapshot`], to be kept.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            colliders: self.colliders().collect(),
            contacts: self.contacts().collect(),
            paths: self.paths().collect(),
        }
    }
}
