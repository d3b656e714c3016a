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
    let entity = |slot: u32| colliders.entities[slot as usize];
    let (first, second) = found.slots;
    let as_found = Collision {
        a: entity(first),
        b: entity(second),
        body_a: body(first),
        body_b: body(second),
        normal: found.normal,
        depth: found.depth,
        point: found.point,
        time: found.time,
    };
    if entity_key(as_found.a) < entity_key(as_found.b) {
        as_found
    } else {
        as_found.swapped()
    }
}
