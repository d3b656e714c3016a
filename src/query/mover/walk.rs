//! The walk of a body that a mover moves.

use bevy::math::Vec2;

use super::{
    super::surface::Surface,
    MoveHit, MoveOptions, Moved,
    obstacles::{Hit, Obstacles},
};
use crate::{kernel::MAX_COORDINATE, state::colliders::Colliders, sweep::slack};

/// At most so many corners are passed in a motion.
const MOST_CORNERS: u32 = 4;
/// At most so many steps are climbed in a motion.
const MOST_STEPS: u32 = 64;

/// A motion counts as level if it rises by less than this part of its length: along a slanted floor, rounding leaves so much.
const LEVEL: f32 = 1.0e-6;

/// A body on its walk.
pub(super) struct Walk<'a> {
    pub(super) obstacles: Obstacles<'a>,
    pub(super) colliders: &'a Colliders,
    pub(super) options: &'a MoveOptions,
    /// The slot of the body.
    pub(super) body: u32,
    /// The slots of its colliders.
    pub(super) slots: Vec<u32>,
    pub(super) position: Vec2,
    /// The whole motion that the body is to make.
    pub(super) motion: Vec2,
    /// The bodies of the row that is pushed at the moment, the moving body first.
    pub(super) row: Vec<u32>,
    /// Where the body started, and where each straight part of its way ended.
    pub(super) path: Vec<Vec2>,
    /// The up direction, of length 1, or 0 if there is none.
    pub(super) up: Vec2,
    /// What faces against this direction is a ceiling whose corners are gone around: `up`, or seen from above the direction in which the body moves at the moment.
    pub(super) ahead: Vec2,
    /// The body stood on a floor before the motion.
    stood: bool,
    /// The motion as a whole leads up.
    goes_up: bool,
}

