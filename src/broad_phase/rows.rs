//! Horizontal strips, each with a row of boxes sorted by left edge.
//!
//! ```text
//! strip 2   [a]      [b  ]            a box is in every strip that it touches: in a few, given the strip height;
//! strip 1       [c  ][b  ]   [d]      in each strip it meets those that begin before it ends;
//! strip 0       [c  ]     [e]         a pair counts in the one strip in which the upper of the two begins.
//! ```

use std::ops::ControlFlow;

use super::{
    chunk::Chunk,
    chunks::STRIP_HEIGHT,
    extent::{Extent, HasExtent},
    grid::{Grid, MAX_STRIPS, PARTS, Span},
    lanes::{Hits, Region},
    part::Part,
    vectors::{Compare, LANES},
};

/// Bits of a number for the index in a part; the other bits are for the part.
const PLACE_BITS: u32 = u32::BITS - PARTS.ilog2();

/// The boxes of a level.
#[derive(Clone, Debug)]
pub(super) struct Rows<T> {
    grid: Grid,
    count: usize,
    /// The strips from the lowest to the highest box.
    all: Span,
    /// Parts beyond those of the grid keep their buffers for later.
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

    /// Returns the strips in use. Meaningless if there are no boxes.
    pub(super) fn all(&self) -> Span {
        self.all
    }

    pub(super) fn part(&self, number: usize) -> &Part<T> {
        &self.parts[number]
    }

    pub(super) fn part_count(&self) -> usize {
        self.grid.parts()
    }

    /// Makes room for so many boxes. They can be found only after the parts are sorted.
    pub(super) fn prepare(&mut self, count: usize, all: Span, grid: Grid) {
        // All of them may be in one part, each in several rows.
        assert!(
            count <= (1 << PLACE_BITS) / MAX_STRIPS as usize,
            "too many boxes"
        );
        self.count = count;
        self.all = all;
        self.grid = grid;
        if self.parts.len() < grid.parts() {
            self.parts.resize_with(grid.parts(), Part::default);
        }
    }

    /// Returns the parts, to be sorted by [`PartToSort::sort`] in any order, with the boxes that belong in them.
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

    /// Calls `found` with every box that meets a region, until it breaks off: with several at a time.
    #[inline(always)]
    pub(super) fn walk_within<'a>(
        &'a self,
        region: &Region,
        mut found: impl FnMut(RowHits<'a, T>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // Three quarters of a strip: on the lowest level, six times the mean size of its boxes, or more. A smaller region hardly holds any box as a whole, and checking that takes longer than asking the kernel about each.
        let size = self.grid.strip_height() * (6.0 / STRIP_HEIGHT);
        let (extent, inside) = (region.extent(), region.inside(size));
        let asked = (&extent, inside.as_ref());
        let mut visits = self.visits(extent);
        visits.try_for_each(|visit| {
            let Visit { part, row, .. } = visit;
            let mut range = part.range_within(row, &extent);
            loop {
                let (mut met, mut seen) = (RowHits::none(part.items()), range.end);
                let _ = part.meet_within(range.clone(), asked, |first, bits, held| {
                    met.add(first, visit.wanted(first, bits), held);
                    if met.is_full() {
                        seen = first + LANES;
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                });
                // The only call, so that it is inlined; and mostly no box is met.
                if met.bits != 0 {
                    found(met)?;
                }
                if seen >= range.end {
                    return ControlFlow::Continue(());
                }
                range.start = seen;
            }
        })
    }

    /// Calls `each` once with every box, mostly from strip to strip and from left to right.
    pub(super) fn each(&self, mut each: impl FnMut(&T)) {
        let grid = self.grid;
        let places = if self.is_empty() { 0 } else { grid.places() };
        for place in 0..places {
            let (number, row) = grid.part(place);
            let part = &self.parts[number];
            let begins = |low: f32| grid.begins_in(low, place);
            part.beginning(row, begins, |_, at| each(&part.items()[at as usize]));
        }
    }

    /// Lists every box that meets the box `one` from elsewhere, by numbers for [`place_of`].
    #[inline]
    pub(super) fn list(&self, (one, extent): (u32, &Extent), hits: &mut Hits) {
        self.visits(*extent).for_each(|visit| {
            let range = visit.part.range_within(visit.row, extent);
            let asked = (extent, None);
            let _ = visit.part.meet_within(range, asked, |first, bits, _| {
                let first = number_at(visit.number, first);
                hits.add(one, first, bits, |number| {
                    visit.is_wanted(place_of(number).1)
                });
                ControlFlow::Continue(())
            });
        });
    }

    /// Returns the owners of the boxes, by part.
    pub(super) fn items(&self) -> [&[T]; PARTS] {
        std::array::from_fn(|part| self.parts.get(part).map_or(&[][..], Part::items))
    }

    /// Returns the places that a box from elsewhere is in.
    #[inline(always)]
    fn visits(&self, extent: Extent) -> impl Iterator<Item = Visit<'_, T>> {
        let grid = self.grid;
        // If it is in nearly all places, each is visited once, and each box counts in the place where it begins.
        let (span, is_all) = grid.strips(extent.min[1], extent.max[1]);
        let strips = if self.is_empty() {
            0..0
        } else {
            span.first..span.last + 1
        };
        strips.map(move |strip| {
            let place = grid.place(strip);
            let (number, row) = grid.part(place);
            let own = if is_all {
                Own::Place(place)
            } else if strip == span.first {
                Own::All
            } else {
                Own::Strip(strip)
            };
            Visit {
                part: &self.parts[number],
                number,
                row,
                grid,
                own,
            }
        })
    }
}

