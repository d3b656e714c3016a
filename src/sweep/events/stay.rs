//! Two hit each other of which one has used up its hits, and stays where it is until the next tick.

use super::{
    super::{
        agent::Agent,
        course::Scene,
        event::Event,
        respond::{Party, respond},
    },
    Rules, Sweep,
};

impl Sweep {
    /// If one of the two stays, although nothing holds it: gives both the velocities that the hit leaves them, and lets the other one stay as well. A body stopped by it as by a wall would lose all that it has, however heavy it is. Returns false, and does nothing, if it is no such hit.
    pub(super) fn stay_together(
        &mut self,
        scene: &Scene,
        rules: &Rules,
        event: &Event,
        both: [u32; 2],
    ) -> bool {
        let stay = both.map(|number| self.agents[number as usize].stays());
        let is_loose = |agent: &Agent| {
            !agent.is_wedged() && !agent.is_unstoppable && agent.own.carried.is_none()
        };
        if stay[0] == stay[1] || !both.iter().all(|&one| is_loose(&self.agents[one as usize])) {
            return false;
        }
        let velocities = both.map(|number| self.agents[number as usize].own.velocity);
        let closing = (velocities[1] - velocities[0]).dot(event.normal);
        if closing > 0.0 {
            let responses = self.responses(rules, event, both);
            let party = |side: usize| {
                let agent = &self.agents[both[side] as usize];
                Party {
                    velocity: agent.own.velocity,
                    inverse_mass: scene.movers[agent.own.body as usize].inverse_mass,
                    free: [event.normal, -event.normal][side],
                    response: rules.in_a_hit(responses[side], closing),
                }
            };
            let after = respond(party(0), party(1), event.normal);
            for (number, velocity) in both.into_iter().zip(after) {
                let own = &mut self.agents[number as usize].own;
                own.was_hit |= own.velocity != velocity;
                own.velocity = velocity;
            }
        }
        for number in both {
            if !self.agents[number as usize].stays() {
                self.leave_course(number);
                self.agents[number as usize].is_stuck = true;
            }
        }
        true
    }
}
