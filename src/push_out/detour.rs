//! A way to a free place for who is wedged in a crowd, around whatever bars the straight one.
//!
//! ```text
//! the world is looked at square by square, from the one in which the body is
//!     of those that lie beside one that has been looked at, the nearest one comes next
//!     where a static leaves no room for the body, nothing is beyond it
//!     in one in which nobody is who has a place, or only by a little, there may be a free one
//! ```
//!
//! From a square to the next one the body goes by less than its width, so no wall fits between them, however thin: it comes nowhere where it could not walk.

use std::{cmp::Reverse, collections::BinaryHeap};

use bevy::{math::Vec2, platform::collections::HashSet};

use super::{
    place::{Found, Obstacle, Place, around},
    world::{NONE, World},
};
use crate::{
    broad_phase::Extent,
    cells::Cells,
    kernel::{Outline, separation},
    placed::in_order,
};

/// A square is as wide as this part of the smaller half size of the body. To where it is free of statics it is half of that at most, on each axis, and so less than its width from there to the same in the next square.
const STEP: f32 = 0.9;
/// Who is in somebody by no more than this part of a square may find a place beside him.
const BESIDE: f32 = 0.75;
/// So many squares are looked at for one body.
const MOST: u32 = 4096;
/// A body whose middle is in a square reaches beyond those that are barred for its middle by no more than so many squares.
const BORDER: f32 = 2.5;
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
    /// Squares that have been looked at, or will be.
    seen: HashSet<[i32; 2]>,
    /// Those that will be, after how far they are from the first one.
    ahead: BinaryHeap<Reverse<(u32, [i32; 2])>>,
    /// So many more are looked at.
    pub(super) left: u32,
    place: Place,
}

impl Detours {
    /// Begins with a body where it is.
    pub(super) fn begin(&mut self, world: &World, body: u32, own: &[u32]) {
        self.start = world.position(body);
        let narrow = own.iter().map(|&own| world.half_extents(own).0);
        self.step = narrow.fold(f32::INFINITY, f32::min) * STEP;
        self.left = MOST;
        self.seen.clear();
        self.ahead.clear();
        // Who is a point, or a line, has no way around anything that would end.
        if self.step > world.rounding((body, body)) {
            self.see([0, 0]);
        }
    }

    /// The next place that may be free of those who have one, and is of statics.
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
        self.begin(world, body, own);
        let needed = area / (self.step * self.step);
        let mut open = 0.0;
        while self.next_open(world, own).is_some() {
            open += 1.0;
            if open >= needed {
                return true;
            }
        }
        let barred = self.seen.len() as f32 - open;
        self.left == 0 || open + barred * BORDER >= needed
    }

    /// The next place that is free of statics.
    fn next_open(&mut self, world: &mut World, own: &[u32]) -> Option<Vec2> {
        while self.left > 0 {
            let Reverse((_, square)) = self.ahead.pop()?;
            self.left -= 1;
            let mut place = self.open_place(world, own, self.middle(square));
            if square == [0, 0] {
                // Whoever is in a static goes on from there.
                place = place.or(Some(self.start));
            }
            if place.is_some() {
                for [right, up] in AROUND {
                    self.see([square[0] + right, square[1] + up]);
                }
                return place;
            }
        }
        None
    }

    fn see(&mut self, square: [i32; 2]) {
        if self.seen.insert(square) {
            let far = self.middle(square).distance_squared(self.start);
            self.ahead.push(Reverse((in_order(far), square)));
        }
    }

    fn middle(&self, [x, y]: [i32; 2]) -> Vec2 {
        self.start + Vec2::new(x as f32, y as f32) * self.step
    }

    /// The place in a square that is free of statics and rooms, and the nearest one to its middle.
    fn open_place(&mut self, world: &mut World, own: &[u32], middle: Vec2) -> Option<Vec2> {
        self.place.clear();
        for &own in own {
            let Outline::Shape(shape) = world.outline(own) else {
                continue;
            };
            let (slot, offset) = (world.slot(own), world.offset(own));
            let (at, half) = (middle + offset, shape.half_extents());
            let extent = Extent {
                min: (at - half).to_array(),
                max: (at + half).to_array(),
            };
            // Statics that nobody meets need not become members.
            let outside = world.outside;
            outside.find_near(&extent, &mut |other| {
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
        if self.place.obstacles.is_empty() {
            return Some(middle);
        }
        let rounding = world.rounding((own[0], own[0]));
        self.place.begin(middle, self.step, rounding);
        match self.place.nearest_free(|_| true) {
            Found::Free(place) => {
                let is_in_it = (place - middle).abs().max_element() <= self.step * 0.5;
                is_in_it.then_some(place)
            }
            _ => None,
        }
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
