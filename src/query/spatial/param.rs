//! The system parameter.

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
    notes::{QueryNote, QueryNotes},
    questions::{CastQuestion, OverlapQuestion},
    view::ColliderView,
};
use crate::{
    components::Removals,
    kernel::{Outline, Shape},
    settings::CollisionSettings,
    spatial::{Area, Cast, cast_many, nearest, nearest_n, overlap_many},
    state::{candidates::Candidates, colliders::Colliders, newcomers::Newcomers},
    tick::gather::AnyCollider,
};

/// Asks the world: what does this ray hit, what is under this point, who is near? Changes nothing; systems that only ask run in parallel, also beside those that change `Transform`s.
///
/// | question | methods |
/// |---|---|
/// | what does it hit? | [`cast_ray`](Self::cast_ray), [`cast_circle`](Self::cast_circle), [`cast_box`](Self::cast_box), [`cast_collider`](Self::cast_collider) |
/// | who is there? | [`overlap_point`](Self::overlap_point), [`overlap_circle`](Self::overlap_circle), [`overlap_box`](Self::overlap_box), [`overlap_collider`](Self::overlap_collider) |
/// | who is near? | [`nearest`](Self::nearest), [`nearest_n`](Self::nearest_n) |
/// | of two that are known | [`closest_point`](Self::closest_point), [`distance`](Self::distance) |
/// | many at once | [`cast_many`](Self::cast_many), [`overlap_many`](Self::overlap_many) |
///
/// The first two kinds are put as a question, and answered as one likes: `first()`, `all()` in order, `each(..)` until it is enough, or whether there is `any()`. Each question takes a [`QueryFilter`]
/// that says who counts. Points, circles, boxes and rounded boxes are met exactly; of rooms ([`BoundsCollider`](crate::components::BoundsCollider)) it is the *outside* that is solid: a ray
/// from inside hits the wall from inside, and every area outside of a room is in it.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::prelude::*;
///
/// # #[derive(Component)] struct Turret;
/// fn fire(space: SpatialQuery, turret: Single<(Entity, &Transform), With<Turret>>) {
///     let (entity, transform) = *turret;
///     let (place, barrel) = (transform.translation.truncate(), transform.right().truncate());
///     if let Some(hit) = space.cast_ray(place, barrel * 500.0, &QueryFilter::excluding(&[entity])).first() {
///         println!("{} is hit at {}, {} away", hit.entity, hit.point, hit.distance);
///     }
///     for near in space.overlap_circle(place, 80.0, &QueryFilter::default()).all() {
///         println!("{} is within 80, its nearest point {} away", near.entity, near.distance);
///     }
/// }
/// # bevy::ecs::system::assert_is_system(fire);
/// ```
///
/// # What it knows
///
/// Where things are is where the newest tick has left them, pushes included: what a game has moved since it sees after the next tick. The same holds for layers, sizes and whatever else was
/// changed. What has gone since is never found: despawned, its collider removed, disabled. A collider that has come since, or before the first tick, *is* found. So is
/// whatever of a collider was inserted since: shape, body, sensor, response or layers. It is where it was when they were inserted; so spawn a collider in one bundle with its `Transform`.
///
/// Each question looks at each newcomer one by one, for some nanoseconds each, until a tick takes them into the index. The first system with a `SpatialQuery` makes the world take note of
/// newcomers; from then on spawning a collider costs a fraction of a microsecond more. In the middle of a tick, between `Gather` and `Resolve`, answers may lack what has moved in it.
///
/// # Cost
///
/// A ray, or a shape, costs what is near its way up to the first hit; an area what is in it; the nearest what is about as near. Some 100 ns to a few microseconds among 100,000 colliders.
#[derive(SystemParam)]
#[doc(alias = "RapierContext")]
#[doc(alias = "raycast")]
pub struct SpatialQuery<'w, 's> {
    colliders: Res<'w, Colliders>,
    candidates: Res<'w, Candidates>,
    newcomers: Res<'w, Newcomers>,
    removals: Res<'w, Removals>,
    settings: Res<'w, CollisionSettings>,
    alive: Query<'w, 's, (), AnyCollider>,
    notes: Option<Res<'w, QueryNotes>>,
    _noting: Local<'s, Noting>,
}

