//! Finds the nearest place in which a body is free of a few things around it. The result is exact, where pushes out of one thing after the other would end somewhere near it.
//!
//! ```text
//! begin where the body is
//! while the body overlaps something there
//!     take up the obstacle that it is in the deepest; the nearest place that is free of all taken obstacles is
//!         out of that one by the shortest way, or where its border crosses that of another one
//! ```
//!
//! That place lies on the border of the obstacle taken up last, since the place before was the nearest that is free of the others.

use bevy::math::{DVec2, Vec2};

use super::world::World;
use crate::{
    kernel::{Outline, Shape, gap_to_point, room_within},
    placed::compare_places,
};

/// At most this many obstacles are taken up for one body.
const MOST: usize = 12;
/// How many steps of Newton's method look for the crossing of two borders.
const STEPS: usize = 6;
/// And how many more steps settle a crossing to the last digits.
const SETTLING: usize = 2;
/// Two borders count as parallel below this sine of the angle between them.
const PARALLEL: f32 = 0.05;

/// Where the body's position must not be: inside the sum of both shapes, or, for a room, outside the room less the half extents of the collider.
#[derive(Clone, Copy, Debug)]
pub(super) struct Obstacle {
    pub(super) pair: (u32, u32),
    /// Where the body is when the center of its collider lies on that of the other one.
    pub(super) center: Vec2,
    pub(super) outline: Outline,
}

/// A search for a free place, with its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct PlaceSearch {
    pub(super) obstacles: Vec<Obstacle>,
    /// Counts how often the obstacles were cleared: more often than a `u32` holds, if a jam lasts for an hour.
    round: u64,
    /// By collider: the round in which it was last added, and for which collider of the body.
    added: Vec<(u64, u32)>,
    /// Numbers of the obstacles that have been taken up.
    taken: Vec<usize>,
    from: Vec2,
    size: f32,
    tolerance: f32,
    /// Where the search is.
    at: Vec2,
    /// How deep the body has to be in something there for that to count.
    least: f32,
}

/// What a search has found.
#[derive(Clone, Copy, Debug)]
pub(super) enum SearchResult {
    Free(Vec2),
    /// The search goes on here, once the surroundings are known.
    Unknown(Vec2),
    /// The body is wedged between more obstacles than are taken up.
    Nothing,
}

impl Obstacle {
    /// Returns the obstacle that `other` is to a body, by the body's collider `own`; `None` if that is a room.
    pub(super) fn of(world: &World, (own, other): (u32, u32)) -> Option<Self> {
        let Outline::Shape(shape) = world.outline(own) else {
            return None;
        };
        Some(Self {
            pair: (own, other),
            center: world.center(other) - world.offset(own),
            outline: around(shape, world.outline_for(own, other)),
        })
    }

    /// Returns how far a place is from the border, negative where the body must not be, and the direction of the shortest way out.
    #[inline(always)]
    fn gap(&self, place: Vec2) -> (f32, Vec2) {
        let offset = place - self.center;
        match self.outline {
            Outline::Shape(shape) => gap_to_point(shape, offset),
            Outline::Bounds(room) => {
                let gap = room - offset.abs();
                let axis = if gap.x <= gap.y { Vec2::X } else { Vec2::Y };
                (gap.dot(axis), -axis * offset.signum())
            }
        }
    }

    /// Returns the same in double precision.
    fn exact_gap(&self, place: DVec2) -> (f64, DVec2) {
        let offset = place - self.center.as_dvec2();
        let shape = match self.outline {
            Outline::Shape(shape) => shape,
            Outline::Bounds(room) => {
                let gap = room.as_dvec2() - offset.abs();
                let axis = if gap.x <= gap.y { DVec2::X } else { DVec2::Y };
                return (gap.dot(axis), -axis * offset.signum());
            }
        };
        let radius = f64::from(shape.radius());
        let beyond = offset.abs() - shape.half_size().as_dvec2();
        let out = beyond.max(DVec2::ZERO);
        if out == DVec2::ZERO {
            let axis = if beyond.x >= beyond.y {
                DVec2::X
            } else {
                DVec2::Y
            };
            (beyond.dot(axis) - radius, axis * offset.signum())
        } else {
            let distance = out.length();
            (distance - radius, out / distance * offset.signum())
        }
    }

    /// Returns the nearest free place for a place that is not free.
    fn project(&self, place: Vec2) -> Vec2 {
        if let Outline::Bounds(room) = self.outline {
            return place.clamp(self.center - room, self.center + room);
        }
        let (gap, normal) = self.gap(place);
        self.snap(place - normal * gap, normal)
    }

