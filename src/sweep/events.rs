//! The hits of a tick, in order of time.

use bevy::math::Vec2;

use self::{ahead::Ahead, press::Press, seams::Seams, throw::Throw};
use super::{
    agent::{Agent, NONE, Ride, Traveller},
    course::{Course, Going, Scene},
    event::{Event, Hit},
    impact::Impact,
    limit::Limit,
    pushing::{Member, Pushing},
    queue::Queue,
};
use crate::{
    components::Response,
    counting::{CountingSort, Entry},
    placed::{Mover, Rank},
    prefetch::prefetch,
};

mod ahead;
mod seams;
mod start;
mod predict;
mod rooms;
mod rows;
mod change;
mod happen;
mod lean;
mod press;
mod throw;

/// Of fewer than one body in so many it is forgotten one by one that they were agents, and not of all bodies at once.
const FEW: usize = 16;

/// Buffers of the sweep, and what it found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweep {
    agents: Vec<Agent>,
    /// By body.
    agent_of: Vec<u32>,
    course: Course,
    queue: Queue,
    ahead: Vec<Ahead>,
    by_agent: Vec<Ahead>,
    /// Who stands on a body that is carried itself: the body, and the number of who does.
    stacked: Vec<(u32, u32)>,
    /// Bodies that are not carried as far any more, and the way that they lack in a tick.
    held_back: Vec<(u32, Vec2)>,
    /// Who stood on these: empty but while they are held back.
    stopped: Vec<u32>,
    seams: Seams,
    sort_ahead: CountingSort,
    /// What is met without being stopped by it, as far as both go on until then. It changes nothing, so it need not be in order.
    passing: Vec<Event>,
    /// Agents that were turned, from which course, and when.
    turned: Vec<(u32, u32, f32)>,
    /// By agent: whether it goes the way on which it set out. Apart from the agents, for all that are near are asked.
    is_straight: Vec<bool>,
    /// By agent, as far as somebody was stopped: what stopped it last, since it was in a crowd.
    limits: Vec<Option<Limit>>,
    /// By agent, as far as somebody was thrown.
    throws: Vec<Option<Throw>>,
    pushing: Pushing,
    press: Press,
    /// Of two that meet, each with those that go along with it.
    rows: [Vec<Member>; 2],
    masses: Vec<f32>,
    /// Bodies of which each leans on one before it.
    leaning: Vec<u32>,
    /// What has happened: first what stopped somebody, and then what was passed; of a pair more than once.
    happened: Vec<Event>,
    /// How many of these stopped somebody.
    stops: usize,
    /// By index.
    by_pair: Vec<u32>,
    sort_events: CountingSort,
    hits: Vec<Hit>,
    /// Where they went, body by body, if that is to be kept.
    legs: Option<Vec<Leg>>,
}

/// A straight part of a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Leg {
    pub(crate) body: u32,
    pub(crate) from: Vec2,
    pub(crate) to: Vec2,
}

/// What may meet whom.
pub(crate) struct Rules<'a> {
    pub(crate) may_collide: &'a dyn Fn(usize, usize) -> bool,
    /// Whether a collider that meets another one is stopped, and not only told of.
    pub(crate) is_stopped: &'a dyn Fn(usize, usize, &Impact) -> bool,
    /// Whether a slot is solid on one side only.
    pub(crate) is_one_way: &'a dyn Fn(usize) -> bool,
    /// Whether nobody has been told of two that are in each other when all set out, and may part.
    pub(crate) is_untold: &'a dyn Fn(usize, usize) -> bool,
    /// How both respond to each other, if it is not as either of them does to all.
    pub(crate) response: &'a dyn Fn(usize, usize) -> Option<Response>,
    /// How much of its speed who meets a slot is thrown back with, if it does not stop there.
    pub(crate) throws: &'a dyn Fn(usize) -> f32,
    /// Who meets something more slowly does not bounce off it, in world units a tick, unless it loses nothing by that.
    pub(crate) bounce_threshold: f32,
}

