//! Crowds that press each other when all set out: each crowd is stopped as a whole, at once.
//!
//! ```text
//! bodies that press others, or lie in a heap, and all that touch these, directly or not           (members)
//! what is near each of them, or ahead and firm                                                    (look_near, look_at_walls, look_at_firm)
//! the velocity of each, so that it leads into none that is near                                   (super::super::crowd)
//! ```
//!
//! A body that goes slowly from there on, and has nothing in its way, need not look out for the others of its crowd. Those that do, and meet another one later in the tick, go on beside it, and push it no more.

mod members;

use std::mem::take;

use bevy::math::Vec2;

use super::{
    super::{
        agent::{NONE, Traveller},
        course::{End, Scene},
        crowd::{Crowd, CrowdMember, Near},
        hit::{PredictedHit, number_of},
        impact::{FLAT, SweepImpact, hair, slack, slack_on_axes},
        respond::side_of,
        rules::Rules,
    },
    Sweep,
    ahead::ImpactAhead,
    turn::Turn,
};
use crate::{
    kernel::{Outline, Shape, gap_to_point},
    placed::{Rank, compare_places, extent_at},
    sets::Sets,
};

/// Colliders are near if they are apart by no more than this part of a half size.
const NEAR: f32 = 0.125;
/// Colliders that are apart by less than this, in world units, touch: so pressed bodies do not creep closer by rounding.
const SNUG: f32 = 1.0e-4;

/// A search for crowds that press each other, with its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Press {
    crowd: Crowd,
    /// Pairs of bodies that press each other.
    pressing: Vec<[u32; 2]>,
    sets: Sets,
    /// Number of the set and body, for sets that are crowds only if they are isolated; sorted.
    few: Vec<(u32, u32)>,
    /// A scratch list of bodies.
    all: Vec<u32>,
    /// By set: the number of bodies, and the number of pairs that press each other.
    counts: Vec<[u32; 2]>,
    /// All bodies in crowds.
    bodies: Vec<u32>,
    /// Those in heaps, sorted.
    heaped: Vec<u32>,
    /// By body: its index in `bodies`, or [`NONE`].
    number_of: Vec<u32>,
    /// Colliders around the one that is looked at.
    found: Vec<(End, Shape)>,
    /// A body of a crowd, and another body near it.
    beside: Vec<[u32; 2]>,
    near: Vec<NearHit>,
    /// Whether some bodies have several colliders.
    has_parts: bool,
    /// Pairs of bodies that touch, from both sides.
    touching: Vec<[u32; 2]>,
    /// Round bodies that lie on something that gives no way, sorted.
    lying: Vec<u32>,
    /// Bodies that have to look out for others, however slow they are.
    watchful: Vec<u32>,
    /// Agents that go another way now, and whether each has to look out for all others of its crowd.
    pub(super) pressed: Vec<(u32, bool)>,
}

/// A pair that is near each other, as a hit, and the gap between them.
#[derive(Clone, Copy, Debug)]
struct NearHit {
    hit: PredictedHit,
    gap: f32,
}

impl Press {
    fn clear(&mut self, bodies: usize) {
        self.forget();
        self.number_of.resize(bodies, NONE);
        self.pressing.clear();
        self.few.clear();
        self.beside.clear();
        self.near.clear();
        self.touching.clear();
        self.watchful.clear();
        self.pressed.clear();
    }

    fn forget(&mut self) {
        for body in self.bodies.drain(..) {
            self.number_of[body as usize] = NONE;
        }
    }

    fn enter(&mut self, body: u32) -> u32 {
        let number = &mut self.number_of[body as usize];
        if *number == NONE {
            *number = self.bodies.len() as u32;
            self.bodies.push(body);
        }
        *number
    }

    fn contains(&self, body: u32) -> bool {
        self.number_of[body as usize] != NONE
    }

