//! The section with the layers of the drawing.

use bevy::{ecs::prelude::World, gizmos::config::GizmoConfigStore};
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
    // All fields are named, so that a new layer does not compile without its switch here.
    let CollisionGizmos {
        shapes,
        inactive,
        contacts,
        one_way,
        surface_velocities,
        paths,
        queries,
        bounding_boxes,
        cells,
        color_by_layer,
        colors: _,
    } = layers;
    let switches = [
        (shapes, "shapes"),
        (inactive, "who takes no part"),
        (contacts, "contacts"),
        (one_way, "one-way sides"),
        (surface_velocities, "moving surfaces"),
        (paths, "ways"),
        (queries, "questions"),
        (bounding_boxes, "bounding boxes"),
        (cells, "strips"),
        (color_by_layer, "colours by layer"),
    ];
    let is_drawn = config.enabled;
    ui.add_enabled_ui(is_drawn, |ui| {
        ui.horizontal_wrapped(|ui| {
            for (switch, label) in switches {
                ui.checkbox(switch, label);
            }
        });
    });
}
