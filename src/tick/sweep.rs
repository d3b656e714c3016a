//! Turns velocities into positions.
//!
//! ```text
//! set_out    lists what moves; puts `Swept` bodies back to where the last tick left them
//! board      finds which of them stand on a platform or a belt
//! leave      lets riders that have left one take its velocity along
//! travel     moves all of them, by `crate::sweep`; loads are put onto their decks, landings noted
//! arrive     writes `Transform`, `Velocity` and `Rider`
//! ```

mod terms;
mod record;
mod moving;
mod arrivals;
mod carry;
mod board;
mod leave;

use bevy::{
    ecs::{
        entity::Entity,
        hierarchy::Children,
        prelude::{Query, World},
        system::{Local, SystemState},
    },
    math::Vec2,
};
use tracing::debug_span;

pub(crate) use self::leave::forget_rides;
use self::{
    arrivals::Carrier,
    board::Boarding,
    leave::{Departure, aboard, find_those_aboard, leave_platforms, stay_aboard, tell_riders},
    moving::{IsMoved, Moving},
    record::{begin_paths, note_paths},
    terms::Terms,
};
use super::ways::{AnyVelocity, Ways};
use crate::{
    allow_disabled::AllowDisabled,
    components::{EnabledCollider, Swept},
    kernel::is_in_world,
    placed::Rank,
    state::{
        candidates::Still,
        colliders::{Colliders, family_of},
        places::Places,
        rules::{is_one_way, may_collide, may_stop, meet_solid_sides},
        tick_state::TickState,
        verdicts::Filters,
    },
    sweep::{Rules, Scene, Sweep, Traveller, keep_part, velocity_after},
};

/// What the sweep keeps from tick to tick: buffers, and what it has to know of the last tick.
#[derive(Default)]
pub(crate) struct SweepBuffers {
    sweep: Sweep,
    boarding: Boarding,
    /// Slots of `Swept` bodies that the game has moved, and where it put them; in the order of their travellers.
    swept: Vec<(usize, Vec2)>,
    /// Travellers without a velocity that only the game has moved: their numbers, and the exact positions at which they are to end; in the order of the numbers.
    goals: Vec<(usize, Vec2)>,
    /// Riders, and the numbers of their travellers.
    riders: Vec<(Entity, usize)>,
    departures: Vec<Departure>,
    /// Whether at least one rider was carried when the last tick ended.
    is_a_rider_aboard: bool,
    /// `Kinematic` bodies that are solid and move in this tick.
    platforms: Vec<Carrier>,
    ways: Ways,
    family: Vec<Entity>,
}

/// Which bodies move, where everything is, which entities have a collider that takes part, which have a velocity, and the children of all.
type Params<'w, 's> = (
    Query<'w, 's, Moving, IsMoved>,
    Places<'w, 's>,
    Query<'w, 's, (), EnabledCollider>,
    Query<'w, 's, (), AnyVelocity>,
    Query<'w, 's, &'static Children, AllowDisabled>,
);

/// Moves every body that has a [`Velocity`](crate::components::Velocity) or is `Swept`, and notes what it met on its way.
pub(crate) fn sweep_bodies(
    world: &mut World,
    params: &mut SystemState<Params>,
    mut buffers: Local<SweepBuffers>,
) {
    let _span = debug_span!("sweep").entered();
    TickState::lend(world, |world, state| {
        let wants_paths = begin_paths(world);
        let terms = Terms::of(world);
        buffers.set_out(world, params, &mut state.colliders, terms);
        let travellers = buffers.sweep.count();
        state.candidates.settle(&mut state.colliders, travellers);
        buffers.board(world, state, terms);
        if buffers.sweep.count() == 0 {
            state.colliders.fresh.stop();
        } else {
            buffers.leave(world, params, terms);
            buffers.sweep.keep_legs(wants_paths);
            buffers.travel(world, state, terms);
            state.colliders.fresh.begin();
            buffers.arrive(world, params, &state.colliders, terms);
        }
        if wants_paths {
            note_paths(world, state, &buffers.sweep);
        }
    });
}

