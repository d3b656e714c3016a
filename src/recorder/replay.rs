//! Replays a recording, and compares the results.

use std::{
    fmt::{self, Debug},
    time::Duration,
};

use bevy::{
    app::{App, FixedPostUpdate},
    ecs::{
        entity::Entity,
        message::Messages,
        prelude::{Component, Mut, World},
    },
    math::Vec2,
    time::Time,
    transform::components::Transform,
};

use super::{
    bits::SameBits,
    difference::{Difference, DifferentPart},
    entities::Known,
    frame::Frame,
    recording::Recording,
    records::{Record, SlotRecord},
    stage::Cast,
};
use crate::{
    components::{Rider, Swept, Velocity},
    messages::{Collision, CollisionEnded, CollisionStarted, Crushed},
    placed::Meeting,
    plugin::CollisionPlugin,
    query::ColliderView,
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

/// A replay under way: the recorded state up to now, and the entities that play the recorded ones.
struct Replay {
    frame: Frame,
    cast: Cast,
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
            cast: Cast::new(world, all),
            frame: first,
        };
        replay
            .cast
            .play(world, &replay.frame, &replay.frame.to_changes());
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
        world.resource_mut::<Colliders>().have_gone_back = true;
        if replay.frame.is_swept {
            replay.note_fresh(&mut world.resource_mut::<Colliders>());
        }
        replay
    }

    /// Notes the colliders that the game's next tick would find moved: those that were carried along by a parent that moved after the tick was over.
    fn note_fresh(&self, colliders: &mut Colliders) {
        colliders.fresh.begin();
        for (slot, mover) in colliders.movers.iter().enumerate() {
            let place = self.body_place(slot as u32);
            if place.is_some_and(|place| mover.position != place) {
                colliders.fresh.note(slot);
            }
        }
    }

    /// Does what the game did before a tick, and runs the tick.
    fn tick(&mut self, world: &mut World, record: &Record) {
        let Self { frame, cast } = self;
        let applied = frame.apply_inputs(record).and_then(|()| {
            cast.play(world, frame, &record.inputs);
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
            let player = self.cast.get(record.as_ref()?.entity)?;
            Some((player, slot))
        });
        world.resource_mut::<Colliders>().reserve(slots);
    }

    /// Finds the first difference between the world and the recorded state.
    fn compare(&self, world: &World) -> Result<(), Difference> {
        let colliders = world.resource::<Colliders>();
        let slots = colliders.entities.len().max(self.frame.slots.end());
        (0..slots as u32).try_for_each(|slot| self.compare_slot(colliders, slot))?;
        (0..slots as u32).try_for_each(|slot| self.compare_place(colliders, slot))?;
        self.compare_contacts(&world.resource::<Contacts>().current)?;
        let entities = self.frame.entities.iter();
        let mut entities: Vec<&Known> = entities.collect();
        entities.sort_unstable_by_key(|known| known.entity.index_u32());
        entities
            .into_iter()
            .try_for_each(|known| self.compare_entity(world, known))
    }

    fn difference<T: Debug>(
        &self,
        part: DifferentPart,
        entity: Entity,
        both: [Option<T>; 2],
    ) -> Difference {
        let [recorded, replayed] = both.map(|value| match value {
            Some(value) => format!("{value:?}"),
            None => "nothing".to_owned(),
        });
        Difference {
            tick: self.frame.tick,
            part,
            entity,
            recorded,
            replayed,
        }
    }

    /// Returns the recorded entity that an entity of the replay plays.
    fn played_by(&self, player: Entity) -> Option<&Known> {
        self.frame.entities.get(self.cast.played_by(player)?)
    }

    fn compare_slot(&self, colliders: &Colliders, slot: u32) -> Result<(), Difference> {
        let recorded = self.frame.slot(slot).copied();
        let at = slot as usize;
        let player = colliders.entities.get(at);
        let player = player.filter(|player| colliders.body_slot_of(**player) == Some(at));
        let known = player.and_then(|player| self.played_by(*player));
        let replayed = known.map(|known| {
            let mut record = SlotRecord::new(colliders, at);
            record.entity = known.entity.index_u32();
            record
        });
        if recorded == replayed {
            return Ok(());
        }
        let entity = recorded.and_then(|_| self.frame.entity_in(slot));
        let entity = entity.or(known.map(|known| known.entity));
        let recorded = recorded.map(|_| InSlot(self.frame.collider(slot)));
        let replayed = replayed.zip(known).map(|(replayed, known)| {
            let body = replayed.body as usize;
            let entity = self.played_by(colliders.entities[body]);
            let place = colliders.movers[body].position;
            InSlot(entity.and_then(|body| replayed.view(known.entity, body.entity, place)))
        });
        Err(self.difference(
            DifferentPart::Collider,
            entity.unwrap_or(Entity::PLACEHOLDER),
            [recorded, replayed],
        ))
    }

    /// Returns where the body in a slot was when the tick was over; `None` if there is no body in it.
    fn body_place(&self, slot: u32) -> Option<Vec2> {
        let is_body = |record: &&SlotRecord| record.body == slot;
        let record = self.frame.slot(slot).filter(is_body);
        record.map(|_| self.frame.places.get(slot))
    }

    fn compare_place(&self, colliders: &Colliders, slot: u32) -> Result<(), Difference> {
        let Some(recorded) = self.body_place(slot) else {
            return Ok(());
        };
        let replayed = colliders.movers[slot as usize].position;
        if recorded.same_bits(&replayed) {
            return Ok(());
        }
        let entity = self.frame.entity_in(slot).unwrap_or(Entity::PLACEHOLDER);
        Err(self.difference(
            DifferentPart::Place,
            entity,
            [Some(recorded), Some(replayed)],
        ))
    }

    /// Compares the contacts; both lists are sorted by slots, which are the same in the game and in the replay.
    fn compare_contacts(&self, replayed: &[Meeting]) -> Result<(), Difference> {
        let recorded = &self.frame.contacts;
        let pairs = recorded.iter().zip(replayed);
        let is_same = |(recorded, replayed): &(&Meeting, &Meeting)| recorded.same_bits(replayed);
        let same = pairs.take_while(is_same).count();
        let (recorded, replayed) = (recorded.get(same), replayed.get(same));
        let first = [recorded, replayed].into_iter().flatten();
        let Some(slots) = first.map(|contact| contact.slots).min() else {
            return Ok(());
        };
        let told = |contact: Option<&Meeting>| {
            let contact = contact.filter(|contact| contact.slots == slots)?;
            self.frame.contact(contact)
        };
        let both = [told(recorded), told(replayed)];
        let Some(any) = both.into_iter().flatten().next() else {
            return Ok(());
        };
        let part = DifferentPart::Contact { with: any.b };
        Err(self.difference(part, any.a, both))
    }

    fn compare_entity(&self, world: &World, known: &Known) -> Result<(), Difference> {
        let compare = Compare {
            replay: self,
            player: self.cast.get(known.entity.index_u32()),
            entity: known.entity,
        };
        compare.part::<Transform>(world, DifferentPart::Transform, known.transform)?;
        compare.part::<Velocity>(world, DifferentPart::Velocity, known.velocity)?;
        compare.part::<Swept>(world, DifferentPart::Swept, known.swept)?;
        compare.part::<Rider>(world, DifferentPart::Rider, known.rider)
    }
}

