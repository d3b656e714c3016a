//! Finds which bodies stand on something that moves, and lets it carry them.
//!
//! A carried body's own velocity is relative to its carrier. So a body that lands on a platform loses in the hit what the platform has given it, and gets it
//! by being carried. A body that leaves gets nothing, unless it is a [`Rider`](crate::components::Rider) that asks for it.

use bevy::{math::Vec2, platform::collections::HashSet};

use super::{
    arrivals::{Arrivals, Carrier},
    carry::{Passenger, Stand, Stands, keep_fastest},
    terms::Terms,
};
use crate::{
    placed::{Meeting, Rank, SIDES, SlotPair, pair_of},
    state::{
        candidates::Still,
        colliders::Colliders,
        contacts::Contacts,
        rules::{are_flush, is_solid_side, is_solid_wall, meet_by_a_corner, resting_normal},
    },
    sweep::Sweep,
};

/// A body can stand on a surface if the cosine between the normal and up is above this.
const STANDING: f32 = 0.71;
/// A body that moves up from a platform no faster than this part of both speeds rests on it.
const AT_REST: f32 = 1.0e-5;

/// Whether two slots stop each other.
pub(super) type MayStop<'a> = &'a dyn Fn(usize, usize) -> bool;

/// Buffers for a tick.
#[derive(Debug, Default)]
pub(super) struct Boarding {
    pub(super) stands: Stands,
    /// Bodies that came to rest on a platform in this tick, sorted.
    landed: Vec<Passenger>,
    arrivals: Arrivals,
    /// What others may have been put on.
    carriers: Vec<Carrier>,
    /// All bodies that ever were among `carriers`.
    known: HashSet<u32>,
    has_platforms: bool,
    /// Pairs in place of one of which a collider is gone.
    pairs: Vec<SlotPair>,
}

impl Boarding {
    /// Lets each moving platform and belt carry the bodies on it, and these the bodies on them, and so on. A body stands on what held it up from below when the last tick ended, or what it was put on since, if the two still rest against each other, and the body does not move up from there
    /// by itself. If a rider was carried in the last tick, stands on bodies that do not move are noted, too.
    pub(super) fn board(
        &mut self,
        still: &Still,
        contacts: &Contacts,
        may_stop: MayStop,
        terms: Terms,
        sweep: &mut Sweep,
        (platforms, is_a_rider_aboard): (&[Carrier], bool),
    ) {
        let colliders = still.colliders;
        let Terms { up, reach, .. } = terms;
        // With a room, the pair may have the normal of a wall while the body stands on the floor.
        let is_room = |slot: u32| colliders.rooms.contains(slot as usize);
        let rests = |slots: SlotPair, normal: Vec2| {
            resting_normal(colliders, slots, reach)
                .is_some_and(|now| is_room(slots.0) || is_room(slots.1) || now.dot(normal) > 0.0)
        };
        let rank = |body: u32| colliders.body_states[body as usize].rank;
        // Without a body that gives way, nothing stands on anything either.
        let can_anything_stand = up != Vec2::ZERO && !colliders.pushable.members().is_empty();
        self.has_platforms =
            can_anything_stand && (!platforms.is_empty() || colliders.rare.has_moving_surfaces());
        self.stands.clear();
        if !can_anything_stand || !(self.has_platforms || is_a_rider_aboard) {
            return;
        }

        let met = contacts.newest.iter();
        let is_level = |normal: Vec2| normal.dot(up).abs() > STANDING;
        let are_rooms = !colliders.rooms.members().is_empty();
        let met = met.filter(|meeting| are_rooms || is_level(meeting.normal));
        // A body that walks up a hill goes up, but along the surface.
        let goes_up = |upper: u32, normal: Vec2| {
            let velocity = sweep
                .traveller(upper)
                .map_or(Vec2::ZERO, |one| one.velocity);
            velocity.dot(up) > 0.0 && velocity.dot(normal) > velocity.length() * AT_REST
        };
        let note = |stands: &mut Vec<Stand>, slots: SlotPair, normal: Option<Vec2>| {
            // In a row of flush tiles, a contact at a corner has the normal of the floor, too.
            if meet_by_a_corner(colliders, slots) {
                return;
            }
            let Some(normal) = bearing_normal(colliders, slots, normal, terms) else {
                return;
            };
            let pairs = supports(colliders, may_stop, (slots, normal), up);
            let pairs = pairs.filter(|one| {
                let may_carry = rank(one.lower) != Rank::Static || one.surface != Vec2::ZERO;
                is_a_rider_aboard || may_carry
            });
            // The contacts include those that were met on the way, wherever both are now, and the game may have put one beside the other.
            let pairs = pairs.filter(|one| !goes_up(one.upper, one.normal) && rests(slots, normal));
            stands.extend(pairs);
        };
        for meeting in met {
            let (first, second) = meeting.slots;
            if [first, second]
                .iter()
                .all(|&slot| colliders.takes_part(slot as usize))
            {
                note(&mut self.stands.all, meeting.slots, Some(meeting.normal));
                continue;
            }
            list_pairs_in_place(still, meeting, reach, &mut self.pairs);
            for &slots in &self.pairs {
                note(&mut self.stands.all, slots, None);
            }
        }
        if self.has_platforms && terms.does_touching_count {
            self.note_arrivals((colliders, reach), platforms, note);
        }
        if self.stands.all.is_empty() {
            return;
        }
        self.stands.carry(colliders, sweep, terms.seconds);
    }

