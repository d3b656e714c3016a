//! Boxes that are added one after the other, by the square cells that they touch: for searches in between. The broad phase would need all of them first.

use crate::broad_phase::Extent;

/// No number.
const NONE: u32 = u32::MAX;
/// A box that touches more cells than this along an axis is long, and every search checks it.
const LONG: i64 = 4;
/// The most lists of cells.
const MOST_LISTS: usize = 1 << 16;

/// Boxes by cells; only the newest box of each owner counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    boxes: Vec<Boxed>,
    /// By owner: the number of its box, or [`NONE`].
    number_of: Vec<u32>,
    cells_per_unit: f32,
    /// The newest link of each list, or [`NONE`]. Cells share lists; their count is a power of two.
    lists: Vec<u32>,
    links: Vec<Link>,
    /// The numbers of the long boxes.
    long: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Boxed {
    extent: Extent,
    owner: u32,
    cells: CellRange,
}

/// A box in a list, for a cell.
#[derive(Clone, Copy, Debug)]
struct Link {
    cell: [i32; 2],
    number: u32,
    /// The previous link of the same list, or [`NONE`].
    next: u32,
}

/// The lowest cell on the left and the highest one on the right that a box touches.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CellRange {
    first: [i32; 2],
    last: [i32; 2],
}

impl CellRange {
    fn are_many(&self) -> bool {
        (0..2).any(|axis| i64::from(self.last[axis]) - i64::from(self.first[axis]) >= LONG)
    }

    fn each(&self) -> impl Iterator<Item = [i32; 2]> {
        let Self { first, last } = *self;
        (first[1]..=last[1]).flat_map(move |y| (first[0]..=last[0]).map(move |x| [x, y]))
    }

    /// Returns the first of the cells that both touch.
    fn first_with(&self, other: &Self) -> [i32; 2] {
        [0, 1].map(|axis| self.first[axis].max(other.first[axis]))
    }
}

impl Cells {
    /// Forgets all boxes. The numbers of owners are below `owners`; about `expected` of them have a box or may get one, and except for a few, boxes are not much larger than `size`: the last two only affect the speed.
    pub(crate) fn clear(&mut self, owners: usize, expected: usize, size: f32) {
        for one in self.boxes.drain(..) {
            self.number_of[one.owner as usize] = NONE;
        }
        self.number_of.resize(owners, NONE);
        if !self.links.is_empty() {
            self.links.clear();
            self.lists.fill(NONE);
        }
        self.long.clear();
        let lists = expected.next_power_of_two().min(MOST_LISTS);
        self.lists.resize(lists, NONE);
        self.cells_per_unit = size.max(1.0e-3).recip();
    }

    /// Allows more owners: numbers below this.
    pub(crate) fn grow(&mut self, owners: usize) {
        self.number_of.resize(owners, NONE);
    }

    /// Sets the box of an owner, in place of the one before.
    pub(crate) fn set(&mut self, owner: u32, extent: Extent) {
        let cells = self.cells_of(&extent);
        let new = self.boxes.len() as u32;
        let number = &mut self.number_of[owner as usize];
        match self.boxes.get_mut(*number as usize) {
            // It is in the right lists already.
            Some(before) if before.cells == cells => {
                before.extent = extent;
                return;
            }
            Some(before) => before.extent = Extent::EMPTY,
            None => {}
        }
        *number = new;
        self.boxes.push(Boxed {
            extent,
            owner,
            cells,
        });
        if cells.are_many() {
            return self.long.push(new);
        }
        for cell in cells.each() {
            let list = self.list_of(cell);
            let newest = self.links.len() as u32;
            let next = std::mem::replace(&mut self.lists[list], newest);
            self.links.push(Link {
                cell,
                number: new,
                next,
            });
        }
    }

    /// Calls `found` once with each owner whose box meets this one.
    #[inline]
    pub(crate) fn meeting(&self, around: &Extent, mut found: impl FnMut(u32)) {
        if self.boxes.is_empty() {
            return;
        }
        let mut look = |one: &Boxed| {
            if one.extent.meets(around) {
                found(one.owner);
            }
        };
        let cells = self.cells_of(around);
        if cells.are_many() {
            return self.boxes.iter().for_each(look);
        }
        let boxed = |number: u32| &self.boxes[number as usize];
        self.long.iter().for_each(|number| look(boxed(*number)));
        for cell in cells.each() {
            let mut link = self.lists[self.list_of(cell)];
            while let Some(known) = self.links.get(link as usize) {
                if known.cell == cell {
                    let one = boxed(known.number);
                    if cell == one.cells.first_with(&cells) {
                        look(one);
                    }
                }
                link = known.next;
            }
        }
    }

    fn list_of(&self, [x, y]: [i32; 2]) -> usize {
        // Two large primes, so that neighbors do not share lists: those of Teschner and others, Optimized Spatial Hashing, 2003.
        let mixed = (x as u32).wrapping_mul(73_856_093) ^ (y as u32).wrapping_mul(19_349_663);
        mixed as usize & (self.lists.len() - 1)
    }

    fn cells_of(&self, extent: &Extent) -> CellRange {
        let cell = |corner: [f32; 2]| corner.map(|at| (at * self.cells_per_unit).floor() as i32);
        CellRange {
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
        let mut cells = Cells::default();
        for round in 0..200 {
            let owners = 1 + random.usize(..60);
            let size = [0.0, 1.0, 5.0, 100.0, f32::INFINITY][round % 5];
            cells.clear(owners, random.usize(..200), size);
            let mut boxes = vec![None; owners];
            for _ in 0..3 * owners {
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
                let (new, around) = (random_box(), random_box());
                let owner = random.usize(..owners);
                cells.set(owner as u32, new);
                boxes[owner] = Some(new);

                let mut found = Vec::new();
                cells.meeting(&around, |owner| found.push(owner));
                found.sort_unstable();
                let meets = |owner: &u32| {
                    boxes[*owner as usize].is_some_and(|one: Extent| one.meets(&around))
                };
                let expected: Vec<u32> = (0..owners as u32).filter(meets).collect();
                assert_eq!(found, expected, "round {round}: {around:?}");
            }
        }
    }
}
