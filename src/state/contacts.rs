//! The contacts of this tick and of the last one, sorted by their slots.
//!
//! ```text
//! gather     what a `Mover` has passed                      -> on_the_way
//! sweep      hits                                           -> on_the_way
//! detect     overlaps that no filter refuses, on_the_way    -> found
//! resolve    what is met by pushing                         -> found
//! report     told <- newest, if a report has told of these; newest <- found; compares the two
//! ```
//!
//! So `newest` has the contacts of the last tick until this one is reported, and then those of this one. A game may let the reports rest: then they are the newest all the same at the end of the tick, so that all bodies go where they would.

use bevy::{ecs::prelude::Resource, math::Vec2};

use crate::{
    broad_phase::Found,
    components::Response,
    counting::{CountingSort, Entry},
    filters::Verdict,
    kernel::{Outline, Touching},
    messages::Collision,
    parallel,
    placed::{
        BodyState, Meeting, Placed, Rank, STANDING_DEPTH, Sighting, SlotPair, compare_places, meet,
        pair_of,
    },
    prefetch::prefetch,
    push_out::Stuck,
    state::{
        colliders::Colliders,
        contact_orders::ContactOrders,
        resting::Resting,
        rules::{are_solid, may_collide, met_as_solids, pass_at},
        told::told,
        verdicts::Filters,
    },
    sweep::Hit,
};

/// Memory is prefetched for the contact that comes so many places after the one in turn.
const AHEAD: usize = 16;

/// The contacts, by slots, which keep their entities from one tick to the next. `found` is filled by detect and resolve, the others when both are over.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Contacts {
    /// Detect has searched for this tick's contacts; reset when resolve takes it, or the tick is over.
    is_detected: bool,
    /// This tick's contacts until they are the newest; sorted by slots, each pair once, the lower slot first.
    pub(crate) found: Vec<Meeting>,
    /// Pairs that met on the way in this tick, wherever they are now, until detect reads them; in the same order.
    pub(crate) on_the_way: Vec<Hit>,
    /// Those hits on the way whose contacts were made at the places of the hit, not at those of now, and of which one collider is a part of a non-static body; in the same order.
    passed: Vec<Hit>,
    /// Pairs that would collide in this tick if no filter refused them, and pairs of the last tick that a filter refuses now; sorted by slots.
    pub(crate) refused: Vec<SlotPair>,
    /// Solid pairs that met in this tick, or may have, and that a filter lets pass through each other; sorted by slots, each once.
    let_pass: Vec<SlotPair>,
    /// How many bodies were pushed in this tick, until report reads it.
    pub(crate) pushed: usize,
    /// Positions of the pushed bodies before they were pushed, where they were detected; sorted by slot.
    pub(crate) pushed_from: Vec<(u32, Vec2)>,
    /// Colliders that could not be freed in this tick, until report reads them.
    pub(crate) stuck: Vec<Stuck>,
    /// The up direction in the newest finished tick, of length 1 or 0. Kept here because a system that reads contacts may change the settings meanwhile.
    pub(crate) up: Vec2,
    /// Approach speeds of the pairs that met on the way in this tick, in world units a second, until its contacts are the newest; in the same order.
    approaching: Vec<(SlotPair, f32)>,
    /// The same for the newest finished tick.
    approached: Vec<(SlotPair, f32)>,
    /// The newest finished tick's contacts, in the same order.
    pub(crate) newest: Vec<Meeting>,
    /// Those of which the last report has told; `None` if those are the newest.
    told: Option<Vec<Meeting>>,
    /// There was a report in this tick.
    is_told: bool,
    /// Of `newest`.
    orders: ContactOrders,
    sort_meetings: CountingSort,
    /// Buffer for merging.
    added: Vec<Meeting>,
}

