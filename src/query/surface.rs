//! What is a floor, a wall or a ceiling.

use bevy::{ecs::entity::Entity, math::Vec2, reflect::Reflect};

/// What kind of surface something touches, or has hit: by which way is up, and how steep a floor may be. [`Moved`](super::Moved) and [`Collisions::surfaces_of`](super::Collisions::surfaces_of) have examples.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Clone, Debug, PartialEq, Hash)]
pub enum Surface {
    /// Its normal points up, by and large.
    Floor,
    /// Neither.
    Wall,
    /// Its normal points down.
    Ceiling,
}

impl Surface {
    /// By the normal towards who is on it. Where there is no up everything is a wall.
    pub(super) fn of(normal: Vec2, up: Vec2, max_slope: f32) -> Self {
        let (rise, across) = (normal.dot(up), normal.perp_dot(up).abs());
        // A little more, so that the slope itself counts.
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
    /// The entity that this one moves with: an ancestor with a [`Body`](crate::components::Body), or itself.
    pub other_body: Entity,
    /// Unit normal of its surface, towards the body.
    pub normal: Vec2,
    /// What kind of surface it is.
    pub surface: Surface,
}
