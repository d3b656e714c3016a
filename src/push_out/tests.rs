//! The laws of pushing apart, on bodies and colliders alone.

use std::sync::atomic::{AtomicUsize, Ordering};

use bevy::math::Vec2;
use proptest::{prelude::*, test_runner::TestRng};

use super::{
    problems::PushOut,
    surroundings::{StillColliders, Surroundings},
    world::FREE,
};
use crate::{
    broad_phase::Extent,
    kernel::{Outline, Shape, Touching},
    placed::{Meeting, Mover, Placed, Rank, see},
};

mod crowds;
mod detours;
mod districts;
mod groups;
mod heaps;
mod shaken;

/// Bodies and colliders, nearly all with a collider each.
#[derive(Clone, Debug, Default)]
struct Scene {
    movers: Vec<Mover>,
    placed: Vec<Placed>,
    rooms: Vec<u32>,
    children: Vec<(u32, u32)>,
}

impl StillColliders for Scene {
    fn find_near(&self, extent: &Extent, found: &mut dyn FnMut(u32)) {
        self.find(extent, true, found);
    }
}

impl Surroundings for Scene {
    fn slots(&self) -> u32 {
        self.placed.len() as u32
    }

    fn placed(&self, slot: u32) -> &Placed {
        &self.placed[slot as usize]
    }

    fn mover(&self, slot: u32) -> &Mover {
        &self.movers[slot as usize]
    }

    fn is_sensor(&self, _: u32) -> bool {
        false
    }

    fn may_push(&self, a: u32, b: u32) -> bool {
        self.pushes(a as usize, b as usize)
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
            self.placed[slot].extent(&self.movers, reach)
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
        &self.children
    }
}

impl Scene {
    fn add(&mut self, shape: Shape, rank: Rank, x: f32, y: f32) -> usize {
        self.add_outline(Outline::Shape(shape), rank, x, y)
    }

    fn add_outline(&mut self, outline: Outline, rank: Rank, x: f32, y: f32) -> usize {
        let slot = self.movers.len();
        if let Outline::Bounds(_) = outline {
            self.rooms.push(slot as u32);
        }
        self.placed.push(Placed {
            outline,
            offset: Vec2::ZERO,
            body: slot as u32,
        });
        self.movers.push(Mover {
            position: Vec2::new(x, y),
            inverse_mass: 1.0,
            rank,
        });
        slot
    }

    fn pushes(&self, a: usize, b: usize) -> bool {
        self.placed[a].body != self.placed[b].body
            && [a, b].iter().any(|&slot| self.rank(slot) == Rank::Dynamic)
    }

    fn rank(&self, slot: usize) -> Rank {
        self.movers[self.placed[slot].body as usize].rank
    }

    fn find(&self, extent: &Extent, is_still: bool, found: &mut dyn FnMut(u32)) {
        for (slot, placed) in (0..).zip(&self.placed) {
            let meets = placed.extent(&self.movers, 0.0).meets(extent);
            if meets && is_still == (self.rank(slot as usize) == Rank::Static) {
                found(slot);
            }
        }
    }

    fn overlap(&self, a: usize, b: usize) -> Option<Meeting> {
        let slots = (a.min(b) as u32, a.max(b) as u32);
        let find = |a: Outline, b, offset| {
            let contact = a.contact(b, offset, Touching::Ignored)?;
            Some((contact, true))
        };
        see(&self.placed, &self.movers, slots, find).map(|seen| seen.meeting)
    }

    /// All pairs that push each other and overlap.
    fn overlapping(&self) -> Vec<(u32, u32)> {
        let slots = self.placed.len();
        let pairs = (0..slots).flat_map(|a| (a + 1..slots).map(move |b| (a, b)));
        pairs
            .filter(|&(a, b)| self.pushes(a, b) && self.overlap(a, b).is_some())
            .map(|(a, b)| (a as u32, b as u32))
            .collect()
    }

    /// The same scene after a push-out.
    fn pushed(&self) -> Self {
        let mut after = self.clone();
        let overlapping = self.overlapping();
        let mut push_out = PushOut::default();
        let outcome = push_out.run(self, overlapping.into_iter(), 256);
        for &(slot, position) in outcome.moved {
            after.movers[slot as usize].position = position;
        }
        after
    }

