//! Decides how far each body is carried by what it stands on: first what stands on something that is not carried itself, then what stands on that, and so on upwards.

use std::cmp::Ordering;

use bevy::{
    math::Vec2,
    platform::collections::{HashMap, HashSet},
};

use crate::{
    placed::{BodyState, Rank, SlotPair, compare_places, gap_to_wall_of_room, rounding_along},
    state::colliders::Colliders,
    sweep::{Ride, Sweep, touching_position},
};

/// A body, and how it is carried.
pub(super) type Passenger = (u32, Ride);

/// A body that stands on another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand {
    pub(super) upper: u32,
    pub(super) lower: u32,
    /// The colliders that touch: of the lower body, and of the upper one.
    pub(super) slots: SlotPair,
    /// From the lower one to the upper one.
    pub(super) normal: Vec2,
    /// The velocity of the lower body's surface there, relative to that body, in world units a second.
    pub(super) surface: Vec2,
}

impl Stand {
    /// Returns how the upper body is taken along in a tick.
    pub(super) fn ride(&self, colliders: &Colliders, sweep: &Sweep, seconds: f32) -> Ride {
        Ride {
            carrier: self.lower,
            carrier_velocity: carrier_velocity(colliders, sweep, self.lower),
            surface_velocity: self.surface * seconds,
        }
    }
}

/// Which body stands on which in a tick, with buffers.
#[derive(Debug, Default)]
pub(super) struct Stands {
    /// While bodies are carried, sorted by the lower body.
    pub(super) all: Vec<Stand>,
    /// Numbers of all stands, sorted by the upper body.
    by_upper: Vec<u32>,
    /// Bodies of which is not decided how they are carried, each with the number of its stands on such bodies.
    undecided: HashMap<u32, usize>,
    /// Bodies that stand on none of the undecided ones.
    ready: Vec<u32>,
    rides: Vec<Passenger>,
    /// Stands of bodies on what carries them, from below upwards.
    aboard: Vec<Stand>,
    /// Bodies that stand on something that stays where it is, directly or through others.
    grounded: HashSet<u32>,
}

