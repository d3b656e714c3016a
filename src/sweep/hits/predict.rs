//! What each agent has before it: the hit that stops it, and what it passes until then.

use std::cmp::Ordering;

use bevy::math::Vec2;

use super::{
    super::{
        course::{CoursePair, End, Scene},
        hit::{PredictedHit, number_of},
        impact::{
            FLAT, SweepImpact, at_once, axes_to_cast, beyond_room, first_impact, impact,
            impact_on_shape, is_deep,
        },
        rules::Rules,
        seam::may_go_over,
    },
    Sweep,
    ahead::{ImpactAhead, Other},
    lookout::Lookout,
    seams::Seams,
};
use crate::{
    components::Response,
    counting::Entry,
    kernel::{Outline, Shape},
    placed::{Placed, Rank, extent_at, rounding},
};

/// The lists for what is found: what is ahead, and what a body is sunk in that gives no way.
type Buffers<'a> = (&'a mut Vec<ImpactAhead>, &'a mut Seams);

impl Sweep {
    /// Plans for all agents at once, at the start. An agent that meets nothing costs next to nothing: the broad phase finds those that do.
    pub(super) fn predict_all(&mut self, scene: &Scene, rules: &Rules) {
        let mut ahead = std::mem::take(&mut self.ahead);
        let mut by_agent = std::mem::take(&mut self.by_agent);
        self.look_ahead_at_first(scene, rules, &mut ahead);
        let other = |one: &ImpactAhead| scene.placed[one.end().slot as usize].body;
        let entries = ahead.iter().zip(0..).map(|(one, at)| Entry {
            bucket: one.agent,
            key: other(one),
            at,
        });
        self.sort_ahead.sort(
            self.agents.len(),
            entries,
            |at| ahead[at as usize],
            &mut by_agent,
        );
        self.press_crowds(scene, rules, &by_agent);
        let mut left = &by_agent[..];
        while let Some(first) = left.first() {
            let agent = self.agents[first.agent as usize];
            // Nothing turns a kinematic body: whatever it hits, it hits the others as well.
            let is_next = |one: &&ImpactAhead| {
                one.agent == first.agent && !(agent.is_kinematic && other(one) != other(first))
            };
            let (ahead, others) = left.split_at(left.iter().take_while(is_next).count());
            left = others;
            // Agents that were pressed look ahead anew.
            if agent.version > 0 {
                continue;
            }
            if let Some(hit) = self.plan(scene, rules, (first.agent, 0.0), ahead) {
                self.queue.add_first(hit);
            }
        }
        self.by_agent = by_agent;
        self.ahead = ahead;
        let pressed = std::mem::take(&mut self.press.pressed);
        for &(agent, minds_crowd) in &pressed {
            self.predict_among(scene, rules, (agent, 0.0), minds_crowd);
        }
        self.press.pressed = pressed;
    }

    /// Lists what all agents have before them as they set out, and notes what they only pass.
    fn look_ahead_at_first(&mut self, scene: &Scene, rules: &Rules, ahead: &mut Vec<ImpactAhead>) {
        let mut seams = std::mem::take(&mut self.seams);
        ahead.clear();
        seams.clear();
        self.look_at_pairs(scene, rules, (ahead, &mut seams));
        if !scene.still.all().is_empty() || !scene.rooms.is_empty() {
            self.course.travelling(|own, shape| {
                let lookout = Lookout::at_first(own, shape);
                self.look_at_still(scene, rules, &lookout, (ahead, &mut seams));
                self.look_at_rooms(scene, rules, &lookout, ahead);
            });
        }
        for &room in scene.rooms {
            self.look_from_room(scene, rules, room, 0.0);
        }
        seams.turn(ahead, |one| self.look_back(scene, rules, one, 0.0));
        self.seams = seams;
    }

    /// Lists what the agents have before them of the pairs that the broad phase has found.
    fn look_at_pairs(&mut self, scene: &Scene, rules: &Rules, (ahead, seams): Buffers) {
        for met in self.course.meeting() {
            let [a, b] = met.ends.map(|end| end.slot);
            if !(rules.may_collide)(a as usize, b as usize) {
                continue;
            }
            if let Some([own, other]) = met.sunk() {
                let shape = |end: &End| scene.placed[end.slot as usize].outline.shape();
                if let (Some(shape), Some(wall)) = (shape(own), shape(other)) {
                    Lookout::at_first(own, shape).note_sunk(rules, *other, wall, seams);
                }
            }
            let sides = [0, 1].into_iter();
            let known = sides.filter_map(|side| Some((side, met.impact_of(side)?)));
            if known.clone().any(|(side, impact)| {
                !impact.is_parting() && is_stopped_at_first(rules, met, side, impact)
            }) {
                ahead.extend(known.map(|(side, impact)| ahead_at_first(rules, met, side, impact)));
            } else {
                // An agent that is turned before that does not pass: `tell` checks this in the end.
                let new = known.filter(|(_, impact)| {
                    !impact.is_parting() || (rules.is_untold)(a as usize, b as usize)
                });
                let hits = new.map(|(side, impact)| hit_at_first(met, side, impact));
                self.passing.extend(hits.min());
            }
        }
    }

