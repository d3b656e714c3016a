//! Looking back at recorded ticks.

use std::sync::Arc;

use bevy::{
    ecs::prelude::{Mut, Res, World},
    gizmos::config::GizmoConfigStore,
    time::{Time, Virtual},
};

use super::state::{CollisionInspector, Past};
use crate::{
    debug::{CollisionGizmos, DrawnSnapshot},
    recorder::CollisionRecorder,
    snapshot::Snapshot,
};

/// Shows a recorded tick: the game is paused, and the drawing switched on, until somebody returns. A tick that is not there changes nothing.
pub(super) fn look_back(world: &mut World, inspector: &mut CollisionInspector, tick: u64) {
    let recorder = world.get_resource::<CollisionRecorder>();
    let Some(snapshot) = recorder.and_then(|recorder| recorder.snapshot(tick)) else {
        return;
    };
    let known = inspector.past;
    world.insert_resource(DrawnSnapshot(Some(Arc::new(snapshot))));
    inspector.past = Some(match known {
        Some(past) => Past { tick, ..past },
        None => Past {
            tick,
            was_paused: pause(world),
            was_drawn: switch_drawing(world, true),
        },
    });
}

/// Returns to the game as it is. It goes on if it did before.
pub(super) fn return_to_game(world: &mut World, inspector: &mut CollisionInspector) {
    let Some(past) = inspector.past.take() else {
        return;
    };
    world.insert_resource(DrawnSnapshot(None));
    switch_drawing(world, past.was_drawn);
    if !past.was_paused
        && let Some(mut time) = world.get_resource_mut::<Time<Virtual>>()
    {
        time.unpause();
    }
}

/// Whether somebody has closed the panel while looking back.
pub(super) fn is_left(inspector: Res<CollisionInspector>) -> bool {
    !inspector.is_open && inspector.past.is_some()
}

/// Returns to the game once the panel is closed, whether anything shows it or not.
pub(super) fn return_from_closed(world: &mut World) {
    world.resource_scope(|world, mut inspector: Mut<CollisionInspector>| {
        return_to_game(world, &mut inspector);
    });
}

/// Whoever lets the time go on, or wants a tick of it, wants to see it. A tick leaves the game paused.
pub(super) fn return_if_time_passes(world: &mut World, inspector: &mut CollisionInspector) {
    let Some(past) = &mut inspector.past else {
        return;
    };
    // Without a virtual time nothing was paused, and nobody lets it go on from here.
    let Some(time) = world.get_resource::<Time<Virtual>>() else {
        return;
    };
    if inspector.steps > 0 {
        past.was_paused = true;
    }
    if inspector.steps > 0 || !time.is_paused() {
        return_to_game(world, inspector);
    }
}

/// What is drawn instead of the newest tick.
pub(super) fn drawn(world: &World) -> Option<Arc<Snapshot>> {
    world.get_resource::<DrawnSnapshot>()?.0.clone()
}

/// Pauses the game; returns whether it was.
fn pause(world: &mut World) -> bool {
    let Some(mut time) = world.get_resource_mut::<Time<Virtual>>() else {
        return true;
    };
    let was_paused = time.is_paused();
    time.pause();
    was_paused
}

/// Returns whether it was on.
fn switch_drawing(world: &mut World, is_on: bool) -> bool {
    let store = world.get_resource_mut::<GizmoConfigStore>();
    let Some(mut store) = store else {
        return false;
    };
    match store.get_config_mut::<CollisionGizmos>() {
        Some((config, _)) => std::mem::replace(&mut config.enabled, is_on),
        None => false,
    }
}
