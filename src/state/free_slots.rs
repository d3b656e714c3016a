//! The slots that nothing has.

/// A set of slots that knows its lowest one. Unlike a tree it keeps its memory, and unlike a heap it can lose any member.
#[derive(Clone, Debug, Default)]
pub(super) struct FreeSlots {
    /// A bit for each slot.
    words: Vec<u64>,
    /// No word before this one has a member.
    first: usize,
}

impl FreeSlots {
    pub(super) fn insert(&mut self, slot: u32) {
        let (word, bit) = place_of(slot);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= bit;
        self.first = self.first.min(word);
    }

    /// Removes a slot; returns whether it was a member.
    pub(super) fn remove(&mut self, slot: u32) -> bool {
        let (word, bit) = place_of(slot);
        let word = self.words.get_mut(word).filter(|word| **word & bit != 0);
        word.map(|word| *word &= !bit).is_some()
    }

    /// Removes the lowest member. Cheap, since the words that are gone through are without members from then on.
    pub(super) fn take_lowest(&mut self) -> Option<u32> {
        let empty = self.words[self.first..]
            .iter()
            .take_while(|word| **word == 0);
        self.first += empty.count();
        let lowest = self.iter().next()?;
        self.remove(lowest);
        Some(lowest)
    }

    /// Returns all members, the lowest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        let words = (self.first..).zip(&self.words[self.first..]);
        words.flat_map(|(at, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(at as u32 * 64 + bit)
            })
        })
    }
}

/// Returns the word that a slot's bit is in, and that bit.
fn place_of(slot: u32) -> (usize, u64) {
    (slot as usize / 64, 1 << (slot % 64))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn it_has_the_members_of_a_tree() {
        for seed in 0..200 {
            let mut random = fastrand::Rng::with_seed(seed);
            let most = random.u32(1..400);
            let (mut free, mut tree) = (FreeSlots::default(), BTreeSet::new());
            for _ in 0..400 {
                let slot = random.u32(0..most);
                match random.u32(0..4) {
                    0 | 1 => {
                        free.insert(slot);
                        tree.insert(slot);
                    }
                    2 => assert_eq!(free.remove(slot), tree.remove(&slot), "seed {seed}"),
                    _ => assert_eq!(free.take_lowest(), tree.pop_first(), "seed {seed}"),
                }
                assert!(free.iter().eq(tree.iter().copied()), "seed {seed}");
            }
        }
    }
}
