//! What a spatial query searches: the known colliders, and the filter.

use std::{cmp::Ordering, ops::ControlFlow};

use bevy::{
    ecs::{entity::Entity, prelude::Query},
    math::Vec2,
};

use super::{
    filter::QueryFilter,
    hits::{CastHit, NearHit},
    notes::{QueryNote, QueryNotes},
};
use crate::{
    components::EnabledCollider,
    kernel::Outline,
    placed::Rank,
    prefetch::prefetch,
    spatial::{Area, Cast, CastFound, Targets, WayOf, approach},
    state::{
        candidates::{Candidate, Candidates, Seen},
        colliders::{Colliders, Gathered, entity_key},
        newcomers::Newcomers,
        traits::Traits,
    },
};

/// The known colliders: those of the last tick, and those added since.
#[derive(Clone, Copy)]
pub(super) struct KnownColliders<'a> {
    pub(super) colliders: &'a Colliders,
    pub(super) candidates: &'a Candidates,
    pub(super) newcomers: &'a Newcomers,
    /// The entities that have a collider at this moment, and are not disabled.
    pub(super) alive: &'a Query<'a, 'a, (), EnabledCollider>,
    /// All colliders of the last tick still exist, so that `alive` need not be asked for them.
    pub(super) are_all_alive: bool,
    /// Where queries are noted, if debug drawing wants them.
    pub(super) notes: Option<&'a QueryNotes>,
}

/// Longer lists of excluded entities are sorted once, instead of being searched for each collider found.
const SHORT: usize = 8;

/// The known colliders with a filter.
#[derive(Clone)]
pub(super) struct FilteredColliders<'a> {
    pub(super) known: KnownColliders<'a>,
    filter: &'a QueryFilter<'a>,
    /// The entities that a long list excludes, with their bodies, sorted; empty for a short list.
    excluded: Vec<Entity>,
    /// The bodies of the entity whose collider is cast or looked around, and of the one that the filter names: none of their colliders count.
    excluded_bodies: [Option<Entity>; 2],
    /// Every collider counts without a check.
    do_all_count: bool,
}

impl<'a> FilteredColliders<'a> {
    #[inline]
    pub(super) fn new(
        known: KnownColliders<'a>,
        filter: &'a QueryFilter<'a>,
        own: Option<Entity>,
    ) -> Self {
        Self {
            known,
            filter,
            excluded: known.with_bodies(filter.excluded),
            excluded_bodies: [own, filter.excluded_body]
                .map(|one| one.map(|entity| known.body_of(entity))),
            do_all_count: own.is_none()
                && filter.is_all()
                && known.are_all_alive
                && known.newcomers.is_empty(),
        }
    }

    fn admits_one(&self, who: Who) -> bool {
        let known = &self.known;
        let seen = who.seen().ok();
        if seen.is_some_and(|seen| known.newcomers.replaces(seen.slot())) {
            return false;
        }
        if !self.filter.admits(|| known.traits(who), || known.rank(who)) {
            return false;
        }
        known.is_still_there(who)
            && !self.is_excluded(who)
            && self
                .filter
                .predicate
                .is_none_or(|counts| counts(known.entity(who)))
    }

    /// For pushed colliders, newcomers, and rooms.
    #[cold]
    #[inline(never)]
    fn ask_another<R>(&self, who: Who, question: impl FnOnce(Outline, Vec2) -> R) -> R {
        let (outline, center) = self.known.place(who);
        question(outline, center)
    }

    fn is_excluded(&self, who: Who) -> bool {
        if self.filter.excluded.is_empty() && self.excluded_bodies == [None, None] {
            return false;
        }
        let (entity, body) = self.known.names(who);
        if self.excluded_bodies.contains(&Some(body)) {
            return true;
        }
        if !self.excluded.is_empty() {
            let is_listed = |one| self.excluded.binary_search(&one).is_ok();
            return is_listed(entity) || is_listed(body);
        }
        let mut excluded = self.filter.excluded.iter();
        excluded.any(|&one| one == entity || one == body || self.known.body_of(one) == body)
    }
}

/// A collider as the tick knows it, or its number among the newcomers.
// Flat, and each variant holds something of the size of a pointer: so it is passed in two registers, not through memory.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Who<'a> {
    Candidate(&'a Candidate),
    Slot(usize),
    Newcomer(usize),
}

