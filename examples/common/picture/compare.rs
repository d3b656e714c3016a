//! Compares a picture with the shapes and texts that it should show.
//!
//! The color changes across the edge of a shape, whether it is filled or outlined. So at some places around each shape, the pixels are read from inside to outside, and the edge is seen where the color
//! changes. Places that something else covers, or that are not in the picture, are left out. A shape counts as found if its edge is within a pixel of where it should be at most of
//! the other places.
#![allow(clippy::disallowed_methods, reason = "only drawn")]

use std::fmt;

use bevy::prelude::*;
use bevy_nudge::kernel::Outline;

use super::expect::{Seen, Sight};

/// How far off an edge may be, in logical pixels of the window.
const TOLERANCE: f32 = 1.0;
/// How far the edge is searched for on both sides, and how far away everything else has to be, in pixels of the picture.
const REACH: f32 = 4.0;
const STEP: f32 = 0.5;
/// The least change of color that counts as an edge.
const CHANGE: f32 = 0.05;
/// The number of places around a shape.
const PLACES: usize = 24;
/// How many of them have to be visible: of fewer, half may be hidden by a line that is drawn across.
const ENOUGH: usize = 6;

/// The result of a comparison.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Shapes that are where they should be.
    found: usize,
    /// Shapes of which too few places are visible.
    hidden: usize,
    /// Places that were checked.
    places: usize,
    /// The largest offset of a shape that was found, in pixels.
    worst: f32,
    /// What is not as it should be.
    wrong: Vec<String>,
    texts: usize,
}

impl Comparison {
    /// Whether everything is where it should be, and there was something to find.
    pub fn is_as_expected(&self) -> bool {
        self.wrong.is_empty() && self.found + self.texts > 0
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} shapes where they should be, by {} places and at most {:.2} pixels off, {} hidden; {} texts; {} wrong",
            self.found,
            self.places,
            self.worst,
            self.hidden,
            self.texts,
            self.wrong.len()
        )?;
        self.wrong
            .iter()
            .try_for_each(|wrong| write!(f, "\n  {wrong}"))
    }
}

/// Compares a picture with all that it should show.
pub fn compare(image: &Image, sight: &Sight) -> Comparison {
    let mut result = Comparison::default();
    for (number, shape) in sight.shapes.iter().enumerate() {
        let is_clear = |at: Vec2| {
            let is_apart = |(other, seen): (usize, &Seen)| {
                other == number || is_same(seen, shape) || distance(seen, at).abs() > REACH + 2.0
            };
            let is_free = |(_, text): &(String, Rect)| !text.inflate(REACH).contains(at);
            let is_visible = |rect: &Rect| !rect.inflate(REACH).contains(at);
            is_inside(image, at)
                && sight.shapes.iter().enumerate().all(is_apart)
                && sight.texts.iter().all(is_free)
                && sight.covered.iter().all(is_visible)
        };
        let edges = edges(shape).filter(|(at, _)| is_clear(*at));
        let mut off: Vec<f32> = edges.map(|edge| offset(image, edge)).collect();
        if off.len() < ENOUGH {
            result.hidden += 1;
            continue;
        }
        off.sort_by(f32::total_cmp);
        let median = off[off.len() / 2];
        if median <= TOLERANCE * sight.scale {
            result.found += 1;
            result.places += off.len();
            result.worst = result.worst.max(median);
        } else if median.is_finite() {
            let Seen { name, center, .. } = shape;
            result
                .wrong
                .push(format!("{name}, at {center}, is off by {median:.2} pixels"));
        } else {
            let Seen { name, center, .. } = shape;
            result.wrong.push(format!("{name} is not seen at {center}"));
        }
    }
    let window = Rect::from_corners(Vec2::ZERO, image.size_f32());
    let is_covered = |rect: &Rect| {
        sight
            .covered
            .iter()
            .any(|cover| !cover.intersect(*rect).is_empty())
    };
    let is_outside = |rect: &Rect| window.intersect(*rect).is_empty();
    for (number, (text, rect)) in sight.texts.iter().enumerate() {
        if is_outside(rect) || is_covered(rect) {
            continue;
        }
        let others = sight.texts[..number].iter();
        let under = others.filter(|(_, other)| !other.intersect(*rect).is_empty());
        for (other, _) in under {
            result
                .wrong
                .push(format!("the text {text:?} is in the way of {other:?}"));
        }
        let is_within = window.union(*rect).size().abs_diff_eq(window.size(), 0.5);
        if !is_within {
            result.wrong.push(format!("the text {text:?} is cut off"));
        } else if !is_readable(image, *rect) {
            result
                .wrong
                .push(format!("the text {text:?} cannot be read"));
        } else {
            result.texts += 1;
        }
    }
    result
}

