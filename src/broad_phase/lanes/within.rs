//! Who is in an area: eight boxes at a time, and which of them lie in it as a whole.

use std::ops::{ControlFlow, Range};

use bevy::math::{Vec2, Vec4};

use super::RowColumns;
use crate::broad_phase::{
    extent::Extent,
    vectors::{LANES, compare_fours},
};

/// An area that is asked for: a box, perhaps with round corners.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    /// Whose box does not meet this one is not in it.
    pub(in crate::broad_phase) extent: Extent,
    center: Vec2,
    /// All that is no farther from this inner box than the root of the square is in the area for sure, however that is computed.
    half_size: Vec2,
    square: f32,
}

impl Region {
    /// A box with these half extents and so much around it, for boxes that are up to `drift` away from where they are looked for. What is in the area meets `extent`.
    #[inline]
    pub(crate) fn new(
        extent: &Extent,
        center: Vec2,
        half_size: Vec2,
        radius: f32,
        drift: f32,
    ) -> Self {
        let farthest = center.abs() + half_size + radius;
        let rounding = farthest.max_element() * (16.0 * f32::EPSILON);
        let square = radius * radius * (1.0 - 16.0 * f32::EPSILON);
        Self {
            extent: extent.grown(drift),
            center,
            half_size: half_size - (rounding + drift),
            square,
        }
    }

    /// Everything whose box meets this one, of which nothing is said to be in it.
    #[inline]
    pub(crate) fn around(extent: &Extent) -> Self {
        Self {
            extent: *extent,
            center: Vec2::ZERO,
            half_size: Vec2::ZERO,
            square: -1.0,
        }
    }

    /// Whether it is worth asking whether boxes of this size lie in it as a whole.
    #[inline]
    fn may_hold(&self, size: f32) -> bool {
        let Extent { min, max } = self.extent;
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
        self.sweep(range, &region.extent, compare_fours, |first, bits| {
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
            let Region {
                center, half_size, ..
            } = region;
            let x = beyond(eight.left, eight.right, center.x, half_size.x);
            let y = beyond(eight.low, eight.high, center.y, half_size.y);
            (x * x + y * y).cmple(Vec4::splat(region.square)).bitmask()
        };
        half(0) | half(LANES / 2) << (LANES / 2)
    }
}