impl<'a> Who<'a> {
    /// Returns the collider as the tick knows it, or else its number among the newcomers.
    #[inline(always)]
    fn seen(self) -> Result<Seen<'a>, usize> {
        match self {
            Self::Candidate(candidate) => Ok(Seen::Candidate(candidate)),
            Self::Slot(slot) => Ok(Seen::Slot(slot)),
            Self::Newcomer(number) => Err(number),
        }
    }
}

impl<'a> From<Seen<'a>> for Who<'a> {
    #[inline(always)]
    fn from(seen: Seen<'a>) -> Self {
        match seen {
            Seen::Candidate(candidate) => Self::Candidate(candidate),
            Seen::Slot(slot) => Self::Slot(slot),
        }
    }
}

impl<'a> KnownColliders<'a> {
    /// Returns the collider of an entity, if it has one that takes part.
    pub(super) fn who(&self, entity: Entity) -> Option<Who<'a>> {
        if !self.alive.contains(entity) {
            return None;
        }
        if let Some(number) = self.newcomers.number_of(entity) {
            return Some(Who::Newcomer(number));
        }
        let slot = self.colliders.slot(entity)?;
        (!self.newcomers.replaces(slot)).then_some(Who::Slot(slot))
    }

    /// Whether a collider still exists, and is not disabled.
    // The entity is looked up only when needed. Despawned newcomers are not noted, so these are always checked.
    #[inline]
    pub(super) fn is_still_there(&self, who: Who) -> bool {
        self.are_all_alive && who.seen().is_ok() || self.alive.contains(self.entity(who))
    }

    /// Returns its outline and center.
    pub(super) fn placed(&self, entity: Entity) -> Option<(Outline, Vec2)> {
        self.who(entity).map(|who| self.place(who))
    }

    #[inline]
    pub(super) fn entity(&self, who: Who) -> Entity {
        match who.seen() {
            Ok(seen) => self.colliders.entities[seen.slot()],
            Err(number) => self.newcomers.get(number).entity,
        }
    }

    /// Returns the entity with the collider, and its body.
    #[inline]
    pub(super) fn names(&self, who: Who) -> (Entity, Entity) {
        match who.seen() {
            Ok(seen) => {
                let entity = self.colliders.entities[seen.slot()];
                if seen.is_plain() {
                    return (entity, entity);
                }
                let body = self.colliders.placed[seen.slot()].body;
                (entity, self.colliders.entities[body as usize])
            }
            Err(number) => {
                let gathered = self.newcomers.get(number);
                (gathered.entity, gathered.body)
            }
        }
    }

    pub(super) fn traits(&self, who: Who) -> &'a Traits {
        match who.seen() {
            Ok(seen) => &self.colliders.traits[seen.slot()],
            Err(number) => &self.newcomers.get(number).traits,
        }
    }

    pub(super) fn surface_velocity(&self, who: Who) -> Vec2 {
        match who.seen() {
            Ok(seen) => self.colliders.rare.surface_velocity(seen.slot()),
            Err(number) => self.newcomers.get(number).surface_velocity,
        }
    }

    pub(super) fn rank(&self, who: Who) -> Rank {
        match who.seen() {
            Ok(seen) => self.colliders.flags[seen.slot()].rank(),
            Err(number) => self.newcomers.get(number).body_state.rank,
        }
    }

    /// Returns the body of a collider; an entity without a collider is taken for a body.
    fn body_of(&self, entity: Entity) -> Entity {
        if let Some(gathered) = self.newcomers.of(entity) {
            return gathered.body;
        }
        self.colliders.slot(entity).map_or(entity, |slot| {
            self.colliders.entities[self.colliders.placed[slot].body as usize]
        })
    }

    /// Returns the entities of a long list, and their bodies, sorted; an empty list for a short one.
    #[inline]
    fn with_bodies(&self, list: &[Entity]) -> Vec<Entity> {
        if list.len() <= SHORT {
            return Vec::new();
        }
        let all = list.iter().flat_map(|&one| [one, self.body_of(one)]);
        let mut all: Vec<Entity> = all.collect();
        all.sort_unstable();
        all
    }

    #[inline(always)]
    pub(super) fn newcomers(&self) -> impl Iterator<Item = Who<'a>> + use<'a> {
        (0..self.newcomers.count()).map(Who::Newcomer)
    }

    /// Colliders that no search of an index finds: newcomers and rooms; mostly none.
    // One range of numbers for both, so that a single check tells that there are none.
    #[inline(always)]
    fn aside(&self) -> impl Iterator<Item = Who<'a>> + use<'a> {
        let (newcomers, rooms) = (self.newcomers.count(), self.colliders.rooms.members());
        (0..newcomers + rooms.len()).map(move |number| match number.checked_sub(newcomers) {
            None => Who::Newcomer(number),
            Some(room) => Who::Slot(rooms[room] as usize),
        })
    }

    /// Returns outline and center.
    #[inline(always)]
    pub(super) fn place(&self, who: Who) -> (Outline, Vec2) {
        match who.seen() {
            Ok(seen) => seen.place(self.colliders),
            Err(number) => {
                let gathered = self.newcomers.get(number);
                (gathered.outline, center(gathered))
            }
        }
    }

    /// Notes a query, if debug drawing wants it.
    #[inline]
    pub(super) fn note(&self, note: impl FnOnce() -> QueryNote) {
        if let Some(notes) = self.notes {
            notes.add(note());
        }
    }

    #[inline]
    pub(super) fn told_cast(&self, cast: &Cast, found: &CastFound<Who>) -> CastHit {
        let (entity, body) = self.names(found.who);
        CastHit {
            entity,
            body,
            point: found.point(cast, self.place(found.who)),
            normal: found.impact.normal,
            distance: found.distance(cast),
            fraction: found.impact.fraction,
            started_inside: found.impact.started_inside,
        }
    }

    #[inline]
    pub(super) fn told_near(&self, asked: Vec2, who: Who) -> NearHit {
        let (entity, body) = self.names(who);
        let (approach, point) = approach(self.place(who), asked);
        NearHit {
            entity,
            body,
            point,
            normal: approach.normal,
            distance: approach.distance,
            is_inside: approach.is_inside,
        }
    }
}

