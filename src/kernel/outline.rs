//! What is solid: the inside of a shape, or the outside of a room, which keeps things inside.

use std::f32::consts::FRAC_1_SQRT_2;

use bevy::math::Vec2;

use super::{
    cast::{Entry, Impact, Motion},
    pair::{
        Contact, Touching, contact_or_rest, contact_within, distance, length_and_direction, nearest,
    },
    shape::Shape,
};

/// How far the center of a shape may be from the center of a room of half extents `half_size`, along each axis; less than 0 if the shape is too large for it.
#[inline]
pub(crate) fn room_for(half_size: Vec2, shape: Shape) -> Vec2 {
    half_size - shape.half_extents()
}

/// The same, but 0 if the shape is too large: then it is best placed in the middle.
#[inline]
pub(crate) fn room_within(half_size: Vec2, shape: Shape) -> Vec2 {
    room_for(half_size, shape).max(Vec2::ZERO)
}

/// Whether a shape fits into a room of half extents `half_size`. One that does not is best placed in the center, where it has a depth of 0 although it is in the walls on both sides.
fn fits(half_size: Vec2, shape: Shape) -> bool {
    shape.half_extents().cmple(half_size).all()
}

/// Returns how far a shape at `offset` pokes out of a room along each axis, less than 0 while it does not, and on which side, 1 or -1. A shape too large for the room has to go to the center.
#[inline(always)]
fn excess(half_size: Vec2, shape: Shape, offset: Vec2) -> (Vec2, Vec2) {
    let room = room_within(half_size, shape);
    (offset.abs() - room, Vec2::ONE.copysign(offset))
}

/// How `shape` pokes out of a room of half extents `half_size`, or `None` while it is strictly inside.
///
/// `offset` is the center of the shape minus the center of the room. In the result `a` is the room: the normal points inwards, the
/// way the shape has to move, along both axes at once in a corner, and moving the shape by `normal * depth` is the
/// shortest way back in. Where it only touches, the normal is that of the nearer wall, x in a tie. A shape too large for the
/// room fits nowhere; on that axis the way leads to the center, where it rests with depth 0.
///
/// The two must be finite, and `half_size` must be `>= 0` (asserted in debug builds). At most one square root.
///
/// ```
/// # use bevy_nudge::kernel::{Shape, contact_with_bounds}; use bevy::math::Vec2;
/// let (screen, dot) = (Vec2::new(320.0, 240.0), Shape::circle(10.0)?);
/// assert_eq!(contact_with_bounds(screen, dot, Vec2::new(300.0, 0.0)), None);
/// let hit = contact_with_bounds(screen, dot, Vec2::new(313.0, 0.0)).expect("3 too far to the right");
/// assert_eq!((hit.normal, hit.depth), (Vec2::NEG_X, 3.0));
/// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
/// ```
pub fn contact_with_bounds(half_size: Vec2, shape: Shape, offset: Vec2) -> Option<Contact> {
    bounds_contact_within(half_size, shape, offset, 0.0)
}

/// [`contact_with_bounds`] for shapes that are up to `margin` away from a wall.
fn bounds_contact_within(
    half_size: Vec2,
    shape: Shape,
    offset: Vec2,
    margin: f32,
) -> Option<Contact> {
    debug_assert!(
        offset.is_finite() && half_size.is_finite() && half_size.min_element() >= 0.0,
        "a room needs a finite offset and half size, got {offset} and {half_size}"
    );
    let (excess, side) = excess(half_size, shape, offset);
    if excess.max_element() < -margin {
        return None;
    }

    let out = excess.max(Vec2::ZERO);
    let (depth, direction) = length_and_direction(out);
    let nearer_wall = if excess.x >= excess.y {
        Vec2::X
    } else {
        Vec2::Y
    };
    let direction = if depth > 0.0 { direction } else { nearer_wall };

    // Between wall and edge on the axes on which the shape pokes out, level with its center on the others.
    let between = side * (half_size + offset.abs() + shape.half_extents()) * 0.5;
    let point = Vec2::select(direction.cmpgt(Vec2::ZERO), between, offset);
    Some(Contact {
        // Adding 0 turns -0.0 into 0.0.
        normal: -side * direction + Vec2::ZERO,
        depth,
        point,
    })
}

/// How far a shape at `offset` may poke out of a room by rounding alone, including that of both places.
fn wall_slack(half_size: Vec2, offset: Vec2, rounding: Vec2) -> Vec2 {
    ((half_size + offset.abs()) * (4.0 * f32::EPSILON)).max(rounding)
}

