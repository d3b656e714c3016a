//! The hits of a tick, in order of time.

use bevy::math::Vec2;

use super::{
    agent::{Agent, NONE, Traveller},
    course::{Course, End, Going, Met, Scene},
    event::{Event, Hit},
    impact::{Impact, at_once, first_impact, impact, impact_on_shape},
    queue::Queue,
};
use crate::{
    components::Response,
    counting::{CountingSort, Entry},
    kernel::{Outline, Shape},
    placed::{Rank, extent_at},
    prefetch::prefetch,
};

mod happen;

/// So many hits lie between one that happens and one of whose bodies memory is asked for.
const AHEAD: usize = 4;

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
    sort_ahead: CountingSort,
    /// What is met without being stopped by it, as far as both go on until then. It changes nothing, so it need not be in order.
    passing: Vec<Event>,
    /// Agents that were turned, from which course, and when.
    turned: Vec<(u32, u32, f32)>,
    /// By agent: whether it goes the way on which it set out. Apart from the agents, for all that are near are asked.
    is_straight: Vec<bool>,
    /// What has happened, solid or not; of a pair more than once.
    happened: Vec<Event>,
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

/// An impact that an agent has before it.
#[derive(Clone, Copy, Debug)]
struct Ahead {
    agent: u32,
    own: u32,
    other: Other,
    impact: Impact,
    /// It is stopped there, and not only told of it.
    is_solid: bool,
}

/// What is met, as an agent knows it that looks ahead.
#[derive(Clone, Copy, Debug)]
struct Other {
    end: End,
    /// It still goes the way on which it set out.
    is_straight: bool,
}

/// A collider of an agent, on its way from a time on.
struct Start {
    agent: u32,
    own: u32,
    shape: Shape,
    center: Vec2,
    velocity: Vec2,
    from: f32,
}

impl Start {
    /// How much of the tick.
    fn left(&self) -> f32 {
        1.0 - self.from
    }

    /// An impact, if there may be one. Most are not met at all, so it is asked last.
    fn meet(&self, rules: &Rules, other: Other, impact: Impact) -> Option<Ahead> {
        let slots = (self.own as usize, other.end.slot as usize);
        (rules.may_collide)(slots.0, slots.1).then(|| Ahead {
            agent: self.agent,
            own: self.own,
            other,
            impact,
            is_solid: (rules.is_stopped)(slots.0, slots.1, &impact),
        })
    }
}

