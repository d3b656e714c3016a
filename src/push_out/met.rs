//! Who met on the way.

use super::{
    pairs::{Pair, Pairs},
    world::World,
};
use crate::placed::Meeting;

/// Every pair that came to overlap, as it was when it first did.
#[derive(Clone, Debug, Default)]
pub(super) struct Met {
    /// Each with a number in order of time. A pair may be in it more than once, until that is put in order.
    all: Vec<(u32, Meeting)>,
    told: u32,
}

impl Met {
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.told = 0;
    }

    /// Takes in how a pair meets, if it is not known that it did. Of one that was forgotten on the way that is asked again.
    #[inline]
    pub(super) fn tell(&mut self, world: &World, pair: &mut Pair) {
        if !std::mem::replace(&mut pair.is_told, true)
            && !world.has_overlapped_at_first(pair.numbers())
        {
            let meeting = world.meeting(pair.numbers());
            self.all.extend(meeting.map(|meeting| (self.told, meeting)));
            self.told += 1;
        }
    }

    /// The number of who is told of next.
    pub(super) fn now(&self) -> u32 {
        self.told
    }

    /// Takes back what has been told of since bodies had this number; `since` answers it for those of which something is to be taken back.
    pub(super) fn forget(
        &mut self,
        world: &mut World,
        pairs: &mut Pairs,
        since: impl Fn(u32) -> Option<u32>,
    ) {
        self.all.retain(|&(told, Meeting { slots: (a, b), .. })| {
            let members = [world.enter(a), world.enter(b)];
            let bodies = members.map(|member| world.body(member));
            let mut sinces = bodies.into_iter().filter_map(&since);
            let is_kept = sinces.all(|since| told < since);
            if !is_kept {
                let numbers = world.in_order(members[0], members[1]);
                let is_it = |&number: &u32| pairs.get(number).numbers() == numbers;
                // A pair is with those of its bodies that are dynamic.
                let found = bodies
                    .into_iter()
                    .find_map(|body| pairs.of(body).find(is_it));
                if let Some(number) = found {
                    pairs.get_mut(number).is_told = false;
                }
            }
            is_kept
        });
    }

    /// Sorts them by slots, and leaves each pair once.
    pub(super) fn put_in_order(&mut self) {
        self.all
            .sort_unstable_by_key(|(told, meeting)| (meeting.slots, *told));
        self.all.dedup_by_key(|(_, meeting)| meeting.slots);
    }

    /// Each pair, sorted by slots, once that has been done.
    pub(super) fn all(&self) -> impl Iterator<Item = Meeting> {
        self.all.iter().map(|(_, meeting)| *meeting)
    }
}
