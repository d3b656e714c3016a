//! Keeps the layout of the panel in a file.

use std::{path::PathBuf, time::Duration};

use bevy::{
    app::AppExit,
    ecs::{
        message::MessageReader,
        prelude::{Local, Res, ResMut, Resource},
    },
    platform::time::Instant,
};
use tracing::warn;

use super::{layout::Layout, state::CollisionInspector};

/// The file of the layout.
#[derive(Resource, Debug)]
pub(super) struct LayoutFile {
    pub(super) path: PathBuf,
    /// The layout that is in the file.
    pub(super) saved: Layout,
}

/// How long a layout must be unchanged before it is written, so that a window being dragged is not written in each frame.
const CALM: Duration = Duration::from_secs(1);

/// Writes a layout that has not changed for a while, or that must be written now: at the end of the run, or when the panel closes.
pub(super) fn save_layout(
    inspector: Res<CollisionInspector>,
    mut file: ResMut<LayoutFile>,
    mut exits: MessageReader<AppExit>,
    mut last: Local<Option<(Layout, Instant)>>,
) {
    let is_over = exits.read().count() > 0;
    let layout = &inspector.layout;
    if *layout == file.saved {
        *last = None;
        return;
    }
    let since = match &*last {
        Some((known, since)) if known == layout => *since,
        _ => {
            let now = Instant::now();
            *last = Some((layout.clone(), now));
            now
        }
    };
    if is_over || !inspector.is_open || since.elapsed() >= CALM {
        if let Err(error) = layout.save(&file.path) {
            warn!(
                "The inspector's layout cannot be written to {}: {error}",
                file.path.display()
            );
        }
        // Also if it could not be written, so that writing is not tried again in each frame.
        file.saved = layout.clone();
    }
}
