//! What a body that a mover moves may meet, and where that is by now.

use std::{cmp::Ordering, ops::ControlFlow};

use bevy::{ecs::entity::Entity, math::Vec2};

use super::Mover;
use crate::{
    broad_phase::Extent,
    components::CollisionLayers,
    kernel::Outline,
    placed::{CORNER, Placed, Rank, compare_outlines, compare_places, extent_at, rounding},
    state::{
        colliders::Colliders,
        rules::{are_solid, are_solid_on, is_one_way, meet_solid_sides},
        walks::Push,
    },
    sweep::{
        Across, SweepImpact, axes_to_cast, each_over_a_seam, first_impact, impact, is_by_corner,
        slack, touching_position,
    },
};

/// A collider of the body hits another one.
#[derive(Clone, Copy)]
pub(super) struct Hit {
    pub(super) own: u32,
    pub(super) other: u32,
    pub(super) impact: SweepImpact,
}

/// A collider of the body begins sunk in another one, and goes across.
struct Sunk {
    own: u32,
    other: u32,
    across: Across,
}

/// What the newest tick has left, and which bodies are elsewhere since.
pub(super) struct Obstacles<'a> {
    pub(super) mover: &'a Mover<'a, 'a>,
    pub(super) colliders: &'a Colliders,
    /// The slot of the walking body, and the layers that its colliders have on this walk, if others than the tick has seen.
    walker: (u32, Option<CollisionLayers>),
    /// Bodies that are elsewhere, sorted by body.
    pub(super) displaced: Vec<Displaced>,
    /// Which bodies the present motion has pushed, in the order in which it met them, and how far.
    pub(super) pushed: Vec<(u32, Vec2)>,
}

/// A body that is no longer where the newest tick left it, because it was pushed, or a mover moved it.
pub(super) struct Displaced {
    /// The slot of the body.
    body: u32,
    /// The slots of its colliders.
    pub(super) slots: Vec<u32>,
    /// The present position of the body.
    pub(super) position: Vec2,
    /// A mover has moved the body, so it is not to be pushed.
    pub(super) is_walker: bool,
}

impl<'a> Obstacles<'a> {
    /// As the newest tick has left it, for the walk of a body.
    pub(super) fn new(mover: &'a Mover<'a, 'a>, walker: (u32, Option<CollisionLayers>)) -> Self {
        Self {
            mover,
            colliders: &mover.colliders,
            walker,
            displaced: Vec::new(),
            pushed: Vec::new(),
        }
    }

    /// Whether a collider still exists.
    pub(super) fn is_there(&self, slot: usize) -> bool {
        self.mover.alive.contains(self.colliders.entities[slot])
    }

    /// Returns the slots of the existing colliders that are still parts of a body.
    pub(super) fn parts_of(&self, body: usize) -> Vec<u32> {
        let entity = self.colliders.entities[body];
        let families = &self.mover.families;
        let parts = (self.colliders).parts_of(families, (entity, body), Vec::new());
        let parts = parts.filter(|&slot| self.is_there(slot));
        parts.map(|slot| slot as u32).collect()
    }

    /// Returns those of a body's colliders that are no sensors.
    pub(super) fn solid(&self, slots: &[u32]) -> impl Iterator<Item = u32> {
        let slots = slots.iter().copied();
        slots.filter(|&slot| !self.colliders.flags[slot as usize].is_sensor())
    }

    /// Returns the box around those colliders of a body that are no sensors, with the body at `position`.
    pub(super) fn extent_of(&self, slots: &[u32], position: Vec2) -> Extent {
        let extents = self.solid(slots).filter_map(|slot| {
            let placed = &self.colliders.placed[slot as usize];
            let shape = placed.outline.shape()?;
            Some(extent_at(shape, position + placed.offset, 0.0))
        });
        extents.fold(Extent::EMPTY, |all, one| all.union(&one))
    }

    /// Takes over earlier pushes, by other bodies or by an earlier motion of this one.
    pub(super) fn take_over(&mut self, pushes: &[Push]) {
        for &(entity, way) in pushes {
            if let Some(body) = self.colliders.body_slot_of(entity) {
                self.displace(body as u32).position += way;
            }
        }
    }

