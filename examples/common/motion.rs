//! Ways of moving that several scenes share.

use bevy::prelude::*;

/// Returns the place of a drifting thing after a tick. It turns back at the edges of the room, which reaches from `-half_room` to `half_room`.
pub fn drift_within(half_room: Vec2, from: Vec2, drift: &mut Vec2) -> Vec2 {
    let to = from + *drift;
    let inwards = Vec2::select(to.cmpgt(half_room), -drift.abs(), *drift);
    *drift = Vec2::select(to.cmplt(-half_room), drift.abs(), inwards);
    to.clamp(-half_room, half_room)
}

/// Turns the speed of what moves up and down forever, once it has come to the end of its way.
pub fn turn_at_ends(height: f32, [lowest, highest]: [f32; 2], speed: &mut f32) {
    if (height >= highest && *speed > 0.0) || (height <= lowest && *speed < 0.0) {
        *speed = -*speed;
    }
}
