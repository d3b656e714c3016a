//! Horizontal strips, each with a row of boxes sorted by left edge.
//!
//! ```text
//! strip 2   [a]      [b  ]            a box is in every strip that it touches: a few, by choice of the height;
//! strip 1       [c  ][b  ]   [d]      in each strip it meets those that begin before it ends;
//! strip 0       [c  ]     [e]         a pair counts in the one strip in which the upper of the two begins.
//! ```
//!
//! Filling takes three passes, none of which compares more than neighbours:
//!
//! ```text
//! count how many boxes each strip has, and make room
//! write each box to its strips
//! in each strip: bins of equal width, about one for each box; write each box's number to the bin of its left edge;
//!                within a bin sort by insertion; then lay the boxes out in that order
//! ```
//!
//! Where the boxes of a strip clump, bins are long, and those are sorted by comparison. The bins stay: they tell where in
//! a row an outsider has to begin.
//!
//! Strips are numbered from the origin and kept in as many places as there are boxes, modulo a power of two. So a world may be as wide as it likes; strips that
//! share a place meet only in the comparison of edges, which tells them apart.

use bevy::math::Vec4;

use super::extent::{BEGINS, Extent, MEET, edges_meet, limits};

/// Strips that a box of a level may touch, at most.
pub(super) const MAX_STRIPS: i32 = 3;
/// Up to this many boxes in a bin are sorted by insertion.
const LONG_BIN: usize = 16;

/// The boxes of a level.
#[derive(Clone, Debug)]
pub(super) struct Rows<T> {
    /// What came with each box; those of neighbours lie side by side.
    items: Vec<T>,
    /// Strips for each unit of y.
    strips_per_unit: f32,
    /// Number of places minus 1; it is a power of two less one.
    mask: i32,
    /// Where each place begins among the entries, and where the last one ends.
    starts: Vec<u32>,
    strips: Vec<Strip>,
    /// Where each bin begins, and for each strip where the last one ends.
    bins: Vec<u32>,
    edges: Vec<[f32; 4]>,
    members: Vec<Member>,
    /// First and last strip of each box.
    spans: Vec<(i32, i32)>,
    /// Left edge and number of the boxes of all strips, before and after the sort of a row.
    entries: Vec<Entry>,
    order: Vec<Entry>,
    /// Where the item of each box is.
    item_of: Vec<u32>,
}

/// What is known of the row of a strip.
#[derive(Clone, Copy, Debug, Default)]
struct Strip {
    /// Of its bins.
    first_bin: u32,
    bin_count: u32,
    /// Where the first bin begins.
    left: f32,
    bins_per_unit: f32,
    /// Width of the widest box.
    widest: f32,
}

/// A box in one strip: its left edge, and who it is.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    left: f32,
    member: Member,
}

/// The number of a box, later of its item, with a bit for whether this is the lowest strip that it touches.
#[derive(Clone, Copy, Debug, Default)]
struct Member(u32);

impl Member {
    fn new(number: u32, begins: bool) -> Self {
        Self(number << 1 | u32::from(begins))
    }

    #[inline]
    fn number(self) -> u32 {
        self.0 >> 1
    }

    #[inline]
    fn begins(self) -> bool {
        self.0 & 1 != 0
    }
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            strips_per_unit: 1.0,
            mask: 0,
            starts: vec![0, 0],
            strips: vec![Strip::default()],
            bins: vec![0, 0],
            edges: Vec::new(),
            members: Vec::new(),
            spans: Vec::new(),
            entries: Vec::new(),
            order: Vec::new(),
            item_of: Vec::new(),
        }
    }
}

impl<T: Copy> Rows<T> {
    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Takes these boxes in place of those before: the ones among `extents` with these numbers, none of them higher than a strip.
    pub(super) fn fill(
        &mut self,
        extents: &[Extent],
        items: &[T],
        numbers: impl Iterator<Item = u32> + Clone,
        strip_height: f32,
    ) {
        self.items.clear();
        self.item_of.resize(extents.len(), 0);
        self.strips_per_unit = strip_height.recip();
        self.count(extents, numbers.clone());
        self.write(extents, numbers);
        self.edges.clear();
        self.members.clear();
        self.bins.clear();
        for place in 0..self.strips.len() {
            self.sort_row(place, extents, items);
        }
        for member in &mut self.members {
            let item = self.item_of[member.number() as usize];
            *member = Member::new(item, member.begins());
        }
    }

