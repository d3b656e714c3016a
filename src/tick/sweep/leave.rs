//! What is taken along from a platform, and left behind on one.

use bevy::{
    ecs::{
        change_detection::DetectChanges,
        entity::Entity,
        prelude::{Mut, Query, Res, ResMut, With},
    },
    math::Vec2,
};

use super::{IsMoved, Moving, board::Boarding};
use crate::{
    allow_disabled::AllowDisabled,
    components::{PlatformOnLeave, Rider},
    kernel::is_in_world,
    placed::Rank,
    state::{colliders::Colliders, contacts::Contacts},
    sweep::Sweep,
};

/// Who takes no part, or is moved by nothing but itself, is on no platform. And who has just come, and has met nobody, has none to leave: what it knows of one is of a world that was saved.
pub(crate) fn forget_rides(
    mut colliders: ResMut<Colliders>,
    contacts: Res<Contacts>,
    mut riders: Query<(Entity, Mut<Rider>), AllowDisabled>,
    enabled: Query<(), With<Rider>>,
) {
    // Where all are as they were in an earlier tick, some may have been spawned anew.
    let have_gone_back = std::mem::take(&mut colliders.have_gone_back);
    for (entity, mut rider) in &mut riders {
        if rider.platform_velocity == Vec2::ZERO {
            continue;
        }
        let slot = colliders.body_slot_of(entity);
        let may_be_aboard = slot.is_some_and(|slot| {
            let body = |slot: u32| colliders.placed[slot as usize].body as usize;
            let mut met = contacts.current.iter().map(|meeting| meeting.slots);
            let is_pushable = colliders.movers[slot].rank == Rank::Dynamic;
            let is_new = rider.is_added() && !have_gone_back;
            body(slot as u32) == slot
                && is_pushable
                && enabled.contains(entity)
                && (!is_new || met.any(|(a, b)| body(a) == slot || body(b) == slot))
        });
        if !may_be_aboard {
            rider.platform_velocity = Vec2::ZERO;
        }
    }
}

/// A rider that has set out from its platform in this tick, and has taken something of its velocity along.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaver {
    entity: Entity,
    body: u32,
    platform_velocity: Vec2,
}

/// Lets the riders, each with the number of its traveller, know what carries them, and gives to those that leave what they take along.
pub(super) fn leave_platforms(
    riders: &[(Entity, usize)],
    bodies: &mut Query<Moving, IsMoved>,
    (sweep, goals): (&mut Sweep, &mut Vec<(usize, Vec2)>),
    (boarding, leavers): (&Boarding, &mut Vec<Leaver>),
    (up, seconds): (Vec2, f32),
) {
    for &(entity, number) in riders {
        let traveller = *sweep.numbered(number);
        let Ok(moving) = bodies.get_mut(entity) else {
            continue;
        };
        let (Some(mut rider), Some(mut velocity)) = (moving.rider, moving.velocity) else {
            continue;
        };
        let carried = traveller
            .carried
            .map_or(Vec2::ZERO, |ride| ride.way() / seconds);
        let last = rider.platform_velocity;
        if carried == last {
            continue;
        }
        rider.platform_velocity = carried;
        if traveller.carried.is_some() || boarding.is_grounded(traveller.body) {
            continue;
        }
        let before = velocity.0;
        let after = before + taken_along(rider.on_leave, last, up);
        if after != before && is_in_world(after * seconds) {
            velocity.0 = after;
            // What its game did to its `Transform`, if it is swept, is on top of that.
            let by_game = traveller.velocity - before * seconds;
            sweep.set_velocity(number, by_game + after * seconds);
            goals.retain(|(goer, _)| *goer != number);
            leavers.push(Leaver {
                entity,
                body: traveller.body,
                platform_velocity: last,
            });
        }
    }
}

/// Keeps those who did not get away: what they met in the last tick holds them up where they are now. `held_up` tells which bodies one of two slots holds up.
pub(super) fn keep_those_aboard<I: Iterator<Item = u32>>(
    leavers: &mut Vec<Leaver>,
    (colliders, contacts): (&Colliders, &Contacts),
    held_up: impl Fn((u32, u32)) -> I,
) {
    leavers.retain(|leaver| {
        let is_own = |slot: u32| colliders.placed[slot as usize].body == leaver.body;
        let is_there = |slot: u32| colliders.takes_part(slot as usize);
        let met = contacts.current.iter().map(|meeting| meeting.slots);
        let mut own = met.filter(|&(a, b)| (is_own(a) || is_own(b)) && is_there(a) && is_there(b));
        own.any(|slots| held_up(slots).any(|body| body == leaver.body))
    });
}

/// Takes back what these have taken along: a roof was in the way, or the hop was none. They are aboard as before, or they would take it along once more each time.
pub(super) fn stay_aboard(leavers: &[Leaver], bodies: &mut Query<Moving, IsMoved>, up: Vec2) {
    for leaver in leavers {
        let Ok(moving) = bodies.get_mut(leaver.entity) else {
            continue;
        };
        let (Some(mut rider), Some(mut velocity)) = (moving.rider, moving.velocity) else {
            continue;
        };
        let has_landed = rider.platform_velocity != Vec2::ZERO;
        if !has_landed {
            rider.platform_velocity = leaver.platform_velocity;
            let taken = taken_along(rider.on_leave, leaver.platform_velocity, up);
            let upwards = up * taken.dot(up);
            velocity.0 = without(without(velocity.0, taken - upwards), upwards);
        }
    }
}

/// What is left to itself of the way of a rider that has landed on a platform which goes this way sideways: whoever takes that along when it leaves flies on with it, and is back where it was.
pub(super) fn aboard(left: Vec2, on_leave: PlatformOnLeave, sideways: Vec2) -> Vec2 {
    match on_leave {
        PlatformOnLeave::DoNothing => left,
        PlatformOnLeave::AddVelocity | PlatformOnLeave::AddUpwardVelocity => {
            without(left, sideways)
        }
    }
}

/// A way without another one, as far as it contains that: who is slower than a platform has all of that from it.
fn without(way: Vec2, other: Vec2) -> Vec2 {
    let part = way.dot(other) / other.length_squared();
    if part > 0.0 {
        way - other * part.min(1.0)
    } else {
        way
    }
}

fn taken_along(on_leave: PlatformOnLeave, platform: Vec2, up: Vec2) -> Vec2 {
    match on_leave {
        PlatformOnLeave::DoNothing => Vec2::ZERO,
        PlatformOnLeave::AddVelocity => platform,
        PlatformOnLeave::AddUpwardVelocity => platform - up * platform.dot(up).min(0.0),
    }
}
