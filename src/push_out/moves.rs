//! How the push-out moves bodies.

use bevy::math::{BVec2, Vec2};

use super::world::{Push, World};
use crate::{
    kernel::{Outline, Shape, cast_ray, room_within},
    placed::{beyond, compare_places, position_for, within},
};

/// A body is deep in a static if its depth exceeds this part of its half size.
pub(super) const DEEP: f32 = 0.5;

impl World<'_> {
    /// Whether a collider can move by `way` without a check for what lies on it: if it ends inside something, it leaves that on the side that it came from. It may already have been in there before, but not deep.
    #[inline]
    pub(super) fn is_short(&self, number: u32, way: Vec2) -> bool {
        let short = self.narrow(number) * (1.0 - DEEP);
        way.length_squared() <= short * short
    }

    #[inline]
    pub(super) fn shift(&mut self, number: u32, by: Vec2) {
        self.move_to(self.body(number), self.position(number) + by);
    }

    /// Moves two bodies apart by `distance` along `direction`, which is the way of the second one. They share it by mass; each mass is multiplied by its entry of `times`.
    pub(super) fn share(
        &mut self,
        (a, b): (u32, u32),
        direction: Vec2,
        distance: f32,
        times: [f32; 2],
    ) {
        let light_a = self.member(a).inverse_mass / times[0];
        let light_b = self.member(b).inverse_mass / times[1];
        let push = direction * (distance / (light_a + light_b));
        self.shift(a, -push * light_a);
        self.shift(b, push * light_b);
    }

    /// Returns the direction across the normal of a pair, turned from the first to the second, and how far apart the two have to go that way to be free.
    pub(super) fn way_past(&self, push: &Push) -> (Vec2, f32) {
        self.way_across(push, |sum, offset, axis| {
            // How far round corners reach at this height.
            let across = (offset.abs() - sum.half_size()).dot(axis.perp().abs());
            let (radius, across) = (sum.radius(), across.max(0.0));
            let round = ((radius - across) * (radius + across)).max(0.0).sqrt();
            sum.half_size().dot(axis) + round
        })
    }

    /// Does the same up to where their outer boxes part, as on a floor of which one collider is only a part.
    pub(super) fn way_over(&self, push: &Push) -> (Vec2, f32) {
        self.way_across(push, |sum, _, axis| sum.half_extents().dot(axis))
    }

    /// Does the same with `reach`: how far the sum of both shapes reaches from its middle along an axis, for a given offset.
    fn way_across(&self, push: &Push, reach: impl Fn(Shape, Vec2, Vec2) -> f32) -> (Vec2, f32) {
        let (a, b) = push.pair;
        let (place, others) = (self.center(a), self.center(b));
        let offset = others - place;
        let axis = if push.normal.x.abs() >= push.normal.y.abs() {
            Vec2::Y
        } else {
            Vec2::X
        };
        let along = offset.dot(axis);
        // If the two are level, the one on the left goes down, or the one below goes left, whichever of them is the first.
        let is_back = along < 0.0 || along == 0.0 && compare_places(others, place).is_lt();
        let direction = if is_back { -axis } else { axis };
        let distance = match (self.outline(a), self.outline(b)) {
            (Outline::Shape(one), Outline::Shape(other)) => {
                (reach(one.sum(other), offset, axis) - along.abs()).max(0.0)
            }
            _ => 0.0,
        };
        (direction, distance)
    }

    /// Returns how far a collider has to go in a direction to be out of another one, or inside a room; `None` if it does not get there that way, or if `moving` is itself a room.
    pub(super) fn way_out(&self, moving: u32, fixed: u32, direction: Vec2) -> Option<f32> {
        let offset = self.center(moving) - self.center(fixed);
        match (self.outline(moving), self.outline_for(moving, fixed)) {
            (Outline::Shape(own), Outline::Shape(other)) => {
                let sum = own.sum(other);
                // Cast from a place that is free for sure, back to the current place.
                let far = 2.0 * sum.half_extents().length();
                let back = cast_ray(sum, offset + direction * far, -direction * far)?;
                Some(far * (1.0 - back.fraction))
            }
            (Outline::Shape(own), Outline::Bounds(half_size)) => {
                let room = room_within(half_size, own);
                let outside = (offset.abs() - room).max(Vec2::ZERO);
                let inwards = -offset.signum() * direction;
                let is_out = outside.cmpgt(Vec2::ZERO);
                let leads_there = (is_out & !inwards.cmpgt(Vec2::ZERO)) == BVec2::FALSE;
                let ways = Vec2::select(is_out, outside / inwards, Vec2::ZERO);
                leads_there.then(|| ways.max_element())
            }
            _ => None,
        }
    }

    /// Moves the body of a collider so that the collider's center is at `center`, or a rounding error beyond it.
    pub(super) fn place(&mut self, number: u32, center: Vec2) {
        let (from, position) = (self.center(number), self.position(number));
        let (offset, way) = (self.offset(number), center - from);
        let there = Vec2::new(
            position_for(center.x, offset.x, way.x),
            position_for(center.y, offset.y, way.y),
        );
        // Untouched axes keep their bits.
        let to = Vec2::select(center.cmpne(from), there, position);
        self.move_to(self.body(number), to);
    }

    /// Moves the body of `moving` out of `fixed`, which stays.
    pub(super) fn free(&mut self, moving: u32, fixed: u32, overlap: &Push) {
        let (center, anchor) = (self.center(moving), self.center(fixed));
        let freed = match (self.outline(moving), self.outline_for(moving, fixed)) {
            (Outline::Shape(shape), Outline::Bounds(half_size)) => {
                let room = room_within(half_size, shape);
                let side = |side: f32| {
                    Vec2::new(
                        within(anchor.x, side, room.x),
                        within(anchor.y, side, room.y),
                    )
                };
                center.clamp(side(-1.0), side(1.0))
            }
            (own, other) => {
                let out = -overlap.seen_from(moving).1;
                let along = out.cmpne(Vec2::ZERO);
                match (own, other) {
                    // Along an axis: the exact coordinate at which the two touch, wherever the body came from.
                    (Outline::Shape(own), Outline::Shape(other)) if !along.all() => {
                        let reach = own.sum(other).half_extents();
                        let touching = Vec2::new(
                            beyond(anchor.x, out.x, reach.x),
                            beyond(anchor.y, out.y, reach.y),
                        );
                        Vec2::select(along, touching, center)
                    }
                    _ => center + out * overlap.depth,
                }
            }
        };
        self.place(moving, freed);
    }
}
