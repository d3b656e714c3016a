//! The hits of a tick, in order of time.

use std::{cmp::Reverse, collections::BinaryHeap};

use bevy::{math::Vec2, platform::collections::HashSet};

use super::{
    agent::{Agent, Traveller},
    course::{Course, Scene},
    event::Event,
    impact::{AT_ONCE, Impact, first_impact, impact, touching_coordinate},
    respond::{Party, respond},
};
use crate::{
    components::Response,
    kernel::Outline,
    placed::{Meeting, Rank, see_at},
};

/// A body that hits more often than this in one tick stays where it is until the next one.
const MOST_HITS: u32 = 16;
const NONE: u32 = u32::MAX;

/// Buffers of the sweep, and what it found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweep {
    agents: Vec<Agent>,
    /// By body.
    agent_of: Vec<u32>,
    course: Course,
    queue: BinaryHeap<Reverse<Event>>,
    around: Vec<u32>,
    impacts: Vec<(u32, u32, Impact)>,
    /// Pairs that have met in this tick.
    met: HashSet<(u32, u32)>,
    hits: Vec<Meeting>,
}

/// What may meet whom.
pub(crate) struct Rules<'a> {
    pub(crate) may_collide: &'a dyn Fn(usize, usize) -> bool,
    /// Whether a collider that meets another one is stopped, and not only told of.
    pub(crate) is_stopped: &'a dyn Fn(usize, usize, &Impact) -> bool,
    /// How both respond to each other, if it is not as either of them does to all.
    pub(crate) response: &'a dyn Fn(usize, usize) -> Option<Response>,
}

impl Sweep {
    /// Moves all travellers to the end of the tick, along with whoever they push. Afterwards [`travellers`](Self::travellers) and [`hits`](Self::hits) tell what happened.
    pub(crate) fn run(
        &mut self,
        scene: &mut Scene,
        rules: &Rules,
        travellers: impl Iterator<Item = Traveller>,
    ) {
        self.start(scene, travellers);
        for agent in 0..self.agents.len() as u32 {
            self.predict(scene, rules, agent, 0.0);
        }
        while let Some(Reverse(event)) = self.queue.pop() {
            self.happen(scene, rules, &event);
        }
        for agent in &self.agents {
            let position = &mut scene.movers[agent.own.body as usize].position;
            let rest = agent.velocity() * (1.0 - agent.time);
            let goal = agent.own.goal.filter(|_| agent.version == 0);
            if let Some(goal) = goal.filter(|_| agent.own.carried.is_none()) {
                *position = goal;
            } else if rest != Vec2::ZERO {
                *position += rest;
            }
        }
        self.hits.sort_unstable_by_key(|hit| hit.slots);
    }

    /// All that were moved or pushed.
    pub(crate) fn travellers(&self) -> impl Iterator<Item = &Traveller> {
        self.agents.iter().map(|agent| &agent.own)
    }

    /// The one that a body is, if it was moved or pushed.
    pub(crate) fn traveller(&self, body: u32) -> Option<&Traveller> {
        self.agent(body).map(|agent| &agent.own)
    }

    /// Every pair that met on the way, once, with the time at which it first did; sorted by slots.
    pub(crate) fn hits(&self) -> &[Meeting] {
        &self.hits
    }

    fn start(&mut self, scene: &Scene, travellers: impl Iterator<Item = Traveller>) {
        self.queue.clear();
        self.met.clear();
        self.hits.clear();
        self.agents.clear();
        self.agent_of.clear();
        self.agent_of.resize(scene.movers.len(), NONE);
        for traveller in travellers {
            self.add_agent(traveller, 0.0);
        }
        let Self {
            agents,
            agent_of,
            course,
            ..
        } = self;
        course.start(scene, |body| {
            let agent = agents.get(agent_of[body as usize] as usize);
            agent.map(|agent| (agent.own.way(), agent.own.response))
        });
    }

