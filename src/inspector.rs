//! A panel in the running game: what collides, why or why not, how long it takes, and all of it to be changed on the spot. Behind the feature `inspector`.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_nudge::{inspector::{CollisionInspector, CollisionInspectorPlugin}, prelude::*};
//!
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TransformPlugin, bevy::input::InputPlugin));
//! // Beside DefaultPlugins and `bevy_nudge::inspector::bevy_egui::EguiPlugin::default()`, without which nothing of it is seen.
//! app.add_plugins((CollisionPlugin::default(), CollisionInspectorPlugin::default().with_toggle_key(KeyCode::F2)));
//!
//! // Or without a key.
//! app.world_mut().resource_mut::<CollisionInspector>().is_open = true;
//! # app.finish(); app.cleanup(); app.update();
//! ```
//!
//! # What is in it
//!
//! | section | tells, and does |
//! |---|---|
//! | Time | pauses, runs single ticks, slows down |
//! | Recorder | records the last seconds, shows any tick of them as it was, saves them to a file |
//! | Counts | how many colliders, contacts, starts and ends |
//! | Stages | what each stage of the tick takes, over time |
//! | Contacts | what collides, and what the newest ticks reported: filtered, frozen, or of one entity alone |
//! | Entity | what is picked: shape, body, layers, partners, reports, why it takes no part; of two, [why they do or don't collide](crate::query::explain) |
//! | Edit | size, offset, layers, body, mass, response, velocity of what is picked |
//! | Drawing | the layers of the [drawing](crate::debug::CollisionGizmos), each with its switch |
//!
//! # Picking
//!
//! A click in the world picks the collider there, one with Ctrl held the second one; again in the same place, what is below. Names in the panel are picked likewise. What is off or refused for bad input can be
//! picked too. A click in the world is also the game's, as ever, and so are those on the panel: a game that looks at the mouse itself asks `EguiWantsInput` of `bevy_egui` whose they are.
//!
//! A click on something of the game's own egui that can be clicked is not one in the world. One on the bare background of its panels is, where they are on egui's background layer, as in the examples of `bevy_egui`.
//!
//! Where cameras overlap, a click is looked for in the topmost one that shows the drawing: by its render layers, those of the [drawing's](crate::debug::CollisionGizmos) group.
//!
//! # Several cameras
//!
//! `bevy_egui` draws the panel with the first camera that there is; once that one is gone, an open panel is drawn with another one that is active. If another one draws over the whole window after it, as for a menu, nothing of the panel is seen. Then it belongs to that one:
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
//! They go by Bevy's virtual time. While it is paused, `Time` does not pass and there are no fixed ticks, but frames go on: systems in `Update` run, and see that no time has passed. A single step is one frame in which as
//! much virtual time passes as a fixed tick takes: there is exactly one tick in it, and `Update` sees that time too, as in a game with just this frame rate. Slow motion is the relative speed of the virtual time: fewer
//! ticks a second, each as long as ever. What looks at the real time notices nothing of all this. A `CollisionPlugin` in another schedule than a fixed one runs in every frame, paused or not, unless the game says [otherwise](crate::guide::schedules).
//!
//! # Looking back
//!
//! The [recorder](crate::recorder) keeps the last seconds while it is switched on. Move its slider to see a tick as it was: [drawn](crate::debug::DrawnSnapshot) over the game, in the list, and of what is picked. The game is paused
//! meanwhile; it does not go back, and what it draws itself stays as it is. "live" returns to it. So does whatever lets time pass, and closing the panel.
//!
//! # Keys
//!
//! All of it works by keyboard: Tab and Shift+Tab go from one thing to the next, Space or Enter press it, arrow keys move sliders and numbers.
//!
//! | keys | do |
//! |---|---|
//! | Ctrl+P | pause, or go on |
//! | Ctrl+N | the next tick, while paused |
//! | Ctrl+F | to the filter of the list |
//! | Ctrl+E | to the search for an entity |
//! | Ctrl+Left, Ctrl+Right | a recorded tick back, or on |
//!
//! In its `ButtonInput` the game gets none of these while the panel is open (the messages `KeyboardInput` it does), and nothing that is typed into a field of it; all other keys are the game's.
//!
//! # Cost
//!
//! Closed, the panel costs a look at a switch in each of its systems. Open, it costs what its open sections show: a list is made only of the rows that are seen, but its filter looks at every contact.

mod layout;
mod names;
mod report;
mod state;
mod layout_file;
mod report_log;
mod counts;
mod plot;
mod time;
mod drawing;
mod past;
mod described;
mod list;
mod entity;
mod number;
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
