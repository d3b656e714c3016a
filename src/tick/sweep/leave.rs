//! What a rider takes along when it leaves a platform, and gives back when it lands on one.

use bevy::{
    ecs::{
        change_detection::{DetectChanges, Tick},
        entity::Entity,
        prelude::{Mut, Query, Res, ResMut, With},
        system::SystemChangeTick,
    },
    math::Vec2,
};

use super::{
    board::{MayStop, aboard_of, list_pairs_in_place},
    carry::{Stands, compare_velocities},
    moving::{IsMoved, Moving},
    terms::Terms,
};
use crate::{
    allow_disabled::AllowDisabled,
    components::{PlatformOnLeave, Rider, Velocity},
    kernel::is_in_world,
    placed::{Rank, SlotPair},
    state::{candidates::Still, colliders::Colliders, contacts::Contacts},
    sweep::Sweep,
};

/// Resets riders that are on no platform: those that take no part, have no `Velocity`, are a part of another body, or are not `Dynamic`. A rider that has just come, and has met nothing, has no platform to leave either: the velocity that it knows is from a saved world.
pub(crate) fn forget_rides(
    mut colliders: ResMut<Colliders>,
    contacts: Res<Contacts>,
    mut riders: Query<(Entity, Mut<Rider>), AllowDisabled>,
    movable: Query<(), (With<Rider>, With<Velocity>)>,
    ticks: SystemChangeTick,
) {
    // When the world went back to an earlier tick, riders may have been spawned anew, and are not new.
    let restored_at = colliders.restored_at.take();
    let has_come_since =
        |added: Tick| restored_at.is_none_or(|then| added.is_newer_than(then, ticks.this_run()));
    for (entity, mut rider) in &mut riders {
        if rider.platform_velocity == Vec2::ZERO {
            continue;
        }
        let slot = colliders.body_slot_of(entity);
        let may_be_aboard = slot.is_some_and(|slot| {
            let body = |slot: u32| colliders.placed[slot as usize].body as usize;
            let mut met = contacts.newest.iter().map(|meeting| meeting.slots);
            let is_pushable = colliders.body_states[slot].rank == Rank::Dynamic;
            let is_new = rider.is_added() && has_come_since(rider.added());
            colliders.is_own_body(slot)
                && is_pushable
                && movable.contains(entity)
                && (!is_new || met.any(|(a, b)| body(a) == slot || body(b) == slot))
        });
        if !may_be_aboard {
            rider.platform_velocity = Vec2::ZERO;
        }
    }
}

/// A rider that has left its platform in this tick, and has taken some of its velocity along.
#[derive(Clone, Copy, Debug)]
pub(super) struct Departure {
    entity: Entity,
    /// That of its traveller.
    number: usize,
    body: u32,
    /// Its own velocity before leaving and after, in world units a second.
    before: Vec2,
    after: Vec2,
    /// The velocity of the platform in this tick, in world units a tick, if the rider is still aboard; `None` if it got away.
    aboard: Option<Vec2>,
}

/// Adds to the velocity of the riders that leave a platform what they take along. `riders` has the number of each one's traveller.
pub(super) fn leave_platforms(
    riders: &[(Entity, usize)],
    bodies: &mut Query<Moving, IsMoved>,
    (sweep, goals): (&mut Sweep, &mut Vec<(usize, Vec2)>),
    (stands, departures): (&mut Stands, &mut Vec<Departure>),
    Terms { up, seconds, .. }: Terms,
) {
    for &(entity, number) in riders {
        let traveller = sweep.numbered(number);
        let Some((mut rider, velocity)) = ride_and_velocity(bodies, entity) else {
            continue;
        };
        let last = rider.platform_velocity;
        if traveller.carried.is_some() || last == Vec2::ZERO {
            continue;
        }
        rider.platform_velocity = Vec2::ZERO;
        let before = velocity.0;
        let after = before + taken_along(rider.on_leave, last, up);
        if after != before && is_in_world(after * seconds) {
            departures.push(Departure {
                entity,
                number,
                body: traveller.body,
                before,
                after,
                aboard: None,
            });
        }
    }
    if departures.is_empty() {
        return;
    }
    departures.sort_unstable_by_key(|departure| departure.body);
    stands.find_grounded(|body| find(departures, body).is_some());
    departures.retain(|departure| !stands.is_grounded(departure.body));
    for departure in departures {
        let Some((_, mut velocity)) = ride_and_velocity(bodies, departure.entity) else {
            continue;
        };
        velocity.0 = departure.after;
        // What the game did to the `Transform` of a `Swept` rider comes on top of that.
        let number = departure.number;
        let by_game = sweep.numbered(number).velocity - departure.before * seconds;
        sweep.set_velocity(number, by_game + departure.after * seconds);
        goals.retain(|(goer, _)| *goer != number);
    }
}

fn ride_and_velocity<'a>(
    bodies: &'a mut Query<Moving, IsMoved>,
    entity: Entity,
) -> Option<(Mut<'a, Rider>, Mut<'a, Velocity>)> {
    let moving = bodies.get_mut(entity).ok()?;
    moving.rider.zip(moving.velocity)
}

/// Returns the index of a body's departure.
fn find(departures: &[Departure], body: u32) -> Option<usize> {
    let at = departures.binary_search_by_key(&body, |departure| departure.body);
    at.ok()
}

