//! Horizontal strips, each with a row of boxes sorted by left edge.
//!
//! ```text
//! strip 2   [a]      [b  ]            a box is in every strip that it touches: a few, by choice of the height;
//! strip 1       [c  ][b  ]   [d]      in each strip it meets those that begin before it ends;
//! strip 0       [c  ]     [e]         a pair counts in the one strip in which the upper of the two begins.
//! ```

use std::ops::ControlFlow;

use super::{
    chunk::Chunk,
    extent::{Extent, HasExtent},
    grid::{Grid, PARTS, Span},
    lanes::Hits,
    part::Part,
    vectors::Compare,
};

/// Bits of a number for the place in a part; the others are for the part.
const PLACE_BITS: u32 = u32::BITS - PARTS.ilog2();

/// The boxes of a level.
#[derive(Clone, Debug)]
pub(super) struct Rows<T> {
    grid: Grid,
    count: usize,
    /// From the lowest to the highest box.
    all: Span,
    /// Those beyond the grid's keep their buffers for another time.
    parts: Vec<Part<T>>,
}

impl<T: Copy + HasExtent> Rows<T> {
    pub(super) fn new(grid: Grid) -> Self {
        Self {
            grid,
            count: 0,
            all: Span { first: 0, last: 0 },
            parts: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn grid(&self) -> Grid {
        self.grid
    }

    /// The strips in use. There are some unless it is empty.
    pub(super) fn all(&self) -> Span {
        self.all
    }

    pub(super) fn part(&self, number: usize) -> &Part<T> {
        &self.parts[number]
    }

    pub(super) fn part_count(&self) -> usize {
        self.grid.parts()
    }

    /// Makes room for so many boxes. They are found only when the parts are sorted.
    pub(super) fn prepare(&mut self, count: usize, all: Span, grid: Grid) {
        self.count = count;
        self.all = all;
        self.grid = grid;
        if self.parts.len() < grid.parts() {
            self.parts.resize_with(grid.parts(), Part::default);
        }
    }

    /// The parts, to be sorted by [`PartToSort::sort`], in any order, and what is to be in them.
    pub(super) fn parts_to_sort<'a>(
        &'a mut self,
        level: usize,
        chunks: &'a [Chunk<T>],
    ) -> impl Iterator<Item = PartToSort<'a, T>> {
        let grid = self.grid;
        let parts = self.parts[..grid.parts()].iter_mut().enumerate();
        parts.map(move |(number, part)| PartToSort {
            part,
            grid,
            first_place: number * grid.places_in_part(),
            level,
            chunks,
        })
    }

    /// Calls `found` with every box that meets a box from elsewhere, until it breaks off.
    pub(super) fn query(
        &self,
        extent: &Extent,
        mut found: impl FnMut(&T) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        self.meet(extent, |visit, first, mut bits| {
            while bits != 0 && flow.is_continue() {
                let at = first + bits.trailing_zeros() as usize;
                if visit.is_wanted(at) {
                    flow = found(&visit.part.items()[at]);
                }
                bits &= bits - 1;
            }
            flow
        });
        flow
    }

    /// Lists every box that meets the box `one` from elsewhere, by numbers that [`place_of`] understands.
    #[inline]
    pub(super) fn list(&self, (one, extent): (u32, &Extent), hits: &mut Hits) {
        self.meet(extent, |visit, first, bits| {
            let first = number_at(visit.number, first);
            hits.add(one, first, bits, |number| {
                visit.is_wanted(place_of(number).1)
            });
            ControlFlow::Continue(())
        });
    }

    /// Whose the boxes are, by part.
    pub(super) fn items(&self) -> [&[T]; PARTS] {
        std::array::from_fn(|part| self.parts.get(part).map_or(&[][..], Part::items))
    }

    #[inline(always)]
    fn meet(&self, extent: &Extent, mut hit: impl FnMut(&Visit<T>, usize, u32) -> ControlFlow<()>) {
        if self.is_empty() {
            return;
        }
        let grid = self.grid;
        // If in nearly all places, then in each of them once, and with each box where it begins.
        let (span, is_all) = grid.strips(extent.min[1], extent.max[1]);
        for strip in span.strips() {
            let place = grid.place(strip);
            let (number, row) = grid.part(place);
            let part = &self.parts[number];
            let visit = Visit {
                part,
                number,
                grid,
                place,
                // Where it comes in from below, boxes that began further down count too.
                all_count: !is_all && strip == span.first,
            };
            if part
                .meet(row, extent, |first, bits| hit(&visit, first, bits))
                .is_break()
            {
                break;
            }
        }
    }
}

/// A box in a part, by one number for both.
#[inline(always)]
fn number_at(part: usize, at: usize) -> u32 {
    (part << PLACE_BITS | at) as u32
}

/// The part, and the number there.
#[inline(always)]
pub(super) fn place_of(number: u32) -> (usize, usize) {
    let number = number as usize;
    (number >> PLACE_BITS, number & ((1 << PLACE_BITS) - 1))
}

/// A place that a box from elsewhere goes through.
struct Visit<'a, T> {
    part: &'a Part<T>,
    /// Of the part.
    number: usize,
    grid: Grid,
    place: usize,
    all_count: bool,
}

impl<T: Copy + HasExtent> Visit<'_, T> {
    /// Whether a pair is not found in a lower place.
    #[inline(always)]
    fn is_wanted(&self, at: usize) -> bool {
        self.all_count | self.grid.begins_in(self.part.low(at), self.place)
    }
}

/// A part that has to be sorted, and where its boxes are.
pub(super) struct PartToSort<'a, T> {
    part: &'a mut Part<T>,
    grid: Grid,
    first_place: usize,
    level: usize,
    chunks: &'a [Chunk<T>],
}

impl<T: Copy + HasExtent> PartToSort<'_, T> {
    /// Sorts all rows.
    #[inline(always)]
    pub(super) fn sort(&mut self) {
        self.part.clear();
        for place in self.first_place..self.first_place + self.grid.places_in_part() {
            let chunks = self.chunks.iter();
            self.part
                .add_row(chunks.map(|chunk| chunk.row(self.level, place)));
        }
        self.part.end();
    }

    /// Whose the boxes are, by their numbers.
    pub(super) fn items(&self) -> &[T] {
        self.part.items()
    }

    /// Lists every pair of the part, once it is sorted, that is not found in another part.
    #[inline(always)]
    pub(super) fn meet_each_other(&self, compare: impl Compare, hits: &mut Hits) {
        for row in 0..self.grid.places_in_part() {
            self.part
                .meet_each_other(row, self.begins(row), compare, hits);
        }
    }

    /// Every box that begins here, with its number: all parts together give each box once.
    #[inline]
    pub(super) fn beginning(&self, mut each: impl FnMut(&Extent, u32)) {
        for row in 0..self.grid.places_in_part() {
            self.part.beginning(row, self.begins(row), &mut each);
        }
    }

    #[inline(always)]
    fn begins(&self, row: usize) -> impl Fn(f32) -> bool {
        let (grid, place) = (self.grid, self.first_place + row);
        move |low| grid.begins_in(low, place)
    }
}