    /// The same with other slots.
    fn in_order(&self, order: &[usize]) -> Self {
        let mut shuffled = Self::default();
        for &slot in order {
            let mover = self.movers[slot];
            let (x, y) = mover.position.into();
            shuffled.add_outline(self.placed[slot].outline, mover.rank, x, y);
        }
        shuffled
    }

    /// Whether one with other slots is the same to the bit.
    fn assert_same(&self, shuffled: &Self, order: &[usize]) {
        for (new, &old) in order.iter().enumerate() {
            assert_eq!(
                shuffled.movers[new].position.to_array().map(f32::to_bits),
                self.movers[old].position.to_array().map(f32::to_bits),
                "body {old}"
            );
        }
    }

    /// Pairs that are deeper in each other than what counts as free, and how deep.
    fn deep(&self) -> Vec<(u32, u32, f32)> {
        let overlapping = self.overlapping().into_iter();
        let pairs = overlapping.filter_map(|(a, b)| {
            let seen = self.overlap(a as usize, b as usize)?;
            Some((a, b, seen.depth))
        });
        pairs.filter(|pair| pair.2 > FREE).collect()
    }

    fn at(&self, slot: usize) -> (f32, f32) {
        self.movers[slot].position.into()
    }

    /// Who touches a pair, for the message of a failing test.
    fn around(&self, pair: (usize, usize)) -> String {
        let mut text = String::new();
        for slot in [pair.0, pair.1] {
            for other in (0..self.placed.len()).filter(|&other| other != slot) {
                let key = (slot.min(other) as u32, slot.max(other) as u32);
                let find = |a: Outline, b, offset| {
                    let contact = a.contact_within(b, offset, 0.01)?;
                    Some((contact, true))
                };
                let met = see(&self.placed, &self.movers, key, find).map(|seen| seen.meeting);
                if let Some(met) = met {
                    text += &format!(
                        "{slot} {:?} meets {other} {:?} {:?}, normal {} depth {}\n",
                        self.movers[slot].position,
                        self.rank(other),
                        self.movers[other].position,
                        met.normal,
                        met.depth
                    );
                }
            }
        }
        text
    }