    /// Moves a place that is on a side but for rounding to the exact coordinate of that side.
    fn snap(&self, place: Vec2, normal: Vec2) -> Vec2 {
        let half = match self.outline {
            Outline::Shape(shape) => shape.half_extents(),
            Outline::Bounds(room) => -room,
        };
        let side = self.center + normal * half;
        let along = normal.abs().cmpeq(Vec2::ONE);
        Vec2::select(along, side, place)
    }

    /// Returns the lower left and the upper right corner of the box around the obstacle.
    fn sides(&self) -> [Vec2; 2] {
        let half = self.outline.half_extents();
        [self.center - half, self.center + half]
    }
}

impl PlaceSearch {
    /// Forgets all obstacles.
    pub(super) fn clear(&mut self) {
        self.obstacles.clear();
        self.round += 1;
    }

    /// Adds what is in the way of a collider of the body, if that is not known yet.
    #[inline]
    pub(super) fn add(&mut self, world: &World, own: u32, other: u32) {
        if self.added.len() <= other as usize {
            self.added.resize(world.count(), (0, 0));
        }
        let pair = (own, other);
        let (round, before) = std::mem::replace(&mut self.added[other as usize], (self.round, own));
        // The same member may be in the way of several colliders of the body.
        let is_known = round == self.round
            && (before == own || self.obstacles.iter().any(|known| known.pair == pair));
        if !is_known {
            self.obstacles.extend(Obstacle::of(world, pair));
        }
    }

    /// Returns the obstacles that mattered for the last place.
    pub(super) fn taken(&self) -> impl DoubleEndedIterator<Item = &Obstacle> + Clone {
        self.taken.iter().map(|&number| &self.obstacles[number])
    }

    /// Begins at a place, for a body of about this size. An overlap of no more than the tolerance is free.
    pub(super) fn begin(&mut self, from: Vec2, size: f32, tolerance: f32) {
        self.taken.clear();
        (self.from, self.size, self.tolerance) = (from, size, tolerance);
        // At the start place any overlap counts, after that only one deeper than what rounding loses.
        (self.at, self.least) = (from, 0.0);
    }

    /// Looks for the nearest free place. The surroundings of each place on the way have to be known: asks `is_known` for each, and returns the first one that is not. The next call goes on from there.
    pub(super) fn nearest_free(&mut self, is_known: impl Fn(Vec2) -> bool) -> SearchResult {
        loop {
            if !is_known(self.at) {
                return SearchResult::Unknown(self.at);
            }
            let Some(worst) = self.deepest(self.at, self.least) else {
                return SearchResult::Free(self.at);
            };
            if self.taken.contains(&worst) || self.taken.len() == MOST {
                return SearchResult::Nothing;
            }
            self.taken.push(worst);
            match self.nearest_of_taken() {
                Some(nearest) => self.at = nearest,
                None => return SearchResult::Nothing,
            }
            self.least = self.tolerance;
        }
    }

    /// Returns the number of the obstacle in which a place is the deepest.
    fn deepest(&self, place: Vec2, least: f32) -> Option<usize> {
        let mut deepest: Option<(f32, usize)> = None;
        for (number, obstacle) in self.obstacles.iter().enumerate() {
            let (gap, _) = obstacle.gap(place);
            let is_deeper = |(other, at): (f32, usize)| {
                let by_place = || compare_places(obstacle.center, self.obstacles[at].center);
                gap.total_cmp(&other).then_with(by_place).is_lt()
            };
            if gap < -least && deepest.is_none_or(is_deeper) {
                deepest = Some((gap, number));
            }
        }
        deepest.map(|(_, number)| number)
    }

    /// Returns the nearest place that is free of all taken obstacles, on the border of the last one of these.
    fn nearest_of_taken(&self) -> Option<Vec2> {
        let Self {
            from,
            at: near,
            size,
            tolerance,
            ..
        } = *self;
        let mut others = self.taken();
        let newest = others.next_back()?;
        let mut best = Nearest {
            search: self,
            best: None,
        };
        best.consider(newest.project(from));
        for other in others.clone() {
            best.consider_all(cross(newest, other, near, (size, tolerance)));
        }
        // Along a side of a box, up to a side of another box; for round shapes, the sides of the box around them.
        for (axis, other_axis) in [(Vec2::X, Vec2::Y), (Vec2::Y, Vec2::X)] {
            for side in newest.sides() {
                best.consider(side * axis + from * other_axis);
                for other in others.clone() {
                    for end in other.sides() {
                        best.consider(side * axis + end * other_axis);
                    }
                }
            }
        }
        if let Some((_, place)) = best.best {
            for other in others {
                best.consider_all(cross(newest, other, place, (size, tolerance)));
            }
        }
        best.best.map(|(_, place)| place)
    }
}

