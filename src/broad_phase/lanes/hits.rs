//! The list of pairs that meet, written without unpredictable branches.

use crate::broad_phase::vectors::LANES;

/// Pairs of boxes by their numbers, and room for more.
#[derive(Clone, Debug, Default)]
pub(in crate::broad_phase) struct Hits {
    pairs: Vec<(u32, u32)>,
    count: usize,
}

impl Hits {
    pub(in crate::broad_phase) fn clear(&mut self) {
        self.count = 0;
    }

    pub(in crate::broad_phase) fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs[..self.count]
    }

    /// Adds a pair of `one` with each wanted box whose bit is set; the lowest bit stands for `first`.
    #[inline(always)]
    pub(in crate::broad_phase) fn add(
        &mut self,
        one: u32,
        first: u32,
        bits: u32,
        is_wanted: impl Fn(u32) -> bool,
    ) {
        if self.pairs.len() < self.count + LANES {
            self.make_room();
        }
        // Mostly no bit or one is set, unpredictably: the first pair is written in any case, and counts only if there is one.
        let last = LANES as u32 - 1;
        let other = first + bits.trailing_zeros().min(last);
        self.pairs[self.count] = (one, other);
        self.count += usize::from((bits != 0) & is_wanted(other));
        let mut bits = bits & bits.wrapping_sub(1);
        while bits != 0 {
            let other = first + bits.trailing_zeros();
            self.pairs[self.count] = (one, other);
            self.count += usize::from(is_wanted(other));
            bits &= bits - 1;
        }
    }

    /// Keeps only the wanted ones of the pairs from a number on.
    #[inline(always)]
    pub(in crate::broad_phase) fn retain_from(
        &mut self,
        from: usize,
        is_wanted: impl Fn(u32, u32) -> bool,
    ) {
        let mut kept = from;
        for at in from..self.count {
            let (one, other) = self.pairs[at];
            self.pairs[kept] = (one, other);
            kept += usize::from(is_wanted(one, other));
        }
        self.count = kept;
    }

    pub(in crate::broad_phase) fn count(&self) -> usize {
        self.count
    }

    #[cold]
    fn make_room(&mut self) {
        self.pairs.resize((self.pairs.len() * 2).max(64), (0, 0));
    }
}
