//! A sort that counts instead of comparing.

/// Buffers of the sort.
#[derive(Clone, Debug)]
pub(crate) struct CountingSort<T> {
    starts: Vec<u32>,
    sorted: Vec<T>,
}

impl<T> Default for CountingSort<T> {
    fn default() -> Self {
        Self {
            starts: Vec::new(),
            sorted: Vec::new(),
        }
    }
}

/// With fewer items for each bucket than one in so many, comparing is faster.
const SPARSE: usize = 16;

impl<T: Copy> CountingSort<T> {
    /// Sorts by bucket, a number below `buckets`, and within a bucket by key; no two items have the same of both.
    ///
    /// Each item is written once to the stretch of its bucket. Where few buckets have more than a few items, what is left to compare is next to nothing.
    pub(crate) fn sort<K: Ord>(
        &mut self,
        items: &mut Vec<T>,
        buckets: usize,
        bucket: impl Fn(&T) -> u32,
        key: impl Fn(&T) -> K,
    ) {
        if items.len() < buckets / SPARSE {
            items.sort_unstable_by_key(|item| (bucket(item), key(item)));
            return;
        }
        let Some(&any) = items.first() else {
            return;
        };
        let Self { starts, sorted } = self;
        starts.clear();
        starts.resize(buckets + 1, 0);
        for item in &*items {
            starts[bucket(item) as usize] += 1;
        }
        // Counts become ends; writing backwards turns ends into starts.
        let mut end = 0;
        for count in &mut *starts {
            end += *count;
            *count = end;
        }
        sorted.resize(items.len(), any);
        for item in &*items {
            let start = &mut starts[bucket(item) as usize];
            *start -= 1;
            sorted[*start as usize] = *item;
        }
        for stretch in starts.windows(2) {
            let stretch = &mut sorted[stretch[0] as usize..stretch[1] as usize];
            if stretch.len() > 1 {
                stretch.sort_unstable_by_key(&key);
            }
        }
        std::mem::swap(items, sorted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_as_comparing_does() {
        let mut random = fastrand::Rng::with_seed(5);
        for count in [0, 1, 2, 50, 1000] {
            let mut items: Vec<(u32, u32)> =
                (0..count).map(|key| (random.u32(0..100), key)).collect();
            random.shuffle(&mut items);
            let mut expected = items.clone();
            expected.sort_unstable();
            CountingSort::default().sort(&mut items, 100, |item| item.0, |item| item.1);
            assert_eq!(items, expected, "{count} items");
        }
    }
}
