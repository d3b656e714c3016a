//! The plugin: when the panel is shown, and which input it keeps.

use std::{hash::Hash, path::PathBuf};

use bevy::{
    app::{App, First, Last, Plugin, PreUpdate},
    diagnostic::DiagnosticsStore,
    ecs::{
        entity::Entity,
        message::{MessageCursor, Messages},
        prelude::{Res, ResMut, Resource},
        schedule::{IntoScheduleConfigs, common_conditions::resource_exists},
        system::Local,
    },
    gizmos::{
        AppGizmoBuilder, GizmoMeshSystems, GizmoPlugin,
        config::{GizmoConfig, GizmoConfigStore, GizmoLineConfig},
    },
    input::{
        ButtonInput, ButtonState, InputSystems,
        keyboard::{Key, KeyCode, KeyboardInput, NativeKey, NativeKeyCode},
    },
    time::{Time, TimeSystems, Virtual},
};
use bevy_egui::{EguiGlobalSettings, EguiPlugin, EguiPreUpdateSet, EguiPrimaryContextPass};
use tracing::warn;

use super::{
    camera::hand_on_context,
    layout::Layout,
    layout_file::{LayoutFile, save_layout},
    outline::{PickedGizmos, follow_layers, is_any_picked, outline_picked},
    panel::{is_shortcut, show_in_primary_context},
    past::{is_left, return_from_left},
    plot::keep_history,
    report_log::{ReportLog, log_reports},
    state::CollisionInspector,
    time::pass_single_tick,
};
use crate::{
    debug::{CollisionDebugPlugin, CollisionGizmos, lazily::run_lazily},
    diagnostics::CollisionDiagnosticsPlugin,
    plugin::{CollisionSystems, add_beside_collisions, require_collisions},
    recorder::{CollisionRecorder, CollisionRecorderPlugin},
    tick::report::{notify_observers, report_contacts},
};

/// Adds a panel that shows the state of the [`CollisionPlugin`](crate::plugin::CollisionPlugin), and can change it; [the module](super) tells what is in it.
///
/// - The panel is visible only with the `EguiPlugin` of [`bevy_egui`], added before or after; without that, this plugin warns once.
/// - It adds the [`CollisionDiagnosticsPlugin`], the [`CollisionDebugPlugin`] with the drawing switched off, and the [`CollisionRecorderPlugin`] with the recorder switched off. To have any of these on from the start, or with other settings, add them before.
///
/// The panel is closed at first; [`CollisionInspector::is_open`] opens it, or a key.
///
/// # Panics
/// When the app starts without a [`CollisionPlugin`](crate::plugin::CollisionPlugin).
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::{inspector::CollisionInspectorPlugin, prelude::*};
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, TransformPlugin, bevy::input::InputPlugin));
/// app.add_plugins((
///     CollisionPlugin::default(),
///     CollisionInspectorPlugin::default()
///         .with_toggle_key(KeyCode::F2)
///         .with_layout_file("target/inspector.ron"),
/// ));
/// # app.finish(); app.cleanup(); app.update();
/// ```
#[derive(Clone, Debug, Default)]
pub struct CollisionInspectorPlugin {
    toggle_key: Option<KeyCode>,
    layout_file: Option<PathBuf>,
}

impl CollisionInspectorPlugin {
    /// Sets a key that opens and closes the panel. By default there is none.
    #[must_use]
    pub fn with_toggle_key(mut self, key: KeyCode) -> Self {
        self.toggle_key = Some(key);
        self
    }

    /// Remembers from run to run which sections are open, the place and size of the window, and the filters, in a small text file. It is written when they have not changed for a second, when the panel closes, and
    /// at the end of the run. By default they are remembered within a run only.
    ///
    /// A file that cannot be read or written causes a warning, and nothing else; one that makes no sense stays as it is, and nothing is remembered from this run. In a browser there are no files, and nothing is remembered from run to run.
    #[must_use]
    pub fn with_layout_file(mut self, path: impl Into<PathBuf>) -> Self {
        let has_files = !cfg!(target_family = "wasm");
        self.layout_file = has_files.then(|| path.into());
        self
    }
}

