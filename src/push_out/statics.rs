//! Statics always win: a body in a static leaves it, whatever else it overlaps then.

use bevy::math::Vec2;

use super::{
    escape::{Escapee, Search},
    met::NewOverlaps,
    moves::DEEP,
    near::Near,
    overlaps::Overlaps,
    pairs::Pairs,
    place::{Obstacle, free_of_two},
    queue::{Queue, compare_depths},
    seams::out_of_a_seam,
    world::{NEAR_BY, Push, TOLERANCE, World},
};
use crate::placed::{Rank, compare_places};

/// How often bodies in statics are pushed out of them: each time they may come near others.
const PASSES: u32 = 4;
/// A body that is not free after this many pushes is led back and forth, or out of a wedge little by little. Out of a corner it takes two pushes.
const MOST_PUSHES: u32 = 8;
/// A body that is farther from where it was than the depth of the deepest push, times this, is led along a row of statics.
const MOST_DETOUR: f32 = 2.0;
/// A way out that leads through no other static is taken if it is no longer than one that does, times this: out of a gate, but not out of the ground at the end of the world.
const MOST_AROUND: f32 = 3.0;

/// Leads bodies out of statics, with its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Statics {
    /// Colliders of dynamic bodies that are in statics, one of each body.
    inside: Vec<u32>,
    overlaps: Queue,
    search: Search,
}

impl Statics {
    /// Pushes all dynamic bodies for which `is_wanted` is true out of the statics that they are in. Brings the overlaps up to date.
    pub(super) fn leave(
        &mut self,
        world: &mut World,
        near: &mut Near,
        overlaps: &mut Overlaps,
        met: &mut NewOverlaps,
        is_wanted: impl Fn(u32) -> bool,
    ) {
        for _ in 0..PASSES {
            self.find_inside(world, near, overlaps, &is_wanted);
            let search = &mut self.search;
            self.inside.retain(|&moving| {
                let (from, since) = (world.center(moving), met.now());
                let has_left = leave_all(world, near, moving, met);
                if has_left && leave_by_open_way(search, world, near, (moving, from)) {
                    met.take_back(world, &mut near.pairs, since);
                }
                has_left
            });
            if self.inside.is_empty() {
                break;
            }
            overlaps.update(world, near);
        }
        // A body that is in several statics, and leaves none without getting into another, needs a way around all of them together.
        let over = against_statics(world, near, overlaps);
        let over = over.filter(|&number| {
            let (moving, _) = world.moving_first(near.pairs.get(number).numbers());
            is_wanted(world.body(moving))
        });
        self.overlaps.fill_by_depth(world, &near.pairs, over);
        if self.overlaps.is_empty() {
            return;
        }
        for number in self.overlaps.iter() {
            if let Some(overlap) = world.overlap(near.pairs.get(number).numbers())
                && overlap.depth > TOLERANCE
            {
                escape(&mut self.search, world, near, &overlap);
            }
        }
        overlaps.update(world, near);
    }

    /// Lists bodies that are in a static, by one collider each.
    fn find_inside(
        &mut self,
        world: &World,
        near: &Near,
        overlaps: &Overlaps,
        is_wanted: impl Fn(u32) -> bool,
    ) {
        self.inside.clear();
        let over = against_statics(world, near, overlaps);
        let moving = over.map(|number| world.moving_first(near.pairs.get(number).numbers()).0);
        let is_wanted = |moving: &u32| is_wanted(world.body(*moving));
        self.inside.extend(moving.filter(is_wanted));
        // Of several colliders of a body always the same one, whatever their numbers.
        self.inside.sort_unstable_by(|&a, &b| {
            let bodies = world.body(a).cmp(&world.body(b));
            bodies
                .then_with(|| compare_places(world.center(a), world.center(b)))
                .then_with(|| world.slot(a).cmp(&world.slot(b)))
        });
        self.inside.dedup_by_key(|moving| world.body(*moving));
    }
}

/// Returns the numbers of overlapping pairs of a dynamic and a static.
fn against_statics(world: &World, near: &Near, overlaps: &Overlaps) -> impl Iterator<Item = u32> {
    let over = overlaps.over.iter().copied();
    over.filter(|&number| world.is_against_static(near.pairs.get(number).numbers()))
}

/// Pushes the body of a collider out of all statics that it is in, each time out of the one that it is in the deepest: out of a corner of tiles it is led by the walls, and not by the edges between
/// tiles, which it may meet only where it has not been pushed yet. Returns false if it is in no static, or if the pushes lead it too far away; it is back where it was then.
///
/// Tells `met` of each pair before it is pushed, unless the body is back where it was.
pub(super) fn leave_all(
    world: &mut World,
    near: &mut Near,
    moving: u32,
    met: &mut NewOverlaps,
) -> bool {
    let body = world.body(moving);
    if near.is_shut_in(world, body) {
        return false;
    }
    let (from, since) = (world.position(body), met.now());
    let (mut limit, mut is_buried) = (0.0_f32, false);
    // The push before, and where the body was before that.
    let mut last: Option<(Push, Vec2)> = None;
    for number in 0..=MOST_PUSHES {
        near.follow_firm(world, body);
        let Some((pair, push)) = deepest(world, &near.pairs, body) else {
            return number > 0;
        };
        let push = out_of_a_seam(world, &near.pairs, &push).unwrap_or(push);
        let (moving, fixed) = world.moving_first(push.pair);
        limit = limit.max(push.depth * MOST_DETOUR);
        is_buried |= buries(world, &push);
        if world.position(body).distance(from) > limit {
            break;
        }
        if number == MOST_PUSHES && !is_buried {
            return true;
        }
        met.tell(world, near.pairs.get_mut(pair));
        let before = last.and_then(|(last, start)| {
            let place = out_of_both(world, [&last, &push], start)?;
            let is_right = place.distance(from) <= limit && is_free_at(world, near, body, place);
            is_right.then_some((place, start))
        });
        let start = if let Some((place, start)) = before {
            world.move_to(body, place);
            start
        } else {
            let start = world.position(body);
            world.free(moving, fixed, &push);
            start
        };
        last = Some((push, start));
    }
    world.move_to(body, from);
    near.note_shut_in(world, body);
    met.take_back(world, &mut near.pairs, since);
    false
}

