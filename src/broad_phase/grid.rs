//! The numbers of strips, and the places where their boxes are kept.

use bevy::math::Vec4;

use super::{
    extent::{Extent, FourExtents},
    rounding::{integer_in_float, nearest_integer, nearest_integers, with_no_fraction},
    vectors::LANES,
};
use crate::map_four::map_four;

/// The most strips that a box of a level may touch.
pub(super) const MAX_STRIPS: i32 = 3;
/// If there are more strips than this allows, strips share places, so that on average so many boxes are in a place: as many as are compared at once. So a single box far out does not make more places than the others need.
const BOXES_IN_PLACE: u64 = 8;
/// Places are divided among at most so many parts.
pub(super) const PARTS: usize = 16;

/// Maps heights to the strips, places and parts of a level.
///
/// Strips are numbered from the origin. The place of a strip is its number modulo a power of two, with a place for each eight boxes, or fewer places. So a world may have any size; strips that
/// share a place are told apart only by the comparison of edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// Number of strips in each unit of y, and the height of a strip.
    strips_per_unit: f32,
    strip_height: f32,
    /// Number of places minus 1; it is a power of two less one.
    mask: i32,
    /// Each part has two to the power of this many places.
    part_bits: u32,
}

/// The first and the last strip that a box touches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) first: i32,
    pub(super) last: i32,
}

/// The strips of a level that are in use, for debug drawing. Strip `n` is centered at `n` times the height.
#[cfg(feature = "debug")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strips {
    pub(crate) height: f32,
    in_use: Span,
}

#[cfg(feature = "debug")]
impl Strips {
    /// Returns the lower edge of the lowest strip.
    pub(crate) fn low(&self) -> f32 {
        (self.in_use.first as f32 - 0.5) * self.height
    }

    /// Returns the upper edge of the highest strip.
    pub(crate) fn high(&self) -> f32 {
        (self.in_use.last as f32 + 0.5) * self.height
    }
}

impl Grid {
    /// Makes a grid for so many boxes, which together touch the strips of this span.
    pub(super) fn new(count: usize, all: Span, strips_per_unit: f32) -> Self {
        let in_use = (i64::from(all.last) - i64::from(all.first) + 1).max(1) as u64;
        // A box must not meet itself through the modulo, hence at least twice its strips.
        let places = in_use
            .min(count as u64 / BOXES_IN_PLACE)
            .max(2 * MAX_STRIPS as u64)
            .next_power_of_two();
        let parts = (places as usize).min(PARTS);
        Self {
            strips_per_unit,
            strip_height: strips_per_unit.recip(),
            mask: (places - 1) as i32,
            part_bits: (places as usize / parts).trailing_zeros(),
        }
    }

    #[cfg(feature = "debug")]
    pub(super) fn strips_in(&self, in_use: Span) -> Strips {
        Strips {
            height: self.strip_height(),
            in_use,
        }
    }

    pub(super) fn places(&self) -> usize {
        self.mask as usize + 1
    }

    pub(super) fn parts(&self) -> usize {
        self.places() >> self.part_bits
    }

    pub(super) fn places_in_part(&self) -> usize {
        1 << self.part_bits
    }

    #[inline(always)]
    pub(super) fn place(&self, strip: i32) -> usize {
        (strip & self.mask) as usize
    }

    /// Returns the part of a place, and the number of the place in that part.
    #[inline(always)]
    pub(super) fn part(&self, place: usize) -> (usize, usize) {
        (place >> self.part_bits, place & (self.places_in_part() - 1))
    }

    /// Returns the strips from one height to another.
    #[inline(always)]
    pub(super) fn span(&self, low: f32, high: f32) -> Span {
        Span::between(low, high, self.strips_per_unit)
    }

    /// Returns the strips of a box.
    #[inline(always)]
    pub(super) fn span_of(&self, extent: &Extent) -> Span {
        Span::new(extent, self.strips_per_unit)
    }

    #[inline(always)]
    pub(super) fn strip_height(&self) -> f32 {
        self.strip_height
    }

    /// Returns an upper bound of the size of the level's boxes.
    #[inline(always)]
    pub(super) fn largest(&self) -> f32 {
        self.strip_height() * (MAX_STRIPS - 1) as f32
    }

    /// Returns the strip at a height.
    #[inline(always)]
    pub(super) fn strip_at(&self, y: f32) -> i32 {
        strip_at(y, self.strips_per_unit)
    }

    /// Returns a bit for each of eight edges that is in a strip.
    #[inline(always)]
    pub(super) fn are_in(&self, edges: &[f32; LANES], strip: i32) -> u32 {
        let strip = Vec4::splat(integer_in_float(strip));
        let half = |from: usize| {
            let edges = Vec4::from_slice(&edges[from..from + LANES / 2]);
            let strips = with_no_fraction(edges * self.strips_per_unit);
            strips.cmpeq(strip).bitmask()
        };
        half(0) | half(LANES / 2) << (LANES / 2)
    }

    /// Whether `place` is that of the lowest strip of a box with this lower edge.
    #[inline(always)]
    pub(super) fn begins_in(&self, low: f32, place: usize) -> bool {
        self.place(strip_at(low, self.strips_per_unit)) == place
    }

    /// Returns the strips from one height to another, or, if these may share places, a strip for each place; and whether it is all places.
    #[inline(always)]
    pub(super) fn strips(&self, low: f32, high: f32) -> (Span, bool) {
        let Span { first, last } = self.span(low, high);
        // A box in the last of them may, by the modulo, reach into the place of the first.
        if last - first + MAX_STRIPS >= self.mask {
            (
                Span {
                    first: 0,
                    last: self.mask,
                },
                true,
            )
        } else {
            (Span { first, last }, false)
        }
    }
}

impl Span {
    /// Returns the strips of a box. An empty box is in one strip, where it meets nothing.
    #[inline(always)]
    pub(super) fn new(extent: &Extent, strips_per_unit: f32) -> Self {
        let Self { first, last } = Self::between(extent.min[1], extent.max[1], strips_per_unit);
        Self::of_box(first, last)
    }

    /// The same for four boxes.
    #[inline(always)]
    pub(super) fn of_four(extents: &FourExtents, strips_per_unit: f32) -> [Self; 4] {
        let [first, last] =
            [extents.low, extents.high].map(|edges| nearest_integers(edges * strips_per_unit));
        map_four([0, 1, 2, 3], |lane| Self::of_box(first[lane], last[lane]))
    }

    /// Returns the span from the strip of the lower edge to that of the upper one.
    #[inline(always)]
    fn of_box(first: i32, last: i32) -> Self {
        // Limited, so that even a box that is higher than allowed touches no more strips than there are places.
        Self {
            first,
            last: last.max(first).min(first + (MAX_STRIPS - 1)),
        }
    }

    /// Returns the strips from one height to another.
    #[inline(always)]
    pub(super) fn between(low: f32, high: f32, strips_per_unit: f32) -> Self {
        let [first, last, ..] = nearest_integers(Vec4::new(low, high, low, high) * strips_per_unit);
        Self { first, last }
    }

    #[inline(always)]
    pub(super) fn strips(self) -> impl Iterator<Item = i32> {
        // Not an inclusive range, which is slow for the one or two strips that there mostly are.
        self.first..self.last + 1
    }
}

/// Returns the strip at a height. Strip numbers are limited to some millions: all heights farther out are in the outermost strips.
#[inline(always)]
fn strip_at(y: f32, strips_per_unit: f32) -> i32 {
    nearest_integer(y * strips_per_unit)
}