impl Contacts {
    /// Collects this tick's contacts from the pairs seen, each of which is seen only once. A pair with a small gap counts if the two met in the last tick, so that
    /// resting contacts do not flicker, or if they are flush.
    pub(crate) fn find(
        &mut self,
        seen: &Found<Sighting>,
        in_rooms: &[Sighting],
        resting: &Resting,
    ) {
        let Self { found, newest, .. } = self;
        // Still those of the last tick. Slots have kept their entities since.
        let met = |pair| number_of(newest, pair).is_some();
        let counts = |seen: &Sighting| resting.counts(seen, || met(seen.meeting.slots));
        let (lists, get) = seen.numbered(in_rooms);
        self.sort_meetings.sort_parts(
            (
                resting.colliders.placed.len(),
                seen.len() >= parallel::WORTH_IT,
            ),
            lists,
            |(first, list)| {
                let entries = (first..).zip(list).filter(|(_, seen)| counts(seen));
                entries.map(|(at, seen)| {
                    let (bucket, key) = seen.meeting.slots;
                    Entry { bucket, key, at }
                })
            },
            |at| get(at).meeting,
            found,
        );
    }

    /// Begins the search for this tick's contacts: forgets refusals, pushes and stuck colliders of the last tick.
    pub(crate) fn begin(&mut self) {
        self.is_detected = true;
        self.refused.clear();
        self.let_pass.clear();
        self.stuck.clear();
        self.pushed = 0;
        self.pushed_from.clear();
    }

    /// Removes the contacts that a filter refuses. Also asks the filters about pairs that met when a report told of them last, are apart now, and may collide, because the reason why they no longer meet matters. Notes which of the other solid pairs, and of the solid pairs that met on the way, a filter lets pass.
    pub(crate) fn filter(&mut self, colliders: &Colliders, filters: &Filters) {
        let Self {
            found,
            newest,
            told,
            refused,
            let_pass,
            on_the_way,
            ..
        } = self;
        let is_there = |slot: usize| colliders.slot(colliders.entities[slot]) == Some(slot);
        let may_still_collide = |(a, b): SlotPair| {
            let (a, b) = (a as usize, b as usize);
            is_there(a) && is_there(b) && may_collide(colliders, a, b)
        };
        let passes = Verdict::Respond(Response::Pass);
        let verdict = |(a, b): SlotPair| filters.verdict(colliders, a as usize, b as usize);
        let is_solid_pair = |(a, b): SlotPair| are_solid(colliders, a as usize, b as usize);
        // Asks the filters of a pair, notes the answer, and returns whether they refuse it.
        let mut judge = |slots: SlotPair| {
            let verdict = verdict(slots);
            if verdict == Verdict::Ignore {
                refused.push(slots);
            } else if verdict == passes && is_solid_pair(slots) {
                let_pass.push(slots);
            }
            verdict == Verdict::Ignore
        };
        let all = told.as_ref().unwrap_or(newest).iter();
        let all = all.map(|meeting| meeting.slots);
        let mut last = all.peekable();
        // Both lists are sorted, so `refused` gets sorted too.
        found.retain(|meeting| {
            while let Some(parted) = last.next_if(|slots| *slots < meeting.slots) {
                if may_still_collide(parted) {
                    judge(parted);
                }
            }
            last.next_if_eq(&meeting.slots);
            !judge(meeting.slots)
        });
        for parted in last.filter(|slots| may_still_collide(*slots)) {
            judge(parted);
        }
        let on_the_way = on_the_way.iter().map(|hit| hit.slots);
        let known = let_pass.len();
        for slots in on_the_way.filter(|slots| is_solid_pair(*slots)) {
            if let_pass[..known].binary_search(&slots).is_err() && verdict(slots) == passes {
                let_pass.push(slots);
            }
        }
        let_pass.sort_unstable();
    }

    /// Whether detect has searched for this tick's contacts; true only once. If a game does not run detect, what it left is of an earlier tick.
    pub(crate) fn take_detected(&mut self) -> bool {
        std::mem::take(&mut self.is_detected)
    }

    /// Adds solid pairs that were pushed into contact and that a filter lets pass through each other.
    pub(crate) fn add_let_pass(&mut self, met: impl Iterator<Item = SlotPair>) {
        self.let_pass.extend(met);
        self.let_pass.sort_unstable();
        self.let_pass.dedup();
    }

