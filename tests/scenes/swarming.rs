//! The swarm: any number of colliders at the same density, and every pair of them.

use bevy::prelude::*;
use bevy_nudge::{
    kernel::{Shape, touches},
    prelude::*,
};

use crate::{
    swarm::{self, Count, Drift, STEPS, half_side},
    tap_key, type_key,
};

struct Swarm(App);

impl Swarm {
    /// Starts the scene with this many colliders, and runs the first tick.
    fn of(count: usize) -> Self {
        let mut app = common::rehearsal(&swarm::STAGE, swarm::scene);
        app.insert_resource(Count(count));
        app.update();
        Self(app)
    }

    fn hold(&mut self, ticks: u32, keys: &'static [KeyCode]) -> &mut Self {
        common::hold(&mut self.0, &common::Step::keys(ticks, keys));
        self
    }

    /// Counts the circles and the boxes.
    fn counts(&mut self) -> [usize; 2] {
        let world = self.0.world_mut();
        let circles = world
            .query_filtered::<(), (With<Drift>, With<CircleCollider>)>()
            .iter(world)
            .count();
        let boxes = world
            .query_filtered::<(), (With<Drift>, With<BoxCollider>)>()
            .iter(world)
            .count();
        [circles, boxes]
    }

    fn shapes(&mut self) -> Vec<(Shape, Vec2)> {
        let world = self.0.world_mut();
        let mut all = world.query_filtered::<(Has<CircleCollider>, &Transform), With<Drift>>();
        let shapes = all.iter(world);
        shapes
            .map(|(is_round, transform)| {
                let half = transform.scale.truncate() * 0.5;
                let shape = if is_round {
                    Shape::circle(half.x)
                } else {
                    Shape::rectangle(half)
                };
                (shape.expect("valid"), transform.translation.truncate())
            })
            .collect()
    }

    fn contacts(&mut self) -> usize {
        let mut told = self.0.world_mut().resource_mut::<Messages<Collision>>();
        told.clear();
        self.0.update();
        let told = self.0.world_mut().resource_mut::<Messages<Collision>>();
        told.len()
    }
}

#[test]
fn there_are_as_many_as_there_shall_be_half_of_each() {
    let mut swarm = Swarm::of(100);
    for step in STEPS.into_iter().take(8).skip(1) {
        swarm.hold(1, &[KeyCode::Equal]).hold(1, &[]);
        assert_eq!(swarm.counts(), [step / 2; 2]);
    }
    for step in STEPS.into_iter().take(7).rev() {
        swarm.hold(1, &[KeyCode::Minus]).hold(1, &[]);
        assert_eq!(swarm.counts().iter().sum::<usize>(), step);
    }
    swarm.hold(1, &[KeyCode::Minus]).hold(1, &[]);
    assert_eq!(swarm.counts().iter().sum::<usize>(), 100, "the least count");
    // A count between two steps, as set by the slider.
    swarm.0.insert_resource(Count(123));
    swarm.hold(1, &[]);
    assert_eq!(swarm.counts().iter().sum::<usize>(), 123);
    swarm.hold(1, &[KeyCode::Equal]);
    assert_eq!(swarm.counts().iter().sum::<usize>(), 200);
}

#[test]
fn there_are_more_and_fewer_by_what_is_written_on_the_keys() {
    let mut swarm = Swarm::of(100);
    for (key, written, expected) in [
        (KeyCode::BracketRight, "+", 200),
        (KeyCode::Slash, "-", 100),
    ] {
        type_key(&mut swarm.0, key, written);
        assert_eq!(swarm.counts(), [expected / 2; 2]);
    }
}

#[test]
fn every_pair_of_the_swarm_is_reported() {
    let mut swarm = Swarm::of(1000);
    for _ in 0..3 {
        swarm.hold(40, &[]);
        let contacts = swarm.contacts();
        let shapes = swarm.shapes();
        assert_eq!(shapes.len(), 1000);
        let pairs = shapes.iter().enumerate().map(|(number, (one, here))| {
            let later = &shapes[number + 1..];
            later
                .iter()
                .filter(|(other, there)| touches(*one, *other, *there - *here))
                .count()
        });
        assert_eq!(pairs.sum::<usize>(), contacts);
    }
}

/// Widths are evenly spread from 4 to 12: the mean is 8, and the mean square 69.33, a quarter of the 277.3 of area per collider. Two boxes overlap if their centers lie within a square as wide as both
/// together, on average 2 * 69.33 + 2 * 64 = 266.7; two circles within a circle of that width, 0.785 of it; a circle and a box within 69.33 + 2 * 64 + 0.785 * 69.33 = 251.8. Half of all
/// pairs are mixed: 245.0 on average. So each collider has 245.0 / 277.3 neighbors, and there are half as many contacts: 0.442 per collider. At the edges there are fewer.
#[test]
fn it_is_as_dense_whatever_the_count() {
    for (count, ticks) in [(5000, 1), (5000, 100), (20_000, 1), (20_000, 60)] {
        let mut swarm = Swarm::of(count);
        swarm.hold(ticks, &[]);
        let for_each = swarm.contacts() as f32 / count as f32;
        assert!(
            (for_each / 0.442 - 1.0).abs() < 0.1,
            "{for_each} for each of {count}, after {ticks}"
        );
    }
    // The swarm grows tenfold and shrinks to its former size, with time to drift in between.
    let mut swarm = Swarm::of(2000);
    for count in [20_000, 2000] {
        swarm.0.insert_resource(Count(count));
        swarm.hold(30, &[]);
        let for_each = swarm.contacts() as f32 / count as f32;
        assert!(
            (for_each / 0.442 - 1.0).abs() < 0.1,
            "{for_each} for each of {count}"
        );
        let room = half_side(count);
        let shapes = swarm.shapes();
        assert!(
            shapes
                .iter()
                .all(|(_, place)| place.abs().max_element() <= room)
        );
    }
}

#[test]
fn the_account_of_the_swarm_is_the_same_each_time() {
    let account = common::recorded(&swarm::STAGE, swarm::scene);
    assert_eq!(account, common::recorded(&swarm::STAGE, swarm::scene));
    let told: Vec<&str> = account
        .iter()
        .filter_map(|line| line.split(": ").nth(1))
        .collect();
    let counts: Vec<&str> = told
        .iter()
        .filter_map(|line| line.split(',').next())
        .collect();
    let expected = [500, 1000, 5000, 2500].map(|half| format!("{half} circles and {half} boxes"));
    assert_eq!(counts, expected);
}

#[test]
fn every_tap_of_a_slow_frame_counts() {
    let mut swarm = Swarm::of(1000);
    tap_key(&mut swarm.0, KeyCode::Equal, "+", 2);
    assert_eq!(swarm.counts(), [2500, 2500]);
    tap_key(&mut swarm.0, KeyCode::Minus, "-", 3);
    assert_eq!(swarm.counts(), [250, 250]);
}
