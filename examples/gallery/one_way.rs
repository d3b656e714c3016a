//! Doors that are open in one direction only.

use bevy::prelude::*;
use bevy_nudge::prelude::*;
use common::{Paint, Palette};

use super::building::{FLOOR, Furnish, PATH, Room};

pub const ROOM: Room = Room {
    number: 4,
    title: "One way",
    wall: [
        "These doors are solid from one side, and open from the other: the arrows",
        "show the way. Who is in one already is let out, so nobody is ever caught.",
        "With gravity the same makes a ledge to jump up through.",
    ],
};

/// The heights of the doors, and the directions of their solid sides.
pub const DOORS: [(f32, Vec2); 2] = [(PATH, Vec2::X), (90.0, Vec2::NEG_X)];
pub const THICKNESS: f32 = 12.0;
const DOOR: f32 = 70.0;

pub fn plugin(app: &mut App) {
    app.add_systems(Furnish, spawn);
}

fn spawn(mut commands: Commands) {
    for (height, solid_side) in DOORS {
        commands.spawn((
            ROOM.thing(0.0, height),
            BoxCollider::new(THICKNESS, DOOR),
            Body::Static,
            OneWay(solid_side),
            Paint(Color::srgb(0.45, 0.65, 0.92)),
        ));
        let arrows = if solid_side.x > 0.0 { ">>>" } else { "<<<" };
        for aside in [-36.0, 36.0] {
            commands.spawn(ROOM.sign(arrows.to_owned(), aside, height));
        }
    }
    let ([(lower, _), (upper, _)], half) = (DOORS, DOOR * 0.5);
    for (low, high) in [
        (FLOOR.min.y, lower - half),
        (lower + half, upper - half),
        (upper + half, FLOOR.max.y),
    ] {
        commands.spawn((
            ROOM.thing(0.0, (low + high) * 0.5),
            BoxCollider::new(THICKNESS, high - low),
            Body::Static,
            Paint(Palette::OTHER),
        ));
    }
}
