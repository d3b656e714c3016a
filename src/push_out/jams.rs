//! Pairs that no pushing frees, because what they are pushed against pushes back.

use super::{
    escape::Search,
    near::Near,
    queue::Queued,
    world::{NEAR_BY, World},
};
use crate::placed::{Rank, compare_places};

/// So many pairs, the deepest first, look for a free place; a jam of hundreds is for the next ticks too.
const MAX_LOOKS: usize = 64;

/// One body of each overlapping pair goes to the nearest free place, if that is no farther than twice its size.
///
/// What is crushed between a kinematic and a wall stays there: that is for the game to decide.
pub(super) fn unjam(
    world: &mut World,
    near: &Near,
    search: &mut Search,
    overlaps: &mut Vec<Queued>,
    may_push: impl Fn(usize, usize) -> bool + Sync,
) {
    overlaps.retain(|queued| {
        let slots = [queued.pair.0, queued.pair.1];
        slots
            .iter()
            .all(|&slot| world.mover(slot as usize).rank != Rank::Kinematic)
    });
    overlaps.sort_unstable_by(Queued::by_depth);
    for queued in overlaps.iter().take(MAX_LOOKS) {
        if world.overlap(queued.pair).is_none() {
            continue;
        }
        let nearest = [queued.pair.0, queued.pair.1]
            .map(|slot| slot as usize)
            .into_iter()
            .filter(|&slot| world.mover(slot).rank == Rank::Dynamic)
            .filter_map(|slot| {
                let from = world.center(slot);
                let free = search
                    .nearest_free_center(world, near, slot, from, |other| may_push(slot, other))?;
                let distance = free.distance(from);
                let limit = world.half_extents(slot).1 * NEAR_BY;
                (distance <= limit).then_some((distance, slot, free))
            })
            .min_by(|(a, _, place_a), (b, _, place_b)| {
                a.total_cmp(b).then(compare_places(*place_a, *place_b))
            });
        if let Some((_, slot, free)) = nearest {
            world.jump(slot, free);
        }
    }
}
