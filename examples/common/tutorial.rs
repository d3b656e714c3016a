//! Walking as in the tutorials, for both scenes with a wall: steps of whole pixels, and two ways to handle a hit.
//!
//! The tutorials move along x, and undo the whole step if it hits anything; then the same along y. Here a key switches to that way, to compare it with
//! the push-out, which takes no more of a scene than to move: undone steps stop short of what they hit, by up to a step less a pixel, and catch on every corner.

use bevy::{prelude::*, sprite::Anchor};
use bevy_nudge::{
    kernel::{Shape, overlaps},
    prelude::*,
};

use super::{
    account::Account,
    input::{TickKeys, direction, tick_keys_plugin},
    shapes::HasShape,
    window::{Palette, SIZE, label, write},
};

/// How an entity walks by the keys.
#[derive(Component, Clone, Copy, Debug)]
pub struct Walker {
    /// Pixels a tick on each axis.
    pub speed: f32,
    /// The same while Shift is held.
    pub fast: f32,
    /// Where it starts, in the world.
    pub start: Vec2,
}

impl Walker {
    /// Returns the step that the keys ask for in this tick.
    pub fn step(&self, keys: &TickKeys) -> Vec2 {
        let is_fast = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
        direction(keys) * if is_fast { self.fast } else { self.speed }
    }
}

/// What happens to a step that hits something.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The scene moves the walker, and the plugin pushes it out.
    #[default]
    PushOut,
    /// The game checks the step itself, and undoes it. The plugin reports and does not push.
    Undo,
}

/// Marks the line of text with the mode and what is touched.
#[derive(Component)]
pub struct ModeText;

/// Adds the key `U` for the mode, walking as it is in [`Mode::Undo`], and `R` to go back to the start.
pub fn walker_plugin(app: &mut App) {
    app.add_plugins(tick_keys_plugin)
        .init_resource::<Mode>()
        // Not in `FixedUpdate`, which may run twice in a frame or not at all, and would see a key twice or never.
        .add_systems(
            RunFixedMainLoop,
            (switch_mode, go_to_start).in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(
            FixedUpdate,
            walk_and_undo.run_if(resource_equals(Mode::Undo)),
        );
}

/// Adds the line of [`ModeText`], and keeps it up to date.
pub fn mode_text_plugin(app: &mut App) {
    app.add_systems(Startup, spawn_mode_text)
        .add_systems(Update, (write_mode, draw_contacts));
}

fn switch_mode(
    keys: Res<ButtonInput<KeyCode>>,
    mut mode: ResMut<Mode>,
    mut account: ResMut<Account>,
    mut walker: Single<&mut Body, With<Walker>>,
) {
    if keys.just_pressed(KeyCode::KeyU) {
        (*mode, **walker) = match *mode {
            Mode::PushOut => (Mode::Undo, Body::Kinematic),
            Mode::Undo => (Mode::PushOut, Body::Dynamic),
        };
        account.tell(match *mode {
            Mode::PushOut => "from here on, hits are pushed out",
            Mode::Undo => "from here on, steps that hit are undone, as in the tutorial",
        });
    }
}

fn go_to_start(keys: Res<ButtonInput<KeyCode>>, walker: Single<(&Walker, &mut Transform)>) {
    if keys.just_pressed(KeyCode::KeyR) {
        let (walker, mut transform) = walker.into_inner();
        transform.translation = walker.start.extend(transform.translation.z);
    }
}

type ColliderData = (
    &'static Transform,
    Option<&'static CircleCollider>,
    Option<&'static BoxCollider>,
);

/// Moves the walker as the tutorials do.
fn walk_and_undo(
    keys: Res<TickKeys>,
    walker: Single<(
        &Walker,
        &mut Transform,
        Option<&CircleCollider>,
        Option<&BoxCollider>,
    )>,
    obstacles: Query<ColliderData, (HasShape, Without<Walker>)>,
) {
    let (walker, mut transform, circle, square) = walker.into_inner();
    let from = transform.translation.truncate();
    let own = shape_of(circle, square);
    let obstacles: Vec<(Shape, Vec2)> = obstacles
        .iter()
        .map(|(place, circle, square)| (shape_of(circle, square), place.translation.truncate()))
        .collect();
    let to = undo_what_hits(from, walker.step(&keys), own, &obstacles);
    transform.translation = to.extend(transform.translation.z);
}

fn shape_of(circle: Option<&CircleCollider>, square: Option<&BoxCollider>) -> Shape {
    circle
        .map(CircleCollider::shape)
        .or(square.map(BoxCollider::shape))
        .expect("only colliders are asked for")
        .expect("and all in these scenes have a valid size")
}

/// The tutorials' `move`: a step along x, undone if it hits anything or leaves the screen, then a step along y.
fn undo_what_hits(from: Vec2, step: Vec2, own: Shape, obstacles: &[(Shape, Vec2)]) -> Vec2 {
    let is_hit = |place: Vec2| {
        let leaves = (place.abs() + own.half_extents()).cmpgt(SIZE * 0.5).any();
        leaves
            || obstacles
                .iter()
                .any(|&(shape, other)| overlaps(own, shape, other - place))
    };
    [Vec2::X, Vec2::Y].iter().fold(from, |place, axis| {
        let moved = place + step * *axis;
        if is_hit(moved) { place } else { moved }
    })
}

fn spawn_mode_text(mut commands: Commands) {
    commands.spawn((
        ModeText,
        TextLayout::justify(Justify::Right),
        label("", (SIZE.x - 8.0, 6.0), Anchor::TOP_RIGHT, Palette::INK),
    ));
}

fn write_mode(
    mode: Res<Mode>,
    walker: Single<Entity, With<Walker>>,
    collisions: Collisions,
    names: Query<&Name>,
    mut text: Single<&mut Text2d, With<ModeText>>,
) {
    let touched: Vec<&str> = collisions
        .of(*walker)
        .filter_map(|hit| names.get(hit.other(*walker)?).ok())
        .map(Name::as_str)
        .collect();
    let mode = match *mode {
        Mode::PushOut => "push-out",
        Mode::Undo => "undo, as in the tutorial",
    };
    let touched = match touched.as_slice() {
        [] => "nothing".to_owned(),
        touched => touched.join(", "),
    };
    write(&mut text, format!("on a hit: {mode}\ntouches {touched}"));
}

/// Draws an arrow at each contact, in the direction in which the walker is pushed.
fn draw_contacts(walker: Single<Entity, With<Walker>>, collisions: Collisions, mut gizmos: Gizmos) {
    for hit in collisions.of(*walker) {
        gizmos.arrow_2d(hit.point, hit.point - hit.normal * 24.0, Palette::HIT);
    }
}
