//! What may be met on the way.

use std::mem::take;

use bevy::math::Vec2;

use super::{
    agent::NONE,
    impact::{SweepImpact, impact_on_shape},
    seam::is_sunk,
};
use crate::{
    broad_phase::{BroadPhase, Extent, Found, HasExtent},
    cells::Cells,
    components::Response,
    kernel::{Outline, Shape},
    placed::{BodyState, Placed, Rank, extent_at, parts_of},
    prefetch::prefetch,
};

/// A body that is put at the exact coordinate at which it touches moves by less than this, in world units, and does not leave its box; far from the origin it may, and is followed then.
const SLACK: f32 = 0.01;

/// Few are less than one in this many.
const FEW_PART: usize = 4;

/// The world, as far as it matters to the travellers.
pub(crate) struct Scene<'a> {
    pub(crate) body_states: &'a mut [BodyState],
    pub(crate) placed: &'a [Placed],
    /// Colliders of bodies that are not static.
    pub(crate) moving: &'a [u32],
    /// Rooms: colliders that are solid outside.
    pub(crate) rooms: &'a [u32],
    /// Colliders of children.
    pub(crate) children: &'a [u32],
    /// Those children that are parts of a body that is not static.
    pub(crate) parts: &'a [u32],
    /// Colliders of static bodies.
    pub(crate) still: &'a dyn StillAhead,
    /// Whether there are bodies of several colliders, and colliders that are solid on one side only: these let in a whole body of which a part is in them.
    pub(crate) are_parts_let_in: bool,
    /// Whether a collider may begin in something without that having been reported.
    pub(crate) is_fresh: &'a (dyn Fn(u32) -> bool + Sync),
}

/// Colliders of static bodies, as detection has sorted them anyway.
pub(crate) trait StillAhead {
    fn all(&self) -> &[u32];
    /// Prefetches the memory of the colliders around a place.
    fn prefetch(&self, place: Vec2);
    /// Calls `found` with slot, shape and center of each collider that a shape with these half extents may meet on its way before a limit, which is a fraction of the motion. `found` returns the new
    /// limit, which may only become less. Rooms are not included.
    fn along(
        &self,
        body_states: &[BodyState],
        way: (Vec2, Vec2),
        half: Vec2,
        found: &mut dyn FnMut(u32, Shape, Vec2) -> f32,
    );
}

/// An agent, as far as the course needs it.
#[derive(Clone, Copy, Debug)]
pub(super) struct CourseAgent {
    pub(super) number: u32,
    /// In total, in world units a tick.
    pub(super) velocity: Vec2,
    pub(super) response: Response,
}

/// A collider and its way in this tick, which is of no length if it does not travel, as the broad phase stores it: all that is needed to find out whether two of them meet, and where.
#[derive(Clone, Copy, Debug)]
struct CourseCollider {
    shape: Shape,
    /// The margin of the box around the way: so far the collider may be led aside without leaving it.
    room: f32,
    end: End,
}

impl CourseCollider {
    /// Makes the way of a collider, with the room that the response of its body leaves to it.
    #[inline]
    fn new(scene: &Scene, (slot, shape): (u32, Shape), agent: Option<CourseAgent>) -> Self {
        let placed = &scene.placed[slot as usize];
        let body_state = &scene.body_states[placed.body as usize];
        let room = match agent.map(|agent| agent.response) {
            Some(Response::Bounce { .. }) => room_to_bounce(shape),
            Some(Response::Pass) => 0.0,
            _ => room_to_yield(shape),
        };
        Self {
            shape,
            room: room.max(SLACK),
            end: End {
                slot,
                agent: agent.map_or(NONE, |agent| agent.number),
                rank: body_state.rank,
                center: body_state.position + placed.offset,
                velocity: agent.map_or(Vec2::ZERO, |agent| agent.velocity),
            },
        }
    }
}

impl HasExtent for CourseCollider {
    /// Returns the box around all places to which it may get.
    #[inline(always)]
    fn extent(&self) -> Extent {
        let here = extent_at(self.shape, self.end.center, self.room);
        here.along(self.end.velocity.to_array())
    }
}

/// One of two colliders that meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) slot: u32,
    /// [`NONE`] if it does not travel.
    pub(super) agent: u32,
    pub(super) rank: Rank,
    pub(super) center: Vec2,
    /// In world units a tick, which is also how far it goes in this one if it is not turned.
    pub(super) velocity: Vec2,
}

impl End {
    /// Makes the end of a static collider.
    pub(super) fn still(slot: u32, center: Vec2) -> Self {
        Self {
            slot,
            agent: NONE,
            rank: Rank::Static,
            center,
            velocity: Vec2::ZERO,
        }
    }

