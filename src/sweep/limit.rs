//! How fast a body may go, and the nearest velocity that leads into nothing.

use bevy::math::Vec2;

/// A velocity that leads into something by no more than this part of it does so by rounding.
const VELOCITY_ROUNDING: f32 = 1.0e-6;

/// How fast a body may go in a direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    direction: Vec2,
    most: f32,
}

impl Limit {
    /// Makes a limit: not faster than something in front.
    pub(super) fn at(direction: Vec2, velocity: Vec2) -> Self {
        Self {
            direction,
            most: velocity.dot(direction),
        }
    }

    /// Returns the limit raised by this much.
    pub(super) fn beyond(self, gap: f32) -> Self {
        let most = self.most + gap;
        Self { most, ..self }
    }

    /// Returns by how much a velocity is too fast.
    pub(super) fn excess(&self, velocity: Vec2) -> f32 {
        velocity.dot(self.direction) - self.most
    }

    /// Whether a velocity is not too fast, but for rounding.
    pub(super) fn holds(&self, velocity: Vec2) -> bool {
        let size = velocity.length() + self.most.abs();
        self.excess(velocity) <= size * VELOCITY_ROUNDING
    }
}

/// Returns the velocity nearest to `velocity` that is within all limits, and whose squared length is no more than `fastest`, if there is one: `velocity` itself, its foot on one of the limits, or the point where two of them meet.
pub(super) fn nearest_within(velocity: Vec2, fastest: f32, limits: &[Limit]) -> Option<Vec2> {
    if limits.iter().all(|limit| limit.excess(velocity) <= 0.0) {
        return Some(velocity);
    }
    let mut best: Option<(f32, Vec2)> = None;
    let mut offer = |candidate: Vec2| {
        let distance = candidate.distance_squared(velocity);
        if best.is_none_or(|(least, _)| distance < least)
            && candidate.length_squared() <= fastest
            && limits.iter().all(|limit| limit.holds(candidate))
        {
            best = Some((distance, candidate));
        }
    };
    for (number, one) in limits.iter().enumerate() {
        let excess = one.excess(velocity);
        if excess > 0.0 {
            offer(velocity - one.direction * excess);
        }
        for other in &limits[number + 1..] {
            let cross = one.direction.perp_dot(other.direction);
            if cross.abs() > VELOCITY_ROUNDING {
                let along = other.direction * one.most - one.direction * other.most;
                offer(-along.perp() / cross);
            }
        }
    }
    best.map(|(_, velocity)| velocity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_velocity_is_on_a_limit_or_in_a_corner() {
        let limit = |x: f32, y: f32, most: f32| Limit {
            direction: Vec2::new(x, y),
            most,
        };
        let (right, up, left) = (
            limit(1.0, 0.0, 0.0),
            limit(0.0, 1.0, 0.0),
            limit(-1.0, 0.0, 0.0),
        );
        let slope = limit(0.8, 0.6, 0.0);
        for (case, velocity, limits, expected) in [
            ("none", (1.0, 2.0), vec![], Some((1.0, 2.0))),
            ("behind", (-1.0, 2.0), vec![right], Some((-1.0, 2.0))),
            ("a wall", (1.0, 2.0), vec![right], Some((0.0, 2.0))),
            ("a corner", (1.0, 2.0), vec![right, up], Some((0.0, 0.0))),
            (
                "one of two",
                (1.0, -2.0),
                vec![right, up],
                Some((0.0, -2.0)),
            ),
            // Down the slope, by 1 * 0.6 of what was to the right.
            ("a slope", (1.0, 0.0), vec![slope], Some((0.36, -0.48))),
            ("a gap", (1.0, 2.0), vec![right, left], Some((0.0, 2.0))),
            (
                "pushed",
                (0.0, 0.5),
                vec![limit(1.0, 0.0, -0.25)],
                Some((-0.25, 0.5)),
            ),
            (
                "squeezed",
                (0.0, 1.0),
                vec![limit(1.0, 0.0, -0.5), limit(-1.0, 0.0, -0.5)],
                None,
            ),
            ("too fast", (1.0, 0.0), vec![limit(1.0, 0.0, -2.0)], None),
        ] {
            let velocity = Vec2::from(velocity);
            let found = nearest_within(velocity, velocity.length_squared().max(0.5), &limits);
            let is_near = match (found, expected.map(Vec2::from)) {
                (Some(found), Some(expected)) => found.distance(expected) < 1.0e-6,
                (found, expected) => found == expected,
            };
            assert!(is_near, "{case}: {found:?} and not {expected:?}");
        }
    }
}
