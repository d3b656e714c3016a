//! Counts and times of the diagnostics.

use std::time::{Duration, Instant};

use bevy::{
    diagnostic::{DiagnosticPath, DiagnosticsStore},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_nudge::{
    diagnostics::CollisionDiagnosticsPlugin,
    prelude::*,
    recorder::{CollisionRecorder, CollisionRecorderPlugin},
};

use crate::common::{at, wall};

fn value(app: &App, path: &DiagnosticPath) -> Option<f64> {
    let store = app.world().resource::<DiagnosticsStore>();
    store.get(path).expect("it is registered").value()
}

#[test]
fn a_tick_is_counted_and_timed() {
    use CollisionDiagnosticsPlugin as Plugin;
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .add_plugins((CollisionPlugin::default(), Plugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(0));
    app.finish();
    app.cleanup();
    app.update();
    assert_eq!(value(&app, &Plugin::TICK), None, "no tick, no measurement");

    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    wall(&mut app, (0.0, 0.0), (10.0, 10.0));
    wall(&mut app, (50.0, 0.0), (60.0, 10.0));
    let [inside, touching] = [8.0, 12.0].map(|x| {
        let dot = (CircleCollider::new(2.0), Body::Dynamic, at(x, 5.0));
        app.world_mut().spawn(dot).id()
    });
    app.update();
    let counts = |app: &App| {
        [
            Plugin::COLLIDERS,
            Plugin::MOVING,
            Plugin::CONTACTS,
            Plugin::STARTED,
            Plugin::ENDED,
            Plugin::PUSHED,
        ]
        .map(|path| value(app, &path).expect("a tick was measured"))
    };
    // The one inside is pushed out to the right, into the other one, which is pushed on.
    assert_eq!(counts(&app), [4.0, 2.0, 3.0, 3.0, 0.0, 2.0]);
    app.world_mut().despawn(inside);
    app.world_mut().despawn(touching);
    app.update();
    assert_eq!(counts(&app), [2.0, 0.0, 0.0, 0.0, 3.0, 0.0]);

    let stages = [
        Plugin::GATHER,
        Plugin::SWEEP,
        Plugin::DETECT,
        Plugin::RESOLVE,
        Plugin::REPORT,
    ];
    let times = stages.map(|path| value(&app, &path).expect("a tick was measured"));
    let tick = value(&app, &Plugin::TICK).expect("a tick was measured");
    assert!(times.iter().all(|time| *time > 0.0));
    assert!((times.iter().sum::<f64>() - tick).abs() < 1.0e-9 * tick.max(1.0));
}

/// The time that a game spends before `Gather` does not count, in whichever order the executor runs the systems.
#[test]
fn what_is_before_the_tick_is_not_measured() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .add_plugins((CollisionPlugin::new(Update), CollisionDiagnosticsPlugin));
    #[derive(Resource)]
    struct Gathers(Instant);

    let begin = |mut commands: Commands| {
        std::thread::sleep(Duration::from_millis(200));
        commands.insert_resource(Gathers(Instant::now()));
    };
    app.add_systems(Update, begin.before(CollisionSystems::Gather));
    app.finish();
    app.cleanup();
    app.update();
    // However slow the machine is, gathering cannot have taken longer than this.
    let since = app.world().resource::<Gathers>().0.elapsed();
    let gathering = value(&app, &CollisionDiagnosticsPlugin::GATHER);
    let is_within = |time: f64| time <= since.as_secs_f64() * 1000.0;
    assert!(
        gathering.is_some_and(is_within),
        "{gathering:?} in {since:?}"
    );
}

#[test]
#[should_panic(
    expected = "CollisionDiagnosticsPlugin needs a CollisionPlugin, and the app has none"
)]
fn without_collisions_it_says_what_is_missing() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, CollisionDiagnosticsPlugin));
    app.finish();
}

