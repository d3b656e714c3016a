//! The pairs near enough to matter, kept while nobody has moved far.

use bevy::math::Vec2;

use super::world::{LEANING, World};
use crate::{
    broad_phase::{BroadPhase, Extent, Found},
    placed::Rank,
};

/// When more than one in so many bodies are far from where they were, everything is collected anew.
const MANY: usize = 8;
const NONE: u32 = u32::MAX;

/// A slot, and the box around it and half the reach.
type Boxed = (Extent, u32);

/// Pairs that overlap or may come to, with a gap of at most [`reach`](Self::reach) when they were collected.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    /// Lower slot first.
    pub(super) pairs: Vec<(u32, u32)>,
    /// Counts how often they were collected: numbers of pairs are good until the next time.
    pub(super) collected: u32,
    /// For each dynamic body the first link of a chain through its pairs.
    first: Vec<u32>,
    /// Number of a pair, and the next link.
    links: Vec<(u32, u32)>,
    reach: f32,
    /// Where all bodies were when their pairs were collected.
    from: Vec<Vec2>,
    broad_phase: BroadPhase<Boxed>,
    boxes: Vec<Boxed>,
    found: Found<(u32, u32)>,
    rooms: Vec<u32>,
    /// Bodies that have gone so far since that their pairs were collected once more. The broad phase has them where they were.
    strays: Vec<u32>,
    is_stray: Vec<bool>,
    /// By body: whether it has colliders in other slots than its own.
    is_family: Vec<bool>,
    among_strays: BroadPhase<Boxed>,
    far: Vec<u32>,
    added: Vec<(u32, u32)>,
}

impl Near {
    /// Collects the pairs that `may_push`. The reach is a typical half size, so that few rounds need new pairs.
    pub(super) fn collect(
        &mut self,
        world: &mut World,
        may_push: impl Fn(usize, usize) -> bool + Sync,
    ) {
        world.moved.unfollowed.clear();
        world.moved.jumped.clear();
        let world = &*world;
        let slots = 0..world.placed.len();
        let sizes = slots.clone().map(|slot| world.half_extents(slot).1);
        self.reach = (sizes.sum::<f32>() / slots.len().max(1) as f32).max(2.0 * LEANING);

        let reach = self.reach * 0.5;
        let boxes = slots
            .filter(|&slot| world.mover(slot).rank != Rank::Static)
            .map(|slot| (world.placed[slot].extent(world.movers, reach), slot as u32));
        self.boxes.clear();
        self.boxes.extend(boxes);
        let pair = |a: &Boxed, b: &Boxed| allowed_pair(a.1, b.1, &may_push);
        self.broad_phase.find(&self.boxes, pair, &mut self.found);
        self.collected = self.collected.wrapping_add(1);
        self.pairs.clear();
        self.pairs.extend(self.found.iter());
        // Half the reach is enough here, for only one of the two can move.
        for &(extent, slot) in &self.boxes {
            if world.mover(slot as usize).rank == Rank::Dynamic {
                world.still.find_near(&extent, &mut |other| {
                    self.pairs.extend(allowed_pair(slot, other, &may_push));
                });
            }
        }
        self.collect_rooms(world, may_push);
        self.from.clear();
        self.from.extend(world.positions());
        self.strays.clear();
        self.among_strays.find(&[], |_, _| None, &mut self.found);
        self.is_stray.clear();
        self.is_stray.resize(world.movers.len(), false);
        self.is_family.clear();
        self.is_family.resize(world.movers.len(), false);
        for (slot, placed) in world.placed.iter().enumerate() {
            self.is_family[placed.body as usize] |= placed.body as usize != slot;
        }
        self.first.clear();
        self.first.resize(world.movers.len(), NONE);
        self.links.clear();
        for number in 0..self.pairs.len() {
            self.link(world, number);
        }
    }

    /// Adds the pairs of those who have gone so far that they may have met somebody who is not listed. False if there are so many of
    /// them that everything is to be collected anew.
    pub(super) fn follow(
        &mut self,
        world: &mut World,
        may_push: impl Fn(usize, usize) -> bool + Sync,
    ) -> bool {
        let limit = self.reach * 0.5;
        let gone_far = |body: &u32| {
            let (now, then) = (
                world.movers[*body as usize].position,
                self.from[*body as usize],
            );
            now.distance_squared(then) > limit * limit
        };
        let moved = world.moved.unfollowed.bodies.iter();
        let mut far = std::mem::take(&mut self.far);
        far.clear();
        far.extend(moved.copied().filter(gone_far));
        let is_followed = self.follow_far(world, &far, may_push);
        self.far = far;
        world.moved.unfollowed.clear();
        world.moved.jumped.clear();
        is_followed
    }

