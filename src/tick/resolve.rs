//! Contacts into corrections, and those into `Transform`s.

use bevy::{
    ecs::{
        prelude::{Query, Res, ResMut},
        system::{Local, ParamSet},
    },
    math::{Affine3A, Vec2},
    transform::components::Transform,
};

use crate::{
    placed::{Mover, Rank},
    push_out::PushOut,
    settings::CollisionSettings,
    state::{
        candidates::{Candidates, Still},
        colliders::Colliders,
        contacts::Contacts,
        pose::Poses,
        rules::may_push,
    },
};

/// Pushes apart what overlaps, adds the contacts that pushing brought about, and writes what has moved.
pub(crate) fn resolve_contacts(
    mut colliders: ResMut<Colliders>,
    mut contacts: ResMut<Contacts>,
    candidates: Res<Candidates>,
    settings: Res<CollisionSettings>,
    mut spaces: ParamSet<(Poses, Query<&mut Transform>)>,
    mut push_out: Local<PushOut>,
    mut pushed: Local<Vec<Mover>>,
) {
    if colliders.pushable.members().is_empty() {
        return;
    }
    let overlapping = contacts.found.iter().any(|found| {
        let (a, b) = found.slots;
        found.depth > 0.0 && may_push(&colliders, a as usize, b as usize)
    });
    if !overlapping {
        return;
    }

    pushed.clone_from(&colliders.movers);
    let still = Still {
        candidates: &candidates,
        colliders: &colliders,
    };
    let outcome = push_out.run(
        &mut pushed,
        &colliders.placed,
        &still,
        |a, b| may_push(&colliders, a, b),
        settings.push_out_rounds,
    );
    contacts.add_found(outcome.met());

    for &slot in outcome.moved {
        let slot = slot as usize;
        let mover = &pushed[slot];
        let moved = mover.position - colliders.movers[slot].position;
        if mover.rank != Rank::Dynamic || moved == Vec2::ZERO {
            continue;
        }
        colliders.movers[slot] = *mover;
        let body = colliders.entities[slot];
        let parent = spaces.p0().parent_affine(body);
        if let Ok(mut transform) = spaces.p1().get_mut(body) {
            // A root takes the very bits of the position. A child's space may be turned, scaled, or flat, which has no way back.
            if parent == Affine3A::IDENTITY {
                transform.translation.x = mover.position.x;
                transform.translation.y = mover.position.y;
            } else {
                let local = parent.inverse().transform_vector3(moved.extend(0.0));
                if local.is_finite() {
                    transform.translation += local;
                }
            }
        }
    }
}
