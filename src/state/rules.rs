//! Do these two collide? Asked in one place, so that every stage gives the same answer.

use bevy::math::Vec2;

use crate::{components::CollisionLayers, placed::Rank, state::colliders::Colliders};

/// The cosine of the angle between a one-way direction and the normals that face it: less than half a right angle.
const FACING: f32 = 0.71;

/// What is asked of each side first, and answers for most pairs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Party {
    is_static: bool,
    /// On the default layers and its own body: among its like, neither forbids anything.
    is_plain: bool,
}

impl Party {
    pub(crate) const NOBODY: Self = Self {
        is_static: true,
        is_plain: false,
    };

    /// Whether it is known for sure that it is the collider of its own body.
    #[inline]
    pub(crate) fn is_own_body(self) -> bool {
        self.is_plain
    }

    #[inline]
    pub(crate) fn new(colliders: &Colliders, slot: usize) -> Self {
        let body = colliders.placed[slot].body as usize;
        Self {
            is_static: colliders.movers[body].rank == Rank::Static,
            is_plain: colliders.traits[slot].layers == CollisionLayers::DEFAULT && body == slot,
        }
    }
}

/// Whether two slots may collide at all.
#[inline]
pub(crate) fn may_collide(colliders: &Colliders, a: usize, b: usize) -> bool {
    let party = |slot| Party::new(colliders, slot);
    parties_may_collide(colliders, (a, party(a)), (b, party(b)))
}

/// The same for slots whose parties are at hand.
#[inline]
pub(crate) fn parties_may_collide(
    colliders: &Colliders,
    (a, party_a): (usize, Party),
    (b, party_b): (usize, Party),
) -> bool {
    if party_a.is_static && party_b.is_static {
        return false;
    }
    if party_a.is_plain && party_b.is_plain {
        return true;
    }
    let (layers_a, layers_b) = (colliders.traits[a].layers, colliders.traits[b].layers);
    layers_a.interacts_with(layers_b) && colliders.placed[a].body != colliders.placed[b].body
}

/// Whether two slots that collide push each other: nothing is a sensor, all sides are solid, and something can move.
#[inline]
pub(crate) fn may_push(colliders: &Colliders, a: usize, b: usize) -> bool {
    let is_one_way = |slot: usize| colliders.traits[slot].one_way != Vec2::ZERO;
    !is_one_way(a) && !is_one_way(b) && may_stop(colliders, a, b)
}

/// Whether two slots that meet on the way stop each other, if they meet on sides that are solid.
#[inline]
pub(crate) fn may_stop(colliders: &Colliders, a: usize, b: usize) -> bool {
    let rank = |slot: usize| colliders.movers[colliders.placed[slot].body as usize].rank;
    (rank(a) == Rank::Dynamic || rank(b) == Rank::Dynamic) && are_solid(colliders, a, b)
}

/// Whether two slots may collide, and neither only reports.
#[inline]
pub(crate) fn are_solid(colliders: &Colliders, a: usize, b: usize) -> bool {
    !colliders.traits[a].sensor && !colliders.traits[b].sensor && may_collide(colliders, a, b)
}

/// Whether who meets `wall` on a side with this normal meets its solid side.
pub(crate) fn is_solid_side(colliders: &Colliders, wall: usize, who: usize, normal: Vec2) -> bool {
    let direction = colliders.traits[wall].one_way;
    direction == Vec2::ZERO
        || (!colliders.traits[who].drops_through && direction.dot(normal) > FACING)
}
