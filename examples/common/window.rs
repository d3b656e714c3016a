//! The window: its size and look, the help line, screenshots, and the pixels in which the tutorials count.

use bevy::{
    log::LogPlugin,
    prelude::*,
    render::{RenderPlugin, settings::WgpuSettings},
    sprite::Anchor,
    text::FontSize,
    time::TimeUpdateStrategy,
    window::{ExitCondition, WindowResolution},
    winit::{WinitPlugin, WinitSettings},
};
use bevy_nudge::{
    debug::CollisionGizmos,
    inspector::{
        CollisionInspector, CollisionInspectorPlugin,
        bevy_egui::{EguiPlugin, input::EguiWantsInput},
    },
};

use super::{
    account,
    input::{Pointer, Step, focus_plugin},
    picture,
};

/// Width and height of every scene.
pub const SIZE: Vec2 = Vec2::new(640.0, 480.0);

/// Marks the line of text with the keys.
#[derive(Component)]
pub struct Help;

/// Tells a person without a display how to get one.
pub fn how_to_get_one(stage: &Stage) -> String {
    format!(
        "run it on a desktop. On a Debian machine without one, into a window that only programs see:\n  \
         apt-get install xvfb xauth mesa-vulkan-drivers libxkbcommon-x11-0 libxcursor1 libxi6 libxrandr2\n  \
         xvfb-run cargo run --example {}",
        stage.title
    )
}

/// The settings of a scene.
pub struct Stage {
    /// The title of the window, and the name of the example.
    pub title: &'static str,
    /// Fixed ticks a second.
    pub ticks_per_second: f64,
    /// The keys, in one line.
    pub help: &'static str,
    /// The recorded input, which is played where there is no display.
    pub recording: &'static [Step],
}

/// The colors of all scenes.
pub struct Palette;

impl Palette {
    pub const PAPER: Color = Color::WHITE;
    pub const INK: Color = Color::srgb(0.13, 0.15, 0.19);
    pub const FAINT: Color = Color::srgb(0.52, 0.55, 0.60);
    pub const GRID: Color = Color::srgb(0.90, 0.91, 0.93);
    pub const PLAYER: Color = Color::srgb(0.13, 0.45, 0.85);
    pub const OTHER: Color = Color::srgb(0.55, 0.60, 0.67);
    pub const HIT: Color = Color::srgb(0.88, 0.25, 0.21);
    pub const GOOD: Color = Color::srgb(0.13, 0.58, 0.34);
}

/// Converts the tutorials' pixels to the world: there the origin is in the top left and y points down, here it is in the middle and y points up.
pub fn to_world(x: f32, y: f32) -> Vec2 {
    Vec2::new(x - SIZE.x * 0.5, SIZE.y * 0.5 - y)
}

/// Returns the transform of a thing at a place in the world.
pub fn at(place: Vec2) -> Transform {
    Transform::from_translation(place.extend(0.0))
}

/// Converts the world to the tutorials' pixels.
pub fn to_pixels(place: Vec2) -> Vec2 {
    Vec2::new(place.x + SIZE.x * 0.5, SIZE.y * 0.5 - place.y)
}

/// Returns a text whose corner or edge `anchor` is at a place in pixels.
pub fn label(
    text: impl Into<String>,
    (x, y): (f32, f32),
    anchor: Anchor,
    color: Color,
) -> impl Bundle {
    (
        Text2d::new(text),
        TextFont {
            font_size: FontSize::Px(13.0),
            ..default()
        },
        TextColor(color),
        anchor,
        Transform::from_translation(to_world(x, y).extend(-1.0)),
    )
}

/// Changes a text only if it differs, so that it is not laid out again in each frame.
pub fn write(text: &mut Mut<Text2d>, line: impl Into<String>) {
    let line = line.into();
    if text.0 != line {
        text.0 = line;
    }
}

/// Makes the help line a child of the camera, so that it moves with it.
pub fn carry_help(
    mut commands: Commands,
    help: Single<Entity, With<Help>>,
    camera: Single<Entity, With<Camera2d>>,
) {
    commands.entity(*help).insert(ChildOf(*camera));
}

/// The tools that are open from the start.
#[derive(Clone, Copy, Default)]
pub struct Tools {
    /// The debug drawing.
    pub debug: bool,
    /// The inspector's panel.
    pub inspector: bool,
}

/// Returns why no window can be opened, if none can. On Linux that needs X11, which most systems that run Wayland offer too; for Wayland itself `bevy` has a feature that is not enabled here.
pub fn why_no_window() -> Option<&'static str> {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !cfg!(target_os = "linux") || is_set("DISPLAY") {
        None
    } else if is_set("WAYLAND_DISPLAY") {
        Some("The window needs X11, and this desktop has Wayland without XWayland")
    } else {
        Some("There is no display")
    }
}

