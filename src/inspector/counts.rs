//! The section with the counts.

use bevy::{diagnostic::DiagnosticsStore, ecs::prelude::World};
use bevy_egui::egui::{Grid, Ui};

use crate::diagnostics::CollisionDiagnosticsPlugin as Measured;

/// Shows the counts of the newest tick.
pub(super) fn show_counts(ui: &mut Ui, world: &World) {
    let Some(store) = world.get_resource::<DiagnosticsStore>() else {
        ui.label("Nothing is measured.");
        return;
    };
    let rows = [
        ("colliders", Measured::COLLIDERS),
        ("of these, moving", Measured::MOVING),
        ("contacts", Measured::CONTACTS),
        ("started", Measured::STARTED),
        ("ended", Measured::ENDED),
        ("pushed", Measured::PUSHED),
    ];
    Grid::new("counts").num_columns(4).show(ui, |ui| {
        for (number, (label, path)) in rows.iter().enumerate() {
            let count = store.get(path).and_then(|counted| counted.value());
            ui.label(*label);
            ui.monospace(count.map_or_else(|| "-".to_owned(), |count| format!("{count:.0}")));
            if number % 2 == 1 {
                ui.end_row();
            }
        }
    });
}
