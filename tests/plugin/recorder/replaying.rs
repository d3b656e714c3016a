//! A replay gives the same bits, wherever in the game it begins.

use bevy::{
    ecs::{
        entity_disabling::{DefaultQueryFilters, Disabled},
        system::RunSystemOnce,
    },
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_nudge::{
    prelude::*,
    recorder::{CollisionRecorder, CollisionRecorderPlugin, Recording, RecordingError, replay},
};

use super::everything::Everything;
use crate::common::{at, log::Log, run_on_one_thread};

#[test]
fn what_is_saved_and_loaded_is_replayed_to_the_same_bits() {
    let mut pushes = 0;
    for seed in 0..6 {
        let mut everything = Everything::new(seed);
        for _ in 0..300 {
            everything.tick();
        }
        assert!(everything.dashes > 50, "{}", everything.dashes);
        pushes += everything.pushes;
        let recorder = everything.app.world().resource::<CollisionRecorder>();
        let recording = recorder.recording();
        // Some updates have no tick, and some have two.
        let ticks = recording.ticks().expect("there are some");
        assert!(*ticks.start() == 1 && recording.len() > 100, "{ticks:?}");
        let file = recording.to_bytes();
        let loaded = Recording::from_bytes(&file).expect("it was just written");
        assert_eq!(loaded, recording);
        let result = replay(&loaded);
        assert!(result.is_ok(), "seed {seed}: {}", result.unwrap_err());
    }
    assert!(pushes > 25, "{pushes}");
}

/// The ring keeps only a part of a second, so the replay begins wherever the ring does; and where that has few bytes, it begins anew every few ticks.
#[test]
fn it_may_begin_anywhere() {
    // In the last seed it matters whether the tick before the first recorded one was swept.
    for (seed, max_bytes, begins) in [(20, 4096, 20), (21, 4096, 20), (73, 1 << 24, 4)] {
        let mut everything = Everything::new(seed);
        let mut recorder = everything
            .app
            .world_mut()
            .resource_mut::<CollisionRecorder>();
        recorder.seconds = 0.2;
        recorder.max_bytes = max_bytes;
        let mut known = Vec::new();
        for tick in 0..400 {
            everything.tick();
            if tick % 16 == 15 {
                let recorder = everything.app.world().resource::<CollisionRecorder>();
                let recording = recorder.recording();
                known.push(*recording.ticks().expect("there are some").start());
                let result = replay(&recording);
                assert!(
                    result.is_ok(),
                    "seed {seed}, tick {tick}: {}",
                    result.unwrap_err()
                );
            }
        }
        known.dedup();
        assert!(known.len() > begins, "seed {seed}: {known:?}");
    }
}

/// Whether a stage runs.
#[derive(Resource)]
struct Runs(bool);

/// A tick that was begun and not reported is not recorded: the changes of the game since then are in no record, so the recorder begins anew.
#[test]
fn a_tick_that_was_not_reported_is_not_finished_by_the_next_one() {
    let mut app = App::new();
    let plugins = (CollisionPlugin::default(), CollisionRecorderPlugin);
    app.add_plugins((MinimalPlugins, TransformPlugin, plugins))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Runs(true));
    app.finish();
    app.cleanup();
    app.update(); // passes no time
    let runs = |runs: Res<Runs>| runs.0;
    app.configure_sets(FixedPostUpdate, CollisionSystems::Report.run_if(runs));
    let wall = (BoxCollider::new(10.0, 100.0), Body::Static, at(14.0, 0.0));
    let wall = app.world_mut().spawn(wall).id();
    app.world_mut()
        .spawn((CircleCollider::new(5.0), at(5.0, 0.0)));
    for _ in 0..3 {
        app.update();
    }
    app.insert_resource(Runs(false));
    app.update();
    app.world_mut().entity_mut(wall).insert(at(12.0, 0.0));
    app.insert_resource(Runs(true));
    for _ in 0..3 {
        app.update();
    }
    let recording = app.world().resource::<CollisionRecorder>().recording();
    assert!(recording.len() >= 2, "{}", recording.len());
    let result = replay(&recording);
    assert!(result.is_ok(), "{}", result.unwrap_err());
}