    fn add_agent(&mut self, own: Traveller, time: f32) -> u32 {
        let number = self.agents.len() as u32;
        self.agent_of[own.body as usize] = number;
        self.agents.push(Agent {
            own,
            time,
            wish: own.velocity,
            hits: 0,
            is_stuck: false,
            version: 0,
        });
        number
    }

    fn agent(&self, body: u32) -> Option<&Agent> {
        self.agents.get(self.agent_of[body as usize] as usize)
    }

    /// Where the centre of a collider is at a time, and the velocity of its body.
    fn course_of(&self, scene: &Scene, slot: u32, time: f32) -> (Vec2, Vec2) {
        let placed = &scene.placed[slot as usize];
        let center = placed.center(scene.movers);
        match self.agent(placed.body) {
            None => (center, Vec2::ZERO),
            Some(agent) if agent.time == time => (center, agent.velocity()),
            Some(agent) => {
                let velocity = agent.velocity();
                (center + velocity * (time - agent.time), velocity)
            }
        }
    }

    /// Puts the next hit of an agent on the queue, looking ahead from this time. What others did before has happened, and cannot be told from where they go now.
    fn predict(&mut self, scene: &Scene, rules: &Rules, number: u32, from: f32) {
        let agent = self.agents[number as usize];
        let left = 1.0 - from;
        if left <= 0.0 || agent.hits > MOST_HITS {
            return;
        }
        let mut impacts = std::mem::take(&mut self.impacts);
        let mut around = std::mem::take(&mut self.around);
        impacts.clear();
        let body = agent.own.body;
        for own in self.course.colliders_of(body) {
            let placed = &scene.placed[own as usize];
            let (center, velocity) = self.course_of(scene, own, from);
            around.clear();
            self.course
                .around(scene, (placed, center), velocity * left, &mut around);
            for &other in &around {
                let (place, others) = self.course_of(scene, other, from);
                let motion = (velocity - others) * left;
                let target = &scene.placed[other as usize];
                // Most are not met at all, so whether they may be is asked then.
                let impact = impact(placed, target, place - center, motion)
                    .filter(|_| (rules.may_collide)(own as usize, other as usize));
                impacts.extend(impact.map(|impact| (own, other, impact)));
            }
        }
        self.around = around;
        let next = self.first(scene, rules, (&agent, from), &impacts);
        self.queue.extend(next.map(Reverse));
        self.impacts = impacts;
    }

    /// The first of several impacts, solid or not.
    fn first(
        &self,
        scene: &Scene,
        rules: &Rules,
        (agent, from): (&Agent, f32),
        impacts: &[(u32, u32, Impact)],
    ) -> Option<Event> {
        let left = 1.0 - from;
        let event = |&(own, other, impact): &(u32, u32, Impact), is_solid: bool| {
            let time = (from + impact.fraction * left).min(1.0);
            let (here, _) = self.course_of(scene, own, time);
            let (there, _) = self.course_of(scene, other, time);
            let body = scene.placed[other as usize].body;
            Event {
                time,
                rank: scene.movers[body as usize].rank,
                places: [here, there],
                own,
                other,
                normal: impact.normal,
                is_solid,
                versions: [
                    agent.version,
                    self.agent(body).map_or(0, |agent| agent.version),
                ],
            }
        };
        let is_solid = |(own, other, impact): &(u32, u32, Impact)| {
            (rules.is_stopped)(*own as usize, *other as usize, impact)
        };
        let solid = impacts.iter().filter(|all| is_solid(all));
        let length = (agent.velocity() * left).length();
        let tie =
            |a: &&(u32, u32, Impact), b: &&(u32, u32, Impact)| event(a, true).cmp(&event(b, true));
        let solid = first_impact(solid, |all| &all.2, length, tie).map(|all| event(all, true));
        let is_new = |(own, other, _): &(u32, u32, Impact)| {
            !self.met.contains(&(*own.min(other), *own.max(other)))
        };
        let passed = impacts
            .iter()
            .filter(|all| is_new(all) && !is_solid(all))
            .map(|all| event(all, false))
            .min();
        match (solid, passed) {
            (Some(solid), Some(passed)) => Some(solid.min(passed)),
            (solid, passed) => solid.or(passed),
        }
    }

