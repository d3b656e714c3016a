//! What entities are called, and names to click on.

use bevy::ecs::{entity::Entity, name::Name, prelude::World};
use bevy_egui::egui::{Button, RichText, Ui};

/// A name in one line; none if nothing of it is to be seen.
pub(super) fn readable(name: &Name) -> Option<String> {
    let name = name.trim().replace(char::is_control, " ");
    (!name.is_empty()).then_some(name)
}

/// By its name, or by its number if it has none, or is gone.
pub(super) fn name_of(world: &World, entity: Entity) -> String {
    let name = world.get::<Name>(entity).and_then(readable);
    name.unwrap_or_else(|| entity.to_string())
}

/// By both.
pub(super) fn full_name_of(world: &World, entity: Entity) -> String {
    match world.get::<Name>(entity).and_then(readable) {
        Some(name) => format!("{name} ({entity})"),
        None => entity.to_string(),
    }
}

/// A name that picks its entity; returns whether it is clicked.
///
/// A button, for egui's own links pass for mere labels with screen readers.
pub(super) fn show_name(ui: &mut Ui, world: &World, entity: Entity, name: &str) -> bool {
    let text = RichText::new(shortened(name)).color(ui.visuals().hyperlink_color);
    let response = ui.add(Button::new(text).frame(false).small());
    response
        .on_hover_text(full_name_of(world, entity))
        .clicked()
}

/// A line has room for so many letters of a name.
const LETTERS: usize = 14;

pub(super) fn shortened(name: &str) -> String {
    match name.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.to_owned(),
    }
}
