//! How large bodies are.

use bevy::math::Vec2;

use super::World;
use crate::kernel::Shape;

/// How large a body is.
#[derive(Clone, Copy, Debug)]
pub(in crate::push_out) struct Size {
    /// The least half extent of any of its colliders, and the largest one.
    pub(in crate::push_out) narrow: f32,
    pub(in crate::push_out) wide: f32,
    /// Half extents of the box around all of its colliders.
    pub(in crate::push_out) half: Vec2,
    /// The center of that box, relative to the body.
    pub(in crate::push_out) middle: Vec2,
}

impl World<'_> {
    /// For a body whose own slot pushes nothing: returns the box around its solid colliders, or the shape of the only one, and its center relative to the body. Queries for the place and size of the body use this.
    pub(super) fn around_parts(&self, slot: u32) -> Option<(Shape, Vec2)> {
        if self.parts.is_empty() || !self.outside.is_sensor(slot) {
            return None;
        }
        let mut parts = self.shapes_of_parts(slot);
        if let [_] = self.parts_of(slot) {
            return parts.next();
        }
        let corners = parts.flat_map(|(shape, offset)| {
            let half = shape.half_extents();
            [offset - half, offset + half]
        });
        let (low, high) = bounds_of(corners);
        let shape = Shape::rectangle((high - low) * 0.5).ok()?;
        Some((shape, low.midpoint(high)))
    }

    /// Returns the shapes of a body's colliders in other slots than its own, and their centers relative to the body.
    fn shapes_of_parts(&self, slot: u32) -> impl Iterator<Item = (Shape, Vec2)> {
        self.parts_of(slot).iter().filter_map(|&(_, part)| {
            let placed = self.outside.placed(part);
            Some((placed.outline.shape()?, placed.offset))
        })
    }

    /// Returns the smaller half extent of a collider; 0 for a room.
    pub(in crate::push_out) fn narrow(&self, number: u32) -> f32 {
        self.member(number).half_extents().min_element()
    }

    /// Returns the larger half extent of a collider; 0 for a room.
    pub(in crate::push_out) fn wide(&self, number: u32) -> f32 {
        self.member(number).half_extents().max_element()
    }

    /// Whether a body has only one collider that pushes.
    pub(in crate::push_out) fn is_alone(&self, body: u32) -> bool {
        let slot = self.slot(body);
        match self.parts_of(slot) {
            [] => true,
            [_] => self.outside.is_sensor(slot),
            _ => false,
        }
    }

    /// Returns how large a body is, by its colliders that push.
    pub(in crate::push_out) fn size_of(&self, body: u32) -> Size {
        let own = self.member(body);
        let size = Size {
            narrow: self.narrow(body),
            wide: self.wide(body),
            half: own.half_extents(),
            middle: self.offset(body),
        };
        let slot = self.slot(body);
        if self.parts_of(slot).is_empty() {
            return size;
        }
        let own = Some((own.shape, self.offset(body)));
        let own = own.filter(|_| !self.outside.is_sensor(slot));
        let parts = own.into_iter().chain(self.shapes_of_parts(slot));
        // A point is no measure of size.
        let parts = parts.filter(|(shape, _)| shape.half_extents() != Vec2::ZERO);
        let (mut narrow, mut wide) = (f32::INFINITY, 0.0_f32);
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for (shape, offset) in parts {
            let half = shape.half_extents();
            narrow = narrow.min(half.min_element());
            wide = wide.max(half.max_element());
            low = low.min(offset - half);
            high = high.max(offset + half);
        }
        // No part counts.
        if narrow == f32::INFINITY {
            return size;
        }
        Size {
            narrow,
            wide,
            half: (high - low) * 0.5,
            middle: (low + high) * 0.5,
        }
    }
}

/// Returns the least and the largest coordinates.
pub(in crate::push_out) fn bounds_of(places: impl Iterator<Item = Vec2>) -> (Vec2, Vec2) {
    let none = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    places.fold(none, |(low, high), place| (low.min(place), high.max(place)))
}
