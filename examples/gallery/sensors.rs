//! Carpets and coins, and a tally of what starts and ends.

use bevy::prelude::*;
use bevy_nudge::prelude::*;
use common::{Account, Paint, Palette};

use super::{
    building::{Furnish, Room, Sign},
    dot::Dot,
};

pub const ROOM: Room = Room {
    number: 2,
    title: "Sensors",
    wall: [
        "They report, and never push. Whatever has started ends exactly once, and",
        "the end says why: who walks off a carpet is separated from it, a coin",
        "that is taken has despawned.",
    ],
};

/// The reports so far about the dot and the sensors of this room. A restart despawns sensors, and so ends what goes on with them; the tally goes on.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub started: u32,
    pub separated: u32,
    pub despawned: u32,
}

/// One of the sensors here.
#[derive(Component)]
struct Watched;

#[derive(Component)]
struct Coin;

#[derive(Component)]
struct TallySign;

pub fn plugin(app: &mut App) {
    app.init_resource::<Tally>()
        .add_systems(Furnish, spawn)
        .add_systems(
            FixedPostUpdate,
            (count, write).chain().after(CollisionSystems::Report),
        );
}

fn spawn(mut commands: Commands) {
    let sensor = |name: &'static str, x: f32, y: f32, color: Color| {
        (
            ROOM.named(name, x, y),
            Watched,
            Sensor,
            Body::Static,
            Paint(color),
        )
    };
    let woven = Palette::GOOD.with_alpha(0.4);
    commands.spawn((
        sensor("the carpet", -140.0, -32.0, woven),
        BoxCollider::new(120.0, 100.0),
    ));
    commands.spawn((
        sensor("the round carpet", 40.0, 60.0, woven),
        CircleCollider::new(56.0),
    ));
    for (name, x) in [
        ("the first coin", 150.0),
        ("the second coin", 190.0),
        ("the third coin", 230.0),
    ] {
        let gold = Color::srgb(0.95, 0.73, 0.20);
        commands.spawn((sensor(name, x, -32.0, gold), Coin, CircleCollider::new(8.0)));
    }
    commands.spawn((TallySign, ROOM.sign(String::new(), 0.0, -180.0)));
}

fn count(
    mut commands: Commands,
    mut collisions: CollisionReader<With<Watched>, With<Dot>>,
    coins: Query<(), With<Coin>>,
    mut tally: ResMut<Tally>,
    mut account: ResMut<Account>,
) {
    for hit in collisions.started() {
        tally.started += 1;
        if coins.contains(hit.a) {
            commands.entity(hit.a).despawn();
            account.tell("the dot takes a coin");
        }
    }
    for end in collisions.ended() {
        match end.reason {
            EndReason::Despawned => tally.despawned += 1,
            _ => tally.separated += 1,
        }
    }
}

fn write(tally: Res<Tally>, mut sign: Single<&mut Sign, With<TallySign>>) {
    let Tally {
        started,
        separated,
        despawned,
    } = *tally;
    let text = format!("started {started}   ended: {separated} separated, {despawned} despawned");
    sign.set_if_neq(Sign(text));
}
