//! Merges cells into rectangles.

use bevy::{
    math::{BVec2, IVec2},
    reflect::Reflect,
};

/// A rectangle of cells, as returned by [`merge`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
pub struct CellRect {
    /// The cell in its lower left corner.
    pub min: IVec2,
    /// How many cells wide and high it is.
    pub size: IVec2,
}

/// Covers cells with rectangles that do not overlap: the runs of each row, joined with the run of the same columns in the row below, if there is one.
///
/// Cells that are given twice count once; the order does not matter. Costs `O(n log n)`. The rectangles are sorted by their lower left corners, row by row.
///
/// ```
/// use bevy::math::IVec2;
/// use bevy_nudge::tiles::{CellRect, merge};
///
/// let room = (0..5).flat_map(|x| (0..3).map(move |y| IVec2::new(x, y)));
/// let merged = merge(room.filter(|cell| *cell != IVec2::new(2, 2)));
/// let rect = |x, y, width, height| CellRect { min: IVec2::new(x, y), size: IVec2::new(width, height) };
/// assert_eq!(merged, [rect(0, 0, 5, 2), rect(0, 2, 2, 1), rect(3, 2, 2, 1)]);
/// ```
pub fn merge(cells: impl IntoIterator<Item = IVec2>) -> Vec<CellRect> {
    merge_along(BVec2::TRUE, cells)
}

/// The same, but joins cells only along these axes: along x alone, the rectangles are the runs of each row.
pub(super) fn merge_along(axes: BVec2, cells: impl IntoIterator<Item = IVec2>) -> Vec<CellRect> {
    let mut cells: Vec<IVec2> = cells.into_iter().collect();
    cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
    cells.dedup();

    let mut merged: Vec<CellRect> = Vec::new();
    // Indices of the rectangles that end in the row before, and of those in this row, sorted by their first column.
    let (mut below, mut here): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut row = None;
    let is_next = |one: &IVec2, next: &IVec2| {
        axes.x && one.y == next.y && one.x.checked_add(1) == Some(next.x)
    };
    for run in cells.chunk_by(is_next) {
        let (min, width) = (run[0], run.len() as i32);
        if row != Some(min.y) {
            let is_above = axes.y && row.is_some_and(|row| min.y.checked_sub(1) == Some(row));
            std::mem::swap(&mut below, &mut here);
            here.clear();
            if !is_above {
                below.clear();
            }
            row = Some(min.y);
        }
        let at = below.binary_search_by_key(&min.x, |&index| merged[index].min.x);
        let same = at.ok().map(|at| below[at]);
        match same.filter(|&index| merged[index].size.x == width) {
            Some(index) => {
                merged[index].size.y += 1;
                here.push(index);
            }
            None => {
                here.push(merged.len());
                let size = IVec2::new(width, 1);
                merged.push(CellRect { min, size });
            }
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use bevy::platform::collections::HashSet;

    use super::*;

    fn rect(x: i32, y: i32, width: i32, height: i32) -> CellRect {
        CellRect {
            min: IVec2::new(x, y),
            size: IVec2::new(width, height),
        }
    }

    /// Turns the rows of a map, the lowest last, into cells.
    fn cells(map: &[&str]) -> Vec<IVec2> {
        let rows = (0..).zip(map.iter().rev());
        rows.flat_map(|(y, row)| {
            let filled = (0..).zip(row.chars()).filter(|(_, cell)| *cell == '#');
            filled.map(move |(x, _)| IVec2::new(x, y))
        })
        .collect()
    }

    #[test]
    fn maps_become_few_rectangles() {
        for (map, expected) in [
            (&[][..], vec![]),
            (&["#"], vec![rect(0, 0, 1, 1)]),
            (&["###", "###"], vec![rect(0, 0, 3, 2)]),
            (
                &["#.#", "###"],
                vec![rect(0, 0, 3, 1), rect(0, 1, 1, 1), rect(2, 1, 1, 1)],
            ),
            (
                &["##", "..", "##"],
                vec![rect(0, 0, 2, 1), rect(0, 2, 2, 1)],
            ),
            (
                &["#.#", "#.#", "#.#"],
                vec![rect(0, 0, 1, 3), rect(2, 0, 1, 3)],
            ),
        ] {
            assert_eq!(merge(cells(map)), expected, "{map:?}");
        }
    }

    #[test]
    fn every_cell_is_covered_once_and_no_other() {
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..200 {
            let part = random.f32();
            let mut filled: Vec<IVec2> = (0..20 * 20)
                .map(|cell| IVec2::new(cell % 20 - 10, cell / 20 - 10))
                .filter(|_| random.f32() < part)
                .collect();
            random.shuffle(&mut filled);
            let axes = BVec2::new(random.bool(), random.bool());
            let merged = merge_along(axes, filled.iter().chain(&filled).copied());
            let is_joined = |rect: &CellRect| rect.size.cmpgt(IVec2::ONE);
            assert!(merged.iter().all(|rect| !(is_joined(rect) & !axes).any()));
            let covered: Vec<IVec2> = merged
                .iter()
                .flat_map(|rect| {
                    let columns = 0..rect.size.x;
                    columns.flat_map(move |x| {
                        (0..rect.size.y).map(move |y| IVec2::new(x, y) + rect.min)
                    })
                })
                .collect();
            let set: HashSet<IVec2> = covered.iter().copied().collect();
            assert_eq!(set.len(), covered.len(), "some are covered twice");
            assert_eq!(set, filled.iter().copied().collect());
        }
    }

    #[test]
    fn the_ends_of_the_numbers_are_cells_too() {
        let ends = [i32::MIN, i32::MAX];
        let corners = ends.iter().flat_map(|&x| ends.map(|y| IVec2::new(x, y)));
        assert_eq!(merge(corners).len(), 4);
    }
}
