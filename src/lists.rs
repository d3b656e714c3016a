//! Lists in one array, one after the other, for items that come in any order: they are counted first, and then each has its place.

use std::ops::Range;

/// The items of a list are `items[starts[list]..starts[list + 1]]`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Default> Lists<T> {
    /// Begins anew with this many lists.
    pub(crate) fn begin(&mut self, lists: usize) {
        self.starts.clear();
        self.starts.resize(lists + 1, 0);
    }

    /// Adds a list behind the others.
    pub(crate) fn add_list(&mut self) {
        self.starts.push(0);
    }

    /// Notes that so many more items will come into a list.
    #[inline]
    pub(crate) fn announce(&mut self, list: u32, count: u32) {
        self.starts[list as usize] += count;
    }

    /// Fills in all announced items, each after the number of its list. Those of a list keep their order.
    pub(crate) fn fill(&mut self, items: impl DoubleEndedIterator<Item = (u32, T)>) {
        // Counts become ends; filling backwards turns ends into starts.
        let mut end = 0;
        for count in &mut self.starts {
            end += *count;
            *count = end;
        }
        self.items.clear();
        self.items.resize(end as usize, T::default());
        for (list, item) in items.rev() {
            let start = &mut self.starts[list as usize];
            *start -= 1;
            self.items[*start as usize] = item;
        }
    }

    /// Returns the items of a list.
    #[inline]
    pub(crate) fn of(&self, list: u32) -> &[T] {
        &self.items[self.range(list)]
    }

    /// Returns where the items of a list are in [`items`](Self::items).
    #[inline]
    pub(crate) fn range(&self, list: u32) -> Range<usize> {
        let [start, end] = [list, list + 1].map(|at| self.starts[at as usize] as usize);
        start..end
    }

    /// Returns how many lists there are.
    pub(crate) fn count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Returns the items of all lists, list after list.
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_keep_their_order_in_each_list() {
        let mut lists = Lists::default();
        assert_eq!(lists.count(), 0);
        // Twice, since buffers are used again.
        for _ in 0..2 {
            lists.begin(2);
            lists.add_list();
            let items = [(2, 'a'), (0, 'b'), (2, 'c'), (0, 'd'), (2, 'e')];
            for (list, _) in items {
                lists.announce(list, 1);
            }
            lists.fill(items.into_iter());
            assert_eq!(lists.count(), 3);
            let all: [&[char]; 3] = [&['b', 'd'], &[], &['a', 'c', 'e']];
            assert_eq!([0, 1, 2].map(|list| lists.of(list)), all);
            assert_eq!(lists.items(), ['b', 'd', 'a', 'c', 'e']);
        }
    }
}