/// What may meet whom.
pub(crate) struct Rules<'a> {
    pub(crate) may_collide: &'a dyn Fn(usize, usize) -> bool,
    /// Whether a collider that meets another one is stopped, and not only told of.
    pub(crate) is_stopped: &'a dyn Fn(usize, usize, &Impact) -> bool,
    /// How both respond to each other, if it is not as either of them does to all.
    pub(crate) response: &'a dyn Fn(usize, usize) -> Option<Response>,
    /// Who meets something more slowly does not bounce off it, in world units a tick, unless it loses nothing by that.
    pub(crate) bounce_threshold: f32,
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
        self.predict_all(scene, rules);
        self.queue.sort();
        while let Some(event) = self.queue.pop() {
            self.ask_ahead(scene);
            self.happen(scene, rules, &event);
        }
        for agent in &self.agents {
            let position = &mut scene.movers[agent.own.body as usize].position;
            let from = *position;
            let rest = agent.velocity() * (1.0 - agent.time);
            let goal = agent.own.goal.filter(|_| agent.version == 0);
            if let Some(goal) = goal.filter(|_| agent.own.carried.is_none()) {
                *position = goal;
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

    /// All that were moved or pushed.
    pub(crate) fn travellers(&self) -> impl Iterator<Item = &Traveller> {
        self.agents.iter().map(|agent| &agent.own)
    }

    /// The one that a body is, if it was moved or pushed.
    pub(crate) fn traveller(&self, body: u32) -> Option<&Traveller> {
        self.agent(body).map(|agent| &agent.own)
    }

    /// Every pair that met on the way, once, with the time at which it first did; sorted by slots.
    pub(crate) fn hits(&self) -> &[Hit] {
        &self.hits
    }

    fn start(&mut self, scene: &Scene, travellers: impl Iterator<Item = Traveller>) {
        self.queue.clear();
        self.passing.clear();
        self.turned.clear();
        self.happened.clear();
        self.hits.clear();
        if let Some(legs) = &mut self.legs {
            legs.clear();
        }
        self.agents.clear();
        self.is_straight.clear();
        self.agent_of.clear();
        self.agent_of.resize(scene.movers.len(), NONE);
        for traveller in travellers {
            self.add_agent(scene, traveller, 0.0);
        }
        let Self {
            agents,
            agent_of,
            course,
            ..
        } = self;
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
        let is_unstoppable = scene.movers[own.body as usize].rank == Rank::Kinematic;
        self.agents.push(Agent::new(own, time, is_unstoppable));
        self.is_straight.push(true);
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

    /// Plans for all agents at once, from the start. Who meets nothing costs next to nothing: the broad phase finds those that do.
    fn predict_all(&mut self, scene: &Scene, rules: &Rules) {
        let mut ahead = std::mem::take(&mut self.ahead);
        let mut passing = std::mem::take(&mut self.passing);
        ahead.clear();
        for met in self.course.meeting() {
            let [a, b] = met.ends.map(|end| end.slot);
            if !(rules.may_collide)(a as usize, b as usize) {
                continue;
            }
            let sides = [0, 1].map(|side| ahead_at_first(rules, met, side));
            let known = sides.iter().flatten();
            if known.clone().any(|one| one.is_solid) {
                ahead.extend(known);
            } else {
                // Whoever is turned before that does not pass: what is told of is asked for that in the end.
                let event = |side: usize| Some(event_at_first(met, side, &sides[side]?));
                let events = [0, 1].into_iter().filter_map(event);
                passing.extend(events.min());
            }
        }
        self.passing = passing;
        if !scene.still.is_empty() || !scene.rooms.is_empty() {
            for agent in &self.agents {
                for own in self.course.colliders_of(agent.own.body) {
                    if let Some(start) = self.set_out(scene, own, 0.0) {
                        self.look_at_still(scene, rules, &start, &mut ahead);
                    }
                }
            }
        }
        let mut by_agent = std::mem::take(&mut self.by_agent);
        let entries = ahead.iter().zip(0..).map(|(one, at)| Entry {
            bucket: one.agent,
            key: one.other.end.slot,
            at,
        });
        self.sort_ahead
            .sort(entries, |at| ahead[at as usize], &mut by_agent);
        for ahead in by_agent.chunk_by(|a, b| a.agent == b.agent) {
            if let Some(event) = self.plan(scene, (ahead[0].agent, 0.0), ahead) {
                self.queue.add_first(event);
            }
        }
        self.by_agent = by_agent;
        self.ahead = ahead;
    }

    /// Plans for one agent, looking ahead from this time. What others did before has happened, and cannot be told from where they go now.
    fn predict(&mut self, scene: &Scene, rules: &Rules, number: u32, from: f32) {
        let mut ahead = std::mem::take(&mut self.ahead);
        ahead.clear();
        if from < 1.0 {
            let body = self.agents[number as usize].own.body;
            for own in self.course.colliders_of(body) {
                if let Some(start) = self.set_out(scene, own, from) {
                    self.look_at_moving(scene, rules, &start, &mut ahead);
                    self.look_at_still(scene, rules, &start, &mut ahead);
                }
            }
        }
        if let Some(event) = self.plan(scene, (number, from), &ahead) {
            self.queue.add(event);
        }
        self.ahead = ahead;
    }

    /// A collider of an agent at a time.
    fn set_out(&self, scene: &Scene, own: u32, from: f32) -> Option<Start> {
        let placed = &scene.placed[own as usize];
        let Outline::Shape(shape) = placed.outline else {
            return None;
        };
        let (center, velocity) = self.course_of(scene, own, from);
        Some(Start {
            agent: self.agent_of[placed.body as usize],
            own,
            shape,
            center,
            velocity,
            from,
        })
    }

    /// Lists what a collider has before it of what moves, or can be moved, if all go on as they do now.
    fn look_at_moving(&self, scene: &Scene, rules: &Rules, start: &Start, ahead: &mut Vec<Ahead>) {
        let here = extent_at(start.shape, start.center, 0.0);
        let way = here.along((start.velocity * start.left()).to_array());
        self.course.moving(&way, |other, shape| {
            let is_straight = self.is_straight.get(other.agent as usize).copied();
            ahead.extend(if is_straight.unwrap_or(false) {
                // It is as it was when it set out, which is at hand.
                let offset = other.place(start.from) - start.center;
                let motion = (start.velocity - other.motion) * start.left();
                impact_on_shape(start.shape, shape, offset, motion)
                    .and_then(|impact| start.meet(rules, Other::straight(*other), impact))
            } else {
                self.look(scene, rules, start, other.slot)
            });
        });
        self.course.wild(&way, |other| {
            ahead.extend(self.look(scene, rules, start, other));
        });
    }

    /// The same of what is static, and of rooms.
    fn look_at_still(&self, scene: &Scene, rules: &Rules, start: &Start, ahead: &mut Vec<Ahead>) {
        let motion = start.velocity * start.left();
        if motion != Vec2::ZERO {
            let is_stuck = self.agents[start.agent as usize].is_stuck;
            let slack = at_once(motion.length());
            let mut limit = 1.0_f32;
            let (way, half) = ((start.center, motion), start.shape.half_extents());
            scene.still.along(way, half, &mut |other, shape, place| {
                let offset = place - start.center;
                let impact = impact_on_shape(start.shape, shape, offset, motion);
                let other = Other::straight(End::still(other, place));
                if let Some(one) = impact.and_then(|impact| start.meet(rules, other, impact)) {
                    // Nothing is met behind what stops it, but for what counts as met at once.
                    if one.is_solid && !is_stuck {
                        limit = limit.min(one.impact.fraction + slack);
                    }
                    ahead.push(one);
                }
                limit
            });
        }
        let rooms = scene.rooms.iter();
        ahead.extend(rooms.filter_map(|&room| self.look(scene, rules, start, room)));
    }

    /// Where a collider meets another one, if both go on as they do now.
    fn look(&self, scene: &Scene, rules: &Rules, start: &Start, other: u32) -> Option<Ahead> {
        let [placed, target] = [start.own, other].map(|slot| &scene.placed[slot as usize]);
        let (place, others) = self.course_of(scene, other, start.from);
        let motion = (start.velocity - others) * start.left();
        let impact = impact(placed, target, place - start.center, motion)?;
        let end = End {
            slot: other,
            agent: self.agent_of[target.body as usize],
            rank: scene.movers[target.body as usize].rank,
            center: place,
            motion: others,
        };
        let is_straight = false;
        start.meet(rules, Other { end, is_straight }, impact)
    }

    /// The first hit that stops an agent. Notes all that it passes until then.
    fn plan(
        &mut self,
        scene: &Scene,
        (number, from): (u32, f32),
        ahead: &[Ahead],
    ) -> Option<Event> {
        let mut passing = std::mem::take(&mut self.passing);
        let agent = self.agents[number as usize];
        let left = 1.0 - from;
        let event = |one: &Ahead| {
            let time = (from + one.impact.fraction * left).min(1.0);
            let other = one.other.end;
            let there = if one.other.is_straight {
                other.place(time)
            } else {
                self.course_of(scene, other.slot, time).0
            };
            Event {
                time,
                rank: other.rank,
                closing: one.impact.closing / left,
                places: [self.course_of(scene, one.own, time).0, there],
                own: one.own,
                other: other.slot,
                normal: one.impact.normal,
                agents: [number, other.agent],
                versions: [agent.version, self.version(other.agent)],
            }
        };
        let solid = first_impact(
            ahead.iter().filter(|one| !agent.is_stuck && one.is_solid),
            |one| &one.impact,
            |one| one.other.end.rank,
            (agent.velocity() * left).length(),
            |a, b| event(a).cmp(&event(b)),
        );
        let solid = solid.map(event);
        let passed = ahead.iter().filter(|one| !one.is_solid).map(event);
        let passed = passed.filter(|event| solid.is_none_or(|solid| event.time <= solid.time));
        passing.extend(passed);
        self.passing = passing;
        solid
    }

    /// Asks for the memory of those of whom a hit comes soon: they may be anywhere.
    fn ask_ahead(&self, scene: &Scene) {
        if let Some(event) = self.queue.soon(AHEAD) {
            for (slot, agent) in [event.own, event.other].into_iter().zip(event.agents) {
                prefetch(scene.placed, slot as usize);
                // Most are bodies of their own.
                prefetch(scene.movers, slot as usize);
                prefetch(&self.agents, agent as usize);
            }
        }
    }

    /// The course of an agent, by its number; of what is none, there is but one.
    fn version(&self, agent: u32) -> u32 {
        let agent = self.agents.get(agent as usize);
        agent.map_or(0, |agent| agent.version)
    }

    /// The number of the agent of a side of an event. What was none when that was foreseen may have been pushed since.
    fn agent_in(&self, scene: &Scene, event: &Event, side: usize) -> u32 {
        let known = event.agents[side];
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
        self.sort_events.sort(entries, |at| at, &mut by_pair);
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

impl Other {
    fn straight(end: End) -> Self {
        let is_straight = true;
        Self { end, is_straight }
    }
}

/// What one of two that meet has before it, as things are when all set out.
fn ahead_at_first(rules: &Rules, met: &Met, side: usize) -> Option<Ahead> {
    let impact = met.impacts[side]?;
    let [own, other] = [met.ends[side], met.ends[1 - side]];
    Some(Ahead {
        agent: own.agent,
        own: own.slot,
        other: Other::straight(other),
        impact,
        is_solid: (rules.is_stopped)(own.slot as usize, other.slot as usize, &impact),
    })
}

/// The same as an event.
fn event_at_first(met: &Met, side: usize, ahead: &Ahead) -> Event {
    let (own, other) = (&met.ends[side], &met.ends[1 - side]);
    let time = ahead.impact.fraction.min(1.0);
    Event {
        time,
        rank: other.rank,
        closing: ahead.impact.closing,
        places: [own, other].map(|end| end.place(time)),
        own: own.slot,
        other: other.slot,
        normal: ahead.impact.normal,
        agents: [own, other].map(|end| end.agent),
        versions: [0; 2],
    }
}

fn note_leg(legs: &mut Option<Vec<Leg>>, body: u32, from: Vec2, to: Vec2) {
    if let Some(legs) = legs
        && from != to
    {
        legs.push(Leg { body, from, to });
    }
}
