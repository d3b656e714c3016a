//! How two members that overlap are parted: which of them moves, and how far.

use std::cmp::Ordering;

use bevy::math::Vec2;

use super::{
    barriers::slide_along_firm,
    island::Island,
    met::NewOverlaps,
    near::Near,
    queue::compare_depths,
    seams::out_of_a_seam,
    statics::{come_back, is_deep},
    supports::Supports,
    world::{FREE, Push, World},
};
use crate::placed::Rank;

/// Below 1. Of two bodies in line with the middle of a crowd, the inner one counts as 19 times as heavy as the outer one.
const FIRMNESS: f32 = 0.9;
const EQUALLY_FIRM: [f32; 2] = [1.0; 2];
/// Two bodies whose overlap is as good as free go past each other by no more than this many times its depth.
const FAR: f32 = 4.0;
/// Two bodies slide apart only if that takes them at least this part as far apart as going straight would.
const HELPS: f32 = 0.25;

/// How firmly bodies are held in this round.
pub(super) struct Holds<'a> {
    pub(super) island: &'a Island,
    pub(super) supports: &'a Supports,
    /// The middle of a crowd; `None` for other islands.
    pub(super) middle: Option<Vec2>,
    /// A body that is held through more steps than this gives way.
    pub(super) chain: u32,
}

impl Holds<'_> {
    /// Returns the rank of what holds a body against a push by something of rank `by`; `Dynamic` if nothing does.
    fn hold(&self, body: u32, push: Vec2, by: Rank) -> Rank {
        let number = self.island.number(body);
        self.supports.hold(number, push, (by, self.chain))
    }

    /// Whether chains hold no more.
    fn have_stalled(&self) -> bool {
        self.chain < u32::MAX
    }

    /// Returns by which factors the masses of two members count that share a push: in a crowd, the more the push leads outwards, the less the inner member moves.
    fn firmness(&self, world: &World, (a, b): (u32, u32)) -> [f32; 2] {
        let places = [a, b].map(|number| world.middle(number));
        let apart = places[0].distance(places[1]);
        let Some(middle) = self.middle.filter(|_| apart > 0.0) else {
            return EQUALLY_FIRM;
        };
        let [from_a, from_b] = places.map(|place| place.distance(middle));
        // For two in nearly the same place, the rounding of the distances is more than their difference.
        let outwards = ((from_b - from_a) / apart).clamp(-1.0, 1.0) * FIRMNESS;
        [1.0 + outwards, 1.0 - outwards]
    }
}

/// Frees one pair, as far as both members are free to move, and pushes neither through anything firm; tells `met` of each pair that meets by that.
pub(super) fn push_pair(
    world: &mut World,
    near: &mut Near,
    holds: &Holds,
    push: &Push,
    met: &mut NewOverlaps,
) {
    let bodies = [push.pair.0, push.pair.1].map(|member| world.body(member));
    let from = bodies.map(|body| world.position(body));
    // On a lift of several colliders, the body may stand on a seam.
    let is_firm = world.is_against_firm(push.pair);
    let across = is_firm.then(|| out_of_a_seam(world, &near.pairs, push));
    separate(world, holds, &across.flatten().unwrap_or(*push));
    // A body that is pushed out of one of several doors that it is in may have to go through another one of these; other pushes lead through none.
    let lowest = if is_firm {
        Rank::Static
    } else {
        Rank::Kinematic
    };
    for (body, from) in bodies.into_iter().zip(from) {
        if world.position(body) != from {
            slide_along_firm(world, (body, from), lowest);
            near.follow_firm(world, body);
            if !is_firm {
                stay_out_of_doors(world, near, (body, from));
            }
            come_back(world, near, body, met);
        }
    }
}

/// Takes a body back that others have pushed so deep into a kinematic that it might come out on the other side.
fn stay_out_of_doors(world: &mut World, near: &Near, (body, from): (u32, Vec2)) {
    let to = world.position(body);
    let doors = near.pairs.with(body, Rank::Kinematic);
    let in_doors = doors.filter_map(|number| {
        let push = world.overlap(near.pairs.get(number).numbers())?;
        is_deep(world, &push).then_some(push)
    });
    let deepest = in_doors.min_by(|a, b| compare_depths(world, a, b));
    let Some(push) = deepest else {
        return;
    };
    world.move_to(body, from);
    let before = world.overlap(push.pair);
    if before.is_some_and(|before| before.depth >= push.depth) {
        world.move_to(body, to);
    }
}

