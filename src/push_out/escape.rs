//! Finds a way out of several obstacles at once, where pushes out of one after the other would lead back and forth.
//!
//! The center of the collider is a point, and each obstacle the sum of both shapes. The nearest free point lies on the border of one obstacle, straight from where
//! the center is, or where the borders of two cross. These points are the candidates, and the nearest one that is in no obstacle wins.
//! For boxes that is exact. Round corners are treated as square ones, which leaves a little more room than needed.
//!
//! Obstacles are taken up step by step: those at the start, then those at the place that seemed free. A way out never leads
//! through anything firm, or a body squeezed in a corridor would end behind its wall, or behind its closed door, or through a slit that is narrower than where it is squeezed; only a collider whose center is itself in a static may be led anywhere, if it is not choosy.
//!
//! All colliders of a body take part: what is in the way of another collider is an obstacle to the first one, shifted by the offset between the two.

use bevy::math::Vec2;

use super::{
    bars::{Bars, holds},
    near::Near,
    place::around,
    world::{TOLERANCE, World},
};
use crate::{
    kernel::{MAX_COORDINATE, Outline, Shape, Touching, separation},
    placed::{Rank, compare_places},
};

/// The search ends when there are more obstacles than this: the number of candidates grows with the square.
const MAX_OBSTACLES: usize = 32;

/// A search for a free place, with its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    /// The colliders of the body.
    own: Vec<Own>,
    /// Obstacles that are in the way so far.
    known: Vec<Block>,
    /// What a way out must not cross.
    bars: Bars,
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
pub(super) struct Escapee {
    pub(super) member: u32,
    /// Members of a lower rank are no obstacles.
    pub(super) lowest: Rank,
    /// The largest distance, in half sizes of the widest collider of its body.
    pub(super) limit: f32,
    /// It goes through no other static, even if its center is in one.
    pub(super) is_choosy: bool,
}

impl Escapee {
    /// Whether `other` is in the way of the body's collider `own`.
    fn is_obstacle(&self, world: &World, (own, other): (u32, u32)) -> bool {
        other != own && world.rank(other) >= self.lowest && world.may_push(own, other)
    }
}

/// There are more obstacles than are looked at.
struct TooMany;

/// Where the center of the collider that looks for a place must not be.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// A collider of the body, and what is in its way.
    pair: (u32, u32),
    center: Vec2,
    /// The sum of both shapes, or what a room leaves to the center of the collider.
    sum: Outline,
    /// An overlap of no more than this does not block: rounding, and a little more.
    tolerance: f32,
}

impl Block {
    /// Returns the obstacle to a collider of the body that lies `aside` from the one that looks for a place.
    fn new(world: &World, own: Shape, pair: (u32, u32), aside: Vec2) -> Self {
        Self {
            pair,
            center: world.center(pair.1) - aside,
            sum: around(own, world.outline_for(pair.0, pair.1)),
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

impl Search {
    /// Returns the nearest place for the center of a collider in which its body overlaps no obstacle; `None` if there is none close by, and always for a room.
    pub(super) fn nearest_free_center(
        &mut self,
        world: &mut World,
        near: &mut Near,
        escapee: Escapee,
    ) -> Option<Vec2> {
        if world.is_room(escapee.member) {
            return None;
        }
        self.find_own(world, escapee.member);
        match self.look_for(world, near, escapee) {
            Ok(place) => place,
            Err(TooMany) if self.own.len() > 1 => {
                // A body as large as that only leaves what is in the way of this one of its colliders.
                self.own.retain(|own| own.member == escapee.member);
                self.look_for(world, near, escapee).ok().flatten()
            }
            Err(TooMany) => None,
        }
    }

    /// Does the same for the colliders in `own`.
    fn look_for(
        &mut self,
        world: &mut World,
        near: &mut Near,
        escapee: Escapee,
    ) -> Result<Option<Vec2>, TooMany> {
        let from = world.center(escapee.member);
        self.find_buried(world, from, escapee);
        let wide = self.own.iter().map(|own| world.wide(own.member));
        let wide = wide.fold(0.0, f32::max);
        // Not multiplied: 0 times infinity is not a number.
        let limit = if escapee.limit == f32::INFINITY {
            escapee.limit
        } else {
            wide * escapee.limit
        };
        self.known.clear();
        self.candidates.clear();
        for (lines, at) in [(&mut self.columns, from.x), (&mut self.rows, from.y)] {
            lines.clear();
            lines.push(at);
        }
        let mut place = from;
        loop {
            let known = self.known.len();
            self.look_around(world, near, place, escapee);
            if self.known.len() == known {
                return Ok(Some(place));
            }
            if self.known.len() > MAX_OBSTACLES {
                return Err(TooMany);
            }
            self.take_up(known, from, limit);
            let corners = self.reach();
            self.find_bars(world, from, corners, escapee);
            match self.nearest(from) {
                Some(nearest) => place = nearest,
                None => return Ok(None),
            }
        }
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
    fn find_buried(&mut self, world: &mut World, from: Vec2, escapee: Escapee) {
        for own in &mut self.own {
            let (member, center) = (own.member, from + own.aside);
            let buries = |world: &World, other: u32| {
                let is_firm = world.rank(other) == Rank::Static;
                let is_obstacle = escapee.is_obstacle(world, (member, other));
                is_firm && is_obstacle && holds(world, (member, other), center)
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
    fn look_around(&mut self, world: &mut World, near: &mut Near, place: Vec2, escapee: Escapee) {
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
                if !is_known && escapee.is_obstacle(world, pair) {
                    let block = Block::new(world, shape, pair, aside);
                    if block.blocks(place) {
                        self.known.push(block);
                    }
                }
            }
        }
    }

    /// Collects the firm colliders between two corners, and beyond these as far as the body's colliders reach. A collider whose center is in a static goes through all of them, unless it is choosy; whatever else the center is in does not bar its way either.
    fn find_bars(
        &mut self,
        world: &mut World,
        from: Vec2,
        (min, max): (Vec2, Vec2),
        escapee: Escapee,
    ) {
        self.bars.clear();
        for own in &self.own {
            if !own.is_buried || escapee.is_choosy {
                let (start, corners) = (from + own.aside, (min + own.aside, max + own.aside));
                self.bars.find(world, (own.member, start), corners);
            }
        }
    }

    /// Whether a way of a collider's body leads one of its colliders through something firm in which the center of that collider does not begin.
    pub(super) fn is_barred(&mut self, world: &mut World, member: u32, way: (Vec2, Vec2)) -> bool {
        self.bars.are_on(world, member, way)
    }

    /// Takes the obstacles from this one on into account, as far as they matter within the limit.
    fn take_up(&mut self, first: usize, from: Vec2, limit: f32) {
        let new = &self.known[first..];
        self.candidates
            .retain(|place| !new.iter().any(|block| block.blocks(*place)));
        let old = (self.columns.len(), self.rows.len());
        // A room has no end where its walls are open.
        let limit = limit.min(MAX_COORDINATE);
        for (lines, axis) in [(&mut self.columns, 0), (&mut self.rows, 1)] {
            let borders = new.iter().flat_map(|obstacle| {
                let (center, half) = (obstacle.center[axis], obstacle.sum.half_extents()[axis]);
                [center - half, center + half]
            });
            for line in borders {
                // Flush tiles have the same borders.
                if (line - from[axis]).abs() <= limit && !lines.contains(&line) {
                    lines.push(line);
                }
            }
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
            if !self.bars.bar(place - from) {
                return Some(place);
            }
            // The way stays barred, whatever else is taken up.
            self.candidates.pop();
        }
        None
    }
}
