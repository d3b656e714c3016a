//! What is counted and timed.

use bevy::{
    diagnostic::{DiagnosticPath, DiagnosticsStore},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_nudge::{diagnostics::CollisionDiagnosticsPlugin, prelude::*};

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
        .add_plugins((CollisionPlugin::default(), Plugin::default()))
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
    // The one inside is pushed out to the right, into the other one, which gives way.
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

#[test]
#[should_panic(
    expected = "CollisionDiagnosticsPlugin needs a CollisionPlugin, and the app has none"
)]
fn without_collisions_it_says_what_is_missing() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, CollisionDiagnosticsPlugin::default()));
    app.finish();
}
