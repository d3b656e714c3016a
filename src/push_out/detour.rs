//! Finds a way to a free place for a body that is wedged in a crowd, around whatever bars the straight way.
//!
//! ```text
//! the world is searched square by square, from the square in which the body is
//!     of the squares beside those that have been looked at, the nearest one comes next
//!     if firm colliders leave no room for the body in a square, or bar all ways there from the squares beside it, the search does not go on from there
//!     a square may have a free place if no body that has a place is in it, or only by a little
//! ```
//!
//! Other bodies are no hindrance, since they make way; but the body does not get through a wall, or through a gap that is narrower than itself.

use std::{cmp::Reverse, collections::BinaryHeap};

use bevy::{math::Vec2, platform::collections::HashMap};

use super::{
    place::{Obstacle, PlaceSearch, SearchResult, around},
    surroundings::NONE,
    world::World,
};
use crate::{
    broad_phase::Extent,
    cells::Cells,
    kernel::{Outline, cast_ray, separation},
    placed::{Rank, in_order},
};

/// Width of a square, as a part of the smaller half size of the body.
const STEP: f32 = 0.9;
/// A firm collider that the body goes through by no more than this part of its smaller half size is not in its way.
const GRAZED: f32 = 1.0e-3;
/// A body that overlaps another one by no more than this part of a square may find a place beside that one.
const BESIDE: f32 = 0.75;
/// At most this many squares are looked at for one body.
const MOST: u32 = 4096;
/// Offsets from a square to those around it.
const AROUND: [[i32; 2]; 8] = [
    [-1, -1],
    [0, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [0, 1],
    [1, 1],
];

/// A search through squares, with its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Detours {
    /// The middle of the first square.
    start: Vec2,
    step: f32,
    /// Squares that have been looked at, or will be; for each that the body gets to, its place there.
    seen: HashMap<[i32; 2], Option<Vec2>>,
    /// Squares that will be looked at, each after its distance from the first one.
    ahead: BinaryHeap<Reverse<(u32, [i32; 2])>>,
    /// How many more squares may be looked at.
    pub(super) left: u32,
    place: PlaceSearch,
}

impl Detours {
    /// Begins with a body at its current position.
    pub(super) fn begin(&mut self, world: &World, body: u32) {
        self.start = world.position(body);
        self.step = world.size_of(body).narrow * STEP;
        self.left = MOST;
        self.seen.clear();
        self.ahead.clear();
        // A point or a line has squares without width: a search would not get around anything.
        if self.step > world.rounding((body, body)) {
            self.see([0, 0]);
        }
    }

    /// Returns the next place that is free of firm colliders, and may be free of bodies that have a place.
    pub(super) fn next(&mut self, world: &mut World, own: &[u32], firm: &Cells) -> Option<Vec2> {
        while let Some(place) = self.next_open(world, own) {
            if self.is_free(world, own, firm, place) {
                return Some(place);
            }
        }
        None
    }

    /// Whether there may be room for `area` where a body can get to: false if all of that is less.
    pub(super) fn may_have_room(
        &mut self,
        world: &mut World,
        body: u32,
        own: &[u32],
        area: f32,
    ) -> bool {
        self.begin(world, body);
        if self.ahead.is_empty() {
            // There are no squares for a point.
            return true;
        }
        let wide = world.size_of(body).wide;
        let needed = area / (self.step * self.step);
        let mut open = 0.0;
        while self.next_open(world, own).is_some() {
            open += 1.0;
            if open >= needed {
                return true;
            }
        }
        // The rest of the body may get to where its middle does not.
        let barred = self.seen.len() as f32 - open;
        let border = barred * (1.0 + wide / self.step);
        self.left == 0 || open + border >= needed
    }

    /// Returns the next place that is free of firm colliders, and that the body gets to.
    fn next_open(&mut self, world: &mut World, own: &[u32]) -> Option<Vec2> {
        while self.left > 0 {
            let Reverse((_, square)) = self.ahead.pop()?;
            self.left -= 1;
            self.look_at_firm(world, own, self.middle(square));
            let body = world.body(own[0]);
            let place = if square == [0, 0] {
                self.start
            } else {
                let Some(place) = self.open_place(world, body, self.middle(square)) else {
                    continue;
                };
                if !self.is_reached(world, body, square, place) {
                    // It may be reached from a square that is looked at later.
                    self.seen.remove(&square);
                    continue;
                }
                place
            };
            self.seen.insert(square, Some(place));
            for beside in beside(square) {
                self.see(beside);
            }
            return Some(place);
        }
        None
    }

    fn see(&mut self, square: [i32; 2]) {
        if !self.seen.contains_key(&square) {
            self.seen.insert(square, None);
            let far = self.middle(square).distance_squared(self.start);
            self.ahead.push(Reverse((in_order(far), square)));
        }
    }