/// What a skipped stage has left undone is in no frame: no replay can go over such a tick, or begin with it.
#[test]
fn a_tick_without_one_of_its_stages_is_not_recorded() {
    use CollisionSystems::{Detect, Gather, Resolve, Sweep};
    let run = |app: &mut App, is_whole: bool| {
        app.insert_resource(Runs(is_whole));
        (0..3).for_each(|_| app.update());
        let recorder = app.world().resource::<CollisionRecorder>();
        recorder.recording()
    };
    for stage in [Gather, Sweep, Detect, Resolve] {
        let mut app = record(App::new());
        app.insert_resource(Time::<Fixed>::from_hz(64.0));
        let runs = |runs: Res<Runs>| runs.0;
        app.configure_sets(FixedPostUpdate, stage.run_if(runs));
        // The ball and the box meet in the fifth tick.
        let ball = (CircleCollider::new(1.0), Velocity(Vec2::new(64.0, 0.0)));
        app.world_mut().spawn((ball, at(0.0, 0.0)));
        app.world_mut()
            .spawn((BoxCollider::square(2.0), Body::Static, at(6.5, 0.0)));
        let before = run(&mut app, true);
        assert_eq!(before.ticks(), Some(1..=3), "{stage:?}");
        let lines = Log::lines_of(|| {
            assert_eq!(run(&mut app, false), before, "{stage:?}");
        });
        let is_told = |line: &String| {
            line.contains("the recorder of collisions waits for a tick with all of its stages")
        };
        assert!(lines.len() == 1 && is_told(&lines[0]), "{lines:?}");
        replay(&before).unwrap();
        let after = run(&mut app, true);
        assert_eq!(after.ticks(), Some(7..=9), "{stage:?}");
        replay(&after).unwrap();
    }
}

/// A game may let a stage rest in every other tick, for as long as it runs.
#[test]
fn a_stage_that_rests_now_and_then_is_told_once() {
    let mut app = record(App::new());
    let runs = |mut runs: Local<bool>| {
        *runs = !*runs;
        *runs
    };
    app.configure_sets(FixedPostUpdate, CollisionSystems::Detect.run_if(runs));
    let lines = Log::lines_of(|| (0..64).for_each(|_| app.update()));
    assert_eq!(lines.len(), 1, "{lines:?}");
    // After a recording of its own choice, a game may want to know again.
    app.world_mut().resource_mut::<CollisionRecorder>().clear();
    let lines = Log::lines_of(|| (0..64).for_each(|_| app.update()));
    assert_eq!(lines.len(), 1, "{lines:?}");
}

/// At 4096, a 6400th of a unit is less than half of what a float can tell apart. So the body stays where it is; but its place is now 0, and its `Transform` is still at -0, which nothing has written.
#[test]
fn a_zero_may_lose_its_sign() {
    let mut app = record(App::new());
    app.insert_resource(Time::<Fixed>::from_hz(64.0));
    let slow = Velocity(Vec2::new(0.0, 0.01));
    let wall = (BoxCollider::square(2.0), Body::Static, slow);
    let wall = app.world_mut().spawn((wall, at(-0.0, 4096.0))).id();
    app.update();
    app.update();
    app.world_mut().entity_mut(wall).insert(Body::Kinematic);
    app.update();
    app.update();
    let place = app.world().get::<Transform>(wall).unwrap().translation;
    assert_eq!(place.x.to_bits(), (-0.0_f32).to_bits());
    let recording = app.world().resource::<CollisionRecorder>().recording();
    replay(&recording).unwrap();
}

fn small_recording() -> Recording {
    let mut everything = Everything::new(50);
    for _ in 0..4 {
        everything.tick();
    }
    let recorder = everything.app.world().resource::<CollisionRecorder>();
    recorder.recording()
}

#[test]
fn what_is_in_a_file_is_what_was_saved() {
    let recording = small_recording();
    let path = std::env::temp_dir().join(format!("bevy_nudge_{}.nudgerec", std::process::id()));
    recording.save(&path).expect("there is room");
    let loaded = Recording::load(&path);
    std::fs::remove_file(&path).expect("it was just written");
    assert_eq!(loaded.expect("it was just written"), recording);
    let missing = Recording::load(&path).expect_err("it is gone");
    assert!(matches!(missing, RecordingError::File(_)), "{missing}");
}