/// Whether two shapes are one that is drawn twice, by the scene and as an outline.
fn is_same(a: &Seen, b: &Seen) -> bool {
    a.name == b.name && a.center.distance(b.center) < 0.5
}

/// Returns the distance from a place to the edge of a shape, in pixels; negative inside.
fn distance(seen: &Seen, at: Vec2) -> f32 {
    let (half, radius) = match seen.outline {
        Outline::Shape(shape) => (shape.half_size(), shape.radius()),
        Outline::Bounds(half_size) => (half_size, 0.0),
    };
    let q = (at - seen.center).abs() - half;
    q.max(Vec2::ZERO).length() + q.max_element().min(0.0) - radius
}

/// Returns places on the edge of a shape, each with the direction outwards, away from sharp corners.
fn edges(seen: &Seen) -> impl Iterator<Item = (Vec2, Vec2)> {
    (0..PLACES).filter_map(|number| {
        let turn = (number as f32 + 0.5) / PLACES as f32 * std::f32::consts::TAU;
        let way = Vec2::from_angle(turn);
        // A bisection between inside and outside: a ray leaves a convex shape only once.
        let (mut inside, mut outside) = (0.0, 4096.0);
        for _ in 0..32 {
            let middle = (inside + outside) * 0.5;
            if distance(seen, seen.center + way * middle) < 0.0 {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        let at = seen.center + way * inside;
        let step = |by: Vec2| distance(seen, at + by) - distance(seen, at - by);
        let normal = Vec2::new(step(Vec2::X), step(Vec2::Y)) * 0.5;
        // Near a sharp corner the distance grows along both axes, or along none.
        let is_smooth = (normal.length() - 1.0).abs() < 0.1;
        // And the opposite side must be too far away to be mistaken for this one.
        let is_thick = distance(seen, at - normal * (REACH + 1.0)) < -REACH;
        (is_smooth && is_thick).then(|| (at, normal.normalize_or(way)))
    })
}

/// Returns how far from a place the color changes, on the line across the edge; infinite if it does not.
fn offset(image: &Image, (at, normal): (Vec2, Vec2)) -> f32 {
    let count = (2.0 * REACH / STEP) as i32;
    let colors: Vec<Vec3> = (0..=count)
        .map(|number| color(image, at + normal * (number as f32 * STEP - REACH)))
        .collect();
    let changes = colors.windows(2).enumerate().map(|(number, pair)| {
        let middle = (number as f32 + 0.5) * STEP - REACH;
        (middle, pair[0].distance(pair[1]))
    });
    let mut most = 0.0_f32;
    // Weighted by squares, so that shading counts for little beside an edge.
    let (moment, weight) = changes.fold((0.0, 0.0), |(moment, sum), (middle, change)| {
        most = most.max(change);
        (moment + middle * change * change, sum + change * change)
    });
    if most < CHANGE {
        f32::INFINITY
    } else {
        (moment / weight).abs()
    }
}

/// Whether the line across an edge at this place is within the picture.
fn is_inside(image: &Image, at: Vec2) -> bool {
    let room = image.size_f32() - REACH;
    at.cmpgt(Vec2::splat(REACH)).all() && at.cmplt(room).all()
}

fn color(image: &Image, at: Vec2) -> Vec3 {
    let at = at.floor().as_uvec2();
    let color = image.get_color_at(at.x, at.y);
    // Outside of the picture there is no color, so that all places there are alike.
    color.map_or(Vec3::ZERO, |color| color.to_srgba().to_vec3())
}

/// Whether a text differs enough from what is behind it.
fn is_readable(image: &Image, rect: Rect) -> bool {
    let IRect { min, max } = rect.as_irect();
    let pixels = (min.y..max.y).flat_map(|y| (min.x..max.x).map(move |x| IVec2::new(x, y)));
    let lights = pixels.map(|at| color(image, at.as_vec2()).element_sum() / 3.0);
    let (low, high) = lights.fold((1.0, 0.0), |(low, high): (f32, f32), light| {
        (low.min(light), high.max(light))
    });
    high - low > 0.25
}