    fn middle(&self, [x, y]: [i32; 2]) -> Vec2 {
        self.start + Vec2::new(x as f32, y as f32) * self.step
    }

    /// Collects firm colliders and rooms around a square and the squares beside it.
    fn look_at_firm(&mut self, world: &mut World, own: &[u32], middle: Vec2) {
        self.place.clear();
        for &own in own {
            let Outline::Shape(shape) = world.outline(own) else {
                continue;
            };
            let (slot, offset) = (world.slot(own), world.offset(own));
            let (at, half) = (middle + offset, shape.half_extents() + 1.5 * self.step);
            let extent = Extent {
                min: (at - half).to_array(),
                max: (at + half).to_array(),
            };
            // A firm collider that is not met need not become a member.
            let outside = world.outside;
            outside.find_firm(Rank::Kinematic, &extent, &mut |other| {
                if outside.may_push(slot, other) {
                    let placed = outside.placed(other);
                    let center = outside.body_state(placed.body).position + placed.offset;
                    self.place.obstacles.push(Obstacle {
                        pair: (own, NONE),
                        center: center - offset,
                        outline: around(shape, placed.outline),
                    });
                }
            });
            for &room in outside.rooms() {
                if outside.may_push(slot, room) {
                    let room = world.enter(room);
                    self.place.add(world, own, room);
                }
            }
        }
    }

    /// Returns the free place nearest to the middle of a square, if it is in that square.
    fn open_place(&mut self, world: &World, own: u32, middle: Vec2) -> Option<Vec2> {
        if self.place.obstacles.is_empty() {
            return Some(middle);
        }
        self.place
            .begin(middle, self.step, world.rounding((own, own)));
        match self.place.nearest_free(|_| true) {
            SearchResult::Free(place) => {
                let is_in_it = (place - middle).abs().max_element() <= self.step * 0.5;
                is_in_it.then_some(place)
            }
            _ => None,
        }
    }

    /// Whether a body gets to a place from a square beside: straight, around a corner, or along a side of something.
    fn is_reached(&self, world: &World, own: u32, square: [i32; 2], place: Vec2) -> bool {
        if self.place.obstacles.is_empty() {
            return true;
        }
        let grazed = (self.step / STEP * GRAZED).max(4.0 * world.rounding((own, own)));
        // A way between two places in a room does not leave it.
        let firm = || {
            let firm = self.place.obstacles.iter();
            firm.filter_map(|obstacle| match obstacle.outline {
                Outline::Shape(sum) => Some((sum.shrunk(grazed), obstacle.center)),
                Outline::Bounds(_) => None,
            })
        };
        let is_clear = |way: &[Vec2]| {
            way.windows(2).all(|leg| {
                let way = leg[1] - leg[0];
                // A way that begins in something may leave it on the side where it begins.
                let bars = |(sum, center)| {
                    let hit = cast_ray(sum, leg[0] - center, way);
                    hit.is_some_and(|hit| !hit.started_inside || way.dot(hit.normal) <= 0.0)
                };
                !firm().any(bars)
            })
        };
        let sides = || {
            firm().flat_map(|(sum, center)| {
                let half = sum.half_extents();
                [center - half, center + half]
            })
        };
        let is_near = |place: f32, side: f32| (side - place).abs() <= self.step;
        let mut from = beside(square)
            .into_iter()
            .filter_map(|beside| *self.seen.get(&beside)?);
        from.any(|from| {
            let mut turns = [from, place].into_iter().chain(sides());
            is_clear(&[from, place])
                || turns.any(|Vec2 { x, y }| {
                    let [left, right] = [from.x, place.x].map(|at| Vec2::new(at, y));
                    let [low, high] = [from.y, place.y].map(|at| Vec2::new(x, at));
                    is_near(place.y, y) && is_clear(&[from, left, right, place])
                        || is_near(place.x, x) && is_clear(&[from, low, high, place])
                })
        })
    }

    /// Whether no body that has a place is in this one, or only by a little.
    fn is_free(&self, world: &World, own: &[u32], firm: &Cells, place: Vec2) -> bool {
        let most = self.step * BESIDE;
        own.iter().all(|&own| {
            let Some(extent) = world.extent_at(own, place, -most) else {
                return true;
            };
            let (shape, center) = (world.member(own).shape(), place + world.offset(own));
            let mut is_free = true;
            firm.meeting(&extent, |other| {
                let offset = world.center(other) - center;
                is_free = is_free
                    && (!world.may_push(own, other)
                        || separation(shape, world.member(other).shape(), offset) >= -most);
            });
            is_free
        })
    }
}

fn beside([x, y]: [i32; 2]) -> [[i32; 2]; 8] {
    AROUND.map(|[right, up]| [x + right, y + up])
}
