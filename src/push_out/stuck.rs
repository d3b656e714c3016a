//! Who could not be freed, and between what.

use bevy::math::Vec2;

use super::{
    overlaps::Overlaps,
    pairs::{Pair, Pairs},
    world::{FREE, Push, World},
};
use crate::placed::Rank;

/// What holds against a push is at least this much opposite to it, as a cosine.
const OPPOSITE: f32 = 0.5;

/// A collider that is left in another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stuck {
    pub(crate) slot: u32,
    /// What it is in the deepest.
    pub(crate) by: u32,
    /// What it is pushed against, if that is a collider.
    pub(crate) against: Option<u32>,
    pub(crate) depth: f32,
}

/// Lists the colliders of dynamic bodies that are left in something that does not give way, each once, sorted by slot.
pub(super) fn find_stuck(
    world: &World,
    pairs: &Pairs,
    overlaps: &Overlaps,
    stuck: &mut Vec<Stuck>,
) {
    let over = overlaps.over.iter().map(|&number| &pairs.get(number).push);
    for push in over.filter(|push| push.depth > FREE) {
        for member in [push.pair.0, push.pair.1] {
            let (by, way) = seen_from(push, member);
            if world.rank(member) != Rank::Dynamic || world.rank(by) == Rank::Dynamic {
                continue;
            }
            let holds = |other: &Pair| {
                let (holder, to_holder) = seen_from(&other.push, member);
                let is_part = other.numbers().0 == member || other.numbers().1 == member;
                let opposite = -to_holder.dot(way);
                let holds = other.touches && is_part && holder != by && opposite > OPPOSITE;
                holds.then(|| (opposite, world.slot(holder)))
            };
            let against = pairs
                .of(world.body(member))
                .filter_map(|number| holds(pairs.get(number)))
                .max_by(|(a, holder_a), (b, holder_b)| a.total_cmp(b).then(holder_b.cmp(holder_a)));
            stuck.push(Stuck {
                slot: world.slot(member),
                by: world.slot(by),
                against: against.map(|(_, holder)| holder),
                depth: push.depth,
            });
        }
    }
    stuck.sort_unstable_by(|a, b| {
        let deeper = b.depth.total_cmp(&a.depth);
        a.slot.cmp(&b.slot).then(deeper).then(a.by.cmp(&b.by))
    });
    stuck.dedup_by_key(|stuck| stuck.slot);
}

/// The other one of a pair, and the way to it.
fn seen_from(push: &Push, member: u32) -> (u32, Vec2) {
    if push.pair.0 == member {
        (push.pair.1, push.normal)
    } else {
        (push.pair.0, -push.normal)
    }
}