    /// The deepest overlap among all pairs that push each other, and who they are.
    fn deepest(&self) -> (f32, (usize, usize)) {
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

    fn assert_apart(&self) {
        let (depth, pair) = self.deepest();
        assert!(
            depth <= 0.01,
            "{pair:?} overlap by {depth}\n{}",
            self.around(pair)
        );
    }
}

fn square(side: f32) -> Shape {
    Shape::rectangle(Vec2::splat(side * 0.5)).expect("a test's own size")
}

fn circle(radius: f32) -> Shape {
    Shape::circle(radius).expect("a test's own size")
}

/// Numbers from 0 to 1, the same ones for the same seed.
fn units(seed: u64) -> impl FnMut() -> f32 {
    let mut rng = TestRng::from_seed(
        proptest::test_runner::RngAlgorithm::ChaCha,
        &[seed.to_le_bytes(), [0; 8], [0; 8], [0; 8]].concat(),
    );
    move || (rng.next_u32() >> 8) as f32 / (1 << 24) as f32
}

/// A crowd in which about `covered` of the area is taken: half circles, half boxes, a fifth static, a tenth kinematic, the rest dynamic.
fn crowd(count: usize, covered: f32, seed: u64) -> Scene {
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

#[test]
fn a_crowd_ends_free_of_all_and_fixed_things_have_not_moved() {
    // Without kinematics, which may pin a body against a static for good.
    for (count, covered) in [(500, 0.25), (2000, 0.25), (500, 0.5)] {
        let mut scene = crowd(count, covered, 1);
        for mover in scene
            .movers
            .iter_mut()
            .filter(|one| one.rank == Rank::Kinematic)
        {
            mover.rank = Rank::Dynamic;
        }
        let after = scene.pushed();
        let (depth, pair) = after.deepest();
        assert!(
            depth <= 0.01,
            "{count} at {covered}: {pair:?} overlap by {depth}\n{}",
            after.around(pair)
        );
        for (before, now) in scene.movers.iter().zip(&after.movers) {
            if before.rank == Rank::Static {
                assert_eq!(before, now);
            }
        }
    }
}

/// A body with an arm: a wall pushes the body far to the right, and so its arm into somebody who was nowhere near anything.
#[test]
fn a_body_that_goes_far_takes_all_its_colliders_along() {
    let mut scene = Scene::default();
    let body = scene.add(square(10.0), Rank::Dynamic, 0.0, 0.0);
    let arm = scene.add(square(10.0), Rank::Dynamic, 0.0, 0.0);
    scene.placed[arm].body = body as u32;
    scene.placed[arm].offset = Vec2::new(60.0, 0.0);
    scene.children.push((body as u32, arm as u32));
    // From -100 to 20: the body leaves it by 25.
    scene.add(square(120.0), Rank::Static, -40.0, 0.0);
    let other = scene.add(square(10.0), Rank::Dynamic, 90.0, 0.0);
    // Enough others that one is not many.
    for number in 0..30 {
        scene.add(
            square(1.0),
            Rank::Dynamic,
            1000.0 + 10.0 * number as f32,
            0.0,
        );
    }
    let after = scene.pushed();
    assert_eq!(after.at(body), (25.0, 0.0));
    let (deepest, pair) = after.deepest();
    assert!(deepest <= 0.01, "{pair:?} are {deepest} deep");
    assert_eq!(after.at(other), (95.0, 0.0), "the arm ends at 25 + 60 + 5");
}

#[test]
fn no_dynamic_ends_in_a_static_that_is_not_forced_to() {
    let mut after = crowd(1000, 0.3, 2).pushed();
    for (slot, mover) in after.movers.iter_mut().enumerate() {
        if mover.rank == Rank::Kinematic {
            // Out of the way of the measurement.
            mover.position = Vec2::new(1.0e6 + 100.0 * slot as f32, 0.0);
        }
    }
    let statics: Vec<usize> = (0..1000)
        .filter(|&slot| after.movers[slot].rank == Rank::Static)
        .collect();
    for a in 0..1000 {
        for &b in statics.iter().filter(|&&b| b != a) {
            let overlap = after.overlap(a, b);
            if after.rank(a) == Rank::Dynamic {
                assert!(
                    overlap.is_none_or(|one| one.depth <= 0.01),
                    "{a} in {b}: {overlap:?}"
                );
            }
        }
    }
}

/// Slots in any order: every body ends at the same bits.
#[test]
fn the_order_of_slots_does_not_matter() {
    let scene = crowd(600, 0.4, 3);
    let after = scene.pushed();
    for step in [7, 11, 601] {
        // A permutation, since 600 and the steps have no common factor.
        let order: Vec<usize> = (0..600).map(|i| (i * step + 13) % 600).collect();
        after.assert_same(&scene.in_order(&order).pushed(), &order);
    }
}

/// The first of the pairs tell how far around a body is looked for others, and which island comes first.
#[test]
fn the_order_of_pairs_does_not_matter() {
    let scene = crowd(600, 0.4, 5);
    let mut pairs = scene.overlapping();
    // Those of the smallest, then those of the largest come first.
    pairs.sort_by_key(|(slot, _)| {
        let Outline::Shape(shape) = scene.placed[*slot as usize].outline else {
            return 0;
        };
        shape.half_extents().max_element().to_bits()
    });
    assert!(pairs.len() > 200, "{} pairs", pairs.len());
    let told = |pairs: &[(u32, u32)]| {
        let mut push_out = PushOut::default();
        let outcome = push_out.run(&scene, pairs.iter().copied(), 256);
        let moved = outcome.moved.iter();
        let moved: Vec<_> = moved
            .map(|(slot, to)| (*slot, to.to_array().map(f32::to_bits)))
            .collect();
        let met: Vec<_> = outcome.met().collect();
        (moved, met, outcome.stuck.to_vec())
    };
    let by_size = told(&pairs);
    pairs.reverse();
    assert_eq!(told(&pairs), by_size);
}

/// Who overlaps nothing, touches nobody who does and is not pushed on is not asked for, however many there are.
#[test]
fn a_lone_overlap_asks_for_few() {
    let mut scene = Scene::default();
    for number in 0..1000 {
        let (column, row) = ((number % 40) as f32, (number / 40) as f32);
        scene.add(square(10.0), Rank::Dynamic, 20.0 * column, 20.0 * row);
    }
    // From 401 to 409 on both axes, over a corner of number 820, which is from 395 to 405.
    scene.add(square(8.0), Rank::Dynamic, 405.0, 405.0);
    let watched = Watched::new(&scene);
    let mut push_out = PushOut::default();
    let outcome = push_out.run(&watched, scene.overlapping().into_iter(), 256);
    // Four deep on both axes; the x axis wins, and each goes half the way.
    let expected = [
        (820, Vec2::new(398.0, 400.0)),
        (1000, Vec2::new(407.0, 405.0)),
    ];
    assert_eq!(outcome.moved, expected);
    let asked = watched.asked.into_inner();
    assert!(asked < 100, "{asked} places were read");
}

/// Neither its size nor that of a giant is how far anybody goes.
#[test]
fn a_ground_without_end_does_not_make_everybody_near() {
    for (size, rank, depth) in [
        ((5.0e5, 5.0), Rank::Static, 1.0),
        ((5.0e5, 5.0), Rank::Kinematic, 1.0),
        ((5.0e5, 5.0), Rank::Dynamic, 0.5),
    ] {
        let mut scene = Scene::default();
        for number in 0..1000 {
            let (column, row) = ((number % 40) as f32, (number / 40) as f32);
            scene.add(square(10.0), Rank::Dynamic, 20.0 * column, 20.0 * row);
        }
        let giant = Shape::rectangle(Vec2::from(size)).expect("it is valid");
        scene.add(giant, rank, 390.0, -100.0);
        // One deep in it.
        scene.add(square(10.0), Rank::Dynamic, 390.0, -91.0);
        let watched = Watched::new(&scene);
        let mut push_out = PushOut::default();
        let outcome = push_out.run(&watched, scene.overlapping().into_iter(), 256);
        let moved = outcome.moved.iter().find(|(slot, _)| *slot == 1001);
        let expected = (1001, Vec2::new(390.0, -91.0 + depth));
        assert_eq!(moved, Some(&expected), "{rank:?}");
        let asked = watched.asked.into_inner();
        assert!(asked < 100, "{rank:?}: {asked} places were read");
    }
}

impl Scene {
    fn add_static(&mut self, min: (f32, f32), max: (f32, f32)) {
        let (min, max) = (Vec2::from(min), Vec2::from(max));
        let shape = Shape::rectangle((max - min) * 0.5).expect("a test's own size");
        let (x, y) = min.midpoint(max).into();
        self.add(shape, Rank::Static, x, y);
    }
}

/// Its middle is in the floor, and the way back to the corner leads past that of the wall. Below the floor would be no longer a way than three times as long.
#[test]
fn nobody_leaves_a_floor_by_its_underside_because_a_wall_stands_on_it() {
    for (size, thick, way) in [
        (8.0, 12.0, (5.0, -4.5)),
        (8.0, 12.0, (4.5, -5.0)),
        (8.0, 16.0, (5.2, -5.2)),
        (4.0, 12.0, (3.2, -3.2)),
    ] {
        for (is_split, side) in [(false, 1.0), (false, -1.0), (true, 1.0), (true, -1.0)] {
            let mut scene = Scene::default();
            let mut add = |(left, low): (f32, f32), (right, high): (f32, f32)| {
                let (left, right) = (left * side, right * side);
                scene.add_static((left.min(right), low), (left.max(right), high));
            };
            if is_split {
                add((-96.0, -thick), (0.0, 0.0));
                add((0.0, -thick), (96.0, 0.0));
            } else {
                add((-96.0, -thick), (96.0, 0.0));
            }
            add((0.0, 0.0), (96.0, 48.0));
            let half = size * 0.5;
            let (x, y) = ((way.0 - half) * side, way.1 + half);
            let body = scene.add(square(size), Rank::Dynamic, x, y);
            let after = scene.pushed().movers[body].position;
            let corner = Vec2::new(-half * side, half);
            assert!(
                after.distance(corner) < 1.0e-3,
                "{size} by {way:?}, split: {is_split}, side {side}: {after}"
            );
        }
    }
}

/// Deeper in a row of tiles than half of its height, and wider than one of them, as out of one long box.
#[test]
fn who_is_deep_in_a_row_of_tiles_leaves_it_upwards() {
    for tile in [2.0, 4.0, 5.0, 200.0] {
        for (x, y) in [(3.125, -0.25), (0.0, -0.5), (1.0, -1.5)] {
            let mut scene = Scene::default();
            for number in -10_i8..10 {
                let left = f32::from(number) * tile;
                scene.add_static((left, -8.0), (left + tile, 0.0));
            }
            let shape = Shape::rectangle(Vec2::new(5.0, 2.0)).expect("a test's own size");
            let body = scene.add(shape, Rank::Dynamic, x, y);
            let after = scene.pushed().movers[body].position;
            assert!(
                after.distance(Vec2::new(x, 2.0)) < 1.0e-3,
                "tiles of {tile}: from {x}, {y} to {after}"
            );
        }
    }
}

/// A gate whose middle is nearer to the other side of a wall of tiles beside it, which the body touches: along the seam of two of these, and through a slit.
#[test]
fn nobody_leaves_a_gate_by_the_seam_of_two_tiles_beside_it() {
    for gap in [0.0, 1.0] {
        let mut scene = Scene::default();
        scene.add_static((-11.0, -100.0), (-1.0, 100.0));
        for number in -4_i8..4 {
            let low = f32::from(number) * (10.0 + 2.0 * gap) + gap;
            scene.add_static((0.0, low), (4.0, low + 10.0));
        }
        let body = scene.add(square(8.0), Rank::Dynamic, -3.0, 0.0);
        let after = scene.pushed().movers[body].position;
        assert!(after.x <= -15.0, "a gap of {gap} to each side: {after}");
    }
}

/// Between two corners it lies where it touches both, at (0, 4) by a triangle of 3, 4 and 5, and stays there, however it is pressed.
#[test]
fn a_ball_that_is_pressed_into_a_notch_does_not_tremble() {
    for (left, right) in [(-13.0, 13.0), (13.0, -13.0)] {
        for (x, press) in [(0.0, 1.0), (0.0, 0.1), (0.3, 0.5), (-0.3, 2.0)] {
            let mut scene = Scene::default();
            for x in [left, right] {
                scene.add(square(20.0), Rank::Static, x, -10.0);
            }
            let ball = scene.add(circle(5.0), Rank::Dynamic, x, 4.0);
            let mut places = Vec::new();
            for _ in 0..12 {
                scene.movers[ball].position.y -= press;
                scene = scene.pushed();
                places.push(scene.movers[ball].position);
            }
            let at = places[11];
            assert!(at.distance(Vec2::new(0.0, 4.0)) < 1.0e-3, "{places:?}");
            assert_eq!(at, places[10], "{places:?}");
        }
    }
}

/// Pressed to a ground that gives no way, it overlaps nobody who would tell how large those are that lie on it.
#[test]
fn a_giant_at_a_wall_does_not_make_those_on_it_near_each_other() {
    let mut scene = Scene::default();
    scene.add(square(1000.0), Rank::Dynamic, 0.0, 0.0);
    let ground = Shape::rectangle(Vec2::new(1000.0, 5.0)).expect("it is valid");
    scene.add(ground, Rank::Static, 0.0, -504.5);
    for number in 0..2000 {
        let (column, row) = ((number % 250) as f32, (number / 250) as f32);
        let (x, y) = (4.0 * column - 498.0, 4.0 * row + 502.0);
        scene.add(square(4.0), Rank::Dynamic, x, y);
    }
    let watched = Watched::new(&scene);
    let mut push_out = PushOut::default();
    push_out.run(&watched, [(0, 1)].into_iter(), 1);
    // Each has 24 within twice its size.
    let paired = watched.paired.into_inner();
    assert!(paired < 80_000, "{paired} pairs were looked at");
}

/// A scene that counts how often a place in it is read, and how often it is asked whether two push each other.
struct Watched<'a> {
    scene: &'a Scene,
    asked: AtomicUsize,
    paired: AtomicUsize,
}

impl<'a> Watched<'a> {
    fn new(scene: &'a Scene) -> Self {
        Self {
            scene,
            asked: AtomicUsize::new(0),
            paired: AtomicUsize::new(0),
        }
    }
}

impl StillColliders for Watched<'_> {
    fn find_near(&self, extent: &Extent, found: &mut dyn FnMut(u32)) {
        self.scene.find_near(extent, found);
    }
}

