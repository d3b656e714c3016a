//! Shapes in an array, for spatial queries.

use std::{cmp::Ordering, ops::ControlFlow};

use bevy::math::Vec2;

use super::{
    area::Area,
    casts::{Cast, CastFound, cast_all, cast_each, cast_first, cast_many},
    near::{approach, nearest, nearest_each, nearest_n, overlap_all, overlap_each, overlap_first},
    targets::{Targets, WayOf},
};
use crate::{
    broad_phase::{BroadPhase, Extent, HasExtent},
    kernel::{Outline, Shape, Touching, is_in_world},
    placed::extent_at,
};

/// Shapes at places, each with a key that identifies it, sorted so that queries need not check all of them.
///
/// Results contain the keys, and keys decide the order of results that are equally near, alike, and in one place; they may be anything that can be copied and compared: a number, an
/// `Entity`, an index into an array of the game. Every query takes a closure that says which keys count; it is called only for shapes that the geometry has found.
///
/// Building it costs `O(n)`, some 50 ns a shape, and so does [`set`](Self::set), which keeps the buffers.
///
/// ```
/// use std::ops::ControlFlow;
/// use bevy::math::Vec2;
/// use bevy_nudge::{kernel::{Shape, Touching}, spatial::{Cast, ShapeCastHit, ShapeIndex, ShapeNearHit}};
///
/// let dot = Shape::circle(5.0)?;
/// let mut index = ShapeIndex::new((0..4).map(|key| (key, dot, Vec2::new(20.0 * key as f32, 0.0))));
/// assert_eq!((index.len(), index.is_empty()), (4, false));
///
/// // Casts: the first, all in order, each until it is enough, many at once.
/// let ray = Cast::ray(Vec2::new(-15.0, 0.0), Vec2::new(60.0, 0.0));
/// assert_eq!(index.cast(&ray, |key| key != 0).map(|hit| (hit.key, hit.distance)), Some((1, 30.0)));
/// let hit: Vec<ShapeCastHit<i32>> = index.cast_all(&ray, |_| true);
/// assert_eq!(hit.iter().map(|hit| hit.key).collect::<Vec<_>>(), [0, 1, 2]);
/// assert!(index.cast_each(&ray, |_| true, |_| ControlFlow::Break(())).is_break()); // is anybody hit?
/// let back = Cast::ray(Vec2::new(-15.0, 0.0), Vec2::new(-60.0, 0.0));
/// let many = index.cast_many(&[ray, back], |_| true);
/// assert_eq!(many.iter().map(|hit| hit.map(|hit| hit.key)).collect::<Vec<_>>(), [Some(0), None]);
///
/// // Areas.
/// let (area, center) = (Shape::circle(20.0)?, Vec2::new(35.0, 0.0));
/// assert_eq!(index.overlap(area, center, Touching::Counts, |_| true).map(|near| near.key), Some(2));
/// let all = index.overlap_all(area, center, Touching::Counts, |_| true);
/// assert_eq!(all.iter().map(|near| (near.key, near.distance)).collect::<Vec<_>>(), [(2, 0.0), (1, 10.0), (3, 20.0)]);
/// let strictly = index.overlap_each(area, center, Touching::Ignored, |key| key == 3, |_| ControlFlow::Break(()));
/// assert!(strictly.is_continue()); // it only touches
/// let mut keys = Vec::new();
/// let _ = index.overlap_each_key(area, center, Touching::Counts, |_| true, |key| {
///     keys.push(key);
///     ControlFlow::Continue(())
/// });
/// keys.sort_unstable();
/// assert_eq!(keys, [1, 2, 3]);
///
/// // Which one is the nearest?
/// let near: ShapeNearHit<i32> = index.nearest(Vec2::new(0.0, 15.0), 100.0, |_| true).expect("they are all within 100");
/// assert_eq!((near.key, near.distance, near.point, near.normal), (0, 10.0, Vec2::new(0.0, 5.0), Vec2::Y));
/// let two = index.nearest_n(Vec2::new(0.0, 15.0), 2, 100.0, |_| true);
/// assert_eq!(two.iter().map(|near| near.key).collect::<Vec<_>>(), [0, 1]);
///
/// index.set([(7, dot, Vec2::ZERO)]); // others, in their place
/// assert_eq!(index.len(), 1);
/// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
/// ```
#[derive(Clone, Debug)]
pub struct ShapeIndex<K> {
    boxes: Vec<Member<K>>,
    broad_phase: BroadPhase<Member<K>>,
}

impl<K> Default for ShapeIndex<K> {
    fn default() -> Self {
        Self {
            boxes: Vec::new(),
            broad_phase: BroadPhase::default(),
        }
    }
}

