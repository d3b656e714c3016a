//! Shared by the benches: the workloads, and their colliders as shapes.

pub mod workloads;

use bevy::math::Vec2;
use bevy_nudge::kernel::Shape;
use workloads::Spec;

/// The shape of a collider.
///
/// # Panics
/// If the size is not valid, which no workload has.
pub fn shape(spec: &Spec) -> Shape {
    let half = spec.size * 0.5;
    let shape = if spec.is_round {
        Shape::circle(half)
    } else {
        Shape::rectangle(Vec2::splat(half))
    };
    shape.expect("sizes of workloads are positive")
}