impl Surroundings for Watched<'_> {
    fn slots(&self) -> u32 {
        self.scene.slots()
    }

    fn placed(&self, slot: u32) -> &Placed {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.scene.placed(slot)
    }

    fn mover(&self, slot: u32) -> &Mover {
        self.scene.mover(slot)
    }

    fn is_sensor(&self, _: u32) -> bool {
        false
    }

    fn may_push(&self, a: u32, b: u32) -> bool {
        self.paired.fetch_add(1, Ordering::Relaxed);
        self.scene.may_push(a, b)
    }

    fn find_moving(&self, extent: &Extent, found: &mut dyn FnMut(u32)) {
        self.scene.find_moving(extent, found);
    }

    fn dynamic_body(&self, slot: u32) -> Option<u32> {
        self.scene.dynamic_body(slot)
    }

    fn near_pairs(&self, reach: f32, found: &mut dyn FnMut([u32; 2], [Option<u32>; 2])) -> bool {
        self.scene.near_pairs(reach, found)
    }

    fn rooms(&self) -> &[u32] {
        self.scene.rooms()
    }

    fn parts(&self) -> &[(u32, u32)] {
        self.scene.parts()
    }
}

/// ```text
/// [ o        ]#   a room from -50 to 50 with a ball at -30; a wall from 55 to 65 is not inside, so the room goes 15 to the right
/// ```
#[test]
fn a_room_that_is_pushed_takes_along_who_is_in_it() {
    let mut scene = Scene::default();
    let room = scene.add_outline(Outline::Bounds(Vec2::splat(50.0)), Rank::Dynamic, 0.0, 0.0);
    let ball = scene.add(circle(10.0), Rank::Dynamic, -30.0, 0.0);
    scene.add(square(10.0), Rank::Static, 60.0, 0.0);
    let after = scene.pushed();
    assert_eq!(after.at(room), (15.0, 0.0));
    assert_eq!(after.at(ball), (-25.0, 0.0), "the left wall is at -35 then");
}

