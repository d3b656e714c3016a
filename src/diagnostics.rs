//! Counts and times of the tick, in Bevy's [`DiagnosticsStore`](bevy::diagnostic::DiagnosticsStore).
//!
//! ```
//! use bevy::{diagnostic::{DiagnosticPath, DiagnosticsStore}, prelude::*, time::TimeUpdateStrategy};
//! use bevy_nudge::{diagnostics::CollisionDiagnosticsPlugin, prelude::*};
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, CollisionPlugin::default(), CollisionDiagnosticsPlugin));
//! # app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
//! app.world_mut().spawn(CircleCollider::new(1.0));
//! app.world_mut().spawn(CircleCollider::new(1.0));
//! # app.finish(); app.cleanup();
//! # app.update(); // passes no time
//! app.update(); // runs one tick
//!
//! let store = app.world().resource::<DiagnosticsStore>();
//! let value = |path: &DiagnosticPath| store.get(path).and_then(|diagnostic| diagnostic.value());
//! use CollisionDiagnosticsPlugin as Of;
//! let counts = [Of::COLLIDERS, Of::MOVING, Of::CONTACTS, Of::STARTED, Of::ENDED, Of::PUSHED].map(|path| value(&path));
//! assert_eq!(counts, [2.0, 2.0, 1.0, 1.0, 0.0, 2.0].map(Some));
//! // In milliseconds.
//! let stages = [Of::GATHER, Of::SWEEP, Of::DETECT, Of::RESOLVE, Of::REPORT].map(|path| value(&path).unwrap());
//! assert!(stages.iter().sum::<f64>() <= value(&Of::TICK).unwrap() + 1.0e-6);
//! ```
//!
//! The stages of the tick are also spans of [`tracing`](https://docs.rs/tracing), at the debug level: `gather`, `sweep`, `detect`, `resolve` and `report`, with the target `bevy_nudge`.

use bevy::{
    app::{App, Plugin},
    diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic},
    ecs::{
        prelude::{Res, ResMut, Resource},
        schedule::IntoScheduleConfigs,
        system::Local,
    },
    platform::time::Instant,
};

use crate::{
    plugin::{CollisionSystems, add_beside_collisions, require_collisions},
    state::{colliders::Colliders, contacts::Contacts, report_counts::ReportCounts},
    tick::carry_over::note_spaces,
    tiles::follow_grids,
};

/// Measures every tick: how many colliders, contacts and changes there are, and how many milliseconds each stage takes.
///
/// A stage's time is that of all systems in its set, a game's own systems too. A system of the game between two sets counts to one of the two, and which one may differ from tick to tick. Costs less than a microsecond a tick; measures nothing
/// in a frame without a tick. See the [module](self) for an example.
///
/// # Panics
/// When the app starts without a [`CollisionPlugin`](crate::plugin::CollisionPlugin).
#[derive(Clone, Copy, Debug, Default)]
pub struct CollisionDiagnosticsPlugin;

impl CollisionDiagnosticsPlugin {
    /// Colliders that take part.
    pub const COLLIDERS: DiagnosticPath = DiagnosticPath::const_new("collisions/colliders");
    /// Of these, the ones whose body is not static.
    pub const MOVING: DiagnosticPath = DiagnosticPath::const_new("collisions/moving");
    /// Pairs that collide.
    pub const CONTACTS: DiagnosticPath = DiagnosticPath::const_new("collisions/contacts");
    /// Pairs that started to collide in this tick.
    pub const STARTED: DiagnosticPath = DiagnosticPath::const_new("collisions/started");
    /// Pairs that stopped colliding in this tick.
    pub const ENDED: DiagnosticPath = DiagnosticPath::const_new("collisions/ended");
    /// Bodies that were pushed in this tick.
    pub const PUSHED: DiagnosticPath = DiagnosticPath::const_new("collisions/pushed");
    /// Milliseconds in [`CollisionSystems::Gather`].
    pub const GATHER: DiagnosticPath = DiagnosticPath::const_new("collisions/time/gather");
    /// Milliseconds in [`CollisionSystems::Sweep`].
    pub const SWEEP: DiagnosticPath = DiagnosticPath::const_new("collisions/time/sweep");
    /// Milliseconds in [`CollisionSystems::Detect`].
    pub const DETECT: DiagnosticPath = DiagnosticPath::const_new("collisions/time/detect");
    /// Milliseconds in [`CollisionSystems::Resolve`].
    pub const RESOLVE: DiagnosticPath = DiagnosticPath::const_new("collisions/time/resolve");
    /// Milliseconds in [`CollisionSystems::Report`].
    pub const REPORT: DiagnosticPath = DiagnosticPath::const_new("collisions/time/report");
    /// Milliseconds of all stages together.
    pub const TICK: DiagnosticPath = DiagnosticPath::const_new("collisions/time/tick");

