//! The window of the panel, and its sections.

use bevy::{
    ecs::{
        prelude::{Mut, World},
        query::With,
    },
    input::keyboard::KeyboardInput,
    time::{Time, Virtual},
};
use bevy_egui::{
    EguiContext, PrimaryEguiContext,
    egui::{
        CollapsingHeader, Context, Event, Id, Key, Modifiers, Rect, Ui, Window,
        collapsing_header::CollapsingState, pos2, vec2,
    },
    helpers::{bevy_to_egui_key, bevy_to_egui_physical_key},
};

use super::{
    counts::show_counts,
    drawing::show_drawing,
    edit::show_edit,
    entity::{search_id, show_entity},
    layout::{Layout, Place, Section},
    list::{filter_id, show_list},
    past::return_if_time_passes,
    pick::pick_by_click,
    plot::show_plot,
    recorder::{scrub, show_recorder},
    state::CollisionInspector,
    time::{show_time, toggle_pause},
};

/// Shows the panel in the primary context, if it is open.
pub(super) fn show_in_primary_context(world: &mut World) {
    if !world.resource::<CollisionInspector>().is_open {
        return;
    }
    let mut contexts = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
    // A game that chooses the camera itself may have chosen none, or several.
    let Ok(mut context) = contexts.single_mut(world) else {
        return;
    };
    let context = context.get_mut().clone();
    show_inspector(world, &context);
}

/// Shows the panel in an egui context of the game's own, if the panel is open: for games that have several contexts, and for tests. The [`CollisionInspectorPlugin`](super::CollisionInspectorPlugin) itself shows it in the primary context, in
/// each frame; to call this function instead, leave the `EguiPlugin` out, or have no primary context.
///
/// It shows nothing in a world without the plugin.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::{inspector::{bevy_egui::egui, CollisionInspector, CollisionInspectorPlugin, show_inspector}, prelude::*};
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, CollisionPlugin::default(), CollisionInspectorPlugin::default()));
/// app.world_mut().resource_mut::<CollisionInspector>().is_open = true;
/// # app.finish(); app.cleanup();
/// # app.update();
/// let context = egui::Context::default();
/// let output = context.run_ui(egui::RawInput::default(), |_| show_inspector(app.world_mut(), &context));
/// assert!(!output.shapes.is_empty());
/// # output.drop_without_applying_deltas();
/// ```
pub fn show_inspector(world: &mut World, context: &Context) {
    world.try_resource_scope(|world, mut inspector: Mut<CollisionInspector>| {
        if inspector.is_open {
            obey_shortcuts(world, context, &mut inspector);
            show_window(world, context, &mut inspector);
            pick_by_click(world, context, &mut inspector);
            return_if_time_passes(world, &mut inspector);
        }
    });
}

const TITLE: &str = "Collisions";

fn show_window(world: &mut World, context: &Context, inspector: &mut CollisionInspector) {
    let id = Id::new("bevy_nudge inspector");
    let mut is_open = true;
    if inspector.to_open.is_some() {
        // A collapsed window is expanded, since it would not show where the shortcut leads.
        let collapsing = CollapsingState::load(context, id.with("collapsing"));
        if let Some(mut collapsing) = collapsing {
            collapsing.set_open(true);
            collapsing.store(context);
        }
    }
    let window = Window::new(TITLE)
        .id(id)
        .open(&mut is_open)
        .default_rect(default_rect(context, &inspector.layout))
        .default_open(!inspector.layout.is_collapsed)
        .min_size([220.0, 80.0])
        .vscroll(true)
        .hscroll(true);
    let shown = window.show(context, |ui| {
        // A row has little room, and faint text must be readable on top of a game.
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.visuals_mut().weak_text_alpha = 0.75;
        show_sections(ui, world, inspector);
        follow_focus(ui);
    });
    let Some(shown) = shown else {
        return;
    };
    let layout = &mut inspector.layout;
    let collapsing = CollapsingState::load(context, id.with("collapsing"));
    layout.is_collapsed = collapsing.is_some_and(|state| !state.is_open());
    let rect = shown.response.rect;
    // A collapsed window keeps its height for when it is expanded again.
    let height = layout.place.map_or(rect.height(), |place| place.height);
    layout.place = Some(Place {
        left: rect.left(),
        top: rect.top(),
        width: rect.width(),
        height: if layout.is_collapsed {
            height
        } else {
            rect.height()
        },
    });
    inspector.is_open = is_open;
    let focused = context.memory(|memory| memory.focused());
    let focused = focused.and_then(|id| context.read_response(id));
    let is_own = focused.is_some_and(|focused| focused.layer_id == shown.response.layer_id);
    inspector.is_typed_into = is_own && context.text_edit_focused();
}

