//! A gate with a filter, and lamps with observers.

use bevy::prelude::*;
use bevy_nudge::prelude::*;
use common::{Paint, Palette};

use super::{
    building::{FLOOR, Furnish, PATH, Room, Sign},
    dot::Dot,
};

pub const ROOM: Room = Room {
    number: 11,
    title: "Filters and observers",
    wall: [
        "Each lamp has an observer, which hears of this lamp alone, and lights it.",
        "A filter is a system of the game that is asked pair by pair: the gate",
        "ignores the dot once all lamps are lit.",
    ],
};

pub const GATE: f32 = 120.0;
pub const THICKNESS: f32 = 16.0;
/// The places of the lamps. One is off the path.
pub const LAMPS: [(f32, f32); 3] = [(-200.0, PATH), (-100.0, 60.0), (20.0, PATH)];

#[derive(Component)]
struct Gate;

/// Whether it is lit.
#[derive(Component)]
struct Lamp(bool);

#[derive(Component)]
struct LampSign;

pub fn plugin(app: &mut App) {
    app.add_systems(Furnish, spawn)
        .add_systems(FixedPostUpdate, show.after(CollisionSystems::Report))
        .add_collision_filter(open);
}

fn spawn(mut commands: Commands) {
    commands.spawn((
        ROOM.named("the gate", GATE, (FLOOR.min.y + FLOOR.max.y) * 0.5),
        Gate,
        BoxCollider::new(THICKNESS, FLOOR.height()),
        Body::Static,
        Paint(Palette::INK),
    ));
    for (x, y) in LAMPS {
        let lamp = (
            ROOM.thing(x, y),
            Lamp(false),
            CircleCollider::new(14.0),
            Body::Static,
            Sensor,
            Paint(Palette::FAINT),
        );
        commands.spawn(lamp).observe(light);
    }
    commands.spawn((LampSign, ROOM.sign(String::new(), -100.0, -180.0)));
}

/// For the observer, `a` is the lamp.
fn light(hit: On<CollisionStarted>, mut lamps: Query<(&mut Lamp, &mut Paint)>) {
    if let Ok((mut lamp, mut paint)) = lamps.get_mut(hit.a) {
        lamp.0 = true;
        paint.0 = Color::srgb(0.95, 0.73, 0.20);
    }
}

/// Decides on each pair that would collide.
fn open(
    In(pair): In<Pair>,
    gates: Query<(), With<Gate>>,
    dots: Query<(), With<Dot>>,
    lamps: Query<&Lamp>,
) -> Verdict {
    let is_at_gate = [(pair.a, pair.b), (pair.b, pair.a)]
        .into_iter()
        .any(|(gate, dot)| gates.contains(gate) && dots.contains(dot));
    if is_at_gate && lamps.iter().all(|lamp| lamp.0) {
        Verdict::Ignore
    } else {
        Verdict::Collide
    }
}

fn show(
    lamps: Query<&Lamp>,
    mut gate: Single<&mut Paint, With<Gate>>,
    mut sign: Single<&mut Sign, With<LampSign>>,
) {
    let lit = lamps.iter().filter(|lamp| lamp.0).count();
    let (state, alpha) = if lit == LAMPS.len() {
        ("open", 0.1)
    } else {
        ("closed", 1.0)
    };
    gate.set_if_neq(Paint(Palette::INK.with_alpha(alpha)));
    let text = format!("lamps that are lit: {lit}   the gate is {state}");
    sign.set_if_neq(Sign(text));
}
