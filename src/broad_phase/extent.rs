//! A box, and what has one.

use bevy::math::{Mat4, Vec4};

use super::rounding::greater;
use crate::map_four::map_four;

/// The smallest box around something, edges included. Must be finite, with `min <= max` on both axes: except for [`EMPTY`](Self::EMPTY), results for other boxes are meaningless.
///
/// ```
/// # use bevy_nudge::broad_phase::Extent;
/// let tile = Extent { min: [0.0, 0.0], max: [16.0, 16.0] };
/// let beside = Extent { min: [16.0, 0.0], max: [32.0, 16.0] };
/// let apart = Extent { min: [17.0, 0.0], max: [32.0, 16.0] };
/// assert!(tile.meets(&beside) && !tile.meets(&apart));
/// assert!(!Extent::EMPTY.meets(&tile) && !Extent::EMPTY.meets(&Extent::EMPTY));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Lesser corner.
    pub min: [f32; 2],
    /// Greater corner.
    pub max: [f32; 2],
}

impl Extent {
    /// A box that meets nothing, not even itself.
    pub const EMPTY: Self = Self {
        min: [f32::MAX; 2],
        max: [f32::MIN; 2],
    };

    /// A box around everything.
    pub(crate) const EVERYWHERE: Self = Self {
        min: [f32::MIN; 2],
        max: [f32::MAX; 2],
    };

    /// Makes a box of its left, low, right and high edge.
    #[inline(always)]
    pub(super) fn of_edges(edges: Vec4) -> Self {
        let [left, low, right, high] = edges.to_array();
        Self {
            min: [left, low],
            max: [right, high],
        }
    }

    /// Whether this is a valid box: neither inverted nor with NaN.
    #[inline]
    pub(super) fn is_some(&self) -> bool {
        (0..2).all(|axis| self.min[axis] <= self.max[axis])
    }

    /// Whether two boxes share at least an edge.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        (0..2).all(|axis| self.min[axis] <= other.max[axis] && other.min[axis] <= self.max[axis])
    }

    /// Returns the box around a box that moves along `way`.
    pub(crate) fn along(&self, way: [f32; 2]) -> Self {
        Self {
            min: std::array::from_fn(|axis| self.min[axis] + way[axis].min(0.0)),
            max: std::array::from_fn(|axis| self.max[axis] + way[axis].max(0.0)),
        }
    }

    /// Returns the box, extended by `reach` on all sides.
    #[inline]
    pub(crate) fn grown(&self, reach: f32) -> Self {
        Self {
            min: self.min.map(|edge| edge - reach),
            max: self.max.map(|edge| edge + reach),
        }
    }

    /// Returns the box around both.
    pub(crate) fn union(&self, other: &Self) -> Self {
        Self {
            min: std::array::from_fn(|axis| self.min[axis].min(other.min[axis])),
            max: std::array::from_fn(|axis| self.max[axis].max(other.max[axis])),
        }
    }

    /// Returns the longer side. Negative for an empty box.
    #[inline]
    pub(super) fn size(&self) -> f32 {
        greater(self.max[0] - self.min[0], self.max[1] - self.min[1])
    }
}

/// Anything that has a box around it.
///
/// The box is read several times and must be the same each time, so it should follow from the value alone. A box with anything that identifies its owner will do.
///
/// ```
/// # use bevy_nudge::broad_phase::{BroadPhase, Extent, Found, HasExtent};
/// #[derive(Clone, Copy)]
/// struct Ball { center: [f32; 2], radius: f32 }
///
/// impl HasExtent for Ball {
///     fn extent(&self) -> Extent {
///         Extent { min: self.center.map(|at| at - self.radius), max: self.center.map(|at| at + self.radius) }
///     }
/// }
///
/// let balls = [0.0, 1.5, 9.0].map(|x| Ball { center: [x, 0.0], radius: 1.0 });
/// let mut found = Found::default();
/// BroadPhase::default().find(&balls, |a, b| Some((a.center[0] - b.center[0]).abs()), &mut found);
/// assert!(found.iter().eq(&[1.5]));
///
/// // A box and a name have one, too.
/// assert_eq!((balls[0].extent(), "first").extent().max, [1.0, 1.0]);
/// ```
pub trait HasExtent {
    /// Returns the box around it.
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

/// Four boxes, one in each lane.
pub(super) struct FourExtents {
    pub(super) left: Vec4,
    pub(super) low: Vec4,
    pub(super) right: Vec4,
    pub(super) high: Vec4,
}

impl FourExtents {
    #[inline(always)]
    pub(super) fn new(four: [Extent; 4]) -> Self {
        let [a, b, c, d] = map_four(four, |Extent { min, max }| {
            Vec4::new(min[0], min[1], max[0], max[1])
        });
        let edges = Mat4::from_cols(a, b, c, d).transpose();
        Self {
            left: edges.x_axis,
            low: edges.y_axis,
            right: edges.z_axis,
            high: edges.w_axis,
        }
    }

    /// Returns [`Extent::size`] of each.
    #[inline(always)]
    pub(super) fn size(&self) -> Vec4 {
        let (width, height) = (self.right - self.left, self.high - self.low);
        Vec4::select(height.cmpgt(width), height, width)
    }
}

/// Boxes by their numbers, from 0 on. The same number always gives the same box.
pub(crate) trait Boxes<T>: Sync {
    fn count(&self) -> usize;

    fn at(&self, number: usize) -> T;
}

impl<T: Copy + Sync> Boxes<T> for &[T] {
    #[inline]
    fn count(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn at(&self, number: usize) -> T {
        self[number]
    }
}