    fn follow_far(
        &mut self,
        world: &World,
        far: &[u32],
        may_push: impl Fn(usize, usize) -> bool + Sync,
    ) -> bool {
        if far.is_empty() {
            return true;
        }
        let limit = self.reach * 0.5;
        for &body in far {
            self.from[body as usize] = world.movers[body as usize].position;
            if !std::mem::replace(&mut self.is_stray[body as usize], true) {
                self.strays.push(body);
            }
        }
        // Families that go far are too rare for an index of their slots.
        let is_family = |body: &u32| self.is_family[*body as usize];
        if self.strays.len() > world.movers.len() / MANY || self.strays.iter().any(is_family) {
            return false;
        }

        let mut added = std::mem::take(&mut self.added);
        added.clear();
        let boxed = |&slot: &u32| {
            (
                world.placed[slot as usize].extent(world.movers, limit),
                slot,
            )
        };
        for slot in far {
            let (extent, _) = boxed(slot);
            self.broad_phase.query(&extent, |(_, other)| {
                if !self.is_stray[*other as usize] {
                    added.extend(allowed_pair(*slot, *other, &may_push));
                }
            });
            world.still.find_near(&extent, &mut |other| {
                added.extend(allowed_pair(*slot, other, &may_push));
            });
            let rooms = self.rooms.iter();
            added.extend(rooms.filter_map(|room| allowed_pair(*slot, *room, &may_push)));
        }
        let pair = |a: &Boxed, b: &Boxed| allowed_pair(a.1, b.1, &may_push);
        self.boxes.clear();
        self.boxes.extend(self.strays.iter().map(boxed));
        self.among_strays.find(&self.boxes, pair, &mut self.found);
        added.extend(self.found.iter());
        for &(a, b) in &added {
            let is_known = self
                .of(a)
                .chain(self.of(b))
                .any(|number| self.pairs[number as usize] == (a, b));
            if !is_known {
                self.pairs.push((a, b));
                self.link(world, self.pairs.len() - 1);
            }
        }
        self.added = added;
        true
    }

    fn collect_rooms(&mut self, world: &World, may_push: impl Fn(usize, usize) -> bool + Sync) {
        self.rooms.clear();
        let slots = 0..world.placed.len() as u32;
        let is_room = |slot: &u32| world.placed[*slot as usize].is_bounds();
        self.rooms.extend(slots.clone().filter(is_room));
        for &room in &self.rooms {
            for other in slots.clone() {
                let pair = (room.min(other), room.max(other));
                if may_push(room as usize, other as usize)
                    && world.meeting_within(pair, self.reach).is_some()
                {
                    self.pairs.push(pair);
                }
            }
        }
    }

    /// Hangs a pair into the chains of its dynamic bodies.
    #[inline]
    fn link(&mut self, world: &World, number: usize) {
        let (a, b) = self.pairs[number];
        for slot in [a, b] {
            let body = world.placed[slot as usize].body as usize;
            if world.movers[body].rank == Rank::Dynamic {
                let first = std::mem::replace(&mut self.first[body], self.links.len() as u32);
                self.links.push((number as u32, first));
            }
        }
    }

    /// Numbers of the pairs of a body, if it is dynamic.
    pub(super) fn of(&self, body: u32) -> impl Iterator<Item = u32> + '_ {
        let link = |at: u32| self.links.get(at as usize).copied();
        std::iter::successors(link(self.first[body as usize]), move |(_, next)| {
            link(*next)
        })
        .map(|(number, _)| number)
    }

    /// Adds every collider that may be between two corners, and perhaps some that are not.
    pub(super) fn around(&self, world: &World, min: Vec2, max: Vec2, slots: &mut Vec<usize>) {
        let extent = Extent {
            min: min.to_array(),
            max: max.to_array(),
        };
        slots.extend(self.rooms.iter().map(|&room| room as usize));
        // The boxes reach as far as anybody may go before he is a stray, of which there are boxes too; but for those who have just jumped.
        // A collider's slot is that of its body.
        for boxes in [&self.broad_phase, &self.among_strays] {
            boxes.query(&extent, |(_, slot)| slots.push(*slot as usize));
        }
        world
            .still
            .find_near(&extent, &mut |slot| slots.push(slot as usize));
        slots.extend(world.moved.jumped.iter().map(|&body| body as usize));
    }
}

/// The lower slot first, if the two may push.
fn allowed_pair(
    a: u32,
    b: u32,
    may_push: impl Fn(usize, usize) -> bool + Sync,
) -> Option<(u32, u32)> {
    let (a, b) = (a.min(b), a.max(b));
    may_push(a as usize, b as usize).then_some((a, b))
}
