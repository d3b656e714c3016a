//! Boxes on their way to the strips: a stretch of those given, which one thread sorts by level and strip.
//!
//! ```text
//! measure    which levels there are, and how far they extend
//! plan       how many boxes go where: so much room, and some to spare
//! write      each box to its strips; most of the time into the room of the last tick, and then this is all there is to do
//! ```

use bevy::math::Vec4;

use super::{
    extent::{Boxes, Extent, FourExtents, HasExtent},
    grid::{Grid, MAX_STRIPS, Span},
    rounding::{greater, lesser},
};
use crate::{map_four::map_four, prefetch::prefetch};

/// How much higher the strips of the next level are.
const LEVEL_FACTOR: f32 = 16.0;
/// The largest boxes of a level, in strips: what is higher than one touches up to three of them, but a level of its own for a few that are hardly larger would cost every question more.
const LARGEST: f32 = 1.5;
const _: () = assert!(LARGEST < (MAX_STRIPS - 1) as f32);

/// There are at most so many chunks.
pub(super) const CHUNKS: usize = 8;
/// Strips are good for other boxes too, if those would have strips higher or lower by no more than this factor.
const ALIKE: f32 = 1.25;

/// So many boxes of a place lie between one that is written and one whose memory is asked for.
const AHEAD: usize = 3;

/// What is known of the boxes of a level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    strip_height: f32,
    strips_per_unit: f32,
    /// Boxes that are larger belong to a higher one.
    largest: f32,
    pub(super) count: usize,
    /// The lower edge of the lowest one, and the upper edge of the highest.
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

    /// The one above.
    fn next(&self) -> Self {
        Self::new(self.strip_height * LEVEL_FACTOR)
    }

    /// The same before any box is known.
    fn of_none(&self) -> Self {
        Self::new(self.strip_height)
    }

    /// The strips that serve its boxes best.
    pub(super) fn grid(&self) -> Grid {
        Grid::new(self.count, self.all(), self.strips_per_unit)
    }

    /// The strips from the lowest to the highest box. If all are empty, any will do.
    pub(super) fn all(&self) -> Span {
        if self.low <= self.high {
            Span::between(self.low, self.high, self.strips_per_unit)
        } else {
            Span { first: 0, last: 0 }
        }
    }

    /// Whether its strips are about as high as those of another.
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

/// Buffers for some of the boxes.
#[derive(Clone, Debug)]
pub(super) struct Chunk<T> {
    /// What is known of the boxes since they were last looked at.
    pub(super) levels: Vec<Level>,
    /// By level. Those beyond keep their buffers for another time.
    entries: Vec<Entries<T>>,
}

/// The boxes of a level, once for each strip that they touch.
#[derive(Clone, Debug)]
struct Entries<T> {
    /// By place, and one more where the last one ends.
    rooms: Vec<Room>,
    items: Vec<T>,
}

/// Some of many boxes, from one number to another.
pub(super) struct Stretch<'a, B> {
    pub(super) boxes: &'a B,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Room for boxes that may come to a place, beside a part of those that are there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spare {
    pub(super) each: u32,
}

/// The boxes of a place: from one item to another. There is room for more up to where the next one begins.
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
    /// The boxes in a place of a level.
    pub(super) fn row(&self, level: usize, place: usize) -> &[T] {
        let Entries { rooms, items } = &self.entries[level];
        let Room { start, end } = rooms[place];
        &items[start as usize..end as usize]
    }
}

impl<T: Copy + HasExtent> Chunk<T> {
    /// Finds out which levels there are from this one on.
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

    /// Makes room for the same boxes, and for some more if there are to be. There are as many grids as levels, or more.
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
        // Where there is none, there is nothing to fill room with.
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

    /// Writes boxes to their strips, and finds out on the way what `measure` would. False if there is no room for one of them.
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
        // Most are on the lowest level. What is known of that is kept at hand meanwhile.
        let mut lowest = levels[0];
        let largest = Vec4::splat(lowest.largest);
        let (mut low, mut high) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        let mut is_room = true;
        let Stretch { boxes, start, end } = boxes;
        for first in (start..end).step_by(4) {
            // Where there are no four any more, the last one stands in for who is missing.
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
    /// False if there is no room.
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
