//! Draws shapes as lines. Lines outside of the view are not drawn.

use bevy::{
    color::Color,
    gizmos::{
        config::GizmoConfigGroup,
        gizmos::{GizmoBuffer, Gizmos},
    },
    math::{Rot2, Vec2},
};

use super::{layers::CollisionGizmos, view::View};
use crate::kernel::{Outline, Shape};

/// How far the segments of a circle may be from a true circle, in pixels.
const ERROR: f32 = 0.2;
const FEWEST: usize = 8;
const MOST: usize = 256;

/// Unit vectors around the circle, for several numbers of segments: each power of two from `FEWEST` to `MOST`.
pub(crate) struct Circles(Vec<Vec<Vec2>>);

impl Default for Circles {
    fn default() -> Self {
        let counts = std::iter::successors(Some(FEWEST), |count| Some(count * 2));
        let circle = |count: usize| {
            // Each quarter starts from its own axis, so that the four are alike, and the axes exact.
            #[expect(clippy::disallowed_methods, reason = "only drawn")]
            let step = Rot2::turn_fraction((count as f32).recip());
            let quarter = std::iter::successors(Some(Vec2::X), |&way| Some(step * way));
            let quarter: Vec<Vec2> = quarter.take(count / 4).collect();
            let axes = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y];
            let around = axes.into_iter().flat_map(|axis| {
                let quarter = quarter.iter();
                quarter
                    .map(move |way| axis.rotate(*way))
                    .collect::<Vec<_>>()
            });
            around.collect()
        };
        Self(
            counts
                .take_while(|&count| count <= MOST)
                .map(circle)
                .collect(),
        )
    }
}

impl Circles {
    /// Returns a unit circle that looks round when it is drawn with a radius of so many pixels.
    fn with_radius(&self, pixels: f32) -> &[Vec2] {
        // A segment of angle `t` lies `r * (1 - cos(t / 2))`, about `r * t * t / 8`, inside of its arc.
        let count = std::f32::consts::TAU * (pixels / (8.0 * ERROR)).sqrt();
        let good = self.0.iter().find(|circle| circle.len() as f32 >= count);
        good.or(self.0.last()).map_or(&[], Vec::as_slice)
    }
}

/// Draws lines in the part of the world that is visible.
pub(crate) struct Pen<'a, 'w, 's, G: GizmoConfigGroup = CollisionGizmos> {
    pub(crate) gizmos: &'a mut Gizmos<'w, 's, G>,
    pub(crate) circles: &'a Circles,
    pub(crate) view: View,
}

impl<G: GizmoConfigGroup> Pen<'_, '_, '_, G> {
    fn buffer(&mut self) -> &mut GizmoBuffer<G, ()> {
        self.gizmos
    }

    /// Converts a length in pixels to world units.
    pub(crate) fn pixels(&self, count: f32) -> f32 {
        count * self.view.pixel
    }

    pub(crate) fn line(&mut self, from: Vec2, to: Vec2, color: Color) {
        let (middle, reach) = ((from + to) * 0.5, (to - from).abs() * 0.5);
        if self.view.sees(middle, reach) {
            self.buffer().line_2d(from, to, color);
        }
    }

    /// Draws an arrow with a head of so many pixels.
    pub(crate) fn arrow(&mut self, from: Vec2, to: Vec2, head: f32, color: Color) {
        self.line(from, to, color);
        let back = (from - to).normalize_or_zero() * self.pixels(head);
        for side in [back.perp() * 0.5, -back.perp() * 0.5] {
            self.line(to, to + back + side, color);
        }
    }

    /// Draws a diagonal cross, so many pixels wide and high.
    pub(crate) fn cross(&mut self, at: Vec2, size: f32, color: Color) {
        let half = self.pixels(size) * 0.5;
        self.line(at - Vec2::splat(half), at + Vec2::splat(half), color);
        self.line(
            at + Vec2::new(-half, half),
            at + Vec2::new(half, -half),
            color,
        );
    }

    pub(crate) fn rectangle(&mut self, center: Vec2, half: Vec2, color: Color) {
        if self.view.sees(center, half) {
            let corners = corners().map(|side| center + side * half);
            self.buffer().linestrip_2d(closed(&corners), color);
        }
    }

    pub(crate) fn circle(&mut self, center: Vec2, radius: f32, color: Color) {
        if self.view.sees(center, Vec2::splat(radius)) {
            let circle = self.circles.with_radius(radius / self.view.pixel);
            let points = circle.iter().chain(circle.first());
            let points = points.map(|way| center + *way * radius);
            self.gizmos.linestrip_2d(points, color);
        }
    }

    /// Draws a circle, box, rounded box, capsule, segment or point, or the walls of a room.
    pub(crate) fn outline(&mut self, outline: Outline, center: Vec2, color: Color) {
        match outline {
            Outline::Shape(shape) => self.shape(shape, center, color),
            Outline::Bounds(half) => self.rectangle(center, half, color),
        }
    }

    pub(crate) fn shape(&mut self, shape: Shape, center: Vec2, color: Color) {
        let (half, radius) = (shape.half_size(), shape.radius());
        if shape.half_extents() == Vec2::ZERO {
            return self.cross(center, 6.0, color);
        }
        if radius == 0.0 {
            return self.rectangle(center, half, color);
        }
        if half == Vec2::ZERO {
            return self.circle(center, radius, color);
        }
        if !self.view.sees(center, shape.half_extents()) {
            return;
        }
        let circle = self.circles.with_radius(radius / self.view.pixel);
        // A quarter of the circle around each corner of the inner box, both ends included.
        let quarter = circle.len() / 4;
        let arcs = corners()
            .into_iter()
            .enumerate()
            .flat_map(|(number, side)| {
                let corner = center + side * half;
                let from = number * quarter;
                let arc = (from..=from + quarter).map(|at| circle[at % circle.len()]);
                arc.map(move |way| corner + way * radius)
            });
        let first = center + half + Vec2::X * radius;
        self.gizmos
            .linestrip_2d(arcs.chain(std::iter::once(first)), color);
    }
}

/// Signs of the corners of a box, counter-clockwise from the upper right one.
fn corners() -> [Vec2; 4] {
    [
        Vec2::new(1.0, 1.0),
        Vec2::new(-1.0, 1.0),
        Vec2::new(-1.0, -1.0),
        Vec2::new(1.0, -1.0),
    ]
}

fn closed(corners: &[Vec2; 4]) -> impl Iterator<Item = Vec2> {
    let [first, ..] = *corners;
    corners.iter().copied().chain(std::iter::once(first))
}
