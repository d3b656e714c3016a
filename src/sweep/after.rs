//! Velocities after a sweep, by what it has left of the way.

use bevy::math::Vec2;

/// What is left of a part of a way when the whole has become another: on each axis, if something was in its way there, as much as of the whole, but no more; and where a bounce has turned that, so is the
/// part. One that leads away from what was in the way of the whole stays as it is.
pub(crate) fn keep_part(part: Vec2, whole: Vec2, after: Vec2, was_bounced: bool) -> Vec2 {
    let axis = |part: f32, whole: f32, after: f32| {
        let change = after - whole;
        let is_turned = was_bounced && after * whole < 0.0 && part * whole > 0.0;
        if is_turned {
            // The whole may be far less than the part, if the rest of it was against that; and what came towards it far faster.
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

/// A velocity by what is left of the way. What has not changed keeps its bits, for a division does not take back what a multiplication rounded.
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