    /// Plans for one agent, looking ahead from this time. What others did before has happened, and does not follow from where they go now. A kinematic body looks for rooms only: all else it has planned for when it set out, and what has been turned since looks out for it.
    pub(super) fn predict(&mut self, scene: &Scene, rules: &Rules, number: u32, from: f32) {
        self.predict_among(scene, rules, (number, from), true);
    }

    /// Does the same. Without `minds_crowd`, the agent ignores those of its crowd that look out for it, or are as slow as it is.
    fn predict_among(
        &mut self,
        scene: &Scene,
        rules: &Rules,
        (number, from): (u32, f32),
        minds_crowd: bool,
    ) {
        let mut ahead = std::mem::take(&mut self.ahead);
        let mut seams = std::mem::take(&mut self.seams);
        ahead.clear();
        seams.clear();
        if from < 1.0 {
            let body = self.agents[number as usize].own.body;
            for own in self.course.colliders_of(body) {
                if let Some(lookout) = self.set_out(scene, own, from) {
                    if !lookout.is_kinematic {
                        let buffers = (&mut ahead, &mut seams);
                        self.look_at_moving(scene, rules, &lookout, minds_crowd, buffers);
                        self.look_at_still(scene, rules, &lookout, (&mut ahead, &mut seams));
                    }
                    self.look_at_rooms(scene, rules, &lookout, &mut ahead);
                }
            }
            self.look_from_rooms(scene, rules, body, from);
            seams.turn(&mut ahead, |one| self.look_back(scene, rules, one, from));
        }
        self.seams = seams;
        if let Some(hit) = self.plan(scene, rules, (number, from), &ahead) {
            self.queue.add(hit);
        }
        self.ahead = ahead;
    }

    /// Returns the shapes of an agent's collider and of what it has before it, and the offsets between them at `from` and where they meet. `None` if that is solid on one side only: such a collider lets out what is in it, so it is no surface to be sunk in.
    fn look_back(
        &self,
        scene: &Scene,
        rules: &Rules,
        one: &ImpactAhead,
        from: f32,
    ) -> Option<([Shape; 2], [Vec2; 2])> {
        let (own, other) = one.pair();
        let shape = |slot: u32| scene.placed[slot as usize].outline.shape();
        let shapes = [shape(own)?, shape(other)?];
        let course = |slot: u32| self.course_of(scene, slot, from);
        let ((here, velocity), (there, others)) = (course(own), course(other));
        let first = there - here;
        let last = first + (others - velocity) * ((1.0 - from) * one.impact.fraction);
        (!(rules.is_one_way)(other as usize)).then_some((shapes, [first, last]))
    }

    /// Returns a collider of an agent as it is at a time.
    fn set_out(&self, scene: &Scene, own: u32, from: f32) -> Option<Lookout> {
        let placed = &scene.placed[own as usize];
        let Outline::Shape(shape) = placed.outline else {
            return None;
        };
        let (center, velocity) = self.course_of(scene, own, from);
        let agent = self.agent_of[placed.body as usize];
        Some(Lookout {
            agent,
            own,
            shape,
            center,
            velocity,
            from,
            least_closing: self.agents[agent as usize].least_closing(),
            is_kinematic: self.agents[agent as usize].is_kinematic,
        })
    }

