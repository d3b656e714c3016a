//! Three and more bodies in one place, as a spawner leaves them.
//!
//! Two that coincide separate along the x axis, by the rule for ties. More of them would all do that and form one long row, so
//! they are first laid out as the seeds of a sunflower, a few hundredths of their size apart; from there on each pair has a direction of its own.

use bevy::math::Vec2;

use super::{overlaps::Overlaps, pairs::Pairs, world::World};
use crate::{
    kernel::Outline,
    placed::{Rank, compare_places},
};

/// Cosine and sine of the golden angle, by which each seed is turned from the one before.
const GOLDEN: Vec2 = Vec2::new(-0.737_368_9, 0.675_490_3);
/// Distance from the middle of the first seed, in parts of its half size.
const SPREAD: f32 = 0.02;

/// Spreads each heap among the pairs that overlap. What lies at a place is told apart by size, then by slot.
pub(super) fn spread_heaps(world: &mut World, pairs: &Pairs, overlaps: &Overlaps) {
    let mut heaped: Vec<(Vec2, Vec2, u32, u32)> = Vec::new();
    for &number in &overlaps.over {
        let (a, b) = pairs.get(number).numbers();
        let place = world.center(a);
        if place == world.center(b) {
            heaped.extend([a, b].into_iter().filter_map(|member| {
                let Outline::Shape(shape) = world.outline(member) else {
                    return None;
                };
                let is_dynamic = world.rank(member) == Rank::Dynamic;
                is_dynamic.then_some((place, shape.half_extents(), world.slot(member), member))
            }));
        }
    }
    heaped.sort_unstable_by(
        |(place_a, size_a, slot_a, _), (place_b, size_b, slot_b, _)| {
            compare_places(*place_a, *place_b)
                .then(compare_places(*size_a, *size_b))
                .then(slot_a.cmp(slot_b))
        },
    );
    heaped.dedup_by_key(|(_, _, slot, _)| *slot);

    for heap in heaped.chunk_by(|(place_a, ..), (place_b, ..)| place_a == place_b) {
        if heap.len() < 3 {
            continue;
        }
        let mut direction = Vec2::X;
        for (seed, &(_, size, _, member)) in (1_u16..).zip(heap) {
            let distance = size.max_element() * SPREAD * f32::from(seed).sqrt();
            world.shift(member, direction * distance);
            direction = direction.rotate(GOLDEN);
        }
    }
}
