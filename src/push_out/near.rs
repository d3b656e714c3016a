//! Finds pairs that are near enough to matter. Only bodies that are involved in an overlap are opened; the world around them costs nothing.
//!
//! ```text
//! a body is opened   its colliders are paired with all that are within the reach of both; these are still where detection saw them
//! it moves           nothing to do, as long as it stays within its own reach
//! it has gone far    it becomes a stray: it is paired anew from its current position, and kept in a broad phase for strays, where later strays find it
//! ```

use bevy::math::Vec2;

use super::{
    pairs::{Pair, Pairs},
    world::{LEANING, World},
};
use crate::{
    broad_phase::{BroadPhase, Extent},
    placed::Rank,
};

/// When more than about one in this many open bodies has become a stray since the last time, pairs that have come apart are forgotten.
const STRAYS_PART: usize = 8;

/// The box of a member, enlarged by the reach, and the number of the member.
type Boxed = (Extent, u32);

/// Open bodies and their pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    pub(super) pairs: Pairs,
    /// How far a body may go before it becomes a stray.
    reach: f32,
    /// By number of a member.
    known: Vec<Known>,
    open_count: usize,
    strays: Vec<u32>,
    /// How many strays have come since pairs were last forgotten.
    new_strays: usize,
    among_strays: BroadPhase<Boxed>,
    boxes: Vec<Boxed>,
    /// Counts the searches for partners.
    searches: u32,
    found: Vec<u32>,
    far: Vec<u32>,
}

/// What is known of a member.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// Position of its body when its pairs were last collected.
    from: Vec2,
    /// Position of its body when its pairs with firm colliders were last collected.
    from_firm: Vec2,
    /// Position of its body from which that found no way out of the statics there, pushed out of one after the other; NaN if there was none.
    shut_in_at: Vec2,
    /// The number of the last search that has found it.
    search: u32,
    is_open: bool,
    is_stray: bool,
}

impl Near {
    /// Starts without pairs. A body may go as far as `reach` before it becomes a stray.
    pub(super) fn start(&mut self, reach: f32) {
        self.reach = reach;
        self.pairs.clear();
        self.known.clear();
        self.open_count = 0;
        if !self.strays.is_empty() {
            self.strays.clear();
            self.among_strays.set_still(&[]);
        }
        self.new_strays = 0;
        self.searches = 0;
    }

    /// Collects the pairs of a body, if it is dynamic and they have not been collected yet.
    pub(super) fn open(&mut self, world: &mut World, body: u32) {
        self.follow_members(world);
        let known = &mut self.known[body as usize];
        if !known.is_open && world.rank(body) == Rank::Dynamic {
            known.is_open = true;
            self.open_count += 1;
            self.collect(world, body);
        }
    }

    /// Takes these slots, which may push each other, as all pairs of all bodies in them, so that no body has to be opened any more.
    pub(super) fn open_all(&mut self, world: &mut World, pairs: &[(u32, u32)]) {
        for (at, &(a, b)) in pairs.iter().enumerate() {
            world.prefetch_ahead(pairs, at);
            let (a, b) = (world.enter(a), world.enter(b));
            self.pairs.add(world, a, b);
        }
        self.follow_members(world);
        let count = world.count() as u32;
        for member in 0..count {
            let body = world.body(member);
            if world.rank(body) != Rank::Dynamic {
                continue;
            }
            let known = &mut self.known[body as usize];
            if !std::mem::replace(&mut known.is_open, true) {
                self.open_count += 1;
            }
        }
        if !world.outside.rooms().is_empty() {
            for body in 0..count {
                if self.known[body as usize].is_open {
                    for slot in world.slots_of(body) {
                        let own = world.enter(slot);
                        self.pair_with_rooms(world, own);
                    }
                }
            }
        }
    }

    /// Pairs a collider with the rooms whose walls are near.
    fn pair_with_rooms(&mut self, world: &mut World, own: u32) {
        for &room in world.outside.rooms() {
            if world.outside.may_push(world.slot(own), room) {
                let room = world.enter(room);
                let pair = world.in_order(own, room);
                let is_it = |number: u32| self.pairs.get(number).numbers() == pair;
                let is_known = self.pairs.of(world.body(own)).any(is_it);
                if !is_known && world.push_within(pair, 2.0 * self.reach).is_some() {
                    self.pairs.add(world, own, room);
                }
            }
        }
        self.follow_members(world);
    }

