//! A headless app with the panel open in a window of 640 x 480.

use bevy::{input::InputPlugin, prelude::*, time::TimeUpdateStrategy};
use bevy_nudge::{
    inspector::{CollisionInspector, CollisionInspectorPlugin, show_inspector},
    prelude::*,
};
use egui_kittest::{
    Harness, Node,
    kittest::{NodeT, Queryable},
};

/// The panel, and the app behind it.
pub type Panel = Harness<'static, App>;

/// An app in which each `update()` runs one tick, the panel open.
pub fn app() -> App {
    app_with(CollisionInspectorPlugin::default())
}

pub fn app_with(plugin: CollisionInspectorPlugin) -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        InputPlugin,
        CollisionPlugin::default(),
        plugin,
    ))
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

/// One frame of the app, then the panel until it has settled.
pub fn tick(panel: &mut Panel) {
    panel.state_mut().update();
    panel.run();
}

/// Clicks what has this label.
pub fn click(panel: &mut Panel, label: &str) {
    panel.get_by_label(label).click();
    panel.run();
}

/// Types into the field that has this label.
pub fn type_into(panel: &mut Panel, label: &str, text: &str) {
    field(panel, label).focus();
    panel.run();
    field(panel, label).type_text(text);
    panel.run();
}

/// What is beside a label.
pub fn field<'a>(panel: &'a Panel, label: &'a str) -> Node<'a> {
    // Labels of fields are nodes as well, and are left out by this.
    panel.get_by_label(label)
}

/// Everything that can be read, in no order that means anything.
pub fn texts(panel: &Panel) -> Vec<String> {
    let all = panel.root().children_recursive();
    let all = all.filter_map(|node| {
        let node = node.accesskit_node();
        node.label().or_else(|| node.value())
    });
    all.collect()
}

/// Whether this can be read somewhere, as a part of something.
pub fn reads(panel: &Panel, text: &str) -> bool {
    texts(panel).iter().any(|known| known.contains(text))
}
