//! Out of several things at once, when being pushed out of each in turn leads back and forth.
//!
//! The collider's centre is a point, and each obstacle the sum of both shapes. The nearest free point lies on the border of one of them, straight from where
//! the centre is, or where the borders of two cross. So those are the candidates, and the nearest that is in none of them wins.
//! For boxes that is exact. Round corners are taken for square ones, which leaves a little more room than needed.
//!
//! Obstacles are taken up one after the other: those at the start, then those at the place that seemed free. A way out never leads
//! through what gives no way, or a body squeezed in a corridor would end behind its wall, or behind its closed door, or through a slit that is narrower than where it is squeezed; only a centre that is itself in a static may be led anywhere, if whoever looks for a way is not choosy.
//!
//! Of a body with several colliders all take part: what is in the way of another one is an obstacle as far from the first one as these two are from each other.

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

/// The search ends after so many looks around. Each may take up further obstacles.
const MAX_LOOKS: usize = 8;
/// And when there are more obstacles than this: the candidates grow with the square.
const MAX_OBSTACLES: usize = 32;

/// A search for a free place, with its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    /// The colliders of the body.
    own: Vec<Own>,
    /// Obstacles that are in the way so far.
    known: Vec<Obstacle>,
    /// What a way out must not cross.
    walls: Vec<Wall>,
    /// Where the centre was, and where the borders of the known obstacles lie.
    columns: Vec<f32>,
    rows: Vec<f32>,
    /// Where these cross, but for what is in a known obstacle.
    candidates: Vec<Vec2>,
    around: Vec<u32>,
}

/// A collider of the body.
#[derive(Clone, Copy, Debug)]
struct Own {
    member: u32,
    /// How far its centre lies from that of whoever looks for a place.
    aside: Vec2,
    /// Its centre is in a static.
    is_buried: bool,
}

/// Who looks for a place, and how far it may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seeker {
    pub(super) member: u32,
    /// What is no obstacle to it is below that.
    pub(super) lowest: Rank,
    /// In half sizes of the widest collider of its body.
    pub(super) limit: f32,
    /// Also if its centre is in a static it goes through no other one.
    pub(super) is_choosy: bool,
}

impl Seeker {
    /// Whether something is in the way of a collider of the body.
    fn is_obstacle(&self, world: &World, (own, other): (u32, u32)) -> bool {
        other != own && world.rank(other) >= self.lowest && world.may_push(own, other)
    }
}

/// There are more obstacles than are looked at.
struct TooMany;

/// Where the centre of whoever looks for a place must not be.
#[derive(Clone, Copy, Debug)]
struct Obstacle {
    /// A collider of the body, and what is in its way.
    pair: (u32, u32),
    center: Vec2,
    /// The sum of both shapes, or what of a room is left to a point.
    sum: Outline,
    /// Rounding, and a little more.
    tolerance: f32,
}

impl Obstacle {
    /// For a collider of the body that is so far away from whoever looks for a place.
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

/// What gives no way to a collider of the body.
#[derive(Clone, Copy, Debug)]
struct Wall {
    own: u32,
    shape: Shape,
    /// Where the centre of that collider does not get without going deeper into the wall than it is in anything now.
    around: Shape,
    /// Where its way begins, from the middle of the wall.
    start: Vec2,
    /// The collider is in it when the way begins, and its centre in something else: both may be parts of one floor.
    is_beside: bool,
}

impl Wall {
    fn is_on(&self, way: Vec2) -> bool {
        cast_ray(self.shape, self.start, way).is_some()
    }

    /// Whether the collider is in it when the way begins, and does not come out on the other side.
    fn is_left_beside(&self, way: Vec2) -> bool {
        self.is_beside && !self.is_crossed_by(way)
    }

    /// Whether a way leads from one side of it to the other one, and not around one of its corners.
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

    /// Whether the collider would graze it on a way, at the least.
    fn is_close_to(&self, way: Vec2) -> bool {
        cast_ray(self.around, self.start, way).is_some()
    }

    /// Whether it would before the way, or behind it.
    fn is_in_line_with(&self, way: Vec2) -> bool {
        let across = way.perp();
        let reach = self.around.half_size().dot(across.abs()) + self.around.radius() * way.length();
        across.dot(self.start).abs() < reach
    }

    /// Of one that is not on a way.
    fn is_left_of(&self, way: Vec2) -> bool {
        way.perp_dot(-self.start) > 0.0
    }

