//! The system parameter.

use std::ops::ControlFlow;

use bevy::{
    ecs::{
        entity::Entity,
        prelude::{Local, Query, Res},
        system::SystemParam,
    },
    math::Vec2,
};

use super::{
    filter::QueryFilter,
    filtered::{FilteredColliders, KnownColliders},
    hits::{CastHit, NearHit},
    newcomers::Noting,
    notes::{QueryNote, QueryNotes, each_and_keep},
    questions::{CastQuestion, OverlapQuestion},
    view::ColliderView,
};
use crate::{
    components::{EnabledCollider, Removals},
    kernel::{Outline, Shape, is_in_world},
    settings::CollisionSettings,
    spatial::{Area, Cast, approach, cast_many, nearest, nearest_each, nearest_n, overlap_many},
    state::{candidates::Candidates, colliders::Colliders, newcomers::Newcomers},
};

/// Spatial queries: what does this ray hit, what is under this point, what is near? Changes nothing; systems that only query run in parallel, also with systems that change `Transform`s.
///
/// | query | methods |
/// |---|---|
/// | what does it hit? | [`cast_ray`](Self::cast_ray), [`cast_circle`](Self::cast_circle), [`cast_box`](Self::cast_box), [`cast_shape`](Self::cast_shape), [`cast_collider`](Self::cast_collider) |
/// | is anything between? | [`has_line_of_sight`](Self::has_line_of_sight) |
/// | what is there? | [`overlap_point`](Self::overlap_point), [`overlap_circle`](Self::overlap_circle), [`overlap_box`](Self::overlap_box), [`overlap_shape`](Self::overlap_shape), [`overlap_collider`](Self::overlap_collider) |
/// | what is near? | [`nearest`](Self::nearest), [`nearest_n`](Self::nearest_n), [`nearest_each`](Self::nearest_each) |
/// | about known entities | [`get`](Self::get), [`closest_point`](Self::closest_point), [`distance`](Self::distance) |
/// | all colliders | [`iter`](Self::iter) |
/// | many at once | [`cast_many`](Self::cast_many), [`overlap_many`](Self::overlap_many) |
///
/// Casts and overlaps return a question, which is answered by one of its methods: `first()`, `all()` in order, `each(..)` until it breaks off, or whether there is `any()`. Each takes a [`QueryFilter`]
/// that says which colliders count. Points, circles, boxes and rounded boxes are met exactly; of rooms ([`BoundsCollider`](crate::components::BoundsCollider)) the *outside* is solid: a ray
/// from inside hits the wall from inside, one that starts outside of a room hits the room at once, and an area outside of a room finds it.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::prelude::*;
///
/// # use bevy::ecs::system::RunSystemOnce;
/// # #[derive(Component)] struct Turret;
/// # #[derive(Component)] struct Health(f32);
/// fn fire(space: SpatialQuery, turret: Single<(Entity, &Transform), With<Turret>>, mut health: Query<&mut Health>) {
///     let (entity, transform) = *turret;
///     let (place, barrel) = (transform.translation.truncate(), transform.right().truncate());
///     if let Some(hit) = space.cast_ray(place, barrel * 500.0, &QueryFilter::excluding(&[entity])).first() {
///         // All within 30 of where the shell bursts, the less the farther away.
///         for near in space.overlap_circle(30.0, hit.point, &QueryFilter::default()).all() {
///             if let Ok(mut health) = health.get_mut(near.entity) {
///                 health.0 -= 30.0 - near.distance;
///             }
///         }
///     }
/// }
///
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// app.world_mut().spawn((CircleCollider::new(10.0), Turret));
/// app.world_mut().spawn((BoxCollider::new(10.0, 100.0), Body::Static, Transform::from_xyz(105.0, 0.0, 0.0))); // met at 100
/// let enemy = app.world_mut().spawn((CircleCollider::new(10.0), Health(100.0), Transform::from_xyz(80.0, 30.0, 0.0))).id();
/// app.world_mut().run_system_once(fire)?;
/// let left = app.world().get::<Health>(enemy).unwrap().0;
/// assert!((left - (100.0 - 30.0 + 1300.0_f32.sqrt() - 10.0)).abs() < 1.0e-3); // (20, 30) from its middle
/// # Ok::<(), bevy::ecs::system::RunSystemError>(())
/// ```
///
/// # What it knows
///
/// Colliders are where the newest tick has left them, pushes included. What the game has changed in place since, by a `&mut`, is known after the next tick: a `Transform`, layers, sizes and all else.
///
/// What is gone since is never found: despawned, its collider removed, disabled. A collider that was added since, or before the first tick, *is* found. A component of a collider that was
/// *inserted* or removed since is known too: shape, body, sensor, response or layers, its `ChildOf`, and whatever disables it; but not one of a parent. A new collider, and one that gets or loses its parent, is where it was at that moment; so spawn it in one bundle with its `Transform`. (Bevy's `set_parent_in_place` and `remove_parent_in_place` write the `Transform` after that moment: until the next tick, the collider is found where its old `Transform` leads.) All others stay where the tick has left them, and so does each within its body, unless it gets another shape. [`TileColliders`](crate::tiles::TileColliders), and changed cells of them, wait for the next tick.
///
/// Each query checks each newcomer one by one, for some nanoseconds each, until a tick takes them into the index. The first system with a `SpatialQuery` makes the world note
/// newcomers; from then on spawning and despawning a collider cost a fraction of a microsecond more. Between `Gather` and `Detect` of a tick, rays, areas and searches for the nearest find colliders where the tick before detected them, before its pushes, moving and static ones alike. Rooms, and colliders that are asked for by entity or returned by [`iter`](Self::iter), are at their new places then, and so is the collider that [`cast_collider`](Self::cast_collider) casts. For all queries, newcomers are where they were added until `Detect`.
///
/// In an observer of `Add` or `Insert`, the collider that its own entity is just getting may not be found yet, since Bevy runs observers in an order of its own: make such a query in a queued command.
///
/// # Cost
///
/// A ray, or a moving shape, costs what is near its way up to the first hit; an area what is in it; a search for the nearest what is about as near. Some 100 ns to a few microseconds among 100,000 colliders.
///
/// Make ways no longer than the world: the precision of `f32` limits how exactly places along a way are known. A way of 10 million units checks all within 20 of it, and one of a billion checks all colliders.
#[derive(SystemParam)]
#[doc(alias = "RapierContext")]
#[doc(alias = "raycast")]
pub struct SpatialQuery<'w, 's> {
    colliders: Res<'w, Colliders>,
    candidates: Res<'w, Candidates>,
    newcomers: Res<'w, Newcomers>,
    removals: Res<'w, Removals>,
    settings: Res<'w, CollisionSettings>,
    alive: Query<'w, 's, (), EnabledCollider>,
    notes: Option<Res<'w, QueryNotes>>,
    _noting: Local<'s, Noting>,
}

