//! A raft: a body whose colliders are on its children.

use bevy::prelude::*;
use bevy_nudge::prelude::*;
use common::{Paint, Palette};

use super::{
    building::{Furnish, PATH, Room, Sign},
    dot::Dot,
};

pub const ROOM: Room = Room {
    number: 12,
    title: "Bodies of several colliders",
    wall: [
        "The raft is one body: its three colliders are on its children. A push at",
        "one of them moves all. BodyCollisionReader counts how often the dot has",
        "met the raft, and its CollidingWith lists what touches any part.",
    ],
};

/// Where the raft begins, and the heights of its logs above that.
pub const RAFT: (f32, f32) = (-120.0, PATH);
pub const LOGS: [f32; 3] = [-36.0, 0.0, 36.0];
/// How long and thick the logs are; those on the sides are shorter.
pub const LONG: Vec2 = Vec2::new(140.0, 24.0);
pub const SHORT: Vec2 = Vec2::new(100.0, 24.0);
pub const ROCK: (f32, f32) = (160.0, PATH);
pub const ROCK_RADIUS: f32 = 40.0;

#[derive(Component)]
pub struct Raft;

/// How often the dot has met the raft.
#[derive(Resource, Default)]
struct Meetings(u32);

#[derive(Component)]
struct RaftSign;

pub fn plugin(app: &mut App) {
    app.init_resource::<Meetings>()
        .add_systems(Furnish, spawn)
        .add_systems(
            FixedPostUpdate,
            (count, write).chain().after(CollisionSystems::Report),
        );
}

fn spawn(mut commands: Commands, mut meetings: ResMut<Meetings>) {
    *meetings = Meetings::default();
    let raft = (
        ROOM.named("the raft", RAFT.0, RAFT.1),
        Raft,
        Body::Dynamic,
        CollidingWith::default(),
        Visibility::default(),
    );
    commands.spawn(raft).with_children(|raft| {
        for log in LOGS {
            let size = if log == 0.0 { LONG } else { SHORT };
            raft.spawn((
                BoxCollider::from_size(size),
                Paint(Color::srgb(0.66, 0.48, 0.30)),
                Transform::from_xyz(0.0, log, 0.0),
            ));
        }
    });
    commands.spawn((
        ROOM.named("the rock", ROCK.0, ROCK.1),
        CircleCollider::new(ROCK_RADIUS),
        Body::Static,
        Paint(Palette::OTHER),
    ));
    commands.spawn((RaftSign, ROOM.sign(String::new(), 0.0, -180.0)));
}

/// Counts a meeting when nothing of the raft touched the dot before. Each log that the dot touches is a pair of its own, with a start of its own.
fn count(
    mut pairs: BodyCollisionReader<With<Raft>, With<Dot>>,
    mut touched: Local<bool>,
    mut meetings: ResMut<Meetings>,
) {
    let touches = pairs.ongoing().count() > 0;
    meetings.0 += u32::from(touches && !*touched);
    *touched = touches;
}

fn write(
    raft: Single<&CollidingWith, With<Raft>>,
    names: Query<&Name>,
    meetings: Res<Meetings>,
    mut sign: Single<&mut Sign, With<RaftSign>>,
) {
    let mut touching: Vec<&str> = names.iter_many(raft.iter()).map(Name::as_str).collect();
    // As the plugin has them, they are in an order that says nothing.
    touching.sort_unstable();
    let touching = if touching.is_empty() {
        "nothing".to_owned()
    } else {
        touching.join(", ")
    };
    let text = format!("meetings: {}   the raft touches {touching}", meetings.0);
    sign.set_if_neq(Sign(text));
}