    /// Whether a filter lets a pair of slots pass through each other that would otherwise be solid.
    pub(crate) fn is_let_pass(&self, slots: SlotPair) -> bool {
        self.let_pass.binary_search(&slots).is_ok()
    }

    /// Whether two colliders that have met are solid to each other by [`met_as_solids`] and by the filters.
    pub(crate) fn met_as_solids(&self, colliders: &Colliders, meeting: &Meeting) -> bool {
        met_as_solids(colliders, meeting) && !self.is_let_pass(meeting.slots)
    }

    /// Whether a filter refused a pair of slots in this tick.
    pub(crate) fn is_refused(&self, one: usize, other: usize) -> bool {
        let slots = pair_of(one as u32, other as u32);
        self.refused.binary_search(&slots).is_ok()
    }

    /// Notes hits on the way, in any order and besides those noted before; keeps the first hit of each pair.
    pub(crate) fn note_on_the_way(&mut self, hits: impl Iterator<Item = Hit>) {
        self.on_the_way.extend(hits);
        let in_order = |a: &Hit, b: &Hit| {
            let times = a.slots.cmp(&b.slots).then(a.time.total_cmp(&b.time));
            // Compare places only: which collider has the lower slot depends on the order in which they were added.
            let places = |hit: &Hit| {
                let [one, other] = [hit.slots.0, hit.slots.1].map(|slot| hit.place_of(slot));
                if compare_places(one, other).is_lt() {
                    [one, other]
                } else {
                    [other, one]
                }
            };
            let ([a, others_a], [b, others_b]) = (places(a), places(b));
            times
                .then(compare_places(a, b))
                .then(compare_places(others_a, others_b))
        };
        // The sweep's own hits are in order already.
        if !self.on_the_way.is_sorted_by(|a, b| a.slots < b.slots) {
            self.on_the_way.sort_unstable_by(in_order);
            self.on_the_way.dedup_by_key(|hit| hit.slots);
        }
    }

    /// Forgets what was met on the way in an earlier tick, and was not taken, as detection rested.
    pub(crate) fn begin_ways(&mut self) {
        self.on_the_way.clear();
    }

    /// Notes the approach speeds of the hits on the way, in a tick of so many seconds.
    pub(crate) fn note_approaches(&mut self, seconds: f32) {
        let hits = self.on_the_way.iter().filter(|hit| hit.closing > 0.0);
        let speeds = hits.map(|hit| (hit.slots, hit.closing / seconds));
        self.approaching.clear();
        self.approaching.extend(speeds);
    }

    /// Returns the approach speed of a pair in the newest finished tick, in world units a second; 0 if the pair did not meet on the way.
    pub(crate) fn approach_speed(&self, slots: SlotPair) -> f32 {
        let all = &self.approached;
        let at = all.binary_search_by_key(&slots, |(slots, _)| *slots);
        at.map_or(0.0, |at| all[at].1)
    }

    /// Adds the pairs that met on the way. A pair that still meets gets the time of its first hit; if it no longer touches, also the normal of that hit: a body that walks off the end of a tile was on it, not beside it. A pair that lets each other pass, and that did not meet in the last tick, gets the contact of the moment of entry, as if it had parted again.
    pub(crate) fn add_on_the_way(&mut self, colliders: &Colliders) {
        let Colliders {
            placed,
            body_states,
            ..
        } = colliders;
        let is_moving_part = |slot: u32| {
            let body = placed[slot as usize].body;
            body != slot && body_states[body as usize].rank != Rank::Static
        };
        self.passed.clear();
        let by_detection = self.found.len();
        let mut at = 0;
        for hit in &self.on_the_way {
            while at < by_detection && self.found[at].slots < hit.slots {
                at += 1;
            }
            let is_found = at < by_detection && self.found[at].slots == hit.slots;
            if is_found {
                let found = &mut self.found[at];
                found.time = hit.time;
                if found.depth == 0.0 && !do_touch(placed, body_states, hit.slots) {
                    found.normal = hit.normal;
                }
                let (a, b) = (hit.slots.0 as usize, hit.slots.1 as usize);
                let is_passed = |depth: f32| {
                    pass_at(colliders, a, b, depth)
                        || self.let_pass.binary_search(&hit.slots).is_ok()
                };
                let depth = found.depth;
                let is_in_it = depth > STANDING_DEPTH && is_passed(depth);
                if !is_in_it || number_of(&self.newest, hit.slots).is_some() {
                    continue;
                }
            }
            let is_in_before = |meeting: &Meeting| {
                let rounding = colliders.rounding_along(meeting.slots, meeting.normal);
                meeting.depth > STANDING_DEPTH.max(rounding)
            };
            match hit.meeting(placed) {
                // It was in it before: it did not come in from anywhere.
                Some(meeting) if is_found && is_in_before(&meeting) => continue,
                Some(meeting) if is_found => self.found[at] = meeting,
                meeting => self.found.extend(meeting),
            }
            if is_moving_part(hit.slots.0) || is_moving_part(hit.slots.1) {
                self.passed.push(*hit);
            }
        }
        merge_tail(&mut self.found, by_detection, &mut self.added);
        // A tick without a sweep has no hits.
        self.on_the_way.clear();
    }

