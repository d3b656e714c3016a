//! Who may be met on the way.

use std::mem::take;

use bevy::math::Vec2;

use super::{
    agent::NONE,
    impact::{Impact, impact_on_shape},
    seam::is_sunk,
};
use crate::{
    broad_phase::{BroadPhase, Extent, Found, HasExtent},
    cells::Cells,
    components::Response,
    kernel::{Outline, Shape},
    placed::{Mover, Placed, Rank, children_of, extent_at},
    prefetch::prefetch,
};

/// Who is put where it touches does not leave its box by that, in world units.
const SLACK: f32 = 0.01;

/// Few are less than one for so many that travel.
const FEW: usize = 4;

/// The world, as far as it matters to what is on its way.
pub(crate) struct Scene<'a> {
    pub(crate) movers: &'a mut [Mover],
    pub(crate) placed: &'a [Placed],
    /// Colliders of bodies that are not static.
    pub(crate) moving: &'a [u32],
    /// Colliders with an outside.
    pub(crate) rooms: &'a [u32],
    /// Colliders of children.
    pub(crate) children: &'a [u32],
    /// Those of them that are parts of a body that is not static.
    pub(crate) parts: &'a [u32],
    /// Colliders of static bodies.
    pub(crate) still: &'a dyn StillAhead,
    /// There are bodies of several colliders, and something that is solid on one side only, and lets in all of a body of which a part is in it.
    pub(crate) are_parts_let_in: bool,
    /// Whether a collider may begin in something that nobody has been told of.
    pub(crate) is_fresh: &'a (dyn Fn(u32) -> bool + Sync),
}

/// Colliders of static bodies, sorted as whoever detects has them anyway.
pub(crate) trait StillAhead {
    fn all(&self) -> &[u32];
    /// Asks for the memory of those around a place.
    fn prefetch(&self, place: Vec2);
    /// Calls `found` with slot, shape and centre of each that something with these half extents may meet on its way before a limit, which is a fraction of the motion; it answers the limit
    /// anew, which may only become less. Rooms are not among them.
    fn along(
        &self,
        movers: &[Mover],
        way: (Vec2, Vec2),
        half: Vec2,
        found: &mut dyn FnMut(u32, Shape, Vec2) -> f32,
    );
}

/// A traveller as the course sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Going {
    pub(super) agent: u32,
    /// How far it goes in the tick.
    pub(super) way: Vec2,
    pub(super) response: Response,
}

/// A collider and its way, for the broad phase to carry along: all that it takes to know whether two of them meet, and where.
#[derive(Clone, Copy, Debug)]
struct Way {
    shape: Shape,
    /// So far around its way it may be turned without leaving the box.
    room: f32,
    end: End,
}

impl HasExtent for Way {
    /// Around all places to which it may get.
    #[inline(always)]
    fn extent(&self) -> Extent {
        let here = extent_at(self.shape, self.end.center, self.room);
        here.along(self.end.motion.to_array())
    }
}

/// One of two that meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) slot: u32,
    /// [`NONE`] if it only waits.
    pub(super) agent: u32,
    pub(super) rank: Rank,
    pub(super) center: Vec2,
    pub(super) motion: Vec2,
}

impl End {
    /// Of what is static.
    pub(super) fn still(slot: u32, center: Vec2) -> Self {
        Self {
            slot,
            agent: NONE,
            rank: Rank::Static,
            center,
            motion: Vec2::ZERO,
        }
    }

    /// Who travels, can be moved, and is inside of what gives no way looks out for that himself: he may be over a seam, of which the other one knows nothing. Only of two in one place each may have its own opinion on which side that is.
    pub(super) fn looks_out(&self, impact: &Impact) -> bool {
        impact.is_inside && self.rank == Rank::Dynamic && self.agent != NONE
    }

    /// Where its centre is at a time, if nobody turns it before.
    pub(super) fn place(&self, time: f32) -> Vec2 {
        if time == 0.0 {
            self.center
        } else {
            self.center + self.motion * time
        }
    }
}

/// Two that meet in this tick if neither is turned before, or of which one is inside of the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    pub(super) ends: [End; 2],
    /// Of each on the other, if it travels.
    impacts: [Option<Impact>; 2],
    /// One of them travels, can be moved, and is sunk in the other one, which can't.
    is_sunk: bool,
}

impl Met {
    fn new(one: &Way, other: &Way, is_fresh: &(dyn Fn(u32) -> bool + Sync)) -> Option<Self> {
        // Who only waits comes second, and two of them do not meet.
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
            // Who parts was told of, as a rule.
            impact_on_shape(own.shape, other.shape, offset, motion).filter(|impact| {
                !impact.is_parting() || is_fresh(own.end.slot) || is_fresh(other.end.slot)
            })
        };
        let first = impact(one, other);
        let may_sink = |own: &End| own.rank == Rank::Dynamic && own.agent != NONE;
        let is_sunk = one.end.rank != other.end.rank
            && (may_sink(&one.end) || may_sink(&other.end))
            && is_sunk(one.shape, other.shape, other.end.center - one.end.center);
        // In one place, the two may have different opinions on which side that is.
        if first.is_none() && one.end.center != other.end.center && !is_sunk {
            return None;
        }
        // In all other places it is the same from the other side.
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

    /// What one of the two has to look out for.
    pub(super) fn impact_of(&self, side: usize) -> Option<&Impact> {
        let [own, other] = [&self.ends[side], &self.ends[1 - side]];
        let is_for_other = |impact: &&Impact| {
            own.rank == Rank::Kinematic && other.looks_out(impact) && own.center != other.center
        };
        self.impacts[side]
            .as_ref()
            .filter(|impact| !is_for_other(impact))
    }