    /// Notes the bodies that were put on something that carries, then those that were put on these, and so on.
    fn note_arrivals(
        &mut self,
        (colliders, reach): (&Colliders, f32),
        platforms: &[Carrier],
        note: impl Fn(&mut Vec<Stand>, SlotPair, Option<Vec2>),
    ) {
        let Self {
            stands,
            arrivals,
            carriers,
            known,
            ..
        } = self;
        let stands = &mut stands.all;
        carriers.clear();
        carriers.extend(platforms);
        known.clear();
        known.extend(platforms.iter().map(|platform| platform.slot));
        let surfaces = colliders.rare.moving_surfaces();
        let surfaces =
            surfaces.filter(|&slot| !known.contains(&colliders.placed[slot as usize].body));
        let carrier = |slot: u32| {
            let is_new = colliders.is_fresh(slot as usize);
            Carrier { slot, is_new }
        };
        carriers.extend(surfaces.map(carrier));
        // What stood on one of these in the last tick is known already, wherever the game has put the lower body since.
        let uppers = stands.iter().map(|stand| stand.upper);
        let uppers = uppers.filter(|upper| known.insert(*upper));
        carriers.extend(uppers.map(|slot| Carrier {
            slot,
            is_new: false,
        }));
        while !carriers.is_empty() {
            let before = stands.len();
            let pairs = arrivals.find(colliders, carriers, reach).iter();
            // The same test that decides whether two colliders collide that have not met before.
            for &slots in pairs.filter(|slots| are_flush(colliders, **slots)) {
                note(stands, slots, None);
            }
            let uppers = stands[before..].iter().map(|stand| stand.upper);
            let uppers = uppers.filter(|upper| known.insert(*upper));
            carriers.clear();
            carriers.extend(uppers.map(carrier));
        }
    }

    /// Finds the bodies that have come to rest on a platform on their way.
    pub(super) fn land(
        &mut self,
        colliders: &Colliders,
        may_stop: MayStop,
        sweep: &Sweep,
        Terms { up, seconds, .. }: Terms,
    ) {
        self.landed.clear();
        if !self.has_platforms {
            return;
        }
        for stop in sweep.stops() {
            for one in supports(colliders, may_stop, stop, up) {
                let ride = one.ride(colliders, sweep, seconds);
                // A support that stands still is no platform, whatever other supports do.
                let is_moving = ride.velocity() != Vec2::ZERO;
                let Some(who) = sweep.traveller(one.upper).filter(|_| is_moving) else {
                    continue;
                };
                // On two platforms that move as one, the body stands on both.
                let is_carried_so = who
                    .carried
                    .is_some_and(|by| by.velocity() == ride.velocity());
                // What stands on a platform may still be on its way down with the body when the tick ends.
                let lower = sweep.traveller(one.lower);
                let lower = lower.map_or(Vec2::ZERO, |lower| lower.total_velocity());
                let own = who.total_velocity();
                let apart = (own - lower).dot(up).abs();
                let speeds = own.length() + lower.length();
                if !is_carried_so && apart <= speeds * AT_REST {
                    self.landed.push((one.upper, ride));
                }
            }
        }
        keep_fastest(&mut self.landed, |body| {
            colliders.body_states[body as usize].position
        });
    }