/// The nearest of several places that is free of all taken obstacles.
struct Nearest<'a> {
    search: &'a PlaceSearch,
    /// The place, after the square of its distance.
    best: Option<(f32, Vec2)>,
}

impl Nearest<'_> {
    fn consider(&mut self, place: Vec2) {
        let distance = place.distance_squared(self.search.from);
        // A room has no end where its walls are open.
        if !distance.is_finite() {
            return;
        }
        let is_nearer = |(least, other): (f32, Vec2)| {
            let order = distance.total_cmp(&least);
            order.then_with(|| compare_places(place, other)).is_lt()
        };
        let mut taken = self.search.taken();
        let mut is_free = || taken.all(|one| one.gap(place).0 >= -self.search.tolerance);
        if self.best.is_none_or(is_nearer) && is_free() {
            self.best = Some((distance, place));
        }
    }

    fn consider_all(&mut self, places: impl IntoIterator<Item = Vec2>) {
        places.into_iter().for_each(|place| self.consider(place));
    }
}

/// Returns where the center of a shape must not be, so that the shape does not overlap `other`.
pub(super) fn around(shape: Shape, other: Outline) -> Outline {
    match other {
        Outline::Shape(other) => Outline::Shape(other.sum(shape)),
        Outline::Bounds(room) => Outline::Bounds(room_within(room, shape)),
    }
}

/// Returns the nearest free place for a body that is in two obstacles, and leaves the first one by going into the second: out of the second alone, or where their borders cross. Starts from `from`; `near` is close to the crossing.
pub(super) fn free_of_two(
    [first, second]: [&Obstacle; 2],
    (from, near): (Vec2, Vec2),
    limits: (f32, f32),
) -> Option<Vec2> {
    let (gap, _) = second.gap(from);
    let out_of_second = second.project(from);
    if gap < 0.0 && first.gap(out_of_second).0 >= 0.0 {
        return Some(out_of_second);
    }
    let place = cross(first, second, near, limits)?;
    Some(settle(first, second, place))
}

/// Moves a place near a crossing to the crossing itself, to the same bits from wherever it was found: a body that is pressed there in every tick stays there.
fn settle(a: &Obstacle, b: &Obstacle, place: Vec2) -> Vec2 {
    let mut exact = place.as_dvec2();
    for _ in 0..SETTLING {
        let ((gap_a, normal_a), (gap_b, normal_b)) = (a.exact_gap(exact), b.exact_gap(exact));
        let sine = normal_a.perp_dot(normal_b);
        if sine.abs() < f64::from(PARALLEL) {
            break;
        }
        exact += (normal_b * gap_a - normal_a * gap_b).perp() / sine;
    }
    exact.as_vec2()
}

/// Returns where two borders cross, near a place; for a body of about this size, and as exactly as a quarter of the tolerance.
fn cross(a: &Obstacle, b: &Obstacle, near: Vec2, (size, tolerance): (f32, f32)) -> Option<Vec2> {
    let mut place = near;
    for _ in 0..STEPS {
        let ((gap_a, normal_a), (gap_b, normal_b)) = (a.gap(place), b.gap(place));
        if gap_a.abs().max(gap_b.abs()) <= tolerance * 0.25 {
            return Some(b.snap(a.snap(place, normal_a), normal_b));
        }
        let sine = normal_a.perp_dot(normal_b);
        if sine.abs() < PARALLEL {
            return None;
        }
        // Go where the tangents cross.
        let step = (normal_b * gap_a - normal_a * gap_b).perp() / sine;
        place += step.clamp_length_max(size);
    }
    None
}

#[cfg(test)]
#[allow(
    clippy::disallowed_methods,
    reason = "tests may turn things by any angle"
)]
mod tests {
    use super::*;

    const TOLERANCE: f32 = 2.5e-4;

    fn obstacle(outline: Outline, x: f32, y: f32) -> Obstacle {
        Obstacle {
            pair: (0, 1),
            center: Vec2::new(x, y),
            outline,
        }
    }

    fn ball(radius: f32, x: f32, y: f32) -> Obstacle {
        let shape = Shape::circle(radius).expect("a test's own size");
        obstacle(Outline::Shape(shape), x, y)
    }

    fn tile(width: f32, height: f32, x: f32, y: f32) -> Obstacle {
        let shape = Shape::rectangle(Vec2::new(width, height) * 0.5);
        obstacle(Outline::Shape(shape.expect("a test's own size")), x, y)
    }

    fn find(obstacles: &[Obstacle], from: Vec2) -> SearchResult {
        let mut place = PlaceSearch::default();
        place.obstacles.extend_from_slice(obstacles);
        place.begin(from, 4.0, TOLERANCE);
        place.nearest_free(|_| true)
    }

