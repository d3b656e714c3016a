//! Gates that let only one color pass.

use bevy::prelude::*;
use bevy_nudge::prelude::*;
use common::{Paint, Palette};

use super::{
    building::{FLOOR, Furnish, Room},
    dot::{BLUE, Dot, RED},
};

pub const ROOM: Room = Room {
    number: 3,
    title: "Layers",
    wall: [
        "The dot is on the layer of its colour; the paint on the floor changes it.",
        "Two colliders meet if both agree: a gate filters out the layer of its own",
        "colour.",
    ],
};

/// The x of the wall, and the heights of the gates in it.
pub const WALL: f32 = 40.0;
pub const BLUE_GATE: f32 = 76.0;
pub const RED_GATE: f32 = -140.0;
pub const THICKNESS: f32 = 16.0;
const GATE: f32 = 70.0;

/// A color, as the player and as the plugin sees it.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
struct Tint {
    color: Color,
    layer: u32,
}

const TINTS: [Tint; 2] = [
    Tint {
        color: Palette::PLAYER,
        layer: BLUE,
    },
    Tint {
        color: Palette::HIT,
        layer: RED,
    },
];

pub fn plugin(app: &mut App) {
    app.add_systems(Furnish, (spawn, start_blue))
        .add_systems(FixedPostUpdate, dye.after(CollisionSystems::Report));
}

fn spawn(mut commands: Commands) {
    for (tint, height) in TINTS.into_iter().zip([BLUE_GATE, RED_GATE]) {
        commands.spawn((
            ROOM.thing(WALL, height),
            BoxCollider::new(THICKNESS, GATE),
            Body::Static,
            CollisionLayers::DEFAULT.without(tint.layer),
            Paint(tint.color.with_alpha(0.6)),
        ));
        commands.spawn((
            ROOM.thing(-220.0, height),
            tint,
            BoxCollider::square(60.0),
            Body::Static,
            Sensor,
            Paint(tint.color.with_alpha(0.7)),
        ));
    }
    let half = GATE * 0.5;
    for (low, high) in [
        (FLOOR.min.y, RED_GATE - half),
        (RED_GATE + half, BLUE_GATE - half),
        (BLUE_GATE + half, FLOOR.max.y),
    ] {
        commands.spawn((
            ROOM.thing(WALL, (low + high) * 0.5),
            BoxCollider::new(THICKNESS, high - low),
            Body::Static,
            Paint(Palette::OTHER),
        ));
    }
}

type Dyed = (&'static mut CollisionLayers, &'static mut Paint);

fn start_blue(mut dot: Single<Dyed, With<Dot>>) {
    let [blue, _] = TINTS;
    dot.0.memberships = blue.layer;
    *dot.1 = Paint(blue.color);
}

fn dye(
    mut collisions: CollisionReader<With<Tint>, With<Dot>>,
    tints: Query<&Tint>,
    mut dot: Single<Dyed, With<Dot>>,
) {
    for hit in collisions.started() {
        if let Ok(tint) = tints.get(hit.a) {
            dot.0.memberships = tint.layer;
            *dot.1 = Paint(tint.color);
        }
    }
}
