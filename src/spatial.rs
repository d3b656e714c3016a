//! Queries of shapes at places, without an ECS: what does this ray hit, what is under this point, what is nearest.
//!
//! [`ShapeIndex`] is for a server, a tool or a test that has its shapes in an array. In a game with the plugin, use [`SpatialQuery`](crate::query::SpatialQuery), which gets
//! all results from the same code.
//!
//! ```text
//! Targets     what a query may find: an index that is walked along a way, through an area, or outwards from a place
//!   casts     ask the kernel about all that is near the way; the best hit so far limits the walk
//!   near      the same around a place, and for all that is in an area and not deep inside of it
//! ```
//!
//! ```
//! use bevy::math::Vec2;
//! use bevy_nudge::{kernel::Shape, spatial::{Cast, ShapeIndex}};
//!
//! let (dot, wall) = (Shape::circle(10.0)?, Shape::rectangle(Vec2::new(5.0, 100.0))?);
//! let index = ShapeIndex::new([("dot", dot, Vec2::new(60.0, 0.0)), ("wall", wall, Vec2::new(200.0, 0.0))]);
//!
//! let laser = Cast::ray(Vec2::ZERO, Vec2::new(400.0, 0.0));
//! let hit = index.cast(&laser, |_| true).expect("straight at the dot");
//! assert_eq!((hit.key, hit.point, hit.normal), ("dot", Vec2::new(50.0, 0.0), Vec2::NEG_X));
//! let behind = index.cast(&laser, |key| key != "dot").expect("the wall is behind it");
//! assert_eq!((behind.key, behind.distance), ("wall", 195.0));
//!
//! let nearest = index.nearest(Vec2::new(150.0, 0.0), f32::INFINITY, |_| true).expect("there are two");
//! assert_eq!((nearest.key, nearest.distance, nearest.point), ("wall", 45.0, Vec2::new(195.0, 0.0)));
//! # Ok::<(), bevy_nudge::kernel::InvalidShape>(())
//! ```

mod area;
mod targets;
mod casts;
mod near;
mod index;

pub use casts::Cast;
pub use index::{ShapeCastHit, ShapeIndex, ShapeNearHit};
pub(crate) use {
    area::Area,
    casts::{CastFound, cast_all, cast_each, cast_first, cast_many},
    near::{
        approach, nearest, nearest_each, nearest_n, overlap_all, overlap_each, overlap_first,
        overlap_many,
    },
    targets::{Targets, WayOf},
};
