//! Turns contacts into corrections, and those into `Transform`s.

mod entered;

use bevy::{
    ecs::{
        prelude::World,
        system::{Local, SystemState},
    },
    math::Vec2,
};
use tracing::debug_span;

use self::entered::Entered;
use crate::{
    placed::Meeting,
    push_out::{PAIRS_TO_DIVIDE, PushOut, Pushed},
    settings::CollisionSettings,
    state::{
        candidates::{Around, Still, may_tell_near},
        colliders::Colliders,
        places::Places,
        rules::{may_push, overlap_as_solids},
        tick_state::TickState,
        verdicts::Filters,
    },
    tick::seams::Seams,
};

/// Where many pairs overlap, and at least one for this many colliders that are not static, detection tells the push-out of the next tick which colliders are near each other, since it goes through all of them anyway. Otherwise the push-out itself looks around those that overlap.
const AMONG: usize = 8;
/// And only if detection need look no farther than this many half sizes of the colliders that can be pushed.
const MOST_HALF_SIZES: f32 = 2.0;
/// Detection is to look farther than this tick needed, by this factor: in the next tick larger colliders may overlap.
const FARTHER: f32 = 1.125;
/// Pushes of up to this many times the reach are harmless: a query that looks that much farther sees few colliders that are not there.
const HARMLESS: f32 = 4.0;

/// Pushes apart what overlaps, writes the positions of what has moved, and adds the contacts that the pushing caused: with solid colliders those met on the way, with all others those at the final positions.
pub(crate) fn resolve_contacts(
    world: &mut World,
    places: &mut SystemState<Places>,
    mut push_out: Local<PushOut>,
    mut seams: Local<Seams>,
    mut entered: Local<Entered>,
) {
    let _span = debug_span!("resolve").entered();
    TickState::lend(world, |world, state| {
        state.colliders.drift.clear();
        let Some(pushed) = push_apart(world, state, &mut push_out) else {
            state.candidates.look_around(0.0);
            return;
        };
        let has_filters = !Filters::new(world).is_empty();
        let reach = if may_tell_near(&state.colliders, has_filters) {
            reach_of_next(state, pushed.overlapping, pushed.reach)
        } else {
            0.0
        };
        state.candidates.look_around(reach);
        state.contacts.pushed = pushed.moved.len();
        if let Ok(mut places) = places.get_mut(world) {
            write_places(state, &pushed, &mut places);
        }
        if pushed.met().next().is_some() {
            let is_met = |one: &Meeting| pushed.has_met(one.slots);
            seams.smooth_met(&state.colliders, &mut state.contacts, is_met);
        }
        let bodies = pushed.moved.iter().map(|(body, _)| *body);
        let settings = world.resource::<CollisionSettings>();
        entered.tell(state, &Filters::new(world), settings, bodies);
    });
}

/// Computes the positions at which nothing overlaps, and what happens on the way there; `None` if, as far as is known, nothing overlaps. Changes nothing in the world.
fn push_apart<'a>(
    world: &World,
    state: &mut TickState,
    push_out: &'a mut PushOut,
) -> Option<Pushed<'a>> {
    let TickState {
        colliders,
        candidates,
        contacts,
        ..
    } = state;
    if !contacts.take_detected() || colliders.pushable.members().is_empty() {
        return None;
    }
    let filters = Filters::new(world);
    let has_filters = !filters.is_empty();
    let may_push = |a, b| may_push(colliders, a, b) && filters.allow_stop(colliders, a, b);
    let pushes = |meeting: &Meeting| {
        let (a, b) = meeting.slots;
        // In a crowd at rest most colliders touch, a little less or more by rounding.
        meeting.depth > 0.0
            && meeting.depth > colliders.rounding_along(meeting.slots, meeting.normal)
            && may_push(a as usize, b as usize)
    };
    let is_known = !has_filters && candidates.looks_around();
    let seen = candidates.sightings().filter(|seen| match is_known {
        true => seen.pushes,
        false => pushes(&seen.meeting),
    });
    let found = contacts.found.iter();
    let in_rooms = found.filter(|_| !colliders.rooms.members().is_empty());
    let in_rooms = in_rooms.filter(|found| {
        let is_room = |slot: u32| colliders.rooms.contains(slot as usize);
        let (a, b) = found.slots;
        (is_room(a) || is_room(b))
            && pushes(found)
            && overlap_as_solids(colliders, a as usize, b as usize)
    });
    let overlapping = seen.map(|seen| &seen.meeting).chain(in_rooms);
    let overlapping = overlapping.map(|meeting| meeting.slots);
    overlapping.clone().next()?;
    let around = Around {
        still: Still {
            candidates,
            colliders,
        },
        may_push: &may_push,
        has_filters,
    };
    let rounds = world.resource::<CollisionSettings>().push_out_rounds;
    let outcome = push_out.run(&around, overlapping, rounds);
    contacts.add_found(outcome.met());
    contacts.stuck.extend_from_slice(outcome.stuck);
    Some(outcome)
}

