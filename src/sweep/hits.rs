//! The hits of a tick, in order of time.

use bevy::math::Vec2;

use self::{ahead::ImpactAhead, press::Press, seams::Seams, throw::Throw};
use super::{
    agent::{Agent, NONE, Ride, Traveller},
    course::{Course, CourseAgent, Scene},
    hit::{Hit, PredictedHit},
    limit::Limit,
    pushing::{Pushing, RowMember},
    queue::Queue,
    rules::Rules,
};
use crate::{
    counting::{CountingSort, Entry},
    placed::{BodyState, Rank, SlotPair},
    prefetch::prefetch,
};

mod ahead;
mod seams;
mod lookout;
mod predict;
mod rooms;
mod turn;
mod rows;
mod throw;
mod change;
mod stay;
mod happen;
mod lean;
mod press;

/// If fewer than one body in this many is an agent, `agent_of` is reset agent by agent, and not for all bodies at once.
const AGENTS_PART: usize = 16;

/// Buffers of the sweep, and its results.
#[derive(Debug, Default)]
pub(crate) struct Sweep {
    agents: Vec<Agent>,
    /// By body.
    agent_of: Vec<u32>,
    course: Course,
    queue: Queue,
    ahead: Vec<ImpactAhead>,
    by_agent: Vec<ImpactAhead>,
    /// Agents that stand on a body that is carried itself: that body, and the agent's number; sorted once all have set out.
    stacked: Vec<(u32, u32)>,
    /// Bodies that are no longer carried as fast, and the velocity that each lacks.
    held_back: Vec<(u32, Vec2)>,
    /// Agents that stood on these: empty except while they are held back.
    stopped: Vec<u32>,
    seams: Seams,
    sort_ahead: CountingSort,
    /// Colliders that agents meet without being stopped, if both keep their courses until then. These hits change nothing, so they need no order.
    passing: Vec<PredictedHit>,
    ended_courses: Vec<EndedCourse>,
    /// By agent: whether it still goes the way on which it set out. Kept apart from the agents, since it is asked of all that are near.
    is_straight: Vec<bool>,
    /// By agent, for those that were stopped in a crowd: what stopped it last.
    limits: Vec<Option<Limit>>,
    /// By agent, for those that were thrown.
    throws: Vec<Option<Throw>>,
    pushing: Pushing,
    press: Press,
    /// The two agents of a hit, each with those that go along with it.
    rows: [Vec<RowMember>; 2],
    masses: Vec<f32>,
    /// Bodies of which each leans on one before it.
    leaning: Vec<u32>,
    /// What has happened: first the hits that stopped an agent, then what was passed; a pair may be in it more than once.
    happened: Vec<PredictedHit>,
    /// How many of these stopped an agent.
    stops: usize,
    /// Indices into `happened`, sorted by pair.
    by_pair: Vec<u32>,
    sort_hits: CountingSort,
    hits: Vec<Hit>,
    /// Where the agents went, body by body, if that is to be kept.
    legs: Option<Vec<Leg>>,
}

/// A course that an agent has left, because it was turned.
#[derive(Clone, Copy, Debug)]
struct EndedCourse {
    agent: u32,
    version: u32,
    /// When it was left.
    time: f32,
}

/// A straight part of a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Leg {
    pub(crate) body: u32,
    pub(crate) from: Vec2,
    pub(crate) to: Vec2,
}

/// Returns the entry of an agent in a list that grows as needed.
fn entry_of<T: Copy>(list: &mut Vec<Option<T>>, agent: u32) -> &mut Option<T> {
    let agent = agent as usize;
    if list.len() <= agent {
        list.resize(agent + 1, None);
    }
    &mut list[agent]
}

impl Sweep {
    /// Forgets all agents. `bodies` is the number of slots for bodies.
    pub(crate) fn begin(&mut self, bodies: usize) {
        if self.agents.len() < self.agent_of.len() / AGENTS_PART {
            for agent in &self.agents {
                self.agent_of[agent.own.body as usize] = NONE;
            }
        } else {
            self.agent_of.clear();
        }
        self.agent_of.resize(bodies, NONE);
        self.agents.clear();
        self.stacked.clear();
        // Also where nothing moves in this tick, and so nothing runs.
        if let Some(legs) = &mut self.legs {
            legs.clear();
        }
    }

    /// Adds a body that is to be moved from where it is, and that has not been added yet.
    // Inlined so that the agent is built in its place: a copy of what was only just written stalls the processor.
    #[inline(always)]
    pub(crate) fn add(&mut self, own: Traveller, body_state: &BodyState) {
        self.agent_of[own.body as usize] = self.agents.len() as u32;
        self.agents.push(set_out(own, body_state, 0.0));
    }

    /// Returns how many bodies have been added, which is the number of the next one.
    pub(crate) fn count(&self) -> usize {
        self.agents.len()
    }

    /// Gives a body that has been added another velocity to set out with.
    pub(crate) fn set_velocity(&mut self, number: usize, velocity: Vec2) {
        let agent = &mut self.agents[number];
        agent.own.velocity = velocity;
        agent.wish = velocity;
        agent.heading = velocity;
    }

