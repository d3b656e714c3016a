//! The way of a body that moves at once.

use std::ops::ControlFlow;

use bevy::{
    ecs::{hierarchy::Children, prelude::Query},
    math::Vec2,
};

use super::{
    super::surface::Surface,
    MoveHit, MoveOptions, Moved,
    push::{Pushed, extent_of},
};
use crate::{
    allow_disabled::AllowDisabled,
    kernel::{MAX_COORDINATE, Outline},
    placed::{Placed, Rank, compare_places, extent_at, rounding_along},
    state::{
        candidates::Candidates,
        colliders::Colliders,
        rules::{are_solid, is_one_way, is_solid_side, meet_solid_sides},
        walks::{Met, Pass, Walks},
    },
    sweep::{
        AT_ONCE, Across, Impact, each_over_a_seam, first_impact, impact, parts_of_motion, slack,
        touching_coordinate,
    },
    tick::gather::AnyCollider,
};

/// So many corners of a motion are gone around, at most.
const MOST_CORNERS: u32 = 4;
/// And so many steps are gone up.
const MOST_STEPS: u32 = 64;
/// Of a higher one, rounding would lose where it is.
const HIGHEST_STEP: f32 = 1.0e4;
/// How far a body has to get on to be on a step, in world units: twice as far, so that rounding does not matter.
const LEAST_STEP: f32 = 4.0 * AT_ONCE;

/// Of its length, a motion leads up by less than this if it is level: along a slanted floor, rounding leaves so much.
const LEVEL: f32 = 1.0e-6;

/// An impact with both colliders.
pub(super) type Hit = (u32, u32, Impact);

/// What the newest tick has left.
pub(super) struct Known<'a> {
    pub(super) colliders: &'a Colliders,
    pub(super) candidates: &'a Candidates,
    pub(super) walks: &'a Walks,
    /// Whoever is still there.
    pub(super) alive: &'a Query<'a, 'a, (), AnyCollider>,
    // Tiles are children too: a look at all there are would cost more than the way.
    pub(super) families: &'a Query<'a, 'a, &'static Children, AllowDisabled>,
}

impl Known<'_> {
    /// Whether a collider is still there.
    pub(super) fn is_there(&self, slot: usize) -> bool {
        self.alive.contains(self.colliders.entities[slot])
    }

    /// The colliders of a body that still hang on it.
    pub(super) fn parts_of(&self, body: usize) -> Vec<u32> {
        let entity = self.colliders.entities[body];
        let parts = (self.colliders).parts_of(self.families, (entity, body), Vec::new());
        let parts = parts.filter(|&slot| self.is_there(slot));
        parts.map(|slot| slot as u32).collect()
    }
}

/// A body on its way.
pub(super) struct Walk<'a> {
    pub(super) known: Known<'a>,
    pub(super) colliders: &'a Colliders,
    pub(super) options: &'a MoveOptions,
    /// Its slot.
    pub(super) body: u32,
    /// Its colliders.
    pub(super) slots: Vec<u32>,
    around: Vec<u32>,
    pub(super) position: Vec2,
    /// Who is not where the newest tick has left him, for he was pushed, or has gone somewhere; sorted.
    pub(super) pushed: Vec<Pushed>,
    /// Who goes along with the body just now.
    pub(super) row: Vec<u32>,
    /// Where it set out, and then where each straight part of its way ended.
    pub(super) path: Vec<Vec2>,
    /// Of length 1, or 0 if there is none.
    pub(super) up: Vec2,
    /// It stood before it set out.
    stood: bool,
    /// Its motion leads up, as a whole.
    goes_up: bool,
}

