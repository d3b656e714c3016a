//! What a tick has left, as plain data: for tools that draw it, compare it, or keep it.
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
    ecs::{prelude::Res, system::SystemParam},
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
    /// Every collider that takes part, in no order that means anything.
    pub colliders: Vec<ColliderView>,
    /// What collides, sorted by the pair.
    pub contacts: Vec<Collision>,
    /// The ways of swept bodies, if anybody wanted to see them: a [`CollisionDebugPlugin`](crate#features) that draws them does, and so does a recorder that is on. Each leg comes after those that the body went before.
    pub paths: Vec<PathLeg>,
}

/// The newest finished tick, and what has come and gone since.
#[derive(SystemParam)]
pub struct TickView<'w, 's> {
    space: SpatialQuery<'w, 's>,
    collisions: Collisions<'w, 's>,
    paths: Res<'w, Paths>,
}

impl TickView<'_, '_> {
    /// Every collider that takes part. Those that have come since the tick are among them, those that have gone since are not.
    pub fn colliders(&self) -> impl Iterator<Item = ColliderView> {
        self.space.iter()
    }

    /// What collided in the tick, sorted by the pair, without those that have gone since.
    pub fn contacts(&self) -> impl Iterator<Item = Collision> {
        let is_there = |entity| self.space.contains(entity);
        let all = self.collisions.iter();
        all.filter(move |contact| is_there(contact.a) && is_there(contact.b))
    }

    /// The ways of swept bodies, see [`Snapshot::paths`].
    pub fn paths(&self) -> impl Iterator<Item = PathLeg> {
        self.paths.legs.iter().copied()
    }

    /// Where something was hit on those ways: halfway between the two surfaces, when they met, in world coordinates. Kept for the same ticks as the ways. The point of the contact is another one if they still touch when the tick is over.
    pub fn hits(&self) -> impl Iterator<Item = Vec2> {
        self.paths.hits.iter().copied()
    }

    /// All that a [`Snapshot`] has of it, to be kept. Copies it.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            colliders: self.colliders().collect(),
            contacts: self.contacts().collect(),
            paths: self.paths().collect(),
        }
    }
}
