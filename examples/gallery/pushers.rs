//! Pistons, and what is in their way.

use bevy::prelude::*;
use bevy_nudge::prelude::*;
use common::{Paint, Palette, turn_at_ends};

use super::building::{Furnish, Room};

pub const ROOM: Room = Room {
    number: 5,
    title: "Pushers",
    wall: [
        "Kinematic bodies push, and are never pushed. With a Velocity they meet",
        "whatever is in their way, at any speed, and shove it along. In a game with",
        "gravity they also carry what stands on them.",
    ],
};

const PISTON: f32 = 60.0;
/// Where along the room each of the pistons is, and the heights between which it moves. Below and above is room for the dot.
/// The two on the right move together: the lower one pushes up what is in the gap between them, and the upper one pushes it down.
const PISTONS: [(f32, [f32; 2]); 3] = [
    (-80.0, [-150.0, 90.0]),
    (120.0, [-150.0, -30.0]),
    (120.0, [-30.0, 90.0]),
];
/// Units a second: two a tick.
const SPEED: f32 = 120.0;

/// The heights between which the piston moves.
#[derive(Component)]
pub struct Piston([f32; 2]);

pub fn plugin(app: &mut App) {
    app.add_systems(Furnish, spawn)
        .add_systems(FixedUpdate, drive);
}

fn spawn(mut commands: Commands) {
    for (number, (x, heights)) in PISTONS.into_iter().enumerate() {
        let [lowest, highest] = heights;
        let from = if number == 0 { highest } else { lowest };
        commands.spawn((
            ROOM.thing(x, from),
            Piston(heights),
            BoxCollider::square(PISTON),
            Body::Kinematic,
            Velocity(Vec2::NEG_Y * SPEED),
            Paint(Palette::INK),
        ));
    }
    let loose = |x: f32| {
        let wood = Color::srgb(0.87, 0.72, 0.50);
        (ROOM.thing(x, -90.0), Paint(wood))
    };
    commands.spawn((loose(100.0), BoxCollider::square(18.0)));
    commands.spawn((loose(120.0), CircleCollider::new(9.0)));
    commands.spawn((loose(140.0), BoxCollider::square(18.0)));
}

/// Moves the pistons up and down forever.
fn drive(mut pistons: Query<(&Piston, &Transform, &mut Velocity)>) {
    for (Piston(heights), transform, mut velocity) in &mut pistons {
        turn_at_ends(transform.translation.y, *heights, &mut velocity.0.y);
    }
}