    /// Moves all bodies that have been added to the end of the tick, along with those that they push. `goals` are the numbers of some of them, in order, and where exactly each is to end if nothing happens on the way. Afterwards [`travellers`](Self::travellers) and [`hits`](Self::hits) tell what happened.
    pub(crate) fn run(&mut self, scene: &mut Scene, rules: &Rules, goals: &[(usize, Vec2)]) {
        self.start(scene);
        self.predict_all(scene, rules);
        self.queue.sort();
        self.hold_back(scene, rules, 0.0);
        while let Some(hit) = self.queue.pop() {
            self.ask_ahead(scene);
            self.happen(scene, rules, &hit);
        }
        let mut goals = goals.iter().peekable();
        for (number, agent) in self.agents.iter().enumerate() {
            let position = &mut scene.body_states[agent.own.body as usize].position;
            let from = *position;
            let rest = agent.velocity() * (1.0 - agent.time);
            let goal = goals.next_if(|(one, _)| *one == number);
            let is_on_course = agent.version == 0 && agent.own.carried.is_none();
            let goal = goal.filter(|_| is_on_course);
            if let Some((_, goal)) = goal {
                *position = *goal;
            } else if rest != Vec2::ZERO {
                *position += rest;
            }
            note_leg(&mut self.legs, agent.own.body, from, *position);
        }
        self.tell(scene);
    }

    /// Sets whether the next run keeps where all bodies went.
    pub(crate) fn keep_legs(&mut self, are_kept: bool) {
        self.legs = are_kept.then(|| self.legs.take().unwrap_or_default());
    }

    /// Returns where all bodies went, if it was kept: each leg after those before it.
    pub(crate) fn legs(&self) -> &[Leg] {
        self.legs.as_deref().unwrap_or_default()
    }

    /// Yields all bodies that were moved or pushed, and where each set out: first those that were added, in their order.
    pub(crate) fn travellers(&self) -> impl Iterator<Item = (&Traveller, Vec2)> {
        self.agents.iter().map(|agent| (&agent.own, agent.from))
    }

    /// Yields those whose velocity has changed on the way, and the velocity with which each set out.
    pub(crate) fn hit_travellers(&self) -> impl Iterator<Item = (&Traveller, Vec2)> {
        let agents = self.agents.iter().filter(|agent| agent.own.was_hit);
        agents.map(|agent| (&agent.own, agent.wish))
    }

    /// Returns a body that has been added, by its number.
    pub(crate) fn numbered(&self, number: usize) -> &Traveller {
        &self.agents[number].own
    }

    /// Returns the traveller of a body, if that is to be moved, or was moved or pushed.
    pub(crate) fn traveller(&self, body: u32) -> Option<&Traveller> {
        self.agent(body).map(|agent| &agent.own)
    }

    /// Lets a body be carried. Adds it if it has not been added yet.
    pub(crate) fn carry(&mut self, body: u32, body_state: &BodyState, ride: Ride) {
        if self.agent(body).is_none() {
            self.add(Traveller::standing(body), body_state);
        }
        let number = self.agent_of[body as usize];
        self.agents[number as usize].own.carried = Some(ride);
        let lower = self.traveller(ride.carrier);
        if lower.is_some_and(|lower| lower.carried.is_some()) {
            self.stacked.push((ride.carrier, number));
        }
    }

    /// Returns every pair that met on the way, once, with the time of its first hit; sorted by slots.
    pub(crate) fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// Yields the slot that stopped another one, the slot that was stopped, and the normal from the first to the second, in order of time; a pair may come more than once.
    pub(crate) fn stops(&self) -> impl Iterator<Item = (SlotPair, Vec2)> {
        let stops = self.happened[..self.stops].iter();
        stops.map(|hit| ((hit.other, hit.own), hit.normal))
    }

    fn start(&mut self, scene: &Scene) {
        self.queue.clear();
        self.passing.clear();
        self.ended_courses.clear();
        self.pushing.clear();
        self.held_back.clear();
        self.happened.clear();
        self.hits.clear();
        self.is_straight.clear();
        self.limits.clear();
        self.throws.clear();
        self.stacked.sort_unstable();
        let Self {
            agents,
            agent_of,
            course,
            ..
        } = self;
        self.is_straight.resize(agents.len(), true);
        course.start(scene, |body| {
            let number = agent_of[body as usize];
            agents.get(number as usize).map(|agent| CourseAgent {
                number,
                velocity: agent.own.total_velocity(),
                response: agent.own.response,
            })
        });
    }

    fn add_agent(&mut self, scene: &Scene, own: Traveller, time: f32) -> u32 {
        let number = self.agents.len() as u32;
        self.agent_of[own.body as usize] = number;
        let body_state = &scene.body_states[own.body as usize];
        self.agents.push(set_out(own, body_state, time));
        self.is_straight.push(true);
        number
    }