impl<'a> Walk<'a> {
    /// Prepares the walk of a body with these colliders, from a position by a motion.
    pub(super) fn new(
        obstacles: Obstacles<'a>,
        (body, slots): (u32, Vec<u32>),
        (position, motion): (Vec2, Vec2),
        (options, up): (&'a MoveOptions, Vec2),
    ) -> Self {
        // Division is exact along an axis.
        let up = up / up.length();
        Self {
            colliders: obstacles.colliders,
            obstacles,
            options,
            body,
            slots,
            position,
            motion,
            row: Vec::new(),
            path: vec![position],
            up: if up.is_finite() { up } else { Vec2::ZERO },
            ahead: Vec2::ZERO,
            stood: false,
            goes_up: false,
        }
    }

    /// Moves the body as far as it gets, and down to a floor that is near.
    pub(super) fn run(&mut self) -> Moved {
        let (up, motion) = (self.up, self.motion);
        if self.options.push_layers != 0 {
            // Up stairs, or around corners, it gets farther than the motion is long.
            let up_steps = self.options.step_height * MOST_STEPS as f32;
            let aside = self.options.corner_correction * MOST_CORNERS as f32;
            let reach = self.options.floor_snap_length.max(up_steps).max(aside);
            let here = self.obstacles.extent_of(&self.slots, self.position);
            self.take_over_walkers(&here.grown(motion.length() + reach.max(0.0)));
        }
        let near = slack(self.position, self.position, up);
        self.stood = self.floor_below(near).is_some();
        self.goes_up = motion.dot(up) > motion.length() * LEVEL;
        let mut moved = Moved {
            motion,
            ..Moved::default()
        };
        self.slide(&mut moved);
        if !self.goes_up {
            let slack = slack(self.position, self.position, up);
            let reach = if self.stood {
                self.options.floor_snap_length.max(slack)
            } else {
                slack
            };
            // Nothing is farther away, and a motion must be finite.
            let reach = reach.min(MAX_COORDINATE);
            if let Some((hit, way)) = self.floor_below(reach) {
                if way > 0.0 {
                    self.advance(&hit, -up * reach);
                    self.path.push(self.position);
                }
                // The motion may end above a floor by so little that the body stands on it, and has hit nothing.
                let has_landed = !self.stood && moved.hit_on(Surface::Floor).is_none();
                if has_landed && motion.dot(up) < 0.0 && self.may_hit_more(&moved) {
                    moved.hits.push(self.tell(&hit));
                }
                // By less, a body that stood walks along the floor, which may lead down if `up` is aslant.
                if way > slack || has_landed {
                    moved.motion = without_fall(moved.motion, up);
                }
                moved.floor = Some(hit.impact.normal);
                moved.floor_entity = Some(self.colliders.entities[hit.other as usize]);
                moved.floor_body = Some(self.colliders.body_entities[hit.other as usize]);
            }
        }
        moved.position = self.position;
        moved.pushed = self.obstacles.newly_pushed();
        moved
    }

    pub(super) fn surface(&self, normal: Vec2) -> Surface {
        Surface::of(normal, self.up, self.options.floor_max_slope)
    }

    /// Moves on until the motion is used up, along surfaces that are met, and up steps.
    fn slide(&mut self, moved: &mut Moved) {
        let (up, motion) = (self.up, self.motion);
        let mut left = motion;
        // The part of the motion that the body still strives for, and the part of its speed that it shares with what it pushes.
        let (mut wish, mut along) = (motion, Vec2::ZERO);
        let (mut corners, mut steps) = (0, 0);
        let most_up = motion.dot(up).max(0.0);
        while self.may_hit_more(moved) {
            self.ahead = if up == Vec2::ZERO {
                left.normalize_or_zero()
            } else {
                up
            };
            let hit = self.go(left);
            self.path.push(self.position);
            let Some(hit) = hit else {
                return;
            };
            left *= 1.0 - hit.impact.fraction;
            if corners < MOST_CORNERS
                && (self.goes_up || self.up == Vec2::ZERO)
                && let Some(rest) = self.go_around(&hit, left)
            {
                corners += 1;
                left = rest;
                self.path.push(self.position);
                continue;
            }
            if self.stood
                && !self.goes_up
                && steps < MOST_STEPS
                && self.surface(hit.impact.normal) == Surface::Wall
                && let Some(rest) = self.step_up(&hit, left)
            {
                steps += 1;
                left = rest;
                // The body stands on the step: the downward part is lost there.
                moved.motion = without_fall(moved.motion, up);
                continue;
            }
            let normal = hit.impact.normal;
            moved.hits.push(self.tell(&hit));
            if let Some((way, share)) = self.push(&hit, left, moved.motion) {
                self.path.push(self.position);
                left -= way * left.dot(way);
                wish -= way * wish.dot(way);
                moved.motion -= way * (moved.motion.dot(way) * (1.0 - share));
                along = way * moved.motion.dot(way);
                continue;
            }
            left -= normal * left.dot(normal).min(0.0);
            // Across, the body keeps its speed: only this motion is shorter uphill.
            let is_floor = !self.goes_up && self.surface(normal) == Surface::Floor;
            let lost = if is_floor { up } else { normal };
            // What the body pushes gives way to the shared part, and stops only the rest, when it is met again.
            let met = self.colliders.placed[hit.other as usize].body;
            let kept = self
                .obstacles
                .only_pushed_to(met)
                .map_or(Vec2::ZERO, |_| along);
            moved.motion -= lost * (moved.motion - kept).dot(lost).min(0.0);
            // Uphill, and over round things, the surface lifts the body, not its own speed: otherwise it would fly in the next motion.
            moved.motion -= up * (moved.motion.dot(up) - most_up).max(0.0);
            // A floor has taken the fall; but on a slope, that may be what leads the body on, back down.
            let level = without_fall(wish, up);
            if is_floor && left.dot(level) > 0.0 {
                wish = level;
            }
            // Moving back against the intended direction is no slide. A floor takes nothing across even then.
            if left.dot(wish) < 0.0 {
                if !is_floor {
                    moved.motion = Vec2::ZERO;
                }
                return;
            }
        }
    }

    /// Moves by a motion, or up to what is hit on the way. Returns the hit.
    pub(super) fn go(&mut self, motion: Vec2) -> Option<Hit> {
        let hit = self.first(motion);
        match &hit {
            Some(hit) => self.advance(hit, motion),
            None => self.position += motion,
        }
        hit
    }

    /// Moves up to a hit, to the exact coordinate of a flat side.
    pub(super) fn advance(&mut self, hit: &Hit, motion: Vec2) {
        self.position = self.obstacles.arrive(hit, self.position, motion);
    }

    fn may_hit_more(&self, moved: &Moved) -> bool {
        moved.hits.len() < self.options.max_slides as usize
    }

    /// Returns what the game learns of a hit, with the body where it is now.
    fn tell(&self, hit: &Hit) -> MoveHit {
        let (other, normal) = (hit.other as usize, hit.impact.normal);
        MoveHit {
            entity: self.colliders.entities[other],
            body: self.colliders.body_entities[other],
            normal,
            point: self.touching_point(hit),
            position: self.position,
            surface: self.surface(normal),
        }
    }

    /// Returns the point where both colliders of a hit touch, with the body where it is now.
    fn touching_point(&self, hit: &Hit) -> Vec2 {
        let both = [hit.own, hit.other];
        let [own, other] = both.map(|slot| &self.colliders.placed[slot as usize]);
        let anchor = self.obstacles.center(hit.other);
        let from_anchor = self.position + own.offset - anchor;
        let shape = own.outline.shape();
        let touching = |shape| {
            let normal = Some(hit.impact.normal);
            anchor + other.outline.touching_point(shape, from_anchor, normal)
        };
        shape.map_or(self.position, touching)
    }

    /// Returns the floor below within reach, and its distance.
    pub(super) fn floor_below(&self, reach: f32) -> Option<(Hit, f32)> {
        let up = self.up;
        if up == Vec2::ZERO {
            return None;
        }
        let hit = self.first(-up * reach)?;
        let is_floor = self.surface(hit.impact.normal) == Surface::Floor;
        is_floor.then_some((hit, hit.impact.fraction * reach))
    }

    /// Returns the first impact of a motion from where the body is.
    pub(super) fn first(&self, motion: Vec2) -> Option<Hit> {
        (self.obstacles).first(&self.slots, self.position, motion, &self.row)
    }
}

/// Returns a motion without the part that leads down.
fn without_fall(motion: Vec2, up: Vec2) -> Vec2 {
    motion - up * motion.dot(up).min(0.0)
}
