//! The broad phase over the colliders: what may collide where, kept from tick to tick.

use std::ops::ControlFlow;

use bevy::{ecs::prelude::Resource, math::Vec2};

use super::{
    colliders::Colliders,
    resting::Resting,
    rules::{parties_may_collide, parties_may_push},
    slots::SlotSet,
    traits::Party,
};
#[cfg(feature = "debug")]
use crate::broad_phase::Strips;
use crate::{
    broad_phase::{Boxes, BroadPhase, Extent, Found, HasExtent, Levels, Meet, Region, Way},
    kernel::{FourContacts, FourShapes, Outline, Shape, Touching, contact_or_rest},
    map_four::map_four,
    placed::{
        Closeness, Meeting, Mover, Placed, Rank, Sighting, Stands, extent_at, in_order_of_places,
        rounding_along, see_at,
    },
    prefetch::prefetch,
    push_out::{StillColliders, Surroundings},
    sweep::StillAhead,
};

/// The broad phase is told anew of what stands still when more of it has changed than this ...
const LOOSE: usize = 32;
/// ... and than one in so many. Until then, what has changed goes with what moves.
const LOOSE_PART: usize = 8;

/// Buffers that are kept from tick to tick, and what the broad phase knows of the still colliders. All of it follows from the colliders; it
/// changes how long an answer takes, and not the answer.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Candidates {
    broad_phase: BroadPhase<Candidate>,
    found: Found<Sighting>,
    /// By slot: whether the broad phase has it among the still ones, as it is now.
    is_settled: Vec<bool>,
    /// Still colliders that are not settled.
    loose: SlotSet,
    /// Those that were when the broad phase was last asked for pairs: to whoever asks before the next time, they are where they were then.
    lately: SlotSet,
    settled: usize,
    /// How many of those that the broad phase has are not as they were.
    stale: usize,
    /// It has been told of all that stands still since it was last asked for pairs: some of that it has among what moves, too.
    is_told_anew: bool,
    /// How far around what can be pushed detection looks for those who may come to push it, in world units; 0 if it does not.
    near_reach: f32,
}

/// What the broad phase carries along: all that it takes to know whether two of them collide, mostly.
// None lies in two lines of memory.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Candidate {
    shape: Shape,
    center: Vec2,
    /// How far from its surface somebody may be and matter.
    reach: f32,
    slot: u32,
    party: Party,
    /// It stands still, and is among the boxes that the broad phase keeps.
    is_settled: bool,
}

const _: () = assert!(size_of::<Candidate>() == 32);

impl Candidate {
    /// Its shape, and where it is as far as the last tick knows, unless it may have been pushed since the broad phase was told.
    #[inline(always)]
    pub(crate) fn place(&self, colliders: &Colliders) -> Option<(Shape, Vec2)> {
        (self.is_settled || colliders.drift == 0.0).then_some((self.shape, self.center))
    }
}

impl Stands for Candidate {
    #[inline(always)]
    fn slot(&self) -> u32 {
        self.slot
    }

    #[inline(always)]
    fn center(&self) -> Vec2 {
        self.center
    }

    #[inline(always)]
    fn outline(&self) -> Outline {
        Outline::Shape(self.shape)
    }
}

impl HasExtent for Candidate {
    #[inline(always)]
    fn extent(&self) -> Extent {
        extent_at(self.shape, self.center, self.reach)
    }
}

impl Candidates {
    /// Follows the changes among the still colliders.
    pub(crate) fn settle(&mut self, colliders: &mut Colliders) {
        self.is_settled.resize(colliders.placed.len(), false);
        for slot in colliders.still_changed.drain(..) {
            let slot = slot as usize;
            if std::mem::take(&mut self.is_settled[slot]) {
                self.stale += 1;
                self.lately.insert(slot);
            }
            self.loose.set(slot, colliders.still.contains(slot));
        }
        let changed = self.loose.members().len() + self.stale;
        if changed > LOOSE + self.settled / LOOSE_PART {
            let still = colliders.still.members();
            self.broad_phase.set_still_of(&ManyCandidates {
                colliders,
                slots: [still, &[]],
                reach: None,
            });
            still
                .iter()
                .for_each(|&slot| self.is_settled[slot as usize] = true);
            self.loose.clear();
            self.stale = 0;
            self.settled = still.len();
            self.is_told_anew = true;
        }
    }