/// ```text
/// #|ooooo <- pushed from the right by a lift that moved 3 units
/// ```
#[test]
fn a_lift_can_not_push_a_row_into_a_wall() {
    let mut scene = Scene::default();
    let wall = scene.add(square(10.0), Rank::Static, -5.0, 0.0);
    let crates: Vec<usize> = (0..5)
        .map(|i| scene.add(square(10.0), Rank::Dynamic, 5.0 + 10.0 * i as f32, 0.0))
        .collect();
    let lift = scene.add(square(10.0), Rank::Kinematic, 52.0, 0.0);
    let after = scene.pushed();
    assert_eq!(after.at(wall), (-5.0, 0.0));
    assert_eq!(after.at(lift), (52.0, 0.0));
    for (i, &one) in crates.iter().enumerate() {
        assert_eq!(after.at(one), (5.0 + 10.0 * i as f32, 0.0), "crate {i}");
    }
}

#[test]
fn a_lift_pushes_a_free_row_all_the_way() {
    let mut scene = Scene::default();
    let crates: Vec<usize> = (0..50)
        .map(|i| scene.add(square(10.0), Rank::Dynamic, 10.0 * i as f32, 0.0))
        .collect();
    scene.add(square(10.0), Rank::Kinematic, -7.0, 0.0);
    let after = scene.pushed();
    for (i, &one) in crates.iter().enumerate() {
        assert_eq!(after.at(one), (10.0 * i as f32 + 3.0, 0.0), "crate {i}");
    }
}

