//! A ball, a paddle, and a wall of bricks.
//!
//! Left and right, or A and D, move the paddle; where the ball hits it decides which way it goes. `R` puts up a new wall and serves the ball anew, `F` makes the ball ten times as fast.
//!
//! The one thing to learn: ball and paddle have a `Velocity`, and the game does not move them itself, except that it puts a lost ball back above the paddle. The ball has a
//! `Response` that bounces; the paddle is `Kinematic`, so nothing stops it. The game reads the collisions, and removes the bricks that the ball has met.
//!
//! Turn the speed up: the ball crosses the whole field within a few ticks, meets every brick on its way, and never goes through one.

use bevy::{
    input::common_conditions::input_just_pressed, prelude::*, sprite::Anchor,
    time::common_conditions::paused,
};
use bevy_nudge::prelude::*;
use common::{Palette, SIZE, Stage, Step, at, direction, disc, label, play, write};

pub const STAGE: Stage = Stage {
    title: "breakout",
    ticks_per_second: 60.0,
    help: "arrows, A D: paddle   F: ten times as fast   R: a new wall",
    recording: &[
        Step::keys(160, &[]),
        Step::keys(30, &[KeyCode::ArrowRight]),
        Step::keys(200, &[]),
        Step::keys(1, &[KeyCode::KeyF]),
        Step::keys(120, &[KeyCode::ArrowLeft]),
        Step::keys(80, &[KeyCode::ArrowRight]),
    ],
};

/// Units a second.
const BALL_SPEED: f32 = 320.0;
const FAST: f32 = 10.0;
const PADDLE_SPEED: f32 = 420.0;
const PADDLE_SIZE: Vec2 = Vec2::new(96.0, 16.0);
const PADDLE_HEIGHT: f32 = -190.0;
const BALL_RADIUS: f32 = 7.0;
const BRICK: Vec2 = Vec2::new(46.0, 18.0);
/// The distance between the centers of two neighboring bricks.
const PITCH: Vec2 = Vec2::new(50.0, 22.0);
const COLUMNS: i32 = 12;
const ROWS: i32 = 6;

#[derive(Component)]
pub struct Ball;

#[derive(Component)]
pub struct Paddle;

#[derive(Component)]
pub struct Brick;

/// The strip below the paddle, in which a ball is lost.
#[derive(Component)]
struct Ground;

/// The state of the game.
#[derive(Resource, Debug)]
pub struct Score {
    pub broken: u32,
    pub lost: u32,
    /// The ball's speed, as a multiple of the usual one.
    pub pace: f32,
}

impl Default for Score {
    fn default() -> Self {
        Self {
            broken: 0,
            lost: 0,
            pace: 1.0,
        }
    }
}

#[derive(Component)]
struct ScoreText;

fn main() -> AppExit {
    play(&STAGE, scene, drawing)
}

pub fn scene(app: &mut App) {
    // Neither the paddle nor a brick carries anything.
    let without_up = CollisionSettings {
        up: Vec2::ZERO,
        ..default()
    };
    app.add_plugins(CollisionPlugin::default())
        .insert_resource(without_up)
        .init_resource::<Score>()
        .add_systems(Startup, (spawn, spawn_bricks))
        // Not in `FixedUpdate`, which may run twice in a frame or not at all, and would see a key twice or never.
        .add_systems(
            RunFixedMainLoop,
            (
                switch_pace
                    .run_if(input_just_pressed(KeyCode::KeyF))
                    .run_if(not(paused)),
                // The ball is served anew, since the wall may be where the ball is.
                (remove_bricks, spawn_bricks, serve_balls)
                    .chain()
                    .run_if(input_just_pressed(KeyCode::KeyR)),
            )
                .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(FixedUpdate, (steer, keep_pace))
        .add_systems(
            FixedPostUpdate,
            (break_bricks, aim, lose_ball)
                .chain()
                .after(CollisionSystems::Report),
        );
}

fn spawn(mut commands: Commands) {
    commands.spawn((
        Name::new("the ball"),
        Ball,
        CircleCollider::new(BALL_RADIUS),
        Response::bounce(1.0),
        serve(0.0),
    ));
    commands.spawn((
        Name::new("the paddle"),
        Paddle,
        BoxCollider::from_size(PADDLE_SIZE).with_corner_radius(PADDLE_SIZE.y * 0.5),
        Body::Kinematic,
        Velocity::default(),
        Transform::from_xyz(0.0, PADDLE_HEIGHT, 0.0),
    ));
    commands.spawn((Name::new("the frame"), BoundsCollider::from_size(SIZE)));
    commands.spawn((
        Name::new("the ground"),
        Ground,
        BoxCollider::new(SIZE.x, 8.0),
        Body::Static,
        Sensor,
        Transform::from_xyz(0.0, 4.0 - SIZE.y * 0.5, 0.0),
    ));
}

/// Returns where a ball starts, above the paddle, and its velocity.
fn serve(paddle: f32) -> (Transform, Velocity) {
    let direction = Vec2::new(0.45, 1.0).normalize_or(Vec2::Y);
    (
        Transform::from_xyz(paddle, PADDLE_HEIGHT + 40.0, 0.0),
        Velocity(direction * BALL_SPEED),
    )
}

fn spawn_bricks(mut commands: Commands) {
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let from_middle = Vec2::new(
                column as f32 - (COLUMNS - 1) as f32 * 0.5,
                (ROWS - row) as f32,
            );
            commands.spawn((
                Name::new(format!("brick {} of row {}", column + 1, row + 1)),
                Brick,
                BoxCollider::from_size(BRICK),
                Body::Static,
                at(from_middle * PITCH + Vec2::Y * 40.0),
            ));
        }
    }
}

