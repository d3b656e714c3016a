//! Pairs that came to overlap while bodies were pushed.

use super::{
    pairs::{Pair, Pairs},
    world::World,
};
use crate::placed::Meeting;

/// Every pair that came to overlap, as it was when it first did.
#[derive(Clone, Debug, Default)]
pub(super) struct NewOverlaps {
    /// Each meeting after a number in order of time. A pair may be in the list more than once, until [`put_in_order`](Self::put_in_order).
    all: Vec<(u32, Meeting)>,
    told: u32,
}

impl NewOverlaps {
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.told = 0;
    }

    /// Records how a pair meets, unless that is known, or the pair overlapped at first. A pair that was forgotten on the way and added again is tested again.
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

    /// The number that the next meeting gets.
    pub(super) fn now(&self) -> u32 {
        self.told
    }

    /// Removes all meetings recorded since a number.
    pub(super) fn take_back(&mut self, world: &mut World, pairs: &mut Pairs, since: u32) {
        while let Some((_, meeting)) = self.all.pop_if(|(told, _)| *told >= since) {
            set_untold(world, pairs, &meeting);
        }
    }

    /// Removes meetings recorded since a number: `since` returns that number for each body whose meetings are to be removed, and `None` for the others.
    pub(super) fn forget(
        &mut self,
        world: &mut World,
        pairs: &mut Pairs,
        since: impl Fn(u32) -> Option<u32>,
    ) {
        self.all.retain(|(told, meeting)| {
            let (a, b) = meeting.slots;
            let bodies = [a, b].map(|slot| {
                let member = world.enter(slot);
                world.body(member)
            });
            let mut sinces = bodies.into_iter().filter_map(&since);
            let is_kept = sinces.all(|since| *told < since);
            if !is_kept {
                set_untold(world, pairs, meeting);
            }
            is_kept
        });
    }

    /// Sorts the meetings by slots, and leaves one of each pair, the first.
    pub(super) fn put_in_order(&mut self) {
        self.all
            .sort_unstable_by_key(|(told, meeting)| (meeting.slots, *told));
        self.all.dedup_by_key(|(_, meeting)| meeting.slots);
    }

    /// Returns each meeting once, sorted by slots, after [`put_in_order`](Self::put_in_order).
    pub(super) fn all(&self) -> impl Iterator<Item = Meeting> {
        self.all.iter().map(|(_, meeting)| *meeting)
    }
}

/// Notes on the pair of a meeting, if there still is one, that it has not been told.
fn set_untold(world: &mut World, pairs: &mut Pairs, meeting: &Meeting) {
    let members = [meeting.slots.0, meeting.slots.1].map(|slot| world.enter(slot));
    let numbers = world.in_order(members[0], members[1]);
    // Each dynamic body of a pair has the pair in its list.
    let found = members.into_iter().find_map(|member| {
        let mut of_body = pairs.of(world.body(member));
        of_body.find(|&number| pairs.get(number).numbers() == numbers)
    });
    if let Some(number) = found {
        pairs.get_mut(number).is_told = false;
    }
}