    /// Adds those of some meetings, sorted by slots, that were not found already.
    pub(crate) fn add_found(&mut self, met: impl Iterator<Item = Meeting>) {
        let by_detection = self.found.len();
        let mut known = 0;
        for meeting in met {
            while known < by_detection && self.found[known].slots < meeting.slots {
                known += 1;
            }
            if known == by_detection || self.found[known].slots != meeting.slots {
                self.found.push(meeting);
            }
        }
        merge_tail(&mut self.found, by_detection, &mut self.added);
    }

    /// Returns the center that a part of a body had when it met another collider in this tick, which is when the contact point was computed. For colliders that it was pushed into, this is not known; they get
    /// the center from before the push.
    pub(crate) fn center_when_met(
        &self,
        colliders: &Colliders,
        part: usize,
        other: Option<usize>,
    ) -> Vec2 {
        let passed = other.and_then(|other| {
            let slots = pair_of(part as u32, other as u32);
            let at = self.passed.binary_search_by_key(&slots, |hit| hit.slots);
            Some(&self.passed[at.ok()?])
        });
        if let Some(hit) = passed {
            return hit.place_of(part as u32);
        }
        let placed = &colliders.placed[part];
        let pushed = &self.pushed_from;
        match pushed.binary_search_by_key(&placed.body, |(body, _)| *body) {
            Ok(at) => pushed[at].1 + placed.offset,
            Err(_) => placed.center(&colliders.body_states),
        }
    }

    /// Makes `found` the newest contacts. If detect does not run before the next call, there are no contacts then.
    pub(crate) fn advance(&mut self, colliders: &Colliders, up: Vec2) {
        self.up = up;
        self.is_detected = false;
        std::mem::swap(&mut self.newest, &mut self.found);
        let last = &mut self.found;
        self.told.get_or_insert_with(|| std::mem::take(last));
        self.found.clear();
        std::mem::swap(&mut self.approached, &mut self.approaching);
        self.approaching.clear();
        self.orders.renew(&self.newest, colliders);
    }

    /// A report has told of the newest contacts.
    pub(crate) fn end_report(&mut self) {
        self.stuck.clear();
        self.is_told = true;
        if let Some(told) = self.told.take() {
            // Nothing is found before the next tick: it is only a buffer.
            self.found = told;
            self.found.clear();
        }
    }

    /// The contacts of which the last report has told.
    pub(crate) fn last_told(&self) -> &[Meeting] {
        self.told.as_ref().unwrap_or(&self.newest)
    }

    /// Whether there are newer ones, of which no report has told, as it rested.
    pub(crate) fn is_untold(&self) -> bool {
        self.told.is_some()
    }

    /// Whether there was a report since this was asked last.
    pub(crate) fn take_told(&mut self) -> bool {
        std::mem::take(&mut self.is_told)
    }