/// Finds the riders that did not get away: something that a rider met in the last tick holds it up at its position now, and moves, or is such a rider itself.
pub(super) fn find_those_aboard(
    departures: &mut [Departure],
    (still, contacts): (&Still, &Contacts),
    sweep: &Sweep,
    may_stop: MayStop,
    terms: Terms,
) {
    // From one to the next in a stack of riders. Mostly there are none.
    for _ in 0..departures.len() {
        if !find_more_aboard(departures, (still, contacts), sweep, may_stop, terms) {
            return;
        }
    }
}

/// Goes once through what was met. Returns whether any rider was found that was not known to be aboard, or to go so fast.
fn find_more_aboard(
    departures: &mut [Departure],
    (still, contacts): (&Still, &Contacts),
    sweep: &Sweep,
    may_stop: MayStop,
    terms: Terms,
) -> bool {
    let colliders = still.colliders;
    let is_there = |slot: u32| colliders.takes_part(slot as usize);
    let body = |slot: u32| colliders.placed[slot as usize].body;
    let mut is_any_found = false;
    let mut pairs = Vec::new();
    for meeting in &contacts.newest {
        let (first, second) = meeting.slots;
        let has_left = |slot: u32| is_there(slot) && find(departures, body(slot)).is_some();
        if !(has_left(first) || has_left(second)) {
            continue;
        }
        if is_there(first) && is_there(second) {
            pairs.clear();
            pairs.push(meeting.slots);
        } else {
            list_pairs_in_place(still, meeting, terms.reach, &mut pairs);
        }
        let aboard = |&slots: &SlotPair| aboard_of((colliders, sweep), may_stop, slots, terms);
        for (upper, ride) in pairs.iter().flat_map(aboard) {
            // What stands on a rider that got away leaves with it.
            let carrier = match find(departures, ride.carrier) {
                Some(at) => departures[at].aboard,
                None => Some(ride.carrier_velocity),
            };
            let velocity = carrier.map(|carrier| carrier + ride.surface_velocity);
            let velocity = velocity.filter(|velocity| *velocity != Vec2::ZERO);
            let Some((at, velocity)) = find(departures, upper).zip(velocity) else {
                continue;
            };
            // On two platforms at once, the faster one counts.
            let known = &mut departures[at].aboard;
            if known.is_none_or(|known| compare_velocities(velocity, known).is_lt()) {
                *known = Some(velocity);
                is_any_found = true;
            }
        }
    }
    is_any_found
}

/// Tells each rider that is carried at the end of a tick how fast: what holds it back has taken that off.
pub(super) fn tell_riders(
    riders: &[(Entity, usize)],
    bodies: &mut Query<Moving, IsMoved>,
    sweep: &Sweep,
    seconds: f32,
) {
    for &(entity, number) in riders {
        let Some(ride) = sweep.numbered(number).carried else {
            continue;
        };
        if let Ok(Some(mut rider)) = bodies.get_mut(entity).map(|moving| moving.rider) {
            let carried = ride.velocity() / seconds;
            if rider.platform_velocity != carried {
                rider.platform_velocity = carried;
            }
        }
    }
}

/// Takes back what riders have taken along that are still aboard: a roof was in the way, or the hop was too small. Otherwise they would take it along once more in each tick.
pub(super) fn stay_aboard(
    departures: &[Departure],
    bodies: &mut Query<Moving, IsMoved>,
    seconds: f32,
) {
    for departure in departures {
        let known = ride_and_velocity(bodies, departure.entity);
        let Some((way, (mut rider, mut velocity))) = departure.aboard.zip(known) else {
            continue;
        };
        let has_landed = rider.platform_velocity != Vec2::ZERO;
        if !has_landed {
            rider.platform_velocity = way / seconds;
            velocity.0 = departure.own(velocity.0);
        }
    }
}

impl Departure {
    /// Returns what is left of the rider's own velocity, from what is left of that and what was taken along together.
    fn own(&self, left: Vec2) -> Vec2 {
        let axis = |before: f32, after: f32, left: f32| {
            if left == after {
                before
            } else {
                let own = left - (after - before);
                own.clamp(before.min(0.0), before.max(0.0))
            }
        };
        Vec2::new(
            axis(self.before.x, self.after.x, left.x),
            axis(self.before.y, self.after.y, left.y),
        )
    }
}

/// Returns what is left of a rider's own way when it has landed on a platform that goes `sideways`. A rider that takes this along when it leaves flies on with the platform, and is to stand still on it after the landing, as before.
pub(super) fn aboard(left: Vec2, on_leave: PlatformOnLeave, sideways: Vec2) -> Vec2 {
    match on_leave {
        PlatformOnLeave::DoNothing => left,
        PlatformOnLeave::AddVelocity | PlatformOnLeave::AddUpwardVelocity => {
            let part = left.dot(sideways) / sideways.length_squared();
            // If the rider is slower than the platform, all of that speed comes from the platform.
            if part > 0.0 {
                left - sideways * part.min(1.0)
            } else {
                left
            }
        }
    }
}

fn taken_along(on_leave: PlatformOnLeave, platform: Vec2, up: Vec2) -> Vec2 {
    match on_leave {
        PlatformOnLeave::DoNothing => Vec2::ZERO,
        PlatformOnLeave::AddVelocity => platform,
        PlatformOnLeave::AddUpwardVelocity => platform - up * platform.dot(up).min(0.0),
    }
}
