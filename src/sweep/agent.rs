//! Bodies on their way.

use bevy::math::Vec2;

use super::{
    limit::{Limit, nearest_within},
    respond::side_of,
};
use crate::{components::Response, placed::Rank};

/// The number of no agent.
pub(super) const NONE: u32 = u32::MAX;

/// A body that hits more often than this in one tick stays where it is until the next one.
const MOST_HITS: u8 = 16;
/// And one of a crowd that slides, more often than this: each would hit as often as it may, and the calmer the crowd, the less there is to gain by it.
const MOST_HITS_IN_A_CROWD: u8 = 8;
/// One in a crowd is stopped only by what it comes closer to at this part of the speed of its hardest hit, or faster: all that is less is rounding.
const CROWDED: f32 = 1.0e-4;
/// After its last hit it is stopped only by what it would get deep into, and after each one before also by what it comes closer to at a part of the speed of its hardest hit: at this part of what that takes
/// after the next one.
const EXACTER: f32 = 0.4;

/// What a surface does that goes against what was met by less than this part of it, it does along that: round ones are met elsewhere than they carry.
const ALONG: f32 = 1.0e-3;

/// How a body is carried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ride {
    /// The body that it stands on.
    pub(crate) carrier: u32,
    /// How far that goes in a tick, and takes it along.
    pub(crate) along: Vec2,
    /// How far its surface takes it along beside that, while the rest of it does not.
    pub(crate) surface: Vec2,
}

impl Ride {
    /// How far it is carried in a tick, all in all.
    pub(crate) fn way(&self) -> Vec2 {
        self.along + self.surface
    }

    /// What of that the carrier goes too, where it is met with this normal: of its surface, what leads along there. A wall of the same body does not move as its belt does.
    pub(super) fn with_carrier(&self, normal: Vec2) -> Vec2 {
        if self.surface.dot(normal).abs() <= self.surface.length() * ALONG {
            self.way()
        } else {
            self.along
        }
    }

    /// Takes back from it what stops it: what the surface does first.
    pub(super) fn lack(&mut self, lacking: Vec2, normal: Vec2) {
        let by_surface = lacking_of(self.surface, normal, lacking.length());
        self.surface += by_surface;
        self.along += lacking - by_surface;
    }
}

/// What a way lacks that something stops along a normal, by at most so much.
pub(super) fn lacking_of(way: Vec2, normal: Vec2, most: f32) -> Vec2 {
    normal * (-way.dot(normal)).clamp(0.0, most)
}

/// A body that is to be moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Traveller {
    pub(crate) body: u32,
    /// In world units a tick.
    pub(crate) velocity: Vec2,
    pub(crate) response: Response,
    /// It moves by itself, even if that is by nothing: else it goes only as far as it is pushed.
    pub(crate) has_motion: bool,
    /// By what it stands on.
    pub(crate) carried: Option<Ride>,
    /// Its velocity has changed on the way.
    pub(crate) was_hit: bool,
    /// By what it met with [`Response::Stop`], its own or that of the pair.
    pub(crate) was_stopped: bool,
    /// By what it bounced off.
    pub(crate) was_bounced: bool,
}

impl Traveller {
    /// With no velocity of its own.
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

    /// How far it goes in a tick, all in all.
    pub(crate) fn way(&self) -> Vec2 {
        self.velocity + self.carried.map_or(Vec2::ZERO, |ride| ride.way())
    }
}

/// A traveller on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Agent {
    pub(super) own: Traveller,
    /// When it is where its mover is.
    pub(super) time: f32,
    /// Where it set out.
    pub(super) from: Vec2,
    /// The way in which the tick began.
    pub(super) wish: Vec2,
    /// The same, or in which it was pushed since: what gives no way leads nobody back against it.
    pub(super) heading: Vec2,
    /// How fast it came together with what it hit the hardest, in world units a tick.
    pub(super) hardest: f32,
    /// Counts its changes of course, so that older predictions are known for what they are.
    pub(super) version: u32,
    /// On each axis: its velocity there since it has come to rest on something that does not give way.
    rest: Vec2,
    /// By side: whether that is on this one.
    rests_on: [bool; 4],
    pub(super) hits: u8,
    /// It has hit something that is moved by that, or has been hit by it.
    pub(super) was_shoved: bool,
    /// How often it went along with somebody that was hit.
    pub(super) along: u8,
    /// It has hit something static, directly or through others.
    pub(super) is_pressed: bool,
    /// It has hit something that gives way, and one of the two bounced.
    pub(super) has_rebounded: bool,
    /// It has hit too often: see [`stays`](Self::stays) and [`is_through`](Self::is_through).
    pub(super) is_stuck: bool,
    /// It was stopped with all others of a crowd when it set out.
    pub(super) is_in_crowd: bool,
    /// It looks out for all others of its crowd, or is too slow to get to anybody who was not near.
    pub(super) minds_crowd: bool,
    /// It is `Kinematic`.
    pub(super) is_unstoppable: bool,
}

