//! The camera that shows the panel.

use bevy::{
    camera::{Camera, RenderTarget},
    ecs::{
        prelude::{Commands, Entity, Local, Query, Res, Without},
        schedule::ScheduleLabel,
    },
};
use bevy_egui::{
    EguiContext, EguiGlobalSettings, EguiPrimaryContextPass, EguiSchedule, PrimaryEguiContext,
};

use super::state::CollisionInspector;

/// Gives an open panel to another camera once its own is gone: `bevy_egui` gives it to the first camera of all, and to no other.
pub(super) fn hand_on_context(
    mut commands: Commands,
    inspector: Res<CollisionInspector>,
    settings: Res<EguiGlobalSettings>,
    contexts: Query<&EguiSchedule>,
    cameras: Query<(Entity, &Camera, &RenderTarget), Without<EguiContext>>,
    mut had_one: Local<bool>,
) {
    // Two that have this schedule would be one too many for `bevy_egui`.
    let primary = EguiPrimaryContextPass.intern();
    if contexts.iter().any(|context| context.0 == primary) {
        *had_one = true;
        return;
    }
    // Else it is the game that chooses.
    if !(inspector.is_open && settings.auto_create_primary_context && *had_one) {
        return;
    }
    let next = cameras.iter().find(|(_, camera, target)| {
        // Which window is the primary one has to be told; all other targets are known by themselves.
        camera.is_active && target.normalize(None).is_none()
    });
    if let Some((camera, ..)) = next {
        commands.entity(camera).insert(PrimaryEguiContext);
    }
}