impl Rules<'_> {
    /// What somebody does who meets a slot, if the pair does not say otherwise. Off what throws it back, who slides bounces, and who bounces does so by the greater one of both restitutions.
    fn response_to(&self, own: Response, slot: u32) -> Response {
        let thrown = (self.throws)(slot as usize);
        match own {
            Response::Slide if thrown > 0.0 => Response::Bounce {
                restitution: thrown,
            },
            Response::Bounce { restitution } => Response::Bounce {
                restitution: restitution.max(thrown),
            },
            _ => own,
        }
    }

    /// What somebody does who meets a slot with one of his own.
    fn response_of(&self, own: Response, (slot, met): (u32, u32)) -> Response {
        let of_pair = (self.response)(slot as usize, met as usize);
        of_pair.unwrap_or_else(|| self.response_to(own, met))
    }

    /// What becomes of a response where two come together at this speed, in world units a tick.
    fn in_a_hit(&self, response: Response, closing: f32) -> Response {
        let is_slow = closing < self.bounce_threshold;
        match response {
            Response::Bounce { restitution } if is_slow && restitution < 1.0 => Response::Slide,
            response => response,
        }
    }

    /// Whether two slots slide along each other, if both do so as a rule.
    fn slide(&self, one: u32, other: u32) -> bool {
        let both = [one, other].map(|slot| slot as usize);
        both.into_iter().all(|slot| (self.throws)(slot) <= 0.0)
            && (self.response)(both[0], both[1]).is_none_or(|response| response == Response::Slide)
    }
}

/// What is kept of an agent, in a list that is as long as somebody needed it.
fn entry_of<T: Copy>(list: &mut Vec<Option<T>>, agent: u32) -> &mut Option<T> {
    let agent = agent as usize;
    if list.len() <= agent {
        list.resize(agent + 1, None);
    }
    &mut list[agent]
}

impl Sweep {
    /// Forgets everybody; so many bodies there may be.
    pub(crate) fn begin(&mut self, bodies: usize) {
        if self.agents.len() < self.agent_of.len() / FEW {
            for agent in &self.agents {
                self.agent_of[agent.own.body as usize] = NONE;
            }
        } else {
            self.agent_of.clear();
        }
        self.agent_of.resize(bodies, NONE);
        self.agents.clear();
        self.stacked.clear();
    }

    /// Adds a body that is to be moved from where it is, and that has not been added yet.
    // Made where it is to be: what is copied as soon as it is written makes a processor wait.
    #[inline(always)]
    pub(crate) fn add(&mut self, own: Traveller, mover: &Mover) {
        self.agent_of[own.body as usize] = self.agents.len() as u32;
        self.agents.push(set_out(own, mover, 0.0));
    }

    /// How many have been added: the number of the next one.
    pub(crate) fn count(&self) -> usize {
        self.agents.len()
    }

    /// Gives one that has been added another velocity to set out with.
    pub(crate) fn set_velocity(&mut self, number: usize, velocity: Vec2) {
        let agent = &mut self.agents[number];
        agent.own.velocity = velocity;
        agent.wish = velocity;
        agent.heading = velocity;
    }

    /// Moves all that have been added to the end of the tick, along with whoever they push. Where exactly some are to end, if nothing happens on the way, is given with their numbers, in order. Afterwards [`travellers`](Self::travellers) and [`hits`](Self::hits) tell what happened.
    pub(crate) fn run(&mut self, scene: &mut Scene, rules: &Rules, goals: &[(usize, Vec2)]) {
        self.start(scene);
        self.predict_all(scene, rules);
        self.queue.sort();
        self.hold_back(scene, rules, 0.0);
        while let Some(event) = self.queue.pop() {
            self.ask_ahead(scene);
            self.happen(scene, rules, &event);
        }
        let mut goals = goals.iter().peekable();
        for (number, agent) in self.agents.iter().enumerate() {
            let position = &mut scene.movers[agent.own.body as usize].position;
            let from = *position;
            let rest = agent.velocity() * (1.0 - agent.time);
            let goal = goals.next_if(|(one, _)| *one == number);
            // Nothing turns what is unstoppable.
            let is_on_course = agent.version == 0 || agent.is_unstoppable;
            let goal = goal.filter(|_| is_on_course && agent.own.carried.is_none());
            if let Some((_, goal)) = goal {
                *position = *goal;
            } else if rest != Vec2::ZERO {
                *position += rest;
            }
            note_leg(&mut self.legs, agent.own.body, from, *position);
        }
        self.tell(scene);
    }