#[test]
fn a_row_of_free_crates_takes_a_push_up() {
    let mut scene = Scene::default();
    for i in 0..50 {
        scene.add(square(10.0), Rank::Dynamic, 10.0 * i as f32, 0.0);
    }
    scene.add(square(10.0), Rank::Dynamic, -9.0, 0.0);
    let after = scene.pushed();
    after.assert_apart();
}

/// ```text
///  ####
///  #oo#   two bodies in a block of 4 x 4 tiles of 16
///  ####
/// ```
#[test]
fn what_is_buried_in_tiles_leaves_by_the_shortest_way() {
    let mut scene = Scene::default();
    for i in 0..16 {
        let (x, y) = ((i % 4 * 16) as f32, (i / 4 * 16) as f32);
        scene.add(square(16.0), Rank::Static, x, y);
    }
    // The block reaches from -8 to 56 on both axes.
    let near_left = scene.add(square(10.0), Rank::Dynamic, 10.0, 26.0);
    let near_top = scene.add(circle(5.0), Rank::Dynamic, 26.0, 40.0);
    let after = scene.pushed();
    assert_eq!(after.at(near_left), (-13.0, 26.0));
    assert_eq!(after.at(near_top), (26.0, 61.0));
}

/// Two boxes side by side between posts that leave room for 19 of their 20: one gives way upwards.
///
/// ```text
///  #[a][b]#
/// ```
#[test]
fn two_that_are_squeezed_against_each_other_slip_past() {
    let mut scene = Scene::default();
    let post = Shape::rectangle(Vec2::new(5.0, 3.0)).expect("positive");
    scene.add(post, Rank::Static, -14.5, 0.0);
    scene.add(post, Rank::Static, 14.5, 0.0);
    scene.add(square(10.0), Rank::Dynamic, -4.5, 0.0);
    scene.add(square(10.0), Rank::Dynamic, 4.5, 1.0);
    let after = scene.pushed();
    after.assert_apart();
}

