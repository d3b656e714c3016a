//! A sort that counts instead of comparing.

use crate::{parallel, prefetch::prefetch};

/// Buffers of the sort.
#[derive(Clone, Debug, Default)]
pub(crate) struct CountingSort {
    entries: Vec<Entry>,
    starts: Vec<u32>,
    /// Key in the upper half, place in the lower one.
    order: Vec<u64>,
}

/// What is known of an item while it is sorted: it may be large, and is moved but once, in the end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// What it is sorted by first.
    pub(crate) bucket: u32,
    /// What it is sorted by then.
    pub(crate) key: u32,
    /// Where it is.
    pub(crate) at: u32,
}

/// With fewer items for each bucket than one in so many, comparing is faster.
const SPARSE: usize = 16;
/// So many items lie between one that is counted or written and one whose memory is asked for.
const AHEAD: usize = 8;
/// So many items are laid out by one thread at a time.
const STRETCH: usize = 8192;

impl CountingSort {
    /// Fills `sorted` with what `get` makes of the places of all entries, sorted by bucket, then by key, then by place. Costs the number of the last bucket too.
    pub(crate) fn sort<T: Copy + Send>(
        &mut self,
        entries: impl Iterator<Item = Entry>,
        get: impl Fn(u32) -> T + Sync,
        sorted: &mut Vec<T>,
    ) {
        self.entries.clear();
        self.entries.extend(entries);
        let buckets = self.entries.iter().map(|entry| entry.bucket).max();
        let buckets = buckets.map_or(0, |last| last as usize + 1);
        if self.entries.len() < buckets / SPARSE {
            self.order_by_comparing();
        } else {
            self.order_by_counting(buckets);
        }
        let Some(any) = self.entries.first() else {
            return sorted.clear();
        };
        sorted.resize(self.order.len(), get(any.at));
        let is_large = self.order.len() >= parallel::WORTH_IT;
        let stretches = sorted.chunks_mut(STRETCH).zip(self.order.chunks(STRETCH));
        parallel::for_each(stretches, is_large, |(sorted, order)| {
            for (to, from) in sorted.iter_mut().zip(order) {
                *to = get(*from as u32);
            }
        });
    }

    fn order_by_comparing(&mut self) {
        self.entries
            .sort_unstable_by_key(|entry| (entry.bucket, entry.key, entry.at));
        self.order.clear();
        self.order.extend(self.entries.iter().map(Entry::order));
    }

    /// An entry is written to the stretch of its bucket, and compared there with the few others.
    fn order_by_counting(&mut self, buckets: usize) {
        let Self {
            entries,
            starts,
            order,
        } = self;
        starts.clear();
        starts.resize(buckets + 1, 0);
        let ahead = |at: usize| entries.get(at + AHEAD).map(|entry| entry.bucket as usize);
        for (at, entry) in entries.iter().enumerate() {
            if let Some(bucket) = ahead(at) {
                prefetch(starts, bucket);
            }
            starts[entry.bucket as usize] += 1;
        }
        // Counts become ends; writing backwards turns ends into starts.
        let mut end = 0;
        for count in &mut *starts {
            end += *count;
            *count = end;
        }
        order.resize(entries.len(), 0);
        for (at, entry) in entries.iter().enumerate() {
            if let Some(bucket) = ahead(at) {
                prefetch(order, starts[bucket] as usize - 1);
            }
            let start = &mut starts[entry.bucket as usize];
            *start -= 1;
            order[*start as usize] = entry.order();
        }
        for stretch in starts.windows(2) {
            let stretch = &mut order[stretch[0] as usize..stretch[1] as usize];
            if stretch.len() > 1 {
                sort_few(stretch);
            }
        }
    }
}

impl Entry {
    fn order(&self) -> u64 {
        u64::from(self.key) << 32 | u64::from(self.at)
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
            let mut items: Vec<(u32, u32)> = (0..count)
                .map(|key| (random.u32(0..100), key / 2))
                .collect();
            random.shuffle(&mut items);
            let mut expected: Vec<((u32, u32), u32)> = items.iter().copied().zip(0..).collect();
            expected.sort_unstable();
            let entries = items.iter().zip(0..);
            let entries = entries.map(|(&(bucket, key), at)| Entry { bucket, key, at });
            let mut sorted = vec![((7, 7), 7); 3];
            let get = |at: u32| (items[at as usize], at);
            CountingSort::default().sort(entries, get, &mut sorted);
            assert_eq!(sorted, expected, "{count} items");
        }
    }
}
