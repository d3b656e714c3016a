//! What a hit does to both velocities.

use bevy::math::Vec2;

use super::{
    super::{
        agent::Agent,
        course::Scene,
        hit::PredictedHit,
        limit::Limit,
        respond::{HitSide, respond},
        rules::Rules,
    },
    Sweep,
    throw::Throw,
    turn::Turn,
};
use crate::{components::Response, placed::Rank};

pub(super) fn bounces(side: &HitSide) -> bool {
    matches!(side.response, Response::Bounce { .. })
}

/// Both sides of a hit: what comes together, and what becomes of that.
struct Exchange {
    /// The agents of those that can be turned.
    agents: [Option<u32>; 2],
    bodies: [u32; 2],
    /// The slot of each, and the normal towards it.
    slots: [(u32, Vec2); 2],
    /// Which of them cannot move any more.
    held: [bool; 2],
    /// Whether what each hits gives no way.
    is_firm: [bool; 2],
    /// With the responses that count in this hit.
    before: [HitSide; 2],
    /// The velocities that the hit gives them.
    after: [Vec2; 2],
    /// The velocity of the frame in which they meet.
    frame: Vec2,
}

impl Sweep {
    /// Changes the velocities of both, except for a body that is held, and those of the bodies that go along with them.
    pub(super) fn change(
        &mut self,
        scene: &mut Scene,
        rules: &Rules,
        hit: &PredictedHit,
        (known, pushed): (u32, Option<u32>),
        free: [Vec2; 2],
    ) {
        let number = hit.agents[0];
        let numbers = [number, pushed.unwrap_or(known)];
        let held = free.map(|free| free == Vec2::ZERO);
        let responses = self.responses(rules, hit, numbers);
        // A body that bounces is in no row, even if this hit is too slow to bounce.
        let slide = responses == [Response::Slide; 2];
        let push = pushed.filter(|_| held == [false; 2] && slide);
        let push = push.and_then(|pushed| self.push_of(hit, pushed));
        self.line_up(scene, push);

        let mut before = [0, 1].map(|side| self.hit_side(scene, numbers[side], free[side]));
        for (side, response) in before.iter_mut().zip(responses) {
            side.response = rules.in_a_hit(response, hit.closing);
        }
        let turned = Some(number).filter(|_| !self.agents[number as usize].is_kinematic);
        let exchange = self.exchange(scene, hit, ([turned, pushed], held), before);
        let Exchange { agents, bodies, .. } = exchange;
        // Both are computed before either velocity changes: the second must not be compared with what the first has become.
        let go_along = [0, 1].map(|side| {
            agents[side].map_or(Vec2::ZERO, |agent| {
                self.goes_along(agent, bodies[1 - side], hit.normal)
            })
        });
        self.press(agents, hit.rank == Rank::Static);
        for side in [0, 1] {
            let Some(agent) = agents[side].filter(|_| !held[side]) else {
                continue;
            };
            let normal = exchange.slots[side].1;
            self.agents[agent as usize].has_given_along |= free[side] != normal;
            let turn = Turn {
                goes_along: go_along[side],
                ..self.take_hit(hit, &exchange, side, agent)
            };
            self.hit(scene, agent, turn);
            let rests = match exchange.before[side].response {
                Response::Slide | Response::Stop => true,
                Response::Bounce { restitution } => restitution <= 0.0,
                Response::Pass => false,
            };
            if exchange.is_firm[side] && rests {
                self.agents[agent as usize].rest_on(normal);
            }
        }
        if let Some(push) = push {
            self.go_along(scene, push);
        }
    }

    /// Works out the velocities of both after the hit.
    #[inline]
    fn exchange(
        &mut self,
        scene: &Scene,
        hit: &PredictedHit,
        (agents, held): ([Option<u32>; 2], [bool; 2]),
        mut before: [HitSide; 2],
    ) -> Exchange {
        let slots = [(hit.own, hit.normal), (hit.other, -hit.normal)];
        let velocities = before.map(|side| side.velocity);
        let is_firm = [0, 1].map(|side| agents[1 - side].is_none() || held[1 - side]);
        for (side, one) in before.iter_mut().enumerate() {
            let normal = slots[side].1;
            let comes = velocities[1 - side].dot(normal) > 0.0;
            if let Some(agent) = agents[side].filter(|_| is_firm[side] && !comes)
                && bounces(one)
                && !self.agents[agent as usize].bounce_off(normal)
            {
                one.response = Response::Slide;
            }
            let mass = self.mass_of_row(scene, side);
            if let Some(mass) = mass.filter(|_| one.inverse_mass > 0.0) {
                one.inverse_mass = mass.recip();
            }
        }
        let bodies = [hit.own, hit.other].map(|slot| scene.placed[slot as usize].body);
        let frame = self.frame(agents, bodies, hit.normal);
        let within = |side: HitSide| HitSide {
            velocity: side.velocity - frame,
            ..side
        };
        let [own, other] = before.map(within);
        Exchange {
            after: respond(own, other, hit.normal).map(|velocity| velocity + frame),
            agents,
            bodies,
            slots,
            held,
            is_firm,
            before,
            frame,
        }
    }

