//! The state of the panel.

use bevy::ecs::{entity::Entity, prelude::Resource};
use bevy_egui::egui::Pos2;

use super::{
    layout::{Layout, Section},
    report::Report,
};

/// The tick that is looked back at, and the state to return to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Past {
    pub(super) tick: u64,
    pub(super) was_paused: bool,
    pub(super) was_drawn: bool,
}

/// The state of the panel: whether it is open, and what is picked. Added by the [`CollisionInspectorPlugin`](super::CollisionInspectorPlugin).
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
    /// Whether the panel is shown. Default false.
    pub is_open: bool,
    /// The picked entity. The panel says so if it is gone, or has no collider.
    pub first: Option<Entity>,
    /// The second picked entity: the panel says whether and why the two collide.
    pub second: Option<Entity>,
    pub(super) layout: Layout,
    /// Where in the window the world was clicked last, and the entity that was picked by that.
    pub(super) last_click: Option<(Pos2, Entity)>,
    /// The list at the time it was frozen; `None` if it is not.
    pub(super) frozen: Option<Vec<Report>>,
    /// If set, only reports about this entity are listed.
    pub(super) followed: Option<Entity>,
    /// The text of the search for an entity.
    pub(super) search: String,
    /// How many single ticks are still to run.
    pub(super) steps: u32,
    /// The recorded tick that is looked back at.
    pub(super) past: Option<Past>,
    /// The result of saving the recording, as a text.
    pub(super) saved: Option<Result<String, String>>,
    /// The section that a shortcut opens.
    pub(super) to_open: Option<Section>,
    /// Whether the user types into a field of the panel; set when the panel is shown, and cleared when the keys are read.
    pub(super) is_typed_into: bool,
}

impl CollisionInspector {
    /// Picks an entity, as the first or the second.
    pub(super) fn pick(&mut self, entity: Entity, as_second: bool) {
        let place = if as_second {
            &mut self.second
        } else {
            &mut self.first
        };
        *place = Some(entity);
    }
}
