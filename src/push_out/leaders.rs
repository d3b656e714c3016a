//! Disjoint sets in a slice (union-find). Each number names another one of its set, or itself if it is the leader of the set.

/// Merges the sets of two numbers. The lower leader stays the leader.
#[inline]
pub(super) fn unite(leaders: &mut [u32], one: u32, other: u32) {
    let (one, other) = (leader(leaders, one), leader(leaders, other));
    leaders[one.max(other) as usize] = one.min(other);
}

/// Returns the leader of the set of `number`. Shortens the path for later calls.
#[inline]
pub(super) fn leader(leaders: &mut [u32], mut number: u32) -> u32 {
    loop {
        let next = leaders[number as usize];
        if next == number {
            return number;
        }
        let after_next = leaders[next as usize];
        leaders[number as usize] = after_next;
        number = after_next;
    }
}
