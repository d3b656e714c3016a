//! Balls in a frame.

use bevy::prelude::*;
use bevy_nudge::prelude::*;
use common::{Paint, Palette};

use super::building::{Furnish, PATH, Room};

pub const ROOM: Room = Room {
    number: 6,
    title: "Bouncing",
    wall: [
        "A Velocity leads through nothing, and Response::Bounce throws it back. The",
        "frame is a BoundsCollider: solid on its outside, for the layer of the balls.",
        "The dot is on another one, and far heavier than a ball. Walk in and play.",
    ],
};

pub const FRAME: Vec2 = Vec2::new(440.0, 240.0);
const BALLS: u32 = 1 << 3;
/// That of the dot is 1.
const BALL_MASS: f32 = 0.001;
/// Radius, place and velocity of each.
const START: [(f32, Vec2, Vec2); 4] = [
    (8.0, Vec2::new(-100.0, 20.0), Vec2::new(240.0, 180.0)),
    (11.0, Vec2::new(0.0, -80.0), Vec2::new(-300.0, 120.0)),
    (14.0, Vec2::new(120.0, 40.0), Vec2::new(180.0, -260.0)),
    (20.0, Vec2::new(150.0, -90.0), Vec2::new(-90.0, -60.0)),
];

#[derive(Component)]
pub struct Ball;

pub fn plugin(app: &mut App) {
    app.add_systems(Furnish, spawn);
}

fn spawn(mut commands: Commands) {
    commands.spawn((
        ROOM.thing(0.0, PATH),
        BoundsCollider::from_size(FRAME),
        // For the balls alone: the dot and all else are outside of this frame, where a room is solid.
        CollisionLayers::on(BALLS).with(BALLS),
    ));
    for (radius, place, velocity) in START {
        commands.spawn((
            ROOM.thing(place.x, place.y),
            Ball,
            CircleCollider::new(radius),
            CollisionLayers::on(BALLS),
            Velocity(velocity),
            Response::bounce(1.0),
            // The dot stands like a wall: were a ball as heavy, it would leave its speed to the dot, which walks by the keys.
            Mass(BALL_MASS),
            Paint(Palette::GOOD),
        ));
    }
}
