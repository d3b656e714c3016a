//! Sorting boxes into strips: a stretch of the given boxes, which one thread sorts by level and strip.
//!
//! ```text
//! measure    which levels there are, and how far they extend
//! plan       how many boxes go into each strip: so much room, and some to spare
//! write      each box into its strips; mostly into the room of the last tick, and then no other step is needed
//! ```

use bevy::math::Vec4;

use super::{
    extent::{Boxes, Extent, FourExtents, HasExtent},
    grid::{Grid, MAX_STRIPS, Span},
    rounding::{greater, lesser},
};
use crate::{map_four::map_four, prefetch::prefetch};

/// How many times higher the strips of the next level are.
const LEVEL_FACTOR: f32 = 16.0;
/// The largest size of boxes on a level, in strip heights: a box larger than 1 touches up to three strips, but an extra level for a few slightly larger boxes would cost every query more.
const LARGEST: f32 = 1.5;
const _: () = assert!(LARGEST < (MAX_STRIPS - 1) as f32);

/// There are at most so many chunks.
pub(super) const CHUNKS: usize = 8;
/// Strips also serve other boxes, whose ideal strips would be higher or lower by no more than this factor.
const ALIKE: f32 = 1.25;

/// Memory is prefetched for the box so many places after the one that is written.
const AHEAD: usize = 3;

/// Statistics of the boxes of a level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    strip_height: f32,
    strips_per_unit: f32,
    /// Larger boxes belong to a higher level.
    largest: f32,
    pub(super) count: usize,
    /// The lower edge of the lowest box, and the upper edge of the highest.
    low: f32,
    high: f32,
}

impl Level {
    pub(super) fn new(strip_height: f32) -> Self {
        Self {
            strip_height,
            strips_per_unit: strip_height.recip(),
            largest: strip_height * LARGEST,
            count: 0,
            low: f32::INFINITY,
            high: f32::NEG_INFINITY,
        }
    }

    /// Returns the next higher level.
    fn next(&self) -> Self {
        Self::new(self.strip_height * LEVEL_FACTOR)
    }

    /// Returns the same level without any boxes.
    fn of_none(&self) -> Self {
        Self::new(self.strip_height)
    }

    /// Returns the grid of strips that suits its boxes best.
    pub(super) fn grid(&self) -> Grid {
        Grid::new(self.count, self.all(), self.strips_per_unit)
    }

    /// Returns the strips from the lowest to the highest box. If there are no boxes, any strip will do.
    pub(super) fn all(&self) -> Span {
        if self.low <= self.high {
            Span::between(self.low, self.high, self.strips_per_unit)
        } else {
            Span { first: 0, last: 0 }
        }
    }

    /// Whether its strips are about as high as those of another level.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let ratio = self.strip_height / other.strip_height;
        (ALIKE.recip()..=ALIKE).contains(&ratio)
    }

    #[inline(always)]
    fn add_box(&mut self, extent: &Extent) {
        self.count += 1;
        self.low = lesser(self.low, extent.min[1]);
        self.high = greater(self.high, extent.max[1]);
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.low = lesser(self.low, other.low);
        self.high = greater(self.high, other.high);
    }
}

/// Buffers for a stretch of the boxes.
#[derive(Clone, Debug)]
pub(super) struct Chunk<T> {
    /// Statistics of the boxes as of the last measurement or write.
    pub(super) levels: Vec<Level>,
    /// By level. Levels that are not in use keep their buffers for later.
    entries: Vec<Entries<T>>,
}

/// The boxes of a level, once for each strip that they touch.
#[derive(Clone, Debug)]
struct Entries<T> {
    /// By place, and one more for the end of the last place.
    rooms: Vec<Room>,
    items: Vec<T>,
}

/// A range of many boxes, from one number to another.
pub(super) struct Stretch<'a, B> {
    pub(super) boxes: &'a B,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Spare room of each place for further boxes, in addition to a share of the present ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spare {
    pub(super) each: u32,
}

/// The items of a place: from one index to another. There is room for more up to the start of the next place.
#[derive(Clone, Copy, Debug, Default)]
struct Room {
    start: u32,
    end: u32,
}

impl<T> Default for Chunk<T> {
    fn default() -> Self {
        Self {
            levels: Vec::new(),
            entries: Vec::new(),
        }
    }
}

impl<T> Chunk<T> {
    /// Returns the boxes in a place of a level.
    pub(super) fn row(&self, level: usize, place: usize) -> &[T] {
        let Entries { rooms, items } = &self.entries[level];
        let Room { start, end } = rooms[place];
        &items[start as usize..end as usize]
    }
}

impl<T: Copy + HasExtent> Chunk<T> {
    /// Determines the levels of the boxes; the lowest level is given.
    pub(super) fn measure(&mut self, boxes: Stretch<impl Boxes<T>>, lowest: Level) {
        let levels = &mut self.levels;
        levels.clear();
        levels.push(lowest.of_none());
        for number in boxes.start..boxes.end {
            let one = boxes.boxes.at(number);
            let extent = one.extent();
            let level = level_of(&extent, levels);
            levels[level].add_box(&extent);
        }
    }

