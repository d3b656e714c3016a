//! What a hit does to velocities. One formula for all responses and all kinds of bodies.
//!
//! Along the normal, both bodies together have a common velocity, by their masses; a body that cannot be moved has all the mass. Each is left with that velocity, and
//! bounces off it by its restitution:
//!
//! ```text
//! common = (own / mass of other + other / mass of own) / (1 / mass of own + 1 / mass of other)
//! after  = common + restitution * (common - before)
//! ```
//!
//! A body with `Stop` is left with none, unless the common velocity leads away from what it meets: then it is pushed, and goes ahead of what pushes it.

use bevy::math::Vec2;

use crate::components::Response;

/// A body in a hit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Party {
    pub(super) velocity: Vec2,
    /// 0 for a body that cannot be moved.
    pub(super) inverse_mass: f32,
    pub(super) response: Response,
}

/// Returns both velocities after a hit; the normal points from the second to the first.
pub(super) fn respond(one: Party, other: Party, normal: Vec2) -> [Vec2; 2] {
    // A unit vector is not quite of length 1, which would show after a million bounces.
    let square = normal.length_squared();
    let [own, others] = [one, other].map(|party| party.velocity.dot(normal) / square);
    let masses = one.inverse_mass + other.inverse_mass;
    if masses == 0.0 {
        return [one.velocity, other.velocity];
    }
    // By the formula, a body would get only nearly the velocity of one that cannot be moved, and meet it again a moment later.
    let common = if one.inverse_mass == 0.0 {
        own
    } else if other.inverse_mass == 0.0 {
        others
    } else {
        (own * other.inverse_mass + others * one.inverse_mass) / masses
    };
    let along = |velocity: Vec2, before: f32, after: f32| {
        match side_of(normal) {
            // Exactly the same for both, or they would come together again.
            Some((_, axis)) => Vec2::select(axis.cmpne(Vec2::ZERO), normal * after, velocity),
            None => velocity + normal * (after - before),
        }
    };
    [(one, own, normal), (other, others, -normal)].map(|(party, before, away)| {
        if party.inverse_mass == 0.0 {
            return party.velocity;
        }
        match party.response {
            Response::Stop => away * (common * normal.dot(away)).max(0.0),
            Response::Pass => party.velocity,
            Response::Slide => along(party.velocity, before, common),
            Response::Bounce { restitution } => {
                let after = common + restitution.max(0.0) * (common - before);
                along(party.velocity, before, after)
            }
        }
    })
}

/// Returns the number of a direction along an axis, and the axis. The number of the opposite direction differs in the last bit. `None` for other directions.
pub(super) fn side_of(direction: Vec2) -> Option<(usize, Vec2)> {
    match direction.into() {
        (1.0, 0.0) => Some((0, Vec2::X)),
        (-1.0, 0.0) => Some((1, Vec2::X)),
        (0.0, 1.0) => Some((2, Vec2::Y)),
        (0.0, -1.0) => Some((3, Vec2::Y)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masses_share_what_they_have() {
        let party = |speed: f32, mass: f32, response| Party {
            velocity: Vec2::new(speed, 7.0),
            inverse_mass: mass.recip(),
            response,
        };
        let bounce = |restitution| Response::Bounce { restitution };
        let slide = Response::Slide;
        for (case, one, other, expected) in [
            (
                "into a wall",
                (4.0, 1.0, slide),
                (0.0, f32::INFINITY, slide),
                (0.0, 0.0),
            ),
            (
                "off a wall",
                (4.0, 1.0, bounce(1.0)),
                (0.0, f32::INFINITY, slide),
                (-4.0, 0.0),
            ),
            (
                "half",
                (4.0, 1.0, bounce(0.5)),
                (0.0, f32::INFINITY, slide),
                (-2.0, 0.0),
            ),
            (
                "off what comes",
                (4.0, 1.0, bounce(1.0)),
                (-2.0, f32::INFINITY, slide),
                (-8.0, -2.0),
            ),
            (
                "ahead of a door",
                (0.0, 1.0, slide),
                (-3.0, f32::INFINITY, slide),
                (-3.0, -3.0),
            ),
            (
                "equals swap",
                (4.0, 1.0, bounce(1.0)),
                (-2.0, 1.0, bounce(1.0)),
                (-2.0, 4.0),
            ),
            (
                "equals push",
                (4.0, 1.0, slide),
                (0.0, 1.0, slide),
                (2.0, 2.0),
            ),
            (
                "a heavy one",
                (4.0, 3.0, slide),
                (0.0, 1.0, slide),
                (3.0, 3.0),
            ),
        ] {
            let party = |(speed, mass, response)| party(speed, mass, response);
            let [one, other] = respond(party(one), party(other), Vec2::NEG_X);
            assert_eq!((one.x, other.x), expected, "{case}");
            assert_eq!((one.y, other.y), (7.0, 7.0), "{case}");
        }
    }

    #[test]
    fn who_stops_is_pushed_all_the_same() {
        let party = |x: f32, inverse_mass: f32, response| Party {
            velocity: Vec2::new(x, 7.0),
            inverse_mass,
            response,
        };
        for (case, own, other, inverse_mass, expected) in [
            ("at a wall", 4.0, 0.0, 0.0, 0.0),
            ("at a door that gives way", 4.0, 3.0, 0.0, 0.0),
            ("at a door that comes", 4.0, -6.0, 0.0, -6.0),
            ("by a door from behind", -2.0, -6.0, 0.0, -6.0),
            ("at its equal", 4.0, 0.0, 1.0, 0.0),
            ("at its equal that comes faster", 4.0, -6.0, 1.0, -1.0),
        ] {
            let stops = party(own, 1.0, Response::Stop);
            let other = party(other, inverse_mass, Response::Slide);
            let [after, _] = respond(stops, other, Vec2::NEG_X);
            assert_eq!(after, Vec2::new(expected, 0.0), "{case}");
        }
    }
}
