//! When it is shown, and what it takes note of.

use std::path::PathBuf;

use bevy::{
    app::{App, FixedPostUpdate, Last, Plugin, PreUpdate},
    ecs::{
        intern::Interned,
        prelude::{Res, ResMut},
        resource::Resource,
        schedule::{IntoScheduleConfigs, ScheduleLabel, common_conditions::resource_exists},
    },
    input::{ButtonInput, InputSystems, keyboard::KeyCode},
};
use bevy_egui::{EguiPlugin, EguiPrimaryContextPass};
use tracing::warn;

use super::{
    layout::{Layout, LayoutFile, save_layout},
    panel::show_in_primary_context,
    reports::{ReportLog, log_reports},
    state::CollisionInspector,
};
use crate::{diagnostics::CollisionDiagnosticsPlugin, plugin::CollisionSystems};

/// A panel to look into the world of the [`CollisionPlugin`](crate::plugin::CollisionPlugin), and to change it; [the module](super) tells what is in it.
///
/// Its schedule must be that of the `CollisionPlugin`. Needs the `EguiPlugin` of [`bevy_egui`] to be seen, added before or after; without it, it says so once. Brings the
/// [`CollisionDiagnosticsPlugin`] and the [`CollisionDebugPlugin`](crate::debug::CollisionDebugPlugin), with the drawing switched off; who wants to add these with settings of their own, adds them before.
///
/// Closed at first; by [`CollisionInspector::is_open`], or by a key.
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
#[derive(Clone, Debug)]
pub struct CollisionInspectorPlugin {
    schedule: Interned<dyn ScheduleLabel>,
    toggle_key: Option<KeyCode>,
    layout_file: Option<PathBuf>,
}

impl CollisionInspectorPlugin {
    /// Looks into a plugin that runs in another schedule.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
            toggle_key: None,
            layout_file: None,
        }
    }

    /// A key opens and closes the panel. By default none does.
    #[must_use]
    pub fn with_toggle_key(mut self, key: KeyCode) -> Self {
        self.toggle_key = Some(key);
        self
    }

    /// Remembers from run to run which sections are open, where the window is and how large, and the filters: in a small text file, which is written when they have not changed for a second, when the panel closes, and
    /// at the end of the run. By default they are remembered within a run only.
    ///
    /// A file that cannot be read or written is warned of, and does no harm.
    #[must_use]
    pub fn with_layout_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.layout_file = Some(path.into());
        self
    }
}

impl Default for CollisionInspectorPlugin {
    fn default() -> Self {
        Self::new(FixedPostUpdate)
    }
}

/// The key that opens and closes the panel.
#[derive(Resource)]
struct ToggleKey(KeyCode);

impl Plugin for CollisionInspectorPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<CollisionDiagnosticsPlugin>() {
            app.add_plugins(CollisionDiagnosticsPlugin::new(self.schedule));
        }
        let layout = self.layout_file.as_deref().map(Layout::load);
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
            PreUpdate,
            toggle
                .after(InputSystems)
                .run_if(resource_exists::<ToggleKey>),
        )
        .add_systems(self.schedule, log_reports.after(CollisionSystems::Report))
        .add_systems(EguiPrimaryContextPass, show_in_primary_context)
        .add_systems(Last, save_layout.run_if(resource_exists::<LayoutFile>));
    }

    fn finish(&self, app: &mut App) {
        if !app.is_plugin_added::<EguiPlugin>() {
            warn!(
                "CollisionInspectorPlugin shows nothing by itself, for the app has no EguiPlugin"
            );
        }
    }
}

fn toggle(
    key: Res<ToggleKey>,
    keys: Res<ButtonInput<KeyCode>>,
    mut inspector: ResMut<CollisionInspector>,
) {
    if keys.just_pressed(key.0) {
        inspector.is_open = !inspector.is_open;
    }
}