    /// Whether the next run keeps where everybody went.
    pub(crate) fn keep_legs(&mut self, are_kept: bool) {
        self.legs = are_kept.then(|| self.legs.take().unwrap_or_default());
    }

    /// Where everybody went, if it was kept: each leg after those that were gone before.
    pub(crate) fn legs(&self) -> &[Leg] {
        self.legs.as_deref().unwrap_or_default()
    }

    /// All that were moved or pushed, and where each set out: first those that were added, in their order.
    pub(crate) fn travellers(&self) -> impl Iterator<Item = (&Traveller, Vec2)> {
        self.agents.iter().map(|agent| (&agent.own, agent.from))
    }

    /// Those whose velocity has changed on the way, and the one that each set out with.
    pub(crate) fn hit_travellers(&self) -> impl Iterator<Item = (&Traveller, Vec2)> {
        let agents = self.agents.iter().filter(|agent| agent.own.was_hit);
        agents.map(|agent| (&agent.own, agent.wish))
    }

    /// One that has been added.
    pub(crate) fn numbered(&self, number: usize) -> &Traveller {
        &self.agents[number].own
    }

    /// The one that a body is, if it is to be moved, or was moved or pushed.
    pub(crate) fn traveller(&self, body: u32) -> Option<&Traveller> {
        self.agent(body).map(|agent| &agent.own)
    }

    /// Lets a body, which is added if it is none that is to be moved, be carried.
    pub(crate) fn carry(&mut self, body: u32, mover: &Mover, ride: Ride) {
        if self.agent(body).is_none() {
            self.add(Traveller::standing(body), mover);
        }
        let number = self.agent_of[body as usize];
        self.agents[number as usize].own.carried = Some(ride);
        let lower = self.traveller(ride.carrier);
        if lower.is_some_and(|lower| lower.carried.is_some()) {
            self.stacked.push((ride.carrier, number));
        }
    }

    /// Every pair that met on the way, once, with the time at which it first did; sorted by slots.
    pub(crate) fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// Whoever stopped somebody, who was stopped, and the normal from the first to the second, in order of time; of a pair more than once.
    pub(crate) fn stops(&self) -> impl Iterator<Item = ((u32, u32), Vec2)> {
        let stops = self.happened[..self.stops].iter();
        stops.map(|event| ((event.other, event.own), event.normal))
    }

    fn start(&mut self, scene: &Scene) {
        self.queue.clear();
        self.passing.clear();
        self.turned.clear();
        self.pushing.clear();
        self.held_back.clear();
        self.happened.clear();
        self.hits.clear();
        if let Some(legs) = &mut self.legs {
            legs.clear();
        }
        self.is_straight.clear();
        self.limits.clear();
        self.throws.clear();
        let Self {
            agents,
            agent_of,
            course,
            ..
        } = self;
        self.is_straight.resize(agents.len(), true);
        course.start(scene, |body| {
            let number = agent_of[body as usize];
            agents.get(number as usize).map(|agent| Going {
                agent: number,
                way: agent.own.way(),
                response: agent.own.response,
            })
        });
    }

    fn add_agent(&mut self, scene: &Scene, own: Traveller, time: f32) -> u32 {
        let number = self.agents.len() as u32;
        self.agent_of[own.body as usize] = number;
        let mover = &scene.movers[own.body as usize];
        self.agents.push(set_out(own, mover, time));
        self.is_straight.push(true);
        number
    }