    /// Takes over the positions of bodies that movers have moved into a box, or out of it; except the body `own` and those that overlap its own box.
    pub(super) fn take_over_walkers(&mut self, extent: &Extent, own: (Entity, &Extent)) {
        for (walker, position) in self.mover.walks.walkers_around(extent, own) {
            let Some(body) = self.colliders.body_slot_of(walker) else {
                continue;
            };
            let before = self.colliders.body_states[body].position;
            // A body that its mover left in place may have been pushed.
            if position.distance(before) > CORNER.max(rounding(position, before)) {
                let walker = self.displace(body as u32);
                walker.position = position;
                walker.is_walker = true;
            }
        }
    }

    /// Returns the entry of a displaced body; adds one, at the position that the newest tick left, if there is none.
    pub(super) fn displace(&mut self, body: u32) -> &mut Displaced {
        let at = self.find_displaced(body).unwrap_or_else(|at| {
            let new = Displaced {
                body,
                slots: self.parts_of(body as usize),
                position: self.colliders.body_states[body as usize].position,
                is_walker: false,
            };
            self.displaced.insert(at, new);
            at
        });
        &mut self.displaced[at]
    }

    /// Returns the entry of a body, if it is displaced.
    pub(super) fn displaced(&self, body: u32) -> Option<&Displaced> {
        let at = self.find_displaced(body).ok()?;
        Some(&self.displaced[at])
    }

    fn find_displaced(&self, body: u32) -> Result<usize, usize> {
        self.displaced.binary_search_by_key(&body, |one| one.body)
    }

    /// Returns the position of a body that was pushed, and not moved by its own mover.
    pub(super) fn only_pushed_to(&self, body: u32) -> Option<Vec2> {
        let pushed = self.displaced(body).filter(|one| !one.is_walker)?;
        Some(pushed.position)
    }

    /// Pushes a body.
    pub(super) fn push(&mut self, body: u32, way: Vec2) {
        self.displace(body).position += way;
        match self.pushed.iter_mut().find(|known| known.0 == body) {
            Some(known) => known.1 += way,
            None => self.pushed.push((body, way)),
        }
    }

    /// Returns the bodies that the present motion has pushed, and how far.
    pub(super) fn newly_pushed(&self) -> Vec<Push> {
        let new = self.pushed.iter().filter(|(_, way)| *way != Vec2::ZERO);
        let new = new.map(|&(body, way)| (self.colliders.entities[body as usize], way));
        new.collect()
    }

    /// Returns the present center of a collider.
    pub(super) fn center(&self, slot: u32) -> Vec2 {
        let placed = &self.colliders.placed[slot as usize];
        let displaced = self.displaced(placed.body);
        self.center_at(placed, displaced.map(|one| one.position))
    }

    /// Returns the center of a collider whose body is at `position`; `None` for where the tick left it.
    pub(super) fn center_at(&self, placed: &Placed, position: Option<Vec2>) -> Vec2 {
        match position {
            None => placed.center(&self.colliders.body_states),
            Some(position) => position + placed.offset,
        }
    }

    /// Returns the position at which a motion of a body from `from` ends at a hit, with the exact coordinate of a flat side.
    pub(super) fn arrive(&self, hit: &Hit, from: Vec2, motion: Vec2) -> Vec2 {
        let impact = hit.impact;
        let there = from + motion * impact.fraction;
        let slack = slack(there, self.center(hit.other), impact.normal);
        let is_near = |beside: &Vec2| (beside - there).abs().max_element() <= slack;
        let beside = self.beside(hit, there, impact.normal).filter(is_near);
        // What begins in it by a little is not put out.
        let leads_on =
            |beside: &Vec2| impact.fraction > 0.0 || (beside - there).dot(impact.normal) < 0.0;
        beside.filter(leads_on).unwrap_or(there)
    }

    /// Returns the position of the body nearest to `from` in which both colliders of a hit touch at the side of the other one that has this normal. `None` if the normal is not along an axis.
    pub(super) fn beside(&self, hit: &Hit, from: Vec2, normal: Vec2) -> Option<Vec2> {
        let anchor = self.center(hit.other);
        let both = [hit.own, hit.other];
        let [own, other] = both.map(|slot| &self.colliders.placed[slot as usize]);
        touching_position(own, other, anchor, normal, from)
    }

