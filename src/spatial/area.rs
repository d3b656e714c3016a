//! The area of an overlap query.

use bevy::math::Vec2;

use crate::{
    broad_phase::Region,
    kernel::{Outline, Shape, Touching, is_in_world, touches},
    placed::edges_at,
};

/// A shape at a place, to find what is in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Area {
    pub(crate) shape: Shape,
    pub(crate) center: Vec2,
    pub(crate) touching: Touching,
}

impl Area {
    pub(crate) fn new(shape: Shape, center: Vec2, touching: Touching) -> Self {
        Self {
            shape,
            center,
            touching,
        }
    }

    /// Whether an outline at this place is in the area.
    #[inline(always)]
    pub(super) fn meets(&self, outline: Outline, center: Vec2) -> bool {
        match outline {
            Outline::Shape(own) if self.touching == Touching::Counts => {
                touches(own, self.shape, self.center - center)
            }
            _ => self.meets_otherwise(outline, center),
        }
    }

    // Not inlined, so that the most frequent case can be.
    #[inline(never)]
    fn meets_otherwise(&self, outline: Outline, center: Vec2) -> bool {
        outline.meets(self.shape, self.center - center, self.touching)
    }

    /// Returns the region for the broad phase, for boxes that are up to `drift` away from where the broad phase has them.
    #[inline(always)]
    pub(crate) fn region(&self, drift: f32) -> Region {
        let Self { shape, center, .. } = *self;
        let edges = edges_at(shape, center, 0.0);
        Region::new(edges, center, shape.half_size(), shape.radius(), drift)
    }

    pub(super) fn is_valid(&self) -> bool {
        is_in_world(self.center)
    }
}
