//! Moving around the corner of a ceiling, and up steps.

use bevy::math::Vec2;

use super::{super::surface::Surface, obstacles::Hit, walk::Walk};
use crate::{
    placed::rounding_along,
    state::rules::is_solid_side,
    sweep::{AT_ONCE, slack},
};

/// At most so many colliders of one ceiling are gone around at a corner.
const MOST_CEILINGS: u32 = 4;
/// With a higher step, rounding would lose the exact position.
const HIGHEST_STEP: f32 = 1.0e4;
/// How far a body has to get on to be on a step, in world units: twice as far as needed, so that rounding does not matter.
const LEAST_STEP: f32 = 4.0 * AT_ONCE;

impl Walk<'_> {
    /// Moves a body that has met the corner of a ceiling aside. Returns the rest of its motion; `None`, and the body stays, if it would have to move too far, the place is not free, or the motion meets another ceiling there.
    pub(super) fn go_around(&mut self, hit: &Hit, left: Vec2) -> Option<Vec2> {
        let Hit { own, other, impact } = *hit;
        // Slanted and round surfaces have no side to move past.
        let is_small = impact.level > 0.0 && impact.level <= self.options.corner_correction;
        if !(self.is_ahead(impact.normal) && is_small) {
            return None;
        }
        let from = self.position;
        let from_other =
            from + self.colliders.placed[own as usize].offset - self.obstacles.center(other);
        let side = impact.normal.perp();
        let side = if from_other.dot(side) < 0.0 {
            -side
        } else {
            side
        };
        // A motion back towards the ceiling would lead into its corner again.
        let rest = left - side * left.dot(side).min(0.0);
        let mut ceiling = *hit;
        let mut aside = 0.0;
        // Flush colliders form one ceiling, and the one that was hit need not be the last of them.
        for _ in 0..MOST_CEILINGS {
            let there = self.obstacles.beside(&ceiling, from, side)?;
            let so_far = (there - from).dot(side);
            let is_small = so_far <= self.options.corner_correction;
            // It may just touch a wall there.
            let slack_aside = slack(there, there, side);
            let is_before = |hit: Hit| (1.0 - hit.impact.fraction) * so_far > slack_aside;
            if so_far <= aside || !is_small || self.first(there - from).is_some_and(is_before) {
                return None;
            }
            aside = so_far;
            self.position = there;
            let slack = slack(there, there, self.ahead);
            // A body whose motion ends just here must not end below another ceiling either.
            let probe = if rest == Vec2::ZERO {
                self.ahead * slack
            } else {
                rest
            };
            let next = self.first(probe).filter(|next| {
                let is_at_once = next.impact.fraction * probe.length() <= slack;
                is_at_once && self.is_ahead(next.impact.normal)
            });
            let Some(next) = next else {
                return Some(rest);
            };
            ceiling = next;
            self.position = from;
        }
        None
    }

    /// Whether a surface is a ceiling, or seen from above a wall ahead.
    fn is_ahead(&self, normal: Vec2) -> bool {
        let surface = Surface::of(normal, self.ahead, self.options.floor_max_slope);
        surface == Surface::Ceiling
    }

    /// Moves a body that has met a wall onto the wall, by what is left of its motion, and no farther than is needed to stand there. Returns what is left then; `None`, and the body stays, if it would not get on at all.
    pub(super) fn step_up(&mut self, wall: &Hit, left: Vec2) -> Option<Vec2> {
        let up = self.up;
        let [left, motion] = [left, self.motion].map(|way| way - up * way.dot(up));
        let from = self.position;
        // With less than this it would not be on the step, but over its corner. If this is all that is left of a longer motion, the body waits for its next motion, and counts as not stopped; if whole motions are shorter, it moves by this much.
        let least_step = LEAST_STEP.max(rounding_along(from, from, up.perp()));
        let least = motion.normalize_or_zero() * least_step;
        let is_enough = left.length_squared() >= least.length_squared();
        let waits = !is_enough && motion.length_squared() >= least.length_squared();
        let across = if is_enough {
            // Moving on by half of its width is enough to stand, for a round body too; more might lead beyond the step.
            let shape = self.colliders.placed[wall.own as usize].outline.shape()?;
            let half = shape.half_extents().dot(up.perp().abs());
            left.clamp_length_max(half.max(least_step))
        } else {
            least
        };
        let so_far = self.path.len();
        let gone = self.step_onto(wall, (across, least_step * 0.5));
        if gone.is_none() || waits {
            self.position = from;
            self.path.truncate(so_far);
        }
        gone.map(|gone| if is_enough { left - gone } else { Vec2::ZERO })
    }

    /// Moves up as far as needed to get on, within the step height and the room there is, on across, and down again to a floor. Returns the way across; if that is `None`, or would be too short, the body may be anywhere.
    fn step_onto(&mut self, wall: &Hit, (across, least): (Vec2, f32)) -> Option<Vec2> {
        let up = self.up;
        let highest = HIGHEST_STEP.min(self.options.step_height.max(0.0));
        let from = self.position;
        let (mut wall, mut risen) = (*wall, 0.0);
        loop {
            let Hit { own, other, .. } = wall;
            // A collider that lets bodies in from above would end up around the body.
            if !is_solid_side(self.colliders, other as usize, own as usize, up) {
                return None;
            }
            // The step is measured from the feet, whichever collider has met it.
            let most = highest - self.above_feet(own);
            // If `up` is not along an axis, the top of what is met is not known.
            let top = self.obstacles.beside(&wall, from, up);
            let height = top.map_or(most, |top| most.min((top - from).dot(up)));
            if height <= risen {
                return None;
            }
            self.go(up * (height - risen));
            risen = height;
            let above = self.position;
            let next = self.go(across);
            let gone = self.position - above;
            let reach = (above - from).dot(up) + slack(above, above, up);
            if gone.length() >= least
                && let Some((floor, _)) = self.floor_below(reach)
            {
                self.path.extend([above, self.position]);
                self.advance(&floor, -up * reach);
                self.path.push(self.position);
                return Some(gone);
            }
            // What is in the way there may be part of the step: try its height.
            self.position = above;
            wall = next?;
        }
    }

    /// Returns how far the bottom of a collider is above the lowest one of its body.
    fn above_feet(&self, own: u32) -> f32 {
        let up = self.up;
        let bottom = |slot: u32| {
            let placed = &self.colliders.placed[slot as usize];
            let half = placed.outline.shape().map(|shape| shape.half_extents());
            half.map(|half| placed.offset.dot(up) - half.dot(up.abs()))
        };
        let solid = self.obstacles.solid(&self.slots);
        let feet = solid.filter_map(bottom).fold(f32::INFINITY, f32::min);
        bottom(own).map_or(0.0, |own| own - feet)
    }
}
