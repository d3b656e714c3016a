//! Colliders that are left out, pair by pair or for a while, and how to find out why.

use bevy::{prelude::*, sprite::Anchor};
use bevy_nudge::prelude::*;
use common::{Paint, Palette};

use super::{
    building::{FLOOR, Furnish, PATH, Room, Sign},
    dot::Dot,
};

pub const ROOM: Room = Room {
    number: 10,
    title: "Left out",
    wall: [
        "IgnoreCollisions: the dot walks through the curtain, the crate does not.",
        "ColliderDisabled: the barrier is out for a second, and in for a second.",
        "",
    ],
};

pub const CURTAIN: f32 = -100.0;
pub const BARRIER: f32 = 120.0;
pub const THICKNESS: f32 = 16.0;
pub const CRATE: (Vec2, f32) = (Vec2::new(-180.0, 14.0), 30.0);
/// Ticks from one change of the barrier to the next.
pub const PERIOD: u32 = 60;

/// How many ticks the barrier has been there.
#[derive(Component, Default)]
pub struct Barrier(u32);

#[derive(Component)]
pub struct Crate;

#[derive(Component)]
struct WhySign;

pub fn plugin(app: &mut App) {
    app.add_systems(Furnish, spawn)
        .add_systems(FixedUpdate, switch)
        .add_systems(
            FixedPostUpdate,
            why.pipe(write).after(CollisionSystems::Report),
        );
}

fn spawn(mut commands: Commands, dot: Single<Entity, With<Dot>>) {
    commands.spawn((
        ROOM.thing(CURTAIN, PATH),
        BoxCollider::new(THICKNESS, 160.0),
        Body::Static,
        IgnoreCollisions::with(*dot),
        Paint(Palette::PLAYER.with_alpha(0.4)),
    ));
    let (place, side) = CRATE;
    commands.spawn((
        ROOM.thing(place.x, place.y),
        Crate,
        BoxCollider::square(side),
        Paint(Color::srgb(0.87, 0.72, 0.50)),
    ));
    commands.spawn((
        ROOM.thing(BARRIER, (FLOOR.min.y + FLOOR.max.y) * 0.5),
        Barrier::default(),
        BoxCollider::new(THICKNESS, FLOOR.height()),
        Body::Static,
        Paint(Palette::INK),
    ));
    // In the third line on the wall.
    commands.spawn((
        WhySign,
        Anchor::CENTER_LEFT,
        ROOM.sign(String::new(), -304.0, 160.0),
    ));
}

fn switch(mut commands: Commands, barrier: Single<(Entity, &mut Barrier, &mut Paint)>) {
    let (entity, mut barrier, mut paint) = barrier.into_inner();
    barrier.0 += 1;
    if !barrier.0.is_multiple_of(PERIOD) {
        return;
    }
    let is_out = (barrier.0 / PERIOD) % 2 == 1;
    if is_out {
        commands.entity(entity).insert(ColliderDisabled);
    } else {
        commands.entity(entity).remove::<ColliderDisabled>();
    }
    paint.0 = Palette::INK.with_alpha(if is_out { 0.1 } else { 1.0 });
}

/// Returns a text that explains why the dot and the barrier do or don't collide.
fn why(
    world: &World,
    dot: Single<Entity, With<Dot>>,
    barrier: Single<Entity, With<Barrier>>,
) -> Sign {
    let why = explain(world, *dot, *barrier).to_string();
    // The visitor knows the barrier by its name and not by its number.
    let why = why.replace(&barrier.to_string(), "the barrier");
    Sign(format!("explain(): {why}"))
}

fn write(In(why): In<Sign>, mut sign: Single<&mut Sign, With<WhySign>>) {
    sign.set_if_neq(why);
}
