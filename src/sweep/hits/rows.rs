//! Rows of bodies that push each other, in a hit.
//!
//! A row is what is in front of a body that is pushed. What has met the same body at the same instant shares the push as well, as if all had met at once: two crates side by side go on as one before the body that pushes both. A body without motion of its own shares it as well, whenever they met: it would stay where it is.

use std::mem::take;

use bevy::math::Vec2;

use super::{
    super::{
        agent::Agent,
        course::Scene,
        hit::PredictedHit,
        impact::{AT_ONCE, slack},
        pushing::{Link, RowMember, Touch},
        respond::side_of,
    },
    Rules, Sweep,
    turn::Turn,
};
use crate::kernel::Outline;

/// A body goes along with at most this many hits of others in a tick: so rows of as many are pushed as one, and a crowd does not cost endless hits.
const MOST_ALONG: u8 = 16;

/// Two speeds that differ by no more than this part of them are the same.
const SPEED_ROUNDING: f32 = 1.0e-5;

/// Two agents that have met, and push each other from now on.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowPush {
    touch: Touch,
    /// The side to which the first one is pushed; the second one goes to the other side.
    side: usize,
    axis: Vec2,
    time: f32,
    /// The speeds of both along the axis.
    before: [f32; 2],
}

impl Sweep {
    /// Returns the push of a hit, if it is along an axis and both give way.
    pub(super) fn push_of(&self, hit: &PredictedHit, pushed: u32) -> Option<RowPush> {
        let agents = [hit.agents[0], pushed];
        let (side, axis) = side_of(hit.normal)?;
        let gives_way = |number: u32| self.agents[number as usize].gives_way();
        agents.into_iter().all(gives_way).then_some(RowPush {
            touch: Touch {
                agents,
                slots: [hit.own, hit.other],
            },
            side,
            axis,
            time: hit.time,
            before: agents.map(|number| self.agents[number as usize].velocity().dot(axis)),
        })
    }

    /// Lists all agents that go along with each of two that push each other, in the direction in which it is pushed.
    pub(super) fn line_up(&mut self, scene: &Scene, push: Option<RowPush>) {
        self.rows.iter_mut().for_each(Vec::clear);
        if let Some(push) = push.filter(|_| !self.pushing.is_empty()) {
            self.line_up_with(scene, &push, true);
            if !self.may_share(scene, &push) {
                self.line_up_with(scene, &push, false);
            }
        }
    }

    /// Does the same, with or without those that share the push from the opposite side.
    fn line_up_with(&mut self, scene: &Scene, push: &RowPush, do_share: bool) {
        let mut rows = take(&mut self.rows);
        let [one, other] = push.touch.agents;
        let firsts = [(one, other, push.side), (other, one, push.side ^ 1)];
        for (row, (agent, by, side)) in rows.iter_mut().zip(firsts) {
            row.clear();
            let share = None;
            row.push(RowMember { agent, by, share });
            let are_one = |touch: &Touch| self.are_one(scene, touch, push);
            let shares = |link: &Link| do_share && self.shares(link, push);
            self.pushing.extend(row, side, are_one, shares);
        }
        self.rows = rows;
    }

    /// Whether an agent that was met on the opposite side shares a push.
    fn shares(&self, link: &Link, push: &RowPush) -> bool {
        let agent = &self.agents[link.touch.agents[1] as usize];
        let gone = agent.velocity().dot(push.axis).abs() * (push.time - link.time);
        !agent.own.has_motion || gone <= AT_ONCE
    }

    /// Whether no agent that shares the push would be pulled by it. Without the push, each branch of agents that hangs on the row would go on no faster than all do after it.
    fn may_share(&mut self, scene: &Scene, push: &RowPush) -> bool {
        let shares = |row: &Vec<RowMember>| row.iter().any(|member| member.share.is_some());
        if !self.rows.iter().any(shares) {
            return true;
        }
        let masses = [0, 1].map(|side| self.mass_of(scene, side));
        let [one, other] = push.before;
        let common = (one * masses[0] + other * masses[1]) / (masses[0] + masses[1]);
        let weight = |agent: &Agent| {
            scene.body_states[agent.own.body as usize]
                .inverse_mass
                .recip()
        };
        self.rows.iter().zip(push.before).all(|(row, now)| {
            let shared = row.iter().filter_map(|member| {
                let agent = &self.agents[member.agent as usize];
                let share = member.share?;
                // An agent without motion of its own stood when the tick began, on its carrier if it has one, whatever has pushed it since.
                let before = if agent.own.has_motion {
                    share.before
                } else {
                    let ride = agent.own.carried;
                    ride.map_or(0.0, |ride| ride.velocity().dot(push.axis))
                };
                Some((share.root, before, weight(agent)))
            });
            let mut roots = row.iter().filter_map(|member| {
                let is_root = member.share?.root == member.agent;
                is_root.then_some(member.agent)
            });
            roots.all(|root| {
                let branch = shared.clone().filter(|(other, ..)| *other == root);
                let (mass, momentum) = branch.fold((0.0, 0.0), |(mass, momentum), one| {
                    (mass + one.2, momentum + one.1 * one.2)
                });
                let alone = momentum / mass;
                let faster = (alone - common) * (now - common).signum();
                faster <= SPEED_ROUNDING * (now.abs() + common.abs())
            })
        })
    }

