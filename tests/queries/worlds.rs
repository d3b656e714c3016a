//! Random worlds of every kind that may be hard for an index, and questions about them.

use std::cmp::Ordering;

use bevy::math::Vec2;
use bevy_nudge::{
    kernel::{Impact, Outline, Shape},
    spatial::Cast,
};
use fastrand::Rng;

use crate::shapes::{circle, rectangle, rounded};

/// A key, a shape, and its center.
pub type Placed = (u32, Shape, Vec2);

/// What is hard about a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Similar sizes, which cover a quarter of the area.
    Even,
    /// Sizes from 0.5 to 500, with each magnitude equally likely.
    Uneven,
    /// Whole numbers: everything touches something, and many shapes are equally far away.
    Grid,
    /// Half of the shapes in a hundredth of the area, and a few that are a hundred times as large.
    Clumped,
    /// Far more space than shapes.
    Sparse,
    /// 100,000 away from the origin.
    FarOut,
    /// In a row along one axis, or all in one spot.
    Lines,
    /// Points and segments.
    Flat,
}

pub const KINDS: [Kind; 8] = [
    Kind::Even,
    Kind::Uneven,
    Kind::Grid,
    Kind::Clumped,
    Kind::Sparse,
    Kind::FarOut,
    Kind::Lines,
    Kind::Flat,
];

/// Shapes, and where they are.
pub struct World {
    pub shapes: Vec<Placed>,
    pub middle: Vec2,
    pub half_side: f32,
    /// The size of most shapes.
    pub size: f32,
    pub is_whole: bool,
}

pub fn between(random: &mut Rng, low: f32, high: f32) -> f32 {
    low + (high - low) * random.f32()
}

fn place(random: &mut Rng, half: f32) -> Vec2 {
    Vec2::new(between(random, -half, half), between(random, -half, half))
}

pub fn world(kind: Kind, count: usize, random: &mut Rng) -> World {
    let side = (count as f32).sqrt();
    let (half_side, middle) = match kind {
        Kind::Sparse => (side * 3000.0, Vec2::ZERO),
        Kind::Uneven => (side * 60.0, Vec2::new(40.0, -700.0)),
        Kind::FarOut => (side * 8.0, Vec2::new(1.0e5, -1.0e5)),
        Kind::Grid => (side * 4.0, Vec2::ZERO),
        _ => (side * 8.0, Vec2::new(-300.0, 200.0)),
    };
    let shapes = (0..count as u32)
        .map(|number| {
            let size = match kind {
                Kind::Uneven => 0.25 * (1 << random.u32(0..10)) as f32 * (1.0 + random.f32()),
                Kind::Clumped if random.u32(0..200) == 0 => between(random, 100.0, 800.0),
                Kind::Grid => random.u32(0..6) as f32,
                _ => between(random, 2.0, 6.0),
            };
            let other = match kind {
                Kind::Grid => random.u32(0..6) as f32,
                _ => size * between(random, 0.3, 1.7),
            };
            let shape = match (kind, random.u32(0..4)) {
                (Kind::Flat, 0) => Shape::POINT,
                (Kind::Flat, 1) => rectangle(size, 0.0),
                (Kind::Flat, _) => rectangle(0.0, other),
                (_, 0 | 1) => circle(size),
                (_, 2) => rectangle(size, other),
                _ => rounded(size, other, size.min(other) * random.f32()),
            };
            let center = match kind {
                Kind::Grid => {
                    let far = half_side as i32;
                    let part = |random: &mut Rng| random.i32(-far..=far) as f32;
                    Vec2::new(part(random), part(random))
                }
                Kind::Clumped if random.bool() => place(random, half_side * 0.1),
                Kind::Lines => match number % 3 {
                    0 => Vec2::new(between(random, -half_side, half_side), 0.0),
                    1 => Vec2::new(7.0, between(random, -half_side, half_side)),
                    _ => Vec2::new(20.0, 20.0),
                },
                _ => place(random, half_side),
            };
            (number, shape, middle + center)
        })
        .collect();
    World {
        shapes,
        middle,
        half_side,
        size: if kind == Kind::Uneven { 50.0 } else { 5.0 },
        is_whole: kind == Kind::Grid,
    }
}

