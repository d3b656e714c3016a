//! Whether two colliders collide, and whether they stop each other. Decided in one place, so that every stage gives the same answer.
//!
//! ```text
//! may_collide            not both static, layers that agree, two bodies, no ignoring
//!   are_solid            and neither is a sensor; are_solid_on: if the first had other layers
//!     may_stop           and one of them is dynamic: for the sweep
//!       may_push         and each is on a solid side of the other one now: for the push-out
//! is_solid_side          whether a side with this normal is solid to a collider
//! is_on_solid_side       whether a collider is outside, and on a solid side, now
//! lets_in                whether another collider of its body is inside
//! outline_for            which walls of a room are solid to a collider now
//! overlap_as_solids      whether two overlap, but for open walls
//! has_met_solid_side     whether it met one; in the corner of a room, one of two walls
//! meet_solid_sides       the same for an impact on the way
//! met_as_solids          the same for a contact that is reported
//! is_held_by_wall        whether one wall of a one-way room is enough for that
//! pass_at                whether two overlap so deep that they leave each other alone
//! ```

use bevy::math::{BVec2, Vec2};

use super::{colliders::Colliders, traits::ColliderFlags};
use crate::{
    components::CollisionLayers,
    kernel::{Outline, separation},
    placed::{
        FLUSH, Meeting, Rank, SIDES, STANDING_DEPTH, SlotPair, gap_to_wall_of_room, is_by_a_corner,
        meet, within_reach,
    },
    sweep::SweepImpact,
};

/// The cosine of the largest angle between a one-way direction and a normal that faces it: a little more than 45 degrees, so that of a box rotated by 45 degrees two sides face it, rather than none.
const FACING: f32 = 0.7;
/// A room without a wall; finite, so that distances to its walls are, too.
const ENDLESS: Outline = Outline::Bounds(Vec2::MAX);

/// Whether two slots may collide at all.
#[inline]
pub(crate) fn may_collide(colliders: &Colliders, a: usize, b: usize) -> bool {
    let flags = |slot: usize| (slot, colliders.flags[slot]);
    may_collide_by_flags(colliders, flags(a), flags(b))
}

/// The same, for callers that have the flags already.
#[inline]
pub(crate) fn may_collide_by_flags(
    colliders: &Colliders,
    (a, flags_a): (usize, ColliderFlags),
    (b, flags_b): (usize, ColliderFlags),
) -> bool {
    if flags_a.is_static() && flags_b.is_static() {
        return false;
    }
    if flags_a.is_plain() && flags_b.is_plain() {
        return true;
    }
    may_collide_on(colliders, (a, colliders.traits[a].layers), b)
}

/// Whether two slots that are not both static may collide, if the first had these layers.
fn may_collide_on(colliders: &Colliders, (a, layers): (usize, CollisionLayers), b: usize) -> bool {
    layers.interacts_with(colliders.traits[b].layers)
        && colliders.placed[a].body != colliders.placed[b].body
        && !colliders.are_ignored(a, b)
}

/// Why two slots never collide, wherever they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exclusion {
    BothStatic,
    SameBody,
    Layers,
    Ignored,
}

/// Returns what keeps two slots from colliding; `None` where [`may_collide`] says that they may.
pub(crate) fn exclusion(colliders: &Colliders, a: usize, b: usize) -> Option<Exclusion> {
    if may_collide(colliders, a, b) {
        return None;
    }
    let is_static = |slot: usize| colliders.flags[slot].is_static();
    let layers = |slot: usize| colliders.traits[slot].layers;
    Some(if colliders.placed[a].body == colliders.placed[b].body {
        Exclusion::SameBody
    } else if is_static(a) && is_static(b) {
        Exclusion::BothStatic
    } else if !layers(a).interacts_with(layers(b)) {
        Exclusion::Layers
    } else {
        debug_assert!(colliders.are_ignored(a, b));
        Exclusion::Ignored
    })
}

/// Whether two slots that collide push each other: neither is a sensor, both sides are solid, and at least one body is dynamic.
#[inline]
pub(crate) fn may_push(colliders: &Colliders, a: usize, b: usize) -> bool {
    may_stop(colliders, a, b) && are_on_solid_sides(colliders, a, b)
}

/// The same, for callers that have the flags already.
#[inline]
pub(crate) fn may_push_by_flags(
    colliders: &Colliders,
    (a, flags_a): (usize, ColliderFlags),
    (b, flags_b): (usize, ColliderFlags),
) -> bool {
    let is_dynamic = flags_a.rank() == Rank::Dynamic || flags_b.rank() == Rank::Dynamic;
    let is_solid =
        |flags: ColliderFlags| flags.is_plain() && !flags.is_sensor() && !flags.is_one_way();
    // For most pairs the flags are enough.
    is_dynamic && (is_solid(flags_a) && is_solid(flags_b) || may_push(colliders, a, b))
}