    /// Keeps only those pairs of which both are in a crowd, and makes members watchful that are near other bodies.
    fn keep_members(&mut self, scene: &Scene) {
        let mut near = take(&mut self.near);
        near.retain(|one| self.contains(one.bodies(scene)[1]));
        self.near = near;
        let is_member = |body: u32| self.number_of[body as usize] != NONE;
        let strangers = self.beside.iter().filter(|[_, other]| !is_member(*other));
        self.watchful.extend(strangers.map(|[own, _]| own));
    }
}

impl NearHit {
    fn bodies(&self, scene: &Scene) -> [u32; 2] {
        [self.hit.own, self.hit.other].map(|slot| scene.placed[slot as usize].body)
    }
}

impl Sweep {
    /// Stops all crowds, by what their bodies have ahead as they set out.
    pub(super) fn press_crowds(&mut self, scene: &Scene, rules: &Rules, ahead: &[ImpactAhead]) {
        let mut press = take(&mut self.press);
        press.clear(scene.body_states.len());
        press.has_parts = !scene.parts.is_empty();
        self.find_members(scene, rules, ahead, &mut press);
        if !press.bodies.is_empty() {
            press.keep_members(scene);
            for at in 0..press.bodies.len() {
                for own in self.course.colliders_of(press.bodies[at]) {
                    self.look_at_walls(scene, rules, own, &mut press);
                }
            }
            for one in ahead {
                self.look_at_firm(scene, rules, one, &mut press);
            }
            // In an order that does not depend on slots or entities.
            press.near.sort_unstable_by_key(|one| one.hit);
            self.stop_crowds(scene, &mut press);
        }
        self.press = press;
    }

    /// Lists the colliders near a collider, and enters the bodies that it touches.
    fn look_near(&self, scene: &Scene, rules: &Rules, own: u32, press: &mut Press) {
        let placed = &scene.placed[own as usize];
        let Some(shape) = placed.outline.shape() else {
            return;
        };
        let center = placed.center(scene.body_states);
        let reach = reach_of(shape);
        let mut found = take(&mut press.found);
        found.clear();
        let around = extent_at(shape, center, reach);
        self.course
            .moving(&around, |end, other| found.push((*end, other)));
        for (end, other) in &found {
            let bodies = [own, end.slot].map(|slot| scene.placed[slot as usize].body);
            let (gap, normal) = gap_to_point(shape.sum(*other), end.center - center);
            let is_other = bodies[0] != bodies[1] && end.rank == Rank::Dynamic;
            if !is_other || gap > reach || !(rules.may_collide)(own as usize, end.slot as usize) {
                continue;
            }
            let shapes = [shape, *other];
            let places = [center, end.center];
            // Two in one place have no side on which they meet.
            if end.center == center
                || !self.yields(scene, bodies[1])
                || !is_face(shapes, places, normal)
                || !slide_along(rules, [own, end.slot], normal)
            {
                press.watchful.push(bodies[0]);
                continue;
            }
            press.beside.push(bodies);
            if gap <= slack(center, end.center, normal) {
                press.touching.push(bodies);
                press.enter(bodies[1]);
            }
            // Only one of the two lists the pair: the one that looks farther.
            let is_second = reach_of(*other).total_cmp(&reach);
            if is_second.then(compare_places(center, end.center)).is_gt() {
                continue;
            }
            let near = self.near_hit(scene, own, end, shapes, (gap, normal));
            press.near.push(near);
        }
        press.found = found;
    }

    /// Lists what is static near a collider, whether it goes there or not: where its crowd leads it is not known yet.
    fn look_at_walls(&self, scene: &Scene, rules: &Rules, own: u32, press: &mut Press) {
        let placed = &scene.placed[own as usize];
        let Some(shape) = placed.outline.shape() else {
            return;
        };
        let center = placed.center(scene.body_states);
        let reach = reach_of(shape);
        let half = shape.half_extents() + reach;
        let mut look = |other: u32, wall: Shape, place: Vec2| {
            let (gap, normal) = gap_to_point(shape.sum(wall), place - center);
            if gap < -slack(center, place, normal)
                || gap > reach
                || !(rules.may_collide)(own as usize, other as usize)
                || !is_wall([shape, wall], place - center, normal)
                || !slide_along(rules, [own, other], normal)
            {
                return;
            }
            let end = End::still(other, place);
            let near = self.near_hit(scene, own, &end, [shape, wall], (gap, normal));
            press.near.push(near);
        };
        let around = (center, Vec2::ZERO);
        scene.still.along(
            scene.body_states,
            around,
            half,
            &mut |other, wall, place| {
                look(other, wall, place);
                1.0
            },
        );
    }