/// Other plugins run in the schedule of the `CollisionPlugin`, whether they are added before it or after.
#[test]
fn other_plugins_find_the_schedule() {
    for is_first in [true, false] {
        let mut app = App::new();
        app.add_plugins(MinimalPlugins);
        let others = (CollisionDiagnosticsPlugin, CollisionRecorderPlugin);
        if is_first {
            app.add_plugins(others)
                .add_plugins(CollisionPlugin::new(Update));
        } else {
            app.add_plugins(CollisionPlugin::new(Update))
                .add_plugins(others);
        }
        app.world_mut().spawn(CircleCollider::new(1.0));
        // One tick in each, also without `finish`, as in many games' tests.
        app.update();
        app.update();
        let store = app.world().resource::<DiagnosticsStore>();
        let colliders = store.get(&CollisionDiagnosticsPlugin::COLLIDERS);
        let measured = colliders.map(|colliders| colliders.values().copied().collect::<Vec<_>>());
        assert_eq!(measured, Some(vec![1.0, 1.0]), "first: {is_first}");
        let recorder = app.world().resource::<CollisionRecorder>();
        assert_eq!(recorder.len(), 2, "first: {is_first}");
    }
}

/// Pauses the game as the guide does.
#[test]
fn nothing_is_measured_while_the_stages_rest() {
    use CollisionDiagnosticsPlugin as Plugin;

    #[derive(Resource)]
    struct GoesOn(bool);

    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .add_plugins((CollisionPlugin::new(Update), Plugin))
        .insert_resource(GoesOn(true))
        .configure_sets(
            Update,
            CollisionSystems::All.run_if(|goes: Res<GoesOn>| goes.0),
        );
    app.finish();
    app.cleanup();
    for x in [0.0, 1.0] {
        app.world_mut()
            .spawn((CircleCollider::new(5.0), Sensor, at(x, 0.0)));
    }
    let measured = |app: &App, path: &DiagnosticPath| {
        let store = app.world().resource::<DiagnosticsStore>();
        store.get(path).expect("it is registered").history_len()
    };
    app.update();
    assert_eq!(value(&app, &Plugin::STARTED), Some(1.0));
    app.insert_resource(GoesOn(false));
    for _ in 0..5 {
        app.update();
    }
    assert_eq!(
        [Plugin::STARTED, Plugin::TICK].map(|path| measured(&app, &path)),
        [1, 1]
    );
    app.insert_resource(GoesOn(true));
    app.update();
    assert_eq!(
        [Plugin::STARTED, Plugin::TICK].map(|path| measured(&app, &path)),
        [2, 2]
    );
    assert_eq!(value(&app, &Plugin::STARTED), Some(0.0));
}

/// Without the first stage of a tick its begin is unknown; the begin of an earlier tick must not be used.
#[test]
fn a_tick_without_its_first_stage_has_no_times() {
    use CollisionDiagnosticsPlugin as Plugin;

    #[derive(Resource)]
    struct Gathers(bool);

    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .add_plugins((CollisionPlugin::new(Update), Plugin))
        .insert_resource(Gathers(true))
        .configure_sets(
            Update,
            CollisionSystems::Gather.run_if(|gathers: Res<Gathers>| gathers.0),
        );
    app.finish();
    app.cleanup();
    app.world_mut().spawn(CircleCollider::new(5.0));
    let measured = |app: &App| {
        let store = app.world().resource::<DiagnosticsStore>();
        [Plugin::COLLIDERS, Plugin::DETECT, Plugin::TICK].map(|path| {
            let known = store.get(&path).expect("it is registered");
            known.history_len()
        })
    };
    app.update();
    assert_eq!(measured(&app), [1, 1, 1]);
    app.insert_resource(Gathers(false));
    for ticks in 2..4 {
        app.update();
        assert_eq!(measured(&app), [ticks, 1, 1]);
    }
    app.insert_resource(Gathers(true));
    app.update();
    assert_eq!(measured(&app), [4, 2, 2]);
}

#[test]
fn a_room_that_can_move_is_one_of_those_that_do() {
    use CollisionDiagnosticsPlugin as Plugin;
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .add_plugins((CollisionPlugin::default(), Plugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    for body in [Body::Kinematic, Body::Static, Body::Dynamic] {
        app.world_mut()
            .spawn((BoundsCollider::new(100.0, 100.0), body));
    }
    app.update(); // passes no time
    app.update();
    let counts = [Plugin::COLLIDERS, Plugin::MOVING].map(|path| value(&app, &path));
    assert_eq!(counts, [Some(3.0), Some(2.0)]);
}
