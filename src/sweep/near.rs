//! Where travellers may get to, roughly: what is nowhere near them need not be sorted.

use crate::broad_phase::Extent;

/// Cells along each axis, as many as a row of them has bits.
const CELLS: usize = 64;

/// The cells of a grid that have been marked. It lies over all marked boxes, however large that is.
#[derive(Clone, Debug)]
pub(super) struct Near {
    around: Extent,
    cells_per_unit: [f32; 2],
    rows: [u64; CELLS],
}

impl Default for Near {
    fn default() -> Self {
        Self {
            around: Extent::EMPTY,
            cells_per_unit: [0.0; 2],
            rows: [0; CELLS],
        }
    }
}

impl Near {
    /// Marks all cells that any of these boxes touches, and no others.
    pub(super) fn mark(&mut self, boxes: impl Iterator<Item = Extent> + Clone) {
        let around = boxes.clone().reduce(|all, one| all.union(&one));
        self.around = around.unwrap_or(Extent::EMPTY);
        let Extent { min, max } = self.around;
        self.cells_per_unit = [0, 1].map(|axis| CELLS as f32 / (max[axis] - min[axis]));
        self.rows = [0; CELLS];
        for one in boxes {
            let [columns, rows] = self.cells_of(&one);
            for row in &mut self.rows[rows.0..=rows.1] {
                *row |= bits(columns);
            }
        }
    }

    /// Whether a box touches a marked cell.
    pub(super) fn meets(&self, one: &Extent) -> bool {
        let [columns, rows] = self.cells_of(one);
        self.around.meets(one)
            && (self.rows[rows.0..=rows.1].iter()).any(|row| row & bits(columns) != 0)
    }

    /// Whether all of a box is in marked cells.
    pub(super) fn holds(&self, one: &Extent) -> bool {
        let [columns, rows] = self.cells_of(one);
        self.around.holds(one)
            && (self.rows[rows.0..=rows.1].iter()).all(|row| !row & bits(columns) == 0)
    }

    /// Returns the first and the last column that a box touches, and the same of rows. What is outside of the grid counts for its edge.
    fn cells_of(&self, one: &Extent) -> [(usize, usize); 2] {
        [0, 1].map(|axis| {
            // A grid without width has one cell: 0 times infinity is not a number, and so is cell 0.
            let cell = |edge: f32| {
                let along = (edge - self.around.min[axis]) * self.cells_per_unit[axis];
                (along as usize).min(CELLS - 1)
            };
            (cell(one.min[axis]), cell(one.max[axis]))
        })
    }
}

/// Returns a row in which these columns are marked.
fn bits((first, last): (usize, usize)) -> u64 {
    (u64::MAX >> (CELLS - 1 - last)) & (u64::MAX << first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(left: f32, low: f32, size: f32) -> Extent {
        Extent {
            min: [left, low],
            max: [left + size, low + size],
        }
    }

    /// The grid is from 0 to 64, so each cell is one unit wide: marked are the cells from 0 to 2, and the cell at 63.
    #[test]
    fn what_touches_a_marked_cell_is_near() {
        let mut near = Near::default();
        near.mark([square(0.0, 0.0, 2.5), square(63.5, 63.5, 0.5)].into_iter());
        for (one, meets, holds) in [
            (square(1.0, 1.0, 1.0), true, true),
            (square(2.6, 2.6, 0.3), true, true),
            (square(2.6, 2.6, 0.5), true, false),
            (square(3.0, 0.0, 9.0), false, false),
            (square(0.0, 3.0, 9.0), false, false),
            (square(63.1, 63.1, 0.5), true, true),
            (square(62.0, 63.5, 0.5), false, false),
            (square(63.5, 63.5, 1.0), true, false),
            (square(-1.0, 0.0, 1.0), true, false),
            (square(-1.0, 0.0, 0.5), false, false),
            (square(-1.0, -1.0, 100.0), true, false),
        ] {
            assert_eq!(near.meets(&one), meets, "meets {one:?}");
            assert_eq!(near.holds(&one), holds, "holds {one:?}");
        }
    }

    #[test]
    fn a_grid_may_have_no_width_and_nothing_in_it() {
        let mut near = Near::default();
        assert!(!near.meets(&square(0.0, 0.0, 1.0)) && !near.holds(&square(0.0, 0.0, 0.0)));
        near.mark([square(5.0, 7.0, 0.0)].into_iter());
        assert!(near.meets(&square(4.0, 6.0, 2.0)) && near.holds(&square(5.0, 7.0, 0.0)));
        assert!(!near.meets(&square(6.0, 7.0, 1.0)) && !near.holds(&square(5.0, 7.0, 1.0)));
        near.mark(std::iter::empty());
        assert!(!near.meets(&square(5.0, 7.0, 0.0)) && !near.holds(&square(5.0, 7.0, 0.0)));
    }

    /// Whoever touches a box that is held touches a marked cell: so nobody near is left out.
    #[test]
    fn who_meets_a_box_that_is_held_is_near() {
        let mut random = fastrand::Rng::with_seed(64);
        for world in [1.0e-3, 1.0, 1.0e5, 1.0e18] {
            for _ in 0..200 {
                let mut any = |size: f32| {
                    let mut at = || (random.f32() - 0.5) * world;
                    let (left, low) = (at(), at());
                    square(left, low, random.f32() * size * world)
                };
                let mut near = Near::default();
                let marked = [any(0.1), any(0.1), any(0.5)];
                near.mark(marked.into_iter());
                assert!(marked.iter().all(|one| near.holds(one)));
                let (asked, other) = (any(0.2), any(0.2));
                if near.holds(&asked) && other.meets(&asked) {
                    assert!(near.meets(&other), "{marked:?} {asked:?} {other:?}");
                }
            }
        }
    }
}