fn center(gathered: &Gathered) -> Vec2 {
    gathered.body_state.position + gathered.offset
}

impl<'a> Targets for FilteredColliders<'a> {
    type Who = Who<'a>;

    #[inline(always)]
    fn place(&self, who: Who) -> (Outline, Vec2) {
        self.known.place(who)
    }

    #[inline(always)]
    fn ask<R>(&self, who: Who, question: impl FnOnce(Outline, Vec2) -> R) -> R {
        if let Who::Candidate(candidate) = who
            && let Some((shape, center)) = candidate.place(self.known.colliders)
        {
            question(Outline::Shape(shape), center)
        } else {
            self.ask_another(who, question)
        }
    }

    fn compare(&self, a: Who, b: Who) -> Ordering {
        let key = |who| entity_key(self.known.entity(who));
        key(a).cmp(&key(b))
    }

    #[inline(always)]
    fn admits(&self, who: Who) -> bool {
        self.do_all_count || self.admits_one(who)
    }

    #[inline(always)]
    fn within(
        &self,
        area: &Area,
        mut found: impl FnMut(Who<'a>, bool) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.known.aside().try_for_each(|who| found(who, false))?;
        let KnownColliders {
            colliders,
            candidates,
            ..
        } = self.known;
        let region = |drift| area.region(drift);
        candidates.within(colliders, region, |seen, is_in| found(seen.into(), is_in))
    }

    #[inline(always)]
    fn along<const TO_THE_END: bool>(
        &self,
        way: &WayOf,
        mut limit: f32,
        mut found: impl FnMut(Who<'a>) -> f32,
    ) {
        for who in self.known.aside() {
            limit = if limit < 0.0 { limit } else { found(who) };
        }
        let KnownColliders {
            colliders,
            candidates,
            ..
        } = self.known;
        let way = |drift| way.way(drift);
        candidates.along::<TO_THE_END>(colliders, way, limit, |seen| {
            // For the first hit, the entity will be looked up.
            prefetch(&colliders.entities, seen.slot());
            found(seen.into())
        });
    }

    #[inline(always)]
    fn near(&self, point: Vec2, mut reach: f32, mut found: impl FnMut(Who<'a>) -> f32) {
        for who in self.known.aside() {
            reach = if reach < 0.0 { reach } else { found(who) };
        }
        let KnownColliders {
            colliders,
            candidates,
            ..
        } = self.known;
        candidates.near(colliders, point, reach, |seen| {
            prefetch(&colliders.entities, seen.slot());
            found(seen.into())
        });
    }
}
