//! All boxes in their strips: divided among chunks, in as much room as the last tick has shown to be needed.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{
    chunk::{CHUNKS, Chunk, Level, Spare, Stretch},
    extent::{Boxes, Extent, HasExtent},
    grid::Grid,
};
use crate::parallel;

/// The typical size is estimated from so many boxes.
const SAMPLE: usize = 128;
/// One in so many of the sample is left out, from the upper end: the higher levels are for these.
const OUTLIERS: usize = 32;
/// Height of the lowest strips, in typical sizes: low enough that few boxes share a stretch of one, high enough that few boxes lie in two.
pub(super) const STRIP_HEIGHT: f32 = 8.0;
/// And at least this part of the spacing between boxes, where they are small compared to it: searches are not for smaller areas.
const SPACING_PART: f32 = 0.25;
/// Spare room for boxes that change strips: so much for all places together, and at most so much for each, in addition to a share of the present boxes.
const SPARE: usize = 8192;
const SPARE_EACH: usize = 8;
/// If the room did not last for a single tick, reusing it is not tried for so many ticks.
const WAIT: u32 = 15;

/// Chunks, and the grids of their levels.
#[derive(Clone, Debug)]
pub(super) struct Chunks<T> {
    levels: Vec<Level>,
    grids: Vec<Grid>,
    /// Chunks beyond the count keep their buffers for later.
    chunks: Vec<Chunk<T>>,
    count: usize,
    /// The room in the chunks was made for the present boxes.
    is_new: bool,
    /// There are too many strips for their places by now, or too few.
    is_outgrown: bool,
    wait: u32,
    sample: Vec<f32>,
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Self {
            levels: Vec::new(),
            grids: Vec::new(),
            chunks: Vec::new(),
            count: 0,
            is_new: false,
            is_outgrown: false,
            wait: 0,
            sample: Vec::new(),
        }
    }
}

impl<T> Chunks<T> {
    pub(super) fn get(&self) -> &[Chunk<T>] {
        &self.chunks[..self.count]
    }

    /// Returns the levels, the lowest first; some in between may be empty.
    pub(super) fn levels(&self) -> impl ExactSizeIterator<Item = (&Level, &Grid)> {
        self.levels.iter().zip(&self.grids)
    }
}

impl<T: Copy + HasExtent + Send + Sync> Chunks<T> {
    /// Replaces all boxes by these, with no more room than they need.
    pub(super) fn fill(&mut self, boxes: &impl Boxes<T>) {
        self.divide(boxes.count());
        let lowest = self.lowest_level(boxes);
        self.make_room(boxes, lowest, false);
    }

    /// The same, faster if most boxes are at or near their places of the last time.
    pub(super) fn fill_again(&mut self, boxes: &impl Boxes<T>) {
        let is_divided_alike = self.divide(boxes.count());
        let lowest = self.lowest_level(boxes);
        let is_like_it = |level: &Level| level.is_like(&lowest);
        let is_worth_it = self.wait == 0
            && is_divided_alike
            && !self.is_outgrown
            && self.levels.first().is_some_and(is_like_it);
        if is_worth_it && self.write(boxes) {
            self.add_up();
            self.is_new = false;
            return;
        }
        self.wait = if is_worth_it && self.is_new {
            WAIT
        } else {
            self.wait.saturating_sub(1)
        };
        self.make_room(boxes, lowest, true);
        self.is_new = true;
    }

    /// Sets the number of chunks for so many boxes. Returns whether it is the same as before.
    fn divide(&mut self, count: usize) -> bool {
        let chunks = (count / (parallel::WORTH_IT / 4)).clamp(1, CHUNKS);
        if self.chunks.len() < chunks {
            self.chunks.resize_with(chunks, Chunk::default);
        }
        std::mem::replace(&mut self.count, chunks) == chunks
    }

    /// Determines how much room the boxes need, makes it, and writes them there.
    fn make_room(&mut self, boxes: &impl Boxes<T>, lowest: Level, has_spare: bool) {
        let chunks = &mut self.chunks[..self.count];
        each(chunks, boxes, |chunk, some| chunk.measure(some, lowest));
        self.add_up();
        let grids = self.levels.iter().map(Level::grid);
        self.grids.clear();
        self.grids.extend(grids);
        self.is_outgrown = false;

        let places: usize = self.grids.iter().map(Grid::places).sum();
        let spare = has_spare.then(|| Spare {
            each: (SPARE / (places * self.count)).min(SPARE_EACH) as u32,
        });
        let (chunks, grids) = (&mut self.chunks[..self.count], &self.grids);
        each(chunks, boxes, |chunk, some| chunk.plan(some, grids, spare));
        let is_room = self.write(boxes);
        debug_assert!(is_room, "it was made for the same boxes");
    }

