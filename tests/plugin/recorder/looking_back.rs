//! The ring of recorded ticks: what it shows, and what it keeps.

use bevy::{ecs::schedule::ScheduleLabel, prelude::*, time::TimeUpdateStrategy};
use bevy_nudge::{
    diagnostics::CollisionDiagnosticsPlugin,
    memory::CollisionMemory,
    prelude::*,
    recorder::{CollisionRecorder, CollisionRecorderPlugin, Recording, replay},
    snapshot::{Snapshot, TickView},
};

use super::everything::Everything;
use crate::common::{at, forbid_open_orders};

/// A snapshot of each tick at its end, before observers run.
#[derive(Resource, Default)]
struct Live(Vec<Snapshot>);

fn look(view: TickView, mut live: ResMut<Live>) {
    live.0.push(view.snapshot());
}

/// Returns a snapshot as text, which contains all bits: the shortest decimal that leads back to them, and the sign of 0. Lists without an order are sorted.
fn text(snapshot: &Snapshot) -> [Vec<String>; 3] {
    let mut colliders: Vec<String> = (snapshot.colliders.iter())
        .map(|one| format!("{one:?}"))
        .collect();
    colliders.sort_unstable();
    let contacts = snapshot.contacts.iter().map(|one| format!("{one:?}"));
    let paths = snapshot.paths.iter().map(|one| format!("{one:?}"));
    [colliders, contacts.collect(), paths.collect()]
}

fn assert_same(seen: &Snapshot, live: &Snapshot, case: &str) {
    for (seen, live) in text(seen).into_iter().zip(text(live)) {
        for (seen, live) in seen.iter().zip(&live) {
            assert_eq!(seen, live, "{case}");
        }
        assert_eq!(seen.len(), live.len(), "{case}");
    }
}

fn recorder(app: &App) -> &CollisionRecorder {
    app.world().resource()
}

#[test]
fn every_tick_looks_as_it_did() {
    let (mut contacts, mut legs) = (0, 0);
    for seed in 0..6 {
        let mut everything = Everything::new(seed);
        let app = &mut everything.app;
        app.init_resource::<Live>()
            .add_systems(FixedPostUpdate, look.after(CollisionSystems::Report));
        for _ in 0..300 {
            everything.tick();
        }
        let recorder = recorder(&everything.app);
        let live = &everything.app.world().resource::<Live>().0;
        let ticks = recorder.ticks().expect("some were recorded");
        assert!(live.len() > 100, "{}", live.len());
        assert_eq!(recorder.len(), live.len());
        for (tick, live) in ticks.zip(live) {
            let seen = recorder.snapshot(tick).expect("it is in the ring");
            assert_same(&seen, live, &format!("seed {seed}, tick {tick}"));
            contacts += seen.contacts.len();
            legs += seen.paths.len();
        }
    }
    assert!(contacts > 8_000 && legs > 8_000, "{contacts} {legs}");
}

/// Returns an app in which each update is one recorded tick.
fn app_in(schedule: impl ScheduleLabel + Clone) -> App {
    let mut app = App::new();
    let plugin = CollisionPlugin::new(schedule.clone());
    app.add_plugins((MinimalPlugins, TransformPlugin, plugin))
        .add_plugins(CollisionRecorderPlugin)
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    app.update();
    app
}

/// Returns a world of a few moving colliders, without anything random.
fn app() -> App {
    let mut app = app_in(FixedPostUpdate);
    for number in 0..10 {
        let place = at(number as f32 * 7.0, 0.0);
        let speed = Velocity(Vec2::new(3.0 * number as f32, 1.0));
        app.world_mut()
            .spawn((CircleCollider::new(4.0), place, speed));
    }
    app
}