    /// Makes the hit of a collider and another one near it, with the gap between them and the normal from the first to the second.
    fn near_hit(
        &self,
        scene: &Scene,
        own: u32,
        end: &End,
        shapes: [Shape; 2],
        (gap, normal): (f32, Vec2),
    ) -> NearHit {
        let (center, velocity) = self.course_of(scene, own, 0.0);
        let bodies = [own, end.slot].map(|slot| scene.placed[slot as usize].body);
        let hit = PredictedHit {
            time: 0.0,
            rank: end.rank,
            closing: (velocity - end.velocity).dot(normal),
            places: [center, end.center],
            outlines: number_of(shapes.map(Outline::Shape)),
            own,
            other: end.slot,
            // Adding 0 turns -0.0 into 0.0.
            normal: -normal + Vec2::ZERO,
            agents: bodies.map(|body| self.agent_of[body as usize]),
            versions: [0; 2],
        };
        NearHit { hit, gap }
    }

    /// Lists what a body of a crowd has ahead that gives no way, and is not a wall near it.
    fn look_at_firm(&self, scene: &Scene, rules: &Rules, one: &ImpactAhead, press: &mut Press) {
        let (own, other) = one.pair();
        let body = scene.placed[own as usize].body;
        let gap = one.impact.fraction * one.impact.closing;
        let may_be_wall = one.end().rank == Rank::Static
            && scene.placed[other as usize].outline.shape().is_some();
        // A corner, or a part of a floor, is handled in the order of time.
        let is_face = side_of(one.impact.normal).is_none() || one.impact.level >= FLAT;
        if one.is_firm()
            && is_face
            && press.contains(body)
            && !(may_be_wall && gap <= reach(scene, own))
        {
            if !rules.slide(own, other) {
                press.watchful.push(body);
                return;
            }
            let hit = self.hit_of(scene, one, 0.0);
            press.near.push(NearHit { hit, gap });
        }
    }

    /// Gives all in crowds the velocities that are left to them, and notes what they met.
    fn stop_crowds(&mut self, scene: &Scene, press: &mut Press) {
        self.number_members(scene, press);
        press.crowd.press();
        for (one, near) in press.near.iter().zip(press.crowd.near()) {
            // The others meet at the end of the tick, if at all.
            let [here, there] = one.hit.places;
            if !near.is_met || one.gap > slack(here, there, one.hit.normal) {
                continue;
            }
            self.happened.push(one.hit);
            for number in one.hit.agents {
                if let Some(agent) = self.agents.get_mut(number as usize) {
                    agent.hardest = agent.hardest.max(one.hit.closing);
                }
            }
        }
        for (member, &body) in press.crowd.members().zip(&press.bodies) {
            let number = match self.agent_of[body as usize] {
                NONE if !member.is_turned() => continue,
                NONE => self.add_agent(scene, Traveller::standing(body), 0.0),
                number => number,
            };
            let own = self.course.colliders_of(body);
            let reaches = own.map(|slot| reach(scene, slot));
            // A body without a collider of its own is a point, and has no size to count.
            let reaches = reaches.filter(|reach| *reach > 0.0);
            let reach = reaches.min_by(f32::total_cmp).unwrap_or(0.0);
            // Two slow bodies do not reach each other unless they are near.
            let is_slow = member.is_free && member.velocity.length() <= reach * 0.5;
            let agent = &mut self.agents[number as usize];
            agent.is_in_crowd = true;
            agent.minds_crowd = is_slow || member.is_turned();
            if member.is_turned() {
                let turn = Turn {
                    velocity: member.velocity,
                    slides: false,
                    is_pushed: false,
                    is_shoved: true,
                    goes_along: Vec2::ZERO,
                };
                self.turn(scene, number, turn);
                press.pressed.push((number, !is_slow));
            }
        }
    }

