//! A collider that sets out, and looks ahead.

use bevy::math::Vec2;

use super::{
    super::{
        course::End,
        impact::SweepImpact,
        rules::Rules,
        seam::{Across, is_sunk},
    },
    ahead::{ImpactAhead, Other},
    seams::Seams,
};
use crate::{kernel::Shape, placed::Rank};

/// A collider of an agent that looks ahead, on its way from a time on.
pub(super) struct Lookout {
    pub(super) agent: u32,
    pub(super) own: u32,
    pub(super) shape: Shape,
    pub(super) center: Vec2,
    pub(super) velocity: Vec2,
    pub(super) from: f32,
    /// `least_closing` of its agent.
    pub(super) least_closing: f32,
    pub(super) is_kinematic: bool,
}

impl Lookout {
    /// Makes the lookout of a collider when all set out.
    pub(super) fn at_first(own: &End, shape: Shape) -> Self {
        Self {
            agent: own.agent,
            own: own.slot,
            shape,
            center: own.center,
            velocity: own.velocity,
            from: 0.0,
            least_closing: 0.0,
            is_kinematic: own.rank == Rank::Kinematic,
        }
    }

    /// Returns how much of the tick is left.
    pub(super) fn left(&self) -> f32 {
        1.0 - self.from
    }

    /// Returns an impact as something ahead, if the two may collide. Called last, since most are not met at all.
    pub(super) fn meet(
        &self,
        rules: &Rules,
        other: Other,
        impact: SweepImpact,
    ) -> Option<ImpactAhead> {
        let slots = (self.own as usize, other.end.slot as usize);
        // A look around finds the collider itself as well, which by rounding may seem to come towards itself.
        let may_collide = slots.0 != slots.1 && (rules.may_collide)(slots.0, slots.1);
        may_collide.then(|| ImpactAhead {
            agent: self.agent,
            own: self.own,
            other,
            impact,
            is_solid: (rules.is_stopped)(slots.0, slots.1, &impact)
                && (self.is_worth_it(&other.end, &impact)
                    || lets_in(rules, (self.own, other.end.slot), impact)),
        })
    }

    /// Notes something that gives no way, if the collider is sunk in it and stopped by it. Returns whether it is sunk in it.
    #[inline(always)]
    pub(super) fn note_sunk(
        &self,
        rules: &Rules,
        other: End,
        shape: Shape,
        seams: &mut Seams,
    ) -> bool {
        let places = [self.center, other.place(self.from)];
        let is_sunk = is_sunk(self.shape, shape, places) && !self.is_kinematic;
        if is_sunk {
            self.sink(rules, (other, shape, places), seams);
        }
        is_sunk
    }

    #[cold]
    fn sink(
        &self,
        rules: &Rules,
        (other, shape, places): (End, Shape, [Vec2; 2]),
        seams: &mut Seams,
    ) {
        let motion = (self.velocity - other.velocity) * self.left();
        if let Some(across) = Across::new(self.shape, shape, places, motion) {
            let met = self.meet(rules, Other::straight(other), across.impact);
            if let Some(one) = met.filter(|one| one.is_solid) {
                seams.add(across, one);
            }
        }
    }

    /// Whether the two approach fast enough to be stopped, or would get so deep into each other that the push-out might take them for having passed.
    fn is_worth_it(&self, other: &End, impact: &SweepImpact) -> bool {
        // Most are exact: those that have not hit yet, and all that meet what does not give way.
        if self.least_closing == 0.0 || other.rank != Rank::Dynamic {
            return true;
        }
        let motions = [self.velocity, other.velocity].map(|velocity| velocity * self.left());
        if impact.is_rounding(motions) {
            return false;
        }
        let deep = impact.closing * (1.0 - impact.fraction);
        if deep > self.shape.half_extents().min_element() {
            return true;
        }
        impact.closing > self.least_closing * self.left()
    }
}

/// Whether a collider that is let in would not be pushed out again.
fn lets_in(rules: &Rules, (own, other): (u32, u32), impact: SweepImpact) -> bool {
    let inside = SweepImpact {
        is_deep: true,
        ..impact
    };
    !(rules.is_stopped)(own as usize, other as usize, &inside)
}