#[test]
fn the_oldest_ticks_go_when_they_are_too_old() {
    let mut app = app();
    app.insert_resource(Time::<Fixed>::from_hz(64.0))
        .init_resource::<Live>()
        .add_systems(FixedPostUpdate, look.after(CollisionSystems::Report));
    app.world_mut().resource_mut::<CollisionRecorder>().seconds = 2.0;
    for tick in 1..=500_u64 {
        app.update();
        let recorder = recorder(&app);
        let ticks = recorder.ticks().expect("there is one");
        let kept = ticks.end() - ticks.start();
        assert_eq!(*ticks.end(), tick);
        // At least two seconds are kept, once they have passed, and at most 64 ticks more.
        assert!(
            kept >= (tick - 1).min(128) && kept < 128 + 64,
            "{kept} at {tick}"
        );
    }
    let live = &app.world().resource::<Live>().0;
    let recorder = recorder(&app);
    for tick in recorder.ticks().expect("there are some") {
        let seen = recorder.snapshot(tick).expect("it is in the ring");
        assert_same(&seen, &live[tick as usize - 1], &format!("tick {tick}"));
    }
    assert_eq!(recorder.snapshot(1), None);
    assert_eq!(recorder.snapshot(501), None);
    let seconds = recorder.duration().as_secs_f32();
    assert!((2.0..3.0).contains(&seconds), "{seconds}");
    replay(&recorder.recording()).expect("it begins in the middle of the game");
}

#[test]
fn no_time_at_all_keeps_the_newest_ticks_alone() {
    for seconds in [0.0, -1.0, f32::NAN] {
        let mut app = app();
        app.insert_resource(Time::<Fixed>::from_hz(64.0));
        app.world_mut().resource_mut::<CollisionRecorder>().seconds = seconds;
        for tick in 1..=300 {
            app.update();
            let recorder = recorder(&app);
            // The newest ticks that are not yet 64, or those 64; before any of them is a tick of which only the result is known.
            let kept = 1 + if tick == 1 { 0 } else { (tick - 2) % 64 + 1 };
            assert_eq!(recorder.len() as u64, kept, "{seconds}, tick {tick}");
            let ticks = recorder.ticks().expect("there is one");
            assert_eq!(*ticks.end(), tick, "{seconds}");
        }
    }
}

#[test]
fn the_oldest_ticks_go_when_they_are_too_many() {
    let mut app = app();
    let max_bytes = 40_000;
    let mut recorder = app.world_mut().resource_mut::<CollisionRecorder>();
    recorder.max_bytes = max_bytes;
    for tick in 1..=400 {
        app.update();
        let recorder = self::recorder(&app);
        assert!(recorder.bytes() <= max_bytes, "{}", recorder.bytes());
        assert_eq!(recorder.bytes(), recorder.recording().bytes());
        // Until the ring is full, everything is kept.
        let is_full = recorder.bytes() > max_bytes / 4 * 3;
        assert!(
            is_full || recorder.len() == tick,
            "{} at {tick}",
            recorder.len()
        );
    }
    let recorder = self::recorder(&app);
    let ticks = recorder.ticks().expect("there are some");
    assert!((50..400).contains(&recorder.len()), "{ticks:?}");
    for tick in ticks {
        assert!(recorder.snapshot(tick).is_some(), "{tick}");
    }
    replay(&recorder.recording()).expect("it begins in the middle of the game");

    // Not enough memory for anything: the newest tick is kept all the same, and can be replayed.
    app.world_mut()
        .resource_mut::<CollisionRecorder>()
        .max_bytes = 0;
    app.update();
    app.update();
    let recorder = self::recorder(&app);
    assert_eq!(recorder.ticks(), Some(401..=402));
    let recording = recorder.recording();
    let read = Recording::from_bytes(&recording.to_bytes());
    assert_eq!(replay(&read.expect("it can be read")), Ok(()));
    assert_eq!(
        recorder.snapshot(402).expect("the newest").colliders.len(),
        10
    );
}

/// A full frame, which is stored now and then, takes more than an eighth of the memory: 100 colliders take about 150 bytes each. Their ticks take only about 50 bytes each.
#[test]
fn of_a_large_world_at_rest_many_ticks_are_kept() {
    let mut app = app_in(FixedPostUpdate);
    for number in 0..100 {
        let place = at(number as f32 * 3.0, 0.0);
        app.world_mut()
            .spawn((BoxCollider::square(1.0), Body::Static, place));
    }
    let mut recorder = app.world_mut().resource_mut::<CollisionRecorder>();
    recorder.max_bytes = 80_000;
    for _ in 0..100 {
        app.update();
    }
    let recorder = self::recorder(&app);
    assert_eq!(recorder.len(), 100);
    assert!(recorder.bytes() <= 80_000, "{}", recorder.bytes());
}

