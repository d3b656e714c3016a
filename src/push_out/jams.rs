//! Pairs that no pushing frees, because what they are pushed against pushes back.

use bevy::{math::Vec2, platform::collections::HashMap};

use super::{
    escape::{Search, Seeker},
    groups::Groups,
    near::Near,
    queue::Queue,
    statics::moving_and_fixed,
    world::{NEAR_BY, World},
};
use crate::placed::{Rank, compare_places};

/// So many pairs of a group, the deepest first, look for a free place; a jam of hundreds is for the next ticks too.
const MAX_LOOKS: usize = 64;
/// And of one for which no room was found.
const MAX_LOOKS_OF_FULL: usize = 8;
/// And of those that a kinematic presses.
const MAX_LOOKS_OF_CRUSHED: usize = 8;

/// Who is crushed slips aside by no more than so many of his half sizes.
const ASIDE: f32 = 0.5;

/// Frees what can be freed of jams, with its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Jams {
    search: Search,
    /// By group.
    looks: HashMap<Option<u32>, Looks>,
    /// By body: how many of its group had found a place when it found none. It will find none until there are more.
    in_vain: HashMap<u32, usize>,
}

/// Of a group.
#[derive(Clone, Copy, Debug, Default)]
struct Looks {
    /// So many of its pairs have looked for a place.
    pairs: usize,
    /// And so many of which a kinematic presses one.
    crushed: usize,
    /// So many of them have found one.
    found: usize,
}

impl Jams {
    /// One body of each overlapping pair goes to the nearest free place, if that is no farther than twice its size.
    ///
    /// What a kinematic presses against a wall only slips aside, off a corner that hardly catches it. What is crushed there stays: that is for the game to decide.
    pub(super) fn free(
        &mut self,
        world: &mut World,
        near: &mut Near,
        jammed: &Queue,
        groups: &Groups,
    ) {
        self.looks.clear();
        self.in_vain.clear();
        for number in jammed.iter() {
            let pair = near.pairs.get(number).numbers();
            if world.overlap(pair).is_none() {
                continue;
            }
            let (moving, fixed) = moving_and_fixed(world, pair);
            let is_crushed = world.rank(fixed) == Rank::Kinematic;
            let group = groups.of(world.body(moving));
            let looks = self.looks.entry(group).or_default();
            let seekers = [pair.0, pair.1].map(|member| {
                let is_free = world.rank(member) == Rank::Dynamic;
                let is_in_vain = self.in_vain.get(&world.body(member)) == Some(&looks.found);
                (is_free && !is_in_vain).then_some(member)
            });
            if seekers == [None; 2] {
                continue;
            }
            let is_full = group.is_some_and(|group| groups.is_full(group));
            // What is pressed mostly looks in vain, and takes no look from those that might be freed.
            let (count, most) = if is_crushed {
                (&mut looks.crushed, MAX_LOOKS_OF_CRUSHED)
            } else if is_full {
                (&mut looks.pairs, MAX_LOOKS_OF_FULL)
            } else {
                (&mut looks.pairs, MAX_LOOKS)
            };
            if *count == most {
                continue;
            }
            *count += 1;
            let mut nearest: Option<(f32, u32, Vec2)> = None;
            for member in seekers.into_iter().flatten() {
                let seeker = Seeker {
                    member,
                    lowest: Rank::Dynamic,
                    limit: if is_crushed { ASIDE } else { NEAR_BY },
                    is_choosy: is_crushed,
                };
                let from = world.center(member);
                let free = self.search.nearest_free_center(world, near, seeker);
                let found = free.map(|free| (free.distance(from), member, free));
                let is_nearer = |(distance, _, place): &(f32, u32, Vec2)| {
                    nearest.is_none_or(|(least, _, other)| {
                        let order = distance.total_cmp(&least);
                        order.then(compare_places(*place, other)).is_lt()
                    })
                };
                nearest = found.filter(is_nearer).or(nearest);
                // Farther away there may be a place.
                if !is_crushed {
                    self.in_vain.insert(world.body(member), looks.found);
                }
            }
            if let Some((_, member, free)) = nearest {
                world.place(member, free);
                looks.found += 1;
            }
        }
    }
}
