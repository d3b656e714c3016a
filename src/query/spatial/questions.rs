//! A prepared query, and the ways to run it.

use std::ops::ControlFlow;

use bevy::ecs::entity::{Entity, EntityHashSet};

use super::{
    filtered::FilteredColliders,
    hits::{CastHit, NearHit},
    notes::{QueryNote, each_and_keep},
};
use crate::spatial::{
    Area, Cast, cast_all, cast_each, cast_first, overlap_all, overlap_each, overlap_first,
};

/// What does this ray, or this moving shape, hit? Made by a [`SpatialQuery`](super::SpatialQuery). The search runs only when one of its methods is called.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::{prelude::*, query::CastQuestion};
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// for x in [30.0, 60.0, 90.0] {
///     app.world_mut().spawn((CircleCollider::new(10.0), Transform::from_xyz(x, 0.0, 0.0)));
/// }
/// app.world_mut().run_system_once(|space: SpatialQuery| {
///     let everybody = QueryFilter::ALL;
///     let laser: CastQuestion = space.cast_ray(Vec2::ZERO, Vec2::new(100.0, 0.0), &everybody);
///     assert!(laser.any());
///     assert_eq!(laser.first().map(|hit| hit.distance), Some(20.0));
///     let distances: Vec<f32> = laser.all().iter().map(|hit| hit.distance).collect();
///     assert_eq!(distances, [20.0, 50.0, 80.0]);
///     // Enough is enough: the light goes out with the second one, whoever that is.
///     let mut count = 0;
///     let flow = laser.each(|_| {
///         count += 1;
///         if count < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
///     });
///     assert!(flow.is_break() && count == 2);
/// })?;
/// # Ok::<(), bevy::ecs::system::RunSystemError>(())
/// ```
#[must_use = "nothing is looked for before the question is asked for an answer"]
pub struct CastQuestion<'a> {
    pub(super) filtered: FilteredColliders<'a>,
    /// `None` for an invalid cast, which hits nothing.
    pub(super) cast: Option<Cast>,
}

/// What is in this area? Made by a [`SpatialQuery`](super::SpatialQuery). The search runs only when one of its methods is called.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::{prelude::*, query::OverlapQuestion};
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// let [far, near] = [20.0, 10.0].map(|x| app.world_mut().spawn((CircleCollider::new(2.0), Transform::from_xyz(x, 0.0, 0.0))).id());
/// app.world_mut().run_system_once(move |space: SpatialQuery| {
///     let everybody = QueryFilter::ALL;
///     let blast: OverlapQuestion = space.overlap_circle(50.0, Vec2::ZERO, &everybody);
///     assert!(blast.any());
///     assert_eq!(blast.first().map(|hit| hit.entity), Some(near)); // the nearest to the middle
///     let all: Vec<Entity> = blast.all().iter().map(|hit| hit.entity).collect();
///     assert_eq!(all, [near, far]);
///     let mut damage = 0.0;
///     let _ = blast.each(|hit| {
///         damage += 50.0 - hit.distance;
///         ControlFlow::Continue(())
///     });
///     assert_eq!(damage, 32.0 + 42.0);
///     let mut count = 0;
///     let _ = blast.each_entity(|_| {
///         count += 1;
///         ControlFlow::Continue(())
///     });
///     assert_eq!(count, 2);
/// })?;
/// # Ok::<(), bevy::ecs::system::RunSystemError>(())
/// ```
#[must_use = "nothing is looked for before the question is asked for an answer"]
pub struct OverlapQuestion<'a> {
    pub(super) filtered: FilteredColliders<'a>,
    /// `None` for an invalid area, in which nothing is.
    pub(super) area: Option<Area>,
}

