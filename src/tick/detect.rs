//! Broad phase and kernel: which slots collide.

use bevy::ecs::{
    prelude::{Res, ResMut},
    system::Local,
};

use crate::{
    broad_phase::{BroadPhase, Extent},
    components::Body,
    placed::meet,
    settings::CollisionSettings,
    state::{colliders::Colliders, contacts::Contacts, rules::may_collide},
};

/// Buffers that are kept from tick to tick.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    broad_phase: BroadPhase,
    extents: Vec<Extent>,
    pairs: Vec<(u32, u32)>,
}

/// Fills `Contacts::found` with every pair that collides where it is now, and with what has only just let go.
pub(crate) fn detect_contacts(
    colliders: Res<Colliders>,
    settings: Res<CollisionSettings>,
    mut contacts: ResMut<Contacts>,
    mut buffers: Local<Buffers>,
) {
    let Buffers {
        broad_phase,
        extents,
        pairs,
    } = &mut *buffers;
    extents.clear();
    extents.extend(colliders.extents());
    broad_phase.find_pairs(extents, pairs);
    pair_with_bounds(&colliders, pairs);

    let contacts = &mut *contacts;
    contacts.found.clear();
    for &(a, b) in &*pairs {
        let (i, j) = (a as usize, b as usize);
        if may_collide(&colliders, i, j) {
            let met = meet(
                &colliders.placed,
                &colliders.movers,
                (a, b),
                |a, b, offset| a.contact(b, offset, settings.touching),
            );
            contacts.found.extend(met);
        }
    }
    contacts.sort_found();
    keep_resting(&colliders, &settings, contacts);
}

/// A room is solid everywhere else, so it is a candidate for whatever moves. Two rooms are not.
fn pair_with_bounds(colliders: &Colliders, pairs: &mut Vec<(u32, u32)>) {
    let is_bounds = |slot: &usize| colliders.placed[*slot].is_bounds();
    for bounds in (0..colliders.placed.len()).filter(is_bounds) {
        for other in (0..colliders.placed.len()).filter(|slot| !is_bounds(slot)) {
            let both_still = colliders.traits[bounds].body == Body::Static
                && colliders.traits[other].body == Body::Static;
            if !both_still {
                pairs.push((bounds.min(other) as u32, bounds.max(other) as u32));
            }
        }
    }
}

/// Adds the pairs of the last tick that are apart by no more than the margin, so that resting contacts do not flicker.
fn keep_resting(colliders: &Colliders, settings: &CollisionSettings, contacts: &mut Contacts) {
    // Of NaN and 0, `max` takes the 0.
    let margin = settings.margin.max(0.0);
    if margin == 0.0 {
        return;
    }
    let by_detection = contacts.found.len();
    // Until `report` makes the new contacts current, the current ones are those of the last tick.
    for last in &contacts.current {
        let (Some(i), Some(j)) = (colliders.slot(last.a), colliders.slot(last.b)) else {
            continue;
        };
        let slots = (i as u32, j as u32);
        let is_found = contacts.found[..by_detection]
            .binary_search_by_key(&slots, |found| found.slots)
            .is_ok();
        if is_found || !may_collide(colliders, i, j) {
            continue;
        }
        let resting = meet(
            &colliders.placed,
            &colliders.movers,
            slots,
            |a, b, offset| a.contact_within(b, offset, margin),
        );
        contacts.found.extend(resting);
    }
    contacts.sort_found();
}
