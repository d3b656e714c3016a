//! Pushing the bodies that are in a mover's way.

use bevy::math::Vec2;

use super::{
    super::surface::Surface,
    obstacles::{Displaced, Hit},
    walk::Walk,
};
use crate::{broad_phase::Extent, placed::Rank, sweep::slack};

/// At most so many bodies are pushed in a row.
const MOST_IN_A_ROW: usize = 16;

impl Walk<'_> {
    /// Takes over the positions of bodies that movers have moved into a box, or out of it.
    pub(super) fn take_over_walkers(&mut self, extent: &Extent) {
        let entity = self.colliders.entities[self.body as usize];
        let here = self.obstacles.extent_of(&self.slots, self.path[0]);
        self.obstacles.take_over_walkers(extent, (entity, &here));
    }

    /// Moves on together with what the body has hit, and with all that this meets in turn, by the rest of a motion, or as far as the row gets. Returns the direction of the push, along which nothing of the motion is left then, and the share of its speed with which the row moves on; `None` if what was hit is not to be pushed. `speed` is the motion that the body keeps so far.
    pub(super) fn push(&mut self, hit: &Hit, left: Vec2, speed: Vec2) -> Option<(Vec2, f32)> {
        let Hit { other, impact, .. } = *hit;
        if !self.is_to_be_pushed(other) || self.surface(impact.normal) != Surface::Wall {
            return None;
        }
        let away = -impact.normal;
        // Flat sides are pushed along their normal, round ones along the floor.
        let is_flat = away.abs().cmpeq(Vec2::ONE).any();
        let across = away - self.up * away.dot(self.up);
        let direction = if is_flat {
            away
        } else {
            across.normalize_or_zero()
        };
        // A motion that ends just here pushes by nothing, but shares its speed.
        let leads = if left == Vec2::ZERO { speed } else { left };
        // The motion leads past it, or away from it; rounding leaves some of what a push has used up.
        if leads.dot(direction) <= leads.length() * 1.0e-6 {
            return None;
        }
        let mut left = left.dot(direction);
        let colliders = self.colliders;
        let body_of = |slot: u32| colliders.placed[slot as usize].body;
        self.row.push(body_of(hit.own));
        let mut next = other;
        // If nothing is left, what is flush with the row is in it all the same, or in its way.
        let near = slack(self.position, self.position, direction);
        let share = loop {
            self.row.push(body_of(next));
            self.obstacles.displace(body_of(next));
            let share = self.share();
            let way = direction * (left * share);
            let is_spent = way == Vec2::ZERO;
            let look = if is_spent { direction * near } else { way };
            let Some((position, hit)) = self.first_of_row(look) else {
                self.go_on(way);
                break share;
            };
            if !is_spent {
                self.go_on(self.obstacles.arrive(&hit, position, way) - position);
            }
            left *= 1.0 - hit.impact.fraction;
            next = hit.other;
            if !self.is_to_be_pushed(next) || self.row.len() > MOST_IN_A_ROW {
                break 0.0;
            }
        };
        self.row.clear();
        Some((direction, share))
    }

    fn is_to_be_pushed(&self, slot: u32) -> bool {
        let slot = slot as usize;
        let layers = self.colliders.traits[slot].layers.memberships;
        let body = self.colliders.placed[slot].body;
        let displaced = self.obstacles.displaced(body);
        layers & self.options.push_layers != 0
            && self.colliders.flags[slot].rank() == Rank::Dynamic
            && !displaced.is_some_and(|one| one.is_walker)
    }

    /// Returns the share of the speed of the first body in the row with which the whole row moves on.
    fn share(&self) -> f32 {
        let state = |body: &u32| &self.colliders.body_states[*body as usize];
        let [first, others @ ..] = &self.row[..] else {
            return 1.0;
        };
        let first = state(first);
        if first.rank != Rank::Dynamic {
            return 1.0;
        }
        let masses = others.iter().map(|body| state(body).inverse_mass.recip());
        (1.0 + first.inverse_mass * masses.sum::<f32>()).recip()
    }

    /// Returns what any body in the row meets first, and the position of that body.
    fn first_of_row(&mut self, way: Vec2) -> Option<(Vec2, Hit)> {
        for at in 1..self.row.len() {
            if let Some(one) = self.obstacles.displaced(self.row[at]) {
                let extent = self.obstacles.extent_of(&one.slots, one.position);
                self.take_over_walkers(&extent.along(way.to_array()));
            }
        }
        let hit = self.first(way);
        let mut first = hit.map(|hit| (self.position, hit));
        let others = (self.row[1..].iter()).filter_map(|body| self.obstacles.displaced(*body));
        for Displaced {
            slots, position, ..
        } in others
        {
            let hit = (self.obstacles).first(slots, *position, way, &self.row);
            let is_earlier = |hit: &Hit| {
                first.is_none_or(|(_, first)| hit.impact.fraction < first.impact.fraction)
            };
            if let Some(hit) = hit.filter(is_earlier) {
                first = Some((*position, hit));
            }
        }
        first
    }

    /// Moves the row.
    fn go_on(&mut self, way: Vec2) {
        self.position += way;
        for at in 1..self.row.len() {
            self.obstacles.push(self.row[at], way);
        }
    }
}