/// Returns the offset of a shape that pokes out of a room by no more than rounding, including that of both places, as if it only touched the wall; along each axis. Others keep their offset.
pub(crate) fn within_walls(half_size: Vec2, shape: Shape, offset: Vec2, rounding: Vec2) -> Vec2 {
    let (excess, side) = excess(half_size, shape, offset);
    let is_rounding = excess.cmple(wall_slack(half_size, offset, rounding));
    let at_wall = side * offset.abs().min(room_within(half_size, shape));
    Vec2::select(is_rounding, at_wall, offset)
}

/// Returns the inward normal of a corner of a room, between both walls, for a shape that touches both and pokes out by no more than rounding, including that of both places. A contact has the normal of only one of these walls, because the push out of it moves the shape along the other.
pub(crate) fn normal_in_corner(
    half_size: Vec2,
    shape: Shape,
    offset: Vec2,
    rounding: Vec2,
) -> Option<Vec2> {
    let (excess, side) = excess(half_size, shape, offset);
    let slack = wall_slack(half_size, offset, rounding);
    let is_in_it = excess.abs().cmple(slack).all();
    is_in_it.then_some(-side * FRAC_1_SQRT_2)
}

/// Returns where `moving`, moving by `motion`, meets the walls of a room of half extents `half_size` from inside; `None` where it does not.
///
/// `offset` is the center of `moving` minus the center of the room. A shape that pokes out of the room at the start has started inside of what is solid: it is hit at once, with the
/// shortest way back in as the normal. The rules are those of [`cast_ray`](super::cast_ray): a motion along a wall that it touches is a miss, one that ends at a wall hits it. If two
/// walls are met at once, in a corner, the normal is that of the x axis.
///
/// ```
/// # use bevy_nudge::kernel::{Shape, cast_in_bounds}; use bevy::math::Vec2;
/// let (screen, dot) = (Vec2::new(320.0, 240.0), Shape::circle(10.0)?);
/// let hit = cast_in_bounds(screen, dot, Vec2::new(300.0, 0.0), Vec2::new(40.0, 0.0)).expect("10 to the wall");
/// assert_eq!((hit.fraction, hit.normal), (0.25, Vec2::NEG_X));
/// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
/// ```
pub fn cast_in_bounds(
    half_size: Vec2,
    moving: Shape,
    offset: Vec2,
    motion: Vec2,
) -> Option<Impact> {
    let outside = contact_with_bounds(half_size, moving, offset);
    let is_inside = |contact: &Contact| contact.depth > 0.0 || !fits(half_size, moving);
    if let Some(contact) = outside.filter(is_inside) {
        return Some(Impact {
            fraction: 0.0,
            normal: contact.normal,
            started_inside: true,
        });
    }
    let wall = wall_ahead(room_for(half_size, moving), offset, motion)?;
    Some(wall.impact())
}

/// The wall by which `moving` leaves the room, if it starts outside and comes in: for casts that pass by what they start inside of.
pub(crate) fn cast_through_bounds(
    half_size: Vec2,
    moving: Shape,
    offset: Vec2,
    motion: Vec2,
) -> Option<Impact> {
    let room = room_for(half_size, moving);
    let wall = wall_ahead(room, offset, motion)?;
    let excess = (offset.abs() - room).max(Vec2::ZERO);
    // Adding 0 turns -0.0 into 0.0.
    let inwards = (-motion * offset.signum()).max(Vec2::ZERO) + Vec2::ZERO;
    // Infinity on an axis on which it is outside and does not come nearer; 0, or NaN, which `max` leaves out, on one on which it is inside.
    let enters = excess / inwards;
    (enters.x.max(enters.y) < wall.fraction).then(|| wall.impact())
}

/// The wall by which a shape leaves a room.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WallAhead {
    /// How much of the motion lies before it; less than 0 if the shape is beyond it already.
    pub(crate) fraction: f32,
    /// How far it is to there along the normal, in world units.
    pub(crate) gap: f32,
    /// Inwards.
    pub(crate) normal: Vec2,
}

impl WallAhead {
    fn impact(self) -> Impact {
        Impact {
            fraction: self.fraction.max(0.0),
            normal: self.normal,
            started_inside: false,
        }
    }
}

