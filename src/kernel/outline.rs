//! What is solid: the inside of a shape, or the outside of a room, which keeps in what is inside.

use bevy::math::Vec2;

use super::{
    pair::{Contact, Touching, contact_or_rest, contact_within, length_and_direction, nearest},
    shape::Shape,
};

/// How `shape` pokes out of a room of half extents `half_size`, or `None` while it is strictly inside.
///
/// `offset` is the centre of the shape minus the centre of the room. In the answer `a` is the room: the normal points inwards, the
/// way the shape has to go, along both axes at once in a corner, and moving the shape by `normal * depth` is the
/// shortest way back in. Where it only touches, the normal is that of the nearer wall, x in a tie. A shape too large for the
/// room fits nowhere; on that axis the way leads to the middle, where it rests with depth 0.
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
    let extents = shape.half_extents();
    let room = (half_size - extents).max(Vec2::ZERO);
    let excess = offset.abs() - room;
    if excess.max_element() < -margin {
        return None;
    }

    let side = Vec2::new(1.0_f32.copysign(offset.x), 1.0_f32.copysign(offset.y));
    let out = excess.max(Vec2::ZERO);
    let (depth, direction) = length_and_direction(out);
    let nearer_wall = if excess.x >= excess.y {
        Vec2::X
    } else {
        Vec2::Y
    };
    let direction = if depth > 0.0 { direction } else { nearer_wall };

    // Between wall and edge on the axes that it pokes through, level with its centre on the others.
    let between = side * (half_size + offset.abs() + extents) * 0.5;
    let point = Vec2::select(direction.cmpgt(Vec2::ZERO), between, offset);
    Some(Contact {
        // Adding 0 keeps a -0.0 out of the report.
        normal: -side * direction + Vec2::ZERO,
        depth,
        point,
    })
}

/// What of a collider is solid: its inside, or, for a room, everything else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Outline {
    /// Solid inside.
    Shape(Shape),
    /// Solid outside of a box with these half extents.
    Bounds(Vec2),
}

impl Outline {
    /// How the two meet, as [`contact`](super::pair::contact) or, strictly, as [`overlaps`](super::pair::overlaps). Two rooms never do.
    #[inline]
    pub(crate) fn contact(self, other: Self, offset: Vec2, touching: Touching) -> Option<Contact> {
        match (self, other) {
            (Self::Shape(a), Self::Shape(b)) => {
                let found = touching.meets(a, b, offset);
                found.then(|| nearest(a, b, offset).0)
            }
            _ => self
                .contact_within(other, offset, 0.0)
                .filter(|contact| touching == Touching::Counts || contact.depth > 0.0),
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

    /// How the two meet if they are apart by at most `margin`. Two rooms never do.
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
