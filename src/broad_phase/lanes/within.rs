//! Who is in an area: eight boxes at a time, and which of them lie in it as a whole.

use std::ops::{ControlFlow, Range};

use bevy::math::{Vec2, Vec4};

use super::RowColumns;
use crate::broad_phase::{
    extent::Extent,
    rounding::greater,
    vectors::{LANES, compare_fours},
};

/// An area that is asked for: a box, perhaps with round corners.
// In vectors: what is written by halves and read as a whole a moment later makes a processor wait, for as long as half of what a question about a point takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    /// Left, low, right and high edge. Whose box does not meet these is not in it.
    edges: Vec4,
    /// All that is no farther from the inner box with this centre and these half extents than the root of the square is in the area for sure, however that is computed.
    inner: Vec4,
    square: f32,
}

impl Region {
    /// A box with these half extents and so much around it, for boxes that are up to `drift` away from where they are looked for. What is in the area meets the box with these edges: left, low, right and high.
    #[inline(always)]
    pub(crate) fn new(edges: Vec4, center: Vec2, half_size: Vec2, radius: f32, drift: f32) -> Self {
        let farthest = center.abs() + half_size + radius;
        let rounding = greater(farthest.x, farthest.y) * (16.0 * f32::EPSILON);
        let half_size = half_size - (rounding + drift);
        Self {
            edges: edges + Vec4::new(-drift, -drift, drift, drift),
            inner: Vec4::new(center.x, center.y, half_size.x, half_size.y),
            square: radius * radius * (1.0 - 16.0 * f32::EPSILON),
        }
    }

    /// Everything whose box meets this one, of which nothing is said to be in it.
    #[inline]
    pub(crate) fn around(extent: &Extent) -> Self {
        let ([left, low], [right, high]) = (extent.min, extent.max);
        Self {
            edges: Vec4::new(left, low, right, high),
            inner: Vec4::ZERO,
            square: -1.0,
        }
    }

    #[inline(always)]
    pub(in crate::broad_phase) fn extent(&self) -> Extent {
        let [left, low, right, high] = self.edges.to_array();
        Extent {
            min: [left, low],
            max: [right, high],
        }
    }

    /// Whether it is worth asking whether boxes of this size lie in it as a whole.
    #[inline]
    fn may_hold(&self, size: f32) -> bool {
        let Extent { min, max } = self.extent();
        self.square >= 0.0 && max[0] - min[0] > size && max[1] - min[1] > size
    }
}

impl RowColumns<'_> {
    /// Hits those in a range that meet a region, until it is told to break off: the number of the first of several, a bit for each that does, and a bit for each that lies in it as a whole, if they are not larger than `size`,
    /// by and large. They are sorted as for [`sweep`](Self::sweep).
    #[inline(always)]
    pub(in crate::broad_phase) fn sweep_within(
        &self,
        range: Range<usize>,
        region: &Region,
        size: f32,
        mut hit: impl FnMut(usize, u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let may_hold_any = region.may_hold(size);
        self.sweep(range, &region.extent(), compare_fours, |first, bits| {
            let is_asked = may_hold_any && bits != 0;
            let held = if is_asked {
                self.held(first, region)
            } else {
                0
            };
            hit(first, bits, held)
        })
    }

    /// Which of eight boxes lie in a region as a whole, for sure.
    #[inline(always)]
    fn held(&self, first: usize, region: &Region) -> u32 {
        let eight = self.eight(first);
        let half = |from: usize| {
            let four = |column: &[f32; LANES]| Vec4::from_slice(&column[from..from + LANES / 2]);
            let beyond = |low: &[f32; LANES], high: &[f32; LANES], center: f32, half_size: f32| {
                let center = Vec4::splat(center);
                let farthest = (four(high) - center).max(center - four(low));
                (farthest - Vec4::splat(half_size)).max(Vec4::ZERO)
            };
            let [x, y, half_width, half_height] = region.inner.to_array();
            let x = beyond(eight.left, eight.right, x, half_width);
            let y = beyond(eight.low, eight.high, y, half_height);
            (x * x + y * y).cmple(Vec4::splat(region.square)).bitmask()
        };
        half(0) | half(LANES / 2) << (LANES / 2)
    }
}
