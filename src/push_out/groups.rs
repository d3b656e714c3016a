//! Groups: bodies that affect each other, from round to round. Each group decides by itself whether rounds help, so what happens elsewhere changes nothing.

use bevy::math::Vec2;

use super::{
    island::Island,
    met::NewOverlaps,
    pairs::Pairs,
    progress::{Progress, Step},
    surroundings::NONE,
    world::World,
};
use crate::placed::Rank;

/// Every this many rounds, bodies that are still in a static leave it, so that the others are pushed from where these will end.
const ROUNDS_BETWEEN_STATICS: u32 = 4;

/// In a group of fewer bodies all of them are looked at, however few overlap.
const LARGE: u32 = 128;
/// Few pairs of a group overlap if there are at least this many bodies for each of them.
const BODIES_BETWEEN: u32 = 16;
/// New places for crowds have helped if they have brought the sum of their depths below this part of what it was, in percent.
const PRESS_HELPED: u64 = 50;

/// Bodies that have been in one island, or in several islands that lead from one to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    /// By body, the number of a group that it is in, directly or as a part of another one; [`NONE`] if it is in none.
    group_of: Vec<u32>,
    /// By group: the number of the group that it has become a part of, or its own. Stored apart from the groups, since for most bodies nothing else is read.
    whole_of: Vec<u32>,
    all: Vec<Group>,
    /// Groups in which bodies overlap before a round.
    over: Vec<u32>,
    /// Some bodies that overlap are in no group yet.
    has_new_bodies: bool,
    /// Groups that are pushed in this round.
    live: Vec<u32>,
    round: u32,
    /// By body: its position before a round.
    before: Vec<Vec2>,
    /// By body, if chains hold no more in its group: its position before the first such round.
    at_stall: Vec<Vec2>,
    /// The groups in an island.
    parts: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Group {
    progress: Progress,
    step: Step,
    /// The sum of the depths of its overlaps.
    total: u64,
    /// The last round in which bodies in it overlapped.
    round: u32,
    has_moved: bool,
    /// No body in it touches anything firm.
    is_afloat: bool,
    /// How many bodies are in it, as far as they have been counted, and how many of its pairs overlap: in all of its whole islands of the last round that had any.
    bodies: u32,
    over: u32,
    /// The number of that round.
    noted_in: u32,
    pressed: Pressed,
    /// The number of the next meeting when its chains ceased to hold.
    told_at_stall: u32,
}

/// How deep the crowds of a group overlapped when they were given new places; 0 if they were not.
#[derive(Clone, Copy, Debug, Default)]
struct Pressed {
    depth: u64,
    /// The number of the last round in which they were; and the depth before that round, so that it does not matter which of its crowds comes first.
    round: u32,
    before: u64,
}

impl Pressed {
    /// Joins those of groups that become one in a round.
    fn join(all: impl Iterator<Item = Self> + Clone, round: u32) -> Self {
        let sum = |depth: fn(&Self, u32) -> u64| {
            let depths = all.clone().map(|one| depth(&one, round));
            depths.fold(0, u64::saturating_add)
        };
        let [before, now] = [sum(Self::before), sum(Self::now)];
        if now > 0 {
            Self {
                depth: now,
                round,
                before,
            }
        } else {
            Self {
                depth: before,
                ..Self::default()
            }
        }
    }

    /// Adds the depth of one more crowd that is given new places in a round.
    fn add(&mut self, depth: u64, round: u32) {
        *self = Self {
            depth: self.now(round).saturating_add(depth),
            round,
            before: self.before(round),
        };
    }

    /// Returns the depth of the crowds of this round.
    fn now(&self, round: u32) -> u64 {
        if self.round == round { self.depth } else { 0 }
    }

    /// Returns the depth of the crowds of the last round before this one.
    fn before(&self, round: u32) -> u64 {
        if self.round == round {
            self.before
        } else {
            self.depth
        }
    }
}

