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
    asked::{Asked, Known},
    filter::QueryFilter,
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

/// Asks the world: what does this ray hit, what is under this point, who is near? Changes nothing; systems that only ask run in parallel, also beside those that change `Transform`s.
///
/// | question | methods |
/// |---|---|
/// | what does it hit? | [`cast_ray`](Self::cast_ray), [`cast_circle`](Self::cast_circle), [`cast_box`](Self::cast_box), [`cast_shape`](Self::cast_shape), [`cast_collider`](Self::cast_collider) |
/// | is anything between? | [`has_line_of_sight`](Self::has_line_of_sight) |
/// | who is there? | [`overlap_point`](Self::overlap_point), [`overlap_circle`](Self::overlap_circle), [`overlap_box`](Self::overlap_box), [`overlap_shape`](Self::overlap_shape), [`overlap_collider`](Self::overlap_collider) |
/// | who is near? | [`nearest`](Self::nearest), [`nearest_n`](Self::nearest_n), [`nearest_each`](Self::nearest_each) |
/// | of those that are known | [`get`](Self::get), [`closest_point`](Self::closest_point), [`distance`](Self::distance) |
/// | of all | [`iter`](Self::iter) |
/// | many at once | [`cast_many`](Self::cast_many), [`overlap_many`](Self::overlap_many) |
///
/// Casts and overlaps are put as a question, and answered as one likes: `first()`, `all()` in order, `each(..)` until it is enough, or whether there is `any()`. Each question takes a [`QueryFilter`]
/// that says who counts. Points, circles, boxes and rounded boxes are met exactly; of rooms ([`BoundsCollider`](crate::components::BoundsCollider)) it is the *outside* that is solid: a ray
/// from inside hits the wall from inside, one that starts outside of a room hits that at once, and whoever asks for an area outside of it finds it.
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
/// Things are where the newest tick has left them, pushes included. What the game has changed in place since, by a `&mut`, is known after the next tick: a `Transform`, and layers, sizes and all else.
///
/// What has gone since is never found: despawned, its collider removed, disabled. A collider that has come since, or before the first tick, *is* found. A component of a collider that was
/// *inserted* or removed since is known too: shape, body, sensor, response or layers, and whatever disables it; but not one of a parent. The collider is where it was then; so spawn it in one bundle with its `Transform`. [`TileColliders`](crate::tiles::TileColliders) have no colliders until the next tick merges them: until then a new grid is not found, and a cell that was just set or cleared is answered as before.
///
/// Each question looks at each newcomer one by one, for some nanoseconds each, until a tick takes them into the index. The first system with a `SpatialQuery` makes the world take note of
/// newcomers; from then on spawning and despawning a collider cost a fraction of a microsecond more. In the middle of a tick, between `Gather` and `Detect`, what a ray, an area or a search for the nearest finds is where the tick before found it, before it pushed. Rooms, and whoever is asked for by name or told by [`iter`](Self::iter), are where they are by then: so is the collider that is cast by [`cast_collider`](Self::cast_collider). Newcomers are where they came until `Detect`, for all questions.
///
/// In an observer of `Add` or `Insert`, the collider that its own entity is just getting may not be found yet, since observers are told in an order of Bevy's own: what asks for that is better queued as a command.
///
/// # Cost
///
/// A ray, or a shape, costs what is near its way up to the first hit; an area what is in it; the nearest what is about as near. Some 100 ns to a few microseconds among 100,000 colliders.
///
/// Ask for a way no longer than the world is: an `f32` tells places along it only so well. One of 10 million units looks at all within 20 of it, and one of a billion at everybody.
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
    /// It has to enter what it hits: running along an edge, grazing a corner or a circle, and leaving what it touches at its start are misses. So one exactly along the seam of two flush tiles passes between them, and one that comes slantwise to the very end of a seam hits the corner of the next tile, of which it may be told the other side's normal; on a grid of whole numbers better take [`cast_circle`](Self::cast_circle) with a radius of 0.01. One of no length hits only what it starts inside of,
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

    /// What does a circle hit whose centre moves from `origin` by `motion`? The rules, and an example, are those of [`cast_ray`](Self::cast_ray); a radius that is negative or not finite hits nothing.
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

    /// What does an upright box hit whose centre moves from `origin` by `motion`? It is given by half of its width and height, where [`BoxCollider::new`](crate::components::BoxCollider::new) takes all of them. The rules, and an example, are those of [`cast_ray`](Self::cast_ray); a half size that is negative or not finite hits nothing.
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

    /// What does any shape hit whose centre moves from `origin` by `motion`? The rules, and an example, are those of [`cast_ray`](Self::cast_ray).
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

    /// What would the collider of an entity hit if it moved by `motion` from where it is? Nothing of its own body. An entity without a collider that takes part hits nothing, and neither does a room. [`cast_ray`](Self::cast_ray) has an example.
    ///
    /// As with all casts, the filter alone says what counts: the entity's own layers, whom it ignores and which sides are solid are not asked. [`QueryFilter::as_layers`] goes by its layers, and [`Mover::project`](crate::query::Mover::project) by all the rules.
    pub fn cast_collider<'a>(
        &'a self,
        entity: Entity,
        motion: Vec2,
        filter: &'a QueryFilter<'a>,
    ) -> CastQuestion<'a> {
        let cast = self.shape_of(entity);
        let cast = cast.map(|(shape, origin)| Cast::shape(shape, origin, motion));
        self.question(cast, filter, Some(entity))
    }

    /// Whether nothing lies between two points: is `to` seen from `from`? The filter says what hides it, and that is better not one of the two: whatever is at one of the ends hides the other end as well, if it counts. So name both in
    /// [`without`](QueryFilter::without), or ask about walls alone, by their [layer](QueryFilter::on_layers).
    ///
    /// The rules are those of a [`cast_ray`](Self::cast_ray) from `from` to `to`: what it only grazes hides nothing, and along a seam it looks through. With a point that is not finite or beyond 1e18 nobody sees and nobody is seen. Costs what [`any`](CastQuestion::any) does.
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
        // What makes no sense would hit nothing, and see through everything.
        [from, to, way].into_iter().all(is_in_world) && !self.cast_ray(from, way, filter).any()
    }

    /// Who is at a point? Whether on the edge is at the point says [`QueryFilter::touching`].
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

    /// Who is in a circle, wholly or in part? [`overlap_point`](Self::overlap_point) has an example. In one whose radius is negative or not finite nobody is.
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

    /// Who is in an upright box, wholly or in part? It is given by half of its width and height. [`overlap_point`](Self::overlap_point) has an example. In one whose half size is negative or not finite nobody is.
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

    /// Who is in any shape, wholly or in part? [`overlap_point`](Self::overlap_point) has an example.
    #[inline]
    pub fn overlap_shape<'a>(
        &'a self,
        shape: Shape,
        center: Vec2,
        filter: &'a QueryFilter<'a>,
    ) -> OverlapQuestion<'a> {
        self.overlap(Some((shape, center)), filter, None)
    }

    /// Who overlaps the collider of an entity, where it is? Nobody of its own body. With an entity without a collider that takes part nobody does, and neither with a room.
    ///
    /// What collides with it by all the rules, [`Collisions::of`](crate::query::Collisions::of) tells for nothing. [`overlap_point`](Self::overlap_point) has an example.
    pub fn overlap_collider<'a>(
        &'a self,
        entity: Entity,
        filter: &'a QueryFilter<'a>,
    ) -> OverlapQuestion<'a> {
        self.overlap(self.shape_of(entity), filter, Some(entity))
    }

    /// Who is the nearest to a point, and no farther than `max_distance`, which may be infinite? Distances are those to the surface; of several that are equally near, it is the one whose centre
    /// has the lesser x, then y. A point that is not finite, or a distance that is negative or NaN, has nobody near.
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
        let asked = self.asked(filter, None);
        let found = nearest(&asked, point, max_distance);
        let hit = found.map(|found| asked.known.told_near(point, found));
        self.note(|| QueryNote::Nearest {
            point,
            max_distance,
            hits: hit.into_iter().collect(),
        });
        hit
    }

    /// The same for the `count` nearest, in order. [`nearest`](Self::nearest) has an example.
    pub fn nearest_n(
        &self,
        point: Vec2,
        count: usize,
        max_distance: f32,
        filter: &QueryFilter,
    ) -> Vec<NearHit> {
        let asked = self.asked(filter, None);
        let found = nearest_n(&asked, point, count, max_distance);
        let told = found
            .iter()
            .map(|found| asked.known.told_near(point, *found));
        let hits: Vec<_> = told.collect();
        self.note(|| QueryNote::Nearest {
            point,
            max_distance,
            hits: hits.clone(),
        });
        hits
    }

    /// Calls `each` for all that are no farther from a point than `max_distance`, the nearest one first, until it breaks off: for who does not know beforehand how many it will take. Those equally near come in
    /// the order that [`nearest`](Self::nearest) has, and nobody comes for a point that is not finite, or a distance that is negative or NaN. It looks for 16 at first, and for four times as many each time that they are not
    /// enough, so the predicate of the filter may be asked of an entity several times. Distances are in world units.
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
        let asked = self.asked(filter, None);
        let ask = |each: &mut dyn FnMut(NearHit) -> ControlFlow<()>| {
            nearest_each(&asked, point, max_distance, |found| {
                each(asked.known.told_near(point, found))
            })
        };
        if asked.known.notes.is_none() {
            return ask(&mut each);
        }
        let (flow, hits) = each_and_keep(&mut each, ask);
        self.note(|| QueryNote::Nearest {
            point,
            max_distance,
            hits,
        });
        flow
    }

    /// The point of an entity's collider that is nearest to a point, both in the world. A point inside is its own nearest. `None` for an entity without a collider that takes part, or a point that is not finite or beyond 1e18. [`nearest`](Self::nearest) has an example.
    #[doc(alias = "project_point")]
    pub fn closest_point(&self, entity: Entity, point: Vec2) -> Option<Vec2> {
        let place = self.known().placed(entity)?;
        is_in_world(point).then(|| approach(place, point).1)
    }

    /// The gap between the colliders of two entities, in world units; 0 where they touch or overlap. `None` for an entity without a collider that takes part, and between two rooms. [`nearest`](Self::nearest) has an example.
    pub fn distance(&self, a: Entity, b: Entity) -> Option<f32> {
        let known = self.known();
        let ((a, at_a), (b, at_b)) = (known.placed(a)?, known.placed(b)?);
        a.distance(b, at_b - at_a)
    }

    /// The first hits of many casts, in their order, as [`CastQuestion::first`] would tell each of them. Many are shared out among the threads of Bevy's `ComputeTaskPool`; the answers are the same.
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
    /// What a cast starts inside of counts if both the cast and the filter say so.
    #[doc(alias = "batch")]
    pub fn cast_many(&self, casts: &[Cast], filter: &QueryFilter) -> Vec<Option<CastHit>> {
        let asked = self.asked(filter, None);
        let from_inside = filter.hit_from_inside;
        let hits = cast_many(&asked, casts, from_inside, |cast, found| {
            Some(asked.known.told_cast(cast, &found))
        });
        for (&cast, hit) in casts.iter().zip(&hits) {
            self.note(|| QueryNote::Cast {
                cast,
                hits: hit.iter().copied().collect(),
            });
        }
        hits
    }

    /// All who are in each of many shapes at their centres, in their order, as [`OverlapQuestion::all`] would tell each of them. Shared out as by [`cast_many`](Self::cast_many), which has an example.
    pub fn overlap_many(&self, areas: &[(Shape, Vec2)], filter: &QueryFilter) -> Vec<Vec<NearHit>> {
        let asked = self.asked(filter, None);
        let touching = filter.touching.unwrap_or(self.settings.touching);
        let area = |&(shape, center): &(Shape, Vec2)| Area::new(shape, center, touching);
        let all = overlap_many(&asked, areas, area, |area, found| {
            asked.known.told_near(area.center, found)
        });
        for (&(shape, center), hits) in areas.iter().zip(&all) {
            self.note(|| QueryNote::Overlap {
                shape,
                center,
                hits: hits.clone(),
            });
        }
        all
    }

    /// The collider of an entity as it is in the world: where, how large, and what it does to others. `None` for an entity without a collider that takes part. It is known as of the newest tick, or as it came since;
    /// that costs a look-up or two.
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

    /// Every collider that takes part, in no order that means anything: those that the newest tick knows and that are still there, and those that have come since.
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

    /// Whether an entity has a collider at this moment, and is not disabled. What is wrong with its size or its place does not matter here.
    pub(crate) fn contains(&self, entity: Entity) -> bool {
        let known = self.known();
        known.are_all_alive || known.alive.contains(entity)
    }

    #[inline]
    fn note(&self, note: impl FnOnce() -> QueryNote) {
        if let Some(notes) = self.notes.as_deref().filter(|notes| notes.is_on) {
            notes.add(note());
        }
    }

    #[inline]
    fn known(&self) -> Known<'_> {
        Known {
            colliders: &self.colliders,
            candidates: &self.candidates,
            newcomers: &self.newcomers,
            alive: &self.alive,
            are_all_alive: self.removals.entities.is_empty() && self.newcomers.are_others_there(),
            notes: self.notes.as_deref().filter(|notes| notes.is_on),
        }
    }

    #[inline]
    fn asked<'a>(&'a self, filter: &'a QueryFilter<'a>, own: Option<Entity>) -> Asked<'a> {
        Asked::new(self.known(), filter, own)
    }

    #[inline]
    fn question<'a>(
        &'a self,
        cast: Option<Cast>,
        filter: &'a QueryFilter<'a>,
        own: Option<Entity>,
    ) -> CastQuestion<'a> {
        CastQuestion {
            asked: self.asked(filter, own),
            cast: cast.map(|cast| Cast {
                hit_from_inside: filter.hit_from_inside,
                ..cast
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
            asked: self.asked(filter, own),
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
