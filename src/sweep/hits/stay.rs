//! Two hit each other of which one has used up its hits, and stays where it is until the next tick.

use super::{
    super::{
        agent::Agent,
        course::Scene,
        hit::PredictedHit,
        respond::{HitSide, respond},
    },
    Rules, Sweep,
    change::bounces,
};
use crate::components::Response;

impl Sweep {
    /// If one of the two stays, although nothing holds it: gives both the velocities that the hit leaves them, and lets the other one stay as well. A body stopped by it as by a wall would lose all that it has, however heavy it is. Returns the other one; `None`, and does nothing, if it is no such hit.
    pub(super) fn stay_together(
        &mut self,
        scene: &Scene,
        rules: &Rules,
        hit: &PredictedHit,
        both: [u32; 2],
    ) -> Option<u32> {
        let stay = both.map(|number| self.agents[number as usize].is_stuck);
        let is_loose = |agent: &Agent| {
            !agent.is_wedged() && !agent.is_kinematic && agent.own.carried.is_none()
        };
        if stay[0] == stay[1] || !both.iter().all(|&one| is_loose(&self.agents[one as usize])) {
            return None;
        }
        let velocities = both.map(|number| self.agents[number as usize].own.velocity);
        let closing = (velocities[1] - velocities[0]).dot(hit.normal);
        if closing > 0.0 {
            let responses = self.responses(rules, hit, both);
            let before = [0, 1].map(|side| HitSide {
                velocity: velocities[side],
                inverse_mass: {
                    let body = self.agents[both[side] as usize].own.body;
                    scene.body_states[body as usize].inverse_mass
                },
                free: [hit.normal, -hit.normal][side],
                response: rules.in_a_hit(responses[side], closing),
            });
            let after = respond(before[0], before[1], hit.normal);
            for side in [0, 1] {
                let own = &mut self.agents[both[side] as usize].own;
                own.was_hit |= own.velocity != after[side];
                own.was_stopped |= before[side].response == Response::Stop;
                own.was_bounced |= bounces(&before[side]);
                own.velocity = after[side];
            }
        }
        let other = both[usize::from(stay[0])];
        self.leave_course(other);
        let agent = &mut self.agents[other as usize];
        (agent.is_stuck, agent.waits) = (true, true);
        Some(other)
    }

    /// Lets one of two that only waits go on, if the other one does not give way.
    pub(super) fn push_on(&mut self, both: [u32; 2]) {
        for side in [0, 1] {
            let by = self.agents.get(both[1 - side] as usize);
            let is_kinematic = by.is_some_and(|by| by.is_kinematic);
            if let Some(agent) = self.agents.get_mut(both[side] as usize)
                && agent.waits
                && is_kinematic
            {
                (agent.is_stuck, agent.waits) = (false, false);
            }
        }
    }
}
