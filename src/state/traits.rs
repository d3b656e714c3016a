//! What is known of a collider beside its place and outline: in full, and, of what is asked most, in short.

use bevy::{
    math::{Quat, Vec2, Vec3},
    transform::components::Transform,
};

use crate::{components::CollisionLayers, placed::Rank};

/// What is known of a collider beside its place and outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Traits {
    pub(crate) layers: CollisionLayers,
    pub(crate) sensor: bool,
    /// The direction of its one solid side; zero if all are.
    pub(crate) one_way: Vec2,
    /// One-way colliders do not stop it.
    pub(crate) drops_through: bool,
    /// There are some that it does not collide with: a list of its own, beside these.
    pub(crate) ignores: bool,
    /// How much of its speed what comes against it is thrown back with: 0 for what gives way itself.
    pub(crate) throws: f32,
}

impl Traits {
    /// What a slot without a collider has: nothing collides with it.
    pub(super) const NOBODY: Self = Self {
        layers: CollisionLayers::NONE,
        sensor: true,
        one_way: Vec2::ZERO,
        drops_through: false,
        ignores: false,
        throws: 0.0,
    };
}

/// How a `Transform` turns and scales what is there.
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

    /// Neither turned nor scaled.
    #[inline]
    pub(crate) fn is_upright(&self) -> bool {
        *self == Self::UPRIGHT
    }
}

/// What is asked of a collider first, in a byte: all of these lie near, where the rest of what is known does not. It answers for most pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Party(u8);

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

impl Party {
    pub(crate) const NOBODY: Self = Self(Rank::Static as u8 | IS_SENSOR);

    /// Of a collider whose body has this rank, and is its own or another one.
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

    /// The same of one whose entity is nobody's child, and how it lies there.
    #[inline]
    pub(super) fn of_root(self, is_centered: bool, is_upright: bool) -> Self {
        Self(self.0 | bit(IS_CENTERED, is_centered) | bit(IS_UPRIGHT, is_upright))
    }

    /// Of its body.
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

    /// On the default layers, its own body, and ignoring nobody: among its like, nothing forbids anything.
    #[inline]
    pub(crate) fn is_plain(self) -> bool {
        self.0 & IS_PLAIN != 0
    }

    /// It only reports.
    #[inline]
    pub(crate) fn is_sensor(self) -> bool {
        self.0 & IS_SENSOR != 0
    }

    /// Only one side of it is solid.
    #[inline]
    pub(crate) fn is_one_way(self) -> bool {
        self.0 & IS_ONE_WAY != 0
    }

    /// What comes against it is thrown back.
    #[inline]
    pub(crate) fn throws(self) -> bool {
        self.0 & THROWS != 0
    }

    /// Wherever its `Transform` says, there is the collider, as long as it is neither turned nor scaled anew.
    #[inline]
    pub(crate) fn is_centered(self) -> bool {
        self.0 & IS_CENTERED != 0
    }

    /// It is neither turned nor scaled at all.
    #[inline]
    pub(crate) fn is_upright(self) -> bool {
        self.0 & IS_UPRIGHT != 0
    }
}