    /// Writes the boxes into the present room. Returns false if there is no room for one of them.
    fn write(&mut self, boxes: &impl Boxes<T>) -> bool {
        let Self { levels, grids, .. } = self;
        let is_room = AtomicBool::new(true);
        each(&mut self.chunks[..self.count], boxes, |chunk, some| {
            if !chunk.write(some, levels, grids) {
                is_room.store(false, Ordering::Relaxed);
            }
        });
        is_room.into_inner()
    }

    /// Adds up the level statistics of all chunks.
    fn add_up(&mut self) {
        self.levels.clear();
        for chunk in &self.chunks[..self.count] {
            for (number, level) in chunk.levels.iter().enumerate() {
                match self.levels.get_mut(number) {
                    Some(all) => all.add(level),
                    None => self.levels.push(*level),
                }
            }
        }
        let mut levels = self.levels.iter().zip(&self.grids);
        self.is_outgrown = levels.any(|(level, grid)| {
            let (best, places) = (level.grid().places(), grid.places());
            best > places || best < places / 4
        });
    }

    /// Returns the lowest level. Its strips are a few times as high as the mean size without the largest boxes; or higher, where the space between boxes is so large that a search around would go through many strips in vain.
    fn lowest_level(&mut self, boxes: &impl Boxes<T>) -> Level {
        let (count, sample) = (boxes.count(), &mut self.sample);
        sample.clear();
        let mut around = Extent::EMPTY;
        for number in (0..count).step_by(step_of(count)) {
            let extent = boxes.at(number).extent();
            sample.push(extent.size().max(0.0));
            around = around.union(&extent);
        }
        let typical = sample.len() - sample.len() / OUTLIERS;
        if typical < sample.len() {
            sample.select_nth_unstable_by(typical, f32::total_cmp);
            sample.truncate(typical);
        }
        let mean = sample.iter().sum::<f32>() / sample.len().max(1) as f32;
        // Points have no size, and may all lie in one place. Any height does then, as long as its inverse is finite.
        let height = (mean * STRIP_HEIGHT).max(1.0e-3);
        let [width, tall] = [0, 1].map(|axis| around.max[axis] - around.min[axis]);
        // A first estimate, which boxes far out can only raise: mostly it is small, and the exact one is not needed.
        let height = if spacing(count, width, tall) > height {
            height.max(self.spacing(boxes))
        } else {
            height
        };
        Level::new(height)
    }

    /// Returns the strip height that the spacing of the boxes asks for, ignoring those far out.
    fn spacing(&mut self, boxes: &impl Boxes<T>) -> f32 {
        let (count, sample) = (boxes.count(), &mut self.sample);
        let [width, height] = [0, 1].map(|axis| {
            sample.clear();
            let some = (0..count).step_by(step_of(count));
            let extents = some.map(|number| boxes.at(number).extent());
            let places = extents.filter(|extent| extent.size() >= 0.0);
            sample.extend(places.map(|extent| extent.min[axis]));
            let aside = sample.len() / OUTLIERS;
            if sample.len() <= 2 * aside + 1 {
                return 0.0;
            }
            let (_, low, rest) = sample.select_nth_unstable_by(aside, f32::total_cmp);
            let last = rest.len() - 1 - aside;
            let (_, high, _) = rest.select_nth_unstable_by(last, f32::total_cmp);
            *high - *low
        });
        let spacing = spacing(count, width, height);
        if spacing.is_finite() { spacing } else { 0.0 }
    }
}

/// The sample is one of so many boxes.
fn step_of(count: usize) -> usize {
    count.div_ceil(SAMPLE).max(1)
}

/// Returns a part of the spacing of so many boxes: of the side of the square that each has if they are spread evenly; or, if they lie along a vertical line, of their distance on it.
fn spacing(count: usize, width: f32, height: f32) -> f32 {
    let count = count as f32;
    let apart = (width / count * height).sqrt();
    apart.max(height / count) * SPACING_PART
}

