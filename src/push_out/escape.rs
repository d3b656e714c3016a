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
    kernel::{Outline, Shape, Touching, cast_ray, contains_point},
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
    known: Vec<u32>,
    /// Statics that a way out must not cross, with where the way begins relative to each.
    walls: Vec<(Shape, Vec2)>,
    /// Where the borders of the known obstacles lie.
    columns: Vec<f32>,
    rows: Vec<f32>,
    around: Vec<u32>,
}

impl Search {
    /// The place for the centre of `moving` nearest to `from` in which it overlaps nothing that it may push of this rank or a higher one; `None` if there is
    /// none close by.
    pub(super) fn nearest_free_center(
        &mut self,
        world: &mut World,
        near: &mut Near,
        moving: u32,
        from: Vec2,
        lowest: Rank,
    ) -> Option<Vec2> {
        let is_obstacle = |world: &World, member: u32| {
            member != moving && world.rank(member) >= lowest && world.may_push(moving, member)
        };
        self.find_walls(world, near, from, (from, from), is_obstacle);
        let mut walls = self.walls.iter();
        let is_buried = walls.any(|&(wall, from)| contains_point(wall, from));

        let (_, half) = world.half_extents(moving);
        self.known.clear();
        let mut place = from;
        for _ in 0..MAX_LOOKS {
            let before = self.known.len();
            self.around.clear();
            near.around(world, (place - half, place + half), &mut self.around);
            for &member in &self.around {
                let is_new = is_obstacle(world, member) && !self.known.contains(&member);
                if is_new && blocks(world, moving, place, member) {
                    self.known.push(member);
                }
            }
            if self.known.len() == before {
                return Some(place);
            }
            if self.known.len() > MAX_OBSTACLES || !self.find_borders(world, moving, from) {
                return None;
            }
            let corners = self.reach();
            self.find_walls(world, near, from, corners, is_obstacle);
            place = self.nearest(world, moving, from, is_buried)?;
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
        is_obstacle: impl Fn(&World, u32) -> bool,
    ) {
        self.around.clear();
        near.around(world, corners, &mut self.around);
        self.walls.clear();
        for &member in &self.around {
            if let Outline::Shape(shape) = world.outline(member)
                && world.rank(member) == Rank::Static
                && is_obstacle(world, member)
            {
                self.walls.push((shape, from - world.center(member)));
            }
        }
    }

    /// Fills the lines on which the borders of the known obstacles lie, and on which the centre is now. A room gets out of nothing.
    fn find_borders(&mut self, world: &World, moving: u32, from: Vec2) -> bool {
        self.columns.clear();
        self.rows.clear();
        self.columns.push(from.x);
        self.rows.push(from.y);
        for &obstacle in &self.known {
            let reach = match (world.outline(moving), world.outline(obstacle)) {
                (Outline::Shape(own), Outline::Shape(other)) => own.sum(other).half_extents(),
                (Outline::Shape(own), Outline::Bounds(half_size)) => half_size - own.half_extents(),
                (Outline::Bounds(_), _) => return false,
            };
            let center = world.center(obstacle);
            self.columns
                .extend([center.x - reach.x, center.x + reach.x]);
            self.rows.extend([center.y - reach.y, center.y + reach.y]);
        }
        true
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

    /// The nearest place outside all known obstacles to which the way is not barred.
    fn nearest(&self, world: &World, moving: u32, from: Vec2, is_buried: bool) -> Option<Vec2> {
        let is_barred = |place: Vec2| {
            let mut walls = self.walls.iter();
            !is_buried && walls.any(|&(wall, start)| cast_ray(wall, start, place - from).is_some())
        };
        let is_free = |place: Vec2| {
            let mut known = self.known.iter();
            !known.any(|&obstacle| blocks(world, moving, place, obstacle)) && !is_barred(place)
        };
        let mut nearest: Option<(f32, Vec2)> = None;
        for &x in &self.columns {
            for &y in &self.rows {
                let place = Vec2::new(x, y);
                let distance = place.distance_squared(from);
                let is_nearer = nearest.is_none_or(|(least, other)| {
                    let order = distance.total_cmp(&least);
                    order.then(compare_places(place, other)).is_lt()
                });
                // Most are farther away than one that is known to be free, and need not be looked at.
                if is_nearer && is_free(place) {
                    nearest = Some((distance, place));
                }
            }
        }
        nearest.map(|(_, place)| place)
    }
}

/// Whether `moving`, with its centre at `place`, would be in `obstacle`, by more than rounding.
fn blocks(world: &World, moving: u32, place: Vec2, obstacle: u32) -> bool {
    let tolerance = TOLERANCE.max(world.rounding((moving, obstacle)));
    let contact = world.outline(obstacle).contact(
        world.outline(moving),
        place - world.center(obstacle),
        Touching::Ignored,
    );
    contact.is_some_and(|contact| contact.depth > tolerance)
}
