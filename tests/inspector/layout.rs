//! The layout that is remembered from run to run, and the window of 640 x 480.

use std::path::{Path, PathBuf};

use bevy::prelude::*;
use bevy_egui::egui::{
    Rect,
    accesskit::{Role, Toggled},
    vec2,
};
use bevy_nudge::{inspector::CollisionInspectorPlugin, prelude::*};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::stage::{Panel, app_with, click, field, inspector, panel, reads, tick, type_into};

/// Returns the path of a test's own file, which does not exist yet.
fn file(name: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&file);
    file
}

fn start(file: &Path) -> Panel {
    let plugin = CollisionInspectorPlugin::default().with_layout_file(file);
    let mut app = app_with(plugin);
    app.world_mut()
        .spawn((CircleCollider::new(4.0), Name::new("ball")));
    panel(app)
}

fn window(panel: &Panel) -> Rect {
    panel
        .get_by_role_and_label(Role::Window, "Collisions")
        .rect()
}

/// Ends the game.
fn quit(mut panel: Panel) {
    panel
        .state_mut()
        .world_mut()
        .write_message(AppExit::Success);
    panel.state_mut().update();
}

#[test]
fn open_sections_filters_and_place_are_there_again_in_the_next_run() {
    let file = file("layout.ron");
    let mut panel = start(&file);
    assert!(!reads(&panel, "colliders"));
    click(&mut panel, "Counts");
    click(&mut panel, "Time");
    type_into(&mut panel, "filter", "ball");
    click(&mut panel, "ongoing");
    let before = window(&panel);
    // Drags the window by its title, 100 to the left and 20 down.
    let title = before.center_top() + vec2(0.0, 12.0);
    panel.hover_at(title);
    panel.drag_at(title);
    panel.run();
    panel.hover_at(title + vec2(-100.0, 20.0));
    panel.run();
    panel.drop_at(title + vec2(-100.0, 20.0));
    panel.run();
    let moved = window(&panel);
    assert_eq!(moved.left(), before.left() - 100.0);
    quit(panel);

    let panel = start(&file);
    assert!(reads(&panel, "colliders"), "Counts is open");
    assert!(!reads(&panel, "running at"), "Time is closed");
    assert_eq!(field(&panel, "filter").value().as_deref(), Some("ball"));
    let ongoing = field(&panel, "ongoing");
    let toggled = ongoing.accesskit_node().toggled();
    assert_eq!(toggled, Some(Toggled::False));
    assert_eq!(window(&panel), moved);
}

#[test]
fn it_is_written_when_the_panel_closes() {
    let file = file("closing.ron");
    let mut panel = start(&file);
    click(&mut panel, "Counts");
    inspector(&mut panel).is_open = false;
    tick(&mut panel);
    let written = std::fs::read_to_string(&file).expect("it is there");
    assert!(written.contains("Counts"), "{written}");
}

#[test]
fn a_file_that_makes_no_sense_does_no_harm() {
    let file = file("senseless.ron");
    std::fs::write(&file, "this is no layout").expect("it can be written");
    let mut panel = start(&file);
    assert!(reads(&panel, "running at"));
    inspector(&mut panel).is_open = false;
    tick(&mut panel);
    assert_eq!(
        std::fs::read_to_string(&file).ok().as_deref(),
        Some("this is no layout")
    );
}

#[test]
fn nothing_is_cut_off_to_the_side_with_everything_open() {
    let file = file("wide.ron");
    let mut panel = start(&file);
    for header in ["Counts", "Stages", "Edit", "Drawing", "Recorder"] {
        click(&mut panel, header);
    }
    let world = panel.state_mut().world_mut();
    world.insert_resource(LayerNames::new([
        "things",
        "walls that have a longer name",
        "ghosts",
    ]));
    let wall = BoxCollider::new(20.0, 20.0).with_corner_radius(2.0);
    let wall = (
        wall,
        Body::Static,
        Name::new("a wall with quite a long name"),
    );
    let wall = world.spawn(wall).id();
    tick(&mut panel);
    inspector(&mut panel).first = Some(wall);
    inspector(&mut panel).second = Some(wall);
    tick(&mut panel);
    let window = window(&panel);
    assert!(window.left() >= 0.0 && window.right() <= 640.0);
    assert!(window.top() >= 0.0 && window.bottom() <= 480.0, "{window}");
    let root = panel.root();
    let mut seen = 0;
    for node in root.children_recursive() {
        let role = node.accesskit_node().role();
        let is_widget = matches!(
            role,
            Role::Button | Role::CheckBox | Role::TextInput | Role::SpinButton | Role::Label
        );
        if is_widget {
            seen += 1;
            let rect = node.rect();
            assert!(
                rect.left() >= window.left() && rect.right() <= window.right(),
                "{:?} {:?} at {rect}, the window is {window}",
                node.accesskit_node().label(),
                node.accesskit_node().value(),
            );
        }
    }
    assert!(seen > 60, "{seen}");
}

#[test]
fn its_button_closes_it() {
    let file = file("button.ron");
    let mut panel = start(&file);
    click(&mut panel, "Close window");
    assert!(!inspector(&mut panel).is_open);
    assert!(!reads(&panel, "Contacts"));
}