/// The key that opens and closes the panel.
#[derive(Resource)]
struct ToggleKey(KeyCode);

/// Marks that this plugin added the drawing, which is off until the user switches it on.
#[derive(Resource)]
struct DrawingIsOff;

impl Plugin for CollisionInspectorPlugin {
    fn build(&self, app: &mut App) {
        bring_plugins(app);
        let layout = self.layout_file.as_deref().and_then(Layout::load);
        if let (Some(path), Some(saved)) = (self.layout_file.clone(), layout.clone()) {
            app.insert_resource(LayoutFile { path, saved });
        }
        if let Some(key) = self.toggle_key {
            app.insert_resource(ToggleKey(key));
        }
        app.insert_resource(CollisionInspector {
            layout: layout.unwrap_or_default(),
            ..CollisionInspector::default()
        })
        .init_resource::<ReportLog>()
        .add_systems(
            First,
            pass_single_tick
                .after(TimeSystems)
                .run_if(resource_exists::<Time<Virtual>>),
        )
        .add_systems(
            PreUpdate,
            (
                toggle
                    .run_if(resource_exists::<ToggleKey>)
                    // A headless game has no keys.
                    .run_if(resource_exists::<ButtonInput<KeyCode>>),
                keep_keys_from_game.run_if(resource_exists::<Messages<KeyboardInput>>),
                return_from_left.run_if(is_left),
            )
                .chain()
                .after(InputSystems)
                .after(EguiPreUpdateSet::ProcessInput),
        )
        .add_systems(
            PreUpdate,
            hand_on_context
                .before(EguiPreUpdateSet::InitContexts)
                .run_if(resource_exists::<EguiGlobalSettings>),
        )
        .add_systems(EguiPrimaryContextPass, show_in_primary_context)
        .add_systems(Last, save_layout.run_if(resource_exists::<LayoutFile>));
        add_beside_collisions(app, |app, schedule| {
            // Observers may despawn what has collided, and names are gone with it.
            let log_reports = log_reports
                .in_set(CollisionSystems::Report)
                .after(report_contacts)
                .before(notify_observers)
                // Of the recorder it reads only whether it is on, and no system of a tick changes that.
                .ambiguous_with_all();
            app.add_systems(schedule, log_reports);
        });
    }

    // The other plugins may be added after this one.
    fn finish(&self, app: &mut App) {
        require_collisions(app, "CollisionInspectorPlugin");
        if !app.is_plugin_added::<EguiPlugin>() {
            warn!(
                "CollisionInspectorPlugin shows nothing by itself, for the app has no EguiPlugin of bevy_egui"
            );
        }
        if app.is_plugin_added::<GizmoPlugin>() {
            prepare_gizmos(app);
        }
    }
}

/// Adds the plugins whose data the panel shows, unless the game did.
fn bring_plugins(app: &mut App) {
    if !app.is_plugin_added::<CollisionDiagnosticsPlugin>() {
        app.add_plugins(CollisionDiagnosticsPlugin);
        if let Some(mut store) = app.world_mut().get_resource_mut::<DiagnosticsStore>() {
            keep_history(&mut store);
        }
    }
    if !app.is_plugin_added::<CollisionDebugPlugin>() {
        app.add_plugins(CollisionDebugPlugin)
            .insert_resource(DrawingIsOff);
    }
    if !app.is_plugin_added::<CollisionRecorderPlugin>() {
        app.add_plugins(CollisionRecorderPlugin);
        // Off until the user switches it on.
        app.world_mut().resource_mut::<CollisionRecorder>().is_on = false;
    }
}

fn prepare_gizmos(app: &mut App) {
    let line = GizmoLineConfig {
        width: 4.0,
        ..GizmoLineConfig::default()
    };
    let above_all = GizmoConfig {
        line,
        depth_bias: -1.0,
        ..GizmoConfig::default()
    };
    app.insert_gizmo_config(PickedGizmos, above_all)
        .add_systems(
            Last,
            (follow_layers, run_lazily(outline_picked))
                .chain()
                .before(GizmoMeshSystems)
                .run_if(is_any_picked),
        );
    let store = app.world().resource::<GizmoConfigStore>();
    let is_configured = store.get_config::<CollisionGizmos>().is_some();
    if app.world().contains_resource::<DrawingIsOff>() && !is_configured {
        let off = GizmoConfig {
            enabled: false,
            ..GizmoConfig::default()
        };
        app.insert_gizmo_config(CollisionGizmos::default(), off);
    }
}