    /// Lists what a collider has before it of all that moves or can be moved, if all go on as they do now.
    fn look_at_moving(
        &self,
        scene: &Scene,
        rules: &Rules,
        lookout: &Lookout,
        minds_crowd: bool,
        (ahead, seams): Buffers,
    ) {
        let is_left_out = |number: u32| {
            let agent = self.agents.get(number as usize).filter(|_| !minds_crowd);
            agent.is_some_and(|agent| agent.minds_crowd)
        };
        let here = extent_at(lookout.shape, lookout.center, 0.0);
        let way = here.along((lookout.velocity * lookout.left()).to_array());
        self.course.moving(&way, |other, shape| {
            if is_left_out(other.agent) {
                return;
            }
            let is_kinematic = other.rank == Rank::Kinematic;
            let is_straight = self.is_straight.get(other.agent as usize).copied();
            ahead.extend(if is_straight.unwrap_or(is_kinematic) {
                // Its course is the one from the start, which is at hand.
                let places = [lookout.center, other.place(lookout.from)];
                let motion = (lookout.velocity - other.velocity) * lookout.left();
                impact_on_shape(lookout.shape, shape, places, motion)
                    .and_then(|impact| lookout.meet(rules, Other::straight(*other), impact))
            } else {
                self.look(scene, rules, lookout, other.slot)
            });
            if is_kinematic {
                lookout.note_sunk(rules, *other, shape, seams);
            }
        });
        self.course.wild(&way, |other| {
            if is_left_out(self.agent_of[scene.placed[other as usize].body as usize]) {
                return;
            }
            ahead.extend(self.look(scene, rules, lookout, other));
        });
    }

    /// Lists what a collider has before it of what is static, but for rooms.
    fn look_at_still(
        &self,
        scene: &Scene,
        rules: &Rules,
        lookout: &Lookout,
        (ahead, seams): Buffers,
    ) {
        let motion = lookout.velocity * lookout.left();
        if motion != Vec2::ZERO {
            let known = (ahead.len(), seams.len());
            let may_end = self.look_along(scene, rules, lookout, true, (ahead, seams));
            if may_end && seams.may_have_sunk(known.1) {
                // The collider may go over what ended the look, and something else is behind that.
                ahead.truncate(known.0);
                seams.truncate(known.1);
                self.look_along(scene, rules, lookout, false, (ahead, seams));
            }
        }
    }

    /// Lists what a collider has before it of rooms.
    fn look_at_rooms(
        &self,
        scene: &Scene,
        rules: &Rules,
        lookout: &Lookout,
        ahead: &mut Vec<ImpactAhead>,
    ) {
        for &room in scene.rooms {
            let is_one_way = (rules.is_one_way)(room as usize);
            for &part in axes_to_cast(&scene.placed[room as usize], is_one_way) {
                let meet = |own: &_, room: &_, places, motion: Vec2| {
                    impact(own, room, places, motion * part)
                };
                ahead.extend(self.look_with(scene, rules, lookout, room, meet));
            }
            ahead.extend(self.look_with(scene, rules, lookout, room, beyond_room));
        }
    }

    /// Lists what is static on the way of a collider, up to what stops it. Returns whether that may be something that the collider [goes over](may_go_over), which ends the look only with `ends_at_low`.
    fn look_along(
        &self,
        scene: &Scene,
        rules: &Rules,
        lookout: &Lookout,
        ends_at_low: bool,
        (ahead, seams): Buffers,
    ) -> bool {
        let motion = lookout.velocity * lookout.left();
        let slack = at_once(motion.length());
        let (mut limit, mut ends_low) = (1.0_f32, false);
        let (way, half) = ((lookout.center, motion), lookout.shape.half_extents());
        scene
            .still
            .along(scene.body_states, way, half, &mut |other, shape, place| {
                let places = [lookout.center, place];
                let end = End::still(other, place);
                let is_sunk = lookout.note_sunk(rules, end, shape, seams);
                let impact = impact_on_shape(lookout.shape, shape, places, motion);
                let other = Other::straight(end);
                if let Some(one) = impact.and_then(|impact| lookout.meet(rules, other, impact)) {
                    // Nothing is met behind what stops it, except what counts as met at once. Something that it is sunk in does not end the look: it may be stopped by the surface that this makes with others instead.
                    let may_pass = || {
                        // Another collider of its body may be in it.
                        let [own, other] = [one.own, other.end.slot];
                        let lets_in = |wall: u32, who: u32| {
                            (rules.is_one_way)(wall as usize)
                                && self.beside(scene, who).next().is_some()
                        };
                        scene.are_parts_let_in && (lets_in(other, own) || lets_in(own, other))
                    };
                    if one.stops() && !is_sunk && !may_pass() {
                        let is_low = may_go_over(lookout.shape, shape, &one.impact);
                        ends_low |= is_low;
                        if ends_at_low || !is_low {
                            limit = limit.min(one.impact.fraction + slack);
                        }
                    }
                    ahead.push(one);
                }
                limit
            });
        ends_low
    }