    /// Returns the first solid impact of a body with these colliders on a motion, except with bodies that move along with it. Of several at once it prefers flat sides, then what gives no way, then the longest common side: all of them would stop the body.
    pub(super) fn first(
        &self,
        slots: &[u32],
        position: Vec2,
        motion: Vec2,
        along: &[u32],
    ) -> Option<Hit> {
        if motion == Vec2::ZERO {
            return None;
        }
        let Colliders { placed, .. } = self.colliders;
        let mut hits: Vec<Hit> = Vec::new();
        // One-way colliders that some collider of the body is inside of: these let its other colliders in as well.
        let mut within = Vec::new();
        let mut sunk: Vec<Sunk> = Vec::new();
        let mut around = Vec::new();
        // A sensor stops nothing, and may reach far.
        for own in self.solid(slots) {
            let collider: &Placed = &placed[own as usize];
            let Outline::Shape(shape) = collider.outline else {
                continue;
            };
            let center = position + collider.offset;
            let way = extent_at(shape, center, 0.0).along(motion.to_array());
            self.find(&way, &mut around);
            for &other in &around {
                let target = &placed[other as usize];
                if target.body == collider.body || along.contains(&target.body) {
                    continue;
                }
                let places = [center, self.center(other)];
                for &part in axes_to_cast(target, is_one_way(self.colliders, other as usize)) {
                    let met = impact(collider, target, places, motion * part);
                    let is_in_it = met.is_some_and(|impact| impact.is_deep);
                    let is_shape = target.outline.shape().is_some();
                    if is_in_it && is_shape && self.is_solid_one_way(own, other) {
                        within.push(other);
                    }
                    let hit = met.filter(|impact| {
                        !impact.is_parting() && self.is_stopped(own, other, impact)
                    });
                    hits.extend(hit.map(|impact| Hit { own, other, impact }));
                }
                let across = self.across(own, other, places, motion);
                sunk.extend(across.map(|across| Sunk { own, other, across }));
            }
        }
        hits.retain(|hit| {
            let is_next_piece = || self.is_gone_over(hit, &sunk, position, motion);
            !within.contains(&hit.other) && !is_next_piece()
        });
        each_over_a_seam(
            &mut sunk,
            |sunk| (sunk.other, sunk.across),
            |&Sunk { own, other, across }| {
                hits.retain(|hit| (hit.own, hit.other) != (own, other));
                let impact = across.impact;
                hits.extend((!impact.is_parting()).then_some(Hit { own, other, impact }));
            },
        );
        self.first_of(&hits, motion.length())
    }

    /// Returns the first of several hits on a way of this length; of several at once one of them, at the place of the earliest, so that the body gets into none that it meets on another side.
    fn first_of(&self, hits: &[Hit], length: f32) -> Option<Hit> {
        let Colliders { placed, .. } = self.colliders;
        let outline = |slot: u32| placed[slot as usize].outline;
        let other = |hit: &Hit| (self.center(hit.other), outline(hit.other));
        let own = |hit: &Hit| (placed[hit.own as usize].offset, outline(hit.own));
        let rank = |hit: &&Hit| self.colliders.flags[hit.other as usize].rank();
        let (&first, fraction) = first_impact(
            hits.iter(),
            |hit| &hit.impact,
            |_| Rank::Static,
            (length, 0.0),
            |a, b| {
                let firmer = rank(b).cmp(&rank(a));
                // Of two bricks overhead, the one that covers more of the body.
                let larger = b.impact.level.total_cmp(&a.impact.level);
                firmer
                    .then(larger)
                    .then_with(|| compare_placed(other(a), other(b)))
                    .then_with(|| compare_placed(own(a), own(b)))
                    .then((a.own, a.other).cmp(&(b.own, b.other)))
            },
        )?;
        let impact = SweepImpact {
            fraction,
            ..first.impact
        };
        Some(Hit { impact, ..first })
    }

