//! Replays of recorded games, true and false ones.

use bevy::{
    ecs::{hierarchy::ChildOf, schedule::IntoScheduleConfigs},
    math::Vec2,
    prelude::MinimalPlugins,
    time::TimeUpdateStrategy,
    transform::components::Transform,
};

use super::*;
use crate::{
    components::{Body, BoxCollider, CircleCollider, CollisionLayers, Response, Velocity},
    recorder::{
        difference::DifferentPart,
        entities::Attributes,
        plugin::CollisionRecorderPlugin,
        records::{Changes, Outcome, SlotRecord},
        ring::CollisionRecorder,
        watch::record_inputs,
    },
    state::report_counts::ReportCounts,
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
        if world.resource::<ReportCounts>().ticks == 2 {
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
        (fresh.are_noted(), fresh.is_certainly_empty())
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
    assert!(world.resource::<Contacts>().newest.is_empty());
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
