//! A way to a free place for who is wedged in a crowd, around whatever bars the straight one.
//!
//! ```text
//! the world is looked at square by square, from the one in which the body is
//!     of those that lie beside one that has been looked at, the nearest one comes next
//!     where something that gives no way leaves no room for the body, or is on all ways there from those beside it, nothing is beyond it
//!     in one in which nobody is who has a place, or only by a little, there may be a free one
//! ```
//!
//! Others are no hindrance, for they make room: but through a wall, or a gap that is narrower than the body, it does not get.

use std::{cmp::Reverse, collections::BinaryHeap};

use bevy::{math::Vec2, platform::collections::HashMap};

use super::{
    place::{Found, Obstacle, Place, around},
    surroundings::NONE,
    world::World,
};
use crate::{
    broad_phase::Extent,
    cells::Cells,
    kernel::{Outline, cast_ray, separation},
    placed::{Rank, in_order},
};

/// A square is as wide as this part of the smaller half size of the body.
const STEP: f32 = 0.9;
/// What a body goes through by no more than this part of its smaller half size is not in its way.
const GRAZED: f32 = 1.0e-3;
/// Who is in somebody by no more than this part of a square may find a place beside him.
const BESIDE: f32 = 0.75;
/// So many squares are looked at for one body.
const MOST: u32 = 4096;
/// From a square to those around it.
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
    /// Squares that have been looked at, or will be; and where the body is in it, of those to which it gets.
    seen: HashMap<[i32; 2], Option<Vec2>>,
    /// Those that will be, after how far they are from the first one.
    ahead: BinaryHeap<Reverse<(u32, [i32; 2])>>,
    /// So many more are looked at.
    pub(super) left: u32,
    place: Place,
}

impl Detours {
    /// Begins with a body where it is.
    pub(super) fn begin(&mut self, world: &World, body: u32) {
        self.start = world.position(body);
        self.step = world.size_of(body).narrow * STEP;
        self.left = MOST;
        self.seen.clear();
        self.ahead.clear();
        // Who is a point, or a line, has no way around anything that would end.
        if self.step > world.rounding((body, body)) {
            self.see([0, 0]);
        }
    }

    /// The next place that may be free of those who have one, and is of what gives no way.
    pub(super) fn next(&mut self, world: &mut World, own: &[u32], firm: &Cells) -> Option<Vec2> {
        while let Some(place) = self.next_open(world, own) {
            if self.is_free(world, own, firm, place) {
                return Some(place);
            }
        }
        None
    }

    /// Whether there may be room for so much where a body can get to: false if that is less, all in all.
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
        // To where its middle does not get, the rest of it may.
        let barred = self.seen.len() as f32 - open;
        let border = barred * (1.0 + wide / self.step);
        self.left == 0 || open + border >= needed
    }

    /// The next place that is free of what gives no way, and to which it gets.
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
                    // Perhaps from one that is looked at later.
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

    /// Takes up what gives no way, and rooms, around a square and those beside it.
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
            // Who meets nobody need not become a member.
            let outside = world.outside;
            outside.find_firm(Rank::Kinematic, &extent, &mut |other| {
                if outside.may_push(slot, other) {
                    let placed = outside.placed(other);
                    let center = outside.mover(placed.body).position + placed.offset;
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

    /// The place in a square that is free of these, and the nearest one to its middle.
    fn open_place(&mut self, world: &World, own: u32, middle: Vec2) -> Option<Vec2> {
        if self.place.obstacles.is_empty() {
            return Some(middle);
        }
        self.place
            .begin(middle, self.step, world.rounding((own, own)));
        match self.place.nearest_free(|_| true) {
            Found::Free(place) => {
                let is_in_it = (place - middle).abs().max_element() <= self.step * 0.5;
                is_in_it.then_some(place)
            }
            _ => None,
        }
    }

    /// Whether a body gets to a place from one beside its square: straight, around a corner, or along a side of something.
    fn is_reached(&self, world: &World, own: u32, square: [i32; 2], place: Vec2) -> bool {
        if self.place.obstacles.is_empty() {
            return true;
        }
        let grazed = (self.step / STEP * GRAZED).max(4.0 * world.rounding((own, own)));
        // Between two places in a room nothing is outside of it.
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
                // Who begins in something leaves it on the side on which he is.
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

    /// Whether nobody who has a place is in another one, or only by a little.
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
