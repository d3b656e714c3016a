//! What the panel is about.

use bevy::ecs::{entity::Entity, prelude::Resource};
use bevy_egui::egui::Pos2;

use super::{
    layout::{Layout, Section},
    report::Report,
};

/// A tick that is looked at, and how things were before somebody looked back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Past {
    pub(super) tick: u64,
    pub(super) was_paused: bool,
    pub(super) was_drawn: bool,
}

/// The panel: whether it is open, and what is picked. Added by the [`CollisionInspectorPlugin`](super::CollisionInspectorPlugin).
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::{inspector::CollisionInspector, prelude::*};
/// #[derive(Component)]
/// struct Player;
///
/// fn inspect_player(mut inspector: ResMut<CollisionInspector>, player: Single<Entity, With<Player>>) {
///     inspector.is_open = true;
///     inspector.first = Some(*player);
/// }
/// # bevy::ecs::system::assert_is_system(inspect_player);
/// ```
#[derive(Resource, Debug, Default)]
pub struct CollisionInspector {
    /// Whether it is shown. By default it is not.
    pub is_open: bool,
    /// Whom it is about. One that is gone, or has no collider, is told as such.
    pub first: Option<Entity>,
    /// The other one: whether and why the two collide.
    pub second: Option<Entity>,
    pub(super) layout: Layout,
    /// Where in the window the world was clicked last, and who was picked by that.
    pub(super) last_click: Option<(Pos2, Entity)>,
    /// The list as it was, if it is frozen.
    pub(super) frozen: Option<Vec<Report>>,
    /// Only what has to do with this one is listed.
    pub(super) followed: Option<Entity>,
    /// What is searched for.
    pub(super) search: String,
    /// Single ticks that are yet to be run.
    pub(super) steps: u32,
    /// A recorded tick is looked at.
    pub(super) past: Option<Past>,
    /// What became of saving the recording.
    pub(super) saved: Option<Result<String, String>>,
    /// What a shortcut opens.
    pub(super) to_open: Option<Section>,
    /// Somebody types into a field of the panel, as it was shown since the keys were last read.
    pub(super) is_typed_into: bool,
}

impl CollisionInspector {
    /// Picks one, as the first or the second.
    pub(super) fn pick(&mut self, entity: Entity, as_second: bool) {
        let place = if as_second {
            &mut self.second
        } else {
            &mut self.first
        };
        *place = Some(entity);
    }
}
