//! Work on four values at once, as many as a vector has lanes.

/// Like `array::map`, without leaving the registers.
#[inline(always)]
pub(crate) fn map_four<T, U>([a, b, c, d]: [T; 4], of: impl Fn(T) -> U) -> [U; 4] {
    [of(a), of(b), of(c), of(d)]
}
