//! What counts as a floor, a wall or a ceiling.

use bevy::{ecs::entity::Entity, math::Vec2, reflect::Reflect};

/// What kind of surface something touches, or has hit, given the up direction and the steepest slope of a floor. [`Moved`](super::Moved) and [`Collisions::surfaces_of`](super::Collisions::surfaces_of) have examples.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Clone, Debug, PartialEq, Hash)]
pub enum Surface {
    /// Its normal points up, within the steepest slope of a floor.
    Floor,
    /// Neither floor nor ceiling.
    Wall,
    /// Its normal points down.
    Ceiling,
}

impl Surface {
    /// Classifies a surface by its normal, which points towards what touches it. Without an up direction, all surfaces are walls.
    pub(super) fn of(normal: Vec2, up: Vec2, max_slope: f32) -> Self {
        let (rise, across) = (normal.dot(up), normal.perp_dot(up).abs());
        // A little more, so that the maximum slope itself counts.
        let is_flat = across <= rise.abs() * max_slope.max(0.0) + 1.0e-5;
        if is_flat && rise > 0.0 {
            Self::Floor
        } else if is_flat && rise < 0.0 {
            Self::Ceiling
        } else {
            Self::Wall
        }
    }
}

/// Something solid that a body touches, from [`Collisions::surfaces_of`](super::Collisions::surfaces_of), which has an example.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct SurfaceHit {
    /// The collider of the body.
    pub own: Entity,
    /// The collider that it touches.
    pub other: Entity,
    /// The body of that collider: an ancestor with a [`Body`](crate::components::Body), or the entity itself.
    pub other_body: Entity,
    /// Unit normal of the surface, towards the body.
    pub normal: Vec2,
    /// Where the two touch, in world space: for two flat sides, the middle of their common part.
    pub point: Vec2,
    /// What kind of surface is touched.
    pub surface: Surface,
}
