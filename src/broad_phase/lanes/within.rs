//! Which boxes are in an area: compares eight at a time, and tells which of them lie in it as a whole.

use std::ops::{ControlFlow, Range};

use bevy::math::{Vec2, Vec4, Vec4Swizzles};

use super::columns::Columns;
use crate::broad_phase::{
    extent::Extent,
    rounding::greater,
    vectors::{LANES, compare_fours},
};

/// The area of a query: a box, possibly with round corners.
// In vectors: reading a value as a whole right after its halves were written makes the processor wait, for half as long as a query about a point takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    /// Left, low, right and high edge. Boxes that do not meet these are not in the region.
    edges: Vec4,
    /// Center and half extents of the inner box.
    inner: Vec4,
    /// How far the region reaches beyond the inner box; negative if it is not to be told which boxes lie in it as a whole.
    radius: f32,
    /// How far boxes may be from where they are looked for.
    drift: f32,
}

impl Region {
    /// Makes a region of a box with these half extents and `radius` around it, for boxes that are up to `drift` away from where they are looked for. Everything in the area meets the box with these edges: left, low, right and high.
    #[inline(always)]
    pub(crate) fn new(edges: Vec4, center: Vec2, half_size: Vec2, radius: f32, drift: f32) -> Self {
        Self {
            edges: edges + Vec4::new(-drift, -drift, drift, drift),
            inner: Vec4::new(center.x, center.y, half_size.x, half_size.y),
            radius,
            drift,
        }
    }

    /// Makes a region of everything whose box meets this one, without telling what lies in it as a whole.
    #[inline]
    pub(crate) fn around(extent: &Extent) -> Self {
        let ([left, low], [right, high]) = (extent.min, extent.max);
        Self {
            edges: Vec4::new(left, low, right, high),
            inner: Vec4::ZERO,
            radius: -1.0,
            drift: 0.0,
        }
    }

    #[inline(always)]
    pub(in crate::broad_phase) fn extent(&self) -> Extent {
        Extent::of_edges(self.edges)
    }

    /// Returns the test for boxes that lie in the region as a whole, if the region is larger than `size`, so that it is worth it.
    #[inline(always)]
    pub(in crate::broad_phase) fn inside(&self, size: f32) -> Option<Inside> {
        let sides = self.edges.zw() - self.edges.xy();
        let may_hold_any = self.radius >= 0.0 && sides.x > size && sides.y > size;
        may_hold_any.then(|| Inside::new(self))
    }
}

/// Tells which boxes certainly lie in a region as a whole, and which are certainly outside, whatever the rounding.
// Each number four times, for comparing vectors.
#[derive(Clone, Copy, Debug)]
pub(in crate::broad_phase) struct Inside {
    center: [Vec4; 2],
    /// Half extents of two boxes, for the certain results: a box is held if none of it is farther from the inner one than the root of `held_square`, and far if all of it is farther from the outer one than the root of `far_square`.
    inner: [Vec4; 2],
    outer: [Vec4; 2],
    held_square: Vec4,
    far_square: Vec4,
}

impl Inside {
    // Not inlined, for most regions do not need it.
    #[inline(never)]
    fn new(region: &Region) -> Self {
        let (center, half_size, radius) = (region.inner.xy(), region.inner.zw(), region.radius);
        let farthest = center.abs() + half_size + radius;
        let rounding = greater(farthest.x, farthest.y) * (16.0 * f32::EPSILON);
        let inexact = rounding + region.drift;
        let square = radius * radius;
        let splats = |of: Vec2| [of.x, of.y].map(Vec4::splat);
        Self {
            center: splats(center),
            inner: splats(half_size - inexact),
            outer: splats(half_size + inexact),
            held_square: Vec4::splat(square * (1.0 - 16.0 * f32::EPSILON)),
            far_square: Vec4::splat(square * (1.0 + 16.0 * f32::EPSILON)),
        }
    }
}