    /// Makes room for the same boxes, and some spare room if wanted. There must be at least as many grids as levels.
    pub(super) fn plan(
        &mut self,
        boxes: Stretch<impl Boxes<T>>,
        grids: &[Grid],
        spare: Option<Spare>,
    ) {
        let Self { levels, entries } = self;
        if entries.len() < grids.len() {
            entries.resize_with(grids.len(), Entries::default);
        }
        for (entries, grid) in entries.iter_mut().zip(grids) {
            entries.rooms.clear();
            entries.rooms.resize(grid.places() + 1, Room::default());
        }
        let mut any = None;
        for number in boxes.start..boxes.end {
            let one = boxes.boxes.at(number);
            let extent = one.extent();
            let level = level_of(&extent, levels);
            for strip in grids[level].span_of(&extent).strips() {
                entries[level].rooms[grids[level].place(strip)].end += 1;
            }
            any = Some(one);
        }
        // Without any box, there is no value to fill spare room with.
        let spare = spare.filter(|_| any.is_some());
        for entries in &mut entries[..grids.len()] {
            let places = entries.rooms.len() as u32 - 1;
            let count: u32 = entries.rooms.iter().map(|room| room.end).sum();
            let mut start = 0;
            for room in &mut entries.rooms {
                let more = spare.map_or(0, |spare| spare.each + (room.end + count / places) / 4);
                let next = start + room.end + more;
                *room = Room { start, end: start };
                start = next;
            }
            match any {
                Some(any) => entries.items.resize(start as usize, any),
                None => entries.items.clear(),
            }
        }
    }

    /// Writes boxes into their strips, and gathers the same statistics as `measure`. Returns false if there is no room for one of them.
    pub(super) fn write(
        &mut self,
        boxes: Stretch<impl Boxes<T>>,
        plan: &[Level],
        grids: &[Grid],
    ) -> bool {
        let Self { levels, entries } = self;
        levels.clear();
        levels.extend(plan.iter().map(Level::of_none));
        let entries = &mut entries[..grids.len()];
        for room in entries.iter_mut().flat_map(|entries| &mut entries.rooms) {
            room.end = room.start;
        }
        let ([lowest_entries, higher_entries @ ..], [lowest_grid, higher_grids @ ..]) =
            (entries, grids)
        else {
            return false;
        };
        // Most boxes are on the lowest level, whose statistics are kept in local variables meanwhile.
        let mut lowest = levels[0];
        let largest = Vec4::splat(lowest.largest);
        let (mut low, mut high) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        let mut is_room = true;
        let Stretch { boxes, start, end } = boxes;
        for first in (start..end).step_by(4) {
            // At the end, the last box fills the missing lanes.
            let extents = FourExtents::new(map_four([0, 1, 2, 3], |lane| {
                boxes.at((first + lane).min(end - 1)).extent()
            }));
            let spans = Span::of_four(&extents, lowest.strips_per_unit);
            let is_large = extents.size().cmpgt(largest);
            let is_lower = extents.low.cmplt(low) & !is_large;
            let is_higher = extents.high.cmpgt(high) & !is_large;
            low = Vec4::select(is_lower, extents.low, low);
            high = Vec4::select(is_higher, extents.high, high);
            let is_large = is_large.bitmask();
            for (lane, (number, span)) in (first..end).zip(spans).enumerate() {
                let one = boxes.at(number);
                if is_large & 1 << lane == 0 {
                    lowest.count += 1;
                    is_room &= lowest_entries.add(&one, span, lowest_grid);
                    continue;
                }
                let extent = one.extent();
                let level = level_of(&extent, levels);
                let Some(grid) = higher_grids.get(level - 1) else {
                    return false;
                };
                levels[level].add_box(&extent);
                let span = grid.span_of(&extent);
                is_room &= higher_entries[level - 1].add(&one, span, grid);
            }
        }
        lowest.low = low.min_element();
        lowest.high = high.max_element();
        levels[0] = lowest;
        is_room
    }
}

impl<T: Copy> Entries<T> {
    /// Writes a box into its strips. Returns false if there is no room.
    #[inline(always)]
    fn add(&mut self, one: &T, span: Span, grid: &Grid) -> bool {
        let mut is_room = true;
        for strip in span.strips() {
            let place = grid.place(strip);
            let (at, limit) = (self.rooms[place].end, self.rooms[place + 1].start);
            if at < limit {
                self.items[at as usize] = *one;
                prefetch(&self.items, at as usize + AHEAD);
                self.rooms[place].end = at + 1;
            } else {
                is_room = false;
            }
        }
        is_room
    }
}

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self {
            rooms: Vec::new(),
            items: Vec::new(),
        }
    }
}

/// Returns the lowest level on which the box touches few strips. Adds levels as needed.
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
