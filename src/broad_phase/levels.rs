//! Boxes by their size, so that strips fit them: a level's strips are 8 times as high as those of the level below.
//!
//! Boxes of one level meet in its strips. A box of a higher level goes through the strips of each lower one and meets whoever is there; so a pair of
//! unlike size is found on the level of the smaller box, and costs the strips that the larger one covers there.

use super::{
    extent::Extent,
    rows::{MAX_STRIPS, Rows},
};

/// How much higher the strips of the next level are.
const LEVEL_FACTOR: f32 = 8.0;
/// The typical size is looked for among so many boxes.
const SAMPLE: usize = 128;
/// Of the sample, one in so many is left out at the upper end: they are what the higher levels are for.
const OUTLIERS: usize = 32;
/// Height of the lowest strips, in typical sizes: low enough that few boxes share a stretch of one, high enough that few boxes lie in two.
const STRIP_HEIGHT: f32 = 6.0;

/// Boxes that are kept in strips, by level.
#[derive(Clone, Debug)]
pub(super) struct Levels<T> {
    /// What came with each box, by its number.
    items: Vec<T>,
    extents: Vec<Extent>,
    /// The lowest first. Those beyond `count` keep their buffers for another time.
    rows: Vec<Rows<T>>,
    count: usize,
    level_of: Vec<u8>,
    sample: Vec<f32>,
}

impl<T> Default for Levels<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            extents: Vec::new(),
            rows: Vec::new(),
            count: 0,
            level_of: Vec::new(),
            sample: Vec::new(),
        }
    }
}

impl<T: Copy> Levels<T> {
    /// Takes these boxes in place of those before.
    pub(super) fn fill(&mut self, boxes: impl IntoIterator<Item = (Extent, T)>) {
        self.items.clear();
        self.extents.clear();
        for (extent, item) in boxes {
            self.extents.push(extent);
            self.items.push(item);
        }
        let mut height = self.strip_height();
        self.level_of.clear();
        let levels = self
            .extents
            .iter()
            .map(|extent| level(extent.size(), height));
        self.level_of.extend(levels);
        let highest = self.level_of.iter().max().copied();
        self.count = highest.map_or(0, |level| usize::from(level) + 1);
        if self.rows.len() < self.count {
            self.rows.resize_with(self.count, Rows::default);
        }
        let Self {
            items,
            extents,
            rows,
            level_of,
            ..
        } = self;
        if self.count == 1 {
            return rows[0].fill(extents, items, 0..extents.len() as u32, height);
        }
        for (own_level, rows) in (0..).zip(&mut rows[..self.count]) {
            let numbers = (0..).zip(&*level_of);
            let own = numbers.filter(|(_, level)| **level == own_level);
            rows.fill(extents, items, own.map(|(number, _)| number), height);
            height *= LEVEL_FACTOR;
        }
    }

    /// The levels from the lowest on; some in between may be empty.
    pub(super) fn rows(&self) -> &[Rows<T>] {
        &self.rows[..self.count]
    }

    /// Height of the lowest strips: a few times the mean size, without the largest ones.
    fn strip_height(&mut self) -> f32 {
        let sample = &mut self.sample;
        sample.clear();
        let step = self.extents.len().div_ceil(SAMPLE).max(1);
        sample.extend(
            self.extents
                .iter()
                .step_by(step)
                .map(|extent| extent.size().max(0.0)),
        );
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

/// The lowest level on which a box of this size touches few strips.
fn level(size: f32, mut height: f32) -> u8 {
    let mut level = 0;
    // A box of the height of n strips touches up to n + 1.
    while size > height * (MAX_STRIPS - 2) as f32 {
        height *= LEVEL_FACTOR;
        level += 1;
    }
    level
}
