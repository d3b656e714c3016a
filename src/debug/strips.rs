//! The strips of the broad phase.

use bevy::{color::Color, math::Vec2};

use super::pen::Pen;
use crate::broad_phase::Strips;

/// Strips lower than so many pixels are not drawn.
const LOWEST: f32 = 3.0;

/// Draws the lines between the strips that are in use and visible.
pub(super) fn draw_strips(pen: &mut Pen, strips: &Strips, color: Color) {
    let area = pen.view.area();
    if !(area.min.is_finite() && area.max.is_finite()) || strips.height < pen.pixels(LOWEST) {
        return;
    }
    // Strip `n` is around `n` times the height.
    let (low, high) = (strips.low().max(area.min.y), strips.high().min(area.max.y));
    let first = (low / strips.height - 0.5).ceil();
    let edges = std::iter::successors(Some(first), |edge| Some(edge + 1.0))
        .map(|edge| (edge + 0.5) * strips.height)
        // No screen has more lines than that. Far out, where `f32` numbers do not grow by one, this also ends the loop.
        .take(1 << 12)
        .take_while(|&y| y <= high);
    for y in edges {
        pen.line(Vec2::new(area.min.x, y), Vec2::new(area.max.x, y), color);
    }
}
