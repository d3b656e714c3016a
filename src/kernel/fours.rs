//! [`contact_or_rest`](super::pair::contact_or_rest) for four pairs at once: the same formula with a pair in each lane, and exactly the same bits.
//!
//! Lanes have no rules for ties. If the result depends on one, the pair is marked, to be computed alone.

use bevy::math::{BVec4A, Mat4, Vec2, Vec4};

use super::{
    pair::{Contact, TINY, Touching},
    shape::Shape,
};
use crate::map_four::map_four;

/// Four shapes at their places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FourShapes {
    center: [Vec4; 2],
    half_size: [Vec4; 2],
    radius: Vec4,
}

/// How four pairs meet. The other values of a lane are meaningful only if the pair meets or rests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FourContacts {
    /// A bit for each pair that meets.
    pub(crate) meets: u32,
    /// A bit for each pair that is apart, but by no more than the margin.
    pub(crate) rests: u32,
    /// A bit for each pair that has to be computed alone.
    pub(crate) is_tie: u32,
    normal: [[f32; 4]; 2],
    depth: [f32; 4],
    point: [[f32; 4]; 2],
}

impl FourShapes {
    /// Takes each shape with its center.
    #[inline(always)]
    pub(crate) fn new(four: [(Shape, Vec2); 4]) -> Self {
        let [a, b, c, d] = map_four(four, |(shape, center)| {
            let half = shape.half_size();
            Vec4::new(center.x, center.y, half.x, half.y)
        });
        let rows = Mat4::from_cols(a, b, c, d).transpose();
        Self {
            center: [rows.x_axis, rows.y_axis],
            half_size: [rows.z_axis, rows.w_axis],
            radius: Vec4::from_array(map_four(four, |(shape, _)| shape.radius())),
        }
    }
}

impl FourContacts {
    /// Returns how each shape of `a` meets the one of `b` in the same lane.
    #[inline(always)]
    pub(crate) fn of(a: &FourShapes, b: &FourShapes, touching: Touching, margin: f32) -> Self {
        let margin_is_any = margin > 0.0;
        let margin = Vec4::splat(margin);
        let radius = a.radius + b.radius;
        let offset = by_axis(|axis| b.center[axis] - a.center[axis]);
        let q = by_axis(|axis| offset[axis].abs() - (a.half_size[axis] + b.half_size[axis]));
        let furthest = greater(q[0], q[1]);

        let beyond = q.map(|q| greater(q, Vec4::ZERO));
        let square = beyond[0] * beyond[0] + beyond[1] * beyond[1];
        let meets = match touching {
            Touching::Counts => square.cmple(radius * radius),
            Touching::Ignored => furthest.cmplt(Vec4::ZERO) | square.cmplt(radius * radius),
        };

        let is_corner = q[0].cmpgt(Vec4::ZERO) & q[1].cmpgt(Vec4::ZERO);
        let is_x = !is_corner & q[0].cmpge(q[1]);
        let is_y = !(is_corner | is_x);
        let is_face = [is_x, is_y];
        let side = offset.map(|offset| Vec4::ONE.copysign(offset));
        let middle = by_axis(|axis| {
            let (half_a, half_b) = (a.half_size[axis], b.half_size[axis]);
            let low = greater(-half_a, offset[axis] - half_b);
            let high = lesser(half_a, offset[axis] + half_b);
            let face = (offset[axis] + side[axis] * (half_a - half_b)) * 0.5;
            Vec4::select(is_face[axis], face, (low + high) * 0.5)
        });
        let length = (q[0] * q[0] + q[1] * q[1]).sqrt();
        let gap = Vec4::select(is_corner, length, Vec4::select(is_x, q[0], q[1]));
        let normal = by_axis(|axis| {
            let face = Vec4::select(is_face[axis], side[axis], Vec4::ZERO);
            Vec4::select(is_corner, side[axis] * (q[axis] / length), face)
        });
        let separation = gap - radius;
        let depth = Vec4::select(separation.cmplt(Vec4::ZERO), -separation, Vec4::ZERO);
        let way = (a.radius - b.radius) * 0.5;
        let point = by_axis(|axis| a.center[axis] + (middle[axis] + normal[axis] * way));

        let (near, rests) = if margin_is_any {
            let near = meets | furthest.cmple(radius + margin);
            (near, near & !meets & separation.cmple(margin))
        } else {
            (meets, BVec4A::FALSE)
        };
        let is_tiny = is_corner & furthest.cmple(Vec4::splat(TINY));
        let is_level = (is_x & offset[0].cmpeq(Vec4::ZERO)) | (is_y & offset[1].cmpeq(Vec4::ZERO));
        Self {
            meets: meets.bitmask(),
            rests: rests.bitmask(),
            is_tie: (near & (is_level | is_tiny)).bitmask(),
            normal: normal.map(|axis| axis.to_array()),
            depth: depth.to_array(),
            point: point.map(|axis| axis.to_array()),
        }
    }

