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
    kernel::{Outline, Touching, cast_ray, contains_point},
    placed::{Rank, compare_places},
};

/// The search ends after so many looks around. Each may take up further obstacles.
const MAX_LOOKS: usize = 8;
/// And when there are more obstacles than this: the candidates grow with the square.
const MAX_OBSTACLES: usize = 32;

/// The place for the centre of `moving` nearest to `from` in which it overlaps nothing that `is_obstacle`; `None` if there is none close by.
pub(super) fn nearest_free_center(
    world: &World,
    near: &Near,
    moving: usize,
    from: Vec2,
    is_obstacle: impl Fn(usize) -> bool,
) -> Option<Vec2> {
    let (_, half) = world.half_extents(moving);
    let around = |min: Vec2, max: Vec2| {
        let slots = near.around(world, min - half, max + half);
        slots
            .into_iter()
            .filter(|&slot| slot != moving && is_obstacle(slot))
    };
    let walls = |min: Vec2, max: Vec2| {
        let statics = around(min, max).filter(|&slot| world.mover(slot).rank == Rank::Static);
        statics.filter_map(|slot| match world.placed[slot].outline {
            Outline::Shape(shape) => Some((shape, from - world.center(slot))),
            Outline::Bounds(_) => None,
        })
    };
    let is_buried = walls(from, from).any(|(wall, from)| contains_point(wall, from));
    let is_barred = |place: Vec2| {
        let mut walls = walls(from.min(place), from.max(place));
        !is_buried && walls.any(|(wall, start)| cast_ray(wall, start, place - from).is_some())
    };
    let mut known: Vec<usize> = Vec::new();
    let mut place = from;
    for _ in 0..MAX_LOOKS {
        let before = known.len();
        for slot in around(place, place) {
            if !known.contains(&slot) && blocks(world, moving, place, slot) {
                known.push(slot);
            }
        }
        if known.len() == before {
            return Some(place);
        }
        if known.len() > MAX_OBSTACLES {
            return None;
        }
        place = nearest_among(world, moving, from, &known, is_barred)?;
    }
    None
}

/// The nearest place outside all known obstacles to which the way is not barred.
fn nearest_among(
    world: &World,
    moving: usize,
    from: Vec2,
    known: &[usize],
    is_barred: impl Fn(Vec2) -> bool,
) -> Option<Vec2> {
    // The lines on which the borders lie, and where the centre is now.
    let mut columns = vec![from.x];
    let mut rows = vec![from.y];
    for &slot in known {
        let reach = match (world.placed[moving].outline, world.placed[slot].outline) {
            (Outline::Shape(own), Outline::Shape(other)) => own.sum(other).half_extents(),
            (Outline::Shape(own), Outline::Bounds(half_size)) => half_size - own.half_extents(),
            (Outline::Bounds(_), _) => return None,
        };
        let center = world.center(slot);
        columns.extend([center.x - reach.x, center.x + reach.x]);
        rows.extend([center.y - reach.y, center.y + reach.y]);
    }
    columns
        .iter()
        .flat_map(|&x| rows.iter().map(move |&y| Vec2::new(x, y)))
        .filter(|place| {
            !known
                .iter()
                .any(|&slot| blocks(world, moving, *place, slot))
        })
        .filter(|place| !is_barred(*place))
        .min_by(|a, b| {
            a.distance_squared(from)
                .total_cmp(&b.distance_squared(from))
                .then(compare_places(*a, *b))
        })
}

/// Whether `moving`, with its centre at `place`, would be in `obstacle`, by more than rounding.
fn blocks(world: &World, moving: usize, place: Vec2, obstacle: usize) -> bool {
    let tolerance = TOLERANCE.max(world.rounding((moving as u32, obstacle as u32)));
    world.placed[obstacle]
        .outline
        .contact(
            world.placed[moving].outline,
            place - world.center(obstacle),
            Touching::Ignored,
        )
        .is_some_and(|contact| contact.depth > tolerance)
}
