//! Finds a way out of several obstacles at once, where pushes out of one after the other would lead back and forth.
//!
//! The center of the collider is a point, and each obstacle the sum of both shapes. The nearest free point lies on the border of one obstacle, straight from where
//! the center is, or where the borders of two cross. These points are the candidates, and the nearest one that is in no obstacle wins.
//! For boxes that is exact. Round corners are treated as square ones, which leaves a little more room than needed.
//!
//! Obstacles are taken up step by step: those at the start, then those at the place that seemed free. A way out never leads
//! through anything firm, or a body squeezed in a corridor would end behind its wall, or behind its closed door, or through a slit that is narrower than where it is squeezed; only a collider whose center is itself in a static may be led anywhere, if its seeker is not choosy.
//!
//! All colliders of a body take part: what is in the way of another collider is an obstacle to the first one, shifted by the offset between the two.

use bevy::math::Vec2;

use super::{
    near::Near,
    place::around,
    world::{TOLERANCE, World},
};
use crate::{
    kernel::{Outline, Shape, Touching, cast_ray, contains_point, separation},
    placed::{Rank, compare_places},
};

/// The search ends after this many looks around. Each may take up further obstacles.
const MAX_LOOKS: usize = 8;
/// It also ends when there are more obstacles than this: the number of candidates grows with the square.
const MAX_OBSTACLES: usize = 32;

/// A search for a free place, with its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    /// The colliders of the body.
    own: Vec<Own>,
    /// Obstacles that are in the way so far.
    known: Vec<Obstacle>,
    /// Firm colliders that a way out must not cross.
    walls: Vec<Wall>,
    /// Coordinates of the center at the start, and of the borders of the known obstacles.
    columns: Vec<f32>,
    rows: Vec<f32>,
    /// Where these cross, except inside a known obstacle.
    candidates: Vec<Vec2>,
    around: Vec<u32>,
}

/// A collider of the body.
#[derive(Clone, Copy, Debug)]
struct Own {
    member: u32,
    /// The offset of its center from that of the collider that looks for a place.
    aside: Vec2,
    /// Its center is in a static.
    is_buried: bool,
}

/// A collider that looks for a place, and how far away that may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seeker {
    pub(super) member: u32,
    /// Members of a lower rank are no obstacles.
    pub(super) lowest: Rank,
    /// The largest distance, in half sizes of the widest collider of its body.
    pub(super) limit: f32,
    /// It goes through no other static, even if its center is in one.
    pub(super) is_choosy: bool,
}

impl Seeker {
    /// Whether `other` is in the way of the body's collider `own`.
    fn is_obstacle(&self, world: &World, (own, other): (u32, u32)) -> bool {
        other != own && world.rank(other) >= self.lowest && world.may_push(own, other)
    }
}

/// There are more obstacles than are looked at.
struct TooMany;

/// Where the center of the collider that looks for a place must not be.
#[derive(Clone, Copy, Debug)]
struct Obstacle {
    /// A collider of the body, and what is in its way.
    pair: (u32, u32),
    center: Vec2,
    /// The sum of both shapes, or what a room leaves to the center of the collider.
    sum: Outline,
    /// An overlap of no more than this does not block: rounding, and a little more.
    tolerance: f32,
}

impl Obstacle {
    /// Returns the obstacle to a collider of the body that lies `aside` from the one that looks for a place.
    fn new(world: &World, own: Shape, pair: (u32, u32), aside: Vec2) -> Self {
        Self {
            pair,
            center: world.center(pair.1) - aside,
            sum: around(own, world.outline(pair.1)),
            tolerance: TOLERANCE.max(world.rounding(pair)),
        }
    }

    fn blocks(&self, place: Vec2) -> bool {
        let offset = place - self.center;
        match self.sum {
            Outline::Shape(sum) => separation(sum, Shape::POINT, offset) < -self.tolerance,
            room @ Outline::Bounds(_) => room
                .contact(Outline::Shape(Shape::POINT), offset, Touching::Ignored)
                .is_some_and(|contact| contact.depth > self.tolerance),
        }
    }
}

