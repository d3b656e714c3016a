//! The section with the layers of the drawing. Each has a switch with the name of its field.

use bevy::{ecs::prelude::World, gizmos::config::GizmoConfigStore, reflect::structs::Struct};
use bevy_egui::egui::Ui;

use crate::debug::CollisionGizmos;

/// Shows a switch for each layer, and one for all of them.
pub(super) fn show_drawing(ui: &mut Ui, world: &mut World) {
    let store = world.get_resource_mut::<GizmoConfigStore>();
    let mut store = store.map(|store| store.into_inner());
    let config = store
        .as_mut()
        .and_then(|store| store.get_config_mut::<CollisionGizmos>());
    let Some((config, layers)) = config else {
        ui.label("Nothing can be drawn: the app has no GizmoPlugin.");
        return;
    };
    ui.checkbox(&mut config.enabled, "draw");
    let is_drawn = config.enabled;
    ui.add_enabled_ui(is_drawn, |ui| {
        ui.horizontal_wrapped(|ui| {
            for index in 0..layers.field_len() {
                let label = layers.name_at(index).map(|name| name.replace('_', " "));
                let field = layers.field_at_mut(index);
                // The colors are no switches.
                let switch = field.and_then(|field| field.try_downcast_mut::<bool>());
                if let (Some(label), Some(switch)) = (label, switch) {
                    ui.checkbox(switch, label);
                }
            }
        });
    });
}
