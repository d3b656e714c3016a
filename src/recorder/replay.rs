//! Replays a recording, and compares the results.

use std::time::Duration;

use bevy::{
    app::{App, FixedPostUpdate},
    ecs::{
        entity::Entity,
        message::Messages,
        prelude::{Mut, World},
    },
    time::Time,
};

use super::{
    difference::Difference,
    frame::Frame,
    recording::Recording,
    records::Record,
    twins::{Replay, Twins},
};
use crate::{
    messages::{Collision, CollisionEnded, CollisionStarted, Crushed},
    placed::Meeting,
    plugin::CollisionPlugin,
    state::{colliders::Colliders, contacts::Contacts, walks::Walks},
    tick::gather::gather_colliders,
};

/// Repeats a recording in an app of its own without a window, and compares each tick with the recorded one, bit by bit: the places, the collisions with their contacts, and the velocities
/// afterwards.
///
/// Whether the results are the same depends on nothing but this crate: neither on the machine nor on the number of threads. So a file from a player is a test.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::{prelude::*, recorder::{CollisionRecorder, CollisionRecorderPlugin, Recording, replay}};
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, CollisionPlugin::default(), CollisionRecorderPlugin));
/// app.world_mut().spawn((CircleCollider::new(10.0), Transform::from_xyz(295.0, 0.0, 0.0)));
/// app.world_mut().spawn((BoxCollider::new(40.0, 400.0), Body::Static, Transform::from_xyz(320.0, 0.0, 0.0)));
/// for _ in 0..10 {
///     app.world_mut().run_schedule(FixedPostUpdate);
/// }
/// let file = app.world().resource::<CollisionRecorder>().recording().to_bytes();
///
/// replay(&Recording::from_bytes(&file)?)?; // an error says what differs
/// # Ok::<(), BevyError>(())
/// ```
///
/// [Filters](crate::filters) are code, and not in the file: a game that has some uses [`replay_with`].
///
/// # Errors
/// The first [`Difference`].
pub fn replay(recording: &Recording) -> Result<(), Difference> {
    replay_with(recording, |_| ())
}

/// Does what [`replay`](fn@replay) does in an app that `prepare` sets up first, for what is not in the file: filters, above all.
///
/// The app has the [`CollisionPlugin`] in [`FixedPostUpdate`], which is the only schedule that runs. Entities are spawned and despawned in it as in the game, and sort in the same order, but have other numbers. They have all components of this crate that they had
/// and that matter here, [`CollisionTag`](crate::components::CollisionTag) among them, and their `Name`s, `Transform`s and parents: a filter can go by these. The boxes of grids have no [`MergedTiles`](crate::tiles::MergedTiles).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_nudge::{prelude::*, recorder::{CollisionRecorder, CollisionRecorderPlugin, replay, replay_with}};
/// fn ghosts_pass(In(pair): In<Pair>, tags: Query<&CollisionTag>) -> Verdict {
///     let is_ghost = |body| tags.get(body) == Ok(&CollisionTag(7));
///     if is_ghost(pair.body_a) || is_ghost(pair.body_b) { Verdict::Ignore } else { Verdict::Collide }
/// }
///
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default(), CollisionRecorderPlugin));
/// app.add_collision_filter(ghosts_pass);
/// # app.world_mut().spawn((CircleCollider::new(4.0), CollisionTag(7)));
/// # app.world_mut().spawn(CircleCollider::new(4.0));
/// # for _ in 0..3 { app.world_mut().run_schedule(FixedPostUpdate); }
/// # let recording = app.world().resource::<CollisionRecorder>().recording();
/// assert!(replay(&recording).is_err()); // without the filter, the ghost collides
/// replay_with(&recording, |app| _ = app.add_collision_filter(ghosts_pass))?;
/// # Ok::<(), BevyError>(())
/// ```
///
/// # Errors
/// The first [`Difference`].
pub fn replay_with(
    recording: &Recording,
    prepare: impl FnOnce(&mut App),
) -> Result<(), Difference> {
    let Some(first) = recording.first() else {
        return Ok(());
    };
    let mut app = App::new();
    app.add_plugins(CollisionPlugin::default())
        .init_resource::<Time>();
    prepare(&mut app);
    app.finish();
    app.cleanup();
    let world = app.world_mut();
    let mut replay = Replay::begin(world, recording, first);
    for record in recording.records() {
        replay.tick(world, &record);
        replay.compare(world)?;
        forget_messages(world);
    }
    Ok(())
}

