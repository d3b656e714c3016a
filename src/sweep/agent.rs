//! Bodies on their way.

use bevy::math::{BVec2, Vec2};

use super::{
    impact::AT_ONCE,
    limit::{Limit, nearest_within},
    respond::side_of,
};
use crate::{components::Response, placed::Rank};

/// Stands for "no agent".
pub(super) const NONE: u32 = u32::MAX;

/// A body that hits more often than this in one tick stays where it is until the next one.
const MOST_HITS: u8 = 16;
/// The same limit for a body that slides in a crowd: each would use up all its hits, and the calmer the crowd, the less they would help.
const MOST_HITS_IN_A_CROWD: u8 = 8;
/// A body in a crowd is stopped only by what it approaches faster than this part of the speed of its hardest hit: anything slower is rounding.
const CROWDED: f32 = 1.0e-4;
/// After its last hit, a body is stopped only by what it would get deep into. With `n` hits left, it is also stopped by what it approaches faster than the speed of its hardest hit, times this to the power of `n`.
const LIMIT_RATIO: f32 = 0.4;

/// Two that were pushed apart aslant approach each other by no more than this part of the speed of their hardest hit: that is rounding, and each would pass it back to the other one.
const CLOSING_ROUNDING: f32 = 1.0e-6;

/// If no more than this part of a surface velocity leads against a collider that was met, the velocity counts as along it: round bodies are met at another point than where they carry.
const ALONG: f32 = 1.0e-3;

/// How a body is carried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ride {
    /// The body that carries it.
    pub(crate) carrier: u32,
    /// The velocity of the carrier itself, in world units a tick.
    pub(crate) carrier_velocity: Vec2,
    /// The velocity that the carrier's surface adds to that, in world units a tick.
    pub(crate) surface_velocity: Vec2,
}

impl Ride {
    /// Returns the velocity with which it is carried in total, in world units a tick.
    pub(crate) fn velocity(&self) -> Vec2 {
        self.carrier_velocity + self.surface_velocity
    }

    /// Returns the part of that velocity which is the carrier's own where it is met with this normal. The surface counts only if it leads along the collider that was met: a wall of the same body does not move as its belt does.
    pub(super) fn with_carrier(&self, normal: Vec2) -> Vec2 {
        let surface = self.surface_velocity;
        if surface.dot(normal).abs() <= surface.length() * ALONG {
            self.velocity()
        } else {
            self.carrier_velocity
        }
    }

    /// Takes off what was stopped: first from what the surface does.
    pub(super) fn lack(&mut self, lacking: Vec2, normal: Vec2) {
        let by_surface = lacking_of(self.surface_velocity, normal, lacking.length());
        self.surface_velocity += by_surface;
        self.carrier_velocity += lacking - by_surface;
    }
}

/// Returns the change to a velocity that something stops along a normal, at most so long.
pub(super) fn lacking_of(velocity: Vec2, normal: Vec2, most: f32) -> Vec2 {
    normal * (-velocity.dot(normal)).clamp(0.0, most)
}

/// A body that is to be moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Traveller {
    pub(crate) body: u32,
    /// Its own, without that of a ride, in world units a tick.
    pub(crate) velocity: Vec2,
    pub(crate) response: Response,
    /// Whether it moves by itself, even if its velocity is zero. Otherwise it goes only as far as it is pushed.
    pub(crate) has_motion: bool,
    /// How it is carried by what it stands on.
    pub(crate) carried: Option<Ride>,
    /// Whether its velocity has changed on the way.
    pub(crate) was_hit: bool,
    /// Whether something stopped it with [`Response::Stop`], its own or that of the pair.
    pub(crate) was_stopped: bool,
    /// Whether it bounced off something.
    pub(crate) was_bounced: bool,
}

impl Traveller {
    /// Makes a traveller without a velocity of its own.
    pub(crate) fn standing(body: u32) -> Self {
        Self {
            body,
            velocity: Vec2::ZERO,
            response: Response::Slide,
            has_motion: false,
            carried: None,
            was_hit: false,
            was_stopped: false,
            was_bounced: false,
        }
    }

    /// Returns its own velocity and that of its ride, in world units a tick.
    pub(crate) fn total_velocity(&self) -> Vec2 {
        self.velocity + self.carried.map_or(Vec2::ZERO, |ride| ride.velocity())
    }
}

