//! What a tick leaves for later, whether or not it pushes or reports anything: its contacts; where each `Swept` body is, for the next sweep; and the poses of parents, for a `Mover` and the pushes that it makes.

use bevy::{
    ecs::{
        entity::Entity,
        prelude::{Query, Res, ResMut},
    },
    math::Vec2,
};

use crate::{
    allow_disabled::AllowDisabled,
    components::Swept,
    placed::{FLUSH, rounding},
    settings::CollisionSettings,
    state::{colliders::Colliders, contacts::Contacts, pose::Poses},
};

/// Makes the contacts of this tick the newest ones, unless its report has done so.
pub(crate) fn advance_untold(
    mut contacts: ResMut<Contacts>,
    colliders: Res<Colliders>,
    settings: Res<CollisionSettings>,
) {
    if !contacts.take_told() {
        contacts.advance(&colliders, settings.upwards());
    }
}

/// Notes the poses of all parents of bodies, now that everything has moved: a `Mover` of the game moves those bodies in these spaces.
pub(crate) fn note_spaces(mut colliders: ResMut<Colliders>, poses: Poses) {
    colliders.note_spaces(|body| poses.parent(body), |parent| poses.affine(parent));
}

/// Notes where the tick has left each `Swept` body. A body that was teleported during the tick is elsewhere: its next tick begins at its place then.
pub(crate) fn note_swept(
    colliders: Res<Colliders>,
    mut bodies: Query<(Entity, &mut Swept), AllowDisabled>,
    poses: Poses,
) {
    for (entity, mut swept) in &mut bodies {
        let slot = colliders.body_slot_of(entity);
        let own = slot.filter(|&slot| colliders.is_own_body(slot));
        let Some(slot) = own else {
            // It takes no part, or is a part of another body. Once it is a body of its own, its sweep begins at its place then.
            if swept.last().is_some() {
                swept.teleport();
            }
            continue;
        };
        let place = colliders.body_states[slot].position;
        let read = || {
            poses
                .global(entity)
                .map(|pose| pose.translation().truncate())
        };
        let has_same_place = |there: &Vec2| is_same_place(*there, place);
        // Below a parent, the next tick reads a place that is rounded in another way, which is no motion of the game's.
        let is_rounded = poses.parent(entity).is_some();
        let left_at = is_rounded.then(read).flatten().filter(has_same_place);
        let left_at = left_at.unwrap_or(place);
        match swept.last() {
            Some(last) if last == left_at => {}
            None if read().is_some_and(|there| !has_same_place(&there)) => {}
            _ => swept.leave_at(left_at),
        }
    }
}

/// Whether two positions may be the same: below parents that are turned or scaled, a position is known only nearly.
fn is_same_place(one: Vec2, other: Vec2) -> bool {
    (one - other).abs().max_element() <= FLUSH.max(rounding(one, other))
}