    /// Returns the contact in a lane, with its point relative to the origin.
    #[inline(always)]
    pub(crate) fn get(&self, lane: usize) -> Contact {
        let at = |axes: &[[f32; 4]; 2]| Vec2::new(axes[0][lane], axes[1][lane]);
        Contact {
            normal: at(&self.normal),
            depth: self.depth[lane],
            point: at(&self.point),
        }
    }
}

#[inline(always)]
fn by_axis(of: impl Fn(usize) -> Vec4) -> [Vec4; 2] {
    [of(0), of(1)]
}

/// Like `Vec2::max`, and not like the machine's instruction, which may return another sign of a zero.
#[inline(always)]
fn greater(a: Vec4, b: Vec4) -> Vec4 {
    Vec4::select(a.cmpgt(b), a, b)
}

#[inline(always)]
fn lesser(a: Vec4, b: Vec4) -> Vec4 {
    Vec4::select(a.cmplt(b), a, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::contact_or_rest;

    /// Sizes and places that are often equal, or flush, and some that are far or tiny.
    fn length(random: &mut fastrand::Rng) -> f32 {
        match random.u32(0..12) {
            0..5 => random.u32(0..4) as f32,
            5..10 => random.f32() * 4.0,
            10 => random.f32() * 1.0e-19,
            _ => random.f32() * 1.0e5,
        }
    }

    fn placed(random: &mut fastrand::Rng) -> (Shape, Vec2) {
        let [width, height, radius, x, y] = [(); 5].map(|()| length(random));
        let half_size = Vec2::new(width, height);
        let shape = match random.u32(0..3) {
            0 => Shape::circle(radius),
            1 => Shape::rectangle(half_size),
            _ => Shape::rounded_rectangle(half_size + radius, radius),
        };
        let sign = |random: &mut fastrand::Rng| if random.bool() { -1.0 } else { 1.0 };
        let center = Vec2::new(x * sign(random), y * sign(random));
        (shape.expect("valid"), center)
    }

    /// Dots in a row are level on the axis that does not matter.
    #[test]
    fn who_is_level_is_computed_alone_only_if_that_axis_is_met() {
        let dot = Shape::circle(2.0).expect("valid");
        let plank = Shape::rectangle(Vec2::new(9.0, 3.0)).expect("valid");
        let a = [dot, dot, dot, plank].map(|shape| (shape, Vec2::ZERO));
        for (offsets, is_tie) in [
            ([(3.0, 0.0), (0.0, 3.0), (0.0, 0.0), (1.0, 0.0)], 0b1100),
            ([(3.0, 1.0), (-3.0, 0.0), (0.0, -3.0), (0.0, 1.0)], 0),
        ] {
            let b = offsets.map(|offset| (dot, Vec2::from(offset)));
            let [a, b] = [a, b].map(FourShapes::new);
            let contacts = FourContacts::of(&a, &b, Touching::Counts, 0.0);
            assert_eq!((contacts.meets, contacts.is_tie), (0b1111, is_tie));
        }
    }

    #[test]
    fn four_at_once_get_the_bits_that_each_gets_alone() {
        let mut random = fastrand::Rng::with_seed(4);
        let (mut found, mut rested, mut ties) = (0, 0, 0);
        for number in 0..100_000 {
            let touching = if number % 2 == 0 {
                Touching::Counts
            } else {
                Touching::Ignored
            };
            let margin = if number % 3 == 0 { 0.0 } else { 0.01 };
            let mut four = || [(); 4].map(|()| placed(&mut random));
            let (a, b) = (four(), four());
            let contacts =
                FourContacts::of(&FourShapes::new(a), &FourShapes::new(b), touching, margin);
            for lane in 0..4 {
                let ((shape_a, place_a), (shape_b, place_b)) = (a[lane], b[lane]);
                let offset = place_b - place_a;
                let alone = contact_or_rest(shape_a, shape_b, offset, touching, margin);
                let is = |bits: u32| bits & 1 << lane != 0;
                if is(contacts.is_tie) {
                    ties += 1;
                    continue;
                }
                let case = (shape_a, shape_b, offset, touching, margin);
                let Some((expected, meets)) = alone else {
                    assert!(!is(contacts.meets | contacts.rests), "{case:?}");
                    continue;
                };
                assert_eq!(
                    (is(contacts.meets), is(contacts.rests)),
                    (meets, !meets),
                    "{case:?}"
                );
                let got = contacts.get(lane);
                let bits = |contact: Contact, point: Vec2| {
                    let Contact { normal, depth, .. } = contact;
                    [normal.x, normal.y, depth, point.x, point.y].map(f32::to_bits)
                };
                assert_eq!(
                    bits(got, got.point),
                    bits(expected, place_a + expected.point),
                    "{case:?}"
                );
                found += 1;
                rested += usize::from(!meets);
            }
        }
        assert!(
            found > 50_000 && rested > 200 && ties > 4000,
            "{found} {rested} {ties}"
        );
    }
}
