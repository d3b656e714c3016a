//! Which boxes are on a way: compares eight at a time with a box and with the line through its middle.

use std::ops::Range;

use bevy::math::{Vec2, Vec4, Vec4Swizzles};

use super::columns::{Columns, first_bits};
use crate::broad_phase::vectors::{Eight, LANES};

/// A line, and how far to both sides of it boxes still matter.
#[derive(Clone, Copy, Debug)]
pub(in crate::broad_phase) struct Line {
    /// A vector at right angles to the line, of any length.
    pub(in crate::broad_phase) across: Vec2,
    /// The dot product of `across` with the points of the line.
    pub(in crate::broad_phase) at: f32,
    pub(in crate::broad_phase) slack: f32,
}

impl Columns<&[f32]> {
    /// Calls `hit` for each eight boxes of a range, even if none of them counts, with a bit for each that meets both a box with these edges (left, low, right and high) and a line; from left to right or from right to left, with neighbors in any order. `hit` returns how far
    /// in that direction further boxes may begin and still matter; on the way to the left, how far they may end.
    ///
    /// No box is wider than `widest`, and they are sorted as for [`sweep`](Self::sweep).
    #[inline(always)]
    pub(in crate::broad_phase) fn sweep_along(
        &self,
        range: Range<usize>,
        (edges, line): (Vec4, &Line),
        (is_rightwards, widest): (bool, f32),
        mut hit: impl FnMut(usize, u32, &Eight) -> f32,
    ) {
        let Range { mut start, mut end } = range;
        let (mut left, low) = (edges.xxxx(), edges.yyyy());
        let (mut right, high) = (edges.zzzz(), edges.wwww());
        let across = [line.across.x, line.across.y].map(Vec4::splat);
        let [nearest, farthest] = [line.at - line.slack, line.at + line.slack].map(Vec4::splat);
        while start < end {
            let at = if is_rightwards {
                start
            } else {
                end.saturating_sub(LANES).max(start)
            };
            let counting = first_bits(end - at);
            (start, end) = if is_rightwards {
                (at + LANES, end)
            } else {
                (start, at)
            };

            let eight = self.eight(at);
            let half = |from: usize| {
                let four =
                    |column: &[f32; LANES]| Vec4::from_slice(&column[from..from + LANES / 2]);
                let begin = four(eight.left).cmple(right);
                // For each box, the corner that is farthest to one side of the line, and the corner farthest to the other.
                let [x, x_of_other] = [eight.left, eight.right].map(|x| across[0] * four(x));
                let [y, y_of_other] = [eight.low, eight.high].map(|y| across[1] * four(y));
                let near = x.min(x_of_other) + y.min(y_of_other);
                let far = x.max(x_of_other) + y.max(y_of_other);
                let meet = begin
                    & four(eight.right).cmpge(left)
                    & four(eight.low).cmple(high)
                    & four(eight.high).cmpge(low)
                    & near.cmple(farthest)
                    & far.cmpge(nearest);
                let goes_on = if is_rightwards {
                    begin
                } else {
                    four(eight.left).cmpge(left - widest)
                };
                (meet.bitmask(), goes_on.bitmask())
            };
            let ((meet, goes_on), (more_meet, more_go_on)) = (half(0), half(LANES / 2));
            let meet = (meet | more_meet << (LANES / 2)) & counting;
            let reach = Vec4::splat(hit(at, meet, &eight));
            if is_rightwards {
                right = right.min(reach);
            } else {
                left = left.max(reach);
            }
            // Eight boxes lie in several bins, or in a long one, which is sorted: so if none of them begins where it matters, neither do those behind them.
            if goes_on | more_go_on == 0 {
                return;
            }
        }
    }
}
