//! Velocities after a sweep, by what it has left of the way.

use bevy::math::Vec2;

/// Returns what is left of `part`, a share of the way `whole`, when `whole` has become `after`. On each axis, if something blocked `whole` there: as much as is left of `whole`, but no more than `part`; and where a bounce has reversed `whole`, the part is reversed too. A part that leads away from what blocked `whole` stays as it is.
pub(crate) fn keep_part(part: Vec2, whole: Vec2, after: Vec2, was_bounced: bool) -> Vec2 {
    let axis = |part: f32, whole: f32, after: f32| {
        let change = after - whole;
        let is_turned = was_bounced && after * whole < 0.0 && part * whole > 0.0;
        if is_turned {
            // `whole` may be far shorter than `part`, if the other share led against it; and a body that came the other way may have been far faster.
            let most = part.abs().max(after.abs());
            (after * (part / whole)).clamp(-most, most)
        } else if part > 0.0 && change < 0.0 {
            after.clamp(0.0, part)
        } else if part < 0.0 && change > 0.0 {
            after.clamp(part, 0.0)
        } else {
            part
        }
    };
    Vec2::new(
        axis(part.x, whole.x, after.x),
        axis(part.y, whole.y, after.y),
    )
}

/// Returns the velocity that belongs to what is left of the way. A component that has not changed keeps its bits, since a division does not undo the rounding of a multiplication.
pub(crate) fn velocity_after(before: Vec2, way: Vec2, seconds: f32) -> Vec2 {
    let part = |before: f32, way: f32| {
        if way == before * seconds {
            before
        } else if way == -before * seconds {
            -before
        } else {
            way / seconds
        }
    };
    Vec2::new(part(before.x, way.x), part(before.y, way.y))
}