    /// Whether there is no room for the collider between two walls.
    fn is_next_to(&self, other: &Self) -> bool {
        let offset = self.start - other.start;
        self.own == other.own && separation(self.around, other.around, offset) < 0.0
    }
}

/// Whether a point is in a collider, or at its edge; beyond the walls of a room.
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
    /// The place for the centre of a collider nearest to where it is in which it overlaps nothing that is an obstacle to it; `None` if there is none close by. A room never finds any.
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
                // Something as large as that leaves by what is in the way of one of its colliders.
                self.own.retain(|own| own.member == seeker.member);
                self.look_for(world, near, seeker).ok().flatten()
            }
            Err(TooMany) => None,
        }
    }

    /// The same for the colliders that are known as its own.
    fn look_for(
        &mut self,
        world: &mut World,
        near: &mut Near,
        seeker: Seeker,
    ) -> Result<Option<Vec2>, TooMany> {
        let from = world.center(seeker.member);
        self.find_buried(world, near, from, seeker);
        let wide = self.own.iter().map(|own| world.half_extents(own.member).1);
        let wide = wide.fold(0.0, f32::max);
        // No part of infinity is infinity, but for nothing, of which that is no number.
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
            self.find_walls(world, near, from, corners, seeker);
            match self.nearest(from) {
                Some(nearest) => place = nearest,
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    fn find_own(&mut self, world: &mut World, member: u32) {
        self.around.clear();
        world.enter_colliders_of(world.body(member), &mut self.around);
        let middle = world.offset(member);
        self.own.clear();
        // The walls of a room need no place.
        let own = self.around.iter().filter(|&&own| !world.is_room(own));
        self.own.extend(own.map(|&own| Own {
            member: own,
            aside: world.offset(own) - middle,
            is_buried: false,
        }));
    }

    /// Finds out whose centre is in a static.
    fn find_buried(&mut self, world: &mut World, near: &mut Near, from: Vec2, seeker: Seeker) {
        for at in 0..self.own.len() {
            let Own { member, aside, .. } = self.own[at];
            let center = from + aside;
            self.around.clear();
            near.firm_around(world, Rank::Static, (center, center), &mut self.around);
            let rooms = world.outside.rooms().iter();
            self.around.extend(rooms.map(|&room| world.enter(room)));
            let mut around = self.around.iter();
            self.own[at].is_buried = around.any(|&other| {
                let is_firm = world.rank(other) == Rank::Static;
                let is_obstacle = seeker.is_obstacle(world, (member, other));
                is_firm && is_obstacle && holds(world, other, center)
            });
        }
    }

    /// Adds what is in the way in a place.
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

    /// Fills the walls with what gives no way between two corners, and beside them by as much as the body's other colliders are. What is in a static goes through all of them unless it is choosy; what else it is in does not bar its way either.
    fn find_walls(
        &mut self,
        world: &mut World,
        near: &mut Near,
        from: Vec2,
        corners: (Vec2, Vec2),
        seeker: Seeker,
    ) {
        self.walls.clear();
        for at in 0..self.own.len() {
            let own = self.own[at];
            if !own.is_buried || seeker.is_choosy {
                self.find_walls_of(world, near, from, corners, own);
            }
        }
    }

    /// Adds those of a collider of the body, which is squeezed on its way no more than where it is.
    fn find_walls_of(
        &mut self,
        world: &mut World,
        near: &mut Near,
        from: Vec2,
        (min, max): (Vec2, Vec2),
        Own { member, aside, .. }: Own,
    ) {
        let Outline::Shape(shape) = world.outline(member) else {
            return;
        };
        let half = shape.half_extents();
        let corners = (min + aside - half, max + aside + half);
        self.around.clear();
        near.firm_around(world, Rank::Kinematic, corners, &mut self.around);
        let center = from + aside;
        let (mut depth, mut is_held) = (0.0_f32, false);
        let first = self.walls.len();
        for &other in &self.around {
            let Outline::Shape(wall) = world.outline(other) else {
                continue;
            };
            if !world.may_push(member, other) {
                continue;
            }
            if holds(world, other, center) {
                is_held = true;
                continue;
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
        }
        let own = shape.shrunk(depth);
        for wall in &mut self.walls[first..] {
            wall.around = wall.shape.sum(own);
            wall.is_beside &= is_held;
        }
    }

    /// Whether a way leads through a wall, or between two that leave no room there. Around the corner of one there is another way; and those in which the body is as well as in what holds its middle are parts of that, unless it comes out behind them.
    fn bars(&self, way: Vec2) -> bool {
        let close = || self.walls.iter().filter(|wall| wall.is_close_to(way));
        // What is only before the way or behind it closes nothing on it.
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

    /// Whether a way of the body of a collider leads one of its colliders through something that gives no way, and in which the centre of that does not begin.
    pub(super) fn is_barred(
        &mut self,
        world: &mut World,
        near: &mut Near,
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
            self.find_walls_of(world, near, from, corners, self.own[at]);
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
                // Who blocks one candidate blocks its neighbours, as a rule: it is asked first.
                match self.known.iter().position(|known| known.blocks(place)) {
                    Some(at) => self.known.swap(0, at),
                    None => self.candidates.push(place),
                }
            }
        }
    }

    /// The corners around all candidates.
    fn reach(&self) -> (Vec2, Vec2) {
        let range = |lines: &[f32]| {
            lines.iter().fold((f32::MAX, f32::MIN), |(min, max), line| {
                (min.min(*line), max.max(*line))
            })
        };
        let ((left, right), (low, high)) = (range(&self.columns), range(&self.rows));
        (Vec2::new(left, low), Vec2::new(right, high))
    }

    /// The nearest candidate to which the way is not barred.
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
            // And it will not be less so, whatever else is taken up.
            self.candidates.pop();
        }
        None
    }
}