    /// What stopped an agent last, in a crowd.
    fn stopped_last(&mut self, agent: u32) -> &mut Option<Limit> {
        entry_of(&mut self.limits, agent)
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

    /// Asks for the memory of those of whom the next hit is, and of what is around them: they may be anywhere. It comes while this one happens.
    fn ask_ahead(&self, scene: &Scene) {
        if let Some(event) = self.queue.peek() {
            for (slot, agent) in [event.own, event.other].into_iter().zip(event.agents) {
                prefetch(scene.placed, slot as usize);
                // Most are bodies of their own.
                prefetch(scene.movers, slot as usize);
                prefetch(&self.agents, agent as usize);
                self.course.prefetch(slot);
            }
            let [place, _] = event.places;
            scene.still.prefetch(place);
            self.course.prefetch_around(place);
        }
    }

    /// The course of an agent, by its number; of what is none, there is but one.
    fn version(&self, agent: u32) -> u32 {
        let agent = self.agents.get(agent as usize);
        agent.map_or(0, |agent| agent.version)
    }

    /// Whether an agent moves no more in this tick.
    fn stays(&self, agent: u32) -> bool {
        let agent = self.agents.get(agent as usize);
        agent.is_some_and(Agent::stays)
    }

    /// The number of the agent of a side of an event. What was none when that was foreseen may have been pushed since.
    fn agent_in(&self, scene: &Scene, event: &Event, side: usize) -> u32 {
        let known = event.agents[side];
        // The first one is known in any case, and the rank is that of the second.
        if known != NONE || event.rank == Rank::Static {
            return known;
        }
        let slot = [event.own, event.other][side];
        self.agent_of[scene.placed[slot as usize].body as usize]
    }

    /// Lists every pair that met, by its first hit.
    fn tell(&mut self, scene: &Scene) {
        if !self.passing.is_empty() {
            self.turned
                .sort_unstable_by_key(|&(agent, version, _)| (agent, version));
        }
        let mut happened = std::mem::take(&mut self.happened);
        let mut by_pair = std::mem::take(&mut self.by_pair);
        self.stops = happened.len();
        let passed = self.passing.iter().filter(|event| {
            self.turned.is_empty()
                || [0, 1].into_iter().all(|side| {
                    let agent = self.agent_in(scene, event, side);
                    event.time <= self.end_of_course(agent, event.versions[side])
                })
        });
        happened.extend(passed);
        let pair = |event: &Event| (event.own.min(event.other), event.own.max(event.other));
        let entries = happened.iter().zip(0..).map(|(event, at)| {
            let (bucket, key) = pair(event);
            Entry { bucket, key, at }
        });
        let slots = self.agent_of.len();
        self.sort_events.sort(slots, entries, |at| at, &mut by_pair);
        let event = |at: &u32| &happened[*at as usize];
        for events in by_pair.chunk_by(|a, b| pair(event(a)) == pair(event(b))) {
            let order = |a: &&Event, b: &&Event| a.cmp(b).then(a.versions.cmp(&b.versions));
            let earliest = events.iter().map(event).min_by(order);
            self.hits.extend(earliest.map(Hit::new));
        }
        self.happened = happened;
        self.by_pair = by_pair;
    }

    /// Until when an agent kept a course.
    fn end_of_course(&self, agent: u32, version: u32) -> f32 {
        if self.version(agent) == version {
            return f32::INFINITY;
        }
        let turned = |&(agent, version, _): &(u32, u32, f32)| (agent, version);
        match self.turned.binary_search_by_key(&(agent, version), turned) {
            Ok(at) => self.turned[at].2,
            Err(_) => f32::INFINITY,
        }
    }
}

/// From where its body is, at this time.
#[inline(always)]
fn set_out(own: Traveller, mover: &Mover, time: f32) -> Agent {
    let is_unstoppable = mover.rank == Rank::Kinematic;
    Agent::new(own, (mover.position, time), is_unstoppable)
}

fn note_leg(legs: &mut Option<Vec<Leg>>, body: u32, from: Vec2, to: Vec2) {
    if let Some(legs) = legs
        && from != to
    {
        legs.push(Leg { body, from, to });
    }
}
