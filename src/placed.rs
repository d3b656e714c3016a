//! Bodies and colliders as flat data: where they are, which gives way, how two of them meet. No ECS.

use std::{cmp::Ordering, hint::select_unpredictable};

use bevy::math::{Vec2, Vec2Swizzles, Vec4};
#[cfg(feature = "recorder")]
use serde::{Deserialize, Serialize};

use crate::{
    broad_phase::Extent,
    kernel::{Contact, Impact, Outline, Shape, pick, room_for},
};

/// Boxes whose sides are level by no more than this, in world units, or by rounding, touch with their corners; and a surface may stick out of another by so much and still be flush.
pub(crate) const CORNER: f32 = 0.005;

/// Whether two sharp shapes, with these centers, touch with their corners: hardly any of their sides is level, on either axis.
pub(crate) fn is_by_a_corner([a, b]: [Shape; 2], [one, other]: [Vec2; 2]) -> bool {
    let sum = a.sum(b);
    let level = sum.half_extents() - (other - one).abs();
    let rounding = one.abs().max(other.abs()) * ROUNDING;
    sum.radius() == 0.0 && level.abs().cmple(rounding.max(Vec2::splat(CORNER))).all()
}

/// The factor of [`rounding`], for the largest coordinate.
pub(crate) const ROUNDING: f32 = 4.0 * f32::EPSILON;

/// Returns a few times the distance of neighboring `f32` numbers at the places of these two: a smaller overlap can't be pushed apart.
#[inline]
pub(crate) fn rounding(one: Vec2, other: Vec2) -> f32 {
    one.abs().max(other.abs()).max_element() * ROUNDING
}

/// The same along a normal: far out on one axis, positions on the other axis are as exact as anywhere.
#[inline]
pub(crate) fn rounding_along(one: Vec2, other: Vec2, normal: Vec2) -> f32 {
    one.abs().max(other.abs()).dot(normal.abs()) * ROUNDING
}

/// A corner may be in the way by no more than this part of half of the thickness of either shape: one that flies at the seam of two others is in the way of one by at least half of its thickness, and has to be stopped.
const THICKNESS_PART: f32 = 0.5;

/// Returns the normal of the side on which a motion meets a shape, and how much of both sides is level there, 0 for a round corner. `None` if only a corner is in the way, by so little that it counts as nothing, and the motion leads along it; one that leads into it meets its other side. So flush tiles are one surface, though their tops differ by rounding errors.
///
/// `hit` is what the kernel says of the two, `at` the place of the moving shape then, from the center of the other one, and `nothing` how far a corner may be in the way, measured along an axis.
#[inline(always)]
pub(crate) fn side_met(
    shapes: [Shape; 2],
    hit: &Impact,
    (at, motion): (Vec2, Vec2),
    nothing: impl Fn(Vec2) -> f32,
) -> Option<(Vec2, f32)> {
    let [own, other] = shapes;
    let sum = own.sum(other);
    let nothing = |axis: Vec2| {
        let [a, b] = shapes.map(|shape| shape.half_extents().dot(axis.abs()));
        let (most, half) = (nothing(axis), a.min(b));
        // A shape without thickness may touch two flush ones as it may touch one.
        if half > 0.0 {
            most.min(half * THICKNESS_PART)
        } else {
            most
        }
    };
    if hit.normal.x != 0.0 && hit.normal.y != 0.0 {
        // Measure how far the whole shape is in the way, and not only this corner: a way that hardly enters the round corner may lead through all of the rest.
        let aside = motion.normalize_or_zero().perp();
        let in_the_way = sum.half_size().dot(aside.abs()) + sum.radius() - at.dot(aside).abs();
        return (in_the_way >= nothing(aside)).then_some((hit.normal, 0.0));
    }
    // The axis along the surface.
    let along = if hit.normal.x != 0.0 {
        Vec2::Y
    } else {
        Vec2::X
    };
    let level = (sum.half_extents() - at.abs()).max(Vec2::ZERO).dot(along);
    if level >= nothing(along) {
        return Some((hit.normal, level));
    }
    // It is in a corner by nothing on both axes, and moves along it or out.
    if hit.started_inside && motion.dot(hit.normal) >= 0.0 {
        return None;
    }
    Some((along * at.dot(along).signum(), level))
}

