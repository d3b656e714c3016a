//! What an agent has before it.

use super::{
    super::{course::End, impact::Impact, seam::is_by_corner},
    Rules,
};
use crate::placed::Rank;

/// An impact that an agent has before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ahead {
    pub(super) agent: u32,
    pub(super) own: u32,
    pub(super) other: Other,
    pub(super) impact: Impact,
    /// It would be stopped there, and not only told of it, unless both part.
    pub(super) is_solid: bool,
}

impl Ahead {
    /// It is stopped there.
    pub(super) fn stops(&self) -> bool {
        self.is_solid && !self.impact.is_parting()
    }

    /// It comes to something that gives no way, and is stopped there.
    pub(super) fn is_firm(&self) -> bool {
        self.is_stopped_firmly() && !self.impact.is_inside
    }

    /// The same, or it is over its corner already: what is round may be, and be sunk in a surface that goes on there.
    pub(super) fn is_beside(&self) -> bool {
        self.is_stopped_firmly() && (!self.impact.is_inside || is_by_corner(&self.impact))
    }

    fn is_stopped_firmly(&self) -> bool {
        self.other.end.rank != Rank::Dynamic && self.stops()
    }

    /// It is to be told: who parts has met the other one before, as a rule.
    pub(super) fn is_new(&self, rules: &Rules) -> bool {
        let (own, other) = self.pair();
        !self.impact.is_parting() || (rules.is_untold)(own as usize, other as usize)
    }

    /// What is met.
    pub(super) fn end(&self) -> &End {
        &self.other.end
    }

    /// The slots of both.
    pub(super) fn pair(&self) -> (u32, u32) {
        (self.own, self.other.end.slot)
    }
}

/// What is met, as an agent knows it that looks ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Other {
    pub(super) end: End,
    /// Whether `end` says where it is at any time: nobody has turned it since it set out, or it is static.
    pub(super) is_straight: bool,
}

impl Other {
    pub(super) fn straight(end: End) -> Self {
        let is_straight = true;
        Self { end, is_straight }
    }
}
