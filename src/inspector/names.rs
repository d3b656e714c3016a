//! Names of entities, as text and to click on.

use bevy::ecs::{entity::Entity, name::Name, prelude::World};
use bevy_egui::egui::{Button, Modifiers, RichText, Ui};

/// Returns a name as one line of text; `None` if nothing of it would be visible.
pub(super) fn readable(name: &Name) -> Option<String> {
    let name = name.trim().replace(char::is_control, " ");
    (!name.is_empty()).then_some(name)
}

/// Returns an entity's name, or its number if it has no name, or is gone.
pub(super) fn name_of(world: &World, entity: Entity) -> String {
    let name = world.get::<Name>(entity).and_then(readable);
    name.unwrap_or_else(|| entity.to_string())
}

/// Returns an entity's name and number; only the number if it has no name, or is gone.
pub(super) fn full_name_of(world: &World, entity: Entity) -> String {
    match world.get::<Name>(entity).and_then(readable) {
        Some(name) => format!("{name} ({entity})"),
        None => entity.to_string(),
    }
}

/// Returns the text for a key, or a click, together with the system's key for commands.
pub(super) fn with_command(ui: &Ui, key: &str) -> String {
    format!("{}+{key}", ui.ctx().format_modifiers(Modifiers::COMMAND))
}

/// Shows a name that picks its entity; returns whether it was clicked.
///
/// It is a button, since screen readers take egui's own links for mere labels.
pub(super) fn show_name(ui: &mut Ui, world: &World, entity: Entity, name: &str) -> bool {
    let text = RichText::new(shortened(name)).color(ui.visuals().hyperlink_color);
    let response = ui.add(Button::new(text).frame(false).small());
    response
        .on_hover_text(full_name_of(world, entity))
        .clicked()
}

/// How many letters of a name fit into a row.
const LETTERS: usize = 14;

pub(super) fn shortened(name: &str) -> String {
    match name.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.to_owned(),
    }
}