/// Returns a coordinate on one side of an anchor (1 or -1) that is at least `reach` away from it, as floats compute the distance.
#[inline]
pub(crate) fn beyond(anchor: f32, side: f32, reach: f32) -> f32 {
    let place = anchor + side * reach;
    // The sum may be rounded towards the anchor.
    if (place - anchor).abs() >= reach {
        place
    } else if side > 0.0 {
        place.next_up()
    } else {
        place.next_down()
    }
}

/// The same for a coordinate that is at most `reach` away.
#[inline]
pub(crate) fn within(anchor: f32, side: f32, reach: f32) -> f32 {
    let place = anchor + side * reach;
    if (place - anchor).abs() <= reach {
        place
    } else if side > 0.0 {
        place.next_down()
    } else {
        place.next_up()
    }
}

/// Returns the position of a body whose collider, at `offset` from it, has its center at `center`, or as little farther towards `side` as floats allow: the sum of position and offset may be rounded to the wrong side.
#[inline]
pub(crate) fn position_for(center: f32, offset: f32, side: f32) -> f32 {
    let mut position = center - offset;
    while side > 0.0 && position + offset < center {
        position = position.next_up();
    }
    while side < 0.0 && position + offset > center {
        position = position.next_down();
    }
    position
}

/// Which body gives way: the one with the lower rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    Dynamic,
    Kinematic,
    Static,
}

impl Rank {
    /// How many there are.
    pub(crate) const COUNT: usize = Self::Static as usize + 1;
}

/// A body: all that moves as one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mover {
    /// Position of the body's own origin, in world space.
    pub(crate) position: Vec2,
    pub(crate) inverse_mass: f32,
    pub(crate) rank: Rank,
}

/// A collider on its body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placed {
    pub(crate) outline: Outline,
    /// Center minus the position of the body.
    pub(crate) offset: Vec2,
    /// Slot of the body among the movers.
    pub(crate) body: u32,
}

/// How a pair of slots meets, in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "recorder", derive(Serialize, Deserialize))]
pub(crate) struct Meeting {
    /// The lower slot first.
    pub(crate) slots: (u32, u32),
    /// Unit vector from the first to the second.
    pub(crate) normal: Vec2,
    pub(crate) depth: f32,
    pub(crate) point: Vec2,
    /// The time of the meeting within the tick, from 0 to 1.
    pub(crate) time: f32,
}

/// A pair that detection has seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sighting {
    pub(crate) meeting: Meeting,
    pub(crate) closeness: Closeness,
    /// The two push each other if they overlap, by the rules. Set only if the push-out needs it, else false.
    pub(crate) may_push: bool,
    /// They push each other now, because they overlap by more than rounding.
    pub(crate) pushes: bool,
}

/// How close the colliders of a pair are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closeness {
    /// They collide.
    Meets,
    /// The gap between them is so small that it would count if they had met before.
    Rests,
    /// They may come to push each other in this tick. Their contact was not computed.
    Near,
}

impl Placed {
    /// A body without a collider of its own: a point at its position.
    pub(crate) const fn bare_body(slot: u32) -> Self {
        Self {
            outline: Outline::Shape(Shape::POINT),
            offset: Vec2::ZERO,
            body: slot,
        }
    }

    #[inline]
    pub(crate) fn center(&self, movers: &[Mover]) -> Vec2 {
        movers[self.body as usize].position + self.offset
    }

    /// Returns the box around the collider, extended by `reach`. Empty for a room, which is not a box with an inside.
    #[inline]
    pub(crate) fn extent(&self, movers: &[Mover], reach: f32) -> Extent {
        match self.outline {
            Outline::Shape(shape) => extent_at(shape, self.center(movers), reach),
            Outline::Bounds(_) => Extent::EMPTY,
        }
    }
}

/// Returns the box around a shape, extended by `reach` and rounded outwards.
///
/// Rounded, so that a pair that touches by the kernel, which rounds the difference of the centers, is never lost by its boxes, which
/// round each edge.
#[inline(always)]
pub(crate) fn extent_at(shape: Shape, center: Vec2, reach: f32) -> Extent {
    let [left, low, right, high] = edges_at(shape, center, reach).to_array();
    Extent {
        min: [left, low],
        max: [right, high],
    }
}