/// Moves one member of a pair, or both.
fn separate(world: &mut World, holds: &Holds, push: &Push) {
    let (a, b) = push.pair;
    let ranks = [a, b].map(|member| world.rank(member));
    let [hold_a, hold_b] = [
        holds.hold(world.body(a), -push.normal, ranks[1]),
        holds.hold(world.body(b), push.normal, ranks[0]),
    ];
    match ranks {
        [Rank::Dynamic, Rank::Dynamic] => separate_two(world, holds, push, [hold_a, hold_b]),
        [Rank::Dynamic, fixed] if hold_a <= fixed => world.free(a, b, push),
        [fixed, Rank::Dynamic] if hold_b <= fixed => world.free(b, a, push),
        // A lift does not push a body that leans on a wall into the wall, but along it.
        [Rank::Dynamic, _] => slip_along(world, holds, (a, b), -push.normal),
        [_, Rank::Dynamic] => slip_along(world, holds, (b, a), push.normal),
        _ => {}
    }
}

/// Moves one of two dynamic members, or both.
fn separate_two(world: &mut World, holds: &Holds, push: &Push, [hold_a, hold_b]: [Rank; 2]) {
    let (a, b) = push.pair;
    let are_held = [hold_a, hold_b].map(|hold| hold > Rank::Dynamic);
    match (hold_a.cmp(&hold_b), are_held) {
        // Where rounds have not helped, a body that would have to go into what holds it goes along that; but only a short way if the overlap is as good as free.
        (_, [true, true])
            if holds.have_stalled()
                && (push.depth > FREE || world.way_past(push).1 <= push.depth * FAR) =>
        {
            slip_past(world, holds, push);
        }
        (_, [true, false] | [false, true])
            if holds.have_stalled() && share_along(world, holds, push) => {}
        (Ordering::Less, _) => world.free(a, b, push),
        (Ordering::Greater, _) => world.free(b, a, push),
        // No body leaves a row for an overlap that is as good as free.
        (Ordering::Equal, [true, _]) if push.depth > FREE => slip_past(world, holds, push),
        (Ordering::Equal, _) => {
            let firmness = holds.firmness(world, push.pair);
            world.share(push.pair, push.normal, push.depth, firmness);
        }
    }
}

/// Moves a body that is pushed aslant into what holds it along that, if it is free after no more than half of its size.
fn slip_along(world: &mut World, holds: &Holds, (moving, fixed): (u32, u32), push: Vec2) {
    let number = holds.island.number(world.body(moving));
    let along = holds
        .supports
        .along(number, push, (world.rank(fixed), u32::MAX));
    if let Some(direction) = along.try_normalize()
        && let Some(distance) = world.way_out(moving, fixed, direction)
        && distance <= world.narrow(moving)
    {
        world.shift(moving, direction * distance);
    }
}

/// Moves two members of which one is held, each where it can go: the held one along what holds it, the other one straight away; by mass, and by how much each way helps. Returns false, and both stay, if that hardly leads apart.
fn share_along(world: &mut World, holds: &Holds, push: &Push) -> bool {
    let (a, b) = push.pair;
    let eases = [a, b].map(|member| world.member(member).inverse_mass);
    let [way_a, way_b] = [(a, -push.normal), (b, push.normal)].map(|(member, away)| {
        let number = holds.island.number(world.body(member));
        let limits = (Rank::Dynamic, holds.chain);
        holds.supports.along(number, away, limits)
    });
    let (by_a, by_b) = (way_a * eases[0], way_b * eases[1]);
    // Of each way, only the part along the normal adds to the distance.
    let apart = (by_b - by_a).dot(push.normal);
    if apart < HELPS * (eases[0] + eases[1]) {
        return false;
    }
    world.shift(a, by_a * (push.depth / apart));
    world.shift(b, by_b * (push.depth / apart));
    true
}

/// Moves two members that can't go apart, since both are held, past each other: along the other axis, those of them that are not held there too.
fn slip_past(world: &mut World, holds: &Holds, push: &Push) {
    let (a, b) = push.pair;
    let (direction, distance) = world.way_past(push);
    let hold = |member: u32, push: Vec2| holds.hold(world.body(member), push, Rank::Dynamic);
    match [hold(a, -direction), hold(b, direction)] {
        [Rank::Dynamic, Rank::Dynamic] => world.share((a, b), direction, distance, EQUALLY_FIRM),
        [Rank::Dynamic, _] => world.shift(a, -direction * distance),
        [_, Rank::Dynamic] => world.shift(b, direction * distance),
        // Both are held all around. Pushing on moves what holds them, if that can be moved.
        _ => world.share((a, b), push.normal, push.depth, EQUALLY_FIRM),
    }
}
