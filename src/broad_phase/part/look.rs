//! Who of a row is met by somebody from elsewhere: on a way, in an area, around a place.

use std::ops::{ControlFlow, Range};

use super::{LONG_BIN, Part, Row};
use crate::{
    broad_phase::{
        extent::{Extent, HasExtent},
        lanes::{Line, Region},
        vectors::{LANES, compare_fours},
    },
    prefetch::prefetch,
};

impl<T: Copy + HasExtent> Part<T> {
    /// Calls `hit` with the boxes of a row that meet a box from elsewhere: the number of the first of several, and a bit for each of them that does.
    #[inline(always)]
    pub(in crate::broad_phase) fn meet(
        &self,
        row: usize,
        extent: &Extent,
        mut hit: impl FnMut(usize, u32),
    ) {
        let range = self.range_of(&self.rows[row], extent);
        let columns = self.columns.every_row();
        let _ = columns.sweep(range, extent, compare_fours, |first, bits| {
            hit(first, bits);
            ControlFlow::Continue(())
        });
    }

    /// Calls `hit` with the boxes of a row that meet an area, until it breaks off: the number of the first of several, a bit for each that does, and a bit for each that lies in it as a whole, for sure.
    /// Of boxes larger than `size` that need not be said.
    #[inline(always)]
    pub(in crate::broad_phase) fn meet_within(
        &self,
        row: usize,
        region: &Region,
        size: f32,
        hit: impl FnMut(usize, u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let range = self.range_of(&self.rows[row], &region.extent());
        let columns = self.columns.every_row();
        columns.sweep_within(range, region, size, hit)
    }

    /// Calls `hit` with the boxes of a row that meet a box and a line in it, from left to right or from right to left, but for neighbours. It answers how far that way the
    /// others may begin and matter; for the way to the left, how far they may end.
    #[inline(always)]
    pub(in crate::broad_phase) fn meet_along(
        &self,
        row: usize,
        (extent, line): (&Extent, &Line),
        is_rightwards: bool,
        hit: impl FnMut(usize, u32) -> f32,
    ) {
        let row = &self.rows[row];
        let first = row.bin_of(extent.min[0] - row.widest);
        let last = row.bin_of(extent.max[0]);
        self.prefetch(row, if is_rightwards { first } else { last });
        let bins = self.bins(row);
        let range = bins[first] as usize..bins[last + 1] as usize;
        let columns = self.columns.every_row();
        columns.sweep_along(range, (extent, line), (is_rightwards, row.widest), hit);
    }

    /// Calls `hit` with the boxes of a row that are within `reach` of a box, the nearer ones sooner, by and large. It answers how near the others have to be, and so does this.
    #[inline(always)]
    pub(in crate::broad_phase) fn meet_around(
        &self,
        row: usize,
        around: &Extent,
        mut reach: f32,
        mut hit: impl FnMut(usize) -> f32,
    ) -> f32 {
        let row = &self.rows[row];
        let columns = self.columns.every_row();
        let middle = row.bin_of((around.min[0] + around.max[0]) * 0.5);
        self.prefetch(row, middle);
        let bins = self.bins(row);
        let begin = bins[middle] as usize;
        let (mut left, mut right) = (begin, begin);
        // By turns, eight to the right and eight to the left, until there are none, or they are too far.
        while reach >= 0.0 {
            let first = row.bin_of(around.min[0] - reach - row.widest);
            let last = row.bin_of(around.max[0] + reach);
            let Range { start, end } = bins[first] as usize..bins[last + 1] as usize;
            if left <= start && right >= end {
                break;
            }
            if right < end {
                let next = (right + LANES).min(end);
                reach = columns.meet_around(right..next, around, reach, &mut hit);
                right = next;
            }
            if left > start {
                let next = left.saturating_sub(LANES).max(start);
                reach = columns.meet_around(next..left, around, reach, &mut hit);
                left = next;
            }
        }
        reach
    }

    /// Those that a box may meet: from the first that begins as far to the left as the widest may and still reach it, or one not far before, to the last that begins before it ends, or one not far behind.
    #[inline(always)]
    fn range_of(&self, row: &Row, extent: &Extent) -> Range<usize> {
        let bins = self.bins(row);
        let left = extent.min[0] - row.widest;
        let first = row.bin_of(left);
        self.prefetch(row, first);
        let (mut start, end) = (bins[first] as usize, bins[first + 1] as usize);
        if end - start > LONG_BIN {
            start = self.columns.every_row().first_from(start..end, left);
        }
        start..bins[row.bin_of(extent.max[0]) + 1] as usize
    }

    /// Asks for the memory of what is in a bin: else it would be asked for only when it is known where the bin begins, and whose the boxes are only when they are known to be met.
    ///
    /// There are about as many bins as boxes, so what is in one lies not far from where it would if each had one.
    #[inline(always)]
    fn prefetch(&self, row: &Row, bin: usize) {
        let near = row.start as usize + bin;
        self.columns.prefetch_one(near);
        prefetch(&self.items, near);
    }
}