impl SweepBuffers {
    /// Lists the bodies that move. A body without a collider that takes part moves at once: nothing can be in its way. A body with a collider that the tick has not seen yet waits for the next tick.
    fn set_out(
        &mut self,
        world: &mut World,
        params: &mut SystemState<Params>,
        colliders: &mut Colliders,
        Terms { seconds, .. }: Terms,
    ) {
        self.sweep.begin(colliders.body_states.len());
        self.swept.clear();
        self.goals.clear();
        self.riders.clear();
        self.departures.clear();
        self.is_a_rider_aboard = false;
        self.platforms.clear();
        let Ok((bodies, mut places, with_colliders, with_velocity, families)) =
            params.get_mut(world)
        else {
            return;
        };
        self.ways.begin(|entity| with_velocity.contains(entity));
        // `for_each` and not a loop: so the compiler reads each component where it is used, and does not copy it first.
        bodies.iter().for_each(|moving| {
            let entity = moving.entity;
            let velocity = moving.velocity.map_or(Vec2::ZERO, |velocity| velocity.0);
            let slot = colliders.body_slot_of(entity);
            // A part of another body that has no collider was moved as a group.
            if slot.is_none() && !places.is_own_body(entity) {
                return;
            }
            let way = match self.ways.of(entity, velocity, seconds) {
                Some(way) => way,
                // The velocity is invalid, but what the game did to the position is swept all the same.
                None if moving.swept.is_some() => Vec2::ZERO,
                None => return,
            };
            let Some(slot) = slot else {
                let goes = way != Vec2::ZERO && !places.is_static(entity);
                let mut is_newcomer = || {
                    family_of(&families, entity, &mut self.family).any(|part| {
                        with_colliders.contains(part)
                            && !colliders.refused.contains_key(&part)
                            && places.body_of(part) == entity
                    })
                };
                if goes && !is_newcomer() {
                    places.move_by(entity, way);
                }
                return;
            };
            if !is_mobile(colliders, slot) {
                return;
            }
            let body_state = &mut colliders.body_states[slot];
            let now = body_state.position;
            let last = moving.swept.and_then(Swept::last);
            let mut motion = way;
            if let Some(last) = last.filter(|last| *last != now) {
                if way == Vec2::ZERO {
                    self.goals.push((self.sweep.count(), now));
                }
                motion += now - last;
                // The way to the new position is swept: it begins where the last tick ended.
                body_state.position = last;
                self.swept.push((slot, now));
            }
            if let Some(rider) = moving.rider {
                self.riders.push((entity, self.sweep.count()));
                self.is_a_rider_aboard |= rider.platform_velocity != Vec2::ZERO;
            }
            let body = slot as u32;
            let traveller = Traveller {
                velocity: motion,
                response: moving.response.copied().unwrap_or_default(),
                has_motion: true,
                ..Traveller::standing(body)
            };
            self.sweep.add(traveller, body_state);
            if body_state.rank == Rank::Kinematic && motion != Vec2::ZERO {
                // A `Swept` body begins where the last tick ended, so it is not new there.
                let platform = Carrier::if_solid(colliders, body, last.is_none());
                self.platforms.extend(platform);
            }
        });
    }

    /// Lets moving platforms carry whatever stands on them.
    fn board(&mut self, world: &World, state: &TickState, terms: Terms) {
        let TickState {
            colliders,
            candidates,
            contacts,
            ..
        } = state;
        let still = Still {
            candidates,
            colliders,
        };
        let filters = Filters::new(world);
        let stops = |a, b| filters.may_stop(colliders, a, b);
        let platforms = (&self.platforms[..], self.is_a_rider_aboard);
        self.boarding
            .board(&still, contacts, &stops, terms, &mut self.sweep, platforms);
    }

    /// Lets riders leave their platforms. In a tick of zero seconds none does.
    fn leave(&mut self, world: &mut World, params: &mut SystemState<Params>, terms: Terms) {
        if terms.seconds <= 0.0 {
            return;
        }
        let Ok((mut bodies, ..)) = params.get_mut(world) else {
            return;
        };
        let Self {
            riders,
            departures,
            sweep,
            goals,
            boarding,
            ..
        } = self;
        leave_platforms(
            riders,
            &mut bodies,
            (sweep, goals),
            (&mut boarding.stands, departures),
            terms,
        );
    }

