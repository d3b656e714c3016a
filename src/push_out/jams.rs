//! Frees pairs that pushing does not free, because what they are pushed against pushes back.

use bevy::{math::Vec2, platform::collections::HashMap};

use super::{
    escape::{Escapee, Search},
    groups::Groups,
    near::Near,
    pairs::Pairs,
    queue::{Queue, level},
    stuck::holders,
    world::{NEAR_BY, Push, World},
};
use crate::placed::{Rank, compare_places};

/// How many pairs of a group, the deepest first, look for a free place; a jam of hundreds takes later ticks too.
const MAX_LOOKS: usize = 64;
/// The same for a group for which no room was found.
const MAX_LOOKS_OF_FULL: usize = 8;
/// The same for pairs of which a kinematic presses one body that may slip aside.
const MAX_LOOKS_OF_CRUSHED: usize = 8;

/// A crushed body slips aside by no more than this many of its half sizes.
const ASIDE: f32 = 0.5;

/// Frees what can be freed of jams, with its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Jams {
    search: Search,
    /// By group.
    looks: HashMap<Option<u32>, Looks>,
    /// By body: how many bodies of its group had found a place when this one found none. It looks again only once there are more.
    in_vain: HashMap<u32, usize>,
}

/// Counts of a group.
#[derive(Clone, Copy, Debug, Default)]
struct Looks {
    /// How many of its pairs have looked for a place.
    pairs: usize,
    /// How many of its pairs that a kinematic presses, and that may slip aside, have looked for one.
    crushed: usize,
    /// How many of its pairs have found one.
    found: usize,
}

impl Jams {
    /// Moves one body of each overlapping pair to the nearest free place, if that is no farther than twice its size.
    ///
    /// A body that a kinematic presses against a wall only slips aside, off a corner that hardly catches it. A body that is crushed there stays: the game decides what happens to it.
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
            let Some(push) = world.overlap(pair) else {
                continue;
            };
            let (moving, fixed) = world.moving_first(pair);
            let is_crushed = world.rank(fixed) == Rank::Kinematic;
            if is_crushed && !may_slip(world, &near.pairs, &push, moving) {
                continue;
            }
            let group = groups.of(world.body(moving));
            let looks = self.looks.entry(group).or_default();
            let escapees = [pair.0, pair.1].map(|member| {
                let is_free = world.rank(member) == Rank::Dynamic;
                let is_in_vain = self.in_vain.get(&world.body(member)) == Some(&looks.found);
                (is_free && !is_in_vain).then_some(member)
            });
            if escapees == [None; 2] {
                continue;
            }
            let is_full = group.is_some_and(|group| groups.is_full(group));
            // Pressed bodies often look in vain, and must not use up the looks of those that might be freed.
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
            for member in escapees.into_iter().flatten() {
                let escapee = Escapee {
                    member,
                    lowest: Rank::Dynamic,
                    limit: if is_crushed { ASIDE } else { NEAR_BY },
                    is_choosy: is_crushed,
                };
                let from = world.center(member);
                let free = self.search.nearest_free_center(world, near, escapee);
                let found = free.map(|free| (free.distance(from), member, free));
                let is_nearer = |(distance, _, place): &(f32, u32, Vec2)| {
                    nearest.is_none_or(|(least, _, other)| {
                        let order = distance.total_cmp(&least);
                        order.then(compare_places(*place, other)).is_lt()
                    })
                };
                nearest = found.filter(is_nearer).or(nearest);
                // The search of a crushed body is short: a longer one may still find a place.
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

/// Whether the corner of what presses a collider, or those of all that it is pressed against, catch it by so little that its body may slip aside. Most crushed bodies can't; a search would also find that out, but only after a look around.
fn may_slip(world: &World, pairs: &Pairs, push: &Push, moving: u32) -> bool {
    let (by, way) = push.seen_from(moving);
    let aside = world.size_of(world.body(moving)).wide * ASIDE;
    let is_caught_little = |push: &Push| level(world, push) <= aside;
    // What has been freed meanwhile holds no more.
    let mut holders = holders(world, pairs, (moving, by), way)
        .filter(|holder| world.lean(holder.push.pair).is_some());
    is_caught_little(push) || holders.all(|holder| is_caught_little(&holder.push))
}