impl Stands {
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.aboard.clear();
        self.grounded.clear();
    }

    /// Lets each body be carried by the one of those below it that takes it along the fastest.
    pub(super) fn carry(&mut self, colliders: &Colliders, sweep: &mut Sweep, seconds: f32) {
        self.sort();
        self.ready.clear();
        let ready = self.undecided.iter().filter(|(_, waits)| **waits == 0);
        self.ready.extend(ready.map(|(body, _)| *body));
        self.ready.sort_unstable();
        loop {
            while let Some(body) = self.ready.pop() {
                let ride = self.ride_of((colliders, sweep, seconds), body, |_| true);
                self.decide((body, ride), colliders, sweep);
            }
            // Bodies are left that stand on each other in a circle, or on such a circle.
            if self.undecided.is_empty() || !self.break_circle(colliders, sweep, seconds) {
                return;
            }
        }
    }

    fn sort(&mut self) {
        let Self {
            all,
            by_upper,
            undecided,
            ..
        } = self;
        all.sort_unstable_by_key(|stand| (stand.lower, stand.upper, stand.slots));
        by_upper.clear();
        by_upper.extend(0..all.len() as u32);
        by_upper.sort_unstable_by_key(|&number| (all[number as usize].upper, number));
        undecided.clear();
        undecided.extend(all.iter().map(|stand| (stand.upper, 0)));
        for stand in &*all {
            if undecided.contains_key(&stand.lower) {
                *undecided.entry(stand.upper).or_default() += 1;
            }
        }
    }

    /// Yields the stands of a body.
    fn of(&self, body: u32) -> impl Iterator<Item = &Stand> {
        let upper = |number: u32| self.all[number as usize].upper;
        let first = self.by_upper.partition_point(|&one| upper(one) < body);
        let stands = self.by_upper[first..].iter();
        let stands = stands.map(|&one| &self.all[one as usize]);
        stands.take_while(move |stand| stand.upper == body)
    }

    /// Yields what stands on a body.
    fn on(&self, body: u32) -> impl Iterator<Item = &Stand> {
        let first = self.all.partition_point(|stand| stand.lower < body);
        let stands = self.all[first..].iter();
        stands.take_while(move |stand| stand.lower == body)
    }

    /// Returns the fastest ride of a body, on those below it that count; `None` if none of these takes it along.
    fn ride_of(
        &self,
        (colliders, sweep, seconds): (&Colliders, &Sweep, f32),
        body: u32,
        counts: impl Fn(u32) -> bool,
    ) -> Option<Ride> {
        let stands = self.of(body).filter(|stand| counts(stand.lower));
        let rides = stands.map(|stand| stand.ride(colliders, sweep, seconds));
        let moving = rides.filter(|ride| {
            ride.carrier_velocity != Vec2::ZERO || ride.surface_velocity != Vec2::ZERO
        });
        let place = |body: u32| colliders.body_states[body as usize].position;
        moving.min_by(|a, b| compare_rides(place, a, b))
    }

    /// Lets a body be carried, or not, and releases those that stand on it.
    fn decide(
        &mut self,
        (body, ride): (u32, Option<Ride>),
        colliders: &Colliders,
        sweep: &mut Sweep,
    ) {
        if self.undecided.remove(&body).is_none() {
            return;
        }
        if let Some(ride) = ride {
            sweep.carry(body, &colliders.body_states[body as usize], ride);
            let mut aboard = std::mem::take(&mut self.aboard);
            aboard.extend(self.of(body).filter(|stand| stand.lower == ride.carrier));
            self.aboard = aboard;
        }
        let mut ready = std::mem::take(&mut self.ready);
        let mut undecided = std::mem::take(&mut self.undecided);
        for stand in self.on(body) {
            if let Some(waits) = undecided.get_mut(&stand.upper) {
                *waits -= 1;
                if *waits == 0 {
                    ready.push(stand.upper);
                }
            }
        }
        (self.ready, self.undecided) = (ready, undecided);
    }

    /// Lets bodies that wait for each other be carried by those below them that are decided; if none of these moves, by the surfaces of the undecided ones, as if these stood still. Returns false if nothing carries any of them.
    fn break_circle(&mut self, colliders: &Colliders, sweep: &mut Sweep, seconds: f32) -> bool {
        let mut rides = std::mem::take(&mut self.rides);
        for do_all_count in [false, true] {
            let counts = |lower: u32| do_all_count || !self.undecided.contains_key(&lower);
            let bodies = self.undecided.keys();
            rides.clear();
            rides.extend(bodies.filter_map(|&body| {
                let ride = self.ride_of((colliders, sweep, seconds), body, counts)?;
                Some((body, ride))
            }));
            if !rides.is_empty() {
                break;
            }
        }
        rides.sort_unstable_by_key(|(body, _)| *body);
        for &(body, ride) in &rides {
            self.decide((body, Some(ride)), colliders, sweep);
        }
        let are_some = !rides.is_empty();
        self.rides = rides;
        are_some
    }

    /// Climbs from what stays where it is to the bodies that stand on it, and on from there. `has_lost` tells which bodies have lost the platform under them: whether these stay is to be found out.
    pub(super) fn find_grounded(&mut self, has_lost: impl Fn(u32) -> bool) {
        let mut climbed = std::mem::take(&mut self.ready);
        let mut grounded = std::mem::take(&mut self.grounded);
        let lowest = self.all.iter().filter(|stand| !has_lost(stand.lower));
        climbed.clear();
        climbed.extend(lowest.map(|stand| stand.upper));
        while let Some(body) = climbed.pop() {
            if grounded.insert(body) {
                climbed.extend(self.on(body).map(|stand| stand.upper));
            }
        }
        (self.ready, self.grounded) = (climbed, grounded);
    }

    /// Whether a body stands on something that stays, directly or through others.
    pub(super) fn is_grounded(&self, body: u32) -> bool {
        self.grounded.contains(&body)
    }

    /// Puts those that have gone with their carrier to where both touch to the bit. The velocity of both is the same, but adding it is rounded differently in each place: without this, a load would sink into its lift or come off it in the long run.
    pub(super) fn settle(
        &self,
        colliders: &Colliders,
        body_states: &mut [BodyState],
        sweep: &Sweep,
    ) {
        let velocity = |body: u32| {
            sweep
                .traveller(body)
                .map_or(Vec2::ZERO, |one| one.total_velocity())
        };
        let mut last = None;
        for stand in &self.aboard {
            let Stand {
                upper,
                lower,
                normal,
                ..
            } = *stand;
            let is_aboard = sweep
                .traveller(upper)
                .and_then(|one| one.carried)
                .is_some_and(|ride| ride.carrier == lower);
            if !is_aboard || (velocity(upper) - velocity(lower)).dot(normal) != 0.0 {
                continue;
            }
            let [below, above] =
                [stand.slots.0, stand.slots.1].map(|slot| &colliders.placed[slot as usize]);
            let (anchor, center) = (below.center(body_states), above.center(body_states));
            let position = body_states[upper as usize].position;
            let nothing = rounding_along(position, anchor, normal);
            // In the corner of a room, a contact may have the normal of another wall.
            let gap = gap_to_wall_of_room((below, above), body_states, normal)
                .or_else(|| gap_to_wall_of_room((above, below), body_states, -normal));
            let contact =
                || (below.outline).contact_within(above.outline, center - anchor, nothing);
            let do_touch = gap.map_or_else(
                || contact().is_some_and(|contact| contact.normal == normal),
                |(gap, _)| gap <= nothing,
            );
            if !do_touch {
                continue;
            }
            let Some(place) = touching_position(above, below, anchor, normal, position) else {
                continue;
            };
            let by = (place - position).dot(normal);
            // Of several colliders on which it stands, the highest counts.
            let is_higher = last != Some(upper) || by > 0.0;
            if is_higher && by.abs() <= nothing {
                body_states[upper as usize].position = place;
                last = Some(upper);
            }
        }
    }
}