    /// Returns what stopped an agent last, in a crowd.
    fn stopped_last(&mut self, agent: u32) -> &mut Option<Limit> {
        entry_of(&mut self.limits, agent)
    }

    fn agent(&self, body: u32) -> Option<&Agent> {
        self.agents.get(self.agent_of[body as usize] as usize)
    }

    /// Returns the center of a collider at a time, and the velocity of its body.
    fn course_of(&self, scene: &Scene, slot: u32, time: f32) -> (Vec2, Vec2) {
        let placed = &scene.placed[slot as usize];
        let center = placed.center(scene.body_states);
        match self.agent(placed.body) {
            None => (center, Vec2::ZERO),
            Some(agent) if agent.time == time => (center, agent.velocity()),
            Some(agent) => {
                let velocity = agent.velocity();
                (center + velocity * (time - agent.time), velocity)
            }
        }
    }

    /// Prefetches the memory of the colliders of the next hit, and of what is around them, which may be anywhere. It arrives while the current hit happens.
    fn ask_ahead(&self, scene: &Scene) {
        if let Some(hit) = self.queue.peek() {
            for (slot, agent) in [hit.own, hit.other].into_iter().zip(hit.agents) {
                prefetch(scene.placed, slot as usize);
                // Most colliders are bodies of their own.
                prefetch(scene.body_states, slot as usize);
                prefetch(&self.agents, agent as usize);
                self.course.prefetch(slot);
            }
            let [place, _] = hit.places;
            scene.still.prefetch(place);
            self.course.prefetch_around(place);
        }
    }

    /// Returns the version of an agent's course; 0 if there is no agent with this number.
    fn version(&self, agent: u32) -> u32 {
        let agent = self.agents.get(agent as usize);
        agent.map_or(0, |agent| agent.version)
    }

    /// Whether an agent moves no more in this tick, not even for what does not give way.
    fn lets_through(&self, agent: u32) -> bool {
        let agent = self.agents.get(agent as usize);
        agent.is_some_and(|agent| agent.is_stuck && !agent.waits)
    }

    /// Returns the number of the agent on a side of a hit. A body that was no agent when the hit was predicted may have been pushed since.
    fn agent_in(&self, scene: &Scene, hit: &PredictedHit, side: usize) -> u32 {
        let known = hit.agents[side];
        // The agent of the first side is always known, and the rank is that of the second.
        if known != NONE || hit.rank == Rank::Static {
            return known;
        }
        let slot = [hit.own, hit.other][side];
        self.agent_of[scene.placed[slot as usize].body as usize]
    }

    /// Lists every pair that met, by its first hit.
    fn tell(&mut self, scene: &Scene) {
        if !self.passing.is_empty() {
            self.ended_courses
                .sort_unstable_by_key(|ended| (ended.agent, ended.version));
        }
        let mut happened = std::mem::take(&mut self.happened);
        let mut by_pair = std::mem::take(&mut self.by_pair);
        self.stops = happened.len();
        let passed = self.passing.iter().filter(|hit| {
            self.ended_courses.is_empty()
                || [0, 1].into_iter().all(|side| {
                    let agent = self.agent_in(scene, hit, side);
                    hit.time <= self.end_of_course(agent, hit.versions[side])
                })
        });
        happened.extend(passed);
        let pair = |hit: &PredictedHit| (hit.own.min(hit.other), hit.own.max(hit.other));
        let entries = happened.iter().zip(0..).map(|(hit, at)| {
            let (bucket, key) = pair(hit);
            Entry { bucket, key, at }
        });
        let slots = self.agent_of.len();
        self.sort_hits.sort(slots, entries, |at| at, &mut by_pair);
        let hit = |at: &u32| &happened[*at as usize];
        for hits in by_pair.chunk_by(|a, b| pair(hit(a)) == pair(hit(b))) {
            let order =
                |a: &&PredictedHit, b: &&PredictedHit| a.cmp(b).then(a.versions.cmp(&b.versions));
            let earliest = hits.iter().map(hit).min_by(order);
            self.hits.extend(earliest.map(Hit::new));
        }
        self.happened = happened;
        self.by_pair = by_pair;
    }

    /// Returns until when an agent kept a course.
    fn end_of_course(&self, agent: u32, version: u32) -> f32 {
        if self.version(agent) == version {
            return f32::INFINITY;
        }
        let key = |ended: &EndedCourse| (ended.agent, ended.version);
        match self
            .ended_courses
            .binary_search_by_key(&(agent, version), key)
        {
            Ok(at) => self.ended_courses[at].time,
            Err(_) => f32::INFINITY,
        }
    }
}

/// Makes an agent that starts where its body is, at this time.
#[inline(always)]
fn set_out(own: Traveller, body_state: &BodyState, time: f32) -> Agent {
    let is_kinematic = body_state.rank == Rank::Kinematic;
    Agent::new(own, (body_state.position, time), is_kinematic)
}

fn note_leg(legs: &mut Option<Vec<Leg>>, body: u32, from: Vec2, to: Vec2) {
    if let Some(legs) = legs
        && from != to
    {
        legs.push(Leg { body, from, to });
    }
}
