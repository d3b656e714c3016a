//! What a body that moves at once may meet, and where it is by now.

use std::ops::ControlFlow;

use bevy::{
    ecs::{entity::Entity, hierarchy::Children, prelude::Query},
    math::Vec2,
};

use crate::{
    allow_disabled::AllowDisabled,
    broad_phase::Extent,
    components::EnabledCollider,
    kernel::Outline,
    placed::{CORNER, Placed, Rank, compare_places, extent_at, rounding},
    state::{
        candidates::Candidates,
        colliders::Colliders,
        rules::{are_solid, is_one_way, meet_solid_sides},
        walks::{Push, Walks},
    },
    sweep::{
        Across, Impact, each_over_a_seam, first_impact, impact, is_by_corner, parts_of_motion,
        touching_coordinate,
    },
};

/// An impact with both colliders.
pub(super) type Hit = (u32, u32, Impact);

/// What the newest tick has left, and who is elsewhere since.
pub(super) struct Obstacles<'a> {
    pub(super) colliders: &'a Colliders,
    pub(super) candidates: &'a Candidates,
    pub(super) walks: &'a Walks,
    /// Whoever is still there.
    pub(super) alive: &'a Query<'a, 'a, (), EnabledCollider>,
    pub(super) families: &'a Query<'a, 'a, &'static Children, AllowDisabled>,
    /// Sorted by body.
    pub(super) displaced: Vec<Displaced>,
}

/// A body that is not where the newest tick has left it, for it was pushed, or has gone somewhere.
pub(super) struct Displaced {
    /// Its slot.
    body: u32,
    /// Its colliders.
    pub(super) slots: Vec<u32>,
    /// Where it is now.
    pub(super) position: Vec2,
    /// It has gone there by itself, and is not to be pushed.
    pub(super) is_walker: bool,
    /// By the motion at hand, and not before.
    pub(super) way: Vec2,
}