    /// Returns where a collider meets another one, if both go on as they do now.
    fn look(
        &self,
        scene: &Scene,
        rules: &Rules,
        lookout: &Lookout,
        other: u32,
    ) -> Option<ImpactAhead> {
        self.look_with(scene, rules, lookout, other, impact)
    }

    /// Returns the same, as `meet` computes it from both colliders, their places, and the motion relative to it.
    fn look_with(
        &self,
        scene: &Scene,
        rules: &Rules,
        lookout: &Lookout,
        other: u32,
        meet: impl FnOnce(&Placed, &Placed, [Vec2; 2], Vec2) -> Option<SweepImpact>,
    ) -> Option<ImpactAhead> {
        let [placed, target] = [lookout.own, other].map(|slot| &scene.placed[slot as usize]);
        let (place, others) = self.course_of(scene, other, lookout.from);
        let motion = (lookout.velocity - others) * lookout.left();
        let impact = meet(placed, target, [lookout.center, place], motion)?;
        let end = End {
            slot: other,
            agent: self.agent_of[target.body as usize],
            rank: scene.body_states[target.body as usize].rank,
            center: place,
            velocity: others,
        };
        let is_straight = false;
        lookout.meet(rules, Other { end, is_straight }, impact)
    }

    /// Returns an impact as a hit, for an agent that looks ahead from this time.
    pub(super) fn hit_of(&self, scene: &Scene, one: &ImpactAhead, from: f32) -> PredictedHit {
        let left = 1.0 - from;
        let time = (from + one.impact.fraction * left).min(1.0);
        let other = one.other.end;
        let there = if one.other.is_straight {
            other.place(time)
        } else {
            self.course_of(scene, other.slot, time).0
        };
        let outline = |slot: u32| scene.placed[slot as usize].outline;
        // Its crowd may have turned it since the impact was computed.
        let others_version = if one.other.is_straight {
            0
        } else {
            self.version(other.agent)
        };
        PredictedHit {
            time,
            rank: other.rank,
            closing: one.impact.closing / left,
            places: [self.course_of(scene, one.own, time).0, there],
            outlines: number_of([one.own, other.slot].map(outline)),
            own: one.own,
            other: other.slot,
            normal: one.impact.normal,
            agents: [one.agent, other.agent],
            versions: [self.version(one.agent), others_version],
        }
    }

    /// Whether one of the two is solid on one side only, and another collider of the other one's body is in it: that body passes until all of it is out.
    fn is_let_in(&self, scene: &Scene, rules: &Rules, one: &ImpactAhead, from: f32) -> bool {
        let (own, other) = one.pair();
        if !scene.are_parts_let_in {
            return false;
        }
        let is_in = |own: u32, other: u32| {
            let shape = |slot: u32| scene.placed[slot as usize].outline.shape();
            let place = |slot: u32| self.course_of(scene, slot, from).0;
            let [here, there] = [own, other].map(place);
            let offset = there - here;
            let shapes = shape(own).zip(shape(other));
            let is_deep = shapes.is_some_and(|(own, other)| is_deep(own, other, offset));
            // Would it be solid to this one as well, from outside?
            is_deep && (rules.is_stopped)(own as usize, other as usize, &one.impact)
        };
        let is_one_way = |slot: u32| (rules.is_one_way)(slot as usize);
        is_one_way(other) && self.beside(scene, own).any(|part| is_in(part, other))
            || is_one_way(own) && self.beside(scene, other).any(|part| is_in(own, part))
    }

    /// Yields the other colliders of its body.
    fn beside(&self, scene: &Scene, slot: u32) -> impl Iterator<Item = u32> {
        let body = scene.placed[slot as usize].body;
        let is_static = scene.body_states[body as usize].rank == Rank::Static;
        let of_static = is_static.then_some(scene.children).into_iter().flatten();
        let of_static = of_static
            .copied()
            .filter(move |&part| scene.placed[part as usize].body == body);
        let all = self.course.colliders_of(body).chain(of_static);
        all.filter(move |&part| part != slot)
    }

