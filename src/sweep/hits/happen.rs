//! A hit happens: where both bodies are then, and which of them go another way.

use bevy::math::Vec2;

use super::{
    super::{
        agent::{Agent, NONE, Ride, Traveller},
        course::Scene,
        hit::PredictedHit,
        impact::{slack, touching_position},
        respond::side_of,
        rules::Rules,
    },
    Sweep, note_leg,
};
use crate::placed::Rank;

impl Sweep {
    /// Lets a hit happen, unless one of the two has changed its course since the prediction.
    pub(super) fn happen(&mut self, scene: &mut Scene, rules: &Rules, hit: &PredictedHit) {
        let number = hit.agents[0];
        if self.version(number) != hit.versions[0] {
            return;
        }
        let known = self.agent_in(scene, hit, 1);
        if self.version(known) != hit.versions[1] {
            // The other body goes another way now.
            return self.predict(scene, rules, number, hit.time);
        }
        self.happened.push(*hit);
        self.advance(scene, number, hit.time);
        let pushed = self.other_agent(scene, hit, known);
        if let Some(pushed) = pushed {
            self.advance(scene, pushed, hit.time);
            if let Some(other) = self.stay_together(scene, rules, hit, [number, pushed]) {
                self.predict(scene, rules, number, hit.time);
                // The plan of one that stayed already still holds.
                if other == pushed {
                    self.predict(scene, rules, pushed, hit.time);
                }
                return;
            }
        }
        self.push_on([number, pushed.unwrap_or(known)]);
        if let Some(pushed) = pushed {
            self.lean(scene, rules, hit, [number, pushed]);
        }
        let free = self.free_parts(hit.normal, number, pushed);
        let held = free.map(|free| free == Vec2::ZERO);
        self.touch(scene, hit, held);
        self.change(scene, rules, hit, (known, pushed), free);
        self.hold_back(scene, rules, hit.time);
        self.predict(scene, rules, number, hit.time);
        // A body that gave no way goes on as before, so its plan still holds.
        if let Some(pushed) = pushed.filter(|_| !held[1]) {
            self.predict(scene, rules, pushed, hit.time);
        }
        self.predict_rows(scene, rules, hit.time);
    }

    /// Returns for each of two bodies that meet the part of the push away from the other one to which it gives way; the normal points from the second to the first. That is zero for a body that stays, that rests on something in the way of all of the push, or that is the slower one in a crowd. If neither body could give way,
    /// both give way to the whole push.
    fn free_parts(&self, normal: Vec2, number: u32, pushed: Option<u32>) -> [Vec2; 2] {
        let away = [normal, -normal];
        let agents = [Some(number), pushed].map(|number| Some(&self.agents[number? as usize]));
        let giving = agents.map(|agent| agent.filter(|agent| agent.gives_way()));
        let is_in_crowd = |agent: Option<&Agent>| agent.is_some_and(|agent| agent.is_in_crowd);
        if let [Some(one), Some(other)] = giving
            && giving.into_iter().all(is_in_crowd)
        {
            // Each has had its part in where the crowd goes. If the faster one passed on velocity now, the next one would pass it back.
            return if one.velocity().dot(away[0]) <= other.velocity().dot(away[1]) {
                [away[0], Vec2::ZERO]
            } else {
                [Vec2::ZERO, away[1]]
            };
        }
        let free = [0, 1].map(|side| {
            let agent = giving[side];
            agent.map_or(Vec2::ZERO, |agent| agent.free_part(away[side]))
        });
        // Between two walls, and on a lift, pushing a body into what it rests on, and back by that, would need many hits. On a floor that stands, it takes the energy from heaps, which come to rest by that.
        let held = [0, 1].map(|side| free[side].cmpne(away[side]));
        let are_between_walls = (held[0] & held[1]).any();
        let is_on_a_lift = |side: usize| {
            let agent = giving[side];
            agent.is_some_and(|agent| agent.rests_on_a_lift(held[side]))
        };
        let may_be_parts = (are_between_walls || is_on_a_lift(0) || is_on_a_lift(1))
            && !agents.into_iter().any(is_in_crowd);
        let is_any_free = free != [Vec2::ZERO; 2];
        [0, 1].map(|side| {
            let is_whole = free[side] != Vec2::ZERO && !may_be_parts;
            if giving[side].is_some() && is_any_free && !is_whole {
                free[side]
            } else if agents[side].is_some_and(|agent| agent.is_stuck) {
                Vec2::ZERO
            } else {
                away[side]
            }
        })
    }

