//! Who is near: eight boxes at a time, by the gap between each of them and a box.

use std::ops::Range;

use bevy::math::Vec4;

use super::columns::RowColumns;
use crate::broad_phase::{extent::Extent, vectors::LANES};

/// By how much a square and its root may be off, as they round.
const ROUNDING: f32 = 16.0 * f32::EPSILON;

/// Numbers of the lanes of both halves.
const NUMBERS: [Vec4; 2] = [Vec4::new(0.0, 1.0, 2.0, 3.0), Vec4::new(4.0, 5.0, 6.0, 7.0)];

impl RowColumns<'_> {
    /// Hits those in a range of up to eight that are within `reach` of a box, the nearer ones first. It is answered how near the others have to be, and so does this.
    #[inline(always)]
    pub(in crate::broad_phase) fn meet_around(
        &self,
        range: Range<usize>,
        around: &Extent,
        mut reach: f32,
        mut hit: impl FnMut(usize) -> f32,
    ) -> f32 {
        let eight = self.eight(range.start);
        let count = Vec4::splat(range.len() as f32);
        // Of those that do not count, infinite.
        let mut squares = [0, 1].map(|half| {
            let four = |column: &[f32; LANES]| Vec4::from_slice(&column[half * 4..half * 4 + 4]);
            let gap = |axis: usize, low: &[f32; LANES], high: &[f32; LANES]| {
                let before = four(low) - Vec4::splat(around.max[axis]);
                let behind = Vec4::splat(around.min[axis]) - four(high);
                before.max(behind).max(Vec4::ZERO)
            };
            let (x, y) = (
                gap(0, eight.left, eight.right),
                gap(1, eight.low, eight.high),
            );
            let counts = NUMBERS[half].cmplt(count);
            Vec4::select(counts, x * x + y * y, Vec4::INFINITY)
        });
        loop {
            let least = squares[0].min(squares[1]).min_element();
            // Squares of what is tiny vanish; these count as nothing.
            let most = reach * reach * (1.0 + ROUNDING) + f32::MIN_POSITIVE;
            if least > most || least == f32::INFINITY || reach < 0.0 {
                return reach;
            }
            let [some, others] = squares.map(|squares| squares.cmpeq(Vec4::splat(least)).bitmask());
            let lane = (some | others << 4).trailing_zeros();
            let is_it = |half: usize| NUMBERS[half].cmpeq(Vec4::splat(lane as f32));
            squares = [0, 1].map(|half| Vec4::select(is_it(half), Vec4::INFINITY, squares[half]));
            reach = hit(range.start + lane as usize);
        }
    }
}
