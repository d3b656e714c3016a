//! Bodies that are thrown by something that comes towards them, and bodies that it pins.

use std::cmp::Ordering;

use bevy::math::Vec2;

use super::{super::course::Scene, Sweep, entry_of};
use crate::{kernel::Outline, placed::compare_places};

/// How something that came, and gives no way, has thrown a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Throw {
    /// The time of the first throw in this tick.
    from: f32,
    /// How fast the thrower came.
    speed: f32,
    velocity: Vec2,
    /// The collider of the thrown body that was met.
    met: u32,
}

impl Throw {
    /// Makes a throw by something with this velocity, which has met a collider with this normal.
    pub(super) fn by(velocity: Vec2, normal: Vec2, met: u32, time: f32) -> Self {
        Self {
            from: time,
            speed: velocity.dot(normal),
            velocity,
            met,
        }
    }

    /// Compares two throws: the one by the faster thrower counts.
    fn compare(&self, other: &Self) -> Ordering {
        let speeds = self.speed.total_cmp(&other.speed);
        speeds.then(compare_places(self.velocity, other.velocity))
    }
}

impl Sweep {
    /// Notes what has thrown an agent: of several in a tick, the fastest counts.
    pub(super) fn note_throw(&mut self, agent: u32, throw: Throw) {
        let known = entry_of(&mut self.throws, agent);
        let from = known.map_or(throw.from, |known| known.from.min(throw.from));
        let fastest = known.filter(|known| known.compare(&throw).is_gt());
        let fastest = fastest.unwrap_or(throw);
        *known = Some(Throw { from, ..fastest });
    }

    /// Thrown to and fro between what comes and what stays, an agent would get faster with each hit. If it has no room to fly, it takes the velocity of what presses it. Returns whether it was thrown at all.
    pub(super) fn pin(&mut self, scene: &Scene, number: u32) -> bool {
        let Some(throw) = self.throws.get(number as usize).copied().flatten() else {
            return false;
        };
        let agent = &mut self.agents[number as usize];
        let flown = agent.own.velocity.length() * (agent.time - throw.from);
        let outline = scene.placed[throw.met as usize].outline;
        if let Outline::Shape(shape) = outline
            && flown <= shape.half_extents().min_element()
        {
            let ride = agent.own.total_velocity() - agent.own.velocity;
            agent.own.velocity = throw.velocity - ride;
            agent.own.was_hit = true;
        }
        true
    }
}
