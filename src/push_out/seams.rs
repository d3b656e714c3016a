//! The seam of two firm colliders side by side: a body that is in both is pushed out of them across the seam, as out of one floor.

use bevy::math::Vec2;

use super::{
    pairs::Pairs,
    world::{Push, World},
};
use crate::{
    placed::{CORNER, Rank},
    sweep::MOST_ACROSS,
};

/// Two pushes are against each other below this cosine.
const AGAINST: f32 = -0.9;

/// Returns the push across the seam of two firm colliders, for a body that is in both and deeper in them than it reaches over either: each of them by itself would push it sideways into the other one, but together they are one floor.
pub(super) fn out_of_a_seam(world: &World, pairs: &Pairs, push: &Push) -> Option<Push> {
    let (moving, fixed) = world.moving_first(push.pair);
    // A room has no other side.
    if world.is_room(moving) || world.is_room(fixed) {
        return None;
    }
    let (normal, depth) = world.way_over(push);
    let is_near = |side: &Push| depth <= side.depth * MOST_ACROSS;
    let others = || {
        pairs.of(world.body(moving)).filter_map(|number| {
            let pair = pairs.get(number).numbers();
            let other = world.is_against_firm(pair).then(|| world.overlap(pair));
            other
                .flatten()
                .filter(|other| other.depth > world.rounding_along(pair, other.normal))
        })
    };
    // All colliders of a body count as deep in it as the deepest one.
    let is_beside = |other: Push| {
        let (_, same) = world.moving_first(other.pair);
        let is_along = other.normal.dot(push.normal).abs() > -AGAINST;
        same == fixed && is_along && is_near(&other)
    };
    let is_near = is_near(push) || world.has_parts() && others().any(is_beside);
    let is_over_a_seam = is_near && others().any(|other| is_other_side(world, push, &other));
    is_over_a_seam.then_some(Push {
        pair: push.pair,
        normal,
        depth,
    })
}

/// Whether `other` pushes a body back to what `push` leads out of. A moving collider is part of a floor only if it is flush with it, since it may come from anywhere.
fn is_other_side(world: &World, push: &Push, other: &Push) -> bool {
    let out = |pair: (u32, u32), normal: Vec2| {
        let (moving, _) = world.moving_first(pair);
        if moving == pair.1 { normal } else { -normal }
    };
    let is_against = out(other.pair, other.normal).dot(out(push.pair, push.normal)) < AGAINST;
    let (_, fixed) = world.moving_first(other.pair);
    is_against
        && (world.rank(fixed) == Rank::Static || {
            let ((normal, depth), (others_normal, others_depth)) =
                (world.way_over(push), world.way_over(other));
            out(other.pair, others_normal) == out(push.pair, normal)
                && (others_depth - depth).abs() <= CORNER
        })
}
