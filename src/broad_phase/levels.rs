//! Boxes by their size, so that strips fit them: a level's strips are 16 times as high as those of the level below.
//!
//! Boxes of one level meet in its strips. A box of a higher level is searched for in the strips of each lower one; so a pair of
//! unlike size is found on the level of the smaller box, and costs the strips that the larger one covers there.

use std::ops::ControlFlow;

use bevy::math::Vec2;

#[cfg(feature = "debug")]
use super::grid::Strips;
use super::{
    chunk::Chunk,
    chunks::{Chunks, STRIP_HEIGHT},
    extent::{Boxes, Extent, HasExtent},
    lanes::Region,
    rows::{RowHits, Rows},
    walks::Way,
};

/// Boxes that are kept in strips, by level.
#[derive(Clone, Debug)]
pub(crate) struct Levels<T> {
    chunks: Chunks<T>,
    /// The rows of each level, the lowest first. Rows beyond the levels keep their buffers for later.
    rows: Vec<Rows<T>>,
    /// Number of all boxes, which every query reads.
    count: usize,
}

impl<T> Default for Levels<T> {
    fn default() -> Self {
        Self {
            chunks: Chunks::default(),
            rows: Vec::new(),
            count: 0,
        }
    }
}

impl<T: Copy + HasExtent + Send + Sync> Levels<T> {
    /// Replaces all boxes by these. The parts of all rows have to be sorted then.
    pub(super) fn fill(&mut self, boxes: &impl Boxes<T>) {
        self.chunks.fill(boxes);
        self.prepare_rows();
    }

    /// The same for boxes most of which are at or near their places of the last time, which takes a third of the time.
    pub(super) fn fill_again(&mut self, boxes: &impl Boxes<T>) {
        self.chunks.fill_again(boxes);
        self.prepare_rows();
    }

    fn prepare_rows(&mut self) {
        self.count = 0;
        for (number, (level, grid)) in self.chunks.levels().enumerate() {
            if self.rows.len() == number {
                self.rows.push(Rows::new(*grid));
            }
            self.rows[number].prepare(level.count, level.all(), *grid);
            self.count += level.count;
        }
    }

    /// Returns the levels from the lowest on; some in between may be empty.
    pub(super) fn rows(&self) -> &[Rows<T>] {
        &self.rows[..self.chunks.levels().len()]
    }

    /// Returns the same, to be sorted, and the chunks with their boxes.
    pub(super) fn rows_to_sort(&mut self) -> (&mut [Rows<T>], &[Chunk<T>]) {
        let levels = self.chunks.levels().len();
        (&mut self.rows[..levels], self.chunks.get())
    }

    /// Returns about the mean size of the boxes without the largest ones; or more where they are far apart: about a 32nd of the spacing between them.
    pub(crate) fn typical_size(&self) -> f32 {
        let lowest = self.rows().first();
        lowest.map_or(1.0, |rows| rows.grid().strip_height() / STRIP_HEIGHT)
    }

    /// Returns the strips of all levels that have boxes.
    #[cfg(feature = "debug")]
    pub(crate) fn strips(&self) -> impl Iterator<Item = Strips> {
        let rows = self.rows().iter().filter(|rows| !rows.is_empty());
        rows.map(|rows| rows.grid().strips_in(rows.all()))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Calls `each` once with every box, in an order in which boxes near each other mostly follow one another.
    pub(crate) fn each(&self, mut each: impl FnMut(&T)) {
        for rows in self.rows() {
            rows.each(&mut each);
        }
    }

    /// Prefetches the memory of boxes around a place, for a search there.
    pub(crate) fn prefetch_around(&self, place: Vec2) {
        let levels = self.rows().iter().filter(|rows| !rows.is_empty());
        levels.for_each(|rows| rows.prefetch_around(place));
    }

    /// Calls `found` once for every box that shares at least an edge with this one.
    pub(crate) fn query(&self, extent: &Extent, mut found: impl FnMut(&T)) {
        let _ = self.walk_within(&Region::around(extent), |met| {
            met.for_each(|(one, _)| found(one));
            ControlFlow::Continue(())
        });
    }

    /// Calls `found` once with every box that meets a region, until it breaks off: with several at a time, and with whether each lies in the region as a whole.
    #[expect(
        clippy::redundant_closure,
        reason = "what is called by reference is not compiled in place"
    )]
    pub(crate) fn walk_within<'a>(
        &'a self,
        region: &Region,
        mut found: impl FnMut(RowHits<'a, T>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut levels = self.rows().iter().filter(|rows| !rows.is_empty());
        levels.try_for_each(|rows| rows.walk_within(region, |met| found(met)))
    }

    /// Calls `found` once for every box that may be met on a way before the limit, a fraction of the way; mostly earlier ones sooner. `found` gets the limit and returns the new one, which may
    /// only get smaller; a negative one ends the walk. Returns the last limit.
    ///
    /// `TO_THE_END` is for when the limit is not expected to get smaller by much, or soon: it is faster then.
    ///
    /// Costs the strips that the way crosses, and the boxes near the way in each of them.
    #[expect(
        clippy::redundant_closure,
        reason = "what is called by reference is not compiled in place"
    )]
    pub(crate) fn walk_along<'a, const TO_THE_END: bool>(
        &'a self,
        way: &Way,
        limit: f32,
        mut found: impl FnMut(&'a T, f32) -> f32,
    ) -> f32 {
        let levels = self.rows().iter();
        levels.fold(limit, |limit, rows| {
            rows.walk_along::<TO_THE_END>(way, limit, |one, limit| found(one, limit))
        })
    }

    /// Calls `found` once for every box that may be within reach of a place, itself up to `drift` away from where it is looked for; mostly nearer ones sooner. `found` gets the reach and returns the new one, which may only get smaller; a negative
    /// one ends the walk. Returns the last reach.
    ///
    /// Costs the boxes that are about as near as the nearest one that counts.
    #[expect(
        clippy::redundant_closure,
        reason = "what is called by reference is not compiled in place"
    )]
    pub(crate) fn walk_around<'a>(
        &'a self,
        place: Vec2,
        drift: f32,
        reach: f32,
        mut found: impl FnMut(&'a T, f32) -> f32,
    ) -> f32 {
        let levels = self.rows().iter();
        levels.fold(reach, |reach, rows| {
            rows.walk_around(place, drift, reach, |one, reach| found(one, reach))
        })
    }
}
