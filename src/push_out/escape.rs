//! Out of several things at once, when being pushed out of each in turn leads back and forth.
//!
//! The collider's centre is a point, and each obstacle the sum of both shapes. The nearest free point lies on the border of one of them, straight from where
//! the centre is, or where the borders of two cross. So those are the candidates, and the nearest that is in none of them wins.
//! For boxes that is exact. Round corners are taken for square ones, which leaves a little more room than needed.

use bevy::math::Vec2;

use super::world::World;
use crate::kernel::{Outline, Touching};

/// Obstacles beyond this number, the nearest first, are left out: candidates grow with the square.
const MAX_OBSTACLES: usize = 16;

/// The nearest place for the centre of `moving` in which it overlaps none of `obstacles`; `None` if there is none close by.
pub(super) fn nearest_free_center(
    world: &World,
    moving: usize,
    obstacles: &[usize],
) -> Option<Vec2> {
    let from = world.center(moving);
    let own = world.placed[moving].outline;
    let mut nearest: Vec<usize> = obstacles.to_vec();
    nearest.sort_by(|&a, &b| {
        let (a, b) = (world.center(a), world.center(b));
        a.distance_squared(from)
            .total_cmp(&b.distance_squared(from))
            .then(a.x.total_cmp(&b.x))
            .then(a.y.total_cmp(&b.y))
    });
    nearest.truncate(MAX_OBSTACLES);

    // The lines on which the borders lie, and where the centre is now.
    let mut columns = vec![from.x];
    let mut rows = vec![from.y];
    for &slot in &nearest {
        let reach = match (own, world.placed[slot].outline) {
            (Outline::Shape(own), Outline::Shape(other)) => own.sum(other).half_extents(),
            (Outline::Shape(own), Outline::Bounds(half_size)) => half_size - own.half_extents(),
            (Outline::Bounds(_), _) => return None,
        };
        let center = world.center(slot);
        columns.extend([center.x - reach.x, center.x + reach.x]);
        rows.extend([center.y - reach.y, center.y + reach.y]);
    }

    let is_free = |place: Vec2| {
        obstacles.iter().all(|&slot| {
            let tolerance = super::TOLERANCE.max(world.rounding(moving, slot));
            world.placed[slot]
                .outline
                .contact(own, place - world.center(slot), Touching::Ignored)
                .is_none_or(|contact| contact.depth <= tolerance)
        })
    };
    columns
        .iter()
        .flat_map(|&x| rows.iter().map(move |&y| Vec2::new(x, y)))
        .filter(|place| is_free(*place))
        .min_by(|a, b| {
            a.distance_squared(from)
                .total_cmp(&b.distance_squared(from))
                .then(a.x.total_cmp(&b.x))
                .then(a.y.total_cmp(&b.y))
        })
}
