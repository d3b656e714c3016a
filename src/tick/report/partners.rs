//! Fills `CollidingWith`: the components that list which colliders collide with which.

use bevy::ecs::{
    entity::Entity,
    hierarchy::Children,
    prelude::{Query, Res, ResMut, World},
    system::Local,
};

use crate::{
    allow_disabled::AllowDisabled,
    components::{CollidingWith, EnabledCollider, Leavers},
    state::{
        colliders::{Colliders, entity_key},
        contacts::Contacts,
    },
};

/// Buffers that are kept from tick to tick.
#[derive(Default)]
pub(crate) struct Buffers {
    /// All descendants of one entity.
    family: Vec<Entity>,
    partners: Vec<Entity>,
}

/// Fills the lists of the entities that have one.
pub(crate) fn write_partners(
    colliders: Res<Colliders>,
    contacts: Res<Contacts>,
    mut lists: Query<(Entity, &mut CollidingWith), AllowDisabled>,
    (alive, mut leavers): (Query<(), EnabledCollider>, ResMut<Leavers>),
    families: Query<&Children, AllowDisabled>,
    mut buffers: Local<Buffers>,
) {
    let is_needed = !lists.is_empty();
    leavers.listener = is_needed.then_some(forget_partner);
    if !is_needed {
        return;
    }
    let Buffers { family, partners } = &mut *buffers;
    let is_there = |entity: &Entity| {
        // A collider that was removed in the middle of the tick still has contacts in that tick, but is not listed.
        !leavers.has_left(*entity) || alive.contains(*entity)
    };
    for (entity, mut list) in &mut lists {
        partners.clear();
        for slot in colliders.colliders_of(&families, entity, &mut *family) {
            if is_there(&colliders.entities[slot]) {
                let met = contacts.of(slot).map(|meeting| {
                    let (a, b) = meeting.slots;
                    colliders.entities[if a as usize == slot { b } else { a } as usize]
                });
                partners.extend(met.filter(is_there));
            }
        }
        partners.sort_unstable_by_key(|partner| entity_key(*partner));
        partners.dedup();
        if **list != partners[..] {
            list.set(partners);
        }
    }
}

/// Takes a collider that is gone out of all lists at once.
fn forget_partner(world: &mut World, gone: Entity) {
    let (Some(colliders), Some(contacts)) = (
        world.get_resource::<Colliders>(),
        world.get_resource::<Contacts>(),
    ) else {
        return;
    };
    let Some(slot) = colliders.slot(gone) else {
        return;
    };
    let partners: Vec<Entity> = contacts
        .of(slot)
        .flat_map(|meeting| [meeting.slots.0, meeting.slots.1])
        .filter(|partner| *partner as usize != slot)
        .flat_map(|partner| {
            let partner = partner as usize;
            [
                colliders.entities[partner],
                colliders.body_entities[partner],
            ]
        })
        .collect();
    for partner in partners {
        let list = world.get_mut::<CollidingWith>(partner);
        if let Some(mut list) = list.filter(|list| list.contains(gone)) {
            list.remove(gone);
        }
    }
}
