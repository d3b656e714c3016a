//! In which order pairs are pushed. By what they are, never by who they are.

use std::cmp::Ordering;

use bevy::math::Vec2;

use super::{islands::Islands, supports::Supports, world::World};
use crate::{
    kernel::Outline,
    placed::{Meeting, Rank, compare_places},
};

/// A pair to be pushed, with what it is sorted by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queued {
    pub(super) pair: (u32, u32),
    /// Of the pair, among the near ones.
    pub(super) number: u32,
    /// 0 against a static, 1 against a kinematic, then by how far the pair is from what it is held by.
    pub(super) stage: u32,
    pub(super) depth: f32,
    /// How much of both sides is level. Of a floor tile that is met from above and the next one that is met from the side just as deep, the first is the floor.
    level: f32,
    /// Both centres, the lesser first.
    places: [Vec2; 2],
}

impl Queued {
    /// In the first stage.
    pub(super) fn new(world: &World, number: u32, meeting: &Meeting) -> Self {
        let (a, b) = meeting.slots;
        let (one, other) = (world.center(a as usize), world.center(b as usize));
        let in_order = compare_places(one, other).is_le();
        let places = if in_order { [one, other] } else { [other, one] };
        Self {
            pair: meeting.slots,
            number,
            stage: 0,
            depth: meeting.depth,
            level: level(world, meeting),
            places,
        }
    }

    /// Stage and depth as one number: earlier stages first, in a stage the deeper ones. The bits of floats that are not negative sort as the floats do.
    fn key(&self) -> u64 {
        u64::from(self.stage) << 32 | u64::from(!self.depth.to_bits())
    }

    /// The deeper ones first, then the more level ones. The pair itself decides only between those that are the same in every other respect.
    pub(super) fn by_depth(&self, other: &Self) -> Ordering {
        other
            .depth
            .total_cmp(&self.depth)
            .then(other.level.total_cmp(&self.level))
            .then(compare_places(self.places[0], other.places[0]))
            .then(compare_places(self.places[1], other.places[1]))
            .then(self.pair.cmp(&other.pair))
    }
}

/// Along the side by which a pair meets; none by a corner, and all of it in a room.
fn level(world: &World, meeting: &Meeting) -> f32 {
    let (a, b) = (meeting.slots.0 as usize, meeting.slots.1 as usize);
    let (Outline::Shape(one), Outline::Shape(other)) =
        (world.placed[a].outline, world.placed[b].outline)
    else {
        return f32::INFINITY;
    };
    let offset = world.center(b) - world.center(a);
    let level = one.sum(other).half_extents() - offset.abs();
    match meeting.normal.abs() {
        Vec2::X => level.y,
        Vec2::Y => level.x,
        _ => 0.0,
    }
}

/// Pairs in the order in which they are pushed.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    pub(super) pairs: Vec<Queued>,
    /// How often near pairs had been collected when these got their numbers.
    pub(super) collected: u32,
    /// Key and index of each, which are less to move about than the pairs.
    order: Vec<(u64, u32)>,
}

impl Queue {
    pub(super) fn sort(&mut self) {
        let Self { pairs, order, .. } = self;
        order.clear();
        order.extend(
            (0..)
                .zip(&*pairs)
                .map(|(index, queued)| (queued.key(), index)),
        );
        order.sort_unstable_by(|(key_a, a), (key_b, b)| {
            let at = |index: u32| &pairs[index as usize];
            key_a.cmp(key_b).then_with(|| at(*a).by_depth(at(*b)))
        });
    }

    /// As they were sorted.
    pub(super) fn in_order(&self) -> impl Iterator<Item = &Queued> {
        self.order
            .iter()
            .map(|(_, index)| &self.pairs[*index as usize])
    }
}

/// Static first, then kinematic, then pairs of dynamics by their distance from what holds them.
pub(super) fn stage(
    world: &World,
    islands: &Islands,
    supports: &Supports,
    pair: (u32, u32),
) -> u32 {
    let slots = [pair.0 as usize, pair.1 as usize];
    match slots.map(|slot| world.mover(slot).rank).iter().max() {
        Some(Rank::Static) => 0,
        Some(Rank::Kinematic) => 1,
        _ => {
            let [a, b] =
                slots.map(|slot| supports.distance(islands.number(world.placed[slot].body)));
            a.min(b).saturating_add(2)
        }
    }
}