/// A firm collider in the way of a collider of the body.
#[derive(Clone, Copy, Debug)]
struct Wall {
    own: u32,
    shape: Shape,
    /// Where the center of that collider does not get without going deeper into the wall than it is in any wall now.
    around: Shape,
    /// Where its way begins, relative to the center of the wall.
    start: Vec2,
    /// At the start the collider is in the wall, and its center in something else: both may be parts of one floor.
    is_beside: bool,
}

impl Wall {
    fn is_on(&self, way: Vec2) -> bool {
        cast_ray(self.shape, self.start, way).is_some()
    }

    /// Whether the collider is in the wall like that at the start of a way, and does not come out on the other side.
    fn is_left_beside(&self, way: Vec2) -> bool {
        self.is_beside && !self.is_crossed_by(way)
    }

    /// Whether a way leads from one side of the wall to the opposite one, and not around one of its corners.
    fn is_crossed_by(&self, way: Vec2) -> bool {
        let ends = [self.start, self.start + way];
        if self.shape.radius() > 0.0 {
            let [from, to] = ends.map(|end| end.dot(way));
            return from < 0.0 && to > 0.0;
        }
        let half = self.shape.half_extents();
        (0..2).any(|axis| {
            let [from, to] = ends.map(|end| end[axis]);
            from.abs() >= half[axis] && to.abs() >= half[axis] && from * to < 0.0
        })
    }

    /// Whether the collider would at least graze the wall on a way.
    fn is_close_to(&self, way: Vec2) -> bool {
        cast_ray(self.around, self.start, way).is_some()
    }

    /// Whether the collider would graze the wall if the way went on at both ends.
    fn is_in_line_with(&self, way: Vec2) -> bool {
        let across = way.perp();
        let reach = self.around.half_size().dot(across.abs()) + self.around.radius() * way.length();
        across.dot(self.start).abs() < reach
    }

    /// Whether the wall is left of a way that does not meet it.
    fn is_left_of(&self, way: Vec2) -> bool {
        way.perp_dot(-self.start) > 0.0
    }

    /// Whether there is no room for the collider between two walls.
    fn is_next_to(&self, other: &Self) -> bool {
        let offset = self.start - other.start;
        self.own == other.own && separation(self.around, other.around, offset) < 0.0
    }
}

/// Whether a point is in a collider, or at its edge; for a room, whether it is beyond the walls.
fn holds(world: &World, member: u32, point: Vec2) -> bool {
    let offset = point - world.center(member);
    match world.outline(member) {
        Outline::Shape(shape) => contains_point(shape, offset),
        room @ Outline::Bounds(_) => room
            .contact(Outline::Shape(Shape::POINT), offset, Touching::Ignored)
            .is_some_and(|contact| contact.depth > 0.0),
    }
}

impl Search {
    /// Returns the nearest place for the center of a collider in which its body overlaps no obstacle; `None` if there is none close by, and always for a room.
    pub(super) fn nearest_free_center(
        &mut self,
        world: &mut World,
        near: &mut Near,
        seeker: Seeker,
    ) -> Option<Vec2> {
        if world.is_room(seeker.member) {
            return None;
        }
        self.find_own(world, seeker.member);
        match self.look_for(world, near, seeker) {
            Ok(place) => place,
            Err(TooMany) if self.own.len() > 1 => {
                // A body as large as that only leaves what is in the way of this one of its colliders.
                self.own.retain(|own| own.member == seeker.member);
                self.look_for(world, near, seeker).ok().flatten()
            }
            Err(TooMany) => None,
        }
    }