#[test]
fn broken_files_are_refused() {
    let file = small_recording().to_bytes();
    for length in 0..file.len() {
        let error = Recording::from_bytes(&file[..length]).expect_err("a part is missing");
        let is_right = if length < 16 {
            matches!(error, RecordingError::NotARecording)
        } else {
            matches!(error, RecordingError::Damaged { .. })
        };
        assert!(is_right, "{length}: {error}");
    }
    for at in 0..file.len() {
        let mut broken = file.clone();
        broken[at] ^= 1 << (at % 8);
        let error = Recording::from_bytes(&broken).expect_err("a bit is wrong");
        let is_right = match at {
            0..8 => matches!(error, RecordingError::NotARecording),
            8..12 => matches!(error, RecordingError::Version { known: 6, .. }),
            _ => matches!(error, RecordingError::Damaged { .. }),
        };
        assert!(is_right, "{at}: {error}");
    }
    let mut next = file.clone();
    next[8] = 7;
    let error = Recording::from_bytes(&next).expect_err("it is of another version");
    assert_eq!(
        error.to_string(),
        "the recording is of version 7, and only version 6 can be read"
    );
}

/// Files that are complete, but were not written by a recorder. Whatever can be read is replayed without a panic, whatever the result.
#[test]
fn forged_files_do_no_harm() {
    let file = small_recording().to_bytes();
    let mut random = fastrand::Rng::with_seed(3);
    let (mut refused, mut different) = (0, 0);
    for _ in 0..3000 {
        let mut forged = file.clone();
        for _ in 0..random.u32(1..4) {
            let at = random.usize(16..forged.len());
            forged[at] = random.u8(..);
        }
        let checksum = crc32fast::hash(&forged[16..]);
        forged[12..16].copy_from_slice(&checksum.to_le_bytes());
        match Recording::from_bytes(&forged) {
            Err(RecordingError::Senseless { .. }) => refused += 1,
            Err(error) => panic!("{error}"),
            Ok(forged) => different += u32::from(replay(&forged).is_err()),
        }
    }
    assert!(refused > 100 && different > 100, "{refused} {different}");
}

/// Completes an app, which already has its components and resources, with the plugin and a recorder.
fn record(mut app: App) -> App {
    app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()))
        .add_plugins(CollisionRecorderPlugin)
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    run_on_one_thread(&mut app);
    app.update();
    app
}

#[test]
fn a_rider_that_comes_as_the_replay_begins_is_new_there_too() {
    let mut app = record(App::new());
    app.insert_resource(Time::<Fixed>::from_hz(64.0));
    app.update(); // of this tick only the result is known
    let rider = Rider {
        platform_velocity: Vec2::new(64.0, 0.0),
        ..Rider::new(PlatformOnLeave::AddVelocity)
    };
    app.world_mut()
        .spawn((CircleCollider::new(5.0), rider, at(0.0, 0.0)));
    app.update();
    app.update();
    let recorder = app.world().resource::<CollisionRecorder>();
    replay(&recorder.recording()).expect("it is the same again");
}

/// A game decides which components disable its entities.
#[test]
fn who_is_disabled_is_so_by_the_rules_of_its_game() {
    #[derive(Component)]
    struct Hidden;

    for (case, is_own, are_any) in [
        ("by Bevy's", false, true),
        ("by one of its own", true, true),
        ("by none", false, false),
    ] {
        let mut app = App::new();
        app.insert_resource(DefaultQueryFilters::empty());
        if is_own {
            app.world_mut().register_disabling_component::<Hidden>();
        } else if are_any {
            app.world_mut().register_disabling_component::<Disabled>();
        }
        let mut app = record(app);
        let world = app.world_mut();
        // The first collider would meet the second and the third one, which may be disabled.
        let circle = CircleCollider::new(5.0);
        world.spawn((circle, at(0.0, 0.0)));
        world.spawn((circle, at(8.0, 0.0), Disabled));
        world.spawn((circle, at(-8.0, 0.0), Hidden));
        for _ in 0..3 {
            app.update();
        }
        let recorder = app.world().resource::<CollisionRecorder>();
        let recording = recorder.recording();
        assert_eq!(recording.len(), 3);
        replay(&recording).expect(case);
    }
}

