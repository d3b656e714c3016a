//! Crates that give way, by their masses.

use bevy::prelude::*;
use bevy_nudge::prelude::*;
use common::Paint;

use super::building::{Furnish, Room};

pub const ROOM: Room = Room {
    number: 1,
    title: "Masses",
    wall: [
        "Two that can move share a push by their masses; that of the dot is 1.",
        "The crates have 1/4, 1 and 4. In front of the dot they move at 4/5, 1/2",
        "and 1/5 of its speed.",
    ],
};

/// Each crate, its mass, and the height of its lane. All are at the same distance from the door.
pub const CRATES: [(&str, f32, f32); 3] = [
    ("the light crate", 0.25, 96.0),
    ("the equal crate", 1.0, 44.0),
    ("the heavy crate", 4.0, -130.0),
];
pub const CRATE: f32 = 30.0;
pub const CRATES_X: f32 = -140.0;

pub fn plugin(app: &mut App) {
    app.add_systems(Furnish, spawn);
}

fn spawn(mut commands: Commands) {
    for (name, mass, lane) in CRATES {
        commands.spawn((
            ROOM.named(name, CRATES_X, lane),
            BoxCollider::square(CRATE),
            Mass(mass),
            // The heavier, the darker.
            Paint(Color::srgb(0.87, 0.72, 0.50).mix(&Color::srgb(0.42, 0.30, 0.16), mass * 0.25)),
        ));
        commands.spawn(ROOM.sign(format!("{mass}"), CRATES_X - 40.0, lane));
    }
}