    /// Finds out how many places are needed and where each begins.
    fn count(&mut self, extents: &[Extent], numbers: impl Iterator<Item = u32>) {
        let strips_per_unit = self.strips_per_unit;
        self.spans.clear();
        self.spans
            .extend(numbers.map(|number| span(&extents[number as usize], strips_per_unit)));
        let (lowest, highest) = self
            .spans
            .iter()
            .fold((i32::MAX, i32::MIN), |(lowest, highest), &(first, last)| {
                (lowest.min(first), highest.max(last))
            });
        let in_use = (i64::from(highest) - i64::from(lowest) + 1).max(1) as u64;
        // A box must not meet itself round the corner, hence at least twice its strips.
        let places = in_use
            .min(2 * self.spans.len() as u64)
            .max(2 * MAX_STRIPS as u64)
            .next_power_of_two();
        self.mask = (places - 1) as i32;
        self.strips.clear();
        self.strips.resize(places as usize, Strip::default());

        self.starts.clear();
        self.starts.resize(places as usize + 1, 0);
        for &(first, last) in &self.spans {
            self.starts[(first & self.mask) as usize] += 1;
            // Not as an inclusive range, which is slow for the one or two that it mostly is.
            let mut strip = first;
            while strip < last {
                strip += 1;
                self.starts[(strip & self.mask) as usize] += 1;
            }
        }
        // Counts become ends; writing backwards turns ends into starts.
        let mut end = 0;
        for count in &mut self.starts {
            end += *count;
            *count = end;
        }
    }

    /// Writes each box to its strips.
    fn write(&mut self, extents: &[Extent], numbers: impl Iterator<Item = u32>) {
        let total = self.starts.last().map_or(0, |end| *end as usize);
        self.entries.resize(total, Entry::default());
        for (number, &(first, last)) in numbers.zip(&self.spans) {
            let left = extents[number as usize].min[0];
            let mut enter = |strip: i32, begins: bool| {
                let start = &mut self.starts[(strip & self.mask) as usize];
                *start -= 1;
                let member = Member::new(number, begins);
                self.entries[*start as usize] = Entry { left, member };
            };
            enter(first, true);
            let mut strip = first;
            while strip < last {
                strip += 1;
                enter(strip, false);
            }
        }
    }

    /// Lays out the entries of one place by their left edges.
    fn sort_row(&mut self, place: usize, extents: &[Extent], items: &[T]) {
        let range = self.starts[place] as usize..self.starts[place + 1] as usize;
        let row = &self.entries[range.clone()];
        let (left, right) = row.iter().fold(
            (f32::INFINITY, f32::NEG_INFINITY),
            |(left, right), entry| (left.min(entry.left), right.max(entry.left)),
        );
        let first_bin = self.bins.len();
        let bin_count = row.len().max(1);
        let mut strip = Strip {
            first_bin: first_bin as u32,
            bin_count: bin_count as u32,
            left,
            bins_per_unit: bin_count as f32 / (right - left),
            widest: 0.0,
        };

        self.bins.resize(first_bin + bin_count + 1, 0);
        let bins = &mut self.bins[first_bin..];
        for entry in row {
            bins[strip.bin_of(entry.left)] += 1;
        }
        let mut end = 0;
        for bin in &mut *bins {
            end += *bin;
            *bin = end;
        }
        if self.order.len() < row.len() {
            self.order.resize(row.len(), Entry::default());
        }
        let order = &mut self.order[..row.len()];
        for entry in row {
            let start = &mut bins[strip.bin_of(entry.left)];
            *start -= 1;
            order[*start as usize] = *entry;
        }
        sort_nearly_sorted(order, bins);
        for start in bins {
            *start += range.start as u32;
        }
        for Entry { member, .. } in &*order {
            let number = member.number() as usize;
            let edges = extents[number].edges();
            strip.widest = strip.widest.max(-edges[2] - edges[0]);
            self.edges.push(edges);
            if member.begins() {
                self.item_of[number] = self.items.len() as u32;
                self.items.push(items[number]);
            }
            self.members.push(*member);
        }
        self.strips[place] = strip;
    }

    #[inline]
    fn item(&self, member: Member) -> &T {
        &self.items[member.number() as usize]
    }

    /// Number of places. Each is met by itself, and by all together every pair is found.
    pub(super) fn places(&self) -> usize {
        self.strips.len()
    }

    /// Every pair of this place's own boxes.
    #[inline]
    pub(super) fn meet_each_other(&self, place: usize, mut found: impl FnMut(&T, &T)) {
        let range = self.starts[place] as usize..self.starts[place + 1] as usize;
        let (row, members) = (&self.edges[range.clone()], &self.members[range]);
        for (at, (edges, one)) in row.iter().zip(members).enumerate() {
            let limits = limits(*edges);
            for (edges, other) in row[at + 1..].iter().zip(&members[at + 1..]) {
                let meet = edges_meet(*edges, limits);
                if meet & BEGINS == 0 {
                    break;
                }
                // Both lie in the strip below as well: the pair is found there.
                if meet == MEET && (one.begins() || other.begins()) {
                    found(self.item(*one), self.item(*other));
                }
            }
        }
    }

