//! Stairs, a gap in a ceiling, a crate to push and a lift: a player with a controller of its own.
//!
//! Left and right, or A and D, walk; up, W or Space jump; `R` starts again.
//!
//! The one thing to learn: the player has no `Velocity`. A system of the game moves it step by step with a `Mover`, which returns at once what the player has hit and whether it stands. By four
//! numbers in `MoveOptions` it walks up steps and stays on them on the way down, gets past the corner of a ceiling, and pushes crates.

use bevy::{
    input::common_conditions::input_just_pressed, prelude::*, sprite::Anchor,
    time::common_conditions::paused,
};
use bevy_nudge::{
    prelude::*,
    tiles::{MergedTiles, TileColliders},
};

use common::{
    JUMP_KEYS, Palette, SIZE, Stage, Step, at, direction, disc, label, play, turn_at_ends, write,
};

pub const STAGE: Stage = Stage {
    title: "climber",
    ticks_per_second: 60.0,
    help: "arrows, WASD, Space: walk, push, jump   R: restart",
    recording: &[
        // Up through the gap, which is a little to the side, and to the coin on that floor.
        Step::keys(16, &[KeyCode::ArrowLeft]),
        Step::keys(18, &[KeyCode::Space]),
        Step::keys(40, &[KeyCode::Space, KeyCode::ArrowRight]),
        // Down from the end of that floor, over the stairs, and push the crate to the wall.
        Step::keys(145, &[KeyCode::ArrowRight]),
        // Onto the crate, over the wall, and onto the lift.
        Step::keys(20, &[KeyCode::ArrowLeft]),
        Step::keys(60, &[KeyCode::ArrowRight, KeyCode::Space]),
        Step::keys(5, &[KeyCode::ArrowRight]),
        Step::keys(48, &[KeyCode::ArrowRight, KeyCode::Space]),
        Step::keys(118, &[]),
        // The coin at the top, and the last one below.
        Step::keys(50, &[KeyCode::ArrowRight]),
        Step::keys(50, &[KeyCode::ArrowLeft]),
        Step::keys(80, &[KeyCode::ArrowRight]),
    ],
};

/// The width and height of a cell.
pub const CELL: f32 = 20.0;
/// `#` wall, `o` crate, `*` coin, `@` the player.
static MAP: [&str; 21] = [
    "################################",
    "#..............................#",
    "#..............................#",
    "#..............................#",
    "#..............................#",
    "#..............................#",
    "#..............................#",
    "#............................*.#",
    "#..........................#####",
    "#..............................#",
    "#..............................#",
    "#..............................#",
    "#..............................#",
    "#..............................#",
    "#..............................#",
    "#....*................#........#",
    "###.###.....*.........#........#",
    "#.....................#........#",
    "#.....................#........#",
    "#....@.............o..#......*.#",
    "################################",
];
/// Units a second, and a second squared.
const WALK: f32 = 140.0;
const JUMP: f32 = 420.0;
const GRAVITY: f32 = 1000.0;
pub const PLAYER: Vec2 = Vec2::new(16.0, 24.0);
/// Higher than two steps: so a player who stands on the last stair pushes it, and does not walk up it like one more stair.
pub const CRATE: f32 = 22.0;
/// The layer of what the player pushes.
const CRATES: u32 = 1 << 1;
/// How high a step is: half a cell.
pub const STEP: f32 = CELL * 0.5;
/// The column where the stairs begin, and the number of steps up; as many lead down.
const STAIRS: i32 = 7;
const STEPS: i32 = 5;
/// The heights between which the lift's center moves, so that it is flush with the floors, and its x.
const LIFT: [f32; 2] = [CELL - 3.0, 13.0 * CELL - 3.0];
const LIFT_X: f32 = 25.5 * CELL;
const LIFT_SIZE: Vec2 = Vec2::new(56.0, 6.0);
const LIFT_SPEED: f32 = 90.0;

#[derive(Component, Default)]
pub struct Player {
    velocity: Vec2,
    stands: bool,
    pushes: bool,
}

