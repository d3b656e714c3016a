//! The newest ways of those that have left the boxes that they had when all set out.

use crate::broad_phase::Extent;

use super::agent::NONE;

/// A way that touches more cells than this, to the right or up, is a long one, which everybody looks at.
const LONG: i64 = 4;
/// Lists of cells, at most.
const MOST_LISTS: usize = 1 << 16;

/// Ways by the square cells that they touch: each that is turned asks for those that it may meet, and must not look at all of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Wild {
    ways: Vec<WildWay>,
    /// By slot: the number of its way, or [`NONE`].
    number_of: Vec<u32>,
    cells_per_unit: f32,
    /// The newest link of each list, or [`NONE`]. Cells share lists; their count is a power of two.
    lists: Vec<u32>,
    links: Vec<Link>,
    /// The numbers of the long ways.
    long: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct WildWay {
    extent: Extent,
    slot: u32,
    cells: Cells,
}

/// A way in a list, for a cell.
#[derive(Clone, Copy, Debug)]
struct Link {
    cell: [i32; 2],
    way: u32,
    /// The one before in the same list, or [`NONE`].
    next: u32,
}

/// The lowest cell on the left and the highest one on the right that a box touches.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cells {
    first: [i32; 2],
    last: [i32; 2],
}

impl Cells {
    fn are_many(&self) -> bool {
        (0..2).any(|axis| i64::from(self.last[axis]) - i64::from(self.first[axis]) >= LONG)
    }

    fn each(&self) -> impl Iterator<Item = [i32; 2]> {
        let Self { first, last } = *self;
        (first[1]..=last[1]).flat_map(move |y| (first[0]..=last[0]).map(move |x| [x, y]))
    }

    /// Of the cells that both touch, the first one.
    fn first_with(&self, other: &Self) -> [i32; 2] {
        [0, 1].map(|axis| self.first[axis].max(other.first[axis]))
    }
}

impl Wild {
    /// Forgets all ways. There are so many slots, and of their colliders so many on their way, in boxes that are not much larger than this, but for a few; it only decides how long an answer takes.
    pub(super) fn clear(&mut self, slots: usize, on_their_way: usize, size: f32) {
        for way in self.ways.drain(..) {
            self.number_of[way.slot as usize] = NONE;
        }
        self.number_of.resize(slots, NONE);
        if !self.links.is_empty() {
            self.links.clear();
            self.lists.fill(NONE);
        }
        self.long.clear();
        let lists = on_their_way.next_power_of_two().min(MOST_LISTS);
        self.lists.resize(lists, NONE);
        self.cells_per_unit = size.max(1.0e-3).recip();
    }

    /// Takes note of the way of a slot. On the one before it will not be met any more.
    pub(super) fn set(&mut self, slot: u32, extent: Extent) {
        let cells = self.cells_of(&extent);
        let way = self.ways.len() as u32;
        let number = &mut self.number_of[slot as usize];
        match self.ways.get_mut(*number as usize) {
            // It is in the right lists.
            Some(before) if before.cells == cells => {
                before.extent = extent;
                return;
            }
            Some(before) => before.extent = Extent::EMPTY,
            None => {}
        }
        *number = way;
        self.ways.push(WildWay {
            extent,
            slot,
            cells,
        });
        if cells.are_many() {
            return self.long.push(way);
        }
        for cell in cells.each() {
            let list = self.list_of(cell);
            let newest = self.links.len() as u32;
            let next = std::mem::replace(&mut self.lists[list], newest);
            self.links.push(Link { cell, way, next });
        }
    }

    /// Calls `found` once with each slot whose way may be met in a box.
    pub(super) fn meeting(&self, around: &Extent, mut found: impl FnMut(u32)) {
        if self.ways.is_empty() {
            return;
        }
        let mut look = |way: &WildWay| {
            if way.extent.meets(around) {
                found(way.slot);
            }
        };
        let cells = self.cells_of(around);
        if cells.are_many() {
            return self.ways.iter().for_each(look);
        }
        let way = |number: u32| &self.ways[number as usize];
        self.long.iter().for_each(|number| look(way(*number)));
        for cell in cells.each() {
            let mut link = self.lists[self.list_of(cell)];
            while let Some(known) = self.links.get(link as usize) {
                let way = way(known.way);
                if known.cell == cell && cell == way.cells.first_with(&cells) {
                    look(way);
                }
                link = known.next;
            }
        }
    }

    fn list_of(&self, [x, y]: [i32; 2]) -> usize {
        // Two large primes, so that neighbours do not share lists: those of Teschner and others, Optimized Spatial Hashing, 2003.
        let mixed = (x as u32).wrapping_mul(73_856_093) ^ (y as u32).wrapping_mul(19_349_663);
        mixed as usize & (self.lists.len() - 1)
    }

    fn cells_of(&self, extent: &Extent) -> Cells {
        let cell = |corner: [f32; 2]| corner.map(|at| (at * self.cells_per_unit).floor() as i32);
        Cells {
            first: cell(extent.min),
            last: cell(extent.max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_a_look_at_each_of_them_finds() {
        let mut random = fastrand::Rng::with_seed(11);
        let mut wild = Wild::default();
        for round in 0..200 {
            let slots = 1 + random.usize(..60);
            let size = [0.0, 1.0, 5.0, 100.0, f32::INFINITY][round % 5];
            wild.clear(slots, random.usize(..200), size);
            let mut ways = vec![None; slots];
            for _ in 0..3 * slots {
                let reach = [10.0, 100.0, 1.0e4][random.usize(..3)];
                let mut random_box = || {
                    // Far out, many cells have the same number.
                    let spread = [200.0, 200.0, 1.0e12][random.usize(..3)];
                    let [x, y] = [0, 1].map(|_| (random.f32() - 0.5) * spread);
                    let [width, height] = [0, 1].map(|_| random.f32() * random.f32() * reach);
                    Extent {
                        min: [x, y],
                        max: [x + width, y + height],
                    }
                };
                let (way, around) = (random_box(), random_box());
                let slot = random.usize(..slots);
                wild.set(slot as u32, way);
                ways[slot] = Some(way);

                let mut found = Vec::new();
                wild.meeting(&around, |slot| found.push(slot));
                found.sort_unstable();
                let meets = |slot: &u32| ways[*slot as usize].is_some_and(|way| way.meets(&around));
                let expected: Vec<u32> = (0..slots as u32).filter(meets).collect();
                assert_eq!(found, expected, "round {round}: {around:?}");
            }
        }
    }
}