    /// Does the same for the colliders in `own`.
    fn look_for(
        &mut self,
        world: &mut World,
        near: &mut Near,
        seeker: Seeker,
    ) -> Result<Option<Vec2>, TooMany> {
        let from = world.center(seeker.member);
        self.find_buried(world, from, seeker);
        let wide = self.own.iter().map(|own| world.half_extents(own.member).1);
        let wide = wide.fold(0.0, f32::max);
        // Not multiplied: 0 times infinity is not a number.
        let limit = if seeker.limit == f32::INFINITY {
            seeker.limit
        } else {
            wide * seeker.limit
        };
        self.known.clear();
        self.candidates.clear();
        for (lines, at) in [(&mut self.columns, from.x), (&mut self.rows, from.y)] {
            lines.clear();
            lines.push(at);
        }
        let mut place = from;
        for _ in 0..MAX_LOOKS {
            let known = self.known.len();
            self.look_around(world, near, place, seeker);
            if self.known.len() == known {
                return Ok(Some(place));
            }
            if self.known.len() > MAX_OBSTACLES {
                return Err(TooMany);
            }
            self.take_up(known, from, limit);
            let corners = self.reach();
            self.find_walls(world, from, corners, seeker);
            match self.nearest(from) {
                Some(nearest) => place = nearest,
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    fn find_own(&mut self, world: &mut World, member: u32) {
        let middle = world.offset(member);
        self.own.clear();
        for slot in world.slots_of(world.body(member)) {
            let own = world.enter(slot);
            // The walls of a room need no place.
            if !world.is_room(own) {
                self.own.push(Own {
                    member: own,
                    aside: world.offset(own) - middle,
                    is_buried: false,
                });
            }
        }
    }

    /// Finds out which colliders have their centers in a static.
    fn find_buried(&mut self, world: &mut World, from: Vec2, seeker: Seeker) {
        for own in &mut self.own {
            let (member, center) = (own.member, from + own.aside);
            let buries = |world: &World, other: u32| {
                let is_firm = world.rank(other) == Rank::Static;
                let is_obstacle = seeker.is_obstacle(world, (member, other));
                is_firm && is_obstacle && holds(world, other, center)
            };
            let mut is_buried = false;
            world.find_firm(Rank::Static, (center, center), |world, other| {
                is_buried = is_buried || buries(world, other);
            });
            for &room in world.outside.rooms() {
                let room = world.enter(room);
                is_buried = is_buried || buries(world, room);
            }
            own.is_buried = is_buried;
        }
    }

    /// Adds what is in the way at a place.
    fn look_around(&mut self, world: &mut World, near: &mut Near, place: Vec2, seeker: Seeker) {
        for &Own {
            member: own, aside, ..
        } in &self.own
        {
            let Outline::Shape(shape) = world.outline(own) else {
                continue;
            };
            let (half, at) = (shape.half_extents().max_element(), place + aside);
            self.around.clear();
            near.around(world, own, (at - half, at + half), &mut self.around);
            for &other in &self.around {
                let pair = (own, other);
                let is_known = self.known.iter().any(|known| known.pair == pair);
                if !is_known && seeker.is_obstacle(world, pair) {
                    let obstacle = Obstacle::new(world, shape, pair, aside);
                    if obstacle.blocks(place) {
                        self.known.push(obstacle);
                    }
                }
            }
        }
    }

    /// Collects the firm colliders between two corners, and beyond these as far as the body's colliders reach. A collider whose center is in a static goes through all of them, unless the seeker is choosy; whatever else the center is in does not bar its way either.
    fn find_walls(&mut self, world: &mut World, from: Vec2, corners: (Vec2, Vec2), seeker: Seeker) {
        self.walls.clear();
        for at in 0..self.own.len() {
            let own = self.own[at];
            if !own.is_buried || seeker.is_choosy {
                self.find_walls_of(world, from, corners, own);
            }
        }
    }

    /// Adds the walls of one collider of the body, which may not be squeezed on its way any more than where it is.
    fn find_walls_of(
        &mut self,
        world: &mut World,
        from: Vec2,
        (min, max): (Vec2, Vec2),
        Own { member, aside, .. }: Own,
    ) {
        let Outline::Shape(shape) = world.outline(member) else {
            return;
        };
        let half = shape.half_extents();
        let corners = (min + aside - half, max + aside + half);
        let center = from + aside;
        let (mut depth, mut is_held) = (0.0_f32, false);
        let first = self.walls.len();
        world.find_firm(Rank::Kinematic, corners, |world, other| {
            let Outline::Shape(wall) = world.outline(other) else {
                return;
            };
            if !world.may_push(member, other) {
                return;
            }
            if holds(world, other, center) {
                is_held = true;
                return;
            }
            let start = center - world.center(other);
            let tolerance = TOLERANCE.max(world.rounding((member, other)));
            let gap = separation(wall, shape, start);
            depth = depth.max(tolerance - gap);
            self.walls.push(Wall {
                own: member,
                shape: wall,
                around: wall,
                start,
                is_beside: gap < -tolerance,
            });
        });
        let own = shape.shrunk(depth);
        for wall in &mut self.walls[first..] {
            wall.around = wall.shape.sum(own);
            wall.is_beside &= is_held;
        }
    }

    /// Whether a way leads through a wall, or between two walls that leave no room there. Around the corner of a single wall there is another way. Walls that the body is in besides what holds its center count as parts of that, unless the body comes out behind them.
    fn bars(&self, way: Vec2) -> bool {
        let close = || self.walls.iter().filter(|wall| wall.is_close_to(way));
        // A wall that is only before the start of the way, or behind its end, closes nothing on it.
        let may_close = |wall: &Wall| wall.is_close_to(way) || !wall.is_in_line_with(way);
        close().any(|wall| wall.is_on(way) && !wall.is_left_beside(way))
            || close().any(|wall| {
                self.walls.iter().any(|other| {
                    wall.is_left_of(way) != other.is_left_of(way)
                        && !(wall.is_left_beside(way) && other.is_left_beside(way))
                        && wall.is_next_to(other)
                        && may_close(other)
                })
            })
    }

    /// Whether a way of a collider's body leads one of its colliders through something firm in which the center of that collider does not begin.
    pub(super) fn is_barred(
        &mut self,
        world: &mut World,
        member: u32,
        (from, to): (Vec2, Vec2),
    ) -> bool {
        self.find_own(world, member);
        let mut own = self.own.iter();
        if own.all(|own| world.is_short(own.member, to - from)) {
            return false;
        }
        self.walls.clear();
        for at in 0..self.own.len() {
            let corners = (from.min(to), from.max(to));
            self.find_walls_of(world, from, corners, self.own[at]);
        }
        self.bars(to - from)
    }

    /// Takes the obstacles from this one on into account, as far as they matter within the limit.
    fn take_up(&mut self, first: usize, from: Vec2, limit: f32) {
        let new = &self.known[first..];
        self.candidates
            .retain(|place| !new.iter().any(|obstacle| obstacle.blocks(*place)));
        let old = (self.columns.len(), self.rows.len());
        for (lines, axis) in [(&mut self.columns, 0), (&mut self.rows, 1)] {
            let borders = new.iter().flat_map(|obstacle| {
                let (center, half) = (obstacle.center[axis], obstacle.sum.half_extents()[axis]);
                [center - half, center + half]
            });
            lines.extend(borders.filter(|line| (line - from[axis]).abs() <= limit));
        }
        for (number, &x) in self.columns.iter().enumerate() {
            let is_old = number < old.0;
            for &y in &self.rows[if is_old { old.1 } else { 0 }..] {
                let place = Vec2::new(x, y);
                if place.distance_squared(from) > limit * limit {
                    continue;
                }
                // An obstacle that blocks one candidate usually blocks its neighbors, so it is tested first.
                match self.known.iter().position(|known| known.blocks(place)) {
                    Some(at) => self.known.swap(0, at),
                    None => self.candidates.push(place),
                }
            }
        }
    }

    /// Returns the lower left and the upper right corner of the box around all candidates.
    fn reach(&self) -> (Vec2, Vec2) {
        let range = |lines: &[f32]| {
            lines.iter().fold((f32::MAX, f32::MIN), |(min, max), line| {
                (min.min(*line), max.max(*line))
            })
        };
        let ((left, right), (low, high)) = (range(&self.columns), range(&self.rows));
        (Vec2::new(left, low), Vec2::new(right, high))
    }

    /// Returns the nearest candidate to which the way is not barred.
    fn nearest(&mut self, from: Vec2) -> Option<Vec2> {
        // The nearest one comes last.
        self.candidates.sort_unstable_by(|a, b| {
            let [far_a, far_b] = [a, b].map(|place| place.distance_squared(from));
            far_b.total_cmp(&far_a).then(compare_places(*b, *a))
        });
        while let Some(&place) = self.candidates.last() {
            if !self.bars(place - from) {
                return Some(place);
            }
            // The way stays barred, whatever else is taken up.
            self.candidates.pop();
        }
        None
    }
}