/// Whether two colliders that have met are solid to each other: neither is a sensor, and they met on solid sides; and if one of them is one-way, neither is inside the other now.
pub(crate) fn met_as_solids(colliders: &Colliders, meeting: &Meeting) -> bool {
    let [a, b] = [meeting.slots.0, meeting.slots.1].map(|slot| slot as usize);
    let normal = meeting.normal;
    let is_held =
        || is_held_by_wall(colliders, a, b, normal) || is_held_by_wall(colliders, b, a, -normal);
    // Uses the normal of when they met: a collider that came up through a ledge is above it now, and one that walked off its end is beside it.
    let are_outside = || {
        has_met_solid_side(colliders, a, b, normal)
            && has_met_solid_side(colliders, b, a, -normal)
            && resting_normal(colliders, meeting.slots, f32::MAX).is_some()
    };
    are_solid(colliders, a, b) && (are_outside() || is_held())
}

/// Whether `who` is at a solid wall of a one-way room, or has met it by this normal, and is not beyond it. It may be beyond an open wall, which has the deeper contact then.
pub(crate) fn is_held_by_wall(
    colliders: &Colliders,
    room: usize,
    who: usize,
    normal: Vec2,
) -> bool {
    let is_held = |side: Vec2| {
        let has_met = normal.dot(side) > 0.0;
        let reach = if has_met { f32::MAX } else { FLUSH };
        is_solid_wall(colliders, (room, who), (side, reach))
    };
    is_one_way(colliders, room) && SIDES.into_iter().any(is_held)
}

/// Whether a wall of a room is solid to a collider whose gap to it is at most `reach`. A collider beyond the wall counts as touching it too, unless the room is one-way: then it is left alone.
pub(crate) fn is_solid_wall(
    colliders: &Colliders,
    (room, who): (usize, usize),
    (side, reach): (Vec2, f32),
) -> bool {
    let both = (&colliders.placed[room], &colliders.placed[who]);
    let gap = gap_to_wall_of_room(both, &colliders.body_states, side);
    let may_be_beyond = !is_one_way(colliders, room);
    gap.is_some_and(|(gap, rounding)| {
        gap <= reach.max(rounding) && (may_be_beyond || gap >= -STANDING_DEPTH.max(rounding))
    }) && is_solid_side(colliders, room, who, side)
        && is_solid_side(colliders, who, room, -side)
}

/// Whether `who` met `wall` on its solid side. In the corner of a room it meets two sides, of which one is enough.
pub(crate) fn has_met_solid_side(
    colliders: &Colliders,
    wall: usize,
    who: usize,
    normal: Vec2,
) -> bool {
    let is_room = colliders.placed[wall].outline.shape().is_none();
    if is_room && normal.x != 0.0 && normal.y != 0.0 {
        let walls = [Vec2::X, Vec2::Y].map(|axis| axis * normal.signum());
        return walls
            .into_iter()
            .any(|side| is_solid_side(colliders, wall, who, side));
    }
    is_solid_side(colliders, wall, who, normal)
}

#[inline]
fn are_on_solid_sides(colliders: &Colliders, a: usize, b: usize) -> bool {
    is_on_solid_side(colliders, a, b)
        && is_on_solid_side(colliders, b, a)
        && !lets_in(colliders, a, b)
        && !lets_in(colliders, b, a)
}

/// Whether `wall` is one-way, and another collider of the body of `who` is in it: that body passes until all of it is out, as in a sweep. Leaves out the parts of a static body: a level has too many.
fn lets_in(colliders: &Colliders, wall: usize, who: usize) -> bool {
    if !is_one_way(colliders, wall) {
        return false;
    }
    let shape = |slot: usize| colliders.placed[slot].outline.shape();
    let is_in_it = |part: usize| {
        let [here, there] = colliders.centers((wall as u32, part as u32));
        let shapes = shape(wall).zip(shape(part));
        shapes.is_some_and(|(wall, part)| separation(wall, part, there - here) < -STANDING_DEPTH)
    };
    let beside = colliders.solid_colliders_of(colliders.placed[who].body);
    let mut beside = beside.map(|part| part as usize).filter(|&part| part != who);
    // Would it be solid to that one as well, from outside?
    beside.any(|part| {
        is_in_it(part) && may_stop(colliders, wall, part) && !colliders.traits[part].drops_through
    })
}