/// A sword that exists during each stroke, and that is ignored by its player.
#[test]
fn who_is_ignored_is_so_when_it_is_back() {
    let mut app = record(App::new());
    let world = app.world_mut();
    let sword = world.spawn((CircleCollider::new(10.0), at(12.0, 0.0))).id();
    let player = (CircleCollider::new(10.0), IgnoreCollisions::with(sword));
    world.spawn((player, at(0.0, 0.0)));
    for _ in 0..3 {
        app.update();
        app.world_mut().entity_mut(sword).remove::<CircleCollider>();
        app.update();
        let collider = CircleCollider::new(10.0);
        app.world_mut().entity_mut(sword).insert(collider);
    }
    app.update();
    let recorder = app.world().resource::<CollisionRecorder>();
    replay(&recorder.recording()).unwrap();
}

/// The replay begins with the tick in which a rider was carried for the last time, and which ends without contact with the lift.
#[test]
fn who_leaves_its_lift_as_a_replay_begins_takes_its_velocity_along() {
    let mut app = record(App::new());
    app.insert_resource(Time::<Fixed>::from_hz(64.0));
    let world = app.world_mut();
    world.resource_mut::<CollisionRecorder>().is_on = false;
    let along = Velocity(Vec2::new(64.0, 0.0));
    let lift = (BoxCollider::new(100.0, 10.0), Body::Kinematic, along);
    world.spawn((lift, at(0.0, -5.0)));
    let rider = Rider::new(PlatformOnLeave::AddVelocity);
    let player = (BoxCollider::square(16.0), rider, along, at(57.5, 8.0));
    let player = world.spawn(player).id();
    app.update();
    let world = app.world_mut();
    world.resource_mut::<CollisionRecorder>().is_on = true;
    app.update();
    app.update();
    let velocity = app.world().get::<Velocity>(player).unwrap().0;
    assert_eq!(velocity, Vec2::new(128.0, 0.0));
    let recorder = app.world().resource::<CollisionRecorder>();
    replay(&recorder.recording()).unwrap();
}

/// Returns an app in which a hero has dashed over a coin, and a tick has reported it.
fn dash_over_a_coin() -> App {
    let mut app = record(App::new());
    let coin = (
        CircleCollider::new(4.0),
        Sensor,
        Body::Static,
        at(50.0, 0.0),
    );
    app.world_mut().spawn(coin);
    let hero = app.world_mut().spawn(BoxCollider::square(10.0)).id();
    app.update();
    let dash = move |mover: Mover, mut transforms: Query<&mut Transform>| {
        let mut transform = transforms.get_mut(hero).unwrap();
        let way = Vec2::new(100.0, 0.0);
        mover.move_and_slide(hero, &mut transform, way, &MoveOptions::default())
    };
    app.world_mut().run_system_once(dash).unwrap();
    app.update();
    app
}

/// At the end of the tick the hero is elsewhere, and only its path shows that it has met the coin.
#[test]
fn what_a_mover_has_passed_is_passed_in_a_replay_too() {
    let mut app = dash_over_a_coin();
    app.update();
    let recorder = app.world().resource::<CollisionRecorder>();
    let recording = recorder.recording();
    let (_, last) = recording.ticks().unwrap().into_inner();
    // They meet after 50 - 5 - 4 of the 100.
    let met = recording.snapshot(last - 1).unwrap().contacts;
    assert_eq!(
        (met.len(), met[0].time, met[0].point),
        (1, 0.41, Vec2::new(46.0, 0.0))
    );
    assert_eq!(recording.snapshot(last).unwrap().contacts, []);
    replay(&recording).unwrap();
}

/// The notes of the last sweep belong to its own tick, however many ticks follow without a sweep.
#[test]
fn what_was_passed_is_not_passed_again_while_nothing_is_swept() {
    let mut app = dash_over_a_coin();
    app.configure_sets(FixedPostUpdate, CollisionSystems::Sweep.run_if(|| false));
    app.update();
    app.update();
    let recorder = app.world().resource::<CollisionRecorder>();
    replay(&recorder.recording()).unwrap();
}
