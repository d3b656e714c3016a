//! Edges between flush surfaces. Where tiles lie side by side, a body on one tile touches the next tile with a corner, or overlaps its side by less than the body is pressed
//! into the floor. From the body and that tile alone, the direction that the tile faces cannot be told. But the floor under the body tells: a tile that the body leaves together with the floor is a part of the floor.
//!
//! ```text
//!          ______
//!         | body |           The body is pressed into the left tile by a little, and into the right one's side by less. Once it is
//!     ____|______|___        out of the left one, it is out of the right one as well: both are floor.
//!    |    |______|:  |
//!    |___________|___|
//! ```
//!
//! So the contacts of a body are gone through in the order of the push-out: fixed colliders first, the deepest first. A contact that reaches no farther towards the body than an earlier one, on the side on which that one was met, gets the normal of the earlier one.

use std::cmp::Ordering;

use bevy::math::Vec2;

use crate::{
    kernel::Outline,
    placed::{CORNER, Meeting, Rank, compare_places},
    state::{
        colliders::Colliders,
        contacts::Contacts,
        rules::{is_solid_side, meet_by_a_corner, pass_at},
    },
};

/// The directions that a surface may face, in the order in which they are tried.
const DIRECTIONS: [Vec2; 4] = [Vec2::NEG_X, Vec2::NEG_Y, Vec2::Y, Vec2::X];

/// Buffers for a tick.
#[derive(Debug, Default)]
pub(crate) struct Seams {
    /// By slot: the number of its contacts with colliders that give way less. The corner of one that gives way as easily counts as `SEAM_CONTACTS`.
    fixed: Vec<u8>,
    touches: Vec<Touch>,
    turned: Vec<TurnedContact>,
}

/// What a contact that continues a surface is to become.
#[derive(Clone, Copy, Debug)]
struct TurnedContact {
    /// Of the contact.
    index: usize,
    normal: Vec2,
    depth: f32,
}

/// A slot with at least this many contacts may have a seam.
const SEAM_CONTACTS: u8 = 2;

/// A contact as seen from one of its two colliders.
#[derive(Clone, Copy, Debug)]
struct Touch {
    slot: u32,
    index: usize,
    is_first: bool,
    /// Of the other collider.
    rank: Rank,
    /// Towards the other collider.
    normal: Vec2,
    offset: Vec2,
    /// Half extents of both colliders, added up.
    half: Vec2,
    depth: f32,
}

impl Touch {
    /// Returns how far the other collider reaches into this one from a direction.
    fn reach(&self, direction: Vec2) -> f32 {
        self.half.dot(direction.abs()) - self.offset.dot(direction)
    }

    /// How deep the boxes of both overlap; negative if they are apart.
    fn overlap(&self) -> f32 {
        (self.half - self.offset.abs()).min_element()
    }

    /// Returns how much of both sides is level, along the surface that was met; 0 if no side was met.
    fn level(&self) -> f32 {
        let level = self.half - self.offset.abs();
        if self.normal.x == 0.0 {
            level.x
        } else if self.normal.y == 0.0 {
            level.y
        } else {
            0.0
        }
    }
}

impl Seams {
    /// Turns the normals of detected contacts that continue a surface to the normal of that surface.
    pub(crate) fn smooth(&mut self, colliders: &Colliders, contacts: &mut Contacts, margin: f32) {
        if self.mark(colliders, contacts) {
            self.collect(colliders, contacts, margin);
            self.find_all_turned();
            self.turn(&mut contacts.found);
        }
    }

    /// Does the same for contacts that were met only during the push-out, at the final positions. Nothing overlaps deeply there any more, so those with the most level sides go first.
    ///
    /// `met` tells whether a contact is one of these.
    pub(crate) fn smooth_met(
        &mut self,
        colliders: &Colliders,
        contacts: &mut Contacts,
        met: impl Fn(&Meeting) -> bool,
    ) {
        if self.mark(colliders, contacts) {
            self.collect(colliders, contacts, 0.0);
            for touch in &mut self.touches {
                touch.depth = touch.overlap().max(0.0);
            }
            self.find_all_turned();
            self.turned
                .retain(|turned| met(&contacts.found[turned.index]));
            self.turn(&mut contacts.found);
        }
    }

