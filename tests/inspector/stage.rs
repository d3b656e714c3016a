//! A headless app with the panel open in a window of 640 x 480.

use bevy::{
    app::Plugins, asset::AssetPlugin, gizmos::GizmoPlugin, input::InputPlugin, mesh::MeshPlugin,
    prelude::*, time::TimeUpdateStrategy,
};
use bevy_egui::egui::{Event, Key, Modifiers, PointerButton, Pos2, accesskit::Role};
use bevy_nudge::{
    inspector::{CollisionInspector, CollisionInspectorPlugin, show_inspector},
    prelude::*,
};
use egui_kittest::{
    Harness, Node,
    kittest::{NodeT, Queryable, by},
};

/// The panel, with the app behind it.
pub type Panel = Harness<'static, App>;

/// An app in which each `update()` runs one tick, with the panel open.
pub fn app() -> App {
    app_with(CollisionInspectorPlugin::default())
}

pub fn app_with<M>(plugins: impl Plugins<M>) -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        AssetPlugin::default(),
        TransformPlugin,
        InputPlugin,
        (MeshPlugin, GizmoPlugin),
        CollisionPlugin::default(),
    ))
    .add_plugins(plugins)
    .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    app.update(); // passes no time
    app.world_mut().resource_mut::<CollisionInspector>().is_open = true;
    app
}

pub fn panel(app: App) -> Panel {
    Harness::builder()
        .with_size([640.0, 480.0])
        .with_max_steps(16)
        .build_ui_state(
            |ui, app: &mut App| show_inspector(app.world_mut(), ui.ctx()),
            app,
        )
}

/// Runs one frame of the app, then the panel until it has settled.
pub fn tick(panel: &mut Panel) {
    panel.state_mut().update();
    panel.run();
}

/// Scrolls to the widget with this label, and clicks it.
pub fn click(panel: &mut Panel, label: &str) {
    pressable(panel, label).scroll_to_me();
    panel.run();
    pressable(panel, label).click();
    panel.run();
}

/// Returns the widget with this label that can be clicked.
fn pressable<'a>(panel: &'a Panel, label: &'a str) -> Node<'a> {
    panel.get(by().label(label).predicate(|node| {
        matches!(
            node.role(),
            Role::Button | Role::CheckBox | Role::RadioButton
        )
    }))
}

/// Clicks the topmost of several equal names.
pub fn click_name(panel: &mut Panel, name: &str, modifiers: Modifiers) {
    let first = |panel: &Panel| {
        let all = panel.query_all_by_role_and_label(Role::Button, name);
        let rects = all.map(|node| node.rect());
        rects.min_by(|one, other| one.top().total_cmp(&other.top()))
    };
    let all = panel.query_all_by_role_and_label(Role::Button, name);
    let highest = all.min_by(|one, other| one.rect().top().total_cmp(&other.rect().top()));
    highest.expect("the name is on the panel").scroll_to_me();
    panel.run();
    let place = first(panel).expect("it is still there").center();
    click_at(panel, place, modifiers);
}

/// Clicks anywhere in the window, with keys held.
pub fn click_at(panel: &mut Panel, pos: Pos2, modifiers: Modifiers) {
    panel.hover_at(pos);
    panel.event(Event::ModifiersChanged(modifiers));
    for pressed in [true, false] {
        panel.event(Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers,
        });
    }
    panel.event(Event::ModifiersChanged(Modifiers::NONE));
    panel.run();
}

/// Returns the field or box with this label; the first one if there are several.
pub fn field<'a>(panel: &'a Panel, label: &'a str) -> Node<'a> {
    let is_field = |role| matches!(role, Role::TextInput | Role::SpinButton | Role::CheckBox);
    let all =
        panel.query_all(by().predicate(move |node| {
            is_field(node.role()) && node.label().as_deref() == Some(label)
        }));
    let first = all.min_by(|one, other| {
        let (one, other) = (one.rect(), other.rect());
        (one.top().total_cmp(&other.top())).then(one.left().total_cmp(&other.left()))
    });
    first.unwrap_or_else(|| panic!("there is no field {label}"))
}

/// Types into the field with this label, over its content, and leaves the field by Enter.
pub fn type_into(panel: &mut Panel, label: &str, text: &str) {
    begin_typing(panel, label, text);
    panel.key_press(Key::Enter);
    panel.run();
}

/// Types into the field, and stays in it.
pub fn begin_typing(panel: &mut Panel, label: &str, text: &str) {
    field(panel, label).scroll_to_me();
    panel.run();
    field(panel, label).focus();
    panel.run();
    panel.key_press_modifiers(Modifiers::COMMAND, Key::A);
    panel.run();
    field(panel, label).type_text(text);
    panel.run();
}

/// Returns all texts that can be read, in the order of the widgets.
pub fn texts(panel: &Panel) -> Vec<String> {
    let all = panel.root().children_recursive();
    let all = all.filter_map(|node| {
        let node = node.accesskit_node();
        if node.role() == Role::TextRun {
            return None;
        }
        node.label().or_else(|| node.value())
    });
    all.collect()
}

/// Whether a text can be read somewhere, as a part of another one or alone.
pub fn reads(panel: &Panel, text: &str) -> bool {
    texts(panel).iter().any(|known| known.contains(text))
}

/// Returns the panel's own state.
pub fn inspector(panel: &mut Panel) -> Mut<'_, CollisionInspector> {
    panel.state_mut().world_mut().resource_mut()
}