/// Returns [`extent_at`] as left, low, right and high edge.
#[inline(always)]
pub(crate) fn edges_at(shape: Shape, center: Vec2, reach: f32) -> Vec4 {
    let half = shape.half_extents() + reach;
    let (half, center) = (half.xyxy(), center.xyxy());
    let half = half + (center.abs() + half) * (2.0 * f32::EPSILON);
    center + half * Vec4::new(-1.0, -1.0, 1.0, 1.0)
}

/// The directions from the walls of a room to its inside.
pub(crate) const SIDES: [Vec2; 4] = [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y];

/// Returns the distance of a collider from the wall of a room that faces one of the [`SIDES`], negative beyond the wall, and the rounding error there. `None` if `room` is not a room, or `who` is one.
pub(crate) fn gap_to_wall_of_room(
    (room, who): (&Placed, &Placed),
    movers: &[Mover],
    side: Vec2,
) -> Option<(f32, f32)> {
    let (Outline::Bounds(half_size), Outline::Shape(shape)) = (room.outline, who.outline) else {
        return None;
    };
    let [room, who] = [room, who].map(|placed| placed.center(movers));
    let gap = (who - room).dot(side) + room_for(half_size, shape).dot(side.abs());
    Some((gap, rounding_along(room, who, side)))
}

/// Returns how two slots meet, by a function of the kernel such as `Outline::contact_or_rest`, which gets `a`, `b` and the offset between them, and also returns whether they meet,
/// or are only near.
#[inline]
pub(crate) fn see(
    placed: &[Placed],
    movers: &[Mover],
    slots: (u32, u32),
    find_contact: impl FnOnce(Outline, Outline, Vec2) -> Option<(Contact, bool)>,
) -> Option<Sighting> {
    let [a, b] = sides_of(placed, movers, slots);
    see_at([&a, &b], |a, b, offset| {
        find_contact(a.outline, b.outline, offset)
    })
}

#[inline]
fn sides_of(placed: &[Placed], movers: &[Mover], slots: (u32, u32)) -> [Side; 2] {
    [slots.0, slots.1].map(|slot| {
        let placed = &placed[slot as usize];
        Side {
            slot,
            outline: placed.outline,
            center: placed.center(movers),
        }
    })
}

/// How two slots meet, by a question to the kernel that tells all that it finds.
pub(crate) fn meet(
    placed: &[Placed],
    movers: &[Mover],
    slots: (u32, u32),
    find_contact: impl FnOnce(Outline, Outline, Vec2) -> Option<Contact>,
) -> Option<Meeting> {
    meet_at(sides_of(placed, movers, slots), find_contact)
}

/// The same for two sides that are at hand, in either order.
#[inline]
pub(crate) fn meet_at(
    [a, b]: [Side; 2],
    find_contact: impl FnOnce(Outline, Outline, Vec2) -> Option<Contact>,
) -> Option<Meeting> {
    let find = |a: &Side, b: &Side, offset| {
        let contact = find_contact(a.outline, b.outline, offset)?;
        Some((contact, true))
    };
    Some(see_at([&a, &b], find)?.meeting)
}

/// The same as [`see`] for two sides of any kind that are at hand, in either order.
///
/// Passes them to the kernel in the order of [`in_order_of_places`], so that a report has the same bits whichever of them has the lower slot.
#[inline(always)]
pub(crate) fn see_at<T: Stands>(
    sides: [&T; 2],
    find_contact: impl FnOnce(&T, &T, Vec2) -> Option<(Contact, bool)>,
) -> Option<Sighting> {
    let [a, b] = in_order_of_places(sides);
    let (contact, meets) = find_contact(a, b, b.center() - a.center())?;
    let contact = Contact {
        point: a.center() + contact.point,
        ..contact
    };
    let closeness = if meets {
        Closeness::Meets
    } else {
        Closeness::Rests
    };
    Some(Sighting {
        meeting: Meeting::new((a.slot(), b.slot()), contact),
        closeness,
        may_push: false,
        pushes: false,
    })
}

