//! A few neighboring strips of a level: sorted, and swept.
//!
//! ```text
//! in each strip: bins of equal width, about one for each box; assign each box to the bin of its left edge;
//!                lay the boxes out in the order of the bins, and within a bin in any order
//!                compare each box with those from the next one to the end of the bin that holds its right edge
//! ```
//!
//! If the boxes of a strip cluster, some bins are long. These are sorted by comparison, so that a sweep ends early there too. The bins are kept: they tell where in
//! a row a search for another box has to begin.

mod look;

use std::ops::{ControlFlow, Range};

use bevy::math::Vec4;

use super::{
    extent::{Extent, HasExtent},
    lanes::{Columns, Hits},
    rounding::{MOST, greater, lesser, nearest_integer, nearest_integers},
    vectors::{Compare, LANES},
};
use crate::{
    map_four::map_four,
    prefetch::{LINE, prefetch},
};

/// A bin with up to this many boxes is not sorted.
const LONG_BIN: usize = LANES;

/// Neighboring strips, each a row of boxes.
#[derive(Clone, Debug)]
pub(super) struct Part<T> {
    rows: Vec<Row>,
    /// Where each bin begins, and for each row where its last bin ends.
    bins: Vec<u32>,
    columns: Columns<Vec<f32>>,
    /// The owners of the boxes. Those beyond the count are left from before, so that room need not be filled anew.
    items: Vec<T>,
    count: usize,
    coming: Coming,
}

/// The boxes of a row that is being sorted, in the order in which they come.
#[derive(Clone, Debug, Default)]
struct Coming {
    extents: Vec<Extent>,
    bins: Vec<u32>,
    /// Their numbers in `extents`, in sorted order.
    order: Vec<u32>,
}

/// The row of a strip.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    /// The range of its boxes.
    start: u32,
    end: u32,
    /// Its first bin, and how many bins follow.
    first_bin: u32,
    last_bin: u32,
    /// The x of the middle of the first bin.
    left: f32,
    bins_per_unit: f32,
    /// Width of the widest box, plus the rounding error of subtracting it from an edge.
    widest: f32,
}

impl<T> Default for Part<T> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            bins: Vec::new(),
            columns: Columns::default(),
            items: Vec::new(),
            count: 0,
            coming: Coming::default(),
        }
    }
}

impl Coming {
    /// Returns the least and the greatest of the left edges, and the width of the widest box.
    #[inline(always)]
    fn bounds(&self) -> (f32, f32, f32) {
        // In four independent sequences: in a single one each step would wait for the one before.
        let mut bounds = [(f32::INFINITY, f32::NEG_INFINITY, 0.0_f32); 4];
        let (fours, rest) = self.extents.as_chunks::<4>();
        for four in fours.iter().map(<[Extent; 4]>::as_slice).chain([rest]) {
            for (Extent { min, max }, (left, right, widest)) in four.iter().zip(&mut bounds) {
                *left = lesser(*left, min[0]);
                *right = greater(*right, min[0]);
                *widest = greater(*widest, max[0] - min[0]);
            }
        }
        let [a, b, c, d] = bounds;
        let both = |a: (f32, f32, f32), b: (f32, f32, f32)| {
            (lesser(a.0, b.0), greater(a.1, b.1), greater(a.2, b.2))
        };
        both(both(a, b), both(c, d))
    }
}

