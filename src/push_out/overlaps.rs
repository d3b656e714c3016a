//! Which near pairs overlap or touch, kept up to date: only pairs of which a body has moved are tested again.

use super::{
    near::Near,
    world::{FIRST_TIME, World},
};

/// Which of the near pairs overlap.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlaps {
    /// Numbers of the pairs that overlap; each once.
    pub(super) over: Vec<u32>,
    /// How many pairs have been tested at least once.
    asked: usize,
    moved: Vec<u32>,
}

impl Overlaps {
    /// Starts without pairs.
    pub(super) fn start(&mut self) {
        self.over.clear();
        self.asked = 0;
    }

    /// Adds a pair of slots that overlap, and everything that touches it, directly or through others. No body has moved yet.
    pub(super) fn add(&mut self, world: &mut World, near: &mut Near, (a, b): (u32, u32)) {
        let (a, b) = (world.enter(a), world.enter(b));
        near.open(world, world.body(a));
        near.open(world, world.body(b));
        self.ask_new(world, near);
    }

    /// Tests new pairs, and those of which a body has moved.
    pub(super) fn update(&mut self, world: &mut World, near: &mut Near) {
        if near.is_littered() {
            near.tidy(world);
            self.asked = near.pairs.all.len();
            let numbers = 0..self.asked as u32;
            self.over.clear();
            self.over
                .extend(numbers.filter(|&number| near.pairs.get(number).is_listed));
        }
        near.follow(world);
        let mut moved = std::mem::take(&mut self.moved);
        world.take_unasked(&mut moved);
        for &body in &moved {
            for mut next in near.pairs.first_of(body) {
                while let Some((number, link)) = near.pairs.link_at(next) {
                    let pair = near.pairs.get(number);
                    if world.has_moved_since(pair.asked_at, pair.numbers()) {
                        self.ask(world, near, number);
                    }
                    next = link;
                }
            }
        }
        self.moved = moved;
        self.ask_new(world, near);
        self.over.retain(|&number| {
            let pair = near.pairs.get_mut(number);
            pair.is_listed = pair.overlaps;
            pair.overlaps
        });
    }

    /// Tests pairs that have not been tested yet, and those that are found by that.
    pub(super) fn ask_new(&mut self, world: &mut World, near: &mut Near) {
        while self.asked < near.pairs.all.len() {
            let number = self.asked as u32;
            self.asked += 1;
            if near.pairs.get(number).asked_at == 0 {
                self.ask(world, near, number);
            }
        }
    }

    fn ask(&mut self, world: &mut World, near: &mut Near, number: u32) {
        let pair = near.pairs.get_mut(number);
        pair.asked_at = world.time();
        let numbers = pair.numbers();
        let Some(push) = world.lean(numbers) else {
            pair.touches = false;
            pair.overlaps = false;
            return;
        };
        pair.push = push;
        pair.overlaps = push.depth > 0.0 && push.depth > world.rounding_along(numbers, push.normal);
        // Detection has seen what overlaps before any body has moved.
        pair.is_told |= push.depth > 0.0 && world.time() == FIRST_TIME;
        if pair.overlaps && !std::mem::replace(&mut pair.is_listed, true) {
            self.over.push(number);
        }
        let touches = pair.overlaps || !world.is_by_a_corner(numbers);
        if !std::mem::replace(&mut pair.touches, touches) && touches {
            near.open(world, world.body(numbers.0));
            near.open(world, world.body(numbers.1));
        }
    }
}