impl<'a> Walk<'a> {
    /// Of a body with these colliders, from where it is.
    pub(super) fn new(
        known: Known<'a>,
        (body, slots): (u32, Vec<u32>),
        position: Vec2,
        (options, up): (&'a MoveOptions, Vec2),
    ) -> Self {
        // Divided, which is exact along an axis.
        let up = up / up.length();
        Self {
            colliders: known.colliders,
            known,
            options,
            body,
            slots,
            around: Vec::new(),
            position,
            pushed: Vec::new(),
            row: Vec::new(),
            path: vec![position],
            up: if up.is_finite() { up } else { Vec2::ZERO },
            stood: false,
            goes_up: false,
        }
    }

    /// Goes as far as it gets, and down to a floor that is near.
    pub(super) fn run(&mut self, motion: Vec2) -> Moved {
        let up = self.up;
        let nothing = slack(self.position, self.position, up);
        if self.options.push_layers != 0 {
            let reach = self.options.floor_snap_length.max(self.options.step_height);
            let here = extent_of(self.colliders, &self.slots, self.position);
            self.take_over_walkers(&here.grown(motion.length() + reach.max(0.0)));
        }
        self.stood = self.floor_below(nothing).is_some();
        self.goes_up = motion.dot(up) > motion.length() * LEVEL;
        let mut moved = Moved {
            motion,
            ..Moved::default()
        };
        self.slide(motion, &mut moved);
        if !self.goes_up {
            let nothing = slack(self.position, self.position, up);
            let reach = if self.stood {
                self.options.floor_snap_length.max(nothing)
            } else {
                nothing
            };
            // Nothing is farther away, and infinity is no motion.
            let reach = reach.min(MAX_COORDINATE);
            if let Some((hit, way)) = self.floor_below(reach) {
                if way > 0.0 {
                    self.advance(&hit, -up * reach);
                    self.path.push(self.position);
                }
                moved.floor = Some(hit.2.normal);
                moved.floor_entity = Some(self.colliders.entities[hit.1 as usize]);
            }
        }
        moved.position = self.position;
        moved.pushed = self.newly_pushed();
        moved
    }

    /// What is to be known of it.
    pub(super) fn met(&self, moved: &Moved) -> Met {
        let passes_some = !self.colliders.passable.members().is_empty();
        let (passes, length) = if passes_some {
            self.passed()
        } else {
            (Vec::new(), 0.0)
        };
        Met {
            position: self.position,
            extent: extent_of(self.colliders, &self.slots, self.position),
            passes,
            length,
            pushes: moved.pushed.clone(),
        }
    }

    /// What it met on its way, and was not stopped by: of each pair of colliders first as they first met. Also how long the way was.
    fn passed(&self) -> (Vec<Pass>, f32) {
        let mut passes = Vec::new();
        let mut length = 0.0;
        for leg in self.path.windows(2) {
            let (from, way) = (leg[0], leg[1] - leg[0]);
            let gone = way.length();
            if gone > 0.0 {
                self.pass(from, way, |pass| {
                    let at = length + pass.at * gone;
                    passes.push(Pass { at, ..pass });
                });
            }
            length += gone;
        }
        (passes, length)
    }

    /// The same of one straight part of its way: as fractions of that.
    fn pass(&self, from: Vec2, way: Vec2, mut found: impl FnMut(Pass)) {
        let Colliders {
            placed,
            entities,
            body_entities,
            passable,
            ..
        } = self.colliders;
        for &own in &self.slots {
            let collider = &placed[own as usize];
            let Outline::Shape(shape) = collider.outline else {
                continue;
            };
            let center = from + collider.offset;
            let around = extent_at(shape, center, 0.0).along(way.to_array());
            let passes_all = passable.contains(own as usize);
            let _ = self
                .known
                .candidates
                .around(self.colliders, &around, |seen| {
                    let other = seen.slot();
                    let target = &placed[other];
                    let may_pass = passes_all || passable.contains(other);
                    if target.body != collider.body && may_pass && self.known.is_there(other) {
                        // Who has gone on by himself is met where the tick has seen him.
                        let place = self.center_at(target, self.only_pushed_to(target.body));
                        let met = impact(collider, target, place - center, way);
                        let met = met.filter(|impact| !self.is_stopped(own, other as u32, impact));
                        if let Some(impact) = met {
                            found(Pass {
                                colliders: [own as usize, other].map(|slot| entities[slot]),
                                others_body: body_entities[other],
                                places: [center + way * impact.fraction, place],
                                normal: impact.normal,
                                at: impact.fraction,
                                parts: impact.is_parting(),
                            });
                        }
                    }
                    ControlFlow::Continue(())
                });
        }
    }

    pub(super) fn surface(&self, normal: Vec2) -> Surface {
        Surface::of(normal, self.up, self.options.floor_max_slope)
    }

    /// Goes on until the motion is used up, along whatever is met, and up steps or not.
    fn slide(&mut self, motion: Vec2, moved: &mut Moved) {
        let up = self.up;
        let mut left = motion;
        // What is left to wish for, and of the motion what goes on with what is pushed.
        let (mut wish, mut along) = (motion, Vec2::ZERO);
        let (mut corners, mut steps) = (0, 0);
        let most_up = motion.dot(up).max(0.0);
        while moved.hits.len() < self.options.max_slides as usize {
            let hit = self.go(left);
            self.path.push(self.position);
            let Some(hit) = hit else {
                return;
            };
            left *= 1.0 - hit.2.fraction;
            if corners < MOST_CORNERS
                && self.goes_up
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
                && self.surface(hit.2.normal) == Surface::Wall
                && let Some(rest) = self.step_up(&hit, (left, motion))
            {
                steps += 1;
                left = rest;
                // It stands on the step: what led down is lost there.
                moved.motion -= up * moved.motion.dot(up).min(0.0);
                continue;
            }
            let normal = hit.2.normal;
            moved.hits.push(MoveHit {
                entity: self.colliders.entities[hit.1 as usize],
                body: self.colliders.body_entities[hit.1 as usize],
                normal,
                point: self.touching_point(&hit),
                position: self.position,
                surface: self.surface(normal),
            });
            if let Some((way, share)) = self.push(&hit, left) {
                self.path.push(self.position);
                left -= way * left.dot(way);
                wish -= way * wish.dot(way);
                moved.motion -= way * (moved.motion.dot(way) * (1.0 - share));
                along = way * moved.motion.dot(way);
                continue;
            }
            left -= normal * left.dot(normal).min(0.0);
            // Across it walks on as fast as before: only this motion is shorter uphill.
            let lost = if !self.goes_up && self.surface(normal) == Surface::Floor {
                up
            } else {
                normal
            };
            // What it pushes gives way to that part, and stops only the rest, where it is met again.
            let met = self.colliders.placed[hit.1 as usize].body;
            let kept = self.only_pushed_to(met).map_or(Vec2::ZERO, |_| along);
            moved.motion -= lost * (moved.motion - kept).dot(lost).min(0.0);
            // Uphill, and over what is round, it goes by what is below, and not by itself: else it would be in the air in the next motion, or fly.
            moved.motion -= up * (moved.motion.dot(up) - most_up).max(0.0);
            // Back against the wish is no slide.
            if left.dot(wish) < 0.0 {
                moved.motion = Vec2::ZERO;
                return;
            }
        }
    }

    /// Goes by a motion, or as far as to what is hit on the way.
    fn go(&mut self, motion: Vec2) -> Option<Hit> {
        let hit = self.first(motion);
        match &hit {
            Some(hit) => self.advance(hit, motion),
            None => self.position += motion,
        }
        hit
    }

    /// Goes as far as a hit, to the very coordinate of a side.
    fn advance(&mut self, hit: &Hit, motion: Vec2) {
        let impact = &hit.2;
        self.position += motion * impact.fraction;
        if impact.fraction > 0.0
            && let Some(there) = self.beside(hit, self.position, impact.normal)
            && (there - self.position).abs().max_element()
                <= slack(self.position, self.center(hit.1), impact.normal)
        {
            self.position = there;
        }
    }

    /// Where both colliders of a hit touch, where the body is now.
    fn touching_point(&self, (own, other, impact): &Hit) -> Vec2 {
        let [own, other_placed] = [own, other].map(|slot| &self.colliders.placed[*slot as usize]);
        let anchor = self.center(*other);
        let from_anchor = self.position + own.offset - anchor;
        let shape = own.outline.shape();
        let touching = |shape| {
            let outline = other_placed.outline;
            anchor + outline.touching_point(shape, from_anchor, Some(impact.normal))
        };
        shape.map_or(self.position, touching)
    }

    /// From a position, the nearest one in which both colliders of a hit touch by the side of the other one that has this normal. `None` if that is not along an axis.
    pub(super) fn beside(&self, (own, other, _): &Hit, from: Vec2, normal: Vec2) -> Option<Vec2> {
        let axis = normal.abs();
        if axis != Vec2::X && axis != Vec2::Y {
            return None;
        }
        let anchor = self.center(*other);
        let [own, other] = [own, other].map(|slot| &self.colliders.placed[*slot as usize]);
        let place = touching_coordinate(own, other, anchor, normal)?;
        let there = Vec2::splat(place) - own.offset;
        Some(Vec2::select(axis.cmpgt(Vec2::ZERO), there, from))
    }

    /// Puts a body that has come to the corner of a ceiling aside of it. What is left then of its motion; `None`, and it stays, if that is too far or not free, or leads into another ceiling there.
    fn go_around(&mut self, hit: &Hit, left: Vec2) -> Option<Vec2> {
        let (own, other, impact) = hit;
        let is_ceiling = self.surface(impact.normal) == Surface::Ceiling;
        // What is slanted, or round, has no side that could be missed.
        let is_small = impact.level > 0.0 && impact.level <= self.options.corner_correction;
        if !(is_ceiling && is_small) {
            return None;
        }
        let from = self.position;
        let from_other = from + self.colliders.placed[*own as usize].offset - self.center(*other);
        let side = impact.normal.perp();
        let side = if from_other.dot(side) < 0.0 {
            -side
        } else {
            side
        };
        // Corner to corner, what leads back would lead into the same ceiling.
        let rest = left - side * left.dot(side).min(0.0);
        let mut ceiling = *hit;
        let mut aside = 0.0;
        // Flush pieces are one ceiling, and the one that was hit need not be the last of them.
        for _ in 0..MOST_CORNERS {
            let there = self.beside(&ceiling, from, side)?;
            let so_far = (there - from).dot(side);
            let is_small = so_far <= self.options.corner_correction;
            if so_far <= aside || !is_small || self.first(there - from).is_some() {
                return None;
            }
            aside = so_far;
            self.position = there;
            let nothing = slack(there, there, self.up);
            // Whose motion ends just here is below a ceiling all the same.
            let probe = if rest == Vec2::ZERO {
                self.up * nothing
            } else {
                rest
            };
            let next = self.first(probe).filter(|(.., next)| {
                let is_at_once = next.fraction * probe.length() <= nothing;
                is_at_once && self.surface(next.normal) == Surface::Ceiling
            });
            let Some(next) = next else {
                return Some(rest);
            };
            ceiling = next;
            self.position = from;
        }
        None
    }

    /// Puts a body that has come to a wall onto it, by what is left of a motion, and no farther than it takes to stand there. What is left then; `None`, and it stays, if that way it gets on by nothing.
    fn step_up(&mut self, wall: &Hit, (left, motion): (Vec2, Vec2)) -> Option<Vec2> {
        let up = self.up;
        let [left, motion] = [left, motion].map(|way| way - up * way.dot(up));
        let from = self.position;
        // By less than this it would not be on the step, but over its corner. Who has come to it with no more than that left goes up the next time, and has not been stopped; and who never has more goes as far as it takes.
        let least_step = LEAST_STEP.max(rounding_along(from, from, up.perp()));
        let least = motion.normalize_or_zero() * least_step;
        let is_enough = left.length_squared() >= least.length_squared();
        let waits = !is_enough && motion.length_squared() >= least.length_squared();
        let across = if is_enough {
            // By half of its width it stands, round or not; by more it might be beyond the step.
            let shape = self.colliders.placed[wall.0 as usize].outline.shape()?;
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

    /// Up as far as it takes to get on, it may and there is room, on across, and down again to a floor. How far it has got across; if that is `None`, or would be too little, it may end anywhere.
    fn step_onto(&mut self, wall: &Hit, (across, least): (Vec2, f32)) -> Option<Vec2> {
        let up = self.up;
        let highest = HIGHEST_STEP.min(self.options.step_height.max(0.0));
        let from = self.position;
        let (mut wall, mut risen) = (*wall, 0.0);
        loop {
            let (own, other, _) = wall;
            // Who is let in from above would end within.
            if !is_solid_side(self.colliders, other as usize, own as usize, up) {
                return None;
            }
            // It is as high as it is above the feet, whichever part has met it.
            let most = highest - self.above_feet(own);
            // Seen from a slanted up, what is met has no top that could be told.
            let top = self.beside(&wall, from, up);
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
            // What is in the way there may be part of the step.
            self.position = above;
            wall = next?;
        }
    }

    /// How far the bottom of a collider is above the lowest one of its body.
    fn above_feet(&self, own: u32) -> f32 {
        let up = self.up;
        let bottom = |slot: u32| {
            let placed = &self.colliders.placed[slot as usize];
            let half = placed.outline.shape().map(|shape| shape.half_extents());
            half.map(|half| placed.offset.dot(up) - half.dot(up.abs()))
        };
        let is_sensor = |slot: u32| self.colliders.traits[slot as usize].sensor;
        let solid = self.slots.iter().copied().filter(|slot| !is_sensor(*slot));
        let feet = solid.filter_map(bottom).fold(f32::INFINITY, f32::min);
        bottom(own).map_or(0.0, |own| own - feet)
    }

    /// Where a collider is.
    fn center(&self, slot: u32) -> Vec2 {
        let placed = &self.colliders.placed[slot as usize];
        self.center_at(placed, self.pushed_to(placed.body))
    }

    /// The same if its body has come to a position since the tick, or has not.
    fn center_at(&self, placed: &Placed, position: Option<Vec2>) -> Vec2 {
        match position {
            None => placed.center(&self.colliders.movers),
            Some(position) => position + placed.offset,
        }
    }

    /// What is met below, and how far.
    fn floor_below(&mut self, reach: f32) -> Option<(Hit, f32)> {
        let up = self.up;
        if up == Vec2::ZERO {
            return None;
        }
        let hit = self.first(-up * reach)?;
        let is_floor = self.surface(hit.2.normal) == Surface::Floor;
        is_floor.then_some((hit, hit.2.fraction * reach))
    }

    /// The first solid thing that a motion from where the body is leads into. Of several at once it is what is flat, of that what gives no way, and then what it meets with the most of its side: all of them stop it.
    pub(super) fn first(&mut self, motion: Vec2) -> Option<Hit> {
        let slots = std::mem::take(&mut self.slots);
        let hit = self.first_of(&slots, self.position, motion);
        self.slots = slots;
        hit
    }

    /// The same of any body with these colliders.
    pub(super) fn first_of(&mut self, slots: &[u32], position: Vec2, motion: Vec2) -> Option<Hit> {
        if motion == Vec2::ZERO {
            return None;
        }
        let Colliders { placed, movers, .. } = self.colliders;
        let mut hits: Vec<Hit> = Vec::new();
        // What some collider of it is in, and lets the others in as well if it is solid on one side only.
        let mut within = Vec::new();
        let mut sunk = Vec::new();
        let mut around = std::mem::take(&mut self.around);
        for &own in slots {
            let collider: &Placed = &placed[own as usize];
            let Outline::Shape(shape) = collider.outline else {
                continue;
            };
            let center = position + collider.offset;
            let way = extent_at(shape, center, 0.0).along(motion.to_array());
            around.clear();
            let _ = self.known.candidates.around(self.colliders, &way, |seen| {
                if self.known.is_there(seen.slot()) {
                    around.push(seen.slot() as u32);
                }
                ControlFlow::Continue(())
            });
            // Who was pushed is found where he was, and may be elsewhere.
            for one in &self.pushed {
                let slots = one.slots.iter().copied();
                around.extend(slots.filter(|&slot| {
                    let Outline::Shape(shape) = placed[slot as usize].outline else {
                        return false;
                    };
                    let there = one.position + placed[slot as usize].offset;
                    extent_at(shape, there, 0.0).meets(&way)
                }));
            }
            if !self.pushed.is_empty() {
                around.sort_unstable();
                around.dedup();
            }
            for &other in &around {
                let target = &placed[other as usize];
                if target.body == collider.body || self.row.contains(&target.body) {
                    continue;
                }
                let offset = self.center(other) - center;
                for &part in parts_of_motion(target, is_one_way(self.colliders, other as usize)) {
                    let met = impact(collider, target, offset, motion * part);
                    let is_in_it = met.is_some_and(|impact| impact.is_deep);
                    if is_in_it && is_solid_one_way(self.colliders, own, other) {
                        within.push(other);
                    }
                    let hit = met.filter(|impact| {
                        !impact.is_parting() && self.is_stopped(own, other, impact)
                    });
                    hits.extend(hit.map(|impact| (own, other, impact)));
                }
                let across = self.across(own, other, offset, motion);
                sunk.extend(across.map(|across| (own, other, across)));
            }
        }
        self.around = around;
        hits.retain(|(_, other, _)| !within.contains(other));
        each_over_a_seam(
            &mut sunk,
            |(_, other, across)| (*other, *across),
            |(own, other, across)| {
                hits.retain(|hit| (hit.0, hit.1) != (*own, *other));
                let is_hit = !across.impact.is_parting();
                hits.extend(is_hit.then_some((*own, *other, across.impact)));
            },
        );
        let place = |hit: &&Hit| self.center(hit.1);
        let rank = |hit: &&Hit| movers[placed[hit.1 as usize].body as usize].rank;
        first_impact(
            hits.iter(),
            |hit| &hit.2,
            |_| Rank::Static,
            motion.length(),
            |a, b| {
                let firmer = rank(b).cmp(&rank(a));
                // Of two bricks over a head, that of which more is over it.
                let larger = b.2.level.total_cmp(&a.2.level);
                let places = compare_places(place(a), place(b));
                firmer
                    .then(larger)
                    .then(places)
                    .then((a.0, a.1).cmp(&(b.0, b.1)))
            },
        )
        .copied()
    }

    /// The way across what a collider at an offset from it begins sunk in, if that gives no way and stops it.
    fn across(&self, own: u32, other: u32, offset: Vec2, motion: Vec2) -> Option<Across> {
        let Colliders { placed, movers, .. } = self.colliders;
        let target = &placed[other as usize];
        let (Outline::Shape(shape), Outline::Shape(wall)) =
            (placed[own as usize].outline, target.outline)
        else {
            return None;
        };
        let across = Across::new(shape, wall, offset, motion)?;
        let gives_way = movers[target.body as usize].rank == Rank::Dynamic;
        let counts = !gives_way && self.is_stopped(own, other, &across.impact);
        counts.then_some(across)
    }

    /// A kinematic body that moves itself is stopped too.
    fn is_stopped(&self, own: u32, other: u32, impact: &Impact) -> bool {
        let (own, other) = (own as usize, other as usize);
        are_solid(self.colliders, own, other)
            && meet_solid_sides(self.colliders, own, other, impact)
    }
}

/// Whether it is solid to a collider, and on one side only.
fn is_solid_one_way(colliders: &Colliders, own: u32, other: u32) -> bool {
    let (own, other) = (own as usize, other as usize);
    is_one_way(colliders, other)
        && !colliders.traits[own].drops_through
        && are_solid(colliders, own, other)
}