/// A traveller on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Agent {
    pub(super) own: Traveller,
    /// The time at which it is where the state of its body says.
    pub(super) time: f32,
    /// The position at which it set out.
    pub(super) from: Vec2,
    /// The velocity with which the tick began.
    pub(super) wish: Vec2,
    /// The velocity with which the tick began, or with which the body was pushed since: what gives no way must not lead it back against this.
    pub(super) heading: Vec2,
    /// The highest speed at which it came together with what it hit, in world units a tick.
    pub(super) hardest: f32,
    /// Counts its changes of course, so that outdated predictions are recognized.
    pub(super) version: u32,
    /// On each axis: its velocity there when it came to rest on something that does not give way.
    rest: Vec2,
    /// By side: whether it rests on something on that side.
    rests_on: [bool; 4],
    /// By bit: the sides on which it has bounced off something that gives no way, and does not come, since it last went on along that axis.
    pub(super) bounced_off: u8,
    pub(super) hits: u8,
    /// It has hit, or was hit by, a body that the hit can move.
    pub(super) was_shoved: bool,
    /// How often it went along with a body that was hit.
    pub(super) times_along: u8,
    /// It has hit something static, directly or through others.
    pub(super) is_pressed: bool,
    /// It has hit something that gives way, and one of the two bounced.
    pub(super) has_rebounded: bool,
    /// It was pushed along what it rests on, and not into it.
    pub(super) has_given_along: bool,
    /// It has hit too often, or would bounce out of the world: it moves no more in this tick, and is in the way of all other bodies.
    pub(super) is_stuck: bool,
    /// It has not hit too often itself, but what it has hit has: what does not give way pushes it on.
    pub(super) waits: bool,
    /// It was stopped with all others of a crowd when it set out.
    pub(super) is_in_crowd: bool,
    /// It looks out for all others of its crowd, or is too slow to get to any that was not near.
    pub(super) minds_crowd: bool,
    /// It is `Kinematic`: nothing turns it.
    pub(super) is_kinematic: bool,
}

impl Agent {
    /// Makes an agent that sets out at the start, or at the place and time at which it is pushed.
    #[inline(always)]
    pub(super) fn new(own: Traveller, (from, time): (Vec2, f32), is_kinematic: bool) -> Self {
        Self {
            own,
            time,
            from,
            wish: own.velocity,
            heading: own.velocity,
            hardest: 0.0,
            version: 0,
            rest: Vec2::ZERO,
            rests_on: [false; 4],
            bounced_off: 0,
            hits: 0,
            was_shoved: false,
            times_along: 0,
            is_pressed: false,
            has_rebounded: false,
            has_given_along: false,
            is_stuck: false,
            waits: false,
            is_in_crowd: false,
            minds_crowd: false,
            is_kinematic,
        }
    }

    /// Notes that it has come to rest on something that does not give way, with this normal.
    pub(super) fn rest_on(&mut self, normal: Vec2) {
        if let Some((side, axis)) = side_of(normal) {
            let velocity = self.velocity();
            if velocity.dot(axis) != self.rest.dot(axis) {
                // It has left the opposite side.
                self.rests_on[side ^ 1] = false;
            }
            self.rest = Vec2::select(axis.cmpne(Vec2::ZERO), velocity, self.rest);
            self.rests_on[side] = true;
        }
    }

    /// Notes that it goes on: along an axis on which that leads it anywhere, it is no longer where it has bounced.
    pub(super) fn get_away(&mut self, motion: Vec2) {
        let [x, y] = motion.abs().cmpgt(Vec2::splat(AT_ONCE)).into();
        for (has_left, sides) in [(x, 0b0011), (y, 0b1100)] {
            if has_left {
                self.bounced_off &= !sides;
            }
        }
    }

    /// Notes that it bounces off something that gives no way, and does not come, with this normal. Returns false if it has just come from something like that on the opposite side, as in a gap of its own width: there it would go to and fro until it has used up its hits, and get nowhere.
    pub(super) fn bounce_off(&mut self, normal: Vec2) -> bool {
        let Some((side, _)) = side_of(normal) else {
            return true;
        };
        let is_between = self.bounced_off & (1 << (side ^ 1)) != 0;
        self.bounced_off |= 1 << side;
        !is_between
    }