    /// Goes through all contacts of each slot, and lists those to turn.
    fn find_all_turned(&mut self) {
        self.turned.clear();
        for touches in self.touches.chunk_by_mut(|a, b| a.slot == b.slot) {
            // A single contact continues nothing.
            if touches.len() > 1 {
                touches.sort_unstable_by(by_firmness_and_depth);
                find_turned(touches, &mut self.turned);
            }
        }
    }

    fn turn(&mut self, found: &mut [Meeting]) {
        // If both bodies move, each may want another normal: take the one with the shorter way out.
        self.turned.sort_unstable_by(|a, b| {
            let by_depth = a.depth.total_cmp(&b.depth);
            let by_index = a.index.cmp(&b.index);
            by_index
                .then(by_depth)
                .then_with(|| compare_places(a.normal, b.normal))
        });
        self.turned.dedup_by_key(|turned| turned.index);
        for turned in &self.turned {
            let contact = &mut found[turned.index];
            contact.normal = turned.normal;
            contact.depth = turned.depth;
        }
    }

    /// Marks the slots that may have seams; returns false if there are none.
    fn mark(&mut self, colliders: &Colliders, contacts: &Contacts) -> bool {
        self.fixed.clear();
        self.fixed.resize(colliders.placed.len(), 0);
        let mut is_any = false;
        for meeting in &contacts.found {
            let (a, b) = meeting.slots;
            let [rank_a, rank_b] = [a, b].map(|slot| rank(colliders, slot));
            let weight = if rank_a != rank_b {
                1
            } else if rank_a != Rank::Static
                && meeting.depth <= CORNER
                && meet_by_a_corner(colliders, meeting.slots)
            {
                SEAM_CONTACTS
            } else {
                continue;
            };
            // A pair that passes each other makes no surface.
            if pass_at(colliders, a as usize, b as usize, meeting.depth)
                || contacts.is_let_pass(meeting.slots)
            {
                continue;
            }
            let sides = [
                ((a, rank_a), (b, rank_b), meeting.normal),
                ((b, rank_b), (a, rank_a), -meeting.normal),
            ];
            for ((slot, own), (its, other), normal) in sides {
                // A body that is never pushed does not lie on anything that it is deep in.
                let may_lie = own == Rank::Dynamic || meeting.depth <= CORNER;
                if own <= other
                    && may_lie
                    && is_solid_side(colliders, its as usize, slot as usize, -normal)
                {
                    let fixed = &mut self.fixed[slot as usize];
                    *fixed = fixed.saturating_add(weight);
                    is_any |= *fixed >= SEAM_CONTACTS;
                }
            }
        }
        is_any
    }

    fn collect(&mut self, colliders: &Colliders, contacts: &Contacts, margin: f32) {
        self.touches.clear();
        let found = contacts.found.iter().enumerate();
        for (index, meeting) in found.filter(|(_, one)| !contacts.is_let_pass(one.slots)) {
            let (a, b) = meeting.slots;
            for (slot, other) in [(a, b), (b, a)] {
                let is_marked = self.fixed[slot as usize] >= SEAM_CONTACTS;
                if is_marked && rank(colliders, slot) != Rank::Static {
                    let touch = touch(colliders, (slot, other), (index, meeting));
                    // A pair that met only on the way, and is apart now, keeps its normal.
                    let rounding = colliders.rounding_along((a, b), meeting.normal);
                    let near = margin.max(CORNER).max(rounding);
                    let touch = touch.filter(|touch| touch.overlap() >= -near);
                    self.touches.extend(touch);
                }
            }
        }
        self.touches.sort_unstable_by_key(|touch| touch.slot);
    }
}

/// Sorts the contacts with what gives way the least first, then the deepest, then the most level. Those that are equal in all of that, such as two tiles that a ball touches between them, go by their places, and not by their slots.
fn by_firmness_and_depth(a: &Touch, b: &Touch) -> Ordering {
    b.rank
        .cmp(&a.rank)
        .then_with(|| b.depth.total_cmp(&a.depth))
        .then_with(|| b.level().total_cmp(&a.level()))
        .then_with(|| compare_places(a.normal, b.normal))
        .then_with(|| compare_places(a.offset, b.offset))
}

