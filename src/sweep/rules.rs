//! The rules by which bodies meet on their ways.

use super::impact::SweepImpact;
use crate::components::Response;

/// The rules about which colliders meet, and how they respond.
pub(crate) struct Rules<'a> {
    pub(crate) may_collide: &'a dyn Fn(usize, usize) -> bool,
    /// Whether a collider is stopped by another one that it meets, and does not only report it.
    pub(crate) is_stopped: &'a dyn Fn(usize, usize, &SweepImpact) -> bool,
    /// Whether a slot is solid on one side only.
    pub(crate) is_one_way: &'a dyn Fn(usize) -> bool,
    /// Whether two colliders that are in each other when all set out, and may part, have not been reported yet.
    pub(crate) is_untold: &'a dyn Fn(usize, usize) -> bool,
    /// How two slots respond to each other, if the pair has a response of its own.
    pub(crate) response: &'a dyn Fn(usize, usize) -> Option<Response>,
    /// The restitution with which a slot throws back what meets it, unless that stops there.
    pub(crate) throws: &'a dyn Fn(usize) -> f32,
    /// A body that meets something more slowly than this, in world units a tick, does not bounce off it, unless it loses nothing by bouncing.
    pub(crate) bounce_threshold: f32,
}

impl Rules<'_> {
    /// Returns the response of a body to a slot that it meets, if the pair has none of its own. Off a slot that throws, a body that slides bounces, and one that bounces does so by the greater one of both restitutions.
    pub(super) fn response_to(&self, own: Response, slot: u32) -> Response {
        let thrown = (self.throws)(slot as usize);
        match own {
            Response::Slide if thrown > 0.0 => Response::Bounce {
                restitution: thrown,
            },
            Response::Bounce { restitution } => Response::Bounce {
                restitution: restitution.max(thrown),
            },
            _ => own,
        }
    }

    /// Returns the response of a body that meets a slot with one of its own.
    pub(super) fn response_of(&self, own: Response, (slot, met): (u32, u32)) -> Response {
        let of_pair = (self.response)(slot as usize, met as usize);
        of_pair.unwrap_or_else(|| self.response_to(own, met))
    }

    /// Returns what becomes of a response where two come together at this speed, in world units a tick.
    pub(super) fn in_a_hit(&self, response: Response, closing: f32) -> Response {
        let is_slow = closing < self.bounce_threshold;
        match response {
            Response::Bounce { restitution } if is_slow && restitution < 1.0 => Response::Slide,
            response => response,
        }
    }

    /// Whether two slots slide along each other, if both bodies slide as a rule.
    pub(super) fn slide(&self, one: u32, other: u32) -> bool {
        let both = [one, other].map(|slot| slot as usize);
        both.into_iter().all(|slot| (self.throws)(slot) <= 0.0)
            && (self.response)(both[0], both[1]).is_none_or(|response| response == Response::Slide)
    }
}