/// Runs `work` for each chunk with its stretch of the boxes.
fn each<T: Send, B: Boxes<T>>(
    chunks: &mut [Chunk<T>],
    boxes: &B,
    work: impl Fn(&mut Chunk<T>, Stretch<B>) + Sync,
) {
    let count = boxes.count();
    let is_large = count >= parallel::WORTH_IT;
    let length = count.div_ceil(chunks.len());
    parallel::for_each(
        chunks.iter_mut().enumerate(),
        is_large,
        |(number, chunk)| {
            let start = (number * length).min(count);
            let end = (start + length).min(count);
            work(chunk, Stretch { boxes, start, end });
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(y: impl Fn(usize) -> f32) -> Vec<Extent> {
        let square = |number: usize| {
            let [x, y] = [(number % 40) as f32 * 3.0, y(number)];
            Extent {
                min: [x, y],
                max: [x + 2.0, y + 2.0],
            }
        };
        (0..1000).map(square).collect()
    }

    #[test]
    fn a_few_larger_ones_have_no_level_of_their_own_unless_they_are_a_dozen_times_as_large() {
        // Most are 2 high, so strips are 16 high.
        for (height, levels) in [
            (2.0, 1),
            (16.0, 1),
            (23.9, 1),
            (24.1, 2),
            (380.0, 2),
            (390.0, 3),
        ] {
            let mut boxes = squares(|number| (number / 40) as f32 * 3.0);
            boxes[500].max[1] = boxes[500].min[1] + height;
            let mut chunks = Chunks::default();
            chunks.fill(&boxes.as_slice());
            assert_eq!(chunks.levels().len(), levels, "{height}");
        }
    }

    /// However small the boxes are: 10 units apart on a plane of 1000 by 1000, on a line across or along it, and with one far out. Four strips for each of the hundred rows, or for each box on a line, and an eighth more: the sample leaves out its ends, and is narrower by as much.
    #[test]
    fn there_are_not_far_more_strips_than_boxes() {
        type Place = fn(usize) -> [f32; 2];
        let places: [(&str, Place, i32); 4] = [
            (
                "on a plane",
                |n| [(n % 100) as f32 * 10.0, (n / 100) as f32 * 10.0],
                450,
            ),
            ("across", |n| [n as f32 * 0.1, 0.0], 1),
            ("along", |n| [0.0, n as f32 * 0.1], 45_000),
            (
                "one far out",
                |n| {
                    [
                        (n % 100) as f32 * 10.0,
                        if n == 5000 {
                            1.0e6
                        } else {
                            (n / 100) as f32 * 10.0
                        },
                    ]
                },
                450_000,
            ),
        ];
        for (case, place, most) in places {
            for size in [0.0, 1.0e-3] {
                let point = |number: usize| {
                    let [x, y] = place(number);
                    Extent {
                        min: [x, y],
                        max: [x + size, y + size],
                    }
                };
                let boxes: Vec<Extent> = (0..10_000).map(point).collect();
                let mut chunks = Chunks::default();
                chunks.fill(&boxes.as_slice());
                let level = chunks.levels().next().unwrap().0;
                let strips = level.all();
                let count = strips.last - strips.first + 1;
                assert!(count <= most + 1, "{case}, {size}: {count}");
            }
        }
    }

    /// However far that one falls or flies: all others are searched for in no more places than before, or hardly more.
    #[test]
    fn one_far_out_costs_no_place_for_each_of_the_others() {
        let mut chunks = Chunks::default();
        let mut fill = |far: f32| {
            let row = |number: usize| (number / 40) as f32 * 3.0;
            let mut boxes: Vec<Extent> = (0..8).flat_map(|_| squares(row)).collect();
            let there = Extent {
                min: [0.0, far],
                max: [1.0, far + 1.0],
            };
            boxes.push(there);
            chunks.fill_again(&boxes.as_slice());
            (boxes.len(), chunks.grids[0].places(), chunks.is_new)
        };
        fill(0.0);
        let (count, near, _) = fill(0.0);
        assert!(near <= count / 8, "{near} for {count}");
        fill(-1.0e6);
        let (_, far, _) = fill(-1.0e6);
        assert!(far <= count.next_power_of_two() / 4, "{far} for {count}");
        // It goes on falling, into strips that were empty.
        for tick in 1..20 {
            let (.., is_new) = fill(-1.0e6 - 70.0 * tick as f32);
            assert!(!is_new, "tick {tick}");
        }
    }

    #[test]
    fn room_lasts_as_long_as_boxes_stay_near_and_no_longer() {
        let mut chunks = Chunks::default();
        let mut is_new = |boxes: &[Extent]| {
            chunks.fill_again(&boxes);
            chunks.is_new
        };
        let row = |number: usize| (number / 40) as f32 * 3.0;
        assert!(is_new(&squares(row)), "there were no chunks before");
        assert!(!is_new(&squares(row)));
        assert!(!is_new(&squares(|number| row(number) + 0.2)));
        let heap = squares(|_| 0.0);
        assert!(is_new(&heap), "one strip has all boxes");
        assert!(!is_new(&heap));
    }
}