/// Whether `who` is outside of `wall` now and on its solid side, if it is one-way: then a collider that stands on a ledge is not pushed through it, and one that is in it, or comes up through it, is left alone. One wall of a room is enough.
fn is_on_solid_side(colliders: &Colliders, wall: usize, who: usize) -> bool {
    if !is_one_way(colliders, wall) {
        return true;
    }
    let [wall_placed, who_placed] = [wall, who].map(|slot| &colliders.placed[slot]);
    if let Outline::Bounds(_) = wall_placed.outline {
        return outline_for(colliders, who, wall) != ENDLESS;
    }
    let offset = offset_between(colliders, wall, who);
    let contact = (wall_placed.outline).contact_within(who_placed.outline, offset, f32::MAX);
    contact.is_some_and(|contact| {
        contact.depth <= STANDING_DEPTH && is_solid_side(colliders, wall, who, contact.normal)
    })
}

/// Whether two slots overlap where they are solid to each other now; both have to be [on solid sides](are_on_solid_sides).
pub(crate) fn overlap_as_solids(colliders: &Colliders, a: usize, b: usize) -> bool {
    let (one, other) = (outline_for(colliders, b, a), outline_for(colliders, a, b));
    let contact = one.contact_within(other, offset_between(colliders, a, b), 0.0);
    contact.is_some_and(|contact| contact.depth > 0.0)
}

/// Returns the outline of a collider as it is to `who` now: on an axis on which a one-way room has no wall that is solid to `who`, it has no end.
///
/// A solid wall counts for who is in its half of the room, and not beyond it. The wall across from it counts as well then, as if no push led that far.
pub(crate) fn outline_for(colliders: &Colliders, who: usize, other: usize) -> Outline {
    let outline = colliders.placed[other].outline;
    match outline {
        Outline::Bounds(half_size) if is_one_way(colliders, other) => {
            let inwards = -Vec2::ONE.copysign(offset_between(colliders, other, who));
            let [x, y] = [Vec2::X, Vec2::Y]
                .map(|axis| is_solid_wall(colliders, (other, who), (axis * inwards, f32::MAX)));
            Outline::Bounds(Vec2::select(BVec2::new(x, y), half_size, Vec2::MAX))
        }
        _ => outline,
    }
}

fn offset_between(colliders: &Colliders, a: usize, b: usize) -> Vec2 {
    let [a, b] = [a, b].map(|slot| colliders.placed[slot].center(&colliders.body_states));
    b - a
}

/// Returns how two slots meet, or would meet, if the gap between them is at most `reach`.
#[inline]
pub(crate) fn meeting_within(
    colliders: &Colliders,
    slots: SlotPair,
    reach: f32,
) -> Option<Meeting> {
    let within = |a: Outline, b, offset| a.contact_within(b, offset, reach);
    meet(&colliders.placed, &colliders.body_states, slots, within)
}

/// The same, if the gap along their normal is at most `reach`, or the rounding error there.
pub(crate) fn resting_meeting(
    colliders: &Colliders,
    slots: SlotPair,
    reach: f32,
) -> Option<Meeting> {
    let centers = colliders.centers(slots);
    let find = |reach| meeting_within(colliders, slots, reach);
    within_reach(reach, centers, find, |meeting| {
        (meeting.normal, meeting.depth)
    })
}

/// Returns the normal from the first of two slots to the second, if they hold each other up: they touch, or their gap is at most `reach` or the rounding error there; and if one of them is one-way, neither is inside the other.
pub(crate) fn resting_normal(colliders: &Colliders, slots: SlotPair, reach: f32) -> Option<Vec2> {
    let most = standing_depth(colliders, slots, f32::INFINITY);
    let meeting = resting_meeting(colliders, slots, reach)?;
    (meeting.depth <= most).then_some(meeting.normal)
}

/// Whether two slots touch, within the rounding error at their places, and neither is inside the other.
pub(crate) fn are_flush(colliders: &Colliders, slots: SlotPair) -> bool {
    let rounding = STANDING_DEPTH.max(colliders.rounding(slots));
    let most = standing_depth(colliders, slots, rounding);
    resting_meeting(colliders, slots, 0.0).is_some_and(|meeting| meeting.depth <= most)
}

/// Returns how deep two slots may overlap without one being inside the other: no more than [`STANDING_DEPTH`] if one of them is one-way, and else `most`.
fn standing_depth(colliders: &Colliders, slots: SlotPair, most: f32) -> f32 {
    let is_one_way = |slot: u32| is_one_way(colliders, slot as usize);
    if is_one_way(slots.0) || is_one_way(slots.1) {
        STANDING_DEPTH
    } else {
        most
    }
}

