//! Colliders that could not be freed, and what they are stuck between.

use std::cmp::Ordering;

use bevy::math::Vec2;

use super::{
    overlaps::Overlaps,
    pairs::Pairs,
    world::{FREE, Push, World},
};
use crate::placed::{Rank, compare_places};

/// A support holds against a push if its direction is opposite to the push by at least this cosine.
const OPPOSITE: f32 = 0.5;

/// A collider that is still inside another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stuck {
    pub(crate) slot: u32,
    /// The collider that it overlaps the deepest.
    pub(crate) by: u32,
    /// The collider that it is pushed against, if there is one.
    pub(crate) against: Option<u32>,
    pub(crate) depth: f32,
    /// Distance and center of `by`. Breaks ties between overlaps of equal depth, before the slot does.
    place: (f32, Vec2),
}

/// Lists the colliders of dynamic bodies that are left in something firm, each once, sorted by slot.
pub(super) fn find_stuck(
    world: &World,
    pairs: &Pairs,
    overlaps: &Overlaps,
    stuck: &mut Vec<Stuck>,
) {
    let over = overlaps.over.iter().map(|&number| &pairs.get(number).push);
    for push in over.filter(|push| push.depth > FREE) {
        for member in [push.pair.0, push.pair.1] {
            let (by, way) = push.seen_from(member);
            if world.rank(member) != Rank::Dynamic || world.rank(by) == Rank::Dynamic {
                continue;
            }
            let center = world.center(member);
            let place = |of: u32| (world.center(of).distance_squared(center), world.center(of));
            let against = holders(world, pairs, (member, by), way).max_by(|a, b| {
                let nearer = nearer(place(b.number), place(a.number));
                let [slot_a, slot_b] = [a, b].map(|holder| world.slot(holder.number));
                let opposite = a.opposite.total_cmp(&b.opposite);
                opposite.then(nearer).then(slot_b.cmp(&slot_a))
            });
            stuck.push(Stuck {
                slot: world.slot(member),
                by: world.slot(by),
                against: against.map(|holder| world.slot(holder.number)),
                depth: push.depth,
                place: place(by),
            });
        }
    }
    stuck.sort_unstable_by(|a, b| {
        let deeper = b.depth.total_cmp(&a.depth);
        let nearer = nearer(a.place, b.place);
        let order = a.slot.cmp(&b.slot).then(deeper).then(nearer);
        order.then(a.by.cmp(&b.by))
    });
    stuck.dedup_by_key(|stuck| stuck.slot);
}

/// What a body leans on, against a push.
pub(super) struct Holder {
    number: u32,
    /// The cosine between the push and the way back.
    opposite: f32,
    /// How the two are to be parted.
    pub(super) push: Push,
}

/// Returns what holds a body, by any of its colliders, against what presses one of them; `way` leads from that collider to what presses it.
pub(super) fn holders(
    world: &World,
    pairs: &Pairs,
    (member, by): (u32, u32),
    way: Vec2,
) -> impl Iterator<Item = Holder> {
    let body = world.body(member);
    let touching = pairs.of(body).map(|number| pairs.get(number));
    let touching = touching.filter(|pair| pair.touches);
    let pushes = touching.flat_map(|pair| {
        // In the corner of a room there is a second wall, which the push does not tell.
        let walls = world.walls_of_room(pair.numbers()).into_iter().flatten();
        let walls = walls.map(|normal| Push {
            normal,
            ..pair.push
        });
        std::iter::once(pair.push).chain(walls)
    });
    pushes.filter_map(move |push| {
        let (own, _) = world.own_first(body, push.pair);
        let (number, to_holder) = push.seen_from(own);
        let opposite = -to_holder.dot(way);
        let holds = number != by && opposite > OPPOSITE;
        holds.then_some(Holder {
            number,
            opposite,
            push,
        })
    })
}

/// Compares by distance; at equal distance the one on the left, or below, comes first.
fn nearer(one: (f32, Vec2), other: (f32, Vec2)) -> Ordering {
    let nearer = one.0.total_cmp(&other.0);
    nearer.then(compare_places(one.1, other.1))
}
