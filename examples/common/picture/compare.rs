//! Whether a picture shows what it should.
//!
//! Across the edge of a shape the colour changes, be it filled or outlined: so at some places around each shape the picture is walked from inside to outside, and where on that way the colour
//! changes is where the edge is seen. Places that something else covers, or that are not in the picture, are left out; a shape is found where it should be if, at most of the others, its edge is
//! within a pixel of there.

use std::fmt;

use bevy::prelude::*;
use bevy_nudge::kernel::Outline;

use super::expect::{Seen, Sight};

/// How far off an edge may be, in pixels of a window on a screen with large ones.
const TOLERANCE: f32 = 1.0;
/// How far to both sides of the edge it is looked for, and how far away everything else has to be, in pixels.
const REACH: f32 = 4.0;
const STEP: f32 = 0.5;
/// Of the colours' range, what is a change.
const CHANGE: f32 = 0.05;
/// Places around a shape.
const PLACES: usize = 24;
/// So many of them have to be seen: of fewer, a line that is drawn across may be half.
const ENOUGH: usize = 6;

/// What was found.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Shapes that are where they should be.
    found: usize,
    /// Shapes of which too little is to be seen.
    hidden: usize,
    /// Places that were looked at.
    places: usize,
    /// The farthest that a shape that was found is off, in pixels.
    worst: f32,
    /// What is not as it should be.
    wrong: Vec<String>,
    texts: usize,
}

impl Comparison {
    /// Whether all is where it should be, and there was something to find.
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

/// Looks for all of it.
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

/// Drawn twice, once by the scene and once as an outline.
fn is_same(a: &Seen, b: &Seen) -> bool {
    a.name == b.name && a.center.distance(b.center) < 0.5
}

/// From a place to the edge of a shape, in pixels; negative inside.
fn distance(seen: &Seen, at: Vec2) -> f32 {
    let (half, radius) = match seen.outline {
        Outline::Shape(shape) => (shape.half_size(), shape.radius()),
        Outline::Bounds(half_size) => (half_size, 0.0),
    };
    let q = (at - seen.center).abs() - half;
    q.max(Vec2::ZERO).length() + q.max_element().min(0.0) - radius
}

/// Places on the edge of a shape, each with the direction outwards, away from sharp corners.
fn edges(seen: &Seen) -> impl Iterator<Item = (Vec2, Vec2)> {
    (0..PLACES).filter_map(|number| {
        let turn = (number as f32 + 0.5) / PLACES as f32 * std::f32::consts::TAU;
        let way = Vec2::from_angle(turn);
        // Outwards until it is outside, then halving: a convex shape is left but once.
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
        // And the opposite side is too far away to be taken for this one.
        let is_thick = distance(seen, at - normal * (REACH + 1.0)) < -REACH;
        (is_smooth && is_thick).then(|| (at, normal.normalize_or(way)))
    })
}

/// How far from a place the colour changes, on the way across; infinite if it does not.
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
    // By squares, so that shading counts for little beside an edge.
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

/// Whether a way across an edge at this place is in the picture.
fn is_inside(image: &Image, at: Vec2) -> bool {
    let room = image.size_f32() - REACH;
    at.cmpgt(Vec2::splat(REACH)).all() && at.cmplt(room).all()
}

fn color(image: &Image, at: Vec2) -> Vec3 {
    let at = at.floor().as_uvec2();
    let color = image.get_color_at(at.x, at.y);
    // What is outside of the picture has no colour to tell from another one.
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
