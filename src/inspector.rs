//! A panel in the running game: shows what collides, why or why not, and how long it takes, and lets the developer change it on the spot. Behind the feature `inspector`.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_nudge::{inspector::{CollisionInspector, CollisionInspectorPlugin}, prelude::*};
//!
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TransformPlugin, bevy::input::InputPlugin));
//! // Beside DefaultPlugins and `bevy_nudge::inspector::bevy_egui::EguiPlugin::default()`, without which the panel is not shown.
//! app.add_plugins((CollisionPlugin::default(), CollisionInspectorPlugin::default().with_toggle_key(KeyCode::F2)));
//!
//! // Or without a key.
//! app.world_mut().resource_mut::<CollisionInspector>().is_open = true;
//! # app.finish(); app.cleanup(); app.update();
//! ```
//!
//! # The sections
//!
//! | section | shows and does |
//! |---|---|
//! | Time | pauses, runs single ticks, slows down |
//! | Recorder | records the last seconds, shows any of their ticks as it was, saves them to a file |
//! | Counts | how many colliders, contacts, starts and ends |
//! | Stages | how long each stage of the tick takes, over time |
//! | Contacts | what collides, and what the newest ticks reported: filtered, frozen, or for one entity alone |
//! | Entity | the picked entity: shape, body, layers, partners, reports, why it takes no part; for two, [why they do or don't collide](crate::query::explain) |
//! | Edit | size, offset, layers, body, mass, response, velocity of the picked entity |
//! | Drawing | the layers of the [drawing](crate::debug::CollisionGizmos), each with its switch |
//!
//! # Picking
//!
//! A click in the world picks the collider there, a click with Ctrl held (Cmd on macOS) the second one; another click in the same place picks the collider below. Names in the panel can be clicked to pick likewise. Colliders that are disabled, or refused for invalid input, can be
//! picked too. The game also gets the clicks in the world, and those on the panel: a game that reads the mouse itself asks `EguiWantsInput` of `bevy_egui` which clicks are for it.
//!
//! A click on a clickable widget of the game's own egui does not pick. A click on the bare background of its panels does, if these are on egui's background layer, as in the examples of `bevy_egui`.
//!
//! Where cameras overlap, a click picks through the topmost camera that shows the drawing: its render layers include one of the [drawing's](crate::debug::CollisionGizmos) group.
//!
//! # Several cameras
//!
//! `bevy_egui` draws the panel with the first camera that is spawned; when that camera is despawned, an open panel is drawn with another active one. If another camera draws over the whole window after it, such as that of a menu, the panel is hidden. In that case give the panel to that camera:
//!
//! ```
//! use bevy::{camera::visibility::RenderLayers, prelude::*};
//! use bevy_nudge::inspector::bevy_egui::{EguiGlobalSettings, PrimaryEguiContext};
//!
//! fn spawn_cameras(mut commands: Commands, mut settings: ResMut<EguiGlobalSettings>) {
//!     settings.auto_create_primary_context = false;
//!     commands.spawn(Camera2d);
//!     let above = Camera { order: 1, clear_color: ClearColorConfig::None, ..default() };
//!     commands.spawn((Camera2d, above, RenderLayers::layer(1), PrimaryEguiContext));
//! }
//! # bevy::ecs::system::assert_is_system(spawn_cameras);
//! ```
//!
//! # Pause and single ticks
//!
//! These use Bevy's virtual time:
//!
//! - **Pause:** while virtual time is paused, `Time` does not pass and there are no fixed ticks, but frames go on: systems in `Update` run, and see that no time has passed.
//! - **Single step:** one frame in which as much virtual time passes as a fixed tick takes. There is exactly one tick in it, and `Update` sees that time too, as in a game with just this frame rate.
//! - **Slow motion:** the relative speed of the virtual time: fewer ticks a second, each as long as before.
//!
//! Systems that read the real time are not affected. A `CollisionPlugin` in a schedule other than a fixed one runs in every frame, paused or not, unless the game says [otherwise](crate::guide::schedules).
//!
//! # Looking back
//!
//! The [recorder](crate::recorder) keeps the last seconds while it is switched on. Move its slider to see a tick as it was: [drawn](crate::debug::DrawnSnapshot) over the game, in the list, and for the picked entities. The game is paused
//! meanwhile; its own state does not go back, and what it draws itself stays as it is. Of starts, ends and crushes the panel knows the newest 2000 that were reported while it was open, or the recorder on. "live" returns to the game. So does anything that lets time pass, and closing the panel.
//!
//! # Keys
//!
//! The whole panel works by keyboard: Tab and Shift+Tab go from one widget to the next, Space or Enter press it, arrow keys move sliders and numbers.
//!
//! On macOS, Cmd takes the place of Ctrl.
//!
//! | keys | do |
//! |---|---|
//! | Ctrl+P | pause or resume |
//! | Ctrl+N | the next tick, while paused |
//! | Ctrl+F | go to the filter of the list |
//! | Ctrl+E | go to the search for an entity |
//! | Ctrl+Left, Ctrl+Right | go a recorded tick back, or forward |
//!
//! While the panel is open, the game's `ButtonInput` gets none of these keys (the `KeyboardInput` messages do reach it), and nothing that is typed into a field of the panel: a message of that reaches it as one of an unidentified key that goes up. It gets all other keys.
//!
//! # Cost
//!
//! Closed, the panel costs one check of a switch in each of its systems, and the [diagnostics](crate::diagnostics) that it brings, which measure each tick; while the recorder is on, it also keeps the newest reports, with the names in them; once it has been open, colliders are also noted as they are spawned, as by a system with a [`SpatialQuery`](crate::query::SpatialQuery). Open, it keeps the reports as well, and costs what its open sections show: only the visible rows of a list are built, but its filter looks at every contact, and a search for an entity at every collider and body.

mod layout;
mod names;
mod report;
mod state;
mod layout_file;
mod report_log;
mod counts;
mod plot;
mod drawing;
mod past;
mod described;
mod list;
mod entity;
mod number;
mod time;
mod edit;
mod recorder;
mod pick;
mod outline;
mod camera;
mod panel;
mod plugin;

pub use bevy_egui;
pub use panel::show_inspector;
pub use plugin::CollisionInspectorPlugin;
pub use state::CollisionInspector;
