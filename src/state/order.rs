//! Whether the slots of colliders are in the order of their entities.

use std::ops::Range;

/// What an entity sorts by.
type Key = (u32, u32);

/// With more newcomers than this, no list of them is kept: checking all slots is cheaper then.
const MOST: usize = 1024;

/// As of the end of gathering. Adding colliders does not make it check all others again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    /// Two slots in use of which the later one has the entity that sorts first; `None` if all are in order.
    disorder: Option<[usize; 2]>,
    /// While there is a disorder, those before this slot are in order; else it is 0.
    until: usize,
    /// Slots that colliders got since the last update, up to a limit.
    newcomers: Vec<usize>,
    /// There were more newcomers than the list holds.
    are_more: bool,
}

impl Order {
    /// Notes that a collider has got this slot.
    pub(super) fn note(&mut self, slot: usize) {
        if self.newcomers.len() < MOST {
            self.newcomers.push(slot);
        } else {
            self.are_more = true;
        }
    }

    pub(crate) fn is_kept(&self) -> bool {
        self.disorder.is_none()
    }

    /// Updates the order if any collider was added, for so many slots. `key` returns the key of a slot's entity, `None` for a slot not in use.
    pub(super) fn update(&mut self, slots: usize, key: impl Fn(usize) -> Option<Key>) {
        if self.newcomers.is_empty() {
            return;
        }
        let is_out = |[one, later]: [usize; 2]| {
            let keys = key(one).zip(key(later));
            keys.is_some_and(|(one, later)| one > later)
        };
        let lowest = self.newcomers.iter().min();
        let lowest = lowest.filter(|_| !self.are_more).map_or(0, |slot| *slot);
        self.until = self.until.min(lowest);
        let is_still_out = self.disorder.is_some_and(is_out);
        if !is_still_out {
            let found = if self.disorder.is_some() || self.are_more {
                first_out(self.until..slots, &key)
            } else {
                // Each newcomer has to search for its neighbors, past free slots. If these searches get long, checking all slots is cheaper.
                let mut looks = 0..slots;
                let pairs = self.newcomers.iter().flat_map(|&slot| {
                    let mut is_used = |at: &usize| looks.next().is_none() || key(*at).is_some();
                    let before = (0..slot).rev().find(&mut is_used);
                    let after = (slot + 1..slots).find(&mut is_used);
                    [before.map(|at| [at, slot]), after.map(|at| [slot, at])]
                });
                let found = pairs.flatten().filter(|pair| is_out(*pair)).min();
                if looks.is_empty() {
                    first_out(lowest..slots, &key)
                } else {
                    found
                }
            };
            self.disorder = found;
            self.until = found.map_or(0, |[_, later]| later);
        }
        self.newcomers.clear();
        self.are_more = false;
    }
}

/// Returns the first two neighboring slots in use that are out of order, of which the later one is in a range.
fn first_out(range: Range<usize>, key: impl Fn(usize) -> Option<Key>) -> Option<[usize; 2]> {
    let used = |slot: usize| key(slot).map(|key| (slot, key));
    let mut last = (0..range.start).rev().find_map(used);
    for (slot, key) in range.filter_map(used) {
        if let Some((before, greater)) = last
            && greater > key
        {
            return Some([before, slot]);
        }
        last = Some((slot, key));
    }
    None
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn is_kept_as_long_as_all_in_use_are_sorted() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut times_kept = 0;
        for case in 0..300_u32 {
            let mut order = Order::default();
            let mut slots: Vec<Option<Key>> = vec![None; random.usize(1..9)];
            for _ in 0..30 {
                for _ in 0..random.usize(..3) {
                    let slot = random.usize(..slots.len());
                    if slots[slot].take().is_none() {
                        // Nearly in order, so that there is both.
                        slots[slot] = Some((slot as u32 * 2 + random.u32(..6), 0));
                        order.note(slot);
                    }
                }
                order.update(slots.len(), |slot| slots[slot]);
                let is_sorted = slots.iter().flatten().is_sorted();
                // Removing a collider may resolve the disorder, which is noticed only when another one is added.
                assert!(!order.is_kept() || is_sorted, "case {case}: {slots:?}");
                order.note(0);
                order.update(slots.len(), |slot| slots[slot]);
                assert_eq!(order.is_kept(), is_sorted, "case {case}: {slots:?}");
                times_kept += u32::from(is_sorted);
            }
        }
        assert!((1_000..8_000).contains(&times_kept), "{times_kept}");
    }

    #[test]
    fn who_comes_and_goes_costs_no_look_at_all_that_stands() {
        let looks = Cell::new(0);
        let mut order = Order::default();
        let mut look = |keys: &[Option<Key>], newcomers: &[usize]| {
            newcomers.iter().for_each(|&slot| order.note(slot));
            looks.set(0);
            order.update(keys.len(), |slot| {
                looks.set(looks.get() + 1);
                keys[slot]
            });
            (order.is_kept(), looks.get())
        };
        let mut keys: Vec<_> = (0..1000).map(|slot| Some((slot * 2, 0))).collect();
        let all: Vec<usize> = (0..1000).collect();
        assert!(look(&keys, &all).0);
        for slot in [999, 500, 0] {
            let (is_kept, looks) = look(&keys, &[slot]);
            assert!(is_kept && looks <= 6, "{looks}");
        }
        assert_eq!(look(&keys, &[]), (true, 0));
        // A bullet whose entity has an old, low index.
        keys[999] = Some((7, 0));
        let (is_kept, looks) = look(&keys, &[999]);
        assert!(!is_kept && looks <= 6, "{looks}");
        for _ in 0..3 {
            assert_eq!(look(&keys, &[600]), (false, 2));
        }
        keys[999] = None;
        assert!(look(&keys, &[600]).0);
        // More newcomers than the list holds.
        keys[1] = Some((5000, 0));
        let more: Vec<usize> = (0..MOST + 5)
            .map(|number| 500 + number % 400)
            .chain([1])
            .collect();
        let (is_kept, looks) = look(&keys, &more);
        assert!(!is_kept && looks <= 1000, "{looks}");
        keys[1] = Some((2, 0));
        assert!(look(&keys, &[600]).0);
        // A bullet in each tick, of an old index, by turns in two slots: one that was given back is free a tick later.
        keys.push(None);
        for tick in 0..10 {
            let at = 999 + tick % 2;
            keys[999..].fill(None);
            keys[at] = Some((7, tick as u32));
            let (is_kept, looks) = look(&keys, &[at]);
            assert!(!is_kept && looks <= 10, "tick {tick}: {looks}");
        }
        keys[999] = Some((1998, 0));
        keys[1000] = None;
        assert!(look(&keys, &[999]).0);
        // A few slots in use among many free ones.
        keys[10..990].fill(None);
        let many: Vec<usize> = (100..900).collect();
        let (is_kept, looks) = look(&keys, &many);
        assert!(is_kept && looks <= 6000, "{looks}");
    }
}
