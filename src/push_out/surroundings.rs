//! What the push-out asks of everything around, whether it takes part or not.

use crate::{
    broad_phase::Extent,
    placed::{Mover, Placed, Rank},
};

/// No number.
pub(super) const NONE: u32 = u32::MAX;

/// Finds colliders of static bodies. Whoever detects has them sorted already, and of a large level few matter.
pub(crate) trait StillColliders: Sync {
    /// Calls `found` with the slot of each whose box meets this one, and perhaps with some others; not with rooms.
    fn find_near(&self, extent: &Extent, found: &mut dyn FnMut(u32));
}

/// Everything around, where detection saw it. It stays as it is while the push-out runs.
pub(crate) trait Surroundings: StillColliders {
    /// How many slots there are.
    fn slots(&self) -> u32;
    /// The collider in a slot.
    fn placed(&self, slot: u32) -> &Placed;
    /// The body in a slot.
    fn mover(&self, slot: u32) -> &Mover;
    /// Asks for the memory of both, if there is any, for soon they will be wanted.
    fn prefetch(&self, _slot: u32) {}
    /// Whether two colliders push each other.
    fn may_push(&self, a: u32, b: u32) -> bool;
    /// Whether a collider only reports.
    fn is_sensor(&self, slot: u32) -> bool;
    /// Whether a collider is solid on one side only.
    fn is_one_way(&self, _slot: u32) -> bool {
        false
    }
    /// [`StillColliders::find_near`] for the bodies that are not static.
    fn find_moving(&self, extent: &Extent, found: &mut dyn FnMut(u32));
    /// The slot of the body of a collider, if it can be moved.
    fn dynamic_body(&self, slot: u32) -> Option<u32>;
    /// [`StillColliders::find_near`] for all that give no way, and are of this rank or above.
    fn find_firm(&self, lowest: Rank, extent: &Extent, found: &mut dyn FnMut(u32)) {
        self.find_near(extent, found);
        if lowest < Rank::Static {
            self.find_moving(extent, &mut |slot| {
                if self.dynamic_body(slot).is_none() {
                    found(slot);
                }
            });
        }
    }
    /// Calls `found` once with every pair that may push each other and would touch if whoever can be moved went no farther than `reach`, and perhaps with some others, and with their [bodies](Self::dynamic_body); rooms are not among them. False, and with none, if that would have to be looked for.
    fn near_pairs(&self, reach: f32, found: &mut dyn FnMut([u32; 2], [Option<u32>; 2])) -> bool;
    /// Colliders that are solid outside.
    fn rooms(&self) -> &[u32];
    /// Bodies that are not static, and the colliders of their children, but for those that only report; sorted.
    fn parts(&self) -> &[(u32, u32)];
}