    /// Lists the members of crowds, numbered in the order in which they come.
    fn number_members(&self, scene: &Scene, press: &mut Press) {
        press.forget();
        press.crowd.clear();
        for at in 0..press.near.len() {
            let one = press.near[at];
            let is_firm = one.hit.rank != Rank::Dynamic;
            let mut members = [NONE; 2];
            for (side, body) in one.bodies(scene).into_iter().enumerate() {
                if side == 1 && is_firm {
                    continue;
                }
                members[side] = press.enter(body);
                if members[side] as usize == press.crowd.count() {
                    let velocity = self
                        .agent(body)
                        .map_or(Vec2::ZERO, |agent| agent.velocity());
                    let inverse_mass = scene.body_states[body as usize].inverse_mass;
                    let is_driven = press.heaped.binary_search(&body).is_err();
                    let member = CrowdMember::new(velocity, inverse_mass, is_driven);
                    press.crowd.add(member);
                }
            }
            let firm = self.agents.get(one.hit.agents[1] as usize);
            press.crowd.add_near(Near {
                members,
                normal: -one.hit.normal,
                gap: if one.gap > SNUG { one.gap } else { 0.0 },
                velocity: firm.map_or(Vec2::ZERO, |agent| agent.velocity()),
                is_met: false,
            });
        }
        for &body in &press.watchful {
            press.crowd.watch(press.number_of[body as usize]);
        }
    }
}

/// Returns how near others have to be to a collider to count as near.
fn reach(scene: &Scene, slot: u32) -> f32 {
    let shape = scene.placed[slot as usize].outline.shape();
    shape.map_or(0.0, reach_of)
}

fn reach_of(shape: Shape) -> f32 {
    shape.half_extents().min_element() * NEAR
}

/// Whether two meet by their faces, or by round corners: past a sharp corner each may go on either side.
fn is_face(shapes: [Shape; 2], places: [Vec2; 2], normal: Vec2) -> bool {
    let sum = shapes[0].sum(shapes[1]);
    match level(sum, places[1] - places[0], normal) {
        Some(level) => level >= hair(sum.half_extents(), slack_on_axes(places)).max_element(),
        None => sum.radius() > 0.0,
    }
}

/// The same, if the second one gives no way. A corner, or a part of a floor, is handled in the order of time.
fn is_wall(shapes: [Shape; 2], offset: Vec2, normal: Vec2) -> bool {
    match level(shapes[0].sum(shapes[1]), offset, normal) {
        Some(level) => level >= FLAT,
        None => shapes[1].half_size() == Vec2::ZERO,
    }
}

/// Returns how much of their sides is level; `None` if they do not meet by sides.
fn level(sum: Shape, offset: Vec2, normal: Vec2) -> Option<f32> {
    let (_, axis) = side_of(normal)?;
    Some((sum.half_extents() - offset.abs()).dot(axis.perp().abs()))
}

/// Whether two stop each other along a normal from the first to the second, and both slide there.
fn slide_along(rules: &Rules, slots: [u32; 2], normal: Vec2) -> bool {
    let [one, other] = slots.map(|slot| slot as usize);
    let impact = |normal: Vec2| SweepImpact {
        fraction: 0.0,
        normal,
        level: f32::INFINITY,
        closing: 1.0,
        is_inside: false,
        is_deep: false,
    };
    (rules.is_stopped)(one, other, &impact(-normal))
        && (rules.is_stopped)(other, one, &impact(normal))
        && rules.slide(slots[0], slots[1])
}
