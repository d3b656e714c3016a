//! The ring: what it shows, and what it keeps.

use bevy::prelude::*;
use bevy_nudge::{
    prelude::*,
    recorder::CollisionRecorder,
    snapshot::{Snapshot, TickView},
};

use super::everything::Everything;

/// What a tick looked like when it was over, before observers heard of it.
#[derive(Resource, Default)]
struct Live(Vec<Snapshot>);

fn look(view: TickView, mut live: ResMut<Live>) {
    live.0.push(view.snapshot());
}

/// Text has all bits: the shortest decimal that leads back to them, and the sign of 0. What has no order is sorted.
pub fn text(snapshot: &Snapshot) -> [Vec<String>; 3] {
    let mut colliders: Vec<String> = (snapshot.colliders.iter())
        .map(|one| format!("{one:?}"))
        .collect();
    colliders.sort_unstable();
    let contacts = snapshot.contacts.iter().map(|one| format!("{one:?}"));
    let paths = snapshot.paths.iter().map(|one| format!("{one:?}"));
    [colliders, contacts.collect(), paths.collect()]
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
        assert_eq!(recorder.len(), 300);
        for (tick, live) in ticks.zip(live) {
            let seen = recorder.snapshot(tick).expect("it is in the ring");
            assert_eq!(text(&seen), text(live), "seed {seed}, tick {tick}");
            contacts += seen.contacts.len();
            legs += seen.paths.len();
        }
    }
    assert!(contacts > 50_000 && legs > 10_000, "{contacts} {legs}");
}
