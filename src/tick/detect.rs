//! Broad phase and kernel: which slots collide.

use bevy::ecs::{
    prelude::{Res, ResMut},
    system::Local,
};

use crate::{
    placed::{Meeting, meet},
    settings::CollisionSettings,
    state::{candidates::Candidates, colliders::Colliders, contacts::Contacts, rules::may_collide},
};

/// Fills `Contacts::found` with every pair that collides where it is now, and with what has only just let go.
pub(crate) fn detect_contacts(
    mut colliders: ResMut<Colliders>,
    settings: Res<CollisionSettings>,
    mut contacts: ResMut<Contacts>,
    mut candidates: ResMut<Candidates>,
    mut resting: Local<Vec<Meeting>>,
) {
    candidates.settle(&mut colliders);
    contacts.found.clear();
    candidates.find(&colliders, settings.touching, &mut contacts.found);
    find_in_rooms(&colliders, &settings, &mut contacts.found);
    contacts.sort_found(colliders.placed.len());
    keep_resting(&colliders, &settings, &mut contacts, &mut resting);
}

/// A room is solid everywhere else, so it is a candidate for everything; two rooms never collide.
fn find_in_rooms(colliders: &Colliders, settings: &CollisionSettings, found: &mut Vec<Meeting>) {
    for &room in colliders.rooms.members() {
        let others = [&colliders.moving, &colliders.still];
        for &other in others.iter().flat_map(|list| list.members()) {
            let slots = (room.min(other), room.max(other));
            let met = meet(
                &colliders.placed,
                &colliders.movers,
                slots,
                |a, b, offset| a.contact(b, offset, settings.touching),
            );
            found.extend(met.filter(|_| may_collide(colliders, room as usize, other as usize)));
        }
    }
}

/// Adds the pairs of the last tick that are apart by no more than the margin, so that resting contacts do not flicker.
fn keep_resting(
    colliders: &Colliders,
    settings: &CollisionSettings,
    contacts: &mut Contacts,
    resting: &mut Vec<Meeting>,
) {
    // Of NaN and 0, `max` takes the 0.
    let margin = settings.margin.max(0.0);
    if margin == 0.0 {
        return;
    }
    resting.clear();
    let mut found = contacts.found.iter().map(|found| found.slots).peekable();
    // Until `report` makes the new contacts current, the current ones are those of the last tick.
    for last in &contacts.current {
        while found.next_if(|slots| *slots < last.slots).is_some() {}
        if found.next_if(|slots| *slots == last.slots).is_some() {
            continue;
        }
        let near = meet(
            &colliders.placed,
            &colliders.movers,
            last.slots,
            |a, b, offset| a.contact_within(b, offset, margin),
        );
        // Asked last, for most have gone apart. A slot that was given back is still where it was.
        resting.extend(near.filter(|_| {
            let (a, b) = (last.slots.0 as usize, last.slots.1 as usize);
            last.is_between(colliders.traits[a].entity, colliders.traits[b].entity)
                && may_collide(colliders, a, b)
        }));
    }
    contacts.add_found(resting.iter().copied(), colliders.placed.len());
}