    /// Returns the first hit that stops an agent. Notes all that it passes until then.
    fn plan(
        &mut self,
        scene: &Scene,
        rules: &Rules,
        (number, from): (u32, f32),
        ahead: &[ImpactAhead],
    ) -> Option<PredictedHit> {
        let mut passing = std::mem::take(&mut self.passing);
        let agent = self.agents[number as usize];
        let left = 1.0 - from;
        let hit = |one: &ImpactAhead| self.hit_of(scene, one, from);
        let is_stop = |one: &&ImpactAhead| {
            one.stops()
                && agent.is_stopped_by(one.other.end.rank)
                // What does not give way goes through a body that is stuck, and that is reported once.
                && !(agent.is_kinematic && self.lets_through(one.other.end.agent))
                && !self.is_let_in(scene, rules, one, from)
        };
        let here = scene.body_states[agent.own.body as usize].position;
        let rounding = rounding(here, here);
        let solid = first_impact(
            ahead.iter().filter(is_stop),
            |one| &one.impact,
            |one| one.other.end.rank,
            ((agent.velocity() * left).length(), rounding),
            |a, b| {
                // A body that comes down on a trampoline and a tile at once is thrown.
                let response = |one: &ImpactAhead| {
                    let response = rules.response_of(agent.own.response, one.pair());
                    rules.in_a_hit(response, one.impact.closing / left)
                };
                let stronger = compare_strength(response(b), response(a));
                stronger.then_with(|| hit(a).cmp(&hit(b)))
            },
        );
        let solid = solid.map(|(one, fraction)| ImpactAhead {
            impact: SweepImpact {
                fraction,
                ..one.impact
            },
            ..*one
        });
        let stop = solid.map(|one| one.impact);
        let solid = solid.as_ref().map(hit);
        // If it begins inside of several, one of them stops it, and it has met them all.
        let is_passed = |one: &&ImpactAhead| !is_stop(one) || one.impact.is_inside;
        let passed = ahead
            .iter()
            .filter(|one| is_passed(one) && one.is_new(rules));
        let passed = passed.map(hit);
        let passed = passed.filter(|hit| solid.is_none_or(|solid| hit.time <= solid.time));
        passing.extend(passed);
        // It also passes those that it meets at the same instant, with the same side: one of them turns it back from all. Not in a crowd that is stopped as a whole, whose bodies do not leave each other; and a kinematic body hits each of them.
        let turns_back = !agent.is_in_crowd && !agent.is_kinematic;
        let stop = stop.zip(solid).filter(|_| turns_back);
        if let Some((stop, solid)) = stop {
            let length = (agent.velocity() * left).length().max(stop.closing);
            let beside = ahead.iter().filter(|one| {
                let latest = stop.fraction + at_once(length.max(one.impact.closing));
                one.impact.normal == stop.normal
                    && one.impact.level >= FLAT
                    && one.impact.fraction <= latest
                    && one.pair() != (solid.own, solid.other)
                    && !is_passed(one)
            });
            passing.extend(beside.map(|one| {
                let hit = hit(one);
                let time = hit.time.min(solid.time);
                PredictedHit { time, ..hit }
            }));
        }
        self.passing = passing;
        solid
    }
}

/// Returns what one of two that meet has before it, as things are when all set out.
fn ahead_at_first(
    rules: &Rules,
    met: &CoursePair,
    side: usize,
    impact: &SweepImpact,
) -> ImpactAhead {
    let [own, other] = [met.ends[side], met.ends[1 - side]];
    ImpactAhead {
        agent: own.agent,
        own: own.slot,
        other: Other::straight(other),
        impact: *impact,
        is_solid: is_stopped_at_first(rules, met, side, impact),
    }
}

fn is_stopped_at_first(rules: &Rules, met: &CoursePair, side: usize, impact: &SweepImpact) -> bool {
    let [own, other] = [side, 1 - side].map(|side| met.ends[side].slot as usize);
    (rules.is_stopped)(own, other, impact)
}

/// Returns the same as a predicted hit.
fn hit_at_first(met: &CoursePair, side: usize, impact: &SweepImpact) -> PredictedHit {
    let (own, other) = (&met.ends[side], &met.ends[1 - side]);
    let time = impact.fraction.min(1.0);
    PredictedHit {
        time,
        rank: other.rank,
        closing: impact.closing,
        places: [own, other].map(|end| end.place(time)),
        // Compared only with hits of the same pair.
        outlines: 0,
        own: own.slot,
        other: other.slot,
        normal: impact.normal,
        agents: [own, other].map(|end| end.agent),
        versions: [0; 2],
    }
}

/// If a body meets several at once, the strongest response counts: it bounces, the farther the better, or else stops, or else slides.
fn compare_strength(a: Response, b: Response) -> Ordering {
    let strength = |response| match response {
        Response::Bounce { restitution } if restitution > 0.0 => (2, restitution),
        Response::Stop => (1, 0.0),
        Response::Bounce { .. } | Response::Slide | Response::Pass => (0, 0.0),
    };
    let (a, b) = (strength(a), strength(b));
    a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
}