impl Columns<&[f32]> {
    /// Calls `hit` with the boxes of a range that may meet a region, until it breaks off: the number of the first of several, a bit for each that does, and a bit for each that lies in the region as a whole, which means nothing for those that
    /// do not meet it. Without `inside`, all count whose box meets the box around the region. The boxes are sorted as for [`sweep`](Self::sweep).
    #[inline(always)]
    pub(in crate::broad_phase) fn sweep_within(
        &self,
        range: Range<usize>,
        (extent, inside): (&Extent, Option<&Inside>),
        mut hit: impl FnMut(usize, u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.sweep(range, extent, compare_fours, |first, bits| {
            let (held, far) = match inside {
                Some(inside) if bits != 0 => self.held_and_far(first, inside),
                _ => (0, 0),
            };
            hit(first, bits & !far, held)
        })
    }

    /// Returns which of eight boxes lie in a region as a whole, and which are outside.
    #[inline(always)]
    fn held_and_far(&self, first: usize, inside: &Inside) -> (u32, u32) {
        let eight = self.eight(first);
        let half = |from: usize| {
            let four = |column: &[f32; LANES]| Vec4::from_slice(&column[from..from + LANES / 2]);
            // How far the farther side is beyond the inner box, and the nearer side beyond the outer box.
            let beyond = |axis: usize, low: &[f32; LANES], high: &[f32; LANES]| {
                let center = inside.center[axis];
                let (above, below) = (four(high) - center, center - four(low));
                let farther = above.max(below) - inside.inner[axis];
                // The lesser one is the distance of the nearer side, negated.
                let nearer = -above.min(below) - inside.outer[axis];
                [farther.max(Vec4::ZERO), nearer.max(Vec4::ZERO)]
            };
            let [far_x, near_x] = beyond(0, eight.left, eight.right);
            let [far_y, near_y] = beyond(1, eight.low, eight.high);
            let is_held = (far_x * far_x + far_y * far_y).cmple(inside.held_square);
            let is_far = (near_x * near_x + near_y * near_y).cmpgt(inside.far_square);
            (is_held.bitmask(), is_far.bitmask())
        };
        let ((held, far), (more_held, more_far)) = (half(0), half(LANES / 2));
        let both = |low: u32, high: u32| low | high << (LANES / 2);
        (both(held, more_held), both(far, more_far))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        kernel::{Shape, Touching},
        placed::{edges_at, extent_at},
    };

    fn region(shape: Shape, center: Vec2, drift: f32) -> Region {
        let edges = edges_at(shape, center, 0.0);
        Region::new(edges, center, shape.half_size(), shape.radius(), drift)
    }

    /// Returns which of some boxes meet a region, and which are held by it.
    fn swept(boxes: &[Extent], region: &Region) -> (Vec<usize>, Vec<usize>) {
        let mut columns = Columns::<Vec<f32>>::default();
        columns.make_room(boxes.len());
        for (at, extent) in boxes.iter().enumerate() {
            columns.all_mut(boxes.len()).set(at, extent);
        }
        columns.pad(boxes.len());
        let (mut meet, mut are_held) = (Vec::new(), Vec::new());
        let all = columns.every_row();
        let (extent, inside) = (region.extent(), region.inside(0.0));
        let asked = (&extent, inside.as_ref());
        let _ = all.sweep_within(0..boxes.len(), asked, |first, bits, held| {
            let of = |bits: u32| (0..LANES).filter(move |lane| bits & 1 << lane != 0);
            meet.extend(of(bits).map(|lane| first + lane));
            are_held.extend(of(bits & held).map(|lane| first + lane));
            ControlFlow::Continue(())
        });
        (meet, are_held)
    }

    #[test]
    fn what_lies_in_it_as_a_whole_is_held_and_what_sticks_out_is_not() {
        let small = Shape::rectangle(Vec2::ONE).expect("valid");
        let circle = Shape::circle(10.0).expect("valid");
        let square = Shape::rectangle(Vec2::splat(10.0)).expect("valid");
        // In the middle, at the right edge, in the corner, at the edge from inside, across the edge, in the corner of a square and beside its circle, outside.
        let places = [
            (0.0, 0.0),
            (8.5, 0.0),
            (7.0, 7.0),
            (9.0, 0.0),
            (10.5, 0.0),
            (9.5, 9.5),
            (20.0, 0.0),
        ];
        let boxes = places.map(|place| extent_at(small, Vec2::from(place), 0.0));
        for (case, shape, drift, meet, held) in [
            ("a circle", circle, 0.0, &[0, 1, 2, 3, 4][..], &[0, 1][..]),
            ("a square", square, 0.0, &[0, 1, 2, 3, 4, 5], &[0, 1, 2]),
            ("who drifts", circle, 0.6, &[0, 1, 2, 3, 4], &[0]),
            ("who drifts far", square, 10.0, &[0, 1, 2, 3, 4, 5, 6], &[]),
        ] {
            let found = swept(&boxes, &region(shape, Vec2::ZERO, drift));
            assert_eq!(found, (meet.to_vec(), held.to_vec()), "{case}");
        }
        let around = Region::around(&extent_at(square, Vec2::ZERO, 0.0));
        assert_eq!(swept(&boxes, &around), (vec![0, 1, 2, 3, 4, 5], vec![]));
    }

    #[test]
    fn who_is_held_meets_it_by_the_kernel_wherever_he_drifts_and_who_is_far_does_not() {
        let mut random = fastrand::Rng::with_seed(12);
        let (mut held, mut loose, mut beside) = (0, 0, 0);
        for number in 0..20_000 {
            // Often whole numbers, so that edges are flush; and at times far away, where numbers are coarse.
            let mut length = |most: f32| {
                let length = random.f32() * most;
                if number % 2 == 0 {
                    length.round()
                } else {
                    length
                }
            };
            let far = if number % 3 == 0 { 1.0e5 } else { 0.0 };
            let (half, radius) = (Vec2::new(length(6.0), length(6.0)), length(6.0));
            let area = match number % 5 {
                0 => Shape::circle(radius),
                1 => Shape::rectangle(half),
                _ => Shape::rounded_rectangle(half + radius, radius),
            };
            let area = area.expect("valid");
            let center = Vec2::new(length(4.0) + far, length(4.0) - far);
            let drift = if number % 7 == 0 { length(2.0) } else { 0.0 };
            let others: Vec<(Shape, Vec2)> = (0..8)
                .map(|other| {
                    let half = Vec2::new(length(3.0), length(3.0));
                    let shape = if other % 2 == 0 {
                        Shape::circle(half.x)
                    } else {
                        Shape::rectangle(half)
                    };
                    let offset = Vec2::new(length(16.0) - 8.0, length(16.0) - 8.0);
                    (shape.expect("valid"), center + offset)
                })
                .collect();
            let boxes: Vec<Extent> = others
                .iter()
                .map(|&(shape, place)| extent_at(shape, place, 0.0))
                .collect();
            let (meet, are_held) = swept(&boxes, &region(area, center, drift));
            loose += meet.len() - are_held.len();
            held += are_held.len();
            let edges = region(area, center, drift).extent();
            for (at, &(shape, place)) in others.iter().enumerate() {
                let (is_met, is_held) = (meet.contains(&at), are_held.contains(&at));
                assert!(is_met || !is_held);
                beside += usize::from(!is_met && boxes[at].meets(&edges));
                for way in [Vec2::ZERO, Vec2::X, Vec2::NEG_ONE, Vec2::new(1.0, -1.0)] {
                    // The shape may be anywhere in the square of the drift.
                    let offset = place + way * drift - center;
                    let case = (area, shape, offset, drift);
                    let (counts, ignored) = (Touching::Counts, Touching::Ignored);
                    assert!(!is_held || ignored.meets(area, shape, offset), "{case:?}");
                    assert!(is_met || !counts.meets(area, shape, offset), "{case:?}");
                }
            }
        }
        assert!(held > 10_000 && loose > 10_000, "{held} {loose}");
        assert!(beside > 1000, "{beside}");
    }
}
