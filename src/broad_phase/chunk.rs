//! Boxes on their way to the strips: a stretch of those given, which one thread sorts by level and strip.

use super::{
    extent::{Extent, HasExtent},
    grid::{Grid, MAX_STRIPS, Span},
};

/// How much higher the strips of the next level are.
const LEVEL_FACTOR: f32 = 8.0;

/// What is known of the boxes of a level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    strip_height: f32,
    pub(super) strips_per_unit: f32,
    /// Boxes that are larger belong to a higher one.
    largest: f32,
    /// How many there are, and the strips from the lowest to the highest of them.
    pub(super) count: usize,
    pub(super) all: Span,
}

impl Level {
    pub(super) fn new(strip_height: f32) -> Self {
        Self {
            strip_height,
            strips_per_unit: strip_height.recip(),
            // A box of the height of n strips touches up to n + 1.
            largest: strip_height * (MAX_STRIPS - 2) as f32,
            count: 0,
            all: Span::NONE,
        }
    }

    /// The one above.
    fn next(&self) -> Self {
        Self::new(self.strip_height * LEVEL_FACTOR)
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.all = self.all.and(other.all);
    }
}

/// Buffers for some of the boxes.
#[derive(Clone, Debug)]
pub(super) struct Chunk<T> {
    pub(super) levels: Vec<Level>,
    /// Of each box.
    places: Vec<(u8, Span)>,
    /// By level. Those beyond keep their buffers for another time.
    entries: Vec<Entries<T>>,
}

/// The boxes of a level, once for each strip that they touch.
#[derive(Clone, Debug)]
struct Entries<T> {
    /// Where each place begins, and where the last one ends.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Chunk<T> {
    fn default() -> Self {
        Self {
            levels: Vec::new(),
            places: Vec::new(),
            entries: Vec::new(),
        }
    }
}

impl<T: Copy + HasExtent> Chunk<T> {
    /// Finds out which levels there are from this one on, and the level and the strips of each box.
    pub(super) fn classify(&mut self, boxes: &[T], lowest: Level) {
        let Self { levels, places, .. } = self;
        levels.clear();
        levels.push(lowest);
        // Most are on the lowest level: what is known of it is kept at hand meanwhile.
        let mut lowest = lowest;
        places.clear();
        places.extend(boxes.iter().map(|one| {
            let extent = one.extent();
            let number = if extent.size() > lowest.largest {
                level_of(&extent, levels)
            } else {
                0
            };
            let level = match number {
                0 => &mut lowest,
                _ => &mut levels[number],
            };
            let span = Span::new(&extent, level.strips_per_unit);
            level.count += 1;
            level.all = level.all.and(span);
            (number as u8, span)
        }));
        levels[0] = lowest;
    }

    /// Writes the same boxes to their strips. There are as many grids as levels, or more.
    pub(super) fn write(&mut self, boxes: &[T], grids: &[Grid]) {
        if self.entries.len() < grids.len() {
            self.entries.resize_with(grids.len(), Entries::default);
        }
        for (entries, grid) in self.entries.iter_mut().zip(grids) {
            entries.starts.clear();
            entries.starts.resize(grid.places() + 1, 0);
        }
        for &(level, span) in &self.places {
            let (entries, grid) = (&mut self.entries[level as usize], grids[level as usize]);
            for strip in span.strips() {
                entries.starts[grid.place(strip)] += 1;
            }
        }
        for entries in &mut self.entries[..grids.len()] {
            // Counts become ends; writing backwards turns ends into starts.
            let mut end = 0;
            for count in &mut entries.starts {
                end += *count;
                *count = end;
            }
            match boxes.first() {
                Some(any) => entries.items.resize(end as usize, *any),
                None => entries.items.clear(),
            }
        }
        for (one, &(level, span)) in boxes.iter().zip(&self.places) {
            let (entries, grid) = (&mut self.entries[level as usize], grids[level as usize]);
            for strip in span.strips() {
                let start = &mut entries.starts[grid.place(strip)];
                *start -= 1;
                entries.items[*start as usize] = *one;
            }
        }
    }

    /// The boxes in a place of a level.
    pub(super) fn row(&self, level: usize, place: usize) -> &[T] {
        let Entries { starts, items } = &self.entries[level];
        &items[starts[place] as usize..starts[place + 1] as usize]
    }
}

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self {
            starts: Vec::new(),
            items: Vec::new(),
        }
    }
}

/// The lowest level on which a box touches few strips. Levels are added as far as needed.
#[inline]
fn level_of(extent: &Extent, levels: &mut Vec<Level>) -> usize {
    let size = extent.size();
    let mut number = 0;
    while size > levels[number].largest {
        number += 1;
        if number == levels.len() {
            levels.push(levels[number - 1].next());
        }
    }
    number
}
