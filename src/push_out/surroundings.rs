//! What the push-out reads of the world around it, whether it takes part or not.

use crate::{
    broad_phase::Extent,
    kernel::Outline,
    placed::{BodyState, Placed, Rank},
};

/// Stands for a missing number.
pub(super) const NONE: u32 = u32::MAX;

/// All bodies and colliders, as detection saw them. They do not change while the push-out runs.
pub(crate) trait Surroundings: Sync {
    /// How many slots there are.
    fn slots(&self) -> u32;
    /// The collider in a slot.
    fn placed(&self, slot: u32) -> &Placed;
    /// The body in a slot.
    fn body_state(&self, slot: u32) -> &BodyState;
    /// Prefetches the memory of both for a slot that will soon be read.
    fn prefetch(&self, _slot: u32) {}
    /// Whether two colliders push each other.
    fn may_push(&self, a: u32, b: u32) -> bool;
    /// Whether a collider is a sensor.
    fn is_sensor(&self, slot: u32) -> bool;
    /// Returns the outline of a collider as it is to `who`: a room has no end on an axis on which none of its walls is solid to `who`.
    fn outline_for(&self, _who: u32, other: u32) -> Outline {
        self.placed(other).outline
    }
    /// Returns the slot of the body of a collider, if that body is dynamic.
    fn dynamic_body(&self, slot: u32) -> Option<u32>;
    /// Calls `found` with the slot of each collider of a static body whose box meets `extent`, and perhaps with some others; never with a room. Detection has these sorted already, and of a large level few matter.
    fn find_still(&self, extent: &Extent, found: &mut dyn FnMut(u32));
    /// Does the same for the bodies that are not static.
    fn find_moving(&self, extent: &Extent, found: &mut dyn FnMut(u32));
    /// Does the same for all firm colliders (not dynamic) of rank `lowest` or above.
    fn find_firm(&self, lowest: Rank, extent: &Extent, found: &mut dyn FnMut(u32)) {
        self.find_still(extent, found);
        if lowest < Rank::Static {
            self.find_moving(extent, &mut |slot| {
                if self.dynamic_body(slot).is_none() {
                    found(slot);
                }
            });
        }
    }
    /// Calls `found` once with every pair that may push each other and would touch if each dynamic body moved by at most `reach`, and perhaps with some others, and with the [bodies](Self::dynamic_body) of the pair; never with rooms. Returns false, without any call, if these pairs are not known yet.
    fn near_pairs(&self, reach: f32, found: &mut dyn FnMut([u32; 2], [Option<u32>; 2])) -> bool;
    /// Slots of rooms: colliders that are solid outside.
    fn rooms(&self) -> &[u32];
    /// Pairs of a body that is not static and a collider of one of its children, without sensors; sorted.
    fn parts(&self) -> &[(u32, u32)];
}