impl Obstacles<'_> {
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

    /// The box around those colliders of a body that do not only report, if it is there.
    pub(super) fn extent_of(&self, slots: &[u32], position: Vec2) -> Extent {
        let Colliders { placed, traits, .. } = self.colliders;
        let solid = slots.iter().map(|&slot| slot as usize);
        let solid = solid.filter(|&slot| !traits[slot].sensor);
        let extents = solid.filter_map(|slot| {
            let shape = placed[slot].outline.shape()?;
            Some(extent_at(shape, position + placed[slot].offset, 0.0))
        });
        extents.fold(Extent::EMPTY, |all, one| all.union(&one))
    }

    /// Takes over what others have pushed, or the body itself by an earlier motion.
    pub(super) fn take_over(&mut self, pushes: &[Push]) {
        for &(entity, way) in pushes {
            if let Some(body) = self.colliders.body_slot_of(entity) {
                self.displace(body as u32).position += way;
            }
        }
    }

    /// Takes over where those have gone by themselves that are in a box now, other than a body whose colliders fill another one.
    pub(super) fn take_over_walkers(&mut self, extent: &Extent, own: (Entity, &Extent)) {
        for (walker, position) in self.walks.walked_into(extent, own) {
            let Some(body) = self.colliders.body_slot_of(walker) else {
                continue;
            };
            let before = self.colliders.movers[body].position;
            // Who has stayed may have been pushed.
            if position.distance(before) > CORNER.max(rounding(position, before)) {
                let walker = self.displace(body as u32);
                walker.position = position;
                walker.is_walker = true;
            }
        }
    }

    /// A body as one that is displaced. It becomes one where the newest tick has left it.
    pub(super) fn displace(&mut self, body: u32) -> &mut Displaced {
        let at = self.find_displaced(body).unwrap_or_else(|at| {
            let new = Displaced {
                body,
                slots: self.parts_of(body as usize),
                position: self.colliders.movers[body as usize].position,
                is_walker: false,
                way: Vec2::ZERO,
            };
            self.displaced.insert(at, new);
            at
        });
        &mut self.displaced[at]
    }

    /// A body, if it is displaced.
    pub(super) fn displaced(&self, body: u32) -> Option<&Displaced> {
        let at = self.find_displaced(body).ok()?;
        Some(&self.displaced[at])
    }

    fn find_displaced(&self, body: u32) -> Result<usize, usize> {
        self.displaced.binary_search_by_key(&body, |one| one.body)
    }

    /// Where a body is that has been pushed, and has not gone there by itself.
    pub(super) fn only_pushed_to(&self, body: u32) -> Option<Vec2> {
        let pushed = self.displaced(body).filter(|one| !one.is_walker)?;
        Some(pushed.position)
    }

    /// Who was pushed by the motion at hand, and how far.
    pub(super) fn newly_pushed(&self) -> Vec<Push> {
        let new = self.displaced.iter().filter(|one| one.way != Vec2::ZERO);
        let new = new.map(|one| (self.colliders.entities[one.body as usize], one.way));
        new.collect()
    }

    /// Where a collider is.
    pub(super) fn center(&self, slot: u32) -> Vec2 {
        let placed = &self.colliders.placed[slot as usize];
        let displaced = self.displaced(placed.body);
        self.center_at(placed, displaced.map(|one| one.position))
    }

    /// The same if its body has come to a position since the tick, or has not.
    pub(super) fn center_at(&self, placed: &Placed, position: Option<Vec2>) -> Vec2 {
        match position {
            None => placed.center(&self.colliders.movers),
            Some(position) => position + placed.offset,
        }
    }

    /// From a position of a body, the nearest one in which both colliders of a hit touch by the side of the other one that has this normal. `None` if that is not along an axis.
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

    /// The first solid thing that a motion of a body with these colliders leads into, other than whoever goes along with it. Of several at once it is what is flat, of that what gives no way, and then what it meets with the most of its side: all of them stop it.
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
        let Colliders { placed, movers, .. } = self.colliders;
        let mut hits: Vec<Hit> = Vec::new();
        // Shapes that are solid on one side only, and that some collider of the body is in: they let in its other colliders as well.
        let mut within = Vec::new();
        let mut sunk = Vec::new();
        let mut around = Vec::new();
        for &own in slots {
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
                let offset = self.center(other) - center;
                for &part in parts_of_motion(target, is_one_way(self.colliders, other as usize)) {
                    let met = impact(collider, target, offset, motion * part);
                    let is_shape = target.outline.shape().is_some();
                    let is_in_it = is_shape && met.is_some_and(|impact| impact.is_deep);
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
        hits.retain(|hit| {
            let is_next_piece = || self.is_gone_over(hit, &sunk, position, motion);
            !within.contains(&hit.1) && !is_next_piece()
        });
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

    /// Whether what is hit is the next piece of a surface that the same collider begins sunk in: the body goes on over it.
    fn is_gone_over(
        &self,
        &(own, other, impact): &Hit,
        sunk: &[(u32, u32, Across)],
        position: Vec2,
        motion: Vec2,
    ) -> bool {
        let Colliders { placed, .. } = self.colliders;
        let mut sunk = sunk.iter().filter(|one| one.0 == own && one.1 != other);
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
        sunk.any(|(.., across)| across.goes_on_over(shapes, offsets, &impact))
    }

    /// Whether the body of a collider gives no way.
    fn is_firm(&self, slot: u32) -> bool {
        let Colliders { placed, movers, .. } = self.colliders;
        movers[placed[slot as usize].body as usize].rank != Rank::Dynamic
    }

    /// Lists the colliders that may be in a box.
    fn find(&self, extent: &Extent, found: &mut Vec<u32>) {
        found.clear();
        let _ = self.candidates.around(self.colliders, extent, |seen| {
            if self.is_there(seen.slot()) {
                found.push(seen.slot() as u32);
            }
            ControlFlow::Continue(())
        });
        // Who is displaced is found where he was, and may be elsewhere.
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

    /// The way across what a collider at an offset from it begins sunk in, if that gives no way and stops it.
    fn across(&self, own: u32, other: u32, offset: Vec2, motion: Vec2) -> Option<Across> {
        let Colliders { placed, .. } = self.colliders;
        let [own_outline, outline] = [own, other].map(|slot| placed[slot as usize].outline);
        let (Outline::Shape(shape), Outline::Shape(wall)) = (own_outline, outline) else {
            return None;
        };
        let across = Across::new(shape, wall, offset, motion)?;
        let counts = self.is_firm(other) && self.is_stopped(own, other, &across.impact);
        counts.then_some(across)
    }

    /// A kinematic body that moves itself is stopped too.
    pub(super) fn is_stopped(&self, own: u32, other: u32, impact: &Impact) -> bool {
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
