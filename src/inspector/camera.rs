//! Chooses the camera that shows the panel.

use bevy::{
    camera::{Camera, RenderTarget},
    ecs::{
        prelude::{Commands, Entity, Local, Query, Res, With, Without},
        schedule::ScheduleLabel,
    },
    window::PrimaryWindow,
};
use bevy_egui::{
    EguiContext, EguiGlobalSettings, EguiPrimaryContextPass, EguiSchedule, PrimaryEguiContext,
};

use super::{pick::is_same_target, state::CollisionInspector};

/// Gives an open panel to another camera once its own is gone: `bevy_egui` gives it only to the first camera that is spawned.
pub(super) fn hand_on_context(
    mut commands: Commands,
    inspector: Res<CollisionInspector>,
    settings: Res<EguiGlobalSettings>,
    contexts: Query<&EguiSchedule>,
    cameras: Query<(Entity, &Camera, &RenderTarget), Without<EguiContext>>,
    window: Query<Entity, With<PrimaryWindow>>,
    mut had_one: Local<bool>,
) {
    // `bevy_egui` allows only one context with this schedule.
    let primary = EguiPrimaryContextPass.intern();
    if contexts.iter().any(|context| context.0 == primary) {
        *had_one = true;
        return;
    }
    // In all other cases the game chooses.
    if !(inspector.is_open && settings.auto_create_primary_context && *had_one) {
        return;
    }
    let window = window.single().ok();
    let next = cameras.iter().find(|(_, camera, target)| {
        camera.is_active && is_same_target(target, &RenderTarget::default(), window)
    });
    if let Some((camera, ..)) = next {
        commands.entity(camera).insert(PrimaryEguiContext);
    }
}
