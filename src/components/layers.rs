//! Which colliders collide with which, by layers.

use std::fmt;

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    ecs::prelude::{Component, ReflectComponent, ReflectResource, Resource},
    reflect::{Reflect, std_traits::ReflectDefault},
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

use super::removals::note_change;

/// Which layers a collider is on, and which layers it collides with; 32 layers, one bit each. Two colliders collide only if each is on a layer that the other collides with.
///
/// A collider without this component is on the first layer and collides with all layers, which is also the default. Goes on the collider's own entity, also on
/// a child. Give the layers of a game names as constants; [`LayerNames`] makes those names known to [`explain`](crate::query::explain).
///
/// ```
/// # use bevy_nudge::prelude::*;
/// const WALLS: u32 = 1 << 0;
/// const PLAYERS: u32 = 1 << 1;
/// const GHOSTS: u32 = 1 << 2;
/// let player = CollisionLayers::on(PLAYERS).with(WALLS | GHOSTS);
/// let ghost = CollisionLayers::on(GHOSTS).with(PLAYERS);
/// assert!(player.interacts_with(ghost));
/// assert!(!ghost.interacts_with(CollisionLayers::default())); // through walls
///
/// assert_eq!(CollisionLayers::DEFAULT, CollisionLayers::new(1, u32::MAX)); // memberships, filters
/// assert!(CollisionLayers::ALL.interacts_with(player)); // on all layers, and collides with all
/// assert!(!CollisionLayers::NONE.interacts_with(CollisionLayers::ALL)); // with nothing
/// ```
#[derive(Component, Reflect, Clone, Copy, PartialEq, Eq, Hash)]
#[reflect(Component, Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    serde(default),
    reflect(Serialize, Deserialize)
)]
#[doc(alias = "mask")]
#[doc(alias = "collision groups")]
#[component(on_remove = note_change)]
pub struct CollisionLayers {
    /// The layers that the collider is on.
    pub memberships: u32,
    /// The layers that the collider collides with.
    pub filters: u32,
}

impl CollisionLayers {
    /// On the first layer, collides with all layers.
    pub const DEFAULT: Self = Self::new(1, u32::MAX);
    /// On all layers, collides with all layers.
    pub const ALL: Self = Self::new(u32::MAX, u32::MAX);
    /// On no layer, collides with nothing.
    pub const NONE: Self = Self::new(0, 0);

    /// Makes layers that are on `memberships` and collide with all, until [`with`](Self::with) or [`without`](Self::without) says otherwise.
    ///
    /// ```
    /// # use bevy_nudge::prelude::*;
    /// const WORLD: u32 = 1 << 0;
    /// const ENEMIES: u32 = 1 << 1;
    /// const BULLETS: u32 = 1 << 2;
    /// assert_eq!(CollisionLayers::on(WORLD), CollisionLayers { memberships: WORLD, filters: u32::MAX });
    /// let enemy = CollisionLayers::on(ENEMIES).with(WORLD | BULLETS); // with nothing else
    /// assert_eq!(enemy, CollisionLayers { memberships: ENEMIES, filters: WORLD | BULLETS });
    /// let bullet = CollisionLayers::on(BULLETS).without(BULLETS); // with all but its like
    /// assert_eq!(bullet, CollisionLayers { memberships: BULLETS, filters: !BULLETS });
    /// ```
    pub const fn on(memberships: u32) -> Self {
        Self::new(memberships, u32::MAX)
    }

    /// Sets the layers to collide with: these and no others, whatever they were before.
    #[must_use]
    pub const fn with(mut self, filters: u32) -> Self {
        self.filters = filters;
        self
    }

    /// Removes layers from those to collide with.
    #[must_use]
    pub const fn without(mut self, layers: u32) -> Self {
        self.filters &= !layers;
        self
    }

    /// Makes layers from their bits: those that the collider is on, and those that it collides with. [`on`](Self::on) is the more readable way.
    pub const fn new(memberships: u32, filters: u32) -> Self {
        Self {
            memberships,
            filters,
        }
    }

    /// Whether colliders with these two sets of layers collide: each must be on a layer that the other collides with.
    pub const fn interacts_with(self, other: Self) -> bool {
        self.memberships & other.filters != 0 && other.memberships & self.filters != 0
    }
}

/// Prints layers by their numbers, from 0: `CollisionLayers { memberships: 0|3, filters: all }`.
impl fmt::Debug for CollisionLayers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CollisionLayers")
            .field("memberships", &LayerList(self.memberships, None))
            .field("filters", &LayerList(self.filters, None))
            .finish()
    }
}

/// The names of a game's layers, for text that people read. The first name is that of the first layer, `1 << 0`.
///
/// ```
/// # use bevy_nudge::prelude::*;
/// let names = LayerNames::new(["walls", "players"]);
/// assert_eq!((names.name(1), names.name(2)), (Some("players"), None));
/// assert_eq!(names.describe(0b111), "walls|players|2");
/// assert_eq!(names.describe(u32::MAX), "all");
/// assert_eq!(names.describe(0), "none");
/// ```
#[derive(Resource, Reflect, Clone, Debug, Default, PartialEq, Eq)]
#[reflect(Resource, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct LayerNames(Vec<String>);

impl LayerNames {
    /// Makes a list of names in the order of the layers; names beyond the 32nd have no effect.
    pub fn new<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self(names.into_iter().map(Into::into).collect())
    }

    /// Returns the name of a layer by its number, from 0 to 31, if it has one.
    pub fn name(&self, layer: usize) -> Option<&str> {
        self.0.get(layer).map(String::as_str)
    }

    /// Lists the layers of a mask by name, or by number where a layer has no name.
    pub fn describe(&self, layers: u32) -> String {
        LayerList(layers, Some(self)).to_string()
    }
}

/// Prints a mask of layers as text for people.
struct LayerList<'a>(u32, Option<&'a LayerNames>);

impl fmt::Display for LayerList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(layers, names) = *self;
        match layers {
            0 => return f.write_str("none"),
            u32::MAX => return f.write_str("all"),
            _ => {}
        }
        let set = (0..32).filter(|layer| layers & (1 << layer) != 0);
        for (number, layer) in set.enumerate() {
            if number > 0 {
                f.write_str("|")?;
            }
            match names.and_then(|names| names.name(layer)) {
                Some(name) => f.write_str(name)?,
                None => write!(f, "{layer}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for LayerList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Default for CollisionLayers {
    fn default() -> Self {
        Self::DEFAULT
    }
}
