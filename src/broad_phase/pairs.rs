//! Pairs of moving boxes with each other and with still ones.

use super::{
    extent::{Boxes, Extent, HasExtent},
    lanes::Hits,
    levels::Levels,
    rows::{PartToSort, Rows, place_of},
    vectors::{self, Compare, Work},
};
use crate::{map_four::map_four, parallel};

/// Finds every pair of boxes that share at least an edge, and of which at least one moves.
///
/// The moving boxes are given in each call; the still ones are kept until they are set anew. All buffers are kept, so that a steady game allocates nothing here.
///
/// Costs `O(n)` for n moving boxes, plus the boxes that share a strip and a stretch of x, plus, for each moving box that is much larger than most, the strips that it
/// covers. Where all boxes are in one spot that is every pair, which is unavoidable.
///
/// ```
/// # use bevy_nudge::broad_phase::{BroadPhase, Extent, Found};
/// let square = |x: f32, name: char| (Extent { min: [x, 0.0], max: [x + 10.0, 10.0] }, name);
/// let mut broad_phase = BroadPhase::default();
/// let mut found = Found::default();
/// broad_phase.set_still(&[square(0.0, 'w'), square(10.0, 'v')]); // side by side, and nobody's business
/// let mut pairs = |moving: &[(Extent, char)]| -> Vec<String> {
///     broad_phase.find(moving, |a, b| Some(format!("{}{}", a.1, b.1)), &mut found);
///     found.iter().cloned().collect()
/// };
/// assert_eq!(pairs(&[square(18.0, 'a')]), ["av"]); // the one that moves is first
/// assert_eq!(pairs(&[square(40.0, 'a'), square(45.0, 'b')]).len(), 1); // `ab` or `ba`
///
/// // Who is here?
/// let mut here = Vec::new();
/// let place = Extent { min: [8.0, 0.0], max: [42.0, 1.0] };
/// broad_phase.query(&place, |one| here.push(one.1));
/// here.sort();
/// assert_eq!(here, ['a', 'v', 'w']);
/// let (mut moving, mut still) = (0, 0);
/// broad_phase.query_moving(&place, |_| moving += 1);
/// broad_phase.query_still(&place, |_| still += 1);
/// assert_eq!((moving, still), (1, 2));
/// ```
#[derive(Clone, Debug)]
pub struct BroadPhase<T> {
    moving: Levels<T>,
    still: Levels<T>,
}

/// The results of [`BroadPhase::find`], in several lists, whose buffers are kept. [`BroadPhase`] has an example.
#[derive(Clone, Debug)]
pub struct Found<P> {
    lists: Vec<List<P>>,
    /// Lists that are in use.
    count: usize,
}

/// The results of one part.
#[derive(Clone, Debug)]
struct List<P> {
    found: Vec<P>,
    /// Pairs whose boxes meet and that `meet` has not been called for yet.
    hits: Hits,
}

impl<T> Default for BroadPhase<T> {
    fn default() -> Self {
        Self {
            moving: Levels::default(),
            still: Levels::default(),
        }
    }
}

impl<P> Default for Found<P> {
    fn default() -> Self {
        Self {
            lists: Vec::new(),
            count: 0,
        }
    }
}

impl<P> Found<P> {
    /// Returns all results.
    pub fn iter(&self) -> impl Iterator<Item = &P> + Clone {
        let lists = &self.lists[..self.count];
        lists.iter().flat_map(|list| &list.found)
    }

    /// Returns all lists, and `more` as the last one: each with the number of its first item, from which on its items are numbered; and a function that returns the item with a number.
    ///
    /// # Panics
    /// If a list has more items than the numbers suffice for: 2^27 with 16 lists, and half of that each time there are twice as many lists.
    pub(crate) fn numbered<'a>(
        &'a self,
        more: &'a [P],
    ) -> (
        impl ExactSizeIterator<Item = (u32, &'a [P])>,
        impl Fn(u32) -> &'a P + Copy,
    ) {
        let lists = &self.lists[..self.count];
        let place_bits = (lists.len() as u32).leading_zeros();
        let list = move |number: usize| match lists.get(number) {
            Some(list) => &list.found[..],
            None => more,
        };
        let all = (0..lists.len() + 1).map(move |number| {
            let list = list(number);
            assert!(list.len() as u64 <= 1 << place_bits, "too many pairs");
            let first = (number as u64) << place_bits;
            (first as u32, list)
        });
        let get = move |number: u32| {
            let number = u64::from(number);
            let place = number & ((1 << place_bits) - 1);
            &list((number >> place_bits) as usize)[place as usize]
        };
        (all, get)
    }

    /// Returns the number of results.
    pub(crate) fn len(&self) -> usize {
        let lists = &self.lists[..self.count];
        lists.iter().map(|list| list.found.len()).sum()
    }

    fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds so many empty lists, and returns them.
    fn next_lists(&mut self, more: usize) -> &mut [List<P>] {
        let start = self.count;
        self.count += more;
        if self.lists.len() < self.count {
            self.lists.resize_with(self.count, || List {
                found: Vec::new(),
                hits: Hits::default(),
            });
        }
        let lists = &mut self.lists[start..self.count];
        for list in &mut *lists {
            list.found.clear();
        }
        lists
    }
}