#[test]
fn off_nothing_is_recorded_and_on_again_it_begins_anew() {
    let mut app = app();
    for _ in 0..3 {
        app.update();
    }
    let switch = |app: &mut App, is_on: bool| {
        app.world_mut().resource_mut::<CollisionRecorder>().is_on = is_on;
    };
    switch(&mut app, false);
    let before = recorder(&app).recording();
    assert_eq!(before.ticks(), Some(1..=3));
    app.world_mut()
        .spawn((CircleCollider::new(4.0), at(0.0, 3.0)));
    for _ in 0..3 {
        app.update();
    }
    assert_eq!(recorder(&app).recording(), before, "it keeps its ticks");
    switch(&mut app, true);
    for _ in 0..3 {
        app.update();
    }
    assert_eq!(recorder(&app).ticks(), Some(7..=9));
    let newest = recorder(&app).snapshot(9).expect("it is in the ring");
    assert_eq!(newest.colliders.len(), 11);
    replay(&recorder(&app).recording()).expect("the same bits");

    app.world_mut().resource_mut::<CollisionRecorder>().clear();
    assert!(recorder(&app).is_empty());
    assert_eq!((recorder(&app).bytes(), recorder(&app).ticks()), (0, None));
    replay(&recorder(&app).recording()).expect("there is nothing to replay");
    app.update();
    assert_eq!(recorder(&app).ticks(), Some(10..=10));
}

/// A recorder that is switched off keeps its ticks, whatever the game does; when it is switched on, it begins anew.
#[test]
fn off_it_keeps_what_it_has_when_the_game_goes_back() {
    let mut app = app();
    let memory = CollisionMemory::of(app.world());
    for _ in 0..3 {
        app.update();
    }
    let switch = |app: &mut App, is_on: bool| {
        app.world_mut().resource_mut::<CollisionRecorder>().is_on = is_on;
    };
    switch(&mut app, false);
    memory.restore(app.world_mut());
    assert_eq!(recorder(&app).ticks(), Some(1..=3));
    switch(&mut app, true);
    app.update();
    assert_eq!(recorder(&app).ticks(), Some(4..=4));
    // Switched on, it begins with the next tick.
    memory.restore(app.world_mut());
    app.update();
    assert_eq!(recorder(&app).ticks(), Some(5..=5));
}

/// In a schedule other than a fixed one there are ticks while the game is paused: they take hardly any memory, and push out no earlier ones.
#[test]
fn a_long_pause_does_not_drive_out_what_was_before() {
    let mut app = app_in(Update);
    for number in 0..100 {
        let place = at(20.0 * number as f32, 0.0);
        app.world_mut()
            .spawn((BoxCollider::square(1.0), Body::Static, place));
    }
    app.world_mut()
        .resource_mut::<CollisionRecorder>()
        .max_bytes = 200_000;
    for _ in 0..20 {
        app.update();
    }
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    for _ in 0..1500 {
        app.update();
    }
    let recorder = recorder(&app);
    assert_eq!(recorder.ticks(), Some(1..=1521));
    assert!(recorder.snapshot(10).is_some() && recorder.snapshot(1500).is_some());
    assert!(recorder.bytes() <= 200_000, "{}", recorder.bytes());
    replay(&recorder.recording()).expect("the same bits");
}

/// While the recorder is off, and without one, the paths of bodies are not stored.
#[test]
fn ways_are_kept_while_it_is_on() {
    let mut app = app();
    let legs = |app: &mut App| {
        app.update();
        let count = |view: TickView| view.paths().count();
        app.world_mut()
            .run_system_cached(count)
            .expect("it can run")
    };
    assert_eq!(legs(&mut app), 10);
    app.world_mut().resource_mut::<CollisionRecorder>().is_on = false;
    assert_eq!(legs(&mut app), 0);
}

#[test]
fn another_schedule_is_recorded_as_well() {
    let mut app = app_in(Update);
    app.world_mut()
        .spawn((CircleCollider::new(4.0), Velocity(Vec2::X)));
    for _ in 0..3 {
        app.update();
    }
    // The very first update, in which no time passes, is a tick there.
    assert_eq!(recorder(&app).ticks(), Some(1..=4));
    replay(&recorder(&app).recording()).expect("the same bits");
}

#[test]
fn no_order_of_systems_is_left_to_chance() {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        CollisionPlugin::default(),
        CollisionDiagnosticsPlugin,
        CollisionRecorderPlugin,
    ));
    forbid_open_orders(&mut app, FixedPostUpdate);
    app.world_mut().run_schedule(FixedPostUpdate);
}
