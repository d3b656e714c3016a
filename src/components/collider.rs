//! The three shapes that a collider can have.

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    ecs::{
        lifecycle::HookContext,
        prelude::{Component, Or, ReflectComponent, With, Without, World},
        world::{DeferredWorld, EntityRef},
    },
    math::Vec2,
    reflect::{Reflect, std_traits::ReflectDefault},
    transform::components::Transform,
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

use crate::{
    allow_disabled::AllowDisabled,
    components::{body::Body, ignore::ColliderDisabled},
    kernel::{InvalidShape, Shape},
};

use super::leavers::note_leaving;

/// Query filter: all entities with a collider, whether it takes part or not.
pub(crate) type IsCollider = Or<(
    With<CircleCollider>,
    With<BoxCollider>,
    With<BoundsCollider>,
)>;

/// Query filter: the same, and disabled entities too.
pub(crate) type AnyCollider = (IsCollider, AllowDisabled);

/// Returns how many colliders an entity has: more than one only by mistake, or while one of them is removed.
pub(crate) fn count_colliders(entity: EntityRef) -> usize {
    let kinds = [
        entity.contains::<CircleCollider>(),
        entity.contains::<BoxCollider>(),
        entity.contains::<BoundsCollider>(),
    ];
    kinds.into_iter().filter(|is_there| *is_there).count()
}

/// Query filter: entities with a collider that does not have `ColliderDisabled`.
pub(crate) type EnabledCollider = (IsCollider, Without<ColliderDisabled>);

/// Hook for the removal of a collider component.
fn leave(mut world: DeferredWorld, context: HookContext) {
    let entity = context.entity;
    let Some(tell) = note_leaving(&mut world, entity) else {
        return;
    };
    // What goes together is all still there. Only then does it show whether another collider has taken the place of this one, and keeps its contacts.
    world.commands().queue(move |world: &mut World| {
        if world.get_entity(entity).map_or(0, count_colliders) == 0 {
            tell(world, entity);
        }
    });
}

/// A circle that collides. This component alone is enough: it brings a [`Transform`] and a [`Body`].
///
/// It follows the global scale of its entity. Where the scale differs between the axes, the larger one counts, since a circle stays a circle.
///
/// - A radius that is negative or not finite, like any [invalid](InvalidShape) size, position or scale, takes the collider out of the world until it is corrected; a warning names the entity once.
/// - A scale of 0 is valid: it makes a point, which collides as any other. To switch a collider off, insert a [`ColliderDisabled`](super::ColliderDisabled).
/// - An entity has one collider: with two of different types it takes no part either. Put further colliders on children.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut world = World::new();
/// world.spawn((CircleCollider::new(10.0), Transform::from_xyz(160.0, 120.0, 0.0)));
///
/// let head = CircleCollider::new(4.0).with_offset(Vec2::new(0.0, 12.0)); // above the entity
/// assert_eq!(head, CircleCollider { radius: 4.0, offset: Vec2::new(0.0, 12.0) });
/// assert_eq!(head.shape().unwrap().half_extents(), Vec2::splat(4.0));
/// assert_eq!(CircleCollider::from(Circle::new(4.0)), CircleCollider::new(4.0)); // the shape of a mesh
/// assert!(CircleCollider::new(-4.0).shape().is_err());
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
#[require(Transform, Body)]
#[component(on_remove = leave)]
pub struct CircleCollider {
    /// Center to edge in units of the entity, which its scale and those of its parents enlarge; finite and `>= 0`. 0 makes a point,
    /// which does not meet an edge that it only runs along: within 0.005 of the seam of two flush tiles, where an edge counts as that of the other one, it passes between them, as a ray does that is exactly on the seam. Give a bullet a radius of 0.01 or so instead.
    pub radius: f32,
    /// Center relative to the entity, before the entity's rotation and scale.
    #[reflect(default)]
    #[cfg_attr(feature = "serialize", serde(default))]
    pub offset: Vec2,
}

