//! What an agent has before it.

use super::super::{course::End, impact::SweepImpact, rules::Rules, seam::is_by_corner};
use crate::placed::Rank;

/// An impact that an agent has before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ImpactAhead {
    pub(super) agent: u32,
    pub(super) own: u32,
    pub(super) other: Other,
    pub(super) impact: SweepImpact,
    /// Whether the agent would be stopped there, and not only report it, unless both part.
    pub(super) is_solid: bool,
}

impl ImpactAhead {
    /// Whether the agent is stopped there.
    pub(super) fn stops(&self) -> bool {
        self.is_solid && !self.impact.is_parting()
    }

    /// Whether it comes from outside to something that gives no way, and is stopped there.
    pub(super) fn is_firm(&self) -> bool {
        self.is_stopped_firmly() && !self.impact.is_inside
    }

    /// The same, or it is over a corner of what it meets already: a round body may be, while it is sunk in a surface that goes on there.
    pub(super) fn is_beside(&self) -> bool {
        self.is_stopped_firmly() && (!self.impact.is_inside || is_by_corner(&self.impact))
    }

    fn is_stopped_firmly(&self) -> bool {
        self.other.end.rank != Rank::Dynamic && self.stops()
    }

    /// Whether it has to be reported: a pair that parts was reported before, as a rule.
    pub(super) fn is_new(&self, rules: &Rules) -> bool {
        let (own, other) = self.pair();
        !self.impact.is_parting() || (rules.is_untold)(own as usize, other as usize)
    }

    /// Returns what is met.
    pub(super) fn end(&self) -> &End {
        &self.other.end
    }

    /// Returns the slots of both.
    pub(super) fn pair(&self) -> (u32, u32) {
        (self.own, self.other.end.slot)
    }
}

/// What is met, as the agent that looks ahead knows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Other {
    pub(super) end: End,
    /// Whether `end` tells its place at any time: it has not been turned since it set out, or is static.
    pub(super) is_straight: bool,
}

impl Other {
    pub(super) fn straight(end: End) -> Self {
        let is_straight = true;
        Self { end, is_straight }
    }
}