/// The first wall that a motion leads to, or has gone through already, for a shape at `offset` from the center with so much [room](room_for); that of the x axis if two are met at once.
#[inline]
pub(crate) fn wall_ahead(room: Vec2, offset: Vec2, motion: Vec2) -> Option<WallAhead> {
    let along = |axis: Vec2| {
        let way = motion.dot(axis);
        let gap = room.dot(axis) - offset.dot(axis) * way.signum();
        let fraction = gap / way.abs();
        // Without any motion, the fraction is infinite or NaN.
        (way != 0.0 && fraction <= 1.0).then_some(WallAhead {
            fraction,
            gap,
            normal: axis * -way.signum() + Vec2::ZERO,
        })
    };
    match (along(Vec2::X), along(Vec2::Y)) {
        (Some(x), Some(y)) if y.fraction < x.fraction => Some(y),
        (x, y) => x.or(y),
    }
}

/// How far a point is from what is solid, and where the nearest solid point is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Approach {
    /// 0 inside.
    pub(crate) distance: f32,
    /// Relative to the center of the outline; the point itself if that is inside.
    pub(crate) point: Vec2,
    /// Points out of the outline, towards the point; inside, along the shortest way out.
    pub(crate) normal: Vec2,
    pub(crate) is_inside: bool,
}

fn approach_to_walls(room: Vec2, offset: Vec2) -> Approach {
    let gap = room - offset.abs();
    let axis = if gap.x <= gap.y { Vec2::X } else { Vec2::Y };
    let side = axis * 1.0_f32.copysign(offset.dot(axis));
    if gap.min_element() > 0.0 {
        return Approach {
            distance: gap.min_element(),
            point: Vec2::select(axis.cmpgt(Vec2::ZERO), side * room, offset),
            normal: -side + Vec2::ZERO,
            is_inside: false,
        };
    }
    let back = contact_with_bounds(room, Shape::POINT, offset);
    Approach {
        distance: 0.0,
        point: offset,
        normal: back.map_or(-side, |contact| contact.normal) + Vec2::ZERO,
        is_inside: true,
    }
}

/// The solid part of a collider: its inside, or, for a room, everything else.
///
/// ```
/// # use bevy_nudge::kernel::{Outline, Shape}; use bevy::math::Vec2;
/// assert_eq!(Outline::Shape(Shape::circle(3.0)?).half_extents(), Vec2::splat(3.0));
/// assert_eq!(Outline::Bounds(Vec2::new(160.0, 90.0)).half_extents(), Vec2::new(160.0, 90.0));
/// # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outline {
    /// Solid inside.
    Shape(Shape),
    /// Solid outside of a box with these half extents, in world units.
    Bounds(Vec2),
}

impl Outline {
    /// Returns how far it reaches from its center along each axis, in world units; for a room, the extents of its inside.
    #[inline]
    pub fn half_extents(self) -> Vec2 {
        match self {
            Self::Shape(shape) => shape.half_extents(),
            Self::Bounds(half_size) => half_size,
        }
    }

    /// Returns the shape, if the inside is solid.
    #[inline]
    pub(crate) fn shape(self) -> Option<Shape> {
        match self {
            Self::Shape(shape) => Some(shape),
            Self::Bounds(_) => None,
        }
    }

    /// Returns how two outlines meet, as [`contact`](super::pair::contact) or, strictly, as [`overlaps`](super::pair::overlaps). Two rooms never do.
    #[inline]
    pub(crate) fn contact(self, other: Self, offset: Vec2, touching: Touching) -> Option<Contact> {
        match (self, other) {
            (Self::Shape(a), Self::Shape(b)) => {
                let found = touching.meets(a, b, offset);
                found.then(|| nearest(a, b, offset).0)
            }
            _ => self.contact_within(other, offset, 0.0).filter(|contact| {
                touching == Touching::Counts || contact.depth > 0.0 || !self.has_room_for(other)
            }),
        }
    }

    /// Whether the shape [`fits`] into the room, if one of the two is a room.
    pub(crate) fn has_room_for(self, other: Self) -> bool {
        match (self, other) {
            (Self::Bounds(room), Self::Shape(shape)) | (Self::Shape(shape), Self::Bounds(room)) => {
                fits(room, shape)
            }
            _ => true,
        }
    }

    /// [`contact_or_rest`] for outlines.
    pub(crate) fn contact_or_rest(
        self,
        other: Self,
        offset: Vec2,
        touching: Touching,
        margin: f32,
    ) -> Option<(Contact, bool)> {
        if let (Self::Shape(a), Self::Shape(b)) = (self, other) {
            return contact_or_rest(a, b, offset, touching, margin);
        }
        let near = self.contact_within(other, offset, margin)?;
        let meets = self.contact(other, offset, touching).is_some();
        (meets || margin > 0.0).then_some((near, meets))
    }