impl Group {
    /// Whether its chains hold no more, from this round on.
    fn stalls(&self) -> bool {
        self.step == Step::Stall
    }

    fn has_come_to_harm(&self) -> bool {
        self.step
            == Step::GiveUp {
                has_done_harm: true,
            }
    }

    fn has_given_up(&self) -> bool {
        matches!(self.step, Step::GiveUp { .. })
    }

    fn goes_on_in(&self, round: u32) -> bool {
        self.round == round && !self.has_given_up()
    }

    /// Whether everything is tried in a round: first of all, bodies that are in a static leave it.
    fn is_round_whole(&self) -> bool {
        match self.step {
            Step::GoOn => is_whole(self.round),
            Step::Stall => true,
            Step::GiveUp { .. } => false,
        }
    }
}

fn is_whole(round: u32) -> bool {
    round.is_multiple_of(ROUNDS_BETWEEN_STATICS)
}

impl Groups {
    /// Without groups.
    pub(super) fn start(&mut self) {
        self.group_of.clear();
        self.whole_of.clear();
        self.all.clear();
        self.over.clear();
        self.has_new_bodies = false;
    }

    /// Adds the depth of an overlap that a body has before the next round.
    #[inline]
    pub(super) fn add(&mut self, body: u32, depth: u64) {
        let Some(number) = self.of(body) else {
            self.has_new_bodies = true;
            return;
        };
        let group = &mut self.all[number as usize];
        if group.total == 0 {
            self.over.push(number);
            group.over = 0;
        }
        group.total = group.total.saturating_add(depth);
        group.over += 1;
    }

    /// Decides what each group does in a round, by all depths that were added. `is_last` if no round is left. Returns false if no group does anything any more.
    pub(super) fn judge(&mut self, round: u32, is_last: bool, met: &NewOverlaps) -> bool {
        self.round = round;
        self.live.clear();
        for number in self.over.drain(..) {
            let group = &mut self.all[number as usize];
            let total = std::mem::take(&mut group.total);
            if group.has_given_up() {
                continue;
            }
            if group.round + 1 != round {
                // The group was free meanwhile.
                group.progress = Progress::default();
            }
            group.round = round;
            group.step = group.progress.judge(round, total, is_last);
            if group.step == Step::Stall {
                group.told_at_stall = met.now();
            }
            self.live.push(number);
        }
        let has_new_bodies = std::mem::take(&mut self.has_new_bodies);
        has_new_bodies && !is_last || self.is_any_live(|group| !group.has_given_up())
    }

    /// Moves all bodies back whose group gives up now, and has come to harm by what was tried last. Returns false if there is no such group.
    pub(super) fn go_back(
        &self,
        world: &mut World,
        pairs: &mut Pairs,
        met: &mut NewOverlaps,
    ) -> bool {
        if !self.is_any_live(Group::has_come_to_harm) {
            return false;
        }
        let goes_back = |body| self.live_group(body).filter(|one| one.has_come_to_harm());
        for (body, place) in (0..).zip(&self.at_stall) {
            if goes_back(body).is_some() && *place != world.position(body) {
                world.move_to(body, *place);
            }
        }
        met.forget(world, pairs, |body| {
            goes_back(body).map(|group| group.told_at_stall)
        });
        true
    }

    /// Stores the positions of bodies that may have to go back, or may turn out not to move in this round. Returns false if no group tries everything in this round.
    pub(super) fn begin_round(&mut self, world: &World) -> bool {
        let does_stall = self.is_any_live(Group::stalls);
        if does_stall {
            self.at_stall.resize(world.count(), Vec2::ZERO);
            for body in 0..self.group_of.len() as u32 {
                if self.live_group(body).is_some_and(Group::stalls) {
                    self.at_stall[body as usize] = world.position(body);
                }
            }
        }
        let is_whole = does_stall || is_whole(self.round);
        if is_whole {
            world.positions().clone_into(&mut self.before);
        }
        is_whole
    }

