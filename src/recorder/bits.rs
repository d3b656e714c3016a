//! Compares values bit by bit: 0 differs from -0, and NaN equals itself.

use bevy::{math::Vec2, transform::components::Transform};

use crate::{
    components::{Rider, Swept, Velocity},
    placed::Meeting,
};

/// Whether two values have the same bits.
pub(super) trait SameBits {
    fn same_bits(&self, other: &Self) -> bool;
}

impl SameBits for f32 {
    fn same_bits(&self, other: &Self) -> bool {
        self.to_bits() == other.to_bits()
    }
}

impl SameBits for Vec2 {
    fn same_bits(&self, other: &Self) -> bool {
        self.x.same_bits(&other.x) && self.y.same_bits(&other.y)
    }
}

impl<T: SameBits> SameBits for Option<T> {
    fn same_bits(&self, other: &Self) -> bool {
        match (self, other) {
            (Some(one), Some(other)) => one.same_bits(other),
            (None, None) => true,
            _ => false,
        }
    }
}

impl SameBits for Transform {
    fn same_bits(&self, other: &Self) -> bool {
        let xy = |place: &Self| place.translation.truncate();
        xy(self).same_bits(&xy(other)) && same_but_for_place(self, other)
    }
}

/// Whether two `Transform`s differ in nothing but their x and y.
pub(super) fn same_but_for_place(one: &Transform, other: &Transform) -> bool {
    let bits = |transform: &Transform| {
        let z = transform.translation.z.to_bits();
        let rotation = transform.rotation.to_array().map(f32::to_bits);
        (z, rotation, transform.scale.to_array().map(f32::to_bits))
    };
    bits(one) == bits(other)
}

impl SameBits for Velocity {
    fn same_bits(&self, other: &Self) -> bool {
        self.0.same_bits(&other.0)
    }
}

impl SameBits for Swept {
    fn same_bits(&self, other: &Self) -> bool {
        self.last().same_bits(&other.last())
    }
}

impl SameBits for Rider {
    fn same_bits(&self, other: &Self) -> bool {
        let velocity = |rider: &Self| rider.platform_velocity;
        self.on_leave == other.on_leave && velocity(self).same_bits(&velocity(other))
    }
}

impl SameBits for Meeting {
    fn same_bits(&self, other: &Self) -> bool {
        self.slots == other.slots
            && self.normal.same_bits(&other.normal)
            && self.depth.same_bits(&other.depth)
            && self.point.same_bits(&other.point)
            && self.time.same_bits(&other.time)
    }
}
