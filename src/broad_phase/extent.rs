//! A box, and who has one.

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
        (0..2).all(|axis| self.min[axis] <= other.max[axis] && other.min[axis] <= self.max[axis])
    }

    /// The box around a box that goes a way.
    pub(crate) fn along(&self, way: [f32; 2]) -> Self {
        Self {
            min: std::array::from_fn(|axis| self.min[axis] + way[axis].min(0.0)),
            max: std::array::from_fn(|axis| self.max[axis] + way[axis].max(0.0)),
        }
    }

    /// The box and so much beyond it on all sides.
    #[inline]
    pub(crate) fn grown(&self, reach: f32) -> Self {
        Self {
            min: self.min.map(|edge| edge - reach),
            max: self.max.map(|edge| edge + reach),
        }
    }

    /// The longer side. Negative for an empty box.
    #[inline]
    pub(super) fn size(&self) -> f32 {
        (self.max[0] - self.min[0]).max(self.max[1] - self.min[1])
    }
}

/// Something that knows the box around it.
///
/// It is asked several times and should answer the same, from what it holds itself. A box with something that says whose it is will do.
pub trait HasExtent {
    /// The box around it.
    fn extent(&self) -> Extent;
}

impl HasExtent for Extent {
    #[inline]
    fn extent(&self) -> Extent {
        *self
    }
}

impl<T> HasExtent for (Extent, T) {
    #[inline]
    fn extent(&self) -> Extent {
        self.0
    }
}
