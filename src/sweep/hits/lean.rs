//! Bodies that lean on something firm, although nothing has pressed them there in this tick: a crate on the floor of a game without gravity.

use std::mem::take;

use bevy::math::Vec2;

use super::{
    super::{
        agent::Agent,
        course::Scene,
        hit::PredictedHit,
        impact::{FLAT, SweepImpact, impact, impact_on_shape, slack},
        respond::side_of,
        rules::Rules,
    },
    Sweep,
};
use crate::{
    components::Response,
    kernel::Outline,
    placed::{Rank, extent_at},
};

/// A row is followed for at most this many steps.
const MOST: usize = 32;

impl Sweep {
    /// Before a body bounces off one that stands still, or is only carried: lets that one rest on what it leans on at its far side, directly or through others that stand as well, since then it gives no way. If both slide, it
    /// makes no difference: neither has any velocity left in the end.
    pub(super) fn lean(
        &mut self,
        scene: &Scene,
        rules: &Rules,
        hit: &PredictedHit,
        both: [u32; 2],
    ) {
        let stands = |number: u32| {
            let agent = &self.agents[number as usize];
            agent.gives_way() && agent.stands()
        };
        let Some(side) = both.into_iter().position(stands) else {
            return;
        };
        if side_of(hit.normal).is_none() {
            return;
        }
        let bounces = |response: Response| matches!(response, Response::Bounce { restitution } if restitution > 0.0);
        if !self.responses(rules, hit, both).into_iter().any(bounces) {
            return;
        }
        // The normal of what it leans on.
        let normal = [-hit.normal, hit.normal][side];
        let pace = self.agents[both[side] as usize].velocity().dot(normal);
        let mut row = take(&mut self.leaning);
        row.clear();
        row.push(self.agents[both[side] as usize].own.body);
        let mut first = 0;
        for _ in 0..MOST {
            let end = row.len();
            let mut all = first..end;
            if all.any(|at| self.leans(scene, rules, (row[at], hit.time), (normal, pace), &mut row))
            {
                self.agents[both[side] as usize].rest_on(normal);
                break;
            }
            first = end;
        }
        self.leaning = row;
    }

    /// Whether a body touches something on the side of this normal that stops it and gives no way. Only colliders count that go along the normal as fast as the first body of the row. Adds those that give way, and stand, to the row.
    fn leans(
        &self,
        scene: &Scene,
        rules: &Rules,
        (body, time): (u32, f32),
        (normal, pace): (Vec2, f32),
        row: &mut Vec<u32>,
    ) -> bool {
        let keeps_up =
            |agent: Option<&Agent>| agent.map_or(Vec2::ZERO, Agent::velocity).dot(normal) == pace;
        let still_keeps_up = keeps_up(None);
        let mut is_firm = false;
        for own in self.course.colliders_of(body) {
            let placed = &scene.placed[own as usize];
            let Outline::Shape(shape) = placed.outline else {
                continue;
            };
            let center = self.course_of(scene, own, time).0;
            // Flush is what is no farther than this, by the body's own place: how exact that of something much larger is, is not asked.
            let reach = slack(center, center, normal);
            let motion = -normal * reach;
            let stops = |other: u32, impact: Option<SweepImpact>| {
                let (own, other) = (own as usize, other as usize);
                impact.is_some_and(|impact| {
                    impact.normal == normal
                        && impact.level >= FLAT
                        && (rules.may_collide)(own, other)
                        && (rules.is_stopped)(own, other, &impact)
                })
            };
            let (way, half) = ((center, motion), shape.half_extents());
            scene
                .still
                .along(scene.body_states, way, half, &mut |other, wall, place| {
                    is_firm |= still_keeps_up
                        && stops(other, impact_on_shape(shape, wall, [center, place], motion));
                    if is_firm { -1.0 } else { 1.0 }
                });
            for &room in scene.rooms {
                let walls = &scene.placed[room as usize];
                let gives_way = scene.body_states[walls.body as usize].rank == Rank::Dynamic;
                let places = [center, self.course_of(scene, room, time).0];
                is_firm |= !gives_way
                    && keeps_up(self.agent(walls.body))
                    && stops(room, impact(placed, walls, places, motion));
            }
            let around = extent_at(shape, center, reach);
            self.course.moving(&around, |end, other| {
                let body = scene.placed[end.slot as usize].body;
                let place = self.course_of(scene, end.slot, time).0;
                let agent = self.agent(body);
                if keeps_up(agent)
                    && stops(
                        end.slot,
                        impact_on_shape(shape, other, [center, place], motion),
                    )
                {
                    match end.rank {
                        Rank::Dynamic
                            if !row.contains(&body) && agent.is_none_or(Agent::stands) =>
                        {
                            row.push(body);
                        }
                        Rank::Dynamic => {}
                        Rank::Kinematic | Rank::Static => is_firm = true,
                    }
                }
            });
        }
        is_firm
    }
}