    /// Whether it looks out for all that gives no way: it travels, and can be moved. What gives no way leaves that to it, since it alone knows what else it meets, or is sunk in.
    fn looks_out(&self) -> bool {
        self.rank == Rank::Dynamic && self.agent != NONE
    }

    /// Returns its center at a time, if it is not turned before.
    pub(super) fn place(&self, time: f32) -> Vec2 {
        if time == 0.0 {
            self.center
        } else {
            self.center + self.velocity * time
        }
    }
}

/// Two colliders that meet in this tick if neither is turned before, or of which one is inside of the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct CoursePair {
    pub(super) ends: [End; 2],
    /// The impact of each on the other, if it travels.
    impacts: [Option<SweepImpact>; 2],
    /// Whether one of them travels, can be moved, and is sunk in the other one, which cannot be moved.
    is_sunk: bool,
}

impl CoursePair {
    fn new(
        one: &CourseCollider,
        other: &CourseCollider,
        is_fresh: &(dyn Fn(u32) -> bool + Sync),
    ) -> Option<Self> {
        // A collider that does not travel comes second, and two of these do not meet.
        let [one, other] = if one.end.agent == NONE {
            [other, one]
        } else {
            [one, other]
        };
        let impact = |own: &CourseCollider, other: &CourseCollider| {
            if own.end.agent == NONE {
                return None;
            }
            let places = [own.end.center, other.end.center];
            let motion = own.end.velocity - other.end.velocity;
            // A pair that parts was reported before, unless one is fresh.
            impact_on_shape(own.shape, other.shape, places, motion).filter(|impact| {
                !impact.is_parting() || is_fresh(own.end.slot) || is_fresh(other.end.slot)
            })
        };
        let first = impact(one, other);
        let is_sunk = one.end.rank != other.end.rank
            && (one.end.looks_out() || other.end.looks_out())
            && is_sunk(one.shape, other.shape, [one.end.center, other.end.center]);
        // In the same place, the two may find different sides.
        if first.is_none() && one.end.center != other.end.center && !is_sunk {
            return None;
        }
        // In all other places the impact is the same, seen from the other collider.
        let second = if one.end.center == other.end.center {
            impact(other, one)
        } else if other.end.agent == NONE {
            None
        } else {
            first.map(SweepImpact::mirrored)
        };
        let impacts = [first, second];
        (is_sunk || impacts.iter().any(Option::is_some)).then_some(Self {
            ends: [one.end, other.end],
            impacts,
            is_sunk,
        })
    }

    /// Returns the impact that one of the two has to look out for. In the same place both do, since each may find another side.
    pub(super) fn impact_of(&self, side: usize) -> Option<&SweepImpact> {
        let [own, other] = [&self.ends[side], &self.ends[1 - side]];
        let is_for_other =
            own.rank == Rank::Kinematic && other.looks_out() && own.center != other.center;
        self.impacts[side].as_ref().filter(|_| !is_for_other)
    }

    /// Returns the collider that travels, can be moved and is sunk, and the one that it is sunk in, which cannot be moved.
    pub(super) fn sunk(&self) -> Option<[&End; 2]> {
        let [one, other] = &self.ends;
        self.is_sunk.then_some(if one.rank == Rank::Dynamic {
            [one, other]
        } else {
            [other, one]
        })
    }
}

/// Boxes around everything that is in the way of a traveller, or may get there.
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    /// Colliders that travel are its moving ones, those that do not are its still ones.
    ways: BroadPhase<CourseCollider>,
    /// Ways of travellers; and of colliders that do not travel, if these are few.
    travelling: Vec<CourseCollider>,
    /// Places of colliders that do not travel, if these are many.
    waiting: Vec<CourseCollider>,
    found: Found<CoursePair>,
    /// By slot: the box around its way; [`Extent::EVERYWHERE`] for a slot that does not take part.
    boxes: Vec<Extent>,
    /// Changed ways that lead out of their boxes.
    wild: Cells,
    /// Body and slot of each part of a body that is not static, sorted.
    parts: Vec<(u32, u32)>,
}