    /// Whether a body leaves the statics that it is in before this round.
    pub(super) fn leaves_statics(&self, body: u32) -> bool {
        match self.group(body) {
            None => is_whole(self.round),
            Some(group) => group.round == self.round && group.is_round_whole(),
        }
    }

    /// Does the same after all rounds: bodies that could not leave have tried that already.
    pub(super) fn leaves_statics_at_last(&self, body: u32) -> bool {
        let group = self.group(body);
        group.is_none_or(|group| !group.progress.is_settled() || group.has_come_to_harm())
    }

    /// Whether the crowd of a body, with this sum of depths, is given new places: if its group was not yet, or if that has helped. If so, notes it. To be asked when all groups of the round are made.
    pub(super) fn may_press(&mut self, body: u32, depth: u64) -> bool {
        let Some(number) = self.of(body) else {
            return true;
        };
        let pressed = &mut self.all[number as usize].pressed;
        let before = pressed.before(self.round);
        let may_press = before == 0 || depth < before / 100 * PRESS_HELPED;
        if may_press {
            pressed.add(depth, self.round);
        }
        may_press
    }

    /// Notes that no room was found for all of a crowd.
    pub(super) fn fill(&mut self, mut crowd: impl Iterator<Item = u32>) {
        if let Some(number) = crowd.find_map(|body| self.of(body)) {
            self.all[number as usize].progress.fill();
        }
    }

    /// Whether no room was found for all of a group.
    pub(super) fn is_full(&self, number: u32) -> bool {
        self.all[number as usize].progress.is_full()
    }

    /// Returns the dynamic body of a pair whose group decides on it: the first one, unless nothing more is tried for that alone.
    pub(super) fn deciding_body(&self, world: &World, pair: (u32, u32)) -> u32 {
        let (moving, other) = world.moving_first(pair);
        let [first, second] = [moving, other].map(|member| world.body(member));
        let goes_on = |body: u32| world.rank(body) == Rank::Dynamic && !self.has_given_up(body);
        if self.has_given_up(first) && goes_on(second) {
            second
        } else {
            first
        }
    }

    /// Whether nothing more is tried for a body.
    #[inline]
    pub(super) fn has_given_up(&self, body: u32) -> bool {
        self.group(body).is_some_and(Group::has_given_up)
    }

    /// Makes all bodies of an island one group.
    pub(super) fn unite(&mut self, world: &World, island: &Island) {
        self.group_of.resize(world.count(), NONE);
        let mut parts = std::mem::take(&mut self.parts);
        parts.clear();
        for part in island.dynamic_bodies().filter_map(|body| self.of(body)) {
            if parts.last() != Some(&part) {
                parts.push(part);
            }
        }
        parts.sort_unstable();
        parts.dedup();
        let number = match parts[..] {
            [known] if self.all[known as usize].goes_on_in(self.round) => known,
            _ => self.join(&parts),
        };
        self.parts = parts;
        for body in island.dynamic_bodies() {
            self.enter(world, body, number);
        }
    }

    /// Counts the bodies of a whole island, and those of its pairs that overlap.
    pub(super) fn note(&mut self, island: &Island, over: u32) {
        let mut bodies = island.dynamic_bodies();
        if let Some(number) = bodies.find_map(|body| self.of(body)) {
            let group = &mut self.all[number as usize];
            group.is_afloat &= island.is_afloat();
            if group.noted_in != self.round {
                (group.noted_in, group.bodies, group.over) = (self.round, 0, 0);
            }
            group.bodies += island.bodies.len() as u32;
            group.over += over;
        }
    }

    /// Whether a body is in a group that is large and afloat, and in which few pairs overlap.
    pub(super) fn is_sparse(&self, body: u32) -> bool {
        self.group(body).is_some_and(|group| {
            let few = group.bodies / BODIES_BETWEEN;
            group.is_afloat && group.bodies >= LARGE && group.over <= few
        })
    }

