//! Out of several things at once, when being pushed out of each in turn leads back and forth.
//!
//! The collider's centre is a point, and each obstacle the sum of both shapes. The nearest free point lies on the border of one of them, straight from where
//! the centre is, or where the borders of two cross. So those are the candidates, and the nearest that is in none of them wins.
//! For boxes that is exact. Round corners are taken for square ones, which leaves a little more room than needed.
//!
//! Obstacles are taken up one after the other: those at the start, then those at the place that seemed free. A way out never leads the centre
//! through a static, or a body squeezed in a corridor would end behind its wall; only a centre that is itself in a static may take any way.

use bevy::math::Vec2;

use super::{
    near::Near,
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
    /// Obstacles that are in the way so far.
    known: Vec<Obstacle>,
    /// Statics that a way out must not cross, with where the way begins relative to each.
    walls: Vec<(Shape, Vec2)>,
    /// Where the centre was, and where the borders of the known obstacles lie.
    columns: Vec<f32>,
    rows: Vec<f32>,
    /// Where these cross, but for what is in a known obstacle.
    candidates: Vec<Vec2>,
    around: Vec<u32>,
}

/// Who looks for a place, and how far it may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seeker {
    pub(super) member: u32,
    /// What is no obstacle to it is below that.
    pub(super) lowest: Rank,
    /// In world units.
    pub(super) limit: f32,
}

impl Seeker {
    fn is_obstacle(&self, world: &World, other: u32) -> bool {
        other != self.member
            && world.rank(other) >= self.lowest
            && world.may_push(self.member, other)
    }
}

/// Where the centre of whoever looks for a place must not be.
#[derive(Clone, Copy, Debug)]
struct Obstacle {
    member: u32,
    center: Vec2,
    /// The sum of both shapes, or what of a room is left to a point.
    sum: Outline,
    /// Rounding, and a little more.
    tolerance: f32,
}

impl Obstacle {
    fn new(world: &World, own: Shape, pair: (u32, u32)) -> Self {
        let sum = match world.outline(pair.1) {
            Outline::Shape(other) => Outline::Shape(own.sum(other)),
            Outline::Bounds(room) => Outline::Bounds((room - own.half_extents()).max(Vec2::ZERO)),
        };
        Self {
            member: pair.1,
            center: world.center(pair.1),
            sum,
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

    fn half_extents(&self) -> Vec2 {
        match self.sum {
            Outline::Shape(sum) => sum.half_extents(),
            Outline::Bounds(room) => room,
        }
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
        let Outline::Shape(own) = world.outline(seeker.member) else {
            return None;
        };
        let from = world.center(seeker.member);
        self.find_walls(world, near, from, (from, from), seeker);
        let mut walls = self.walls.iter();
        let is_buried = walls.any(|&(wall, from)| contains_point(wall, from));

        let half = own.half_extents().max_element();
        self.known.clear();
        self.candidates.clear();
        for (lines, at) in [(&mut self.columns, from.x), (&mut self.rows, from.y)] {
            lines.clear();
            lines.push(at);
        }
        let mut place = from;
        for _ in 0..MAX_LOOKS {
            let known = self.known.len();
            self.around.clear();
            near.around(world, (place - half, place + half), &mut self.around);
            for &member in &self.around {
                let is_known = self.known.iter().any(|known| known.member == member);
                if !is_known && seeker.is_obstacle(world, member) {
                    let obstacle = Obstacle::new(world, own, (seeker.member, member));
                    if obstacle.blocks(place) {
                        self.known.push(obstacle);
                    }
                }
            }
            if self.known.len() == known {
                return Some(place);
            }
            if self.known.len() > MAX_OBSTACLES {
                return None;
            }
            self.take_up(known, from, seeker.limit);
            let corners = self.reach();
            self.find_walls(world, near, from, corners, seeker);
            place = self.nearest(from, is_buried)?;
        }
        None
    }

    /// Fills the walls with the statics between two corners.
    fn find_walls(
        &mut self,
        world: &mut World,
        near: &mut Near,
        from: Vec2,
        corners: (Vec2, Vec2),
        seeker: Seeker,
    ) {
        self.around.clear();
        near.statics_around(world, corners, &mut self.around);
        self.walls.clear();
        for &member in &self.around {
            if let Outline::Shape(shape) = world.outline(member)
                && seeker.is_obstacle(world, member)
            {
                self.walls.push((shape, from - world.center(member)));
            }
        }
    }

    /// Takes the obstacles from this one on into account, as far as they matter within the limit.
    fn take_up(&mut self, first: usize, from: Vec2, limit: f32) {
        let new = &self.known[first..];
        self.candidates
            .retain(|place| !new.iter().any(|obstacle| obstacle.blocks(*place)));
        let old = (self.columns.len(), self.rows.len());
        for (lines, axis) in [(&mut self.columns, 0), (&mut self.rows, 1)] {
            let borders = new.iter().flat_map(|obstacle| {
                let (center, half) = (obstacle.center[axis], obstacle.half_extents()[axis]);
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
    fn nearest(&mut self, from: Vec2, is_buried: bool) -> Option<Vec2> {
        let walls = &self.walls;
        let is_barred = |place: Vec2| {
            let mut walls = walls.iter();
            !is_buried && walls.any(|&(wall, start)| cast_ray(wall, start, place - from).is_some())
        };
        // The nearest one comes last.
        self.candidates.sort_unstable_by(|a, b| {
            let [far_a, far_b] = [a, b].map(|place| place.distance_squared(from));
            far_b.total_cmp(&far_a).then(compare_places(*b, *a))
        });
        while let Some(&place) = self.candidates.last() {
            if !is_barred(place) {
                return Some(place);
            }
            // And it will not be less so, whatever else is taken up.
            self.candidates.pop();
        }
        None
    }
}
