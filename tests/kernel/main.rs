//! Tests of the kernel's formula: tables worked out by hand, laws that hold for all shapes, and comparisons with other implementations.
#![allow(
    clippy::disallowed_methods,
    reason = "tests may turn things by any angle"
)]

#[path = "../common/shapes.rs"]
mod shapes;

mod casts;
mod conversions;
mod laws;
mod oracles;
mod pairs;
mod ties;

use bevy::math::Vec2;

fn v(x: f32, y: f32) -> Vec2 {
    Vec2::new(x, y)
}

#[track_caller]
fn assert_close(got: f32, expected: f32, tolerance: f32, case: &str) {
    assert!(
        (got - expected).abs() <= tolerance,
        "{case}: got {got}, expected {expected} to within {tolerance}"
    );
}
