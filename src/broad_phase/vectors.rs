//! The instructions that compare boxes: all of them give the same results.
//!
//! ```text
//! everywhere    four boxes in an instruction, by `Vec4`: SSE2, which every x86-64 has, NEON, WebAssembly's, or plain floats
//! with AVX2     eight; and the code around it, including the sort of a part, is compiled once more for such machines
//! ```
//!
//! Comparisons round nothing. All else that is computed there is the same source, of additions and multiplications, each of which rounds alike by all instructions. Fused
//! multiply-add, which rounds only once, is no risk: Rust never uses it on its own.
//!
//! It saves a little where all boxes are swept: 3 to 5 % of detection. Where few boxes are searched for among many, memory access takes the time, and eight at once were slower by a tenth:
//! so those searches compare four.

use bevy::math::Vec4;

use super::extent::Extent;

/// So many boxes are compared at once.
pub(super) const LANES: usize = 8;

/// The edges of eight boxes, in columns.
pub(super) struct Eight<'a> {
    pub(super) left: &'a [f32; LANES],
    pub(super) right: &'a [f32; LANES],
    pub(super) low: &'a [f32; LANES],
    pub(super) high: &'a [f32; LANES],
}

/// Compares eight boxes with one: which of them meet it, edges included, and which begin, on the left, before it ends on the right. A bit for each, the lowest for the first.
pub(super) trait Compare: Fn(&Eight, &Extent) -> (u32, u32) + Copy {}

impl<F: Fn(&Eight, &Extent) -> (u32, u32) + Copy> Compare for F {}

/// For any machine.
#[inline(always)]
pub(super) fn compare_fours(eight: &Eight, with: &Extent) -> (u32, u32) {
    let [left, low] = with.min.map(Vec4::splat);
    let [right, high] = with.max.map(Vec4::splat);
    let half = |at: usize| {
        let four = |column: &[f32; LANES]| Vec4::from_slice(&column[at..at + LANES / 2]);
        let begin = four(eight.left).cmple(right);
        let meet = begin
            & four(eight.right).cmpge(left)
            & four(eight.low).cmple(high)
            & four(eight.high).cmpge(low);
        (meet.bitmask(), begin.bitmask())
    };
    let ((meet, begin), (more_meet, more_begin)) = (half(0), half(LANES / 2));
    (
        meet | more_meet << (LANES / 2),
        begin | more_begin << (LANES / 2),
    )
}

/// Work that compares boxes by the function that it gets.
///
/// All of it must be `#[inline(always)]`, so that it is compiled for the instructions of its caller.
pub(super) trait Work {
    /// Runs the work.
    fn run(self, compare: impl Compare);
}

/// Runs the work with the best instructions that the machine has.
#[inline(always)]
pub(super) fn run(work: impl Work) {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = avx2::Avx2::get() {
        return avx2.run(work);
    }
    work.run(compare_fours);
}

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2 {
    //! For machines with AVX2, which are nearly all since 2013.

    use std::arch::x86_64::{
        __m256, _CMP_GE_OQ, _CMP_LE_OQ, _mm256_and_ps, _mm256_cmp_ps, _mm256_movemask_ps,
        _mm256_set1_ps, _mm256_setr_ps,
    };

    use super::{Eight, LANES, Work};
    use crate::broad_phase::extent::Extent;

    /// Proof that this machine has AVX2.
    #[derive(Clone, Copy)]
    pub(in crate::broad_phase) struct Avx2(());

    impl Avx2 {
        /// Detects the instructions; the result is cached.
        #[inline]
        pub(in crate::broad_phase) fn get() -> Option<Self> {
            let has_all = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            has_all.then_some(Self(()))
        }

        /// Runs the work with these instructions.
        #[inline(always)]
        #[expect(
            unsafe_code,
            reason = "the compiler can not know what the machine has at run time"
        )]
        pub(in crate::broad_phase) fn run(self, work: impl Work) {
            // SAFETY: the machine has the instructions that `run` is compiled for, or there would be no `self`.
            unsafe { run(work) }
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn run(work: impl Work) {
        work.run(|eight: &Eight, with: &Extent| {
            let [left, low] = with.min.map(|edge| _mm256_set1_ps(edge));
            let [right, high] = with.max.map(|edge| _mm256_set1_ps(edge));
            let begin = _mm256_cmp_ps::<_CMP_LE_OQ>(load(eight.left), right);
            let reach = _mm256_cmp_ps::<_CMP_GE_OQ>(load(eight.right), left);
            let below = _mm256_cmp_ps::<_CMP_LE_OQ>(load(eight.low), high);
            let above = _mm256_cmp_ps::<_CMP_GE_OQ>(load(eight.high), low);
            let beside = _mm256_and_ps(begin, reach);
            let meet = _mm256_and_ps(beside, _mm256_and_ps(below, above));
            (bits(meet), bits(begin))
        });
    }

    /// Compiles to one instruction, without a pointer in the source.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(&[a, b, c, d, e, f, g, h]: &[f32; LANES]) -> __m256 {
        _mm256_setr_ps(a, b, c, d, e, f, g, h)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn bits(lanes: __m256) -> u32 {
        _mm256_movemask_ps(lanes) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few values that are often equal, and some that are not finite.
    fn edge(random: &mut fastrand::Rng) -> f32 {
        match random.u32(0..20) {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => f32::NEG_INFINITY,
            3 => -0.0,
            _ => random.i32(-3..=3) as f32,
        }
    }

    /// Computes the result lane by lane, without vectors.
    fn compare_one_by_one(eight: &Eight, with: &Extent) -> (u32, u32) {
        (0..LANES).fold((0, 0), |(meet, begin), lane| {
            let extent = Extent {
                min: [eight.left[lane], eight.low[lane]],
                max: [eight.right[lane], eight.high[lane]],
            };
            let begins = extent.min[0] <= with.max[0];
            (
                meet | u32::from(extent.meets(with)) << lane,
                begin | u32::from(begins) << lane,
            )
        })
    }

    struct Compared<'a> {
        eight: Eight<'a>,
        with: Extent,
        answer: &'a mut (u32, u32),
    }

    impl Work for Compared<'_> {
        #[inline(always)]
        fn run(self, compare: impl Compare) {
            *self.answer = compare(&self.eight, &self.with);
        }
    }

    #[test]
    fn all_instructions_give_the_same_answers() {
        let mut random = fastrand::Rng::with_seed(8);
        let mut some_meet = 0;
        for _ in 0..20_000 {
            let [left, right, low, high]: [[f32; LANES]; 4] =
                std::array::from_fn(|_| std::array::from_fn(|_| edge(&mut random)));
            let with = Extent {
                min: [edge(&mut random), edge(&mut random)],
                max: [edge(&mut random), edge(&mut random)],
            };
            let eight = || Eight {
                left: &left,
                right: &right,
                low: &low,
                high: &high,
            };
            let expected = compare_one_by_one(&eight(), &with);
            some_meet += expected.0.count_ones();
            assert_eq!(compare_fours(&eight(), &with), expected, "{with:?}");
            let mut answer = (0, 0);
            run(Compared {
                eight: eight(),
                with,
                answer: &mut answer,
            });
            assert_eq!(answer, expected, "{with:?}");
        }
        assert!(some_meet > 1000);
    }
}