impl CastQuestion<'_> {
    /// Returns what is hit first; of several at once, a collider that is hit on a side before one that is hit only on a sharp corner, then the one whose center has the lesser x, then y, and in one place the less round one, then the narrower, then the lower one.
    ///
    /// Searches no farther along the way than that.
    #[inline]
    pub fn first(&self) -> Option<CastHit> {
        let cast = self.cast.as_ref()?;
        let found = cast_first(&self.filtered, cast);
        let hit = found.map(|found| self.filtered.known.told_cast(cast, &found));
        let note = || QueryNote::cast(*cast, hit.as_slice(), true);
        self.filtered.known.note(note);
        hit
    }

    /// Returns all that is hit, the first hit first; hits at once are in the order of [`first`](Self::first), then by entity.
    pub fn all(&self) -> Vec<CastHit> {
        let Some(cast) = &self.cast else {
            return Vec::new();
        };
        let all = cast_all(&self.filtered, cast);
        let told = all
            .iter()
            .map(|found| self.filtered.known.told_cast(cast, found));
        let hits: Vec<_> = told.collect();
        let note = || QueryNote::cast(*cast, &hits, false);
        self.filtered.known.note(note);
        hits
    }

    /// Returns for each body that is hit the collider that is hit first, in the order of [`all`](Self::all): a shot through a knight wounds the knight once, whatever colliders its armor has. Costs what `all` costs, and a set of the bodies.
    ///
    /// ```
    /// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::prelude::*;
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// let knight = app.world_mut().spawn((Body::Dynamic, Transform::from_xyz(20.0, 0.0, 0.0))).id();
    /// let part = |x| (CircleCollider::new(2.0), ChildOf(knight), Transform::from_xyz(x, 0.0, 0.0));
    /// let [shield, _, horse] = [part(-5.0), part(0.0), part(8.0)].map(|part| app.world_mut().spawn(part).id());
    /// let squire = app.world_mut().spawn((CircleCollider::new(2.0), Transform::from_xyz(40.0, 0.0, 0.0))).id();
    /// # app.world_mut().run_schedule(FixedPostUpdate);
    /// let both_ways = app.world_mut().run_system_once(move |space: SpatialQuery| {
    ///     let shot = |from: f32, way: f32| space.cast_ray(Vec2::new(from, 0.0), Vec2::new(way, 0.0), &QueryFilter::ALL).bodies();
    ///     [shot(0.0, 100.0), shot(100.0, -100.0)].map(|hits| hits.iter().map(|hit| (hit.body, hit.entity)).collect::<Vec<_>>())
    /// })?;
    /// assert_eq!(both_ways, [vec![(knight, shield), (squire, squire)], vec![(squire, squire), (knight, horse)]]);
    /// # Ok::<(), bevy::ecs::system::RunSystemError>(())
    /// ```
    pub fn bodies(&self) -> Vec<CastHit> {
        let mut hits = self.all();
        keep_first_of_each(&mut hits, |hit| hit.body);
        hits
    }

    /// Calls `each` for all that is hit until it breaks off, in no meaningful order: for results that depend on no order. Allocates nothing.
    #[doc(alias = "callback")]
    #[inline]
    pub fn each(&self, mut each: impl FnMut(CastHit) -> ControlFlow<()>) -> ControlFlow<()> {
        let Some(cast) = &self.cast else {
            return ControlFlow::Continue(());
        };
        let known = &self.filtered.known;
        if known.notes.is_none() {
            return self.each_of(cast, each);
        }
        let (flow, seen) = each_and_keep(&mut each, |each| self.each_of(cast, each));
        known.note(|| QueryNote::cast(*cast, &seen, flow.is_break()));
        flow
    }

    // Generic: the check of each hit contains what the caller does with it, and no more.
    #[inline]
    fn each_of(
        &self,
        cast: &Cast,
        mut each: impl FnMut(CastHit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        cast_each(&self.filtered, cast, |found| {
            each(self.filtered.known.told_cast(cast, &found))
        })
    }

    /// Whether anything is hit: is the line of sight broken?
    #[inline]
    pub fn any(&self) -> bool {
        self.each(|_| ControlFlow::Break(())).is_break()
    }
}

