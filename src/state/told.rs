//! Contacts as they are reported.

use bevy::ecs::entity::Entity;

use super::colliders::{Colliders, entity_key};
use crate::{messages::Collision, placed::Meeting};

/// Converts a contact to its public form: the collider whose entity sorts first comes first.
// Always inlined, so that the result is built in place instead of copied.
#[inline(always)]
pub(crate) fn told(found: &Meeting, colliders: &Colliders) -> Collision {
    let body = |slot: u32| colliders.body_entities[slot as usize];
    told_with(found, colliders, body)
}

/// The same for a contact that has ended, with the bodies as of the last report.
#[inline(always)]
pub(crate) fn last_collision_of(found: &Meeting, colliders: &Colliders) -> Collision {
    told_with(found, colliders, |slot| colliders.last_body(slot))
}

#[inline(always)]
fn told_with(found: &Meeting, colliders: &Colliders, body: impl Fn(u32) -> Entity) -> Collision {
    let slots = [found.slots.0, found.slots.1];
    let entities = slots.map(|slot| colliders.entities[slot as usize]);
    collision_of(found, entities, slots.map(body))
}

/// The same for a contact of these two entities, which are parts of these bodies.
#[inline(always)]
pub(crate) fn collision_of(
    found: &Meeting,
    [a, b]: [Entity; 2],
    [body_a, body_b]: [Entity; 2],
) -> Collision {
    let as_found = Collision {
        a,
        b,
        body_a,
        body_b,
        normal: found.normal,
        depth: found.depth,
        point: found.point,
        time: found.time,
    };
    if entity_key(a) < entity_key(b) {
        as_found
    } else {
        as_found.swapped()
    }
}
