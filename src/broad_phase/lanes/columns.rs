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

/// The edges of many boxes, a list for each side: lists that grow; or slices of these, of a row and some more boxes behind it, or to be written.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::broad_phase) struct Columns<C> {
    left: C,
    right: C,
    low: C,
    high: C,
}

impl<C> Columns<C> {
    #[inline(always)]
    fn each(&self) -> Columns<&C> {
        Columns {
            left: &self.left,
            right: &self.right,
            low: &self.low,
            high: &self.high,
        }
    }

    #[inline(always)]
    fn each_mut(&mut self) -> Columns<&mut C> {
        Columns {
            left: &mut self.left,
            right: &mut self.right,
            low: &mut self.low,
            high: &mut self.high,
        }
    }

    #[inline(always)]
    fn map<D>(self, mut with: impl FnMut(C) -> D) -> Columns<D> {
        Columns {
            left: with(self.left),
            right: with(self.right),
            low: with(self.low),
            high: with(self.high),
        }
    }
}

impl<C: AsRef<[f32]>> Columns<C> {
    #[inline(always)]
    pub(in crate::broad_phase) fn get(&self, at: usize) -> Extent {
        let edges = self.each().map(|column| column.as_ref()[at]);
        Extent {
            min: [edges.left, edges.low],
            max: [edges.right, edges.high],
        }
    }

    #[inline(always)]
    pub(in crate::broad_phase) fn low(&self, at: usize) -> f32 {
        self.low.as_ref()[at]
    }
}

impl Columns<Vec<f32>> {
    /// Makes room for so many boxes, and for the padding that is compared together with the last ones.
    pub(in crate::broad_phase) fn make_room(&mut self, count: usize) {
        self.each_mut()
            .map(|column| column.resize(count + TOGETHER, 0.0));
    }

    /// Fills the padding behind so many boxes with NaN, which meets nothing: comparing the last boxes reads it, too.
    pub(in crate::broad_phase) fn pad(&mut self, count: usize) {
        if self.left.len() < count + TOGETHER {
            self.make_room(count);
        }
        self.each_mut()
            .map(|column| column[count..count + TOGETHER].fill(f32::NAN));
    }

    /// Prefetches the memory of boxes that are about to be written.
    #[inline(always)]
    pub(in crate::broad_phase) fn prefetch(&self, range: Range<usize>) {
        self.each().map(|column| {
            for at in range.clone().step_by(LINE / size_of::<f32>()) {
                prefetch(column, at);
            }
        });
    }

    /// Prefetches the memory around a box.
    #[inline(always)]
    pub(in crate::broad_phase) fn prefetch_one(&self, at: usize) {
        self.each().map(|column| prefetch(column, at));
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

    /// Returns the columns of the first so many boxes, to be written.
    pub(in crate::broad_phase) fn all_mut(&mut self, count: usize) -> Columns<&mut [f32]> {
        self.each_mut().map(|column| &mut column[..count])
    }

    #[inline(always)]
    pub(in crate::broad_phase) fn every_row(&self) -> Columns<&[f32]> {
        self.row_to(0, self.left.len())
    }

    #[inline(always)]
    pub(in crate::broad_phase) fn row(&self, range: Range<usize>) -> Columns<&[f32]> {
        self.row_to(range.start, range.end + LANES)
    }

    /// Cuts all four to the same length, so that one bounds check serves for all.
    #[inline(always)]
    fn row_to(&self, start: usize, end: usize) -> Columns<&[f32]> {
        self.each().map(|column| &column[start..][..end - start])
    }
}

impl Columns<&mut [f32]> {
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

impl<'a> Columns<&'a [f32]> {
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
