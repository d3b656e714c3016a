//! Disjoint sets of numbers (union-find).

/// Sets of the numbers from 0 on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sets {
    /// By number: another number of its set, or itself if it is the least one.
    next: Vec<u32>,
}

impl Sets {
    /// Starts over with `count` numbers, each in a set of its own.
    pub(crate) fn start(&mut self, count: usize) {
        self.next.clear();
        self.next.extend(0..count as u32);
    }

    /// Merges the sets of two numbers.
    pub(crate) fn join(&mut self, one: u32, other: u32) {
        let [one, other] = [one, other].map(|number| self.of(number));
        self.next[one.max(other) as usize] = one.min(other);
    }

    /// Returns the least number in the set of `number`.
    pub(crate) fn of(&mut self, mut number: u32) -> u32 {
        loop {
            let next = self.next[number as usize];
            let after = self.next[next as usize];
            if next == after {
                return next;
            }
            // Halves the path for later calls.
            self.next[number as usize] = after;
            number = after;
        }
    }

    /// Makes each number lead to the least one of its set at once, which [`leaders`](Self::leaders) returns until the next join.
    pub(crate) fn flatten(&mut self) {
        for number in 0..self.next.len() {
            // The least one comes first, so what a number leads to leads to the end already.
            self.next[number] = self.next[self.next[number] as usize];
        }
    }

    /// The least number in the set of each, once they are [flat](Self::flatten).
    pub(crate) fn leaders(&self) -> &[u32] {
        &self.next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_those_that_are_joined() {
        let mut random = fastrand::Rng::with_seed(8);
        let mut sets = Sets::default();
        for count in 1..60_usize {
            sets.start(count);
            let mut expected: Vec<u32> = (0..count as u32).collect();
            for _ in 0..random.usize(..count) {
                let [one, other] = [(); 2].map(|()| random.usize(..count));
                sets.join(one as u32, other as u32);
                let [one, other] = [expected[one], expected[other]];
                for set in &mut expected {
                    if *set == one.max(other) {
                        *set = one.min(other);
                    }
                }
            }
            let found: Vec<u32> = (0..count as u32).map(|number| sets.of(number)).collect();
            assert_eq!(found, expected);
            sets.flatten();
            assert_eq!(sets.leaders(), expected);
        }
    }
}
