//! The ways that the sweep took, for those who want to see them.

#[cfg(feature = "debug")]
use bevy::ecs::prelude::ResMut;
use bevy::{
    ecs::{entity::Entity, prelude::Resource},
    math::Vec2,
};

/// A straight part of the way of a swept body in a tick, from where it set out, or was turned, to where it was turned, or arrived.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct PathLeg {
    /// The body that went it.
    pub body: Entity,
    /// The origin of the body at the beginning, in the world.
    pub from: Vec2,
    /// The same at the end.
    pub to: Vec2,
}

/// The legs of the newest tick. Nobody keeps them unless somebody wants to see them.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Paths {
    /// Somebody wants to see those of the coming sweep, and has said so since the last one.
    pub(crate) are_wanted: bool,
    pub(crate) legs: Vec<PathLeg>,
    /// Where on them something was hit.
    pub(crate) hits: Vec<Vec2>,
}

/// Asks for the paths of the tick that comes.
#[cfg(feature = "debug")]
pub(crate) fn want_paths(mut paths: ResMut<Paths>) {
    paths.are_wanted = true;
}
