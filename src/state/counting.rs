//! A sort that counts instead of comparing.

/// The buffer of the sort.
#[derive(Clone, Debug, Default)]
pub(crate) struct CountingSort {
    starts: Vec<u32>,
}

/// With fewer items for each bucket than one in so many, comparing is faster.
const SPARSE: usize = 16;

impl CountingSort {
    /// Fills `sorted` with the items, sorted by bucket, a number below `buckets`, and within a bucket by key; no two items have the same of both.
    ///
    /// Each item is written once to the stretch of its bucket. Where few buckets have more than a few items, what is left to compare is next to nothing.
    pub(crate) fn sort<T: Copy, K: Ord>(
        &mut self,
        items: impl Iterator<Item = T> + Clone,
        sorted: &mut Vec<T>,
        buckets: usize,
        bucket: impl Fn(&T) -> u32,
        key: impl Fn(&T) -> K,
    ) {
        let starts = &mut self.starts;
        starts.clear();
        starts.resize(buckets + 1, 0);
        let mut count = 0;
        for item in items.clone() {
            starts[bucket(&item) as usize] += 1;
            count += 1;
        }
        if count < buckets / SPARSE {
            sorted.clear();
            sorted.extend(items);
            sorted.sort_unstable_by_key(|item| (bucket(item), key(item)));
            return;
        }
        let Some(any) = items.clone().next() else {
            return sorted.clear();
        };
        // Counts become ends; writing backwards turns ends into starts.
        let mut end = 0;
        for count in &mut *starts {
            end += *count;
            *count = end;
        }
        sorted.resize(count, any);
        for item in items {
            let start = &mut starts[bucket(&item) as usize];
            *start -= 1;
            sorted[*start as usize] = item;
        }
        for stretch in starts.windows(2) {
            let stretch = &mut sorted[stretch[0] as usize..stretch[1] as usize];
            if stretch.len() > 1 {
                stretch.sort_unstable_by_key(&key);
            }
        }
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
            let mut sorted = vec![(7, 7); 3];
            CountingSort::default().sort(
                items.iter().copied(),
                &mut sorted,
                100,
                |item| item.0,
                |item| item.1,
            );
            assert_eq!(sorted, expected, "{count} items");
        }
    }
}
