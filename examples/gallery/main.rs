//! A building with a room for each feature, to walk through with a dot; what there is to see is written on the wall.
//!
//! Arrow keys or WASD walk; `N` and `B` go to the next room and back; `R` puts every thing back to where it was, and the dot to the entrance of its room.
//!
//! The one thing to learn: all of it is components. Each room is a file of its own beside this one, with what it spawns, and the few lines of game that it needs.

#[path = "../common/mod.rs"]
pub mod common;

pub mod building;
pub mod dot;
pub mod masses;
pub mod push_out;

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use building::Room;
use common::{Stage, Step, paint_plugin, play};

pub const STAGE: Stage = Stage {
    title: "gallery",
    ticks_per_second: 60.0,
    help: "arrows, WASD: walk   N, B: next room, back   R: restart",
    recording: &[
        // Over the round pillar, and up to the end of the room.
        Step::keys(200, &[KeyCode::ArrowRight]),
    ],
};

/// The rooms, from left to right.
pub const ROOMS: [&Room; 2] = [&push_out::ROOM, &masses::ROOM];

fn main() -> AppExit {
    play(&STAGE, scene, drawing)
}

pub fn scene(app: &mut App) {
    // Seen from above, nothing stands on anything.
    app.insert_resource(CollisionSettings {
        up: Vec2::ZERO,
        ..default()
    })
    .add_plugins((building::plugin, dot::plugin))
    .add_plugins((push_out::plugin, masses::plugin));
}

pub fn drawing(app: &mut App) {
    app.add_plugins((paint_plugin, building::drawing))
        .add_systems(Startup, write_on_walls);
}

fn write_on_walls(mut commands: Commands) {
    for room in ROOMS {
        room.write_on_wall(&mut commands);
    }
}