/// Returns the velocity with which a body takes along what stands on it, in world units a tick: as a platform, or because it is carried itself.
fn carrier_velocity(colliders: &Colliders, sweep: &Sweep, lower: u32) -> Vec2 {
    let velocity = sweep.traveller(lower).and_then(|traveller| {
        match colliders.body_states[lower as usize].rank {
            Rank::Kinematic => Some(traveller.velocity),
            _ => traveller.carried.map(|ride| ride.velocity()),
        }
    });
    velocity.unwrap_or(Vec2::ZERO)
}

/// Which of two velocities counts, if both take a body along: the faster one; of two that are equally fast, the one that leads farther to the right, or up. That one comes first.
pub(super) fn compare_velocities(a: Vec2, b: Vec2) -> Ordering {
    let faster = b.length_squared().total_cmp(&a.length_squared());
    faster.then(b.x.total_cmp(&a.x)).then(b.y.total_cmp(&a.y))
}

/// Does the same for rides; of two with the same velocity, the one on the carrier farther to the left, or lower. The carrier's slot decides only between carriers in the same place.
fn compare_rides(place: impl Fn(u32) -> Vec2, a: &Ride, b: &Ride) -> Ordering {
    compare_velocities(a.velocity(), b.velocity())
        .then_with(|| compare_places(place(a.carrier), place(b.carrier)))
        .then(a.carrier.cmp(&b.carrier))
}

/// Keeps one ride for each body, and sorts them by body.
pub(super) fn keep_fastest(rides: &mut Vec<Passenger>, place: impl Fn(u32) -> Vec2) {
    rides.sort_unstable_by(|(upper_a, a), (upper_b, b)| {
        let uppers = upper_a.cmp(upper_b);
        uppers.then_with(|| compare_rides(&place, a, b))
    });
    rides.dedup_by_key(|(upper, _)| *upper);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_that_carry_it_the_same_way_it_stands_on_the_left_one_whoever_came_first() {
        let places = [3.0, -5.0, 8.0].map(Vec2::splat);
        let along = Vec2::new(2.0, 1.0);
        let on = |carrier: u32, carrier_velocity: Vec2| {
            let ride = Ride {
                carrier,
                carrier_velocity,
                surface_velocity: Vec2::ZERO,
            };
            (7, ride)
        };
        for (case, mut rides, expected) in [
            ("left first", vec![on(1, along), on(0, along)], 1),
            ("right first", vec![on(0, along), on(1, along)], 1),
            (
                "one is faster",
                vec![on(0, along), on(1, along), on(2, along * 2.0)],
                2,
            ),
            (
                "one goes to the right",
                vec![on(0, Vec2::NEG_X), on(2, Vec2::X), on(1, Vec2::NEG_X)],
                2,
            ),
        ] {
            keep_fastest(&mut rides, |lower| places[lower as usize]);
            let carriers: Vec<u32> = rides.iter().map(|ride| ride.1.carrier).collect();
            assert_eq!(carriers, [expected], "{case}");
        }
    }
}