    pub(super) fn advance(&mut self, scene: &mut Scene, number: u32, time: f32) {
        let agent = &mut self.agents[number as usize];
        let motion = agent.velocity() * (time - agent.time);
        if time > agent.time && motion != Vec2::ZERO {
            let position = &mut scene.body_states[agent.own.body as usize].position;
            let from = *position;
            *position += motion;
            agent.get_away(motion);
            note_leg(&mut self.legs, agent.own.body, from, *position);
        }
        agent.time = time;
    }

    /// At a side, puts one of the two at the exact coordinate at which both touch, if it has come here in this tick: of two that can be moved the faster one, but never one that is held.
    fn touch(&mut self, scene: &mut Scene, hit: &PredictedHit, held: [bool; 2]) {
        if side_of(hit.normal).is_none() {
            return;
        }
        let speed = |slot: u32| {
            let (_, velocity) = self.course_of(scene, slot, hit.time);
            velocity.length_squared()
        };
        let may_move_other = hit.rank == Rank::Dynamic;
        let is_hit = match held {
            // Only its own velocity moves a kinematic body.
            [_, is_held] if self.agents[hit.agents[0] as usize].is_kinematic => {
                if is_held || !may_move_other {
                    return;
                }
                true
            }
            [false, false] => may_move_other && speed(hit.other) > speed(hit.own),
            [is_held, _] => is_held,
        };
        let (own, other, normal) = if is_hit {
            (hit.other, hit.own, -hit.normal)
        } else {
            (hit.own, hit.other, hit.normal)
        };
        let anchor = if other == hit.other && hit.rank == Rank::Static {
            hit.places[1]
        } else {
            self.course_of(scene, other, hit.time).0
        };
        let own = &scene.placed[own as usize];
        let other = &scene.placed[other as usize];
        let position = &mut scene.body_states[own.body as usize].position;
        // A deeper overlap than rounding causes is for the push-out to solve.
        if let Some(place) = touching_position(own, other, anchor, normal, *position)
            && (place - *position).dot(normal).abs() <= slack(*position, anchor, normal)
        {
            *position = place;
        }
    }

    /// Returns the agent that is hit, if that can be moved. A body that only stood in the way becomes an agent.
    fn other_agent(&mut self, scene: &Scene, hit: &PredictedHit, known: u32) -> Option<u32> {
        if hit.rank != Rank::Dynamic {
            return None;
        }
        if known != NONE {
            return Some(known);
        }
        let body = scene.placed[hit.other as usize].body;
        Some(self.add_agent(scene, Traveller::standing(body), hit.time))
    }

    /// Makes each agent that stands on a carried body go no farther than that body is carried.
    pub(super) fn hold_back(&mut self, scene: &mut Scene, rules: &Rules, time: f32) {
        let mut stopped = std::mem::take(&mut self.stopped);
        while let Some((body, lacking)) = self.held_back.pop() {
            let normal = lacking.normalize_or_zero();
            let first = self.stacked.partition_point(|(carrier, _)| *carrier < body);
            let end = self
                .stacked
                .partition_point(|(carrier, _)| *carrier <= body);
            for at in first..end {
                let (_, number) = self.stacked[at];
                let agent = &self.agents[number as usize];
                let Some(ride) = agent.own.carried else {
                    continue;
                };
                // The agent may have been stopped before, and lack that part of the velocity already.
                let lower = self.agent(body).and_then(|lower| lower.own.carried);
                let lower = lower.map_or(Vec2::ZERO, |lower| lower.velocity());
                let known = ride.carrier_velocity;
                let more = (lower - known).dot(normal);
                if more <= 0.0 || agent.is_stuck {
                    continue;
                }
                let carrier_velocity = match side_of(normal) {
                    // Equal to the bit, or the two would not go as one.
                    Some((_, axis)) => Vec2::select(axis.cmpne(Vec2::ZERO), lower, known),
                    None => known + normal * more,
                };
                self.advance(scene, number, time);
                self.leave_course(number);
                let agent = &mut self.agents[number as usize];
                agent.own.carried = Some(Ride {
                    carrier_velocity,
                    ..ride
                });
                let left = agent.velocity() * (1.0 - time);
                self.course.follow(scene, agent.own.body, left);
                self.held_back
                    .push((agent.own.body, carrier_velocity - known));
                stopped.push(number);
            }
        }
        for number in stopped.drain(..) {
            self.predict(scene, rules, number, time);
        }
        self.stopped = stopped;
    }
}
