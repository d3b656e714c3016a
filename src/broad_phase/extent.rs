//! A box, and how two of them meet.

use bevy::math::Vec4;

/// The smallest box around something, edges included. Finite; with `min > max` on an axis it is empty and meets nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Lesser corner.
    pub min: [f32; 2],
    /// Greater corner.
    pub max: [f32; 2],
}

impl Extent {
    /// Meets nothing, not even itself.
    pub const EMPTY: Self = Self {
        min: [f32::MAX; 2],
        max: [f32::MIN; 2],
    };

    /// Whether they share at least an edge.
    pub fn meets(&self, other: &Self) -> bool {
        edges_meet(self.edges(), limits(other.edges())) == MEET
    }

    /// The longer side. Negative for an empty box.
    pub(super) fn size(&self) -> f32 {
        (self.max[0] - self.min[0]).max(self.max[1] - self.min[1])
    }

    /// Left, lower, right and upper edge, the latter two negated: see [`edges_meet`].
    pub(super) fn edges(&self) -> [f32; 4] {
        [self.min[0], self.min[1], -self.max[0], -self.max[1]]
    }
}

/// What `edges` of other boxes are compared with: this box's right, upper, left and lower edge, the latter two negated.
pub(super) fn limits([left, lower, right, upper]: [f32; 4]) -> Vec4 {
    Vec4::new(-right, -upper, -left, -lower)
}

/// Two boxes meet where each edge of one is not beyond the opposite edge of the other: with signs turned, four times `<=`. That is one
/// instruction where there are vectors, and it rounds nothing, so that all machines agree.
///
/// The answer has a bit for each, the lowest for the left edge; [`MEET`] is all of them.
#[inline(always)]
pub(super) fn edges_meet(edges: [f32; 4], limits: Vec4) -> u32 {
    Vec4::from_array(edges).cmple(limits).bitmask()
}

/// All four comparisons hold.
pub(super) const MEET: u32 = 0b1111;
/// The other one begins at or before the right edge.
pub(super) const BEGINS: u32 = 0b0001;
