//! A guard that queries the world.

use bevy::prelude::*;
use bevy_nudge::prelude::*;
use common::{Paint, Palette, ring};

use super::{
    building::{FLOOR, Furnish, Room, Sign},
    dot::{BLUE, RED},
};

pub const ROOM: Room = Room {
    number: 8,
    title: "Questions",
    wall: [
        "Nothing needs to touch to be found. nearest() tells the guard whether the",
        "dot is within his circle; a ray to it, whether something is in between. He",
        "is red as long as he sees it.",
    ],
};

pub const GUARD: Vec2 = Vec2::new(0.0, 60.0);
/// How far the guard sees.
pub const REACH: f32 = 150.0;

/// The guard, and what it knows by now.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Guard {
    /// The nearest point of the dot, if it is within reach.
    pub near: Option<Vec2>,
    /// Whether nothing is between the guard and that point.
    pub sees: bool,
}

#[derive(Component)]
struct GuardSign;

pub fn plugin(app: &mut App) {
    app.add_systems(Furnish, spawn)
        .add_systems(FixedPostUpdate, look.after(CollisionSystems::Report));
}

fn spawn(mut commands: Commands) {
    commands.spawn((
        ROOM.thing(GUARD.x, GUARD.y),
        Guard::default(),
        CircleCollider::new(12.0),
        Body::Static,
        Paint(Palette::INK),
    ));
    for (x, y, width, height) in [
        (0.0, 14.0, 80.0, 16.0),
        (-110.0, 100.0, 16.0, 60.0),
        (90.0, 90.0, 50.0, 16.0),
    ] {
        commands.spawn((
            ROOM.thing(x, y),
            BoxCollider::new(width, height),
            Body::Static,
            Paint(Palette::OTHER),
        ));
    }
    commands.spawn((GuardSign, ROOM.sign(String::new(), 0.0, -180.0)));
}

fn look(
    space: SpatialQuery,
    guard: Single<(Entity, &Transform, &mut Guard, &mut Paint)>,
    mut sign: Single<&mut Sign, With<GuardSign>>,
) {
    let (entity, transform, mut guard, mut paint) = guard.into_inner();
    let eye = transform.translation.truncate();
    let visitors = QueryFilter::on_layers(BLUE | RED);
    let near = space.nearest(eye, REACH, &visitors);

    // The first layer, which all colliders are on that are not given another one.
    let walls = QueryFilter::on_layers(1)
        .without_sensors()
        .without_body(entity);
    let sees = near.is_some_and(|hit| space.has_line_of_sight(eye, hit.point, &walls));
    let text = match near {
        None => "the dot is nowhere near".to_owned(),
        Some(hit) if sees => format!("the guard sees the dot, {:.0} away", hit.distance),
        Some(hit) => format!("the dot is {:.0} away, behind a wall", hit.distance),
    };

    let near = near.map(|hit| hit.point);
    guard.set_if_neq(Guard { near, sees });
    paint.set_if_neq(Paint(if sees { Palette::HIT } else { Palette::INK }));
    sign.set_if_neq(Sign(text));
}

pub fn drawing(app: &mut App) {
    app.add_systems(Update, draw_questions);
}

fn draw_questions(guard: Single<(&Guard, &Transform)>, mut gizmos: Gizmos) {
    let (guard, transform) = guard.into_inner();
    let eye = transform.translation.truncate();
    let middle = ROOM.middle();
    let floor = Rect {
        min: middle + FLOOR.min,
        max: middle + FLOOR.max,
    };
    gizmos.linestrip_2d(ring(eye, REACH, floor), Palette::FAINT);
    if let Some(point) = guard.near {
        let color = if guard.sees {
            Palette::HIT
        } else {
            Palette::FAINT
        };
        gizmos.line_2d(eye, point, color);
    }
}