impl SpatialQuery<'_, '_> {
    /// What does a ray from `origin` to `origin + motion` hit?
    ///
    /// The ray has to enter what it hits: running along an edge, grazing a corner or a circle, and leaving what it touches at its start are misses. So a ray exactly along the seam of two flush tiles passes between them, and one that comes at an angle to the very end of a seam hits the corner of the next tile, possibly with the normal of the other side; on a grid of whole numbers, prefer [`cast_circle`](Self::cast_circle) with a radius of 0.01. A ray of length 0 hits only what it starts inside of,
    /// see [`hit_from_inside`](QueryFilter::hit_from_inside). Numbers that are not finite or beyond 1e18 hit nothing.
    ///
    /// ```
    /// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::{kernel::Shape, prelude::*};
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// let player = app.world_mut().spawn(CircleCollider::new(5.0)).id();
    /// let wall = app.world_mut().spawn((BoxCollider::new(10.0, 20.0), Body::Static, Transform::from_xyz(45.0, 0.0, 0.0))).id();
    /// app.world_mut().run_system_once(move |space: SpatialQuery| {
    ///     let (ahead, walls) = (Vec2::new(100.0, 0.0), QueryFilter { dynamics: false, ..default() });
    ///     let distance = |hit: Option<bevy_nudge::query::CastHit>| hit.map(|hit| (hit.entity, hit.distance));
    ///     assert_eq!(distance(space.cast_ray(Vec2::ZERO, ahead, &walls).first()), Some((wall, 40.0)));
    ///     assert_eq!(distance(space.cast_circle(5.0, Vec2::ZERO, ahead, &walls).first()), Some((wall, 35.0)));
    ///     assert_eq!(distance(space.cast_box(Vec2::splat(8.0), Vec2::ZERO, ahead, &walls).first()), Some((wall, 32.0)));
    ///     let capsule = Shape::rounded_rectangle(Vec2::new(4.0, 8.0), 4.0).unwrap();
    ///     assert_eq!(distance(space.cast_shape(capsule, Vec2::ZERO, ahead, &walls).first()), Some((wall, 36.0)));
    ///     // The player's own collider, from where it is; it does not hit itself.
    ///     assert_eq!(distance(space.cast_collider(player, ahead, &QueryFilter::ALL).first()), Some((wall, 35.0)));
    ///     // Over it.
    ///     assert!(!space.cast_ray(Vec2::new(0.0, 11.0), ahead, &walls).any());
    /// })?;
    /// # Ok::<(), bevy::ecs::system::RunSystemError>(())
    /// ```
    #[doc(alias = "raycast")]
    #[inline]
    pub fn cast_ray<'a>(
        &'a self,
        origin: Vec2,
        motion: Vec2,
        filter: &'a QueryFilter<'a>,
    ) -> CastQuestion<'a> {
        self.cast_shape(Shape::POINT, origin, motion, filter)
    }

    /// What does a circle hit whose center moves from `origin` by `motion`? The rules, and an example, are those of [`cast_ray`](Self::cast_ray); a radius that is negative or not finite hits nothing.
    #[doc(alias = "circlecast")]
    #[inline]
    pub fn cast_circle<'a>(
        &'a self,
        radius: f32,
        origin: Vec2,
        motion: Vec2,
        filter: &'a QueryFilter<'a>,
    ) -> CastQuestion<'a> {
        let cast = Shape::circle(radius).map(|shape| Cast::shape(shape, origin, motion));
        self.question(cast.ok(), filter, None)
    }

    /// What does an upright box hit whose center moves from `origin` by `motion`? The rules, and an example, are those of [`cast_ray`](Self::cast_ray); a half size that is negative or not finite hits nothing.
    #[doc(alias = "boxcast")]
    pub fn cast_box<'a>(
        &'a self,
        half_size: Vec2,
        origin: Vec2,
        motion: Vec2,
        filter: &'a QueryFilter<'a>,
    ) -> CastQuestion<'a> {
        let cast = Shape::rectangle(half_size).map(|shape| Cast::shape(shape, origin, motion));
        self.question(cast.ok(), filter, None)
    }

    /// What does any shape hit whose center moves from `origin` by `motion`? The rules, and an example, are those of [`cast_ray`](Self::cast_ray).
    #[doc(alias = "shapecast")]
    #[doc(alias = "sweep")]
    #[inline]
    pub fn cast_shape<'a>(
        &'a self,
        shape: Shape,
        origin: Vec2,
        motion: Vec2,
        filter: &'a QueryFilter<'a>,
    ) -> CastQuestion<'a> {
        self.question(Some(Cast::shape(shape, origin, motion)), filter, None)
    }

    /// What would the collider of an entity hit if it moved by `motion` from where it is? Nothing of its own body. What it lies on, and what sticks out of that, by no more than a rounding error, half a millionth of their coordinates, it only touches: a floor of flush tiles is one floor. A tick and a [`Mover`](crate::query::Mover) forgive 0.005 units. An entity without a collider that takes part hits nothing, and neither does a room. [`cast_ray`](Self::cast_ray) has an example.
    ///
    /// As with all casts, the filter alone says what counts: the entity's own layers, ignore list and one-way sides do not matter. [`QueryFilter::as_layers`] checks its layers, and [`Mover::project`](crate::query::Mover::project) follows all the rules.
    pub fn cast_collider<'a>(
        &'a self,
        entity: Entity,
        motion: Vec2,
        filter: &'a QueryFilter<'a>,
    ) -> CastQuestion<'a> {
        let cast = self.shape_of(entity);
        let cast = cast.map(|(shape, origin)| Cast::collider(shape, origin, motion));
        self.question(cast, filter, Some(entity))
    }

    /// Whether nothing lies between two points: is `to` visible from `from`? The filter says what blocks the view. It should exclude the entities at both ends: a collider at one of the points blocks the view as well, if it counts. So name both in
    /// [`without`](QueryFilter::without), or let only walls count, by their [layer](QueryFilter::on_layers).
    ///
    /// The rules are those of a [`cast_ray`](Self::cast_ray) from `from` to `to`: what the ray only grazes blocks nothing, and it passes along a seam. False for a point that is not finite or beyond 1e18. Costs what [`any`](CastQuestion::any) costs.
    ///
    /// ```
    /// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::prelude::*;
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// let guard = app.world_mut().spawn(CircleCollider::new(5.0)).id();
    /// let thief = app.world_mut().spawn((CircleCollider::new(5.0), Transform::from_xyz(60.0, 0.0, 0.0))).id();
    /// app.world_mut().spawn((BoxCollider::new(2.0, 40.0), Body::Static, Transform::from_xyz(30.0, 0.0, 0.0)));
    /// app.world_mut().run_system_once(move |space: SpatialQuery| {
    ///     let both = [guard, thief];
    ///     let others = QueryFilter::SOLID.without(&both);
    ///     assert!(!space.has_line_of_sight(Vec2::ZERO, Vec2::new(60.0, 0.0), &others)); // the wall
    ///     let above = Vec2::new(0.0, 45.0);
    ///     assert!(space.has_line_of_sight(above, Vec2::new(60.0, 0.0), &others)); // over it
    ///     assert!(!space.has_line_of_sight(above, Vec2::new(60.0, 0.0), &QueryFilter::SOLID)); // the thief himself
    /// })?;
    /// # Ok::<(), bevy::ecs::system::RunSystemError>(())
    /// ```
    #[doc(alias = "visible")]
    pub fn has_line_of_sight(&self, from: Vec2, to: Vec2, filter: &QueryFilter) -> bool {
        let way = to - from;
        // An invalid ray would hit nothing, and so see through everything.
        [from, to, way].into_iter().all(is_in_world) && !self.cast_ray(from, way, filter).any()
    }

    /// What is at a point? [`QueryFilter::touching`] says whether a point on the edge counts.
    ///
    /// ```
    /// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::{kernel::Shape, prelude::*, query::OverlapQuestion};
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// let crab = app.world_mut().spawn(BoxCollider::new(20.0, 10.0)).id();
    /// let coin = app.world_mut().spawn((CircleCollider::new(2.0), Sensor, Transform::from_xyz(11.0, 0.0, 0.0))).id();
    /// app.world_mut().run_system_once(move |space: SpatialQuery| {
    ///     let everybody = QueryFilter::ALL;
    ///     let found = |area: OverlapQuestion| area.all().iter().map(|hit| hit.entity).collect::<Vec<_>>();
    ///     assert_eq!(found(space.overlap_point(Vec2::new(10.0, 5.0), &everybody)), [crab]); // its very corner
    ///     assert_eq!(found(space.overlap_circle(4.0, Vec2::new(16.0, 0.0), &everybody)), [coin]);
    ///     assert_eq!(found(space.overlap_box(Vec2::splat(6.0), Vec2::new(16.0, 0.0), &everybody)), [coin, crab]);
    ///     let capsule = Shape::rounded_rectangle(Vec2::new(6.0, 2.0), 2.0).unwrap();
    ///     assert_eq!(found(space.overlap_shape(capsule, Vec2::new(-15.0, 0.0), &everybody)), [crab]);
    ///     assert_eq!(found(space.overlap_collider(crab, &everybody)), [coin]); // not itself
    ///     // Edges may not count for somebody.
    ///     let strict = QueryFilter { touching: Some(Touching::Ignored), ..everybody };
    ///     assert!(!space.overlap_point(Vec2::new(10.0, 5.0), &strict).any());
    /// })?;
    /// # Ok::<(), bevy::ecs::system::RunSystemError>(())
    /// ```
    #[doc(alias = "point_intersections")]
    #[inline]
    pub fn overlap_point<'a>(
        &'a self,
        point: Vec2,
        filter: &'a QueryFilter<'a>,
    ) -> OverlapQuestion<'a> {
        self.overlap_shape(Shape::POINT, point, filter)
    }

    /// What is in a circle, wholly or in part? [`overlap_point`](Self::overlap_point) has an example. Finds nothing if the radius is negative or not finite.
    #[doc(alias = "shape_intersections")]
    #[inline]
    pub fn overlap_circle<'a>(
        &'a self,
        radius: f32,
        center: Vec2,
        filter: &'a QueryFilter<'a>,
    ) -> OverlapQuestion<'a> {
        let shape = Shape::circle(radius).ok();
        self.overlap(shape.map(|shape| (shape, center)), filter, None)
    }

    /// What is in an upright box, wholly or in part? [`overlap_point`](Self::overlap_point) has an example. Finds nothing if the half size is negative or not finite.
    #[doc(alias = "aabb_intersections")]
    pub fn overlap_box<'a>(
        &'a self,
        half_size: Vec2,
        center: Vec2,
        filter: &'a QueryFilter<'a>,
    ) -> OverlapQuestion<'a> {
        let shape = Shape::rectangle(half_size).ok();
        self.overlap(shape.map(|shape| (shape, center)), filter, None)
    }

    /// What is in any shape, wholly or in part? [`overlap_point`](Self::overlap_point) has an example.
    #[inline]
    pub fn overlap_shape<'a>(
        &'a self,
        shape: Shape,
        center: Vec2,
        filter: &'a QueryFilter<'a>,
    ) -> OverlapQuestion<'a> {
        self.overlap(Some((shape, center)), filter, None)
    }

    /// What overlaps the collider of an entity, where it is? Nothing of its own body. Finds nothing for an entity without a collider that takes part, and for a room.
    ///
    /// For what collides with it by all the rules, [`Collisions::of`](crate::query::Collisions::of) is nearly free. [`overlap_point`](Self::overlap_point) has an example.
    pub fn overlap_collider<'a>(
        &'a self,
        entity: Entity,
        filter: &'a QueryFilter<'a>,
    ) -> OverlapQuestion<'a> {
        self.overlap(self.shape_of(entity), filter, Some(entity))
    }

    /// What is nearest to a point, and no farther than `max_distance`, which may be infinite? Distances are those to the surface; of several colliders that are equally near, returns the one whose center
    /// has the lesser x, then y, and in one place the less round one, then the narrower, then the lower one. Returns `None` for a point that is not finite, or a distance that is negative or NaN.
    ///
    /// ```
    /// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::prelude::*;
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// let far = app.world_mut().spawn((BoxCollider::square(60.0), Transform::from_xyz(50.0, 0.0, 0.0))).id();
    /// let near = app.world_mut().spawn((CircleCollider::new(2.0), Transform::from_xyz(0.0, 12.0, 0.0))).id();
    /// app.world_mut().run_system_once(move |space: SpatialQuery| {
    ///     let everybody = QueryFilter::ALL;
    ///     let hit = space.nearest(Vec2::ZERO, 100.0, &everybody).unwrap();
    ///     assert_eq!((hit.entity, hit.distance), (near, 10.0)); // by surfaces, not by centres
    ///     assert_eq!(space.nearest(Vec2::ZERO, 9.0, &everybody), None);
    ///     let hits = space.nearest_n(Vec2::ZERO, 5, f32::INFINITY, &everybody);
    ///     let all: Vec<_> = hits.iter().map(|hit| (hit.entity, hit.distance)).collect();
    ///     assert_eq!(all, [(near, 10.0), (far, 20.0)]);
    ///     // Of those that are known:
    ///     assert_eq!(space.closest_point(far, Vec2::ZERO), Some(Vec2::new(20.0, 0.0)));
    ///     assert_eq!(space.distance(near, far), Some(18.0));
    /// })?;
    /// # Ok::<(), bevy::ecs::system::RunSystemError>(())
    /// ```
    #[inline]
    pub fn nearest(&self, point: Vec2, max_distance: f32, filter: &QueryFilter) -> Option<NearHit> {
        let filtered = self.filtered(filter, None);
        let found = nearest(&filtered, point, max_distance);
        let hit = found.map(|found| filtered.known.told_near(point, found));
        let note = || QueryNote::nearest(point, max_distance, hit.as_slice());
        filtered.known.note(note);
        hit
    }

    /// Returns the `count` nearest instead, in order. [`nearest`](Self::nearest) has an example.
    pub fn nearest_n(
        &self,
        point: Vec2,
        count: usize,
        max_distance: f32,
        filter: &QueryFilter,
    ) -> Vec<NearHit> {
        let filtered = self.filtered(filter, None);
        let found = nearest_n(&filtered, point, count, max_distance);
        let told = found
            .iter()
            .map(|found| filtered.known.told_near(point, *found));
        let hits: Vec<_> = told.collect();
        let note = || QueryNote::nearest(point, max_distance, &hits);
        filtered.known.note(note);
        hits
    }

    /// Calls `each` for all that are no farther from a point than `max_distance`, the nearest one first, until it breaks off: for callers that do not know beforehand how many they need. Those equally near come in
    /// the order of [`nearest`](Self::nearest), and `each` is not called for a point that is not finite, or a distance that is negative or NaN. The search is for 16 at first, and for four times as many each time that they are not
    /// enough, so the predicate of the filter may be called for an entity several times. Distances are in world units.
    ///
    /// ```
    /// # use std::ops::ControlFlow; use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::prelude::*;
    /// # #[derive(Component)] struct Health(u32);
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// for (x, health) in [(30.0, 5), (10.0, 2), (20.0, 4)] {
    ///     app.world_mut().spawn((CircleCollider::new(2.0), Transform::from_xyz(x, 0.0, 0.0), Health(health)));
    /// }
    /// app.world_mut().run_system_once(|space: SpatialQuery, healths: Query<&Health>| {
    ///     // Lightning strikes one after the other, until its 5 points of damage are used up.
    ///     let (mut damage, mut struck) = (5, Vec::new());
    ///     let _ = space.nearest_each(Vec2::ZERO, 100.0, &QueryFilter::ALL, |hit| {
    ///         let taken = healths.get(hit.entity).map_or(0, |health| health.0.min(damage));
    ///         damage -= taken;
    ///         struck.push((hit.distance, taken));
    ///         if damage > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    ///     });
    ///     assert_eq!(struck, [(8.0, 2), (18.0, 3)]);
    /// })?;
    /// # Ok::<(), bevy::ecs::system::RunSystemError>(())
    /// ```
    #[doc(alias = "callback")]
    pub fn nearest_each(
        &self,
        point: Vec2,
        max_distance: f32,
        filter: &QueryFilter,
        mut each: impl FnMut(NearHit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let filtered = self.filtered(filter, None);
        let ask = |each: &mut dyn FnMut(NearHit) -> ControlFlow<()>| {
            nearest_each(&filtered, point, max_distance, |found| {
                each(filtered.known.told_near(point, found))
            })
        };
        if filtered.known.notes.is_none() {
            return ask(&mut each);
        }
        let (flow, hits) = each_and_keep(&mut each, ask);
        let note = || QueryNote::nearest(point, max_distance, &hits);
        filtered.known.note(note);
        flow
    }

    /// Returns the point of an entity's collider that is nearest to a point, both in world space. A point inside is its own nearest. `None` for an entity without a collider that takes part, or a point that is not finite or beyond 1e18. [`nearest`](Self::nearest) has an example.
    #[doc(alias = "project_point")]
    pub fn closest_point(&self, entity: Entity, point: Vec2) -> Option<Vec2> {
        let place = self.known().placed(entity)?;
        is_in_world(point).then(|| approach(place, point).1)
    }

    /// Returns the gap between the colliders of two entities, in world units; 0 where they touch or overlap. `None` for an entity without a collider that takes part, and between two rooms. [`nearest`](Self::nearest) has an example.
    pub fn distance(&self, a: Entity, b: Entity) -> Option<f32> {
        let known = self.known();
        let ((a, at_a), (b, at_b)) = (known.placed(a)?, known.placed(b)?);
        a.distance(b, at_b - at_a)
    }

    /// Returns the first hits of many casts, in their order, each as [`CastQuestion::first`] would return it. Many casts are divided among the threads of Bevy's `ComputeTaskPool`; the results are the same.
    ///
    /// ```
    /// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::{kernel::Shape, prelude::*, spatial::Cast};
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// app.world_mut().spawn((BoxCollider::square(20.0), Transform::from_xyz(50.0, 0.0, 0.0)));
    /// app.world_mut().run_system_once(|space: SpatialQuery| {
    ///     let rays = [Vec2::X, Vec2::Y, Vec2::NEG_X].map(|way| Cast::ray(Vec2::ZERO, way * 100.0));
    ///     let hits = space.cast_many(&rays, &QueryFilter::ALL);
    ///     let distances: Vec<Option<f32>> = hits.iter().map(|hit| hit.map(|hit| hit.distance)).collect();
    ///     assert_eq!(distances, [Some(40.0), None, None]);
    ///
    ///     let blast = Shape::circle(30.0).unwrap();
    ///     let areas = [(blast, Vec2::ZERO), (blast, Vec2::new(80.0, 0.0))];
    ///     let counts: Vec<usize> = space.overlap_many(&areas, &QueryFilter::ALL).iter().map(Vec::len).collect();
    ///     assert_eq!(counts, [0, 1]);
    /// })?;
    /// # Ok::<(), bevy::ecs::system::RunSystemError>(())
    /// ```
    ///
    /// A cast hits what it starts inside of only if both the cast and the filter say so.
    #[doc(alias = "batch")]
    pub fn cast_many(&self, casts: &[Cast], filter: &QueryFilter) -> Vec<Option<CastHit>> {
        let filtered = self.filtered(filter, None);
        let from_inside = filter.hit_from_inside;
        let hits = cast_many(&filtered, casts, from_inside, |cast, found| {
            filtered.known.told_cast(cast, &found)
        });
        for (&cast, hit) in casts.iter().zip(&hits) {
            let note = || QueryNote::cast(cast, hit.as_slice(), true);
            filtered.known.note(note);
        }
        hits
    }

    /// Returns, in their order, all that is in each of many shapes at their centers, each as [`OverlapQuestion::all`] would return it. Divided among threads like [`cast_many`](Self::cast_many), which has an example.
    pub fn overlap_many(&self, areas: &[(Shape, Vec2)], filter: &QueryFilter) -> Vec<Vec<NearHit>> {
        let filtered = self.filtered(filter, None);
        let touching = filter.touching.unwrap_or(self.settings.touching);
        let area = |&(shape, center): &(Shape, Vec2)| Area::new(shape, center, touching);
        let all = overlap_many(&filtered, areas, area, |area, found| {
            filtered.known.told_near(area.center, found)
        });
        for (question, hits) in areas.iter().zip(&all) {
            let note = || QueryNote::overlap(&area(question), hits);
            filtered.known.note(note);
        }
        all
    }

    /// Returns the collider of an entity in world space: its place, size, and what it does to others. `None` for an entity without a collider that takes part. As of the newest tick, or as it was added since;
    /// costs a look-up or two.
    ///
    /// ```
    /// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::{kernel::{Outline, Shape}, prelude::*};
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// let tank = app.world_mut().spawn((Body::Kinematic, Transform::from_xyz(100.0, 0.0, 0.0).with_scale(Vec3::splat(2.0)))).id();
    /// let turret = app.world_mut().spawn((CircleCollider::new(5.0), Transform::from_xyz(0.0, 10.0, 0.0), ChildOf(tank))).id();
    /// app.world_mut().run_system_once(move |space: SpatialQuery| {
    ///     let turret = space.get(turret).unwrap();
    ///     assert_eq!((turret.body, turret.kind, turret.center), (tank, Body::Kinematic, Vec2::new(100.0, 20.0)));
    ///     assert_eq!(turret.outline, Outline::Shape(Shape::circle(10.0).unwrap()));
    ///     assert_eq!(space.get(tank), None); // it has none of its own
    /// })?;
    /// # Ok::<(), bevy::ecs::system::RunSystemError>(())
    /// ```
    pub fn get(&self, entity: Entity) -> Option<ColliderView> {
        let known = self.known();
        known.who(entity).map(|who| known.view(who))
    }

    /// Returns every collider that takes part, in no meaningful order: those that the newest tick knows and that still exist, and those that were added since.
    ///
    /// ```
    /// # use bevy::prelude::*; use bevy_nudge::prelude::*;
    /// fn count_sensors(space: SpatialQuery) -> usize {
    ///     space.iter().filter(|collider| collider.is_sensor).count()
    /// }
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// app.world_mut().spawn((CircleCollider::new(3.0), Sensor));
    /// app.world_mut().spawn(CircleCollider::new(2.0));
    /// assert_eq!(app.world_mut().run_system_cached(count_sensors).unwrap(), 1);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = ColliderView> {
        self.known().all()
    }

    /// Whether an entity that had a collider in the newest tick has one at this moment, and is not disabled. An invalid size or place does not matter here.
    pub(crate) fn is_still_there(&self, entity: Entity) -> bool {
        let known = self.known();
        known.are_all_alive || known.alive.contains(entity)
    }

    #[inline]
    fn known(&self) -> KnownColliders<'_> {
        KnownColliders {
            colliders: &self.colliders,
            candidates: &self.candidates,
            newcomers: &self.newcomers,
            alive: &self.alive,
            are_all_alive: self.removals.entities.is_empty() && self.newcomers.are_others_there(),
            notes: self.notes.as_deref().filter(|notes| notes.is_on),
        }
    }

    #[inline]
    fn filtered<'a>(
        &'a self,
        filter: &'a QueryFilter<'a>,
        own: Option<Entity>,
    ) -> FilteredColliders<'a> {
        FilteredColliders::new(self.known(), filter, own)
    }

    #[inline]
    fn question<'a>(
        &'a self,
        cast: Option<Cast>,
        filter: &'a QueryFilter<'a>,
        own: Option<Entity>,
    ) -> CastQuestion<'a> {
        CastQuestion {
            filtered: self.filtered(filter, own),
            cast: cast.map(|mut cast| {
                cast.hit_from_inside = filter.hit_from_inside;
                cast
            }),
        }
    }

    #[inline]
    fn overlap<'a>(
        &'a self,
        area: Option<(Shape, Vec2)>,
        filter: &'a QueryFilter<'a>,
        own: Option<Entity>,
    ) -> OverlapQuestion<'a> {
        OverlapQuestion {
            filtered: self.filtered(filter, own),
            area: area.map(|(shape, center)| {
                let touching = filter.touching.unwrap_or(self.settings.touching);
                Area::new(shape, center, touching)
            }),
        }
    }

    fn shape_of(&self, entity: Entity) -> Option<(Shape, Vec2)> {
        match self.known().placed(entity)? {
            (Outline::Shape(shape), center) => Some((shape, center)),
            (Outline::Bounds(_), _) => None,
        }
    }
}