impl<T: Copy + HasExtent + Send + Sync> BroadPhase<T> {
    /// Sets the still boxes, in place of those before. Costs `O(n)`.
    ///
    /// # Panics
    /// With more than 89 million boxes of similar size.
    pub fn set_still(&mut self, boxes: &[T]) {
        self.set_still_of(&boxes);
    }

    /// The same for boxes that need not lie in a slice.
    pub(crate) fn set_still_of(&mut self, boxes: &impl Boxes<T>) {
        self.still.fill(boxes);
        let is_large = boxes.count() >= parallel::WORTH_IT;
        let (levels, chunks) = self.still.rows_to_sort();
        for (level, rows) in levels.iter_mut().enumerate() {
            let parts = rows.parts_to_sort(level, chunks);
            parallel::for_each(parts, is_large, |mut part| part.sort());
        }
    }

    /// Swaps the boxes that stand still with others.
    pub(crate) fn swap_still(&mut self, other: &mut Levels<T>) {
        std::mem::swap(&mut self.still, other);
    }

    /// Calls `meet` with every pair of boxes that share at least an edge; its results replace those in `found`.
    ///
    /// Each pair is passed once: two moving boxes in either order, or a moving box first and then a still one. The order of the results is the same on one thread and
    /// on several, but means nothing else: it also depends on the boxes of the calls before. An infinite box may lose its own pairs, and one with NaN those of others too.
    ///
    /// # Panics
    /// With more than 89 million moving boxes of similar size.
    pub fn find<P: Send>(
        &mut self,
        moving: &[T],
        meet: impl Fn(&T, &T) -> Option<P> + Sync,
        found: &mut Found<P>,
    ) {
        self.find_of(&moving, meet, found);
    }

    /// The same for boxes that need not lie in a slice.
    pub(crate) fn find_of<P: Send>(
        &mut self,
        moving: &impl Boxes<T>,
        meet: impl Meet<T, P>,
        found: &mut Found<P>,
    ) {
        self.moving.fill_again(moving);
        found.clear();
        let is_large = moving.count() >= parallel::WORTH_IT;
        let (levels, chunks) = self.moving.rows_to_sort();
        for level in 0..levels.len() {
            let (lower, from_here) = levels.split_at_mut(level);
            let rows = &mut from_here[0];
            let lists = found.next_lists(rows.part_count());
            let others = Others {
                lower,
                still: self.still.rows(),
            };
            let parts = rows.parts_to_sort(level, chunks).zip(lists);
            parallel::for_each(parts, is_large, |(mut part, list)| {
                others.find(&mut part, &meet, list);
            });
        }
    }

    /// Calls `found` once for every box of the last [`find`](Self::find), and every still one, that shares at least an edge with this one.
    ///
    /// Costs the strips that the box covers and the boxes that begin in them near it. A box with `min > max` on an axis, such as [`Extent::EMPTY`], or one with NaN, finds nothing.
    pub fn query(&self, extent: &Extent, mut found: impl FnMut(&T)) {
        self.query_moving(extent, &mut found);
        self.query_still(extent, found);
    }

    /// The same for the boxes of the last [`find`](Self::find).
    pub fn query_moving(&self, extent: &Extent, found: impl FnMut(&T)) {
        if extent.is_some() {
            self.moving.query(extent, found);
        }
    }

    /// The same for the still boxes.
    pub fn query_still(&self, extent: &Extent, found: impl FnMut(&T)) {
        if extent.is_some() {
            self.still.query(extent, found);
        }
    }

    /// Returns the boxes of the last [`find`](Self::find), for other searches.
    pub(crate) fn moving(&self) -> &Levels<T> {
        &self.moving
    }

    /// Returns the still boxes, for other searches.
    pub(crate) fn still(&self) -> &Levels<T> {
        &self.still
    }
}

/// What a level's boxes meet besides each other: smaller moving boxes, and all still ones.
struct Others<'a, T> {
    lower: &'a [Rows<T>],
    still: &'a [Rows<T>],
}