    /// Whether a shape at this offset meets the outline.
    #[inline]
    pub(crate) fn meets(self, shape: Shape, offset: Vec2, touching: Touching) -> bool {
        match self {
            Self::Shape(own) => touching.meets(own, shape, offset),
            Self::Bounds(_) => self.contact(Self::Shape(shape), offset, touching).is_some(),
        }
    }

    /// Returns where a shape at this offset that moves by `motion` meets the outline.
    #[inline(always)]
    pub(crate) fn cast(self, moving: Shape, offset: Vec2, motion: &Motion) -> Option<Entry> {
        match self {
            Self::Shape(own) => motion.enter(moving.sum(own), offset),
            Self::Bounds(room) => {
                cast_in_bounds(room, moving, offset, motion.way()).map(Entry::from)
            }
        }
    }

    /// Returns the distance of a point at this offset, 0 inside.
    #[inline]
    pub(crate) fn distance_to(self, offset: Vec2) -> f32 {
        match self {
            Self::Shape(own) => distance(own, Shape::POINT, offset),
            Self::Bounds(room) => (room - offset.abs()).min_element().max(0.0),
        }
    }

    /// Returns how a point at this offset lies relative to the outline.
    #[inline]
    pub(crate) fn approach(self, offset: Vec2) -> Approach {
        match self {
            Self::Shape(own) => {
                let core = own.core_point(offset);
                let out = offset - core;
                let (far, direction) = length_and_direction(out);
                if far <= own.radius() {
                    return Approach {
                        distance: 0.0,
                        point: offset,
                        normal: nearest(own, Shape::POINT, offset).0.normal + Vec2::ZERO,
                        is_inside: true,
                    };
                }
                // Exactly the numbers of `distance` and `closest_point`, with one square root.
                Approach {
                    distance: far - own.radius(),
                    point: core + out * (own.radius() / far),
                    normal: direction + Vec2::ZERO,
                    is_inside: false,
                }
            }
            Self::Bounds(room) => approach_to_walls(room, offset),
        }
    }

    /// Returns the gap between the two, 0 where they meet. `None` between two rooms.
    pub(crate) fn distance(self, other: Self, offset: Vec2) -> Option<f32> {
        match (self, other) {
            (Self::Shape(a), Self::Shape(b)) => Some(distance(a, b, offset)),
            (Self::Bounds(room), Self::Shape(shape)) | (Self::Shape(shape), Self::Bounds(room)) => {
                let gap = room_for(room, shape) - offset.abs();
                Some(gap.min_element().max(0.0))
            }
            (Self::Bounds(_), Self::Bounds(_)) => None,
        }
    }

    /// Returns where a shape at this offset touches the outline: halfway between both surfaces, relative to the center of the outline. For a room, on the wall with this normal, or on the nearest one without a normal.
    #[inline(never)]
    pub(crate) fn touching_point(self, shape: Shape, offset: Vec2, wall: Option<Vec2>) -> Vec2 {
        match (self, wall) {
            (Self::Shape(own), _) => nearest(own, shape, offset).0.point,
            (Self::Bounds(room), Some(normal)) => {
                let (wall, surface) = (-normal * room, offset - normal * shape.half_extents());
                let is_across = normal.abs().cmpgt(Vec2::ZERO);
                Vec2::select(is_across, wall.midpoint(surface), offset)
            }
            (Self::Bounds(room), None) => {
                // With this reach, the nearest wall is found at any distance.
                let all = room.max_element()
                    + offset.abs().max_element()
                    + shape.half_extents().max_element();
                bounds_contact_within(room, shape, offset, all)
                    .map_or(offset, |contact| contact.point)
            }
        }
    }

    /// Returns how the two meet if the gap between them is at most `margin`. Two rooms never do.
    #[inline]
    pub(crate) fn contact_within(self, other: Self, offset: Vec2, margin: f32) -> Option<Contact> {
        match (self, other) {
            (Self::Shape(a), Self::Shape(b)) => contact_within(a, b, offset, margin),
            (Self::Bounds(room), Self::Shape(shape)) => {
                bounds_contact_within(room, shape, offset, margin)
            }
            (Self::Shape(shape), Self::Bounds(room)) => {
                bounds_contact_within(room, shape, -offset, margin)
                    .map(|contact| contact.flipped(-offset))
            }
            (Self::Bounds(_), Self::Bounds(_)) => None,
        }
    }
}
