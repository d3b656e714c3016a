//! The properties of a collider besides its place and outline: in full, and those asked for most often packed into a byte.

use bevy::{
    math::{Quat, Vec2, Vec3},
    transform::components::Transform,
};

use crate::{
    components::{Body, CollisionLayers},
    placed::Rank,
};

/// The properties of a collider besides its place and outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Traits {
    pub(crate) layers: CollisionLayers,
    pub(crate) sensor: bool,
    /// The direction of the one solid side; zero if all sides are solid.
    pub(crate) one_way: Vec2,
    /// One-way colliders do not stop this one.
    pub(crate) drops_through: bool,
    /// The collider ignores some others; the list is kept apart.
    pub(crate) ignores: bool,
    /// The restitution with which other bodies bounce off this collider, even if they would slide; 0 for a collider of a dynamic body.
    pub(crate) throws: f32,
}

impl Traits {
    /// The traits of a slot without a collider: nothing collides with it.
    pub(super) const VACANT: Self = Self {
        layers: CollisionLayers::NONE,
        sensor: true,
        one_way: Vec2::ZERO,
        drops_through: false,
        ignores: false,
        throws: 0.0,
    };
}

/// How a `Transform` rotates and scales a collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Posture {
    pub(crate) rotation: Quat,
    pub(crate) scale: Vec3,
}

impl Posture {
    pub(super) const UPRIGHT: Self = Self {
        rotation: Quat::IDENTITY,
        scale: Vec3::ONE,
    };

    pub(crate) fn of(transform: &Transform) -> Self {
        Self {
            rotation: transform.rotation,
            scale: transform.scale,
        }
    }

    /// Neither rotated nor scaled.
    #[inline]
    pub(crate) fn is_upright(&self) -> bool {
        *self == Self::UPRIGHT
    }
}

/// The properties of a collider that are asked for first, packed into a byte: those of all colliders lie close together in memory, unlike the traits. They decide for most pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ColliderFlags(u8);

impl From<Rank> for Body {
    fn from(rank: Rank) -> Self {
        match rank {
            Rank::Dynamic => Self::Dynamic,
            Rank::Kinematic => Self::Kinematic,
            Rank::Static => Self::Static,
        }
    }
}

/// Bits for the rank.
const RANK: u8 = 0b11;
const IS_PLAIN: u8 = 1 << 2;
const IS_SENSOR: u8 = 1 << 3;
const IS_ONE_WAY: u8 = 1 << 4;
const IS_CENTERED: u8 = 1 << 5;
const IS_UPRIGHT: u8 = 1 << 6;
const THROWS: u8 = 1 << 7;

/// The bit, if it is set.
const fn bit(bit: u8, is_set: bool) -> u8 {
    if is_set { bit } else { 0 }
}

impl ColliderFlags {
    pub(crate) const VACANT: Self = Self(Rank::Static as u8 | IS_SENSOR);

    /// Packs the properties of a collider whose body has this rank; `is_own_body` tells whether the collider is its own body.
    #[inline]
    pub(super) fn new(rank: Rank, traits: &Traits, is_own_body: bool) -> Self {
        let is_plain = traits.layers == CollisionLayers::DEFAULT && is_own_body && !traits.ignores;
        Self(
            rank as u8
                | bit(IS_PLAIN, is_plain)
                | bit(IS_SENSOR, traits.sensor)
                | bit(IS_ONE_WAY, traits.one_way != Vec2::ZERO)
                | bit(THROWS, traits.throws > 0.0),
        )
    }

    /// Adds how a collider without a parent lies relative to its entity.
    #[inline]
    pub(super) fn of_root(self, is_centered: bool, is_upright: bool) -> Self {
        Self(self.0 | bit(IS_CENTERED, is_centered) | bit(IS_UPRIGHT, is_upright))
    }

    /// Returns the rank of its body.
    #[inline]
    pub(crate) fn rank(self) -> Rank {
        match self.0 & RANK {
            0 => Rank::Dynamic,
            1 => Rank::Kinematic,
            _ => Rank::Static,
        }
    }

    #[inline]
    pub(crate) fn is_static(self) -> bool {
        self.rank() == Rank::Static
    }

    /// Whether the collider is on the default layers, is its own body, and ignores nothing: no rule forbids two plain colliders to collide.
    #[inline]
    pub(crate) fn is_plain(self) -> bool {
        self.0 & IS_PLAIN != 0
    }

    /// Whether the collider only reports, and never stops or pushes.
    #[inline]
    pub(crate) fn is_sensor(self) -> bool {
        self.0 & IS_SENSOR != 0
    }

    /// Whether only one side of the collider is solid.
    #[inline]
    pub(crate) fn is_one_way(self) -> bool {
        self.0 & IS_ONE_WAY != 0
    }

    /// Whether bodies that hit the collider are thrown back.
    #[inline]
    pub(crate) fn throws(self) -> bool {
        self.0 & THROWS != 0
    }

    /// Whether the collider, of an entity without a parent, is centered on the position of its `Transform` as long as rotation and scale do not change.
    #[inline]
    pub(crate) fn is_centered(self) -> bool {
        self.0 & IS_CENTERED != 0
    }

    /// Whether the `Transform` of the collider, of an entity without a parent, neither rotates nor scales it.
    #[inline]
    pub(crate) fn is_upright(self) -> bool {
        self.0 & IS_UPRIGHT != 0
    }
}