    const STAGES: [DiagnosticPath; STAGE_COUNT] = [
        Self::GATHER,
        Self::SWEEP,
        Self::DETECT,
        Self::RESOLVE,
        Self::REPORT,
    ];
    const COUNTS: [DiagnosticPath; 6] = [
        Self::COLLIDERS,
        Self::MOVING,
        Self::CONTACTS,
        Self::STARTED,
        Self::ENDED,
        Self::PUSHED,
    ];
}

const STAGE_COUNT: usize = 5;

/// When each stage began, and when the last one ended.
#[derive(Resource, Default)]
struct Clock {
    marks: Vec<Instant>,
}

impl Plugin for CollisionDiagnosticsPlugin {
    fn build(&self, app: &mut App) {
        use CollisionSystems::{Detect, Gather, Report, Resolve, Sweep};

        let times = Self::STAGES.into_iter().chain([Self::TICK]);
        for path in times {
            app.register_diagnostic(Diagnostic::new(path).with_suffix(" ms"));
        }
        for path in Self::COUNTS {
            app.register_diagnostic(Diagnostic::new(path));
        }
        app.init_resource::<Clock>();
        add_beside_collisions(app, |app, schedule| {
            app.add_systems(
                schedule,
                (
                    // In the set, so that a game's systems before the set are not measured.
                    mark.in_set(Gather).before(follow_grids),
                    mark.after(Gather).before(Sweep),
                    mark.after(Sweep).before(Detect),
                    mark.after(Detect).before(Resolve),
                    // What the plugin itself does between the two counts to the first.
                    mark.after(note_spaces).before(Report),
                    (mark, measure).chain().after(Report),
                ),
            );
        });
    }

    // The `CollisionPlugin` may be added after this one.
    fn finish(&self, app: &mut App) {
        require_collisions(app, "CollisionDiagnosticsPlugin");
    }
}

fn mark(mut clock: ResMut<Clock>) {
    clock.marks.push(Instant::now());
}

/// Reports how long each stage took, and forgets the marks.
fn measure(
    mut clock: ResMut<Clock>,
    colliders: Res<Colliders>,
    contacts: Res<Contacts>,
    counts: Res<ReportCounts>,
    mut ticks: Local<u64>,
    mut diagnostics: Diagnostics,
) {
    use CollisionDiagnosticsPlugin as Of;

    let marks = <[Instant; STAGE_COUNT + 1]>::try_from(&clock.marks[..]);
    clock.marks.clear();
    // A game may pause the stages; the counts are then those of the tick before.
    if std::mem::replace(&mut *ticks, counts.ticks) == counts.ticks {
        return;
    }
    // If a mark is missing, the first stage did not run.
    if let Ok(marks) = marks {
        let milliseconds = |from: usize, to: usize| (marks[to] - marks[from]).as_secs_f64() * 1e3;
        for (stage, path) in Of::STAGES.iter().enumerate() {
            diagnostics.add_measurement(path, || milliseconds(stage, stage + 1));
        }
        diagnostics.add_measurement(&Of::TICK, || milliseconds(0, STAGE_COUNT));
    }
    let rooms = colliders.rooms.members().iter();
    let moving_rooms = rooms.filter(|room| !colliders.flags[**room as usize].is_static());
    let counts = [
        colliders.count(),
        colliders.moving.members().len() + moving_rooms.count(),
        contacts.newest.len(),
        counts.started,
        counts.ended,
        counts.pushed,
    ];
    for (path, count) in Of::COUNTS.iter().zip(counts) {
        diagnostics.add_measurement(path, || count as f64);
    }
}

#[cfg(test)]
mod tests {
    use bevy::{
        MinimalPlugins,
        app::Update,
        ecs::system::{IntoSystem, System},
    };

    use super::*;
    use crate::plugin::CollisionPlugin;

    /// What the plugin notes after the push-out counts to that, whichever thread is free first.
    #[test]
    fn the_report_begins_after_all_that_follows_the_push_out() {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins,
            CollisionPlugin::new(Update),
            CollisionDiagnosticsPlugin,
        ));
        app.update();
        let schedule = app.get_schedule(Update).expect("it has run");
        let systems = schedule.systems().expect("it has run");
        let kinds: Vec<_> = systems.map(|(_, system)| system.system_type()).collect();
        let notes = IntoSystem::into_system(note_spaces).system_type();
        let marks = IntoSystem::into_system(mark).system_type();
        let noted = kinds.iter().position(|kind| *kind == notes);
        let before = &kinds[..noted.expect("it is among them")];
        // Those before Gather, Sweep, Detect and Resolve.
        let marked = before.iter().filter(|kind| **kind == marks);
        assert_eq!(marked.count(), 4);
    }
}
