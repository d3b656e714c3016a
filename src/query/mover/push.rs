//! Who goes along with a body that moves at once, for it pushes him.

use bevy::{ecs::entity::Entity, math::Vec2};

use super::{
    super::surface::Surface,
    walk::{Hit, Walk},
};
use crate::{
    broad_phase::Extent,
    placed::{CORNER, Rank, extent_at, rounding},
    state::{colliders::Colliders, walks::Push},
    sweep::slack,
};

/// So many go along, at most.
const MOST_IN_A_ROW: usize = 16;

/// A body that was pushed, or has gone somewhere.
pub(super) struct Pushed {
    /// Its slot.
    pub(super) body: u32,
    /// Its colliders.
    pub(super) slots: Vec<u32>,
    /// Where it is now.
    pub(super) position: Vec2,
    /// It has gone there by itself, and is not to be pushed.
    is_walker: bool,
    /// By the motion at hand, and not before.
    way: Vec2,
}

impl Walk<'_> {
    /// Takes over what others have pushed, or the body itself by an earlier motion.
    pub(super) fn take_over(&mut self, pushes: &[Push]) {
        for &(entity, way) in pushes {
            if let Some(body) = self.colliders.body_slot_of(entity) {
                let at = self.pushed_at(body as u32);
                self.pushed[at].position += way;
            }
        }
    }

    /// Takes over where those have gone by themselves that are in a box now.
    pub(super) fn take_over_walkers(&mut self, extent: &Extent) {
        let entity = self.colliders.entities[self.body as usize];
        let here = extent_of(self.colliders, &self.slots, self.path[0]);
        let walkers = self.known.walks.walked_into(extent, (entity, &here));
        for (walker, position) in walkers {
            let Some(body) = self.colliders.body_slot_of(walker) else {
                continue;
            };
            let before = self.colliders.movers[body].position;
            // Who has stayed may have been pushed.
            if position.distance(before) > CORNER.max(rounding(position, before)) {
                let at = self.pushed_at(body as u32);
                self.pushed[at].position = position;
                self.pushed[at].is_walker = true;
            }
        }
    }

    /// Where a body is that has been pushed, and has not gone there by itself.
    pub(super) fn only_pushed_to(&self, body: u32) -> Option<Vec2> {
        let at = self.find_pushed(body).ok()?;
        let pushed = &self.pushed[at];
        (!pushed.is_walker).then_some(pushed.position)
    }

    /// Where a body is that has been pushed, or has gone somewhere.
    pub(super) fn pushed_to(&self, body: u32) -> Option<Vec2> {
        let at = self.find_pushed(body).ok()?;
        Some(self.pushed[at].position)
    }

    fn find_pushed(&self, body: u32) -> Result<usize, usize> {
        self.pushed.binary_search_by_key(&body, |one| one.body)
    }

    /// Who was pushed by the motion at hand, and how far.
    pub(super) fn newly_pushed(&self) -> Vec<(Entity, Vec2)> {
        let new = self.pushed.iter().filter(|one| one.way != Vec2::ZERO);
        let new = new.map(|one| (self.colliders.entities[one.body as usize], one.way));
        new.collect()
    }

    /// Goes on with what it has hit in front of it, and all that this meets, by what is left of a motion, or as far as they get. The direction, of which nothing is left then, and by what share of its speed they all go on; `None` if what was hit is not for it to be pushed.
    pub(super) fn push(&mut self, hit: &Hit, left: Vec2) -> Option<(Vec2, f32)> {
        let (_, other, impact) = *hit;
        if !self.is_to_be_pushed(other) || self.surface(impact.normal) != Surface::Wall {
            return None;
        }
        let away = -impact.normal;
        // A flat side is pushed straight; and along the floor whatever is round.
        let is_flat = away.abs().cmpeq(Vec2::ONE).any();
        let across = away - self.up * away.dot(self.up);
        let direction = if is_flat {
            away
        } else {
            across.normalize_or_zero()
        };
        let whole = left.length();
        let mut left = left.dot(direction);
        // Past it, or away from it; rounding leaves some of what a push has used up.
        if left <= whole * 1.0e-6 {
            return None;
        }
        let colliders = self.colliders;
        let body_of = |slot: u32| colliders.placed[slot as usize].body;
        self.row.push(body_of(hit.0));
        let mut next = other;
        let share = loop {
            self.row.push(body_of(next));
            let share = self.share();
            let way = direction * (left * share);
            let Some((position, hit)) = self.first_of_row(way) else {
                self.go_on(way);
                break share;
            };
            self.go_on(self.way_to(position, &hit, way));
            left *= 1.0 - hit.2.fraction;
            next = hit.1;
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
        let is_walker = |at: usize| self.pushed[at].is_walker;
        layers & self.options.push_layers != 0
            && self.colliders.parties[slot].rank() == Rank::Dynamic
            && !self.find_pushed(body).is_ok_and(is_walker)
    }

    /// By how much of the speed of the first in the row all of it goes on.
    fn share(&self) -> f32 {
        let mover = |body: &u32| &self.colliders.movers[*body as usize];
        let [first, others @ ..] = &self.row[..] else {
            return 1.0;
        };
        let first = mover(first);
        if first.rank != Rank::Dynamic {
            return 1.0;
        }
        let masses = others.iter().map(|body| mover(body).inverse_mass.recip());
        (1.0 + first.inverse_mass * masses.sum::<f32>()).recip()
    }

    /// What somebody in the row meets first, and where that one is.
    fn first_of_row(&mut self, way: Vec2) -> Option<(Vec2, Hit)> {
        for at in 1..self.row.len() {
            let at = self.pushed_at(self.row[at]);
            let Pushed {
                slots, position, ..
            } = &self.pushed[at];
            let extent = extent_of(self.colliders, slots, *position);
            self.take_over_walkers(&extent.along(way.to_array()));
        }
        let hit = self.first(way);
        let mut first = hit.map(|hit| (self.position, hit));
        for at in 1..self.row.len() {
            let at = self.pushed_at(self.row[at]);
            let slots = std::mem::take(&mut self.pushed[at].slots);
            let position = self.pushed[at].position;
            let hit = self.first_of(&slots, position, way);
            self.pushed[at].slots = slots;
            let is_earlier =
                |hit: &Hit| first.is_none_or(|(_, first)| hit.2.fraction < first.2.fraction);
            if let Some(hit) = hit.filter(is_earlier) {
                first = Some((position, hit));
            }
        }
        first
    }

    /// The way of one in the row to what it hits, to the very coordinate of a side.
    fn way_to(&self, position: Vec2, hit: &Hit, way: Vec2) -> Vec2 {
        let normal = hit.2.normal;
        let there = position + way * hit.2.fraction;
        let beside = self.beside(hit, there, normal).filter(|beside| {
            hit.2.fraction > 0.0
                && (beside - there).abs().max_element() <= slack(there, there, normal)
        });
        beside.unwrap_or(there) - position
    }

    /// Moves the row.
    fn go_on(&mut self, way: Vec2) {
        self.position += way;
        for at in 1..self.row.len() {
            let at = self.pushed_at(self.row[at]);
            let pushed = &mut self.pushed[at];
            pushed.position += way;
            pushed.way += way;
        }
    }

    /// Where a body is among those that were pushed. It comes to them where the newest tick has left it.
    fn pushed_at(&mut self, body: u32) -> usize {
        self.find_pushed(body).unwrap_or_else(|at| {
            let new = Pushed {
                body,
                slots: self.known.parts_of(body as usize),
                position: self.colliders.movers[body as usize].position,
                is_walker: false,
                way: Vec2::ZERO,
            };
            self.pushed.insert(at, new);
            at
        })
    }
}

/// The box around those colliders of a body that do not only report, if it is there.
pub(super) fn extent_of(colliders: &Colliders, slots: &[u32], position: Vec2) -> Extent {
    let solid = slots.iter().map(|&slot| slot as usize);
    let solid = solid.filter(|&slot| !colliders.traits[slot].sensor);
    let extents = solid.filter_map(|slot| {
        let placed = &colliders.placed[slot];
        let shape = placed.outline.shape()?;
        Some(extent_at(shape, position + placed.offset, 0.0))
    });
    extents.fold(Extent::EMPTY, |all, one| all.union(&one))
}