/// Returns how far detection is to look around in the next tick, from how many pairs overlap in this one; 0 for not at all.
fn reach_of_next(state: &TickState, overlapping: usize, reach: f32) -> f32 {
    // Once on, it takes less to stay on, so that it does not turn on and off: each change gives all boxes another size.
    let weight = if state.candidates.looks_around() {
        2
    } else {
        1
    };
    let moving = state.colliders.moving.members().len();
    let are_many = overlapping * weight >= PAIRS_TO_DIVIDE.max(moving / AMONG);
    let reach = reach * FARTHER;
    // Where giants overlap, the reach would make all other colliders near each other.
    if are_many && reach <= half_size(&state.colliders) * MOST_HALF_SIZES {
        reach
    } else {
        0.0
    }
}

/// Returns the harmonic mean of the half sizes of the colliders that can be pushed: giants add next to nothing to it.
fn half_size(colliders: &Colliders) -> f32 {
    let pushable = colliders.pushable.members().iter();
    let shapes = pushable.filter_map(|&slot| colliders.placed[slot as usize].outline.shape());
    let sizes = shapes.map(|shape| shape.half_extents().max_element());
    // A point has no size to count.
    let sizes = sizes.filter(|size| *size > 0.0);
    let (sum, count) = sizes.fold((0.0, 0_u32), |(sum, count), size| {
        (sum + f64::from(size).recip(), count + 1)
    });
    (f64::from(count) / sum) as f32
}

