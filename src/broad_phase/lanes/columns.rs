//! The edges of boxes in columns, and which of them meet a box.

use std::ops::{ControlFlow, Range};

use bevy::math::Vec4;

use crate::{
    broad_phase::{
        extent::{Extent, FourExtents},
        vectors::{Compare, Eight, LANES},
    },
    prefetch::{LINE, prefetch},
};

/// At most so many boxes are compared at a time.
pub(in crate::broad_phase) const TOGETHER: usize = 2 * LANES;

/// The edges of many boxes, a list for each side.
#[derive(Clone, Debug, Default)]
pub(in crate::broad_phase) struct Columns {
    left: Vec<f32>,
    right: Vec<f32>,
    low: Vec<f32>,
    high: Vec<f32>,
}

/// The columns of a row, and of some more boxes behind it.
#[derive(Clone, Copy)]
pub(in crate::broad_phase) struct RowColumns<'a> {
    left: &'a [f32],
    right: &'a [f32],
    low: &'a [f32],
    high: &'a [f32],
}

/// The columns of all boxes, to be written.
pub(in crate::broad_phase) struct ColumnsMut<'a> {
    left: &'a mut [f32],
    right: &'a mut [f32],
    low: &'a mut [f32],
    high: &'a mut [f32],
}

impl ColumnsMut<'_> {
    /// Sets four boxes from a number on.
    #[inline(always)]
    pub(in crate::broad_phase) fn set_four(&mut self, at: usize, four: [Extent; 4]) {
        let edges = FourExtents::new(four);
        let set = |column: &mut [f32], row: Vec4| row.write_to_slice(&mut column[at..at + 4]);
        set(self.left, edges.left);
        set(self.low, edges.low);
        set(self.right, edges.right);
        set(self.high, edges.high);
    }

    #[inline(always)]
    pub(in crate::broad_phase) fn set(&mut self, at: usize, extent: &Extent) {
        self.left[at] = extent.min[0];
        self.right[at] = extent.max[0];
        self.low[at] = extent.min[1];
        self.high[at] = extent.max[1];
    }
}

impl Columns {
    fn all(&mut self) -> [&mut Vec<f32>; 4] {
        [
            &mut self.left,
            &mut self.right,
            &mut self.low,
            &mut self.high,
        ]
    }

    /// Makes room for so many boxes, and for the padding that is compared together with the last ones.
    pub(in crate::broad_phase) fn make_room(&mut self, count: usize) {
        for column in self.all() {
            column.resize(count + TOGETHER, 0.0);
        }
    }

    /// Prefetches the memory of boxes that are about to be written.
    #[inline(always)]
    pub(in crate::broad_phase) fn prefetch(&self, range: Range<usize>) {
        for column in [&self.left, &self.right, &self.low, &self.high] {
            for at in range.clone().step_by(LINE / size_of::<f32>()) {
                prefetch(column, at);
            }
        }
    }

    /// Prefetches the memory around a box.
    #[inline(always)]
    pub(in crate::broad_phase) fn prefetch_one(&self, at: usize) {
        for column in [&self.left, &self.right, &self.low, &self.high] {
            prefetch(column, at);
        }
    }

    /// Returns the columns of the first so many boxes, to be written.
    pub(in crate::broad_phase) fn all_mut(&mut self, count: usize) -> ColumnsMut<'_> {
        let [left, right, low, high] = self.all().map(|column| &mut column[..count]);
        ColumnsMut {
            left,
            right,
            low,
            high,
        }
    }

    #[inline(always)]
    pub(in crate::broad_phase) fn low(&self, at: usize) -> f32 {
        self.low[at]
    }

    #[inline(always)]
    pub(in crate::broad_phase) fn get(&self, at: usize) -> Extent {
        Extent {
            min: [self.left[at], self.low[at]],
            max: [self.right[at], self.high[at]],
        }
    }

    /// Returns the first box in a range, sorted by left edge, that begins beyond `right`.
    #[cold]
    pub(in crate::broad_phase) fn first_behind(&self, range: Range<usize>, right: f32) -> usize {
        range.start + self.left[range].partition_point(|edge| *edge <= right)
    }

    /// Returns the first box in a range, sorted by left edge, that begins at `left` or beyond.
    #[cold]
    pub(in crate::broad_phase) fn first_from(&self, range: Range<usize>, left: f32) -> usize {
        range.start + self.left[range].partition_point(|edge| *edge < left)
    }

    /// Fills the padding behind so many boxes with NaN, which meets nothing: comparing the last boxes reads it, too.
    pub(in crate::broad_phase) fn pad(&mut self, count: usize) {
        if self.left.len() < count + TOGETHER {
            self.make_room(count);
        }
        for column in self.all() {
            column[count..count + TOGETHER].fill(f32::NAN);
        }
    }

    #[inline(always)]
    pub(in crate::broad_phase) fn every_row(&self) -> RowColumns<'_> {
        self.row_to(0, self.left.len())
    }

    #[inline(always)]
    pub(in crate::broad_phase) fn row(&self, range: Range<usize>) -> RowColumns<'_> {
        self.row_to(range.start, range.end + LANES)
    }

    /// Cuts all four to the same length, so that one bounds check serves for all.
    #[inline(always)]
    fn row_to(&self, start: usize, end: usize) -> RowColumns<'_> {
        let count = end - start;
        RowColumns {
            left: &self.left[start..][..count],
            right: &self.right[start..][..count],
            low: &self.low[start..][..count],
            high: &self.high[start..][..count],
        }
    }
}

impl<'a> RowColumns<'a> {
    #[inline(always)]
    pub(in crate::broad_phase) fn get(&self, at: usize) -> Extent {
        Extent {
            min: [self.left[at], self.low[at]],
            max: [self.right[at], self.high[at]],
        }
    }

    #[inline(always)]
    pub(in crate::broad_phase) fn low(&self, at: usize) -> f32 {
        self.low[at]
    }

    /// Calls `hit` with the boxes of a range that meet this box, eight at a time as bits, until it breaks off. The boxes are sorted by left edge, except within stretches of up to [`LANES`].
    #[inline(always)]
    pub(in crate::broad_phase) fn sweep(
        &self,
        range: Range<usize>,
        with: &Extent,
        compare: impl Compare,
        mut hit: impl FnMut(usize, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut at = range.start;
        // Runs at least once: mostly it is exactly once, and a processor predicts that better than whether the range is empty.
        loop {
            let (meet, begin) = compare(&self.eight(at), with);
            let left_over = range.end.saturating_sub(at);
            hit(at, meet & first_bits(left_over))?;
            // Eight boxes lie in several bins, or in a long one, which is sorted. So if none of them begins before this box ends, all further ones begin later still.
            if left_over <= LANES || begin == 0 {
                return ControlFlow::Continue(());
            }
            at += LANES;
        }
    }

    #[inline(always)]
    pub(in crate::broad_phase) fn eight(&self, at: usize) -> Eight<'a> {
        let eight = |column: &'a [f32]| {
            let rest = column[at..].first_chunk();
            rest.expect("columns are padded by as many as are compared")
        };
        Eight {
            left: eight(self.left),
            right: eight(self.right),
            low: eight(self.low),
            high: eight(self.high),
        }
    }
}

/// Sets so many of the lowest bits, but no more than there are lanes.
#[inline(always)]
pub(super) fn first_bits(count: usize) -> u32 {
    (1 << count.min(LANES)) - 1
}
