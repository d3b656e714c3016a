//! The one formula for all shapes, usable by itself: no ECS, no allocation, no state.
//!
//! Every collider is a [`Shape`]: a box with half extents `h`, blown up by a radius `r` on all sides. A circle is
//! `h = 0`, a box is `r = 0`, a capsule has one of its half extents 0, and a point has nothing at all. The gap between two of them is
//! the gap between *one* such shape, of size `h_a + h_b` and `r_a + r_b`, and a point: so circle against circle, circle
//! against box and box against box are one piece of code, exact for all of them.
//!
//! | question | function |
//! |---|---|
//! | do they meet, edges included? strictly? | [`touches`], [`overlaps`] (no square root) |
//! | how far apart, or how deep? | [`separation`], [`distance`] |
//! | which way out, how far, where? | [`contact`], [`contact_within`] |
//! | where would this ray, or this moving shape, hit? | [`cast_ray`], [`cast_shape`] |
//! | where on the shape is the nearest point? is this point in it? | [`closest_point`], [`contains_point`] |
//! | is it still inside its room? where would it meet the walls? | [`contact_with_bounds`], [`cast_in_bounds`] |
//!
//! All of it works on the *offset* between the two centers, so that what happens far from the origin is what happens at
//! the origin. Coordinates are `f32`; sizes, and the distances between centers, up to [`MAX_COORDINATE`] keep every
//! intermediate result finite. Gaps below about 1e-19 units lose bits when they are squared; those below about 3e-23 vanish
//! then, and count as touching. No function here panics in a release build or returns NaN for a valid [`Shape`] and a finite
//! offset of at most 4 times [`MAX_COORDINATE`].
//!
//! ```
//! use bevy::math::Vec2;
//! use bevy_nudge::kernel::{Shape, contact, overlaps, touches};
//!
//! let dot = Shape::circle(10.0)?;
//! assert!(touches(dot, dot, Vec2::new(20.0, 0.0)) && !overlaps(dot, dot, Vec2::new(20.0, 0.0)));
//!
//! let hit = contact(dot, dot, Vec2::new(19.0, 0.0)).expect("19 is less than 10 + 10");
//! assert_eq!((hit.normal, hit.depth), (Vec2::X, 1.0));
//! # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
//! ```

mod shape;
mod pair;
mod fours;
mod cast;
mod outline;
mod convert;

pub use cast::{Impact, cast_ray, cast_shape};
pub use convert::NotThisShape;
pub use outline::{Outline, cast_in_bounds, contact_with_bounds};
pub use pair::{
    Contact, Touching, closest_point, contact, contact_within, contains_point, distance, overlaps,
    separation, touches,
};
pub use shape::{InvalidShape, MAX_COORDINATE, Shape};
pub(crate) use {
    cast::{Entry, Motion},
    fours::{FourContacts, FourShapes},
    outline::{
        Approach, cast_through_bounds, normal_in_corner, room_for, room_within, wall_ahead,
        within_walls,
    },
    pair::{contact_or_rest, gap_to_point, pick},
    shape::is_in_world,
};
