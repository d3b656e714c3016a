//! Draws the collision world over the game with Bevy's gizmos: shapes, contacts, paths, queries, and colliders that take no part.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_nudge::{debug::{CollisionDebugPlugin, CollisionGizmos}, prelude::*};
//!
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, bevy::asset::AssetPlugin::default(), bevy::mesh::MeshPlugin, bevy::gizmos::GizmoPlugin, TransformPlugin));
//! app.add_plugins((CollisionPlugin::default(), CollisionDebugPlugin)) // beside DefaultPlugins
//!     .insert_gizmo_config(
//!         CollisionGizmos { bounding_boxes: true, ..default() },
//!         GizmoConfig::default(),
//!     );
//!
//! fn toggle(keys: Res<ButtonInput<KeyCode>>, mut store: ResMut<GizmoConfigStore>) {
//!     if keys.just_pressed(KeyCode::F1) {
//!         let (config, layers) = store.config_mut::<CollisionGizmos>();
//!         config.enabled ^= true; // all of it
//!         layers.strips = true; // one more layer
//!     }
//! }
//! # app.finish(); app.cleanup(); app.update();
//! # let store = app.world().resource::<GizmoConfigStore>();
//! # assert!(store.config::<CollisionGizmos>().1.bounding_boxes);
//! ```
//!
//! The drawing shows, in the same frame, the newest tick, and what has been spawned and despawned since: where the plugin believes things to be. Where a game draws a body somewhere else, on purpose (by
//! interpolation) or not, the two can be compared.

mod layers;
pub(crate) mod lazily;
pub(crate) mod view;
pub(crate) mod pen;
mod colliders;
pub(crate) mod inactive;
mod contacts;
mod questions;
mod strips;
mod plugin;

pub use layers::{CollisionColors, CollisionGizmos};
pub use plugin::{CollisionDebugPlugin, DrawnSnapshot};
