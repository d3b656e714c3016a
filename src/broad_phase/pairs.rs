//! What moves against each other and against what stands still.

use super::{extent::Extent, levels::Levels, rows::Rows};

/// Finds every pair of boxes that share at least an edge, and of which at least one moves.
///
/// Each box carries an item, which says whose it is. The moving ones are given in each call; the still ones are kept until they are set
/// anew. All buffers are kept, so that a steady game allocates nothing here.
///
/// Costs `O(n)` for n moving boxes, plus the boxes that share a strip and a stretch of x, plus, for each moving box that is much larger than most, the strips that it
/// covers. Where everything is in one spot that is every pair, as it must be.
#[derive(Clone, Debug)]
pub struct BroadPhase<T = u32> {
    moving: Levels<T>,
    still: Levels<T>,
}

impl<T> Default for BroadPhase<T> {
    fn default() -> Self {
        Self {
            moving: Levels::default(),
            still: Levels::default(),
        }
    }
}

impl<T: Copy> BroadPhase<T> {
    /// Takes these boxes for what stands still, in place of those before. Costs `O(n)`.
    pub fn set_still(&mut self, boxes: impl IntoIterator<Item = (Extent, T)>) {
        self.still.fill(boxes);
    }

    /// Asks `meet` about every pair of boxes that share at least an edge, and adds its answers to `found`.
    ///
    /// Each pair is asked about once: two that move, in either order, or first one that moves and then one that stands still. The order of the answers follows from
    /// the boxes and their order alone. A box that is not finite may lose its own pairs, no others.
    ///
    /// # Panics
    /// With more than 2^31 boxes.
    pub fn find<P>(
        &mut self,
        moving: impl IntoIterator<Item = (Extent, T)>,
        meet: impl Fn(&T, &T) -> Option<P>,
        found: &mut Vec<P>,
    ) {
        self.moving.fill(moving);
        let levels = self.moving.rows();
        for (level, rows) in levels.iter().enumerate() {
            for place in 0..rows.places() {
                self.find_in(rows, place, &levels[..level], &meet, found);
            }
        }
    }

    /// Calls `found` once for every box of the last [`find`](Self::find), and every one that stands still, that shares at least an edge with this one.
    ///
    /// Costs the strips that the box covers and who begins in them near it. An empty box, or one with NaN, finds nothing.
    pub fn query(&self, extent: &Extent, mut found: impl FnMut(&T)) {
        for rows in self.moving.rows() {
            rows.meet(extent.edges(), &mut found);
        }
        self.query_still(extent, found);
    }

    /// The same for the boxes that stand still.
    pub fn query_still(&self, extent: &Extent, mut found: impl FnMut(&T)) {
        for rows in self.still.rows() {
            rows.meet(extent.edges(), &mut found);
        }
    }

    /// The pairs of one place of one level, with each other, with lower levels, and with what stands still.
    #[inline]
    fn find_in<P>(
        &self,
        rows: &Rows<T>,
        place: usize,
        lower: &[Rows<T>],
        meet: &impl Fn(&T, &T) -> Option<P>,
        found: &mut Vec<P>,
    ) {
        rows.meet_each_other(place, |one, other| found.extend(meet(one, other)));
        for others in lower.iter().chain(self.still.rows()) {
            if others.is_empty() {
                continue;
            }
            for (edges, one) in rows.beginning(place) {
                others.meet(edges, |other| found.extend(meet(one, other)));
            }
        }
    }
}