/// Whether two slots touch with their corners: neither stands on the other.
pub(crate) fn meet_by_a_corner(colliders: &Colliders, slots: SlotPair) -> bool {
    let [a, b] = [slots.0, slots.1].map(|slot| &colliders.placed[slot as usize]);
    let (Outline::Shape(one), Outline::Shape(other)) = (a.outline, b.outline) else {
        return false;
    };
    is_by_a_corner([one, other], colliders.centers(slots))
}

/// Whether two slots that meet on the way stop each other, provided that they meet on solid sides.
#[inline]
pub(crate) fn may_stop(colliders: &Colliders, a: usize, b: usize) -> bool {
    let is_dynamic = |slot: usize| colliders.flags[slot].rank() == Rank::Dynamic;
    (is_dynamic(a) || is_dynamic(b)) && are_solid(colliders, a, b)
}

/// Whether two slots may collide, and neither is a sensor.
#[inline]
pub(crate) fn are_solid(colliders: &Colliders, a: usize, b: usize) -> bool {
    is_no_sensor(colliders, a) && is_no_sensor(colliders, b) && may_collide(colliders, a, b)
}

/// The same, if the first had these layers.
pub(crate) fn are_solid_on(
    colliders: &Colliders,
    (a, layers): (usize, CollisionLayers),
    b: usize,
) -> bool {
    let is_static = |slot: usize| colliders.flags[slot].is_static();
    is_no_sensor(colliders, a)
        && is_no_sensor(colliders, b)
        && !(is_static(a) && is_static(b))
        && may_collide_on(colliders, (a, layers), b)
}

fn is_no_sensor(colliders: &Colliders, slot: usize) -> bool {
    !colliders.flags[slot].is_sensor()
}

/// Whether a side of a one-way collider is solid: whether its normal is near enough to the direction.
pub(crate) fn faces(direction: Vec2, normal: Vec2) -> bool {
    direction.dot(normal) > FACING
}

/// Whether a side of `wall` with this normal is solid to `who`.
pub(crate) fn is_solid_side(colliders: &Colliders, wall: usize, who: usize, normal: Vec2) -> bool {
    if !is_one_way(colliders, wall) {
        return true;
    }
    let direction = colliders.traits[wall].one_way;
    !colliders.traits[who].drops_through && faces(direction, normal)
}

/// Whether two slots that may stop each other do so where the first meets the second: on solid sides of both, and from outside if one is one-way.
pub(crate) fn meet_solid_sides(
    colliders: &Colliders,
    own: usize,
    other: usize,
    impact: &SweepImpact,
) -> bool {
    is_solid_side(colliders, other, own, impact.normal)
        && is_solid_side(colliders, own, other, -impact.normal)
        && !(impact.is_deep && (is_one_way(colliders, own) || is_one_way(colliders, other)))
}

/// Whether two colliders that overlap by `depth` pass through each other: one of them is a sensor, or is one-way and does not hold what is inside of it.
pub(crate) fn pass_at(colliders: &Colliders, a: usize, b: usize, depth: f32) -> bool {
    let is_in_it =
        || depth > STANDING_DEPTH && (is_one_way(colliders, a) || is_one_way(colliders, b));
    !are_solid(colliders, a, b) || is_in_it()
}

/// Whether the collider is solid on one side only.
pub(crate) fn is_one_way(colliders: &Colliders, slot: usize) -> bool {
    colliders.flags[slot].is_one_way()
}

#[cfg(test)]
mod tests {
    use bevy::prelude::*;

    use super::*;
    use crate::prelude::*;

    /// Two plain colliders may collide, without a look at any rule.
    #[test]
    fn only_what_no_rule_is_about_is_plain() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, CollisionPlugin::new(Update)));
        let world = app.world_mut();
        let ball = CircleCollider::new(5.0);
        let body = world.spawn(ball).id();
        let layers = CollisionLayers::new(1_u32, 2_u32);
        let cases = [
            ("a body", body, true),
            ("a sensor", world.spawn((ball, Sensor)).id(), true),
            ("a part", world.spawn((ball, ChildOf(body))).id(), false),
            ("on layers", world.spawn((ball, layers)).id(), false),
            (
                "who ignores",
                world.spawn((ball, IgnoreCollisions::with(body))).id(),
                false,
            ),
        ];
        app.update();
        let colliders = app.world().resource::<Colliders>();
        for (case, entity, is_plain) in cases {
            let slot = colliders.slot(entity).expect("it was just spawned");
            assert_eq!(colliders.flags[slot].is_plain(), is_plain, "{case}");
        }
    }
}