    /// Moves all travellers to where they get in this tick. Changes nothing in the world.
    fn travel(&mut self, world: &World, state: &mut TickState, terms: Terms) {
        let TickState {
            colliders,
            candidates,
            contacts,
            ..
        } = state;
        let filters = Filters::new(world);
        if !filters.is_empty() {
            // The filters may have answered otherwise in the last tick, so any collider may be in something unreported.
            colliders.fresh.stop();
        }
        // The sweep changes the positions of bodies, so nothing else may read positions until it is done.
        let mut body_states = std::mem::take(&mut colliders.body_states);
        let known = &*colliders;
        let mut passable = known.passable.members().iter();
        let are_parts_let_in = !known.children.members().is_empty()
            && passable.any(|&slot| is_one_way(known, slot as usize));
        let mut scene = Scene {
            body_states: &mut body_states,
            placed: &known.placed,
            moving: known.moving.members(),
            rooms: known.rooms.members(),
            children: known.children.members(),
            parts: known.parts.members(),
            still: &Still {
                candidates,
                colliders: known,
            },
            are_parts_let_in,
            is_fresh: &|slot| known.is_fresh(slot as usize),
        };
        let rules = Rules {
            may_collide: &|a, b| may_collide(known, a, b) && filters.allow(known, a, b),
            is_stopped: &|own, other, impact| {
                may_stop(known, own, other)
                    && meet_solid_sides(known, own, other, impact)
                    && filters.allow_stop(known, own, other)
            },
            is_one_way: &|slot| is_one_way(known, slot),
            is_untold: &|a, b| {
                let are_old = !known.is_fresh(a) && !known.is_fresh(b);
                !are_old && contacts.between(a, b).is_none()
            },
            response: &|a, b| filters.response(known, a, b),
            throws: &|slot| {
                if known.flags[slot].throws() {
                    known.traits[slot].throws
                } else {
                    0.0
                }
            },
            bounce_threshold: terms.bounce_threshold,
        };
        self.sweep.run(&mut scene, &rules, &self.goals);
        self.boarding
            .stands
            .settle(known, scene.body_states, &self.sweep);
        contacts.note_on_the_way(self.sweep.hits().iter().copied());
        // In a tick of zero seconds a distance gives no speed.
        if terms.seconds > 0.0 {
            contacts.note_approaches(terms.seconds);
        }
        colliders.body_states = body_states;
        let colliders = &*colliders;
        let stops = |a, b| filters.may_stop(colliders, a, b);
        self.boarding.land(colliders, &stops, &self.sweep, terms);
        let still = Still {
            candidates,
            colliders,
        };
        let (sweep, departures) = (&self.sweep, &mut self.departures);
        find_those_aboard(departures, (&still, contacts), sweep, &stops, terms);
    }

    /// Writes the new positions, and the velocities that are left.
    fn arrive(
        &mut self,
        world: &mut World,
        params: &mut SystemState<Params>,
        colliders: &Colliders,
        Terms { up, seconds, .. }: Terms,
    ) {
        let Ok((mut bodies, mut places, ..)) = params.get_mut(world) else {
            return;
        };
        let mut swept = self.swept.iter().peekable();
        let moves = self.sweep.travellers().filter_map(|(traveller, from)| {
            let slot = traveller.body as usize;
            let to = colliders.body_states[slot].position;
            // The game has already moved this body, so its `Transform` is not where the sweep began.
            let by_game = swept.next_if(|(one, _)| *one == slot);
            let from = by_game.map_or(from, |(_, now)| *now);
            // What the game wrote has not reached every place that depends on it, so the position is written even if it is the same.
            (to != from || by_game.is_some()).then(|| (colliders.entities[slot], from, to))
        });
        places.move_all(moves);
        // In a tick of zero seconds a distance gives no velocity.
        let are_hit = self.sweep.hit_travellers();
        for (traveller, whole) in are_hit.filter(|_| seconds > 0.0) {
            let entity = colliders.entities[traveller.body as usize];
            if let Ok(moving) = bodies.get_mut(entity)
                && let Some(mut velocity) = moving.velocity
                // A velocity that is invalid, and moves nothing, stays as it is until the game mends it, even when the body is pushed.
                && is_in_world(velocity.0 * seconds)
            {
                let mut left = traveller.velocity;
                if let Some(along) = self.boarding.landed_on(traveller.body) {
                    left -= up * left.dot(up);
                    // A rider that another platform carries has none of this one's sideways velocity in its own.
                    let rider = moving.rider.filter(|_| traveller.carried.is_none());
                    if let Some(mut rider) = rider {
                        left = aboard(left, rider.on_leave, along - up * along.dot(up));
                        rider.platform_velocity = along / seconds;
                    }
                }
                let by_itself = velocity.0 * seconds;
                let way = match moving.swept.and_then(Swept::last) {
                    None => left,
                    // The game has not moved this body: it is treated as any other.
                    Some(_) if whole == by_itself => left,
                    // For a body that stopped, it does not matter whether its velocity or the game led it there.
                    Some(_) if traveller.was_stopped && left == Vec2::ZERO => left,
                    // What the game did is over; the velocity loses only what was in its way.
                    Some(_) => keep_part(by_itself, whole, left, traveller.was_bounced),
                };
                velocity.0 = velocity_after(velocity.0, way, seconds);
            }
        }
        if seconds > 0.0 {
            tell_riders(&self.riders, &mut bodies, &self.sweep, seconds);
        }
        stay_aboard(&self.departures, &mut bodies, seconds);
    }
}

/// Whether a velocity can move the body: it is neither static, nor a part of another body.
fn is_mobile(colliders: &Colliders, slot: usize) -> bool {
    colliders.is_own_body(slot) && colliders.body_states[slot].rank != Rank::Static
}