fn remove_bricks(mut commands: Commands, bricks: Query<Entity, With<Brick>>) {
    for brick in &bricks {
        commands.entity(brick).despawn();
    }
}

fn switch_pace(mut score: ResMut<Score>) {
    score.pace = if score.pace == 1.0 { FAST } else { 1.0 };
}

/// Steers the paddle. The game itself stops it at the edges, since nothing stops a `Kinematic` body.
fn steer(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    paddle: Single<(&mut Velocity, &Transform), With<Paddle>>,
) {
    let (mut velocity, transform) = paddle.into_inner();
    let room = (SIZE.x - PADDLE_SIZE.x) * 0.5;
    let at = transform.translation.x;
    let to = at + direction(&keys).x * PADDLE_SPEED * time.delta_secs();
    velocity.0.x = (to.clamp(-room, room) - at) / time.delta_secs();
}

/// Keeps the ball's speed: a moving paddle would make it faster. Also keeps it from flying level, since it would never come back.
fn keep_pace(score: Res<Score>, mut balls: Query<&mut Velocity, With<Ball>>) {
    for mut ball in &mut balls {
        let mut direction = ball.0.normalize_or(Vec2::Y);
        if direction.y.abs() < 0.2 {
            direction.y = 0.2_f32.copysign(direction.y);
        }
        ball.0 = direction.normalize_or(Vec2::Y) * BALL_SPEED * score.pace;
    }
}

fn break_bricks(
    mut commands: Commands,
    mut hits: CollisionReader<With<Brick>, With<Ball>>,
    mut score: ResMut<Score>,
) {
    // Each brick once, also if two balls meet it.
    for hit in hits.first_started() {
        commands.entity(hit.a).despawn();
        score.broken += 1;
    }
}

/// Turns the ball where it hits the paddle: the farther from the paddle's middle, the flatter.
fn aim(
    mut hits: CollisionReader<With<Ball>, With<Paddle>>,
    mut balls: Query<&mut Velocity, With<Ball>>,
    paddle: Single<&Transform, With<Paddle>>,
) {
    for hit in hits.started() {
        if let Ok(mut ball) = balls.get_mut(hit.a)
            && ball.0.y > 0.0
        {
            let aside = (hit.point.x - paddle.translation.x) / (PADDLE_SIZE.x * 0.5);
            ball.0 = Vec2::new(aside * 1.2, 1.0).normalize_or(Vec2::Y) * ball.0.length();
        }
    }
}

fn lose_ball(
    mut hits: CollisionReader<With<Ball>, With<Ground>>,
    mut score: ResMut<Score>,
    mut balls: Query<(&mut Transform, &mut Velocity), With<Ball>>,
    paddle: Single<&Transform, (With<Paddle>, Without<Ball>)>,
) {
    for hit in hits.started() {
        if let Ok((mut transform, mut velocity)) = balls.get_mut(hit.a) {
            score.lost += 1;
            (*transform, *velocity) = serve(paddle.translation.x);
        }
    }
}

fn serve_balls(
    mut balls: Query<(&mut Transform, &mut Velocity), With<Ball>>,
    paddle: Single<&Transform, (With<Paddle>, Without<Ball>)>,
) {
    for (mut transform, mut velocity) in &mut balls {
        (*transform, *velocity) = serve(paddle.translation.x);
    }
}

pub fn drawing(app: &mut App) {
    app.add_systems(Startup, spawn_score)
        .add_systems(PostStartup, draw_ball_and_paddle)
        .add_systems(Update, (draw_bricks, write_score));
}

fn draw_ball_and_paddle(
    mut commands: Commands,
    ball: Single<Entity, With<Ball>>,
    paddle: Single<Entity, With<Paddle>>,
    assets: Res<AssetServer>,
) {
    commands
        .entity(*ball)
        .insert(disc(&assets, Palette::PLAYER, BALL_RADIUS));
    // A box between two discs.
    let height = PADDLE_SIZE.y;
    let between = Vec2::new(PADDLE_SIZE.x - height, height);
    commands
        .entity(*paddle)
        .insert(Sprite::from_color(Palette::INK, between));
    for side in [-0.5, 0.5] {
        commands.spawn((
            disc(&assets, Palette::INK, height * 0.5),
            Transform::from_xyz(side * between.x, 0.0, -0.1),
            ChildOf(*paddle),
        ));
    }
}

/// Gives new bricks their picture; rows differ in color.
fn draw_bricks(mut commands: Commands, bricks: Query<(Entity, &Transform), Added<Brick>>) {
    for (brick, transform) in &bricks {
        let row = (transform.translation.y / PITCH.y).round();
        let color = Color::hsl(200.0 + row * 16.0, 0.45, 0.6);
        commands
            .entity(brick)
            .insert(Sprite::from_color(color, BRICK));
    }
}

fn spawn_score(mut commands: Commands) {
    let place = (SIZE.x - 8.0, 8.0);
    commands.spawn((ScoreText, label("", place, Anchor::TOP_RIGHT, Palette::INK)));
}

fn write_score(
    score: Res<Score>,
    bricks: Query<(), With<Brick>>,
    mut text: Single<&mut Text2d, With<ScoreText>>,
) {
    let left = match bricks.count() {
        0 => "the wall is down: R puts up a new one".to_owned(),
        left => format!("bricks left {left}"),
    };
    let pace = if score.pace == 1.0 { "" } else { "   fast" };
    let Score { broken, lost, .. } = *score;
    let line = format!("{left}   broken {broken}   balls lost {lost}{pace}");
    write(&mut text, line);
}
