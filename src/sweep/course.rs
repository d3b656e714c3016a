//! What may be met on the way.

use std::{
    mem::take,
    sync::{RwLock, RwLockReadGuard},
};

use bevy::math::Vec2;

use super::{
    agent::NONE,
    impact::{Impact, impact_on_shape},
    near::Near,
    seam::is_sunk,
};
use crate::{
    broad_phase::{BroadPhase, Extent, Found, HasExtent},
    cells::Cells,
    components::Response,
    kernel::{Outline, Shape},
    placed::{Mover, Placed, Rank, extent_at, parts_of},
    prefetch::prefetch,
};

/// A body that is put at the exact coordinate at which it touches moves by less than this, in world units, and does not leave its box.
const SLACK: f32 = 0.01;

/// "Few" are less than one for this many travellers.
const FEW: usize = 4;

/// If less than one body for this many colliders travels, those that do not travel are sorted only where they matter.
const FEW_TRAVEL: usize = 8;

/// Nothing panics that holds the lock.
const NEVER_POISONED: &str = "no thread panics while it sorts";

/// The world, as far as it matters to the travellers.
pub(crate) struct Scene<'a> {
    pub(crate) movers: &'a mut [Mover],
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
        movers: &[Mover],
        way: (Vec2, Vec2),
        half: Vec2,
        found: &mut dyn FnMut(u32, Shape, Vec2) -> f32,
    );
}

/// A traveller, as far as the course needs it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Going {
    pub(super) agent: u32,
    /// How far it goes in the tick.
    pub(super) way: Vec2,
    pub(super) response: Response,
}

/// A collider and its way, stored in the broad phase: all that is needed to find out whether two of them meet, and where.
#[derive(Clone, Copy, Debug)]
struct Way {
    shape: Shape,
    /// The margin of the box around the way: so far the collider may be led aside without leaving it.
    room: f32,
    end: End,
}

impl Way {
    /// Returns the way on which a collider sets out, or where it stands if it does not travel; `None` for a room, which is handled separately.
    #[inline]
    fn starting(scene: &Scene, slot: u32, going: Option<Going>) -> Option<Self> {
        let placed = &scene.placed[slot as usize];
        let Outline::Shape(shape) = placed.outline else {
            return None;
        };
        let mover = &scene.movers[placed.body as usize];
        let room = match going.map(|going| going.response) {
            Some(Response::Bounce { .. }) => room_to_bounce(shape),
            Some(Response::Pass) => 0.0,
            _ => room_to_yield(shape),
        };
        Some(Self {
            shape,
            room: room.max(SLACK),
            end: End {
                slot,
                agent: going.map_or(NONE, |going| going.agent),
                rank: mover.rank,
                center: mover.position + placed.offset,
                motion: going.map_or(Vec2::ZERO, |going| going.way),
            },
        })
    }

    /// Returns the box around all places to which it may get, if nothing stronger pushes it.
    fn reach(&self) -> Extent {
        self.extent().grown(self.end.motion.length())
    }
}

impl HasExtent for Way {
    /// Returns the box around all places to which it may get.
    #[inline(always)]
    fn extent(&self) -> Extent {
        let here = extent_at(self.shape, self.end.center, self.room);
        here.along(self.end.motion.to_array())
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
    pub(super) motion: Vec2,
}

impl End {
    /// Makes the end of a static collider.
    pub(super) fn still(slot: u32, center: Vec2) -> Self {
        Self {
            slot,
            agent: NONE,
            rank: Rank::Static,
            center,
            motion: Vec2::ZERO,
        }
    }

    /// Whether it looks out for this impact itself: it travels, can be moved, and is inside of what gives no way. It may be over a seam, which the other collider does not know of. Only if both are in the same place, each may find another side.
    pub(super) fn looks_out(&self, impact: &Impact) -> bool {
        impact.is_inside && self.rank == Rank::Dynamic && self.agent != NONE
    }

    /// Returns its center at a time, if it is not turned before.
    pub(super) fn place(&self, time: f32) -> Vec2 {
        if time == 0.0 {
            self.center
        } else {
            self.center + self.motion * time
        }
    }
}

/// Two colliders that meet in this tick if neither is turned before, or of which one is inside of the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    pub(super) ends: [End; 2],
    /// The impact of each on the other, if it travels.
    impacts: [Option<Impact>; 2],
    /// Whether one of them travels, can be moved, and is sunk in the other one, which cannot be moved.
    is_sunk: bool,
}