impl<T: Copy + HasExtent> Others<'_, T> {
    /// Sorts a part and finds all its pairs.
    fn find<P>(&self, part: &mut PartToSort<T>, meet: &impl Meet<T, P>, list: &mut List<P>) {
        let List { found, hits } = list;
        hits.clear();
        vectors::run(Sweep { part, hits });
        let items = part.items();
        ask(hits, items, &[items], meet, found);
        for others in self.lower.iter().chain(self.still) {
            if !others.is_empty() {
                hits.clear();
                part.beginning(|extent, one| others.list((one, extent), hits));
                ask(hits, items, &others.items(), meet, found);
            }
        }
    }
}

/// Sorts a part, and lists its own pairs.
struct Sweep<'a, 'b, T> {
    part: &'a mut PartToSort<'b, T>,
    hits: &'a mut Hits,
}

impl<T: Copy + HasExtent> Work for Sweep<'_, '_, T> {
    #[inline(always)]
    fn run(self, compare: impl Compare) {
        self.part.sort();
        self.part.meet_each_other(compare, self.hits);
    }
}

/// Calls `meet` for each pair of an item and one of several lists.
// Never inlined, so that `meet` is compiled only once, into this loop.
#[inline(never)]
fn ask<T, P>(
    hits: &Hits,
    items: &[T],
    others: &[&[T]],
    meet: &impl Meet<T, P>,
    found: &mut Vec<P>,
) {
    let (fours, rest) = hits.pairs().as_chunks();
    for four in fours {
        let pairs = map_four(*four, |pair| of_pair(pair, items, others));
        meet.meet_four(pairs, found);
    }
    for pair in rest {
        let [one, other] = of_pair(*pair, items, others);
        found.extend(meet.meet(one, other));
    }
}

/// Returns the items of a pair.
#[inline(always)]
fn of_pair<'a, T>((one, other): (u32, u32), items: &'a [T], others: &[&'a [T]]) -> [&'a T; 2] {
    let (list, other) = place_of(other);
    [&items[one as usize], &others[list][other]]
}

/// Decides whether the owners of two boxes that meet do so themselves, and how.
pub(crate) trait Meet<T, P>: Sync {
    fn meet(&self, one: &T, other: &T) -> Option<P>;

    /// The same for four pairs: adds the results, in their order.
    #[inline(always)]
    fn meet_four(&self, pairs: [[&T; 2]; 4], found: &mut Vec<P>) {
        for [one, other] in pairs {
            found.extend(self.meet(one, other));
        }
    }
}

impl<T, P, F: Fn(&T, &T) -> Option<P> + Sync> Meet<T, P> for F {
    #[inline(always)]
    fn meet(&self, one: &T, other: &T) -> Option<P> {
        self(one, other)
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::broad_phase::vectors::{avx2::Avx2, compare_fours};

    /// Boxes of many sizes, some in one spot, some with NaN.
    fn boxes(seed: u64) -> Vec<Extent> {
        let mut random = fastrand::Rng::with_seed(seed);
        (0..3000)
            .map(|number| {
                let size = random.f32() * if number % 50 == 0 { 300.0 } else { 6.0 };
                let spread = if number % 3 == 0 { 20.0 } else { 500.0 };
                let [x, y] = [(); 2].map(|()| random.f32() * spread);
                let x = if number % 700 == 0 { f32::NAN } else { x };
                Extent {
                    min: [x, y],
                    max: [x + size, y + size],
                }
            })
            .collect()
    }

    /// The pairs of a part, and the bits of its boxes in sorted order.
    type Swept = (Vec<(u32, u32)>, Vec<u32>);

    fn swept(boxes: &[Extent], run: impl Fn(Sweep<Extent>)) -> Vec<Swept> {
        let mut levels = Levels::default();
        levels.fill(&boxes);
        let (levels, chunks) = levels.rows_to_sort();
        let mut swept = Vec::new();
        for (level, rows) in levels.iter_mut().enumerate() {
            for mut part in rows.parts_to_sort(level, chunks) {
                let mut hits = Hits::default();
                run(Sweep {
                    part: &mut part,
                    hits: &mut hits,
                });
                let edges = part.items().iter();
                let edges = edges.flat_map(|extent| [extent.min, extent.max].concat());
                swept.push((hits.pairs().to_vec(), edges.map(f32::to_bits).collect()));
            }
        }
        swept
    }

    #[test]
    fn parts_are_swept_alike_by_all_instructions() {
        let Some(avx2) = Avx2::get() else {
            return;
        };
        for seed in 0..10 {
            let boxes = boxes(seed);
            let by_fours = swept(&boxes, |sweep| sweep.run(compare_fours));
            let pairs: usize = by_fours.iter().map(|(pairs, _)| pairs.len()).sum();
            assert!(pairs > 10_000, "{pairs} show little");
            assert!(swept(&boxes, |sweep| avx2.run(sweep)) == by_fours, "{seed}");
        }
    }
}
