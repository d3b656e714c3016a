//! Velocities into places.

use bevy::{
    ecs::{
        entity::{Entity, EntityHashSet},
        prelude::{Query, Res, ResMut},
        system::Local,
    },
    math::Vec2,
    time::Time,
};
use tracing::warn;

use crate::{
    components::{Response, Velocity},
    placed::{Mover, Rank},
    state::{
        candidates::{Candidates, Still},
        colliders::Colliders,
        contacts::Contacts,
        pose::Places,
        rules::{may_collide, may_push},
    },
    sweep::{Rules, Scene, Sweep, Traveller},
};

/// Buffers that are kept from tick to tick.
#[derive(Default)]
pub(crate) struct Buffers {
    sweep: Sweep,
    movers: Vec<Mover>,
    travellers: Vec<Traveller>,
    /// Whose velocity is not finite, and has been warned of.
    refused: EntityHashSet,
}

/// Moves every body that has a [`Velocity`], and notes what it met on its way.
pub(crate) fn sweep_bodies(
    time: Option<Res<Time>>,
    mut colliders: ResMut<Colliders>,
    mut contacts: ResMut<Contacts>,
    mut candidates: ResMut<Candidates>,
    mut velocities: Query<(Entity, &mut Velocity, Option<&Response>)>,
    mut places: Places,
    mut buffers: Local<Buffers>,
) {
    contacts.on_the_way.clear();
    let seconds = time.map_or(0.0, |time| time.delta_secs());
    if seconds == 0.0 || velocities.is_empty() {
        return;
    }
    let Buffers {
        sweep,
        movers,
        travellers,
        refused,
    } = &mut *buffers;
    travellers.clear();
    for (entity, velocity, response) in &velocities {
        let way = velocity.0 * seconds;
        if !way.is_finite() {
            if refused.insert(entity) {
                warn!(
                    "{entity} does not move until its Velocity is finite, got {}",
                    velocity.0
                );
            }
            continue;
        }
        refused.remove(&entity);
        match colliders.body_slot_of(entity) {
            Some(slot) => travellers.extend(traveller(&colliders, slot, way, response)),
            // Nothing of it collides, so nothing is in its way.
            None => places.move_by(entity, way),
        }
    }
    if travellers.is_empty() {
        return;
    }

    candidates.settle(&mut colliders);
    movers.clone_from(&colliders.movers);
    let mut scene = Scene {
        movers,
        placed: &colliders.placed,
        moving: colliders.moving.members(),
        rooms: colliders.rooms.members(),
        children: colliders.children.members(),
        still: &Still {
            candidates: &candidates,
            colliders: &colliders,
        },
    };
    let rules = Rules {
        may_collide: &|a, b| may_collide(&colliders, a, b),
        may_push: &|a, b| may_push(&colliders, a, b),
    };
    sweep.run(&mut scene, &rules, travellers.drain(..));
    contacts.on_the_way.extend_from_slice(sweep.hits());

    for traveller in sweep.travellers() {
        let slot = traveller.body as usize;
        let entity = colliders.entities[slot];
        let (from, to) = (colliders.movers[slot].position, movers[slot].position);
        if to != from {
            colliders.movers[slot].position = to;
            places.move_to(entity, from, to);
        }
        if traveller.was_hit
            && let Ok((_, mut velocity, _)) = velocities.get_mut(entity)
        {
            velocity.0 = after(velocity.0, traveller.velocity, seconds);
        }
    }
}

/// A body that its velocity moves: neither static, nor a part of another body.
fn traveller(
    colliders: &Colliders,
    slot: usize,
    velocity: Vec2,
    response: Option<&Response>,
) -> Option<Traveller> {
    let is_own = colliders.placed[slot].body as usize == slot;
    let is_still = colliders.movers[slot].rank == Rank::Static;
    (is_own && !is_still).then_some(Traveller {
        body: slot as u32,
        velocity,
        response: response.copied().unwrap_or_default(),
        was_hit: false,
    })
}

/// A velocity by what is left of the way. What has not changed keeps its bits, for a division does not take back what a multiplication rounded.
fn after(before: Vec2, way: Vec2, seconds: f32) -> Vec2 {
    let part = |before: f32, way: f32| {
        if way == before * seconds {
            before
        } else if way == -before * seconds {
            -before
        } else {
            way / seconds
        }
    };
    Vec2::new(part(before.x, way.x), part(before.y, way.y))
}