    /// Every box of this place that begins here: all places together give each box once, with its edges.
    #[inline]
    pub(super) fn beginning(&self, place: usize) -> impl Iterator<Item = ([f32; 4], &T)> {
        let range = self.starts[place] as usize..self.starts[place + 1] as usize;
        let members = self.edges[range.clone()].iter().zip(&self.members[range]);
        members
            .filter(|(_, member)| member.begins())
            .map(|(edges, member)| (*edges, self.item(*member)))
    }

    /// Every box that meets a box from elsewhere, given by its edges.
    #[inline]
    pub(super) fn meet(&self, edges: [f32; 4], mut found: impl FnMut(&T)) {
        let limits = limits(edges);
        let first = strip_at(edges[1], self.strips_per_unit);
        let last = strip_at(-edges[3], self.strips_per_unit);
        let count = i64::from(last) - i64::from(first) + 1;
        if count + i64::from(MAX_STRIPS) > i64::from(self.mask) {
            // Nearly all places: so each of them once, and each box where it begins.
            for place in 0..self.strips.len() {
                self.meet_in(place, edges[0], limits, false, &mut found);
            }
        } else {
            for strip in first..=last {
                let place = (strip & self.mask) as usize;
                self.meet_in(place, edges[0], limits, strip == first, &mut found);
            }
        }
    }

    /// Where it comes in from below, boxes that began further down count too.
    #[inline]
    fn meet_in(
        &self,
        place: usize,
        left: f32,
        limits: Vec4,
        is_first: bool,
        found: &mut impl FnMut(&T),
    ) {
        let strip = &self.strips[place];
        let end = self.starts[place + 1] as usize;
        let start = self.first_from(strip, left - strip.widest);
        for at in start..end {
            let meet = edges_meet(self.edges[at], limits);
            if meet & BEGINS == 0 {
                break;
            }
            if meet == MEET && (is_first || self.members[at].begins()) {
                found(self.item(self.members[at]));
            }
        }
    }

    /// The first entry of a strip that begins at `left` or later, or one that is not far before it.
    #[inline]
    fn first_from(&self, strip: &Strip, left: f32) -> usize {
        let bin = strip.first_bin as usize + strip.bin_of(left);
        let (start, end) = (self.bins[bin] as usize, self.bins[bin + 1] as usize);
        if end - start <= LONG_BIN {
            start
        } else {
            start + self.edges[start..end].partition_point(|edges| edges[0] < left)
        }
    }
}

impl Strip {
    /// The later the edge, the later the bin, whatever rounding does. Edges beyond the ends are in the outer bins.
    #[inline]
    fn bin_of(&self, left: f32) -> usize {
        // From float to integer Rust saturates, and takes 0 for the NaN of a strip in which all begin in one place.
        let bin = ((left - self.left) * self.bins_per_unit) as u32;
        bin.min(self.bin_count.saturating_sub(1)) as usize
    }
}

/// The first and the last strip that a box touches. An empty box is in one too, where it meets nobody.
fn span(extent: &Extent, strips_per_unit: f32) -> (i32, i32) {
    let first = strip_at(extent.min[1], strips_per_unit);
    let last = strip_at(extent.max[1], strips_per_unit);
    // Not even one that is higher than it may be touches more strips than there are places.
    (first, last.min(first.saturating_add(MAX_STRIPS - 1)))
}

/// Rounds down, and saturates: far out, where strips are thinner than floats are apart, many of them are one.
#[inline]
fn strip_at(y: f32, strips_per_unit: f32) -> i32 {
    let strip = y * strips_per_unit;
    let towards_zero = strip as i32;
    // `f32::floor` is a call on machines of the oldest kind.
    towards_zero.saturating_sub(i32::from(towards_zero as f32 > strip))
}

/// Sorts entries that are in the right bins already.
fn sort_nearly_sorted(order: &mut [Entry], bins: &[u32]) {
    for bin in bins.windows(2) {
        let bin = &mut order[bin[0] as usize..bin[1] as usize];
        if bin.len() > LONG_BIN {
            let key = |entry: &Entry| entry.member.0;
            bin.sort_unstable_by(|a, b| a.left.total_cmp(&b.left).then(key(a).cmp(&key(b))));
            continue;
        }
        for end in 1..bin.len() {
            let entry = bin[end];
            let mut at = end;
            while at > 0 && bin[at - 1].left > entry.left {
                bin[at] = bin[at - 1];
                at -= 1;
            }
            bin[at] = entry;
        }
    }
}
