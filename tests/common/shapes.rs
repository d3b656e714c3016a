//! Shapes for tests: by name, and at random.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use bevy::math::Vec2;
use bevy_nudge::kernel::Shape;
use proptest::{prelude::*, test_runner::RngSeed};

pub fn circle(radius: f32) -> Shape {
    Shape::circle(radius).expect("a valid radius")
}

pub fn rectangle(half_width: f32, half_height: f32) -> Shape {
    Shape::rectangle(Vec2::new(half_width, half_height)).expect("a valid half size")
}

pub fn rounded(half_width: f32, half_height: f32, radius: f32) -> Shape {
    Shape::rounded_rectangle(Vec2::new(half_width, half_height), radius).expect("a valid shape")
}

/// Tests the same cases in each run, unless `PROPTEST_RNG_SEED` or `PROPTEST_CASES` is set. A case that fails is to be added to a table of cases.
pub fn cases(count: u32) -> ProptestConfig {
    let is_asked = |variable: &str| std::env::var_os(variable).is_some();
    let mut config = ProptestConfig {
        failure_persistence: None,
        max_local_rejects: u32::MAX,
        max_global_rejects: u32::MAX,
        ..ProptestConfig::default()
    };
    if !is_asked("PROPTEST_CASES") {
        config.cases = count;
    }
    if !is_asked("PROPTEST_RNG_SEED") {
        config.rng_seed = RngSeed::Fixed(20_261_121);
    }
    config
}

/// Sizes from 0 to 50: any floats, and whole numbers, with which shapes can touch exactly.
pub fn size() -> impl Strategy<Value = f32> {
    prop_oneof![0.0f32..50.0, (0u8..12).prop_map(f32::from), Just(0.0),]
}

/// Every kind of shape: points, circles, segments, boxes, rounded boxes and capsules.
pub fn shape() -> impl Strategy<Value = Shape> {
    let roundness = prop_oneof![Just(0.0f32), 0.0f32..=1.0, Just(1.0)];
    (size(), size(), roundness).prop_map(|(half_width, half_height, roundness)| {
        rounded(
            half_width,
            half_height,
            half_width.min(half_height) * roundness,
        )
    })
}

/// Offsets from one center to another, small enough that many shapes meet; often on an axis, or zero.
pub fn offset() -> impl Strategy<Value = Vec2> {
    let part = || {
        prop_oneof![
            -120.0f32..120.0,
            (-24i8..=24).prop_map(f32::from),
            Just(0.0),
        ]
    };
    (part(), part()).prop_map(|(x, y)| Vec2::new(x, y))
}