impl Replay {
    /// Sets up the world as it was after the first tick.
    fn begin(world: &mut World, recording: &Recording, first: Frame) -> Self {
        let came = first.entities.iter().map(|known| known.entity);
        let mut all: Vec<u32> = came.map(Entity::index_u32).collect();
        for record in recording.records() {
            all.extend(record.inputs.came.iter().map(|one| one.index_u32()));
        }
        let mut replay = Self {
            twins: Twins::new(world, all),
            frame: first,
        };
        replay
            .twins
            .apply(world, &replay.frame, &replay.frame.to_changes());
        replay.reserve_slots(world);
        // So all colliders get their slots before the first tick begins, as they had them then.
        world
            .run_system_cached(gather_colliders)
            .expect("its resources and queries are there, for the plugin is");
        world.resource_scope(|world, mut contacts: Mut<Contacts>| {
            let colliders = world.resource::<Colliders>();
            // In what a recorder has written, each collider of a contact has a slot, except for one that the game disabled in the middle of the tick.
            let takes_part = |slot: u32| colliders.takes_part(slot as usize);
            let is_there =
                |contact: &&Meeting| takes_part(contact.slots.0) && takes_part(contact.slots.1);
            let last = replay.frame.contacts.iter();
            contacts.go_on_from(last.filter(is_there).copied(), colliders);
        });
        // The colliders are new to the plugin, but must count as having been there.
        let now = world.increment_change_tick();
        world.resource_mut::<Colliders>().restored_at = Some(now);
        if replay.frame.is_swept {
            replay.note_fresh(&mut world.resource_mut::<Colliders>());
        }
        replay
    }

    /// Notes the colliders that the game's next tick would find moved: those that were carried along by a parent that moved after the tick was over.
    fn note_fresh(&self, colliders: &mut Colliders) {
        colliders.fresh.begin();
        for (slot, body_state) in colliders.body_states.iter().enumerate() {
            let place = self.frame.body_place(slot as u32);
            if place.is_some_and(|place| body_state.position != place) {
                colliders.fresh.note(slot);
            }
        }
    }

    /// Does what the game did before a tick, and runs the tick.
    fn tick(&mut self, world: &mut World, record: &Record) {
        let Self { frame, twins } = self;
        let applied = frame.apply_inputs(record).and_then(|()| {
            twins.apply(world, frame, &record.inputs);
            frame.apply_slots(&record.outcome)?;
            frame.apply_outcome(&record.outcome)
        });
        applied.expect(
            "each tick was read when the recording was loaded, or recorded by this very way",
        );
        world.insert_resource(frame.settings);
        let delta = Duration::from_nanos(frame.nanoseconds);
        world.resource_mut::<Time>().advance_by(delta);
        self.reserve_slots(world);
        world.resource_mut::<Walks>().played = record.outcome.passed.clone();
        world.run_schedule(FixedPostUpdate);
    }

    fn reserve_slots(&self, world: &mut World) {
        let slots = self.frame.slots.iter().filter_map(|(slot, record)| {
            let twin = self.twins.get(record.as_ref()?.entity)?;
            Some((twin, slot))
        });
        world.resource_mut::<Colliders>().reserve(slots);
    }
}

/// Drops old messages: nothing reads them here, and no other system drops them.
fn forget_messages(world: &mut World) {
    world.resource_mut::<Messages<Collision>>().update();
    world.resource_mut::<Messages<CollisionStarted>>().update();
    world.resource_mut::<Messages<CollisionEnded>>().update();
    world.resource_mut::<Messages<Crushed>>().update();
}

#[cfg(test)]
mod tests;