    /// Lets a hit happen, if nothing has come in between.
    fn happen(&mut self, scene: &mut Scene, rules: &Rules, event: &Event) {
        let [own, other] = [event.own, event.other].map(|slot| scene.placed[slot as usize].body);
        let number = self.agent_of[own as usize];
        let own_version = self.agents[number as usize].version;
        if own_version != event.versions[0] {
            return;
        }
        let other_version = self.agent(other).map_or(0, |agent| agent.version);
        if other_version != event.versions[1] {
            // What it was to meet goes another way now.
            return self.predict(scene, rules, number, event.time);
        }
        self.tell(scene, event);
        if !event.is_solid {
            return self.predict(scene, rules, number, event.time);
        }
        self.advance(scene, number, event.time);
        self.touch(scene, event);
        let pushed = self.other_agent(scene, other, event.time);
        if let Some(pushed) = pushed {
            self.advance(scene, pushed, event.time);
        }
        self.change(scene, rules, event, (number, pushed));
        for number in [Some(number), pushed].into_iter().flatten() {
            self.predict(scene, rules, number, event.time);
        }
    }

    /// Notes that two have met, if it is for the first time.
    fn tell(&mut self, scene: &Scene, event: &Event) {
        let (own, other) = (event.own, event.other);
        let slots = (own.min(other), own.max(other));
        if !self.met.insert(slots) {
            return;
        }
        let side = |slot: u32| {
            let (center, _) = self.course_of(scene, slot, event.time);
            (scene.placed[slot as usize].outline, center)
        };
        let find = |a: Outline, b, offset| Some((a.contact_within(b, offset, f32::MAX)?, true));
        if let Some(seen) = see_at(slots, side(slots.0), side(slots.1), find) {
            let normal = if own == slots.0 {
                -event.normal + Vec2::ZERO
            } else {
                event.normal
            };
            self.hits.push(Meeting {
                normal,
                time: event.time,
                ..seen.meeting
            });
        }
    }

    fn advance(&mut self, scene: &mut Scene, number: u32, time: f32) {
        let agent = &mut self.agents[number as usize];
        let way = agent.velocity() * (time - agent.time);
        if time > agent.time && way != Vec2::ZERO {
            scene.movers[agent.own.body as usize].position += way;
        }
        agent.time = time;
    }

    /// Against a side, puts who hits at the very coordinate at which both touch, if it has come here in this tick.
    fn touch(&mut self, scene: &mut Scene, event: &Event) {
        let axis = event.normal.abs();
        if axis != Vec2::X && axis != Vec2::Y {
            return;
        }
        let own = &scene.placed[event.own as usize];
        let other = &scene.placed[event.other as usize];
        let (anchor, _) = self.course_of(scene, event.other, event.time);
        let Some(place) = touching_coordinate(own, other, anchor, event.normal) else {
            return;
        };
        let position = &mut scene.movers[own.body as usize].position;
        let center = (*position + own.offset).dot(axis);
        // What was pushed in deeper than rounding does is for the push-out to solve.
        let slip = (place - center).abs();
        if slip > 0.0 && slip <= AT_ONCE {
            let moved = place - own.offset.dot(axis);
            *position = Vec2::select(axis.cmpgt(Vec2::ZERO), Vec2::splat(moved), *position);
        }
    }

    /// The agent of what is hit. What stands in the way and can be moved becomes one.
    fn other_agent(&mut self, scene: &Scene, body: u32, time: f32) -> Option<u32> {
        if scene.movers[body as usize].rank != Rank::Dynamic {
            return None;
        }
        let known = self.agent_of[body as usize];
        if known != NONE {
            return Some(known);
        }
        let pushed = Traveller::standing(body);
        Some(self.add_agent(pushed, time))
    }

