//! A sort that counts instead of comparing.

use crate::{parallel, prefetch::prefetch};

/// Buffers of the sort.
#[derive(Clone, Debug, Default)]
pub(crate) struct CountingSort {
    starts: Vec<u32>,
    /// Second key in the upper half, index in the lower one.
    order: Vec<u64>,
}

/// With fewer items for each bucket than one in so many, comparing is faster.
const SPARSE: usize = 16;
/// So many items lie between one that is counted or written and one whose memory is asked for.
const AHEAD: usize = 8;
/// So many items are laid out by one thread at a time.
const STRETCH: usize = 8192;

impl CountingSort {
    /// Fills `sorted` with the items, sorted by bucket, a number below `buckets`, and within a bucket by key; no two items have the same of both.
    ///
    /// What is written to the stretch of its bucket, and compared there with the few others, is not the item but its key and index. The items are
    /// moved once, in the end.
    pub(crate) fn sort<T: Copy + Send + Sync>(
        &mut self,
        items: &[T],
        sorted: &mut Vec<T>,
        buckets: usize,
        bucket: impl Fn(&T) -> u32,
        key: impl Fn(&T) -> u32,
    ) {
        if items.len() < buckets / SPARSE {
            sorted.clear();
            sorted.extend_from_slice(items);
            sorted.sort_unstable_by_key(|item| (bucket(item), key(item)));
            return;
        }
        let Some(&any) = items.first() else {
            return sorted.clear();
        };
        let Self { starts, order } = self;
        starts.clear();
        starts.resize(buckets + 1, 0);
        for (at, item) in items.iter().enumerate() {
            if let Some(later) = items.get(at + AHEAD) {
                prefetch(starts, bucket(later) as usize);
            }
            starts[bucket(item) as usize] += 1;
        }
        // Counts become ends; writing backwards turns ends into starts.
        let mut end = 0;
        for count in &mut *starts {
            end += *count;
            *count = end;
        }
        order.resize(items.len(), 0);
        for (index, item) in (0_u64..).zip(items) {
            let start = &mut starts[bucket(item) as usize];
            *start -= 1;
            order[*start as usize] = u64::from(key(item)) << 32 | index;
            if let Some(later) = items.get(index as usize + AHEAD) {
                let start = starts[bucket(later) as usize];
                prefetch(order, start as usize - 1);
            }
        }
        for stretch in starts.windows(2) {
            let stretch = &mut order[stretch[0] as usize..stretch[1] as usize];
            if stretch.len() > 1 {
                sort_few(stretch);
            }
        }
        sorted.resize(items.len(), any);
        let is_large = items.len() >= parallel::WORTH_IT;
        let stretches = sorted.chunks_mut(STRETCH).zip(order.chunks(STRETCH));
        parallel::for_each(stretches, is_large, |(sorted, order)| {
            for (to, from) in sorted.iter_mut().zip(order) {
                *to = items[*from as u32 as usize];
            }
        });
    }
}

/// By insertion, which for a handful is faster than a sort that has to find out how many they are.
fn sort_few(items: &mut [u64]) {
    if items.len() > 16 {
        return items.sort_unstable();
    }
    for end in 1..items.len() {
        let item = items[end];
        let mut at = end;
        while at > 0 && items[at - 1] > item {
            items[at] = items[at - 1];
            at -= 1;
        }
        items[at] = item;
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
            CountingSort::default().sort(&items, &mut sorted, 100, |item| item.0, |item| item.1);
            assert_eq!(sorted, expected, "{count} items");
        }
    }
}