    /// Whether what is hit is the next piece of a surface that the same collider begins sunk in: the body goes on over it.
    fn is_gone_over(
        &self,
        &Hit { own, other, impact }: &Hit,
        sunk: &[Sunk],
        position: Vec2,
        motion: Vec2,
    ) -> bool {
        let Colliders { placed, .. } = self.colliders;
        let mut sunk = sunk
            .iter()
            .filter(|one| one.own == own && one.other != other);
        if sunk.clone().next().is_none()
            || !self.is_firm(other)
            || is_one_way(self.colliders, other as usize)
            || impact.is_inside && !is_by_corner(&impact)
        {
            return false;
        }
        let shape = |slot: u32| placed[slot as usize].outline.shape();
        let Some(shapes) = shape(own).zip(shape(other)) else {
            return false;
        };
        let first = self.center(other) - position - placed[own as usize].offset;
        let offsets = [first, first - motion * impact.fraction];
        sunk.any(|one| one.across.goes_on_over(shapes, offsets, &impact))
    }

    /// Whether the body of a collider gives no way.
    fn is_firm(&self, slot: u32) -> bool {
        self.colliders.flags[slot as usize].rank() != Rank::Dynamic
    }

    /// Lists the colliders whose boxes meet a box.
    pub(super) fn find(&self, extent: &Extent, found: &mut Vec<u32>) {
        found.clear();
        let _ = self
            .mover
            .candidates
            .around(self.colliders, extent, |seen| {
                if self.is_there(seen.slot()) {
                    found.push(seen.slot() as u32);
                }
                ControlFlow::Continue(())
            });
        // A displaced body is found by its old place, and may be elsewhere.
        for one in &self.displaced {
            let slots = one.slots.iter().copied();
            found.extend(slots.filter(|&slot| {
                let placed = &self.colliders.placed[slot as usize];
                let Outline::Shape(shape) = placed.outline else {
                    return false;
                };
                extent_at(shape, one.position + placed.offset, 0.0).meets(extent)
            }));
        }
        if !self.displaced.is_empty() {
            found.sort_unstable();
            found.dedup();
        }
    }

    /// Returns the way out of a collider, with the own one and it at these places, that the motion starts sunk in, if that collider gives no way and stops the motion.
    fn across(&self, own: u32, other: u32, places: [Vec2; 2], motion: Vec2) -> Option<Across> {
        let Colliders { placed, .. } = self.colliders;
        let [own_outline, outline] = [own, other].map(|slot| placed[slot as usize].outline);
        let (Outline::Shape(shape), Outline::Shape(wall)) = (own_outline, outline) else {
            return None;
        };
        let across = Across::new(shape, wall, places, motion)?;
        let counts = self.is_firm(other) && self.is_stopped(own, other, &across.impact);
        counts.then_some(across)
    }

    /// Whether an impact stops the motion. A kinematic body moved by a mover is stopped too.
    pub(super) fn is_stopped(&self, own: u32, other: u32, impact: &SweepImpact) -> bool {
        self.are_solid(own, other)
            && meet_solid_sides(self.colliders, own as usize, other as usize, impact)
    }

    /// Whether `other` is one-way and may be solid to `own`.
    fn is_solid_one_way(&self, own: u32, other: u32) -> bool {
        is_one_way(self.colliders, other as usize)
            && !self.colliders.traits[own as usize].drops_through
            && self.are_solid(own, other)
    }

    /// Whether a collider of the walking body, or of one that it pushes, and another one may stop each other.
    fn are_solid(&self, own: u32, other: u32) -> bool {
        let (walker, layers) = self.walker;
        let (own, other) = (own as usize, other as usize);
        match layers.filter(|_| self.colliders.placed[own].body == walker) {
            Some(layers) => are_solid_on(self.colliders, (own, layers), other),
            None => are_solid(self.colliders, own, other),
        }
    }
}

/// An order of outlines at their places.
fn compare_placed((a, outline_a): (Vec2, Outline), (b, outline_b): (Vec2, Outline)) -> Ordering {
    compare_places(a, b).then_with(|| compare_outlines(outline_a, outline_b))
}