impl Course {
    /// Takes up where everything is, and the ways of the bodies that `agent_of` knows, with some room around them in case they are turned.
    pub(super) fn start(&mut self, scene: &Scene, agent_of: impl Fn(u32) -> Option<CourseAgent>) {
        self.forget(scene.placed.len());
        for &slot in scene.moving {
            let placed = &scene.placed[slot as usize];
            // Rooms are handled separately.
            let Outline::Shape(shape) = placed.outline else {
                continue;
            };
            let agent = agent_of(placed.body);
            let way = CourseCollider::new(scene, (slot, shape), agent);
            let list = match agent {
                Some(_) => &mut self.travelling,
                None => &mut self.waiting,
            };
            self.boxes[slot as usize] = way.extent();
            list.push(way);
        }
        self.parts.clear();
        let parts = scene.parts.iter();
        self.parts
            .extend(parts.map(|&slot| (scene.placed[slot as usize].body, slot)));
        self.parts.sort_unstable();

        // Few colliders that do not travel are put with the travellers: so there is one place to look at, and not two.
        let count = self.travelling.len();
        if self.waiting.len() < count / FEW_PART {
            self.travelling.append(&mut self.waiting);
        }
        self.ways.set_still(&self.waiting);
        let is_fresh = scene.is_fresh;
        let meet =
            |one: &CourseCollider, other: &CourseCollider| CoursePair::new(one, other, is_fresh);
        self.ways.find(&self.travelling, meet, &mut self.found);
        let cell = self.ways.moving().typical_size() * 1.5;
        self.wild.clear(scene.placed.len(), count, cell);
    }

    /// Forgets where everything was in the last tick. `slots` is the number of slots.
    fn forget(&mut self, slots: usize) {
        let known = self.travelling.len() + self.waiting.len();
        if known < self.boxes.len() / FEW_PART {
            for way in self.travelling.iter().chain(&self.waiting) {
                self.boxes[way.end.slot as usize] = Extent::EVERYWHERE;
            }
        } else {
            self.boxes.clear();
        }
        self.travelling.clear();
        self.waiting.clear();
        self.boxes.resize(slots, Extent::EVERYWHERE);
    }

    /// Yields all pairs that meet in this tick if nothing is turned, of which one travels and neither is static.
    pub(super) fn meeting(&self) -> impl Iterator<Item = &CoursePair> {
        self.found.iter()
    }

    /// Calls `each` with every collider that travels, its shape, and the way on which it set out. Near ones follow each other, which helps a caller that looks at their surroundings.
    pub(super) fn travelling(&self, mut each: impl FnMut(&End, Shape)) {
        self.ways.moving().each(|way| {
            if way.end.agent != NONE {
                each(&way.end, way.shape);
            }
        });
    }

    /// Notes that a body has another motion left from where it is now, which may lead out of the boxes.
    pub(super) fn follow(&mut self, scene: &Scene, body: u32, motion: Vec2) {
        let mut wild = take(&mut self.wild);
        for slot in self.colliders_of(body) {
            let placed = &scene.placed[slot as usize];
            let way = placed
                .extent(scene.body_states, 0.0)
                .along(motion.to_array());
            if !holds(&self.boxes[slot as usize], &way) {
                wild.set(slot, way);
            }
        }
        self.wild = wild;
    }

    /// Yields the colliders of a body that is not static. The body's own slot comes first, and may have no collider: then it collides with nothing.
    pub(super) fn colliders_of(&self, body: u32) -> impl Iterator<Item = u32> {
        let parts = parts_of(&self.parts, body).iter();
        std::iter::once(body).chain(parts.map(|part| part.1))
    }

    /// Prefetches the memory that [`follow`](Self::follow) reads of a collider.
    pub(super) fn prefetch(&self, slot: u32) {
        prefetch(&self.boxes, slot as usize);
    }

    /// Prefetches the memory of what moves around a place.
    pub(super) fn prefetch_around(&self, place: Vec2) {
        self.ways.moving().prefetch_around(place);
    }

    /// Calls `found` with each moving collider that may be met in a box, and with its place when all set out.
    pub(super) fn moving(&self, around: &Extent, mut found: impl FnMut(&End, Shape)) {
        self.ways
            .query(around, |other| found(&other.end, other.shape));
    }

    /// Calls `found` with the slot of each collider that has left its box, and may be met in this one.
    pub(super) fn wild(&self, around: &Extent, found: impl FnMut(u32)) {
        self.wild.meeting(around, found);
    }
}

/// Returns the margin of a body that bounces, as a part of its size: it may go anywhere, but a slow one hardly ever leaves such a box.
fn room_to_bounce(shape: Shape) -> f32 {
    shape.half_extents().max_element() * 0.5
}

/// Returns the margin of a body that is pushed or slides, and goes aside a little.
fn room_to_yield(shape: Shape) -> f32 {
    shape.half_extents().max_element() * 0.125
}

fn holds(outer: &Extent, inner: &Extent) -> bool {
    (0..2).all(|axis| outer.min[axis] <= inner.min[axis] && inner.max[axis] <= outer.max[axis])
}
