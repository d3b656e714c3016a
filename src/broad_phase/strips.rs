//! Horizontal strips, each swept from left to right.
//!
//! ```text
//! strip 2   [a]      [b  ]            a box goes into every strip that it touches (a few, by choice of the height);
//! strip 1       [c  ][b  ]   [d]      in each strip, sorted by left edge, it meets those that begin before it ends;
//! strip 0       [c  ]     [e]         a pair counts in the one strip in which the later of the two begins.
//! ```
//!
//! Sizes differ. The height of a strip fits the median box; a box that would lie in more than [`MAX_STRIPS`] strips goes one
//! level up, where strips are [`LEVEL_FACTOR`] times as high, and so on. On each level its *owners* meet each other and the
//! *guests*, which are all boxes of the finer levels; guests do not meet each other there. So a pair is found on the
//! level of its larger box and nowhere else. Strips are named by number and not kept in an array: nothing depends on how wide the world is.
//!
//! Cost: `O(n log n)` for the sorting, plus the boxes that share a strip and a stretch of x.

/// Strips that a box may lie in before it goes to the next level.
const MAX_STRIPS: i64 = 4;
/// How much higher the strips of the next level are.
const LEVEL_FACTOR: f32 = 8.0;

/// The smallest box around something, edges included. Finite; with `min > max` on an axis it is empty and meets nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Lesser corner.
    pub min: [f32; 2],
    /// Greater corner.
    pub max: [f32; 2],
    /// Two boxes that both stand still are no pair.
    pub moves: bool,
}

impl Extent {
    /// Meets nothing, not even itself.
    pub fn empty() -> Self {
        Self {
            min: [f32::MAX; 2],
            max: [f32::MIN; 2],
            moves: false,
        }
    }

    /// 0 for an empty one.
    fn height(&self) -> f32 {
        (self.max[1] - self.min[1]).max(0.0)
    }
}

/// Finds pairs. Keeps its buffers from call to call, and nothing else: each call starts anew.
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {
    /// Boxes whose level is not yet told, by index.
    rest: Vec<u32>,
    larger: Vec<u32>,
    guests: Vec<u32>,
    owner_entries: Vec<Entry>,
    guest_entries: Vec<Entry>,
    heights: Vec<f32>,
}

/// A box in one strip.
#[derive(Clone, Copy, Debug)]
struct Entry {
    strip: i64,
    left: f32,
    right: f32,
    index: u32,
    /// It lies in the strip below as well.
    continues: bool,
}

impl BroadPhase {
    /// Writes every pair `(i, j)`, `i < j`, of boxes that share at least an edge, and of which at least one moves.
    ///
    /// Each pair once; what `pairs` held before is gone. The order follows from the boxes and their order alone. A box that is not finite may lose
    /// its own pairs, no others.
    ///
    /// Costs `O(n log n)` plus the boxes that share a strip and a stretch of x.
    ///
    /// # Panics
    /// With more than 2^32 boxes.
    pub fn find_pairs(&mut self, boxes: &[Extent], pairs: &mut Vec<(u32, u32)>) {
        pairs.clear();
        let Some(mut height) = self.typical_height(boxes) else {
            return;
        };
        self.guests.clear();
        self.rest.clear();
        self.rest.extend(0..index_of(boxes.len()));

        while !self.rest.is_empty() {
            self.owner_entries.clear();
            self.guest_entries.clear();
            self.larger.clear();
            for &index in &self.rest {
                if strips_of(&boxes[index as usize], height).count_is_at_most(MAX_STRIPS) {
                    enter(&mut self.owner_entries, boxes, index, height);
                } else {
                    self.larger.push(index);
                }
            }
            if !self.owner_entries.is_empty() {
                for &index in &self.guests {
                    enter(&mut self.guest_entries, boxes, index, height);
                }
                sort(&mut self.owner_entries);
                sort(&mut self.guest_entries);
                sweep(boxes, &self.owner_entries, &self.guest_entries, pairs);
            }
            // This level's owners are guests on all that follow.
            self.rest.retain(|&index| {
                strips_of(&boxes[index as usize], height).count_is_at_most(MAX_STRIPS)
            });
            self.guests.append(&mut self.rest);
            std::mem::swap(&mut self.rest, &mut self.larger);
            height *= LEVEL_FACTOR;
        }
    }