/// Returns the entries of a body in a list of bodies, each with one of its colliders, that is sorted by body.
pub(crate) fn children_of(children: &[(u32, u32)], body: u32) -> &[(u32, u32)] {
    let start = children.partition_point(|child| child.0 < body);
    let end = children.partition_point(|child| child.0 <= body);
    &children[start..end]
}

/// A collider at a place, in the form that a caller has.
pub(crate) trait Stands {
    fn slot(&self) -> u32;
    fn center(&self) -> Vec2;
    fn outline(&self) -> Outline;
}

/// The simplest form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    pub(crate) slot: u32,
    pub(crate) outline: Outline,
    pub(crate) center: Vec2,
}

impl Stands for Side {
    #[inline(always)]
    fn slot(&self) -> u32 {
        self.slot
    }

    #[inline(always)]
    fn center(&self) -> Vec2 {
        self.center
    }

    #[inline(always)]
    fn outline(&self) -> Outline {
        self.outline
    }
}

/// Returns the one with the lesser place first. At the same place the lesser outline comes first, for the kernel's last rule for ties; slots decide only between equal outlines.
///
/// Either order is as likely, so branches would be mispredicted: there is none, except for two at the same place, which is rare.
#[inline(always)]
pub(crate) fn in_order_of_places<T: Stands>([one, other]: [&T; 2]) -> [&T; 2] {
    let places = compare_places(one.center(), other.center());
    let is_in_order = if places.is_eq() {
        let outlines = compare_outlines(one.outline(), other.outline());
        outlines.then(one.slot().cmp(&other.slot())).is_le()
    } else {
        places.is_lt()
    };
    [
        select_unpredictable(is_in_order, one, other),
        select_unpredictable(is_in_order, other, one),
    ]
}

/// A total order of outlines, in which only identical ones are equal.
#[cold]
pub(crate) fn compare_outlines(a: Outline, b: Outline) -> Ordering {
    let numbers = |outline: Outline| match outline {
        Outline::Shape(shape) => [
            0.0,
            shape.radius(),
            shape.half_size().x,
            shape.half_size().y,
        ],
        Outline::Bounds(room) => [1.0, 0.0, room.x, room.y],
    };
    let pairs = numbers(a).into_iter().zip(numbers(b));
    pairs.fold(Ordering::Equal, |order, (a, b)| order.then(a.total_cmp(&b)))
}

impl Sighting {
    /// Makes a sighting of two slots, in either order, that may push each other; nothing else is known of them.
    #[inline]
    pub(crate) fn near(slots: (u32, u32)) -> Self {
        let contact = Contact {
            normal: Vec2::ZERO,
            depth: 0.0,
            point: Vec2::ZERO,
        };
        Self {
            meeting: Meeting::new(slots, contact),
            closeness: Closeness::Near,
            may_push: true,
            pushes: false,
        }
    }
}

impl Meeting {
    /// Makes a meeting of two slots, in either order; the contact is seen from the first one, with its point in world space.
    #[inline(always)]
    pub(crate) fn new((a, b): (u32, u32), contact: Contact) -> Self {
        // Adding 0 turns -0.0 into 0.0.
        let turned = -contact.normal + Vec2::ZERO;
        let pick = |turned: f32, as_it_is: f32| pick(a > b, turned, as_it_is);
        Self {
            slots: pair_of(a, b),
            normal: Vec2::new(
                pick(turned.x, contact.normal.x),
                pick(turned.y, contact.normal.y),
            ),
            depth: contact.depth,
            point: contact.point,
            time: 1.0,
        }
    }
}

/// Returns two slots as a pair, the lower one first.
#[inline(always)]
pub(crate) fn pair_of(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

/// Returns an integer that sorts like the float.
#[inline]
pub(crate) fn in_order(float: f32) -> u32 {
    let bits = float.to_bits();
    let is_negative = bits >> 31;
    bits ^ (is_negative.wrapping_neg() | 1 << 31)
}

/// An order of places that does not depend on what is there: by x, then y.
#[inline(always)]
pub(crate) fn compare_places(a: Vec2, b: Vec2) -> Ordering {
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
}