#[derive(Component)]
pub struct Crate;

#[derive(Component)]
pub struct Coin;

#[derive(Component)]
pub struct Lift;

#[derive(Component)]
struct Stair;

#[derive(Component)]
struct Line;

/// A jump that the player has asked for, until a tick has seen it.
#[derive(Resource, Default)]
struct Wishes {
    jump: bool,
}

fn main() -> AppExit {
    play(&STAGE, scene, drawing)
}

pub fn scene(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .init_resource::<Wishes>()
        .add_systems(Startup, (build, spawn))
        // Not in `FixedUpdate`, which may run twice in a frame or not at all, and would see a key twice or never.
        .add_systems(
            RunFixedMainLoop,
            (
                wish.run_if(not(paused)),
                (clear, spawn)
                    .chain()
                    .run_if(input_just_pressed(KeyCode::KeyR)),
            )
                .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(FixedUpdate, (climb, fall, drive_lift))
        .add_systems(FixedPostUpdate, collect.after(CollisionSystems::Report));
}

/// The lower left corner of the house, in the world. There is room for the help below it, and for a line above.
pub const ORIGIN: Vec2 = Vec2::new(-SIZE.x * 0.5, -SIZE.y * 0.5 + 40.0);

/// Returns the cells of the map with this symbol.
fn cells(symbol: char) -> impl Iterator<Item = IVec2> {
    common::cells(&MAP, symbol)
}

/// Returns the place of a thing that stands on the bottom of a cell.
fn on_floor(cell: IVec2, height: f32) -> Transform {
    let foot = ORIGIN + (cell.as_vec2() + Vec2::new(0.5, 0.0)) * CELL;
    Transform::from_translation((foot + Vec2::Y * height * 0.5).extend(1.0))
}

/// Spawns what a restart does not touch.
fn build(mut commands: Commands) {
    commands.spawn((
        Name::new("the house"),
        TileColliders::from_cells(Vec2::splat(CELL), cells('#')),
        Visibility::default(),
        at(ORIGIN),
    ));
    for column in 0..2 * STEPS {
        let steps = (column + 1).min(2 * STEPS - column);
        let size = Vec2::new(CELL, STEP * steps as f32);
        commands.spawn((
            Name::new(format!("stair {}", column + 1)),
            Stair,
            BoxCollider::from_size(size),
            Body::Static,
            on_floor(IVec2::new(STAIRS + column, 1), size.y),
        ));
    }
}

fn spawn(mut commands: Commands) {
    for cell in cells('@') {
        commands.spawn((
            Name::new("the player"),
            Player::default(),
            // Not `Kinematic`, so that the lift carries it.
            BoxCollider::from_size(PLAYER),
            on_floor(cell, PLAYER.y),
        ));
    }
    for cell in cells('o') {
        commands.spawn((
            Name::new("the crate"),
            Crate,
            BoxCollider::square(CRATE),
            CollisionLayers::on(CRATES),
            // By its velocity the crate falls.
            Velocity::default(),
            on_floor(cell, CRATE),
        ));
    }
    for (number, cell) in (1..).zip(cells('*')) {
        commands.spawn((
            Name::new(format!("coin {number}")),
            Coin,
            CircleCollider::new(5.0),
            Sensor,
            Body::Static,
            on_floor(cell, CELL),
        ));
    }
    let lift = ORIGIN + Vec2::new(LIFT_X, LIFT[0]);
    commands.spawn((
        Name::new("the lift"),
        Lift,
        BoxCollider::from_size(LIFT_SIZE),
        Body::Kinematic,
        OneWay::default(),
        Velocity(Vec2::Y * LIFT_SPEED),
        at(lift),
    ));
}

type Spawned = Or<(With<Player>, With<Crate>, With<Coin>, With<Lift>)>;

fn clear(mut commands: Commands, all: Query<Entity, Spawned>) {
    for entity in &all {
        commands.entity(entity).despawn();
    }
}

/// Notes keys that are pressed between two ticks. During a pause it does not run, or they would count in the tick after it.
fn wish(keys: Res<ButtonInput<KeyCode>>, mut wishes: ResMut<Wishes>) {
    wishes.jump |= keys.any_just_pressed(JUMP_KEYS);
}

/// The whole controller.
fn climb(
    mover: Mover,
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    mut wishes: ResMut<Wishes>,
    player: Single<(Entity, &mut Player, &mut Transform)>,
) {
    let (entity, mut player, mut transform) = player.into_inner();
    let seconds = time.delta_secs();
    player.velocity.x = direction(&keys).x * WALK;
    player.velocity.y -= GRAVITY * seconds;
    if std::mem::take(&mut wishes.jump) && player.stands {
        player.velocity.y = JUMP;
    }
    let options = MoveOptions {
        step_height: STEP,
        floor_snap_length: STEP,
        corner_correction: 6.0,
        push_layers: CRATES,
        ..default()
    };
    let motion = player.velocity * seconds;
    // In the player's first tick the plugin does not know it yet, and this is `None`.
    if let Some(moved) = mover.move_and_slide(entity, &mut transform, motion, &options) {
        player.velocity = moved.velocity_after(player.velocity, seconds);
        player.stands = moved.is_on_floor();
        player.pushes = !moved.pushed.is_empty();
    }
}

fn fall(time: Res<Time>, mut crates: Query<&mut Velocity, With<Crate>>) {
    for mut velocity in &mut crates {
        velocity.0.y -= GRAVITY * time.delta_secs();
    }
}

/// Moves the lift up and down forever.
fn drive_lift(lift: Single<(&Transform, &mut Velocity), With<Lift>>) {
    let (transform, mut velocity) = lift.into_inner();
    turn_at_ends(transform.translation.y - ORIGIN.y, LIFT, &mut velocity.0.y);
}

fn collect(mut coins: CollisionReader<With<Coin>, With<Player>>, mut commands: Commands) {
    for met in coins.first_started() {
        commands.entity(met.a).despawn();
    }
}

pub fn drawing(app: &mut App) {
    app.add_systems(Startup, spawn_line)
        .add_systems(Update, (draw, write_line));
}

/// The markers that decide how a box is drawn.
type Kind = (Has<Player>, Has<Crate>, Has<Lift>, Has<MergedTiles>);

/// Draws all boxes and coins that have no picture yet, also those spawned by a restart.
fn draw(
    mut commands: Commands,
    boxes: Query<(Entity, &BoxCollider, Kind), Without<Sprite>>,
    coins: Query<Entity, (With<Coin>, Without<Sprite>)>,
    assets: Res<AssetServer>,
) {
    for (entity, collider, kind) in &boxes {
        let color = match kind {
            (true, ..) => Palette::PLAYER,
            (_, true, ..) => Color::srgb(0.87, 0.72, 0.50),
            (.., true, _) => Palette::GOOD,
            (.., true) => Palette::OTHER,
            _ => Color::srgb(0.45, 0.65, 0.92),
        };
        let sprite = Sprite::from_color(color, collider.size());
        commands.entity(entity).insert(sprite);
    }
    for coin in &coins {
        let sprite = disc(&assets, Color::srgb(0.98, 0.83, 0.30), 5.0);
        commands.entity(coin).insert(sprite);
    }
}

fn spawn_line(mut commands: Commands) {
    let place = (SIZE.x - 8.0, 2.0);
    commands.spawn((Line, label("", place, Anchor::TOP_RIGHT, Palette::INK)));
}

fn write_line(
    player: Single<&Player>,
    coins: Query<(), With<Coin>>,
    mut text: Single<&mut Text2d, With<Line>>,
) {
    let does = match (player.pushes, player.stands) {
        (true, _) => "pushes",
        (_, true) => "stands",
        _ => "is in the air",
    };
    let line = match coins.iter().count() {
        0 => "all coins are yours: R starts again".to_owned(),
        left => format!("coins left: {left}   {does}"),
    };
    write(&mut text, line);
}