/// Writes the positions of the pushed bodies.
fn write_places(state: &mut TickState, pushed: &Pushed, places: &mut Places) {
    let moved = pushed.moved;
    let TickState {
        colliders,
        contacts,
        ..
    } = state;
    let from = |&(slot, _): &(u32, Vec2)| (slot, colliders.body_states[slot as usize].position);
    contacts.pushed_from.extend(moved.iter().map(from));
    let Colliders {
        drift,
        placed,
        body_states,
        moving,
        parts,
        ..
    } = colliders;
    let ways = moved.iter().map(|&(slot, to)| {
        let way = to - body_states[slot as usize].position;
        (slot, way.abs().max_element())
    });
    drift.set(ways, HARMLESS * pushed.reach, (placed, moving, parts));
    places.move_all(moved.iter().map(|&(slot, to)| {
        let slot = slot as usize;
        let from = std::mem::replace(&mut colliders.body_states[slot].position, to);
        (colliders.entities[slot], from, to)
    }));
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use bevy::{ecs::system::RunSystemOnce, prelude::*};

    use crate::{
        broad_phase::Extent,
        prelude::*,
        state::{candidates::Candidates, colliders::Colliders},
    };

    /// Makes an app with this many pairs, far from each other. The two of each pair overlap, and are put back before each tick.
    fn app_with_pairs(count: usize, radius: f32) -> App {
        #[derive(Component)]
        struct From(Vec3);
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, CollisionPlugin::new(Update)));
        app.add_systems(PreUpdate, |mut bodies: Query<(&From, &mut Transform)>| {
            for (from, mut transform) in &mut bodies {
                transform.translation = from.0;
            }
        });
        for at in 0..count {
            for x in [0.0, 1.5 * radius] {
                let place = Vec3::new(x, at as f32 * 4.0 * radius, 0.0);
                let body = (
                    CircleCollider::new(radius),
                    From(place),
                    Transform::default(),
                );
                app.world_mut().spawn(body);
            }
        }
        app
    }

    fn looks_around(app: &mut App) -> bool {
        app.update();
        app.update();
        app.world().resource::<Candidates>().looks_around()
    }

    #[test]
    fn detection_looks_around_only_for_who_asks() {
        let mut app = app_with_pairs(700, 5.0);
        assert!(looks_around(&mut app), "many overlap");
        let mut app = app_with_pairs(700, 5.0);
        app.add_collision_filter(|_: In<Pair>| Verdict::Collide);
        assert!(!looks_around(&mut app), "each pair needs the filter");
        let mut app = app_with_pairs(700, 5.0);
        let room = BoundsCollider::new(1.0e5, 1.0e5);
        app.world_mut().spawn((room, Body::Dynamic));
        assert!(!looks_around(&mut app), "the room is pushed from anywhere");
    }

    /// The hero in the middle of the fortress overlaps it by 1005.
    #[test]
    fn one_that_is_pushed_far_makes_nobody_look_far() {
        let mut app = app_with_pairs(700, 5.0);
        let fortress = (BoxCollider::square(2000.0), Body::Static);
        app.world_mut()
            .spawn((fortress, Transform::from_xyz(5000.0, 0.0, 0.0)));
        app.update();
        let at = Transform::from_xyz(4999.0, 1.0, 0.0);
        let hero = app.world_mut().spawn((CircleCollider::new(5.0), at)).id();
        // A room reaches everywhere, and is to be found but once.
        let room = (BoundsCollider::new(100.0, 100.0), Sensor, ChildOf(hero));
        let room = app.world_mut().spawn(room).id();
        let sword = (BoxCollider::square(2.0), Transform::from_xyz(0.0, 6.0, 0.0));
        app.world_mut().spawn((sword, ChildOf(hero)));
        app.update();
        let [colliders, candidates] = [(); 2].map(|()| app.world());
        let colliders = colliders.resource::<Colliders>();
        let candidates = candidates.resource::<Candidates>();
        let seen_at = |(x, y): (f32, f32)| {
            let (min, max) = ([x - 5.0, y - 5.0], [x + 5.0, y + 5.0]);
            let mut seen = 0;
            let _ = candidates.around(colliders, &Extent { min, max }, |_| {
                seen += 1;
                ControlFlow::Continue(())
            });
            seen
        };
        // A pair, and the body that was pushed with its part.
        assert!(seen_at((0.0, 400.0)) <= 6, "{}", seen_at((0.0, 400.0)));
        // The pushed body is found where it is now.
        let place = app.world().get::<Transform>(hero).unwrap().translation;
        assert_eq!(place, Vec3::new(3995.0, 1.0, 0.0));
        let found = app.world_mut().run_system_once(move |space: SpatialQuery| {
            let all = QueryFilter::SOLID;
            let hit = space
                .cast_ray(Vec2::new(3995.0, 100.0), -Vec2::Y * 200.0, &all)
                .first();
            let near = space.nearest(Vec2::new(3990.0, -8.0), 100.0, &all);
            let on = space.overlap_point(Vec2::new(3995.0, 1.0), &all).first();
            let gone = space.overlap_point(Vec2::new(4999.0, 1.0), &all).all();
            let rooms = space
                .overlap_point(Vec2::ZERO, &QueryFilter::default())
                .all();
            let rooms = rooms.iter().filter(|hit| hit.entity == room).count();
            (
                hit.map(|hit| hit.body),
                near.map(|hit| hit.body),
                on.map(|hit| hit.body),
                (gone.len(), rooms),
            )
        });
        let found = found.expect("a system that reads");
        assert_eq!(found, (Some(hero), Some(hero), Some(hero), (1, 1)));
    }

    /// Within the reach of the giants lie 30 by 30 small colliders.
    #[test]
    fn giants_do_not_make_all_others_near_each_other() {
        let mut app = app_with_pairs(700, 60.0);
        for (x, y) in (0..60).flat_map(|x| (0..60).map(move |y| (x, y))) {
            let place = Transform::from_xyz(1.0e4 + 3.0 * x as f32, 3.0 * y as f32, 0.0);
            app.world_mut().spawn((CircleCollider::new(1.0), place));
        }
        app.update();
        app.update();
        let sightings = app.world().resource::<Candidates>().sightings().count();
        assert!(sightings < 10_000, "{sightings}");
    }
}
