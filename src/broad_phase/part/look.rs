//! Which boxes of a row meet something from elsewhere: a way, an area, or the surroundings of a place.

use std::ops::{ControlFlow, Range};

use bevy::math::Vec4;

use super::{LONG_BIN, Part, Row};
use crate::{
    broad_phase::{
        extent::{Extent, HasExtent},
        lanes::{Inside, Line, TOGETHER},
        vectors::Eight,
    },
    prefetch::prefetch,
};

impl<T: Copy + HasExtent> Part<T> {
    /// Returns the boxes of a row that may meet an area: from the first that begins as far to the left as the widest may and still reach it, or one shortly before, to the end of the last bin in which a box
    /// may begin before the end. A sweep from left to right notices where that is.
    #[inline(always)]
    pub(in crate::broad_phase) fn range_within(&self, row: usize, extent: &Extent) -> Range<usize> {
        let row = &self.rows[row];
        let left = extent.min[0] - row.widest;
        let [first, last] = row.bins_of(left, extent.max[0]);
        // The boxes of an area of usual size begin in one or two cache lines.
        self.prefetch(row, first);
        self.prefetch(row, last);
        self.begin(row, first, left)..self.bin(row, last).end
    }

    /// Calls `hit` with the boxes in a range of a row that meet an area, until it breaks off, like [`sweep_within`](crate::broad_phase::lanes::Columns::sweep_within).
    #[inline(always)]
    pub(in crate::broad_phase) fn meet_within(
        &self,
        range: Range<usize>,
        asked: (&Extent, Option<&Inside>),
        hit: impl FnMut(usize, u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let columns = self.columns.every_row();
        columns.sweep_within(range, asked, hit)
    }

    /// Returns the boxes of a row that may meet a box with these edges (left, low, right and high), and prefetches their memory.
    #[inline(always)]
    pub(in crate::broad_phase) fn range_along(
        &self,
        row: usize,
        edges: Vec4,
        is_rightwards: bool,
    ) -> Range<usize> {
        let row = &self.rows[row];
        let (left, right) = (edges.x - row.widest, edges.z);
        let bins = row.bins_of(left, right);
        self.prefetch(row, bins[usize::from(!is_rightwards)]);
        self.range_of(row, bins, (left, right))
    }

    /// Calls `hit` with the boxes in a range of a row that meet a box and a line in it, from left to right or from right to left, with neighbors in any order. `hit` returns how far in that direction
    /// further boxes may begin and still matter; on the way to the left, how far they may end.
    #[inline(always)]
    pub(in crate::broad_phase) fn meet_along(
        &self,
        (row, range): (usize, Range<usize>),
        (edges, line): (Vec4, &Line),
        is_rightwards: bool,
        hit: impl FnMut(usize, u32, &Eight) -> f32,
    ) {
        let widest = self.rows[row].widest;
        let columns = self.columns.every_row();
        columns.sweep_along(range, (edges, line), (is_rightwards, widest), hit);
    }

    /// Calls `hit` with the boxes of a row that are within `reach` of a box, mostly nearer ones sooner. `hit` returns the new reach, and so does this.
    #[inline(always)]
    #[expect(
        clippy::redundant_closure,
        reason = "what is called by reference is not compiled in place"
    )]
    pub(in crate::broad_phase) fn meet_around(
        &self,
        row: usize,
        around: &Extent,
        mut reach: f32,
        mut hit: impl FnMut(usize) -> f32,
    ) -> f32 {
        let row = &self.rows[row];
        let columns = self.columns.every_row();
        // Near boxes begin on both sides of the middle, but farther to the left by up to their width.
        let middle = (around.min[0] + around.max[0] - row.widest) * 0.5;
        let bin = row.bin_of(middle);
        self.prefetch(row, bin);
        let (mut start, mut end) = (row.start as usize, row.end as usize);
        let begin = self.begin(row, bin, middle);
        let begin = begin.saturating_sub(TOGETHER / 2).max(start);
        let (mut left, mut right) = (begin, begin);
        let mut within = f32::INFINITY;
        // Alternates between right and left, until there are no more boxes, or they are too far away.
        let mut was_right = false;
        while reach >= 0.0 {
            if reach < within {
                let [least, most] = [around.min[0] - reach, around.max[0] + reach];
                let edges = (least - row.widest, most);
                let bins = row.bins_of(edges.0, edges.1);
                Range { start, end } = self.range_of(row, bins, edges);
                within = reach;
            }
            let (is_left, is_right) = (left > start, right < end);
            if !is_left && !is_right {
                break;
            }
            was_right = is_right && !(was_right && is_left);
            let some = if was_right {
                let next = (right + TOGETHER).min(end);
                std::mem::replace(&mut right, next)..next
            } else {
                let next = left.saturating_sub(TOGETHER).max(start);
                next..std::mem::replace(&mut left, next)
            };
            reach = columns.meet_around(some, around, reach, |at| hit(at));
        }
        reach
    }

    /// Returns the boxes of a row that begin between two edges, or shortly before or behind: for sweeps from right to left too. Gets the edges, and their bins.
    #[inline(always)]
    fn range_of(&self, row: &Row, bins: [usize; 2], (left, right): (f32, f32)) -> Range<usize> {
        let [first, last] = bins;
        let Range { start, mut end } = self.bin(row, last);
        if end - start > LONG_BIN {
            end = self.columns.first_behind(start..end, right);
        }
        self.begin(row, first, left)..end
    }

    /// Returns the first box in a bin that begins at an x or later, or one shortly before: only long bins are sorted.
    #[inline(always)]
    fn begin(&self, row: &Row, bin: usize, left: f32) -> usize {
        let Range { start, end } = self.bin(row, bin);
        if end - start > LONG_BIN {
            self.columns.first_from(start..end, left)
        } else {
            start
        }
    }

    /// Prefetches the memory that a search around a place in a row needs.
    #[inline(always)]
    pub(in crate::broad_phase) fn prefetch_around(&self, row: usize, x: f32) {
        let row = &self.rows[row];
        let bin = row.bin_of(x);
        prefetch(&self.bins, row.first_bin as usize + bin);
        self.prefetch(row, bin);
    }

    /// Prefetches the memory of what begins in a bin. Otherwise, it would be requested only when the start of the bin is known, and the items only when their boxes are known to be met.
    ///
    /// There are about as many bins as boxes, so the boxes of a bin are not far from where they would be if each bin had one.
    #[inline(always)]
    fn prefetch(&self, row: &Row, bin: usize) {
        let near = row.start as usize + bin;
        self.columns.prefetch_one(near);
        prefetch(&self.items, near);
    }
}