impl World {
    /// Returns a place in the world, sometimes outside of it, sometimes at the center of a shape.
    pub fn place(&self, random: &mut Rng) -> Vec2 {
        let place = match random.u32(0..10) {
            0 => place(random, self.half_side * 3.0),
            1 => {
                let somebody = random.usize(0..self.shapes.len());
                self.shapes[somebody].2 - self.middle
            }
            _ => place(random, self.half_side),
        };
        let place = self.middle + place;
        if self.is_whole { place.round() } else { place }
    }

    /// Returns a ray or a moving shape: short, long, across the whole world, along an axis, or of no length.
    pub fn cast(&self, random: &mut Rng) -> Cast {
        let origin = self.place(random);
        let reach = match random.u32(0..6) {
            0 => 0.0,
            1 | 2 => self.size * 4.0,
            3 | 4 => self.size * 40.0,
            _ => self.half_side * 3.0,
        };
        let mut motion = match random.u32(0..6) {
            0 => Vec2::new(between(random, -reach, reach), 0.0),
            1 => Vec2::new(0.0, between(random, -reach, reach)),
            2 => self.place(random) - origin,
            _ => place(random, reach),
        };
        if self.is_whole {
            motion = motion.round();
        }
        let shape = match random.u32(0..6) {
            0 => circle(self.size * random.f32() * 3.0),
            1 => rectangle(self.size * random.f32(), self.size * random.f32() * 4.0),
            2 if self.is_whole => rectangle(1.0, 2.0),
            _ => Shape::POINT,
        };
        let mut cast = Cast::shape(shape, origin, motion);
        cast.hit_from_inside = random.bool();
        cast
    }

    /// Returns an area: a point, small, or large.
    pub fn area(&self, random: &mut Rng) -> (Shape, Vec2) {
        let center = self.place(random);
        let size = match random.u32(0..5) {
            0 | 1 => return (Shape::POINT, center),
            2 => self.size,
            3 => self.size * 5.0,
            _ => self.half_side * 0.3,
        };
        let size = if self.is_whole { size.round() } else { size };
        let shape = match random.u32(0..3) {
            0 => rectangle(size, size * 0.5),
            1 => rounded(size, size, size * 0.25),
            _ => circle(size),
        };
        (shape, center)
    }
}

/// The order of two outlines in one place: shapes before rooms, then by radius, width and height.
pub fn compare_outlines(a: Outline, b: Outline) -> Ordering {
    let numbers = |outline| match outline {
        Outline::Shape(shape) => (0.0_f32, shape.radius(), shape.half_size()),
        Outline::Bounds(room) => (1.0, 0.0, room),
    };
    let (a, b) = (numbers(a), numbers(b));
    (a.0.total_cmp(&b.0))
        .then(a.1.total_cmp(&b.1))
        .then(a.2.x.total_cmp(&b.2.x))
        .then(a.2.y.total_cmp(&b.2.y))
}

/// Whether a cast, at the time of this hit, meets both sides of a sharp corner of the shape at once, computed in `f64`.
pub fn is_on_a_corner(cast: &Cast, (shape, center): (Shape, Vec2), hit: &Impact) -> bool {
    let sum = shape.sum(cast.shape);
    if hit.started_inside || sum.radius() > 0.0 {
        return false;
    }
    let half = sum.half_size().as_dvec2();
    let (from, motion) = (
        cast.origin.as_dvec2() - center.as_dvec2(),
        cast.motion.as_dvec2(),
    );
    // Along one axis the shape may have been entered long before the other.
    let entered = (-half * motion.signum() - from) / motion;
    let between = (entered.x - entered.y).abs() * motion.abs().min_element();
    let largest = (cast.origin + cast.motion)
        .abs()
        .max(center.abs())
        .max_element();
    between <= f64::from(largest) * f64::from(4.0 * f32::EPSILON)
}
