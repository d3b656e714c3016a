//! The order in which pairs are pushed: by their properties, and by slots only if all else is equal.

use std::cmp::Ordering;

use bevy::math::Vec2;

use super::{
    island::Island,
    pairs::{Pair, Pairs},
    supports::Supports,
    world::{Push, World},
};
use crate::{
    kernel::Outline,
    placed::{Rank, compare_outlines, compare_places, in_order},
};

/// Pairs in the order in which they are pushed.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    order: Vec<Queued>,
}

/// A pair, and numbers that put nearly all pairs in order: depth alone would not, since pairs that only touch all have the same one.
#[derive(Clone, Copy, Debug)]
struct Queued {
    /// The stage, and the distance from a middle.
    place: (u32, u32),
    /// The depth, how long the level sides are, and the distance of the centers.
    likeness: (u32, u32, u32),
    number: u32,
}

impl Queued {
    fn new(world: &World, pairs: &Pairs, place: (u32, u32), number: u32) -> Self {
        let push = &pairs.get(number).push;
        let [depth, level, apart] =
            [push.depth, level(world, push), apart(world, push)].map(in_order);
        Self {
            place,
            likeness: (!depth, !level, apart),
            number,
        }
    }

    fn compare(&self, other: &Self, world: &World, pairs: &Pairs) -> Ordering {
        let unlike = (self.place, self.likeness).cmp(&(other.place, other.likeness));
        unlike.then_with(|| {
            let [a, b] = [self, other].map(|one| &pairs.get(one.number).push);
            compare_pushes_alike(world, a, b)
        })
    }
}

impl Queue {
    /// Fills in the pairs of an island: those with firm members first, then outwards from these, the deepest first; of a crowd, from its middle outwards.
    ///
    /// Pairs that only touch wait in the queue too: an earlier push may make them overlap in the same round.
    pub(super) fn fill(
        &mut self,
        world: &World,
        pairs: &Pairs,
        island: &Island,
        supports: &Supports,
        middle: Option<Vec2>,
    ) {
        self.order.clear();
        let queued = island.pairs.iter().zip(&island.touches);
        self.order.extend(queued.map(|(&number, touch)| {
            let stage = stage(touch.bodies, &island.ranks, supports);
            let distance = middle.map_or(0, |middle| from_middle(world, pairs.get(number), middle));
            Queued::new(world, pairs, (stage, distance), number)
        }));
        self.sort(world, pairs);
    }

    /// Fills in these pairs, the deepest first.
    pub(super) fn fill_by_depth(
        &mut self,
        world: &World,
        pairs: &Pairs,
        numbers: impl Iterator<Item = u32>,
    ) {
        self.order.clear();
        self.order
            .extend(numbers.map(|number| Queued::new(world, pairs, (0, 0), number)));
        self.sort(world, pairs);
    }

    /// Returns the numbers of the pairs, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        self.order.iter().map(|one| one.number)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    fn sort(&mut self, world: &World, pairs: &Pairs) {
        self.order
            .sort_unstable_by(|a, b| a.compare(b, world, pairs));
    }
}

/// Returns how far both members of a pair are from a place, as a number that sorts like the distance.
#[inline]
fn from_middle(world: &World, pair: &Pair, middle: Vec2) -> u32 {
    let (a, b) = pair.numbers();
    let [from_a, from_b] = [a, b].map(|member| world.middle(member).distance_squared(middle));
    in_order(from_a + from_b)
}

/// Compares two pushes: the deeper one comes first.
pub(super) fn compare_depths(world: &World, a: &Push, b: &Push) -> Ordering {
    let deeper = b.depth.total_cmp(&a.depth);
    deeper.then_with(|| compare_pushes_alike(world, a, b))
}

/// Compares two pushes of one depth. The one with longer level sides comes first: of a floor tile that is met from above and the next tile that is met from the side just as deep, the first is the floor. Then the one whose centers are nearer to each other, which gives the same order in a mirrored world. Then by the places of their members, the lesser place of each pair first, and by their first places. Outlines, and then slots, decide only between pushes that are the same in every other respect.
#[cold]
fn compare_pushes_alike(world: &World, a: &Push, b: &Push) -> Ordering {
    let places = |push: &Push| {
        let (one, other) = push.pair;
        let (one, other) = (world.center(one), world.center(other));
        if compare_places(one, other).is_le() {
            [one, other]
        } else {
            [other, one]
        }
    };
    let slots = |push: &Push| (world.slot(push.pair.0), world.slot(push.pair.1));
    let origins = |push: &Push| (world.origin(push.pair.0), world.origin(push.pair.1));
    let (places_a, places_b) = (places(a), places(b));
    let (origins_a, origins_b) = (origins(a), origins(b));
    let (level_a, level_b) = (level(world, a), level(world, b));
    level_b
        .total_cmp(&level_a)
        .then_with(|| apart(world, a).total_cmp(&apart(world, b)))
        .then_with(|| compare_places(places_a[0], places_b[0]))
        .then_with(|| compare_places(places_a[1], places_b[1]))
        .then_with(|| compare_places(origins_a.0, origins_b.0))
        .then_with(|| compare_places(origins_a.1, origins_b.1))
        .then_with(|| compare_outlines(world.outline(a.pair.0), world.outline(b.pair.0)))
        .then_with(|| compare_outlines(world.outline(a.pair.1), world.outline(b.pair.1)))
        .then_with(|| slots(a).cmp(&slots(b)))
}

/// Returns the squared distance between the centers of a pair.
fn apart(world: &World, push: &Push) -> f32 {
    let (one, other) = push.pair;
    world.center(one).distance_squared(world.center(other))
}

/// Returns the length along which both sides that meet are level; 0 for a corner, and infinity in a room.
pub(super) fn level(world: &World, push: &Push) -> f32 {
    let (a, b) = push.pair;
    let (Outline::Shape(one), Outline::Shape(other)) = (world.outline(a), world.outline(b)) else {
        return f32::INFINITY;
    };
    let offset = world.center(b) - world.center(a);
    let level = one.sum(other).half_extents() - offset.abs();
    match push.normal.abs() {
        Vec2::X => level.y,
        Vec2::Y => level.x,
        _ => 0.0,
    }
}

/// Returns the stage of a pair: with a static first, then with a kinematic, then pairs of dynamics by their distance from what holds them.
#[inline]
fn stage(bodies: [u32; 2], ranks: &[Rank], supports: &Supports) -> u32 {
    let [a, b] = bodies.map(|body| ranks[body as usize]);
    match a.max(b) {
        Rank::Static => 0,
        Rank::Kinematic => 1,
        Rank::Dynamic => {
            let [a, b] = bodies.map(|body| supports.distance(body));
            a.min(b).saturating_add(2)
        }
    }
}