    /// From now on detection looks for who is near each other, too: for all pairs of which one can be pushed and that may touch if those that can go this far. 0 if nobody wants to know.
    pub(crate) fn look_around(&mut self, reach: f32) {
        self.near_reach = reach;
    }

    /// Whether it does.
    pub(crate) fn looks_around(&self) -> bool {
        self.near_reach > 0.0
    }

    /// All pairs that collide, those that are apart by no more than the margin, and those that are near each other if that is wanted, in no order that means anything; rooms are for others to ask.
    pub(crate) fn find(
        &mut self,
        colliders: &Colliders,
        touching: Touching,
        margin: f32,
    ) -> &Found<Sighting> {
        let Self {
            broad_phase,
            found,
            is_settled,
            loose,
            lately,
            near_reach,
            is_told_anew,
            ..
        } = self;
        lately.clear();
        *is_told_anew = false;
        let (moving, loose) = (colliders.moving.members(), loose.members());
        let candidates = ManyCandidates {
            colliders,
            slots: [moving, loose],
            reach: Some(Reach {
                margin,
                of_pushable: near_reach.max(margin),
            }),
        };
        let meet = MeetCandidates {
            colliders,
            is_settled,
            touching,
            margin,
            far: Resting::far(touching, margin),
            are_near_wanted: *near_reach > 0.0,
        };
        broad_phase.find_of(&candidates, meet, found);
        found
    }
}

/// Asks the rules and the kernel.
struct MeetCandidates<'a> {
    colliders: &'a Colliders,
    is_settled: &'a [bool],
    touching: Touching,
    margin: f32,
    /// Beyond this coordinate places are less exact than the margin, if that matters.
    far: f32,
    /// Whether to tell of those, too, that do not meet and may come to push each other.
    are_near_wanted: bool,
}

impl MeetCandidates<'_> {
    /// Whether what the kernel finds counts.
    #[inline(always)]
    fn counts(&self, one: &Candidate, other: &Candidate) -> bool {
        let [a, b] = [one, other].map(|side| (side.slot as usize, side.party));
        !self.is_gone(other) && parties_may_collide(self.colliders, a, b)
    }

    /// Whether places are less exact than the margin there.
    #[inline(always)]
    fn is_far_out(&self, one: &Candidate, other: &Candidate) -> bool {
        let farthest = one.center.abs().max(other.center.abs());
        farthest.cmpgt(Vec2::splat(self.far)).any()
    }

    /// Whether one that stood still does not any more, or not there.
    #[inline(always)]
    fn is_gone(&self, other: &Candidate) -> bool {
        other.is_settled && !self.is_settled[other.slot as usize]
    }

    /// For two where places are less exact than the margin.
    #[cold]
    #[inline(never)]
    fn meet_far_out(&self, one: &Candidate, other: &Candidate, found: &mut Vec<Sighting>) {
        found.extend(self.meet(one, other));
    }

    /// Tells of two that are near each other and do not meet.
    #[inline]
    fn near(&self, one: &Candidate, other: &Candidate) -> Option<Sighting> {
        (self.are_near_wanted && !self.is_gone(other) && self.may_push(one, other))
            .then(|| Sighting::near((one.slot, other.slot)))
    }

    #[inline]
    fn may_push(&self, one: &Candidate, other: &Candidate) -> bool {
        let a = (one.slot as usize, one.party);
        let b = (other.slot as usize, other.party);
        parties_may_push(self.colliders, a, b)
    }

    /// Adds what the push-out wants to know of two that were seen.
    #[inline]
    fn with_push(&self, seen: Sighting, one: &Candidate, other: &Candidate) -> Sighting {
        if !self.are_near_wanted {
            return seen;
        }
        let may_push = self.may_push(one, other);
        let Meeting { depth, normal, .. } = seen.meeting;
        let is_over = depth > 0.0 && depth > rounding_along(one.center, other.center, normal);
        Sighting {
            may_push,
            pushes: may_push && is_over,
            ..seen
        }
    }
}