/// Scrolls to the widget that has got the focus, for users who go through the panel by keyboard.
fn follow_focus(ui: &mut Ui) {
    let id = Id::new("bevy_nudge inspector focus");
    let focused = ui.memory(|memory| memory.focused());
    let last = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default(id), focused));
    let moved = focused.filter(|_| focused != last);
    let response = moved.and_then(|focused| ui.ctx().read_response(focused));
    if let Some(response) = response.filter(|focused| focused.layer_id == ui.layer_id()) {
        ui.scroll_to_rect(response.rect, None);
    }
}

/// The keys that [`obey_shortcuts`] handles, together with the command key of the system.
const SHORTCUTS: [Key; 6] = [
    Key::P,
    Key::N,
    Key::ArrowLeft,
    Key::ArrowRight,
    Key::F,
    Key::E,
];

/// Whether a key is one of the shortcuts: by the letter on it, or, if that is none of theirs, by its place on the keyboard, as in `bevy_egui`.
pub(super) fn is_shortcut(message: &KeyboardInput) -> bool {
    let key = bevy_to_egui_key(&message.logical_key);
    let key = key.or_else(|| bevy_to_egui_physical_key(&message.key_code));
    key.is_some_and(|key| SHORTCUTS.contains(&key))
}

/// Handles the keys that work wherever the focus is.
fn obey_shortcuts(world: &mut World, context: &Context, inspector: &mut CollisionInspector) {
    // A key may have been pressed more than once in a long frame.
    let presses = |key| {
        context.input_mut(|input| input.count_and_consume_key(Modifiers::COMMAND, key)) as u32
    };
    context.input_mut(|input| input.events.retain(|event| !is_pause_repeated(event)));
    if presses(Key::P) % 2 == 1
        && let Some(mut time) = world.get_resource_mut::<Time<Virtual>>()
    {
        toggle_pause(&mut time);
    }
    inspector.steps += presses(Key::N);
    // In a text field these keys move the cursor by a word.
    if !context.text_edit_focused() {
        let (back, on) = (presses(Key::ArrowLeft), presses(Key::ArrowRight));
        if back != on {
            scrub(world, inspector, i64::from(on) - i64::from(back));
        }
    }
    for (key, section, field) in [
        (Key::F, Section::Contacts, filter_id()),
        (Key::E, Section::Entity, search_id()),
    ] {
        if presses(key) > 0 {
            inspector.to_open = Some(section);
            context.memory_mut(|memory| memory.request_focus(field));
        }
    }
}

/// Whether an event is a repeat of the pause key, which is held down. It counts only once.
fn is_pause_repeated(event: &Event) -> bool {
    matches!(
        event,
        Event::Key { key: Key::P, repeat: true, modifiers, .. }
            if modifiers.matches_logically(Modifiers::COMMAND)
    )
}

/// Returns where the window was; at the first time, a place at the right edge.
fn default_rect(context: &Context, layout: &Layout) -> Rect {
    match layout.place {
        Some(place) => {
            Rect::from_min_size(pos2(place.left, place.top), vec2(place.width, place.height))
        }
        None => {
            let screen = context.content_rect().shrink(6.0);
            let size = vec2(310.0, 460.0).min(screen.size());
            Rect::from_min_size(pos2(screen.right() - size.x, screen.top()), size)
        }
    }
}

fn show_sections(ui: &mut Ui, world: &mut World, inspector: &mut CollisionInspector) {
    use Section::{Contacts, Counts, Drawing, Edit, Entity, Recorder, Stages, Time};

    for one in [
        Time, Recorder, Counts, Stages, Contacts, Entity, Edit, Drawing,
    ] {
        section(ui, inspector, one, |ui, inspector| match one {
            Time => show_time(ui, world, inspector),
            Recorder => show_recorder(ui, world, inspector),
            Counts => show_counts(ui, world),
            Stages => show_plot(ui, world),
            Contacts => show_list(ui, world, inspector),
            Entity => show_entity(ui, world, inspector),
            // Each entity has fields of its own, so that text typed for one does not appear for the next.
            Edit => _ = ui.push_id(inspector.first, |ui| show_edit(ui, world, inspector)),
            Drawing => show_drawing(ui, world),
        });
    }
    inspector.to_open = None;
}

/// Shows a section that opens and closes, and remembers whether it is open.
fn section(
    ui: &mut Ui,
    inspector: &mut CollisionInspector,
    section: Section,
    show: impl FnOnce(&mut Ui, &mut CollisionInspector),
) {
    let shown = CollapsingHeader::new(format!("{section:?}"))
        .default_open(inspector.layout.is_open(section))
        .open((inspector.to_open == Some(section)).then_some(true))
        .show(ui, |ui| show(ui, inspector));
    let state = CollapsingState::load(ui.ctx(), shown.header_response.id);
    if let Some(state) = state {
        inspector.layout.set_open(section, state.is_open());
    }
}
