//! The paths that the sweep took, for debug drawing.

#[cfg(feature = "debug")]
use bevy::ecs::prelude::ResMut;
use bevy::{
    ecs::{entity::Entity, prelude::Resource},
    math::Vec2,
};

/// A straight part of the path of a swept body in a tick. A leg ends where the body changes direction, or arrives.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct PathLeg {
    /// The body that moved along it.
    pub body: Entity,
    /// The origin of the body at the start of the leg, in world space.
    pub from: Vec2,
    /// The same at the end of the leg.
    pub to: Vec2,
}

/// The legs of the newest tick. Recorded only on request.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Paths {
    /// The legs of the coming sweep are wanted; set anew for each sweep.
    pub(crate) are_wanted: bool,
    pub(crate) legs: Vec<PathLeg>,
    /// Places along them where something was hit.
    pub(crate) hits: Vec<Vec2>,
}

/// Requests the paths of the coming tick.
#[cfg(feature = "debug")]
pub(crate) fn want_paths(mut paths: ResMut<Paths>) {
    paths.are_wanted = true;
}