    /// Changes the velocities of both.
    fn change(
        &mut self,
        scene: &Scene,
        rules: &Rules,
        event: &Event,
        (number, pushed): (u32, Option<u32>),
    ) {
        let of_pair = (rules.response)(event.own as usize, event.other as usize);
        let response = |agent: &Agent| of_pair.unwrap_or(agent.own.response);
        let party = |agent: &Agent| {
            let mover = scene.movers[agent.own.body as usize];
            Party {
                velocity: agent.velocity(),
                inverse_mass: if mover.rank == Rank::Dynamic {
                    mover.inverse_mass
                } else {
                    0.0
                },
                response: response(agent),
            }
        };
        let own = party(&self.agents[number as usize]);
        let other_body = scene.placed[event.other as usize].body;
        let other = match (pushed, self.agent(other_body)) {
            (Some(pushed), _) => party(&self.agents[pushed as usize]),
            (None, Some(agent)) => party(agent),
            (None, None) => Party {
                velocity: Vec2::ZERO,
                inverse_mass: 0.0,
                response: Response::Slide,
            },
        };
        // What stands on something that moves meets it as if it stood still: who stops there goes along.
        let own_body = scene.placed[event.own as usize].body;
        let agents = [Some(number), pushed].map(|number| self.agents.get(number? as usize));
        let frame = agents
            .into_iter()
            .zip([other_body, own_body])
            .find_map(|(agent, met)| agent?.own.carried.filter(|(carrier, _)| *carrier == met))
            .map_or(Vec2::ZERO, |(_, along)| along);
        let within = |party: Party| Party {
            velocity: party.velocity - frame,
            ..party
        };
        let [after, others_after] =
            respond(within(own), within(other), event.normal).map(|velocity| velocity + frame);
        let slides = |agent: &Agent| response(agent) == Response::Slide;
        let own_slides = slides(&self.agents[number as usize]);
        self.turn(scene, number, other_body, (after, own_slides));
        if let Some(pushed) = pushed {
            let others_slides = slides(&self.agents[pushed as usize]);
            self.turn(scene, pushed, own_body, (others_after, others_slides));
        }
    }

    /// Gives an agent another velocity, because of a body that it has met, and along which it slides or not.
    fn turn(&mut self, scene: &Scene, number: u32, met: u32, (velocity, slides): (Vec2, bool)) {
        let agent = &mut self.agents[number as usize];
        let before = agent.velocity();
        agent.version += 1;
        agent.hits += 1;
        if agent.hits > MOST_HITS {
            agent.is_stuck = true;
            return;
        }
        if velocity == before {
            return;
        }
        let mut change = velocity - before;
        match &mut agent.own.carried {
            // What stops who is carried along stops first what carries, and then its own steps.
            Some((carrier, along)) if *carrier != met => {
                let normal = change.normalize_or_zero();
                let against = (-along.dot(normal)).clamp(0.0, change.length());
                *along += normal * against;
                change -= normal * against;
            }
            _ => {}
        }
        if change != Vec2::ZERO {
            agent.own.was_hit = true;
            // By part: what does not change keeps its bits.
            let own = agent.own.velocity;
            agent.own.velocity = match agent.own.carried {
                None => velocity,
                Some(_) => own + change,
            };
            if slides && agent.wish != Vec2::ZERO && agent.own.velocity.dot(agent.wish) < 0.0 {
                // Pushed back by something stronger is no slide.
                let is_own_doing = agent.own.velocity.length_squared() <= own.length_squared();
                if is_own_doing {
                    agent.own.velocity = Vec2::ZERO;
                }
            }
        }
        let left = agent.velocity() * (1.0 - agent.time);
        self.course.follow(scene, agent.own.body, left);
    }
}