/// As wide and high as Bevy's own shapes by default: 1.
impl Default for CircleCollider {
    fn default() -> Self {
        Self::new(0.5)
    }
}

impl CircleCollider {
    /// Makes a circle around the entity.
    pub const fn new(radius: f32) -> Self {
        Self {
            radius,
            offset: Vec2::ZERO,
        }
    }

    /// Moves the circle's center to another place, relative to the entity.
    #[must_use]
    pub const fn with_offset(mut self, offset: Vec2) -> Self {
        self.offset = offset;
        self
    }

    /// Returns the kernel's [`Shape`] of the circle, unscaled.
    ///
    /// # Errors
    /// [`InvalidShape::Radius`] as for [`Shape::circle`].
    pub fn shape(&self) -> Result<Shape, InvalidShape> {
        Shape::circle(self.radius)
    }
}

/// A box that collides: with sharp or round corners, or a capsule. This component alone is enough: it brings a [`Transform`] and a [`Body`].
///
/// **It never rotates.** The rotation of the entity moves the offset and the children, but the box stays axis-aligned. It does
/// follow the global scale, per axis and without sign; round corners follow the axis with the smaller scale.
///
/// A size that is negative or not finite, or a corner radius larger than the smaller half size, takes the collider out of the world
/// until it is corrected; see [`CircleCollider`].
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// let wall = BoxCollider::new(40.0, 400.0);
/// assert_eq!(wall.half_size, Vec2::new(20.0, 200.0));
/// assert_eq!(wall, BoxCollider::from_half_size(Vec2::new(20.0, 200.0)));
/// assert_eq!(wall, BoxCollider::from_size(Vec2::new(40.0, 400.0)));
/// assert_eq!(wall, Rectangle::new(40.0, 400.0).into()); // the shape of a mesh
/// assert_eq!(wall.size(), Vec2::new(40.0, 400.0)); // of a sprite
/// let player = BoxCollider::capsule(6.0, 20.0).with_offset(Vec2::new(0.0, 16.0)); // stands on its origin
/// assert_eq!((player.half_size, player.corner_radius), (Vec2::new(6.0, 16.0), 6.0));
/// assert_eq!(BoxCollider::from(Capsule2d::new(6.0, 20.0)), BoxCollider::capsule(6.0, 20.0));
/// let log = BoxCollider::capsule_x(6.0, 20.0);
/// assert_eq!((log.half_size, log.corner_radius), (Vec2::new(16.0, 6.0), 6.0));
/// let soft = BoxCollider::square(16.0).with_corner_radius(3.0);
/// assert_eq!((soft.half_size, soft.corner_radius), (Vec2::splat(8.0), 3.0));
/// assert_eq!(soft.shape().unwrap().half_extents(), Vec2::splat(8.0));
/// assert!(BoxCollider::square(4.0).with_corner_radius(3.0).shape().is_err()); // rounder than it is wide
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
#[require(Transform, Body)]
#[doc(alias = "rectangle")]
#[component(on_remove = leave)]
pub struct BoxCollider {
    /// Half of the width and height in units of the entity, which its scale and those of its parents enlarge; round corners included; finite and `>= 0`. 0 on one axis makes a segment, which may slip into a seam as a [point](CircleCollider::radius) does.
    pub half_size: Vec2,
    /// Radius of the corners in the same units: `0.0` for sharp corners, the smaller half size for a capsule.
    #[reflect(default)]
    #[cfg_attr(feature = "serialize", serde(default))]
    pub corner_radius: f32,
    /// Center relative to the entity, before the entity's rotation and scale.
    #[reflect(default)]
    #[cfg_attr(feature = "serialize", serde(default))]
    pub offset: Vec2,
}

/// As wide and high as Bevy's own shapes by default: 1.
impl Default for BoxCollider {
    fn default() -> Self {
        Self::square(1.0)
    }
}