    /// Collects the pairs of bodies that have gone far once more.
    pub(super) fn follow(&mut self, world: &mut World) {
        self.follow_members(world);
        let mut far = std::mem::take(&mut self.far);
        far.clear();
        let unasked = world.unasked().iter().copied();
        far.extend(unasked.filter(|&body| self.has_gone_far(world, body)));
        if !far.is_empty() {
            self.new_strays += far.len();
            for &body in &far {
                let known = &mut self.known[body as usize];
                known.from = world.position(body);
                if !std::mem::replace(&mut known.is_stray, true) {
                    self.strays.push(body);
                }
            }
            self.fill_strays(world);
            for &body in &far {
                self.collect(world, body);
            }
        }
        self.far = far;
    }

    /// Returns the position of a body when its pairs were last collected.
    pub(super) fn look_from(&self, body: u32) -> Vec2 {
        self.known[body as usize].from
    }

    /// Pairs a body with what is around its current position, if that is far from where this was last done. The body may go on from there, so it does not become a stray yet.
    #[inline]
    pub(super) fn look_again(&mut self, world: &mut World, body: u32, looked_from: &mut Vec2) {
        let at = world.position(body);
        if self.is_far(at, *looked_from) {
            *looked_from = at;
            self.collect(world, body);
        }
    }

    /// Whether a body may by now be near others than those it is paired with.
    #[inline]
    pub(super) fn has_gone_far(&self, world: &World, body: u32) -> bool {
        self.is_far(world.position(body), self.known[body as usize].from)
    }

    #[inline]
    pub(super) fn is_far(&self, place: Vec2, from: Vec2) -> bool {
        place.distance_squared(from) > self.reach * self.reach
    }

    /// Whether so many bodies have gone far that many pairs will have come apart.
    pub(super) fn is_littered(&self) -> bool {
        self.new_strays > STRAYS_PART + self.open_count / STRAYS_PART
    }

    /// Forgets pairs that have come apart; the others get new numbers.
    pub(super) fn tidy(&mut self, world: &World) {
        self.new_strays = 0;
        // Pairs with firm colliders that a body has passed on its way are forgotten too.
        for known in &mut self.known {
            known.from_firm = known.from;
        }
        let (known, reach) = (&self.known, self.reach);
        let extent = |number: u32| {
            let from = known[world.body(number) as usize].from;
            world.extent_at(number, from, reach + LEANING)
        };
        self.pairs.retain(world, |pair| {
            let (a, b) = pair.numbers();
            pair.touches
                || match (extent(a), extent(b)) {
                    (Some(a), Some(b)) => a.meets(&b),
                    _ => true,
                }
        });
    }

    /// Adds every collider that may be between two corners, and perhaps some that are not there. `member` is a collider that may go there.
    pub(super) fn around(
        &mut self,
        world: &mut World,
        member: u32,
        (min, max): (Vec2, Vec2),
        found: &mut Vec<u32>,
    ) {
        let extent = |reach: f32| Extent {
            min: (min - reach).to_array(),
            max: (max + reach).to_array(),
        };
        self.found.clear();
        let slots = &mut self.found;
        world
            .outside
            .find_still(&extent(0.0), &mut |slot| slots.push(slot));
        world
            .outside
            .find_moving(&extent(self.reach), &mut |slot| slots.push(slot));
        world.note_look(member, &extent(0.0), slots);
        slots.extend(world.outside.rooms());
        found.extend(slots.iter().map(|&slot| world.enter(slot)));
        self.among_strays
            .query_still(&extent(0.0), |(_, stray)| found.push(*stray));
        // A body that has just been moved may be far from where it is known.
        for at in 0..world.unasked().len() {
            let body = world.unasked()[at];
            if !self.has_gone_far(world, body) {
                continue;
            }
            let position = world.position(body);
            found.extend(world.slots_of(body).filter_map(|slot| {
                let number = world.enter(slot);
                let here = world.extent_at(number, position, 0.0);
                let is_there = here.is_none_or(|here| here.meets(&extent(0.0)));
                is_there.then_some(number)
            }));
        }
    }

    /// Pairs a body's colliders with all that are near their current places. Known pairs are not added again.
    pub(super) fn collect(&mut self, world: &mut World, body: u32) {
        self.follow_members(world);
        self.known[body as usize].from_firm = world.position(body);
        for slot in world.slots_of(body) {
            let own = world.enter(slot);
            self.collect_of(world, own);
        }
    }