impl SpatialQuery<'_, '_> {
    /// What does a ray from `origin` to `origin + motion` hit?
    ///
    /// It has to enter what it hits: running along an edge, grazing a corner or a circle, and leaving what it touches at its start are misses. One of no length hits only what it starts inside of,
    /// see [`hit_from_inside`](QueryFilter::hit_from_inside). Numbers that are not finite or beyond 1e18 hit nothing.
    #[doc(alias = "raycast")]
    pub fn cast_ray<'a>(
        &'a self,
        origin: Vec2,
        motion: Vec2,
        filter: &'a QueryFilter<'a>,
    ) -> CastQuestion<'a> {
        self.cast_shape(Shape::POINT, origin, motion, filter)
    }

    /// What does a circle hit whose centre moves from `origin` by `motion`? The rules are those of [`cast_ray`](Self::cast_ray); a radius that is negative or not finite hits nothing.
    #[doc(alias = "circlecast")]
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

    /// What does an upright box hit whose centre moves from `origin` by `motion`? The rules are those of [`cast_ray`](Self::cast_ray); a half size that is negative or not finite hits nothing.
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

    /// What does any shape hit whose centre moves from `origin` by `motion`? The rules are those of [`cast_ray`](Self::cast_ray).
    #[doc(alias = "shapecast")]
    #[doc(alias = "sweep")]
    pub fn cast_shape<'a>(
        &'a self,
        shape: Shape,
        origin: Vec2,
        motion: Vec2,
        filter: &'a QueryFilter<'a>,
    ) -> CastQuestion<'a> {
        self.question(Some(Cast::shape(shape, origin, motion)), filter, None)
    }

    /// What would the collider of an entity hit if it moved by `motion` from where it is? Nothing of its own family. An entity without a collider that takes part hits nothing, and neither does a room.
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

    /// Who is at a point? Whether on the edge is at the point says [`QueryFilter::touching`].
    #[doc(alias = "point_intersections")]
    pub fn overlap_point<'a>(
        &'a self,
        point: Vec2,
        filter: &'a QueryFilter<'a>,
    ) -> OverlapQuestion<'a> {
        self.overlap_shape(Shape::POINT, point, filter)
    }

    /// Who is in a circle, wholly or in part? In one whose radius is negative or not finite nobody is.
    #[doc(alias = "shape_intersections")]
    pub fn overlap_circle<'a>(
        &'a self,
        center: Vec2,
        radius: f32,
        filter: &'a QueryFilter<'a>,
    ) -> OverlapQuestion<'a> {
        let shape = Shape::circle(radius).ok();
        self.overlap(shape.map(|shape| (shape, center)), filter, None)
    }

    /// Who is in an upright box, wholly or in part? In one whose half size is negative or not finite nobody is.
    #[doc(alias = "aabb_intersections")]
    pub fn overlap_box<'a>(
        &'a self,
        center: Vec2,
        half_size: Vec2,
        filter: &'a QueryFilter<'a>,
    ) -> OverlapQuestion<'a> {
        let shape = Shape::rectangle(half_size).ok();
        self.overlap(shape.map(|shape| (shape, center)), filter, None)
    }

    /// Who is in any shape, wholly or in part?
    pub fn overlap_shape<'a>(
        &'a self,
        shape: Shape,
        center: Vec2,
        filter: &'a QueryFilter<'a>,
    ) -> OverlapQuestion<'a> {
        self.overlap(Some((shape, center)), filter, None)
    }

    /// Who overlaps the collider of an entity, where it is? Nobody of its own family. With an entity without a collider that takes part nobody does, and neither with a room.
    ///
    /// What collides with it by all the rules, [`Collisions::of`](crate::query::Collisions::of) tells for nothing.
    pub fn overlap_collider<'a>(
        &'a self,
        entity: Entity,
        filter: &'a QueryFilter<'a>,
    ) -> OverlapQuestion<'a> {
        self.overlap(self.shape_of(entity), filter, Some(entity))
    }

    /// Who is the nearest to a point, and no farther than `max_distance`, which may be infinite? Distances are those to the surface; of several that are equally near, it is the one whose centre
    /// has the lesser x, then y. A point that is not finite, or a distance that is negative or NaN, has nobody near.
    pub fn nearest(&self, point: Vec2, max_distance: f32, filter: &QueryFilter) -> Option<NearHit> {
        let asked = self.asked(filter, None);
        let found = nearest(&asked, point, max_distance);
        let hit = found.map(|found| asked.known.told_near(point, &found));
        self.note(|| QueryNote::Nearest {
            point,
            max_distance,
            hits: hit.into_iter().collect(),
        });
        hit
    }

    /// The same for the `count` nearest, in order.
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
            .map(|found| asked.known.told_near(point, found));
        let hits: Vec<_> = told.collect();
        self.note(|| QueryNote::Nearest {
            point,
            max_distance,
            hits: hits.clone(),
        });
        hits
    }

    /// The point of an entity's collider that is nearest to a point, both in the world. A point inside is its own nearest. `None` for an entity without a collider that takes part, or a point that is not finite.
    #[doc(alias = "project_point")]
    pub fn closest_point(&self, entity: Entity, point: Vec2) -> Option<Vec2> {
        let (outline, center) = self.known().placed(entity)?;
        let is_sound = point.is_finite();
        is_sound.then(|| {
            let approach = outline.approach(point - center);
            if approach.is_inside {
                point
            } else {
                center + approach.point
            }
        })
    }

    /// The gap between the colliders of two entities, in world units; 0 where they touch or overlap. `None` for an entity without a collider that takes part, and between two rooms.
    pub fn distance(&self, a: Entity, b: Entity) -> Option<f32> {
        let known = self.known();
        let ((a, at_a), (b, at_b)) = (known.placed(a)?, known.placed(b)?);
        a.distance(b, at_b - at_a)
    }

    /// The first hits of many casts, in their order, as [`CastQuestion::first`] would tell each of them. Many are shared out among the threads of Bevy's `ComputeTaskPool`; the answers are the same.
    ///
    /// ```
    /// # use bevy::prelude::*; use bevy_nudge::{prelude::*, spatial::Cast};
    /// fn look_around(space: SpatialQuery) {
    ///     let rays = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y].map(|way| Cast::ray(Vec2::ZERO, way * 100.0));
    ///     for (ray, hit) in rays.iter().zip(space.cast_many(&rays, &QueryFilter::default())) {
    ///         println!("{}: {:?}", ray.motion, hit.map(|hit| hit.distance));
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(look_around);
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

    /// All who are in each of many shapes at their centres, in their order, as [`OverlapQuestion::all`] would tell each of them. Shared out as by [`cast_many`](Self::cast_many).
    pub fn overlap_many(&self, areas: &[(Shape, Vec2)], filter: &QueryFilter) -> Vec<Vec<NearHit>> {
        let asked = self.asked(filter, None);
        let touching = filter.touching.unwrap_or(self.settings.touching);
        let area = |&(shape, center): &(Shape, Vec2)| Area {
            shape,
            center,
            touching,
        };
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

    fn note(&self, note: impl FnOnce() -> QueryNote) {
        if let Some(notes) = self.notes.as_deref().filter(|notes| notes.is_on) {
            notes.add(note());
        }
    }

    fn known(&self) -> Known<'_> {
        Known {
            colliders: &self.colliders,
            candidates: &self.candidates,
            newcomers: &self.newcomers,
            alive: &self.alive,
            are_all_alive: self.removals.entities.is_empty() && !self.newcomers.may_lack_disabled,
            notes: self.notes.as_deref().filter(|notes| notes.is_on),
        }
    }

    fn asked<'a>(&'a self, filter: &'a QueryFilter<'a>, own: Option<Entity>) -> Asked<'a> {
        Asked::new(self.known(), filter, own)
    }

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

    fn overlap<'a>(
        &'a self,
        area: Option<(Shape, Vec2)>,
        filter: &'a QueryFilter<'a>,
        own: Option<Entity>,
    ) -> OverlapQuestion<'a> {
        OverlapQuestion {
            asked: self.asked(filter, own),
            area: area.map(|(shape, center)| Area {
                shape,
                center,
                touching: filter.touching.unwrap_or(self.settings.touching),
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
