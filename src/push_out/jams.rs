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

/// Frees what can be freed of jams, with its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Jams {
    search: Search,
    /// Who has found no place will find none until somebody is elsewhere.
    searched: Vec<u32>,
}

impl Jams {
    /// One body of each overlapping pair goes to the nearest free place, if that is no farther than twice its size.
    ///
    /// What is crushed between a kinematic and a wall stays there: that is for the game to decide.
    pub(super) fn free(&mut self, world: &mut World, near: &mut Near, jammed: &Queue) {
        self.searched.clear();
        let mut looks = 0;
        for number in jammed.iter() {
            let pair = near.pairs.get(number).numbers();
            let ranks = [world.rank(pair.0), world.rank(pair.1)];
            if ranks.contains(&Rank::Kinematic) || world.overlap(pair).is_none() {
                continue;
            }
            let seekers = [pair.0, pair.1].map(|member| {
                let is_free = world.rank(member) == Rank::Dynamic;
                (is_free && !self.searched.contains(&member)).then_some(member)
            });
            if seekers == [None; 2] {
                continue;
            }
            looks += 1;
            if looks > MAX_LOOKS {
                break;
            }
            let mut nearest: Option<(f32, u32, Vec2)> = None;
            for member in seekers.into_iter().flatten() {
                let seeker = Seeker {
                    member,
                    lowest: Rank::Dynamic,
                    limit: world.half_extents(member).1 * NEAR_BY,
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
                self.searched.push(member);
            }
            if let Some((_, member, free)) = nearest {
                world.place(member, free);
                self.searched.clear();
            }
        }
    }
}
