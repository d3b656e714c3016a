//! The colliders, as the sweep and the push-out see them.

use bevy::{ecs::entity::Entity, math::Vec2};

use super::Candidates;
use crate::{
    broad_phase::{Extent, Way},
    kernel::{Outline, Shape},
    placed::{BodyState, Placed, Rank, extent_at, parts_of, rounding},
    prefetch::prefetch,
    push_out::Surroundings,
    state::{colliders::Colliders, rules::outline_for},
    sweep::StillAhead,
};

/// The static colliders, as they were settled last: those in the broad phase that have not changed since, and those that have, which are found one by one.
pub(crate) struct Still<'a> {
    pub(crate) candidates: &'a Candidates,
    pub(crate) colliders: &'a Colliders,
}

impl Still<'_> {
    /// Calls `found` with the slot of each collider whose box meets `extent`, and perhaps with some others; never with a room.
    fn find_near(&self, extent: &Extent, mut found: impl FnMut(u32)) {
        let Candidates {
            broad_phase,
            is_settled,
            ..
        } = self.candidates;
        broad_phase.query_still(extent, |candidate| {
            if is_settled[candidate.slot as usize] {
                found(candidate.slot);
            }
        });
        let (placed, body_states) = (&self.colliders.placed, &self.colliders.body_states);
        for &slot in self.candidates.each_loose() {
            if placed[slot as usize].extent(body_states, 0.0).meets(extent) {
                found(slot);
            }
        }
    }

    /// Lists the colliders of a body that may be within a reach of an outline at a place, or the rounding error there, as [`parts_near`](Self::parts_near) does; returns the slot of the body. `None` if the body does not exist any more.
    pub(crate) fn parts_in_place(
        &self,
        body: Entity,
        (outline, place): (Outline, Vec2),
        reach: f32,
        parts: &mut Vec<u32>,
    ) -> Option<usize> {
        parts.clear();
        let body = self.colliders.body_slot_of(body)?;
        // Twice, since the part has a place of its own, where the rounding error may be more.
        let reach = 2.0 * reach.max(rounding(place, place));
        let around = outline.shape().map(|shape| extent_at(shape, place, reach));
        self.parts_near(body, around.as_ref(), parts);
        Some(body)
    }

    /// Lists the colliders of a body that may be in a box, and its rooms, wherever they are; all of them without a box. Of a body that is not static, lists none of the children that are sensors.
    fn parts_near(&self, body: usize, around: Option<&Extent>, parts: &mut Vec<u32>) {
        let Colliders {
            placed,
            body_states,
            children,
            rooms,
            ..
        } = self.colliders;
        parts.clear();
        let is_static = body_states[body].rank == Rank::Static;
        if let Some(around) = around.filter(|_| is_static) {
            // A level has many parts, and nearly all of them are far away.
            self.find_near(around, |part| parts.push(part));
            parts.extend(rooms.members());
        } else {
            parts.extend(self.colliders.takes_part(body).then_some(body as u32));
            if is_static {
                parts.extend(children.members());
            } else {
                let own = parts_of(self.colliders.solid_parts(), body as u32);
                parts.extend(own.iter().map(|(_, part)| *part));
            }
        }
        parts.retain(|&part| {
            let placed = &placed[part as usize];
            let is_near = |around: &Extent| match placed.outline {
                Outline::Shape(_) => placed.extent(body_states, 0.0).meets(around),
                Outline::Bounds(_) => true,
            };
            placed.body as usize == body && around.is_none_or(is_near)
        });
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
        body_states: &[BodyState],
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
        for &slot in candidates.each_loose() {
            let placed = &colliders.placed[slot as usize];
            if limit >= 0.0
                && let Outline::Shape(shape) = placed.outline
                && placed.extent(body_states, 0.0).meets(&whole)
            {
                limit = found(slot, shape, placed.center(body_states));
            }
        }
    }
}

/// Still and moving colliders, for the push-out.
pub(crate) struct Around<'a> {
    pub(crate) still: Still<'a>,
    /// Whether two slots push each other.
    pub(crate) may_push: &'a (dyn Fn(usize, usize) -> bool + Sync),
    /// Whether `may_push` asks filters of the game, too.
    pub(crate) has_filters: bool,
}

impl Surroundings for Around<'_> {
    fn slots(&self) -> u32 {
        self.still.colliders.placed.len() as u32
    }

    fn placed(&self, slot: u32) -> &Placed {
        &self.still.colliders.placed[slot as usize]
    }

    fn body_state(&self, slot: u32) -> &BodyState {
        &self.still.colliders.body_states[slot as usize]
    }

    fn prefetch(&self, slot: u32) {
        let (colliders, slot) = (self.still.colliders, slot as usize);
        prefetch(&colliders.placed, slot);
        // Mostly the collider is its own body.
        prefetch(&colliders.body_states, slot);
    }

    fn may_push(&self, a: u32, b: u32) -> bool {
        (self.may_push)(a as usize, b as usize)
    }

    fn is_sensor(&self, slot: u32) -> bool {
        self.still.colliders.flags[slot as usize].is_sensor()
    }

    fn outline_for(&self, who: u32, other: u32) -> Outline {
        outline_for(self.still.colliders, who as usize, other as usize)
    }

    fn find_still(&self, extent: &Extent, found: &mut dyn FnMut(u32)) {
        self.still.find_near(extent, found);
    }

    fn find_moving(&self, extent: &Extent, found: &mut dyn FnMut(u32)) {
        let moving = &self.still.candidates.broad_phase;
        moving.query_moving(extent, |candidate| found(candidate.slot));
    }

    fn dynamic_body(&self, slot: u32) -> Option<u32> {
        let colliders = self.still.colliders;
        let flags = colliders.flags[slot as usize];
        let body = || {
            if flags.is_plain() {
                slot
            } else {
                colliders.placed[slot as usize].body
            }
        };
        (flags.rank() == Rank::Dynamic).then(body)
    }

    fn near_pairs(&self, reach: f32, found: &mut dyn FnMut([u32; 2], [Option<u32>; 2])) -> bool {
        let candidates = self.still.candidates;
        let may_tell = may_tell_near(self.still.colliders, self.has_filters);
        let is_known = may_tell && candidates.near_reach >= reach;
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

    fn parts(&self) -> &[(u32, u32)] {
        self.still.colliders.solid_parts()
    }
}

/// Whether detection can list all near pairs, if it looks around. It can't if a filter of the game decides which pairs push, or if there is a dynamic room: colliders that push a room may be anywhere in it.
pub(crate) fn may_tell_near(colliders: &Colliders, has_filters: bool) -> bool {
    let mut rooms = colliders.rooms.members().iter();
    !has_filters && rooms.all(|&room| colliders.flags[room as usize].rank() != Rank::Dynamic)
}