/// A shape that a [`Cast`] hits. [`ShapeIndex`] has an example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeCastHit<K> {
    /// The key of the shape.
    pub key: K,
    /// Where the surface of the shape is hit. For a cast that started inside, the origin of the ray, or halfway between both surfaces.
    pub point: Vec2,
    /// Unit normal of the surface that is hit, towards where the cast came from. For a cast that started inside, the direction of the shortest way out.
    pub normal: Vec2,
    /// How far the cast has moved by then, in world units.
    pub distance: f32,
    /// The fraction of the motion up to the hit, `0.0..=1.0`.
    pub fraction: f32,
    /// Whether the cast overlapped the shape from the start.
    pub started_inside: bool,
}

/// A shape near a point, or in an area, as seen from the point or from the center of the area. [`ShapeIndex`] has an example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeNearHit<K> {
    /// The key of the shape.
    pub key: K,
    /// The point of the shape nearest to the given point; the given point itself if that is inside.
    pub point: Vec2,
    /// Unit normal of the surface there, towards the given point. From inside, the direction of the shortest way out.
    pub normal: Vec2,
    /// The distance to that point, in world units; 0 inside.
    pub distance: f32,
    /// Whether the given point is inside, or on the edge.
    pub is_inside: bool,
}

#[derive(Clone, Copy, Debug)]
struct Member<K> {
    key: K,
    shape: Shape,
    center: Vec2,
}

impl<K> HasExtent for Member<K> {
    #[inline]
    fn extent(&self) -> Extent {
        extent_at(self.shape, self.center, 0.0)
    }
}

impl<K> Member<K> {
    #[inline(always)]
    fn place(&self) -> (Outline, Vec2) {
        (Outline::Shape(self.shape), self.center)
    }
}

impl<K: Copy + Ord + Send + Sync> ShapeIndex<K> {
    /// Makes an index of these keys, shapes, and centers. Shapes at a place that is not finite, or beyond 1e18, are left out.
    pub fn new(shapes: impl IntoIterator<Item = (K, Shape, Vec2)>) -> Self {
        let mut index = Self::default();
        index.set(shapes);
        index
    }

    /// Replaces all shapes by these.
    pub fn set(&mut self, shapes: impl IntoIterator<Item = (K, Shape, Vec2)>) {
        self.boxes.clear();
        let members = shapes.into_iter().map(|(key, shape, center)| Member {
            key,
            shape,
            // -0.0 is the same place as 0.0.
            center: center + Vec2::ZERO,
        });
        let finite = members.filter(|member| is_in_world(member.center));
        self.boxes.extend(finite);
        self.broad_phase.set_still(&self.boxes);
    }

    /// Returns the number of shapes.
    pub fn len(&self) -> usize {
        self.boxes.len()
    }