impl BoxCollider {
    /// Makes a box around the entity from its full width and height.
    pub const fn new(width: f32, height: f32) -> Self {
        Self::from_half_size(Vec2::new(width * 0.5, height * 0.5))
    }

    /// Makes a square around the entity from its full side.
    pub const fn square(side: f32) -> Self {
        Self::new(side, side)
    }

    /// Makes a box around the entity from its full width and height as one vector, such as a constant of the game or the size of a sprite.
    pub const fn from_size(size: Vec2) -> Self {
        Self::new(size.x, size.y)
    }

    /// Makes a box around the entity from half of its width and height.
    pub const fn from_half_size(half_size: Vec2) -> Self {
        Self {
            half_size,
            corner_radius: 0.0,
            offset: Vec2::ZERO,
        }
    }

    /// Makes the box between any two opposite corners, given relative to the entity.
    ///
    /// ```
    /// # use bevy::prelude::*; use bevy_nudge::prelude::*;
    /// let roof = BoxCollider::from_corners(Vec2::new(10.0, 4.0), Vec2::new(0.0, 8.0));
    /// assert_eq!((roof.half_size, roof.offset), (Vec2::new(5.0, 2.0), Vec2::new(5.0, 6.0)));
    /// ```
    pub fn from_corners(a: Vec2, b: Vec2) -> Self {
        Self::from_half_size((b - a).abs() * 0.5).with_offset((a + b) * 0.5)
    }

    /// Makes an upright capsule around the entity. `length` is that of its straight part, so the capsule is `length + 2 * radius` high.
    pub const fn capsule(radius: f32, length: f32) -> Self {
        Self::from_half_size(Vec2::new(radius, length * 0.5 + radius)).with_corner_radius(radius)
    }

    /// Makes a lying capsule around the entity. `length` is that of its straight part, so the capsule is `length + 2 * radius` wide.
    pub const fn capsule_x(radius: f32, length: f32) -> Self {
        Self::from_half_size(Vec2::new(length * 0.5 + radius, radius)).with_corner_radius(radius)
    }

    /// Rounds the corners; the outer size stays.
    #[must_use]
    pub const fn with_corner_radius(mut self, corner_radius: f32) -> Self {
        self.corner_radius = corner_radius;
        self
    }

    /// Moves the box's center to another place, relative to the entity.
    #[must_use]
    pub const fn with_offset(mut self, offset: Vec2) -> Self {
        self.offset = offset;
        self
    }

    /// Returns the full width and height in units of the entity, round corners included. A sprite of this size on the same entity covers the box, and follows the scale as the box does.
    pub fn size(&self) -> Vec2 {
        self.half_size * 2.0
    }

    /// Returns the kernel's [`Shape`] of the box, unscaled.
    ///
    /// # Errors
    /// [`InvalidShape::HalfSize`] or [`InvalidShape::CornerRadius`] as for [`Shape::rounded_rectangle`].
    pub fn shape(&self) -> Result<Shape, InvalidShape> {
        Shape::rounded_rectangle(self.half_size, self.corner_radius)
    }
}

