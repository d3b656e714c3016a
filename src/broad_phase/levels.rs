//! Boxes by their size, so that strips fit them: a level's strips are 8 times as high as those of the level below.
//!
//! Boxes of one level meet in its strips. A box of a higher level goes through the strips of each lower one and meets whoever is there; so a pair of
//! unlike size is found on the level of the smaller box, and costs the strips that the larger one covers there.

use std::ops::ControlFlow;

#[cfg(feature = "debug")]
use super::grid::Strips;
use super::{
    chunk::{Chunk, Level},
    extent::{Extent, HasExtent},
    grid::Grid,
    rows::Rows,
    walks::Way,
};
use crate::parallel;

/// The typical size is looked for among so many boxes.
const SAMPLE: usize = 128;
/// Of the sample, one in so many is left out at the upper end: they are what the higher levels are for.
const OUTLIERS: usize = 32;
/// Height of the lowest strips, in typical sizes: low enough that few boxes share a stretch of one, high enough that few boxes lie in two.
const STRIP_HEIGHT: f32 = 6.0;
/// Boxes are read in at most so many chunks.
const CHUNKS: usize = 8;

/// Boxes that are kept in strips, by level.
#[derive(Clone, Debug)]
pub(crate) struct Levels<T> {
    levels: Vec<Level>,
    /// Of each level, the lowest first. Those beyond keep their buffers for another time.
    rows: Vec<Rows<T>>,
    /// Those beyond the count likewise.
    chunks: Vec<Chunk<T>>,
    chunk_count: usize,
    grids: Vec<Grid>,
    sample: Vec<f32>,
}

impl<T> Default for Levels<T> {
    fn default() -> Self {
        Self {
            levels: Vec::new(),
            rows: Vec::new(),
            chunks: Vec::new(),
            chunk_count: 0,
            grids: Vec::new(),
            sample: Vec::new(),
        }
    }
}

impl<T: Copy + HasExtent + Send + Sync> Levels<T> {
    /// Takes these boxes in place of those before. The parts of all rows have to be sorted then.
    pub(super) fn fill(&mut self, boxes: &[T]) {
        let is_large = boxes.len() >= parallel::WORTH_IT;
        let lowest = Level::new(self.strip_height(boxes));
        self.chunk_count = (boxes.len() / (parallel::WORTH_IT / 4)).clamp(1, CHUNKS);
        if self.chunks.len() < self.chunk_count {
            self.chunks.resize_with(self.chunk_count, Chunk::default);
        }
        let chunks = &mut self.chunks[..self.chunk_count];
        // Not `slice::chunks`, which gives none of no boxes.
        let length = boxes.len().div_ceil(chunks.len());
        let stretch = |number: usize| {
            let start = (number * length).min(boxes.len());
            &boxes[start..(start + length).min(boxes.len())]
        };
        parallel::for_each(
            chunks.iter_mut().enumerate(),
            is_large,
            |(number, chunk)| {
                chunk.classify(stretch(number), lowest);
            },
        );

        self.levels.clear();
        for chunk in &*chunks {
            for (number, level) in chunk.levels.iter().enumerate() {
                match self.levels.get_mut(number) {
                    Some(all) => all.add(level),
                    None => self.levels.push(*level),
                }
            }
        }
        self.grids.clear();
        for (number, level) in self.levels.iter().enumerate() {
            let grid = Grid::new(level.count, level.all, level.strips_per_unit);
            self.grids.push(grid);
            if self.rows.len() == number {
                self.rows.push(Rows::new(grid));
            }
            self.rows[number].prepare(level.count, level.all, grid);
        }

        let (chunks, grids) = (chunks.iter_mut().enumerate(), &self.grids[..]);
        parallel::for_each(chunks, is_large, |(number, chunk)| {
            chunk.write(stretch(number), grids);
        });
    }

    /// The levels from the lowest on; some in between may be empty.
    pub(super) fn rows(&self) -> &[Rows<T>] {
        &self.rows[..self.levels.len()]
    }

    /// The same, to be sorted, and where their boxes are.
    pub(super) fn rows_to_sort(&mut self) -> (&mut [Rows<T>], &[Chunk<T>]) {
        (
            &mut self.rows[..self.levels.len()],
            &self.chunks[..self.chunk_count],
        )
    }

    /// The strips of all levels that have boxes.
    #[cfg(feature = "debug")]
    pub(crate) fn strips(&self) -> impl Iterator<Item = Strips> {
        let rows = self.rows().iter().filter(|rows| !rows.is_empty());
        rows.map(|rows| rows.grid().strips_in(rows.all()))
    }

    /// Calls `found` once for every box that shares at least an edge with this one.
    pub(crate) fn query(&self, extent: &Extent, mut found: impl FnMut(&T)) {
        let _ = self.query_until(extent, |one| {
            found(one);
            ControlFlow::Continue(())
        });
    }

    /// The same until it breaks off.
    pub(crate) fn query_until(
        &self,
        extent: &Extent,
        mut found: impl FnMut(&T) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut levels = self.rows().iter();
        levels.try_for_each(|rows| rows.query(extent, &mut found))
    }

    /// Calls `found` once for every box that may be met on a way before the limit, a fraction of the way; the earlier ones sooner, by and large. It is given the limit and answers it anew, which may
    /// only become less; a negative one ends the walk. So does this.
    ///
    /// Costs the strips that the way crosses, and in each of them who is near the way.
    pub(crate) fn walk_along(
        &self,
        way: &Way,
        limit: f32,
        mut found: impl FnMut(&T, f32) -> f32,
    ) -> f32 {
        let levels = self.rows().iter();
        levels.fold(limit, |limit, rows| rows.walk_along(way, limit, &mut found))
    }

    /// Calls `found` once for every box that may be within reach of this one, the nearer ones sooner, by and large. It is given the reach and answers it anew, which may only become less; a negative
    /// one ends the walk. So does this.
    ///
    /// Costs who is about as near as the nearest that counts.
    pub(crate) fn walk_around(
        &self,
        around: &Extent,
        reach: f32,
        mut found: impl FnMut(&T, f32) -> f32,
    ) -> f32 {
        let levels = self.rows().iter();
        levels.fold(reach, |reach, rows| {
            rows.walk_around(around, reach, &mut found)
        })
    }

    /// Height of the lowest strips: a few times the mean size, without the largest ones.
    fn strip_height(&mut self, boxes: &[T]) -> f32 {
        let sample = &mut self.sample;
        sample.clear();
        let step = boxes.len().div_ceil(SAMPLE).max(1);
        let some = boxes.iter().step_by(step);
        sample.extend(some.map(|one| one.extent().size().max(0.0)));
        let typical = sample.len() - sample.len() / OUTLIERS;
        if typical < sample.len() {
            sample.select_nth_unstable_by(typical, f32::total_cmp);
            sample.truncate(typical);
        }
        let mean = sample.iter().sum::<f32>() / sample.len().max(1) as f32;
        // Points have no size. Anything does then, as long as its inverse is finite.
        (mean * STRIP_HEIGHT).max(1.0e-3)
    }
}
