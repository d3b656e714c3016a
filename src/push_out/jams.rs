//! Pairs that no pushing frees, because what they are pushed against pushes back.

use bevy::math::Vec2;

use super::{
    escape::{Search, Seeker},
    near::Near,
    queue::Queue,
    world::{NEAR_BY, World},
};
use crate::placed::{Rank, compare_places};

/// So many pairs, the deepest first, look for a free place; a jam of hundreds is for the next ticks too.
const MAX_LOOKS: usize = 64;

/// One body of each overlapping pair goes to the nearest free place, if that is no farther than twice its size.
///
/// What is crushed between a kinematic and a wall stays there: that is for the game to decide.
pub(super) fn unjam(world: &mut World, near: &mut Near, search: &mut Search, jammed: &Queue) {
    let mut looks = 0;
    // Who has found no place will find none until somebody is elsewhere.
    let mut searched: Vec<u32> = Vec::new();
    for number in jammed.iter() {
        let pair = near.pairs.get(number).numbers();
        let members = [pair.0, pair.1];
        if members
            .iter()
            .any(|&member| world.rank(member) == Rank::Kinematic)
        {
            continue;
        }
        if world.overlap(pair).is_none() {
            continue;
        }
        let seekers = members
            .into_iter()
            .filter(|&member| world.rank(member) == Rank::Dynamic && !searched.contains(&member));
        let seekers: Vec<u32> = seekers.collect();
        if seekers.is_empty() {
            continue;
        }
        looks += 1;
        if looks > MAX_LOOKS {
            break;
        }
        let mut nearest: Option<(f32, u32, Vec2)> = None;
        for member in seekers {
            let seeker = Seeker {
                member,
                lowest: Rank::Dynamic,
                limit: world.half_extents(member).1 * NEAR_BY,
            };
            let from = world.center(member);
            let free = search.nearest_free_center(world, near, seeker);
            let found = free.map(|free| (free.distance(from), member, free));
            let is_nearer = |(distance, _, place): &(f32, u32, Vec2)| {
                nearest.is_none_or(|(least, _, other)| {
                    let order = distance.total_cmp(&least);
                    order.then(compare_places(*place, other)).is_lt()
                })
            };
            nearest = found.filter(is_nearer).or(nearest);
            searched.push(member);
        }
        if let Some((_, member, free)) = nearest {
            world.place(member, free);
            searched.clear();
        }
    }
}