    /// Whether two that have pushed each other before still do, in a push along this axis.
    fn are_one(&self, scene: &Scene, touch: &Touch, push: &RowPush) -> bool {
        let RowPush { axis, time, .. } = *push;
        let agents = touch.agents.map(|number| &self.agents[number as usize]);
        let [place, others_place] = touch.slots.map(|slot| self.course_of(scene, slot, time).0);
        let outlines = touch.slots.map(|slot| scene.placed[slot as usize].outline);
        let [Outline::Shape(shape), Outline::Shape(other)] = outlines else {
            return false;
        };
        let gaps = (others_place - place).abs() - shape.sum(other).half_extents();
        let [gap, beside] = [axis, axis.perp().abs()].map(|axis| gaps.dot(axis));
        are_as_fast(agents, axis)
            && agents.iter().all(|agent| !agent.is_stuck)
            && agents[1].times_along < MOST_ALONG
            && gap <= slack(place, others_place, axis)
            && beside < 0.0
    }

    /// Returns the mass of all in a row, if that has more than one member.
    pub(super) fn mass_of_row(&mut self, scene: &Scene, side: usize) -> Option<f32> {
        (self.rows[side].len() > 1).then(|| self.mass_of(scene, side))
    }

    fn mass_of(&mut self, scene: &Scene, side: usize) -> f32 {
        let row = &self.rows[side];
        let body = |member: &RowMember| self.agents[member.agent as usize].own.body as usize;
        let masses = row
            .iter()
            .map(|member| scene.body_states[body(member)].inverse_mass.recip());
        self.masses.clear();
        self.masses.extend(masses);
        // In an order that does not depend on slots or entities.
        self.masses.sort_unstable_by(f32::total_cmp);
        self.masses.iter().sum()
    }

    /// Gives all in the rows of two that have pushed each other the velocity along the normal that these two have now, and joins both.
    pub(super) fn go_along(&mut self, scene: &mut Scene, push: RowPush) {
        let RowPush { touch, axis, .. } = push;
        let rows = take(&mut self.rows);
        for row in &rows {
            let Some((first, others)) = row.split_first() else {
                continue;
            };
            let first = &self.agents[first.agent as usize];
            if first.is_stuck {
                // It has hit too often, and stays; what is in front of it goes on as before.
                continue;
            }
            let along = first.velocity() * axis;
            for &RowMember { agent, by, .. } in others {
                self.advance(scene, agent, push.time);
                let known = &mut self.agents[agent as usize];
                known.times_along = known.times_along.saturating_add(1);
                let across = self.agents[agent as usize].velocity() * (Vec2::ONE - axis);
                let met = self.agents[by as usize].own.body;
                let turn = Turn {
                    velocity: along + across,
                    slides: true,
                    // Whatever of the row comes from behind pushes it, even back: one that stopped there would be in the way of the others, and all would lose momentum.
                    is_pushed: true,
                    is_shoved: true,
                    goes_along: self.goes_along(agent, met, axis),
                };
                self.turn(scene, agent, turn);
            }
        }
        self.rows = rows;
        let [one, other] = touch.agents.map(|number| &self.agents[number as usize]);
        if are_as_fast([one, other], axis) {
            self.pushing
                .join(touch, push.side ^ 1, push.time, push.before);
        }
    }

    /// Plans anew for all that went along with one of the two.
    pub(super) fn predict_rows(&mut self, scene: &Scene, rules: &Rules, time: f32) {
        let rows = take(&mut self.rows);
        for along in rows.iter().filter_map(|row| row.get(1..)).flatten() {
            self.predict(scene, rules, along.agent, time);
        }
        self.rows = rows;
    }
}

/// Whether two go along an axis at the same speed: to the bit, except for rounding in the sums with the velocities of their carriers.
fn are_as_fast(agents: [&Agent; 2], axis: Vec2) -> bool {
    let [one, other] = agents.map(|agent| agent.velocity().dot(axis));
    let carried = agents.map(|agent| {
        let ride = agent.own.carried;
        ride.map_or(0.0, |ride| ride.velocity().dot(axis).abs())
    });
    (one - other).abs() <= SPEED_ROUNDING * carried[0].max(carried[1])
}
