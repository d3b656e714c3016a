//! The plugin: when in a tick it records.

use bevy::{
    app::{App, Plugin},
    ecs::{prelude::Res, schedule::IntoScheduleConfigs},
};

use super::{
    ring::CollisionRecorder,
    watch::{note_stage, record_inputs, record_outcome},
};
use crate::{
    plugin::{CollisionSystems, add_beside_collisions, require_collisions},
    tick::{
        detect::detect_contacts,
        groups::move_groups,
        pushes::follow_pushes,
        report::{notify_observers, report_contacts},
        resolve::resolve_contacts,
        sweep::sweep_bodies,
    },
};

/// Records what the [`CollisionPlugin`](crate::plugin::CollisionPlugin) does, in the [`CollisionRecorder`].
///
/// It looks at the world twice in each tick: at the beginning of [`CollisionSystems::Gather`], as soon as grids of tiles have their colliders and the pushes of movers are applied; and in [`CollisionSystems::Report`], after the messages are written and before observers hear of them. What a game does
/// between the two, in systems of its own between the stages, is not recorded, and is a [`Difference`](super::Difference) when it is replayed.
///
/// While it is on, it looks at everything in each tick: a collider at rest takes no bytes, but time.
///
/// - The first look compares each collider and each ancestor with what is known of it: its `Transform`, its parent and the components that move it, value by value, and of some fifteen other components whether they have changed. If one has, or if the entity has got or lost any component, all of them are compared.
/// - The second look compares what a tick may have written, what the plugin keeps of each collider, and each contact.
/// - That is some 200 bytes for each collider, and as many components as the plugin reads of one that has changed. So expect about the cost of reading all colliders anew in each tick, those of a level that never moves included, which the plugin alone would not look at.
///
/// A tick in which one of the [stages](CollisionSystems) did not run, because of a run condition of the game's, is not recorded, since no replay could get past it. The ticks recorded before can be looked at until the next whole tick, with which the recording begins anew. A condition on [`CollisionSystems::All`] does no harm.
///
/// While [`CollisionRecorder::is_on`] is false none of its systems runs.
///
/// # Panics
/// When the app starts without a [`CollisionPlugin`](crate::plugin::CollisionPlugin).
#[derive(Clone, Copy, Debug, Default)]
pub struct CollisionRecorderPlugin;

impl Plugin for CollisionRecorderPlugin {
    fn build(&self, app: &mut App) {
        use CollisionSystems::{Detect, Gather, Report, Resolve, Sweep};

        app.init_resource::<CollisionRecorder>();
        add_beside_collisions(app, |app, schedule| {
            app.add_systems(
                schedule,
                (
                    record_inputs
                        .in_set(Gather)
                        .after(follow_pushes)
                        .before(move_groups),
                    note_stage.in_set(Sweep).before(sweep_bodies),
                    note_stage.in_set(Detect).before(detect_contacts),
                    note_stage.in_set(Resolve).before(resolve_contacts),
                    record_outcome
                        .in_set(Report)
                        .after(report_contacts)
                        .before(notify_observers),
                )
                    .run_if(is_on),
            );
        });
    }

    // The `CollisionPlugin` may be added after this one.
    fn finish(&self, app: &mut App) {
        require_collisions(app, "CollisionRecorderPlugin");
    }
}

fn is_on(recorder: Res<CollisionRecorder>) -> bool {
    recorder.is_on
}