/// A collider, or a body that has none of its own, for a text.
struct InSlot(Option<ColliderView>);

impl Debug for InSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(collider) => collider.fmt(f),
            None => f.write_str("a body without a collider of its own"),
        }
    }
}

/// A recorded entity, and the entity that plays it.
struct Compare<'a> {
    replay: &'a Replay,
    player: Option<Entity>,
    entity: Entity,
}

impl Compare<'_> {
    fn part<C: Component + Copy + Debug + SameBits>(
        &self,
        world: &World,
        part: DifferentPart,
        recorded: Option<C>,
    ) -> Result<(), Difference> {
        let replayed = self.player.and_then(|player| world.get::<C>(player));
        let replayed = replayed.copied();
        if recorded.same_bits(&replayed) {
            return Ok(());
        }
        let both = [recorded, replayed];
        Err(self.replay.difference(part, self.entity, both))
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
mod tests {
    use bevy::{
        ecs::{hierarchy::ChildOf, schedule::IntoScheduleConfigs},
        prelude::MinimalPlugins,
        time::TimeUpdateStrategy,
    };

    use super::*;
    use crate::{
        components::{Body, BoxCollider, CircleCollider, CollisionLayers, Response},
        recorder::{
            entities::Attributes,
            plugin::CollisionRecorderPlugin,
            records::{Changes, Outcome, SlotRecord},
            ring::CollisionRecorder,
            watch::record_inputs,
        },
        state::news::News,
        tick::groups::move_groups,
    };

    const TICK: u64 = 80;

    /// A ball that bounces between two walls, and a dot that its game pushes into one of them, deeper each time.
    fn recorded() -> (Recording, [Entity; 4]) {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins,
            CollisionPlugin::default(),
            CollisionRecorderPlugin,
        ))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Time::<bevy::time::Fixed>::from_hz(64.0));
        app.finish();
        app.cleanup();
        app.update();
        let world = app.world_mut();
        let walls = [-20.0, 20.0].map(|x| {
            let wall = (BoxCollider::new(10.0, 100.0), Body::Static);
            world.spawn((wall, Transform::from_xyz(x, 0.0, 0.0))).id()
        });
        // One unit a tick.
        let ball = (
            CircleCollider::new(1.0),
            Velocity(Vec2::new(64.0, 0.0)),
            Response::Bounce { restitution: 1.0 },
        );
        let ball = world.spawn(ball).id();
        let dot = (
            CircleCollider::new(4.0),
            Transform::from_xyz(0.0, 30.0, 0.0),
        );
        let dot = world.spawn(dot).id();
        for tick in 1..100 {
            let mut transform = app
                .world_mut()
                .get_mut::<Transform>(dot)
                .expect("it is there");
            // The wall's face is at 15.
            transform.translation.x = 12.0 + tick as f32 / 64.0;
            app.update();
        }
        let recorder = app.world().resource::<CollisionRecorder>();
        (recorder.recording(), [walls[0], walls[1], ball, dot])
    }

    /// The ball has a velocity, and so a leg of a path.
    #[test]
    fn who_comes_between_the_look_and_the_tick_does_no_harm() {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins,
            CollisionPlugin::default(),
            CollisionRecorderPlugin,
        ))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        let spawn = |world: &mut World| {
            let ball = (CircleCollider::new(1.0), Velocity(Vec2::new(64.0, 0.0)));
            world.spawn(ball);
        };
        let spawn = spawn.after(record_inputs).before(move_groups);
        app.add_systems(FixedPostUpdate, spawn);
        app.finish();
        app.cleanup();
        for ticks in 0..4 {
            app.update();
            let recorder = app.world().resource::<CollisionRecorder>();
            assert_eq!(recorder.recording().len(), ticks);
        }
    }

    /// It becomes a part of a body that the recorder does not know yet.
    #[test]
    fn who_gets_a_new_parent_between_the_look_and_the_tick_empties_nothing() {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins,
            CollisionPlugin::default(),
            CollisionRecorderPlugin,
        ))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        let child = app.world_mut().spawn(CircleCollider::new(1.0)).id();
        let dot = app.world_mut().spawn(CircleCollider::new(1.0)).id();
        let adopt = move |world: &mut World| {
            if world.resource::<News>().ticks == 2 {
                let parent = (Body::Dynamic, Transform::IDENTITY);
                let parent = world.spawn(parent).id();
                world.entity_mut(child).insert(ChildOf(parent));
            }
        };
        let adopt = adopt.after(record_inputs).before(move_groups);
        app.add_systems(FixedPostUpdate, adopt);
        app.finish();
        app.cleanup();
        for ticks in 0..6 {
            app.update();
            let recorder = app.world().resource::<CollisionRecorder>();
            assert_eq!(recorder.len(), ticks);
        }
        let recorder = app.world().resource::<CollisionRecorder>();
        let known = |tick: u64| {
            let colliders = recorder.snapshot(tick).expect("it is kept").colliders;
            let known = colliders.iter().map(|one| one.entity);
            known.collect::<Vec<_>>()
        };
        assert_eq!([known(3), known(4)], [vec![dot], vec![child, dot]]);
        let found = replay(&recorder.recording()).expect_err("it has no parent there");
        let place = (found.tick, found.part, found.entity);
        assert_eq!(place, (3, DifferentPart::Collider, child), "{found}");
    }

    #[test]
    fn it_begins_with_who_is_told_of_what_as_the_game_did() {
        let is_known_after_the_first_tick = |alter: &dyn Fn(&mut Frame)| {
            let (recording, _) = recorded();
            let mut first = recording.first().expect("it has ticks");
            assert!(first.is_swept, "there is a ball");
            alter(&mut first);
            let mut app = App::new();
            app.add_plugins(CollisionPlugin::default());
            let world = app.world_mut();
            Replay::begin(world, &recording, first);
            let fresh = &world.resource::<Colliders>().fresh;
            (fresh.are_noted(), fresh.is_nobody())
        };
        let after_a_sweep = is_known_after_the_first_tick(&|_| ());
        assert_eq!(after_a_sweep, (true, true));
        // A collider that was elsewhere when the first tick was over was moved since, as by a parent.
        let after_a_move = is_known_after_the_first_tick(&|first| {
            for slot in 0..4 {
                let place = first.places.at_mut(slot);
                if place.y == 30.0 {
                    place.x -= 1.0;
                }
            }
        });
        assert_eq!(after_a_move, (true, false));
        let without = is_known_after_the_first_tick(&|first| first.is_swept = false);
        assert_eq!(without, (false, false));
    }

    /// As in a file that was put together by hand, or of two colliders that the game has disabled in the middle of a tick. Of the other two, the later one is in the lower slot.
    #[test]
    fn of_whom_nobody_takes_part_has_not_met() {
        let dot = Attributes {
            circle: Some(CircleCollider::new(1.0)),
            ..Attributes::default()
        };
        let dot: Box<[u8]> = postcard::to_allocvec(&dot)
            .expect("it can be written")
            .into();
        let entity = |index| Entity::from_raw_u32(index).expect("its index is valid");
        let came = Changes {
            came: [1, 2, 3, 4].map(entity).into(),
            transforms: [1, 2, 3, 4]
                .map(|index| (index, Some(Transform::IDENTITY)))
                .into(),
            attributes: [3, 4].map(|index| (index, dot.clone())).into(),
            ..Changes::default()
        };
        let slots = [(0, 1), (1, 2), (2, 4), (3, 3)].map(|(slot, entity)| {
            let mut record = SlotRecord::default();
            (record.entity, record.body) = (entity, slot);
            (slot, Some(record))
        });
        let outcome = Outcome {
            slots: slots.into(),
            ..Outcome::default()
        };
        let mut first = Frame::default();
        first.apply_changes(&came).expect("its index is free");
        first.apply_slots(&outcome).expect("their entities exist");
        first.contacts.push(Meeting {
            slots: (0, 1),
            normal: Vec2::X,
            depth: 1.0,
            point: Vec2::ZERO,
            time: 1.0,
        });
        let mut app = App::new();
        app.add_plugins(CollisionPlugin::default());
        let world = app.world_mut();
        Replay::begin(world, &Recording::default(), first);
        assert!(world.resource::<Contacts>().current.is_empty());
    }

    #[test]
    fn what_is_altered_is_found_where_it_was() {
        let (recording, [_, wall, ball, dot]) = recorded();
        assert_eq!(replay(&recording), Ok(()));
        let find = |alter: &dyn Fn(&mut Record)| {
            let altered = recording.altered(TICK, alter);
            replay(&altered).expect_err("a bit is different")
        };
        let is_at = |found: &Difference, part, entity| {
            let place = (found.tick, found.part, found.entity);
            assert_eq!(place, (TICK, part, entity), "{found}");
        };

        // 12 + 80 / 64 + 4 is 2.25 too far.
        let found = find(&|record| {
            let depth = &mut record.outcome.met[0].depth;
            *depth = depth.next_up();
        });
        is_at(&found, DifferentPart::Contact { with: dot }, wall);
        assert!(found.recorded.contains("depth: 2.2500002,"), "{found}");
        assert!(found.replayed.contains("depth: 2.25,"), "{found}");

        // What the game did: its dot begins elsewhere, so it meets the wall otherwise.
        let found = find(&|record| record.inputs.places[0].1.x += 0.5);
        is_at(&found, DifferentPart::Contact { with: dot }, wall);
        assert!(found.recorded.contains("depth: 2.25,"), "{found}");
        assert!(found.replayed.contains("depth: 2.75,"), "{found}");

        // A contact that is not in the record has not changed: it is that of the tick before.
        let found = find(&|record| record.outcome.met.clear());
        is_at(&found, DifferentPart::Contact { with: dot }, wall);
        assert!(found.recorded.contains("depth: 2.234375,"), "{found}");

        // Both bodies have moved. The ball comes first.
        let found = find(&|record| {
            let places = record.outcome.places.iter_mut();
            places.for_each(|(_, place)| place.y = -0.0);
        });
        is_at(&found, DifferentPart::Place, ball);
        assert!(found.recorded.ends_with(", -0.0)"), "{found}");

        let found = find(&|record| {
            let velocity = Some(Velocity(Vec2::new(-64.0, -0.0)));
            record.outcome.written.velocities = vec![(ball.index_u32(), velocity)];
        });
        is_at(&found, DifferentPart::Velocity, ball);
        assert_eq!(
            found.to_string(),
            format!(
                "tick 80: the Velocity of {ball} was Velocity(Vec2(-64.0, -0.0)) and is Velocity(Vec2(-64.0, 0.0))"
            )
        );

        let found = find(&|record| {
            let attributes = Attributes {
                circle: Some(CircleCollider::new(4.0)),
                body: Some(Body::Dynamic),
                layers: Some(CollisionLayers::ALL),
                ..Attributes::default()
            };
            let attributes = postcard::to_allocvec(&attributes).expect("it can be written");
            record.inputs.attributes = vec![(dot.index_u32(), attributes.into())];
        });
        is_at(&found, DifferentPart::Collider, dot);
        assert!(found.replayed.contains("memberships: all"), "{found}");
    }
}
