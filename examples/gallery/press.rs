//! A press, and what a game may do about being crushed.

use bevy::prelude::*;
use bevy_nudge::prelude::*;
use common::{Account, Paint, Palette, turn_at_ends};

use super::{
    building::{Furnish, PATH, Room, Sign},
    dot::Dot,
};

pub const ROOM: Room = Room {
    number: 9,
    title: "Crushed",
    wall: [
        "Wait under the press. A body that cannot be freed is told of: what crushes",
        "it, against what, and how deep. What becomes of it, the game decides: here",
        "the press opens, and the dot goes back to the entrance.",
    ],
};

/// How wide and high the press is.
const PRESS: Vec2 = Vec2::new(80.0, 40.0);
/// The heights between which its lower side moves.
pub const STROKE: [f32; 2] = [-40.0, 60.0];
/// A little below the dot on its path.
pub const ANVIL_TOP: f32 = PATH - 14.0;
/// Units a second: one a tick.
const SPEED: f32 = 60.0;

#[derive(Component)]
struct Press;

/// How often the dot has been crushed here.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accidents(pub u32);

#[derive(Component)]
struct AccidentSign;

pub fn plugin(app: &mut App) {
    app.init_resource::<Accidents>()
        .add_systems(Furnish, spawn)
        .add_systems(FixedUpdate, drive)
        .add_systems(FixedPostUpdate, rescue.after(CollisionSystems::Report));
}

fn spawn(mut commands: Commands, mut accidents: ResMut<Accidents>) {
    *accidents = Accidents::default();
    commands.spawn((
        ROOM.named("the press", 0.0, STROKE[1] + PRESS.y * 0.5),
        Press,
        BoxCollider::from_size(PRESS),
        Body::Kinematic,
        Velocity(Vec2::NEG_Y * SPEED),
        Paint(Palette::HIT),
    ));
    commands.spawn((
        ROOM.named("the anvil", 0.0, ANVIL_TOP - 15.0),
        BoxCollider::new(PRESS.x, 30.0),
        Body::Static,
        Paint(Palette::INK),
    ));
    commands.spawn((AccidentSign, ROOM.sign(String::new(), 0.0, -180.0)));
}

/// Moves the press down and up forever.
fn drive(press: Single<(&Transform, &mut Velocity), With<Press>>) {
    let (transform, mut velocity) = press.into_inner();
    let lower_side = transform.translation.y - PRESS.y * 0.5;
    turn_at_ends(lower_side, STROKE, &mut velocity.0.y);
}

fn rescue(
    mut crushed: MessageReader<Crushed>,
    dot: Single<(Entity, &mut Transform), With<Dot>>,
    press: Single<(Entity, &mut Velocity), With<Press>>,
    names: Query<&Name>,
    mut accidents: ResMut<Accidents>,
    mut account: ResMut<Account>,
    mut sign: Single<&mut Sign, With<AccidentSign>>,
) {
    let (dot, mut transform) = dot.into_inner();
    let (press, mut velocity) = press.into_inner();
    let by_press = |told: &&Crushed| told.entity == dot && told.by == press;
    if let Some(told) = crushed.read().filter(by_press).last() {
        let against = told.against.and_then(|other| names.get(other).ok());
        let against = against.map_or("nothing", Name::as_str);
        account.tell(format_args!(
            "the dot is crushed by the press against {against}, by {:.2}",
            told.depth
        ));
        accidents.0 += 1;
        transform.translation = ROOM.entrance().extend(transform.translation.z);
        velocity.0.y = SPEED;
    }
    let text = format!("accidents so far: {}", accidents.0);
    sign.set_if_neq(Sign(text));
}
