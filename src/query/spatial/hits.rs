//! What queries return about the colliders they find.

use bevy::{ecs::entity::Entity, math::Vec2, reflect::Reflect};

/// A collider that a ray or a moving shape hits.
///
/// ```
/// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// let wall = app.world_mut().spawn((BoxCollider::square(20.0), Transform::from_xyz(40.0, 0.0, 0.0))).id();
///
/// let look = |space: SpatialQuery| space.cast_circle(5.0, Vec2::ZERO, Vec2::new(100.0, 0.0), &QueryFilter::ALL).first();
/// let hit: CastHit = app.world_mut().run_system_once(look)?.expect("it is on the way");
/// assert_eq!((hit.entity, hit.body), (wall, wall));
/// assert_eq!((hit.point, hit.normal), (Vec2::new(30.0, 0.0), Vec2::NEG_X));
/// assert_eq!((hit.distance, hit.fraction, hit.started_inside), (25.0, 0.25, false)); // 5 before the wall
/// # Ok::<(), bevy::ecs::system::RunSystemError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
pub struct CastHit {
    /// The entity with the collider.
    pub entity: Entity,
    /// The body of the collider: an ancestor with a [`Body`](crate::components::Body), or the entity itself.
    pub body: Entity,
    /// Where the surface of the collider is hit, in world space. For a ray that starts inside, the ray's origin; for a shape that does, halfway between both surfaces.
    pub point: Vec2,
    /// Unit normal of the surface, towards where the cast comes from. For a cast that starts inside, the direction of the shortest way out.
    pub normal: Vec2,
    /// How far the cast has moved by then, in world units.
    pub distance: f32,
    /// The fraction of the motion up to the hit, `0.0..=1.0`.
    #[doc(alias = "time_of_impact")]
    pub fraction: f32,
    /// Whether the cast overlaps the collider from the start. Distance and fraction are 0 then.
    pub started_inside: bool,
}

/// A collider near a point, or in an area, as seen from the point or from the center of the area.
///
/// ```
/// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// let wall = app.world_mut().spawn((BoxCollider::square(20.0), Transform::from_xyz(40.0, 0.0, 0.0))).id();
///
/// let near = |space: SpatialQuery| space.nearest(Vec2::new(10.0, 5.0), 50.0, &QueryFilter::ALL);
/// let hit: NearHit = app.world_mut().run_system_once(near)?.expect("it is within 50");
/// assert_eq!((hit.entity, hit.body), (wall, wall));
/// assert_eq!((hit.point, hit.normal), (Vec2::new(30.0, 5.0), Vec2::NEG_X));
/// assert_eq!((hit.distance, hit.is_inside), (20.0, false));
/// # Ok::<(), bevy::ecs::system::RunSystemError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[doc(alias = "PointProjection")]
pub struct NearHit {
    /// The entity with the collider.
    pub entity: Entity,
    /// The body of the collider: an ancestor with a [`Body`](crate::components::Body), or the entity itself.
    pub body: Entity,
    /// The point of the collider nearest to the given point, in world space; the given point itself if that is inside.
    pub point: Vec2,
    /// Unit normal of the surface there, towards the given point. From inside, the direction of the shortest way out.
    pub normal: Vec2,
    /// The distance to that point, in world units; 0 from inside.
    pub distance: f32,
    /// Whether the given point is inside of the collider, or on its edge.
    pub is_inside: bool,
}