/// Which of up to 64 boxes of a row meet a region, and which certainly lie in it as a whole: of some that is not known.
// So many at a time, because how many of eight do is unpredictable, and each misprediction takes as long as some of the boxes.
#[derive(Clone, Copy)]
pub(crate) struct RowHits<'a, T> {
    items: &'a [T],
    /// The number of the first box.
    first: usize,
    /// For so many boxes it is known whether they meet the region.
    count: u32,
    /// The lowest bit is for the first box.
    bits: u64,
    held: u64,
}

impl<'a, T> RowHits<'a, T> {
    fn none(items: &'a [T]) -> Self {
        Self {
            items,
            first: 0,
            count: 0,
            bits: 0,
            held: 0,
        }
    }

    fn is_full(&self) -> bool {
        self.count == u64::BITS
    }

    /// Adds the next eight boxes of the row.
    #[inline(always)]
    fn add(&mut self, first: usize, bits: u32, held: u32) {
        self.bits |= u64::from(bits) << self.count;
        self.held |= u64::from(held) << self.count;
        self.first = first - self.count as usize;
        self.count += LANES as u32;
    }
}

impl<'a, T> Iterator for RowHits<'a, T> {
    type Item = (&'a T, bool);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.bits == 0 {
            return None;
        }
        let lane = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        let item = &self.items[self.first + lane as usize];
        Some((item, self.held >> lane & 1 != 0))
    }
}

/// Combines a part and a box in it into one number.
#[inline(always)]
fn number_at(part: usize, at: usize) -> u32 {
    (part << PLACE_BITS | at) as u32
}

/// Returns the part, and the index of the box in it.
#[inline(always)]
pub(super) fn place_of(number: u32) -> (usize, usize) {
    let number = number as usize;
    (number >> PLACE_BITS, number & ((1 << PLACE_BITS) - 1))
}

/// A place that a box from elsewhere is in.
struct Visit<'a, T> {
    part: &'a Part<T>,
    /// The number of the part.
    number: usize,
    row: usize,
    grid: Grid,
    own: Own,
}

/// Which boxes of a place count, so that each counts in only one.
#[derive(Clone, Copy)]
enum Own {
    /// All: in the lowest strip of the box from elsewhere, boxes that begin further down count too.
    All,
    /// Those that begin in this strip.
    Strip(i32),
    /// Those that begin in this place.
    Place(usize),
}

impl<T: Copy + HasExtent> Visit<'_, T> {
    /// Whether a pair is not found in a lower place.
    #[inline(always)]
    fn is_wanted(&self, at: usize) -> bool {
        match self.own {
            Own::All => true,
            Own::Strip(strip) => self.grid.strip_at(self.part.low(at)) == strip,
            Own::Place(place) => self.grid.begins_in(self.part.low(at), place),
        }
    }

    /// The same for those of eight boxes that have a bit.
    #[inline(always)]
    fn wanted(&self, first: usize, bits: u32) -> u32 {
        match self.own {
            Own::All => bits,
            Own::Strip(strip) => bits & self.grid.are_in(self.part.lows(first), strip),
            Own::Place(_) => {
                let is_wanted = |lane: usize| bits >> lane & 1 != 0 && self.is_wanted(first + lane);
                (0..LANES)
                    .filter(|&lane| is_wanted(lane))
                    .fold(0, |wanted, lane| wanted | 1_u32 << lane)
            }
        }
    }
}

/// A part that has to be sorted, and the chunks with its boxes.
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

    /// Returns the owners of the boxes, by their numbers.
    pub(super) fn items(&self) -> &[T] {
        self.part.items()
    }

    /// Lists every pair of the sorted part that is not found in another part.
    #[inline(always)]
    pub(super) fn meet_each_other(&self, compare: impl Compare, hits: &mut Hits) {
        for row in 0..self.grid.places_in_part() {
            self.part
                .meet_each_other(row, self.begins(row), compare, hits);
        }
    }

    /// Calls `each` with every box that begins here, and its number: all parts together give each box once.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad_phase::extent::Extent;

    /// In each of its strips, and all may be in one part.
    #[test]
    #[should_panic(expected = "too many boxes")]
    fn a_box_has_a_number_more_than_once() {
        let all = Span { first: 0, last: 2 };
        let grid = Grid::new(1, all, 1.0);
        let mut rows = Rows::<Extent>::new(grid);
        rows.prepare((1 << PLACE_BITS) / 3 + 1, all, grid);
    }
}