    /// Whether there are no shapes.
    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }

    fn filtered<F>(&self, counts: F) -> FilteredIndex<'_, K, F> {
        let index = self;
        FilteredIndex { index, counts }
    }

    /// Returns the first shape that a cast hits, of those that count; of several at once, one that is hit on a side before one that is hit only on a sharp corner, then the one with the lesser `(x, y)` of its center, in one place by their shapes, and of alike ones the one with the lesser key.
    pub fn cast(&self, cast: &Cast, counts: impl Fn(K) -> bool) -> Option<ShapeCastHit<K>> {
        let targets = self.filtered(counts);
        cast_first(&targets, cast).map(|found| told_cast(cast, &found))
    }

    /// Returns all shapes that a cast hits, the first hit first; hits at once are in the order of [`cast`](Self::cast).
    pub fn cast_all(&self, cast: &Cast, counts: impl Fn(K) -> bool) -> Vec<ShapeCastHit<K>> {
        let targets = self.filtered(counts);
        let all = cast_all(&targets, cast);
        all.iter().map(|found| told_cast(cast, found)).collect()
    }

    /// Calls `each` with all shapes that a cast hits, in no meaningful order, until it breaks off.
    pub fn cast_each(
        &self,
        cast: &Cast,
        counts: impl Fn(K) -> bool,
        mut each: impl FnMut(ShapeCastHit<K>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let targets = self.filtered(counts);
        cast_each(&targets, cast, |found| each(told_cast(cast, &found)))
    }

    /// Runs [`cast`](Self::cast) for many casts, and returns the results in their order. Many are divided among the threads of Bevy's `ComputeTaskPool`, if there is one; the results are the same.
    pub fn cast_many(
        &self,
        casts: &[Cast],
        counts: impl Fn(K) -> bool + Sync,
    ) -> Vec<Option<ShapeCastHit<K>>> {
        let targets = self.filtered(counts);
        cast_many(&targets, casts, true, |cast, found| told_cast(cast, &found))
    }

    /// Returns, of the shapes that are in a shape at `center` and count, the one that is nearest to `center`.
    pub fn overlap(
        &self,
        shape: Shape,
        center: Vec2,
        touching: Touching,
        counts: impl Fn(K) -> bool,
    ) -> Option<ShapeNearHit<K>> {
        let targets = self.filtered(counts);
        let area = Area::new(shape, center, touching);
        overlap_first(&targets, &area).map(|found| told_near(center, found))
    }

    /// Returns all shapes that are in a shape at `center`, sorted by their distance from `center`, then by the `(x, y)` of their centers, in one place by their shapes, then by key.
    pub fn overlap_all(
        &self,
        shape: Shape,
        center: Vec2,
        touching: Touching,
        counts: impl Fn(K) -> bool,
    ) -> Vec<ShapeNearHit<K>> {
        let targets = self.filtered(counts);
        let area = Area::new(shape, center, touching);
        let all = overlap_all(&targets, &area);
        all.iter().map(|found| told_near(center, found)).collect()
    }

    /// Calls `each` with all shapes that are in a shape at `center`, in no meaningful order, until it breaks off.
    pub fn overlap_each(
        &self,
        shape: Shape,
        center: Vec2,
        touching: Touching,
        counts: impl Fn(K) -> bool,
        mut each: impl FnMut(ShapeNearHit<K>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let targets = self.filtered(counts);
        let area = Area::new(shape, center, touching);
        overlap_each(&targets, &area, |found| each(told_near(center, found)))
    }

    /// Calls `each` with only the keys: for callers that do not need the distances, which then are not computed.
    pub fn overlap_each_key(
        &self,
        shape: Shape,
        center: Vec2,
        touching: Touching,
        counts: impl Fn(K) -> bool,
        mut each: impl FnMut(K) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let targets = self.filtered(counts);
        let area = Area::new(shape, center, touching);
        overlap_each(&targets, &area, |found| each(found.key))
    }

    /// Returns the shape that is nearest to a point, no farther than `max_distance`; of several, the one that [`cast`](Self::cast) would name first.
    pub fn nearest(
        &self,
        point: Vec2,
        max_distance: f32,
        counts: impl Fn(K) -> bool,
    ) -> Option<ShapeNearHit<K>> {
        let targets = self.filtered(counts);
        nearest(&targets, point, max_distance).map(|found| told_near(point, found))
    }

    /// Returns the `count` shapes that are nearest to a point, no farther than `max_distance`, the nearest one first.
    pub fn nearest_n(
        &self,
        point: Vec2,
        count: usize,
        max_distance: f32,
        counts: impl Fn(K) -> bool,
    ) -> Vec<ShapeNearHit<K>> {
        let targets = self.filtered(counts);
        let all = nearest_n(&targets, point, count, max_distance);
        all.iter().map(|found| told_near(point, found)).collect()
    }

    /// Calls `each` for all shapes that are no farther from a point than `max_distance`, the nearest one first, until it breaks off; for none if the point is not finite, or the distance negative or NaN. `counts` may be called for a shape several times.
    ///
    /// ```
    /// # use std::ops::ControlFlow; use bevy_nudge::{kernel::Shape, spatial::ShapeIndex}; use bevy::math::Vec2;
    /// let dot = Shape::circle(1.0)?;
    /// let index = ShapeIndex::new([30.0, 10.0, 20.0].map(|x| (x as u32, dot, Vec2::new(x, 0.0))));
    /// let mut seen = Vec::new();
    /// let flow = index.nearest_each(Vec2::ZERO, 100.0, |_| true, |near| {
    ///     seen.push((near.key, near.distance));
    ///     if seen.len() == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    /// });
    /// assert_eq!((seen, flow.is_break()), (vec![(10, 9.0), (20, 19.0)], true));
    /// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
    /// ```
    #[doc(alias = "callback")]
    pub fn nearest_each(
        &self,
        point: Vec2,
        max_distance: f32,
        counts: impl Fn(K) -> bool,
        mut each: impl FnMut(ShapeNearHit<K>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let targets = self.filtered(counts);
        nearest_each(&targets, point, max_distance, |found| {
            each(told_near(point, found))
        })
    }
}

/// An index, and the closure that says which keys count.
struct FilteredIndex<'a, K, F> {
    index: &'a ShapeIndex<K>,
    counts: F,
}

impl<'a, K: Copy + Ord + Send + Sync, F: Fn(K) -> bool> Targets for FilteredIndex<'a, K, F> {
    type Who = &'a Member<K>;

    #[inline(always)]
    fn place(&self, who: &Member<K>) -> (Outline, Vec2) {
        who.place()
    }

    fn compare(&self, a: &Member<K>, b: &Member<K>) -> Ordering {
        a.key.cmp(&b.key)
    }

    #[inline(always)]
    fn admits(&self, who: &Member<K>) -> bool {
        (self.counts)(who.key)
    }

    fn within(
        &self,
        area: &Area,
        mut found: impl FnMut(&'a Member<K>, bool) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let levels = self.index.broad_phase.still();
        levels.walk_within(&area.region(0.0), |mut met| {
            met.try_for_each(|(member, is_in)| found(member, is_in))
        })
    }

    fn along<const TO_THE_END: bool>(
        &self,
        way: &WayOf,
        limit: f32,
        mut found: impl FnMut(&'a Member<K>) -> f32,
    ) {
        let levels = self.index.broad_phase.still();
        levels.walk_along::<TO_THE_END>(&way.way(0.0), limit, |member, _| found(member));
    }

    fn near(&self, point: Vec2, reach: f32, mut found: impl FnMut(&'a Member<K>) -> f32) {
        let levels = self.index.broad_phase.still();
        levels.walk_around(point, 0.0, reach, |member, _| found(member));
    }
}

#[inline]
fn told_cast<K: Copy>(cast: &Cast, found: &CastFound<&Member<K>>) -> ShapeCastHit<K> {
    ShapeCastHit {
        key: found.who.key,
        point: found.point(cast, found.who.place()),
        normal: found.impact.normal,
        distance: found.distance(cast),
        fraction: found.impact.fraction,
        started_inside: found.impact.started_inside,
    }
}

#[inline]
fn told_near<K: Copy>(asked: Vec2, found: &Member<K>) -> ShapeNearHit<K> {
    let (approach, point) = approach(found.place(), asked);
    ShapeNearHit {
        key: found.key,
        point,
        normal: approach.normal,
        distance: approach.distance,
        is_inside: approach.is_inside,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Counts how often a place is asked for.
    struct Watched<T> {
        targets: T,
        asked: Cell<usize>,
    }

    impl<T: Targets> Targets for Watched<T> {
        type Who = T::Who;

        fn place(&self, who: T::Who) -> (Outline, Vec2) {
            self.asked.set(self.asked.get() + 1);
            self.targets.place(who)
        }

        fn compare(&self, a: T::Who, b: T::Who) -> Ordering {
            self.targets.compare(a, b)
        }

        fn admits(&self, who: T::Who) -> bool {
            self.targets.admits(who)
        }

        fn within(
            &self,
            area: &Area,
            found: impl FnMut(T::Who, bool) -> ControlFlow<()>,
        ) -> ControlFlow<()> {
            self.targets.within(area, found)
        }

        fn along<const TO_THE_END: bool>(
            &self,
            way: &WayOf,
            limit: f32,
            found: impl FnMut(T::Who) -> f32,
        ) {
            self.targets.along::<TO_THE_END>(way, limit, found);
        }

        fn near(&self, point: Vec2, reach: f32, found: impl FnMut(T::Who) -> f32) {
            self.targets.near(point, reach, found);
        }
    }

    /// Rows of dots of radius 1, 10 apart, and a lane between two of them with one dot in it, or none.
    #[test]
    fn the_first_in_a_lane_is_found_without_asking_all_around_it() {
        let dot = Shape::circle(1.0).expect("a test's own size");
        let lane = Shape::rectangle(Vec2::new(450.0, 1.0)).expect("a test's own size");
        let lane = Area::new(lane, Vec2::ZERO, Touching::Counts);
        for in_lane in [None, Some(3.0), Some(-300.0)] {
            let rows = (-50..50).flat_map(|row| (-50..50).map(move |column| (column, row)));
            let rows = rows.map(|(column, row)| (column as f32 * 10.0, row as f32 * 10.0 + 5.0));
            let all = rows.chain(in_lane.map(|x| (x, 0.0)));
            let shapes = all
                .enumerate()
                .map(|(key, (x, y))| (key, dot, Vec2::new(x, y)));
            let index = ShapeIndex::new(shapes);
            let watched = Watched {
                targets: index.filtered(|_| true),
                asked: Cell::new(0),
            };
            let found = overlap_first(&watched, &lane).map(|found| found.key);
            assert_eq!(found, in_lane.map(|_| 10_000), "{in_lane:?}");
            assert!(watched.asked.get() < 400, "{}", watched.asked.get());
        }
    }
}
