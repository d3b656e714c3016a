//! An agent goes another way from now on, or no farther.

use bevy::math::Vec2;

use super::{
    super::{agent::lacking_of, course::Scene},
    EndedCourse, Sweep,
};
use crate::kernel::is_in_world;

/// How, and why, an agent goes another way from now on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) velocity: Vec2,
    /// It slides along what it has met.
    pub(super) slides: bool,
    /// What it has met came towards it, and pushes it.
    pub(super) is_pushed: bool,
    /// What it has met gives way itself, or pushes it from behind.
    pub(super) is_shoved: bool,
    /// See [`goes_along`](Sweep::goes_along).
    pub(super) goes_along: Vec2,
}

impl Sweep {
    /// Gives an agent another velocity, because of a body that it has met. One that has hit too often stays where it is.
    pub(super) fn hit(&mut self, scene: &Scene, number: u32, turn: Turn) {
        let agent = &mut self.agents[number as usize];
        agent.hits = agent.hits.saturating_add(1);
        let is_enough = agent.has_hit_enough(turn.slides);
        // A body that bounces keeps its speed for the next tick, or both together would have more than before.
        if !is_enough || !turn.slides {
            self.turn(scene, number, turn);
        }
        if is_enough {
            self.stop(scene, number, turn.slides);
        }
    }

    /// Ends the course of an agent: its predictions no longer hold.
    pub(super) fn leave_course(&mut self, number: u32) {
        let agent = &mut self.agents[number as usize];
        self.ended_courses.push(EndedCourse {
            agent: number,
            version: agent.version,
            time: agent.time,
        });
        self.is_straight[number as usize] = false;
        agent.version += 1;
    }

    /// Gives an agent another velocity, because of a body that it has met or that pushes it.
    pub(super) fn turn(&mut self, scene: &Scene, number: u32, turn: Turn) {
        self.leave_course(number);
        let velocity = turn.velocity;
        let agent = &mut self.agents[number as usize];
        let before = agent.velocity();
        if velocity == before {
            return;
        }
        let mut change = velocity - before;
        match &mut agent.own.carried {
            // What stops a carried body takes from the carrying first, and then from its own velocity.
            Some(ride) if ride.velocity() != turn.goes_along => {
                let normal = change.normalize_or_zero();
                let against = ride.velocity() - turn.goes_along;
                let lacking = lacking_of(against, normal, change.length());
                ride.lack(lacking, normal);
                change -= lacking;
                if lacking != Vec2::ZERO && !self.stacked.is_empty() {
                    self.held_back.push((agent.own.body, lacking));
                }
            }
            _ => {}
        }
        if change != Vec2::ZERO {
            agent.own.was_hit = true;
            // Only what changes is added, so that the rest keeps its bits.
            let own = agent.own.velocity;
            agent.own.velocity = match agent.own.carried {
                None => velocity,
                Some(_) => own + change,
            };
            if !is_in_world(agent.own.total_velocity()) {
                // The bounce is too fast to be valid. The game has to mend it; a warning follows when the next tick begins.
                agent.is_stuck = true;
                return;
            }
            // A body that becomes faster is pushed back by something stronger, and does not slide.
            let is_faster = agent.own.velocity.length_squared() > own.length_squared();
            let against = if turn.is_shoved {
                agent.wish
            } else {
                agent.heading
            };
            // If it went back before this hit already, something else has led it back.
            let is_led_back = agent.own.velocity.dot(against) < 0.0 && own.dot(against) >= 0.0;
            if turn.is_pushed {
                agent.heading = agent.own.velocity;
            } else if turn.slides && !is_faster && is_led_back {
                agent.own.velocity = Vec2::ZERO;
            }
        }
        let left = agent.velocity() * (1.0 - agent.time);
        self.course.follow(scene, agent.own.body, left);
    }

    /// Lets an agent go no farther in this tick.
    ///
    /// If it slides and is pressed, it keeps no more speed than brought it to where it is. Otherwise a wedged body would fall faster from tick to tick, and be shot out as soon as it is free.
    fn stop(&mut self, scene: &Scene, number: u32, slides: bool) {
        self.leave_course(number);
        let agent = &mut self.agents[number as usize];
        agent.is_stuck = true;
        if !slides && self.pin(scene, number) {
            return;
        }
        let agent = &mut self.agents[number as usize];
        let is_wedged = slides && agent.is_wedged();
        if is_wedged && agent.own.carried.is_none() {
            let velocity = &mut agent.own.velocity;
            let way = scene.body_states[agent.own.body as usize].position - agent.from;
            let ahead = way.dot(velocity.normalize_or_zero()).max(0.0);
            *velocity = velocity.clamp_length_max(ahead);
            agent.own.was_hit = true;
        }
    }

    /// An agent is carried, and meets a body with this normal, towards either: returns the part of the ride's velocity that the body has as well. A platform, or a body that is carried, goes along as far as it goes the same way: on two lifts that sink as one the agent stands on both, whichever is noted as its
    /// carrier, and though their ways are rounded, or one of them is a belt.
    pub(super) fn goes_along(&self, number: u32, met: u32, normal: Vec2) -> Vec2 {
        let Some(ride) = self.agents[number as usize].own.carried else {
            return Vec2::ZERO;
        };
        if ride.carrier == met {
            return ride.with_carrier(normal);
        }
        let velocity = ride.velocity();
        let along = self.agent(met).and_then(|met| {
            if met.is_kinematic || met.velocity() == velocity {
                return Some(met.velocity());
            }
            let with_it = met.own.carried.filter(|_| !met.is_stuck);
            with_it.map(|other| other.velocity())
        });
        let Some(along) = along else {
            return Vec2::ZERO;
        };
        let [whole, along] = [velocity, along].map(|velocity| velocity.dot(normal));
        let shared = along.clamp(whole.min(0.0), whole.max(0.0));
        velocity - normal * (whole - shared)
    }
}