impl Agent {
    /// On its way from the start, or from where it is pushed.
    #[inline(always)]
    pub(super) fn new(own: Traveller, (from, time): (Vec2, f32), is_unstoppable: bool) -> Self {
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
            hits: 0,
            was_shoved: false,
            along: 0,
            is_pressed: false,
            has_rebounded: false,
            is_stuck: false,
            is_in_crowd: false,
            minds_crowd: false,
            is_unstoppable,
        }
    }

    /// It has come to rest on something that does not give way, which has this normal.
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

    /// Whether it rests on something against which this direction leads: then it gives way to no push. What has left that since goes at another velocity, as a rule.
    pub(super) fn is_held(&self, push: Vec2) -> bool {
        side_of(-push).is_some_and(|(side, axis)| {
            self.rests_on[side] && self.velocity().dot(axis) == self.rest.dot(axis)
        })
    }

    /// Whether it is pressed from several sides, as in a heap.
    pub(super) fn is_wedged(&self) -> bool {
        self.is_pressed || self.is_in_crowd
    }

    /// The velocity that is left to it in a crowd when it meets something that goes on as it does, in a direction at a speed. In a corner of that and of what it has met before, it is that of the corner, or it would go to and fro between both.
    pub(super) fn beside(&self, limits: [Limit; 2]) -> Option<Vec2> {
        let velocity = self.velocity();
        nearest_within(velocity, velocity.length_squared(), &limits)
    }

    /// Whether it has hit so often that it stays where it is, by a hit along which it slides or not.
    pub(super) fn has_hit_enough(&self, slides: bool) -> bool {
        let most = if slides && self.is_in_crowd {
            MOST_HITS_IN_A_CROWD
        } else {
            MOST_HITS
        };
        self.hits > most
    }

    /// Whether it moves no more in this tick, and is in the way of all others.
    pub(super) fn stays(&self) -> bool {
        self.is_stuck && !self.is_unstoppable
    }

    /// Whether it goes on through everything that is solid.
    pub(super) fn is_through(&self) -> bool {
        self.is_stuck && self.is_unstoppable
    }

    /// Whether it goes nowhere by itself, as things are.
    pub(super) fn stands(&self) -> bool {
        self.stays() || self.own.velocity == Vec2::ZERO
    }

    /// Whether it has to look out for what is solid and of this rank. Who stays does so for those that it stops: what does not give way goes through it.
    pub(super) fn is_stopped_by(&self, rank: Rank) -> bool {
        !self.is_stuck || self.stays() && rank == Rank::Dynamic
    }

    /// Whether it gives way to what pushes it.
    pub(super) fn gives_way(&self) -> bool {
        !self.is_stuck && !self.is_unstoppable
    }

    /// Faster than this it has to come closer to what gives way to be stopped by it, in world units a tick.
    ///
    /// Of several that push each other, each pair takes back a part of what the last one did: that has no end, and who is stopped for good is in everybody's way. So the more often it has hit, the
    /// less exact it is, and what is left is for the push-out. At first everybody is exact to the bit, and in a heap: there it does no harm to be stopped. What is little is told by the hits before, and
    /// not by how fast a crowd is on its way as a whole.
    pub(super) fn least_closing(&self) -> f32 {
        if self.is_in_crowd {
            return self.hardest * CROWDED;
        }
        // Between two of which one bounces and the other one is pressed on by a third, there would be no end to it, on a floor as in the air.
        let is_exact = self.is_pressed && !self.has_rebounded;
        if self.hits == 0 || is_exact || self.stays() {
            return 0.0;
        }
        (self.hits..MOST_HITS).fold(self.hardest, |closing, _| closing * EXACTER)
    }

    /// How far it goes in a tick from now on.
    pub(super) fn velocity(&self) -> Vec2 {
        if self.stays() {
            Vec2::ZERO
        } else {
            self.own.way()
        }
    }
}