impl<T: Copy + HasExtent> Part<T> {
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.bins.clear();
        self.count = 0;
    }

    /// Adds the boxes of the next strip, in one or several slices.
    #[inline(always)]
    pub(super) fn add_row<'a>(&mut self, slices: impl Iterator<Item = &'a [T]> + Clone)
    where
        T: 'a,
    {
        let coming = &mut self.coming;
        coming.extents.clear();
        for slice in slices.clone() {
            coming.extents.extend(slice.iter().map(HasExtent::extent));
        }
        let count = coming.extents.len();
        let (start, end) = (self.count, self.count + count);
        self.columns.prefetch(start..end);
        let items_in_line = LINE / size_of::<T>().clamp(1, LINE);
        let items = (start..end).step_by(items_in_line);
        items.for_each(|at| prefetch(&self.items, at));

        let (left, right, widest) = coming.bounds();
        let first_bin = self.bins.len();
        let bin_count = count.clamp(1, MOST);
        let width = right - left;
        let rounding = (greater(left.abs(), right.abs()) + widest) * (4.0 * f32::EPSILON);
        let row = Row {
            start: start as u32,
            end: end as u32,
            first_bin: first_bin as u32,
            last_bin: bin_count as u32 - 1,
            left,
            bins_per_unit: if width > 0.0 && width.is_finite() {
                (bin_count - 1) as f32 / width
            } else {
                0.0
            },
            widest: widest + rounding,
        };
        self.rows.push(row);

        self.bins.resize(first_bin + bin_count + 1, 0);
        let bins = &mut self.bins[first_bin..];
        coming.bins.clear();
        coming.bins.extend(coming.extents.iter().map(|extent| {
            let bin = row.bin_of(extent.min[0]);
            bins[bin] += 1;
            bin as u32
        }));
        // Turns counts into ends; writing the boxes backwards then turns ends into starts.
        let mut longest = 0;
        let mut bin_end = row.start;
        for bin in &mut *bins {
            longest = longest.max(*bin);
            bin_end += *bin;
            *bin = bin_end;
        }
        let Some(any) = slices.clone().flatten().next() else {
            return;
        };
        if self.items.len() < end {
            self.items.resize(end, *any);
            self.columns.make_room(end);
        }
        self.count = end;
        coming.order.resize(count, 0);
        let items = &mut self.items[start..end];
        let mut numbers = (0..).zip(&coming.bins);
        for slice in slices {
            for (item, (number, bin)) in slice.iter().zip(&mut numbers) {
                let at = &mut bins[*bin as usize];
                *at -= 1;
                let at = (*at - row.start) as usize;
                items[at] = *item;
                coming.order[at] = number;
            }
        }

        let mut columns = self.columns.all_mut(end);
        let extent = |number: u32| coming.extents[number as usize];
        let (fours, rest) = coming.order.as_chunks::<4>();
        for (at, four) in (start..).step_by(4).zip(fours) {
            columns.set_four(at, map_four(*four, extent));
        }
        for (at, number) in (end - rest.len()..).zip(rest) {
            columns.set(at, &extent(*number));
        }
        if longest as usize > LONG_BIN {
            self.sort_long_bins(first_bin);
        }
    }

    /// Sorts the long bins from `first_bin` on.
    #[cold]
    fn sort_long_bins(&mut self, first_bin: usize) {
        let mut columns = self.columns.all_mut(self.count);
        for bin in self.bins[first_bin..].windows(2) {
            let bin = bin[0] as usize..bin[1] as usize;
            if bin.len() > LONG_BIN {
                let items = &mut self.items[bin.clone()];
                items.sort_unstable_by(|a, b| a.extent().min[0].total_cmp(&b.extent().min[0]));
                for (at, item) in bin.zip(items) {
                    columns.set(at, &item.extent());
                }
            }
        }
    }

    /// Call this after the last strip.
    pub(super) fn end(&mut self) {
        self.columns.pad(self.count);
    }

    /// Returns the owners of the boxes, by their numbers in the part.
    pub(super) fn items(&self) -> &[T] {
        &self.items[..self.count]
    }

    /// Calls `each` with every box of a row that is in no lower place, and with its number in the part.
    #[inline]
    pub(super) fn beginning(
        &self,
        row: usize,
        begins: impl Fn(f32) -> bool,
        mut each: impl FnMut(&Extent, u32),
    ) {
        let row = &self.rows[row];
        let columns = self.columns(row);
        for (at, number) in (row.start..row.end).enumerate() {
            let extent = columns.get(at);
            if begins(extent.min[1]) {
                each(&extent, number);
            }
        }
    }

    /// Lists every pair of a row of which at least one box is in no lower place: other pairs are found in a lower place too.
    #[inline(always)]
    pub(super) fn meet_each_other(
        &self,
        row: usize,
        begins: impl Fn(f32) -> bool,
        compare: impl Compare,
        hits: &mut Hits,
    ) {
        let row = &self.rows[row];
        let (columns, bins) = (self.columns(row), self.bins(row));
        let known = hits.count();
        for at in 0..(row.end - row.start) as usize {
            let extent = columns.get(at);
            let end = bins[row.bin_of(extent.max[0]) + 1] - row.start;
            let _ = columns.sweep(at + 1..end as usize, &extent, compare, |first, bits| {
                let (one, first) = (row.start + at as u32, row.start + first as u32);
                hits.add(one, first, bits, |_| true);
                ControlFlow::Continue(())
            });
        }
        hits.retain_from(known, |one, other| {
            let low = |number| columns.low((number - row.start) as usize);
            begins(low(one)) | begins(low(other))
        });
    }

    /// Returns a box by its number in the part.
    #[inline(always)]
    pub(super) fn extent(&self, at: usize) -> Extent {
        self.columns.get(at)
    }

    /// Returns the lower edge of a box by its number in the part.
    #[inline(always)]
    pub(super) fn low(&self, at: usize) -> f32 {
        self.columns.low(at)
    }

    /// Returns the lower edges of eight boxes, from a number on.
    #[inline(always)]
    pub(super) fn lows(&self, first: usize) -> &[f32; LANES] {
        self.columns.every_row().eight(first).low
    }

    #[inline(always)]
    fn columns(&self, row: &Row) -> Columns<&[f32]> {
        self.columns.row(row.start as usize..row.end as usize)
    }

    /// Returns the range of the boxes of a bin.
    #[inline(always)]
    fn bin(&self, row: &Row, number: usize) -> Range<usize> {
        let [start, end] = self.bins[row.first_bin as usize + number..]
            .first_chunk()
            .expect("behind each bin is where it ends");
        *start as usize..*end as usize
    }

    /// Returns the starts of a row's bins, and the end of the last one.
    fn bins(&self, row: &Row) -> &[u32] {
        &self.bins[row.first_bin as usize..(row.first_bin + row.last_bin) as usize + 2]
    }
}

impl Row {
    /// Returns the bin of a left edge. Bins never decrease with the edge, whatever rounding does. Edges beyond the ends are in the outer bins.
    #[inline(always)]
    fn bin_of(&self, left: f32) -> usize {
        self.bin_at(nearest_integer((left - self.left) * self.bins_per_unit))
    }

    /// The same for two edges.
    #[inline(always)]
    fn bins_of(&self, left: f32, right: f32) -> [usize; 2] {
        let edges = Vec4::new(left, right, left, right);
        let [first, last, ..] = nearest_integers((edges - self.left) * self.bins_per_unit);
        [first, last].map(|bin| self.bin_at(bin))
    }

    #[inline(always)]
    fn bin_at(&self, number: i32) -> usize {
        // The first bin for edges before it, and for NaN.
        (number.max(0) as u32).min(self.last_bin) as usize
    }
}
