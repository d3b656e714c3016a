//! Who belongs together, directly or through others. Each names another one of its own, or itself, if it stands for all of them.

/// Makes one of those around two. The lesser number stands for all.
#[inline]
pub(super) fn unite(leaders: &mut [u32], one: u32, other: u32) {
    let (one, other) = (leader(leaders, one), leader(leaders, other));
    leaders[one.max(other) as usize] = one.min(other);
}

/// Who stands for those around a number. Makes the way there shorter for the next time.
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
