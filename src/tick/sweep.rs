//! Velocities into places.

mod board;
mod leave;

use bevy::{
    ecs::{
        entity::{Entity, EntityHashSet},
        prelude::{Or, Query, Res, ResMut, With},
        query::QueryData,
        system::Local,
    },
    math::Vec2,
    time::Time,
};
use tracing::warn;

use self::{board::Boarding, leave::leave_platforms};
use crate::{
    components::{Response, Rider, Swept, Velocity},
    kernel::is_in_world,
    placed::{Mover, Rank},
    settings::CollisionSettings,
    state::{
        candidates::{Candidates, Still},
        colliders::Colliders,
        contacts::Contacts,
        pose::Places,
        rules::{may_collide, may_stop, meet_solid_sides},
    },
    sweep::{Rules, Scene, Sweep, Traveller},
};

/// Buffers that are kept from tick to tick.
#[derive(Default)]
pub(crate) struct Buffers {
    sweep: Sweep,
    movers: Vec<Mover>,
    travellers: Vec<Traveller>,
    boarding: Boarding,
    /// Slots of what is swept, and where it was.
    starts: Vec<(usize, Vec2)>,
    /// Riders, and the numbers of their travellers.
    riders: Vec<(Entity, usize)>,
    /// Whose velocity is not finite, and has been warned of.
    refused: EntityHashSet,
}

/// What moves, and how.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Moving {
    entity: Entity,
    velocity: Option<&'static mut Velocity>,
    swept: Option<&'static Swept>,
    response: Option<&'static Response>,
    rider: Option<&'static mut Rider>,
}

/// Whoever is moved by the plugin.
type IsMoved = Or<(With<Velocity>, With<Swept>)>;

/// Notes where the tick has left what is swept.
pub(crate) fn leave_swept(colliders: Res<Colliders>, mut bodies: Query<(Entity, &mut Swept)>) {
    for (entity, mut swept) in &mut bodies {
        if let Some(slot) = colliders.body_slot_of(entity) {
            let place = colliders.movers[slot].position;
            if swept.last() != Some(place) {
                swept.leave_at(place);
            }
        }
    }
}

/// Moves every body that has a [`Velocity`], and notes what it met on its way.
pub(crate) fn sweep_bodies(
    (time, settings): (Option<Res<Time>>, Res<CollisionSettings>),
    mut colliders: ResMut<Colliders>,
    mut contacts: ResMut<Contacts>,
    mut candidates: ResMut<Candidates>,
    mut bodies: Query<Moving, IsMoved>,
    mut places: Places,
    mut buffers: Local<Buffers>,
) {
    contacts.on_the_way.clear();
    let seconds = time.map_or(0.0, |time| time.delta_secs());
    if bodies.is_empty() {
        return;
    }
    let Buffers {
        sweep,
        movers,
        travellers,
        boarding,
        starts,
        riders,
        refused,
    } = &mut *buffers;
    travellers.clear();
    starts.clear();
    riders.clear();
    let mut is_somebody_aboard = false;
    for moving in &bodies {
        let entity = moving.entity;
        let velocity = moving.velocity.map_or(Vec2::ZERO, |velocity| velocity.0);
        let way = velocity * seconds;
        if !is_in_world(way) {
            if refused.insert(entity) {
                warn!(
                    "{entity} does not move until its Velocity is finite and leads at most 1e18 units a tick, got {velocity}"
                );
            }
            continue;
        }
        refused.remove(&entity);
        match colliders.body_slot_of(entity) {
            Some(slot) => {
                let Some(mut traveller) = traveller(&colliders, slot, way, moving.response) else {
                    continue;
                };
                let now = colliders.movers[slot].position;
                if let Some(last) = moving
                    .swept
                    .and_then(Swept::last)
                    .filter(|last| *last != now)
                {
                    traveller.goal = (way == Vec2::ZERO).then_some(now);
                    traveller.velocity += now - last;
                    starts.push((slot, last));
                }
                if let Some(rider) = moving.rider {
                    riders.push((entity, travellers.len()));
                    is_somebody_aboard |= rider.platform_velocity != Vec2::ZERO;
                }
                travellers.push(traveller);
            }
            // Nothing of it collides, so nothing is in its way.
            None if way != Vec2::ZERO => places.move_by(entity, way),
            None => {}
        }
    }
    if travellers.is_empty() {
        return;
    }

    let up = settings.up.normalize_or_zero();
    boarding.board(&colliders, &contacts, up, travellers, is_somebody_aboard);
    // In no time nobody gets anywhere, and nobody leaves.
    if seconds > 0.0 {
        leave_platforms(riders, &mut bodies, travellers, boarding, (up, seconds));
    }
    candidates.settle(&mut colliders);
    movers.clone_from(&colliders.movers);
    for &(slot, last) in &*starts {
        movers[slot].position = last;
    }
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
        is_stopped: &|own, other, impact| {
            may_stop(&colliders, own, other) && meet_solid_sides(&colliders, own, other, impact)
        },
    };
    sweep.run(&mut scene, &rules, travellers.drain(..));
    contacts.on_the_way.extend_from_slice(sweep.hits());
    boarding.land(&colliders, sweep, up);

    for traveller in sweep.travellers() {
        let slot = traveller.body as usize;
        let entity = colliders.entities[slot];
        let (from, to) = (colliders.movers[slot].position, movers[slot].position);
        if to != from {
            colliders.movers[slot].position = to;
            places.move_to(entity, from, to);
        }
        // In no time there is no velocity to tell from a way.
        if traveller.was_hit
            && seconds > 0.0
            && let Ok(moving) = bodies.get_mut(entity)
            && let Some(mut velocity) = moving.velocity
        {
            let mut left = traveller.velocity;
            if let Some(along) = boarding.landed_on(traveller.body) {
                left -= up * left.dot(up);
                if let Some(mut rider) = moving.rider {
                    rider.platform_velocity = along / seconds;
                }
            }
            let by_itself = velocity.0 * seconds;
            let way = match moving.swept.and_then(Swept::last) {
                None => left,
                // What the game did is over; of the rest as much is lost as of all.
                Some(_) => keep_part(by_itself, left),
            };
            velocity.0 = after(velocity.0, way, seconds);
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
        ..Traveller::standing(slot as u32)
    })
}

/// What is left of a part of a way that has become another: on each axis as much as of the whole, but neither more nor turned.
fn keep_part(part: Vec2, after: Vec2) -> Vec2 {
    let axis = |part: f32, after: f32| {
        if part > 0.0 {
            after.clamp(0.0, part)
        } else {
            after.clamp(part, 0.0)
        }
    };
    Vec2::new(axis(part.x, after.x), axis(part.y, after.y))
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
