//! Who may be met on the way.

use bevy::math::Vec2;

use super::impact::impact;
use crate::{
    broad_phase::{BroadPhase, Extent, Found, HasExtent},
    components::Response,
    kernel::Outline,
    placed::{Mover, Placed, extent_at},
    push_out::StillColliders,
};

/// Who is put where it touches does not leave its box by that, in world units.
const SLACK: f32 = 0.01;

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
    /// Colliders of static bodies.
    pub(crate) still: &'a dyn StillColliders,
}

/// A collider and its way, for the broad phase to carry along: all that it takes to know whether two of them meet.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// Around all places to which it may get.
    extent: Extent,
    slot: u32,
    placed: Placed,
    center: Vec2,
    motion: Vec2,
}

impl HasExtent for Way {
    #[inline(always)]
    fn extent(&self) -> Extent {
        self.extent
    }
}

impl Way {
    /// Whether both meet, if neither is turned before.
    fn meets(&self, other: &Self) -> bool {
        let meets = |one: &Self, other: &Self| {
            let (offset, motion) = (other.center - one.center, one.motion - other.motion);
            impact(&one.placed, &other.placed, offset, motion).is_some()
        };
        // In one place, the two may have different opinions on which side that is.
        meets(self, other) || (self.center == other.center && meets(other, self))
    }
}

/// Boxes around everything that is or may get in somebody's way.
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    /// Travellers are what moves in it, and who only waits stands still.
    ways: BroadPhase<Way>,
    travelling: Vec<Way>,
    waiting: Vec<Way>,
    found: Found<(u32, u32)>,
    boxes: Vec<(Extent, u32)>,
    /// By slot: where the box around its way is.
    box_of: Vec<u32>,
    /// Ways that the boxes do not hold, and the slots of the colliders that go them.
    wild: Vec<(Extent, u32)>,
    /// Body and slot of the colliders of children, sorted.
    children: Vec<(u32, u32)>,
}

impl Course {
    /// Takes up where everything is, and the ways of the bodies that `way_of` knows. Who bounces may go in any direction, the others on their way or less.
    pub(super) fn start(
        &mut self,
        scene: &Scene,
        way_of: impl Fn(u32) -> Option<(Vec2, Response)>,
    ) {
        self.box_of.resize(scene.placed.len(), 0);
        self.boxes.clear();
        self.travelling.clear();
        self.waiting.clear();
        for (number, &slot) in (0..).zip(scene.moving) {
            let placed = scene.placed[slot as usize];
            let here = placed.extent(scene.movers, SLACK);
            let way = way_of(placed.body);
            let motion = way.map_or(Vec2::ZERO, |(way, _)| way);
            let extent = match way {
                Some((way, Response::Bounce { .. })) => {
                    let reach = way.length() * 1.001;
                    placed.extent(scene.movers, reach.max(room_to_bounce(&placed)))
                }
                _ => here.along(motion.to_array()),
            };
            self.boxes.push((extent, slot));
            self.box_of[slot as usize] = number;
            let list = match way {
                Some(_) => &mut self.travelling,
                None => &mut self.waiting,
            };
            list.push(Way {
                extent,
                slot,
                placed,
                center: placed.center(scene.movers),
                motion,
            });
        }
        self.wild.clear();
        self.children.clear();
        let children = scene.children.iter();
        self.children
            .extend(children.map(|&slot| (scene.placed[slot as usize].body, slot)));
        self.children.sort_unstable();

        let meet = |one: &Way, other: &Way| one.meets(other).then_some((one.slot, other.slot));
        self.ways.set_still(&self.waiting);
        self.ways.find(&self.travelling, meet, &mut self.found);
    }

    /// All pairs of slots that meet in this tick if nobody is turned, of which one travels and neither is static.
    pub(super) fn meeting(&self) -> impl Iterator<Item = &(u32, u32)> {
        self.found.iter()
    }

    /// A body goes another way from where it is now. It may lead out of the boxes.
    pub(super) fn follow(&mut self, scene: &Scene, body: u32, way: Vec2) {
        if !self.wild.is_empty() {
            self.wild
                .retain(|(_, slot)| scene.placed[*slot as usize].body != body);
        }
        let mut wild = std::mem::take(&mut self.wild);
        for slot in self.colliders_of(body) {
            let placed = &scene.placed[slot as usize];
            let way = placed.extent(scene.movers, 0.0).along(way.to_array());
            let known = self.boxes.get(self.box_of[slot as usize] as usize);
            if known.is_some_and(|(known, own)| *own == slot && !holds(known, &way)) {
                wild.push((way, slot));
            }
        }
        self.wild = wild;
    }

    /// The colliders of a body. Its own slot may have none, and then collides with nothing.
    pub(super) fn colliders_of(&self, body: u32) -> impl Iterator<Item = u32> {
        let start = self.children.partition_point(|child| child.0 < body);
        let end = self.children.partition_point(|child| child.0 <= body);
        let children = self.children[start..end].iter().map(|child| child.1);
        std::iter::once(body).chain(children)
    }

    /// Lists everything that a collider may meet on its way from where it is now, but for rooms of its own; some twice.
    pub(super) fn around(
        &self,
        scene: &Scene,
        (placed, center): (&Placed, Vec2),
        motion: Vec2,
        found: &mut Vec<u32>,
    ) {
        let Outline::Shape(shape) = placed.outline else {
            return;
        };
        let way = extent_at(shape, center, 0.0).along(motion.to_array());
        self.ways.query(&way, |other| found.push(other.slot));
        let wild = self.wild.iter().filter(|(extent, _)| extent.meets(&way));
        found.extend(wild.map(|(_, slot)| slot));
        around_still(scene, &way, found);
    }

    /// The same for what was not found from the start: what is static, and rooms.
    pub(super) fn around_at_first(
        scene: &Scene,
        (placed, center): (&Placed, Vec2),
        motion: Vec2,
        found: &mut Vec<u32>,
    ) {
        if let Outline::Shape(shape) = placed.outline {
            let way = extent_at(shape, center, 0.0).along(motion.to_array());
            around_still(scene, &way, found);
        }
    }
}

/// What bounces may be made faster than it was. With so much room around it, as a part of its size, hardly any does leave its box.
fn room_to_bounce(placed: &Placed) -> f32 {
    match placed.outline {
        Outline::Shape(shape) => shape.half_extents().max_element() * 0.5,
        Outline::Bounds(_) => 0.0,
    }
}

fn around_still(scene: &Scene, way: &Extent, found: &mut Vec<u32>) {
    scene.still.find_near(way, &mut |slot| found.push(slot));
    found.extend(scene.rooms);
}

fn holds(outer: &Extent, inner: &Extent) -> bool {
    (0..2).all(|axis| outer.min[axis] <= inner.min[axis] && inner.max[axis] <= outer.max[axis])
}