impl Meet<Candidate, Sighting> for MeetCandidates<'_> {
    #[inline(always)]
    fn meet(&self, one: &Candidate, other: &Candidate) -> Option<Sighting> {
        let reach = Resting::reach_of(self.touching, self.margin, one.center, other.center);
        let find = |a: &Candidate, b: &Candidate, offset| {
            contact_or_rest(a.shape, b.shape, offset, self.touching, reach)
        };
        let seen = || see_at([one, other], find);
        let seen = self.counts(one, other).then(seen).flatten();
        let seen = seen.map(|seen| self.with_push(seen, one, other));
        seen.or_else(|| self.near(one, other))
    }

    #[inline(always)]
    fn meet_four(&self, pairs: [[&Candidate; 2]; 4], found: &mut Vec<Sighting>) {
        let in_order = map_four(pairs, in_order_of_places);
        let [first, second] = [0, 1].map(|side: usize| {
            let placed = |pair: [&Candidate; 2]| (pair[side].shape, pair[side].center);
            FourShapes::new(map_four(in_order, placed))
        });
        let contacts = FourContacts::of(&first, &second, self.touching, self.margin);
        for (lane, ([one, other], [a, b])) in pairs.into_iter().zip(in_order).enumerate() {
            let is = |bits: u32| bits & 1 << lane != 0;
            if is(contacts.is_tie) {
                found.extend(self.meet(one, other));
            } else if is(contacts.meets | contacts.rests) {
                if self.counts(one, other) {
                    let closeness = if is(contacts.meets) {
                        Closeness::Meets
                    } else {
                        Closeness::Rests
                    };
                    let seen = Sighting {
                        meeting: Meeting::new((a.slot, b.slot), contacts.get(lane)),
                        closeness,
                        may_push: false,
                        pushes: false,
                    };
                    found.push(self.with_push(seen, one, other));
                }
            } else if self.is_far_out(one, other) {
                self.meet_far_out(one, other, found);
            } else {
                found.extend(self.near(one, other));
            }
        }
    }
}

/// Those of some slots, made when they are asked for.
struct ManyCandidates<'a> {
    colliders: &'a Colliders,
    slots: [&'a [u32]; 2],
    /// None for those that are settled.
    reach: Option<Reach>,
}

/// How far from the surface of a collider somebody may be and matter.
#[derive(Clone, Copy)]
struct Reach {
    margin: f32,
    of_pushable: f32,
}

impl Reach {
    #[inline(always)]
    fn of(&self, party: Party) -> f32 {
        let is_pushable = party.rank() == Rank::Dynamic && !party.is_sensor();
        if is_pushable {
            self.of_pushable
        } else {
            self.margin
        }
    }
}

impl Boxes<Candidate> for ManyCandidates<'_> {
    fn count(&self) -> usize {
        self.slots.iter().map(|slots| slots.len()).sum()
    }

    #[inline(always)]
    fn at(&self, number: usize) -> Candidate {
        let [first, second] = self.slots;
        let slot = match first.get(number) {
            Some(slot) => *slot,
            None => second[number - first.len()],
        };
        read_candidate(self.colliders, slot, self.reach)
    }
}