/// Round ones give way no farther than it takes: 9 apart on one axis, circles of radius 5 are apart at `sqrt(100 - 81)` on the other.
#[test]
fn two_round_ones_slip_past_by_no_more_than_it_takes() {
    let mut scene = Scene::default();
    let post = Shape::rectangle(Vec2::new(5.0, 3.0)).expect("positive");
    scene.add(post, Rank::Static, -14.5, 0.0);
    scene.add(post, Rank::Static, 14.5, 0.0);
    let one = scene.add(circle(5.0), Rank::Dynamic, -4.5, 0.0);
    let other = scene.add(circle(5.0), Rank::Dynamic, 4.5, 1.0);
    let after = scene.pushed();
    after.assert_apart();
    let apart = after.at(other).1 - after.at(one).1;
    assert!((apart - 19.0_f32.sqrt()).abs() < 0.01, "{apart} apart");
}

/// A gap of 19 between walls 200 high: a body of 20 can't be freed near by, and is not thrown over the walls.
#[test]
fn what_is_squeezed_is_not_thrown_out() {
    let wall = Shape::rectangle(Vec2::new(10.0, 100.0)).expect("positive");
    let mut scene = Scene::default();
    scene.add(wall, Rank::Static, -19.5, 0.0);
    scene.add(wall, Rank::Static, 19.5, 0.0);
    let body = scene.add(square(20.0), Rank::Dynamic, 0.2, 3.0);
    let (x, y) = scene.pushed().at(body);
    assert!(x.abs() <= 0.5 && y == 3.0, "at ({x}, {y})");
}

#[test]
fn a_room_keeps_its_crowd_in() {
    let mut scene = Scene::default();
    let room = scene.add_outline(
        Outline::Bounds(Vec2::new(60.0, 40.0)),
        Rank::Static,
        10.0,
        0.0,
    );
    for i in 0..30 {
        scene.add(
            circle(5.0),
            Rank::Dynamic,
            60.0 + i as f32,
            (i * 7 % 30) as f32,
        );
    }
    let after = scene.pushed();
    assert_eq!(after.at(room), (10.0, 0.0));
    after.assert_apart();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Pressed against something axis-aligned, from wherever: the same bits in every tick.
    #[test]
    fn pressed_against_a_wall_it_is_at_the_same_bits(
        wall_x in -1.0e5_f32..1.0e5,
        half in 0.1_f32..100.0,
        pushes in prop::collection::vec(0.0_f32..5.0, 2..10),
    ) {
        let mut scene = Scene::default();
        scene.add(square(50.0), Rank::Static, wall_x, 0.0);
        let body = scene.add(square(2.0 * half), Rank::Dynamic, wall_x - 25.0 - half, 0.5);
        let mut rests = None;
        for push in pushes {
            // At least an eighth of a unit deep, whatever the rounding at 1e5.
            scene.movers[body].position.x += 0.125 + push.min(half);
            scene = scene.pushed();
            let bits = scene.movers[body].position.to_array().map(f32::to_bits);
            prop_assert_eq!(*rests.get_or_insert(bits), bits);
        }
    }
}
