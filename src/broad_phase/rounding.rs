//! Converts floats to integers by instructions that all machines have, and that round alike on all of them.

use bevy::math::Vec4;

use crate::map_four::map_four;

/// The largest number that [`nearest_integer`] tells apart from its neighbors.
pub(super) const MOST: usize = 1 << 22;

/// Adding this to a float between -2^22 and 2^22 leaves no bits for a fraction; the rounded integer is in the lowest bits.
const NO_FRACTION: f32 = 12_582_912.0;

/// Returns the nearest integer, at most [`MOST`] to either side. Never decreases when the float increases. NaN counts as very small.
///
/// (`as i32` has to check several cases for each number, and rounding down is a function call on the oldest machines.)
#[inline(always)]
pub(super) fn nearest_integer(value: f32) -> i32 {
    let whole = with_no_fraction(Vec4::splat(value)).x;
    integer_of(whole)
}

/// The same for several numbers at once.
#[inline(always)]
pub(super) fn nearest_integers(values: Vec4) -> [i32; 4] {
    map_four(with_no_fraction(values).to_array(), integer_of)
}

/// The same as floats, each of which is an [`integer_in_float`].
#[inline(always)]
pub(super) fn with_no_fraction(values: Vec4) -> Vec4 {
    let most = Vec4::splat(MOST as f32);
    // `max` treats NaN differently on different machines.
    let values = Vec4::select(values.cmpgt(-most), values, -most);
    values.min(most) + NO_FRACTION
}

/// Returns the float whose lowest bits are this integer, of at most [`MOST`].
#[inline(always)]
pub(super) fn integer_in_float(integer: i32) -> f32 {
    integer as f32 + NO_FRACTION
}

#[inline(always)]
fn integer_of(whole: f32) -> i32 {
    whole.to_bits().wrapping_sub(NO_FRACTION.to_bits()) as i32
}

/// Returns the lesser one, or the first if either is NaN: one instruction, where `min` takes several.
#[inline(always)]
pub(super) fn lesser(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// Returns the greater one, or the first if either is NaN.
#[inline(always)]
pub(super) fn greater(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_near_and_in_order() {
        for (value, nearest) in [
            (0.0, 0),
            (-0.0, 0),
            (0.49, 0),
            (0.51, 1),
            (-0.51, -1),
            (-7.2, -7),
            (4_194_303.0, 4_194_303),
            (1.0e30, 4_194_304),
            (f32::INFINITY, 4_194_304),
            (f32::NEG_INFINITY, -4_194_304),
        ] {
            assert_eq!(nearest_integer(value), nearest, "{value}");
            let several = Vec4::new(value, -7.2, f32::NAN, value);
            let expected = [nearest, -7, -4_194_304, nearest];
            assert_eq!(nearest_integers(several), expected, "{value}");
        }
        let mut last = -4_194_304;
        for quarter in -20_000_000..20_000_000 {
            let value = quarter as f32 * 0.25;
            let next = nearest_integer(value);
            assert!((0..=1).contains(&(next - last)), "{value}: {last}, {next}");
            let is_near = (next as f32 - value).abs() <= 0.5;
            assert!(is_near || value.abs() > 4_194_304.0, "{value}: {next}");
            last = next;
        }
        assert_eq!(nearest_integer(f32::NAN), -4_194_304);
    }
}
