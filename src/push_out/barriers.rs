//! No body is moved through a firm collider: its way ends there, or goes on along it.

use bevy::math::Vec2;

use super::world::World;
use crate::{
    kernel::Outline,
    placed::{Rank, compare_places},
    sweep::{SweepImpact, impact_on_shape},
};

/// How often a push is turned along a firm collider that bars its way: out of a corner of two it goes no farther.
const MOST_SLIDES: usize = 2;

/// Takes a body that has been pushed back to the first firm collider on its way from `from`, other than one of a rank below `lowest` that it was in already, so that it does not end behind that, and from there along the collider with what is left of the way.
#[inline]
pub(super) fn slide_along_firm(world: &mut World, (body, from): (u32, Vec2), lowest: Rank) {
    let mut from = from;
    for _ in 0..MOST_SLIDES {
        let way = world.position(body) - from;
        let Some(impact) = stop_at_firm(world, (body, from), lowest) else {
            return;
        };
        from = world.position(body);
        let left = way * (1.0 - impact.fraction);
        world.move_to(body, from + left.reject_from_normalized(impact.normal));
    }
    stop_at_firm(world, (body, from), lowest);
}

/// Takes a body back to the first firm collider on its way, as [`slide_along_firm`] does; returns how it meets that there.
#[inline]
pub(super) fn stop_at_firm(
    world: &mut World,
    (body, from): (u32, Vec2),
    lowest: Rank,
) -> Option<SweepImpact> {
    let way = world.position(body) - from;
    if !world.has_parts() && world.is_short(body, way) {
        return None;
    }
    let first = first_on_way(world, (body, from), lowest)?;
    world.move_to(body, from + way * first.fraction);
    Some(first)
}

fn first_on_way(world: &mut World, (body, from): (u32, Vec2), lowest: Rank) -> Option<SweepImpact> {
    let way = world.position(body) - from;
    let slots = world.slots_of(body);
    let is_short = |slot| {
        let own = world.enter(slot);
        world.is_short(own, way)
    };
    if slots.clone().all(is_short) {
        return None;
    }
    let mut first: Option<SweepImpact> = None;
    for slot in slots {
        let own = world.enter(slot);
        let Outline::Shape(shape) = world.outline(own) else {
            continue;
        };
        let start = from + world.offset(own);
        let half = shape.half_extents();
        let corners = (start.min(start + way) - half, start.max(start + way) + half);
        world.find_firm(Rank::Kinematic, corners, |world, other| {
            if let Outline::Shape(wall) = world.outline(other)
                && world.may_push(own, other)
                // The fraction is 0 if it is in there already, and would get deeper.
                && let Some(impact) = impact_on_shape(shape, wall, [start, world.center(other)], way)
                && !impact.is_parting()
                && (world.rank(other) >= lowest || !impact.is_deep)
                && first.is_none_or(|first| is_earlier(&impact, &first))
            {
                first = Some(impact);
            }
        });
    }
    first
}

/// Whether `a` comes first. Of two at once the one that bars the way more does, whatever their slots.
fn is_earlier(a: &SweepImpact, b: &SweepImpact) -> bool {
    let earlier = a.fraction.total_cmp(&b.fraction);
    earlier
        .then_with(|| b.closing.total_cmp(&a.closing))
        .then_with(|| compare_places(a.normal, b.normal))
        .is_lt()
}