    #[test]
    fn the_nearest_free_place_is_found() {
        // 6-8-10 triangles.
        let notch = [ball(10.0, -8.0, 0.0), ball(10.0, 8.0, 0.0)];
        let corner = [tile(10.0, 40.0, -5.0, 0.0), tile(40.0, 10.0, 0.0, -5.0)];
        let gap = [tile(10.0, 10.0, -4.0, 0.0), tile(10.0, 10.0, 4.0, 0.0)];
        let room = [obstacle(Outline::Bounds(Vec2::new(20.0, 10.0)), 0.0, 0.0)];
        for (case, obstacles, from, to) in [
            ("in nothing", &notch[..], (0.0, 30.0), (0.0, 30.0)),
            ("out of one, straight", &notch[..1], (-2.0, 0.0), (2.0, 0.0)),
            ("where two round ones meet", &notch, (0.5, 4.0), (0.0, 6.0)),
            (
                "by the nearest side of a box",
                &corner[..1],
                (-1.0, 3.0),
                (0.0, 3.0),
            ),
            ("into a corner", &corner, (-1.0, -2.0), (0.0, 0.0)),
            (
                "between two boxes, along the gap",
                &gap,
                (0.5, 4.0),
                (0.5, 5.0),
            ),
            ("back into a room", &room, (23.0, 14.0), (20.0, 10.0)),
        ] {
            let SearchResult::Free(place) = find(obstacles, Vec2::from(from)) else {
                panic!("{case}: nothing is found");
            };
            assert!(place.distance(Vec2::from(to)) < 1.0e-3, "{case}: {place}");
        }
    }

    #[test]
    fn no_place_is_where_a_room_has_no_end() {
        let endless = Outline::Bounds(Vec2::new(f32::MAX, 10.0));
        let above = tile(1.0e6, 30.0, 0.0, 12.0);
        let below = tile(1.0e6, 30.0, 0.0, -12.0);
        let found = find(&[obstacle(endless, 0.0, 0.0), above, below], Vec2::ZERO);
        let is_far = |place: Vec2| place.x.abs() > 1.0e7;
        assert!(
            !matches!(found, SearchResult::Free(place) | SearchResult::Unknown(place) if is_far(place))
        );
    }

    #[test]
    fn what_has_to_be_known_is_asked_for() {
        let mut place = PlaceSearch::default();
        place.obstacles.push(tile(10.0, 10.0, 0.0, 0.0));
        place.begin(Vec2::new(4.0, 0.0), 4.0, TOLERANCE);
        let found = place.nearest_free(|at| at.x < 4.5);
        assert!(matches!(found, SearchResult::Unknown(at) if at == Vec2::new(5.0, 0.0)));
        // Another obstacle is there, and the search goes on.
        place.obstacles.push(tile(4.0, 10.0, 6.0, 0.0));
        let found = place.nearest_free(|_| true);
        assert!(matches!(found, SearchResult::Free(at) if at == Vec2::new(8.0, 0.0)));
    }

    #[test]
    fn random_places_are_free_and_near() {
        let mut random = fastrand::Rng::with_seed(12);
        let (mut found, mut farther) = (0, 0);
        for _ in 0..4000 {
            let count = 1 + random.usize(..4);
            let mut unit = || random.f32() * 2.0 - 1.0;
            let obstacles: Vec<Obstacle> = (0..count)
                .map(|_| {
                    let (x, y, size) = (unit() * 8.0, unit() * 8.0, 4.0 + unit() * 2.0);
                    if unit() > 0.0 {
                        ball(size, x, y)
                    } else {
                        tile(2.0 * size, size * (2.5 + unit()), x, y)
                    }
                })
                .collect();
            let from = Vec2::new(unit(), unit()) * 6.0;
            let SearchResult::Free(place) = find(&obstacles, from) else {
                continue;
            };
            found += 1;
            let least = |at: Vec2| {
                obstacles
                    .iter()
                    .map(|one| one.gap(at).0)
                    .fold(f32::MAX, f32::min)
            };
            assert!(
                least(place) >= -TOLERANCE,
                "{obstacles:?}: {place} is not free"
            );
            // Usually no place that is clearly nearer is free: two round obstacles are left only at the nearest one of their crossings.
            let radius = place.distance(from) - 0.3;
            let around =
                (0..64).map(|step| Vec2::from_angle(step as f32 * std::f32::consts::TAU / 64.0));
            let is_nearer = radius > 0.0
                && around
                    .map(|way| from + way * radius)
                    .any(|at| least(at) > 0.0);
            farther += usize::from(is_nearer);
        }
        assert!(found > 3900, "{found} of 4000");
        assert!(
            farther < found / 20,
            "{farther} of {found} could have been nearer"
        );
    }
}
