//! Scenes of bodies and colliders, for tests.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use bevy::math::Vec2;
use proptest::{prelude::*, test_runner::TestRng};

use super::super::{problems::PushOut, surroundings::Surroundings, world::FREE};
use crate::{
    broad_phase::Extent,
    kernel::{Outline, Shape, Touching},
    placed::{BodyState, Meeting, Placed, Rank, see},
};

/// Bodies and colliders; nearly all bodies have one collider each.
#[derive(Clone, Debug, Default)]
pub(super) struct Scene {
    pub(super) body_states: Vec<BodyState>,
    pub(super) placed: Vec<Placed>,
    pub(super) rooms: Vec<u32>,
    pub(super) parts: Vec<(u32, u32)>,
    /// How often a push-out has read a collider of this scene, or of a copy.
    pub(super) asked: Arc<AtomicUsize>,
    /// How often it has asked whether two colliders push each other.
    pub(super) paired: Arc<AtomicUsize>,
    /// How often it has searched for what is around.
    pub(super) searched: Arc<AtomicUsize>,
}

impl Surroundings for Scene {
    fn slots(&self) -> u32 {
        self.placed.len() as u32
    }

    fn placed(&self, slot: u32) -> &Placed {
        self.asked.fetch_add(1, Ordering::Relaxed);
        &self.placed[slot as usize]
    }

    fn body_state(&self, slot: u32) -> &BodyState {
        &self.body_states[slot as usize]
    }

    fn is_sensor(&self, _: u32) -> bool {
        false
    }

    fn may_push(&self, a: u32, b: u32) -> bool {
        self.paired.fetch_add(1, Ordering::Relaxed);
        self.pushes(a as usize, b as usize)
    }

    fn find_still(&self, extent: &Extent, found: &mut dyn FnMut(u32)) {
        self.find(extent, true, found);
    }

    fn find_moving(&self, extent: &Extent, found: &mut dyn FnMut(u32)) {
        self.find(extent, false, found);
    }

    fn dynamic_body(&self, slot: u32) -> Option<u32> {
        let is_dynamic = self.rank(slot as usize) == Rank::Dynamic;
        is_dynamic.then(|| self.placed[slot as usize].body)
    }

    fn near_pairs(&self, reach: f32, found: &mut dyn FnMut([u32; 2], [Option<u32>; 2])) -> bool {
        let extent = |slot: usize| {
            let reach = if self.rank(slot) == Rank::Dynamic {
                reach
            } else {
                0.0
            };
            self.placed[slot].extent(&self.body_states, reach)
        };
        let slots = self.placed.len();
        for (a, b) in (0..slots).flat_map(|a| (a + 1..slots).map(move |b| (a, b))) {
            if self.pushes(a, b) && extent(a).meets(&extent(b)) {
                let slots = [a as u32, b as u32];
                found(slots, slots.map(|slot| self.dynamic_body(slot)));
            }
        }
        let mut rooms = self.rooms.iter();
        rooms.all(|&room| self.rank(room as usize) != Rank::Dynamic)
    }

    fn rooms(&self) -> &[u32] {
        &self.rooms
    }

    fn parts(&self) -> &[(u32, u32)] {
        &self.parts
    }
}

impl Scene {
    pub(super) fn add(&mut self, shape: Shape, rank: Rank, x: f32, y: f32) -> usize {
        self.add_outline(Outline::Shape(shape), rank, x, y)
    }

    /// Adds one more collider of a dynamic body, this far from its middle.
    pub(super) fn add_child(&mut self, body: usize, shape: Shape, x: f32, y: f32) -> usize {
        let child = self.add(shape, Rank::Dynamic, 0.0, 0.0);
        self.placed[child].body = body as u32;
        self.placed[child].offset = Vec2::new(x, y);
        self.parts.push((body as u32, child as u32));
        child
    }

    pub(super) fn add_outline(&mut self, outline: Outline, rank: Rank, x: f32, y: f32) -> usize {
        let slot = self.body_states.len();
        if let Outline::Bounds(_) = outline {
            self.rooms.push(slot as u32);
        }
        self.placed.push(Placed {
            outline,
            offset: Vec2::ZERO,
            body: slot as u32,
        });
        self.body_states.push(BodyState {
            position: Vec2::new(x, y),
            inverse_mass: 1.0,
            rank,
        });
        slot
    }

    pub(super) fn pushes(&self, a: usize, b: usize) -> bool {
        self.placed[a].body != self.placed[b].body
            && [a, b].iter().any(|&slot| self.rank(slot) == Rank::Dynamic)
    }

    pub(super) fn rank(&self, slot: usize) -> Rank {
        self.body_states[self.placed[slot].body as usize].rank
    }

    pub(super) fn find(&self, extent: &Extent, is_still: bool, found: &mut dyn FnMut(u32)) {
        self.searched.fetch_add(1, Ordering::Relaxed);
        for (slot, placed) in (0..).zip(&self.placed) {
            let meets = placed.extent(&self.body_states, 0.0).meets(extent);
            if meets && is_still == (self.rank(slot as usize) == Rank::Static) {
                found(slot);
            }
        }
    }

    pub(super) fn overlap(&self, a: usize, b: usize) -> Option<Meeting> {
        let slots = (a.min(b) as u32, a.max(b) as u32);
        let find = |a: Outline, b, offset| {
            let contact = a.contact(b, offset, Touching::Ignored)?;
            Some((contact, true))
        };
        see(&self.placed, &self.body_states, slots, find).map(|seen| seen.meeting)
    }

