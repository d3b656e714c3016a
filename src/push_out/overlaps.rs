//! How the near pairs meet, kept up to date: only those are asked again of which somebody has moved.

use super::{
    near::Near,
    world::{LEANING, World},
};
use crate::placed::Meeting;

/// The meeting of each near pair, and which of them overlap.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlaps {
    /// By the number of the pair; `None` for those that are apart.
    meetings: Vec<Option<Meeting>>,
    /// Numbers of the pairs that overlap, by more than rounding; each once.
    over: Vec<u32>,
    is_over: Vec<bool>,
    /// Is in the list. What is not over any more stays there until the end of an update.
    is_listed: Vec<bool>,
    /// Counts the updates, and in which of them a pair was last asked: a pair may have two who moved.
    updates: u32,
    asked_in: Vec<u32>,
}

impl Overlaps {
    /// Asks all pairs.
    pub(super) fn start(&mut self, world: &mut World, near: &Near) {
        world.moved.unasked.clear();
        self.over.clear();
        self.meetings.clear();
        self.meetings.resize(near.pairs.len(), None);
        self.is_over.clear();
        self.is_over.resize(near.pairs.len(), false);
        self.is_listed.clear();
        self.is_listed.resize(near.pairs.len(), false);
        self.updates = 0;
        self.asked_in.clear();
        self.asked_in.resize(near.pairs.len(), 0);
        for number in 0..near.pairs.len() as u32 {
            self.ask(world, near, number);
        }
    }

    /// Asks those that are new, and those of which somebody has moved.
    pub(super) fn update(&mut self, world: &mut World, near: &Near) {
        let known = self.meetings.len();
        self.meetings.resize(near.pairs.len(), None);
        self.is_over.resize(near.pairs.len(), false);
        self.is_listed.resize(near.pairs.len(), false);
        self.updates += 1;
        self.asked_in.resize(near.pairs.len(), self.updates);
        for number in known..near.pairs.len() {
            self.ask(world, near, number as u32);
        }
        for &body in &world.moved.unasked.bodies {
            for number in near.of(body) {
                let asked_in = &mut self.asked_in[number as usize];
                if std::mem::replace(asked_in, self.updates) != self.updates {
                    self.ask(world, near, number);
                }
            }
        }
        world.moved.unasked.clear();
        self.over.retain(|&number| {
            let is_over = self.is_over[number as usize];
            self.is_listed[number as usize] = is_over;
            is_over
        });
    }

    fn ask(&mut self, world: &World, near: &Near, number: u32) {
        let at = number as usize;
        let pair = near.pairs[at];
        let meeting = world.meeting_within(pair, LEANING);
        let is_over = meeting
            .is_some_and(|meeting| meeting.depth > 0.0 && meeting.depth > world.rounding(pair));
        if is_over && !std::mem::replace(&mut self.is_listed[at], true) {
            self.over.push(number);
        }
        self.is_over[at] = is_over;
        self.meetings[at] = meeting;
    }

    /// Those that overlap, with their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Meeting)> + Clone {
        let meeting = |&number: &u32| Some((number, self.meeting(number)?));
        self.over.iter().filter_map(meeting)
    }

    /// How a pair meets, if it is not apart.
    pub(super) fn meeting(&self, number: u32) -> Option<&Meeting> {
        self.meetings[number as usize].as_ref()
    }
}

/// Brings near pairs and overlaps up to date with where everybody is.
pub(super) fn look_around(
    world: &mut World,
    near: &mut Near,
    overlaps: &mut Overlaps,
    may_push: impl Fn(usize, usize) -> bool + Sync,
) {
    if near.follow(world, &may_push) {
        overlaps.update(world, near);
    } else {
        near.collect(world, may_push);
        overlaps.start(world, near);
    }
}
