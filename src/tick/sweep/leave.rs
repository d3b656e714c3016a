//! What is taken along from a platform, and left behind on one.

use bevy::{
    ecs::{entity::Entity, prelude::Query},
    math::Vec2,
};

use super::{IsMoved, Moving, board::Boarding};
use crate::{components::PlatformOnLeave, kernel::is_in_world, sweep::Sweep};

/// Lets the riders, each with the number of its traveller, know what carries them, and gives to those that leave what they take along.
pub(super) fn leave_platforms(
    riders: &[(Entity, usize)],
    bodies: &mut Query<Moving, IsMoved>,
    (sweep, goals): (&mut Sweep, &mut Vec<(usize, Vec2)>),
    boarding: &Boarding,
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
            .map_or(Vec2::ZERO, |(_, along)| along / seconds);
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
        }
    }
}

/// What is left to itself of the way of a rider that has landed on a platform which goes this way sideways: whoever takes that along when it leaves flies on with it, and is back where it was.
pub(super) fn aboard(left: Vec2, on_leave: PlatformOnLeave, sideways: Vec2) -> Vec2 {
    match on_leave {
        PlatformOnLeave::DoNothing => left,
        PlatformOnLeave::AddVelocity | PlatformOnLeave::AddUpwardVelocity => {
            let part = left.dot(sideways) / sideways.length_squared();
            // Who is slower than the platform has all of that from it.
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
