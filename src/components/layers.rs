//! Who sees whom.

use bevy::{
    ecs::prelude::{Component, ReflectComponent},
    reflect::{Reflect, std_traits::ReflectDefault},
};

use super::removals::note_change;

/// Which layers a collider is on, and which it collides with; 32 of them, one bit each. Both sides must agree.
///
/// A collider without this component is on the first layer and collides with all, which is also the default. Goes beside the collider itself, also on
/// a child.
///
/// ```
/// # use bevy_nudge::prelude::*;
/// const WALLS: u32 = 1 << 0;
/// const PLAYERS: u32 = 1 << 1;
/// const GHOSTS: u32 = 1 << 2;
/// let player = CollisionLayers::new(PLAYERS, WALLS | GHOSTS);
/// let ghost = CollisionLayers::new(GHOSTS, PLAYERS);
/// assert!(player.interacts_with(ghost));
/// assert!(!ghost.interacts_with(CollisionLayers::default())); // through walls
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Component, Clone, Debug, Default, PartialEq, Hash)]
#[doc(alias = "mask")]
#[doc(alias = "collision groups")]
#[component(on_remove = note_change)]
pub struct CollisionLayers {
    /// The layers that the collider is on.
    pub memberships: u32,
    /// The layers that it collides with.
    pub filters: u32,
}

impl CollisionLayers {
    /// On the first layer, collides with all.
    pub const DEFAULT: Self = Self::new(1, u32::MAX);
    /// On all layers, collides with all.
    pub const ALL: Self = Self::new(u32::MAX, u32::MAX);
    /// On no layer, collides with nothing.
    pub const NONE: Self = Self::new(0, 0);

    /// Layers by their bits.
    pub const fn new(memberships: u32, filters: u32) -> Self {
        Self {
            memberships,
            filters,
        }
    }

    /// Whether both sides agree to collide.
    pub const fn interacts_with(self, other: Self) -> bool {
        self.memberships & other.filters != 0 && other.memberships & self.filters != 0
    }
}

impl Default for CollisionLayers {
    fn default() -> Self {
        Self::DEFAULT
    }
}
