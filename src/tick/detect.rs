//! Broad phase and kernel: which slots collide.

use bevy::{
    ecs::{prelude::World, system::Local},
    math::Vec2,
};
use tracing::debug_span;

use crate::{
    kernel::{Outline, normal_in_corner},
    placed::{Sighting, pair_of, rounding_along},
    settings::CollisionSettings,
    state::{
        colliders::Colliders, resting::Resting, rules::may_collide, tick_state::TickState,
        verdicts::Filters,
    },
    tick::seams::Seams,
};

/// Fills `Contacts::found` with every pair that collides at its current position, and every pair that has only just separated.
pub(crate) fn detect_contacts(
    world: &mut World,
    mut in_rooms: Local<Vec<Sighting>>,
    mut seams: Local<Seams>,
) {
    let _span = debug_span!("detect").entered();
    TickState::lend(world, |world, state| {
        let TickState {
            colliders,
            candidates,
            contacts,
            newcomers,
        } = state;
        let settings = world.resource::<CollisionSettings>();
        let (touching, margin) = (settings.touching, settings.margin());
        candidates.settle(colliders, 0);
        let resting = Resting {
            colliders,
            touching,
            margin,
        };
        let found = candidates.find(colliders, touching, resting.reach());
        newcomers.end_detection();
        in_rooms.clear();
        find_in_rooms(&resting, &mut in_rooms);
        contacts.begin();
        contacts.find(found, &in_rooms, &resting);
        let filters = Filters::new(world);
        if !filters.is_empty() {
            contacts.filter(colliders, &filters);
        }
        contacts.add_on_the_way(colliders);
        seams.smooth(colliders, contacts, margin);
    });
}

/// Finds the contacts of rooms. A room is solid everywhere outside of it, so any collider may meet it; two rooms never collide.
fn find_in_rooms(resting: &Resting, found: &mut Vec<Sighting>) {
    let colliders = resting.colliders;
    for &room in colliders.rooms.members() {
        // Two static colliders never collide.
        let still = if colliders.flags[room as usize].is_static() {
            &[]
        } else {
            colliders.still.members()
        };
        let others = colliders.moving.members().iter().chain(still);
        let others = others.filter(|&&other| may_collide(colliders, room as usize, other as usize));
        for &other in others {
            let seen = resting.see(pair_of(room, other));
            found.extend(seen.map(|seen| in_corner(colliders, room, seen)));
        }
    }
}

/// Gives a collider in a corner of a room the normal between both walls.
fn in_corner(colliders: &Colliders, room: u32, mut seen: Sighting) -> Sighting {
    let Colliders {
        placed,
        body_states,
        ..
    } = colliders;
    let (first, second) = seen.meeting.slots;
    let other = if room == first { second } else { first };
    let [room_placed, other_placed] = [room, other].map(|slot| &placed[slot as usize]);
    if let (Outline::Bounds(half_size), Outline::Shape(shape)) =
        (room_placed.outline, other_placed.outline)
    {
        let [room_center, center] =
            [room_placed, other_placed].map(|placed| placed.center(body_states));
        let rounding = [Vec2::X, Vec2::Y].map(|axis| rounding_along(room_center, center, axis));
        let offset = center - room_center;
        if let Some(normal) = normal_in_corner(half_size, shape, offset, rounding.into()) {
            seen.meeting.normal = if room == first { normal } else { -normal };
        }
    }
    seen
}
