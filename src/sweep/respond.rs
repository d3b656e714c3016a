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
//! A body may give way to a part of the push only: a ball on a lift goes along the lift, and not down into it. Then its inverse mass counts by the square of the length of that part of the normal.
//!
//! A body with `Stop` is left with none, unless the common velocity leads away from what it meets: then it is pushed, and goes ahead of what pushes it.

use bevy::math::Vec2;

use crate::components::Response;

/// A body in a hit.
#[derive(Clone, Copy, Debug)]
pub(super) struct HitSide {
    pub(super) velocity: Vec2,
    /// 0 for a body that cannot be moved.
    pub(super) inverse_mass: f32,
    /// The part of the unit normal towards this body to which it gives way; mostly all of it.
    pub(super) free: Vec2,
    pub(super) response: Response,
}

impl HitSide {
    /// Returns by how much an impulse of 1 along the normal changes its speed along the normal.
    fn mobility(&self, away: Vec2) -> f32 {
        if self.free == away {
            self.inverse_mass
        } else {
            self.inverse_mass * self.free.length_squared()
        }
    }
}

/// Returns both velocities after a hit; the normal points from the second to the first.
pub(super) fn respond(one: HitSide, other: HitSide, normal: Vec2) -> [Vec2; 2] {
    let after = respond_freely(one, other, normal);
    // A body between what it rests on and something that does not yield would be shot out like a wedge. Then it is pushed as a whole, into what it rests on.
    let apart = one.velocity.distance_squared(other.velocity);
    let is_shot = |side: HitSide, away: Vec2, after: Vec2| {
        side.free != away && after.distance_squared(side.velocity) > apart
    };
    if is_shot(one, normal, after[0]) || is_shot(other, -normal, after[1]) {
        let pressed = |side: HitSide, away: Vec2| HitSide {
            free: if side.free == Vec2::ZERO {
                Vec2::ZERO
            } else {
                away
            },
            ..side
        };
        return respond_freely(pressed(one, normal), pressed(other, -normal), normal);
    }
    after
}

fn respond_freely(one: HitSide, other: HitSide, normal: Vec2) -> [Vec2; 2] {
    // A unit vector is not quite of length 1, which would show after a million bounces.
    let square = normal.length_squared();
    let [own, others] = [one, other].map(|side| side.velocity.dot(normal) / square);
    let [mobility, others_mobility] = [one.mobility(normal), other.mobility(-normal)];
    let both = mobility + others_mobility;
    if both == 0.0 {
        return [one.velocity, other.velocity];
    }
    // By the formula, a body would get only nearly the velocity of one that cannot be moved, and meet it again a moment later.
    let common = if mobility == 0.0 {
        own
    } else if others_mobility == 0.0 {
        others
    } else {
        (own * others_mobility + others * mobility) / both
    };
    let sides = [
        (one, mobility, own, normal),
        (other, others_mobility, others, -normal),
    ];
    sides.map(|(side, mobility, before, away)| {
        if mobility == 0.0 {
            return side.velocity;
        }
        let along = |after: f32| match side_of(normal) {
            // Exactly the same for both, or they would come together again.
            Some((_, axis)) => Vec2::select(axis.cmpne(Vec2::ZERO), normal * after, side.velocity),
            None if side.free == away => side.velocity + normal * (after - before),
            None => {
                let faster = (after - before) * normal.dot(away);
                side.velocity + side.free * (faster / side.free.length_squared())
            }
        };
        match side.response {
            Response::Stop => side.free * (common * normal.dot(away)).max(0.0),
            Response::Pass => side.velocity,
            Response::Slide => along(common),
            Response::Bounce { restitution } => {
                along(common + restitution.max(0.0) * (common - before))
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
        let side = |speed: f32, mass: f32, response| HitSide {
            velocity: Vec2::new(speed, 7.0),
            inverse_mass: mass.recip(),
            free: Vec2::ZERO,
            response,
        };
        let away = |side: HitSide, free: Vec2| HitSide { free, ..side };
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
            let side = |(speed, mass, response)| side(speed, mass, response);
            let (one, other) = (away(side(one), Vec2::NEG_X), away(side(other), Vec2::X));
            let [one, other] = respond(one, other, Vec2::NEG_X);
            assert_eq!((one.x, other.x), expected, "{case}");
            assert_eq!((one.y, other.y), (7.0, 7.0), "{case}");
        }
    }

    #[test]
    fn who_stops_is_pushed_all_the_same() {
        let side = |x: f32, inverse_mass: f32, free: Vec2, response| HitSide {
            velocity: Vec2::new(x, 7.0),
            inverse_mass,
            free,
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
            let stops = side(own, 1.0, Vec2::NEG_X, Response::Stop);
            let other = side(other, inverse_mass, Vec2::X, Response::Slide);
            let [after, _] = respond(stops, other, Vec2::NEG_X);
            assert_eq!(after, Vec2::new(expected, 0.0), "{case}");
        }
    }

    /// One that rests on a floor is pushed aslant, down and to the right, and can go to the right only; so the other one gets the more of it, the steeper that is.
    #[test]
    fn who_rests_on_something_gives_way_along_it() {
        for (normal, inverse_mass, common) in [
            // The floor takes 0.64 of the push; of what is left each gets a share: 0.36 to 1.
            (Vec2::new(0.6, -0.8), 1.0, 0.36 / 1.36),
            (Vec2::new(0.8, -0.6), 1.0, 0.64 / 1.64),
            // It is four times as heavy.
            (Vec2::new(0.6, -0.8), 0.25, 0.09 / 1.09),
        ] {
            let side = |velocity: Vec2, inverse_mass: f32, free: Vec2| HitSide {
                velocity,
                inverse_mass,
                free,
                response: Response::Slide,
            };
            let start = Vec2::new(3.0, 0.0);
            let rests = side(start, inverse_mass, Vec2::new(normal.x, 0.0));
            // It comes along the normal, by 1 faster than the other one.
            let comes = side(normal + start, 1.0, -normal);
            let [rests, comes] = respond(rests, comes, normal);
            // Along the normal both are as fast, and the one goes along the floor only.
            let expected = start + Vec2::new(common / normal.x, 0.0);
            assert!(rests.abs_diff_eq(expected, 1.0e-6), "{rests}");
            assert_eq!(rests.y, 0.0);
            // What the one gets, the other one loses, but for what the floor takes.
            let expected = start + normal * common;
            assert!(comes.abs_diff_eq(expected, 1.0e-6), "{comes}");
        }
    }
}