/// A room: a box that is solid on the *outside*, so that a [`Dynamic`](Body::Dynamic) body inside stays inside. For screen edges and arenas.
///
/// It brings a [`Transform`] and a [`Body`], a static one unless another is given. Every collider that collides with it by layers belongs inside, so with several rooms in one world give each its own layer.
///
/// - A `Dynamic` body outside the room is brought back by the shortest way. One that is too large for the room is held in its middle, and reported there in each tick, with a depth of 0.
/// - A `Kinematic` one goes through its walls, as through all others, and is only reported, unless a [`Mover`](crate::query::Mover) moves it: where it is to stay inside, the game clamps its place or its velocity.
/// - Two rooms never collide.
/// - It collides with each collider that sticks out or touches a wall: one report each; in a corner, the normal is between those of both walls.
/// - It costs one check of every collider that is not `Static`, and if the room itself is not `Static`, also of every `Static` one.
/// - A moving room stops a body that moves by itself and is in the room's way. But the room does not look ahead: its wall pushes a collider that stands still inside only where the tick ends, and a `Dynamic` room that runs into something `Static` is pushed back, but keeps its `Velocity`.
///
/// Scale, rotation and invalid sizes are treated as for a [`BoxCollider`].
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut world = World::new();
/// let screen = world.spawn(BoundsCollider::new(640.0, 480.0)).id();
/// assert_eq!(world.get::<Body>(screen), Some(&Body::Static));
///
/// let room = BoundsCollider::from_corners(Vec2::ZERO, Vec2::new(640.0, 480.0)); // its lesser corner is the origin
/// assert_eq!(room, BoundsCollider::new(640.0, 480.0).with_offset(Vec2::new(320.0, 240.0)));
/// assert_eq!(room.size(), Vec2::new(640.0, 480.0));
/// assert_eq!(BoundsCollider::from_size(room.size()), BoundsCollider::new(640.0, 480.0)); // around the entity
/// assert_eq!(room.shape().unwrap().half_extents(), Vec2::new(320.0, 240.0));
///
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// app.world_mut().spawn(BoundsCollider::new(640.0, 480.0));
/// let places = [(Body::Dynamic, 100.0), (Body::Kinematic, -100.0)].map(|(body, y)| {
///     app.world_mut().spawn((CircleCollider::new(10.0), body, Transform::from_xyz(330.0, y, 0.0))).id()
/// });
/// app.world_mut().run_schedule(FixedPostUpdate);
/// assert_eq!(places.map(|one| app.world().get::<Transform>(one).unwrap().translation.x), [310.0, 330.0]);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
#[require(Transform, Body = Body::Static)]
#[doc(alias = "world bounds")]
#[component(on_remove = leave)]
pub struct BoundsCollider {
    /// Half of the width and height of the room in units of the entity, which its scale and those of its parents enlarge; finite and `>= 0`.
    pub half_size: Vec2,
    /// Center relative to the entity, before the entity's rotation and scale.
    #[reflect(default)]
    #[cfg_attr(feature = "serialize", serde(default))]
    pub offset: Vec2,
}

/// As wide and high as Bevy's own shapes by default: 1.
impl Default for BoundsCollider {
    fn default() -> Self {
        Self::new(1.0, 1.0)
    }
}

impl BoundsCollider {
    /// Makes a room around the entity from its full width and height.
    pub const fn new(width: f32, height: f32) -> Self {
        Self {
            half_size: Vec2::new(width * 0.5, height * 0.5),
            offset: Vec2::ZERO,
        }
    }

    /// Makes a room around the entity from its full width and height as one vector.
    pub const fn from_size(size: Vec2) -> Self {
        Self::new(size.x, size.y)
    }

    /// Makes the room between any two opposite corners, given relative to the entity.
    pub fn from_corners(a: Vec2, b: Vec2) -> Self {
        Self {
            half_size: (b - a).abs() * 0.5,
            offset: (a + b) * 0.5,
        }
    }

    /// Moves the room's center to another place, relative to the entity.
    #[must_use]
    pub const fn with_offset(mut self, offset: Vec2) -> Self {
        self.offset = offset;
        self
    }

    /// Returns the full width and height in units of the entity, as [`BoxCollider::size`] does.
    pub fn size(&self) -> Vec2 {
        self.half_size * 2.0
    }

    /// Returns the room's rectangle as a [`Shape`] that is solid on the inside, unscaled.
    ///
    /// # Errors
    /// [`InvalidShape::HalfSize`] as for [`Shape::rectangle`].
    pub fn shape(&self) -> Result<Shape, InvalidShape> {
        Shape::rectangle(self.half_size)
    }
}