    /// The one that travels and can be moved, and the other one, which it is sunk in and which can't.
    pub(super) fn sunk(&self) -> Option<[&End; 2]> {
        let [one, other] = &self.ends;
        self.is_sunk.then_some(if one.rank == Rank::Dynamic {
            [one, other]
        } else {
            [other, one]
        })
    }
}

/// Boxes around everything that is or may get in somebody's way.
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    /// Those that travel are what moves in it, and those that wait stand still.
    ways: BroadPhase<Way>,
    /// Ways of travellers; and of those that only wait, if they are few.
    travelling: Vec<Way>,
    /// Places of those that only wait, if they are many.
    waiting: Vec<Way>,
    found: Found<Met>,
    /// By slot: the box around its way; [`Extent::EVERYWHERE`] if it does not take part.
    boxes: Vec<Extent>,
    /// Ways that the boxes did not hold when they were new.
    wild: Cells,
    /// Body and slot of the colliders of children, sorted; not of static bodies.
    children: Vec<(u32, u32)>,
}

impl Course {
    /// Takes up where everything is, and the ways of the bodies that `way_of` knows, with some room around them for those that are turned.
    pub(super) fn start(&mut self, scene: &Scene, way_of: impl Fn(u32) -> Option<Going>) {
        let known = self.travelling.len() + self.waiting.len();
        if known < self.boxes.len() / FEW {
            for way in self.travelling.iter().chain(&self.waiting) {
                self.boxes[way.end.slot as usize] = Extent::EVERYWHERE;
            }
        } else {
            self.boxes.clear();
        }
        self.travelling.clear();
        self.waiting.clear();
        self.boxes.resize(scene.placed.len(), Extent::EVERYWHERE);
        for &slot in scene.moving {
            let placed = &scene.placed[slot as usize];
            // Rooms are kept apart.
            let Outline::Shape(shape) = placed.outline else {
                continue;
            };
            let mover = &scene.movers[placed.body as usize];
            let center = mover.position + placed.offset;
            let going = way_of(placed.body);
            let motion = going.map_or(Vec2::ZERO, |going| going.way);
            let room = match going {
                Some(Going {
                    response: Response::Bounce { .. },
                    ..
                }) => room_to_bounce(shape),
                Some(Going {
                    response: Response::Pass,
                    ..
                }) => 0.0,
                _ => room_to_yield(shape),
            };
            let way = Way {
                shape,
                room: room.max(SLACK),
                end: End {
                    slot,
                    agent: going.map_or(NONE, |going| going.agent),
                    rank: mover.rank,
                    center,
                    motion,
                },
            };
            let list = match going {
                Some(_) => &mut self.travelling,
                None => &mut self.waiting,
            };
            self.boxes[slot as usize] = way.extent();
            list.push(way);
        }
        self.children.clear();
        let parts = scene.parts.iter();
        self.children
            .extend(parts.map(|&slot| (scene.placed[slot as usize].body, slot)));
        self.children.sort_unstable();

        // Where few wait, they go with the others: then there is one place to look at, and not two.
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

    /// All pairs that meet in this tick if nobody is turned, of which one travels and neither is static.
    pub(super) fn meeting(&self) -> impl Iterator<Item = &Met> {
        self.found.iter()
    }

    /// Calls `each` with every collider that travels, its shape, and its way as it set out: one after the other who are near each other, for whoever looks at what is around them.
    pub(super) fn travelling(&self, mut each: impl FnMut(&End, Shape)) {
        self.ways.moving().each(|way| {
            if way.end.agent != NONE {
                each(&way.end, way.shape);
            }
        });
    }

    /// A body goes another way from where it is now. It may lead out of the boxes.
    pub(super) fn follow(&mut self, scene: &Scene, body: u32, way: Vec2) {
        let mut wild = take(&mut self.wild);
        for slot in self.colliders_of(body) {
            let placed = &scene.placed[slot as usize];
            let way = placed.extent(scene.movers, 0.0).along(way.to_array());
            if !holds(&self.boxes[slot as usize], &way) {
                wild.set(slot, way);
            }
        }
        self.wild = wild;
    }

    /// The colliders of a body that is not static. Its own slot may have none, and then collides with nothing.
    pub(super) fn colliders_of(&self, body: u32) -> impl Iterator<Item = u32> {
        let children = children_of(&self.children, body).iter();
        std::iter::once(body).chain(children.map(|child| child.1))
    }

    /// Asks for the memory that [`follow`](Self::follow) takes of a collider.
    pub(super) fn prefetch(&self, slot: u32) {
        prefetch(&self.boxes, slot as usize);
    }

    /// Asks for the memory of whatever moves around a place.
    pub(super) fn prefetch_around(&self, place: Vec2) {
        self.ways.moving().prefetch_around(place);
    }

    /// Calls `found` with whatever moves and may be met in a box, and where it was when all set out.
    pub(super) fn moving(&self, around: &Extent, mut found: impl FnMut(&End, Shape)) {
        self.ways
            .query(around, |other| found(&other.end, other.shape));
    }

    /// Calls `found` with the slot of whatever has left its box, and may be met in this one.
    pub(super) fn wild(&self, around: &Extent, found: impl FnMut(u32)) {
        self.wild.meeting(around, found);
    }
}

/// What bounces goes anywhere, but with so much room around its way, as a part of its size, hardly any that is slow does leave its box.
fn room_to_bounce(shape: Shape) -> f32 {
    shape.half_extents().max_element() * 0.5
}

/// What is pushed on, or slides, goes aside a little.
fn room_to_yield(shape: Shape) -> f32 {
    shape.half_extents().max_element() * 0.125
}

fn holds(outer: &Extent, inner: &Extent) -> bool {
    (0..2).all(|axis| outer.min[axis] <= inner.min[axis] && inner.max[axis] <= outer.max[axis])
}
