//! The newest ways of those that have left the boxes that they had when all set out.

use crate::broad_phase::Extent;

use super::agent::NONE;

/// A way that touches more strips is a long one, which everybody looks at.
const LONG: i64 = 8;
/// There is a list of strips for so many colliders on their way.
const FOR_EACH_LIST: usize = 64;
/// Lists, at least: a way must not be in one of them twice. And at most.
const LISTS: [usize; 2] = [LONG as usize, 1 << 12];

/// Ways by the horizontal strips that they touch. Most of the time there are few of them; but each that is turned asks for those that it may meet, so it must not look at them all.
#[derive(Clone, Debug, Default)]
pub(super) struct Wild {
    ways: Vec<WildWay>,
    /// By slot: the number of its way, or [`NONE`].
    number_of: Vec<u32>,
    strips_per_unit: f32,
    /// The newest link of each list: that of a strip is its number modulo their count, which is a power of two.
    lists: Vec<u32>,
    links: Vec<Link>,
    /// The numbers of the long ways.
    long: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct WildWay {
    extent: Extent,
    slot: u32,
    strips: Strips,
}

/// A way in a list.
#[derive(Clone, Copy, Debug)]
struct Link {
    way: u32,
    /// The one before in the same list, or [`NONE`].
    next: u32,
}

/// The first and the last one that a box touches.
#[derive(Clone, Copy, Debug)]
struct Strips {
    first: i32,
    last: i32,
}

impl Strips {
    fn are_many(self) -> bool {
        i64::from(self.last) - i64::from(self.first) >= LONG
    }
}

impl Wild {
    /// Forgets all ways. There are so many slots, and of their colliders so many on their way, in boxes that are about as high as this; it only decides how long an answer takes.
    pub(super) fn clear(&mut self, slots: usize, on_their_way: usize, height: f32) {
        for way in self.ways.drain(..) {
            self.number_of[way.slot as usize] = NONE;
        }
        self.number_of.resize(slots, NONE);
        self.links.clear();
        self.long.clear();
        let [least, most] = LISTS;
        let lists = (on_their_way / FOR_EACH_LIST).clamp(least, most);
        self.lists.clear();
        self.lists.resize(lists.next_power_of_two(), NONE);
        self.strips_per_unit = height.max(1.0e-3).recip();
    }

    /// Takes note of the way of a slot. On the one before it will not be met any more.
    pub(super) fn set(&mut self, slot: u32, extent: Extent) {
        let way = self.ways.len() as u32;
        let before = std::mem::replace(&mut self.number_of[slot as usize], way);
        if let Some(before) = self.ways.get_mut(before as usize) {
            before.extent = Extent::EMPTY;
        }
        let strips = self.strips_of(&extent);
        self.ways.push(WildWay {
            extent,
            slot,
            strips,
        });
        if strips.are_many() {
            return self.long.push(way);
        }
        for strip in strips.first..=strips.last {
            let list = self.list_of(strip);
            let newest = self.links.len() as u32;
            let next = std::mem::replace(&mut self.lists[list], newest);
            self.links.push(Link { way, next });
        }
    }

    /// Calls `found` once with each slot whose way may be met in a box.
    pub(super) fn meeting(&self, around: &Extent, mut found: impl FnMut(u32)) {
        if self.ways.is_empty() {
            return;
        }
        let mut look = |way: &WildWay| {
            if way.extent.meets(around) {
                found(way.slot);
            }
        };
        let strips = self.strips_of(around);
        if strips.are_many() {
            return self.ways.iter().for_each(look);
        }
        let way = |number: u32| &self.ways[number as usize];
        self.long.iter().for_each(|number| look(way(*number)));
        for strip in strips.first..=strips.last {
            let mut link = self.lists[self.list_of(strip)];
            while let Some(known) = self.links.get(link as usize) {
                let way = way(known.way);
                // Each in the first strip that both touch; strips that share a list are told apart by that, too.
                if strip == way.strips.first.max(strips.first) {
                    look(way);
                }
                link = known.next;
            }
        }
    }

    fn list_of(&self, strip: i32) -> usize {
        strip as usize & (self.lists.len() - 1)
    }

    fn strips_of(&self, extent: &Extent) -> Strips {
        let [first, last] =
            [extent.min[1], extent.max[1]].map(|y| (y * self.strips_per_unit).floor() as i32);
        Strips { first, last }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_a_look_at_each_of_them_finds() {
        let mut random = fastrand::Rng::with_seed(11);
        let mut wild = Wild::default();
        for round in 0..200 {
            let slots = 1 + random.usize(..60);
            let height = [0.0, 1.0, 5.0, 100.0, f32::INFINITY][round % 5];
            wild.clear(slots, random.usize(..2000), height);
            let mut ways = vec![None; slots];
            for _ in 0..3 * slots {
                let reach = [10.0, 100.0, 1.0e4][random.usize(..3)];
                let mut random_box = || {
                    let [x, y] = [0, 1].map(|_| (random.f32() - 0.5) * 200.0);
                    let [width, height] = [0, 1].map(|_| random.f32() * random.f32() * reach);
                    Extent {
                        min: [x, y],
                        max: [x + width, y + height],
                    }
                };
                let (way, around) = (random_box(), random_box());
                let slot = random.usize(..slots);
                wild.set(slot as u32, way);
                ways[slot] = Some(way);

                let mut found = Vec::new();
                wild.meeting(&around, |slot| found.push(slot));
                found.sort_unstable();
                let meets = |slot: &u32| ways[*slot as usize].is_some_and(|way| way.meets(&around));
                let expected: Vec<u32> = (0..slots as u32).filter(meets).collect();
                assert_eq!(found, expected, "round {round}: {around:?}");
            }
        }
    }
}
