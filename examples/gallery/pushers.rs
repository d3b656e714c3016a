//! Pistons, and what is in their way.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{
    building::{Furnish, Room},
    common::{Paint, Palette},
};

pub const ROOM: Room = Room {
    number: 5,
    title: "Pushers",
    wall: [
        "Kinematic bodies push, and are never pushed. With a Velocity they meet",
        "whatever is in their way, at any speed, and shove it along. In a game with",
        "gravity they also carry what stands on them.",
    ],
};

/// Heights between which the pistons go. Below and above is room for the dot.
pub const STROKE: [f32; 2] = [-150.0, 90.0];
pub const PISTON: f32 = 60.0;
/// Where they are along the room.
pub const PISTONS: [f32; 2] = [-80.0, 120.0];
/// Units a second: two a tick.
pub const SPEED: f32 = 120.0;

#[derive(Component)]
pub struct Piston;

pub fn plugin(app: &mut App) {
    app.add_systems(Furnish, spawn)
        .add_systems(FixedUpdate, drive);
}

fn spawn(mut commands: Commands) {
    let [lowest, highest] = STROKE;
    for (x, from) in PISTONS.into_iter().zip([highest, lowest]) {
        commands.spawn((
            ROOM.thing(x, from),
            Piston,
            BoxCollider::square(PISTON),
            Body::Kinematic,
            Velocity(Vec2::NEG_Y * SPEED),
            Paint(Palette::INK),
        ));
    }
    let loose = |x: f32, y: f32| {
        let wood = Color::srgb(0.87, 0.72, 0.50);
        (ROOM.thing(x, y), Paint(wood))
    };
    for (x, y) in [(95.0, -60.0), (120.0, 20.0), (145.0, 80.0)] {
        commands.spawn((loose(x, y), BoxCollider::square(18.0)));
        commands.spawn((loose(x + 6.0, y - 30.0), CircleCollider::new(9.0)));
    }
}

/// Up and down for ever.
fn drive(mut pistons: Query<(&Transform, &mut Velocity), With<Piston>>) {
    let [lowest, highest] = STROKE;
    for (transform, mut velocity) in &mut pistons {
        let height = transform.translation.y;
        if height <= lowest {
            velocity.0.y = SPEED;
        } else if height >= highest {
            velocity.0.y = -SPEED;
        }
    }
}
