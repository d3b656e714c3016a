//! Looks back at recorded ticks.

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

/// Shows a recorded tick: pauses the game and switches the drawing on, until the user returns. For a tick that is not recorded it changes nothing.
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

/// Returns to the current state of the game, which resumes if it was not paused before.
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

/// Whether the panel was closed while it looked back, or the game lets time pass.
pub(super) fn is_left(
    inspector: Res<CollisionInspector>,
    time: Option<Res<Time<Virtual>>>,
) -> bool {
    let does_time_pass = || time.is_some_and(|time| !time.is_paused());
    inspector.past.is_some() && (!inspector.is_open || does_time_pass())
}

/// Returns to the game, whether anything shows the panel or not.
pub(super) fn return_from_left(world: &mut World) {
    world.resource_scope(|world, mut inspector: Mut<CollisionInspector>| {
        return_to_game(world, &mut inspector);
    });
}

/// Returns to the game if the user resumes it, or runs a single tick of it. After a single tick the game stays paused.
pub(super) fn return_if_time_passes(world: &mut World, inspector: &mut CollisionInspector) {
    let Some(past) = &mut inspector.past else {
        return;
    };
    // Without a virtual time, nothing was paused, and the panel cannot resume it.
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

/// Returns the snapshot that is drawn instead of the newest tick, if there is one.
pub(super) fn drawn(world: &World) -> Option<Arc<Snapshot>> {
    world.get_resource::<DrawnSnapshot>()?.0.clone()
}

/// Pauses the game; returns whether it was paused before.
fn pause(world: &mut World) -> bool {
    let Some(mut time) = world.get_resource_mut::<Time<Virtual>>() else {
        return true;
    };
    let was_paused = time.is_paused();
    time.pause();
    was_paused
}

/// Switches the drawing on or off; returns whether it was on.
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