/// Returns an app with a window and the help line, ready for a scene.
pub fn app(stage: &Stage, tools: Tools) -> App {
    let window = Window {
        title: stage.title.to_owned(),
        // In a browser, the canvas of the page.
        canvas: cfg!(target_arch = "wasm32").then(|| "#game".to_owned()),
        resolution: WindowResolution::new(SIZE.x as u32, SIZE.y as u32),
        resizable: false,
        // In a browser, the page does so, for the keys of the scene alone.
        prevent_default_event_handling: false,
        ..default()
    };
    let mut app = App::new();
    app.add_plugins(DefaultPlugins.set(WindowPlugin {
        primary_window: Some(window),
        ..default()
    }));
    furnish(&mut app, stage);
    app.add_plugins((EguiPlugin::default(), inspector()))
        .add_systems(PreUpdate, follow_cursor)
        .add_systems(Update, toggle_drawing);
    #[cfg(not(target_arch = "wasm32"))]
    picture::camera_plugin(&mut app, stage.title);
    app.world_mut().resource_mut::<CollisionInspector>().is_open = tools.inspector;
    app.add_systems(Startup, move |mut store: ResMut<GizmoConfigStore>| {
        store.config_mut::<CollisionGizmos>().0.enabled = tools.debug;
    });
    app
}

/// The inspector, which adds the debug drawing. All scenes share its layout.
fn inspector() -> CollisionInspectorPlugin {
    // With what is built, wherever the program is started.
    let layout = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/inspector.ron");
    CollisionInspectorPlugin::default()
        .with_toggle_key(KeyCode::F2)
        .with_layout_file(layout)
}

fn toggle_drawing(keys: Res<ButtonInput<KeyCode>>, mut store: ResMut<GizmoConfigStore>) {
    if keys.just_pressed(KeyCode::F1) {
        let (config, _) = store.config_mut::<CollisionGizmos>();
        config.enabled ^= true;
    }
}

/// Returns the same app without anything to see it: no window, no graphics card, and one tick in each `update()`. So tests can run the drawing.
pub fn unseen(stage: &Stage) -> App {
    let no_window = WindowPlugin {
        primary_window: None,
        exit_condition: ExitCondition::DontExit,
        ..default()
    };
    let no_card = RenderPlugin {
        render_creation: WgpuSettings {
            backends: None,
            ..default()
        }
        .into(),
        ..default()
    };
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(no_window)
            .set(no_card)
            .disable::<WinitPlugin>()
            // The logger may be set only once in a program, and tests are many.
            .disable::<LogPlugin>(),
    )
    .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    furnish(&mut app, stage);
    app
}

fn furnish(app: &mut App, stage: &Stage) {
    app.add_plugins((account::plugin, focus_plugin))
        .insert_resource(ClearColor(Palette::PAPER))
        .insert_resource(WinitSettings::continuous())
        .insert_resource(Time::<Fixed>::from_hz(stage.ticks_per_second))
        .init_resource::<Pointer>()
        .add_systems(Startup, spawn_camera);
    let help = help_text(stage);
    app.add_systems(Startup, move |mut commands: Commands| {
        let place = (8.0, SIZE.y - 6.0);
        commands.spawn((
            Help,
            label(help.clone(), place, Anchor::BOTTOM_LEFT, Palette::FAINT),
        ));
    });
}

/// Returns the keys of the scene, and those of all scenes, in one line if there is room.
fn help_text(stage: &Stage) -> String {
    const LETTERS: usize = 78;
    const TOOLS: &str = "F1: debug   F2: inspector";
    let help = stage.help;
    if help.len() + 3 + TOOLS.len() <= LETTERS {
        format!("{help}   {TOOLS}")
    } else {
        format!("{help}\n{TOOLS}")
    }
}

fn spawn_camera(mut commands: Commands) {
    commands.spawn(Camera2d);
}

/// Follows the mouse; over the panel it does not belong to the game.
fn follow_cursor(
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform), With<Camera2d>>,
    egui: Res<EguiWantsInput>,
    mut pointer: ResMut<Pointer>,
) {
    let (camera, transform) = camera.into_inner();
    let cursor = window.cursor_position();
    let cursor = cursor.filter(|_| !egui.wants_any_pointer_input());
    pointer.0 = cursor.and_then(|cursor| camera.viewport_to_world_2d(transform, cursor).ok());
}