    /// Whether the last report has told of a contact of two slots.
    pub(crate) fn was_told(&self, one: usize, other: usize) -> bool {
        let slots = pair_of(one as u32, other as u32);
        number_of(self.last_told(), slots).is_some()
    }

    /// Sorts the newest contacts by entity anew.
    pub(crate) fn order_by_entity(&mut self, colliders: &Colliders) {
        self.orders.order_by_entity(&self.newest, colliders);
    }

    /// Makes these meetings, sorted by slots, the contacts of the last tick: for a replay that continues from a recorded state.
    #[cfg(feature = "recorder")]
    pub(crate) fn go_on_from(
        &mut self,
        last: impl Iterator<Item = Meeting>,
        colliders: &Colliders,
    ) {
        self.found.clear();
        self.found.extend(last);
        self.advance(colliders, self.up);
        self.end_report();
    }

    /// Returns a copy with what the finished tick has left, without what is needed only during a tick.
    pub(crate) fn finished(&self) -> Self {
        Self {
            up: self.up,
            passed: self.passed.clone(),
            pushed_from: self.pushed_from.clone(),
            approached: self.approached.clone(),
            newest: self.newest.clone(),
            told: self.told.clone(),
            refused: self.refused.clone(),
            let_pass: self.let_pass.clone(),
            ..Self::default()
        }
    }

    /// The newest contacts, sorted by their entities.
    pub(crate) fn in_order(&self, colliders: &Colliders) -> impl Iterator<Item = Collision> {
        let by_entity = self.orders.by_entity();
        let as_they_are = if by_entity.is_empty() {
            &self.newest[..]
        } else {
            &[]
        };
        // The first colliders of the pairs lie in memory in order, the second ones anywhere.
        let ask_ahead = |at: usize| {
            if let Some(later) = as_they_are.get(at + AHEAD) {
                let second = later.slots.1 as usize;
                prefetch(&colliders.entities, second);
                prefetch(&colliders.body_entities, second);
            }
        };
        let as_they_are = as_they_are.iter().enumerate();
        as_they_are
            .map(move |(at, meeting)| {
                ask_ahead(at);
                meeting
            })
            .chain(by_entity.iter().map(|&index| &self.newest[index as usize]))
            .map(|meeting| told(meeting, colliders))
    }

    /// The contact of a pair of slots.
    pub(crate) fn between(&self, one: usize, other: usize) -> Option<&Meeting> {
        let slots = pair_of(one as u32, other as u32);
        Some(&self.newest[number_of(&self.newest, slots)?])
    }

    /// All contacts of a slot: where it is the second one, then where it is the first.
    pub(crate) fn of(&self, slot: usize) -> impl Iterator<Item = &Meeting> {
        let slot = slot as u32;
        let as_second = self.orders.of_second(&self.newest, slot);
        let as_second = as_second.iter().map(|&index| &self.newest[index as usize]);
        let start = self.newest.partition_point(|known| known.slots.0 < slot);
        let end = self.newest.partition_point(|known| known.slots.0 <= slot);
        as_second.chain(&self.newest[start..end])
    }
}

/// Returns the index of a pair among contacts.
fn number_of(contacts: &[Meeting], slots: SlotPair) -> Option<usize> {
    contacts
        .binary_search_by_key(&slots, |known| known.slots)
        .ok()
}

/// Whether two colliders overlap or touch.
fn do_touch(placed: &[Placed], body_states: &[BodyState], slots: SlotPair) -> bool {
    let touching = |a: Outline, b, offset| a.contact(b, offset, Touching::Counts);
    meet(placed, body_states, slots, touching).is_some()
}

/// Merges two sorted parts of `found`, split at `middle`, from the end.
fn merge_tail(found: &mut [Meeting], middle: usize, tail: &mut Vec<Meeting>) {
    tail.clear();
    tail.extend_from_slice(&found[middle..]);
    let (mut before, mut to) = (middle, found.len());
    while let Some(last) = tail.last() {
        to -= 1;
        if before > 0 && found[before - 1].slots > last.slots {
            before -= 1;
            found[to] = found[before];
        } else {
            found[to] = *last;
            tail.pop();
        }
    }
}