    /// Notes a hit on the agent of one side, and returns the turn that it makes, but for what goes along.
    #[inline]
    fn take_hit(
        &mut self,
        hit: &PredictedHit,
        exchange: &Exchange,
        side: usize,
        number: u32,
    ) -> Turn {
        let Exchange {
            agents,
            slots,
            held,
            before,
            after,
            frame,
            ..
        } = exchange;
        let (slot, normal) = slots[side];
        let response = before[side].response;
        let slides = response == Response::Slide;
        let agent = &mut self.agents[number as usize];
        agent.hardest = agent.hardest.max(hit.closing);
        agent.own.was_stopped |= response == Response::Stop;
        agent.own.was_bounced |= bounces(&before[side]);
        let met = before[1 - side].velocity;
        let beside = if agent.is_in_crowd && held[1 - side] {
            let limit = Limit::at(-normal, met);
            let last = self.stopped_last(number).replace(limit);
            last.and_then(|last| self.agents[number as usize].beside([last, limit]))
        } else {
            None
        };
        let is_shoved = agents[1 - side].is_some();
        if !slides && !is_shoved && met.dot(normal) > 0.0 {
            self.note_throw(number, Throw::by(met, normal, slot, hit.time));
        }
        let agent = &mut self.agents[number as usize];
        // Where many press each other, a body that is led back and forth comes to rest the sooner, the more of that motion is lost: so in each tick only its first hit with a body that gives way is exact. Hits with what gives no way, such as the floor, are not counted.
        let is_first = !agent.was_shoved && !agent.is_in_crowd;
        agent.was_shoved |= is_shoved;
        agent.has_rebounded |= is_shoved && before.iter().any(bounces);
        Turn {
            velocity: beside.unwrap_or(after[side]),
            slides,
            is_pushed: is_first && (met - frame).dot(normal) > 0.0,
            is_shoved,
            goes_along: Vec2::ZERO,
        }
    }

    /// Returns the responses of both in a hit. A body that is no agent slides by default: it stands still anyway.
    pub(super) fn responses(
        &self,
        rules: &Rules,
        hit: &PredictedHit,
        agents: [u32; 2],
    ) -> [Response; 2] {
        let (own, other) = (hit.own, hit.other);
        [(agents[0], (own, other)), (agents[1], (other, own))].map(|(number, slots)| {
            let agent = self.agents.get(number as usize);
            let own = agent.map(|agent| agent.own.response).unwrap_or_default();
            rules.response_of(own, slots)
        })
    }

    /// Returns the state of an agent in a hit, or that of something that is no agent, and stands still.
    fn hit_side(&self, scene: &Scene, number: u32, free: Vec2) -> HitSide {
        let Some(agent) = self.agents.get(number as usize) else {
            return HitSide {
                velocity: Vec2::ZERO,
                inverse_mass: 0.0,
                free,
                response: Response::Slide,
            };
        };
        let body_state = scene.body_states[agent.own.body as usize];
        // A body that moves no more gives way to nothing, or others would go on into it.
        let is_held = free == Vec2::ZERO;
        let gives_way = body_state.rank == Rank::Dynamic && !agent.is_stuck && !is_held;
        HitSide {
            velocity: agent.velocity(),
            inverse_mass: if gives_way {
                body_state.inverse_mass
            } else {
                0.0
            },
            free,
            response: agent.own.response,
        }
    }

    /// Returns the velocity of the frame in which two meet. A carried body meets its carrier in the carrier's frame, as if all stood still, and so it meets platforms that go the same way, and bodies that are carried the same way: what stops in that frame goes along.
    fn frame(&self, agents: [Option<u32>; 2], bodies: [u32; 2], normal: Vec2) -> Vec2 {
        let known = agents.map(|number| self.agents.get(number? as usize));
        // A body that stays is not carried any more either.
        let carried = known.map(|agent| agent.filter(|agent| !agent.is_stuck)?.own.carried);
        let along = |side: usize| {
            let ride = carried[side]?;
            let other = 1 - side;
            let are_alike = carried[other].is_some_and(|other| other.velocity() == ride.velocity());
            let is_platform = |met: &Agent| met.is_kinematic && met.velocity() == ride.velocity();
            if are_alike || self.agent(bodies[other]).is_some_and(is_platform) {
                Some(ride.velocity())
            } else {
                (ride.carrier == bodies[other]).then(|| ride.with_carrier(normal))
            }
        };
        along(0).or_else(|| along(1)).unwrap_or(Vec2::ZERO)
    }

    /// Notes that two have hit each other, or something static.
    fn press(&mut self, agents: [Option<u32>; 2], is_static: bool) {
        let numbers = || agents.into_iter().flatten();
        let is_pressed =
            is_static || numbers().any(|number| self.agents[number as usize].is_pressed);
        for number in numbers() {
            self.agents[number as usize].is_pressed = is_pressed;
        }
    }
}