#[inline(always)]
fn read_candidate(colliders: &Colliders, slot: u32, reach: Option<Reach>) -> Candidate {
    let placed = &colliders.placed[slot as usize];
    let shape = match placed.outline {
        Outline::Shape(shape) => shape,
        // Rooms are kept apart.
        Outline::Bounds(_) => Shape::POINT,
    };
    let party = colliders.parties[slot as usize];
    Candidate {
        shape,
        center: placed.center(&colliders.movers),
        reach: reach.map_or(0.0, |reach| reach.of(party)),
        slot,
        party,
        is_settled: reach.is_none(),
    }
}

/// A collider that was found by a look. What is not asked of it is not read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seen<'a> {
    /// As the broad phase has it.
    Candidate(&'a Candidate),
    /// By its slot.
    Slot(usize),
}

impl Seen<'_> {
    #[inline(always)]
    pub(crate) fn slot(self) -> usize {
        match self {
            Self::Candidate(candidate) => candidate.slot as usize,
            Self::Slot(slot) => slot,
        }
    }

    /// Whether it is for sure the collider of its own body.
    #[inline(always)]
    pub(crate) fn is_plain(self) -> bool {
        matches!(self, Self::Candidate(candidate) if candidate.party.is_plain())
    }

    /// Its outline, and where it is as far as the last tick knows: what was pushed is where it was pushed, and what is settled was not.
    #[inline(always)]
    pub(crate) fn place(self, colliders: &Colliders) -> (Outline, Vec2) {
        let known = match self {
            Self::Candidate(candidate) => candidate.place(colliders),
            Self::Slot(_) => None,
        };
        match known {
            Some((shape, center)) => (Outline::Shape(shape), center),
            None => {
                let placed = &colliders.placed[self.slot()];
                (placed.outline, placed.center(&colliders.movers))
            }
        }
    }
}

/// Looks at all colliders that do not begin with a search of every one of them. As of the last detection; what was pushed since is where it was pushed.
impl Candidates {
    /// What the last detection found, near each other in the list if near in space; rooms are not among them.
    pub(crate) fn sightings(&self) -> impl Iterator<Item = &Sighting> + Clone {
        self.found.iter()
    }

    /// The strips of the broad phase: those of what moves, and those of what stands still.
    #[cfg(feature = "debug")]
    pub(crate) fn strips(&self) -> (impl Iterator<Item = Strips>, impl Iterator<Item = Strips>) {
        let Self { broad_phase, .. } = self;
        (broad_phase.moving().strips(), broad_phase.still().strips())
    }

    /// Calls `found` with each collider whose box meets this one, until it breaks off. Rooms are all among them.
    pub(crate) fn around(
        &self,
        colliders: &Colliders,
        extent: &Extent,
        mut found: impl FnMut(Seen) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let region = |drift| Region::around(&extent.grown(drift));
        rooms(colliders).try_for_each(&mut found)?;
        self.within(colliders, region, |seen, _| found(seen))
    }

