//! Two balls in two lanes, with ten ticks a second: one is drawn where the last tick has left it, the other one interpolated between two ticks.
//!
//! Left and right, or A and D, push both balls. `P` pauses, `S` plays at a quarter of the speed, `R` starts again, and ends a pause.
//!
//! The one thing to learn: a game is ticked at a steady rate and drawn at another one, and a crate that interpolates between ticks (here `bevy_transform_interpolation`) needs to know nothing
//! of collisions, and the plugin nothing of it. The plugin decides where a body is at the end of a tick; the picture lies between the last two of these places, so a ball is never seen in a wall, except where it cut a corner within a tick.

use bevy::{input::common_conditions::input_just_pressed, prelude::*, sprite::Anchor};
use bevy_nudge::prelude::*;
use bevy_transform_interpolation::{
    TranslationEasingState,
    prelude::{TransformInterpolation, TransformInterpolationPlugin},
};

use common::{
    Palette, SIZE, Stage, Step, TickKeys, direction, label, play, tick_keys_plugin, write,
};

pub const STAGE: Stage = Stage {
    title: "smooth",
    ticks_per_second: 10.0,
    help: "arrows, A D: push   P: pause   S: slow motion   R: restart",
    recording: &[
        Step::keys(25, &[]),
        Step::keys(10, &[KeyCode::ArrowLeft]),
        Step::keys(25, &[]),
    ],
};

/// Units a second.
pub const SPEED: f32 = 240.0;
/// Units a second, for each second that a key is held.
const PUSH: f32 = 300.0;
const RADIUS: f32 = 24.0;
const LANE: Vec2 = Vec2::new(560.0, 120.0);
const SLOW: f32 = 0.25;

#[derive(Component)]
pub struct Ball;

#[derive(Resource)]
struct Restart;

/// The height of each lane, and the text about it.
const LANES: [(f32, &str); 2] = [
    (90.0, "where the last tick has left it, ten times a second"),
    (-70.0, "interpolated between the last two ticks"),
];

fn main() -> AppExit {
    play(&STAGE, scene, drawing)
}

pub fn scene(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .add_plugins((TransformInterpolationPlugin::default(), tick_keys_plugin))
        .add_systems(Startup, spawn)
        // Before the ticks of the frame, of which there may be several or none, since a key is pressed in a frame.
        .add_systems(
            RunFixedMainLoop,
            (
                pause.run_if(input_just_pressed(KeyCode::KeyP)),
                slow_down.run_if(input_just_pressed(KeyCode::KeyS)),
                ask_restart.run_if(input_just_pressed(KeyCode::KeyR)),
            )
                .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(
            FixedUpdate,
            (push, restart.run_if(resource_exists::<Restart>)).chain(),
        );
}

fn start(lane: f32) -> (Transform, Velocity) {
    let place = Transform::from_xyz(-LANE.x * 0.5 + RADIUS, lane, 0.0);
    (place, Velocity(Vec2::new(SPEED, 0.0)))
}

fn spawn(mut commands: Commands) {
    for (number, (lane, _)) in LANES.into_iter().enumerate() {
        // Each lane is a room, and a layer of its own.
        let layers = CollisionLayers::on(1 << number).with(1 << number);
        commands.spawn((
            Name::new(["the upper lane", "the lower lane"][number]),
            BoundsCollider::from_size(LANE),
            Transform::from_xyz(0.0, lane, 0.0),
            layers,
        ));
        let mut ball = commands.spawn((
            Name::new(["the upper ball", "the lower ball"][number]),
            Ball,
            CircleCollider::new(RADIUS),
            Response::bounce(1.0),
            start(lane),
            layers,
        ));
        if number == 1 {
            ball.insert(TransformInterpolation);
        }
    }
}

fn push(keys: Res<TickKeys>, time: Res<Time>, mut balls: Query<&mut Velocity>) {
    let push = direction(&keys).x * PUSH * time.delta_secs();
    for mut velocity in &mut balls {
        velocity.0.x += push;
    }
}

fn pause(mut time: ResMut<Time<Virtual>>) {
    if time.is_paused() {
        time.unpause();
    } else {
        time.pause();
    }
}

fn slow_down(mut time: ResMut<Time<Virtual>>) {
    let is_slow = time.relative_speed() == SLOW;
    time.set_relative_speed(if is_slow { 1.0 } else { SLOW });
}

/// Asks the next tick to start again. If the game changed the `Transform` between two ticks, the interpolation would take that for a jump, which may or may not last. In a pause there is no next tick, so the pause ends.
fn ask_restart(mut commands: Commands, mut time: ResMut<Time<Virtual>>) {
    commands.insert_resource(Restart);
    time.unpause();
}

/// Starts again. A ball that is put somewhere else has not moved there, so nothing must be interpolated.
fn restart(
    mut commands: Commands,
    mut balls: Query<
        (
            &mut Transform,
            &mut Velocity,
            Option<&mut TranslationEasingState>,
        ),
        With<Ball>,
    >,
) {
    commands.remove_resource::<Restart>();
    for (mut transform, mut velocity, easing) in &mut balls {
        let lane = transform.translation.y;
        (*transform, *velocity) = start(lane);
        if let Some(mut easing) = easing {
            easing.start = None;
        }
    }
}

pub fn drawing(app: &mut App) {
    app.add_systems(PostStartup, draw)
        .add_systems(Update, tell_time);
}

#[derive(Component)]
struct TimeText;

fn draw(
    mut commands: Commands,
    balls: Query<Entity, With<Ball>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    for (lane, text) in LANES {
        let floor = Sprite::from_color(Palette::GRID, LANE);
        commands.spawn((floor, Transform::from_xyz(0.0, lane, -2.0)));
        let place = (
            SIZE.x * 0.5 - LANE.x * 0.5,
            SIZE.y * 0.5 - lane - LANE.y * 0.5 - 4.0,
        );
        commands.spawn(label(text, place, Anchor::BOTTOM_LEFT, Palette::INK));
    }
    let disc = meshes.add(Circle::new(RADIUS));
    let color = materials.add(Palette::PLAYER);
    for ball in &balls {
        let look = (Mesh2d(disc.clone()), MeshMaterial2d(color.clone()));
        commands.entity(ball).insert(look);
    }
    let place = (SIZE.x - 8.0, 8.0);
    commands.spawn((TimeText, label("", place, Anchor::TOP_RIGHT, Palette::INK)));
}

fn tell_time(time: Res<Time<Virtual>>, mut text: Single<&mut Text2d, With<TimeText>>) {
    let how = match (time.is_paused(), time.relative_speed() == SLOW) {
        (true, true) => "paused, slow motion",
        (true, false) => "paused",
        (false, true) => "slow motion",
        (false, false) => "",
    };
    write(&mut text, how);
}
