//! A counting sort.
//!
//! ```text
//! share      split the entries of each part by the range that their bucket is in                  a thread for each part
//! lay out    in each range: count the entries of each bucket, write each entry to the stretch     a thread for each range
//!            of its bucket, and sort it there by comparing it with the few others;
//!            then write the item that each entry stands for
//! ```
//!
//! The counts and stretches of all buckets do not fit into the nearest caches, and each entry goes to another place in them. Those of one range fit.

use std::{iter::once, mem::take};

use crate::parallel;

/// The buckets are divided into this many ranges ...
const RANGES: usize = 16;
/// ... if there are more buckets than this.
const MOST_IN_ONE_RANGE: usize = 16384;
/// With fewer than one item for this many buckets, sorting by comparison is faster.
const SPARSE: usize = 16;

/// Buffers of the sort.
#[derive(Clone, Debug, Default)]
pub(crate) struct CountingSort {
    shares: Vec<Share>,
    layouts: [Layout; RANGES],
}

/// The entries of a part, by range.
type Share = [Vec<Entry>; RANGES];

/// The entries of a range, in sorted order.
#[derive(Clone, Debug, Default)]
struct Layout {
    /// Filled only if the entries are sorted by comparison.
    entries: Vec<Entry>,
    starts: Vec<u32>,
    /// Key in the upper half, place (`at`) in the lower half.
    order: Vec<u64>,
}

/// What is known of an item during the sort: items may be large, and each is copied only once, at the end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// First sort key.
    pub(crate) bucket: u32,
    /// Second sort key.
    pub(crate) key: u32,
    /// Where the item is: passed to `get`, and the last sort key.
    pub(crate) at: u32,
}

impl CountingSort {
    /// Fills `sorted` with `get` of the places of all entries, sorted by bucket, then by key, then by place. All buckets must be below `buckets`; the cost grows with that number too.
    pub(crate) fn sort<T: Copy + Send>(
        &mut self,
        buckets: usize,
        entries: impl Iterator<Item = Entry> + Send,
        get: impl Fn(u32) -> T + Sync,
        sorted: &mut Vec<T>,
    ) {
        self.sort_parts((buckets, false), once(entries), |all| all, get, sorted);
    }

    /// Does the same for entries that come in several parts, on several threads if `are_many`.
    pub(crate) fn sort_parts<P: Send, E: Iterator<Item = Entry>, T: Copy + Send>(
        &mut self,
        (buckets, are_many): (usize, bool),
        parts: impl ExactSizeIterator<Item = P>,
        entries: impl Fn(P) -> E + Sync,
        get: impl Fn(u32) -> T + Sync,
        sorted: &mut Vec<T>,
    ) {
        // A range is two to the power of this many buckets.
        let bits = if buckets <= MOST_IN_ONE_RANGE {
            u32::BITS - 1
        } else {
            buckets.div_ceil(RANGES).next_power_of_two().ilog2()
        };
        let count = parts.len();
        if self.shares.len() < count {
            self.shares.resize_with(count, Share::default);
        }
        let shares = &mut self.shares[..count];
        parallel::for_each(parts.zip(&mut *shares), are_many, |(part, share)| {
            share.iter_mut().for_each(Vec::clear);
            for entry in entries(part) {
                share[(entry.bucket >> bits) as usize].push(entry);
            }
        });
        let shares = &*shares;
        let lists = |range: usize| shares.iter().map(move |share| &share[range]);
        let count = |range: usize| lists(range).map(Vec::len).sum::<usize>();
        let Some(any) = (0..RANGES).flat_map(lists).flatten().next() else {
            return sorted.clear();
        };
        sorted.resize((0..RANGES).map(count).sum(), get(any.at));

        let mut rest = &mut sorted[..];
        let ranges = self.layouts.iter_mut().enumerate().map(|(range, layout)| {
            let (own, others) = take(&mut rest).split_at_mut(count(range));
            rest = others;
            (range, layout, own)
        });
        let in_use = ranges.filter(|(.., sorted)| !sorted.is_empty());
        parallel::for_each(in_use, are_many, |(range, layout, sorted)| {
            let first = range << bits;
            let buckets = first..buckets.min(first + (1 << bits));
            layout.fill(buckets.start, buckets.len(), lists(range), sorted.len());
            for (to, from) in sorted.iter_mut().zip(&layout.order) {
                *to = get(*from as u32);
            }
        });
    }
}

impl Layout {
    /// Sorts `count` entries from several lists into `order`. Their buckets are the `buckets` from `first` on.
    fn fill<'a>(
        &mut self,
        first: usize,
        buckets: usize,
        lists: impl Iterator<Item = &'a Vec<Entry>> + Clone,
        count: usize,
    ) {
        self.order.clear();
        if count < buckets / SPARSE {
            self.order_by_comparing(lists);
        } else {
            self.order.resize(count, 0);
            self.order_by_counting(first, buckets, lists);
        }
    }

    fn order_by_comparing<'a>(&mut self, lists: impl Iterator<Item = &'a Vec<Entry>>) {
        self.entries.clear();
        lists.for_each(|list| self.entries.extend_from_slice(list));
        self.entries
            .sort_unstable_by_key(|entry| (entry.bucket, entry.key, entry.at));
        self.order.extend(self.entries.iter().map(Entry::order));
    }

    /// Writes each entry to the stretch of its bucket, and sorts each stretch by comparison.
    fn order_by_counting<'a>(
        &mut self,
        first: usize,
        buckets: usize,
        lists: impl Iterator<Item = &'a Vec<Entry>> + Clone,
    ) {
        let Self { starts, order, .. } = self;
        starts.clear();
        starts.resize(buckets + 1, 0);
        for entry in lists.clone().flatten() {
            starts[entry.bucket as usize - first] += 1;
        }
        // Counts become ends; writing backwards turns ends into starts.
        let mut end = 0;
        for count in &mut *starts {
            end += *count;
            *count = end;
        }
        for entry in lists.flatten() {
            let start = &mut starts[entry.bucket as usize - first];
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

/// Sorts by insertion, which is faster for a handful of items than a sort that has to choose a method first.
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
        // Few buckets (one range) and many; so many items that each range is counted, and so few that it is compared; all items in the last buckets; in one part and in several.
        for (count, buckets) in [
            (0, 100),
            (1, 1),
            (2, 100),
            (50, 100),
            (1000, 100),
            (20_000, MOST_IN_ONE_RANGE),
            (20_000, MOST_IN_ONE_RANGE + 1),
            (20_000, 100_000),
            (300, 100_000),
        ] {
            for (parts, lowest) in [(1, 0), (7, 0), (3, buckets - buckets.min(50))] {
                let mut items: Vec<(u32, u32)> = (0..count)
                    .map(|key| (random.u32(lowest as u32..buckets as u32), key / 2))
                    .collect();
                random.shuffle(&mut items);
                let mut expected: Vec<((u32, u32), u32)> = items.iter().copied().zip(0..).collect();
                expected.sort_unstable();
                let entries: Vec<Entry> = items
                    .iter()
                    .zip(0..)
                    .map(|(&(bucket, key), at)| Entry { bucket, key, at })
                    .collect();
                let size = entries.len().div_ceil(parts).max(1);
                let mut sorted = vec![((7, 7), 7); 3];
                CountingSort::default().sort_parts(
                    (buckets, false),
                    entries.chunks(size),
                    |part: &[Entry]| part.iter().copied(),
                    |at| (items[at as usize], at),
                    &mut sorted,
                );
                assert!(
                    sorted == expected,
                    "{count} in {buckets} from {lowest} on, {parts} parts"
                );
            }
        }
    }
}