impl Met {
    fn new(one: &Way, other: &Way, is_fresh: &(dyn Fn(u32) -> bool + Sync)) -> Option<Self> {
        // A collider that does not travel comes second, and two of these do not meet.
        let [one, other] = if one.end.agent == NONE {
            [other, one]
        } else {
            [one, other]
        };
        let impact = |own: &Way, other: &Way| {
            if own.end.agent == NONE {
                return None;
            }
            let offset = other.end.center - own.end.center;
            let motion = own.end.motion - other.end.motion;
            // A pair that parts was reported before, unless one is fresh.
            impact_on_shape(own.shape, other.shape, offset, motion).filter(|impact| {
                !impact.is_parting() || is_fresh(own.end.slot) || is_fresh(other.end.slot)
            })
        };
        let first = impact(one, other);
        let may_sink = |own: &End| own.rank == Rank::Dynamic && own.agent != NONE;
        let is_sunk = one.end.rank != other.end.rank
            && (may_sink(&one.end) || may_sink(&other.end))
            && is_sunk(one.shape, other.shape, other.end.center - one.end.center);
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
            first.map(Impact::mirrored)
        };
        let impacts = [first, second];
        (is_sunk || impacts.iter().any(Option::is_some)).then_some(Self {
            ends: [one.end, other.end],
            impacts,
            is_sunk,
        })
    }

    /// Returns the impact that one of the two has to look out for.
    pub(super) fn impact_of(&self, side: usize) -> Option<&Impact> {
        let [own, other] = [&self.ends[side], &self.ends[1 - side]];
        let is_for_other = |impact: &&Impact| {
            own.rank == Rank::Kinematic && other.looks_out(impact) && own.center != other.center
        };
        self.impacts[side]
            .as_ref()
            .filter(|impact| !is_for_other(impact))
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
#[derive(Debug, Default)]
pub(super) struct Course {
    /// Colliders that travel are its moving ones, those that do not are its still ones.
    ways: BroadPhase<Way>,
    /// Ways of travellers; and of colliders that do not travel, if these are few.
    travelling: Vec<Way>,
    /// Places of colliders that do not travel, if these are many.
    waiting: Vec<Way>,
    /// If few travel: where these may get to, and what does not travel and is not there.
    do_few_travel: bool,
    near: Near,
    far: RwLock<Far>,
    found: Found<Met>,
    /// By slot: the box around its way; [`Extent::EVERYWHERE`] for a slot that does not take part.
    boxes: Vec<Extent>,
    /// The slots that have such a box.
    known: Vec<u32>,
    /// Changed ways that lead out of their boxes.
    wild: Cells,
    /// Body and slot of each part of a body that is not static, sorted.
    parts: Vec<(u32, u32)>,
}

/// Colliders that do not travel, and are far from all that do: sorted only once something looks there, which few travellers hardly ever do.
#[derive(Debug, Default)]
struct Far {
    /// Those are its still ones.
    ways: BroadPhase<Way>,
    is_sorted: bool,
    waiting: Vec<Way>,
}

impl Course {
    /// Takes up where everything is, and the ways of the bodies that `way_of` knows, with some room around them in case they are turned. There are `bodies` of these.
    pub(super) fn start(
        &mut self,
        scene: &Scene,
        bodies: usize,
        way_of: impl Fn(u32) -> Option<Going>,
    ) {
        self.reset(scene.placed.len());
        let going = |slot: u32| way_of(scene.placed[slot as usize].body);
        for &slot in scene.moving {
            if let Some(going) = going(slot) {
                self.list(Way::starting(scene, slot, Some(going)));
            }
        }
        self.do_few_travel = bodies < scene.moving.len() / FEW_TRAVEL;
        if self.do_few_travel {
            self.near.mark(self.travelling.iter().map(Way::reach));
        }
        if self.travelling.len() < scene.moving.len() {
            for &slot in scene.moving {
                if going(slot).is_none() {
                    self.list(Way::starting(scene, slot, None));
                }
            }
        }
        self.parts.clear();
        let parts = scene.parts.iter();
        self.parts
            .extend(parts.map(|&slot| (scene.placed[slot as usize].body, slot)));
        self.parts.sort_unstable();

        // Few colliders that do not travel are put with the travellers: so there is one place to look at, and not two.
        let count = self.travelling.len();
        if self.waiting.len() < count / FEW {
            self.travelling.append(&mut self.waiting);
        }
        self.ways.set_still(&self.waiting);
        let is_fresh = scene.is_fresh;
        let meet = |one: &Way, other: &Way| Met::new(one, other, is_fresh);
        self.ways.find(&self.travelling, meet, &mut self.found);
        let cell = self.ways.moving().typical_size() * 1.5;
        self.wild.clear(scene.placed.len(), count, cell);
    }

    /// Forgets all ways. Slots are below `slots`.
    fn reset(&mut self, slots: usize) {
        if self.known.len() < self.boxes.len() / FEW {
            for &slot in &self.known {
                self.boxes[slot as usize] = Extent::EVERYWHERE;
            }
        } else {
            self.boxes.clear();
        }
        self.boxes.resize(slots, Extent::EVERYWHERE);
        self.known.clear();
        self.travelling.clear();
        self.waiting.clear();
        self.far.get_mut().expect(NEVER_POISONED).is_sorted = false;
    }

    /// Lists a collider by its way, unless it is far.
    #[inline]
    fn list(&mut self, way: Option<Way>) {
        let Some(way) = way else {
            return;
        };
        let place = way.extent();
        let slot = way.end.slot;
        self.boxes[slot as usize] = place;
        self.known.push(slot);
        if way.end.agent != NONE {
            self.travelling.push(way);
        } else if !self.do_few_travel || self.near.meets(&place) {
            self.waiting.push(way);
        }
    }

    /// Returns the colliders that are far, sorted.
    fn far(&self, scene: &Scene) -> RwLockReadGuard<'_, Far> {
        let far = self.far.read().expect(NEVER_POISONED);
        if far.is_sorted {
            return far;
        }
        drop(far);
        let mut far = self.far.write().expect(NEVER_POISONED);
        far.sort(scene, &self.near, &self.boxes);
        drop(far);
        self.far.read().expect(NEVER_POISONED)
    }

    /// Yields all pairs that meet in this tick if nothing is turned, of which one travels and neither is static.
    pub(super) fn meeting(&self) -> impl Iterator<Item = &Met> {
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

    /// Notes that a body goes another way from where it is now, which may lead out of the boxes.
    pub(super) fn follow(&mut self, scene: &Scene, body: u32, way: Vec2) {
        let mut wild = take(&mut self.wild);
        for slot in self.colliders_of(body) {
            let placed = &scene.placed[slot as usize];
            let way = placed.extent(scene.movers, 0.0).along(way.to_array());
            if !self.boxes[slot as usize].holds(&way) {
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
    pub(super) fn moving(
        &self,
        scene: &Scene,
        around: &Extent,
        mut found: impl FnMut(&End, Shape),
    ) {
        self.ways
            .query(around, |other| found(&other.end, other.shape));
        if self.do_few_travel && !self.near.holds(around) {
            self.look_far(scene, around, &mut found);
        }
    }

    #[cold]
    fn look_far(&self, scene: &Scene, around: &Extent, found: &mut dyn FnMut(&End, Shape)) {
        let far = self.far(scene);
        far.ways
            .query_still(around, |other| found(&other.end, other.shape));
    }

    /// Calls `found` with the slot of each collider that has left its box, and may be met in this one.
    pub(super) fn wild(&self, around: &Extent, found: impl FnMut(u32)) {
        self.wild.meeting(around, found);
    }
}

impl Far {
    fn sort(&mut self, scene: &Scene, near: &Near, boxes: &[Extent]) {
        let slots = scene.moving.iter();
        let slots = slots.filter(|slot| !near.meets(&boxes[**slot as usize]));
        let ways = slots.filter_map(|&slot| Way::starting(scene, slot, None));
        self.waiting.clear();
        // A part of a body that was hit at another part may have moved meanwhile: it may be anywhere in its box.
        self.waiting.extend(ways.map(|way| Way {
            room: way.room + distance_from_middle(&boxes[way.end.slot as usize], way.end.center),
            ..way
        }));
        self.ways.set_still(&self.waiting);
        self.is_sorted = true;
    }
}

/// Returns how far a place is from the middle of a box, along the axis on which it is farther.
fn distance_from_middle(place: &Extent, center: Vec2) -> f32 {
    let middle = (Vec2::from(place.min) + Vec2::from(place.max)) * 0.5;
    (center - middle).abs().max_element()
}

/// Returns the margin of a body that bounces, as a part of its size: it may go anywhere, but a slow one hardly ever leaves such a box.
fn room_to_bounce(shape: Shape) -> f32 {
    shape.half_extents().max_element() * 0.5
}

/// Returns the margin of a body that is pushed or slides, and goes aside a little.
fn room_to_yield(shape: Shape) -> f32 {
    shape.half_extents().max_element() * 0.125
}
