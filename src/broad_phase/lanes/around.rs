//! Which boxes are near: compares the gaps of sixteen boxes to a box at a time.

use std::ops::Range;

use bevy::math::Vec4;

use super::columns::{Columns, TOGETHER};
use crate::{
    broad_phase::{extent::Extent, vectors::LANES},
    map_four::map_four,
};

/// The relative rounding error of a square and its root.
const SQUARE_ROUNDING: f32 = 16.0 * f32::EPSILON;

/// Numbers of the lanes of each four.
const NUMBERS: [Vec4; TOGETHER / 4] = [
    Vec4::new(0.0, 1.0, 2.0, 3.0),
    Vec4::new(4.0, 5.0, 6.0, 7.0),
    Vec4::new(8.0, 9.0, 10.0, 11.0),
    Vec4::new(12.0, 13.0, 14.0, 15.0),
];

impl Columns<&[f32]> {
    /// Calls `hit` with the number of each box in a range of up to [`TOGETHER`] that is within `reach` of a box, the nearer ones first. `hit` returns the new reach, and so does this.
    #[inline(always)]
    pub(in crate::broad_phase) fn meet_around(
        &self,
        range: Range<usize>,
        around: &Extent,
        mut reach: f32,
        mut hit: impl FnMut(usize) -> f32,
    ) -> f32 {
        let eights = [0, LANES].map(|from| self.eight(range.start + from));
        let count = Vec4::splat(range.len() as f32);
        // The squares of the gaps; infinite for lanes that do not count.
        let mut squares = map_four([0, 1, 2, 3], |number| {
            let eight = &eights[number / 2];
            let from = number % 2 * 4;
            let four = |column: &[f32; LANES]| Vec4::from_slice(&column[from..from + 4]);
            let gap = |axis: usize, low: &[f32; LANES], high: &[f32; LANES]| {
                let before = four(low) - Vec4::splat(around.max[axis]);
                let behind = Vec4::splat(around.min[axis]) - four(high);
                before.max(behind).max(Vec4::ZERO)
            };
            let (x, y) = (
                gap(0, eight.left, eight.right),
                gap(1, eight.low, eight.high),
            );
            let counts = NUMBERS[number].cmplt(count);
            Vec4::select(counts, x * x + y * y, Vec4::INFINITY)
        });
        loop {
            let [a, b, c, d] = squares;
            let least = a.min(b).min(c.min(d)).min_element();
            // Squares of tiny gaps underflow; these count as 0.
            let most = reach * reach * (1.0 + SQUARE_ROUNDING) + f32::MIN_POSITIVE;
            if least > most || least == f32::INFINITY || reach < 0.0 {
                return reach;
            }
            let are_it = squares.map(|squares| squares.cmpeq(Vec4::splat(least)).bitmask());
            let [a, b, c, d] = are_it;
            let lane = (a | b << 4 | c << 8 | d << 12).trailing_zeros();
            let number = Vec4::splat(lane as f32);
            squares = map_four([0, 1, 2, 3], |four| {
                let is_it = NUMBERS[four].cmpeq(number);
                Vec4::select(is_it, Vec4::INFINITY, squares[four])
            });
            reach = hit(range.start + lane as usize);
        }
    }
}
