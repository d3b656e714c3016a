//! Do these two collide? Asked in one place, so that every stage gives the same answer.

use crate::{
    components::Body,
    state::colliders::{Colliders, Traits},
};

/// Whether two slots may collide at all, wherever they are.
pub(crate) fn may_collide(colliders: &Colliders, a: usize, b: usize) -> bool {
    let (one, other) = (&colliders.traits[a], &colliders.traits[b]);
    one.layers.interacts_with(other.layers)
        && !(one.body == Body::Static && other.body == Body::Static)
        && colliders.placed[a].body != colliders.placed[b].body
}

/// Whether two slots that collide push each other: nothing is a sensor, and something can move.
pub(crate) fn may_push(colliders: &Colliders, a: usize, b: usize) -> bool {
    let is_dynamic = |traits: &Traits| traits.body == Body::Dynamic;
    let (one, other) = (&colliders.traits[a], &colliders.traits[b]);
    !one.sensor
        && !other.sensor
        && (is_dynamic(one) || is_dynamic(other))
        && may_collide(colliders, a, b)
}