impl OverlapQuestion<'_> {
    /// Returns the same question, but it will not be noted: for tools.
    #[cfg(feature = "picking")]
    pub(crate) fn unnoted(mut self) -> Self {
        self.filtered.known.notes = None;
        self
    }

    /// Returns the collider in the area that is nearest to its center; of several, the one whose center has the lesser x, then y, and in one place the less round one, then the narrower, then the lower one.
    #[inline]
    pub fn first(&self) -> Option<NearHit> {
        let area = self.area.as_ref()?;
        let found = overlap_first(&self.filtered, area);
        let hit = found.map(|found| self.filtered.known.told_near(area.center, found));
        let note = || QueryNote::overlap(area, hit.as_slice());
        self.filtered.known.note(note);
        hit
    }

    /// Returns all colliders in the area, the nearest to its center first; those equally near in the order of [`first`](Self::first), then by entity.
    pub fn all(&self) -> Vec<NearHit> {
        let Some(area) = &self.area else {
            return Vec::new();
        };
        let all = overlap_all(&self.filtered, area);
        let told = all
            .iter()
            .map(|found| self.filtered.known.told_near(area.center, *found));
        let hits: Vec<_> = told.collect();
        let note = || QueryNote::overlap(area, &hits);
        self.filtered.known.note(note);
        hits
    }

    /// Returns for each body in the area the collider that is nearest to its center, in the order of [`all`](Self::all): a blast hurts a knight once, whatever colliders its armor has. Costs what `all` costs, and a set of the bodies.
    ///
    /// ```
    /// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::prelude::*;
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// let knight = app.world_mut().spawn((CircleCollider::new(5.0), Transform::from_xyz(40.0, 0.0, 0.0))).id();
    /// let shield = (BoxCollider::new(2.0, 8.0), ChildOf(knight), Transform::from_xyz(-6.0, 0.0, 0.0));
    /// app.world_mut().spawn(shield);
    /// # app.world_mut().run_schedule(FixedPostUpdate);
    /// let hurt = app.world_mut().run_system_once(|space: SpatialQuery| {
    ///     let hits = space.overlap_circle(60.0, Vec2::ZERO, &QueryFilter::SOLID).bodies();
    ///     hits.iter().map(|hit| (hit.body, 60.0 - hit.distance)).collect::<Vec<_>>()
    /// })?;
    /// assert_eq!(hurt, [(knight, 27.0)]); // by its shield, which is 33 away
    /// # Ok::<(), bevy::ecs::system::RunSystemError>(())
    /// ```
    pub fn bodies(&self) -> Vec<NearHit> {
        let mut hits = self.all();
        keep_first_of_each(&mut hits, |hit| hit.body);
        hits
    }

    /// Calls `each` for all that is in the area until it breaks off, in no meaningful order: for results that depend on no order. Allocates nothing.
    #[doc(alias = "callback")]
    #[inline]
    pub fn each(&self, mut each: impl FnMut(NearHit) -> ControlFlow<()>) -> ControlFlow<()> {
        let Some(area) = &self.area else {
            return ControlFlow::Continue(());
        };
        let known = &self.filtered.known;
        if known.notes.is_none() {
            return self.each_of(area, each);
        }
        let (flow, seen) = each_and_keep(&mut each, |each| self.each_of(area, each));
        known.note(|| QueryNote::overlap(area, &seen));
        flow
    }

    #[inline]
    fn each_of(
        &self,
        area: &Area,
        mut each: impl FnMut(NearHit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        overlap_each(&self.filtered, area, |found| {
            each(self.filtered.known.told_near(area.center, found))
        })
    }

    /// Calls `each` with only the entities, of the colliders and not of their bodies: for callers that do not need the distances, which then are not computed.
    #[inline]
    pub fn each_entity(&self, mut each: impl FnMut(Entity) -> ControlFlow<()>) -> ControlFlow<()> {
        let Some(area) = &self.area else {
            return ControlFlow::Continue(());
        };
        let known = &self.filtered.known;
        if known.notes.is_some() {
            return self.each(|hit| each(hit.entity));
        }
        overlap_each(&self.filtered, area, |found| each(known.entity(found)))
    }

    /// Whether anything is in the area: is there room to spawn?
    #[inline]
    pub fn any(&self) -> bool {
        self.each_entity(|_| ControlFlow::Break(())).is_break()
    }
}

fn keep_first_of_each<T>(hits: &mut Vec<T>, body: impl Fn(&T) -> Entity) {
    let mut seen = EntityHashSet::default();
    hits.retain(|hit| seen.insert(body(hit)));
}
