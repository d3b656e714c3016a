//! A building with rooms for most features, to walk through with a dot; the writing on the wall tells what there is to see.
//!
//! Arrow keys or WASD walk; `N` and `B` go to the next room and back; `R` puts every thing back to its first place, and the dot to the entrance of its room.
//!
//! The one thing to learn: all of it is made of components. Each room is a file of its own beside this one, with what it spawns, and the few lines of game code that it needs.

pub mod building;
pub mod dot;
pub mod push_out;
pub mod masses;
pub mod sensors;
pub mod layers;
pub mod one_way;
pub mod pushers;
pub mod bouncing;
pub mod tiles;
pub mod questions;
pub mod press;
pub mod left_out;
pub mod filters;
pub mod parts;

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use building::{COUNT, Room};
use common::{Stage, Step, paint_plugin, play};

pub const STAGE: Stage = Stage {
    title: "gallery",
    ticks_per_second: 60.0,
    help: "arrows, WASD: walk   N, B: rooms   R: restart",
    recording: &[
        // Over the round pillar.
        Step::keys(110, &[KeyCode::ArrowRight]),
        // In each further room, its feature. The equal crate:
        Step::keys(1, &[KeyCode::KeyN]),
        Step::keys(25, &[KeyCode::ArrowUp]),
        Step::keys(90, &[KeyCode::ArrowRight]),
        // The carpet and the coins:
        Step::keys(1, &[KeyCode::KeyN]),
        Step::keys(180, &[KeyCode::ArrowRight]),
        // The blue gate:
        Step::keys(1, &[KeyCode::KeyN]),
        Step::keys(36, &[KeyCode::ArrowUp]),
        Step::keys(120, &[KeyCode::ArrowRight]),
        // Through the door, and not back:
        Step::keys(1, &[KeyCode::KeyN]),
        Step::keys(120, &[KeyCode::ArrowRight]),
        Step::keys(40, &[KeyCode::ArrowLeft]),
        // Under the first piston:
        Step::keys(1, &[KeyCode::KeyN]),
        Step::keys(70, &[KeyCode::ArrowRight]),
        Step::keys(80, &[]),
        // Among the balls:
        Step::keys(1, &[KeyCode::KeyN]),
        Step::keys(80, &[KeyCode::ArrowRight]),
        Step::keys(60, &[]),
        // Through the amber:
        Step::keys(1, &[KeyCode::KeyN]),
        Step::keys(150, &[KeyCode::ArrowRight]),
        // Seen, and hidden by the wall:
        Step::keys(1, &[KeyCode::KeyN]),
        Step::keys(57, &[KeyCode::ArrowRight]),
        Step::keys(20, &[]),
        Step::keys(25, &[KeyCode::ArrowRight]),
        Step::keys(20, &[]),
        // Under the press:
        Step::keys(1, &[KeyCode::KeyN]),
        Step::keys(97, &[KeyCode::ArrowRight]),
        Step::keys(150, &[]),
        // Through the curtain, and to the barrier:
        Step::keys(1, &[KeyCode::KeyN]),
        Step::keys(180, &[KeyCode::ArrowRight]),
        // To all lamps, and through the gate:
        Step::keys(1, &[KeyCode::KeyN]),
        Step::keys(64, &[KeyCode::ArrowRight]),
        Step::keys(30, &[KeyCode::ArrowUp]),
        Step::keys(30, &[KeyCode::ArrowDown]),
        Step::keys(100, &[KeyCode::ArrowRight]),
        // With the raft to the rock:
        Step::keys(1, &[KeyCode::KeyN]),
        Step::keys(180, &[KeyCode::ArrowRight]),
    ],
};

/// The rooms, from left to right.
pub const ROOMS: [&Room; COUNT] = [
    &push_out::ROOM,
    &masses::ROOM,
    &sensors::ROOM,
    &layers::ROOM,
    &one_way::ROOM,
    &pushers::ROOM,
    &bouncing::ROOM,
    &tiles::ROOM,
    &questions::ROOM,
    &press::ROOM,
    &left_out::ROOM,
    &filters::ROOM,
    &parts::ROOM,
];

fn main() -> AppExit {
    play(&STAGE, scene, drawing)
}

pub fn scene(app: &mut App) {
    // Seen from above, so nothing stands on anything.
    let from_above = CollisionSettings {
        up: Vec2::ZERO,
        ..default()
    };
    app.add_plugins(CollisionPlugin::default())
        .insert_resource(from_above)
        .add_plugins((building::plugin, dot::plugin))
        .add_plugins((
            push_out::plugin,
            masses::plugin,
            sensors::plugin,
            layers::plugin,
            one_way::plugin,
            pushers::plugin,
            bouncing::plugin,
            tiles::plugin,
            questions::plugin,
            press::plugin,
            left_out::plugin,
            filters::plugin,
            parts::plugin,
        ));
}

pub fn drawing(app: &mut App) {
    app.add_plugins((paint_plugin, building::drawing))
        .add_plugins((push_out::drawing, questions::drawing))
        .add_systems(Startup, write_on_walls);
}

fn write_on_walls(mut commands: Commands) {
    for room in ROOMS {
        room.write_on_wall(&mut commands);
    }
}