    /// Height of the finest strips: twice the median box, so that most boxes lie in one or two. `None` if there is no box.
    fn typical_height(&mut self, boxes: &[Extent]) -> Option<f32> {
        self.heights.clear();
        self.heights.extend(boxes.iter().map(Extent::height));
        let middle = self.heights.len().checked_sub(1)? / 2;
        let (_, median, _) = self.heights.select_nth_unstable_by(middle, f32::total_cmp);
        // Points have no height. Anything does then, as long as dividing by it stays finite.
        Some((*median * 2.0).max(1.0e-3))
    }
}

/// The numbers of the first and the last strip that a box touches.
struct Strips {
    first: i64,
    last: i64,
}

impl Strips {
    fn count_is_at_most(&self, count: i64) -> bool {
        self.last.saturating_sub(self.first) < count
    }
}

fn strips_of(extent: &Extent, height: f32) -> Strips {
    // Float to integer saturates in Rust; at 1e18 and beyond a few strips fall into one, which costs time and no pair.
    let strip = |y: f32| (f64::from(y) / f64::from(height)).floor() as i64;
    Strips {
        first: strip(extent.min[1]),
        last: strip(extent.max[1]),
    }
}

fn enter(entries: &mut Vec<Entry>, boxes: &[Extent], index: u32, height: f32) {
    let extent = &boxes[index as usize];
    let strips = strips_of(extent, height);
    entries.extend((strips.first..=strips.last).map(|strip| Entry {
        strip,
        left: extent.min[0],
        right: extent.max[0],
        index,
        continues: strip != strips.first,
    }));
}

fn sort(entries: &mut [Entry]) {
    entries.sort_unstable_by(|a, b| {
        a.strip
            .cmp(&b.strip)
            .then(a.left.total_cmp(&b.left))
            .then(a.index.cmp(&b.index))
    });
}

/// Owners meet the owners and the guests that begin at or after them, guests meet the owners that begin strictly after them.
fn sweep(boxes: &[Extent], owners: &[Entry], guests: &[Entry], pairs: &mut Vec<(u32, u32)>) {
    for (at, owner) in owners.iter().enumerate() {
        meet_run(boxes, owner, &owners[at + 1..], pairs);
    }
    let mut next_owner = 0;
    let mut next_guest = 0;
    while next_owner < owners.len() && next_guest < guests.len() {
        let (owner, guest) = (&owners[next_owner], &guests[next_guest]);
        let owner_first = owner
            .strip
            .cmp(&guest.strip)
            .then(owner.left.total_cmp(&guest.left))
            .is_le();
        if owner_first {
            meet_run(boxes, owner, &guests[next_guest..], pairs);
            next_owner += 1;
        } else {
            meet_run(boxes, guest, &owners[next_owner..], pairs);
            next_guest += 1;
        }
    }
}

/// `one` meets what follows it in its strip, up to its right edge.
fn meet_run(boxes: &[Extent], one: &Entry, following: &[Entry], pairs: &mut Vec<(u32, u32)>) {
    let extent = &boxes[one.index as usize];
    for other in following {
        if other.strip != one.strip || other.left > one.right {
            break;
        }
        // Both lie in the strip below as well: the pair was found there, or will be.
        if one.continues && other.continues {
            continue;
        }
        let other_extent = &boxes[other.index as usize];
        let share_y = extent.min[1] <= other_extent.max[1] && other_extent.min[1] <= extent.max[1];
        if share_y && (extent.moves || other_extent.moves) {
            pairs.push((one.index.min(other.index), one.index.max(other.index)));
        }
    }
}

fn index_of(count: usize) -> u32 {
    u32::try_from(count).expect("4 billion colliders do not fit the memory of a machine")
}