    /// Returns the part of a push to which it gives way: not the component along an axis on which the push leads into something that it rests on. If it has left that since, its velocity on the axis has changed, as a rule.
    pub(super) fn free_part(&self, push: Vec2) -> Vec2 {
        let velocity = self.velocity();
        let is_held = |sides: [usize; 2], push: f32, velocity: f32, rest: f32| {
            let rests =
                push < 0.0 && self.rests_on[sides[0]] || push > 0.0 && self.rests_on[sides[1]];
            rests && velocity == rest
        };
        let held = BVec2::new(
            is_held([0, 1], push.x, velocity.x, self.rest.x),
            is_held([2, 3], push.y, velocity.y, self.rest.y),
        );
        let free = Vec2::select(held, Vec2::ZERO, push);
        // So little of a push is rounding.
        if free.length_squared() < 1.0e-12 {
            Vec2::ZERO
        } else {
            free
        }
    }

    /// Whether what it rests on along any of these axes moves there, as a lift does.
    pub(super) fn rests_on_a_lift(&self, held: BVec2) -> bool {
        Vec2::select(held, self.rest, Vec2::ZERO) != Vec2::ZERO
    }

    /// Whether it is pressed from several sides, as in a heap.
    pub(super) fn is_wedged(&self) -> bool {
        self.is_pressed || self.is_in_crowd
    }

    /// Returns the velocity that is left to it in a crowd when it meets something that does not slow down for it. The limits are that of this hit and of the one before. Where both apply, it takes the velocity in their corner; otherwise it would go to and fro between both.
    pub(super) fn beside(&self, limits: [Limit; 2]) -> Option<Vec2> {
        let velocity = self.velocity();
        nearest_within(velocity, velocity.length_squared(), &limits)
    }

    /// Whether it has hit so often that it stays where it is. `slides` tells whether it slides in this hit.
    pub(super) fn has_hit_enough(&self, slides: bool) -> bool {
        let most = if slides && self.is_in_crowd {
            MOST_HITS_IN_A_CROWD
        } else {
            MOST_HITS
        };
        self.hits > most
    }

    /// Whether it goes nowhere by itself at present.
    pub(super) fn stands(&self) -> bool {
        self.is_stuck || self.own.velocity == Vec2::ZERO
    }

    /// Whether it has to look out for solid colliders of this rank. A body that is stuck looks out for bodies that it stops; what does not give way goes through it, unless it only waits.
    pub(super) fn is_stopped_by(&self, rank: Rank) -> bool {
        match rank {
            Rank::Dynamic => true,
            Rank::Kinematic => !self.is_stuck || self.waits,
            Rank::Static => !self.is_stuck,
        }
    }

    /// Whether it gives way to what pushes it.
    pub(super) fn gives_way(&self) -> bool {
        !self.is_stuck && !self.is_kinematic
    }

    /// The speed above which it has to approach something that gives way to be stopped by it, in world units a tick.
    ///
    /// Where several bodies push each other, each pair takes back a part of what the last pair did, without end; and a body that is stopped for good is in the way of all others. So the more often a body has hit, the
    /// less exact it is, and the push-out solves what is left. Before its first hit a body is exact to the bit, and one that is pressed stays so, but for rounding, unless it has rebounded, since stopping it does no harm. How much counts as little depends on the earlier hits, and
    /// not on how fast a crowd moves as a whole.
    pub(super) fn least_closing(&self) -> f32 {
        if self.is_in_crowd {
            return self.hardest * CROWDED;
        }
        // If one of two bodies bounces, and a third body keeps pressing the other one, exact hits would have no end, on a floor as in the air.
        let is_exact = self.is_pressed && !self.has_rebounded;
        if self.hits == 0 || self.is_stuck || is_exact && !self.has_given_along {
            return 0.0;
        }
        if is_exact {
            return self.hardest * CLOSING_ROUNDING;
        }
        (self.hits..MOST_HITS).fold(self.hardest, |closing, _| closing * LIMIT_RATIO)
    }

    /// Returns its velocity from now on, with that of its ride, in world units a tick.
    pub(super) fn velocity(&self) -> Vec2 {
        if self.is_stuck {
            Vec2::ZERO
        } else {
            self.own.total_velocity()
        }
    }
}