/// Opens and closes the panel, unless the key is a letter that is being typed into it.
fn toggle(
    key: Res<ToggleKey>,
    keys: Res<ButtonInput<KeyCode>>,
    messages: Option<Res<Messages<KeyboardInput>>>,
    mut cursor: Local<MessageCursor<KeyboardInput>>,
    mut inspector: ResMut<CollisionInspector>,
) {
    let types = messages.is_some_and(|messages| {
        let mut own = cursor
            .read(&messages)
            .filter(|message| message.key_code == key.0);
        own.any(|message| message.text.is_some())
    });
    let is_typed_into = inspector.is_open && inspector.is_typed_into;
    if keys.just_pressed(key.0) && !(is_typed_into && types) {
        inspector.is_open = !inspector.is_open;
    }
}

/// Hides from the game what is typed into a field of the panel, and the panel's shortcuts.
fn keep_keys_from_game(
    mut inspector: ResMut<CollisionInspector>,
    mut codes: ResMut<ButtonInput<KeyCode>>,
    mut keys: ResMut<ButtonInput<Key>>,
    mut messages: ResMut<Messages<KeyboardInput>>,
    mut cursor: Local<MessageCursor<KeyboardInput>>,
    mut kept: Local<Vec<KeyCode>>,
) {
    // The cursor reads the messages since the last frame, whenever old ones are dropped.
    let newest = cursor.read_mut(&mut messages);
    // Reset here, so it stays set only if the panel sets it again, which it does not once it is closed, nor while no camera shows it.
    let is_typed_into = inspector.is_typed_into;
    if is_typed_into {
        inspector.is_typed_into = false;
    }
    if !inspector.is_open {
        return;
    }
    if is_typed_into {
        keep_all_from_game(&mut codes);
        keep_all_from_game(&mut keys);
        // The game must see the release of keys that it saw pressed, whenever it reads messages: so what was typed is made illegible, and no message is removed.
        for message in newest {
            if message.state == ButtonState::Pressed {
                *message = illegible(message.window);
            }
        }
        return;
    }
    // A browser may run on any machine.
    let (is_mac, is_browser) = (cfg!(target_os = "macos"), cfg!(target_family = "wasm"));
    let is_command = (is_mac || is_browser)
        && codes.any_pressed([KeyCode::SuperLeft, KeyCode::SuperRight])
        || !is_mac && codes.any_pressed([KeyCode::ControlLeft, KeyCode::ControlRight]);
    for message in newest {
        let KeyboardInput {
            key_code, repeat, ..
        } = *message;
        // By their letters, as the panel handles them, and not by their places on the keyboard. A key in `kept` is still kept when Ctrl is released first and the letter goes on repeating.
        let is_kept = (is_command && is_shortcut(message)) || (repeat && kept.contains(&key_code));
        kept.retain(|kept| *kept != key_code);
        if is_kept && message.state == ButtonState::Pressed {
            kept.push(key_code);
            codes.reset(key_code);
            keys.reset(message.logical_key.clone());
        }
    }
}

/// Returns a message that tells of no key, and that none is pressed.
fn illegible(window: Entity) -> KeyboardInput {
    KeyboardInput {
        key_code: KeyCode::Unidentified(NativeKeyCode::Unidentified),
        logical_key: Key::Unidentified(NativeKey::Unidentified),
        state: ButtonState::Released,
        text: None,
        repeat: false,
        window,
    }
}

/// Releases for the game all keys that it saw pressed, and hides those that were pressed in this frame.
fn keep_all_from_game<T: Clone + Eq + Hash + Send + Sync + 'static>(input: &mut ButtonInput<T>) {
    let new: Vec<T> = input.get_just_pressed().cloned().collect();
    for key in new {
        input.reset(key);
    }
    input.release_all();
}
