//! Solid colliders never overlap: pillars of all shapes, a dot that walks, and a pebble that is put into the pillars.

use bevy::prelude::*;
use bevy_nudge::prelude::*;
use common::{Paint, Palette};

use super::building::{Furnish, Room};

pub const ROOM: Room = Room {
    number: 0,
    title: "Push-out",
    wall: [
        "Walk into the pillars: the dot slides round them, whatever their shape.",
        "The pebble is put on a straight line in every tick, right through them,",
        "and pushed out by the shortest way before anybody sees it.",
    ],
};

/// The height of the pebble's line, and how far it leads to both sides.
pub const LINE: f32 = 66.0;
const REACH: f32 = 260.0;
/// Units a tick.
const STEP: f32 = 2.0;

/// Where on its line the pebble is to be, relative to the middle of the room, and its step in a tick.
#[derive(Component)]
pub struct Pebble {
    x: f32,
    step: f32,
}

pub fn plugin(app: &mut App) {
    app.add_systems(Furnish, spawn)
        .add_systems(FixedUpdate, put_on_line);
}

fn spawn(mut commands: Commands) {
    let pillar = |name: &'static str, x: f32, y: f32| {
        (ROOM.named(name, x, y), Body::Static, Paint(Palette::INK))
    };
    let square = BoxCollider::square(60.0);
    let pill = BoxCollider::capsule(20.0, 40.0);
    commands.spawn((pillar("the square pillar", -160.0, 60.0), square));
    commands.spawn((
        pillar("the round pillar", 0.0, 60.0),
        CircleCollider::new(40.0),
    ));
    commands.spawn((pillar("the pill", 160.0, 60.0), pill));
    commands.spawn((
        pillar("the lower round pillar", -60.0, -60.0),
        CircleCollider::new(30.0),
    ));
    commands.spawn((pillar("the lower square pillar", 80.0, -130.0), square));
    commands.spawn((
        pillar("the rounded pillar", 200.0, -120.0),
        BoxCollider::new(90.0, 60.0).with_corner_radius(16.0),
    ));
    let pebble = Pebble {
        x: -REACH,
        step: STEP,
    };
    commands.spawn((
        ROOM.thing(pebble.x, LINE),
        pebble,
        CircleCollider::new(8.0),
        Paint(Palette::GOOD),
    ));
}

/// Puts the pebble on its line, as if nothing were in its way.
fn put_on_line(pebble: Single<(&mut Pebble, &mut Transform)>) {
    let (mut pebble, mut transform) = pebble.into_inner();
    if pebble.x.abs() >= REACH {
        pebble.step = -STEP * pebble.x.signum();
    }
    pebble.x += pebble.step;
    let place = ROOM.middle() + Vec2::new(pebble.x, LINE);
    transform.translation = place.extend(0.0);
}

pub fn drawing(app: &mut App) {
    app.add_systems(Update, draw_line);
}

fn draw_line(mut gizmos: Gizmos) {
    let end = |x: f32| ROOM.middle() + Vec2::new(x, LINE);
    gizmos.line_2d(end(-REACH), end(REACH), Palette::FAINT);
}