    /// Calls `found` with each collider whose box meets a region, which is given how far away from its box somebody may be, until it breaks off; and with whether it is in the region for sure. Rooms are [apart](rooms).
    #[inline]
    pub(crate) fn within<'a>(
        &'a self,
        colliders: &'a Colliders,
        region: impl Fn(f32) -> Region,
        mut found: impl FnMut(Seen<'a>, bool) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut within = |(levels, drift): (&'a Levels<Candidate>, f32)| {
            levels.walk_within(&region(drift), |met| {
                for (candidate, is_in) in met {
                    if self.was_known(candidate) {
                        found(Seen::Candidate(candidate), is_in)?;
                    }
                }
                ControlFlow::Continue(())
            })
        };
        let [still, moving] = self.levels(colliders);
        still.map_or(ControlFlow::Continue(()), &mut within)?;
        moving.map_or(ControlFlow::Continue(()), within)
    }

    /// Calls `found` with each that may be met on a way before the limit, which it answers anew, as [`Levels::walk_along`](crate::broad_phase::Levels::walk_along) does. Rooms are [apart](rooms).
    #[inline]
    pub(crate) fn along<'a, const TO_THE_END: bool>(
        &'a self,
        colliders: &'a Colliders,
        way: impl Fn(f32) -> Way,
        limit: f32,
        mut found: impl FnMut(Seen<'a>) -> f32,
    ) {
        let mut along = |(levels, drift): (&'a Levels<Candidate>, f32), limit| {
            levels.walk_along::<TO_THE_END>(&way(drift), limit, |candidate, limit| {
                if self.was_known(candidate) {
                    found(Seen::Candidate(candidate))
                } else {
                    limit
                }
            })
        };
        let [still, moving] = self.levels(colliders);
        let limit = still.map_or(limit, |still| along(still, limit));
        if let Some(moving) = moving {
            along(moving, limit);
        }
    }

    /// Calls `found` with each that may be within reach of a place, which it answers anew, as [`Levels::walk_around`](crate::broad_phase::Levels::walk_around) does. Rooms are [apart](rooms).
    #[inline]
    pub(crate) fn near<'a>(
        &'a self,
        colliders: &'a Colliders,
        place: Vec2,
        reach: f32,
        mut found: impl FnMut(Seen<'a>) -> f32,
    ) {
        let mut near = |(levels, drift): (&'a Levels<Candidate>, f32), reach| {
            levels.walk_around(place, drift, reach, |candidate, reach| {
                if self.was_known(candidate) {
                    found(Seen::Candidate(candidate))
                } else {
                    reach
                }
            })
        };
        let [still, moving] = self.levels(colliders);
        let reach = still.map_or(reach, |still| near(still, reach));
        if let Some(moving) = moving {
            near(moving, reach);
        }
    }

    /// What stands still and what moves, if there is any; and how far away from there somebody may be.
    #[inline(always)]
    fn levels(&self, colliders: &Colliders) -> [Option<(&Levels<Candidate>, f32)>; 2] {
        let (still, moving) = (self.broad_phase.still(), self.broad_phase.moving());
        [
            (!still.is_empty()).then_some((still, 0.0)),
            (!moving.is_empty()).then_some((moving, colliders.drift)),
        ]
    }

    /// Whether one is what the broad phase was told of. What stood still may have changed since.
    #[inline(always)]
    fn is_known(&self, candidate: &Candidate) -> bool {
        self.stale == 0 || !candidate.is_settled || self.is_settled[candidate.slot as usize]
    }

    /// The same as of the last time that it was asked for pairs.
    #[inline(always)]
    fn was_known(&self, candidate: &Candidate) -> bool {
        let slot = candidate.slot as usize;
        let is_double = self.is_told_anew && !candidate.is_settled && self.is_settled[slot];
        !is_double && (self.is_known(candidate) || self.lately.contains(slot))
    }
}

/// Those that no walk finds, for they may be anywhere around.
pub(crate) fn rooms(colliders: &Colliders) -> impl Iterator<Item = Seen<'_>> {
    let rooms = colliders.rooms.members().iter();
    rooms.map(|&slot| Seen::Slot(slot as usize))
}

/// A look at the colliders as the last detection left them.
pub(crate) struct Still<'a> {
    pub(crate) candidates: &'a Candidates,
    pub(crate) colliders: &'a Colliders,
}

impl StillColliders for Still<'_> {
    fn find_near(&self, extent: &Extent, found: &mut dyn FnMut(u32)) {
        let Candidates {
            broad_phase,
            is_settled,
            loose,
            ..
        } = self.candidates;
        broad_phase.query_still(extent, |candidate| {
            if is_settled[candidate.slot as usize] {
                found(candidate.slot);
            }
        });
        let (placed, movers) = (&self.colliders.placed, &self.colliders.movers);
        for &slot in loose.members() {
            if placed[slot as usize].extent(movers, 0.0).meets(extent) {
                found(slot);
            }
        }
    }
}

