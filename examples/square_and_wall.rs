//! A square and a wall, in steps of ten pixels, twenty times a second.
//!
//! Arrow keys or WASD move the square by 10 pixels a tick, with Shift by 60. `U` switches between push-out and undoing the step, `R` goes back to the
//! start.
//!
//! The one thing to learn: a box in a wall is pushed out along the shorter way, which is not always back to where it came from. Go down
//! three steps and walk into the wall with Shift: the lower edge of the square is ten pixels below the top of the wall, so the square is lifted onto it.
//!
//! What this does better than the usual way of tutorials (box against box, and undo the step on a hit): it never stops short of the wall. With undoing, steps of 60 from the left edge of
//! the screen end 40 pixels away from it. Neither of the two sees what lies between the start and the end of a step: from 280, a step of 60 passes through the wall.

use bevy::prelude::*;
use bevy_nudge::prelude::*;
use common::{Mode, Palette, Stage, Step, TickKeys, Walker, at, play, to_world};

pub const STAGE: Stage = Stage {
    title: "square_and_wall",
    ticks_per_second: 20.0,
    help: "arrows, WASD: move   Shift: faster   U: push-out or undo   R: to the start",
    recording: &[
        // Down to y = 100, right to the wall; back, and the same with steps of 60, first with push-out, then with undoing.
        Step::keys(10, &[KeyCode::ArrowDown]),
        Step::keys(32, &[KeyCode::ArrowRight]),
        Step::keys(32, &[KeyCode::ArrowLeft]),
        Step::keys(5, &[KeyCode::ArrowRight, KeyCode::ShiftLeft]),
        Step::keys(32, &[KeyCode::ArrowLeft]),
        Step::keys(1, &[KeyCode::KeyU]),
        Step::keys(6, &[KeyCode::ArrowRight, KeyCode::ShiftLeft]),
    ],
};

/// Width and height of the square.
const SIDE: f32 = 20.0;

fn main() -> AppExit {
    play(&STAGE, scene, drawing)
}

/// The game. Everything is placed in the tutorial's pixels, where the place of a box is its top left corner.
pub fn scene(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .add_plugins(common::walker_plugin)
        .add_systems(Startup, spawn)
        // After `U`, a system in `common/tutorial.rs` moves the square instead, and undoes steps that hit.
        .add_systems(FixedUpdate, walk.run_if(resource_equals(Mode::PushOut)));
}

fn spawn(mut commands: Commands) {
    let start = to_world(SIDE * 0.5, SIDE * 0.5);
    let walker = Walker {
        speed: 10.0,
        fast: 60.0,
        start,
    };
    commands.spawn((
        Name::new("the square"),
        walker,
        BoxCollider::square(SIDE),
        at(start),
    ));
    commands.spawn((
        Name::new("the wall"),
        BoxCollider::new(40.0, 400.0),
        Body::Static,
        at(to_world(320.0, 240.0)),
    ));
    commands.spawn((
        Name::new("the edge of the screen"),
        BoundsCollider::new(640.0, 480.0),
    ));
}

/// Moves the square, even into the wall. The plugin pushes it out.
fn walk(keys: Res<TickKeys>, square: Single<(&Walker, &mut Transform)>) {
    let (walker, mut transform) = square.into_inner();
    transform.translation += walker.step(&keys).extend(0.0);
}

pub fn drawing(app: &mut App) {
    app.add_plugins(common::mode_text_plugin)
        .add_systems(PostStartup, draw_boxes);
}

fn draw_boxes(mut commands: Commands, boxes: Query<(Entity, &BoxCollider, Has<Walker>)>) {
    for (entity, collider, is_walker) in &boxes {
        let color = if is_walker {
            Palette::PLAYER
        } else {
            // The tutorial's color 0x77.
            Color::srgb_u8(0x77, 0x77, 0x77)
        };
        let sprite = Sprite::from_color(color, collider.size());
        commands.entity(entity).insert(sprite);
    }
}