    fn collect_of(&mut self, world: &mut World, own: u32) {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let at = world.position(own);
        let here = |reach: f32| world.extent_at(own, at, reach + LEANING);
        // Both bodies of a pair may go as far as the reach; next to a static, only one can.
        match (here(self.reach), here(2.0 * self.reach)) {
            (Some(near), Some(far)) => {
                let slots = &mut found;
                world
                    .outside
                    .find_still(&near, &mut |slot| slots.push(slot));
                world
                    .outside
                    .find_moving(&far, &mut |slot| slots.push(slot));
                slots.extend(world.outside.rooms());
            }
            // A room that can be pushed may be near anything.
            _ => found.extend(0..world.outside.slots()),
        }
        let slot = world.slot(own);
        found.iter().for_each(|&other| world.prefetch(other));
        found.retain(|&other| other != slot && world.outside.may_push(slot, other));
        if let Some(near) = here(self.reach) {
            world.note_look(own, &near, &found);
        }
        found
            .iter_mut()
            .for_each(|other| *other = world.enter(*other));
        self.follow_members(world);
        found.retain(|&other| {
            if world.is_room(own) || world.is_room(other) {
                let pair = world.in_order(own, other);
                world.push_within(pair, 2.0 * self.reach).is_some()
            } else {
                // Strays are not where detection saw them.
                !self.known[world.body(other) as usize].is_stray
            }
        });
        if let Some(extent) = world.extent_at(own, at, self.reach + LEANING)
            && !self.strays.is_empty()
        {
            self.among_strays.query_still(&extent, |&(_, other)| {
                if other != own && world.may_push(own, other) {
                    found.push(other);
                }
            });
        }

        self.found = found;
        self.pair(world, own);
    }

    /// Pairs a body that has gone far with the firm colliders around its current position, if these have not been searched for yet.
    pub(super) fn follow_firm(&mut self, world: &mut World, body: u32) {
        let at = world.position(body);
        let known = &mut self.known[body as usize];
        if at.distance_squared(known.from_firm) <= self.reach * self.reach {
            return;
        }
        known.from_firm = at;
        for slot in world.slots_of(body) {
            let own = world.enter(slot);
            let Some(here) = world.extent_at(own, at, self.reach + LEANING) else {
                continue;
            };
            let mut found = std::mem::take(&mut self.found);
            found.clear();
            let outside = world.outside;
            outside.find_firm(Rank::Kinematic, &here, &mut |slot| found.push(slot));
            found.retain(|&other| outside.may_push(slot, other));
            found
                .iter_mut()
                .for_each(|other| *other = world.enter(*other));
            self.follow_members(world);
            self.found = found;
            self.pair(world, own);
        }
    }

    /// Whether a body is where it was once [shut in](Self::note_shut_in).
    pub(super) fn is_shut_in(&self, world: &World, body: u32) -> bool {
        self.known[body as usize].shut_in_at == world.position(body)
    }

    /// Notes that a body cannot be pushed out of the statics that it is in. Statics stand, so it never can from there.
    pub(super) fn note_shut_in(&mut self, world: &World, body: u32) {
        self.known[body as usize].shut_in_at = world.position(body);
    }

    /// Returns the pair of two members, one of them of a dynamic body; adds the pair if there is none.
    pub(super) fn pair_mut(&mut self, world: &World, pair: (u32, u32)) -> &mut Pair {
        let bodies = [pair.0, pair.1].map(|member| world.body(member));
        let body = bodies
            .into_iter()
            .find(|&body| world.rank(body) == Rank::Dynamic);
        let is_it = |&number: &u32| self.pairs.get(number).numbers() == pair;
        let known = body.and_then(|body| self.pairs.of(body).find(is_it));
        let number = known.unwrap_or_else(|| {
            self.pairs.add(world, pair.0, pair.1);
            self.pairs.all.len() as u32 - 1
        });
        self.pairs.get_mut(number)
    }

    /// Pairs a collider with all that were found, except those it is paired with already.
    fn pair(&mut self, world: &World, own: u32) {
        self.searches += 1;
        for number in self.pairs.of(world.body(own)) {
            let (a, b) = self.pairs.get(number).numbers();
            if a == own || b == own {
                let other = if a == own { b } else { a };
                self.known[other as usize].search = self.searches;
            }
        }
        for &other in &self.found {
            let search = &mut self.known[other as usize].search;
            if std::mem::replace(search, self.searches) != self.searches {
                self.pairs.add(world, own, other);
            }
        }
    }

    /// Adds what is known of new members, which have not moved yet.
    #[inline]
    fn follow_members(&mut self, world: &World) {
        for number in self.known.len()..world.count() {
            self.known.push(Known {
                from: world.position(number as u32),
                from_firm: world.position(number as u32),
                shut_in_at: Vec2::NAN,
                search: 0,
                is_open: false,
                is_stray: false,
            });
        }
    }

    /// Brings the boxes of the strays up to date.
    fn fill_strays(&mut self, world: &mut World) {
        self.boxes.clear();
        for &stray in &self.strays {
            let from = self.known[stray as usize].from;
            self.boxes.extend(world.slots_of(stray).filter_map(|slot| {
                let number = world.enter(slot);
                Some((world.extent_at(number, from, self.reach)?, number))
            }));
        }
        self.among_strays.set_still(&self.boxes);
    }
}