/// Returns where a body is free both of the static that it was pushed out of last and of the next one, if one of the pushes is aslant: pushes out of one after the other would lead it a little aside, to the other side in each tick, and a ball in a notch would tremble.
fn out_of_both(world: &World, [last, push]: [&Push; 2], start: Vec2) -> Option<Vec2> {
    let is_aslant = |push: &Push| push.normal.x != 0.0 && push.normal.y != 0.0;
    let of = |push: &Push| {
        let pair = world.moving_first(push.pair);
        Obstacle::of(world, pair).map(|obstacle| (pair, obstacle))
    };
    let ((pair, first), (other_pair, second)) = (of(last)?, of(push)?);
    if pair == other_pair || !(is_aslant(last) || is_aslant(push)) {
        return None;
    }
    let size = world.wide(pair.0);
    let tolerance = 4.0 * world.rounding_along(other_pair, push.normal);
    let at = world.position(world.body(pair.0));
    free_of_two([&first, &second], (start, at), (size, tolerance))
}

/// Whether a place that is free of statics for one or two colliders of a body is free of them for all. The body is back where it was then.
fn is_free_at(world: &mut World, near: &mut Near, body: u32, place: Vec2) -> bool {
    if world.is_alone(body) {
        return true;
    }
    let from = world.position(body);
    world.move_to(body, place);
    near.follow_firm(world, body);
    let is_free = deepest(world, &near.pairs, body).is_none();
    world.move_to(body, from);
    is_free
}

/// Does the same as [`leave_all`] for a body that has just been pushed by another one, but only once the body is so deep in a static that it might come out on the other side. Until then it has time: the next sweep begins with the statics, and bodies
/// that are pushed into a wall and back do not all line up along it.
pub(super) fn come_back(world: &mut World, near: &mut Near, body: u32, met: &mut NewOverlaps) {
    if deepest(world, &near.pairs, body).is_some_and(|(_, push)| is_deep(world, &push)) {
        leave_all(world, near, body, met);
    }
}

/// Whether the moving member might come out on the other side of the fixed one if it went on. A room has no other side.
pub(super) fn is_deep(world: &World, push: &Push) -> bool {
    let (moving, fixed) = world.moving_first(push.pair);
    push.depth > world.narrow(moving) * DEEP && !world.is_room(fixed)
}

/// Whether the middle of the moving member is inside the other one, as far as this push goes.
fn buries(world: &World, push: &Push) -> bool {
    let (moving, _) = world.moving_first(push.pair);
    let shape = world.member(moving).shape();
    // Its extent along the push: a shape that is narrow across the push is not in there any deeper.
    push.depth >= shape.half_size().dot(push.normal.abs()) + shape.radius()
}

/// Returns the number of the pair with the static that a body is in the deepest, and the push out of it.
fn deepest(world: &World, pairs: &Pairs, body: u32) -> Option<(u32, Push)> {
    let over = pairs.with(body, Rank::Static).filter_map(|number| {
        let pair = pairs.get(number).numbers();
        let push = world.overlap(pair)?;
        (push.depth > world.rounding_along(pair, push.normal)).then_some((number, push))
    });
    over.min_by(|(_, a), (_, b)| compare_depths(world, a, b))
}

/// If a body was in a static and has been pushed out of it through another one, as by a gate that closes on it between thin walls: takes a way that leads through no other static instead, if that is
/// not much longer. Returns whether it does.
fn leave_by_open_way(
    search: &mut Search,
    world: &mut World,
    near: &mut Near,
    (moving, from): (u32, Vec2),
) -> bool {
    let out = world.center(moving);
    if world.is_room(moving) || !search.is_barred(world, moving, (from, out)) {
        return false;
    }
    let longest = from.distance(out) * MOST_AROUND;
    let escapee = Escapee {
        member: moving,
        lowest: Rank::Static,
        limit: longest / world.wide(moving),
        is_choosy: true,
    };
    world.place(moving, from);
    let open = search.nearest_free_center(world, near, escapee);
    let open = open.filter(|place| place.distance(from) <= longest);
    world.place(moving, open.unwrap_or(out));
    open.is_some()
}

/// Moves a body out of all statics around it, if there is a free place near enough.
fn escape(search: &mut Search, world: &mut World, near: &mut Near, overlap: &Push) {
    let (moving, _) = world.moving_first(overlap.pair);
    // A buried body leaves however far that is. A body that is only squeezed, by a door or in a gap, goes no farther than twice
    // its size, or it stays: a place far away is not meant for it.
    let limit = if buries(world, overlap) {
        f32::INFINITY
    } else {
        NEAR_BY
    };
    let mut find = |lowest: Rank| {
        let escapee = Escapee {
            member: moving,
            lowest,
            limit,
            is_choosy: false,
        };
        search.nearest_free_center(world, near, escapee)
    };
    // Free of all if possible, else at least free of statics.
    let free = find(Rank::Dynamic).or_else(|| find(Rank::Static));
    if let Some(center) = free {
        let from = world.center(moving);
        world.place(moving, center);
        leave_by_open_way(search, world, near, (moving, from));
    }
}