/// Goes through the contacts of one slot, and lists those that continue the surface of another contact.
///
/// A moving body may stand in front of a wall or on a floor, and must not make the wall count as floor: so only contacts that give way as easily, or more, continue its surface.
fn find_turned(touches: &[Touch], turned: &mut Vec<TurnedContact>) {
    let mut surfaces = [Surfaces::default(); Rank::COUNT];
    let by_rank = touches.chunk_by(|a, b| a.rank == b.rank);
    for (number, touches) in by_rank.enumerate() {
        for touch in touches {
            let mut known = surfaces[..=number].iter();
            let Some(direction) = known.find_map(|known| known.hiding(touch)) else {
                surfaces[number].add(touch);
                continue;
            };
            if direction != touch.normal {
                let normal = if touch.is_first {
                    direction
                } else {
                    -direction
                };
                turned.push(TurnedContact {
                    index: touch.index,
                    // Adding 0 turns -0.0 into 0.0.
                    normal: normal + Vec2::ZERO,
                    depth: touch.reach(direction).max(0.0),
                });
            }
        }
    }
}

/// How far the surfaces that were met in each direction reach in.
#[derive(Clone, Copy, Default)]
struct Surfaces([Option<f32>; 4]);

impl Surfaces {
    /// Returns the direction of the surface that a contact continues, or `None`: the contact's own direction if that is possible, else the one with the shortest way out.
    fn hiding(&self, touch: &Touch) -> Option<Vec2> {
        let hides = |(direction, reach): &(Vec2, &Option<f32>)| {
            let is_beside = touch.offset.dot(*direction) > 0.0;
            is_beside && reach.is_some_and(|reach| touch.reach(*direction) <= reach + CORNER)
        };
        let hidden_by = DIRECTIONS.into_iter().zip(&self.0).filter(hides);
        let hidden_by = hidden_by.map(|(direction, _)| direction);
        let mut own = hidden_by.clone();
        let own = own.find(|direction| *direction == touch.normal);
        let reach = |direction: &Vec2| touch.reach(*direction);
        own.or_else(|| hidden_by.min_by(|a, b| reach(a).total_cmp(&reach(b))))
    }

    fn add(&mut self, touch: &Touch) {
        let mut directions = DIRECTIONS.iter();
        let number = directions.position(|direction| *direction == touch.normal);
        if let Some(number) = number.filter(|_| touch.level() > CORNER) {
            let reach = touch.reach(touch.normal);
            let known = &mut self.0[number];
            *known = Some(known.map_or(reach, |known| known.max(reach)));
        }
    }
}

fn rank(colliders: &Colliders, slot: u32) -> Rank {
    colliders.flags[slot as usize].rank()
}

/// Returns the contact of `slot` with `other`, if `slot` meets something solid there.
fn touch(
    colliders: &Colliders,
    (slot, other): (u32, u32),
    (index, meeting): (usize, &Meeting),
) -> Option<Touch> {
    let (is_first, depth) = (slot == meeting.slots.0, meeting.depth);
    // Adding 0 turns -0.0 into 0.0.
    let normal = if is_first {
        meeting.normal
    } else {
        -meeting.normal + Vec2::ZERO
    };
    let (own, its) = (slot as usize, other as usize);
    let [a, b] = [own, its].map(|slot| &colliders.placed[slot]);
    let (Outline::Shape(shape_a), Outline::Shape(shape_b)) = (a.outline, b.outline) else {
        return None;
    };
    // A body that passes through a one-way platform is deep in it, and stands on nothing there.
    let is_solid =
        !pass_at(colliders, own, its, depth) && is_solid_side(colliders, its, own, -normal);
    is_solid.then(|| Touch {
        slot,
        index,
        is_first,
        rank: rank(colliders, other),
        normal,
        offset: b.center(&colliders.body_states) - a.center(&colliders.body_states),
        half: shape_a.sum(shape_b).half_extents(),
        depth,
    })
}