    /// Adds a body that is in no group to the group of another one.
    pub(super) fn take_in(&mut self, world: &World, body: u32, other: u32) {
        if let Some(number) = self.of(other).filter(|_| self.of(body).is_none()) {
            self.group_of.resize(world.count(), NONE);
            self.enter(world, body, number);
        }
    }

    fn enter(&mut self, world: &World, body: u32, number: u32) {
        if self.group_of[body as usize] == NONE {
            let progress = &mut self.all[number as usize].progress;
            progress.take_in();
            if progress.has_stalled() {
                self.at_stall.resize(world.count(), Vec2::ZERO);
                self.at_stall[body as usize] = world.position(body);
            }
        }
        self.group_of[body as usize] = number;
    }

    /// Returns through how many steps, at most, something firm holds the bodies of an island against each other.
    pub(super) fn longest_chain(&self, island: &Island) -> u32 {
        let group = island.dynamic_bodies().find_map(|body| self.group(body));
        group.map_or(u32::MAX, |group| group.progress.longest_chain())
    }

    /// Makes one group of several, or an empty one.
    fn join(&mut self, parts: &[u32]) -> u32 {
        let number = self.all.len() as u32;
        let known = parts.iter().map(|part| &self.all[*part as usize]);
        // A group that has been free meanwhile begins anew.
        let known = known.filter(|part| part.round == self.round || part.has_given_up());
        let mut progress = Progress::join(known.clone().map(|part| &part.progress));
        if known.count() < parts.len() {
            progress.take_in();
        }
        let all = || parts.iter().map(|part| &self.all[*part as usize]);
        let is_afloat = all().all(|part| part.is_afloat);
        let pressed = Pressed::join(all().map(|part| part.pressed), self.round);
        // Groups that have not been counted in this round will be, if the island is whole.
        let is_noted = |part: &&Group| part.noted_in == self.round;
        let are_some_noted = all().any(|part| is_noted(&part));
        let counted = || all().filter(move |part| !are_some_noted || is_noted(part));
        let bodies = counted().map(|part| part.bodies).sum();
        let over = counted().map(|part| part.over).sum();
        let noted_in = if are_some_noted { self.round } else { NONE };
        self.all.push(Group {
            progress,
            step: Step::GoOn,
            total: 0,
            round: self.round,
            has_moved: false,
            is_afloat,
            bodies,
            over,
            noted_in,
            pressed,
            told_at_stall: 0,
        });
        self.whole_of.push(number);
        for part in parts {
            self.whole_of[*part as usize] = number;
        }
        self.live.push(number);
        number
    }

    /// Notes which groups a round in which everything was tried has not moved.
    pub(super) fn settle(&mut self, world: &World) {
        for (body, before) in (0..).zip(&self.before) {
            if world.positions()[body as usize] != *before
                && let Some(number) = self.of(body)
            {
                self.all[number as usize].has_moved = true;
            }
        }
        for number in &self.live {
            let group = &mut self.all[*number as usize];
            let has_moved = std::mem::take(&mut group.has_moved);
            if group.is_round_whole() && !has_moved {
                group.progress.settle();
            }
        }
    }

    /// Returns the number of the group of a body, if it is in one.
    #[inline]
    pub(super) fn of(&self, body: u32) -> Option<u32> {
        let mut number = *self.group_of.get(body as usize)?;
        loop {
            let whole = *self.whole_of.get(number as usize)?;
            if whole == number {
                return Some(number);
            }
            number = whole;
        }
    }

    /// Returns the group of a body, if it is pushed in this round.
    fn live_group(&self, body: u32) -> Option<&Group> {
        let group = self.group(body);
        group.filter(|group| group.round == self.round)
    }

    fn is_any_live(&self, is: impl Fn(&Group) -> bool) -> bool {
        let mut live = self.live.iter();
        live.any(|number| is(&self.all[*number as usize]))
    }

    #[inline]
    fn group(&self, body: u32) -> Option<&Group> {
        self.of(body).map(|number| &self.all[number as usize])
    }
}