    /// Returns the velocity, in world units a tick, with which a body is taken along by the platform on which it has come to rest in this one.
    pub(super) fn landed_on(&self, body: u32) -> Option<Vec2> {
        let at = self
            .landed
            .binary_search_by_key(&body, |ride| ride.0)
            .ok()?;
        Some(self.landed[at].1.velocity())
    }
}

/// For a pair that met in the last tick, and of which one collider is gone since, as tiles are when their grid changes: lists the other collider with each part of that one's body, if the body still exists, that may be within this reach of it.
pub(super) fn list_pairs_in_place(
    still: &Still,
    meeting: &Meeting,
    reach: f32,
    pairs: &mut Vec<SlotPair>,
) {
    pairs.clear();
    let colliders = still.colliders;
    let (first, second) = meeting.slots;
    let is_there = |slot: u32| colliders.takes_part(slot as usize);
    let (gone, other) = match (is_there(first), is_there(second)) {
        (true, false) => (second, first),
        (false, true) => (first, second),
        _ => return,
    };
    let body = colliders.last_body(gone);
    let placed = &colliders.placed[other as usize];
    let here = (placed.outline, placed.center(&colliders.body_states));
    let mut parts = Vec::new();
    still.parts_in_place(body, here, reach, &mut parts);
    let parts = parts.into_iter().filter(|&part| part != other);
    pairs.extend(parts.map(|part| pair_of(part, other)));
}

/// Returns the normal from the first of two slots to the second, if one is `room` and the other one stands on its floor. A pair has only one normal, and in a corner that may be the normal of the other wall.
fn floor_of_room(
    colliders: &Colliders,
    (room, slots): (u32, SlotPair),
    Terms { up, reach, .. }: Terms,
) -> Option<Vec2> {
    let other = if room == slots.0 { slots.1 } else { slots.0 };
    let upwards = SIDES.into_iter().find(|side| side.dot(up) > STANDING)?;
    let normal = if room == slots.0 { upwards } else { -upwards };
    is_solid_wall(colliders, (room as usize, other as usize), (upwards, reach)).then_some(normal)
}

/// Returns the normal from the first of two slots to the second with which one may hold up the other: that of the floor, in a room; the `known` one; or that with which they rest against each other.
fn bearing_normal(
    colliders: &Colliders,
    slots: SlotPair,
    known: Option<Vec2>,
    terms: Terms,
) -> Option<Vec2> {
    let floor = |&room: &u32| floor_of_room(colliders, (room, slots), terms);
    let floor = [slots.0, slots.1].iter().find_map(floor);
    floor
        .or(known)
        .or_else(|| resting_normal(colliders, slots, terms.reach))
}

/// Yields how one of two slots' bodies stands on the other, if it does. The normal points from the first slot to the second.
fn supports<'a>(
    colliders: &'a Colliders,
    may_stop: MayStop<'a>,
    ((a, b), normal): (SlotPair, Vec2),
    up: Vec2,
) -> impl Iterator<Item = Stand> + use<'a> {
    let body = |slot: usize| colliders.placed[slot].body;
    [
        (a as usize, b as usize, normal),
        (b as usize, a as usize, -normal),
    ]
    .into_iter()
    .filter(move |&(below, above, normal)| {
        normal.dot(up) > STANDING
            && colliders.flags[above].rank() == Rank::Dynamic
            && may_stop(below, above)
            && is_solid_side(colliders, below, above, normal)
            && is_solid_side(colliders, above, below, -normal)
    })
    .map(move |(below, above, normal)| {
        let velocity = colliders.rare.surface_velocity(below);
        Stand {
            upper: body(above),
            lower: body(below),
            slots: (below as u32, above as u32),
            normal,
            surface: velocity - normal * velocity.dot(normal),
        }
    })
}

/// Yields the body that stands on the other one, of two slots, and how it is taken along in a tick, be it by nothing.
pub(super) fn aboard_of<'a>(
    (colliders, sweep): (&'a Colliders, &'a Sweep),
    may_stop: MayStop<'a>,
    slots: SlotPair,
    terms: Terms,
) -> impl Iterator<Item = Passenger> + use<'a> {
    let normal = bearing_normal(colliders, slots, None, terms);
    let all = normal.map(|normal| supports(colliders, may_stop, (slots, normal), terms.up));
    let all = all.into_iter().flatten();
    all.map(move |one| (one.upper, one.ride(colliders, sweep, terms.seconds)))
}
