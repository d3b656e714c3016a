//! The visitor: a dot with a `Velocity`.

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use bevy_nudge::prelude::*;
use common::{Paint, Palette, direction};

use super::building::{COUNT, entrance, room_at};

pub const RADIUS: f32 = 10.0;
/// Units a second: three a tick.
pub const SPEED: f32 = 180.0;
/// The dot is on the layer of its color, and on no other.
pub const BLUE: u32 = 1 << 1;
pub const RED: u32 = 1 << 2;

#[derive(Component)]
pub struct Dot;

pub fn plugin(app: &mut App) {
    app.add_systems(PreStartup, spawn)
        .add_systems(
            RunFixedMainLoop,
            (
                go(1).run_if(input_just_pressed(KeyCode::KeyN)),
                go(-1).run_if(input_just_pressed(KeyCode::KeyB)),
                go(0).run_if(input_just_pressed(KeyCode::KeyR)),
            )
                .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(FixedUpdate, walk);
}

fn spawn(mut commands: Commands) {
    commands.spawn((
        Name::new("the dot"),
        Dot,
        CircleCollider::new(RADIUS),
        CollisionLayers::on(BLUE),
        Velocity::default(),
        Paint(Palette::PLAYER),
        Transform::from_translation(entrance(0).extend(1.0)),
    ));
}

fn walk(keys: Res<ButtonInput<KeyCode>>, mut dot: Single<&mut Velocity, With<Dot>>) {
    dot.0 = direction(&keys).normalize_or_zero() * SPEED;
}

/// Returns a system that puts the dot at the entrance of a room so many rooms further on.
fn go(by: isize) -> impl FnMut(Single<&mut Transform, With<Dot>>) {
    move |mut dot| {
        let to = room_at(dot.translation.x).saturating_add_signed(by);
        dot.translation = entrance(to.min(COUNT - 1)).extend(dot.translation.z);
    }
}