impl StillAhead for Still<'_> {
    fn all(&self) -> &[u32] {
        self.colliders.still.members()
    }

    fn prefetch(&self, place: Vec2) {
        self.candidates.broad_phase.still().prefetch_around(place);
    }

    fn along(
        &self,
        movers: &[Mover],
        (from, motion): (Vec2, Vec2),
        half: Vec2,
        found: &mut dyn FnMut(u32, Shape, Vec2) -> f32,
    ) {
        let Self {
            candidates,
            colliders,
        } = self;
        let way = Way::new(from, motion, half, 0.0);
        let still = candidates.broad_phase.still();
        let mut limit = still.walk_along::<false>(&way, 1.0, |candidate, limit| {
            if candidates.is_known(candidate) {
                found(candidate.slot, candidate.shape, candidate.center)
            } else {
                limit
            }
        });
        let whole = way.extent();
        for &slot in candidates.loose.members() {
            let placed = &colliders.placed[slot as usize];
            if limit >= 0.0
                && let Outline::Shape(shape) = placed.outline
                && placed.extent(movers, 0.0).meets(&whole)
            {
                limit = found(slot, shape, placed.center(movers));
            }
        }
    }
}

/// The same with all that moves, for the push-out.
pub(crate) struct Around<'a> {
    pub(crate) still: Still<'a>,
    /// Whether two slots push each other.
    pub(crate) may_push: &'a (dyn Fn(usize, usize) -> bool + Sync),
    /// Whether that is as the rules say, and no filter has a word in it.
    pub(crate) is_by_rules: bool,
}

impl StillColliders for Around<'_> {
    fn find_near(&self, extent: &Extent, found: &mut dyn FnMut(u32)) {
        self.still.find_near(extent, found);
    }
}

impl Surroundings for Around<'_> {
    fn slots(&self) -> u32 {
        self.still.colliders.placed.len() as u32
    }

    fn placed(&self, slot: u32) -> &Placed {
        &self.still.colliders.placed[slot as usize]
    }

    fn mover(&self, slot: u32) -> &Mover {
        &self.still.colliders.movers[slot as usize]
    }

    fn prefetch(&self, slot: u32) {
        let (colliders, slot) = (self.still.colliders, slot as usize);
        prefetch(&colliders.placed, slot);
        // Mostly it is its own body.
        prefetch(&colliders.movers, slot);
    }

    fn may_push(&self, a: u32, b: u32) -> bool {
        (self.may_push)(a as usize, b as usize)
    }

    fn is_sensor(&self, slot: u32) -> bool {
        self.still.colliders.parties[slot as usize].is_sensor()
    }

    fn find_moving(&self, extent: &Extent, found: &mut dyn FnMut(u32)) {
        let moving = &self.still.candidates.broad_phase;
        moving.query_moving(extent, |candidate| found(candidate.slot));
    }

    fn dynamic_body(&self, slot: u32) -> Option<u32> {
        let colliders = self.still.colliders;
        let party = colliders.parties[slot as usize];
        let body = || {
            if party.is_plain() {
                slot
            } else {
                colliders.placed[slot as usize].body
            }
        };
        (party.rank() == Rank::Dynamic).then(body)
    }

    fn near_pairs(&self, reach: f32, found: &mut dyn FnMut([u32; 2], [Option<u32>; 2])) -> bool {
        let candidates = self.still.candidates;
        let mut rooms = self.rooms().iter();
        // Who can push a room may be anywhere in it.
        let are_rooms_firm = rooms.all(|&room| self.dynamic_body(room).is_none());
        let is_known = self.is_by_rules && are_rooms_firm && candidates.near_reach >= reach;
        if is_known {
            for seen in candidates.sightings().filter(|seen| seen.may_push) {
                let (a, b) = seen.meeting.slots;
                found([a, b], [self.dynamic_body(a), self.dynamic_body(b)]);
            }
        }
        is_known
    }

    fn rooms(&self) -> &[u32] {
        self.still.colliders.rooms.members()
    }

    fn children(&self) -> &[u32] {
        self.still.colliders.children.members()
    }
}
