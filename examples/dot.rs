//! A dot, a wall, and another dot that stands still.
//!
//! Arrow keys or WASD move the dot by 1 pixel a tick, with Shift by 5. It slides along whatever it touches. `U` switches between push-out and
//! undoing the step, `R` goes back to the start.
//!
//! The one thing to learn: the game only moves the dot, even into the wall. The plugin keeps it out.
//!
//! What this does better than the usual way of tutorials (circle against box, and undo the step on a hit): it stops *at* the wall at any speed, and not up to a step short
//! of it; it slides around corners that catch an undone step; and the distance is exact where the tutorials round to whole pixels.

use bevy::prelude::*;
use bevy_nudge::prelude::*;
use common::{Mode, Palette, Stage, Step, TickKeys, Walker, at, disc, play, to_world};

pub const STAGE: Stage = Stage {
    title: "dot",
    ticks_per_second: 60.0,
    help: "arrows, WASD: move   Shift: faster   U: push-out or undo   R: to the start",
    recording: &[
        // Down, and right into the still dot at (160, 120).
        Step::keys(110, &[KeyCode::ArrowDown]),
        Step::keys(140, &[KeyCode::ArrowRight]),
        // Around it, and into the wall; then up along the wall and over its corner.
        Step::keys(40, &[KeyCode::ArrowDown, KeyCode::ArrowRight]),
        Step::keys(150, &[KeyCode::ArrowRight]),
        Step::keys(135, &[KeyCode::ArrowUp, KeyCode::ArrowRight]),
        Step::keys(120, &[KeyCode::ArrowRight, KeyCode::ShiftLeft]),
    ],
};

/// The dot that the player moves.
#[derive(Component)]
pub struct Player;

#[derive(Component)]
struct Wall;

fn main() -> AppExit {
    play(&STAGE, scene, drawing)
}

/// The game. Everything is placed in the tutorial's pixels.
pub fn scene(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .add_plugins(common::walker_plugin)
        .add_systems(Startup, spawn)
        // After `U`, a system in `common/tutorial.rs` moves the dot instead, and undoes steps that hit.
        .add_systems(FixedUpdate, walk.run_if(resource_equals(Mode::PushOut)));
}

fn spawn(mut commands: Commands) {
    let start = to_world(10.0, 10.0);
    let walker = Walker {
        speed: 1.0,
        fast: 5.0,
        start,
    };
    let dot = CircleCollider::new(10.0);
    commands.spawn((Name::new("the dot"), Player, walker, dot, at(start)));
    commands.spawn((
        Name::new("the still dot"),
        dot,
        Body::Static,
        at(to_world(160.0, 120.0)),
    ));
    // From (300, 40), 40 wide and 400 high.
    commands.spawn((
        Name::new("the wall"),
        Wall,
        BoxCollider::new(40.0, 400.0),
        Body::Static,
        at(to_world(320.0, 240.0)),
    ));
    commands.spawn((
        Name::new("the edge of the screen"),
        BoundsCollider::new(640.0, 480.0),
    ));
}

/// Moves the dot, even into the wall. The plugin pushes it out.
fn walk(keys: Res<TickKeys>, dot: Single<(&Walker, &mut Transform)>) {
    let (walker, mut transform) = dot.into_inner();
    transform.translation += walker.step(&keys).extend(0.0);
}

pub fn drawing(app: &mut App) {
    app.add_plugins(common::mode_text_plugin)
        .add_systems(PostStartup, (draw_dots, draw_wall));
}

/// Draws the dots as large as their colliders. The picture is 64 pixels wide.
fn draw_dots(
    mut commands: Commands,
    dots: Query<(Entity, &CircleCollider, Has<Player>)>,
    assets: Res<AssetServer>,
) {
    for (entity, collider, is_player) in &dots {
        let color = if is_player {
            Palette::PLAYER
        } else {
            Palette::OTHER
        };
        commands
            .entity(entity)
            .insert(disc(&assets, color, collider.radius));
    }
}

/// Draws a black outline of one pixel, inside the wall's edges.
fn draw_wall(mut commands: Commands, wall: Single<(Entity, &BoxCollider), With<Wall>>) {
    let (entity, collider) = wall.into_inner();
    let half = collider.half_size;
    commands.entity(entity).insert(Visibility::default());
    for side in [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y] {
        let along = side.perp().abs();
        commands.spawn((
            Sprite::from_color(Color::BLACK, side.abs() + along * half * 2.0),
            at(side * (half - 0.5)),
            ChildOf(entity),
        ));
    }
}