    /// Returns all pairs that push each other and overlap.
    pub(super) fn overlapping(&self) -> Vec<(u32, u32)> {
        let slots = self.placed.len();
        let pairs = (0..slots).flat_map(|a| (a + 1..slots).map(move |b| (a, b)));
        pairs
            .filter(|&(a, b)| self.pushes(a, b) && self.overlap(a, b).is_some())
            .map(|(a, b)| (a as u32, b as u32))
            .collect()
    }

    /// Returns the scene after a push-out.
    pub(super) fn pushed(&self) -> Self {
        let mut after = self.clone();
        let overlapping = self.overlapping();
        let mut push_out = PushOut::default();
        let outcome = push_out.run(self, overlapping.into_iter(), 256);
        for &(slot, position) in outcome.moved {
            after.body_states[slot as usize].position = position;
        }
        after
    }

    /// Returns the same scene with its slots in this order.
    pub(super) fn in_order(&self, order: &[usize]) -> Self {
        let mut shuffled = Self::default();
        for &slot in order {
            let body = self.body_states[slot];
            let (x, y) = body.position.into();
            shuffled.add_outline(self.placed[slot].outline, body.rank, x, y);
        }
        shuffled
    }

    /// Asserts that a scene with its slots in this order is the same to the bit.
    pub(super) fn assert_same(&self, shuffled: &Self, order: &[usize]) {
        for (new, &old) in order.iter().enumerate() {
            assert_eq!(
                shuffled.body_states[new]
                    .position
                    .to_array()
                    .map(f32::to_bits),
                self.body_states[old].position.to_array().map(f32::to_bits),
                "body {old}"
            );
        }
    }

    /// Returns the pairs that overlap by more than what counts as free, and their depths.
    pub(super) fn deep(&self) -> Vec<(u32, u32, f32)> {
        let overlapping = self.overlapping().into_iter();
        let pairs = overlapping.filter_map(|(a, b)| {
            let seen = self.overlap(a as usize, b as usize)?;
            Some((a, b, seen.depth))
        });
        pairs.filter(|pair| pair.2 > FREE).collect()
    }

    pub(super) fn at(&self, slot: usize) -> (f32, f32) {
        self.body_states[slot].position.into()
    }

    /// Describes what touches a pair, for the message of a failing test.
    pub(super) fn around(&self, pair: (usize, usize)) -> String {
        let mut text = String::new();
        for slot in [pair.0, pair.1] {
            for other in (0..self.placed.len()).filter(|&other| other != slot) {
                let key = (slot.min(other) as u32, slot.max(other) as u32);
                let find = |a: Outline, b, offset| {
                    let contact = a.contact_within(b, offset, 0.01)?;
                    Some((contact, true))
                };
                let met = see(&self.placed, &self.body_states, key, find).map(|seen| seen.meeting);
                if let Some(met) = met {
                    text += &format!(
                        "{slot} {:?} meets {other} {:?} {:?}, normal {} depth {}\n",
                        self.body_states[slot].position,
                        self.rank(other),
                        self.body_states[other].position,
                        met.normal,
                        met.depth
                    );
                }
            }
        }
        text
    }

    /// Returns the deepest overlap of all pairs that push each other, and its pair.
    pub(super) fn deepest(&self) -> (f32, (usize, usize)) {
        let mut deepest = (0.0, (0, 0));
        for (a, b) in self.overlapping() {
            let (a, b) = (a as usize, b as usize);
            if let Some(overlap) = self.overlap(a, b)
                && overlap.depth > deepest.0
            {
                deepest = (overlap.depth, (a, b));
            }
        }
        deepest
    }

    pub(super) fn assert_apart(&self) {
        let (depth, pair) = self.deepest();
        assert!(
            depth <= 0.01,
            "{pair:?} overlap by {depth}\n{}",
            self.around(pair)
        );
    }
}

pub(super) fn square(side: f32) -> Shape {
    Shape::rectangle(Vec2::splat(side * 0.5)).expect("a test's own size")
}

pub(super) fn circle(radius: f32) -> Shape {
    Shape::circle(radius).expect("a test's own size")
}

/// Returns a source of numbers from 0 to 1, the same ones for the same seed.
pub(super) fn units(seed: u64) -> impl FnMut() -> f32 {
    let mut rng = TestRng::from_seed(
        proptest::test_runner::RngAlgorithm::ChaCha,
        &[seed.to_le_bytes(), [0; 8], [0; 8], [0; 8]].concat(),
    );
    move || (rng.next_u32() >> 8) as f32 / (1 << 24) as f32
}

/// Returns a crowd that covers about `covered` of the area: half circles, half boxes, a fifth static, a tenth kinematic, the rest dynamic.
pub(super) fn crowd(count: usize, covered: f32, seed: u64) -> Scene {
    let mut unit = units(seed);
    // Half sizes 2 to 6: a mean area of about 60.
    let world_side = (count as f32 * 60.0 / covered).sqrt();
    let mut scene = Scene::default();
    for i in 0..count {
        let shape = if i % 2 == 0 {
            circle(2.0 + 4.0 * unit())
        } else {
            Shape::rectangle(Vec2::new(2.0 + 4.0 * unit(), 2.0 + 4.0 * unit())).expect("positive")
        };
        let rank = match i % 10 {
            0 | 5 => Rank::Static,
            1 => Rank::Kinematic,
            _ => Rank::Dynamic,
        };
        let (x, y) = (unit() * world_side, unit() * world_side);
        scene.add(shape, rank, x, y);
    }
    scene
}
